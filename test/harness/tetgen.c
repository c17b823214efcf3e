/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* See tetgen.h. zstd frames come from Debian's libzstd (-DTETGEN_NO_ZSTD: not there, codec requests give raw chunks).
 */
#include "tetgen.h"

#include "utet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifndef TETGEN_NO_ZSTD
#include <zstd.h>
#endif

static void *need(void *p)
{
    if (p == NULL) {
        fputs("tetgen: out of memory\n", stderr);
        exit(3);
    }
    return p;
}

uint64_t tetgen_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

void tetgen_put(uint8_t *at, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        at[i] = (uint8_t)(value >> (8 * i));
}

uint64_t tetgen_get(const uint8_t *at, unsigned bytes)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes; i++)
        value |= (uint64_t)at[i] << (8 * i);
    return value;
}

unsigned tetgen_elem_size(uint32_t dtype)
{
    static const unsigned char size[11] = {0, 4, 8, 4, 8, 1, 2, 2, 4, 2, 8};
    return dtype < 11 ? size[dtype] : 0;
}

static uint64_t elements(const tetgen_dataset *d)
{
    uint64_t n = 1;
    for (unsigned a = 0; a < d->ndim; a++)
        n *= d->shape[a];
    return n;
}

static uint64_t chunks(const tetgen_dataset *d)
{
    uint64_t n = elements(d) == 0 ? 0 : 1;
    for (unsigned a = 0; a < d->ndim && n != 0; a++)
        n *= (d->shape[a] + d->chunk[a] - 1) / d->chunk[a];
    return n;
}

/* Values: half noise, half slowly changing, so that zstd finds matches and literals. */
static void fill_dense(uint8_t *dense, size_t size, uint64_t seed)
{
    uint64_t state = seed * 0x9E3779B97F4A7C15u + 1;
    for (size_t i = 0; i < size; i++)
        dense[i] = (i / 64) % 2 ? (uint8_t)tetgen_random(&state) : (uint8_t)(i / 5 + seed);
}

/* Copies the tile at chunk coordinates `at` out of the dense array; returns its bytes. */
static size_t cut_tile(const tetgen_dataset *d, const uint8_t *dense, const uint64_t *at, uint8_t *tile)
{
    unsigned elem = tetgen_elem_size(d->dtype);
    uint64_t low[8], extent[8], place[8] = {0}, n = 1;
    for (unsigned a = 0; a < d->ndim; a++) {
        low[a] = at[a] * d->chunk[a];
        extent[a] = d->shape[a] - low[a] < d->chunk[a] ? d->shape[a] - low[a] : d->chunk[a];
        n *= extent[a];
    }
    for (uint64_t i = 0; i < n; i++) {
        uint64_t linear = 0;
        for (unsigned a = 0; a < d->ndim; a++)
            linear = linear * d->shape[a] + low[a] + place[a];
        memcpy(tile + i * elem, dense + linear * elem, elem);
        for (unsigned a = d->ndim; a-- > 0 && ++place[a] == extent[a];)
            place[a] = 0;
    }
    return (size_t)n * elem;
}

static size_t compress_tile(uint8_t *to, size_t room, const uint8_t *tile, size_t size, uint64_t *random)
{
#ifdef TETGEN_NO_ZSTD
    (void)to, (void)room, (void)tile, (void)size, (void)random;
    return 0;
#else
    /* As the reference writes: no content size, window of 2 MiB declared; now and then a checksum or two frames. */
    ZSTD_CCtx *c = need(ZSTD_createCCtx());
    size_t done = 0, from = 0;
    uint64_t style = tetgen_random(random) % 8;
    ZSTD_CCtx_setParameter(c, ZSTD_c_compressionLevel, (int)(tetgen_random(random) % 7) + 1);
    ZSTD_CCtx_setParameter(c, ZSTD_c_checksumFlag, style == 1);
    ZSTD_CCtx_setParameter(c, ZSTD_c_contentSizeFlag, style == 2);
    if (style != 2)
        ZSTD_CCtx_setParameter(c, ZSTD_c_windowLog, 21);
    if (style == 3 && size > 1) {
        ZSTD_inBuffer half = {tile, size / 2, 0};
        ZSTD_outBuffer out = {to, room, 0};
        if (ZSTD_compressStream2(c, &out, &half, ZSTD_e_end) != 0)
            exit(3);
        done = out.pos;
        from = size / 2;
    }
    ZSTD_inBuffer in = {tile + from, size - from, 0};
    ZSTD_outBuffer out = {to + done, room - done, 0};
    if (style == 2)
        ZSTD_CCtx_setPledgedSrcSize(c, size - from);
    size_t left;
    do
        left = ZSTD_compressStream2(c, &out, &in, ZSTD_e_end);
    while (left != 0 && !ZSTD_isError(left) && out.pos < out.size);
    ZSTD_freeCCtx(c);
    if (left != 0) {
        fputs("tetgen: compression failed\n", stderr);
        exit(3);
    }
    return done + out.pos;
#endif
}

