/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Parts that do not belong together, divisions that are refused, merges that end early. */
#include "foldparts.h"

/* ---- what is refused ---- */

/* What a request may have in addition: a filter, a file of its own; and what changes after it was read. */
static struct {
    const utet_fold_filter *filter;
    const foldworld *file;
    uint8_t id, chunk;
} besides[2];
static foldworld other, empty;

/* Opens part i, with its request changed by `base`, and that of the second part also by `change`. */
static void (*base)(foldworld *w);
static void ask(unsigned i, void (*change)(foldworld *w))
{
    foldworld *w = &parts[i];

    memset(&besides[i], 0, sizeof besides[i]);
    w->g = one.g;
    w->data = one.data;
    foldworld_start(w, 100000);
    w->request = (utet_fold_request){
        .dataset = &w->d, .ranges = w->ranges, .operation = &utet_fold_null_count, .axes = 7, .has_fill = 1, .fill = 7};
    w->grouped = 0;
    w->by = (utet_fold_grouping){.axis = {[0] = {.group_of = NULL}}};
    if (base != NULL)
        base(w);
    if (i == 1 && change != NULL)
        change(w);
    if (besides[i].file != NULL) {
        utet_range ranges[3];

        memcpy(ranges, w->ranges, sizeof ranges);
        rig_end(&w->r, "one file");
        w->g = besides[i].file->g;
        w->data = besides[i].file->data;
        foldworld_start(w, 100000);
        memcpy(w->ranges, ranges, sizeof ranges);
    }
    assert_int_equal(foldworld_ready(w, besides[i].filter), UTET_OK);
}

/* Parts 0 and 1 of two, both read. */
static utet_status merged(void (*change)(foldworld *w), unsigned part, unsigned of)
{
    utet_status status;

    for (unsigned i = 0; i < 2; i++) {
        ask(i, change);
        shares[i] = (utet_fold_share){.part = i == 1 ? part : 0, .parts = i == 1 ? of : 2};
        assert_int_equal(utet_fold_divide(&parts[i].fold, &shares[i]), UTET_OK);
        parts[i].counts[0] = UINT64_MAX;
        DRIVE_OK(utet_fold_run(&parts[i].fold, NULL, 0));
        assert_true(parts[i].counts[0] == UINT64_MAX); /* a part has no results, so threads may share the counts */
    }
    parts[1].d.id += besides[1].id;
    parts[1].d.chunk_shape[0] += besides[1].chunk;
    status = utet_fold_merge(&parts[0].fold, &parts[1].fold);
    end_parts(2);
    return status;
}

