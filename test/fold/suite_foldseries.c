/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Exponentials and logarithms of transforms: 64 bits give the same result as 128 bits wherever they decide, and the
 * arguments whose exact result is next to the middle of two doubles are rounded in the right direction. Expected
 * values are from Python's decimals, with 60 digits. Roots are compared with the machine's, fractions of 128 bits with
 * those computed by bits and bytes.
 */
#include "fold/fold_ieee.h"
#include "suite.h"
#include "tetgen.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The sources, for their static functions. The library has its own copy. */
uint64_t series_exp(uint64_t a);
uint64_t series_log1p(uint64_t a);
#define utet_fold_exp series_exp
#define utet_fold_log1p series_log1p
#include "fold/fold_exp.c"
#undef TERMS
#include "fold/fold_log.c"
#undef utet_fold_exp
#undef utet_fold_log1p

#define COUNT(array) (sizeof(array) / sizeof *(array))

typedef struct pair {
    double x, wanted;
} pair;

/* The exact value is nearer to the middle of two doubles than 2^-12 of their distance. */
static const pair hard_logs[] = {
    {0x1.737403a9cb0b9p-22, 0x1.7373ff73d82d8p-22}, {0x1.0a161879deceep-17, 0x1.0a15d3557b922p-17},
    {0x1.b7c4e108c5e05p-14, 0x1.b7befa3a284bep-14}, {0x1.3b6428619d96p-26, 0x1.3b6428310ba1bp-26},
    {0x1.d48db280f961bp-22, 0x1.d48dabcdccbc4p-22}, {0x1.ec1c64c75d302p-14, 0x1.ec1500f2f1dfp-14},
    {0x1.4442a2605ab13p-5, 0x1.3e01da7307d8p-5},    {0x1.ab3d22d1db856p-14, 0x1.ab3790e0a3f93p-14},
    {0x1.3d93ed4045af7p-4, 0x1.31de2d0bf9188p-4},   {0x1.99f55d83b87dbp-2, 0x1.58cdb7689dd61p-2},
    {0x1.6c9b449411d6ep-3, 0x1.4f8d71156bcbfp-3},   {0x1.50b3060e1c572p-1, 0x1.02c135ed2616ap-1},
    {0x1.3d3b9f9c3ffb7p-3, 0x1.26f02d68d9773p-3},   {0x1.9e83d6a77fe9ep-4, 0x1.8adb3263b3cb2p-4},
    {0x1.e84a0a0d6ec33p-4, 0x1.cd4f03b199f54p-4},   {0x1.adb575372ccdfp-4, 0x1.98a16cf17ef43p-4},
    {0x1.2fd1b82de63fep+2, 0x1.bfab5bcdcf0a5p+0},   {0x1.10b63057b9362p+2, 0x1.a90c4c8982661p+0},
    {0x1.03b4754b4446ap+8, 0x1.640e91762e72ap+2},   {0x1.2c3336b5c986p+2, 0x1.bd235299c007fp+0},
    {0x1.55411d2703458p+8, 0x1.7579b83a55273p+2},   {0x1.3e0b9a09f4497p+1, 0x1.3f9681a3c2e43p+0},
    {0x1.51f2528c7383p+6, 0x1.1cb1eebc73559p+2},    {0x1.0b9a20e3705dp+1, 0x1.20dd6abb323ddp+0},
    {0x1.094c4825a0babp+41, 0x1.c7467e9c94d9bp+4},  {0x1.561cc7dbe014ap+46, 0x1.0165da08741b7p+5},
    {0x1.3f393d6da22f1p+20, 0x1.c2ad55076d287p+3},  {0x1.5609e27bd94e9p+46, 0x1.016568e72ce3cp+5},
};

