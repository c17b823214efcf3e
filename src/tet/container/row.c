/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Rows of the chunk index (§4): one row, and all in file order. */
#include "container.h"

/* utet_row_parse relies on this layout. */
#define CHUNK_LACKS (8 * (UTET_FORMAT_NDIM - UTET_MAX_NDIM))
UTET_STATIC_ASSERT(offsetof(utet_chunk, dataset_id) == UTET_ROW_DATASET, row_dataset);
UTET_STATIC_ASSERT(offsetof(utet_chunk, coords) == UTET_ROW_COORDS, row_coords);
UTET_STATIC_ASSERT(offsetof(utet_chunk, payload_offset) == UTET_ROW_OFFSET - CHUNK_LACKS, row_offset);
UTET_STATIC_ASSERT(offsetof(utet_chunk, raw_byte_len) == UTET_ROW_RAW - CHUNK_LACKS, row_raw);
UTET_STATIC_ASSERT(offsetof(utet_chunk, stored_byte_len) == UTET_ROW_STORED - CHUNK_LACKS, row_stored);
UTET_STATIC_ASSERT(offsetof(utet_chunk, codec) == UTET_ROW_CODEC - CHUNK_LACKS, row_codec);

/* A separate function, because each caller would otherwise contain the multiplication: 28 bytes more on Cortex-M4, 56
 * on M0+. */
UTET_APART uint64_t utet_row_offset(const utet_file *file, uint64_t row)
{
    return file->index_offset + UTET_INDEX_BYTES + UTET_PRODUCT(row, UTET_ROW_BYTES);
}

int utet_row_is(const uint8_t *at, const utet_dataset *dataset, const uint64_t *coords)
{
    uint64_t wanted = dataset->id;
    unsigned left = dataset->ndim;

    while (utet_le64(at) == wanted) {
        if (left-- == 0)
            return 1;
        wanted = *coords++;
        at += 8;
    }
    return 0;
}

utet_status utet_row_fail(utet_file *file, unsigned field, uint64_t row)
{
    file->error_offset = utet_row_offset(file, row) + field;
    return UTET_E_ROW;
}

utet_status utet_row_load(utet_file *file, uint64_t row, utet_chunk *chunk)
{
    utet_status status = utet_row_fetch(file, row);

    if (status == UTET_OK)
        utet_row_parse(file, chunk, row);
    return status;
}

utet_status utet_row_check(utet_file *file, const utet_chunk *chunk)
{
    unsigned field;

    if (chunk->codec > UTET_CODEC_ZSTD)
        field = UTET_ROW_CODEC;
    else if (chunk->codec == UTET_CODEC_RAW && chunk->raw_byte_len != chunk->stored_byte_len)
        field = UTET_ROW_RAW;
    else if (utet_add(chunk->payload_offset, chunk->stored_byte_len) > file->priv.io->size)
        field = UTET_ROW_OFFSET;
    else
        return UTET_OK;
    return utet_row_fail(file, field, chunk->row);
}

utet_status utet_row_check_end(utet_file *file, const utet_chunk *chunk, uint64_t end)
{
    utet_status status = utet_row_check(file, chunk);

    if (status == UTET_OK && chunk->payload_offset + chunk->stored_byte_len > end)
        status = utet_row_fail(file, UTET_ROW_OFFSET, chunk->row);
    return status;
}

static utet_status row_at(utet_file *file, uint8_t call, uint64_t row, utet_chunk *chunk)
{
    utet_status status = utet_enter(file, call);

    if (status != UTET_OK)
        return status;
    if (row >= file->row_count)
        return utet_leave(file, UTET_END);
    status = utet_row_load(file, row, chunk);
    if (status == UTET_OK)
        status = utet_row_check(file, chunk);
    return utet_leave(file, status);
}

utet_status utet_row_first(utet_file *file, utet_chunk *chunk)
{
    return row_at(file, UTET_CALL_ROW_FIRST, 0, chunk);
}

utet_status utet_row_next(utet_file *file, utet_chunk *chunk)
{
    return row_at(file, UTET_CALL_ROW_NEXT, chunk->row + 1, chunk);
}
