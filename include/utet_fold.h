/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * microtet, optional: sums, means, extremes and other reductions of a selection, without reading it into memory.
 *
 * A fold reads a selection (as a slab does, utet.h), keeps the elements that pass a filter, and brings them together:
 * all of them into one number, or those along some axes, which leaves an array of numbers. The caller fills in a
 * utet_fold_request, opens the fold, and runs it.
 *
 * The same bits everywhere: an answer depends on the selected values alone, not on tiles, order of rows, budget, port
 * or machine. Sums are added up exactly, in integers as wide as the dtype asks for, and rounded once. So sum, mean,
 * var, std, norm_l1, norm_l2, nan_mean and nan_std are the double that is nearest to the exact value (ties to even).
 *
 * Memory: a cell for each result lies in the workspace, behind what the slab needs. It has UTET_FOLD_CELL bytes at
 * most, 8 more with windows or counts, and may have more where that spares passes (utet_fold.passes). With fewer cells
 * than results, the fold reads the selection in several consecutive blocks: utet_fold.boxes is their number. The
 * results go to an array of the caller.
 */
#ifndef UTET_FOLD_H
#define UTET_FOLD_H

#include "utet.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __ELF__
#pragma GCC visibility push(default)
#endif

/* The largest cell that an operation needs, bytes: that of var of f64. */
#define UTET_FOLD_CELL 832u

/* Most bins of a histogram. */
#define UTET_FOLD_MAX_BINS 4096u

/* For utet_fold_request.axes: one result for the whole selection. */
#define UTET_FOLD_ALL 0xFFu

/*
 * What is done with the elements. A program links the operations that it names. n is the number of elements that pass
 * the filter. Where n is 0, the result is 0, unless said otherwise.
 */
typedef struct utet_fold_operation utet_fold_operation;

extern const utet_fold_operation utet_fold_sum;
extern const utet_fold_operation utet_fold_mean;     /* sum / n */
extern const utet_fold_operation utet_fold_norm_l1;  /* sum of absolute values */
extern const utet_fold_operation utet_fold_norm_l2;  /* root of the sum of squares */
extern const utet_fold_operation utet_fold_var;      /* population variance; 0 when n is 1 */
extern const utet_fold_operation utet_fold_std;      /* its root */
extern const utet_fold_operation utet_fold_nan_mean; /* mean of what is not NaN; NaN when there is none */
extern const utet_fold_operation utet_fold_nan_std;  /* std of what is not NaN; NaN when there is none */

/* NaN is skipped, unless all elements are NaN; -0 is less than 0. */
extern const utet_fold_operation utet_fold_min;
extern const utet_fold_operation utet_fold_max;
/* The least row-major place, counted along the reduced axes of the selection, where the extreme is. -0 equals 0. */
extern const utet_fold_operation utet_fold_arg_min;
extern const utet_fold_operation utet_fold_arg_max;

extern const utet_fold_operation utet_fold_count; /* n, NaN included */
extern const utet_fold_operation utet_fold_nan_count;
extern const utet_fold_operation utet_fold_inf_count;
extern const utet_fold_operation utet_fold_null_count; /* equal to request.counted, or else to request.fill */
extern const utet_fold_operation utet_fold_all_finite; /* 1 or 0; 1 when n is 0 */
extern const utet_fold_operation utet_fold_any_nan;    /* 1 or 0 */
extern const utet_fold_operation utet_fold_any_inf;    /* 1 or 0 */

/* The product in row-major order; 1 when n is 0. Each step is rounded to 53 bits, the exponent is not limited until the
 * end. Where tiles lie across that order, they are read several times: see utet_fold.boxes. */
extern const utet_fold_operation utet_fold_product;

/*
 * The element in the middle of the order, and the one at request.q of it, 0 to 1: its place is q * (n - 1), counted
 * from 0. Between two places lies the exact value between their elements, rounded once. Any NaN among the elements, or
 * n = 0: NaN; a filter with IS_NOT_NULL leaves NaN out. The selection is read several times: see utet_fold.passes.
 */
extern const utet_fold_operation utet_fold_median; /* q = 0.5 */
extern const utet_fold_operation utet_fold_quantile;

/*
 * How many elements are in each of request.bins bins of equal width. A result is bins + 2 doubles: the least and the
 * greatest edge, and the counts. An element x is in bin floor((x - low) / width), as IEEE 754 rounds the difference,
 * the quotient, and width = (high - low) / bins; but no exponent is too large. What lies below the first bin or above
 * the last one counts there; NaN is in no bin. Where high - low is less than 2^-52, all are in bin 0.
 */
