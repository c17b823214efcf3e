/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* See zs_run.h. Uses the decoder's internal header only for the sizes of its layouts. */
#define _DEFAULT_SOURCE
#include "zs_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(at, n) (void)(at), (void)(n)
#define ASAN_UNPOISON_MEMORY_REGION(at, n) (void)(at), (void)(n)
#endif

#include "zstd/zstd_decoder.h"
#include "guard.h"

typedef struct port {
    const uint8_t *src;
    size_t len;
    size_t chunk;
    unsigned block, count;
    uint32_t seed;
    uint64_t offset; /* the request that must be repeated */
    void *buf;
    size_t want;
    unsigned waiting;
    zs_result *result;
    guard map;        /* the memory that contains the mapped source, */
    const uint8_t *s; /* where, */
    size_t behind;    /* and how many of its bytes follow the source */
} port;

uint32_t zs_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

uint8_t *zs_guarded(unsigned slot, size_t n)
{
    static struct {
        uint8_t *base;
        size_t size;
    } kept[8];
    const size_t page = 4096;
    size_t size = (n + page - 1) / page * page;

    if (kept[slot].size < size) {
        size_t all = size * 2 + page;

        if (kept[slot].base != NULL)
            munmap(kept[slot].base, kept[slot].size + page);
        size = all - page;
        kept[slot].base = mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (kept[slot].base == MAP_FAILED || mprotect(kept[slot].base + size, page, PROT_NONE) != 0)
            abort();
        kept[slot].size = size;
    }
    return kept[slot].base + kept[slot].size - n;
}

static utet_status port_read(void *ctx, uint64_t offset, void *buf, size_t len, size_t *got)
{
    port *p = ctx;

    if (len == 0 || offset > p->len || len > p->len - offset)
        p->result->fault = "a read outside the payload";
    if (p->waiting && (offset != p->offset || buf != p->buf || len != p->want))
        p->result->fault = "another request than the one that is under way";
    p->waiting = 0;
    if (p->block != 0 && ++p->count % p->block == 0) {
        p->waiting = 1;
        p->offset = offset;
        p->buf = buf;
        p->want = len;
        memset(buf, 0xa5, len); /* a transfer may be half complete */
        return UTET_WOULD_BLOCK;
    }
    if (p->chunk == SIZE_MAX)
        len = 1 + zs_random(&p->seed) % len;
    else if (p->chunk != 0 && len > p->chunk)
        len = p->chunk;
    memcpy(buf, p->src + offset, len);
    *got = len;
    p->result->reads++;
    p->result->bytes += len;
    return UTET_OK;
}

size_t zs_work(const zs_config *c, size_t src_len, size_t size)
{
    size_t n = c->packed ? sizeof(zs_packed) : sizeof(zs_tables);

    if (!c->mapped)
        n += c->cache != 0 ? 2u * (c->cache + ZS_ABOVE) : (src_len + 7) / 8 * 8;
    if (!c->whole) {
        size_t history = c->window == 0 || c->window >= size ? size : (size_t)c->window + ZS_OVERRUN;

        n += (history + 7) / 8 * 8;
    }
    return n;
}

/* What a build for one board omits is not tested on it. */
static zs_config as_built(zs_config c)
{
    c.mapped |= !UTET_ZSTD_READ;
    c.whole |= !UTET_ZSTD_SLICES;
    c.packed = (uint8_t)((c.packed || !UTET_ZSTD_TABLES) && UTET_ZSTD_PACKED);
    return c;
}

/* Decodes everything by utet_zstd_decode. */
static void decode(utet_zstd *z, const uint8_t *dst, uint8_t *out, size_t size, zs_result *r)
{
    unsigned stuck = 0;

    do
        r->status = utet_zstd_decode(z);
    while (r->status == UTET_WOULD_BLOCK && ++stuck <= 1000000);
    if (r->status == UTET_WOULD_BLOCK) {
        r->fault = "endless";
    } else if (r->status == UTET_OK) {
        memcpy(out, dst, size);
        r->length = size;
        r->status = UTET_END;
    }
}

/* Decodes one slice by utet_zstd_step or, with `read`, utet_zstd_read; `n` bytes of it have arrived at `out`. */
static utet_status slice(utet_zstd *z, int read, uint8_t *out, size_t want, const uint8_t **from, size_t *n)
{
    utet_status status;

#if UTET_ZSTD_SLICES
    if (read) {
        *from = NULL;
        return utet_zstd_read(z, out, want, n);
    }
#else
    (void)read;
#endif
    status = utet_zstd_step(z, want, from, n);
    if (*n != 0)
        memcpy(out, *from, *n);
    return status;
}

/* Decodes everything in slices. */
static void slices(utet_zstd *z, const zs_config *c, const uint8_t *dst, uint8_t *out, size_t size, zs_result *r)
{
    uint32_t seed = c->seed;
    unsigned stuck = 0;

    do {
        const int read = UTET_ZSTD_SLICES && !c->whole && c->other;
        size_t n, want = c->slice != 0 ? c->slice : 1 + zs_random(&seed) % 300;
        const uint8_t *from;

        r->status = slice(z, read, out + r->length, want, &from, &n);
        if (n > want || n > size - r->length || (n == 0 && r->status == UTET_OK)) {
            r->fault = "a slice of an impossible length";
            return;
        }
        if (!read && n != 0 && r->status != UTET_OK)
            r->fault = "a length with another status than UTET_OK";
        if (c->whole && n != 0 && from != dst + r->length)
            r->fault = "a slice that does not lie in the destination";
        r->length += n;
        stuck = n != 0 ? 0 : stuck + 1u;
    } while ((r->status == UTET_OK || r->status == UTET_WOULD_BLOCK) && stuck <= 1000000);
    if (stuck > 1000000)
        r->fault = "endless";
}

