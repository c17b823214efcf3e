/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * What the suites of footers under stress share: the small golden files that have a footer, and an application that
 * reads everything. A digest records what it reads.
 */
#ifndef METASUBJECT_H
#define METASUBJECT_H

#include "golden_list.h"
#include "rig.h"
#include "utet_meta.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 24000, MOST_FLIPPED = 1500, MOST_DATASETS = 4 };

typedef struct subject {
    const golden_file *golden;
    uint8_t *bytes;
    uint64_t size, json, length; /* size of the file; offset of its JSON, and its length */
} subject;

static golden_list list;

static inline uint64_t load64(const uint8_t *at)
{
    uint64_t value = 0;
    int i;

    for (i = 7; i >= 0; i--)
        value = value << 8 | at[i];
    return value;
}

static inline void store64(uint8_t *at, uint64_t value)
{
    int i;

    for (i = 0; i < 8; i++)
        at[i] = (uint8_t)(value >> (8 * i));
}

/* The next good file of the list that has a footer; 0 at the end. *at is the position in the list. */
static inline int next_subject(subject *s, size_t *at)
{
    while (*at < list.count) {
        const golden_file *g = &list.files[(*at)++];
        char why[300];

        if (!g->good || g->size < 64 || g->size > MOST_BYTES)
            continue;
        s->golden = g;
        s->bytes = golden_bytes(g, why);
        s->size = g->size;
        if (s->bytes != NULL && (s->bytes[12] & 1) != 0 && memcmp(s->bytes + s->size - 4, "THST", 4) == 0) {
            s->length = load64(s->bytes + s->size - 16);
            s->json = s->size - 16 - s->length;
            return 1;
        }
        free(s->bytes);
    }
    return 0;
}

/* ---- an application that reads everything ---- */

typedef struct look {
    rig r;
    utet_meta meta;
    uint64_t digest;
    utet_status stop; /* the first error */
} look;

static inline void see(look *x, const void *data, size_t size)
{
    const uint8_t *p = data;
    size_t i;

    for (i = 0; i < size; i++)
        x->digest = (x->digest ^ p[i]) * 0x100000001B3u;
}

/* Drives a call; an error ends the function. */
#define TRY(x, status, call)                                                                                          \
    do {                                                                                                              \
        DRIVE(status, call);                                                                                          \
        if ((status) < 0 && (status) != UTET_E_NOT_FOUND && (status) != UTET_E_MISSING && (status) != UTET_E_RANGE && \
            (status) != UTET_E_ARGUMENT && (status) != UTET_E_ROW) {                                                  \
            (x)->stop = (status);                                                                                     \
            return;                                                                                                   \
        }                                                                                                             \
    } while (0)

static inline void see_value(look *x, utet_value value, int depth)
{
    utet_value key, item;
    utet_status status;
    char piece[13];
    size_t got;

    see(x, &value.kind, 1);
    see(x, &value.size, sizeof value.size);
    if (value.kind == UTET_VALUE_TEXT) {
        do {
            TRY(x, status, utet_text_read(&x->meta, &value, piece, sizeof piece, &got));
            see(x, piece, got);
        } while (status == UTET_OK);
        return;
    }
    while (value.kind == UTET_VALUE_LIST || value.kind == UTET_VALUE_MAP) {
        memset(&key, 0, sizeof key);
        TRY(x, status, utet_value_next(&x->meta, &value, &key, &item));
        if (status != UTET_OK)
            return;
        see_value(x, key, depth + 1);
        if (x->stop == UTET_OK)
            see_value(x, item, depth + 1);
        if (x->stop != UTET_OK)
            return;
    }
}

static inline void see_history(look *x)
{
    utet_value history = x->meta.history;
    utet_event event;
    utet_status status;
    unsigned i;

    for (;;) {
        TRY(x, status, utet_event_next(&x->meta, &history, &event));
        if (status != UTET_OK)
            return;
        for (i = 0; i < UTET_EVENT_FIELDS && x->stop == UTET_OK; i++)
            see_value(x, event.field[i], 0);
        if (x->stop != UTET_OK)
            return;
    }
}

