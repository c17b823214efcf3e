/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Elements: fetched, unpacked or turned to little-endian, masked (FORMAT.md §4); and the bytes of them that are read.
 */
#include <stdint.h>

#if SIZE_MAX >= 0xFFFFFFFF /* else nothing is left of this file: utet_tensogram.h says so */

#include "tensogram_data.h"

#include <string.h>

static void tensogram_elements_swap(uint8_t *at, size_t count, size_t width)
{
    size_t i;

    for (; count != 0; count--, at += width)
        for (i = 0; i < width / 2u; i++) {
            uint8_t byte = at[i];

            at[i] = at[width - 1u - i];
            at[width - 1u - i] = byte;
        }
}

/* Bits of a byte that a skip has split: the byte is read again, once. */
static utet_status find_odd(utet_tensor *t)
{
    utet_status status = utet_source_read(t, &t->priv.packing.odd, 1);

    if (status != UTET_OK)
        return status;
    t->priv.packing.odd_bits = (uint8_t)(8u - t->priv.packing.odd_missing);
    t->priv.packing.odd &= (uint8_t)((1u << t->priv.packing.odd_bits) - 1u);
    t->priv.packing.odd_missing = 0;
    return UTET_OK;
}

/* The packed values are put at the end of the destination. So no number is written over bits that have not been read
 * yet. */
static utet_status make_packed(utet_tensor *t, uint8_t *to, size_t count, int as_float)
{
    const size_t width = as_float != 0 ? 4 : 8;
    utet_status status = t->priv.packing.odd_missing != 0 ? find_odd(t) : UTET_OK;
    uint8_t *from;
    size_t size;

    if (status != UTET_OK)
        return status;
    size = utet_packing_bytes(t, count);
    from = to + (count * width - size);
    status = utet_source_read(t, from, size);
    if (status != UTET_OK)
        return status;
    if (as_float != 0)
        utet_unpack_floats(t, from, to, count);
    else
        utet_unpack_doubles(t, from, to, count);
    return UTET_OK;
}

static utet_status make_plain(utet_tensor *t, uint8_t *to, size_t count)
{
    const utet_object *o = t->priv.object;
    utet_status status = utet_source_read(t, to, (uint64_t)count * t->priv.width);

    if (status == UTET_OK && o->big_endian != 0) {
        if (o->dtype == UTET_TENSOR_COMPLEX64 || o->dtype == UTET_TENSOR_COMPLEX128)
            tensogram_elements_swap(to, count * 2u, t->priv.width / 2u);
        else
            tensogram_elements_swap(to, count, t->priv.width);
    }
    return status;
}

utet_status utet_elements_make(utet_tensor *t, uint8_t *to, size_t count, int as_float)
{
    utet_status status;

    if (t->priv.phase == 0) {
        if (t->priv.object->encoding == UTET_ENCODING_SIMPLE_PACKING)
            status = make_packed(t, to, count, as_float);
        else
            status = make_plain(t, to, count);
        if (status != UTET_OK)
            return status;
        t->priv.phase = 1;
    }
    status = utet_masks_apply(t, to, count, as_float);
    if (status != UTET_OK)
        return status;
    t->priv.phase = 0;
    t->priv.unit += count;
    return UTET_OK;
}

/* ---- calls on a tensor ---- */

utet_status utet_tensor_enter(utet_tensor *t, uint8_t call)
{
    utet_file *file = t->priv.stream.priv.file;

    if (file == NULL || file->priv.owner != t)
        return UTET_E_STATE;
    if (t->priv.status != UTET_OK)
        return t->priv.status;
    return utet_enter(file, call);
}

utet_status utet_tensor_leave(utet_tensor *t, utet_status status)
{
    if (status == UTET_WOULD_BLOCK)
        return status;
    t->position = t->priv.unit * t->priv.width - t->priv.carried;
    t->priv.done = 0;
    if (UTET_IS_ERROR(status) && status != UTET_E_ARGUMENT && status != UTET_E_DTYPE)
        t->priv.status = status;
    return utet_leave(t->priv.stream.priv.file, status);
}

/* Delivers the rest of an element that was requested in part. */
static void from_carry(utet_tensor *t, uint8_t *buffer, size_t size)
{
    size_t some = size - t->priv.done;

    if (some > t->priv.carried)
        some = t->priv.carried;
    memcpy(buffer + t->priv.done, t->priv.carry + (t->priv.width - t->priv.carried), some);
    t->priv.done += some;
    t->priv.carried = (uint8_t)(t->priv.carried - some);
}