static void other_operation(foldworld *w)
{
    w->request.operation = &utet_fold_count;
}
static void other_fill(foldworld *w)
{
    w->request.fill = 8;
}
static void other_fill_rest(foldworld *w)
{
    w->request.fill_rest = 1;
}
static void no_fill(foldworld *w)
{
    w->request.has_counted = 1;
    w->request.counted = 7;
    w->request.has_fill = 0;
}
static void other_counted(foldworld *w)
{
    w->request.has_counted = 1;
    w->request.counted = 8;
}
static void other_axes(foldworld *w)
{
    w->request.axes = 3;
}
static void first_stays(foldworld *w)
{
    w->request.axes = 6;
}
static void other_start(foldworld *w)
{
    w->ranges[0].start = 2;
}
static void other_step(foldworld *w)
{
    w->ranges[0] = (utet_range){0, 3, 1}; /* as many */
}
static void other_stop(foldworld *w)
{
    w->ranges[2].stop = 5;
}
static void fewer(foldworld *w)
{
    w->ranges[0].stop = 3;
}
static void other_chunk(foldworld *w)
{
    besides[w - parts].chunk = 1;
}
static void other_dataset(foldworld *w)
{
    besides[w - parts].id = 1;
}
static void other_file(foldworld *w)
{
    besides[w - parts].file = &other;
}
static void filtered(foldworld *w)
{
    besides[w - parts].filter = &filters[1];
}
static void filtered_otherwise(foldworld *w)
{
    besides[w - parts].filter = &filters[0];
}
static void filtered_by_two(foldworld *w)
{
    besides[w - parts].filter = &filters[2];
}
static void more_than_3(foldworld *w)
{
    static const utet_fold_filter filter = {.tests = UTET_FOLD_GT, .gt = 3};

    no_fill(w);
    besides[w - parts].filter = &filter;
}
static void more_than_4(foldworld *w)
{
    static const utet_fold_filter filter = {.tests = UTET_FOLD_GT, .gt = 4};

    besides[w - parts].filter = &filter;
}
static void no_more_than_3(foldworld *w)
{
    static const utet_fold_filter filter = {.tests = UTET_FOLD_LE, .le = 3};

    besides[w - parts].filter = &filter;
}
static void by_windows(foldworld *w)
{
    w->grouped = 1;
    w->by.window.size = 2;
    w->by.window.axis = 1;
}
static void rolling(foldworld *w)
{
    by_windows(w);
    w->by.window.mode = UTET_FOLD_ROLLING;
    w->by.window.pad = UTET_FOLD_PAD_ZERO;
}
static void other_size(foldworld *w)
{
    w->by.window.size = 3;
}
static void other_align(foldworld *w)
{
    w->by.window.align = UTET_FOLD_ALIGN_END;
}
static void other_pad(foldworld *w)
{
    w->by.window.pad = UTET_FOLD_PAD_FILL;
}
static void padded(foldworld *w)
{
    rolling(w);
    w->by.window.pad = UTET_FOLD_PAD_FILL;
    w->by.window.has_fill = 1;
    w->by.window.fill = 7;
}
static void padded_otherwise(foldworld *w)
{
    w->by.window.fill = 8;
}
static void other_least(foldworld *w)
{
    w->by.window.min_count = 2;
}
static void other_advance(foldworld *w)
{
    w->by.window.step = 2;
}
static void no_windows(foldworld *w)
{
    w->grouped = 0;
    w->request.axes = 5; /* as many cells */
}
static void to_the_end(foldworld *w)
{
    rolling(w);
    w->by.window.align = UTET_FOLD_ALIGN_END;
}
static void along_first(foldworld *w)
{
    to_the_end(w);
    w->by.window.axis = 0;
}
static void of_nothing(foldworld *w)
{
    to_the_end(w);
    w->request.axes = 4;
    w->ranges[2] = (utet_range){0, 0, 1};
    besides[w - parts].file = &empty;
}
static void other_window_axis(foldworld *w)
{
    w->by.window.axis = 0;
}
static void grouped(foldworld *w)
{
    w->grouped = 1;
    w->request.axes = 6;
    w->by.axis[0] = (utet_fold_axis){.group_of = thirds, .groups = 3}; /* as many as there are indices */
}
static void grouped_otherwise(foldworld *w)
{
    w->by.axis[0].groups = 2;
}
static void not_grouped(foldworld *w)
{
    w->by.axis[0].groups = 0;
}
static void grouped_twice(foldworld *w)
{
    grouped(w);
    w->request.axes = 2;
    w->by.axis[2] = (utet_fold_axis){.group_of = thirds, .groups = 3};
}
static void last_grouped_otherwise(foldworld *w) /* so that the cells of the first axis are elsewhere */
{
    w->by.axis[2].groups = 2;
}
static void counted(foldworld *w)
{
    w->by.counts = w->counts;
}
static void without_groups(foldworld *w)
{
    w->grouped = 0;
}
static void masked(foldworld *w)
{
    grouped(w);
    w->request.axes = 7;
    w->by.axis[0].groups = 0;
}
static void in_one_group(foldworld *w)
{
    w->by.axis[0].groups = 1;
}

static void ranged(foldworld *w)
{
    w->request.operation = &utet_fold_histogram;
    w->request.bins = 4;
    w->request.has_range = 1;
    w->request.low = -1;
    w->request.high = 100;
}
static void other_bins(foldworld *w)
{
    w->request.bins = 5;
}
static void other_low(foldworld *w)
{
    w->request.low = -1.5;
}
static void positive_low(foldworld *w)
{
    w->request.low = 1;
}
static void first_quarter(foldworld *w)
{
    w->request.operation = &utet_fold_quantile;
    w->request.q = 0.25;
}
static void other_q(foldworld *w)
{
    w->request.q = 0.75;
}

