/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Files with members of a group (§5.3). */
#include <stdint.h>

#if SIZE_MAX >= 0xFFFFFFFF /* else nothing is left of this file: utet_tiledb.h says so */

#include "tiledb.h"
#include "utet_tiledb_folder.h"

#include <string.h>

#define IN_GROUP(name) offsetof(utet_tiledb_group, name)
#define IN_MEMBER(name) offsetof(utet_tiledb_member, name)

enum { TILEDB_GROUP_BEGIN, TILEDB_GROUP_MEMBER, TILEDB_GROUP_NAME, TILEDB_GROUP_DELETED };
enum { SINCE_DELETED = 2, NEWEST = 2 }; /* versions of a member; of a group */
enum { MEMBER_LEAST = 15 };             /* bytes */

static const utet_tiledb_rule group_head_rules[] = {
    {UTET_OP_U32, UTET_ANY, IN_GROUP(version)}, {UTET_OP_U64, UTET_ANY, IN_GROUP(count)}, UTET_RULES_END};
static const utet_tiledb_rule member_rules[] = {
    {UTET_OP_U32, UTET_FROM_TO(1, 2), IN_MEMBER(version)}, {UTET_OP_U8, UTET_FROM_TO(1, 2), IN_MEMBER(type)},
    {UTET_OP_U8, UTET_FROM_TO(0, 1), IN_MEMBER(relative)}, {UTET_OP_LONG_TEXT, UTET_ANY, IN_MEMBER(uri)},
    {UTET_OP_U8, UTET_FROM_TO(0, 1), IN_MEMBER(named)},    UTET_RULES_END};
static const utet_tiledb_rule name_rules[] = {{UTET_OP_LONG_TEXT, UTET_ANY, IN_MEMBER(name)}, UTET_RULES_END};
static const utet_tiledb_rule deleted_rules[] = {{UTET_OP_U8, UTET_FROM_TO(0, 1), IN_MEMBER(deleted)}, UTET_RULES_END};

utet_status utet_tiledb_group_open(utet_tiledb_group *group, utet_tiledb *tile)
{
    utet_status status = utet_tiledb_enter(tile, UTET_CALL_TILEDB_GROUP);

    if (status != UTET_OK)
        return status;
    if (tile->priv.step == TILEDB_GROUP_BEGIN) {
        memset(group, 0, sizeof *group);
        utet_tiledb_begin(tile, 0);
        tile->priv.step = TILEDB_GROUP_MEMBER;
    }
    status = utet_tiledb_walk(tile, group_head_rules, group);
    if (status == UTET_OK) {
        group->priv.place = tile->priv.place;
        if (group->version == 0 || group->version > NEWEST)
            status = UTET_E_VERSION;
        else if (group->count > (tile->size - tile->priv.place) / MEMBER_LEAST)
            status = UTET_E_METADATA;
        else
            group->priv.tile = tile;
    }
    return utet_tiledb_leave(tile, status);
}

/* A walk, and then the next one from where it ended. */
static utet_status group_walk(utet_tiledb *tile, const utet_tiledb_rule *rules, utet_tiledb_member *member)
{
    utet_status status = utet_tiledb_walk(tile, rules, member);

    if (status == UTET_OK) {
        utet_tiledb_begin(tile, tile->priv.place);
        tile->priv.step++;
    }
    return status;
}

static utet_status group_take(utet_tiledb *tile, utet_tiledb_member *member)
{
    utet_status status = UTET_OK;

    if (tile->priv.step == TILEDB_GROUP_MEMBER)
        status = group_walk(tile, member_rules, member);
    if (status == UTET_OK && tile->priv.step == TILEDB_GROUP_NAME)
        status = group_walk(tile, member->named ? name_rules : name_rules + 1, member);
    if (status == UTET_OK)
        status = utet_tiledb_walk(tile, member->version < SINCE_DELETED ? deleted_rules + 1 : deleted_rules, member);
    return status;
}

/* Nothing follows the last member. */
static utet_status group_finish(utet_tiledb *tile)
{
    utet_status status;

    tile->error_at = tile->priv.place;
    if (tile->priv.place != tile->size)
        return UTET_E_METADATA;
    status = utet_tiledb_finish(tile);
    return status == UTET_OK ? UTET_END : status;
}

/* Reads member `number`, at offset `place`. */
static utet_status member_at(utet_tiledb_group *group, uint8_t call, uint32_t place, uint32_t number,
                             utet_tiledb_member *member)
{
    utet_tiledb *tile = group->priv.tile;
    utet_status status = tile == NULL ? UTET_E_STATE : utet_tiledb_enter(tile, call);

    if (status != UTET_OK)
        return status;
    if (tile->priv.step == TILEDB_GROUP_BEGIN) {
        utet_tiledb_begin(tile, place);
        if (number < group->count)
            memset(member, 0, sizeof *member);
        member->number = number;
        tile->priv.step = TILEDB_GROUP_MEMBER;
    }
    status = member->number < group->count ? group_take(tile, member) : group_finish(tile);
    if (status == UTET_OK)
        member->priv.next = tile->priv.place;
    return utet_tiledb_leave(tile, status);
}

utet_status utet_tiledb_member_first(utet_tiledb_group *group, utet_tiledb_member *member)
{
    return member_at(group, UTET_CALL_TILEDB_MEMBER_FIRST, group->priv.place, 0, member);
}

utet_status utet_tiledb_member_next(utet_tiledb_group *group, utet_tiledb_member *member)
{
    return member_at(group, UTET_CALL_TILEDB_MEMBER_NEXT, member->priv.next, member->number + 1, member);
}

#endif
