/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Text from files on a terminal: its width, a harmless copy (control characters and bytes that are not UTF-8 become
 * \xNN, characters that change the direction of writing \u+NNNN), and truncation. */
#define _XOPEN_SOURCE 700
#include "tool.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

uint32_t text_next(const char *text, size_t length, size_t *bytes)
{
    const unsigned char first = (unsigned char)text[0];
    const size_t size = first < 0x80   ? 1
                        : first < 0xC2 ? 0
                        : first < 0xE0 ? 2
                        : first < 0xF0 ? 3
                        : first < 0xF5 ? 4
                                       : 0;
    uint32_t value = size == 1 ? first : size == 0 ? 0 : first & (0x7Fu >> size);
    size_t i;

    *bytes = 0;
    if (size == 0 || size > length)
        return 0;
    for (i = 1; i < size; i++) {
        if (((unsigned char)text[i] & 0xC0) != 0x80)
            return 0;
        value = value << 6 | ((unsigned char)text[i] & 0x3F);
    }
    *bytes = size;
    return value;
}

static int turns_direction(uint32_t c)
{
    return (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) || c == 0x200E || c == 0x200F || c == 0x061C;
}

size_t text_columns(uint32_t c)
{
    const int width = wcwidth((wchar_t)c);

    return width < 0 ? 1 : (size_t)width;
}

/* Returns the number of printable ASCII characters at the beginning of the text. */
static size_t plain(const char *text, size_t length)
{
    size_t i = 0;

    while (i < length && text[i] >= ' ' && text[i] <= '~')
        i++;
    return i;
}

size_t text_width(const char *text)
{
    size_t length = strlen(text);
    size_t width = plain(text, length);
    size_t bytes;

    text += width;
    length -= width;
    while (length > 0) {
        const uint32_t c = text_next(text, length, &bytes);

        width += bytes == 0 ? 1 : text_columns(c);
        bytes += bytes == 0;
        text += bytes;
        length -= bytes;
    }
    return width;
}

/* Writes a harmless copy of one character into at least 12 bytes; returns its width in columns. */
static size_t harmless(uint32_t c, const char *from, size_t bytes, char *to)
{
    if (bytes == 0)
        return (size_t)sprintf(to, "\\x%02x", (unsigned char)from[0]);
    if (c < 0x20 || (c >= 0x7F && c < 0xA0))
        return (size_t)sprintf(to, "\\x%02x", (unsigned)c);
    if (turns_direction(c) || c == 0x2028 || c == 0x2029)
        return (size_t)sprintf(to, "\\u%04x", (unsigned)c);
    memcpy(to, from, bytes);
    to[bytes] = '\0';
    return text_columns(c);
}

static const char *ellipsis(void)
{
    return MB_CUR_MAX > 1 ? "\xe2\x80\xa6" : "~";
}

/* Shrinks the allocation to the text's length, because tables hold thousands of cells. */
static char *shrunk(char *text)
{
    char *const less = realloc(text, strlen(text) + 1);

    return less != NULL ? less : text;
}

char *text_cut(const char *text, size_t length, size_t most)
{
    const size_t room = length < most ? length : most;
    const int as_it_is = length <= most && plain(text, length) == length;
    char *const to = malloc(as_it_is ? length + 1 : room * 12 + 16 + most * 12);
    size_t at = 0;
    size_t fits = 0; /* the length that leaves room for the ellipsis */
    size_t width = 0;
    size_t bytes;

    if (to == NULL)
        return NULL;
    if (as_it_is) {
        memcpy(to, text, length);
        to[length] = '\0';
        return to;
    }
    to[0] = '\0';
    while (length > 0) {
        const uint32_t c = text_next(text, length, &bytes);
        char one[16];
        const size_t wide = harmless(c, text, bytes, one);

        if (width + wide > most || at + sizeof one > room * 12 + most * 12) {
            strcpy(to + fits, ellipsis());
            return shrunk(to);
        }
        strcpy(to + at, one);
        at += strlen(one);
        width += wide;
        if (width + 1 <= most)
            fits = at;
        bytes += bytes == 0;
        text += bytes;
        length -= bytes;
    }
    return shrunk(to);
}

int ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text);
    const size_t size = strlen(end);

    return length >= size && strcasecmp(text + length - size, end) == 0;
}

static int ends_with_any(const char *text, const char *const *ends)
{
    while (*ends != NULL && !ends_with(text, *ends))
        ends++;
    return *ends != NULL;
}

int promises_another(const char *path, const char *const *own)
{
    static const char *const kinds[] = {".npy", ".npz", ".csv",  ".tsv", ".txt",  ".json", ".tet", ".tgm",   ".png",
                                        ".jpg", ".gif", ".jpeg", ".bmp", ".webp", ".tif",  ".svg", ".pdf",   ".tiff",
                                        ".c",   ".h",   ".h5",   ".nc",  ".xlsx", ".zip",  ".zst", ".sixel", NULL};

    return ends_with_any(path, kinds) && !ends_with_any(path, own);
}

const char *cannot_stream(const char *path)
{
    return strcmp(path, "-") == 0 ? " (standard input cannot be read at any offset; give a file)" : "";
}

void terminal_size(size_t *width, size_t *height)
{
    struct winsize size;

    *width = 80;
    *height = 24;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0) {
        *width = size.ws_col;
        *height = size.ws_row;
    }
}

int words_close(FILE *stream, char *const *text)
{
    const int bad = ferror(stream);

    return fclose(stream) == 0 && !bad && *text != NULL;
}
