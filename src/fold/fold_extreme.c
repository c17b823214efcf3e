/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The least or greatest element, and where it is: integers in the order of the values are compared, not floats. */
#include "fold.h"

enum { GREATEST = 1, PLACE = 2 }; /* detail */

#define NAN_KEY UINT64_MAX

static size_t bytes(const fold_layout *layout)
{
    (void)layout;
    return sizeof(fold_extreme);
}

static uint64_t key_at(const fold_layout *layout, const uint8_t *at, unsigned detail)
{
    uint64_t bits = utet_fold_load(layout, at);
    uint64_t sign = (uint64_t)1 << (8u * layout->bytes - 1u);
    uint64_t key;

    if (fold_is_nan(layout, bits))
        return NAN_KEY;
    if (layout->kind == FOLD_FLOAT && bits == sign && (detail & PLACE) != 0)
        bits = 0;
    key = utet_fold_key(layout, bits);
    return (detail & GREATEST) != 0 ? (sign - 1 + sign) - key : key;
}

static void take(const fold_part *part)
{
    unsigned detail = part->fold->priv.operation->detail;
    size_t i;

    for (i = 0; i < part->count; i++) {
        fold_extreme *cell = (void *)(part->cell + i * part->cell_step);
        uint64_t key = key_at(part->layout, part->data + i * part->stride, detail);
        uint64_t place = part->place + i * part->place_step;

        if (cell->count == 0 || key < cell->key || (key == cell->key && place < cell->place)) {
            cell->key = key;
            cell->place = place;
        }
        cell->count++;
    }
}

static uint64_t finish_value(const utet_fold *fold, const fold_layout *layout, void *memory)
{
    const fold_extreme *cell = memory;
    uint64_t most = ((uint64_t)1 << (8u * layout->bytes - 1u)) * 2 - 1;

    if (cell->count == 0)
        return 0;
    if (layout->kind == FOLD_FLOAT && cell->key == NAN_KEY)
        return FOLD_DOUBLE_NAN;
    return utet_fold_promote(layout, (fold->priv.operation->detail & GREATEST) != 0 ? most - cell->key : cell->key);
}

static uint64_t finish_place(const utet_fold *fold, const fold_layout *layout, void *memory)
{
    const fold_extreme *cell = memory;

    (void)fold;
    (void)layout;
    return utet_fold_round(0, cell->place, 0, 0);
}

const utet_fold_operation utet_fold_min = {FOLD_ALL_DTYPES, 0, 0, bytes, NULL, take, finish_value};
const utet_fold_operation utet_fold_max = {FOLD_ALL_DTYPES, 0, GREATEST, bytes, NULL, take, finish_value};
const utet_fold_operation utet_fold_arg_min = {FOLD_ALL_DTYPES, 1, PLACE, bytes, NULL, take, finish_place};
const utet_fold_operation utet_fold_arg_max = {FOLD_ALL_DTYPES, 1, PLACE | GREATEST, bytes, NULL, take, finish_place};
