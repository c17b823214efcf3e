/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Blocks of an array in a file, in any order of axes: runs along the axis with the smallest stride. */
#define _XOPEN_SOURCE 700
#include "pack.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define SPAN_BYTES ((size_t)256 << 10) /* read at once where not all bytes of it are wanted */

void pack_view_dense(pack_input *in, int fd, uint64_t offset, int fortran)
{
    uint64_t stride = in->elem_size;
    unsigned d;

    in->view.fd = fd;
    in->view.offset = offset;
    for (d = 0; d < in->ndim; d++) {
        const unsigned axis = fortran ? d : in->ndim - 1 - d;

        in->view.stride[axis] = stride;
        stride *= in->shape[axis] > 0 ? in->shape[axis] : 1;
    }
}

static int read_at(const pack_input *in, uint64_t offset, uint8_t *to, size_t size)
{
    ssize_t got;

    if (in->view.held != NULL) {
        memcpy(to, in->view.held + (offset - in->view.offset), size);
        return TOOL_OK;
    }
    got = pack_read_at(in->view.fd, to, size, offset);
    if (got < 0)
        return fail(in->path, NULL, offset, "cannot read: %s", strerror(errno));
    return (size_t)got == size ? TOOL_OK
                               : fail(in->path, NULL, offset + (uint64_t)got,
                                      "unexpected end of file: %zu bytes are missing", size - (size_t)got);
}

int pack_view_hold(const pack_input *in, uint64_t most, uint8_t **held)
{
    uint64_t size = in->elem_size;
    unsigned d;

    *held = NULL;
    for (d = 0; d < in->ndim; d++) {
        const uint64_t last = in->shape[d] > 0 ? in->shape[d] - 1 : 0;

        if (last > 0 && in->view.stride[d] > most / last)
            return TOOL_OK;
        size += last * in->view.stride[d];
        if (size > most)
            return TOOL_OK;
    }
    *held = malloc((size_t)size);
    if (*held == NULL || read_at(in, in->view.offset, *held, (size_t)size) == TOOL_OK)
        return TOOL_OK;
    free(*held);
    *held = NULL;
    return TOOL_ERROR;
}

static void swap_elements(uint8_t *at, size_t count, size_t size)
{
    for (; count > 0; count--, at += size) {
        size_t i;

        for (i = 0; i < size / 2; i++) {
            const uint8_t one = at[i];

            at[i] = at[size - 1 - i];
            at[size - 1 - i] = one;
        }
    }
}

typedef struct walk {
    const pack_input *in;
    unsigned axis[UTET_MAX_NDIM]; /* slowest in the file first; the last one is the run's */
    uint64_t to[UTET_MAX_NDIM];   /* stride in the box, bytes */
    const uint64_t *count;
    uint64_t run;   /* indices of a run, perhaps of several axes */
    unsigned outer; /* axes that are walked over */
    uint8_t *span;
} walk;

static int by_stride(const pack_input *in, unsigned a, unsigned b)
{
    if (in->view.stride[a] != in->view.stride[b])
        return in->view.stride[a] > in->view.stride[b];
    return a < b;
}

static void sort_axes(walk *w)
{
    const unsigned ndim = w->in->ndim;
    unsigned i;
    unsigned k;

    for (i = 0; i < ndim; i++) {
        for (k = i; k > 0 && by_stride(w->in, i, w->axis[k - 1]); k--)
            w->axis[k] = w->axis[k - 1];
        w->axis[k] = i;
    }
}

/* `count` elements, `from` bytes apart in the file and `to` apart in the block. */
static int one_run(const walk *w, uint64_t offset, uint64_t from, uint8_t *at, uint64_t to)
{
    const size_t size = w->in->elem_size;
    uint64_t left = w->run;

    if (from == size && to == size)
        return read_at(w->in, offset, at, (size_t)left * size);
    while (left > 0) {
        uint64_t some = from >= SPAN_BYTES / 2 ? 1 : (SPAN_BYTES - size) / from + 1;
        uint64_t i;

        if (some > left)
            some = left;
        if (read_at(w->in, offset, w->span, (size_t)((some - 1) * from) + size) != TOOL_OK)
            return TOOL_ERROR;
        for (i = 0; i < some; i++, at += to)
            memcpy(at, w->span + i * from, size);
        offset += some * from;
        left -= some;
    }
    return TOOL_OK;
}

/* Neighbouring axes that are contiguous in the file and in the box are one. */
static void join_axes(walk *w)
{
    const pack_input *in = w->in;
    unsigned last = w->axis[in->ndim - 1];

    w->outer = in->ndim - 1;
    w->run = w->count[last];
    while (w->outer > 0) {
        const unsigned next = w->axis[w->outer - 1];

        if (in->view.stride[last] != in->elem_size || w->to[last] != in->elem_size ||
            in->view.stride[next] != w->run * in->elem_size || w->to[next] != w->run * in->elem_size)
            return;
        w->run *= w->count[next];
        w->outer--;
    }
}

static int walk_runs(const walk *w, const uint64_t *start, uint8_t *to)
{
    const pack_input *in = w->in;
    const unsigned last = w->axis[in->ndim - 1];
    uint64_t place[UTET_MAX_NDIM] = {0};
    uint64_t offset = in->view.offset;
    unsigned d;

    for (d = 0; d < in->ndim; d++)
        offset += start[d] * in->view.stride[d];
    for (;;) {
        unsigned k = w->outer;
        uint64_t from = offset;
        uint8_t *at = to;

        for (d = 0; d < w->outer; d++) {
            from += place[d] * in->view.stride[w->axis[d]];
            at += place[d] * w->to[w->axis[d]];
        }
        if (one_run(w, from, in->view.stride[last], at, w->to[last]) != TOOL_OK)
            return TOOL_ERROR;
        while (k > 0 && ++place[k - 1] == w->count[w->axis[k - 1]])
            place[--k] = 0;
        if (k == 0)
            return TOOL_OK;
    }
}

static int walk_box(const pack_input *in, const uint64_t *start, const uint64_t *count, uint8_t *to)
{
    uint64_t stride = in->elem_size;
    unsigned d;
    int result;
    walk w;

    memset(&w, 0, sizeof w);
    w.in = in;
    w.count = count;
    for (d = in->ndim; d-- > 0;) {
        w.to[d] = stride;
        stride *= count[d];
    }
    sort_axes(&w);
    join_axes(&w);
    w.span = malloc(SPAN_BYTES);
    if (w.span == NULL)
        return fail(in->path, NULL, NO_OFFSET, "not enough memory");
    result = walk_runs(&w, start, to);
    free(w.span);
    return result;
}

int pack_box(const pack_input *in, const uint64_t *start, const uint64_t *count, uint8_t *to)
{
    uint64_t elements = 1;
    unsigned d;
    int result;

    if (in->cast.from != 0)
        return pack_cast_box(in, start, count, to);
    if (in->tet != NULL)
        return pack_tet_box(in, start, count, to);
    for (d = 0; d < in->ndim; d++)
        elements *= count[d];
    result = in->view.ask_to != 0 ? pack_ask(in, start, count, (size_t)elements * in->elem_size, to)
                                  : walk_box(in, start, count, to);
    if (in->view.swapped)
        swap_elements(to, (size_t)elements, in->elem_size);
    return result;
}