static void other_requests(void **state)
{
    static const struct {
        void (*base)(foldworld *w);
        void (*change)(foldworld *w);
    } changes[] = {
        {NULL, other_operation},
        {NULL, other_fill},
        {NULL, other_fill_rest},
        {NULL, no_fill},
        {NULL, other_counted},
        {NULL, other_axes},
        {NULL, first_stays},
        {NULL, other_start},
        {NULL, other_step},
        {NULL, other_stop},
        {NULL, fewer},
        {NULL, other_dataset},
        {NULL, other_chunk},
        {NULL, filtered},
        {filtered, filtered_otherwise},
        {filtered, filtered_by_two},
        {filtered_by_two, filtered},
        {more_than_3, more_than_4},
        {more_than_3, no_more_than_3},
        {NULL, by_windows},
        {rolling, other_size},
        {along_first, other_size},
        {rolling, other_align},
        {rolling, other_pad},
        {padded, padded_otherwise},
        {rolling, other_least},
        {rolling, other_advance},
        {rolling, no_windows},
        {rolling, other_window_axis},
        {of_nothing, other_window_axis},
        {first_stays, grouped},
        {grouped, grouped_otherwise},
        {grouped, not_grouped},
        {grouped_twice, last_grouped_otherwise},
        {grouped, counted},
        {grouped, without_groups},
        {masked, in_one_group},
        {masked, without_groups},
        {rolling, other_size},
        {padded, other_size},
        {ranged, other_bins},
        {ranged, other_low},
        {ranged, positive_low},
        {first_quarter, other_q},
    };
    static const uint32_t few[5 * 7] = {7};

    (void)state;
    foldworld_build(&one, UTET_I32, TETGEN_RAW, 0, foldworld_whole);
    hollow(&empty, 2);
    assert_int_equal(merged(NULL, 1, 2), UTET_OK);
    assert_int_equal(merged(NULL, 0, 2), UTET_E_ARGUMENT);
    assert_int_equal(merged(NULL, 1, 3), UTET_E_ARGUMENT);
    assert_int_equal(merged(NULL, 2, 3), UTET_E_ARGUMENT);
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        utet_status status;

        base = changes[i].base;
        status = merged(NULL, 1, 2);
        suite_check(status == UTET_OK, "base %u: %s", (unsigned)i, rig_status(status));
        status = merged(changes[i].change, 1, 2);
        suite_check(status == UTET_E_ARGUMENT, "change %u: %s", (unsigned)i, rig_status(status));
    }
    base = NULL;
    for (unsigned i = 0; i < 2; i++) { /* another dtype, other axes */
        if (i == 0)
            foldworld_build(&other, UTET_U32, TETGEN_RAW, 0, foldworld_whole);
        else
            foldworld_elements(&other, UTET_I32, 2, foldworld_whole, foldworld_whole, few);
        assert_int_equal(merged(other_file, 1, 2), UTET_E_ARGUMENT);
        tetgen_free(&other.g);
    }
    tetgen_free(&empty.g);
    tetgen_free(&one.g);
}

static foldworld *start_part(unsigned i, const utet_fold_operation *operation, uint32_t axes, size_t work)
{
    foldworld *w = &parts[i];

    w->g = one.g;
    w->data = one.data;
    foldworld_start(w, work);
    w->request = (utet_fold_request){.dataset = &w->d, .ranges = w->ranges, .operation = operation, .axes = axes};
    w->request.bins = 3;
    w->grouped = 0;
    DRIVE_OK(utet_fold_open(&w->fold, &w->r.file, &w->request));
    return w;
}

