/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Groups by label. A pass over the labels finds as many groups as half of its slots, in the order of their first
 * places; what is no label of these waits for the next pass. Slots are found by a hash of the label, and it is compared
 * with the first one of the group. Places that label_filter leaves out have a group all the same, in priv.table, until
 * the axis is through.
 */
#include "../fold/fold.h"
#include "query.h"

#include <string.h>

enum { GROUP_BEGIN, GROUP_PASS, GROUP_NEXT, GROUP_HASH, GROUP_SLOT, GROUP_COMPARE };

#define LEFT_OUT ((uint32_t)1 << 31) /* in priv.table */
#define NO_GROUP (LEFT_OUT - 1)      /* a place that has none yet */

/* A slot: the group and 1, 0 in a free one; the hash of its first label, its length, its place behind the list's. */
enum { SLOT_GROUP, SLOT_HASH, SLOT_SIZE, SLOT_PLACE, SLOT_WORDS };

/* All places of the axis are without a group. */
static void clear_groups(utet_query_plan *plan, unsigned axis)
{
    uint64_t place;

    for (place = 0; place < plan->extents[axis]; place++)
        plan->priv.table[place] |= NO_GROUP;
    plan->priv.groups = 0;
    plan->priv.other = plan->extents[axis];
    plan->priv.index = GROUP_PASS;
}

/* What is left of the memory becomes slots, two for each group of a pass. */
static utet_status take_slots(utet_query_plan *plan, unsigned axis)
{
    const uint64_t places = plan->extents[axis];
    const uint64_t spare = (plan->priv.room - plan->priv.used) / SLOT_WORDS;
    const uint64_t most = 2 * places + 2;

    plan->priv.slots = plan->priv.own_slots;
    plan->priv.slot_count = 2;
    if (spare >= 2) {
        plan->priv.slots = plan->priv.places + plan->priv.used;
        plan->priv.slot_count = (uint32_t)(spare < most ? spare : most);
    }
    if (places <= utet_mul(plan->priv.slot_count / 2, UTET_QUERY_LABEL_PASSES))
        return UTET_OK;
    plan->places_needed = plan->priv.used + (size_t)(places / 8) + 2 * SLOT_WORDS;
    return UTET_E_SPACE;
}

static utet_status begin_groups(utet_query_plan *plan, unsigned axis)
{
    utet_query *query = plan->priv.query;
    utet_status status = utet_meta_labels(plan->priv.meta, &plan->about, axis, &plan->priv.labels);

    if (status == UTET_E_NOT_FOUND && plan->about.coords.size == 0)
        return utet_query_refuse(query, QUERY_GROUP_NO_LABELS);
    if (status == UTET_E_NOT_FOUND)
        return utet_query_refuse_number(query, QUERY_GROUP_AXIS_LABELS, axis);
    if (status != UTET_OK)
        return status;
    query->fault.number[2] = axis;
    if (plan->priv.labels.size != plan->dataset.shape[axis])
        return utet_query_refuse_numbers(query, QUERY_LABEL_COUNT, plan->priv.labels.size, plan->dataset.shape[axis]);
    plan->priv.table = plan->grouping.axis[axis].context; /* of label_filter, whose mask becomes a bit */
    if (plan->grouping.axis[axis].of == NULL) {
        status = utet_query_take_table(plan, axis);
        if (status != UTET_OK)
            return status;
        memset(plan->priv.table, 0, (size_t)plan->extents[axis] * sizeof *plan->priv.table);
    }
    plan->priv.salt = 0;
    clear_groups(plan, axis);
    return take_slots(plan, axis);
}

static void end_groups(utet_query_plan *plan, unsigned axis)
{
    uint64_t place;

    for (place = 0; place < plan->extents[axis]; place++)
        if ((plan->priv.table[place] & LEFT_OUT) != 0)
            plan->priv.table[place] = UTET_FOLD_LEFT_OUT;
    plan->grouping.axis[axis].groups = plan->priv.groups;
    plan->priv.index = GROUP_BEGIN;
}

/* There are places without a group. */
static void begin_pass(utet_query_plan *plan)
{
    memset(plan->priv.slots, 0, (size_t)plan->priv.slot_count * SLOT_WORDS * sizeof *plan->priv.slots);
    plan->priv.list = plan->priv.labels;
    plan->priv.at = 0;
    plan->priv.first = plan->priv.groups;
    plan->priv.hits = 0;
    plan->priv.index = GROUP_NEXT;
}

