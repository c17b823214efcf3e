/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Parts of operations in several passes (utet_fold_follow): what is refused, and passes that end early. suite_foldmerge
 * compares their results with those of one fold. */
#include "foldparts.h"

enum { PARTS = 3, BINS = 4 };

static const utet_fold_operation *operation;
/* What `again` does instead of following: an error, a pause, or it leaves out the last part. */
static utet_status answer;
static unsigned followed;
static unsigned rounds;

static void start(unsigned i, const utet_fold_request *as, size_t work)
{
    foldworld *w = &parts[i];

    w->g = one.g;
    w->data = one.data;
    foldworld_start(w, work);
    w->request = *as;
    w->request.dataset = &w->d;
    w->request.ranges = w->ranges;
    w->grouped = 0;
    assert_int_equal(foldworld_ready(w, NULL), UTET_OK);
}

static utet_fold_request request(void)
{
    return (utet_fold_request){.operation = operation, .axes = 7, .q = 0.5, .bins = BINS};
}

static utet_status join_all(void *context, utet_fold *into)
{
    (void)context;
    for (unsigned i = 1; i < PARTS; i++) {
        const utet_status status = utet_fold_merge(into, &parts[i].fold);

        if (status != UTET_OK)
            return status;
    }
    return UTET_OK;
}

static utet_status again_or_answer(void *context, utet_fold *first)
{
    (void)context;
    rounds++;
    if (answer != UTET_OK)
        return answer;
    for (unsigned i = 1; i < followed; i++) {
        const utet_status status = utet_fold_follow(&parts[i].fold, first);

        if (status != UTET_OK)
            return status;
        DRIVE_OK(utet_fold_run(&parts[i].fold, NULL, 0));
    }
    return UTET_OK;
}

static void divide_all(void)
{
    const utet_fold_request as = request();

    rounds = 0;
    answer = UTET_OK;
    followed = PARTS;
    for (unsigned i = 0; i < PARTS; i++) {
        start(i, &as, 100000);
        shares[i] = (utet_fold_share){
            .part = i, .parts = PARTS, .join = i == 0 ? join_all : NULL, .again = i == 0 ? again_or_answer : NULL};
        assert_int_equal(utet_fold_divide(&parts[i].fold, &shares[i]), UTET_OK);
    }
    for (unsigned i = 1; i < PARTS; i++)
        DRIVE_OK(utet_fold_run(&parts[i].fold, NULL, 0));
}

/* Only the callback may let parts follow, each once, after they were merged. */
static void following_out_of_turn(void **state)
{
    utet_status status;

    (void)state;
    for (unsigned way = 0; way < 2; way++) {
        operation = way == 0 ? &utet_fold_median : &utet_fold_histogram;
        divide_all();
        assert_int_equal(utet_fold_follow(&parts[1].fold, &parts[0].fold), UTET_E_STATE); /* not merged */
        answer = UTET_WOULD_BLOCK;
        DRIVE_OK(utet_dataset_first(&parts[0].r.file, &parts[0].d));
        do
            status = utet_fold_run(&parts[0].fold, results, FOLDWORLD_MOST);
        while (status == UTET_WOULD_BLOCK && rounds == 0);
        assert_int_equal(status, UTET_WOULD_BLOCK);
        assert_int_equal(utet_dataset_first(&parts[0].r.file, &parts[0].d), UTET_E_STATE);
        assert_int_equal(utet_fold_run(&parts[1].fold, NULL, 0), UTET_E_STATE);
        assert_int_equal(utet_fold_merge(&parts[0].fold, &parts[1].fold), UTET_E_STATE);
        assert_int_equal(utet_fold_follow(&parts[0].fold, &parts[0].fold), UTET_E_STATE);
        assert_int_equal(utet_fold_follow(&parts[0].fold, &parts[1].fold), UTET_E_STATE);
        assert_int_equal(utet_fold_follow(&parts[1].fold, &parts[2].fold), UTET_E_STATE);
        assert_int_equal(utet_fold_follow(&one.fold, &parts[0].fold), UTET_E_STATE); /* not divided */
        assert_int_equal(utet_fold_follow(&parts[1].fold, &one.fold), UTET_E_STATE);
        assert_int_equal(utet_fold_follow(&parts[1].fold, &parts[0].fold), UTET_OK);
        assert_int_equal(utet_fold_follow(&parts[1].fold, &parts[0].fold), UTET_E_STATE); /* once */
        utet_cancel(&parts[0].r.file);
        assert_int_equal(utet_fold_run(&parts[0].fold, results, FOLDWORLD_MOST), UTET_E_STATE);
        end_parts(PARTS);
    }
}

