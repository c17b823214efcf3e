/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Every status that include/utet_zstd.h lists for a call is provoked by a frame that is written out here, one case
 * each. Cases are named "utet_call STATUS": test/tools/suite_status.py compares them with the header. */
#include "rig.h"
#include "statuses.h"
#include "utet_zstd.h"

#include <string.h>

enum { ROOM = 64 };

/* A source over a frame; refuses, pauses or ends on request. */
typedef struct source {
    const uint8_t *bytes;
    size_t length;
    utet_status answer; /* status of reads: UTET_OK delivers bytes, UTET_E_SHORT ends early */
} source;

static utet_status source_read(void *ctx, uint64_t offset, void *buffer, size_t length, size_t *got)
{
    const source *s = ctx;

    *got = 0;
    if (s->answer == UTET_E_SHORT)
        return UTET_OK;
    if (s->answer == UTET_OK) {
        memcpy(buffer, s->bytes + offset, length);
        *got = length;
    }
    return s->answer;
}

typedef struct frame {
    uint8_t bytes[24];
    uint8_t length;
} frame;

#define MAGIC 0x28, 0xb5, 0x2f, 0xfd
#define HELLO 0x29, 0, 0, 'h', 'e', 'l', 'l', 'o' /* the last block: raw, 5 bytes */
static const frame good = {{MAGIC, 0x20, 5, HELLO}, 14};
static const frame wide = {{MAGIC, 0x00, 0x50, HELLO}, 14}; /* a window of 1 MiB */
static const frame unmarked = {{'n', 'o', 't', ' ', 'z', 's', 't', 'd'}, 8};
static const frame cut = {{MAGIC, 0x20, 5, 0x29, 0, 0, 'h', 'e'}, 11};
static const frame vast = {{MAGIC, 0x00, 0x89, HELLO}, 14}; /* a window of 2^27 and an eighth */
static const frame dictionary = {{MAGIC, 0x21, 7, 5, HELLO}, 15};
static const frame legacy = {{0x27, 0xb5, 0x2f, 0xfd, 0x20, 5, HELLO}, 14};
static const frame falsified = {{MAGIC, 0x24, 5, HELLO, 1, 2, 3, 4}, 18};
static const frame skippable = {{0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3}, 11};

/* ---- calls ---- */

typedef struct world {
    source from;
    utet_io io;
    utet_zstd_job job;
    uint64_t work[UTET_ZSTD_WORK_TABLES / 8] __attribute__((aligned(8))); /* on i386, 4 would suffice */
    size_t work_len;
    uint8_t dst[ROOM];
    utet_zstd *z;
} world;

static utet_status call_need(world *w)
{
    utet_need need;
    utet_status status = utet_zstd_need(&w->job, 0, &need);

    if (status == UTET_OK)
        assert_true(need.least <= need.best && need.least != 0);
    return status;
}

static utet_status call_window(world *w)
{
    uint32_t window = 0;
    uint64_t skip;

    return utet_zstd_window(w->from.bytes, w->from.length, &window, &skip);
}

static utet_status call_init(world *w)
{
    return utet_zstd_init(&w->z, &w->job, w->work, w->work_len);
}

static utet_status call_again(world *w)
{
    utet_zstd_job first = w->job;
    source from = {good.bytes, good.length, UTET_OK};
    utet_io io = w->io;

    io.ctx = &from;
    io.size = good.length;
    first.io = &io;
    first.offset = 0;
    first.length = good.length;
    first.size = 5;
    first.dst = w->dst;
    assert_int_equal(utet_zstd_init(&w->z, &first, w->work, w->work_len), UTET_OK);
    assert_int_equal(utet_zstd_decode(w->z), UTET_OK);
    return utet_zstd_reset(w->z, &w->job);
}

static utet_status call_open(world *w)
{
    assert_int_equal(call_init(w), UTET_OK);
    return utet_zstd_open(w->z);
}

/* The status that ends the steps, unless one that delivers bytes is wanted. */
static utet_status steps(world *w, utet_status wanted)
{
    const uint8_t *at;
    size_t n;
    utet_status status;

    assert_int_equal(call_init(w), UTET_OK);
    do
        status = utet_zstd_step(w->z, wanted != UTET_E_ARGUMENT ? 2 : 0, &at, &n);
    while (status == UTET_OK && wanted != UTET_OK);
    assert_true((n != 0) == (status == UTET_OK));
    return status;
}

static utet_status reads(world *w, utet_status wanted)
{
    uint8_t some[2];
    size_t n;
    utet_status status;

    assert_int_equal(call_init(w), UTET_OK);
    do
        status = utet_zstd_read(w->z, some, wanted != UTET_E_ARGUMENT ? sizeof some : 0, &n);
    while (status == UTET_OK && wanted != UTET_OK);
    return status;
}

