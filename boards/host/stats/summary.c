/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * utet stats prints a line for each dataset, in one pass: number of elements and of nulls, and the extremes, mean and
 * standard deviation of the other elements. Null is NaN and the fill value of the attributes, as in a query with
 * `null`. Sums are sums of distances from the first value, kept as two doubles with about 100 bits together; extremes
 * are kept as elements.
 */
#include "shared/number.h"
#include "shared/physical.h"
#include "utet_fold.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A sum of two doubles; the second one is too small to change the first one. */
typedef struct pair {
    double high;
    double low;
} pair;

typedef struct column {
    uint32_t dtype;
    size_t size; /* bytes of an element */
    int shift;   /* power of two by which values are divided */
    int has_fill;
    uint64_t fill; /* the fill value as an element; of a float, the bits of the double with its value */
    uint64_t count;
    uint64_t nulls;
    uint64_t special; /* infinities */
    int infinite[2];  /* -inf, inf */
    double first;
    uint64_t first_bits;
    pair sum;     /* sum of the distances from the first value */
    pair squares; /* sum of the squares of these distances */
    double least;
    double greatest;
    uint8_t least_bytes[8];
    uint8_t greatest_bytes[8];
} column;

/* ---- pairs ---- */

static pair two_sum(double a, double b)
{
    const double high = a + b;
    const double rest = high - a;
    const pair sum = {high, (a - (high - rest)) + (b - rest)};

    return sum;
}

static pair pair_add(pair a, pair b)
{
    pair sum = two_sum(a.high, b.high);

    return two_sum(sum.high, sum.low + a.low + b.low);
}

/* Computes a * b, exactly unless the product is very small or very large. */
static pair two_product(double a, double b)
{
    const double high = a * b;
    const pair product = {high, fma(a, b, -high)};

    return product;
}

static pair pair_multiply(pair a, pair b)
{
    const pair product = two_product(a.high, b.high);

    return two_sum(product.high, product.low + (a.high * b.low + a.low * b.high));
}

static pair pair_divide(pair a, double by)
{
    const double first = a.high / by;
    const pair back = two_product(first, -by);
    const pair rest = pair_add(a, back);

    return two_sum(first, rest.high / by);
}

/* ---- elements ---- */

