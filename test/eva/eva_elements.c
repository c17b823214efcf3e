/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Frama-C EVA over the elements of Tensogram's tensors. EVA_PART 1: elements are fetched, unpacked or byte-swapped, and
 * skipped; 2: the bytes of them that are read, with the rest of one that was requested in part. An alarm is possible
 * undefined behaviour. Each part begins in any state that its invariant allows, also suspended; lower layers are
 * replaced by the contracts of their headers.
 *
 * eva.sh: 2 parts, x86_32, x86_64, ppc_32
 *   1: -eva-slevel 300 -eva-slevel-function eva_main:20000 -eva-split-return full
 *   2: -eva-slevel 300 -eva-slevel-function eva_main:20000 -eva-split-return full
 *       -eva-use-spec utet_elements_make,skip_source
 */
#include <string.h>

#include "eva_any.h"
#include "eva_given.h"

#include "tensogram/tensogram_data.h"

static utet_file file;
static utet_tensor tensor;
static utet_object object;

uint64_t utet_div(uint64_t dividend, uint64_t divisor)
{
    /*@ assert divisor: divisor != 0; */
    return dividend / divisor;
}

utet_status utet_enter(utet_file *of, uint8_t call)
{
    (void)of;
    (void)call;
    return Frama_C_interval(0, 1) ? UTET_OK : UTET_E_STATE;
}

utet_status utet_end_call(utet_status status, utet_file *of)
{
    (void)of;
    return status;
}

static utet_status answer(void)
{
    return Frama_C_interval(0, 1) ? UTET_OK : Frama_C_interval(0, 1) ? UTET_WOULD_BLOCK : UTET_E_PAYLOAD;
}

static void any_tensor(unsigned width)
{
    Frama_C_make_unknown((char *)&object, sizeof object);
    Frama_C_make_unknown((char *)&tensor, sizeof tensor);
    tensor.priv.object = &object;
    tensor.priv.stream.priv.file = Frama_C_interval(0, 1) ? &file : NULL;
    tensor.priv.status = Frama_C_interval(0, 1) ? UTET_OK : UTET_E_PAYLOAD;
    tensor.priv.width = (uint8_t)width;
    file.priv.owner = &tensor;
}

#if EVA_PART == 2
/* Part 1. */
/*@ requires \valid(to + (0 .. count * t->priv.width - 1));
    assigns to[0 .. count * t->priv.width - 1] \from count;
    assigns t->priv.phase \from t->priv.phase;
    assigns \result \from t->priv.phase;
    ensures \result == UTET_OK || \result == UTET_WOULD_BLOCK || \result == UTET_E_PAYLOAD; */
utet_status utet_elements_make(utet_tensor *t, uint8_t *to, size_t count, int as_float);
/*@ assigns t->priv.source, t->priv.packing.odd_bits, t->priv.packing.odd, t->priv.packing.odd_missing \from unit;
    assigns \result \from unit;
    ensures \result == UTET_OK || \result == UTET_WOULD_BLOCK || \result == UTET_E_PAYLOAD; */
static utet_status skip_source(utet_tensor *t, uint64_t unit);
#endif

#include "tensogram/tensogram_elements.c"

utet_status utet_source_read(utet_tensor *t, uint8_t *to, uint64_t size)
{
    if (to != NULL && size != 0)
        Frama_C_make_unknown((char *)to, (size_t)size);
    t->priv.source = any64();
    return answer();
}

utet_status utet_masks_apply(utet_tensor *t, uint8_t *to, size_t count, int as_float)
{
    if (count != 0)
        Frama_C_make_unknown((char *)to, count * (as_float != 0 ? 4u : t->priv.width));
    t->priv.phase = (uint8_t)Frama_C_interval(1, UTET_MASKS);
    return answer();
}

static size_t each; /* how many bytes a packed value takes */

size_t utet_packing_bytes(const utet_tensor *t, size_t count)
{
    (void)t;
    return each * count;
}

static void unpack(utet_tensor *t, uint8_t *to, size_t size)
{
    if (size != 0)
        Frama_C_make_unknown((char *)to, size);
    t->priv.packing.odd_bits = (uint8_t)Frama_C_interval(0, 7);
}

void utet_unpack_doubles(utet_tensor *t, const uint8_t *from, uint8_t *to, size_t count)
{
    (void)from;
    unpack(t, to, 8 * count);
}

void utet_unpack_floats(utet_tensor *t, const uint8_t *from, uint8_t *to, size_t count)
{
    (void)from;
    unpack(t, to, 4 * count);
}

#if EVA_PART == 1
void eva_main(void)
{
    static const uint8_t widths[] = {1, 2, 8, 16};
    static uint8_t bytes[3 * 16];
    const unsigned width = widths[Frama_C_interval_split(0, 3)];
    const size_t count = (size_t)Frama_C_interval_split(0, 3);
    int as_float = 0;

    any_tensor(width);
    object.encoding = UTET_ENCODING_NONE;
    object.dtype = width >= 8 && Frama_C_interval_split(0, 1) ? UTET_TENSOR_COMPLEX64 : UTET_TENSOR_INT8;
    if (width == 8 && Frama_C_interval_split(0, 1)) {
        object.encoding = UTET_ENCODING_SIMPLE_PACKING;
        as_float = Frama_C_interval_split(0, 1);
        each = (size_t)Frama_C_interval_split(0, 2) * (as_float ? 2 : 4);
        tensor.priv.packing.bits = (uint8_t)Frama_C_interval(0, 64);
        tensor.priv.packing.odd_missing = (uint8_t)(3 * Frama_C_interval_split(0, 2));
    }
    if (Frama_C_interval_split(0, 1)) {
        tensor.priv.phase = (uint8_t)Frama_C_interval(0, UTET_MASKS);
        (void)utet_elements_make(&tensor, bytes + sizeof bytes - count * (as_float ? 4u : width), count, as_float);
    } else {
        (void)skip_source(&tensor, any64());
    }
}
#else
void eva_main(void)
{
    static const uint8_t widths[] = {1, 2, 16};
    static uint8_t bytes[40];
    const unsigned width = widths[Frama_C_interval_split(0, 2)];
    const unsigned sizes[] = {1, width, 2 * width + 1}, carried[] = {0, 1, width};
    const size_t size = sizes[Frama_C_interval_split(0, 2)], done[] = {0, 1, size};
    const uint64_t unit = 2 * (uint64_t)Frama_C_interval_split(0, 1);
    size_t got;

    any_tensor(width);
    tensor.priv.unit = unit;
    tensor.priv.carried = (uint8_t)(unit == 0 ? 0 : carried[Frama_C_interval_split(0, 2)]);
    tensor.position = unit * width - tensor.priv.carried;
    tensor.length = 3 * (uint64_t)width;
    tensor.priv.phase = (uint8_t)Frama_C_interval(0, UTET_MASKS);
    if (Frama_C_interval_split(0, 1)) {
        const uint64_t left = tensor.length - tensor.position;

        tensor.priv.done = done[Frama_C_interval_split(0, 2)];
        if (tensor.priv.done > left)
            return;
        (void)utet_tensor_read(&tensor, bytes + sizeof bytes - size, size, &got);
        /*@ assert got: got <= 40; */
    } else {
        (void)utet_tensor_skip(&tensor, size);
    }
    /*@ assert carried: tensor.priv.carried <= 16; */
}
#endif
