/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Rounding of folds, if bits beyond those that are kept decide: sums, products, carries, borders of bins, passes of
 * quantiles. The expected values follow from utet_fold.h by hand, or are what this machine's doubles give.
 */
#include "fold/fold_ieee.h"
#include "foldworld.h"
#include "operations.h"

#include <math.h>
#include <string.h>

/* This machine's arithmetic is the second opinion: it must round once, unlike the x87. */
#ifdef __i386__
#pragma GCC target("sse2,fpmath=sse")
#endif

#define MOST 64

static double results[MOST];

/* ---- rounding ---- */

/* Reduces all elements, of one axis, to one result. */
static double fold_axis(uint32_t dtype, const utet_fold_operation *operation, double q, size_t count, size_t chunk,
                        const void *elements)
{
    static foldworld w;

    foldworld_elements(&w, dtype, 1, &(uint64_t){count}, &(uint64_t){chunk}, elements);
    foldworld_start(&w, 9000);
    w.ranges[0] = (utet_range){0, count, 1};
    w.request.operation = operation;
    w.request.axes = UTET_FOLD_ALL;
    w.request.q = q;
    DRIVE_OK(utet_fold_open(&w.fold, &w.r.file, &w.request));
    DRIVE_OK(utet_fold_run(&w.fold, results, MOST));
    rig_end(&w.r, "axis");
    tetgen_free(&w.g);
    return results[0];
}

static void rounding(void **state)
{
    static const int64_t beyond[] = {((int64_t)1 << 53) + 1, 0, 0, 0};
    /* (2^53 + 1) * 2^k squared, and 1: the root is slightly more than halfway between two doubles, and the 1 is in the
     * first bits that the root does not read, after those, or last. */
    static const unsigned moved[] = {0, 4, 6, 9};

    (void)state;
    /* halfway between two doubles: to the even one */
    assert_true(fold_axis(UTET_I64, &utet_fold_max, 0, 4, 3, beyond) == 0x1p53);
    assert_true(fold_axis(UTET_I64, &utet_fold_max, 0, 1, 1, &(int64_t){((int64_t)1 << 53) + 3}) == 0x1p53 + 4);
    for (size_t i = 0; i < sizeof moved / sizeof *moved; i++) {
        const int64_t elements[] = {(((int64_t)1 << 53) + 1) * ((int64_t)1 << moved[i]), 1};
        const double step = 2 * (double)((int64_t)1 << moved[i]);

        suite_check(fold_axis(UTET_I64, &utet_fold_norm_l2, 0, 2, 2, elements) == 0x1p52 * step + step, "root %u",
                    (unsigned)i);
        suite_check(fold_axis(UTET_I64, &utet_fold_norm_l2, 0, 1, 1, elements) == 0x1p52 * step, "root %u alone",
                    (unsigned)i);
    }
}

/* Halfway between two doubles, and one bit more, wherever it is: it decides. */
static void last_bits(void **state)
{
    (void)state;
    for (int down = 1; down <= 300; down++) {
        const double halves[] = {0x1p53, 1, ldexp(1, -down)};
        /* Their squares are those of 2^53 + 1, and 2^-down, in one element or two. */
        const double squares[] = {0x1p53, 0x1p27, 1, ldexp(1, -(down + 1) / 2),
                                  down % 2 != 0 ? ldexp(1, -(down + 1) / 2) : 0};
        const double pairs[] = {0x1p54, 2, ldexp(1, 1 - down), 0};

        suite_check(fold_axis(UTET_F64, &utet_fold_sum, 0, 3, 3, halves) == 0x1p53 + 2, "sum, 2^-%d", down);
        suite_check(fold_axis(UTET_F64, &utet_fold_norm_l2, 0, 5, 5, squares) == 0x1p53 + 2, "root, 2^-%d", down);
        suite_check(fold_axis(UTET_F64, &utet_fold_mean, 0, 4, 4, pairs) == 0x1p52 + 1, "mean, 2^-%d", down);
    }
}

