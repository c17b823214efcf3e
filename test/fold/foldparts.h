/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* What the suites of folds in parts share: a selection that is divided, its parts, and their merging. */
#ifndef FOLDPARTS_H
#define FOLDPARTS_H

#include "foldworld.h"
#include "operations.h"

#include <math.h>
#include <string.h>

#define MOST_PARTS 12

static foldworld one;
static foldworld parts[MOST_PARTS];
static utet_fold_share shares[MOST_PARTS];
static double results[FOLDWORLD_MOST];
static uint64_t seed = 88172645463325252u;

static inline unsigned below(unsigned count)
{
    return (unsigned)(tetgen_random(&seed) % count);
}

static inline uint32_t thirds(void *context, uint64_t place)
{
    (void)context;
    return place == 1 ? UTET_FOLD_LEFT_OUT : (uint32_t)(place % 3);
}

static const utet_fold_grouping groupings[] = {
    {.window = {.axis = 2, .size = 2, .mode = UTET_FOLD_ROLLING}},
    {.window = {.axis = 2, .size = 2, .pad = UTET_FOLD_PAD_FILL, .align = UTET_FOLD_ALIGN_END}},
    {.window = {.axis = 1, .size = 4, .mode = UTET_FOLD_ROLLING, .pad = UTET_FOLD_PAD_ZERO, .step = 3, .min_count = 3},
     .axis = {[2] = {.group_of = thirds}}},
    {.axis = {[0] = {.group_of = thirds, .groups = 3}, [2] = {.group_of = thirds}}},
};
enum { GROUPINGS = sizeof groupings / sizeof groupings[0] };

static const utet_fold_filter filters[] = {
    {.tests = UTET_FOLD_GT, .gt = 3},
    {.tests = UTET_FOLD_IS_NOT_NULL},
    {.tests = UTET_FOLD_NE | UTET_FOLD_LE, .ne = 7, .le = 1e4},
    {.tests = UTET_FOLD_GT, .gt = 1e300}, /* no element passes except infinities of floats */
};

/* Opens the file with `one`, which requests part of each axis; way 1 and every second one counts, ways from 2 on have
 * groups or windows. */
static inline void start_request(const tetgen *g, const tetgen_dataset *data, unsigned way, utet_fold_request request,
                                 size_t work)
{
    static foldworld as;

    memset(&as, 0, sizeof as);
    as.request = request;
    as.request.axes = below(8);
    as.request.has_fill = 1;
    as.request.fill = 7;
    as.request.has_counted = way & 1;
    as.request.counted = 3;
    as.grouped = way >= 2;
    if (as.grouped)
        as.by = groupings[way - 2];
    if (as.grouped && way & 1)
        as.by.counts = as.counts;
    for (unsigned d = 0; d < 3; d++)
        as.ranges[d] = (utet_range){below(2), data->shape[d], as.grouped ? 1 : 1 + below(5)};
    one.g = *g;
    foldworld_start_as(&one, &as, work);
    one.data = *data;
}

/* ---- parts ---- */

/* A fold that is ready, of the same file and request. */
static inline void get_ready(foldworld *w, const foldworld *as, const utet_fold_filter *filter)
{
    w->g = as->g;
    w->data = as->data;
    foldworld_start_as(w, as, 500000);
    w->r.port.slice = SLICE_RANDOM;
    w->r.port.blocks = below(2) != 0;
    assert_int_equal(foldworld_ready(w, filter), UTET_OK);
}

typedef struct joining {
    unsigned waits; /* how often "not yet" is returned */
    unsigned calls;
    unsigned passes;   /* further ones */
    unsigned count;    /* parts */
    utet_status error; /* returned instead of merging; UTET_OK: nothing */
} joining;

/* Merges neighbours in any order, and then the rest. */
static inline utet_status join(void *context, utet_fold *into)
{
    joining *j = context;
    unsigned next[MOST_PARTS];
    unsigned left = j->count;

    j->calls++;
    assert_int_equal(utet_dataset_first(into->priv.file, &parts[0].d), UTET_E_STATE);
    if (j->waits != 0) {
        j->waits--;
        return UTET_WOULD_BLOCK;
    }
    if (j->error != UTET_OK)
        return j->error;
    for (unsigned i = 0; i < left; i++)
        next[i] = i;
    while (left > 1) {
        const unsigned at = below(left - 1);

        assert_int_equal(utet_fold_merge(&parts[next[at]].fold, &parts[next[at + 1]].fold), UTET_OK);
        assert_int_equal(utet_fold_merge(&parts[next[at]].fold, &parts[next[at + 1]].fold), UTET_E_STATE);
        left--;
        memmove(next + at + 1, next + at + 2, (left - at - 1) * sizeof next[0]);
    }
    return UTET_OK;
}

