/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Every status that utet.h, utet_check.h, utet_codec.h and utet_show.h list at a public call ("Returns:") is provoked
 * here, one case each, named "utet_call STATUS". test/tools/suite_status.py fails when a listed pair has no case, and
 * when a case has a pair that is not listed (test/README.md, bar 2).
 *
 * World: a file of three datasets, "r" raw u16, "z" zstd f32, "m" both; a window of one unit, so that most calls need
 * the port; zstd by the codec of the case (all codecs in turn).
 */
#include "utet_codec.h"
#include "badframes.h"
#include "rig.h"
#include "statuses.h"
#include "tetgen.h"
#include "utet_check.h"
#include "utet_show.h"

#include <stdlib.h>
#include <string.h>

typedef struct world {
    rig r;
    tetgen g;
    int codec;
    uint8_t *bytes; /* the file, to be damaged before open */
    utet_dataset d;
    utet_chunk c;
    utet_stream s;
    utet_slab slab;
    utet_check check;
    uint64_t at[8];
    utet_range range[8];
    uint8_t out[40000];
    size_t work;
    int open;
} world;

static const tetgen_dataset datasets[] = {
    {.name = "raw dataset with a name of some length",
     .name_length = 38,
     .dtype = UTET_U16,
     .ndim = 2,
     .shape = {40, 44},
     .chunk = {8, 8},
     .codec = TETGEN_RAW},
    {.name = "z",
     .name_length = 1,
     .dtype = UTET_F32,
     .ndim = 2,
     .shape = {64, 96},
     .chunk = {64, 96},
     .codec = TETGEN_ZSTD},
    {.name = "m",
     .name_length = 1,
     .dtype = UTET_I64,
     .ndim = 1,
     .shape = {600},
     .chunk = {100},
     .codec = TETGEN_MIXED},
};
enum { RAW, ZSTD, MIXED };

static void world_make(world *w, int codec)
{
    memset(w, 0, sizeof *w);
    w->codec = codec;
    w->g = (tetgen){.datasets = datasets, .count = 3, .seed = 42};
    tetgen_build(&w->g);
    w->bytes = w->g.bytes;
    w->work = 300000;
    rig_make(&w->r, w->bytes, w->g.size, codec);
    w->r.port.slice = 64; /* never more held than a call needs */
}

static void world_end(world *w)
{
    rig_end(&w->r, "status");
    tetgen_free(&w->g);
}

static uint8_t *row(world *w, uint64_t n)
{
    return w->bytes + w->g.index_offset + 32 + 104 * n;
}
enum { FIRST_Z = 30, FIRST_M = 31 }; /* rows of the other datasets */

static void start(world *w)
{
    rig_start(&w->r, w->work, GUARD_AFTER);
    faultport_zone(&w->r.port, 1, w->out, sizeof w->out);
}

static void open_world(world *w)
{
    start(w);
    DRIVE_OK(utet_open(&w->r.file, &(utet_options){.budget = (size_t)-1}));
    w->open = 1;
}

static void dataset(world *w, uint32_t id)
{
    DRIVE_OK(utet_dataset_first(&w->r.file, &w->d));
    while (w->d.id < id)
        DRIVE_OK(utet_dataset_next(&w->r.file, &w->d));
}

/* Looks at something far away from whatever the next call wants. */
static void flush(world *w)
{
    utet_dataset d;
    DRIVE_OK(utet_dataset_first(&w->r.file, &d));
}

static void flush_front(world *w)
{
    utet_chunk last;
    utet_dataset d;
    uint64_t at = 5;
    DRIVE_OK(utet_dataset_first(&w->r.file, &d));
    DRIVE_OK(utet_dataset_next(&w->r.file, &d));
    DRIVE_OK(utet_dataset_next(&w->r.file, &d));
    DRIVE_OK(utet_chunk_find(&w->r.file, &d, &at, &last));
}

/* ---- the calls, each ready to be made on an open file ---- */

static void ready_front(world *w)
{
    flush_front(w);
}
static void ready_next(world *w)
{
    DRIVE_OK(utet_dataset_first(&w->r.file, &w->d));
    utet_dataset kept = w->d;
    flush_front(w);
    w->d = kept;
}
static void ready_find(world *w)
{
    dataset(w, ZSTD);
    flush(w);
}
static void ready_row(world *w)
{
    DRIVE_OK(utet_row_first(&w->r.file, &w->c));
    flush(w);
}
static void chunk_of_z(world *w)
{
    dataset(w, ZSTD);
    DRIVE_OK(utet_chunk_find(&w->r.file, &w->d, w->at, &w->c));
}
static void ready_z(world *w)
{
    chunk_of_z(w);
    flush(w);
}
static void ready_read(world *w)
{
    chunk_of_z(w);
    DRIVE_OK(utet_stream_open(&w->s, &w->r.file, &w->c));
    flush(w);
}
static void ready_slab(world *w)
{
    dataset(w, ZSTD);
    for (unsigned a = 0; a < 2; a++)
        w->range[a] = (utet_range){0, w->d.shape[a], 1};
    flush(w);
}
static void ready_run(world *w)
{
    ready_slab(w);
    DRIVE_OK(utet_slab_open(&w->slab, &w->r.file, &w->d, w->range));
    flush(w);
}
static void ready_check(world *w)
{
    utet_check_init(&w->check, &w->r.file);
    flush(w);
}

