/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* A table in text: CSV with quotes as in RFC 4180. Cells end at commas; at semicolons or tabs where the first line has
 * any, as spreadsheets write them where a comma is the decimal sign, and at tabs in a file called .tsv. Its first line
 * has names when not all of it are numbers. The file is read three times: for its beginning, for its first line, and
 * for the kind of each column and its values, which go into a scratch file. It is read once more if a column gets a
 * dtype that cannot have these values. */
#define _XOPEN_SOURCE 700
#include "shared/near.h"
#include "pack_sheet.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_COLUMNS 4096u

static int sheet_not_utf8(const sheet *s, size_t at)
{
    return fail(s->path, NULL, NO_OFFSET, "line %" PRIu64 ", column %zu: \"%.60s\" is not UTF-8 (%s)", s->began + 1,
                at + 1, s->cell, "iconv -f cp1252 -t utf-8 IN >OUT converts western Windows text");
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
    if (s->zeros)
        return sheet_cannot(s, s->width, "a zero byte after");
    if (!is_utf8(s->cell, s->length))
        return sheet_not_utf8(s, s->width);
    more[s->width].name = strdup(s->cell);
    if (more[s->width].name == NULL)
        return fail(s->path, NULL, NO_OFFSET, "not enough memory");
    if (sheet_is_number(s, &number) != TOOL_OK)
        return TOOL_ERROR;
    s->headed |= s->cell[0] != '\0' && !number && !sheet_absent(s);
    s->numbers += s->cell[0] != '\0' && number;
    s->width++;
    return TOOL_OK;
}

/* The last column becomes the first one. */
static int names_of_rows(sheet *s)
{
    const column last = s->columns[s->width - 1];
    size_t i;

    memmove(&s->columns[1], s->columns, (s->width - 1) * sizeof *s->columns);
    s->columns[0] = last;
    for (i = 0; i < s->width; i++)
        s->columns[i].number = i + 1;
    s->short_names = 1;
    notice(s->path, NULL, "the rows have one field more than there are names; the first column has no name");
    return TOOL_OK;
}

/* ---- all cells ---- */

typedef int (*cell_use)(sheet *s, size_t column);

static int keep_units(sheet *s, size_t at)
{
    column *const c = &s->columns[at];

    if (s->zeros)
        return sheet_cannot(s, at, "a zero byte after");
    if (!is_utf8(s->cell, s->length))
        return sheet_not_utf8(s, at);
    free(c->units);
    c->units = s->length > 0 ? strdup(s->cell) : NULL;
    return s->length == 0 || c->units != NULL ? TOOL_OK : fail(s->path, NULL, NO_OFFSET, "not enough memory");
}

/* The options that read the table, or the one that leaves the line out. `line`: from 1, `start`: its offset. */
static int wrong_width(sheet *s, uint64_t line, off_t start, size_t cells)
{
    char text[700];
    char begin[25] = "";
    size_t length;

    (void)sheet_guess(s, text, sizeof text);
    if (text[0] == '\0') {
        text_seek(s->file, start);
        length = text_read(s->file, begin, sizeof begin - 1);
        begin[length] = '\0';
        begin[strcspn(begin, "\r\n\"$`\\")] = '\0';
    }
    if (text[0] == '\0' && s->opt->comment == NULL && begin[0] != '\0')
        (void)snprintf(text, sizeof text, "--comment \"%s\" skips lines that begin so", begin);
    else if (text[0] != '\0')
        strncat(text, " reads a table", sizeof text - strlen(text) - 1);
    else
        strcpy(text, "--skip N skips N lines before the table");
    return fail(s->path, NULL, NO_OFFSET, "line %" PRIu64 ": %zu field%s, but the first line has %zu (%s)", line, cells,
                cells == 1 ? "" : "s", s->width, text);
}

/* The rest of a line that has more cells than columns. */
static int too_wide(sheet *s, uint64_t line, off_t start, size_t at, int end)
{
    while (end == s->separator) {
        if (sheet_cell(s, &end) != TOOL_OK)
            return TOOL_ERROR;
        at++;
    }
    return wrong_width(s, line, start, at + 1);
}

