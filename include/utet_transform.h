/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * microtet, optional: elements of a selection, centred, scaled, or otherwise brought into a common measure.
 *
 * A transform first folds the selection (utet_fold.h): a mean, an extreme, a norm, of all elements or along some axes.
 * Then it reads the selection again and writes each element anew. The result has the shape and the dtype of the
 * selection, f32 or f64, and goes to memory of the caller: all of it, or a range of it at a time.
 *
 * The same bits everywhere: x is the element as a double. The statistics are the doubles that folds give; then each
 * difference, quotient and root is that of IEEE 754, rounded to nearest. Exponentials and logarithms are known to
 * 2^-120 of themselves before they are rounded, once. For f32 the double is rounded once more. No machine's floating
 * point is used. src/fold/OPERATIONS.md has the definition.
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
 * What becomes of x. A program links the methods that it names. Where a divisor is 0 or not finite, the result is NaN,
 * and the element counts as undefined. Elements that are not finite stay as they are stored. mean and std are NaN when
 * an element is; least and greatest pass NaN over.
 */
typedef struct utet_transform_method utet_transform_method;

extern const utet_transform_method utet_transform_center; /* x - mean */
extern const utet_transform_method utet_transform_zscore; /* (x - mean) / std */
extern const utet_transform_method utet_transform_scale;  /* x / std */
extern const utet_transform_method utet_transform_minmax; /* (x - least) / (greatest - least) */
extern const utet_transform_method utet_transform_l1;     /* x / sum of absolute values */
extern const utet_transform_method utet_transform_l2;     /* x / root of the sum of squares */
extern const utet_transform_method utet_transform_log1p;  /* ln(1 + (x - least)) */
extern const utet_transform_method utet_transform_sqrt;   /* root of (x - least) */
/* e^(x - greatest) / sum of all these; elements that are not finite have no part in the sum. */
extern const utet_transform_method utet_transform_softmax;

/* Where the answer goes. Set to 0 what is not used. Must stay until the transform is over. */
typedef struct utet_transform_into {
    void *elements;     /* row-major, little-endian; may be null when size is 0 */
    size_t size;        /* bytes that have room there */
    uint64_t from;      /* number of the first element that is wanted; as many as have room follow it */
    double *statistics; /* NULL, or for each cell: the mean; mean and std; std; least and greatest; a norm; least; or
                           greatest and sum of the exponentials */
    size_t room;        /* numbers that have room there */
    void (*undefined)(void *context, uint64_t number); /* NULL, or is called for each element written that is undefined,
                                                          in the order of reading */
    void *context;
} utet_transform_into;

typedef struct utet_transform {
    utet_fold fold;     /* need, boxes, passes: as there; passes has the one that writes. results: statistics. After
                           utet_transform_open, utet_fold_where(&transform.fold, …) may say which elements count: the
                           others are NaN in the result. utet_fold_group may follow, without windows and counts: groups
                           have a cell each, and what no group takes is NaN */
    uint64_t count;     /* elements of the result */
    uint64_t undefined; /* undefined elements written so far */
    struct {
        const utet_transform_method *method;
        const utet_transform_into *into;
        uint64_t wanted; /* elements from into->from on */
        uint8_t inner;   /* the fold's call that is suspended in the transform's */
    } priv;
} utet_transform;

/*
 * What the transform needs: fills fold.need, results, boxes and passes, and count. request->operation is not looked at;
 * request->axes says along which axes statistics are taken. Looks up every chunk of the selection.
 * UTET_E_ARGUMENT: a pointer of the request is null.
 * UTET_E_DTYPE: the dtype is not f32 or f64.
 * UTET_E_RANGE: a range is not as utet_range says, or the selection has 2^64 - 1 elements or more.
 * UTET_E_DATASET: a chunk_shape is 0.
 * Returns: OK, WOULD_BLOCK, E_ARGUMENT, E_STATE, E_RANGE, E_MISSING, E_SHORT, E_DTYPE, E_CODEC, E_ZSTD_WINDOW,
 *          E_ZSTD_DICT, E_ZSTD_LEGACY, E_DATASET, E_ROW, E_PAYLOAD, E_PORT
 */
utet_status utet_transform_need(utet_transform *transform, utet_file *file, const utet_fold_request *request,
                                const utet_transform_method *method);

/*
 * Does what utet_transform_need does and makes the transform ready to run. No memory is taken before that.
 * UTET_E_ARGUMENT: a pointer of the request is null.
 * UTET_E_BUDGET: too small for the largest chunk and one cell; found before any data.
 * UTET_E_DTYPE: the dtype is not f32 or f64.
 * UTET_E_RANGE: a range is not as utet_range says, or the selection has 2^64 - 1 elements or more.
 * UTET_E_DATASET: a chunk_shape is 0.
 * Returns: OK, WOULD_BLOCK, E_ARGUMENT, E_STATE, E_BUDGET, E_RANGE, E_MISSING, E_SHORT, E_DTYPE, E_CODEC,
 *          E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY, E_DATASET, E_ROW, E_PAYLOAD, E_PORT
 */
utet_status utet_transform_open(utet_transform *transform, utet_file *file, const utet_fold_request *request,
                                const utet_transform_method *method);

/*
 * Writes the result, or the range of it that into->from and into->size choose. It takes the workspace and runs once,
 * as utet_fold_run does; for another range, open the transform again.
 * UTET_E_ARGUMENT: into->elements is null and size is not 0, the grouping asks for counts, or the fold for pieces.
 * UTET_E_STATE: the transform is not open, has run, or was cancelled.
 * UTET_E_SPACE: room is less than fold.results.
 * UTET_E_BUDGET, UTET_E_CODEC: the medium changed since opening.
 * Returns: OK, WOULD_BLOCK, E_ARGUMENT, E_STATE, E_BUDGET, E_MISSING, E_SPACE, E_SHORT, E_CODEC, E_ZSTD_WINDOW,
 *          E_ZSTD_DICT, E_ZSTD_LEGACY, E_ROW, E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_transform_run(utet_transform *transform, const utet_transform_into *into);

/* For utet_sizeof (utet.h): numbers of the types of this header. */
enum { UTET_OBJECT_TRANSFORM_INTO = 34, UTET_OBJECT_TRANSFORM = 35 };

#ifdef __ELF__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
