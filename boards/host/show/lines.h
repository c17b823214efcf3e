/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Lines of values over the same axis. */
#ifndef UTET_TOOL_LINES_H
#define UTET_TOOL_LINES_H

#include "plot.h"

#define MOST_LINES PLOT_COLOURS

/* Neighbouring finite elements of a line: their extremes, the first and the last one. */
typedef struct line_part {
    double low; /* low > high: there is none */
    double high;
    double first;
    double last;
} line_part;

typedef struct lines {
    line_part *parts; /* line after line */
    size_t count;     /* lines */
    size_t places;    /* parts of each line */
    uint64_t length;  /* elements of each */
    double low;       /* the extremes of all lines */
    double high;
} lines;

int lines_begin(lines *l, const char *path, size_t count, uint64_t length);
/* Reads the values of `count` lines from line `first` on. together: elements of a line follow each other; otherwise
 * those of all lines at one index do. */
int lines_read(lines *l, size_t first, size_t count, int together, const show_what *what);
/* The ends of the vertical axis into the axes, which may be null. */
int lines_finish(lines *l, const char *path, axes *around, size_t terminal);
void lines_draw(const void *ctx, picture *to);
void lines_end(lines *l);

/* Returns nonzero if a selection is drawn as lines: it has one axis longer than 1, or --lines is given. */
int lines_wanted(const options *opt, const picture *p);
/* How a selection of p->rows and p->columns becomes lines along the longer axis; refuses too many. */
typedef struct line_plan {
    size_t count;
    uint64_t length;
    int together; /* elements of a line follow each other */
} line_plan;
int lines_plan(const source *s, const picture *p, line_plan *plan);
/* Draws one selection. keys: the text of each line; around may be null. */
int lines_show(const source *s, const options *opt, const show_what *what, const line_plan *plan, axes *around,
               char *const *keys);
/* Draws lines that have been read. */
int lines_plot(const source *s, const options *opt, lines *l, const show_what *what, axes *around, char *const *keys);

#endif
