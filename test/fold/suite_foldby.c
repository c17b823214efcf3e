/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Windows, groups and masks of folds (utet_fold_group): the windows that utet_fold.h describes, written out by hand;
 * the same bits for any tiling, codec, budget and port; faults and cancelling at every read. test/fold/fold_test.py
 * compares all operations and dtypes with a model.
 */
#include "foldworld.h"

#include <math.h>
#include <string.h>

static const utet_fold_operation *const operations[] = {
    &utet_fold_sum,     &utet_fold_mean,      &utet_fold_norm_l2,  &utet_fold_nan_std, &utet_fold_min,
    &utet_fold_arg_max, &utet_fold_nan_count, &utet_fold_product,  &utet_fold_any_inf, &utet_fold_count,
    &utet_fold_median,  &utet_fold_histogram, &utet_fold_quantile,
};
enum { OPERATIONS = sizeof operations / sizeof operations[0], FIRST_TURNS = OPERATIONS - 3 };

static uint32_t third(void *context, uint64_t place)
{
    (void)context;
    return place == 1 ? UTET_FOLD_LEFT_OUT : (uint32_t)(place % 3);
}

/* Groups 0 to `last`, then one that does not exist. */
static uint32_t to_last(void *context, uint64_t place)
{
    const uint32_t *last = context;

    return place > *last ? *last + 1 : (uint32_t)place;
}

static uint32_t odd(void *context, uint64_t place)
{
    (void)context;
    return place % 2 != 0 ? UTET_FOLD_LEFT_OUT : 77;
}

static uint32_t four = 4;

/* The groupings of the long cases; 3 axes. */
static const utet_fold_grouping groupings[] = {
    {.window = {.axis = 2, .size = 2, .mode = UTET_FOLD_ROLLING}},
    {.window = {.axis = 2, .size = 3, .pad = UTET_FOLD_PAD_FILL, .align = UTET_FOLD_ALIGN_END}},
    {.window = {.axis = 1, .size = 4, .mode = UTET_FOLD_ROLLING, .pad = UTET_FOLD_PAD_ZERO, .step = 3},
     .axis = {[2] = {.group_of = odd}}},
    {.window = {.axis = 0, .size = 1, .mode = UTET_FOLD_ROLLING, .step = 2, .min_count = 2}},
    {.window =
         {.axis = 1, .size = 3, .mode = UTET_FOLD_ROLLING, .pad = UTET_FOLD_PAD_FILL, .align = UTET_FOLD_ALIGN_END},
     .axis = {[1] = {.group_of = odd}}},
    {.axis = {[0] = {.group_of = third, .groups = 3}, [2] = {.group_of = odd}}},
    {.axis = {[2] = {.group_of = third, .groups = 3}}},
    {.axis = {[1] = {.group_of = to_last, .context = &four, .groups = 5}, [2] = {.group_of = third, .groups = 4}}},
    {.axis = {[1] = {.group_of = odd}}},
};
enum { GROUPINGS = sizeof groupings / sizeof groupings[0], WINDOWS = 5, UNCOUNTED = 7 };

/* A file to be reduced by `by`, with counts. */
static void build(foldworld *w, uint32_t dtype, int codec, int shuffle, const uint64_t chunk[3],
                  const utet_fold_grouping *by)
{
    foldworld_build(w, dtype, codec, shuffle, chunk);
    w->grouped = 1;
    w->by = *by;
    w->by.counts = w->counts;
}

static void start(foldworld *w, size_t work)
{
    foldworld_start(w, work);
    w->ranges[2].step = 2;
    w->request.bins = 5;
}

/* ---- cases ---- */

/* Results of windows over a dataset of one axis, 1 2 3 4 5 6 7, in tiles of 3; fill 10. */
typedef struct row {
    const utet_fold_operation *operation;
    utet_fold_window window;
    size_t count;
    double want[8];
} row;

