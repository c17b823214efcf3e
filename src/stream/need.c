/* What a stream over a chunk needs, without opening it. */
#include "stream.h"

#include <string.h>

utet_status utet_chunk_need(utet_file *file, const utet_chunk *chunk, int whole, utet_need *need)
{
    utet_status status = utet_enter(file, UTET_CALL_CHUNK_NEED);
    utet_need found = {0, 0};
    utet_stream stream;

    if (status != UTET_OK)
        return status;
    /* only whether there is a destination matters here, not where */
    status = utet_stream_prepare(&stream, file, chunk, whole ? (uint8_t *)&found : NULL);
    if (status == UTET_OK) {
        memcpy(stream.priv_scratch, file->priv_cursor, sizeof stream.priv_scratch);
        if (!UTET_IS_RAW(&stream))
            status = stream.priv_codec->need(&stream, 1, &found);
        memcpy(file->priv_cursor, stream.priv_scratch, sizeof stream.priv_scratch);
    }
    if (status == UTET_OK) {
        utet_need_with_window(file, &found);
        *need = found;
    }
    return utet_leave(file, status);
}
