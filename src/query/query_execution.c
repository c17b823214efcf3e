/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The keys for the execution and for the destination of results: execution, spill, write. */
#include "query.h"

#include <string.h>

#define EXECUTION_LONGEST 1024 /* bytes of a path */

static const char execution_keys[] = "memory_budget_bytes\0"
                                     "memory_budget_percent\0"
                                     "memory_budget_percent_bps\0"
                                     "fold_parallel\0"
                                     "device\0";
enum { BUDGET_BYTES, BUDGET_PERCENT, BUDGET_BPS, FOLD_PARALLEL, DEVICE, EXECUTION_KEYS };

static utet_status refuse_execution(utet_query *query, unsigned reason, unsigned key)
{
    return utet_query_refuse_word(query, reason, utet_query_key_name(execution_keys, key));
}

/* A budget in bytes, or in hundredths of a percent. */
static utet_status judge_budget(utet_query *query, unsigned key)
{
    const utet_query_value *value = &query->shared.of.reading.slot[key];

    if (utet_query_is(value) && value->kind != UTET_VALUE_NUMBER)
        return refuse_execution(query, QUERY_EXECUTION_NUMBER, key);
    if (utet_query_is(value) && !utet_query_is_whole(value))
        return refuse_execution(query, QUERY_EXECUTION_WHOLE, key);
    return UTET_OK;
}

static utet_status judge_execution(utet_query *query)
{
    const utet_query_value *slot = query->shared.of.reading.slot;
    utet_status status;

    status = judge_budget(query, BUDGET_BYTES);
    if (status != UTET_OK)
        return status;
    if (utet_query_is(&slot[BUDGET_PERCENT]) && utet_query_is(&slot[BUDGET_BPS]))
        return utet_query_refuse(query, QUERY_BOTH_PERCENT);
    if (utet_query_is(&slot[BUDGET_PERCENT]) && slot[BUDGET_PERCENT].kind != UTET_VALUE_NUMBER)
        return refuse_execution(query, QUERY_EXECUTION_NUMBER, BUDGET_PERCENT);
    status = judge_budget(query, BUDGET_BPS);
    if (status != UTET_OK)
        return status;
    if (utet_query_is(&slot[BUDGET_BPS]) && slot[BUDGET_BPS].number > UINT16_MAX)
        return utet_query_refuse(query, QUERY_PERCENT_U16);
    if (utet_query_is(&slot[BUDGET_BPS]) && slot[BUDGET_BPS].number > 10000)
        return utet_query_refuse(query, QUERY_PERCENT_BPS);
    if (utet_query_is(&slot[FOLD_PARALLEL]) && slot[FOLD_PARALLEL].kind != UTET_VALUE_BOOLEAN)
        return refuse_execution(query, QUERY_EXECUTION_BOOLEAN, FOLD_PARALLEL);
    if (utet_query_is(&slot[DEVICE]) && slot[DEVICE].kind != UTET_VALUE_TEXT)
        return refuse_execution(query, QUERY_EXECUTION_STRING, DEVICE);
    return UTET_OK;
}

static utet_status judge_percent(utet_query *query, const utet_query_value *percent)
{
    utet_status status = UTET_OK;

    if (!utet_query_is(percent))
        return status;
    status = utet_query_double(query, percent, &query->fault.value[0]);
    if (status == UTET_OK && (utet_query_less(query->fault.value[0], 0) || utet_query_less(100, query->fault.value[0])))
        return utet_query_refuse(query, QUERY_PERCENT);
    return status;
}

static const char execution_devices[] = "cpu\0"
                                        "auto\0"
                                        "metal\0"
                                        "cuda\0"
                                        "rocm\0"
                                        "cuda:multi\0"
                                        "rocm:multi\0";
enum { CPU, AUTO };
#define NUMBERED 5 /* bytes of "cuda:" */

static int are_digits(const char *text, uint32_t size)
{
    uint32_t i = 0;

    while (i < size && (unsigned)(uint8_t)text[i] - '0' <= 9)
        i++;
    return i == size;
}

/* The head has the text. Every answer here is made by what "cpu" and "auto" ask for. The others are known by their
 * names, in letters of any case, or by a number. */
static utet_status judge_device_text(utet_query *query, const utet_query_value *device, uint32_t size)
{
    char *text = query->shared.work.scan.head;
    int numbered;
    unsigned which;
    uint32_t i;

    query->fault.word = text[0] == 'c' ? "cuda" : "rocm";
    numbered = size >= NUMBERED && memcmp(text, query->fault.word, NUMBERED - 1) == 0 && text[NUMBERED - 1] == ':';
    if (!numbered || size == NUMBERED || !are_digits(text + NUMBERED, size - NUMBERED)) {
        for (i = 0; i < size; i++)
            if ((unsigned)(uint8_t)text[i] - 'A' <= 25)
                text[i] = (char)(text[i] | 0x20);
        which = utet_query_which(execution_devices, text, size);
        if (which == QUERY_NO_KEY)
            return utet_query_refuse_text(query, numbered ? QUERY_DEVICE_NUMBER : QUERY_DEVICE_WORD, device);
        if (which <= AUTO)
            return UTET_OK;
    }
    query->unsupported |= UTET_QUERY_DEVICE;
    return UTET_OK;
}