/* The source in memory, at the edge that the configuration names. An aligned load of a word never crosses a page, so
 * the address sanitizer gets the bytes between the map's end and the page as forbidden, byte by byte. */
static void map_source(const zs_config *c, port *p)
{
    const size_t apart = c->edge & 7u;
    uint8_t *to;

    p->map = guard_new(p->len + apart, 1, c->edge < 8u ? GUARD_AFTER : GUARD_BEFORE);
    to = p->map.data + (c->edge < 8u ? 0 : apart);
    memcpy(to, p->src, p->len);
    p->s = to;
    p->behind = (size_t)(p->map.priv_pages + p->map.priv_mapped - to) - p->len;
    ASAN_POISON_MEMORY_REGION(to + p->len, p->behind);
}

/* A map that was written to is a fault. */
static void unmap_source(port *p)
{
    if (p->s == NULL)
        return;
    ASAN_UNPOISON_MEMORY_REGION(p->s + p->len, p->behind);
    if (!guard_intact(&p->map) || memcmp(p->s, p->src, p->len) != 0)
        p->result->fault = "the mapped source was written to";
    guard_free(&p->map);
}

/* The source: mapped memory or the port, which `p` describes. */
static utet_io source(const zs_config *c, port *p)
{
    utet_io io;

    memset(&io, 0, sizeof io);
    p->chunk = c->chunk;
    p->block = c->block;
    p->seed = c->seed;
    io.ctx = p;
    io.read = port_read;
    io.size = p->len;
    io.step_limit = c->step_limit;
    if (c->mapped) {
        map_source(c, p);
        io.map = p->s;
        io.read = NULL;
    }
    return io;
}

zs_result zs_run(const zs_config *config, const uint8_t *src, size_t src_len, uint8_t *out, size_t size)
{
    const zs_config built = as_built(*config), *const c = &built;
    zs_result r;
    port p = {0};
    utet_io io;
    utet_zstd_job job = {0};
    utet_zstd *z;
    size_t work_len = zs_work(c, src_len, size), lead = 16;
    uint8_t *work = zs_guarded(0, work_len + (8 - work_len % 8) % 8 + lead) + lead;

    memset(&r, 0, sizeof r);
    p.src = src;
    p.len = src_len;
    p.result = &r;
    io = source(c, &p);
    job.io = &io;
    job.length = src_len;
    job.size = size;
    job.at_most = c->at_most;
    if (c->whole) {
        job.dst = zs_guarded(2, size + lead) + lead;
        memset(job.dst - lead, 0x5a, size + lead);
    }
    memset(work - lead, 0x5a, lead);
    memset(work, 0xcd, work_len);
    r.status = utet_zstd_init(&z, &job, work, work_len);
    if (r.status == UTET_OK && c->whole && !c->at_most && c->other)
        decode(z, job.dst, out, size, &r);
    else if (r.status == UTET_OK)
        slices(z, c, job.dst, out, size, &r);
    if (work_len >= sizeof(zs_packed)) {
        const uint8_t *from;
        size_t n;

        r.where = utet_zstd_error_offset(z);
        r.needed = utet_zstd_needed(z);
        if (r.status != UTET_E_ARGUMENT && utet_zstd_step(z, 1, &from, &n) != r.status)
            r.fault = "an error, or the end, that did not stick";
        r.unverified = utet_zstd_unverified(z) != 0;
        if (utet_zstd_unverified(z))
            r.fault = "an unverified checksum that was reported twice";
    }
    if (r.status == UTET_END)
        r.status = UTET_OK;
    for (; lead != 0; lead--)
        if (work[-(ptrdiff_t)lead] != 0x5a || (c->whole && job.dst[-(ptrdiff_t)lead] != 0x5a))
            r.fault = "memory before the workspace or the destination was touched";
    unmap_source(&p);
    return r;
}

uint64_t zs_largest_window(const uint8_t *src, size_t len)
{
    uint64_t most = 0;
    size_t at = 0;

    while (len - at >= 5) {
        uint32_t window, block;
        uint64_t skip;
        unsigned fcs, id, single, flags;

        if (utet_zstd_window(src + at, len - at, &window, &skip) != UTET_OK)
            break;
        if (skip > len - at)
            break;
        at += (size_t)skip;
        if (skip != 0)
            continue;
        if (window > most)
            most = window;
        flags = src[at + 4];
        single = flags >> 5 & 1;
        fcs = flags >> 6 ? 1u << (flags >> 6) : single;
        id = flags & 3;
        at += 6 - single + (id == 3 ? 4 : id) + fcs;
        do {
            if (len - at < 3)
                return most;
            block = (uint32_t)src[at] | (uint32_t)src[at + 1] << 8 | (uint32_t)src[at + 2] << 16;
            at += 3;
            if ((block >> 1 & 3) == 3 || len - at < ((block >> 1 & 3) == 1 ? 1 : block >> 3))
                return most;
            at += (block >> 1 & 3) == 1 ? 1 : block >> 3;
        } while ((block & 1) == 0);
        if (flags & 4) {
            if (len - at < 4)
                return most;
            at += 4;
        }
    }
    return most;
}

uint8_t *zs_load(const char *path, size_t *len)
{
    FILE *f = fopen(path, "rb");
    uint8_t *p;
    long n;

    if (f == NULL)
        return NULL;
    fseek(f, 0, SEEK_END);
    n = ftell(f);
    rewind(f);
    p = malloc((size_t)n + 1);
    if (p != NULL && fread(p, 1, (size_t)n, f) != (size_t)n) {
        free(p);
        p = NULL;
    }
    fclose(f);
    *len = (size_t)n;
    return p;
}