static const pair hard_exponentials[] = {
    {0x1.9830b822aec8dp-12, 0x1.ffccfc73c16p-1},     {0x1.312b3a8765aa4p-15, 0x1.fffb3b58c4fep-1},
    {0x1.a4a7a878b6d52p-10, 0x1.ff2dd75942c6bp-1},   {0x1.522bd5379721ep-15, 0x1.fffab757a5fa9p-1},
    {0x1.23176ef4ae84ap-27, 0x1.ffffffb73a245p-1},   {0x1.0af27f3169781p-27, 0x1.ffffffbd43603p-1},
    {0x1.8656b67e56dep-7, 0x1.f9efe86a7f32bp-1},     {0x1.47d792ca0a0fap-1, 0x1.0de3659c266f8p-1},
    {0x1.438adc46dcc2bp-6, 0x1.f5fd0cbe5a5cbp-1},    {0x1.9be22a3d52cd8p-1, 0x1.ca10bcd9e6de7p-2},
    {0x1.bd75823f0e155p-4, 0x1.cb3d1754a7bf7p-1},    {0x1.553080a81d4d6p-7, 0x1.fab2529a715fp-1},
    {0x1.3ebb0f7b9bbe7p+4, 0x1.32abdce53040dp-29},   {0x1.1d4cb26f668dp+3, 0x1.1998eeb189cd3p-13},
    {0x1.608b9f6c1d17ap+2, 0x1.098ed438f3ba9p-8},    {0x1.4df625223f728p+1, 0x1.2d79f8ddfe25bp-4},
    {0x1.d4cbefd6b74b9p+4, 0x1.a86acd9def88bp-43},   {0x1.4b7f90c8d5f34p+1, 0x1.33558c840b6e5p-4},
    {0x1.36cc49024bfd4p+3, 0x1.fbbaa4e76340dp-15},   {0x1.a3b8a96c74a64p+0, 0x1.8d748fba79d6p-3},
    {0x1.7a453c1ca20a3p+8, 0x1.34ec16f0225fp-546},   {0x1.e36f8dad6bad1p+6, 0x1.8e375ad491f76p-175},
    {0x1.61fba6b10114ap+9, 0x1.89b1697e01344p-1022}, {0x1.06baf5620aa8ap+7, 0x1.6517168fa55b1p-190},
};

/* Borders of the methods, and the ends of the range. The exact logarithm of 1 + 2^-53 is 2^-107 (1 - 2^-52 / 3) more
 * than the middle. */
static const pair logs[] = {
    {0, 0},
    {0x1p-1074, 0x1p-1074},
    {0x1.fffffffffffffp-1023, 0x1.fffffffffffffp-1023},
    {0x1p-54, 0x1p-54},
    {0x1.0000000000001p-54, 0x1.0000000000001p-54},
    {0x1p-53, 0x1p-53},
    {0x1p-52, 0x1.fffffffffffffp-53},
    {0x1.fffffffffffffp-5, 0x1.f0a30c01162a5p-5},
    {0x1p-4, 0x1.f0a30c01162a6p-5},
    {0x1p-2, 0x1.c8ff7c79a9a22p-3},
    {0x1p+0, 0x1.62e42fefa39efp-1},
    {0x1.8p+1, 0x1.62e42fefa39efp+0},
    {0x1.fffffffffffffp+52, 0x1.25e4f7b2737fap+5},
    {0x1p+63, 0x1.5d589f2fe5107p+5},
    {0x1p+64, 0x1.62e42fefa39efp+5},
    {0x1p+127, 0x1.601e678fc457bp+6},
    {0x1p+128, 0x1.62e42fefa39efp+6},
    {0x1p+793, 0x1.12d5361f5475dp+9},
    {0x1p+1023, 0x1.628b76e3a7b61p+9},
    {0x1.fffffffffffffp+1023, 0x1.62e42fefa39efp+9},
};

