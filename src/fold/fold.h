/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of this component share: elements taken apart, integers as wide as an exact sum, rounding, and what an
 * operation is. All arithmetic is on integers, so the machine's floating point cannot change a result. Internal to the
 * library.
 */
#ifndef UTET_FOLD_INNER_H
#define UTET_FOLD_INNER_H

#include "../base/base.h"
#include "utet_fold.h"

/* ---- elements (fold_element.c) ---- */

enum { FOLD_UNSIGNED = UTET_UNSIGNED, FOLD_SIGNED = UTET_SIGNED, FOLD_FLOAT = UTET_FLOAT };

/* The layout of a dtype, from utet.h's list, and the width of its exact sums: 32-bit words for 2^64 elements. A wide
 * integer counts in units of 2^lowest; one of squares in units of 4^lowest, with room for a factor of 2^64 (var). */
typedef struct fold_layout {
    uint64_t sign; /* the highest bit that the dtype has */
    uint8_t bytes;
    uint8_t kind;
    uint8_t fraction; /* bits of a float's fraction */
    uint8_t sum_words;
    uint8_t square_words;
    int16_t lowest;
} fold_layout;

extern const fold_layout utet_dtype_layouts[UTET_DTYPE_END];

enum { FOLD_FINITE = 0, FOLD_NAN = 1, FOLD_INF = 2 };

/* An element's value is magnitude * 2^(lowest + shift), with its sign. */
typedef struct fold_element {
    uint64_t magnitude;
    uint16_t shift;
    uint8_t negative;
    uint8_t special; /* FOLD_NAN, FOLD_INF */
} fold_element;

uint64_t utet_fold_load(const fold_layout *layout, const uint8_t *at);

/* The lower `size` bytes, as an element is stored. */
static inline void fold_store(uint8_t *to, unsigned size, uint64_t bits)
{
    unsigned i;

    for (i = 0; i < size; i++, bits >>= 8)
        to[i] = (uint8_t)bits;
}

void utet_fold_split(const fold_layout *layout, uint64_t bits, fold_element *element);
/* Keys are integers in the order of the values: -NaN, -inf, …, -0, 0, …, inf, NaN. Each its own inverse's argument. */
uint64_t utet_fold_key(const fold_layout *layout, uint64_t bits);
uint64_t utet_fold_unkey(const fold_layout *layout, uint64_t key);

/* The largest key, and the bits that the dtype has. */
static inline uint64_t fold_most(const fold_layout *layout)
{
    return layout->sign * 2 - 1;
}

static inline int fold_is_nan(const fold_layout *layout, uint64_t bits)
{
    uint64_t most = layout->sign - 1; /* all bits but the sign */

    return layout->kind == FOLD_FLOAT && (bits & most) > most >> layout->fraction << layout->fraction;
}

/* Returns how many of count >= 1 elements come before the first one whose bits are in the arc (fold_hot.c). */
size_t utet_fold_scan(const fold_layout *layout, const uint8_t *data, size_t count, size_t stride,
                      const utet_fold_arc *arc);

/* The bits of the double nearest to the element of this key; a NaN keeps its sign. */
uint64_t utet_fold_promote(const fold_layout *layout, uint64_t key);

/* ---- doubles by their bits (fold_double.c) ---- */

#define FOLD_DOUBLE_NAN 0x7FF8000000000000u
#define FOLD_DOUBLE_INF 0x7FF0000000000000u
#define FOLD_DOUBLE_ONE 0x3FF0000000000000u
#define FOLD_DOUBLE_SIGN 0x8000000000000000u

/* magnitude * 2^exponent, and a little more when `more`, rounded to nearest, ties to even. */
uint64_t utet_fold_round(unsigned negative, uint64_t magnitude, int32_t exponent, unsigned more);
uint64_t utet_fold_bits(double value);
double utet_fold_value(uint64_t bits);
/* The rank of a double in the order of all doubles, as utet_fold_key. */
uint64_t utet_fold_order(uint64_t bits);

/* ---- multi-word integers (fold_wide.c) ----
 * Two's complement, lowest word first. */

