/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Options that read the table in a text, for error lines: where the table begins, what separates its fields, how many
 * lines are between the names and the data, and which columns are times. They come from the beginning of the text. */
#define _XOPEN_SOURCE 700
#include "pack_sheet.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLE 65536u
#define MOST_TIMES 8u

typedef struct span {
    const char *at;
    size_t length;
} span;

/* Lines with equally many fields. */
typedef struct block {
    char separator;
    const char *begin;
    const char *data; /* the first line with data, or null */
    const char *end;
    size_t fields; /* number of fields in each line */
    size_t heads;  /* lines before the first one with data */
    size_t score;  /* fields that look like data */
} block;

typedef struct words {
    char *at;
    size_t room;
} words;

static void add(words *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(words *to, const char *format, ...)
{
    va_list list;
    int length;

    va_start(list, format);
    length = vsnprintf(to->at, to->room, format, list);
    va_end(list);
    if (length < 0 || (size_t)length >= to->room)
        length = (int)strlen(to->at);
    to->at += length;
    to->room -= (size_t)length;
}

/* ---- fields ---- */

static int is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static int ends_line(char c)
{
    return c == '\n' || c == '\r';
}

/* The next field, without quotation marks; returns nonzero if another one follows in the line. */
static int next_field(const char **at, const char *end, char separator, span *field)
{
    int quoted = 0;

    while (*at < end && is_blank(**at) && (separator == ' ' || **at != separator))
        ++*at;
    for (field->at = *at; *at < end; ++*at) {
        quoted ^= **at == '"';
        if (!quoted && (ends_line(**at) || **at == separator || (separator == ' ' && **at == '\t')))
            break;
    }
    field->length = (size_t)(*at - field->at);
    while (field->length > 0 && is_blank(field->at[field->length - 1]))
        field->length--;
    if (field->length > 1 && field->at[0] == '"' && field->at[field->length - 1] == '"') {
        field->at++;
        field->length -= 2;
    }
    while (separator == ' ' && *at < end && is_blank(**at))
        ++*at;
    if (*at == end || ends_line(**at))
        return 0;
    *at += separator != ' ';
    return 1;
}

/* A number, date or time: a digit first, after a sign or point, and few letters. */
static int is_data(const span *field)
{
    const size_t sign = field->length > 0 && strchr("+-.", field->at[0]) != NULL;
    size_t i;

    if (field->length <= sign || field->at[sign] < '0' || field->at[sign] > '9')
        return 0;
    for (i = 0; i < field->length; i++)
        if (strchr("0123456789+-.,:/eETZAPMapm ", field->at[i]) == NULL)
            return 0;
    return 1;
}

static const char *next_line(const char *at, const char *end)
{
    while (at < end && !ends_line(*at))
        at++;
    if (at + 1 < end && at[0] == '\r' && at[1] == '\n')
        at++;
    return at < end ? at + 1 : end;
}

/* ---- blocks ---- */

/* The fields of a line, and how many of them are data. The header of a TOA5 file is not one of a table. */
static size_t look_at_line(const char **at, const char *end, char separator, size_t *data)
{
    const char *const from = *at;
    size_t count = 0;
    span field;
    int more;

    *data = 0;
    do {
        more = next_field(at, end, separator, &field);
        *data += (size_t)is_data(&field);
        count++;
    } while (more);
    *at = next_line(*at, end);
    return from[0] == '"' && end - from > 6 && memcmp(from, "\"TOA5\"", 6) == 0 ? 0 : count;
}

/* Takes the line into the block, or begins a new one with it. */
static void take_line(block *b, const char *from, const char *end, size_t fields, size_t data)
{
    if (fields != b->fields) {
        b->begin = from;
        b->data = NULL;
        b->fields = fields;
        b->heads = b->score = 0;
    }
    b->end = end;
    b->heads += b->data == NULL && data == 0;
    if (b->data == NULL && data > 0)
        b->data = from;
    b->score += data;
}

static void find_block(const char *text, const char *end, char separator, block *best)
{
    block now;
    const char *at;

    memset(&now, 0, sizeof now);
    now.separator = separator;
    for (at = text; at < end;) {
        const char *const from = at;
        size_t data;
        size_t fields;

        if (ends_line(*at) || *at == '#') {
            at = next_line(at, end);
            continue;
        }
        fields = look_at_line(&at, end, separator, &data);
        take_line(&now, from, at, fields, data);
        if (now.fields > 1 && now.score > best->score)
            *best = now;
    }
}

static size_t lines_before(const char *text, const char *at)
{
    size_t count = 0;

    while (text < at) {
        text = next_line(text, at);
        count++;
    }
    return count;
}

/* ---- times ---- */

static int as_text(const span *field, char text[64])
{
    if (field->length == 0 || field->length >= 64 || memchr(field->at, '\0', field->length) != NULL)
        return 0;
    memcpy(text, field->at, field->length);
    text[field->length] = '\0';
    return 1;
}

static span field_of(const block *b, const char *line, size_t at)
{
    span field = {line, 0};

    while (next_field(&line, b->end, b->separator, &field) && at > 0)
        at--;
    return field;
}

/* The format of the times of a column, by its lines of data: "" for ISO 8601. Returns 0 if they are none. */
static int format_of(const block *b, size_t at, char format[64])
{
    const char *line = b->data;
    char text[64];
    moment m;
    span field = field_of(b, line, at);
    int days_first;

    format[0] = '\0';
    if (!as_text(&field, text))
        return 0;
    if (time_read(&m, text))
        return strchr(text, '-') != NULL; /* 20240102 may be a number */
    for (days_first = 0; days_first < 2; days_first++) {
        if (!time_guess(text, days_first, format, 64))
            continue;
        for (line = b->data; line < b->end; line = next_line(line, b->end)) {
            field = field_of(b, line, at);
            if (as_text(&field, text) && is_data(&field) && !time_read_as(&m, text, format))
                break;
        }
        if (line >= b->end)
            return 1;
        field = field_of(b, b->data, at);
        (void)as_text(&field, text);
    }
    return 0;
}

/* The unit that the first time of a column needs. */
static const char *unit_of(const block *b, size_t at)
{
    const span field = field_of(b, b->data, at);
    int64_t count;
    char text[64];
    moment m;
    int unit = 3; /* seconds */

    if (!as_text(&field, text) || !time_read(&m, text))
        return "s";
    while (unit < TIME_UNITS - 1 && time_count(&m, unit, &count) == TIME_FRACTION)
        unit++;
    return time_unit_names[unit];
}

static void add_times(words *to, const block *b)
{
    char common[64] = "";
    char format[64];
    char name[64];
    size_t found = 0;
    size_t at;

    for (at = 0; at < b->fields && found < MOST_TIMES; at++) {
        const span field = field_of(b, b->begin, at);

        if (!format_of(b, at, format) || (format[0] != '\0' && common[0] != '\0' && strcmp(format, common) != 0))
            continue;
        if (b->heads == 0 || field.length == 0)
            (void)snprintf(name, sizeof name, "column%zu", at + 1);
        else if (!as_text(&field, name) || strpbrk(name, "\"$`\\") != NULL)
            continue;
        if (format[0] != '\0')
            strcpy(common, format);
        add(to, " --times \"%s=%s\"", name, unit_of(b, at));
        found++;
    }
    if (common[0] != '\0')
        add(to, " --time-format \"%s\"", common);
}

/* ---- words ---- */

static int is_text(const char *text, size_t length)
{
    size_t i;

    for (i = 0; i < length; i++)
        if ((unsigned char)text[i] < ' ' && strchr("\t\n\r\f\x1A", text[i]) == NULL)
            return 0;
    return length > 0 && memchr(text, '\0', length) == NULL;
}

/* All options that read the block. */
static void add_options(words *to, const block *b, size_t skip)
{
    add(to, "--separator %s",
        b->separator == '\t'  ? "tab"
        : b->separator == ' ' ? "blank"
        : b->separator == ';' ? "\";\""
        : b->separator == '|' ? "\"|\""
                              : ",");
    if (skip > 0)
        add(to, " --skip %zu", skip);
    if (b->heads == 0)
        add(to, " --no-header");
    if (b->heads > 1)
        add(to, " --units");
    if (b->heads > 2)
        add(to, " --skip-after %zu", b->heads - 2);
    add_times(to, b);
}

int sheet_guess(sheet *s, char *text, size_t size)
{
    static const char separators[] = "\t;,| ";
    const off_t back = text_tell(s->file);
    char *const sample = malloc(SAMPLE);
    words to = {text, size};
    size_t length = 0;
    size_t skip = 0;
    block best;
    size_t i;
    int found;

    text[0] = '\0';
    memset(&best, 0, sizeof best);
    text_seek(s->file, s->text);
    if (sample != NULL)
        length = text_read(s->file, sample, SAMPLE);
    found = sample != NULL && is_text(sample, length);
    if (found && length == SAMPLE)
        while (length > 0 && !ends_line(sample[length - 1]))
            length--;
    for (i = 0; found && separators[i] != '\0'; i++)
        if (separators[i] != ' ' || best.score == 0)
            find_block(sample, sample + length, separators[i], &best);
    if (best.score > 0) {
        skip = lines_before(sample, best.begin);
        if (skip != s->opt->skip || best.separator != s->separator)
            add_options(&to, &best, skip);
    }
    free(sample);
    text_seek(s->file, back);
    return found;
}
