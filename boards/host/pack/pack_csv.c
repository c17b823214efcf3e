/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Columns of a CSV file, each a dataset of one axis: quotes as in RFC 4180, a first line of names when not all of it
 * are numbers. Cells end at commas; at semicolons or tabs where the first line has any, as spreadsheets write them
 * where a comma is the decimal sign, and at tabs in a file called .tsv. A column of integers becomes i64, or u64 where
 * one is too large for that, any other f64 with NaN for empty cells; --dtype says otherwise. The file is read four
 * times: for its separator, its first line, the kind of each column, the values, which go into a scratch file. */
#define _XOPEN_SOURCE 700
#include "near.h"
#include "pack.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_COLUMNS 4096u
#define HELD 512u /* elements of a column before they are written */

typedef struct column {
    char *name;
    int wanted;
    int fraction; /* not all are integers of one dtype */
    int large;    /* some are beyond i64 */
    int negative;
    uint8_t *held;
    size_t count;
    int scratch;
} column;

typedef struct sheet {
    const char *path;
    FILE *file;
    char separator; /* of cells: , ; or a tab */
    uint64_t line;  /* where the next cell begins */
    uint64_t began; /* where the last one did */
    char *cell;
    size_t length;
    size_t size;
    column *columns;
    size_t width;
    size_t wanted;  /* columns that become datasets */
    size_t numbers; /* columns whose name is a number */
    int headed;
    uint64_t rows;
} sheet;

static int put(sheet *s, int c)
{
    if (s->length + 2 > s->size) {
        char *more = realloc(s->cell, s->size * 2 + 64);

        if (more == NULL)
            return fail(s->path, NULL, NO_OFFSET, "not enough memory");
        s->cell = more;
        s->size = s->size * 2 + 64;
    }
    s->cell[s->length++] = (char)c;
    s->cell[s->length] = '\0';
    return TOOL_OK;
}

/* A carriage return ends a line, alone or before a line feed. */
static int next_byte(FILE *file)
{
    int c = getc(file);

    if (c != '\r')
        return c;
    c = getc(file);
    if (c != '\n')
        (void)ungetc(c, file);
    return '\n';
}

/* The next cell; *end: the separator, '\n' or EOF behind it. Blanks around it do not count. */
static int next_cell(sheet *s, int *end)
{
    int quoted = 0;
    int c;

    s->began = s->line;
    s->length = 0;
    if (put(s, '\0') != TOOL_OK)
        return TOOL_ERROR;
    s->length = 0;
    for (;;) {
        c = quoted ? getc(s->file) : next_byte(s->file);
        if (c == '"' && (quoted || s->length == 0)) {
            if (quoted && (c = getc(s->file)) != '"') {
                quoted = 0;
                (void)ungetc(c, s->file);
                continue;
            }
            if (!quoted) {
                quoted = 1;
                continue;
            }
        } else if (c == EOF || (!quoted && (c == s->separator || c == '\n'))) {
            break;
        }
        if ((quoted || !(s->length == 0 && (c == ' ' || c == '\t'))) && put(s, c) != TOOL_OK)
            return TOOL_ERROR;
    }
    while (s->length > 0 && (s->cell[s->length - 1] == ' ' || s->cell[s->length - 1] == '\t'))
        s->cell[--s->length] = '\0';
    if (c == EOF && ferror(s->file))
        return fail(s->path, NULL, NO_OFFSET, "cannot read: %s", strerror(errno));
    if (quoted)
        return fail(s->path, NULL, NO_OFFSET, "line %" PRIu64 ": a quotation mark that nothing closes", s->began + 1);
    s->line += c == '\n';
    *end = c;
    return TOOL_OK;
}

/* A comma that is a decimal sign becomes a point; where it is, or null. */
static char *to_point(const sheet *s)
{
    char *comma = s->separator != ',' ? strchr(s->cell, ',') : NULL;

    if (comma == NULL || strchr(comma + 1, ',') != NULL)
        return NULL;
    *comma = '.';
    return comma;
}

static int is_integer(const char *text)
{
    char *end;

    errno = 0;
    (void)strtoll(text, &end, 10);
    return *text != '\0' && *end == '\0' && errno == 0;
}

/* Beyond i64, and within u64. */
static int is_large(const char *text)
{
    char *end;

    errno = 0;
    (void)strtoull(text, &end, 10); /* takes a sign, too */
    return *text != '\0' && *text != '-' && *end == '\0' && errno == 0 && !is_integer(text);
}

static uint32_t dtype_of(const column *c)
{
    return c->fraction || (c->large && c->negative) ? UTET_F64 : c->large ? UTET_U64 : UTET_I64;
}

