/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Maps an element to a dtype tag of .tet files, which src/tet/show understands; converts one element to double. */
#include <stdint.h>

#if SIZE_MAX >= 0xFFFFFFFF /* else nothing is left of this file: utet_tensogram.h says so */

#include "tensogram_data.h"

#include "utet_show.h"

uint32_t utet_element_tag(uint8_t dtype, const uint8_t **at, uint8_t wide[4])
{
    static const uint8_t tags[] = {0,        UTET_F16, UTET_F32, UTET_F32, UTET_F64, UTET_F32, UTET_F64, UTET_I16,
                                   UTET_I16, UTET_I32, UTET_I64, UTET_U8,  UTET_U16, UTET_U32, UTET_U64};
    const uint8_t *from = *at;

    if (dtype == UTET_TENSOR_BFLOAT16) { /* the upper half of an f32 */
        wide[0] = 0;
        wide[1] = 0;
        wide[2] = from[0];
        wide[3] = from[1];
        *at = wide;
    } else if (dtype == UTET_TENSOR_INT8) {
        wide[0] = from[0];
        wide[1] = from[0] >= 128 ? 255 : 0;
        *at = wide;
    }
    return dtype < sizeof tags ? tags[dtype] : 0u;
}

utet_status utet_tensor_double(uint8_t dtype, const void *element, double *value, double *imaginary)
{
    const uint8_t *at = (const uint8_t *)element;
    uint8_t wide[4];
    uint32_t tag;

    if (imaginary != NULL) {
        *imaginary = 0;
        if (dtype == UTET_TENSOR_COMPLEX64)
            (void)utet_show_double(UTET_F32, at + 4, imaginary);
        if (dtype == UTET_TENSOR_COMPLEX128)
            (void)utet_show_double(UTET_F64, at + 8, imaginary);
    }
    tag = utet_element_tag(dtype, &at, wide);
    return utet_show_double(tag, at, value);
}

#endif
