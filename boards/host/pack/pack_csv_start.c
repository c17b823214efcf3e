/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The beginning of a table in text, after a byte order mark, lines of --skip and comments; and its separator:
 * semicolons or tabs if the first line has any, as spreadsheets write them with a comma as the decimal sign. */
#define _XOPEN_SOURCE 700
#include "pack_sheet.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- UTF-16 ---- */

/* Two bytes in the file's order; -1: its end, -2: half of them. */
static long next_unit(text_file *from, int big)
{
    const int first = text_get(from);
    const int second = first != EOF ? text_get(from) : EOF;

    if (first == EOF)
        return -1;
    return second == EOF ? -2 : big ? (long)first << 8 | second : (long)second << 8 | first;
}

static void put_utf8(FILE *to, unsigned long c)
{
    static const unsigned char heads[4] = {0, 0xC0, 0xE0, 0xF0};
    const unsigned more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    unsigned i;

    putc((int)(heads[more] | (c >> (6 * more))), to);
    for (i = more; i-- > 0;)
        putc((int)(0x80 | ((c >> (6 * i)) & 0x3F)), to);
}

static int copy_utf16(const sheet *s, FILE *to, int big)
{
    uint64_t offset = 2;
    long c;

    for (; (c = next_unit(s->file, big)) >= 0; offset += 2) {
        long low = 0;

        if (c >= 0xD800 && c < 0xDC00)
            low = next_unit(s->file, big);
        if ((c >= 0xDC00 && c < 0xE000) || (low != 0 && (low < 0xDC00 || low >= 0xE000)))
            return fail(s->path, NULL, offset, "damaged UTF-16: half of a pair of surrogates");
        offset += low != 0 ? 2 : 0;
        put_utf8(to, low != 0 ? 0x10000 + (((unsigned long)c & 0x3FF) << 10 | ((unsigned long)low & 0x3FF))
                              : (unsigned long)c);
    }
    if (sheet_ended(s) != TOOL_OK)
        return TOOL_ERROR;
    if (c == -2)
        return fail(s->path, NULL, offset, "damaged UTF-16: the file ends in a character");
    return TOOL_OK;
}

/* From now on, the sheet is read from a scratch file. */
static int read_utf16(sheet *s, int big)
{
    const int fd = pack_scratch(s->path);
    FILE *const to = fd >= 0 ? fdopen(fd, "w+b") : NULL;
    int result;

    if (to == NULL) {
        if (fd < 0)
            return TOOL_ERROR;
        (void)close(fd);
        return fail(s->path, NULL, NO_OFFSET, "not enough memory");
    }
    result = copy_utf16(s, to, big);
    if (fflush(to) != 0 && result == TOOL_OK)
        result = fail(s->path, NULL, NO_OFFSET, "cannot write a temporary file: %s; set TMPDIR to another directory",
                      strerror(errno));
    text_close(s->file);
    s->file = text_open(dup(fileno(to)));
    (void)fclose(to);
    if (s->file == NULL && result == TOOL_OK)
        result = fail(s->path, NULL, NO_OFFSET, "not enough memory");
    return result;
}

/* Skips the byte order mark that spreadsheets write before UTF-8; it does not belong to a name or number. */
int sheet_mark(sheet *s)
{
    int first;
    int second;

    text_seek(s->file, 0);
    first = text_get(s->file);
    second = text_get(s->file);
    if (((first == 0xFF && second == 0xFE) || (first == 0xFE && second == 0xFF)) &&
        read_utf16(s, first == 0xFE) != TOOL_OK)
        return TOOL_ERROR;
    text_seek(s->file, 0);
    if (text_get(s->file) != 0xEF || text_get(s->file) != 0xBB || text_get(s->file) != 0xBF)
        text_seek(s->file, 0);
    s->start = s->text = text_tell(s->file);
    return TOOL_OK;
}

/* ---- lines ---- */

int sheet_skip_line(sheet *s)
{
    int c;

    do
        c = sheet_byte(s->file);
    while (c != '\n' && c != EOF);
    s->line += c == '\n';
    return c;
}

