/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Reads selections: start:stop:step for each axis, where each part may be omitted and one number is one index; or axes
 * by name, time=2024-01-01:2024-01-03,station=B, where start and stop may be labels. By the rules of tet/FORMAT.md §12,
 * nothing is clamped and no selection is empty. The stop is excluded, unless two dots replace the first colon. Negative
 * indices count from the end of the axis. */
#include "kept.h"
#include "label.h"
#include "number.h"
#include "tool.h"
#include "near.h"
#include "utet_meta.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Reads a number at *at and advances *at. Returns 0 if there is no number, -1 if it is too large. */
static int number(const char **at, uint64_t *value)
{
    const char *from = *at;

    *value = 0;
    for (; **at >= '0' && **at <= '9'; ++*at) {
        const unsigned digit = (unsigned)(**at - '0');

        if (*value > (UINT64_MAX - digit) / 10)
            return -1;
        *value = *value * 10 + digit;
    }
    return *at != from;
}

/* The parts of start:stop:step of one axis, as numbers or labels. */
typedef struct parts {
    uint64_t value[3];
    int given[3];
    int from_end[3]; /* 1: the value counts from the end of the axis */
    int count;
    int included; /* 1: the stop is included, as in start..stop */
    int named;    /* 1: the axis has a name, so a part may be a label */
} parts;

static int complain(const char *path, const parts *p, unsigned axis, int which, const char *what, uint64_t extent)
{
    return fail(path, "slab", NO_OFFSET,
                "axis %u: %s %s%" PRIu64 " is out of range; the axis has %" PRIu64 " elements%s", axis, what,
                p->from_end[which] ? "-" : "", p->value[which], extent,
                p->named ? " (digits alone are an index; put a label in quotes)" : "");
}

/* Returns the index of a part; UINT64_MAX: it is before the first index. */
static uint64_t index_of(const parts *p, int which, uint64_t extent)
{
    if (!p->from_end[which])
        return p->value[which];
    return p->value[which] <= extent ? extent - p->value[which] : UINT64_MAX;
}

static int make_range(const char *path, const parts *p, unsigned axis, uint64_t extent, utet_range *range)
{
    const uint64_t stop = index_of(p, 1, extent);

    if (p->count == 1 && !p->given[0])
        return fail(path, "slab", NO_OFFSET, "axis %u: empty entry; use \":\" to select everything", axis);

    range->start = p->given[0] ? index_of(p, 0, extent) : 0;
    range->step = p->given[2] ? p->value[2] : 1;
    if (range->step == 0)
        return fail(path, "slab", NO_OFFSET, "axis %u: the step is 0; use at least 1", axis);
    if (extent == 0) { /* an empty dataset: the complete selection has no elements */
        range->stop = 0;
        return range->start == 0 && p->count > 1 && (!p->given[1] || (stop == 0 && !p->included))
                   ? TOOL_OK
                   : complain(path, p, axis, 0, "start", extent);
    }
    if (range->start >= extent)
        return complain(path, p, axis, 0, p->count > 1 ? "start" : "index", extent);
    if (p->count > 1 && p->given[1] && (p->included ? stop >= extent : stop > extent))
        return complain(path, p, axis, 1, "stop", extent);
    range->stop = p->count == 1 ? range->start + 1 : p->given[1] ? stop + (unsigned)p->included : extent;
    if (range->stop <= range->start)
        return fail(path, "slab", NO_OFFSET,
                    "axis %u: the selection is empty; stop %" PRIu64 " must be greater than start %" PRIu64, axis,
                    range->stop, range->start);
    return TOOL_OK;
}

/* Skips ":" or ".." before another part; returns 0 if there is neither. */
static int next_part(const char **at, parts *p)
{
    if (p->count == 1 && strncmp(*at, "..", 2) == 0) {
        p->included = 1;
        *at += 2;
        return 1;
    }
    if (**at != ':' || p->count == 3)
        return 0;
    ++*at;
    return 1;
}

/* Reads the selection of one axis at *at. */
static int parse_axis(const char *path, const char **at, unsigned axis, uint64_t extent, utet_range *range)
{
    parts p;

    memset(&p, 0, sizeof p);
    do {
        if (p.count < 2 && **at == '-' && (*at)[1] >= '0' && (*at)[1] <= '9')
            p.from_end[p.count] = *(*at)++ == '-';
        p.given[p.count] = number(at, &p.value[p.count]);
        if (p.given[p.count] < 0)
            return fail(path, "slab", NO_OFFSET, "axis %u: number too large", axis);
        p.count++;
    } while (next_part(at, &p));
    if (**at != ',' && **at != '\0')
        return fail(path, "slab", NO_OFFSET, "axis %u: %s, at \"%s\"", axis,
                    **at == '-' ? "negative steps are not supported" : "expected start:stop:step", *at);
    return make_range(path, &p, axis, extent, range);
}

