/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The calls of a fold, with the operations that `request` names. */
#ifndef SIZE_FOLD_CALLS_H
#define SIZE_FOLD_CALLS_H

#include "calls.h"
#include "utet_fold.h"

static inline int use_fold(const utet_fold_operation *const *operations)
{
    static utet_fold fold;
    static utet_range ranges[UTET_MAX_NDIM];
    static utet_fold_request request;
    static double results[4];
    int sum = 0;

    request.dataset = &dataset;
    request.ranges = ranges;
    for (; *operations != NULL; operations++) {
        request.operation = *operations;
        sum |= utet_fold_need(&fold, &size_file, &request);
        sum |= utet_fold_open(&fold, &size_file, &request);
        sum |= utet_fold_run(&fold, results, 4);
    }
    return sum;
}

#endif
