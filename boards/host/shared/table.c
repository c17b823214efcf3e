/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Tables whose columns are as wide as their widest cell among the first rows. Later rows are printed immediately, so
 * that a table of a million rows needs little memory. Long texts are truncated, because one name must not widen every
 * line; in a complete table they are truncated only at the end of the terminal. */
#define _POSIX_C_SOURCE 200809L
#include "tool.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HELD_ROWS 1000u
#define MOST_WIDTH 60u
#define LEAST_WIDTH 16u
#define MOST_OWN 400u /* maximum width of a cell with the tool's own text */

void table_begin(table *t, const char *alignment)
{
    size_t width = 0;
    size_t height = 0;

    memset(t, 0, sizeof *t);
    t->alignment = alignment;
    t->columns = (unsigned)strlen(alignment);
    t->most = MOST_WIDTH;
    if (isatty(STDOUT_FILENO)) {
        terminal_size(&width, &height);
        t->most = width / 3 < LEAST_WIDTH ? LEAST_WIDTH : width / 3 > MOST_WIDTH ? MOST_WIDTH : width / 3;
    }
}

void table_whole(table *t)
{
    size_t height;

    t->whole = 1;
    if (isatty(STDOUT_FILENO))
        terminal_size(&t->terminal, &height);
}

/* Returns nonzero if cell i is a text that may be truncated on a narrow terminal. */
static int may_cut(const table *t, size_t i)
{
    return t->terminal != 0 && (t->alignment[i % t->columns] == 'l' || (!t->printing && i < t->columns));
}

/* Narrows the columns so that lines fit the terminal, if truncating texts is enough for that: the widest texts first,
 * none below LEAST_WIDTH or below the numbers of its column. */
static void find_widths(table *t)
{
    size_t least[sizeof t->widths / sizeof t->widths[0]] = {0};
    size_t total = 2 * (size_t)(t->columns - 1);
    unsigned c;
    size_t i;

    for (i = 0; i < t->count; i++) {
        const size_t width = text_width(t->cells[i]);
        const size_t kept = may_cut(t, i) && width > LEAST_WIDTH ? LEAST_WIDTH : width;

        c = (unsigned)(i % t->columns);
        if (t->widths[c] < width)
            t->widths[c] = width;
        if (least[c] < kept)
            least[c] = kept;
    }
    for (c = 0; c < t->columns; c++)
        total += t->widths[c];
    while (total > t->terminal) {
        unsigned widest = t->columns;

        for (c = 0; c < t->columns; c++)
            if (t->widths[c] > least[c] && (widest == t->columns || t->widths[c] > t->widths[widest]))
                widest = c;
        if (widest == t->columns)
            break;
        t->widths[widest]--;
        total--;
    }
    t->spare = total < t->terminal ? t->terminal - total : 0;
}

/* Truncates cell i to the width of its column. */
static void cut_cell(table *t, size_t i)
{
    const size_t most = t->widths[i % t->columns] + t->spare;
    char *const cell = t->cells[i];

    if (text_width(cell) <= most)
        return;
    t->cells[i] = text_cut(cell, strlen(cell), most);
    if (t->cells[i] == NULL) {
        t->cells[i] = cell;
        return;
    }
    free(cell);
}

/* Prints one cell. *owed: number of blanks that are printed only if a cell follows them. */
static void put_padded(const char *text, size_t width, int right, size_t *owed)
{
    const size_t own = text_width(text);
    const size_t pad = width > own ? width - own : 0;

    if (right)
        *owed += pad;
    for (; *text != '\0' && *owed > 0; --*owed)
        putchar(' ');
    fputs(text, stdout);
    *owed += right ? 2 : pad + 2;
}

/* Whole rows. */
static void print_held(table *t)
{
    size_t owed = 0;
    size_t i;

    if (!t->printing)
        find_widths(t);
    for (i = 0; i < t->count; i++)
        if (may_cut(t, i))
            cut_cell(t, i);
    t->printing = 1;
    for (i = 0; i < t->count; i++) {
        const unsigned column = (unsigned)(i % t->columns);

        put_padded(t->cells[i], t->widths[column], t->alignment[column] == 'r', &owed);
        free(t->cells[i]);
        if (column + 1 == t->columns) {
            putchar('\n');
            owed = 0;
        }
    }
    t->count = 0;
}

static int make_room(table *t)
{
    char **cells;

    if (t->count % t->columns == 0 && t->count >= (t->printing ? 1 : HELD_ROWS * t->columns))
        print_held(t);
    if (t->count < t->size)
        return 1;
    cells = realloc(t->cells, (t->size * 2 + 64) * sizeof *cells);
    if (cells == NULL) {
        t->failed = 1;
        return 0;
    }
    t->cells = cells;
    t->size = t->size * 2 + 64;
    return 1;
}

static void add(table *t, const char *text, size_t length, size_t most)
{
    char *copy;

    if (t->failed || !make_room(t))
        return;
    if (t->whole)
        most = 4 * length + 1; /* a byte becomes at most "\x00" */
    copy = text_cut(text, length, most);
    if (copy == NULL)
        t->failed = 1;
    else
        t->cells[t->count++] = copy;
}

void table_text(table *t, const char *text, size_t length)
{
    add(t, text, length, t->most);
}

void table_cell(table *t, const char *text)
{
    add(t, text, strlen(text), MOST_OWN);
}

void table_number(table *t, uint64_t number)
{
    char digits[32];

    table_cell(t, grouped(digits, number));
}

int table_end(table *t)
{
    const int failed = t->failed;

    t->count -= t->count % t->columns; /* after a failure, only complete rows */
    print_held(t);
    free(t->cells);
    memset(t, 0, sizeof *t);
    return failed ? fail(NULL, NULL, NO_OFFSET, "not enough memory for the rest of this table") : TOOL_OK;
}
