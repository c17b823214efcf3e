/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * What a library with any UTET_MAX_NDIM finds in files; rank_test.py compares the outputs. Each argument is a file.
 * Each dataset has a line: FILE INDEX, the statuses of chunk, slab, metadata, labels, zone maps, query and fold, then
 * `row` if its first row is expected, and for the slab `ndim` NDIM BYTES CRC. Each file has a line: FILE end, the
 * statuses of opening and of the last record, and whether the check accepts it; each failed finding about a dataset has
 * a line of its own. With -m before the files, it only counts how often all calls return, for each file truncated at
 * each length and with each bit inverted.
 */
#include "utet_check.h"
#include "utet_query.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 16 };

static const utet_codec *const codecs[] = {&utet_codec_zstd_small, NULL};
static utet_io io = {NULL, NULL, NULL, NULL, 0, 1, 1, 0, 0};
static utet_io text = {NULL, NULL, NULL, NULL, 0, 1, 1, 0, 0};
static const char *name;
static int quiet;
static unsigned long long calls;

static utet_file file, document;
static utet_dataset dataset;
static utet_slab slab;
static utet_meta meta;
static utet_dataset_meta about;
static utet_zones zones;
static utet_fold fold;
static utet_fold_request request;
static utet_query query;
static utet_query_plan plan;
static utet_check check;
static utet_range ranges[UTET_MAX_NDIM];
static uint64_t work[(1 << 20) / 8];

static void line(const char *format, unsigned long long number)
{
    if (!quiet)
        printf(format, number);
}

static void status_of(utet_status status)
{
    calls++;
    if (!quiet)
        printf(" %d", status);
}

static unsigned long crc32(const uint8_t *at, size_t count)
{
    uint32_t crc = 0xFFFFFFFF;

    for (; count != 0; count--) {
        crc ^= *at++;
        for (unsigned bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ ((crc & 1) != 0 ? 0xEDB88320 : 0);
    }
    return ~crc & 0xFFFFFFFF;
}

/* A document about the dataset; a name with special characters has none. */
static void ask(void)
{
    static char about_it[160];
    char bytes[64];
    const size_t length = dataset.name_length < sizeof bytes ? dataset.name_length : sizeof bytes;

    if (utet_dataset_name(&file, &dataset, 0, bytes, length) != UTET_OK)
        return;
    for (size_t i = 0; i < length; i++)
        if (bytes[i] < ' ' || bytes[i] == '"' || bytes[i] == '\\' || bytes[i] > '~')
            return;
    text.size = (uint64_t)snprintf(about_it, sizeof about_it, "{\"dataset\":\"%.*s\",\"count\":[]}", (int)length,
                                   bytes);
    text.map = (const uint8_t *)about_it;
    if (utet_init(&document, &text, NULL, 0, NULL) == UTET_OK &&
        utet_query_open(&query, &document, utet_query_options) == UTET_OK)
        status_of(utet_query_bind(&plan, &query, &meta, NULL, 0));
}

static void one_dataset(int has_meta)
{
    static const uint64_t first[UTET_MAX_NDIM];
    static uint8_t dense[MOST];
    utet_chunk chunk;
    utet_value labels;
    utet_status status;
    double count;
    size_t size = 0;

    if (!quiet)
        printf("%s %lu", name, (unsigned long)dataset.id);
    for (unsigned d = 0; d < dataset.ndim; d++)
        ranges[d] = (utet_range){0, dataset.shape[d], 1};
    status_of(utet_chunk_find(&file, &dataset, first, &chunk));
    status = utet_slab_open(&slab, &file, &dataset, ranges);
    if (status == UTET_OK && slab.count * dataset.elem_size > sizeof dense)
        status = UTET_E_SPACE;
    if (status == UTET_OK) {
        size = (size_t)slab.count * dataset.elem_size;
        status = utet_slab_read_all(&slab, dense, size);
    }
    status_of(status);
    if (has_meta) {
        status_of(utet_meta_dataset(&meta, &dataset, &about));
        status_of(utet_meta_labels(&meta, &about, 0, &labels));
        status_of(utet_zones_open(&meta, &about, &zones));
        ask();
    }
    request.dataset = &dataset;
    request.ranges = ranges;
    request.operation = &utet_fold_count;
    request.axes = (1u << dataset.ndim) - 1;
    status = utet_fold_open(&fold, &file, &request);
    status_of(status);
    if (status == UTET_OK && size != 0)
        status_of(utet_fold_run(&fold, &count, 1));
    line(" row %llu", dataset.priv.first_row);
    line(" ndim %llu", dataset.ndim);
    line(" %llu", size);
    line(" %08llx\n", crc32(dense, size));
}

static void one_file(void)
{
    utet_status opened = utet_init(&file, &io, work, sizeof work, codecs), status = UTET_OK;
    utet_finding finding;
    int has_meta;

    if (opened == UTET_OK)
        opened = utet_open(&file, NULL);
    if (opened == UTET_OK) {
        has_meta = utet_meta_open(&meta, &file) == UTET_OK;
        for (status = utet_dataset_first(&file, &dataset); status == UTET_OK;
             status = utet_dataset_next(&file, &dataset))
            if (dataset.id < 100)
                one_dataset(has_meta);
        utet_check_init(&check, &file);
        while (utet_check_next(&check, &finding) == UTET_OK)
            if (!finding.ok && finding.dataset != UTET_CHECK_NO_DATASET && !quiet)
                printf("%s %lu finding %d\n", name, (unsigned long)finding.dataset, finding.status);
    }
    if (!quiet)
        printf("%s end", name);
    status_of(opened);
    status_of(status);
    line(" check %llu\n", opened == UTET_OK && check.ok);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        static uint8_t bytes[1 << 18];
        FILE *from;
        size_t length;

        if (strcmp(argv[i], "-m") == 0) {
            quiet = 1;
            continue;
        }
        name = strrchr(argv[i], '/') + 1;
        from = fopen(argv[i], "rb");
        if (from == NULL)
            return 1;
        length = fread(bytes, 1, sizeof bytes, from);
        fclose(from);
        for (size_t place = 0; place <= (quiet ? 9 * length : 0); place++) {
            const size_t size = place > 8 * length ? place - 8 * length - 1 : length;
            uint8_t *copy = malloc(size != 0 ? size : 1); /* exactly that length, for AddressSanitizer */

            memcpy(copy, bytes, size);
            if (quiet && place < 8 * length)
                copy[place / 8] = (uint8_t)(copy[place / 8] ^ 1u << place % 8);
            io.map = copy;
            io.size = size;
            one_file();
            free(copy);
        }
    }
    if (quiet)
        printf("%llu\n", calls);
    return 0;
}
