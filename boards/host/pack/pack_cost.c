/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The model of `pack --tile auto`. An access is a box of the dataset; it reads the rows of the index and the
 * payloads of the tiles that it touches, whole sectors, and decodes each zstd tile up to the last byte wanted. */
#include "pack_cost.h"

#include <math.h>
#include <string.h>

#define SECTOR 512.0
#define ROW 104.0
#define TILE_OVERHEAD 800.0 /* number of decoded bytes whose time equals that of building a tile's tables */
#define BOX 32u             /* elements along each side of --access tiles */

static double least_of(double a, double b)
{
    return a < b ? a : b;
}

/* Places of one access along an axis. */
static uint64_t places(const pack_options *opt, const pack_input *in, unsigned axis)
{
    const int last = axis + 1 == in->ndim;

    switch (opt->access) {
    case ACCESS_ROWS: return last ? in->shape[axis] : 1;
    case ACCESS_COLUMNS: return axis == 0 ? in->shape[axis] : 1;
    case ACCESS_TILES: return axis + 2 < in->ndim ? 1 : in->shape[axis] < BOX ? in->shape[axis] : BOX;
    case ACCESS_FRAMES: return axis == 0 && in->ndim > 1 ? 1 : in->shape[axis];
    default: return in->shape[axis];
    }
}

typedef struct extent {
    double touched; /* tiles, on average over all positions of the access */
    double inside;  /* indices in each of them */
    double before;  /* indices up to the last one wanted, in a tile */
    double grid;
} extent;

static extent along(const pack_options *opt, const pack_input *in, const candidate *c, unsigned axis)
{
    const double wanted = (double)places(opt, in, axis);
    const double tile = (double)c->tile[axis];
    const double grid = (double)((in->shape[axis] - 1) / c->tile[axis] + 1);
    extent e;

    e.grid = grid;
    e.touched = wanted >= (double)in->shape[axis] ? grid : least_of((wanted - 1) / tile + 1, grid);
    e.inside = wanted / e.touched;
    e.before = e.touched > 1.5 || wanted >= (double)in->shape[axis] ? tile : (tile + wanted) / 2;
    if (e.before > (double)in->shape[axis])
        e.before = (double)in->shape[axis];
    return e;
}

/* Neighbouring tiles are consecutive in the file: the number of separate ranges that `order` makes of those read. */
static double stretches(const extent *axes, const unsigned *order, unsigned ndim)
{
    double count = 1;
    unsigned k = ndim;

    while (k > 0 && axes[order[k - 1]].touched >= axes[order[k - 1]].grid)
        k--;
    while (k > 1)
        count *= axes[order[--k - 1]].touched;
    return count;
}

/* Sectors of one raw tile: its runs along the last axis, small gaps read over. */
static double raw_sectors(const pack_input *in, const candidate *c, const extent *axes)
{
    const unsigned last = in->ndim - 1;
    const double run = axes[last].inside * in->elem_size;
    const double stride = (double)c->tile[last] * in->elem_size;
    double rows = 1;
    unsigned d;

    for (d = 0; d < last; d++)
        rows *= axes[d].inside;
    if (stride - run < SECTOR)
        return ((rows - 1) * stride + run) / SECTOR;
    return rows * (run / SECTOR + 1) - 1;
}

void cost_of(const pack_options *opt, const pack_input *in, candidate *c)
{
    const target *const t = &opt->machine;
    unsigned index_order[UTET_MAX_NDIM];
    extent axes[UTET_MAX_NDIM];
    double tiles = 1;
    double wanted = in->elem_size;
    double decoded = in->elem_size;
    pack_plan plan;
    unsigned d;

    memset(&plan, 0, sizeof plan);
    memcpy(plan.tile, c->tile, sizeof plan.tile);
    (void)pack_plan_make(&plan, in, opt);
    for (d = 0; d < in->ndim; d++) {
        axes[d] = along(opt, in, c, d);
        tiles *= axes[d].touched;
        wanted *= axes[d].inside;
        index_order[d] = d;
    }
    /* A row-major tile is decoded up to the last index wanted: along the first axis with more than one. */
    decoded = (double)c->bytes;
    if (c->tile[0] > 0)
        for (d = 0; d < in->ndim; d++)
            if (c->tile[d] > 1) {
                decoded *= axes[d].before / (double)c->tile[d];
                break;
            }
    c->card = (double)c->tiles * ROW + c->ratio * (double)pack_tile_bytes(in, in->shape);
    c->sectors = tiles * ROW / SECTOR + stretches(axes, index_order, in->ndim);
    if (pack_reader_codec(opt, c->codec) == UTET_CODEC_RAW) {
        c->sectors += tiles * raw_sectors(in, c, axes) + stretches(axes, plan.order, in->ndim);
        c->time_us = tiles * wanted * (double)t->raw_ns / 1000;
    } else {
        c->sectors += tiles * decoded * c->ratio / SECTOR + stretches(axes, plan.order, in->ndim);
        c->time_us = tiles * (decoded + TILE_OVERHEAD) * (double)t->zstd_ns / 1000;
    }
    c->time_us += c->sectors * (double)t->sector_us;
    /* the smaller card counts as well: four times smaller is worth twice as slow */
    c->cost = c->time_us * sqrt(c->card / (double)pack_tile_bytes(in, in->shape));
}

void cost_need(const pack_options *opt, const candidate *c, utet_need *need)
{
    const target_chunk chunk = {pack_reader_codec(opt, c->codec), 0, c->bytes, c->bytes, (c->bytes + 7) & ~(uint64_t)7};

    target_need(&opt->machine, &chunk, 0, need);
}