typedef struct buffer {
    uint8_t *bytes;
    size_t size, room;
} buffer;

static uint8_t *grow(buffer *b, size_t n)
{
    if (b->size + n > b->room) {
        b->room = (b->size + n) * 2;
        b->bytes = need(realloc(b->bytes, b->room));
    }
    memset(b->bytes + b->size, 0, n);
    b->size += n;
    return b->bytes + b->size - n;
}

static void put(buffer *b, uint64_t value, unsigned bytes)
{
    tetgen_put(grow(b, bytes), value, bytes);
}

static void write_directory(const tetgen *g, buffer *b)
{
    for (unsigned i = 0; i < g->count; i++) {
        const tetgen_dataset *d = &g->datasets[i];
        put(b, d->name_length, 4);
        put(b, d->dtype, 4);
        put(b, d->ndim, 4);
        put(b, 0, 4);
        uint8_t *name = grow(b, d->name_length);
        memcpy(name, d->name, d->name_length);
        grow(b, (8 - d->name_length % 8) % 8);
        for (unsigned a = 0; a < d->ndim; a++)
            put(b, d->shape[a], 8);
        for (unsigned a = 0; a < d->ndim; a++)
            put(b, d->chunk[a], 8);
    }
}

/* Rows of dataset i, with its payloads after the file so far; `rows` points to its first row in `index`. */
static void write_chunks(tetgen *g, unsigned i, uint8_t *row, buffer *b, uint64_t *random)
{
    const tetgen_dataset *d = &g->datasets[i];
    uint64_t at[8] = {0}, n = chunks(d);
    size_t room = 1;
    for (unsigned a = 0; a < d->ndim; a++)
        room *= (size_t)(d->chunk[a] < d->shape[a] ? d->chunk[a] : d->shape[a]);
    room *= tetgen_elem_size(d->dtype);
    uint8_t *tile = need(malloc(room + 1)), *stored = need(malloc(room * 2 + 4096));
    for (uint64_t c = 0; c < n; c++, row += 104) {
        size_t raw = cut_tile(d, g->dense[i], at, tile), size = raw;
        int zstd = d->codec == TETGEN_ZSTD || (d->codec == TETGEN_MIXED && c % 2);
#ifdef TETGEN_NO_ZSTD
        zstd = 0;
#endif
        if (zstd)
            size = compress_tile(stored, room * 2 + 4096, tile, raw, random);
        if (g->gaps) {
            size_t gap = (size_t)(tetgen_random(random) % 40);
            memset(grow(b, gap), 0xC3, gap);
        }
        tetgen_put(row, i, 8);
        for (unsigned a = 0; a < d->ndim; a++)
            tetgen_put(row + 8 + 8 * a, at[a], 8);
        tetgen_put(row + 72, b->size, 8);
        tetgen_put(row + 80, raw, 8);
        tetgen_put(row + 88, size, 8);
        tetgen_put(row + 96, (uint64_t)zstd, 4);
        memcpy(grow(b, size), zstd ? stored : tile, size);
        for (unsigned a = d->ndim; a-- > 0;) {
            if (++at[a] < (d->shape[a] + d->chunk[a] - 1) / d->chunk[a])
                break;
            at[a] = 0;
        }
    }
    free(tile);
    free(stored);
}

