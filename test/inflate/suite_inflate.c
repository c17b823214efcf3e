/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The decoder of zlib streams against zlib: every promise of utet_inflate.h has a case here. */
#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "inf_made.h"
#include "inf_run.h"

static uint8_t content[INF_MOST], packed[2 * INF_MOST];

static void must(int good, const char *name, uint32_t i)
{
    suite_check(good, "%s %u", name, (unsigned)i);
}

/* ---- zlib's encoder in all its settings ---- */

static void levels(void **state)
{
    static const uint32_t size[] = {0, 1, 2, 300, 5000, 40000, 100000};
    unsigned n = 0, kind, s, round, rounds = suite_full() ? 30u : suite_light() ? 1u : 4u;
    uint32_t seed = 7;

    (void)state;
    for (round = 0; round < rounds; round++)
        for (kind = 0; kind < 6u; kind++)
            for (s = 0; s < sizeof size / sizeof size[0]; s++) {
                int level = (int)(inf_chance(&seed) % 10u), window = 9 + (int)(inf_chance(&seed) % 7u);
                int memory = 1 + (int)(inf_chance(&seed) % 9u), strategy = (int)(inf_chance(&seed) % 5u);
                int flush = inf_chance(&seed) % 3u != 0 ? 0 : (int)(inf_chance(&seed) % 6u);
                uint32_t len;

                if (flush == Z_FINISH)
                    flush = 0;
                inf_content(content, size[s], kind, seed);
                len = inf_compress(packed, content, size[s], level, window, memory, strategy, flush);
                must(inf_agree("level", packed, len, size[s], n), "level", n);
                must(inf_agree("level", packed, len, size[s], n + 77777u), "level", n);
                n++;
            }
    suite_figure("inflate: streams of the encoder: %u", n);
}

/* Every level, strategy, memory and window size once. */
static void settings(void **state)
{
    unsigned n = 0;
    int level, strategy, window, memory;

    (void)state;
    inf_content(content, 3000, 0, 5);
    for (level = 0; level < 10; level++)
        for (strategy = 0; strategy < 5; strategy++)
            for (window = 8; window < 16; window++)
                for (memory = 1; memory < 10; memory += suite_light() ? 8 : 4) {
                    uint32_t len = inf_compress(packed, content, 3000, level, window, memory, strategy, (int)(n % 4u));

                    must(inf_agree("settings", packed, len, 3000, n), "settings", n);
                    n++;
                }
}

/* ---- random blocks ---- */

static void by_chance(void **state)
{
    uint32_t i, n = suite_full() ? 400000u : suite_light() ? 4000u : 25000u;
    inf_counts was = inf_counted;

    (void)state;
    for (i = 0; i < n; i++) {
        uint32_t size, len = inf_made(packed, i, &size);

        if (size > INF_MOST)
            size = INF_MOST;
        must(inf_agree("chance", packed, len, size, i), "chance", i);
    }
    suite_figure("inflate: streams by chance: %u: %lu good, %lu damaged, %lu too long, %lu by their checksum",
                 (unsigned)n, inf_counted.good - was.good, inf_counted.payload - was.payload,
                 inf_counted.space - was.space, inf_counted.checksum - was.checksum);
    suite_check(inf_counted.good - was.good > n / 4u && inf_counted.payload - was.payload > n / 8u &&
                    inf_counted.space - was.space > n / 200u && inf_counted.checksum - was.checksum > n / 200u,
                "the kinds are not all there");
}

/* No byte behind the input in reach is read, even if a match there has codes of 15 bits. The stream has 16 such
 * matches, each after 1 to 16 literals of one bit. */
