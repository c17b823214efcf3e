/* A document of its own in the file: zone maps, indexes (§6.4, §8). */
#include "meta.h"

utet_status utet_meta_document(utet_meta *meta, const utet_span *span, uint8_t rule)
{
    utet_file *file = meta->priv_file;
    utet_status status;

    if (span->length == 0)
        return UTET_E_NOT_FOUND;
    if (file->priv_cursor[0] == 0) {
        utet_meta_check_begin(meta, span->offset, span->offset + span->length, rule);
        file->priv_cursor[0] = 1;
    }
    status = utet_meta_check(meta, 1, 0);
    if (status == UTET_OK) {
        utet_meta_want(meta, &meta->priv_list, rule);
        file->priv_step = UTET_DOCUMENT_COLLECT;
    }
    return status;
}

utet_status utet_meta_version(utet_meta *meta, const utet_span *span)
{
    if (meta->priv_found[0].size == 1)
        return UTET_OK;
    meta->priv_file->error_offset = span->offset;
    return UTET_E_METADATA;
}
