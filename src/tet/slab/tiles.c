/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Tiles that stay decoded, so that several datasets of one file can be read in turn.
 *
 *   priv.work                          budget after        budget before
 *   | window | memory of the codec |   | head, tile | head, tile | … |
 *
 * The tiles are at the end of the workspace, beyond the budget of all other calls, so nothing else touches them. While
 * a tile is decoded, the codec has the memory after the window, and the tile is its destination and history. Between
 * two calls no codec is in the middle of a tile; therefore one memory is enough for the codecs of all datasets.
 */
#include "slab.h"

#include <string.h>

/* A predicted row that has saturated. Its tile is decoded for each call. Also: there is no tile. */
#define TILES_UNKNOWN UINT64_MAX

/* In front of each tile. */
typedef struct tiles_head {
    uint64_t key;  /* predicted row of the tile, which no other tile of the dataset has, or TILES_UNKNOWN */
    uint64_t used; /* number of its latest use */
} tiles_head;

/* priv.state */
enum { TILES_SEEK, TILES_FIND, TILES_DECODE };

static tiles_head *tiles_head_at(uint8_t *slot)
{
    return (tiles_head *)(void *)slot; /* a multiple of 8 */
}

utet_status utet_tiles_init(utet_tiles *tiles, utet_file *file, const utet_dataset *dataset, size_t count)
{
    struct utet_tile tile = {0, 0};
    utet_status status;
    uint64_t bytes;
    uint64_t needed;
    size_t i;

    memset(tiles, 0, sizeof *tiles);
    if (count == 0)
        return UTET_E_ARGUMENT;
    if (file->priv.busy != UTET_CALL_NONE || file->priv.state != UTET_STATE_OPEN)
        return UTET_E_STATE;
    if (dataset->elem_size == 0)
        return utet_record_fail(file, dataset, UTET_UNREADABLE(dataset));
    /* no tile is larger than the first one, whose coordinates are 0 */
    status = utet_tile_locate(file, dataset, tiles->priv.chunk.coords, &tile);
    if (status != UTET_OK && status != UTET_E_RANGE) /* E_RANGE: there are no tiles */
        return status;
    bytes = utet_add(utet_add(tile.bytes, 7) & ~(uint64_t)7, sizeof(tiles_head));
    needed = utet_add(utet_up8(file, utet_window_fit(file, 0)), utet_mul(bytes, count));
    if (needed > file->budget) {
        file->needed = needed;
        return UTET_E_BUDGET;
    }
    tiles->priv.each = (size_t)bytes;
    tiles->priv.count = count;
    tiles->priv.file = file;
    tiles->priv.dataset = dataset;
    tiles->size = file->budget;
    file->budget = utet_down8(file, file->budget - (size_t)bytes * count);
    tiles->size -= file->budget;
    tiles->priv.budget = file->budget;
    for (i = 0; i < count; i++) {
        tiles_head *head = tiles_head_at(file->priv.work + file->budget + i * tiles->priv.each);

        head->key = TILES_UNKNOWN;
        head->used = 0;
    }
    file->priv.owner = NULL;
    return utet_window_alone(file);
}

/* ---- the selection ---- */

/* One axis of the selection in one tile. */
struct tiles_axis {
    uint64_t before; /* number of selected indices before the tile */
    uint64_t from;   /* first selected index that is not before the tile, in the dataset; saturated */
    uint64_t inside; /* number of selected indices in the tile */
    uint64_t first;  /* the first of them, relative to the tile's corner */
    uint64_t extent; /* extent of the tile */
};

/* A repeated call may come with other ranges; then `inside` may be 0. */
static void tiles_axis_of(const utet_tiles *tiles, unsigned d, const utet_range *range, struct tiles_axis *axis)
{
    const utet_dataset *dataset = tiles->priv.dataset;
    const uint64_t low = tiles->priv.chunk.coords[d] * dataset->chunk_shape[d];
    uint64_t high = dataset->shape[d];

    if (high - low > dataset->chunk_shape[d])
        high = low + dataset->chunk_shape[d];
    axis->extent = high - low;
    axis->before = range->start < low ? utet_div_up(low - range->start, range->step) : 0;
    axis->from = utet_add(range->start, utet_mul(axis->before, range->step));
    axis->first = axis->from - low;
    if (high > range->stop)
        high = range->stop;
    axis->inside = axis->from < high ? utet_div_up(high - axis->from, range->step) : 0;
}

