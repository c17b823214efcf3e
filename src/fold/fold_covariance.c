/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Covariances: sums of products, exactly, as in fold_square.c. That of x and y is (n * sum of x y - sum of x * sum of
 * y) / n / n, a difference of integers in which nothing cancels, rounded once.
 */
#include "fold_matrix.h"

/* Sums of a variable. Its words follow it: the sum, and for correlations the sum of squares. */
typedef struct variable {
    utet_fold_binary deviation; /* at the end, for correlations; until then its magnitude is the unit of kept_number */
    uint32_t special;           /* an element is not finite */
    uint16_t apart;             /* elements are kept, not numbers */
    uint16_t negative;          /* at the end: the sum was negative, and has been made positive */
} variable;

/* If the elements of a variable are near each other for some observations, they are kept as integers: high * 2^28 +
 * low, both with the sign. The unit is the last bit of the smallest element. No product of these parts is more than
 * 2^56, so the sum of MOST_TOGETHER products is a number of 64 bits. */
typedef struct kept_number {
    int32_t high;
    int32_t low;
} kept_number;

#define KEPT_LOW 28
#define KEPT_MOST (((uint32_t)1 << KEPT_LOW) - 1)
#define KEPT_BITS 55u
#define MOST_TOGETHER 128u
#define LEAST_TOGETHER 4u /* of fewer products, each is added alone */

/* One word more than squares have: for the sign. */
static unsigned product_words(const fold_layout *layout)
{
    return layout->square_words + 1u;
}

UTET_APART static const fold_layout *layout_of(const utet_fold_matrix *matrix)
{
    return &utet_dtype_layouts[matrix->priv.dtype];
}

static size_t variable_bytes(const utet_fold_matrix *matrix)
{
    const fold_layout *layout = layout_of(matrix);
    unsigned words = layout->sum_words;

    if (matrix->priv.correlation)
        words += product_words(layout);
    return sizeof(variable) + (((size_t)words + 1) / 2) * 8;
}

static size_t product_bytes(const utet_fold_matrix *matrix)
{
    return (((size_t)product_words(layout_of(matrix)) + 1) / 2) * 8;
}

uint64_t utet_matrix_sums(const utet_fold_matrix *matrix, uint32_t block)
{
    return (uint64_t)block * 2 * variable_bytes(matrix) + (uint64_t)block * block * product_bytes(matrix);
}

/* A variable of the first block (second = 0) or of the second one. */
static variable *variable_at(const utet_fold_matrix *matrix, unsigned second, size_t i)
{
    return (void *)(utet_matrix_kept(matrix) + (second * matrix->block + i) * variable_bytes(matrix));
}

static uint32_t *covariance_sum(variable *of)
{
    return (void *)(of + 1);
}

static uint32_t *squares_of(const fold_layout *layout, variable *of)
{
    return covariance_sum(of) + layout->sum_words;
}

static uint32_t *product_at(const utet_fold_matrix *matrix, size_t i, size_t j)
{
    return (void *)(utet_matrix_kept(matrix) + 2 * matrix->block * variable_bytes(matrix) +
                    (i * matrix->block + j) * product_bytes(matrix));
}

static void *element_at(const utet_fold_matrix *matrix, size_t observation, size_t i)
{
    uint64_t *elements = (void *)(utet_matrix_kept(matrix) + (size_t)utet_matrix_sums(matrix, matrix->block));

    return elements + observation * matrix->block + i;
}

/* The element of a variable of the first block, which is kept as it is. */
static void split_kept(const utet_fold_matrix *matrix, size_t observation, size_t i, fold_element *element)
{
    const uint64_t *bits = element_at(matrix, observation, i);

    utet_fold_split(layout_of(matrix), *bits, element);
}

static void add_product(uint32_t *words, unsigned count, const fold_element *a, const fold_element *b)
{
    utet_fold_wide_add_product(words, count, (unsigned)a->shift + b->shift, a->magnitude, b->magnitude,
                               a->negative ^ b->negative);
}