static utet_status do_open(world *w)
{
    return utet_open(&w->r.file, &(utet_options){.budget = (size_t)-1});
}
static utet_status do_first(world *w)
{
    return utet_dataset_first(&w->r.file, &w->d);
}
static utet_status do_next(world *w)
{
    return utet_dataset_next(&w->r.file, &w->d);
}
static utet_status do_dfind(world *w)
{
    return utet_dataset_find(&w->r.file, "m", 1, &w->d);
}
static utet_status do_name(world *w)
{
    return utet_dataset_name(&w->r.file, &w->d, 3, (char *)w->out, 20);
}
static utet_status do_cfind(world *w)
{
    return utet_chunk_find(&w->r.file, &w->d, w->at, &w->c);
}
static utet_status do_cfirst(world *w)
{
    return utet_row_first(&w->r.file, &w->c);
}
static utet_status do_cnext(world *w)
{
    return utet_row_next(&w->r.file, &w->c);
}
static utet_status do_need(world *w)
{
    utet_need need;
    return utet_chunk_need(&w->r.file, &w->c, 0, &need);
}
static utet_status do_sopen(world *w)
{
    return utet_stream_open(&w->s, &w->r.file, &w->c);
}
static utet_status do_read(world *w)
{
    size_t got;
    return utet_stream_read(&w->s, w->out, sizeof w->out, &got);
}
static utet_status do_skip(world *w)
{
    return utet_stream_skip(&w->s, w->s.length);
}
static utet_status do_load(world *w)
{
    return utet_stream_load(&w->s, &w->r.file, &w->c, w->out, sizeof w->out);
}
static utet_status do_sneed(world *w)
{
    return utet_slab_need(&w->slab, &w->r.file, &w->d, w->range);
}
static utet_status do_slab(world *w)
{
    return utet_slab_open(&w->slab, &w->r.file, &w->d, w->range);
}
static utet_status do_run(world *w)
{
    utet_run run;
    return utet_slab_next(&w->slab, &run);
}
/* Runs to the first that is not OK. */
static utet_status do_runs(world *w)
{
    utet_status status;
    do
        DRIVE(status, do_run(w));
    while (status == UTET_OK);
    return status;
}
static utet_status do_into(world *w)
{
    return utet_slab_read_all(&w->slab, w->out, sizeof w->out);
}
static utet_status do_check(world *w)
{
    utet_finding f;
    return utet_check_next(&w->check, &f);
}
static utet_status do_checks(world *w)
{
    utet_status status;
    do
        DRIVE(status, do_check(w));
    while (status == UTET_OK);
    return status;
}
static utet_status do_rows(world *w)
{
    return utet_check_rows(&w->check);
}

typedef struct public_call {
    const char *name;
    void (*ready)(world *w);
    utet_status (*call)(world *w);
} public_call;

enum {
    OPEN,
    FIRST,
    NEXT,
    DFIND,
    NAME,
    CFIND,
    CFIRST,
    CNEXT,
    NEED,
    SOPEN,
    READ,
    SKIP,
    LOAD,
    SNEED,
    SLAB,
    RUN,
    INTO,
    CHECK,
    ROWS,
    CALLS
};

static const public_call calls[CALLS] = {
    {"utet_open", NULL, do_open},
    {"utet_dataset_first", ready_front, do_first},
    {"utet_dataset_next", ready_next, do_next},
    {"utet_dataset_find", ready_front, do_dfind},
    {"utet_dataset_name", ready_next, do_name},
    {"utet_chunk_find", ready_find, do_cfind},
    {"utet_row_first", flush, do_cfirst},
    {"utet_row_next", ready_row, do_cnext},
    {"utet_chunk_need", ready_z, do_need},
    {"utet_stream_open", ready_z, do_sopen},
    {"utet_stream_read", ready_read, do_read},
    {"utet_stream_skip", ready_read, do_skip},
    {"utet_stream_load", ready_z, do_load},
    {"utet_slab_need", ready_slab, do_sneed},
    {"utet_slab_open", ready_slab, do_slab},
    {"utet_slab_next", ready_run, do_run},
    {"utet_slab_read_all", ready_run, do_into},
    {"utet_check_next", ready_check, do_check},
    {"utet_check_rows", ready_check, do_rows},
};

/* ---- statuses that every call can give ---- */

static void get_ready(world *w, const public_call *p, utet_status wanted)
{
    if (p == &calls[SOPEN] && wanted != UTET_OK)
        w->work = 1000; /* the bound known from the row does not fit: headers are read before the refusal */
    if (p->ready == NULL) {
        start(w);
    } else {
        open_world(w);
        p->ready(w);
    }
}

static utet_status generic_ok(world *w, const public_call *p)
{
    utet_status status;
    get_ready(w, p, UTET_OK);
    DRIVE(status, p->call(w));
    return status;
}

/* "Not yet" at the first read, then the same answer as ever; cancelled once, too. */
static utet_status generic_block(world *w, const public_call *p)
{
    utet_status status;
    get_ready(w, p, UTET_WOULD_BLOCK);
    w->r.port.blocks = 1;
    status = p->call(w);
    if (status != UTET_WOULD_BLOCK)
        return status;
    suite_check(w->r.port.blocked == 1, "suspended without the port");
    DRIVE(status, p->call(w));
    assert_int_equal(status, p == &calls[SOPEN] ? UTET_E_BUDGET : UTET_OK);
    return UTET_WOULD_BLOCK;
}

static utet_status generic_fault(world *w, const public_call *p, fault_kind kind)
{
    utet_status status;
    get_ready(w, p, UTET_E_PORT);
    w->r.port.fault = kind;
    w->r.port.fault_at = w->r.port.reads;
    DRIVE(status, p->call(w));
    return status;
}

/* Before the file is open; and while another call is suspended. */
static utet_status generic_state(world *w, const public_call *p)
{
    utet_status status;
    if (p == &calls[OPEN]) {
        open_world(w);
        return p->call(w); /* open already */
    }
    get_ready(w, p, UTET_OK);
    w->r.port.blocks = 1;
    flush_front(w);
    if (p == &calls[FIRST])
        status = utet_row_first(&w->r.file, &w->c);
    else
        status = utet_dataset_first(&w->r.file, &(utet_dataset){0});
    assert_int_equal(status, UTET_WOULD_BLOCK);
    status = p->call(w);
    if (status != UTET_E_STATE)
        return status;
    utet_cancel(&w->r.file);
    assert_int_equal(w->r.port.cancels, 1);
    w->r.port.blocks = 0;
    /* not open */
    if (p != &calls[READ] && p != &calls[SKIP] && p != &calls[RUN] && p != &calls[INTO] && p != &calls[CHECK]) {
        utet_init(&w->r.file, &w->r.port.io, w->r.work.data, w->work, w->r.codecs);
        return p->call(w);
    }
    return UTET_E_STATE;
}

