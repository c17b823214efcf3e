/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Draws values with two axes in the terminal, or as pixels with axes and legend. */
#define _POSIX_C_SOURCE 200809L
#include "axes.h"
#include "medium.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define GOOD_PIXELS 768u /* size to which small selections are enlarged, in pixels */

int show_plane(const source *s, const options *opt, const uint64_t *shape, unsigned ndim, picture *p)
{
    char text[TOOL_MOST_AXES * 24];
    unsigned found = 0;
    unsigned d;

    p->rows = 1;
    p->columns = 1;
    for (d = 0; d < ndim; d++) {
        if (shape[d] == 0)
            return fail(s->path, "dataset", NO_OFFSET, "the dataset is empty: nothing to draw");
        if (shape[d] == 1)
            continue;
        p->rows = p->columns;
        p->columns = shape[d];
        found++;
    }
    if (found <= 2)
        return TOOL_OK;
    return fail(s->path, "slab", NO_OFFSET,
                "cannot draw a selection of shape [%s]; reduce it to two axes with --slab%s",
                shape_text(text, shape, ndim, ", "), opt->slab == NULL && ndim == 3 ? ", such as 0,:,:" : "");
}

static void legend(FILE *out, const picture *p, const show_what *what)
{
    const axes *const around = p->axes;
    char low[32];
    char high[32];

    put_safely(out, what->name, strlen(what->name));
    if (around != NULL && around->units != NULL)
        fprintf(out, " (%s)", around->units);
    fprintf(out, "  %s  %" PRIu64 " x %" PRIu64, what->dtype, p->rows, p->columns);
    if (p->width < p->columns || p->height < p->rows)
        fprintf(out, ", shown as means of %zu x %zu", p->height, p->width);
    if (p->low <= p->high)
        fprintf(out, "  dark %s, bright %s\n", axes_number(p->low, low), axes_number(p->high, high));
    else
        fputs("  no finite values\n", out);
}

static size_t less(size_t a, size_t b)
{
    return a < b ? a : b;
}

static unsigned scale_for(const options *opt, const picture *p)
{
    const size_t longer = p->width > p->height ? p->width : p->height;
    size_t width;
    size_t height;
    size_t scale;

    medium_room(opt, p, &width, &height);
    scale = less(GOOD_PIXELS / longer, less(width / p->width, height / p->height));
    return scale > 0 ? (unsigned)scale : 1u;
}

static int draw_pixels(const source *s, const options *opt, const show_what *what, const picture *p)
{
    char *text = NULL;
    size_t length = 0;
    FILE *const words = opt->bare ? NULL : open_memstream(&text, &length);
    output out;
    int result;

    if (words != NULL)
        legend(words, p, what);
    if (!opt->bare && (words == NULL || !words_close(words, &text)))
        return fail(s->path, NULL, NO_OFFSET, "not enough memory for the picture");
    result = output_open(&out, opt->output, s);
    if (result == TOOL_OK)
        result = medium_write(opt, p, &out, scale_for(opt, p), text);
    result = output_close(&out, result);
    free(text);
    return result;
}

static int draw(const source *s, const options *opt, const show_what *what, picture *p)
{
    const int as_text = medium_is_text(opt);
    size_t width;
    size_t height;
    int result;

    if (as_text) {
        terminal_size(&width, &height);
        if (p->axes != NULL)
            width -= p->axes->margin;
        height -= p->axes != NULL && height > 4;
        height = height > 3 ? (height - 2) * 2 : 2; /* two rows of cells a line; legend and prompt below */
    } else {
        medium_room(opt, p, &width, &height);
        width = less(width, MOST_PIXELS);
        height = less(height, MOST_PIXELS);
    }
    if (picture_begin(p, s->path, width, height) != TOOL_OK)
        return TOOL_ERROR;
    result = what->values(what->ctx, picture_add, p);
    if (result != TOOL_OK)
        return result;
    picture_finish(p);
    if (as_text) {
        picture_terminal(p, stdout);
        if (p->axes != NULL)
            axes_below(p->axes, p->width, stdout);
        legend(stdout, p, what);
        return TOOL_OK;
    }
    return draw_pixels(s, opt, what, p);
}

int show_picture(const source *s, const options *opt, const show_what *what, picture *p)
{
    int result;

    p->what = what;
    result = draw(s, opt, what, p);
    picture_end(p);
    return result;
}
