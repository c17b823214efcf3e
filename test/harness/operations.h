/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* All operations of folds, by the names that the tests give them. */
#ifndef TEST_OPERATIONS_H
#define TEST_OPERATIONS_H

#include "utet_fold.h"

static const struct {
    const char *name;
    const utet_fold_operation *operation;
} operations[] = {
    {"sum", &utet_fold_sum},
    {"mean", &utet_fold_mean},
    {"norm_l1", &utet_fold_norm_l1},
    {"norm_l2", &utet_fold_norm_l2},
    {"var", &utet_fold_var},
    {"std", &utet_fold_std},
    {"nan_mean", &utet_fold_nan_mean},
    {"nan_std", &utet_fold_nan_std},
    {"min", &utet_fold_min},
    {"max", &utet_fold_max},
    {"argmin", &utet_fold_arg_min},
    {"argmax", &utet_fold_arg_max},
    {"count", &utet_fold_count},
    {"nan_count", &utet_fold_nan_count},
    {"inf_count", &utet_fold_inf_count},
    {"null_count", &utet_fold_null_count},
    {"all_finite", &utet_fold_all_finite},
    {"any_nan", &utet_fold_any_nan},
    {"any_inf", &utet_fold_any_inf},
    {"product", &utet_fold_product},
    {"sum_i16", &utet_fold_sum_i16},
    {"mean_i16", &utet_fold_mean_i16},
    {"median", &utet_fold_median},
    {"quantile", &utet_fold_quantile},
    {"histogram", &utet_fold_histogram},
};

#define OPERATIONS (sizeof operations / sizeof *operations)

#endif
