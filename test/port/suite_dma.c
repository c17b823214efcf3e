/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* port/dma over an engine that is simulated here: any request gets its bytes and nothing is written after them,
 * whenever the interrupt comes; errors, cancelled transfers, and what utet_ahead fetches before it is requested. */
#include "suite.h"
#include "utet_ahead.h"
#include "utet_dma.h"

#include <string.h>

enum { FIRST = 64, SIZE = 5003, SENTINEL = 0xA5 };

static uint8_t medium[8192];

/* The engine. */
static struct {
    utet_dma *port; /* NULL: idle */
    uint32_t offset;
    void *to;
    size_t len;
    unsigned delay, left; /* calls of tick until the interrupt */
    utet_status fails;    /* status of the next interrupt */
    unsigned starts, stops;
    utet_ahead *ahead; /* the interrupt handler lets it continue; NULL: none */
} engine;

static uint32_t next_random(void)
{
    static uint32_t x = 1;
    x = x * 1664525u + 1013904223u;
    return x >> 8;
}

static void tick(void)
{
    utet_dma *const port = engine.port;

    if (port == NULL || engine.left-- > 0)
        return;
    memcpy(engine.to, medium + engine.offset, engine.len);
    engine.port = NULL;
    utet_dma_done(port, engine.fails);
    engine.fails = UTET_OK;
    if (engine.ahead != NULL)
        utet_ahead_continue(engine.ahead);
}

static utet_status start(utet_dma *port, uint32_t offset, void *to, size_t len);

static void stop(utet_dma *port)
{
    assert_ptr_equal(port, engine.port);
    engine.port = NULL;
    engine.stops++;
}

static utet_dma_driver driver = {start, stop, sizeof medium, 1024, 4};

static utet_status start(utet_dma *port, uint32_t offset, void *to, size_t len)
{
    assert_null(engine.port);
    assert_true(len > 0 && len <= driver.longest);
    assert_int_equal((offset | len | (uintptr_t)to) % driver.unit, 0);
    engine.port = port;
    engine.offset = offset;
    engine.to = to;
    engine.len = len;
    engine.left = engine.delay;
    engine.starts++;
    if (engine.delay == 0)
        tick();
    return UTET_OK;
}

static void set_up(utet_dma *port, uint16_t unit, unsigned delay)
{
    memset(&engine, 0, sizeof engine);
    engine.delay = delay;
    driver.unit = unit;
    for (size_t i = 0; i < sizeof medium; i++)
        medium[i] = (uint8_t)(i * 7 + i / 256);
    assert_int_equal(utet_dma_open(port, &driver, FIRST, SIZE), UTET_OK);
}

/* Repeats a request until it is answered. Returns the number of waits. */
static unsigned request(const utet_io *io, uint64_t offset, void *buf, size_t len, size_t *got, utet_status *status)
{
    unsigned waits = 0;

    while ((*status = io->read(io->ctx, offset, buf, len, got)) == UTET_WOULD_BLOCK) {
        assert_true(++waits < 100000);
        tick();
    }
    return waits;
}

/* Repeats requests until all bytes are there, or an error. Returns the number of waits. */
static unsigned request_all(const utet_io *io, uint64_t offset, uint8_t *buf, size_t len, utet_status *status)
{
    unsigned waits = 0;

    for (size_t got = 0, more = 0; got < len; got += more) {
        waits += request(io, offset + got, buf + got, len - got, &more, status);
        if (*status != UTET_OK)
            break;
    }
    return waits;
}

/* 400 requests like those of the library. */
static void compare(const utet_io *io, const utet_dma *port, int idle)
{
    static uint8_t room[SIZE + 256];
    uint8_t *const to = room + (-(uintptr_t)room & 127);

    for (unsigned i = 0; i < 400; i++) {
        const size_t offset = next_random() % SIZE / io->unit * io->unit;
        size_t len = (next_random() % (i % 2 ? 2000 : 60) / io->unit + 1) * io->unit, got = 0;
        utet_status status;
        if (len > SIZE - offset)
            len = SIZE - offset;
        memset(to, SENTINEL, len + 64);
        (void)request(io, offset, to, len, &got, &status);
        assert_int_equal(status, UTET_OK);
        assert_true(got > 0 && got <= len && (got % io->unit == 0 || offset + got == SIZE));
        assert_memory_equal(to, medium + FIRST + offset, got);
        assert_int_equal(to[len], SENTINEL);
        if (idle)
            assert_int_equal(utet_dma_state_of(port), UTET_DMA_IDLE);
    }
}

