/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The keys window and selection. */
#include "query.h"

#include <string.h>

/* ---- window ---- */

#define WINDOW_LARGEST 1048576u

static const char window_keys[] = "axis\0"
                                  "size\0"
                                  "mode\0"
                                  "pad\0"
                                  "step\0"
                                  "align\0"
                                  "min_count\0";
enum {
    WINDOW_KEY_AXIS,
    WINDOW_KEY_SIZE,
    WINDOW_KEY_MODE,
    WINDOW_KEY_PAD,
    WINDOW_KEY_STEP,
    WINDOW_KEY_ALIGN,
    WINDOW_KEY_MIN_COUNT,
    WINDOW_KEYS
};

/* A number of at least 1. */
static utet_status query_window_positive(utet_query *query, unsigned key)
{
    const utet_query_value *value = &query->shared.of.reading.slot[key];
    unsigned reason = QUERY_FINE;

    if (value->kind != UTET_VALUE_NUMBER)
        reason = QUERY_WINDOW_NUMBER;
    else if (!utet_query_is_whole(value))
        reason = QUERY_WINDOW_WHOLE;
    else if (value->number == 0)
        reason = QUERY_WINDOW_LEAST;
    return reason == QUERY_FINE ? UTET_OK
                                : utet_query_refuse_word(query, reason, utet_query_key_name(window_keys, key));
}

/* One of `count` words from `first` on. */
static utet_status one_word(utet_query *query, unsigned key, unsigned first, unsigned count, unsigned reason)
{
    const utet_query_value *value = &query->shared.of.reading.slot[key];

    if (value->kind != UTET_VALUE_TEXT)
        return utet_query_refuse_word(query, QUERY_WINDOW_STRING, utet_query_key_name(window_keys, key));
    if (value->word - first >= count)
        return utet_query_refuse_text(query, reason, value);
    return UTET_OK;
}

static utet_status judge_words(utet_query *query)
{
    /* The order is the reference's. `count` words for a text; a number has none. */
    static const struct {
        uint8_t key, first, count, reason;
    } rows[] = {{WINDOW_KEY_MODE, QUERY_WORD_BINS, 2, QUERY_WINDOW_MODE_WORD},
                {WINDOW_KEY_PAD, QUERY_WORD_NONE, 4, QUERY_WINDOW_PAD_WORD},
                {WINDOW_KEY_STEP, 0, 0, 0},
                {WINDOW_KEY_ALIGN, QUERY_WORD_START, 2, QUERY_WINDOW_ALIGN_WORD},
                {WINDOW_KEY_MIN_COUNT, 0, 0, 0}};
    const utet_query_value *slot = query->shared.of.reading.slot;
    utet_status status = UTET_OK;
    unsigned i;

    if (slot[WINDOW_KEY_MODE].kind == UTET_VALUE_TEXT && slot[WINDOW_KEY_MODE].word == QUERY_WORD_TUMBLING)
        return utet_query_refuse(query, QUERY_WINDOW_TUMBLING);
    if (slot[WINDOW_KEY_MODE].kind == UTET_VALUE_TEXT && slot[WINDOW_KEY_MODE].word == QUERY_WORD_SLIDING)
        return utet_query_refuse(query, QUERY_WINDOW_SLIDING);
    for (i = 0; i < sizeof rows / sizeof *rows && status == UTET_OK; i++)
        if (utet_query_is(&slot[rows[i].key]))
            status = rows[i].count != 0 ? one_word(query, rows[i].key, rows[i].first, rows[i].count, rows[i].reason)
                                        : query_window_positive(query, rows[i].key);
    return status;
}

static utet_status judge_window(utet_query *query)
{
    const utet_query_value *slot = query->shared.of.reading.slot;
    utet_status status;

    if (!utet_query_is(&slot[WINDOW_KEY_AXIS]))
        return utet_query_refuse(query, QUERY_WINDOW_AXIS);
    if (!utet_query_is(&slot[WINDOW_KEY_SIZE]))
        return utet_query_refuse(query, QUERY_WINDOW_SIZE);
    status = query_window_positive(query, WINDOW_KEY_SIZE);
    if (status != UTET_OK)
        return status;
    if (slot[WINDOW_KEY_SIZE].number > WINDOW_LARGEST)
        return utet_query_refuse_number(query, QUERY_WINDOW_SIZE_MANY, slot[WINDOW_KEY_SIZE].number);
    if (!utet_query_is(&slot[WINDOW_KEY_MODE]))
        return utet_query_refuse(query, QUERY_WINDOW_MODE);
    status = judge_words(query);
    if (status != UTET_OK)
        return status;
    query->window.mode = (uint8_t)(UTET_QUERY_BINS + slot[WINDOW_KEY_MODE].word - QUERY_WORD_BINS);
    query->window.size = (uint32_t)slot[WINDOW_KEY_SIZE].number;
    if (utet_query_is(&slot[WINDOW_KEY_PAD]))
        query->window.pad = (uint8_t)(UTET_QUERY_PAD_NONE + slot[WINDOW_KEY_PAD].word - QUERY_WORD_NONE);
    query->window.at_end = slot[WINDOW_KEY_ALIGN].word == QUERY_WORD_END;
    query->window.step = slot[WINDOW_KEY_STEP].number; /* 0 without the key */
    query->window.min_count = slot[WINDOW_KEY_MIN_COUNT].number;
    if (query->window.step != 0 && query->window.mode == UTET_QUERY_BINS)
        return utet_query_refuse(query, QUERY_WINDOW_STEP_BINS);
    if (query->window.min_count > query->window.size)
        return utet_query_refuse_numbers(query, QUERY_WINDOW_MIN_COUNT, query->window.min_count, query->window.size);
    if (query->window.at_end && query->window.mode == UTET_QUERY_ROLLING && query->window.pad == UTET_QUERY_PAD_NONE)
        return utet_query_refuse(query, QUERY_WINDOW_END);
    return UTET_OK;
}

