/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The axes of an answer: their names, and the labels of its results. */
#ifndef UTET_TOOL_QUERY_PLACES_H
#define UTET_TOOL_QUERY_PLACES_H

#define MOST_LABEL 65536u /* maximum width of a name or label in a table, in columns */

#include "query.h"
#include "show/axes.h"

/* The axes of the results. */
typedef struct places {
    answer *a;
    metadata m;
    char *name;                   /* the name of the dataset */
    const tree *about;            /* the dataset's metadata; NULL: it has none */
    unsigned axis[UTET_MAX_NDIM]; /* dataset axis for each axis of the results */
    struct {
        uint64_t group;
        uint64_t place;   /* the first selected index of the group */
    } met[UTET_MAX_NDIM]; /* the last group found, for each axis of the dataset */
    size_t most;          /* maximum width of a harmless copy of names and labels, in columns; 0: the stored text */
} places;

/* Reads the metadata of the file for an open answer. Free them even after an error. */
int places_begin(places *p, answer *a, size_t most);
void places_end(places *p);
/* Returns the name of axis i of the results, which the caller frees; NULL: not enough memory. */
char *places_name(const places *p, unsigned i);
/* Returns the label of index k on axis i of the results, which the caller frees; NULL: not enough memory. */
char *places_label(places *p, unsigned i, uint64_t k);

/* Returns the label of a selected index of the dataset's axis d. */
char *places_at(const places *p, unsigned d, uint64_t place);

#endif
