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

static int passes(const utet_fold *fold, uint64_t key)
{
    if (key - fold->priv.pass.from > fold->priv.pass.to - fold->priv.pass.from)
        return 0;
    return key < fold->priv.fail.from || key > fold->priv.fail.to;
}

/* Not a number, or the fill. */
static int is_null(const utet_fold *fold, const fold_layout *layout, uint64_t bits, uint64_t key)
{
    fold_element element;

    if (key >= fold->priv.null.from && key <= fold->priv.null.to)
        return 1;
    if (layout->kind != FOLD_FLOAT)
        return 0;
    utet_fold_split(layout, bits, &element);
    return element.special == FOLD_NAN;
}

/* How many of the elements from here on pass (want = 1), or do not (want = 0). */
static size_t where_match(const utet_fold *fold, const uint8_t *data, size_t count, size_t stride, int want)
{
    const fold_layout *layout = fold->priv.layout;
    size_t i;

    for (i = 0; i < count; i++) {
        uint64_t bits = utet_fold_load(layout, data + i * stride);
        uint64_t key = utet_fold_key(layout, bits);
        int pass = is_null(fold, layout, bits, key) ? fold->priv.null_passes
                                                    : fold->priv.value_passes && passes(fold, key);

        if (pass != want)
            break;
    }
    return i;
}

/* The same where nothing but a stretch of keys decides. On the circle of bits it is an arc, or two: floats above 0 and
 * below. The scan goes on from arc to arc, until an element lies in none of those that are wanted. */
static size_t arcs_match(const utet_fold *fold, const uint8_t *data, size_t count, size_t stride, int want)
{
    const fold_layout *layout = fold->priv.layout;
    const uint64_t *ends = fold->priv.ends;
    unsigned i = want != 0 ? 0 : 1;
    int first = 1;
    size_t matched = 0;

    for (;; i ^= 2, first = 0) {
        uint64_t end = ends[(i + 1) & 3u];
        fold_arc others;
        size_t some = 0;

        if (end != ends[i]) {
            others.from = end;
            others.more = (ends[i] - end - 1) & fold_most(layout);
            some = utet_fold_scan(layout, data + matched * stride, count - matched, stride, &others);
        }
        matched += some;
        if (matched == count || (some == 0 && !first))
            return matched;
    }
}

/* Chooses how elements are matched. */
static void set_match(utet_fold *fold, const fold_layout *layout)
{
    uint64_t sign = fold_most(layout) / 2 + 1;
    uint64_t from = fold->priv.pass.from;
    uint64_t to = fold->priv.pass.to;
    uint64_t first = utet_fold_unkey(layout, from);
    uint64_t last = utet_fold_unkey(layout, to);
    uint64_t *ends = fold->priv.ends;

    fold->priv.match = where_match;
    if (fold->priv.null_passes || !fold->priv.value_passes || fold->priv.fail.from <= fold->priv.fail.to)
        return;
    if (fold->priv.null.from <= fold->priv.null.to && fold->priv.null.from <= to && fold->priv.null.to >= from)
        return;
    fold->priv.match = arcs_match;
    if (from == 0 && to == fold_most(layout)) {
        fold->priv.match = NULL; /* all of them pass */
    } else if (layout->kind != FOLD_FLOAT || from >= sign) {
        ends[0] = ends[2] = ends[3] = first;
        ends[1] = last + 1;
    } else if (to < sign) { /* here the order is the other way round */
        ends[0] = ends[2] = ends[3] = last;
        ends[1] = first + 1;
    } else {
        ends[0] = 0;
        ends[1] = last + 1;
        ends[2] = sign;
        ends[3] = first + 1;
    }
}

/* The part in stretches of elements that do not pass and that do. */
static void take_passing(utet_fold *fold, fold_part *part)
{
    size_t left = part->count;
    int want = 0;

    for (;; want = !want) {
        size_t many = fold->priv.match(fold, part->data, left, part->stride, want);

        part->count = many;
        if (want)
            utet_fold_take(fold, part);
        left -= many;
        if (left == 0)
            return; /* no step over the end, however large */
        part->data += many * part->stride;
        part->cell += many * part->cell_step;
        part->place += many * part->place_step;
    }
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
    if (fold->priv.state != FOLD_READY)
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
    set_match(fold, layout);
    fold->priv.take = fold->priv.match != NULL ? take_passing : NULL;
    return UTET_OK;
}