static utet_status read_window(utet_query *query)
{
    enum { STEP_MEMBERS, STEP_AXIS };
    utet_status status;

    if (query->priv.step == STEP_MEMBERS) {
        status = utet_query_object(query, TOP_WINDOW, window_keys, WINDOW_KEYS);
        if (status == UTET_OK)
            status = judge_window(query);
        if (status != UTET_OK)
            return status;
        query->priv.step = STEP_AXIS;
    }
    return utet_query_token(query, &query->shared.of.reading.slot[WINDOW_KEY_AXIS], &query->window_axis);
}

const utet_query_option utet_query_option_window = {TOP_WINDOW, read_window, NULL};

/* ---- selection ---- */

static const char range_keys[] = "start\0"
                                 "start_label\0"
                                 "step\0"
                                 "stop\0"
                                 "stop_label\0"; /* the order is that of the bits in `has`, and alphabetical */
enum { WINDOW_KEY_START, WINDOW_KEY_START_LABEL, RANGE_STEP, WINDOW_KEY_STOP, WINDOW_KEY_STOP_LABEL, RANGE_KEYS };

/* "null", "boolean `true`" and so on: the reference's name for a value. Numbers and texts have their own reasons. */
static const char *value_words(const utet_query_value *value)
{
    switch (value->kind) {
    case UTET_VALUE_NONE: return "null";
    case UTET_VALUE_MAP: return "map";
    case UTET_VALUE_LIST: return "sequence";
    default: return value->number != 0 ? "boolean `true`" : "boolean `false`";
    }
}

/* Refuses a value of the wrong type; the reasons follow each other. */
static utet_status wrong_type(utet_query *query, const utet_query_value *value, unsigned plain)
{
    utet_status status;

    query->fault.is_syntax = 1;
    if (value->kind == UTET_VALUE_TEXT)
        return utet_query_refuse_text(query, plain + 3, value);
    if (value->kind != UTET_VALUE_NUMBER)
        return utet_query_refuse_word(query, plain, value_words(value));
    if (!value->inexact) {
        query->fault.word = value->negative ? "-" : "";
        return utet_query_refuse_number(query, plain + 1, value->number);
    }
    status = utet_query_double(query, value, &query->fault.value[0]);
    return status == UTET_OK ? utet_query_refuse(query, plain + 2) : status;
}

/* A member of an axis; bad ones are refused. A label does not replace an index: a document with both is refused. */
static utet_status range_member(utet_query *query, utet_query_range *range, unsigned key)
{
    const utet_query_value *value = &query->shared.of.reading.slot[key];
    int label = key == WINDOW_KEY_START_LABEL || key == WINDOW_KEY_STOP_LABEL;
    uint64_t *number = key <= WINDOW_KEY_START_LABEL ? &range->start.index
                       : key == RANGE_STEP           ? &range->step
                                                     : &range->stop.index;
    utet_query_text_at *text = key <= WINDOW_KEY_START_LABEL ? &range->start.label : &range->stop.label;

    if (!utet_query_is(value) || value->kind == UTET_VALUE_NONE)
        return UTET_OK;
    range->has = (uint8_t)(range->has | 1u << key);
    if (label && value->kind == UTET_VALUE_TEXT) {
        if (((unsigned)range->has >> (key - 1u) & 1u) == 0)
            *text = query_text_of(value);
        return UTET_OK;
    }
    if (!label && utet_query_is_whole(value)) {
        *number = value->number;
        return UTET_OK;
    }
    return wrong_type(query, value, label ? QUERY_NO_STRING : QUERY_NO_U64);
}

/* The members of an axis that slot[] holds, in the order of `keys`; priv.index counts them from 1. */
static utet_status range_members(utet_query *query, utet_query_range *out, const uint8_t *keys)
{
    if (query->priv.index == 0) {
        memset(out, 0, sizeof *out);
        out->step = 1;
        query->priv.index = 1;
    }
    for (; query->priv.index <= RANGE_KEYS; query->priv.index++) {
        utet_status status = range_member(query, out, keys[query->priv.index - 1]);

        if (status != UTET_OK)
            return status;
    }
    query->priv.index = 0;
    return UTET_OK;
}

