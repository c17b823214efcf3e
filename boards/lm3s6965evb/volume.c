/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Firmware that reads every .tet file in the root of a littlefs volume, which is in the upper part of this
 * microcontroller's flash, and prints the SHA-256 of each dataset's dense bytes: the lines of
 * test/golden/demo/digests.txt; then the bytes of littlefs' objects and of its own. littlefs may read only, and takes
 * no memory except that of this file. Relies on common/ and on port/littlefs. */
#include "volume.h"
#include "board.h"
#include "flash_file.h"
#include "print.h"
#include "report.h"
#include "sums.h"
#include "utet_littlefs.h"
#include "utet_littlefs_folder.h"

#include <string.h>

#define WORK 8192u

static const utet_codec *const codecs[] = {&utet_codec_zstd_small, NULL};

static lfs_t volume;
static utet_littlefs_folder names;
static utet_littlefs port;
static uint8_t volume_cache[VOLUME_CACHE], file_cache[VOLUME_CACHE];
static uint64_t work[WORK / 8];
static utet_file file;

static int flash_read(const struct lfs_config *c, lfs_block_t block, lfs_off_t off, void *to, lfs_size_t size)
{
    memcpy(to, flash_file + block * c->block_size + off, size);
    return 0;
}

static const struct lfs_config config = {.read = flash_read,
                                         VOLUME_GEOMETRY,
                                         .read_buffer = volume_cache,
                                         .prog_buffer = volume_cache,  /* never used: */
                                         .lookahead_buffer = &volume}; /* this program does not write */

static utet_status digest_file(const char *name)
{
    utet_status status = utet_littlefs_open(&port, &volume, name, file_cache);

    if (status == UTET_OK)
        status = utet_init(&file, &port.io, work, sizeof work, codecs);
    if (status == UTET_OK)
        status = utet_open(&file, NULL);
    if (status == UTET_OK)
        status = sums_print(&file, name, NULL);
    utet_littlefs_close(&port);
    return status;
}

static utet_status digest_volume(void)
{
    char name[32];
    int is_folder;
    utet_status status = UTET_LITTLEFS_STATUS(lfs_mount(&volume, &config));

    if (status != UTET_LITTLEFS_STATUS(0))
        return status;
    utet_littlefs_folder_init(&names, &volume);
    status = names.folder.open(names.folder.ctx, "/");
    while (status == UTET_OK) {
        status = names.folder.next(names.folder.ctx, name, sizeof name, &is_folder);
        if (status == UTET_OK && !is_folder)
            status = digest_file(name);
    }
    names.folder.close(names.folder.ctx);
    return status == UTET_END ? UTET_OK : status;
}

static void object(const char *name, size_t bytes)
{
    print_text(name);
    print_char(' ');
    print_u64(bytes);
    print_char('\n');
}

int main(void)
{
    const utet_status status = digest_volume();

    object("lfs_t", sizeof volume);
    object("utet_littlefs", sizeof port);
    object("utet_littlefs_folder", sizeof names);
    report_memory(WORK);
    return report_end("volume", status, utet_strerror(status), file.error_offset);
}
