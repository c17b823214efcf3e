/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The loops of quantiles, histograms and products (fold_ranks.c, fold_product.c), called without a file: every dtype,
 * random bits and special values, elements of one cell or of a cell each, digits of every length. Quantiles are
 * compared with sorted elements, histograms with those of parts of one element, whose bins are computed exactly,
 * products with those of doubles.
 */
#include "fold/fold.h"
#include "suite.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 600, SOME = 150, CELLS = 2, CELL_WORDS = 8 + (1 << 16) };

static uint8_t elements[8 * COUNT + 1];
static uint64_t cells[CELLS * CELL_WORDS];
static uint64_t other[CELLS * CELL_WORDS];
static utet_fold fold;
static utet_file file;
static uint64_t state_of_random = 5;

static uint64_t any(void)
{
    state_of_random = state_of_random * 6364136223846793005u + 1442695040888963407u;
    return state_of_random ^ state_of_random >> 29;
}

static void put(size_t i, unsigned size, uint64_t bits)
{
    for (unsigned k = 0; k < size; k++, bits >>= 8)
        elements[1 + i * size + k] = (uint8_t)bits;
}

static uint64_t get(size_t i, unsigned size)
{
    uint64_t bits = 0;

    for (unsigned k = size; k-- != 0;)
        bits = bits << 8 | elements[1 + i * size + k];
    return bits;
}

/* Opens a fold as fold.c does. */
static void begin(utet_fold_request *request, uint32_t dtype, const utet_fold_operation *operation)
{
    static utet_dataset dataset;
    static utet_range range;

    dataset.ndim = 1;
    dataset.shape[0] = COUNT;
    range = (utet_range){0, COUNT, 1};
    request->ranges = &range;
    dataset.dtype = (uint8_t)dtype;
    request->dataset = &dataset;
    request->axes = UTET_FOLD_ALL;
    request->operation = operation;
    memset(&fold, 0, sizeof fold);
    memset(cells, 0, operation == &utet_fold_histogram ? 16 * (UTET_FOLD_MAX_BINS + 8) : sizeof cells);
    fold.priv.file = &file;
    fold.priv.layout = &utet_dtype_layouts[dtype];
    fold.priv.operation = operation;
    fold.priv.values = 1;
    fold.priv.least_bytes = operation->bytes;
    fold.priv.cells = 1;
    assert_int_equal(operation->prepare(&fold, request), UTET_OK);
    file.priv.work = (void *)cells;
}

/* Takes `count` elements from number `from` on, `step` bytes from cell to cell. */
static void take(size_t from, size_t count, uint8_t *cell, size_t step)
{
    const unsigned size = fold.priv.layout->bytes;
    const fold_part part = {.fold = &fold,
                            .layout = fold.priv.layout,
                            .data = elements + 1 + from * size,
                            .count = count,
                            .stride = size,
                            .cell = cell,
                            .cell_step = step,
                            .place_step = 1};

    fold.priv.operation->take(&part);
}

/* ---- quantiles ---- */

static int by_key(const void *a, const void *b)
{
    const uint64_t x = utet_fold_key(fold.priv.layout, *(const uint64_t *)a);
    const uint64_t y = utet_fold_key(fold.priv.layout, *(const uint64_t *)b);

    return (x > y) - (x < y);
}

static int is_nan(uint64_t bits)
{
    return fold_is_nan(fold.priv.layout, bits);
}

/* Elements close together, or anything but NaN. */
static void fill(unsigned size, size_t count, int near)
{
    uint64_t middle = any();

    for (size_t i = 0; i < count; i++) {
        uint64_t bits;

        for (;;) {
            bits = (near ? middle + any() % 40 : any()) & fold_most(fold.priv.layout);
            if (!is_nan(bits))
                break;
            middle = any();
        }
        put(i, size, bits);
    }
}

/* The element of rank q * (count - 1), a whole number, of the first `count` elements; every second one has a cell of
 * its own if step != 0. */
