/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Frama-C EVA over the arithmetic of folds, for every dtype and any bits. EVA_PART 1: an element's parts, its key and
 * the element of a key. 2: the element is added to and subtracted from a sum of any value; its sign; the product with
 * any number. 3: the loops over elements (fold_hot.c, fold_narrow_hot.c), into cells of any value. An alarm is possible
 * undefined behaviour.
 *
 * eva.sh: 3 parts, x86_16, x86_32, x86_64, ppc_32
 *   1 2 3: -eva-slevel 5000
 */
#include "eva_any.h"

#include "base/bytes.c"
#include "fold/fold_element.c"
#include "fold/fold_wide.c"
#if EVA_PART == 3
#include "fold/fold_hot.c"
#include "fold/fold_narrow_hot.c"
#endif

/* Not reached from here. */
/*@ assigns \result \from negative, magnitude, exponent, more; */
uint64_t utet_fold_round(unsigned negative, uint64_t magnitude, int32_t exponent, unsigned more);

static const uint32_t tags[] = {UTET_F32, UTET_F64, UTET_I32, UTET_I64, UTET_U8,
                                UTET_U16, UTET_I16, UTET_U32, UTET_F16, UTET_U64};

static void split(const fold_layout *layout, fold_element *element)
{
    uint8_t bytes[8];
    uint64_t bits;
    unsigned i;

    for (i = 0; i < 8; i++)
        bytes[i] = (uint8_t)any32();
    bits = utet_fold_load(layout, bytes);
    utet_fold_split(layout, bits, element);
    /*@ assert element->special <= 2 && element->negative <= 1; */
    (void)utet_fold_unkey(layout, utet_fold_key(layout, bits));
}

#if EVA_PART == 2
static void add(const fold_layout *layout, const fold_element *element)
{
    uint32_t words[68];
    unsigned i;

    for (i = 0; i < layout->sum_words; i++)
        words[i] = any32();
    utet_fold_wide_add(words, layout->sum_words, element->shift, element->magnitude, element->negative);
    (void)utet_fold_wide_absolute(words, layout->sum_words);
    utet_fold_wide_multiply(words, layout->sum_words, any64());
}
#endif

#if EVA_PART == 3
static uint64_t cells[2][2 + 34]; /* of sums of f64, which are the largest here */

/* Three elements of any bits, or five, consecutive or the same one each time, for one cell or two. */
static void loops(const fold_layout *layout)
{
    static uint8_t data[5 * 8];
    const unsigned strides[2] = {layout->bytes, 0};
    utet_fold_arc arc = {any64(), any64()};
    unsigned s;
    unsigned c;

    Frama_C_make_unknown((char *)data, sizeof data);
    Frama_C_make_unknown((char *)cells, sizeof cells);
    for (s = 0; s < 2; s++) {
        size_t found = utet_fold_scan(layout, data, 5, strides[s], &arc);

        /*@ assert found <= 5; */
        (void)found;
        if (layout->bytes == 1)
            (void)utet_fold_total_u8(data, 3, strides[s]);
        if (layout->bytes == 2) {
            (void)utet_fold_total_u16(data, 2, strides[s]);
            (void)utet_fold_total_i16(data, 3, strides[s]);
        }
        if (layout->bytes == 4) {
            (void)utet_fold_total_u32(data, 2, strides[s]);
            (void)utet_fold_total_i32(data, 3, strides[s]);
        }
        for (c = 0; c < 2; c++) {
            fold_part part = {.layout = layout, .data = data, .count = 2, .stride = strides[s], .cell = (void *)cells};
            fold_squares squares;

            part.cell_step = c * sizeof cells[0];
            if (layout->bytes == 8)
                (void)utet_fold_add_f64(&part, 0, 0x80000000u);
            else
                utet_fold_squares(&squares, &part, 0, 2);
            if (layout->bytes <= 2)
                (void)utet_fold_spread(&part, 0);
            if (layout->bytes != 4)
                continue;
            (void)utet_fold_first_better(&part, 0, c * FOLD_INDEX);
            (void)utet_fold_add_f32(&part, 0, 0x80000000u);
            (void)utet_fold_square_f32(&part, 0, 1);
        }
    }
}
#endif

void eva_main(void)
{
    unsigned i;

    for (i = 0; i < sizeof tags / sizeof *tags; i++) {
        const fold_layout *layout = &utet_dtype_layouts[tags[i]];
        fold_element element;

        split(layout, &element);
#if EVA_PART == 2
        if (element.special == FOLD_FINITE)
            add(layout, &element);
#elif EVA_PART == 3
        loops(layout);
#endif
    }
}
