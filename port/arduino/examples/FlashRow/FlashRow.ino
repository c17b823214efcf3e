/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Reads eight elements of a tensor whose file is an array in flash, tiny.h. An Arduino Mega has enough flash for it. */
#include <utet.h>
#include "tiny.h"

static utet_io io; /* io, file and work stay as long as they are used */
static utet_file file;
static uint8_t work[192];

static utet_status read_flash(void *, uint64_t offset, void *buf, size_t len, size_t *got)
{
    memcpy_P(buf, tiny + (size_t)offset, len);
    *got = len;
    return UTET_OK;
}

static utet_status read_row(uint8_t *values, size_t size)
{
    static const utet_range box[2] = {{10, 11, 1}, {0, 128, 16}}; /* row 10, columns 0 16 32 ... */
    static utet_dataset data;
    static utet_slab slab;
    utet_status s;

    io.read = read_flash;
    io.size = sizeof tiny;
    io.unit = io.align = 1;
    if ((s = utet_init(&file, &io, work, sizeof work, NULL)) != UTET_OK || (s = utet_open(&file, NULL)) != UTET_OK ||
        (s = utet_dataset_first(&file, &data)) != UTET_OK || (s = utet_slab_open(&slab, &file, &data, box)) != UTET_OK)
        return s;
    return utet_slab_read_all(&slab, values, size);
}

void setup()
{
    uint8_t values[8];
    char text[80];

    Serial.begin(115200);
    const utet_status s = read_row(values, sizeof values);
    utet_strerror_copy(s, text, sizeof text); /* on AVR, utet_strerror would keep 1.1 KB of RAM */
    Serial.println(text);
    for (uint8_t i = 0; s == UTET_OK && i < sizeof values; i++)
        Serial.println(values[i]);
}

void loop()
{
}
