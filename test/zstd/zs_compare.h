/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* One frame in one configuration, compared with the judge: zs_diff.c and fuzz_zstd.c do this with each of theirs. */
#ifndef ZS_COMPARE_H
#define ZS_COMPARE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "zs_data.h"
#include "zs_run.h"

enum { ROOM = 9 << 20, FRAME_ROOM = 10 << 20 };

static uint8_t *expected, *got, *frame, *raw;
static unsigned long passed, failed, by_window, by_log, by_block;

static inline void hex(const uint8_t *p, size_t n)
{
    size_t i;

    for (i = 0; i < n && i < 400u; i++)
        printf("%02x", p[i]);
    printf(n < 400u ? "\n" : "...\n");
}

static inline void report(const char *what, const zs_config *c, const zs_result *r, long judge)
{
    failed++;
    if (failed > 20)
        return;
    printf("FAILED %s: judge %ld, ours %d, %zu bytes, at %llu%s%s; mapped %d packed %d cache %d whole %d slice %zu "
           "chunk %zu block %d edge %d seed %u\n",
           what, judge, r->status, r->length, (unsigned long long)r->where, r->fault != NULL ? ", " : "",
           r->fault != NULL ? r->fault : "", c->mapped, c->packed, c->cache, c->whole, c->slice, c->chunk, c->block,
           c->edge, c->seed);
}

/* Configuration number i of a family that covers source, layout, caches, destination and slices. */
static inline zs_config config(unsigned i, uint32_t seed, uint64_t window)
{
    static const uint16_t caches[] = {64, 64, 0, 128, 512};
    static const size_t slices[] = {0, 1u << 20, 1, 7, 64, 512, 4096};
    static const size_t chunks[] = {0, SIZE_MAX, 1, 13};
    static const uint8_t blocks[] = {0, 2, 3, 5};
    zs_config c;

    memset(&c, 0, sizeof c);
    c.seed = seed;
    c.window = window;
    c.mapped = i & 1u;
    c.packed = i >> 1 & 1u;
    c.whole = i >> 2 & 1u;
    c.other = (i / 8u + seed) & 1u;
    c.cache = caches[(i >> 3) % 5u];
    c.slice = slices[(i / 40u + seed) % 7u];
    c.chunk = chunks[(i / 3u + seed) % 4u];
    c.block = blocks[(i / 5u + seed) % 4u];
    c.edge = (uint8_t)((i / 8u + seed) % 16u);
    c.step_limit = (i + seed) % 3u == 0 ? (uint16_t)(1u + seed % 23u) : 0;
    return c;
}

static inline int same(const zs_result *r, long judge)
{
    if (r->fault != NULL)
        return 0;
    if (judge < 0)
        return UTET_IS_ERROR(r->status);
    return r->status == UTET_OK && r->length == (size_t)judge && memcmp(expected, got, r->length) == 0;
}

/* A good frame with known content in `runs` configurations. */
static inline void good(const char *what, const uint8_t *src, size_t len, unsigned runs, uint32_t seed)
{
    long judge = zs_oracle(src, len, expected, ROOM);
    uint64_t window = zs_largest_window(src, len);
    unsigned i;

    for (i = 0; i < runs; i++) {
        zs_config c = config(runs < 40u ? zs_random(&seed) % 280u : i, seed, window);
        zs_result r;

        r = zs_run(&c, src, len, got, judge < 0 ? 1u << 20 : (size_t)judge);
        if (same(&r, judge))
            passed++;
        else
            report(what, &c, &r, judge);
    }
}

/* decodecorpus leaves the content of X.zst next to it: the judge itself is compared with that. */
static inline void original(const char *name, const uint8_t *src, size_t src_len)
{
    char path[512];
    size_t len;
    uint8_t *content;
    int n = (int)strlen(name) - 4;

    if (n <= 0 || strcmp(name + n, ".zst") != 0)
        return;
    snprintf(path, sizeof path, "%.*s", n, name);
    content = zs_load(path, &len);
    if (content == NULL)
        return;
    if (zs_oracle(src, src_len, expected, ROOM) == (long)len && memcmp(expected, content, len) == 0)
        passed++;
    else {
        printf("FAILED %s: the judge does not agree with the frame's maker\n", name);
        failed++;
    }
    free(content);
}

/* Without its checksum, which would make nearly all mutants invalid. */
static inline size_t strip(uint8_t *src, size_t len)
{
    if (len > 10u && (src[4] & 4u) != 0) {
        src[4] &= (uint8_t)~4u;
        len -= 4u;
    }
    return len;
}

