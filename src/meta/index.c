/* Secondary indexes (§8.2): the chunks that hold a value or lie at a label. The sorted axis ranges are not used: what they
 * tell, the labels tell as well. */
#include "meta.h"

#include <string.h>

enum { /* file->priv_step, behind those of utet_meta_document */
    NEXT_ENTRY = 2,
    FIELDS,
    KIND,
    NEXT_POSTING,
    POSTING,
    COMPARE,
    FILL
};

enum { E_KIND, E_DATASET, E_DTYPE, E_AXIS, E_POSTINGS }; /* fields of an entry */
enum { P_VALUE, P_LABEL, P_CHUNKS };                     /* of a posting */

typedef struct question {
    const utet_about *about;
    const void *wanted; /* element or label */
    size_t length;
    uint32_t which;    /* its dtype, or axis */
    uint8_t which_key; /* E_DTYPE, E_AXIS */
} question;

static int is_label(const question *q)
{
    return q->which_key == E_AXIS;
}

/* Does the entry whose fields have been collected belong to the question, its kind apart? */
static int concerns(const utet_meta *meta, const question *q)
{
    const utet_value *found = meta->priv_found;

    return found[E_DATASET].kind == UTET_NUMBER && found[E_DATASET].size == q->about->dataset->id &&
           found[q->which_key].kind == UTET_NUMBER && found[q->which_key].size == q->which;
}

/* The next entry that answers the question; its postings into priv_best. UTET_END. */
static utet_status entry(utet_meta *meta, const question *q)
{
    utet_file *file = meta->priv_file;
    const char *kind = is_label(q) ? "coord_label_postings" : "value_postings";
    size_t length = is_label(q) ? 20 : 14;
    utet_status status;

    if (file->priv_step == NEXT_ENTRY) {
        status = utet_meta_walk(meta, &meta->priv_outer, &meta->priv_key, &meta->priv_item);
        if (status != UTET_OK)
            return status;
        utet_meta_want(meta, &meta->priv_item, UTET_RULE_INDEX);
        file->priv_step = FIELDS;
    }
    if (file->priv_step == FIELDS) {
        status = utet_meta_collect(meta);
        if (status != UTET_OK)
            return status;
        file->priv_step = concerns(meta, q) && meta->priv_found[E_KIND].size == length ? KIND : NEXT_ENTRY;
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
static utet_status compare(utet_meta *meta, const question *q)
{
    utet_status status;
    uint8_t bytes[sizeof meta->priv_piece[0] / 2];

    if (is_label(q)) {
        if (meta->priv_comparing == 0) {
            meta->priv_key = meta->priv_found[P_LABEL];
            if (meta->priv_key.size != q->length)
                return UTET_END;
            meta->priv_needle.kind = UTET_NONE;
            meta->priv_needle.size = q->length;
            meta->priv_wanted = (const char *)q->wanted;
        }
        status = utet_meta_same(meta);
        return status;
    }
    if (meta->priv_file->priv_done == 0) {
        meta->priv_other = meta->priv_found[P_VALUE];
        if (meta->priv_other.size != 2 * q->length)
            return UTET_END;
    }
    status = utet_meta_fetch(meta, &meta->priv_other, meta->priv_head, 2 * q->length, NULL);
    if (status != UTET_OK)
        return status;
    if (utet_meta_unhex(meta->priv_head, 2 * q->length, bytes) != q->length)
        return UTET_E_METADATA;
    return memcmp(bytes, q->wanted, q->length) == 0 ? UTET_OK : UTET_END;
}

/* The next posting, compared: UTET_OK when it answers, with its chunks in priv_found; UTET_END behind the last. */
static utet_status posting(utet_meta *meta, const question *q)
{
    utet_file *file = meta->priv_file;
    utet_status status;

    for (;;) {
        if (file->priv_step == NEXT_POSTING) {
            status = utet_meta_walk(meta, &meta->priv_best, &meta->priv_key, &meta->priv_item);
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
            if (meta->priv_found[P_CHUNKS].kind != UTET_LIST || meta->priv_found[is_label(q)].kind != UTET_TEXT)
                return UTET_E_METADATA;
            file->priv_step = COMPARE;
        }
        status = compare(meta, q);
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

static utet_status answer(utet_meta *meta, const question *q, utet_value *chunks)
{
    utet_file *file = meta->priv_file;
    utet_status status = UTET_OK;

    if (file->priv_step < NEXT_ENTRY) {
        memset(chunks, 0, sizeof *chunks);
        status = utet_meta_document(meta, &meta->indexes, UTET_RULE_INDEXES);
        if (status != UTET_OK)
            return status;
        meta->priv_outer = meta->priv_found[1];
        meta->priv_words = NULL;
        file->priv_step = NEXT_ENTRY;
    }
    while (file->priv_step < NEXT_POSTING) {
        status = entry(meta, q);
        if (status != UTET_OK)
            return status == UTET_END ? UTET_E_NOT_FOUND : status;
    }
    if (file->priv_step != FILL) {
        status = posting(meta, q);
        if (status == UTET_OK)
            *chunks = meta->priv_found[P_CHUNKS];
        if (status != UTET_END || is_label(q))
            return status == UTET_END ? UTET_OK : status;
        /* Nowhere, or what the writer took for the fill value. */
        utet_meta_want(meta, &q->about->attrs, UTET_RULE_FILL);
        file->priv_step = FILL;
    }
    status = utet_meta_fill(meta, &meta->priv_outer);
    if (status == UTET_OK && meta->priv_outer.kind != UTET_NONE)
        status = UTET_E_NOT_FOUND;
    return status;
}

utet_status utet_index_value(utet_meta *meta, const utet_about *about, const void *value, utet_value *chunks)
{
    question q;
    utet_status status;

    q.about = about;
    q.wanted = value;
    q.length = about->dataset->elem_size;
    q.which = about->dataset->dtype;
    q.which_key = E_DTYPE;
    if (q.length == 0 || (utet_meta_is_float(q.which) && is_nan(q.which, (const uint8_t *)value, q.length)))
        return UTET_E_NOT_FOUND;
    status = utet_meta_enter(meta, UTET_CALL_INDEX_VALUE);
    return status != UTET_OK ? status : utet_leave(meta->priv_file, answer(meta, &q, chunks));
}

utet_status utet_index_label(utet_meta *meta, const utet_about *about, unsigned axis, const char *label,
                             size_t length, utet_value *chunks)
{
    question q;
    utet_status status = utet_meta_enter(meta, UTET_CALL_INDEX_LABEL);

    if (status != UTET_OK)
        return status;
    q.about = about;
    q.wanted = label;
    q.length = length;
    q.which = axis;
    q.which_key = E_AXIS;
    return utet_leave(meta->priv_file, answer(meta, &q, chunks));
}

utet_status utet_index_chunk(utet_meta *meta, utet_value *chunks, uint64_t coords[UTET_MAX_NDIM])
{
    utet_file *file = meta->priv_file;
    utet_status status = utet_meta_enter(meta, UTET_CALL_INDEX_CHUNK);

    if (status != UTET_OK)
        return status;
    if (file->priv_step == 0) {
        status = utet_meta_walk(meta, chunks, &meta->priv_key, &meta->priv_outer);
        if (status != UTET_OK)
            return utet_leave(file, status);
        memset(coords, 0, UTET_MAX_NDIM * sizeof *coords);
        file->priv_step = 1;
    }
    return utet_leave(file, utet_meta_coords(meta, &meta->priv_outer, coords, &file->priv_cursor[0]));
}
