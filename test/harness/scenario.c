/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * See scenario.h. A scenario stops at its first error, and checks there what the header promises about errors that
 * stick: those of streams and slabs do, and are repeated without asking the port; those of the catalogue do not.
 */
#include "scenario.h"

#include <string.h>

/* Datasets and chunks looked at, so that files with thousands do not take a scenario hours. */
enum { MOST_DATASETS = 12, MOST_CHUNKS = 10, MOST_ROWS = 40, MOST_ELEMENTS = 20000 };

/* Memory of a caller: `size` bytes that end at an unmapped page, all 0, until the next call. */
static uint8_t *caller_memory(size_t size)
{
    static guard pool;
    static int there;
    uint8_t *at;
    if (!there || pool.size < size) {
        if (there)
            guard_free(&pool);
        pool = guard_new(size < (1 << 21) ? 1 << 21 : size, 1, GUARD_AFTER);
        there = 1;
    }
    at = pool.data + pool.size - size;
    memset(at, 0, size);
    return at;
}

static void see(scenario_run *x, const void *data, size_t size)
{
    const uint8_t *p = data;
    for (size_t i = 0; i < size; i++)
        x->transcript = (x->transcript ^ p[i]) * 0x100000001B3u;
}

static void see_number(scenario_run *x, uint64_t value)
{
    uint8_t b[8];
    for (unsigned i = 0; i < 8; i++)
        b[i] = (uint8_t)(value >> (8 * i));
    see(x, b, sizeof b);
}

/* Drives a call; leaves the scenario at an error. UTET_END continues. */
#define TRY(x, status, call)      \
    do {                          \
        DRIVE(status, call);      \
        if ((status) < 0) {       \
            (x)->stop = (status); \
            (x)->where = #call;   \
            return;               \
        }                         \
    } while (0)

static void run_open(scenario_run *x)
{
    const utet_file *f = &x->r->file;
    see_number(x, f->dataset_count);
    see_number(x, f->flags);
    see_number(x, f->index_offset);
    see_number(x, f->row_count);
    see_number(x, f->footer_offset);
    see_number(x, f->footer_length);
    see_number(x, f->history_version);
    see_number(x, f->memory_budget_bytes);
    see_number(x, f->memory_budget_percent_bps);
}

static void see_dataset(scenario_run *x, const utet_dataset *d)
{
    see_number(x, d->id);
    see_number(x, d->dtype);
    see_number(x, d->ndim);
    for (unsigned a = 0; a < d->ndim; a++) {
        see_number(x, d->shape[a]);
        see_number(x, d->chunk_shape[a]);
        see_number(x, d->grid[a]);
    }
}

static void run_list(scenario_run *x)
{
    utet_dataset d;
    utet_status status;
    char name[16];
    unsigned seen = 0;
    TRY(x, status, utet_dataset_first(&x->r->file, &d));
    while (status == UTET_OK && seen++ < MOST_DATASETS) {
        see_dataset(x, &d);
        for (uint32_t at = 0; at < d.name_length && at < 200; at += (uint32_t)sizeof name) {
            size_t n = d.name_length - at < sizeof name ? d.name_length - at : sizeof name;
            TRY(x, status, utet_dataset_name(&x->r->file, &d, at, name, n));
            see(x, name, n);
        }
        TRY(x, status, utet_dataset_next(&x->r->file, &d));
    }
}

static void run_find(scenario_run *x)
{
    utet_dataset d, found;
    utet_status status, absent;
    static const char nobody[] = "no such dataset";
    static char name[300]; /* a long name may come straight from the port */
    unsigned seen = 0;
    faultport_zone(&x->r->port, 2, name, sizeof name);
    TRY(x, status, utet_dataset_first(&x->r->file, &d));
    while (status == UTET_OK && seen++ < 4) {
        if (d.name_length <= sizeof name) {
            TRY(x, status, utet_dataset_name(&x->r->file, &d, 0, name, d.name_length));
            TRY(x, status, utet_dataset_find(&x->r->file, name, d.name_length, &found));
            suite_check(x->fickle || found.id <= d.id, "found a later record of that name");
            see_dataset(x, &found);
        }
        TRY(x, status, utet_dataset_next(&x->r->file, &d));
    }
    DRIVE(absent, utet_dataset_find(&x->r->file, nobody, sizeof nobody - 1, &found));
    if (absent != UTET_E_NOT_FOUND) {
        x->stop = absent;
        x->where = "utet_dataset_find(nobody)";
    }
}