/* Numbers whose decimal sign may not be what it seems to be: nobody has said which it is. */
static void look_at_signs(const sheet *s, column *c)
{
    const char *comma;

    if (s->separator == ',' || s->opt->decimal != '\0' || s->opt->thousands != '\0')
        return;
    comma = strchr(s->cell, ',');
    if (comma == NULL && strchr(s->cell, '.') != NULL)
        column_remember(&c->with_point, s->began + 1, s->cell);
    if (comma == NULL)
        return;
    c->commas_ambiguous = (c->with_comma.line == 0 || c->commas_ambiguous) && strlen(comma) == 4 &&
                          strspn(comma + 1, "0123456789") == 3 && comma - s->cell < 4 + (*s->cell == '-');
    column_remember(&c->with_comma, s->began + 1, s->cell);
}

static int look(sheet *s, size_t at)
{
    column *const c = &s->columns[at];
    const int absent = sheet_absent(s);
    const char *number;
    size_t code;
    decimal n;

    if (c->role == COLUMN_LEFT_OUT)
        return TOOL_OK;
    if (s->zeros)
        return sheet_cannot(s, at, "a zero byte after");
    if (absent || c->role != COLUMN_VALUES)
        return column_look(c, s->began + 1, s->cell, absent ? NULL : &n);
    code = column_may_repeat(c) ? column_code(c, s->cell, s->length) : c->word_count;
    if (code < c->word_count)
        return column_add_word(c, code);
    number = sheet_number(s, s->opt->thousands, s->opt->decimal);
    if (number == NULL)
        return TOOL_ERROR;
    number_read(&n, number);
    if (n.kind == NUMBER_FINITE)
        look_at_signs(s, c);
    if (n.kind == NUMBER_NONE && column_wants_advice(c))
        c->surely_number = sheet_advice(s, c->advice, sizeof c->advice) && c->advice[0] != '\0';
    return column_look(c, s->began + 1, s->cell, &n);
}

/* One line; `use` null: the first one, whose columns are made. *cells: 0 for an empty line. */
static int one_line(sheet *s, cell_use use, int make, size_t *cells, int *end)
{
    const off_t start = text_tell(s->file);
    const uint64_t line = s->line + 1;
    size_t at;

    *cells = 0;
    if (sheet_may_pass(s) && sheet_pass(s, end))
        return TOOL_OK;
    for (at = 0;; at++) {
        if (use == look && s->plain) {
            const size_t from = at;

            if (sheet_look_quickly(s, &at, end) != TOOL_OK)
                return TOOL_ERROR;
            if (at > from && *end != s->separator) {
                at--;
                break;
            }
        }
        if (sheet_cell(s, end) != TOOL_OK)
            return TOOL_ERROR;
        if (at == 0 && s->length == 0 && (make || !s->quoted) && *end != s->separator)
            return TOOL_OK;
        if (make && add_column(s) != TOOL_OK)
            return TOOL_ERROR;
        if (!make && at == s->width) {
            if (!s->trailing || s->length > 0 || *end == s->separator)
                return too_wide(s, line, start, at, *end);
            at--;
            break;
        }
        if (use != NULL && use(s, at) != TOOL_OK)
            return TOOL_ERROR;
        if (*end != s->separator)
            break;
    }
    *cells = at + 1;
    if (make || *cells == s->width || (s->short_names && start == s->start))
        return TOOL_OK;
    return wrong_width(s, line, start, *cells);
}

static void to_start(sheet *s)
{
    s->repeats = 0;
    text_seek(s->file, s->start);
    s->line = s->start_line;
    s->rows = 0;
    s->first_line = 0;
}

/* The rows have one cell more than there are names: an empty last one, or R's names of rows before the others. */
static int look_at_width(sheet *s)
{
    const off_t next = text_tell(s->file);
    size_t cells = 0;
    int numbers;

    if (sheet_keep_names(s) != TOOL_OK)
        return TOOL_ERROR;
    if (!s->headed || s->opt->units || s->opt->skip_after > 0 || s->width == MOST_COLUMNS)
        return TOOL_OK;
    if (sheet_count(s, next, &cells, &numbers) != TOOL_OK)
        return TOOL_ERROR;
    if (cells != s->width + 1)
        return TOOL_OK;
    s->trailing = s->length == 0;
    if (s->trailing || !numbers)
        return TOOL_OK;
    s->length = 0;
    s->cell[0] = '\0';
    s->zeros = 0;
    return add_column(s) == TOOL_OK ? names_of_rows(s) : TOOL_ERROR;
}

