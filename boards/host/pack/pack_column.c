/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The dtype of a column of a table. Integers stay integers: i64, or u64 where one is beyond that; decimals become f64,
 * absent cells NaN. An integer that no double is keeps its column in integers, or the column is refused, and the line
 * says which option would allow it. Words become numbers, as the reference writes them: codes from 0 on in the order in
 * which they are met, and an attribute with the list. */
#define _XOPEN_SOURCE 700
#include "pack_csv.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define HELD 512u       /* elements before they are written */
#define MOST_NOTE 1024u /* bytes of an attribute (src/tet/FORMAT.md §7.4) */
#define NOTE_KEY "tetration_categories"

int column_fail(const column *c, const cell_at *at, const char *format, ...)
{
    char words[1024];
    va_list list;

    va_start(list, format);
    (void)vsnprintf(words, sizeof words, format, list);
    va_end(list);
    return fail(c->path, NULL, NO_OFFSET, "line %" PRIu64 ", column %zu (\"%.60s\"): %s", at->line, c->number, c->name,
                words);
}

static void remember(cell_at *at, uint64_t line, const char *cell)
{
    if (at->line != 0)
        return;
    at->line = line;
    (void)snprintf(at->text, sizeof at->text, "%s", cell);
}

/* ---- looking ---- */

/* "1,234,567", "$5", "1.234,5": digits with signs among them that no number of ours has. */
static int is_split(const char *cell)
{
    static const char signs[] = "0123456789,.'; +-$";
    const size_t length = strlen(cell);
    const char *dot = strchr(cell, '.');

    if (strspn(cell, signs) != length || strpbrk(cell, "0123456789") == NULL)
        return 0;
    return strpbrk(cell, ",';$ ") != NULL || (dot != NULL && strchr(dot + 1, '.') != NULL && strlen(dot) % 4 == 0);
}

int column_blanks(const char *cell)
{
    size_t count = 0;
    char token[64];
    decimal n;

    for (cell += strspn(cell, " \t"); *cell != '\0'; cell += strspn(cell, " \t"), count++) {
        const size_t length = strcspn(cell, " \t");

        if (length >= sizeof token)
            return 0;
        memcpy(token, cell, length);
        token[length] = '\0';
        number_read(&n, token);
        if (n.kind == NUMBER_NONE)
            return 0;
        cell += length;
    }
    return count > 1;
}

static size_t json_length(const char *text, size_t length)
{
    size_t all = 2;
    size_t i;

    for (i = 0; i < length; i++) {
        const unsigned char one = (unsigned char)text[i];

        all += one == '"' || one == '\\' || (one >= 8 && one <= 13 && one != 11) ? 2u : one < 0x20 ? 6u : 1u;
    }
    return all;
}

/* The code of a word; word_count: it is new. */
static size_t code_of(const column *c, const char *cell, size_t length)
{
    size_t i = 0;

    while (i < c->word_count && (c->words[i].length != length || memcmp(c->words[i].text, cell, length) != 0))
        i++;
    return i;
}

/* Words are remembered as long as their list fits an attribute. */
static int look_at_word(column *c, uint64_t line, const char *cell, int joinable)
{
    const size_t length = strlen(cell);
    char digits[24];
    word *more;

    remember(&c->first_text, line, cell);
    c->texts++;
    if (c->split.line == 0 && (joinable || is_split(cell) || column_blanks(cell))) {
        remember(&c->split, line, cell);
        c->joinable = joinable;
    }
    if (c->note_length > MOST_NOTE || code_of(c, cell, length) < c->word_count)
        return TOOL_OK;
    if (!is_utf8(cell, length))
        return column_fail(c, &c->first_text, "\"%.60s\" is not valid UTF-8; save the table as CSV in UTF-8", cell);
    if (c->word_count == 0)
        c->note_length = strlen("{\"codes\":{},\"missing\":-1}") - 1;
    c->note_length += json_length(cell, length) + 2 + (size_t)sprintf(digits, "%zu", c->word_count);
    more = realloc(c->words, (c->word_count + 1) * sizeof *more);
    if (more == NULL)
        return fail(c->path, NULL, NO_OFFSET, "not enough memory");
    c->words = more;
    more[c->word_count].length = length;
    more[c->word_count].text = strdup(cell);
    return more[c->word_count++].text != NULL ? TOOL_OK : fail(c->path, NULL, NO_OFFSET, "not enough memory");
}

static void look_at_number(column *c, uint64_t line, const char *cell, const decimal *n)
{
    if (c->numbers++ == 0) {
        remember(&c->first_number, line, cell);
        c->all_plain = c->all_whole = 1;
    }
    c->all_plain &= n->plain;
    c->all_whole &= n->whole;
    if (n->integer && !n->exact)
        remember(&c->inexact, line, cell);
    c->beyond |= n->whole && !n->fits;
    if (n->whole && n->fits && n->negative && n->magnitude > c->least)
        c->least = n->magnitude;
    if (n->whole && n->fits && !n->negative && n->magnitude > c->most)
        c->most = n->magnitude;
}