enum {
    BINS = UTET_FOLD_BINS,
    ROLLING = UTET_FOLD_ROLLING,
    START = UTET_FOLD_ALIGN_START,
    AT_END = UTET_FOLD_ALIGN_END
};
enum { NONE = UTET_FOLD_PAD_NONE, ZERO = UTET_FOLD_PAD_ZERO, NOT = UTET_FOLD_PAD_NAN, FILL = UTET_FOLD_PAD_FILL };

/* size, step, min_count, axis, mode, pad, align, no fill of its own */
static const row rows[] = {
    {&utet_fold_sum, {3, 0, 0, 0, BINS, NONE, START, 0, 0, 0}, 3, {6, 15, 7}},
    {&utet_fold_sum, {3, 0, 0, 0, BINS, NONE, AT_END, 0, 0, 0}, 3, {1, 9, 18}},
    {&utet_fold_sum, {7, 0, 0, 0, BINS, NONE, AT_END, 0, 0, 0}, 1, {28}},
    {&utet_fold_sum, {1, 0, 0, 0, BINS, FILL, AT_END, 0, 0, 0}, 7, {1, 2, 3, 4, 5, 6, 7}},
    {&utet_fold_sum, {4, 0, 0, 0, BINS, FILL, START, 0, 0, 0}, 2, {10, 28}},
    {&utet_fold_sum, {4, 0, 0, 0, BINS, FILL, AT_END, 0, 0, 0}, 2, {16, 22}},
    {&utet_fold_count, {3, 0, 0, 0, BINS, NONE, AT_END, 0, 0, 0}, 3, {1, 3, 3}},
    {&utet_fold_count, {3, 0, 0, 0, BINS, ZERO, AT_END, 0, 0, 0}, 3, {3, 3, 3}},
    {&utet_fold_count, {3, 0, 0, 0, BINS, ZERO, START, 0, 0, 0}, 3, {3, 3, 3}},
    {&utet_fold_arg_max, {3, 0, 0, 0, BINS, NONE, START, 0, 0, 0}, 3, {2, 2, 0}},
    {&utet_fold_arg_max, {3, 0, 0, 0, BINS, NONE, AT_END, 0, 0, 0}, 3, {0, 2, 2}},
    {&utet_fold_arg_max, {3, 0, 0, 0, BINS, ZERO, AT_END, 0, 0, 0}, 3, {2, 2, 2}},
    {&utet_fold_arg_min, {3, 0, 0, 0, BINS, ZERO, AT_END, 0, 0, 0}, 3, {0, 0, 0}},
    {&utet_fold_arg_min, {3, 0, 0, 0, BINS, ZERO, START, 0, 0, 0}, 3, {0, 0, 1}},
    {&utet_fold_sum, {3, 0, 0, 0, ROLLING, NONE, START, 0, 0, 0}, 5, {6, 9, 12, 15, 18}},
    {&utet_fold_sum, {3, 2, 0, 0, ROLLING, NONE, START, 0, 0, 0}, 3, {6, 12, 18}},
    {&utet_fold_sum, {3, 3, 0, 0, ROLLING, NONE, START, 0, 0, 0}, 2, {6, 15}},
    {&utet_fold_sum, {2, 4, 0, 0, ROLLING, NONE, START, 0, 0, 0}, 2, {3, 11}},
    {&utet_fold_sum, {3, 0, 0, 0, ROLLING, ZERO, START, 0, 0, 0}, 7, {1, 3, 6, 9, 12, 15, 18}},
    {&utet_fold_sum, {3, 2, 0, 0, ROLLING, ZERO, START, 0, 0, 0}, 4, {1, 6, 12, 18}},
    {&utet_fold_sum, {3, 0, 0, 0, ROLLING, ZERO, AT_END, 0, 0, 0}, 7, {6, 9, 12, 15, 18, 13, 7}},
    {&utet_fold_sum, {3, 4, 0, 0, ROLLING, FILL, AT_END, 0, 0, 0}, 2, {6, 18}},
    {&utet_fold_sum, {3, 3, 0, 0, ROLLING, FILL, AT_END, 0, 0, 0}, 3, {6, 15, 27}},
    {&utet_fold_mean, {3, 0, 0, 0, ROLLING, NOT, START, 0, 0, 0}, 7, {NAN, NAN, 2, 3, 4, 5, 6}},
    {&utet_fold_nan_count, {3, 0, 0, 0, ROLLING, NOT, START, 0, 0, 0}, 7, {2, 1, 0, 0, 0, 0, 0}},
    {&utet_fold_nan_mean, {3, 0, 0, 0, ROLLING, NOT, AT_END, 0, 0, 0}, 7, {2, 3, 4, 5, 6, 6.5, 7}},
    {&utet_fold_sum, {3, 0, 2, 0, ROLLING, ZERO, START, 0, 0, 0}, 7, {NAN, 3, 6, 9, 12, 15, 18}},
    {&utet_fold_all_finite, {3, 0, 3, 0, BINS, NONE, START, 0, 0, 0}, 3, {1, 1, NAN}},
    {&utet_fold_arg_min, {3, 0, 3, 0, BINS, ZERO, START, 0, 0, 0}, 3, {0, 0, NAN}},
    {&utet_fold_max, {3, 0, 0, 0, ROLLING, FILL, START, 0, 0, 0}, 7, {10, 10, 3, 4, 5, 6, 7}},
    {&utet_fold_arg_max, {3, 0, 0, 0, ROLLING, FILL, START, 0, 0, 0}, 7, {0, 0, 2, 2, 2, 2, 2}},
    {&utet_fold_arg_max, {3, 0, 0, 0, ROLLING, FILL, AT_END, 0, 0, 0}, 7, {2, 2, 2, 2, 2, 2, 1}},
    {&utet_fold_product, {3, 0, 0, 0, ROLLING, FILL, START, 0, 0, 0}, 7, {100, 20, 6, 24, 60, 120, 210}},
    {&utet_fold_null_count, {3, 0, 0, 0, BINS, FILL, START, 0, 0, 0}, 3, {0, 0, 2}},
};