/* The products of an element of the second block with those that are kept of the first one. */
static void add_products(const utet_fold_matrix *matrix, size_t observation, size_t j, const fold_element *element)
{
    size_t i;

    for (i = 0; i < matrix->priv.many[0]; i++) {
        fold_element other;

        split_kept(matrix, observation, i, &other);
        add_product(product_at(matrix, i, j), product_words(layout_of(matrix)), &other, element);
    }
}

void utet_matrix_take(const utet_fold_matrix *matrix, size_t observation, size_t i, uint64_t bits)
{
    const fold_layout *layout = layout_of(matrix);
    unsigned second = matrix->priv.second;
    variable *to = variable_at(matrix, second, i);
    fold_element element;

    utet_fold_split(layout, bits, &element);
    if (element.special != FOLD_FINITE) {
        to->special = 1;
        bits = 0;
        element.magnitude = 0;
        element.shift = 0;
    }
    utet_fold_wide_add(covariance_sum(to), layout->sum_words, element.shift, element.magnitude, element.negative);
    if (matrix->priv.correlation)
        add_product(squares_of(layout, to), product_words(layout), &element, &element);
    if (second) {
        add_products(matrix, observation, i, &element);
    } else {
        uint64_t *kept = element_at(matrix, observation, i);

        *kept = bits;
    }
}

/* ---- products of one block ---- */

/* Some observations of the block. */
typedef struct kept_part {
    size_t from;
    size_t count;
} kept_part;

/* Replaces the elements of a variable by numbers, unless they are too far apart. */
static void make_numbers(const utet_fold_matrix *matrix, const kept_part *part, size_t i)
{
    const fold_layout *layout = layout_of(matrix);
    const unsigned bits = layout->kind == FOLD_FLOAT ? layout->fraction + 1u : 8u * layout->bytes;
    variable *of = variable_at(matrix, 0, i);
    unsigned least = UINT16_MAX;
    unsigned most = 0;
    fold_element element;
    size_t at;

    of->deviation.magnitude = 0;
    for (at = 0; at < part->count; at++) {
        const uint64_t *kept = element_at(matrix, part->from + at, i);

        utet_fold_split(layout, *kept, &element);
        if (element.magnitude != 0 && element.shift < least) {
            least = element.shift;
            of->deviation.magnitude = *kept;
        }
        if (element.magnitude != 0 && element.shift > most)
            most = element.shift;
    }
    of->apart = most >= least && most - least + bits > KEPT_BITS;
    for (at = 0; at < part->count && !of->apart; at++) {
        kept_number *number = element_at(matrix, part->from + at, i);
        const uint64_t *kept = (const void *)number;

        utet_fold_split(layout, *kept, &element);
        element.magnitude <<= (element.shift - least) & 63u; /* 0 may have any shift */
        number->high = (int32_t)(element.magnitude >> KEPT_LOW & KEPT_MOST);
        number->low = (int32_t)(element.magnitude & KEPT_MOST);
        if (element.negative) {
            number->high = -number->high;
            number->low = -number->low;
        }
    }
}

static unsigned unit_shift(const fold_layout *layout, const variable *of)
{
    fold_element unit;

    utet_fold_split(layout, of->deviation.magnitude, &unit);
    return unit.shift;
}

/* The element of a variable, whichever way it is kept. */
static void take_kept(const fold_layout *layout, const variable *of, const kept_number *number, fold_element *element)
{
    if (of->apart) {
        const uint64_t *kept = (const void *)number;

        utet_fold_split(layout, *kept, element);
        return;
    }
    element->negative = number->high < 0 || number->low < 0;
    element->magnitude = (uint64_t)number->high * ((uint64_t)1 << KEPT_LOW) + (uint64_t)number->low;
    if (element->negative)
        element->magnitude = 0 - element->magnitude;
    element->shift = (uint16_t)unit_shift(layout, of);
}

/* Adds a sum of products in two's complement. */
static void add_sum(uint32_t *words, unsigned count, unsigned shift, uint64_t sum)
{
    const unsigned negative = sum >> 63 != 0;

    if (sum != 0)
        utet_fold_wide_add(words, count, shift, negative ? 0 - sum : sum, negative);
}