static int is_number(const char *text, double *value)
{
    char *end;

    if (*text == '\0') {
        *value = (double)NAN;
        return 1;
    }
    *value = strtod(text, &end);
    return *end == '\0' && strpbrk(text, "xX") == NULL;
}

static int cannot(const sheet *s, size_t at, const char *words, const char *advice)
{
    return fail(s->path, NULL, NO_OFFSET, "line %" PRIu64 ", column %zu: %s \"%.60s\"%s", s->began + 1, at + 1, words,
                s->cell, advice);
}

/* One cell of the first line. */
static int add_column(sheet *s)
{
    column *more = realloc(s->columns, (s->width + 1) * sizeof *more);
    double value;

    if (more != NULL)
        s->columns = more;
    if (more == NULL || s->width == MOST_COLUMNS)
        return fail(s->path, NULL, NO_OFFSET, more == NULL ? "not enough memory" : "more than 4,096 columns");
    memset(&more[s->width], 0, sizeof *more);
    more[s->width].scratch = -1;
    more[s->width].name = strdup(s->cell);
    if (more[s->width].name == NULL)
        return fail(s->path, NULL, NO_OFFSET, "not enough memory");
    (void)to_point(s);
    s->headed |= s->cell[0] != '\0' && !is_number(s->cell, &value);
    s->numbers += s->cell[0] != '\0' && is_number(s->cell, &value);
    s->width++;
    return TOOL_OK;
}

/* To the first cell: behind the byte order mark that spreadsheets write before UTF-8, which is no part of a name or
 * number. */
static void to_start(sheet *s)
{
    rewind(s->file);
    if (getc(s->file) != 0xEF || getc(s->file) != 0xBB || getc(s->file) != 0xBF)
        rewind(s->file);
    s->line = 0;
    s->rows = 0;
}

/* What separates the cells: semicolons, else tabs, where the first line has any of them outside of quotes. */
static int find_separator(sheet *s)
{
    int quoted = 0;
    int c;

    rewind(s->file);
    c = getc(s->file);
    if (c == 0xFF || c == 0xFE) /* the byte order marks of UTF-16, no bytes of UTF-8 */
        return fail(s->path, NULL, 0, "this is no text in UTF-8: save it as CSV in UTF-8");
    if (ends_with(s->path, ".tsv")) {
        s->separator = '\t';
        return TOOL_OK;
    }
    s->separator = ',';
    for (; c != EOF && s->separator != ';' && (quoted || (c != '\n' && c != '\r')); c = getc(s->file)) {
        quoted ^= c == '"';
        if (!quoted && (c == ';' || c == '\t'))
            s->separator = (char)c;
    }
    return TOOL_OK;
}

typedef int (*cell_use)(sheet *s, size_t column);

/* Every cell of every line behind the first one, if that has names. */
static int each_cell(sheet *s, cell_use use)
{
    int end = '\n';
    size_t at;
    int first = 1;

    to_start(s);
    for (;; first = 0) {
        for (at = 0;; at++) {
            if (next_cell(s, &end) != TOOL_OK)
                return TOOL_ERROR;
            if (at == 0 && s->length == 0 && end != s->separator) /* an empty line */
                break;
            if (use == NULL && add_column(s) != TOOL_OK)
                return TOOL_ERROR;
            if (use != NULL && at == s->width)
                return cannot(s, at, "more cells than in the first line, at", "");
            if (use != NULL && !(first && s->headed) && use(s, at) != TOOL_OK)
                return TOOL_ERROR;
            if (end != s->separator)
                break;
        }
        if (use == NULL && s->width == 0)
            return fail(s->path, NULL, NO_OFFSET, "the first line is empty: it has to be names or numbers");
        if (use == NULL)
            return TOOL_OK;
        if (s->length > 0 || at > 0) {
            if (at + 1 != s->width)
                return fail(s->path, NULL, NO_OFFSET, "line %" PRIu64 ": %zu cells, the first line has %zu",
                            s->began + 1, at + 1, s->width);
            s->rows += !(first && s->headed);
        }
        if (end == EOF)
            return TOOL_OK;
    }
}

static int look(sheet *s, size_t at)
{
    column *const c = &s->columns[at];
    double value;
    char *comma;

    if (!c->wanted)
        return TOOL_OK;
    if (strlen(s->cell) != s->length)
        return cannot(s, at, "a zero byte behind", "");
    comma = to_point(s);
    if (!is_number(s->cell, &value)) {
        if (comma != NULL)
            *comma = ',';
        return cannot(s, at, "not a number,", s->wanted > 1 ? " (IN:COLUMN takes one column alone)" : "");
    }
    if (isinf(value) && strpbrk(s->cell, "0123456789") != NULL)
        return cannot(s, at, "too large for f64,", "");
    c->negative |= s->cell[0] == '-';
    c->large |= is_large(s->cell);
    c->fraction |= !is_integer(s->cell) && !is_large(s->cell);
    return TOOL_OK;
}

