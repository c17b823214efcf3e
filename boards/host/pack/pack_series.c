/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* --series: PNG pictures of one size and kind become one dataset, in the order of the command line, along a new first
 * axis whose labels are the names of the files. */
#include "pack.h"

#include <string.h>

/* "folder/frame.png" -> "frame" */
static const char *stem(const char *path, size_t *length)
{
    const char *const slash = strrchr(path, '/');
    const char *const base = slash != NULL ? slash + 1 : path;
    const char *const dot = strrchr(base, '.');

    *length = dot != NULL && dot != base ? (size_t)(dot - base) : strlen(base);
    return base;
}

/* "frame_001" -> "frame"; "001" -> "series" */
static int name_of_series(pack_input *in)
{
    size_t length;
    const char *const text = stem(in->path, &length);

    while (length > 0 && strchr("0123456789_-. ", text[length - 1]) != NULL)
        length--;
    return length > 0 ? pack_input_name(in, text, length) : pack_input_name(in, "series", 6);
}

static int differs(const pack_input *first, const pack_input *in)
{
    char one[200];
    char other[200];

    if (in->dtype == first->dtype && in->ndim == first->ndim &&
        memcmp(in->shape, first->shape, in->ndim * sizeof *in->shape) == 0)
        return TOOL_OK;
    return fail(in->path, "PNG", NO_OFFSET,
                "--series: the picture is %s %s, but that of %s is %s %s; give pictures of one size and kind",
                shape_text(one, in->shape, in->ndim, " x "), utet_show_dtype(in->dtype), first->path,
                shape_text(other, first->shape, first->ndim, " x "), utet_show_dtype(first->dtype));
}

int pack_series_add(pack_inputs *all, const char *path, int fd, const uint8_t *head)
{
    static const pack_input none;
    pack_input next = none;

    if (memcmp(head, "\x89PNG", 4) != 0)
        return fail(path, NULL, NO_OFFSET, "--series takes PNG pictures; omit it, or this file");
    if (all->count == 0)
        return pack_png_open(all, path, fd);
    next.path = path;
    return pack_png_more(&next, fd, &all->input[0], differs);
}

#define MOST_LABELS 64u /* labels for each axis (src/tet/FORMAT.md §7.4) */

/* The first axis: the label of each picture is the name of its file. */
static int label(pack_input *in, const pack_options *opt)
{
    tree *labels;
    size_t i;

    if (opt->count > MOST_LABELS) {
        notice(in->path, "PNG", "--series: %zu pictures get no labels, because an axis of .tet has at most %u",
               opt->count, MOST_LABELS);
        return pack_meta_next_axis(in, "picture");
    }
    if (pack_meta_axis(in, "picture", &labels) != TOOL_OK)
        return TOOL_ERROR;
    for (i = 0; i < opt->count; i++) {
        size_t length;
        const char *const text = stem(opt->inputs[i], &length);

        if (!is_utf8(text, length))
            return fail(opt->inputs[i], NULL, NO_OFFSET, "the name of the file is not valid UTF-8; rename it");
        if (pack_meta_label(labels, text, length) != TOOL_OK)
            return TOOL_ERROR;
    }
    return TOOL_OK;
}

static int describe(pack_input *in, const pack_options *opt)
{
    static const char *const axes[] = {"y", "x", "channel"};
    unsigned d;

    if (label(in, opt) != TOOL_OK)
        return TOOL_ERROR;
    for (d = 0; d + 1 < in->ndim; d++)
        if (pack_meta_next_axis(in, axes[d]) != TOOL_OK)
            return TOOL_ERROR;
    return TOOL_OK;
}

int pack_series_end(pack_inputs *all, const pack_options *opt)
{
    pack_input *const in = &all->input[0];

    memmove(in->shape + 1, in->shape, in->ndim * sizeof *in->shape);
    in->shape[0] = opt->count;
    in->ndim++;
    pack_view_dense(in, in->view.fd, 0, 0);
    (void)snprintf(in->from, sizeof in->from, "%zu picture%s", opt->count, opt->count == 1 ? "" : "s");
    return name_of_series(in) == TOOL_OK ? describe(in, opt) : TOOL_ERROR;
}
