/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* A model of the cycles that Thumb instructions take in memory without wait states, from Arm's reference manuals of
 * Cortex-M3 and Cortex-M0+. A load that follows a load takes one cycle on Cortex-M3. Not modelled: what a division's
 * operands change, and unaligned accesses. */
#ifndef CYCLES_H
#define CYCLES_H

#include <stddef.h>
#include <stdint.h>

enum cycles_core { CYCLES_NONE, CYCLES_M3, CYCLES_M0PLUS };

/* Of an instruction: cycles, those that are added if the next one is elsewhere, whether it loads one register. */
struct cycles {
    unsigned each, jump;
    int load;
};

static unsigned cycles_bits(unsigned v)
{
    unsigned n = 0;

    for (; v != 0; v &= v - 1u)
        n++;
    return n;
}

static struct cycles cycles_access(enum cycles_core core, int load, int after_load)
{
    const struct cycles c = {core == CYCLES_M0PLUS || (load && !after_load) ? 2u : 1u, 2, core == CYCLES_M3 && load};

    return c;
}

static struct cycles cycles_narrow(enum cycles_core core, unsigned h, int after_load)
{
    struct cycles c = {1, core == CYCLES_M0PLUS ? 1u : 2u, 0};

    if ((h & 0xf800u) == 0x4800u) /* a constant */
        return cycles_access(core, 1, after_load);
    if ((h & 0xf000u) == 0x5000u) /* the address is a sum of two registers */
        return cycles_access(core, (h >> 9 & 7u) >= 3u, after_load);
    if ((h & 0xe000u) == 0x6000u || (h & 0xf000u) == 0x8000u || (h & 0xf000u) == 0x9000u)
        return cycles_access(core, (int)(h >> 11 & 1u), after_load);
    if ((h & 0xff00u) == 0xbd00u) { /* a return by pop */
        c.each = 2u + cycles_bits(h & 0xffu);
        c.jump = 2;
    } else if ((h & 0xfe00u) == 0xb400u || (h & 0xff00u) == 0xbc00u) /* push, pop */
        c.each = 1u + cycles_bits(h & 0x1ffu);
    else if ((h & 0xf000u) == 0xc000u) /* load, store of several */
        c.each = 1u + cycles_bits(h & 0xffu);
    return c;
}

static struct cycles cycles_wide(enum cycles_core core, unsigned h, unsigned g, int after_load)
{
    struct cycles c = {1, 2, 0};

    if ((h & 0xfff0u) == 0xe8d0u && (g & 0xffe0u) == 0xf000u) /* a table of branches */
        c.each = 2;
    else if ((h & 0xfe40u) == 0xe840u) /* two registers */
        c.each = 3;
    else if ((h & 0xfe00u) == 0xe800u) /* load, store of several */
        c.each = 1u + cycles_bits(g);
    else if ((h & 0xfe00u) == 0xf800u)
        return cycles_access(core, (int)(h >> 4 & 1u), after_load);
    else if ((h & 0xff80u) == 0xfb00u) /* a product, with a sum or not */
        c.each = (h & 0x70u) == 0 && g >> 12 != 15u ? 2u : 1u;
    else if ((h & 0xff80u) == 0xfb80u) /* a division; a product of 64 bits */
        c.each = (h & 0xd0u) == 0x90u ? 8u : 4u;
    return c;
}

/* Of the instruction with `size` bytes at `code`. */
static struct cycles cycles_of(enum cycles_core core, const uint8_t *code, size_t size, int after_load)
{
    const unsigned h = code[0] | (unsigned)code[1] << 8;

    if (size == 2u)
        return cycles_narrow(core, h, after_load);
    return cycles_wide(core, h, code[2] | (unsigned)code[3] << 8, after_load);
}

#endif