/* The values are multiplied by `scale`. */
static void make_axis(foldworld *w, const utet_fold_operation *operation, double fill, double scale)
{
    double values[7];

    for (int i = 0; i < 7; i++)
        values[i] = (i + 1) * scale;
    foldworld_axis(w, 7, 3, values);
    w->grouped = 1;
    w->request.operation = operation;
    w->request.has_fill = 1;
    w->request.fill = fill;
    w->by.counts = w->counts;
}

static double result(const foldworld *w, size_t i)
{
    double value;

    memcpy(&value, &w->bits[i], 8);
    return value;
}

static void start_axis(foldworld *w)
{
    start(w, 4000);
    w->ranges[0] = (utet_range){0, 7, 1};
}

static void windows_by_hand(void **state)
{
    static foldworld w;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        make_axis(&w, rows[i].operation, 10, 1);
        w.by.window = rows[i].window;
        start_axis(&w);
        assert_int_equal(foldworld_fold(&w, NULL), UTET_OK);
        suite_check(w.count == rows[i].count && w.by.windows == rows[i].count, "row %u: %u windows", (unsigned)i,
                    (unsigned)w.count);
        for (size_t n = 0; n < rows[i].count; n++) {
            double want = rows[i].want[n];

            suite_check(isnan(want) ? isnan(result(&w, n)) : result(&w, n) == want,
                        "row %u, window %u: %g, expected %g", (unsigned)i, (unsigned)n, result(&w, n), want);
        }
        rig_end(&w.r, "row");
        tetgen_free(&w.g);
    }
}

