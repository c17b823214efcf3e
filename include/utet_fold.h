/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * microtet, optional: reductions of a selection (sums, means, extremes and others) without reading it into memory.
 *
 * A fold is a reduction: it reads a selection (as a slab does, utet.h), takes the elements that pass a filter, and
 * reduces either all of them to one number, or those along some axes, which leaves an array of numbers. The caller
 * fills in a utet_fold_request, opens the fold and runs it.
 *
 * Results have the same bits everywhere: they depend only on the selected values, not on tiles, order of rows, budget,
 * port or platform. Sums are computed exactly, in integers as wide as the dtype needs, and rounded once. So sum, mean,
 * var, std, norm_l1, norm_l2, nan_mean and nan_std are the double nearest to the exact value (ties to even).
 *
 * Memory: the workspace holds one accumulator (a cell) for each result, after the slab's own memory. A cell needs at
 * most UTET_FOLD_CELL bytes, plus 8 with windows or counts; it may be larger if that saves passes (utet_fold.passes),
 * and twice as large for windows that overlap, so that each element is taken once.
 * With fewer cells than results, the fold reads the selection in several consecutive blocks: utet_fold.boxes is their
 * number. The results go to the caller's array.
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

/* Size of the largest cell that an operation needs, in bytes: var of f64. */
#define UTET_FOLD_CELL 832u

/* Maximum number of bins of a histogram. */
#define UTET_FOLD_MAX_BINS 4096u

/* Maximum number of operations of utet_fold_several. */
#define UTET_FOLD_MAX_OPERATIONS 16u

/* Value of utet_fold_request.axes for one result of the complete selection. */
#define UTET_FOLD_ALL 0xFFu

/*
 * An operation: how the elements are reduced. A program links only the operations that it names. n is the number of
 * elements that pass the filter. If n is 0, the result is 0, unless stated otherwise.
 */
typedef struct utet_fold_operation utet_fold_operation;

extern const utet_fold_operation utet_fold_sum;
extern const utet_fold_operation utet_fold_mean;     /* sum / n */
extern const utet_fold_operation utet_fold_norm_l1;  /* sum of the absolute values */
extern const utet_fold_operation utet_fold_norm_l2;  /* square root of the sum of squares */
extern const utet_fold_operation utet_fold_var;      /* population variance; 0 if n is 1 */
extern const utet_fold_operation utet_fold_std;      /* square root of utet_fold_var */
extern const utet_fold_operation utet_fold_nan_mean; /* mean of the elements that are not NaN; NaN if there are none */
extern const utet_fold_operation utet_fold_nan_std;  /* std of the elements that are not NaN; NaN if there are none */

/* Minimum and maximum. NaN is skipped, unless all elements are NaN; -0 is less than 0. */
extern const utet_fold_operation utet_fold_min;
extern const utet_fold_operation utet_fold_max;
/* Smallest row-major index of the minimum or maximum, counted along the reduced axes of the selection. -0 equals 0. */
extern const utet_fold_operation utet_fold_arg_min;
extern const utet_fold_operation utet_fold_arg_max;

extern const utet_fold_operation utet_fold_count; /* n, including NaN */
extern const utet_fold_operation utet_fold_nan_count;
extern const utet_fold_operation utet_fold_inf_count;
extern const utet_fold_operation utet_fold_null_count; /* elements equal to request.counted, if set, or request.fill */
extern const utet_fold_operation utet_fold_all_finite; /* 1 or 0; 1 if n is 0 */
extern const utet_fold_operation utet_fold_any_nan;    /* 1 or 0 */
extern const utet_fold_operation utet_fold_any_inf;    /* 1 or 0 */

/* The product in row-major order; 1 if n is 0. Each step is rounded to 53 bits; the exponent is unlimited until the
 * end. Tiles that do not follow row-major order are read several times: see utet_fold.boxes. */
extern const utet_fold_operation utet_fold_product;

/*
 * The median, and the quantile at request.q, 0 to 1: the element with rank q * (n - 1) in sorted order, counted from 0.
 * Between two ranks, the result is the exact value between their elements, rounded once. The result is NaN if an
 * element is NaN or n is 0; a filter with IS_NOT_NULL excludes NaN. The selection is read several times: see
 * utet_fold.passes.
 */
extern const utet_fold_operation utet_fold_median; /* q = 0.5 */
extern const utet_fold_operation utet_fold_quantile;

/*
 * The number of elements in each of request.bins bins of equal width. A result is bins + 2 doubles: the lowest edge,
 * the highest edge and the counts. An element x is in bin floor((x - low) / width), with the difference, the quotient
 * and width = (high - low) / bins rounded as in IEEE 754, but without overflow. Elements below the first bin count in
 * the first bin, elements above the last bin in the last one; NaN is in no bin. If high - low is less than 2^-52, all
 * elements are in bin 0.
 */
extern const utet_fold_operation utet_fold_histogram;

/*
 * Several operations with one reading: those of request.operations. The list may repeat an operation, and cannot have
 * median, quantile, histogram or utet_fold_several. A result is one double for each operation, in the order of the
 * list, with the bits that the operation has alone. A cell needs as many bytes as their cells together.
 */
extern const utet_fold_operation utet_fold_several;

/* The same as utet_fold_sum and utet_fold_mean, for i16 only: less code, and cells of 16 bytes. The result is NaN for
 * 2^48 elements or more. */
