/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Physical values (utet_show.h). The second source is the C library's strtod, which rounds the exact decimal result
 * that a case states, or that 64-bit integers give. physical_test.py has fractions of any size. */
#include "guard.h"
#include "suite.h"
#include "utet_show.h"

#include <inttypes.h>
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

static utet_status attribute(utet_physical *p, const char *key, const char *text)
{
    return utet_physical_attribute(p, key, strlen(key), text, strlen(text));
}

static uint64_t convert(const utet_physical *p, uint64_t bits)
{
    uint8_t element[9];
    uint8_t f64[9];
    uint64_t got = 0;
    unsigned i;

    for (i = 0; i < 8; i++, bits >>= 8)
        element[i + 1] = (uint8_t)bits;
    f64[8] = 0xA5;
    assert_int_equal(utet_physical_f64(p, element + 1, f64), UTET_OK);
    assert_int_equal(f64[8], 0xA5);
    for (i = 8; i-- > 0;)
        got = got << 8 | f64[i];
    return got;
}

static utet_physical conversion(uint32_t dtype, const char *scale, const char *offset)
{
    utet_physical p;

    assert_int_equal(utet_physical_begin(&p, dtype), UTET_OK);
    if (scale != NULL)
        assert_int_equal(attribute(&p, "scale_factor", scale), UTET_OK);
    if (offset != NULL)
        assert_int_equal(attribute(&p, "add_offset", offset), UTET_OK);
    return p;
}

