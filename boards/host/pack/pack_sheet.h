/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The state of reading a table in text: its beginning (pack_csv_start.c), its cells (pack_cell.c, pack_quick.c), its
 * columns (pack_csv.c). */
#ifndef UTET_TOOL_PACK_SHEET_H
#define UTET_TOOL_PACK_SHEET_H

#include "pack_csv.h"
#include "pack_text.h"

typedef struct sheet {
    const char *path;
    const pack_options *opt;
    text_file *file;
    char separator;      /* separator of cells; a blank means any number of blanks and tabs */
    char sep;            /* separator that a first line "sep=;" names, or 0 */
    off_t text;          /* offset of the text, after a byte order mark */
    off_t start;         /* offset of the table */
    uint64_t start_line; /* number of lines before the table */
    int marked;          /* 1: the first line begins like a comment, such as the names of np.savetxt */
    uint64_t comments;   /* number of skipped lines */
    uint64_t line;       /* start of the next cell */
    uint64_t began;      /* start of the last cell */
    uint64_t first_line; /* line of the data, from 1 */
    char *cell;
    size_t length;
    size_t size;
    int plain;    /* 1: digits in a cell are a number; no option changes it */
    int quoted;   /* 1: the cell was in quotation marks */
    int zeros;    /* 1: the cell has a zero byte */
    char *number; /* the cell in the form of a decimal number */
    size_t number_size;
    column *columns;
    column **by_name; /* sorted */
    size_t width;
    size_t wanted;  /* columns that become datasets */
    size_t numbers; /* number of columns whose name is a number */
    int headed;
    uint64_t rows;
    int short_names;  /* the rows have one cell more than there are names */
    int trailing;     /* rows end with a separator more than the names do */
    int annotated;    /* by InfluxDB: lines that begin with # are comments, also between rows */
    char *names;      /* the text of the first line, or null */
    uint64_t repeats; /* rows that are the same as the first line */
} sheet;

/* ---- pack_cell.c ---- */

/* A carriage return ends a line, alone or before a line feed. */
int sheet_byte(text_file *file);
/* Reads the next cell without the blanks around it; *end: the separator, '\n' or EOF after it. */
int sheet_cell(sheet *s, int *end);
/* Returns the begin of the next cell after one that has all bytes of the buffer before `at`. Returns null if neither a
 * separator nor the end of a line is there. *end: as of sheet_cell. */
static inline const unsigned char *sheet_after(const unsigned char *at, char separator, int *end)
{
    *end = *at;
    if (*at == (unsigned char)separator || *at == '\n')
        return at + 1;
    if (*at != '\r' || at[1] == '\0') /* the buffer ends, or a zero byte is next */
        return NULL;
    *end = '\n';
    return at + 1 + (at[1] == '\n');
}

/* The cell with a decimal point, after the texts of --strip and the sign of thousands were removed. `sign` 0: there is
 * no such sign; `point` 0: the decimal sign is found out. Null: not enough memory. */
const char *sheet_number(sheet *s, char sign, char point);
/* Returns nonzero if the cell has no value: it is empty, or a word of --missing. */
int sheet_absent(const sheet *s);
/* Sets *number to nonzero if the cell is a number. */
int sheet_is_number(sheet *s, int *number);
/* Writes advice that makes the cell a number, such as "--thousands , reads 1234", or an empty text. Returns nonzero if
 * the cell is very likely a number: it has only digits and the signs of numbers and currencies. */
int sheet_advice(sheet *s, char *advice, size_t size);
/* After the end of the text: TOOL_ERROR and an error line if a read has failed. */
int sheet_ended(const sheet *s);
/* Prints an error line about the cell. */
int sheet_cannot(const sheet *s, size_t at, const char *words);

/* ---- pack_quick.c ---- */

/* Looks at cells of a line from column *at on, while they need no text of their own and the buffer has all of them.
 * *at: the column after them. *end: the end of the last of them, as of sheet_cell. */
int sheet_look_quickly(sheet *s, size_t *at, int *end);

/* ---- pack_csv_start.c ---- */

/* Finds the separator and where the table begins; a file in UTF-16 is read through a scratch file in UTF-8. */
int sheet_start(sheet *s);
/* Passes over a byte order mark. */
int sheet_mark(sheet *s);
/* Skips the rest of a line; returns '\n' or EOF. */
int sheet_skip_line(sheet *s);
/* Keeps the first line, for sheet_pass. */
int sheet_keep_names(sheet *s);
static inline const char *sheet_comment(const sheet *s)
{
    return s->opt->comment != NULL ? s->opt->comment : "#";
}

/* Returns nonzero if sheet_pass may skip the next line: its first byte says so, or is not in the buffer. */
static inline int sheet_may_pass(const sheet *s)
{
    const int first = text_ahead(s->file);

    return first == '\0' || first == (unsigned char)*sheet_comment(s) ||
           (s->names != NULL && first == (unsigned char)*s->names);
}

/* Returns nonzero after a comment was skipped, or a line that is the same as the first one; *end: what ended it. */
int sheet_pass(sheet *s, int *end);
/* Cells of the line at an offset; *numbers: one of them is a number. The last one remains in s->cell. */
int sheet_count(sheet *s, off_t offset, size_t *count, int *numbers);

/* ---- pack_csv_guess.c ---- */

/* Options that read a table from the text, unless the sheet has them; or an empty text.
 * Returns 0 if it is not a text. */
int sheet_guess(sheet *s, char *text, size_t size);

#endif
