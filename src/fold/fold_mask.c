/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* A fold's filter over elements that the program has read itself. The filter hands sequences of elements that pass to
 * the operation of this file, which overwrites the elements between them. */
#include "fold.h"

#include <string.h>

typedef struct mask_state {
    uint8_t *elements;
    const uint8_t *instead;
    size_t done;
} mask_state;

static void mask_overwrite(mask_state *m, size_t size, size_t to)
{
    for (; m->done < to; m->done++)
        memcpy(m->elements + m->done * size, m->instead, size);
}

static void mask_take(const fold_part *part)
{
    mask_state *m = (void *)part->cell;

    mask_overwrite(m, part->layout->bytes, (size_t)part->place);
    m->done += part->count;
}

utet_status utet_fold_mask(utet_fold *fold, void *elements, size_t count, const void *instead)
{
    static const utet_fold_operation keep = {.take = mask_take};
    const utet_fold_operation *const own = fold->priv.operation;
    const size_t extra_bytes = fold->priv.extra_bytes;
    mask_state m = {elements, instead, 0};
    fold_part part = {.fold = fold,
                      .layout = fold->priv.layout,
                      .data = elements,
                      .count = count,
                      .cell = (void *)&m,
                      .place_step = 1};

    if (fold->priv.file == NULL || fold->priv.state != FOLD_READY || fold->priv.file->priv.busy != UTET_CALL_NONE)
        return UTET_E_STATE;
    part.stride = part.layout->bytes;
    if (count == 0)
        return UTET_OK;
    fold->priv.operation = &keep;
    fold->priv.extra_bytes = 0; /* nothing is counted in this cell */
    fold_take_passing(fold, &part);
    fold->priv.operation = own;
    fold->priv.extra_bytes = extra_bytes;
    mask_overwrite(&m, part.layout->bytes, count);
    return UTET_OK;
}
