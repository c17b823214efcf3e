/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* See metalook.h. */
#include "metalook.h"

#include <string.h>

enum { MOST_DEPTH = 6, MOST_ZONES = 20, MOST_CHUNKS = 20, MOST_DATASETS = 3, PIECE = 5 };

static void see(metalook *x, uint64_t value)
{
    x->digest = (x->digest ^ value) * 0x100000001B3u;
}

/* Keeps a status of metadata that opened. 0: do not go on. */
static int went(metalook *x, utet_status status)
{
    suite_check(status == UTET_OK || status == UTET_END || status == UTET_E_NOT_FOUND || status == UTET_E_RANGE ||
                    status == UTET_E_ARGUMENT || status == UTET_E_MISSING || status == UTET_E_METADATA ||
                    status == UTET_E_ROW || (x->fickle && (status == UTET_E_SHORT || status <= UTET_E_PORT)),
                "%s: %s", x->what, rig_status(status));
    see(x, (uint64_t)(int64_t)status);
    x->errors += status < 0;
    return status == UTET_OK && x->calls != 0 && --x->calls != 0;
}

/* Drives a call; ok: whether it gave something, and more may follow. */
#define STEP(x, ok, call)        \
    do {                         \
        utet_status status_;     \
        DRIVE(status_, call);    \
        (ok) = went(x, status_); \
    } while (0)

static void see_text(metalook *x, utet_value text)
{
    uint64_t most = text.size, all = 0;
    size_t got = 0;
    int ok = 1;

    while (ok) {
        STEP(x, ok, utet_text_read(&x->meta, &text, (char *)x->piece.data, PIECE, &got));
        all += ok ? got : 0;
        for (size_t i = 0; ok && i < got; i++)
            see(x, x->piece.data[i]);
    }
    suite_check(all <= most, "%s: %llu bytes of %llu", x->what, (unsigned long long)all, (unsigned long long)most);
}

static void see_value(metalook *x, utet_value value, int depth)
{
    utet_value key, item;
    uint64_t most = value.size, entries = 0;
    int ok = 1;

    see(x, value.kind);
    see(x, value.size);
    if (value.kind == UTET_VALUE_TEXT)
        see_text(x, value);
    memset(&key, 0, sizeof key);
    while (ok && entries < x->items && depth < MOST_DEPTH) {
        STEP(x, ok, utet_value_next(&x->meta, &value, &key, &item));
        if (!ok)
            break;
        suite_check(++entries <= most, "%s: more entries than %llu", x->what, (unsigned long long)most);
        see_value(x, key, depth + 1);
        see_value(x, item, depth + 1);
    }
}

static void see_zones(metalook *x, const utet_dataset_meta *described)
{
    static const uint8_t low[8] = {0}, high[8] = {0, 0, 0, 0, 0, 0, 0x80, 0x3F};
    uint64_t coords[UTET_MAX_NDIM] = {0};
    utet_zones zones;
    utet_zone zone;
    int ok, opened;

    STEP(x, opened, utet_zones_open(&x->meta, described, &zones));
    ok = opened;
    for (unsigned count = 0; ok && count < MOST_ZONES; count++) {
        STEP(x, ok, utet_zone_next(&x->meta, &zones, &zone));
        if (ok)
            see(x, (uint64_t)(utet_zone_may_hold(&zones, &zone, low, high) * 2 + utet_zone_may_be_null(&zones, &zone)));
    }
    if (opened) /* also where the walk has ended */
        STEP(x, ok, utet_zone_find(&x->meta, &zones, coords, &zone));
    STEP(x, ok, utet_zones_open(&x->meta, described, &zones));
    if (ok)
        STEP(x, ok, utet_zone_find(&x->meta, &zones, coords, &zone));
}

static void see_indexes(metalook *x, const utet_dataset_meta *described)
{
    static const uint8_t one[8] = {0, 0, 0, 0, 0, 0, 0x80, 0x3F};
    uint64_t coords[UTET_MAX_NDIM] = {0};
    utet_value value;
    int ok;

    STEP(x, ok, utet_index_value(&x->meta, described, one, &value));
    for (unsigned count = 0; ok && count < MOST_CHUNKS; count++) {
        STEP(x, ok, utet_index_chunk(&x->meta, &value, coords));
        see(x, coords[0]);
    }
    STEP(x, ok, utet_index_label(&x->meta, described, 0, "a", 1, &value));
    STEP(x, ok, utet_index_entries(&x->meta, &value));
    if (ok)
        see(x, value.size);
}

static void see_dataset(metalook *x, const utet_dataset *dataset)
{
    utet_dataset_meta described;
    utet_value value;
    uint64_t index = 0;
    unsigned axis = 0;
    int ok;

    STEP(x, ok, utet_meta_dataset(&x->meta, dataset, &described));
    if (!ok) { /* of which nothing is said */
        memset(&described, 0, sizeof described);
        described.dataset = dataset;
    }
    see_value(x, described.dim_names, 0);
    see_value(x, described.fill, 0);
    STEP(x, ok, utet_meta_axis(&x->meta, &described, "x", 1, &axis));
    suite_check(!ok || axis < dataset->ndim, "%s: axis %u", x->what, axis);
    see(x, axis);
    STEP(x, ok, utet_meta_labels(&x->meta, &described, 0, &value));
    if (ok) {
        STEP(x, ok, utet_list_find(&x->meta, &value, "a label of more than thirty-two bytes", 37, &index));
        see(x, index);
    }
    see_zones(x, &described);
    see_indexes(x, &described);
}

static void see_opening(metalook *x, utet_status status)
{
    const utet_file *file = &x->r->file;

    see(x, (uint64_t)(int64_t)status);
    x->errors += status < 0;
    if (status == UTET_OK || x->fickle)
        return;
    suite_check(status == UTET_E_METADATA || status == file->footer_status, "%s: %s", x->what, rig_status(status));
    suite_check(file->error_offset <= x->r->port.io.size, "%s: a fault behind the file", x->what);
    see(x, status == UTET_E_METADATA ? file->error_offset : 0);
}

static void see_file(metalook *x)
{
    utet_value history = x->meta.history;
    utet_event event;
    int ok = 1;

    STEP(x, ok, utet_meta_check_limits(&x->meta));
    STEP(x, ok, utet_meta_strict(&x->meta));
    see(x, x->meta.payload_limit);
    ok = 1;
    for (unsigned count = 0; ok && count < x->events; count++) {
        STEP(x, ok, utet_event_next(&x->meta, &history, &event));
        for (unsigned i = 0; ok && i < UTET_EVENT_FIELDS; i++)
            see_value(x, event.field[i], 0);
    }
    see_value(x, x->meta.file_info, 0);
    see_value(x, x->meta.datasets, 0);
}

void metalook_at(metalook *x)
{
    utet_dataset dataset;
    utet_status status;

    x->piece = guard_new(PIECE, 1, GUARD_AFTER);
    DRIVE(status, utet_meta_open(&x->meta, &x->r->file));
    see_opening(x, status);
    if (status == UTET_OK)
        see_file(x);
    DRIVE(status, utet_dataset_first(&x->r->file, &dataset));
    for (unsigned count = 0; status == UTET_OK && count < MOST_DATASETS; count++) {
        if (x->meta.priv.status == UTET_OK)
            see_dataset(x, &dataset);
        DRIVE(status, utet_dataset_next(&x->r->file, &dataset));
    }
    guard_free(&x->piece);
    suite_check(status == UTET_OK || status == UTET_END || x->fickle, "%s: %s", x->what, rig_status(status));
}
