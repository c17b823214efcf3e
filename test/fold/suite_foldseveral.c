/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Several operations with one reading (utet_fold_several): each result has the bits that its operation has alone, for
 * every operation, dtype, filter and grouping, in one fold and in parts, with every budget, after faults and pauses.
 */
#include "fold/fold.h"
#include "foldparts.h"

enum { MOST = UTET_FOLD_MAX_OPERATIONS };

static const utet_fold_operation *list[MOST + 2];
static const utet_fold_operation *const mean_of_4[] = {&utet_fold_mean, &utet_fold_min, &utet_fold_max,
                                                       &utet_fold_count, NULL};

/* Chooses 1 to MOST operations that support the dtype, some of them twice. */
static unsigned choose_list(uint32_t dtype, int ordered)
{
    const unsigned count = 1 + below(MOST);

    for (unsigned i = 0; i < count;) {
        const utet_fold_operation *operation = operations[below(OPERATIONS)].operation;

        if (takes(operation, dtype) && !in_passes(operation) && (can_merge(operation) || ordered))
            list[i++] = operation;
    }
    list[count] = NULL;
    return count;
}

/* `one` has folded the list: folds each operation alone. */
static void compare_alone(const utet_fold_filter *filter, unsigned count)
{
    static foldworld alone;

    for (unsigned i = 0; i < count; i++) {
        alone.g = one.g;
        alone.data = one.data;
        foldworld_start_as(&alone, &one, 100000);
        alone.request.operation = list[i];
        alone.request.operations = NULL;
        assert_int_equal(foldworld_fold(&alone, filter), UTET_OK);
        suite_check(alone.count * count == one.count && alone.fold.folded == one.fold.folded &&
                        memcmp(alone.counts, one.counts, sizeof one.counts) == 0,
                    "operation %u of %u: %u results", i, count, (unsigned)alone.count);
        for (size_t n = 0; n < alone.count; n++)
            suite_check(alone.bits[n] == one.bits[n * count + i], "operation %u of %u: result %u", i, count,
                        (unsigned)n);
        rig_end(&alone.r, "alone");
    }
}

/* Prepares the request of `one`; way 0 has no filter, ways from 2 on have groups or windows. */
static const utet_fold_filter *set_request(const tetgen *g, const tetgen_dataset *data, unsigned way)
{
    start_request(g, data, way, (utet_fold_request){.operation = &utet_fold_several, .operations = list}, 200000);
    return way == 0 ? NULL : &filters[below(4)];
}

static void every_operation(void **state)
{
    unsigned cases = 0, divided = 0;

    (void)state;
    for (uint32_t dtype = 1; dtype <= UTET_U64; dtype++) {
        foldworld_build(&one, dtype, (int)(dtype % 3), dtype & 1, foldworld_tiles);
        const tetgen g = one.g;
        const tetgen_dataset data = one.data;

        for (unsigned way = 0; way < 6; way++)
            for (unsigned turn = 0; turn < 4; turn++) {
                const unsigned count = choose_list(dtype, turn == 0);
                const utet_fold_filter *filter = set_request(&g, &data, way);

                utet_status status = foldworld_ready(&one, filter);
                if (status == UTET_OK && one.fold.results > FOLDWORLD_MOST) { /* more than foldworld has room for */
                    rig_end(&one.r, "large");
                    continue;
                }
                assert_int_equal(foldworld_fold(&one, filter), UTET_OK);
                assert_true(one.fold.passes <= 1 && one.fold.given == 0);
                compare_alone(filter, count);
                if (turn != 0 && one.fold.need.best < 450000) { /* parts have 500,000 bytes */
                    compare_parts(filter, 1 + below(MOST_PARTS - 1), "several");
                    divided++;
                }
                rig_end(&one.r, "one");
                cases++;
            }
        tetgen_free(&one.g);
    }
    suite_figure("%u lists, %u in parts", cases, divided);
    assert_true(cases > 150 && divided > 80);
}

