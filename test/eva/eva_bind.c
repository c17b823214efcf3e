/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Frama-C EVA over the binding of a document to a file (src/query). EVA_PART 1: the whole call, each of its stages at
 * its beginning or suspended; 2: the match of two datasets' axes; 3: the fill; 4: selection and labels; 5: groups by
 * label, with their tables. An alarm is possible undefined behaviour.
 *
 * eva.sh: 5 parts, x86_32
 *   1 2 4: -eva-slevel 200 -eva-slevel-function eva_main:20000 -eva-ilevel 64 -eva-split-return full
 *       -warn-special-float none
 *   3: -eva-slevel 200 -eva-slevel-function eva_main:20000 -eva-ilevel 64 -eva-split-return full
 *       -warn-special-float none
 *       -eva-slevel-function utet_query_bind_fill:5000,query_fill_parse:5000
 *   5: -eva-slevel 200 -eva-slevel-function eva_main:20000 -eva-ilevel 64 -eva-split-return full
 *       -warn-special-float none
 *       -eva-slevel-function utet_query_bind_groups:500,end_groups:200,clear_groups:200
 */
#include "eva_plan.h"
#include "fold/fold.h"

#if EVA_PART == 1
#include "query/query_both.c"

/* Parts 2 to 5 prove them. */
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
    Frama_C_make_unknown((char *)&of->by.grouping, sizeof of->by.grouping);
    return granted(UTET_E_SPACE);
}

/* Query 3 proves it. Which keys the document has does not matter here. */
const utet_query_option *utet_query_find_option(const utet_query *of, unsigned key)
{
    static const utet_query_option label_filter = {TOP_LABEL_FILTER, NULL, utet_query_bind_label_filter};
    static const utet_query_option group_by = {TOP_GROUP_BY, NULL, utet_query_bind_groups};
    static const utet_query_option align = {TOP_ALIGN, NULL, utet_query_bind_align};

    (void)of;
    if (Frama_C_interval(0, 1))
        return NULL;
    return key == TOP_ALIGN ? &align : key == TOP_GROUP_BY ? &group_by : &label_filter;
}

/* Part 4 shows it. */
utet_status utet_query_compare_name(utet_query_plan *of, const utet_query_text_at *text, const utet_dataset *dataset,
                                    int *same)
{
    Frama_C_make_unknown(of->priv.binding->piece[0], sizeof of->priv.binding->piece);
    *same = Frama_C_interval(0, 1);
    return keeping(granted(UTET_E_METADATA), Frama_C_interval(0, 1) ? (const void *)text : (const void *)dataset);
}

#include "query/query_find.c"
#include "query/query_bind.c"

/* Axes of tokens that are not resolved yet are any byte. */
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

/* A stage that succeeds leaves axes of the dataset. */
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
    const utet_fold_operation *operation;

    if (step != 0 && stage != 3 && stage != 5)
        return;
    any_stage(stage, step);
    if (stage == 3)
        query.keys_count = (uint8_t)Frama_C_interval_split(step, UTET_MAX_NDIM);
    if (stage == 5)
        query.axes_count = (uint8_t)Frama_C_interval_split(step, UTET_MAX_NDIM);
    if (run_stage(&plan) == UTET_OK)
        check_stage(stage);
    use_kept();
    if (step != 0 || (stage != 0 && stage != 12))
        return;
    any_stage(stage, 0);
    grants = 0;
    file.priv.busy = stage == 0 ? (uint8_t)UTET_CALL_NONE : (uint8_t)UTET_CALL_QUERY_BIND;
    meta.priv.file = Frama_C_interval(0, 1) ? &file : NULL;
    query.priv.opened = (uint8_t)below(2);
    query.fault.reason = (uint8_t)below(QUERY_REASONS);
    (void)utet_query_bind(&plan, &query, &meta, places, 4);
    use_kept();
    operation = utet_query_operation((uint8_t)any32());
    if (operation != NULL)
        use_byte((const uint8_t *)operation);
}
#endif

#if EVA_PART == 2
/* Part 5 proves it. */
utet_status utet_query_compare_values(utet_query_plan *of, const utet_value *left, const utet_value *right, int *same)
{
    Frama_C_make_unknown(of->priv.binding->piece[0], sizeof of->priv.binding->piece);
    *same = Frama_C_interval(0, 1);
    return keeping(granted(UTET_E_METADATA), Frama_C_interval(0, 1) ? left : right);
}

/* Bind 1 proves it. */
utet_status utet_query_find(utet_query_plan *of, const utet_query_text_at *name, utet_dataset *dataset)
{
    (void)of;
    any_dataset(dataset);
    return Frama_C_interval(0, 1) ? UTET_E_NOT_FOUND : keeping(granted(UTET_E_DATASET), name);
}

#endif