/* A table of a Campbell logger: a line about the logger, names, units, kinds of processing, data. */
static int refuse_toa5(sheet *s)
{
    char text[700];

    (void)sheet_guess(s, text, sizeof text);
    return fail(s->path, NULL, NO_OFFSET, "the first line is about the logger (%s reads the table)",
                text[0] != '\0' ? text : "--skip 1 --units --skip-after 1");
}

static int first_line(sheet *s)
{
    size_t cells;
    int end;

    to_start(s);
    if (one_line(s, NULL, 1, &cells, &end) != TOOL_OK || sheet_ended(s) != TOOL_OK)
        return TOOL_ERROR;
    if (cells == 0)
        return fail(s->path, NULL, NO_OFFSET, "the first line is empty; it must contain names or numbers%s",
                    s->opt->skip == 0 ? " (--skip N skips N lines)" : "");
    if (s->opt->skip == 0 && strcmp(s->columns[0].name, "TOA5") == 0)
        return refuse_toa5(s);
    s->headed = (s->headed || s->opt->units) && !s->opt->no_header;
    return look_at_width(s);
}

/* The lines between the names and the data: units, and those of --skip-after. */
static int lines_between(sheet *s, int *end)
{
    uint64_t left = (uint64_t)(s->headed != 0) + (uint64_t)(s->opt->units != 0);
    size_t cells;

    for (; left > 0 && *end != EOF; left -= cells > 0)
        if (one_line(s, left == 1 && s->opt->units ? keep_units : NULL, 0, &cells, end) != TOOL_OK)
            return TOOL_ERROR;
    for (left = s->opt->skip_after; left > 0 && *end != EOF; left--)
        *end = sheet_skip_line(s);
    return TOOL_OK;
}

/* Every cell of every line after names and units. */
static int each_cell(sheet *s, cell_use use)
{
    int end = '\n';

    to_start(s);
    if (lines_between(s, &end) != TOOL_OK)
        return TOOL_ERROR;
    while (end != EOF) {
        const uint64_t line = s->line + 1;
        size_t cells = 0;

        if (one_line(s, use, 0, &cells, &end) != TOOL_OK)
            return TOOL_ERROR;
        if (cells > 0 && s->first_line == 0)
            s->first_line = line;
        s->rows += cells > 0;
    }
    return sheet_ended(s); /* a comment or a skipped line may have been the last one */
}

static int keep(sheet *s, size_t at)
{
    column *const c = &s->columns[at];
    const char *number;

    if ((c->role != COLUMN_VALUES && c->role != COLUMN_TIMES) || c->stored)
        return TOOL_OK;
    number = sheet_number(s, s->opt->thousands, s->opt->decimal);
    return number != NULL ? column_keep(c, s->began + 1, s->cell, number, sheet_absent(s)) : TOOL_ERROR;
}

/* ---- the roles of columns ---- */

static int order_of_columns(const void *a, const void *b)
{
    const column *const x = *(column *const *)a;
    const column *const y = *(column *const *)b;
    const int order = strcmp(x->name, y->name);

    return order != 0 ? order
                      : (x->number > y->number) - (x->number < y->number); /* of equal names the first one first */
}

static int sort_columns(sheet *s)
{
    size_t i;

    s->by_name = malloc(s->width * sizeof(column *));
    if (s->by_name == NULL)
        return fail(s->path, NULL, NO_OFFSET, "not enough memory");
    for (i = 0; i < s->width; i++)
        s->by_name[i] = &s->columns[i];
    qsort(s->by_name, s->width, sizeof(column *), order_of_columns);
    return TOOL_OK;
}

