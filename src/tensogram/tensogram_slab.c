/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Slabs of a tensor: a strided selection, run after run. A run is a contiguous range of the tensor; elements are in
 * row-major order in both, so the tensor is only ever read forwards. Each step is a whole call on the tensor: when that
 * is suspended, `done` says how much of the slab's call is there, and the repetition makes the same call again.
 */
#include <stdint.h>

#if SIZE_MAX >= 0xFFFFFFFF /* else nothing is left of this file: utet_tensogram.h says so */

#include "tensogram_data.h"

#include <string.h>

/* One axis; *stride: elements from one index to the next. */
static utet_status add_axis(utet_tensor_slab *slab, unsigned d, const utet_range *range, uint64_t extent,
                            uint64_t *stride)
{
    uint64_t length = range->stop - range->start;

    if (range->step == 0 || range->stop > extent || range->start > range->stop || (length == 0 && extent != 0))
        return UTET_E_RANGE;
    slab->count[d] = utet_div_up(length, range->step);
    slab->elements *= slab->count[d];
    slab->priv.first += range->start * *stride;
    /* inner axes that are whole make one run with this one; of one index there is nothing to repeat */
    if (slab->priv.axes == d + 1u && (slab->count[d] == 1 || (range->step == 1 && slab->priv.run == *stride))) {
        slab->priv.run *= slab->count[d];
        slab->priv.axes = (uint8_t)d;
    }
    slab->priv.ahead[d] = range->step * *stride;
    *stride *= extent;
    return UTET_OK;
}

utet_status utet_tensor_slab_open(utet_tensor_slab *slab, utet_tensor *tensor, const utet_range *ranges)
{
    const utet_file *file = tensor->priv.stream.priv.file;
    const utet_object *o = tensor->priv.object;
    uint64_t stride = 1;
    unsigned d;

    if (file == NULL || file->priv.owner != tensor || file->priv.busy != UTET_CALL_NONE || tensor->position != 0)
        return UTET_E_STATE;
    memset(slab, 0, sizeof *slab);
    if (o->axes > UTET_TENSOR_MAX_NDIM)
        return UTET_E_LIMIT;
    slab->elements = 1;
    slab->priv.run = 1;
    slab->priv.axes = o->ndim;
    for (d = o->ndim; d-- != 0;) {
        utet_status status = add_axis(slab, d, &ranges[d], o->shape[d], &stride);

        if (status != UTET_OK)
            return status;
    }
    slab->priv.left = slab->elements;
    slab->length = slab->elements * tensor->priv.width;
    slab->priv.tensor = tensor;
    return UTET_OK;
}

utet_status utet_tensor_slab_enter(utet_tensor_slab *slab, uint8_t call, const void *to, size_t size)
{
    const utet_tensor *tensor = slab->priv.tensor;
    utet_file *file;
    utet_status status;
    int resumed;

    if (tensor == NULL || tensor->position != slab->priv.expected)
        return UTET_E_STATE;
    file = tensor->priv.stream.priv.file;
    if (file->priv.owner != tensor)
        return UTET_E_STATE;
    resumed = file->priv.busy == call;
    if (resumed && (slab->priv.to != to || slab->priv.size != size))
        return UTET_E_STATE;
    status = utet_enter_over(file, call, &slab->priv.inner);
    if (status == UTET_OK && !resumed) {
        slab->priv.to = to;
        slab->priv.size = size;
    }
    return status == UTET_OK && slab->priv.left == 0 ? UTET_END : status;
}

utet_status utet_tensor_slab_aim(utet_tensor_slab *slab, uint64_t place)
{
    utet_tensor *t = slab->priv.tensor;
    utet_status status = UTET_OK;

    if (t->position < place) {
        status = utet_tensor_skip(t, place - t->position);
        if (status == UTET_OK)
            slab->priv.expected = t->position;
    }
    return status;
}

