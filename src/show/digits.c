/*
 * Shortest decimal digits of a binary float, by the free-format algorithm of Steele and White with exact integers:
 * value = rest / scale, and half the distances to the neighbouring floats = gap / scale (above: twice that when
 * `narrow`). Digits are taken off until what is left is nearer to zero, or to the next digit, than those distances.
 * 3 integers of 1216 bits on the stack; no tables, no floating point.
 */
#include "show.h"

/* f64: at most 1074 + 2 bits of scale, times 10 while digits are taken off, and 53 bits of fraction. */
#define LIMBS 38

typedef struct big {
    uint32_t limb[LIMBS]; /* lowest first */
    unsigned used;        /* the highest of them is not 0 */
} big;

static void big_set(big *a, uint64_t value)
{
    a->limb[0] = (uint32_t)value;
    a->limb[1] = (uint32_t)(value >> 32);
    a->used = a->limb[1] != 0 ? 2 : 1;
}

static void big_times(big *a, uint32_t factor)
{
    uint64_t carry = 0;
    unsigned i;

    for (i = 0; i < a->used; i++) {
        carry += (uint64_t)a->limb[i] * factor;
        a->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry != 0)
        a->limb[a->used++] = (uint32_t)carry;
}

static void big_times_power(big *a, uint32_t base, unsigned exponent)
{
    for (; exponent > 0; exponent--)
        big_times(a, base);
}

static void big_shift(big *a, unsigned bits)
{
    const unsigned whole = bits / 32;
    unsigned i;

    big_times(a, (uint32_t)1 << bits % 32);
    for (i = a->used; i > 0; i--)
        a->limb[i - 1 + whole] = a->limb[i - 1];
    for (i = 0; i < whole; i++)
        a->limb[i] = 0;
    a->used += whole;
}

static uint32_t limb_at(const big *a, unsigned i)
{
    return i < a->used ? a->limb[i] : 0;
}

/* Sign of factor * a + (b, may be null) * times - c. */
static int big_compare(const big *a, uint32_t factor, const big *b, uint32_t times, const big *c)
{
    uint64_t sum = 0;
    int64_t borrow = 0;
    int different = 0;
    unsigned limbs = a->used > c->used ? a->used : c->used;
    unsigned i;

    if (b != 0 && limbs < b->used)
        limbs = b->used;
    for (i = 0; i < limbs; i++) {
        int64_t difference;

        sum += (uint64_t)limb_at(a, i) * factor + (b != 0 ? (uint64_t)limb_at(b, i) * times : 0u);
        difference = (int64_t)(sum & 0xFFFFFFFFu) - (int64_t)limb_at(c, i) + borrow;
        if (difference != 0 && difference != -((int64_t)1 << 32))
            different = 1;
        borrow = difference < 0 ? -1 : 0;
        sum >>= 32;
    }
    borrow += (int64_t)sum;
    return borrow > 0 ? 1 : borrow < 0 ? -1 : different;
}

/* a -= b; a ≥ b. */
static void big_minus(big *a, const big *b)
{
    int64_t borrow = 0;
    unsigned i;

    for (i = 0; i < a->used; i++) {
        borrow += (int64_t)a->limb[i] - (int64_t)limb_at(b, i);
        a->limb[i] = (uint32_t)(borrow & 0xFFFFFFFF);
        borrow = borrow < 0 ? -1 : 0;
    }
    while (a->used > 1 && a->limb[a->used - 1] == 0)
        a->used--;
}

static int bit_length(uint64_t value)
{
    int bits = 0;

    for (; value != 0; value >>= 1)
        bits++;
    return bits;
}

/* floor(bits * log10 2), right for |bits| < 16,000. */
static int decimal_places(int bits)
{
    const int32_t product = (int32_t)bits * 19728;

    return (int)(product >= 0 ? product / 65536 : -((-product + 65535) / 65536));
}

unsigned utet_show_digits(uint64_t fraction, int exponent, int narrow, char *digits, int *point)
{
    const int even = (fraction & 1) == 0; /* then the ends of the interval read back, too */
    const uint32_t above = narrow ? 2 : 1;
    const int shift = narrow ? 2 : 1;
    unsigned count = 0;
    big rest;
    big scale;
    big gap;

    big_set(&rest, fraction);
    big_set(&scale, 1);
    big_set(&gap, 1);
    big_shift(&rest, (unsigned)(shift + (exponent > 0 ? exponent : 0)));
    big_shift(&gap, (unsigned)(exponent > 0 ? exponent : 0));
    big_shift(&scale, (unsigned)(shift + (exponent < 0 ? -exponent : 0)));

    /* The first guess is one or two too small, at most right: 10^floor(log10 value) has one digit less. */
    *point = decimal_places(bit_length(fraction) - 1 + exponent);
    if (*point > 0)
        big_times_power(&scale, 10, (unsigned)*point);
    else {
        big_times_power(&rest, 10, (unsigned)-*point);
        big_times_power(&gap, 10, (unsigned)-*point);
    }
    for (;;) {
        const int high = big_compare(&rest, 1, &gap, above, &scale);

        if (high < 0 || (high == 0 && !even))
            break;
        big_times(&scale, 10);
        ++*point;
    }

    for (;;) {
        unsigned digit = 0;
        int low;
        int high;
        int down;
        int up;

        big_times(&rest, 10);
        big_times(&gap, 10);
        while (big_compare(&rest, 1, 0, 0, &scale) >= 0) {
            big_minus(&rest, &scale);
            digit++;
        }
        low = big_compare(&rest, 1, 0, 0, &gap);
        high = big_compare(&rest, 1, &gap, above, &scale);
        down = low < 0 || (low == 0 && even);
        up = high > 0 || (high == 0 && even);
        if (down || up) {
            if (down && up) { /* both read back: the nearer one, of equally near ones the even one */
                const int half = big_compare(&rest, 2, 0, 0, &scale);

                up = half > 0 || (half == 0 && digit % 2 != 0);
            }
            digits[count++] = (char)('0' + digit + (up ? 1u : 0u));
            return count;
        }
        digits[count++] = (char)('0' + digit);
    }
}