static int no_column(const sheet *s, const char *option, const char *name, size_t length)
{
    near_name near;
    char words[96];
    size_t i;

    near_begin(&near, name, length);
    for (i = 0; i < s->width; i++)
        near_add(&near, s->columns[i].name, strlen(s->columns[i].name));
    return fail(s->path, option, NO_OFFSET, "no column named \"%.*s\"%s", (int)length, name, near_words(&near, words));
}

/* The column of this name; null after an error line. */
static column *called(const sheet *s, const char *option, const char *name, size_t length)
{
    size_t low = 0;
    size_t high = s->width;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const char *const text = s->by_name[middle]->name;
        const int order = strncmp(text, name, length);

        if (order >= 0)
            high = middle;
        else
            low = middle + 1;
    }
    if (low < s->width && strncmp(s->by_name[low]->name, name, length) == 0 && s->by_name[low]->name[length] == '\0')
        return s->by_name[low];
    (void)no_column(s, option, name, length);
    return NULL;
}

/* --times COLUMN=UNIT */
static int take_times(sheet *s, const char *text)
{
    const char *const mark = strrchr(text, '=');
    column *const c = called(s, "--times", text, (size_t)(mark - text));

    if (c == NULL)
        return TOOL_ERROR;
    c->is_time = 1;
    c->time_format = s->opt->time_format;
    c->unit = time_unit(mark + 1);
    if (c->role != COLUMN_LEFT_OUT || c->unit < 0)
        c->role = c->unit >= 0 ? COLUMN_TIMES : COLUMN_LABELS;
    return TOOL_OK;
}

static int take_roles(sheet *s)
{
    column *c;
    size_t i;

    for (i = 0; i < s->opt->drop.count; i++) {
        c = called(s, "--drop", s->opt->drop.word[i], strlen(s->opt->drop.word[i]));
        if (c == NULL)
            return TOOL_ERROR;
        c->role = COLUMN_LEFT_OUT;
    }
    for (i = 0; i < s->opt->times.count; i++)
        if (take_times(s, s->opt->times.word[i]) != TOOL_OK)
            return TOOL_ERROR;
    if (s->opt->labels_from == NULL)
        return TOOL_OK;
    c = called(s, "--labels-from", s->opt->labels_from, strlen(s->opt->labels_from));
    if (c != NULL)
        c->role = COLUMN_LABELS;
    return c != NULL ? TOOL_OK : TOOL_ERROR;
}

static size_t find_column(const sheet *s, const char *name)
{
    size_t i = 0;

    while (i < s->width && strcmp(s->columns[i].name, name) != 0 &&
           (s->columns[i].again == NULL || strcmp(s->columns[i].again, name) != 0))
        i++;
    return i;
}

static int rename_columns(sheet *s)
{
    size_t i;

    for (i = 0; i < s->width; i++) {
        column *const c = &s->columns[i];

        if (c->again == NULL)
            continue;
        free(c->name);
        c->name = c->again;
        c->again = NULL;
    }
    free(s->by_name);
    return sort_columns(s);
}

/* Columns with the name of another one get a number, as pandas does: temp, temp.1, temp.2. */
static int name_again(sheet *s)
{
    size_t number = 0;
    size_t i;

    for (i = 1; i < s->width; i++) {
        column *const c = s->by_name[i];
        const size_t room = strlen(c->name) + 24;
        char *name;

        if (strcmp(s->by_name[i - 1]->name, c->name) != 0) {
            number = 0;
            continue;
        }
        name = malloc(room);
        if (name == NULL)
            return fail(s->path, NULL, NO_OFFSET, "not enough memory");
        do
            (void)snprintf(name, room, "%s.%zu", c->name, ++number);
        while (find_column(s, name) < s->width);
        notice(s->path, NULL, "column %zu: another column is called \"%.60s\" too, this one becomes \"%.60s\"",
               c->number, c->name, name);
        c->again = name;
    }
    return rename_columns(s);
}

