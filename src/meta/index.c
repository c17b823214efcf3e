/* Secondary indexes (§8.2): the chunks that hold a value or lie at a label. The sorted axis ranges are not used: what they
 * tell, the labels tell as well. */
#include "meta.h"

#include <string.h>

enum { /* file->priv_step, behind those of utet_meta_document */
    NEXT_ENTRY = UTET_DOCUMENT_STEPS,
    FIELDS,
    KIND,
    NEXT_POSTING,
    POSTING,
    COMPARE,
    FILL
};

enum { E_KIND, E_DATASET, E_DTYPE, E_AXIS, E_POSTINGS }; /* fields of an entry */
enum { P_VALUE, P_LABEL, P_CHUNKS };                     /* of a posting */

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

    return dataset->kind == UTET_NUMBER && dataset->size == meta->priv_asked.about->dataset->id &&
           which->kind == UTET_NUMBER && which->size == meta->priv_asked.which;
}

/* The next entry that answers the question; its postings into priv_best. UTET_END. */
static utet_status entry(utet_meta *meta)
{
    utet_file *file = meta->priv_file;
    const char *kind = is_label(meta) ? "coord_label_postings" : "value_postings";
    size_t length = is_label(meta) ? 20 : 14;
    utet_status status;

    if (file->priv_step == NEXT_ENTRY) {
        status = utet_meta_walk(meta, &meta->priv_outer);
        if (status != UTET_OK)
            return status;
        utet_meta_want(meta, &meta->priv_item, UTET_RULE_INDEX);
        file->priv_step = FIELDS;
    }
    if (file->priv_step == FIELDS) {
        status = utet_meta_collect(meta);
        if (status != UTET_OK)
            return status;
        file->priv_step = concerns(meta) && meta->priv_found[E_KIND].size == length ? KIND : NEXT_ENTRY;
        meta->priv_words = NULL;
    }
    if (file->priv_step == KIND) {
        status = utet_meta_fetch(meta, &meta->priv_found[E_KIND], meta->priv_head, length, NULL);
        if (status != UTET_OK)
            return status;
        file->priv_step = memcmp(meta->priv_head, kind, length) == 0 ? NEXT_POSTING : NEXT_ENTRY;
        meta->priv_best = meta->priv_found[E_POSTINGS];
    }
    return UTET_OK;
}

/* Does the posting just collected answer the question? UTET_OK or UTET_END. */
static utet_status compare(utet_meta *meta)
{
    uint8_t *bytes = (uint8_t *)meta->priv_piece[0];
    utet_status status;

    if (is_label(meta)) {
        if (meta->priv_comparing == 0) {
            meta->priv_key = meta->priv_found[P_LABEL];
            if (meta->priv_key.size != meta->priv_asked.length)
                return UTET_END;
            meta->priv_needle.kind = UTET_NONE;
            meta->priv_needle.size = meta->priv_asked.length;
            meta->priv_wanted = (const char *)meta->priv_asked.wanted;
        }
        status = utet_meta_same(meta);
        return status;
    }
    if (meta->priv_file->priv_done == 0) {
        meta->priv_other = meta->priv_found[P_VALUE];
        if (meta->priv_other.size != 2 * meta->priv_asked.length)
            return UTET_END;
    }
    status = utet_meta_fetch(meta, &meta->priv_other, meta->priv_head, 2 * meta->priv_asked.length, NULL);
    if (status != UTET_OK)
        return status;
    if (utet_meta_unhex(meta->priv_head, 2 * meta->priv_asked.length, bytes) != meta->priv_asked.length)
        return UTET_E_METADATA;
    return memcmp(bytes, meta->priv_asked.wanted, meta->priv_asked.length) == 0 ? UTET_OK : UTET_END;
}