static int flush_column(const sheet *s, column *c)
{
    const size_t bytes = c->count * 8;

    c->count = 0;
    return pack_write_all(s->path, c->scratch, c->held, bytes);
}

/* 8 bytes, little-endian. */
static int keep(sheet *s, size_t at)
{
    column *const c = &s->columns[at];
    uint64_t bits;

    if (!c->wanted)
        return TOOL_OK;
    (void)to_point(s);
    if (dtype_of(c) == UTET_F64) {
        double value = 0;

        (void)is_number(s->cell, &value);
        memcpy(&bits, &value, sizeof bits);
    } else {
        bits = c->large ? strtoull(s->cell, NULL, 10) : (uint64_t)strtoll(s->cell, NULL, 10);
    }
    store_le(c->held + c->count * 8, bits, 8);
    return ++c->count == HELD ? flush_column(s, c) : TOOL_OK;
}

/* Those that are called `only`, or all; a column without a name is called after its number. */
static int choose(sheet *s, const char *only)
{
    near_name near;
    char words[96];
    size_t i;

    near_begin(&near, only != NULL ? only : "", only != NULL ? strlen(only) : 0);
    for (i = 0; i < s->width; i++) {
        column *const c = &s->columns[i];
        char number[32];

        if (!s->headed || c->name[0] == '\0') {
            (void)snprintf(number, sizeof number, "column%zu", i + 1);
            free(c->name);
            c->name = strdup(number);
            if (c->name == NULL)
                return fail(s->path, NULL, NO_OFFSET, "not enough memory");
        }
        near_add(&near, c->name, strlen(c->name));
        c->wanted = only == NULL || strcmp(only, c->name) == 0;
        s->wanted += c->wanted != 0;
    }
    return s->wanted > 0 ? TOOL_OK
                         : fail(s->path, "dataset", NO_OFFSET, "no column is called \"%s\"%s", only != NULL ? only : "",
                                near_words(&near, words));
}

static int open_columns(pack_inputs *all, sheet *s)
{
    size_t i;

    for (i = 0; i < s->width; i++) {
        column *const c = &s->columns[i];
        pack_input *in;

        if (!c->wanted)
            continue;
        c->held = malloc(HELD * 8);
        c->scratch = pack_scratch(s->path);
        if (c->held == NULL || c->scratch < 0 || pack_inputs_keep(all, c->scratch) != TOOL_OK)
            return TOOL_ERROR;
        in = pack_inputs_add(all, s->path);
        if (in == NULL || pack_input_name(in, c->name, strlen(c->name)) != TOOL_OK)
            return TOOL_ERROR;
        in->dtype = dtype_of(c);
        in->elem_size = 8;
        in->ndim = 1;
        in->shape[0] = s->rows;
        pack_view_dense(in, c->scratch, 0, 0);
    }
    return TOOL_OK;
}

static int read_sheet(pack_inputs *all, sheet *s, const char *only)
{
    size_t i;

    if (find_separator(s) != TOOL_OK || each_cell(s, NULL) != TOOL_OK || choose(s, only) != TOOL_OK ||
        each_cell(s, look) != TOOL_OK)
        return TOOL_ERROR;
    if (s->rows == 0 && s->headed && s->numbers != 0)
        return fail(s->path, NULL, NO_OFFSET,
                    "its only line has numbers and words: neither names nor a row of numbers");
    if (open_columns(all, s) != TOOL_OK || each_cell(s, keep) != TOOL_OK)
        return TOOL_ERROR;
    for (i = 0; i < s->width; i++)
        if (s->columns[i].wanted && flush_column(s, &s->columns[i]) != TOOL_OK)
            return TOOL_ERROR;
    return TOOL_OK;
}

int pack_csv_open(pack_inputs *all, const char *path, int fd, const char *only, uint32_t dtype)
{
    const size_t first = all->count;
    sheet s;
    size_t i;
    int result;

    memset(&s, 0, sizeof s);
    s.path = path;
    s.file = fdopen(dup(fd), "rb");
    if (s.file == NULL)
        return fail(path, NULL, NO_OFFSET, "cannot open: %s", strerror(errno));
    result = read_sheet(all, &s, only);
    for (i = first; result == TOOL_OK && dtype != 0 && i < all->count; i++)
        result = pack_convert(all, &all->input[i], dtype);
    (void)fclose(s.file);
    for (i = 0; i < s.width; i++) {
        free(s.columns[i].name);
        free(s.columns[i].held);
    }
    free(s.columns);
    free(s.cell);
    return result;
}
