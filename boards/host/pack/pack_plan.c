/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Tiles of a dataset, the order of their payloads, and blocks of neighbouring tiles that are read at once. */
#include "pack.h"

#include <inttypes.h>
#include <string.h>

uint64_t pack_tile_bytes(const pack_input *in, const uint64_t *tile)
{
    uint64_t bytes = in->elem_size;
    unsigned d;

    for (d = 0; d < in->ndim; d++) {
        const uint64_t extent = tile[d] < in->shape[d] ? tile[d] : in->shape[d];

        if (extent != 0 && bytes > UINT64_MAX / extent)
            return UINT64_MAX;
        bytes *= extent;
    }
    return bytes;
}

int pack_plan_make(pack_plan *plan, const pack_input *in, const pack_options *opt)
{
    unsigned d;

    plan->threads = opt->threads;
    plan->tiles = 1;
    for (d = 0; d < in->ndim; d++) {
        if (plan->tile[d] == 0)
            plan->tile[d] = 1;
        if (plan->tile[d] > in->shape[d] && in->shape[d] > 0)
            plan->tile[d] = in->shape[d];
        plan->grid[d] = in->shape[d] == 0 ? 0 : (in->shape[d] - 1) / plan->tile[d] + 1;
        plan->order[d] = d;
    }
    for (d = 0; d < in->ndim; d++) {
        if (plan->grid[d] != 0 && plan->tiles > ((uint64_t)1 << 40) / plan->grid[d])
            return fail(in->path, "dataset", NO_OFFSET, "%s: more than 2^40 tiles; choose larger ones with --tile",
                        in->name);
        plan->tiles *= plan->grid[d];
    }
    if (pack_tile_bytes(in, plan->tile) > PACK_MOST_TILE)
        return fail(in->path, "dataset", NO_OFFSET,
                    "%s: a tile has %" PRIu64 " bytes, and the limit is 64 MiB; choose a smaller --tile", in->name,
                    pack_tile_bytes(in, plan->tile));
    if (opt->access == ACCESS_COLUMNS && in->ndim > 1) { /* the tiles of a column are consecutive */
        for (d = 0; d + 1 < in->ndim; d++)
            plan->order[d] = d + 1;
        plan->order[in->ndim - 1] = 0;
    }
    return TOOL_OK;
}

static uint64_t rows_bytes(const pack_plan *plan, const pack_input *in)
{
    const uint64_t four = pack_tile_bytes(in, plan->tile) > PACK_ROWS_BYTES ? PACK_ROWS_BYTES
                                                                            : 4 * pack_tile_bytes(in, plan->tile);
    const uint64_t each = four > PACK_CORE_BYTES ? four : PACK_CORE_BYTES;

    return each > PACK_ROWS_BYTES / plan->threads ? PACK_ROWS_BYTES : each * plan->threads;
}

/* Larger boxes where elements are picked out of what is read, or whole tiles of another file are decoded. */
static uint64_t box_bytes(const pack_plan *plan, const pack_input *in)
{
    const unsigned last = in->ndim - 1;

    /* before a conversion, elements are up to 8 times as large */
    return in->cast.from != 0 ||
                   (in->tet == NULL && in->view.stride[last] == in->elem_size && plan->order[last] == last)
               ? rows_bytes(plan, in)
               : PACK_BOX_BYTES;
}

/* How many tiles of each axis a box has: whole fast axes, then as many of the next one as fit. */
static void measure_box(const pack_plan *plan, const pack_input *in, uint64_t *tiles)
{
    uint64_t bytes = pack_tile_bytes(in, plan->tile);
    uint64_t count = 1;
    unsigned k;

    for (k = 0; k < in->ndim; k++)
        tiles[k] = 1;
    for (k = in->ndim; k-- > 0;) {
        const unsigned axis = plan->order[k];
        uint64_t fit = bytes == 0 ? 1 : box_bytes(plan, in) / bytes;

        if (fit > ((uint64_t)1 << 16) / count) /* limit: 65,536 tiles at once */
            fit = ((uint64_t)1 << 16) / count;
        if (fit > plan->grid[axis])
            fit = plan->grid[axis];
        if (fit < 1)
            fit = 1;
        tiles[axis] = fit;
        if (fit < plan->grid[axis])
            return;
        bytes *= fit;
        count *= fit;
    }
}

int pack_plan_boxes(const pack_plan *plan, const pack_input *in, pack_box_sink sink, void *ctx)
{
    uint64_t first[UTET_MAX_NDIM] = {0};
    uint64_t most[UTET_MAX_NDIM];

    if (plan->tiles == 0)
        return TOOL_OK;
    measure_box(plan, in, most);
    for (;;) {
        uint64_t tiles[UTET_MAX_NDIM];
        unsigned k = in->ndim;
        unsigned d;

        for (d = 0; d < in->ndim; d++)
            tiles[d] = most[d] < plan->grid[d] - first[d] ? most[d] : plan->grid[d] - first[d];
        if (sink(ctx, first, tiles) != TOOL_OK)
            return TOOL_ERROR;
        while (k > 0) {
            const unsigned axis = plan->order[k - 1];

            first[axis] += most[axis];
            if (first[axis] < plan->grid[axis])
                break;
            first[axis] = 0;
            k--;
        }
        if (k == 0)
            return TOOL_OK;
    }
}

size_t pack_plan_tiles(const pack_plan *plan, const pack_input *in, const pack_options *opt, const uint64_t *first,
                       const uint64_t *tiles, pack_tile *to)
{
    uint64_t at[UTET_MAX_NDIM] = {0};
    size_t count = 0;
    size_t place = 0;

    for (;;) {
        pack_tile *const one = &to[count++];
        unsigned k = in->ndim;
        unsigned d;

        memset(one, 0, sizeof *one);
        one->raw = in->elem_size;
        for (d = 0; d < in->ndim; d++) {
            const uint64_t corner = (first[d] + at[d]) * plan->tile[d];

            one->coords[d] = first[d] + at[d];
            one->start[d] = at[d] * plan->tile[d];
            one->extent[d] = plan->tile[d] < in->shape[d] - corner ? plan->tile[d] : in->shape[d] - corner;
            one->raw *= (size_t)one->extent[d];
        }
        one->place = place;
        place += pack_stored_most(opt, one->raw);
        while (k > 0 && ++at[plan->order[k - 1]] == tiles[plan->order[k - 1]])
            at[plan->order[--k]] = 0;
        if (k == 0)
            return count;
    }
}
