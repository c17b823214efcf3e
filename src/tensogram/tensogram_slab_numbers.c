/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Slabs of a tensor as floats and doubles. */
#include <stdint.h>

#if SIZE_MAX >= 0xFFFFFFFF /* else nothing is left of this file: utet_tensogram.h says so */

#include "tensogram_data.h"

static utet_status tensogram_slab_take(utet_tensor_slab *slab, float *floats, double *doubles, size_t count)
{
    utet_tensor *t = slab->priv.tensor;
    const uint64_t left = slab->priv.run - slab->priv.inside;
    const size_t done = slab->priv.done, most = left < count - done ? (size_t)left : count - done;
    utet_status status = utet_tensor_slab_aim(slab, (slab->priv.first + slab->priv.inside) * t->priv.width);
    size_t got;

    if (status != UTET_OK)
        return status;
    status = floats != NULL ? utet_tensor_floats(t, floats + done, most, &got)
                            : utet_tensor_doubles(t, doubles + done, most, &got);
    if (status == UTET_WOULD_BLOCK)
        return status;
    slab->priv.done += got;
    utet_tensor_slab_advance(slab, got);
    return status;
}

static utet_status tensogram_slab_numbers(utet_tensor_slab *slab, float *floats, double *doubles, size_t count,
                                          size_t *got)
{
    const uint8_t call = floats != NULL ? UTET_CALL_TENSOR_SLAB_FLOATS : UTET_CALL_TENSOR_SLAB_DOUBLES;
    utet_status status = utet_tensor_slab_enter(slab, call,
                                                floats != NULL ? (const void *)floats : (const void *)doubles, count);

    if (status == UTET_OK && slab->priv.part != 0)
        status = UTET_E_ARGUMENT;
    if (status == UTET_OK && slab->priv.tensor->priv.object->dtype == UTET_TENSOR_BITMASK)
        status = UTET_E_DTYPE; /* its elements are not at byte positions */
    while (status == UTET_OK && slab->priv.done != count) {
        status = tensogram_slab_take(slab, floats, doubles, count);
        if (status == UTET_OK && slab->priv.left == 0)
            status = UTET_END;
    }
    return utet_tensor_slab_leave(slab, status, call, got);
}

utet_status utet_tensor_slab_floats(utet_tensor_slab *slab, float *values, size_t count, size_t *got)
{
    return tensogram_slab_numbers(slab, values, NULL, count, got);
}

utet_status utet_tensor_slab_doubles(utet_tensor_slab *slab, double *values, size_t count, size_t *got)
{
    return tensogram_slab_numbers(slab, NULL, values, count, got);
}

#endif
