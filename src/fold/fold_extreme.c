/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The smallest or largest element and its index: integers in the order of the values are compared, not floats. */
#include "fold.h"

#define NAN_KEY UINT64_MAX

UTET_APART static uint64_t key_at(const fold_layout *layout, const uint8_t *at, unsigned detail)
{
    uint64_t bits = utet_fold_load(layout, at);
    uint64_t most = fold_most(layout);
    uint64_t key;

    if (fold_is_nan(layout, bits))
        return NAN_KEY;
    if (layout->kind == FOLD_FLOAT && bits == most / 2 + 1 && (detail & FOLD_INDEX) != 0)
        bits = 0;
    key = utet_fold_key(layout, bits);
    return (detail & FOLD_GREATEST) != 0 ? most - key : key;
}

/* Finds the arc of all elements that replace the cell's: those with a smaller key or, if `equal`, with the same one.
 * It may also have NaN. 0: there are none. */
UTET_APART static int extreme_better(const fold_layout *layout, unsigned detail, const fold_extreme *cell,
                                     unsigned equal, utet_fold_arc *arc)
{
    uint64_t most = fold_most(layout);
    uint64_t sign = most / 2 + 1;
    uint64_t from = layout->kind == FOLD_UNSIGNED ? 0 : sign;
    unsigned up = detail & FOLD_GREATEST;
    uint64_t bits = utet_fold_unkey(layout, up != 0 ? most - cell->key : cell->key);

    arc->from = 0;
    arc->more = most;
    if (layout->kind == FOLD_FLOAT) {
        if (cell->key == NAN_KEY)
            return 1;
        if (bits == 0 && (detail & FOLD_INDEX) != 0 && up == equal)
            bits = sign; /* which of both zeros is further, when they are equal, or nearer */
        if ((bits & sign) != 0) {
            up ^= 1;
            from = 0;
        }
    }
    if (up != 0) {
        arc->from = bits + 1 - equal;
        arc->more = (from - arc->from - 1) & most;
        return equal != 0 || ((bits + 1 - from) & most) != 0;
    }
    arc->from = from;
    arc->more = (bits - from - 1 + equal) & most;
    return equal != 0 || bits != from;
}

/* Compares element i of the part with that of the cell. */
static void extreme_compare(const fold_part *part, size_t i, unsigned detail, fold_extreme *cell)
{
    const uint64_t key = key_at(part->layout, part->data + i * part->stride, detail);
    const uint64_t place = part->place + i * part->place_step;

    if (cell->any == 0 || key < cell->key || (key == cell->key && place < cell->place)) {
        cell->key = key;
        cell->place = place;
    }
    cell->any = 1;
}

/* Elements of the part, all into this cell. A search pays for two of them. */
static void extreme_take_all(const fold_part *part, unsigned detail, fold_extreme *cell)
{
    size_t i;

    for (i = 0; i < part->count; i++) {
        if (cell->any != 0 && part->count > 1) {
            unsigned equal = (detail & FOLD_INDEX) != 0 && part->place + i * part->place_step < cell->place;
            utet_fold_arc arc;

            if (!extreme_better(part->layout, detail, cell, equal, &arc))
                return;
            i += utet_fold_scan(part->layout, part->data + i * part->stride, part->count - i, part->stride, &arc);
            if (i == part->count)
                return;
        }
        extreme_compare(part, i, detail, cell);
    }
}

static void extreme_take(const fold_part *part)
{
    const unsigned detail = part->fold->priv.operation->detail;
    size_t i;

    if (part->cell_step == 0) {
        extreme_take_all(part, detail, (void *)part->cell);
        return;
    }
    for (i = 0; i < part->count; i++) {
        if (part->layout->kind == FOLD_FLOAT && part->layout->bytes == 4)
            i = utet_fold_first_better(part, i, detail);
        if (i == part->count)
            return;
        extreme_compare(part, i, detail, (void *)(part->cell + i * part->cell_step));
    }
}

static uint64_t finish_value(const utet_fold *fold, const fold_layout *layout, void *memory)
{
    const fold_extreme *cell = memory;
    uint64_t most = fold_most(layout);

    if (cell->any == 0)
        return 0;
    if (layout->kind == FOLD_FLOAT && cell->key == NAN_KEY)
        return FOLD_DOUBLE_NAN;
    if ((fold->priv.operation->detail & FOLD_GREATEST) != 0)
        return utet_fold_promote(layout, most - cell->key);
    return utet_fold_promote(layout, cell->key);
}

static uint64_t finish_place(const utet_fold *fold, const fold_layout *layout, void *memory)
{
    const fold_extreme *cell = memory;

    (void)fold;
    (void)layout;
    return utet_fold_round(0, cell->place, 0, 0);
}

#define EXTREME(places, detail, finish)                                                      \
    {                                                                                        \
        FOLD_ALL_DTYPES | (places), sizeof(fold_extreme), detail, NULL, extreme_take, finish \
    }

const utet_fold_operation utet_fold_min = EXTREME(0, 0, finish_value);
const utet_fold_operation utet_fold_max = EXTREME(0, FOLD_GREATEST, finish_value);
const utet_fold_operation utet_fold_arg_min = EXTREME(FOLD_PLACES, FOLD_INDEX, finish_place);
const utet_fold_operation utet_fold_arg_max = EXTREME(FOLD_PLACES, FOLD_INDEX | FOLD_GREATEST, finish_place);
