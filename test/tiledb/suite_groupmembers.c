/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Sets of keys, members of groups, and schemas at a time (utet_tiledb_folder.h). */
#include "groupworld.h"

/* ---- keys ---- */

static utet_status open_made(size_t room)
{
    faultport_init(&port, made.bytes, made.size);
    assert_int_equal(utet_init(&file, &port.io, work, room, NULL), UTET_OK);
    return utet_tiledb_open(&tile, &file, NULL);
}

/* Short keys of few letters, zeros among them, so that many are equal or begin alike. The set gives the same answer as
 * a search through all earlier keys, in memory that just suffices, with "not yet" before every part. */
static void keys_are_new_once(void **state)
{
    unsigned round;

    (void)state;
    for (round = 0; round < 60; round++) {
        utet_tiledb_text keys[MANY];
        utet_tiledb_keys set;
        size_t size = 0;
        unsigned i, k;
        guard memory;

        tilegen_begin();
        for (i = 0; i < MANY; i++) {
            keys[i].offset = (uint32_t)(made.size - TILEGEN_RAW);
            keys[i].size = next_random(round % 4 == 0 ? 40 : 6);
            for (k = 0; k < keys[i].size; k++)
                tilegen_add((uint8_t) "\0\1a\xFF\x80z"[next_random(2 + round % 5)], 1);
        }
        tilegen_end(22);
        assert_int_equal(open_made(round % 2 == 0 ? sizeof work : LEAST), UTET_OK);
        port.slice = round % 2 == 0 ? 0 : 48;
        port.blocks = round % 2;
        for (i = 0; i < MANY; i++) {
            for (k = 0; k < i; k++)
                if (keys[k].size == keys[i].size &&
                    memcmp(made.bytes + TILEGEN_RAW + keys[k].offset, made.bytes + TILEGEN_RAW + keys[i].offset,
                           keys[i].size) == 0)
                    break;
            size += k == i ? 24 + keys[i].size : 0;
        }
        size = (size + 47 + 3) & ~(size_t)3; /* and the last key, for the comparison */
        memory = guard_new(size, 4, GUARD_AFTER);
        assert_int_equal(utet_tiledb_keys_init(&set, memory.data, size), UTET_OK);
        for (i = 0; i < MANY; i++) {
            utet_status status;

            for (k = 0; k < i; k++)
                if (keys[k].size == keys[i].size &&
                    memcmp(made.bytes + TILEGEN_RAW + keys[k].offset, made.bytes + TILEGEN_RAW + keys[i].offset,
                           keys[i].size) == 0)
                    break;
            while ((status = utet_tiledb_keys_add(&set, &tile, &keys[i])) == UTET_WOULD_BLOCK)
                continue;
            if (status == UTET_E_SPACE) {
                suite_check(k < i, "round %u: key %u has no room", round, i);
                continue;
            }
            suite_check(status == (k < i ? UTET_END : UTET_OK), "round %u: key %u: %d", round, i, status);
        }
        guard_free(&memory);
    }
}

/* Every size of memory: a key without room is refused with the number of missing bytes, and the earlier keys stay
 * known. */
static void memory_for_keys(void **state)
{
    static const utet_tiledb_text texts[] = {{0, 10}, {10, 1}, {0, 10}, {11, 0}, {3, 4}};
    utet_tiledb_keys set;
    size_t size;

    (void)state;
    tilegen_begin();
    tilegen_add(0x0807060504030201, 8);
    tilegen_add(0xFFFFFF, 3);
    tilegen_end(22);
    for (size = 0; size < 160; size += 4) {
        guard memory = guard_new(size + 4, 4, GUARD_AFTER);
        size_t used = 0;
        size_t i;

        canary_fill(memory.data, 4);
        assert_int_equal(open_made(sizeof work), UTET_OK);
        assert_int_equal(utet_tiledb_keys_init(&set, memory.data + 4, size), UTET_OK);
        for (i = 0; i < sizeof texts / sizeof *texts; i++) {
            const size_t wanted = 24 + texts[i].size;
            const int is_new = i != 2 || set.count == 0;
            const utet_status status = utet_tiledb_keys_add(&set, &tile, &texts[i]);

            suite_check(status == (used + wanted > size ? UTET_E_SPACE
                                   : is_new             ? UTET_OK
                                                        : UTET_END),
                        "key %u in %u bytes: %d", (unsigned)i, (unsigned)size, status);
            if (status == UTET_E_SPACE)
                assert_int_equal(set.needed, used + wanted - size);
            used += status == UTET_OK ? wanted : 0;
            assert_true(canary_intact(memory.data, 4));
        }
        guard_free(&memory);
    }
    assert_int_equal(utet_tiledb_keys_init(&set, (uint8_t *)lent + 2, 100), UTET_E_ARGUMENT);
    assert_int_equal(utet_tiledb_keys_init(&set, NULL, 100), UTET_E_ARGUMENT);
    assert_int_equal(utet_tiledb_keys_init(&set, lent, SIZE_MAX), UTET_OK);
    assert_int_equal(open_made(sizeof work), UTET_OK);
    assert_int_equal(utet_tiledb_keys_add(&set, &tile, &(utet_tiledb_text){UINT32_MAX, UINT32_MAX}), UTET_E_SPACE);
    assert_int_equal(utet_tiledb_keys_init(&set, lent, sizeof lent), UTET_OK);
    assert_int_equal(utet_tiledb_keys_add(&set, &tile, &(utet_tiledb_text){11, 1}), UTET_E_METADATA); /* not of it */
    memset(&tile, 0, sizeof tile);
    tile.priv.file = &file;
    assert_int_equal(utet_tiledb_keys_add(&set, &tile, &texts[0]), UTET_E_STATE);
}

