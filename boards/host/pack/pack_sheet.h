/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* A table in text while it is read: its beginning (pack_csv_start.c), its cells (pack_cell.c), its columns
 * (pack_csv.c). */
#ifndef UTET_TOOL_PACK_SHEET_H
#define UTET_TOOL_PACK_SHEET_H

#include "pack_csv.h"

typedef struct sheet {
    const char *path;
    const pack_options *opt;
    FILE *file;
    char separator;      /* of cells: a sign, or a blank: any number of blanks and tabs */
    off_t start;         /* offset of the table */
    uint64_t start_line; /* number of lines before it */
    int marked;          /* its first line begins as comments do, such as the names of np.savetxt */
    uint64_t comments;   /* lines that were skipped */
    uint64_t line;       /* where the next cell begins */
    uint64_t began;      /* where the last one did */
    uint64_t first_line; /* line of the data, from 1 */
    char *cell;
    size_t length;
    size_t size;
    int quoted;   /* the cell was in quotation marks */
    char *number; /* the cell as a number is read */
    size_t number_size;
    column *columns;
    column **by_name; /* sorted */
    size_t width;
    size_t wanted;  /* columns that become datasets */
    size_t numbers; /* columns whose name is a number */
    int headed;
    uint64_t rows;
} sheet;

/* ---- pack_cell.c ---- */

/* A carriage return ends a line, alone or before a line feed. */
int sheet_byte(FILE *file);
/* The next cell; *end: the separator, '\n' or EOF after it. Blanks around it do not count. */
int sheet_cell(sheet *s, int *end);
/* The cell with a decimal point, after the texts of --strip and the sign of thousands were removed. `sign` 0: there is
 * no such sign; `point` 0: the decimal sign is found out. Null: not enough memory. */
const char *sheet_number(sheet *s, char sign, char point);
/* Returns nonzero if the cell says that there is no value: an empty one, or a word of --missing. */
int sheet_absent(const sheet *s);
/* Sets *number to nonzero if the cell is one. */
int sheet_is_number(sheet *s, int *number);
/* What would make a number of the cell: "--thousands , reads 1234", or an empty text. Returns nonzero if the cell is
 * hardly anything but a number: digits and the signs of numbers and currencies. */
int sheet_advice(sheet *s, char *advice, size_t size);
/* An error line about the cell. */
int sheet_cannot(const sheet *s, size_t at, const char *words);

/* ---- pack_csv_start.c ---- */

/* Finds the separator and where the table begins; a file in UTF-16 is read through a scratch file in UTF-8. */
int sheet_start(sheet *s);
/* The rest of a line; returns '\n' or EOF. */
int sheet_skip_line(sheet *s);
/* Returns nonzero after a comment was skipped; *end: what ended it. */
int sheet_comment(sheet *s, int *end);

#endif
