/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Folds (utet_fold.h): the same bits for any tiling, order of rows, codec, budget and port; matrices. The second source
 * for sums is a loop over the dense array; test/fold/fold_test.py compares all other operations with a model in
 * fractions. suite_foldelements has values, masks and filters.
 */
#include "fold/fold.h"
#include "foldworld.h"

#include <math.h>
#include <string.h>

static const utet_fold_operation *const operations[] = {
    &utet_fold_sum,     &utet_fold_mean,     &utet_fold_norm_l1,    &utet_fold_norm_l2,    &utet_fold_var,
    &utet_fold_std,     &utet_fold_nan_mean, &utet_fold_nan_std,    &utet_fold_min,        &utet_fold_max,
    &utet_fold_arg_min, &utet_fold_arg_max,  &utet_fold_count,      &utet_fold_nan_count,  &utet_fold_inf_count,
    &utet_fold_any_nan, &utet_fold_any_inf,  &utet_fold_all_finite, &utet_fold_null_count, &utet_fold_product,
    &utet_fold_median,  &utet_fold_quantile, &utet_fold_histogram,  &utet_fold_sum_i16,    &utet_fold_mean_i16,
};
enum { OPERATIONS = sizeof operations / sizeof operations[0], FIRST_I16 = OPERATIONS - 2 };

/* ---- cases ---- */

static void sums_of_all_dtypes(void **state)
{
    (void)state;
    for (uint32_t dtype = UTET_I32; dtype <= UTET_U32; dtype++) {
        static foldworld w;
        int64_t sum = 0;
        double want, got;

        if (dtype == UTET_I64)
            continue;
        foldworld_build(&w, dtype, TETGEN_MIXED, 1, foldworld_tiles);
        foldworld_start(&w, 20000);
        w.request.operation = &utet_fold_sum;
        w.request.axes = UTET_FOLD_ALL;
        assert_int_equal(foldworld_fold(&w, NULL), UTET_OK);
        for (size_t a = 0; a < 5; a += 2)
            for (size_t b = 1; b < 7; b++)
                for (size_t c = 0; c < 9; c += 3) {
                    unsigned size = tetgen_elem_size(dtype);
                    uint64_t bits = tetgen_get(w.g.dense[0] + ((a * 7 + b) * 9 + c) * size, size);

                    sum += dtype == UTET_I32   ? (int32_t)(uint32_t)bits
                           : dtype == UTET_I16 ? (int16_t)(uint16_t)bits
                                               : (int64_t)bits;
                }
        want = (double)sum;
        memcpy(&got, w.bits, 8);
        suite_check(got == want && w.count == 1, "dtype %u: %.17g, expected %.17g", (unsigned)dtype, got, want);
        assert_int_equal(w.fold.folded, 3 * 6 * 3);
        rig_end(&w.r, "sum");
        tetgen_free(&w.g);
    }
}

/* One operation over one dtype in every way; the results are compared with those of one large raw tile. */
static void ways(uint32_t dtype, unsigned operation, uint32_t axes, const utet_fold_filter *filter)
{
    static foldworld w;

    foldworld_build(&w, dtype, TETGEN_RAW, 0, foldworld_whole);
    foldworld_start(&w, 500000);
    w.request.operation = operations[operation];
    w.request.axes = axes;
    w.request.has_fill = 1;
    w.request.fill = 3;
    assert_int_equal(foldworld_fold(&w, filter), UTET_OK);
    foldworld_other_ways(&w, filter);
    rig_end(&w.r, "first");
    tetgen_free(&w.g);
}

static void the_same_bits_everywhere(void **state)
{
    static const utet_fold_filter some = {.tests = UTET_FOLD_GE | UTET_FOLD_NE | UTET_FOLD_LT, .ge = -20, .lt = 1e30};

    (void)state;
    for (uint32_t dtype = 1; dtype <= 10; dtype++)
        for (unsigned i = 0; i < OPERATIONS; i++) {
            if ((i >= FIRST_I16 && dtype != UTET_I16) || (!suite_full() && (i + dtype) % (suite_light() ? 7 : 3) != 0))
                continue;
            ways(dtype, i, (dtype + i) % 8, i % 2 ? &some : NULL);
        }
}

