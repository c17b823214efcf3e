/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* port/littlefs over volumes in memory, with the geometry of a NOR flash, of a microcontroller's own flash and of an SD
 * card. Promises checked: the bytes are the file's; every error of the medium is reported as such, nothing that has not
 * arrived is handed out, and reading goes on after reopening, with the library's file object still valid; the names in
 * a folder are listed. */
#include "demo_files.h"
#include "suite.h"
#include "utet_littlefs.h"
#include "utet_littlefs_folder.h"

#include <stdio.h>
#include <string.h>

#define VOLUME ((size_t)1 << 20)
#define CACHE_MOST 512
#define LONG_NAME "Messwerte \xC3\xBC\x62\x65r dem \xC3\x84quator, Station 17.tet"

static const struct geometry {
    const char *name;
    uint16_t read, prog, block, cache;
} geometries[] = {{"NOR flash", 1, 256, 4096, 256},
                  {"internal flash", 8, 8, 2048, 64},
                  {"SD card", 512, 512, 4096, 512},
                  {"SD card, small blocks", 512, 512, 512, 512}};
#define GEOMETRIES (sizeof geometries / sizeof geometries[0])

static lfs_t volume;
static utet_littlefs port;
static uint8_t cache[CACHE_MOST];
static uint64_t work[40960 / 8];

/* ---- the medium ---- */

static struct medium {
    uint8_t bytes[VOLUME];
    uint32_t calls;   /* of read */
    uint32_t read;    /* bytes */
    uint32_t fail_at; /* the call with this number (from 1) fails; 0 = none */
    int fail_on;      /* 1: so do all later ones */
} medium;

static int medium_read(const struct lfs_config *c, lfs_block_t block, lfs_off_t off, void *to, lfs_size_t size)
{
    medium.calls++;
    if (medium.fail_at != 0 && (medium.calls == medium.fail_at || (medium.fail_on && medium.calls > medium.fail_at))) {
        memset(to, 0x5A, size); /* what a broken transfer leaves behind */
        return LFS_ERR_IO;
    }
    medium.read += size;
    memcpy(to, medium.bytes + (size_t)block * c->block_size + off, size);
    return 0;
}

static int medium_prog(const struct lfs_config *c, lfs_block_t block, lfs_off_t off, const void *from, lfs_size_t size)
{
    memcpy(medium.bytes + (size_t)block * c->block_size + off, from, size);
    return 0;
}

static int medium_erase(const struct lfs_config *c, lfs_block_t block)
{
    memset(medium.bytes + (size_t)block * c->block_size, 0xFF, c->block_size);
    return 0;
}

static int medium_sync(const struct lfs_config *c)
{
    (void)c;
    return 0;
}

static void medium_fails(uint32_t at, int on)
{
    medium.calls = 0;
    medium.read = 0;
    medium.fail_at = at;
    medium.fail_on = on;
}

/* ---- volumes ---- */

static struct lfs_config config;

static void put(const char *name, const void *data, size_t size)
{
    static uint8_t buffer[CACHE_MOST];
    const struct lfs_file_config with = {.buffer = buffer};
    lfs_file_t file;

    assert_int_equal(lfs_file_opencfg(&volume, &file, name, LFS_O_WRONLY | LFS_O_CREAT, &with), 0);
    assert_int_equal(lfs_file_write(&volume, &file, data, (lfs_size_t)size), size);
    assert_int_equal(lfs_file_close(&volume, &file), 0);
}

static void remount(void)
{
    (void)lfs_unmount(&volume);
    assert_int_equal(lfs_mount(&volume, &config), 0);
}

