/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Little-endian loads and saturating arithmetic. They are functions, so that a call is a few
 * instructions and each check is written once. */
#include "base.h"

#include <string.h>

#ifdef UTET_LOADS_BYTEWISE
#if defined(__ARM_ARCH_6M__) && !defined(__ARM_BIG_ENDIAN)
/* Nonzero if a word may be there. It is volatile, because the compiler would make both ways of loading it one. */
#define IS_WORD(at) (((uintptr_t)(at)&3) == 0)
typedef const volatile uint32_t __attribute__((may_alias)) stored_word;
#endif

uint32_t utet_le32(const uint8_t *at)
{
#ifdef IS_WORD
    if (IS_WORD(at))
        return *(stored_word *)(const void *)at;
#endif
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

uint64_t utet_le64(const uint8_t *at)
{
#ifdef IS_WORD
    if (IS_WORD(at))
        return ((stored_word *)(const void *)at)[0] | (uint64_t)((stored_word *)(const void *)at)[1] << 32;
#endif
    return utet_le32(at) | (uint64_t)utet_le32(at + 4) << 32;
}
#endif

uint64_t utet_add(uint64_t a, uint64_t b)
{
    a += b;
    return a < b ? UINT64_MAX : a;
}

#ifdef __ARM_ARCH_6M__
#define MUL_APART UTET_APART
#else
#define MUL_APART
#endif

MUL_APART static uint64_t mul_wide(uint64_t a, uint64_t b)
{
    const uint64_t low = (uint64_t)(uint32_t)a * (uint32_t)b;
    uint64_t high;

    if (b >> 32 != 0) {
        const uint64_t larger = b;

        b = a;
        a = larger;
    }
    high = (uint64_t)(uint32_t)(a >> 32) * (uint32_t)b + (low >> 32);
    return b >> 32 != 0 || high >> 32 != 0 ? UINT64_MAX : high << 32 | (uint32_t)low;
}

uint64_t utet_mul(uint64_t a, uint64_t b)
{
#ifdef __ARM_ARCH_6M__
    /* This core multiplies to 32 bits only, so a product of 64 bits is a call; most numbers are small. */
    const uint32_t beyond = ((uint32_t)a | (uint32_t)b) >> 16 | (uint32_t)(a >> 32) | (uint32_t)(b >> 32);

    if (beyond == 0)
        return (uint32_t)a * (uint32_t)b;
#endif
    return mul_wide(a, b);
}

uint64_t utet_div(uint64_t dividend, uint64_t divisor)
{
    const uint64_t half = dividend >> 1;
    uint64_t quotient = 0;
    unsigned bits = 1; /* the quotient's length */

#ifdef __ARM_FEATURE_IDIV /* an instruction */
    if ((dividend | divisor) >> 32 == 0)
        return (uint32_t)dividend / (uint32_t)divisor;
#endif
    while (divisor <= half) {
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
