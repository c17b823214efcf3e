/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* number_text of the tool against utet_show_text of the library: shortest_draw COUNT. Every f16; f32 and f64 of every
 * exponent with the fractions next to its ends; COUNT drawn f32 and f64. */
#include "shared/number.h"
#include "shared/tool.h"
#include "utet_show.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static unsigned long long failed;
static unsigned long long compared;

static void compare(uint32_t dtype, uint64_t bits)
{
    uint8_t element[8];
    char text[2][UTET_SHOW_SIZE];
    size_t length[2];

    store_le(element, bits, sizeof element);
    if (number_text(dtype, element, text[0], UTET_SHOW_SIZE, &length[0]) != UTET_OK ||
        utet_show_text(dtype, element, text[1], UTET_SHOW_SIZE, &length[1]) != UTET_OK || length[0] != length[1] ||
        strcmp(text[0], text[1]) != 0) {
        printf("%s %016" PRIx64 ": %s, not %s\n", utet_show_dtype(dtype), bits, text[0], text[1]);
        failed++;
    }
    compared++;
}

/* Each exponent and sign, with 8 fractions from each end. */
static void compare_ends(uint32_t dtype, unsigned bits, unsigned fraction_bits)
{
    uint64_t upper;
    uint64_t i;

    for (upper = 0; upper < (uint64_t)1 << (bits - fraction_bits); upper++) {
        for (i = 0; i < 8; i++) {
            compare(dtype, (upper << fraction_bits) + i);
            compare(dtype, ((upper + 1) << fraction_bits) - 1 - i);
        }
    }
}

int main(int argc, char **argv)
{
    unsigned long left = argc == 2 ? strtoul(argv[1], NULL, 10) : 0;
    uint64_t state = UINT64_C(0x9E3779B97F4A7C15);
    uint64_t i;

    for (i = 0; i < 65536; i++)
        compare(UTET_F16, i);
    compare_ends(UTET_F32, 32, 23);
    compare_ends(UTET_F64, 64, 52);
    for (; left > 0; left--) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        compare(UTET_F64, state);
        compare(UTET_F32, state >> 32);
    }
    printf("%llu compared, %llu differ\n", compared, failed);
    return failed != 0 || compared < 65536;
}