/* An error of the callback sticks. A part that does not follow is missing when the pass is merged. */
static void passes_that_end(void **state)
{
    utet_status status;
    utet_slab slab;

    (void)state;
    for (unsigned way = 0; way < 3; way++) {
        operation = way == 2 ? &utet_fold_histogram : &utet_fold_quantile;
        divide_all();
        answer = UTET_E_PAYLOAD;
        DRIVE(status, utet_fold_run(&parts[0].fold, results, FOLDWORLD_MOST));
        assert_int_equal(status, UTET_E_PAYLOAD);
        assert_int_equal(utet_fold_run(&parts[0].fold, results, FOLDWORLD_MOST), UTET_E_PAYLOAD);
        end_parts(PARTS);

        divide_all();
        followed = PARTS - 1;
        DRIVE(status, utet_fold_run(&parts[0].fold, results, FOLDWORLD_MOST));
        assert_int_equal(status, UTET_E_STATE);
        end_parts(PARTS);

        divide_all();
        answer = UTET_WOULD_BLOCK;
        do
            status = utet_fold_run(&parts[0].fold, results, FOLDWORLD_MOST);
        while (status == UTET_WOULD_BLOCK && rounds == 0);
        answer = UTET_OK;
        DRIVE_OK(utet_slab_open(&slab, &parts[1].r.file, &parts[1].d, parts[1].ranges)); /* its cells are gone */
        DRIVE(status, utet_fold_run(&parts[0].fold, results, FOLDWORLD_MOST));
        assert_int_equal(status, UTET_E_STATE);
        end_parts(PARTS);
    }
}

/* Parts of requests that differ are refused, by the merge and, if a request has changed since, by the next pass. */
static void other_numbers(void **state)
{
    (void)state;
    for (unsigned way = 0; way < 8; way++) {
        static const double lows[] = {-5, -10, -7, 5}; /* another exponent, other digits, another sign */
        utet_fold_request as;
        utet_status status;

        operation = way == 0 ? &utet_fold_quantile : &utet_fold_histogram;
        as = request();
        as.has_range = way == 3 || way > 4;
        as.low = -5;
        as.high = way > 4 ? 6 : 5;
        for (unsigned i = 0; i < 2; i++) {
            if (i == 1) {
                as.q = way == 0 ? 0.25 : as.q;
                as.bins = way == 1 ? BINS + 1 : BINS;
                as.has_range = way == 2 || way == 3 || way > 4;
                as.high = way == 3 || way > 4 ? 6 : 5;
                as.low = way > 4 ? lows[way - 4] : -5;
            }
            start(i, &as, 100000);
            shares[i] = (utet_fold_share){.part = i, .parts = 2};
            assert_int_equal(utet_fold_divide(&parts[i].fold, &shares[i]), UTET_OK);
            DRIVE_OK(utet_fold_run(&parts[i].fold, NULL, 0));
        }
        status = utet_fold_merge(&parts[0].fold, &parts[1].fold);
        suite_check(status == (way != 4 ? UTET_E_ARGUMENT : UTET_OK), "way %u: %s", way, rig_status(status));
        end_parts(2);
    }
    operation = &utet_fold_median;
    divide_all();
    answer = UTET_WOULD_BLOCK;
    while (rounds == 0)
        assert_int_equal(utet_fold_run(&parts[0].fold, results, FOLDWORLD_MOST), UTET_WOULD_BLOCK);
    parts[1].d.id++;
    assert_int_equal(utet_fold_follow(&parts[1].fold, &parts[0].fold), UTET_E_ARGUMENT);
    parts[1].d.id--;
    shares[1].parts++;
    assert_int_equal(utet_fold_follow(&parts[1].fold, &parts[0].fold), UTET_E_ARGUMENT);
    shares[1].parts--;
    assert_int_equal(utet_fold_follow(&parts[1].fold, &parts[0].fold), UTET_OK);
    end_parts(PARTS);
}