extern const utet_fold_operation utet_fold_histogram;

/* The same as utet_fold_sum and utet_fold_mean, for i16 alone: less code, and cells of 16 bytes. NaN for 2^48 elements
 * and more. */
extern const utet_fold_operation utet_fold_sum_i16;
extern const utet_fold_operation utet_fold_mean_i16;

/* Set to 0 what is not used. Everything that is pointed to stays the caller's; the dataset must outlive the fold, the
 * request and the ranges need to stay until utet_fold_open has ended. */
typedef struct utet_fold_request {
    const utet_dataset *dataset;
    const utet_range *ranges; /* the selection: dataset->ndim of them, as for utet_slab_open */
    const utet_fold_operation *operation;
    uint32_t axes;    /* bit d: axis d is reduced. The others stay, in their order. Bits from ndim on are ignored */
    uint8_t has_fill; /* not 0: fill is a value that means "no value" (null) */
    double fill; /* of floats: compared with the element as a double, by bits; a NaN stands for every NaN. Write the
                         fill of an f32 dataset as an f32: (double)99.9f. Integers are compared exactly */
    /* null_count: not 0: it counts the elements equal to `counted`, compared as fill is; 0: those equal to fill.
       Filters always use fill, and pads unless the window has a fill of its own */
    uint8_t has_counted;
    double counted;
    double q;          /* quantile: 0 to 1 */
    uint16_t bins;     /* histogram: 1 to UTET_FOLD_MAX_BINS */
    uint8_t has_range; /* histogram: not 0: its edges are low to high, finite, low < high. 0: the least to the greatest
                          finite element of each result; NaN when there is none */
    double low, high;
    /* Of integers, what fill and counted have beyond their doubles, as utet_fold_filter.rest; above 1024: no integer is
       equal to it, because it has a fraction. */
    int16_t fill_rest, counted_rest;
} utet_fold_request;

/* tests, for utet_fold_filter; each one that is named must hold. An element is null when it is NaN or equal to the
 * request's fill. Null passes NE and IS_NULL, and no other test. */
enum {
    UTET_FOLD_EQ = 1, /* equal by the bits of the double: 0 is not -0 */
    UTET_FOLD_NE = 2, /* not EQ */
    UTET_FOLD_LT = 4,
    UTET_FOLD_LE = 8,
    UTET_FOLD_GT = 16,
    UTET_FOLD_GE = 32,
    UTET_FOLD_IS_NULL = 64,
    UTET_FOLD_IS_NOT_NULL = 128,
    UTET_FOLD_RESTS = 256,   /* no test: the filter's rest is read */
    UTET_FOLD_FRACTION = 512 /* no test; << i: number i has a fraction that its double has not, see rest */
};

/*
 * Floats are compared as doubles, integers exactly, also i64 and u64 beyond 2^53: with the number and its rest. The
 * numbers are finite. Where double has 32 bits, integers are exact to 2^24.
 */
typedef struct utet_fold_filter {
    uint32_t tests;
    double eq, ne, lt, le, gt, ge; /* each is read when its test is named */
    int16_t
        rest[6]; /* the rest of each number, in this order, read with UTET_FOLD_RESTS: an integer less its double, -1024
                        to 1024; 0 where the double is below 2^53. 2^53 + 1 is the double 2^53 with the rest 1. With
                        UTET_FOLD_FRACTION << i the number's magnitude lies between that and the next whole number:
                        2^53 + 1.5 has the double 2^53 + 2, the rest -1, and a fraction */
} utet_fold_filter;

/* modes, pads and alignments of windows */
enum { UTET_FOLD_BINS = 0, UTET_FOLD_ROLLING = 1 };
enum { UTET_FOLD_PAD_NONE = 0, UTET_FOLD_PAD_ZERO = 1, UTET_FOLD_PAD_NAN = 2, UTET_FOLD_PAD_FILL = 3 };
enum { UTET_FOLD_ALIGN_START = 0, UTET_FOLD_ALIGN_END = 1 };

/* For utet_fold_axis.group_of: the place belongs to no group. */
#define UTET_FOLD_LEFT_OUT 0xFFFFFFFFu

