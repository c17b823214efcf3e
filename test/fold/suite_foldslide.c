/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Windows that overlap (fold_slide.c): how often an element is taken, whatever the windows' size is; and results that a
 * loop over each window gives, with every budget, in parts, and where NaN and infinities enter and leave.
 * test/fold/fold_test.py compares all operations and dtypes with a model.
 */
#include "foldworld.h"

#include <math.h>
#include <string.h>

#define MOST FOLDWORLD_MOST

enum { SIZE = 1000, TILE = 128 };

static double values[MOST];
static uint64_t calls; /* of `all` */

static uint32_t all(void *context, uint64_t place)
{
    (void)context;
    (void)place;
    calls++;
    return 0;
}

static void set_values(size_t count)
{
    for (size_t i = 0; i < count; i++)
        values[i] = (double)((i * 7919 + i / 13 * 31) % 211) - 100; /* sums of squares are exact */
}

static void make(foldworld *w, size_t count, const utet_fold_operation *operation, utet_fold_window window)
{
    foldworld_axis(w, count, TILE, values);
    w->grouped = 1;
    w->request = (utet_fold_request){.operation = operation};
    w->by = (utet_fold_grouping){.window = window, .axis = {{.group_of = all}}, .counts = w->counts};
}

static void start(foldworld *w, size_t count, size_t work)
{
    foldworld_start(w, work);
    w->ranges[0] = (utet_range){0, count, 1};
}

/* The result of the elements from `from` to `to`, by a loop over them. Their sums are exact in doubles. */
static double loop(const utet_fold_operation *operation, size_t from, size_t to)
{
    double sum = 0, squares = 0, most = NAN;
    size_t place = 0;

    for (size_t i = from; i < to; i++) {
        sum += values[i];
        squares += values[i] * values[i];
        if (!(values[i] <= most) && !isnan(values[i])) {
            most = values[i];
            place = i - from;
        }
    }
    if (operation == &utet_fold_sum)
        return sum;
    if (operation == &utet_fold_max)
        return most;
    if (operation == &utet_fold_arg_max)
        return (double)place;
    return ((double)(to - from) * squares - sum * sum) / ((double)(to - from) * (double)(to - from));
}

static void check(const foldworld *w, const char *what)
{
    const uint64_t step = w->by.window.step != 0 ? w->by.window.step : 1;

    for (size_t i = 0; i < w->count; i++) {
        const size_t from = (size_t)(i * step);
        const double want = loop(w->request.operation, from, from + (size_t)w->by.window.size);
        double got;

        memcpy(&got, &w->bits[i], 8);
        suite_check((isnan(want) ? isnan(got) : got == want) && w->counts[i] == w->by.window.size,
                    "%s, window %u: %g of %u, expected %g", what, (unsigned)i, got, (unsigned)w->counts[i], want);
    }
}

static const utet_fold_operation *const operations[] = {&utet_fold_sum, &utet_fold_var, &utet_fold_max,
                                                        &utet_fold_arg_max};
enum { OPERATIONS = sizeof operations / sizeof operations[0] };

/* The mask is called once or twice for each element that is taken: with a window of 1,000 for each index, not 1,000
 * times. utet_fold.folded counts each element in each of its windows, as if each window took it. */
static void each_element_is_taken_once(void **state)
{
    static const uint64_t steps[] = {1, 7, 125};
    static foldworld w;
    const size_t count = 2500;

    (void)state;
    set_values(count);
    for (unsigned o = 0; o < OPERATIONS; o++)
        for (unsigned s = 0; s < 3; s++) {
            make(&w, count, operations[o],
                 (utet_fold_window){.size = SIZE, .step = steps[s], .mode = UTET_FOLD_ROLLING});
            start(&w, count, 3000000);
            calls = 0;
            assert_int_equal(foldworld_fold(&w, NULL), UTET_OK);
            assert_int_equal(w.count, (count - SIZE) / steps[s] + 1);
            assert_int_equal(w.fold.boxes, 1);
            suite_check(calls <= 2 * count, "step %u: %u calls", (unsigned)steps[s], (unsigned)calls);
            assert_int_equal(w.fold.folded, w.count * SIZE);
            check(&w, "one block");
            rig_end(&w.r, "once");
            tetgen_free(&w.g);
        }
}

/* With less memory there are more blocks, and two of them share at most 1,000 elements; with memory for less than four
 * windows, each window takes its elements. */
