/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Binding what depends on the file's labels: selection, label_filter. */
#include "../fold/fold.h"
#include "query.h"

#include <string.h>

/* ---- texts, compared in pieces; both are equally long, and so are their pieces ---- */

/* priv.comparing: which text the next piece comes from */
enum { QUERY_LABELS_COMPARE_NOTHING, COMPARE_FIRST, COMPARE_SECOND };

/* Compares the text, or if that is NULL texts->left, with the dataset's name, or if that is NULL with texts->right.
 * Both are equally long. */
static utet_status compare_pieces(utet_query_plan *plan, const utet_query_text_at *text, const utet_dataset *dataset,
                                  int *same)
{
    utet_query_binding *const binding = plan->priv.binding;
    utet_query_texts *const texts = &binding->texts;
    const uint32_t length = text != NULL ? text->length : texts->length;

    if (texts->step == QUERY_LABELS_COMPARE_NOTHING) {
        texts->from = 0;
        texts->step = COMPARE_FIRST;
    }
    *same = 1;
    while (*same && texts->from < length) {
        size_t got;
        utet_status status;

        if (texts->step == COMPARE_FIRST) {
            status = text != NULL ? utet_query_text(plan->priv.query, text, texts->from, binding->piece[0],
                                                    sizeof binding->piece[0], &texts->got)
                                  : utet_text_read(plan->priv.meta, &texts->left, binding->piece[0],
                                                   sizeof binding->piece[0], &texts->got);
            if (status != UTET_OK)
                return status;
            texts->step = COMPARE_SECOND;
        }
        status = dataset != NULL ? utet_dataset_name(plan->priv.meta->priv.file, dataset, texts->from,
                                                     binding->piece[1], texts->got)
                                 : utet_text_read(plan->priv.meta, &texts->right, binding->piece[1], texts->got, &got);
        if (status != UTET_OK)
            return status;
        texts->step = COMPARE_FIRST;
        *same = memcmp(binding->piece[0], binding->piece[1], texts->got) == 0;
        texts->from += (uint32_t)texts->got;
    }
    texts->step = QUERY_LABELS_COMPARE_NOTHING;
    return UTET_OK;
}

utet_status utet_query_compare_values(utet_query_plan *plan, const utet_value *left, const utet_value *right, int *same)
{
    utet_query_texts *const texts = &plan->priv.binding->texts;

    *same = left->size == right->size;
    if (!*same)
        return UTET_OK;
    if (texts->step == QUERY_LABELS_COMPARE_NOTHING) {
        texts->left = *left;
        texts->right = *right;
    }
    texts->length = left->size;
    return compare_pieces(plan, NULL, NULL, same);
}

/* The same for a text of the document and a value of the file. */
static utet_status compare_label(utet_query_plan *plan, const utet_query_text_at *text, const utet_value *value,
                                 int *same)
{
    utet_query_texts *const texts = &plan->priv.binding->texts;

    *same = value->size == text->length;
    if (!*same)
        return UTET_OK;
    if (texts->step == QUERY_LABELS_COMPARE_NOTHING)
        texts->right = *value;
    return compare_pieces(plan, text, NULL, same);
}

utet_status utet_query_compare_name(utet_query_plan *plan, const utet_query_text_at *text, const utet_dataset *dataset,
                                    int *same)
{
    *same = dataset->name_length == text->length;
    return *same ? compare_pieces(plan, text, dataset, same) : UTET_OK;
}

/* ---- labels ---- */

uint64_t utet_query_selected_place(const utet_range *range, uint64_t index)
{
    uint64_t place;

    if (index < range->start || index >= range->stop)
        return UINT64_MAX;
    place = utet_div(index - range->start, range->step);
    return place * range->step == index - range->start ? place : UINT64_MAX;
}

/* Stores in the table whether the current label is the one that is looked for. */
UTET_APART static void note_label(utet_query_plan *plan, int same)
{
    const struct utet_query_label_at *at = &plan->priv.binding->of.label;
    const uint64_t place = utet_query_selected_place(&plan->ranges[plan->priv.label_axis], at->place);

    if (place != UINT64_MAX)
        at->table[place] = same ? 0 : UTET_FOLD_LEFT_OUT;
}

