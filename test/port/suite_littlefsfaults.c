/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* port/littlefs over volumes that fail, change or are damaged. Promises checked: every error of the medium is reported
 * as such, no bytes are delivered that have not arrived, and reading continues after reopening, with the library's file
 * object still valid. */
#include "littlefsworld.h"
#include "utet_littlefs_folder.h"

/* ---- errors of the medium ---- */

/* Each read of the medium fails once, and the status reports it. The port continues to refuse, although the medium
 * works again; after reopening, the same file object reads on. */
static void recovers(const struct geometry *g, const char *name, int stays)
{
    char hex[65], truth[65];
    utet_file file;
    uint32_t faults = 0;

    demo_expected(name, truth);
    make_volume(g);
    for (uint32_t at = 1;; at++, faults++) {
        utet_status status;
        int opened;

        open_demo(name);
        medium_fails(at, stays);
        status = open_file(&file, sizeof work);
        opened = status == UTET_OK;
        if (opened)
            status = demo_digest(&file, hex);
        if (medium.calls < at) {
            assert_int_equal(status, UTET_OK);
            break;
        }
        suite_check(status == UTET_LITTLEFS_STATUS(LFS_ERR_IO), "%s, read %u: status %d", g->name, (unsigned)at,
                    status);
        medium_fails(0, 0);
        if (opened)
            assert_int_equal(demo_digest(&file, hex), UTET_LITTLEFS_STATUS(LFS_ERR_IO));
        assert_int_equal(utet_littlefs_reopen(&port, name), UTET_OK);
        if (!opened) /* an error while opening sticks to the file object, so it is initialised again */
            assert_int_equal(open_file(&file, sizeof work), UTET_OK);
        assert_int_equal(demo_digest(&file, hex), UTET_OK);
        assert_string_equal(hex, truth);
        utet_littlefs_close(&port);
    }
    unmount();
    suite_check(faults > 20, "%s: only %u faults", g->name, (unsigned)faults);
    suite_figure("%s: %u medium errors (%s), all reported and over after reopening", g->name, (unsigned)faults,
                 stays ? "lasting" : "once");
}

static void medium_errors_end_with_reopening(void **state)
{
    (void)state;
    for (size_t g = 0; g < GEOMETRIES; g++) {
        recovers(&geometries[g], "demo_tiny.tet", 0);
        recovers(&geometries[g], "demo_tiny.tet", 1);
    }
}

/* littlefs' own cache may contain bytes that never arrived, so the application mounts again before the next attempt. */
static void errors_while_opening_end_with_mounting(void **state)
{
    uint32_t faults = 0;
    (void)state;
    for (size_t g = 0; g < GEOMETRIES; g++) {
        make_volume(&geometries[g]);
        for (uint32_t at = 1;; at++, faults++) {
            utet_status status;

            remount();
            medium_fails(at, 0);
            status = utet_littlefs_open(&port, &volume, "fields/" LONG_NAME, cache);
            if (medium.calls < at) {
                assert_int_equal(status, UTET_OK);
                break;
            }
            assert_int_equal(status, UTET_LITTLEFS_STATUS(LFS_ERR_IO));
            remount();
            open_demo("fields/" LONG_NAME);
            utet_littlefs_close(&port);
        }
        unmount();
    }
    suite_check(faults >= 6, "only %u faults", (unsigned)faults);
}

/* Another file of the same name: the file object would not fit it. */
static void another_file_is_noticed(void **state)
{
    const uint8_t *data;
    uint8_t byte;
    size_t got, size;
    (void)state;
    make_volume(&geometries[0]);
    open_demo("changed.tet");
    utet_littlefs_close(&port);
    assert_int_equal(utet_littlefs_reopen(&port, "changed.tet"), UTET_OK);
    utet_littlefs_close(&port);
    data = demo_file("demo_planet.tet", &size);
    put("changed.tet", data, size);
    assert_int_equal(utet_littlefs_reopen(&port, "changed.tet"), UTET_LITTLEFS_E_CHANGED);
    assert_int_equal(port.io.read(port.io.ctx, 0, &byte, 1, &got), UTET_LITTLEFS_STATUS(LFS_ERR_BADF));
    assert_int_equal(utet_littlefs_reopen(&port, "none.tet"), UTET_LITTLEFS_STATUS(LFS_ERR_NOENT));
    unmount();
}