int column_look(column *c, uint64_t line, const char *cell, const decimal *n, int joinable)
{
    if (n == NULL || n->kind == NUMBER_NAN) {
        remember(&c->first_absent, line, cell);
        c->absent++;
        return TOOL_OK;
    }
    if (n->kind == NUMBER_NONE)
        return look_at_word(c, line, cell, joinable);
    if (n->kind == NUMBER_FINITE && isinf(n->value)) {
        const cell_at here = {line, ""};

        return column_fail(c, &here, "too large for f64, \"%.60s\"", cell);
    }
    look_at_number(c, line, cell, n);
    return TOOL_OK;
}

/* ---- choosing ---- */

/* The dtype of integers that holds all of them; 0: none does. */
static uint32_t integer_dtype(const column *c)
{
    if (!c->all_whole || c->beyond || c->least > (uint64_t)INT64_MAX + 1)
        return 0;
    if (c->most <= (uint64_t)INT64_MAX)
        return UTET_I64;
    return c->least == 0 ? UTET_U64 : 0;
}

/* Advice about a text among numbers. */
static int not_a_number(const column *c, uint64_t first_line, int several)
{
    const char *const alone = several ? "; IN:COLUMN reads only one column" : "";

    if (c->split.line != 0 && c->joinable)
        return column_fail(c, &c->split, "not a number, \"%s\" (--thousands SIGN allows a sign between digits%s)",
                           c->split.text, alone);
    if (c->split.line != 0 && column_blanks(c->split.text))
        return column_fail(c, &c->split,
                           "not a number, \"%s\" (fields end at commas, semicolons or tabs, not at blanks%s)",
                           c->split.text, alone);
    if (c->numbers > 0 && c->first_text.line == first_line)
        return column_fail(c, &c->first_text,
                           "not a number, \"%s\" (--units reads this line as units, --skip N skips N lines%s)",
                           c->first_text.text, alone);
    return column_fail(c, &c->first_text, "not a number, \"%s\" (--missing \"%.30s\" reads it as no value%s)",
                       c->first_text.text, c->first_text.text, alone);
}

static int choose_words(column *c, const pack_options *opt, uint64_t first_line, int several)
{
    if (c->numbers > 0 || c->split.line != 0 || opt->dtype != 0)
        return not_a_number(c, first_line, several);
    if (c->note_length > MOST_NOTE)
        return column_fail(c, &c->first_text,
                           "texts such as \"%s\"; the list of all texts is longer than an attribute can be, 1,024 "
                           "bytes (IN:COLUMN reads only one column)",
                           c->first_text.text);
    c->coded = 1;
    c->dtype = UTET_I64;
    return TOOL_OK;
}

/* The value of --fill as an element of the column's dtype. */
static int choose_fill(column *c, const pack_options *opt)
{
    decimal n;

    number_read(&n, opt->fill);
    if (n.kind != NUMBER_FINITE || number_store(&n, c->dtype, &c->fill) != NUMBER_KEPT)
        return column_fail(c, &c->first_absent, "--fill %s does not fit %s", opt->fill, utet_show_dtype(c->dtype));
    c->filled = 1;
    return TOOL_OK;
}

static int is_float(uint32_t dtype)
{
    return dtype == UTET_F16 || dtype == UTET_F32 || dtype == UTET_F64;
}

static const char *absent_words(const column *c)
{
    return c->first_absent.text[0] == '\0' ? "an empty cell" : "a cell without a value";
}

static int choose_given(column *c, const pack_options *opt)
{
    c->dtype = opt->dtype;
    if (is_float(c->dtype) || c->absent == 0)
        return TOOL_OK;
    return opt->fill != NULL
               ? choose_fill(c, opt)
               : column_fail(c, &c->first_absent, "%s, and %s has no NaN (--fill X stores the number X there)",
                             absent_words(c), utet_show_dtype(c->dtype));
}

int column_choose(column *c, const pack_options *opt, uint64_t first_line, int several)
{
    const uint32_t integers = integer_dtype(c);

    if (c->texts > 0)
        return choose_words(c, opt, first_line, several);
    if (opt->dtype != 0)
        return choose_given(c, opt);
    c->dtype = UTET_F64;
    if (c->numbers == 0)
        return TOOL_OK;
    if (c->absent > 0 && integers != 0 && opt->fill != NULL) {
        c->dtype = integers;
        return choose_fill(c, opt);
    }
    if (c->absent == 0 && integers != 0 && (c->all_plain || c->inexact.line != 0))
        c->dtype = integers;
    else if (c->inexact.line != 0)
        return column_fail(
            c, &c->inexact, "\"%s\" is not exactly a double, and %s makes this column f64 (%s--dtype f64 rounds it)",
            c->inexact.text,
            c->absent > 0 && integers != 0 ? absent_words(c)
            : !c->all_whole                ? "a number with a fraction"
                                           : "a range beyond i64 and u64",
            c->absent > 0 && integers != 0 ? "--fill X keeps integers and stores X where there is no value, " : "");
    return TOOL_OK;
}

/* ---- storing ---- */

