/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* A fold over a file that tetgen writes, and other ways to run the fold, which must not change its answer. */
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
    int grouped;  /* the fold has the grouping `by` */
    size_t piece; /* doubles in each piece of the answer; 0: the whole answer at once */
    utet_fold fold;
    uint64_t bits[FOLDWORLD_MOST]; /* results of the last fold that succeeded */
    uint64_t counts[FOLDWORLD_MOST];
    size_t count;
} foldworld;

/* Writes a file of one dataset of 5 x 7 x 9 random elements, in tiles of `chunk`. Nothing is opened. */
void foldworld_build(foldworld *w, uint32_t dtype, int codec, int shuffle, const uint64_t chunk[3]);
extern const uint64_t foldworld_whole[3], foldworld_tiles[3]; /* `chunk`: one tile; 8 of 3 x 4 x 5 */
/* Writes a file of one dataset with these elements, in this machine's byte order, row-major, in raw tiles. */
void foldworld_elements(foldworld *w, uint32_t dtype, unsigned ndim, const uint64_t *shape, const uint64_t *chunk,
                        const void *elements);
/* Writes a file of one dataset with these doubles along one axis, in tiles of `chunk`. */
void foldworld_axis(foldworld *w, size_t count, size_t chunk, const double *values);
/* Replaces element i of raw chunk number `chunk`, in a file of doubles. */
void foldworld_put(tetgen *g, unsigned chunk, size_t i, double value);

/* Opens the file with exactly `work` bytes, and requests a part of each axis; the rest of the request stays. */
void foldworld_start(foldworld *w, size_t work);
/* Opens the file with exactly `work` bytes, and requests the same fold as `as`. */
void foldworld_start_as(foldworld *w, const foldworld *as, size_t work);
/* Opens the fold, with its grouping and with the filter (null: none). */
utet_status foldworld_ready(foldworld *w, const utet_fold_filter *filter);
/* Opens the fold in the same way, and runs it to its end. */
utet_status foldworld_fold(foldworld *w, const utet_fold_filter *filter);
void foldworld_compare(const foldworld *a, const foldworld *b, const char *what);

/* The next four repeat the fold of `a`, which has run, and compare the answers with those of `a`. */
/* With other tilings, orders of rows, codecs and ports, and with the minimum and the best workspace. */
void foldworld_other_ways(const foldworld *a, const utet_fold_filter *filter);
/* After a fault at each of the reads, which must be reported. */
void foldworld_faults(const foldworld *a);
/* After a fold that was cancelled, at each "not yet". */
void foldworld_cancels(const foldworld *a);
/* In every workspace from `from` bytes to a bit more than the best one, by `step` bytes around the minimum: refused
 * below the minimum, with the sufficient size. `a` has one box. passes: less memory may mean further passes. */
void foldworld_budgets(const foldworld *a, size_t from, size_t step, int passes);

#endif
