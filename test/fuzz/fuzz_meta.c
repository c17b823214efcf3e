/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target "meta": the input is a .tet file behind a byte that chooses how the port behaves. Its metadata are opened
 * and looked at in every way; read a second time through a mapped port they must be the same, values, statuses and
 * places of faults. Damaged metadata leave the tensors alone.
 */
#include "fuzz.h"
#include "utet_meta.h"

typedef struct look {
    rig *r;
    utet_meta meta;
    uint64_t digest;
} look;

static void see(look *x, uint64_t value)
{
    x->digest = (x->digest ^ value) * 0x100000001B3u;
}

/* Any call on metadata that opened: a value, or a status that the header names. */
static int went(look *x, utet_status status)
{
    FUZZ_CHECK(status >= 0 || status == UTET_E_NOT_FOUND || status == UTET_E_RANGE || status == UTET_E_ARGUMENT ||
               status == UTET_E_MISSING || status == UTET_E_METADATA || status == UTET_E_ROW);
    see(x, (uint64_t)(int64_t)status);
    return status == UTET_OK;
}

/* Drives a call; *ok: whether it gave something. */
#define STEP(x, ok, call)        \
    do {                         \
        utet_status status_;     \
        DRIVE(status_, call);    \
        (ok) = went(x, status_); \
    } while (0)

static void see_text(look *x, utet_value text)
{
    char piece[5];
    size_t got, i;
    int ok = 1;

    while (ok) {
        got = 0;
        STEP(x, ok, utet_text_read(&x->meta, &text, piece, sizeof piece, &got));
        for (i = 0; i < got; i++)
            see(x, (uint8_t)piece[i]);
    }
}

static void see_value(look *x, utet_value value, int depth)
{
    utet_value key, item;
    unsigned entries;
    int ok = 1;

    see(x, value.kind);
    see(x, value.size);
    if (value.kind == UTET_VALUE_TEXT)
        see_text(x, value);
    memset(&key, 0, sizeof key);
    for (entries = 0; ok && entries < 300 && depth < 6; entries++) {
        STEP(x, ok, utet_value_next(&x->meta, &value, &key, &item));
        if (!ok)
            break;
        see_value(x, key, depth + 1);
        see_value(x, item, depth + 1);
    }
}

static void see_zones(look *x, const utet_dataset_meta *described)
{
    static const uint8_t low[8] = {0}, high[8] = {0, 0, 0, 0, 0, 0, 0x80, 0x3F};
    uint64_t coords[UTET_MAX_NDIM] = {0};
    utet_value value;
    utet_zones zones;
    utet_zone zone;
    unsigned count;
    int ok;

    STEP(x, ok, utet_zones_open(&x->meta, described, &zones));
    if (ok) {
        for (count = 0; ok && count < 20; count++) {
            STEP(x, ok, utet_zone_next(&x->meta, &zones, &zone));
            if (ok)
                see(x, (uint64_t)(utet_zone_may_hold(&zones, &zone, low, high) * 2 +
                                  utet_zone_may_be_null(&zones, &zone)));
        }
        STEP(x, ok, utet_zone_find(&x->meta, &zones, coords, &zone));
    }
    STEP(x, ok, utet_index_value(&x->meta, described, high, &value));
    for (count = 0; ok && count < 20; count++) {
        STEP(x, ok, utet_index_chunk(&x->meta, &value, coords));
        see(x, coords[0]);
    }
    STEP(x, ok, utet_index_label(&x->meta, described, 0, "a", 1, &value));
    STEP(x, ok, utet_index_entries(&x->meta, &value));
    if (ok)
        see(x, value.size);
}

static void see_dataset(look *x, const utet_dataset *dataset)
{
    utet_dataset_meta described;
    utet_value value;
    uint64_t index = 0;
    unsigned axis = 0;
    int ok;

    STEP(x, ok, utet_meta_dataset(&x->meta, dataset, &described));
    see_value(x, described.dim_names, 0);
    see_value(x, described.fill, 0);
    STEP(x, ok, utet_meta_axis(&x->meta, &described, "x", 1, &axis));
    see(x, axis);
    STEP(x, ok, utet_meta_labels(&x->meta, &described, 0, &value));
    if (ok) {
        STEP(x, ok, utet_list_find(&x->meta, &value, "a label of more than thirty-two bytes", 37, &index));
        see(x, index);
    }
    see_zones(x, &described);
}

static void see_all(look *x)
{
    utet_status status;
    utet_value history;
    utet_event event;
    utet_dataset dataset;
    unsigned i, count = 0;
    int ok;

    DRIVE(status, utet_meta_open(&x->meta, &x->r->file));
    see(x, (uint64_t)(int64_t)status);
    if (status != UTET_OK) {
        FUZZ_CHECK(status == UTET_E_METADATA || status == x->r->file.footer_status);
        FUZZ_CHECK(x->r->file.error_offset <= x->r->port.io.size);
        see(x, status == UTET_E_METADATA ? x->r->file.error_offset : 0);
    } else {
        STEP(x, ok, utet_meta_check_limits(&x->meta));
        STEP(x, ok, utet_meta_strict(&x->meta));
        see(x, x->meta.payload_limit);
        history = x->meta.history;
        for (ok = 1; ok && count < 50; count++) {
            STEP(x, ok, utet_event_next(&x->meta, &history, &event));
            for (i = 0; ok && i < UTET_EVENT_FIELDS; i++)
                see_value(x, event.field[i], 0);
        }
        see_value(x, x->meta.file_info, 0);
        see_value(x, x->meta.datasets, 0);
    }
    DRIVE(status, utet_dataset_first(&x->r->file, &dataset));
    for (count = 0; status == UTET_OK && count < 3; count++) {
        if (x->meta.priv.status == UTET_OK)
            see_dataset(x, &dataset);
        DRIVE(status, utet_dataset_next(&x->r->file, &dataset));
    }
    FUZZ_CHECK(status == UTET_OK || status == UTET_END);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static look first, second;
    static rig r;

    if (size < 1 || size > 1 << 14)
        return 0;
    memset(&first, 0, sizeof first);
    memset(&second, 0, sizeof second);
    if (fuzz_open(&r, data[0], data + 1, size - 1) == UTET_OK) {
        first.r = second.r = &r;
        see_all(&first);
        fuzz_end(&r);
        FUZZ_CHECK(fuzz_open(&r, 32, data + 1, size - 1) == UTET_OK);
        see_all(&second);
        FUZZ_CHECK(first.digest == second.digest);
    }
    fuzz_end(&r);
    return 0;
}
