/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Firmware that measures folds: reductions and transforms of the datasets of fold_pak.py's file, which is mapped, each
 * compared with the plain delivery of the same elements. The first and the last result of a reduction, and every
 * element of a transform, must be those of the pak. Uses bench.h; bench_table.py joins a row's two regions. */
#include "bench.h"

#include "board.h"
#include "print.h"
#include "utet_transform.h"

#include <string.h>

enum {
    ID_DELIVER = 64, /* + number of the row */
    FILTERED = 1,    /* > 20 */
    BINS = 2,        /* windows of 16 along axis 1 */
    ROLLING = 4,     /* the same, a window every 4 indices */
    GROUPS = 8,      /* axis 1 by index % 24 */
    EXTREMES = 16,   /* the list without the mean */
    LONG = 32,       /* windows of 1,000 along axis 1, one every 16 indices */
    EACH_INDEX = 64, /* the same, one for each index, over the first 2,000 indices */
    LONGER = 128,    /* the same, one every 40 indices */
    MOST = 1024,
    EACH = 16 /* transforms take one row of this many: as many f32 as `results` has room for */
};

typedef struct task {
    const char *name; /* as in the pak */
    const char *dataset;
    const utet_fold_operation *operation;
    uint8_t axes;
    uint8_t how;
} task;

static const task tasks[] = {
    {"sum16", "i16", &utet_fold_sum_i16, 3, 0},
    {"sum-i16", "i16", &utet_fold_sum, 3, 0},
    {"sum-u8", "u8", &utet_fold_sum, 3, 0},
    {"sum-i32", "i32", &utet_fold_sum, 3, 0},
    {"sum-f32", "f32", &utet_fold_sum, 3, 0},
    {"sum-f64", "f64", &utet_fold_sum, 3, 0},
    {"mean-0", "tall", &utet_fold_mean, 1, 0},
    {"mean-1", "tall", &utet_fold_mean, 2, 0},
    {"mean0i16", "tall16", &utet_fold_mean, 1, 0},
    {"max0f32", "tall", &utet_fold_max, 1, 0},
    {"max0i16", "tall16", &utet_fold_max, 1, 0},
    {"arg0f32", "tall", &utet_fold_arg_max, 1, 0},
    {"min-f32", "f32", &utet_fold_min, 3, 0},
    {"max-i16", "i16", &utet_fold_max, 3, 0},
    {"max-u8", "u8", &utet_fold_max, 3, 0},
    {"arg-f32", "f32", &utet_fold_arg_max, 3, 0},
    {"arg-i32", "i32", &utet_fold_arg_min, 3, 0},
    {"where", "f32", &utet_fold_count, 3, FILTERED},
    {"scatter", "mix", &utet_fold_count, 3, FILTERED},
    {"sum-scat", "mix", &utet_fold_sum, 3, FILTERED},
    {"nans", "f32", &utet_fold_nan_count, 3, 0},
    {"var-i16", "i16", &utet_fold_var, 3, 0},
    {"var-u8", "u8", &utet_fold_var, 3, 0},
    {"var-i32", "i32", &utet_fold_var, 3, 0},
    {"var-f32", "f32", &utet_fold_var, 3, 0},
    {"norm2", "f32", &utet_fold_norm_l2, 3, 0},
    {"product", "f32", &utet_fold_product, 3, 0},
    {"median", "f32", &utet_fold_median, 3, 0},
    {"histo", "f32", &utet_fold_histogram, 3, 0},
    {"histomix", "mix", &utet_fold_histogram, 3, 0},
    {"bins", "f32", &utet_fold_mean, 3, BINS},
    {"rolling", "f32", &utet_fold_mean, 3, ROLLING},
    {"slide", "long", &utet_fold_mean, 3, LONG},
    {"slidemax", "long", &utet_fold_max, 3, LONG},
    {"slide40", "long", &utet_fold_mean, 3, LONGER},
    {"slide1", "long", &utet_fold_mean, 3, EACH_INDEX},
    {"groups", "f32", &utet_fold_mean, 3, GROUPS},
    {"several", "f32", &utet_fold_several, 3, 0},
    {"extremes", "i16", &utet_fold_several, 3, EXTREMES},
};

enum { TASKS = sizeof tasks / sizeof *tasks };

/* For f32, with one cell. */
static const struct change {
    const char *name; /* as in the pak */
    const utet_transform_method *method;
} changes[] = {
    {"center", &utet_transform_center}, {"zscore", &utet_transform_zscore}, {"minmax", &utet_transform_minmax},
    {"log1p", &utet_transform_log1p},   {"sqrt", &utet_transform_sqrt},     {"softmax", &utet_transform_softmax},
};

enum { CHANGES = sizeof changes / sizeof *changes };

static uint64_t work[160 * 1024 / 8];
static double results[MOST];
static utet_file file;
static utet_dataset dataset;
static utet_range ranges[2];
static utet_fold fold;
static utet_fold_grouping by;
static utet_transform transform;

static utet_status no_read(void *ctx, uint64_t offset, void *buf, size_t len, size_t *got)
{
    (void)ctx, (void)offset, (void)buf, (void)len, (void)got;
    return UTET_E_PORT;
}