/* One byte less than the minimum is refused with the size; every larger budget gives the same bits. */
static void budgets_of(const utet_fold_operation *operation, unsigned step)
{
    static foldworld a;

    foldworld_build(&a, UTET_F32, TETGEN_MIXED, 1, foldworld_tiles);
    foldworld_start(&a, 300000);
    a.request.operation = operation;
    a.request.axes = 2;
    assert_int_equal(foldworld_fold(&a, NULL), UTET_OK);
    foldworld_budgets(&a, (size_t)a.fold.need.least - 40, step, operation != &utet_fold_var);
    rig_end(&a.r, "budget");
    tetgen_free(&a.g);
}

static void every_budget(void **state)
{
    (void)state;
    budgets_of(&utet_fold_var, 1);
    budgets_of(&utet_fold_quantile, 8);
    budgets_of(&utet_fold_histogram, 8);
}

/* A fault at any read gives its error; then the file is as good as before. */
static void faults_of(const utet_fold_operation *operation)
{
    static foldworld w;

    foldworld_build(&w, UTET_I16, TETGEN_MIXED, 1, foldworld_tiles);
    foldworld_start(&w, 9000);
    w.request.operation = operation;
    w.request.axes = 4;
    assert_int_equal(foldworld_fold(&w, NULL), UTET_OK);
    foldworld_faults(&w);
    rig_end(&w.r, "fault");
    tetgen_free(&w.g);
}

static void faults_anywhere(void **state)
{
    (void)state;
    faults_of(&utet_fold_sum_i16);
    faults_of(&utet_fold_median);
    faults_of(&utet_fold_histogram);
}

/* Cancelled at any "not yet": the fold becomes invalid, and another one gives the result. */
static void cancel_anywhere(void **state)
{
    static foldworld w;

    (void)state;
    foldworld_build(&w, UTET_F64, TETGEN_RAW, 1, foldworld_tiles);
    foldworld_start(&w, 20000);
    w.request.operation = &utet_fold_sum;
    w.request.axes = 1;
    assert_int_equal(foldworld_fold(&w, NULL), UTET_OK);
    foldworld_cancels(&w);
    rig_end(&w.r, "cancel");
    tetgen_free(&w.g);
}

/* Results of no elements, and a dataset without elements. */
static void nothing_at_all(void **state)
{
    static const utet_fold_filter none = {.tests = UTET_FOLD_IS_NULL};
    static foldworld w;

    (void)state;
    for (int empty = 0; empty < 2; empty++)
        for (unsigned i = 0; i < OPERATIONS; i++) {
            double want = operations[i] == &utet_fold_product || operations[i] == &utet_fold_all_finite;
            int bins = operations[i] == &utet_fold_histogram;
            int nan = operations[i] == &utet_fold_nan_mean || operations[i] == &utet_fold_nan_std ||
                      operations[i] == &utet_fold_median || operations[i] == &utet_fold_quantile;

            foldworld_build(&w, UTET_I16, TETGEN_RAW, 0, foldworld_tiles);
            if (empty) {
                tetgen_free(&w.g);
                w.data.shape[1] = 0;
                tetgen_build(&w.g);
            }
            foldworld_start(&w, 4000);
            if (empty)
                w.ranges[1] = (utet_range){0, 0, 1};
            w.request.operation = operations[i];
            w.request.axes = 2;
            w.request.has_fill = operations[i] == &utet_fold_null_count;
            w.request.fill = 1e9;
            assert_int_equal(foldworld_fold(&w, empty ? NULL : &none), UTET_OK);
            assert_int_equal(w.count, bins ? 9 * 42 : 9);
            for (size_t n = 0; n < w.count; n++) {
                double got;

                memcpy(&got, &w.bits[n], 8);
                suite_check(nan || (bins && n % 42 < 2) ? got != got : got == want, "operation %u: %g", i, got);
            }
            rig_end(&w.r, "nothing");
            tetgen_free(&w.g);
        }
}

/* ---- matrices ---- */

typedef struct square_world {
    tetgen g;
    tetgen_dataset data;
    rig r;
    utet_dataset d;
    utet_range ranges[2];
    utet_fold_variables variables;
    utet_fold_matrix matrix;
    double results[49];
    size_t piece; /* doubles of a part; 0: all at once */
} square_world;

