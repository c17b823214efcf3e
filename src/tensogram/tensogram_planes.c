/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The filter shuffle undone (FORMAT.md §4.3): byte i of element e is byte e of plane i. Gathers, plane after plane,
 * what belongs to [source, source + size) of the string as it was. */
#include "tensogram_data.h"

/* Bytes of the shuffled string from `position` on: *have of them at *at, at most `most`. */
static utet_status shuffled(utet_tensor *t, uint64_t position, size_t most, const uint8_t **at, size_t *have)
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
    const uint64_t elements = utet_div(t->priv.object->stored_length, step);

    while (t->priv.plane < step && t->priv.plane < size) {
        size_t first = (size_t)t->priv.plane, count;
        uint64_t element = utet_div(t->priv.source + first, step);
        uint64_t plane = t->priv.source + first - element * step;

        count = (size_t)utet_div(size - first + step - 1u, step);
        while (t->priv.plane_done != count) {
            size_t most = count - t->priv.plane_done, have;
            const uint8_t *at;
            utet_status status = shuffled(t, plane * elements + element + t->priv.plane_done, most, &at, &have);

            if (status != UTET_OK)
                return status;
            if (have > most)
                have = most;
            for (; have != 0; have--, t->priv.plane_done++)
                to[first + (size_t)step * t->priv.plane_done] = *at++;
        }
        t->priv.plane_done = 0;
        t->priv.plane++;
    }
    t->priv.plane = 0;
    return UTET_OK;
}