/*
 * Windows along an axis: a result for each, in place of the places of the axis. n selected places are cut like this:
 *
 *   BINS     without a gap, from the first place on, or ALIGN_END: so that the last window ends with the last place.
 *            One window is short, unless n is a multiple of size: the last one, or with ALIGN_END the first one
 *   ROLLING  a window each `step` places. Without a pad: from place 0 on, as long as they end within n. With a pad and
 *            ALIGN_START: the first one ends with place 0, the last one ends within n. With a pad and ALIGN_END: from
 *            place 0 on, as long as they begin within n
 *
 * A pad stands for each place that a window lacks at its end of the axis, for all elements there: it counts like an
 * element that passes the filter, but not for min_count. A window with fewer elements than min_count gives NaN,
 * whatever the operation. arg_min and arg_max give the place in the window, along this axis alone, pads in front
 * included; where an element and a pad are equal, the element's.
 */
typedef struct utet_fold_window {
    uint64_t size;      /* places of a window: 1 … n; 0: no windows */
    uint64_t step;      /* ROLLING: places from the begin of a window to that of the next, 0 is taken as 1; BINS: 0 */
    uint64_t min_count; /* number of elements that must pass the filter; 0 is taken as 1 */
    uint8_t axis;       /* its bit in utet_fold_request.axes does not matter */
    uint8_t mode;       /* BINS, ROLLING */
    uint8_t pad;        /* PAD_NONE; PAD_ZERO; PAD_NAN: floats only; PAD_FILL: `fill`, or the request's */
    uint8_t align;      /* ALIGN_START; ALIGN_END: ROLLING asks for a pad then */
    uint8_t has_fill;   /* not 0: PAD_FILL pads with `fill`; 0: with the request's fill */
    double fill;        /* a value of the dtype, where a window lacks a place */
    int16_t fill_rest;  /* rest of an integer: see utet_fold_request.fill_rest */
} utet_fold_window;

/*
 * For each axis a map of its places to groups; for UTET_FOLD_LEFT_OUT the place has no part in any result. A function
 * needs no memory for a map that can be computed (hour of the day: place % 24); labels need a table behind it. It is
 * called at any time until the fold is over, several times for a place, must answer the same each time, and cannot be
 * suspended.
 */
typedef struct utet_fold_axis {
    uint32_t (*group_of)(void *context, uint64_t place); /* place: 0 for the first selected one; NULL: no map */
    void *context;
    uint32_t groups; /* a result for each in place of the places, whether the axis is reduced or not; arg_min and
                        arg_max do not count places along this axis. 0: a mask, `group_of` only says what is left out */
} utet_fold_axis;

/* Private: how an axis is cut. */
typedef struct utet_fold_cuts {
    /* Cut number s is the places from s * step - lead on, `size` of them, or what of them is there. */
    uint64_t cuts, size, step, lead;
    uint64_t from, box; /* intervals of the current block; maximum of a block */
    uint64_t end;       /* end of the indices that belong to them */
    uint8_t stays;      /* each place is a cut */
} utet_fold_cuts;

/* Set to 0 what is not used. Must stay until the fold is over; the fold writes to `windows` and `priv`. */
typedef struct utet_fold_grouping {
    utet_fold_window window;
    utet_fold_axis axis[UTET_MAX_NDIM]; /* no groups on the axis of the windows, but a mask if wanted */
    uint64_t *counts; /* NULL, or utet_fold_run writes here how many elements passed for each result that it gives
                         (one number for a histogram), without pads: room for as many numbers as results */
    uint64_t windows; /* how many there are; 0 without windows */
    struct {
        uint64_t others; /* elements at each place of the axis of the windows */
        uint8_t pad[8];  /* the element that pads are, as stored */
        uint8_t counted; /* cells count their elements in their last 8 bytes */
        utet_fold_cuts axis[UTET_MAX_NDIM];
        struct {
            uint64_t window;     /* number of the cut */
            uint64_t from;       /* place of the run's first element */
            uint64_t place;      /* the same, in the window */
            uint8_t *cells;      /* cells of the run's outer axes */
            uint8_t *cell;       /* first cell of the window */
            size_t next, behind; /* elements that lie in the window and are not taken yet */
        } walk;                  /* along a run */
    } priv;
} utet_fold_grouping;

/* Private: an axis of the selection. */
typedef struct utet_fold_span {
    uint64_t start; /* as asked for */
    uint64_t step;
    uint64_t count; /* selected places */
    uint64_t box;   /* selected indices in a block */
    uint64_t at;    /* first index of the current block */
    uint64_t now;   /* index where the current run begins */
    uint64_t place; /* step of the row-major index; 0 on a kept axis */
    size_t cell;    /* step of the cell's number; 0 on a reduced axis */
    uint8_t stays;
} utet_fold_span;

