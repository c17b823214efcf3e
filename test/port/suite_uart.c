/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* port/uart over a link with faults: each packet of a session is lost, doubled, late, truncated at each byte, has each
 * byte changed to each other value, or a byte inserted anywhere; random faults; a host that stops answering, cannot
 * read, or has another file. What arrives is the file, or an error. FILES: the demonstration files. */
#include "demo_files.h"
#include "suite.h"
#include "uartlink.h"

#include <stdlib.h>
#include <string.h>

enum { SMALL = 45, READS = 3, CALLS = 100000 };

static struct link link_;
static utet_uart port;
static uint8_t small[SMALL];

static void setup(void)
{
    for (unsigned i = 0; i < SMALL; i++)
        small[i] = (uint8_t)(i % 5 == 0 ? 0 : i % 7 == 0 ? 255 : i * 37);
    link_init(&link_, small, SMALL);
    utet_uart_init(&port, &link_.line);
}

/* Every call ends; after this many repetitions the suite assumes that it hangs. */
static utet_status open_it(void)
{
    utet_status status = UTET_WOULD_BLOCK;
    for (unsigned i = 0; status == UTET_WOULD_BLOCK; i++) {
        suite_check(i < CALLS, "opening has no end");
        status = utet_uart_open(&port);
    }
    return status;
}

static utet_status read_it(uint64_t offset, uint8_t *to, size_t length, size_t *got)
{
    utet_status status = UTET_WOULD_BLOCK;
    for (unsigned i = 0; status == UTET_WOULD_BLOCK; i++) {
        suite_check(i < CALLS, "a read has no end");
        status = port.io.read(port.io.ctx, offset, to, length, got);
    }
    return status;
}

/* Opens and reads the small file; with any fault of the link the bytes are right, and nothing is written elsewhere. */
static void session(const char *what, unsigned index, size_t at, unsigned value)
{
    static uint8_t to[SMALL + 8];
    size_t done = 0, got;
    memset(to, 0xA5, sizeof to);
    utet_uart_init(&port, &link_.line);
    const utet_status status = open_it();
    suite_check(status == UTET_OK && port.io.size == SMALL, "%s %u %zu %u: not opened, %d after %u requests", what,
                index, at, value, status, (unsigned)port.requests);
    for (; done < SMALL; done += got) {
        suite_check(read_it(done, to + done, SMALL - done, &got) == UTET_OK, "%s %u %zu %u: an error", what, index, at,
                    value);
        suite_check(got > 0 && got <= 16, "%s %u %zu %u: %zu bytes", what, index, at, value, got);
    }
    suite_check(memcmp(to, small, SMALL) == 0, "%s %u %zu %u: other bytes", what, index, at, value);
    for (unsigned i = SMALL; i < sizeof to; i++)
        suite_check(to[i] == 0xA5, "%s %u %zu %u: bytes after the destination", what, index, at, value);
    suite_check(port.answers == 1 + READS, "%s: %u answers", what, (unsigned)port.answers);
}

/* ---- the packets ---- */

static void frames_are_cobs_and_sums_crc32(void **state)
{
    static const struct {
        uint8_t frame[8];
        unsigned length;
        int packet[8];
        unsigned count;
    } known[] = {/* examples of the paper on COBS, without their final zero */
                 {{0x01, 0x01}, 2, {0}, 1},
                 {{0x01, 0x01, 0x01}, 3, {0, 0}, 2},
                 {{0x03, 0x11, 0x22, 0x02, 0x33}, 5, {0x11, 0x22, 0, 0x33}, 4},
                 {{0x02, 0x11, 0x01, 0x01, 0x01}, 5, {0x11, 0, 0, 0}, 4}};
    uint32_t crc = 0xFFFFFFFFu;
    (void)state;
    for (unsigned i = 0; i < sizeof known / sizeof known[0]; i++) {
        utet_uart_decoder decoder = {0, 0, 0};
        unsigned count = 0;
        (void)utet_uart_decode(&decoder, 0);
        for (unsigned k = 0; k < known[i].length; k++) {
            const int next = utet_uart_decode(&decoder, known[i].frame[k]);
            if (next >= 0)
                suite_check(count < known[i].count && next == known[i].packet[count++], "example %u, byte %u", i, k);
        }
        suite_check(count == known[i].count, "example %u: %u bytes", i, count);
        suite_check(utet_uart_decode(&decoder, 0) == UTET_UART_DAMAGED, "example %u has no sum", i);
    }
    for (const char *at = "123456789"; *at != 0; at++)
        crc = utet_uart_crc(crc, (uint8_t)*at);
    assert_int_equal(~crc & 0xFFFFFFFFu, 0xCBF43926u); /* the check value of this CRC's catalogue entry */
    assert_int_equal(link_crc((const uint8_t *)"123456789", 9), 0xCBF43926u);
}

