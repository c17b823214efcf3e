/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Covariances: sums of products, exactly, as in fold_square.c. That of x and y is (n * sum of x y - sum of x * sum of
 * y) / n / n, a difference of integers in which nothing cancels, rounded once.
 */
#include "fold_matrix.h"

/* Sums of a variable. Its words follow it: the sum, and for correlations the sum of squares. */
typedef struct variable {
    utet_fold_binary deviation; /* at the end, for correlations */
    uint32_t special;           /* an element is not finite */
    uint32_t negative;          /* at the end: the sum was negative, and has been made positive */
} variable;

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

static uint64_t *element_at(const utet_fold_matrix *matrix, size_t observation, size_t i)
{
    uint64_t *elements = (void *)(utet_matrix_kept(matrix) + (size_t)utet_matrix_sums(matrix, matrix->block));

    return elements + observation * matrix->block + i;
}

static void add_product(uint32_t *words, unsigned count, const fold_element *a, const fold_element *b)
{
    utet_fold_wide_add_product(words, count, (unsigned)a->shift + b->shift, a->magnitude, b->magnitude,
                               a->negative ^ b->negative);
}

/* The products of an element of the second block with the first `many` that are kept of the first one. */
static void add_products(const utet_fold_matrix *matrix, size_t observation, size_t j, const fold_element *element,
                         size_t many)
{
    const fold_layout *layout = layout_of(matrix);
    size_t i;

    for (i = 0; i < many; i++) {
        fold_element other;

        utet_fold_split(layout, *element_at(matrix, observation, i), &other);
        add_product(product_at(matrix, i, j), product_words(layout), &other, element);
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
    if (second)
        add_products(matrix, observation, i, &element, (size_t)matrix->priv.many[0]);
    else
        *element_at(matrix, observation, i) = bits;
}

void utet_matrix_multiply(const utet_fold_matrix *matrix, size_t observations)
{
    const fold_layout *layout = layout_of(matrix);
    size_t observation;
    size_t j;

    for (observation = 0; observation < observations; observation++)
        for (j = 0; j < matrix->priv.many[0]; j++) {
            fold_element element;

            utet_fold_split(layout, *element_at(matrix, observation, j), &element);
            add_products(matrix, observation, j, &element, j + 1);
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
    utet_fold_number_divide(number, matrix->observed);
    utet_fold_number_divide(number, matrix->observed);
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

        of->negative = utet_fold_wide_absolute(covariance_sum(of), layout->sum_words);
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
        utet_fold_number_divide(&number, by.magnitude);
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