/* The products of two variables whose numbers are kept. */
static void add_numbers(const utet_fold_matrix *matrix, const kept_part *part, size_t i, size_t j)
{
    const fold_layout *layout = layout_of(matrix);
    const unsigned count = product_words(layout);
    const unsigned shift = unit_shift(layout, variable_at(matrix, 0, i)) +
                           unit_shift(layout, variable_at(matrix, 0, j));
    const kept_number *a = element_at(matrix, part->from, i);
    const kept_number *b = element_at(matrix, part->from, j);
    uint32_t *words = product_at(matrix, i, j);
    const size_t block = (size_t)matrix->block;
    uint64_t high = 0;
    uint64_t middle = 0;
    uint64_t low = 0;
    size_t at;

    for (at = 0; at < part->count * block; at += block) {
        high += (uint64_t)((int64_t)a[at].high * b[at].high);
        middle += (uint64_t)((int64_t)a[at].high * b[at].low) + (uint64_t)((int64_t)a[at].low * b[at].high);
        low += (uint64_t)((int64_t)a[at].low * b[at].low);
    }
    add_sum(words, count, shift + 2 * KEPT_LOW, high);
    add_sum(words, count, shift + KEPT_LOW, middle);
    add_sum(words, count, shift, low);
}

/* All products of an observation of which one element, or both, are kept as elements. */
static void add_elements(const utet_fold_matrix *matrix, size_t observation)
{
    const fold_layout *layout = layout_of(matrix);
    const kept_number *numbers = element_at(matrix, observation, 0);
    const size_t bytes = variable_bytes(matrix);
    size_t i;
    size_t j;

    for (j = 0; j < matrix->priv.many[0]; j++) {
        const variable *last = variable_at(matrix, 0, j);
        const uint8_t *at = utet_matrix_kept(matrix); /* the variables, from the first one on */
        fold_element element;

        take_kept(layout, last, &numbers[j], &element);
        for (i = 0; i <= j; i++, at += bytes) {
            const variable *of = (const void *)at;
            fold_element other;

            if (!last->apart && !of->apart)
                continue;
            take_kept(layout, of, &numbers[i], &other);
            add_product(product_at(matrix, i, j), product_words(layout), &other, &element);
        }
    }
}

/* Returns whether a variable's elements are kept as elements. */
static unsigned make_part(const utet_fold_matrix *matrix, const kept_part *part)
{
    unsigned any = 0;
    size_t i;

    for (i = 0; i < matrix->priv.many[0]; i++) {
        variable *of = variable_at(matrix, 0, i);

        of->apart = 1;
        if (part->count >= LEAST_TOGETHER)
            make_numbers(matrix, part, i);
        any |= of->apart;
    }
    return any;
}

void utet_matrix_multiply(const utet_fold_matrix *matrix, size_t observations)
{
    kept_part part;
    size_t i;
    size_t j;

    for (part.from = 0; part.from < observations; part.from += part.count) {
        part.count = observations - part.from < MOST_TOGETHER ? observations - part.from : MOST_TOGETHER;
        if (make_part(matrix, &part))
            for (i = 0; i < part.count; i++)
                add_elements(matrix, part.from + i);
        for (j = 0; j < matrix->priv.many[0]; j++)
            for (i = 0; i <= j && !variable_at(matrix, 0, j)->apart; i++)
                if (!variable_at(matrix, 0, i)->apart)
                    add_numbers(matrix, &part, i, j);
    }
}

/* ---- parts ---- */

void utet_matrix_join(const utet_fold_matrix *matrix, const utet_fold_matrix *from)
{
    const fold_layout *layout = layout_of(matrix);
    size_t i;
    size_t j;

    for (j = 0; j < matrix->order; j++) {
        variable *to = variable_at(matrix, 0, j);
        variable *of = variable_at(from, 0, j);

        to->special |= of->special;
        utet_fold_wide_join(covariance_sum(to), covariance_sum(of), layout->sum_words);
        if (matrix->priv.correlation)
            utet_fold_wide_join(squares_of(layout, to), squares_of(layout, of), product_words(layout));
        for (i = 0; i <= j; i++)
            utet_fold_wide_join(product_at(matrix, i, j), product_at(from, i, j), product_words(layout));
    }
}