/* The next label of a pass. */
static utet_status group_next(utet_query_plan *plan, unsigned axis)
{
    utet_value key;
    utet_status status;

    if (plan->priv.other == 0)
        return UTET_END;
    status = utet_value_next(plan->priv.meta, &plan->priv.list, &key, &plan->priv.right);
    if (status == UTET_END) {
        plan->priv.index = GROUP_PASS;
        return plan->priv.first != plan->priv.groups ? UTET_OK : UTET_E_METADATA; /* the list is shorter now */
    }
    if (status != UTET_OK)
        return status;
    plan->priv.place = utet_query_selected_place(&plan->ranges[axis], plan->priv.at++);
    if (plan->priv.place == UINT64_MAX || (plan->priv.table[plan->priv.place] & NO_GROUP) != NO_GROUP)
        return UTET_OK;
    plan->priv.left = plan->priv.right;
    plan->priv.hash = plan->priv.salt;
    plan->priv.index = GROUP_HASH;
    return UTET_OK;
}

static uint32_t mixed(uint32_t hash, uint32_t with)
{
    hash = (hash ^ with) * 0x9E3779B1u;
    return hash ^ hash >> 15;
}

static utet_status group_hash(utet_query_plan *plan)
{
    size_t i;
    utet_status status = utet_text_read(plan->priv.meta, &plan->priv.left, plan->priv.piece[0],
                                        sizeof plan->priv.piece[0], &plan->priv.got);

    if (status == UTET_END) {
        plan->priv.slot = plan->priv.hash % plan->priv.slot_count;
        plan->priv.index = GROUP_SLOT;
        return UTET_OK;
    }
    if (status == UTET_OK)
        for (i = 0; i < plan->priv.got; i++)
            plan->priv.hash = mixed(plan->priv.hash, (uint8_t)plan->priv.piece[0][i]);
    return status;
}

/* The label under way belongs to the group. */
static void put_into_group(utet_query_plan *plan, uint32_t group)
{
    uint32_t *const at = &plan->priv.table[plan->priv.place];

    *at = (*at & LEFT_OUT) | group;
    plan->priv.other--;
    plan->priv.index = GROUP_NEXT;
}

/* Another label has the slot. Labels that were made to meet in a few slots are begun anew, with another hash, which
 * all of them up to here have a part in. */
static void next_slot(utet_query_plan *plan, unsigned axis)
{
    plan->priv.slot = (plan->priv.slot + 1) % plan->priv.slot_count;
    plan->priv.index = GROUP_SLOT;
    if (++plan->priv.hits > 8 * plan->extents[axis]) {
        plan->priv.salt = plan->priv.next_salt;
        clear_groups(plan, axis);
    }
}

static void group_slot(utet_query_plan *plan, unsigned axis)
{
    uint32_t *const slot = plan->priv.slots + plan->priv.slot * SLOT_WORDS;

    if (slot[SLOT_GROUP] == 0 && plan->priv.groups - plan->priv.first == plan->priv.slot_count / 2) {
        plan->priv.index = GROUP_NEXT; /* of a later pass */
    } else if (slot[SLOT_GROUP] == 0) {
        plan->priv.next_salt = mixed(plan->priv.next_salt, plan->priv.hash + 1);
        slot[SLOT_HASH] = plan->priv.hash;
        slot[SLOT_SIZE] = plan->priv.right.size;
        slot[SLOT_PLACE] = (uint32_t)(plan->priv.right.value - plan->priv.labels.value);
        put_into_group(plan, plan->priv.groups++);
        slot[SLOT_GROUP] = plan->priv.groups;
    } else if (slot[SLOT_HASH] != plan->priv.hash) {
        next_slot(plan, axis);
    } else {
        plan->priv.against = plan->priv.right;
        plan->priv.against.size = slot[SLOT_SIZE];
        plan->priv.against.value = plan->priv.labels.value + slot[SLOT_PLACE];
        plan->priv.index = GROUP_COMPARE;
    }
}

static utet_status group_compare(utet_query_plan *plan, unsigned axis)
{
    int same;
    utet_status status = utet_query_compare_values(plan, &plan->priv.against, &plan->priv.right, &same);

    if (status != UTET_OK)
        return status;
    if (same)
        put_into_group(plan, plan->priv.slots[plan->priv.slot * SLOT_WORDS + SLOT_GROUP] - 1);
    else
        next_slot(plan, axis);
    return UTET_OK;
}

/* priv.other: selected places without a group; priv.first: groups before this pass. */
static utet_status group_step(utet_query_plan *plan, unsigned axis)
{
    switch (plan->priv.index) {
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