static void deliver(uint32_t id)
{
    static utet_slab slab;
    static utet_run run;
    utet_status status;

    bench_begin(id);
    bench_check(utet_slab_open(&slab, &file, &dataset, ranges), "slab");
    do {
        status = utet_slab_next(&slab, &run);
    } while (status == UTET_OK);
    bench_end(id);
    bench_check(status == UTET_END ? UTET_OK : status, "run");
}

static uint32_t hour(void *context, uint64_t place)
{
    (void)context;
    return (uint32_t)place % 24u;
}

static void set_grouping(unsigned how)
{
    memset(&by, 0, sizeof by);
    if ((how & GROUPS) != 0) {
        by.axis[1].group_of = hour;
        by.axis[1].groups = 24;
    } else {
        by.window.size = (how & (LONG | LONGER | EACH_INDEX)) != 0 ? 1000 : 16;
        by.window.axis = 1;
        by.window.mode = (how & BINS) != 0 ? UTET_FOLD_BINS : UTET_FOLD_ROLLING;
        by.window.step = (how & ROLLING) != 0 ? 4 : (how & LONG) != 0 ? 16 : (how & LONGER) != 0 ? 40 : 0;
    }
}

/* The dataset for the next row of the table: each `step`th row of a dataset. */
static void choose(const char *name, uint64_t step)
{
    unsigned d;

    bench_check(utet_dataset_find(&file, name, strlen(name), &dataset), name);
    for (d = 0; d < 2; d++) {
        ranges[d].stop = dataset.shape[d];
        ranges[d].step = 1;
    }
    ranges[0].step = step;
    memset(results, 0xA5, sizeof results);
}

static void print_row(uint32_t id, const char *name, const utet_fold *of, int good)
{
    print_text("row\t");
    print_u64(id);
    print_char('\t');
    print_text(name);
    print_field(ranges[0].stop / ranges[0].step * ranges[1].stop);
    print_field(ID_DELIVER + id);
    print_field(of->passes);
    print_field(of->need.least);
    print_text(good ? "\tok\n" : "\tWRONG\n");
    bench_failed = bench_failed || !good;
}

static void reduce(const task *t, uint32_t id, const uint8_t *expected)
{
    static const utet_fold_operation *const list[] = {&utet_fold_mean, &utet_fold_min, &utet_fold_max, &utet_fold_count,
                                                      NULL};
    static const utet_fold_filter warm = {.tests = UTET_FOLD_GT, .gt = 20};
    const utet_fold_request request = {.dataset = &dataset,
                                       .ranges = ranges,
                                       .operation = t->operation,
                                       .operations = list + ((t->how & EXTREMES) != 0),
                                       .axes = t->axes,
                                       .bins = 16,
                                       .has_range = 1,
                                       .low = 0,
                                       .high = 40};

    choose(t->dataset, 1);
    if ((t->how & EACH_INDEX) != 0)
        ranges[1].stop = 2000;
    deliver(ID_DELIVER + id);
    bench_check(utet_fold_open(&fold, &file, &request), t->name);
    if ((t->how & (BINS | ROLLING | GROUPS | LONG | LONGER | EACH_INDEX)) != 0) {
        set_grouping(t->how);
        bench_check(utet_fold_group(&fold, &by), "by");
    }
    if ((t->how & FILTERED) != 0)
        bench_check(utet_fold_where(&fold, &warm), "where");
    bench_begin(id);
    bench_check(utet_fold_run(&fold, results, MOST), t->name);
    bench_end(id);
    print_row(id, t->name, &fold,
              memcmp(results, expected, 8) == 0 && memcmp(results + fold.results - 1, expected + 8, 8) == 0);
}

static void change_elements(const struct change *c, uint32_t id, const uint8_t *expected, size_t size)
{
    static const utet_transform_into into = {.elements = results, .size = sizeof results};
    const utet_fold_request request = {.dataset = &dataset, .ranges = ranges, .axes = 3};

    choose("f32", EACH);
    deliver(ID_DELIVER + id);
    bench_check(utet_transform_open(&transform, &file, &request, c->method), c->name);
    bench_begin(id);
    bench_check(utet_transform_run(&transform, &into), c->name);
    bench_end(id);
    print_row(id, c->name, &transform.fold, size == sizeof results && memcmp(results, expected, size) == 0);
}

int main(void)
{
    const struct bench_pak *pak = (const struct bench_pak *)(uintptr_t)BENCH_PAK;
    static utet_io io = {NULL, no_read, NULL, NULL, 0, 1, 1, 0, 0};
    uint32_t i;

    bench_calibrate();
    io.map = BENCH_PAK + pak->entry[0].src;
    io.size = pak->entry[0].src_len;
    bench_check(utet_init(&file, &io, work, sizeof work, NULL), "init");
    bench_check(utet_open(&file, NULL), "open");
    for (i = 0; i < TASKS + CHANGES && !bench_failed; i++) {
        const struct bench_entry *e = &pak->entry[1 + i];
        const char *name = i < TASKS ? tasks[i].name : changes[i - TASKS].name;

        bench_check(strcmp(e->name, name) == 0 ? UTET_OK : UTET_E_ARGUMENT, name);
        if (i < TASKS)
            reduce(&tasks[i], i, BENCH_PAK + e->raw);
        else
            change_elements(&changes[i - TASKS], i, BENCH_PAK + e->raw, e->raw_len);
    }
    return bench_failed;
}
