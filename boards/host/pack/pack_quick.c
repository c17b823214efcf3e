/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Most cells of large tables: plain numbers, times, and texts that were there before. They are looked at in the buffer
 * of the file, without a text of their own. Any other cell remains for sheet_cell and column_look. */
#define _XOPEN_SOURCE 700
#include "pack_sheet.h"

#include <string.h>

#define MOST_DIGITS 19u /* every number of 19 digits fits 64 bits */

static int add_double(column *c, double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    return early_next(c, bits, 1) ? TOOL_OK : early_double(c, value);
}

static int add_integer(column *c, uint64_t magnitude, int negative)
{
    return early_next(c, negative ? 0 - magnitude : magnitude, 0) ? TOOL_OK : early_integer(c, magnitude, negative);
}

/* Each of the following functions looks at one cell that begins at `at`. Returns the begin of the next cell; null if it
 * is not such a cell, and no column has changed then. */

/* A number with a point at `at`, after its whole part, which begins at `from`. */
static const unsigned char *look_at_decimal(const sheet *s, column *c, const unsigned char *from,
                                            const unsigned char *at, uint64_t whole, int negative, int *end,
                                            int *result)
{
    const unsigned char *const point = at++;
    const unsigned char *after;
    uint64_t number = whole;
    unsigned rest = 0; /* 0 if the digits after the point are */
    unsigned digit;
    double value;

    for (; (digit = (unsigned)*at - '0') <= 9; at++) {
        number = number * 10 + digit;
        rest |= digit;
    }
    after = sheet_after(at, s->separator, end);
    if (after == NULL || (size_t)(at - from) - 2 >= MOST_DIGITS ||
        !number_divide(number, (unsigned)(at - point) - 1, &value) || (rest == 0 && whole > NUMBER_EXACT) ||
        (s->separator != ',' && s->opt->decimal == '\0' && c->with_point.line == 0)) /* the first decimal sign */
        return NULL;
    c->all_plain = 0;
    if (rest != 0)
        c->all_whole = 0;
    else
        column_range(c, whole, negative);
    *result = add_double(c, negative ? -value : value);
    return after;
}

/* A number without an exponent: at most 19 digits, perhaps with a minus before and a point among them. In a column that
 * has numbers, most of them change only its range and its values: without this, tables of numbers take three times as
 * long. */
static const unsigned char *look_at_number(const sheet *s, column *c, const unsigned char *at, int *end, int *result)
{
    const int negative = *at == '-';
    const unsigned char *const from = at + negative;
    const unsigned char *after;
    uint64_t number = 0;
    unsigned digit;

    if (!c->numbers)
        return NULL;
    for (at = from; (digit = (unsigned)*at - '0') <= 9; at++)
        number = number * 10 + digit;
    if (*at == '.')
        return look_at_decimal(s, c, from, at, number, negative, end, result);
    after = sheet_after(at, s->separator, end);
    if (after == NULL || (size_t)(at - from) - 1 >= MOST_DIGITS || (number == 0 && negative) ||
        (number > NUMBER_EXACT && c->inexact.line == 0))
        return NULL;
    column_range(c, number, negative);
    *result = add_integer(c, number, negative);
    return after;
}

/* A text that the column has had before: without this, a table with one column of texts takes 31 % longer. */
static const unsigned char *look_at_word(const sheet *s, column *c, const unsigned char *at, int *end, int *result)
{
    size_t length;
    const size_t code = column_may_repeat(c) ? column_word_at(c, at, s->separator, &length) : c->word_count;
    const unsigned char *const after = code < c->word_count ? sheet_after(at + length, s->separator, end) : NULL;

    if (after != NULL)
        *result = column_add_word(c, code);
    return after;
}

/* A time in ISO 8601: without this, a table with one column of times takes 36 % longer. */
static const unsigned char *look_at_time(const sheet *s, column *c, const unsigned char *at, int *end, int *result)
{
    int64_t count;
    const size_t length = column_time_at(c, (const char *)at, s->separator, &count);
    const unsigned char *const after = length > 0 ? sheet_after(at + length, s->separator, end) : NULL;

    if (after != NULL)
        *result = add_integer(c, count < 0 ? 0 - (uint64_t)count : (uint64_t)count, count < 0);
    return after;
}

/* *end: as of sheet_cell. */
static const unsigned char *look_at(const sheet *s, column *c, const unsigned char *at, int *end, int *result)
{
    if (c->role == COLUMN_TIMES)
        return look_at_time(s, c, at, end, result);
    if (c->role != COLUMN_VALUES)
        return NULL;
    return c->early.state == EARLY_WORDS ? look_at_word(s, c, at, end, result) : look_at_number(s, c, at, end, result);
}

int sheet_look_quickly(sheet *s, size_t *at, int *end)
{
    const unsigned char *const from = s->file->bytes + s->file->at;
    const unsigned char *next = from;
    const unsigned char *after;
    int result = TOOL_OK;
    int sign = s->separator;

    while (sign == s->separator && *at < s->width && result == TOOL_OK &&
           (after = look_at(s, &s->columns[*at], next, &sign, &result)) != NULL) {
        next = after;
        *end = sign;
        ++*at;
    }
    s->file->at += (size_t)(next - from);
    s->line += next != from && *end == '\n';
    return result;
}
