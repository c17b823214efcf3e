/* A document of its own in the file: zone maps, indexes (§6.4, §8). */
#include "meta.h"

utet_status utet_meta_document(utet_meta *meta, const utet_span *span, const utet_rule *rules)
{
    utet_file *file = meta->priv_file;
    utet_status status;

    if (span->length == 0)
        return UTET_E_NOT_FOUND;
    if (meta->priv_rules != rules) {
        meta->priv_rules = rules;
        utet_meta_check_begin(meta, span, UTET_RULE_ROOT, UTET_WRONG);
    }
    status = utet_meta_check(meta);
    if (status == UTET_OK && meta->priv_found[0].value != 1) {
        file->error_offset = span->offset;
        status = UTET_E_METADATA;
    }
    return status;
}
