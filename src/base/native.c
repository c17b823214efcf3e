/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Converts stored elements, which are little-endian (§5), to the native byte order. The file contains nothing else,
 * because programs on little-endian machines do not need it. */
#include "utet.h"

void utet_to_native(void *elements, size_t count, size_t elem_size)
{
    static const uint16_t one = 1;
    uint8_t *element = elements;
    size_t low;

    if (*(const uint8_t *)&one == 1) /* the compiler decides this */
        return;
    for (; count > 0; count--, element += elem_size) {
        for (low = 0; low < elem_size / 2; low++) {
            const uint8_t byte = element[low];

            element[low] = element[elem_size - 1 - low];
            element[elem_size - 1 - low] = byte;
        }
    }
}
