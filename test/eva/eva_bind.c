/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Frama-C EVA over the binding of a document to a file (src/query). EVA_PART 1: the whole call, each of its stages
 * begun or suspended; 2: the match of two datasets' axes; 3: labels and groups, with their tables; 4: the fill. An
 * alarm is a possible undefined behaviour.
 */
#include "eva_plan.h"

#if EVA_PART == 1
/* Parts 2 and 3 show the first two; the others, of labels, are not analysed. */
utet_status utet_query_bind_align(utet_query_plan *of)
{
    (void)of;
    return Frama_C_interval(0, 1) ? UTET_END : granted(UTET_E_METADATA);
}

utet_status utet_query_bind_fill(utet_query_plan *of)
{
    of->request.has_fill = (uint8_t)below(2);
    return granted(UTET_E_METADATA);
}

utet_status utet_query_bind_selection(utet_query_plan *of)
{
    Frama_C_make_unknown((char *)of->extents, sizeof of->extents);
    return granted(UTET_E_METADATA);
}

utet_status utet_query_bind_label_filter(utet_query_plan *of)
{
    (void)of;
    return granted(UTET_E_SPACE);
}

utet_status utet_query_bind_groups(utet_query_plan *of)
{
    Frama_C_make_unknown((char *)&of->grouping, sizeof of->grouping);
    return granted(UTET_E_SPACE);
}

#include "query/query_bind.c"

/* Axes of tokens that were not resolved yet are any byte. */
static void any_stage(int stage, int step)
{
    int i;

    any_plan();
    plan.priv.stage = (uint8_t)stage;
    plan.priv.step = (uint8_t)step;
    for (i = step; stage <= 5 && i < UTET_MAX_NDIM; i++) {
        if (stage <= 3)
            plan.priv.key_axis[i] = (uint8_t)any32();
        plan.priv.axis[i] = (uint8_t)any32();
    }
    if (stage <= 4)
        plan.priv.window_axis = (uint8_t)any32();
    grants = 2;
}

/* A stage that went well has left axes of the dataset. */
static void check_stage(int stage)
{
    int i;

    /*@ assert window: stage != 4 || query.window.mode == 0 || plan.priv.window_axis < 8; */
    for (i = 0; stage == 3 && query.group != UTET_QUERY_NO_GROUPS && i < query.keys_count; i++)
        /*@ assert key: plan.priv.key_axis[i] < 8; */;
    for (i = 0; stage == 5 && i < query.axes_count; i++)
        /*@ assert axis: plan.priv.axis[i] < 8; */;
}

/* Each stage from each of its steps; then the call around them. */
void eva_main(void)
{
    const int stage = Frama_C_interval_split(0, 12);
    const int step = Frama_C_interval_split(0, UTET_MAX_NDIM);
    uint32_t places[4];

    if (step != 0 && stage != 3 && stage != 5)
        return;
    any_stage(stage, step);
    if (stage == 3)
        query.keys_count = (uint8_t)Frama_C_interval_split(step, UTET_MAX_NDIM);
    if (stage == 5)
        query.axes_count = (uint8_t)Frama_C_interval_split(step, UTET_MAX_NDIM);
    if (run_stage(&plan) == UTET_OK)
        check_stage(stage);
    if (step != 0 || (stage != 0 && stage != 12))
        return;
    any_stage(stage, 0);
    grants = 0;
    query.priv.plan = stage == 0 ? NULL : &plan;
    query.priv.opened = (uint8_t)below(2);
    query.fault.reason = (uint8_t)below(QUERY_REASONS);
    (void)utet_query_bind(&plan, &query, &meta, places, 4);
    (void)utet_query_operation((uint8_t)any32());
}
#endif

#if EVA_PART == 2
/* Not analysed. */
utet_status utet_query_compare_values(utet_query_plan *of, const utet_value *left, const utet_value *right, int *same)
{
    (void)left;
    (void)right;
    Frama_C_make_unknown(of->priv.piece[0], sizeof of->priv.piece);
    *same = Frama_C_interval(0, 1);
    return granted(UTET_E_METADATA);
}

/* Bind 1 has both. */
utet_status utet_query_find(utet_query_plan *of, const utet_query_text_at *name, utet_dataset *dataset)
{
    (void)of;
    (void)name;
    any_dataset(dataset);
    return Frama_C_interval(0, 1) ? UTET_E_NOT_FOUND : granted(UTET_E_DATASET);
}

utet_status utet_query_resolve(utet_query_plan *of, const utet_dataset_meta *about, const utet_query_axis *token,
                               uint8_t *axis)
{
    utet_status status = granted(UTET_E_METADATA);

    (void)of;
    (void)token;
    *axis = (uint8_t)any32();
    if (status == UTET_OK)
        *axis = (uint8_t)below(about->dataset->ndim);
    return status;
}

#include "query/query_align.c"

/* Each step of an axis; from LEFT_AXIS on its number is not known, from RIGHT_AXIS on the other one's is not. */
void eva_main(void)
{
    const int step = Frama_C_interval_split(LEFT_AXIS, LABELS);
    const int count = Frama_C_interval_split(0, UTET_MAX_NDIM - 1);
    int i;

    any_plan();
    plan.priv.step = (uint8_t)step;
    plan.align.count = (uint8_t)count;
    for (i = count; i < UTET_MAX_NDIM; i++) {
        if (i != count || step <= LEFT_AXIS)
            plan.align.axis[i] = (uint8_t)any32();
        if (i != count || step <= RIGHT_AXIS)
            plan.align.other_axis[i] = (uint8_t)any32();
    }
    plan.priv.other = below(2);
    query.keys_count = (uint8_t)(count + 1); /* the next axis begins at LEFT_AXIS */
    grants = 2;
    (void)utet_query_bind_align(&plan);
    /*@ assert count: plan.align.count <= 8; */
    /*@ assert step: plan.priv.step <= LABELS; */
}
#endif

#if EVA_PART == 3
/*@ assigns \result \from value; */
uint64_t utet_fold_bits(double value);
/*@ assigns \result \from bits; */
double utet_fold_value(uint64_t bits);
/* Query 1 and 2 show them. */
/*@ assigns query->priv.decimal \from \nothing; */
void utet_query_decimal_begin(utet_query *query);
/*@ assigns \result, query->priv.decimal \from query->priv.decimal, byte; */
int utet_query_decimal_take(utet_query *query, uint8_t byte);
/*@ assigns \result, query->priv.decimal \from query->priv.decimal, negative; */
uint64_t utet_query_decimal_end(utet_query *query, unsigned negative);
unsigned utet_query_which(query_keys keys, const char *text, uint32_t length)
{
    (void)keys;
    (void)text;
    (void)length;
    return Frama_C_interval(0, 1) ? (unsigned)QUERY_NO_KEY : below(3);
}

#include "query/query_fill.c"

/* The text begun, or read up to anywhere. */
void eva_main(void)
{
    any_plan();
    plan.priv.step = (uint8_t)below(2);
    grants = 2;
    (void)utet_query_bind_fill(&plan);
}
#endif