int slab_parse(const char *path, const char *text, unsigned ndim, const uint64_t *shape, utet_range *ranges)
{
    unsigned axis;

    for (axis = 0;; axis++, text++) {
        if (*text == '\0' && axis > 0)
            return fail(path, "slab", NO_OFFSET,
                        "empty entry after the last comma; use \":\" to select all of an axis");
        if (axis == ndim)
            return fail(path, "slab", NO_OFFSET, "too many entries; the dataset has %u axes", ndim);
        if (parse_axis(path, &text, axis, shape[axis], &ranges[axis]) != TOOL_OK)
            return TOOL_ERROR;
        if (*text == '\0')
            break;
    }
    if (axis + 1 != ndim)
        return fail(path, "slab", NO_OFFSET, "too few entries; the dataset has %u axes, the slab %u", ndim, axis + 1);
    return TOOL_OK;
}

/* ---- axes by name ---- */

typedef struct names {
    source *s;
    const utet_dataset *dataset;
    utet_meta meta;
    utet_dataset_meta about;
    utet_value labels; /* labels of the axis being read */
    int labelled;      /* 1: the axis has labels; 0: it has none; -1: not known yet */
} names;

/* Prints an error line for every status except UTET_E_NOT_FOUND, which the caller reports. */
static int library(names *n, utet_status status)
{
    return status == UTET_OK || status == UTET_E_NOT_FOUND ? TOOL_OK : source_fail(n->s, status);
}

static int names_begin(names *n, source *s, const utet_dataset *dataset)
{
    memset(n, 0, sizeof *n);
    n->s = s;
    n->dataset = dataset;
    if (library(n, utet_meta_open(&n->meta, &s->file)) != TOOL_OK)
        return TOOL_ERROR;
    return library(n, utet_meta_dataset(&n->meta, dataset, &n->about));
}

/* Returns " (did you mean …)" with the name of an axis, or an empty text; NULL if several axes have this name. */
static const char *near_axis(names *n, const char *token, size_t length, char *buffer)
{
    utet_value list = n->about.dim_names;
    utet_value key;
    utet_value item;
    near_name found;

    near_begin(&found, token, length);
    while (list.kind == UTET_VALUE_LIST && utet_value_next(&n->meta, &list, &key, &item) == UTET_OK) {
        char text[64];
        size_t got = 0;

        if (item.kind != UTET_VALUE_TEXT || item.size >= sizeof text ||
            utet_text_read(&n->meta, &item, text, (size_t)item.size, &got) < UTET_OK)
            continue;
        if (got == length && memcmp(text, token, length) == 0)
            return NULL;
        near_add(&found, text, got);
    }
    return near_words(&found, buffer);
}

/* Finds the axis whose name is the `length` bytes at `token`. */
static int find_axis(names *n, const char *token, size_t length, unsigned *axis)
{
    char words[96];
    const char *near = "; the axes of this dataset have no names, use their numbers";
    const utet_status status = utet_meta_axis(&n->meta, &n->about, token, length, axis);

    if (status == UTET_OK)
        return TOOL_OK;
    if (status == UTET_E_RANGE)
        return fail(n->s->path, "slab", NO_OFFSET, "no axis %.*s; the dataset has %u axes, numbered from 0",
                    (int)length, token, (unsigned)n->dataset->ndim);
    if (status != UTET_E_NOT_FOUND && status != UTET_E_ARGUMENT)
        return source_fail(n->s, status);
    if (n->about.dim_names.size == n->dataset->ndim)
        near = near_axis(n, token, length, words);
    if (near == NULL)
        return fail(n->s->path, "slab", NO_OFFSET,
                    "axis name \"%.*s\" is ambiguous: several axes have it; use the number of an axis, from 0",
                    (int)length, token);
    return fail(n->s->path, "slab", NO_OFFSET, "no axis named \"%.*s\"%s", (int)length, token, near);
}

/* Determines whether the axis has labels. */
static int look_for_labels(names *n, unsigned axis)
{
    utet_status status;

    if (n->labelled >= 0)
        return TOOL_OK;
    status = utet_meta_labels(&n->meta, &n->about, axis, &n->labels);
    n->labelled = status == UTET_OK;
    return library(n, status);
}

/* Returns nonzero if a negative number is a label: the axis has it, or its first label is a number, as those of
 * latitudes are. */
