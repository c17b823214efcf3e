/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Chunks that need not be read, by zone maps and the index of values (src/tet/FORMAT.md §8.3), in the form that cannot
 * change an answer if these are true. A filter is ranges of keys; a chunk is left out when its smallest and largest
 * element say that no key of it is there. Wherever what is null for the writer may not be null for the fold, or the
 * other way round, the chunk is read.
 */
#include "../fold/fold.h"
#include "../tet/slab/slab.h"
#include "query.h"

#include <string.h>

enum { SKIP_BEGIN, SKIP_ZONES, SKIP_ZONE, SKIP_MERGE, SKIP_INDEX, SKIP_ENTRY, SKIP_COUNT, SKIP_DONE };

/* ---- the bits: first those of chunks that are skipped; then those that one of several zone maps keeps, later those
 * of chunks that the index names ---- */

/* The number of a chunk; UINT64_MAX: it has no bit. */
static uint64_t query_skip_number_of(const utet_query_skips *skips, unsigned ndim, const uint64_t *coords)
{
    uint64_t number = 0;
    unsigned d;

    for (d = 0; d < ndim; d++) {
        const uint64_t at = coords[d] - skips->priv.first[d];

        if (at >= skips->priv.span[d])
            return UINT64_MAX;
        number = utet_add(utet_mul(number, skips->priv.span[d]), at);
    }
    return number < (uint64_t)skips->size * 4 ? number : UINT64_MAX;
}

static int query_skip_bit(const utet_query_skips *skips, uint64_t number)
{
    return skips->bits[(size_t)(number >> 3)] >> (number & 7) & 1;
}

static void query_skip_set_bit(const utet_query_skips *skips, uint64_t number)
{
    uint8_t *byte = &skips->bits[(size_t)(number >> 3)];

    *byte = (uint8_t)(*byte | 1u << (number & 7));
}

static void query_skip_clear_bit(const utet_query_skips *skips, uint64_t number)
{
    uint8_t *byte = &skips->bits[(size_t)(number >> 3)];

    *byte = (uint8_t)(*byte & ~(1u << (number & 7)));
}

int utet_query_skipped(const utet_query_skips *skips, const utet_chunk *chunk)
{
    const uint64_t number = skips->priv.stage == SKIP_DONE
                                ? query_skip_number_of(skips, skips->priv.ndim, chunk->coords)
                                : UINT64_MAX;

    return number != UINT64_MAX && query_skip_bit(skips, number);
}

/* Past the tiles that are skipped. */
static void query_skip_pass_tiles(utet_fold *fold)
{
    utet_slab *slab = &fold->box.slab;

    while (utet_slab_between(slab) && utet_query_skipped(fold->priv.skips, &slab->priv.chunk))
        utet_slab_pass(slab);
}

/* ---- the chunks of the selection, row-major ---- */

static uint64_t last_place(const utet_fold_span *span)
{
    return span->start + (span->count - 1) * span->step;
}

/* Returns nonzero if the tile has a selected index. */
static int is_touched(const utet_fold_span *span, uint64_t extent, uint64_t tile)
{
    /* No comparison with the last index: no tile is asked for after the one that has it. */
    return utet_div(utet_query_place_from(span->start, span->step, extent, tile), extent) == tile;
}

/* On to the next one; 0: that was the last. */
static int query_skip_next_chunk(utet_query_skips *skips)
{
    unsigned d = skips->priv.ndim;

    skips->priv.number++;
    while (d-- != 0) {
        if (++skips->priv.coords[d] - skips->priv.first[d] < skips->priv.span[d])
            return 1;
        skips->priv.coords[d] = skips->priv.first[d];
    }
    return 0;
}

static int query_skip_begin(utet_query_skips *skips, const utet_fold *fold)
{
    unsigned d;

    memset(skips->bits, 0, skips->size);
    if (fold->box.slab.count == 0) /* nothing is selected; a chunk_shape may be 0 then */
        return 0;
    skips->chunks = 1;
    skips->priv.ndim = fold->priv.ndim;
    for (d = 0; d < fold->priv.ndim; d++) {
        const utet_fold_span *span = &fold->box.axis[d];
        const uint64_t extent = fold->priv.dataset->chunk_shape[d];

        skips->priv.first[d] = utet_div(span->start, extent);
        skips->priv.coords[d] = skips->priv.first[d];
        skips->priv.span[d] = utet_div(last_place(span), extent) - skips->priv.first[d] + 1;
        skips->chunks = utet_mul(skips->chunks, skips->priv.span[d]);
    }
    return 1;
}

/* ---- what a zone map says of a filter ---- */

static void query_skip_put_element(uint8_t *to, const fold_layout *layout, uint64_t key)
{
    fold_store(to, 8, utet_fold_unkey(layout, key));
}

