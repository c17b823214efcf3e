/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* A fold over a file of tetgen's, and the ways to run it in which its answer must stay the same. */
#ifndef TEST_FOLDWORLD_H
#define TEST_FOLDWORLD_H

#include "rig.h"
#include "tetgen.h"
#include "utet_fold.h"

#define FOLDWORLD_MOST 3000

typedef struct foldworld {
    tetgen g;
    tetgen_dataset data;
    rig r;
    utet_dataset d;
    utet_range ranges[8];
    utet_fold_request request;
    utet_fold_grouping by;
    int grouped;  /* the fold is by `by` */
    size_t piece; /* the answer comes in pieces of so many doubles; 0: at once */
    utet_fold fold;
    uint64_t bits[FOLDWORLD_MOST]; /* of the results of the last fold that ended well */
    uint64_t counts[FOLDWORLD_MOST];
    size_t count;
} foldworld;

/* Writes a file of one dataset of 5 x 7 x 9 random elements, in tiles of `chunk`. Nothing is opened. */
void foldworld_build(foldworld *w, uint32_t dtype, int codec, int shuffle, const uint64_t chunk[3]);
extern const uint64_t foldworld_whole[3], foldworld_tiles[3]; /* chunk: one tile; 8 of 3 x 4 x 5 */
/* Such a file with these elements, in this machine's byte order, row-major, in raw tiles. */
void foldworld_elements(foldworld *w, uint32_t dtype, unsigned ndim, const uint64_t *shape, const uint64_t *chunk,
                        const void *elements);
/* Such a file with these doubles along one axis, in tiles of `chunk`. */
void foldworld_axis(foldworld *w, size_t count, size_t chunk, const double *values);
/* Element i of raw chunk number `chunk` of a file of doubles. */
void foldworld_put(tetgen *g, unsigned chunk, size_t i, double value);

/* Opens the file with exactly `work` bytes, and asks for a part of each axis; other members of the request stay. */
void foldworld_start(foldworld *w, size_t work);
/* The same, and asks for what `as` asks for. */
void foldworld_start_as(foldworld *w, const foldworld *as, size_t work);
/* Opens the fold, by `by` and with the filter (null: none). */
utet_status foldworld_ready(foldworld *w, const utet_fold_filter *filter);
/* The same, and runs it, driven to its end. */
utet_status foldworld_fold(foldworld *w, const utet_fold_filter *filter);
void foldworld_compare(const foldworld *a, const foldworld *b, const char *what);

/* `a` has been folded, and its answers are those to compare with: */
/* by other tilings, orders of rows, codecs, ports, and with the least or the best workspace; */
void foldworld_other_ways(const foldworld *a, const utet_fold_filter *filter);
/* after a fault at any read, which gives its error; */
void foldworld_faults(const foldworld *a);
/* after a fold that was cancelled at any "not yet". */
void foldworld_cancels(const foldworld *a);

#endif
