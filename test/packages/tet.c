/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Writes the elements of a file's first dataset. */
#include "utet.h"

#include "input.h"

static uint8_t output[1 << 16];

int main(void)
{
    static const utet_codec *const codecs[] = {&utet_codec_zstd_small, NULL};
    static uint64_t work[16384 / 8];
    static utet_dataset dataset;
    static utet_file file;
    static utet_slab slab;
    utet_range ranges[UTET_MAX_NDIM];
    uint64_t elements = 1;

    read_input();
    OK(utet_init(&file, &io, work, sizeof work, codecs));
    OK(utet_open(&file, NULL));
    OK(utet_dataset_first(&file, &dataset));
    for (unsigned axis = 0; axis < dataset.ndim; axis++) {
        ranges[axis].start = 0;
        ranges[axis].stop = dataset.shape[axis];
        ranges[axis].step = 1;
        elements *= dataset.shape[axis];
    }
    OK(utet_slab_open(&slab, &file, &dataset, ranges));
    OK(utet_slab_read_all(&slab, output, sizeof output));
    fwrite(output, dataset.elem_size, (size_t)elements, stdout);
    return 0;
}
