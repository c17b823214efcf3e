/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The rows of a dataset, one after another: the last axis is complete, the others have one index each. */
#ifndef BOARD_ROW_RANGES_H
#define BOARD_ROW_RANGES_H

#include "utet.h"

/* Returns 0 if the dataset has no elements. */
static inline int first_row(const utet_dataset *dataset, utet_range *ranges)
{
    int empty = 0;

    for (unsigned d = 0; d < dataset->ndim; d++) {
        const utet_range one = {0, d + 1u < dataset->ndim ? 1 : dataset->shape[d], 1};
        ranges[d] = one;
        empty |= dataset->shape[d] == 0;
    }
    return !empty;
}

/* Returns 0 after the last row. */
static inline int next_row(const utet_dataset *dataset, utet_range *ranges)
{
    for (unsigned d = dataset->ndim - 1u; d-- > 0;) {
        if (ranges[d].stop < dataset->shape[d]) {
            ranges[d].start++;
            ranges[d].stop++;
            return 1;
        }
        ranges[d].start = 0;
        ranges[d].stop = 1;
    }
    return 0;
}

#endif
