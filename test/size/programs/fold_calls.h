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

static inline int use_all_folds(void)
{
    static const utet_fold_operation *const operations[] = {&utet_fold_sum,
                                                            &utet_fold_mean,
                                                            &utet_fold_norm_l1,
                                                            &utet_fold_norm_l2,
                                                            &utet_fold_var,
                                                            &utet_fold_std,
                                                            &utet_fold_nan_mean,
                                                            &utet_fold_nan_std,
                                                            &utet_fold_min,
                                                            &utet_fold_max,
                                                            &utet_fold_arg_min,
                                                            &utet_fold_arg_max,
                                                            &utet_fold_count,
                                                            &utet_fold_any_nan,
                                                            &utet_fold_any_inf,
                                                            &utet_fold_nan_count,
                                                            &utet_fold_inf_count,
                                                            &utet_fold_null_count,
                                                            &utet_fold_product,
                                                            &utet_fold_all_finite,
                                                            &utet_fold_sum_i16,
                                                            &utet_fold_mean_i16,
                                                            NULL};
    static utet_fold fold;
    static utet_fold_filter filter;

    return use_fold(operations) | utet_fold_where(&fold, &filter);
}

#endif
