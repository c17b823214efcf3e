/* Opening: the whole footer is read and checked, and what later calls start from is noted (§6, §7). */
#include "meta.h"

#include <string.h>

/* Without a footer there is nothing to be checked. */
static void check_footer(utet_meta *meta, uint8_t check)
{
    const utet_file *file = meta->priv_file;
    utet_span footer;

    footer.offset = file->footer_offset;
    footer.length = file->footer_length;
    utet_meta_check_begin(meta, &footer, UTET_RULE_ROOT, check);
    meta->priv_walking = file->history_version != 0;
}

/* The reference in `slot` and behind it. Its length counts against the payloads (§6.3), even when its place is of no
 * use: 0 when it is too much for them. A span that is of no use gets the length 0. */
static int take_reference(utet_meta *meta, unsigned slot, utet_span *span)
{
    const utet_file *file = meta->priv_file;
    uint64_t end = span == &meta->priv_spill ? file->priv_io->size : file->footer_offset;
    uint64_t offset = meta->priv_found[slot].value;
    uint64_t length = meta->priv_found[slot + 1].value;

    if (length > meta->payload_limit)
        return 0;
    meta->payload_limit -= length;
    span->offset = offset;
    span->length = length >> 32 == 0 && utet_add(offset, length) <= end ? length : 0;
    return 1;
}

/* The footer is as it has to be, and its values are in priv_found. Zone maps and indexes that are of no use are no
 * reason to refuse the file, for nobody has to use them (deviation T3). */
static utet_status take_footer(utet_meta *meta)
{
    utet_file *file = meta->priv_file;

    file->error_offset = file->footer_offset;
    meta->history = meta->priv_found[UTET_SLOT_HISTORY];
    if (!take_reference(meta, UTET_SLOT_REFS, &meta->priv_spill))
        return UTET_E_METADATA;
    if (file->history_version == 2 && (!take_reference(meta, UTET_SLOT_REFS + 2, &meta->zones) ||
                                       !take_reference(meta, UTET_SLOT_REFS + 4, &meta->indexes)))
        return UTET_E_METADATA;
    if (meta->priv_found[UTET_SLOT_REFS].kind == UTET_NONE)
        return UTET_OK;
    if (meta->priv_spill.length == 0)
        return UTET_E_METADATA;
    utet_meta_check_begin(meta, &meta->priv_spill, UTET_RULE_SPILL, UTET_LIMITS);
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
    meta->facts = meta->priv_found[UTET_SLOT_FACTS];
    meta->datasets = meta->priv_found[UTET_SLOT_DATASETS];
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
        check_footer(meta, UTET_WRONG);
    }
    status = file->footer_status;
    if (status == UTET_OK)
        status = file->footer_length >> 32 == 0 ? read_footer(meta) : UTET_E_METADATA;
    meta->priv_status = status == UTET_WOULD_BLOCK ? UTET_E_STATE : status;
    meta->priv_spill.offset = file->error_offset; /* for utet_meta_strict; of the spill it is not needed any more */
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
