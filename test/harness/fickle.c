/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* See fickle.h. */
#include "fickle.h"

#include <stdlib.h>
#include <string.h>

/* xorshift64*; a fuzzer's bytes first. */
static uint64_t draw(fickle *f)
{
    f->random ^= f->random >> 12;
    f->random ^= f->random << 25;
    f->random ^= f->random >> 27;
    if (f->script_size >= 4) {
        const uint8_t *s = f->script;
        f->script += 4;
        f->script_size -= 4;
        return s[0] | (uint64_t)s[1] << 8 | (uint64_t)s[2] << 16 | (uint64_t)s[3] << 24;
    }
    return (f->random * 0x2545F4914F6CDD1Du) >> 20;
}

static uint64_t get(const uint8_t *at)
{
    uint64_t v = 0;
    for (unsigned i = 8; i-- > 0;)
        v = v << 8 | at[i];
    return v;
}

/* A number where the library expects one: small, large, near what was there, near the file's size. */
static void change_number(fickle *f, uint8_t *at, size_t bytes)
{
    uint64_t was = bytes == 8 ? get(at) : at[0];
    uint64_t values[] = {0,
                         1,
                         2,
                         3,
                         was + 1,
                         was - 1,
                         was * 2,
                         was / 2,
                         was + 104,
                         was ^ 1,
                         f->size,
                         f->size - was,
                         f->size + 1,
                         UINT64_MAX,
                         (uint64_t)1 << (draw(f) % 64),
                         draw(f) % 300,
                         0x100000001u * (draw(f) % 9),
                         draw(f)};
    uint64_t now = values[draw(f) % (sizeof values / sizeof values[0])];
    for (size_t i = 0; i < bytes; i++)
        at[i] = (uint8_t)(now >> 8 * i);
}

/* `size` bytes at `at` become those from any place, 8 bytes apart, of this file or of the other one. */
static void change_structure(fickle *f, uint8_t *at, uint64_t offset, size_t size)
{
    uint64_t which = draw(f), from = draw(f) % (f->size + 1);
    const uint8_t *bytes = f->bytes;
    uint64_t there = f->size;
    if (which % 3 == 0 && f->other_size != 0) {
        bytes = f->other;
        there = f->other_size;
        from = which % 2 ? offset : draw(f) % there;
    } else if (which % 3 == 1) { /* a row before or after */
        from = which % 2 ? offset + 104 : offset - 104;
    }
    if (from % 8 != offset % 8)
        from += offset % 8 - from % 8;
    for (size_t i = 0; i < size; i++)
        if (from + i < there)
            at[i] = bytes[from + i];
}

static void change(fickle *f, uint8_t *buf, uint64_t offset, size_t n)
{
    uint64_t kind = draw(f) % 8;
    size_t at = (size_t)(draw(f) % n), size;
    if (kind < 2) { /* bits */
        for (unsigned i = 0; i <= kind; i++)
            buf[draw(f) % n] ^= (uint8_t)(1u << draw(f) % 8);
    } else if (kind < 5) { /* a number at a multiple of 4 of the file */
        at -= (offset + at) % 4 < at ? (size_t)((offset + at) % 4) : 0;
        size = kind == 4 ? 4 : 8;
        change_number(f, buf + at, n - at < size ? n - at < 4 ? 1 : 4 : size);
    } else if (kind < 7) { /* a structure */
        static const uint8_t sizes[] = {8, 16, 32, 32, 104, 104, 104, 255};
        size = sizes[draw(f) % sizeof sizes];
        at -= (offset + at) % 8 < at ? (size_t)((offset + at) % 8) : 0;
        change_structure(f, buf + at, offset + at, n - at < size ? n - at : size);
    } else { /* all of it */
        memset(buf, draw(f) % 2 ? 0xFF : 0, n);
    }
}

static utet_status fickle_read(void *ctx, uint64_t offset, void *buf, size_t len, size_t *got)
{
    fickle *f = ctx;
    int before = 0;
    utet_status status = f->inner.read(f->inner.ctx, offset, buf, len, got);
    if (++f->reads > f->most)
        suite_fail("more than %llu reads: a call does not end", (unsigned long long)f->most);
    if (status != UTET_OK || *got == 0)
        return status;
    for (uint64_t at = offset / 8; at <= (offset + *got - 1) / 8; at++) {
        before |= f->seen[at / 8] >> at % 8 & 1;
        f->seen[at / 8] |= (uint8_t)(1u << at % 8);
    }
    if (f->reads <= f->from || draw(f) % 256 < (before ? f->honest : 250))
        return status;
    change(f, buf, offset, *got);
    f->changed++;
    return status;
}

void fickle_between(fickle *f, rig *r, const uint8_t *bytes, uint64_t size, const uint8_t *other, uint64_t other_size)
{
    memset(f, 0, sizeof *f);
    f->bytes = bytes;
    f->size = size;
    f->other = other;
    f->other_size = other_size;
    f->most = 2000000;
    f->honest = 128;
    f->seen = calloc((size_t)(size / 64 + 2), 1);
    f->inner = r->port.io;
    r->port.io.ctx = f;
    r->port.io.read = fickle_read;
    r->port.io.cancel = NULL;
}

void fickle_begin(fickle *f, uint64_t seed)
{
    f->random = seed * 0x9E3779B97F4A7C15u + 0x1234567u;
    if (f->random == 0)
        f->random = 1;
    f->reads = 0;
    memset(f->seen, 0, (size_t)(f->size / 64 + 2));
}

void fickle_start(fickle *f, rig *r, size_t work, uint64_t seed)
{
    fickle_begin(f, seed);
    f->honest = 255u - (unsigned)(seed % 7) * (unsigned)(seed % 6) * 8u;
    f->from = seed % 5 == 0 ? 0 : seed % 5 == 1 ? 4 : seed % 60;
    faultport_rewind(&r->port);
    r->port.random = seed;
    r->port.blocks = seed % 11 == 0;
    r->port.slice = seed % 3 == 0 ? 50 : seed % 3 == 1 ? SLICE_RANDOM : SLICE_ALL;
    suite_check(utet_init(&r->file, &r->port.io, r->work.data + ((r->work.size - work) & ~(size_t)7), work,
                          r->codecs) == UTET_OK,
                "init");
}

void fickle_free(fickle *f)
{
    free(f->seen);
}
