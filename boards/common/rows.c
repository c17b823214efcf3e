/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Firmware for microcontrollers with 8 KB of RAM and more: reads single rows of a file's first dataset through
 * semihosting, in all the remaining memory, and prints the SHA-256 of each.
 *
 *   rows FILE ROW…       at most 8 rows: numbers along the first axis, all of the others
 *
 * Lines are tab-separated: row  NUMBER  STATUS  BYTES  SHA-256;  done  WORKSPACE  HIGH-WATER  STACK, its used part
 * Relies on port/semihosting and on board_spare for the workspace. */
#include "board.h"
#include "print.h"
#include "semihost.h"
#include "sha256.h"
#include "utet.h"
#include "utet_semihosting.h"

#include <string.h>

#define MOST_ROWS 8u

static utet_semihosting port;
static utet_file file;
static utet_dataset dataset;
static utet_slab slab;
static struct sha256 hash;
static uint32_t rows[MOST_ROWS];
static unsigned row_count;
static uint8_t *spare;
static size_t spare_len;

static void number(uint64_t value)
{
    print_char('\t');
    print_u64(value);
}

/* The command line is in the spare memory until the file is open. */
static utet_status open_port(void)
{
    char *at = (char *)spare, *name;

    if (semihost_command_line(at, spare_len) != 0 || (at = strchr(at, ' ')) == NULL)
        return UTET_E_ARGUMENT;
    name = ++at;
    while ((at = strchr(at, ' ')) != NULL && row_count < MOST_ROWS) {
        *at++ = '\0';
        while (*at >= '0' && *at <= '9')
            rows[row_count] = rows[row_count] * 10u + (uint32_t)(*at++ - '0');
        row_count++;
    }
    return utet_semihosting_open(&port, name);
}

static utet_status read_row(uint32_t row)
{
    utet_range ranges[UTET_MAX_NDIM];
    utet_status status;
    utet_run run;

    for (unsigned d = 0; d < dataset.ndim; d++) {
        ranges[d].start = d == 0 ? row : 0;
        ranges[d].stop = d == 0 ? row + 1u : dataset.shape[d];
        ranges[d].step = 1;
    }
    sha256_init(&hash);
    status = utet_slab_open(&slab, &file, &dataset, ranges);
    while (status == UTET_OK && (status = utet_slab_next(&slab, &run)) == UTET_OK)
        sha256_add(&hash, run.data, run.count * run.stride);
    return status == UTET_END ? UTET_OK : status;
}

int main(void)
{
    static const utet_codec *const codecs[] = {&utet_codec_zstd_small, NULL};
    utet_status status;
    uint8_t digest[32];
    int bad;

    spare = board_spare(&spare_len);
    status = open_port();
    if (status == UTET_OK)
        status = utet_init(&file, &port.io, spare, spare_len, codecs);
    if (status == UTET_OK)
        status = utet_open(&file, NULL);
    if (status == UTET_OK)
        status = utet_dataset_first(&file, &dataset);
    bad = status != UTET_OK;
    for (unsigned i = 0; i < row_count && !bad; i++) {
        status = read_row(rows[i]);
        bad = status != UTET_OK;
        sha256_end(&hash, digest);
        print_text("row");
        number(rows[i]);
        print_char('\t');
        print_i64(status);
        number(slab.count * dataset.elem_size);
        print_char('\t');
        print_hex_bytes(digest, sizeof digest);
        print_char('\n');
    }
    print_text("done");
    number(spare_len);
    number(file.high_water);
    number(board_stack_size());
    number(board_stack_peak());
    print_char('\t');
    print_i64(status);
    print_char('\n');
    return bad;
}
