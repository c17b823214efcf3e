/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Folds (utet_fold.h): the same bits whatever the tiling, the order of rows, the codec, the budget and the port. The
 * second source for sums is a loop over the dense array; all other operations are compared with a model in
 * fractions by test/fold/fold_test.py.
 */
#include "rig.h"
#include "tetgen.h"
#include "utet_fold.h"

#include <string.h>

#define MOST 600

static const utet_fold_operation *const operations[] = {
    &utet_fold_sum,     &utet_fold_mean,     &utet_fold_norm_l1,    &utet_fold_norm_l2,    &utet_fold_var,
    &utet_fold_std,     &utet_fold_nan_mean, &utet_fold_nan_std,    &utet_fold_min,        &utet_fold_max,
    &utet_fold_arg_min, &utet_fold_arg_max,  &utet_fold_count,      &utet_fold_nan_count,  &utet_fold_inf_count,
    &utet_fold_any_nan, &utet_fold_any_inf,  &utet_fold_all_finite, &utet_fold_null_count, &utet_fold_product,
    &utet_fold_sum_i16, &utet_fold_mean_i16,
};
enum { OPERATIONS = sizeof operations / sizeof operations[0], FIRST_I16 = OPERATIONS - 2 };

typedef struct world {
    tetgen g;
    tetgen_dataset data;
    rig r;
    utet_dataset d;
    utet_range ranges[8];
    utet_fold_request request;
    utet_fold fold;
    uint64_t bits[MOST];
    size_t count;
} world;

static void build(world *w, uint32_t dtype, int codec, int shuffle, const uint64_t chunk[3])
{
    memset(w, 0, sizeof *w);
    w->data = (tetgen_dataset){.name = "a",
                               .name_length = 1,
                               .dtype = dtype,
                               .ndim = 3,
                               .shape = {5, 7, 9},
                               .chunk = {3, 4, 5},
                               .codec = codec};
    if (chunk != NULL)
        memcpy(w->data.chunk, chunk, 3 * sizeof *chunk);
    w->g = (tetgen){.datasets = &w->data, .count = 1, .seed = 99, .shuffle = shuffle, .gaps = shuffle};
    tetgen_build(&w->g);
}

/* Opens the file with exactly `work` bytes and makes the request ready. */
static void start(world *w, size_t work)
{
    rig_make(&w->r, w->g.bytes, w->g.size, rig_codecs() > 1 ? 1 : 0);
    rig_start(&w->r, work, GUARD_AFTER);
}

static void open_file(world *w)
{
    static const utet_range some[3] = {{0, 5, 2}, {1, 7, 1}, {0, 9, 3}};

    DRIVE_OK(utet_open(&w->r.file, NULL));
    DRIVE_OK(utet_dataset_first(&w->r.file, &w->d));
    memcpy(w->ranges, some, sizeof some);
    w->request.dataset = &w->d;
    w->request.ranges = w->ranges;
}

static void take(world *w, const double *results)
{
    w->count = (size_t)w->fold.results;
    memcpy(w->bits, results, w->count * 8);
}

static utet_status fold(world *w, const utet_fold_filter *filter)
{
    static double results[MOST];
    utet_status status;

    DRIVE(status, utet_fold_open(&w->fold, &w->r.file, &w->request));
    if (status != UTET_OK)
        return status;
    if (filter != NULL)
        assert_int_equal(utet_fold_where(&w->fold, filter), UTET_OK);
    DRIVE(status, utet_fold_run(&w->fold, results, MOST));
    if (status == UTET_OK)
        take(w, results);
    return status;
}

/* ---- cases ---- */

