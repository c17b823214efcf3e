/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Messages: error lines, usage, numbers, and untrusted text without control characters. */
#define _POSIX_C_SOURCE 200809L
#include "tool.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

/* C1 control characters (U+0080 to U+009F) are two bytes, C2 80 to C2 9F. */
void put_safely(FILE *out, const char *text, size_t length)
{
    size_t i;

    for (i = 0; i < length; i++) {
        const unsigned char c = (unsigned char)text[i];
        const unsigned char next = i + 1 < length ? (unsigned char)text[i + 1] : 0;

        if (c == 0xC2 && next >= 0x80 && next <= 0x9F) {
            fprintf(out, "\\x%02x", next);
            i++;
        } else if (c < 0x20 || c == 0x7F) {
            fprintf(out, "\\x%02x", c);
        } else {
            putc(c, out);
        }
    }
}

void put_shell_word(FILE *out, const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789%+,-./:=@_";
    const char *at;
    int controls = 0;

    for (at = text; *at != '\0'; at++)
        controls |= (unsigned char)*at < 0x20 || *at == 0x7F;
    if (*text != '\0' && text[strspn(text, plain)] == '\0') {
        fputs(text, out);
        return;
    }
    fputs(controls ? "$'" : "'", out); /* $'...' is in bash and POSIX 2024 */
    for (at = text; *at != '\0'; at++) {
        if ((unsigned char)*at < 0x20 || *at == 0x7F)
            fprintf(out, "\\%03o", (unsigned)(unsigned char)*at);
        else if (controls && (*at == '\'' || *at == '\\'))
            fprintf(out, "\\%c", *at);
        else if (*at == '\'')
            fputs("'\\''", out);
        else
            putc(*at, out);
    }
    putc('\'', out);
}

int is_utf8(const char *text, size_t length)
{
    const unsigned char *at = (const unsigned char *)text;

    while (length > 0) {
        const unsigned more = *at < 0x80                  ? 0
                              : *at >= 0xC2 && *at < 0xE0 ? 1
                              : *at >= 0xE0 && *at < 0xF0 ? 2
                              : *at >= 0xF0 && *at < 0xF5 ? 3
                                                          : 4;
        unsigned i;

        if (more == 4 || more >= length || (*at == 0xE0 && at[1] < 0xA0) || (*at == 0xED && at[1] > 0x9F) ||
            (*at == 0xF0 && at[1] < 0x90) || (*at == 0xF4 && at[1] > 0x8F))
            return 0;
        for (i = 1; i <= more; i++)
            if ((at[i] & 0xC0) != 0x80)
                return 0;
        at += more + 1;
        length -= more + 1;
    }
    return 1;
}

void spell_zeros(char *to, size_t size, const char *text, size_t length)
{
    size_t at = 0;
    size_t i;

    for (i = 0; i < length && at + 5 <= size; i++) {
        if (text[i] != '\0') {
            to[at++] = text[i];
        } else {
            strcpy(to + at, "\\x00");
            at += 4;
        }
    }
    to[at] = '\0';
}

/* Prints `utet: path: region: text` without a line end. */
static void begin_line(const char *path, const char *region, const char *format, va_list list)
{
    char text[2048];

    (void)vsnprintf(text, sizeof text, format, list);
    fputs("utet: ", stderr);
    if (path != NULL) {
        put_safely(stderr, path, strlen(path));
        fputs(": ", stderr);
    }
    if (region != NULL)
        fprintf(stderr, "%s: ", region);
    put_safely(stderr, text, strlen(text));
}

static int told; /* 1: an error line has been printed, or none is needed */

int fail(const char *path, const char *region, uint64_t offset, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    begin_line(path, region, format, list);
    va_end(list);
    if (offset != NO_OFFSET)
        fprintf(stderr, " (offset %" PRIu64 ")", offset);
    putc('\n', stderr);
    told = 1;
    return TOOL_ERROR;
}

void notice(const char *path, const char *region, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    begin_line(path, region, format, list);
    va_end(list);
    putc('\n', stderr);
}

int fail_silently(void)
{
    told = 1;
    return TOOL_ERROR;
}

static const char *usage_command; /* NULL: no command was recognised */

void usage_of(const char *command)
{
    usage_command = command;
}

int usage(const char *format, ...)
{
    const char *const command = usage_command != NULL ? usage_command : "";
    va_list list;

    va_start(list, format);
    begin_line(NULL, usage_command, format, list);
    va_end(list);
    fprintf(stderr, "; see 'utet help%s%s'\n", command[0] != '\0' ? " " : "", command);
    return TOOL_USAGE;
}

const char *region_of(utet_status status)
{
    if (status <= UTET_E_PORT)
        return "medium";
    switch (status) {
    case UTET_E_BUDGET:
    case UTET_E_SPACE: return "budget";
    case UTET_E_RANGE: return "slab";
    case UTET_E_NOT_FOUND:
    case UTET_E_DTYPE:
    case UTET_E_DATASET: return "dataset";
    case UTET_E_SHORT: return "medium";
    case UTET_E_MAGIC:
    case UTET_E_VERSION:
    case UTET_E_SUPERBLOCK: return "superblock";
    case UTET_E_DIRECTORY: return "directory";
    case UTET_E_INDEX_VERSION:
    case UTET_E_INDEX: return "chunk index";
    case UTET_E_MISSING:
    case UTET_E_ROW: return "chunk row";
    case UTET_E_FOOTER_VERSION:
    case UTET_E_FOOTER: return "footer";
    case UTET_E_METADATA: return "metadata";
    case UTET_E_CODEC:
    case UTET_E_ZSTD_WINDOW:
    case UTET_E_ZSTD_DICT:
    case UTET_E_ZSTD_LEGACY:
    case UTET_E_PAYLOAD:
    case UTET_E_CHECKSUM: return "payload";
    default: return "library";
    }
}

int is_medium_error(utet_status status)
{
    return status <= UTET_E_PORT || status == UTET_E_SHORT;
}

char *grouped(char *buffer, uint64_t number)
{
    char digits[21];
    const int count = snprintf(digits, sizeof digits, "%" PRIu64, number);
    char *to = buffer;
    int i;

    for (i = 0; i < count; i++) {
        if (i > 0 && (count - i) % 3 == 0)
            *to++ = ',';
        *to++ = digits[i];
    }
    *to = '\0';
    return buffer;
}

char *shape_text(char *buffer, const uint64_t *shape, unsigned ndim, const char *separator)
{
    size_t length = 0;
    unsigned d;

    buffer[0] = '\0';
    for (d = 0; d < ndim; d++)
        length += (size_t)sprintf(buffer + length, "%s%" PRIu64, d > 0 ? separator : "", shape[d]);
    return buffer;
}

/* Failure to write the result is an error, even if it is found late, and even if the result is that files differ or do
 * not fit. */
int finish_stdout(int result)
{
    const int bad = ferror(stdout);

    if (fflush(stdout) == 0 && !bad)
        return result == TOOL_OK && told ? TOOL_ERROR : result;
    if (told || errno == EPIPE) /* the reader has closed the pipe and needs no message */
        return result != TOOL_OK ? result : TOOL_ERROR;
    return fail("standard output", NULL, NO_OFFSET, "cannot write: %s", errno != 0 ? strerror(errno) : "error");
}
