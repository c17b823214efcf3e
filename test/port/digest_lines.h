/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* What the programs that read over a line or a network share: the digests of a file, in the form of digests.txt. */
#ifndef DIGEST_LINES_H
#define DIGEST_LINES_H

#include "hash.h"
#include "utet.h"

#include <stdio.h>

/* Repeats a call until it is over. The program has the function wait_for_the_line. */
#define WAIT(call)                                \
    while ((status = (call)) == UTET_WOULD_BLOCK) \
    wait_for_the_line()

static void wait_for_the_line(void);

static utet_status digest_line(FILE *to, utet_file *file, utet_dataset *dataset)
{
    static uint8_t dense[1 << 20];
    static utet_slab slab;
    utet_range ranges[UTET_MAX_NDIM];
    struct sha256 sum;
    utet_status status;
    char hex[65];

    for (unsigned d = 0; d < dataset->ndim; d++) {
        ranges[d].start = 0;
        ranges[d].stop = dataset->shape[d];
        ranges[d].step = 1;
    }
    WAIT(utet_slab_open(&slab, file, dataset, ranges));
    if (status == UTET_OK)
        WAIT(utet_slab_read_all(&slab, dense, sizeof dense));
    if (status != UTET_OK)
        return status;
    sha256_init(&sum);
    sha256_add(&sum, dense, (size_t)slab.count * dataset->elem_size);
    hash_end(&sum, hex);
    fprintf(to, "%s %u\n", hex, (unsigned)dataset->id);
    return UTET_OK;
}

/* Reads all datasets. Returns UTET_END, or the status of the call that failed. */
static utet_status digest_lines(FILE *to, const utet_io *io)
{
    static const utet_codec *const codecs[] = {&utet_codec_zstd_small, NULL};
    static uint64_t work[40960 / 8];
    static utet_file file;
    static utet_dataset dataset;
    utet_status status = utet_init(&file, io, work, sizeof work, codecs);

    if (status == UTET_OK)
        WAIT(utet_open(&file, NULL));
    if (status == UTET_OK)
        WAIT(utet_dataset_first(&file, &dataset));
    while (status == UTET_OK) {
        status = digest_line(to, &file, &dataset);
        if (status == UTET_OK)
            WAIT(utet_dataset_next(&file, &dataset));
    }
    return status;
}

#endif
