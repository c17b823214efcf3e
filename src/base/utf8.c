/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Well-formed UTF-8 as in the Unicode standard, table 3-7: no overlong forms, no
 * surrogates, nothing above U+10FFFF. */
#include "base.h"

size_t utet_utf8_length(const uint8_t *at, size_t have)
{
    unsigned lead = at[0];
    size_t length = 2u + (lead >= 0xE0) + (lead >= 0xF0);
    uint32_t code = lead & 0x0F; /* enough for what is checked below */
    size_t i;

    if (lead < 0x80)
        return 1;
    if (lead < 0xC2 || have < length)
        return 0;
    for (i = 1; i < length; i++) {
        const unsigned bits = at[i] ^ 0x80u;

        if (bits >= 0x40)
            return 0;
        code = code << 6 | bits;
    }
    if (length > 2 && (code >> (5 * length - 4) == 0 || code > 0x10FFFF || code >> 11 == 0x1B))
        return 0;
    return length;
}
