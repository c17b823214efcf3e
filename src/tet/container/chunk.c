/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Finds the row of a tile (FORMAT.md §4), in three tries: at the predicted index; at the distance from it where the
 * last scan found its row; then by a scan of all rows from the first one. */
#include "container.h"

#if UTET_NARROW
/* utet_tile_locate where all numbers have 32 bits: on Cortex-M3 in 60 instructions for two axes, not 127; on M0+ in
 * 118, not 224. */
static utet_status tile_narrow(const utet_dataset *dataset, const uint64_t *coords, struct utet_tile *tile)
{
    uint32_t bytes = dataset->elem_size;
    uint32_t row = 0;
    unsigned d;

    for (d = 0; d < dataset->ndim; d++) {
        const uint32_t at = (uint32_t)coords[d];
        const uint32_t extent = (uint32_t)dataset->chunk_shape[d];
        const uint32_t grid = (uint32_t)dataset->grid[d];
        const uint32_t left = (uint32_t)dataset->shape[d] - at * extent;

        if (coords[d] >= grid)
            return UTET_E_RANGE;
        bytes *= left < extent ? left : extent;
        row = row * grid + at;
    }
    tile->row = row + (uint32_t)dataset->priv.first_row;
    tile->bytes = bytes;
    return UTET_OK;
}
#endif

utet_status utet_tile_locate(utet_file *file, const utet_dataset *dataset, const uint64_t *coords,
                             struct utet_tile *tile)
{
    uint64_t size = dataset->elem_size;
    uint64_t row = 0;
    unsigned d;

#if UTET_NARROW
    if (dataset->narrow)
        return tile_narrow(dataset, coords, tile);
#endif
    for (d = 0; d < dataset->ndim; d++) {
        const uint64_t extent = dataset->chunk_shape[d];
        uint64_t left;

        if (coords[d] >= dataset->grid[d])
            return UTET_E_RANGE;
        left = dataset->shape[d] - UTET_PRODUCT(coords[d], extent);
        size = utet_mul(size, left < extent ? left : extent);
        row = UTET_PRODUCT(row, dataset->grid[d]) + coords[d];
    }
    if (size == 0)
        return utet_record_fail(file, dataset, dataset->elem_size != 0 ? UTET_E_DATASET : UTET_UNREADABLE(dataset));
    row += dataset->priv.first_row;
    if (dataset->priv.next_row == UINT64_MAX)
        row = UINT64_MAX; /* the sum may have wrapped; otherwise it is below next_row */
    tile->row = row;
    tile->bytes = size;
    return UTET_OK;
}

/* priv.step: the current one of the three tries */
enum { CHUNK_PREDICTED, DISPLACED, CHUNK_SCAN };

/* A function of its own only on Cortex-M0+, where it saves 24 bytes of stack; on M3 and M4 it would take 40 bytes of
 * flash. */
#ifdef __ARM_ARCH_6M__
UTET_APART
#endif
static utet_status take_row(utet_file *file, const utet_dataset *dataset, const uint64_t *coords, utet_chunk *chunk)
{
    return utet_row_take(file, dataset, coords, chunk);
}

utet_status utet_row_find(utet_file *file, const utet_dataset *dataset, const uint64_t *coords, utet_chunk *chunk)
{
    utet_status status;
    uint64_t row;
    uint8_t step;

    if (file->priv.rows != NULL)
        return file->priv.rows->priv.find(file, dataset, coords, chunk);
    if (file->priv.step == CHUNK_PREDICTED) {
        status = utet_tile_locate(file, dataset, coords, &file->priv.call.lookup.tile);
        if (status != UTET_OK)
            return status;
        file->priv.call.lookup.row = file->priv.call.lookup.tile.row;
    }
    for (;;) {
        row = file->priv.call.lookup.row;
        step = file->priv.step;
        if (row < file->row_count) {
            status = utet_row_fetch(file, row);
            if (status == UTET_OK)
                status = take_row(file, dataset, coords, chunk);
            if (status != UTET_END)
                break;
        } else if (step == CHUNK_SCAN) {
            return UTET_E_MISSING;
        }
        row = file->priv.call.lookup.row + 1;
        if (step == CHUNK_PREDICTED)
            row = file->priv.call.lookup.tile.row + (uint64_t)(int64_t)file->priv.displaced;
        else if (step == DISPLACED)
            row = 0;
        if (step < CHUNK_SCAN)
            file->priv.step = (uint8_t)(step + 1);
        file->priv.call.lookup.row = row;
    }
    if (file->priv.step != step) /* found, and not where it was predicted */
        file->priv.displaced = (int32_t)(file->priv.call.lookup.row - file->priv.call.lookup.tile.row);
    return status;
}

utet_status utet_chunk_find(utet_file *file, const utet_dataset *dataset, const uint64_t *coords, utet_chunk *chunk)
{
    utet_status status = utet_enter(file, UTET_CALL_CHUNK_FIND);

    if (status == UTET_OK)
        status = utet_leave(file, utet_row_find(file, dataset, coords, chunk));
    return status;
}
