/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Compares zone maps with the data (tet/FORMAT.md §8.1): decodes every chunk that has an entry, and compares its
 * smallest and largest element and its number of nulls. If a chunk has two entries, the first one counts, as in the
 * reference. */
#include "document.h"
#include "shared/seen.h"
#include "verify_data.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct bounds {
    uint64_t nulls;
    uint64_t count; /* extremes of the elements that are not null */
    uint64_t low;
    uint64_t high;
} bounds;

/* Writers of complete arrays treat the fill value as null, the streaming writer does not (§8.3, case 4). Both are
 * accepted. */
enum { FILL_IS_DATA, FILL_IS_NULL, WRITERS };

typedef struct tally {
    const subject *of;
    bounds seen[WRITERS];
} tally;

/* ---- elements ---- */

/* Returns a number that orders elements: integers by value, floats by IEEE total order. */
static uint64_t order(const utet_dataset *dataset, uint64_t element)
{
    const uint64_t sign = UINT64_C(1) << (8 * dataset->elem_size - 1);

    if (UTET_IS_FLOAT(dataset->dtype))
        return (element & sign) != 0 ? ~element & (sign - 1) : element | sign;
    return UTET_IS_SIGNED(dataset->dtype) ? element ^ sign : element;
}

static void count_element(const utet_dataset *dataset, bounds *b, uint64_t element, int is_null)
{
    if (is_null) {
        b->nulls++;
        return;
    }
    if (b->count == 0 || order(dataset, element) < order(dataset, b->low))
        b->low = element;
    if (b->count == 0 || order(dataset, element) > order(dataset, b->high))
        b->high = element;
    b->count++;
}

static void count_elements(void *ctx, const uint8_t *data, size_t length)
{
    tally *const t = ctx;
    const utet_dataset *const dataset = &t->of->dataset;
    size_t i;

    for (i = 0; i < length; i += dataset->elem_size) {
        const uint64_t element = element_load(dataset, data + i);
        const int nan = element_is_nan(dataset, element);

        count_element(dataset, &t->seen[FILL_IS_DATA], element, nan);
        if (t->of->has_fill)
            count_element(dataset, &t->seen[FILL_IS_NULL], element, nan || element == t->of->fill);
    }
}

/* ---- entries ---- */

enum { DATASET_ID, CHUNK_INDEX, ELEMENT_COUNT, NULL_COUNT, LOWEST, HIGHEST, FIELDS };

/* An entry from utet_zone_next, which has checked it. */
static utet_status read_zone(document *d, json_value *entry, utet_zone *zone)
{
    static const document_name names[FIELDS] = {NAME("dataset_id"), NAME("chunk_index"), NAME("element_count"),
                                                NAME("null_count"), NAME("min_le"),      NAME("max_le")};
    json_value fields[FIELDS];
    json_value key;
    json_value coord;
    unsigned count = 0;
    unsigned size;

    memset(zone, 0, sizeof *zone);
    document_fields(d, entry, names, FIELDS, fields);
    zone->dataset_id = fields[DATASET_ID].number;
    zone->element_count = fields[ELEMENT_COUNT].number;
    zone->null_count = fields[NULL_COUNT].number;
    for (; document_next(d, &fields[CHUNK_INDEX], &key, &coord); count += count <= UTET_MAX_NDIM)
        if (count < UTET_MAX_NDIM)
            zone->coords[count] = coord.number;
    zone->ndim = (uint8_t)(count <= UTET_MAX_NDIM ? count : 0);
    size = document_bytes(d, &fields[LOWEST], zone->lowest);
    zone->elem_size = (uint8_t)(size == document_bytes(d, &fields[HIGHEST], zone->highest) ? size : 0);
    return d->status;
}

static int agrees(const utet_dataset *dataset, const utet_zone *zone, const bounds *b)
{
    if (zone->null_count != b->nulls)
        return 0;
    if (b->count == 0 || zone->elem_size != dataset->elem_size)
        return b->count == 0 && zone->elem_size == 0;
    return element_load(dataset, zone->lowest) == b->low && element_load(dataset, zone->highest) == b->high;
}

/* "1 to 9, 0 null" */
static const char *bounds_text(char *text, const utet_dataset *dataset, const bounds *b)
{
    char low[UTET_SHOW_SIZE];
    char high[UTET_SHOW_SIZE];

    element_text(dataset, b->low, low);
    element_text(dataset, b->high, high);
    if (b->count == 0)
        (void)sprintf(text, "no values, %" PRIu64 " null", b->nulls);
    else
        (void)sprintf(text, "%s to %s, %" PRIu64 " null", low, high, b->nulls);
    return text;
}

