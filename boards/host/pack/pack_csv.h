/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Columns of a table in text: the kinds of their cells (pack_column.c, pack_words.c, pack_time.c), and reading the
 * cells (pack_csv.c). */
#ifndef UTET_TOOL_PACK_CSV_H
#define UTET_TOOL_PACK_CSV_H

#include "shared/number.h"
#include "pack.h"
#include "pack_time.h"

/* A cell that messages quote; line 0: none. */
typedef struct cell_at {
    uint64_t line;
    char text[64];
} cell_at;

typedef struct word {
    char *text;
    size_t length;
    uint64_t first; /* the first eight bytes, as of text_eight; 0 where the text is shorter */
    uint64_t last;  /* the last eight bytes, or 0 if the text has at most eight */
} word;

enum { COLUMN_LEFT_OUT, COLUMN_VALUES, COLUMN_TIMES, COLUMN_LABELS };

/* The values that the first reading stores (pack_early.c): numbers, or codes of texts; LOST: the cells must be read
 * again. */
enum { EARLY_NONE, EARLY_NUMBERS, EARLY_WORDS, EARLY_LOST };

typedef struct early_values {
    int state;
    int doubles; /* 1: the values of the block are doubles */
    uint64_t *block;
    size_t count;
    size_t room;     /* 0 before the first value */
    uint8_t *dtypes; /* one for each block that was written */
    size_t blocks;
} early_values;

typedef struct column {
    const char *path;
    size_t number; /* from 1 */
    char *name;
    char *again; /* its new name where another column has this one, or null */
    char *units; /* or null */
    int role;
    int numbers; /* 1: there are some, or times */
    uint64_t texts;
    uint64_t absent; /* empty, a word of --missing, or nan */
    uint64_t usual;  /* number of texts such as NA; they also count as texts until the column has numbers */
    /* facts about the numbers */
    int all_plain;      /* numbers written only with digits */
    int all_whole;      /* 1: no number has a fraction, and none is infinite or NaN */
    int beyond;         /* 1: a whole number is 2^64 or more */
    uint64_t most;      /* magnitudes of whole numbers */
    uint64_t least;     /* … below 0 */
    cell_at inexact;    /* an integer that a double cannot represent */
    cell_at first_text; /* the first number of this kind */
    cell_at first_usual;
    cell_at first_number;
    cell_at first_absent;
    cell_at with_comma;   /* a number whose decimal sign is a comma, without --decimal */
    cell_at with_point;   /* a number with a point */
    int commas_ambiguous; /* 1: all these commas are before three digits, like thousands separators */
    cell_at split;        /* a text that becomes a number with an option */
    char advice[160];
    int surely_number; /* 1: the text in `split` is very likely a number */
    /* facts about the texts: codes in order of appearance, or labels */
    word *words;
    size_t word_count;
    uint8_t *slots;     /* a hash table of the words: codes and 1; 0: the slot is free */
    size_t note_length; /* size of the attribute with the codes, in bytes */
    /* times */
    int is_time; /* 1: the texts, even labels, must be times */
    int unit;
    const char *time_format;
    int before_gregorian;
    cell_at zoned;
    cell_at unzoned;
    /* the dtype of the column */
    uint32_t dtype;
    int coded;
    int filled; /* 1: empty cells become `fill` */
    uint64_t fill;
    uint64_t rounded;
    cell_at first_rounded;
    uint8_t *held;
    size_t count;
    int scratch;
    early_values early;
    int kept;   /* 1: the inputs close the scratch file */
    int stored; /* 1: the first reading has stored the values */
} column;

#define COLUMN_ABSENT (-1) /* the code of an empty cell, as in the reference */

/* TOOL_ERROR after an error line for all of these. `line`: from 1. `number`: the cell as a decimal number, with a point
 * and without signs between digits. */
