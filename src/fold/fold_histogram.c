/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Histograms. Where the range is not given, a first pass finds it. Then the bins are counted, as many in a pass as the
 * cell has counters. Difference and quotient are those of IEEE 754, made of integers.
 */
#include "fold.h"

#include <string.h>

typedef fold_bins bins;

#define FEW 16u /* counters of a small cell */

/* ---- arithmetic ---- */

/* The width of a bin; 0 when the range is less than 2^-52. */
static utet_fold_binary width_of(uint64_t low, uint64_t high, uint32_t many)
{
    utet_fold_binary range = utet_fold_binary_of(low ^ FOLD_DOUBLE_SIGN);
    utet_fold_binary to = utet_fold_binary_of(high);
    uint32_t words[2];
    fold_number number;

    utet_fold_binary_add(&range, &to);
    if (range.exponent + 52 < -52)
        range.magnitude = 0;
    words[0] = (uint32_t)range.magnitude;
    words[1] = (uint32_t)(range.magnitude >> 32);
    utet_fold_number_of(&number, words, 2, range.exponent);
    utet_fold_number_divide(&number, many, FOLD_ONCE);
    return utet_fold_binary_near(&number);
}

/* floor of the rounded quotient of two positive numbers, at most `most`. */
static uint32_t histogram_quotient(const utet_fold_binary *value, const utet_fold_binary *by, uint32_t most)
{
    int32_t steps = value->exponent - by->exponent;
    uint64_t rest = value->magnitude;
    uint32_t whole = 0;
    unsigned half = 54; /* the quotient is rounded up to whole + 1 from there on: 2^-half of `by` below it */

    if (value->magnitude == 0 || steps < 0)
        return 0;
    if (steps > 12)
        return most;
    for (;; rest <<= 1, steps--) {
        whole <<= 1;
        half -= whole != 0;
        if (rest >= by->magnitude) {
            rest -= by->magnitude;
            if (whole == 0)
                half = 53;
            whole |= 1u;
        }
        if (steps == 0)
            break;
    }
    whole += by->magnitude - rest <= by->magnitude >> half;
    return whole < most ? whole : most;
}

double utet_fold_edge(double low, double high, uint32_t many, uint32_t i)
{
    utet_fold_binary width = width_of(utet_fold_bits(low), utet_fold_bits(high), many);
    utet_fold_binary at = utet_fold_binary_of(utet_fold_bits(low));

    if (i == 0)
        return low;
    if (i >= many || width.magnitude == 0)
        return high;
    /* Up to 12 bits more; the lowest two go first when they do not fit. */
    if (i >= 2048) {
        uint64_t lowest = (width.magnitude & 3) * i;

        width = utet_fold_fit((width.magnitude >> 2) * i + (lowest >> 2), width.exponent + 2, 0, (lowest & 3) != 0);
    } else {
        width = utet_fold_fit(width.magnitude * i, width.exponent, 0, 0);
    }
    utet_fold_binary_add(&at, &width);
    return utet_fold_value(utet_fold_round(at.negative, at.magnitude, at.exponent, 0));
}

/* ---- cells ---- */

static uint64_t *histogram_counters(bins *cell)
{
    return (void *)(cell + 1);
}

/* How many bins a pass counts. */
static uint32_t in_a_pass(const utet_fold *fold)
{
    return (uint32_t)((fold->priv.own_bytes - sizeof(bins)) / 8);
}

static uint32_t histogram_passes(const utet_fold *fold)
{
    return !fold->priv.has_range + (fold->priv.bins + in_a_pass(fold) - 1) / in_a_pass(fold);
}

/* The first bin that is counted in this turn. */
static uint32_t first_bin(const utet_fold *fold)
{
    return (fold->priv.turn - !fold->priv.has_range) * in_a_pass(fold);
}