static void dma_answers_any_request(void **state)
{
    static const uint16_t units[] = {1, 4, 32};
    (void)state;
    for (unsigned u = 0; u < 3; u++)
        for (unsigned delay = 0; delay < 4; delay++) {
            utet_dma port;
            set_up(&port, units[u], delay);
            compare(&port.io, &port, 1);
            assert_int_equal(engine.stops, 0);
        }
}

static void dma_refuses_what_is_not_there(void **state)
{
    utet_dma port;
    (void)state;
    set_up(&port, 4, 0);
    assert_int_equal(utet_dma_open(&port, &driver, 2, 100), UTET_E_ARGUMENT);
    assert_int_equal(utet_dma_open(&port, &driver, 0, 8192), UTET_OK);
    assert_int_equal(utet_dma_open(&port, &driver, 4, 8192), UTET_DMA_E_BEYOND);
    assert_int_equal(utet_dma_open(&port, &driver, 8192, 1), UTET_DMA_E_BEYOND);
    assert_int_equal(utet_dma_open(&port, &driver, 0, UINT32_MAX), UTET_DMA_E_BEYOND);
    assert_int_equal(utet_dma_open(&port, &driver, 0xFFFFFFFCu, 8), UTET_DMA_E_BEYOND);
}

static void dma_cancels(void **state)
{
    uint32_t word = 0;
    size_t got = 1;
    utet_status status;
    utet_dma port;
    (void)state;
    set_up(&port, 4, 2);
    port.io.cancel(port.io.ctx); /* nothing is pending */
    assert_int_equal(engine.stops, 0);
    assert_int_equal(port.io.read(port.io.ctx, 8, &word, 4, &got), UTET_WOULD_BLOCK);
    assert_int_equal(utet_dma_state_of(&port), UTET_DMA_BUSY);
    port.io.cancel(port.io.ctx);
    assert_int_equal(engine.stops, 1);
    utet_dma_done(&port, UTET_DMA_E_TRANSFER); /* too late */
    assert_int_equal(utet_dma_state_of(&port), UTET_DMA_IDLE);
    (void)request(&port.io, 12, &word, 4, &got, &status);
    assert_int_equal(status, UTET_OK);
    assert_memory_equal(&word, medium + FIRST + 12, 4);
}

static void dma_reports_errors(void **state)
{
    static const utet_status errors[] = {UTET_DMA_E_TIMEOUT, UTET_DMA_E_TRANSFER};
    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        uint32_t word;
        size_t got;
        utet_status status;
        utet_dma port;
        set_up(&port, 4, i / 2);
        engine.fails = errors[i % 2];
        (void)request(&port.io, 0, &word, 4, &got, &status);
        assert_int_equal(status, errors[i % 2]);
        assert_int_equal(utet_dma_state_of(&port), UTET_DMA_IDLE);
        (void)request(&port.io, 0, &word, 4, &got, &status);
        assert_int_equal(status, UTET_OK);
    }
    assert_string_equal(utet_dma_strerror(UTET_DMA_E_BEYOND), "the file ends beyond the end of the medium");
    assert_string_equal(utet_dma_strerror(UTET_DMA_E_TIMEOUT), "the interrupt of a transfer did not come");
    assert_string_equal(utet_dma_strerror(UTET_DMA_E_TRANSFER), "a transfer failed");
    assert_string_equal(utet_dma_strerror(UTET_E_SHORT), utet_strerror(UTET_E_SHORT));
}

static uint8_t blocks[(UTET_AHEAD_BLOCKS << 8) + 128];

