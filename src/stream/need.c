/* What a stream over a chunk needs, without opening it. */
#include "stream.h"

#include <string.h>

utet_status utet_chunk_need(utet_file *file, const utet_chunk *chunk, int whole, utet_need *need)
{
    utet_status status = utet_enter(file, UTET_CALL_CHUNK_NEED);
    utet_stream stream;

    if (status != UTET_OK)
        return status;
    /* only whether there is a destination matters here, not where */
    status = utet_stream_prepare(&stream, file, chunk, whole ? (uint8_t *)need : NULL);
    if (status == UTET_OK) {
        memcpy(stream.priv_scratch, file->priv_cursor, sizeof stream.priv_scratch);
        need->least = 0;
        need->best = 0;
        if (!UTET_IS_RAW(&stream))
            status = stream.priv_codec->need(&stream, 1, need);
        utet_need_with_window(file, need);
        memcpy(file->priv_cursor, stream.priv_scratch, sizeof stream.priv_scratch);
    }
    return utet_leave(file, status);
}
