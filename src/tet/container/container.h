/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Catalogue helpers shared by the files of this component and by streams, slabs, check.
 * Internal to the library. Section numbers: src/tet/FORMAT.md. */
#ifndef UTET_CONTAINER_H
#define UTET_CONTAINER_H

#include "../../base/base.h"

#include <string.h>

#define UTET_SUPERBLOCK_BYTES 32u
#define UTET_RECORDS_OFFSET 40u /* superblock, then the u64 length of the records (§3) */
#define UTET_RECORD_BYTES 16u   /* the fixed head of a record */
#define UTET_INDEX_BYTES 32u    /* header of the chunk index (§4) */
#define UTET_ROW_BYTES 104u
#define UTET_TAIL_BYTES 16u /* footer tail (§6.1) */

/* file->priv.busy: 0x03 to 0x0F are those of container, stream and slab */
enum {
    UTET_CALL_DATASET_FIRST = 0x03,
    UTET_CALL_DATASET_NEXT,
    UTET_CALL_DATASET_FIND,
    UTET_CALL_DATASET_NAME,
    UTET_CALL_CHUNK_FIND,
    UTET_CALL_ROW_FIRST,
    UTET_CALL_ROW_NEXT
};

/* Offsets of fields in the head of a record, and in a row. */
enum { UTET_RECORD_NAME_LENGTH = 0, UTET_RECORD_DTYPE = 4, UTET_RECORD_NDIM = 8 };
enum {
    UTET_ROW_DATASET = 0,
    UTET_ROW_COORDS = 8,
    UTET_ROW_OFFSET = 72,
    UTET_ROW_RAW = 80,
    UTET_ROW_STORED = 88,
    UTET_ROW_CODEC = 96
};

/* Makes the head of the record at `offset` addressable and checks it against the end of the directory, *end (§3):
 * shape and chunk_shape, 16 * ndim bytes after the name and its padding to a multiple of 8, end before it. (A
 * pointer, because a fifth word would go through the stack.) */
utet_status utet_record_head(utet_file *file, const uint64_t *end, uint64_t offset);

/* priv.step of a call that reads records: which part of the record is wanted next. */
enum { UTET_STEP_HEAD, UTET_STEP_EXTENTS, UTET_STEP_NAME };

/* Before the first record: utet_dataset_step then yields record 0. */
void utet_dataset_rewind(utet_dataset *dataset);
/* The record after *dataset; UTET_END. Resumable through priv.step. */
utet_status utet_dataset_step(utet_file *file, utet_dataset *dataset);

uint64_t utet_row_offset(const utet_file *file, uint64_t row);
/* Makes row `row` (< row_count) addressable at priv.at. */
static inline utet_status utet_row_fetch(utet_file *file, uint64_t row)
{
    return utet_fetch(file, UTET_ROW_BYTES, utet_row_offset(file, row));
}

/* utet_chunk begins like a row: 12 numbers of 64 bits in the same order and one of 32, without gaps; fewer coordinates
 * with a smaller maximum rank. */
#define UTET_ROW_NUMBERS (UTET_ROW_CODEC / sizeof(uint64_t) - (UTET_FORMAT_NDIM - UTET_MAX_NDIM))

/* Converts that row to *chunk, unchecked. Like utet_row_fetch it is inline, because a reader of raw chunks calls each
 * only once: that saves 38 bytes of text on Cortex-M4. */
static inline void utet_row_parse(const utet_file *file, utet_chunk *chunk, uint64_t row)
{
    memcpy(chunk, file->priv.at, UTET_ROW_NUMBERS * sizeof(uint64_t) + 4);
#if UTET_MAX_NDIM < UTET_FORMAT_NDIM
    memcpy(&chunk->payload_offset, file->priv.at + UTET_ROW_OFFSET, UTET_ROW_CODEC + 4 - UTET_ROW_OFFSET);
#endif
#if !UTET_IS_LITTLE /* the call of an empty function takes space */
    utet_to_native(chunk, UTET_ROW_NUMBERS, sizeof(uint64_t));
    utet_to_native(&chunk->codec, 1, sizeof(uint32_t));
#endif
    chunk->row = row;
}

