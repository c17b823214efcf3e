/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* utet show: draws a selection that has at most two axes longer than 1: in the terminal if standard output is one and
 * -o is not given, otherwise as PNG. tensogram_show.c draws tensors of messages. */
#define _POSIX_C_SOURCE 200809L
#include "axes.h"
#include "shared/physical.h"
#include "tensogram/tensogram.h"

#include <string.h>
#include <unistd.h>

/* A selection of a dataset. */
typedef struct dataset_shown {
    source *s;
    const selection *selected;
    physical *p; /* NULL: stored values */
} dataset_shown;

static int dataset_values(void *ctx, picture *p)
{
    const dataset_shown *d = ctx;

    return physical_each(d->s, d->selected, d->p, picture_add, p);
}

static int run(source *s, const options *opt)
{
    const int in_terminal = opt->output == NULL && isatty(STDOUT_FILENO);
    size_t width = MOST_PIXELS;
    size_t height;
    axes around;
    selection selected;
    dataset_shown d = {s, &selected, NULL};
    show_what what;
    picture p;
    int result;

    memset(&p, 0, sizeof p);
    memset(&around, 0, sizeof around);
    if (selection_find(s, opt, &selected) != TOOL_OK ||
        show_plane(s, opt, selected.shape, selected.dataset.ndim, &p) != TOOL_OK ||
        source_grow(s, opt, &selected.need) != TOOL_OK)
        return TOOL_ERROR;
    if (in_terminal || !opt->bare) {
        if (in_terminal)
            terminal_size(&width, &height);
        if (axes_make(&around, s, &selected, width) != TOOL_OK)
            return TOOL_ERROR;
        p.axes = &around;
    }
    if (opt->physical) {
        d.p = physical_read(s, &selected.dataset);
        if (d.p == NULL) {
            axes_end(&around);
            return TOOL_ERROR;
        }
    }
    p.dtype = opt->physical ? UTET_F64 : selected.dataset.dtype;
    p.size = opt->physical ? sizeof(double) : selected.dataset.elem_size;
    p.value = utet_show_double;
    what.name = around.name != NULL ? around.name : opt->dataset != NULL ? opt->dataset : "the only dataset";
    what.dtype = opt->physical ? "physical" : utet_show_dtype(selected.dataset.dtype);
    what.values = dataset_values;
    what.ctx = &d;
    result = show_picture(s, opt, &what, &p);
    physical_end(d.p);
    axes_end(&around);
    return result;
}

int command_show(const options *opt)
{
    static const char *const own[] = {".png", NULL};
    source s;
    int of_messages;
    int result;

    if (opt->output != NULL && promises_another(opt->output, own))
        return usage("-o: the name %s does not end in .png; choose one that does", opt->output);
    result = source_prepare(&s, opt);
    of_messages = result == TOOL_OK && is_tensogram(&s);
    source_end(&s);
    if (result != TOOL_OK)
        return result;
    if (of_messages && opt->physical)
        return usage("--physical applies only to .tet files; omit it for Tensogram messages");
    if (of_messages)
        return tensogram_show(opt);
    return opt->object_given ? usage("--object applies only to Tensogram messages; omit it for a .tet file")
                             : source_run(opt, run);
}
