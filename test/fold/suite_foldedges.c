/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Folds at their edges: elements that are equal, selections without elements, media that change between two passes; and
 * the table of the minimum memory of every reduction. The expected values follow from utet_fold.h by hand.
 * suite_foldrounding has rounding.
 */
#include "fold/fold_ieee.h"
#include "foldworld.h"
#include "operations.h"
#include "utet_transform.h"

#include <math.h>
#include <string.h>

#define MOST 64

static double results[MOST];

/* ---- elements that are equal ---- */

/* The smallest row-major index wins, also if another tile with an equal element was read before. */
static void equal_extremes(void **state)
{
    static const uint64_t shape[] = {3, 4};
    static const uint64_t chunks[][2] = {{3, 4}, {3, 2}, {2, 2}, {1, 1}};
    static const float elements[] = {5, 5, 5, -1, 5, 9, 9, 5, -1, 5, 5, 9};

    (void)state;
    for (size_t i = 0; i < sizeof chunks / sizeof *chunks; i++) {
        static foldworld w;

        foldworld_elements(&w, UTET_F32, 2, shape, chunks[i], elements);
        for (int greatest = 0; greatest < 2; greatest++) {
            foldworld_start(&w, 9000);
            w.ranges[0] = (utet_range){0, 3, 1};
            w.ranges[1] = (utet_range){0, 4, 1};
            w.request.operation = greatest ? &utet_fold_arg_max : &utet_fold_arg_min;
            w.request.axes = UTET_FOLD_ALL;
            DRIVE_OK(utet_fold_open(&w.fold, &w.r.file, &w.request));
            DRIVE_OK(utet_fold_run(&w.fold, results, MOST));
            suite_check(results[0] == (greatest ? 5 : 3), "tiles %u: place %g", (unsigned)i, results[0]);
            rig_end(&w.r, "extreme");
        }
        tetgen_free(&w.g);
    }
}

/* ---- nothing is selected ---- */

static void ready_for_nothing(foldworld *w)
{
    foldworld_elements(w, UTET_F64, 3, (const uint64_t[]){0, 7, 9}, foldworld_tiles, "");
    foldworld_start(w, 9000);
    w->ranges[0] = (utet_range){0, 0, 1};
    w->request.operation = &utet_fold_var;
    w->request.axes = 6; /* the first axis is kept, and has no elements */
}

static void nothing(void **state)
{
    static foldworld w;
    utet_transform transform;
    utet_transform_into into;
    utet_io io;

    (void)state;
    ready_for_nothing(&w);
    DRIVE_OK(utet_fold_open(&w.fold, &w.r.file, &w.request));
    assert_int_equal(w.fold.results, 0);
    assert_int_equal(utet_fold_pieces(&w.fold, 5), UTET_OK);
    DRIVE_OK(utet_fold_run(&w.fold, results, 5));
    assert_int_equal(w.fold.given, 0);
    assert_int_equal(utet_fold_run(&w.fold, results, 5), UTET_END);
    rig_end(&w.r, "pieces of nothing");

    /* In memory there is no window, so a cell is all that is needed, and never less than the minimum. */
    foldworld_start(&w, 9000);
    io = w.r.port.io;
    io.map = w.g.bytes;
    assert_int_equal(utet_init(&w.r.file, &io, w.r.work.data, 9000, w.r.codecs), UTET_OK);
    DRIVE_OK(utet_open(&w.r.file, NULL));
    DRIVE_OK(utet_dataset_first(&w.r.file, &w.d));
    w.ranges[0] = (utet_range){0, 0, 1};
    DRIVE_OK(utet_fold_need(&w.fold, &w.r.file, &w.request));
    assert_int_equal(w.fold.need.least, UTET_FOLD_CELL);
    assert_int_equal(w.fold.need.best, UTET_FOLD_CELL);
    rig_end(&w.r, "nothing, mapped");

    foldworld_start(&w, 9000);
    w.ranges[0] = (utet_range){0, 0, 1};
    for (int counted = 0; counted < 2; counted++) {
        memset(&into, 0, sizeof into);
        memset(&w.by, 0, sizeof w.by);
        w.by.counts = counted ? w.counts : NULL;
        w.request.axes = counted ? 7 : 6;
        DRIVE_OK(utet_transform_open(&transform, &w.r.file, &w.request, &utet_transform_zscore));
        assert_int_equal(utet_fold_group(&transform.fold, &w.by), UTET_OK);
        if (counted) { /* counts belong to folds */
            assert_int_equal(utet_transform_run(&transform, &into), UTET_E_ARGUMENT);
            continue;
        }
        into.elements = results;
        into.size = sizeof results;
        results[0] = 7;
        DRIVE_OK(utet_transform_run(&transform, &into));
        assert_true(results[0] == 7 && transform.count == 0);
    }
    rig_end(&w.r, "nothing transformed");
    tetgen_free(&w.g);
}

