/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Firmware that draws forecast fields from a Tensogram message on the SD card: every tensor of 64 x 128 in the first
 * message of forecast.tgm, packed and compressed, with names, units and step from its metadata. Prints for each field
 * what a host can compare (SHA-256 of the values, labels), and the memory that it took, which is exactly what the
 * library requires. Relies on the drivers of this folder, on common/ and on port/fatfs. Command line: see screen.h. */
#include "board.h"
#include "ff.h"
#include "line.h"
#include "print.h"
#include "report.h"
#include "screen.h"
#include "sha256.h"
#include "utet_fatfs_words.h"
#include "utet_tensogram_data.h"

#include <string.h>

#define NAME "forecast.tgm"
#define TABLE_WORDS 64u
#define WORK 20480u

static const utet_codec *const codecs[] = {&utet_codec_szip, &utet_codec_zstd_small, NULL};

static FATFS volume;
static utet_fatfs port;
static DWORD table[TABLE_WORDS];
static uint64_t work[WORK / 8];
static utet_file file;
static utet_message message;
static utet_metadata about;
static utet_object object;
static utet_frame frame;
static utet_cbor reader;
static utet_tensor tensor;
static union {
    float floats[OLED_WIDTH];
    uint8_t bytes[OLED_WIDTH * 4];
} row;

/* ---- labels ---- */

/* A text or a number of a map in the tensor's entry; a missing one is left out. */
static utet_status add_value(const utet_item *map, const char *key)
{
    utet_item value;
    const utet_status status = utet_metadata_in(&about, map, key, strlen(key), &value);
    const size_t room = line_room();

    if (status != UTET_OK)
        return status == UTET_E_NOT_FOUND ? UTET_OK : status;
    if (value.kind == UTET_CBOR_UNSIGNED)
        line_add_number((int32_t)value.number);
    if (value.kind == UTET_CBOR_TEXT && value.length <= room) {
        const utet_status read = utet_item_text(&about.reader, &value, 0, line.text + line.length, value.length);

        line.length += value.length;
        return read;
    }
    return UTET_OK;
}

static utet_status draw_labels(uint32_t number, float low, float high)
{
    utet_item entry;
    utet_item over;
    utet_item mars;
    utet_status status = utet_metadata_entry(&about, number, &entry, &over);

    if (status == UTET_OK)
        status = add_value(&entry, "name");
    if (status != UTET_OK)
        return status;
    line_draw(0, 0);
    line_add_number((int32_t)low);
    line_add_text("..");
    line_add_number((int32_t)high);
    line_add_text(" ");
    status = add_value(&entry, "units");
    if (status != UTET_OK)
        return status;
    line_draw(0, FONT_HEIGHT);
    status = utet_metadata_in(&about, &entry, "mars", 4, &mars);
    if (status != UTET_OK)
        return status == UTET_E_NOT_FOUND ? UTET_OK : status;
    status = add_value(&mars, "param");
    line_add_text(" +");
    if (status == UTET_OK)
        status = add_value(&mars, "step");
    line_add_text(" h");
    line_draw(0, OLED_HEIGHT - FONT_HEIGHT);
    return status;
}

/* ---- a field ---- */

/* Opens the file again, in `bytes` bytes of memory; objects keep offsets, so they stay valid. */
static utet_status reopen(size_t bytes)
{
    const utet_status status = utet_init(&file, &port.io, work, bytes, codecs);

    return status == UTET_OK ? utet_messages_open(&file, NULL) : status;
}

/* Opens the tensor in exactly the memory that it needs. The first time, it also verifies the hash of the frame. */
static utet_status begin(utet_need *need, int first)
{
    utet_status status = reopen(sizeof work);

    if (status == UTET_OK)
        status = utet_tensor_need(&tensor, &file, &object, need);
    if (status == UTET_OK && need->least > sizeof work)
        return UTET_E_BUDGET;
    if (status == UTET_OK)
        status = reopen((size_t)need->least);
    if (status != UTET_OK)
        return status;
    return first ? utet_tensor_open(&tensor, &file, &object) : utet_tensor_open_unverified(&tensor, &file, &object);
}

/* The SHA-256 of all values as float64, little-endian. */
static utet_status digest(uint8_t out[32])
{
    struct sha256 hash;
    size_t got;
    utet_status status;

    sha256_init(&hash);
    while ((status = utet_tensor_read(&tensor, row.bytes, sizeof row.bytes, &got)) == UTET_OK)
        sha256_add(&hash, row.bytes, got);
    sha256_end(&hash, out);
    return status == UTET_END ? UTET_OK : status;
}