/* Adds or subtracts magnitude << shift; at least three of the `count` words are at or above its lowest bit. */
void utet_fold_wide_add(uint32_t *words, unsigned count, unsigned shift, uint64_t magnitude, unsigned negative);
/* words += others */
void utet_fold_wide_join(uint32_t *words, const uint32_t *others, unsigned count);
/* Adds an integer of 64 bits in two's complement. */
void utet_fold_wide_add_signed(uint32_t *words, unsigned count, uint64_t value);
/* Makes it positive; 1 when it was negative. */
unsigned utet_fold_wide_absolute(uint32_t *words, unsigned count);
/* Adds or subtracts (a * b) << shift; as for utet_fold_wide_add, for the highest bit of the product. */
void utet_fold_wide_add_product(uint32_t *words, unsigned count, unsigned shift, uint64_t a, uint64_t b,
                                unsigned negative);

/* The 192 highest bits of a multi-word integer, the first of them not 0 (unless all are), lowest word first; more:
 * lower bits are not 0. Its value is digits * 2^exponent. */
#define FOLD_DIGITS 6
typedef struct fold_number {
    uint32_t digit[FOLD_DIGITS];
    int32_t exponent;
    unsigned more;
} fold_number;

/* The highest 64 bits; *more: lower bits are not 0. */
static inline uint64_t fold_number_high(const fold_number *number, unsigned *more)
{
    const uint32_t *digit = number->digit;

    *more = number->more | ((digit[3] | digit[2] | digit[1] | digit[0]) != 0);
    return (uint64_t)digit[5] << 32 | digit[4];
}

/* The words may be the number's own digits. */
void utet_fold_number_of(fold_number *number, const uint32_t *words, unsigned count, int32_t lowest);
/* 0 < by < 2^63, as all counts are. Of 192 bits two divisions leave at least 64, as fold_number_high needs. Digits
 * below `lowest` are not divided: FOLD_ONCE is enough for one division, which leaves 64 of 128 bits. */
#define FOLD_ONCE 2
void utet_fold_number_divide(fold_number *number, uint64_t by, unsigned lowest);
uint64_t utet_fold_number_round(const fold_number *number, unsigned negative);
uint64_t utet_fold_number_root(const fold_number *number);

/* words *= by */
void utet_fold_wide_multiply(uint32_t *words, unsigned count, uint64_t by);

/* ---- numbers of 53 bits (fold_binary.c) ---- */

/* Rounded as utet_fold_round does. */
utet_fold_binary utet_fold_fit(uint64_t magnitude, int32_t exponent, unsigned negative, unsigned more);
utet_fold_binary utet_fold_binary_of(uint64_t bits);
utet_fold_binary utet_fold_binary_near(const fold_number *number);
utet_fold_binary utet_fold_binary_multiply(const utet_fold_binary *a, const utet_fold_binary *b);
/* *to += *by. A sum of 0 has no sign, unless one of both is 0: then it is the other one. */
void utet_fold_binary_add(utet_fold_binary *to, const utet_fold_binary *by);

/* ---- operations ---- */

/* The head of a cell of sums: NaN and infinities apart; the sum's 32-bit words follow. Other operations have cells
 * with a layout of their own. A cell begins as zeros. */
typedef struct fold_cell {
    uint64_t count;
    uint32_t seen;    /* FOLD_SEEN_…; of waiting elements the sum, each after an exclusive or with its sign bit */
    uint32_t waiting; /* 2^16 for each small integer that is neither in count nor in the words yet (utet_fold_spread) */
} fold_cell;

static inline uint32_t *fold_words(fold_cell *cell)
{
    return (void *)(cell + 1);
}

enum { FOLD_SEEN_NAN = 1, FOLD_SEEN_MORE = 2 /* inf */, FOLD_SEEN_LESS = 4 /* -inf */ };

typedef utet_fold_elements fold_part;

/* 1: there is room for more loops of their own (fold_ranks.c). Microcontrollers have none. */
#define FOLD_ROOMY (SIZE_MAX > UINT32_MAX)