/* Does both. */
utet_status utet_row_load(utet_file *file, uint64_t row, utet_chunk *chunk);
/* The checks of a row by itself (§4). Its payload may reach into the footer: then the footer is considered damaged
 * (§6.2), because otherwise one wrong bit of json_len would hide all tensors. */
utet_status utet_row_check(utet_file *file, const utet_chunk *chunk);
/* The same for the verdict on the whole file: the payload ends at `end` at most (§6.3). */
utet_status utet_row_check_end(utet_file *file, const utet_chunk *chunk, uint64_t end);
/* Sets error_offset to a field of the row; returns UTET_E_ROW. */
utet_status utet_row_fail(utet_file *file, unsigned field, uint64_t row);
/* The tile at `coords`: its size and where its row is predicted. UTET_E_DTYPE, UTET_E_DATASET or
 * UTET_E_RANGE when there is no such tile. */
utet_status utet_tile_locate(utet_file *file, const utet_dataset *dataset, const uint64_t *coords,
                             struct utet_tile *tile);
/* utet_chunk_find without the protocol. Resumable through priv.call.lookup and priv.step, which must be 0 at
 * the first call and is 0 again after UTET_OK. */
utet_status utet_row_find(utet_file *file, const utet_dataset *dataset, const uint64_t *coords, utet_chunk *chunk);
/* Sets error_offset to the record of `dataset`; returns `status`. */
utet_status utet_record_fail(utet_file *file, const utet_dataset *dataset, utet_status status);

/* ---- memory (workspace.c) ---- */

/* Adds the window to what a codec needs. */
void utet_need_with_window(const utet_file *file, utet_need *need);
/* Assigns the memory after the window to `owner`; need: without the window. UTET_E_BUDGET. */
utet_status utet_lend(utet_file *file, const void *owner, const utet_need *need);

/* Lookups of datasets whose numbers have 32 bits have a path of their own, and compare a row's numbers while they copy
 * them. Not on AVR, where both would take 1,130 bytes. */
#ifdef __AVR__
#define UTET_NARROW 0
#else
#define UTET_NARROW 1
#endif

/* ---- shared by the two ways to look a row up, chunk.c and rows.c: only one of them is linked for most programs ----
 */

/* Is the row at `at` that of the tile at `coords`? Only the first ndim coordinates count. */
int utet_row_is(const uint8_t *at, const utet_dataset *dataset, const uint64_t *coords);

/* The row at priv.at, number lookup.row, as the chunk of the tile that is looked up, checked. UTET_END: it is the row
 * of another tile. Copies the coordinates that the tile has. *coords may be those of the chunk. */
static inline utet_status utet_row_take(utet_file *file, const utet_dataset *dataset, const uint64_t *coords,
                                        utet_chunk *chunk)
{
    const uint8_t *at = file->priv.at;
    utet_status status;
    uint64_t bytes;
#if UTET_NARROW
    unsigned d;

    if (utet_le64(at) != dataset->id)
        return UTET_END;
    chunk->dataset_id = dataset->id;
    for (d = 0; d < dataset->ndim; d++) {
        at += 8;
        if (utet_le64(at) != coords[d])
            return UTET_END;
        chunk->coords[d] = coords[d];
    }
    at = file->priv.at;
    chunk->payload_offset = utet_le64(at + UTET_ROW_OFFSET);
    chunk->raw_byte_len = utet_le64(at + UTET_ROW_RAW);
    chunk->stored_byte_len = utet_le64(at + UTET_ROW_STORED);
    chunk->codec = utet_le32(at + UTET_ROW_CODEC);
    chunk->row = file->priv.call.lookup.row;
#else
    if (!utet_row_is(at, dataset, coords))
        return UTET_END;
    utet_row_parse(file, chunk, file->priv.call.lookup.row);
#endif
    file->priv.step = 0;
    status = utet_row_check(file, chunk);
    bytes = file->priv.call.lookup.tile.bytes;
    /* the second comparison is bytes == UINT64_MAX, in 4 bytes less of flash on Cortex-M4 and M0+ */
    if (status == UTET_OK && (chunk->raw_byte_len != bytes || (uint32_t)(bytes & bytes >> 32) == UINT32_MAX))
        status = utet_row_fail(file, UTET_ROW_RAW, chunk->row);
    return status;
}

#endif