static void long_codes_at_the_end_of_a_piece(void **state)
{
    /* clang-format off */
    static const uint8_t in[] = {
        0x78, 0x9c, 0xed, 0xef, 0x21, 0xb5, 0x6d, 0xdb, 0xb6, 0x6d, 0xdb, 0x6a, 0x8d, 0xb9, 0xd4, 0xd6,
        0xc7, 0x5c, 0xfb, 0xdc, 0xf7, 0xfd, 0xc3, 0x24, 0xe4, 0x87, 0x1f, 0x53, 0x2e, 0xb5, 0xf5, 0x31,
        0xd7, 0x3e, 0xf7, 0x7d, 0xff, 0xff, 0xf1, 0xff, 0xe3, 0xff, 0x3f, 0xfe, 0x7f, 0xf8, 0xff, 0x8f,
        0xff, 0x1f, 0xfc, 0xff, 0xc7, 0xff, 0x0f, 0xfc, 0xff, 0xc7, 0xff, 0x0f, 0xf8, 0xff, 0x8f, 0xff,
        0x1f, 0xe0, 0xff, 0x3f, 0xfe, 0x7f, 0x00, 0xff, 0xff, 0xf1, 0xff, 0x03, 0xf0, 0xff, 0x1f, 0xff,
        0x3f, 0x00, 0xfe, 0xff, 0xe3, 0xff, 0x07, 0x80, 0xff, 0xff, 0xf8, 0xff, 0x01, 0xc0, 0xff, 0x7f,
        0xfc, 0xff, 0x00, 0xc0, 0xff, 0x7f, 0xfc, 0xff, 0x00, 0x80, 0xff, 0xff, 0xf8, 0xff, 0x01, 0x00,
        0xfe, 0xff, 0xe3, 0xff, 0x07, 0x00, 0xf0, 0xff, 0x1f, 0xff, 0xbf, 0x00, 0xde, 0xaf, 0xa6, 0x34,
    };
    /* clang-format on */
    inf_way way = {1, SIZE_MAX, SIZE_MAX, 0, UINT32_MAX, 0};

    (void)state;
    for (; way.piece <= sizeof in; way.piece++)
        must(inf_agree_way("long codes", in, sizeof in, 3816, &way), "long codes", (uint32_t)way.piece);
}

/* ---- damage ---- */

/* Streams of a few hundred bytes with all kinds of blocks. */
static uint32_t small_stream(unsigned i, uint32_t *size)
{
    static const uint32_t lengths[] = {600, 900, 40, 1500, 700, 300};

    *size = lengths[i % 6u];
    inf_content(content, *size, i % 6u, i + 1u);
    return inf_compress(packed, content, *size, i % 4u == 3u ? 0 : (int)(i % 9u) + 1, 15, 8, (int)(i % 5u),
                        i % 3u == 2u ? Z_FULL_FLUSH : 0);
}

static void truncation(void **state)
{
    unsigned i;

    (void)state;
    for (i = 0; i < (suite_light() ? 4u : 18u); i++) {
        uint32_t size, len = small_stream(i, &size), n;

        for (n = 0; n < len; n++)
            must(inf_agree("truncated", packed, n, size, n), "truncated", n);
    }
}

static void flipped_bits(void **state)
{
    unsigned i, step = suite_light() ? 11u : 1u;
    unsigned long flips = 0;

    (void)state;
    for (i = 0; i < (suite_full() ? 60u : 12u); i++) {
        uint32_t size, len = small_stream(i, &size), n;

        for (n = 0; n < len * 8u; n += step, flips++) {
            packed[n / 8u] = (uint8_t)(packed[n / 8u] ^ 1u << n % 8u);
            must(inf_agree("flipped", packed, len, size, n), "flipped", n);
            packed[n / 8u] = (uint8_t)(packed[n / 8u] ^ 1u << n % 8u);
        }
    }
    suite_figure("bits flipped: %lu", flips);
}

static void replaced_bytes(void **state)
{
    uint32_t i, n = suite_full() ? 300000u : suite_light() ? 2000u : 20000u, seed = 99, size = 0, len = 0;

    (void)state;
    for (i = 0; i < n; i++) {
        unsigned k;

        if (i % 50u == 0)
            len = small_stream(i / 50u, &size);
        for (k = inf_chance(&seed) % 4u; k < 4u; k++)
            packed[inf_chance(&seed) % (i % 2u != 0 ? len : len < 60u ? len : 60u)] = (uint8_t)inf_chance(&seed);
        must(inf_agree("replaced", packed, len, size, i), "replaced", i);
    }
}

