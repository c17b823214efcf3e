/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target "tensordata": 20 bytes that choose how the port behaves and what the descriptor is (fuzz_seed.py writes
 * them in the same order), then the data of a tensor. Any bytes give the same values, or an error, through every port,
 * in slices and completely, read or skipped up to an index, and in slabs. The need suffices, and one byte less is
 * refused.
 */
#include "fuzz.h"
#include "utet_lz4.h"
#include "utet_tensogram_data.h"

enum { HEAD = 20, MOST_BYTES = 4096 * 16 };

static uint8_t whole[MOST_BYTES], sliced[MOST_BYTES];

static void describe(utet_object *o, const uint8_t *head, size_t size)
{
    static const uint8_t widths[] = {0, 2, 2, 4, 8, 8, 16, 1, 2, 4, 8, 1, 2, 4, 8, 0};
    const size_t masks = (size_t)head[14] + head[16] + head[18];
    uint64_t place = size > masks ? size - masks : 0;
    unsigned i;

    memset(o, 0, sizeof *o);
    o->dtype = (uint8_t)(1u + head[2] % 15u);
    o->width = widths[o->dtype];
    o->big_endian = head[3] >> 7;
    o->encoding = (uint8_t)(1u + (head[3] & 1u));
    o->filter = (uint8_t)(1u + (head[3] >> 1 & 1u));
    o->compression = (uint8_t)(1u + (head[3] >> 2 & 15u) % 7u);
    o->elements = ((uint64_t)head[4] << 8 | head[5]) % 4096u;
    o->packing.bits = head[6] % 65u;
    o->packing.binary = (int8_t)head[7];
    o->packing.decimal = (int8_t)head[8] / 4;
    o->packing.reference = head[9] - 100.5;
    o->shuffle_size = head[10];
    o->szip.block_size = 8u << (head[11] & 3u);
    o->szip.interval = 1u + head[19] * (1u + (head[11] >> 2));
    o->szip.flags = head[12];
    o->payload_offset = 0;
    o->payload_length = place;
    for (i = 0; i < UTET_MASKS && place != 0; i++) {
        o->mask[i].method = head[13 + 2 * i] % 8u;
        o->mask[i].offset = place;
        o->mask[i].length = head[14 + 2 * i];
        place += o->mask[i].length;
        o->masks = (uint8_t)(o->masks + (o->mask[i].method != 0));
    }
    o->decoded_length = o->dtype == UTET_TENSOR_BITMASK ? (o->elements + 7) / 8 : o->elements * o->width;
    o->stored_length = o->encoding == UTET_ENCODING_SIMPLE_PACKING ? (o->elements * o->packing.bits + 7) / 8
                                                                   : o->decoded_length;
}

static void begin(rig *r, unsigned how, const uint8_t *bytes, size_t size, size_t budget)
{
    static const utet_codec *codecs[6];

    fuzz_open_messages(r, how & ~8u, bytes, size);
    codecs[0] = r->codecs[0];
    codecs[1] = &utet_codec_szip;
    codecs[2] = &utet_codec_lz4;
    codecs[3] = &utet_codec_rle;
    codecs[4] = &utet_codec_roaring;
    r->file.priv.codecs = codecs;
    if (budget != 0) {
        r->file.priv.state = 0; /* opens again, in memory that ends at an unmapped page */
        FUZZ_CHECK(utet_init(&r->file, &r->port.io, r->file.priv.work, budget, codecs) == UTET_OK);
        FUZZ_CHECK(utet_messages_open(&r->file, NULL) == UTET_OK);
    }
}

/* Reads the rest in slices that `how` chooses; returns the status of the end. */
static utet_status read_all(utet_tensor *t, unsigned how, uint8_t *to, size_t *length)
{
    uint32_t draw = how * 2654435761u + 1u;
    utet_status status;
    size_t got;

    *length = 0;
    do {
        size_t some = how == 0 ? MOST_BYTES : 1u + (draw >> 8) % (how & 1u ? 40u : 700u);

        draw = draw * 1664525u + 1013904223u;
        if (some > MOST_BYTES - *length)
            some = MOST_BYTES - *length;
        if (some == 0)
            some = 1; /* the buffer is full: nothing more may come */
        DRIVE(status, utet_tensor_read(t, *length < MOST_BYTES ? to + *length : to, some, &got));
        FUZZ_CHECK(got <= some && *length + got <= MOST_BYTES);
        *length += got;
        FUZZ_CHECK((status == UTET_OK) == (got != 0) || status < 0);
    } while (status == UTET_OK);
    FUZZ_CHECK(status != UTET_END || t->position == t->length);
    return status;
}

