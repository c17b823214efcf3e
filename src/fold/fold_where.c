/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Filters. Each test is a range of the elements' keys, found once: the floats that promote into a range of
 * the doubles, the integers up to an edge that is computed exactly. An element is then compared as an integer,
 * whatever its dtype.
 */
#include "fold.h"

#include <stddef.h>
#include <string.h>

#define NUMBERS 6
#define TESTS 0xFFu
#define KNOWN (TESTS | UTET_FOLD_RESTS | 63u * UTET_FOLD_FRACTION)
#define EXACT_BITS (((uint64_t)0x434 << 52)) /* of 2^53 */
#define LESS_ZERO 0x7FFFFFFFFFFFFFFFu        /* utet_fold_order of -0; that of 0 follows */

/* A number of a filter: its double's bits, its rest, and whether it has a fraction beyond both. */
typedef struct where_number {
    uint64_t bits;
    int rest;
    unsigned more;
} where_number;

/* The number of test i, in the order of their bits and of the numbers in the filter. */
static void where_number_of(const utet_fold_filter *filter, unsigned i, where_number *number)
{
    double value;

    memcpy(&value, (const uint8_t *)filter + offsetof(utet_fold_filter, eq) + i * sizeof value, sizeof value);
    number->bits = utet_fold_bits(value);
    number->rest = (filter->tests & UTET_FOLD_RESTS) != 0 ? filter->rest[i] : 0;
    number->more = (filter->tests & (uint32_t)UTET_FOLD_FRACTION << i) != 0;
}

/* Integers alone have a rest: those beyond 2^53. */
static int is_wrong(const where_number *number)
{
    return (number->bits & FOLD_DOUBLE_INF) == FOLD_DOUBLE_INF || number->rest > FOLD_MOST_REST ||
           number->rest < -FOLD_MOST_REST ||
           (number->rest != 0 && number->more == 0 && (number->bits & ~FOLD_DOUBLE_SIGN) < EXACT_BITS);
}

static utet_status where_check(const utet_fold_filter *filter)
{
    unsigned i;

    if ((filter->tests & TESTS) == 0 || (filter->tests & ~KNOWN) != 0)
        return UTET_E_ARGUMENT;
    for (i = 0; i < NUMBERS; i++) {
        where_number number;

        where_number_of(filter, i, &number);
        if ((filter->tests >> i & 1u) != 0 && is_wrong(&number))
            return UTET_E_ARGUMENT;
    }
    return UTET_OK;
}

/* ---- edges: between ranks of doubles for floats, between keys for integers ---- */

/* An end of a comparison; EDGE_ABOVE: the edge is above the number itself. */
enum { EDGE = 1, EDGE_ABOVE = 2, EDGE_EXACT = 4 };

/* Returns how many ranks or keys are below the number, or with EDGE_ABOVE not above it. *all: all keys are.
 * IEEE 754 says that -0 equals 0; EDGE_EXACT: it does not. */
static uint64_t where_edge(const fold_layout *layout, const where_number *number, unsigned edge, int *all)
{
    const uint64_t zero = layout->kind == FOLD_SIGNED ? layout->sign : 0; /* the key of 0 */
    const uint64_t above = fold_most(layout) - zero;
    const unsigned or_at = (edge & EDGE_ABOVE) != 0;
    unsigned more = number->more;
    uint64_t whole;
    int within;

    *all = 0;
    if (layout->kind == FOLD_FLOAT) {
        whole = utet_fold_order(number->bits);
        if (whole - LESS_ZERO <= 1 && (edge & EDGE_EXACT) == 0)
            whole = LESS_ZERO + or_at;
        return whole + or_at;
    }
    within = utet_fold_whole_part(number->bits, number->rest, &whole, &more);
    if ((number->bits & FOLD_DOUBLE_SIGN) != 0 && (whole != 0 || more != 0 || !within))
        return !within || whole > zero ? 0 : zero - whole + (or_at != 0 && more == 0);
    more |= or_at;
    *all = !within || whole > above || (whole == above && more != 0);
    return zero + whole + more;
}

/* No element. */
UTET_APART static void where_empty(utet_fold_keys *range)
{
    range->from = 1;
    range->to = 0;
}

/* All elements: ranks of doubles, or keys. */
static void where_all(const fold_layout *layout, utet_fold_keys *range)
{
    range->to = layout->kind == FOLD_FLOAT ? utet_fold_order(FOLD_DOUBLE_INF) : fold_most(layout);
    range->from = layout->kind == FOLD_FLOAT ? ~range->to : 0;
}

/* Leaves those that pass test i. */
UTET_APART static void where_narrow(const fold_layout *layout, const where_number *number, unsigned i,
                                    utet_fold_keys *range)
{
    /* below, and above it, for each of the six comparisons */
    static const uint8_t low[NUMBERS] = {EDGE | EDGE_EXACT, EDGE | EDGE_EXACT, 0, 0, EDGE | EDGE_ABOVE, EDGE};
    static const uint8_t high[NUMBERS] = {
        EDGE | EDGE_ABOVE | EDGE_EXACT, EDGE | EDGE_ABOVE | EDGE_EXACT, EDGE, EDGE | EDGE_ABOVE, 0, 0};
    uint64_t keys;
    int all;

    if (low[i] != 0) {
        keys = where_edge(layout, number, low[i], &all);
        if (all || (layout->kind != FOLD_FLOAT && (low[i] & EDGE_EXACT) != 0 && number->bits == FOLD_DOUBLE_SIGN))
            where_empty(range); /* 0 is not -0 */
        else if (keys > range->from)
            range->from = keys;
    }
    if (high[i] != 0) {
        keys = where_edge(layout, number, high[i], &all);
        if (!all && keys == 0)
            where_empty(range);
        else if (!all && keys <= range->to)
            range->to = keys - 1;
    }
}

