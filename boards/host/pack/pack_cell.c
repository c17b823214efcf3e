/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* One cell of a table in text, with quotes as in RFC 4180, and the number that it is. */
#define _XOPEN_SOURCE 700
#include "pack_sheet.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Adds a byte to the cell, and a zero byte after it. */
static int put(sheet *s, int c)
{
    if (s->length + 1 >= s->size) {
        char *const more = realloc(s->cell, s->size * 2 + 64);

        if (more == NULL)
            return fail(s->path, NULL, NO_OFFSET, "not enough memory");
        s->cell = more;
        s->size = s->size * 2 + 64;
    }
    s->zeros |= c == '\0';
    s->cell[s->length++] = (char)c;
    s->cell[s->length] = '\0';
    return TOOL_OK;
}

int sheet_byte(text_file *file)
{
    int c = text_get(file);

    if (c != '\r')
        return c;
    c = text_get(file);
    if (c != '\n')
        text_back(file, c);
    return '\n';
}

/* With blanks as separators, several are one, and those at the end of a line do not count. */
static int end_of_blanks(sheet *s, int c)
{
    if (s->separator != ' ' || (c != ' ' && c != '\t'))
        return c;
    do
        c = sheet_byte(s->file);
    while (c == ' ' || c == '\t');
    if (c == '\n' || c == EOF)
        return c;
    text_back(s->file, c);
    return ' ';
}

static int ends_cell(const sheet *s, int c)
{
    return c == s->separator || c == '\n' || (c == '\t' && s->separator == ' ' && s->length > 0);
}

static int is_blank(int c)
{
    return c == ' ' || c == '\t';
}

/* Returns nonzero for bytes other than the separator that end a plain cell, or the bytes in the buffer. */
static int is_stop(unsigned char c)
{
    return c <= '"' && (c == '"' || c == '\n' || c == '\r' || c == '\0');
}

/* Reads a cell without quotation marks that the buffer contains as a whole, with the separator after it, and for which
 * s->cell has room. Returns 0 for all other cells, which are read byte by byte. */
static int take_plain(sheet *s, int *end)
{
    const unsigned char *const bytes = s->file->bytes;
    const unsigned char separator = (unsigned char)s->separator;
    const unsigned char *after;
    size_t from = s->file->at;
    size_t to = from;

    while (bytes[to] != separator && !is_stop(bytes[to]))
        to++;
    after = separator == ' ' || to - from >= s->size ? NULL : sheet_after(bytes + to, s->separator, end);
    if (after == NULL)
        return 0;
    s->file->at = (size_t)(after - bytes);
    while (from < to && is_blank(bytes[from]))
        from++;
    while (from < to && is_blank(bytes[to - 1]))
        to--;
    s->length = to - from;
    memcpy(s->cell, bytes + from, s->length);
    s->cell[s->length] = '\0';
    s->began = s->line;
    s->line += *end == '\n';
    s->quoted = 0;
    s->zeros = 0;
    return 1;
}

int sheet_cell(sheet *s, int *end)
{
    int quoted = 0;
    int closed = 0;
    int c;

    if (take_plain(s, end))
        return TOOL_OK;
    s->began = s->line;
    s->length = 0;
    if (put(s, '\0') != TOOL_OK)
        return TOOL_ERROR;
    s->length = 0;
    s->cell[0] = '\0';
    s->zeros = 0;
    for (;;) {
        c = quoted ? text_get(s->file) : sheet_byte(s->file);
        if (c == '"' && (quoted || (s->length == 0 && !closed))) {
            if (quoted && (c = text_get(s->file)) != '"') {
                quoted = 0;
                closed = 1;
                text_back(s->file, c);
                continue;
            }
            if (!quoted) {
                quoted = 1;
                continue;
            }
        } else if (c == EOF ||
                   (!quoted && ends_cell(s, c) && (s->separator != ' ' || c == '\n' || s->length > 0 || closed))) {
            break;
        }
        if (closed && !quoted && c != ' ' && c != '\t')
            return fail(s->path, NULL, NO_OFFSET, "line %" PRIu64 ": text after a closing quotation mark, \"%.60s\"",
                        s->began + 1, s->cell);
        if ((quoted || !(s->length == 0 && (c == ' ' || c == '\t'))) && put(s, c) != TOOL_OK)
            return TOOL_ERROR;
    }
    while (s->length > 0 && is_blank(s->cell[s->length - 1]))
        s->cell[--s->length] = '\0';
    if (c == EOF && sheet_ended(s) != TOOL_OK)
        return TOOL_ERROR;
    if (quoted)
        return fail(s->path, NULL, NO_OFFSET, "line %" PRIu64 ": unterminated quoted field", s->began + 1);
    c = end_of_blanks(s, c);
    s->line += c == '\n';
    s->quoted = closed;
    *end = c;
    return TOOL_OK;
}

