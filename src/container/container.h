/* Catalogue helpers shared by the files of this component and by streams, slabs, check.
 * Internal to the library. Section numbers: layout notes. */
#ifndef UTET_CONTAINER_H
#define UTET_CONTAINER_H

#include "../base/base.h"

#define UTET_SUPERBLOCK_BYTES 32u
#define UTET_RECORDS_OFFSET 40u /* superblock, then the u64 length of the records (§3) */
#define UTET_RECORD_BYTES 16u   /* the fixed head of a record */
#define UTET_INDEX_BYTES 32u    /* header of the chunk index (§4) */
#define UTET_ROW_BYTES 104u
#define UTET_TAIL_BYTES 16u     /* footer tail (§6.1) */

/* The fixed head of a directory record, checked against the end of the directory. */
typedef struct utet_record {
    uint32_t dtype;
    uint32_t name_length;
    uint32_t ndim;
    uint64_t extents; /* offset of shape and chunk_shape, 16 * ndim bytes */
} utet_record;

/* Reads the head at `offset` of a directory that ends at `end` (§3). */
utet_status utet_record_head(utet_file *file, uint64_t offset, uint64_t end, utet_record *record);

/* The record at `offset`, number `id`, whose chunks are predicted from row first_row on.
 * Resumable through priv_step 0..1, which it leaves at 0. */
utet_status utet_dataset_load(utet_file *file, utet_dataset *dataset, uint32_t id, uint64_t offset,
                              uint64_t first_row);
/* The record after *dataset; UTET_END. Resumable likewise. */
utet_status utet_dataset_step(utet_file *file, utet_dataset *dataset);

uint64_t utet_row_offset(const utet_file *file, uint64_t row);
/* Row `row` (< row_count) into *chunk, unchecked. */
utet_status utet_row_load(utet_file *file, uint64_t row, utet_chunk *chunk);
/* The checks of a row that need nothing else (§4). */
utet_status utet_row_check(utet_file *file, const utet_chunk *chunk);
/* Decoded bytes of the tile at `coords`, saturated, and its predicted row. Returns
 * UTET_E_DTYPE, UTET_E_DATASET or UTET_E_RANGE when there is no such tile. */
utet_status utet_tile_bytes(utet_file *file, const utet_dataset *dataset, const uint64_t *coords,
                            uint64_t *bytes, uint64_t *row);
/* utet_chunk_find without the protocol. Resumable through priv_step, which must be 0 at the
 * first call and is 0 again at the end. */
utet_status utet_row_find(utet_file *file, const utet_dataset *dataset, const uint64_t *coords,
                          utet_chunk *chunk);

/* ---- memory (workspace.c) ---- */

/* Lends the memory behind the window to `owner`; need: window included. UTET_E_BUDGET. */
utet_status utet_lend(utet_file *file, const void *owner, const utet_need *need);

#endif