static void every_memory(void **state)
{
    static foldworld w;
    const size_t count = 1600;
    const size_t cell = 24 + 8; /* of max, and its count */

    (void)state;
    set_values(count);
    for (uint64_t step = 1; step <= 3; step += 2) {
        uint64_t least, best;

        make(&w, count, &utet_fold_max, (utet_fold_window){.size = SIZE, .step = step, .mode = UTET_FOLD_ROLLING});
        start(&w, count, 200000);
        assert_int_equal(foldworld_fold(&w, NULL), UTET_OK);
        least = w.fold.need.least;
        best = w.fold.need.best;
        rig_end(&w.r, "least");
        for (size_t cells = 1; cells < 500; cells += cells < 10 ? 1 : 163) {
            start(&w, count, (size_t)least + (cells - 1) * cell);
            calls = 0;
            assert_int_equal(foldworld_fold(&w, NULL), UTET_OK);
            assert_true(w.fold.need.least == least && w.fold.need.best == best);
            assert_true(w.r.file.high_water <= least + (cells - 1) * cell);
            check(&w, "some memory");
            suite_check(w.fold.boxes == (w.count - 1) / (cells >= 8 ? cells / 2 : cells) + 1, "%u cells: %u blocks",
                        (unsigned)cells, (unsigned)w.fold.boxes);
            suite_check(cells < 8 || calls <= 2 * (w.fold.boxes * SIZE + count), "%u cells: %u calls", (unsigned)cells,
                        (unsigned)calls);
            rig_end(&w.r, "memory");
        }
        start(&w, count, (size_t)best);
        assert_int_equal(foldworld_fold(&w, NULL), UTET_OK);
        assert_int_equal(w.fold.boxes, 1);
        rig_end(&w.r, "best");
        tetgen_free(&w.g);
    }
}

/* Windows along the first or the last of two axes; the other one is kept, so that each of its indices has windows. */
static void two_axes(void **state)
{
    static double both[3 * 60];
    static foldworld w;

    (void)state;
    set_values(3 * 60);
    memcpy(both, values, sizeof both);
    for (uint8_t axis = 0; axis < 2; axis++) {
        const uint64_t shape[2] = {axis == 0 ? 60 : 3, axis == 0 ? 3 : 60};

        for (uint64_t step = 1; step <= 3; step++) {
            foldworld_elements(&w, UTET_F64, 2, shape, (const uint64_t[]){2, 7}, both);
            w.grouped = 1;
            w.request = (utet_fold_request){.operation = &utet_fold_sum};
            w.by = (utet_fold_grouping){.counts = w.counts};
            w.by.window = (utet_fold_window){.axis = axis, .size = 13, .step = step, .mode = UTET_FOLD_ROLLING};
            foldworld_start(&w, 100000);
            w.ranges[0] = (utet_range){0, shape[0], 1};
            w.ranges[1] = (utet_range){0, shape[1], 1};
            assert_int_equal(foldworld_fold(&w, NULL), UTET_OK);
            assert_int_equal(w.count, 3 * w.by.windows);
            for (size_t line = 0; line < 3; line++)
                for (size_t i = 0; i < w.by.windows; i++) {
                    double want = 0, got;

                    for (size_t n = i * (size_t)step; n < i * (size_t)step + 13; n++)
                        want += axis == 0 ? both[n * 3 + line] : both[line * 60 + n];
                    memcpy(&got, &w.bits[axis == 0 ? i * 3 + line : line * w.by.windows + i], 8);
                    suite_check(got == want, "axis %u, line %u, window %u: %g, expected %g", axis, (unsigned)line,
                                (unsigned)i, got, want);
                }
            rig_end(&w.r, "two axes");
            tetgen_free(&w.g);
        }
    }
}

