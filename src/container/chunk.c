/* Rows of the chunk index (§4): one row, and the row of a tile. */
#include "container.h"

/* Places of the fields in a row. */
enum { AT_COORDS = 8, AT_OFFSET = 72, AT_RAW = 80, AT_STORED = 88, AT_CODEC = 96 };

uint64_t utet_row_offset(const utet_file *file, uint64_t row)
{
    return file->index_offset + UTET_INDEX_BYTES + row * UTET_ROW_BYTES;
}

static utet_status need_row(utet_file *file, uint64_t row)
{
    return utet_need_bytes(file, utet_row_offset(file, row), UTET_ROW_BYTES, UTET_AHEAD);
}

utet_status utet_row_load(utet_file *file, uint64_t row, utet_chunk *chunk)
{
    utet_status status = need_row(file, row);
    const uint8_t *at = file->priv_at;
    unsigned d;

    if (status != UTET_OK)
        return status;
    chunk->row = row;
    chunk->dataset_id = utet_le64(at);
    for (d = 0; d < UTET_MAX_NDIM; d++)
        chunk->coords[d] = utet_le64(at + AT_COORDS + 8 * d);
    chunk->payload_offset = utet_le64(at + AT_OFFSET);
    chunk->raw_byte_len = utet_le64(at + AT_RAW);
    chunk->stored_byte_len = utet_le64(at + AT_STORED);
    chunk->codec = utet_le32(at + AT_CODEC);
    return UTET_OK;
}

utet_status utet_row_check(utet_file *file, const utet_chunk *chunk)
{
    unsigned at;

    if (chunk->codec > UTET_CODEC_ZSTD)
        at = AT_CODEC;
    else if (chunk->codec == UTET_CODEC_RAW && chunk->raw_byte_len != chunk->stored_byte_len)
        at = AT_RAW;
    else if (utet_add(chunk->payload_offset, chunk->stored_byte_len) > file->footer_offset)
        at = AT_OFFSET;
    else
        return UTET_OK;
    return utet_fail(file, UTET_E_ROW, utet_row_offset(file, chunk->row) + at);
}

utet_status utet_tile_bytes(utet_file *file, const utet_dataset *dataset, const uint64_t *coords,
                            uint64_t *bytes, uint64_t *row)
{
    uint64_t size = dataset->elem_size;
    uint64_t linear = 0;
    unsigned d;

    if (size == 0)
        return utet_fail(file, UTET_E_DTYPE, dataset->name_offset - 12);
    for (d = 0; d < dataset->ndim; d++) {
        uint64_t extent = dataset->chunk_shape[d];
        uint64_t left;

        if (extent == 0)
            return utet_fail(file, UTET_E_DATASET, dataset->name_offset - UTET_RECORD_BYTES);
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
    unsigned d;

    if (utet_le64(at) != dataset->id)
        return 0;
    for (d = 0; d < dataset->ndim; d++)
        if (utet_le64(at + AT_COORDS + 8 * d) != coords[d])
            return 0;
    return 1;
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
            status = need_row(file, row);
            if (status != UTET_OK)
                return status;
            if (row_is(file->priv_at, dataset, coords))
                break;
        } else if (file->priv_step != 0) {
            file->priv_step = 0;
            return UTET_E_MISSING;
        }
        file->priv_cursor[0] = file->priv_step == 0 ? 0 : row + 1;
        file->priv_step = 1;
    }
    file->priv_step = 0;
    status = utet_row_load(file, row, chunk); /* is in the window */
    if (status == UTET_OK)
        status = utet_row_check(file, chunk);
    if (status == UTET_OK && (chunk->raw_byte_len != bytes || bytes == UINT64_MAX))
        status = utet_fail(file, UTET_E_ROW, utet_row_offset(file, row) + AT_RAW);
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
