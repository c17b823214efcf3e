/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Transforms of special values, expected by hand from the definitions in utet_transform.h, and the sweeps: a fault at
 * any read, a cancel at any "not yet", the minimum workspace and one byte less. test/fold/fold_test.py has random ones,
 * in all tilings.
 */
#include "foldworld.h"
#include "utet_transform.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct world {
    foldworld w;
    utet_transform t;
    utet_transform_into into;
    double statistics[2];
    double elements[400];
    uint64_t numbers; /* of undefined elements, added up */
} world;

static void add_number(void *context, uint64_t number)
{
    ((world *)context)->numbers += number;
}

static void set_into(world *w)
{
    memset(w->elements, 0x55, sizeof w->elements);
    w->numbers = 0;
    w->into = (utet_transform_into){.elements = w->elements,
                                    .size = sizeof w->elements,
                                    .statistics = w->statistics,
                                    .room = 2,
                                    .undefined = add_number,
                                    .context = w};
}

static int same(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (a != a && b != b);
}

static void values(void **state)
{
    static const struct {
        const utet_transform_method *method;
        size_t count;
        unsigned undefined;
        double first, second; /* statistics */
        double x[4], want[4];
    } cases[] = {
        {&utet_transform_center, 4, 0, 2.5, 0, {1, 2, 3, 4}, {-1.5, -0.5, 0.5, 1.5}},
        {&utet_transform_center, 2, 0, NAN, 0, {1, NAN}, {NAN, NAN}},
        {&utet_transform_center, 2, 0, INFINITY, 0, {1, INFINITY}, {-INFINITY, INFINITY}},
        {&utet_transform_center,
         3,
         0,
         -DBL_MAX / 3,
         0,
         {DBL_MAX, -DBL_MAX, -DBL_MAX},
         {INFINITY, -0x1.5555555555554p1023, -0x1.5555555555554p1023}},
        {&utet_transform_zscore, 2, 0, 3, 1, {2, 4}, {-1, 1}},
        {&utet_transform_zscore, 3, 3, 7, 0, {7, 7, 7}, {NAN, NAN, NAN}},
        {&utet_transform_zscore, 1, 1, 7, 0, {7}, {NAN}},
        {&utet_transform_zscore, 2, 0, -3, 1, {-2, -4}, {1, -1}},
        {&utet_transform_zscore, 2, 1, -INFINITY, NAN, {1, -INFINITY}, {NAN, -INFINITY}},
        {&utet_transform_zscore,
         3,
         0,
         -0x1.5555555555555p+1022,
         0x1.e2b7dddfefa65p+1023,
         {DBL_MAX, -DBL_MAX, -DBL_MAX},
         {INFINITY, -0x1.6a09e667f3bccp-1, -0x1.6a09e667f3bccp-1}},
        {&utet_transform_scale, 2, 0, 1, 0, {2, 4}, {2, 4}},
        {&utet_transform_scale, 2, 0, 0x1p-1074, 0, {0, 0x1p-1073}, {0, 2}},
        {&utet_transform_minmax, 3, 0, 1, 9, {1, 9, 3}, {0, 1, 0.25}},
        {&utet_transform_minmax, 3, 1, 1, INFINITY, {INFINITY, 1, NAN}, {INFINITY, NAN, NAN}},
        {&utet_transform_minmax, 2, 2, -DBL_MAX, DBL_MAX, {DBL_MAX, -DBL_MAX}, {NAN, NAN}},
        {&utet_transform_minmax, 2, 2, 0, 0, {0, 0}, {NAN, NAN}},
        {&utet_transform_minmax, 2, 0, 0, 0x1p-1074, {0, 0x1p-1074}, {0, 1}},
        {&utet_transform_l1, 2, 0, 4, 0, {-1, 3}, {-0.25, 0.75}},
        {&utet_transform_l1, 2, 2, 0, 0, {0, -0.0}, {NAN, NAN}},
        {&utet_transform_l1, 2, 1, INFINITY, 0, {1, -INFINITY}, {NAN, -INFINITY}},
        {&utet_transform_l2, 2, 0, 5, 0, {-3, 4}, {-0.6, 0.8}},
        {&utet_transform_log1p, 3, 0, 5, 0, {5, 6, 8}, {0, 0x1.62e42fefa39efp-1, 0x1.62e42fefa39efp+0}},
        {&utet_transform_log1p, 2, 0, -INFINITY, 0, {-INFINITY, 1}, {-INFINITY, INFINITY}},
        {&utet_transform_log1p, 2, 0, 0, 0, {0, 0x1p-54}, {0, 0x1p-54}},
        {&utet_transform_log1p, 2, 0, 0, 0, {0, 0x1p-53}, {0, 0x1p-53}},
        {&utet_transform_log1p, 2, 0, 0, 0, {0, 0x1p-52}, {0, 0x1.fffffffffffffp-53}},
        {&utet_transform_log1p,
         4,
         0,
         0,
         0,
         {0, 0.1, 0.3, 0.7},
         {0, 0x1.8663f793c46c7p-4, 0x1.0ca937be1b9dcp-2, 0x1.0fae81914a991p-1}},
        {&utet_transform_log1p,
         4,
         0,
         0,
         0,
         {0, 2, 5, 1e300},
         {0, 0x1.193ea7aad030bp+0, 0x1.cab0bfa2a2002p+0, 0x1.5963447f87fb5p+9}},
        {&utet_transform_log1p,
         4,
         0,
         0,
         0,
         {0, 0x1p60, 0x1p130, 0.25},
         {0, 0x1.4cb5ecf0a9650p+5, 0x1.686fc0af622d7p+6, 0x1.c8ff7c79a9a22p-3}},
        {&utet_transform_sqrt, 2, 0, -INFINITY, 0, {-INFINITY, 1}, {-INFINITY, INFINITY}},
        {&utet_transform_sqrt, 3, 0, -2, 0, {-2, 2, -1.75}, {0, 2, 0.5}},
        {&utet_transform_softmax, 4, 0, 3, 4, {3, 3, 3, 3}, {0.25, 0.25, 0.25, 0.25}},
        {&utet_transform_softmax, 2, 0, 0x1p-120, 2, {0, 0x1p-120}, {0.5, 0.5}},
        {&utet_transform_softmax, 2, 0, 0x1p-170, 2, {0, 0x1p-170}, {0.5, 0.5}},
        {&utet_transform_softmax, 2, 0, 0x1p-1074, 2, {0, 0x1p-1074}, {0.5, 0.5}},
        {&utet_transform_softmax,
         2,
         0,
         0,
         0x1.391f0ee496b84p+0,
         {-1.5, 0},
         {0x1.759b8355a1bafp-3, 0x1.a2991f2a97914p-1}},
        {&utet_transform_softmax, 2, 0, 800, 1, {0, 800}, {0, 1}},
        {&utet_transform_softmax, 2, 0, 745, 1, {0, 745}, {0x1p-1074, 1}},
        {&utet_transform_softmax, 3, 0, 1, 1, {NAN, 1, -INFINITY}, {NAN, 1, -INFINITY}},
        {&utet_transform_softmax, 2, 1, INFINITY, 0, {INFINITY, 1}, {INFINITY, NAN}},
        {&utet_transform_softmax, 2, 0, DBL_MAX, 1, {DBL_MAX, -DBL_MAX}, {1, 0}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t chunk = 1; chunk <= cases[i].count; chunk += cases[i].count) {
            static world w;

            foldworld_axis(&w.w, cases[i].count, chunk, cases[i].x);
            foldworld_start(&w.w, 9000);
            w.w.ranges[0] = (utet_range){0, cases[i].count, 1};
            w.w.request.axes = UTET_FOLD_ALL;
            set_into(&w);
            DRIVE_OK(utet_transform_open(&w.t, &w.w.r.file, &w.w.request, cases[i].method));
            DRIVE_OK(utet_transform_run(&w.t, &w.into));
            suite_check(w.t.undefined == cases[i].undefined, "case %u: %u undefined", (unsigned)i,
                        (unsigned)w.t.undefined);
            suite_check(same(w.statistics[0], cases[i].first) &&
                            (w.t.fold.results == 1 || same(w.statistics[1], cases[i].second)),
                        "case %u: statistics %a %a", (unsigned)i, w.statistics[0], w.statistics[1]);
            for (size_t j = 0; j < cases[i].count; j++)
                suite_check(same(w.elements[j], cases[i].want[j]), "case %u, element %u: %a, expected %a", (unsigned)i,
                            (unsigned)j, w.elements[j], cases[i].want[j]);
            rig_end(&w.w.r, "values");
            tetgen_free(&w.w.g);
        }
}

/* A file that begins with these elements. */
static void build_floats(foldworld *w, const float *x, size_t count)
{
    const uint8_t *row;

    foldworld_build(w, UTET_F32, 0, 0, foldworld_whole);
    row = w->g.bytes + w->g.index_offset + 32;
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;

        memcpy(&bits, &x[i], 4);
        tetgen_put(w->g.bytes + tetgen_get(row + 72, 8) + 4 * i, bits, 4);
    }
}

