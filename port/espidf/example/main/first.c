/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Prints eight elements of a tensor. Its file is in flash, where EMBED_FILES of CMakeLists.txt puts it. */
#include <stdio.h>
#include <utet.h>

extern const uint8_t tet[] __asm__("_binary_demo_tiny_tet_start");
extern const uint8_t tet_end[] __asm__("_binary_demo_tiny_tet_end");

/* Both stay as long as they are used. */
static utet_io io = {.map = tet, .unit = 1, .align = 1};
static utet_file file;

static utet_status read_row(uint8_t *values, size_t size)
{
    static const utet_range box[2] = {{10, 11, 1}, {0, 128, 16}}; /* row 10, columns 0 16 32 ... */
    static utet_dataset data;
    static utet_slab slab;
    utet_status s;

    io.size = (uint64_t)(tet_end - tet);
    if ((s = utet_init(&file, &io, NULL, 0, NULL)) != UTET_OK || (s = utet_open(&file, NULL)) != UTET_OK ||
        (s = utet_dataset_find(&file, "temperature", 11, &data)) != UTET_OK ||
        (s = utet_slab_open(&slab, &file, &data, box)) != UTET_OK)
        return s;
    return utet_slab_read_all(&slab, values, size);
}

void app_main(void)
{
    uint8_t values[8];
    const utet_status s = read_row(values, sizeof values);

    printf("%s\n", utet_strerror(s));
    for (size_t i = 0; s == UTET_OK && i < sizeof values; i++)
        printf("%u\n", (unsigned)values[i]);
}
