/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* One element as text. Integers only. */
#include <stdint.h>

#if SIZE_MAX >= 0xFFFFFFFF /* else nothing is left of this file: utet_tensogram.h says so */

#include "tensogram_data.h"

#include "utet_show.h"

/* A real element, or half a complex one. */
static utet_status tensogram_text_real(uint8_t dtype, const uint8_t *at, char *buffer, size_t size, size_t *length)
{
    uint8_t wide[4];
    const uint32_t tag = utet_element_tag(dtype, &at, wide);

    return utet_show_text(tag, at, buffer, size, length);
}

utet_status utet_tensor_text(uint8_t dtype, const void *element, char *buffer, size_t size, size_t *length)
{
    const uint8_t *at = (const uint8_t *)element;
    char imaginary[UTET_SHOW_SIZE];
    size_t first = 0, second, i;
    utet_status status = tensogram_text_real(dtype, at, buffer, size, &first);

    if (length != NULL)
        *length = first;
    if (status != UTET_OK || (dtype != UTET_TENSOR_COMPLEX64 && dtype != UTET_TENSOR_COMPLEX128))
        return status;
    status = tensogram_text_real(dtype, at + (dtype == UTET_TENSOR_COMPLEX64 ? 4 : 8), imaginary, sizeof imaginary,
                                 &second);
    if (status != UTET_OK)
        return status;
    if (first + second + (imaginary[0] != '-') + 2u > size) /* the sign, j, and the end */
        return UTET_E_SPACE;
    if (imaginary[0] != '-')
        buffer[first++] = '+';
    for (i = 0; i != second; i++)
        buffer[first++] = imaginary[i];
    buffer[first++] = 'j';
    buffer[first] = '\0';
    if (length != NULL)
        *length = first;
    return UTET_OK;
}

#endif