/* from <= to */
static int may_hold(const utet_query_skips *skips, const fold_layout *layout, uint64_t from, uint64_t to)
{
    uint8_t low[8];
    uint8_t high[8];

    query_skip_put_element(low, layout, from);
    query_skip_put_element(high, layout, to);
    return utet_zone_may_hold(&skips->priv.zones, &skips->priv.zone, low, high);
}

/* NE leaves out all elements except nulls. */
static int all_fail(const utet_query_skips *skips, const utet_fold *fold, const fold_layout *layout)
{
    const utet_zone *zone = &skips->priv.zone;

    return zone->elem_size == layout->bytes && fold->priv.fail.from <= fold->priv.fail.to &&
           utet_fold_key(layout, utet_fold_load(layout, zone->lowest)) >= fold->priv.fail.from &&
           utet_fold_key(layout, utet_fold_load(layout, zone->highest)) <= fold->priv.fail.to;
}

static int may_match(const utet_query_skips *skips, const utet_fold *fold, const utet_dataset_meta *about)
{
    const fold_layout *layout = fold->priv.layout;
    const utet_zone *zone = &skips->priv.zone;
    const int has_fill = about->fill.kind != UTET_VALUE_NONE;

    /* Elements with the writer's fill may be outside of its extremes. For a fold without a fill they are not nulls. */
    if (has_fill && zone->null_count != 0 && !fold->priv.has_fill)
        return 1;
    /* A fold's fill is the dataset's: then any zone may have nulls. */
    if (fold->priv.null_passes && utet_zone_may_be_null(&skips->priv.zones, zone))
        return 1;
    return fold->priv.value_passes && may_hold(skips, layout, fold->priv.pass.from, fold->priv.pass.to) &&
           !all_fail(skips, fold, layout);
}

/* ---- steps ---- */

static utet_status open_zones(utet_query_skips *skips, utet_meta *meta, const utet_dataset_meta *about)
{
    utet_status status = utet_zones_open(meta, about, &skips->priv.zones);

    if (status == UTET_OK)
        skips->priv.stage = SKIP_ZONE;
    return status;
}

/* The next zone map: those of all chunks in one pass, in any order. */
static utet_status judge_zone(utet_query_skips *skips, const utet_fold *fold, utet_meta *meta,
                              const utet_dataset_meta *about)
{
    const utet_zone *zone = &skips->priv.zone;
    utet_status status = utet_zone_next(meta, &skips->priv.zones, &skips->priv.zone);
    uint64_t number;

    if (status == UTET_END) {
        skips->priv.stage = SKIP_MERGE;
        return UTET_OK;
    }
    if (status != UTET_OK || zone->dataset_id != fold->priv.dataset->id || zone->ndim != skips->priv.ndim)
        return status;
    number = query_skip_number_of(skips, skips->priv.ndim, zone->coords);
    if (number != UINT64_MAX)
        query_skip_set_bit(skips, may_match(skips, fold, about) ? number + (uint64_t)skips->size * 4 : number);
    return UTET_OK;
}

/* A chunk with several zone maps is skipped if all of them say so. */
static void query_skip_merge(utet_query_skips *skips)
{
    const uint64_t most = (uint64_t)skips->size * 4;
    uint64_t number;

    for (number = 0; number < most && number < skips->chunks; number++)
        if (query_skip_bit(skips, number + most)) {
            query_skip_clear_bit(skips, number);
            query_skip_clear_bit(skips, number + most);
        }
    skips->priv.stage = SKIP_INDEX;
}

/* The index is asked for one value alone, of datasets without a fill: there nothing but NaN is null. */
static utet_status open_index(utet_query_skips *skips, const utet_fold *fold, utet_meta *meta,
                              const utet_dataset_meta *about)
{
    uint8_t value[8];
    utet_status status;

    if (about->fill.kind != UTET_VALUE_NONE || fold->priv.null_passes || fold->priv.pass.from != fold->priv.pass.to) {
        skips->priv.stage = SKIP_COUNT;
        return UTET_OK;
    }
    query_skip_put_element(value, fold->priv.layout, fold->priv.pass.from);
    status = utet_index_value(meta, about, value, &skips->priv.list);
    if (status == UTET_OK) {
        skips->priv.indexed = 1;
        skips->priv.stage = SKIP_ENTRY;
    }
    return status;
}

/* Returns nonzero if the dataset has the chunk that the index names. */
static int is_chunk(const utet_dataset *dataset, const uint64_t *coords)
{
    unsigned d;

    for (d = 0; d < dataset->ndim; d++)
        if (coords[d] >= dataset->grid[d])
            return 0;
    return 1;
}

