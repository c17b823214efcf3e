/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* One element as text (utet_show.h), and utet_to_native. Second sources: the C library's strtod, strtof and printf,
 * which convert exactly; for f16 the definition of its value, for all 65,536 of them. */
#include "guard.h"
#include "suite.h"
#include "utet_show.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t seed = 88172645463325252u;

static uint64_t any(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

static void store(uint8_t *at, uint64_t bits, unsigned bytes)
{
    for (; bytes > 0; bytes--, bits >>= 8)
        *at++ = (uint8_t)bits;
}

/* The text of an element that is stored at an odd address. */
static const char *text_of(uint32_t dtype, uint64_t bits)
{
    static char text[UTET_SHOW_SIZE];
    uint8_t element[9];
    size_t length = 0;

    store(element + 1, bits, 8);
    assert_int_equal(utet_show_text(dtype, element + 1, text, sizeof text, &length), UTET_OK);
    assert_int_equal(length, strlen(text));
    return text;
}

static double double_of(uint32_t dtype, uint64_t bits)
{
    uint8_t element[9];
    double value = 0;

    store(element + 1, bits, 8);
    assert_int_equal(utet_show_double(dtype, element + 1, &value), UTET_OK);
    return value;
}

static void integers_are_exact(void **state)
{
    (void)state;
    assert_string_equal(text_of(UTET_U8, 255), "255");
    assert_string_equal(text_of(UTET_U8, 0), "0");
    assert_string_equal(text_of(UTET_I16, 0x8000), "-32768");
    assert_string_equal(text_of(UTET_I16, 0x7FFF), "32767");
    assert_string_equal(text_of(UTET_U16, 0xFFFF), "65535");
    assert_string_equal(text_of(UTET_I32, 0xFFFFFFFF), "-1");
    assert_string_equal(text_of(UTET_I32, 0x80000000), "-2147483648");
    assert_string_equal(text_of(UTET_U32, 0xFFFFFFFF), "4294967295");
    assert_string_equal(text_of(UTET_I64, (uint64_t)1 << 63), "-9223372036854775808");
    assert_string_equal(text_of(UTET_I64, UINT64_MAX >> 1), "9223372036854775807");
    assert_string_equal(text_of(UTET_U64, UINT64_MAX), "18446744073709551615");
    assert_true(double_of(UTET_I64, (uint64_t)1 << 63) == -9223372036854775808.0);
    assert_true(double_of(UTET_U64, UINT64_MAX) == 18446744073709551616.0);
    /* The bytes after an element are not its own. */
    assert_string_equal(text_of(UTET_U8, 0xEEEEEEEEEEEEEE07), "7");
    assert_string_equal(text_of(UTET_F16, 0xEEEEEEEEEEEE3C00), "1");
    assert_string_equal(text_of(UTET_I16, 0xEEEEEEEEEEEE0007), "7");
    assert_string_equal(text_of(UTET_U16, 0xEEEEEEEEEEEE0007), "7");
    assert_string_equal(text_of(UTET_F32, 0xEEEEEEEE3F800000), "1");
    assert_string_equal(text_of(UTET_I32, 0xEEEEEEEE00000007), "7");
    assert_string_equal(text_of(UTET_U32, 0xEEEEEEEE00000007), "7");
    assert_true(double_of(UTET_I64, UINT64_MAX >> 1) == 9223372036854775808.0);
    assert_true(double_of(UTET_I32, 0x80000000) == -2147483648.0);
    assert_true(double_of(UTET_I32, 0x7FFFFFFF) == 2147483647.0);
    assert_true(double_of(UTET_U32, 0xFFFFFFFE) == 4294967294.0);
    assert_true(double_of(UTET_I16, 0xFFFE) == -2.0);
    assert_true(double_of(UTET_I16, 0x7FFF) == 32767.0);
    assert_true(double_of(UTET_U16, 0xFFFE) == 65534.0);
    assert_true(double_of(UTET_U8, 200) == 200.0);
}

/* The caller's buffer may end with the element: the next page is not mapped. */
static void nothing_is_read_behind_an_element(void **state)
{
    static const struct {
        uint32_t dtype;
        size_t size;
    } dtypes[] = {
        {UTET_U8, 1},  {UTET_I16, 2}, {UTET_U16, 2}, {UTET_F16, 2}, {UTET_I32, 4},
        {UTET_U32, 4}, {UTET_F32, 4}, {UTET_I64, 8}, {UTET_U64, 8}, {UTET_F64, 8},
    };
    size_t i;

    (void)state;
    for (i = 0; i < sizeof dtypes / sizeof dtypes[0]; i++) {
        guard g = guard_new(dtypes[i].size, 1, GUARD_AFTER);
        char text[UTET_SHOW_SIZE];
        size_t length = 0;
        double value = 1;

        assert_int_equal(utet_show_text(dtypes[i].dtype, g.data, text, sizeof text, &length), UTET_OK);
        assert_string_equal(text, "0");
        assert_int_equal(utet_show_double(dtypes[i].dtype, g.data, &value), UTET_OK);
        assert_true(value == 0);
        guard_free(&g);
    }
}

static void floats_of_note(void **state)
{
    (void)state;
    assert_string_equal(text_of(UTET_F64, 0), "0");
    assert_string_equal(text_of(UTET_F64, (uint64_t)1 << 63), "-0");
    assert_string_equal(text_of(UTET_F64, (uint64_t)0x7FF << 52), "inf");
    assert_string_equal(text_of(UTET_F64, (uint64_t)0xFFF << 52), "-inf");
    assert_string_equal(text_of(UTET_F64, ((uint64_t)0xFFF << 52) + 1), "nan");
    assert_string_equal(text_of(UTET_F64, 1), "5e-324");
    assert_string_equal(text_of(UTET_F64, 0x7FEFFFFFFFFFFFFF), "1.7976931348623157e+308");
    assert_string_equal(text_of(UTET_F64, 0x8010000000000000), "-2.2250738585072014e-308");
    /* Written in full from 1e-4 to below 1e16. */
    assert_string_equal(text_of(UTET_F64, 0x430C6BF526340000), "1000000000000000");
    assert_string_equal(text_of(UTET_F64, 0x4341C37937E07FFF), "9999999999999998");
    assert_string_equal(text_of(UTET_F64, 0x4341C37937E08000), "1e+16");
    assert_string_equal(text_of(UTET_F64, 0x3F1A36E2EB1C432D), "0.0001");
    assert_string_equal(text_of(UTET_F64, 0x3EE4F8B588E368F1), "1e-05");
    /* 10^23 is halfway between two doubles, unlike any other power of ten. */
    assert_string_equal(text_of(UTET_F64, 0x44B52D02C7E14AF6), "1e+23");
    assert_string_equal(text_of(UTET_F64, 0x44B52D02C7E14AF7), "1.0000000000000001e+23");
    assert_string_equal(text_of(UTET_F64, 0x44B52D02C7E14AF5), "9.999999999999997e+22");
    /* Two texts of fewest digits at the same distance: the even one is used, as in Python's repr. */
    assert_string_equal(text_of(UTET_F64, 0x4310000000000001), "1125899906842624.2");
    assert_string_equal(text_of(UTET_F64, 0x4310000000000003), "1125899906842624.8");
    assert_string_equal(text_of(UTET_F32, 0x4A000001), "2097152.2");
    assert_string_equal(text_of(UTET_F32, 0x4A000003), "2097152.8");
    assert_string_equal(text_of(UTET_F32, 0x3DCCCCCD), "0.1");
    assert_string_equal(text_of(UTET_F32, 0x4B800000), "16777216");
    assert_string_equal(text_of(UTET_F32, 0x5A0E1BCA), "1e+16");
    assert_string_equal(text_of(UTET_F32, 0x3727C5AC), "1e-05");
    assert_string_equal(text_of(UTET_F16, 0x3C00), "1");
    assert_string_equal(text_of(UTET_F16, 0x7BFF), "65500");
    assert_string_equal(text_of(UTET_F16, 1), "6e-08");
    assert_true(isnan(double_of(UTET_F16, 0x7E00)) && isnan(double_of(UTET_F32, 0x7FC00000)));
    assert_true(signbit(double_of(UTET_F16, 0x8000)) && signbit(double_of(UTET_F32, 0x80000000)));
}

/* Significant digits of a text. */
static int digits_in(const char *text)
{
    int digits = 0;
    int zeros = 0; /* zeros count only if another digit follows */

    for (; *text != '\0' && *text != 'e'; text++) {
        if (*text == '0' && digits > 0)
            zeros++;
        if (*text >= '1' && *text <= '9') {
            digits += zeros + 1;
            zeros = 0;
        }
    }
    return digits;
}

/* No text with fewer digits reads back: the nearest text with one digit less does not. Where the floats below are
 * closer together (powers of two), a text farther above could; then the nearest one alone proves nothing, but it is
 * never worse. */
static void shortest_f64(uint64_t bits)
{
    const char *text = text_of(UTET_F64, bits);
    const double value = double_of(UTET_F64, bits);
    const int digits = digits_in(text);
    char less[64];

    if (!(strtod(text, NULL) == value))
        suite_fail("%016llx as %s", (unsigned long long)bits, text);
    if (digits > 1) {
        (void)snprintf(less, sizeof less, "%.*e", digits - 2, value);
        if (strtod(less, NULL) == value)
            suite_fail("%s is longer than %s", text, less);
    }
    (void)snprintf(less, sizeof less, "%.*e", digits > 0 ? digits - 1 : 0, value);
    if (strtod(less, NULL) == value && fabs(strtod(text, NULL) - value) > fabs(strtod(less, NULL) - value))
        suite_fail("%s is nearer than %s", less, text);
}

static void f64_reads_back_and_is_shortest(void **state)
{
    int i;

    (void)state;
    for (i = 0; i < 20000; i++) {
        uint64_t bits = any();

        if (i % 4 == 1)
            bits = (bits & 0x7FF) << 52 | (bits >> 32 & 1) << 63; /* powers of two */
        if (i % 4 == 2)
            bits >>= bits % 53 + 11; /* subnormals */
        if ((bits >> 52 & 0x7FF) != 0x7FF)
            shortest_f64(bits);
    }
}

static void f32_reads_back_and_is_shortest(void **state)
{
    int i;

    (void)state;
    for (i = 0; i < 20000; i++) {
        uint32_t bits = (uint32_t)any();
        const char *text;
        char less[64];
        float value;

        if (i % 3 == 1)
            bits &= 0xFF800000u;
        if ((bits >> 23 & 0xFF) == 0xFF)
            continue;
        text = text_of(UTET_F32, bits);
        memcpy(&value, &bits, sizeof value);
        assert_true(strtof(text, NULL) == value);
        assert_true(double_of(UTET_F32, bits) == (double)value);
        if (digits_in(text) > 1) {
            (void)snprintf(less, sizeof less, "%.*e", digits_in(text) - 2, (double)value);
            assert_false(strtof(less, NULL) == value);
        }
    }
}

/* The value of binary16 by its definition. */
static double half(unsigned bits)
{
    const int exponent = (int)(bits >> 10 & 31);
    const double fraction = bits & 1023;
    const double value = exponent == 0 ? ldexp(fraction, -24) : ldexp(fraction + 1024, exponent - 25);

    return (bits & 0x8000) != 0 ? -value : value;
}

static void all_of_f16(void **state)
{
    unsigned bits;

    (void)state;
    for (bits = 0; bits < 65536; bits++) {
        const char *text = text_of(UTET_F16, bits);
        double below;
        double above;
        double read;

        if ((bits >> 10 & 31) == 31)
            continue;
        assert_true(double_of(UTET_F16, bits) == half(bits));
        /* It reads back if it is nearer to this value than to either neighbour. */
        read = fabs(strtod(text, NULL));
        below = (bits & 0x7FFF) == 0 ? 0 : half((bits & 0x7FFF) - 1);
        above = half((bits & 0x7FFF) + 1);
        assert_true(read - fabs(half(bits)) <= above - read);
        assert_true((bits & 0x7FFF) == 0 || fabs(half(bits)) - read <= read - below);
        assert_true(digits_in(text) <= 5);
    }
}

static void unknown_dtypes_and_small_buffers(void **state)
{
    const uint8_t element[8] = {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};
    char text[UTET_SHOW_SIZE];
    double value = 5;
    size_t length = 77;

    (void)state;
    assert_int_equal(utet_show_text(0, element, text, sizeof text, &length), UTET_E_DTYPE);
    assert_int_equal(utet_show_text(11, element, text, sizeof text, &length), UTET_E_DTYPE);
    assert_int_equal(utet_show_double(UINT32_MAX, element, &value), UTET_E_DTYPE);
    assert_true(value == 5 && length == 77);
    text[0] = 'x';
    assert_int_equal(utet_show_text(UTET_U64, element, text, 20, &length), UTET_E_SPACE);
    assert_int_equal(text[0], 'x');
    assert_int_equal(utet_show_text(UTET_U64, element, text, 21, NULL), UTET_OK);
    assert_string_equal(text, "18446744073709551615");
    assert_string_equal(utet_show_dtype(0), "?");
    assert_string_equal(utet_show_dtype(11), "?");
    assert_string_equal(utet_show_dtype(UTET_F16), "f16");
    assert_string_equal(utet_show_dtype(UTET_U64), "u64");
}

static void native_order(void **state)
{
    uint8_t stored[24] = {0xB0, 0xC4, 0x04, 0x03, 0x02, 0x01, 0, 0};
    uint16_t u16;
    uint32_t u32;
    uint64_t u64;

    (void)state;
    utet_to_native(stored, 1, 2);
    memcpy(&u16, stored, 2);
    assert_int_equal(u16, 0xC4B0);
    utet_to_native(stored + 2, 1, 4);
    memcpy(&u32, stored + 2, 4);
    assert_int_equal(u32, 0x01020304);
    store(stored, 0x1122334455667788, 8);
    store(stored + 8, 7, 8);
    store(stored + 16, 0xEE, 8);
    utet_to_native(stored, 2, 8);
    memcpy(&u64, stored, 8);
    assert_true(u64 == 0x1122334455667788);
    memcpy(&u64, stored + 8, 8);
    assert_true(u64 == 7);
    assert_int_equal(stored[16], 0xEE); /* not beyond the count */
}

static void every_status_has_a_text(void **state)
{
    static const utet_status known[] = {
        UTET_OK,           UTET_END,         UTET_WOULD_BLOCK,   UTET_E_ARGUMENT,      UTET_E_STATE,
        UTET_E_BUDGET,     UTET_E_RANGE,     UTET_E_NOT_FOUND,   UTET_E_MISSING,       UTET_E_SPACE,
        UTET_E_SHORT,      UTET_E_MAGIC,     UTET_E_VERSION,     UTET_E_INDEX_VERSION, UTET_E_FOOTER_VERSION,
        UTET_E_DTYPE,      UTET_E_CODEC,     UTET_E_ZSTD_WINDOW, UTET_E_ZSTD_DICT,     UTET_E_ZSTD_LEGACY,
        UTET_E_SUPERBLOCK, UTET_E_DIRECTORY, UTET_E_DATASET,     UTET_E_INDEX,         UTET_E_ROW,
        UTET_E_FOOTER,     UTET_E_METADATA,  UTET_E_PAYLOAD,     UTET_E_CHECKSUM,      UTET_E_LIMIT,
        UTET_E_PORT,
    };
    size_t i;
    size_t k;

    (void)state;
    for (i = 0; i < sizeof known / sizeof known[0]; i++) {
        assert_true(strcmp(utet_strerror(known[i]), utet_strerror(-200)) != 0);
        for (k = 0; k < i; k++)
            assert_true(strcmp(utet_strerror(known[i]), utet_strerror(known[k])) != 0);
    }
    assert_string_equal(utet_strerror(UTET_E_PORT - 5), utet_strerror(UTET_E_PORT));
    assert_non_null(strstr(utet_build_info(), "layout 1"));
    assert_null(strchr(utet_build_info(), '\n'));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_are_exact),
        cmocka_unit_test(nothing_is_read_behind_an_element),
        cmocka_unit_test(floats_of_note),
        cmocka_unit_test(f64_reads_back_and_is_shortest),
        cmocka_unit_test(f32_reads_back_and_is_shortest),
        cmocka_unit_test(all_of_f16),
        cmocka_unit_test(unknown_dtypes_and_small_buffers),
        cmocka_unit_test(native_order),
        cmocka_unit_test(every_status_has_a_text),
    };
    return SUITE("show", tests);
}
