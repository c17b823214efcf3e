/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The footer under stress, over every small golden file that has one: a fault at every read, every truncation, every
 * bit flipped; zone maps and indexes against the decoded data. What an application sees is kept as a digest.
 */
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
    uint64_t size, json, length; /* of the file; where its JSON begins, and its length */
} subject;

static golden_list list;

static uint64_t load64(const uint8_t *at)
{
    uint64_t value = 0;
    int i;

    for (i = 7; i >= 0; i--)
        value = value << 8 | at[i];
    return value;
}

static void store64(uint8_t *at, uint64_t value)
{
    int i;

    for (i = 0; i < 8; i++)
        at[i] = (uint8_t)(value >> (8 * i));
}

/* The next good file of the list with a footer; 0 at the end. *at: where to go on. */
static int next_subject(subject *s, size_t *at)
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

/* ---- an application that looks at everything ---- */

typedef struct look {
    rig r;
    utet_meta meta;
    uint64_t digest;
    utet_status stop; /* the first error */
} look;

static void see(look *x, const void *data, size_t size)
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

static void see_value(look *x, utet_value value, int depth)
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

static void see_history(look *x)
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

static void see_about(look *x, const utet_dataset *dataset)
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

static void see_zones(look *x, const utet_dataset *dataset)
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

static void look_meta(look *x, int zones)
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

/* Opens the file; what does not belong to the footer is not our matter here. */
static void start(look *x, const subject *s, size_t work)
{
    utet_status status;

    rig_make(&x->r, s->bytes, s->size, -1);
    rig_start(&x->r, work, GUARD_AFTER);
    DRIVE(status, utet_open(&x->r.file, &(utet_options){.budget = work}));
    suite_check(status == UTET_OK, "%s: open: %s", s->golden->name, rig_status(status));
}

/* ---- faults ---- */

static uint64_t injected;

static void one_fault(look *x, const subject *s, fault_kind kind, int forever, uint64_t at, uint64_t digest)
{
    faultport *port = &x->r.port;

    port->reads = 0;
    port->fault = kind;
    port->fault_at = at;
    port->fault_forever = forever;
    port->faults = 0;
    look_meta(x, 1);
    injected += port->faults;
    suite_check(port->faults > 0, "%s: read %llu is not reached", s->golden->name, (unsigned long long)at);
    rig_check(&x->r, s->golden->name);
    if (kind == FAULT_ERROR || kind == FAULT_EOF) {
        utet_status expected = kind == FAULT_EOF ? UTET_E_SHORT : FAULTPORT_ERROR;

        suite_check(x->stop == expected, "%s: read %llu, %s: %s", s->golden->name, (unsigned long long)at,
                    fault_names[kind], rig_status(x->stop));
        suite_check(port->reads == at + 1, "%s: reads go on after a fault", s->golden->name);
        port->fault = FAULT_NONE;
        look_meta(x, 1); /* the file stays usable */
    }
    suite_check(x->stop == UTET_OK && x->digest == digest, "%s: read %llu, %s: something else is seen", s->golden->name,
                (unsigned long long)at, fault_names[kind]);
}

static void faults_in_window(const subject *s, size_t work)
{
    static look x;
    uint64_t reads, digest, i, stride;
    int kind;

    start(&x, s, work);
    look_meta(&x, 1);
    suite_check(x.stop == UTET_OK, "%s: %s", s->golden->name, rig_status(x.stop));
    reads = x.r.port.reads;
    look_meta(&x, 1); /* from a window in the same state as at each repetition */
    digest = x.digest;
    reads = x.r.port.reads - reads;
    stride = suite_full() || reads < 200 ? 1 : reads / 100;
    for (i = 0; i + 1 < reads; i += stride)
        for (kind = FAULT_ERROR; kind < FAULT_KINDS; kind++) {
            one_fault(&x, s, (fault_kind)kind, 0, i, digest);
            one_fault(&x, s, (fault_kind)kind, 1, i, digest);
        }
    rig_end(&x.r, s->golden->name);
}

static void fault_at_each_read(void **state)
{
    subject s;
    size_t at = 0;
    unsigned files = 0;

    (void)state;
    while (next_subject(&s, &at)) {
        faults_in_window(&s, UTET_WINDOW_LEAST(1)); /* many reads */
        if (suite_full())
            faults_in_window(&s, UTET_WINDOW_LEAST(1) + 27); /* their ends elsewhere */
        free(s.bytes);
        files++;
    }
    suite_check(files > 20, "only %u files", files);
    suite_figure("%llu faults injected into reading %u footers", (unsigned long long)injected, files);
}