/* An axis as an object. */
static utet_status query_window_range(utet_query *query, utet_query_range *out)
{
    static const uint8_t keys[] = {WINDOW_KEY_START, WINDOW_KEY_START_LABEL, RANGE_STEP, WINDOW_KEY_STOP,
                                   WINDOW_KEY_STOP_LABEL};

    if (query->priv.index == 0) {
        utet_status status = utet_query_members(query, &query->shared.item, range_keys, QUERY_ALL_KEYS(RANGE_KEYS));

        if (status != UTET_OK)
            return status;
        if (utet_query_has_unknown(query)) {
            query->fault.is_syntax = 1;
            return utet_query_refuse_unknown(query, QUERY_UNKNOWN_SELECTION);
        }
    }
    return range_members(query, out, keys);
}

static void begin_list(utet_query *query)
{
    unsigned i;

    query->priv.next = query->shared.item.place;
    query->priv.asked = 0;
    for (i = 0; i < RANGE_KEYS; i++)
        query->shared.of.reading.slot[i].kind = QUERY_ABSENT;
}

/* An axis as a list: start, stop, step, and if wanted start_label and stop_label. */
static utet_status range_list(utet_query *query, utet_query_range *out)
{
    static const uint8_t keys[] = {WINDOW_KEY_START, WINDOW_KEY_STOP, RANGE_STEP, WINDOW_KEY_START_LABEL,
                                   WINDOW_KEY_STOP_LABEL};
    uint32_t count;
    utet_status status = UTET_OK;

    while (query->priv.index == 0 && status == UTET_OK) {
        status = utet_query_entry(query, query->priv.asked != 0);
        if (status == UTET_OK && query->priv.asked < sizeof keys)
            query->shared.of.reading.slot[keys[query->priv.asked]] = query->shared.item;
        query->priv.asked += status == UTET_OK;
    }
    if (status != UTET_OK && status != UTET_END)
        return status;
    count = query->priv.asked;
    status = range_members(query, out, keys);
    if (status == UTET_OK && (count < 3 || count > sizeof keys)) {
        query->fault.is_syntax = 1;
        return utet_query_refuse_number(query, count < 3 ? QUERY_RANGE_SHORT : QUERY_RANGE_LONG, count);
    }
    return status;
}

/* What validation will say of this axis; the first one that is wrong counts. */
UTET_APART static void query_window_judge_range(utet_query *query, const utet_query_range *range)
{
    if (query->priv.bad_range != QUERY_FINE)
        return;
    query->fault.number[0] = range->start.index;
    query->fault.number[1] = range->stop.index;
    query->fault.number[2] = query->selected;
    if ((range->has & UTET_QUERY_STEP) != 0 && range->step == 0) {
        query->priv.bad_range = QUERY_STEP_ZERO;
    } else if ((range->has & UTET_QUERY_START) != 0 && (range->has & UTET_QUERY_STOP) != 0 &&
               range->start.index >= range->stop.index) {
        query->priv.bad_range = QUERY_START_STOP;
    } else if ((range->has & UTET_QUERY_START) != 0 && (range->has & UTET_QUERY_START_LABEL) != 0) {
        query->priv.bad_range = QUERY_BOTH_START;
    } else if ((range->has & UTET_QUERY_STOP) != 0 && (range->has & UTET_QUERY_STOP_LABEL) != 0) {
        query->priv.bad_range = QUERY_BOTH_STOP;
    }
}

utet_status utet_query_selection(utet_query *query)
{
    enum { BEGIN, ENTRY, RANGE, LIST, WRONG };
    const utet_query_value *value = &query->shared.of.reading.top[TOP_SELECTION];

    if (value->kind != UTET_VALUE_LIST)
        return wrong_type(query, value, QUERY_NO_SEQUENCE);
    for (;;) {
        /* axes after the eighth are judged and forgotten: the count alone refuses them later */
        utet_query_range *out =
            &query->selection[query->selected < UTET_FORMAT_NDIM ? query->selected : UTET_FORMAT_NDIM - 1];
        utet_status status = UTET_OK;

        switch (query->priv.step) {
        case BEGIN:
            query->priv.next = value->place;
            query->selected = 0;
            query->priv.step = ENTRY;
            break;
        case ENTRY:
            status = utet_query_entry(query, query->selected != 0);
            if (status == UTET_END)
                return UTET_OK;
            if (status != UTET_OK)
                return status;
            query->priv.step = query->shared.item.kind == UTET_VALUE_MAP    ? RANGE
                               : query->shared.item.kind == UTET_VALUE_LIST ? LIST
                                                                            : WRONG;
            if (query->priv.step == LIST)
                begin_list(query);
            break;
        case WRONG: return wrong_type(query, &query->shared.item, QUERY_NO_RANGE);
        default:
            status = query->priv.step == LIST ? range_list(query, out) : query_window_range(query, out);
            if (status != UTET_OK)
                return status;
            query_window_judge_range(query, out);
            query->selected++;
            query->priv.step = ENTRY;
        }
    }
}
