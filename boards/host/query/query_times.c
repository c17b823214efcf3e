/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * --by: the groups of an axis that has times, in UTC: ISO 8601 labels, or a dataset with units of the CF conventions
 * ("seconds since 1970-01-01"). That dataset has the name of the axis; without one, it is the only one that is as long.
 */
#define _XOPEN_SOURCE 700
#include "query_places.h"
#include "show/moments.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define DAY 86400

enum { BY_HOUR, BY_DAY, BY_MONTH }; /* numbers of the option's values */

struct query_times {
    int by;
    unsigned axis;
    utet_range range;
    uint64_t count; /* selected indices */
    int64_t *key;   /* hours, days or months: one for each index, later one for each group, sorted */
    uint32_t *group;
    uint32_t groups;
};

#define NO_TIME INT64_MIN

/* The numbers of a dataset of times. */
typedef struct ticks {
    moments is;
    query_times *into;
    uint64_t at; /* index of the next one on the axis */
} ticks;

/* ---- keys and labels ---- */

static int64_t key_of(int by, int64_t seconds)
{
    int day;

    return by == BY_HOUR  ? floor_divide(seconds, 3600)
           : by == BY_DAY ? floor_divide(seconds, DAY)
                          : moments_month(floor_divide(seconds, DAY), &day);
}

char *times_label(const query_times *t, uint64_t group)
{
    const int64_t key = t->key[group];
    char *const text = malloc(40);
    int day = 0;
    const int64_t month = t->by == BY_MONTH ? key : moments_month(t->by == BY_DAY ? key : floor_divide(key, 24), &day);
    int length;

    if (text == NULL)
        return NULL;
    length = snprintf(text, 40, "%04d-%02d", (int)(month / 12), (int)(month % 12) + 1);
    if (t->by != BY_MONTH)
        length += snprintf(text + length, 40 - (size_t)length, "-%02d", day);
    if (t->by == BY_HOUR)
        (void)snprintf(text + length, 40 - (size_t)length, "T%02d:00", (int)(key - floor_divide(key, 24) * 24));
    return text;
}

static int compare(const void *a, const void *b)
{
    const int64_t left = *(const int64_t *)a;
    const int64_t right = *(const int64_t *)b;

    return (left > right) - (left < right);
}

/* Numbers the groups, the earliest first. */
static int number_groups(source *s, query_times *t)
{
    int64_t *const sorted = malloc((size_t)t->count * sizeof *sorted + 1);
    uint64_t i;

    if (sorted == NULL)
        return fail(s->path, NULL, NO_OFFSET, "not enough memory");
    memcpy(sorted, t->key, (size_t)t->count * sizeof *sorted);
    qsort(sorted, (size_t)t->count, sizeof *sorted, compare);
    for (i = 0; i < t->count; i++)
        if (sorted[i] != NO_TIME && (t->groups == 0 || sorted[i] != sorted[t->groups - 1]))
            sorted[t->groups++] = sorted[i];
    for (i = 0; i < t->count; i++) {
        const int64_t *const found = t->key[i] != NO_TIME
                                         ? bsearch(&t->key[i], sorted, t->groups, sizeof *sorted, compare)
                                         : NULL;

        t->group[i] = found != NULL ? (uint32_t)(found - sorted) : UTET_FOLD_LEFT_OUT;
    }
    free(t->key);
    t->key = sorted;
    return t->groups != 0 ? TOOL_OK : fail(s->path, "query", NO_OFFSET, "--by: no time is selected");
}

/* The time at an index of the axis, if that is selected. */
static void put_time(query_times *t, uint64_t index, int64_t key)
{
    if (index >= t->range.start && (index - t->range.start) % t->range.step == 0 &&
        (index - t->range.start) / t->range.step < t->count)
        t->key[(index - t->range.start) / t->range.step] = key;
}

/* ---- labels ---- */

/* Nonzero if all are times. With `t`, they are put there. */
static int read_labels(const tree *labels, query_times *t)
{
    moment m;
    size_t i;

    for (i = 0; i < labels->count; i++) {
        const tree *const text = &labels->branches[i].value;

        if (text->kind != UTET_VALUE_TEXT || strlen(text->text) != text->length || !time_read(&m, text->text))
            return 0;
        if (t != NULL)
            put_time(t, i, key_of(t->by, m.seconds));
    }
    return labels->count != 0;
}

/* ---- a dataset of times ---- */

