/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * A small writer of .tet files in memory, from the format notes alone (it shares nothing with src/): any geometry,
 * dtype and codec, rows shuffled, payloads with gaps, footer or not; with the dense bytes of each dataset beside the
 * file. And a virtual file of any number of rows that is computed while it is read, for sizes no disk holds.
 */
#ifndef TEST_TETGEN_H
#define TEST_TETGEN_H

#include <stddef.h>
#include <stdint.h>

#define TETGEN_RAW 0
#define TETGEN_ZSTD 1
#define TETGEN_MIXED 2 /* raw and zstd chunks by turns */

typedef struct tetgen_dataset {
    const char *name;
    size_t name_length;
    uint32_t dtype;
    unsigned ndim;
    uint64_t shape[8], chunk[8];
    int codec;
} tetgen_dataset;

typedef struct tetgen {
    const tetgen_dataset *datasets;
    unsigned count;
    uint64_t seed;         /* of the values, shuffling and gaps */
    uint32_t budget_bytes; /* index header (§4) */
    uint16_t budget_bps;
    int shuffle; /* rows in random order */
    int gaps;    /* bytes between payloads, and payloads in another order than rows */
    int footer;  /* 0 = none, 1 or 2 = history_version of a footer with empty history */

    /* Results. */
    uint8_t *bytes;
    size_t size;
    size_t index_offset; /* of the index header; row r at index_offset + 32 + 104 r */
    size_t row_count;
    uint8_t **dense; /* row-major little-endian elements of each dataset */
    size_t *dense_size;
} tetgen;

void tetgen_build(tetgen *g);
void tetgen_free(tetgen *g);

unsigned tetgen_elem_size(uint32_t dtype);
uint64_t tetgen_random(uint64_t *state);                      /* xorshift; state != 0 */
void tetgen_put(uint8_t *at, uint64_t value, unsigned bytes); /* little-endian */
uint64_t tetgen_get(const uint8_t *at, unsigned bytes);

/* The selection `ranges` (start, stop, step per axis) of a dense array, by visiting all of its elements; returns their
 * number. The reference that slabs are compared with: no tiles, no arithmetic in common. */
size_t tetgen_select(const tetgen_dataset *d, const uint8_t *dense, const uint64_t (*ranges)[3], uint8_t *out);

/* The first TETGEN_HEAD bytes of a file with one u8 dataset "p" of `raw` elements, whose only chunk is a zstd payload
 * of `stored` bytes: append the payload. */
enum { TETGEN_HEAD = 40 + 40 + 32 + 104 };
void tetgen_head(uint8_t *to, uint64_t stored, uint64_t raw);

/*
 * Virtual file: one u8 dataset "v" of `rows` raw chunks of `tile` bytes, rank 1; byte i of the dense array is
 * tetsparse_value(i). tetsparse_fetch is a faultport's fetch.
 */
typedef struct tetsparse {
    uint64_t rows, tile;
    int footer;
    uint64_t size;
    uint64_t payload; /* offset of chunk 0 */
} tetsparse;

void tetsparse_make(tetsparse *s, uint64_t rows, uint64_t tile, int footer);
void tetsparse_fetch(void *sparse, uint64_t offset, uint8_t *to, size_t len);
uint8_t tetsparse_value(uint64_t index);

#endif
