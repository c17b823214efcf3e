/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target "fold": the input chooses geometry, an operation with its numbers, the axes and the filter, and then
 * damages the file. The results must be the same with exactly the need and with all memory, and from a file with other
 * tiles. If two results of a damaged file are given, they must be the same.
 */
#include "fuzz.h"
#include "tetgen.h"
#include "utet_fold.h"

#define MOST 20000

static const utet_fold_operation *const operations[] = {
    &utet_fold_sum,     &utet_fold_mean,     &utet_fold_norm_l1,    &utet_fold_norm_l2,    &utet_fold_var,
    &utet_fold_std,     &utet_fold_nan_mean, &utet_fold_nan_std,    &utet_fold_min,        &utet_fold_max,
    &utet_fold_arg_min, &utet_fold_arg_max,  &utet_fold_count,      &utet_fold_nan_count,  &utet_fold_inf_count,
    &utet_fold_any_nan, &utet_fold_any_inf,  &utet_fold_all_finite, &utet_fold_null_count, &utet_fold_product,
    &utet_fold_median,  &utet_fold_quantile, &utet_fold_histogram,  &utet_fold_sum_i16,    &utet_fold_several,
};
enum { OPERATIONS = sizeof operations / sizeof operations[0], LIST = 5 };

static const uint8_t *input;
static size_t left;

static unsigned next(void)
{
    if (left == 0)
        return 0;
    left--;
    return *input++;
}

/* Small numbers, which elements often have, or any. */
static double number(void)
{
    unsigned kind = next();
    uint64_t bits = 0;
    double value;

    if (kind < 200)
        return (double)((int)kind - 100) / 4;
    for (unsigned i = 0; i < 8; i++)
        bits = bits << 8 | next();
    memcpy(&value, &bits, 8);
    return value;
}

typedef struct question {
    utet_fold_request request;
    utet_fold_filter filter;
    utet_range ranges[4];
    const utet_fold_operation *list[LIST + 1];
    int matrix;
} question;

typedef struct outcome {
    utet_status status;
    size_t need;
    size_t count;
    uint64_t bits[MOST];
} outcome;

static void ask(outcome *o, const question *q, unsigned how, const uint8_t *bytes, size_t size, size_t budget)
{
    static double results[MOST];
    rig r;
    utet_dataset d;
    utet_fold fold;
    utet_fold_matrix matrix;
    utet_fold_request request = q->request;
    utet_fold_variables variables = {.dataset = &d, .ranges = q->ranges};

    variables.observations = q->matrix >> 1 & 1;
    variables.correlation = (uint8_t)(q->matrix >> 2);
    request.dataset = &d;
    request.ranges = q->ranges;
    request.operations = q->list;
    o->count = 0;
    o->status = budget != 0 ? fuzz_open_within(&r, how, bytes, size, budget) : fuzz_open(&r, how, bytes, size);
    if (o->status == UTET_OK)
        DRIVE(o->status, utet_dataset_first(&r.file, &d));
    if (o->status == UTET_OK && d.ndim > 4)
        o->status = UTET_E_STATE;
    if (o->status == UTET_OK && q->matrix != 0) {
        DRIVE(o->status, utet_fold_matrix_open(&matrix, &r.file, &variables));
        if (o->status == UTET_OK)
            DRIVE(o->status, utet_fold_matrix_run(&matrix, results, MOST));
        o->need = (size_t)matrix.need.least;
        o->count = o->status == UTET_OK ? (size_t)matrix.order * matrix.order : 0;
    } else if (o->status == UTET_OK) {
        DRIVE(o->status, utet_fold_open(&fold, &r.file, &request));
        if (o->status == UTET_OK && q->filter.tests != 0)
            o->status = utet_fold_where(&fold, &q->filter);
        if (o->status == UTET_OK)
            DRIVE(o->status, utet_fold_run(&fold, results, MOST));
        o->need = (size_t)fold.need.least;
        o->count = o->status == UTET_OK ? (size_t)fold.results : 0;
    }
    FUZZ_CHECK(o->count <= MOST);
    memcpy(o->bits, results, 8 * o->count);
    fuzz_end(&r);
}