/* Elements that pass count for min_count, pads do not. If an extreme is both, the element's index wins. */
static void filtered_windows(void **state)
{
    static const utet_fold_filter some = {.tests = UTET_FOLD_GE, .ge = 3};
    static const double sums[] = {NAN, NAN, 3, 7, 12, 15, 18};
    static const uint64_t counts[] = {0, 0, 1, 2, 3, 3, 3};
    static foldworld w;

    (void)state;
    make_axis(&w, &utet_fold_sum, 1, 1);
    w.by.window = (utet_fold_window){.size = 3, .mode = ROLLING, .pad = ZERO};
    start_axis(&w);
    assert_int_equal(foldworld_fold(&w, &some), UTET_OK);
    assert_int_equal(w.fold.folded, 1 + 2 + 3 + 3 + 3);
    for (size_t i = 0; i < 7; i++)
        suite_check((isnan(sums[i]) ? isnan(result(&w, i)) : result(&w, i) == sums[i]) && w.counts[i] == counts[i],
                    "window %u: %g of %u", (unsigned)i, result(&w, i), (unsigned)w.counts[i]);
    w.request.operation = &utet_fold_arg_min;
    w.by.window.pad = FILL;
    assert_int_equal(foldworld_fold(&w, NULL), UTET_OK);
    assert_true(result(&w, 0) == 2 && result(&w, 1) == 1 && result(&w, 2) == 0);
    rig_end(&w.r, "filtered");
    tetgen_free(&w.g);
}

/* One operation with one grouping in every way; the results are compared with those of one large raw tile. */
static void ways(uint32_t dtype, const utet_fold_operation *operation, uint32_t axes, unsigned by,
                 const utet_fold_filter *filter)
{
    static foldworld w;

    build(&w, dtype, TETGEN_RAW, 0, foldworld_whole, &groupings[by]);
    w.request = (utet_fold_request){.operation = operation, .axes = axes, .has_fill = 1, .fill = 3};
    if (by == UNCOUNTED)
        w.by.counts = NULL;
    start(&w, 500000);
    assert_int_equal(foldworld_fold(&w, filter), UTET_OK);
    foldworld_other_ways(&w, filter);
    rig_end(&w.r, "first");
    tetgen_free(&w.g);
}

static void the_same_bits_everywhere(void **state)
{
    static const utet_fold_filter some = {.tests = UTET_FOLD_GE | UTET_FOLD_NE | UTET_FOLD_LT, .ge = -20, .lt = 1e30};
    unsigned part = suite_full() ? 3 : suite_light() ? 53 : 19;

    (void)state;
    for (unsigned i = 0; i < OPERATIONS; i++)
        for (unsigned by = i >= FIRST_TURNS ? WINDOWS : 0; by < GROUPINGS; by++)
            for (uint32_t dtype = 1; dtype <= 10; dtype++)
                if ((i + by * 3 + dtype * 7) % part == 0)
                    ways(dtype, operations[i], (dtype + i + by) % 8, by, (i + by) % 2 ? &some : NULL);
}

/* One byte less than the minimum is refused with the size; every larger budget gives the same bits in no more
 * blocks. */
static void every_budget(void **state)
{
    static foldworld a, b;

    (void)state;
    for (unsigned by = 0; by < GROUPINGS; by += 3) {
        uint64_t least, best, boxes = UINT64_MAX;

        build(&a, UTET_F32, TETGEN_MIXED, 1, foldworld_tiles, &groupings[by]);
        a.request = (utet_fold_request){.operation = &utet_fold_var, .axes = 2, .has_fill = 1, .fill = 3};
        start(&a, 300000);
        assert_int_equal(foldworld_fold(&a, NULL), UTET_OK);
        assert_int_equal(a.fold.boxes, 1);
        least = a.fold.need.least;
        best = a.fold.need.best;
        for (size_t work = (size_t)least - 20; work <= best + 40; work += work < least + 40 ? 1
                                                                          : suite_light()   ? 331
                                                                                            : 41) {
            utet_status status;

            b.g = a.g;
            foldworld_start_as(&b, &a, work);
            status = foldworld_fold(&b, NULL);
            if (work < least) {
                suite_check(status == UTET_E_BUDGET && b.r.file.needed > work && b.r.file.needed <= least,
                            "%u bytes: %s", (unsigned)work, rig_status(status));
            } else {
                suite_check(status == UTET_OK, "%u bytes: %s", (unsigned)work, rig_status(status));
                foldworld_compare(&a, &b, "the budget");
                assert_true(b.fold.boxes <= boxes && b.r.file.high_water <= work);
                boxes = b.fold.boxes;
            }
            rig_end(&b.r, "budget");
        }
        rig_end(&a.r, "budget");
        tetgen_free(&a.g);
    }
}

