/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Declarations that the two halves of the whole-file check share. Internal to the library. */
#ifndef UTET_CHECK_INTERNAL_H
#define UTET_CHECK_INTERNAL_H

#include "../container/container.h"
#include "utet_check.h"

/* file->priv.busy */
enum { UTET_CALL_CHECK_ROWS = 0x10, UTET_CALL_CHECK };

/* A step that made progress without a finding. */
#define UTET_CHECK_AGAIN 3

/* priv.flags */
enum {
    FLAG_DISORDER = 1, /* rows are not exactly the canonical ones, in their order */
    FLAG_UNSORTED = 2, /* payload offsets do not increase from row to row */
    FLAG_GAPS = 4,     /* payloads are not consecutive */
    FLAG_OVERLAP = 8,
    FLAG_TWIN = 16,
    FLAG_LENT = 32 /* the workspace after the window is in use */
};

/* The size of a dataset in bytes. UTET_E_DTYPE, UTET_E_DATASET: it cannot have tiles, because its
 * dtype is unknown, a chunk extent is 0, or the size does not fit 64 bits. */
utet_status utet_check_size(const utet_dataset *dataset, uint64_t *bytes);

/* Notes that the payload at `offset` overlaps another; the first counts. */
void utet_check_overlap(utet_check *check, uint64_t offset);

/* The passes for files that are not canonical, one step at a time: UTET_CHECK_AGAIN while
 * they continue, then UTET_OK. Their state, in priv.in, is all 0 at the first call. */

/* The step of each pass, in priv.in. PASS_SEARCH: for the row that is the same as an earlier one. */
enum { PASS_BEGIN, PASS_FILL_TABLE, PASS_GO_OVER_ROWS, PASS_SEARCH };

#define UTET_PAIR_WORDS 2u /* words per entry of the heap of payloads: offset, end */

/* Takes the workspace after the window, if there is any. A second call changes nothing. */
void utet_check_borrow(utet_check *check);
/* The words that the passes have: of the workspace, else of the object. */
uint64_t *utet_check_memory(utet_check *check, size_t *words);
/* The next row into priv.chunk; UTET_END. */
utet_status utet_check_next_row(utet_check *check);

/* Fills the table for the datasets from priv.dataset_id on and counts their rows. */
utet_status utet_check_count(utet_check *check);
/* The verdict on dataset priv.dataset_id, which the table covers, as status and row of the finding. */
utet_status utet_check_counted(utet_check *check, utet_finding *finding);
/* Looks for equal offsets: finding->row is the second row, or UTET_CHECK_NO_ROW. */
utet_status utet_check_offsets(utet_check *check, utet_finding *finding);
/* Looks for equal coordinates: finding->row is the second row, or UTET_CHECK_NO_ROW. */
utet_status utet_check_coords(utet_check *check, utet_finding *finding);

#endif
