/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* JSON text: compact, as the reference prints it; only quote, backslash and control characters are escaped. JSON is
 * UTF-8: each byte that is not UTF-8 becomes U+FFFD, which is reported once. */
#include "tool.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Returns the length of the character at `text` in bytes; 0: it is not UTF-8. */
static size_t character(const char *text, size_t length)
{
    size_t size = 0;

    while (size < length && size < 4)
        if (is_utf8(text, ++size))
            return size;
    return 0;
}

static void tell_once(unsigned char byte)
{
    static int told;

    if (!told)
        notice(NULL, "JSON", "a text contains the byte 0x%02X, which is not UTF-8; each such byte is printed as U+FFFD",
               byte);
    told = 1;
}

size_t json_valid(char *to, const char *text, size_t length)
{
    size_t written = 0;
    size_t i = 0;

    while (i < length) {
        const size_t bytes = character(text + i, length - i);

        memcpy(to + written, bytes > 0 ? text + i : "\xEF\xBF\xBD", bytes > 0 ? bytes : 3);
        written += bytes > 0 ? bytes : 3;
        i += bytes > 0 ? bytes : 1;
    }
    return written;
}

char *json_path(const char *path)
{
    const size_t length = strlen(path);
    char *const valid = malloc(3 * length + 1);
    size_t i;

    if (valid == NULL)
        return NULL;
    valid[json_valid(valid, path, length)] = '\0';
    for (i = 0; path[i] != '\0' && path[i] == valid[i]; i++)
        ;
    if (path[i] != '\0')
        tell_once((unsigned char)path[i]);
    return valid;
}

void json_text(FILE *out, const char *text, size_t length)
{
    static const char letters[] = "btn?fr"; /* escapes of the characters 8, 9, 10, 12, 13 */
    size_t i;

    putc('"', out);
    for (i = 0; i < length; i++) {
        const unsigned char c = (unsigned char)text[i];
        const size_t bytes = c < 0x80 ? 1 : character(text + i, length - i);

        if (bytes == 0) {
            tell_once(c);
            fputs("\xEF\xBF\xBD", out);
        } else if (bytes > 1) {
            (void)fwrite(text + i, 1, bytes, out);
            i += bytes - 1;
        } else if (c == '"' || c == '\\')
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