/* ---- suspension ---- */

static void every_slice(void **state)
{
    unsigned i;

    (void)state;
    for (i = 0; i < 6u; i++) {
        uint32_t size, len = small_stream(i, &size);
        inf_way way = {1, 1, SIZE_MAX, 0, UINT32_MAX, 0};

        for (way.want = 1; way.want <= size + 1u; way.want += suite_light() ? 13u : 1u) {
            way.seed++;
            must(inf_agree_way("slices", packed, len, size, &way), "slices", (uint32_t)way.want);
            way.capacity = way.want % 3u != 0 ? SIZE_MAX : size;
        }
        for (way.piece = 1; way.piece <= len + 1u; way.piece += suite_light() ? 13u : 1u) {
            way.seed++;
            must(inf_agree_way("pieces", packed, len, size, &way), "pieces", (uint32_t)way.piece);
        }
    }
}

static void not_yet_between_any_two(void **state)
{
    unsigned i;

    (void)state;
    for (i = 0; i < 24u; i++) {
        uint32_t size, len = small_stream(i, &size);
        inf_way way = {1, 1, SIZE_MAX, 17, UINT32_MAX, i * 64u};

        must(inf_agree_way("not yet", packed, len, size, &way), "not yet", i);
        way.want = 0;
        way.piece = 0;
        must(inf_agree_way("not yet", packed, len, size, &way), "not yet", i);
    }
}

static void faults(void **state)
{
    unsigned i;

    (void)state;
    for (i = 0; i < 6u; i++) {
        uint32_t size, len = small_stream(i, &size), n;

        (void)inf_judge(packed, len, size);
        for (n = 0; n < len; n++) {
            inf_way way = {n % 5u, 0, SIZE_MAX, n % 3u, n, n};
            inf_verdict v = inf_run(packed, len, size, &way);

            suite_check(v.status == UTET_E_PORT - 5 && v.where <= n && v.produced < size, "fault at %u: %d",
                        (unsigned)n, v.status);
        }
    }
}

/* ---- memory ---- */

/* With as much history as the header declares, every stream of the encoder can be decoded; one byte less is refused. */
static void history(void **state)
{
    int window;
    unsigned kind;

    (void)state;
    for (window = 9; window < 16; window++)
        for (kind = 0; kind < 6u; kind++) {
            uint32_t size = 50000, len, least;
            inf_way way = {0, 0, 0, 0, UINT32_MAX, kind};
            inf_verdict v;

            inf_content(content, size, kind, 3);
            len = inf_compress(packed, content, size, 6, window, 9, 0, 0);
            suite_check(utet_inflate_need(packed, size, &least) == UTET_OK && least == 1u << window, "need %u", least);
            suite_check(utet_inflate_need(packed, 77, &least) == UTET_OK && least == 77, "need %u", least);
            suite_check(utet_inflate_need(packed, 0, &least) == UTET_OK && least == 0, "need %u", least);
            way.capacity = (size_t)1 << window;
            must(inf_agree_way("history", packed, len, size, &way), "history", (uint32_t)window);
            way.capacity++;
            way.seed = 64;
            must(inf_agree_way("history", packed, len, size, &way), "history", (uint32_t)window);
            way.capacity -= 2u;
            v = inf_run(packed, len, size, &way);
            suite_check(v.status == UTET_E_BUDGET && v.produced == 0 && v.where == 0, "%d at %u", v.status, v.where);
        }
}

/* A stream that refers farther back than it declares is decoded if memory holds the bytes, as zlib does; otherwise it
 * is refused. */