static void see_chunk(scenario_run *x, const utet_chunk *c)
{
    see_number(x, c->row);
    see_number(x, c->dataset_id);
    see_number(x, c->payload_offset);
    see_number(x, c->raw_byte_len);
    see_number(x, c->stored_byte_len);
    see_number(x, c->codec);
}

/* The n-th tile of a dataset in row-major order; 0 if there are fewer. */
static int tile_coords(const utet_dataset *d, uint64_t n, uint64_t *at)
{
    for (unsigned a = d->ndim; a-- > 0;) {
        if (d->grid[a] == 0)
            return 0;
        at[a] = n % d->grid[a];
        n /= d->grid[a];
    }
    return n == 0;
}

static void run_chunk(scenario_run *x)
{
    utet_dataset d;
    utet_chunk c;
    utet_status status;
    uint64_t at[8];
    unsigned seen = 0;
    TRY(x, status, utet_row_first(&x->r->file, &c));
    for (unsigned i = 0; status == UTET_OK && i < MOST_ROWS; i++) {
        see_chunk(x, &c);
        TRY(x, status, utet_row_next(&x->r->file, &c));
    }
    TRY(x, status, utet_dataset_first(&x->r->file, &d));
    while (status == UTET_OK && seen++ < MOST_DATASETS) {
        for (uint64_t i = 0; i < MOST_CHUNKS && tile_coords(&d, i, at); i++) {
            utet_need need;
            TRY(x, status, utet_chunk_find(&x->r->file, &d, at, &c));
            see_chunk(x, &c);
            TRY(x, status, utet_chunk_need(&x->r->file, &c, (int)(i % 2), &need));
            see_number(x, need.least);
            see_number(x, need.best);
        }
        TRY(x, status, utet_dataset_next(&x->r->file, &d));
    }
}

/* An error of a stream is repeated, and without the port. */
static void stuck(scenario_run *x, utet_stream *stream, utet_status status, const char *where)
{
    uint8_t byte;
    size_t got = 9;
    uint64_t reads = x->r->port.reads + x->r->port.blocked;
    utet_status again = utet_stream_read(stream, &byte, 1, &got);
    suite_check(again == status && got == 0, "stream error %s became %s", rig_status(status), rig_status(again));
    suite_check(reads == x->r->port.reads + x->r->port.blocked, "a failed stream asked the port again");
    x->stop = status;
    x->where = where;
}

static void stream_chunk(scenario_run *x, const utet_chunk *c, unsigned slice)
{
    utet_stream stream;
    utet_status status;
    uint8_t *piece = caller_memory(slice);
    size_t got;
    unsigned turn = 0;
    DRIVE(status, utet_stream_open(&stream, &x->r->file, c));
    if (status < 0) {
        x->stop = status;
        x->where = "utet_stream_open";
    }
    faultport_zone(&x->r->port, 1, piece, slice);
    while (status == UTET_OK) {
        if (++turn % 5 == 0)
            DRIVE(status, utet_stream_skip(&stream, slice / 2 + 1));
        else
            DRIVE(status, utet_stream_read(&stream, piece, slice, &got));
        if (status < 0)
            stuck(x, &stream, status, "utet_stream_read or skip");
        else if (turn % 5 != 0)
            see(x, piece, got);
        see_number(x, stream.position);
        if (status == UTET_OK && turn % 5 == 0 && stream.position == stream.length)
            break;
    }
    faultport_zone(&x->r->port, 1, NULL, 0);
}

static void load_chunk(scenario_run *x, const utet_chunk *c)
{
    utet_stream stream;
    utet_status status;
    size_t size = (size_t)c->raw_byte_len;
    if (c->raw_byte_len > 1 << 21)
        return;
    uint8_t *whole = caller_memory(size);
    faultport_zone(&x->r->port, 1, whole, size);
    DRIVE(status, utet_stream_load(&stream, &x->r->file, c, whole, size));
    if (status < 0) {
        x->stop = status;
        x->where = "utet_stream_load";
    } else {
        see(x, whole, size);
    }
    faultport_zone(&x->r->port, 1, NULL, 0);
}

static void run_stream(scenario_run *x)
{
    static const unsigned slices[] = {100, 7, 513, 64, 1000};
    utet_dataset d;
    utet_chunk c;
    utet_status status;
    uint64_t at[8];
    unsigned seen = 0;
    TRY(x, status, utet_dataset_first(&x->r->file, &d));
    while (status == UTET_OK && seen++ < MOST_DATASETS) {
        for (unsigned i = 0; i < MOST_CHUNKS / 2 && tile_coords(&d, i, at); i++) {
            TRY(x, status, utet_chunk_find(&x->r->file, &d, at, &c));
            if (i % 2 == 0)
                stream_chunk(x, &c, slices[(seen + i / 2) % 5]);
            else
                load_chunk(x, &c);
            if (x->stop != UTET_OK)
                return;
        }
        TRY(x, status, utet_dataset_next(&x->r->file, &d));
    }
}