/* A fault at any read gives its error; then the file is as good as before. */
static void faults_anywhere(void **state)
{
    static foldworld w;

    (void)state;
    build(&w, UTET_I16, TETGEN_MIXED, 1, foldworld_tiles, &groupings[4]);
    w.request = (utet_fold_request){.operation = &utet_fold_sum_i16, .axes = 4, .has_fill = 1, .fill = -7};
    start(&w, 9000);
    assert_int_equal(foldworld_fold(&w, NULL), UTET_OK);
    foldworld_faults(&w);
    rig_end(&w.r, "fault");
    tetgen_free(&w.g);
}

/* Cancelled at any "not yet": the fold becomes invalid, and another one gives the result. */
static void cancel_anywhere(void **state)
{
    static foldworld w;

    (void)state;
    build(&w, UTET_F64, TETGEN_RAW, 1, foldworld_tiles, &groupings[0]);
    w.request = (utet_fold_request){.operation = &utet_fold_sum, .axes = 1};
    start(&w, 20000);
    assert_int_equal(foldworld_fold(&w, NULL), UTET_OK);
    foldworld_cancels(&w);
    rig_end(&w.r, "cancel");
    tetgen_free(&w.g);
}

/* No elements at all: groups have the result of no elements, windows NaN. Also groups to which no index belongs. */
static void nothing_at_all(void **state)
{
    static foldworld w;

    (void)state;
    for (unsigned windows = 0; windows < 2; windows++) {
        build(&w, UTET_I16, TETGEN_RAW, 0, foldworld_tiles, &groupings[windows ? 0 : 6]);
        tetgen_free(&w.g);
        w.data.shape[1] = 0;
        tetgen_build(&w.g);
        w.request = (utet_fold_request){.operation = &utet_fold_product, .axes = 2};
        start(&w, 4000);
        w.ranges[1] = (utet_range){0, 0, 1};
        w.counts[0] = w.counts[1] = 1;
        assert_int_equal(foldworld_fold(&w, NULL), UTET_OK);
        assert_int_equal(w.count, 3 * (windows ? 4 : 3));
        for (size_t i = 0; i < w.count; i++)
            assert_true(w.counts[i] == 0 && (windows ? isnan(result(&w, i)) : result(&w, i) == 1));
        w.by.window = (utet_fold_window){.axis = 1, .size = 1};
        assert_int_equal(foldworld_fold(&w, NULL), UTET_E_RANGE);
        w.d.shape[2] = w.ranges[2].stop = (uint64_t)1 << 63; /* no chunk is looked up */
        w.ranges[2].step = 1;
        w.by = (utet_fold_grouping){.window = {.axis = 2, .size = 1}};
        assert_int_equal(foldworld_fold(&w, NULL), UTET_E_RANGE);
        w.ranges[2].stop = 5;
        w.request.axes = 0; /* no results, either */
        w.by = (utet_fold_grouping){.counts = NULL};
        assert_int_equal(foldworld_fold(&w, NULL), UTET_OK);
        assert_int_equal(w.count, 0);
        rig_end(&w.r, "nothing");
        tetgen_free(&w.g);
    }
    make_axis(&w, &utet_fold_sum, 0, 1);
    w.by.axis[0] = (utet_fold_axis){.group_of = to_last, .context = &four, .groups = 9};
    start_axis(&w);
    assert_int_equal(foldworld_fold(&w, NULL), UTET_OK);
    assert_int_equal(w.count, 9);
    for (size_t i = 0; i < 9; i++)
        assert_true(result(&w, i) == (i < 5 ? (double)i + 1 : i == 5 ? 13 : 0));
    w.by.axis[0].groups = 3; /* the others do not take part */
    assert_int_equal(foldworld_fold(&w, NULL), UTET_OK);
    assert_true(w.count == 3 && w.fold.folded == 3 && result(&w, 2) == 3);
    rig_end(&w.r, "groups");
    tetgen_free(&w.g);
}