/* Checks the ranges; *count: number of selected elements. */
static utet_status tiles_select(const utet_dataset *dataset, const utet_range *ranges, uint64_t *count)
{
    unsigned d;

    *count = 1;
    for (d = 0; d < dataset->ndim; d++, ranges++) {
        const uint64_t length = ranges->stop - ranges->start;

        if (!utet_range_fits(ranges, length, dataset->shape[d]))
            return UTET_E_RANGE;
        *count = utet_mul(*count, utet_div_up(length, ranges->step));
    }
    return *count == UINT64_MAX ? UTET_E_RANGE : UTET_OK;
}

/* The first tile. */
static void tiles_begin(utet_tiles *tiles, const utet_range *ranges)
{
    const utet_dataset *dataset = tiles->priv.dataset;
    unsigned d;

    for (d = 0; d < dataset->ndim; d++)
        tiles->priv.chunk.coords[d] = utet_div(ranges[d].start, dataset->chunk_shape[d]);
    tiles->priv.state = TILES_SEEK;
}

/* Advances to the next tile that has selected elements, last axis fastest. Returns 0 after the last one. */
static int tiles_next(utet_tiles *tiles, const utet_range *ranges)
{
    const utet_dataset *dataset = tiles->priv.dataset;
    unsigned d = dataset->ndim;

    while (d-- != 0) {
        struct tiles_axis axis;
        uint64_t next;

        tiles_axis_of(tiles, d, &ranges[d], &axis);
        next = utet_add(axis.from, utet_mul(axis.inside, ranges[d].step));
        if (next < ranges[d].stop) {
            tiles->priv.chunk.coords[d] = utet_div(next, dataset->chunk_shape[d]);
            return 1;
        }
        tiles->priv.chunk.coords[d] = utet_div(ranges[d].start, dataset->chunk_shape[d]);
    }
    return 0;
}

/* ---- one tile ---- */

/* Chooses the slot of the tile that has this key, or the one not used for the longest time. Returns whether the tile is
 * there. */
static int tiles_choose(utet_tiles *tiles, uint64_t key)
{
    uint8_t *slot = tiles->priv.file->priv.work + tiles->priv.budget;
    size_t i;

    tiles->priv.slot = slot;
    tiles->priv.key = key;
    for (i = 0; i < tiles->priv.count; i++, slot += tiles->priv.each) {
        if (tiles_head_at(slot)->key == key && key != TILES_UNKNOWN) {
            tiles->priv.slot = slot;
            return 1;
        }
        if (tiles_head_at(slot)->used < tiles_head_at(tiles->priv.slot)->used)
            tiles->priv.slot = slot;
    }
    return 0;
}

/* Finds the row. If it is where it is predicted, nothing after it is read, because the payload comes next. */
static utet_status tiles_find_row(utet_tiles *tiles)
{
    utet_file *file = tiles->priv.file;
    utet_chunk *chunk = &tiles->priv.chunk;

    if (file->priv.rows == NULL && file->priv.step == 0 && tiles->priv.key < file->row_count) {
        const uint64_t offset = utet_row_offset(file, tiles->priv.key);
        utet_status status;

        file->priv.have = UTET_ROW_BYTES;
        status = utet_fetch_ahead(file, UTET_ROW_BYTES, offset);
        if (status != UTET_OK)
            return status;
    }
    return utet_row_find(file, tiles->priv.dataset, chunk->coords, chunk);
}

/* Decodes the tile whose row has been found into its slot. */
static utet_status tiles_decode(utet_tiles *tiles)
{
    utet_stream *stream = &tiles->priv.stream;
    uint8_t *bytes = tiles->priv.slot + sizeof(tiles_head);
    utet_status status = utet_stream_start(stream, tiles->priv.file, &tiles->priv.chunk, bytes);

    if (status == UTET_OK) /* a codec decodes to its destination itself */
        status = utet_stream_deliver(stream, UTET_IS_RAW(stream) ? bytes : NULL, stream->length);
    return status;
}

/* Makes sure that the tile at chunk.coords is in priv.slot. */
static utet_status tiles_hold(utet_tiles *tiles)
{
    utet_file *file = tiles->priv.file;
    utet_chunk *chunk = &tiles->priv.chunk;
    utet_status status;

    if (tiles->priv.state == TILES_SEEK) {
        struct utet_tile tile = {0, TILES_UNKNOWN};

        (void)utet_tile_locate(file, tiles->priv.dataset, chunk->coords, &tile); /* finding the row does it again */
        if (!tiles_choose(tiles, tile.row))
            tiles->priv.state = TILES_FIND;
    }
    if (tiles->priv.state == TILES_FIND) {
        status = tiles_find_row(tiles);
        if (status != UTET_OK)
            return status;
        tiles_head_at(tiles->priv.slot)->key = TILES_UNKNOWN;
        tiles->priv.state = TILES_DECODE;
    }
    if (tiles->priv.state == TILES_DECODE) {
        status = tiles_decode(tiles);
        if (status != UTET_OK)
            return status;
        file->priv.step = 0; /* where a lookup of a row begins */
        tiles_head_at(tiles->priv.slot)->key = tiles->priv.key;
        tiles->priv.state = TILES_SEEK;
    }
    tiles_head_at(tiles->priv.slot)->used = ++tiles->priv.uses;
    return UTET_OK;
}

