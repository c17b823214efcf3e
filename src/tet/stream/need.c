/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The need of a stream over a chunk, without opening it. */
#include "stream.h"

utet_status utet_chunk_need(utet_file *file, const utet_chunk *chunk, int whole, utet_need *need)
{
    utet_status status = utet_enter(file, UTET_CALL_CHUNK_NEED);
    utet_need found = {0, 0};
    utet_stream stream;

    if (status != UTET_OK)
        return status;
    /* a codec only asks whether there is a destination, not where it is */
    status = utet_stream_prepare(&stream, file, chunk, whole ? (uint8_t *)&found : NULL);
    if (status == UTET_OK) {
        stream.priv.scratch[0] = file->priv.call.need.scratch[0];
        stream.priv.scratch[1] = file->priv.call.need.scratch[1];
        if (!UTET_IS_RAW(&stream))
            status = stream.priv.codec->need(&stream, 1, &found);
        file->priv.call.need.scratch[0] = stream.priv.scratch[0];
        file->priv.call.need.scratch[1] = stream.priv.scratch[1];
    }
    if (status == UTET_OK) {
        utet_need_with_window(file, &found);
        *need = found;
    }
    return utet_leave(file, status);
}
