/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads a band tile by tile, without a slab. The rows of several tiles are looked up together, so that the library's
 * window of half a kilobyte keeps them. This is possible for two kinds of tiles:
 *
 * raw: the selected part of the tile is one range of the file. Its lines are copied from the bytes that were read ahead
 *   straight to the band, not through the window.
 * small, for libzstd: the tile is selected completely. It is decoded as a whole, then its lines are copied. A slab
 *   would look up and measure all tiles of the band before that.
 *
 * All other bands, and bands with any error, are left to the library, which reads them from their beginning and names
 * the error.
 */
#include "kept.h"
#include "tool.h"

#include <stdlib.h>
#include <string.h>

#define MOST_TILE ((uint64_t)64 << 10) /* bytes of a small tile; a larger one gains little */
#define SHORT_LINE 32u                 /* bytes of a line that the library copies faster */
#define TOGETHER 32u                   /* tiles whose rows are looked up together */
#define MOST_ROWS ((uint64_t)1 << 18)  /* tiles of a selection whose rows are kept, 16 bytes each */

/* What decoding needs of a row; its number, which errors need, is left to the library. */
typedef struct tile_row {
    uint64_t offset; /* where the payload begins */
    uint32_t stored;
    uint32_t codec;
} tile_row;

/* The rows of the tiles of a box, row-major. */
struct tile_rows {
    uint32_t dataset;
    uint64_t first[UTET_MAX_NDIM]; /* coordinates */
    uint64_t last[UTET_MAX_NDIM];
    tile_row rows[];
};

/* The tiles of a band. */
typedef struct tiles {
    source *s;
    const utet_dataset *dataset;
    const utet_range *ranges;
    uint64_t first[UTET_MAX_NDIM]; /* coordinates */
    uint64_t last[UTET_MAX_NDIM];
    uint64_t next[UTET_MAX_NDIM];
    int over;
    uint8_t *band;
    uint8_t *tile;         /* memory for a small tile; NULL: tiles for zstd are left to the library */
    const tile_rows *rows; /* NULL: rows are looked up */
} tiles;

/* The selected part of a tile. */
typedef struct part {
    uint64_t offset; /* offset of its bytes in the file */
    uint64_t bytes;
    uint64_t at;                   /* offset of its first byte in the band */
    uint64_t run;                  /* bytes that are consecutive in the band too */
    unsigned axes;                 /* number of axes before those of a run */
    uint64_t count[UTET_MAX_NDIM]; /* indices along each of these axes */
    uint64_t pitch[UTET_MAX_NDIM]; /* bytes between them in the band */
} part;

/* Computes the part of the tile at `coords`, but not where the payload begins; returns 0 if it has gaps in the tile. */
static int part_of(part *p, const utet_dataset *dataset, const utet_range *ranges, const uint64_t *coords)
{
    uint64_t pitch = dataset->elem_size; /* bytes between indices of the axis in the band */
    unsigned d = dataset->ndim;
    int joined = 1; /* all further axes belong to the run */

    p->offset = 0;
    p->bytes = p->run = dataset->elem_size;
    p->at = 0;
    p->axes = 0;
    while (d-- > 0) {
        const uint64_t corner = coords[d] * dataset->chunk_shape[d];
        const uint64_t rest = dataset->shape[d] - corner;
        const uint64_t extent = rest < dataset->chunk_shape[d] ? rest : dataset->chunk_shape[d];
        const uint64_t begin = ranges[d].start > corner ? ranges[d].start : corner;
        const uint64_t end = ranges[d].stop < corner + extent ? ranges[d].stop : corner + extent;

        if (d > 0 && end - begin != extent)
            return 0;
        p->offset = (begin - corner) * p->bytes; /* 0 except for axis 0 */
        p->bytes *= end - begin;
        p->at += (begin - ranges[d].start) * pitch;
        p->count[d] = end - begin;
        p->pitch[d] = pitch;
        if (joined) {
            p->run = p->bytes;
            p->axes = d;
            joined = end - begin == ranges[d].stop - ranges[d].start;
        }
        pitch *= ranges[d].stop - ranges[d].start;
    }
    return 1;
}