static utet_status read_bytes(utet_tensor *t, uint8_t *buffer, size_t size)
{
    while (t->priv.done != size) {
        size_t whole = (size - t->priv.done) / t->priv.width;
        utet_status status;

        if (t->priv.carried != 0) {
            from_carry(t, buffer, size);
            continue;
        }
        if (whole != 0) {
            status = utet_elements_make(t, buffer + t->priv.done, whole, 0);
            if (status != UTET_OK)
                return status;
            t->priv.done += whole * t->priv.width;
        } else {
            status = utet_elements_make(t, t->priv.carry, 1, 0);
            if (status != UTET_OK)
                return status;
            t->priv.carried = t->priv.width;
        }
    }
    return UTET_OK;
}

utet_status utet_tensor_read(utet_tensor *t, void *buffer, size_t size, size_t *got)
{
    utet_status status = utet_tensor_enter(t, UTET_CALL_TENSOR_READ);
    uint64_t left = t->length - t->position;

    *got = 0;
    if (status == UTET_OK)
        status = utet_given(t->priv.stream.priv.file, buffer, size);
    if (status != UTET_OK)
        return status;
    if (size > left)
        size = (size_t)left;
    status = left == 0 ? UTET_END : read_bytes(t, (uint8_t *)buffer, size);
    *got = status == UTET_WOULD_BLOCK ? 0 : t->priv.done;
    return utet_tensor_leave(t, status);
}

/* ---- skipping ---- */

/* Moves the bytes that decompression makes on to the unit `unit`. */
static utet_status skip_source(utet_tensor *t, uint64_t unit)
{
    uint64_t target = unit * t->priv.width;
    unsigned odd = 0;
    utet_status status;

    if (t->priv.object->encoding == UTET_ENCODING_SIMPLE_PACKING) {
        /* in units of 8 values, whose bits are whole bytes */
        uint64_t rest = (unit & 7u) * t->priv.packing.bits;

        target = (unit >> 3) * t->priv.packing.bits + (rest >> 3);
        odd = (unsigned)rest & 7u;
        if (target < t->priv.source) { /* inside the byte that is there already */
            t->priv.packing.odd_bits = (uint8_t)(8u - odd);
            t->priv.packing.odd &= (uint8_t)((1u << t->priv.packing.odd_bits) - 1u);
            return UTET_OK;
        }
    }
    status = utet_source_read(t, NULL, target - t->priv.source);
    if (status == UTET_OK) {
        t->priv.packing.odd = 0;
        t->priv.packing.odd_bits = 0;
        t->priv.packing.odd_missing = (uint8_t)odd;
    }
    return status;
}

/* Skips whole elements. If a part of the next element is wanted, that element is read into the carry; so is the
 * last one of all, by which payload and masks are checked to have ended. */
static utet_status skip_bytes(utet_tensor *t, uint64_t count)
{
    uint64_t target = t->position + count, unit = utet_div(target, t->priv.width);
    size_t rest = (size_t)(target - unit * t->priv.width);
    int to_end = unit == t->priv.units && t->priv.unit != unit;
    utet_status status;

    if (unit < t->priv.unit) { /* within the carry */
        t->priv.carried = (uint8_t)(t->priv.width - rest);
        return UTET_OK;
    }
    t->priv.carried = 0;
    unit -= (unsigned)to_end;
    if (t->priv.unit != unit) {
        status = skip_source(t, unit);
        if (status != UTET_OK)
            return status;
        t->priv.unit = unit;
    }
    if (rest == 0 && !to_end)
        return UTET_OK;
    status = utet_elements_make(t, t->priv.carry, 1, 0);
    if (status == UTET_OK && !to_end)
        t->priv.carried = (uint8_t)(t->priv.width - rest);
    return status;
}

utet_status utet_tensor_skip(utet_tensor *t, uint64_t count)
{
    utet_status status = utet_tensor_enter(t, UTET_CALL_TENSOR_SKIP);
    uint64_t left = t->length - t->position;

    if (status == UTET_OK)
        status = utet_given(t->priv.stream.priv.file, NULL, (size_t)count);
    if (status != UTET_OK)
        return status;
    return utet_tensor_leave(t, skip_bytes(t, count < left ? count : left));
}

#endif