static utet_status find_span(float *low, float *high)
{
    size_t got;
    utet_status status = utet_tensor_floats(&tensor, row.floats, OLED_WIDTH, &got);

    *low = row.floats[0];
    *high = row.floats[0];
    for (; status == UTET_OK; status = utet_tensor_floats(&tensor, row.floats, OLED_WIDTH, &got))
        for (size_t i = 0; i < got; i++) {
            *low = row.floats[i] < *low ? row.floats[i] : *low;
            *high = row.floats[i] > *high ? row.floats[i] : *high;
        }
    return status == UTET_END ? UTET_OK : status;
}

/* From 1, so that the black of the letters is visible. */
static utet_status draw_field(float low, float high)
{
    const float step = high > low ? 14.0f / (high - low) : 0.0f;
    uint8_t greys[OLED_WIDTH];
    size_t got;
    utet_status status;

    oled_window(0, 0, OLED_WIDTH, OLED_HEIGHT);
    while ((status = utet_tensor_floats(&tensor, row.floats, OLED_WIDTH, &got)) == UTET_OK) {
        for (size_t i = 0; i < got; i++)
            greys[i] = (uint8_t)(1.5f + (row.floats[i] - low) * step);
        oled_greys(greys, (unsigned)got);
    }
    return status == UTET_END ? UTET_OK : status;
}

static void print_tensor(const utet_need *need, const uint8_t sum[32])
{
    print_text("tensor ");
    print_u64(object.number);
    print_char(' ');
    print_text(utet_compression_name(object.compression));
    print_text(", packed in ");
    print_u64(object.packing.bits);
    print_text(" bits: ");
    print_u64(object.payload_length);
    print_text(" bytes on the card, workspace ");
    print_u64(need->least);
    print_text(" (best ");
    print_u64(need->best);
    print_text(")\n    sha256 ");
    print_hex_bytes(sum, 32);
    print_char('\n');
}

static utet_status show_tensor(uint32_t number)
{
    static const char *const names[] = {"field0", "field1"};
    uint8_t sum[32];
    utet_need need;
    float low = 0;
    float high = 0;
    utet_status status = utet_object_find(&object, &file, &message, number, &frame, &reader);

    if (status == UTET_OK && (object.ndim != 2 || object.shape[0] != OLED_HEIGHT || object.shape[1] != OLED_WIDTH))
        status = UTET_E_DTYPE;
    if (status == UTET_OK)
        status = begin(&need, 1);
    if (status == UTET_OK)
        status = digest(sum);
    if (status != UTET_OK)
        return status;
    print_tensor(&need, sum);
    status = begin(&need, 0);
    if (status == UTET_OK)
        status = find_span(&low, &high);
    if (status == UTET_OK)
        status = begin(&need, 0);
    if (status == UTET_OK)
        status = draw_field(low, high);
    if (status == UTET_OK)
        status = draw_labels(number, low, high);
    if (status == UTET_OK)
        screen_show(names[number & 1u]);
    return status;
}

static utet_status show_file(void)
{
    utet_status status = utet_fatfs_open(&port, NAME, table, TABLE_WORDS);
    uint32_t i;

    if (status == UTET_OK)
        status = reopen(UTET_WINDOW_LEAST(512));
    if (status == UTET_OK)
        status = utet_message_first(&file, &message);
    if (status == UTET_OK)
        status = utet_metadata_open(&about, &file, &message, NULL, 0);
    for (i = 0; status == UTET_OK && i < about.objects; i++)
        status = show_tensor(i);
    utet_fatfs_close(&port);
    return status;
}

int main(void)
{
    const FRESULT mounted = f_mount(&volume, "", 1);
    utet_status status;

    print_text(utet_build_info());
    print_char('\n');
    oled_init();
    status = mounted == FR_OK ? show_file() : UTET_FATFS_STATUS(mounted);
    if (status != UTET_OK) { /* so the damage is shown at the position of the field */
        line_add_text(utet_fatfs_strerror(status));
        line_draw(0, 0);
    }
    report_memory(WORK);
    return report_end("forecast", status, utet_fatfs_strerror(status), file.error_offset);
}