/* A band_sink. */
static int take(void *ctx, const uint8_t *data, size_t count)
{
    ticks *const c = ctx;

    for (; count > 0; count--, c->at++, data += c->is.dataset.elem_size) {
        int64_t seconds = 0;
        const int kind = moments_seconds(&c->is, data, &seconds);

        if (kind == IS_NULL) {
            put_time(c->into, c->at, NO_TIME);
            continue;
        }
        if (kind == IS_BEYOND || seconds < MOMENTS_FIRST || seconds > MOMENTS_LAST)
            return fail(c->is.name, "query", NO_OFFSET,
                        "--by: the time at index %" PRIu64 " is not in the years 0 to 9999", c->at);
        if (c->is.common && seconds < MOMENTS_FIRST_COMMON)
            return fail(c->is.name, "query", NO_OFFSET,
                        "--by: the time at index %" PRIu64
                        " is before 1582-10-15; only times with the calendar proleptic_gregorian can be",
                        c->at);
        put_time(c->into, c->at, key_of(c->into->by, seconds));
    }
    return TOOL_OK;
}

static int read_ticks(source *s, const options *opt, ticks *c)
{
    const tree *calendar;
    options whole = *opt;
    selection selected;
    int result = moments_prepare(&c->is, &calendar);

    if (result == MOMENTS_CALENDAR)
        return fail(s->path, "query", NO_OFFSET, "--by: \"%s\" has the calendar \"%.30s\", which has other days",
                    c->is.name, calendar->text);
    if (result == MOMENTS_SCALED)
        return fail(s->path, "query", NO_OFFSET,
                    "--by: the times in \"%s\" have a scale_factor or add_offset; store them without", c->is.name);
    whole.slab = NULL;
    result = selection_of(s, &whole, &c->is.dataset, &selected);
    if (result == TOOL_OK)
        result = source_grow(s, opt, &selected.need);
    return result == TOOL_OK ? bands_each(s, &selected, take, c) : result;
}

/* ---- which axis has times ---- */

typedef struct search {
    source *s;
    query_times *t;
    metadata m;
    utet_dataset dataset;
    const tree *about;
    uint64_t extents[UTET_MAX_NDIM];
    utet_range ranges[UTET_MAX_NDIM];
    ticks c;
    const tree *labels; /* labels of the axis that was found; null: it has a dataset */
    int found;
} search;

static int is_ticks(search *f, const utet_dataset *dataset, uint64_t length, ticks *c)
{
    memset(c, 0, sizeof *c);
    return moments_of(&c->is, f->s, &f->m, dataset, length);
}

/* Keeps the axis if it is the only one with times. An axis with one selected index needs no groups. */
static int keep_axis(search *f, unsigned d, const tree *labels, ticks *c)
{
    if (f->found && f->extents[d] > 1 && f->extents[f->t->axis] > 1) {
        free(c->is.name);
        return fail(f->s->path, "query", NO_OFFSET,
                    "--by: axis %u and axis %u have times; select one index of the other one with --slab", f->t->axis,
                    d);
    }
    if (f->found && f->extents[d] <= 1) {
        free(c->is.name);
        return TOOL_OK;
    }
    free(f->c.is.name);
    f->c = *c;
    f->labels = labels;
    f->t->axis = d;
    f->found = 1;
    return TOOL_OK;
}

/* Labels, or the dataset with the name of the axis. */
static int look_at_axis(search *f, unsigned d)
{
    const tree *const labels = axes_labels(f->about, &f->dataset, d);
    utet_dataset dataset;
    utet_status status;
    char *name;
    ticks c;

    memset(&c, 0, sizeof c);
    if (labels != NULL && read_labels(labels, NULL))
        return keep_axis(f, d, labels, &c);
    name = axes_name(f->about, d, 0);
    if (name == NULL)
        return fail(f->s->path, NULL, NO_OFFSET, "not enough memory");
    status = utet_dataset_find(&f->s->file, name, strlen(name), &dataset);
    free(name);
    if (status == UTET_E_NOT_FOUND)
        return TOOL_OK;
    if (status != UTET_OK)
        return source_fail(f->s, status);
    return is_ticks(f, &dataset, f->dataset.shape[d], &c) ? keep_axis(f, d, NULL, &c) : TOOL_OK;
}

/* The only dataset of times that is as long as an axis. */
static int look_at_datasets(search *f)
{
    utet_dataset dataset;
    utet_status status;
    unsigned d;
    ticks c;

    for (status = utet_dataset_first(&f->s->file, &dataset); status == UTET_OK;
         status = utet_dataset_next(&f->s->file, &dataset))
        for (d = 0; d < f->dataset.ndim; d++) {
            if (!is_ticks(f, &dataset, f->dataset.shape[d], &c))
                continue;
            if (f->found) {
                const int result =
                    fail(f->s->path, "query", NO_OFFSET,
                         "--by: \"%s\" for axis %u and \"%s\" for axis %u have times of the right length; "
                         "name the axis as one of them (dim_names)",
                         f->c.is.name, f->t->axis, c.is.name, d);

                free(c.is.name);
                return result;
            }
            f->c = c;
            f->t->axis = d;
            f->found = 1;
        }
    return status == UTET_END ? TOOL_OK : source_fail(f->s, status);
}

