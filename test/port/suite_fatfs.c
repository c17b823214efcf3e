/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* port/fatfs over card images: FAT16, FAT32, MBR, exFAT, SDHC size, contiguous and fragmented. Promises checked: the
 * bytes are the file's; the cluster table costs what the page states and saves FAT reads; every error of the medium is
 * reported as such and has no effect after reopening, with the library's file object still valid. Images: folder
 * IMAGES; files on them: folder FILES. */
#include "demo_files.h"
#include "disk_image.h"
#include "ff.h"
#include "suite.h"
#include "utet_fatfs.h"

#include <stdio.h>
#include <string.h>

#define TABLE_MOST 2048

static FATFS volume;
static utet_fatfs port;
static DWORD table[TABLE_MOST];

static const struct image {
    const char *name;
    int type;
    uint32_t first_sector;
    int fragmented;
} images[] = {
    {"fat16", FS_FAT16, 0, 0},  {"fat16-fragmented", FS_FAT16, 0, 1},
    {"fat32", FS_FAT32, 0, 0},  {"fat32-fragmented", FS_FAT32, 0, 1},
    {"mbr", FS_FAT32, 4096, 0}, {"mbr-fragmented", FS_FAT32, 4096, 1},
    {"sdhc", FS_FAT32, 0, 0},   {"sdhc-fragmented", FS_FAT32, 0, 1},
    {"exfat", FS_EXFAT, 0, 0},  {"exfat-fragmented", FS_EXFAT, 0, 1},
};
#define IMAGE_COUNT (sizeof images / sizeof images[0])

static void use_image(const char *name)
{
    char path[300];
    snprintf(path, sizeof path, "%s/card-%s.img", demo_folder("IMAGES"), name);
    disk_image_use(path, 0);
    suite_check(f_mount(&volume, "", 1) == FR_OK, "%s does not mount", name);
}

/* ---- bytes ---- */

static void check_file(const struct image *image, const char *name, int with_table, unsigned unit)
{
    char what[100];
    size_t size;
    const uint8_t *truth = demo_file(name, &size);

    snprintf(what, sizeof what, "%s on %s", name, image->name);
    suite_check(utet_fatfs_open(&port, name, with_table ? table : NULL, TABLE_MOST) == UTET_OK, "%s", what);
    suite_check(port.io.unit == 512, "%s: unit", what);
    port.io.unit = (uint16_t)unit;
    demo_compare(&port.io, truth, size, what);
    utet_fatfs_close(&port);
}

static void reads_the_files_bytes(void **state)
{
    (void)state;
    for (size_t i = 0; i < IMAGE_COUNT; i++) {
        use_image(images[i].name);
        suite_check(volume.fs_type == images[i].type, "%s: type %d", images[i].name, volume.fs_type);
        suite_check(volume.volbase == images[i].first_sector, "%s: at %u", images[i].name, (unsigned)volume.volbase);
        for (size_t f = 0; f < DEMO_FILES; f++)
            for (int with_table = 0; with_table < 2; with_table++) {
                check_file(&images[i], demo_files[f], with_table, 512);
                check_file(&images[i], demo_files[f], with_table, 1);
            }
    }
}

static void opens_long_and_foreign_names(void **state)
{
    (void)state;
    use_image("fat32");
    assert_int_equal(utet_fatfs_open(&port, "/Messwerte \xC3\xBC\x62\x65r dem \xC3\x84quator, Station 17.tet", NULL, 0),
                     UTET_OK);
    utet_fatfs_close(&port);
    assert_int_equal(utet_fatfs_open(&port, "none.tet", table, TABLE_MOST), UTET_FATFS_STATUS(FR_NO_FILE));
    utet_fatfs_close(&port);
    assert_int_equal(utet_fatfs_open(&port, "no folder/none.tet", NULL, 0), UTET_FATFS_STATUS(FR_NO_PATH));
}

/* ---- the cluster table ---- */

static void table_takes_exactly_what_it_says(void **state)
{
    (void)state;
    for (size_t i = 0; i < IMAGE_COUNT; i++) {
        use_image(images[i].name);
        assert_int_equal(utet_fatfs_open(&port, "demo_cine.tet", table, 4),
                         images[i].fragmented ? UTET_FATFS_E_TABLE : UTET_OK);
        const DWORD need = port.table_need;
        suite_check(images[i].fragmented ? need > 20 : need == 4, "%s: table of %u", images[i].name, (unsigned)need);
        utet_fatfs_close(&port);
        assert_int_equal(utet_fatfs_open(&port, "demo_cine.tet", table, need - 1), UTET_FATFS_E_TABLE);
        assert_int_equal(port.table_need, need);
        table[need] = 0xC0DE;
        assert_int_equal(utet_fatfs_open(&port, "demo_cine.tet", table, need), UTET_OK);
        assert_int_equal(port.table_need, need);
        assert_int_equal(table[need], 0xC0DE);
        utet_fatfs_close(&port);
    }
}