/* Formats the medium, mounts it and writes the files. */
static void make_volume(const struct geometry *g)
{
    static uint8_t read_buffer[CACHE_MOST], prog_buffer[CACHE_MOST], lookahead[16];
    size_t size;
    const uint8_t *data;

    medium_fails(0, 0);
    config = (struct lfs_config){.read = medium_read,
                                 .prog = medium_prog,
                                 .erase = medium_erase,
                                 .sync = medium_sync,
                                 .read_size = g->read,
                                 .prog_size = g->prog,
                                 .block_size = g->block,
                                 .block_count = (lfs_size_t)(VOLUME / g->block),
                                 .block_cycles = 500,
                                 .cache_size = g->cache,
                                 .lookahead_size = sizeof lookahead,
                                 .read_buffer = read_buffer,
                                 .prog_buffer = prog_buffer,
                                 .lookahead_buffer = lookahead};
    assert_int_equal(lfs_format(&volume, &config), 0);
    assert_int_equal(lfs_mount(&volume, &config), 0);
    for (unsigned f = 0; f < DEMO_FILES; f++) {
        data = demo_file(demo_files[f], &size);
        put(demo_files[f], data, size);
    }
    assert_int_equal(lfs_mkdir(&volume, "fields"), 0);
    data = demo_file("demo_tiny.tet", &size);
    put("fields/" LONG_NAME, data, size);
    put("inline.tet", data, 40); /* littlefs keeps so few bytes in the folder */
    put("changed.tet", data, size);
}

static void unmount(void)
{
    utet_littlefs_close(&port);
    assert_int_equal(lfs_unmount(&volume), 0);
}

static void open_demo(const char *name)
{
    assert_int_equal(utet_littlefs_open(&port, &volume, name, cache), UTET_OK);
}

static utet_status open_file(utet_file *file, size_t bytes)
{
    utet_status status = utet_init(file, &port.io, work, bytes, demo_codecs);

    return status == UTET_OK ? utet_open(file, NULL) : status;
}

/* ---- bytes ---- */

static void reads_the_files_bytes(void **state)
{
    (void)state;
    for (size_t g = 0; g < GEOMETRIES; g++) {
        char what[100];
        size_t size;
        const uint8_t *truth;

        make_volume(&geometries[g]);
        for (unsigned f = 0; f < DEMO_FILES; f++) {
            snprintf(what, sizeof what, "%s on %s", demo_files[f], geometries[g].name);
            truth = demo_file(demo_files[f], &size);
            open_demo(demo_files[f]);
            demo_compare(&port.io, truth, size, what);
            utet_littlefs_close(&port);
        }
        truth = demo_file("demo_tiny.tet", &size);
        open_demo("fields/" LONG_NAME);
        demo_compare(&port.io, truth, size, LONG_NAME);
        utet_littlefs_close(&port);
        open_demo("inline.tet");
        demo_compare(&port.io, truth, 40, "a file in its folder");
        unmount();
    }
}

static void says_why_a_file_does_not_open(void **state)
{
    uint8_t byte;
    size_t got;
    (void)state;
    make_volume(&geometries[0]);
    assert_int_equal(utet_littlefs_open(&port, &volume, "none.tet", cache), UTET_LITTLEFS_STATUS(LFS_ERR_NOENT));
    assert_int_equal(port.io.read(port.io.ctx, 0, &byte, 1, &got), UTET_LITTLEFS_STATUS(LFS_ERR_BADF));
    utet_littlefs_close(&port);
    assert_int_equal(utet_littlefs_open(&port, &volume, "none/none.tet", cache), UTET_LITTLEFS_STATUS(LFS_ERR_NOENT));
    assert_int_equal(utet_littlefs_open(&port, &volume, "fields", cache), UTET_LITTLEFS_STATUS(LFS_ERR_ISDIR));
    open_demo("demo_tiny.tet");
    utet_littlefs_close(&port);
    utet_littlefs_close(&port);
    assert_int_equal(port.io.read(port.io.ctx, 0, &byte, 1, &got), UTET_LITTLEFS_STATUS(LFS_ERR_BADF));
    unmount();
}

/* ---- the library over the port ---- */

