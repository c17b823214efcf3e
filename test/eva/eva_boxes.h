/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* What the parts of eva_boxes.c share: operations of any results, and how a fold is opened. */
#ifndef EVA_BOXES_H
#define EVA_BOXES_H

#include "eva_slab.h"

#include "fold/fold.c"

static utet_fold fold;

/* Which bytes of the cells it uses, in order. */
static size_t own_bytes;

static void any_take(const fold_part *part)
{
    size_t i;

    for (i = 0; i < part->count; i++) {
        uint8_t *cell = part->cell + i * part->cell_step;

        (void)utet_fold_load(part->layout, part->data + i * part->stride);
        /*@ assert cell: \valid(cell + (0 .. own_bytes - 1)); */
        Frama_C_make_unknown((char *)cell, own_bytes);
    }
}

static uint64_t any_finish(const utet_fold *of, const fold_layout *layout, void *cell)
{
    /*@ assert cell: \valid((uint8_t *)cell + (0 .. own_bytes - 1)); */
    (void)of;
    (void)layout;
    return any64();
}

static const utet_fold_operation any_operation = {FOLD_ALL_DTYPES, 16, 0, NULL, any_take, any_finish};
static const utet_fold_operation any_places = {
    FOLD_ALL_DTYPES | FOLD_PLACES, sizeof(fold_extreme), 0, NULL, any_take, any_finish};

/* The request of a call that is repeated is at another address: the first one is gone. */
static utet_status open_once(utet_fold *of, utet_file *from, const utet_fold_operation *operation, uint32_t axes)
{
    const utet_fold_request request = {.dataset = &dataset,
                                       .ranges = ranges,
                                       .operation = operation,
                                       .axes = axes,
                                       .has_fill = 1,
                                       .fill = 1.5,
                                       .q = 0.5};

    return utet_fold_open(of, from, &request);
}

static utet_status open_fold(utet_fold *of, utet_file *from, const utet_fold_operation *operation, uint32_t axes)
{
    utet_status status;

    do {
        status = open_once(of, from, operation, axes);
        use_kept();
    } while (status == UTET_WOULD_BLOCK);
    if (status == UTET_OK)
        own_bytes = of->priv.least_bytes;
    return status;
}

#define COUNT(list) (sizeof(list) / sizeof *(list))

#endif