static void check_rank(uint32_t dtype, unsigned bits, int each, int near, double q)
{
    utet_fold_request request = {.q = q};
    uint64_t sorted[CELLS][COUNT];
    const unsigned per = each ? 257 : 513; /* q * (per - 1) has no fraction */
    const unsigned used = each ? 2 : 1;
    double results[CELLS];
    uint32_t turns = 0;

    begin(&request, dtype, &utet_fold_quantile);
    fold.priv.own_bytes = fold.priv.cell_bytes = sizeof(fold_rank) + ((size_t)8 << bits);
    fold.priv.cells = used;
    fill(fold.priv.layout->bytes, (size_t)per * used, near);
    for (size_t i = 0; i < (size_t)per * used; i++)
        sorted[i % used][i / used] = get(i, fold.priv.layout->bytes);
    do {
        if (each)
            for (size_t i = 0; i < per; i++)
                take(2 * i, 2, (void *)cells, fold.priv.cell_bytes);
        else
            for (size_t i = 0; i < per; i += 171)
                take(i, 171, (void *)cells, 0);
        turns++;
    } while (fold.priv.turns->again(&fold, results) && ++fold.priv.turn < 40);
    assert_true(turns <= fold.priv.turns->passes(&fold));
    for (unsigned c = 0; c < used; c++) {
        uint64_t want;
        uint64_t got;

        qsort(sorted[c], per, sizeof *sorted[c], by_key);
        want = utet_fold_promote(fold.priv.layout,
                                 utet_fold_key(fold.priv.layout, sorted[c][(size_t)(q * (double)(per - 1))]));
        memcpy(&got, &results[c], 8);
        suite_check(got == want, "dtype %u, digits of %u bits, cell %u, q %g: %a", (unsigned)dtype, bits, c, q,
                    results[c]);
    }
}

static void ranks(void **state)
{
    static const double qs[] = {0, 0.25, 0.5, 0.75, 1};

    (void)state;
    for (uint32_t dtype = 1; dtype < UTET_DTYPE_END; dtype++)
        for (unsigned bits = 4; bits <= (FOLD_ROOMY ? 16 : 8); bits += bits < 9 ? 1 : 2 + (bits & 1))
            for (unsigned k = 0; k < 4 * (sizeof qs / sizeof *qs); k++)
                check_rank(dtype, bits, k & 1, k >> 1 & 1, qs[k / 4]);
}

/* Between two elements, of which the next one is in the same digit, another one, or far away; and NaN. */
static void next_keys(void **state)
{
    (void)state;
    for (uint32_t dtype = 1; dtype < UTET_DTYPE_END; dtype++)
        for (unsigned bits = 4; bits <= (FOLD_ROOMY ? 16 : 8); bits++)
            for (unsigned k = 0; k < 10; k++) {
                utet_fold_request request = {0};
                const fold_layout *layout = &utet_dtype_layouts[dtype];
                const uint64_t first = layout->kind == FOLD_FLOAT ? layout->sign : 0;
                const uint64_t last = fold_most(layout) - (layout->kind == FOLD_FLOAT ? fold_most(layout) / 3 : 0);
                const uint64_t a = first + any() % ((last - first) / 2);
                const uint64_t b = k == 9 ? last : a + any() % (k < 5 ? 20 : (last - a) / 2);
                double results[1];

                begin(&request, dtype, &utet_fold_median);
                fold.priv.own_bytes = fold.priv.cell_bytes = sizeof(fold_rank) + ((size_t)8 << bits);
                put(0, layout->bytes, utet_fold_unkey(layout, b));
                put(1, layout->bytes, utet_fold_unkey(layout, a));
                put(2, layout->bytes, utet_fold_unkey(layout, b));
                put(3, layout->bytes, utet_fold_unkey(layout, first));
                do
                    take(0, 4, (void *)cells, 0);
                while (fold.priv.turns->again(&fold, results) && ++fold.priv.turn < 40);
                assert_int_equal(((const fold_rank *)(const void *)cells)->digits, a);
                assert_int_equal(((const fold_rank *)(const void *)cells)->next, b);
                if (layout->kind != FOLD_FLOAT)
                    continue;
                begin(&request, dtype, &utet_fold_median);
                fold.priv.own_bytes = fold.priv.cell_bytes = sizeof(fold_rank) + ((size_t)8 << bits);
                put(k & 3, layout->bytes, ((k & 4) != 0 ? fold_most(layout) : layout->sign - 1) - (k & 1));
                take(0, 4, (void *)cells, 0);
                assert_int_equal(fold.priv.turns->again(&fold, results), 0);
                assert_true(isnan(results[0]));
            }
}

/* ---- histograms ---- */

static double value_at(size_t i)
{
    const fold_layout *layout = fold.priv.layout;

    return utet_fold_value(utet_fold_promote(layout, utet_fold_key(layout, get(i, layout->bytes))));
}

