/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Firmware that reads .tet files from the flash that the core addresses, and prints the SHA-256 of each dataset's
 * dense bytes: as test/golden/demo/digests.txt has them, with addresses instead of names. A file begins at each
 * multiple of SLOT, and an erased slot ends the list. Its last lines are the memory that it took, and its verdict in
 * words.
 * Relies on common/ and on port/partition. */
#include "board.h"
#include "print.h"
#include "report.h"
#include "row_ranges.h"
#include "sha256.h"
#include "utet.h"
#include "utet_partition.h"

#include <string.h>

#define WORK 8192u
#define FILES 0x20100000u /* the program is before it, see board.ld */
#define FLASH_END 0x20400000u
#define SLOT 0x40000u

static const utet_codec *const codecs[] = {&utet_codec_zstd_small, NULL};

static utet_io io;
static uint64_t work[WORK / 8];
static utet_file file;
static utet_dataset dataset;
static utet_slab slab;

static uint32_t files_read;
static struct {
    utet_status status;
    uint64_t offset;
} failure;

static void print_address(uint32_t at)
{
    print_text("0x");
    print_hex(at, 8);
}

static utet_status hash_row(struct sha256 *hash, const utet_range *ranges)
{
    utet_run run;
    utet_status status = utet_slab_open(&slab, &file, &dataset, ranges);

    while (status == UTET_OK && (status = utet_slab_next(&slab, &run)) == UTET_OK)
        sha256_add(hash, run.data, run.count * run.stride);
    return status == UTET_END ? UTET_OK : status;
}

/* The dense bytes do not fit into the RAM: they go into the digest row by row. */
static utet_status digest_dataset(uint8_t digest[32])
{
    utet_range ranges[UTET_MAX_NDIM];
    struct sha256 hash;
    utet_status status = UTET_OK;

    sha256_init(&hash);
    if (first_row(&dataset, ranges))
        do
            status = hash_row(&hash, ranges);
        while (status == UTET_OK && next_row(&dataset, ranges));
    sha256_end(&hash, digest);
    return status;
}

static utet_status digest_file(uint32_t at)
{
    uint8_t digest[32];
    utet_status status = utet_init(&file, &io, work, sizeof work, codecs);

    if (status == UTET_OK)
        status = utet_open(&file, NULL);
    if (status == UTET_OK)
        status = utet_dataset_first(&file, &dataset);
    while (status == UTET_OK) {
        status = digest_dataset(digest);
        if (status != UTET_OK)
            break;
        print_hex_bytes(digest, sizeof digest);
        print_char(' ');
        print_address(at);
        print_char(' ');
        print_u64(dataset.id);
        print_char('\n');
        status = utet_dataset_next(&file, &dataset);
    }
    return status == UTET_END ? UTET_OK : status;
}

/* Reads all files, also after one that fails. */
static void digest_flash(void)
{
    for (uint32_t at = FILES; at < FLASH_END; at += SLOT) {
        utet_status status = utet_partition_open(&io, (const void *)(uintptr_t)at, SLOT);

        if (status == UTET_PARTITION_E_ERASED)
            break;
        files_read++;
        memset(&file, 0, sizeof file);
        status = digest_file(at);
        if (status == UTET_OK)
            continue;
        failure.status = status;
        failure.offset = file.error_offset;
        print_address(at);
        (void)report_end("", status, utet_strerror(status), failure.offset);
    }
}

int main(void)
{
    print_text(utet_build_info());
    print_char('\n');
    digest_flash();
    if (files_read == 0)
        print_text("the flash has no files from address 0x20100000 on\n");
    report_memory(WORK);
    return report_end("flash", failure.status, utet_strerror(failure.status), failure.offset);
}