/* Passes over the mark of a comment, if it is there. */
static int take_mark(const sheet *s)
{
    const char *const mark = sheet_comment(s);
    size_t i = 0;
    int c = text_get(s->file);
    off_t from;

    if (c != (unsigned char)mark[0]) {
        text_back(s->file, c);
        return 0;
    }
    from = text_tell(s->file) - 1;
    while (c == (unsigned char)mark[i] && mark[++i] != '\0')
        c = text_get(s->file);
    if (mark[i] == '\0')
        return 1;
    text_seek(s->file, from);
    return 0;
}

/* What separates the cells: semicolons, else tabs, where the line at the start has any of them outside of quotes. */
static void find_separator(sheet *s)
{
    int quoted = 0;
    int c;

    if (s->opt->separator != '\0' || s->sep != '\0' || ends_with(s->path, ".tsv")) {
        s->separator = s->opt->separator != '\0' ? s->opt->separator : s->sep != '\0' ? s->sep : '\t';
        return;
    }
    text_seek(s->file, s->start);
    s->separator = ',';
    for (c = text_get(s->file); c != EOF && s->separator != ';' && (quoted || (c != '\n' && c != '\r'));
         c = text_get(s->file)) {
        quoted ^= c == '"';
        if (!quoted && (c == ';' || c == '\t'))
            s->separator = (char)c;
    }
}

int sheet_count(sheet *s, off_t offset, size_t *count, int *numbers)
{
    int number;
    int end;

    text_seek(s->file, offset);
    *count = 0;
    *numbers = 0;
    do {
        if (sheet_cell(s, &end) != TOOL_OK || sheet_is_number(s, &number) != TOOL_OK)
            return TOOL_ERROR;
        ++*count;
        *numbers |= number;
    } while (end == s->separator);
    return TOOL_OK;
}

/* The offset of the names in a comment line: after the mark, unless nothing follows it in the first cell. */
static off_t names_begin(sheet *s, off_t line)
{
    off_t after;
    int c;

    text_seek(s->file, line);
    while (take_mark(s))
        ;
    after = text_tell(s->file);
    do
        c = text_get(s->file);
    while (c == ' ' || c == '\t');
    return c == s->separator || c == '\n' || c == '\r' || c == EOF ? line : after;
}

/* The comment at `last`, with `cells` cells in the line after it, may be the names. */
static int take_names(sheet *s, off_t last, size_t cells)
{
    const off_t after = s->start;
    const off_t begin = names_begin(s, last);
    size_t names = 0;
    int numbers;

    s->line = --s->start_line;
    if (sheet_count(s, begin, &names, &numbers) != TOOL_OK)
        return TOOL_ERROR;
    s->marked = names == cells;
    s->start = s->marked ? begin : after;
    s->start_line += !s->marked;
    s->comments -= s->marked != 0;
    return TOOL_OK;
}

/* Lines that begin with # come before a table: the last of them has its names when it has as many cells as the line
 * after it, which has a number, as np.savetxt writes them; all others are comments, and said to be left out. Where all
 * lines begin so, it is their text. */
static int pass_comments(sheet *s)
{
    const off_t first = s->start;
    const uint64_t first_line = s->start_line;
    off_t last = first;
    size_t cells = 0;
    int numbers = 0;
    int c;

    text_seek(s->file, first);
    s->line = first_line;
    while (take_mark(s)) {
        last = s->start;
        s->comments++;
        (void)sheet_skip_line(s);
        s->start = text_tell(s->file);
    }
    s->start_line = s->line;
    c = text_get(s->file);
    if (c == EOF || s->comments == 0) {
        s->start = first;
        s->start_line = first_line;
        s->comments = 0;
        return TOOL_OK;
    }
    find_separator(s);
    s->line = s->start_line;
    if (sheet_count(s, s->start, &cells, &numbers) != TOOL_OK)
        return TOOL_ERROR;
    return numbers && !s->opt->no_header ? take_names(s, last, cells) : TOOL_OK;
}

/* Counts the separators up to the end of the line, quoted or not, and skips them. */
static size_t separators_ahead(const sheet *s)
{
    size_t count = 0;
    int c;

    for (c = sheet_byte(s->file); c != '\n' && c != EOF; c = sheet_byte(s->file))
        count += c == s->separator;
    return count;
}