/* ---- groups ---- */

static void add_member(unsigned version, unsigned type, const char *uri, const char *name, unsigned deleted)
{
    tilegen_add(version, 4);
    tilegen_add(type, 1);
    tilegen_add(uri[0] != '/', 1);
    tilegen_text(uri, 8);
    tilegen_add(name != NULL, 1);
    if (name != NULL)
        tilegen_text(name, 8);
    if (version > 1)
        tilegen_add(deleted, 1);
}

static void make_group(void)
{
    tilegen_begin();
    tilegen_add(2, 4);
    tilegen_add(4, 8);
    add_member(2, UTET_TILEDB_IS_ARRAY, "arrays/first", "the first", 0);
    add_member(2, UTET_TILEDB_IS_GROUP, "/elsewhere", NULL, 0);
    add_member(1, UTET_TILEDB_IS_ARRAY, "old", "", 7);
    add_member(2, UTET_TILEDB_IS_ARRAY, "gone", NULL, 1);
    tilegen_end(22);
}

static utet_tiledb_group group;

static utet_tiledb_member member;

/* Everything in the file, as one number; 0: an error. */
static uint32_t walk_group(utet_status *status)
{
    uint32_t sum = 1;

    do
        *status = utet_tiledb_group_open(&group, &tile);
    while (*status == UTET_WOULD_BLOCK);
    if (*status != UTET_OK)
        return 0;
    sum = sum * 31 + group.version + (uint32_t)group.count;
    do
        *status = utet_tiledb_member_first(&group, &member);
    while (*status == UTET_WOULD_BLOCK);
    while (*status == UTET_OK) {
        sum = sum * 31 + member.version + member.number * 7u + member.type * 11u + member.relative * 13u +
              member.named * 17u + member.deleted * 19u;
        sum = sum * 31 + member.uri.offset + member.uri.size * 3u + member.name.offset * 5u + member.name.size * 7u;
        do
            *status = utet_tiledb_member_next(&group, &member);
        while (*status == UTET_WOULD_BLOCK);
    }
    return *status == UTET_END ? sum : 0;
}

static void expect_text(utet_tiledb_text of, const char *wanted)
{
    char got[40];
    size_t length = 0;

    assert_int_equal(of.size, strlen(wanted));
    if (of.size != 0)
        assert_int_equal(utet_tiledb_read(&tile, &of, got, sizeof got, &length), UTET_OK);
    assert_memory_equal(got, wanted, length);
}

