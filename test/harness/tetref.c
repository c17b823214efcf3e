/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* See tetref.h. Section numbers are those of the format notes. */
#include "tetref.h"
#include "tetgen.h"

#include <stdlib.h>
#include <string.h>
#ifndef TETGEN_NO_ZSTD
#include <zstd.h>
#endif

/* a + b, a * b; UINT64_MAX when that does not fit, which no file reaches. */
static uint64_t plus(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static uint64_t times(uint64_t a, uint64_t b)
{
    return b != 0 && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

static int utf8_valid(const uint8_t *s, uint64_t n)
{
    for (uint64_t i = 0; i < n;) {
        uint32_t c = s[i], more = c < 0x80 ? 0 : c >= 0xC2 && c < 0xE0 ? 1 : c >= 0xE0 && c < 0xF0 ? 2 : 3;
        if (c >= 0x80 && (c < 0xC2 || c > 0xF4))
            return 0;
        if (more >= n - i && more > 0)
            return 0;
        uint32_t value = more == 0 ? c : c & (0x3Fu >> more);
        for (uint32_t k = 1; k <= more; k++) {
            if ((s[i + k] & 0xC0) != 0x80)
                return 0;
            value = value << 6 | (s[i + k] & 0x3Fu);
        }
        if ((more == 2 && (value < 0x800 || (value >= 0xD800 && value < 0xE000))) ||
            (more == 3 && (value < 0x10000 || value > 0x10FFFF)))
            return 0;
        i += 1 + more;
    }
    return 1;
}

/* §3 */
static tetref_verdict directory(tetref *t, uint64_t *end)
{
    if (t->size < 40)
        return TETREF_BAD;
    uint64_t blob = tetgen_get(t->bytes + 32, 8), at = 40;
    if (blob > t->size - 40 || t->count > blob / 32)
        return TETREF_BAD;
    *end = 40 + blob;
    t->datasets = calloc(t->count, sizeof *t->datasets);
    for (uint32_t i = 0; i < t->count; i++) {
        tetref_dataset *d = &t->datasets[i];
        if (*end - at < 16)
            return TETREF_BAD;
        d->name_length = (uint32_t)tetgen_get(t->bytes + at, 4);
        d->dtype = (uint32_t)tetgen_get(t->bytes + at + 4, 4);
        d->ndim = (uint32_t)tetgen_get(t->bytes + at + 8, 4);
        d->name = t->bytes + at + 16;
        if (d->ndim < 1 || d->ndim > 8 || d->name_length > *end - at - 16 || !utf8_valid(d->name, d->name_length))
            return TETREF_BAD;
        at += (16 + (uint64_t)d->name_length + 7) / 8 * 8;
        if (at > *end || *end - at < 16 * d->ndim)
            return TETREF_BAD;
        for (uint32_t a = 0; a < d->ndim; a++) {
            d->shape[a] = tetgen_get(t->bytes + at + 8 * a, 8);
            d->chunk[a] = tetgen_get(t->bytes + at + 8 * (d->ndim + a), 8);
        }
        at += 16 * d->ndim;
    }
    return at == *end ? TETREF_OK : TETREF_BAD;
}

/* §6.1, §6.2, with the deviation that the flag comes first; the JSON is not looked at. */
static tetref_verdict footer(tetref *t)
{
    t->limit = t->size;
    if ((tetgen_get(t->bytes + 12, 4) & 1) == 0)
        return TETREF_OK;
    const uint8_t *tail = t->bytes + t->size - 16;
    if (t->size < 16 || memcmp(tail + 12, "THST", 4) != 0)
        return t->count > 0 ? TETREF_BAD : TETREF_OK;
    uint64_t json = tetgen_get(tail, 8), version = tetgen_get(tail + 8, 4);
    if ((version != 1 && version != 2) || plus(json, 16) > t->size)
        return TETREF_BAD;
    t->limit = t->size - 16 - json;
    return TETREF_OK;
}

tetref_verdict tetref_open(tetref *t, const uint8_t *bytes, uint64_t size)
{
    memset(t, 0, sizeof *t);
    t->bytes = bytes;
    t->size = size;
    if (size < 32 || memcmp(bytes, "TETR", 4) != 0 || tetgen_get(bytes + 4, 4) != 1)
        return TETREF_BAD;
    uint64_t index = tetgen_get(bytes + 16, 8), length = tetgen_get(bytes + 24, 8), end = 0;
    if (plus(index, length) > size)
        return TETREF_BAD;
    t->count = (uint32_t)tetgen_get(bytes + 8, 4);
    if (t->count == 0)
        return footer(t);
    if (directory(t, &end) != TETREF_OK || index != end || length < 32)
        return TETREF_BAD;
    const uint8_t *header = bytes + index;
    t->row_count = tetgen_get(header + 8, 8);
    t->rows = header + 32;
    if (memcmp(header, "TIDX", 4) != 0 || tetgen_get(header + 4, 4) != 1 ||
        plus(times(t->row_count, 104), 32) != length)
        return TETREF_BAD;
    return footer(t);
}

void tetref_free(tetref *t)
{
    free(t->datasets);
    t->datasets = NULL;
}

/* Its payload ends at `end` at most: reading looks at the file only, the verdict at the footer too (FORMAT.md §6.2). */
static tetref_verdict row_clean(const uint8_t *row, uint64_t end)
{
    uint64_t codec = tetgen_get(row + 96, 4), raw = tetgen_get(row + 80, 8), stored = tetgen_get(row + 88, 8);
    if (codec > 1 || (codec == 0 && raw != stored) || plus(tetgen_get(row + 72, 8), stored) > end)
        return TETREF_BAD;
    return TETREF_OK;
}

tetref_verdict tetref_rows(const tetref *t, uint64_t end)
{
    for (uint64_t i = 0; i < t->row_count; i++)
        if (row_clean(t->rows + 104 * i, end) != TETREF_OK)
            return TETREF_BAD;
    return TETREF_OK;
}

tetref_verdict tetref_zstd(const uint8_t *payload, size_t stored, uint8_t *out, size_t size)
{
#ifdef TETGEN_NO_ZSTD
    (void)payload, (void)stored, (void)out, (void)size;
    return TETREF_UNKNOWN;
#else
    static ZSTD_DCtx *d; /* kept: a new one would allocate its 2 MiB window each time */
    uint8_t spare[1];
    ZSTD_inBuffer in = {payload, stored, 0};
    ZSTD_outBuffer to = {out, size, 0};
    size_t left = 1;
    int bad = stored == 0;
    if (d == NULL)
        d = ZSTD_createDCtx();
    ZSTD_DCtx_reset(d, ZSTD_reset_session_only);
    while (!bad && in.pos < in.size) { /* frame after frame; output beyond `size` shows up in `spare` */
        ZSTD_outBuffer beyond = {spare, 1, 0};
        size_t before = in.pos + to.pos;
        left = ZSTD_decompressStream(d, to.pos < to.size ? &to : &beyond, &in);
        bad = ZSTD_isError(left) || beyond.pos > 0;
        if (!bad && left != 0 && in.pos + to.pos == before)
            break;
    }
    for (int k = 0; !bad && left != 0 && k < 2; k++) { /* what the decoder still holds */
        ZSTD_outBuffer beyond = {spare, 1, 0};
        left = ZSTD_decompressStream(d, to.pos < to.size ? &to : &beyond, &in);
        bad = ZSTD_isError(left) || beyond.pos > 0;
    }
    return bad || left != 0 || to.pos != size ? TETREF_BAD : TETREF_OK;
#endif
}

/* The tile of row `row` at coordinates `at`, its elements placed into the dense array. */
static tetref_verdict place(const tetref *t, const tetref_dataset *d, const uint64_t *at, const uint8_t *row,
                            uint8_t *dense)
{
    unsigned elem = tetgen_elem_size(d->dtype);
    uint64_t low[8], extent[8], step[8] = {0}, n = 1;
    for (uint32_t a = 0; a < d->ndim; a++) {
        low[a] = at[a] * d->chunk[a];
        extent[a] = d->shape[a] - low[a] < d->chunk[a] ? d->shape[a] - low[a] : d->chunk[a];
        n *= extent[a];
    }
    uint64_t raw = tetgen_get(row + 80, 8), stored = tetgen_get(row + 88, 8);
    if (row_clean(row, t->size) != TETREF_OK || raw != n * elem)
        return TETREF_BAD;
    const uint8_t *payload = t->bytes + tetgen_get(row + 72, 8);
    uint8_t *tile = malloc((size_t)raw + 1);
    tetref_verdict verdict = TETREF_OK;
    if (tetgen_get(row + 96, 4) == 0)
        memcpy(tile, payload, (size_t)raw);
    else
        verdict = tetref_zstd(payload, (size_t)stored, tile, (size_t)raw);
    for (uint64_t i = 0; verdict == TETREF_OK && i < n; i++) {
        uint64_t linear = 0;
        for (uint32_t a = 0; a < d->ndim; a++)
            linear = linear * d->shape[a] + low[a] + step[a];
        memcpy(dense + linear * elem, tile + i * elem, elem);
        for (uint32_t a = d->ndim; a-- > 0 && ++step[a] == extent[a];)
            step[a] = 0;
    }
    free(tile);
    return verdict;
}

static int row_is(const tetref *t, const uint8_t *row, uint32_t id, const uint64_t *at)
{
    if (tetgen_get(row, 8) != id)
        return 0;
    for (uint32_t a = 0; a < t->datasets[id].ndim; a++)
        if (tetgen_get(row + 8 + 8 * a, 8) != at[a])
            return 0;
    return 1;
}

/* Tiles of a dataset; UINT64_MAX when a chunk extent of 0 makes that unknown. */
static uint64_t tiles_of(const tetref_dataset *d)
{
    uint64_t n = 1;
    for (uint32_t a = 0; a < d->ndim; a++)
        n = times(n, d->shape[a] == 0 ? 0 : d->chunk[a] == 0 ? UINT64_MAX : (d->shape[a] - 1) / d->chunk[a] + 1);
    return n;
}

/* §4: the row where writers put the tile at these coordinates. */
static uint64_t predicted_row(const tetref *t, uint32_t id, const uint64_t *at)
{
    const tetref_dataset *d = &t->datasets[id];
    uint64_t base = 0, linear = 0;
    for (uint32_t k = 0; k < id; k++)
        base = plus(base, tiles_of(&t->datasets[k]));
    for (uint32_t a = 0; a < d->ndim; a++)
        linear = plus(times(linear, (d->shape[a] - 1) / d->chunk[a] + 1), at[a]);
    return plus(base, linear);
}

/* Null = missing. */
static const uint8_t *row_of(const tetref *t, uint32_t id, int predict, const uint64_t *at)
{
    uint64_t guess = predict ? predicted_row(t, id, at) : UINT64_MAX;
    if (guess < t->row_count && row_is(t, t->rows + 104 * guess, id, at))
        return t->rows + 104 * guess;
    for (uint64_t i = 0; i < t->row_count; i++)
        if (row_is(t, t->rows + 104 * i, id, at))
            return t->rows + 104 * i;
    return NULL;
}

/* The next tile's coordinates; 0 after the last. */
static int next_tile(const tetref_dataset *d, uint64_t *at)
{
    uint32_t a = d->ndim;
    while (a-- > 0) {
        /* (at + 1) * chunk < shape, without overflow */
        if (++at[a] <= (d->shape[a] - 1) / d->chunk[a])
            return 1;
        at[a] = 0;
    }
    return 0;
}

int tetref_allows(const tetref *t, uint32_t id, const uint8_t *dense, size_t room)
{
    const tetref_dataset *d = &t->datasets[id];
    uint64_t size = tetgen_elem_size(d->dtype), at[8] = {0};
    int allowed;
    for (uint32_t a = 0; a < d->ndim; a++)
        size = d->chunk[a] == 0 ? 0 : times(size, d->shape[a]);
    if (size == 0 || size > room)
        return 0;
    uint8_t *out = malloc((size_t)size);
    do {
        allowed = 0;
        for (uint64_t i = 0; i < t->row_count && !allowed; i++) {
            if (!row_is(t, t->rows + 104 * i, id, at))
                continue;
            if (dense != NULL)
                memcpy(out, dense, (size_t)size);
            allowed = (place(t, d, at, t->rows + 104 * i, out) == TETREF_OK) == (dense != NULL) &&
                      (dense == NULL || memcmp(out, dense, (size_t)size) == 0);
        }
        if (allowed != (dense != NULL))
            break; /* one tile that cannot be is enough, one that may be refused too */
    } while (next_tile(d, at));
    free(out);
    return allowed;
}

tetref_verdict tetref_read(const tetref *t, uint32_t id, int predict, size_t room, uint8_t **dense, size_t *size)
{
    const tetref_dataset *d = &t->datasets[id];
    uint64_t n = tetgen_elem_size(d->dtype), at[8] = {0};
    int empty = 0;
    *dense = NULL;
    *size = 0;
    if (n == 0)
        return TETREF_BAD;
    for (uint32_t a = 0; a < d->ndim; a++)
        empty |= d->shape[a] == 0;
    for (uint32_t a = 0; a < d->ndim; a++)
        n = empty ? 0 : times(n, d->shape[a]);
    if (empty) {
        *dense = malloc(1);
        return TETREF_OK;
    }
    for (uint32_t a = 0; a < d->ndim; a++)
        if (d->chunk[a] == 0)
            return TETREF_BAD;
    if (n > room)
        return TETREF_UNKNOWN;
    uint8_t *out = malloc((size_t)n);
    do {
        const uint8_t *row = row_of(t, id, predict, at);
        tetref_verdict verdict = row == NULL ? TETREF_BAD : place(t, d, at, row, out);
        if (verdict != TETREF_OK) {
            free(out);
            return verdict;
        }
    } while (next_tile(d, at));
    *dense = out;
    *size = (size_t)n;
    return TETREF_OK;
}
