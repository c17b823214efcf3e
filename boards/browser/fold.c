/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The module for reductions of .tet files: smallest element, mean and largest element of a selection. */
#include "dataset.h"
#include "utet_codec.h"
#include "utet_fold.h"

const utet_codec *const module_codecs[] = {&utet_codec_zstd_small, NULL};

static const utet_fold_operation *const operations[] = {&utet_fold_min, &utet_fold_nan_mean, &utet_fold_max,
                                                        &utet_fold_sum};

static utet_fold fold;
static utet_fold_request request;

EXPORT(fold_open) int export_fold_open(unsigned operation)
{
    if (operation >= sizeof operations / sizeof *operations)
        return UTET_E_ARGUMENT;
    request.dataset = &dataset_now;
    request.ranges = module_box;
    request.operation = operations[operation];
    request.axes = UTET_FOLD_ALL;
    return utet_fold_open(&fold, &module_file, &request);
}

/* The result is the first number of the module. */
EXPORT(fold_run) int export_fold_run(void)
{
    return utet_fold_run(&fold, module_numbers, 1);
}