/* ---- in the end ---- */

/* words * n - sum of a * sum of b, divided by n twice; returns whether it is negative. */
static unsigned covariance_difference(const utet_fold_matrix *matrix, uint32_t *words, variable *a, variable *b,
                                      fold_number *number)
{
    const fold_layout *layout = layout_of(matrix);
    unsigned count = product_words(layout);
    unsigned negative = utet_fold_wide_absolute(words, count);
    unsigned less = (a->negative ^ b->negative ^ negative) == 0;
    unsigned i;
    unsigned j;

    utet_fold_wide_multiply(words, count, matrix->observed);
    for (i = 0; i < layout->sum_words; i++)
        for (j = 0; j < layout->sum_words; j++) {
            uint64_t both = (uint64_t)covariance_sum(a)[i] * covariance_sum(b)[j];

            if (both != 0)
                utet_fold_wide_add(words, count, 32 * (i + j), both, less);
        }
    negative ^= utet_fold_wide_absolute(words, count);
    utet_fold_number_of(number, words, count, 2 * layout->lowest);
    utet_fold_number_divide(number, matrix->observed, 0);
    utet_fold_number_divide(number, matrix->observed, 0);
    return negative;
}

static utet_fold_binary root_of(fold_number *number)
{
    int32_t half = number->exponent / 2;
    utet_fold_binary root;

    number->exponent -= 2 * half; /* so that no double is too small for it */
    root = utet_fold_binary_of(utet_fold_number_root(number));
    root.exponent += half;
    return root;
}

static void finish_variables(const utet_fold_matrix *matrix, unsigned second)
{
    const fold_layout *layout = layout_of(matrix);
    fold_number number;
    size_t i;

    for (i = 0; i < matrix->priv.many[second]; i++) {
        variable *of = variable_at(matrix, second, i);

        of->negative = (uint16_t)utet_fold_wide_absolute(covariance_sum(of), layout->sum_words);
        if (!matrix->priv.correlation)
            continue;
        (void)covariance_difference(matrix, squares_of(layout, of), of, of, &number);
        of->deviation = root_of(&number);
    }
}

/* The bits of one result: of a variable of the first block and one of the second. */
UTET_APART static uint64_t covariance_result(const utet_fold_matrix *matrix, variable *a, variable *b, uint32_t *words)
{
    fold_number number;
    unsigned negative;

    if ((a->special | b->special) != 0)
        return FOLD_DOUBLE_NAN;
    if (a == b && matrix->priv.correlation)
        return FOLD_DOUBLE_ONE;
    negative = covariance_difference(matrix, words, a, b, &number);
    if (number.digit[FOLD_DIGITS - 1] == 0)
        return 0;
    if (matrix->priv.correlation) {
        utet_fold_binary by = utet_fold_binary_multiply(&a->deviation, &b->deviation);
        utet_fold_binary near;

        number.exponent -= by.exponent;
        utet_fold_number_divide(&number, by.magnitude, 0);
        near = utet_fold_binary_near(&number);
        if (near.exponent + 52 >= 0)
            return FOLD_DOUBLE_ONE | (negative ? FOLD_DOUBLE_SIGN : 0u);
    }
    return utet_fold_number_round(&number, negative);
}

void utet_matrix_finish(const utet_fold_matrix *matrix, double *results)
{
    const uint32_t *from = matrix->priv.from;
    size_t order = (size_t)matrix->order;
    unsigned second = from[0] != from[1];
    size_t row = (size_t)matrix->priv.row;
    size_t i;
    size_t j;

    finish_variables(matrix, 0);
    if (second)
        finish_variables(matrix, 1);
    for (j = 0; j < matrix->priv.many[1]; j++)
        for (i = 0; i < (second ? matrix->priv.many[0] : j + 1); i++) {
            double value = utet_fold_value(covariance_result(matrix, variable_at(matrix, 0, i),
                                                             variable_at(matrix, second, j), product_at(matrix, i, j)));

            results[(from[0] + i - row) * order + from[1] + j] = value;
            if (!second || matrix->priv.rows == 0)
                results[(from[1] + j - row) * order + from[0] + i] = value;
        }
}
