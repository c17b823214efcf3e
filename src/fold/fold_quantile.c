/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Median and quantile, without sorting. The key of an element is a number in the order of the values, and the key that
 * is looked for is found digit by digit: each pass counts the next digit of the elements whose higher digits are those
 * already found. The digits are as long as the cell has counters. The last pass also finds the key that follows.
 */
#include "fold.h"

#include <string.h>

typedef fold_rank rank;

#define SHORT 4u /* bits of a digit in a small cell */
#define LONG 8u
/* On 64-bit machines, a cell of MANY elements or more has 512 KB of counters, less than its elements. */
#define LONGEST (FOLD_ROOMY ? 16u : LONG)
#define MANY ((uint64_t)1 << 20)

/* q is up * 2^-down. */
static unsigned quantile_position(const utet_fold *fold, uint64_t *up)
{
    fold_element q;
    unsigned down;

    utet_fold_split(&utet_dtype_layouts[UTET_F64], fold->priv.own.q, &q);
    down = 1074u - q.shift;
    *up = q.magnitude;
    if (*up == 0)
        return 0;
    for (; down != 0 && (*up & 1) == 0; down--) /* q is at most 1 */
        *up >>= 1;
    return down;
}

/* Returns the number of words in (a * (2^down - part) + b * part), where part < 2^down. */
static unsigned words_of(const fold_layout *layout, unsigned down)
{
    return layout->sum_words + down / 32u + 4u;
}

static unsigned key_bits(const utet_fold *fold)
{
    return 8u * fold->priv.layout->bytes;
}

static unsigned digit_bits(const utet_fold *fold)
{
    unsigned bits = LONGEST;

    while (fold->priv.own_bytes < sizeof(rank) + ((size_t)8 << bits))
        bits--;
    return bits;
}

/* Returns how many bits of the key are below the digit of this pass. */
static unsigned bits_below(const utet_fold *fold)
{
    unsigned known = ((unsigned)fold->priv.turn + 1) * digit_bits(fold);

    return known < key_bits(fold) ? key_bits(fold) - known : 0;
}

/* Returns how many digits a pass tells apart: the last one may be short. */
static uint32_t digits_of(const utet_fold *fold)
{
    const unsigned left = key_bits(fold) - (unsigned)fold->priv.turn * digit_bits(fold);

    return (uint32_t)1 << (left < digit_bits(fold) ? left : digit_bits(fold));
}

static uint32_t quantile_passes(const utet_fold *fold)
{
    return (key_bits(fold) + digit_bits(fold) - 1) / digit_bits(fold);
}

static uint64_t *quantile_counters(rank *cell)
{
    return (void *)(cell + 1);
}

static void quantile_take(const fold_part *part)
{
    const fold_layout *const layout = part->layout;
    const unsigned below = bits_below(part->fold);
    const uint32_t many = digits_of(part->fold);
    /* Keys of NaN are below that of -inf or above that of inf. */
    const uint64_t first = layout->kind == FOLD_FLOAT ? ((uint64_t)1 << layout->fraction) - 1 : 0;
    const uint64_t most = fold_most(layout) - 2 * first;
    const size_t some = part->cell_step != 0 ? 1 : part->count;
    size_t i;

    if (FOLD_ROOMY && layout->bytes != 8) {
        for (i = 0; i < part->count; i += some)
            utet_fold_count_digits(part, i, some, below, many);
        return;
    }
    for (i = 0; i < part->count; i++) {
        rank *cell = (void *)(part->cell + i * part->cell_step);
        const uint64_t key = utet_fold_key(layout, utet_fold_load(layout, part->data + i * part->stride));
        uint64_t digit;

        if (key - first > most) {
            cell->nan = 1;
            continue;
        }
        if (key < cell->digits)
            continue;
        digit = (key - cell->digits) >> below;
        if (digit < many)
            quantile_counters(cell)[digit]++;
        else if (key < cell->next)
            cell->next = key;
    }
}