static void sums_of_all_dtypes(void **state)
{
    (void)state;
    for (uint32_t dtype = UTET_I32; dtype <= UTET_U32; dtype++) {
        static world w;
        int64_t sum = 0;
        double want, got;

        if (dtype == UTET_I64)
            continue;
        build(&w, dtype, TETGEN_MIXED, 1, NULL);
        start(&w, 20000);
        open_file(&w);
        w.request.operation = &utet_fold_sum;
        w.request.axes = UTET_FOLD_ALL;
        assert_int_equal(fold(&w, NULL), UTET_OK);
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

static void compare(const world *a, const world *b, unsigned operation, const char *what)
{
    suite_check(a->count == b->count && memcmp(a->bits, b->bits, a->count * 8) == 0,
                "operation %u: %s changes the answer", operation, what);
}

/* One operation over one dtype in every way; the answers to compare with are those of one large raw tile. */
static void ways(uint32_t dtype, unsigned operation, uint32_t axes, const utet_fold_filter *filter)
{
    static const uint64_t chunks[][3] = {{5, 7, 9}, {1, 1, 1}, {2, 7, 4}, {5, 2, 9}, {3, 4, 5}};
    static world a, b;

    build(&a, dtype, TETGEN_RAW, 0, chunks[0]);
    start(&a, 500000);
    open_file(&a);
    a.request.operation = operations[operation];
    a.request.axes = axes;
    a.request.has_fill = 1;
    a.request.fill = 3;
    assert_int_equal(fold(&a, filter), UTET_OK);
    for (unsigned i = 1; i < 5; i++) {
        build(&b, dtype, (int)i % 3, (int)i & 1, chunks[i]);
        assert_memory_equal(a.g.dense[0], b.g.dense[0], a.g.dense_size[0]);
        start(&b, 500000);
        open_file(&b);
        b.request = a.request;
        b.request.dataset = &b.d;
        b.request.ranges = b.ranges;
        DRIVE_OK(utet_fold_need(&b.fold, &b.r.file, &b.request));
        rig_end(&b.r, "need");
        start(&b, (size_t)(i == 2 ? b.fold.need.best : b.fold.need.least));
        b.r.port.slice = SLICE_RANDOM;
        b.r.port.blocks = i & 1;
        open_file(&b);
        assert_int_equal(fold(&b, filter), UTET_OK);
        compare(&a, &b, operation, "the way");
        rig_end(&b.r, "way");
        tetgen_free(&b.g);
    }
    rig_end(&a.r, "first");
    tetgen_free(&a.g);
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

/* One byte less than the least is refused with the number; every larger budget gives the same bits. */
static void every_budget(void **state)
{
    static world a, b;

    (void)state;
    build(&a, UTET_F32, TETGEN_MIXED, 1, NULL);
    start(&a, 300000);
    open_file(&a);
    a.request.operation = &utet_fold_var;
    a.request.axes = 2;
    assert_int_equal(fold(&a, NULL), UTET_OK);
    assert_int_equal(a.fold.boxes, 1);
    b.g = a.g;
    uint64_t least = a.fold.need.least, best = a.fold.need.best, boxes = UINT64_MAX;
    for (size_t work = (size_t)least - 40; work <= best + 40; work += work < least + 200 ? 1 : 17) {
        utet_status status;

        start(&b, work);
        open_file(&b);
        b.request = a.request;
        b.request.dataset = &b.d;
        b.request.ranges = b.ranges;
        status = fold(&b, NULL);
        if (work < least) {
            suite_check(status == UTET_E_BUDGET && b.r.file.needed == least, "%u bytes: %s", (unsigned)work,
                        rig_status(status));
        } else {
            suite_check(status == UTET_OK, "%u bytes: %s", (unsigned)work, rig_status(status));
            compare(&a, &b, 0, "the budget");
            assert_true(b.fold.boxes <= boxes && b.r.file.high_water <= work);
            boxes = b.fold.boxes;
        }
        rig_end(&b.r, "budget");
    }
    assert_int_equal(boxes, 1);
    rig_end(&a.r, "budget");
    tetgen_free(&a.g);
}

/* A fault at any read gives its error; then the file is as good as before. */
static void faults_anywhere(void **state)
{
    static world a, b;
    uint64_t faults = 0;

    (void)state;
    build(&a, UTET_I16, TETGEN_MIXED, 1, NULL);
    start(&a, 9000);
    open_file(&a);
    a.request.operation = &utet_fold_sum_i16;
    a.request.axes = 4;
    assert_int_equal(fold(&a, NULL), UTET_OK);
    b = a;
    for (uint64_t at = 0;; at++) {
        utet_status status;

        start(&b, 9000);
        b.r.port.slice = 64;
        open_file(&b);
        b.request.dataset = &b.d;
        b.request.ranges = b.ranges;
        b.r.port.fault = FAULT_ERROR;
        b.r.port.fault_at = b.r.port.reads + at;
        status = fold(&b, NULL);
        if (status == UTET_OK) {
            rig_end(&b.r, "fault");
            break;
        }
        faults++;
        assert_int_equal(status, FAULTPORT_ERROR);
        b.r.port.fault = FAULT_NONE;
        assert_int_equal(fold(&b, NULL), UTET_OK);
        compare(&a, &b, 0, "a fault");
        rig_end(&b.r, "fault");
    }
    assert_true(faults > 50);
    suite_figure("faults at %u reads", (unsigned)faults);
    rig_end(&a.r, "fault");
    tetgen_free(&a.g);
}

/* Cancelled at any "not yet": the fold is over, and another one gives the answer. */
static void cancel_anywhere(void **state)
{
    static world a, b;
    static double results[MOST];

    (void)state;
    build(&a, UTET_F64, TETGEN_RAW, 1, NULL);
    start(&a, 20000);
    open_file(&a);
    a.request.operation = &utet_fold_sum;
    a.request.axes = 1;
    assert_int_equal(fold(&a, NULL), UTET_OK);
    for (unsigned at = 1;; at++) {
        utet_status status = UTET_OK;
        unsigned blocked = 0;

        b.g = a.g;
        start(&b, (size_t)a.fold.need.least);
        open_file(&b);
        b.request = a.request;
        b.request.dataset = &b.d;
        b.request.ranges = b.ranges;
        DRIVE_OK(utet_fold_open(&b.fold, &b.r.file, &b.request));
        b.r.port.blocks = 1;
        do
            status = utet_fold_run(&b.fold, results, MOST);
        while (status == UTET_WOULD_BLOCK && ++blocked < at);
        if (status == UTET_OK) {
            rig_end(&b.r, "cancel");
            break;
        }
        assert_int_equal(status, UTET_WOULD_BLOCK);
        assert_int_equal(utet_dataset_first(&b.r.file, &b.d), UTET_E_STATE);
        utet_cancel(&b.r.file);
        assert_int_equal(utet_fold_run(&b.fold, results, MOST), UTET_E_STATE);
        b.r.port.blocks = 0;
        assert_int_equal(fold(&b, NULL), UTET_OK);
        compare(&a, &b, 0, "an older fold");
        rig_end(&b.r, "cancel");
        if (at > 3)
            at += at / 8;
    }
    rig_end(&a.r, "cancel");
    tetgen_free(&a.g);
}

/* Results of nothing, and a dataset without elements. */
static void nothing_at_all(void **state)
{
    static const utet_fold_filter none = {.tests = UTET_FOLD_IS_NULL};
    static world w;

    (void)state;
    for (int empty = 0; empty < 2; empty++)
        for (unsigned i = 0; i < OPERATIONS; i++) {
            double want = operations[i] == &utet_fold_product || operations[i] == &utet_fold_all_finite;
            int nan = operations[i] == &utet_fold_nan_mean || operations[i] == &utet_fold_nan_std;

            build(&w, UTET_I16, TETGEN_RAW, 0, NULL);
            if (empty) {
                tetgen_free(&w.g);
                w.data.shape[1] = 0;
                tetgen_build(&w.g);
            }
            start(&w, 4000);
            open_file(&w);
            if (empty)
                w.ranges[1] = (utet_range){0, 0, 1};
            w.request.operation = operations[i];
            w.request.axes = 2;
            w.request.has_fill = operations[i] == &utet_fold_null_count;
            w.request.fill = 1e9;
            assert_int_equal(fold(&w, empty ? NULL : &none), UTET_OK);
            assert_int_equal(w.count, 9);
            for (size_t n = 0; n < w.count; n++) {
                double got;

                memcpy(&got, &w.bits[n], 8);
                suite_check(nan ? got != got : got == want, "operation %u: %g", i, got);
            }
            rig_end(&w.r, "nothing");
            tetgen_free(&w.g);
        }
}

/* A fold takes the workspace: an older stream is over, and a newer slab ends the fold. */
static void one_owner(void **state)
{
    static world w;
    static double results[MOST];
    static utet_slab slab;
    utet_run run;
    utet_status status;

    (void)state;
    build(&w, UTET_U8, TETGEN_ZSTD, 0, NULL);
    start(&w, 30000);
    open_file(&w);
    w.request.operation = &utet_fold_max;
    DRIVE_OK(utet_slab_open(&slab, &w.r.file, &w.d, w.ranges));
    DRIVE_OK(utet_slab_run(&slab, &run));
    assert_int_equal(fold(&w, NULL), UTET_OK);
    DRIVE(status, utet_slab_run(&slab, &run));
    assert_int_equal(status, UTET_E_STATE);
    DRIVE_OK(utet_slab_open(&slab, &w.r.file, &w.d, w.ranges));
    assert_int_equal(utet_fold_run(&w.fold, results, MOST), UTET_E_STATE);
    DRIVE_OK(utet_slab_run(&slab, &run));
    rig_end(&w.r, "owner");
    tetgen_free(&w.g);
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        cmocka_unit_test(sums_of_all_dtypes), cmocka_unit_test(the_same_bits_everywhere),
        cmocka_unit_test(every_budget),       cmocka_unit_test(faults_anywhere),
        cmocka_unit_test(cancel_anywhere),    cmocka_unit_test(nothing_at_all),
        cmocka_unit_test(one_owner),
    };

    return SUITE("fold", cases);
}
