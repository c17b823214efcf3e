/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The filter shuffle undone (FORMAT.md §4.3): byte i of element e is byte e of plane i. Gathers, plane after plane,
 * what belongs to [source, source + size) of the string as it was. */
#include <stdint.h>

#if SIZE_MAX >= 0xFFFFFFFF /* else nothing is left of this file: utet_tensogram.h says so */

#include "tensogram_data.h"

/* Bytes of the shuffled string from `position` on: *have of them at *at, at most `most`. */
static utet_status planes_shuffled(utet_tensor *t, uint64_t position, size_t most, const uint8_t **at, size_t *have)
{
    if (t->priv.planes != NULL) {
        *at = t->priv.planes + (size_t)position;
        *have = most;
        return UTET_OK;
    }
    return utet_payload_fetch(&t->priv.stream, position, 1, most, at, have);
}

utet_status utet_planes_read(utet_tensor *t, uint8_t *to, size_t size)
{
    const uint64_t step = t->priv.object->shuffle_size;
    const size_t stride = step < size ? (size_t)step : size; /* only `size` planes have a byte here */

    for (; t->priv.plane != stride; t->priv.plane++) {
        const uint64_t place = t->priv.source + t->priv.plane, element = utet_div(place, step);
        const uint64_t begin = (place - element * step) * t->priv.plane_length + element;
        const size_t count = (size_t)utet_div(size - t->priv.plane - 1u, stride) + 1u;

        while (t->priv.plane_done != count) {
            size_t most = count - t->priv.plane_done, have, into = t->priv.plane + stride * t->priv.plane_done;
            const uint8_t *at, *from;
            utet_status status = planes_shuffled(t, begin + t->priv.plane_done, most, &at, &have);

            if (status != UTET_OK)
                return status;
            if (have > most)
                have = most;
            t->priv.plane_done += have;
            for (from = at; from != at + have; into += stride)
                to[into] = *from++;
        }
        t->priv.plane_done = 0;
    }
    t->priv.plane = 0;
    return UTET_OK;
}

#endif