utet_status utet_query_find_label(utet_query_plan *plan, const utet_query_text_at *text)
{
    enum { BEGIN, NEXT, COMPARE };
    struct utet_query_label_at *at = &plan->priv.binding->of.label;

    for (;;) {
        utet_status status;
        int same;

        if (at->step == BEGIN) {
            at->found = UINT64_MAX;
            at->place = 0;
            at->step = NEXT;
        }
        if (at->step == NEXT) {
            status = utet_value_next(plan->priv.meta, &at->labels, &at->key, &at->label);
            if (status == UTET_END) {
                at->step = BEGIN;
                return at->labels.size == 0 ? UTET_OK : UTET_E_METADATA; /* the list is shorter now */
            }
            if (status != UTET_OK)
                return status;
            at->step = COMPARE;
        }
        status = compare_label(plan, text, &at->label, &same);
        if (status != UTET_OK)
            return status;
        if (same && at->found == UINT64_MAX)
            at->found = at->place;
        if (same && at->table == NULL) {
            at->step = BEGIN;
            return UTET_OK;
        }
        if (at->table != NULL)
            note_label(plan, same);
        at->place++;
        at->step = NEXT;
    }
}

/* ---- selection ---- */

/* Stores the index of a label on the current axis in *index. */
static utet_status label_index(utet_query_plan *plan, const utet_query_text_at *text, uint64_t *index)
{
    struct utet_query_label_at *at = &plan->priv.binding->of.label;
    utet_status status;

    if (!at->has_list) {
        status = utet_meta_labels(plan->priv.meta, &plan->about, at->axis, &at->labels);
        if (status == UTET_E_NOT_FOUND)
            return utet_query_refuse_number(plan->priv.query, QUERY_NEEDS_COORDS, at->axis);
        if (status != UTET_OK)
            return status;
        at->has_list = 1;
        at->count = at->labels.size;
    }
    status = utet_query_find_label(plan, text);
    if (status != UTET_OK)
        return status;
    at->has_list = 0;
    *index = at->found;
    if (*index != UINT64_MAX)
        return UTET_OK;
    plan->priv.query->fault.text = *text;
    return utet_query_refuse_number(plan->priv.query, QUERY_NO_LABEL, at->count);
}

static utet_status query_labels_judge_range(utet_query_plan *plan, unsigned axis)
{
    utet_query *query = plan->priv.query;
    const utet_range *range = &plan->ranges[axis];
    const uint64_t extent = plan->dataset.shape[axis];

    query->fault.number[2] = axis;
    if (extent == 0 && range->start == 0 && range->stop == 0)
        return utet_query_refuse(query, QUERY_NO_BOX);
    if (range->start >= extent)
        return utet_query_refuse_numbers(query, QUERY_START_SHAPE, range->start, extent);
    if (range->stop > extent)
        return utet_query_refuse_numbers(query, QUERY_STOP_SHAPE, range->stop, extent);
    if (range->start >= range->stop)
        return utet_query_refuse_numbers(query, QUERY_LABEL_ORDER, range->start, range->stop);
    plan->extents[axis] = utet_div(range->stop - 1 - range->start, range->step) + 1;
    return UTET_OK;
}