static void start_f32(const uint64_t chunk[3], size_t work)
{
    foldworld_build(&one, UTET_F32, TETGEN_MIXED, 1, chunk);
    foldworld_start(&one, work);
    one.request.operation = &utet_fold_several;
    one.request.operations = mean_of_4;
    one.request.axes = 2;
    one.request.has_fill = 1;
    one.request.fill = 7;
}

/* Tilings, orders of rows, codecs, pauses and pieces change nothing. */
static void the_same_bits_everywhere(void **state)
{
    (void)state;
    for (unsigned way = 0; way < 4; way++) {
        start_f32(foldworld_whole, 500000);
        one.grouped = way & 1;
        one.by = groupings[way];
        assert_int_equal(foldworld_fold(&one, way & 2 ? &filters[0] : NULL), UTET_OK);
        foldworld_other_ways(&one, way & 2 ? &filters[0] : NULL);
        rig_end(&one.r, "first");
        tetgen_free(&one.g);
    }
}

/* Every workspace from 0 on: refused with the sufficient size below need.least, and then the same bits. */
static void every_budget(void **state)
{
    (void)state;
    start_f32(foldworld_tiles, 300000);
    assert_int_equal(foldworld_fold(&one, NULL), UTET_OK);
    foldworld_budgets(&one, UTET_OPEN_WORK(1), 1, 0);
    rig_end(&one.r, "budget");
    tetgen_free(&one.g);
}

static void faults_and_cancels_anywhere(void **state)
{
    (void)state;
    start_f32(foldworld_tiles, 9000);
    assert_int_equal(foldworld_fold(&one, NULL), UTET_OK);
    foldworld_faults(&one);
    foldworld_cancels(&one);
    rig_end(&one.r, "fault");
    tetgen_free(&one.g);
}

/* The payloads are read once for all operations. */
static void one_reading(void **state)
{
    uint64_t bytes[2];

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        start_f32(foldworld_tiles, 300000);
        one.request.operation = i == 0 ? &utet_fold_several : &utet_fold_count;
        assert_int_equal(foldworld_fold(&one, NULL), UTET_OK);
        bytes[i] = one.r.port.bytes_read;
        rig_end(&one.r, "read");
        tetgen_free(&one.g);
    }
    assert_int_equal(bytes[0], bytes[1]);
}

/* Runs of hundreds of elements, in which the extremes change seldom. */
static void long_runs(void **state)
{
    static const uint64_t whole[3] = {5, 7, 9};

    (void)state;
    start_f32(whole, 300000);
    list[0] = &utet_fold_min;
    list[1] = &utet_fold_max;
    list[2] = NULL;
    one.request.operations = list;
    one.request.axes = 7;
    assert_int_equal(foldworld_fold(&one, NULL), UTET_OK);
    compare_alone(NULL, 2);
    rig_end(&one.r, "long");
    tetgen_free(&one.g);
}

/* ---- what is refused ---- */

static utet_status open_list(const utet_fold_operation *const *operations_of)
{
    utet_status status;

    one.request.operations = operations_of;
    DRIVE(status, utet_fold_need(&one.fold, &one.r.file, &one.request));
    if (status == UTET_OK)
        assert_true(one.fold.need.least > 0);
    DRIVE(status, utet_fold_open(&one.fold, &one.r.file, &one.request));
    return status;
}

static utet_status open_pair(const utet_fold_operation *second)
{
    static const utet_fold_operation *pair[] = {&utet_fold_sum, NULL, NULL};

    pair[1] = second;
    return open_list(pair);
}