struct utet_fold_operation {
    uint16_t dtypes; /* bit by tag; and FOLD_PLACES */
    uint8_t bytes;   /* size of a cell without its sums, a multiple of 8 bytes */
    uint8_t detail;  /* what tells operations apart that share functions; and FOLD_SUMS, FOLD_SQUARES */
    utet_status (*prepare)(utet_fold *fold, const utet_fold_request *request); /* or null */
    void (*take)(const fold_part *part);
    uint64_t (*finish)(const utet_fold *fold, const fold_layout *layout, void *cell);
};

#define FOLD_ALL_DTYPES ((1u << UTET_DTYPE_END) - 2)
#define FOLD_PLACES 0x8000u /* cells are fold_extremes, and indices are the result */
#define FOLD_SUMS 0x40u     /* a cell has layout->sum_words */
#define FOLD_SQUARES 0x80u  /* a cell has layout->square_words */

static inline size_t fold_operation_bytes(const utet_fold_operation *operation, const fold_layout *layout)
{
    size_t bytes = operation->bytes;

    if ((operation->detail & FOLD_SUMS) != 0)
        bytes += 4u * layout->sum_words;
    if ((operation->detail & FOLD_SQUARES) != 0)
        bytes += 4u * layout->square_words;
    return bytes;
}

/* utet_fold_merge derives the layout of a cell from its operation: with FOLD_SUMS or FOLD_SQUARES a fold_cell
 * and the sum's words, with the size of a fold_extreme one of these; else numbers of 64 bits, which are added. An
 * operation with turns, or with an order, may have another one.
 *
 * The cell of an extreme. */
typedef struct fold_extreme {
    uint32_t any; /* 0: no element yet */
    uint32_t spare;
    uint64_t key; /* in descending order for max; NaN is last */
    uint64_t place;
} fold_extreme;

enum { FOLD_GREATEST = 1, FOLD_INDEX = 2 }; /* detail of extremes: the largest element; its index is the result */

/* An operation that reads the boxes of its results several times, or has several numbers in a result, has these
 * functions instead of finish; its prepare sets priv.turns. */
typedef struct fold_turns {
    uint32_t (*passes)(const utet_fold *fold);      /* at most, with cells of priv.own_bytes */
    void (*choose)(utet_fold *fold, size_t memory); /* utet_fold_choose_cells */
    /* After a pass: 1: another one is needed; 0: the results of all cells of the box were written. */
    int (*again)(utet_fold *fold, double *results);
    /* The cells of priv.own_bytes, for fold_merge.c. */
    enum { FOLD_OTHERS, FOLD_RANKS, FOLD_BINS } cells;
} fold_turns;

/* How far a part of a divided fold or matrix is (priv.state of its share). READ: the cells are there, and have not been
 * merged yet. FOLLOWED: all are merged, and the other parts get the cells for the next pass. OVER: the cells were
 * merged or finished. */
enum { FOLD_PART_TO_READ, FOLD_PART_READ, FOLD_PART_JOINING, FOLD_PART_FOLLOWED, FOLD_PART_OVER };

static inline void *fold_cell_at(const utet_fold *fold, size_t cell)
{
    return fold->priv.file->priv.work + fold->priv.slab_bytes + cell * fold->priv.cell_bytes;
}

/* Adds the waiting elements of a cell to its count and its sum. */
void utet_fold_cell_settle(const fold_layout *layout, fold_cell *cell);
/* NaN, infinity, or 0 when the sum of what the cell has seen is finite. */
uint64_t utet_fold_cell_special(const fold_cell *cell);
/* Splits element i of the part and counts it in its cell. Returns the cell, to which the caller adds the element; NULL:
 * it is not finite, which the cell remembers. */
fold_cell *utet_fold_cell_enter(const fold_part *part, size_t i, unsigned detail, fold_element *element);

enum { FOLD_ABSOLUTE = 1, FOLD_WITHOUT_NAN = 2, FOLD_ROOT = 4 }; /* detail of sums */

/* Sums of integers are taken without the cell if the elements have at most 32 bits. */
static inline int fold_is_narrow(const fold_layout *layout)
{
    return layout->kind != FOLD_FLOAT && layout->bytes != 8;
}

