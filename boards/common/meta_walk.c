/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The walk; see meta_walk.h. Numbers go into the digest lowest byte first, texts after their length. */
#include "meta_walk.h"

#include <string.h>

#define SEARCHED 4u /* labels and chunks of each axis and dataset that are searched for */

/* ---- into the digest ---- */

static void put_number(struct meta_walk *w, uint64_t number)
{
    uint8_t bytes[8];

    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(number >> (8 * i));
    sha256_add(&w->hash, bytes, sizeof bytes);
}

/* The status of a search that may find nothing. Nonzero: found. A status that ends the walk is stored in *failed. */
static int put_status(struct meta_walk *w, utet_status status, utet_status *failed)
{
    put_number(w, (uint64_t)(int64_t)status);
    if (UTET_IS_ERROR(status) && status <= UTET_E_SHORT && status != UTET_E_METADATA)
        *failed = status;
    return status == UTET_OK;
}

static utet_status put_text(struct meta_walk *w, utet_value text)
{
    char piece[16];
    size_t got;
    utet_status status;

    while ((status = utet_text_read(&w->meta, &text, piece, sizeof piece, &got)) == UTET_OK) {
        sha256_add(&w->hash, piece, got);
        w->bytes += (uint32_t)got;
    }
    return status == UTET_END ? UTET_OK : status;
}

/* A text, or the head of anything else. */
static utet_status put_head(struct meta_walk *w, const utet_value *value)
{
    w->values++;
    put_number(w, value->kind);
    put_number(w, value->size);
    return put_text(w, *value);
}

/* A value with everything in it. */
static utet_status put_value(struct meta_walk *w, const utet_value *value)
{
    unsigned depth = 1; /* levels in use */
    utet_status status = put_head(w, value);

    w->level[0] = *value;
    while (status == UTET_OK && depth > 0) {
        utet_value key;
        utet_value item;

        status = utet_value_next(&w->meta, &w->level[depth - 1], &key, &item);
        if (status == UTET_END) {
            depth--;
            status = UTET_OK;
            continue;
        }
        if (status == UTET_OK)
            status = put_head(w, &key);
        if (status == UTET_OK)
            status = put_head(w, &item);
        if ((item.kind == UTET_VALUE_LIST || item.kind == UTET_VALUE_MAP) && depth < META_WALK_DEPTH)
            w->level[depth++] = item;
    }
    return status;
}

/* Copies a text that is short enough to be searched for into walk->text; returns its length, or 0. */
static utet_status get_text(struct meta_walk *w, utet_value value, size_t *length)
{
    utet_status status = UTET_OK;

    *length = 0;
    if (value.kind == UTET_VALUE_TEXT && value.size <= sizeof w->text)
        status = utet_text_read(&w->meta, &value, w->text, sizeof w->text, length);
    return status == UTET_END ? UTET_OK : status;
}

/* Returns the result of a loop: the status in `failed`, otherwise the status that ended it, with UTET_OK for
 * UTET_END. */
static utet_status ended(utet_status failed, utet_status status)
{
    return failed != UTET_OK || status == UTET_END ? failed : status;
}

/* ---- history ---- */

static utet_status put_history(struct meta_walk *w)
{
    utet_value history = w->meta.history;
    utet_status status = UTET_OK;
    utet_status failed = UTET_OK;

    while (failed == UTET_OK && (status = utet_event_next(&w->meta, &history, &w->event)) == UTET_OK)
        for (unsigned i = 0; failed == UTET_OK && i < UTET_EVENT_FIELDS; i++)
            failed = put_value(w, &w->event.field[i]);
    return ended(failed, status);
}

/* ---- datasets ---- */

/* The values that count: if a key occurs twice, its last one. */
static utet_status put_attributes(struct meta_walk *w)
{
    utet_value list = w->about.attrs;
    utet_value key;
    utet_value item;
    size_t length;
    utet_status status = UTET_OK;
    utet_status failed = UTET_OK;

    while (failed == UTET_OK && (status = utet_value_next(&w->meta, &list, &key, &item)) == UTET_OK) {
        failed = get_text(w, key, &length);
        if (failed == UTET_OK &&
            put_status(w, utet_map_find(&w->meta, &w->about.attrs, w->text, length, &item), &failed))
            failed = put_value(w, &item);
    }
    failed = ended(failed, status);
    if (failed == UTET_OK)
        failed = put_value(w, &w->about.fill);
    return failed;
}

static utet_status put_axes(struct meta_walk *w)
{
    utet_value list = w->about.dim_names;
    utet_value key;
    utet_value item;
    size_t length;
    unsigned axis;
    utet_status status = UTET_END;
    utet_status failed = put_value(w, &list);

    while (failed == UTET_OK && (status = utet_value_next(&w->meta, &list, &key, &item)) == UTET_OK) {
        failed = get_text(w, item, &length);
        if (failed == UTET_OK && put_status(w, utet_meta_axis(&w->meta, &w->about, w->text, length, &axis), &failed))
            put_number(w, axis);
    }
    return ended(failed, status);
}

/* Puts the chunks that an index names. */
static utet_status put_chunks(struct meta_walk *w, utet_status found, utet_value *chunks)
{
    uint64_t coords[UTET_MAX_NDIM];
    utet_status failed = UTET_OK;
    utet_status status;

    if (!put_status(w, found, &failed))
        return failed;
    while ((status = utet_index_chunk(&w->meta, chunks, coords)) == UTET_OK) {
        w->values++;
        for (unsigned d = 0; d < w->dataset.ndim; d++)
            put_number(w, coords[d]);
    }
    return ended(UTET_OK, status);
}