extern const utet_fold_operation utet_fold_sum_i16;
extern const utet_fold_operation utet_fold_mean_i16;

/* Set unused fields to 0. The objects that its pointers refer to remain the caller's. The dataset must outlive the
 * fold; the request and the ranges must stay valid until utet_fold_open has ended. */
typedef struct utet_fold_request {
    const utet_dataset *dataset;
    const utet_range *ranges; /* the selection: dataset->ndim ranges, as for utet_slab_open */
    const utet_fold_operation *operation;
    /* utet_fold_several: 1 to UTET_FOLD_MAX_OPERATIONS operations, and NULL after them. The list must stay valid until
       the fold has ended. Parts that are merged use one list, not copies of it. */
    const utet_fold_operation *const *operations;
    uint32_t axes;    /* bit d: axis d is reduced. The others are kept, in their order. Bits from ndim on are ignored */
    uint8_t has_fill; /* nonzero: fill is the value that means "no value" (null) */
    /* null_count. Nonzero: it counts the elements equal to `counted`, compared as fill is; 0: those equal to fill.
       Filters always use fill; pads use fill unless the window has a fill of its own. */
    uint8_t has_counted;
    /* histogram. Nonzero: the outer edges are low and high, which must be finite with low < high. 0: the outer edges
       are the smallest and the largest finite element of each result; NaN if there is none. */
    uint8_t has_range;
    uint16_t bins; /* histogram: 1 to UTET_FOLD_MAX_BINS */
    /* Integers: the rests of fill and counted (integer minus its double), as in utet_fold_filter.rest. Above 1024: the
       number has a fraction, so no integer is equal to it. */
    int16_t fill_rest, counted_rest;
    double fill; /* floats: compared with the element as a double, by bits, and a NaN equals every NaN; write the
                         fill of an f32 dataset as an f32: (double)99.9f. Integers: compared exactly */
    double counted;
    double q; /* quantile: 0 to 1 */
    double low, high;
} utet_fold_request;

/* Tests for utet_fold_filter; an element must pass all selected tests. An element is null if it is NaN or equal to the
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
    UTET_FOLD_RESTS = 256,   /* flag, not a test: the filter's rest is read */
    UTET_FOLD_FRACTION = 512 /* flag, not a test; << i: number i has a fraction that its double lacks, see rest */
};

/*
 * A filter: the selected tests and the numbers to compare with, which must be finite. Floats are compared as doubles.
 * Integers, including i64 and u64 beyond 2^53, are compared exactly, using the number and its rest. If double has 32
 * bits, integers are exact up to 2^24.
 */
typedef struct utet_fold_filter {
    uint32_t tests;
    double eq, ne, lt, le, gt, ge; /* each number is read only if its test is selected */
    /* rest: the rest of each number, in this order, read only with UTET_FOLD_RESTS: an integer minus its double, -1024
       to 1024; 0 if the double is below 2^53. Example: 2^53 + 1 is the double 2^53 with the rest 1. With
       UTET_FOLD_FRACTION << i, the magnitude of the number is between that integer and the next one. Example:
       2^53 + 1.5 has the double 2^53 + 2, the rest -1, and a fraction. */
    int16_t rest[6];
} utet_fold_filter;

/* Modes, pads and alignments of windows. */
enum { UTET_FOLD_BINS = 0, UTET_FOLD_ROLLING = 1 };
enum { UTET_FOLD_PAD_NONE = 0, UTET_FOLD_PAD_ZERO = 1, UTET_FOLD_PAD_NAN = 2, UTET_FOLD_PAD_FILL = 3 };
enum { UTET_FOLD_ALIGN_START = 0, UTET_FOLD_ALIGN_END = 1 };

/* Result of utet_fold_axis.group_of for an index that belongs to no group. */
#define UTET_FOLD_LEFT_OUT 0xFFFFFFFFu

/*
 * Windows along an axis: one result for each window, instead of one for each index of the axis. The n selected indices
 * of the axis are divided as follows:
 *
 *   BINS     Windows without gaps, starting with the first index; with ALIGN_END, ending with the last index. Unless n
 *            is a multiple of size, one window is short: the last one, or with ALIGN_END the first one.
 *   ROLLING  One window every `step` indices. Without a pad: the first one starts at index 0, and the last one ends at
 *            index n - 1 or before. With a pad and ALIGN_START: the first one ends with index 0, and the last one ends
 *            at index n - 1 or before. With a pad and ALIGN_END: the first one starts at index 0, and the last one
 *            starts at index n - 1 or before.
 *
 * Where a window extends beyond the axis, a pad replaces every element that does not exist. A pad counts as an element
 * that passes the filter, but not towards min_count. The result of a window with fewer elements than min_count is NaN
 * for every operation. arg_min and arg_max give the index within the window, along this axis only, including leading
 * pads; if an element and a pad are equal, they give the element's index.
 */