/* ---- statuses with a cause of their own: damage the world, then make the call ---- */

typedef struct cause {
    unsigned call;
    utet_status status;
    utet_status (*provoke)(world *w);
} cause;

static utet_status open_damaged(world *w)
{
    utet_status status;
    start(w);
    DRIVE(status, utet_open(&w->r.file, &(utet_options){.budget = (size_t)-1}));
    return status;
}
static utet_status p_magic(world *w)
{
    w->bytes[0] ^= 1;
    return open_damaged(w);
}
static utet_status p_version(world *w)
{
    w->bytes[4] = 2;
    return open_damaged(w);
}
static utet_status p_superblock(world *w)
{
    tetgen_put(w->bytes + 24, w->g.size, 8);
    return open_damaged(w);
}
static utet_status p_directory(world *w)
{
    tetgen_put(w->bytes + 32, w->g.size, 8);
    return open_damaged(w);
}
static utet_status p_dataset(world *w)
{
    tetgen_put(w->bytes + 48, 9, 4);
    return open_damaged(w);
}
static utet_status p_index(world *w)
{
    w->bytes[w->g.index_offset] ^= 1;
    return open_damaged(w);
}
static utet_status p_index_version(world *w)
{
    w->bytes[w->g.index_offset + 4] = 2;
    return open_damaged(w);
}
static utet_status p_open_budget(world *w)
{
    w->work = UTET_WINDOW_LEAST(1) - 1;
    utet_status status = open_damaged(w);
    assert_int_equal(w->r.file.needed, UTET_WINDOW_LEAST(1));
    return status;
}

/* The end of the directory and of the index. */
static utet_status p_end_first(world *w)
{
    static const uint8_t empty[32] = "TETR\1";
    uint8_t file[32];
    memcpy(file, empty, 32);
    file[16] = 32;
    w->r.port.bytes = file;
    w->r.port.io.size = 32;
    open_world(w);
    return do_first(w);
}
static utet_status p_end_next(world *w)
{
    open_world(w);
    dataset(w, MIXED);
    return do_next(w);
}
static utet_status p_end_cfirst(world *w)
{
    tetgen_dataset d = {.name = "e", .name_length = 1, .dtype = UTET_U8, .ndim = 1, .shape = {0}, .chunk = {1}};
    tetgen g = {.datasets = &d, .count = 1, .seed = 1};
    tetgen_build(&g);
    w->r.port.bytes = g.bytes;
    w->r.port.io.size = g.size;
    open_world(w);
    utet_status status = do_cfirst(w);
    tetgen_free(&g);
    return status;
}
static utet_status p_end_cnext(world *w)
{
    open_world(w);
    w->c.row = w->g.row_count - 1;
    return do_cnext(w);
}
static utet_status p_end_read(world *w)
{
    open_world(w);
    ready_read(w);
    DRIVE_OK(do_skip(w));
    return do_read(w);
}
static utet_status p_end_run(world *w)
{
    open_world(w);
    ready_run(w);
    DRIVE_OK(do_into(w));
    return do_run(w);
}
static utet_status p_end_check(world *w)
{
    open_world(w);
    ready_check(w);
    return do_checks(w);
}

/* The medium changes after opening. */
static utet_status changed_record(world *w, utet_status (*call)(world *w), uint64_t offset)
{
    utet_status status;
    open_world(w);
    ready_next(w);
    tetgen_put(w->bytes + offset + 8, 77, 4); /* ndim */
    DRIVE(status, call(w));
    return status;
}
static utet_status p_changed_first(world *w)
{
    return changed_record(w, do_first, 40);
}
static utet_status p_changed_next(world *w)
{
    return changed_record(w, do_next, 40 + 16 + 40 + 32);
}
static utet_status p_changed_find(world *w)
{
    return changed_record(w, do_dfind, 40 + 16 + 40 + 32);
}
static utet_status p_changed_check(world *w)
{
    open_world(w);
    ready_check(w);
    flush(w);
    flush_front(w);
    tetgen_put(w->bytes + 40 + 8, 77, 4);
    return do_checks(w);
}

static utet_status p_not_found(world *w)
{
    utet_status status;
    open_world(w);
    DRIVE(status, utet_dataset_find(&w->r.file, "Z", 1, &w->d));
    return status;
}
static utet_status p_name_range(world *w)
{
    char c[4];
    open_world(w);
    dataset(w, RAW);
    assert_int_equal(utet_dataset_name(&w->r.file, &w->d, 39, c, 0), UTET_E_RANGE);
    assert_int_equal(utet_dataset_name(&w->r.file, &w->d, 38, c, 0), UTET_OK);
    return utet_dataset_name(&w->r.file, &w->d, 35, c, 4);
}

/* chunk_find, and slabs as far as they look rows up; `which` says what is asked. */
static utet_status look(world *w, int which)
{
    utet_status status;
    open_world(w);
    dataset(w, MIXED);
    w->range[0] = (utet_range){0, 600, 1};
    if (which == 0)
        DRIVE(status, do_cfind(w));
    else if (which == 1)
        DRIVE(status, do_sneed(w));
    else
        DRIVE(status, do_slab(w));
    return status;
}
#define LOOK(name, damage)                        \
    static utet_status p_##name##_find(world *w)  \
    {                                             \
        damage;                                   \
        return look(w, 0);                        \
    }                                             \
    static utet_status p_##name##_sneed(world *w) \
    {                                             \
        damage;                                   \
        return look(w, 1);                        \
    }                                             \
    static utet_status p_##name##_slab(world *w)  \
    {                                             \
        damage;                                   \
        return look(w, 2);                        \
    }