static void compare(const tally *t, const utet_zone *zone, verdict *all)
{
    const utet_dataset *const dataset = &t->of->dataset;
    const bounds *const found = &t->seen[t->of->has_fill ? FILL_IS_NULL : FILL_IS_DATA];
    char where[200];
    char data[100];
    char map[100];
    bounds said;

    all->compared++;
    if (zone->element_count == found->nulls + found->count &&
        (agrees(dataset, zone, found) || agrees(dataset, zone, &t->seen[FILL_IS_DATA])))
        return;
    (void)coords_text(where, dataset, zone->coords);
    if (zone->element_count != found->nulls + found->count) {
        verdict_fault(all, "dataset %" PRIu32 " chunk %s: %" PRIu64 " elements, but its zone map says %" PRIu64,
                      dataset->id, where, found->nulls + found->count, zone->element_count);
        return;
    }
    said.nulls = zone->null_count;
    said.count = zone->elem_size == dataset->elem_size;
    said.low = element_load(dataset, zone->lowest);
    said.high = element_load(dataset, zone->highest);
    verdict_fault(all, "dataset %" PRIu32 " chunk %s: %s, but its zone map says %s", dataset->id, where,
                  bounds_text(data, dataset, found), bounds_text(map, dataset, &said));
}

/* Computes the bounds of a chunk; those of a payload are computed once for each dataset. */
static utet_status bounds_of(verification *v, seen *payloads, const utet_chunk *chunk, tally *t)
{
    int known;
    tally *const before = seen_again(payloads, chunk, t->of->dataset.id, &known);
    utet_status status;

    if (known && before->of != NULL) {
        *t = *before;
        return UTET_OK;
    }
    status = chunk_decode(v, chunk, count_elements, t);
    if (status == UTET_OK && before != NULL)
        *before = *t;
    return status;
}

/* Compares the chunk of an entry, if the chunk exists and was not compared before. */
static utet_status check_entry(verification *v, const utet_zone *zone, uint8_t *met, seen *payloads, verdict *all)
{
    subject *const of = subject_at(v, zone->dataset_id);
    utet_chunk chunk;
    tally t;
    utet_status status = UTET_E_MISSING;

    if (of != NULL && zone->ndim == of->dataset.ndim)
        status = chunk_at(v, of, chunk_number(&of->dataset, zone->coords), &chunk);
    if (status == UTET_E_MISSING) {
        all->strays++;
        return UTET_OK;
    }
    if (status != UTET_OK || (met[chunk.row / 8] >> (chunk.row & 7) & 1) != 0)
        return status;
    met[chunk.row / 8] = (uint8_t)(met[chunk.row / 8] | 1u << (chunk.row & 7));
    status = fill_value(v, of);
    if (status != UTET_OK)
        return status;
    memset(&t, 0, sizeof t);
    t.of = of;
    status = bounds_of(v, payloads, &chunk, &t);
    if (status == UTET_OK)
        compare(&t, zone, all);
    /* Chunks that cannot be decoded have been reported as chunk_decode. */
    return is_medium_error(status) ? status : UTET_OK;
}

/* Compares all entries in order. */
static utet_status check_entries(verification *v, document *d, uint8_t *met, verdict *all)
{
    json_value entries = {UTET_VALUE_LIST, 0, v->zones.chunks.value, 0};
    json_value key;
    json_value entry;
    utet_zone zone;
    seen payloads;
    progress line;
    utet_status status = UTET_OK;

    document_begin(d, v->s, &v->meta.spills[UTET_SPILL_ZONES]);
    seen_begin(&payloads, sizeof(tally), SEEN_MOST);
    progress_begin(&line, "zone maps", v->s->file.row_count);
    while (status == UTET_OK && document_next(d, &entries, &key, &entry)) {
        status = read_zone(d, &entry, &zone);
        document_leave(d, &entries, &entry);
        if (status == UTET_OK)
            status = check_entry(v, &zone, met, &payloads, all);
        progress_at(&line, all->compared);
    }
    progress_end(&line);
    seen_end(&payloads);
    return status == UTET_OK ? d->status : status;
}

int zones_data(verification *v)
{
    const uint64_t bytes = v->s->file.row_count / 8 + 1; /* a bit for each row of the index */
    uint8_t *met;
    document *d;
    verdict all;
    utet_status status = UTET_E_SPACE;

    if (v->has_zones != UTET_OK) /* there are none, or footer_zone_maps has reported the fault */
        return TOOL_OK;
    memset(&all, 0, sizeof all);
    met = bytes < SIZE_MAX ? calloc((size_t)bytes, 1) : NULL;
    d = malloc(sizeof *d); /* too large for small stacks */
    if (met != NULL && d != NULL)
        status = check_entries(v, d, met, &all);
    free(met);
    free(d);
    if (status == UTET_E_SPACE)
        return fail(v->s->path, NULL, NO_OFFSET, "not enough memory");
    if (status != UTET_OK)
        return source_fail(v->s, status);
    verdict_report(v, &all, "zone_maps_data", "chunk", &v->meta.spills[UTET_SPILL_ZONES]);
    return TOOL_OK;
}
