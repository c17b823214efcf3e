/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Physical values with integers alone. An attribute is digits * 10^power, an element size * 2^exponent, so that the
 * value is a whole number times a power of two and one of ten. The whole number is kept exactly, in words; only the
 * division by a power of ten leaves a rest, which matters for the last bit alone.
 */
#include "../../base/base.h"
#include "show.h"

#include <string.h>

#define PHYSICAL_TENS 4 /* powers of ten at a time: 10^4 < 2^16 */

/* Bits of 10^count, or a few more. */
#define PHYSICAL_BITS(count) ((count)*10u / 3u + 1u)
/* Words that hold: a product of two numbers of 64 bits, powers of ten and two, and 64 bits beyond a divisor. */
#define PHYSICAL_WIDTH(apart, power, exponent) \
    ((128u + PHYSICAL_BITS(apart) + 2u * PHYSICAL_BITS(power) + (exponent) + 66u) / 32u + 1u)
#define PHYSICAL_EXPONENT 1074u
#define PHYSICAL_WORDS PHYSICAL_WIDTH(2u * UTET_SHOW_MOST_POWER, UTET_SHOW_MOST_POWER, PHYSICAL_EXPONENT)

enum { PHYSICAL_SCALE, PHYSICAL_OFFSET, PHYSICAL_FILLS };

/* word * 2^exponent, with the lowest word first; `rest`: something smaller than 1 follows. */
typedef struct whole {
    uint32_t word[PHYSICAL_WORDS + 3]; /* zeros from `width` on */
    unsigned width;                    /* words that count; the number never needs more */
    int exponent;
    uint32_t rest;
} whole;

/* ---- whole numbers ---- */

static void whole_set(whole *n, uint64_t value, unsigned width)
{
    memset(n, 0, sizeof *n);
    n->word[0] = (uint32_t)value;
    n->word[1] = (uint32_t)(value >> 32);
    n->width = width;
}

static void whole_multiply(whole *n, uint32_t by)
{
    uint64_t carry = 0;
    unsigned i;

    for (i = 0; i < n->width; i++) {
        carry += (uint64_t)n->word[i] * by;
        n->word[i] = (uint32_t)carry;
        carry >>= 32;
    }
}

/* n *= factor, of a number of two words */
static void whole_product(whole *n, uint64_t factor)
{
    const uint32_t a[2] = {n->word[0], n->word[1]};
    unsigned i;

    n->word[0] = n->word[1] = 0;
    for (i = 0; i < 2; i++) {
        uint64_t carry = (uint64_t)a[i] * (uint32_t)factor + n->word[i];

        n->word[i] = (uint32_t)carry;
        carry = (carry >> 32) + n->word[i + 1] + (uint64_t)a[i] * (uint32_t)(factor >> 32);
        n->word[i + 1] = (uint32_t)carry;
        n->word[i + 2] = (uint32_t)(carry >> 32);
    }
}

/* n /= by, which is below 2^16: two divisions that a 32-bit machine can do. */
static void whole_divide(whole *n, uint32_t by)
{
    uint32_t left = 0;
    unsigned i;

    for (i = n->width; i > 0; i--) {
        const uint32_t high = left << 16 | n->word[i - 1] >> 16;
        const uint32_t low = high % by << 16 | (n->word[i - 1] & 0xFFFFu);

        n->word[i - 1] = high / by << 16 | low / by;
        left = low % by;
    }
    n->rest |= left;
}

/* n *= 10^power, or n /= 10^-power with a rest */
static void whole_tens(whole *n, int power)
{
    static const uint16_t tens[PHYSICAL_TENS + 1] = {1, 10, 100, 1000, 10000};

    while (power != 0) {
        const int size = power < 0 ? -power : power;
        const int step = size < PHYSICAL_TENS ? size : PHYSICAL_TENS;

        if (power > 0) {
            whole_multiply(n, tens[step]);
            power -= step;
        } else {
            whole_divide(n, tens[step]);
            power += step;
        }
    }
}

/* n * 2^count, and its exponent the less: the value stays. */
static void whole_raise(whole *n, unsigned count)
{
    n->exponent -= (int)count;
    for (; count >= 32; count -= 32) {
        memmove(n->word + 1, n->word, (n->width - 1) * sizeof n->word[0]);
        n->word[0] = 0;
    }
    whole_multiply(n, (uint32_t)1 << count);
}