/* A frame as `utet serve` sends it, decoded by the second implementation; with any byte larger by 1, it is not a
 * frame. */
static void own_frame(const uint8_t *data, size_t length)
{
    static const utet_uart_head head = {0xE2, 0, 0x0201, 0x0605, 0x0A090807u, UINT64_C(0x1211100F0E0D0C0B)};
    static const uint8_t begin[UTET_UART_HEAD] = {0xE2, 0, 1, 2, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18};
    static uint8_t frame[LINK_MOST], packet[LINK_MOST];
    const size_t count = utet_uart_frame(&head, data, length, frame);
    suite_check(count <= UTET_UART_FRAME(length) && frame[0] == 0 && frame[count - 1] == 0, "a frame of %zu bytes",
                count);
    suite_check(link_unstuff(frame + 1, count - 2, packet) == length + 22, "%zu bytes in a frame", length);
    suite_check(memcmp(packet, begin, sizeof begin) == 0 && memcmp(packet + 18, data, length) == 0, "%zu other bytes",
                length);
    for (size_t i = 0; i + 1 < count; i += length < 40 ? 1 : count) {
        utet_uart_decoder decoder = {0, 0, 0};
        frame[i]++;
        (void)utet_uart_decode(&decoder, 0);
        for (size_t k = 0; k < count; k++)
            suite_check(utet_uart_decode(&decoder, frame[k]) != UTET_UART_END, "byte %zu is another one", i);
        frame[i]--;
    }
}

/* Runs of 253 to 256 bytes other than zero, where the codes change; zeros at either end. */
static void long_frames_arrive(void **state)
{
    static uint8_t file[1200], to[1200];
    (void)state;
    for (unsigned length = 1; length <= 1100; length += length < 220 || length > 540 ? 13 : 1)
        for (unsigned kind = 0; kind < 4; kind++) {
            size_t got;
            for (unsigned i = 0; i < length; i++)
                file[i] = (uint8_t)(kind == 0 || (kind == 1 && i % 255 == 254) || (kind == 2 && i % 254 == 0)
                                        ? 0
                                        : 1 + i % 255);
            link_init(&link_, file, length);
            link_.line.most = 1200;
            utet_uart_init(&port, &link_.line);
            assert_int_equal(open_it(), UTET_OK);
            assert_int_equal(read_it(0, to, length, &got), UTET_OK);
            suite_check(got == length && memcmp(to, file, length) == 0, "%u bytes of kind %u", length, kind);
            own_frame(file, length);
            suite_check(link_.lengths[TO_DEVICE][1] <= UTET_UART_FRAME(length), "a frame of %zu bytes",
                        link_.lengths[TO_DEVICE][1]);
        }
}

/* What the page states about a radio with packets of 127 bytes. */
static void an_answer_fits_a_radio(void **state)
{
    static uint8_t file[102], to[102];
    size_t got;
    (void)state;
    memset(file, 1, sizeof file);
    link_init(&link_, file, sizeof file);
    link_.line.most = 102;
    utet_uart_init(&port, &link_.line);
    assert_int_equal(open_it(), UTET_OK);
    assert_int_equal(read_it(0, to, sizeof to, &got), UTET_OK);
    assert_int_equal(got, 102);
    assert_int_equal(link_.lengths[TO_HOST][1], UTET_UART_REQUEST);
    assert_int_equal(UTET_UART_REQUEST, 25);
    assert_int_equal(link_.lengths[TO_DEVICE][1], 127);
}

static void nothing_waits(void **state)
{
    uint8_t to[16];
    size_t got = 9;
    (void)state;
    setup();
    assert_int_equal(utet_uart_open(&port), UTET_OK); /* the link is faster than the call */
    link_.silent = 1;
    for (unsigned i = 1; i < LINK_PATIENCE; i++) {
        assert_int_equal(port.io.read(port.io.ctx, 3, to, 16, &got), UTET_WOULD_BLOCK);
        assert_int_equal(port.requests, 2); /* one to open, one to read */
    }
    link_.silent = 0;
    assert_int_equal(read_it(3, to, 16, &got), UTET_OK);
    assert_int_equal(got, 16);
    assert_memory_equal(to, small + 3, 16);
    assert_int_equal(port.requests, 3);
}

/* ---- each fault once, everywhere ---- */