/* Changes the file's last byte on the medium; the volume's own structures stay the same. */
static void flip_last_byte_of(const uint8_t *data, size_t size)
{
    for (size_t at = 0; size > 0 && at + 16 <= VOLUME; at++)
        if (memcmp(medium.bytes + at, data + size - 16, 16) == 0)
            medium.bytes[at + 15] ^= 1;
}

/* Two volumes, filled in the same way with files of the same length: only some bytes differ. */
static void another_volume_is_noticed(void **state)
{
    static const struct {
        const char *name;
        size_t size; /* littlefs keeps a short file in the folder */
    } files[] = {{"twin.tet", 30000}, {"short.tet", 40}};
    static uint8_t data[30000];
    static struct medium first;
    (void)state;
    for (size_t g = 0; g < GEOMETRIES; g++)
        for (unsigned f = 0; f < 2; f++)
            for (int second = 0; second < 3; second++) {
                make_volume(&geometries[g]);
                for (size_t i = 0; i < sizeof data; i++)
                    data[i] = (uint8_t)(i * 7 + i / 256 * 31);
                put(files[f].name, data, files[f].size);
                remount();
                open_demo(files[f].name);
                utet_littlefs_close(&port);
                first = medium;
                if (second == 1)
                    flip_last_byte_of(data, f == 0 ? files[f].size : 0);
                for (size_t i = 0; second == 2 && i < sizeof data; i++)
                    data[i] ^= 1;
                if (second == 2) {
                    make_volume(&geometries[g]);
                    put(files[f].name, data, files[f].size);
                }
                remount();
                suite_check(utet_littlefs_reopen(&port, files[f].name) ==
                                (second == 2 || (second == 1 && f == 0) ? UTET_LITTLEFS_E_CHANGED : UTET_OK),
                            "%s, %s, volume %d", geometries[g].name, files[f].name, second);
                utet_littlefs_close(&port);
                medium = first;
                remount();
                assert_int_equal(utet_littlefs_reopen(&port, files[f].name), UTET_OK);
                unmount();
            }
}

/* The same bytes, written again to the same volume: they may be elsewhere, and what was open becomes invalid. */
static void a_file_written_anew_is_noticed(void **state)
{
    const uint8_t *data;
    size_t size;
    (void)state;
    make_volume(&geometries[0]);
    open_demo("demo_planet.tet");
    utet_littlefs_close(&port);
    assert_int_equal(lfs_remove(&volume, "demo_cine.tet"), 0);
    data = demo_file("demo_planet.tet", &size);
    put("demo_planet.tet", data, size);
    assert_int_equal(utet_littlefs_reopen(&port, "demo_planet.tet"), UTET_LITTLEFS_E_CHANGED);
    unmount();
}

/* ---- the page's table: what can happen to a volume ---- */

static void volumes_that_do_not_mount(void **state)
{
    (void)state;
    make_volume(&geometries[0]);
    assert_int_equal(lfs_unmount(&volume), 0);
    config.block_size = 2048; /* and the medium has 4,096 */
    config.block_count *= 2;
    assert_int_equal(lfs_mount(&volume, &config), LFS_ERR_INVAL);
    config.block_size = 4096;
    config.block_count /= 2;
    memset(medium.bytes, 0xFF, VOLUME);
    assert_int_equal(lfs_mount(&volume, &config), LFS_ERR_CORRUPT);
    memset(medium.bytes, 0, VOLUME);
    assert_int_equal(lfs_mount(&volume, &config), LFS_ERR_CORRUPT);
}

static int prog_left = -1; /* programming fails after this many calls, as when power is lost; -1: it does not */

static int dying_prog(const struct lfs_config *c, lfs_block_t block, lfs_off_t off, const void *from, lfs_size_t size)
{
    if (prog_left == 0)
        return LFS_ERR_IO;
    prog_left--;
    return medium_prog(c, block, off, from, size);
}

