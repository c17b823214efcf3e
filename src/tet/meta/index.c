/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Secondary indexes (§8.2): the chunks that contain a value or are at a label. The sorted axis ranges are not used,
 * because the labels hold the same information. */
#include "meta.h"

#include <string.h>

#define INDEX_DOCUMENT_KEYS(KEY) \
    KEY(version, NUMBER)         \
    KEY(indexes, INDEX_LIST)     \
    KEY(generation, NUMBER)      \
    KEY(packed_sha256, TEXT)
#define INDEX_KEYS(KEY)    \
    KEY(kind, TEXT)        \
    KEY(dataset_id, SOUND) \
    KEY(dtype, SOUND)      \
    KEY(axis, SOUND)       \
    KEY(postings, SOUND)
#define POSTING_KEYS(KEY)  \
    KEY(value_le, ELEMENT) \
    KEY(label, SOUND)      \
    KEY(chunks, SOUND)

UTET_KEYS(index_document_keys, INDEX_DOCUMENT_KEYS);
UTET_KEYS(index_keys, INDEX_KEYS);
UTET_KEYS(posting_keys, POSTING_KEYS);

#define INDEX_ROW(rule) [UTET_RULE_##rule - UTET_RULE_ENTRIES]

static const utet_rule index_rules[] = {
    INDEX_ROW(ENTRIES) = UTET_ANY_ENTRIES(UTET_OBJECT | UTET_LIST),
    INDEX_ROW(LIST_ENTRIES) = UTET_ANY_ENTRIES(UTET_LIST),
    INDEX_ROW(ROOT) = UTET_SPILL_ROOT(index_document_keys),
    INDEX_ROW(INDEX_LIST) = {.kinds = UTET_LIST,
                             .limit = UTET_UNLIMITED,
                             .others = UTET_RULE_INDEX,
                             .slot = UTET_SLOT(entry.whole)},
    INDEX_ROW(INDEX) = {.kinds = UTET_OBJECT,
                        .limit = UTET_UNLIMITED,
                        .required.keys = 1,
                        .others = UTET_RULE_SOUND,
                        .slot = UTET_SLOT(index.kind),
                        .keys = &index_keys},
    INDEX_ROW(POSTINGS) = {.kinds = UTET_LIST,
                           .limit = UTET_UNLIMITED,
                           .others = UTET_RULE_POSTING,
                           .slot = UTET_SLOT(entry.whole)},
    INDEX_ROW(POSTING) = {.kinds = UTET_OBJECT,
                          .limit = UTET_UNLIMITED,
                          .others = UTET_RULE_ANY,
                          .slot = UTET_SLOT(posting.element),
                          .keys = &posting_keys},
    INDEX_ROW(
        CHUNKS) = {.kinds = UTET_LIST, .limit = UTET_UNLIMITED, .others = UTET_RULE_CHUNK, .slot = UTET_META_KEPT},
    INDEX_ROW(CHUNK) = {
        .kinds = UTET_LIST, .limit = UTET_UNLIMITED, .others = UTET_RULE_NUMBER, .slot = UTET_SLOT(zone.coords)}};

typedef struct index_kind {
    uint8_t slot; /* slot of the number that the index refers to: a dtype, an axis */
    uint8_t length;
    const char *name;
} index_kind;

static const index_kind value_kind = {UTET_SLOT(index.dtype), 14, "value_postings"};
static const index_kind label_kind = {UTET_SLOT(index.axis), 20, "coord_label_postings"};

typedef struct index_question {
    const utet_dataset_meta *dataset_meta;
    const index_kind *kind;
    const void *wanted; /* element or label */
    uint32_t length;
    uint32_t number;
} index_question;

static int is_label(const index_question *asked)
{
    return asked->kind == &label_kind;
}

static int is_number(const utet_value *value, uint64_t number)
{
    return value->kind == UTET_VALUE_NUMBER && value->value == number;
}

/* Moves to the index that the question belongs to. */
static utet_status find_index(utet_meta *meta, const index_question *asked)
{
    for (;;) {
        utet_status status = utet_meta_search(meta, UTET_RULE_INDEX_LIST);

        if (status != UTET_OK)
            return status == UTET_END ? UTET_E_NOT_FOUND : status;
        if (is_number(&meta->priv.kept.index.dataset_id, asked->dataset_meta->dataset->id) &&
            is_number(&meta->priv.kept.slot[asked->kind->slot], asked->number))
            return UTET_OK;
    }
}

/* Moves to the posting of the element. UTET_END: there is none. */
static utet_status find_element(utet_meta *meta, const index_question *asked)
{
    const utet_value *element = &meta->priv.kept.posting.element;
    utet_status status;

    do {
        status = utet_meta_next(meta, &meta->priv.place.list, UTET_RULE_POSTINGS);
        if (status != UTET_OK)
            return status;
        if (element->kind != UTET_VALUE_TEXT || element->size == 0)
            return UTET_E_METADATA;
    } while (element->size != asked->length || memcmp(&element->value, asked->wanted, (size_t)asked->length) != 0);
    return UTET_OK;
}