static utet_status call_decode(world *w)
{
    utet_status status;

    assert_int_equal(call_init(w), UTET_OK);
    status = utet_zstd_decode(w->z);
    if (status == UTET_OK)
        assert_memory_equal(w->dst, "hello", 5);
    return status;
}

/* ---- cases ---- */

enum { NEED, HEADER, INIT, AGAIN, OPEN, STEP, READ, DECODE };
static const char *const names[] = {"utet_zstd_need", "utet_zstd_window", "utet_zstd_init", "utet_zstd_reset",
                                    "utet_zstd_open", "utet_zstd_step",   "utet_zstd_read", "utet_zstd_decode"};

typedef struct cause {
    unsigned char first, last; /* calls */
    utet_status status;
    const frame *f;
    uint64_t size;      /* of the job; opening reads headers only if the memory cannot hold it */
    size_t work;        /* 0: ample */
    utet_status answer; /* of the source */
    uint64_t offset;    /* of the job */
    unsigned char at_most, slices;
} cause;

static const cause causes[] = {
    {NEED, NEED, UTET_OK, &good, 5, 0, UTET_OK, 0, 0, 1},
    {NEED, NEED, UTET_E_SPACE, &good, UINT64_MAX, 0, UTET_OK, 0, 0, 1},
    {HEADER, HEADER, UTET_OK, &good, 5, 0, UTET_OK, 0, 0, 0},
    {HEADER, HEADER, UTET_OK, &skippable, 5, 0, UTET_OK, 0, 0, 0},
    {HEADER, HEADER, UTET_E_PAYLOAD, &unmarked, 5, 0, UTET_OK, 0, 0, 0},
    {HEADER, HEADER, UTET_E_ZSTD_WINDOW, &vast, 5, 0, UTET_OK, 0, 0, 0},
    {HEADER, HEADER, UTET_E_ZSTD_DICT, &dictionary, 5, 0, UTET_OK, 0, 0, 0},
    {HEADER, HEADER, UTET_E_ZSTD_LEGACY, &legacy, 5, 0, UTET_OK, 0, 0, 0},
    {INIT, AGAIN, UTET_OK, &good, 5, 0, UTET_OK, 0, 0, 1},
    {INIT, AGAIN, UTET_E_ARGUMENT, &good, 5, 0, UTET_OK, 1, 0, 1},
    {INIT, AGAIN, UTET_E_SPACE, &good, UINT64_MAX, 0, UTET_OK, 0, 1, 1},
    {INIT, INIT, UTET_E_BUDGET, &good, 5, 1024, UTET_OK, 0, 0, 1},
    {OPEN, READ, UTET_OK, &good, 5, 0, UTET_OK, 0, 0, 1},
    {OPEN, OPEN, UTET_WOULD_BLOCK, &good, 1u << 20, 0, UTET_WOULD_BLOCK, 0, 0, 1},
    {STEP, READ, UTET_WOULD_BLOCK, &good, 5, 0, UTET_WOULD_BLOCK, 0, 0, 1},
    {OPEN, READ, UTET_E_BUDGET, &wide, 1u << 20, 0, UTET_OK, 0, 1, 1},
    {OPEN, OPEN, UTET_E_PAYLOAD, &unmarked, 1u << 20, 0, UTET_OK, 0, 0, 1},
    {STEP, READ, UTET_E_PAYLOAD, &unmarked, 5, 0, UTET_OK, 0, 0, 1},
    {STEP, READ, UTET_E_PAYLOAD, &cut, 5, 0, UTET_OK, 0, 0, 1},
    {OPEN, OPEN, UTET_E_ZSTD_WINDOW, &vast, 1u << 20, 0, UTET_OK, 0, 0, 1},
    {STEP, READ, UTET_E_ZSTD_WINDOW, &vast, 5, 0, UTET_OK, 0, 0, 1},
    {OPEN, OPEN, UTET_E_ZSTD_DICT, &dictionary, 1u << 20, 0, UTET_OK, 0, 0, 1},
    {STEP, READ, UTET_E_ZSTD_DICT, &dictionary, 5, 0, UTET_OK, 0, 0, 1},
    {OPEN, OPEN, UTET_E_ZSTD_LEGACY, &legacy, 1u << 20, 0, UTET_OK, 0, 0, 1},
    {STEP, READ, UTET_E_ZSTD_LEGACY, &legacy, 5, 0, UTET_OK, 0, 0, 1},
    {OPEN, OPEN, UTET_E_SHORT, &good, 1u << 20, 0, UTET_E_SHORT, 0, 0, 1},
    {STEP, READ, UTET_E_SHORT, &good, 5, 0, UTET_E_SHORT, 0, 0, 1},
    {OPEN, OPEN, UTET_E_PORT, &good, 1u << 20, 0, UTET_E_PORT, 0, 0, 1},
    {STEP, READ, UTET_E_PORT, &good, 5, 0, UTET_E_PORT, 0, 0, 1},
    {STEP, READ, UTET_E_ARGUMENT, &good, 5, 0, UTET_OK, 0, 0, 1}, /* nothing requested */
    {STEP, READ, UTET_END, &good, 5, 0, UTET_OK, 0, 0, 1},
    {STEP, READ, UTET_E_SPACE, &good, 4, 0, UTET_OK, 0, 1, 1},
    {STEP, READ, UTET_E_CHECKSUM, &falsified, 5, 0, UTET_OK, 0, 0, 1},
    {DECODE, DECODE, UTET_OK, &good, 5, 0, UTET_OK, 0, 0, 0},
    {DECODE, DECODE, UTET_WOULD_BLOCK, &good, 5, 0, UTET_WOULD_BLOCK, 0, 0, 0},
    {DECODE, DECODE, UTET_E_ARGUMENT, &good, 5, 0, UTET_OK, 0, 0, 1},
    {DECODE, DECODE, UTET_E_BUDGET, &good, 5, UTET_ZSTD_WORK_PACKED - 160, UTET_OK, 0, 0, 0}, /* no caches */
    {DECODE, DECODE, UTET_E_PAYLOAD, &cut, 5, 0, UTET_OK, 0, 0, 0},
    {DECODE, DECODE, UTET_E_PAYLOAD, &good, 6, 0, UTET_OK, 0, 0, 0}, /* fewer bytes than stated */
    {DECODE, DECODE, UTET_E_ZSTD_WINDOW, &vast, 5, 0, UTET_OK, 0, 0, 0},
    {DECODE, DECODE, UTET_E_ZSTD_DICT, &dictionary, 5, 0, UTET_OK, 0, 0, 0},
    {DECODE, DECODE, UTET_E_ZSTD_LEGACY, &legacy, 5, 0, UTET_OK, 0, 0, 0},
    {DECODE, DECODE, UTET_E_SHORT, &good, 5, 0, UTET_E_SHORT, 0, 0, 0},
    {DECODE, DECODE, UTET_E_PORT, &good, 5, 0, UTET_E_PORT, 0, 0, 0},
    {DECODE, DECODE, UTET_E_SPACE, &good, 4, 0, UTET_OK, 0, 1, 0},
    {DECODE, DECODE, UTET_E_CHECKSUM, &falsified, 5, 0, UTET_OK, 0, 0, 0},
};
enum { CAUSES = sizeof causes / sizeof causes[0] };

