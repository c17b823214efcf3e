/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* port/littlefs over volumes in memory. Promises checked: the bytes are the file's, the library reads every volume
 * through small windows, and the names in a folder are listed. Errors of the medium: suite_littlefsfaults. */
#include "littlefsworld.h"
#include "utet_littlefs_folder.h"

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

/* ---- names ---- */

static utet_littlefs_folder names;

/* How many names of at most size - 1 bytes the folder has; *folders: how many of them are folders. */
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
                     DEMO_FILES + 3 - 2); /* demo_planet.tet and demo_small.tet have longer names */
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
        cmocka_unit_test(reads_the_files_bytes),      cmocka_unit_test(says_why_a_file_does_not_open),
        cmocka_unit_test(library_reads_every_volume), cmocka_unit_test(small_windows_work),
        cmocka_unit_test(two_files_at_a_time),        cmocka_unit_test(folders_are_listed),
    };

    return SUITE("littlefs", cases);
}
