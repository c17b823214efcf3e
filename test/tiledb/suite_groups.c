/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Folders in utet_tiledb_folder.h: which files count and in what order, and lists of files that do not count. Expected
 * orders come from a plain search in the test, or from TileDB 2.30 if a case says so. */
#include "groupworld.h"

static utet_tiledb_files files;

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

/* Times are numbers; among equal first times the last name counts, with any second time (TileDB 2.30). */
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

/* Any number of names in any order, each time against the plain search for the next one. */
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
    if (sizeof(size_t) > 4) /* only as much of it is used as records can name */
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

/* As TileDB 2.30 consolidates: the list names the files that the new file replaces. In an array its lines begin at the
 * array's folder, in a group they are complete URIs. */
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
    /* Before the time of the new file, neither the file nor its list counts. */
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
    memset(text, '_', sizeof text - 1); /* one line without a newline */
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
    for (i = 0; i < 8 * length; i++) { /* every bit: the list names one file of two, or both, or only itself */
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

int main(void)
{
    static const struct CMUnitTest cases[] = {
        cmocka_unit_test(files_in_the_order_of_time),
        cmocka_unit_test(random_orders),
        cmocka_unit_test(memory_for_names),
        cmocka_unit_test(lists_of_files),
        cmocka_unit_test(damaged_lists),
    };
    return SUITE("groups", cases);
}