/* Sectors read for one sector of every 2 KB of the file, from the end to the beginning. */
static uint32_t cost_of_reading_backwards(int with_table)
{
    uint8_t sector[512];
    assert_int_equal(utet_fatfs_open(&port, "demo_cine.tet", with_table ? table : NULL, TABLE_MOST), UTET_OK);
    disk_image_reset();
    for (uint64_t at = port.io.size / 2048 * 2048; at > 0; at -= 2048) {
        const size_t len = port.io.size - at < sizeof sector ? (size_t)(port.io.size - at) : sizeof sector;
        assert_int_equal(demo_read(&port.io, at, sector, len), UTET_OK);
    }
    utet_fatfs_close(&port);
    return disk_image.sectors;
}

static void table_saves_walking_the_fat(void **state)
{
    const uint32_t wanted = 178477 / 2048;
    (void)state;
    for (size_t i = 0; i < IMAGE_COUNT; i++) {
        use_image(images[i].name);
        const uint32_t with = cost_of_reading_backwards(1);
        const uint32_t without = cost_of_reading_backwards(0);
        suite_figure("%s: %u sectors wanted backwards, %u read with the cluster table, %u without", images[i].name,
                     (unsigned)wanted, (unsigned)with, (unsigned)without);
        suite_check(with == wanted, "%s: %u", images[i].name, (unsigned)with);
        suite_check(without >= with, "%s: %u", images[i].name, (unsigned)without);
        /* With clusters of one sector the file's part of the FAT is three sectors long, otherwise it fits FatFs'
         * buffer. */
        if (images[i].fragmented && images[i].type == FS_FAT32 && volume.csize == 1)
            suite_check(without > 2 * with, "%s: the table saves nothing", images[i].name);
    }
}

/* ---- the library over the port ---- */

static uint64_t work[40960 / 8];

static void library_reads_every_image(void **state)
{
    char hex[65], truth[65];
    utet_file file;
    (void)state;
    demo_expected("demo_cine.tet", truth);
    for (size_t i = 0; i < IMAGE_COUNT; i++) {
        use_image(images[i].name);
        assert_int_equal(utet_fatfs_open(&port, "demo_cine.tet", table, TABLE_MOST), UTET_OK);
        disk_image_reset();
        assert_int_equal(utet_init(&file, &port.io, work, sizeof work, demo_codecs), UTET_OK);
        assert_int_equal(utet_open(&file, NULL), UTET_OK);
        assert_int_equal(demo_digest(&file, hex), UTET_OK);
        assert_string_equal(hex, truth);
        suite_figure("%s: demo_cine.tet (349 sectors) decoded with %u sectors in %u reads", images[i].name,
                     (unsigned)disk_image.sectors, (unsigned)disk_image.calls);
        utet_fatfs_close(&port);
    }
}

/* What README.md states about io.unit: sectors for the same file; whole sectors go into the window, or bytes through
 * FatFs. */
static void small_windows_work_by_the_byte(void **state)
{
    static const struct {
        size_t window;
        unsigned unit;
    } ways[] = {{UTET_WINDOW_LEAST(1), 1}, {384, 1}, {UTET_WINDOW_BEST(1), 1}, {UTET_WINDOW_LEAST(512), 512}};
    char hex[65], truth[65];
    utet_file file;
    (void)state;
    demo_expected("demo_tiny.tet", truth);
    use_image("fat32");
    assert_int_equal(utet_fatfs_open(&port, "demo_tiny.tet", table, TABLE_MOST), UTET_OK);
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        port.io.unit = (uint16_t)ways[i].unit;
        disk_image_reset();
        assert_int_equal(utet_init(&file, &port.io, work, ways[i].window, demo_codecs), UTET_OK);
        assert_int_equal(utet_open(&file, &(utet_options){.budget = ways[i].window}), UTET_OK);
        assert_int_equal(demo_digest(&file, hex), UTET_OK);
        assert_string_equal(hex, truth);
        suite_figure("demo_tiny.tet (21 sectors, raw) with %zu bytes of workspace, io.unit %u: %u sectors",
                     ways[i].window, ways[i].unit, (unsigned)disk_image.sectors);
    }
    utet_fatfs_close(&port);
}

