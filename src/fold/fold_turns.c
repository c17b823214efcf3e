/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The cells of operations in several passes. */
#include "fold.h"

static uint64_t reads_with(utet_fold *fold, size_t memory, size_t each)
{
    uint64_t boxes = utet_fold_set_cells(fold, memory, each);

    fold->passes = fold->priv.turns->passes(fold);
    return utet_mul(boxes, fold->passes);
}

void utet_fold_choose_cells(utet_fold *fold, size_t memory)
{
    size_t small = fold->priv.least_bytes + fold->priv.extra_bytes;
    size_t wide = fold->priv.wide_bytes + fold->priv.extra_bytes;
    uint64_t each;
    uint64_t reads;

    if (wide > memory)
        wide = memory & ~(size_t)7;
    if (wide <= small) {
        (void)reads_with(fold, memory, small);
        return;
    }
    each = utet_div(memory, fold->results) & ~(uint64_t)7;
    if (each < small)
        each = small;
    if (each > wide)
        each = wide;
    reads = reads_with(fold, memory, (size_t)each);
    if (reads_with(fold, memory, wide) > reads)
        (void)reads_with(fold, memory, (size_t)each);
}
