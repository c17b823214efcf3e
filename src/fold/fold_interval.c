/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Finds the elements whose double is in a given range: promotion keeps the order, so a binary search finds the ends. */
#include "fold.h"

/* The smallest key whose double is `from` or more in utet_fold_order; 0: there is none. */
static int first_key(const fold_layout *layout, uint64_t from, uint64_t *key)
{
    uint64_t low = 0;
    uint64_t high = fold_most(layout);

    if (utet_fold_order(utet_fold_promote(layout, high)) < from)
        return 0;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;

        if (utet_fold_order(utet_fold_promote(layout, middle)) < from)
            low = middle + 1;
        else
            high = middle;
    }
    *key = low;
    return 1;
}

void utet_fold_interval(const fold_layout *layout, uint64_t from, uint64_t to, uint64_t *first, uint64_t *last)
{
    uint64_t behind;

    *last = fold_most(layout);
    if (from <= to && first_key(layout, from, first)) {
        if (!first_key(layout, to + 1, &behind))
            return;
        if (behind > *first) {
            *last = behind - 1;
            return;
        }
    }
    *first = 1;
    *last = 0;
}