typedef struct utet_fold_window {
    uint64_t size;      /* number of indices in a window: 1 … n; 0: no windows */
    uint64_t step;      /* ROLLING: distance between the starts of successive windows, in indices; 0 means 1. BINS: 0 */
    uint64_t min_count; /* minimum number of elements that pass the filter; 0 means 1 */
    uint8_t axis;       /* axis of the windows; its bit in utet_fold_request.axes does not matter */
    uint8_t mode;       /* BINS, ROLLING */
    uint8_t pad;        /* PAD_NONE; PAD_ZERO; PAD_NAN: floats only; PAD_FILL: `fill`, or the fill of the request */
    uint8_t align;      /* ALIGN_START; ALIGN_END, which needs a pad with ROLLING */
    uint8_t has_fill;   /* nonzero: PAD_FILL pads with `fill`; 0: with the fill of the request */
    int16_t fill_rest;  /* rest of an integer fill: see utet_fold_request.fill_rest */
    double fill;        /* value of the pads, of the dataset's dtype */
} utet_fold_window;

/*
 * Groups along an axis: maps each index of the axis to a group, or to UTET_FOLD_LEFT_OUT to exclude it from all
 * results. group_of is a function, so a map that can be computed does not need memory (hour of the day: index % 24);
 * labels need a table, reached through the context. The fold may call it at any time until the fold has ended, and
 * several times for one index. It must always return the same group for an index, and it cannot be suspended.
 */
typedef struct utet_fold_axis {
    uint32_t (*group_of)(void *context, uint64_t place); /* place: index, 0 for the first selected one; NULL: no map */
    void *context;
    uint32_t groups; /* number of groups. There is one result for each group instead of one for each index, whether the
                        axis is reduced or not; arg_min and arg_max do not count indices along this axis. 0: `group_of`
                        is only a mask: it excludes indices */
} utet_fold_axis;

/* Private: interval s of an axis covers `size` indices from s * step - lead on, clipped to the axis. */
typedef struct utet_fold_cut {
    uint64_t cuts, size, step, lead;
} utet_fold_cut;

/* Private: the intervals of an axis: its indices one by one; or windows; or, for each group, all indices. */
typedef struct utet_fold_cuts {
    uint64_t from; /* first interval of the current block */
    size_t count;  /* number of intervals in the block */
    uint8_t stays; /* nonzero: each index is an interval */
    uint8_t one;   /* nonzero: the indices are read one by one */
} utet_fold_cuts;

/* Set unused fields to 0. The object must stay valid until the fold has ended; the fold writes to `windows` and
 * `priv`. */
typedef struct utet_fold_grouping {
    utet_fold_window window;
    utet_fold_axis axis[UTET_MAX_NDIM]; /* maps; the axis of the windows can have a mask, but no groups */
    uint64_t *counts; /* NULL, or room for one number for each result (a histogram is one result). For each result that
                         it writes, utet_fold_run stores here the number of elements that passed the filter, without
                         pads */
    uint64_t windows; /* number of windows; 0 without windows */
    struct {
        uint64_t others; /* number of elements at each index of the axis of the windows */
        struct {
            uint64_t step;
            uint64_t lead;
            uint8_t pad[8]; /* the pad element, as stored */
        } window;
        uint64_t folded; /* utet_fold.folded before the current block */
        uint32_t turns;  /* windows that overlap much: size / step, rounded up; 0: all others */
        uint8_t slides;  /* nonzero: windows overlap, each element is taken once, and a cell is two of half its size */
        uint8_t counted; /* nonzero: the last 8 bytes of each cell, or of each half, count its elements */
        utet_fold_cuts axis[UTET_MAX_NDIM];
        union {
            struct {
                uint64_t window; /* index of the interval */
                uint32_t at;     /* windows that slide: index, from the first window of the block on */
                uint32_t begun;  /* windows of the block that have begun there; and that have ended */
                uint32_t ended;
                uint64_t from;       /* row-major index of the run's first element */
                uint8_t *cells;      /* cells of the run's outer axes */
                uint8_t *cell;       /* cell of element number `first` */
                size_t first;        /* first element in the window or pane */
                size_t step;         /* distance between the cells of successive elements, in bytes */
                size_t next, behind; /* range of elements in the window or pane that are not taken yet */
            } walk;                  /* iteration along a run */
            utet_fold_cut cut;       /* between runs: the intervals of one axis */
        } at;
    } priv;
} utet_fold_grouping;

/* Private: an axis of the selection. */
typedef struct utet_fold_span {
    uint64_t start; /* first selected index */
    uint64_t step;
    uint64_t count; /* number of selected indices */
    uint64_t box;   /* selected indices in a block; with a grouping, maximum number of intervals in a block */
    uint64_t at;    /* first index of the current block */
    uint64_t now;   /* index where the current run begins */
    uint64_t place; /* step of the row-major index; 0 on a kept axis */
    size_t cell;    /* step of the cell's number; 0 on a reduced axis */
    uint8_t stays;
} utet_fold_span;

struct utet_fold;

/* Private: a run of elements in the order of the selection. */
typedef struct utet_fold_elements {
    struct utet_fold *fold;
    const struct fold_layout *layout;
    const uint8_t *data;
    size_t count;
    size_t stride;
    uint8_t *cell;
    size_t cell_step;    /* distance between the cells of successive elements, in bytes; 0: one cell for all */
    uint64_t place;      /* row-major index of the first element, along the reduced axes */
    uint64_t place_step; /* difference of that index between successive elements */
} utet_fold_elements;

/*
 * One part of a fold's work, for utet_fold_divide. Set unused fields to 0. The object must stay valid until the fold
 * has ended; the fold writes to `priv`.
 */