/* Goes to the next run; returns 0 after the last one. */
static int next_run(part *p, uint64_t *index)
{
    unsigned d = p->axes;

    while (d-- > 0) {
        p->at += p->pitch[d];
        if (++index[d] < p->count[d])
            return 1;
        p->at -= p->count[d] * p->pitch[d];
        index[d] = 0;
    }
    return 0;
}

/* Returns 0 if bytes could not be read. */
static int copy_part(ahead *reading, part *p, uint8_t *band)
{
    uint64_t index[UTET_MAX_NDIM] = {0};
    const uint8_t *from = NULL;
    size_t have = 0;

    do {
        uint64_t done = 0;

        while (done < p->run) {
            size_t some;

            if (have == 0 && (from = ahead_view(reading, p->offset, p->bytes, &have)) == NULL)
                return 0;
            some = have < p->run - done ? have : (size_t)(p->run - done);
            memcpy(band + p->at + done, from, some);
            from += some;
            have -= some;
            done += some;
            p->offset += some;
            p->bytes -= some;
        }
    } while (next_run(p, index));
    return 1;
}

/* Copies the lines of a tile that is in memory. */
static void copy_lines(part *p, const uint8_t *tile, uint8_t *band)
{
    uint64_t index[UTET_MAX_NDIM] = {0};
    const unsigned axis = p->axes - 1; /* lines along it are at equal distances */
    const size_t run = (size_t)p->run;
    const size_t pitch = (size_t)p->pitch[axis];

    do {
        uint8_t *to = band + p->at;
        uint64_t lines = p->count[axis];

        for (; lines > 0; lines--) {
            memcpy(to, tile, run);
            tile += run;
            to += pitch;
        }
        index[axis] = p->count[axis] - 1;
        p->at += index[axis] * pitch;
    } while (next_run(p, index));
}

static int decode_tile(tiles *t, part *p, utet_chunk *chunk)
{
    const int joined = p->run == p->bytes; /* it is one line */
    uint8_t *const to = joined ? t->band + p->at : t->tile;
    utet_stream stream;

    chunk->raw_byte_len = p->bytes;
    if (utet_stream_load(&stream, &t->s->file, chunk, to, (size_t)p->bytes) != UTET_OK)
        return 0;
    if (!joined)
        copy_lines(p, to, t->band);
    return 1;
}

static int copy_tile(tiles *t, utet_chunk *chunk)
{
    part p;

    if (!part_of(&p, t->dataset, t->ranges, chunk->coords))
        return 0;
    if (chunk->codec == UTET_CODEC_ZSTD)
        return t->tile != NULL && decode_tile(t, &p, chunk);
    if (chunk->codec != UTET_CODEC_RAW)
        return 0;
    p.offset += chunk->payload_offset;
    return copy_part(&t->s->reading, &p, t->band);
}

/* Provides the memory for small tiles, if libzstd decodes them, all of them are selected completely, and their lines
 * are not short. The workspace suffices for each of them as a whole, so a slab gives the same bytes: its history is no
 * ring. */
static void lend_tile(tiles *t)
{
    const utet_dataset *const dataset = t->dataset;
    uint64_t bytes = dataset->elem_size;
    unsigned d = dataset->ndim;

    if (kept_inner(t->s->decoded) == &utet_codec_zstd_small || t->s->file.budget < TOOL_GOOD_WORKSPACE)
        return;
    while (d-- > 0) {
        const uint64_t extent = dataset->chunk_shape[d];
        const uint64_t stop = t->ranges[d].stop;

        if (extent > MOST_TILE / bytes || t->ranges[d].start % extent != 0 ||
            (stop % extent != 0 && stop != dataset->shape[d]))
            return;
        bytes *= extent;
        if (d + 1u == dataset->ndim && bytes < SHORT_LINE)
            return;
    }
    if (t->s->tile == NULL)
        t->s->tile = malloc((size_t)MOST_TILE);
    t->tile = t->s->tile;
}

/* Returns 0 if a band of these ranges has gaps. */
static int begin_tiles(tiles *t)
{
    unsigned d;

    for (d = 0; d < t->dataset->ndim; d++) {
        if (t->ranges[d].step != 1)
            return 0;
        t->first[d] = t->next[d] = t->ranges[d].start / t->dataset->chunk_shape[d];
        t->last[d] = (t->ranges[d].stop - 1) / t->dataset->chunk_shape[d];
    }
    lend_tile(t);
    return 1;
}

