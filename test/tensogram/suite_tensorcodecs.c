/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Tensors of Tensogram messages, one encoding at a time: elements, decimal scales, masks and the streams in which they
 * are packed, szip; each codec pauses at the step limit of the port.
 */
#include "tensor_world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static tensor_world w;
static utet_object object;
static utet_tensor tensor;
static uint8_t bytes[8192];
static size_t got;

static utet_status need(void)
{
    utet_need bounds;

    return utet_tensor_need(&tensor, &w.rig.file, &object, &bounds);
}

static utet_status read_bytes(void)
{
    return utet_tensor_read(&tensor, bytes, sizeof bytes, &got);
}

/* Elements that do not exist, and texts without room. */
static void elements(void **state)
{
    static const uint8_t one[16] = {1};
    char text[UTET_TENSOR_TEXT];
    double value;
    size_t length;

    (void)state;
    assert_int_equal(utet_tensor_double(UTET_TENSOR_BITMASK, one, &value, NULL), UTET_E_DTYPE);
    assert_int_equal(utet_tensor_double(0, one, &value, NULL), UTET_E_DTYPE);
    assert_int_equal(utet_tensor_text(UTET_TENSOR_BITMASK, one, text, sizeof text, &length), UTET_E_DTYPE);
    assert_int_equal(utet_tensor_text(UTET_TENSOR_UINT8, one, text, 1, &length), UTET_E_SPACE);
    assert_int_equal(utet_tensor_text(UTET_TENSOR_UINT8, one, text, 2, &length), UTET_OK);
    assert_int_equal(length, 1);
    assert_string_equal(text, "1");
}

/* A tensor of `count` elements whose payload is `file`. */
static void over(const uint8_t *file, size_t size, uint8_t dtype, uint64_t count)
{
    world_first(&w);
    w.bytes = file;
    w.size = size;
    w.name = "made";
    world_open(&w, 1, 1u << 12, SLICE_ALL, 0, 1, 0);
    memset(&object, 0, sizeof object);
    object.dtype = dtype;
    object.width = 8;
    object.encoding = UTET_ENCODING_NONE;
    object.filter = UTET_FILTER_NONE;
    object.compression = UTET_COMPRESSION_NONE;
    object.elements = count;
    object.decoded_length = 8 * count;
    object.stored_length = 8 * count;
    object.payload_length = 8 * count;
}

/* Each decimal scale whose power of ten is in the table: the value is the nearest one, as strtod returns it. */
static void decimal_scales(void **state)
{
    static const uint8_t one[1] = {1};
    int d;

    (void)state;
    for (d = -22; d <= 22; d++) {
        char text[16];
        double value;

        over(one, 1, UTET_TENSOR_FLOAT64, 1);
        object.encoding = UTET_ENCODING_SIMPLE_PACKING;
        object.packing.bits = 8;
        object.packing.decimal = d;
        object.stored_length = 1;
        object.payload_length = 1;
        faultport_zone(&w.rig.port, 1, bytes, sizeof bytes);
        DRIVE_OK(utet_tensor_open(&tensor, &w.rig.file, &object));
        DRIVE_OK(utet_tensor_doubles(&tensor, &value, 1, &got));
        snprintf(text, sizeof text, "1e%d", -d);
        suite_check(got == 1 && value == strtod(text, NULL), "10^%d: %.17g", -d, value);
        world_close(&w);
    }
}

/* A mask has one bit for each element, in complete bytes; a method needs its codec. */
static void masks(void **state)
{
    static const uint8_t zeros[17 * 8 + 8];
    uint64_t count;

    (void)state;
    for (count = 7; count <= 17; count++) {
        const uint64_t bits = (count + 7) / 8;
        int more;

        for (more = -1; more <= 1; more++) {
            over(zeros, sizeof zeros, UTET_TENSOR_FLOAT64, count);
            object.masks = 1;
            object.mask[0].method = UTET_COMPRESSION_NONE;
            object.mask[0].offset = 8 * count;
            object.mask[0].length = (uint64_t)((int64_t)bits + more);
            assert_int_equal(need(), more == 0 ? UTET_OK : UTET_E_PAYLOAD);
            world_close(&w);
        }
    }
    over(zeros, sizeof zeros, UTET_TENSOR_FLOAT64, 8);
    object.masks = 1;
    object.mask[0].method = UTET_COMPRESSION_RLE;
    object.mask[0].offset = 64;
    object.mask[0].length = 2;
    assert_int_equal(need(), UTET_OK);
    w.rig.file.priv.codecs = NULL;
    assert_int_equal(need(), UTET_E_CODEC);
    world_close(&w);
}

