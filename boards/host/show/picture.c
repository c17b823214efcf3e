/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Reduces a 2-D selection of any size to a picture of bounded size. Each cell is the mean of its finite values. The
 * data is read once, in dense order. In a small selection, each value has its own cell.
 */
#include "shared/tool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t bounded(uint64_t extent, size_t most)
{
    return extent < most ? (size_t)extent : most;
}

int picture_begin(picture *p, const char *path, size_t most_width, size_t most_height)
{
    size_t cells;

    /* Chooses the size of the picture, with the same scale on both axes. */
    p->width = bounded(p->columns, most_width);
    p->height = bounded(p->rows, most_height);
    if (p->width < p->columns || p->height < p->rows) {
        const double shrink = fmax((double)p->columns / (double)most_width, (double)p->rows / (double)most_height);

        p->width = bounded((uint64_t)ceil((double)p->columns / shrink), most_width);
        p->height = bounded((uint64_t)ceil((double)p->rows / shrink), most_height);
    }
    cells = p->width * p->height;
    p->sum = calloc(cells, sizeof *p->sum);
    p->count = calloc(cells, sizeof *p->count);
    p->at = 0;
    if (p->sum == NULL || p->count == NULL) {
        picture_end(p);
        return fail(path, NULL, NO_OFFSET, "not enough memory for the picture");
    }
    return TOOL_OK;
}

size_t picture_cell(uint64_t k, uint64_t extent, size_t cells)
{
    const size_t cell = cells == extent ? (size_t)k : (size_t)((double)k * (double)cells / (double)extent);

    return cell < cells ? cell : cells - 1;
}

int picture_add(void *ctx, const uint8_t *data, size_t count)
{
    picture *p = ctx;

    for (; count > 0; count--, data += p->what->size, p->at++) {
        const size_t row = picture_cell(p->at / p->columns, p->rows, p->height);
        const size_t column = picture_cell(p->at % p->columns, p->columns, p->width);
        double value;

        if (p->what->value(p->what->element, data, &value) == UTET_OK && isfinite(value)) {
            p->sum[row * p->width + column] += value;
            p->count[row * p->width + column]++;
        }
    }
    return TOOL_OK;
}

void picture_finish(picture *p)
{
    size_t i;

    p->low = HUGE_VAL;
    p->high = -HUGE_VAL;
    for (i = 0; i < p->width * p->height; i++) {
        p->sum[i] = p->count[i] > 0 ? p->sum[i] / p->count[i] : (double)NAN;
        if (p->sum[i] < p->low)
            p->low = p->sum[i];
        if (p->sum[i] > p->high)
            p->high = p->sum[i];
    }
}

void picture_end(picture *p)
{
    free(p->sum);
    free(p->count);
    p->sum = NULL;
    p->count = NULL;
}