/* The next posting, compared: UTET_OK when it answers, with its chunks in priv_found; UTET_END behind the last. */
static utet_status posting(utet_meta *meta)
{
    utet_file *file = meta->priv_file;
    utet_status status;

    for (;;) {
        if (file->priv_step == NEXT_POSTING) {
            status = utet_meta_walk(meta, &meta->priv_best);
            if (status != UTET_OK)
                return status;
            utet_meta_want(meta, &meta->priv_item, UTET_RULE_POSTING);
            file->priv_step = POSTING;
        }
        if (file->priv_step == POSTING) {
            status = utet_meta_collect(meta);
            if (status != UTET_OK)
                return status;
            meta->priv_words = NULL;
            if (meta->priv_found[P_CHUNKS].kind != UTET_LIST || meta->priv_found[is_label(meta)].kind != UTET_TEXT)
                return UTET_E_METADATA;
            file->priv_step = COMPARE;
        }
        status = compare(meta);
        if (status != UTET_END)
            return status;
        file->priv_step = NEXT_POSTING;
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

/* Behind the document's steps. */
static utet_status search(utet_meta *meta, utet_value *chunks)
{
    utet_file *file = meta->priv_file;
    utet_status status = UTET_OK;

    while (file->priv_step < NEXT_POSTING) {
        status = entry(meta);
        if (status != UTET_OK)
            return status == UTET_END ? UTET_E_NOT_FOUND : status;
    }
    if (file->priv_step != FILL) {
        status = posting(meta);
        if (status == UTET_OK)
            *chunks = meta->priv_found[P_CHUNKS];
        if (status != UTET_END || is_label(meta))
            return status == UTET_END ? UTET_OK : status;
        /* Nowhere, or what the writer took for the fill value. */
        utet_meta_want(meta, &meta->priv_asked.about->attrs, UTET_RULE_FILL);
        file->priv_step = FILL;
    }
    status = utet_meta_fill(meta, &meta->priv_outer);
    if (status == UTET_OK && meta->priv_outer.kind != UTET_NONE)
        status = UTET_E_NOT_FOUND;
    return status;
}

/* Checks the document; its entries into priv_outer. */
static utet_status document(utet_meta *meta)
{
    utet_file *file = meta->priv_file;
    utet_status status = UTET_OK;

    if (file->priv_step == UTET_DOCUMENT_CHECK)
        status = utet_meta_document(meta, &meta->indexes, UTET_RULE_INDEXES);
    if (status == UTET_OK && file->priv_step == UTET_DOCUMENT_COLLECT) {
        status = utet_meta_collect(meta);
        if (status == UTET_OK)
            status = utet_meta_version(meta, &meta->indexes);
        if (status == UTET_OK) {
            meta->priv_outer = meta->priv_found[1];
            meta->priv_words = NULL;
            file->priv_step = NEXT_ENTRY;
        }
    }
    return status;
}

static utet_status answer(utet_meta *meta, uint8_t call, utet_value *chunks)
{
    utet_status status = utet_meta_enter(meta, call);

    if (status != UTET_OK)
        return status;
    memset(chunks, 0, sizeof *chunks);
    status = document(meta);
    if (status == UTET_OK)
        status = search(meta, chunks);
    return utet_leave(meta->priv_file, status);
}

utet_status utet_index_entries(utet_meta *meta, utet_value *entries)
{
    utet_status status = utet_meta_enter(meta, UTET_CALL_INDEX_ENTRIES);

    if (status != UTET_OK)
        return status;
    status = document(meta);
    if (status == UTET_OK)
        *entries = meta->priv_outer;
    return utet_leave(meta->priv_file, status);
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
        status = utet_meta_walk(meta, chunks);
        if (status != UTET_OK)
            return utet_leave(file, status);
        meta->priv_outer = meta->priv_item;
        memset(coords, 0, UTET_MAX_NDIM * sizeof *coords);
        file->priv_step = 1;
    }
    return utet_leave(file, utet_meta_coords(meta, &meta->priv_outer, coords, &file->priv_cursor[0]));
}