#if EVA_PART == 2 || EVA_PART >= 4
/* Bind 1 proves it. */
utet_status utet_query_resolve(utet_query_plan *of, const utet_dataset_meta *about, const utet_query_text_at *token,
                               uint8_t *axis)
{
    utet_status status = keeping(granted(UTET_E_METADATA), token);

    (void)of;
    *axis = (uint8_t)any32();
    if (status == UTET_OK)
        *axis = (uint8_t)below(about->dataset->ndim);
    return status;
}

#endif

#if EVA_PART == 2
#include "query/query_align.c"

/* Each step of an axis; from LEFT_AXIS on its number is unknown, from RIGHT_AXIS on that of the other axis. */
void eva_main(void)
{
    const int step = Frama_C_interval_split(LEFT_AXIS, LABELS);
    const int count = Frama_C_interval_split(0, UTET_MAX_NDIM - 1);
    int i;

    any_plan();
    plan.priv.step = (uint8_t)step;
    plan.by.align.count = (uint8_t)count;
    for (i = count; i < UTET_MAX_NDIM; i++) {
        if (i != count || step <= LEFT_AXIS)
            plan.by.align.axis[i] = (uint8_t)any32();
        if (i != count || step <= RIGHT_AXIS)
            plan.by.align.other_axis[i] = (uint8_t)any32();
    }
    query.shared.of.binding.of.align.other = (uint8_t)below(OTHER_KNOWN + 1);
    query.keys_count = (uint8_t)(count + 1); /* the next axis begins at LEFT_AXIS */
    grants = 2;
    (void)utet_query_bind_align(&plan);
    use_kept();
    /*@ assert count: plan.by.align.count <= 8; */
    /*@ assert step: plan.priv.step <= LABELS; */
}
#endif

#if EVA_PART == 3
/*@ assigns \result \from value; */
uint64_t utet_fold_bits(double value);
/*@ assigns \result \from bits; */
double utet_fold_value(uint64_t bits);
/* Query 1 and 2 prove them. */
/*@ assigns *decimal \from \nothing; */
void utet_query_decimal_begin(utet_query_decimal *decimal);
/*@ assigns \result, *decimal \from *decimal, byte; */
int utet_query_decimal_take(utet_query_decimal *decimal, uint8_t byte);
/*@ assigns \result, *decimal \from *decimal, negative; */
uint64_t utet_query_decimal_end(utet_query_decimal *decimal, unsigned negative);
unsigned utet_query_which(query_keys keys, const char *text, uint32_t length)
{
    (void)keys;
    (void)text;
    (void)length;
    return Frama_C_interval(0, 1) ? (unsigned)QUERY_NO_KEY : below(3);
}

#include "query/query_fill.c"

/* The text at its beginning, or read up to any byte. */
void eva_main(void)
{
    any_plan();
    plan.priv.step = (uint8_t)below(2);
    grants = 2;
    (void)utet_query_bind_fill(&plan);
    use_kept();
}
#endif

#if EVA_PART >= 4
#include "query/query_labels.c"
#if EVA_PART == 5
#include "query/query_groups.c"
#endif

#define PLACES 4 /* of the axis with labels */

/* The selected part of the axes. */
static const utet_range selected[] = {{0, PLACES, 1}, {1, PLACES, 2}, {PLACES - 1, PLACES, 9}};
#define SELECTED ((int)(sizeof selected / sizeof *selected))

/* The axis, with `read` labels already read; the table has room for all selected indices. */
static void any_axis(unsigned axis, int range, int read, uint32_t *table)
{
    any_plan();
    plan.dataset.ndim = (uint8_t)(axis + 1);
    plan.dataset.shape[axis] = PLACES;
    plan.ranges[axis] = selected[range];
    plan.extents[axis] = (selected[range].stop - selected[range].start - 1) / selected[range].step + 1;
    plan.priv.label_axis = (uint8_t)axis;
    plan.priv.keys = (uint8_t)(1u << axis);
    plan.priv.step = (uint8_t)axis;
    plan.priv.places = table;
    plan.priv.room = PLACES;
    plan.priv.used = 0;
#if EVA_PART == 4
    query.shared.of.binding.of.label.table = table;
    query.shared.of.binding.of.label.labels.size = (uint64_t)(PLACES - read);
    query.shared.of.binding.of.label.place = (uint64_t)read;
#else
    query.shared.of.binding.of.groups.table = table;
    query.shared.of.binding.of.groups.labels.size = (uint64_t)(PLACES - read);
    query.shared.of.binding.of.groups.rest.size = (uint64_t)(PLACES - read);
    query.shared.of.binding.of.groups.index = (uint64_t)read;
#endif
    plan.by.grouping.axis[axis].group_of = NULL;
    plan.by.grouping.axis[axis].context = NULL;
    grants = 2;
}
#endif