int sheet_ended(const sheet *s)
{
    return s->file->error == 0 ? TOOL_OK : fail(s->path, NULL, NO_OFFSET, "cannot read: %s", strerror(s->file->error));
}

int sheet_cannot(const sheet *s, size_t at, const char *words)
{
    return fail(s->path, NULL, NO_OFFSET, "line %" PRIu64 ", column %zu: %s \"%.60s\"", s->began + 1, at + 1, words,
                s->cell);
}

/* Takes the sign of --thousands out of the whole part, where it is before groups of three digits; leaves it alone
 * where it does not. */
static void join_digits(char *text, char sign)
{
    char *const from = text + (*text == '+' || *text == '-');
    char *to = from;
    char *at = from;
    size_t group = 0; /* digits after the last sign */
    int signs = 0;

    for (; (*at >= '0' && *at <= '9') || *at == sign; at++) {
        if (*at != sign) {
            group++;
            continue;
        }
        if (group == 0 || group > 3 || (signs > 0 && group != 3))
            return;
        signs++;
        group = 0;
    }
    if (signs == 0 || group != 3)
        return;
    for (at = from; (*at >= '0' && *at <= '9') || *at == sign; at++)
        if (*at != sign)
            *to++ = *at;
    memmove(to, at, strlen(at) + 1);
}

/* The next word of a list with commas between, and its length; null: there is none. */
static const char *next_word(const char **list, size_t *length)
{
    const char *const item = *list;

    if (item != NULL) {
        *length = strcspn(item, ",");
        *list = item[*length] == ',' ? item + *length + 1 : NULL;
    }
    return item;
}

/* The length of the word of a list, with commas between, that the text begins (`last`: ends) with; 0: of none. */
static size_t word_at(const char *list, const char *text, int last)
{
    const size_t whole = strlen(text);
    const char *item;
    size_t length;

    while ((item = next_word(&list, &length)) != NULL)
        if (length > 0 && length <= whole && memcmp(item, last ? text + whole - length : text, length) == 0)
            return length;
    return 0;
}

/* Removes a word of --strip before the digits, also after a sign, and one after them. */
static void strip_words(const char *list, char *text)
{
    char *const from = text + (*text == '+' || *text == '-');
    const char *rest = from + word_at(list, from, 0);
    size_t length;

    if (rest != from)
        memmove(from, rest + strspn(rest, " \t"), strlen(rest + strspn(rest, " \t")) + 1);
    length = word_at(list, from, 1);
    if (length == 0)
        return;
    length = strlen(from) - length;
    while (length > 0 && (from[length - 1] == ' ' || from[length - 1] == '\t'))
        length--;
    from[length] = '\0';
}

const char *sheet_number(sheet *s, char sign, char point)
{
    const int may_be_point = point == '\0' && sign != ',' && (sign == '.' || s->separator != ',');
    const int comma_is_point = (point == ',' || may_be_point) && strchr(s->cell, ',') != NULL;
    char *comma;

    if (sign == '\0' && !comma_is_point && s->opt->strip == NULL && point != ',')
        return s->cell;
    if (s->number_size <= s->length) {
        free(s->number);
        s->number_size = s->length + 64;
        s->number = malloc(s->number_size);
        if (s->number == NULL) {
            (void)fail(s->path, NULL, NO_OFFSET, "not enough memory");
            return NULL;
        }
    }
    memcpy(s->number, s->cell, s->length + 1);
    if (s->opt->strip != NULL)
        strip_words(s->opt->strip, s->number);
    if (sign != '\0')
        join_digits(s->number, sign);
    if ((sign != '\0' && strchr(s->number, sign) != NULL) || (point == ',' && strchr(s->number, '.') != NULL))
        return "?"; /* the sign is at a wrong position */
    comma = comma_is_point && strchr(s->number, '.') == NULL ? strchr(s->number, ',') : NULL;
    if (comma != NULL && strchr(comma + 1, ',') == NULL)
        *comma = '.';
    return s->number;
}