/* Results next to 1, next to a power of two, and below the normal range. */
static const pair exponentials[] = {
    {0, 1},
    {0x1p-1074, 1},
    {0x1p-1022, 1},
    {0x1p-54, 1},
    {0x1.0000000000001p-54, 0x1.fffffffffffffp-1},
    {0x1p-53, 0x1.fffffffffffffp-1},
    {0x1.62e42fefa39efp-1, 0.5},
    {0x1.62e42fefa39fp-1, 0x1.fffffffffffffp-2},
    {0x1.6226666666666p+9, 0x1.19e98b83de7a3p-1022},
    {0x1.6233333333333p+9, 0x0.ff15b469edf89p-1022},
    {0x1.62cp+9, 0x0.54e90c99fb878p-1022},
    {0x1.682p+9, 0x0.000077564144fp-1022},
    {0x1.72p+9, 0x0.0000000000055p-1022},
    {0x1.7473333333333p+9, 0x0.0000000000001p-1022},
    {0x1.748cccccccccdp+9, 0x0.0000000000001p-1022},
    {0x1.7490a3d70a3d7p+9, 0x0.0000000000001p-1022},
    {0x1.7491eb851eb85p+9, 0},
    {0x1.749999999999ap+9, 0},
    {0x1.74f3333333333p+9, 0},
    {0x1.75p+9, 0},
    {0x1.fffffffffffffp+1023, 0},
};

static void check(const char *name, uint64_t (*function)(uint64_t), uint64_t sign, const pair *pairs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const double got = utet_fold_value(function(utet_fold_bits(pairs[i].x) | sign));

        suite_check(got == pairs[i].wanted, "%s of %a: %a instead of %a", name, pairs[i].x, got, pairs[i].wanted);
    }
}

static void known_values(void **state)
{
    (void)state;
    check("log1p", utet_fold_log1p, 0, hard_logs, COUNT(hard_logs));
    check("log1p", utet_fold_log1p, 0, logs, COUNT(logs));
    check("exp", utet_fold_exp, FOLD_DOUBLE_SIGN, hard_exponentials, COUNT(hard_exponentials));
    check("exp", utet_fold_exp, FOLD_DOUBLE_SIGN, exponentials, COUNT(exponentials));
    suite_check(utet_fold_log1p(FOLD_DOUBLE_INF) == FOLD_DOUBLE_INF, "log1p of infinity");
}

/* ---- both methods ---- */

typedef struct both {
    uint64_t quick, exact;
    int clear; /* 64 bits decide */
} both;

static both both_logs(uint64_t a)
{
    both result;
    near_one f;
    int32_t top;
    uint64_t high;

    fold_log_split(&f, a);
    high = fold_log_quick(&f, &top);
    if (high < FOLD_DOUBLE_SIGN) {
        high <<= 1;
        top--;
    }
    suite_check(high >= FOLD_DOUBLE_SIGN, "log1p of %a has more than one bit in front", utet_fold_value(a));
    result.clear = fixed_is_clear(high, FOLD_LOG_ERROR);
    result.quick = utet_fold_round(0, high, top - 64, 1);
    result.exact = fold_log_exact(&f);
    return result;
}

/* a is positive. Both methods from the same rest, and their last bits. */
static both both_exponentials(uint64_t a)
{
    both result;
    fold_element element;
    uint32_t words[FIXED_LOG_WORDS], rest[FIXED_WORDS];
    uint64_t quick, exact;
    uint32_t near; /* n of the quick attempt; 0: none */
    int32_t n;

    utet_fold_split(&utet_dtype_layouts[UTET_F64], a, &element);
    fold_exp_spread(words, &element);
    n = (int32_t)fold_exp_reduce(rest, words);
    near = fold_exp_reduce_quick(&quick, &element);
    suite_check(near == 0 || near == (uint32_t)n, "exp of -%a: n is %d, not %d", utet_fold_value(a), (int)near, (int)n);
    quick = fold_exp_quick(quick);
    exact = fold_exp_exact(rest);
    suite_check(near == 0 || quick - exact + FOLD_EXP_ERROR < 2 * FOLD_EXP_ERROR || quick < FOLD_EXP_ERROR,
                "exp of -%a: error of %d", utet_fold_value(a), (int)(quick - exact));
    result.clear = near != 0 && n <= FOLD_EXP_NORMAL && fixed_is_clear(quick, FOLD_EXP_ERROR);
    result.quick = utet_fold_round(0, quick, -63 - n, 1);
    result.exact = utet_fold_round(0, exact, -63 - n, 1);
    return result;
}