struct utet_fold;

/* Private: elements in the order of the selection. */
typedef struct utet_fold_elements {
    const struct utet_fold *fold;
    const struct fold_layout *layout;
    const uint8_t *data;
    size_t count;
    size_t stride;
    uint8_t *cell;
    size_t cell_step;    /* distance from the cell of one element to that of the next, in bytes; 0: one cell for all */
    uint64_t place;      /* row-major, along the reduced axes */
    uint64_t place_step; /* step of `place` from one element to the next */
} utet_fold_elements;

/*
 * A part of a fold's work, for utet_fold_divide. Set to 0 what is not used; it must stay until the fold is over, and
 * the fold writes to `priv`.
 */
typedef struct utet_fold_share {
    uint64_t part;  /* 0 … parts - 1 */
    uint64_t parts; /* 1 or more; parts beyond the number of chunks are empty */
    /* NULL: utet_fold_run leaves what it has read for utet_fold_merge. Else utet_fold_run calls it when the part has
       been read: it merges all other parts into `into`, the fold that runs, and returns UTET_OK. After
       UTET_WOULD_BLOCK it is called again by the next utet_fold_run; an error becomes that of the fold. */
    utet_status (*join)(void *context, struct utet_fold *into);
    void *context;
    struct {
        uint64_t from, to;             /* parts that are in the cells, to excluded */
        uint64_t first, last;          /* numbers of this part's tiles */
        uint64_t tiles[UTET_MAX_NDIM]; /* number of tiles of the selection along each axis */
        uint8_t state;
    } priv;
} utet_fold_share;

/* Private: magnitude * 2^exponent; magnitude has 53 bits or is 0. */
typedef struct utet_fold_binary {
    uint64_t magnitude;
    int32_t exponent;
    unsigned negative;
} utet_fold_binary;

/* Private: `more` + 1 successive values of an element's bits, the first of which is `from`; 0 follows the largest. */
typedef struct utet_fold_arc {
    uint64_t from, more;
} utet_fold_arc;

typedef struct utet_fold {
    /* private; the fields used most come first, where short instructions of small machines reach them */
    struct {
        uint8_t state;
        uint8_t inner; /* the slab's call that is suspended */
        uint8_t ndim;
        uint8_t axes; /* that are reduced, a bit each */
        uint8_t has_fill;
        uint8_t null_passes;
        uint8_t value_passes;
        uint8_t first_passes; /* not 0: arc 0 passes, arc 1 does not, and so on; without arcs: all elements pass */
        uint8_t arcs;         /* how many of `others` are used */
        uint8_t counts_none;  /* null_count: no element is equal to own.counted */
        int16_t fill_rest;
        utet_status status; /* an error that stuck */
        utet_file *file;
        const utet_dataset *dataset;
        const utet_fold_operation *operation;
        const struct fold_layout *layout; /* layout of the dtype */
        size_t slab_bytes;                /* bytes of the workspace for the slab; cells begin after them */
        size_t cell_bytes;
        size_t room;                    /* cells that there are; 0: there are no results */
        size_t cells;                   /* cells of the current block */
        size_t least_bytes;             /* bytes of a cell: the operation's part */
        size_t extra_bytes;             /* bytes of a cell: the grouping's part, at its end */
        size_t own_bytes;               /* bytes of the chosen cell: the operation's part, at its beginning */
        size_t wide_bytes;              /* bytes of a cell that saves passes; 0: none does */
        uint32_t turn;                  /* finished passes of the current block */
        uint32_t values;                /* doubles of a result */
        const struct fold_turns *turns; /* the passes of an operation in several passes */
        const struct fold_shape *shape; /* NULL: no grouping */
        struct utet_fold_grouping *grouping;
        void (*take)(struct utet_fold *fold, utet_fold_elements *part); /* filter; NULL: all elements pass */
        void (*order)(struct utet_fold *fold); /* makes boxes whose elements come in row-major order; NULL: any order */
        struct utet_query_skips *skips;        /* chunks that need not be read, utet_query.h */
        void (*pass_tiles)(struct utet_fold *fold); /* past chunks that others read, or nobody; NULL: all are read */
        struct utet_transform *transform;           /* that this fold is part of, utet_transform.h */
        struct utet_fold_share *share;              /* NULL: the fold reads all of its selection */
        uint64_t most; /* results of a piece, each of `values` doubles; 0: all come at once */
        uint64_t left; /* doubles of the pieces to come */
        utet_status (*piece)(struct utet_fold *fold, double *results, size_t size); /* NULL: all come at once */
        uint64_t done;                                                              /* doubles */
        uint32_t bins;
        uint8_t has_range; /* histogram: own.range is known from the beginning */
        uint64_t fill;
        struct {
            uint64_t from, to; /* keys of elements; empty when from > to */
        } pass, fail, null;
        /* The filter divides the circle of an element's bits into arcs (fold_where.c); others[i]: all but arc i. */
        utet_fold_arc others[8];
        union {               /* doubles by their bits */
            uint64_t q;       /* quantile */
            uint64_t counted; /* null_count; of integers the element */
            struct {
                uint64_t high;
                utet_fold_binary minus_low;
                utet_fold_binary width; /* width of the bins */
            } range;                    /* histogram */
        } own;                          /* state of the operation */
    } priv;
    /* public */
    utet_need need;   /* bytes of workspace; with least there is one cell, with best a cell for each result */
    uint64_t results; /* how many doubles the fold gives */
    uint64_t boxes; /* number of consecutive blocks of the selection, with the budget in force. A chunk is read once for
                         each block that it has elements of */
    uint64_t folded; /* elements that passed the filter so far */
    uint64_t given;  /* doubles that came with the last utet_fold_run, behind utet_fold_pieces */
    uint32_t passes; /* maximum number of reads of each block: 1, but more for median, quantile and histogram */
    /* private */
    struct {
        utet_run run;
        utet_fold_elements part; /* elements of the run */
        utet_fold_span axis[UTET_MAX_NDIM];
        utet_range ranges[UTET_MAX_NDIM];
        utet_slab slab;
    } box;
} utet_fold;

