/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Firmware for microcontrollers with 8 or 16 KB of RAM: reads a .tet file that is in flash (mapped: no window, no
 * caches), or one of the host through semihosting, in the minimum memory, and prints what every byte of RAM is used
 * for.
 *
 *   pocket [FILE]      FILE: on the host; without, the file that was linked in
 *
 * A dense result does not fit, so each dataset is read row by row: a slab of one row of its last axis, whose runs go
 * straight into the digest. Rows of a compressed chunk are decoded from its beginning each time, which trades time for
 * memory.
 *
 * Lines are tab-separated; statuses are numbers, 0 = well; sizes in bytes:
 *   file  NAME or flash  STATUS of opening  DATASETS  BUDGET as stated
 *   data  INDEX  STATUS  DENSE SIZE  NEED, least  best  HIGH-WATER  SHA-256 or -
 *   work  WINDOW  CONTEXT  SYMBOLS  FSE CELLS  HUFFMAN  CACHES  HISTORY      parts of the largest need
 *   ram   ALL  STACK  STACK USED  DATA AND BSS  WORKSPACE  FREE (negative: the missing bytes)
 * Exit code 0 when everything was read.
 *
 * Relies on port/semihosting, on board_spare for the workspace, and on the decoder's own header for the parts of its
 * memory. */
#include "board.h"
#include "zstd/zstd_decoder.h"
#include "flash_file.h"
#include "print.h"
#include "row_ranges.h"
#include "semihost.h"
#include "sha256.h"
#include "utet_semihosting.h"

#include <string.h>

static utet_semihosting port; /* only its io is used if the file is in flash */
static utet_file file;
static utet_dataset dataset;
static utet_slab slab;
static struct sha256 hash;

static uint8_t *spare;
static size_t spare_len;

/* The largest need, and what it would be without history. */
static struct {
    size_t need, rest;
} most;

static utet_status open_file(size_t work_len)
{
    static const utet_codec *const codecs[] = {&utet_codec_zstd_small, NULL};
    utet_status status = utet_init(&file, &port.io, spare, work_len, codecs);
    return status == UTET_OK ? utet_open(&file, NULL) : status;
}

static utet_status find_dataset(uint32_t index)
{
    utet_status status = utet_dataset_first(&file, &dataset);
    while (status == UTET_OK && index-- > 0)
        status = utet_dataset_next(&file, &dataset);
    return status;
}

/* ---- the need of a dataset ---- */

static size_t window_bytes(void)
{
    return port.io.map != NULL ? 0 : UTET_WINDOW_LEAST(1);
}

/* With the complete chunk in memory no history is needed: the other parts are the same for all chunks. */
static utet_status measure(uint32_t index)
{
    utet_range ranges[UTET_MAX_NDIM];
    utet_chunk chunk;
    utet_need whole;
    utet_status status = open_file(spare_len);

    if (status == UTET_OK)
        status = find_dataset(index);
    for (unsigned d = 0; status == UTET_OK && d < dataset.ndim; d++) {
        const utet_range all = {0, dataset.shape[d], 1};
        ranges[d] = all;
    }
    if (status == UTET_OK)
        status = utet_slab_need(&slab, &file, &dataset, ranges);
    if (status == UTET_OK)
        status = utet_row_first(&file, &chunk);
    if (status == UTET_OK)
        status = utet_chunk_need(&file, &chunk, 1, &whole);
    if (status == UTET_OK && slab.need.least > most.need) {
        most.need = (size_t)slab.need.least;
        most.rest = (size_t)whole.least;
    }
    return status;
}

/* ---- reading ---- */

static utet_status hash_row(const utet_range *ranges)
{
    utet_run run;
    utet_status status = utet_slab_open(&slab, &file, &dataset, ranges);

    while (status == UTET_OK && (status = utet_slab_next(&slab, &run)) == UTET_OK)
        sha256_add(&hash, run.data, run.count * run.stride);
    return status == UTET_END ? UTET_OK : status;
}

static utet_status hash_dataset(uint32_t index, size_t work_len)
{
    utet_range ranges[UTET_MAX_NDIM];
    utet_status status = open_file(work_len);

    if (status == UTET_OK)
        status = find_dataset(index);
    sha256_init(&hash);
    if (status == UTET_OK && first_row(&dataset, ranges))
        do
            status = hash_row(ranges);
        while (status == UTET_OK && next_row(&dataset, ranges));
    return status;
}

/* ---- the report ---- */

static utet_status report_dataset(uint32_t index)
{
    uint8_t digest[32];
    utet_need need = {0, 0};
    uint64_t size = 0;
    utet_status status = measure(index);

    if (status == UTET_OK) {
        need = slab.need;
        size = slab.count * dataset.elem_size;
        status = hash_dataset(index, need.least < spare_len ? (size_t)need.least : spare_len);
    }
    print_text("data");
    print_field(index);
    print_char('\t');
    print_i64(status);
    print_field(size);
    print_field(need.least);
    print_field(need.best);
    print_field(file.high_water);
    print_char('\t');
    if (status == UTET_OK) {
        sha256_end(&hash, digest);
        print_hex_bytes(digest, sizeof digest);
    } else {
        print_char('-');
    }
    print_char('\n');
    return status;
}

static void report_memory(void)
{
    const size_t all = board_stack_size() + board_static_ram() + spare_len;

    print_text("work");
    print_field(window_bytes());
    print_field(sizeof(struct utet_zstd));
    print_field(sizeof(zs_list));
    print_field(sizeof((zs_packed *)0)->cell);
    print_field(sizeof((zs_packed *)0)->huffman);
    print_field(most.rest - window_bytes() - sizeof(zs_packed));
    print_field(most.need - most.rest);
    print_text("\nram");
    print_field(all);
    print_field(board_stack_size());
    print_field(board_stack_peak());
    print_field(board_static_ram());
    print_field(most.need);
    print_char('\t');
    print_i64((int64_t)spare_len - (int64_t)most.need);
    print_char('\n');
}

/* The name of the file, after the program's: NULL for the one in flash. The text is in the spare memory. */
static const char *file_name(void)
{
    char *line = (char *)spare;
    char *blank;

    if (semihost_command_line(line, spare_len) != 0 || (blank = strchr(line, ' ')) == NULL || blank[1] == '\0')
        return NULL;
    return blank + 1;
}

int main(void)
{
    const char *name;
    utet_status status = UTET_OK;
    int bad;

    spare = board_spare(&spare_len);
    name = file_name();
    print_text("file\t");
    print_text(name != NULL ? name : "flash");
    if (name != NULL) {
        status = utet_semihosting_open(&port, name);
    } else {
        port.io.map = flash_file;
        port.io.size = (uint64_t)(flash_file_end - flash_file);
        port.io.unit = 1;
        port.io.align = 1;
    }
    if (status == UTET_OK)
        status = open_file(spare_len);
    print_char('\t');
    print_i64(status);
    print_field(file.dataset_count);
    print_field(file.memory_budget_bytes);
    print_char('\n');
    bad = status != UTET_OK;
    for (uint32_t index = 0; index < file.dataset_count; index++)
        bad |= report_dataset(index) != UTET_OK;
    report_memory();
    return bad;
}
