/* The row of a tile: predicted and verified, else looked for from the first row on (§4). */
#include "container.h"

utet_status utet_tile_locate(utet_file *file, const utet_dataset *dataset, const uint64_t *coords)
{
    uint64_t size = dataset->elem_size;
    uint64_t linear = 0;
    unsigned d;

    if (size == 0)
        return utet_record_fail(file, dataset, UTET_E_DTYPE);
    for (d = 0; d < dataset->ndim; d++) {
        uint64_t extent = dataset->chunk_shape[d];
        uint64_t left;

        if (extent == 0)
            return utet_record_fail(file, dataset, UTET_E_DATASET);
        if (coords[d] >= dataset->grid[d])
            return UTET_E_RANGE;
        left = dataset->shape[d] - coords[d] * extent;
        size = utet_mul(size, left < extent ? left : extent);
        linear = utet_add(utet_mul(linear, dataset->grid[d]), coords[d]);
    }
    file->priv_cursor[UTET_TILE_BYTES] = size;
    file->priv_cursor[UTET_TILE_ROW] = utet_add(dataset->priv_first_row, linear);
    return UTET_OK;
}

/* Is the row at `at` that of this tile? Only the first ndim coordinates count. */
static int row_is(const uint8_t *at, const utet_dataset *dataset, const uint64_t *coords)
{
    uint64_t wanted = dataset->id;
    unsigned d = 0;

    while (utet_le64(at) == wanted) {
        if (d == dataset->ndim)
            return 1;
        wanted = coords[d++];
        at += 8;
    }
    return 0;
}

utet_status utet_row_find(utet_file *file, const utet_dataset *dataset, const uint64_t *coords,
                          utet_chunk *chunk)
{
    utet_status status = utet_tile_locate(file, dataset, coords);
    uint64_t row = file->priv_cursor[UTET_TILE_ROW];

    if (status != UTET_OK)
        return status;
    /* priv_step 0: the predicted row; 1: a scan, which has come to priv_cursor[0] */
    for (;;) {
        if (file->priv_step != 0)
            row = file->priv_cursor[0];
        if (row < file->row_count) {
            status = utet_row_need(file, row);
            if (status != UTET_OK)
                return status;
            if (row_is(file->priv_at, dataset, coords))
                break;
        } else if (file->priv_step != 0) {
            return UTET_E_MISSING;
        }
        file->priv_cursor[0] = file->priv_step != 0 ? row + 1 : 0;
        file->priv_step = 1;
    }
    file->priv_step = 0;
    utet_row_parse(file, row, chunk);
    status = utet_row_check(file, chunk);
    if (status == UTET_OK &&
        (chunk->raw_byte_len != file->priv_cursor[UTET_TILE_BYTES] ||
         chunk->raw_byte_len == UINT64_MAX))
        status = utet_row_fail(file, UTET_ROW_RAW, row);
    return status;
}

utet_status utet_chunk_find(utet_file *file, const utet_dataset *dataset, const uint64_t *coords,
                            utet_chunk *chunk)
{
    utet_status status = utet_enter(file, UTET_CALL_CHUNK_FIND);

    if (status == UTET_OK)
        status = utet_leave(file, utet_row_find(file, dataset, coords, chunk));
    return status;
}
