/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* utet read: a selection as bytes, .npy, CSV or text. It first computes the need of the complete selection, so that a
 * missing chunk or too small a budget is found before anything is written. */
#define _POSIX_C_SOURCE 200809L
#include "shared/number.h"
#include "shared/physical.h"
#include "stats.h"

#include <string.h>
#include <unistd.h>

int format_for(const options *opt)
{
    if (opt->format != FORMAT_AUTO)
        return opt->format;
    if (opt->output == NULL || strcmp(opt->output, "-") == 0)
        return isatty(STDOUT_FILENO) ? FORMAT_TEXT : FORMAT_RAW;
    if (ends_with(opt->output, ".npy"))
        return FORMAT_NPY;
    if (ends_with(opt->output, ".csv"))
        return FORMAT_CSV;
    return ends_with(opt->output, ".txt") ? FORMAT_TEXT : FORMAT_RAW;
}

typedef struct raw {
    output *out;
    size_t elem_size;
} raw;

static int raw_write(void *ctx, const uint8_t *data, size_t count)
{
    const raw *r = ctx;

    return output_write(r->out, data, count * r->elem_size);
}

static int write_selection(source *s, const options *opt, const selection *selected, physical *p)
{
    const selection shown = p != NULL ? physical_selection(selected) : *selected;
    const int format = format_for(opt);
    output out;
    raw bytes;
    csv lines;
    int result = output_open(&out, opt->output, s);

    if (result == TOOL_OK && format == FORMAT_NPY)
        result = npy_header(&out, npy_type(&shown.dataset), shown.shape, shown.dataset.ndim);
    if (result == TOOL_OK && (format == FORMAT_RAW || format == FORMAT_NPY)) {
        bytes.out = &out;
        bytes.elem_size = shown.dataset.elem_size;
        result = physical_each(s, selected, p, raw_write, &bytes);
    } else if (result == TOOL_OK) {
        lines.out = &out;
        lines.shape = shown.shape;
        lines.ndim = shown.dataset.ndim;
        lines.dtype = shown.dataset.dtype;
        lines.size = shown.dataset.elem_size;
        lines.text = number_text;
        lines.at = 0;
        lines.plain = format == FORMAT_TEXT;
        result = physical_each(s, selected, p, csv_write, &lines);
    }
    return output_close(&out, result);
}

static int run(source *s, const options *opt)
{
    physical *p = NULL;
    selection selected;
    int result;

    s->in_bands = 1;
    if (selection_find(s, opt, &selected) != TOOL_OK || source_grow(s, opt, &selected.need) != TOOL_OK)
        return TOOL_ERROR;
    bands_threads(s, opt, &selected);
    if (opt->physical && (p = physical_read(s, &selected.dataset)) == NULL)
        return TOOL_ERROR;
    result = opt->stats ? stats_print(s, &selected, p, opt->json) : write_selection(s, opt, &selected, p);
    physical_end(p);
    return result;
}

int command_read(const options *opt)
{
    return source_run(opt, run);
}
