/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * What the suites of statuses share: a file of three datasets ("r" raw u16, "z" zstd f32, "m" both); a window of one
 * unit, so that most calls need the port; zstd decoded by the codec of the case (all codecs in turn); each call of
 * utet.h and utet_check.h, ready to be made on the file.
 */
#ifndef STATUSWORLD_H
#define STATUSWORLD_H

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
    utet_tiles tiles;
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

static inline void world_make(world *w, int codec)
{
    memset(w, 0, sizeof *w);
    w->codec = codec;
    w->g = (tetgen){.datasets = datasets, .count = 3, .seed = 42};
    tetgen_build(&w->g);
    w->bytes = w->g.bytes;
    w->work = 300000;
    rig_make(&w->r, w->bytes, w->g.size, codec);
    w->r.port.slice = 64; /* never holds more than a call needs */
}

static inline void world_end(world *w)
{
    rig_end(&w->r, "status");
    tetgen_free(&w->g);
}

static inline uint8_t *row(world *w, uint64_t n)
{
    return w->bytes + w->g.index_offset + 32 + 104 * n;
}
enum { FIRST_Z = 30, FIRST_M = 31 }; /* rows of the other datasets */

static inline void start(world *w)
{
    rig_start(&w->r, w->work, GUARD_AFTER);
    faultport_zone(&w->r.port, 1, w->out, sizeof w->out);
}

static inline void open_world(world *w)
{
    start(w);
    DRIVE_OK(utet_open(&w->r.file, &(utet_options){.budget = (size_t)-1}));
    w->open = 1;
}

static inline void dataset(world *w, uint32_t id)
{
    DRIVE_OK(utet_dataset_first(&w->r.file, &w->d));
    while (w->d.id < id)
        DRIVE_OK(utet_dataset_next(&w->r.file, &w->d));
}

/* Reads something far away from whatever the next call reads. */
static inline void flush(world *w)
{
    utet_dataset d;
    DRIVE_OK(utet_dataset_first(&w->r.file, &d));
}

static inline void flush_front(world *w)
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

static inline void ready_front(world *w)
{
    flush_front(w);
}
static inline void ready_next(world *w)
{
    DRIVE_OK(utet_dataset_first(&w->r.file, &w->d));
    utet_dataset kept = w->d;
    flush_front(w);
    w->d = kept;
}
static inline void ready_find(world *w)
{
    dataset(w, ZSTD);
    flush(w);
}
static inline void ready_row(world *w)
{
    DRIVE_OK(utet_row_first(&w->r.file, &w->c));
    flush(w);
}
static inline void chunk_of_z(world *w)
{
    dataset(w, ZSTD);
    DRIVE_OK(utet_chunk_find(&w->r.file, &w->d, w->at, &w->c));
}
static inline void ready_z(world *w)
{
    chunk_of_z(w);
    flush(w);
}
static inline void ready_read(world *w)
{
    chunk_of_z(w);
    DRIVE_OK(utet_stream_open(&w->s, &w->r.file, &w->c));
    flush(w);
}
static inline void ready_slab(world *w)
{
    dataset(w, ZSTD);
    for (unsigned a = 0; a < 2; a++)
        w->range[a] = (utet_range){0, w->d.shape[a], 1};
    flush(w);
}
static inline void ready_run(world *w)
{
    ready_slab(w);
    DRIVE_OK(utet_slab_open(&w->slab, &w->r.file, &w->d, w->range));
    flush(w);
}
static inline void ready_tiles(world *w)
{
    ready_slab(w);
    assert_int_equal(utet_tiles_init(&w->tiles, &w->r.file, &w->d, 1), UTET_OK);
    flush(w);
}
static inline void ready_check(world *w)
{
    utet_check_init(&w->check, &w->r.file);
    flush(w);
}

