/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Which elements a fold counts, and how: special values, fills, masks, filters; f32 reduced as f64, many elements.
 * Filters over random elements are compared with comparisons of doubles and of integers.
 */
#include "fold/fold.h"
#include "foldworld.h"

#include <math.h>
#include <string.h>

/* ---- special values; the expected results follow from the definitions in utet_fold.h ---- */

/* The only result over these doubles. */
static double over_as(utet_fold_request request, const utet_fold_filter *filter, size_t count, const double *values)
{
    static foldworld w;
    double got;

    foldworld_axis(&w, count, count, values);
    foldworld_start(&w, 4000);
    w.ranges[0] = (utet_range){0, count, 1};
    w.request = request;
    w.request.dataset = &w.d;
    w.request.ranges = w.ranges;
    w.request.axes = UTET_FOLD_ALL;
    assert_int_equal(foldworld_fold(&w, filter), UTET_OK);
    assert_int_equal(w.count, 1);
    memcpy(&got, w.bits, 8);
    rig_end(&w.r, "values");
    tetgen_free(&w.g);
    return got;
}

static double over(const utet_fold_operation *operation, const utet_fold_filter *filter, size_t count,
                   const double *values)
{
    return over_as((utet_fold_request){.operation = operation, .has_fill = 1, .fill = NAN}, filter, count, values);
}