int column_flush(column *c)
{
    const size_t bytes = c->count * pack_elem_size(c->dtype);

    c->count = 0;
    return bytes > 0 ? pack_write_all(c->path, c->scratch, c->held, bytes) : TOOL_OK;
}

static int put(column *c, uint64_t bits)
{
    const uint8_t size = pack_elem_size(c->dtype);

    if (c->held == NULL)
        c->held = malloc(HELD * 8);
    if (c->held == NULL)
        return fail(c->path, NULL, NO_OFFSET, "not enough memory");
    store_le(c->held + c->count * size, bits, size);
    return ++c->count == HELD ? column_flush(c) : TOOL_OK;
}

static int put_absent(column *c)
{
    decimal n;
    uint64_t bits;

    if (c->coded)
        return put(c, (uint64_t)(int64_t)COLUMN_ABSENT);
    if (c->filled)
        return put(c, c->fill);
    number_read(&n, "nan");
    (void)number_store(&n, c->dtype, &bits);
    return put(c, bits);
}

int column_keep(column *c, uint64_t line, const char *cell, const char *number, int absent)
{
    const cell_at here = {line, ""};
    decimal n;
    uint64_t bits;
    int kept;

    if (absent)
        return put_absent(c);
    if (c->coded)
        return put(c, (uint64_t)code_of(c, cell, strlen(cell)));
    number_read(&n, number);
    if (n.kind == NUMBER_NAN)
        return put_absent(c);
    kept = number_store(&n, c->dtype, &bits);
    if (kept == NUMBER_BEYOND)
        return column_fail(c, &here, "\"%.60s\" does not fit %s", cell, utet_show_dtype(c->dtype));
    if (kept == NUMBER_ROUNDED) {
        remember(&c->first_rounded, line, cell);
        c->rounded++;
    }
    if (c->filled && bits == c->fill)
        return column_fail(c, &here, "\"%.60s\" is the value of --fill; choose a number that no field contains", cell);
    return put(c, bits);
}

static int by_text(const void *x, const void *y)
{
    const word *const one = *(const word *const *)x;
    const word *const other = *(const word *const *)y;
    const int order = memcmp(one->text, other->text, one->length < other->length ? one->length : other->length);

    return order != 0 ? order : (one->length > other->length) - (one->length < other->length);
}

/* {"codes":{"a":1,"b":0},"missing":-1}, sorted by the words. */
static int put_note(const column *c, pack_input *in)
{
    const word **const sorted = malloc((c->word_count + 1) * sizeof *sorted);
    char *text = NULL;
    size_t length = 0;
    FILE *const out = open_memstream(&text, &length);
    size_t i;
    int result;

    for (i = 0; sorted != NULL && i < c->word_count; i++)
        sorted[i] = &c->words[i];
    if (sorted == NULL || out == NULL) {
        free(sorted);
        if (out != NULL)
            (void)fclose(out);
        free(text);
        return fail(c->path, NULL, NO_OFFSET, "not enough memory");
    }
    qsort(sorted, c->word_count, sizeof *sorted, by_text);
    fputs("{\"codes\":{", out);
    for (i = 0; i < c->word_count; i++) {
        fputs(i > 0 ? "," : "", out);
        json_text(out, sorted[i]->text, sorted[i]->length);
        fprintf(out, ":%zu", (size_t)(sorted[i] - c->words));
    }
    fprintf(out, "},\"missing\":%d}", COLUMN_ABSENT);
    free(sorted);
    result = fclose(out) == 0 ? pack_meta_attribute(in, NOTE_KEY, text)
                              : fail(c->path, NULL, NO_OFFSET, "not enough memory");
    free(text);
    return result;
}

int column_finish(column *c, pack_input *in)
{
    char text[24];

    if (column_flush(c) != TOOL_OK || (c->units != NULL && pack_meta_attribute(in, "units", c->units) != TOOL_OK))
        return TOOL_ERROR;
    if (c->rounded > 0)
        notice(c->path, NULL,
               "column %zu (\"%.60s\"): %" PRIu64 " whole number%s rounded to %s, the first in line %" PRIu64,
               c->number, c->name, c->rounded, c->rounded == 1 ? " is" : "s are", utet_show_dtype(c->dtype),
               c->first_rounded.line);
    if (c->filled) {
        if (c->dtype == UTET_U64)
            (void)snprintf(text, sizeof text, "%" PRIu64, c->fill);
        else
            (void)snprintf(text, sizeof text, "%" PRId64, (int64_t)c->fill);
        return pack_meta_attribute(in, "_FillValue", text);
    }
    if (!c->coded)
        return TOOL_OK;
    notice(c->path, NULL, "column %zu (\"%.60s\"): its %zu word%s stored as %s, attribute " NOTE_KEY " lists them",
           c->number, c->name, c->word_count, c->word_count == 1 ? " is" : "s are", "numbers from 0 on");
    return put_note(c, in);
}

void column_end(column *c)
{
    size_t i;

    for (i = 0; i < c->word_count; i++)
        free(c->words[i].text);
    free(c->words);
    free(c->name);
    free(c->units);
    free(c->held);
}