static uint32_t bin_of(const bins *cell, const fold_layout *layout, const fold_element *element, uint32_t last)
{
    utet_fold_binary value;

    if (cell->width.magnitude == 0)
        return 0;
    if (element->special != FOLD_FINITE)
        return element->negative ? 0 : last;
    value = utet_fold_fit(element->magnitude, layout->lowest + (int32_t)element->shift, element->negative, 0);
    utet_fold_binary_add(&value, &cell->range.minus_low);
    return value.negative ? 0 : histogram_quotient(&value, &cell->width, last);
}

static void histogram_find_range(const fold_part *part)
{
    size_t i;

    for (i = 0; i < part->count; i++) {
        bins *cell = (void *)(part->cell + i * part->cell_step);
        fold_element element;
        uint64_t bits;

        if (FOLD_ROOMY && part->layout->bytes != 8 && part->cell_step == 0 && cell->seen != 0)
            i = utet_fold_pass_between(part, i, (uint32_t)cell->range.keys.low, (uint32_t)cell->range.keys.high);
        if (i == part->count)
            return;
        bits = utet_fold_load(part->layout, part->data + i * part->stride);
        utet_fold_split(part->layout, bits, &element);
        bits = utet_fold_key(part->layout, bits);
        if (element.special == FOLD_FINITE)
            fold_widen_range(cell, bits, bits);
    }
}

/* The bin of an element among those that are counted in this turn; at least in_a_pass: none of them. */
static uint32_t exact_bin(const fold_part *part, bins *cell, uint64_t bits)
{
    const utet_fold *fold = part->fold;
    fold_element element;

    /* With a range that is given, the width is known from the first element on. */
    if (cell->seen == 0) {
        cell->range.minus_low = fold->priv.own.range.minus_low;
        cell->width = fold->priv.own.range.width;
        cell->seen = 1;
    }
    utet_fold_split(part->layout, bits, &element);
    if (element.special == FOLD_NAN)
        return UINT32_MAX;
    return bin_of(cell, part->layout, &element, fold->priv.bins - 1) - first_bin(fold);
}

/* The keys of two elements of a bin, the smaller one in the lower half: all elements between them are in the same bin.
 * They are where a filter would have its arcs. */
#define NO_KEYS UINT32_MAX
UTET_STATIC_ASSERT(FEW * sizeof(uint64_t) <= sizeof((utet_fold *)0)->priv.others, keys_have_room);

static int histogram_has_key(uint64_t keys, uint32_t key)
{
    return key >= (uint32_t)keys && key <= (uint32_t)(keys >> 32);
}

static uint64_t histogram_with_key(uint64_t keys, uint32_t key)
{
    const uint32_t low = key < (uint32_t)keys ? key : (uint32_t)keys;
    const uint32_t high = key > (uint32_t)(keys >> 32) ? key : (uint32_t)(keys >> 32);

    return (uint64_t)high << 32 | low;
}

/* Returns the exponent of a power of two that is larger than the number. */
static int32_t histogram_above(const utet_fold_binary *number)
{
    return number->magnitude != 0 ? number->exponent + 53 : -2048;
}