static utet_status matrix_run(square_world *w)
{
    utet_status status;

    DRIVE(status, utet_fold_matrix_open(&w->matrix, &w->r.file, &w->variables));
    if (status == UTET_OK && w->piece != 0) {
        size_t count = 0;

        assert_int_equal(utet_fold_matrix_pieces(&w->matrix, w->piece), UTET_OK);
        do {
            double some[49];

            DRIVE(status, utet_fold_matrix_run(&w->matrix, some, w->piece));
            assert_true(status != UTET_OK || (w->matrix.given % 7 == 0 && w->matrix.given <= w->piece));
            if (status == UTET_OK)
                memcpy(w->results + count, some, (size_t)w->matrix.given * sizeof *some);
            count += status == UTET_OK ? (size_t)w->matrix.given : 0;
        } while (status == UTET_OK);
        assert_true(status != UTET_END || count == 49);
        return status == UTET_END ? UTET_OK : status;
    }
    if (status == UTET_OK)
        DRIVE(status, utet_fold_matrix_run(&w->matrix, w->results, 49));
    return status;
}

static void matrix_start(square_world *w, size_t work, uint8_t correlation)
{
    rig_make(&w->r, w->g.bytes, w->g.size, rig_codecs() > 1 ? 1 : 0);
    rig_start(&w->r, work, GUARD_AFTER);
    w->r.port.slice = 64;
    DRIVE_OK(utet_open(&w->r.file, NULL));
    DRIVE_OK(utet_dataset_first(&w->r.file, &w->d));
    w->ranges[0] = (utet_range){0, 9, 1};
    w->ranges[1] = (utet_range){0, 7, 1};
    w->variables = (utet_fold_variables){.dataset = &w->d, .ranges = w->ranges, .correlation = correlation};
    memset(w->results, 0, sizeof w->results);
}

static void matrix_build(square_world *w)
{
    memset(w, 0, sizeof *w);
    w->data = (tetgen_dataset){.name = "a",
                               .name_length = 1,
                               .dtype = UTET_I32,
                               .ndim = 2,
                               .shape = {9, 7},
                               .chunk = {4, 3},
                               .codec = TETGEN_MIXED};
    w->g = (tetgen){.datasets = &w->data, .count = 1, .seed = 5};
    tetgen_build(&w->g);
}

/* Variable 3 becomes constant. */
static uint64_t flatten(void *context, uint64_t bits, uint64_t observation, uint32_t variable)
{
    unsigned *calls = context;

    assert_true(observation < 9 && variable < 7);
    ++*calls;
    return variable == 3 ? 5 : bits;
}

/* Observations along `axis`, and 7 variables. */
static void matrix_along(square_world *w, size_t work, uint8_t axis)
{
    matrix_start(w, work, 0);
    w->variables.observations = axis;
    w->ranges[0].stop = axis == 0 ? 9 : 7;
}

/* Elements that the program replaces: the covariances of a variable that is constant are 0, the others are unchanged.
 * With one block of variables and with several. */
static void changed_elements(void **state)
{
    static square_world a, b;
    unsigned calls = 0;
    const utet_fold_change change = {flatten, &calls};
    int several = 0;

    (void)state;
    matrix_build(&a);
    for (uint8_t axis = 0; axis < 2; axis++) {
        const unsigned all = axis == 0 ? 63 : 49;

        matrix_along(&a, 300000, axis);
        assert_int_equal(matrix_run(&a), UTET_OK);
        const size_t least = (size_t)a.matrix.need.least, best = (size_t)a.matrix.need.best;
        for (size_t work = least; work <= best; work += (best - least) / 4) {
            b.g = a.g;
            matrix_along(&b, work, axis);
            b.variables.change = &change;
            b.piece = 0;
            calls = 0;
            assert_int_equal(matrix_run(&b), UTET_OK);
            several += b.matrix.block < 7;
            assert_true(calls >= all && (b.matrix.boxes != 1 || calls == all));
            for (unsigned i = 0; i < 49; i++)
                assert_true(b.results[i] == (i / 7 == 3 || i % 7 == 3 ? 0 : a.results[i]));
            rig_end(&b.r, "matrix");
        }
        rig_end(&a.r, "matrix");
    }
    assert_true(several > 0);
    tetgen_free(&a.g);
}

