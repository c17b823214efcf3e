/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Opening: reads and checks the whole footer, and keeps the positions where later calls begin (§6, §7). */
#include "../container/container.h"
#include "meta.h"

#include <string.h>

/* Without a footer there is nothing to check. */
static void begin_footer(utet_meta *meta)
{
    const utet_file *file = meta->priv.file;

    utet_meta_begin(meta, UTET_RULE_ROOT, file->footer_offset, (uint32_t)file->footer_length);
    meta->priv.reading.active = file->history_version != 0;
}

/* The references to spills. Their lengths count against the payloads (§6.3), even when their offsets are unusable.
 * Unusable zone maps and indexes are no reason to refuse the file, because no caller has to use them (D9). */
static utet_status take_references(utet_meta *meta)
{
    const utet_file *file = meta->priv.file;
    const utet_value *reference = meta->priv.kept.footer.refs;
    unsigned spills = file->history_version == 2 ? UTET_SPILLS : 1;
    uint64_t end = file->priv.io->size;
    unsigned i;

    for (i = 0; i < spills; i++, reference += 2) {
        utet_span *spill = &meta->spills[i];

        spill->offset = reference[0].value;
        spill->length = reference[1].value;
        if (spill->length <= meta->payload_limit)
            meta->payload_limit -= spill->length;
        else if (file->dataset_count != 0) /* else there are no payloads, and the reference does not count */
            return UTET_E_METADATA;
        if (spill->length >> 32 != 0 || utet_add(spill->offset, spill->length) > end)
            spill->length = 0;
        end = file->footer_offset;
    }
    return UTET_OK;
}

/* The footer is right, and its values are kept. The metadata in a spill are read next. */
static utet_status take_footer(utet_meta *meta)
{
    utet_file *file = meta->priv.file;
    const utet_span *spill = &meta->spills[UTET_SPILL_METADATA];

    file->error_offset = file->footer_offset;
    meta->history = meta->priv.kept.footer.history;
    if (take_references(meta) != UTET_OK)
        return UTET_E_METADATA;
    if (meta->priv.kept.footer.refs[0].kind == UTET_VALUE_NONE)
        return UTET_OK;
    if (spill->length == 0)
        return UTET_E_METADATA;
    utet_meta_begin(meta, UTET_RULE_SPILL, spill->offset, (uint32_t)spill->length);
    meta->priv.reading.limits = 1;
    return UTET_OK;
}

static utet_status read_footer(utet_meta *meta)
{
    enum { FOOTER, SPILL };
    utet_status status = utet_meta_check(meta);

    if (status == UTET_OK && meta->priv.step == FOOTER) {
        meta->priv.step = SPILL;
        status = take_footer(meta);
        if (status == UTET_OK)
            status = utet_meta_check(meta); /* the spill, or nothing */
    }
    if (status == UTET_OK) {
        meta->file_info = meta->priv.kept.footer.file_info;
        meta->datasets = meta->priv.kept.footer.datasets;
    }
    return status;
}

utet_status utet_meta_open(utet_meta *meta, utet_file *file)
{
    uint8_t busy = file->priv.busy;
    utet_status status = utet_enter(file, UTET_CALL_META_OPEN);

    if (status != UTET_OK)
        return status;
    if (busy == UTET_CALL_NONE) {
        memset(meta, 0, sizeof *meta);
        meta->priv.file = file;
        meta->priv.reading.rules = utet_meta_rules;
        meta->payload_limit = file->footer_offset;
        file->error_offset = file->footer_offset - UTET_TAIL_BYTES; /* that of the tail, if it is damaged */
        begin_footer(meta);
    }
    status = file->footer_status;
    if (status == UTET_OK)
        status = file->footer_length >> 32 == 0 ? read_footer(meta) : UTET_E_METADATA;
    meta->priv.status = status == UTET_WOULD_BLOCK ? UTET_E_STATE : status;
    meta->priv.error_offset = file->error_offset;
    return utet_leave(file, status);
}

utet_status utet_meta_check_limits(utet_meta *meta)
{
    enum { BEGIN, CHECK };
    utet_status status = utet_meta_enter(meta, UTET_CALL_META_LIMITS);

    if (status != UTET_OK)
        return status;
    if (meta->priv.step == BEGIN) {
        begin_footer(meta);
        if (meta->spills[UTET_SPILL_METADATA].length != 0) /* those were checked against the limits at opening */
            meta->priv.reading.rule = UTET_RULE_HISTORY_ALONE;
        meta->priv.reading.limits = 1;
        meta->priv.step = CHECK;
    }
    return utet_leave(meta->priv.file, utet_meta_check(meta));
}
