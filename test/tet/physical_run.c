/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Reads lines "dtype scale offset fill element", in which - means no attribute and the element's bits are hexadecimal.
 * Prints the three statuses and the bits of the physical value, for physical_test.py. */
#include "utet_show.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static int attribute(utet_physical *p, const char *key, const char *text)
{
    return strcmp(text, "-") == 0 ? 0 : utet_physical_attribute(p, key, strlen(key), text, strlen(text));
}

int main(void)
{
    char scale[128];
    char offset[128];
    char fill[128];
    uint64_t bits;
    uint32_t dtype;

    while (scanf("%" SCNu32 " %127s %127s %127s %" SCNx64, &dtype, scale, offset, fill, &bits) == 5) {
        utet_physical p;
        uint8_t element[8];
        uint8_t f64[8];
        unsigned i;

        for (i = 0; i < 8; i++, bits >>= 8)
            element[i] = (uint8_t)bits;
        if (utet_physical_begin(&p, dtype) != UTET_OK)
            return 1;
        printf("%d", attribute(&p, "scale_factor", scale));
        printf(" %d", attribute(&p, "add_offset", offset));
        printf(" %d ", attribute(&p, "_FillValue", fill));
        if (utet_physical_f64(&p, element, f64) != UTET_OK)
            return 1;
        for (i = 8; i-- > 0;)
            printf("%02x", f64[i]);
        putchar('\n');
    }
    return 0;
}
