/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Several operations with one reading. A cell is their cells, one after another, and each operation works in its own as
 * if it were alone: while it does, it is the operation of the fold. */
#include "fold.h"

static size_t several_bytes(const utet_fold *fold, const utet_fold_operation *operation)
{
    return fold_operation_bytes(operation, fold->priv.layout);
}

/* ---- min and max together ---- */

#define FEW 32u /* elements taken without a search, after one that skips fewer */

/* The first minimum and the first maximum of the list, and their cells. NULL: the list has none. */
typedef struct several_ends {
    const utet_fold_operation *operation[2];
    uint8_t *cell[2];
} several_ends;

/* Min or max, not their indices. The product, whose cells have the same size, has an order. */
static int several_is_end(const utet_fold *fold, const utet_fold_operation *operation)
{
    return operation->bytes == sizeof(fold_extreme) && operation->detail <= FOLD_GREATEST &&
           (operation->dtypes & FOLD_PLACES) == 0 && fold->priv.order == NULL;
}

/* Finds the arc of the elements that are not between minimum and maximum. 0: there are none, or several arcs. */
static int several_outside(const fold_layout *layout, const several_ends *ends, utet_fold_arc *arc)
{
    const fold_extreme *least = (const void *)ends->cell[0];
    const fold_extreme *greatest = (const void *)ends->cell[FOLD_GREATEST];
    const uint64_t most = fold_most(layout);
    uint64_t from = utet_fold_unkey(layout, least->key);
    uint64_t to = utet_fold_unkey(layout, most - greatest->key);

    if (layout->kind == FOLD_FLOAT) {
        if (fold_is_nan(layout, from) || ((from ^ to) & layout->sign) != 0)
            return 0;
        if (from > to) { /* both are negative */
            const uint64_t bits = from;

            from = to;
            to = bits;
        }
    }
    arc->from = (to + 1) & most;
    arc->more = (from - to - 2) & most;
    return arc->more != most;
}

/* Takes the elements of one cell for both. Elements between them change neither; one search skips them. */
static void several_take_ends(const fold_part *part, const several_ends *ends)
{
    utet_fold *fold = part->fold;
    const fold_extreme *least = (const void *)ends->cell[0];
    const int both = least != NULL && ends->cell[FOLD_GREATEST] != NULL;
    fold_part some = *part;
    size_t left = part->count;
    utet_fold_arc arc;
    unsigned i;

    for (;;) {
        some.count = left;
        if (both && least->any == 0) {
            some.count = 1;
        } else if (both && several_outside(part->layout, ends, &arc)) {
            const size_t between = utet_fold_scan(part->layout, some.data, left, part->stride, &arc);

            left -= between;
            if (left == 0)
                return;
            some.data += between * part->stride;
            some.count = between >= FEW ? 1 : left < FEW ? left : FEW;
        }
        for (i = 0; i < 2; i++) {
            const utet_fold_operation *alone = ends->operation[i];

            if (alone == NULL)
                continue;
            fold->priv.operation = alone;
            some.cell = ends->cell[i];
            alone->take(&some);
        }
        left -= some.count;
        if (left == 0)
            return; /* no step over the end, however large */
        some.data += some.count * part->stride;
    }
}

/* ---- any operations ---- */

static void several_take(const fold_part *part)
{
    utet_fold *fold = part->fold;
    const utet_fold_operation *const *list = fold->priv.own.list.operations;
    several_ends ends;
    fold_part one = *part;

    ends.cell[0] = ends.cell[FOLD_GREATEST] = NULL;
    ends.operation[0] = ends.operation[FOLD_GREATEST] = NULL;
    for (; *list != NULL; list++) {
        const utet_fold_operation *alone = *list;

        if (part->cell_step == 0 && several_is_end(fold, alone) && ends.cell[alone->detail] == NULL) {
            ends.operation[alone->detail] = alone;
            ends.cell[alone->detail] = one.cell;
        } else {
            fold->priv.operation = alone;
            alone->take(&one);
        }
        one.cell += several_bytes(fold, alone);
    }
    if (ends.cell[0] != NULL || ends.cell[FOLD_GREATEST] != NULL)
        several_take_ends(part, &ends);
    fold->priv.operation = &utet_fold_several;
}

static void several_choose(utet_fold *fold, size_t memory)
{
    (void)utet_fold_set_cells(fold, memory, fold->priv.least_bytes + fold->priv.extra_bytes);
}

/* Writes the results of each operation as if it were the only one of the fold. Its cells follow those of the operation
 * before it. */
static int several_again(utet_fold *fold, double *results)
{
    const utet_fold_operation *const *list = fold->priv.own.list.operations;
    const fold_turns *const turns = fold->priv.turns;
    const size_t slab_bytes = fold->priv.slab_bytes;
    const size_t own_bytes = fold->priv.own_bytes;
    size_t i;

    fold->priv.turns = NULL;
    for (; *list != NULL; list++, results++) {
        const utet_fold_operation *alone = *list;
        const size_t bytes = several_bytes(fold, alone);

        fold->priv.operation = alone;
        if (fold->priv.shape != NULL)
            fold->priv.shape->finish(fold, results);
        else
            for (i = 0; i < fold->priv.cells; i++)
                results[i * fold->priv.values] =
                    utet_fold_value(alone->finish(fold, fold->priv.layout, fold_cell_at(fold, i)));
        fold->priv.slab_bytes += bytes;
        fold->priv.own_bytes -= bytes;
    }
    fold->priv.slab_bytes = slab_bytes;
    fold->priv.own_bytes = own_bytes;
    fold->priv.operation = &utet_fold_several;
    fold->priv.turns = turns;
    return 0;
}

static const fold_turns several_turns = {NULL, several_choose, several_again, FOLD_OTHERS};

static utet_status several_prepare(utet_fold *fold, const utet_fold_request *request)
{
    const utet_fold_operation *const *list = request->operations;
    utet_status status = UTET_OK;
    uint32_t count = 0;

    if (list == NULL || list[0] == NULL)
        return UTET_E_ARGUMENT;
    for (; list[count] != NULL && status == UTET_OK; count++) {
        const utet_fold_operation *alone = list[count];

        if (count == UTET_FOLD_MAX_OPERATIONS || alone->finish == NULL)
            return UTET_E_ARGUMENT;
        if ((alone->dtypes >> request->dataset->dtype & 1u) == 0)
            return UTET_E_DTYPE;
        fold->priv.least_bytes += several_bytes(fold, alone);
        if (alone->prepare != NULL)
            status = alone->prepare(fold, request);
    }
    fold->priv.own.list.operations = list;
    fold->priv.values = count;
    fold->priv.turns = &several_turns;
    return status;
}

const utet_fold_operation utet_fold_several = {FOLD_ALL_DTYPES, 0, 0, several_prepare, several_take, NULL};
