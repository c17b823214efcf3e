/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Elements as floats and doubles in the machine's order. Floating point. */
#include <stdint.h>

#if SIZE_MAX >= 0xFFFFFFFF /* else nothing is left of this file: utet_tensogram.h says so */

#include "tensogram_data.h"

/* As few conversions as the dtype allows: packed values and floats go straight to their destination. */
static int is_direct(const utet_object *o, int as_float)
{
    if (o->encoding == UTET_ENCODING_SIMPLE_PACKING)
        return as_float ? o->packing.bits <= 32 : sizeof(double) == 8;
    if (as_float)
        return o->dtype == UTET_TENSOR_FLOAT32;
    return o->dtype == UTET_TENSOR_FLOAT64 && sizeof(double) == 8;
}

/* One after another, through the carry. */
static utet_status floats_convert(utet_tensor *t, float *floats, double *doubles, size_t count)
{
    while (t->priv.done != count) {
        utet_status status = utet_elements_make(t, t->priv.carry, 1, 0);
        double value = 0;

        if (status == UTET_OK)
            status = utet_tensor_double(t->priv.object->dtype, t->priv.carry, &value, NULL);
        if (status != UTET_OK)
            return status;
        if (floats != NULL)
            floats[t->priv.done] = (float)value;
        else
            doubles[t->priv.done] = value;
        t->priv.done++;
    }
    return UTET_OK;
}

static utet_status floats_numbers(utet_tensor *t, float *floats, double *doubles, size_t count)
{
    const utet_object *o = t->priv.object;
    int as_float = floats != NULL;
    void *values = as_float ? (void *)floats : (void *)doubles;
    utet_status status;

    if (t->priv.carried != 0)
        return UTET_E_ARGUMENT;
    if (o->dtype == UTET_TENSOR_BITMASK || o->dtype == UTET_TENSOR_COMPLEX64 || o->dtype == UTET_TENSOR_COMPLEX128)
        return UTET_E_DTYPE;
    if (!is_direct(o, as_float))
        return floats_convert(t, floats, doubles, count);
    status = utet_elements_make(t, (uint8_t *)values, count, as_float && o->encoding == UTET_ENCODING_SIMPLE_PACKING);
    if (status == UTET_OK) {
        utet_to_native(values, count, as_float ? 4 : 8);
        t->priv.done = count;
    }
    return status;
}

static utet_status read_numbers(utet_tensor *t, float *floats, double *doubles, size_t count, size_t *got)
{
    utet_status status = utet_tensor_enter(t, floats != NULL ? UTET_CALL_TENSOR_FLOATS : UTET_CALL_TENSOR_DOUBLES);
    uint64_t left = t->priv.units - t->priv.unit;

    *got = 0;
    if (status == UTET_OK)
        status = utet_given(t->priv.stream.priv.file, floats != NULL ? (const void *)floats : (const void *)doubles,
                            count);
    if (status != UTET_OK)
        return status;
    if (count > left + t->priv.done)
        count = (size_t)(left + t->priv.done);
    status = count == 0 && left == 0 ? UTET_END : floats_numbers(t, floats, doubles, count);
    *got = status == UTET_WOULD_BLOCK ? 0 : t->priv.done;
    return utet_tensor_leave(t, status);
}

utet_status utet_tensor_floats(utet_tensor *tensor, float *values, size_t count, size_t *got)
{
    return read_numbers(tensor, values, NULL, count, got);
}

utet_status utet_tensor_doubles(utet_tensor *tensor, double *values, size_t count, size_t *got)
{
    return read_numbers(tensor, NULL, values, count, got);
}

#endif
