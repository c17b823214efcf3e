/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
#include "demo_files.h"

#include "hash.h"
#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const demo_files[DEMO_FILES] = {"demo_cine.tet", "demo_planet.tet", "demo_small.tet", "demo_tiny.tet"};
const utet_codec *const demo_codecs[] = {&utet_codec_zstd_upstream, NULL};

const char *demo_folder(const char *variable)
{
    const char *value = getenv(variable);
    suite_check(value != NULL, "%s is not set", variable);
    return value;
}

const uint8_t *demo_file(const char *name, size_t *size)
{
    static uint8_t data[DEMO_MOST];
    char path[300];
    snprintf(path, sizeof path, "%s/%s", demo_folder("FILES"), name);
    FILE *f = fopen(path, "rb");
    suite_check(f != NULL, "%s is missing", path);
    *size = fread(data, 1, sizeof data, f);
    fclose(f);
    return data;
}

utet_status demo_read(const utet_io *io, uint64_t offset, uint8_t *to, size_t length)
{
    while (length > 0) {
        size_t got;
        const utet_status status = io->read(io->ctx, offset, to, length, &got);
        if (status != UTET_OK)
            return status;
        suite_check(got > 0 && got <= length, "got %zu of %zu", got, length);
        suite_check(got % io->unit == 0 || offset + got == io->size, "short answer is not whole units");
        offset += got;
        to += got;
        length -= got;
    }
    return UTET_OK;
}

static uint32_t next_random(void)
{
    static uint32_t state = 12345;
    state = state * 1664525u + 1013904223u;
    return state >> 8;
}

void demo_compare(const utet_io *io, const uint8_t *truth, size_t size, const char *what)
{
    static uint8_t read[DEMO_MOST];
    const size_t unit = io->unit;

    suite_check(io->size == size, "%s: size", what);
    suite_check(demo_read(io, 0, read, size) == UTET_OK && memcmp(read, truth, size) == 0, "%s: whole", what);
    for (int i = 0; i < 300; i++) {
        const size_t from = next_random() % size / unit * unit;
        size_t length = (next_random() % 3000 / unit + 1) * unit;
        if (from + length > size)
            length = size - from;
        suite_check(demo_read(io, from, read, length) == UTET_OK && memcmp(read, truth + from, length) == 0,
                    "%s: %zu bytes at %zu", what, length, from);
    }
}

/* If the port waits, the same call is repeated. */
#define REPEAT(call)     \
    do                   \
        status = (call); \
    while (status == UTET_WOULD_BLOCK)

utet_status demo_digest(utet_file *file, char hex[65])
{
    static uint8_t dense[DEMO_MOST];
    static utet_dataset dataset;
    static utet_slab slab;
    utet_range ranges[UTET_MAX_NDIM];
    struct sha256 sum;
    utet_status status;

    REPEAT(utet_dataset_first(file, &dataset));
    for (unsigned d = 0; status == UTET_OK && d < dataset.ndim; d++) {
        ranges[d].start = 0;
        ranges[d].stop = dataset.shape[d];
        ranges[d].step = 1;
    }
    if (status == UTET_OK)
        REPEAT(utet_slab_open(&slab, file, &dataset, ranges));
    if (status == UTET_OK)
        REPEAT(utet_slab_read_all(&slab, dense, sizeof dense));
    if (status == UTET_OK) {
        sha256_init(&sum);
        sha256_add(&sum, dense, (size_t)slab.count * dataset.elem_size);
        hash_end(&sum, hex);
    }
    return status;
}

void demo_expected(const char *name, char hex[65])
{
    char path[300], file[100];
    unsigned number;
    snprintf(path, sizeof path, "%s/digests.txt", demo_folder("FILES"));
    FILE *f = fopen(path, "r");
    suite_check(f != NULL, "%s is missing", path);
    while (fscanf(f, "%64s %99s %u", hex, file, &number) == 3)
        if (strcmp(file, name) == 0 && number == 0) {
            fclose(f);
            return;
        }
    fclose(f);
    suite_fail("%s: no expected digest", name);
}