static void lists_that_are_refused(void **state)
{
    static const utet_fold_operation *const none[] = {NULL};
    static const utet_fold_operation *const first_refused[] = {&utet_fold_null_count, &utet_fold_sum, NULL};

    (void)state;
    start_f32(foldworld_tiles, 300000);
    assert_int_equal(open_list(NULL), UTET_E_ARGUMENT);
    assert_int_equal(open_list(none), UTET_E_ARGUMENT);
    assert_int_equal(open_pair(&utet_fold_median), UTET_E_ARGUMENT);
    assert_int_equal(open_pair(&utet_fold_quantile), UTET_E_ARGUMENT);
    one.request.bins = 3;
    assert_int_equal(open_pair(&utet_fold_histogram), UTET_E_ARGUMENT);
    assert_int_equal(open_pair(&utet_fold_several), UTET_E_ARGUMENT);
    one.request.has_fill = 0;
    assert_int_equal(open_pair(&utet_fold_null_count), UTET_E_ARGUMENT); /* there is no fill */
    assert_int_equal(open_list(first_refused), UTET_E_ARGUMENT);
    one.request.has_fill = 1;
    assert_int_equal(open_pair(&utet_fold_null_count), UTET_OK);
    assert_int_equal(open_pair(&utet_fold_sum_i16), UTET_E_DTYPE);
    for (unsigned i = 0; i <= MOST; i++)
        list[i] = &utet_fold_var;
    list[MOST + 1] = NULL;
    assert_int_equal(open_list(list), UTET_E_ARGUMENT);
    list[MOST] = NULL;
    assert_int_equal(open_list(list), UTET_OK);
    assert_int_equal(utet_fold_pieces(&one.fold, MOST - 1), UTET_E_SPACE);
    assert_int_equal(utet_fold_pieces(&one.fold, MOST), UTET_OK);
    rig_end(&one.r, "refused");
    tetgen_free(&one.g);
}

/* Parts of folds with different lists do not merge; a list with the product cannot be divided. */
static void lists_that_differ(void **state)
{
    static const utet_fold_operation *const lists[][4] = {{&utet_fold_min, &utet_fold_max, &utet_fold_count},
                                                          {&utet_fold_max, &utet_fold_min, &utet_fold_count}};

    (void)state;
    start_f32(foldworld_tiles, 300000);
    for (unsigned i = 0; i < 3; i++) {
        one.request.operations = lists[i % 2];
        get_ready(&parts[i], &one, NULL);
        shares[i] = (utet_fold_share){.part = i != 0, .parts = 2};
        assert_int_equal(utet_fold_divide(&parts[i].fold, &shares[i]), UTET_OK);
        DRIVE_OK(utet_fold_run(&parts[i].fold, NULL, 0));
    }
    assert_int_equal(utet_fold_merge(&parts[0].fold, &parts[1].fold), UTET_E_ARGUMENT);
    assert_int_equal(utet_fold_merge(&parts[0].fold, &parts[2].fold), UTET_OK);
    end_parts(3);
    one.request.operation = &utet_fold_several;
    assert_int_equal(open_pair(&utet_fold_product), UTET_OK);
    assert_int_equal(utet_fold_divide(&one.fold, &shares[0]), UTET_E_ARGUMENT);
    assert_int_equal(open_pair(&utet_fold_mean), UTET_OK);
    assert_int_equal(utet_fold_pieces(&one.fold, 2), UTET_OK); /* one result in each piece */
    assert_int_equal(utet_fold_divide(&one.fold, &shares[0]), UTET_E_SPACE);
    one.r.file.budget = (size_t)one.fold.need.least;
    assert_int_equal(open_pair(&utet_fold_mean), UTET_OK);
    assert_int_equal(utet_fold_divide(&one.fold, &shares[0]), UTET_E_BUDGET);
    one.r.file.budget = (size_t)one.r.file.needed;
    assert_int_equal(open_pair(&utet_fold_mean), UTET_OK);
    assert_int_equal(utet_fold_divide(&one.fold, &shares[0]), UTET_OK);
    rig_end(&one.r, "differ");
    tetgen_free(&one.g);
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        cmocka_unit_test(every_operation),
        cmocka_unit_test(the_same_bits_everywhere),
        cmocka_unit_test(every_budget),
        cmocka_unit_test(faults_and_cancels_anywhere),
        cmocka_unit_test(one_reading),
        cmocka_unit_test(long_runs),
        cmocka_unit_test(lists_that_are_refused),
        cmocka_unit_test(lists_that_differ),
    };

    return SUITE("foldseveral", cases);
}