int sheet_absent(const sheet *s)
{
    const char *list = s->opt->missing;
    const char *item;
    size_t length;

    if (s->length == 0 || list == NULL)
        return s->length == 0;
    while ((item = next_word(&list, &length)) != NULL)
        if (length == s->length && memcmp(item, s->cell, length) == 0)
            return 1;
    return 0;
}

int sheet_is_number(sheet *s, int *number)
{
    const char *const text = sheet_number(s, s->opt->thousands, s->opt->decimal);
    decimal n;

    if (text == NULL)
        return TOOL_ERROR;
    number_read(&n, text);
    *number = n.kind != NUMBER_NONE;
    return TOOL_OK;
}

/* ---- advice ---- */

/* Appends `option SIGN reads 1234` to the advice if that makes a number of the cell. */
static void try_signs(sheet *s, const char *option, char sign, char decimal_sign, char *advice, size_t size)
{
    const char *const number = sheet_number(s, sign, decimal_sign);
    const size_t used = strlen(advice);
    const char shown = sign != '\0' ? sign : decimal_sign;
    decimal n;

    if (number == NULL)
        return;
    number_read(&n, number);
    if (n.kind != NUMBER_FINITE)
        return;
    (void)snprintf(advice + used, size - used,
                   shown == ' ' || shown == '\'' ? "%s%s \"%c\" reads %.30s" : "%s%s %c reads %.30s",
                   used > 0 ? ", " : "", option, shown, number);
}

static int is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* "$5", "20.1 degC": texts before and after a number. */
static int try_strip(const sheet *s, char *advice, size_t size)
{
    static const char *const signs[] = {"$",        "%",        "\xE2\x82\xAC",
                                        "\xC2\xA3", "\xC2\xA5", NULL}; /* … euro, pound, yen */
    const char *const from = s->cell + strcspn(s->cell, "0123456789");
    const char *end = from + strspn(from, "0123456789.,'_eE+-");
    const char *text = s->cell + (*s->cell == '+' || *s->cell == '-');
    char number[64];
    int before = (int)(from - text);
    int after;
    int hard = 0;
    int i;
    decimal n;

    if (*from == '\0' || before > 16 || (before > 0 && is_letter(from[-1])))
        return 0;
    while (end > from && (end[-1] < '0' || end[-1] > '9'))
        end--;
    if (end - from >= (long)sizeof number)
        return 0;
    (void)snprintf(number, sizeof number, "%.*s", (int)(end - from), from);
    number_read(&n, number);
    after = (int)strcspn(end + strspn(end, " \t"), ",0123456789");
    while (before > 0 && (text[before - 1] == ' ' || text[before - 1] == '\t'))
        before--;
    end += strspn(end, " \t");
    if (n.kind != NUMBER_FINITE || before + after == 0 || end[after] != '\0' || after > 16 ||
        memchr(text, ',', (size_t)before) != NULL)
        return 0;
    (void)snprintf(advice, size, "--strip \"%.*s%s%.*s\" reads %s", before, text, before > 0 && after > 0 ? "," : "",
                   after, end, number);
    for (i = 0; signs[i] != NULL; i++)
        hard |= ((int)strlen(signs[i]) == before && memcmp(signs[i], text, (size_t)before) == 0) ||
                ((int)strlen(signs[i]) == after && memcmp(signs[i], end, (size_t)after) == 0);
    return hard;
}

int sheet_advice(sheet *s, char *advice, size_t size)
{
    static const char signs[] = ",.' _";
    const char *sign;

    advice[0] = '\0';
    if (strspn(s->cell, "+-0123456789,.' _eE") != s->length) {
        return s->length < 64 && try_strip(s, advice, size);
    }
    for (sign = signs; *sign != '\0' && advice[0] == '\0' && s->opt->thousands == '\0'; sign++)
        if (strchr(s->cell, *sign) != NULL)
            try_signs(s, "--thousands", *sign, s->opt->decimal, advice, size);
    if (s->opt->decimal != '.')
        try_signs(s, "--decimal", '\0', s->opt->decimal == ',' ? '.' : ',', advice, size);
    return 1;
}