/* From ranks of doubles to keys. */
UTET_APART static void where_keys(const fold_layout *layout, utet_fold_keys *range)
{
    if (layout->kind == FOLD_FLOAT)
        utet_fold_interval(layout, range->from, range->to, &range->from, &range->to);
}

/* The keys of the elements that pass all comparisons of `tests`. */
static void where_compare(const fold_layout *layout, const utet_fold_filter *filter, uint32_t tests,
                          utet_fold_keys *range)
{
    unsigned i;

    where_all(layout, range);
    for (i = 0; i < NUMBERS; i++) {
        where_number number;

        where_number_of(filter, i, &number);
        if ((tests >> i & 1u) != 0)
            where_narrow(layout, &number, i, range);
    }
    where_keys(layout, range);
}

/* Adds a key where elements begin or cease to pass, in ascending order; two equal ones cancel each other. */
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

/* A range of keys on the circle of bits is an arc where the dtype has no sign, and where all keys have the same one.
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
static void where_flip(utet_fold *fold, uint64_t from, uint64_t to)
{
    const uint64_t below = fold_most(fold->priv.layout) / 2; /* the largest key of floats with a sign */

    if (fold->priv.layout->kind == FOLD_FLOAT && from <= below && to > below) {
        flip_arc(fold, from, below);
        from = below + 1;
    }
    flip_arc(fold, from, to);
}

/* Returns nonzero if the keys `first` to `last` (none if first > last) are in the range `from` to `to`: all are or
 * none. */
static int where_inside(uint64_t from, uint64_t to, uint64_t first, uint64_t last)
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
    /* several NaN are null together */
    const uint64_t first = fold->priv.null.from < from ? from : fold->priv.null.from;
    const uint64_t last = fold->priv.null.to > to ? to : fold->priv.null.to;
    utet_fold_arc *arc = fold->priv.others;
    unsigned i;

    fold->priv.arcs = 0;
    fold->priv.first_passes = (uint8_t)nulls;
    if (values != nulls)
        where_flip(fold, from, to); /* where null passes, no comparison narrows from..to */
    if (values != nulls && first <= last)
        where_flip(fold, first, last);
    if (values && where_inside(from, to, fold->priv.fail.from, fold->priv.fail.to) &&
        (fold->priv.fail.from < fold->priv.null.from || fold->priv.fail.to > fold->priv.null.to))
        where_flip(fold, fold->priv.fail.from, fold->priv.fail.to);
    if (fold->priv.arcs == 0)
        return;
    if (arc->from == 0) /* arc 0 ends before arc->from; 0 itself is in arc 1 then */
        fold->priv.first_passes ^= 1;
    arc->more = arc[fold->priv.arcs - 1u].from - arc->from - 1;
    for (i = 1; i < fold->priv.arcs; i++)
        arc[i].more = arc[i - 1].from - arc[i].from - 1;
}

/* Passes on the part in sequences of elements that pass. As long as elements are in one arc, each is compared with the
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

/* Which elements are null: of integers the one that the fill is, of floats those whose double it is. */
static void set_null(utet_fold *fold)
{
    where_number number;

    where_empty(&fold->priv.null);
    if (!fold->priv.has_fill)
        return;
    number.bits = fold->priv.fill;
    number.rest = fold->priv.fill_rest;
    number.more = number.rest > FOLD_MOST_REST;
    where_all(fold->priv.layout, &fold->priv.null);
    where_narrow(fold->priv.layout, &number, 0, &fold->priv.null);
    where_keys(fold->priv.layout, &fold->priv.null);
}

utet_status utet_fold_where(utet_fold *fold, const utet_fold_filter *filter)
{
    utet_status status = where_check(filter);

    if (status != UTET_OK)
        return status;
    if (fold->priv.state != FOLD_READY || fold->priv.file->priv.busy != UTET_CALL_NONE)
        return UTET_E_STATE;
    where_compare(fold->priv.layout, filter, filter->tests & ~(uint32_t)UTET_FOLD_NE, &fold->priv.pass);
    where_empty(&fold->priv.fail);
    if ((filter->tests & UTET_FOLD_NE) != 0)
        where_compare(fold->priv.layout, filter, UTET_FOLD_NE, &fold->priv.fail);
    set_null(fold);
    fold->priv.null_passes = (filter->tests & TESTS & ~(uint32_t)(UTET_FOLD_NE | UTET_FOLD_IS_NULL)) == 0;
    fold->priv.value_passes = (filter->tests & UTET_FOLD_IS_NULL) == 0;
    if (fold->priv.pass.from > fold->priv.pass.to)
        fold->priv.value_passes = 0;
    set_arcs(fold);
    fold->priv.take = fold->priv.arcs != 0 || !fold->priv.first_passes ? take_passing : NULL;
    return UTET_OK;
}