/* Masks of 16 elements, byte by byte as the descriptions of the formats have them; bits: element 0 is the lowest. */
static void streams_of_masks(void **state)
{
#define LIST "\x3a\x30\0\0\1\0\0\0\0\0\2\0\x10\0\0\0" /* one container of three values */
#define RUNS(values) "\x3b\x30\0\0\1\0\0" values      /* one of runs: that many values, and 1 */
#define ROW(stream, bits, status, method)                                   \
    {                                                                       \
        stream, sizeof(stream) - 1, bits, status, UTET_COMPRESSION_##method \
    }
    static const struct {
        const char *stream;
        size_t size;
        unsigned bits;
        utet_status status;
        uint8_t method;
    } rows[] = {
        ROW(LIST "\1\0\5\0\x9\0", 0x222, UTET_OK, ROARING),
        ROW(LIST "\0\0\1\0\xf\0", 0x8003, UTET_OK, ROARING),
        ROW(LIST "\5\0\1\0\x9\0", 0, UTET_E_PAYLOAD, ROARING), /* not ascending */
        ROW(LIST "\5\0\5\0\x9\0", 0, UTET_E_PAYLOAD, ROARING),
        ROW(LIST "\1\0\5\0\x10\0", 0, UTET_E_PAYLOAD, ROARING), /* no element 16 */
        ROW(LIST "\1\0\5\0\x9\0\0", 0, UTET_E_PAYLOAD, ROARING),
        ROW(LIST "\1\0\5\0\x9", 0, UTET_E_PAYLOAD, ROARING),
        ROW("\x3a\x30\0\0\0\0\0\0", 0, UTET_OK, ROARING), /* no container */
        ROW("\x3a\x30\0\0\0\0\0", 0, UTET_E_PAYLOAD, ROARING),
        ROW("\x3a\x30\1\0\0\0\0\0", 0, UTET_E_PAYLOAD, ROARING),
        ROW("\x39\x30\0\0\0\0\0\0", 0, UTET_E_PAYLOAD, ROARING),
        ROW("", 0, UTET_E_PAYLOAD, ROARING),
        ROW(RUNS("\2\0") "\1\0\2\0\2\0", 0x1c, UTET_OK, ROARING),
        ROW(RUNS("\3\0") "\2\0\1\0\1\0\5\0\1\0", 0x66, UTET_OK, ROARING),
        ROW(RUNS("\3\0") "\2\0\1\0\1\0\2\0\1\0", 0, UTET_E_PAYLOAD, ROARING), /* one within the other */
        ROW(RUNS("\1\0") "\1\0\2\0\2\0", 0, UTET_E_PAYLOAD, ROARING),         /* more than announced */
        ROW(RUNS("\3\0") "\1\0\2\0\2\0", 0, UTET_E_PAYLOAD, ROARING),         /* fewer */
        ROW(RUNS("\0\0") "\0\0", 0, UTET_E_PAYLOAD, ROARING),
        ROW(RUNS("\1\0") "\1\0\xf\0\1\0", 0, UTET_E_PAYLOAD, ROARING),
        ROW("\0\3\2\xb", 0x18, UTET_OK, RLE),
        ROW("\1\1\xe\1", 0x8001, UTET_OK, RLE),
        ROW("\1\0\x10", 0, UTET_OK, RLE),
        ROW("\1\x10", 0xffff, UTET_OK, RLE),
        ROW("\0\x83\x80\x80\x80\x80\x80\x80\x80\x80\0\2\xb", 0x18, UTET_OK, RLE),     /* longer than necessary */
        ROW("\0\x83\x80\x80\x80\x80\x80\x80\x80\x80\2\2\xb", 0, UTET_E_PAYLOAD, RLE), /* 2^64 and 3 */
        ROW("\0\x83\x80\x80\x80\x80\x80\x80\x80\x80\x80\0\2\xb", 0, UTET_E_PAYLOAD, RLE),
        ROW("\2\3\2\xb", 0, UTET_E_PAYLOAD, RLE),
        ROW("\0\3\2\xa", 0, UTET_E_PAYLOAD, RLE),
        ROW("\0\3\2\xc", 0, UTET_E_PAYLOAD, RLE),
        ROW("\0\3\2\x8b", 0, UTET_E_PAYLOAD, RLE),
        ROW("\0", 0, UTET_E_PAYLOAD, RLE),
        ROW("", 0, UTET_E_PAYLOAD, RLE),
    };
    static uint8_t made[16 * 8 + 64];
    double values[16];
    size_t i, k;

    (void)state;
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        utet_status status;
        unsigned bits = 0;

        memcpy(made + sizeof values, rows[i].stream, rows[i].size);
        over(made, sizeof made, UTET_TENSOR_FLOAT64, 16);
        object.masks = 1;
        object.mask[0].method = rows[i].method;
        object.mask[0].offset = sizeof values;
        object.mask[0].length = rows[i].size;
        DRIVE(status, utet_tensor_open(&tensor, &w.rig.file, &object));
        if (status == UTET_OK)
            DRIVE(status, utet_tensor_doubles(&tensor, values, 16, &got));
        suite_check(status == rows[i].status, "row %lu: %s", (unsigned long)i, rig_status(status));
        for (k = 0; status == UTET_OK && k < 16; k++)
            bits |= (unsigned)(values[k] != values[k]) << k;
        suite_check(bits == rows[i].bits, "row %lu: bits %x", (unsigned long)i, bits);
        world_close(&w);
    }
