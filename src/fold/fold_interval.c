/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Finds the elements whose double is in a given range: promotion keeps the order, so a binary search finds the ends. */
#include "fold.h"

/* The smallest key whose double is `from` or more in utet_fold_order; there is one, because NaN has the largest key. */
static uint64_t first_key(const fold_layout *layout, uint64_t from)
{
    uint64_t low = 0;
    uint64_t high = fold_most(layout);

    while (low < high) {
        uint64_t middle = low + (high - low) / 2;

        if (utet_fold_order(utet_fold_promote(layout, middle)) < from)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void utet_fold_interval(const fold_layout *layout, uint64_t from, uint64_t to, uint64_t *first, uint64_t *last)
{
    uint64_t behind;

    *first = 1;
    *last = 0;
    if (from > to)
        return;
    from = first_key(layout, from);
    behind = first_key(layout, to + 1);
    if (from < behind) {
        *first = from;
        *last = behind - 1;
    }
}