/* Results for which f32 has no room, and those below its normal range; cells in which no element passes. */
static void narrow(void **state)
{
    static const float x[7] = {0x1.fffffep127f,  -0x1.fffffep127f, 0x1p-126f, 0x1.8p-149f, 0x1p-149f, 3,
                               -0x1.000002p-126f};
    static const utet_fold_filter none = {.tests = UTET_FOLD_LT | UTET_FOLD_GT, .lt = 1, .gt = 2};
    static world w;
    float got[7];

    (void)state;
    build_floats(&w.w, x, 7);
    for (size_t part = 0; part < 4; part++) {
        const utet_transform_method *method = part == 0 ? &utet_transform_center : &utet_transform_l1;

        foldworld_start(&w.w, 9000);
        set_into(&w);
        w.into.from = part == 3 ? 1000 : 0;
        w.w.ranges[0] = w.w.ranges[1] = (utet_range){0, 1, 1};
        w.w.ranges[2] = part == 0 ? (utet_range){0, 2, 1} : (utet_range){2, 7, 1};
        w.w.request.axes = UTET_FOLD_ALL;
        DRIVE_OK(utet_transform_open(&w.t, &w.w.r.file, &w.w.request, part == 2 ? &utet_transform_zscore : method));
        if (part == 2)
            assert_int_equal(utet_fold_where(&w.t.fold, &none), UTET_OK);
        DRIVE_OK(utet_transform_run(&w.t, &w.into));
        memcpy(got, w.elements, sizeof got);
        if (part == 0)
            assert_true(got[0] == x[0] && got[1] == x[1] && w.statistics[0] == 0);
        for (size_t i = 0; part == 1 && i < 5; i++)
            suite_check(same((double)got[i], (double)(float)((double)x[i + 2] / w.statistics[0])), "element %u: %a",
                        (unsigned)i, (double)got[i]);
        if (part == 2)
            assert_true(got[0] != got[0] && w.statistics[0] == 0 && w.statistics[1] == 0 && w.t.fold.folded == 0);
        if (part == 3) /* nothing is written */
            assert_true(memcmp(w.elements, w.elements + 1, sizeof w.elements - sizeof *w.elements) == 0);
        rig_end(&w.w.r, "narrow");
    }
    tetgen_free(&w.w.g);
}

