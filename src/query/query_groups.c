/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Groups by label. A pass reads the labels and finds as many groups as half of its slots, in the order of their first
 * indices; other labels wait for the next pass. Slots are found by a hash of the label, and it is compared
 * with the first one of the group. Places that label_filter leaves out have a group all the same, in the table, until
 * the axis is through.
 */
#include "../fold/fold.h"
#include "query.h"

#include <string.h>

/* of.groups.step */
enum { GROUP_BEGIN, GROUP_PASS, GROUP_NEXT, GROUP_HASH, GROUP_SLOT, GROUP_COMPARE };

#define LEFT_OUT ((uint32_t)1 << 31) /* in of.groups.table */
#define NO_GROUP (LEFT_OUT - 1)      /* an index that has none yet */

/* A slot: the group and 1, 0 in a free one; the hash of its first label, its length, its position after the list's. */
enum { SLOT_GROUP, SLOT_HASH, SLOT_SIZE, SLOT_PLACE, SLOT_WORDS };

/* No index of the axis has a group. */
static void clear_groups(utet_query_plan *plan, unsigned axis)
{
    struct utet_query_groups_at *g = &plan->priv.binding->of.groups;
    uint64_t place;

    for (place = 0; place < plan->extents[axis]; place++)
        g->table[place] |= NO_GROUP;
    g->groups = 0;
    g->left = plan->extents[axis];
    g->step = GROUP_PASS;
}

/* The rest of the memory becomes slots, two for each group of a pass. */
static utet_status take_slots(utet_query_plan *plan, unsigned axis)
{
    struct utet_query_groups_at *g = &plan->priv.binding->of.groups;
    const uint64_t places = plan->extents[axis];
    const uint64_t spare = (plan->priv.room - plan->priv.used) / SLOT_WORDS;
    const uint64_t most = 2 * places + 2;

    g->slots = g->own_slots;
    g->slot_count = 2;
    if (spare >= 2) {
        g->slots = plan->priv.places + plan->priv.used;
        g->slot_count = (uint32_t)(spare < most ? spare : most);
    }
    if (places <= utet_mul(g->slot_count / 2, UTET_QUERY_LABEL_PASSES))
        return UTET_OK;
    plan->places_needed = plan->priv.used + (size_t)(places / 8) + 2 * SLOT_WORDS;
    return UTET_E_SPACE;
}

static utet_status begin_groups(utet_query_plan *plan, unsigned axis)
{
    struct utet_query_groups_at *g = &plan->priv.binding->of.groups;
    utet_status status = utet_query_axis_labels(plan, axis, &g->labels, QUERY_GROUP_NO_LABELS);

    if (status != UTET_OK)
        return status;
    g->table = plan->by.grouping.axis[axis].context; /* of label_filter, whose mask becomes a bit */
    if (plan->by.grouping.axis[axis].group_of == NULL) {
        status = utet_query_take_table(plan, axis, &g->table);
        if (status != UTET_OK)
            return status;
        memset(g->table, 0, (size_t)plan->extents[axis] * sizeof *g->table);
    }
    g->salt = 0;
    clear_groups(plan, axis);
    return take_slots(plan, axis);
}

static void end_groups(utet_query_plan *plan, unsigned axis)
{
    struct utet_query_groups_at *g = &plan->priv.binding->of.groups;
    uint64_t place;

    for (place = 0; place < plan->extents[axis]; place++)
        if ((g->table[place] & LEFT_OUT) != 0)
            g->table[place] = UTET_FOLD_LEFT_OUT;
    plan->by.grouping.axis[axis].groups = g->groups;
    g->step = GROUP_BEGIN;
}

/* Some indices do not have a group yet. */
static void begin_pass(utet_query_plan *plan)
{
    struct utet_query_groups_at *g = &plan->priv.binding->of.groups;

    memset(g->slots, 0, (size_t)g->slot_count * SLOT_WORDS * sizeof *g->slots);
    g->rest = g->labels;
    g->index = 0;
    g->before = g->groups;
    g->meetings = 0;
    g->step = GROUP_NEXT;
}

/* The next label of a pass. */
static utet_status group_next(utet_query_plan *plan, unsigned axis)
{
    utet_query_texts *const texts = &plan->priv.binding->texts;
    struct utet_query_groups_at *g = &plan->priv.binding->of.groups;
    utet_value key;
    utet_status status;

    if (g->left == 0)
        return UTET_END;
    status = utet_value_next(plan->priv.meta, &g->rest, &key, &g->label);
    if (status == UTET_END) {
        g->step = GROUP_PASS;
        return g->before != g->groups ? UTET_OK : UTET_E_METADATA; /* the list is shorter now */
    }
    if (status != UTET_OK)
        return status;
    g->place = utet_query_selected_place(&plan->ranges[axis], g->index++);
    if (g->place == UINT64_MAX || (g->table[g->place] & NO_GROUP) != NO_GROUP)
        return UTET_OK;
    texts->left = g->label;
    g->hash = g->salt;
    g->step = GROUP_HASH;
    return UTET_OK;
}