/* With a handler that lets it continue and without one; an interrupt may come at once, while a request is answered. */
static void ahead_answers_any_request(void **state)
{
    uint8_t *const memory = blocks + (-(uintptr_t)blocks & 127);
    (void)state;
    for (unsigned shift = 6; shift <= 8; shift++)
        for (unsigned delay = 0; delay < 8; delay++) {
            utet_dma port;
            utet_ahead ahead;
            set_up(&port, 32, delay / 2);
            utet_ahead_open(&ahead, &port.io, memory, shift);
            engine.ahead = delay % 2 ? &ahead : NULL;
            memset(memory, SENTINEL, ((size_t)UTET_AHEAD_BLOCKS << shift) + 1);
            compare(&ahead.io, &port, 0);
            utet_ahead_stop(&ahead);
            assert_int_equal(utet_dma_state_of(&port), UTET_DMA_IDLE);
            if (shift < 8)
                assert_int_equal(memory[UTET_AHEAD_BLOCKS << shift], SENTINEL);
        }
}

/* The engine needs two ticks for half a block of 64 bytes. A block is read in four parts with a tick after each. */
static void ahead_fetches_before_it_is_asked(void **state)
{
    uint8_t *const memory = blocks + (-(uintptr_t)blocks & 127);
    unsigned waits = 0, later = 0;
    utet_dma port;
    utet_ahead ahead;
    (void)state;
    set_up(&port, 4, 1);
    utet_ahead_open(&ahead, &port.io, memory, 6);
    for (uint64_t at = 0; at < SIZE; at += 16) {
        uint8_t part[16];
        const size_t len = SIZE - at < sizeof part ? (size_t)(SIZE - at) : sizeof part;
        utet_status status;
        const unsigned n = request_all(&ahead.io, at, part, len, &status);
        assert_int_equal(status, UTET_OK);
        assert_memory_equal(part, medium + FIRST + at, len);
        waits += n;
        later += at > 0 && at + 16 < SIZE ? n : 0;
        tick();
    }
    assert_true(waits > 0);
    assert_int_equal(later, 0); /* after the first half block; the last bytes take a transfer more */
    assert_int_equal(engine.starts, (SIZE + 31) / 32 + (SIZE % 4 != 0));
}

/* Between two requests the handler starts one transfer after another: four blocks after the one that is read, and one
 * elsewhere. During a request it starts none, so that the program that sleeps until the transfer ends is woken. */
static void ahead_continues_in_the_handler(void **state)
{
    uint8_t *const memory = blocks + (-(uintptr_t)blocks & 127);
    uint8_t part[64];
    size_t got;
    utet_status status;
    utet_dma port;
    utet_ahead ahead;
    (void)state;
    set_up(&port, 4, 1);
    utet_ahead_open(&ahead, &port.io, memory, 6);
    engine.ahead = &ahead;
    assert_int_equal(ahead.io.read(ahead.io.ctx, 0, part, 32, &got), UTET_WOULD_BLOCK);
    for (unsigned i = 0; i < 4; i++)
        tick();
    assert_int_equal(engine.starts, 1);
    assert_int_equal(utet_dma_state_of(&port), UTET_DMA_DONE);
    assert_int_equal(ahead.io.read(ahead.io.ctx, 0, part, 32, &got), UTET_OK);
    for (unsigned i = 0; i < 100; i++)
        tick();
    assert_int_equal(engine.starts, 2 * 5);
    assert_int_equal(utet_dma_state_of(&port), UTET_DMA_IDLE);
    assert_int_equal(request(&ahead.io, 256, part, 64, &got, &status), 0);
    assert_int_equal(got, 64);
    assert_memory_equal(part, medium + FIRST + 256, 64);
    for (unsigned i = 0; i < 100; i++)
        tick();
    assert_int_equal(engine.starts, 2 * 9);
    (void)request(&ahead.io, 2048 + 40, part, 8, &got, &status); /* only the end of this block, and the next one */
    assert_memory_equal(part, medium + FIRST + 2048 + 40, 8);
    for (unsigned i = 0; i < 100; i++)
        tick();
    assert_int_equal(engine.starts, 2 * 10 + 1);
    assert_int_equal(request(&ahead.io, 2048 + 64, part, 64, &got, &status), 0);
    (void)request(&ahead.io, 2048 + 8, part, 64, &got, &status); /* the beginning of the block */
    assert_int_equal(got, 32);
    assert_memory_equal(part, medium + FIRST + 2048 + 8, 32);
    ahead.io.cancel(ahead.io.ctx);
    assert_int_equal(utet_dma_state_of(&port), UTET_DMA_IDLE);
    utet_ahead_continue(&ahead); /* too late */
    assert_null(engine.port);
}

