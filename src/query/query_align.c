/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* align: do the axes of two datasets match? Extents, names and labels are compared; data are not read. */
#include "query.h"

/* priv.step: the comparison of an axis */
enum {
    LEFT_AXIS,
    RIGHT_AXIS,
    EXTENT,
    LEFT_NAME,
    RIGHT_NAME,
    NAMES,
    LEFT_COORDS,
    LEFT_LABELS,
    RIGHT_COORDS,
    RIGHT_LABELS,
    LEFT_LABEL,
    RIGHT_LABEL,
    LABELS,
    NEXT_AXIS
};

/* of.align.other */
enum { OTHER_FIND, OTHER_ABOUT, OTHER_KNOWN };

typedef struct query_align_side {
    const utet_dataset_meta *about;
    unsigned axis;
} query_align_side;

static query_align_side left_side(const utet_query_plan *plan)
{
    query_align_side s;

    s.about = &plan->about;
    s.axis = plan->by.align.axis[plan->by.align.count];
    return s;
}

static query_align_side right_side(const utet_query_plan *plan)
{
    query_align_side s;

    s.about = &plan->by.align.about;
    s.axis = plan->by.align.other_axis[plan->by.align.count];
    return s;
}

int utet_query_is_named(const utet_dataset_meta *about)
{
    return about->dim_names.kind == UTET_VALUE_LIST && about->dim_names.size == about->dataset->ndim;
}

static void query_align_differ(utet_query_plan *plan, uint8_t reason)
{
    plan->by.align.reason[plan->by.align.count] = reason;
}

/* The axis's name, or nothing. */
static utet_status name_of(utet_query_plan *plan, query_align_side s, utet_value *name)
{
    name->kind = UTET_VALUE_NONE;
    return utet_query_is_named(s.about) ? utet_list_nth(plan->priv.meta, &s.about->dim_names, s.axis, name) : UTET_OK;
}

/* Into of.align.coords the coordinates whose key is the axis's number. */
static utet_status numbered_coords(utet_query_plan *plan, query_align_side s)
{
    struct utet_query_align_at *const at = &plan->priv.binding->of.align;
    static const char digits[] = "01234567"; /* the search keeps the key: nothing on the stack */
    utet_status status = utet_map_find(plan->priv.meta, &s.about->coords, &digits[s.axis], 1, &at->coords);

    if (status != UTET_E_NOT_FOUND)
        return status;
    at->coords.kind = UTET_VALUE_NONE;
    return UTET_OK;
}

/* The same, whose key is the axis's name; the last ones count. */
UTET_APART static utet_status named_coords(utet_query_plan *plan, query_align_side s, const utet_value *name)
{
    enum { BEGIN, NEXT, COMPARE };
    struct utet_query_align_at *at = &plan->priv.binding->of.align;

    for (;;) {
        utet_status status;
        int same;

        if (at->step == BEGIN) {
            at->entries = s.about->coords;
            at->coords.kind = UTET_VALUE_NONE;
            at->step = NEXT;
        }
        if (at->step == NEXT) {
            status = utet_value_next(plan->priv.meta, &at->entries, &at->key, &at->item);
            if (status == UTET_END)
                at->step = BEGIN;
            if (status != UTET_OK)
                return status == UTET_END ? UTET_OK : status;
            at->step = COMPARE;
        }
        status = utet_query_compare_values(plan, &at->key, name, &same);
        if (status != UTET_OK)
            return status;
        if (same)
            at->coords = at->item;
        at->step = NEXT;
    }
}

/* By number where axes have no names. */
static utet_status coords_of(utet_query_plan *plan, query_align_side s, const utet_value *name)
{
    return name->kind != UTET_VALUE_TEXT ? numbered_coords(plan, s) : named_coords(plan, s, name);
}

/* The list in of.align.coords, the coordinates of an axis, or nothing. */
UTET_APART static utet_status labels_in(utet_query_plan *plan, utet_value *labels)
{
    utet_status status = utet_map_find(plan->priv.meta, &plan->priv.binding->of.align.coords, "labels", 6, labels);

    if (status != UTET_E_NOT_FOUND)
        return status;
    labels->kind = UTET_VALUE_NONE;
    return UTET_OK;
}

static void judge_extents(utet_query_plan *plan)
{
    if (plan->dataset.shape[left_side(plan).axis] != plan->by.align.other.shape[right_side(plan).axis])
        query_align_differ(plan, UTET_QUERY_EXTENTS);
}

/* UTET_END: there is nothing to compare. */
UTET_APART static utet_status judge_presence(utet_query_plan *plan, const utet_value *left, const utet_value *right,
                                             uint8_t one)
{
    if (left->kind == UTET_VALUE_NONE && right->kind == UTET_VALUE_NONE)
        return UTET_END;
    if (left->kind == UTET_VALUE_NONE || right->kind == UTET_VALUE_NONE) {
        query_align_differ(plan, one);
        return UTET_END;
    }
    return UTET_OK;
}