/* Finds the scale of the cell's bins; 0: there is none, because bins are too small for the largest value. */
static int histogram_scale(const fold_part *part, const bins *cell, fold_scale *scale)
{
    const utet_fold *fold = part->fold;
    const fold_layout *layout = part->layout;
    const utet_fold_binary *low = fold->priv.has_range ? &fold->priv.own.range.minus_low : &cell->range.minus_low;
    const utet_fold_binary *width = fold->priv.has_range ? &fold->priv.own.range.width : &cell->width;
    int32_t unit = histogram_above(width);
    int32_t most = histogram_above(low);
    int32_t bits;
    uint32_t i;

    if (width->magnitude == 0)
        return 0;
    for (i = fold->priv.bins; i != 0; i >>= 1)
        unit++;
    unit = (unit > most ? unit : most) - 29; /* all values of the range are below 2^30 units */
    bits = 52 + width->exponent - unit;      /* bits of a bin's width in units, less 1 */
    if (bits < 7 || bits > 27)               /* they are never more */
        return 0;
    scale->counters = sizeof(bins);
    most = unit - low->exponent;
    scale->low = low->magnitude != 0 && most >= 0 && most < 64 ? (uint32_t)(low->magnitude >> most) : 0;
    if (!low->negative)
        scale->low = 0 - scale->low;
    scale->by = (uint32_t)utet_div(UINT64_MAX >> 1, width->magnitude >> 21);
    scale->bits = (uint8_t)bits;
    scale->last = fold->priv.bins - 1;
    scale->first = first_bin(fold);
    scale->many = in_a_pass(fold);
    unit -= layout->lowest;
    if (layout->kind == FOLD_FLOAT) {
        const uint32_t infinity = (uint32_t)layout->sign >> layout->fraction; /* its exponent, and 1 */

        unit += 31 - layout->fraction;
        if (unit < 2)
            return 0;
        scale->up = (uint8_t)(31 - layout->fraction);
        scale->down = (uint32_t)unit;
        scale->most = ((scale->down < infinity ? scale->down : infinity - 1) << layout->fraction) - 1;
        return 1;
    }
    /* An integer is moved by 2 - unit bits up, and 2 down, or only down. */
    if (unit < -29 || unit > 29)
        return 0;
    scale->up = (uint8_t)(unit < 2 ? 2 - unit : 0);
    scale->down = (uint32_t)(unit < 2 ? 2 : unit);
    scale->most = UINT32_MAX >> scale->up;
    return 1;
}

/* Elements whose bin is known cost 60 instructions, and 8 for each other bin that is tried; all others 300. With a
 * scale, elements cost 50, but those close to the boundary of two bins cost 50 more. */
static void histogram_take(const fold_part *part)
{
    utet_fold *fold = part->fold;
    uint64_t *const keys = (void *)fold->priv.others;
    const uint32_t many = in_a_pass(fold);
    uint32_t known = many <= FEW ? many : 1;
    uint32_t only = 0; /* the bin of keys[0], if there are no others */
    uint32_t at = 0;
    fold_scale scale;
    int scaled;
    size_t i;

    if (fold_finds_range(fold)) {
        histogram_find_range(part);
        return;
    }
    if (part->layout->bytes == 8 || (part->cell_step != 0 && !fold->priv.has_range) || fold->priv.arcs != 0)
        known = 0;
    for (; at < known; at++)
        keys[at] = NO_KEYS;
    scale.bits = 0;
    scaled = FOLD_ROOMY && part->count > 1 && part->layout->bytes != 8 &&
             (part->cell_step == 0 || fold->priv.has_range) && histogram_scale(part, (void *)part->cell, &scale);
    for (i = 0; i < part->count; i++) {
        bins *cell;
        uint64_t bits;
        uint32_t key;
        uint32_t bin;

        if (scaled)
            i = utet_fold_count_bins(part, i, &scale);
        if (i == part->count)
            return;
        cell = (void *)(part->cell + i * part->cell_step);
        bits = utet_fold_load(part->layout, part->data + i * part->stride);
        key = (uint32_t)utet_fold_key(part->layout, bits);
        if (at >= known || !histogram_has_key(keys[at], key))
            for (at = 0; at < known && !histogram_has_key(keys[at], key); at++)
                continue;
        bin = known == many ? at : only;
        if (at >= known) {
            bin = exact_bin(part, cell, bits);
            if (bin >= many)
                continue;
            at = known == many ? bin : 0;
            if (known == 1 && only != bin)
                keys[0] = NO_KEYS;
            if (known != 0)
                keys[at] = histogram_with_key(keys[at], key);
            only = bin;
        }
        histogram_counters(cell)[bin]++;
    }
}