/* Sums have room for 2^64 elements of the largest magnitude, and a sign; squares for as many, 2^64 times. */
static void room(void **state)
{
    static const struct {
        uint32_t dtype;
        unsigned bits; /* from the lowest bit of any element to the highest */
    } dtypes[] = {{UTET_F16, 40}, {UTET_F32, 277}, {UTET_F64, 2098}, {UTET_U8, 8},   {UTET_U16, 16},
                  {UTET_U32, 32}, {UTET_U64, 64},  {UTET_I16, 15},   {UTET_I32, 31}, {UTET_I64, 63}};

    (void)state;
    for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++) {
        const fold_layout *layout = &utet_dtype_layouts[dtypes[i].dtype];

        suite_check(32u * layout->sum_words > dtypes[i].bits + 64, "sums, dtype %u", (unsigned)dtypes[i].dtype);
        suite_check(32u * layout->square_words >= 2 * dtypes[i].bits + 128, "squares, dtype %u",
                    (unsigned)dtypes[i].dtype);
    }
}

/* A finite double with long runs of equal bits, with an exponent of at least `least`. */
static double run_of_bits(uint64_t *seed, unsigned least, unsigned most)
{
    const unsigned from = (unsigned)(tetgen_random(seed) % 53), to = (unsigned)(tetgen_random(seed) % 53);
    uint64_t bits = tetgen_random(seed) % 4 == 0 ? tetgen_random(seed) >> 12 : 0;

    bits ^= (((uint64_t)1 << from) - 1) ^ (((uint64_t)1 << to) - 1);
    bits &= ((uint64_t)1 << 52) - 1;
    bits |= (least + tetgen_random(seed) % (most - least + 1)) << 52 | (tetgen_random(seed) & 1) << 63;
    return utet_fold_value(bits);
}

/* The arithmetic of transforms, against this machine's arithmetic. */
static void like_this_machine(void **state)
{
    uint64_t seed = 31;

    (void)state;
    for (unsigned exponent = 874; exponent < 897;
         exponent++) { /* half of the smallest f32 after an even one, and the last bit */
        const uint64_t half = (uint64_t)1 << (29 + 897 - exponent - 1);
        const double a = utet_fold_value((uint64_t)exponent << 52 | (half & (((uint64_t)1 << 52) - 1)) | 1);
        volatile float as_float = (float)a;
        float small = as_float;
        uint32_t bits;

        memcpy(&bits, &small, sizeof bits);
        suite_check(utet_fold_narrow(utet_fold_bits(a)) == bits, "%a as f32", a);
    }
    for (unsigned i = 0; i < 200000; i++) {
        const int narrow = i % 2 == 0; /* around the subnormal f32, and the largest */
        const double a = narrow ? run_of_bits(&seed, i % 4 == 0 ? 870 : 1140, i % 4 == 0 ? 900 : 1152)
                                : run_of_bits(&seed, 0, 2046);
        const double b = i % 3 == 0 ? run_of_bits(&seed, 1, 2046) : run_of_bits(&seed, 990, 1060);
        volatile float as_float = (float)a;
        volatile double difference = a, quotient = a;
        float small = as_float;
        uint32_t bits;

        memcpy(&bits, &small, sizeof bits);
        difference -= b;
        suite_check(utet_fold_narrow(utet_fold_bits(a)) == bits, "%a as f32", a);
        suite_check(utet_fold_subtract(utet_fold_bits(a), utet_fold_bits(b)) == utet_fold_bits(difference), "%a - %a",
                    a, b);
        if (b != 0) {
            quotient /= b;
            suite_check(utet_fold_quotient(utet_fold_bits(a), utet_fold_bits(b)) == utet_fold_bits(quotient), "%a / %a",
                        a, b);
        }
    }
}