/* An element close to a number: of floats one of its neighbours. */
static uint64_t element_near(const fold_layout *layout, double value)
{
    uint64_t low = 0;
    uint64_t high = fold_most(layout);

    while (low < high) { /* the first key whose value is not less */
        const uint64_t key = low + (high - low) / 2;
        const uint64_t bits = utet_fold_unkey(layout, key);
        const int below = fold_is_nan(layout, bits) ? (key >> (8 * layout->bytes - 1) == 0)
                                                    : utet_fold_value(utet_fold_promote(layout, key)) < value;

        low = below ? key + 1 : low;
        high = below ? high : key;
    }
    return utet_fold_unkey(layout, (low + any() % 5 - 2) & fold_most(layout));
}

static void fill_bins(double low, double high, uint32_t many, unsigned kind)
{
    const fold_layout *layout = fold.priv.layout;

    for (size_t i = 0; i < SOME; i++) {
        uint64_t bits = any();

        if (kind == 1 || (kind == 2 && i % 2 != 0))
            bits = element_near(layout, utet_fold_edge(low, high, many, (uint32_t)(any() % (many + 1))));
        else if (kind == 2)
            bits = element_near(layout, low + (high - low) * ldexp((double)(any() >> 11), -53));
        else if (kind == 3)
            bits = i % 7 == 0 ? 0 : i % 7 == 1 ? layout->sign : any() % 3000;
        put(i, layout->bytes, bits & fold_most(layout));
    }
}

/* All at once, and one by one. */
static void check_bins(uint32_t dtype, uint32_t many, uint32_t room, int has_range, double low, double high)
{
    for (unsigned k = 0; k < 8; k++) {
        utet_fold_request request = {.bins = (uint16_t)many, .has_range = (uint8_t)has_range, .low = low, .high = high};
        static double results[2 * (UTET_FOLD_MAX_BINS + 2)];
        const unsigned each = k & 1;

        begin(&request, dtype, &utet_fold_histogram);
        fold.priv.cell_bytes = fold.priv.own_bytes = fold.priv.wide_bytes - 8 * (size_t)(many - room);
        fill_bins(low, high, many, k / 2);
        fold.priv.cells = 1 + each;
        do {
            const size_t step = each ? fold.priv.cell_bytes : 0;
            const size_t some = each ? 2 : SOME / 3;

            memcpy(other, cells, 2 * fold.priv.cell_bytes);
            for (size_t i = 0; i < SOME; i += some)
                take(i, some, (void *)cells, step);
            for (size_t i = 0; i < SOME; i++)
                take(i, 1, (uint8_t *)other + (i % 2) * step, 0);
            for (unsigned c = 0; c <= each; c++) { /* a bin of one element is always exact; the head may be unset */
                const size_t at = c * fold.priv.cell_bytes / 8;
                const size_t head = fold.priv.wide_bytes / 8 - many;
                const int finding = !has_range && fold.priv.turn == 0;

                suite_check(memcmp(cells + at + (finding ? 0 : head), other + at + (finding ? 0 : head),
                                   8 * (finding ? head : room)) == 0,
                            "dtype %u, %u bins from %a to %a, elements %u, turn %u, cell %u", (unsigned)dtype,
                            (unsigned)many, low, high, k, (unsigned)fold.priv.turn, c);
            }
            memcpy(cells, other, 2 * fold.priv.cell_bytes);
        } while (fold.priv.turns->again(&fold, results) && ++fold.priv.turn < 2000);
    }
}

static void bins(void **state)
{
    static const double ranges[][2] = {{0, 256},
                                       {-1, 1},
                                       {0.1, 0.7},
                                       {1000, 1001},
                                       {-40000, 40000},
                                       {0, 0x1p-140},
                                       {-0x1p-20, 0x1p127},
                                       {-FLT_MAX, FLT_MAX},
                                       {-DBL_MAX, DBL_MAX},
                                       {0x1p60, 0x1p61},
                                       {-65504, 65504},
                                       {-0x1p31, 0x1p31},
                                       {3, 0x1p32},
                                       {1e6, 1000003},
                                       {-5e-324, 5e-324},
                                       {-7.5, -0.0}};

    (void)state;
    for (uint32_t dtype = 1; dtype < UTET_DTYPE_END; dtype++)
        for (size_t r = 0; r < sizeof ranges / sizeof *ranges; r++) {
            static const uint32_t manies[] = {1, 2, 7, 16, 32, 100, 1000, UTET_FOLD_MAX_BINS};
            const uint32_t many = manies[any() % 8];

            for (int has_range = 0; has_range < 2; has_range++) {
                check_bins(dtype, many, many, has_range, ranges[r][0], ranges[r][1]);
                check_bins(dtype, 32, 32, has_range, ranges[r][0], ranges[r][1]);
                check_bins(dtype, 20, 11, has_range, ranges[r][0], ranges[r][1]);
            }
        }
}

/* ---- products ---- */