static void slices_and_suspensions(void **state)
{
    static const size_t slices[] = {1, 2, 7, 64, SLICE_RANDOM};
    static look x;
    subject s;
    size_t at = 0, i;

    (void)state;
    while (next_subject(&s, &at)) {
        uint64_t digest;

        start(&x, &s, UTET_WINDOW_BEST(1));
        look_meta(&x, 1);
        digest = x.digest;
        rig_end(&x.r, s.golden->name);
        for (i = 0; i < sizeof slices / sizeof slices[0]; i++) {
            start(&x, &s, UTET_WINDOW_LEAST(1));
            x.r.port.slice = slices[i];
            x.r.port.blocks = i & 1 ? 2 : 1;
            look_meta(&x, 1);
            suite_check(x.stop == UTET_OK && x.digest == digest, "%s: slices of %d", s.golden->name, (int)slices[i]);
            rig_end(&x.r, s.golden->name);
        }
        free(s.bytes);
    }
}

/* ---- damage ---- */

static double worst_ratio;
static uint64_t refused_at; /* error_offset of the last refusal */
static char worst_name[100];

/* Opening reads each byte of the footer a bounded number of times, whatever is in it. */
static void note_ratio(look *x, const subject *s, uint64_t before)
{
    double present = (double)(s->size - x->r.file.index_offset - x->r.file.index_length);
    double ratio = (double)(x->r.port.bytes_read - before) / present;

    if (ratio > worst_ratio) {
        worst_ratio = ratio;
        (void)snprintf(worst_name, sizeof worst_name, "%s", s->golden->name);
    }
}

/* Opens the metadata of a damaged copy; the tensors must stay as they are. */
static utet_status damaged(look *x, const subject *s)
{
    utet_dataset dataset;
    utet_status status, after;
    uint64_t before;

    start(x, s, UTET_WINDOW_BEST(1));
    before = x->r.port.bytes_read;
    DRIVE(status, utet_meta_open(&x->meta, &x->r.file));
    note_ratio(x, s, before);
    if (status == UTET_OK) {
        look_meta(x, 1);
        suite_check(x->stop == UTET_OK || x->stop == UTET_E_METADATA, "%s: %s", s->golden->name, rig_status(x->stop));
    } else {
        utet_value item;

        refused_at = x->r.file.error_offset;
        suite_check(status == UTET_E_METADATA, "%s: %s", s->golden->name, rig_status(status));
        suite_check(refused_at <= s->size, "%s: offset", s->golden->name);
        suite_check(utet_value_next(&x->meta, &x->meta.history, &item, &item) == status, "the error does not stick");
        DRIVE(after, utet_meta_strict(&x->meta));
        suite_check(after == status ? x->r.file.error_offset == refused_at : after == UTET_E_ROW, "%s: strict mode: %s",
                    s->golden->name, rig_status(after));
    }
    DRIVE(after, utet_dataset_first(&x->r.file, &dataset));
    suite_check(after == (x->r.file.dataset_count != 0 ? UTET_OK : UTET_END), "%s: tensors cost", s->golden->name);
    return status;
}

static void every_truncation(void **state)
{
    static look x;
    subject s;
    size_t at = 0;
    uint64_t cuts = 0;

    (void)state;
    while (next_subject(&s, &at)) {
        uint64_t whole = s.length, end = s.json + s.length, keep;
        uint8_t tail[16], *all = s.bytes;

        while (whole > 0 && strchr(" \t\r\n", (char)all[s.json + whole - 1]) != NULL)
            whole--;
        memcpy(tail, all + end, sizeof tail);
        for (keep = 0; keep < whole; keep++) {
            uint8_t *copy = malloc((size_t)(s.json + keep + 16));
            utet_status status;

            suite_check(copy != NULL, "memory");
            memcpy(copy, all, (size_t)(s.json + keep));
            memcpy(copy + s.json + keep, tail, 16);
            store64(copy + s.json + keep, keep);
            s.bytes = copy;
            s.size = s.json + keep + 16;
            status = damaged(&x, &s);
            suite_check(status == UTET_E_METADATA, "%s cut to %llu: %s", s.golden->name, (unsigned long long)keep,
                        rig_status(status));
            /* the end, or the character that is cut */
            suite_check(refused_at <= s.json + keep && refused_at + 4 > s.json + keep, "%s cut to %llu: offset %llu",
                        s.golden->name, (unsigned long long)keep, (unsigned long long)(refused_at - s.json));
            rig_end(&x.r, s.golden->name);
            free(copy);
            cuts++;
        }
        free(all);
    }
    suite_figure("%llu truncated footers refused at the right place", (unsigned long long)cuts);
}