/* Those that are called `only`, or all; a column without a name is called after its number. */
static int choose(sheet *s, const char *only)
{
    size_t labels = 0;
    size_t i;

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
        c->early.state = s->opt->dtype == 0 || s->opt->dtype == UTET_F64 ? EARLY_NONE : EARLY_LOST;
        c->role = only == NULL || strcmp(only, c->name) == 0 ? COLUMN_VALUES : COLUMN_LEFT_OUT;
    }
    if (sort_columns(s) != TOOL_OK || name_again(s) != TOOL_OK ||
        (only != NULL && called(s, "dataset", only, strlen(only)) == NULL) || take_roles(s) != TOOL_OK)
        return TOOL_ERROR;
    for (i = 0; i < s->width; i++) {
        s->wanted += s->columns[i].role == COLUMN_VALUES || s->columns[i].role == COLUMN_TIMES;
        labels += s->columns[i].role == COLUMN_LABELS;
    }
    if (labels > 1)
        return fail(s->path, NULL, NO_OFFSET, "two columns of labels; the rows can have the labels of one");
    return s->wanted > 0 ? TOOL_OK : fail(s->path, NULL, NO_OFFSET, "no column is left that would be a dataset");
}

/* Returns nonzero if the first line of data may be one of units: of the columns that have numbers, more than half have
 * a text there. */
static int may_be_units(const sheet *s)
{
    size_t numbers = 0;
    size_t texts = 0;
    size_t i;

    for (i = 0; i < s->width; i++) {
        const column *const c = &s->columns[i];

        numbers += c->first_number.line == s->first_line;
        texts += c->numbers && c->first_text.line == s->first_line;
    }
    return texts > numbers;
}

/* `units`: the line that may be one of units, 0 if none is. */
static int open_column(pack_inputs *all, sheet *s, column *c, uint64_t units)
{
    pack_input *in;

    if (column_choose(c, s->opt, units, s->wanted > 1) != TOOL_OK)
        return TOOL_ERROR;
    if (early_finish(c, s->rows) != TOOL_OK || pack_inputs_keep(all, c->scratch) != TOOL_OK)
        return TOOL_ERROR;
    c->kept = 1;
    in = pack_inputs_add(all, s->path);
    if (in == NULL || pack_input_name(in, c->name, strlen(c->name)) != TOOL_OK)
        return TOOL_ERROR;
    (void)snprintf(in->from, sizeof in->from, "column %zu: %s, %" PRIu64 " without a value", c->number,
                   c->role == COLUMN_TIMES ? "times"
                   : c->coded              ? "texts"
                                           : "numbers",
                   c->absent);
    in->settled = 1;
    in->dtype = c->dtype;
    in->elem_size = pack_elem_size(c->dtype);
    in->ndim = 1;
    in->shape[0] = s->rows;
    pack_view_dense(in, c->scratch, 0, 0);
    return TOOL_OK;
}