static utet_status compare_names(utet_query_plan *plan)
{
    const utet_value *names = plan->priv.binding->of.align.names;
    int same = 1;
    utet_status status = judge_presence(plan, &names[0], &names[1], UTET_QUERY_ONE_NAMED);

    if (status == UTET_OK)
        status = utet_query_compare_values(plan, &names[0], &names[1], &same);
    if (status == UTET_OK && !same)
        query_align_differ(plan, UTET_QUERY_NAMES);
    return status == UTET_END ? UTET_OK : status;
}

/* Returns nonzero if the labels of both axes must be compared one by one. */
static int judge_lists(utet_query_plan *plan)
{
    const utet_value *lists = plan->priv.binding->of.align.labels;
    const unsigned i = plan->by.align.count;
    const utet_status both = judge_presence(plan, &lists[0], &lists[1], UTET_QUERY_ONE_LABELS);

    plan->by.align.labels_ok[i] = plan->by.align.reason[i] != UTET_QUERY_ONE_LABELS;
    if (both != UTET_OK || lists[0].size == lists[1].size)
        return both == UTET_OK;
    query_align_differ(plan, UTET_QUERY_LABELS);
    plan->by.align.labels_ok[i] = 0;
    return 0;
}

/* One step of an axis. *next: the step that comes next; the caller sets it to the following one. */
static utet_status axis_step(utet_query_plan *plan, uint8_t *next)
{
    utet_query *query = plan->priv.query;
    utet_meta *meta = plan->priv.meta;
    struct utet_query_align_at *at = &plan->priv.binding->of.align;
    const unsigned i = plan->by.align.count;
    utet_status status;
    int same;

    switch (plan->priv.step) {
    case LEFT_AXIS: return utet_query_resolve(plan, &plan->about, &query->keys[i], &plan->by.align.axis[i]);
    case RIGHT_AXIS:
        return utet_query_resolve(plan, &plan->by.align.about, &query->keys[i], &plan->by.align.other_axis[i]);
    case EXTENT: judge_extents(plan); return UTET_OK;
    case LEFT_NAME: return name_of(plan, left_side(plan), &at->names[0]);
    case RIGHT_NAME: return name_of(plan, right_side(plan), &at->names[1]);
    case NAMES: return compare_names(plan);
    case LEFT_COORDS: return coords_of(plan, left_side(plan), &at->names[0]);
    case LEFT_LABELS: return labels_in(plan, &at->labels[0]);
    case RIGHT_COORDS: return coords_of(plan, right_side(plan), &at->names[1]);
    case RIGHT_LABELS:
        status = labels_in(plan, &at->labels[1]);
        if (status == UTET_OK && !judge_lists(plan))
            *next = NEXT_AXIS;
        return status;
    case LEFT_LABEL:
        if (at->labels[0].size == 0) {
            *next = NEXT_AXIS;
            return UTET_OK;
        }
        return utet_value_next(meta, &at->labels[0], &at->key, &at->label[0]);
    case RIGHT_LABEL: return utet_value_next(meta, &at->labels[1], &at->key, &at->label[1]);
    default: /* LABELS */
        status = utet_query_compare_values(plan, &at->label[0], &at->label[1], &same);
        if (status != UTET_OK)
            return status;
        if (same) {
            *next = LEFT_LABEL;
        } else {
            query_align_differ(plan, UTET_QUERY_LABELS);
            plan->by.align.labels_ok[i] = 0;
        }
        return UTET_OK;
    }
}

static utet_status find_other(utet_query_plan *plan)
{
    struct utet_query_align_at *const at = &plan->priv.binding->of.align;
    utet_query *query = plan->priv.query;
    utet_status status;

    if (at->other == OTHER_FIND) {
        status = utet_query_find(plan, &query->align_with, &plan->by.align.other);
        if (status == UTET_E_NOT_FOUND) {
            query->fault.text = query->align_with;
            return utet_query_refuse(query, QUERY_ALIGN_DATASET);
        }
        if (status != UTET_OK)
            return status;
        at->other = OTHER_ABOUT;
    }
    status = utet_meta_dataset(plan->priv.meta, &plan->by.align.other, &plan->by.align.about);
    if (status == UTET_OK || status == UTET_E_NOT_FOUND) {
        at->other = OTHER_KNOWN;
        return UTET_OK;
    }
    return status;
}

utet_status utet_query_bind_align(utet_query_plan *plan)
{
    struct utet_query_align_at *const at = &plan->priv.binding->of.align;
    if (at->other != OTHER_KNOWN) {
        utet_status status = find_other(plan);

        if (status != UTET_OK)
            return status;
    }
    while (plan->by.align.count < plan->priv.query->keys_count) {
        uint8_t next = (uint8_t)(plan->priv.step + 1u);
        utet_status status = axis_step(plan, &next);

        if (status != UTET_OK) /* a list may be shorter now */
            return status == UTET_E_RANGE || status == UTET_END ? UTET_E_METADATA : status;
        if (next == NEXT_AXIS) {
            plan->by.align.count++;
            next = LEFT_AXIS;
        }
        plan->priv.step = next;
    }
    return UTET_END;
}
