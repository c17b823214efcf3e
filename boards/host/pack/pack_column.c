/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The dtype of a column of a table. Integers stay integers, in the narrowest dtype that holds them; decimals become
 * f64, absent cells NaN. An integer that no double is keeps its column in integers, or the column is refused, and the
 * line says which option would allow it. Words become codes (pack_words.c). */
#define _XOPEN_SOURCE 700
#include "pack_csv.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HELD 512u /* elements before they are written */

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

void column_remember(cell_at *at, uint64_t line, const char *cell)
{
    if (at->line != 0)
        return;
    at->line = line;
    (void)snprintf(at->text, sizeof at->text, "%s", cell);
}

/* ---- looking ---- */

/* "1,234,56", "1;5": digits with signs among them that no number has, and no time. */
static int is_split(const char *cell)
{
    moment m;

    return strspn(cell, "0123456789,.'; +-$") == strlen(cell) && strpbrk(cell, "0123456789") != NULL &&
           strpbrk(cell, ",';$ ") != NULL && !time_read(&m, cell);
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

static int look_at_text(column *c, uint64_t line, const char *cell)
{
    if (column_usual_missing(cell)) {
        column_remember(&c->first_usual, line, cell);
        c->usual++;
    } else {
        column_remember(&c->first_text, line, cell);
    }
    c->texts++;
    if (c->split.line == 0 && (column_blanks(cell) || is_split(cell)))
        c->surely_number = 1;
    if (c->advice[0] != '\0' || c->surely_number)
        column_remember(&c->split, line, cell);
    if (column_look_at_word(c, line, cell) != TOOL_OK)
        return TOOL_ERROR;
    if (c->early.state == EARLY_NUMBERS && column_usual_missing(cell))
        return early_absent(c);
    return early_word(c, column_code(c, cell, strlen(cell)));
}

int column_wants_advice(const column *c)
{
    return c->split.line == 0;
}

static int look_at_number(column *c, uint64_t line, const char *cell, const decimal *n)
{
    if (!c->numbers) {
        column_remember(&c->first_number, line, cell);
        c->numbers = c->all_plain = c->all_whole = 1;
    }
    c->all_plain &= n->plain;
    c->all_whole &= n->whole;
    if (n->integer && !n->exact)
        column_remember(&c->inexact, line, cell);
    if (!n->whole)
        return early_double(c, n->value);
    c->beyond |= !n->fits;
    if (n->fits)
        column_range(c, n->magnitude, n->negative);
    if (!n->plain || !n->fits || (n->magnitude == 0 && n->negative) || c->early.state == EARLY_WORDS)
        return early_double(c, n->value);
    return early_integer(c, n->magnitude, n->negative);
}

int column_look(column *c, uint64_t line, const char *cell, const decimal *n)
{
    if (c->role == COLUMN_TIMES)
        return column_look_at_time(c, line, cell, n == NULL);
    if (c->role == COLUMN_LABELS)
        return column_look_at_label(c, line, cell, n == NULL);
    if (n == NULL || n->kind == NUMBER_NAN) {
        column_remember(&c->first_absent, line, cell);
        c->absent++;
        return early_absent(c);
    }
    if (n->kind == NUMBER_NONE)
        return look_at_text(c, line, cell);
    if (n->kind == NUMBER_FINITE && !n->fits && isinf(n->value)) {
        const cell_at here = {line, ""};

        return column_fail(c, &here, "too large for f64, \"%.60s\"", cell);
    }
    return look_at_number(c, line, cell, n);
}

/* ---- choosing ---- */

uint32_t column_narrowest(uint64_t most, uint64_t least)
{
    if (least == 0)
        return most <= UINT8_MAX    ? UTET_U8
               : most <= INT16_MAX  ? UTET_I16
               : most <= UINT16_MAX ? UTET_U16
               : most <= INT32_MAX  ? UTET_I32
               : most <= UINT32_MAX ? UTET_U32
               : most <= INT64_MAX  ? UTET_I64
                                    : UTET_U64;
    return most <= INT16_MAX && least <= (uint64_t)INT16_MAX + 1   ? UTET_I16
           : most <= INT32_MAX && least <= (uint64_t)INT32_MAX + 1 ? UTET_I32
           : most <= INT64_MAX && least <= (uint64_t)INT64_MAX + 1 ? UTET_I64
                                                                   : 0;
}

/* The narrowest dtype of integers that holds all of them, and the number of --fill if there is one; 0: none does. */
static uint32_t integer_dtype(const column *c, const decimal *fill)
{
    static const uint32_t dtypes[] = {UTET_U8, UTET_I16, UTET_U16, UTET_I32, UTET_U32, UTET_I64, UTET_U64};
    const int counts = fill != NULL && fill->whole && fill->fits;
    decimal ends[3];
    size_t i;
    size_t k;

    if (!c->all_whole || c->beyond)
        return 0;
    memset(ends, 0, sizeof ends);
    for (k = 0; k < 2; k++) {
        ends[k].kind = NUMBER_FINITE;
        ends[k].whole = ends[k].fits = 1;
        ends[k].negative = k == 1;
        ends[k].magnitude = k == 0 ? c->most : c->least;
    }
    ends[2] = counts ? *fill : ends[0];
    for (i = 0; i < sizeof dtypes / sizeof dtypes[0]; i++) {
        uint64_t bits;

        for (k = 0; k < 3 && number_store(&ends[k], dtypes[i], &bits) == NUMBER_KEPT; k++)
            ;
        if (k == 3)
            return dtypes[i];
    }
    return 0;
}

/* Advice about a text among numbers. */
static int not_a_number(const column *c, const pack_options *opt, uint64_t first_line, int several)
{
    char comment[80] = "";
    char alone[128] = "";
    const cell_at *at;

    if (several)
        (void)snprintf(alone, sizeof alone, "; --drop \"%.60s\" leaves the column out", c->name);
    if (c->split.line != 0 && c->advice[0] != '\0' && (c->surely_number || c->first_text.line != first_line))
        return column_fail(c, &c->split, "\"%s\" is not a number (%s, --missing \"%.30s\" reads it as no value%s)",
                           c->split.text, c->advice, c->split.text, alone);
    if (c->split.line != 0 && c->surely_number && column_blanks(c->split.text))
        return column_fail(c, &c->split,
                           "\"%s\" is not a number (fields end at commas, semicolons or tabs; --separator blank ends "
                           "them at blanks%s)",
                           c->split.text, alone);
    if (c->numbers && c->first_text.line == first_line)
        return column_fail(c, &c->first_text,
                           "\"%s\" is not a number (--units reads this line as units, --skip-after 1 skips it%s)",
                           c->first_text.text, alone);
    at = c->split.line != 0 && c->surely_number ? &c->split : &c->first_text;
    if (at->text[0] == '#')
        (void)snprintf(comment, sizeof comment, "--comment \"#\" skips such lines, ");
    else if (c->number == 1 && opt->comment == NULL)
        (void)snprintf(comment, sizeof comment, "--comment \"%.30s\" skips such lines, ", at->text);
    return column_fail(c, at, "\"%s\" is not a number (%s--missing \"%.30s\" reads it as no value%s)", at->text,
                       comment, at->text, alone);
}

/* What makes numbers or labels of texts. */
static const char *way_of_words(const column *c, const char *text, char way[256])
{
    char format[64];
    moment m;

    if (time_read(&m, text))
        (void)snprintf(way, 256, "--times \"%.60s=s\" stores times as numbers", c->name);
    else if (time_guess(text, 0, format, sizeof format) || time_guess(text, 1, format, sizeof format))
        (void)snprintf(way, 256, "--times \"%.60s=s\" --time-format \"%s\" stores times as numbers", c->name, format);
    else if (c->advice[0] != '\0')
        (void)snprintf(way, 256, "%s", c->advice);
    else
        (void)snprintf(way, 256, "--labels-from \"%.60s\" makes labels of up to 64 rows", c->name);
    return way;
}

static int choose_words(column *c, const pack_options *opt, uint64_t first_line, int several)
{
    const cell_at *const first = c->first_text.line != 0 ? &c->first_text : &c->first_usual;
    char way[256];

    if (c->numbers || c->surely_number || opt->dtype != 0)
        return not_a_number(c, opt, first_line, several);
    if (column_too_many_words(c))
        return column_fail(
            c, first,
            "texts such as \"%s\"; the list of all texts is longer than an attribute can be, 1,024 bytes "
            "(%s, --drop \"%.60s\" leaves the column out)",
            first->text, way_of_words(c, first->text, way), c->name);
    c->coded = 1;
    c->dtype = UTET_I64;
    return TOOL_OK;
}

/* Words such as NA among numbers mean that there is no value; in a column of texts they are texts. */
static void judge_usual(column *c)
{
    if (c->usual == 0 || c->usual != c->texts)
        return;
    notice(c->path, NULL, "column %zu (\"%.60s\"): %" PRIu64 " field%s such as \"%s\" %s read as no value", c->number,
           c->name, c->usual, c->usual == 1 ? "" : "s", c->first_usual.text, c->usual == 1 ? "is" : "are");
    c->absent += c->usual;
    c->texts = 0;
    if (c->first_absent.line == 0 || c->first_usual.line < c->first_absent.line)
        c->first_absent = c->first_usual;
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

static const char *absent_words(const column *c)
{
    return c->first_absent.text[0] == '\0' ? "an empty cell" : "a cell without a value";
}

static int choose_given(column *c, const pack_options *opt)
{
    c->dtype = opt->dtype;
    if (UTET_IS_FLOAT(c->dtype) || c->absent == 0)
        return TOOL_OK;
    return opt->fill != NULL
               ? choose_fill(c, opt)
               : column_fail(c, &c->first_absent, "%s, and %s has no NaN (--fill X stores the number X there)",
                             absent_words(c), utet_show_dtype(c->dtype));
}

/* Which of two signs is the decimal sign has to be clear. */
static int judge_signs(const column *c)
{
    if (c->with_comma.line != 0 && c->with_point.line != 0)
        return column_fail(c, c->with_comma.line > c->with_point.line ? &c->with_comma : &c->with_point,
                           "\"%s\" and \"%s\": which is the decimal sign? (--decimal SIGN and --thousands SIGN say)",
                           c->with_comma.text, c->with_point.text);
    if (c->with_comma.line != 0 && c->commas_ambiguous)
        notice(
            c->path, NULL,
            "column %zu (\"%.60s\"): the comma in \"%s\" is read as a decimal sign (--thousands , reads it otherwise)",
            c->number, c->name, c->with_comma.text);
    return TOOL_OK;
}

static int choose_times(column *c, const pack_options *opt)
{
    c->dtype = UTET_I64;
    if (c->absent == 0)
        return TOOL_OK;
    return opt->fill != NULL
               ? choose_fill(c, opt)
               : column_fail(c, &c->first_absent, "%s, and i64 has no NaN (--fill X stores the number X there)",
                             absent_words(c));
}

static int choose_number(column *c, const pack_options *opt)
{
    uint32_t integers;
    decimal fill;

    if (opt->fill != NULL)
        number_read(&fill, opt->fill);
    integers = integer_dtype(c, c->absent > 0 && opt->fill != NULL ? &fill : NULL);
    c->dtype = UTET_F64;
    if (!c->numbers)
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

int column_choose(column *c, const pack_options *opt, uint64_t first_line, int several)
{
    if (c->role == COLUMN_TIMES)
        return choose_times(c, opt);
    judge_usual(c);
    if (c->texts > 0)
        return choose_words(c, opt, first_line, several);
    if (judge_signs(c) != TOOL_OK)
        return TOOL_ERROR;
    return opt->dtype != 0 ? choose_given(c, opt) : choose_number(c, opt);
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

static int fill_taken(const column *c, uint64_t line, const char *cell)
{
    const cell_at here = {line, ""};

    return column_fail(c, &here, "\"%.60s\" is the value of --fill; choose a number that no field contains", cell);
}

int column_keep(column *c, uint64_t line, const char *cell, const char *number, int absent)
{
    const cell_at here = {line, ""};
    decimal n;
    uint64_t bits;
    int kept;

    if (absent)
        return put_absent(c);
    if (c->role == COLUMN_TIMES) {
        if (!column_keep_time(c, cell, &bits))
            return put_absent(c);
        return c->filled && bits == c->fill ? fill_taken(c, line, cell) : put(c, bits);
    }
    if (c->coded) {
        const size_t code = column_code(c, cell, strlen(cell));

        return code < c->word_count ? put(c, code) : put_absent(c); /* such as nan */
    }
    if (c->usual > 0 && column_usual_missing(cell))
        return put_absent(c);
    number_read(&n, number);
    if (n.kind == NUMBER_NAN)
        return put_absent(c);
    kept = number_store(&n, c->dtype, &bits);
    if (kept == NUMBER_BEYOND)
        return column_fail(c, &here, "\"%.60s\" does not fit %s", cell, utet_show_dtype(c->dtype));
    if (kept == NUMBER_ROUNDED) {
        column_remember(&c->first_rounded, line, cell);
        c->rounded++;
    }
    if (c->filled && bits == c->fill)
        return fill_taken(c, line, cell);
    return put(c, bits);
}

int column_finish(column *c, pack_input *in)
{
    char text[24];
    char way[256];
    int times;

    if (column_flush(c) != TOOL_OK || (c->units != NULL && pack_meta_attribute(in, "units", c->units) != TOOL_OK) ||
        (c->role == COLUMN_TIMES && column_finish_time(c, in) != TOOL_OK))
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
    (void)way_of_words(c, c->first_text.line != 0 ? c->first_text.text : "", way);
    times = strncmp(way, "--times", 7) == 0;
    notice(c->path, NULL,
           "column %zu (\"%.60s\"): its %zu word%s stored as numbers from 0 on, attribute tetration_categories lists "
           "them%s%s%s",
           c->number, c->name, c->word_count, c->word_count == 1 ? " is" : "s are", times ? " (" : "", times ? way : "",
           times ? ")" : "");
    return column_put_note(c, in);
}

void column_end(column *c)
{
    size_t i;

    for (i = 0; i < c->word_count; i++)
        free(c->words[i].text);
    free(c->words);
    free(c->slots);
    free(c->name);
    free(c->again);
    free(c->units);
    free(c->held);
    if (!c->kept && c->scratch >= 0)
        (void)close(c->scratch);
    early_end(c);
}