/* ---- after a pass ---- */

/* The fraction of a rank, which is between two elements, `part` * 2^-down of the way. */
typedef struct between {
    uint32_t part[4]; /* lowest word first */
    unsigned down;
} between;

/* Returns the rank of q among `count` elements, and the fraction above it. */
static uint64_t place_of(const utet_fold *fold, uint64_t count, between *at)
{
    uint64_t up;
    uint64_t whole = 0;
    unsigned i = 4;

    at->down = quantile_position(fold, &up);
    at->part[0] = (uint32_t)(count - 1);
    at->part[1] = (uint32_t)((count - 1) >> 32);
    at->part[2] = 0;
    at->part[3] = 0;
    utet_fold_wide_multiply(at->part, 4, up);
    while (i-- != 0 && at->down < 32 * (i + 1)) { /* the word has bits of the whole part */
        const unsigned below = at->down > 32 * i ? at->down - 32 * i : 0;

        whole = whole << (32 - below) | at->part[i] >> below;
        at->part[i] &= ((uint32_t)1 << below) - 1;
    }
    return whole;
}

/* words += element * part, or -= */
static void add_part(uint32_t *words, unsigned count, const fold_element *element, const between *at, unsigned negative)
{
    unsigned i;

    for (i = 0; i < 4; i++)
        utet_fold_wide_add_product(words, count, element->shift + 32 * i, element->magnitude, at->part[i], negative);
}

/* The value between the elements of two keys, by its bits. */
static uint64_t quantile_interpolate(const fold_layout *layout, uint64_t from, uint64_t to, const between *at,
                                     uint32_t *words)
{
    unsigned count = words_of(layout, at->down);
    fold_element a;
    fold_element b;
    fold_number number;
    unsigned negative;

    if ((at->part[0] | at->part[1] | at->part[2] | at->part[3]) == 0 || from == to)
        return utet_fold_promote(layout, from);
    utet_fold_split(layout, utet_fold_unkey(layout, from), &a);
    utet_fold_split(layout, utet_fold_unkey(layout, to), &b);
    if (a.special != FOLD_FINITE && b.special != FOLD_FINITE)
        return FOLD_DOUBLE_NAN;
    if (a.special != FOLD_FINITE)
        return utet_fold_promote(layout, from);
    if (b.special != FOLD_FINITE)
        return utet_fold_promote(layout, to);
    memset(words, 0, 4u * (size_t)count);
    utet_fold_wide_add(words, count, a.shift + at->down, a.magnitude, a.negative);
    add_part(words, count, &a, at, !a.negative);
    add_part(words, count, &b, at, b.negative);
    negative = utet_fold_wide_absolute(words, count);
    utet_fold_number_of(&number, words, count, layout->lowest - (int32_t)at->down);
    return utet_fold_number_round(&number, negative);
}

/* Stores the digit of this pass in the cell, whose `place` becomes the rank among the elements with it, and the next
 * key. If the medium has given fewer elements than in the pass before, there is no such digit, and the result will be
 * NaN. */
UTET_APART static void find_digit(rank *cell, unsigned below, unsigned many)
{
    uint64_t *counter = quantile_counters(cell);
    unsigned digit = 0;
    unsigned next;

    while (digit < many && cell->place >= counter[digit])
        cell->place -= counter[digit++];
    if (digit == many) {
        cell->nan = 1;
        return;
    }
    next = digit;
    if (cell->place + 1 == counter[digit])
        do
            next++;
        while (next < many && counter[next] == 0);
    if (next < many)
        cell->next = cell->digits + ((uint64_t)next << below);
    cell->digits += (uint64_t)digit << below;
}