/* Writes `size` bytes over demo_tiny.tet until the medium fails or is full; the old file still exists afterwards. */
static int overwrite(const uint8_t *data, size_t size)
{
    static uint8_t buffer[CACHE_MOST];
    const struct lfs_file_config with = {.buffer = buffer};
    lfs_file_t writing;
    lfs_ssize_t written = 0;

    if (lfs_file_opencfg(&volume, &writing, "demo_tiny.tet", LFS_O_WRONLY | LFS_O_TRUNC, &with) != 0)
        return LFS_ERR_IO;
    for (size_t at = 0; written >= 0 && at < size; at += 1000)
        written = lfs_file_write(&volume, &writing, data + at % 4000, 1000);
    return written < 0 ? (int)written : lfs_file_close(&volume, &writing);
}

static void a_file_that_was_not_finished_is_the_old_one(void **state)
{
    char hex[65], truth[65];
    static uint8_t data[5000];
    utet_file file;
    unsigned cut = 0;
    (void)state;
    demo_expected("demo_tiny.tet", truth);
    for (int left = -1; left < 60; left++) {
        int error;

        make_volume(&geometries[0]);
        config.prog = dying_prog;
        prog_left = left;
        error = overwrite(data, left < 0 ? VOLUME : 20000);
        prog_left = -1;
        if (left < 0)
            assert_int_equal(error, LFS_ERR_NOSPC);
        cut += error != 0;
        if (error == 0)
            continue;                                     /* the new file was committed in time */
        assert_int_equal(lfs_mount(&volume, &config), 0); /* the board starts again */
        open_demo("demo_tiny.tet");
        assert_int_equal(open_file(&file, sizeof work), UTET_OK);
        assert_int_equal(demo_digest(&file, hex), UTET_OK);
        assert_string_equal(hex, truth);
        utet_littlefs_close(&port);
    }
    suite_check(cut > 10, "power went only %u times", cut);
}

/* Each byte of the folder's blocks is damaged in turn: the result is an error, or the folder as it is or was once
 * (littlefs returns to what it can still read); then the file has its bytes, or none yet. */
static void damaged_folders_are_noticed(void **state)
{
    unsigned refused = 0, good = 0, older = 0;
    size_t size;
    const uint8_t *truth = demo_file("demo_planet.tet", &size);
    (void)state;
    make_volume(&geometries[1]);
    truth = demo_file("demo_planet.tet", &size);
    for (size_t at = 0; at < (size_t)2 * geometries[1].block; at++) {
        utet_status status = UTET_E_PORT;

        (void)lfs_unmount(&volume);
        medium.bytes[at] ^= 0x10;
        if (lfs_mount(&volume, &config) == 0)
            status = utet_littlefs_open(&port, &volume, "demo_planet.tet", cache);
        suite_check(status == UTET_OK || status <= UTET_E_PORT, "status %d", status);
        if (status == UTET_OK && port.io.size == size)
            demo_compare(&port.io, truth, size, "a folder with a damaged byte");
        good += status == UTET_OK && port.io.size == size;
        older += status == UTET_OK && port.io.size == 0;
        refused += status != UTET_OK;
        utet_littlefs_close(&port);
        medium.bytes[at] ^= 0x10;
    }
    suite_figure("%u damaged bytes of a folder: %u refused, %u times an empty file, %u without harm",
                 2u * geometries[1].block, refused, older, good);
    assert_int_equal(refused + good + older, 2 * geometries[1].block);
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        cmocka_unit_test(medium_errors_end_with_reopening),
        cmocka_unit_test(errors_while_opening_end_with_mounting),
        cmocka_unit_test(another_file_is_noticed),
        cmocka_unit_test(another_volume_is_noticed),
        cmocka_unit_test(a_file_written_anew_is_noticed),
        cmocka_unit_test(volumes_that_do_not_mount),
        cmocka_unit_test(a_file_that_was_not_finished_is_the_old_one),
        cmocka_unit_test(damaged_folders_are_noticed),
    };

    return SUITE("littlefsfaults", cases);
}
