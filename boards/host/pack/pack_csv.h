/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Columns of a table in text: what their cells are (pack_column.c), words and times among them (pack_words.c,
 * pack_time.c), and where cells come from (pack_csv.c). */
#ifndef UTET_TOOL_PACK_CSV_H
#define UTET_TOOL_PACK_CSV_H

#include "shared/number.h"
#include "pack.h"
#include "pack_time.h"

/* A cell that decides something, for words about it; line 0: there is none. */
typedef struct cell_at {
    uint64_t line;
    char text[64];
} cell_at;

typedef struct word {
    char *text;
    size_t length;
} word;

enum { COLUMN_LEFT_OUT, COLUMN_VALUES, COLUMN_TIMES, COLUMN_LABELS };

typedef struct column {
    const char *path;
    size_t number; /* from 1 */
    char *name;
    char *units; /* or null */
    int role;
    uint64_t numbers;
    uint64_t texts;
    uint64_t absent; /* empty, a word of --missing, or nan */
    uint64_t usual;  /* texts such as NA; also among `texts`, until the column is one of numbers */
    /* facts about the numbers */
    int all_plain;      /* written in digits alone */
    int all_whole;      /* none has a fraction, none is infinite or NaN */
    int beyond;         /* a whole one has 2^64 or more */
    uint64_t most;      /* magnitudes of whole ones */
    uint64_t least;     /* … below 0 */
    cell_at inexact;    /* an integer that no double is */
    cell_at first_text; /* and so on: the first one of each */
    cell_at first_usual;
    cell_at first_number;
    cell_at first_absent;
    cell_at with_comma;   /* a number with a comma as its decimal sign, although nobody said so */
    cell_at with_point;   /* a number with a point */
    int commas_ambiguous; /* all such commas are before three digits, as signs of thousands are */
    cell_at split;        /* a text that an option makes a number of: */
    char advice[160];
    int surely_number; /* the text of `split` is hardly anything else */
    /* facts about the texts: codes in order of appearance, or labels */
    word *words;
    size_t word_count;
    size_t note_length; /* bytes of the attribute with the codes */
    /* times */
    int is_time; /* also labels may have to be times */
    int unit;
    const char *time_format;
    int before_gregorian;
    cell_at zoned;
    cell_at unzoned;
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
void column_remember(cell_at *at, uint64_t line, const char *cell);
/* One cell, when all are looked at; n null: it has no value; n->kind NUMBER_NONE: a text. */
int column_look(column *c, uint64_t line, const char *cell, const decimal *n);
/* Returns nonzero until the column has a text with advice. */
int column_wants_advice(const column *c);
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

/* ---- pack_words.c ---- */

/* Returns nonzero for the words that other programs write where there is no value: NA, null and others. */
int column_usual_missing(const char *cell);
/* One word of a column of words; they are remembered as long as their list fits an attribute. */
int column_look_at_word(column *c, uint64_t line, const char *cell);
/* The code of a word; word_count: it is new. */
size_t column_code(const column *c, const char *cell, size_t length);
/* Returns nonzero if the list of words is too long for an attribute. */
int column_too_many_words(const column *c);
/* The attribute with the codes. */
int column_put_note(const column *c, pack_input *in);
/* One label, kept in the order of rows. */
int column_look_at_label(column *c, uint64_t line, const char *cell, int absent);
/* The labels of the rows of a dataset; its axis has the name of the column. */
int column_put_labels(const column *c, pack_input *in);

/* ---- pack_column_time.c ---- */

/* One cell of a column of times. */
int column_look_at_time(column *c, uint64_t line, const char *cell, int absent);
int column_keep_time(const column *c, const char *cell, uint64_t *bits);
int column_finish_time(const column *c, pack_input *in);

#endif
