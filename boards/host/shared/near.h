/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* "did you mean": finds the existing name that is most similar to a mistyped one. */
#ifndef UTET_TOOL_NEAR_H
#define UTET_TOOL_NEAR_H

#include <stddef.h>

typedef struct near_name {
    const char *wanted;
    size_t length;
    size_t distance; /* distance of the best name so far */
    char best[64];   /* the best name; empty: none is similar */
} near_name;

void near_begin(near_name *n, const char *wanted, size_t length);
void near_add(near_name *n, const char *name, size_t length);
/* Writes " (did you mean \"x\"?)", or nothing, into a buffer of at least 96 bytes. */
const char *near_words(const near_name *n, char *buffer);

#endif