static void members(void **state)
{
    utet_status status;

    (void)state;
    make_group();
    assert_int_equal(open_made(LEAST), UTET_OK);
    assert_int_equal(utet_tiledb_group_open(&group, &tile), UTET_OK);
    assert_true(group.version == 2 && group.count == 4);
    assert_int_equal(utet_tiledb_member_first(&group, &member), UTET_OK);
    assert_true(member.type == UTET_TILEDB_IS_ARRAY && member.relative && member.named && !member.deleted);
    expect_text(member.uri, "arrays/first");
    expect_text(member.name, "the first");
    assert_int_equal(utet_tiledb_member_next(&group, &member), UTET_OK);
    assert_true(member.type == UTET_TILEDB_IS_GROUP && !member.relative && !member.named && member.name.size == 0);
    expect_text(member.uri, "/elsewhere");
    assert_int_equal(utet_tiledb_member_next(&group, &member), UTET_OK);
    assert_true(member.version == 1 && member.named && member.name.size == 0 && !member.deleted);
    assert_int_equal(utet_tiledb_member_next(&group, &member), UTET_OK);
    assert_true(member.number == 3 && member.deleted);
    assert_int_equal(utet_tiledb_member_next(&group, &member), UTET_END);

    tilegen_begin(); /* no members */
    tilegen_add(1, 4);
    tilegen_add(0, 8);
    tilegen_end(22);
    assert_int_equal(open_made(LEAST), UTET_OK);
    assert_true(walk_group(&status) != 0 && group.version == 1);
    assert_int_equal(utet_tiledb_member_first(&group, &member), UTET_END);
    memset(&group, 0, sizeof group);
    assert_int_equal(utet_tiledb_member_first(&group, &member), UTET_E_STATE);
    assert_int_equal(utet_tiledb_member_next(&group, &member), UTET_E_STATE);
    memset(&tile, 0, sizeof tile);
    tile.priv.file = &file;
    assert_int_equal(utet_tiledb_group_open(&group, &tile), UTET_E_STATE);
}

/* Values that fields must not have. */
static void what_members_cannot_be(void **state)
{
    static const struct {
        unsigned at, value;
        utet_status status;
    } rows[] = {
        {0, 0, UTET_E_VERSION},    {0, 3, UTET_E_VERSION},   {4, 5, UTET_E_METADATA},    {4, 3, UTET_E_METADATA},
        {4, 255, UTET_E_METADATA}, {11, 1, UTET_E_METADATA}, {12, 3, UTET_E_METADATA},   {12, 0, UTET_E_METADATA},
        {16, 0, UTET_E_METADATA},  {16, 3, UTET_E_METADATA}, {17, 2, UTET_E_METADATA},   {18, 255, UTET_E_METADATA},
        {22, 1, UTET_E_METADATA},  {38, 2, UTET_E_METADATA}, {39, 255, UTET_E_METADATA}, {56, 2, UTET_E_METADATA}};
    utet_status status;
    size_t i;

    (void)state;
    for (i = 0; i < sizeof rows / sizeof *rows; i++) {
        make_group();
        made.bytes[TILEGEN_RAW + rows[i].at] = (uint8_t)rows[i].value;
        assert_int_equal(open_made(sizeof work), UTET_OK);
        suite_check(walk_group(&status) == 0 && status == rows[i].status, "row %u: %d", (unsigned)i, status);
    }
}

/* The file truncated at each length, and with each bit changed: an error, or some group; "not yet" before each part; a
 * fault at each read, after which the same iteration succeeds. */
static void groups_under_stress(void **state)
{
    utet_status status;
    uint32_t right;
    size_t all, i;

    (void)state;
    make_group();
    all = made.size;
    assert_int_equal(open_made(sizeof work), UTET_OK);
    right = walk_group(&status);
    assert_int_equal(status, UTET_END);
    for (i = 1; i < 64; i++) {
        assert_int_equal(open_made(i % 2 == 0 ? LEAST : sizeof work), UTET_OK);
        port.slice = i;
        port.blocks = (unsigned)i % 3;
        suite_check(walk_group(&status) == right && port.violations == 0 && port.pending == 0, "slices of %u",
                    (unsigned)i);
    }
    for (i = 0; i < all - TILEGEN_RAW; i++) { /* that many bytes of the raw tile */
        make_group();
        made.size = TILEGEN_RAW + i;
        tilegen_end(22);
        assert_int_equal(open_made(LEAST), UTET_OK);
        suite_check(walk_group(&status) == 0, "%u bytes", (unsigned)i);
    }
    make_group();
    tilegen_add(0, 1);
    tilegen_end(22);
    assert_int_equal(open_made(LEAST), UTET_OK);
    assert_true(walk_group(&status) == 0 && status == UTET_E_METADATA); /* one byte too many */
    for (i = 0; i < 8 * all; i++) {
        make_group();
        made.bytes[i / 8] ^= (uint8_t)(1u << i % 8);
        status = open_made(LEAST);
        if (status == UTET_OK)
            (void)walk_group(&status);
        suite_check(status == UTET_END || (UTET_IS_ERROR(status) && status != UTET_E_STATE), "bit %u: %d", (unsigned)i,
                    status);
        assert_int_equal(port.violations, 0);
    }
    make_group();
    for (i = 0;; i++) {
        assert_int_equal(open_made(LEAST), UTET_OK);
        port.slice = 8;
        port.fault = FAULT_ERROR;
        port.fault_at = port.reads + i;
        if (walk_group(&status) != 0)
            break;
        assert_int_equal(status, FAULTPORT_ERROR);
        assert_int_equal(walk_group(&status), right);
    }
    assert_true(i > 5);
}