int column_fail(const column *c, const cell_at *at, const char *format, ...) __attribute__((format(printf, 3, 4)));
void column_remember(cell_at *at, uint64_t line, const char *cell);
/* Adds the facts about one cell. n NULL: the cell has no value; n->kind NUMBER_NONE: the cell is a text. */
int column_look(column *c, uint64_t line, const char *cell, const decimal *n);
/* A whole number may be the largest one of the column, or the smallest. */
static inline void column_range(column *c, uint64_t magnitude, int negative)
{
    uint64_t *const farthest = negative ? &c->least : &c->most;

    if (magnitude > *farthest)
        *farthest = magnitude;
}

/* Returns nonzero while the column has no text with advice. */
int column_wants_advice(const column *c);
/* Returns nonzero if the text is several numbers with blanks between them, such as "1.5 -2e3". */
int column_blanks(const char *cell);
/* Chooses the dtype after all cells were added. `first_line`: first line of the data; `several`: other columns are also
 * packed. */
int column_choose(column *c, const pack_options *opt, uint64_t first_line, int several);
/* Stores one cell. */
int column_keep(column *c, uint64_t line, const char *cell, const char *number, int absent);
int column_flush(column *c);
/* Returns the narrowest dtype of integers up to `most` and down to -`least`; 0: there is none. */
uint32_t column_narrowest(uint64_t most, uint64_t least);
/* Writes the attributes of the column, and prints its notices. */
int column_finish(column *c, pack_input *in);
void column_end(column *c);

/* ---- pack_words.c ---- */

/* Returns nonzero for words that other programs write for a missing value: NA, null and others. */
int column_usual_missing(const char *cell);
/* Adds one word of a column. Words are stored while their list fits into an attribute. */
int column_look_at_word(column *c, uint64_t line, const char *cell);
/* Returns the code of a word; word_count if the word is new. */
size_t column_code(const column *c, const char *cell, size_t length);
/* Returns nonzero if a text that the column has had before needs nothing but column_add_word. */
static inline int column_may_repeat(const column *c)
{
    return c->early.state == EARLY_WORDS && c->usual == 0 && c->split.line == 0;
}

/* Returns the code of the word at `text`, in the buffer of a text_file, which ends before the separator, a quotation
 * mark or a control character; *length: its length. Returns word_count if the column does not have this word. */
size_t column_word_at(const column *c, const unsigned char *text, char separator, size_t *length);
/* Adds a word that the column has had before. */
int column_add_word(column *c, size_t code);
/* Returns nonzero if the list of words is too long for an attribute. */
int column_too_many_words(const column *c);
/* Writes the attribute with the codes. */
int column_put_note(const column *c, pack_input *in);
/* Adds one label; labels are in the order of rows. */
int column_look_at_label(column *c, uint64_t line, const char *cell, int absent);
/* Writes the labels of the rows of a dataset, and names its axis after the column. */
int column_put_labels(const column *c, pack_input *in);

/* ---- pack_early.c ---- */

/* Stores a value at the first reading, as a double or not. Returns 0 if the block has no room, or other values. */
static inline int early_next(column *c, uint64_t bits, int is_double)
{
    early_values *const e = &c->early;

    if (e->state == EARLY_LOST || e->doubles != is_double || e->count == e->room)
        return 0;
    e->block[e->count++] = bits;
    return 1;
}

/* Each stores one value at the first reading, whatever the block has. */
int early_integer(column *c, uint64_t magnitude, int negative);
int early_double(column *c, double value);
int early_absent(column *c);
int early_word(column *c, size_t code);
/* After the dtype was chosen: makes c->scratch the file of the values, and sets c->stored if it has them already. */
int early_finish(column *c, uint64_t rows);
void early_end(column *c);

/* ---- pack_column_time.c ---- */

/* Adds one cell of a column of times. */
int column_look_at_time(column *c, uint64_t line, const char *cell, int absent);
/* Returns the length of the time in ISO 8601 that the text begins with; *count: its whole units. `end`: as of
 * time_take. Returns 0 if there is none, or if column_look_at_time must look at it. */
size_t column_time_at(const column *c, const char *text, char end, int64_t *count);
int column_keep_time(const column *c, const char *cell, uint64_t *bits);
int column_finish_time(const column *c, pack_input *in);

#endif