/* A matrix without observations gives all its rows and no more, at once or in parts. */
static void nothing_observed(void **state)
{
    static foldworld w;
    static const uint64_t shape[] = {0, 3};

    (void)state;
    foldworld_elements(&w, UTET_F64, 2, shape, (const uint64_t[]){2, 3}, "");
    for (size_t piece = 0; piece <= 9; piece += 3) {
        utet_fold_matrix matrix;
        utet_fold_variables of = {.dataset = &w.d, .ranges = w.ranges, .correlation = 1};
        utet_status status;
        unsigned rows = 0;

        foldworld_start(&w, 9000);
        w.ranges[0] = (utet_range){0, 0, 1};
        w.ranges[1] = (utet_range){0, 3, 1};
        DRIVE_OK(utet_fold_matrix_open(&matrix, &w.r.file, &of));
        if (piece != 0)
            assert_int_equal(utet_fold_matrix_pieces(&matrix, piece), UTET_OK);
        do {
            const size_t room = piece != 0 ? piece : 9;

            for (size_t i = 0; i < MOST; i++)
                results[i] = 5;
            DRIVE(status, utet_fold_matrix_run(&matrix, results, room));
            for (size_t i = 0; status == UTET_OK && i < room && rows < 3; i++) {
                suite_check(i % 3 != 0 || results[i + rows % 3] == 1, "row %u of pieces of %u", rows, (unsigned)piece);
                rows += i % 3 == 2;
            }
            suite_check(results[room] == 5, "a row too many, pieces of %u", (unsigned)piece);
        } while (status == UTET_OK && piece != 0);
        assert_int_equal(status, piece != 0 ? UTET_END : UTET_OK);
        assert_int_equal(rows, 3);
        rig_end(&w.r, "nothing observed");
    }
    tetgen_free(&w.g);
}

/* ---- the medium changes ---- */

/* A quantile reads several times. If the elements of the first pass are gone in a later one, there is no element to
 * find: the result is NaN, or that of the remaining elements. */
static void vanishing(void **state)
{
    static const double before[] = {1, 1, 1, 1.5, 1.75, 1, 1, 1};
    static const double after = 1e300; /* rounded to double: a constant has more bits on some machines */
    unsigned lost = 0;

    (void)state;
    for (unsigned at = 1;; at++) {
        static foldworld w;
        utet_status status;
        unsigned blocked = 0;

        foldworld_axis(&w, 8, 1, before);
        foldworld_start(&w, 9000);
        w.ranges[0] = (utet_range){0, 8, 1};
        w.request.operation = &utet_fold_median;
        w.request.axes = UTET_FOLD_ALL;
        DRIVE_OK(utet_fold_open(&w.fold, &w.r.file, &w.request));
        w.r.port.blocks = 1;
        while ((status = utet_fold_run(&w.fold, results, 1)) == UTET_WOULD_BLOCK)
            if (++blocked == at)
                for (unsigned i = 0; i < 8; i++)
                    foldworld_put(&w.g, i, 0, after);
        assert_int_equal(status, UTET_OK);
        suite_check(isnan(results[0]) || results[0] == 1 || (results[0] > 1 && results[0] <= after), "%g", results[0]);
        lost += isnan(results[0]) != 0;
        rig_end(&w.r, "vanishing");
        tetgen_free(&w.g);
        if (blocked < at) {
            assert_true(results[0] == 1);
            break;
        }
    }
    assert_true(lost > 0);
}

/* ---- transforms ---- */

