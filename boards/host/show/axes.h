/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The texts around a picture of a dataset. */
#ifndef UTET_TOOL_AXES_H
#define UTET_TOOL_AXES_H

#include "shared/metadata.h"

/* Texts are harmless and cut; null where there is nothing, or no memory. */
typedef struct axis {
    char *name;
    char *first; /* label, or index, of the first element shown */
    char *last;
} axis;

typedef struct axes {
    char *name; /* name of the dataset */
    char *units;
    axis rows; /* a null name: the picture has no such axis */
    axis columns;
    size_t margin; /* columns of the terminal to the left of the picture */
} axes;

/* Of a dataset's metadata, which may be null. The units of its elements; null: none are known. */
const tree *axes_units(const tree *about);
/* `most`: columns of a text that is harmless and cut; 0: the text as it is stored.
 * The name of axis d, or "axis d"; the caller frees it. NULL: not enough memory. */
char *axes_name(const tree *about, unsigned d, size_t most);
/* The labels of axis d, one for each index; null: it has none. */
const tree *axes_labels(const tree *about, const utet_dataset *dataset, unsigned d);
/* Returns the label of an index of the axis, or the index as text; the caller frees it. NULL: not enough memory. */
char *axes_label(const tree *about, const utet_dataset *dataset, unsigned d, uint64_t place, size_t most);

/* For a terminal with `terminal` columns. End it after TOOL_OK. */
int axes_make(axes *all, source *s, const selection *chosen, size_t terminal);
void axes_end(axes *all);
/* In front of line `line` of `lines`; null: nothing. */
void axes_margin(const axes *all, size_t line, size_t lines, FILE *out);
/* The line below a picture of `width` columns: first label, name, last label; the caller frees it. NULL: nothing, or
 * no room. */
char *axes_line(const axes *all, size_t width);
/* The line below a picture of `width` columns in a terminal. */
void axes_below(const axes *all, size_t width, FILE *out);

#endif