/* After the need has been returned, the grouping's functions are called as often as wanted. */
static void need_is_asked(void **state)
{
    static foldworld w;
    uint64_t results;

    (void)state;
    make_axis(&w, &utet_fold_sum, 0, 1);
    start_axis(&w);
    DRIVE_OK(utet_fold_need(&w.fold, &w.r.file, &w.request));
    results = w.fold.results;
    assert_int_equal(results, 7);
    w.by.window = (utet_fold_window){.size = 2, .mode = ROLLING};
    assert_int_equal(utet_fold_group(&w.fold, &w.by), UTET_OK);
    assert_int_equal(w.fold.results, 6);
    assert_int_equal(w.by.windows, 6);
    w.by.window.size = 0;
    w.by.counts = NULL;
    assert_int_equal(utet_fold_group(&w.fold, &w.by), UTET_OK);
    assert_int_equal(w.fold.results, 7);
    assert_int_equal(w.by.windows, 0);
    assert_int_equal(utet_fold_run(&w.fold, &(double){0}, 1), UTET_E_STATE);
    rig_end(&w.r, "need");
    tetgen_free(&w.g);
}

/* Exponents that no double has; each window starts again. */
static void long_products(void **state)
{
    static foldworld w;

    (void)state;
    for (int large = 0; large < 2; large++) {
        make_axis(&w, &utet_fold_product, 1, large ? 1e300 : 1e-300);
        w.by.window = (utet_fold_window){.size = 5, .step = 2, .mode = ROLLING};
        start_axis(&w);
        assert_int_equal(foldworld_fold(&w, NULL), UTET_OK);
        assert_true(w.count == 2 && result(&w, 0) == (large ? INFINITY : 0) && result(&w, 1) == result(&w, 0));
        rig_end(&w.r, "products");
        tetgen_free(&w.g);
    }
}

/* A fill that integers can represent as a pad, or cannot. */
static void pads_of_integers(void **state)
{
    static const struct {
        double fill;
        uint32_t dtype;
        int good;
    } pads[] = {
        {0, UTET_U8, 1},
        {-0.0, UTET_U8, 1},
        {255, UTET_U8, 1},
        {256, UTET_U8, 0},
        {-1, UTET_U8, 0},
        {0.5, UTET_U8, 0},
        {2.5, UTET_U8, 0},
        {5e-324, UTET_U8, 0},
        {-128 * 256, UTET_I16, 1},
        {-32769, UTET_I16, 0},
        {32768, UTET_I16, 0},
        {32767, UTET_I16, 1},
        {4294967295.0, UTET_U32, 1},
        {0x1p63, UTET_I64, 0},
        {-0x1p63, UTET_I64, 1},
        {0x1.fffffffffffffp62, UTET_I64, 1},
        {0x1.fffffffffffffp63, UTET_U64, 1},
        {0x1p64, UTET_U64, 0},
        {1e300, UTET_U64, 0},
        {NAN, UTET_I32, 0},
        {INFINITY, UTET_I32, 0},
        {NAN, UTET_F32, 1},
        {-INFINITY, UTET_F16, 1},
        {0.1, UTET_F16, 0},
        {0x1p-24, UTET_F16, 1},
    };
    static foldworld w;

    (void)state;
    for (size_t i = 0; i < sizeof pads / sizeof pads[0]; i++) {
        utet_status status;

        build(&w, pads[i].dtype, TETGEN_RAW, 0, foldworld_tiles, &groupings[0]);
        w.request = (utet_fold_request){.operation = &utet_fold_max, .has_fill = 1, .fill = pads[i].fill, .axes = 7};
        w.by = (utet_fold_grouping){.window = {.axis = 2, .size = 3, .pad = FILL}};
        start(&w, 4000);
        status = foldworld_fold(&w, &(utet_fold_filter){.tests = UTET_FOLD_NE, .ne = 1e9});
        suite_check(status == (pads[i].good ? UTET_OK : UTET_E_ARGUMENT), "pad %u: %s", (unsigned)i,
                    rig_status(status));
        rig_end(&w.r, "pads");
        tetgen_free(&w.g);
    }
}

