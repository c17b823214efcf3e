/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* What include/utet.h promises to codecs: the calls through which they reach their payload, made by a codec of the test
 * that reads it and then stops. */
#include "utet_codec.h"
#include "reader.h"
#include "tetgen.h"

#include <string.h>

static const tetgen_dataset sets[] = {
    {"z", 1, UTET_U16, 1, {3000}, {3000}, TETGEN_ZSTD},
    {"b", 1, UTET_U8, 1, {2000}, {2000}, TETGEN_RAW}, /* bytes after the payload */
};
enum { MEMORY = 8192 };

typedef struct world {
    tetgen g;
    rig r;
    utet_chunk c;
    const uint8_t *payload; /* in the file */
    unsigned long looked;
} world;

static world w;
static void (*look)(utet_stream *stream);

static utet_status own_need(utet_stream *stream, int exact, utet_need *need)
{
    (void)stream, (void)exact;
    need->least = need->best = MEMORY;
    return UTET_OK;
}

static utet_status own_open(utet_stream *stream)
{
    assert_true(stream->priv.work_len >= MEMORY);
    return UTET_OK;
}

static utet_status own_step(utet_stream *stream, size_t want)
{
    assert_true(want != 0); /* also of a chunk without bytes */
    look(stream);
    return utet_payload_error(stream, 7, UTET_E_PAYLOAD);
}

/* The medium has answered differently since the need was requested: its memory is no longer sufficient. */
static utet_status open_without_memory(utet_stream *stream)
{
    (void)stream;
    return UTET_E_BUDGET;
}

static const utet_codec own = {UTET_CODEC_ZSTD, own_need, own_open, own_step, &utet_driver};

static void look_once(utet_stream *stream)
{
    assert_int_equal(stream->length, 0);
    w.looked++;
}

/* A chunk of no bytes is opened with one step. */
static void a_chunk_of_nothing(void **state)
{
    utet_stream stream;
    utet_status status;

    (void)state;
    memset(&w, 0, sizeof w);
    w.g = (tetgen){.datasets = sets, .count = 2, .seed = 5};
    tetgen_build(&w.g);
    tetgen_put(w.g.bytes + w.g.index_offset + 32 + 80, 0, 8); /* raw_byte_len */
    rig_make(&w.r, w.g.bytes, w.g.size, -1);
    w.r.codecs[0] = &own;
    look = look_once;
    assert_int_equal(rig_open(&w.r, MEMORY + UTET_WINDOW_LEAST(1), (size_t)-1), UTET_OK);
    DRIVE_OK(utet_row_first(&w.r.file, &w.c));
    DRIVE(status, utet_stream_open(&stream, &w.r.file, &w.c));
    assert_int_equal(status, UTET_E_PAYLOAD);
    assert_int_equal(w.looked, 1);
    rig_end(&w.r, "codec");
    tetgen_free(&w.g);
}

/* Opens a stream over the chunk with a window of `window` bytes, and has its payload examined. */
static void begin(void (*how)(utet_stream *), size_t window, int mapped)
{
    utet_stream stream;
    uint8_t byte;
    size_t got;
    utet_status status;

    memset(&w, 0, sizeof w);
    w.g = (tetgen){.datasets = sets, .count = 2, .seed = 5};
    tetgen_build(&w.g);
    rig_make(&w.r, w.g.bytes, w.g.size, -1);
    if (mapped)
        faultport_map(&w.r.port);
    w.r.codecs[0] = &own;
    look = how;
    assert_int_equal(rig_open(&w.r, MEMORY + window, (size_t)-1), UTET_OK);
    DRIVE_OK(utet_row_first(&w.r.file, &w.c));
    w.payload = w.g.bytes + w.c.payload_offset;
    assert_true(w.c.stored_byte_len > 2000 && w.c.payload_offset + w.c.stored_byte_len + 1000 < w.g.size);
    DRIVE_OK(utet_stream_open(&stream, &w.r.file, &w.c));
    DRIVE(status, utet_stream_read(&stream, &byte, 1, &got));
    assert_int_equal(status, UTET_E_PAYLOAD);
    assert_int_equal(w.r.file.error_offset, w.c.payload_offset + 7);
    suite_check(w.looked != 0, "nothing was looked at");
    rig_end(&w.r, "codec");
    tetgen_free(&w.g);
}

/* ---- utet_payload_fetch ---- */

static void look_everywhere(utet_stream *stream)
{
    const uint64_t stored = w.c.stored_byte_len;

    for (uint64_t at = 0; at < stored; at += at + 300 < stored ? 37 : 1)
        for (unsigned i = 0; i < 3; i++) {
            uint64_t left = stored - at, ahead = i == 1 ? left : 1;
            size_t length = i == 2 && left < 128 ? (size_t)left : i == 2 ? 128 : 1, have = 0;
            const uint8_t *here = NULL;

            assert_int_equal(utet_payload_fetch(stream, at, length, ahead, &here, &have), UTET_OK);
            suite_check(have >= length && have <= left, "%zu bytes at %llu of %llu", have, (unsigned long long)at,
                        (unsigned long long)stored);
            assert_memory_equal(here, w.payload + at, have);
            w.looked++;
        }
}

