/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* A table in text: CSV with quotes as in RFC 4180. Cells end at commas; at semicolons or tabs where the first line has
 * any, as spreadsheets write them where a comma is the decimal sign, and at tabs in a file called .tsv. Its first line
 * has names when not all of it are numbers. The file is read four times: for its beginning, for its first line, for the
 * kind of each column, and for the values, which go into a scratch file. */
#define _XOPEN_SOURCE 700
#include "shared/near.h"
#include "pack_csv.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_COLUMNS 4096u

typedef struct sheet {
    const char *path;
    const pack_options *opt;
    FILE *file;
    char separator;      /* of cells: , ; or a tab */
    off_t start;         /* offset of the table */
    uint64_t start_line; /* number of lines before it */
    int marked;          /* its first line begins with #, as comments and the names of np.savetxt do */
    uint64_t line;       /* where the next cell begins */
    uint64_t began;      /* where the last one did */
    uint64_t first_line; /* line of the data, from 1 */
    char *cell;
    size_t length;
    size_t size;
    int quoted;   /* the cell was in quotation marks */
    char *number; /* the cell with a point, and without signs between digits */
    size_t number_size;
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

/* The next cell; *end: the separator, '\n' or EOF after it. Blanks around it do not count. */
static int next_cell(sheet *s, int *end)
{
    int quoted = 0;
    int closed = 0;
    int c;

    s->began = s->line;
    s->length = 0;
    if (put(s, '\0') != TOOL_OK)
        return TOOL_ERROR;
    s->length = 0;
    s->cell[0] = '\0';
    for (;;) {
        c = quoted ? getc(s->file) : next_byte(s->file);
        if (c == '"' && (quoted || (s->length == 0 && !closed))) {
            if (quoted && (c = getc(s->file)) != '"') {
                quoted = 0;
                closed = 1;
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
        if (closed && !quoted && c != ' ' && c != '\t')
            return fail(s->path, NULL, NO_OFFSET, "line %" PRIu64 ": text after a closing quotation mark, \"%.60s\"",
                        s->began + 1, s->cell);
        if ((quoted || !(s->length == 0 && (c == ' ' || c == '\t'))) && put(s, c) != TOOL_OK)
            return TOOL_ERROR;
    }
    while (s->length > 0 && (s->cell[s->length - 1] == ' ' || s->cell[s->length - 1] == '\t'))
        s->cell[--s->length] = '\0';
    if (c == EOF && ferror(s->file))
        return fail(s->path, NULL, NO_OFFSET, "cannot read: %s", strerror(errno));
    if (quoted)
        return fail(s->path, NULL, NO_OFFSET, "line %" PRIu64 ": unterminated quoted field", s->began + 1);
    s->line += c == '\n';
    s->quoted = closed;
    *end = c;
    return TOOL_OK;
}

/* The position of the cell, for messages. */
static int cannot(const sheet *s, size_t at, const char *words, const char *advice)
{
    return fail(s->path, NULL, NO_OFFSET, "line %" PRIu64 ", column %zu: %s \"%.60s\"%s", s->began + 1, at + 1, words,
                s->cell, advice);
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

/* The cell as a number is read: a comma that is a decimal sign is a point, and `sign` between digits is gone. Null: not
 * enough memory. */
static const char *numeric(sheet *s, char sign)
{
    const int comma_is_point = sign != ',' && (sign == '.' || s->separator != ',') && strchr(s->cell, ',') != NULL;
    char *comma;

    if (sign == '\0' && !comma_is_point)
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
    if (sign != '\0')
        join_digits(s->number, sign);
    if (sign != '\0' && strchr(s->number, sign) != NULL)
        return "?"; /* the sign is at a wrong position */
    comma = comma_is_point && strchr(s->number, '.') == NULL ? strchr(s->number, ',') : NULL;
    if (comma != NULL && strchr(comma + 1, ',') == NULL)
        *comma = '.';
    return s->number;
}

/* Returns nonzero if the cell says that there is no value: an empty one, or a word of --missing. */
static int is_absent(const sheet *s)
{
    const char *at = s->opt->missing;

    while (at != NULL && s->length > 0) {
        const size_t length = strcspn(at, ",");

        if (length == s->length && memcmp(at, s->cell, length) == 0)
            return 1;
        at = at[length] == ',' ? at + length + 1 : NULL;
    }
    return s->length == 0;
}

static int is_number(sheet *s, int *number)
{
    const char *const text = numeric(s, s->opt->thousands);
    decimal n;

    if (text == NULL)
        return TOOL_ERROR;
    number_read(&n, text);
    *number = n.kind != NUMBER_NONE;
    return TOOL_OK;
}

/* The name in the first cell of np.savetxt's header: "# a". A # alone is a name. */
static const char *unmarked(const sheet *s)
{
    const char *const name = s->cell + strspn(s->cell, "#");

    return s->marked && name[strspn(name, " \t")] != '\0' ? name + strspn(name, " \t") : s->cell;
}

/* One cell of the first line. */
static int add_column(sheet *s)
{
    column *more = realloc(s->columns, (s->width + 1) * sizeof *more);
    int number;

    if (more != NULL)
        s->columns = more;
    if (more == NULL || s->width == MOST_COLUMNS)
        return fail(s->path, NULL, NO_OFFSET, more == NULL ? "not enough memory" : "more than 4,096 columns");
    memset(&more[s->width], 0, sizeof *more);
    more[s->width].path = s->path;
    more[s->width].number = s->width + 1;
    more[s->width].scratch = -1;
    if (strlen(s->cell) != s->length)
        return cannot(s, s->width, "a zero byte after", "");
    more[s->width].name = strdup(s->width == 0 ? unmarked(s) : s->cell);
    if (more[s->width].name == NULL)
        return fail(s->path, NULL, NO_OFFSET, "not enough memory");
    if (is_number(s, &number) != TOOL_OK)
        return TOOL_ERROR;
    s->headed |= s->cell[0] != '\0' && !number && !is_absent(s);
    s->numbers += s->cell[0] != '\0' && number;
    s->width++;
    return TOOL_OK;
}

/* ---- where the table begins ---- */

/* Skips the byte order mark that spreadsheets write before UTF-8; it does not belong to a name or number. */
static void skip_mark(sheet *s)
{
    rewind(s->file);
    if (getc(s->file) != 0xEF || getc(s->file) != 0xBB || getc(s->file) != 0xBF)
        rewind(s->file);
    s->start = ftello(s->file);
}

static int skip_line(sheet *s)
{
    int c;

    do
        c = next_byte(s->file);
    while (c != '\n' && c != EOF);
    s->start_line += c == '\n';
    return c;
}

/* What separates the cells: semicolons, else tabs, where the line at the start has any of them outside of quotes. */
static void find_separator(sheet *s)
{
    int quoted = 0;
    int c;

    if (ends_with(s->path, ".tsv")) {
        s->separator = '\t';
        return;
    }
    (void)fseeko(s->file, s->start, SEEK_SET);
    s->separator = ',';
    for (c = getc(s->file); c != EOF && s->separator != ';' && (quoted || (c != '\n' && c != '\r'));
         c = getc(s->file)) {
        quoted ^= c == '"';
        if (!quoted && (c == ';' || c == '\t'))
            s->separator = (char)c;
    }
}

/* Cells of the line at the start, and whether one of them is a number. */
static int count_cells(sheet *s, size_t *count, int *numbers)
{
    int number;
    int end;

    (void)fseeko(s->file, s->start, SEEK_SET);
    s->line = s->start_line;
    *count = 0;
    *numbers = 0;
    do {
        if (next_cell(s, &end) != TOOL_OK || is_number(s, &number) != TOOL_OK)
            return TOOL_ERROR;
        ++*count;
        *numbers |= number;
    } while (end == s->separator);
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
    uint64_t comments = 0;
    size_t cells = 0;
    size_t names = 0;
    int numbers = 0;
    int c;

    (void)fseeko(s->file, first, SEEK_SET);
    for (c = getc(s->file); c == '#'; c = getc(s->file)) {
        last = s->start;
        comments++;
        (void)skip_line(s);
        s->start = ftello(s->file);
    }
    if (c == EOF || comments == 0) {
        s->start = first;
        s->start_line = first_line;
        return TOOL_OK;
    }
    find_separator(s);
    if (count_cells(s, &cells, &numbers) != TOOL_OK)
        return TOOL_ERROR;
    if (numbers && !s->opt->no_header) {
        const off_t behind = s->start;
        int others;

        s->start = last;
        s->start_line--;
        if (count_cells(s, &names, &others) != TOOL_OK)
            return TOOL_ERROR;
        s->marked = names == cells;
        s->start = s->marked ? last : behind;
        s->start_line += !s->marked;
    }
    comments -= s->marked != 0;
    if (comments > 0)
        notice(s->path, NULL, "%" PRIu64 " line%s that begin%s with # %s skipped", comments, comments == 1 ? "" : "s",
               comments == 1 ? "s" : "", comments == 1 ? "is" : "are");
    return TOOL_OK;
}

static int find_start(sheet *s)
{
    uint64_t i;
    int c = 0;

    rewind(s->file);
    c = getc(s->file);
    if (c == 0xFF || c == 0xFE) /* the byte order marks of UTF-16, no bytes of UTF-8 */
        return fail(s->path, NULL, 0, "not UTF-8 text; save the file as CSV in UTF-8");
    skip_mark(s);
    for (i = 0; i < s->opt->skip; i++) {
        c = skip_line(s);
        if (c == EOF)
            return fail(s->path, NULL, NO_OFFSET, "--skip %" PRIu64 ": the file has only %" PRIu64 " lines",
                        s->opt->skip, s->start_line);
        s->start = ftello(s->file);
    }
    if (pass_comments(s) != TOOL_OK)
        return TOOL_ERROR;
    find_separator(s);
    return TOOL_OK;
}

/* ---- all cells ---- */

typedef int (*cell_use)(sheet *s, size_t column);

static int keep_units(sheet *s, size_t at)
{
    column *const c = &s->columns[at];

    if (strlen(s->cell) != s->length)
        return cannot(s, at, "a zero byte after", "");
    free(c->units);
    c->units = s->length > 0 ? strdup(s->cell) : NULL;
    return s->length == 0 || c->units != NULL ? TOOL_OK : fail(s->path, NULL, NO_OFFSET, "not enough memory");
}

/* One line; `use` null: the first one, whose columns are made. *cells: 0 for an empty line. */
static int one_line(sheet *s, cell_use use, int make, size_t *cells, int *end)
{
    size_t at;

    for (at = 0;; at++) {
        if (next_cell(s, end) != TOOL_OK)
            return TOOL_ERROR;
        if (at == 0 && s->length == 0 && (make || !s->quoted) && *end != s->separator) {
            *cells = 0;
            return TOOL_OK;
        }
        if (make && add_column(s) != TOOL_OK)
            return TOOL_ERROR;
        if (!make && at == s->width)
            return cannot(s, at, "more cells than in the first line, at", "");
        if (use != NULL && use(s, at) != TOOL_OK)
            return TOOL_ERROR;
        if (*end != s->separator)
            break;
    }
    *cells = at + 1;
    if (!make && *cells != s->width)
        return fail(s->path, NULL, NO_OFFSET, "line %" PRIu64 ": %zu fields, but the first line has %zu", s->began + 1,
                    *cells, s->width);
    return TOOL_OK;
}

static void to_start(sheet *s)
{
    (void)fseeko(s->file, s->start, SEEK_SET);
    s->line = s->start_line;
    s->rows = 0;
    s->first_line = 0;
}

static int first_line(sheet *s)
{
    size_t cells;
    int end;

    to_start(s);
    if (one_line(s, NULL, 1, &cells, &end) != TOOL_OK)
        return TOOL_ERROR;
    if (cells == 0)
        return fail(s->path, NULL, NO_OFFSET, "the first line is empty; it must contain names or numbers%s",
                    s->opt->skip == 0 ? " (--skip N skips N lines)" : "");
    s->headed = (s->headed || s->opt->units) && !s->opt->no_header;
    return TOOL_OK;
}

/* Every cell of every line after names and units. */
static int each_cell(sheet *s, cell_use use)
{
    size_t before = (size_t)(s->headed != 0) + (size_t)(s->opt->units != 0); /* lines without data */
    const size_t with_units = s->opt->units != 0 ? 1 : 0;
    int end = '\n';

    to_start(s);
    while (end != EOF) {
        const int units = before == with_units && before > 0;
        size_t cells = 0;

        if (before == 0 && s->first_line == 0)
            s->first_line = s->line + 1;
        if (one_line(s, before == 0 ? use : units ? keep_units : NULL, 0, &cells, &end) != TOOL_OK)
            return TOOL_ERROR;
        if (cells == 0 && before == 0 && s->rows == 0)
            s->first_line = 0;
        if (cells == 0)
            continue;
        s->rows += before == 0;
        before -= before > 0;
    }
    return TOOL_OK;
}

/* Returns nonzero if one of the signs of --thousands makes a number of the cell. */
static int is_joinable(sheet *s)
{
    static const char signs[] = ",.' _";
    const char *sign;

    if (s->opt->thousands != '\0' || strspn(s->cell, "+-0123456789,.' _eE") != s->length)
        return 0;
    for (sign = signs; *sign != '\0'; sign++) {
        const char *const number = numeric(s, *sign);
        decimal n;

        if (number == NULL)
            return 0;
        number_read(&n, number);
        if (n.kind != NUMBER_NONE)
            return 1;
    }
    return 0;
}

static int look(sheet *s, size_t at)
{
    column *const c = &s->columns[at];
    const char *number;
    decimal n;

    if (!c->wanted)
        return TOOL_OK;
    if (strlen(s->cell) != s->length)
        return cannot(s, at, "a zero byte after", "");
    number = numeric(s, s->opt->thousands);
    if (number == NULL)
        return TOOL_ERROR;
    if (is_absent(s))
        return column_look(c, s->began + 1, s->cell, NULL, 0);
    number_read(&n, number);
    return column_look(c, s->began + 1, s->cell, &n, n.kind == NUMBER_NONE && is_joinable(s));
}

static int keep(sheet *s, size_t at)
{
    column *const c = &s->columns[at];
    const char *number;

    if (!c->wanted)
        return TOOL_OK;
    number = numeric(s, s->opt->thousands);
    return number != NULL ? column_keep(c, s->began + 1, s->cell, number, is_absent(s)) : TOOL_ERROR;
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
                         : fail(s->path, "dataset", NO_OFFSET, "no column named \"%s\"%s", only != NULL ? only : "",
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
        if (column_choose(c, s->opt, s->first_line, s->wanted > 1) != TOOL_OK)
            return TOOL_ERROR;
        c->scratch = pack_scratch(s->path);
        if (c->scratch < 0 || pack_inputs_keep(all, c->scratch) != TOOL_OK)
            return TOOL_ERROR;
        in = pack_inputs_add(all, s->path);
        if (in == NULL || pack_input_name(in, c->name, strlen(c->name)) != TOOL_OK)
            return TOOL_ERROR;
        in->dtype = c->dtype;
        in->elem_size = pack_elem_size(c->dtype);
        in->ndim = 1;
        in->shape[0] = s->rows;
        pack_view_dense(in, c->scratch, 0, 0);
    }
    return TOOL_OK;
}

/* A first line of words and numbers may be names or data: a notice says how it is read. */
static int judge_names(const sheet *s)
{
    if (s->headed && s->rows == 0 && s->width == 1 && column_blanks(s->columns[0].name))
        return fail(s->path, NULL, NO_OFFSET,
                    "the only line has numbers separated by blanks; separate fields by commas, semicolons or tabs");
    if (!s->headed || s->numbers == 0 || s->marked)
        return TOOL_OK;
    if (s->rows == 0)
        return fail(s->path, NULL, NO_OFFSET,
                    "the only line mixes numbers and words: it is neither a header nor a row of numbers");
    if (!s->opt->units)
        notice(s->path, NULL,
               "the first line has words and numbers, and is read as names (--no-header reads it as data)");
    return TOOL_OK;
}

static int read_sheet(pack_inputs *all, sheet *s, const char *only)
{
    size_t at = all->count;
    size_t i;

    if (find_start(s) != TOOL_OK || first_line(s) != TOOL_OK || choose(s, only) != TOOL_OK ||
        each_cell(s, look) != TOOL_OK || judge_names(s) != TOOL_OK || open_columns(all, s) != TOOL_OK ||
        each_cell(s, keep) != TOOL_OK)
        return TOOL_ERROR;
    for (i = 0; i < s->width; i++)
        if (s->columns[i].wanted && column_finish(&s->columns[i], &all->input[at++]) != TOOL_OK)
            return TOOL_ERROR;
    return TOOL_OK;
}

int pack_csv_open(pack_inputs *all, const char *path, int fd, const char *only, const pack_options *opt)
{
    sheet s;
    size_t i;
    int result;

    memset(&s, 0, sizeof s);
    s.path = path;
    s.opt = opt;
    s.file = fdopen(dup(fd), "rb");
    if (s.file == NULL)
        return fail(path, NULL, NO_OFFSET, "cannot open: %s", strerror(errno));
    result = read_sheet(all, &s, only);
    (void)fclose(s.file);
    for (i = 0; i < s.width; i++)
        column_end(&s.columns[i]);
    free(s.columns);
    free(s.cell);
    free(s.number);
    return result;
}