static inline void see_about(look *x, const utet_dataset *dataset)
{
    utet_dataset_meta described;
    utet_value value;
    utet_status status;
    unsigned d, axis = 0;
    uint64_t index = 0;

    TRY(x, status, utet_meta_dataset(&x->meta, dataset, &described));
    see(x, &status, sizeof status);
    see_value(x, described.attrs, 0);
    if (x->stop != UTET_OK)
        return;
    TRY(x, status, utet_map_find(&x->meta, &described.attrs, "units", 5, &value));
    see(x, &status, sizeof status);
    see_value(x, described.fill, 0);
    if (x->stop != UTET_OK)
        return;
    TRY(x, status, utet_meta_axis(&x->meta, &described, "x", 1, &axis));
    see(x, &axis, sizeof axis);
    for (d = 0; d < dataset->ndim && x->stop == UTET_OK; d++) {
        TRY(x, status, utet_meta_labels(&x->meta, &described, d, &value));
        see(x, &status, sizeof status);
        if (status != UTET_OK)
            continue;
        see_value(x, value, 0);
        if (x->stop != UTET_OK)
            return;
        TRY(x, status, utet_list_find(&x->meta, &value, "b", 1, &index));
        see(x, &index, sizeof index);
    }
}

static inline void see_zones(look *x, const utet_dataset *dataset)
{
    static const uint8_t zero[8];
    utet_dataset_meta described;
    utet_zones zones;
    utet_zone zone;
    utet_value chunks, key, entry;
    utet_status status;
    unsigned count;
    uint64_t coords[UTET_MAX_NDIM];

    TRY(x, status, utet_meta_dataset(&x->meta, dataset, &described));
    TRY(x, status, utet_zones_open(&x->meta, &described, &zones));
    for (count = 0; status == UTET_OK && count < 20; count++) {
        TRY(x, status, utet_zone_next(&x->meta, &zones, &zone));
        if (status == UTET_OK) {
            see(x, &zone.null_count, sizeof zone.null_count);
            see(x, zone.lowest, zone.elem_size);
            memcpy(coords, zone.coords, sizeof coords);
        }
    }
    if (count > 1) {
        TRY(x, status, utet_zone_find(&x->meta, &zones, coords, &zone));
        see(x, &status, sizeof status);
    }
    TRY(x, status, utet_index_value(&x->meta, &described, zero, &chunks));
    see(x, &status, sizeof status);
    while (status == UTET_OK) {
        TRY(x, status, utet_index_chunk(&x->meta, &chunks, coords));
        if (status == UTET_OK)
            see(x, coords, sizeof coords);
    }
    TRY(x, status, utet_index_label(&x->meta, &described, 0, "b", 1, &chunks));
    see(x, &status, sizeof status);
    TRY(x, status, utet_index_entries(&x->meta, &chunks));
    see(x, &status, sizeof status);
    while (status == UTET_OK) {
        TRY(x, status, utet_value_next(&x->meta, &chunks, &key, &entry));
        if (status == UTET_OK)
            see(x, &entry.size, sizeof entry.size);
    }
}

static inline void look_meta(look *x, int zones)
{
    utet_dataset dataset;
    utet_status status;

    x->digest = 0xCBF29CE484222325u;
    x->stop = UTET_OK;
    DRIVE(status, utet_meta_open(&x->meta, &x->r.file));
    if (status != UTET_OK) {
        x->stop = status;
        return;
    }
    see(x, &x->meta.payload_limit, 8);
    TRY(x, status, utet_meta_check_limits(&x->meta));
    TRY(x, status, utet_meta_strict(&x->meta));
    see(x, &status, sizeof status);
    see_history(x);
    if (x->stop == UTET_OK)
        see_value(x, x->meta.datasets, 0);
    if (x->stop != UTET_OK)
        return;
    TRY(x, status, utet_dataset_first(&x->r.file, &dataset));
    while (status == UTET_OK && dataset.id < MOST_DATASETS) {
        see_about(x, &dataset);
        if (x->stop == UTET_OK && zones)
            see_zones(x, &dataset);
        if (x->stop != UTET_OK)
            return;
        TRY(x, status, utet_dataset_next(&x->r.file, &dataset));
    }
}

/* Opens the file; faults outside of the footer are not tested here. */
static inline void start(look *x, const subject *s, size_t work)
{
    utet_status status;

    rig_make(&x->r, s->bytes, s->size, -1);
    rig_start(&x->r, work, GUARD_AFTER);
    DRIVE(status, utet_open(&x->r.file, &(utet_options){.budget = work}));
    suite_check(status == UTET_OK, "%s: open: %s", s->golden->name, rig_status(status));
}

#endif