/* A mean whose double is infinite after the difference, as an f32: all x - mean of center are doubles. */
static void wide(void **state)
{
    static const float x[3] = {0x1.fffffep127f, -0x1.fffffep127f, -0x1.fffffep127f};
    static world w;
    float got[3];

    (void)state;
    build_floats(&w.w, x, 3);
    foldworld_start(&w.w, 9000);
    set_into(&w);
    w.w.ranges[0] = w.w.ranges[1] = (utet_range){0, 1, 1};
    w.w.ranges[2] = (utet_range){0, 3, 1};
    w.w.request.axes = UTET_FOLD_ALL;
    DRIVE_OK(utet_transform_open(&w.t, &w.w.r.file, &w.w.request, &utet_transform_center));
    DRIVE_OK(utet_transform_run(&w.t, &w.into));
    memcpy(got, w.elements, sizeof got);
    assert_true(isinf(got[0]) && got[0] > 0 && got[1] == (float)((double)x[1] - w.statistics[0]) && got[1] == got[2]);
    rig_end(&w.w.r, "wide");
    tetgen_free(&w.w.g);
}

/* ---- sweeps ---- */

static void start(world *w, size_t work)
{
    foldworld_start(&w->w, work);
    w->w.request.axes = 2;
    set_into(w);
    w->into.statistics = NULL;
}

