/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Filters. Each test is a range of the elements' keys, found once: the floats that promote into a range of
 * the doubles, the integers up to an edge that is computed exactly. An element is then compared as an integer,
 * whatever its dtype.
 */
#include "fold.h"

#define TESTS 0xFFu
#define KNOWN (TESTS | UTET_FOLD_RESTS | 63u * UTET_FOLD_FRACTION)
#define EXACT_BITS (((uint64_t)0x434 << 52)) /* of 2^53 */
#define LESS_ZERO 0x7FFFFFFFFFFFFFFFu        /* utet_fold_order of -0; that of 0 follows */

/* The rank of a bound in the order of doubles. IEEE 754 says that -0 equals 0: `zero` is the one to take. */
static uint64_t where_bound_rank(double value, uint64_t zero)
{
    uint64_t order = utet_fold_order(utet_fold_bits(value));

    return order - LESS_ZERO <= 1 ? zero : order;
}

static int where_finite(double value)
{
    return (utet_fold_bits(value) & FOLD_DOUBLE_INF) != FOLD_DOUBLE_INF;
}

/* Integers alone have a rest: those beyond 2^53. */
static int has_wrong_rest(const utet_fold_filter *filter, unsigned i, double number)
{
    const int rest = (filter->tests & UTET_FOLD_RESTS) != 0 ? filter->rest[i] : 0;

    return rest > FOLD_MOST_REST || rest < -FOLD_MOST_REST ||
           (rest != 0 && (filter->tests & (uint32_t)UTET_FOLD_FRACTION << i) == 0 &&
            (utet_fold_bits(number) & ~FOLD_DOUBLE_SIGN) < EXACT_BITS);
}

static utet_status where_check(const utet_fold_filter *filter)
{
    const double numbers[6] = {filter->eq, filter->ne, filter->lt, filter->le, filter->gt, filter->ge};
    unsigned i;

    if ((filter->tests & TESTS) == 0 || (filter->tests & ~KNOWN) != 0)
        return UTET_E_ARGUMENT;
    for (i = 0; i < 6; i++)
        if ((filter->tests >> i & 1u) != 0 && (!where_finite(numbers[i]) || has_wrong_rest(filter, i, numbers[i])))
            return UTET_E_ARGUMENT;
    return UTET_OK;
}

static void where_narrow(uint64_t *from, uint64_t *to, uint64_t least, uint64_t most)
{
    if (*from < least)
        *from = least;
    if (*to > most)
        *to = most;
}

/* Computes the range of doubles that all comparisons except NE leave. */
static void where_compare(const utet_fold_filter *filter, uint64_t *from, uint64_t *to)
{
    uint32_t tests = filter->tests;
    uint64_t eq = utet_fold_order(utet_fold_bits(filter->eq));

    *to = utet_fold_order(FOLD_DOUBLE_INF);
    *from = ~*to;
    if ((tests & UTET_FOLD_EQ) != 0)
        where_narrow(from, to, eq, eq);
    if ((tests & UTET_FOLD_LT) != 0)
        where_narrow(from, to, 0, where_bound_rank(filter->lt, LESS_ZERO) - 1);
    if ((tests & UTET_FOLD_LE) != 0)
        where_narrow(from, to, 0, where_bound_rank(filter->le, LESS_ZERO + 1));
    if ((tests & UTET_FOLD_GT) != 0)
        where_narrow(from, to, where_bound_rank(filter->gt, LESS_ZERO + 1) + 1, UINT64_MAX);
    if ((tests & UTET_FOLD_GE) != 0)
        where_narrow(from, to, where_bound_rank(filter->ge, LESS_ZERO), UINT64_MAX);
}

/* ---- integers: edges between keys ---- */

/* Returns how many keys are below the number with its rest, or with `or_at` not above it. more: it has a fraction
 * beyond its double. *all: all keys are. */
static uint64_t where_edge(const fold_layout *layout, double number, int rest, unsigned more, unsigned or_at, int *all)
{
    const uint64_t zero = layout->kind == FOLD_SIGNED ? layout->sign : 0; /* the key of 0 */
    const uint64_t above = fold_most(layout) - zero;
    const uint64_t bits = utet_fold_bits(number);
    uint64_t whole;
    const int within = utet_fold_whole_part(bits, rest, &whole, &more);

    *all = 0;
    if ((bits & FOLD_DOUBLE_SIGN) != 0 && (whole != 0 || more != 0 || !within))
        return !within || whole > zero ? 0 : zero - whole + (or_at != 0 && more == 0);
    more = more != 0 || or_at != 0;
    *all = !within || whole > above || (whole == above && more != 0);
    return zero + whole + more;
}

/* Removes the elements of the lowest `keys` keys from from..to. */
static void cut_below(uint64_t keys, int all, uint64_t *from, uint64_t *to)
{
    if (all) {
        *from = 1;
        *to = 0;
    } else if (keys > *from) {
        *from = keys;
    }
}