/* A grouping that belonged to another fold, with a pad of its own: what is left of it does not count. */
static void a_grouping_again(void **state)
{
    static const utet_fold_window again[] = {
        {.axis = 1, .size = 2, .pad = UTET_FOLD_PAD_FILL, .has_fill = 1, .fill = 9}, /* two of them, without a gap */
        {.axis = 1, .size = 2, .mode = UTET_FOLD_ROLLING},
        {.size = 0},
    };
    static const utet_fold_window first = {
        .axis = 1, .size = 4, .mode = UTET_FOLD_ROLLING, .pad = UTET_FOLD_PAD_FILL, .has_fill = 1, .fill = 7};

    (void)state;
    foldworld_build(&one, UTET_I32, TETGEN_RAW, 0, foldworld_tiles);
    for (size_t i = 0; i < sizeof again / sizeof again[0]; i++) {
        for (unsigned part = 0; part < 2; part++) {
            foldworld *w = start_part(part, &utet_fold_sum, 7, 50000);

            w->grouped = 1;
            memset(&w->by, 0, sizeof w->by);
            w->by.axis[0] = (utet_fold_axis){.group_of = thirds};
            if (part == 1) { /* this one has been used, and is not cleared */
                w->by.window = first;
                assert_int_equal(foldworld_ready(w, NULL), UTET_OK);
            }
            w->by.window = again[i];
            assert_int_equal(foldworld_ready(w, NULL), UTET_OK);
            shares[part] = (utet_fold_share){.part = part, .parts = 2};
            assert_int_equal(utet_fold_divide(&w->fold, &shares[part]), UTET_OK);
            DRIVE_OK(utet_fold_run(&w->fold, NULL, 0));
        }
        suite_check(utet_fold_merge(&parts[0].fold, &parts[1].fold) == UTET_OK, "window %u", (unsigned)i);
        end_parts(2);
    }
    tetgen_free(&one.g);
}

static void refused_divisions(void **state)
{
    /* The last three: because the share has no `again`. */
    static const utet_fold_operation *const never[] = {&utet_fold_product, &utet_fold_median, &utet_fold_quantile,
                                                       &utet_fold_histogram};
    utet_fold_share share = {.part = 0, .parts = 2, .join = join};
    foldworld *w;
    size_t need;

    (void)state;
    foldworld_build(&one, UTET_I32, TETGEN_RAW, 0, foldworld_tiles);
    for (size_t i = 0; i < sizeof never / sizeof never[0]; i++) {
        w = start_part(0, never[i], 7, 50000);
        assert_int_equal(utet_fold_divide(&w->fold, &share), UTET_E_ARGUMENT);
        DRIVE_OK(utet_fold_run(&w->fold, results, FOLDWORLD_MOST)); /* the fold is unchanged */
        assert_int_equal(utet_fold_divide(&w->fold, &share), UTET_E_STATE);
        rig_end(&w->r, "never");
    }
    share.join = NULL;
    w = start_part(0, &utet_fold_sum, 3, 50000);
    assert_int_equal(utet_fold_divide(&w->fold, &(utet_fold_share){.part = 2, .parts = 2}), UTET_E_ARGUMENT);
    assert_int_equal(utet_fold_divide(&w->fold, &(utet_fold_share){.parts = 0}), UTET_E_ARGUMENT);
    assert_int_equal(utet_fold_divide(&w->fold, &(utet_fold_share){.part = 1, .parts = 2, .join = join}),
                     UTET_E_ARGUMENT);
    assert_int_equal(utet_fold_pieces(&w->fold, 2), UTET_OK);
    assert_int_equal(utet_fold_divide(&w->fold, &share), UTET_E_SPACE);
    rig_end(&w->r, "pieces");
    w = start_part(0, &utet_fold_sum, 3, 50000);
    need = (size_t)w->fold.box.slab.need.least;
    need = (need + 7) / 8 * 8 + 3 * w->fold.priv.cell_bytes; /* 9 / 3 results */
    rig_end(&w->r, "need");
    w = start_part(0, &utet_fold_sum, 3, need - 1);
    assert_int_equal(utet_fold_divide(&w->fold, &share), UTET_E_BUDGET);
    assert_int_equal(w->r.file.needed, need);
    DRIVE_OK(utet_fold_run(&w->fold, results, 3));
    rig_end(&w->r, "little");
    w = start_part(0, &utet_fold_sum, 3, need);
    assert_int_equal(utet_fold_divide(&w->fold, &share), UTET_OK);
    DRIVE_OK(utet_fold_run(&w->fold, NULL, 0));
    rig_end(&w->r, "enough");
    memset(&w->fold, 0, sizeof w->fold);
    assert_int_equal(utet_fold_divide(&w->fold, &share), UTET_E_STATE);
    tetgen_free(&one.g);
}