static int pass_comment(sheet *s, int *end)
{
    const off_t from = text_tell(s->file);

    if (s->marked && s->line == s->start_line)
        return 0;
    if (!take_mark(s))
        return 0;
    if (s->opt->comment == NULL && !s->annotated && (s->width == 0 || separators_ahead(s) + 1 == s->width)) {
        text_seek(s->file, from);
        return 0; /* a line of data whose first text begins with # */
    }
    text_seek(s->file, from);
    *end = sheet_skip_line(s);
    s->comments++;
    return 1;
}

/* The line at the start begins with this text. */
static int starts_with(const sheet *s, const char *text)
{
    text_seek(s->file, s->start);
    while (*text != '\0' && text_get(s->file) == (unsigned char)*text)
        text++;
    return *text == '\0';
}

/* "sep=;" alone in the first line: spreadsheets write it to say what separates cells. Returns 0 if it is not there. */
static char take_sep_line(sheet *s)
{
    int sign;
    int end;

    if (!starts_with(s, "sep=") && !starts_with(s, "SEP="))
        return '\0';
    sign = text_get(s->file);
    end = sheet_byte(s->file);
    if (end != '\n' || strchr(",;|\t", sign) == NULL)
        return '\0';
    s->start = text_tell(s->file);
    s->line = s->start_line = 1;
    return (char)sign;
}

int sheet_keep_names(sheet *s)
{
    const off_t back = text_tell(s->file);
    size_t length;

    if (!s->headed || back - s->start > 16384 || s->start >= back)
        return TOOL_OK;
    length = (size_t)(back - s->start);
    s->names = malloc(length + 1);
    if (s->names == NULL)
        return fail(s->path, NULL, NO_OFFSET, "not enough memory");
    text_seek(s->file, s->start);
    length = text_read(s->file, s->names, length);
    while (length > 0 && (s->names[length - 1] == '\n' || s->names[length - 1] == '\r'))
        length--;
    s->names[length] = '\0';
    text_seek(s->file, back);
    return TOOL_OK;
}

static int pass_repeat(sheet *s, int *end)
{
    const char *at = s->names;
    off_t from;
    int c;

    if (*at == '\0' || s->line == s->start_line)
        return 0;
    c = text_get(s->file);
    if (c != (unsigned char)*at) {
        text_back(s->file, c);
        return 0;
    }
    from = text_tell(s->file) - 1;
    for (at++; *at != '\0' && (c = text_get(s->file)) == (unsigned char)*at; at++)
        ;
    if (*at == '\0') {
        *end = sheet_byte(s->file);
        if (*end == '\n' || *end == EOF) {
            s->line += *end == '\n';
            s->repeats++;
            return 1;
        }
    }
    text_seek(s->file, from);
    return 0;
}

int sheet_pass(sheet *s, int *end)
{
    return pass_comment(s, end) || (s->names != NULL && pass_repeat(s, end));
}

int sheet_start(sheet *s)
{
    uint64_t i;

    if (sheet_mark(s) != TOOL_OK)
        return TOOL_ERROR;
    s->line = 0;
    if (s->opt->skip == 0 && s->opt->separator == '\0')
        s->sep = take_sep_line(s);
    s->annotated = starts_with(s, "#group,") || starts_with(s, "#datatype,") || starts_with(s, "#default,");
    text_seek(s->file, s->start);
    for (i = 0; i < s->opt->skip; i++) {
        if (sheet_skip_line(s) == EOF)
            return sheet_ended(s) != TOOL_OK
                       ? TOOL_ERROR
                       : fail(s->path, NULL, NO_OFFSET, "--skip %" PRIu64 ": the file has only %" PRIu64 " lines",
                              s->opt->skip, s->line);
        s->start = text_tell(s->file);
    }
    s->start_line = s->line;
    if (pass_comments(s) != TOOL_OK)
        return TOOL_ERROR;
    find_separator(s);
    s->plain = s->separator != ' ' && (s->opt->decimal == '\0' || s->opt->decimal == '.') &&
               s->opt->thousands == '\0' && s->opt->strip == NULL && s->opt->missing == NULL;
    return sheet_ended(s);
}