/* A product of two doubles follows IEEE 754, so this machine's multiplication is the second opinion. */
static void products(void **state)
{
    /* After 53 bits, their products end with a 1 and 52 zeros, or with a few ones among the last 42. */
    static const double factors[][2] = {{0x16dece81e74ef5p0, 0x1f87e13cb26d5dp0},
                                        {0x17b38211e20b8fp0, 0x162cdbc0000000p0},
                                        {0x1fe2a034b9b5dfp0, 0x1d0fa1b9a8d25dp0},
                                        {0x76bb583p0, 0x6835f97p0},
                                        {0x6e4854bp0, 0x665ec3dp0},
                                        {0x1936c972e6cc3bp0, 0x1f0cf387a9d30dp0}};
    static const uint64_t shape[] = {2, 4};
    static const uint64_t chunks[][2] = {{2, 4}, {2, 2}, {1, 1}, {2, 1}, {1, 3}};
    static const unsigned boxes[] = {1, 2, 2, 2, 2}; /* only one row, where tiles cross it */
    double elements[8];
    double wanted = 1;

    (void)state;
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++) {
        volatile double product = factors[i][0];

        product *= factors[i][1];
        suite_check(fold_axis(UTET_F64, &utet_fold_product, 0, 2, 2, factors[i]) == product, "factors %u", (unsigned)i);
    }
    for (size_t i = 0; i < 8; i++) {
        volatile double next = wanted;

        elements[i] = 1 + (double)(i * i + 1) / 97;
        next *= elements[i];
        wanted = next;
    }
    for (size_t i = 0; i < sizeof chunks / sizeof *chunks; i++) { /* in row-major order, for any tiling */
        static foldworld w;

        foldworld_elements(&w, UTET_F64, 2, shape, chunks[i], elements);
        foldworld_start(&w, 9000);
        w.ranges[0] = (utet_range){0, 2, 1};
        w.ranges[1] = (utet_range){0, 4, 1};
        w.request.operation = &utet_fold_product;
        w.request.axes = UTET_FOLD_ALL;
        DRIVE_OK(utet_fold_open(&w.fold, &w.r.file, &w.request));
        DRIVE_OK(utet_fold_run(&w.fold, results, MOST));
        suite_check(results[0] == wanted, "tiles %u: %a instead of %a", (unsigned)i, results[0], wanted);
        suite_check(w.fold.boxes == boxes[i], "tiles %u: %u boxes", (unsigned)i, (unsigned)w.fold.boxes);
        rig_end(&w.r, "product");
        tetgen_free(&w.g);
    }
}

/* Three squares of each power of 4 consist of ones, so that one more carries through all words of the sum. */
static void carries(void **state)
{
    enum { LEAST = -50, MOST_POWER = 50, COUNT = 3 * (MOST_POWER - LEAST + 1) + 1 };
    static float alone[COUNT];
    static float pairs[2 * COUNT]; /* two of them side by side */
    static const uint64_t shape[] = {COUNT, 2};
    static foldworld w;
    const double wanted = ldexp(1, MOST_POWER + 1);

    (void)state;
    for (size_t i = 0; i + 1 < COUNT; i++)
        alone[i] = ldexpf(1, LEAST + (int)(i / 3));
    alone[COUNT - 1] = ldexpf(1, LEAST);
    for (size_t i = 0; i < 2 * COUNT; i++)
        pairs[i] = alone[i / 2];
    assert_true(fold_axis(UTET_F32, &utet_fold_norm_l2, 0, COUNT, COUNT, alone) == wanted);
    foldworld_elements(&w, UTET_F32, 2, shape, shape, pairs);
    foldworld_start(&w, 9000);
    w.ranges[0] = (utet_range){0, COUNT, 1};
    w.ranges[1] = (utet_range){0, 2, 1};
    w.request.operation = &utet_fold_norm_l2;
    w.request.axes = 1;
    DRIVE_OK(utet_fold_open(&w.fold, &w.r.file, &w.request));
    DRIVE_OK(utet_fold_run(&w.fold, results, MOST));
    assert_true(results[0] == wanted && results[1] == wanted);
    rig_end(&w.r, "pairs");
    tetgen_free(&w.g);
}

