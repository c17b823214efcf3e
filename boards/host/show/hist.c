/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* One pass for the range, a second one for the counts. Bins of whole numbers have a whole width, so that each holds the
 * same number of them; other bins divide the range evenly. */
#define _POSIX_C_SOURCE 200809L
#include "hist.h"

#include "medium.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_WHOLE 9007199254740992.0 /* doubles have all whole numbers up to this */

static int look(void *ctx, const uint8_t *data, size_t count)
{
    hist *const h = ctx;

    for (; count > 0; count--, data += h->what->size) {
        double value;

        if (h->what->value(h->what->element, data, &value) != UTET_OK || isnan(value)) {
            h->nans++;
            continue;
        }
        if (isinf(value)) {
            h->infinities++;
            continue;
        }
        h->numbers++;
        h->low = value < h->low ? value : h->low;
        h->high = value > h->high ? value : h->high;
        h->whole &= value == floor(value);
    }
    return TOOL_OK;
}

static void choose_bins(hist *h)
{
    const double range = h->high - h->low;

    h->whole &= fabs(h->low) < MOST_WHOLE && fabs(h->high) < MOST_WHOLE;
    if (h->whole) {
        h->width = ceil((range + 1) / MOST_BINS);
        h->bins = (size_t)ceil((range + 1) / h->width);
    } else {
        h->bins = h->high > h->low ? MOST_BINS : 1;
        h->width = h->high / (double)h->bins - h->low / (double)h->bins;
    }
}

static int fill(void *ctx, const uint8_t *data, size_t count)
{
    hist *const h = ctx;

    for (; count > 0; count--, data += h->what->size) {
        double value;
        double place = 0;
        size_t bin;

        if (h->what->value(h->what->element, data, &value) != UTET_OK || !isfinite(value))
            continue;
        if (h->whole)
            place = floor((value - h->low) / h->width);
        else if (h->bins > 1) /* halves, because high - low may overflow */
            place = (value / 2 - h->low / 2) / (h->high / 2 - h->low / 2) * (double)h->bins;
        bin = place > 0 ? (size_t)place : 0;
        bin = bin < h->bins ? bin : h->bins - 1;
        h->count[bin]++;
        h->most = h->count[bin] > h->most ? h->count[bin] : h->most;
    }
    return TOOL_OK;
}

/* Bars begin at the last row; between two of them is a cell, if they are wide enough. */
static void draw(const void *ctx, picture *to)
{
    const hist *const h = ctx;
    size_t bin;
    size_t x;

    for (bin = 0; bin < h->bins; bin++) {
        const size_t from = bin * to->width / h->bins;
        const size_t end = (bin + 1) * to->width / h->bins;
        size_t rows = (size_t)((double)h->count[bin] / (double)h->most * (double)to->height + 0.5);

        rows = rows == 0 && h->count[bin] > 0 ? 1 : rows;
        for (x = from; rows > 0 && (x == from || x + (end - from >= 4) < end); x++)
            plot_stroke(to, x, to->height - rows, x, to->height - 1, 1);
    }
}

static char *legend(const hist *h, const axes *around)
{
    char *text = NULL;
    size_t length = 0;
    FILE *const out = open_memstream(&text, &length);
    char number[32];

    if (out == NULL)
        return NULL;
    put_safely(out, h->what->name, strlen(h->what->name));
    if (around->units != NULL)
        fprintf(out, " (%s)", around->units);
    fprintf(out, "  %s  %" PRIu64 " value%s", h->what->dtype, h->numbers, h->numbers == 1 ? "" : "s");
    if (h->numbers > 0) {
        fprintf(out, "  low %s,", axes_number(h->low, number));
        fprintf(out, " high %s", axes_number(h->high, number));
        fprintf(out, "  %zu bin%s", h->bins, h->bins == 1 ? "" : "s");
        if (h->width > 0)
            fprintf(out, " of %s", axes_number(h->width, number));
        fprintf(out, ", at most %" PRIu64 " values in one", h->most);
    }
    if (h->nans > 0)
        fprintf(out, "  %" PRIu64 " NaN", h->nans);
    if (h->infinities > 0)
        fprintf(out, "  %" PRIu64 " infinite", h->infinities);
    return words_close(out, &text) ? text : NULL;
}

/* The horizontal axis is that of the values. */
static int label(const hist *h, axes *around, size_t terminal)
{
    const char *const name = around->units != NULL ? around->units : "value";
    char number[32];

    around->columns.name = text_cut(name, strlen(name), 30);
    (void)axes_number(h->low, number);
    around->columns.first = text_cut(number, strlen(number), 30);
    (void)axes_number(h->high, number);
    around->columns.last = text_cut(number, strlen(number), 30);
    return axes_heights(around, "count", 0, (double)h->most, terminal) && around->columns.name != NULL &&
           around->columns.first != NULL && around->columns.last != NULL;
}

int hist_show(const source *s, const options *opt, const show_what *what, axes *around)
{
    plot p = {around, NULL, 0, NULL, draw, NULL};
    size_t width = MOST_PIXELS;
    size_t height;
    char *text;
    hist h;
    int result;

    memset(&h, 0, sizeof h);
    h.what = what;
    h.low = HUGE_VAL;
    h.high = -HUGE_VAL;
    h.whole = 1;
    result = what->values(what->ctx, look, &h);
    if (result == TOOL_OK && h.numbers > 0) {
        choose_bins(&h);
        result = what->values(what->ctx, fill, &h);
    }
    if (result != TOOL_OK)
        return result;
    if (medium_is_text(opt))
        terminal_size(&width, &height);
    text = legend(&h, around);
    if (text == NULL || (h.numbers > 0 && !label(&h, around, width)))
        result = fail(s->path, NULL, NO_OFFSET, "not enough memory");
    p.legend = text;
    p.ctx = &h;
    if (result == TOOL_OK)
        result = plot_show(s, opt, &p);
    free(text);
    return result;
}