/* The run after the one that has ended. */
static void tensogram_slab_next_run(utet_tensor_slab *slab)
{
    unsigned d = slab->priv.axes;

    slab->priv.inside = 0;
    while (d-- != 0) {
        slab->priv.first += slab->priv.ahead[d];
        if (++slab->priv.index[d] != slab->count[d])
            return;
        slab->priv.first -= slab->priv.ahead[d] * slab->count[d];
        slab->priv.index[d] = 0;
    }
}

void utet_tensor_slab_advance(utet_tensor_slab *slab, size_t elements)
{
    slab->priv.expected = slab->priv.tensor->position;
    slab->priv.inside += elements;
    slab->priv.left -= elements;
    if (slab->priv.inside == slab->priv.run)
        tensogram_slab_next_run(slab);
}

utet_status utet_tensor_slab_leave(utet_tensor_slab *slab, utet_status status, uint8_t call, size_t *got)
{
    *got = 0;
    if (status == UTET_WOULD_BLOCK)
        return utet_leave_over(slab->priv.tensor->priv.stream.priv.file, call, &slab->priv.inner, status);
    if (status == UTET_E_STATE)
        return status;
    *got = slab->priv.done;
    slab->position += (uint64_t)slab->priv.done *
                      (call == UTET_CALL_TENSOR_SLAB_READ ? 1u : slab->priv.tensor->priv.width);
    slab->priv.done = 0;
    return status == UTET_END && *got != 0 ? UTET_OK : status;
}

/* ---- as bytes ---- */

/* A bit of a bitmask, as a byte. The byte that holds it is kept for its neighbours. */
static utet_status take_bit(utet_tensor_slab *slab, uint8_t *to)
{
    const uint64_t bit = slab->priv.first + slab->priv.inside, place = bit >> 3;
    utet_tensor *t = slab->priv.tensor;
    utet_status status = utet_tensor_slab_aim(slab, place);
    size_t got;

    if (status == UTET_OK && t->position == place)
        status = utet_tensor_read(t, &slab->priv.byte, 1, &got);
    if (status != UTET_OK)
        return status;
    *to = (uint8_t)((unsigned)slab->priv.byte >> (7u - ((unsigned)bit & 7u)) & 1u);
    slab->priv.done++;
    utet_tensor_slab_advance(slab, 1);
    return UTET_OK;
}

/* As much of the run as is wanted. `part` bytes of its next element have been delivered. */
static utet_status take_bytes(utet_tensor_slab *slab, uint8_t *to, size_t most)
{
    const uint8_t width = slab->priv.tensor->priv.width;
    const uint64_t left = (slab->priv.run - slab->priv.inside) * width - slab->priv.part;
    utet_status status = utet_tensor_slab_aim(slab, (slab->priv.first + slab->priv.inside) * width + slab->priv.part);
    size_t got;

    if (status != UTET_OK)
        return status;
    status = utet_tensor_read(slab->priv.tensor, to, left < most ? (size_t)left : most, &got);
    if (status == UTET_WOULD_BLOCK)
        return status;
    slab->priv.done += got;
    got += slab->priv.part;
    slab->priv.part = (uint8_t)(got % width);
    utet_tensor_slab_advance(slab, got / width);
    return status;
}

utet_status utet_tensor_slab_read(utet_tensor_slab *slab, void *buffer, size_t size, size_t *got)
{
    uint8_t *to = (uint8_t *)buffer;
    utet_status status = utet_tensor_slab_enter(slab, UTET_CALL_TENSOR_SLAB_READ, buffer, size);

    while (status == UTET_OK && slab->priv.done != size) {
        if (slab->priv.tensor->priv.object->dtype == UTET_TENSOR_BITMASK)
            status = take_bit(slab, to + slab->priv.done);
        else
            status = take_bytes(slab, to + slab->priv.done, size - slab->priv.done);
        if (status == UTET_OK && slab->priv.left == 0)
            status = UTET_END;
    }
    return utet_tensor_slab_leave(slab, status, UTET_CALL_TENSOR_SLAB_READ, got);
}

#endif
