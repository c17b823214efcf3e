/* Opening: the whole footer is read and checked, and what later calls start from is noted (§6, §7). */
#include "meta.h"

#include <string.h>

/* Without a footer there is nothing to be checked. */
static void check_footer(utet_meta *meta, uint8_t mode)
{
    const utet_file *file = meta->priv_file;

    utet_meta_begin(meta, UTET_RULE_ROOT, file->footer_offset, (uint32_t)file->footer_length, mode);
    meta->priv_walking = file->history_version != 0;
}

/* The references to spills. Their lengths count against the payloads (§6.3), even when their places are of no use. Zone
 * maps and indexes that are of no use are no reason to refuse the file, for nobody has to use them (deviation T3). */
static utet_status take_references(utet_meta *meta)
{
    const utet_file *file = meta->priv_file;
    const utet_value *reference = &meta->priv_found[UTET_SLOT_REFS];
    unsigned spills = file->history_version == 2 ? UTET_SPILLS : 1;
    uint64_t end = file->priv_io->size;
    unsigned i;

    for (i = 0; i < spills; i++, reference += 2) {
        utet_span *spill = &meta->spills[i];

        spill->offset = reference[0].value;
        spill->length = reference[1].value;
        if (spill->length > meta->payload_limit)
            return UTET_E_METADATA;
        meta->payload_limit -= spill->length;
        if (spill->length >> 32 != 0 || utet_add(spill->offset, spill->length) > end)
            spill->length = 0;
        end = file->footer_offset;
    }
    return UTET_OK;
}

/* The footer is as it has to be, and its values are in priv_found. */
static utet_status take_footer(utet_meta *meta)
{
    utet_file *file = meta->priv_file;
    const utet_span *spill = &meta->spills[UTET_SPILL_METADATA];

    file->error_offset = file->footer_offset;
    meta->history = meta->priv_found[UTET_SLOT_HISTORY];
    if (take_references(meta) != UTET_OK)
        return UTET_E_METADATA;
    if (meta->priv_found[UTET_SLOT_REFS].kind == UTET_NONE)
        return UTET_OK;
    if (spill->length == 0)
        return UTET_E_METADATA;
    utet_meta_begin(meta, UTET_RULE_SPILL, spill->offset, (uint32_t)spill->length, UTET_LIMITS);
    return UTET_OK;
}

static utet_status read_footer(utet_meta *meta)
{
    utet_file *file = meta->priv_file;
    utet_status status = utet_meta_check(meta);

    if (status == UTET_OK && file->priv_step == 0) {
        file->priv_step = 1;
        status = take_footer(meta);
        if (status == UTET_OK)
            status = utet_meta_check(meta); /* the spill, or nothing */
    }
    if (status == UTET_OK)
        memcpy(&meta->facts, &meta->priv_found[UTET_SLOT_FACTS], 2 * sizeof meta->facts);
    return status;
}

utet_status utet_meta_open(utet_meta *meta, utet_file *file)
{
    uint8_t busy = file->priv_busy;
    utet_status status = utet_enter(file, UTET_CALL_META_OPEN);

    if (status != UTET_OK)
        return status;
    if (busy == UTET_CALL_NONE) {
        memset(meta, 0, sizeof *meta);
        meta->priv_file = file;
        meta->priv_rules = utet_meta_rules;
        meta->payload_limit = file->footer_offset;
        check_footer(meta, UTET_CHECK);
    }
    status = file->footer_status;
    if (status == UTET_OK)
        status = file->footer_length >> 32 == 0 ? read_footer(meta) : UTET_E_METADATA;
    meta->priv_status = status == UTET_WOULD_BLOCK ? UTET_E_STATE : status;
    meta->priv_error_offset = file->error_offset;
    return utet_leave(file, status);
}

utet_status utet_meta_check_limits(utet_meta *meta)
{
    utet_status status = utet_meta_enter(meta, UTET_CALL_META_LIMITS);

    if (status != UTET_OK)
        return status;
    if (meta->priv_file->priv_step == 0) {
        check_footer(meta, UTET_LIMITS);
        meta->priv_file->priv_step = 1;
    }
    return utet_leave(meta->priv_file, utet_meta_check(meta));
}