UTET_APART static utet_status judge_device(utet_query *query, const utet_query_value *device)
{
    const uint32_t size = query_text_length(device);
    utet_status status;

    if (!utet_query_is(device))
        return UTET_OK;
    if (device->word == QUERY_WORD_BLANK)
        return utet_query_refuse(query, QUERY_DEVICE_BLANK);
    if (size > sizeof query->shared.work.scan.head)
        return utet_query_refuse_text(query, QUERY_DEVICE_WORD, device);
    status = utet_query_copy(query, device->place, size, query->shared.work.scan.head);
    return status == UTET_OK ? judge_device_text(query, device, size) : status;
}

static utet_status read_execution(utet_query *query)
{
    enum { STEP_MEMBERS, STEP_PERCENT, STEP_DEVICE };
    utet_status status = UTET_OK;

    if (query->priv.step == STEP_MEMBERS) {
        status = utet_query_object(query, TOP_EXECUTION, execution_keys, EXECUTION_KEYS);
        if (status == UTET_OK)
            status = judge_execution(query);
        if (status == UTET_OK)
            query->priv.step = STEP_PERCENT;
    }
    if (query->priv.step == STEP_PERCENT) {
        status = judge_percent(query, &query->shared.of.reading.slot[BUDGET_PERCENT]);
        if (status == UTET_OK)
            query->priv.step = STEP_DEVICE;
    }
    return query->priv.step == STEP_DEVICE ? judge_device(query, &query->shared.of.reading.slot[DEVICE]) : status;
}

const utet_query_option utet_query_option_execution = {TOP_EXECUTION, read_execution, NULL};

static utet_status read_spill(utet_query *query)
{
    const utet_query_value *value = &query->shared.of.reading.top[TOP_SPILL];

    if (value->kind != UTET_VALUE_TEXT)
        return utet_query_refuse(query, QUERY_SPILL_TYPE);
    if (query_text_length(value) == 0)
        return utet_query_refuse(query, QUERY_SPILL_BLANK);
    if (query_text_length(value) > EXECUTION_LONGEST)
        return utet_query_refuse_number(query, QUERY_SPILL_LONG, query_text_length(value));
    query->spill.place = value->place;
    query->spill.length = query_text_length(value);
    query->unsupported |= UTET_QUERY_SPILL;
    return UTET_OK;
}

const utet_query_option utet_query_option_spill = {TOP_SPILL, read_spill, NULL};

static const char write_keys[] = "target\0"
                                 "path\0"
                                 "timestamp\0";
enum { TARGET, PATH, TIMESTAMP, WRITE_KEYS };

static utet_status write_target(utet_query *query, const utet_query_value *target)
{
    if (target->kind != UTET_VALUE_TEXT)
        return utet_query_refuse_word(query, QUERY_WRITE_FIELD, "target");
    if (target->word < QUERY_WORD_SWITCH || target->word > QUERY_WORD_RAM)
        return utet_query_refuse_text(query, QUERY_WRITE_TARGET, target);
    return UTET_OK;
}

static utet_status read_write(utet_query *query)
{
    const utet_query_value *value = &query->shared.of.reading.top[TOP_WRITE];
    const utet_query_value *slot = query->shared.of.reading.slot;
    int sidecar;
    utet_status status;

    query->unsupported |= UTET_QUERY_WRITE;
    if (value->kind == UTET_VALUE_TEXT)
        return write_target(query, value);
    if (value->kind != UTET_VALUE_MAP)
        return utet_query_refuse(query, QUERY_WRITE_TYPE);
    status = utet_query_object(query, TOP_WRITE, write_keys, WRITE_KEYS);
    if (status != UTET_OK)
        return status;
    if (utet_query_is(&slot[PATH]) && slot[PATH].kind != UTET_VALUE_TEXT)
        return utet_query_refuse_word(query, QUERY_WRITE_FIELD, "path");
    if (utet_query_is(&slot[TIMESTAMP]) && slot[TIMESTAMP].kind != UTET_VALUE_BOOLEAN)
        return utet_query_refuse(query, QUERY_WRITE_TIMESTAMP);
    status = utet_query_is(&slot[TARGET]) ? write_target(query, &slot[TARGET]) : UTET_OK;
    if (status != UTET_OK)
        return status;
    sidecar = utet_query_is(&slot[TARGET]) && slot[TARGET].word == QUERY_WORD_SIDECAR;
    if (utet_query_is(&slot[PATH]) && slot[PATH].number == 0)
        return utet_query_refuse(query, QUERY_WRITE_PATH_EMPTY);
    if (utet_query_is(&slot[PATH]) && !sidecar &&
        (!utet_query_is(&slot[TARGET]) || slot[TARGET].word != QUERY_WORD_SPILL))
        return utet_query_refuse(query, QUERY_WRITE_PATH);
    if (utet_query_is(&slot[TIMESTAMP]) && !sidecar)
        return utet_query_refuse(query, QUERY_WRITE_SIDECAR);
    return UTET_OK;
}

const utet_query_option utet_query_option_write = {TOP_WRITE, read_write, NULL};
