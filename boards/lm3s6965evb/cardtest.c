/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Firmware that reads every file in the root of the SD card through FatFs and prints its size and SHA-256, in order to
 * test cards and the driver, without the library. Uses the drivers of this folder and common/. */
#include "board.h"
#include "ff.h"
#include "print.h"
#include "sdcard.h"
#include "sha256.h"
#include "spi.h"

static FATFS volume;
static FIL file;
static DIR folder;
static FILINFO entry;
static uint8_t buffer[5000]; /* not a multiple of a sector, so that heads, whole sectors and tails all occur */

static int failed(const char *what, int result)
{
    print_text(what);
    print_text(" failed: ");
    print_i64(result);
    print_text(", card says 0x");
    print_hex(sdcard.answer, 2);
    print_char('\n');
    return 1;
}

static int digest_file(const char *name)
{
    struct sha256 hash;
    uint8_t digest[32];
    UINT got;
    FRESULT result = f_open(&file, name, FA_READ);

    if (result != FR_OK)
        return failed(name, result);
    sha256_init(&hash);
    do {
        result = f_read(&file, buffer, sizeof buffer, &got);
        if (result != FR_OK)
            return failed(name, result);
        sha256_add(&hash, buffer, got);
    } while (got == sizeof buffer);
    sha256_end(&hash, digest);
    print_hex_bytes(digest, sizeof digest);
    print_text("  ");
    print_text(name);
    print_char('\n');
    return 0;
}

int main(void)
{
    static const char *const kinds[] = {"none", "FAT12", "FAT16", "FAT32", "exFAT"};
    FRESULT result = f_mount(&volume, "", 1);

    if (result != FR_OK)
        return failed("mount", result);
    print_text("card: ");
    print_text(sdcard.block_addressed ? "SDHC, " : "SDSC, ");
    print_text(kinds[volume.fs_type]);
    print_text(" at sector ");
    print_u64(volume.volbase);
    print_char('\n');
    result = f_opendir(&folder, "/");
    while (result == FR_OK) {
        result = f_readdir(&folder, &entry);
        if (result != FR_OK || entry.fname[0] == '\0')
            break;
        if (!(entry.fattrib & AM_DIR) && digest_file(entry.fname) != 0)
            return 1;
    }
    if (result != FR_OK)
        return failed("listing", result);
    print_u64(sdcard.sectors_read);
    print_text(" sectors, ");
    print_u64(sdcard.commands);
    print_text(" commands, ");
    print_u64(sdcard.retries);
    print_text(" retries\n");
    return 0;
}
