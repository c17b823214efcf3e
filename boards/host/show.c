/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* utet show: a picture of a selection that has at most two axes longer than 1. In the terminal when standard output is
 * one and no -o is given, else PNG. */
#define _POSIX_C_SOURCE 200809L
#include "tool.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#define MOST_PIXELS 2048u /* along an axis of a PNG */
#define GOOD_PIXELS 768u  /* small selections are scaled up to about this */

/* Rows and columns: the two axes longer than 1, or fewer. */
static int find_plane(const source *s, const options *opt, const selection *selected, picture *p)
{
    const unsigned ndim = selected->dataset.ndim;
    char shape[200];
    unsigned found = 0;
    unsigned d;

    p->rows = 1;
    p->columns = 1;
    p->dtype = selected->dataset.dtype;
    if (selected->count == 0)
        return fail(s->path, "dataset", NO_OFFSET, "is empty, there is nothing to show");
    for (d = 0; d < ndim; d++) {
        if (selected->shape[d] == 1)
            continue;
        p->rows = p->columns;
        p->columns = selected->shape[d];
        found++;
    }
    if (found <= 2)
        return TOOL_OK;
    return fail(s->path, "slab", NO_OFFSET, "a picture has two axes, this is [%s]: choose with --slab%s",
                shape_text(shape, selected->shape, ndim, ", "),
                opt->slab == NULL && ndim == 3 ? ", such as 0,:,:" : "");
}

static void legend(const picture *p, const utet_dataset *dataset, const options *opt)
{
    const char *const name = opt->dataset != NULL ? opt->dataset : "the only dataset";

    put_safely(stdout, name, strlen(name));
    printf("  %s  %" PRIu64 " x %" PRIu64, utet_show_dtype(dataset->dtype), p->rows, p->columns);
    if (p->width < p->columns || p->height < p->rows)
        printf(", shown as means of %zu x %zu", p->height, p->width);
    if (p->low <= p->high)
        printf("  dark %.6g, bright %.6g\n", p->low, p->high);
    else
        puts("  no finite values");
}

static unsigned scale_for(const picture *p)
{
    const size_t longer = p->width > p->height ? p->width : p->height;

    return longer * 2 > GOOD_PIXELS ? 1u : (unsigned)(GOOD_PIXELS / longer);
}

static int draw(source *s, const options *opt, const selection *selected, picture *p)
{
    const int in_terminal = opt->output == NULL && isatty(STDOUT_FILENO);
    size_t width = MOST_PIXELS;
    size_t height = MOST_PIXELS;
    output out;
    int result;

    if (in_terminal) {
        terminal_size(&width, &height);
        height = height > 3 ? (height - 2) * 2 : 2; /* two cells a line; legend and prompt below */
    }
    if (picture_begin(p, s->path, width, height) != TOOL_OK)
        return TOOL_ERROR;
    result = bands_each(s, selected, picture_add, p);
    if (result != TOOL_OK)
        return result;
    picture_finish(p);
    if (in_terminal) {
        picture_terminal(p, stdout);
        legend(p, &selected->dataset, opt);
        return TOOL_OK;
    }
    result = output_open(&out, opt->output, s);
    if (result == TOOL_OK)
        result = picture_png(p, &out, scale_for(p));
    return output_close(&out, result);
}

static int run(source *s, const options *opt)
{
    selection selected;
    picture p;
    int result;

    memset(&p, 0, sizeof p);
    if (selection_find(s, opt, &selected) != TOOL_OK || find_plane(s, opt, &selected, &p) != TOOL_OK ||
        source_grow(s, opt, &selected.need) != TOOL_OK)
        return TOOL_ERROR;
    result = draw(s, opt, &selected, &p);
    picture_end(&p);
    return result;
}

int command_show(const options *opt)
{
    return source_run(opt, run);
}