/* A pass for 4 bits of a key in the smallest cell, for 8 bits in the largest. The smallest cell of f64 has 336 bytes,
 * in which the value between two elements is computed: 32 counters fit there, for 5 bits. */
static void passes_of_quantiles(void **state)
{
    static const unsigned bits[] = {[UTET_F32] = 32, [UTET_F64] = 64, [UTET_I32] = 32, [UTET_I64] = 64, [UTET_U8] = 8};

    (void)state;
    for (uint32_t dtype = 0; dtype < sizeof bits / sizeof *bits; dtype++) {
        static foldworld w;
        utet_need need;

        if (bits[dtype] == 0)
            continue;
        foldworld_build(&w, dtype, TETGEN_RAW, 0, foldworld_tiles);
        foldworld_start(&w, 60000);
        w.request.operation = &utet_fold_median;
        w.request.axes = UTET_FOLD_ALL;
        DRIVE_OK(utet_fold_need(&w.fold, &w.r.file, &w.request));
        need = w.fold.need;
        rig_end(&w.r, "need");
        for (unsigned best = 0; best < 2; best++) {
            foldworld_start(&w, (size_t)(best ? need.best : need.least));
            DRIVE_OK(utet_fold_need(&w.fold, &w.r.file, &w.request));
            suite_check(w.fold.passes == (best                ? bits[dtype] / 8
                                          : dtype == UTET_F64 ? 13
                                                              : bits[dtype] / 4),
                        "dtype %u: %u passes", (unsigned)dtype, (unsigned)w.fold.passes);
            rig_end(&w.r, "passes");
        }
        tetgen_free(&w.g);
    }
}

/* The index q * (n - 1) is a fraction of two integers whose product has more than 64 bits before the point is set. */
static void small_quantiles(void **state)
{
    enum { COUNT = 5000 };
    static double elements[COUNT];

    (void)state;
    for (size_t i = 0; i < COUNT; i++)
        elements[i] = (double)i;
    for (int down = 60; down <= 75; down++) {
        const double q = ldexp((double)(((uint64_t)1 << 52) + 12345679), -down);

        if (q <= 1)
            suite_check(fold_axis(UTET_F64, &utet_fold_quantile, q, COUNT, COUNT, elements) == q * (COUNT - 1),
                        "q = %a", q);
    }
}

/* The next double. */
static double beside(double x, int greater)
{
    uint64_t bits;

    if (x == 0)
        return greater ? 0x1p-1074 : -0x1p-1074;
    memcpy(&bits, &x, sizeof bits);
    bits += (x > 0) == (greater != 0) ? 1 : (uint64_t)-1;
    memcpy(&x, &bits, sizeof bits);
    return x;
}

/* The float next to this one, away from 0 or towards it. */
static float beside_float(float value, int larger)
{
    uint32_t bits;

    memcpy(&bits, &value, 4);
    bits += larger ? 1 : (bits << 1) != 0 ? UINT32_MAX : 0;
    memcpy(&value, &bits, 4);
    return value;
}

/* The bin of an element, according to this machine's doubles. */
static unsigned bin_of(double x, double low, double high, unsigned bins)
{
    volatile double width = high - low;
    volatile double place = x - low;

    width /= bins;
    place /= width;
    return place < 0 ? 0 : place >= bins ? bins - 1 : (unsigned)place;
}

/* Elements at the borders of bins, and next to them: the quotient is rounded, possibly to an integer. Of f32 most bins
 * are not computed, because elements of the same bin with a smaller and a larger key have been seen. */