/* How many elements of the part from number i on are added up before the cell is touched: those of one cell, and so few
 * that integers of 16 bits cannot overflow 32. */
static inline size_t fold_stretch(const fold_part *part, size_t i)
{
    size_t count = part->cell_step != 0 ? 1 : part->count - i;

    return count < 0x8000u ? count : 0x8000u;
}

static inline uint64_t fold_widen(uint32_t total)
{
    return (uint64_t)total - ((uint64_t)(total & 0x80000000u) << 1);
}

/* Sums of at most 2^15 elements (fold_narrow_hot.c): wrapped to 32 bits, or in two's complement. */
uint32_t utet_fold_total_u8(const uint8_t *data, size_t count, size_t stride);
uint32_t utet_fold_total_u16(const uint8_t *data, size_t count, size_t stride);
uint32_t utet_fold_total_i16(const uint8_t *data, size_t count, size_t stride);
uint64_t utet_fold_total_u32(const uint8_t *data, size_t count, size_t stride);
uint64_t utet_fold_total_i32(const uint8_t *data, size_t count, size_t stride);

/* The sum of such elements, and that of their squares, high * 2^32 + low, two numbers below 2^48. */
typedef struct fold_squares {
    uint64_t total; /* two's complement */
    uint64_t low;
    uint64_t high;
} fold_squares;

void utet_fold_squares(fold_squares *of, const fold_part *part, size_t from, size_t count);
/* Adds integers of up to 16 bits to the waiting elements of a cell each, from number `from` of the part on. Returns the
 * number of the element whose cell has to be settled before another one is added; part->count: none. */
size_t utet_fold_spread(const fold_part *part, size_t from);
/* Counts elements of 32 bits in a cell each that they do not replace, from number `from` of the part on. Returns the
 * number of the first one that may replace its cell's, or whose cell is empty; part->count: there is none. */
size_t utet_fold_pass_worse(const fold_part *part, size_t from, unsigned detail);
/* Of f32 with a cell each, finds the first one from number `from` of the part on that may replace its
 * cell's, or whose cell has none. Returns its number; part->count: there is none. */
size_t utet_fold_first_better(const fold_part *part, size_t from, unsigned detail);
/* Adds f32 to their cells, from number `from` of the part on, up to the first one that is subnormal, infinite or NaN.
 * Returns how many. sign: the bit that makes them negative, or 0. */
size_t utet_fold_add_f32(const fold_part *part, size_t from, uint32_t sign);
/* The same for f64. Returns the number of the first element not added. */
size_t utet_fold_add_f64(const fold_part *part, size_t from, uint32_t sign);
/* The same for squares and, after them, sums if requested. Returns the number of the first element not added. */
size_t utet_fold_square_f32(const fold_part *part, size_t from, int sums);
/* Adds f32 to the cells of their groups. The first one has this index on the axis of the map; cuts: the groups of the
 * box. Returns how many come before the first one that is subnormal, infinite or NaN. */
size_t utet_fold_group_f32(const fold_part *part, const utet_fold_axis *map, uint64_t index, const utet_fold_cuts *cuts,
                           uint32_t sign);

/* The cell of a quantile. Its counters follow it; in the end they make room for a multi-word integer. */
typedef struct fold_rank {
    uint64_t count;
    uint64_t place;  /* the wanted rank among the elements with these digits */
    uint64_t digits; /* the smallest key with the digits found so far */
    uint64_t next;   /* the smallest key above all keys with these digits */
    uint64_t nan;
} fold_rank;

/* The cell of a histogram. Its counters follow it. */
typedef struct fold_bins {
    union {
        struct {
            uint64_t low, high; /* keys of elements, while the range is looked for */
        } keys;
        utet_fold_binary minus_low; /* then: what elements are taken from, with the other sign */
    } range;
    utet_fold_binary width; /* 0: all are in bin 0 */
    uint64_t seen;
} fold_bins;

/* The range of the cell is being looked for in this turn. */
static inline int fold_finds_range(const utet_fold *fold)
{
    return !fold->priv.has_range && fold->priv.turn == 0;
}

