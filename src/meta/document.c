/* A document of its own in the file: zone maps, indexes (§6.4, §8). */
#include "meta.h"

utet_status utet_meta_document(utet_meta *meta, unsigned spill, const utet_rule *rules)
{
    const utet_span *span = &meta->spills[spill];
    utet_status status;

    if (span->length == 0)
        return UTET_E_NOT_FOUND;
    if (meta->priv_rules != rules) {
        meta->priv_rules = rules;
        utet_meta_begin(meta, UTET_RULE_ROOT, span->offset, (uint32_t)span->length, UTET_CHECK);
    }
    status = utet_meta_check(meta);
    if (status == UTET_OK && meta->priv_found[0].value != 1) {
        meta->priv_file->error_offset = span->offset;
        status = UTET_E_METADATA;
    }
    return status;
}

void utet_meta_coords(const utet_meta *meta, uint64_t coords[UTET_MAX_NDIM])
{
    unsigned i;

    for (i = 0; i < UTET_MAX_NDIM; i++)
        coords[i] = meta->priv_found[UTET_SLOT_COORDS + i].value;
}
