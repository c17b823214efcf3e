/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * utet_tiledb_folder.h: which files of a folder count and in what order, lists of files that do not, sets of keys,
 * members of groups. Expected orders come from a plain search in the test, or from TileDB 2.30 where a case says so.
 */
#include "faultport.h"
#include "guard.h"
#include "suite.h"
#include "tilegen.h"
#include "utet_tiledb_folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UUID "0123456789abcdef0123456789ABCDEF"

enum { LEAST = 192 + UTET_TILEDB_RAW_MIN, MANY = 200 };

static faultport port;
static utet_file file;
static utet_tiledb tile;
static uint64_t work[4096];
static uint64_t lent[8192];
static utet_tiledb_files files;

static uint32_t seed;

static uint32_t next_random(uint32_t below)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % below;
}

/* ---- folders ---- */

typedef struct listing {
    char names[MANY][120]; /* an empty one ends the list; one that begins with a slash is a folder */
    unsigned next;
    int open;
    utet_status end;
} listing;

static listing list;

static utet_status list_open(void *ctx, const char *path)
{
    if (path[0] == '\0')
        return UTET_E_NOT_FOUND;
    ((listing *)ctx)->next = 0;
    ((listing *)ctx)->open++;
    return UTET_OK;
}

static utet_status list_next(void *ctx, char *name, size_t size, int *is_folder)
{
    listing *l = ctx;
    const char *from = l->names[l->next];

    if (from[0] == '\0')
        return l->end;
    l->next++;
    *is_folder = from[0] == '/';
    if (strlen(from) >= size) { /* not terminated, which no port may do */
        memcpy(name, from, size);
        return UTET_OK;
    }
    strcpy(name, from + *is_folder);
    return UTET_OK;
}

static void list_close(void *ctx)
{
    ((listing *)ctx)->open--;
}

static const utet_folder folder = {&list, list_open, list_next, list_close};

static void make_list(const char *const *names)
{
    unsigned i;

    memset(&list, 0, sizeof list);
    list.end = UTET_END;
    for (i = 0; names[i] != NULL; i++)
        strcpy(list.names[i], names[i]);
}

static utet_status open_files(uint64_t at, size_t size)
{
    utet_status status = utet_tiledb_files_open(&files, &folder, "x", at, (uint8_t *)lent + sizeof lent - size, size);

    assert_int_equal(list.open, 0);
    return status;
}

static void expect_next(const char *name, int is_list)
{
    assert_int_equal(utet_tiledb_files_next(&files), UTET_OK);
    suite_check(strcmp(files.name, name) == 0 && files.is_list == is_list, "%s is not %s", files.name, name);
}

/* Times are numbers; among equal first times the last name counts, whatever the second time is (TileDB 2.30). */
static void files_in_the_order_of_time(void **state)
{
    static const char *const names[] = {"__10_10_" UUID,
                                        "__9_9_" UUID,
                                        "__12_12_" UUID "_4",
                                        "other",
                                        "/__99_99_" UUID,
                                        "__5_10_" UUID,
                                        "__5_9_" UUID,
                                        "__05_7_" UUID,
                                        "__1099511627776_1099511627777_" UUID,
                                        "__18446744073709551615_18446744073709551615_" UUID "_4294967295",
                                        ".vac",
                                        "x.vac",
                                        "__7_7_" UUID ".ok",
                                        NULL};

    (void)state;
    make_list(names);
    assert_int_equal(open_files(UTET_TILEDB_NOW, sizeof lent), UTET_OK);
    assert_int_equal(files.count, 8);
    expect_next("__18446744073709551615_18446744073709551615_" UUID "_4294967295", 0);
    assert_true(files.stamp.first == UINT64_MAX && files.stamp.version == UINT32_MAX);
    expect_next("__1099511627776_1099511627777_" UUID, 0);
    assert_true(files.stamp.first == (uint64_t)1 << 40 && files.stamp.last == ((uint64_t)1 << 40) + 1);
    expect_next("__12_12_" UUID "_4", 0);
    expect_next("__10_10_" UUID, 0);
    expect_next("__9_9_" UUID, 0);
    expect_next("__5_9_" UUID, 0);
    expect_next("__5_10_" UUID, 0);
    expect_next("__05_7_" UUID, 0);
    assert_int_equal(utet_tiledb_files_next(&files), UTET_END);
    assert_int_equal(utet_tiledb_files_next(&files), UTET_END);
    assert_int_equal(open_files(9, sizeof lent), UTET_OK);
    expect_next("__9_9_" UUID, 0);
    expect_next("__5_9_" UUID, 0);
    expect_next("__05_7_" UUID, 0);
    assert_int_equal(utet_tiledb_files_next(&files), UTET_END);
    assert_int_equal(open_files(0, sizeof lent), UTET_OK);
    assert_int_equal(utet_tiledb_files_next(&files), UTET_END);
    memset(list.names[1], '_', sizeof list.names[1]); /* no end */
    assert_int_equal(open_files(9, sizeof lent), UTET_OK);
    assert_int_equal(files.count, 2);
}

