/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The addition of two cells, before anything is rounded: sums are exact and extremes keep their indices, so it does not
 * matter which elements are in which of them. */
#include "fold.h"

static void add_extreme(fold_extreme *into, const fold_extreme *from)
{
    if (from->any == 0)
        return;
    if (into->any == 0 || from->key < into->key || (from->key == into->key && from->place < into->place)) {
        into->key = from->key;
        into->place = from->place;
    }
    into->any = 1;
}

/* Returns the size of the cell, in bytes. */
static size_t add_sums(const fold_layout *layout, unsigned detail, fold_cell *into, fold_cell *from)
{
    uint32_t *to = fold_words(into);
    const uint32_t *words = fold_words(from);

    if ((into->waiting | from->waiting) != 0) {
        utet_fold_cell_settle(layout, into);
        utet_fold_cell_settle(layout, from);
    }
    into->count += from->count;
    into->seen |= from->seen;
    if ((detail & FOLD_SQUARES) != 0) {
        utet_fold_wide_join(to, words, layout->square_words);
        to += layout->square_words;
        words += layout->square_words;
    }
    if ((detail & FOLD_SUMS) != 0) {
        utet_fold_wide_join(to, words, layout->sum_words);
        to += layout->sum_words;
    }
    return (size_t)((uint8_t *)to - (uint8_t *)into);
}

static void add_counts(uint64_t *into, const uint64_t *from, size_t bytes)
{
    for (; bytes != 0; bytes -= sizeof *into)
        *into++ += *from++;
}

void utet_fold_add_cell(const utet_fold *fold, uint8_t *into, uint8_t *from)
{
    const utet_fold_operation *operation = fold->priv.operation;
    const utet_fold_operation *const *list = fold->priv.own.list.operations; /* NULL: only this one */

    do {
        size_t bytes;

        if (list != NULL)
            operation = *list++;
        bytes = operation->bytes;
        if ((operation->detail & (FOLD_SUMS | FOLD_SQUARES)) != 0)
            bytes = add_sums(fold->priv.layout, operation->detail, (void *)into, (void *)from);
        else if (bytes == sizeof(fold_extreme))
            add_extreme((void *)into, (void *)from);
        else
            add_counts((void *)into, (void *)from, bytes);
        into += bytes;
        from += bytes;
    } while (list != NULL && *list != NULL);
    if (fold->priv.extra_bytes != 0)
        add_counts((void *)into, (void *)from, sizeof(uint64_t));
}