static void every_bit_flip(void **state)
{
    static look x;
    subject s;
    size_t at = 0;
    uint64_t flips = 0, refused = 0;

    (void)state;
    while (next_subject(&s, &at)) {
        /* the JSON, and spills in front of it */
        uint64_t index_end = load64(s.bytes + 16) + load64(s.bytes + 24), i;
        uint64_t from = s.json - index_end > MOST_FLIPPED ? s.json - MOST_FLIPPED : index_end;
        if (s.length > MOST_FLIPPED && !suite_full())
            from = s.json + s.length - MOST_FLIPPED;
        for (i = from * 8; i < (s.json + s.length) * 8; i += suite_full() ? 1 : 3) {
            s.bytes[i / 8] ^= (uint8_t)(1u << (i & 7));
            refused += damaged(&x, &s) != UTET_OK;
            rig_end(&x.r, s.golden->name);
            s.bytes[i / 8] ^= (uint8_t)(1u << (i & 7));
            flips++;
        }
        free(s.bytes);
    }
    suite_check(refused > 3000, "only %llu of %llu refused", (unsigned long long)refused, (unsigned long long)flips);
    suite_figure(
        "%llu flipped bits, %llu refused; opening reads at most %.2f bytes for each byte behind the index (%s)",
        (unsigned long long)flips, (unsigned long long)refused, worst_ratio, worst_name);
    suite_check(worst_ratio < 5, "opening reads too much");
}

/* ---- zone maps and indexes against the data ---- */

static double number_of(const utet_dataset *dataset, const uint8_t *at)
{
    float f;
    double d;

    if (dataset->dtype == UTET_F32) {
        memcpy(&f, at, 4); /* the hosts that run this are little-endian or skip the case */
        return (double)f;
    }
    memcpy(&d, at, 8);
    return d;
}

/* The f32 next to the one at `at`, upwards or downwards; not for zeros. */
static void next_f32(const uint8_t *at, int upwards, uint8_t *to)
{
    uint32_t bits;

    memcpy(&bits, at, 4);
    bits += (bits >> 31 != 0) == upwards ? UINT32_MAX : 1;
    memcpy(to, &bits, 4);
}

typedef struct question {
    look x;
    utet_dataset_meta described;
    utet_zones zones;
    utet_dataset dataset;
    unsigned chunks, values;
} question;

/* Which chunks hold the element? By decoding them all. */
static unsigned holders(question *q, const uint8_t *element, uint64_t found[][UTET_MAX_NDIM], unsigned most)
{
    static uint8_t tile[65536];
    utet_chunk chunk;
    utet_status status;
    unsigned count = 0;

    DRIVE(status, utet_row_first(&q->x.r.file, &chunk));
    while (status == UTET_OK) {
        static utet_stream stream;
        size_t i;

        if (chunk.dataset_id == q->dataset.id) {
            DRIVE_OK(utet_stream_load(&stream, &q->x.r.file, &chunk, tile, sizeof tile));
            for (i = 0; i < chunk.raw_byte_len; i += q->dataset.elem_size)
                if (memcmp(tile + i, element, q->dataset.elem_size) == 0 && count < most) {
                    memcpy(found[count++], chunk.coords, sizeof found[0]);
                    break;
                }
        }
        DRIVE(status, utet_row_next(&q->x.r.file, &chunk));
    }
    return count;
}

static void check_index(question *q, const uint8_t *element)
{
    static uint64_t found[256][UTET_MAX_NDIM];
    uint64_t coords[UTET_MAX_NDIM];
    utet_value chunks;
    utet_status status;
    unsigned count, i = 0;

    DRIVE(status, utet_index_value(&q->x.meta, &q->described, element, &chunks));
    if (status == UTET_E_NOT_FOUND)
        return; /* more than 64 values, or NaN */
    suite_check(status == UTET_OK, "index: %s", rig_status(status));
    count = holders(q, element, found, 256);
    for (;;) {
        DRIVE(status, utet_index_chunk(&q->x.meta, &chunks, coords));
        if (status != UTET_OK)
            break;
        suite_check(i < count && memcmp(coords, found[i], q->dataset.ndim * sizeof coords[0]) == 0,
                    "the index names another chunk");
        i++;
    }
    suite_check(i == count, "the index names %u chunks of %u", i, count);
    q->values++;
}

