/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Draws the tensor of tiny.h as text on the serial monitor: every fourth row, every second column, ten shades. */
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

/* One row of the picture: a slab of its own, so that only one row is in RAM. */
static utet_status draw_row(utet_dataset *data, uint64_t row)
{
    static const char shades[] = " ,:-=+*#%@";
    static utet_slab slab;
    const utet_range box[2] = {{row, row + 1, 1}, {0, data->shape[1], 2}};
    uint8_t values[64];
    utet_status s;

    if ((s = utet_slab_open(&slab, &file, data, box)) != UTET_OK ||
        (s = utet_slab_read_all(&slab, values, sizeof values)) != UTET_OK)
        return s;
    for (uint8_t i = 0; i < sizeof values; i++)
        Serial.print(shades[values[i] * 10 / 256]);
    Serial.println();
    return UTET_OK;
}

static utet_status draw()
{
    static utet_dataset data;
    utet_status s;

    io.read = read_flash;
    io.size = sizeof tiny;
    io.unit = io.align = 1;
    if ((s = utet_init(&file, &io, work, sizeof work, NULL)) != UTET_OK || (s = utet_open(&file, NULL)) != UTET_OK ||
        (s = utet_dataset_first(&file, &data)) != UTET_OK)
        return s;
    for (uint64_t row = 0; row < data.shape[0] && s == UTET_OK; row += 4)
        s = draw_row(&data, row);
    return s;
}

void setup()
{
    char text[80];

    Serial.begin(115200);
    utet_strerror_copy(draw(), text, sizeof text);
    Serial.println(text);
}

void loop()
{
}
