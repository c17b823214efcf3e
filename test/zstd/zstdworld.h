/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* What the suites of the zstd decoder share: room for frames, one run in a chosen configuration, results. */
#ifndef ZSTDWORLD_H
#define ZSTDWORLD_H

#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "zstd/zstd_decoder.h"
#include "zs_data.h"
#include "zs_run.h"

enum { ROOM = 1 << 20 };

static uint8_t expected[ROOM], got[ROOM], raw[ROOM], frame[ROOM];

static inline size_t from_hex(uint8_t *out, const char *hex)
{
    size_t n = 0;
    unsigned v;

    for (; *hex != '\0'; hex += hex[0] == ' ' ? 1 : 2)
        if (*hex != ' ' && sscanf(hex, "%2x", &v) == 1)
            out[n++] = (uint8_t)v;
    return n;
}

static inline zs_config plain(void)
{
    zs_config c;

    memset(&c, 0, sizeof c);
    c.cache = 64;
    c.slice = SIZE_MAX;
    return c;
}

/* Jobs of n bytes from a payload of `len`, with a source that is still to be set; slices. */
static inline utet_zstd_job job_of(utet_io *io, size_t len, size_t n)
{
    utet_zstd_job job;

    memset(io, 0, sizeof *io);
    memset(&job, 0, sizeof job);
    io->size = len;
    job.io = io;
    job.length = len;
    job.size = n;
    return job;
}

/* Both layouts, both kinds of source, completely and in slices: combination i of 8. */
static inline zs_config combination(unsigned i)
{
    zs_config c = plain();

    c.mapped = i & 1u;
    c.packed = i >> 1 & 1u;
    c.whole = i >> 2 & 1u;
    return c;
}

/* Decodes the frame in all combinations, at once and one byte at a time. */
static inline void decodes(const char *hex, const uint8_t *want, size_t n)
{
    unsigned i;
    size_t len = from_hex(frame, hex);

    for (i = 0; i < 16u; i++) {
        zs_config c = combination(i);
        zs_result r;

        c.block = i >> 3 & 1u ? 2 : 0;
        c.chunk = i >> 3 & 1u;
        c.slice = i >> 3 & 1u ? 1 : SIZE_MAX;
        r = zs_run(&c, frame, len, got, n);
        suite_check(r.fault == NULL, "%s", r.fault);
        suite_check(r.status == UTET_OK, "%s: status %d at %lu", hex, r.status, (unsigned long)r.where);
        suite_check(r.length == n && memcmp(got, want, n) == 0, "%s: other bytes", hex);
    }
}

/* The first `len` bytes of frame are refused, in every combination. */
static inline void refused(const char *what, size_t len, size_t size, utet_status status)
{
    unsigned i;

    for (i = 0; i < 16u; i++) {
        zs_config c = combination(i);
        zs_result r;

        c.at_most = i >> 3 & 1u;
        r = zs_run(&c, frame, len, got, size);
        suite_check(r.fault == NULL, "%s", r.fault);
        suite_check(r.status == status, "%s: status %d instead of %d", what, r.status, status);
    }
}

static inline void refuses(const char *hex, size_t size, utet_status status)
{
    refused(hex, from_hex(frame, hex), size, status);
}

/* What the judge also refuses. */
static inline void damaged(const char *hex, size_t size)
{
    size_t len = from_hex(frame, hex);

    suite_check(zs_oracle(frame, len, expected, ROOM) < 0, "%s: the judge decodes it", hex);
    refuses(hex, size, UTET_E_PAYLOAD);
}

static inline size_t some_frame(size_t n, int checksum, int window_log, unsigned kind)
{
    zs_recipe r = {3, 0, 0, 0, 0};

    r.checksum = checksum;
    r.window_log = window_log;
    zs_fill(raw, n, kind, 5);
    return zs_frame(frame, sizeof frame, raw, n, &r);
}

static inline utet_status frame_read(void *ctx, uint64_t offset, void *buf, size_t len, size_t *n)
{
    (void)ctx;
    memcpy(buf, frame + (size_t)offset, len);
    *n = len;
    return UTET_OK;
}

#endif