static uint32_t query_groups_mixed(uint32_t hash, uint32_t with)
{
    hash = (hash ^ with) * 0x9E3779B1u;
    return hash ^ hash >> 15;
}

static utet_status group_hash(utet_query_plan *plan)
{
    utet_query_texts *const texts = &plan->priv.binding->texts;
    struct utet_query_groups_at *g = &plan->priv.binding->of.groups;
    size_t i;
    utet_status status = utet_text_read(plan->priv.meta, &texts->left, plan->priv.binding->piece[0],
                                        sizeof plan->priv.binding->piece[0], &texts->got);

    if (status == UTET_END) {
        g->slot = g->hash % g->slot_count;
        g->step = GROUP_SLOT;
        return UTET_OK;
    }
    if (status == UTET_OK)
        for (i = 0; i < texts->got; i++)
            g->hash = query_groups_mixed(g->hash, (uint8_t)plan->priv.binding->piece[0][i]);
    return status;
}

/* The current label belongs to the group. */
static void put_into_group(utet_query_plan *plan, uint32_t group)
{
    struct utet_query_groups_at *g = &plan->priv.binding->of.groups;
    uint32_t *const at = &g->table[g->place];

    *at = (*at & LEFT_OUT) | group;
    g->left--;
    g->step = GROUP_NEXT;
}

/* Another label has the slot. Labels that were made to meet in a few slots are begun anew, with another hash, which
 * all of them up to here have a part in. */
static void next_slot(utet_query_plan *plan, unsigned axis)
{
    struct utet_query_groups_at *g = &plan->priv.binding->of.groups;

    g->slot = (g->slot + 1) % g->slot_count;
    g->step = GROUP_SLOT;
    if (++g->meetings > 8 * plan->extents[axis]) {
        g->salt = g->next_salt;
        clear_groups(plan, axis);
    }
}

static void group_slot(utet_query_plan *plan, unsigned axis)
{
    struct utet_query_groups_at *g = &plan->priv.binding->of.groups;
    uint32_t *const slot = g->slots + g->slot * SLOT_WORDS;

    if (slot[SLOT_GROUP] == 0 && g->groups - g->before == g->slot_count / 2) {
        g->step = GROUP_NEXT; /* a later pass takes it */
    } else if (slot[SLOT_GROUP] == 0) {
        g->next_salt = query_groups_mixed(g->next_salt, g->hash + 1);
        slot[SLOT_HASH] = g->hash;
        slot[SLOT_SIZE] = g->label.size;
        slot[SLOT_PLACE] = (uint32_t)(g->label.value - g->labels.value);
        put_into_group(plan, g->groups++);
        slot[SLOT_GROUP] = g->groups;
    } else if (slot[SLOT_HASH] != g->hash) {
        next_slot(plan, axis);
    } else {
        g->first_label = g->label;
        g->first_label.size = slot[SLOT_SIZE];
        g->first_label.value = g->labels.value + slot[SLOT_PLACE];
        g->step = GROUP_COMPARE;
    }
}

static utet_status group_compare(utet_query_plan *plan, unsigned axis)
{
    struct utet_query_groups_at *g = &plan->priv.binding->of.groups;
    int same;
    utet_status status = utet_query_compare_values(plan, &g->first_label, &g->label, &same);

    if (status != UTET_OK)
        return status;
    if (same)
        put_into_group(plan, g->slots[g->slot * SLOT_WORDS + SLOT_GROUP] - 1);
    else
        next_slot(plan, axis);
    return UTET_OK;
}

static utet_status group_step(utet_query_plan *plan, unsigned axis)
{
    struct utet_query_groups_at *g = &plan->priv.binding->of.groups;

    switch (g->step) {
    case GROUP_BEGIN: return begin_groups(plan, axis);
    case GROUP_PASS: begin_pass(plan); return UTET_OK;
    case GROUP_NEXT: return group_next(plan, axis);
    case GROUP_HASH: return group_hash(plan);
    case GROUP_SLOT: group_slot(plan, axis); return UTET_OK;
    default: return group_compare(plan, axis);
    }
}

utet_status utet_query_bind_groups(utet_query_plan *plan)
{
    const unsigned ndim = plan->dataset.ndim;

    if (plan->priv.query->group != UTET_QUERY_BY_LABEL)
        return UTET_OK;
    while (plan->priv.step < ndim) {
        const unsigned axis = plan->priv.step;
        utet_status status = (plan->priv.keys >> axis & 1) != 0 ? group_step(plan, axis) : UTET_END;

        if (status == UTET_END) {
            if ((plan->priv.keys >> axis & 1) != 0)
                end_groups(plan, axis);
            plan->priv.step++;
        } else if (status != UTET_OK) {
            return status;
        }
    }
    return UTET_OK;
}
