/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The loops over elements (fold_hot.c, fold_narrow_hot.c), called without a file: so many of the most extreme elements
 * that a sum of 32 bits would overflow, any address, any distance between elements. The expected values are sums of
 * integers of 64 bits, or follow from the elements by hand.
 */
#include "fold/fold.h"
#include "suite.h"

#include <math.h>
#include <string.h>

enum { MOST = 70001, CELLS = 3 };

static uint8_t memory[8 * MOST + 16];
static uint64_t cells[CELLS][840 / 8];

/* The smallest and the largest element of integers of up to 32 bits. */
static const struct {
    uint32_t dtype;
    unsigned size;
    int64_t least, greatest;
} integers[] = {{UTET_U8, 1, 0, UINT8_MAX},
                {UTET_U16, 2, 0, UINT16_MAX},
                {UTET_I16, 2, INT16_MIN, INT16_MAX},
                {UTET_U32, 4, 0, UINT32_MAX},
                {UTET_I32, 4, INT32_MIN, INT32_MAX}};
enum { INTEGERS = sizeof integers / sizeof *integers };

static void put(uint8_t *at, unsigned size, uint64_t bits)
{
    for (unsigned i = 0; i < size; i++, bits >>= 8)
        at[i] = (uint8_t)bits;
}

/* Adds elements to cells: to the first one, or to one each, `step` bytes apart. */
static void take(const utet_fold_operation *operation, uint32_t dtype, const uint8_t *data, size_t count, size_t stride,
                 size_t step)
{
    static utet_fold fold;
    fold_part part = {.fold = &fold,
                      .layout = &utet_dtype_layouts[dtype],
                      .data = data,
                      .count = count,
                      .stride = stride,
                      .cell = (void *)cells,
                      .cell_step = step,
                      .place_step = 1};

    fold.priv.operation = operation;
    operation->take(&part);
}

static double result(const utet_fold_operation *operation, uint32_t dtype, unsigned cell)
{
    static utet_fold fold;

    fold.priv.operation = operation;
    return utet_fold_value(operation->finish(&fold, &utet_dtype_layouts[dtype], cells[cell]));
}

static double reduce(const utet_fold_operation *operation, uint32_t dtype, const uint8_t *data, size_t count,
                     size_t stride)
{
    memset(cells, 0, sizeof cells);
    take(operation, dtype, data, count, stride, 0);
    return result(operation, dtype, 0);
}

static void expect(double got, double want, const char *what, uint32_t dtype, size_t count)
{
    suite_check(memcmp(&got, &want, 8) == 0, "%s of %u elements of dtype %u: %a, expected %a", what, (unsigned)count,
                (unsigned)dtype, got, want);
}

/* ---- the largest sums ---- */

static const size_t counts[] = {1, 2, 3, 0x7FFE, 0x7FFF, 0x8000, 0x8001, 0xFFFF, 0x10000, 0x10001, MOST};

/* Only one element, and the sums of all are exact in doubles. */
static void equal_elements(void **state)
{
    (void)state;
    for (unsigned k = 0; k < 2 * INTEGERS; k++) {
        const uint32_t dtype = integers[k / 2].dtype;
        const unsigned size = integers[k / 2].size;
        const int64_t element = k % 2 != 0 ? integers[k / 2].greatest : integers[k / 2].least;
        const double value = (double)element;

        for (size_t i = 0; i < MOST; i++)
            put(memory + i * size, size, (uint64_t)element);
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
            const size_t count = counts[i];

            expect(reduce(&utet_fold_sum, dtype, memory, count, size), (double)count * value, "sum", dtype, count);
            expect(reduce(&utet_fold_mean, dtype, memory, count, size), value, "mean", dtype, count);
            expect(reduce(&utet_fold_norm_l1, dtype, memory, count, size), (double)count * fabs(value), "norm_l1",
                   dtype, count);
            expect(reduce(&utet_fold_var, dtype, memory, count, size), 0, "var", dtype, count);
        }
        expect(reduce(&utet_fold_norm_l2, dtype, memory, 0x10000, size), 256 * fabs(value), "norm_l2", dtype, 0x10000);
    }
}