/*
 * What the fold needs: fills need, results, boxes and passes. Looks up every chunk of the selection, as utet_slab_need
 * does.
 * UTET_E_ARGUMENT: a pointer of the request is null, or the operation wants a fill, or another q, bins or range.
 * UTET_E_DTYPE: the dtype is unknown, or the operation does not take it.
 * UTET_E_RANGE: a range is not as said, or the selection has 2^64 - 1 elements or more.
 * UTET_E_DATASET: a chunk_shape is 0.
 * Returns: OK, WOULD_BLOCK, E_ARGUMENT, E_STATE, E_RANGE, E_MISSING, E_SHORT, E_DTYPE, E_CODEC, E_ZSTD_WINDOW,
 *          E_ZSTD_DICT, E_ZSTD_LEGACY, E_DATASET, E_ROW, E_PAYLOAD, E_PORT
 */
utet_status utet_fold_need(utet_fold *fold, utet_file *file, const utet_fold_request *request);

/*
 * Does what utet_fold_need does and makes the fold ready to run. No memory is taken before utet_fold_run.
 * UTET_E_ARGUMENT: a pointer of the request is null, or the operation wants a fill, or another q, bins or range.
 * UTET_E_BUDGET: too small for the largest chunk and one cell; found before any data.
 * UTET_E_DTYPE: the dtype is unknown, or the operation does not take it.
 * UTET_E_RANGE: a range is not as said, or the selection has 2^64 - 1 elements or more.
 * UTET_E_DATASET: a chunk_shape is 0.
 * Returns: OK, WOULD_BLOCK, E_ARGUMENT, E_STATE, E_BUDGET, E_RANGE, E_MISSING, E_SHORT, E_DTYPE, E_CODEC,
 *          E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY, E_DATASET, E_ROW, E_PAYLOAD, E_PORT
 */
utet_status utet_fold_open(utet_fold *fold, utet_file *file, const utet_fold_request *request);

/*
 * From now on only elements that pass `filter` count. Call between utet_fold_open and utet_fold_run; the filter
 * may be freed afterwards. Reads nothing.
 * UTET_E_ARGUMENT: no test or an unknown one is named, a number is not finite, or a rest is not as said.
 * UTET_E_STATE: the fold is not open, or runs already.
 * Returns: OK, E_ARGUMENT, E_STATE
 */
utet_status utet_fold_where(utet_fold *fold, const utet_fold_filter *filter);

