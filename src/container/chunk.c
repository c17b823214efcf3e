/* Rows of the chunk index (§4), and the row of a tile. */
#include "container.h"

#include <string.h>

uint64_t utet_row_offset(const utet_file *file, uint64_t row)
{
    return file->index_offset + UTET_INDEX_BYTES + row * UTET_ROW_BYTES;
}

utet_status utet_row_fail(utet_file *file, uint64_t row, unsigned field)
{
    file->error_offset = utet_row_offset(file, row) + field;
    return UTET_E_ROW;
}

/* The row whose bytes are addressable now. */
static void parse_row(const uint8_t *at, uint64_t row, utet_chunk *chunk)
{
    unsigned i;

    /* utet_chunk begins like a row: 12 u64, so they can be stored in one go */
    for (i = 0; i < UTET_ROW_CODEC; i += 8) {
        uint64_t field = utet_le64(at + i);

        memcpy((uint8_t *)chunk + i, &field, sizeof field);
    }
    chunk->codec = utet_le32(at + UTET_ROW_CODEC);
    chunk->row = row;
}

utet_status utet_row_load(utet_file *file, uint64_t row, utet_chunk *chunk)
{
    utet_status status = utet_need_bytes(file, UTET_ROW_BYTES, utet_row_offset(file, row));

    if (status == UTET_OK)
        parse_row(file->priv_at, row, chunk);
    return status;
}

utet_status utet_row_check(utet_file *file, const utet_chunk *chunk)
{
    unsigned field;

    if (chunk->codec > UTET_CODEC_ZSTD)
        field = UTET_ROW_CODEC;
    else if (chunk->codec == UTET_CODEC_RAW && chunk->raw_byte_len != chunk->stored_byte_len)
        field = UTET_ROW_RAW;
    else if (utet_add(chunk->payload_offset, chunk->stored_byte_len) > file->footer_offset)
        field = UTET_ROW_OFFSET;
    else
        return UTET_OK;
    return utet_row_fail(file, chunk->row, field);
}

utet_status utet_tile_bytes(utet_file *file, const utet_dataset *dataset, const uint64_t *coords,
                            uint64_t *bytes, uint64_t *row)
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
    *bytes = size;
    *row = utet_add(dataset->priv_first_row, linear);
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
    uint64_t bytes;
    uint64_t row;
    utet_status status = utet_tile_bytes(file, dataset, coords, &bytes, &row);

    if (status != UTET_OK)
        return status;
    /* priv_step 0: the predicted row; 1: a scan, which has come to priv_cursor[0] */
    for (;;) {
        if (file->priv_step != 0)
            row = file->priv_cursor[0];
        if (row < file->row_count) {
            status = utet_need_bytes(file, UTET_ROW_BYTES, utet_row_offset(file, row));
            if (status != UTET_OK)
                return status;
            if (row_is(file->priv_at, dataset, coords))
                break;
        } else if (file->priv_step != 0) {
            file->priv_step = 0;
            return UTET_E_MISSING;
        }
        file->priv_cursor[0] = file->priv_step != 0 ? row + 1 : 0;
        file->priv_step = 1;
    }
    file->priv_step = 0;
    parse_row(file->priv_at, row, chunk);
    status = utet_row_check(file, chunk);
    if (status == UTET_OK && (chunk->raw_byte_len != bytes || bytes == UINT64_MAX))
        status = utet_row_fail(file, row, UTET_ROW_RAW);
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

static utet_status row_at(utet_file *file, uint64_t row, utet_chunk *chunk)
{
    utet_status status = utet_enter(file, UTET_CALL_CHUNK_NEXT);

    if (status != UTET_OK)
        return status;
    if (row >= file->row_count)
        return utet_leave(file, UTET_END);
    status = utet_row_load(file, row, chunk);
    if (status == UTET_OK)
        status = utet_row_check(file, chunk);
    return utet_leave(file, status);
}

utet_status utet_chunk_first(utet_file *file, utet_chunk *chunk)
{
    return row_at(file, 0, chunk);
}

utet_status utet_chunk_next(utet_file *file, utet_chunk *chunk)
{
    return row_at(file, chunk->row + 1, chunk);
}