/* A value halfway between two f32 becomes the even one. */
static void halves(void **state)
{
    static const struct {
        float x[2], want[2];
    } cases[] = {{{16777216, -1}, {8388608, -8388608}}, {{16777216, -3}, {8388610, -8388610}}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static foldworld w;
        utet_transform transform;
        float elements[2];
        utet_transform_into into = {.elements = elements, .size = sizeof elements};

        foldworld_elements(&w, UTET_F32, 1, &(uint64_t){2}, &(uint64_t){2}, cases[i].x);
        foldworld_start(&w, 9000);
        w.ranges[0] = (utet_range){0, 2, 1};
        w.request.axes = UTET_FOLD_ALL;
        DRIVE_OK(utet_transform_open(&transform, &w.r.file, &w.request, &utet_transform_center));
        DRIVE_OK(utet_transform_run(&transform, &into));
        for (unsigned k = 0; k < 2; k++) {
            uint32_t bits = (uint32_t)tetgen_get((const uint8_t *)&elements[k], 4);
            float value;

            memcpy(&value, &bits, 4);
            suite_check(value == cases[i].want[k], "case %u: %g", (unsigned)i, (double)value);
        }
        rig_end(&w.r, "halves");
        tetgen_free(&w.g);
    }
}

/* ---- the minimum memory ---- */

#define LEAST 2048u /* bytes in addition to reading itself, for any reduction (at most 2 KB) */

static uint32_t by_three(void *context, uint64_t place)
{
    (void)context;
    return (uint32_t)(place % 3);
}

enum { SCALAR, AXIS, WINDOWS, GROUPS, KINDS };

/* The fold's minimum need in addition to the slab's. It works with exactly that, and is refused with one byte less. 0:
 * there is no such fold. */
static uint64_t least_of(foldworld *w, const utet_fold_operation *operation, int kind)
{
    utet_slab slab;
    utet_status status;
    uint64_t beyond;
    uint64_t least;

    foldworld_start(w, 60000);
    w->request.operation = operation;
    w->request.axes = kind == SCALAR ? UTET_FOLD_ALL : 2;
    w->request.has_fill = 1;
    w->grouped = kind >= WINDOWS;
    memset(&w->by, 0, sizeof w->by);
    if (kind == WINDOWS)
        w->by.window = (utet_fold_window){.axis = 1, .size = 2, .mode = UTET_FOLD_ROLLING};
    else if (kind == GROUPS)
        w->by.axis[2] = (utet_fold_axis){.group_of = by_three, .groups = 3};
    w->by.counts = kind >= WINDOWS ? w->counts : NULL; /* 8 bytes more */
    DRIVE(status, utet_fold_need(&w->fold, &w->r.file, &w->request));
    if (status == UTET_OK && w->grouped)
        status = utet_fold_group(&w->fold, &w->by);
    if (status == UTET_E_DTYPE || status == UTET_E_ARGUMENT) { /* only sums of i16; windows of several passes */
        rig_end(&w->r, "need");
        return 0;
    }
    assert_int_equal(status, UTET_OK);
    DRIVE_OK(utet_slab_need(&slab, &w->r.file, &w->d, w->ranges));
    least = w->fold.need.least;
    assert_int_equal(least % 8, 0); /* cells contain numbers of 64 bits */
    beyond = least - slab.need.least;
    rig_end(&w->r, "need");
    for (unsigned less = 0; less < 2; less++) {
        utet_fold_request request = w->request;
        utet_fold_grouping by = w->by;

        foldworld_start(w, (size_t)least - less);
        w->request = request;
        w->request.dataset = &w->d;
        w->by = by;
        status = foldworld_fold(w, NULL);
        suite_check(less ? status == UTET_E_BUDGET && w->r.file.needed == least : status == UTET_OK, "%u bytes, %s",
                    (unsigned)(least - less), rig_status(status));
        rig_end(&w->r, "least");
    }
    return beyond;
}