utet_status utet_query_bind_selection(utet_query_plan *plan)
{
    enum { RANGE_START, RANGE_STOP, RANGE_JUDGE };
    utet_query *query = plan->priv.query;
    const unsigned ndim = plan->dataset.ndim;

    if (query->selected != UINT32_MAX && query->selected != ndim)
        return utet_query_refuse_numbers(query, QUERY_RANK, query->selected, ndim);
    while (plan->priv.binding->of.label.axis < ndim) {
        const unsigned axis = plan->priv.binding->of.label.axis;
        const utet_query_range *asked = &query->selection[axis];
        const unsigned has = query->selected == UINT32_MAX ? 0 : asked->has;
        utet_range *range = &plan->ranges[axis];
        utet_status status = UTET_OK;

        switch (plan->priv.step) {
        case RANGE_START:
            range->step = (has & UTET_QUERY_STEP) != 0 ? asked->step : 1;
            range->start = (has & UTET_QUERY_START) != 0 ? asked->start.index : 0;
            if ((has & UTET_QUERY_START_LABEL) != 0)
                status = label_index(plan, &asked->start.label, &range->start);
            break;
        case RANGE_STOP:
            range->stop = (has & UTET_QUERY_STOP) != 0 ? asked->stop.index : plan->dataset.shape[axis];
            if ((has & UTET_QUERY_STOP_LABEL) != 0)
                status = label_index(plan, &asked->stop.label, &range->stop);
            break;
        default: status = query_labels_judge_range(plan, axis); /* RANGE_JUDGE */
        }
        if (status != UTET_OK)
            return status;
        if (plan->priv.step++ == RANGE_JUDGE) {
            plan->priv.step = RANGE_START;
            plan->priv.binding->of.label.axis++;
        }
    }
    return UTET_OK;
}

/* ---- tables ---- */

static uint32_t table_at(void *context, uint64_t place)
{
    return ((const uint32_t *)context)[place];
}

utet_status utet_query_take_table(utet_query_plan *plan, unsigned axis, uint32_t **table)
{
    const uint64_t places = plan->extents[axis];

    plan->places_needed = plan->priv.used + (size_t)places;
    if (places > plan->priv.room - plan->priv.used)
        return UTET_E_SPACE;
    *table = plan->priv.places + plan->priv.used;
    plan->priv.used += (size_t)places;
    plan->by.grouping.axis[axis].group_of = table_at;
    plan->by.grouping.axis[axis].context = *table;
    plan->grouped = 1;
    return UTET_OK;
}

/* ---- label_filter ---- */

utet_status utet_query_axis_labels(utet_query_plan *plan, unsigned axis, utet_value *labels, unsigned reason)
{
    utet_query *query = plan->priv.query;
    const uint64_t extent = plan->dataset.shape[axis];
    utet_status status = utet_meta_labels(plan->priv.meta, &plan->about, axis, labels);

    if (status == UTET_E_NOT_FOUND)
        return utet_query_refuse_number(query, plan->about.coords.size == 0 ? reason : reason + 1, axis);
    if (status != UTET_OK)
        return status;
    query->fault.number[2] = axis;
    return labels->size != extent ? utet_query_refuse_numbers(query, QUERY_LABEL_COUNT, labels->size, extent) : UTET_OK;
}

static utet_status begin_label_filter(utet_query_plan *plan)
{
    struct utet_query_label_at *at = &plan->priv.binding->of.label;
    const unsigned axis = plan->priv.label_axis;
    utet_status status = utet_query_axis_labels(plan, axis, &at->labels, QUERY_LABEL_NONE);

    return status == UTET_OK ? utet_query_take_table(plan, axis, &at->table) : status;
}

utet_status utet_query_bind_label_filter(utet_query_plan *plan)
{
    struct utet_query_label_at *const at = &plan->priv.binding->of.label;
    enum { STEP_AXIS, STEP_LABELS, STEP_FIND };
    utet_query *query = plan->priv.query;
    utet_status status = UTET_OK;

    if (plan->priv.step == STEP_AXIS) {
        status = utet_query_resolve(plan, &plan->about, &query->label_axis, &plan->priv.label_axis);
        if (status != UTET_OK)
            return status;
        plan->priv.step = STEP_LABELS;
    }
    if (plan->priv.step == STEP_LABELS) {
        status = begin_label_filter(plan);
        if (status != UTET_OK)
            return status;
        plan->priv.step = STEP_FIND;
    }
    status = utet_query_find_label(plan, &query->label);
    if (status != UTET_OK)
        return status;
    if (at->found != UINT64_MAX)
        return UTET_OK;
    query->fault.text = query->label;
    return utet_query_refuse_number(query, QUERY_NO_LABEL_AXIS, plan->dataset.shape[plan->priv.label_axis]);
}