static inline uint32_t word(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* The offset after the blocks of a frame that begin at `at`; `len` if they do not end within the frame. */
static inline size_t past_blocks(const uint8_t *src, size_t len, size_t at)
{
    while (at < len && len - at >= 3u) {
        uint32_t block = (uint32_t)src[at] | (uint32_t)src[at + 1] << 8 | (uint32_t)src[at + 2] << 16;
        size_t size = (block >> 1 & 3u) == 1u ? 1u : block >> 3;

        at += 3u;
        if (len - at < size)
            break;
        at += size;
        if ((block & 1u) != 0)
            return at;
    }
    return len;
}

/* Gives every frame of the sequence the window of 2 MiB that real files declare. Returns 0 if nothing changed. */
static inline int widen(uint8_t *src, size_t len)
{
    size_t at = 0;
    int changed = 0;

    while (at < len && len - at > 8u) {
        unsigned flags = src[at + 4], single = flags >> 5 & 1u;

        if ((word(src + at) & 0xFFFFFFF0u) == 0x184D2A50u) {
            size_t size = word(src + at + 4);

            if (len - at - 8u < size)
                break;
            at += 8u + size;
            continue;
        }
        if (word(src + at) != 0xFD2FB528u)
            break;
        if (!single && src[at + 5] < 0x58u) {
            src[at + 5] = 0x58;
            changed = 1;
        }
        at += 6u - single + (size_t[]){0, 1, 2, 4}[flags & 3u] + (flags >> 6 != 0 ? 1u << (flags >> 6) : single);
        at = past_blocks(src, len, at) + ((flags & 4u) != 0 ? 4u : 0u);
    }
    return changed;
}

static inline uint64_t bound_for(const zs_config *c, uint64_t window)
{
    return c->whole ? 0 : window;
}

/* The same, or a window above 2^27, which is refused with its own status. */
static inline int same_but_windows(const zs_result *r, long judge)
{
    const int refused = r->fault == NULL && judge >= 0 && r->status == UTET_E_ZSTD_WINDOW;

    by_log += (unsigned long)refused;
    return refused || same(r, judge);
}

/* A damaged frame: both decoders with the same limit of output. */
static inline void damaged(const char *what, uint8_t *src, size_t len, size_t bound, uint32_t seed)
{
    zs_config c = config(zs_random(&seed) % 280u, seed, 0);
    long judge;
    zs_result r;
    int agrees;

    c.at_most = 1;
    c.window = bound_for(&c, 0);
    if (c.slice < 64u && c.slice != 0)
        c.slice = 64;
    if (c.chunk == 1u)
        c.chunk = 31;
    judge = zs_oracle(src, len, expected, bound);
    r = zs_run(&c, src, len, got, bound);
    agrees = same_but_windows(&r, judge);
    if (!agrees && r.fault == NULL && widen(src, len)) {
        /* The judge does not compare offsets, raw blocks and RLE blocks with the declared window; with a window that
         * none exceeds, they must agree. */
        judge = zs_oracle(src, len, expected, bound);
        r = zs_run(&c, src, len, got, bound);
        agrees = same_but_windows(&r, judge);
        by_window += (unsigned long)agrees;
    }
    if (!agrees && r.fault == NULL && judge > 128 << 10 && r.status == UTET_E_PAYLOAD &&
        !zs_oracle_streams(src, len, expected, bound)) {
        agrees = 1; /* a block of more than 128 KiB: upstream's streaming call also refuses it */
        by_block++;
    }
    if (agrees) {
        passed++;
    } else {
        report(what, &c, &r, judge);
        hex(src, len);
    }
}

static inline size_t mutate(uint8_t *src, size_t len, uint32_t *seed)
{
    unsigned n = 1u + zs_random(seed) % 3u;

    while (n-- != 0 && len > 8u) {
        uint32_t r = zs_random(seed);
        /* headers more often than their size suggests: they are at the start of the frame and of its blocks */
        size_t most = r % 3u == 0 && len > 60u ? 60u : len, at = zs_random(seed) % most;

        switch (zs_random(seed) % 8u) {
        case 0: src[at] = (uint8_t)r; break;
        case 1: src[at] = (uint8_t)(src[at] + 1u); break;
        case 2: src[at] = 0; break;
        case 3: src[at] = 255; break;
        case 4: /* a part is removed */
            if (at + 2u < len) {
                memmove(src + at, src + at + 1u, len - at - 1u);
                len--;
            }
            break;
        case 5: /* one more byte */
            memmove(src + at + 1u, src + at, len - at);
            src[at] = (uint8_t)r;
            len++;
            break;
        default: src[at] ^= (uint8_t)(1u << r % 8u); break;
        }
    }
    return zs_random(seed) % 40u == 0 ? 1u + zs_random(seed) % len : len;
}

#endif