/* An edge that is 0 is not -0. */
UTET_APART static uint64_t histogram_edge(uint64_t bits)
{
    return bits == FOLD_DOUBLE_SIGN ? 0 : bits;
}

/* The range of a cell, at the front of its result. */
static void histogram_set_range(const utet_fold *fold, bins *cell, double *result)
{
    const fold_layout *layout = fold->priv.layout;
    uint64_t low = FOLD_DOUBLE_NAN;
    uint64_t high = FOLD_DOUBLE_NAN;

    if (fold->priv.has_range) {
        const utet_fold_binary *minus = &fold->priv.own.range.minus_low;

        low = histogram_edge(utet_fold_round(!minus->negative, minus->magnitude, minus->exponent, 0)); /* exact */
        high = fold->priv.own.range.high;
    } else if (cell->seen != 0) {
        low = histogram_edge(utet_fold_promote(layout, cell->range.keys.low));
        high = histogram_edge(utet_fold_promote(layout, cell->range.keys.high));
        cell->width = width_of(low, high, fold->priv.bins);
        cell->range.minus_low = utet_fold_binary_of(low ^ FOLD_DOUBLE_SIGN);
    }
    cell->seen = 1;
    result[0] = utet_fold_value(low);
    result[1] = utet_fold_value(high);
}

static int histogram_again(utet_fold *fold, double *results)
{
    uint32_t first = first_bin(fold);
    uint32_t many = in_a_pass(fold);
    size_t i;
    uint32_t bin;

    for (i = 0; i < fold->priv.cells; i++, results += fold->priv.values) {
        bins *cell = fold_cell_at(fold, i);
        uint64_t *counter = histogram_counters(cell);

        if (fold->priv.turn == 0)
            histogram_set_range(fold, cell, results);
        if (fold_finds_range(fold))
            continue;
        for (bin = first; bin < fold->priv.bins && bin - first < many; bin++)
            results[bin + 2] = utet_fold_value(utet_fold_round(0, counter[bin - first], 0, 0));
        memset(counter, 0, fold->priv.own_bytes - sizeof *cell);
    }
    return fold_finds_range(fold) || fold->priv.bins - first > many;
}

static int histogram_is_finite(uint64_t bits)
{
    return (bits & FOLD_DOUBLE_INF) != FOLD_DOUBLE_INF;
}

static const fold_turns histogram_turns = {histogram_passes, utet_fold_choose_cells, histogram_again, FOLD_BINS};

static utet_status histogram_prepare(utet_fold *fold, const utet_fold_request *request)
{
    uint32_t many = request->bins;

    fold->priv.bins = many;
    fold->priv.has_range = request->has_range;
    if (many == 0 || many > UTET_FOLD_MAX_BINS)
        return UTET_E_ARGUMENT;
    if (request->has_range) {
        const uint64_t low = histogram_edge(utet_fold_bits(request->low));
        const uint64_t high = histogram_edge(utet_fold_bits(request->high));

        if (!histogram_is_finite(low) || !histogram_is_finite(high) || utet_fold_order(low) >= utet_fold_order(high))
            return UTET_E_ARGUMENT;
        fold->priv.own.range.high = high;
        fold->priv.own.range.minus_low = utet_fold_binary_of(low ^ FOLD_DOUBLE_SIGN);
        fold->priv.own.range.width = width_of(low, high, many);
    }
    fold->priv.values = many + 2;
    fold->priv.wide_bytes = sizeof(bins) + 8 * (size_t)many;
    if (fold->priv.least_bytes > fold->priv.wide_bytes)
        fold->priv.least_bytes = fold->priv.wide_bytes;
    fold->priv.turns = &histogram_turns;
    return UTET_OK;
}

const utet_fold_operation utet_fold_histogram = {FOLD_ALL_DTYPES,   sizeof(bins) + 8u * FEW, 0,
                                                 histogram_prepare, histogram_take,          NULL};