/* A pad that is not a value of the dtype is refused only if a window lacks an element. Windows over the 6 elements of
 * axis 1. */
static void pads_that_nothing_needs(void **state)
{
    static const struct {
        utet_fold_window window;
        int needed;
    } windows[] = {
        {{.size = 6}, 0},
        {{.size = 1}, 0},
        {{.size = 1, .align = AT_END}, 0},
        {{.size = 1, .mode = ROLLING}, 0},
        {{.size = 1, .mode = ROLLING, .align = AT_END}, 0},
        {{.size = 2, .mode = ROLLING, .align = AT_END, .step = 4}, 0}, /* from 0 and from 4 on */
        {{.size = 3, .mode = ROLLING, .align = AT_END, .step = 4}, 1},
        {{.size = 4}, 1},
        {{.size = 4, .align = AT_END}, 1},
        {{.size = 2, .mode = ROLLING}, 1},
        {{.size = 2, .mode = ROLLING, .align = AT_END}, 1},
    };
    static foldworld w;

    (void)state;
    for (size_t i = 0; i < sizeof windows / sizeof windows[0]; i++)
        for (unsigned own = 0; own < 2; own++) {
            utet_status status;

            build(&w, UTET_I16, TETGEN_RAW, 0, foldworld_tiles, &groupings[0]);
            w.request = (utet_fold_request){.operation = &utet_fold_sum, .axes = 7};
            w.request.has_fill = !own;
            w.request.fill = 0.1;
            w.by = (utet_fold_grouping){.window = windows[i].window};
            w.by.window.axis = 1;
            w.by.window.pad = FILL;
            w.by.window.has_fill = (uint8_t)own;
            w.by.window.fill = 0.1;
            start(&w, 4000);
            status = foldworld_fold(&w, NULL);
            suite_check(status == (windows[i].needed ? UTET_E_ARGUMENT : UTET_OK), "window %u: %s", (unsigned)i,
                        rig_status(status));
            rig_end(&w.r, "pads");
            tetgen_free(&w.g);
        }
}

/* Pads of a window of its own, and a filter that compares with the request's fill. */
static void pads_and_filters_have_fills_of_their_own(void **state)
{
    static const utet_fold_filter known = {.tests = UTET_FOLD_IS_NOT_NULL};
    static foldworld w;

    (void)state;
    make_axis(&w, &utet_fold_sum, 1, 1);
    w.request.has_fill = 1;
    w.request.fill = 3;
    w.by.window = (utet_fold_window){.size = 3, .pad = FILL, .has_fill = 1, .fill = 10};
    start_axis(&w);
    assert_int_equal(foldworld_fold(&w, &known), UTET_OK); /* 1 2 -, 4 5 6, 7 10 10 */
    assert_true(result(&w, 0) == 3 && result(&w, 1) == 15 && result(&w, 2) == 27);
    rig_end(&w.r, "own pads");
    tetgen_free(&w.g);
}

