/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Which part of the dataset: filter, label_filter, group_by, align. */
#include "query.h"

#include <stddef.h>
#include <string.h>

#define PARTS_LONGEST 1024 /* bytes of a label */

/* priv.step: the members of the object; then one number of a filter each, or the axes of the other keys */
enum { STEP_MEMBERS, STEP_NUMBERS, STEP_AXES = STEP_NUMBERS };

/* ---- filter ---- */

static const char filter_keys[] = "eq\0"
                                  "ne\0"
                                  "lt\0"
                                  "le\0"
                                  "gt\0"
                                  "ge\0"
                                  "is_null\0"
                                  "is_not_null\0"; /* the order is that of the bits in `tests` */
enum { EQ, NE, LT, LE, GT, GE, IS_NULL, IS_NOT_NULL, FILTER_KEYS, PARTS_NUMBERS = IS_NULL };

/* The filter's numbers follow each other in the order of the keys. */
static void set_number(utet_fold_filter *filter, unsigned key, double number)
{
    memcpy((uint8_t *)filter + offsetof(utet_fold_filter, eq) + key * sizeof number, &number, sizeof number);
}

static utet_status judge_filter(utet_query *query)
{
    unsigned key;

    if (utet_query_has_unknown(query))
        return utet_query_refuse_unknown(query, QUERY_UNKNOWN_FILTER);
    if (query->shared.work.scan.seen == 0)
        return utet_query_refuse(query, QUERY_FILTER_EMPTY);
    for (key = EQ; key < FILTER_KEYS; key++) {
        const utet_query_value *value = &query->shared.of.reading.slot[key];
        unsigned reason = QUERY_FINE;

        if (!utet_query_is(value))
            continue;
        query->filter.tests |= (uint32_t)1 << key;
        if (key < PARTS_NUMBERS && value->kind != UTET_VALUE_NUMBER)
            reason = QUERY_FILTER_NUMBER;
        else if (key >= PARTS_NUMBERS && value->kind != UTET_VALUE_BOOLEAN)
            reason = QUERY_FILTER_BOOLEAN;
        else if (key >= PARTS_NUMBERS && value->number == 0)
            reason = QUERY_FILTER_FALSE;
        if (reason != QUERY_FINE)
            return utet_query_refuse_word(query, reason, utet_query_key_name(filter_keys, key));
    }
    return UTET_OK;
}

utet_status utet_query_filter(utet_query *query)
{
    const utet_query_value *value = &query->shared.of.reading.top[TOP_FILTER];
    utet_status status;

    if (value->kind != UTET_VALUE_MAP)
        return utet_query_refuse_word(query, QUERY_MUST_BE_OBJECT, "filter");
    if (query->priv.step == STEP_MEMBERS) {
        status = utet_query_members(query, value, filter_keys, QUERY_ALL_KEYS(FILTER_KEYS));
        if (status == UTET_OK)
            status = judge_filter(query);
        if (status != UTET_OK)
            return status;
        query->priv.step = STEP_NUMBERS;
    }
    for (; query->priv.step < STEP_NUMBERS + PARTS_NUMBERS; query->priv.step++) {
        unsigned key = (unsigned)query->priv.step - STEP_NUMBERS;
        double number = 0;

        if (!utet_query_is(&query->shared.of.reading.slot[key]))
            continue;
        status = utet_query_double(query, &query->shared.of.reading.slot[key], &number);
        if (status != UTET_OK)
            return status;
        set_number(&query->filter, key, number);
        query->filter.rest[key] = query->shared.work.decimal.rest;
        if (query->shared.work.decimal.rest != 0)
            query->filter.tests |= UTET_FOLD_RESTS;
        if (query->shared.work.decimal.fraction != 0)
            query->filter.tests |= (uint32_t)UTET_FOLD_FRACTION << key;
    }
    return UTET_OK;
}

/* ---- label_filter ---- */

static const char label_keys[] = "axis\0"
                                 "eq\0";
enum { LABEL_AXIS, LABEL_EQ, LABEL_KEYS };

static utet_status judge_label(utet_query *query)
{
    const utet_query_value *eq = &query->shared.of.reading.slot[LABEL_EQ];

    if (!utet_query_is(&query->shared.of.reading.slot[LABEL_AXIS]))
        return utet_query_refuse(query, QUERY_LABEL_AXIS);
    if (!utet_query_is(eq))
        return utet_query_refuse(query, QUERY_LABEL_EQ);
    if (eq->kind != UTET_VALUE_TEXT)
        return utet_query_refuse(query, QUERY_LABEL_EQ_STRING);
    if (query_text_length(eq) == 0)
        return utet_query_refuse(query, QUERY_LABEL_EQ_BLANK);
    if (query_text_length(eq) > PARTS_LONGEST)
        return utet_query_refuse_number(query, QUERY_LABEL_EQ_LONG, query_text_length(eq));
    query->has_label_filter = 1;
    query->label = query_text_of(eq);
    return UTET_OK;
}

static utet_status read_label_filter(utet_query *query)
{
    utet_status status;

    if (query->priv.step == STEP_MEMBERS) {
        status = utet_query_object(query, TOP_LABEL_FILTER, label_keys, LABEL_KEYS);
        if (status == UTET_OK)
            status = judge_label(query);
        if (status != UTET_OK)
            return status;
        query->priv.step = STEP_AXES;
    }
    query->fault.word = "`label_filter.axis`: ";
    status = utet_query_token(query, &query->shared.of.reading.slot[LABEL_AXIS], &query->label_axis);
    if (status == UTET_OK)
        query->fault.word = NULL;
    return status;
}