/* Both have the same width, here and below. */
static int whole_less(const whole *a, const whole *b)
{
    unsigned i = a->width;

    while (i > 0 && a->word[i - 1] == b->word[i - 1])
        i--;
    return i > 0 && a->word[i - 1] < b->word[i - 1];
}

static void whole_swap(whole *a, whole *b)
{
    unsigned i;

    for (i = 0; i < a->width; i++) {
        const uint32_t word = a->word[i];

        a->word[i] = b->word[i];
        b->word[i] = word;
    }
}

/* a += b, or a -= b, which is not larger */
static void whole_add(whole *a, const whole *b, int minus)
{
    const uint32_t turn = minus != 0 ? UINT32_MAX : 0;
    uint32_t carry = minus != 0;
    unsigned i;

    for (i = 0; i < a->width; i++) {
        const uint64_t sum = (uint64_t)a->word[i] + (b->word[i] ^ turn) + carry;

        a->word[i] = (uint32_t)sum;
        carry = (uint32_t)(sum >> 32);
    }
}

/* The number of words without the zeros above. */
static unsigned whole_used(const whole *n)
{
    unsigned used = n->width;

    while (used > 0 && n->word[used - 1] == 0)
        used--;
    return used;
}

/* 64 bits from bit `at` up, which may be below 0. */
static uint64_t whole_bits(const whole *n, int at)
{
    const unsigned first = at < 0 ? 0 : (unsigned)at / 32;
    const unsigned part = at < 0 ? 0 : (unsigned)at % 32;
    uint64_t bits = ((uint64_t)n->word[first + 1] << 32 | n->word[first]) >> part;

    if (part != 0)
        bits |= (uint64_t)(n->word[first + 2] & (((uint32_t)1 << part) - 1)) << (64 - part);
    for (; at < 0; at++)
        bits = (bits & (UINT64_MAX >> 1)) << 1;
    return bits;
}

/* ---- to floats ---- */

/* The float nearest to the number, ties to even, without its sign; infinity beyond the largest one. */
static uint64_t whole_round(const whole *n, const utet_float_layout *layout)
{
    const int digits = layout->fraction_bits + 1;
    const int bias = (1 << (layout->exponent_bits - 1)) - 1;
    const int lowest = 1 - bias - layout->fraction_bits; /* exponent of the lowest bit of subnormals */
    const uint64_t infinity = (((uint64_t)1 << layout->exponent_bits) - 1) << layout->fraction_bits;
    uint32_t rest = n->rest;
    const unsigned used = whole_used(n);
    int length;
    int cut; /* bits that are left out */
    uint64_t bits;
    int i;

    if (used == 0)
        return 0;
    for (i = 0; i < 31 && n->word[used - 1] >> (31 - i) == 0; i++)
        ;
    length = 32 * (int)used - i;
    cut = length - digits;
    if (cut + n->exponent < lowest)
        cut = lowest - n->exponent;
    if (cut > length)
        return 0;
    bits = whole_bits(n, cut) & (((uint64_t)1 << digits) - 1);
    for (i = 0; i < (cut - 1) / 32; i++)
        rest |= n->word[i];
    for (i = 32 * i; i < cut - 1; i++)
        rest |= n->word[i / 32] >> (unsigned)i % 32 & 1u;
    if (cut > 0 && (whole_bits(n, cut - 1) & 1u) != 0 && (rest != 0 || (bits & 1u) != 0))
        bits++;
    /* A carry out of the fraction increases the exponent, as it should. */
    cut = cut + n->exponent - lowest;
    if (cut >= 2 * bias)
        return infinity;
    return bits + ((uint64_t)(unsigned)cut << layout->fraction_bits);
}

/* ---- values ---- */

/* n * 10^power, rounded; 64 bits are left after a division. */
static uint64_t whole_value(whole *n, int power, const utet_float_layout *layout)
{
    if (power < 0)
        whole_raise(n, 64 + PHYSICAL_BITS((unsigned)-power));
    whole_tens(n, power);
    return whole_round(n, layout);
}

