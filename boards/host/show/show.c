/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* utet show: a picture, or lines, of a selection that has at most two axes longer than 1. In the terminal when standard
 * output is one and no -o is given, else PNG or sixel. Tensors of messages: tensogram_show.c. */
#define _POSIX_C_SOURCE 200809L
#include "hist.h"
#include "lines.h"
#include "medium.h"
#include "shared/physical.h"
#include "tensogram/tensogram.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A selection of a dataset. */
typedef struct dataset_shown {
    source *s;
    selection selected;
    physical *p; /* NULL: stored values */
    show_what what;
} dataset_shown;

static int dataset_values(void *ctx, band_sink sink, void *to)
{
    const dataset_shown *d = ctx;

    return physical_each(d->s, &d->selected, d->p, sink, to);
}

/* Finds the selection of the dataset in the options; end it after TOOL_OK. */
static int begin(dataset_shown *d, source *s, const options *opt, picture *p)
{
    memset(p, 0, sizeof *p);
    d->s = s;
    d->p = NULL;
    if (selection_find(s, opt, &d->selected) != TOOL_OK ||
        (!opt->hist && show_plane(s, opt, d->selected.shape, d->selected.dataset.ndim, p) != TOOL_OK) ||
        source_grow(s, opt, &d->selected.need) != TOOL_OK)
        return TOOL_ERROR;
    d->what.name = opt->dataset != NULL ? opt->dataset : "the only dataset";
    d->what.dtype = opt->physical ? "physical" : utet_show_dtype(d->selected.dataset.dtype);
    d->what.values = dataset_values;
    d->what.ctx = d;
    d->what.element = opt->physical ? UTET_F64 : d->selected.dataset.dtype;
    d->what.size = opt->physical ? sizeof(double) : d->selected.dataset.elem_size;
    d->what.value = utet_show_double;
    if (opt->physical)
        d->p = physical_read(s, &d->selected.dataset);
    return opt->physical && d->p == NULL ? TOOL_ERROR : TOOL_OK;
}

static int draw_map(dataset_shown *d, const options *opt, picture *p)
{
    const int as_text = medium_is_text(opt);
    size_t width = MOST_PIXELS;
    size_t height;
    axes around;
    int result;

    memset(&around, 0, sizeof around);
    if (as_text || !opt->bare) {
        if (as_text)
            terminal_size(&width, &height);
        if (axes_make(&around, d->s, opt, &d->selected, width) != TOOL_OK)
            return TOOL_ERROR;
        p->axes = &around;
    }
    if (around.name != NULL)
        d->what.name = around.name;
    result = show_picture(d->s, opt, &d->what, p);
    axes_end(&around);
    return result;
}

/* The n-th axis that is longer than 1, from 0; or the number of axes. */
static unsigned long_axis(const selection *chosen, unsigned n)
{
    unsigned d;

    for (d = 0; d < chosen->dataset.ndim; d++)
        if (chosen->shape[d] > 1 && n-- == 0)
            break;
    return d;
}

static void free_keys(char **keys)
{
    size_t i;

    for (i = 0; i < MOST_LINES; i++)
        free(keys[i]);
}

static int draw_lines(dataset_shown *d, const options *opt, const picture *p)
{
    char *keys[MOST_LINES] = {NULL};
    line_plan plan;
    unsigned across;
    axes around;
    int result;

    if (lines_plan(d->s, p, &plan) != TOOL_OK)
        return TOOL_ERROR;
    across = long_axis(&d->selected, plan.count > 1 && plan.together ? 1 : 0);
    if (axes_of_lines(&around, d->s, opt, &d->selected, across) != TOOL_OK)
        return TOOL_ERROR;
    d->what.name = around.name != NULL ? around.name : d->what.name;
    result = plan.count > 1
                 ? axes_keys(d->s, &d->selected, long_axis(&d->selected, plan.together ? 0 : 1), keys, plan.count)
                 : TOOL_OK;
    if (result == TOOL_OK)
        result = lines_show(d->s, opt, &d->what, &plan, &around, keys);
    free_keys(keys);
    axes_end(&around);
    return result;
}

static int draw_hist(dataset_shown *d, const options *opt)
{
    axes around;
    int result;

    if (d->selected.count == 0)
        return fail(d->s->path, "dataset", NO_OFFSET, "the dataset is empty: nothing to draw");
    if (axes_of_lines(&around, d->s, opt, &d->selected, UTET_MAX_NDIM) != TOOL_OK)
        return TOOL_ERROR;
    d->what.name = around.name != NULL ? around.name : d->what.name;
    result = hist_show(d->s, opt, &d->what, &around);
    axes_end(&around);
    return result;
}

