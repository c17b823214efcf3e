/* Secondary indexes (§8.2): the chunks that hold a value or lie at a label. The sorted axis ranges are not used:
 * what they tell, the labels tell as well. */
#include "meta.h"

#include <string.h>

enum { RULE_INDEX_LIST = UTET_RULE_ROOT + 1, RULE_INDEX, RULE_POSTINGS, RULE_POSTING };
#define TO_INDEX_LIST "\12"

static const utet_rule rules[] = {
    /* ENTRIES */ { UTET_ARRAY | UTET_UNLIMITED, 0, UTET_RULE_ANY, UTET_SLOT_ENTRY, "" },
    /* ROOT */
    { UTET_OBJECT | UTET_UNLIMITED, 15, UTET_RULE_ANY, 0,
      "version" UTET_NUMBER_KEY "indexes" TO_INDEX_LIST "generation" UTET_NUMBER_KEY "packed_sha256" UTET_TEXT_KEY },
    /* INDEX_LIST */ { UTET_ARRAY | UTET_UNLIMITED, 0, RULE_INDEX, UTET_SLOT_ENTRY, "" },
    /* INDEX */
    { UTET_OBJECT | UTET_UNLIMITED, 1, UTET_RULE_SOUND, 0,
      "kind" UTET_TEXT_KEY "dataset_id" UTET_SOUND_KEY "dtype" UTET_SOUND_KEY "axis" UTET_SOUND_KEY
      "postings" UTET_SOUND_KEY },
    /* POSTINGS */ { UTET_ARRAY | UTET_UNLIMITED, 0, RULE_POSTING, UTET_SLOT_ENTRY, "" },
    /* POSTING */
    { UTET_OBJECT | UTET_UNLIMITED, 0, 0, 0,
      "value_le" UTET_SOUND_KEY "label" UTET_SOUND_KEY "chunks" UTET_SOUND_KEY }
};

enum { E_KIND, E_DATASET, E_DTYPE, E_AXIS, E_POSTINGS }; /* fields of an entry */
enum { P_VALUE, P_LABEL, P_CHUNKS };                     /* of a posting */

enum { DOCUMENT, NEXT_ENTRY, KIND, NEXT_POSTING, COMPARE, FILL }; /* file->priv_step */

/* The question stands in the metadata object: priv_asked. */
static int is_label(const utet_meta *meta)
{
    return meta->priv_asked.key == E_AXIS;
}

/* Does the entry whose fields have been collected belong to the question, its kind apart? */
static int concerns(const utet_meta *meta)
{
    const utet_value *dataset = &meta->priv_found[E_DATASET];
    const utet_value *which = &meta->priv_found[meta->priv_asked.key];

    return dataset->kind == UTET_NUMBER && dataset->value == meta->priv_asked.about->dataset->id &&
           which->kind == UTET_NUMBER && which->value == meta->priv_asked.which;
}

/* Does the posting just collected answer the question? UTET_OK or UTET_END. */
static utet_status compare(utet_meta *meta)
{
    size_t length = meta->priv_asked.length;
    uint8_t *bytes = (uint8_t *)meta->priv_piece[0];
    utet_status status;
    size_t got;

    if (meta->priv_found[P_CHUNKS].kind != UTET_LIST || meta->priv_found[is_label(meta)].kind != UTET_TEXT)
        return UTET_E_METADATA;
    if (is_label(meta))
        return utet_meta_equals(meta, &meta->priv_found[P_LABEL], meta->priv_asked.wanted, length);
    status = utet_meta_fetch(meta, &meta->priv_found[P_VALUE], meta->priv_head, 2 * length, &got);
    if (status != UTET_OK)
        return status;
    if (got != 2 * length || meta->priv_found[P_VALUE].size != 0)
        return UTET_END;
    if (utet_meta_unhex(meta->priv_head, 2 * length, bytes) != length)
        return UTET_E_METADATA;
    return memcmp(bytes, meta->priv_asked.wanted, length) == 0 ? UTET_OK : UTET_END;
}

/* One step: UTET_OK goes on to the next, UTET_END to the next entry or posting. */
static utet_status take_step(utet_meta *meta, unsigned step)
{
    utet_status status;

    switch (step) {
    case DOCUMENT:
        status = utet_meta_document(meta, &meta->indexes, rules);
        meta->priv_outer = meta->priv_found[1];
        return status;
    case NEXT_ENTRY:
        return utet_meta_walk(meta, &meta->priv_outer, RULE_INDEX_LIST);
    case KIND:
        meta->priv_best = meta->priv_found[E_POSTINGS];
        if (!concerns(meta))
            return UTET_END;
        return is_label(meta) ? utet_meta_equals(meta, &meta->priv_found[E_KIND], "coord_label_postings", 20)
                              : utet_meta_equals(meta, &meta->priv_found[E_KIND], "value_postings", 14);
    case NEXT_POSTING:
        return utet_meta_walk(meta, &meta->priv_best, RULE_POSTINGS);
    default: /* COMPARE */
        return compare(meta);
    }
}