#define RECORD_M (40 + 16 + 40 + 32 + 16 + 8 + 32)
LOOK(missing, tetgen_put(row(w, FIRST_M) + 8, 99, 8))
LOOK(dtype, tetgen_put(w->bytes + RECORD_M + 4, 11, 4))
LOOK(chunk0, tetgen_put(w->bytes + RECORD_M + 16 + 8 + 8, 0, 8))
LOOK(row, tetgen_put(row(w, FIRST_M) + 80, 801, 8))
static utet_status p_range_find(world *w)
{
    w->at[0] = 6;
    return look(w, 0);
}
static utet_status range_slab(world *w, utet_status (*call)(world *w))
{
    static const utet_range wrong[] = {{0, 601, 1}, {600, 600, 1}, {5, 5, 1}, {6, 5, 1}, {0, 600, 0}, {0, 0, 1}};
    open_world(w);
    dataset(w, MIXED);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        w->range[0] = wrong[i];
        assert_int_equal(call(w), UTET_E_RANGE);
    }
    w->range[0] = (utet_range){UINT64_MAX, UINT64_MAX, 1};
    return call(w);
}
static utet_status p_range_sneed(world *w)
{
    return range_slab(w, do_sneed);
}
static utet_status p_range_slab(world *w)
{
    return range_slab(w, do_slab);
}

static utet_status p_row_cfirst(world *w)
{
    utet_status status;
    tetgen_put(row(w, 0) + 96, 2, 4);
    open_world(w);
    DRIVE(status, do_cfirst(w));
    return status;
}
static utet_status p_row_cnext(world *w)
{
    utet_status status;
    tetgen_put(row(w, 1) + 72, UINT64_MAX - 3, 8);
    open_world(w);
    DRIVE_OK(do_cfirst(w));
    DRIVE(status, do_cnext(w));
    return status;
}
static utet_status p_row_rows(world *w)
{
    utet_status status;
    tetgen_put(row(w, 9) + 88, 1, 8);
    open_world(w);
    utet_check_init(&w->check, &w->r.file);
    DRIVE(status, do_rows(w));
    return status;
}

/* ---- payloads ---- */

/* Puts `payload` in the place of chunk 0 of "z" (which has room for more). */
static void replace_payload(world *w, const uint8_t *payload, size_t size, uint64_t raw)
{
    uint8_t *at = row(w, FIRST_Z);
    assert_true(size <= tetgen_get(at + 88, 8));
    memcpy(w->bytes + tetgen_get(at + 72, 8), payload, size);
    tetgen_put(at + 88, size, 8);
    if (raw)
        tetgen_put(at + 80, raw, 8);
}

enum { TILE = 64 * 96 * 4 };
/* A raw block of `n` bytes in a frame of its own: magic, header without checksum and size, window 128 KiB. */
static size_t raw_frame(uint8_t *to, unsigned n)
{
    tetgen_put(to, 0xFD2FB528u, 4);
    to[4] = 0;
    to[5] = 0x38;
    tetgen_put(to + 6, 1u | n << 3, 3);
    memset(to + 9, 0x55, n);
    return 9 + n;
}

/* A second frame that cannot be decoded, behind a good one: noticed while reading, not before. */
static void second_frame(world *w, const uint8_t *head, size_t size)
{
    static uint8_t payload[4096];
    size_t n = raw_frame(payload, 1000);
    memcpy(payload + n, head, size);
    replace_payload(w, payload, n + size, 0);
}
static utet_status decode(world *w, unsigned call)
{
    utet_status status;
    open_world(w);
    if (call == SNEED || call == SLAB || call == RUN || call == INTO) {
        ready_slab(w);
        if (call == RUN || call == INTO)
            DRIVE_OK(do_slab(w));
    } else {
        chunk_of_z(w);
        if (call == READ || call == SKIP)
            DRIVE_OK(do_sopen(w));
    }
    if (call == RUN)
        return do_runs(w);
    DRIVE(status, calls[call].call(w));
    return status;
}
/* In the first frame: need and open say it (a slab when its budget makes it look). Behind a good first frame: whoever
 * decodes says it. */
#define FRAME(name, head)                         \
    static utet_status p_##name##_need(world *w)  \
    {                                             \
        replace_payload(w, head, sizeof head, 0); \
        return decode(w, NEED);                   \
    }                                             \
    static utet_status p_##name##_sopen(world *w) \
    {                                             \
        w->work = 1000;                           \
        replace_payload(w, head, sizeof head, 0); \
        return decode(w, SOPEN);                  \
    }                                             \
    static utet_status p_##name##_load(world *w)  \
    {                                             \
        replace_payload(w, head, sizeof head, 0); \
        return decode(w, LOAD);                   \
    }                                             \
    static utet_status p_##name##_sneed(world *w) \
    {                                             \
        replace_payload(w, head, sizeof head, 0); \
        return decode(w, SNEED);                  \
    }                                             \
    static utet_status p_##name##_slab(world *w)  \
    {                                             \
        w->work = 1000;                           \
        replace_payload(w, head, sizeof head, 0); \
        return decode(w, SLAB);                   \
    }                                             \
    static utet_status p_##name##_read(world *w)  \
    {                                             \
        second_frame(w, head, sizeof head);       \
        return decode(w, READ);                   \
    }                                             \
    static utet_status p_##name##_skip(world *w)  \
    {                                             \
        second_frame(w, head, sizeof head);       \
        return decode(w, SKIP);                   \
    }                                             \
    static utet_status p_##name##_run(world *w)   \
    {                                             \
        second_frame(w, head, sizeof head);       \
        return decode(w, RUN);                    \
    }                                             \
    static utet_status p_##name##_into(world *w)  \
    {                                             \
        second_frame(w, head, sizeof head);       \
        return decode(w, INTO);                   \
    }
