/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* How many elements are of a kind: all, NaN, infinite, null; and whether there are any. */
#include "fold.h"

enum { OF_NAN = FOLD_NAN, OF_INF = FOLD_INF, TALLY_NONE = 16, SOME = 32 }; /* detail */

/* Counts all elements. */
static void take_count(const fold_part *part)
{
    size_t i;

    if (part->cell_step == 0)
        *(uint64_t *)(void *)part->cell += part->count;
    else
        for (i = 0; i < part->count; i++)
            ++*(uint64_t *)(void *)(part->cell + i * part->cell_step);
}

static void tally_take(const fold_part *part)
{
    const fold_layout *layout = part->layout;
    unsigned detail = part->fold->priv.operation->detail;
    uint64_t sign = fold_most(layout) / 2 + 1;
    uint64_t inf = (sign - 1) >> layout->fraction << layout->fraction;
    size_t i;

    if (layout->kind != FOLD_FLOAT)
        return;
    for (i = 0; i < part->count; i++) {
        uint64_t *tally = (void *)(part->cell + i * part->cell_step);
        uint64_t bits = utet_fold_load(layout, part->data + i * part->stride) & (sign - 1);

        *tally += bits >= inf && (detail & (bits > inf ? OF_NAN : OF_INF)) != 0;
    }
}

/* NaN is null only where the fill is NaN. Integers are compared as they are stored. */
static void take_null(const fold_part *part)
{
    const utet_fold *fold = part->fold;
    const uint64_t counted = fold->priv.own.list.counted;
    const int is_float = part->layout->kind == FOLD_FLOAT;
    const int nan = is_float && (counted & ~FOLD_DOUBLE_SIGN) > FOLD_DOUBLE_INF;
    size_t i;

    for (i = 0; i < part->count; i++) {
        uint64_t *tally = (void *)(part->cell + i * part->cell_step);
        uint64_t bits = utet_fold_load(part->layout, part->data + i * part->stride);

        if (is_float)
            bits = utet_fold_promote(part->layout, utet_fold_key(part->layout, bits));
        *tally += nan ? (bits & ~FOLD_DOUBLE_SIGN) == FOLD_DOUBLE_NAN : bits == counted && !fold->priv.counts_none;
    }
}

static utet_status prepare_null(utet_fold *fold, const utet_fold_request *request)
{
    const int rest = request->has_counted ? request->counted_rest : fold->priv.fill_rest;

    fold->priv.own.list.counted = request->has_counted ? utet_fold_bits(request->counted) : fold->priv.fill;
    if (fold->priv.layout->kind != FOLD_FLOAT)
        fold->priv.counts_none = fold->priv.own.list.counted == FOLD_DOUBLE_SIGN || /* 0 is not -0 */
                                 !utet_fold_whole(fold->priv.layout, fold->priv.own.list.counted, rest,
                                                  &fold->priv.own.list.counted);
    return request->has_counted || fold->priv.has_fill ? UTET_OK : UTET_E_ARGUMENT;
}

static uint64_t tally_finish(const utet_fold *fold, const fold_layout *layout, void *memory)
{
    unsigned detail = fold->priv.operation->detail;
    const uint64_t *tally = memory;

    (void)layout;
    if ((detail & (TALLY_NONE | SOME)) != 0)
        return (*tally == 0) == ((detail & TALLY_NONE) != 0) ? FOLD_DOUBLE_ONE : 0;
    return utet_fold_round(0, *tally, 0, 0);
}

#define TALLY(detail)                                                             \
    {                                                                             \
        FOLD_ALL_DTYPES, sizeof(uint64_t), detail, NULL, tally_take, tally_finish \
    }

const utet_fold_operation utet_fold_count = {FOLD_ALL_DTYPES, sizeof(uint64_t), 0, NULL, take_count, tally_finish};
const utet_fold_operation utet_fold_nan_count = TALLY(OF_NAN);
const utet_fold_operation utet_fold_inf_count = TALLY(OF_INF);
const utet_fold_operation utet_fold_all_finite = TALLY(OF_NAN | OF_INF | TALLY_NONE);
const utet_fold_operation utet_fold_any_nan = TALLY(OF_NAN | SOME);
const utet_fold_operation utet_fold_any_inf = TALLY(OF_INF | SOME);
const utet_fold_operation utet_fold_null_count = {FOLD_ALL_DTYPES, sizeof(uint64_t), 0,
                                                  prepare_null,    take_null,        tally_finish};