static void check_skip(const utet_object *o, unsigned how, const uint8_t *bytes, size_t size, size_t length)
{
    static rig r;
    utet_tensor t;
    utet_status status;
    const size_t place = length * (how & 15u) / 16u;
    size_t got;

    begin(&r, how, bytes, size, 0);
    DRIVE(status, utet_tensor_open(&t, &r.file, o));
    FUZZ_CHECK(status == UTET_OK);
    DRIVE(status, utet_tensor_skip(&t, place));
    FUZZ_CHECK(status == UTET_OK && t.position == place);
    FUZZ_CHECK(read_all(&t, how, sliced, &got) == UTET_END);
    FUZZ_CHECK(got == length - place && memcmp(sliced, whole + place, got) == 0);
    fuzz_end(&r);
}

/* A range of an axis with at least one index. */
static utet_range choose(uint32_t *draw, uint64_t extent)
{
    utet_range range;

    *draw = *draw * 1664525u + 1013904223u;
    range.start = (*draw >> 8) % extent;
    range.stop = range.start + 1u + (*draw >> 20) % (extent - range.start);
    range.step = 1u + (*draw >> 28) % 5u;
    return range;
}

/* A slab of two axes has the elements that the complete tensor has at these indices. */
static void check_slab(const utet_object *whole_object, unsigned how, const uint8_t *bytes, size_t size)
{
    static rig r;
    utet_object o = *whole_object;
    utet_tensor t;
    utet_tensor_slab slab;
    utet_range ranges[2];
    uint32_t draw = how * 2654435761u;
    utet_status status;
    uint64_t i, j;
    size_t length = 0, at = 0, got;
    const size_t width = o.dtype == UTET_TENSOR_BITMASK ? 1 : o.width;

    o.ndim = 2;
    o.shape[1] = 1u + how % 9u;
    if (o.elements == 0 || o.elements % o.shape[1] != 0)
        o.shape[1] = 1;
    o.shape[0] = o.elements / o.shape[1];
    if (o.shape[0] == 0)
        return;
    ranges[0] = choose(&draw, o.shape[0]);
    ranges[1] = choose(&draw, o.shape[1]);
    begin(&r, how, bytes, size, 0);
    DRIVE(status, utet_tensor_open(&t, &r.file, &o));
    FUZZ_CHECK(status == UTET_OK);
    FUZZ_CHECK(utet_tensor_slab_open(&slab, &t, ranges) == UTET_OK && slab.length <= MOST_BYTES);
    do {
        const size_t some = 1u + (draw >> 8) % 90u;

        draw = draw * 1664525u + 1013904223u;
        DRIVE(status, utet_tensor_slab_read(&slab, sliced + length, some < MOST_BYTES - length ? some : 1, &got));
        length += got;
    } while (status == UTET_OK && length < MOST_BYTES - 100u);
    FUZZ_CHECK((status == UTET_END || length >= MOST_BYTES - 100u) && slab.position == length);
    for (i = ranges[0].start; i < ranges[0].stop; i += ranges[0].step)
        for (j = ranges[1].start; j < ranges[1].stop && at + width <= length; j += ranges[1].step, at += width) {
            const size_t place = (size_t)(i * o.shape[1] + j);

            if (o.dtype == UTET_TENSOR_BITMASK)
                FUZZ_CHECK(sliced[at] == (whole[place / 8] >> (7 - place % 8) & 1));
            else
                FUZZ_CHECK(memcmp(sliced + at, whole + place * width, width) == 0);
        }
    FUZZ_CHECK(at == length || status != UTET_END);
    fuzz_end(&r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static rig r;
    utet_object o;
    utet_tensor t;
    utet_need need;
    utet_status first, second, opened;
    size_t length, other;

    if (size < HEAD || size > 1 << 15)
        return 0;
    describe(&o, data, size - HEAD);
    begin(&r, 32u | (data[0] & 64u), data + HEAD, size - HEAD, 0);
    DRIVE(first, utet_tensor_need(&t, &r.file, &o, &need));
    if (first == UTET_OK)
        DRIVE(first, utet_tensor_open(&t, &r.file, &o));
    if (first == UTET_OK)
        first = read_all(&t, 0, whole, &length);
    fuzz_end(&r);

    begin(&r, data[0], data + HEAD, size - HEAD, 0);
    DRIVE(opened, utet_tensor_need(&t, &r.file, &o, &need));
    fuzz_end(&r);
    FUZZ_CHECK(opened == UTET_OK || first != UTET_END);
    if (opened != UTET_OK || need.least > FUZZ_WORK)
        return 0;
    begin(&r, data[0], data + HEAD, size - HEAD, (size_t)need.least);
    DRIVE(second, utet_tensor_open(&t, &r.file, &o));
    FUZZ_CHECK(second != UTET_E_BUDGET);
    if (second == UTET_OK)
        second = read_all(&t, data[1] | 1u, sliced, &other);
    fuzz_end(&r);
    FUZZ_CHECK((first == UTET_END) == (second == UTET_END));
    if (first != UTET_END)
        return 0;
    FUZZ_CHECK(length == o.decoded_length && other == length && memcmp(whole, sliced, length) == 0);
    check_skip(&o, data[1], data + HEAD, size - HEAD, length);
    check_slab(&o, data[1], data + HEAD, size - HEAD);
    return 0;
}