FRAME(window, badframes_window)
FRAME(dict, badframes_dictionary)
FRAME(legacy, badframes_legacy)
FRAME(payload, badframes_garbage)

/* A frame with a checksum that is wrong: known when its last byte is delivered. */
static void bad_checksum(world *w)
{
    static uint8_t payload[32];
    static const uint8_t rle[] = {0x28, 0xB5, 0x2F, 0xFD, 0x04, 0x38, 0x03, 0x00, 0x03, 0x11, 1, 2, 3, 4};
    memcpy(payload, rle, sizeof rle);
    tetgen_put(payload + 6, 1u | 1u << 1 | (unsigned)TILE << 3, 3); /* one RLE block of the whole tile */
    replace_payload(w, payload, sizeof rle, 0);
}
static utet_status p_checksum_read(world *w)
{
    bad_checksum(w);
    return decode(w, READ);
}
static utet_status p_checksum_skip(world *w)
{
    bad_checksum(w);
    return decode(w, SKIP);
}
static utet_status p_checksum_load(world *w)
{
    bad_checksum(w);
    return decode(w, LOAD);
}
static utet_status p_checksum_run(world *w)
{
    bad_checksum(w);
    return decode(w, RUN);
}
static utet_status p_checksum_into(world *w)
{
    bad_checksum(w);
    return decode(w, INTO);
}

static utet_status no_codec(world *w, unsigned call)
{
    w->r.codecs[0] = NULL;
    return decode(w, call);
}
static utet_status p_codec_need(world *w)
{
    return no_codec(w, NEED);
}
static utet_status p_codec_sopen(world *w)
{
    return no_codec(w, SOPEN);
}
static utet_status p_codec_load(world *w)
{
    return no_codec(w, LOAD);
}
static utet_status p_codec_sneed(world *w)
{
    return no_codec(w, SNEED);
}
static utet_status p_codec_slab(world *w)
{
    return no_codec(w, SLAB);
}

static utet_status small_budget(world *w, unsigned call)
{
    w->work = 1000;
    utet_status status = decode(w, call);
    assert_true(w->r.file.needed > 1000);
    return status;
}
static utet_status p_budget_sopen(world *w)
{
    return small_budget(w, SOPEN);
}
static utet_status p_budget_load(world *w)
{
    return small_budget(w, LOAD);
}
static utet_status p_budget_slab(world *w)
{
    return small_budget(w, SLAB);
}

static utet_status p_space_load(world *w)
{
    open_world(w);
    chunk_of_z(w);
    return utet_stream_load(&w->s, &w->r.file, &w->c, w->out, TILE - 1);
}
static utet_status p_space_into(world *w)
{
    open_world(w);
    ready_run(w);
    assert_int_equal(utet_slab_read_all(&w->slab, w->out, TILE - 1), UTET_E_SPACE);
    DRIVE_OK(do_into(w)); /* does not stick */
    DRIVE_OK(do_slab(w));
    return utet_slab_read_all(&w->slab, w->out, 0);
}

/* Rows that change between opening a slab and reading it. */
static utet_status changed_row(world *w, unsigned call, unsigned field, uint64_t value)
{
    open_world(w);
    ready_run(w);
    tetgen_put(row(w, FIRST_Z) + field, value, 8);
    utet_status status;
    DRIVE(status, calls[call].call(w));
    return status;
}
static utet_status p_row_run(world *w)
{
    return changed_row(w, RUN, 80, 5);
}
static utet_status p_row_into(world *w)
{
    return changed_row(w, INTO, 80, 5);
}
static utet_status p_missing_run(world *w)
{
    return changed_row(w, RUN, 8, 5);
}
static utet_status p_missing_into(world *w)
{
    return changed_row(w, INTO, 8, 5);
}

/* chunk_load of a chunk whose row the caller made up. */
static utet_status made_up(world *w, unsigned call)
{
    utet_status status;
    open_world(w);
    chunk_of_z(w);
    w->c.payload_offset = w->g.size - 3;
    DRIVE(status, calls[call].call(w));
    return status;
}
static utet_status p_row_need(world *w)
{
    return made_up(w, NEED);
}
static utet_status p_row_sopen(world *w)
{
    return made_up(w, SOPEN);
}
static utet_status p_row_load(world *w)
{
    return made_up(w, LOAD);
}

/* A chunk of no bytes is checked when it is opened. */
static utet_status p_checksum_sopen(world *w)
{
    static const uint8_t empty[] = {0x28, 0xB5, 0x2F, 0xFD, 0x04, 0x38, 0x01, 0x00, 0x00, 1, 2, 3, 4};
    utet_status status;
    replace_payload(w, empty, sizeof empty, 0);
    open_world(w);
    DRIVE_OK(utet_row_first(&w->r.file, &w->c));
    while (w->c.codec == UTET_CODEC_RAW)
        DRIVE_OK(utet_row_next(&w->r.file, &w->c));
    w->c.raw_byte_len = 0;
    w->c.stored_byte_len = sizeof empty;
    DRIVE(status, do_sopen(w));
    return status;
}

