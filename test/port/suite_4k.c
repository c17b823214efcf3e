/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* port/fatfs over a card with sectors of 4,096 bytes, with FatFs built for them (FF_MIN_SS, FF_MAX_SS 4096). Promise
 * checked: io.unit is the sector, the bytes are the file's, with a window of one sector, or one byte at a time. Image:
 * sectors-4k.img in folder IMAGES; files on it: folder FILES. */
#include "demo_files.h"
#include "disk_image.h"
#include "ff.h"
#include "suite.h"
#include "utet_fatfs.h"

#include <stdio.h>

static FATFS volume;
static utet_fatfs port;
static DWORD table[64];

static void use_card(void)
{
    char path[300];
    snprintf(path, sizeof path, "%s/sectors-4k.img", demo_folder("IMAGES"));
    disk_image_use(path, 0);
    assert_int_equal(f_mount(&volume, "", 1), FR_OK);
}

static void reads_the_files_bytes(void **state)
{
    (void)state;
    use_card();
    for (unsigned f = 0; f < DEMO_FILES; f++)
        for (unsigned way = 0; way < 4; way++) {
            size_t size;
            const uint8_t *truth = demo_file(demo_files[f], &size);

            assert_int_equal(utet_fatfs_open(&port, demo_files[f], way & 1 ? table : NULL, 64), UTET_OK);
            assert_int_equal(port.io.unit, 4096);
            if (way & 2)
                port.io.unit = 1;
            demo_compare(&port.io, truth, size, demo_files[f]);
            utet_fatfs_close(&port);
        }
}

static void library_reads_in_a_window_of_one_sector(void **state)
{
    static uint64_t work[UTET_WINDOW_LEAST(4096) / 8];
    char hex[65], truth[65];
    utet_file file;
    (void)state;
    use_card();
    demo_expected("demo_tiny.tet", truth);
    assert_int_equal(utet_fatfs_open(&port, "demo_tiny.tet", table, 64), UTET_OK);
    assert_int_equal(utet_init(&file, &port.io, work, sizeof work, NULL), UTET_OK);
    assert_int_equal(utet_open(&file, &(utet_options){.budget = sizeof work}), UTET_OK);
    assert_int_equal(demo_digest(&file, hex), UTET_OK);
    assert_string_equal(hex, truth);
    suite_figure("sectors of 4,096 bytes: demo_tiny.tet (3 sectors) in %zu bytes of workspace: %u sectors", sizeof work,
                 (unsigned)disk_image.sectors);
    utet_fatfs_close(&port);
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        cmocka_unit_test(reads_the_files_bytes),
        cmocka_unit_test(library_reads_in_a_window_of_one_sector),
    };
    return SUITE("4k", cases);
}
