/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * microtet, optional: transforms that centre, scale or otherwise normalise the elements of a selection.
 *
 * A transform first reduces the selection (utet_fold.h): it computes a mean, an extreme or a norm, of all elements or
 * along some axes. It then reads the selection again and writes each transformed element. The result has the shape and
 * the dtype of the selection, f32 or f64, and is written to the caller's memory: the complete result, or one range at
 * a time.
 *
 * Results have the same bits everywhere. x is the element as a double. The statistics are the doubles that folds
 * compute. Each difference, quotient and root is then rounded to nearest, as in IEEE 754. Exponentials and logarithms
 * are computed with a relative error of at most 2^-120 before they are rounded once. For f32, the double is rounded
 * once more. The floating-point unit of the platform is not used. src/fold/OPERATIONS.md has the definition.
 */
#ifndef UTET_TRANSFORM_H
#define UTET_TRANSFORM_H

#include "utet_fold.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __ELF__
#pragma GCC visibility push(default)
#endif

/*
 * A method: how x is transformed. A program links only the methods that it names. If a divisor is 0 or not finite, the
 * result is NaN, and the element counts as undefined. Elements that are not finite are copied as stored. mean and std
 * are NaN if an element is NaN; min and max skip NaN.
 */
typedef struct utet_transform_method utet_transform_method;

extern const utet_transform_method utet_transform_center; /* x - mean */
extern const utet_transform_method utet_transform_zscore; /* (x - mean) / std */
extern const utet_transform_method utet_transform_scale;  /* x / std */
extern const utet_transform_method utet_transform_minmax; /* (x - min) / (max - min) */
extern const utet_transform_method utet_transform_l1;     /* x / sum of the absolute values */
extern const utet_transform_method utet_transform_l2;     /* x / square root of the sum of squares */
extern const utet_transform_method utet_transform_log1p;  /* ln(1 + (x - min)) */
extern const utet_transform_method utet_transform_sqrt;   /* square root of (x - min) */
/* e^(x - max) / sum of these exponentials over all finite elements. */
extern const utet_transform_method utet_transform_softmax;

/* The destination of a result. Set unused fields to 0. The object must stay valid until the transform has ended. */
typedef struct utet_transform_into {
    void *elements;     /* destination: row-major, little-endian; may be NULL if size is 0 */
    size_t size;        /* capacity of `elements` in bytes */
    uint64_t from;      /* index of the first element to write; further elements follow up to the capacity */
    double *statistics; /* NULL, or room for the statistics of each cell: mean; mean and std; std; min and max; a norm;
                           min; or max and the sum of the exponentials */
    size_t room;        /* capacity of `statistics` in doubles */
    void (*undefined)(void *context, uint64_t number); /* NULL, or called for each undefined element that is written, in
                                                          the order of reading */
    void *context;
} utet_transform_into;

typedef struct utet_transform {
    utet_fold fold; /* need, boxes and passes: as in utet_fold; passes includes the pass that writes. results: number
                           of statistics. After utet_transform_open, utet_fold_where(&transform.fold, …) may set a
                           filter: elements that do not pass are NaN in the result. utet_fold_group may follow, without
                           windows and counts: each group has a cell, and elements of no group are NaN */
    uint64_t count; /* number of elements of the result */
    uint64_t undefined; /* number of undefined elements written so far */
    struct {
        const utet_transform_method *method;
        const utet_transform_into *into;
        uint64_t wanted; /* number of elements to write, starting with into->from */
        uint8_t inner;   /* the fold's call that is suspended inside the transform's call */
    } priv;
} utet_transform;

/*
 * Computes the requirements of the transform: sets fold.need, results, boxes and passes, and count. request->operation
 * is ignored; request->axes selects the axes along which statistics are computed. Looks up every chunk of the
 * selection.
 * UTET_E_ARGUMENT: a pointer of the request is NULL.
 * UTET_E_DTYPE: the dtype is not f32 or f64.
 * UTET_E_RANGE: a range violates the conditions of utet_range, or the selection has 2^64 - 1 elements or more.
 * UTET_E_DATASET: a chunk_shape is 0.
 * Returns: OK, WOULD_BLOCK, E_ARGUMENT, E_STATE, E_RANGE, E_MISSING, E_SHORT, E_DTYPE, E_CODEC, E_ZSTD_WINDOW,
 *          E_ZSTD_DICT, E_ZSTD_LEGACY, E_DATASET, E_ROW, E_PAYLOAD, E_PORT
 */
utet_status utet_transform_need(utet_transform *transform, utet_file *file, const utet_fold_request *request,
                                const utet_transform_method *method);

/*
 * Does the same as utet_transform_need and prepares the transform to run. It uses no workspace before
 * utet_transform_run.
 * UTET_E_ARGUMENT: a pointer of the request is NULL.
 * UTET_E_BUDGET: the budget is too small for the largest chunk and one cell; this is found before any data is read.
 * UTET_E_DTYPE: the dtype is not f32 or f64.
 * UTET_E_RANGE: a range violates the conditions of utet_range, or the selection has 2^64 - 1 elements or more.
 * UTET_E_DATASET: a chunk_shape is 0.
 * Returns: OK, WOULD_BLOCK, E_ARGUMENT, E_STATE, E_BUDGET, E_RANGE, E_MISSING, E_SHORT, E_DTYPE, E_CODEC,
 *          E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY, E_DATASET, E_ROW, E_PAYLOAD, E_PORT
 */
utet_status utet_transform_open(utet_transform *transform, utet_file *file, const utet_fold_request *request,
                                const utet_transform_method *method);

/*
 * Writes the result, or the range of it that into->from and into->size select. The call takes the workspace and runs
 * once, as utet_fold_run does; for another range, open the transform again.
 * UTET_E_ARGUMENT: into->elements is NULL and size is not 0, the grouping has counts, or the fold delivers in batches.
 * UTET_E_STATE: the transform is not open, has run, or was cancelled.
 * UTET_E_SPACE: room is less than fold.results.
 * UTET_E_BUDGET, UTET_E_CODEC: the medium has changed since the transform was opened.
 * Returns: OK, WOULD_BLOCK, E_ARGUMENT, E_STATE, E_BUDGET, E_MISSING, E_SPACE, E_SHORT, E_CODEC, E_ZSTD_WINDOW,
 *          E_ZSTD_DICT, E_ZSTD_LEGACY, E_ROW, E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_transform_run(utet_transform *transform, const utet_transform_into *into);

/* Numbers of this header's types, for utet_sizeof (utet.h). */
enum { UTET_OBJECT_TRANSFORM_INTO = 34, UTET_OBJECT_TRANSFORM = 35 };

#ifdef __ELF__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