/* The product has an order, and positions on a very long axis have more than 32 bits: these windows do not slide. */
static void windows_that_do_not_slide(void **state)
{
    static foldworld w;
    const size_t count = 40;

    (void)state;
    for (size_t i = 0; i < count; i++)
        values[i] = 2;
    make(&w, count, &utet_fold_product, (utet_fold_window){.size = 20, .mode = UTET_FOLD_ROLLING});
    start(&w, count, 100000);
    assert_int_equal(foldworld_fold(&w, NULL), UTET_OK);
    for (size_t i = 0; i < w.count; i++)
        assert_true(w.bits[i] == (uint64_t)(1023 + 20) << 52 && w.counts[i] == 20);
    rig_end(&w.r, "product");
    tetgen_free(&w.g);
    foldworld_elements(&w, UTET_F64, 2, (const uint64_t[]){0, 4}, (const uint64_t[]){1, 4}, values);
    w.grouped = 1;
    w.request = (utet_fold_request){.operation = &utet_fold_sum};
    w.by = (utet_fold_grouping){.window = {.axis = 1, .size = SIZE, .mode = UTET_FOLD_ROLLING}};
    foldworld_start(&w, 4000);
    w.d.shape[1] = (uint64_t)1 << 40;
    w.ranges[0] = (utet_range){0, 0, 1};
    w.ranges[1] = (utet_range){0, (uint64_t)1 << 40, 1};
    assert_int_equal(foldworld_fold(&w, NULL), UTET_OK);
    assert_true(w.count == 0 && w.by.windows == ((uint64_t)1 << 40) - SIZE + 1);
    rig_end(&w.r, "long");
    tetgen_free(&w.g);
}

/* A sum is finite again when NaN and infinities have left its window. */
static void what_is_not_finite_leaves(void **state)
{
    static const struct {
        size_t at;
        double value;
    } odd[] = {{3, NAN}, {20, INFINITY}, {21, -INFINITY}, {40, INFINITY}, {70, -INFINITY}, {71, NAN}, {99, INFINITY}};
    static foldworld w;
    const size_t count = 100;

    (void)state;
    set_values(count);
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++)
        values[odd[i].at] = odd[i].value;
    for (uint64_t size = 4; size < 40; size += 5)
        for (uint64_t step = 1; step <= 3; step++)
            for (unsigned o = 0; o < OPERATIONS; o++) {
                make(&w, count, operations[o],
                     (utet_fold_window){.size = size, .step = step, .mode = UTET_FOLD_ROLLING});
                start(&w, count, 400000);
                assert_int_equal(foldworld_fold(&w, NULL), UTET_OK);
                check(&w, "not finite");
                rig_end(&w.r, "not finite");
                tetgen_free(&w.g);
            }
}

static utet_status nothing_to_join(void *context, utet_fold *into)
{
    (void)context;
    (void)into;
    return UTET_OK;
}

/* A part needs one cell for each result. Windows slide in it only if it has two. */
static void parts(void **state)
{
    static foldworld w;
    static double results[MOST];
    const size_t count = 1600;
    const size_t cell = 24 + 8;

    (void)state;
    set_values(count);
    make(&w, count, &utet_fold_max, (utet_fold_window){.size = SIZE, .step = 2, .mode = UTET_FOLD_ROLLING});
    for (unsigned i = 0; i < 4; i++) {
        utet_fold_share share = {.parts = 1, .join = nothing_to_join};
        const size_t each[] = {300, 301, 601, 602}; /* cells; there are 301 windows */
        utet_need need;
        utet_status status;

        start(&w, count, 4000);
        DRIVE_OK(utet_fold_need(&w.fold, &w.r.file, &w.request));
        assert_int_equal(utet_fold_group(&w.fold, &w.by), UTET_OK);
        need = w.fold.need;
        rig_end(&w.r, "need");
        start(&w, count, (size_t)need.least + (each[i] - 1) * cell);
        calls = 0;
        assert_int_equal(foldworld_ready(&w, NULL), UTET_OK);
        status = utet_fold_divide(&w.fold, &share);
        assert_int_equal(status, i == 0 ? UTET_E_BUDGET : UTET_OK);
        assert_true(w.fold.need.least == need.least && w.fold.need.best == need.best);
        if (i == 0)
            assert_int_equal(w.r.file.needed, need.least + 300 * cell);
        DRIVE_OK(utet_fold_run(&w.fold, results, MOST));
        w.count = (size_t)w.fold.results;
        assert_int_equal(w.count, 301);
        memcpy(w.bits, results, w.count * 8);
        check(&w, "a part");
        suite_check((calls <= 2 * (3 * SIZE + count)) == (i == 0 || i == 3), "%u calls", (unsigned)calls);
        assert_int_equal(w.fold.folded, w.count * SIZE);
        rig_end(&w.r, "parts");
    }
    tetgen_free(&w.g);
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        cmocka_unit_test(each_element_is_taken_once),
        cmocka_unit_test(every_memory),
        cmocka_unit_test(two_axes),
        cmocka_unit_test(windows_that_do_not_slide),
        cmocka_unit_test(what_is_not_finite_leaves),
        cmocka_unit_test(parts),
    };

    return SUITE("foldslide", cases);
}
