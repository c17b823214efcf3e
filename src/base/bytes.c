/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Little-endian loads and saturating arithmetic. They are functions, so that a call is a few
 * instructions and each check is written once. */
#include "base.h"

#include <string.h>

#ifdef UTET_LOADS_BYTEWISE
uint32_t utet_le32(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

uint64_t utet_le64(const uint8_t *at)
{
    return utet_le32(at) | (uint64_t)utet_le32(at + 4) << 32;
}
#endif

uint64_t utet_add(uint64_t a, uint64_t b)
{
    uint64_t sum = a + b;

    return sum < a ? UINT64_MAX : sum;
}

uint64_t utet_mul(uint64_t a, uint64_t b)
{
    uint32_t a_high = (uint32_t)(a >> 32);
    uint32_t b_high = (uint32_t)(b >> 32);
    uint64_t low = (uint64_t)(uint32_t)a * (uint32_t)b;
    uint64_t high;

#ifdef __ARM_ARCH_6M__
    /* A third of the lookup of a row: this core multiplies to 32 bits only, so each of the products is a call. */
    if (((a | b) >> 16) == 0)
        return (uint32_t)a * (uint32_t)b;
#endif
    if (a_high != 0 && b_high != 0)
        return UINT64_MAX;
    /* One of the two products is 0. */
    high = (uint64_t)a_high * (uint32_t)b + (uint64_t)b_high * (uint32_t)a + (low >> 32);
    if (high >> 32 != 0)
        return UINT64_MAX;
    return high << 32 | (uint32_t)low;
}

uint64_t utet_div(uint64_t dividend, uint64_t divisor)
{
    uint64_t quotient = 0;
    unsigned bits = 1; /* upper bound of the quotient's bits */

    while (divisor < dividend && divisor >> 63 == 0) {
        divisor <<= 1;
        bits++;
    }
    do {
        quotient <<= 1;
        if (dividend >= divisor) {
            dividend -= divisor;
            quotient++;
        }
        divisor >>= 1;
    } while (--bits != 0);
    return quotient;
}

uint64_t utet_div_up(uint64_t dividend, uint64_t divisor)
{
    if (dividend == 0)
        return 0;
    if (divisor == 0)
        return UINT64_MAX;
    return utet_div(dividend - 1, divisor) + 1;
}

#if UINTPTR_MAX > UINT32_MAX
unsigned utet_tenth(uint64_t *number)
{
    const unsigned rest = (unsigned)(*number % 10);

    *number /= 10;
    return rest;
}
#else
unsigned utet_tenth(uint64_t *number)
{
    uint64_t quotient = 0;
    uint32_t rest = 0;
    unsigned below = 64;

    while (below != 0) { /* divisions that a 32-bit machine can do */
        below -= 16;
        rest = rest << 16 | (uint32_t)(*number >> below & 0xFFFFu);
        quotient = quotient << 16 | rest / 10;
        rest %= 10;
    }
    *number = quotient;
    return (unsigned)rest;
}
#endif

unsigned utet_decimals(uint64_t number, unsigned least, char *digits)
{
    char all[20];
    char *first = all + sizeof all;
    unsigned count;

    for (count = 0; number != 0 || count < least; count++)
        *--first = (char)('0' + utet_tenth(&number));
    memcpy(digits, first, count);
    return count;
}

uint64_t utet_align8(uint64_t value)
{
    return (value + 7) & ~(uint64_t)7;
}