/* With --dry-run, all columns that cannot be packed have their error lines. */
static int open_columns(pack_inputs *all, sheet *s)
{
    const uint64_t units = may_be_units(s) ? s->first_line : 0;
    int result = TOOL_OK;
    size_t i;

    for (i = 0; i < s->width && (result == TOOL_OK || s->opt->dry_run); i++) {
        column *const c = &s->columns[i];

        if ((c->role == COLUMN_VALUES || c->role == COLUMN_TIMES) && open_column(all, s, c, units) != TOOL_OK) {
            c->role = COLUMN_LEFT_OUT;
            result = TOOL_ERROR;
        }
    }
    return result;
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

/* The only column of times is the coordinate of the rows: it names the axis of every column. */
static int name_rows(pack_inputs *all, const sheet *s, size_t first)
{
    const column *times = NULL;
    size_t found = 0;
    size_t i;

    for (i = 0; i < s->width; i++) {
        if (s->columns[i].role == COLUMN_TIMES) {
            times = &s->columns[i];
            found++;
        }
        if (s->columns[i].role == COLUMN_LABELS) /* it names the axis */
            return TOOL_OK;
    }
    for (i = first; found == 1 && i < all->count; i++)
        if (pack_meta_next_axis(&all->input[i], times->name) != TOOL_OK)
            return TOOL_ERROR;
    return TOOL_OK;
}

/* The labels of the rows belong to every column. */
static int finish_columns(pack_inputs *all, const sheet *s, size_t first)
{
    size_t at = first;
    size_t i;

    for (i = 0; i < s->width; i++) {
        column *const c = &s->columns[i];

        if ((c->role == COLUMN_VALUES || c->role == COLUMN_TIMES) && column_finish(c, &all->input[at++]) != TOOL_OK)
            return TOOL_ERROR;
    }
    for (i = 0; i < s->width; i++) {
        const column *const c = &s->columns[i];

        for (at = first; c->role == COLUMN_LABELS && at < all->count; at++)
            if (column_put_labels(c, &all->input[at]) != TOOL_OK)
                return TOOL_ERROR;
    }
    return name_rows(all, s, first);
}

static int read_sheet(pack_inputs *all, sheet *s, const char *only)
{
    const size_t first = all->count;
    int left = 0;
    size_t i;

    if (sheet_start(s) != TOOL_OK || first_line(s) != TOOL_OK || choose(s, only) != TOOL_OK ||
        each_cell(s, look) != TOOL_OK || judge_names(s) != TOOL_OK)
        return TOOL_ERROR;
    if (s->comments > 0 && s->opt->comment == NULL)
        notice(s->path, NULL, "%" PRIu64 " line%s that begin%s with # %s skipped", s->comments,
               s->comments == 1 ? "" : "s", s->comments == 1 ? "s" : "", s->comments == 1 ? "is" : "are");
    if (s->repeats > 0)
        notice(s->path, NULL, "%" PRIu64 " line%s that repeat%s the names %s skipped", s->repeats,
               s->repeats == 1 ? "" : "s", s->repeats == 1 ? "s" : "", s->repeats == 1 ? "is" : "are");
    if (s->trailing)
        notice(s->path, NULL, "rows end with a separator; the empty field after it is left out");
    if (open_columns(all, s) != TOOL_OK)
        return TOOL_ERROR;
    for (i = 0; i < s->width; i++)
        left |= s->columns[i].scratch >= 0 && !s->columns[i].stored;
    if (left && each_cell(s, keep) != TOOL_OK)
        return TOOL_ERROR;
    return finish_columns(all, s, first);
}

int pack_csv_is_text(int fd)
{
    char head[4096];
    const ssize_t length = pread(fd, head, sizeof head, 0);
    ssize_t i;

    if (length >= 2 && (memcmp(head, "\xFF\xFE", 2) == 0 || memcmp(head, "\xFE\xFF", 2) == 0))
        return 1;
    for (i = 0; i < length; i++)
        if ((unsigned char)head[i] < ' ' && (head[i] == '\0' || strchr("\t\n\r\f\x1A", head[i]) == NULL))
            return 0;
    return length > 0;
}

static int sheet_begin(sheet *s, const char *path, int fd, const pack_options *opt)
{
    memset(s, 0, sizeof *s);
    s->path = path;
    s->opt = opt;
    s->file = text_open(dup(fd));
    return s->file != NULL ? TOOL_OK : fail(path, NULL, NO_OFFSET, "cannot open: %s", strerror(errno));
}

int pack_csv_refuse(const char *path, int fd, const pack_options *opt)
{
    char text[700] = "";
    sheet s;

    if (sheet_begin(&s, path, fd, opt) != TOOL_OK)
        return TOOL_ERROR;
    if (sheet_mark(&s) != TOOL_OK) {
        text_close(s.file);
        return TOOL_ERROR;
    }
    (void)sheet_guess(&s, text, sizeof text);
    text_close(s.file);
    return fail(
        path, NULL, NO_OFFSET,
        "a text without .csv or .tsv in its name (%s reads it as a table); for raw data give --dtype and --shape",
        text[0] != '\0' ? text : "--separator ,");
}

int pack_csv_open(pack_inputs *all, const char *path, int fd, const char *only, const pack_options *opt)
{
    sheet s;
    size_t i;
    int result;

    if (sheet_begin(&s, path, fd, opt) != TOOL_OK)
        return TOOL_ERROR;
    result = read_sheet(all, &s, only);
    text_close(s.file); /* of UTF-16, the scratch file */
    for (i = 0; i < s.width; i++)
        column_end(&s.columns[i]);
    free(s.columns);
    free(s.by_name);
    free(s.cell);
    free(s.number);
    free(s.names);
    return result;
}