static void farther_than_declared(void **state)
{
    uint32_t size = 3000, len;
    inf_way way = {0, 100, SIZE_MAX, 0, UINT32_MAX, 1};
    inf_verdict v;

    (void)state;
    inf_content(content, 1000, 1, 3);
    memcpy(content + 1000, content, 1000);
    memcpy(content + 2000, content, 1000);
    len = inf_compress(packed, content, size, 9, 15, 9, 0, 0);
    packed[0] = 0x08; /* 256 bytes */
    packed[1] = (uint8_t)(31u - 0x0800u % 31u);
    must(inf_agree_way("farther", packed, len, size, &way), "farther", 0);
    way.capacity = 1000;
    must(inf_agree_way("farther", packed, len, size, &way), "farther", 1);
    way.capacity = 999;
    v = inf_run(packed, len, size, &way);
    suite_check(v.status == UTET_E_BUDGET && v.produced > 0 && v.produced <= 1000, "%d after %u", v.status, v.produced);
}

/* ---- the checksum ---- */

static utet_status all_of_it(void *ctx, uint32_t position, const uint8_t **at, size_t *have)
{
    (void)ctx;
    *at = packed + position;
    *have = SIZE_MAX;
    return UTET_OK;
}

/* Sums that reach exactly 65521, and as many bytes of 255 after the largest sum as 32 bits can just hold. */
static void checksum_at_its_bounds(void **state)
{
    static utet_inflate z;
    static uint8_t out[INF_MOST];
    uint32_t first, rest;

    (void)state;
    for (first = 250; first < 262u; first++)
        for (rest = 0; rest < 30000u; rest = rest * 3u + 5551u) {
            uint32_t size = 257u + rest, last;

            for (last = 236; last < 243u; last++) { /* the sum is 65520 after 256 times 255 and 239 */
                utet_inflate_job job = {all_of_it, NULL, 0, size, out, size, 0};
                const uint8_t *at;
                size_t len;

                memset(content, 255, size);
                content[256] = (uint8_t)last;
                job.length = inf_compress(packed, content, size, 0, 15, 8, 0, 0);
                assert_int_equal(utet_inflate_init(&z, &job), UTET_OK);
                assert_int_equal(utet_inflate_step(&z, first, &at, &len), UTET_OK);
                if (len != size)
                    (void)utet_inflate_step(&z, SIZE_MAX, &at, &len);
                suite_check(utet_inflate_step(&z, 1, &at, &len) == UTET_END, "%u bytes, %u first, %u", (unsigned)size,
                            (unsigned)first, (unsigned)last);
                assert_memory_equal(out, content, size);
            }
        }
}

/* ---- pauses ---- */

/* Returns how often a stream of `empty` empty stored blocks and one block of two bytes returns "not yet". */
static unsigned long pauses(unsigned empty, uint16_t pause, size_t want)
{
    static const uint8_t last[] = {1, 2, 0, 0xFD, 0xFF, 'a', 'b', 1, 0x26, 0, 0xC4};
    static utet_inflate z;
    uint8_t out[2];
    utet_inflate_job job = {all_of_it, NULL, 0, sizeof out, out, sizeof out, pause};
    unsigned long calls = 0, turns = 0;
    size_t made = 0, len;
    utet_status status;
    const uint8_t *at;

    packed[0] = 0x78;
    packed[1] = 0x01;
    for (job.length = 2; empty != 0; empty--, job.length += 5)
        memcpy(packed + job.length, "\0\0\0\xFF\xFF", 5);
    memcpy(packed + job.length, last, sizeof last);
    job.length += (uint32_t)sizeof last;
    assert_int_equal(utet_inflate_init(&z, &job), UTET_OK);
    do {
        status = utet_inflate_step(&z, want, &at, &len);
        made += len;
        calls += status == UTET_WOULD_BLOCK;
    } while ((status == UTET_OK || status == UTET_WOULD_BLOCK) && ++turns < 100000);
    assert_int_equal(status, UTET_END);
    assert_int_equal(made, 2);
    assert_memory_equal(out, "ab", 2);
    return calls;
}