static void special_values(void **state)
{
    static const struct {
        const utet_fold_operation *operation;
        double want;
        size_t count;
        double values[4];
    } rows[] = {
        {&utet_fold_sum, NAN, 2, {NAN, 1}},
        {&utet_fold_sum, INFINITY, 2, {INFINITY, 1}},
        {&utet_fold_sum, -INFINITY, 2, {-INFINITY, 1}},
        {&utet_fold_sum, NAN, 2, {INFINITY, -INFINITY}},
        {&utet_fold_sum, INFINITY, 2, {1e308, 1e308}},
        {&utet_fold_sum, 1e308, 3, {1e308, 1e308, -1e308}},
        {&utet_fold_sum, 0, 2, {-0.0, -0.0}},
        {&utet_fold_sum, 1e-320, 3, {1e300, 1e-320, -1e300}},
        {&utet_fold_mean, -INFINITY, 1, {-INFINITY}},
        {&utet_fold_mean, -1e308, 2, {-1e308, -1e308}},
        {&utet_fold_mean, 0, 4, {5e-324, 5e-324, 0, 0}},
        {&utet_fold_mean, 5e-324, 4, {5e-324, 5e-324, 5e-324, 0}},
        {&utet_fold_nan_mean, 3, 3, {NAN, 2, 4}},
        {&utet_fold_nan_mean, NAN, 1, {NAN}},
        {&utet_fold_nan_std, 1, 3, {2, NAN, 4}},
        {&utet_fold_nan_std, NAN, 2, {2, INFINITY}},
        {&utet_fold_norm_l1, INFINITY, 2, {-INFINITY, INFINITY}},
        {&utet_fold_norm_l1, 7, 2, {-3, 4}},
        {&utet_fold_norm_l2, 5, 2, {-3, 4}},
        {&utet_fold_norm_l2, 5e-324, 1, {5e-324}},
        {&utet_fold_norm_l2, INFINITY, 1, {-INFINITY}},
        {&utet_fold_norm_l2, NAN, 2, {NAN, 1}},
        {&utet_fold_var, 0, 1, {-7}},
        {&utet_fold_var, NAN, 2, {NAN, 1}},
        {&utet_fold_var, 1, 2, {-1e15, -1e15 - 2}},
        {&utet_fold_std, 3, 2, {1e9, 1e9 + 6}},
        {&utet_fold_min, -0.0, 3, {NAN, 0, -0.0}},
        {&utet_fold_max, 0, 2, {0, -0.0}},
        {&utet_fold_max, -INFINITY, 2, {NAN, -INFINITY}},
        {&utet_fold_min, NAN, 2, {NAN, NAN}},
        {&utet_fold_arg_min, 1, 4, {NAN, 0, -0.0, 3}},
        {&utet_fold_arg_max, 0, 2, {NAN, NAN}},
        {&utet_fold_nan_count, 2, 3, {NAN, NAN, INFINITY}},
        {&utet_fold_inf_count, 2, 3, {NAN, -INFINITY, INFINITY}},
        {&utet_fold_null_count, 1, 3, {NAN, -INFINITY, 0}},
        {&utet_fold_any_nan, 1, 2, {NAN, 1}},
        {&utet_fold_any_inf, 0, 2, {NAN, 1}},
        {&utet_fold_all_finite, 0, 2, {1, -INFINITY}},
        {&utet_fold_product, -6, 2, {2, -3}},
        {&utet_fold_product, -0.0, 2, {0, -1}},
        {&utet_fold_product, NAN, 2, {0, INFINITY}},
        {&utet_fold_product, NAN, 2, {1, NAN}},
        {&utet_fold_product, -INFINITY, 2, {-1, INFINITY}},
        {&utet_fold_product, INFINITY, 2, {1e308, 1e308}},
        {&utet_fold_product, 0, 2, {1e-308, 1e-308}},
        {&utet_fold_product, 1e308, 4, {1e308, 1e308, 1, 1e-308}},
        {&utet_fold_product, 1, 2, {1 + 0x1p-30, 1 - 0x1p-30}},
        {&utet_fold_product, 0x1.0000000000004p0, 2, {0x1.0000000000001p0, 0x1.0000000000003p0}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double got = over(rows[i].operation, NULL, rows[i].count, rows[i].values);

        /* 1e308 * 1e308 * 1e-308 is rounded three times, 1e308 once. */
        suite_check((isnan(got) && isnan(rows[i].want)) || memcmp(&got, &rows[i].want, 8) == 0 ||
                        (rows[i].want == 1e308 && got > 1e308 * (1 - 1e-15) && got < 1e308 * (1 + 1e-15)),
                    "row %u: %g, expected %g", (unsigned)i, got, rows[i].want);
    }
}

/* 1, 2 or 3, as stored. */
static void put_number(uint32_t dtype, unsigned n, uint8_t *at)
{
    static const uint64_t halves[] = {0, 0x3C00, 0x4000, 0x4200};
    static const uint64_t floats[] = {0, 0x3F800000, 0x40000000, 0x40400000};
    static const uint64_t doubles[] = {0, 0x3FF0000000000000, 0x4000000000000000, 0x4008000000000000};
    uint64_t bits = dtype == UTET_F16 ? halves[n] : dtype == UTET_F32 ? floats[n] : dtype == UTET_F64 ? doubles[n] : n;

    for (unsigned i = 0; i < 8; i++, bits >>= 8)
        at[i] = (uint8_t)bits;
}

/* Elements that a filter excludes are overwritten, in every dtype, whether or not the new ones would pass it. */
static void masks(void **state)
{
    static const utet_fold_filter filters[] = {{.tests = UTET_FOLD_NE, .ne = 2},
                                               {.tests = UTET_FOLD_GE | UTET_FOLD_LT, .ge = 1, .lt = 3},
                                               {.tests = UTET_FOLD_GT, .gt = 100},
                                               {.tests = UTET_FOLD_LE, .le = 100}};
    static const uint8_t kept[4][5] = {{1, 0, 1, 1, 0}, {1, 1, 0, 1, 1}, {0}, {1, 1, 1, 1, 1}}; /* of 1 2 3 1 2 */
    static const uint8_t instead[8] = {0xEE, 0xEE, 0xEE, 0xEE, 0xEE, 0xEE, 0xEE, 0xEE};
    static foldworld w;

    (void)state;
    for (uint32_t dtype = 1; dtype <= 10; dtype++) {
        foldworld_build(&w, dtype, TETGEN_RAW, 0, foldworld_whole);
        for (unsigned f = 0; f < 4; f++) {
            uint8_t elements[6 * 8];
            uint8_t before[6 * 8];
            size_t size;

            foldworld_start(&w, 4000);
            w.request.operation = &utet_fold_count;
            DRIVE_OK(utet_fold_open(&w.fold, &w.r.file, &w.request));
            DRIVE_OK(utet_fold_where(&w.fold, &filters[f]));
            size = w.d.elem_size;
            for (unsigned i = 0; i < 5; i++)
                put_number(dtype, 1 + i % 3u, elements + i * size);
            memcpy(before, elements, sizeof before);
            for (size_t count = 0; count <= 5; count++) {
                assert_int_equal(utet_fold_mask(&w.fold, elements, count, instead), UTET_OK);
                for (size_t i = 0; i < 5; i++)
                    suite_check(
                        memcmp(elements + i * size, i >= count || kept[f][i] ? before + i * size : instead, size) == 0,
                        "dtype %u, filter %u, element %u of %u", (unsigned)dtype, f, (unsigned)i, (unsigned)count);
                memcpy(elements, before, sizeof before);
            }
        }
        rig_end(&w.r, "mask");
        tetgen_free(&w.g);
    }
}

/* null_count counts another value than the one that filters treat as null. */
static void two_fills(void **state)
{
    static const double values[] = {3, 5, 5, NAN, 7};
    static const utet_fold_filter known = {.tests = UTET_FOLD_IS_NOT_NULL};
    static const struct {
        utet_fold_request request;
        double want;
    } rows[] = {
        {{.has_fill = 1, .fill = 5, .counted = 3}, 0},
        {{.has_fill = 1, .fill = 5, .has_counted = 1, .counted = 3}, 1},
        {{.has_fill = 1, .fill = 3, .has_counted = 1, .counted = 5}, 2},
        {{.has_counted = 1, .counted = 5}, 2},
        {{.has_fill = 1, .fill = 7, .has_counted = 1, .counted = NAN}, 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        utet_fold_request request = rows[i].request;
        double got;

        request.operation = &utet_fold_null_count;
        got = over_as(request, &known, 5, values);
        suite_check(got == rows[i].want, "row %u: %g, expected %g", (unsigned)i, got, rows[i].want);
    }
}

static void filters(void **state)
{
    static const double values[] = {-2, -0.0, 0, 1, 1, NAN, INFINITY};
    static const struct {
        utet_fold_filter filter;
        double count;
    } rows[] = {
        {{.tests = UTET_FOLD_EQ, .eq = 0}, 1},
        {{.tests = UTET_FOLD_EQ, .eq = -0.0}, 1},
        {{.tests = UTET_FOLD_NE, .ne = 1}, 5},
        {{.tests = UTET_FOLD_LT, .lt = 0}, 1},
        {{.tests = UTET_FOLD_LT, .lt = -0.0}, 1},
        {{.tests = UTET_FOLD_LE, .le = -0.0}, 3},
        {{.tests = UTET_FOLD_GT, .gt = -0.0}, 3},
        {{.tests = UTET_FOLD_GE, .ge = 0}, 5},
        {{.tests = UTET_FOLD_GE | UTET_FOLD_LE, .ge = 0, .le = 1}, 4},
        {{.tests = UTET_FOLD_GT | UTET_FOLD_LT, .gt = 5, .lt = 1}, 0},
        {{.tests = UTET_FOLD_EQ, .eq = 0.5}, 0},
        {{.tests = UTET_FOLD_IS_NULL}, 1},
        {{.tests = UTET_FOLD_IS_NULL | UTET_FOLD_NE, .ne = 1}, 1},
        {{.tests = UTET_FOLD_IS_NOT_NULL}, 6},
        {{.tests = UTET_FOLD_IS_NULL | UTET_FOLD_EQ, .eq = 1}, 0},
        {{.tests = UTET_FOLD_IS_NOT_NULL | UTET_FOLD_NE, .ne = 1}, 4},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double got = over(&utet_fold_count, &rows[i].filter, 7, values);

        suite_check(got == rows[i].count, "row %u: %g, expected %g", (unsigned)i, got, rows[i].count);
    }
}

/* ---- filters over random elements, against comparisons of doubles and of integers ---- */

/* An element's bits as a double; those of i64 and u64 are rounded. */
static double as_double(uint32_t dtype, uint64_t bits)
{
    const int exponent = (int)(bits >> 10 & 31);
    const double fraction = (double)(bits & 1023);
    uint32_t single = (uint32_t)bits;
    double sign = (bits & 0x8000u) != 0 ? -1 : 1;
    float narrow;

    switch (dtype) {
    case UTET_I32: return (double)(int32_t)single;
    case UTET_I64: return (double)(int64_t)bits;
    case UTET_I16: return (double)(int16_t)(uint16_t)bits;
    case UTET_F64: memcpy(&sign, &bits, 8); return sign;
    case UTET_F32: memcpy(&narrow, &single, 4); return (double)narrow;
    case UTET_F16:
        if (exponent == 31)
            return fraction != 0 ? NAN : sign * INFINITY;
        return sign * (exponent == 0 ? ldexp(fraction, -24) : ldexp(fraction + 1024, exponent - 25));
    default: return (double)bits;
    }
}

static int same_bits(double a, double b)
{
    return memcmp(&a, &b, 8) == 0;
}

/* Below 0, 0, above 0: compares an element of 64 bits with number + rest, as integers. If the doubles differ, they
 * decide, except for a double to which an integer was rounded. */
static int order(uint32_t dtype, uint64_t bits, double number, int rest)
{
    const double x = as_double(dtype, bits);
    int64_t apart;

    if (fabs(number) < 0x1p53 || fabs(number) > 0x1p64 || fabs(x - number) > 0x1p40)
        return (x > number) - (x < number);
    /* close to each other: the difference of their lower 64 bits is small */
    apart = (int64_t)(bits - (number < 0 ? 0 - (uint64_t)-number : number < 0x1p64 ? (uint64_t)number : 0)) - rest;
    return (apart > 0) - (apart < 0);
}

static int passes(uint32_t dtype, uint64_t bits, const utet_fold_filter *filter, double fill, int fill_rest)
{
    const double numbers[6] = {filter->eq, filter->ne, filter->lt, filter->le, filter->gt, filter->ge};
    const double x = as_double(dtype, bits);
    const uint32_t t = filter->tests & 255;
    const int wide = dtype == UTET_I64 || dtype == UTET_U64;

    if (isnan(x) ||
        (wide ? !isnan(fill) && order(dtype, bits, fill, fill_rest) == 0 && (x < 0 || x > 0 || same_bits(x, fill))
              : same_bits(x, fill)))
        return (t & ~(uint32_t)(UTET_FOLD_IS_NULL | UTET_FOLD_NE)) == 0;
    if ((t & UTET_FOLD_IS_NULL) != 0)
        return 0;
    for (unsigned i = 0; i < 6; i++) {
        const int rest = (filter->tests & UTET_FOLD_RESTS) != 0 ? filter->rest[i] : 0;
        const int beyond = (filter->tests >> i & UTET_FOLD_FRACTION) != 0 ? signbit(numbers[i]) ? 1 : -1 : 0;
        const int whole = wide ? order(dtype, bits, numbers[i], rest) : (x > numbers[i]) - (x < numbers[i]);
        const int is = whole == 0 ? beyond : whole;
        const int same = wide ? is == 0 && (x < 0 || x > 0 || same_bits(x, numbers[i])) : same_bits(x, numbers[i]);
        const int holds[6] = {same, !same, is<0, is <= 0, is> 0, is >= 0};

        if ((t >> i & 1) != 0 && !holds[i])
            return 0;
    }
    return 1;
}

enum { ROW = 90 };

/* Elements with a few values each, some of which are where an order or a sign changes, in runs of 1 to 3. */
static void draw_elements(foldworld *w, unsigned size, uint64_t *seed, uint64_t *bits)
{
    uint8_t *payload = w->g.bytes + tetgen_get(w->g.bytes + w->g.index_offset + 32 + 72, 8);
    const uint64_t most = (((uint64_t)1 << (8 * size - 1)) - 1) * 2 + 1;
    const uint64_t infinite = w->data.dtype == UTET_F32   ? 0x7F800000u
                              : w->data.dtype == UTET_F64 ? 0x7FFull << 52
                                                          : 0x7C00;
    uint64_t pool[12] = {0, 1, most / 2, most / 2 + 1, most / 2 + 2, most, infinite & most};

    for (unsigned i = 7; i < 12; i++)
        pool[i] = (i > 9 ? pool[i - 1] + tetgen_random(seed) % 3 : tetgen_random(seed)) & most;
    for (unsigned i = 0; i < ROW; i++) {
        bits[i] = i != 0 && tetgen_random(seed) % 2 == 0 ? bits[i - 1] : pool[tetgen_random(seed) % 12];
        tetgen_put(payload + i * size, bits[i], size);
    }
}

/* A comparison with one of the elements, or with 0 of either sign; filters only take finite numbers. */
static double draw_number(uint32_t dtype, const uint64_t *bits, uint64_t *seed)
{
    double x = as_double(dtype, bits[tetgen_random(seed) % ROW]);

    return !isfinite(x) ? 0 : x == 0 && tetgen_random(seed) % 2 == 0 ? -0.0 : x;
}

/* Checks which elements pass, by a count of each element and by a count of all. */
static void filter_once(foldworld *w, const uint64_t *bits, uint64_t *seed, size_t *some)
{
    static const double odd[] = {0.5,      -0.5,     1.5,    -1.5,    0x1p-70, 1e300,
                                 0x1p64,   -0x1p64,  0x1p63, -0x1p63, -1e300,  0x1.0000000000001p63,
                                 0x1.8p64, -0x1.8p64};
    const uint32_t dtype = w->data.dtype;
    utet_fold_filter filter = {.tests = (uint32_t)(tetgen_random(seed) & tetgen_random(seed) & 255)};
    const int wide = dtype == UTET_I64 || dtype == UTET_U64;
    double fill = tetgen_random(seed) % 4 == 0 ? NAN : draw_number(dtype, bits, seed);
    const int fill_rest = wide && fabs(fill) >= 0x1p53 ? (int)(tetgen_random(seed) % 5) - 2 : 0;
    double *numbers[6] = {&filter.eq, &filter.ne, &filter.lt, &filter.le, &filter.gt, &filter.ge};

    if (filter.tests == 0)
        filter.tests = UTET_FOLD_NE;
    for (unsigned i = 0; i < 6; i++)
        *numbers[i] = draw_number(dtype, bits, seed);
    for (unsigned i = 0; i < 6; i++)
        if (dtype != UTET_F16 && dtype != UTET_F32 && dtype != UTET_F64 && tetgen_random(seed) % 8 == 0)
            *numbers[i] = odd[tetgen_random(seed) % (sizeof odd / sizeof odd[0])];
    for (unsigned i = 0; i < 6; i++)
        if (wide && tetgen_random(seed) % 2 == 0 && fabs(*numbers[i]) >= 0x1p53) {
            filter.tests |= UTET_FOLD_RESTS;
            filter.rest[i] = (int16_t)((int)(tetgen_random(seed) % 5) - 2);
            if (tetgen_random(seed) % 3 == 0)
                filter.tests |= (uint32_t)UTET_FOLD_FRACTION << i;
        }
    if ((filter.tests & 255) == 0)
        filter.tests |= UTET_FOLD_NE;
    foldworld_start(w, 20000);
    w->ranges[0] = (utet_range){0, ROW, 1};
    for (unsigned axes = 0; axes < 2; axes++) { /* a count for each element, and one for all */
        uint64_t count = 0;

        w->request = (utet_fold_request){.dataset = &w->d,
                                         .ranges = w->ranges,
                                         .operation = &utet_fold_count,
                                         .axes = (uint8_t)axes,
                                         .has_fill = 1,
                                         .fill = fill,
                                         .fill_rest = (int16_t)fill_rest};
        assert_int_equal(foldworld_fold(w, &filter), UTET_OK);
        for (unsigned i = 0; i < ROW; i++) {
            const int want = passes(dtype, bits[i], &filter, fill, fill_rest);
            double got;

            count += (unsigned)want;
            memcpy(&got, &w->bits[i], 8);
            if (axes == 0)
                suite_check(got == want, "dtype %u, tests %u, fill %g: %llx %g", (unsigned)dtype,
                            (unsigned)filter.tests, fill, (unsigned long long)bits[i], got);
        }
        assert_int_equal(w->fold.folded, count);
        *some += count != 0 && count != ROW;
    }
    rig_end(&w->r, "filter");
}

static void filters_at_random(void **state)
{
    static foldworld w;
    uint64_t seed = 4711, bits[ROW];
    size_t some = 0;

    (void)state;
    for (uint32_t dtype = UTET_F32; dtype <= UTET_U64; dtype++) {
        w.data =
            (tetgen_dataset){.name = "a", .name_length = 1, .dtype = dtype, .ndim = 1, .shape = {ROW}, .chunk = {ROW}};
        w.g = (tetgen){.datasets = &w.data, .count = 1, .seed = 5};
        tetgen_build(&w.g);
        for (unsigned turn = 0; turn < 60; turn++) {
            draw_elements(&w, tetgen_elem_size(dtype), &seed, bits);
            for (unsigned i = 0; i < 5; i++)
                filter_once(&w, bits, &seed, &some);
        }
        tetgen_free(&w.g);
    }
    suite_check(some >= 1000, "only %u filters let some elements pass and others not", (unsigned)some);
}

/* Floats of all magnitudes, close to each other and not, with zeros and numbers below the normal range: the same values
 * as f64, which use none of the loops for f32, have the same exact sums. */
static void f32_as_f64(void **state)
{
    enum { COUNT = 300 };
    static const utet_fold_operation *const sums[] = {&utet_fold_sum, &utet_fold_norm_l1, &utet_fold_norm_l2,
                                                      &utet_fold_var, &utet_fold_std,     &utet_fold_mean};
    static foldworld w;
    double values[COUNT];
    uint64_t seed = 17;

    (void)state;
    for (unsigned turn = 0; turn < 40; turn++) {
        const int large = turn % 8 == 7; /* next to infinity, which is also there */
        const int spread = large ? 3 : (int)(turn % 10) * 3;
        const int middle = large ? 124 : (int)(tetgen_random(&seed) % 277) - 138;

        w.data = (tetgen_dataset){
            .name = "a", .name_length = 1, .dtype = UTET_F32, .ndim = 1, .shape = {COUNT}, .chunk = {COUNT}};
        w.g = (tetgen){.datasets = &w.data, .count = 1, .seed = 5};
        tetgen_build(&w.g);
        for (unsigned i = 0; i < COUNT; i++) {
            const int odd = turn % 4 != 0 && tetgen_random(&seed) % 50 == 0;
            const int power = odd ? (int)(tetgen_random(&seed) % 277) - 149
                                  : middle + (spread != 0 ? (int)(tetgen_random(&seed) % (unsigned)spread) : 0);
            const uint64_t draw = tetgen_random(&seed);
            float value = (float)ldexp((double)(draw & 0xFFFFFF) / 0x1p23, power < 127 ? power : 126);
            uint32_t bits;

            if (turn % 3 == 0 && (draw >> 30) % 8 == 0)
                value = 0;
            if (large && i == COUNT / 2)
                value = INFINITY;
            value = (draw >> 40 & 1) != 0 ? -value : value;
            memcpy(&bits, &value, 4);
            tetgen_put(w.g.bytes + tetgen_get(w.g.bytes + w.g.index_offset + 32 + 72, 8) + (size_t)4 * i, bits, 4);
            values[i] = (double)value;
        }
        for (unsigned k = 0; k < sizeof sums / sizeof sums[0]; k++) {
            double got, want;

            foldworld_start(&w, 4000);
            w.ranges[0] = (utet_range){0, COUNT, 1};
            w.request =
                (utet_fold_request){.dataset = &w.d, .ranges = w.ranges, .operation = sums[k], .axes = UTET_FOLD_ALL};
            assert_int_equal(foldworld_fold(&w, NULL), UTET_OK);
            memcpy(&got, w.bits, 8);
            rig_end(&w.r, "f32");
            want = over(sums[k], NULL, COUNT, values);
            suite_check(same_bits(got, want), "turn %u, sum %u: %a, expected %a", turn, k, got, want);
        }
        tetgen_free(&w.g);
    }
}

/* More elements than 16 bits count: i16, whose sum and number are exact in a double. */
static void many_elements(void **state)
{
    enum { COUNT = 70001 };
    static const utet_fold_operation *const means[] = {&utet_fold_mean, &utet_fold_mean_i16};
    static foldworld w;
    int64_t sum = 0;

    (void)state;
    w.data = (tetgen_dataset){
        .name = "a", .name_length = 1, .dtype = UTET_I16, .ndim = 1, .shape = {COUNT}, .chunk = {COUNT}};
    w.g = (tetgen){.datasets = &w.data, .count = 1, .seed = 8};
    tetgen_build(&w.g);
    for (size_t i = 0; i < COUNT; i++)
        sum += (int16_t)(uint16_t)tetgen_get(w.g.dense[0] + 2 * i, 2);
    for (unsigned i = 0; i < 2; i++) {
        double want = (double)sum / COUNT, got;

        rig_make(&w.r, w.g.bytes, w.g.size, -1);
        faultport_map(&w.r.port);
        rig_start(&w.r, 300, GUARD_AFTER);
        DRIVE_OK(utet_open(&w.r.file, NULL));
        DRIVE_OK(utet_dataset_first(&w.r.file, &w.d));
        w.ranges[0] = (utet_range){0, COUNT, 1};
        w.request =
            (utet_fold_request){.dataset = &w.d, .ranges = w.ranges, .operation = means[i], .axes = UTET_FOLD_ALL};
        assert_int_equal(foldworld_fold(&w, NULL), UTET_OK);
        memcpy(&got, w.bits, 8);
        suite_check(got == want, "%.17g, expected %.17g", got, want);
        rig_end(&w.r, "many");
    }
    tetgen_free(&w.g);
}

/* No test can read 2^48 elements; a cell of i16 that claims to have them gives no number, and with one element less it
 * does. */
static void too_many_for_i16(void **state)
{
    const fold_layout *layout = &utet_dtype_layouts[UTET_I16];
    const uint64_t most = ((uint64_t)1 << 48) - 1;
    uint64_t cell[2] = {most, 0 - (most << 15)}; /* each is -32768 */

    (void)state;
    assert_true(utet_fold_value(utet_fold_sum_i16.finish(NULL, layout, cell)) == -0x1p15 * (double)most);
    assert_true(utet_fold_value(utet_fold_mean_i16.finish(NULL, layout, cell)) == -32768);
    cell[0]++;
    assert_true(isnan(utet_fold_value(utet_fold_sum_i16.finish(NULL, layout, cell))));
    assert_true(isnan(utet_fold_value(utet_fold_mean_i16.finish(NULL, layout, cell))));
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        cmocka_unit_test(special_values), cmocka_unit_test(two_fills),         cmocka_unit_test(masks),
        cmocka_unit_test(filters),        cmocka_unit_test(filters_at_random), cmocka_unit_test(f32_as_f64),
        cmocka_unit_test(many_elements),  cmocka_unit_test(too_many_for_i16),
    };

    return SUITE("foldelements", cases);
}
