/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares secondary indexes with the data (tet/FORMAT.md §8.2). The list of each value, label or range of labels must
 * name exactly the chunks that contain it. An entry has at most 64 of these keys, so 64 bits for each chunk record
 * which lists name the chunk. They are compared with the keys that the chunk contains, according to its elements or the
 * labels of an axis.
 */
#include "document.h"
#include "shared/seen.h"
#include "verify_data.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_KEYS 64u /* distinct values; labels of an axis (§7.4) */
#define NO_KEY MOST_KEYS

enum { VALUES, RANGES, LABELS, KINDS };

/* The fields of an entry; from LISTS on, the fields of a list in it. */
enum {
    KIND,
    DATASET_ID,
    DTYPE,
    AXIS,
    ASCENDING,
    POSTINGS,
    SEGMENTS,
    LISTS,
    VALUE = LISTS,
    LABEL,
    LOW,
    HIGH,
    CHUNKS,
    FIELDS
};

static const document_name names[FIELDS] = {NAME("kind"),      NAME("dataset_id"), NAME("dtype"),    NAME("axis"),
                                            NAME("ascending"), NAME("postings"),   NAME("segments"), NAME("value_le"),
                                            NAME("label"),     NAME("lo_le"),      NAME("hi_le"),    NAME("chunks")};

static const struct {
    const char *name;
    unsigned lists;
} kinds[KINDS] = {{"value_postings", POSTINGS}, {"sorted_axis_range", SEGMENTS}, {"coord_label_postings", POSTINGS}};

typedef struct entry {
    verification *v;
    verdict *all;
    subject *of;
    unsigned kind;
    unsigned axis;
    utet_value labels; /* labels of the axis */
    uint64_t *listed;  /* keys whose lists name the chunk, for each chunk, row-major */
    uint64_t posted;   /* the keys that have a list, as bits */
    /* The keys: values as they come; the chunks along the axis, by their lowest and highest label; indices of the
     * axis, where the first of several with the same label counts. */
    unsigned keys;
    uint64_t value[MOST_KEYS];
    double low[MOST_KEYS];
    double high[MOST_KEYS];
    unsigned first[MOST_KEYS];
    int ascending; /* 1: the last label is not less than the first */
    /* the chunk that is being decoded */
    uint64_t held;
    uint64_t unposted; /* an element whose value has no list */
    int has_unposted;
    seen payloads; /* held, unposted and has_unposted of payloads that were decoded before */
    document *d;
    json_value fields[FIELDS]; /* kind UTET_VALUE_NONE: the field is missing */
} entry;

/* The facts kept about a payload. */
typedef struct holding {
    uint64_t held;
    uint64_t unposted;
    int has_unposted;
    utet_status status;
} holding;

/* ---- fields ---- */

/* Reads the fields `first` to `end` - 1 of a map. */
static utet_status learn(entry *e, json_value *map, unsigned first, unsigned end)
{
    document_fields(e->d, map, &names[first], end - first, &e->fields[first]);
    return e->d->status;
}

/* Returns a field that is a text; an empty text if it is anything else. */
static utet_status text_field(entry *e, unsigned field, char *text, size_t *length)
{
    text[0] = '\0';
    *length = 0;
    if (e->fields[field].kind == UTET_VALUE_TEXT)
        document_text(e->d, &e->fields[field], text, MOST_TEXT, length);
    return e->d->status;
}

/* The same for a number of `size` bytes in hexadecimal, least byte first; *good: it is one. */
static utet_status hex_field(entry *e, unsigned field, size_t size, uint64_t *number, int *good)
{
    uint8_t bytes[8] = {0};

    *good = document_bytes(e->d, &e->fields[field], bytes) == size;
    *number = load_le(bytes, 8);
    return e->d->status;
}

/* ---- keys ---- */

