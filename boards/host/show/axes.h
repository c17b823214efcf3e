/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The texts around a picture of a dataset. */
#ifndef UTET_TOOL_AXES_H
#define UTET_TOOL_AXES_H

#include "shared/metadata.h"

/* Texts are harmless and truncated; NULL: the file has no such text, or there is not enough memory. */
typedef struct axis {
    char *name;
    char *first; /* label or index of the first element shown */
    char *last;
} axis;

typedef struct axes {
    char *name; /* name of the dataset */
    char *units;
    axis rows; /* NULL: the picture does not have this axis */
    axis columns;
    size_t margin; /* terminal columns to the left of the picture */
} axes;

/* Returns the units of a dataset's elements from its metadata, which may be NULL; NULL: unknown. */
const tree *axes_units(const tree *about);
/* Returns the name of axis d from the dataset's metadata; NULL: it has none. */
const tree *axes_given(const tree *about, unsigned d);
/* Returns the name of axis d, or "axis d". `most`: maximum width of a harmless copy in columns; 0: the stored text. The
 * caller frees it. NULL: not enough memory. */
char *axes_name(const tree *about, unsigned d, size_t most);
/* Returns the labels of axis d, one for each index; NULL: it has none. */
const tree *axes_labels(const tree *about, const utet_dataset *dataset, unsigned d);
/* Returns the label of an index of the axis, or the index as text; the caller frees it. NULL: not enough memory. */
char *axes_label(const tree *about, const utet_dataset *dataset, unsigned d, uint64_t place, size_t most);

/* Whole numbers with all digits, as long as doubles have them all. */
const char *axes_number(double value, char text[32]);
/* Of lines over axis `across`: its labels. End it after TOOL_OK. */
int axes_of_lines(axes *all, source *s, const options *opt, const selection *chosen, unsigned across);
/* The labels of axis d, one for each of `count` lines; the caller frees them. */
int axes_keys(source *s, const selection *chosen, unsigned d, char **keys, size_t count);
/* The name (null: none) and the ends of the vertical axis of lines; 0: not enough memory. */
int axes_heights(axes *all, const char *name, double low, double high, size_t terminal);

/* Reads the texts for a terminal with `terminal` columns. After TOOL_OK, free them with axes_end. */
int axes_make(axes *all, source *s, const options *opt, const selection *chosen, size_t terminal);
void axes_end(axes *all);
/* Returns the text to the left of line `line` of `lines`; NULL: none. */
void axes_margin(const axes *all, size_t line, size_t lines, FILE *out);
/* Returns the line below a picture of `width` columns: first label, name, last label. The caller frees it. NULL: there
 * is no text, or no room for it. */
char *axes_line(const axes *all, size_t width);
/* Prints the line below a picture of `width` columns in a terminal. */
void axes_below(const axes *all, size_t width, FILE *out);

#endif
