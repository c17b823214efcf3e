/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The axes of an answer: their names, and the labels of its results. */
#ifndef UTET_TOOL_QUERY_PLACES_H
#define UTET_TOOL_QUERY_PLACES_H

#define MOST_LABEL 65536u /* columns of a name or label in a table */

#include "query.h"
#include "show/axes.h"

/* The axes of the results. */
typedef struct places {
    answer *a;
    metadata m;
    char *name;                   /* the name of the dataset */
    const tree *about;            /* the dataset's metadata; null: it has none */
    unsigned axis[UTET_MAX_NDIM]; /* dataset axis for each axis of the results */
    struct {
        uint64_t group;
        uint64_t place;   /* its first one in the selection */
    } met[UTET_MAX_NDIM]; /* the group that was asked for last, for each axis of the dataset */
    size_t most;          /* columns of a name or label, which is harmless then; 0: as it is stored */
} places;

/* Reads the metadata of the file, for an answer that is open; end it in every case. */
int places_begin(places *p, answer *a, size_t most);
void places_end(places *p);
/* The name of axis i of the results, which the caller frees; NULL: not enough memory. */
char *places_name(const places *p, unsigned i);
/* The label at index k of axis i of the results, which the caller frees; NULL: not enough memory. */
char *places_label(places *p, unsigned i, uint64_t k);

/* The same of a selected index of axis d of the dataset. */
char *places_at(const places *p, unsigned d, uint64_t place);

#endif