static const cause causes[] = {
    {OPEN, UTET_E_MAGIC, p_magic},
    {OPEN, UTET_E_VERSION, p_version},
    {OPEN, UTET_E_SUPERBLOCK, p_superblock},
    {OPEN, UTET_E_DIRECTORY, p_directory},
    {OPEN, UTET_E_DATASET, p_dataset},
    {OPEN, UTET_E_INDEX, p_index},
    {OPEN, UTET_E_INDEX_VERSION, p_index_version},
    {OPEN, UTET_E_BUDGET, p_open_budget},
    {FIRST, UTET_END, p_end_first},
    {NEXT, UTET_END, p_end_next},
    {CFIRST, UTET_END, p_end_cfirst},
    {CNEXT, UTET_END, p_end_cnext},
    {READ, UTET_END, p_end_read},
    {RUN, UTET_END, p_end_run},
    {CHECK, UTET_END, p_end_check},
    {FIRST, UTET_E_DATASET, p_changed_first},
    {NEXT, UTET_E_DATASET, p_changed_next},
    {DFIND, UTET_E_DATASET, p_changed_find},
    {CHECK, UTET_E_DATASET, p_changed_check},
    {DFIND, UTET_E_NOT_FOUND, p_not_found},
    {NAME, UTET_E_RANGE, p_name_range},
    {CFIND, UTET_E_MISSING, p_missing_find},
    {SNEED, UTET_E_MISSING, p_missing_sneed},
    {SLAB, UTET_E_MISSING, p_missing_slab},
    {CFIND, UTET_E_DTYPE, p_dtype_find},
    {SNEED, UTET_E_DTYPE, p_dtype_sneed},
    {SLAB, UTET_E_DTYPE, p_dtype_slab},
    {CFIND, UTET_E_DATASET, p_chunk0_find},
    {SNEED, UTET_E_DATASET, p_chunk0_sneed},
    {SLAB, UTET_E_DATASET, p_chunk0_slab},
    {CFIND, UTET_E_ROW, p_row_find},
    {SNEED, UTET_E_ROW, p_row_sneed},
    {SLAB, UTET_E_ROW, p_row_slab},
    {CFIND, UTET_E_RANGE, p_range_find},
    {SNEED, UTET_E_RANGE, p_range_sneed},
    {SLAB, UTET_E_RANGE, p_range_slab},
    {CFIRST, UTET_E_ROW, p_row_cfirst},
    {CNEXT, UTET_E_ROW, p_row_cnext},
    {ROWS, UTET_E_ROW, p_row_rows},
    {RUN, UTET_E_ROW, p_row_run},
    {INTO, UTET_E_ROW, p_row_into},
    {RUN, UTET_E_MISSING, p_missing_run},
    {INTO, UTET_E_MISSING, p_missing_into},
    {NEED, UTET_E_ROW, p_row_need},
    {SOPEN, UTET_E_ROW, p_row_sopen},
    {LOAD, UTET_E_ROW, p_row_load},
#define F(name, status)                                                                                      \
    {NEED, status, p_##name##_need}, {SOPEN, status, p_##name##_sopen}, {LOAD, status, p_##name##_load},     \
        {SNEED, status, p_##name##_sneed}, {SLAB, status, p_##name##_slab}, {READ, status, p_##name##_read}, \
        {SKIP, status, p_##name##_skip}, {RUN, status, p_##name##_run},                                      \
    {                                                                                                        \
        INTO, status, p_##name##_into                                                                        \
    }
    F(window, UTET_E_ZSTD_WINDOW),
    F(dict, UTET_E_ZSTD_DICT),
    F(legacy, UTET_E_ZSTD_LEGACY),
    F(payload, UTET_E_PAYLOAD),
#undef F
    {SOPEN, UTET_E_CHECKSUM, p_checksum_sopen},
    {READ, UTET_E_CHECKSUM, p_checksum_read},
    {SKIP, UTET_E_CHECKSUM, p_checksum_skip},
    {LOAD, UTET_E_CHECKSUM, p_checksum_load},
    {RUN, UTET_E_CHECKSUM, p_checksum_run},
    {INTO, UTET_E_CHECKSUM, p_checksum_into},
    {NEED, UTET_E_CODEC, p_codec_need},
    {SOPEN, UTET_E_CODEC, p_codec_sopen},
    {LOAD, UTET_E_CODEC, p_codec_load},
    {SNEED, UTET_E_CODEC, p_codec_sneed},
    {SLAB, UTET_E_CODEC, p_codec_slab},
    {SOPEN, UTET_E_BUDGET, p_budget_sopen},
    {LOAD, UTET_E_BUDGET, p_budget_load},
    {SLAB, UTET_E_BUDGET, p_budget_slab},
    {LOAD, UTET_E_SPACE, p_space_load},
    {INTO, UTET_E_SPACE, p_space_into},
};
enum { CAUSES = sizeof causes / sizeof causes[0], GENERICS = 5 };

/* ---- cases ---- */

typedef struct status_case {
    char name[STATUSES_NAME];
    const public_call *call;
    const cause *cause;
    utet_status status;
} status_case;

static void run_case(void **state)
{
    const status_case *s = *state;
#ifdef TETGEN_NO_ZSTD
    suite_skip("the world has zstd chunks, and there is no compressor on this target");
#endif
    for (int codec = 0; codec < (int)rig_codecs(); codec++) {
        static world w;
        utet_status status;
        world_make(&w, codec);
        if (s->cause != NULL)
            status = s->cause->provoke(&w);
        else if (s->status == UTET_OK)
            status = generic_ok(&w, s->call);
        else if (s->status == UTET_WOULD_BLOCK)
            status = generic_block(&w, s->call);
        else if (s->status == UTET_E_STATE)
            status = generic_state(&w, s->call);
        else
            status = generic_fault(&w, s->call, s->status == UTET_E_SHORT ? FAULT_EOF : FAULT_ERROR);
        utet_status wanted = s->status == UTET_E_PORT ? FAULTPORT_ERROR : s->status;
        suite_check(status == wanted, "%s (%s): %s", s->name, rig_codec_name((unsigned)codec), rig_status(status));
        world_end(&w);
    }
}

static void rows_statuses(void **state)
{
    world w;
    utet_rows rows;
    uint32_t memory[300];
    utet_status status;
    (void)state;
    world_make(&w, 0);
    assert_int_equal(utet_rows_init(&rows, &w.r.file, &w.d, memory, 30), UTET_E_STATE);
    open_world(&w);
    ready_find(&w); /* one chunk */
    assert_int_equal(utet_rows_init(NULL, &w.r.file, &w.d, memory, 30), UTET_E_ARGUMENT);
    assert_int_equal(utet_rows_init(&rows, &w.r.file, &w.d, NULL, 30), UTET_E_ARGUMENT);
    assert_int_equal(utet_rows_init(&rows, &w.r.file, &w.d, memory, 0), UTET_E_SPACE);
    w.r.file.row_count += UINT32_MAX;
    assert_int_equal(utet_rows_init(&rows, &w.r.file, &w.d, memory, 30), UTET_E_SPACE);
    w.r.file.row_count -= UINT32_MAX;
    w.r.port.blocks = 1;
    flush(&w);
    assert_int_equal(utet_chunk_find(&w.r.file, &w.d, w.at, &w.c), UTET_WOULD_BLOCK);
    assert_int_equal(utet_rows_init(&rows, &w.r.file, &w.d, memory, 30), UTET_E_STATE);
    assert_int_equal(utet_rows_lists(&rows, &w.r.file, memory, 30), UTET_E_STATE);
    DRIVE(status, utet_chunk_find(&w.r.file, &w.d, w.at, &w.c));
    assert_int_equal(status, UTET_OK);
    assert_int_equal(utet_rows_lists(&rows, &w.r.file, memory, 30), UTET_E_STATE); /* not the file's */
    assert_int_equal(utet_rows_init(&rows, &w.r.file, &w.d, memory, 30), UTET_OK);
    assert_int_equal(utet_rows_lists(NULL, &w.r.file, memory + 30, 270), UTET_E_ARGUMENT);
    assert_int_equal(utet_rows_lists(&rows, &w.r.file, NULL, 10), UTET_E_ARGUMENT);
    assert_int_equal(utet_rows_lists(&rows, &w.r.file, memory + 30, w.r.file.dataset_count - 1), UTET_E_SPACE);
    assert_int_equal(utet_rows_lists(&rows, &w.r.file, memory + 30, w.r.file.dataset_count), UTET_E_SPACE);
    assert_int_equal(utet_rows_lists(&rows, &w.r.file, memory + 30, 270), UTET_OK);
    DRIVE_OK(utet_chunk_find(&w.r.file, &w.d, w.at, &w.c));
    w.d.id = w.r.file.dataset_count; /* a dataset of another file */
    assert_int_equal(utet_rows_init(&rows, &w.r.file, &w.d, memory, 30), UTET_OK);
    assert_int_equal(utet_rows_lists(&rows, &w.r.file, memory + 30, 270), UTET_E_STATE);
    w.r.file.priv.state = 0; /* not open */
    assert_int_equal(utet_rows_lists(&rows, &w.r.file, memory + 30, 270), UTET_E_STATE);
    world_end(&w);
}

static void init_argument(void **state)
{
    rig r;
    utet_file f;
    uint64_t work[64] = {0};
    uint8_t byte = 0;
    (void)state;
    rig_make(&r, &byte, 1, -1);
    assert_int_equal(utet_init(NULL, &r.port.io, work, sizeof work, NULL), UTET_E_ARGUMENT);
    assert_int_equal(utet_init(&f, NULL, work, sizeof work, NULL), UTET_E_ARGUMENT);
    assert_int_equal(utet_init(&f, &r.port.io, (uint8_t *)work + 3, 200, NULL), UTET_OK); /* any address will do */
    memset(&f, 0, sizeof f);
    assert_int_equal(utet_open(&f, NULL), UTET_E_STATE);
    assert_int_equal(utet_init(&f, &r.port.io, NULL, 0, NULL), UTET_E_ARGUMENT);
    utet_io io = r.port.io;
    io.read = NULL;
    assert_int_equal(utet_init(&f, &io, work, sizeof work, NULL), UTET_E_ARGUMENT);
    io.map = &byte; /* then neither read nor workspace */
    assert_int_equal(utet_init(&f, &io, NULL, 0, NULL), UTET_OK);
    static const uint16_t wrong[][2] = {{0, 1}, {3, 1}, {1, 0}, {512, 3}, {1, 2}, {4096, 256}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        io = r.port.io;
        io.unit = wrong[i][0];
        io.align = wrong[i][1];
        assert_int_equal(utet_init(&f, &io, work, sizeof work, NULL), UTET_E_ARGUMENT);
    }
    io = r.port.io;
    io.unit = 64;
    io.align = 64;
    io.align = 128;
    assert_int_equal(utet_init(&f, &io, work, sizeof work, NULL), UTET_E_ARGUMENT);
}

static void init_ok(void **state)
{
    rig r;
    uint64_t work[64] = {0};
    utet_file f;
    (void)state;
    rig_make(&r, work, 1, -1);
    assert_int_equal(utet_init(&f, &r.port.io, work, sizeof work, NULL), UTET_OK);
    assert_int_equal(r.port.reads, 0);
}

static void cancel_ok(void **state)
{
    world *w = malloc(sizeof *w);
    (void)state;
    world_make(w, 0);
    open_world(w);
    assert_int_equal(utet_cancel(&w->r.file), UTET_OK);
    assert_int_equal(w->r.port.cancels, 0);
    world_end(w);
    free(w);
}

/* ---- the calls for codecs, reached through a codec of the test's own ---- */

static utet_status codec_answer;
static int codec_copies;

static utet_status own_need(utet_stream *stream, int exact, utet_need *need)
{
    (void)stream, (void)exact;
    need->least = need->best = 64;
    return UTET_OK;
}
static utet_status own_open(utet_stream *stream)
{
    (void)stream;
    return UTET_OK;
}
static utet_status own_step(utet_stream *stream, size_t want)
{
    const uint8_t *at;
    size_t have;
    (void)want;
    codec_answer = codec_copies ? utet_payload_copy(stream, 1000, stream->priv.work, 64)
                                : utet_payload_fetch(stream, 1000, 64, 64, &at, &have);
    return codec_answer == UTET_WOULD_BLOCK ? codec_answer : utet_payload_error(stream, 7, UTET_E_PAYLOAD);
}
static const utet_codec own_codec = {UTET_CODEC_ZSTD, own_need, own_open, own_step, &utet_driver};

static void payload_calls(int copies, fault_kind kind, utet_status wanted)
{
    world *w = malloc(sizeof *w);
    utet_status status;
    world_make(w, 0);
    w->r.codecs[0] = &own_codec;
    codec_copies = copies;
    open_world(w);
    ready_read(w);
    w->r.port.fault = kind;
    w->r.port.fault_at = w->r.port.reads;
    status = do_read(w);
    assert_int_equal(codec_answer, wanted);
    if (wanted == UTET_WOULD_BLOCK) {
        assert_int_equal(status, UTET_WOULD_BLOCK);
        DRIVE(status, do_read(w));
    }
    assert_int_equal(status, UTET_E_PAYLOAD);
    assert_int_equal(w->r.file.error_offset, w->c.payload_offset + 7);
    world_end(w);
    free(w);
}
static void need_ok(void **state)
{
    (void)state;
    payload_calls(0, FAULT_NONE, UTET_OK);
}
static void need_block(void **state)
{
    (void)state;
    payload_calls(0, FAULT_BLOCK_ONCE, UTET_WOULD_BLOCK);
}
static void need_short(void **state)
{
    (void)state;
    payload_calls(0, FAULT_EOF, UTET_E_SHORT);
}
static void need_port(void **state)
{
    (void)state;
    payload_calls(0, FAULT_ERROR, FAULTPORT_ERROR);
}
static void copy_ok(void **state)
{
    (void)state;
    payload_calls(1, FAULT_NONE, UTET_OK);
}
static void copy_block(void **state)
{
    (void)state;
    payload_calls(1, FAULT_BLOCK_ONCE, UTET_WOULD_BLOCK);
}
static void copy_short(void **state)
{
    (void)state;
    payload_calls(1, FAULT_EOF, UTET_E_SHORT);
}
static void copy_port(void **state)
{
    (void)state;
    payload_calls(1, FAULT_ERROR, FAULTPORT_ERROR);
}

/* ---- the calls for showing need no file ---- */

static void show_statuses(void **state)
{
    static const uint8_t half[8] = {0, 0x3C};
    char text[UTET_SHOW_SIZE];
    double value = 7;
    size_t length = 99;
    (void)state;
    assert_int_equal(utet_show_double(UTET_F16, half, &value), UTET_OK);
    assert_true(value == 1.0);
    assert_int_equal(utet_show_double(0, half, &value), UTET_E_DTYPE);
    assert_int_equal(utet_show_double(11, half, &value), UTET_E_DTYPE);
    assert_true(value == 1.0);
    assert_int_equal(utet_show_text(UTET_F16, half, text, sizeof text, &length), UTET_OK);
    assert_true(length > 0 && length < sizeof text);
    assert_int_equal(utet_show_text(11, half, text, sizeof text, &length), UTET_E_DTYPE);
    text[0] = '!';
    assert_int_equal(utet_show_text(UTET_F16, half, text, 0, &length), UTET_E_SPACE);
    assert_int_equal(text[0], '!');
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void **state);
    } others[] = {
        {"utet_init OK", init_ok},
        {"utet_init E_ARGUMENT", init_argument},
        {"utet_cancel OK", cancel_ok},
        {"utet_rows_init OK", rows_statuses},
        {"utet_rows_init E_STATE", rows_statuses},
        {"utet_rows_init E_ARGUMENT", rows_statuses},
        {"utet_rows_init E_SPACE", rows_statuses},
        {"utet_rows_lists OK", rows_statuses},
        {"utet_rows_lists E_STATE", rows_statuses},
        {"utet_rows_lists E_ARGUMENT", rows_statuses},
        {"utet_rows_lists E_SPACE", rows_statuses},
        {"utet_payload_fetch OK", need_ok},
        {"utet_payload_fetch WOULD_BLOCK", need_block},
        {"utet_payload_fetch E_SHORT", need_short},
        {"utet_payload_fetch E_PORT", need_port},
        {"utet_payload_copy OK", copy_ok},
        {"utet_payload_copy WOULD_BLOCK", copy_block},
        {"utet_payload_copy E_SHORT", copy_short},
        {"utet_payload_copy E_PORT", copy_port},
        {"utet_show_double OK", show_statuses},
        {"utet_show_double E_DTYPE", show_statuses},
        {"utet_show_text OK", show_statuses},
        {"utet_show_text E_DTYPE", show_statuses},
        {"utet_show_text E_SPACE", show_statuses},
    };
    static const utet_status generics[GENERICS] = {UTET_OK, UTET_WOULD_BLOCK, UTET_E_STATE, UTET_E_SHORT, UTET_E_PORT};
    enum { OTHERS = sizeof others / sizeof others[0] };
    static status_case texts[CALLS * GENERICS + CAUSES];
    static struct CMUnitTest cases[CALLS * GENERICS + CAUSES + OTHERS];
    size_t n = 0;
    for (unsigned c = 0; c < CALLS; c++)
        for (unsigned g = 0; g < GENERICS; g++)
            texts[n++] = (status_case){"", &calls[c], NULL, generics[g]};
    for (unsigned c = 0; c < CAUSES; c++)
        texts[n++] = (status_case){"", &calls[causes[c].call], &causes[c], causes[c].status};
    for (size_t i = 0; i < n; i++)
        statuses_case(&cases[i], texts[i].name, texts[i].call->name, texts[i].status, run_case, &texts[i]);

    for (size_t i = 0; i < OTHERS; i++)
        cases[n++] = (struct CMUnitTest){others[i].name, others[i].run, NULL, NULL, NULL};
    return statuses_run("status", cases, n, argc, argv);
}