/*
 * Applies the fold's filter to `count` elements, as stored and without gaps, that the program has read itself. An
 * element that does not pass is overwritten with `instead`, an element as stored. The fold is open on the dataset that
 * the elements come from. utet_fold_run has not been called, and need never be. fold->folded grows by the number of
 * elements that pass. The call reads nothing from the file.
 * UTET_E_STATE: the fold is not open, or runs already.
 * Returns: OK, E_STATE
 */
utet_status utet_fold_mask(utet_fold *fold, void *elements, size_t count, const void *instead);

/*
 * From now on the results are by windows, by groups, or of the elements that masks leave. Call after utet_fold_need, or
 * between utet_fold_open and utet_fold_run; fills fold->need, results, boxes and passes anew. Results are row-major
 * over the axes that stay, windows and groups standing where their axis stood. With windows or counts, a cell has 8
 * bytes more. An element counts in fold->folded once for each window that it goes into. The product over windows says
 * in boxes how many there are at most. Reads nothing.
 * UTET_E_ARGUMENT: a window is not as said, has groups on its axis, its pad is needed and is not a value of the
 * dtype, or the operation reads several times. UTET_E_STATE: the fold's need is not known, or it runs already.
 * UTET_E_BUDGET: too small now; open the fold again. UTET_E_DTYPE: a pad of NaN for integers. UTET_E_RANGE: size is
 * more than the selected places of the axis, or those are more than 2^62.
 * Returns: OK, E_ARGUMENT, E_STATE, E_BUDGET, E_RANGE, E_DTYPE
 */
utet_status utet_fold_group(utet_fold *fold, utet_fold_grouping *grouping);

/*
 * From now on utet_fold_run gives its results in pieces, row-major, each of at most `size` doubles, and is called until
 * it returns UTET_END: so an answer may be larger than the memory for it. fold->given says how many came. Results that
 * belong together (those of a histogram) come together. Between two pieces the workspace is free for other use. To be
 * called before utet_fold_run, behind utet_fold_group; fills fold->boxes and passes anew. Reads nothing.
 * UTET_E_STATE: the fold is not open, or runs already. UTET_E_SPACE: size is less than one result.
 * Returns: OK, E_STATE, E_SPACE
 */
utet_status utet_fold_pieces(utet_fold *fold, size_t size);

/*
 * Edge i of a histogram's bins, 0 <= i <= bins <= UTET_FOLD_MAX_BINS: low + i * width as IEEE 754 rounds it, but
 * `high` for i = bins. Where all elements are in bin 0, each edge but the first is `high`.
 */
double utet_fold_edge(double low, double high, uint32_t bins, uint32_t i);

/*
 * The results into `results`, row-major over the axes that stay, fold->results of them; `size` is the number of doubles
 * that have room there. Where double has 32 bits they are rounded to that. The workspace behind the window is the
 * fold's: an older stream or slab of this file is over, and the fold is over when a newer one is opened. A fold runs
 * once; then utet_fold_open begins another one. UTET_E_STATE: the fold is not open, has run, or was cancelled.
 * UTET_E_SPACE: size is less than fold->results, or than a piece. UTET_END: behind utet_fold_pieces, all have come.
 * UTET_E_BUDGET, UTET_E_CODEC: the medium changed since opening.
 * Returns: OK, END, WOULD_BLOCK, E_STATE, E_BUDGET, E_MISSING, E_SPACE, E_SHORT, E_CODEC, E_ZSTD_WINDOW, E_ZSTD_DICT,
 *          E_ZSTD_LEGACY, E_ROW, E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_fold_run(utet_fold *fold, double *results, size_t size);

/* ---- one selection, several folds ---- */

/*
 * From now on the fold reads one of share->parts parts of its selection; several folds, each with a file object of its
 * own on the same file, read the others, at the same time if the program has threads or cores for it. Each has the
 * same request, filter and grouping. A part is a row of chunks, in the order in which one fold reads them. Each fold
 * has all cells, and one of them gives the results: that of part 0, which has a join. They are the same bits as those
 * of one fold that reads everything, whatever the parts. Call before utet_fold_run, and after utet_fold_where,
 * utet_fold_group and utet_fold_pieces. Reads nothing.
 *
 * Can be merged: sum, mean, norm_l1, norm_l2, var, std, nan_mean, nan_std, min, max, arg_min, arg_max, count,
 * nan_count, inf_count, null_count, all_finite, any_nan, any_inf, sum_i16, mean_i16. Cannot: product, which is defined
 * in row-major order; median, quantile and histogram, which read several times; matrices; transforms.
 *
 * UTET_E_ARGUMENT: the operation cannot be merged, part is not less than parts, a join is given and part is not 0, or
 * chunks are skipped (utet_query_skip).
 * UTET_E_STATE: the fold is not open, or runs already.
 * UTET_E_BUDGET: there is not a cell for each result at the same time; file->needed says how much it takes.
 * UTET_E_SPACE: utet_fold_pieces asked for several pieces.
 * After an error the fold is as it was.
 * Returns: OK, E_ARGUMENT, E_STATE, E_BUDGET, E_SPACE
 */