/* Runs put in place here, so that the transcript does not depend on how they were cut. */
static void slab_by_runs(scenario_run *x, const utet_dataset *d, const utet_range *ranges)
{
    utet_slab slab;
    utet_run run;
    utet_status status;
    TRY(x, status, utet_slab_need(&slab, &x->r->file, d, ranges));
    if (slab.count > MOST_ELEMENTS)
        return;
    see_number(x, slab.need.least);
    TRY(x, status, utet_slab_open(&slab, &x->r->file, d, ranges));
    size_t size = (size_t)slab.count * d->elem_size, filled = 0;
    uint8_t *out = caller_memory(size);
    while (status == UTET_OK) {
        DRIVE(status, utet_slab_next(&slab, &run));
        if (status == UTET_OK && (run.count == 0 || run.first + run.count > slab.count))
            suite_fail("run of %zu at %llu of %llu", run.count, (unsigned long long)run.first,
                       (unsigned long long)slab.count);
        for (size_t i = 0; status == UTET_OK && i < run.count; i++, filled++)
            memcpy(out + ((size_t)run.first + i) * d->elem_size, run.data + i * run.stride, d->elem_size);
    }
    see(x, out, size);
    if (status < 0) {
        uint64_t reads = x->r->port.reads + x->r->port.blocked;
        utet_status again = utet_slab_next(&slab, &run);
        suite_check(again == status && reads == x->r->port.reads + x->r->port.blocked, "slab error %s became %s",
                    rig_status(status), rig_status(again));
        x->stop = status;
        x->where = "utet_slab_next";
    } else {
        suite_check(filled == slab.count, "runs give %zu of %llu elements", filled, (unsigned long long)slab.count);
    }
}

static void slab_dense(scenario_run *x, const utet_dataset *d, const utet_range *ranges)
{
    utet_slab slab;
    utet_status status;
    TRY(x, status, utet_slab_open(&slab, &x->r->file, d, ranges));
    if (slab.count > MOST_ELEMENTS)
        return;
    size_t size = (size_t)slab.count * d->elem_size;
    uint8_t *out = caller_memory(size);
    faultport_zone(&x->r->port, 1, out, size);
    DRIVE(status, utet_slab_read_all(&slab, out, size));
    faultport_zone(&x->r->port, 1, NULL, 0);
    if (status < 0) {
        x->stop = status;
        x->where = "utet_slab_read_all";
    } else {
        see(x, out, size);
    }
}

static void run_slab(scenario_run *x)
{
    utet_dataset d;
    utet_status status;
    unsigned seen = 0;
    TRY(x, status, utet_dataset_first(&x->r->file, &d));
    while (status == UTET_OK && seen++ < MOST_DATASETS) {
        utet_range all[8], some[8];
        for (unsigned a = 0; a < d.ndim; a++) {
            uint64_t n = d.shape[a];
            all[a] = (utet_range){0, n, n > 400 ? n / 200 : 1};
            some[a] = (utet_range){n > 2 ? 1 : 0, n > 5000 ? 5000 : n, n > 3 ? 2 + a : 1};
        }
        slab_by_runs(x, &d, all);
        if (x->stop == UTET_OK)
            slab_dense(x, &d, some);
        if (x->stop != UTET_OK)
            return;
        TRY(x, status, utet_dataset_next(&x->r->file, &d));
    }
}

const scenario scenarios[SCENARIOS] = {
    {"open", run_open},   {"list", run_list},     {"find", run_find},
    {"chunk", run_chunk}, {"stream", run_stream}, {"slab", run_slab},
};

void scenario_again(scenario_run *x, rig *r, const scenario *s)
{
    *x = (scenario_run){.r = r, .transcript = 0xcbf29ce484222325u, .where = "", .fickle = x->fickle};
    s->run(x);
    see_number(x, (uint64_t)(int64_t)x->stop);
}

void scenario_from_open(scenario_run *x, rig *r, const scenario *s)
{
    utet_status status;
    DRIVE(status, utet_open(&r->file, &(utet_options){.budget = (size_t)-1}));
    if (status == UTET_OK) {
        scenario_again(x, r, s);
        return;
    }
    *x = (scenario_run){
        .r = r, .transcript = 0xcbf29ce484222325u, .stop = status, .where = "utet_open", .fickle = x->fickle};
    see_number(x, (uint64_t)(int64_t)status);
}