/* To the posting that answers the question, with its chunks in priv.kept. UTET_END: the index has no such posting.
 * UTET_E_NOT_FOUND: there is no such index. */
static utet_status find_posting(utet_meta *meta, const index_question *asked)
{
    enum { DOCUMENT, INDEX, POSTING };
    const utet_value *postings = &meta->priv.kept.index.postings;
    utet_status status;

    switch (meta->priv.step) {
    case DOCUMENT:
        status = utet_meta_document(meta, UTET_SPILL_INDEXES, index_rules);
        if (status != UTET_OK)
            return status;
        utet_meta_want_text(meta, &meta->priv.kept.document.entries, asked->kind->name, asked->kind->length);
        meta->priv.search.text_slot = UTET_SLOT(index.kind);
        meta->priv.step = INDEX;
        /* fall through */
    case INDEX:
        status = find_index(meta, asked);
        if (status != UTET_OK)
            return status;
        if (postings->kind != UTET_VALUE_LIST)
            return UTET_E_METADATA;
        if (is_label(asked))
            utet_meta_want_text(meta, postings, (const char *)asked->wanted, asked->length);
        else /* a suspended call keeps no pointer to an element */
            utet_meta_want_text(meta, postings, "", 0);
        meta->priv.search.text_slot = UTET_SLOT(posting.label);
        meta->priv.step = POSTING;
        /* fall through */
    default:
        if (!is_label(asked))
            return find_element(meta, asked);
        status = utet_meta_search(meta, UTET_RULE_POSTINGS);
        return status == UTET_E_NOT_FOUND ? UTET_END : status;
    }
}

/* NaN is null and is in no posting. */
static int index_is_nan(const uint8_t *element, size_t size)
{
    unsigned infinity = size == 2 ? 0x7C00u : size == 4 ? 0x7F80u : 0x7FF0u; /* its upper 16 bits */
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

static utet_status index_answer(utet_meta *meta, uint8_t call, const index_question *asked, utet_value *chunks)
{
    utet_status status = utet_meta_enter(meta, call);

    if (status != UTET_OK)
        return status;
    memset(chunks, 0, sizeof *chunks);
    status = find_posting(meta, asked);
    if (status == UTET_OK) {
        *chunks = meta->priv.kept.posting.chunks;
        if (chunks->kind != UTET_VALUE_LIST)
            status = UTET_E_METADATA;
    }
    if (status == UTET_END) /* in no chunk; or the writer took it for the fill value, and left it out */
        status = is_label(asked) || asked->dataset_meta->fill.kind == UTET_VALUE_NONE ? UTET_OK : UTET_E_NOT_FOUND;
    return utet_leave(meta->priv.file, status);
}

utet_status utet_index_value(utet_meta *meta, const utet_dataset_meta *dataset_meta, const void *value,
                             utet_value *chunks)
{
    const utet_dataset *dataset = dataset_meta->dataset;
    index_question asked;

    if (dataset->elem_size == 0 ||
        (UTET_KNOWN_IS(UTET_FLOATS_, dataset->dtype) && index_is_nan((const uint8_t *)value, dataset->elem_size)))
        return UTET_E_NOT_FOUND;
    asked.dataset_meta = dataset_meta;
    asked.wanted = value;
    asked.length = dataset->elem_size;
    asked.number = dataset->dtype;
    asked.kind = &value_kind;
    return index_answer(meta, UTET_CALL_INDEX_VALUE, &asked, chunks);
}

utet_status utet_index_label(utet_meta *meta, const utet_dataset_meta *dataset_meta, unsigned axis, const char *label,
                             size_t length, utet_value *chunks)
{
    index_question asked;

    asked.dataset_meta = dataset_meta;
    asked.wanted = label;
    asked.length = utet_meta_length(length);
    asked.number = axis;
    asked.kind = &label_kind;
    return index_answer(meta, UTET_CALL_INDEX_LABEL, &asked, chunks);
}

utet_status utet_index_chunk(utet_meta *meta, utet_value *chunks, uint64_t coords[UTET_MAX_NDIM])
{
    utet_status status = utet_meta_enter(meta, UTET_CALL_INDEX_CHUNK);

    if (status != UTET_OK)
        return status;
    meta->priv.reading.rules = index_rules;
    status = utet_meta_next(meta, chunks, UTET_RULE_CHUNKS);
    if (status == UTET_OK)
        utet_meta_coords(meta, coords);
    return utet_leave(meta->priv.file, status);
}

utet_status utet_index_entries(utet_meta *meta, utet_value *entries)
{
    utet_status status = utet_meta_enter(meta, UTET_CALL_INDEX_ENTRIES);

    if (status != UTET_OK)
        return status;
    status = utet_leave(meta->priv.file, utet_meta_document(meta, UTET_SPILL_INDEXES, index_rules));
    if (status == UTET_OK)
        *entries = meta->priv.kept.document.entries;
    return status;
}