const utet_query_option utet_query_option_label_filter = {TOP_LABEL_FILTER, read_label_filter,
                                                          utet_query_bind_label_filter};

/* ---- axes of group_by and align ---- */

/* 1 to 8 axes; else these are the reasons. */
static utet_status read_keys(utet_query *query, unsigned none, unsigned many)
{
    utet_status status = utet_query_axis_list(query, query->keys, &query->keys_count);

    if (status == UTET_OK && query->priv.items == 0)
        return utet_query_refuse(query, none);
    if (status == UTET_OK && query->priv.items > UTET_FORMAT_NDIM)
        return utet_query_refuse_number(query, many, query->priv.items);
    return status;
}

/* ---- group_by ---- */

static const char group_keys[] = "by\0"
                                 "axes\0";
enum { GROUP_BY, GROUP_AXES, GROUP_KEYS };

static utet_status judge_group(utet_query *query)
{
    const utet_query_value *by = &query->shared.of.reading.slot[GROUP_BY];
    const utet_query_value *axes = &query->shared.of.reading.slot[GROUP_AXES];

    if (!utet_query_is(by))
        return utet_query_refuse(query, QUERY_GROUP_BY);
    if (by->kind != UTET_VALUE_TEXT)
        return utet_query_refuse_word(query, QUERY_MUST_BE_STRING, "group_by.by");
    if (by->word != QUERY_WORD_LABELS)
        return utet_query_refuse_text(query, QUERY_GROUP_BY_WORD, by);
    if (!utet_query_is(axes))
        return utet_query_refuse(query, QUERY_GROUP_AXES);
    if (axes->kind != UTET_VALUE_LIST)
        return utet_query_refuse_word(query, QUERY_MUST_BE_AXES, "group_by.axes");
    query->group = UTET_QUERY_BY_LABEL;
    return UTET_OK;
}

static utet_status read_group_by(utet_query *query)
{
    const utet_query_value *value = &query->shared.of.reading.top[TOP_GROUP_BY];
    utet_status status;

    if (value->kind != UTET_VALUE_LIST && value->kind != UTET_VALUE_MAP)
        return utet_query_refuse(query, QUERY_GROUP_TYPE);
    if (query->priv.step == STEP_MEMBERS) {
        query->group = UTET_QUERY_BY_INDEX;
        if (value->kind == UTET_VALUE_MAP) {
            status = utet_query_object(query, TOP_GROUP_BY, group_keys, GROUP_KEYS);
            if (status == UTET_OK)
                status = judge_group(query);
            if (status != UTET_OK)
                return status;
        }
        utet_query_begin_list(query, value->kind == UTET_VALUE_MAP ? query->shared.of.reading.slot[GROUP_AXES].place
                                                                   : value->place);
        query->priv.step = STEP_AXES;
    }
    return read_keys(query, query->group == UTET_QUERY_BY_LABEL ? QUERY_GROUP_AXES_EMPTY : QUERY_GROUP_EMPTY,
                     QUERY_GROUP_MANY);
}

const utet_query_option utet_query_option_group_by = {TOP_GROUP_BY, read_group_by, utet_query_bind_groups};

/* ---- align ---- */

static const char align_keys[] = "with\0"
                                 "axes\0";
enum { ALIGN_WITH, ALIGN_AXES, ALIGN_KEYS };

static utet_status judge_align(utet_query *query)
{
    const utet_query_value *with = &query->shared.of.reading.slot[ALIGN_WITH];
    const utet_query_value *axes = &query->shared.of.reading.slot[ALIGN_AXES];

    if (!utet_query_is(with))
        return utet_query_refuse(query, QUERY_ALIGN_WITH);
    if (with->kind != UTET_VALUE_TEXT)
        return utet_query_refuse_word(query, QUERY_MUST_BE_STRING, "align.with");
    if (with->word == QUERY_WORD_BLANK)
        return utet_query_refuse(query, QUERY_ALIGN_WITH_BLANK);
    if (!utet_query_is(axes))
        return utet_query_refuse(query, QUERY_ALIGN_AXES);
    if (axes->kind != UTET_VALUE_LIST)
        return utet_query_refuse_word(query, QUERY_MUST_BE_AXES, "align.axes");
    query->has_align = 1;
    query->align_with = query_text_of(with);
    return UTET_OK;
}

static utet_status read_align(utet_query *query)
{
    utet_status status;

    if (query->priv.step == STEP_MEMBERS) {
        status = utet_query_object(query, TOP_ALIGN, align_keys, ALIGN_KEYS);
        if (status == UTET_OK)
            status = judge_align(query);
        if (status != UTET_OK)
            return status;
        utet_query_begin_list(query, query->shared.of.reading.slot[ALIGN_AXES].place);
        query->priv.step = STEP_AXES;
    }
    return read_keys(query, QUERY_ALIGN_AXES_EMPTY, QUERY_ALIGN_MANY);
}

const utet_query_option utet_query_option_align = {TOP_ALIGN, read_align, utet_query_bind_align};
