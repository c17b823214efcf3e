/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* utet show for a tensor of a message: draws the selection of --slab. Complex numbers are shown as absolute values,
 * bits as 0 and 1. */
#include "show/hist.h"
#include "show/lines.h"
#include "tensogram.h"

#include "utet_tensogram_data.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct tensor_shown {
    messages *m;
    utet_object object;
    utet_range range[TOOL_MOST_AXES];
    uint64_t place[TOOL_MOST_AXES]; /* index of the next element */
    band_sink sink;
    void *to;
    size_t size;
    const options *opt;
    utet_frame frame;
} tensor_shown;

static utet_status value_of(uint32_t dtype, const void *element, double *value)
{
    double imaginary = 0;
    const uint8_t real = dtype == UTET_TENSOR_BITMASK ? UTET_TENSOR_UINT8 : (uint8_t)dtype;
    const utet_status status = utet_tensor_double(real, element, value, &imaginary);

    if (dtype == UTET_TENSOR_COMPLEX64 || dtype == UTET_TENSOR_COMPLEX128)
        *value = hypot(*value, imaginary);
    return status;
}

/* Returns nonzero if the next element is selected; advances to the one after it. */
static int passes(tensor_shown *t)
{
    int chosen = 1;
    unsigned d;

    for (d = 0; d < t->object.ndim; d++) {
        const uint64_t place = t->place[d];
        const utet_range *range = &t->range[d];

        chosen &= place >= range->start && place < range->stop && (place - range->start) % range->step == 0;
    }
    for (d = t->object.ndim; d-- > 0;) {
        if (++t->place[d] < t->object.shape[d])
            break;
        t->place[d] = 0;
    }
    return chosen;
}

static int add(void *ctx, const uint8_t *data, size_t count)
{
    tensor_shown *t = ctx;

    for (; count > 0; count--, data += t->size)
        if (passes(t))
            (void)t->sink(t->to, data, 1);
    return TOOL_OK;
}

static int tensor_values(void *ctx, band_sink sink, void *to)
{
    tensor_shown *t = ctx;

    t->sink = sink;
    t->to = to;
    return tensogram_each(t->m, t->opt, &t->object, &t->frame, add, t);
}

static int choose(tensor_shown *t, const options *opt, picture *p)
{
    const utet_object *object = &t->object;
    uint64_t shape[TOOL_MOST_AXES];
    unsigned d;

    for (d = 0; d < object->ndim; d++) {
        t->range[d].start = 0;
        t->range[d].stop = object->shape[d];
        t->range[d].step = 1;
    }
    if (opt->slab != NULL && slab_parse(t->m->s.path, opt->slab, object->ndim, object->shape, t->range) != TOOL_OK)
        return TOOL_ERROR;
    for (d = 0; d < object->ndim; d++)
        shape[d] = t->range[d].stop <= t->range[d].start
                       ? 0
                       : (t->range[d].stop - t->range[d].start - 1) / t->range[d].step + 1;
    return opt->hist ? TOOL_OK : show_plane(&t->m->s, opt, shape, object->ndim, p);
}

/* Lines of the last axis that is longer than 1 have numbers: tensors have no names for their axes. */
static int draw_lines(const tensor_shown *t, const options *opt, const show_what *what, const picture *p)
{
    char texts[MOST_LINES][24];
    char *keys[MOST_LINES];
    line_plan plan;
    axes around;
    size_t i;
    int result;

    if (lines_plan(&t->m->s, p, &plan) != TOOL_OK)
        return TOOL_ERROR;
    for (i = 0; i < plan.count; i++) {
        (void)snprintf(texts[i], sizeof texts[i], "%zu", i);
        keys[i] = texts[i];
    }
    memset(&around, 0, sizeof around);
    result = lines_show(&t->m->s, opt, what, &plan, &around, keys);
    axes_end(&around);
    return result;
}

static int draw_hist(const tensor_shown *t, const options *opt, const show_what *what)
{
    axes around;
    int result;

    memset(&around, 0, sizeof around);
    result = hist_show(&t->m->s, opt, what, &around);
    axes_end(&around);
    return result;
}

static int run(tensor_shown *t, const options *opt)
{
    utet_status status;
    uint64_t number = 0;
    char name[64];
    picture p;
    show_what what;

    if (opt->dataset != NULL && !parse_number(opt->dataset, &number))
        return usage("invalid message number \"%s\"; a file of Tensogram messages takes a number from 0", opt->dataset);
    if (messages_find(t->m, opt, number) != TOOL_OK)
        return TOOL_ERROR;
    if (opt->object >= t->m->metadata.objects)
        return fail(opt->file, "tensor", NO_OFFSET, "no tensor %" PRIu64 "; the message has %" PRIu32, opt->object,
                    t->m->metadata.objects);
    status = messages_object(t->m, (uint32_t)opt->object, &t->object, &t->frame);
    if (status != UTET_OK)
        return messages_fail(t->m, status, t->m->s.file.error_offset);
    memset(&p, 0, sizeof p);
    if (choose(t, opt, &p) != TOOL_OK)
        return TOOL_ERROR;
    t->size = t->object.dtype == UTET_TENSOR_BITMASK ? 1 : t->object.width;
    (void)snprintf(name, sizeof name, "message %" PRIu64 ", tensor %" PRIu64, number, opt->object);
    what.name = name;
    what.dtype = utet_tensor_dtype_name(t->object.dtype);
    what.values = tensor_values;
    what.ctx = t;
    what.element = t->object.dtype;
    what.size = t->size;
    what.value = value_of;
    if (opt->hist)
        return draw_hist(t, opt, &what);
    return lines_wanted(opt, &p) ? draw_lines(t, opt, &what, &p) : show_picture(&t->m->s, opt, &what, &p);
}

static int run_one(messages *m, const options *opt)
{
    tensor_shown t;

    memset(&t, 0, sizeof t);
    t.m = m;
    t.opt = opt;
    return run(&t, opt);
}

int tensogram_show(const options *opt)
{
    return messages_run(opt, run_one);
}