/* Lets the other parts read the next pass, in any order; now and then it says "not yet" first. */
static inline utet_status again(void *context, utet_fold *first)
{
    joining *j = context;

    assert_int_equal(utet_dataset_first(first->priv.file, &parts[0].d), UTET_E_STATE);
    if (below(4) == 0)
        return UTET_WOULD_BLOCK;
    j->passes++;
    for (unsigned i = 1; i < j->count; i++) {
        assert_int_equal(utet_fold_follow(&parts[i].fold, first), UTET_OK);
        assert_int_equal(utet_fold_follow(&parts[i].fold, first), UTET_E_STATE);
    }
    for (unsigned i = j->count; i-- > 1;) {
        DRIVE_OK(utet_fold_run(&parts[i].fold, NULL, 0));
        assert_int_equal(parts[i].fold.folded, 0);
    }
    return UTET_OK;
}

static inline void divide(unsigned i, unsigned count, joining *j)
{
    shares[i] = (utet_fold_share){
        .part = i, .parts = count, .join = i == 0 ? join : NULL, .again = i == 0 ? again : NULL, .context = j};
    assert_int_equal(utet_fold_divide(&parts[i].fold, &shares[i]), UTET_OK);
    assert_int_equal(utet_fold_divide(&parts[i].fold, &shares[i]), UTET_E_STATE);
    assert_int_equal(utet_fold_where(&parts[i].fold, &filters[0]), UTET_E_STATE);
    assert_int_equal(utet_fold_group(&parts[i].fold, &parts[i].by), UTET_E_STATE);
    assert_int_equal(utet_fold_pieces(&parts[i].fold, 10000), UTET_E_STATE);
}

static inline void end_parts(unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        rig_end(&parts[i].r, "part");
}

/* `one` has been computed: computes the same by parts. */
static inline void compare_parts(const utet_fold_filter *filter, unsigned count, const char *name)
{
    joining j = {.waits = below(3), .count = count};
    const unsigned waits = j.waits;
    const int pieces = below(2) != 0;
    uint64_t read = 0;
    utet_status status;

    for (unsigned i = 0; i < count; i++) {
        get_ready(&parts[i], &one, filter);
        if (pieces)
            assert_int_equal(utet_fold_pieces(&parts[i].fold, one.count + (one.count == 0) + below(3)), UTET_OK);
        divide(i, count, &j);
    }
    for (unsigned i = count; i-- > 1;) {
        DRIVE_OK(utet_fold_run(&parts[i].fold, NULL, 0));
        assert_int_equal(utet_fold_run(&parts[i].fold, NULL, 0), UTET_E_STATE);
        assert_int_equal(parts[i].fold.given, 0);
        read += parts[i].fold.folded;
    }
    if (one.count != 0)
        assert_int_equal(utet_fold_run(&parts[0].fold, results, one.count - 1), UTET_E_SPACE);
    DRIVE_OK(utet_fold_run(&parts[0].fold, results, one.count));
    assert_int_equal(j.calls, waits + 1 + j.passes);
    assert_true(j.passes < one.fold.passes || one.fold.passes == 0);
    assert_int_equal(parts[0].fold.given, one.count);
    status = utet_fold_run(&parts[0].fold, results, one.count);
    assert_int_equal(status, pieces ? UTET_END : UTET_E_STATE);
    for (unsigned i = 1; i < count; i++) /* given away */
        assert_int_equal(utet_fold_run(&parts[i].fold, results, one.count), UTET_E_STATE);
    memcpy(parts[0].bits, results, one.count * sizeof *results);
    parts[0].count = one.count;
    foldworld_compare(&one, &parts[0], name);
    suite_check(read <= one.fold.folded, "%s: more elements than there are", name);
    end_parts(count);
}

/* ---- cases ---- */

static inline int in_passes(const utet_fold_operation *operation)
{
    return operation == &utet_fold_median || operation == &utet_fold_quantile || operation == &utet_fold_histogram;
}

static inline int can_merge(const utet_fold_operation *operation)
{
    return operation != &utet_fold_product;
}

static inline int takes(const utet_fold_operation *operation, uint32_t dtype)
{
    return dtype == UTET_I16 || (operation != &utet_fold_sum_i16 && operation != &utet_fold_mean_i16);
}

/* A file with an axis without elements. */
static inline void hollow(foldworld *w, unsigned axis)
{
    uint64_t shape[3] = {5, 7, 9};

    shape[axis] = 0;
    foldworld_elements(w, UTET_F32, 3, shape, foldworld_tiles, "");
}

#endif