/* Any number of names in any order, each time against the plain search for the one that comes next. */
static void random_orders(void **state)
{
    unsigned count, i, round;

    (void)state;
    for (round = 0; round < 300; round++) {
        char taken[MANY] = {0};
        uint64_t firsts[MANY];

        memset(&list, 0, sizeof list);
        list.end = UTET_END;
        count = round < 40 ? round / 2 : next_random(MANY - 1);
        for (i = 0; i < count; i++) {
            firsts[i] = (uint64_t)next_random(round % 3 == 0 ? 5 : 2000);
            if (round % 5 == 0)
                firsts[i] <<= 29;
            (void)snprintf(list.names[i], sizeof list.names[i], "__%llu_%llu_%032lx", (unsigned long long)firsts[i],
                           (unsigned long long)firsts[i] + next_random(12),
                           (unsigned long)next_random(1 << 20) << 12 | i);
        }
        assert_int_equal(open_files(UTET_TILEDB_NOW, sizeof lent), UTET_OK);
        assert_int_equal(files.count, count);
        for (;;) {
            unsigned best = MANY;

            for (i = 0; i < count; i++)
                if (!taken[i] && (best == MANY || firsts[i] > firsts[best] ||
                                  (firsts[i] == firsts[best] && strcmp(list.names[i], list.names[best]) > 0)))
                    best = i;
            if (best == MANY)
                break;
            expect_next(list.names[best], 0);
            taken[best] = 1;
        }
        assert_int_equal(utet_tiledb_files_next(&files), UTET_END);
    }
}

static void memory_for_names(void **state)
{
    static const char *const names[] = {"__10_10_" UUID, "__9_9_" UUID, "__1_12_" UUID ".vac", "__1_12_" UUID, NULL};
    size_t size;
    size_t enough;

    (void)state;
    make_list(names);
    assert_int_equal(open_files(UTET_TILEDB_NOW, 0), UTET_E_SPACE);
    enough = files.needed;
    for (size = 0; size <= enough + 8; size += 8) {
        guard memory = guard_new(size + 8, 8, GUARD_AFTER);
        uint8_t *data = memory.data + 8;

        canary_fill(memory.data, 8);
        assert_int_equal(utet_tiledb_files_open(&files, &folder, "x", 12, data, size),
                         size < enough ? UTET_E_SPACE : UTET_OK);
        assert_true(files.needed == enough && list.open == 0 && canary_intact(memory.data, 8));
        assert_true(size >= enough || files.count == 0);
        assert_int_equal(utet_tiledb_files_next(&files), size < enough ? UTET_END : UTET_OK);
        guard_free(&memory);
    }
    assert_int_equal(utet_tiledb_files_open(&files, &folder, "x", 12, (uint8_t *)lent + 4, 100), UTET_E_ARGUMENT);
    assert_int_equal(utet_tiledb_files_open(&files, &folder, "x", 12, NULL, 0), UTET_E_ARGUMENT);
    assert_int_equal(utet_tiledb_files_open(&files, &folder, "", 12, lent, sizeof lent), UTET_E_NOT_FOUND);
    assert_int_equal(utet_tiledb_files_next(&files), UTET_END);
    list.end = UTET_E_PORT - 3;
    assert_int_equal(open_files(12, sizeof lent), UTET_E_PORT - 3);
    assert_int_equal(utet_tiledb_files_next(&files), UTET_END);
    if (sizeof(size_t) > 4) /* no more of it is used than records can name */
        assert_int_equal(utet_tiledb_files_open(&files, &folder, "", 12, lent, SIZE_MAX), UTET_E_NOT_FOUND);
}

