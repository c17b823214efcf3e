/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The interface of a method of transforms. Internal to the library. */
#ifndef UTET_FOLD_TRANSFORM_H
#define UTET_FOLD_TRANSFORM_H

#include "fold_ieee.h"
#include "utet_transform.h"

/* What `apply` returns where a divisor is 0 or not finite; no other NaN has these bits. */
#define TRANSFORM_UNDEFINED (FOLD_DOUBLE_NAN | 1u)

#define TRANSFORM_FLOATS (1u << UTET_F32 | 1u << UTET_F64)

struct utet_transform_method {
    utet_fold_operation own;          /* input of the fold */
    const utet_fold_operation *first; /* operation of the first pass; most methods have one */
    uint8_t statistics;               /* statistics of a cell: 1 or 2 */
    uint8_t passes;                   /* 2 or 3 */
    uint8_t bytes;                    /* size of a cell, if larger than that of `first` */
    /* After a pass: the cell's first words become its statistics, doubles by their bits. */
    void (*settle)(utet_transform *transform, uint8_t *cell);
    void (*fold)(const fold_part *part);   /* takes a run in the first pass */
    void (*second)(const fold_part *part); /* of three passes: in the second one */
    uint64_t (*apply)(uint64_t value, const uint64_t *statistics);
};

utet_status utet_transform_prepare(utet_fold *fold, const utet_fold_request *request);
/* Takes a run: folds it, or in the last pass writes it. */
void utet_transform_take(const fold_part *part);

static inline const fold_layout *transform_layout(const utet_transform *transform)
{
    return transform->fold.priv.layout;
}

/* Operations tell by the fold's operation which of them they are. */
uint64_t utet_transform_finish(utet_transform *transform, const utet_fold_operation *operation, void *cell);
void utet_transform_take_as(const fold_part *part, const utet_fold_operation *operation);
/* fold and settle, for methods that need nothing but the result of `first`. */
void utet_transform_fold(const fold_part *part);
void utet_transform_settle(utet_transform *transform, uint8_t *cell);
/* A finite element as a double. */
uint64_t utet_transform_value(const fold_layout *layout, const fold_element *element);
/* A quotient; undefined when b is 0 or not finite. */
uint64_t utet_transform_divide(uint64_t a, uint64_t b);

#endif
