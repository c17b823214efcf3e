/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Counts of bytes in options and machine files: 4096, 16K, 2MiB. */
#include "tool.h"

#include <string.h>

int options_bytes(const char *text, uint64_t *bytes)
{
    static const char letters[] = "KMG";
    const char *at = text;
    const char *letter;
    uint64_t value = 0;
    unsigned shift = 0;

    for (; *at >= '0' && *at <= '9'; at++) {
        const unsigned digit = (unsigned)(*at - '0');

        if (value > (UINT64_MAX - digit) / 10)
            return 0;
        value = value * 10 + digit;
    }
    if (at == text || value == 0)
        return 0;
    if (*at != '\0' && (letter = strchr(letters, *at == 'k' ? 'K' : *at)) != NULL) {
        shift = 10 * (unsigned)(letter - letters + 1);
        at++;
        if (*at == 'i')
            at++;
    }
    if (*at == 'B' && at > text)
        at++;
    *bytes = value << shift;
    return *at == '\0' && *bytes >> shift == value;
}