#undef LIST
#undef RUNS
#undef ROW
}

/* ---- io.step_limit ---- */

/* Returns how often moving to the end returns "not yet", and with which status it ends. Half the time by reading. */
static unsigned long pauses(uint16_t pause, int by_reading, utet_status must)
{
    unsigned long waits = 0, turns = 0;
    utet_status status;

    w.rig.port.io.step_limit = pause;
    while ((status = utet_tensor_open(&tensor, &w.rig.file, &object)) == UTET_WOULD_BLOCK)
        waits++;
    while ((status == UTET_OK || status == UTET_WOULD_BLOCK) && ++turns < 100000) {
        if (status == UTET_OK && tensor.position == tensor.length)
            break;
        status = by_reading ? utet_tensor_read(&tensor, bytes, sizeof bytes, &got)
                            : utet_tensor_skip(&tensor, UINT64_MAX);
        waits += status == UTET_WOULD_BLOCK;
    }
    suite_check(status == must, "%s instead of %s", rig_status(status), rig_status(must));
    if (UTET_IS_ERROR(must)) /* the error persists */
        assert_int_equal(utet_tensor_skip(&tensor, 1), must);
    return waits;
}

/* With any codec, a call passes at most io.step_limit steps without output. */
static void each_codec_pauses(void **state)
{
    enum { LONG = 3000 };
    static uint8_t file[20000];
    static const struct {
        const char *head; /* of the payload; then zeros or 255s */
        unsigned head_size, byte, dtype, compression;
        utet_status must;
        unsigned least; /* steps, in all */
        int of_mask;
    } rows[] = {
        {"\x40\0\0\0\xF0", 5, 255, UTET_TENSOR_FLOAT64, UTET_COMPRESSION_LZ4, UTET_E_PAYLOAD, LONG, 0},
        {"\0\0\0\x40\0\x40", 6, 0, UTET_TENSOR_BITMASK, UTET_COMPRESSION_RLE, UTET_OK, LONG, 0},
        {"\0\0\0\x40\x3a\x30\0\0\1\0\0\0\0\0\xff\xff\x10\0\0\0", 20, 0, UTET_TENSOR_BITMASK, UTET_COMPRESSION_ROARING,
         UTET_E_PAYLOAD, LONG, 0},
        {"\x08", 1, 0, UTET_TENSOR_FLOAT32, UTET_COMPRESSION_SZIP, UTET_E_PAYLOAD, LONG / 512, 0},
        {"\0\x08", 2, 0, UTET_TENSOR_FLOAT64, UTET_COMPRESSION_RLE, UTET_OK, LONG, 1},
        {"", 0, 0, UTET_TENSOR_FLOAT64, UTET_COMPRESSION_NONE, UTET_OK, LONG, 1},
    };
    size_t i;
    int by_reading;

    (void)state;
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (by_reading = 0; by_reading < 2; by_reading++) {
            const uint64_t count = rows[i].compression == UTET_COMPRESSION_NONE ? 8 * LONG : 8;
            const size_t at = rows[i].of_mask ? (size_t)count * 8 : 0;
            const size_t size = at + (rows[i].compression == UTET_COMPRESSION_NONE ? LONG : LONG + rows[i].head_size);
            static uint8_t mask_file[8 * 8 * LONG + LONG + 8];
            uint8_t *to = rows[i].of_mask ? mask_file : file;
            unsigned long waits;

            memset(to, (int)rows[i].byte, size);
            memcpy(to + at, rows[i].head, rows[i].head_size);
            over(to, size, (uint8_t)rows[i].dtype, count);
            faultport_zone(&w.rig.port, 1, bytes, sizeof bytes);
            if (rows[i].of_mask) {
                object.masks = 1;
                object.mask[1].method = (uint8_t)rows[i].compression;
                object.mask[1].offset = at;
                object.mask[1].length = size - at;
            } else {
                object.compression = (uint8_t)rows[i].compression;
                object.payload_length = size;
                object.szip.block_size = 8;
                object.szip.interval = 1;
                object.width = rows[i].dtype == UTET_TENSOR_FLOAT32 ? 4 : 8;
                if (rows[i].dtype == UTET_TENSOR_BITMASK) {
                    object.elements = 64;
                    object.decoded_length = 8;
                    object.stored_length = 8;
                }
                if (rows[i].dtype == UTET_TENSOR_FLOAT32)
                    object.decoded_length = object.stored_length = 4 * count;
            }
            assert_int_equal(pauses(0, by_reading, rows[i].must), 0);
            waits = pauses(1, by_reading, rows[i].must);
            suite_check(waits >= rows[i].least, "row %lu: %lu calls", (unsigned long)i, waits);
            waits = pauses(7, by_reading, rows[i].must);
            suite_check(waits >= rows[i].least / 7 && waits <= LONG / 7 + 10, "row %lu: %lu calls of 7",
                        (unsigned long)i, waits);
            world_close(&w);
        }
}