static inline utet_status do_open(world *w)
{
    return utet_open(&w->r.file, &(utet_options){.budget = (size_t)-1});
}
static inline utet_status do_first(world *w)
{
    return utet_dataset_first(&w->r.file, &w->d);
}
static inline utet_status do_next(world *w)
{
    return utet_dataset_next(&w->r.file, &w->d);
}
static inline utet_status do_dfind(world *w)
{
    return utet_dataset_find(&w->r.file, "m", 1, &w->d);
}
static inline utet_status do_name(world *w)
{
    return utet_dataset_name(&w->r.file, &w->d, 3, (char *)w->out, 20);
}
static inline utet_status do_cfind(world *w)
{
    return utet_chunk_find(&w->r.file, &w->d, w->at, &w->c);
}
static inline utet_status do_cfirst(world *w)
{
    return utet_row_first(&w->r.file, &w->c);
}
static inline utet_status do_cnext(world *w)
{
    return utet_row_next(&w->r.file, &w->c);
}
static inline utet_status do_need(world *w)
{
    utet_need need;
    return utet_chunk_need(&w->r.file, &w->c, 0, &need);
}
static inline utet_status do_sopen(world *w)
{
    return utet_stream_open(&w->s, &w->r.file, &w->c);
}
static inline utet_status do_read(world *w)
{
    size_t got;
    return utet_stream_read(&w->s, w->out, sizeof w->out, &got);
}
static inline utet_status do_skip(world *w)
{
    return utet_stream_skip(&w->s, w->s.length);
}
static inline utet_status do_load(world *w)
{
    return utet_stream_load(&w->s, &w->r.file, &w->c, w->out, sizeof w->out);
}
static inline utet_status do_sneed(world *w)
{
    return utet_slab_need(&w->slab, &w->r.file, &w->d, w->range);
}
static inline utet_status do_slab(world *w)
{
    return utet_slab_open(&w->slab, &w->r.file, &w->d, w->range);
}
/* To this selection, from none: a slab that was refused may be moved too. */
static inline utet_status do_move(world *w)
{
    static const utet_range none[UTET_MAX_NDIM] = {{0, 1, 0}};

    if (w->r.file.priv.busy == 0)
        (void)utet_slab_need(&w->slab, &w->r.file, &w->d, none);
    return utet_slab_move(&w->slab, w->range);
}
static inline utet_status do_run(world *w)
{
    utet_run run;
    return utet_slab_next(&w->slab, &run);
}
/* Runs until the first status that is not OK. */
static inline utet_status do_runs(world *w)
{
    utet_status status;
    do
        DRIVE(status, do_run(w));
    while (status == UTET_OK);
    return status;
}
static inline utet_status do_into(world *w)
{
    return utet_slab_read_all(&w->slab, w->out, sizeof w->out);
}
static inline utet_status do_tiles(world *w)
{
    return utet_tiles_read(&w->tiles, w->range, w->out, sizeof w->out);
}
static inline utet_status do_check(world *w)
{
    utet_finding f;
    return utet_check_next(&w->check, &f);
}
static inline utet_status do_checks(world *w)
{
    utet_status status;
    do
        DRIVE(status, do_check(w));
    while (status == UTET_OK);
    return status;
}
static inline utet_status do_rows(world *w)
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
    MOVE,
    RUN,
    INTO,
    TILES,
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
    {"utet_slab_move", ready_run, do_move},
    {"utet_slab_next", ready_run, do_run},
    {"utet_slab_read_all", ready_run, do_into},
    {"utet_tiles_read", ready_tiles, do_tiles},
    {"utet_check_next", ready_check, do_check},
    {"utet_check_rows", ready_check, do_rows},
};

/* ---- statuses with a cause of their own: change the world, then make the call ---- */

typedef struct cause {
    unsigned call;
    utet_status status;
    utet_status (*provoke)(world *w);
} cause;

typedef struct status_case {
    char name[STATUSES_NAME];
    const cause *cause;
} status_case;

static inline void run_cause(void **state)
{
    const status_case *s = *state;
#ifdef TETGEN_NO_ZSTD
    suite_skip("the world has zstd chunks, and there is no compressor on this target");
#endif
    for (int codec = 0; codec < (int)rig_codecs(); codec++) {
        static world w;
        utet_status status;
        world_make(&w, codec);
        status = s->cause->provoke(&w);
        suite_check(status == s->cause->status, "%s (%s): %s", s->name, rig_codec_name((unsigned)codec),
                    rig_status(status));
        world_end(&w);
    }
}

/* A case for each cause; returns what main returns. */
static inline int run_causes(const char *suite, const cause *causes, size_t count, int argc, char **argv)
{
    static status_case texts[80];
    static struct CMUnitTest cases[80];

    assert_true(count <= 80);
    for (size_t i = 0; i < count; i++) {
        texts[i].cause = &causes[i];
        statuses_case(&cases[i], texts[i].name, calls[causes[i].call].name, causes[i].status, run_cause, &texts[i]);
    }
    return statuses_run(suite, cases, count, argc, argv);
}

#endif