static utet_status label_at(entry *e, unsigned place, char *text, size_t *length)
{
    utet_value label;
    const utet_status status = utet_list_nth(&e->v->meta, &e->labels, place, &label);

    return status == UTET_OK ? read_text(e->v, label, text, length) : status;
}

/* Finds the keys of the labels of the axis; a chunk has `width` labels. */
static utet_status keys_of_axis(entry *e)
{
    const uint64_t width = e->of->dataset.chunk_shape[e->axis];
    char text[MOST_TEXT];
    double start = 0;
    uint64_t first;
    size_t length;
    unsigned i;

    for (i = 0; i < e->labels.size; i++) {
        const uint64_t chunk = i / width;
        utet_status status = label_at(e, i, text, &length);
        double number;

        if (status == UTET_OK)
            status = utet_list_find(&e->v->meta, &e->labels, text, length, &first);
        if (status != UTET_OK)
            return status;
        number = strtod(text, NULL);
        start = i == 0 ? number : start;
        e->ascending = number >= start;
        e->first[i] = (unsigned)first;
        e->low[chunk] = i % width == 0 ? number : fmin(e->low[chunk], number);
        e->high[chunk] = i % width == 0 ? number : fmax(e->high[chunk], number);
        e->keys = e->kind == LABELS ? i + 1 : (unsigned)chunk + 1;
    }
    return UTET_OK;
}

static utet_status range_key(entry *e, unsigned *key)
{
    uint64_t low;
    uint64_t high;
    double range[2];
    int good[2];
    utet_status status = hex_field(e, LOW, 8, &low, &good[0]);

    if (status == UTET_OK)
        status = hex_field(e, HIGH, 8, &high, &good[1]);
    if (status != UTET_OK || !good[0] || !good[1])
        return status;
    memcpy(&range[0], &low, 8);
    memcpy(&range[1], &high, 8);
    for (*key = 0; *key < e->keys; ++*key) {
        if (e->low[*key] == range[0] && e->high[*key] == range[1])
            return UTET_OK;
    }
    *key = NO_KEY;
    return UTET_OK;
}

/* Returns the key to which the list belongs; NO_KEY: the dataset does not have it. */
static utet_status key_of(entry *e, unsigned *key)
{
    char text[MOST_TEXT];
    uint64_t number;
    size_t length;
    int good;
    utet_status status;

    *key = NO_KEY;
    if (e->kind == RANGES)
        return range_key(e, key);
    if (e->kind == VALUES) {
        status = hex_field(e, VALUE, e->of->dataset.elem_size, &number, &good);
        if (status == UTET_OK && good && e->keys < MOST_KEYS) {
            for (*key = 0; *key < e->keys && e->value[*key] != number;)
                ++*key;
            e->keys += *key == e->keys;
            e->value[*key] = number;
        }
        return status;
    }
    status = text_field(e, LABEL, text, &length);
    if (status == UTET_OK)
        status = utet_list_find(&e->v->meta, &e->labels, text, length, &number);
    if (status == UTET_OK)
        *key = (unsigned)number;
    return status == UTET_E_NOT_FOUND ? UTET_OK : status;
}

/* Writes a key for a message; `text` has MOST_TEXT bytes; at most 64 are used. */
static void key_text(entry *e, unsigned key, char *text)
{
    if (e->kind == VALUES) {
        element_text(&e->of->dataset, e->value[key], text);
    } else if (e->kind == RANGES) {
        (void)sprintf(text, "%g to %g", e->low[key], e->high[key]);
    } else {
        if (label_at(e, key, text, NULL) != UTET_OK)
            text[0] = '\0';
        text[64] = '\0';
    }
}

/* ---- lists ---- */