static void shuffle_rows(uint8_t *rows, size_t n, uint64_t *random)
{
    uint8_t swap[104];
    for (size_t i = n; i > 1; i--) {
        uint8_t *a = rows + 104 * (i - 1), *b = rows + 104 * (size_t)(tetgen_random(random) % i);
        memcpy(swap, a, 104);
        memmove(a, b, 104);
        memcpy(b, swap, 104);
    }
}

static void write_footer(int version, buffer *b)
{
    static const char json[] = "{\"history\":[],\"metadata\":{}}";
    memcpy(grow(b, sizeof json - 1), json, sizeof json - 1);
    put(b, sizeof json - 1, 8);
    put(b, (uint64_t)version, 4);
    memcpy(grow(b, 4), "THST", 4);
}

void tetgen_build(tetgen *g)
{
    buffer b = {0}, directory = {0}, payload = {0};
    uint64_t random = g->seed * 2654435761u + 99991;
    g->dense = need(calloc(g->count + 1u, sizeof *g->dense));
    g->dense_size = need(calloc(g->count + 1u, sizeof *g->dense_size));
    g->row_count = 0;
    for (unsigned i = 0; i < g->count; i++) {
        const tetgen_dataset *d = &g->datasets[i];
        g->row_count += (size_t)chunks(d);
        g->dense_size[i] = (size_t)elements(d) * tetgen_elem_size(d->dtype);
        g->dense[i] = need(malloc(g->dense_size[i] + 1));
        fill_dense(g->dense[i], g->dense_size[i], g->seed + i);
    }
    write_directory(g, &directory);
    g->index_offset = g->count ? 40 + directory.size : 32;
    size_t index_length = g->count ? 32 + 104 * g->row_count : 0;
    memcpy(grow(&b, 4), "TETR", 4);
    put(&b, 1, 4);
    put(&b, g->count, 4);
    put(&b, g->footer != 0, 4);
    put(&b, g->index_offset, 8);
    put(&b, index_length, 8);
    if (g->count) {
        put(&b, directory.size, 8);
        memcpy(grow(&b, directory.size), directory.bytes, directory.size);
        memcpy(grow(&b, 4), "TIDX", 4);
        put(&b, 1, 4);
        put(&b, g->row_count, 8);
        put(&b, g->budget_bps, 2);
        put(&b, 0, 2);
        put(&b, g->budget_bytes, 4);
        put(&b, 0, 8);
        uint8_t *rows = need(calloc(g->row_count + 1, 104)), *row = rows;
        payload.size = b.size + 104 * g->row_count; /* payload offsets are absolute */
        payload.room = payload.size + 1;
        payload.bytes = need(calloc(payload.room, 1));
        for (unsigned i = 0; i < g->count; i++) {
            write_chunks(g, i, row, &payload, &random);
            row += 104 * (size_t)chunks(&g->datasets[i]);
        }
        if (g->shuffle)
            shuffle_rows(rows, g->row_count, &random);
        memcpy(grow(&b, 104 * g->row_count), rows, 104 * g->row_count);
        size_t head = b.size;
        memcpy(grow(&b, payload.size - head), payload.bytes + head, payload.size - head);
        free(rows);
        free(payload.bytes);
    }
    if (g->footer)
        write_footer(g->footer, &b);
    free(directory.bytes);
    g->bytes = b.bytes;
    g->size = b.size;
}

void tetgen_free(tetgen *g)
{
    for (unsigned i = 0; i < g->count; i++)
        free(g->dense[i]);
    free(g->dense);
    free(g->dense_size);
    free(g->bytes);
    g->bytes = NULL;
    g->dense = NULL;
    g->dense_size = NULL;
}

void tetgen_head(uint8_t *to, uint64_t stored, uint64_t raw)
{
    memset(to, 0, TETGEN_HEAD);
    memcpy(to, "TETR\1", 5); /* the superblock (§2) */
    to[8] = 1;
    tetgen_put(to + 16, 80, 8);
    tetgen_put(to + 24, 136, 8);
    tetgen_put(to + 32, 40, 8);
    to[40] = 1; /* the directory (§3) */
    to[44] = UTET_U8;
    to[48] = 1;
    to[56] = 'p';
    tetgen_put(to + 64, raw, 8);
    tetgen_put(to + 72, raw, 8);
    memcpy(to + 80, "TIDX\1", 5); /* the index, and its row (§4) */
    to[88] = 1;
    tetgen_put(to + 112 + 72, TETGEN_HEAD, 8);
    tetgen_put(to + 112 + 80, raw, 8);
    tetgen_put(to + 112 + 88, stored, 8);
    to[112 + 96] = UTET_CODEC_ZSTD;
}