/* Removes all elements except those of the lowest `keys` keys from from..to. */
static void cut_above(uint64_t keys, int all, uint64_t *from, uint64_t *to)
{
    if (all)
        return;
    if (keys == 0) {
        *from = 1;
        *to = 0;
    } else if (keys <= *to) {
        *to = keys - 1;
    }
}

/* For each of the six comparisons: which ends it has, and whether the number itself is beyond them. */
enum { LOW = 1, LOW_ABOVE = 2, HIGH = 4, HIGH_ABOVE = 8 };

static void narrow_wholes(const fold_layout *layout, const utet_fold_filter *filter, uint32_t tests, uint64_t *from,
                          uint64_t *to)
{
    static const uint8_t ends[6] = {LOW | HIGH | HIGH_ABOVE, LOW | HIGH | HIGH_ABOVE, HIGH,
                                    HIGH | HIGH_ABOVE,       LOW | LOW_ABOVE,         LOW};
    const double numbers[6] = {filter->eq, filter->ne, filter->lt, filter->le, filter->gt, filter->ge};
    unsigned i;
    int all;

    *from = 0;
    *to = fold_most(layout);
    for (i = 0; i < 6; i++) {
        const int rest = (filter->tests & UTET_FOLD_RESTS) != 0 ? filter->rest[i] : 0;
        const unsigned more = (filter->tests & (uint32_t)UTET_FOLD_FRACTION << i) != 0;
        uint64_t keys;

        if ((tests >> i & 1u) == 0)
            continue;
        if (i < 2 && utet_fold_bits(numbers[i]) == FOLD_DOUBLE_SIGN) /* 0 is not -0 */
            cut_below(0, 1, from, to);
        if ((ends[i] & LOW) != 0) {
            keys = where_edge(layout, numbers[i], rest, more, ends[i] & LOW_ABOVE, &all);
            cut_below(keys, all, from, to);
        }
        if ((ends[i] & HIGH) != 0) {
            keys = where_edge(layout, numbers[i], rest, more, ends[i] & HIGH_ABOVE, &all);
            cut_above(keys, all, from, to);
        }
    }
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

/* The elements with this double; none unless it is `there`. */
static void one_value(const fold_layout *layout, int there, uint64_t bits, uint64_t *from, uint64_t *to)
{
    uint64_t order = utet_fold_order(bits);

    *from = 1;
    *to = 0;
    if (there)
        utet_fold_interval(layout, order, order, from, to);
}

/* Which elements are null: of integers the one that the fill is, of floats those whose double it is. */
static void set_null(utet_fold *fold)
{
    const fold_layout *layout = fold->priv.layout;
    uint64_t element;

    if (layout->kind == FOLD_FLOAT) {
        one_value(layout, fold->priv.has_fill, fold->priv.fill, &fold->priv.null.from, &fold->priv.null.to);
        return;
    }
    fold->priv.null.from = 1;
    fold->priv.null.to = 0;
    if (fold->priv.has_fill && fold->priv.fill != FOLD_DOUBLE_SIGN && /* 0 is not -0 */
        utet_fold_whole(layout, fold->priv.fill, fold->priv.fill_rest, &element)) {
        fold->priv.null.from = utet_fold_key(layout, element);
        fold->priv.null.to = fold->priv.null.from;
    }
}

utet_status utet_fold_where(utet_fold *fold, const utet_fold_filter *filter)
{
    const fold_layout *layout;
    utet_status status = where_check(filter);
    uint64_t from;
    uint64_t to;

    if (status != UTET_OK)
        return status;
    if (fold->priv.state != FOLD_READY || fold->priv.file->priv.busy != UTET_CALL_NONE)
        return UTET_E_STATE;
    layout = fold->priv.layout;
    if (layout->kind == FOLD_FLOAT) {
        where_compare(filter, &from, &to);
        utet_fold_interval(layout, from, to, &fold->priv.pass.from, &fold->priv.pass.to);
        one_value(layout, (filter->tests & UTET_FOLD_NE) != 0, utet_fold_bits(filter->ne), &fold->priv.fail.from,
                  &fold->priv.fail.to);
    } else {
        narrow_wholes(layout, filter, filter->tests & ~(uint32_t)UTET_FOLD_NE, &fold->priv.pass.from,
                      &fold->priv.pass.to);
        narrow_wholes(layout, filter, filter->tests & UTET_FOLD_NE, &fold->priv.fail.from, &fold->priv.fail.to);
        cut_below(0, (filter->tests & UTET_FOLD_NE) == 0, &fold->priv.fail.from, &fold->priv.fail.to);
    }
    set_null(fold);
    fold->priv.null_passes = (filter->tests & TESTS & ~(uint32_t)(UTET_FOLD_NE | UTET_FOLD_IS_NULL)) == 0;
    fold->priv.value_passes = (filter->tests & UTET_FOLD_IS_NULL) == 0;
    if (fold->priv.pass.from > fold->priv.pass.to)
        fold->priv.value_passes = 0;
    set_arcs(fold);
    fold->priv.take = fold->priv.arcs != 0 || !fold->priv.first_passes ? take_passing : NULL;
    return UTET_OK;
}