static utet_status none(void *context, utet_fold *into)
{
    (void)into;
    return context != NULL ? *(utet_status *)context : UTET_OK;
}

static void half_finished(void **state)
{
    static const utet_fold unopened;
    utet_status answer = UTET_WOULD_BLOCK;
    foldworld *a, *b;
    utet_slab slab;

    (void)state;
    foldworld_build(&one, UTET_F32, TETGEN_ZSTD, 0, foldworld_tiles);
    a = start_part(0, &utet_fold_var, 7, 50000);
    b = start_part(1, &utet_fold_var, 7, 50000);
    parts[2].fold = unopened;
    assert_int_equal(utet_fold_merge(&a->fold, &b->fold), UTET_E_STATE); /* not divided */
    shares[0] = (utet_fold_share){.parts = 2};
    shares[1] = (utet_fold_share){.part = 1, .parts = 2};
    assert_int_equal(utet_fold_divide(&b->fold, &shares[1]), UTET_OK);
    assert_int_equal(utet_fold_merge(&a->fold, &b->fold), UTET_E_STATE);
    DRIVE_OK(utet_fold_run(&b->fold, NULL, 0));
    assert_int_equal(utet_fold_merge(&a->fold, &b->fold), UTET_E_STATE);
    assert_int_equal(utet_fold_merge(&parts[2].fold, &b->fold), UTET_E_STATE);
    assert_int_equal(utet_fold_merge(&b->fold, &parts[2].fold), UTET_E_STATE);
    assert_int_equal(utet_fold_merge(&b->fold, &b->fold), UTET_E_STATE);
    assert_int_equal(utet_fold_divide(&a->fold, &shares[0]), UTET_OK);
    assert_int_equal(utet_fold_merge(&a->fold, &b->fold), UTET_E_STATE); /* has not been read */
    assert_int_equal(utet_fold_merge(&b->fold, &a->fold), UTET_E_STATE);
    DRIVE_OK(utet_fold_run(&a->fold, NULL, 0));
    assert_int_equal(utet_fold_merge(&b->fold, &a->fold), UTET_E_ARGUMENT); /* not in order */
    DRIVE_OK(utet_slab_open(&slab, &b->r.file, &b->d, b->ranges));          /* the cells are gone */
    assert_int_equal(utet_fold_merge(&a->fold, &b->fold), UTET_E_STATE);
    end_parts(2);

    /* a part that was given to a merge does not take another one */
    for (unsigned i = 0; i < 4; i++) {
        a = start_part(i, &utet_fold_count, 7, 50000);
        shares[i] = (utet_fold_share){.part = i, .parts = 4};
        assert_int_equal(utet_fold_divide(&a->fold, &shares[i]), UTET_OK);
        DRIVE_OK(utet_fold_run(&a->fold, NULL, 0));
    }
    assert_int_equal(utet_fold_merge(&parts[1].fold, &parts[2].fold), UTET_OK);
    assert_int_equal(utet_fold_merge(&parts[2].fold, &parts[3].fold), UTET_E_STATE);
    assert_int_equal(utet_fold_merge(&parts[1].fold, &parts[3].fold), UTET_OK);
    assert_int_equal(utet_fold_merge(&parts[0].fold, &parts[1].fold), UTET_OK);
    assert_int_equal(parts[0].fold.folded, 3 * 6 * 3);
    end_parts(4);

    /* a merge that omits a part, one that fails, one that is cancelled */
    a = start_part(0, &utet_fold_var, 7, 50000);
    shares[0] = (utet_fold_share){.parts = 2, .join = none};
    assert_int_equal(utet_fold_divide(&a->fold, &shares[0]), UTET_OK);
    DRIVE(answer, utet_fold_run(&a->fold, results, 1));
    assert_int_equal(answer, UTET_E_STATE);
    assert_int_equal(utet_fold_run(&a->fold, results, 1), UTET_E_STATE);
    end_parts(1);
    a = start_part(0, &utet_fold_var, 7, 50000);
    answer = UTET_E_PAYLOAD;
    shares[0] = (utet_fold_share){.parts = 2, .join = none, .context = &answer};
    assert_int_equal(utet_fold_divide(&a->fold, &shares[0]), UTET_OK);
    assert_int_equal(utet_fold_run(&a->fold, results, 1), UTET_E_PAYLOAD);
    answer = UTET_OK;
    assert_int_equal(utet_fold_run(&a->fold, results, 1), UTET_E_PAYLOAD);
    end_parts(1);
    a = start_part(0, &utet_fold_var, 7, 50000);
    answer = UTET_WOULD_BLOCK;
    assert_int_equal(utet_fold_divide(&a->fold, &shares[0]), UTET_OK);
    assert_int_equal(utet_fold_run(&a->fold, results, 1), UTET_WOULD_BLOCK);
    assert_int_equal(utet_dataset_first(&a->r.file, &a->d), UTET_E_STATE);
    utet_cancel(&a->r.file);
    assert_int_equal(utet_fold_run(&a->fold, results, 1), UTET_E_STATE);
    b = start_part(1, &utet_fold_var, 7, 50000);
    shares[1] = (utet_fold_share){.part = 1, .parts = 2};
    assert_int_equal(utet_fold_divide(&b->fold, &shares[1]), UTET_OK);
    DRIVE_OK(utet_fold_run(&b->fold, NULL, 0));
    assert_int_equal(utet_fold_merge(&a->fold, &b->fold), UTET_E_STATE); /* no longer part of its merge */
    end_parts(2);
    tetgen_free(&one.g);
}

