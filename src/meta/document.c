/* A document of its own in the file: zone maps, indexes (§6.4, §8). */
#include "meta.h"

enum { CHECK, COLLECT };

utet_status utet_meta_document(utet_meta *meta, const utet_span *span, uint8_t rule)
{
    utet_file *file = meta->priv_file;
    utet_status status;

    if (span->length == 0)
        return UTET_E_NOT_FOUND;
    if (file->priv_step == CHECK) {
        if (file->priv_cursor[0] == 0) {
            utet_meta_check_begin(meta, span->offset, span->offset + span->length, rule);
            file->priv_cursor[0] = 1;
        }
        status = utet_meta_check(meta, 1, 0);
        if (status != UTET_OK)
            return status;
        utet_meta_want(meta, &meta->priv_list, rule);
        file->priv_step = COLLECT;
    }
    status = utet_meta_collect(meta);
    if (status == UTET_OK && meta->priv_found[0].size != 1) { /* version */
        file->error_offset = span->offset;
        status = UTET_E_METADATA;
    }
    return status;
}