/* ---- lists of files that do not count ---- */

static char text[2000];

static utet_status open_text(size_t room)
{
    faultport_init(&port, text, strlen(text));
    return utet_init(&file, &port.io, work, room, NULL);
}

static unsigned left(void)
{
    unsigned count = 0;

    while (utet_tiledb_files_next(&files) == UTET_OK)
        count++;
    return count;
}

/* As TileDB 2.30 consolidates: the list names what the new file has taken over. In an array its lines begin at the
 * array's folder, in a group they are whole URIs. */
static void lists_of_files(void **state)
{
    static const char *const names[] = {"__10_10_" UUID, "__9_9_" UUID, "__1_12_" UUID ".vac", "__1_12_" UUID,
                                        "__12_12_" UUID, "__1_1_" UUID, "__11_11_" UUID,       NULL};
    utet_status status;
    unsigned slice;

    (void)state;
    make_list(names);
    for (slice = 0; slice < 60; slice++) {
        assert_int_equal(open_files(UTET_TILEDB_NOW, sizeof lent), UTET_OK);
        expect_next("__1_12_" UUID ".vac", 1);
        assert_int_equal(files.stamp.last, 12);
        strcpy(text, "/__meta/__1_1_" UUID "\nfile:///a/b/__meta/__9_9_" UUID "\n__10_10_" UUID "\n/__meta/__8_8_" UUID
                     "\n\n/x/\n__12_12_" UUID);
        assert_int_equal(open_text(192), UTET_OK);
        port.slice = slice;
        port.blocks = slice % 3;
        while ((status = utet_tiledb_files_vacuum(&files, &file)) == UTET_WOULD_BLOCK)
            assert_int_equal(utet_tiledb_open(&tile, &file, NULL), UTET_E_STATE);
        assert_true(status == UTET_OK && port.violations == 0);
        expect_next("__11_11_" UUID, 0);
        expect_next("__1_12_" UUID, 0);
        assert_int_equal(utet_tiledb_files_next(&files), UTET_END);
    }
    /* Before the time of the new file neither it nor its list counts. */
    assert_int_equal(open_files(11, sizeof lent), UTET_OK);
    expect_next("__11_11_" UUID, 0);
    assert_int_equal(left(), 3);
}

