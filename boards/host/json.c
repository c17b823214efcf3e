/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* JSON text: compact, as the reference prints it; only quote, backslash and control characters are escaped. */
#include "tool.h"

#include <inttypes.h>

void json_text(FILE *out, const char *text, size_t length)
{
    static const char letters[] = "btn?fr"; /* of 8, 9, 10, 12, 13 */
    size_t i;

    putc('"', out);
    for (i = 0; i < length; i++) {
        const unsigned char c = (unsigned char)text[i];

        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (c >= 8 && c <= 13 && c != 11)
            fprintf(out, "\\%c", letters[c - 8]);
        else if (c < 0x20)
            fprintf(out, "\\u%04x", c);
        else
            putc(c, out);
    }
    putc('"', out);
}

void json_numbers(FILE *out, const uint64_t *numbers, unsigned count)
{
    unsigned i;

    putc('[', out);
    for (i = 0; i < count; i++)
        fprintf(out, "%s%" PRIu64, i > 0 ? "," : "", numbers[i]);
    putc(']', out);
}