/* The fallback is needed: without it, these would be wrong. */
static void undecided(void **state)
{
    unsigned wrong_logs = 0, wrong_exponentials = 0;

    (void)state;
    for (size_t i = 0; i < COUNT(hard_logs); i++) {
        const both b = both_logs(utet_fold_bits(hard_logs[i].x));

        suite_check(!b.clear, "log1p of %a", hard_logs[i].x);
        wrong_logs += utet_fold_value(b.quick) != hard_logs[i].wanted;
    }
    for (size_t i = 0; i < COUNT(hard_exponentials); i++) {
        const both b = both_exponentials(utet_fold_bits(hard_exponentials[i].x));

        suite_check(!b.clear, "exp of -%a", hard_exponentials[i].x);
        wrong_exponentials += utet_fold_value(b.quick) != hard_exponentials[i].wanted;
    }
    suite_figure("64 bits alone: %u logarithms of %u and %u exponentials of %u are wrong", wrong_logs,
                 (unsigned)COUNT(hard_logs), wrong_exponentials, (unsigned)COUNT(hard_exponentials));
    suite_check(wrong_logs != 0 && wrong_exponentials != 0, "the cases are not hard");
}

/* A positive double with an exponent from `least` on, whose bits are random, or end with zeros or with ones. */
static uint64_t draw(uint64_t *seed, uint32_t least, uint32_t count)
{
    const uint64_t kind = tetgen_random(seed) % 4;
    const uint64_t low = ((uint64_t)1 << tetgen_random(seed) % 53) - 1;
    const uint64_t fraction = tetgen_random(seed) >> 12;

    return (least + tetgen_random(seed) % count) << 52 | (kind == 0   ? fraction & ~low
                                                          : kind == 1 ? fraction | low
                                                                      : fraction);
}

static void compare(const char *name, both (*function)(uint64_t), const uint32_t ranges[3][2])
{
    const unsigned draws = suite_full() ? 1000000 : suite_light() ? 3000 : 60000;
    uint64_t seed = 1618;
    unsigned open = 0;

    for (unsigned i = 0; i < draws; i++) {
        const uint64_t a = draw(&seed, ranges[i % 3][0], ranges[i % 3][1]);
        const both b = function(a);

        suite_check(!b.clear || b.quick == b.exact, "%s of %a: %a instead of %a", name, utet_fold_value(a),
                    utet_fold_value(b.quick), utet_fold_value(b.exact));
        open += !b.clear;
    }
    suite_figure("%s: 64 bits do not decide %u of %u", name, open, draws);
    suite_check(open > draws / 1000 && open < draws / 50, "%s: 64 bits do not decide %u of %u", name, open, draws);
}

static void drawn_logs(void **state)
{
    static const uint32_t ranges[3][2] = {{SMALL, 2047 - SMALL}, {1023 - 6, 18}, {1023 - 30, 60}};

    (void)state;
    compare("log1p", both_logs, ranges);
}

static void drawn_exponentials(void **state)
{
    static const uint32_t ranges[3][2] = {{1023 - 54, 54 + 9}, {1023 - 6, 15}, {1023 - 3, 8}};

    (void)state;
    compare("exp", both_exponentials, ranges);
}

/* ---- roots, and fractions of 128 bits ---- */

static void root_of(double x)
{
    const double got = utet_fold_value(utet_fold_root(utet_fold_bits(x)));

    suite_check(got == sqrt(x), "root of %a: %a instead of %a", x, got, sqrt(x));
}

