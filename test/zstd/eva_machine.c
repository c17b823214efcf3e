/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Frama-C EVA over the state machine of the built-in zstd decoder. EVA_PART 1: a job begins, headers are iterated over,
 * memory is divided; 2: input (headers made addressable, bit streams opened and refilled) from any state. An alarm is
 * possible undefined behaviour.
 *
 * Sizes and positions are tried one by one, because EVA does not relate two numbers; bytes have any value. The source
 * is a port that obeys utet.h, or mapped memory.
 *
 * eva.sh: 2 parts, x86_32
 *   1: -eva-slevel 1000 -eva-use-spec utet_zs_header
 *       -eva-split-return-function utet_zs_peek:0,zs_scan:0,zs_begin:0,utet_zstd_init:0
 *   2: -eva-slevel 500 -eva-slevel-function eva_main:5000
 *       -eva-split-return-function any_read:0,utet_zs_fetch:0,utet_zs_peek:0,utet_zs_cursor_refill:0
 */
#include <stddef.h>
#include <stdint.h>

#include "eva_any.h"

#include "eva_header.h"

#include "zstd/zstd_source.c"
#include "zstd/zstd_header.c"
#include "zstd/zstd_memory.c"
#include "zstd/zstd_api.c"
#include "zstd/zstd_execute.c"
#include "zstd/zstd_blocks.c"

static union {
    uint64_t align;
    zs_tables tables;
    zs_packed packed;
    uint8_t bytes[sizeof(zs_tables) + 2 * (ZS_CACHE_MAX + ZS_ABOVE)];
} memory;
static uint8_t output[64], source[64];
static utet_io io;
static int grants;

static int strange; /* the port may return what no port may return */

/* A port: it writes no more than it may. It delivers everything or nothing, because a call that continues with a part
 * begins in any state. */
static utet_status any_read(void *ctx, uint64_t offset, void *buf, size_t len, size_t *got)
{
    (void)ctx;
    (void)offset;
    *got = strange ? any32() : 0;
    if (strange)
        return (utet_status)any32();
    if (grants <= 0 || Frama_C_interval_split(0, 1))
        return Frama_C_interval(0, 1) ? UTET_WOULD_BLOCK : UTET_E_SHORT;
    grants--;
    *got = len;
    if (len != 0)
        Frama_C_make_unknown(buf, len);
    return UTET_OK;
}

#if EVA_PART == 1
static void job_of(utet_zstd_job *job, int mapped, int whole, uint64_t length, uint64_t size)
{
    memset(&io, 0, sizeof io);
    memset(job, 0, sizeof *job);
    io.map = mapped ? source : NULL;
    io.read = any_read;
    io.size = (uint64_t)Frama_C_interval(0, 64);
    io.unit = any32();
    io.align = any32();
    io.step_limit = 1;
    job->io = &io;
    job->offset = (uint64_t)Frama_C_interval(0, 64);
    job->length = length;
    job->size = size;
    job->at_most = (uint8_t)any32();
    job->dst = whole ? output : NULL;
}

static void from_a_job(size_t work, uint64_t length, uint64_t size)
{
    const int mapped = Frama_C_interval_split(0, 1), whole = Frama_C_interval_split(0, 1);
    utet_zstd_job job;
    utet_zstd *z = NULL;
    utet_need need;

    job_of(&job, mapped, whole, length, size);
    (void)utet_zstd_need(&job, any64(), &need);
    if (utet_zstd_init(&z, &job, memory.bytes, work) == UTET_OK) {
        (void)utet_zstd_reset(z, &job);
        z->status = UTET_OK;
        z->stage.walk.window = Frama_C_interval_split(0, 1) ? 8 : 32;
        (void)utet_zs_choose(z);
        (void)utet_zstd_needed(z);
        (void)utet_zstd_error_offset(z);
    }
}

/* The iteration over the headers, that many bytes before the payload's end. */
static void walk(unsigned left, unsigned in_frame)
{
    utet_zstd *z = &memory.tables.z;

    memset(&memory, 0, sizeof memory);
    Frama_C_make_unknown((char *)source, sizeof source);
    z->length = sizeof source;
    z->map = source;
    z->total_left = 8;
    z->step_limit = 1;
    z->stage.walk.position = sizeof source - left;
    z->stage.walk.in_frame = (uint8_t)in_frame;
    z->stage.walk.checksum = (uint8_t)any32();
    (void)zs_scan(z);
    z->status = UTET_OK;
    z->stage.walk.position = sizeof source;
    z->stage.walk.in_frame = 0;
    z->work_len = sizeof memory.bytes;
    (void)utet_zstd_open(z);
}

void eva_main(void)
{
    static const size_t sizes[4] = {16, sizeof(zs_packed), sizeof(zs_packed) + 200, sizeof memory.bytes};
    static const uint64_t lengths[4] = {0, 9, 64, UINT64_MAX};
    unsigned i, j, k, left;

    for (i = 0; i < 4u; i++)
        for (j = 0; j < 4u; j++)
            for (k = 0; k < 4u; k++)
                from_a_job(sizes[i], lengths[j], lengths[k]);
    for (left = 0; left <= 20u; left++) {
        walk(left, 0);
        walk(left, 1);
    }
}
#else