static void library_reads_every_volume(void **state)
{
    char hex[65], truth[65];
    utet_file file;
    (void)state;
    demo_expected("demo_cine.tet", truth);
    for (size_t g = 0; g < GEOMETRIES; g++) {
        const unsigned units[] = {1, geometries[g].read};
        uint32_t least = UINT32_MAX;

        make_volume(&geometries[g]);
        open_demo("demo_cine.tet");
        for (unsigned u = 0; u < (geometries[g].read > 1 ? 2 : 1); u++) {
            port.io.unit = (uint16_t)units[u];
            medium_fails(0, 0);
            assert_int_equal(open_file(&file, sizeof work), UTET_OK);
            assert_int_equal(demo_digest(&file, hex), UTET_OK);
            assert_string_equal(hex, truth);
            suite_figure("%s: demo_cine.tet (%u bytes), io.unit %u: %u reads of %u bytes", geometries[g].name,
                         (unsigned)port.io.size, units[u], (unsigned)medium.calls, (unsigned)medium.read);
            suite_check(u == 0 || medium.calls >= least, "%s: whole units cost less", geometries[g].name);
            least = medium.calls;
        }
        unmount();
    }
}

static void small_windows_work(void **state)
{
    static const size_t windows[] = {UTET_WINDOW_LEAST(1), 384, UTET_WINDOW_BEST(1)};
    char hex[65], truth[65];
    utet_file file;
    (void)state;
    demo_expected("demo_tiny.tet", truth);
    for (size_t g = 0; g < GEOMETRIES; g++) {
        make_volume(&geometries[g]);
        open_demo("demo_tiny.tet");
        for (size_t w = 0; w < sizeof windows / sizeof windows[0]; w++) {
            medium_fails(0, 0);
            assert_int_equal(open_file(&file, windows[w]), UTET_OK);
            assert_int_equal(demo_digest(&file, hex), UTET_OK);
            assert_string_equal(hex, truth);
            suite_figure("%s: demo_tiny.tet (%u bytes, raw) with %zu bytes of workspace: %u reads of %u bytes",
                         geometries[g].name, (unsigned)port.io.size, windows[w], (unsigned)medium.calls,
                         (unsigned)medium.read);
        }
        unmount();
    }
}

static void two_files_at_a_time(void **state)
{
    static uint8_t other_cache[CACHE_MOST];
    static utet_littlefs other;
    uint8_t a[64], b[64];
    size_t size;
    (void)state;
    make_volume(&geometries[1]);
    open_demo("demo_cine.tet");
    assert_int_equal(utet_littlefs_open(&other, &volume, "demo_planet.tet", other_cache), UTET_OK);
    for (uint64_t at = 0; at < 20000; at += 997) {
        assert_int_equal(demo_read(&port.io, at, a, sizeof a), UTET_OK);
        assert_int_equal(demo_read(&other.io, at, b, sizeof b), UTET_OK);
        assert_memory_equal(a, demo_file("demo_cine.tet", &size) + at, sizeof a);
        assert_memory_equal(b, demo_file("demo_planet.tet", &size) + at, sizeof b);
    }
    utet_littlefs_close(&other);
    unmount();
}

/* ---- errors of the medium ---- */

/* Each read of the medium fails once: the status says so. The port goes on refusing, although the medium is well again;
 * after reopening the same file object reads on. */
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
        if (!opened) /* an error while opening sticks to the file object: it is prepared again */
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

/* littlefs' own cache may hold what has never arrived, so the application mounts anew before the next attempt. */
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

/* Another file of the same name: the file object would be wrong about it. */
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

/* Changes the file's last byte where it lies on the medium: the volume's own structures stay as they are. */
static void flip_last_byte_of(const uint8_t *data, size_t size)
{
    for (size_t at = 0; size > 0 && at + 16 <= VOLUME; at++)
        if (memcmp(medium.bytes + at, data + size - 16, 16) == 0)
            medium.bytes[at + 15] ^= 1;
}