/* A product of doubles, whose exponent has no limit. */
typedef struct wide_double {
    double fraction;
    int exponent;
} wide_double;

static void multiply(wide_double *product, double by)
{
    int moved;
    int seen = 0;

    product->fraction = frexp(product->fraction * frexp(by, &moved), &seen);
    product->exponent += moved + seen;
}

static void check_product(const uint64_t *cell, const wide_double *product, size_t count)
{
    const double got = utet_fold_value(fold.priv.operation->finish(&fold, fold.priv.layout, (void *)(uintptr_t)cell));
    const double want = product->exponent > 5000    ? product->fraction * INFINITY
                        : product->exponent < -5000 ? copysign(0, product->fraction)
                                                    : ldexp(product->fraction, product->exponent);

    suite_check(memcmp(&got, &want, 8) == 0 || (isnan(got) && isnan(want)), "dtype %u, %u elements: %a, not %a",
                (unsigned)fold.priv.dataset->dtype, (unsigned)count, got, want);
}

/* Any bits, without 0 and NaN unless `all`; of floats every third time also subnormal ones, and every fifth time only
 * such with four bits, whose products are often halfway between two numbers of 53 bits. */
static uint64_t any_factor(unsigned k, unsigned shift, int all)
{
    const fold_layout *const layout = fold.priv.layout;
    uint64_t bits = any();

    if (layout->kind != FOLD_FLOAT)
        bits = (bits & fold_most(layout)) >> shift % (8 * layout->bytes);
    else if (k % 3 == 0)
        bits >>= any() % (8 * layout->bytes);
    else if (k % 5 == 0)
        bits &= ~((((uint64_t)1 << layout->fraction) - 1) >> 3);
    bits &= fold_most(layout);
    if (!all && bits << (65 - 8 * layout->bytes) == 0)
        bits = 1;
    return !all && is_nan(bits) ? layout->sign / 2 : bits;
}

static void products(void **state)
{
    const size_t step = sizeof *cells * 8;

    (void)state;
    for (uint32_t dtype = 1; dtype < UTET_DTYPE_END && FLT_EVAL_METHOD == 0; dtype++)
        for (unsigned k = 0; k < 400; k++) {
            utet_fold_request request = {0};
            const size_t count = 1 + (size_t)(any() % (k % 4 == 0 ? COUNT : 40));
            const unsigned shift = (unsigned)(any() % 30);
            wide_double want = {1, 0};

            begin(&request, dtype, &utet_fold_product);
            fold.priv.dataset = request.dataset;
            for (size_t i = 0; i < count; i++) {
                put(i, fold.priv.layout->bytes, any_factor(k, shift, k % 8 == 7));
                multiply(&want, value_at(i));
            }
            take(0, count / 2, (void *)cells, 0);
            take(count / 2, count - count / 2, (void *)cells, 0);
            check_product(cells, &want, count);

            memset(cells, 0, count * step); /* a cell each, of two elements */
            take(0, count / 2, (void *)cells, step);
            take(count / 2, count / 2, (void *)cells, step);
            for (size_t i = 0; i < count / 2; i++) {
                want = (wide_double){1, 0};
                multiply(&want, value_at(i));
                multiply(&want, value_at(count / 2 + i));
                check_product(cells + i * 8, &want, 2);
            }
        }
}

/* The first four are 2^72 - 1 together, which is rounded up to 54 bits: at the end of a run, and within one. */
static void products_rounded_up(void **state)
{
    static const float factors[] = {3968055, 294409, 433, 9335617, -3};

    (void)state;
    for (size_t count = 4; count <= 5; count++) {
        utet_fold_request request = {0};
        wide_double want = {1, 0};

        begin(&request, UTET_F32, &utet_fold_product);
        fold.priv.dataset = request.dataset;
        for (size_t i = 0; i < count; i++) {
            uint32_t bits;

            memcpy(&bits, &factors[i], sizeof bits);
            put(i, 4, bits);
            multiply(&want, (double)factors[i]);
        }
        assert_true(count == 5 || (want.fraction == 0.5 && want.exponent == 73));
        take(0, count, (void *)cells, 0);
        check_product(cells, &want, count);
        put(0, 4, 0x3FC00000u); /* 1.5 */
        multiply(&want, 1.5);
        take(0, 1, (void *)cells, 0);
        check_product(cells, &want, count + 1);
    }
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        cmocka_unit_test(ranks),    cmocka_unit_test(next_keys),           cmocka_unit_test(bins),
        cmocka_unit_test(products), cmocka_unit_test(products_rounded_up),
    };

    return SUITE("foldranks", cases);
}