/* A medium that answers differently each time: any status, but within memory, and the call ends. */
static void groups_that_change(void **state)
{
    utet_status status;
    unsigned round, i;

    (void)state;
    for (round = 0; round < 2000; round++) {
        make_group();
        if (open_made(LEAST) != UTET_OK)
            continue;
        port.slice = 16;
        for (i = 0; i < 3; i++) {
            made.bytes[TILEGEN_CHUNKS + next_random((uint32_t)made.size - TILEGEN_CHUNKS)] = (uint8_t)next_random(256);
            (void)walk_group(&status);
            assert_true(status == UTET_END || (UTET_IS_ERROR(status) && status != UTET_E_STATE));
            (void)utet_tiledb_member_next(&group, &member);
        }
        assert_int_equal(port.violations, 0);
    }
}

/* ---- the schema at a time ---- */

/* Each row as TileDB 2.30 answered: three schema files in the order of their sizes, the time, and which of them
 * counts. */
static void schemas_at_times(void **state)
{
    static const struct {
        const char *names[3];
        uint64_t at;
        int counts;
    } rows[] = {
        {{"__9_9_" UUID, "__10_10_" UUID, "__12_12_" UUID}, UINT64_MAX, 0},
        {{"__9_9_" UUID, "__10_10_" UUID, "__12_12_" UUID}, 8, 1},
        {{"__9_9_" UUID, "__10_10_" UUID, "__12_12_" UUID}, 9, 0},
        {{"__9_9_" UUID, "__10_10_" UUID, "__12_12_" UUID}, 12, 0},
        {{"__10_10_" UUID, "__2_2_" UUID, "__30_30_" UUID}, 0, 0},
        {{"__10_10_" UUID, "__2_2_" UUID, "__30_30_" UUID}, 2, 1},
        {{"__10_10_" UUID, "__2_2_" UUID, "__30_30_" UUID}, 12, 1},
        {{"__10_10_" UUID, "__2_2_" UUID, "__30_30_" UUID}, 30, 2},
        {{"__20_20_" UUID, "__100_100_" UUID, "__3_3_" UUID}, 2, 1},
        {{"__20_20_" UUID, "__100_100_" UUID, "__3_3_" UUID}, 3, 2},
        {{"__5_9_" UUID, "__20_20_" UUID, "__30_30_" UUID}, 8, 1},
        {{"__5_9_" UUID, "__20_20_" UUID, "__30_30_" UUID}, 9, 0},
        {{"__30_30_" UUID, "__5_40_" UUID, "__7_7_" UUID}, 6, 0},
        {{"__30_30_" UUID, "__5_40_" UUID, "__7_7_" UUID}, 40, 2},
    };
    char name[UTET_TILEDB_NAME_SIZE];
    size_t i;

    (void)state;
    for (i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *names[4] = {NULL};

        memcpy(names, rows[i].names, sizeof rows[i].names);
        make_list(names);
        assert_int_equal(utet_tiledb_newest_at(&folder, "x", rows[i].at, name, sizeof name), UTET_OK);
        suite_check(strcmp(name, rows[i].names[rows[i].counts]) == 0, "row %u: %s", (unsigned)i, name);
    }
    assert_int_equal(utet_tiledb_newest_at(&folder, "", 1, name, sizeof name), UTET_E_NOT_FOUND);
    assert_int_equal(utet_tiledb_newest_at(&folder, "x", 1, name, sizeof name - 1), UTET_E_SPACE);
    list.end = UTET_E_PORT;
    assert_int_equal(utet_tiledb_newest_at(&folder, "x", 1, name, sizeof name), UTET_E_PORT);
    list.names[0][0] = '\0';
    list.end = UTET_END;
    assert_int_equal(utet_tiledb_newest_at(&folder, "x", 1, name, sizeof name), UTET_E_NOT_FOUND);
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        cmocka_unit_test(keys_are_new_once),
        cmocka_unit_test(memory_for_keys),
        cmocka_unit_test(members),
        cmocka_unit_test(what_members_cannot_be),
        cmocka_unit_test(groups_under_stress),
        cmocka_unit_test(groups_that_change),
        cmocka_unit_test(schemas_at_times),
    };
    return SUITE("groupmembers", cases);
}
