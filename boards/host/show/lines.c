/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Lines of any length in a bounded number of parts: each part keeps the extremes of its elements, so that no peak is
 * lost. */
#define _POSIX_C_SOURCE 200809L
#include "lines.h"

#include "medium.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_PLACES 2048u

typedef struct reading {
    lines *l;
    const show_what *what;
    size_t first;
    size_t count;
    int together;
    uint64_t at;
} reading;

int lines_begin(lines *l, const char *path, size_t count, uint64_t length)
{
    size_t i;

    l->count = count;
    l->length = length;
    l->places = length < MOST_PLACES ? (size_t)length : MOST_PLACES;
    l->parts = malloc(count * l->places * sizeof *l->parts);
    if (l->parts == NULL)
        return fail(path, NULL, NO_OFFSET, "not enough memory for the picture");
    for (i = 0; i < count * l->places; i++) {
        l->parts[i].low = HUGE_VAL;
        l->parts[i].high = -HUGE_VAL;
    }
    return TOOL_OK;
}

void lines_end(lines *l)
{
    free(l->parts);
    l->parts = NULL;
}

static void add(line_part *p, double value)
{
    if (p->low > p->high)
        p->first = value;
    p->last = value;
    p->low = value < p->low ? value : p->low;
    p->high = value > p->high ? value : p->high;
}

static int take(void *ctx, const uint8_t *data, size_t count)
{
    reading *const r = ctx;
    const uint64_t length = r->l->length;

    for (; count > 0; count--, data += r->what->size, r->at++) {
        const uint64_t line = r->together ? r->at / length : r->at % r->count;
        const uint64_t element = r->together ? r->at % length : r->at / r->count;
        const size_t place = picture_cell(element, length, r->l->places);
        double value;

        if (r->what->value(r->what->element, data, &value) == UTET_OK && isfinite(value))
            add(&r->l->parts[(r->first + (size_t)line) * r->l->places + place], value);
    }
    return TOOL_OK;
}

int lines_read(lines *l, size_t first, size_t count, int together, const show_what *what)
{
    reading r = {l, what, first, count, together, 0};

    return what->values(what->ctx, take, &r);
}

int lines_finish(lines *l, const char *path, axes *around, size_t terminal)
{
    size_t i;

    l->low = HUGE_VAL;
    l->high = -HUGE_VAL;
    for (i = 0; i < l->count * l->places; i++) {
        l->low = l->parts[i].low < l->low ? l->parts[i].low : l->low;
        l->high = l->parts[i].high > l->high ? l->parts[i].high : l->high;
    }
    if (around == NULL || l->low > l->high)
        return TOOL_OK;
    return axes_heights(around, around->units, l->low, l->high, terminal)
               ? TOOL_OK
               : fail(path, NULL, NO_OFFSET, "not enough memory");
}

/* The row of a value: the highest value is at the top. Halves, because high - low may overflow. */
static size_t row_of(const lines *l, const picture *to, double value)
{
    const double part = l->high > l->low ? (l->high / 2 - value / 2) / (l->high / 2 - l->low / 2) : 0.5;

    return (size_t)(part * (double)(to->height - 1) + 0.5);
}

static size_t column_of(const lines *l, const picture *to, size_t place)
{
    return l->places > 1 ? (2 * place * (to->width - 1) + (l->places - 1)) / (2 * (l->places - 1))
                         : (to->width - 1) / 2;
}

static void draw_line(const lines *l, picture *to, size_t line)
{
    const uint8_t ink = (uint8_t)(line + 1);
    const line_part *before = NULL;
    size_t i;

    for (i = 0; i < l->places; i++) {
        const line_part *const part = &l->parts[line * l->places + i];
        const size_t x = column_of(l, to, i);

        if (part->low > part->high) {
            before = NULL; /* a gap */
            continue;
        }
        plot_stroke(to, x, row_of(l, to, part->high), x, row_of(l, to, part->low), ink);
        if (before != NULL)
            plot_stroke(to, column_of(l, to, i - 1), row_of(l, to, before->last), x, row_of(l, to, part->first), ink);
        before = part;
    }
}

void lines_draw(const void *ctx, picture *to)
{
    const lines *const l = ctx;
    size_t i;

    if (l->low > l->high)
        return;
    if (l->low < 0 && l->high > 0)
        plot_stroke(to, 0, row_of(l, to, 0), to->width - 1, row_of(l, to, 0), PLOT_GREY);
    for (i = 0; i < l->count; i++)
        draw_line(l, to, i);
}

/* ---- one selection ---- */

static char *legend(const lines *l, const show_what *what, const axes *around)
{
    char *text = NULL;
    size_t length = 0;
    FILE *const out = open_memstream(&text, &length);
    char low[32];
    char high[32];

    if (out == NULL)
        return NULL;
    put_safely(out, what->name, strlen(what->name));
    if (around != NULL && around->units != NULL)
        fprintf(out, " (%s)", around->units);
    fprintf(out, "  %s  %" PRIu64 " value%s", what->dtype, l->length, l->length == 1 ? "" : "s");
    if (l->count > 1)
        fprintf(out, " x %zu lines", l->count);
    if (l->length > l->places)
        fprintf(out, ", shown as extremes of %zu", l->places);
    if (l->low <= l->high)
        fprintf(out, "  low %s, high %s", axes_number(l->low, low), axes_number(l->high, high));
    else
        fputs("  no finite values", out);
    return words_close(out, &text) ? text : NULL;
}

int lines_plot(const source *s, const options *opt, lines *l, const show_what *what, axes *around, char *const *keys)
{
    plot p = {around, keys, keys != NULL ? l->count : 0, NULL, lines_draw, l};
    size_t width = MOST_PIXELS;
    size_t height;
    char *text;
    int result;

    if (medium_is_text(opt))
        terminal_size(&width, &height);
    if (lines_finish(l, s->path, around, width) != TOOL_OK)
        return TOOL_ERROR;
    text = legend(l, what, around);
    p.legend = text;
    result = text != NULL ? plot_show(s, opt, &p) : fail(s->path, NULL, NO_OFFSET, "not enough memory");
    free(text);
    return result;
}

int lines_wanted(const options *opt, const picture *p)
{
    return opt->lines || (p->rows == 1 && p->columns > 1);
}

int lines_plan(const source *s, const picture *p, line_plan *plan)
{
    const uint64_t count = p->columns > p->rows ? p->rows : p->columns;

    plan->together = p->columns > p->rows;
    plan->length = plan->together ? p->columns : p->rows;
    plan->count = (size_t)count;
    return count <= MOST_LINES
               ? TOOL_OK
               : fail(s->path, "slab", NO_OFFSET, "cannot draw %" PRIu64 " lines; select at most %u with --slab", count,
                      MOST_LINES);
}

int lines_show(const source *s, const options *opt, const show_what *what, const line_plan *plan, axes *around,
               char *const *keys)
{
    lines l = {NULL, 0, 0, 0, 0, 0};
    int result = lines_begin(&l, s->path, plan->count, plan->length);

    if (result == TOOL_OK)
        result = lines_read(&l, 0, l.count, plan->together, what);
    if (result == TOOL_OK)
        result = lines_plot(s, opt, &l, what, around, plan->count > 1 ? keys : NULL);
    lines_end(&l);
    return result;
}
