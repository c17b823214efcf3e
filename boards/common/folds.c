/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Firmware that folds each dataset of .tet files on the host in all ways, and prints a digest of the bits of all
 * results: every operation, for the whole and along each axis, with and without a filter, by windows, groups and masks,
 * with little memory and with more; covariance and correlation where there are two axes; transforms of floats, their
 * elements and statistics. 16 KB of workspace.
 *
 *   folds [codec=small] FILE… | @LIST…     LIST: a text file with one file name per line
 *
 * Lines are tab-separated; statuses are numbers, 0 = well:
 *   file  NAME  STATUS  FOLDS  DIGEST     FOLDS: how many gave results
 *   done  FILES  READ  REFUSED  0  ERRORS
 * The exit code is 0 if there was no error.
 *
 * Relies on port/semihosting, words.h. */
#include "print.h"
#include "utet_semihosting.h"
#include "utet_transform.h"
#include "words.h"

#include <string.h>

enum { WORK = 16384, MOST = 512, STATISTICS = 64, WAYS = 8 };

static const utet_fold_operation *const operations[] = {
    &utet_fold_sum,        &utet_fold_mean,       &utet_fold_norm_l1,   &utet_fold_norm_l2,   &utet_fold_var,
    &utet_fold_std,        &utet_fold_nan_mean,   &utet_fold_nan_std,   &utet_fold_min,       &utet_fold_max,
    &utet_fold_arg_min,    &utet_fold_arg_max,    &utet_fold_count,     &utet_fold_nan_count, &utet_fold_inf_count,
    &utet_fold_null_count, &utet_fold_all_finite, &utet_fold_any_nan,   &utet_fold_any_inf,   &utet_fold_product,
    &utet_fold_median,     &utet_fold_quantile,   &utet_fold_histogram, &utet_fold_sum_i16,   &utet_fold_mean_i16};

static const utet_transform_method *const methods[] = {
    &utet_transform_center, &utet_transform_zscore, &utet_transform_scale, &utet_transform_minmax, &utet_transform_l1,
    &utet_transform_l2,     &utet_transform_log1p,  &utet_transform_sqrt,  &utet_transform_softmax};

static struct {
    uint64_t work[WORK / sizeof(uint64_t)];
    double results[MOST];
    uint64_t counts[MOST];
    utet_semihosting port;
    utet_file file;
    utet_dataset dataset;
    utet_range ranges[UTET_MAX_NDIM];
    utet_transform transform; /* folds without a transform use its member fold */
    double statistics[STATISTICS];
    utet_fold_grouping by;
    utet_fold_matrix matrix;
    uint64_t digest;
    uint32_t folds;
} all;

static words_sums total;

/* FNV-1a */
static void add_byte(uint8_t byte)
{
    all.digest = (all.digest ^ byte) * 0x100000001B3u;
}

/* Eight bytes, lowest first. */
static void add(uint64_t bits)
{
    unsigned i;

    for (i = 0; i < 8; i++, bits >>= 8)
        add_byte((uint8_t)bits);
}

static void add_double(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    add(bits);
}

static void add_results(utet_status status, uint64_t count)
{
    uint64_t i;

    add((uint64_t)(int64_t)status);
    if (status != UTET_OK)
        return;
    all.folds++;
    for (i = 0; i < count; i++)
        add_double(all.results[i]);
}

/* Maps indices to three groups; the last group is left out if the context is not NULL. */
static uint32_t third(void *context, uint64_t place)
{
    uint32_t group = (uint32_t)place % 3u;

    return context != NULL && group == 2 ? UTET_FOLD_LEFT_OUT : group;
}

/* Opens a fold by the operation or, when that is null, a transform by the method. The way gives axes, filter, windows,
 * groups, memory. */
