/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Edit distance between short names; case counts half. */
#include "near.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define MOST 63u

void near_begin(near_name *n, const char *wanted, size_t length)
{
    memset(n, 0, sizeof *n);
    n->wanted = wanted;
    n->length = length;
    n->distance = 2 * (length / 3 + 1) + 1; /* maximum distance of a similar name, in half edits */
}

/* Returns the edit distance of two names, in half edits. */
static size_t distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    size_t row[MOST + 1];
    size_t i;
    size_t k;

    for (k = 0; k <= b_length; k++)
        row[k] = 2 * k;
    for (i = 1; i <= a_length; i++) {
        size_t corner = row[0];

        row[0] = 2 * i;
        for (k = 1; k <= b_length; k++) {
            const size_t above = row[k];
            const int same = tolower((unsigned char)a[i - 1]) == tolower((unsigned char)b[k - 1]);
            size_t best = corner + (a[i - 1] == b[k - 1] ? 0u : same ? 1u : 2u);

            best = above + 2 < best ? above + 2 : best;
            best = row[k - 1] + 2 < best ? row[k - 1] + 2 : best;
            row[k] = best;
            corner = above;
        }
    }
    return row[b_length];
}

void near_add(near_name *n, const char *name, size_t length)
{
    size_t d;

    if (length == 0 || length > MOST || n->length > MOST)
        return;
    d = distance(n->wanted, n->length, name, length);
    if (length > n->length && n->length >= 2 && memcmp(name, n->wanted, n->length) == 0)
        d = 1; /* `name` begins with the mistyped name */
    if (d < n->distance) {
        n->distance = d;
        memcpy(n->best, name, length);
        n->best[length] = '\0';
    }
}

const char *near_words(const near_name *n, char *buffer)
{
    buffer[0] = '\0';
    if (n->best[0] != '\0')
        (void)sprintf(buffer, " (did you mean \"%s\"?)", n->best);
    return buffer;
}