/* Returns the row-major number of the chunk at a list of coordinates; UINT64_MAX: the dataset has no such chunk. */
static utet_status number_of(entry *e, json_value *list, uint64_t *number)
{
    const utet_dataset *const dataset = &e->of->dataset;
    uint64_t coords[UTET_MAX_NDIM];
    json_value key;
    json_value coord;
    unsigned d = 0;
    int good = list->kind == UTET_VALUE_LIST;

    while (document_next(e->d, list, &key, &coord)) {
        good = good && d < dataset->ndim && coord.kind == UTET_VALUE_NUMBER;
        if (good)
            coords[d++] = coord.number;
    }
    *number = good && d == dataset->ndim ? chunk_number(dataset, coords) : UINT64_MAX;
    return e->d->status;
}

/* Marks the chunks that the list of a key names. */
static utet_status read_list(entry *e, json_value *posting)
{
    char text[MOST_TEXT];
    json_value chunks;
    json_value key_in_list;
    json_value coords;
    uint64_t number;
    unsigned key;
    utet_status status = learn(e, posting, LISTS, FIELDS);

    if (status == UTET_OK)
        status = key_of(e, &key);
    if (status != UTET_OK)
        return status;
    chunks = e->fields[CHUNKS];
    e->all->compared++;
    if (key == NO_KEY || (e->posted >> key & 1) != 0 || chunks.kind != UTET_VALUE_LIST) {
        verdict_fault(e->all,
                      "dataset %" PRIu32
                      ", %s: an entry has no list of chunks, or its value or label is not in the dataset or has an "
                      "entry already",
                      e->of->dataset.id, kinds[e->kind].name);
        return UTET_OK;
    }
    e->posted |= UINT64_C(1) << key;
    while (document_next(e->d, &chunks, &key_in_list, &coords)) {
        status = number_of(e, &coords, &number);
        document_leave(e->d, &chunks, &coords);
        if (status != UTET_OK)
            return status;
        if (number != UINT64_MAX) {
            e->listed[number] |= UINT64_C(1) << key;
            continue;
        }
        key_text(e, key, text);
        verdict_fault(e->all, "dataset %" PRIu32 ", %s: the entry for %s names a chunk that the dataset does not have",
                      e->of->dataset.id, kinds[e->kind].name, text);
    }
    return e->d->status;
}

/* ---- chunks ---- */

static void hold_elements(void *ctx, const uint8_t *data, size_t length)
{
    entry *const e = ctx;
    const utet_dataset *const dataset = &e->of->dataset;
    unsigned key = 0;
    size_t i;

    for (i = 0; i < length; i += dataset->elem_size) {
        const uint64_t element = element_load(dataset, data + i);

        if (key == e->keys || e->value[key] != element)
            for (key = 0; key < e->keys && e->value[key] != element;)
                key++;
        if (element_is_nan(dataset, element))
            continue;
        if (key < e->keys) {
            e->held |= UINT64_C(1) << key;
        } else if (!(e->of->has_fill && element == e->of->fill)) {
            e->has_unposted = 1;
            e->unposted = element;
        }
    }
}

/* Finds the keys that the elements of a chunk have. */
static utet_status hold_chunk(entry *e, const utet_chunk *chunk)
{
    int known;
    holding *const before = seen_again(&e->payloads, chunk, 0, &known);
    utet_status status;

    if (known) {
        e->held = before->held;
        e->unposted = before->unposted;
        e->has_unposted = before->has_unposted;
        return before->status;
    }
    status = chunk_decode(e->v, chunk, hold_elements, e);
    if (before != NULL) {
        before->held = e->held;
        before->unposted = e->unposted;
        before->has_unposted = e->has_unposted;
        before->status = status;
    }
    return status;
}

/* Finds the keys that a chunk contains. */
static utet_status hold(entry *e, uint64_t number, const uint64_t *coords)
{
    const uint64_t width = e->of->dataset.chunk_shape[e->axis];
    utet_chunk chunk;
    utet_status status;
    unsigned place;

    e->held = 0;
    e->has_unposted = 0;
    if (e->kind == VALUES) {
        status = chunk_at(e->v, e->of, number, &chunk);
        return status == UTET_OK ? hold_chunk(e, &chunk) : status;
    }
    if (e->kind == RANGES)
        e->held = UINT64_C(1) << coords[e->axis];
    else
        for (place = 0; place < e->keys; place++)
            e->held |= place / width == coords[e->axis] ? UINT64_C(1) << e->first[place] : 0;
    return UTET_OK;
}