/* Copies `count` elements, `stride` bytes apart, to consecutive addresses. */
static void tiles_copy_row(uint8_t *to, const uint8_t *from, size_t count, size_t stride, size_t size)
{
    if (stride == size) {
        size *= count;
        count = 1;
    }
    for (;;) {
        memcpy(to, from, size);
        if (--count == 0)
            return; /* the next step may lead far beyond the end */
        to += size;
        from += stride;
    }
}

/* Copies the selected elements of the tile in priv.slot to the dense result. Places are numbers, not pointers: after
 * the last row they may have wrapped. */
UTET_APART static void tiles_copy(const utet_tiles *tiles, const utet_range *ranges, uint8_t *into)
{
    const utet_dataset *dataset = tiles->priv.dataset;
    const uint8_t *tile = tiles->priv.slot + sizeof(tiles_head);
    struct {
        size_t count; /* number of rows, or of elements */
        size_t from;  /* bytes from one to the next in the tile */
        size_t to;    /* and in the result */
        size_t place;
    } axes[UTET_MAX_NDIM];
    size_t dense = dataset->elem_size;
    size_t pitch = dense;
    size_t from = 0;
    size_t to = 0;
    unsigned d = dataset->ndim;

    do { /* ndim is 1 or more */
        struct tiles_axis axis;

        d--;
        tiles_axis_of(tiles, d, &ranges[d], &axis);
        if (axis.inside == 0)
            return;
        axes[d].count = (size_t)axis.inside;
        axes[d].from = pitch * (size_t)ranges[d].step;
        axes[d].to = dense;
        axes[d].place = 0;
        from += pitch * (size_t)axis.first;
        to += dense * (size_t)axis.before;
        pitch *= (size_t)axis.extent;
        dense *= (size_t)utet_div_up(ranges[d].stop - ranges[d].start, ranges[d].step);
    } while (d != 0);
    for (;;) {
        d = dataset->ndim - 1u;
        tiles_copy_row(into + to, tile + from, axes[d].count, axes[d].from, dataset->elem_size);
        for (;;) {
            if (d-- == 0)
                return;
            from += axes[d].from;
            to += axes[d].to;
            if (++axes[d].place < axes[d].count)
                break;
            from -= axes[d].from * axes[d].count;
            to -= axes[d].to * axes[d].count;
            axes[d].place = 0;
        }
    }
}

/* ---- the call ---- */

static utet_status tiles_copy_all(utet_tiles *tiles, const utet_range *ranges, uint8_t *into)
{
    utet_status status;

    do {
        status = tiles_hold(tiles);
        if (status != UTET_OK)
            return status;
        tiles_copy(tiles, ranges, into);
    } while (tiles_next(tiles, ranges));
    return UTET_OK;
}

utet_status utet_tiles_read(utet_tiles *tiles, const utet_range *ranges, void *buffer, size_t size)
{
    utet_file *file = tiles->priv.file;
    const void *owner = &tiles->priv.stream;
    utet_status status;
    uint64_t count;
    int resumed;

    if (file == NULL || file->budget > tiles->priv.budget)
        return UTET_E_STATE; /* never initialised, or the file has been initialised since */
    resumed = file->priv.busy == UTET_CALL_TILES_READ;
    if (resumed && (file->priv.owner != owner || tiles->priv.into != buffer || tiles->priv.room != size))
        return UTET_E_STATE; /* repeated with other memory: it stays suspended */
    status = tiles_select(tiles->priv.dataset, ranges, &count);
    if (resumed && status != UTET_OK)
        return UTET_E_STATE;
    if (status == UTET_OK)
        status = utet_enter(file, UTET_CALL_TILES_READ);
    if (status != UTET_OK)
        return status;
    if (utet_mul(count, tiles->priv.dataset->elem_size) > size)
        return resumed ? UTET_E_STATE : utet_leave(file, UTET_E_SPACE);
    if (!resumed) {
        file->priv.owner = owner;
        tiles->priv.into = buffer;
        tiles->priv.room = size;
    }
    if (!resumed && count != 0)
        tiles_begin(tiles, ranges);
    if (count != 0)
        status = tiles_copy_all(tiles, ranges, (uint8_t *)buffer);
    if (status != UTET_WOULD_BLOCK)
        file->priv.owner = NULL;
    return utet_leave(file, status);
}
