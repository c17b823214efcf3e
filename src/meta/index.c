/* Secondary indexes (§8.2): the chunks that hold a value or lie at a label. The sorted axis ranges are not used:
 * what they tell, the labels tell as well. */
#include "meta.h"

#include <string.h>

enum { RULE_INDEX_LIST = UTET_RULE_ROOT + 1, RULE_INDEX, RULE_POSTINGS, RULE_POSTING, RULE_CHUNKS, RULE_CHUNK };
#define TO_INDEX_LIST "\13"

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
    { UTET_OBJECT | UTET_UNLIMITED, 0, UTET_RULE_ANY, 0,
      "value_le" UTET_ELEMENT_KEY "label" UTET_SOUND_KEY "chunks" UTET_SOUND_KEY },
    /* CHUNKS */ { UTET_ARRAY | UTET_UNLIMITED, 0, RULE_CHUNK, UTET_SLOTS, "" },
    /* CHUNK */ { UTET_ARRAY | UTET_UNLIMITED, 0, UTET_RULE_ANY, UTET_EACH | UTET_SLOT_COORDS, "" }
};

enum { E_KIND, E_DATASET, E_DTYPE, E_AXIS, E_POSTINGS }; /* fields of an entry */
enum { P_VALUE, P_LABEL, P_CHUNKS };                     /* of a posting */

enum { DOCUMENT, ENTRIES, POSTINGS }; /* file->priv_step */

typedef struct question {
    const utet_about *about;
    const void *wanted; /* element or label */
    uint32_t length;
    uint32_t which; /* its dtype, or axis */
    uint8_t key;
} question;

static int is_label(const question *asked)
{
    return asked->key == E_AXIS;
}

static int is_number(const utet_value *value, uint64_t number)
{
    return value->kind == UTET_NUMBER && value->value == number;
}

/* To the entry that the question belongs to. */
static utet_status find_entry(utet_meta *meta, const question *asked)
{
    for (;;) {
        utet_status status = utet_meta_search(meta, RULE_INDEX_LIST);

        if (status != UTET_OK)
            return status == UTET_END ? UTET_E_NOT_FOUND : status;
        if (is_number(&meta->priv_found[E_DATASET], asked->about->dataset->id) &&
            is_number(&meta->priv_found[asked->key], asked->which))
            return UTET_OK;
    }
}

/* To the posting of the element. UTET_END: there is none. */
static utet_status find_value(utet_meta *meta, const question *asked)
{
    const utet_value *value = &meta->priv_found[P_VALUE];
    utet_status status;

    do {
        status = utet_meta_walk(meta, &meta->priv_list, RULE_POSTINGS);
        if (status != UTET_OK)
            return status;
        if (value->kind != UTET_TEXT || value->size == 0)
            return UTET_E_METADATA;
    } while (value->size != asked->length || memcmp(&value->value, asked->wanted, (size_t)asked->length) != 0);
    return UTET_OK;
}

/* To the posting that answers, with its chunks in priv_found. UTET_END: there is none, UTET_E_NOT_FOUND: nothing is
 * known. */
static utet_status find_posting(utet_meta *meta, const question *asked)
{
    uint8_t *step = &meta->priv_file->priv_step;
    utet_status status;

    if (*step == DOCUMENT) {
        status = utet_meta_document(meta, UTET_SPILL_INDEXES, rules);
        if (status != UTET_OK)
            return status;
        if (is_label(asked))
            utet_meta_aim(meta, &meta->priv_found[1], "coord_label_postings", 20);
        else
            utet_meta_aim(meta, &meta->priv_found[1], "value_postings", 14);
        meta->priv_by = E_KIND;
        *step = ENTRIES;
    }
    if (*step == ENTRIES) {
        status = find_entry(meta, asked);
        if (status != UTET_OK)
            return status;
        if (meta->priv_found[E_POSTINGS].kind != UTET_LIST)
            return UTET_E_METADATA;
        utet_meta_aim(meta, &meta->priv_found[E_POSTINGS], (const char *)asked->wanted, asked->length);
        meta->priv_by = P_LABEL;
        *step = POSTINGS;
    }
    if (!is_label(asked))
        return find_value(meta, asked);
    status = utet_meta_search(meta, RULE_POSTINGS);
    return status == UTET_E_NOT_FOUND ? UTET_END : status;
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

static utet_status answer(utet_meta *meta, uint8_t call, const question *asked, utet_value *chunks)
{
    utet_status status = utet_meta_enter(meta, call);

    if (status != UTET_OK)
        return status;
    memset(chunks, 0, sizeof *chunks);
    status = find_posting(meta, asked);
    if (status == UTET_OK) {
        *chunks = meta->priv_found[P_CHUNKS];
        if (chunks->kind != UTET_LIST)
            status = UTET_E_METADATA;
    }
    if (status == UTET_END) /* nowhere, or what the writer took for the fill value */
        status = is_label(asked) || asked->about->fill.kind == UTET_NONE ? UTET_OK : UTET_E_NOT_FOUND;
    return utet_leave(meta->priv_file, status);
}

utet_status utet_index_value(utet_meta *meta, const utet_about *about, const void *value, utet_value *chunks)
{
    const utet_dataset *dataset = about->dataset;
    question asked;

    if (dataset->elem_size == 0 ||
        (utet_meta_is_float(dataset->dtype) && is_nan(dataset->dtype, (const uint8_t *)value, dataset->elem_size)))
        return UTET_E_NOT_FOUND;
    asked.about = about;
    asked.wanted = value;
    asked.length = dataset->elem_size;
    asked.which = dataset->dtype;
    asked.key = E_DTYPE;
    return answer(meta, UTET_CALL_INDEX_VALUE, &asked, chunks);
}

utet_status utet_index_label(utet_meta *meta, const utet_about *about, unsigned axis, const char *label,
                             size_t length, utet_value *chunks)
{
    question asked;

    asked.about = about;
    asked.wanted = label;
    asked.length = utet_meta_length(length);
    asked.which = axis;
    asked.key = E_AXIS;
    return answer(meta, UTET_CALL_INDEX_LABEL, &asked, chunks);
}

utet_status utet_index_chunk(utet_meta *meta, utet_value *chunks, uint64_t coords[UTET_MAX_NDIM])
{
    utet_status status = utet_meta_enter(meta, UTET_CALL_INDEX_CHUNK);

    if (status != UTET_OK)
        return status;
    meta->priv_rules = rules;
    status = utet_meta_walk(meta, chunks, RULE_CHUNKS);
    if (status == UTET_OK)
        utet_meta_coords(meta, coords);
    return utet_leave(meta->priv_file, status);
}

utet_status utet_index_entries(utet_meta *meta, utet_value *entries)
{
    utet_status status = utet_meta_enter(meta, UTET_CALL_INDEX_ENTRIES);

    if (status != UTET_OK)
        return status;
    status = utet_leave(meta->priv_file, utet_meta_document(meta, UTET_SPILL_INDEXES, rules));
    if (status == UTET_OK)
        *entries = meta->priv_found[1];
    return status;
}