static int is_label(names *n, const char *token, size_t length)
{
    utet_value list = n->labels;
    utet_value key;
    utet_value item;
    uint64_t index;
    char text[64];
    size_t got = 0;
    decimal d;

    if (utet_list_find(&n->meta, &list, token, length, &index) != UTET_E_NOT_FOUND)
        return 1;
    if (utet_value_next(&n->meta, &list, &key, &item) != UTET_OK || item.kind != UTET_VALUE_TEXT ||
        item.size >= sizeof text || utet_text_read(&n->meta, &item, text, (size_t)item.size, &got) < UTET_OK)
        return 0;
    text[got] = '\0';
    number_read(&d, text);
    return d.kind != NUMBER_NONE;
}

/* Finds the only index with this label. */
static int find_label(names *n, unsigned axis, const char *label, size_t length, uint64_t *index)
{
    utet_status status;
    uint64_t other;

    if (look_for_labels(n, axis) != TOOL_OK)
        return TOOL_ERROR;
    if (!n->labelled)
        return fail(n->s->path, "slab", NO_OFFSET, "axis %u: the axis has no labels, and \"%.*s\" is not an index",
                    axis, (int)length, label);
    status = utet_list_find(&n->meta, &n->labels, label, length, index);
    if (status == UTET_E_NOT_FOUND)
        return fail(n->s->path, "slab", NO_OFFSET, "axis %u: no label \"%.*s\"; 'utet info FILE' shows the labels",
                    axis, (int)length, label);
    if (status == UTET_OK)
        status = label_again(&n->meta, &n->labels, *index, &other);
    if (status == UTET_OK && other != UINT64_MAX)
        return fail(n->s->path, "slab", NO_OFFSET,
                    "axis %u: the label \"%.*s\" is ambiguous: indices %" PRIu64 " and %" PRIu64
                    " have it; use an index",
                    axis, (int)length, label, *index, other);
    return library(n, status);
}

/* Reads a label in quotes at *at and advances *at; a doubled quote in the label is one quote. */
static int parse_quoted(names *n, const char **at, unsigned axis, uint64_t *value)
{
    char *const label = malloc(strlen(*at) + 1);
    size_t length = 0;
    const char *from = *at + 1;
    int result;

    if (label == NULL)
        return fail(n->s->path, NULL, NO_OFFSET, "not enough memory");
    for (; *from != '\0' && (*from != '"' || from[1] == '"'); from++) {
        from += *from == '"';
        label[length++] = *from;
    }
    *at = from + (*from == '"');
    result = *from == '"' ? find_label(n, axis, label, length, value)
                          : fail(n->s->path, "slab", NO_OFFSET, "axis %u: unterminated quote", axis);
    free(label);
    return result;
}

/* Returns the length of a part, which ends at a colon, a comma, the two dots after a start, or the end of the text. */
static size_t part_length(const char *text, int which)
{
    const size_t length = strcspn(text, ":,");
    const char *const dots = which == 0 ? strstr(text, "..") : NULL;

    return dots != NULL && (size_t)(dots - text) < length ? (size_t)(dots - text) : length;
}

/* Reads one part of a range, up to a colon, a comma or the end: a number, a label, a label in quotes, or nothing. */
static int parse_part(names *n, const char **at, unsigned axis, parts *p)
{
    const int which = p->count++;
    const char *from = *at;
    size_t length;

    if (*from == '"' && which < 2) {
        p->given[which] = 1;
        return parse_quoted(n, at, axis, &p->value[which]);
    }
    if (which < 2 && *from == '-' && from[1] >= '0' && from[1] <= '9') {
        if (look_for_labels(n, axis) != TOOL_OK)
            return TOOL_ERROR;
        p->from_end[which] = !n->labelled || !is_label(n, from, part_length(from, which));
        *at += p->from_end[which];
    }
    p->given[which] = number(at, &p->value[which]);
    if (p->given[which] < 0)
        return fail(n->s->path, "slab", NO_OFFSET, "axis %u: number too large", axis);
    length = part_length(*at, which);
    if (length == 0)
        return TOOL_OK;
    p->from_end[which] = 0;
    *at += length;
    if (which == 2)
        return fail(n->s->path, "slab", NO_OFFSET, "axis %u: invalid step \"%.*s\"", axis, (int)(*at - from), from);
    p->given[which] = 1;
    return find_label(n, axis, from, (size_t)(*at - from), &p->value[which]);
}