typedef struct utet_fold_share {
    uint64_t part;  /* index of the part: 0 … parts - 1 */
    uint64_t parts; /* number of parts, 1 or more; parts beyond the number of chunks are empty */
    /* Merge callback. NULL: utet_fold_run keeps its accumulators for utet_fold_merge. Otherwise utet_fold_run calls
       `join` after the part has been read: it must merge all other parts into `into`, the running fold, and return
       UTET_OK. If it returns UTET_WOULD_BLOCK, the next utet_fold_run calls it again; an error becomes the error of the
       fold. */
    utet_status (*join)(void *context, struct utet_fold *into);
    /* Part 0 of an operation in several passes (median, quantile, histogram): utet_fold_run calls `again` when all
       parts have been merged and another pass is needed. It must call utet_fold_follow for each other part, and return
       UTET_OK; before `join` merges these parts, utet_fold_run must have read their next pass. UTET_WOULD_BLOCK and
       errors have the same effect as those of `join`. Other operations and parts do not use it. */
    utet_status (*again)(void *context, struct utet_fold *first);
    void *context;
    struct {
        uint64_t from, to;             /* the cells contain the parts [from, to) */
        uint64_t first, last;          /* indices of this part's tiles */
        uint64_t tiles[UTET_MAX_NDIM]; /* number of tiles of the selection along each axis */
        uint32_t turn;                 /* number of passes finished */
        uint8_t state;
    } priv;
} utet_fold_share;

/* Private: magnitude * 2^exponent; magnitude has 53 bits or is 0. */
typedef struct utet_fold_binary {
    uint64_t magnitude;
    int32_t exponent;
    unsigned negative;
} utet_fold_binary;

/* Private: an arc of `more` + 1 successive bit patterns of an element, starting at `from`; the largest is followed by
 * 0. */
typedef struct utet_fold_arc {
    uint64_t from, more;
} utet_fold_arc;

/* Private: a range of element keys; empty if from > to. */
typedef struct utet_fold_keys {
    uint64_t from, to;
} utet_fold_keys;

