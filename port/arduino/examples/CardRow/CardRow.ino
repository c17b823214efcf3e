/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Reads eight elements of a u8 tensor with raw tiles from a file on an SD card. An Arduino Mega has enough RAM for it.
 * Put demo_tiny.tet on the card as TINY.TET; `utet pack` makes such files from your own arrays. */
#include <SD.h>
#include <utet.h>

static const int chip_select = 53; /* of the card: 10 on many shields */

static File card;
static utet_io io; /* io, file and work stay as long as they are used */
static utet_file file;
static uint8_t work[640];

static utet_status read_card(void *, uint64_t offset, void *buf, size_t len, size_t *got)
{
    const uint16_t most = len < 512 ? (uint16_t)len : 512; /* fewer bytes than requested are permitted */
    int some;

    if (!card.seek((uint32_t)offset) || (some = card.read((uint8_t *)buf, most)) < 0)
        return UTET_E_PORT;
    *got = (size_t)some;
    return UTET_OK;
}

static utet_status read_row(uint8_t *values, size_t size)
{
    static const utet_range box[2] = {{10, 11, 1}, {0, 128, 16}}; /* row 10, columns 0 16 32 ... */
    static utet_dataset data;
    static utet_slab slab;
    utet_status s;

    io.read = read_card;
    io.size = card.size();
    io.unit = io.align = 1;
    if ((s = utet_init(&file, &io, work, sizeof work, NULL)) != UTET_OK || (s = utet_open(&file, NULL)) != UTET_OK ||
        (s = utet_dataset_find(&file, "temperature", 11, &data)) != UTET_OK ||
        (s = utet_slab_open(&slab, &file, &data, box)) != UTET_OK)
        return s;
    return utet_slab_read_all(&slab, values, size);
}

void setup()
{
    uint8_t values[8];
    char text[80];

    Serial.begin(115200);
    if (!SD.begin(chip_select) || !(card = SD.open("TINY.TET"))) {
        Serial.println(F("no card, or no file"));
        return;
    }
    const utet_status s = read_row(values, sizeof values);
    utet_strerror_copy(s, text, sizeof text); /* on AVR, utet_strerror would keep 1.1 KB of RAM */
    Serial.println(text);
    for (uint8_t i = 0; s == UTET_OK && i < sizeof values; i++)
        Serial.println(values[i]);
}

void loop()
{
}