static uint64_t bits_of(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Returns the distance of an integer from its dtype's smallest value. */
static uint64_t place_of(const column *c, uint64_t bits)
{
    return UTET_IS_SIGNED(c->dtype) ? bits ^ (uint64_t)1 << (8 * c->size - 1) : bits;
}

/* Computes the distance of an element from the first one; exactly, even for 64-bit integers. */
static pair distance(const column *c, double value, uint64_t bits)
{
    if (!UTET_IS_FLOAT(c->dtype)) {
        const uint64_t from = place_of(c, c->first_bits);
        const uint64_t to = place_of(c, bits);
        const uint64_t size = to > from ? to - from : from - to;
        const double sign = to > from ? 1 : -1;
        const pair whole = two_sum((double)(size >> 32) * 0x1p32, (double)(size & UINT32_MAX));
        const pair signed_whole = {sign * whole.high, sign * whole.low};

        return signed_whole;
    }
    return two_sum(value, -c->first);
}

/* Returns nonzero if the element is a new extreme: the first element, or one beyond `known`. -0 is less than 0. */
static int is_beyond(const column *c, double value, uint64_t bits, const uint8_t *known, double of, int greater)
{
    if (c->count == 1)
        return 1;
    if (!UTET_IS_FLOAT(c->dtype)) {
        const uint64_t place = place_of(c, bits);
        const uint64_t other = place_of(c, load_le(known, c->size));

        return greater ? place > other : place < other;
    }
    if (value > of || value < of)
        return greater ? value > of : value < of;
    return greater ? !signbit(value) && signbit(of) : signbit(value) && !signbit(of);
}

static void add_value(column *c, const uint8_t *at, double value, uint64_t bits)
{
    pair d;

    c->count++;
    if (is_beyond(c, value, bits, c->least_bytes, c->least, 0)) {
        c->least = value;
        memcpy(c->least_bytes, at, c->size);
    }
    if (is_beyond(c, value, bits, c->greatest_bytes, c->greatest, 1)) {
        c->greatest = value;
        memcpy(c->greatest_bytes, at, c->size);
    }
    if (isinf(value)) {
        c->infinite[value > 0] = 1;
        c->special++;
        return;
    }
    if (c->count - c->special == 1) {
        c->first = value;
        c->first_bits = bits;
    }
    d = distance(c, value, bits);
    c->sum = pair_add(c->sum, d);
    c->squares = pair_add(c->squares, pair_multiply(d, d));
}

static int take(void *ctx, const uint8_t *data, size_t count)
{
    column *const c = ctx;

    for (; count > 0; count--, data += c->size) {
        const uint64_t bits = load_le(data, c->size);
        double value;

        if (utet_show_double(c->dtype, data, &value) != UTET_OK)
            return fail(NULL, "dataset", NO_OFFSET, "unsupported dtype");
        value = c->shift != 0 ? ldexp(value, -c->shift) : value;
        if (isnan(value) || (c->has_fill && (UTET_IS_FLOAT(c->dtype) ? bits_of(value) : bits) == c->fill))
            c->nulls++;
        else
            add_value(c, data, value, bits);
    }
    return TOOL_OK;
}

/* ---- results ---- */

static double mean_of(const column *c)
{
    const pair first = UTET_IS_FLOAT(c->dtype) ? (pair){c->first, 0}
                                               : two_sum((double)(place_of(c, c->first_bits) >> 32) * 0x1p32,
                                                         (double)(place_of(c, c->first_bits) & UINT32_MAX));
    const pair shift = {UTET_IS_SIGNED(c->dtype) ? -ldexp(1, (int)(8 * c->size - 1)) : 0, 0};
    const pair mean = pair_add(pair_add(first, shift), pair_divide(c->sum, (double)c->count));

    if (c->special != 0)
        return c->infinite[0] && c->infinite[1] ? (double)NAN : c->infinite[1] ? HUGE_VAL : -HUGE_VAL;
    return mean.high + mean.low;
}

/* Returns the standard deviation: the root of the mean square of the distances minus the square of their mean. */
static double deviation_of(const column *c)
{
    const pair mean = pair_divide(c->sum, (double)c->count);
    const pair square = pair_multiply(mean, mean);
    const pair minus = {-square.high, -square.low};
    const pair variance = pair_add(pair_divide(c->squares, (double)c->count), minus);
    double root;

    if (c->special != 0)
        return (double)NAN;
    if (!(variance.high > 0))
        return 0;
    root = sqrt(variance.high);
    return root + (fma(-root, root, variance.high) + variance.low) / (2 * root);
}

/* Reads the fill value of the attributes, if an element can have this value. */
static void find_fill(column *c, const tree *about)
{
    static const char *const keys[] = {"_FillValue", "missing_value", "fill_value"};
    const tree *const attributes = about != NULL ? tree_at(about, "attrs", 5) : NULL;
    const tree *text = NULL;
    decimal n;
    size_t i;

    for (i = 0; attributes != NULL && text == NULL && i < sizeof keys / sizeof keys[0]; i++)
        text = tree_at(attributes, keys[i], strlen(keys[i]));
    if (text == NULL || text->kind != UTET_VALUE_TEXT)
        return;
    number_read(&n, text->text);
    if (n.kind == NUMBER_NONE || n.kind == NUMBER_NAN)
        return;
    if (UTET_IS_FLOAT(c->dtype)) {
        c->has_fill = 1;
        c->fill = bits_of(n.kind == NUMBER_INFINITE ? (n.negative ? -HUGE_VAL : HUGE_VAL) : n.value);
    } else {
        c->has_fill = number_store(&n, c->dtype, &c->fill) == NUMBER_KEPT;
        if (c->size < 8)
            c->fill &= ((uint64_t)1 << 8 * c->size) - 1;
    }
}

/* Returns nonzero if squares of the doubles are too large or too small for pairs. */
static int is_extreme(const column *c)
{
    return c->dtype == UTET_F64 && c->special == 0 && c->count != 0 &&
           (!isfinite(c->sum.high) || !isfinite(c->squares.high) ||
            (c->least < c->greatest && c->squares.high < 0x1p-900));
}

/* Computes the results with reductions of the library, which read the dataset again. */
static int fold(source *s, const options *opt, const selection *selected, const column *c, double moment[2])
{
    static const utet_fold_operation *const operations[] = {&utet_fold_mean, &utet_fold_std, NULL};
    static const utet_fold_filter not_null = {.tests = UTET_FOLD_IS_NOT_NULL};
    utet_fold_request request = {.dataset = &selected->dataset,
                                 .ranges = selected->ranges,
                                 .operation = &utet_fold_several,
                                 .operations = operations,
                                 .axes = UTET_FOLD_ALL,
                                 .has_fill = c->has_fill != 0};
    utet_fold f;
    utet_status status;

    memcpy(&request.fill, &c->fill, sizeof request.fill);
    status = utet_fold_need(&f, &s->file, &request);
    if (status != UTET_OK)
        return source_fail(s, status);
    if (source_grow(s, opt, &f.need) != TOOL_OK)
        return TOOL_ERROR;
    status = utet_fold_open(&f, &s->file, &request);
    if (status == UTET_OK)
        status = utet_fold_where(&f, &not_null);
    if (status == UTET_OK)
        status = utet_fold_run(&f, moment, 2);
    return status == UTET_OK ? TOOL_OK : source_fail(s, status);
}

/* Computes the results of physical values, which the library's reductions do not support: reads them again, divided so
 * that the largest one is about 1. */
static int rescale(source *s, const selection *selected, physical *p, const column *c, double moment[2])
{
    const double most = fmax(fabs(c->least), fabs(c->greatest));
    column scaled;
    int result;

    memset(&scaled, 0, sizeof scaled);
    scaled.dtype = c->dtype;
    scaled.size = c->size;
    (void)frexp(most, &scaled.shift);
    result = physical_each(s, selected, p, take, &scaled);
    moment[0] = ldexp(mean_of(&scaled), scaled.shift);
    moment[1] = ldexp(deviation_of(&scaled), scaled.shift);
    return result;
}

static int moments(source *s, const options *opt, const selection *selected, physical *p, const column *c,
                   double moment[2])
{
    if (!is_extreme(c)) {
        moment[0] = c->count != 0 ? mean_of(c) : 0;
        moment[1] = c->count != 0 ? deviation_of(c) : 0;
        return TOOL_OK;
    }
    if (p != NULL)
        return rescale(s, selected, p, c, moment);
    return fold(s, opt, selected, c, moment);
}

/* ---- the command ---- */

typedef struct report {
    source *s;
    const options *opt;
    metadata m;
    table t;
    unsigned printed;
} report;

static void element_text(const column *c, const uint8_t *bytes, char text[UTET_SHOW_SIZE])
{
    if (c->count == 0 || utet_show_text(c->dtype, bytes, text, UTET_SHOW_SIZE, NULL) != UTET_OK)
        (void)strcpy(text, "-");
}

/* Writes a JSON number; null if there is no number, or if JSON cannot represent it. */
static void put_json(const char *key, const char *text)
{
    const int none = strcmp(text, "-") == 0 || strstr(text, "inf") != NULL || strstr(text, "nan") != NULL;

    printf(",\"%s\":%s", key, none ? "null" : text);
}

static void put_line(report *r, const column *c, const double values[2], const char *name, size_t length)
{
    char extreme[2][UTET_SHOW_SIZE];
    char moment[2][NUMBER_TEXT] = {"-", "-"};

    element_text(c, c->least_bytes, extreme[0]);
    element_text(c, c->greatest_bytes, extreme[1]);
    if (c->count != 0) {
        (void)number_shortest(moment[0], values[0]);
        (void)number_shortest(moment[1], values[1]);
    }
    if (r->opt->json) {
        printf("%s{\"dataset\":", r->printed++ != 0 ? "," : "[");
        json_text(stdout, name, length);
        printf(",\"dtype\":\"%s\",\"count\":%" PRIu64 ",\"nulls\":%" PRIu64, utet_show_dtype(c->dtype), c->count,
               c->nulls);
        put_json("min", extreme[0]);
        put_json("mean", moment[0]);
        put_json("max", extreme[1]);
        put_json("std", moment[1]);
        putchar('}');
        return;
    }
    table_text(&r->t, name, length);
    table_cell(&r->t, utet_show_dtype(c->dtype));
    table_number(&r->t, c->count);
    table_number(&r->t, c->nulls);
    table_cell(&r->t, extreme[0]);
    table_cell(&r->t, moment[0]);
    table_cell(&r->t, extreme[1]);
    table_cell(&r->t, moment[1]);
}

static int one(report *r, const utet_dataset *dataset)
{
    source *const s = r->s;
    char *const name = source_name(s, dataset);
    const tree *about;
    physical *p = NULL;
    selection selected;
    double moment[2];
    column c;
    int result = name != NULL ? selection_of(s, r->opt, dataset, &selected) : TOOL_ERROR;

    if (result == TOOL_OK)
        result = source_grow(s, r->opt, &selected.need);
    memset(&c, 0, sizeof c);
    about = name != NULL ? tree_at(&r->m.datasets, name, dataset->name_length) : NULL;
    if (result == TOOL_OK && r->opt->physical) {
        p = physical_begin(s, about, dataset);
        result = p != NULL ? TOOL_OK : TOOL_ERROR;
    }
    c.dtype = p != NULL ? UTET_F64 : dataset->dtype;
    c.size = p != NULL ? sizeof(double) : dataset->elem_size;
    if (result == TOOL_OK && p == NULL)
        find_fill(&c, about);
    if (result == TOOL_OK)
        result = physical_each(s, &selected, p, take, &c);
    if (result == TOOL_OK)
        result = moments(s, r->opt, &selected, p, &c, moment);
    physical_end(p);
    if (result == TOOL_OK)
        put_line(r, &c, moment, name, dataset->name_length);
    free(name);
    return result;
}

static int all(report *r)
{
    utet_dataset dataset;
    utet_status status;
    int result = TOOL_OK;

    if (r->opt->dataset != NULL) {
        result = source_dataset(r->s, r->opt->dataset, &dataset);
        return result == TOOL_OK ? one(r, &dataset) : result;
    }
    for (status = utet_dataset_first(&r->s->file, &dataset); status == UTET_OK && result == TOOL_OK;) {
        result = one(r, &dataset);
        if (result == TOOL_OK)
            status = utet_dataset_next(&r->s->file, &dataset);
    }
    return result != TOOL_OK || status == UTET_END ? result : source_fail(r->s, status);
}

static int run(source *s, const options *opt)
{
    static const char *const heads[] = {"dataset", "dtype", "count", "nulls", "min", "mean", "max", "std"};
    report r = {.s = s, .opt = opt};
    size_t i;
    int result = metadata_read(&r.m, s);

    if (result != TOOL_OK)
        return result;
    if (opt->physical && r.m.status != UTET_OK) {
        result = metadata_fail(&r.m, s);
        metadata_end(&r.m);
        return result;
    }
    table_begin(&r.t, "llrrrrrr");
    for (i = 0; !opt->json && i < sizeof heads / sizeof heads[0]; i++)
        table_cell(&r.t, heads[i]);
    result = all(&r);
    if (opt->json && result == TOOL_OK)
        puts(r.printed != 0 ? "]" : "[]");
    if (!opt->json && table_end(&r.t) != TOOL_OK)
        result = TOOL_ERROR;
    metadata_end(&r.m);
    return result == TOOL_OK ? finish_stdout(TOOL_OK) : result;
}

int command_stats(const options *opt)
{
    return source_run(opt, run);
}
