/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* A program that uses the output of `utet export --c`: it reads the file (planet.c) in place through the library, and
 * compares each value with the exported arrays. Compiled for this machine and for a Cortex-M3; prints one line:
 *
 *   exported  STATUS  ELEMENTS  DIFFERING */
#include "elevation.h"
#include "planet.h"
#include "temperature.h"

#include "utet.h"

#include <string.h>
#ifdef EXPORTED_HOST
#include <stdio.h>
#else
#include "print.h"
#endif

static uint64_t work[16384 / 8];
static uint32_t elements;
static uint32_t differing;

static utet_status compare(utet_file *file, const char *name, const void *exported, size_t count, size_t size)
{
    static utet_slab slab;
    utet_range all[UTET_MAX_NDIM];
    const uint8_t *at = exported;
    utet_dataset data;
    utet_run run;
    utet_status s = utet_dataset_find(file, name, strlen(name), &data);
    size_t i;

    for (unsigned d = 0; s == UTET_OK && d < data.ndim; d++) {
        const utet_range whole = {0, data.shape[d], 1};

        all[d] = whole;
    }
    if (s == UTET_OK)
        s = utet_slab_open(&slab, file, &data, all);
    if (s == UTET_OK && (slab.count != count || data.elem_size != size))
        differing++;
    while (s == UTET_OK && (s = utet_slab_next(&slab, &run)) == UTET_OK)
        for (i = 0; i < run.count; i++, elements++) {
            if (memcmp(run.data + i * run.stride, at + (run.first + i) * size, size) !=
                0) /* machines are little-endian */
                differing++;
        }
    return s == UTET_END ? UTET_OK : s;
}

int main(void)
{
    static const utet_codec *const codecs[] = {&utet_codec_zstd_small, NULL};
    static const utet_io io = {.map = demo_planet_tet, .size = sizeof demo_planet_tet, .unit = 1, .align = 1};
    static utet_file file;
    utet_status s = utet_init(&file, &io, work, sizeof work, codecs);

    if (s == UTET_OK)
        s = utet_open(&file, NULL);
    if (s == UTET_OK)
        s = compare(&file, "temperature", temperature_values, sizeof temperature_values / 4, 4);
    if (s == UTET_OK)
        s = compare(&file, "elevation", elevation_values, sizeof elevation_values / 2, 2);
#ifdef EXPORTED_HOST
    printf("exported\t%d\t%lu\t%lu\n", (int)s, (unsigned long)elements, (unsigned long)differing);
#else
    print_text("exported\t");
    print_i64(s);
    print_char('\t');
    print_u64(elements);
    print_char('\t');
    print_u64(differing);
    print_char('\n');
#endif
    return s != UTET_OK || differing > 0;
}