static void damaged_lists(void **state)
{
    static const char *const names[] = {"__10_10_" UUID, "__9_9_" UUID, "__1_12_" UUID ".vac", NULL};
    utet_tiledb_files other;
    unsigned i;
    size_t length;

    (void)state;
    make_list(names);
    memset(text, '_', sizeof text - 1); /* one line without an end */
    text[sizeof text - 1] = '\0';
    assert_int_equal(open_files(UTET_TILEDB_NOW, sizeof lent), UTET_OK);
    assert_int_equal(open_text(sizeof work), UTET_OK);
    assert_int_equal(utet_tiledb_files_vacuum(&files, &file), UTET_OK);
    assert_int_equal(left(), 3);
    strcpy(text, "");
    assert_int_equal(open_text(sizeof work), UTET_OK);
    assert_int_equal(utet_tiledb_files_vacuum(&files, &file), UTET_OK);
    strcpy(text, "/__meta/__9_9_" UUID "\n/__meta/__10_10_" UUID "\n");
    length = strlen(text);
    for (i = 0; i < 8 * length; i++) { /* every bit: one file of two is named, or both, or none but the list */
        unsigned count;

        assert_int_equal(open_files(UTET_TILEDB_NOW, sizeof lent), UTET_OK);
        text[i / 8] = (char)(text[i / 8] ^ 1 << i % 8);
        faultport_init(&port, text, length);
        assert_int_equal(utet_init(&file, &port.io, work, sizeof work, NULL), UTET_OK);
        assert_int_equal(utet_tiledb_files_vacuum(&files, &file), UTET_OK);
        count = left();
        suite_check(count >= 1 && count <= 3, "bit %u: %u files", i, count);
        text[i / 8] = (char)(text[i / 8] ^ 1 << i % 8);
    }
    assert_int_equal(open_files(UTET_TILEDB_NOW, sizeof lent), UTET_OK);
    assert_int_equal(open_text(191), UTET_OK);
    assert_int_equal(utet_tiledb_files_vacuum(&files, &file), UTET_E_BUDGET);
    assert_int_equal(file.needed, 192);
    for (i = 0; i < 3; i++) { /* a fault, and the same call again */
        assert_int_equal(open_files(UTET_TILEDB_NOW, sizeof lent), UTET_OK);
        assert_int_equal(open_text(192), UTET_OK);
        port.slice = 20;
        port.fault = i == 2 ? FAULT_EOF : FAULT_ERROR;
        port.fault_at = i;
        assert_int_equal(utet_tiledb_files_vacuum(&files, &file), i == 2 ? UTET_E_SHORT : FAULTPORT_ERROR);
        assert_int_equal(utet_tiledb_files_vacuum(&files, &file), UTET_OK);
        assert_int_equal(left(), 1);
    }
    assert_int_equal(open_files(UTET_TILEDB_NOW, sizeof lent), UTET_OK);
    other = files;
    assert_int_equal(open_text(192), UTET_OK);
    port.blocks = 1;
    assert_int_equal(utet_tiledb_files_vacuum(&files, &file), UTET_WOULD_BLOCK);
    assert_int_equal(utet_tiledb_files_vacuum(&other, &file), UTET_E_STATE);
    assert_int_equal(utet_cancel(&file), UTET_OK);
    port.pending = 0;
    port.blocks = 0;
    assert_int_equal(utet_tiledb_files_vacuum(&other, &file), UTET_OK);
    assert_int_equal(open_text(192 + UTET_TILEDB_RAW_MIN), UTET_OK);
    port.blocks = 1;
    assert_int_equal(utet_tiledb_open(&tile, &file, NULL), UTET_WOULD_BLOCK);
    assert_int_equal(utet_tiledb_files_vacuum(&other, &file), UTET_E_STATE); /* it is a tile */
    assert_int_equal(open_text(192 + UTET_TILEDB_RAW_MIN), UTET_OK);
    port.blocks = 1;
    assert_int_equal(utet_open(&file, NULL), UTET_WOULD_BLOCK);
    assert_int_equal(utet_tiledb_files_vacuum(&other, &file), UTET_E_STATE); /* another call is suspended */
    memset(&file, 0, sizeof file);
    file.priv.io = &port.io;
    assert_int_equal(utet_tiledb_files_vacuum(&files, &file), UTET_E_STATE);
}

/* ---- keys ---- */

static utet_status open_made(size_t room)
{
    faultport_init(&port, made.bytes, made.size);
    assert_int_equal(utet_init(&file, &port.io, work, room, NULL), UTET_OK);
    return utet_tiledb_open(&tile, &file, NULL);
}

/* Short keys of few letters, zeros among them, so that many are equal or begin alike: the set says what a search
 * through all earlier ones says, in memory that is just enough, a "not yet" before every piece. */
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
        size = (size + 47 + 3) & ~(size_t)3; /* and the last one, to be compared */
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

/* Every size of memory: what has no room is refused with the bytes that it lacks, and what came before stays known. */
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

/* Everything that the file says, as one number; 0: an error. */
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

/* Values that fields cannot have. */
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

/* The file cut anywhere, and with each bit changed: an error, or a group that says something; "not yet" before each
 * piece; a fault at each read, after which the same walk succeeds. */
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
    for (i = 0; i < all - TILEGEN_RAW; i++) { /* of the raw tile so many bytes */
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
    assert_true(walk_group(&status) == 0 && status == UTET_E_METADATA); /* a byte too many */
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

/* A medium that answers otherwise each time: any status, but within memory, and an end. */
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

/* Each row as TileDB 2.30 answered: three schema files in the order of their sizes, the time, which of them counts. */
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
        cmocka_unit_test(files_in_the_order_of_time),
        cmocka_unit_test(random_orders),
        cmocka_unit_test(memory_for_names),
        cmocka_unit_test(lists_of_files),
        cmocka_unit_test(damaged_lists),
        cmocka_unit_test(keys_are_new_once),
        cmocka_unit_test(memory_for_keys),
        cmocka_unit_test(members),
        cmocka_unit_test(what_members_cannot_be),
        cmocka_unit_test(groups_under_stress),
        cmocka_unit_test(groups_that_change),
        cmocka_unit_test(schemas_at_times),
    };

    return SUITE("groups", cases);
}