/* Three blocks in a row begin a sequence elsewhere. */
static void ahead_follows_another_sequence(void **state)
{
    uint8_t *const memory = blocks + (-(uintptr_t)blocks & 127);
    uint8_t part[64];
    utet_status status;
    utet_dma port;
    utet_ahead ahead;
    (void)state;
    set_up(&port, 4, 1);
    utet_ahead_open(&ahead, &port.io, memory, 6);
    engine.ahead = &ahead;
    for (uint64_t at = 1024; at < 2048; at += 64) {
        (void)request_all(&ahead.io, at, part, sizeof part, &status);
        assert_memory_equal(part, medium + FIRST + at, sizeof part);
        for (unsigned i = 0; i < 100; i++)
            tick();
    }
    assert_int_equal(request_all(&ahead.io, 2048 + 3 * 64, part, 64, &status), 0);
    assert_memory_equal(part, medium + FIRST + 2048 + 3 * 64, 64);
}

/* A failure of bytes that nobody has requested is not reported; a request for the same block is answered. */
static void ahead_repeats_what_failed(void **state)
{
    uint8_t *const memory = blocks + (-(uintptr_t)blocks & 127);
    uint8_t part[64];
    utet_status status;
    utet_dma port;
    utet_ahead ahead;
    (void)state;
    set_up(&port, 4, 1);
    utet_ahead_open(&ahead, &port.io, memory, 6);
    (void)request_all(&ahead.io, 0, part, 64, &status);
    (void)request_all(&ahead.io, 64, part, 64, &status);
    assert_int_equal(utet_dma_state_of(&port), UTET_DMA_BUSY); /* the third block */
    engine.fails = UTET_DMA_E_TRANSFER;
    tick();
    tick();
    (void)request_all(&ahead.io, 64, part, 64, &status);
    assert_int_equal(status, UTET_OK);
    (void)request_all(&ahead.io, 128, part, 64, &status);
    assert_int_equal(status, UTET_OK);
    assert_memory_equal(part, medium + FIRST + 128, 64);
    assert_int_equal(utet_dma_state_of(&port), UTET_DMA_BUSY); /* the fourth block, which fails */
    engine.fails = UTET_DMA_E_TRANSFER;
    (void)request_all(&ahead.io, 3072, part, 64, &status);
    assert_int_equal(status, UTET_OK);
    assert_int_equal(engine.fails, UTET_OK);
    assert_memory_equal(part, medium + FIRST + 3072, 64);
    (void)request_all(&ahead.io, 640, part, 64, &status);
    (void)request_all(&ahead.io, 704, part, 64, &status);
    assert_int_equal(utet_dma_state_of(&port), UTET_DMA_BUSY); /* the block at 768 */
    ahead.io.cancel(ahead.io.ctx);
    assert_int_equal(utet_dma_state_of(&port), UTET_DMA_IDLE);
    (void)request_all(&ahead.io, 768, part, 64, &status);
    assert_int_equal(status, UTET_OK);
    assert_memory_equal(part, medium + FIRST + 768, 64);
    ahead.io.cancel(ahead.io.ctx);
    engine.fails = UTET_DMA_E_TIMEOUT;
    (void)request_all(&ahead.io, 2048, part, 64, &status);
    assert_int_equal(status, UTET_DMA_E_TIMEOUT);
    (void)request_all(&ahead.io, 2048, part, 64, &status);
    assert_int_equal(status, UTET_OK);
}

int main(void)
{
    const struct CMUnitTest cases[] = {
        cmocka_unit_test(dma_answers_any_request),
        cmocka_unit_test(dma_refuses_what_is_not_there),
        cmocka_unit_test(dma_cancels),
        cmocka_unit_test(dma_reports_errors),
        cmocka_unit_test(ahead_answers_any_request),
        cmocka_unit_test(ahead_fetches_before_it_is_asked),
        cmocka_unit_test(ahead_continues_in_the_handler),
        cmocka_unit_test(ahead_follows_another_sequence),
        cmocka_unit_test(ahead_repeats_what_failed),
    };
    return SUITE("dma", cases);
}
