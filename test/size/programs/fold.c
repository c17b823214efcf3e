/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Configuration fold: slab, all operations, filters. */
#include "fold_calls.h"

int main(void)
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

    return use_raw(NULL) | use_slab() | use_fold(operations) | utet_fold_where(&fold, &filter);
}