static void next_tile(tiles *t)
{
    unsigned d = t->dataset->ndim;

    while (d-- > 0) {
        if (t->next[d]++ < t->last[d])
            return;
        t->next[d] = t->first[d];
    }
    t->over = 1;
}

/* ---- rows ---- */

/* Returns the rows that direct_find has kept, if they are those of all tiles; otherwise NULL. */
static const tile_rows *kept_rows(const tiles *t)
{
    const tile_rows *const rows = t->s->found;
    unsigned d;

    if (rows == NULL || rows->dataset != t->dataset->id)
        return NULL;
    for (d = 0; d < t->dataset->ndim; d++)
        if (t->first[d] < rows->first[d] || t->last[d] > rows->last[d])
            return NULL;
    return rows;
}

/* Finds the next tile; returns 0 after an error. */
static int find_tile(tiles *t, utet_chunk *chunk)
{
    const tile_rows *const rows = t->rows;
    const tile_row *row;
    uint64_t number = 0;
    unsigned d;

    if (rows == NULL)
        return utet_chunk_find(&t->s->file, t->dataset, t->next, chunk) == UTET_OK;
    for (d = 0; d < t->dataset->ndim; d++) {
        number = number * (rows->last[d] - rows->first[d] + 1) + (t->next[d] - rows->first[d]);
        chunk->coords[d] = t->next[d];
    }
    row = &rows->rows[number];
    chunk->payload_offset = row->offset;
    chunk->stored_byte_len = row->stored;
    chunk->row = 0;
    chunk->codec = row->codec;
    return 1;
}

/* Allocates memory for the rows of all tiles; returns 0 if they are too many. */
static int begin_rows(tiles *t)
{
    uint64_t count = 1;
    unsigned d;

    for (d = 0; d < t->dataset->ndim; d++) {
        const uint64_t more = t->last[d] - t->first[d] + 1;

        if (more > MOST_ROWS / count)
            return 0;
        count *= more;
    }
    t->s->found = malloc(sizeof(tile_rows) + (size_t)count * sizeof(tile_row));
    if (t->s->found == NULL)
        return 0;
    t->s->found->dataset = t->dataset->id;
    memcpy(t->s->found->first, t->first, sizeof t->first);
    memcpy(t->s->found->last, t->last, sizeof t->last);
    return 1;
}

int direct_find(source *s, const utet_dataset *dataset, const utet_range *ranges)
{
    tiles t = {.s = s, .dataset = dataset, .ranges = ranges};
    utet_chunk chunk;
    tile_row *row;
    unsigned d;

    free(s->found);
    s->found = NULL;
    if (s->reading.io.map != NULL || dataset->elem_size == 0)
        return 0;
    for (d = 0; d < dataset->ndim; d++)
        if (dataset->chunk_shape[d] == 0 || dataset->shape[d] == 0)
            return 0;
    if (!begin_tiles(&t) || t.tile == NULL || !begin_rows(&t))
        return 0;
    for (row = s->found->rows; !t.over; next_tile(&t), row++) {
        if (!find_tile(&t, &chunk) || chunk.stored_byte_len == 0 || chunk.stored_byte_len > UINT32_MAX) {
            free(s->found);
            s->found = NULL;
            return 0;
        }
        row->offset = chunk.payload_offset;
        row->stored = (uint32_t)chunk.stored_byte_len;
        row->codec = chunk.codec;
    }
    return 1;
}

int direct_band(source *s, const utet_dataset *dataset, const utet_range *ranges, uint8_t *band)
{
    tiles t = {.s = s, .dataset = dataset, .ranges = ranges, .band = band};
    utet_chunk chunks[TOGETHER];

    if (s->reading.io.map != NULL || !begin_tiles(&t))
        return 0;
    t.rows = kept_rows(&t);
    while (!t.over) {
        unsigned count = 0;
        unsigned i;

        for (; count < TOGETHER && !t.over; count++, next_tile(&t))
            if (!find_tile(&t, &chunks[count]))
                return 0;
        for (i = 0; i < count; i++)
            if (!copy_tile(&t, &chunks[i]))
                return 0;
    }
    return 1;
}
