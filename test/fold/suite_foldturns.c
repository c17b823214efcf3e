/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Quantiles, histograms and matrices of special values. The expected results follow from the definitions in utet_fold.h
 * by hand; if IEEE 754 rounds, they are what Python's doubles give. test/fold/fold_test.py has random ones.
 */
#include "foldworld.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define MOST 64

typedef struct world {
    tetgen g;
    tetgen_dataset data;
    rig r;
    utet_dataset d;
    utet_range ranges[2];
    utet_fold fold;
    utet_fold_matrix matrix;
    double results[MOST];
} world;

/* A file of rows * columns elements in one raw chunk, whose bytes are those of `count` doubles. */
static void start_as(world *w, uint32_t dtype, size_t rows, size_t columns, const double *values, size_t count)
{
    memset(w, 0, sizeof *w);
    w->data = (tetgen_dataset){
        .name = "a", .name_length = 1, .dtype = dtype, .ndim = 2, .shape = {rows, columns}, .chunk = {8, 8}};
    w->g = (tetgen){.datasets = &w->data, .count = 1, .seed = 1};
    if (rows != 0)
        w->data.chunk[0] = rows;
    if (columns != 0)
        w->data.chunk[1] = columns;
    tetgen_build(&w->g);
    for (size_t i = 0; i < count; i++)
        foldworld_put(&w->g, 0, i, values[i]);
    rig_make(&w->r, w->g.bytes, w->g.size, rig_codecs() > 1 ? 1 : 0);
    rig_start(&w->r, 9000, GUARD_AFTER);
    DRIVE_OK(utet_open(&w->r.file, NULL));
    DRIVE_OK(utet_dataset_first(&w->r.file, &w->d));
    w->ranges[0] = (utet_range){0, rows, 1};
    w->ranges[1] = (utet_range){0, columns, 1};
}

static void start(world *w, size_t rows, size_t columns, const double *values)
{
    start_as(w, UTET_F64, rows, columns, values, rows * columns);
}

static void end(world *w)
{
    rig_end(&w->r, "values");
    tetgen_free(&w->g);
}

static void fold(world *w, utet_fold_request request, size_t count, const double *values)
{
    start(w, count, 1, values);
    request.dataset = &w->d;
    request.ranges = w->ranges;
    request.axes = UTET_FOLD_ALL;
    DRIVE_OK(utet_fold_open(&w->fold, &w->r.file, &request));
    DRIVE_OK(utet_fold_run(&w->fold, w->results, MOST));
}

static int same(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (a != a && b != b);
}