/* A division needs a cell for each result at once; wide ones are surely enough. */
static void too_little_memory(void **state)
{
    utet_fold_share share = {.part = 1, .parts = 2};
    utet_fold_request as;
    size_t need, least;

    (void)state;
    for (unsigned way = 0; way < 2; way++) {
        operation = way == 0 ? &utet_fold_median : &utet_fold_histogram;
        as = request();
        as.axes = 6; /* five results */
        as.bins = 200;
        start(1, &as, 100000);
        need = (size_t)parts[1].fold.need.best - (size_t)parts[1].fold.box.slab.need.best;
        need += ((size_t)parts[1].fold.box.slab.need.least + 7) / 8 * 8;
        least = (size_t)parts[1].fold.need.least;
        rig_end(&parts[1].r, "need");
        start(1, &as, least);
        assert_int_equal(utet_fold_divide(&parts[1].fold, &share), UTET_E_BUDGET);
        assert_int_equal(parts[1].r.file.needed, need);
        DRIVE_OK(utet_fold_run(&parts[1].fold, results, FOLDWORLD_MOST)); /* the fold is unchanged */
        rig_end(&parts[1].r, "little");
        start(1, &as, need);
        assert_int_equal(utet_fold_divide(&parts[1].fold, &share), UTET_OK);
        rig_end(&parts[1].r, "enough");
    }
}

/* A read that fails, each one in turn, in the second pass of a part: its error, and the others are as they were. */
static void faults_in_later_passes(void **state)
{
    unsigned faults = 0;

    (void)state;
    operation = &utet_fold_median;
    for (uint64_t at = 0; at < 100; at++) {
        utet_status status;

        divide_all();
        answer = UTET_WOULD_BLOCK;
        while (rounds == 0)
            assert_int_equal(utet_fold_run(&parts[0].fold, results, FOLDWORLD_MOST), UTET_WOULD_BLOCK);
        assert_int_equal(utet_fold_follow(&parts[1].fold, &parts[0].fold), UTET_OK);
        parts[1].r.port.fault = FAULT_ERROR;
        parts[1].r.port.fault_at = parts[1].r.port.reads + at;
        DRIVE(status, utet_fold_run(&parts[1].fold, NULL, 0));
        if (status == UTET_OK) {
            end_parts(PARTS);
            break;
        }
        assert_int_equal(status, FAULTPORT_ERROR);
        assert_int_equal(utet_fold_run(&parts[1].fold, NULL, 0), FAULTPORT_ERROR);
        assert_int_equal(utet_fold_merge(&parts[0].fold, &parts[1].fold), UTET_E_STATE);
        faults++;
        parts[1].r.port.fault = FAULT_NONE;
        end_parts(PARTS);
    }
    suite_figure("faults at %u reads", faults);
    assert_true(faults > 3 && faults < 98);
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        cmocka_unit_test(following_out_of_turn),  cmocka_unit_test(passes_that_end),
        cmocka_unit_test(other_numbers),          cmocka_unit_test(too_little_memory),
        cmocka_unit_test(faults_in_later_passes),
    };

    foldworld_build(&one, UTET_F32, TETGEN_ZSTD, 0, foldworld_tiles);
    {
        const int failed = SUITE("foldpasses", cases);

        tetgen_free(&one.g);
        return failed;
    }
}