/* Every fifth element is in no group. */
static uint32_t of_five(void *context, uint64_t place)
{
    (void)context;
    return place % 5 == 4 ? UTET_FOLD_LEFT_OUT : (uint32_t)(place % 5);
}

/* Sums of f32 by groups, which have a loop of their own without a filter: NaN and infinities are in their own group
 * only. The sums are exact in doubles. */
static void groups_of_floats(void **state)
{
    static const utet_fold_filter finite = {.tests = UTET_FOLD_LT, .lt = 1000};
    static foldworld w;
    float values[60];

    (void)state;
    for (size_t i = 0; i < 60; i++)
        values[i] = (float)((int)(i * 37 % 41) - 20) / 4;
    values[11] = NAN;
    values[22] = INFINITY;
    values[5] = 0;
    for (unsigned way = 0; way < 4; way++) {
        double want[4] = {0, 0, 0, 0};

        for (size_t i = 0; i < 60; i++)
            if (i % 5 != 4 && (way < 2 || values[i] < 1000))
                want[i % 5] += (double)values[i];
        foldworld_elements(&w, UTET_F32, 1, &(uint64_t){60}, &(uint64_t){16}, values);
        w.grouped = 1;
        w.request = (utet_fold_request){.operation = &utet_fold_sum, .axes = UTET_FOLD_ALL};
        w.by = (utet_fold_grouping){.counts = way % 2 != 0 ? w.counts : NULL,
                                    .axis = {{.groups = 4, .group_of = of_five}}};
        foldworld_start(&w, 20000);
        w.ranges[0] = (utet_range){0, 60, 1};
        assert_int_equal(foldworld_fold(&w, way < 2 ? NULL : &finite), UTET_OK);
        assert_int_equal(w.count, 4);
        for (size_t i = 0; i < 4; i++) {
            const double got = result(&w, i);

            suite_check(isnan(want[i]) ? isnan(got) : got == want[i], "way %u, group %u: %g, expected %g", way,
                        (unsigned)i, got, want[i]);
        }
        rig_end(&w.r, "groups of floats");
        tetgen_free(&w.g);
    }
}

/* Without a map, the number of groups is not read. */
static void groups_without_a_map(void **state)
{
    static const float values[8] = {1, 2, 3, 4, 5, 6, 7, 8.5F};
    static foldworld w;

    (void)state;
    foldworld_elements(&w, UTET_F32, 1, &(uint64_t){8}, &(uint64_t){3}, values);
    w.grouped = 1;
    w.request = (utet_fold_request){.operation = &utet_fold_sum, .axes = UTET_FOLD_ALL};
    w.by = (utet_fold_grouping){.axis = {{.groups = 4}}};
    foldworld_start(&w, 20000);
    w.ranges[0] = (utet_range){0, 8, 1};
    assert_int_equal(foldworld_fold(&w, NULL), UTET_OK);
    assert_int_equal(w.count, 1);
    assert_true(result(&w, 0) == 36.5);
    rig_end(&w.r, "no map");
    tetgen_free(&w.g);
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        cmocka_unit_test(pads_that_nothing_needs),  cmocka_unit_test(pads_and_filters_have_fills_of_their_own),
        cmocka_unit_test(windows_by_hand),          cmocka_unit_test(filtered_windows),
        cmocka_unit_test(the_same_bits_everywhere), cmocka_unit_test(every_budget),
        cmocka_unit_test(faults_anywhere),          cmocka_unit_test(cancel_anywhere),
        cmocka_unit_test(nothing_at_all),           cmocka_unit_test(need_is_asked),
        cmocka_unit_test(pads_of_integers),         cmocka_unit_test(long_products),
        cmocka_unit_test(groups_of_floats),         cmocka_unit_test(groups_without_a_map),
    };

    return SUITE("foldby", cases);
}
