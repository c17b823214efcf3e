/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Facts about datasets that are computed from the rows of the index. */
#ifndef UTET_TOOL_INFO_H
#define UTET_TOOL_INFO_H

#include "shared/tool.h"

/* The facts in the rows about one dataset: bytes of tiles, decoded and stored. */
typedef struct tally {
    uint64_t rows;
    uint64_t raw;
    uint64_t stored;
    uint64_t least;
    uint64_t largest;
    uint64_t least_stored;
    uint64_t largest_stored;
    uint64_t frames;    /* number of zstd payloads that were read */
    uint64_t checksums; /* number of those whose first frame has a checksum */
    int codecs;         /* bit 0 raw, bit 1 zstd */
} tally;

typedef struct totals {
    uint64_t first; /* file offsets of the start and the end of the payloads */
    uint64_t end;
    uint64_t stray; /* number of rows that name a dataset the file does not have */
    uint64_t raw;
    uint64_t stored;
    int sorted; /* 1: rows are sorted by dataset */
} totals;

utet_status totals_count(source *s, totals *all);

/* The facts about a block of consecutive datasets. Sorted rows are read once in total. Other rows are read once for
 * each block, which then has a million datasets. */
typedef struct tallies {
    tally *block;
    uint32_t count;
    uint64_t from; /* number of the dataset in block[0] */
    int looks;     /* 1: the frames of zstd payloads are read */
    int begun;
    utet_chunk next; /* the first row after the block, if rows are sorted */
    utet_status status;
} tallies;

/* Returns 1 if the first frame of a zstd payload has a checksum, 0 if it has none, and -1 if the payload has no
 * frame. */
int chunk_has_checksum(source *s, const utet_chunk *chunk);
/* Returns NULL if there is not enough memory. */
tallies *tallies_begin(const source *s, const totals *all, int looks);
void tallies_end(tallies *t);
/* Returns the block that begins with dataset `from`. Request blocks in ascending order. */
utet_status tallies_block(tallies *t, source *s, const totals *all, uint64_t from);

/* ---- info_tree.c ---- */

#define NAMES_DEPTH 8u
#define NAMES_BRANCHES 64u /* at each depth */

typedef struct branch_of_names branch_of_names;
typedef struct names_tree {
    branch_of_names *branches[NAMES_DEPTH];
    size_t count[NAMES_DEPTH];
    int full[NAMES_DEPTH]; /* there are more branches */
    int failed;            /* 1: not enough memory */
} names_tree;

/* Returns NULL if there is not enough memory. */
names_tree *names_begin(void);
void names_end(names_tree *n);
/* Adds a dataset to the tree `ctx`. */
void names_add(void *ctx, const utet_dataset *d, const char *name, const tally *one);
/* Prints at most `lines` branches. datasets: number of datasets in the file. */
int names_print(const names_tree *n, size_t lines, uint64_t datasets);
/* info.c: adds the cells codec, bytes, stored bytes and per cent. */
void info_codec_cells(table *t, const tally *one);

#endif
