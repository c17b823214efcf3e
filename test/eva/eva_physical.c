/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Frama-C EVA over physical values (physical.c and decimal.c of tet/show). EVA_PART 1: any element of any dtype, with
 * any numbers that attributes may have; 2: any attribute whose text has at most 3 bytes.
 *
 * eva.sh: 2 parts, x86_16, x86_32, ppc_32
 *   1: -eva-slevel 60 -eva-split-return full
 *   2: -eva-slevel 1000 -eva-split-return full -eva-slevel-function
 *      whole_round:1000,fill_element:0,whole_value:0,whole_raise:0,whole_tens:0,whole_multiply:0,whole_divide:0
 */
#include "eva_any.h"

#include "tet/show/element.c"
#include "tet/show/show_text.c"

uint64_t utet_show_digits(uint64_t fraction, int exponent, int narrow, int *power_of_ten)
{
    (void)fraction;
    (void)exponent;
    (void)narrow;
    *power_of_ten = 0;
    return 1;
}

/* bytes.c has both; eva_show.c analyses them. */
unsigned utet_decimals(uint64_t number, unsigned least, char *digits)
{
    (void)number;
    (void)least;
    *digits = '1';
    return 1;
}

/*@ requires \valid(number);
    assigns \result, *number \from *number;
    ensures *number == \old(*number) / 10 && 0 <= \result <= 9; */
unsigned utet_tenth(uint64_t *number);

#include "tet/show/decimal.c"
#include "tet/show/physical.c"

void eva_main(void)
{
    utet_physical p;

    (void)utet_physical_begin(&p, any32());
#if EVA_PART == 1
    uint32_t dtype;
    unsigned i;

    //@ loop unroll 12;
    for (dtype = 1; dtype < UTET_DTYPE_END; dtype++) {
        uint8_t element[8];
        uint8_t f64[8];

        if (utet_physical_begin(&p, dtype) != UTET_OK)
            return;
        for (i = 0; i < 2; i++) {
            p.number[i].digits = any64();
            p.number[i].power = (int16_t)Frama_C_interval(-UTET_SHOW_MOST_POWER, UTET_SHOW_MOST_POWER);
            p.number[i].negative = (uint8_t)Frama_C_interval(0, 1);
        }
        for (i = 0; i < 3; i++)
            p.fill[i] = any64();
        p.fills = (uint8_t)Frama_C_interval(0, 7);
        p.given = (uint8_t)Frama_C_interval(0, 1);
        Frama_C_make_unknown((char *)element, sizeof element);
        if (utet_physical_f64(&p, element, f64) == UTET_OK)
            use_byte(f64);
    }
#else
    static const char *const keys[] = {"scale_factor", "_FillValue", "units"};
    char text[3];

    if (utet_physical_begin(&p, (uint32_t)Frama_C_interval_split(1, UTET_DTYPE_END - 1)) != UTET_OK)
        return;
    Frama_C_make_unknown(text, sizeof text);
    switch (Frama_C_interval_split(0, 2)) {
    case 0: (void)utet_physical_attribute(&p, keys[0], 12, text, (size_t)Frama_C_interval_split(0, 3)); break;
    case 1: (void)utet_physical_attribute(&p, keys[1], 10, text, (size_t)Frama_C_interval_split(0, 3)); break;
    default: (void)utet_physical_attribute(&p, keys[2], 5, text, (size_t)Frama_C_interval_split(0, 3)); break;
    }
#endif
}
