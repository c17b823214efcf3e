/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * A selection of any size in dense order through bounded memory: cut into bands that are consecutive in the dense
 * array. A band is a number of whole tile rows, along the first axis with indices that fit the bound one by one, so
 * each chunk is decoded once. If not even one tile row fits, a band is smaller, and decoded chunks are kept for the
 * next band (kept.c).
 */
#define _POSIX_C_SOURCE 200809L
#include "kept.h"
#include "tool.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define GOOD_BAND ((uint64_t)4 << 20)  /* more brings little, when it holds a tile row */
#define MOST_BAND ((uint64_t)64 << 20) /* given for a tile row */
#define LEAST_BAND ((uint64_t)64 << 10)

typedef struct plan {
    const selection *selected;
    unsigned axis; /* along which bands are cut; before it, one index at a time */
    uint64_t each; /* bytes of one index along it */
    uint64_t most; /* indices of a band */
    int again;     /* bands share tiles */
    uint8_t *buffer;
} plan;

/* Bytes of one index of `axis`; saturates. */
static uint64_t place_bytes(const plan *p, unsigned axis)
{
    uint64_t bytes = p->selected->dataset.elem_size;
    unsigned d;

    for (d = axis + 1; d < p->selected->dataset.ndim; d++)
        bytes = p->selected->shape[d] > UINT64_MAX / bytes ? UINT64_MAX : bytes * p->selected->shape[d];
    return bytes;
}

/* Computes the size of a band. The dataset is not empty. */
static void measure(plan *p, uint64_t bound)
{
    const utet_range *range;
    uint64_t row; /* indices of a tile row */
    unsigned d;

    p->axis = 0;
    while ((p->each = place_bytes(p, p->axis)) > bound)
        p->axis++;
    range = &p->selected->ranges[p->axis];
    row = (p->selected->dataset.chunk_shape[p->axis] - 1) / range->step + 1;
    if (row > p->selected->shape[p->axis])
        row = p->selected->shape[p->axis];
    if (row > bound / p->each)
        p->most = bound / p->each;
    else if (row * p->each > GOOD_BAND)
        p->most = row;
    else
        p->most = GOOD_BAND / p->each > row ? GOOD_BAND / p->each : row;
    if (p->most > p->selected->shape[p->axis])
        p->most = p->selected->shape[p->axis];
    p->again = row > p->most;
    for (d = 0; d < p->axis; d++)
        p->again |= p->selected->dataset.chunk_shape[d] > 1 && p->selected->shape[d] > 1;
}

/* As much memory as there is for it: half the bound until the system agrees. */
static int get_buffer(plan *p, const char *path)
{
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long page = sysconf(_SC_PAGESIZE);
    uint64_t bound = MOST_BAND;

    while (bound > LEAST_BAND && pages > 0 && page > 0 && bound / 4096 > (uint64_t)pages * (uint64_t)page / 8 / 4096)
        bound /= 2;
    for (; bound >= LEAST_BAND; bound /= 2) {
        measure(p, bound);
        p->buffer = malloc((size_t)(p->most * p->each));
        if (p->buffer != NULL)
            return TOOL_OK;
    }
    return fail(path, NULL, NO_OFFSET, "not enough memory");
}

/* Returns the end of the band that begins at this index: the border of a tile if possible. */
static uint64_t band_end(const plan *p, uint64_t place)
{
    const utet_range *range = &p->selected->ranges[p->axis];
    const uint64_t extent = p->selected->dataset.chunk_shape[p->axis];
    uint64_t end = place + p->most;
    uint64_t border;
    uint64_t aligned;

    if (end >= p->selected->shape[p->axis])
        return p->selected->shape[p->axis];
    border = (range->start + end * range->step) / extent * extent;
    if (border <= range->start)
        return end;
    aligned = (border - range->start - 1) / range->step + 1; /* first index at or beyond it */
    return aligned > place ? aligned : end;
}

static int band(source *s, const plan *p, const utet_range *ranges, uint64_t places, band_sink sink, void *ctx)
{
    const size_t bytes = (size_t)(places * p->each);
    utet_slab slab;
    utet_status status;

    kept_band(s->decoded, p->again);
    status = utet_slab_open(&slab, &s->file, &p->selected->dataset, ranges);

    if (status == UTET_OK)
        status = utet_slab_read_all(&slab, p->buffer, bytes);
    if (status != UTET_OK)
        return source_fail(s, status);
    return sink(ctx, p->buffer, bytes / p->selected->dataset.elem_size);
}

/* The next combination of single indices before the axis; 0 after the last one. */
static int next_outer(const plan *p, uint64_t *outer)
{
    unsigned d = p->axis;

    while (d-- > 0) {
        if (++outer[d] < p->selected->shape[d])
            return 1;
        outer[d] = 0;
    }
    return 0;
}

/* All bands of one combination of indices before the axis, which `ranges` has. */
static int bands_along(source *s, const plan *p, utet_range *ranges, uint64_t *done, progress *line, band_sink sink,
                       void *ctx)
{
    const utet_range *whole = &p->selected->ranges[p->axis];
    const uint64_t places = p->selected->shape[p->axis];
    uint64_t place = 0;
    int result = TOOL_OK;

    while (result == TOOL_OK && place < places) {
        const uint64_t end = band_end(p, place);

        ranges[p->axis].start = whole->start + place * whole->step;
        ranges[p->axis].stop = whole->start + (end - 1) * whole->step + 1;
        result = band(s, p, ranges, end - place, sink, ctx);
        *done += (end - place) * p->each;
        progress_at(line, *done);
        place = end;
    }
    return result;
}

static int walk(source *s, const plan *p, progress *line, band_sink sink, void *ctx)
{
    uint64_t outer[UTET_MAX_NDIM] = {0};
    utet_range ranges[UTET_MAX_NDIM];
    uint64_t done = 0;
    int result;

    memcpy(ranges, p->selected->ranges, sizeof ranges);
    do {
        unsigned d;

        for (d = 0; d < p->axis; d++) {
            ranges[d].start = p->selected->ranges[d].start + outer[d] * p->selected->ranges[d].step;
            ranges[d].stop = ranges[d].start + 1;
            ranges[d].step = 1;
        }
        result = bands_along(s, p, ranges, &done, line, sink, ctx);
    } while (result == TOOL_OK && next_outer(p, outer));
    return result;
}

int bands_each(source *s, const selection *selected, band_sink sink, void *ctx)
{
    progress line;
    plan p;
    int result;

    if (selected->count == 0)
        return TOOL_OK;
    memset(&p, 0, sizeof p);
    p.selected = selected;
    if (get_buffer(&p, s->path) != TOOL_OK)
        return TOOL_ERROR;
    progress_begin(&line, "reading", selected->count * selected->dataset.elem_size);
    result = walk(s, &p, &line, sink, ctx);
    progress_end(&line);
    free(p.buffer);
    return result;
}
