/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The facts in the index about datasets. */
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
    uint64_t frames;    /* payloads of zstd that were looked at */
    uint64_t checksums; /* those whose first frame carries one */
    int codecs;         /* bit 0 raw, bit 1 zstd */
} tally;

typedef struct totals {
    uint64_t first; /* start and end of the payloads */
    uint64_t end;
    uint64_t stray; /* rows of datasets that are not there */
    uint64_t raw;
    uint64_t stored;
    int sorted; /* rows are in the order of datasets */
} totals;

utet_status totals_count(source *s, totals *all);

/* The tallies of some neighbouring datasets. Sorted rows are read once in all, others once for each block, which
 * is a million datasets then. */
typedef struct tallies {
    tally *block;
    uint32_t count;
    uint64_t from; /* dataset of block[0] */
    int looks;     /* at the frames of zstd payloads */
    int begun;
    utet_chunk next; /* the first row after the block, of sorted ones */
    utet_status status;
} tallies;

/* Returns 1 if the first frame of a zstd payload has a checksum, 0 if not; -1: there is no such frame. */
int chunk_has_checksum(source *s, const utet_chunk *chunk);
/* Null: no memory. */
tallies *tallies_begin(const source *s, const totals *all, int looks);
void tallies_end(tallies *t);
/* The block that begins with dataset `from`; blocks are asked for in ascending order. */
utet_status tallies_block(tallies *t, source *s, const totals *all, uint64_t from);

#endif
