/* How codecs reach the payload: positions count from its first byte, any order. */
#include "stream.h"

utet_status utet_payload_need(utet_stream *stream, uint64_t position, size_t length,
                              uint64_t ahead, const uint8_t **at, size_t *have)
{
    utet_file *file = stream->priv_file;
    uint64_t left = stream->priv_stored - position;
    utet_status status =
        utet_need_ahead(file, length, stream->priv_offset + position,
                        ahead < SIZE_MAX / 2 ? (size_t)ahead : SIZE_MAX / 2);

    *at = file->priv_at;
    *have = file->priv_have < left ? file->priv_have : (size_t)left;
    return status;
}

utet_status utet_payload_copy(utet_stream *stream, uint64_t position, void *buffer, size_t length)
{
    utet_status status = utet_copy_bytes(stream->priv_file, (uint8_t *)buffer,
                                         stream->priv_offset + position, length);

    if (UTET_IS_ERROR(status))
        stream->priv_file->priv_done = 0;
    return status;
}

utet_status utet_payload_error(utet_stream *stream, uint64_t position, utet_status status)
{
    stream->priv_file->error_offset = stream->priv_offset + position;
    return status;
}
