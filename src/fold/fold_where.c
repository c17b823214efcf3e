/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Filters. Each test is a stretch of the doubles; what promotes into it is a stretch of the elements' keys, found once.
 * An element is then compared as an integer, whatever its dtype.
 */
#include "fold.h"

#define KNOWN 0xFFu
#define LESS_ZERO 0x7FFFFFFFFFFFFFFFu /* utet_fold_order of -0; that of 0 follows */

/* The place of a bound in the order of doubles. IEEE 754 says that -0 equals 0: `zero` is the one to take. */
static uint64_t bound(double value, uint64_t zero)
{
    uint64_t order = utet_fold_order(utet_fold_bits(value));

    return order - LESS_ZERO <= 1 ? zero : order;
}

static int finite(double value)
{
    return (utet_fold_bits(value) & FOLD_DOUBLE_INF) != FOLD_DOUBLE_INF;
}

static utet_status check(const utet_fold_filter *filter)
{
    const double numbers[6] = {filter->eq, filter->ne, filter->lt, filter->le, filter->gt, filter->ge};
    unsigned i;

    if (filter->tests == 0 || (filter->tests & ~KNOWN) != 0)
        return UTET_E_ARGUMENT;
    for (i = 0; i < 6; i++)
        if ((filter->tests >> i & 1u) != 0 && !finite(numbers[i]))
            return UTET_E_ARGUMENT;
    return UTET_OK;
}

static void narrow(uint64_t *from, uint64_t *to, uint64_t least, uint64_t most)
{
    if (*from < least)
        *from = least;
    if (*to > most)
        *to = most;
}

/* The stretch of doubles that all comparisons but NE leave. */
static void compare(const utet_fold_filter *filter, uint64_t *from, uint64_t *to)
{
    uint32_t tests = filter->tests;
    uint64_t eq = utet_fold_order(utet_fold_bits(filter->eq));

    *to = utet_fold_order(FOLD_DOUBLE_INF);
    *from = ~*to;
    if ((tests & UTET_FOLD_EQ) != 0)
        narrow(from, to, eq, eq);
    if ((tests & UTET_FOLD_LT) != 0)
        narrow(from, to, 0, bound(filter->lt, LESS_ZERO) - 1);
    if ((tests & UTET_FOLD_LE) != 0)
        narrow(from, to, 0, bound(filter->le, LESS_ZERO + 1));
    if ((tests & UTET_FOLD_GT) != 0)
        narrow(from, to, bound(filter->gt, LESS_ZERO + 1) + 1, UINT64_MAX);
    if ((tests & UTET_FOLD_GE) != 0)
        narrow(from, to, bound(filter->ge, LESS_ZERO), UINT64_MAX);
}

/* Adds a place where elements begin or cease to pass, in ascending order; two at one place cancel each other. */
static void put_end(utet_fold *fold, uint64_t end)
{
    utet_fold_arc *arc = fold->priv.others;
    unsigned i = fold->priv.arcs;

    for (; i != 0 && arc[i - 1].from > end; i--)
        arc[i].from = arc[i - 1].from;
    if (i == 0 || arc[i - 1].from != end) {
        arc[i].from = end;
        fold->priv.arcs++;
        return;
    }
    for (fold->priv.arcs--; i <= fold->priv.arcs; i++)
        arc[i - 1].from = arc[i + 1].from;
}

/* A stretch of keys on the circle of bits is an arc where the dtype has no sign, and where all keys have the same one.
 * The bits of floats below 0 ascend while their keys descend. */
static void flip_arc(utet_fold *fold, uint64_t from, uint64_t to)
{
    const fold_layout *layout = fold->priv.layout;
    const uint64_t most = fold_most(layout);
    uint64_t first = utet_fold_unkey(layout, from);
    uint64_t end = utet_fold_unkey(layout, to);

    if (layout->kind == FOLD_FLOAT && from <= most / 2) {
        const uint64_t bits = first;

        first = end;
        end = bits;
    }
    if (first == 0 || first > end) /* 0 is among them */
        fold->priv.first_passes ^= 1;
    put_end(fold, first);
    put_end(fold, (end + 1) & most);
}

/* Elements with these keys, from <= to, pass now if they did not, and the other way round. */
static void flip(utet_fold *fold, uint64_t from, uint64_t to)
{
    const uint64_t below = fold_most(fold->priv.layout) / 2; /* the greatest key of floats with a sign */

    if (fold->priv.layout->kind == FOLD_FLOAT && from <= below && to > below) {
        flip_arc(fold, from, below);
        from = below + 1;
    }
    flip_arc(fold, from, to);
}

