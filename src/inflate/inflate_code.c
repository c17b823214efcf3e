/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Prefix codes: their order, their table, decoding; the fixed ones (§4, §5). Relies on memset alone. */
#include "inflate.h"

#include <string.h>

enum { LONGEST = 15, SYMBOLS = 16 /* where a code's symbols begin */ };

int utet_inflate_sort(uint16_t *code, const uint8_t *length, unsigned count, int lone)
{
    uint16_t place[LONGEST + 1]; /* position of the next symbol of each length */
    int32_t left = 1;            /* codes of this length that no shorter one has taken */
    unsigned i;

    memset(code, 0, SYMBOLS * sizeof code[0]);
    for (i = 0; i < count; i++)
        code[length[i]]++;
    place[0] = 0;
    for (i = 1; i <= LONGEST; i++) {
        left = left * 2 - code[i];
        if (left < 0)
            return 0;
        place[i] = (uint16_t)(i == 1u ? SYMBOLS : place[i - 1u] + code[i - 1u]);
    }
    if (left > 0 && !(lone && count - code[0] == code[1]))
        return 0;
    for (i = 0; i < count; i++)
        if (length[i] != 0)
            code[place[length[i]]++] = (uint16_t)(i < 256u ? i : i - 256u + INFLATE_OTHER);
    return 1;
}

/* The code of `length` bits, its first bit lowest, that follows on `at`: the carry goes down. */
static unsigned inflate_next(unsigned at, unsigned length)
{
    unsigned bit = 1u << length >> 1;

    for (; at & bit; bit >>= 1)
        at ^= bit;
    return at | bit;
}

void utet_inflate_table(uint16_t *root, unsigned bits, uint16_t *code)
{
    const uint16_t *symbol = code + SYMBOLS;
    unsigned size = 1u << bits, at = 0, left = size, length; /* at: the code, its first bit lowest; left: entries */

    for (length = 1; length <= bits; length++) {
        unsigned count = code[length];

        left -= count << (bits - length);
        for (; count != 0; count--) {
            uint16_t entry = (uint16_t)((unsigned)*symbol++ | length << 12);
            unsigned i;

            for (i = at; i < size; i += 1u << length)
                root[i] = entry;
            at = inflate_next(at, length);
        }
    }
    code[0] = (uint16_t)(symbol - code);
    for (length = 0; length < left; length++, at = inflate_next(at, bits))
        root[at] = (uint16_t)(INFLATE_OTHER | length);
}

unsigned utet_inflate_search(const uint16_t *code, unsigned length, unsigned entry, uint32_t hold, unsigned bits)
{
    const uint16_t *symbol = code + code[0];
    unsigned value = entry - INFLATE_OTHER;

    for (hold >>= length; ++length <= LONGEST; hold >>= 1) {
        unsigned count = code[length];

        if (length > bits)
            return INFLATE_WANT;
        value = value << 1 | (unsigned)(hold & 1u);
        if (value < count)
            return (unsigned)symbol[value] | length << 12;
        value -= count;
        symbol += count;
    }
    return INFLATE_INVALID;
}

unsigned utet_inflate_decode(const uint16_t *code, const uint16_t *root, unsigned root_bits, uint32_t hold,
                             unsigned bits)
{
    unsigned entry = root[hold & ((1u << root_bits) - 1u)];

    if (INFLATE_LENGTH(entry) == 0)
        return utet_inflate_search(code, root_bits, entry, hold, bits);
    return INFLATE_LENGTH(entry) <= bits ? entry : INFLATE_WANT;
}

unsigned utet_inflate_decode_distance(const utet_inflate *z)
{
    return utet_inflate_decode(z->priv.distance, z->priv.distance_root, UTET_INFLATE_ROOT_DISTANCE, z->priv.hold,
                               z->priv.bits);
}

int utet_inflate_build(utet_inflate *z, unsigned literals, unsigned all)
{
    const uint8_t *length = z->priv.literal_table.length;

    if (!utet_inflate_sort(z->priv.distance, length + literals, all - literals, 1) ||
        !utet_inflate_sort(z->priv.literal, length, literals, 1))
        return 0;
    utet_inflate_table(z->priv.distance_root, UTET_INFLATE_ROOT_DISTANCE, z->priv.distance);
    utet_inflate_table(z->priv.literal_table.root, UTET_INFLATE_ROOT, z->priv.literal);
    return 1;
}

void utet_inflate_fixed(utet_inflate *z)
{
    uint8_t *length = z->priv.literal_table.length;

    if (z->priv.fixed)
        return;
    z->priv.fixed = 1;
    memset(length, 8, 288);
    memset(length + 144, 9, 112);
    memset(length + 256, 7, 24);
    memset(length + 288, 5, 32);
    (void)utet_inflate_build(z, 288, 320);
}