/* Squares, their neighbours, and numbers next to powers of 2, where quotients are largest. */
static void roots(void **state)
{
    uint64_t seed = 11;

    (void)state;
    for (unsigned i = 0; i < 100000 && FLT_EVAL_METHOD == 0; i++) {
        const double x = utet_fold_value(draw(&seed, i % 2 != 0 ? 0 : 1020, i % 2 != 0 ? 2047 : 6));
        const double root = (double)(float)sqrt(x);

        root_of(x);
        if (root * root > 0x1p-1000 && root < 0x1p500) {
            root_of(root * root);
            root_of(nextafter(root * root, 0));
            root_of(nextafter(root * root, INFINITY));
        }
    }
    for (int exponent = -1074; exponent < 1024 && FLT_EVAL_METHOD == 0; exponent++) {
        root_of(ldexp(1, exponent));
        root_of(nextafter(ldexp(1, exponent), 0));
        root_of(nextafter(ldexp(1, exponent), INFINITY));
        root_of(ldexp(0x1.8p0, exponent));
    }
}

static unsigned byte_of(const uint32_t *words, unsigned i)
{
    return words[i / 4] >> 8 * (i % 4) & 0xFFu;
}

/* Digits of 8 bits. */
static void slow_multiply(uint32_t *to, const uint32_t *a, const uint32_t *b)
{
    uint32_t sums[32] = {0};

    for (unsigned i = 0; i < 16; i++)
        for (unsigned j = 0; j < 16; j++)
            sums[i + j] += byte_of(a, i) * byte_of(b, j);
    for (unsigned i = 0; i < 31; i++) {
        sums[i + 1] += sums[i] >> 8;
        sums[i] &= 0xFFu;
    }
    for (unsigned i = 0; i < 4; i++)
        to[i] = sums[16 + 4 * i] | sums[17 + 4 * i] << 8 | sums[18 + 4 * i] << 16 | sums[19 + 4 * i] << 24;
}

static void slow_divide(uint32_t *words, uint32_t by)
{
    uint32_t rest = 0;
    uint32_t quotient[4] = {0};

    for (unsigned i = 128; i-- != 0;) {
        rest = rest << 1 | (words[i / 32] >> i % 32 & 1u);
        if (rest >= by) {
            rest -= by;
            quotient[i / 32] |= (uint32_t)1 << i % 32;
        }
    }
    memcpy(words, quotient, sizeof quotient);
}

static void slow_down(uint32_t *words, uint32_t bits)
{
    uint32_t moved[4] = {0};

    for (unsigned i = 0; i < 128; i++)
        if (i + bits < 128)
            moved[i / 32] |= (words[(i + bits) / 32] >> (i + bits) % 32 & 1u) << i % 32;
    memcpy(words, moved, sizeof moved);
}

/* Words of any bits, of ones, or of zeros. */
static void any_words(uint32_t *words, uint64_t *seed)
{
    for (unsigned i = 0; i < 4; i++) {
        const uint64_t kind = tetgen_random(seed) % 4;

        words[i] = kind == 0 ? UINT32_MAX : kind == 1 ? 0 : (uint32_t)tetgen_random(seed);
    }
}

static void fractions(void **state)
{
    uint64_t seed = 12;

    (void)state;
    for (unsigned i = 0; i < 20000; i++) {
        uint32_t a[4], b[4], got[4], want[4];
        const uint32_t bits = (uint32_t)(tetgen_random(&seed) % 160);
        const uint32_t by = 1 + (uint32_t)(tetgen_random(&seed) % (i % 2 != 0 ? 100 : 0xFFFF));

        any_words(a, &seed);
        any_words(b, &seed);
        utet_fixed_multiply(got, a, b);
        slow_multiply(want, a, b);
        assert_memory_equal(got, want, sizeof got);
        memcpy(got, a, sizeof got);
        memcpy(want, a, sizeof want);
        utet_fixed_divide(got, by);
        slow_divide(want, by);
        assert_memory_equal(got, want, sizeof got);
        memcpy(got, a, sizeof got);
        memcpy(want, a, sizeof want);
        utet_fixed_down(got, bits);
        slow_down(want, bits);
        assert_memory_equal(got, want, sizeof got);
    }
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        cmocka_unit_test(known_values),       cmocka_unit_test(undecided), cmocka_unit_test(drawn_logs),
        cmocka_unit_test(drawn_exponentials), cmocka_unit_test(roots),     cmocka_unit_test(fractions),
    };

    return SUITE("foldseries", cases);
}
