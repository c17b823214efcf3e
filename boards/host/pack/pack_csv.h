/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Columns of a table in text: what their cells are (pack_column.c), and where cells come from (pack_csv.c). */
#ifndef UTET_TOOL_PACK_CSV_H
#define UTET_TOOL_PACK_CSV_H

#include "shared/number.h"
#include "pack.h"

/* A cell that decides something, for words about it; line 0: there is none. */
typedef struct cell_at {
    uint64_t line;
    char text[64];
} cell_at;

typedef struct word {
    char *text;
    size_t length;
} word;

typedef struct column {
    const char *path;
    size_t number; /* from 1 */
    char *name;
    char *units; /* or null */
    int wanted;
    uint64_t numbers;
    uint64_t texts;
    uint64_t absent; /* empty, a word of --missing, or nan */
    /* facts about the numbers */
    int all_plain;      /* written in digits alone */
    int all_whole;      /* none has a fraction, none is infinite or NaN */
    int beyond;         /* a whole one has 2^64 or more */
    uint64_t most;      /* magnitudes of whole ones */
    uint64_t least;     /* … below 0 */
    cell_at inexact;    /* an integer that no double is */
    cell_at first_text; /* and so on: the first one of each */
    cell_at first_number;
    cell_at first_absent;
    cell_at split; /* digits with signs between them */
    int joinable;  /* --thousands makes a number of it */
    /* facts about the texts: codes in order of appearance */
    word *words;
    size_t word_count;
    size_t note_length; /* bytes of the attribute with the codes */
    /* the dtype of the column */
    uint32_t dtype;
    int coded;
    int filled; /* absent cells are `fill` */
    uint64_t fill;
    uint64_t rounded;
    cell_at first_rounded;
    uint8_t *held;
    size_t count;
    int scratch;
} column;

#define COLUMN_ABSENT (-1) /* the code of an empty cell, as the reference writes it */

/* TOOL_ERROR after an error line for all of these. `line`: from 1. `number`: the cell as a decimal number, with a point
 * and without signs between digits. */
int column_fail(const column *c, const cell_at *at, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* One cell, when all are looked at; n null: it has no value; `joinable`: it would be a number with --thousands. */
int column_look(column *c, uint64_t line, const char *cell, const decimal *n, int joinable);
/* "1 2", "1.5 -2e3": numbers with blanks between them. */
int column_blanks(const char *cell);
/* Chooses the dtype after all cells. `first_line`: line of the data; `several`: other columns are also packed. */
int column_choose(column *c, const pack_options *opt, uint64_t first_line, int several);
/* One cell, when they are stored. */
int column_keep(column *c, uint64_t line, const char *cell, const char *number, int absent);
int column_flush(column *c);
/* Its attributes, and what has to be said. */
int column_finish(column *c, pack_input *in);
void column_end(column *c);

#endif