/* Bytes of the smallest cell, as in the table of src/fold/OPERATIONS.md. */
static void cells(void **state)
{
    enum { SMALL, LARGE, F16, F32, F64, CLASSES }; /* integers up to 32 bits, those of 64 bits, floats */
    static const uint32_t dtypes[][2] = {{UTET_I32, SMALL}, {UTET_U8, SMALL},  {UTET_U16, SMALL}, {UTET_I16, SMALL},
                                         {UTET_U32, SMALL}, {UTET_I64, LARGE}, {UTET_U64, LARGE}, {UTET_F16, F16},
                                         {UTET_F32, F32},   {UTET_F64, F64}};
    static const struct {
        const utet_fold_operation *operation;
        uint16_t bytes[CLASSES];
        double q;
    } rows[] = {{&utet_fold_sum, {32, 40, 32, 64, 288}, 0},
                {&utet_fold_mean, {32, 40, 32, 64, 288}, 0},
                {&utet_fold_norm_l1, {32, 40, 32, 64, 288}, 0},
                {&utet_fold_nan_mean, {32, 40, 32, 64, 288}, 0},
                {&utet_fold_norm_l2, {40, 48, 48, 104, 560}, 0},
                {&utet_fold_var, {56, 72, 64, 152, 832}, 0},
                {&utet_fold_std, {56, 72, 64, 152, 832}, 0},
                {&utet_fold_nan_std, {56, 72, 64, 152, 832}, 0},
                {&utet_fold_min, {24, 24, 24, 24, 24}, 0},
                {&utet_fold_max, {24, 24, 24, 24, 24}, 0},
                {&utet_fold_arg_min, {24, 24, 24, 24, 24}, 0},
                {&utet_fold_arg_max, {24, 24, 24, 24, 24}, 0},
                {&utet_fold_count, {8, 8, 8, 8, 8}, 0},
                {&utet_fold_nan_count, {8, 8, 8, 8, 8}, 0},
                {&utet_fold_inf_count, {8, 8, 8, 8, 8}, 0},
                {&utet_fold_null_count, {8, 8, 8, 8, 8}, 0},
                {&utet_fold_all_finite, {8, 8, 8, 8, 8}, 0},
                {&utet_fold_any_nan, {8, 8, 8, 8, 8}, 0},
                {&utet_fold_any_inf, {8, 8, 8, 8, 8}, 0},
                {&utet_fold_product, {24, 24, 24, 24, 24}, 0},
                {&utet_fold_median, {168, 168, 168, 168, 328}, 0},
                {&utet_fold_quantile, {168, 168, 168, 168, 328}, 0.5},
                {&utet_fold_quantile, {208, 216, 208, 240, 464}, 0x1p-1074},
                {&utet_fold_histogram, {168, 168, 168, 168, 168}, 0}};

    (void)state;
    for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++) {
        static foldworld w;

        foldworld_build(&w, dtypes[i][0], TETGEN_RAW, 0, foldworld_tiles);
        foldworld_start(&w, 60000);
        for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
            utet_slab slab;

            w.request.operation = rows[k].operation;
            w.request.axes = UTET_FOLD_ALL;
            w.request.has_fill = 1;
            w.request.q = rows[k].q;
            DRIVE_OK(utet_fold_need(&w.fold, &w.r.file, &w.request));
            DRIVE_OK(utet_slab_need(&slab, &w.r.file, &w.d, w.ranges));
            suite_check(w.fold.need.least == (slab.need.least + 7) / 8 * 8 + rows[k].bytes[dtypes[i][1]],
                        "row %u, dtype %u: %u bytes", (unsigned)k, (unsigned)dtypes[i][0],
                        (unsigned)(w.fold.need.least - slab.need.least));
        }
        rig_end(&w.r, "cells");
        tetgen_free(&w.g);
    }
}

static void least_memory(void **state)
{
    static uint64_t most[OPERATIONS][KINDS];
    uint64_t largest = 0;

    (void)state;
    for (uint32_t dtype = UTET_F32; dtype <= UTET_U64; dtype++) {
        static foldworld w;

        foldworld_build(&w, dtype, TETGEN_RAW, 0, foldworld_tiles);
        for (size_t i = 0; i < OPERATIONS; i++)
            for (int kind = 0; kind < KINDS; kind++) {
                uint64_t bytes = least_of(&w, operations[i].operation, kind);

                if (most[i][kind] < bytes)
                    most[i][kind] = bytes;
            }
        tetgen_free(&w.g);
    }
    for (size_t i = 0; i < OPERATIONS; i++) {
        suite_figure("least bytes beyond reading, %s: %u, of an axis %u, by windows %u, by groups %u",
                     operations[i].name, (unsigned)most[i][SCALAR], (unsigned)most[i][AXIS], (unsigned)most[i][WINDOWS],
                     (unsigned)most[i][GROUPS]);
        assert_true(most[i][SCALAR] != 0);
        for (int kind = 0; kind < KINDS; kind++)
            if (largest < most[i][kind])
                largest = most[i][kind];
    }
    suite_check(largest <= LEAST, "%u bytes", (unsigned)largest);
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        cmocka_unit_test(cells),        cmocka_unit_test(equal_extremes),
        cmocka_unit_test(nothing),      cmocka_unit_test(nothing_observed),
        cmocka_unit_test(vanishing),    cmocka_unit_test(halves),
        cmocka_unit_test(least_memory),
    };

    return SUITE("foldedges", cases);
}