static int parse_named(source *s, const char *text, const utet_dataset *dataset, utet_range *ranges)
{
    names n;
    unsigned seen = 0;

    if (names_begin(&n, s, dataset) != TOOL_OK)
        return TOOL_ERROR;
    for (;; text++) {
        const size_t length = strcspn(text, "=,:");
        unsigned axis = 0;
        parts p;

        if (*text == '\0')
            return fail(s->path, "slab", NO_OFFSET, "empty entry after the last comma");
        if (text[length] != '=')
            return fail(s->path, "slab", NO_OFFSET, "expected AXIS=start:stop:step, at \"%s\"", text);
        if (find_axis(&n, text, length, &axis) != TOOL_OK)
            return TOOL_ERROR;
        if ((seen >> axis & 1) != 0)
            return fail(s->path, "slab", NO_OFFSET, "axis %u given twice; name it once", axis);
        seen |= 1u << axis;
        text += length + 1;
        memset(&p, 0, sizeof p);
        p.named = 1;
        n.labelled = -1;
        do {
            if (parse_part(&n, &text, axis, &p) != TOOL_OK)
                return TOOL_ERROR;
        } while (next_part(&text, &p));
        if (*text != ',' && *text != '\0')
            return fail(s->path, "slab", NO_OFFSET, "axis %u: expected start:stop:step, at \"%s\"", axis, text);
        if (make_range(s->path, &p, axis, dataset->shape[axis], &ranges[axis]) != TOOL_OK)
            return TOOL_ERROR;
        if (*text == '\0')
            return TOOL_OK;
    }
}

int slab_ranges(source *s, const char *text, const utet_dataset *dataset, utet_range *ranges)
{
    unsigned axis;

    for (axis = 0; axis < dataset->ndim; axis++) {
        ranges[axis].start = 0;
        ranges[axis].stop = dataset->shape[axis];
        ranges[axis].step = 1;
    }
    if (text == NULL)
        return TOOL_OK;
    if (strchr(text, '=') != NULL)
        return parse_named(s, text, dataset, ranges);
    return slab_parse(s->path, text, dataset->ndim, dataset->shape, ranges);
}

int selection_find(source *s, const options *opt, selection *selected)
{
    utet_dataset dataset;

    return source_dataset(s, opt->dataset, &dataset) == TOOL_OK ? selection_of(s, opt, &dataset, selected) : TOOL_ERROR;
}

/* Computes the need of the selection. Without a budget, an upper bound from the rows is enough if the workspace has as
 * many bytes: reading the headers of all payloads as well takes 2 % of the time of 16,384 tiles of 4 KiB. Damage in a
 * header is found when its tile is decoded. */
static utet_status find_need(source *s, const options *opt, selection *selected)
{
    const utet_range *const ranges = selected->ranges;
    utet_status status = UTET_E_BUDGET;
    utet_slab slab;
    unsigned d;

    if (s->in_bands && !budget_given(opt) && direct_find(s, &selected->dataset, ranges)) {
        selected->need.least = selected->need.best = TOOL_GOOD_WORKSPACE;
        selected->count = 1;
        for (d = 0; d < selected->dataset.ndim; d++) {
            selected->shape[d] = ranges[d].stop - ranges[d].start;
            selected->count *= selected->shape[d];
        }
        return UTET_OK;
    }
    if (!budget_given(opt))
        status = utet_slab_open(&slab, &s->file, &selected->dataset, ranges);
    if (status == UTET_E_BUDGET)
        status = utet_slab_need(&slab, &s->file, &selected->dataset, ranges);
    if (status != UTET_OK)
        return status;
    for (d = 0; d < selected->dataset.ndim; d++)
        selected->shape[d] = slab.axis[d].count;
    selected->count = slab.count;
    selected->need = slab.need;
    return UTET_OK;
}

int selection_of(source *s, const options *opt, const utet_dataset *dataset, selection *selected)
{
    utet_status status;

    memset(selected, 0, sizeof *selected);
    selected->dataset = *dataset;
    if (slab_ranges(s, opt->slab, &selected->dataset, selected->ranges) != TOOL_OK)
        return TOOL_ERROR;
    if (!budget_given(opt) && source_grow(s, opt, &(utet_need){UTET_OPEN_WORK(1), TOOL_GOOD_WORKSPACE}) != TOOL_OK)
        return TOOL_ERROR;
    source_rows(s, &selected->dataset);
    kept_on(s->decoded);
    status = find_need(s, opt, selected);
    if (status == UTET_E_RANGE) /* the ranges are valid: the product of their counts */
        return fail(s->path, "slab", NO_OFFSET,
                    "the selection has 2^64 - 1 elements or more; select fewer with --slab");
    if (status != UTET_OK)
        return source_fail(s, status);
    if (budget_given(opt))
        source_other(s, &selected->dataset, selected->ranges, selected->need.least);
    return TOOL_OK;
}
