/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* A pipeline becomes the flat document that it means: its steps' values are kept as those of top-level keys. */
#include "query.h"

#define MOST_STEPS 8

#define BIT(key) ((uint64_t)1 << (key))
#define REDUCTIONS ((BIT(UTET_QUERY_TRANSFORM) - 1) << (TOP_REDUCTION + 1))
#define STEP_KEYS                                                                                                \
    (BIT(TOP_SELECT) | BIT(TOP_FILTER) | BIT(TOP_GROUP_BY) | BIT(TOP_WINDOW) | BIT(TOP_SPILL) | BIT(TOP_WRITE) | \
     REDUCTIONS)
#define REDUCE_KEYS (REDUCTIONS | BIT(TOP_GROUP_BY) | BIT(TOP_WINDOW))

/* Returns nonzero if the first name comes before the second one in sorted order; no two keys have the same name. */
static int is_less(const char *a, const char *b)
{
    while (*a == *b) {
        a++;
        b++;
    }
    return (uint8_t)*a < (uint8_t)*b;
}

/* The name that comes first in sorted order among these keys' names; NULL: there are no keys. */
static const char *least_name(uint64_t keys)
{
    const char *least = NULL;
    unsigned i;

    for (i = 0; keys != 0; i++, keys >>= 1) {
        const char *name = utet_query_key_name(utet_query_top, i);

        if ((keys & 1) != 0 && (least == NULL || is_less(name, least)))
            least = name;
    }
    return least;
}

/* A pipeline excludes all other parts of a query; the message names the first one in sorted order. */
static utet_status judge_alone(utet_query *query)
{
    uint64_t keys = (uint64_t)query->priv.reductions << TOP_REDUCTION;
    unsigned i;

    for (i = TOP_SELECTION; i < TOP_REDUCTION; i++)
        keys |= (uint64_t)utet_query_is(&query->shared.of.reading.top[i]) << i;
    return keys != 0 ? utet_query_refuse_word(query, QUERY_PIPELINE_WITH, least_name(keys)) : UTET_OK;
}

/* The stages of a pipeline, in their order. */
enum { NO_STAGE, SELECT_STAGE, FILTER_STAGE, REDUCE_STAGE, STORE_STAGE };

/* The stage that a step with these keys belongs to. *own: all keys that a step of the stage may have. */
static unsigned pipeline_rank(uint64_t seen, uint64_t *own)
{
    static const struct {
        uint64_t keys;
        uint8_t stage;
    } stages[] = {{BIT(TOP_SELECT), SELECT_STAGE},
                  {BIT(TOP_FILTER), FILTER_STAGE},
                  {BIT(TOP_SPILL), STORE_STAGE},
                  {BIT(TOP_WRITE), STORE_STAGE}};
    unsigned i;

    for (i = 0; i < sizeof stages / sizeof *stages; i++)
        if ((seen & stages[i].keys) != 0) {
            *own = stages[i].keys;
            return stages[i].stage;
        }
    *own = REDUCE_KEYS;
    return (seen & REDUCE_KEYS) != 0 ? REDUCE_STAGE : NO_STAGE;
}

UTET_APART static utet_status judge_step(utet_query *query, unsigned number)
{
    const uint64_t seen = query->shared.work.scan.seen;
    uint64_t own;
    const unsigned stage = pipeline_rank(seen, &own);
    unsigned reason = QUERY_FINE;

    query->fault.number[0] = number;
    if (utet_query_has_unknown(query))
        return utet_query_refuse_unknown(query, stage == REDUCE_STAGE || stage == NO_STAGE ? QUERY_UNKNOWN_STEP
                                                                                           : QUERY_UNKNOWN_STEP_FIELD);
    if ((seen & ~own) != 0)
        return utet_query_refuse_word(query, QUERY_OTHER_STEP_FIELD, least_name(seen & ~own));
    if (stage == NO_STAGE)
        reason = QUERY_PIPELINE_NAME;
    else if (stage == REDUCE_STAGE && (seen & REDUCTIONS) == 0)
        reason = QUERY_PIPELINE_REDUCTION;
    else if (stage <= query->priv.last_rank)
        reason = QUERY_PIPELINE_ORDER;
    else if (stage == REDUCE_STAGE && (query->priv.reductions & (query->priv.reductions - 1)) != 0)
        reason = QUERY_PIPELINE_TWO;
    else if ((seen & BIT(TOP_GROUP_BY)) != 0 && (seen & BIT(TOP_WINDOW)) != 0)
        reason = QUERY_PIPELINE_BOTH;
    query->priv.last_rank = (uint8_t)stage;
    return reason == QUERY_FINE ? UTET_OK : utet_query_refuse(query, reason);
}

/* The number of steps is judged before any of them. */
static utet_status count_steps(utet_query *query)
{
    utet_status status;

    while ((status = utet_query_entry(query, query->priv.in_pipeline != 0)) == UTET_OK) {
        query->priv.items++;
        query->priv.in_pipeline = 1;
    }
    if (status != UTET_END)
        return status;
    if (query->priv.items == 0)
        return utet_query_refuse(query, QUERY_PIPELINE_EMPTY);
    if (query->priv.items > MOST_STEPS)
        return utet_query_refuse_number(query, QUERY_PIPELINE_MANY, query->priv.items);
    return UTET_OK;
}

static utet_status pipeline_step(utet_query *query)
{
    enum { BEGIN, COUNT, ENTRY, MEMBERS };
    const utet_query_value *value = &query->shared.of.reading.top[TOP_PIPELINE];
    utet_status status;

    switch (query->priv.step) {
    case BEGIN:
        query->priv.next = value->place;
        query->priv.items = 0;
        query->priv.step = COUNT;
        return UTET_OK;
    case COUNT:
        status = count_steps(query);
        query->priv.next = status == UTET_OK ? value->place : query->priv.next;
        query->priv.step = status == UTET_OK ? ENTRY : COUNT;
        query->priv.in_pipeline = status == UTET_OK ? 0 : query->priv.in_pipeline;
        return status;
    case ENTRY:
        status = utet_query_entry(query, query->priv.in_pipeline != 0);
        if (status != UTET_OK)
            return status;
        if (query->shared.item.kind != UTET_VALUE_MAP)
            return utet_query_refuse_number(query, QUERY_PIPELINE_MEMBER, query->priv.in_pipeline);
        query->priv.step = MEMBERS;
        return UTET_OK;
    default:
        status = utet_query_members(query, &query->shared.item, utet_query_top, STEP_KEYS);
        if (status == UTET_OK)
            status = judge_step(query, query->priv.in_pipeline);
        if (status == UTET_OK) {
            query->priv.in_pipeline++;
            query->priv.step = ENTRY;
        }
        return status;
    }
}

static utet_status read_pipeline(utet_query *query)
{
    const utet_query_value *value = &query->shared.of.reading.top[TOP_PIPELINE];
    utet_status status = UTET_OK;

    if (query->priv.step == 0)
        status = judge_alone(query);
    if (status == UTET_OK && value->kind != UTET_VALUE_LIST)
        return utet_query_refuse(query, QUERY_PIPELINE_TYPE);
    while (status == UTET_OK)
        status = pipeline_step(query);
    return status == UTET_END ? UTET_OK : status;
}

const utet_query_option utet_query_option_pipeline = {TOP_PIPELINE, read_pipeline, NULL};