static inline void fold_widen_range(fold_bins *cell, uint64_t low, uint64_t high)
{
    if (cell->seen == 0 || low < cell->range.keys.low)
        cell->range.keys.low = low;
    if (cell->seen == 0 || high > cell->range.keys.high)
        cell->range.keys.high = high;
    cell->seen = 1;
}

/* Counts the digits of `count` elements of up to 32 bits in the cell of the first one (fold_ranks.c): `many` digits,
 * which have `below` bits of the key below them. */
void utet_fold_count_digits(const fold_part *part, size_t from, size_t count, unsigned below, uint32_t many);

/* Returns the number of the first element of the part, which has up to 32 bits, from number `from` on whose key is not
 * in the range; part->count: there is none. */
size_t utet_fold_pass_between(const fold_part *part, size_t from, uint32_t low, uint32_t high);

/* Finds bins without exact arithmetic. Values are integers in some unit, cut off, less than FOLD_UNITS. The distance
 * from the smallest value, times `by` * 2^-32, has the number of the bin above `bits` bits. It is wrong by less than 5:
 * the distance is wrong by 2, `by` by 1, and the product by 1. Within FOLD_NEAR / 2 of the boundary of two bins the
 * exact bin is needed. */
typedef struct fold_scale {
    size_t counters;      /* bytes of a cell before them */
    uint32_t low;         /* two's complement */
    uint32_t by;          /* 2^(32 + bits) / a bin's width */
    uint32_t most;        /* the largest magnitude, as an element's bits, that is less than FOLD_UNITS */
    uint32_t down;        /* bits by which an integer or subnormal is moved down, after it was moved up */
    uint32_t last;        /* bin */
    uint32_t first, many; /* the bins that are counted */
    uint8_t up;
    uint8_t bits;
} fold_scale;

#define FOLD_NEAR 16u
#define FOLD_UNITS ((uint32_t)1 << 30)

/* Counts the bins of elements of up to 32 bits, except those of NaN. Returns the number of the first one from number
 * `from` on whose exact bin is needed; part->count: there is none. */
size_t utet_fold_count_bins(const fold_part *part, size_t from, const fold_scale *scale);

/* Finds the keys of all elements whose double is in the range from `from` to `to` of utet_fold_order, at most that of
 * infinity; *first > *last: there are none (fold_interval.c). */
void utet_fold_interval(const fold_layout *layout, uint64_t from, uint64_t to, uint64_t *first, uint64_t *last);

/* The whole part of the magnitude of a double with these bits and its rest (utet_fold_filter.rest); *more is set to 1
 * if the double has a fraction. 0: it is 2^64 or more, or no number (fold_whole.c). */
int utet_fold_whole_part(uint64_t number, int rest, uint64_t *whole, unsigned *more);
/* The element of an integer dtype that equals the double with these bits and its rest; 0: there is none. -0 is taken as
 * 0. */
#define FOLD_MOST_REST 1024
int utet_fold_whole(const fold_layout *layout, uint64_t number, int rest, uint64_t *element);

/* file->priv.busy */
enum {
    UTET_CALL_FOLD_NEED = 0x30,
    UTET_CALL_FOLD_OPEN,
    UTET_CALL_MATRIX_NEED,
    UTET_CALL_MATRIX_OPEN,
    UTET_CALL_TRANSFORM_NEED,
    UTET_CALL_TRANSFORM_OPEN,
    UTET_CALL_FOLD_RUN = 0x30 | UTET_CALL_WORKSPACE,
    UTET_CALL_MATRIX_RUN,
    UTET_CALL_TRANSFORM_RUN
};

/* ---- what folds and matrices do around their slab ---- */

/* Sets a range of `count` indices, `step` apart. */
static inline void fold_places(utet_range *range, uint64_t start, uint64_t step, uint64_t count)
{
    range->start = start;
    range->stop = start + (count != 0 ? (count - 1) * step + 1 : 0);
    range->step = step;
}