/* With any budget, any earlier fault and any earlier "not yet": the same matrix. */
static void matrices(void **state)
{
    static square_world a, b;

    (void)state;
    matrix_build(&a);
    for (uint8_t correlation = 0; correlation < 2; correlation++) {
        unsigned faults = 0;
        int several = 0;

        matrix_start(&a, 300000, correlation);
        assert_int_equal(matrix_run(&a), UTET_OK);
        assert_true(a.matrix.block == 7 && a.matrix.boxes == 1 && a.matrix.observed == 9);
        assert_true(correlation ? a.results[8] == 1 : a.results[8] > 1);
        size_t least = (size_t)a.matrix.need.least, best = (size_t)a.matrix.need.best;
        for (size_t work = least - 8; work <= best + 40; work += work < least + 200 ? 8 : 136) {
            utet_status status;

            b.g = a.g;
            matrix_start(&b, work, correlation);
            b.piece = work / 8 % 3 * 15;
            status = matrix_run(&b);
            b.piece = 0;
            several += b.matrix.block < 7;
            if (work < least)
                suite_check(status == UTET_E_BUDGET && b.r.file.needed == least, "%u bytes: %s", (unsigned)work,
                            rig_status(status));
            else
                suite_check(status == UTET_OK && memcmp(a.results, b.results, sizeof a.results) == 0 &&
                                b.r.file.high_water <= work,
                            "%u bytes: %s", (unsigned)work, rig_status(status));
            rig_end(&b.r, "matrix");
        }
        assert_true(several > 5);
        for (uint64_t at = 0;; at++) {
            utet_status status;

            b.g = a.g;
            matrix_start(&b, least + 1000, correlation);
            b.r.port.fault = FAULT_ERROR;
            b.r.port.fault_at = b.r.port.reads + at;
            status = matrix_run(&b);
            if (status == UTET_OK) {
                rig_end(&b.r, "matrix");
                break;
            }
            faults++;
            assert_int_equal(status, FAULTPORT_ERROR);
            b.r.port.fault = FAULT_NONE;
            assert_int_equal(matrix_run(&b), UTET_OK);
            assert_memory_equal(a.results, b.results, sizeof a.results);
            rig_end(&b.r, "matrix");
        }
        assert_true(faults > 20);
        for (unsigned at = 1;; at += 1 + at / 8) {
            utet_status status = UTET_OK;
            unsigned blocked = 0;

            b.g = a.g;
            matrix_start(&b, least, correlation);
            DRIVE_OK(utet_fold_matrix_open(&b.matrix, &b.r.file, &b.variables));
            b.r.port.blocks = 1;
            do
                status = utet_fold_matrix_run(&b.matrix, b.results, 49);
            while (status == UTET_WOULD_BLOCK && ++blocked < at);
            if (status == UTET_WOULD_BLOCK) {
                utet_cancel(&b.r.file);
                assert_int_equal(utet_fold_matrix_run(&b.matrix, b.results, 49), UTET_E_STATE);
                b.r.port.blocks = 0;
                assert_int_equal(matrix_run(&b), UTET_OK);
            }
            assert_memory_equal(a.results, b.results, sizeof a.results);
            rig_end(&b.r, "matrix");
            if (blocked < at)
                break;
        }
        rig_end(&a.r, "matrix");
    }
    tetgen_free(&a.g);
}

/* A fold takes the workspace: an older stream becomes invalid, and a newer slab ends the fold. */
static void one_owner(void **state)
{
    static foldworld w;
    static double results[FOLDWORLD_MOST];
    static utet_slab slab;
    utet_run run;
    utet_status status;

    (void)state;
    foldworld_build(&w, UTET_U8, TETGEN_ZSTD, 0, foldworld_tiles);
    foldworld_start(&w, 30000);
    w.request.operation = &utet_fold_max;
    DRIVE_OK(utet_slab_open(&slab, &w.r.file, &w.d, w.ranges));
    DRIVE_OK(utet_slab_next(&slab, &run));
    assert_int_equal(foldworld_fold(&w, NULL), UTET_OK);
    DRIVE(status, utet_slab_next(&slab, &run));
    assert_int_equal(status, UTET_E_STATE);
    DRIVE_OK(utet_slab_open(&slab, &w.r.file, &w.d, w.ranges));
    assert_int_equal(utet_fold_run(&w.fold, results, FOLDWORLD_MOST), UTET_E_STATE);
    DRIVE_OK(utet_slab_next(&slab, &run));
    rig_end(&w.r, "owner");
    tetgen_free(&w.g);
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        cmocka_unit_test(sums_of_all_dtypes), cmocka_unit_test(the_same_bits_everywhere),
        cmocka_unit_test(every_budget),       cmocka_unit_test(faults_anywhere),
        cmocka_unit_test(cancel_anywhere),    cmocka_unit_test(nothing_at_all),
        cmocka_unit_test(matrices),           cmocka_unit_test(changed_elements),
        cmocka_unit_test(one_owner),
    };

    return SUITE("fold", cases);
}