static void compare(entry *e, const uint64_t *coords, uint64_t listed)
{
    const utet_dataset *const dataset = &e->of->dataset;
    const uint64_t differs = listed ^ e->held;
    char where[200];
    char text[MOST_TEXT];
    unsigned key = 0;

    if (!e->has_unposted && differs == 0)
        return;
    (void)coords_text(where, dataset, coords);
    if (e->has_unposted) {
        element_text(dataset, e->unposted, text);
        verdict_fault(e->all, "dataset %" PRIu32 ": chunk %s holds %s, but the index has no entry for it", dataset->id,
                      where, text);
    }
    if (differs == 0)
        return;
    while ((differs >> key & 1) == 0)
        key++;
    key_text(e, key, text);
    if ((e->held >> key & 1) != 0)
        verdict_fault(e->all,
                      "dataset %" PRIu32 ", %s: chunk %s holds %s, but the entry for it does not name the chunk",
                      dataset->id, kinds[e->kind].name, where, text);
    else
        verdict_fault(e->all,
                      "dataset %" PRIu32 ", %s: chunk %s does not hold %s, but the entry for it names the chunk",
                      dataset->id, kinds[e->kind].name, where, text);
}

/* Compares all chunks of the dataset. Chunks that cannot be decoded have been reported as chunk_decode. */
static utet_status compare_chunks(entry *e, uint64_t chunks, progress *line)
{
    const utet_dataset *const dataset = &e->of->dataset;
    uint64_t coords[UTET_MAX_NDIM] = {0};
    utet_status status = UTET_OK;
    uint64_t i;

    seen_begin(&e->payloads, sizeof(holding), SEEN_MOST);
    for (i = 0; i < chunks; i++) {
        unsigned d = dataset->ndim;

        status = hold(e, i, coords);
        if (is_medium_error(status))
            break;
        if (status == UTET_OK)
            compare(e, coords, e->listed[i]);
        while (d-- > 0 && ++coords[d] == dataset->grid[d])
            coords[d] = 0;
        progress_at(line, e->of->first + i);
    }
    seen_end(&e->payloads);
    return is_medium_error(status) ? status : UTET_OK;
}

/* ---- entries ---- */

/* Reads the labels of the axis of an entry; UTET_E_NOT_FOUND: it has none. */
static utet_status find_axis(entry *e)
{
    const utet_dataset *const dataset = &e->of->dataset;
    const json_value *const axis = &e->fields[AXIS];
    const json_value *const ascending = &e->fields[ASCENDING];
    utet_dataset_meta described;
    utet_status status;

    if (axis->kind != UTET_VALUE_NUMBER || axis->number >= dataset->ndim)
        return UTET_E_NOT_FOUND;
    e->axis = (unsigned)axis->number;
    status = subject_meta(e->v, e->of, &described);
    if (status == UTET_OK)
        status = utet_meta_labels(&e->v->meta, &described, e->axis, &e->labels);
    if (status == UTET_OK && (e->labels.size > MOST_KEYS || e->labels.size != dataset->shape[e->axis]))
        status = UTET_E_NOT_FOUND;
    if (status == UTET_OK)
        status = keys_of_axis(e);
    if (status == UTET_OK && e->kind == RANGES &&
        (ascending->kind != UTET_VALUE_BOOLEAN || ascending->number != (uint64_t)e->ascending))
        verdict_fault(e->all, "dataset %" PRIu32 ", %s: \"ascending\" contradicts the order of the labels", dataset->id,
                      kinds[e->kind].name);
    return status;
}

