/*
 * Firmware for hot.sh: one hot function calls another, which spoils nothing of r0 to r3 by itself but saves r8 and r9.
 * On Thumb-1 GCC 12's epilogue brings these back through r3, and with -fipa-ra the caller is told that r3 is kept.
 */
#include "codec/zstd_small.h"

#include "board.h"

/* `inner` has to save the high registers, which the compiler only uses by itself when it runs out of low ones. */
#define PAIR(name, HOT)                                                                       \
    HOT static uint32_t name##_inner(uint32_t a, uint32_t b, uint32_t c, uint32_t d)          \
    {                                                                                         \
        __asm__ volatile("" : "+r"(a) : "r"(b), "r"(c), "r"(d) : "r8", "r9");                 \
        return a;                                                                             \
    }                                                                                         \
    HOT static uint32_t name(uint32_t a, uint32_t b, uint32_t c, uint32_t d)                  \
    {                                                                                         \
        return name##_inner(a, b, c, d) * 1000u + b * 100u + c * 10u + d;                     \
    }
PAIR(hot, ZS_HOT)
PAIR(hottest, ZS_HOTTEST)

static volatile uint32_t digit[4] = {1, 2, 3, 4}; /* no constants that the compiler would see through */

int main(void)
{
    if (hot(digit[0], digit[1], digit[2], digit[3]) != 1234u)
        return 1;
    return hottest(digit[0], digit[1], digit[2], digit[3]) == 1234u ? 0 : 2;
}