typedef struct status_case {
    char name[STATUSES_NAME];
    unsigned call;
    const cause *why;
} status_case;

static utet_status provoked(world *w, unsigned call, utet_status wanted)
{
    static utet_status (*const simple[])(world *) = {call_need, call_window, call_init, call_again, call_open};

    if (call <= OPEN)
        return simple[call](w);
    if (call == DECODE)
        return call_decode(w);
    return call == STEP ? steps(w, wanted) : reads(w, wanted);
}

static void run_case(void **state)
{
    static world w;
    const status_case *s = *state;
    const cause *c = s->why;
    utet_status status;

    memset(&w, 0, sizeof w);
    w.from = (source){c->f->bytes, c->f->length, c->answer};
    w.io.ctx = &w.from;
    w.io.read = source_read;
    w.io.size = c->f->length;
    w.io.unit = w.io.align = 1;
    w.job.io = &w.io;
    w.job.offset = c->offset;
    w.job.length = c->f->length;
    w.job.size = c->size;
    w.job.at_most = c->at_most;
    w.job.dst = c->slices ? NULL : w.dst;
    w.work_len = c->work != 0 ? c->work : sizeof w.work;
    status = provoked(&w, s->call, c->status);
    suite_check(status == c->status, "%s: %s", s->name, rig_status(status));
    if (s->call >= OPEN)
        suite_check((utet_zstd_needed(w.z) != 0) == (status == UTET_E_BUDGET), "%s: needed", s->name);
}

int main(int argc, char **argv)
{
    static status_case texts[CAUSES * 4];
    static struct CMUnitTest cases[CAUSES * 4];
    size_t n = 0, i;

    for (i = 0; i < CAUSES; i++)
        for (unsigned call = causes[i].first; call <= causes[i].last; call++, n++) {
            texts[n].call = call;
            texts[n].why = &causes[i];
            statuses_case(&cases[n], texts[n].name, names[call], causes[i].status, run_case, &texts[n]);
        }
    return statuses_run("zstdstatus", cases, n, argc, argv);
}