static void quantiles(void **state)
{
    static const struct {
        double q, want;
        size_t count;
        double values[5];
    } cases[] = {
        {0.0, 1, 4, {8, 2, 4, 1}},
        {-0.0, 1, 4, {8, 2, 4, 1}},
        {1.0, 8, 4, {8, 2, 4, 1}},
        {0.5, 3, 4, {8, 2, 4, 1}},
        {0.25, 1.75, 4, {8, 2, 4, 1}},
        {0.5, 4, 5, {8, 2, 4, 1, 9}},
        {0.5, 2, 4, {2, 2, 2, 2}},
        {0.5, -1.5, 2, {-1, -2}},
        {0.5, 0.0, 2, {-1, 1}},
        {0.0, -0.0, 2, {0.0, -0.0}},
        {0.5, 0.0, 2, {0.0, -0.0}},
        {0.5, -0.0, 3, {-0.0, -0.0, -0.0}},
        {0x1p-64, 0x1p-64, 2, {1, 0}},
        {0x1p-80, 0x1p-80, 2, {1, 0}},
        {0x1p-128, 0x1p-128, 2, {1, 0}},
        {0x1p-1000, 0x1p-1000, 2, {1, 0}},
        {0x1p-1074, 0x1p-1073, 3, {1, 7, 0}},
        {0x1p-1074, 1, 2, {1, 2}},
        {0x1.fffffffffffffp-66, 0x1.fffffffffffffp-66, 2, {1, 0}},
        {0.5, 0x1p-1074, 2, {0, 0x1p-1073}},
        {0.5, 0, 2, {0, 0x1p-1074}},
        {0.5, DBL_MAX, 2, {DBL_MAX, DBL_MAX}},
        {0.5, 0, 2, {DBL_MAX, -DBL_MAX}},
        {0.5, -INFINITY, 2, {-INFINITY, 1}},
        {0.5, INFINITY, 2, {INFINITY, 1}},
        {0.5, NAN, 2, {-INFINITY, INFINITY}},
        {0.5, INFINITY, 2, {INFINITY, INFINITY}},
        {0.5, NAN, 3, {1, NAN, 1}},
        {1.0, NAN, 1, {-NAN}},
        {0.7, 5, 1, {5}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static world w;

        fold(&w, (utet_fold_request){.operation = &utet_fold_quantile, .q = cases[i].q}, cases[i].count,
             cases[i].values);
        suite_check(w.fold.results == 1 && same(w.results[0], cases[i].want), "case %u: %a, expected %a", (unsigned)i,
                    w.results[0], cases[i].want);
        end(&w);
        if (cases[i].q != 0.5)
            continue;
        fold(&w, (utet_fold_request){.operation = &utet_fold_median, .q = 7}, cases[i].count, cases[i].values);
        suite_check(same(w.results[0], cases[i].want), "median, case %u: %a", (unsigned)i, w.results[0]);
        end(&w);
    }
}

static void histograms(void **state)
{
    static const struct {
        uint16_t bins;
        uint8_t has_range;
        double low, high;
        size_t count;
        double values[14];
        double want[2], counts[10];
    } cases[] = {
        /* 0.3 / 0.1 and 0.7 / 0.1 round to less than 3 and 7; 0.9 / 0.1 rounds up to 9, 0.5 / 0.1 to 5. */
        {10,
         1,
         0,
         1,
         13,
         {0.3, 0.7, 1, -5, INFINITY, -INFINITY, NAN, 0.1, 2, 1e300, 1e-300, 0.9, 0.5},
         {0, 1},
         {3, 1, 1, 0, 0, 1, 1, 0, 0, 5}},
        {2, 1, -0.0, 1, 3, {-0.0, 0.5, 1}, {0, 1}, {1, 2}},
        /* -1 is so small that its distance from the minimum rounds to that of 0. */
        {2, 0, 0, 0, 4, {-DBL_MAX, DBL_MAX, 0, -1}, {-DBL_MAX, DBL_MAX}, {1, 3}},
        {4, 0, 0, 0, 6, {4, 0, 1, 2, 3, 3.5}, {0, 4}, {1, 1, 1, 3}},
        {3, 0, 0, 0, 5, {INFINITY, 6, 0, NAN, -INFINITY}, {0, 6}, {2, 0, 2}},
        {3, 0, 0, 0, 3, {INFINITY, NAN, -INFINITY}, {NAN, NAN}, {2, 0, 0}},
        {3, 0, 0, 0, 2, {NAN, NAN}, {NAN, NAN}, {0, 0, 0}},
        {3, 0, 0, 0, 3, {7, 7, INFINITY}, {7, 7}, {3, 0, 0}},
        {2, 1, 0, 0x1p-53, 3, {7, 0, -7}, {0, 0x1p-53}, {3, 0}},
        {2, 1, 0, 0x1p-52, 3, {7, 0, -7}, {0, 0x1p-52}, {2, 1}},
        {1, 0, 0, 0, 2, {7, 9}, {7, 9}, {2}},
        {2, 1, 1, 1 + 0x1p-52, 3, {1, 1 + 0x1p-52, 0}, {1, 1 + 0x1p-52}, {2, 1}},
        {8, 1, -1e-300, 1e300, 3, {0, 1e-300, -1e300}, {-1e-300, 1e300}, {3}},
        {2, 0, 0, 0, 2, {1, -(1 - 0x1p-53)}, {-(1 - 0x1p-53), 1}, {1, 1}},
        {2, 1, -1, 1, 2, {-0x1p-70, 0x1p-70}, {-1, 1}, {0, 2}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static world w;
        int good;

        fold(&w,
             (utet_fold_request){.operation = &utet_fold_histogram,
                                 .bins = cases[i].bins,
                                 .has_range = cases[i].has_range,
                                 .low = cases[i].low,
                                 .high = cases[i].high},
             cases[i].count, cases[i].values);
        good = w.fold.results == cases[i].bins + 2u && same(w.results[0], cases[i].want[0]) &&
               same(w.results[1], cases[i].want[1]);
        for (unsigned b = 0; b < cases[i].bins; b++) {
            good = good && w.results[2 + b] == cases[i].counts[b];
            suite_check(w.results[2 + b] == cases[i].counts[b], "case %u, bin %u: %g, expected %g", (unsigned)i, b,
                        w.results[2 + b], cases[i].counts[b]);
        }
        suite_check(good, "case %u: from %g to %g", (unsigned)i, w.results[0], w.results[1]);
        end(&w);
    }
}

static void edges(void **state)
{
    static const struct {
        double low, high;
        uint32_t bins, i;
        double want;
    } cases[] = {
        {0, 1, 10, 3, 0.30000000000000004},
        {0, 1, 10, 0, 0},
        {0, 1, 10, 10, 1},
        {-0.0, 1, 10, 0, -0.0},
        {0, 4096, 4096, 4095, 4095},
        {0, 1, 4096, 2049, 0x1.002p-1},
        {0, 1, 3000, 2999, 0x1.ffd44f3078263p-1},
        {-1, 1, 4, 1, -0.5},
        {-1, 1, 4, 2, 0},
        {1, 1, 5, 3, 1},
        {5, 3, 5, 0, 5},
        {-DBL_MAX, DBL_MAX, 2, 1, 0},
    };

    (void)state;
    assert_true(2999 * (1.0 / 3000) == 0x1.ffd44f3078263p-1 || FLT_EVAL_METHOD != 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double edge = utet_fold_edge(cases[i].low, cases[i].high, cases[i].bins, cases[i].i);

        suite_check(same(edge, cases[i].want), "case %u: %a, expected %a", (unsigned)i, edge, cases[i].want);
    }
}

static void matrices(void **state)
{
    static const struct {
        uint8_t correlation;
        size_t observed, order;
        double values[12]; /* a row is an observation */
        double want[9];
    } cases[] = {
        {0, 2, 2, {1, 10, 3, 20}, {1, 5, 5, 25}},
        {1, 2, 2, {1, 10, 3, 20}, {1, 1, 1, 1}},
        {1, 2, 2, {1, 20, 3, 10}, {1, -1, -1, 1}},
        {1, 2, 2, {0, 0, 0x1p-1074, 0x1p1023}, {1, 1, 1, 1}},
        {1, 4, 2, {1, 1, 1, -1, -1, 1, -1, -1}, {1, 0, 0, 1}},
        {1, 4, 2, {3, 4, -3, -4, 4, -3, -4, 3}, {1, 0, 0, 1}},
        {1, 4, 2, {2, 2, -2, -2, 2, 0, -2, 0}, {1, 0.7071067811865475, 0.7071067811865475, 1}},
        {0, 2, 3, {1, NAN, 5, 2, 3, 7}, {0.25, NAN, 0.5, NAN, NAN, NAN, 0.5, NAN, 1}},
        {1, 2, 3, {1, INFINITY, 5, 2, 3, 7}, {1, NAN, 1, NAN, NAN, NAN, 1, NAN, 1}},
        {1, 3, 2, {1, 5, 2, 5, 4, 5}, {1, 0, 0, 1}},
        {0, 3, 2, {1, 5, 2, 5, 3, 5}, {0.6666666666666666, 0, 0, 0}},
        {0, 1, 2, {1, 5}, {0, 0, 0, 0}},
        {0, 0, 2, {0}, {0, 0, 0, 0}},
        {1, 0, 2, {0}, {1, 0, 0, 1}},
        {1, 3, 0, {0}, {0}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static world w;
        utet_fold_variables variables = {.dataset = &w.d, .ranges = w.ranges, .correlation = cases[i].correlation};
        size_t many = cases[i].order * cases[i].order;

        start(&w, cases[i].observed, cases[i].order, cases[i].values);
        DRIVE_OK(utet_fold_matrix_open(&w.matrix, &w.r.file, &variables));
        DRIVE_OK(utet_fold_matrix_run(&w.matrix, w.results, many));
        assert_true(w.matrix.order == cases[i].order && w.matrix.observed == cases[i].observed);
        for (size_t n = 0; n < many; n++)
            suite_check(same(w.results[n], cases[i].want[n]), "case %u, number %u: %.17g, expected %.17g", (unsigned)i,
                        (unsigned)n, w.results[n], cases[i].want[n]);
        assert_int_equal(utet_fold_matrix_run(&w.matrix, w.results, many), UTET_E_STATE);
        end(&w);
    }
}

/* The same numbers, a row or two at a time. */
static void matrices_in_pieces(void **state)
{
    static const double values[12] = {1, 10, 5, 3, 20, 7, 2, 2, 2, 8, 0, 1}; /* 4 observations of 3 variables */

    (void)state;
    for (size_t observed = 0; observed <= 4; observed += 4)
        for (size_t order = 0; order <= 3; order += 3)
            for (size_t rows = 1; rows <= 4; rows++) {
                static world w;
                static double whole[MOST];
                utet_fold_variables variables = {.dataset = &w.d, .ranges = w.ranges};
                size_t got = 0;

                start(&w, observed, order, values);
                DRIVE_OK(utet_fold_matrix_open(&w.matrix, &w.r.file, &variables));
                DRIVE_OK(utet_fold_matrix_run(&w.matrix, whole, MOST));
                DRIVE_OK(utet_fold_matrix_open(&w.matrix, &w.r.file, &variables));
                if (order != 0)
                    assert_int_equal(utet_fold_matrix_pieces(&w.matrix, order - 1), UTET_E_SPACE);
                assert_int_equal(utet_fold_matrix_pieces(&w.matrix, rows * order), UTET_OK);
                for (;;) {
                    utet_status status;

                    DRIVE(status, utet_fold_matrix_run(&w.matrix, w.results + got, MOST - got));
                    if (status == UTET_END)
                        break;
                    assert_int_equal(status, UTET_OK);
                    assert_true(w.matrix.given <= rows * order);
                    got += (size_t)w.matrix.given;
                    if (order == 0)
                        break;
                }
                assert_int_equal(got, order * order);
                assert_memory_equal(w.results, whole, got * sizeof *whole);
                end(&w);
            }
}

/* Squares of f32 whose sum fills 64 bits with ones, and one more that carries over all of them. The same elements as
 * f64 are summed by other code, and have the same norm. */
static void squares_that_carry(void **state)
{
    static double wide[98];
    static double packed[49]; /* pairs of f32 */
    static world w;
    utet_fold_request request = {
        .dataset = &w.d, .ranges = w.ranges, .operation = &utet_fold_norm_l2, .axes = UTET_FOLD_ALL};
    double want;

    (void)state;
    for (size_t i = 0; i < 96; i++) /* 3 * 4^n: bits 2n and 2n + 1 */
        wide[i] = ldexp(1, 58 - 127 + (int)(i / 3));
    wide[96] = ldexp(2 - ldexp(1, -23), 64 - 127);
    for (size_t i = 0; i < 98; i++) {
        float narrow = (float)wide[i];

        memcpy((uint8_t *)packed + i * sizeof narrow, &narrow, sizeof narrow);
    }
    start(&w, 98, 1, wide);
    DRIVE_OK(utet_fold_open(&w.fold, &w.r.file, &request));
    DRIVE_OK(utet_fold_run(&w.fold, w.results, MOST));
    want = w.results[0];
    end(&w);
    start_as(&w, UTET_F32, 98, 1, packed, 49);
    DRIVE_OK(utet_fold_open(&w.fold, &w.r.file, &request));
    DRIVE_OK(utet_fold_run(&w.fold, w.results, MOST));
    suite_check(same(w.results[0], want) && want > 0, "%a, expected %a", w.results[0], want);
    assert_int_equal(utet_fold_run(&w.fold, w.results, MOST), UTET_E_STATE);
    end(&w);
}

/* The first of equal extremes; both zeros are equal. */
static void zeros(void **state)
{
    static const double values[][2] = {{0.0, -0.0}, {-0.0, 0.0}};

    (void)state;
    for (size_t i = 0; i < 4; i++) {
        static world w;

        fold(&w, (utet_fold_request){.operation = i < 2 ? &utet_fold_arg_min : &utet_fold_arg_max}, 2, values[i % 2]);
        assert_true(same(w.results[0], 0));
        end(&w);
    }
}

/* A batch that has less room than it was opened with. */
static void small_pieces(void **state)
{
    static const double values[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    static world w;
    utet_fold_request request = {.dataset = &w.d, .ranges = w.ranges, .operation = &utet_fold_sum, .axes = 1u << 1};

    (void)state;
    start(&w, 4, 2, values);
    DRIVE_OK(utet_fold_open(&w.fold, &w.r.file, &request));
    assert_int_equal(utet_fold_pieces(&w.fold, 0), UTET_E_SPACE);
    assert_int_equal(utet_fold_pieces(&w.fold, 2), UTET_OK);
    assert_int_equal(utet_fold_run(&w.fold, w.results, 1), UTET_E_SPACE);
    DRIVE_OK(utet_fold_run(&w.fold, w.results, 2));
    assert_true(w.fold.given == 2 && same(w.results[0], 3) && same(w.results[1], 7));
    end(&w);
}

/* An error persists. */
static void errors_stick(void **state)
{
    static world w;
    static const double values[1200];
    utet_fold_variables variables = {.dataset = &w.d, .ranges = w.ranges};
    utet_fold_request request = {
        .dataset = &w.d, .ranges = w.ranges, .operation = &utet_fold_median, .axes = UTET_FOLD_ALL};
    utet_status status;

    (void)state;
    for (int matrix = 0; matrix < 2; matrix++) {
        start(&w, 600, 2, values); /* more than the window holds */
        if (matrix) {              /* not open */
            DRIVE_OK(utet_fold_matrix_need(&w.matrix, &w.r.file, &variables));
            assert_int_equal(utet_fold_matrix_run(&w.matrix, w.results, MOST), UTET_E_STATE);
        }
        if (matrix)
            DRIVE_OK(utet_fold_matrix_open(&w.matrix, &w.r.file, &variables));
        else
            DRIVE_OK(utet_fold_open(&w.fold, &w.r.file, &request));
        w.r.port.fault = FAULT_ERROR;
        w.r.port.fault_at = w.r.port.reads;
        utet_dataset_first(&w.r.file, &w.d); /* the content of the window is lost */
        for (int again = 0; again < 2; again++) {
            if (matrix)
                DRIVE(status, utet_fold_matrix_run(&w.matrix, w.results, MOST));
            else
                DRIVE(status, utet_fold_run(&w.fold, w.results, MOST));
            assert_int_equal(status, FAULTPORT_ERROR);
            w.r.port.fault = FAULT_NONE;
        }
        end(&w);
    }
}

/* While one matrix is suspended, another one of the file does not run, whether it is invalid or was never opened. */
static void two_matrices(void **state)
{
    static world w;
    static const double values[1200];
    const utet_fold_variables variables = {.dataset = &w.d, .ranges = w.ranges};
    utet_fold_matrix others[2];
    utet_status status;

    (void)state;
    start(&w, 600, 2, values); /* more than the window holds */
    DRIVE_OK(utet_fold_matrix_need(&others[0], &w.r.file, &variables));
    DRIVE_OK(utet_fold_matrix_open(&others[1], &w.r.file, &variables));
    DRIVE_OK(utet_fold_matrix_run(&others[1], w.results, MOST));
    DRIVE_OK(utet_fold_matrix_open(&w.matrix, &w.r.file, &variables));
    w.r.port.blocks = 1;
    do {
        status = utet_fold_matrix_run(&w.matrix, w.results, MOST);
        for (unsigned i = 0; i < 2 && status == UTET_WOULD_BLOCK; i++)
            assert_int_equal(utet_fold_matrix_run(&others[i], w.results, MOST), UTET_E_STATE);
    } while (status == UTET_WOULD_BLOCK);
    assert_int_equal(status, UTET_OK);
    end(&w);
}

/* A cell for many elements has 512 KB of counters on 64-bit machines. The selection decides, not the dataset; a range
 * that is not valid is refused, not counted. */
static void large_cells_for_many_elements(void **state)
{
    static const struct {
        utet_range range;
        int many;
    } cases[] = {{{0, 1 << 20, 1}, 1}, {{1, 1 << 20, 1}, 0}, {{0, 1 << 20, 2}, 0}, {{7, 8, 1}, 0}};
    static const utet_range wrong[] = {{0, 5, 0}, {6, 5, 1}, {0, UINT64_MAX, 1}};
    static world w;

    (void)state;
    start_as(&w, UTET_U8, 1 << 20, 1, NULL, 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        utet_fold_request request = {
            .dataset = &w.d, .ranges = w.ranges, .operation = &utet_fold_median, .axes = UTET_FOLD_ALL};

        w.ranges[0] = cases[i].range;
        DRIVE_OK(utet_fold_need(&w.fold, &w.r.file, &request));
        suite_check((w.fold.need.best - w.fold.box.slab.need.best > 500000) == (cases[i].many && SIZE_MAX > UINT32_MAX),
                    "case %u: %u bytes", (unsigned)i, (unsigned)w.fold.need.best);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        utet_fold_request request = {
            .dataset = &w.d, .ranges = w.ranges, .operation = &utet_fold_median, .axes = UTET_FOLD_ALL};
        utet_status status;

        w.ranges[0] = wrong[i];
        DRIVE(status, utet_fold_need(&w.fold, &w.r.file, &request));
        suite_check(status == UTET_E_RANGE, "wrong %u: %s", (unsigned)i, rig_status(status));
    }
    end(&w);
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        cmocka_unit_test(quantiles),
        cmocka_unit_test(histograms),
        cmocka_unit_test(edges),
        cmocka_unit_test(matrices),
        cmocka_unit_test(matrices_in_pieces),
        cmocka_unit_test(squares_that_carry),
        cmocka_unit_test(zeros),
        cmocka_unit_test(small_pieces),
        cmocka_unit_test(errors_stick),
        cmocka_unit_test(two_matrices),
        cmocka_unit_test(large_cells_for_many_elements),
    };

    return SUITE("foldturns", cases);
}