/* Two volumes, filled in the same way with files of the same length: only the bytes differ, here and there. */
static void another_volume_is_noticed(void **state)
{
    static const struct {
        const char *name;
        size_t size; /* littlefs keeps a short one in the folder */
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

/* The same bytes, written anew on the same volume: they may lie elsewhere, and what was open is over. */
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

static int prog_left = -1; /* programming ends after so many calls, as when power goes; -1: it does not */

static int dying_prog(const struct lfs_config *c, lfs_block_t block, lfs_off_t off, const void *from, lfs_size_t size)
{
    if (prog_left == 0)
        return LFS_ERR_IO;
    prog_left--;
    return medium_prog(c, block, off, from, size);
}

/* Writes `size` bytes over demo_tiny.tet until the medium dies or is full; the old file is there afterwards. */
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
            continue;                                     /* the new one was committed in time */
        assert_int_equal(lfs_mount(&volume, &config), 0); /* the board starts again */
        open_demo("demo_tiny.tet");
        assert_int_equal(open_file(&file, sizeof work), UTET_OK);
        assert_int_equal(demo_digest(&file, hex), UTET_OK);
        assert_string_equal(hex, truth);
        utet_littlefs_close(&port);
    }
    suite_check(cut > 10, "power went only %u times", cut);
}

/* Each byte of the folder's blocks is damaged in turn: there is a status, or the folder as it is or was once (littlefs
 * goes back to what it can still read): the file has its bytes, or none yet. */
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

/* ---- names ---- */

static utet_littlefs_folder names;

/* How many names of at most size - 1 bytes the folder has; *folders: of them, those of folders. */
static int list(const char *path, size_t size, int *folders, char *last)
{
    int count = 0, is_folder;
    utet_status status;

    *folders = 0;
    assert_int_equal(names.folder.open(names.folder.ctx, path), UTET_OK);
    while ((status = names.folder.next(names.folder.ctx, last, size, &is_folder)) == UTET_OK) {
        count++;
        *folders += is_folder;
    }
    assert_int_equal(status, UTET_END);
    return count;
}

static void folders_are_listed(void **state)
{
    char name[80];
    int folders, is_folder;
    (void)state;
    make_volume(&geometries[0]);
    utet_littlefs_folder_init(&names, &volume);
    names.folder.close(names.folder.ctx);
    assert_int_equal(names.folder.next(names.folder.ctx, name, sizeof name, &is_folder), UTET_END);
    assert_int_equal(list("/", sizeof name, &folders, name), DEMO_FILES + 3);
    assert_int_equal(folders, 1);
    assert_int_equal(list("/", sizeof "demo_cine.tet", &folders, name),
                     DEMO_FILES + 3 - 2); /* demo_planet.tet and demo_small.tet are too long */
    assert_int_equal(list("fields", sizeof name, &folders, name), 1);
    assert_string_equal(name, LONG_NAME);
    assert_int_equal(names.folder.open(names.folder.ctx, "none"), UTET_E_NOT_FOUND);
    assert_int_equal(names.folder.open(names.folder.ctx, "demo_tiny.tet"), UTET_E_NOT_FOUND);
    for (uint32_t at = 1;; at++) {
        utet_status status;

        remount();
        medium_fails(at, 0);
        status = names.folder.open(names.folder.ctx, "/");
        while (status == UTET_OK)
            status = names.folder.next(names.folder.ctx, name, sizeof name, &is_folder);
        names.folder.close(names.folder.ctx);
        if (medium.calls < at) {
            assert_int_equal(status, UTET_END);
            suite_check(at > 3, "only %u faults", (unsigned)at - 1);
            break;
        }
        assert_int_equal(status, UTET_LITTLEFS_STATUS(LFS_ERR_IO));
    }
    unmount();
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        cmocka_unit_test(reads_the_files_bytes),
        cmocka_unit_test(says_why_a_file_does_not_open),
        cmocka_unit_test(library_reads_every_volume),
        cmocka_unit_test(small_windows_work),
        cmocka_unit_test(two_files_at_a_time),
        cmocka_unit_test(medium_errors_end_with_reopening),
        cmocka_unit_test(errors_while_opening_end_with_mounting),
        cmocka_unit_test(another_file_is_noticed),
        cmocka_unit_test(another_volume_is_noticed),
        cmocka_unit_test(a_file_written_anew_is_noticed),
        cmocka_unit_test(volumes_that_do_not_mount),
        cmocka_unit_test(a_file_that_was_not_finished_is_the_old_one),
        cmocka_unit_test(damaged_folders_are_noticed),
        cmocka_unit_test(folders_are_listed),
    };
    return SUITE("littlefs", cases);
}