/* A merge that is cancelled, and one that is taken away, without cells. */
static void ended_joins(void **state)
{
    (void)state;
    hollow(&one, 0);
    for (unsigned taken = 0; taken < 2; taken++) {
        utet_status answer = UTET_WOULD_BLOCK;

        for (unsigned i = 0; i < 2; i++) {
            parts[i].g = one.g;
            foldworld_start(&parts[i], 50000);
            parts[i].ranges[0] = (utet_range){0, 0, 1};
            parts[i].request = (utet_fold_request){
                .dataset = &parts[i].d, .ranges = parts[i].ranges, .operation = &utet_fold_sum, .axes = 6};
            DRIVE_OK(utet_fold_open(&parts[i].fold, &parts[i].r.file, &parts[i].request));
            shares[i] = (utet_fold_share){.part = i, .parts = 2, .join = i == 0 ? none : NULL, .context = &answer};
            assert_int_equal(utet_fold_divide(&parts[i].fold, &shares[i]), UTET_OK);
        }
        DRIVE_OK(utet_fold_run(&parts[1].fold, NULL, 0));
        assert_int_equal(utet_fold_run(&parts[0].fold, results, 1), UTET_WOULD_BLOCK);
        if (taken) {
            shares[0].join = NULL;
            assert_int_equal(utet_fold_run(&parts[0].fold, results, 1), UTET_E_STATE);
        }
        utet_cancel(&parts[0].r.file);
        assert_int_equal(utet_fold_merge(&parts[0].fold, &parts[1].fold), UTET_E_STATE);
        end_parts(2);
    }
    tetgen_free(&one.g);
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        cmocka_unit_test(ended_joins),       cmocka_unit_test(other_requests), cmocka_unit_test(a_grouping_again),
        cmocka_unit_test(refused_divisions), cmocka_unit_test(half_finished),
    };

    return SUITE("foldjoins", cases);
}