static void each_fault(enum link_fault fault, const char *name, unsigned values)
{
    unsigned sessions = 0;
    size_t lengths[2][1 + READS];
    setup();
    session(name, 0, 0, 0);
    assert_int_equal(port.requests, 1 + READS);
    memcpy(lengths[0], link_.lengths[0], sizeof lengths[0]);
    memcpy(lengths[1], link_.lengths[1], sizeof lengths[1]);
    for (unsigned direction = 0; direction < 2; direction++)
        for (unsigned index = 0; index < 1 + READS; index++)
            for (size_t at = 0; at < (values > 0 ? lengths[direction][index] : 1); at++)
                for (unsigned value = 0; value < (values > 0 ? values : 1); value++, sessions++) {
                    setup();
                    link_.fault = fault;
                    link_.direction = (enum link_direction)direction;
                    link_.index = index;
                    link_.at = at;
                    link_.value = (uint8_t)(fault == FAULT_CHANGE ? value * (255u / values) + 1 : value);
                    session(name, index, at, value);
                    suite_check(port.requests <= 2 + READS, "%s: %u requests", name, (unsigned)port.requests);
                    if (fault == FAULT_LOSE || fault == FAULT_LATE)
                        suite_check(port.requests == 2 + READS, "%s: %u requests", name, (unsigned)port.requests);
                    if (fault == FAULT_DOUBLE)
                        suite_check(port.requests == 1 + READS, "%s: %u requests", name, (unsigned)port.requests);
                }
    suite_figure("%s: %u sessions", name, sessions);
}

static void each_packet_lost(void **state)
{
    (void)state;
    each_fault(FAULT_LOSE, "lost", 0);
}

static void each_packet_doubled(void **state)
{
    (void)state;
    each_fault(FAULT_DOUBLE, "doubled", 0);
}

static void each_packet_late(void **state)
{
    (void)state;
    each_fault(FAULT_LATE, "late", 0);
}

static void each_packet_cut_at_each_byte(void **state)
{
    (void)state;
    each_fault(FAULT_CUT, "cut", 1);
}

static void each_byte_changed_to_each_value(void **state)
{
    (void)state;
    each_fault(FAULT_CHANGE, "changed", suite_light() ? 15 : 255);
}

static void a_byte_inserted_anywhere(void **state)
{
    (void)state;
    each_fault(FAULT_INSERT, "inserted", suite_light() ? 16 : 256);
}

static void random_links(void **state)
{
    unsigned long requests = 0;
    (void)state;
    for (unsigned seed = 0; seed < 2000; seed++) {
        setup();
        link_.rate = 32 + seed % 64;
        link_.seed = seed;
        link_.line.tries = 1000;
        if (seed % 4 == 3) {
            link_.slow = 1 + seed % 11;
            link_.line.patience = 2 * UTET_UART_REQUEST; /* one tick for each byte of a request */
        }
        link_.now = seed % 2 == 0 ? 0 : 0u - seed; /* the clock starts again */
        session("seed", seed, 0, 0);
        requests += port.requests;
    }
    suite_figure("%lu requests for %u", requests, 2000 * (1 + READS));
}

/* ---- what the host reports ---- */

static void silence_ends_after_all_tries(void **state)
{
    uint8_t to[16];
    size_t got = 9;
    (void)state;
    setup();
    link_.silent = 1;
    assert_int_equal(open_it(), UTET_UART_E_SILENT);
    assert_int_equal(port.requests, 4);
    assert_int_equal(link_.now, 4 * LINK_PATIENCE);
    link_.silent = 0;
    assert_int_equal(open_it(), UTET_OK); /* disappears by itself */
    link_.silent = 1;
    assert_int_equal(read_it(0, to, 16, &got), UTET_UART_E_SILENT);
    assert_int_equal(got, 0);
    link_.silent = 0;
    assert_int_equal(read_it(0, to, 16, &got), UTET_OK);
    assert_memory_equal(to, small, 16);
}

static void another_file_is_told(void **state)
{
    static uint8_t other[SMALL + 3];
    uint8_t to[16];
    size_t got = 9;
    (void)state;
    setup();
    assert_int_equal(open_it(), UTET_OK);
    link_.file = other;
    link_.size = sizeof other;
    link_.identity++;
    assert_int_equal(read_it(0, to, 16, &got), UTET_UART_E_CHANGED);
    assert_int_equal(got, 0);
    assert_int_equal(read_it(0, to, 16, &got), UTET_UART_E_CHANGED);
    assert_int_equal(open_it(), UTET_OK);
    assert_int_equal(port.io.size, sizeof other);
    assert_int_equal(read_it(0, to, 16, &got), UTET_OK);
    assert_memory_equal(to, other, 16);
    link_.unreadable = 1;
    assert_int_equal(read_it(0, to, 16, &got), UTET_UART_E_HOST);
    assert_int_equal(open_it(), UTET_UART_E_HOST);
    link_.unreadable = 0;
    assert_int_equal(read_it(0, to, 16, &got), UTET_OK);
}