static utet_status take_entry(utet_query_skips *skips, const utet_fold *fold, utet_meta *meta)
{
    utet_status status = utet_index_chunk(meta, &skips->priv.list, skips->priv.coords);
    uint64_t number;

    if (status == UTET_END) {
        skips->priv.stage = SKIP_COUNT;
        return UTET_OK;
    }
    if (status != UTET_OK)
        return status;
    if (!is_chunk(fold->priv.dataset, skips->priv.coords))
        return UTET_E_METADATA;
    number = query_skip_number_of(skips, skips->priv.ndim, skips->priv.coords);
    if (number != UINT64_MAX)
        query_skip_set_bit(skips, number + (uint64_t)skips->size * 4);
    return UTET_OK;
}

static void query_skip_count(utet_query_skips *skips, const utet_fold *fold)
{
    const uint64_t most = (uint64_t)skips->size * 4;

    memcpy(skips->priv.coords, skips->priv.first, sizeof skips->priv.coords);
    skips->priv.number = 0;
    do {
        int touched = 1;
        unsigned d;

        for (d = 0; d < fold->priv.ndim; d++)
            touched &= is_touched(&fold->box.axis[d], fold->priv.dataset->chunk_shape[d], skips->priv.coords[d]);
        if (!touched)
            continue;
        if (query_skip_bit(skips, skips->priv.number)) {
            skips->by_zones++;
        } else if (skips->priv.indexed && !query_skip_bit(skips, skips->priv.number + most)) {
            query_skip_set_bit(skips, skips->priv.number);
            skips->by_index++;
        }
    } while (query_skip_next_chunk(skips) && skips->priv.number < most);
    skips->priv.stage = SKIP_DONE;
}

/* Documents that are not there, or not usable, skip nothing. */
static utet_status query_skip_without(utet_query_skips *skips, utet_status status)
{
    if (status != UTET_E_NOT_FOUND && status != UTET_E_METADATA)
        return status;
    skips->priv.indexed = 0;
    skips->priv.stage = skips->priv.stage <= SKIP_ZONE ? SKIP_MERGE : SKIP_COUNT;
    return UTET_OK;
}

static utet_status query_skip_run(utet_query_skips *skips, utet_fold *fold, utet_meta *meta,
                                  const utet_dataset_meta *about)
{
    utet_status status = UTET_OK;

    if (skips->priv.stage == SKIP_BEGIN) {
        if (fold->priv.take == NULL || skips->size == 0 || !query_skip_begin(skips, fold))
            return UTET_OK; /* there is nothing to skip by, or to skip */
        skips->priv.stage = SKIP_ZONES;
    }
    while (status == UTET_OK && skips->priv.stage != SKIP_DONE) {
        switch (skips->priv.stage) {
        case SKIP_ZONES: status = open_zones(skips, meta, about); break;
        case SKIP_ZONE: status = judge_zone(skips, fold, meta, about); break;
        case SKIP_MERGE: query_skip_merge(skips); break;
        case SKIP_INDEX: status = open_index(skips, fold, meta, about); break;
        case SKIP_ENTRY: status = take_entry(skips, fold, meta); break;
        default: query_skip_count(skips, fold);
        }
        status = query_skip_without(skips, status);
    }
    if (status == UTET_OK) {
        fold->priv.skips = skips;
        fold->priv.pass_tiles = query_skip_pass_tiles;
    }
    return status;
}

utet_status utet_query_skip(utet_query_skips *skips, utet_fold *fold, utet_meta *meta, const utet_dataset_meta *about)
{
    utet_file *file = fold->priv.file;
    utet_status status;

    if (fold->priv.state != FOLD_READY || skips->priv.stage == SKIP_DONE)
        return UTET_E_STATE;
    status = utet_enter_over(file, UTET_CALL_QUERY_SKIP, &skips->priv.inner);
    if (status != UTET_OK)
        return status;
    return utet_leave_over(file, UTET_CALL_QUERY_SKIP, &skips->priv.inner, query_skip_run(skips, fold, meta, about));
}

utet_status utet_query_answer_skip(utet_query_answer *answer, utet_query_skips *skips)
{
    utet_query_plan *plan = answer->priv.plan;
    utet_file *file;
    utet_status status;

    if (!answer->priv.opened)
        return UTET_E_STATE;
    file = plan->priv.meta->priv.file;
    status = utet_enter_over(file, UTET_CALL_QUERY_ANSWER_SKIP, &answer->priv.inner);
    if (status != UTET_OK || answer->is_matrix)
        return status;
    status = utet_query_skip(skips, &answer->priv.by.fold, plan->priv.meta, &plan->about);
    return utet_leave_over(file, UTET_CALL_QUERY_ANSWER_SKIP, &answer->priv.inner, status);
}