/* ---- several datasets with one axis ---- */

/* Refuses a dataset with two axes, or with another length than the first one. */
static int judge_line(const source *s, const char *name, const picture *p, const char *first, uint64_t length)
{
    if (p->rows != 1)
        return fail(s->path, "slab", NO_OFFSET,
                    "%s has two axes; several datasets are drawn together if each has one axis", name);
    if (length != 0 && p->columns != length)
        return fail(s->path, "slab", NO_OFFSET, "%s has %" PRIu64 " values, but %s has %" PRIu64 "; draw each alone",
                    name, p->columns, first, length);
    return TOOL_OK;
}

/* The name of the dataset, and its units; null: not enough memory. */
static char *key_of(const axes *around)
{
    char text[400];

    (void)snprintf(text, sizeof text, around->units != NULL ? "%s (%s)" : "%s", around->name, around->units);
    return text_cut(text, strlen(text), 60);
}

/* Reads dataset `i` of the command line as a line; the axes around all lines are those of the first one. */
static int add_dataset(source *s, const options *opt, lines *l, size_t i, axes *around, char **key)
{
    const unsigned count = (unsigned)opt->file_count - 1;
    options own = *opt;
    dataset_shown d;
    axes mine;
    picture p;
    int result;

    own.dataset = opt->files[i + 1];
    result = begin(&d, s, &own, &p);
    if (result == TOOL_OK)
        result = judge_line(s, own.dataset, &p, opt->dataset, l->length);
    if (result == TOOL_OK && i == 0)
        result = lines_begin(l, s->path, count, p.columns);
    if (result == TOOL_OK)
        result = lines_read(l, i, 1, 1, &d.what);
    if (result == TOOL_OK)
        result = axes_of_lines(&mine, s, opt, &d.selected, long_axis(&d.selected, 0));
    physical_end(d.p);
    if (result != TOOL_OK)
        return result;
    *key = mine.name != NULL ? key_of(&mine) : NULL;
    if (i == 0)
        *around = mine;
    else
        axes_end(&mine);
    return *key != NULL ? TOOL_OK : fail(s->path, NULL, NO_OFFSET, "not enough memory");
}

static int show_several(source *s, const options *opt)
{
    const size_t count = (size_t)opt->file_count - 1;
    show_what what = {"", "", NULL, NULL, 0, 0, NULL};
    lines l = {NULL, 0, 0, 0, 0, 0};
    char *keys[MOST_LINES] = {NULL};
    char name[32];
    axes around;
    size_t i;
    int result = TOOL_OK;

    memset(&around, 0, sizeof around);
    for (i = 0; result == TOOL_OK && i < count; i++)
        result = add_dataset(s, opt, &l, i, &around, &keys[i]);
    (void)snprintf(name, sizeof name, "%zu datasets", count);
    what.name = name;
    free(around.units); /* each line has its own */
    around.units = NULL;
    if (result == TOOL_OK)
        result = lines_plot(s, opt, &l, &what, &around, keys);
    free_keys(keys);
    axes_end(&around);
    lines_end(&l);
    return result;
}

static int run(source *s, const options *opt)
{
    dataset_shown d;
    picture p;
    int result;

    if (opt->file_count > 2)
        return show_several(s, opt);
    result = begin(&d, s, opt, &p);
    if (result == TOOL_OK)
        result = opt->hist               ? draw_hist(&d, opt)
                 : lines_wanted(opt, &p) ? draw_lines(&d, opt, &p)
                                         : draw_map(&d, opt, &p);
    physical_end(d.p);
    return result;
}

int command_show(const options *opt)
{
    static const char *const own[] = {".png", ".sixel", NULL};
    source s;
    int of_messages;
    int result;

    if (opt->output != NULL && promises_another(opt->output, own))
        return usage("-o: the name %s does not end in .png or .sixel; choose one that does", opt->output);
    if (opt->hist && opt->lines)
        return usage("--hist and --lines cannot be combined; omit one of them");
    if (opt->hist && opt->file_count > 2)
        return usage("--hist draws one dataset; omit the others");
    result = source_prepare(&s, opt);
    of_messages = result == TOOL_OK && is_tensogram(&s);
    source_end(&s);
    if (result != TOOL_OK)
        return result;
    if (of_messages && opt->file_count > 2)
        return usage("a file of Tensogram messages takes one message number; omit the others");
    if (of_messages && opt->physical)
        return usage("--physical applies only to .tet files; omit it for Tensogram messages");
    if (of_messages)
        return tensogram_show(opt);
    return opt->object_given ? usage("--object applies only to Tensogram messages; omit it for a .tet file")
                             : source_run(opt, run);
}