/* n += offset, with signs, where *power belongs to n. */
static void add_offset(whole *n, int *power, int *negative, const utet_physical_number *offset)
{
    int minus = offset->negative;
    whole other;

    whole_set(&other, offset->digits, n->width);
    if (offset->power < *power) {
        whole_tens(n, *power - offset->power);
        *power = offset->power;
    } else {
        whole_tens(&other, offset->power - *power);
    }
    if (n->exponent < 0)
        whole_raise(&other, (unsigned)-n->exponent);
    else
        whole_raise(n, (unsigned)n->exponent);
    if (whole_less(n, &other)) {
        whole_swap(n, &other);
        minus = *negative;
        *negative = offset->negative;
    }
    whole_add(n, &other, *negative != minus);
}

/* The bits of an f64: of an element that is size * 2^exponent. */
static uint64_t finite_value(const utet_physical *p, int negative, uint64_t size, int exponent)
{
    const utet_physical_number *const scale = &p->number[PHYSICAL_SCALE];
    const utet_physical_number *const offset = &p->number[PHYSICAL_OFFSET];
    const int apart = offset->digits != 0 ? scale->power - offset->power : 0;
    const int stays = negative && p->given == 0; /* -0 */
    int power = scale->power;
    uint64_t bits;
    int is_zero;
    whole n;

    for (; exponent < 0 && (size & 1u) == 0; exponent++)
        size >>= 1;
    power = apart > 0 ? offset->power : power;
    whole_set(&n, size,
              PHYSICAL_WIDTH((unsigned)(apart < 0 ? -apart : apart), (unsigned)(power < 0 ? -power : power),
                             (unsigned)(exponent < 0 ? -exponent : exponent)));
    whole_product(&n, scale->digits);
    n.exponent = exponent;
    negative = negative != scale->negative;
    power = scale->power;
    if (offset->digits != 0)
        add_offset(&n, &power, &negative, offset);
    is_zero = whole_used(&n) == 0;
    bits = whole_value(&n, power, utet_show_float(UTET_F64));
    return (uint64_t)(unsigned)(is_zero ? stays : negative) << 63 | bits;
}

#define F64_NAN ((uint64_t)0x7FF8 << 48)
#define F64_INFINITY ((uint64_t)0x7FF0 << 48)

static uint64_t float_value(const utet_physical *p, uint64_t bits, const utet_float_layout *layout)
{
    const int exponents = (int)(((unsigned)1 << layout->exponent_bits) - 1u);
    const int field = (int)(bits >> layout->fraction_bits & (uint64_t)exponents);
    const int lowest = 1 - exponents / 2 - layout->fraction_bits;
    const uint64_t hidden = (uint64_t)1 << layout->fraction_bits;
    const uint64_t fraction = bits & (hidden - 1);
    const int negative = (int)(bits >> layout->fraction_bits >> layout->exponent_bits & 1u);

    if (field != exponents)
        return finite_value(p, negative, field != 0 ? fraction + hidden : fraction,
                            field != 0 ? lowest + field - 1 : lowest);
    if (fraction != 0 || p->number[PHYSICAL_SCALE].digits == 0)
        return F64_NAN;
    return (uint64_t)(negative != p->number[PHYSICAL_SCALE].negative) << 63 | F64_INFINITY;
}

static uint64_t integer_value(const utet_physical *p, uint64_t bits, unsigned bytes)
{
    const uint64_t sign = UTET_KNOWN_IS(UTET_SIGNEDS_, p->dtype) ? (uint64_t)1 << (8 * bytes - 1) : 0;
    const int negative = (bits & sign) != 0;

    return finite_value(p, negative, negative ? sign - (bits - sign) : bits, 0);
}

/* ---- fill values ---- */

