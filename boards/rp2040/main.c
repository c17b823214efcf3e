/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Firmware that reads every .tet file in the root of an SD card, and prints the SHA-256 of each dataset's dense bytes:
 * the lines of test/golden/demo/digests.txt. Its last lines are the memory that it took, and its verdict in words.
 * Relies on this folder, on common/ and on port/fatfs. */
#include "board.h"
#include "print.h"
#include "report.h"
#include "sums.h"
#include "utet_fatfs_words.h"

#include <string.h>

#define WORK 16384u
#define TABLE_WORDS 64u

static const utet_codec *const codecs[] = {&utet_codec_zstd_small, NULL};

static FATFS volume;
static DIR folder;
static FILINFO entry;
static utet_fatfs port;
static DWORD table[TABLE_WORDS];
static uint64_t work[WORK / 8];
static utet_file file;

static utet_status read_file(void)
{
    utet_status status = utet_fatfs_open(&port, entry.fname, table, TABLE_WORDS);

    if (status == UTET_OK)
        status = utet_init(&file, &port.io, work, sizeof work, codecs);
    if (status == UTET_OK)
        status = utet_open(&file, NULL);
    if (status == UTET_OK)
        status = sums_print(&file, entry.fname, NULL);
    utet_fatfs_close(&port);
    return status;
}

static utet_status read_card(void)
{
    FRESULT result = f_mount(&volume, "", 1);
    utet_status status = UTET_OK;

    if (result == FR_OK)
        result = f_opendir(&folder, "/");
    while (result == FR_OK && status == UTET_OK) {
        result = f_readdir(&folder, &entry);
        if (result != FR_OK || entry.fname[0] == '\0')
            break;
        const size_t length = strlen(entry.fname);
        if (!(entry.fattrib & AM_DIR) && length > 4 && strcmp(entry.fname + length - 4, ".tet") == 0)
            status = read_file();
    }
    return result == FR_OK ? status : UTET_FATFS_STATUS(result);
}

int main(void)
{
    utet_status status;

    print_text(utet_build_info());
    print_char('\n');
    status = read_card();
    report_memory(WORK);
    return report_end("rp2040", status, utet_fatfs_strerror(status), file.error_offset);
}