/* A codec that does not stay within its payload: bytes outside of the file are not requested. */
static void look_behind_the_file(utet_stream *stream)
{
    const uint64_t end = w.g.size - w.c.payload_offset;
    const uint8_t *here = NULL;
    size_t have = 0;

    for (uint64_t at = end - 1; at < end + 3; at++) {
        const uint64_t reads = w.r.port.reads;

        assert_int_equal(utet_payload_fetch(stream, at, 2, 2, &here, &have), UTET_E_SHORT);
        assert_int_equal(w.r.port.reads, reads);
        w.looked++;
    }
}

static void nothing_behind_the_file(void **state)
{
    (void)state;
    begin(look_behind_the_file, UTET_WINDOW_LEAST(1), 0);
    begin(look_behind_the_file, 0, 1);
}

/* It gets only bytes of the payload, never the bytes after it; mapped, and in windows that hold more than the
 * payload. */
static void nothing_behind_the_payload(void **state)
{
    (void)state;
    begin(look_everywhere, UTET_WINDOW_LEAST(1), 0);
    begin(look_everywhere, UTET_WINDOW_BEST(1), 0);
    begin(look_everywhere, 0, 1);
}

/* ---- utet_payload_copy ---- */

static void look_straight(utet_stream *stream)
{
    uint8_t *to = stream->priv.work;
    const size_t window = w.r.file.priv.window;

    for (size_t length = 1; length < 2000; length++) {
        const uint8_t *far;
        uint64_t reads, bytes;
        size_t have;

        /* the window forgets what is requested, and reads no farther ahead than permitted */
        bytes = w.r.port.bytes_read;
        assert_int_equal(utet_payload_fetch(stream, w.c.stored_byte_len - 1, 1, 1, &far, &have), UTET_OK);
        assert_true(w.r.port.bytes_read - bytes <= 1);
        reads = w.r.port.reads;
        bytes = w.r.port.bytes_read;
        memset(to, 0, length + 1);
        assert_int_equal(utet_payload_copy(stream, 11, to, length), UTET_OK);
        assert_memory_equal(to, w.payload + 11, length);
        assert_int_equal(to[length], 0);
        if (length >= window)
            assert_int_equal(w.r.port.reads - reads, 1);
        assert_int_equal(w.r.port.bytes_read - bytes, length); /* no reading ahead */
        w.looked++;
    }
}

/* Copies read exactly what they copy; a window's worth or more of it in one request, directly to its destination. */
static void copies_read_nothing_else(void **state)
{
    (void)state;
    begin(look_straight, UTET_WINDOW_LEAST(1), 0);
}

static void look_after_a_fault(utet_stream *stream)
{
    uint8_t *to = stream->priv.work;

    for (size_t length = 20; length < 2000; length += 90)
        for (unsigned when = 0; when < 3; when++) {
            w.r.port.slice = 7; /* so that some bytes have been copied before the fault */
            w.r.port.fault = FAULT_ERROR;
            w.r.port.fault_at = w.r.port.reads + when;
            assert_int_equal(utet_payload_copy(stream, 1000 - 400 * when, to, length), FAULTPORT_ERROR);
            w.r.port.fault = FAULT_NONE;
            w.r.port.slice = SLICE_ALL;
            memset(to, 0, length);
            assert_int_equal(utet_payload_copy(stream, 5, to, length), UTET_OK);
            assert_memory_equal(to, w.payload + 5, length);
            w.looked++;
        }
}

/* A codec may continue after a fault: what a failed copy has delivered is not mistaken for the next copy's. */
static void a_failed_copy_leaves_nothing(void **state)
{
    (void)state;
    begin(look_after_a_fault, UTET_WINDOW_LEAST(1), 0);
}

/* If memory was sufficient according to the need, but is not for the payload, the fault is the payload's and not the
 * caller's. */
static void memory_that_is_not_enough_any_more(void **state)
{
    static const utet_codec lacking = {UTET_CODEC_ZSTD, own_need, open_without_memory, own_step, &utet_driver};
    utet_stream stream;
    utet_status status;

    (void)state;
    w.g = (tetgen){.datasets = sets, .count = 2, .seed = 5};
    tetgen_build(&w.g);
    rig_make(&w.r, w.g.bytes, w.g.size, -1);
    w.r.codecs[0] = &lacking;
    assert_int_equal(rig_open(&w.r, MEMORY + UTET_WINDOW_LEAST(1), (size_t)-1), UTET_OK);
    DRIVE_OK(utet_row_first(&w.r.file, &w.c));
    DRIVE(status, utet_stream_open(&stream, &w.r.file, &w.c));
    assert_int_equal(status, UTET_E_PAYLOAD);
    assert_int_equal(w.r.file.error_offset, w.c.payload_offset);
    rig_end(&w.r, "codec");
    tetgen_free(&w.g);
}