/* The answer to the first read comes after the device has given up. */
static void open_with_a_late_answer(void)
{
    setup();
    link_.line.patience = 100;
    assert_int_equal(open_it(), UTET_OK);
    link_.fault = FAULT_LATE;
    link_.direction = TO_DEVICE;
    link_.index = 1;
}

/* The host is started again, and a request of the old session is answered late, for another offset. */
static void a_device_that_starts_again_takes_no_old_answer(void **state)
{
    uint8_t to[16];
    size_t got;
    (void)state;
    open_with_a_late_answer();
    assert_int_equal(port.io.read(port.io.ctx, 16, to, 16, &got), UTET_WOULD_BLOCK);
    utet_uart_init(&port, &link_.line); /* its numbers begin again */
    assert_int_equal(open_it(), UTET_OK);
    link_.index = link_.packets[TO_DEVICE]; /* the answer to this has the number of the old one, and arrives later */
    assert_int_equal(read_it(0, to, 16, &got), UTET_OK);
    assert_memory_equal(to, small, 16);
    assert_true(link_.now > LINK_LATE); /* both have arrived */
}

/* The number and offset are the same as those of a late answer, but the file is another one. */
static void a_device_that_starts_again_takes_no_old_file(void **state)
{
    static uint8_t other[SMALL];
    uint8_t to[16];
    size_t got;
    (void)state;
    open_with_a_late_answer();
    assert_int_equal(port.io.read(port.io.ctx, 0, to, 16, &got), UTET_WOULD_BLOCK);
    link_.file = other;
    link_.identity++;
    utet_uart_init(&port, &link_.line);
    assert_int_equal(open_it(), UTET_OK);
    link_.index = link_.packets[TO_DEVICE];
    assert_int_equal(read_it(0, to, 16, &got), UTET_OK);
    assert_memory_equal(to, other, 16);
}

/* A late answer without data, to a request for the same bytes; and an open after a read that got no answer. */
static void answers_to_earlier_requests_are_not_used(void **state)
{
    uint8_t to[16];
    size_t got;
    (void)state;
    open_with_a_late_answer();
    link_.unreadable = 1;
    assert_int_equal(port.io.read(port.io.ctx, 0, to, 16, &got), UTET_WOULD_BLOCK);
    port.io.cancel(port.io.ctx);
    link_.unreadable = 0;
    link_.index = 2;
    assert_int_equal(read_it(0, to, 16, &got), UTET_OK);
    assert_memory_equal(to, small, 16);
    link_.index = 3;
    port.io.size = 0;
    assert_int_equal(port.io.read(port.io.ctx, 0, to, 16, &got), UTET_WOULD_BLOCK);
    assert_int_equal(open_it(), UTET_OK);
    assert_int_equal(port.io.size, SMALL);
}

/* A request is cancelled when a part of its answer has arrived. */
static void the_rest_of_an_answer_is_not_used(void **state)
{
    uint8_t to[16], next[16];
    size_t got;
    (void)state;
    for (unsigned calls = 1; calls < 12; calls++) {
        setup();
        assert_int_equal(open_it(), UTET_OK);
        link_.slow = 5;
        link_.pauses = 1;
        link_.line.patience = 500;
        for (unsigned i = 0; i < calls; i++)
            if (port.io.read(port.io.ctx, 8, to, 16, &got) == UTET_OK)
                break;
        port.io.cancel(port.io.ctx);
        assert_int_equal(read_it(20, next, 16, &got), UTET_OK);
        assert_memory_equal(next, small + 20, 16);
    }
}

