/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Prints the mean of a file's first dataset. */
#include "utet_fold.h"

#include "input.h"

int main(void)
{
    static const utet_codec *const codecs[] = {&utet_codec_zstd_small, NULL};
    static uint64_t work[16384 / 8];
    static utet_range ranges[UTET_MAX_NDIM];
    static utet_fold_request request;
    static utet_dataset dataset;
    static utet_file file;
    static utet_fold fold;
    double mean;

    read_input();
    OK(utet_init(&file, &io, work, sizeof work, codecs));
    OK(utet_open(&file, NULL));
    OK(utet_dataset_first(&file, &dataset));
    for (unsigned axis = 0; axis < dataset.ndim; axis++) {
        ranges[axis].stop = dataset.shape[axis];
        ranges[axis].step = 1;
    }
    request.dataset = &dataset;
    request.ranges = ranges;
    request.operation = &utet_fold_mean;
    request.axes = (1u << dataset.ndim) - 1;
    OK(utet_fold_open(&fold, &file, &request));
    OK(utet_fold_run(&fold, &mean, 1));
    printf("%.17g\n", mean);
    return 0;
}