static void borders(void **state)
{
    enum { MOST_BORDERS = 400 };
    static const unsigned many[] = {1, 2, 3, 7, 10, 31, 64, 100, 1000, 1023, 1024, 2047, 2048, 2049, 4095, 4096};
    static double elements[3 * MOST_BORDERS];
    static float floats[3 * MOST_BORDERS];
    static double got[UTET_FOLD_MAX_BINS + 2];
    static unsigned wanted[UTET_FOLD_MAX_BINS];
    uint64_t seed = 4711;

    (void)state;
    for (unsigned i = 0; i < 12 * sizeof many / sizeof *many; i++) {
        static foldworld w;
        const unsigned bins = many[i / 12];
        const int narrow = i % 12 >= 6;
        const double low = i % 2 == 0 ? 0 : -(double)(tetgen_random(&seed) >> 11) / 3;
        const double high = low + (double)(tetgen_random(&seed) >> (11 + i % 40)) / 7;
        size_t count = 0;

        memset(wanted, 0, sizeof wanted);
        for (unsigned k = 0; k < MOST_BORDERS; k++) { /* all, or some */
            const unsigned border = bins < MOST_BORDERS ? k % (bins + 1)
                                                        : (unsigned)(tetgen_random(&seed) % (bins + 1));
            const double at = low + border * ((high - low) / bins);

            elements[count++] = at;
            elements[count++] = beside(at, 0);
            elements[count++] = beside(at, 1);
        }
        for (size_t k = 0; k < count; k++) {
            floats[k] = (float)elements[k];
            if (k % 3 != 0)
                floats[k] = beside_float(floats[k], k % 3 == 2);
            wanted[bin_of(narrow ? (double)floats[k] : elements[k], low, high, bins)]++;
        }
        foldworld_elements(&w, narrow ? UTET_F32 : UTET_F64, 1, &(uint64_t){count}, &(uint64_t){count},
                           narrow ? (const void *)floats : elements);
        foldworld_start(&w, 60000);
        w.ranges[0] = (utet_range){0, count, 1};
        w.request.operation = &utet_fold_histogram;
        w.request.axes = UTET_FOLD_ALL;
        w.request.bins = (uint16_t)bins;
        w.request.has_range = 1;
        w.request.low = low;
        w.request.high = high;
        DRIVE_OK(utet_fold_open(&w.fold, &w.r.file, &w.request));
        DRIVE_OK(utet_fold_run(&w.fold, got, UTET_FOLD_MAX_BINS + 2));
        for (unsigned k = 0; k < bins; k++)
            suite_check(got[2 + k] == wanted[k], "%u bins from %a to %a: %g in bin %u instead of %u", bins, low, high,
                        got[2 + k], k, wanted[k]);
        rig_end(&w.r, "borders");
        tetgen_free(&w.g);
    }
}

/* The square root of a double is that of this machine, which IEEE 754 defines to be rounded once. */
static void roots(void **state)
{
    uint64_t random = 99;

    (void)state;
    for (unsigned i = 0; i < 20000; i++) {
        uint64_t bits = tetgen_random(&random) & ~((uint64_t)1 << 63), want;
        double value;

        if (i % 3 == 0) /* squares and their neighbours: exact roots, and roots close to the middle of two doubles */
            bits = (((uint64_t)1023 << 52) + (((bits >> 30) * (bits >> 30)) & (((uint64_t)1 << 52) - 1))) + i % 9 - 4;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value))
            continue;
        value = sqrt(value);
        memcpy(&want, &value, sizeof want);
        suite_check(utet_fold_root(bits) == want, "root of %016llx: %016llx, expected %016llx",
                    (unsigned long long)bits, (unsigned long long)utet_fold_root(bits), (unsigned long long)want);
    }
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        cmocka_unit_test(rounding),
        cmocka_unit_test(products),
        cmocka_unit_test(small_quantiles),
        cmocka_unit_test(carries),
        cmocka_unit_test(like_this_machine),
        cmocka_unit_test(borders),
        cmocka_unit_test(last_bits),
        cmocka_unit_test(room),
        cmocka_unit_test(passes_of_quantiles),
        cmocka_unit_test(roots),
    };

    return SUITE("foldrounding", cases);
}
