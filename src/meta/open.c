/* Opening: the whole footer is read and checked, and what later calls start from is noted (§6, §7). */
#include "meta.h"

#include <string.h>

static void check_footer(utet_meta *meta, uint8_t check)
{
    meta->priv_spill.offset = meta->priv_file->footer_offset;
    meta->priv_spill.length = meta->priv_file->footer_length;
    utet_meta_check_begin(meta, &meta->priv_spill, UTET_RULE_ROOT, check);
}

/* The footer is as it has to be, and its values are in priv_found. Lengths of references count against the payloads
 * (§6.3), even if their places are of no use. A place of no use leaves a length of 0: no reason to refuse the file for
 * zone maps and indexes, which nobody has to use (deviation T3); no metadata, which are then refused. */
static utet_status take_references(utet_meta *meta)
{
    utet_file *file = meta->priv_file;
    unsigned i;

    meta->priv_spill.offset = file->footer_offset;
    meta->priv_spill.length = 0;
    for (i = 0; i < (file->history_version == 2 ? 3u : 1u); i++) {
        const utet_value *offset = &meta->priv_found[UTET_SLOT_REFS + 2 * i];
        uint64_t length = offset[1].value;
        utet_span *span = i == 0 ? &meta->priv_spill : i == 1 ? &meta->zones : &meta->indexes;

        if (offset->kind == UTET_NONE)
            continue;
        if (length > meta->payload_limit)
            return UTET_E_METADATA;
        meta->payload_limit -= length;
        if (length >> 32 == 0 && utet_add(offset->value, length) <= (i == 0 ? file->priv_io->size : file->footer_offset)) {
            span->offset = offset->value;
            span->length = length;
        }
    }
    return UTET_OK;
}

enum { FOOTER, SPILL, DONE }; /* file->priv_step */

static utet_status read_footer(utet_meta *meta)
{
    utet_file *file = meta->priv_file;

    while (file->priv_step != DONE) {
        utet_status status = utet_meta_check(meta);

        if (status != UTET_OK)
            return status;
        if (file->priv_step++ == FOOTER) {
            meta->history = meta->priv_found[UTET_SLOT_HISTORY];
            file->error_offset = file->footer_offset;
            status = take_references(meta);
            if (status != UTET_OK)
                return status;
            if (meta->priv_found[UTET_SLOT_REFS].kind == UTET_NONE)
                file->priv_step = DONE;
            else
                utet_meta_check_begin(meta, &meta->priv_spill, UTET_RULE_SPILL, UTET_LIMITS);
        }
    }
    meta->facts = meta->priv_found[UTET_SLOT_FACTS];
    meta->datasets = meta->priv_found[UTET_SLOT_DATASETS];
    return UTET_OK;
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
        if (file->history_version == 0)
            file->priv_step = DONE;
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
    utet_file *file = meta->priv_file;
    utet_status status = utet_meta_enter(meta, UTET_CALL_META_LIMITS);

    if (status != UTET_OK)
        return status;
    if (file->priv_step == FOOTER) {
        check_footer(meta, UTET_LIMITS);
        file->priv_step = file->history_version != 0 ? SPILL : DONE;
    }
    if (file->priv_step == SPILL)
        status = utet_meta_check(meta);
    return utet_leave(file, status);
}
