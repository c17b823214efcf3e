/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* NaN and infinities put back where the masks say so (FORMAT.md §4.6). */
#include <stdint.h>

#if SIZE_MAX >= 0xFFFFFFFF /* else nothing is left of this file: utet_tensogram.h says so */

#include "tensogram_data.h"

#include <string.h>

/* The values that masks represent, as the two upper bytes of a float: NaN (quiet), +Inf, -Inf. */
enum { OF_FLOAT16, OF_FLOAT32, OF_FLOAT64 };
static const uint16_t tensogram_masks_patterns[][UTET_MASKS] = {
    {0x7e00, 0x7c00, 0xfc00}, {0x7fc0, 0x7f80, 0xff80}, {0x7ff8, 0x7ff0, 0xfff0}};

/* `size` bytes become floats of `width` bytes. */
static void masks_fill(uint8_t *to, size_t size, size_t width, uint32_t upper)
{
    uint8_t *const end = to + size;

    memset(to, 0, size);
    while (to != end) {
        to += width;
        to[-2] = (uint8_t)upper;
        to[-1] = (uint8_t)(upper >> 8);
    }
}

/* After the last element of all, the mask must end too. width: of an element; half: of its real part. */
static utet_status apply_mask(utet_tensor *t, unsigned mask, uint8_t *to, size_t count, size_t width, size_t half)
{
    const unsigned kind = half == 8                                      ? OF_FLOAT64
                          : t->priv.object->dtype == UTET_TENSOR_FLOAT16 ? OF_FLOAT16
                                                                         : OF_FLOAT32;
    const uint64_t enough = t->priv.unit + count + (t->priv.unit + count == t->priv.units);
    utet_bit_runs *runs = &t->priv.shared.mask[mask];

    for (;;) {
        size_t from, some = utet_runs_within(runs, t->priv.unit, count, &from);
        utet_status status;

        masks_fill(to + from * width, some * width, half, tensogram_masks_patterns[kind][mask]);
        if (runs->end >= enough)
            return UTET_OK;
        status = utet_runs_next(t->priv.stream.priv.file, runs);
        if (status != UTET_OK)
            return status;
    }
}

utet_status utet_masks_apply(utet_tensor *t, uint8_t *to, size_t count, int as_float)
{
    const uint8_t dtype = t->priv.object->dtype;
    const size_t width = as_float != 0 ? 4 : t->priv.width;
    const int is_complex = dtype == UTET_TENSOR_COMPLEX64 || dtype == UTET_TENSOR_COMPLEX128;

    for (; t->priv.phase <= UTET_MASKS; t->priv.phase++) {
        unsigned mask = t->priv.phase - 1u;

        if (t->priv.object->mask[mask].method != 0) {
            utet_status status = apply_mask(t, mask, to, count, width, is_complex ? width / 2u : width);

            if (status != UTET_OK)
                return status;
        }
    }
    return UTET_OK;
}

#endif
