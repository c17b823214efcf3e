/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Moving a slab to another selection: a compressed tile that is open is not decoded again. */
#include "slab.h"

/* Returns whether the open tile has the whole selection, and has not delivered beyond its first element. */
static int stays_in_tile(const utet_slab *slab, const utet_range *ranges)
{
    const utet_dataset *dataset = slab->priv.dataset;
    const utet_axis *axis = slab->axis;
    uint64_t offset = 0;
    unsigned d;

    for (d = 0; d < dataset->ndim; d++, axis++, ranges++) {
        const uint64_t low = slab->priv.chunk.coords[d] * dataset->chunk_shape[d];

        if (axis->priv.inside != axis->count || ranges->step == 0 || ranges->start < low ||
            ranges->start >= ranges->stop || ranges->stop > dataset->shape[d] || ranges->stop - low > axis->priv.extent)
            return 0;
        offset = offset * axis->priv.extent + ranges->start - low;
    }
    return UTET_IS_RAW(&slab->priv.stream) || offset * dataset->elem_size >= slab->priv.stream.position;
}

static void select_in_tile(utet_slab *slab, const utet_range *ranges)
{
    const utet_dataset *dataset = slab->priv.dataset;
    utet_axis *axis = slab->axis;
    unsigned d;

    slab->count = 1;
    for (d = 0; d < dataset->ndim; d++, axis++, ranges++) {
        axis->count = utet_div_up(ranges->stop - ranges->start, ranges->step);
        axis->priv.start = ranges->start;
        axis->priv.step = ranges->step;
        axis->priv.first = ranges->start - slab->priv.chunk.coords[d] * dataset->chunk_shape[d];
        axis->priv.inside = axis->count;
        slab->count *= axis->count;
    }
    slab->priv.state = SLAB_DATA;
}

utet_status utet_slab_move(utet_slab *slab, const utet_range *ranges)
{
    utet_file *file = slab->priv.stream.priv.file;

    if (file == NULL)
        return UTET_E_STATE;
    if (file->priv.busy == UTET_CALL_NONE && file->priv.owner == slab && slab->priv.status == UTET_OK &&
        slab->priv.state == SLAB_DONE && slab->count != 0 && stays_in_tile(slab, ranges)) {
        select_in_tile(slab, ranges);
        return UTET_OK;
    }
    return utet_slab_prepare(slab, file, slab->priv.dataset, ranges, UTET_CALL_SLAB_MOVE);
}