typedef struct utet_fold {
    /* private; the fields used most often come first, within reach of the short instructions of small processors */
    struct {
        uint8_t state;
        uint8_t inner; /* the suspended call of the slab */
        uint8_t ndim;
        uint8_t axes; /* reduced axes, one bit each */
        uint8_t has_fill;
        uint8_t null_passes;
        uint8_t value_passes;
        uint8_t first_passes; /* nonzero: arc 0 passes, arc 1 does not, and so on; without arcs: all elements pass */
        uint8_t arcs;         /* number of arcs in `others` */
        uint8_t counts_none;  /* null_count: no element is equal to own.list.counted */
        int16_t fill_rest;
        utet_status status; /* the error that sticks to the fold, 0: none */
        utet_file *file;
        const utet_dataset *dataset;
        const utet_fold_operation *operation;
        const struct fold_layout *layout; /* layout of the dtype */
        size_t slab_bytes;                /* workspace of the slab, in bytes; the cells follow it */
        size_t cell_bytes;
        size_t room;                    /* number of available cells; 0: there are no results */
        size_t cells;                   /* number of cells of the current block */
        size_t least_bytes;             /* minimum size of the operation's part of a cell, in bytes */
        size_t extra_bytes;             /* size of the grouping's part at the end of a cell, in bytes */
        size_t own_bytes;               /* chosen size of the operation's part at the start of a cell, in bytes */
        size_t wide_bytes;              /* size of a cell that saves passes, in bytes; 0: one pass is enough */
        uint32_t turn;                  /* number of passes finished for the current block */
        uint32_t values;                /* number of doubles of a result */
        const struct fold_turns *turns; /* passes of an operation that needs several */
        const struct fold_shape *shape; /* NULL: no grouping */
        struct utet_fold_grouping *grouping;
        void (*take)(struct utet_fold *fold, utet_fold_elements *part); /* filter; NULL: all elements pass */
        void (*order)(struct utet_fold *fold);      /* makes blocks of elements in row-major order; NULL: any order */
        struct utet_query_skips *skips;             /* chunks that the fold may skip, utet_query.h */
        void (*pass_tiles)(struct utet_fold *fold); /* skips chunks that this fold does not read; NULL: it reads all */
        struct utet_transform *transform;           /* transform that contains this fold, utet_transform.h */
        struct utet_fold_share *share;              /* NULL: the fold reads its complete selection */
        utet_status (*piece)(struct utet_fold *fold, double *results, size_t size); /* NULL: all in one batch */
        uint64_t most; /* results of a batch, each of `values` doubles; 0: all results in one batch */
        uint64_t left; /* number of doubles in the remaining batches */
        uint64_t done; /* number of doubles written */
        uint32_t bins;
        uint8_t has_range; /* histogram: nonzero: own.range is known from the start */
        uint64_t fill;
        utet_fold_keys pass, fail, null;
        /* The filter divides the circle of an element's bits into arcs (fold_where.c); others[i]: all except arc i. */
        utet_fold_arc others[8];
        union {         /* doubles, stored as their bits */
            uint64_t q; /* quantile */
            struct {
                uint64_t counted;                             /* null_count: the double, or for integers the element */
                const utet_fold_operation *const *operations; /* utet_fold_several, which may have null_count */
            } list;
            struct {
                uint64_t high;
                utet_fold_binary minus_low;
                utet_fold_binary width; /* width of the bins */
            } range;                    /* histogram */
        } own;                          /* state of the operation */
    } priv;
    /* public */
    utet_need need;   /* required workspace; `least` has room for one cell, `best` for a cell for each result */
    uint64_t results; /* number of doubles that the fold writes */
    uint64_t boxes; /* number of consecutive blocks of the selection, with the budget in force. A chunk is read once for
                         each block that contains elements of it */
    uint64_t folded; /* number of elements that have passed the filter so far */
    uint64_t given;  /* number of doubles that the last utet_fold_run wrote (see utet_fold_pieces) */
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
 * Computes the requirements of the fold: sets need, results, boxes and passes. Looks up every chunk of the selection,
 * as utet_slab_need does.
 * UTET_E_ARGUMENT: a pointer of the request is NULL; or the operation needs a fill, or a valid q, bins, range or
 * list of operations.
 * UTET_E_DTYPE: the dtype is unknown, or the operation does not support it.
 * UTET_E_RANGE: a range violates the conditions of utet_range, or the selection has 2^64 - 1 elements or more.
 * UTET_E_DATASET: a chunk_shape is 0.
 * Returns: OK, WOULD_BLOCK, E_ARGUMENT, E_STATE, E_RANGE, E_MISSING, E_SHORT, E_DTYPE, E_CODEC, E_ZSTD_WINDOW,
 *          E_ZSTD_DICT, E_ZSTD_LEGACY, E_DATASET, E_ROW, E_PAYLOAD, E_PORT
 */
utet_status utet_fold_need(utet_fold *fold, utet_file *file, const utet_fold_request *request);

/*
 * Does the same as utet_fold_need and prepares the fold to run. It uses no workspace before utet_fold_run.
 * UTET_E_ARGUMENT: a pointer of the request is NULL; or the operation needs a fill, or a valid q, bins, range or
 * list of operations.
 * UTET_E_BUDGET: the budget is too small for the largest chunk and one cell; this is found before any data is read.
 * UTET_E_DTYPE: the dtype is unknown, or the operation does not support it.
 * UTET_E_RANGE: a range violates the conditions of utet_range, or the selection has 2^64 - 1 elements or more.
 * UTET_E_DATASET: a chunk_shape is 0.
 * Returns: OK, WOULD_BLOCK, E_ARGUMENT, E_STATE, E_BUDGET, E_RANGE, E_MISSING, E_SHORT, E_DTYPE, E_CODEC,
 *          E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY, E_DATASET, E_ROW, E_PAYLOAD, E_PORT
 */
utet_status utet_fold_open(utet_fold *fold, utet_file *file, const utet_fold_request *request);

/*
 * Sets the filter: from now on only elements that pass `filter` count. Call after utet_fold_open and before
 * utet_fold_run; `filter` is not used after the call. Reads nothing.
 * UTET_E_ARGUMENT: no test or an unknown test is selected, a number is not finite, or a rest is invalid.
 * UTET_E_STATE: the fold is not open, or is already running.
 * Returns: OK, E_ARGUMENT, E_STATE
 */
utet_status utet_fold_where(utet_fold *fold, const utet_fold_filter *filter);

/*
 * Applies the fold's filter to `count` elements that the program has read itself, as stored and without gaps. An
 * element that does not pass is overwritten with `instead`, an element as stored. The fold must be open on the dataset
 * that the elements come from. utet_fold_run must not have been called before; calling it later is optional.
 * fold->folded grows by the number of elements that pass. The call reads nothing from the file.
 * UTET_E_STATE: the fold is not open, or is already running.
 * Returns: OK, E_STATE
 */
utet_status utet_fold_mask(utet_fold *fold, void *elements, size_t count, const void *instead);

/*
 * Sets windows, groups and masks: from now on there is one result for each window and each group, of the elements that
 * the masks do not exclude. Call after utet_fold_need, or after utet_fold_open and before utet_fold_run; the call
 * updates fold->need, results, boxes and passes. Results are row-major over the kept axes; windows and groups replace
 * the indices of their axis. With windows or counts, a cell is 8 bytes larger. An element counts in fold->folded once
 * for each window that contains it. For the product over windows, boxes is an upper limit. Reads nothing.
 * UTET_E_ARGUMENT: a window is invalid or has groups on its axis, a required pad is not a value of the dtype, or the
 * operation needs several passes. UTET_E_STATE: the fold's need is not known, or the fold is already running.
 * UTET_E_BUDGET: the budget is now too small; open the fold again. UTET_E_DTYPE: the pad is NaN and the elements are
 * integers. UTET_E_RANGE: the window is larger than the number of selected indices of the axis, or this number is
 * larger than 2^62.
 * Returns: OK, E_ARGUMENT, E_STATE, E_BUDGET, E_RANGE, E_DTYPE
 */
utet_status utet_fold_group(utet_fold *fold, utet_fold_grouping *grouping);

/*
 * Makes utet_fold_run deliver its results in batches of at most `size` doubles, row-major; repeat utet_fold_run until
 * it returns UTET_END. The complete result may then be larger than the memory for it. fold->given is the number of
 * doubles in a batch. Values that belong together (those of a histogram) are in one batch. Between two batches the
 * workspace may be used for something else. Call after utet_fold_group and before utet_fold_run; the call updates
 * fold->boxes and passes. Reads nothing.
 * UTET_E_STATE: the fold is not open, or is already running. UTET_E_SPACE: size is smaller than one result.
 * Returns: OK, E_STATE, E_SPACE
 */
utet_status utet_fold_pieces(utet_fold *fold, size_t size);

/*
 * Returns edge i of a histogram's bins, 0 <= i <= bins <= UTET_FOLD_MAX_BINS: low + i * width, rounded as in IEEE 754,
 * and `high` for i = bins. If all elements are in bin 0, every edge except the first is `high`.
 */
double utet_fold_edge(double low, double high, uint32_t bins, uint32_t i);

/*
 * Computes the fold->results results and writes them to `results`, row-major over the kept axes; `size` is the capacity
 * of `results` in doubles. If double has 32 bits, results are rounded to 32 bits. The fold takes the workspace after
 * the window: an older stream or slab of this file becomes invalid, and the fold becomes invalid when a newer one is
 * opened. A fold runs once; after that, utet_fold_open begins another one.
 * UTET_E_STATE: the fold is not open, has run, or was cancelled.
 * UTET_E_SPACE: size is smaller than fold->results, or than a batch. UTET_END: after utet_fold_pieces, all batches have
 * been delivered. UTET_E_BUDGET, UTET_E_CODEC: the medium has changed since the fold was opened.
 * Returns: OK, END, WOULD_BLOCK, E_STATE, E_BUDGET, E_MISSING, E_SPACE, E_SHORT, E_CODEC, E_ZSTD_WINDOW, E_ZSTD_DICT,
 *          E_ZSTD_LEGACY, E_ROW, E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_fold_run(utet_fold *fold, double *results, size_t size);

/* ---- one selection, several folds ---- */

/*
 * Divides the selection: from now on the fold reads only one of share->parts parts. Several folds, each with its own
 * file object on the same file, read the other parts, at the same time if the program has threads or cores for it. All
 * of them have the same request, filter and grouping. A part consists of consecutive chunks, in the order in which one
 * fold reads them. Each fold has a cell for every result. The fold of part 0, which has a merge callback (join), gives
 * the results. The results have the same bits as those of one fold that reads everything, for every number of parts.
 * Call after utet_fold_where, utet_fold_group and utet_fold_pieces and before utet_fold_run. Reads nothing.
 *
 * Operations that can be merged: sum, mean, norm_l1, norm_l2, var, std, nan_mean, nan_std, min, max, arg_min, arg_max,
 * count, nan_count, inf_count, null_count, all_finite, any_nan, any_inf, sum_i16, mean_i16; and, in several passes,
 * median, quantile and histogram. Operations that cannot be merged: product, which is defined in row-major order;
 * transforms. For matrices there is utet_fold_matrix_divide.
 *
 * UTET_E_ARGUMENT: the operation cannot be merged, part is not less than parts, a part other than 0 has a join, a part
 * with a join has no `again` although the operation needs it, or chunks are skipped (utet_query_skip).
 * UTET_E_STATE: the fold is not open, or is already running.
 * UTET_E_BUDGET: the workspace cannot hold a cell for each result at the same time; file->needed is the sufficient
 * size.
 * UTET_E_SPACE: utet_fold_pieces requested several batches.
 * After an error the fold is unchanged.
 * Returns: OK, E_ARGUMENT, E_STATE, E_BUDGET, E_SPACE
 */
utet_status utet_fold_divide(utet_fold *fold, utet_fold_share *share);

/*
 * Merges the accumulators of `from` into `into` and adds from->folded to into->folded; `from` becomes invalid. `into`
 * is either the fold whose join makes this call, or a fold without a join that has been read. `from` has no join and
 * its utet_fold_run has returned UTET_OK; since then, its file and workspace have not been used for another stream,
 * slab or fold. Parts are merged in order: the first part of `from` follows the last part of `into`. Nothing else may
 * use either fold during the call. Reads nothing.
 * UTET_E_ARGUMENT: the parts of `from` do not follow those of `into`; or dataset, request, filter, grouping or the
 * number of parts differ (contexts and functions of utet_fold_axis are not compared).
 * UTET_E_STATE: one of the two folds violates the conditions above.
 * After an error both folds are unchanged.
 * Returns: OK, E_ARGUMENT, E_STATE
 */
utet_status utet_fold_merge(utet_fold *into, utet_fold *from);

/*
 * Prepares a part for its next pass: it gets the accumulators of part 0, and utet_fold_run will read its chunks once
 * more. Only the callback `again` of `first` may call it, for each part that has been merged. The file and the
 * workspace of the part have not been used for another stream, slab or fold since. Nothing else may use either fold
 * during the call. Reads nothing.
 * UTET_E_ARGUMENT: dataset, request, filter or the number of parts differ.
 * UTET_E_STATE: one of the two folds violates the conditions above.
 * After an error both folds are unchanged.
 * Returns: OK, E_ARGUMENT, E_STATE
 */
utet_status utet_fold_follow(utet_fold *part, utet_fold *first);

/* ---- covariance and correlation ---- */

/* Maximum number of variables of a matrix. */
#define UTET_FOLD_MAX_VARIABLES 1024u

/* Replaces elements before they are used, for example those that a filter excludes. The object must stay valid as long
 * as the matrix. */
typedef struct utet_fold_change {
    /* Called for each element each time that it is read. `bits` are the element's bytes as an integer, the first byte
     * lowest. Returns the bits of the element to use instead. The result must depend on the arguments only.
     * `observation` and `variable` are indices along the two axes of the selection. The callback must not call the
     * library with the file. */
    uint64_t (*replace)(void *context, uint64_t bits, uint64_t observation, uint32_t variable);
    void *context;
} utet_fold_change;

/*
 * The covariances (population) or the correlations of the variables of a selection from a dataset of two axes. One axis
 * is that of the observations, the other one that of the variables.
 *
 * A covariance is the double nearest to the exact value. A correlation is the exact covariance divided by the product
 * of the standard deviations, rounded once more; the standard deviations and their product are first rounded to 53
 * bits. A correlation is within -1 to 1. The correlation of a variable with itself is 1; a constant variable has
 * correlation 0 with every other one. If a variable contains NaN or infinities, all results with that variable are NaN.
 * Without observations, covariances are 0.
 *
 * Memory: sums of `block` variables, sums of the products of any two of them, and the elements of some observations. If
 * `block` is smaller than the number of variables, the selection is read several times.
 */
typedef struct utet_fold_variables {
    const utet_dataset *dataset;
    const utet_range *ranges;       /* the selection: 2 ranges */
    uint8_t observations;           /* axis of the observations: 0 or 1 */
    uint8_t correlation;            /* nonzero: correlations; 0: covariances */
    const utet_fold_change *change; /* NULL: elements are used as stored */
} utet_fold_variables;

struct utet_fold_matrix;

/*
 * One part of a matrix's work, for utet_fold_matrix_divide. Set unused fields to 0. The object must stay valid until
 * the matrix has ended; the matrix writes to `priv`.
 */
typedef struct utet_fold_matrix_share {
    uint64_t part;  /* index of the part: 0 … parts - 1 */
    uint64_t parts; /* number of parts: 1 … number of observations */
    /* Merge callback. NULL: utet_fold_matrix_run keeps its sums for utet_fold_matrix_merge. Otherwise
       utet_fold_matrix_run calls `join` after the part has been read: it must merge all other parts into `into`, the
       running matrix, and return UTET_OK. If it returns UTET_WOULD_BLOCK, the next utet_fold_matrix_run calls it again;
       an error becomes the error of the matrix. */
    utet_status (*join)(void *context, struct utet_fold_matrix *into);
    void *context;
    struct {
        utet_status (*end)(struct utet_fold_matrix *matrix); /* called when the part has been read */
        uint64_t to;                                         /* the sums contain the parts up to this one, exclusive */
        uint64_t observed;                                   /* number of all observations */
        uint8_t state;
    } priv;
} utet_fold_matrix_share;

typedef struct utet_fold_matrix {
    /* private; the fields used most often come first, within reach of the short instructions of small processors */
    struct {
        uint8_t state;
        uint8_t inner; /* the suspended call of the slab */
        uint8_t correlation;
        uint8_t along; /* axis of the variables */
        uint8_t second;
        utet_status status; /* the error that sticks to the matrix, 0: none */
        uint32_t dtype;
        utet_file *file;
        const utet_dataset *dataset;
        const utet_fold_change *change;
        utet_fold_matrix_share *share; /* NULL: all observations are read */
        size_t slab_bytes;             /* workspace of the slab, in bytes; the data of the matrix follows it */
        size_t kept_bytes;
        uint32_t rows;    /* number of rows in a batch; 0: all rows in one batch */
        uint32_t from[2]; /* first variable of each of the two blocks */
        uint32_t row;     /* first row of the current batch */
        uint32_t many[2];
        size_t place[2]; /* index of an element in the block */
        size_t some;     /* number of observations in a box, at most */
        size_t missing;  /* how many fewer the first box has, so that it ends with a chunk */
        uint64_t at;
    } priv;
    /* public */
    utet_need need;
    uint32_t order; /* number of variables. The matrix has order * order doubles */
    uint32_t block; /* number of variables computed at a time, with the budget in force */
    uint64_t boxes; /* number of consecutive blocks of the selection, with the budget in force. A chunk is read once for
                       each block that contains elements of it */
    uint64_t observed; /* number of observations; while a part is read, the end of the part */
    uint64_t given;    /* number of doubles that the last utet_fold_matrix_run wrote */
    /* private */
    struct {
        utet_range whole[2], ranges[2];
        utet_run run;
        utet_slab slab;
    } box;
} utet_fold_matrix;

/*
 * Computes the requirements of the matrix: sets need, order, block, boxes and observed. Looks up every chunk of the
 * selection.
 * UTET_E_ARGUMENT: a pointer of the request is NULL, the dataset does not have two axes, or `observations` is not 0 or
 * 1.
 * UTET_E_DTYPE: the dtype is unknown.
 * UTET_E_RANGE: a range violates the conditions of utet_range, or more than UTET_FOLD_MAX_VARIABLES are selected.
 * UTET_E_DATASET: a chunk_shape is 0.
 * Returns: OK, WOULD_BLOCK, E_ARGUMENT, E_STATE, E_RANGE, E_MISSING, E_SHORT, E_DTYPE, E_CODEC, E_ZSTD_WINDOW,
 *          E_ZSTD_DICT, E_ZSTD_LEGACY, E_DATASET, E_ROW, E_PAYLOAD, E_PORT
 */
utet_status utet_fold_matrix_need(utet_fold_matrix *matrix, utet_file *file, const utet_fold_variables *variables);

/*
 * Does the same as utet_fold_matrix_need and prepares the matrix to run. It uses no workspace before
 * utet_fold_matrix_run.
 * UTET_E_ARGUMENT: a pointer of the request is NULL, the dataset does not have two axes, or `observations` is not 0 or
 * 1.
 * UTET_E_BUDGET: the budget is too small for the largest chunk and one variable; this is found before any data is read.
 * UTET_E_DTYPE: the dtype is unknown.
 * UTET_E_RANGE: a range violates the conditions of utet_range, or more than UTET_FOLD_MAX_VARIABLES are selected.
 * UTET_E_DATASET: a chunk_shape is 0.
 * Returns: OK, WOULD_BLOCK, E_ARGUMENT, E_STATE, E_BUDGET, E_RANGE, E_MISSING, E_SHORT, E_DTYPE, E_CODEC,
 *          E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY, E_DATASET, E_ROW, E_PAYLOAD, E_PORT
 */
utet_status utet_fold_matrix_open(utet_fold_matrix *matrix, utet_file *file, const utet_fold_variables *variables);

/*
 * Does the same as utet_fold_pieces: utet_fold_matrix_run delivers complete rows, at most `size` doubles in a batch,
 * until it returns UTET_END.
 * UTET_E_STATE: the matrix is not open, or is already running. UTET_E_SPACE: size is smaller than `order`.
 * Returns: OK, E_STATE, E_SPACE
 */
utet_status utet_fold_matrix_pieces(utet_fold_matrix *matrix, size_t size);

/*
 * Computes the matrix and writes it to `results`, row-major; `size` is the capacity of `results` in doubles. It takes
 * the workspace and runs once, as utet_fold_run does.
 * UTET_E_STATE: the matrix is not open, has run, or was cancelled.
 * UTET_E_SPACE: size is smaller than order * order, or than a batch. UTET_END: after utet_fold_matrix_pieces, all rows
 * have been delivered. UTET_E_BUDGET, UTET_E_CODEC: the medium has changed since the matrix was opened.
 * Returns: OK, END, WOULD_BLOCK, E_STATE, E_BUDGET, E_MISSING, E_SPACE, E_SHORT, E_CODEC, E_ZSTD_WINDOW, E_ZSTD_DICT,
 *          E_ZSTD_LEGACY, E_ROW, E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_fold_matrix_run(utet_fold_matrix *matrix, double *results, size_t size);

/*
 * Divides the observations: from now on the matrix reads only one of share->parts parts. Several matrices, each with
 * its own file object on the same file, read the other parts, at the same time if the program has threads or cores for
 * it. All of them have the same variables and change. A part consists of consecutive observations; if each part can
 * have complete chunks, no chunk is read by two parts. Each matrix keeps all sums. The matrix of part 0, which has a
 * merge callback (join), gives the results. They have the same bits as those of one matrix that reads everything, for
 * every number of parts. A part without a join writes no results: its utet_fold_matrix_run takes NULL and 0. Call
 * after utet_fold_matrix_pieces and before utet_fold_matrix_run. Reads nothing.
 * UTET_E_ARGUMENT: part is not less than parts, parts is more than the number of observations, or a part other than 0
 * has a join.
 * UTET_E_STATE: the matrix is not open, or is already running.
 * UTET_E_BUDGET: the workspace cannot hold the sums of all variables at the same time; file->needed is the sufficient
 * size.
 * UTET_E_SPACE: utet_fold_matrix_pieces requested several batches.
 * After an error the matrix is unchanged.
 * Returns: OK, E_ARGUMENT, E_STATE, E_BUDGET, E_SPACE
 */
utet_status utet_fold_matrix_divide(utet_fold_matrix *matrix, utet_fold_matrix_share *share);

/*
 * Merges the sums of `from` into `into`; `from` becomes invalid. `into` is either the matrix whose join makes this
 * call, or a matrix without a join that has been read. `from` has no join and its utet_fold_matrix_run has returned
 * UTET_OK; since then, its file and workspace have not been used for another stream, slab, fold or matrix. Parts are
 * merged in order: the first part of `from` follows the last part of `into`. Nothing else may use either matrix during
 * the call. Reads nothing.
 * UTET_E_ARGUMENT: the parts of `from` do not follow those of `into`; or dataset, variables or the number of parts
 * differ (changes are not compared).
 * UTET_E_STATE: one of the two matrices violates the conditions above.
 * After an error both matrices are unchanged.
 * Returns: OK, E_ARGUMENT, E_STATE
 */
utet_status utet_fold_matrix_merge(utet_fold_matrix *into, utet_fold_matrix *from);

/* Numbers of this header's types, for utet_sizeof (utet.h). */
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
    UTET_OBJECT_FOLD_MATRIX = 33,
    UTET_OBJECT_FOLD_MATRIX_SHARE = 90
};

#ifdef __ELF__
#pragma GCC visibility pop
#endif
/* Deprecated: names of version 0.9, removed in version 1.0 (src/MIGRATING.md). */
#define utet_fold_by utet_fold_group
#define UTET_FOLD_MOST_BINS UTET_FOLD_MAX_BINS
#define UTET_FOLD_MOST_VARIABLES UTET_FOLD_MAX_VARIABLES

#ifdef __cplusplus
}
#endif

#endif
