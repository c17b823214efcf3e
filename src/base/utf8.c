/* Well-formed UTF-8 as in the Unicode standard, table 3-7: no overlong forms, no
 * surrogates, nothing above U+10FFFF. */
#include "base.h"

size_t utet_utf8_length(const uint8_t *at, size_t have)
{
    uint8_t lead = at[0];
    uint8_t low = 0x80;
    uint8_t high = 0xBF;
    size_t length;
    size_t i;

    if (lead < 0x80)
        return 1;
    if (lead < 0xC2 || lead > 0xF4)
        return 0;
    if (lead < 0xE0) {
        length = 2;
    } else if (lead < 0xF0) {
        length = 3;
        if (lead == 0xE0)
            low = 0xA0;
        if (lead == 0xED)
            high = 0x9F;
    } else {
        length = 4;
        if (lead == 0xF0)
            low = 0x90;
        if (lead == 0xF4)
            high = 0x8F;
    }
    if (have < length)
        return 0;
    for (i = 1; i < length; i++) {
        if (at[i] < low || at[i] > high)
            return 0;
        low = 0x80;
        high = 0xBF;
    }
    return length;
}