/* First the smallest element, then the largest one, as often: the variance is the square of half their difference. */
static void opposite_elements(void **state)
{
    (void)state;
    for (unsigned k = 0; k < INTEGERS; k++) {
        const uint32_t dtype = integers[k].dtype;
        const unsigned size = integers[k].size;
        const uint64_t difference = (uint64_t)(integers[k].greatest - integers[k].least);

        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
            const size_t half = counts[i] / 2;

            if (half == 0)
                continue;
            for (size_t j = 0; j < 2 * half; j++)
                put(memory + j * size, size, (uint64_t)(j < half ? integers[k].least : integers[k].greatest));
            expect(reduce(&utet_fold_var, dtype, memory, 2 * half, size), ldexp((double)(difference * difference), -2),
                   "var", dtype, 2 * half);
        }
    }
}

/* ---- any address, any distance ---- */

static int64_t value_of(unsigned k, const uint8_t *at)
{
    uint64_t bits = 0;

    for (unsigned i = integers[k].size; i-- != 0;)
        bits = bits << 8 | at[i];
    if (integers[k].least < 0 && bits >> (8 * integers[k].size - 1) != 0)
        return (int64_t)bits - ((int64_t)1 << 8 * integers[k].size);
    return (int64_t)bits;
}

static void any_address(void **state)
{
    uint64_t random = 7;

    (void)state;
    for (size_t i = 0; i < 4096; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        memory[i] = (uint8_t)(random >> 56);
    }
    for (unsigned k = 0; k < INTEGERS; k++)
        for (unsigned from = 0; from < 8; from++)
            for (unsigned stride = 0; stride < 13; stride += stride < 9 ? 1 : 3)
                for (size_t count = 1; count < 24; count += count < 6 ? 1 : 9) {
                    const uint32_t dtype = integers[k].dtype;
                    int64_t sum = 0, sizes = 0;

                    for (size_t i = 0; i < count; i++) {
                        const int64_t value = value_of(k, memory + from + i * stride);

                        sum += value;
                        sizes += value < 0 ? -value : value;
                    }
                    expect(reduce(&utet_fold_sum, dtype, memory + from, count, stride), (double)sum, "sum", dtype,
                           count);
                    expect(reduce(&utet_fold_norm_l1, dtype, memory + from, count, stride), (double)sizes, "norm_l1",
                           dtype, count);
                }
}

/* ---- a cell for each element ---- */

/* As many rows of a small integer as make the waiting elements of a cell full, one more and one less: of each cell
 * alone, and of two parts that are added. */
static void rows_of_small_integers(void **state)
{
    (void)state;
    for (unsigned k = 0; integers[k].size <= 2; k++)
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
            const uint32_t dtype = integers[k].dtype;
            const unsigned size = integers[k].size;
            const int64_t row[CELLS] = {integers[k].least, integers[k].greatest, 1};

            for (unsigned c = 0; c < CELLS; c++)
                put(memory + c * size, size, (uint64_t)row[c]);
            memset(cells, 0, sizeof cells);
            for (size_t j = 0; j < counts[i]; j++)
                take(&utet_fold_sum, dtype, memory, CELLS, size, sizeof cells[0]);
            for (unsigned c = 0; c < CELLS; c++) {
                expect(result(&utet_fold_sum, dtype, c), (double)counts[i] * (double)row[c], "sum", dtype, counts[i]);
                assert_int_equal(cells[c][0], counts[i]);
            }
            /* elements of one cell, and then of a cell each again */
            take(&utet_fold_mean, dtype, memory + size, 1, size, 0);
            take(&utet_fold_mean, dtype, memory + size, 1, size, sizeof cells[0]);
            memset(cells[1], 0, sizeof cells[1]);
            assert_int_equal(cells[0][0], counts[i] + 1);
            take(&utet_fold_mean, dtype, memory, 2, size, sizeof cells[0]);
            take(&utet_fold_mean, dtype, memory + size, 1, size, 0);
            expect(result(&utet_fold_mean, dtype, 1), (double)row[1], "mean", dtype, 1);
        }
}

static const float some[] = {0, -0.0f, 1, -1, 2.5f, -2.5f, INFINITY, -INFINITY, NAN, 0x1p-149f, -0x1p-149f};