/* No step passes more phases without output than its limit; bytes and results stay the same. */
static void steps_pause(void **state)
{
    (void)state;
    assert_int_equal(pauses(1000, 0, 1), 0);
    assert_in_range(pauses(1000, 1, 1), 3000, 3010);
    assert_in_range(pauses(1000, 8, 1), 3000 / 8, 3000 / 8 + 2);
    assert_in_range(pauses(1000, 8, 2), 3000 / 8, 3000 / 8 + 2);
    assert_int_equal(pauses(0, 65535, 2), 0);
}

/* ---- statuses by name ---- */

static void expect(const char *what, const uint8_t *in, uint32_t len, uint32_t size, utet_status status, uint32_t where)
{
    inf_way way = {0, 0, SIZE_MAX, 0, UINT32_MAX, 5};
    inf_verdict v;

    must(inf_agree_way(what, in, len, size, &way), what, 0);
    v = inf_run(in, len, size, &way);
    suite_check(v.status == status && v.where == where, "%s: %d at %u", what, v.status, (unsigned)v.where);
}
#define EXPECT(what, bytes, size, status, where) \
    expect(what, (const uint8_t *)(bytes), (uint32_t)sizeof(bytes) - 1u, size, status, where)

static void says_what_is_wrong(void **state)
{
    (void)state;
    EXPECT("empty", "", 0, UTET_E_PAYLOAD, 0);
    EXPECT("half a header", "\x78", 0, UTET_E_PAYLOAD, 0);
    EXPECT("a header alone", "\x78\x01", 0, UTET_E_PAYLOAD, 2);
    EXPECT("gzip", "\x1f\x8b\x08\0\0\0\0\0\0\x03", 0, UTET_E_PAYLOAD, 0);
    EXPECT("header check", "\x78\x02\x03\0\0\0\0\x01", 0, UTET_E_PAYLOAD, 0);
    EXPECT("method", "\x77\x07\x03\0\0\0\0\x01", 0, UTET_E_PAYLOAD, 0);
    EXPECT("window", "\x88\x1c\x03\0\0\0\0\x01", 0, UTET_E_PAYLOAD, 0);
    EXPECT("dictionary", "\x78\xbb\0\0\0\x01\x03\0\0\0\0\x01", 0, UTET_E_PAYLOAD, 0);
    EXPECT("nothing", "\x78\x01\x03\0\0\0\0\x01", 0, UTET_END, 8);
    EXPECT("nothing in 256 bytes", "\x08\x1d\x03\0\0\0\0\x01", 0, UTET_END, 8);
    EXPECT("no checksum", "\x78\x01\x03\0\0\0\0", 0, UTET_E_PAYLOAD, 4);
    EXPECT("another checksum", "\x78\x01\x03\0\0\0\0\x02", 0, UTET_E_CHECKSUM, 4);
    EXPECT("a byte behind", "\x78\x01\x03\0\0\0\0\x01\0", 0, UTET_E_PAYLOAD, 8);
    EXPECT("too short", "\x78\x01\x03\0\0\0\0\x01", 1, UTET_E_PAYLOAD, 4);
    EXPECT("block type", "\x78\x01\x07\0\0\0\0\x01", 0, UTET_E_PAYLOAD, 2);
    EXPECT("stored",
           "\x78\x01\x01\x01\0\xfe\xff"
           "a\0\x62\0\x62",
           1, UTET_END, 12);
    EXPECT("stored, too long",
           "\x78\x01\x01\x01\0\xfe\xff"
           "a\0\x62\0\x62",
           0, UTET_E_SPACE, 7);
    EXPECT("stored length",
           "\x78\x01\x01\x01\0\xff\xff"
           "a\0\x62\0\x62",
           1, UTET_E_PAYLOAD, 3);
    EXPECT("a literal too many", "\x78\x01\x4b\x04\0\0\x62\0\x62", 0, UTET_E_SPACE, 3);
    EXPECT("match before the beginning", "\x78\x01\x4b\x04\x22\0\0\x62\0\x62", 9, UTET_E_PAYLOAD, 5);
    EXPECT("length 286", "\x78\x01\x1b\x03\0\0\0\x01", 9, UTET_E_PAYLOAD, 3);
}