static int find_times(search *f, const char *name)
{
    int result = TOOL_OK;
    unsigned d;

    for (d = 0; result == TOOL_OK && d < f->dataset.ndim; d++)
        result = look_at_axis(f, d);
    if (result == TOOL_OK && !f->found)
        result = look_at_datasets(f);
    if (result == TOOL_OK && !f->found)
        result =
            fail(f->s->path, "query", NO_OFFSET,
                 "--by: no axis of \"%s\" has times; it takes ISO 8601 labels, or a dataset as long as the axis with "
                 "units such as \"seconds since 1970-01-01\" ('utet pack --times COLUMN=s' makes one)",
                 name);
    return result;
}

/* ---- all of it ---- */

static int read_times(search *f, const options *opt)
{
    query_times *const t = f->t;

    t->range = f->ranges[t->axis];
    t->count = f->extents[t->axis];
    t->key = calloc((size_t)t->count + 1, sizeof *t->key);
    t->group = calloc((size_t)t->count + 1, sizeof *t->group);
    if (t->key == NULL || t->group == NULL || t->count >= UINT32_MAX)
        return fail(f->s->path, NULL, NO_OFFSET, "not enough memory");
    f->c.into = t;
    if (f->labels != NULL)
        (void)read_labels(f->labels, t);
    else if (read_ticks(f->s, opt, &f->c) != TOOL_OK)
        return TOOL_ERROR;
    return number_groups(f->s, t);
}

static int begin(search *f, const options *opt)
{
    char *const name = source_name(f->s, &f->dataset);
    unsigned d;
    int result = name != NULL ? slab_ranges(f->s, opt->slab, &f->dataset, f->ranges) : TOOL_ERROR;

    for (d = 0; result == TOOL_OK && d < f->dataset.ndim; d++) {
        const utet_range *const r = &f->ranges[d];

        f->extents[d] = r->stop > r->start ? (r->stop - r->start - 1) / r->step + 1 : 0;
    }
    if (result == TOOL_OK) {
        f->about = tree_at(&f->m.datasets, name, f->dataset.name_length);
        result = find_times(f, name);
    }
    free(name);
    return result == TOOL_OK ? read_times(f, opt) : result;
}

query_times *times_begin(source *s, const options *opt)
{
    search *const f = calloc(1, sizeof *f);
    query_times *t = calloc(1, sizeof *t);
    int result = f != NULL && t != NULL ? source_dataset(s, opt->dataset, &f->dataset)
                                        : fail(s->path, NULL, NO_OFFSET, "not enough memory");

    if (result == TOOL_OK) {
        f->s = s;
        f->t = t;
        t->by = opt->by - 1;
        result = metadata_read(&f->m, s);
        if (result == TOOL_OK && f->m.status != UTET_OK)
            result = metadata_fail(&f->m, s);
        if (result == TOOL_OK)
            result = begin(f, opt);
        free(f->c.is.name);
        metadata_end(&f->m);
    }
    free(f);
    if (result == TOOL_OK)
        return t;
    times_end(t);
    return NULL;
}

void times_end(query_times *t)
{
    if (t == NULL)
        return;
    free(t->key);
    free(t->group);
    free(t);
}

int times_has(const query_times *t, unsigned d)
{
    return t != NULL && t->axis == d;
}

static uint32_t group_of(void *context, uint64_t place)
{
    return ((const query_times *)context)->group[place];
}

int times_use(query_times *t, answer *a)
{
    utet_query_plan *const plan = &a->plan;
    utet_fold_axis *const map = &plan->by.grouping.axis[t->axis];

    if (map->group_of != NULL)
        return fail(a->s->path, "query", NO_OFFSET, "--by and --group are about the same axis, %u; omit one of them",
                    t->axis);
    if (plan->extents[t->axis] != t->count)
        return fail(a->s->path, "query", NO_OFFSET, "--by: the file has changed");
    map->group_of = group_of;
    map->context = t;
    map->groups = t->groups;
    plan->grouped = 1;
    plan->group_count = (plan->group_count != 0 ? plan->group_count : 1) * t->groups;
    return TOOL_OK;
}