#if EVA_PART == 4
/* Each axis, with any end of its ranges being looked for. Steps of the document are not 0 (query 4). */
static void selection(int step)
{
    int i;

    any_plan();
    for (i = 0; i < UTET_MAX_NDIM; i++) {
        if (plan.ranges[i].step == 0)
            plan.ranges[i].step = 1;
        if (query.selection[i].step == 0)
            query.selection[i].step = 1;
    }
    plan.priv.step = (uint8_t)(step % 3);
    query.shared.of.binding.of.label.axis = (uint8_t)(step / 3);
    query.shared.of.binding.of.label.step = (uint8_t)below(3);
    query.shared.of.binding.of.label.table = NULL;
    grants = 1;
    (void)utet_query_bind_selection(&plan);
    use_kept();
}

/* The name of a dataset is compared: at its beginning, or suspended. */
static void dataset_name(void)
{
    const utet_query_text_at name = {any32(), any32()};
    int same;

    any_plan();
    grants = 2;
    (void)utet_query_compare_name(&plan, &name, &plan.dataset, &same);
    use_kept();
}

/* The filter, at its beginning; or its labels, of which `read` have been read; `index`: the position in find_label. */
static void label_filter(int range, int step, int index, int read)
{
    uint32_t table[PLACES]; /* nothing was there before */
    int i;

    any_axis(0, range, read, table);
    query.has_label_filter = 1;
    plan.priv.step = (uint8_t)step;
    query.shared.of.binding.of.label.step = (uint8_t)index;
    query.shared.of.binding.of.label.labels.size -= index == 2; /* the label has been read, and is compared */
    for (i = 0; i < read; i++)
        if (utet_query_selected_place(&plan.ranges[0], (uint64_t)i) != UINT64_MAX)
            table[utet_query_selected_place(&plan.ranges[0], (uint64_t)i)] = any32();
    if (step < 2)
        plan.priv.used = below(PLACES + 1);
    if (utet_query_bind_label_filter(&plan) == UTET_OK)
        for (i = 0; i < (int)plan.extents[0]; i++)
            /*@ assert set: \initialized(&table[i]); */;
    use_kept();
}

void eva_main(void)
{
    const int range = Frama_C_interval_split(0, SELECTED - 1);
    const int read = Frama_C_interval_split(0, PLACES);
    const int index = Frama_C_interval_split(0, 2);
    uint32_t one = any32();

    if (index != 0 || read == 0)
        label_filter(range, 2, index, index == 2 && read == PLACES ? 0 : read);
    if (index != 0 || read > 1)
        return;
    label_filter(range, read, 0, 0);
    if (range == 0 && read == 0) {
        selection(Frama_C_interval_split(0, 3 * UTET_MAX_NDIM));
        dataset_name();
    }
    (void)table_at(&one, 0);
}
#endif

#if EVA_PART == 5
#define MORE 8 /* two slots */

/* The groups of the last of two axes; `read` labels of the current pass; `spare`: memory for more slots. */
static void groups(int range, int index, int read, int spare)
{
    struct utet_query_groups_at *g = &query.shared.of.binding.of.groups;
    uint32_t table[PLACES + MORE];
    const int old = index == GROUP_BEGIN ? Frama_C_interval_split(0, 1) : 1;
    int i;

    any_axis(1, range, read, table);
    grants = 1;
    query.group = UTET_QUERY_BY_LABEL;
    plan.priv.room = (size_t)(PLACES + spare);
    g->step = (uint8_t)index;
    g->groups = below(PLACES);
    g->before = below(PLACES);
    g->left = below((unsigned)plan.extents[1] + 1);
    g->place = below((unsigned)plan.extents[1]);
    g->slots = spare == MORE ? table + PLACES : g->own_slots;
    g->slot_count = 2;
    g->slot = below(2);
    Frama_C_make_unknown((char *)g->own_slots, sizeof g->own_slots);
    for (i = 0; i < PLACES + MORE && (index != GROUP_BEGIN || old); i++)
        table[i] = any32();
    if (index == GROUP_BEGIN && old) { /* a label_filter has the table of this axis */
        plan.by.grouping.axis[1].group_of = table_at;
        plan.by.grouping.axis[1].context = table;
        plan.priv.used = PLACES;
    }
    if (utet_query_bind_groups(&plan) == UTET_OK)
        for (i = 0; i < (int)plan.extents[1]; i++)
            /*@ assert set: \initialized(&table[i]); */;
    use_kept();
}

void eva_main(void)
{
    const int range = Frama_C_interval_split(0, SELECTED - 1);
    const int index = Frama_C_interval_split(GROUP_BEGIN, GROUP_COMPARE);
    const int read = Frama_C_interval_split(0, PLACES);
    const int spare = Frama_C_interval_split(0, 1) ? MORE : 0;

    if ((index <= GROUP_PASS && read != 0) || (index > GROUP_PASS && spare != 0))
        return;
    groups(range, index, read, spare);
}
#endif