static void check_chunk(question *q, const utet_chunk *chunk)
{
    static uint8_t tile[65536];
    static utet_stream stream;
    utet_zone zone;
    utet_status status;
    size_t size = q->dataset.elem_size, i;
    uint8_t low[8], high[8];
    uint64_t nulls = 0;
    int any = 0;

    DRIVE_OK(utet_stream_load(&stream, &q->x.r.file, chunk, tile, sizeof tile));
    for (i = 0; i < chunk->raw_byte_len; i += size) {
        double value = number_of(&q->dataset, tile + i);

        if (value != value) {
            nulls++;
            continue;
        }
        if (!any || value < number_of(&q->dataset, low))
            memcpy(low, tile + i, size);
        if (!any || value > number_of(&q->dataset, high))
            memcpy(high, tile + i, size);
        any = 1;
    }
    DRIVE(status, utet_zone_find(&q->x.meta, &q->zones, chunk->coords, &zone));
    suite_check(status == UTET_OK, "zone: %s", rig_status(status));
    suite_check(zone.element_count == chunk->raw_byte_len / size, "element count");
    suite_check(utet_zone_may_be_null(&q->zones, &zone) == (nulls != 0), "nulls");
    if (any) {
        uint8_t beyond[8];

        suite_check(utet_zone_may_hold(&q->zones, &zone, low, low) && utet_zone_may_hold(&q->zones, &zone, high, high),
                    "lowest and highest are there");
        if (size == 4 && (high[3] & 0x7F) != 0) {
            next_f32(high, 1, beyond);
            suite_check(!utet_zone_may_hold(&q->zones, &zone, beyond, beyond), "above the highest");
        }
        if (size == 4 && (low[3] & 0x7F) != 0) {
            next_f32(low, 0, beyond);
            suite_check(!utet_zone_may_hold(&q->zones, &zone, beyond, beyond), "below the lowest");
        }
    }
    check_index(q, tile);
    check_index(q, tile + chunk->raw_byte_len - size);
    q->chunks++;
}

static void zones_and_data(void **state)
{
    static question q;
    subject s;
    size_t at = 0;
    unsigned files = 0;
    const uint16_t one = 1;
    uint8_t little;

    (void)state;
    memcpy(&little, &one, 1);
    if (little == 0)
        suite_skip("zone maps against the data: compares as the machine does, which is big-endian");
    while (next_subject(&s, &at)) {
        utet_status status;
        utet_chunk chunk;

        if (s.bytes[s.size - 8] != 2) {
            free(s.bytes);
            continue;
        }
        rig_make(&q.x.r, s.bytes, s.size, 0);
        rig_start(&q.x.r, 1u << 20, GUARD_AFTER);
        DRIVE_OK(utet_open(&q.x.r.file, &(utet_options){.budget = 1u << 20}));
        DRIVE_OK(utet_meta_open(&q.x.meta, &q.x.r.file));
        DRIVE(status, utet_row_first(&q.x.r.file, &chunk));
        while (status == UTET_OK) {
            DRIVE_OK(utet_dataset_first(&q.x.r.file, &q.dataset));
            while (q.dataset.id != chunk.dataset_id)
                DRIVE_OK(utet_dataset_next(&q.x.r.file, &q.dataset));
            DRIVE(status, utet_meta_dataset(&q.x.meta, &q.dataset, &q.described));
            DRIVE(status, utet_zones_open(&q.x.meta, &q.described, &q.zones));
            if (status == UTET_OK && (q.dataset.dtype == UTET_F32 || q.dataset.dtype == UTET_F64) &&
                chunk.raw_byte_len <= 65536)
                check_chunk(&q, &chunk);
            DRIVE(status, utet_row_next(&q.x.r.file, &chunk));
        }
        rig_end(&q.x.r, s.golden->name);
        free(s.bytes);
        files++;
    }
    suite_check(files > 1 && q.chunks > 10 && q.values > 10, "%u files, %u chunks, %u values", files, q.chunks,
                q.values);
    suite_figure("zone maps of %u chunks and postings of %u values agree with the decoded data", q.chunks, q.values);
}

