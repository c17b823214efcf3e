/* Opening: the whole footer is read and checked, and what later calls start from is noted (§6, §7). */
#include "meta.h"

#include <string.h>

enum { /* file->priv_step */
    CHECK_FOOTER,
    COLLECT_FOOTER,
    COLLECT_REF, /* three of them */
    CHECK_SPILL = COLLECT_REF + 3,
    COLLECT_METADATA,
    DONE
};

enum { HISTORY, METADATA, METADATA_REF, ZONES_REF, INDEXES_REF }; /* of the footer's keys */

static void check_from(utet_meta *meta, uint64_t offset, uint64_t length, uint8_t rule)
{
    utet_meta_check_begin(meta, offset, offset + length, rule);
}

/* The footer's values have been collected. */
static void footer_collected(utet_meta *meta)
{
    meta->history = meta->priv_found[HISTORY];
    meta->priv_metadata = meta->priv_found[METADATA];
    memcpy(meta->priv_ref, &meta->priv_found[METADATA_REF], sizeof meta->priv_ref);
    utet_meta_want(meta, &meta->priv_ref[0], UTET_RULE_REF);
}

/* Reference `number` has been collected: its length counts against the payloads (§6.3), even if its place is of no use. */
static utet_status ref_collected(utet_meta *meta, unsigned number)
{
    utet_file *file = meta->priv_file;
    utet_span *span = number == 0 ? &meta->priv_spill : number == 1 ? &meta->zones : &meta->indexes;
    uint64_t length = meta->priv_found[1].size;

    if (meta->priv_ref[number].kind != UTET_NONE && (number == 0 || file->history_version == 2)) {
        file->error_offset = meta->priv_ref[number].priv_at;
        if (length > meta->payload_limit)
            return UTET_E_METADATA;
        meta->payload_limit -= length;
        span->offset = meta->priv_found[0].size;
        span->length = length;
        if (number == 0 && utet_add(span->offset, length) > file->priv_io->size)
            return UTET_E_METADATA;
        if (number != 0 && utet_add(span->offset, length) > file->footer_offset)
            span->length = 0; /* no reason to refuse the file: nobody has to use it (deviation T3) */
    }
    if (number < 2)
        utet_meta_want(meta, &meta->priv_ref[number + 1], UTET_RULE_REF);
    return UTET_OK;
}

/* All references are known: what holds the metadata? */
static void choose_metadata(utet_meta *meta)
{
    if (meta->priv_ref[0].kind != UTET_NONE) {
        check_from(meta, meta->priv_spill.offset, meta->priv_spill.length, UTET_RULE_METADATA);
        return;
    }
    meta->priv_file->priv_step = COLLECT_METADATA;
    utet_meta_want(meta, &meta->priv_metadata, UTET_RULE_METADATA);
}

static utet_status step(utet_meta *meta)
{
    utet_file *file = meta->priv_file;
    unsigned number = file->priv_step;
    utet_status status;

    if (number == CHECK_FOOTER || number == CHECK_SPILL)
        status = utet_meta_check(meta, 1, number == CHECK_SPILL);
    else
        status = utet_meta_collect(meta);
    if (status != UTET_OK)
        return status;
    file->priv_step++;
    if (number == CHECK_FOOTER) {
        utet_meta_want(meta, &meta->priv_list, UTET_RULE_FOOTER);
    } else if (number == COLLECT_FOOTER) {
        footer_collected(meta);
    } else if (number < CHECK_SPILL) {
        status = ref_collected(meta, number - COLLECT_REF);
        if (status == UTET_OK && number == CHECK_SPILL - 1)
            choose_metadata(meta);
    } else if (number == CHECK_SPILL) {
        meta->priv_metadata = meta->priv_list;
        utet_meta_want(meta, &meta->priv_metadata, UTET_RULE_METADATA);
    } else {
        meta->facts = meta->priv_found[0];
        meta->datasets = meta->priv_found[1];
    }
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
        meta->priv_status = UTET_E_STATE;
        meta->payload_limit = file->footer_offset;
        check_from(meta, file->footer_offset, file->footer_length, UTET_RULE_FOOTER);
        if (file->history_version == 0)
            file->priv_step = DONE;
    }
    status = file->footer_status;
    while (status == UTET_OK && file->priv_step != DONE)
        status = step(meta);
    if (status != UTET_WOULD_BLOCK)
        meta->priv_status = status;
    return utet_leave(file, status);
}