/* Distance codes 30 and 31 have no meaning, even if enough bytes have been produced for such a distance. */
static void distances_that_mean_nothing(void **state)
{
    enum { BEFORE = 50000, AT = 7 + BEFORE };
    static const uint8_t codes[2] = {0x3E, 0x7E};
    unsigned i;

    (void)state;
    inf_content(content, BEFORE, 0, 5);
    for (i = 0; i < 2; i++) {
        memcpy(packed, "\x78\x01\x00\x50\xc3\xaf\x3c", 7); /* a stored block of 50,000 bytes */
        memcpy(packed + 7, content, BEFORE);
        packed[AT] = 0x03; /* the last block, fixed codes; a length of 3 */
        packed[AT + 1] = codes[i];
        memset(packed + AT + 2, 0, 8);
        expect("distance", packed, AT + 10, BEFORE + 3, UTET_E_PAYLOAD, AT + 2);
    }
}

/* A medium that ends earlier than its size. */
static utet_status fetch_nothing(void *ctx, uint32_t position, const uint8_t **at, size_t *have)
{
    (void)position;
    *at = NULL;
    *have = 0;
    ++*(unsigned *)ctx;
    return UTET_E_SHORT;
}

static void an_error_of_fetch_sticks(void **state)
{
    static utet_inflate z;
    unsigned calls = 0;
    uint8_t byte = 0;
    const uint8_t *at;
    size_t len = 5;
    utet_inflate_job job = {fetch_nothing, &calls, 10, 1, &byte, 1, 0};

    (void)state;
    assert_int_equal(utet_inflate_init(&z, &job), UTET_OK);
    assert_int_equal(utet_inflate_step(&z, 1, &at, &len), UTET_E_SHORT);
    assert_int_equal(len, 0);
    assert_int_equal(utet_inflate_step(&z, 1, &at, &len), UTET_E_SHORT);
    assert_int_equal(calls, 1);
}

static void misuse(void **state)
{
    static utet_inflate z;
    uint8_t byte = 0;
    const uint8_t *at;
    size_t len = 5;
    utet_inflate_job job = {NULL, NULL, 0, 0, &byte, 1, 0};

    (void)state;
    assert_int_equal(utet_inflate_init(&z, &job), UTET_E_ARGUMENT);
    job.fetch = (utet_inflate_fetch *)(uintptr_t)1; /* never called: the input is empty */
    assert_int_equal(utet_inflate_init(NULL, &job), UTET_E_ARGUMENT);
    assert_int_equal(utet_inflate_init(&z, NULL), UTET_E_ARGUMENT);
    job.buffer = NULL;
    assert_int_equal(utet_inflate_init(&z, &job), UTET_E_ARGUMENT);
    job.buffer = &byte;
    assert_int_equal(utet_inflate_init(&z, &job), UTET_OK);
    assert_int_equal(utet_inflate_step(&z, 0, &at, &len), UTET_E_ARGUMENT);
    assert_int_equal(len, 0);
    assert_int_equal(utet_inflate_step(&z, 1, &at, &len), UTET_E_PAYLOAD);
    assert_int_equal(utet_inflate_error_offset(&z), 0);
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        cmocka_unit_test(levels),
        cmocka_unit_test(settings),
        cmocka_unit_test(by_chance),
        cmocka_unit_test(long_codes_at_the_end_of_a_piece),
        cmocka_unit_test(truncation),
        cmocka_unit_test(flipped_bits),
        cmocka_unit_test(replaced_bytes),
        cmocka_unit_test(every_slice),
        cmocka_unit_test(not_yet_between_any_two),
        cmocka_unit_test(faults),
        cmocka_unit_test(history),
        cmocka_unit_test(farther_than_declared),
        cmocka_unit_test(checksum_at_its_bounds),
        cmocka_unit_test(steps_pause),
        cmocka_unit_test(says_what_is_wrong),
        cmocka_unit_test(distances_that_mean_nothing),
        cmocka_unit_test(an_error_of_fetch_sticks),
        cmocka_unit_test(misuse),
    };

    return SUITE("inflate", cases);
}