/* Returns nonzero if the selected indices of an axis are in several tiles. */
static inline int fold_across(const utet_fold *fold, unsigned d)
{
    const utet_fold_span *span = &fold->box.axis[d];
    uint64_t extent = fold->priv.dataset->chunk_shape[d];
    uint64_t last = span->start + (span->count - 1) * span->step;

    if (fold->box.slab.count == 0) /* the extent may be 0 */
        return 0;
    return utet_div(span->start, extent) != utet_div(last, extent);
}

/* ---- the fold (fold.c) ---- */

/* The functions of a grouping that replace the fold's own functions of these names (fold_cuts.c). */
typedef struct fold_shape {
    void (*set_boxes)(utet_fold *fold, uint64_t room);
    void (*set_box)(utet_fold *fold);
    int (*next_box)(utet_fold *fold, uint8_t stays);
    /* Of box.part, which is all of box.run, the first part with its cells; then the next one. 0: there is none. */
    int (*first_part)(utet_fold *fold);
    int (*next_part)(utet_fold *fold);
    void (*count)(const fold_part *part); /* its elements pass */
    /* Writes a result every priv.values doubles. Of an operation with turns: the counts only. */
    void (*finish)(utet_fold *fold, double *results);
} fold_shape;

extern const fold_shape utet_cut_fold;

static inline int fold_windowed(const utet_fold_grouping *by, unsigned d)
{
    return by->window.size != 0 && by->window.axis == d;
}

/* The bytes of a window's, group's or pane's cell, with its count. */
static inline size_t fold_bytes_each(const utet_fold *fold)
{
    return fold->priv.own_bytes + (fold->priv.extra_bytes != 0 ? sizeof(uint64_t) : 0);
}

/* Adds a cell of the fold to another one, with its count (fold_add.c). */
void utet_fold_add_cell(const utet_fold *fold, uint8_t *into, uint8_t *from);
/* Windows that overlap (fold_slide.c): finds the first elements of the run that are in one pane, or in one each; then
 * the next ones. 0: there are none. */
int utet_fold_first_pane(const utet_fold *fold, utet_fold_grouping *by);
int utet_fold_next_pane(const utet_fold *fold, utet_fold_grouping *by);
/* After a box has been read: makes the cells of its windows. */
void utet_fold_slide(utet_fold *fold);

/* Sets grouping->priv.at.cut to the intervals of an axis (fold_cuts.c). */
const utet_fold_cut *utet_fold_look(const utet_fold *fold, unsigned d);

/* Does the work of utet_fold_run when no pieces are requested. */
utet_status utet_fold_run_all(utet_fold *fold, double *results, size_t size);
/* Divides the memory after the slab's minimum into cells of `each` bytes: sets the numbers of cells and of blocks. */
uint64_t utet_fold_set_cells(utet_fold *fold, size_t memory, size_t each);
/* For operations in several passes: wide cells or many, whichever reads less (fold_turns.c). */
void utet_fold_choose_cells(utet_fold *fold, size_t memory);
/* Need, boxes, and where the cells go, for priv.least_bytes, extra_bytes and results. Of a fold that is READY:
 * UTET_E_BUDGET when there is too little memory. */
utet_status utet_fold_plan(utet_fold *fold, utet_file *file);
/* All elements of the part, which pass. */
void utet_fold_take(utet_fold *fold, fold_part *part);
/* Those that pass; the part may come back moved on. */
static inline void fold_take_passing(utet_fold *fold, fold_part *part)
{
    if (fold->priv.take != NULL)
        fold->priv.take(fold, part);
    else
        utet_fold_take(fold, part);
}

/* priv.state. ASKED: the need is known. A box is the FIRST for its results, whose cells begin as zeros, or a
 * FURTHER one. BETWEEN: utet_fold_pieces requested pieces, and one has been delivered. JOIN: all sums of a matrix's
 * blocks have been computed. */
enum { FOLD_CLOSED, FOLD_ASKED, FOLD_OVER, FOLD_READY, FOLD_BETWEEN, FOLD_FIRST, FOLD_FURTHER, FOLD_RUN, FOLD_JOIN };

#endif