/* Every disk read fails once: the status reports it, and after the port is reopened the same file object continues. */
static void recovers(const char *image, const char *name, int stays)
{
    char hex[65], truth[65];
    utet_file file;
    uint32_t faults = 0;

    demo_expected(name, truth);
    use_image(image);
    for (uint32_t at = 1;; at++) {
        int hit;
        assert_int_equal(utet_fatfs_open(&port, name, table, TABLE_MOST), UTET_OK);
        disk_image_reset();
        disk_image.fail_at = at;
        disk_image.fail_on = stays;
        assert_int_equal(utet_init(&file, &port.io, work, sizeof work, demo_codecs), UTET_OK);
        utet_status status = utet_open(&file, NULL);
        const int opened = status == UTET_OK;
        if (opened)
            status = demo_digest(&file, hex);
        hit = disk_image.calls >= at;
        if (!hit) {
            assert_int_equal(status, UTET_OK);
            utet_fatfs_close(&port);
            break;
        }
        faults++;
        suite_check(status == UTET_FATFS_E_DISK, "%s, read %u: status %d", image, (unsigned)at, status);
        /* FatFs continues to refuse the file, although the medium works again. */
        disk_image_reset();
        if (opened)
            assert_int_equal(demo_digest(&file, hex), UTET_FATFS_E_DISK);
        assert_int_equal(utet_fatfs_reopen(&port, name), UTET_OK);
        if (!opened) { /* an error while opening sticks to the file object, so it is initialised again */
            assert_int_equal(utet_init(&file, &port.io, work, sizeof work, demo_codecs), UTET_OK);
            assert_int_equal(utet_open(&file, NULL), UTET_OK);
        }
        assert_int_equal(demo_digest(&file, hex), UTET_OK);
        assert_string_equal(hex, truth);
        utet_fatfs_close(&port);
    }
    suite_check(faults > 20, "%s: only %u faults", image, (unsigned)faults);
    suite_figure("%s: %u medium errors (%s), all reported and over after reopening", image, (unsigned)faults,
                 stays ? "lasting" : "once");
}

static void medium_errors_end_with_reopening(void **state)
{
    (void)state;
    recovers("fat32-fragmented", "demo_planet.tet", 0);
    recovers("fat32-fragmented", "demo_planet.tet", 1);
    recovers("exfat-fragmented", "demo_planet.tet", 0);
    recovers("fat16", "demo_tiny.tet", 0);
}

/* Errors while the file is opened or the table is made: nothing is open, and the next attempt succeeds. */
static void errors_while_opening_leave_nothing(void **state)
{
    uint32_t faults = 0;
    (void)state;
    for (uint32_t at = 1;; at++) {
        use_image("fat32-fragmented");
        disk_image_reset();
        disk_image.fail_at = at;
        const utet_status status = utet_fatfs_open(&port, "demo_cine.tet", table, TABLE_MOST);
        if (disk_image.calls < at) {
            assert_int_equal(status, UTET_OK);
            break;
        }
        faults++;
        assert_int_equal(status, UTET_FATFS_E_DISK);
        utet_fatfs_close(&port);
        assert_int_equal(utet_fatfs_open(&port, "demo_cine.tet", table, TABLE_MOST), UTET_OK);
        utet_fatfs_close(&port);
    }
    suite_check(faults >= 3, "only %u faults", (unsigned)faults);
}

static void card_pulled_out_and_put_back(void **state)
{
    char hex[65], truth[65];
    utet_file file;
    (void)state;
    demo_expected("demo_tiny.tet", truth);
    use_image("mbr");
    assert_int_equal(utet_fatfs_open(&port, "demo_tiny.tet", table, TABLE_MOST), UTET_OK);
    assert_int_equal(utet_init(&file, &port.io, work, sizeof work, demo_codecs), UTET_OK);
    assert_int_equal(utet_open(&file, NULL), UTET_OK);
    disk_image.absent = 1;
    suite_check(demo_digest(&file, hex) <= UTET_E_PORT, "reads without a card");
    assert_int_equal(utet_fatfs_reopen(&port, "demo_tiny.tet"), UTET_FATFS_STATUS(FR_NOT_READY));
    disk_image.absent = 0;
    assert_int_equal(utet_fatfs_reopen(&port, "demo_tiny.tet"), UTET_OK);
    assert_int_equal(demo_digest(&file, hex), UTET_OK);
    assert_string_equal(hex, truth);
    utet_fatfs_close(&port);
}

/* Another card with another file of the same name: the file object would not fit it. */
static void another_card_is_noticed(void **state)
{
    (void)state;
    use_image("fat32");
    assert_int_equal(utet_fatfs_open(&port, "changed.tet", NULL, 0), UTET_OK);
    use_image("mbr");
    assert_int_equal(utet_fatfs_reopen(&port, "changed.tet"), UTET_FATFS_E_CHANGED);
    assert_int_equal(utet_fatfs_reopen(&port, "demo_planet.tet"), UTET_FATFS_E_CHANGED);
    use_image("fat32");
    assert_int_equal(utet_fatfs_reopen(&port, "changed.tet"), UTET_OK);
    utet_fatfs_close(&port);
    utet_fatfs_close(&port);
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        cmocka_unit_test(reads_the_files_bytes),
        cmocka_unit_test(opens_long_and_foreign_names),
        cmocka_unit_test(table_takes_exactly_what_it_says),
        cmocka_unit_test(table_saves_walking_the_fat),
        cmocka_unit_test(library_reads_every_image),
        cmocka_unit_test(small_windows_work_by_the_byte),
        cmocka_unit_test(medium_errors_end_with_reopening),
        cmocka_unit_test(errors_while_opening_leave_nothing),
        cmocka_unit_test(card_pulled_out_and_put_back),
        cmocka_unit_test(another_card_is_noticed),
    };
    return SUITE("fatfs", cases);
}