/* ---- 16 MiB of metadata, 1 KB of memory ---- */

/* The bytes of a small file up to its footer, a spill with 256 datasets of 64 attributes of 1000 bytes, a footer. The
 * last dataset is the one that the directory names. */
static uint8_t *with_large_spill(const subject *s, const char *name, uint64_t *size)
{
    uint8_t *file = malloc((size_t)s->json + 18000000);
    char *at;
    char *spill;
    unsigned d, k;

    suite_check(file != NULL, "memory");
    memcpy(file, s->bytes, (size_t)s->json);
    at = spill = (char *)file + s->json;
    at += sprintf(at, "{\"datasets\":{");
    for (d = 0; d < 256; d++) {
        if (d < 255)
            at += sprintf(at, "\"group/subgroup/a variable with a long name %03u\":{\"attrs\":{", d);
        else
            at += sprintf(at, "\"%s\":{\"dim_names\":[\"x\"],\"attrs\":{", name);
        for (k = 0; k < 64; k++) {
            at += sprintf(at, "%s\"k%u\":\"%03u", k > 0 ? "," : "", k, d);
            memset(at, 'v', 997);
            at += 997;
            *at++ = '"';
        }
        at += sprintf(at, "}}%s", d < 255 ? "," : "}}");
    }
    d = (unsigned)(at - spill);
    k = (unsigned)sprintf(at, "{\"history\":[],\"metadata_ref\":{\"offset\":%lu,\"len\":%u}}", (unsigned long)s->json,
                          d);
    at += k;
    memset(at, 0, 16);
    *at = (char)k;
    at[8] = 1;
    memcpy(at + 12, "THST", 4);
    *size = (uint64_t)((uint8_t *)at + 16 - file);
    return file;
}

static void sixteen_megabytes(void **state)
{
    static look x;
    subject s;
    size_t at = 0, got;
    char name[64], text[1000];
    utet_dataset dataset;
    utet_dataset_meta described;
    utet_value value;
    uint64_t opened, size;
    uint8_t *small;

    (void)state;
    suite_check(next_subject(&s, &at), "no file");
    start(&x, &s, 1024);
    DRIVE_OK(utet_dataset_first(&x.r.file, &dataset));
    suite_check(dataset.name_length < sizeof name, "name");
    DRIVE_OK(utet_dataset_name(&x.r.file, &dataset, 0, name, dataset.name_length));
    name[dataset.name_length] = '\0';
    rig_end(&x.r, "small");
    small = s.bytes;
    s.bytes = with_large_spill(&s, name, &size);
    s.size = size;
    free(small);
    start(&x, &s, 1024);
    DRIVE_OK(utet_meta_open(&x.meta, &x.r.file));
    opened = x.r.port.bytes_read;
    DRIVE_OK(utet_dataset_first(&x.r.file, &dataset));
    DRIVE_OK(utet_meta_dataset(&x.meta, &dataset, &described));
    suite_check(described.attrs.size == 64 && described.dim_names.size == 1, "entries");
    DRIVE_OK(utet_map_find(&x.meta, &described.attrs, "k63", 3, &value));
    suite_check(value.size == 1000, "size");
    DRIVE_OK(utet_text_read(&x.meta, &value, text, sizeof text, &got));
    suite_check(got == 1000 && memcmp(text, "255vvv", 6) == 0 && text[999] == 'v', "text");
    suite_check(x.r.file.high_water <= 1024, "workspace");
    suite_figure("a spill of %llu bytes: opening reads %.2f, finding an attribute %.2f bytes for each; workspace %zu, "
                 "utet_meta %zu bytes (64-bit)",
                 (unsigned long long)size, (double)opened / (double)size,
                 (double)(x.r.port.bytes_read - opened) / (double)size, x.r.file.high_water, sizeof x.meta);
    rig_end(&x.r, "16 MiB");
    free(s.bytes);
}

int main(void)
{
    const struct CMUnitTest cases[] = {
        cmocka_unit_test(fault_at_each_read), cmocka_unit_test(slices_and_suspensions),
        cmocka_unit_test(every_truncation),   cmocka_unit_test(every_bit_flip),
        cmocka_unit_test(zones_and_data),     cmocka_unit_test(sixteen_megabytes),
    };
    int result;

    list = golden_load();
    result = SUITE("meta", cases);
    golden_free(&list);
    return result;
}