static int same(const outcome *a, const outcome *b)
{
    return a->status == b->status && a->count == b->count && memcmp(a->bits, b->bits, 8 * a->count) == 0;
}

/* The request about a selection with `d`. */
static void choose(question *q, const tetgen_dataset *d)
{
    unsigned operation = next();

    memset(q, 0, sizeof *q);
    for (unsigned a = 0; a < d->ndim; a++) {
        uint64_t n = d->shape[a], start = n ? next() % n : 0;

        q->ranges[a] = (utet_range){start, n ? start + 1 + next() % (n - start) : 0, 1 + next() % 4};
    }
    q->request.operation = operations[operation % OPERATIONS];
    for (unsigned i = 0; q->request.operation == &utet_fold_several && i < LIST; i++)
        q->list[i] = operations[next() % OPERATIONS];
    q->request.axes = next();
    q->request.has_fill = next() & 1;
    q->request.fill = number();
    q->request.has_counted = next() & 1;
    q->request.counted = number();
    q->request.q = (double)next() / 255;
    if (next() & 1)
        q->request.q = number();
    q->request.bins = (uint16_t)(next() * (1 + next() % 17));
    q->request.has_range = next() & 1;
    q->request.low = number();
    q->request.high = number();
    q->filter.tests = next() & 1 ? next() : 0;
    q->filter.eq = number();
    q->filter.ne = number();
    q->filter.lt = number();
    q->filter.le = number();
    q->filter.gt = number();
    q->filter.ge = number();
    if (d->ndim == 2 && operation >= 200)
        q->matrix = (int)(operation | 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static outcome whole, least, other;
    static question q;
    tetgen_dataset d = {.name = "f", .name_length = 1}, e;
    unsigned how, odd;

    input = data;
    left = size;
    how = next();
    odd = next();
    d.dtype = 1 + odd % 10;
    d.ndim = 1 + odd / 10 % 4;
    d.codec = odd & 0x80 ? TETGEN_MIXED : TETGEN_RAW;
    e = d;
    for (unsigned a = 0; a < d.ndim; a++) {
        unsigned most = d.ndim > 2 ? 6 : d.ndim == 2 ? 14 : 90;

        e.shape[a] = d.shape[a] = next() % most;
        d.chunk[a] = 1 + next() % (d.shape[a] + 2);
        e.chunk[a] = 1 + next() % (d.shape[a] + 2);
    }
    choose(&q, &d);
    tetgen f = {.datasets = &d, .count = 1, .seed = odd + 1, .shuffle = how >> 7, .gaps = (int)(odd & 1)};
    tetgen g = {.datasets = &e, .count = 1, .seed = odd + 1};
    tetgen_build(&f);
    tetgen_build(&g);
    ask(&whole, &q, how & 0x7F, f.bytes, f.size, 0);
    ask(&other, &q, how & 0x5C, g.bytes, g.size, 0);
    FUZZ_CHECK(same(&whole, &other));
    FUZZ_CHECK(whole.status == UTET_OK || whole.status == UTET_E_ARGUMENT || whole.status == UTET_E_DTYPE ||
               whole.status == UTET_E_SPACE);
    if (whole.status == UTET_OK) {
        size_t need = whole.need;

        ask(&least, &q, how & 0x7F, f.bytes, f.size, need);
        FUZZ_CHECK(same(&whole, &least));
        ask(&least, &q, how & 0x7F, f.bytes, f.size, need + (need * next() >> 6));
        FUZZ_CHECK(same(&whole, &least));
        while (left > 2) {
            unsigned at = next() << 8;

            at |= next();
            f.bytes[at % f.size] ^= (uint8_t)next();
        }
        ask(&whole, &q, how & 0x7F, f.bytes, f.size, 0);
        ask(&least, &q, how & 0x7F, f.bytes, f.size, need + 500);
        FUZZ_CHECK(whole.status != UTET_OK || least.status != UTET_OK || same(&whole, &least));
    }
    tetgen_free(&f);
    tetgen_free(&g);
    return 0;
}