/* The index of the least or the greatest of 4 elements: the first of equal ones; NaN is last. */
static unsigned extreme_of(const float *of, int greatest)
{
    unsigned best = 0;

    for (unsigned i = 1; i < 4; i++)
        if (!isnan(of[i]) && (isnan(of[best]) || (greatest ? of[i] > of[best] : of[i] < of[best])))
            best = i;
    return best;
}

/* The result of each cell for a column of 4 elements, which are read from the first to the last, or in the opposite
 * direction. */
static void reduce_columns(const utet_fold_operation *operation, const float *column, int back, double *results)
{
    static utet_fold fold;
    fold_part part = {.fold = &fold,
                      .layout = &utet_dtype_layouts[UTET_F32],
                      .data = memory,
                      .count = CELLS,
                      .stride = 4,
                      .cell = (void *)cells,
                      .cell_step = sizeof cells[0]};

    memset(cells, 0, sizeof cells);
    fold.priv.operation = operation;
    for (unsigned i = 0; i < 4; i++) {
        uint32_t bits;

        part.place = back ? 3 - i : i;
        memcpy(&bits, &column[part.place], 4);
        for (unsigned c = 0; c < CELLS; c++)
            put(memory + 4 * c, 4, bits);
        operation->take(&part);
    }
    for (unsigned c = 0; c < CELLS; c++)
        results[c] = result(operation, UTET_F32, c);
}

static void columns_of_floats(void **state)
{
    enum { SOME = sizeof some / sizeof *some };

    (void)state;
    for (unsigned n = 0; n < SOME * SOME * SOME * SOME; n++)
        for (int greatest = 0; greatest < 2; greatest++)
            for (int back = 0; back < 2; back++) {
                const float column[4] = {some[n % SOME], some[n / SOME % SOME], some[n / SOME / SOME % SOME],
                                         some[n / SOME / SOME / SOME]};
                const unsigned best = extreme_of(column, greatest);
                double results[CELLS];

                reduce_columns(greatest ? &utet_fold_arg_max : &utet_fold_arg_min, column, back, results);
                for (unsigned c = 0; c < CELLS; c++)
                    expect(results[c], best, "index", UTET_F32, n);
                reduce_columns(greatest ? &utet_fold_max : &utet_fold_min, column, back, results);
                for (unsigned c = 0; c < CELLS; c++)
                    suite_check(isnan(results[c]) ? isnan(column[best]) : results[c] == (double)column[best],
                                "column %u: %g", n, results[c]);
            }
}

/* ---- sums of f64 ---- */

/* a - b - a is -b, whichever words of the sum the two are in: a borrow passes through all words between them. */
static void far_apart(void **state)
{
    static const double fractions[] = {1, 0x1.fffffffffffffp0, 0x1.0000000000001p0};

    (void)state;
    for (int high = -1022; high < 1024; high += 29)
        for (int low = -1022; low < 1024; low += 31)
            for (unsigned k = 0; k < 6; k++) {
                const double a = ldexp(k % 2 != 0 ? -1 : 1, high) * fractions[k / 2];
                const double b = ldexp(k % 2 != 0 ? -1 : 1, low) * fractions[k / 2];
                const double values[] = {a, -b, -a, 0};
                uint64_t bits;

                for (unsigned i = 0; i < 4; i++) {
                    memcpy(&bits, &values[i], 8);
                    put(memory + 8 * i + 1, 8, bits);
                }
                expect(reduce(&utet_fold_sum, UTET_F64, memory + 1, 4, 8), -b, "sum", UTET_F64, k);
                expect(reduce(&utet_fold_norm_l1, UTET_F64, memory + 9, 1, 8), fabs(b), "norm_l1", UTET_F64, k);
                memset(cells, 0, sizeof cells);
                for (unsigned i = 0; i < 3; i++)
                    take(&utet_fold_mean, UTET_F64, memory + 1 + 8 * i, 2, 8, sizeof cells[0]);
                expect(result(&utet_fold_sum, UTET_F64, 0), -b, "sum", UTET_F64, k);
            }
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        cmocka_unit_test(equal_elements),         cmocka_unit_test(opposite_elements), cmocka_unit_test(any_address),
        cmocka_unit_test(rows_of_small_integers), cmocka_unit_test(columns_of_floats), cmocka_unit_test(far_apart),
    };

    return SUITE("foldloops", cases);
}