/* 1: the cell needs a further pass. */
static int quantile_narrow(const utet_fold *fold, rank *cell)
{
    unsigned many = 1u << digit_bits(fold);
    unsigned below = bits_below(fold);
    between at;
    unsigned i;

    if (fold->priv.turn == 0) {
        for (i = 0; i < many; i++)
            cell->count += quantile_counters(cell)[i];
        if (cell->count != 0)
            cell->place = place_of(fold, cell->count, &at);
    }
    if (cell->count == 0 || cell->nan != 0)
        return 0;
    find_digit(cell, below, many);
    if (below == 0)
        return 0;
    memset(quantile_counters(cell), 0, (size_t)8 << digit_bits(fold));
    cell->next = UINT64_MAX;
    return 1;
}

static int quantile_again(utet_fold *fold, double *results)
{
    const fold_layout *layout = fold->priv.layout;
    int more = 0;
    size_t i;

    for (i = 0; i < fold->priv.cells; i++)
        more |= quantile_narrow(fold, fold_cell_at(fold, i));
    if (more)
        return 1;
    for (i = 0; i < fold->priv.cells; i++) {
        rank *cell = fold_cell_at(fold, i);
        uint64_t bits = FOLD_DOUBLE_NAN;
        between at;

        if (cell->count != 0 && cell->nan == 0) {
            (void)place_of(fold, cell->count, &at);
            if (cell->next == UINT64_MAX && key_bits(fold) < 64)
                cell->next = cell->digits; /* that one was not there any more */
            bits = quantile_interpolate(layout, cell->digits, cell->next, &at, (void *)quantile_counters(cell));
        }
        results[i] = utet_fold_value(bits);
    }
    return 0;
}

/* ---- opening ---- */

static const fold_turns quantile_turns = {quantile_passes, utet_fold_choose_cells, quantile_again, FOLD_RANKS};

/* Returns how many elements a cell has at most. */
static uint64_t quantile_most(const utet_fold_request *request)
{
    uint64_t most = 1;
    unsigned d;

    for (d = 0; d < request->dataset->ndim; d++) {
        const utet_range *range = &request->ranges[d]; /* any numbers; the slab refuses an invalid range */

        if ((request->axes >> d & 1) != 0 && range->step != 0 && range->start < range->stop)
            most = utet_mul(most, utet_div(range->stop - range->start - 1, range->step) + 1);
    }
    return most;
}

#define RANK_BYTES (sizeof(rank) + (8u << SHORT))

static utet_status quantile_prepare(utet_fold *fold, const utet_fold_request *request, uint64_t q)
{
    const fold_layout *layout = fold->priv.layout;
    uint64_t up;
    size_t wide;

    fold->priv.own.q = q == FOLD_DOUBLE_SIGN ? 0 : q;
    if (fold->priv.own.q > FOLD_DOUBLE_ONE)
        return UTET_E_ARGUMENT;
    wide = sizeof(rank) + (((size_t)words_of(layout, quantile_position(fold, &up)) * 4 + 7) & ~(size_t)7);
    if (fold->priv.least_bytes < wide)
        fold->priv.least_bytes = wide;
    fold->priv.wide_bytes = sizeof(rank) +
                            ((size_t)8 << (FOLD_ROOMY && quantile_most(request) >= MANY ? LONGEST : LONG));
    fold->priv.turns = &quantile_turns;
    return UTET_OK;
}

static utet_status prepare_quantile(utet_fold *fold, const utet_fold_request *request)
{
    return quantile_prepare(fold, request, utet_fold_bits(request->q));
}

static utet_status prepare_median(utet_fold *fold, const utet_fold_request *request)
{
    return quantile_prepare(fold, request, utet_fold_round(0, 1, -1, 0));
}

const utet_fold_operation utet_fold_median = {FOLD_ALL_DTYPES, RANK_BYTES, 0, prepare_median, quantile_take, NULL};
const utet_fold_operation utet_fold_quantile = {FOLD_ALL_DTYPES, RANK_BYTES, 0, prepare_quantile, quantile_take, NULL};