/* The posting that answers, with its chunks in priv_found; UTET_END: there is none, UTET_E_NOT_FOUND: nothing is
 * known. */
static utet_status search(utet_meta *meta)
{
    for (;;) {
        uint8_t *step = &meta->priv_file->priv_step;
        utet_status status = take_step(meta, *step);

        if (status == UTET_OK && *step != COMPARE)
            ++*step;
        else if (status != UTET_END || *step == NEXT_POSTING)
            return status;
        else if (*step == NEXT_ENTRY)
            return UTET_E_NOT_FOUND;
        else
            *step = *step == COMPARE ? NEXT_POSTING : NEXT_ENTRY;
    }
}

/* NaN is null and stands in no posting. */
static int is_nan(uint32_t dtype, const uint8_t *element, size_t size)
{
    unsigned infinity = dtype == UTET_F16 ? 0x7C00u : dtype == UTET_F32 ? 0x7F80u : 0x7FF0u;
    unsigned top = (unsigned)element[size - 1] << 8 | element[size - 2];
    size_t i;

    top &= 0x7FFF;
    if (top != infinity)
        return top > infinity;
    for (i = 0; i < size - 2; i++)
        if (element[i] != 0)
            return 1;
    return 0;
}

static utet_status answer(utet_meta *meta, uint8_t call, utet_value *chunks)
{
    utet_file *file = meta->priv_file;
    utet_status status = utet_meta_enter(meta, call);

    if (status != UTET_OK)
        return status;
    memset(chunks, 0, sizeof *chunks);
    if (file->priv_step != FILL) {
        status = search(meta);
        if (status == UTET_OK)
            *chunks = meta->priv_found[P_CHUNKS];
        if (status != UTET_END || is_label(meta))
            return utet_leave(file, status == UTET_END ? UTET_OK : status);
        /* Nowhere, or what the writer took for the fill value. */
        utet_meta_want_fill(meta, meta->priv_asked.about);
        file->priv_step = FILL;
    }
    status = utet_meta_fill(meta, &meta->priv_outer);
    if (status == UTET_OK && meta->priv_outer.kind != UTET_NONE)
        status = UTET_E_NOT_FOUND;
    return utet_leave(file, status);
}

utet_status utet_index_value(utet_meta *meta, const utet_about *about, const void *value, utet_value *chunks)
{
    const utet_dataset *dataset = about->dataset;

    if (dataset->elem_size == 0 ||
        (utet_meta_is_float(dataset->dtype) && is_nan(dataset->dtype, (const uint8_t *)value, dataset->elem_size)))
        return UTET_E_NOT_FOUND;
    meta->priv_asked.about = about;
    meta->priv_asked.wanted = value;
    meta->priv_asked.length = dataset->elem_size;
    meta->priv_asked.which = dataset->dtype;
    meta->priv_asked.key = E_DTYPE;
    return answer(meta, UTET_CALL_INDEX_VALUE, chunks);
}

utet_status utet_index_label(utet_meta *meta, const utet_about *about, unsigned axis, const char *label,
                             size_t length, utet_value *chunks)
{
    meta->priv_asked.about = about;
    meta->priv_asked.wanted = label;
    meta->priv_asked.length = length;
    meta->priv_asked.which = axis;
    meta->priv_asked.key = E_AXIS;
    return answer(meta, UTET_CALL_INDEX_LABEL, chunks);
}

utet_status utet_index_chunk(utet_meta *meta, utet_value *chunks, uint64_t coords[UTET_MAX_NDIM])
{
    utet_file *file = meta->priv_file;
    utet_status status = utet_meta_enter(meta, UTET_CALL_INDEX_CHUNK);

    if (status != UTET_OK)
        return status;
    if (file->priv_step == 0) {
        status = utet_meta_walk(meta, chunks, UTET_RULE_ENTRIES);
        if (status != UTET_OK)
            return utet_leave(file, status);
        meta->priv_outer = UTET_ENTRY(meta);
        memset(coords, 0, UTET_MAX_NDIM * sizeof *coords);
        file->priv_step = 1;
    }
    return utet_leave(file, utet_meta_coords(meta, &meta->priv_outer, coords, &file->priv_cursor[0]));
}

utet_status utet_index_entries(utet_meta *meta, utet_value *entries)
{
    utet_status status = utet_meta_enter(meta, UTET_CALL_INDEX_ENTRIES);

    if (status != UTET_OK)
        return status;
    status = utet_leave(meta->priv_file, utet_meta_document(meta, &meta->indexes, rules));
    if (status == UTET_OK)
        *entries = meta->priv_found[1];
    return status;
}
