/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* port/fatfs over a FatFs whose settings have the names of R0.12, without fast seek: the bytes are the file's, and a
 * cluster table is refused. Images: folder IMAGES; files on them: folder FILES. */
#include "demo_files.h"
#include "disk_image.h"
#include "ff.h"
#include "suite.h"
#include "utet_fatfs.h"

#include <stdio.h>

static FATFS volume;
static utet_fatfs port;

static void use_image(void)
{
    char path[300];

    snprintf(path, sizeof path, "%s/card-fat32-fragmented.img", demo_folder("IMAGES"));
    disk_image_use(path, 0);
    suite_check(f_mount(&volume, "", 1) == FR_OK, "does not mount");
}

static void reads_the_files_bytes(void **state)
{
    size_t size;
    size_t f;

    (void)state;
    use_image();
    for (f = 0; f < DEMO_FILES; f++) {
        const uint8_t *truth = demo_file(demo_files[f], &size);

        assert_int_equal(utet_fatfs_open(&port, demo_files[f], NULL, 0), UTET_OK);
        assert_int_equal(port.io.unit, 512);
        demo_compare(&port.io, truth, size, demo_files[f]);
        utet_fatfs_close(&port);
    }
}

static void a_table_is_refused(void **state)
{
    static DWORD table[64];

    (void)state;
    use_image();
    assert_int_equal(utet_fatfs_open(&port, "demo_tiny.tet", table, 64), UTET_FATFS_STATUS(FR_NOT_ENABLED));
    assert_int_equal(utet_fatfs_open(&port, "demo_tiny.tet", table, 0), UTET_OK); /* no table */
    utet_fatfs_close(&port);
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        cmocka_unit_test(reads_the_files_bytes),
        cmocka_unit_test(a_table_is_refused),
    };
    return SUITE("oldfatfs", cases);
}
