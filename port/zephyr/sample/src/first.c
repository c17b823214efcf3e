/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Prints eight elements of a tensor. Its file is an array in flash, which CMakeLists.txt makes. */
#include <stdio.h>
#include <utet.h>

static const uint8_t tet[] = {
#include "demo_tiny.tet.inc"
};

/* Both stay as long as they are used. */
static utet_io io = {.map = tet, .size = sizeof tet, .unit = 1, .align = 1};
static utet_file file;

static utet_status read_row(uint8_t *values, size_t size)
{
    static const utet_range box[2] = {{10, 11, 1}, {0, 128, 16}}; /* row 10, columns 0 16 32 ... */
    static utet_dataset data;
    static utet_slab slab;
    utet_status s;

    if ((s = utet_init(&file, &io, NULL, 0, NULL)) != UTET_OK || (s = utet_open(&file, NULL)) != UTET_OK ||
        (s = utet_dataset_find(&file, "temperature", 11, &data)) != UTET_OK ||
        (s = utet_slab_open(&slab, &file, &data, box)) != UTET_OK)
        return s;
    return utet_slab_read_all(&slab, values, size);
}

int main(void)
{
    uint8_t values[8];
    const utet_status s = read_row(values, sizeof values);

    printf("%s\n", utet_strerror(s));
    for (size_t i = 0; s == UTET_OK && i < sizeof values; i++)
        printf("%u\n", (unsigned)values[i]);
    return 0;
}
