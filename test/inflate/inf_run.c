/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
#include "inf_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifndef INF_REPLAY
#include <zlib.h>
#endif

#include "guard.h"

uint8_t inf_judged[INF_MOST + 1];
#ifndef INF_REPLAY
inf_counts inf_counted;
#endif

static guard input, output, object; /* arenas: memory that is handed out ends, or begins, at their end or beginning */

uint32_t inf_chance(uint32_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 17;
    *seed ^= *seed << 5;
    return *seed;
}

static void broken(const char *what)
{
    fprintf(stderr, "contract: %s\n", what);
    abort();
}
#define HOLD(condition) ((condition) ? (void)0 : broken(#condition))

/* ---- zlib, the second opinion ---- */

#ifndef INF_REPLAY
inf_verdict inf_judge(const uint8_t *in, uint32_t len, uint32_t size)
{
    inf_verdict v = {UTET_E_PAYLOAD, 0, 0, NULL};
    z_stream s;
    int r;

    memset(&s, 0, sizeof s);
    HOLD(inflateInit(&s) == Z_OK);
    s.next_in = (Bytef *)(uintptr_t)in;
    s.avail_in = len;
    s.next_out = inf_judged;
    s.avail_out = size + 1u;
    r = inflate(&s, Z_SYNC_FLUSH);
    v.produced = (uint32_t)s.total_out;
    v.why = s.msg;
    if (s.total_out > size)
        v.status = UTET_E_SPACE;
    else if (r == Z_STREAM_END && s.total_out == size && s.total_in == len)
        v.status = UTET_END;
    else if (r == Z_DATA_ERROR && s.total_out == size && s.msg != NULL && strcmp(s.msg, "incorrect data check") == 0)
        v.status = UTET_E_CHECKSUM;
    (void)inflateEnd(&s);
    return v;
}
#endif

/* ---- the medium ---- */

typedef struct medium {
    const uint8_t *in;
    uint32_t len;
    const inf_way *way;
    uint32_t seed;
    uint32_t at;      /* no position below this one may be requested: it was requested before and delivered bytes */
    uint32_t refused; /* the last position that was answered with "not yet" */
    unsigned times;   /* how often */
    int fetches;
} medium;

static utet_status fetch(void *ctx, uint32_t position, const uint8_t **at, size_t *have)
{
    medium *m = ctx;
    size_t n = m->way->piece != 0 ? m->way->piece : 1u + inf_chance(&m->seed) % 9u, most;
    unsigned times = m->way->blocks > 16u ? 3u : inf_chance(&m->seed) % 16u < m->way->blocks ? 1u : 0;

    HOLD(position < m->len);
    HOLD(position >= m->at);
    m->fetches++;
    if (m->refused != UINT32_MAX)
        HOLD(position == m->refused);
    else
        m->times = 0;
    if (m->times < times) {
        m->times++;
        m->refused = position;
        *have = 77; /* has no meaning */
        return UTET_WOULD_BLOCK;
    }
    m->refused = UINT32_MAX;
    most = m->len - position;
    if (m->way->fault != UINT32_MAX) {
        if (position >= m->way->fault)
            return UTET_E_PORT - 5;
        if (most > m->way->fault - position)
            most = m->way->fault - position;
    }
    memset(input.data, 0xEE, input.size < 64u ? input.size : 64u);
    memset(input.data + input.size - (n < 600u ? 600u : n), 0xEE, n < 600u ? 600u : n);
    *at = input.data + input.size - n;
    memcpy(input.data + input.size - n, m->in + position,
           n < most ? n : most); /* more than the rest: not part of the stream */
    *have = n < most || m->way->fault == UINT32_MAX ? n : most;
    return UTET_OK;
}

/* ---- the decoder ---- */

static void arenas(void)
{
    if (object.data != NULL)
        return;
    input = guard_new(INF_MOST + 4096u, 1, GUARD_AFTER);
    output = guard_new(INF_MOST + 64u, 1, GUARD_AFTER);
    object = guard_new(sizeof(utet_inflate), 8, GUARD_AFTER);
}

static size_t capacity_of(const inf_way *way, uint32_t size)
{
    return way->capacity > (size_t)size + 7u ? size : way->capacity;
}