/* Whether the keys `first` to `last`, none if first > last, lie in the stretch `from` to `to`: all do or none. */
static int inside(uint64_t from, uint64_t to, uint64_t first, uint64_t last)
{
    return first <= last && first >= from && first <= to;
}

/* The arcs of elements that pass, from what is known of values and nulls. */
static void set_arcs(utet_fold *fold)
{
    const int values = fold->priv.value_passes;
    const int nulls = fold->priv.null_passes;
    const uint64_t from = fold->priv.pass.from;
    const uint64_t to = fold->priv.pass.to;
    utet_fold_arc *arc = fold->priv.others;
    unsigned i;

    fold->priv.arcs = 0;
    fold->priv.first_passes = (uint8_t)nulls;
    if (values != nulls)
        flip(fold, from, to); /* where null passes, no comparison narrows from..to */
    if (values != nulls && inside(from, to, fold->priv.null.from, fold->priv.null.to))
        flip(fold, fold->priv.null.from, fold->priv.null.to);
    if (values && inside(from, to, fold->priv.fail.from, fold->priv.fail.to) &&
        (fold->priv.fail.from != fold->priv.null.from || fold->priv.fail.to != fold->priv.null.to))
        flip(fold, fold->priv.fail.from, fold->priv.fail.to);
    if (fold->priv.arcs == 0)
        return;
    if (arc->from == 0) /* arc 0 ends before arc->from; 0 itself is in arc 1 then */
        fold->priv.first_passes ^= 1;
    arc->more = arc[fold->priv.arcs - 1u].from - arc->from - 1;
    for (i = 1; i < fold->priv.arcs; i++)
        arc[i].more = arc[i - 1].from - arc[i].from - 1;
}

/* Hands on the part in stretches of elements that pass. As long as elements lie in one arc, each is compared with the
 * ends of that arc only. */
static void take_passing(utet_fold *fold, fold_part *part)
{
    const unsigned arcs = fold->priv.arcs;
    size_t left = arcs != 0 ? part->count : 0;
    size_t found = 0; /* they pass and are not taken yet */
    unsigned passes = fold->priv.first_passes;
    unsigned i = 0;

    for (; left != 0; passes ^= 1u) {
        const uint8_t *data = part->data + found * part->stride;
        const size_t some = utet_fold_scan(fold->priv.layout, data, left, part->stride, &fold->priv.others[i]);

        i = i + 1 < arcs ? i + 1 : 0;
        left -= some;
        if (passes != 0) {
            found += some;
        } else if (some != 0) {
            part->count = found;
            if (found != 0)
                utet_fold_take(fold, part);
            found += some;
            if (left == 0)
                return; /* no step over the end, however large */
            part->data += found * part->stride;
            part->cell += found * part->cell_step;
            part->place += found * part->place_step;
            found = 0;
        }
    }
    part->count = found;
    if (found != 0)
        utet_fold_take(fold, part);
}

/* The elements with this double; none unless it is `there`. */
static void one_value(const fold_layout *layout, int there, uint64_t bits, uint64_t *from, uint64_t *to)
{
    uint64_t order = utet_fold_order(bits);

    *from = 1;
    *to = 0;
    if (there)
        utet_fold_interval(layout, order, order, from, to);
}

utet_status utet_fold_where(utet_fold *fold, const utet_fold_filter *filter)
{
    const fold_layout *layout;
    utet_status status = check(filter);
    uint64_t from;
    uint64_t to;

    if (status != UTET_OK)
        return status;
    if (fold->priv.state != FOLD_READY || fold->priv.file->priv.busy != UTET_CALL_NONE)
        return UTET_E_STATE;
    layout = fold->priv.layout;
    compare(filter, &from, &to);
    utet_fold_interval(layout, from, to, &fold->priv.pass.from, &fold->priv.pass.to);
    one_value(layout, (filter->tests & UTET_FOLD_NE) != 0, utet_fold_bits(filter->ne), &fold->priv.fail.from,
              &fold->priv.fail.to);
    one_value(layout, fold->priv.has_fill, fold->priv.fill, &fold->priv.null.from, &fold->priv.null.to);
    fold->priv.null_passes = (filter->tests & ~(uint32_t)(UTET_FOLD_NE | UTET_FOLD_IS_NULL)) == 0;
    fold->priv.value_passes = (filter->tests & UTET_FOLD_IS_NULL) == 0;
    if (fold->priv.pass.from > fold->priv.pass.to)
        fold->priv.value_passes = 0;
    set_arcs(fold);
    fold->priv.take = fold->priv.arcs != 0 || !fold->priv.first_passes ? take_passing : NULL;
    return UTET_OK;
}