size_t tetgen_select(const tetgen_dataset *d, const uint8_t *dense, const uint64_t (*ranges)[3], uint8_t *out)
{
    unsigned elem = tetgen_elem_size(d->dtype);
    uint64_t total = elements(d), place[8] = {0};
    size_t n = 0;
    for (uint64_t i = 0; i < total; i++) {
        int in = 1;
        for (unsigned a = 0; a < d->ndim; a++)
            in &= place[a] >= ranges[a][0] && place[a] < ranges[a][1] && (place[a] - ranges[a][0]) % ranges[a][2] == 0;
        if (in)
            memcpy(out + elem * n++, dense + i * elem, elem);
        for (unsigned a = d->ndim; a-- > 0 && ++place[a] == d->shape[a];)
            place[a] = 0;
    }
    return n;
}

/* ---- the virtual file ---- */

enum { SPARSE_HEAD = 40 + 40 + 32 }; /* superblock, one record with a name of one byte, index header */

void tetsparse_make(tetsparse *s, uint64_t rows, uint64_t tile, int footer)
{
    s->rows = rows;
    s->tile = tile;
    s->footer = footer;
    s->payload = SPARSE_HEAD + 104 * rows;
    s->size = s->payload + rows * tile + (footer ? 2 + 16 : 0);
}

uint8_t tetsparse_value(uint64_t index)
{
    index *= 0x9E3779B97F4A7C15u;
    return (uint8_t)(index >> 56);
}

static void sparse_head(const tetsparse *s, uint8_t *h)
{
    memset(h, 0, SPARSE_HEAD);
    memcpy(h, "TETR", 4);
    tetgen_put(h + 4, 1, 4);
    tetgen_put(h + 8, 1, 4);
    tetgen_put(h + 12, s->footer != 0, 4);
    tetgen_put(h + 16, 80, 8);
    tetgen_put(h + 24, 32 + 104 * s->rows, 8);
    tetgen_put(h + 32, 40, 8);
    tetgen_put(h + 40, 1, 4);
    tetgen_put(h + 44, 5, 4); /* u8 */
    tetgen_put(h + 48, 1, 4);
    h[56] = 'v';
    tetgen_put(h + 64, s->rows * s->tile, 8);
    tetgen_put(h + 72, s->tile, 8);
    memcpy(h + 80, "TIDX", 4);
    tetgen_put(h + 84, 1, 4);
    tetgen_put(h + 88, s->rows, 8);
}

static void sparse_row(const tetsparse *s, uint64_t n, uint8_t *row)
{
    memset(row, 0, 104);
    tetgen_put(row + 8, n, 8);
    tetgen_put(row + 72, s->payload + n * s->tile, 8);
    tetgen_put(row + 80, s->tile, 8);
    tetgen_put(row + 88, s->tile, 8);
}

void tetsparse_fetch(void *sparse, uint64_t offset, uint8_t *to, size_t len)
{
    const tetsparse *s = sparse;
    uint8_t head[SPARSE_HEAD], row[104], tail[18] = "{}";
    uint64_t held = UINT64_MAX, end = s->size - (s->footer ? sizeof tail : 0);
    sparse_head(s, head);
    tetgen_put(tail + 2, 2, 8);
    tetgen_put(tail + 10, (uint64_t)s->footer, 4);
    memcpy(tail + 14, "THST", 4);
    for (size_t i = 0; i < len; i++, offset++) {
        if (offset < SPARSE_HEAD) {
            to[i] = head[offset];
        } else if (offset < s->payload) {
            uint64_t n = (offset - SPARSE_HEAD) / 104;
            if (n != held)
                sparse_row(s, n, row);
            held = n;
            to[i] = row[(offset - SPARSE_HEAD) % 104];
        } else if (offset < end) {
            to[i] = tetsparse_value(offset - s->payload);
        } else {
            to[i] = tail[offset - end];
        }
    }
}