/* The element that has this value, or is nearest to it if it is a float; 0: there is none. */
static int fill_element(uint32_t dtype, const utet_physical_number *n, uint64_t *bits)
{
    const utet_float_layout *const layout = utet_show_float(dtype);
    uint64_t most;
    unsigned bytes;
    whole number;
    int i;

    *bits = 0;
    (void)utet_show_bits(dtype, bits, &bytes);
    most = UINT64_MAX >> (64 - 8 * bytes + (UTET_KNOWN_IS(UTET_SIGNEDS_, dtype) ? 1u : 0u));
    if (layout == NULL) {
        uint64_t tenth = most;

        (void)utet_tenth(&tenth);
        *bits = n->digits;
        for (i = n->power; i > 0 && *bits <= tenth; i--)
            *bits *= 10;
        if (i != 0 || *bits > most + (UTET_KNOWN_IS(UTET_SIGNEDS_, dtype) && n->negative) ||
            (n->negative && !UTET_KNOWN_IS(UTET_SIGNEDS_, dtype) && *bits != 0))
            return 0;
        if (n->negative)
            *bits = (0 - *bits) & (UINT64_MAX >> (64 - 8 * bytes));
        return 1;
    }
    whole_set(&number, n->digits, PHYSICAL_WIDTH(0, (unsigned)(n->power < 0 ? -n->power : n->power), 0));
    *bits = whole_value(&number, n->power, layout);
    if (*bits >> layout->fraction_bits == ((uint64_t)1 << layout->exponent_bits) - 1)
        return 0;
    *bits |= (uint64_t)n->negative << (8 * bytes - 1);
    return 1;
}

/* Those of both CF attributes count, or without these that of the third one. Zeros of both signs are the same. */
static int is_fill(const utet_physical *p, uint64_t bits, unsigned bytes)
{
    const unsigned own = p->fills & 3u;
    const uint64_t sign = UTET_KNOWN_IS(UTET_FLOATS_, p->dtype) ? (uint64_t)1 << (8 * bytes - 1) : 0;
    unsigned i;

    for (i = 0; i < 3; i++)
        if (((own != 0 ? own : p->fills) >> i & 1u) != 0 &&
            (bits == p->fill[i] || (sign != 0 && ((bits | p->fill[i]) & ~sign) == 0)))
            return 1;
    return 0;
}

/* ---- the calls ---- */

utet_status utet_physical_begin(utet_physical *physical, uint32_t dtype)
{
    if (dtype >= UTET_DTYPE_END || dtype == 0)
        return UTET_E_DTYPE;
    memset(physical, 0, sizeof *physical);
    physical->dtype = dtype;
    physical->number[PHYSICAL_SCALE].digits = 1;
    return UTET_OK;
}

static int is_key(const char *known, const char *key, size_t length)
{
    size_t i = 0;

    while (i < length && known[i] != '\0' && known[i] == key[i])
        i++;
    return i == length && known[i] == '\0';
}

utet_status utet_physical_attribute(utet_physical *physical, const char *key, size_t key_length, const char *text,
                                    size_t length)
{
    static const char *const keys[] = {"scale_factor", "add_offset", "_FillValue", "missing_value", "fill_value"};
    utet_physical_number n;
    utet_status status;
    unsigned i;

    for (i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (is_key(keys[i], key, key_length))
            break;
    if (i == sizeof keys / sizeof keys[0])
        return UTET_OK;
    status = utet_show_decimal(&n, text, length);
    if (i < PHYSICAL_FILLS) {
        if (status == UTET_OK) {
            physical->number[i] = n;
            physical->given = 1;
        }
        return status;
    }
    i -= PHYSICAL_FILLS;
    if (status != UTET_OK)
        return status == UTET_E_METADATA || !UTET_KNOWN_IS(UTET_FLOATS_, physical->dtype) ? UTET_OK : status;
    if (fill_element(physical->dtype, &n, &physical->fill[i]))
        physical->fills = (uint8_t)(physical->fills | 1u << i);
    return UTET_OK;
}

utet_status utet_physical_f64(const utet_physical *physical, const void *element, void *f64)
{
    const utet_float_layout *const layout = utet_show_float(physical->dtype);
    uint8_t *const to = f64;
    unsigned bytes;
    uint64_t bits = utet_show_bits(physical->dtype, element, &bytes);
    unsigned i;

    if (bytes == 0)
        return UTET_E_DTYPE;
    if (is_fill(physical, bits, bytes))
        bits = F64_NAN;
    else
        bits = layout != NULL ? float_value(physical, bits, layout) : integer_value(physical, bits, bytes);
    for (i = 0; i < 8; i++, bits >>= 8)
        to[i] = (uint8_t)bits;
    return UTET_OK;
}