static utet_status begin(const utet_fold_operation *operation, const utet_transform_method *method, unsigned way)
{
    static const utet_fold_filter some = {.tests = UTET_FOLD_GT | UTET_FOLD_NE, .gt = -2, .ne = 3};
    static const utet_fold_filter there = {.tests = UTET_FOLD_IS_NOT_NULL | UTET_FOLD_LT, .lt = 7.5};
    utet_fold *fold = &all.transform.fold;
    utet_fold_request request = {.dataset = &all.dataset,
                                 .ranges = all.ranges,
                                 .operation = operation,
                                 .axes = way == 1   ? 1u
                                         : way == 2 ? 0xFEu
                                                    : UTET_FOLD_ALL,
                                 .has_fill = way != 3,
                                 .fill = 0,
                                 .q = operation == &utet_fold_quantile ? 0.3 : 0,
                                 .bins = operation == &utet_fold_histogram ? 7 : 0};
    utet_status status = operation != NULL ? utet_fold_open(fold, &all.file, &request)
                                           : utet_transform_open(&all.transform, &all.file, &request, method);

    memset(&all.by, 0, sizeof all.by);
    memset(all.counts, 0, sizeof all.counts);
    all.by.counts = operation != NULL ? all.counts : NULL;
    if (status == UTET_OK && (way == 4 || way == 5)) {
        all.by.window.size = 2;
        all.by.window.mode = way == 4 ? UTET_FOLD_BINS : UTET_FOLD_ROLLING;
        all.by.window.pad = way == 4 ? UTET_FOLD_PAD_NONE : UTET_FOLD_PAD_ZERO;
        all.by.window.align = way == 4 ? UTET_FOLD_ALIGN_END : UTET_FOLD_ALIGN_START;
    }
    if (status == UTET_OK && way >= 6) {
        all.by.axis[all.dataset.ndim - 1].group_of = third;
        all.by.axis[all.dataset.ndim - 1].groups = 3;
        all.by.axis[all.dataset.ndim - 1].context = way == 7 ? &all : NULL;
    }
    if (status == UTET_OK && way >= 4)
        status = utet_fold_group(fold, &all.by);
    if (status == UTET_OK && (way == 0 || way == 3 || way == 7))
        status = utet_fold_where(fold, way == 3 ? &there : &some);
    return status;
}

static void fold_one(const utet_fold_operation *operation, unsigned way)
{
    utet_status status = begin(operation, NULL, way);
    unsigned i;

    if (status == UTET_OK)
        status = utet_fold_run(&all.transform.fold, all.results, MOST);
    add_results(status, all.transform.fold.results);
    if (status == UTET_OK && way >= 4)
        for (i = 0; i < MOST; i++)
            add(all.counts[i]);
}

/* Runs a transform and adds its statistics and its first elements, as many as all.results has room for. */
static void transform_one(const utet_transform_method *method, unsigned way)
{
    utet_transform_into into = {
        .elements = all.results, .size = sizeof all.results, .statistics = all.statistics, .room = STATISTICS};
    utet_status status = begin(NULL, method, way);
    unsigned i;

    memset(all.statistics, 0, sizeof all.statistics);
    if (status == UTET_OK)
        status = utet_transform_run(&all.transform, &into);
    add_results(status, 0);
    add(all.transform.undefined);
    if (status != UTET_OK)
        return;
    for (i = 0; i < STATISTICS; i++)
        add_double(all.statistics[i]);
    for (i = 0; i < sizeof all.results && i < all.transform.count * all.dataset.elem_size; i++)
        add_byte(((const uint8_t *)all.results)[i]);
}

static void fold_matrix(uint8_t correlation)
{
    utet_fold_variables variables = {.dataset = &all.dataset, .ranges = all.ranges, .correlation = correlation};
    utet_status status = utet_fold_matrix_open(&all.matrix, &all.file, &variables);

    if (status == UTET_OK)
        status = utet_fold_matrix_run(&all.matrix, all.results, MOST);
    add_results(status, (uint64_t)all.matrix.order * all.matrix.order);
}

static utet_status fold_all(void)
{
    utet_status status = utet_dataset_first(&all.file, &all.dataset);
    unsigned i;
    unsigned way;

    for (; status == UTET_OK; status = utet_dataset_next(&all.file, &all.dataset)) {
        for (i = 0; i < all.dataset.ndim; i++) {
            all.ranges[i].start = 0;
            all.ranges[i].stop = all.dataset.shape[i];
            all.ranges[i].step = 1;
        }
        for (i = 0; i < sizeof operations / sizeof *operations; i++)
            for (way = 0; way < WAYS; way++)
                fold_one(operations[i], way);
        for (i = 0; i < sizeof methods / sizeof *methods; i++)
            for (way = 0; way < WAYS; way++)
                transform_one(methods[i], way);
        fold_matrix(0);
        fold_matrix(1);
    }
    return status == UTET_END ? UTET_OK : status;
}

static void report(const char *name)
{
    utet_status status;

    if (strncmp(name, "codec=", 6) == 0)
        return; /* raw files */
    all.digest = 0xCBF29CE484222325u;
    all.folds = 0;
    status = utet_semihosting_open(&all.port, name);
    if (status == UTET_OK)
        status = utet_init(&all.file, &all.port.io, all.work, sizeof all.work, NULL);
    if (status == UTET_OK)
        status = utet_open(&all.file, NULL);
    if (status == UTET_OK)
        status = fold_all();
    utet_semihosting_close(&all.port);
    total.files++;
    if (status == UTET_OK)
        total.read++;
    else
        total.refused++;
    total.errors += status != UTET_OK || all.folds == 0;
    print_text("file\t");
    print_text(name);
    print_char('\t');
    print_i64(status);
    print_field(all.folds);
    print_field(all.digest);
    print_char('\n');
}

int main(void)
{
    return words_main(report, &total);
}
