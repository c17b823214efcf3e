/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * A second reader of .tet files, the naive way: everything in memory, every row looked at, nothing in common with src/.
 * Written from the format notes; zstd by Debian's libzstd (-DTETGEN_NO_ZSTD: zstd chunks are TETREF_UNKNOWN). It judges
 * damaged and random files: what the library answers is compared with what this says.
 */
#ifndef TEST_TETREF_H
#define TEST_TETREF_H

#include <stddef.h>
#include <stdint.h>

typedef enum tetref_verdict {
    TETREF_OK,
    TETREF_BAD,    /* refused */
    TETREF_UNKNOWN /* cannot say */
} tetref_verdict;

typedef struct tetref_dataset {
    const uint8_t *name;
    uint32_t name_length, dtype, ndim;
    uint64_t shape[8], chunk[8];
} tetref_dataset;

typedef struct tetref {
    const uint8_t *bytes;
    uint64_t size, limit; /* payload limit */
    uint32_t count;
    tetref_dataset *datasets;
    const uint8_t *rows;
    uint64_t row_count;
} tetref;

/* Returns what opening says, without a look at the rows. Call tetref_free in every case. */
tetref_verdict tetref_open(tetref *t, const uint8_t *bytes, uint64_t size);
void tetref_free(tetref *t);

/* Judges each row by itself: codec, lengths, place. */
tetref_verdict tetref_rows(const tetref *t, uint64_t end);

/* The dense bytes of dataset `id`, malloc'ed into *dense. Datasets over `room` bytes are TETREF_UNKNOWN.
 * predict: 0 = the first matching row counts, 1 = the row where all known writers put it, if it is that tile's (§4). */
tetref_verdict tetref_read(const tetref *t, uint32_t id, int predict, size_t room, uint8_t **dense, size_t *size);

/* A tile that has several rows may be read by any of them. Returns 1 if some choice of rows gives `dense` (null: a
 * refusal), and 0 for datasets of no bytes or of more than `room`. */
int tetref_allows(const tetref *t, uint32_t id, const uint8_t *dense, size_t room);

/* Decodes a zstd payload into `out`, which it must fill exactly. */
tetref_verdict tetref_zstd(const uint8_t *payload, size_t stored, uint8_t *out, size_t size);

#endif