/* Puts label `n` of an axis: its text, the index at which a search finds it, the chunks that an index lists for it. */
static utet_status search_label(struct meta_walk *w, unsigned axis, const utet_value *labels, uint64_t n)
{
    utet_value item;
    uint64_t index;
    size_t length;
    utet_status failed = utet_list_nth(&w->meta, labels, n, &item);

    if (failed == UTET_OK)
        failed = get_text(w, item, &length);
    if (failed == UTET_OK && put_status(w, utet_list_find(&w->meta, labels, w->text, length, &index), &failed))
        put_number(w, index);
    if (failed == UTET_OK)
        failed = put_chunks(w, utet_index_label(&w->meta, &w->about, axis, w->text, length, &item), &item);
    return failed;
}

static utet_status put_labels(struct meta_walk *w, unsigned axis)
{
    utet_value labels;
    utet_status failed = UTET_OK;

    if (!put_status(w, utet_meta_labels(&w->meta, &w->about, axis, &labels), &failed))
        return failed;
    failed = put_value(w, &labels);
    for (uint64_t n = 0; failed == UTET_OK && n < labels.size && n < SEARCHED; n++)
        failed = search_label(w, axis, &labels, n);
    return failed;
}

/* ---- zone maps and indexes ---- */

static void put_zone(struct meta_walk *w)
{
    const utet_zone *zone = &w->zone;

    w->values++;
    put_number(w, zone->dataset_id);
    for (unsigned d = 0; d < zone->ndim; d++)
        put_number(w, zone->coords[d]);
    put_number(w, zone->element_count);
    put_number(w, zone->null_count);
    sha256_add(&w->hash, zone->lowest, zone->elem_size);
    sha256_add(&w->hash, zone->highest, zone->elem_size);
}

/* The first chunks along the last axis: the content of their zones, and which other chunks contain their lowest
 * value. */
static utet_status search_zones(struct meta_walk *w)
{
    uint64_t coords[UTET_MAX_NDIM] = {0};
    uint64_t *const last = &coords[w->dataset.ndim - 1u];
    utet_value chunks;
    utet_status failed = UTET_OK;

    for (; failed == UTET_OK && *last < w->dataset.grid[w->dataset.ndim - 1u] && *last < SEARCHED; ++*last) {
        if (!put_status(w, utet_zone_find(&w->meta, &w->zones, coords, &w->zone), &failed))
            continue;
        put_zone(w);
        put_number(w, (uint64_t)utet_zone_may_hold(&w->zones, &w->zone, w->zone.lowest, w->zone.highest));
        put_number(w, (uint64_t)utet_zone_may_hold(&w->zones, &w->zone, w->text, w->text));
        put_number(w, (uint64_t)utet_zone_may_be_null(&w->zones, &w->zone));
        if (w->zone.elem_size > 0)
            failed = put_chunks(w, utet_index_value(&w->meta, &w->about, w->zone.lowest, &chunks), &chunks);
    }
    return failed;
}

static utet_status put_zones(struct meta_walk *w)
{
    utet_status failed = UTET_OK;
    utet_status status;

    memset(w->text, 0, sizeof w->text); /* an element of zeros */
    if (!put_status(w, utet_zones_open(&w->meta, &w->about, &w->zones), &failed))
        return failed;
    while ((status = utet_zone_next(&w->meta, &w->zones, &w->zone)) == UTET_OK)
        put_zone(w);
    return status == UTET_END ? search_zones(w) : status;
}

/* ---- all of it ---- */

static utet_status put_about(struct meta_walk *w)
{
    utet_status failed = UTET_OK;

    (void)put_status(w, utet_meta_dataset(&w->meta, &w->dataset, &w->about), &failed);
    if (failed == UTET_OK)
        failed = put_attributes(w);
    if (failed == UTET_OK)
        failed = put_axes(w);
    for (unsigned d = 0; failed == UTET_OK && d < w->dataset.ndim; d++)
        failed = put_labels(w, d);
    return failed == UTET_OK ? put_zones(w) : failed;
}

static utet_status put_everything(struct meta_walk *w, utet_file *file)
{
    utet_status failed = UTET_OK;
    utet_status status;

    (void)put_status(w, utet_meta_check_limits(&w->meta), &failed);
    put_number(w, (uint64_t)(int64_t)utet_meta_strict(&w->meta)); /* a row beyond the limit does not end the walk */
    put_number(w, w->meta.payload_limit);
    put_number(w, w->meta.spills[UTET_SPILL_ZONES].offset);
    put_number(w, w->meta.spills[UTET_SPILL_ZONES].length);
    put_number(w, w->meta.spills[UTET_SPILL_INDEXES].offset);
    put_number(w, w->meta.spills[UTET_SPILL_INDEXES].length);
    if (failed == UTET_OK)
        failed = put_history(w);
    if (failed == UTET_OK)
        failed = put_value(w, &w->meta.file_info);
    if (failed == UTET_OK)
        failed = put_value(w, &w->meta.datasets);
    status = failed == UTET_OK ? utet_dataset_first(file, &w->dataset) : UTET_END;
    while (status == UTET_OK && (failed = put_about(w)) == UTET_OK)
        status = utet_dataset_next(file, &w->dataset);
    return ended(failed, status);
}

utet_status meta_walk(struct meta_walk *walk, utet_file *file)
{
    utet_status status;

    memset(walk, 0, sizeof *walk);
    sha256_init(&walk->hash);
    status = utet_meta_open(&walk->meta, file);
    put_number(walk, (uint64_t)(int64_t)status);
    if (UTET_IS_ERROR(status))
        put_number(walk, file->error_offset);
    else
        status = put_everything(walk, file);
    sha256_end(&walk->hash, walk->digest);
    return status;
}