utet_status utet_fold_divide(utet_fold *fold, utet_fold_share *share);

/*
 * Adds to `into` what `from` has read; from->folded is added to into->folded. `from` is over then. `into` is called by
 * its share's join, or has no join and has been read. `from` has no join and its utet_fold_run has returned UTET_OK;
 * its file and workspace have not been used for another stream, slab or fold since. Parts are merged in order: the
 * first one of `from` follows the last one of `into`. Nothing else may use one of both folds meanwhile. Reads nothing.
 * UTET_E_ARGUMENT: other parts follow; or dataset, request, filter, grouping or the number of parts are not the same
 * (contexts and functions of utet_fold_axis are not compared). Neither fold has changed.
 * UTET_E_STATE: one of both folds is not as said above.
 * Returns: OK, E_ARGUMENT, E_STATE
 */
utet_status utet_fold_merge(utet_fold *into, utet_fold *from);

/* ---- covariance and correlation ---- */

/* Most variables of a matrix. */
#define UTET_FOLD_MAX_VARIABLES 1024u

/* Elements that the program replaces before they are taken: it may do so with those that a filter leaves out. It lasts
 * as long as the matrix. */
typedef struct utet_fold_change {
    /* Called for each element, each time that it is read: `bits` are its bytes as an integer, the first one lowest.
     * Returns those of the element to take. They may depend on the arguments alone. `observation` and `variable` are
     * places along the two axes of the selection. It makes no call with the file. */
    uint64_t (*replace)(void *context, uint64_t bits, uint64_t observation, uint32_t variable);
    void *context;
} utet_fold_change;

/*
 * The covariances (population), or the correlations, of the variables of a selection from a dataset of two axes. The
 * observations lie along one of the axes, the variables along the other one.
 *
 * A covariance is the double nearest to the exact value. A correlation is the exact covariance, divided by the product
 * of the standard deviations and then rounded; these and their product are rounded to 53 bits before. It is never more
 * than 1; that of a variable with itself is 1; if another one is constant, it is 0. Where a variable has NaN or
 * infinities, all that concerns it is NaN. Without observations, covariances are 0.
 *
 * Memory: sums of `block` variables, of the products of any two of them, and the elements of some observations. If
 * `block` is less than the number of variables, the selection is read several times.
 */
typedef struct utet_fold_variables {
    const utet_dataset *dataset;
    const utet_range *ranges;       /* 2 of them */
    uint8_t observations;           /* the axis along which they lie: 0 or 1 */
    uint8_t correlation;            /* 0: covariances */
    const utet_fold_change *change; /* NULL: elements are taken as they are */
} utet_fold_variables;

typedef struct utet_fold_matrix {
    utet_need need;
    uint32_t order; /* how many variables there are. The matrix has order * order doubles */
    uint32_t block; /* variables that are computed at a time, with the budget in force */
    uint64_t boxes; /* number of consecutive blocks of the selection, with the budget in force. A chunk is read once for
                       each block that it has elements of */
    uint64_t observed; /* observations */
    uint64_t given;    /* results that the last utet_fold_matrix_run wrote */
    struct {
        uint8_t state;
        uint8_t inner; /* the slab's call that is suspended */
        uint8_t correlation;
        uint8_t along; /* the axis of the variables */
        uint8_t second;
        utet_status status; /* an error that stuck */
        uint32_t dtype;
        utet_file *file;
        const utet_dataset *dataset;
        const utet_fold_change *change;
        size_t slab_bytes; /* bytes of the workspace for the slab; the data of the matrix follow */
        size_t kept_bytes;
        uint64_t some; /* observations of a box */
        uint32_t rows; /* rows of a batch; 0: all come at once */
        uint64_t at;
        uint32_t from[2]; /* the first variable of both blocks */
        uint32_t row;     /* first row of the current batch */
        uint32_t many[2];
        utet_range whole[2], ranges[2];
        size_t place[2]; /* index of an element in the block */
        utet_run run;
        utet_slab slab;
    } priv;
} utet_fold_matrix;

