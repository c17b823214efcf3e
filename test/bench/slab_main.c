/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Firmware that measures slabs: selections of slab_pak.py's raw datasets, read to a dense result from a mapped file,
 * and through a window of 512 bytes. Every element of the result must be its number. Uses bench.h; a row's bytes are
 * elements here. */
#include "bench.h"

#include "board.h"
#include "print.h"
#include "utet.h"

#include <string.h>

enum { COLUMNS = 512, MOST = 256 * COLUMNS };

static const struct selection {
    const char *name;
    const char *dataset;
    utet_range range[2];
} selections[] = {
    {"rows-64", "wide", {{0, 256, 1}, {0, 512, 1}}},  {"rows-16", "narrow", {{0, 256, 1}, {0, 512, 1}}},
    {"step-2", "wide", {{0, 256, 1}, {0, 512, 2}}},   {"step-3", "wide", {{1, 256, 3}, {2, 512, 3}}},
    {"column", "wide", {{0, 256, 1}, {100, 101, 1}}}, {"bytes", "bytes", {{0, 256, 1}, {0, 512, 1}}},
    {"box", "wide", {{60, 70, 1}, {60, 100, 1}}},
};

enum { SELECTIONS = sizeof selections / sizeof *selections };

static uint64_t work[(1024 + UTET_HEADROOM) / 8];
static uint32_t result[MOST];
static utet_file file;
static utet_dataset dataset;
static utet_slab slab;
static struct {
    const uint8_t *file;
    uint32_t reads, bytes;
} medium;

static utet_status bench_port_read(void *ctx, uint64_t offset, void *buf, size_t len, size_t *got)
{
    const uint8_t *from = medium.file + (size_t)offset;
    uint8_t *to = buf;
    size_t i;

    (void)ctx;
    medium.reads++;
    medium.bytes += (uint32_t)len;
    for (i = 0; i < len; i++)
        to[i] = from[i];
    *got = len;
    return UTET_OK;
}

/* Returns whether each element that was read is its own number in row-major order. */
static int right(const utet_range *range)
{
    const uint8_t *at = (const uint8_t *)result;
    uint32_t row, column, i;

    for (row = (uint32_t)range[0].start; row < range[0].stop; row += (uint32_t)range[0].step)
        for (column = (uint32_t)range[1].start; column < range[1].stop; column += (uint32_t)range[1].step)
            for (i = 0; i < dataset.elem_size; i++)
                if (*at++ != (uint8_t)((row * COLUMNS + column) >> (8 * i)))
                    return 0;
    return 1;
}

static void select_elements(const struct selection *s, uint32_t id, const char *step)
{
    const uint32_t reads = medium.reads, bytes = medium.bytes;
    int good;

    bench_check(utet_dataset_find(&file, s->dataset, strlen(s->dataset), &dataset), s->name);
    memset(result, 0xA5, sizeof result);
    bench_begin(id);
    bench_check(utet_slab_open(&slab, &file, &dataset, s->range), s->name);
    bench_check(utet_slab_read_all(&slab, result, sizeof result), s->name);
    bench_end(id);
    good = right(s->range);
    bench_failed = bench_failed || !good;
    print_text("row\t");
    print_u64(id);
    print_char('\t');
    print_text(s->name);
    print_char('\t');
    print_text(step);
    print_field(0);
    print_field(slab.count);
    print_field(medium.reads - reads);
    print_field(medium.bytes - bytes);
    print_field(0);
    print_field(slab.need.least);
    print_text(good ? "\tok\n" : "\tWRONG\n");
}

int main(void)
{
    const struct bench_pak *pak = (const struct bench_pak *)(uintptr_t)BENCH_PAK;
    static utet_io io = {NULL, bench_port_read, NULL, NULL, 0, 1, 1, 0, 0};
    uint32_t i;

    bench_calibrate();
    medium.file = BENCH_PAK + pak->entry[0].src;
    io.size = pak->entry[0].src_len;
    for (i = 0; i < 2 * SELECTIONS && !bench_failed; i++) {
        io.map = i < SELECTIONS ? medium.file : NULL;
        bench_check(utet_init(&file, &io, work, sizeof work, NULL), "init");
        bench_check(utet_open(&file, NULL), "open");
        select_elements(&selections[i % SELECTIONS], i, i < SELECTIONS ? "slab-mapped" : "slab-read");
    }
    return bench_failed;
}
