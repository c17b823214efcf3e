/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Finds the row of a tile (FORMAT.md §4), in three tries: at the predicted index; at the distance from it where the
 * last scan found its row; then by a scan of all rows from the first one. */
#include "container.h"

utet_status utet_tile_locate(utet_file *file, const utet_dataset *dataset, const uint64_t *coords,
                             struct utet_tile *tile)
{
    uint64_t size = dataset->elem_size;
    uint64_t row = 0;
    unsigned d;

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

utet_status utet_row_find(utet_file *file, const utet_dataset *dataset, const uint64_t *coords, utet_chunk *chunk)
{
    const struct utet_tile *tile = &file->priv.call.lookup.tile;
    utet_status status;
    uint64_t row;

    if (file->priv.rows != NULL)
        return file->priv.rows->priv.find(file, dataset, coords, chunk);
    if (file->priv.step == CHUNK_PREDICTED) {
        status = utet_tile_locate(file, dataset, coords, &file->priv.call.lookup.tile);
        if (status != UTET_OK)
            return status;
        file->priv.call.lookup.row = tile->row;
    }
    for (;;) {
        row = file->priv.call.lookup.row;
        if (row < file->row_count) {
            status = utet_row_fetch(file, row);
            if (status != UTET_OK)
                return status;
            if (utet_row_is(file->priv.at, dataset, coords))
                break;
        } else if (file->priv.step == CHUNK_SCAN) {
            return UTET_E_MISSING;
        }
        row++;
        if (file->priv.step == CHUNK_PREDICTED)
            row = tile->row + (uint64_t)(int64_t)file->priv.displaced;
        else if (file->priv.step == DISPLACED)
            row = 0;
        if (file->priv.step < CHUNK_SCAN)
            file->priv.step++;
        file->priv.call.lookup.row = row;
    }
    if (file->priv.step != CHUNK_PREDICTED)
        file->priv.displaced = (int32_t)(row - tile->row);
    return utet_row_take(file, row, chunk);
}

utet_status utet_chunk_find(utet_file *file, const utet_dataset *dataset, const uint64_t *coords, utet_chunk *chunk)
{
    utet_status status = utet_enter(file, UTET_CALL_CHUNK_FIND);

    if (status == UTET_OK)
        status = utet_leave(file, utet_row_find(file, dataset, coords, chunk));
    return status;
}