/* After a cancelled request nothing is written to its buffer. */
static void cancelled_requests_leave_the_buffer(void **state)
{
    uint8_t to[16], next[16];
    size_t got;
    (void)state;
    setup();
    assert_int_equal(open_it(), UTET_OK);
    link_.slow = 5;
    link_.fault = FAULT_LATE;
    link_.direction = TO_DEVICE;
    link_.index = 1;
    memset(to, 0x5A, sizeof to);
    assert_int_equal(port.io.read(port.io.ctx, 8, to, 16, &got), UTET_WOULD_BLOCK);
    port.io.cancel(port.io.ctx);
    assert_int_equal(read_it(20, next, 16, &got), UTET_OK);
    assert_memory_equal(next, small + 20, 16);
    for (unsigned i = 0; i < LINK_LATE; i++) {
        assert_int_equal(read_it(4, next, 16, &got), UTET_OK);
        assert_memory_equal(next, small + 4, 16);
        link_.now += 2;
    }
    for (unsigned i = 0; i < sizeof to; i++)
        assert_int_equal(to[i], 0x5A);
}

/* The file consists of packets that this session would accept, and parts of the link's packets get lost. */
static void a_file_of_packets_is_data(void **state)
{
    static uint8_t file[600], to[600];
    (void)state;
    for (unsigned seed = 0; seed < 300; seed++) {
        size_t size = 0, got;
        for (unsigned number = 2; size + UTET_UART_FRAME(16) < sizeof file; number++) {
            const utet_uart_head head = {
                UTET_UART_ASK_BYTES | UTET_UART_ANSWER, 0, (uint16_t)number, 16, 0xC0FFEE00u, (number - 2) * 32u};
            size += utet_uart_frame(&head, (const uint8_t *)"not of this file", 16, file + size);
        }
        link_init(&link_, file, size);
        link_.line.most = 32;
        link_.line.tries = 1000;
        link_.seed = seed;
        link_.rate = 100;
        utet_uart_init(&port, &link_.line);
        assert_int_equal(open_it(), UTET_OK);
        for (size_t done = 0; done < size; done += got) {
            assert_int_equal(read_it(done, to + done, size - done, &got), UTET_OK);
            suite_check(memcmp(to + done, file + done, got) == 0, "seed %u: a packet out of the file at %zu", seed,
                        done);
        }
    }
}

/* ---- the library on the port ---- */

static void demo_files_over_a_bad_link(void **state)
{
    static const utet_codec *const codecs[] = {&utet_codec_zstd_small, NULL};
    static uint64_t work[40960 / 8];
    static utet_file file;
    (void)state;
    for (unsigned i = 0; i < DEMO_FILES; i++) {
        char hex[65], wanted[65];
        utet_status status;
        size_t size;
        const uint8_t *const truth = demo_file(demo_files[i], &size);
        link_init(&link_, truth, size);
        link_.line.most = 512;
        link_.line.tries = 1000;
        link_.rate = 40;
        link_.seed = i;
        utet_uart_init(&port, &link_.line);
        assert_int_equal(open_it(), UTET_OK);
        assert_int_equal(port.io.size, size);
        assert_int_equal(utet_init(&file, &port.io, work, sizeof work, codecs), UTET_OK);
        do
            status = utet_open(&file, NULL);
        while (status == UTET_WOULD_BLOCK);
        assert_int_equal(status, UTET_OK);
        assert_int_equal(demo_digest(&file, hex), UTET_OK);
        demo_expected(demo_files[i], wanted);
        assert_string_equal(hex, wanted);
        suite_check(port.requests > port.answers, "no request was repeated");
        suite_figure("%s: %u requests, %u of them repeated", demo_files[i], (unsigned)port.requests,
                     (unsigned)(port.requests - port.answers));
    }
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        cmocka_unit_test(frames_are_cobs_and_sums_crc32),
        cmocka_unit_test(long_frames_arrive),
        cmocka_unit_test(an_answer_fits_a_radio),
        cmocka_unit_test(nothing_waits),
        cmocka_unit_test(each_packet_lost),
        cmocka_unit_test(each_packet_doubled),
        cmocka_unit_test(each_packet_late),
        cmocka_unit_test(each_packet_cut_at_each_byte),
        cmocka_unit_test(each_byte_changed_to_each_value),
        cmocka_unit_test(a_byte_inserted_anywhere),
        cmocka_unit_test(random_links),
        cmocka_unit_test(silence_ends_after_all_tries),
        cmocka_unit_test(another_file_is_told),
        cmocka_unit_test(a_device_that_starts_again_takes_no_old_answer),
        cmocka_unit_test(a_device_that_starts_again_takes_no_old_file),
        cmocka_unit_test(answers_to_earlier_requests_are_not_used),
        cmocka_unit_test(the_rest_of_an_answer_is_not_used),
        cmocka_unit_test(cancelled_requests_leave_the_buffer),
        cmocka_unit_test(a_file_of_packets_is_data),
        cmocka_unit_test(demo_files_over_a_bad_link),
    };
    return SUITE("uart", cases);
}