inf_verdict inf_run(const uint8_t *in, uint32_t len, uint32_t size, const inf_way *way)
{
    inf_verdict v = {UTET_OK, 0, 0, NULL};
    medium m = {in, len, way, way->seed | 1u, 0, UINT32_MAX, 0, 0};
    size_t capacity = capacity_of(way, size);
    utet_inflate_job job = {fetch, &m, len, size, NULL, capacity, 0};
    utet_inflate *z;
    int before, steps = 0;

    arenas();
    before = (way->seed & 64u) != 0; /* the unmapped page is before the buffer */
    output.data[0] = 0xCC;
    job.step_limit = (uint16_t)((way->seed >> 7 & 1u) != 0 ? 1u + (way->seed >> 8) % 5u : 0u);
    job.buffer = before ? output.data : output.data + output.size - capacity;
    memset(job.buffer, 0xCC, capacity + (before ? 16u : 0));
    z = (utet_inflate *)(void *)object.data;
    memset(z, 0xCC, sizeof *z);
    HOLD(utet_inflate_init(z, &job) == UTET_OK);
    memset(&job, 0xCC, sizeof job.fetch); /* it was copied */
    for (;;) {
        size_t want = way->want != 0 ? way->want : 1u + inf_chance(&m.seed) % 300u, got = 12345;
        const uint8_t *at = NULL;
        utet_status status = utet_inflate_step(z, want, &at, &got);

        m.at = utet_inflate_error_offset(z);
        HOLD(m.at <= len);
        memset(input.data + input.size - 600u, 0xEE, 600u); /* what was within reach is no longer valid */
        if (before)
            HOLD(job.buffer[capacity] == 0xCC && job.buffer[capacity + 15u] == 0xCC);
        if (status == UTET_OK) {
            HOLD(got >= 1u && got <= want && v.produced + got <= size);
            HOLD(at >= job.buffer && at + got <= job.buffer + capacity);
            HOLD(capacity < size || at == job.buffer + v.produced);
            if (memcmp(at, inf_judged + v.produced, got) != 0) {
                v.status = 99;
                return v;
            }
            v.produced += (uint32_t)got;
            HOLD(v.produced < size || m.at == len);
        } else {
            HOLD(got == 0);
            if (status != UTET_WOULD_BLOCK) {
                HOLD(utet_inflate_step(z, want, &at, &got) == status && got == 0); /* the error persists */
                v.status = status;
                v.where = utet_inflate_error_offset(z);
                break;
            }
        }
        HOLD(++steps < 40 * (int)(len + size + 20u));
    }
    HOLD(way->seed >> 7 & 1u || m.fetches <= 4 * (int)len + 8); /* after a pause, input is fetched again */
    HOLD(guard_intact(&object));
    return v;
}

inf_way inf_any_way(uint32_t len, uint32_t size, uint32_t seed)
{
    static const size_t piece[8] = {0, 1, 2, 3, 7, 64, 512, INF_MOST};
    static const size_t want[8] = {SIZE_MAX, 0, 1, 7, 64, 258, 1000, SIZE_MAX};
    uint32_t chance = seed * 2654435761u | 1u;
    inf_way way;

    (void)inf_chance(&chance);
    way.piece = piece[inf_chance(&chance) % 8u];
    if (way.piece > len)
        way.piece = len + 1u;
    way.want = want[inf_chance(&chance) % 8u];
    way.capacity = inf_chance(&chance) % 2u != 0 ? SIZE_MAX
                   : size < 32768u               ? size + inf_chance(&chance) % 8u
                                                 : 32768u + inf_chance(&chance) % 2u;
    way.blocks = inf_chance(&chance) % 4u == 0 ? inf_chance(&chance) % 18u : 0;
    way.fault = UINT32_MAX;
    way.seed = chance;
    return way;
}

#ifndef INF_REPLAY
static void count(utet_status status)
{
    if (status == UTET_END)
        inf_counted.good++;
    else if (status == UTET_E_SPACE)
        inf_counted.space++;
    else if (status == UTET_E_CHECKSUM)
        inf_counted.checksum++;
    else
        inf_counted.payload++;
}

int inf_agree_way(const char *name, const uint8_t *in, uint32_t len, uint32_t size, const inf_way *way)
{
    inf_verdict theirs = inf_judge(in, len, size), ours = inf_run(in, len, size, way);
    uint32_t i;

    count(theirs.status);
    if (ours.status == theirs.status && (ours.status != UTET_END || ours.produced == size))
        return 1;
    printf(
        "%s: %d at %u after %u bytes, zlib says %d (%s) after %u of %u; piece %zu want %zu capacity %zu blocks %u seed %u\n",
        name, ours.status, ours.where, ours.produced, theirs.status, theirs.why != NULL ? theirs.why : "-",
        theirs.produced, size, way->piece, way->want, way->capacity, way->blocks, way->seed);
    for (i = 0; i < len && i < 400u; i++)
        printf("%02x", in[i]);
    printf("\n");
    return 0;
}

int inf_agree(const char *name, const uint8_t *in, uint32_t len, uint32_t size, uint32_t seed)
{
    inf_way way = inf_any_way(len, size, seed);

    return inf_agree_way(name, in, len, size, &way);
}
#endif