static uint64_t bits_of(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* The element's value is the one that strtod makes of `wanted`. */
static void is_value(uint32_t dtype, const char *scale, const char *offset, uint64_t bits, const char *wanted)
{
    const utet_physical p = conversion(dtype, scale, offset);

    assert_int_equal(convert(&p, bits), bits_of(strtod(wanted, NULL)));
}

static void values_of_note(void **state)
{
    (void)state;
    is_value(UTET_I16, "0.1", NULL, 3, "0.3");
    is_value(UTET_I16, "0.1", "273.15", 0xFFFF, "273.05");
    is_value(UTET_I16, "-0.5", "7", 0x8000, "16391");
    is_value(UTET_U8, "5e-1", "5", 88, "49");
    is_value(UTET_U8, "1E-3", "-1e3", 255, "-999.745");
    is_value(UTET_U16, "+1.50", "-.25", 65535, "98302.25");
    is_value(UTET_I32, "0.0017563456789012345", "288.70001220703125", 0x80000000, "-3771434.9256636526645134560");
    is_value(UTET_U32, "18446744073709551615e-40", "0.0", 4294967295u, "7.9228162495817593519834398721e-12");
    is_value(UTET_U64, "18446744073709551615", NULL, UINT64_MAX, "340282366920938463426481119284349108225");
    is_value(UTET_U8, "1e40", "1e-40", 3, "3e40");
    is_value(UTET_U8, "1e-40", "1e40", 3, "1e40");
    is_value(UTET_U8, "1e-40", "-1e40", 3, "-1e40");
    is_value(UTET_U8, "1", "-3", 3, "0");
    is_value(UTET_I16, "-1", "-3", 0xFFFD, "0");
    is_value(UTET_U8, "0", "-0.0", 3, "0");
    is_value(UTET_U8, "100e-2", "00000000000000000000000000012", 3, "15");
}

/* Halves round to the even neighbour; anything different from a half decides. */
static void ties(void **state)
{
    const uint64_t odd = ((uint64_t)1 << 53) + 1;

    (void)state;
    is_value(UTET_U64, NULL, NULL, odd, "9007199254740992");
    is_value(UTET_U64, NULL, "2", odd, "9007199254740996");
    is_value(UTET_U64, "1", "1e-40", odd, "9007199254740994");
    is_value(UTET_U64, "1", "-1e-40", odd, "9007199254740992");
    is_value(UTET_U64, "1", "-1e-40", odd + 2, "9007199254740994");
    is_value(UTET_I64, "-1", "-1e-40", odd, "-9007199254740994");
    is_value(UTET_U64, NULL, NULL, UINT64_MAX, "18446744073709551616");
    is_value(UTET_I64, "1e-1", NULL, 90071992547409930, "9007199254740993");
    is_value(UTET_I64, "1e-1", NULL, 90071992547409931, "9007199254740993.1");
}

static void floats(void **state)
{
    static const double samples[] = {0, 1, -1, 0.1, 5e-324, -2.2250738585072014e-308, 1.7976931348623157e308, 3.5e-310};
    utet_physical p = conversion(UTET_F64, NULL, NULL);
    size_t i;
    unsigned n;

    (void)state;
    for (i = 0; i < sizeof samples / sizeof samples[0]; i++)
        assert_int_equal(convert(&p, bits_of(samples[i])), bits_of(samples[i]));
    for (n = 0; n < 20000; n++) {
        const uint64_t bits = any();

        if ((bits >> 52 & 0x7FF) != 0x7FF)
            assert_int_equal(convert(&p, bits), bits);
    }
    assert_int_equal(convert(&p, (uint64_t)1 << 63), (uint64_t)1 << 63); /* -0 as it is */
    p = conversion(UTET_F64, "0.5", NULL);
    assert_int_equal(convert(&p, (uint64_t)1 << 63), 0);
    for (i = 0; i < sizeof samples / sizeof samples[0]; i++)
        assert_int_equal(convert(&p, bits_of(samples[i])), bits_of(samples[i] * 0.5 + 0.0));
    is_value(UTET_F64, "2", "1e-40", 1, "1e-40");
    is_value(UTET_F64, "18446744073709551615e-40", "18446744073709551615e40", 1, "18446744073709551615e40");
    is_value(UTET_F64, "18446744073709551615e40", "-18446744073709551615e-40", 0x000FFFFFFFFFFFFF,
             "-1.8446744073709551615e-21");
    is_value(UTET_F64, "10", NULL, bits_of(1.7976931348623157e308), "inf");
    is_value(UTET_F64, "-10", "1e-40", bits_of(1.7976931348623157e308), "-inf");
    is_value(UTET_F64, "1e-20", NULL, bits_of(5e-310), "0");
    is_value(UTET_F64, "-1e-20", NULL, bits_of(5e-310), "-0.0");
    is_value(UTET_F64, "0.5", NULL, 1, "0"); /* a half of the smallest: to even */
    is_value(UTET_F64, "0.51", NULL, 1, "5e-324");
    is_value(UTET_F64, "0.5", NULL, 3, "1e-323");
    is_value(UTET_F32, "0.1", "0.2", 0x3FC00000, "0.35");
    is_value(UTET_F32, "1", NULL, 1, "1.40129846432481707092372958329e-45");
    is_value(UTET_F16, "0.01", "-1", 0xBC00, "-1.01");
    is_value(UTET_F16, "3", NULL, 1, "1.78813934326171875e-07");
    is_value(UTET_F16, NULL, NULL, 0x7BFF, "65504");
}

static void not_finite(void **state)
{
    const uint64_t infinity = (uint64_t)0x7FF << 52;
    const uint64_t minus = (uint64_t)1 << 63;
    const uint64_t nan = (uint64_t)0x7FF8 << 48;
    utet_physical p = conversion(UTET_F32, "-0.1", "5");

    (void)state;
    assert_int_equal(convert(&p, 0x7F800000), minus | infinity);
    assert_int_equal(convert(&p, 0xFF800000), infinity);
    assert_int_equal(convert(&p, 0xFFC00001), nan);
    p = conversion(UTET_F16, "0", "5");
    assert_int_equal(convert(&p, 0x7C00), nan);
    assert_int_equal(convert(&p, 0x7C01), nan);
    p = conversion(UTET_F64, "2", NULL);
    assert_int_equal(convert(&p, minus | infinity), minus | infinity);
}

/* (element * m + n) / 10^k, all of it in 64 bits, which printf and strtod turn into the nearest double. */
static void integers_at_random(void **state)
{
    unsigned i;

    (void)state;
    for (i = 0; i < 20000; i++) {
        const unsigned places = (unsigned)(any() % 20);
        const int64_t scale = (int64_t)(any() % 2000000) - 1000000;
        const int64_t offset = (int64_t)(any() >> (2 + any() % 40)) - ((int64_t)1 << 50);
        const uint32_t bits = (uint32_t)any();
        const int64_t element = (int64_t)(bits & 0x7FFFFFFFu) - (int64_t)(bits & 0x80000000u);
        char text[3][64];

        (void)snprintf(text[0], sizeof text[0], "%" PRId64 "e-%u", scale, places);
        (void)snprintf(text[1], sizeof text[1], "%" PRId64 "e-%u", offset, places);
        (void)snprintf(text[2], sizeof text[2], "%" PRId64 "e-%u", element * scale + offset, places);
        is_value(UTET_I32, text[0], text[1], bits, text[2]);
    }
}

static int is_nan(uint32_t dtype, const char *key, const char *fill, uint64_t bits)
{
    utet_physical p = conversion(dtype, "0.1", NULL);

    assert_int_equal(attribute(&p, key, fill), UTET_OK);
    return convert(&p, bits) == (uint64_t)0x7FF8 << 48;
}

static void fills(void **state)
{
    utet_physical p = conversion(UTET_I16, "2", NULL);

    (void)state;
    assert_true(is_nan(UTET_I16, "_FillValue", "-999", (uint64_t)-999));
    assert_false(is_nan(UTET_I16, "_FillValue", "-999", 999));
    assert_true(is_nan(UTET_I16, "missing_value", "-32768", 0x8000));
    assert_false(is_nan(UTET_I16, "_FillValue", "-32769", 0x7FFF));
    assert_false(is_nan(UTET_I16, "_FillValue", "32768", 0x8000));
    assert_true(is_nan(UTET_U8, "fill_value", "2.55e2", 255));
    assert_true(is_nan(UTET_U8, "fill_value", "20e1", 200));
    assert_true(is_nan(UTET_U8, "fill_value", "-0", 0));
    assert_false(is_nan(UTET_U8, "fill_value", "-1", 255));
    assert_false(is_nan(UTET_U8, "fill_value", "511", 255));
    assert_false(is_nan(UTET_U8, "fill_value", "3e20", 3));
    assert_false(is_nan(UTET_U8, "fill_value", "0.5", 0));
    assert_false(is_nan(UTET_U8, "fill_value", "none", 0));
    assert_false(is_nan(UTET_U8, "fill_value", "1e41", 0));
    assert_true(is_nan(UTET_U64, "_FillValue", "18446744073709551615", UINT64_MAX));
    assert_true(is_nan(UTET_I64, "_FillValue", "-9223372036854775808", (uint64_t)1 << 63));
    assert_true(is_nan(UTET_F32, "_FillValue", "9.96921e+36", 0x7CF00000));
    assert_true(is_nan(UTET_F32, "_FillValue", "-9999.0", 0xC61C3C00));
    assert_false(is_nan(UTET_F32, "_FillValue", "1e40", 0x7F800000));
    assert_true(is_nan(UTET_F64, "_FillValue", "0", (uint64_t)1 << 63));
    assert_true(is_nan(UTET_F16, "_FillValue", "1e-7", 2));
    assert_false(is_nan(UTET_F16, "_FillValue", "0", 1));
    /* Both CF attributes count; the third one only if they are absent. */
    assert_int_equal(attribute(&p, "fill_value", "1"), UTET_OK);
    assert_int_equal(convert(&p, 1), (uint64_t)0x7FF8 << 48);
    assert_int_equal(attribute(&p, "_FillValue", "2"), UTET_OK);
    assert_int_equal(attribute(&p, "missing_value", "3"), UTET_OK);
    assert_int_equal(convert(&p, 1), bits_of(2));
    assert_int_equal(convert(&p, 2), (uint64_t)0x7FF8 << 48);
    assert_int_equal(convert(&p, 3), (uint64_t)0x7FF8 << 48);
    /* The fill of a float that would be out of range is refused. */
    p = conversion(UTET_F64, NULL, NULL);
    assert_int_equal(attribute(&p, "_FillValue", "1e300"), UTET_E_LIMIT);
    assert_int_equal(attribute(&p, "_FillValue", "nan"), UTET_OK);
}

static void texts(void **state)
{
    static const char *const wrong[] = {"",    "+",   "-",   ".",    "e5",  "1e",  "1e+", "1.2.3", "1 ",   " 1",
                                        "ten", "nan", "inf", "0x10", "1,5", "--1", "+-1", "1e5.",  "1ee5", "1E-"};
    static const char *const beyond[] = {"18446744073709551616",
                                         "184467440737095516150001",
                                         "18446744073709551617e-3",
                                         "1e41",
                                         "1e-41",
                                         "1e99999999999999999999",
                                         "1e-99999999999999999999",
                                         "0.00000000000000000000000000000000000000001"};
    static char zeros[20100];
    utet_physical p = conversion(UTET_I16, "2", "3");
    size_t i;

    (void)state;
    for (i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(attribute(&p, "scale_factor", wrong[i]), UTET_E_METADATA);
        assert_int_equal(attribute(&p, "add_offset", wrong[i]), UTET_E_METADATA);
    }
    for (i = 0; i < sizeof beyond / sizeof beyond[0]; i++)
        assert_int_equal(attribute(&p, "scale_factor", beyond[i]), UTET_E_LIMIT);
    memset(zeros, '0', sizeof zeros);
    zeros[1] = '.';
    assert_int_equal(utet_physical_attribute(&p, "scale_factor", 12, zeros, sizeof zeros), UTET_E_LIMIT);
    zeros[0] = '1';
    zeros[1] = '0';
    assert_int_equal(utet_physical_attribute(&p, "scale_factor", 12, zeros, sizeof zeros), UTET_E_LIMIT);
    assert_int_equal(convert(&p, 5), bits_of(13));                                         /* unchanged */
    assert_int_equal(utet_physical_attribute(&p, "scale_factor", 12, zeros, 41), UTET_OK); /* 10^40 */
    assert_int_equal(convert(&p, 5), bits_of(strtod("5e40", NULL)));
    /* Keys are compared in their complete length. */
    p = conversion(UTET_I16, "2", "3");
    assert_int_equal(attribute(&p, "scale_factors", "ten"), UTET_OK);
    assert_int_equal(attribute(&p, "scale", "ten"), UTET_OK);
    assert_int_equal(attribute(&p, "", "ten"), UTET_OK);
    assert_int_equal(attribute(&p, "missing_value_of_a_sensor", "5"), UTET_OK);
    assert_int_equal(attribute(&p, "units", "K"), UTET_OK);
    assert_int_equal(convert(&p, 5), bits_of(13));
    /* 0 with any exponent */
    is_value(UTET_U8, "0e99999", "0.000e-99999", 7, "0");
}

static void unknown_dtypes(void **state)
{
    utet_physical p;
    uint8_t bytes[8] = {0};

    (void)state;
    assert_int_equal(utet_physical_begin(&p, 0), UTET_E_DTYPE);
    assert_int_equal(utet_physical_begin(&p, UTET_DTYPE_END), UTET_E_DTYPE);
    memset(&p, 0, sizeof p);
    assert_int_equal(utet_physical_f64(&p, bytes, bytes), UTET_E_DTYPE);
}

/* Element, result and texts may be at the end of their memory: the next page is not mapped. */
static void nothing_is_touched_behind(void **state)
{
    guard key = guard_new(12, 1, GUARD_AFTER);
    guard text = guard_new(3, 1, GUARD_AFTER);
    guard element = guard_new(2, 1, GUARD_AFTER);
    guard f64 = guard_new(8, 1, GUARD_AFTER);
    utet_physical p;

    (void)state;
    memcpy(key.data, "scale_factor", 12);
    memcpy(text.data, "0.5", 3);
    assert_int_equal(utet_physical_begin(&p, UTET_U16), UTET_OK);
    assert_int_equal(utet_physical_attribute(&p, (const char *)key.data, 12, (const char *)text.data, 3), UTET_OK);
    assert_int_equal(utet_physical_f64(&p, element.data, f64.data), UTET_OK);
    guard_free(&f64);
    guard_free(&element);
    guard_free(&text);
    guard_free(&key);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_of_note),
        cmocka_unit_test(ties),
        cmocka_unit_test(floats),
        cmocka_unit_test(not_finite),
        cmocka_unit_test(fills),
        cmocka_unit_test(texts),
        cmocka_unit_test(integers_at_random),
        cmocka_unit_test(unknown_dtypes),
        cmocka_unit_test(nothing_is_touched_behind),
    };
    return SUITE("physical", tests);
}