/* 2^32 bits of 12 bytes are skipped run by run; the bits at the end are right. */
static void long_runs_are_passed_at_once(void **state)
{
    static const uint8_t runs[] = {0xff, 0xff, 0xff, 0xf8, 1, 0xf7, 0xff, 0xff, 0xff, 0x0f, 1};
    uint64_t place;

    (void)state;
    for (place = 0; place < 3; place++) {
        over(runs, sizeof runs, UTET_TENSOR_BITMASK, 1);
        object.compression = UTET_COMPRESSION_RLE;
        object.elements = 0xfffffff8;
        object.decoded_length = object.stored_length = object.elements / 8;
        object.payload_length = sizeof runs;
        faultport_zone(&w.rig.port, 1, bytes, sizeof bytes);
        DRIVE_OK(utet_tensor_open(&tensor, &w.rig.file, &object));
        if (place == 1) {
            DRIVE_OK(utet_tensor_read(&tensor, bytes, 3, &got));
            DRIVE_OK(utet_tensor_skip(&tensor, 7)); /* of the available bytes */
        }
        DRIVE_OK(utet_tensor_skip(&tensor, place == 2 ? UINT64_MAX : object.decoded_length - 1 - tensor.position));
        if (place < 2) {
            DRIVE_OK(utet_tensor_read(&tensor, bytes, 2, &got));
            assert_int_equal(got, 1);
            assert_int_equal(bytes[0], 0xfe);
        }
        assert_true(tensor.position == tensor.length);
        world_close(&w);
    }
}

/* A tensor of no elements decodes nothing: no bytes are copied from a null pointer (which ASan's UBSan would
 * notice). */
static void nothing_in_szip(void **state)
{
    static const uint8_t zeros[8];
    unsigned shuffled;

    (void)state;
    for (shuffled = 0; shuffled <= 1; shuffled++) {
        over(zeros, sizeof zeros, UTET_TENSOR_FLOAT32, 0);
        object.width = 4;
        object.filter = shuffled != 0 ? UTET_FILTER_SHUFFLE : UTET_FILTER_NONE;
        object.shuffle_size = 4;
        object.compression = UTET_COMPRESSION_SZIP;
        object.szip.block_size = 8;
        object.szip.interval = 1;
        DRIVE_OK(utet_tensor_open(&tensor, &w.rig.file, &object));
        assert_int_equal(read_bytes(), UTET_END);
        world_close(&w);
    }
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        cmocka_unit_test(elements),
        cmocka_unit_test(decimal_scales),
        cmocka_unit_test(masks),
        cmocka_unit_test(each_codec_pauses),
        cmocka_unit_test(long_runs_are_passed_at_once),
        cmocka_unit_test(streams_of_masks),
        cmocka_unit_test(nothing_in_szip),
    };

    return SUITE("tensorcodecs", cases);
}