enum { CACHE = ZS_CACHE_MIN, FIXED = sizeof(zs_tables), ENDS = sizeof memory.bytes - 2 * (CACHE + ZS_ABOVE) };

/* A decoder with the smallest caches, at the end of memory, or with a mapped source; the current block has 40 bytes. */
static utet_zstd *any_decoder(int mapped)
{
    utet_zstd *z = &memory.tables.z;

    memset(&memory, 0, sizeof memory);
    Frama_C_make_unknown((char *)memory.bytes + FIXED, sizeof memory.bytes - FIXED);
    Frama_C_make_unknown((char *)source, sizeof source);
    Frama_C_make_unknown((char *)output, sizeof output);
    z->opened = 1;
    z->read = any_read;
    z->map = mapped ? source : NULL;
    z->at_hand = (uint8_t)mapped;
    z->cache_size = CACHE;
    z->lit.cache = memory.bytes + ENDS;
    z->seq.cache = z->lit.cache + CACHE + ZS_ABOVE;
    z->length = sizeof source;
    z->where = 20;
    z->size = 40;
    z->offset = (uint64_t)Frama_C_interval(0, 1000);
    z->buf = output;
    z->buf_size = sizeof output;
    z->out = z->mark = z->given = output + 20;
    z->end = z->stop = output + 23;
    z->block_left = 100;
    z->total_left = any32();
    z->window = any32();
    z->produced = any32();
    z->step_limit = 1;
    grants = 1;
    return z;
}
#endif

#if EVA_PART == 2
static void peek(unsigned most, unsigned have, unsigned behind)
{
    utet_zstd *z = any_decoder(0);

    z->size = 250;
    z->length = 250;
    z->rel = 4;
    z->hold_have = have;
    z->hold_at = (uint32_t)z->where + z->rel - behind;
    if (utet_zs_peek(z, most) == UTET_OK) {
        /*@ assert there: \valid_read(z->head + (0 .. z->have - 1)); */
    }
    z = any_decoder(1);
    z->rel = 40 - have % 41u;
    (void)utet_zs_peek(z, most);
    /*@ assert mapped: z->have != 0 ==> \valid_read(z->head + (0 .. z->have - 1)); */
}

/* A cursor over a cache whose last `wanted` bytes arrived above `kept`; `unread` bytes and some bits are left. */
static void refill(unsigned wanted, unsigned kept, unsigned unread, unsigned lo, unsigned again)
{
    utet_zstd *z = any_decoder(0);
    zs_cursor *c = &z->lit;

    z->offset = 0;
    c->top = c->cache + CACHE + kept;
    c->limit = 8u * (kept + wanted);
    c->used = c->limit - 8u * unread + (unread != 0 ? 5u : 0u);
    c->lo = lo;
    c->below = again & 1u ? lo : 1u;
    if ((again & 2u) != 0) { /* a refill was suspended */
        c->limit = 8u * kept;
        c->used = 0;
        c->wanted = (uint16_t)(c->below < wanted ? c->below : wanted);
        c->got = (uint16_t)(c->wanted / 2u);
    }
    if (utet_zs_cursor_refill(z, c) == UTET_OK) {
        /*@ assert reach: \valid_read(c->top - c->limit / 8 + (0 .. c->limit / 8 - 1)); */
        /*@ assert place: \valid_read(c->top - c->limit / 8 - ZS_BELOW); */
    }
}

static void start(unsigned from, unsigned to, int mapped, unsigned n)
{
    utet_zstd *z = any_decoder(mapped);

    z->offset = 0;
    utet_zs_cursor_open(z, &z->seq, from, to);
    if (utet_zs_cursor_start(z, &z->seq, n) == UTET_OK) {
        z->seq.used = (uint32_t)Frama_C_interval(0, (int)z->seq.limit);
        (void)utet_zs_long_field(1, &z->seq, (unsigned)Frama_C_interval(0, 16));
    }
    (void)zs_cursor_done(&z->seq);
}

void eva_main(void)
{
    static const uint8_t most[3] = {4, 128, 160}, have[3] = {0, 5, 159};
    static const uint8_t wanted[3] = {1, 30, CACHE}, los[4] = {1, 12, 64, 200};
    unsigned i, j, k, l;
    utet_zstd *z;

    for (i = 0; i < 3u; i++)
        for (j = 0; j < 3u; j++)
            for (k = 0; k <= 2u; k++)
                peek(most[i], have[j], have[j] * k / 2u);
    for (i = 0; i < 3u; i++)
        for (j = 0; j <= 11u; j += 11u)
            for (k = 0; k <= 11u && k <= wanted[i] + j; k += k < 9u ? 3u : 2u)
                for (l = 0; l < 16u; l++)
                    refill(wanted[i], j, k, los[l / 4u], l & 3u);
    for (i = 0; i <= 40u; i += 10u)
        for (j = i; j <= 40u; j += j < i + 3u ? 1u : 12u) {
            start(i, j, 1, 34);
            start(i, j, 0, 1);
            start(i, j, 0, 34);
        }
    z = any_decoder(0);
    strange = 1;
    (void)utet_zs_fetch(z, any32(), output, 8);
    strange = 0;
    for (i = 0; i <= 1u; i++)
        for (j = 1; j <= 3u; j++) {
            z = any_decoder((int)i);
            (void)utet_zs_direct(z, 40 - j, j);
        }
}
#endif