/* ---- io.step_limit ---- */

enum { EMPTY = 300, MADE = 5, HEADERS = 9, STORED = HEADERS * EMPTY + HEADERS + MADE, WORK = 200000 };

/* 300 empty frames and one of five bytes, as a chunk, through a stream; returns how often it returns "not yet". */
static unsigned long pauses(const uint8_t *file, int codec, uint16_t pause, size_t slice)
{
    utet_stream stream;
    utet_need need;
    uint8_t made[MADE + 1];
    unsigned long calls = 0;
    size_t have = 0, got = 0;
    utet_status status;

    rig_make(&w.r, file, TETGEN_HEAD + STORED, codec);
    w.r.port.io.step_limit = pause;
    assert_int_equal(rig_open(&w.r, WORK, (size_t)-1), UTET_OK);
    DRIVE_OK(utet_row_first(&w.r.file, &w.c));
    while ((status = utet_chunk_need(&w.r.file, &w.c, 0, &need)) == UTET_WOULD_BLOCK)
        calls++;
    assert_int_equal(status, UTET_OK);
    while ((status = utet_stream_open(&stream, &w.r.file, &w.c)) == UTET_WOULD_BLOCK)
        calls++;
    while (status == UTET_OK || status == UTET_WOULD_BLOCK) {
        status = utet_stream_read(&stream, made + have, slice < sizeof made - have ? slice : sizeof made - have, &got);
        have += got;
        calls += status == UTET_WOULD_BLOCK;
    }
    assert_int_equal(status, UTET_END);
    assert_int_equal(have, MADE);
    assert_memory_equal(made, "abcde", MADE);
    rig_end(&w.r, "codec");
    return calls;
}

/* A call on a stream passes at most io.step_limit steps without output, with each codec; without a limit it
 * continues. */
static void pauses_of_streams(void **state)
{
    static uint8_t file[TETGEN_HEAD + STORED];
    uint8_t *p = file + TETGEN_HEAD;
    unsigned codec, slice, i;

    (void)state;
    tetgen_head(file, STORED, MADE);
    for (i = 0; i <= EMPTY; i++, p += HEADERS) { /* a single segment, a last block that is raw */
        const size_t content = i == EMPTY ? MADE : 0;
        const uint8_t frame[HEADERS] = {0x28, 0xB5, 0x2F, 0xFD, 0x20, (uint8_t)content, (uint8_t)(1 | content << 3)};

        memcpy(p, frame, sizeof frame);
    }
    memcpy(p, "abcde", MADE);
    for (codec = 0; codec < rig_codecs(); codec++)
        for (slice = 1; slice <= MADE; slice += MADE - 1) {
            assert_int_equal(pauses(file, (int)codec, 0, slice), 0);
            suite_check(pauses(file, (int)codec, 8, slice) >= EMPTY / 8, "%s: too few", rig_codec_name(codec));
        }
}

/* A segment above 128 MiB is a window that libzstd's codec refuses when its need is requested. The built-in codec
 * accepts it. */
static void the_need_of_a_large_window(void **state)
{
    static const uint8_t frame[] = {0x28, 0xB5, 0x2F, 0xFD, 0xA0, 0, 0, 0, 16, 1, 0, 0}; /* one segment of 256 MiB */
    static uint8_t file[TETGEN_HEAD + sizeof frame];
    unsigned codec;

    (void)state;
    tetgen_head(file, sizeof frame, UINT64_C(1) << 29);
    memcpy(file + TETGEN_HEAD, frame, sizeof frame);
    for (codec = 0; codec < rig_codecs(); codec++) {
        utet_need need;
        utet_status status;

        rig_make(&w.r, file, sizeof file, (int)codec);
        assert_int_equal(rig_open(&w.r, WORK, (size_t)-1), UTET_OK);
        DRIVE_OK(utet_row_first(&w.r.file, &w.c));
        DRIVE(status, utet_chunk_need(&w.r.file, &w.c, 0, &need));
        suite_check(status == (strcmp(rig_codec_name(codec), "upstream") == 0 ? UTET_E_ZSTD_WINDOW : UTET_OK), "%s: %s",
                    rig_codec_name(codec), rig_status(status));
        rig_end(&w.r, "codec");
    }
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        cmocka_unit_test(a_chunk_of_nothing),
        cmocka_unit_test(nothing_behind_the_payload),
        cmocka_unit_test(nothing_behind_the_file),
        cmocka_unit_test(copies_read_nothing_else),
        cmocka_unit_test(a_failed_copy_leaves_nothing),
        cmocka_unit_test(memory_that_is_not_enough_any_more),
        cmocka_unit_test(pauses_of_streams),
        cmocka_unit_test(the_need_of_a_large_window),
    };

    return SUITE("codec", cases);
}
