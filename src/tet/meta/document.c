/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* A document outside of the footer: zone maps or indexes (§6.4, §8). */
#include "meta.h"

utet_status utet_meta_document(utet_meta *meta, unsigned spill, const utet_rule *rules)
{
    const utet_span *span = &meta->spills[spill];
    utet_status status;

    if (span->length == 0)
        return UTET_E_NOT_FOUND;
    if (meta->priv.reading.rules != rules) {
        meta->priv.reading.rules = rules;
        utet_meta_begin(meta, UTET_RULE_ROOT, span->offset, (uint32_t)span->length);
    }
    status = utet_meta_check(meta);
    if (status == UTET_OK && meta->priv.kept.document.version.value != 1) {
        meta->priv.file->error_offset = span->offset;
        status = UTET_E_METADATA;
    }
    return status;
}

void utet_meta_coords(const utet_meta *meta, uint64_t coords[UTET_MAX_NDIM])
{
    unsigned i;

    for (i = 0; i < UTET_MAX_NDIM; i++)
        coords[i] = meta->priv.kept.zone.coords[i].value;
}