static utet_status transform(world *w)
{
    utet_status status;

    DRIVE(status, utet_transform_open(&w->t, &w->w.r.file, &w->w.request, &utet_transform_softmax));
    if (status == UTET_OK)
        DRIVE(status, utet_transform_run(&w->t, &w->into));
    return status;
}

static void sweeps(void **state)
{
    static world a, b;
    size_t least;
    uint64_t faults = 0;

    (void)state;
    foldworld_build(&a.w, UTET_F32, 1, 0, foldworld_tiles);
    start(&a, 500000);
    assert_int_equal(transform(&a), UTET_OK);
    assert_int_equal(a.t.fold.passes, 3);
    assert_int_equal(a.t.fold.boxes, 1);
    least = (size_t)a.t.fold.need.least;
    rig_end(&a.w.r, "all");

    b.w.g = a.w.g;
    start(&b, least);
    assert_int_equal(transform(&b), UTET_OK);
    assert_true(b.t.fold.boxes > 1);
    assert_memory_equal(a.elements, b.elements, sizeof a.elements);
    rig_end(&b.w.r, "least");
    start(&b, least - 1);
    assert_int_equal(transform(&b), UTET_E_BUDGET);
    assert_int_equal(b.w.r.file.needed, least);
    rig_end(&b.w.r, "less");

    for (uint64_t at = 0;; at++) {
        utet_status status;

        start(&b, 9000);
        b.w.r.port.fault = FAULT_ERROR;
        b.w.r.port.fault_at = b.w.r.port.reads + at;
        status = transform(&b);
        if (status != UTET_OK) {
            assert_int_equal(status, FAULTPORT_ERROR);
            b.w.r.port.fault = FAULT_NONE;
            set_into(&b);
            b.into.statistics = NULL;
            assert_int_equal(transform(&b), UTET_OK);
            faults++;
        }
        assert_memory_equal(a.elements, b.elements, sizeof a.elements);
        rig_end(&b.w.r, "fault");
        if (status == UTET_OK)
            break;
    }
    suite_figure("faults at %u reads", (unsigned)faults);

    for (unsigned at = 1;; at += 1 + at / 4) {
        utet_status status;
        unsigned blocked = 0;

        start(&b, least);
        DRIVE_OK(utet_transform_open(&b.t, &b.w.r.file, &b.w.request, &utet_transform_softmax));
        b.w.r.port.blocks = 1;
        do
            status = utet_transform_run(&b.t, &b.into);
        while (status == UTET_WOULD_BLOCK && ++blocked < at);
        if (status == UTET_WOULD_BLOCK) {
            utet_cancel(&b.w.r.file);
            assert_int_equal(utet_transform_run(&b.t, &b.into), UTET_E_STATE);
            b.w.r.port.blocks = 0;
            assert_int_equal(transform(&b), UTET_OK);
        }
        assert_memory_equal(a.elements, b.elements, sizeof a.elements);
        rig_end(&b.w.r, "cancel");
        if (status == UTET_OK)
            break;
    }
    tetgen_free(&a.w.g);
}

/* A transform has no windows, and no parts. */
static void no_windows_and_no_parts(void **state)
{
    static foldworld w;
    static utet_transform transform;
    utet_fold_share share = {.parts = 2};

    (void)state;
    foldworld_build(&w, UTET_F32, 0, 0, foldworld_whole);
    foldworld_start(&w, 100000);
    w.by.window.size = 2;
    DRIVE_OK(utet_transform_open(&transform, &w.r.file, &w.request, &utet_transform_center));
    assert_int_equal(utet_fold_group(&transform.fold, &w.by), UTET_E_ARGUMENT);
    assert_int_equal(utet_fold_divide(&transform.fold, &share), UTET_E_ARGUMENT);
    rig_end(&w.r, "no windows");
    tetgen_free(&w.g);
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        cmocka_unit_test(values),
        cmocka_unit_test(narrow),
        cmocka_unit_test(wide),
        cmocka_unit_test(sweeps),
        cmocka_unit_test(no_windows_and_no_parts),
    };

    return SUITE("transform", cases);
}