/* Finds the dataset of an entry and its possible keys; UTET_E_NOT_FOUND: the file does not have them. */
static utet_status find_subject(entry *e)
{
    const json_value *const id = &e->fields[DATASET_ID];
    const json_value *const dtype = &e->fields[DTYPE];

    e->of = id->kind == UTET_VALUE_NUMBER ? subject_at(e->v, id->number) : NULL;
    if (e->of == NULL)
        return UTET_E_NOT_FOUND;
    if (e->kind != VALUES)
        return find_axis(e);
    if (dtype->kind != UTET_VALUE_NUMBER || dtype->number != e->of->dataset.dtype)
        return UTET_E_NOT_FOUND;
    return fill_value(e->v, e->of);
}

/* Of several entries for the same dataset, kind and axis, readers use the first one, as with zone maps. The others are
 * not checked. */
static utet_status check_entry(verification *v, document *d, verdict *all, json_value *item, progress *line)
{
    char kind[MOST_TEXT];
    entry e;
    json_value lists;
    json_value key;
    json_value posting;
    size_t length;
    uint64_t chunks;
    uint32_t bit;
    utet_status status;

    memset(&e, 0, sizeof e);
    e.v = v;
    e.all = all;
    e.d = d;
    status = learn(&e, item, 0, LISTS);
    if (status == UTET_OK)
        status = text_field(&e, KIND, kind, &length);
    while (status == UTET_OK && e.kind < KINDS && strcmp(kind, kinds[e.kind].name) != 0)
        e.kind++;
    if (status != UTET_OK || e.kind == KINDS)
        return status;
    status = find_subject(&e);
    all->strays += status == UTET_E_NOT_FOUND;
    if (status != UTET_OK)
        return status == UTET_E_NOT_FOUND ? UTET_OK : status;
    bit = (uint32_t)1 << (e.kind * UTET_MAX_NDIM + e.axis);
    if ((e.of->indexed & bit) != 0)
        return UTET_OK;
    e.of->indexed |= bit;
    chunks = chunk_count(&e.of->dataset);
    if (chunks < SIZE_MAX / sizeof *e.listed)
        e.listed = calloc((size_t)chunks + 1, sizeof *e.listed);
    if (e.listed == NULL)
        return UTET_E_SPACE;
    lists = e.fields[kinds[e.kind].lists];
    while (status == UTET_OK && document_next(d, &lists, &key, &posting)) {
        status = read_list(&e, &posting);
        document_leave(d, &lists, &posting);
    }
    if (status == UTET_OK)
        status = d->status;
    if (status == UTET_OK)
        status = compare_chunks(&e, chunks, line);
    free(e.listed);
    return status;
}

int indexes_data(verification *v)
{
    document *d;
    json_value entries = {UTET_VALUE_LIST, 0, v->indexes.value, 0};
    json_value key;
    json_value item;
    verdict all;
    progress line;
    utet_status status = v->has_indexes;

    if (status != UTET_OK) /* there are none, or footer_indexes has reported the fault */
        return TOOL_OK;
    d = malloc(sizeof *d); /* too large for small stacks */
    if (d == NULL)
        return fail(v->s->path, NULL, NO_OFFSET, "not enough memory");
    document_begin(d, v->s, &v->meta.spills[UTET_SPILL_INDEXES]);
    memset(&all, 0, sizeof all);
    progress_begin(&line, "indexes", v->s->file.row_count);
    while (status == UTET_OK && document_next(d, &entries, &key, &item)) {
        status = check_entry(v, d, &all, &item, &line);
        document_leave(d, &entries, &item);
    }
    if (status == UTET_OK)
        status = d->status;
    free(d);
    progress_end(&line);
    if (status == UTET_E_SPACE)
        return fail(v->s->path, NULL, NO_OFFSET, "not enough memory");
    if (status != UTET_OK)
        return source_fail(v->s, status);
    verdict_report(v, &all, "indexes_data", "list", &v->meta.spills[UTET_SPILL_INDEXES]);
    return TOOL_OK;
}