/*
 * What the matrix needs: fills need, order, block, boxes and observed. Looks up every chunk of the selection.
 * UTET_E_ARGUMENT: a pointer of the request is null, the dataset has not two axes, or there is no such axis.
 * UTET_E_DTYPE: the dtype is unknown.
 * UTET_E_RANGE: a range is not as utet_range says, or there are more than UTET_FOLD_MAX_VARIABLES.
 * UTET_E_DATASET: a chunk_shape is 0.
 * Returns: OK, WOULD_BLOCK, E_ARGUMENT, E_STATE, E_RANGE, E_MISSING, E_SHORT, E_DTYPE, E_CODEC, E_ZSTD_WINDOW,
 *          E_ZSTD_DICT, E_ZSTD_LEGACY, E_DATASET, E_ROW, E_PAYLOAD, E_PORT
 */
utet_status utet_fold_matrix_need(utet_fold_matrix *matrix, utet_file *file, const utet_fold_variables *variables);

/*
 * Does what utet_fold_matrix_need does and makes the matrix ready to run. No memory is taken before that.
 * UTET_E_ARGUMENT: a pointer of the request is null, the dataset has not two axes, or there is no such axis.
 * UTET_E_BUDGET: too small for the largest chunk and one variable; found before any data.
 * UTET_E_DTYPE: the dtype is unknown.
 * UTET_E_RANGE: a range is not as utet_range says, or there are more than UTET_FOLD_MAX_VARIABLES.
 * UTET_E_DATASET: a chunk_shape is 0.
 * Returns: OK, WOULD_BLOCK, E_ARGUMENT, E_STATE, E_BUDGET, E_RANGE, E_MISSING, E_SHORT, E_DTYPE, E_CODEC,
 *          E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY, E_DATASET, E_ROW, E_PAYLOAD, E_PORT
 */
utet_status utet_fold_matrix_open(utet_fold_matrix *matrix, utet_file *file, const utet_fold_variables *variables);

/*
 * As utet_fold_pieces: utet_fold_matrix_run gives whole rows, at most `size` doubles, until it returns UTET_END.
 * UTET_E_STATE: the matrix is not open, or runs already. UTET_E_SPACE: size is less than `order`.
 * Returns: OK, E_STATE, E_SPACE
 */
utet_status utet_fold_matrix_pieces(utet_fold_matrix *matrix, size_t size);

/*
 * The matrix into `results`, row-major; `size` is the number of doubles that have room there. It takes the workspace
 * and runs once, as utet_fold_run does. UTET_E_STATE: the matrix is not open, has run, or was cancelled.
 * UTET_E_SPACE: size is less than order * order, or than a piece. UTET_END: behind utet_fold_matrix_pieces, all have
 * come. UTET_E_BUDGET, UTET_E_CODEC: the medium changed since opening.
 * Returns: OK, END, WOULD_BLOCK, E_STATE, E_BUDGET, E_MISSING, E_SPACE, E_SHORT, E_CODEC, E_ZSTD_WINDOW, E_ZSTD_DICT,
 *          E_ZSTD_LEGACY, E_ROW, E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_fold_matrix_run(utet_fold_matrix *matrix, double *results, size_t size);

/* For utet_sizeof (utet.h): numbers of the types of this header. */
enum {
    UTET_OBJECT_FOLD_REQUEST = 24,
    UTET_OBJECT_FOLD_FILTER = 25,
    UTET_OBJECT_FOLD_WINDOW = 26,
    UTET_OBJECT_FOLD_AXIS = 27,
    UTET_OBJECT_FOLD_GROUPING = 28,
    UTET_OBJECT_FOLD_SHARE = 29,
    UTET_OBJECT_FOLD = 30,
    UTET_OBJECT_FOLD_CHANGE = 31,
    UTET_OBJECT_FOLD_VARIABLES = 32,
    UTET_OBJECT_FOLD_MATRIX = 33
};

#ifdef __ELF__
#pragma GCC visibility pop
#endif
/* Deprecated: names of version 0.9, which version 1.0 removes (src/MIGRATING.md). */
#define utet_fold_by utet_fold_group
#define UTET_FOLD_MOST_BINS UTET_FOLD_MAX_BINS
#define UTET_FOLD_MOST_VARIABLES UTET_FOLD_MAX_VARIABLES

#ifdef __cplusplus
}
#endif

#endif
