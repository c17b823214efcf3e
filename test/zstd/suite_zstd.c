/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Named cases of the small zstd decoder: errata and golden errors of the package, every status, memory to the byte,
 * several frames, the last byte, faults of the source. Frames are written out here or made by upstream's compressor;
 * what they decode to is known from the format or told by the judge (zs_oracle), never by our own decoder.
 */
#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "zstd/zstd_decoder.h"
#include "zs_data.h"
#include "zs_run.h"

enum { ROOM = 1 << 20 };

static uint8_t expected[ROOM], got[ROOM], raw[ROOM], frame[ROOM];

static size_t from_hex(uint8_t *out, const char *hex)
{
    size_t n = 0;
    unsigned v;

    for (; *hex != '\0'; hex += hex[0] == ' ' ? 1 : 2)
        if (*hex != ' ' && sscanf(hex, "%2x", &v) == 1)
            out[n++] = (uint8_t)v;
    return n;
}

static zs_config plain(void)
{
    zs_config c;

    memset(&c, 0, sizeof c);
    c.cache = 64;
    c.slice = SIZE_MAX;
    return c;
}

/* Jobs of n bytes out of a payload of `len`, behind a source that is still to be set; slices. */
static utet_zstd_job job_of(utet_io *io, size_t len, size_t n)
{
    utet_zstd_job job;

    memset(io, 0, sizeof *io);
    memset(&job, 0, sizeof job);
    io->size = len;
    job.io = io;
    job.length = len;
    job.size = n;
    return job;
}

/* Both layouts, both kinds of source, whole and in slices: combination i of 8. */
static zs_config combination(unsigned i)
{
    zs_config c = plain();

    c.mapped = i & 1u;
    c.packed = i >> 1 & 1u;
    c.whole = i >> 2 & 1u;
    return c;
}

/* The frame in all combinations, at once and a byte at a time. */
static void decodes(const char *hex, const uint8_t *want, size_t n)
{
    unsigned i;
    size_t len = from_hex(frame, hex);

    for (i = 0; i < 16u; i++) {
        zs_config c = combination(i);
        zs_result r;

        c.block = i >> 3 & 1u ? 2 : 0;
        c.chunk = i >> 3 & 1u;
        c.slice = i >> 3 & 1u ? 1 : SIZE_MAX;
        r = zs_run(&c, frame, len, got, n);
        suite_check(r.fault == NULL, "%s", r.fault);
        suite_check(r.status == UTET_OK, "%s: status %d at %lu", hex, r.status, (unsigned long)r.where);
        suite_check(r.length == n && memcmp(got, want, n) == 0, "%s: other bytes", hex);
    }
}

/* The first `len` bytes of frame are refused, in every combination. */
static void refused(const char *what, size_t len, size_t size, utet_status status)
{
    unsigned i;

    for (i = 0; i < 16u; i++) {
        zs_config c = combination(i);
        zs_result r;

        c.at_most = i >> 3 & 1u;
        r = zs_run(&c, frame, len, got, size);
        suite_check(r.fault == NULL, "%s", r.fault);
        suite_check(r.status == status, "%s: status %d instead of %d", what, r.status, status);
    }
}

static void refuses(const char *hex, size_t size, utet_status status)
{
    refused(hex, from_hex(frame, hex), size, status);
}

/* What the judge refuses too. */
static void damaged(const char *hex, size_t size)
{
    size_t len = from_hex(frame, hex);

    suite_check(zs_oracle(frame, len, expected, ROOM) < 0, "%s: the judge decodes it", hex);
    refuses(hex, size, UTET_E_PAYLOAD);
}

/* ---- the package's errata ---- */

static void errata_no_literals_no_sequences(void **state)
{
    (void)state;
    decodes("28b52ffd 2000 150000 0000", expected, 0);
}

static void errata_first_block_is_rle(void **state)
{
    (void)state;
    memset(expected, 0, 131073);
    decodes("28b52ffd a0 01000200 020010 00 0b0000 00", expected, 131073);
}

static void errata_tiny_fse_table(void **state)
{
    static const char hex[] = "28b52ffd2027c5000080f3f1f0ecebc6c5c7f09d43000000e0e0065801 00603e52";
    size_t len = from_hex(frame, hex);
    long n = zs_oracle(frame, len, expected, ROOM);

    (void)state;
    assert_int_equal(n, 0x27);
    decodes(hex, expected, (size_t)n);
}

/* Up to 1.5.5 upstream wanted tables there. One literal; then 0 sequences, told in two bytes, end the block. */
static void errata_no_sequences_in_two_bytes(void **state)
{
    static const char hex[] = "28b52ffd 0058 250000 0841 8000";
    size_t len = from_hex(frame, hex);

    (void)state;
    assert_int_equal(zs_oracle(frame, len, expected, ROOM), 1);
    assert_int_equal(expected[0], 'A');
    decodes(hex, expected, 1);
    damaged("28b52ffd 0058 2d0000 0841 8000 00", 1);
}

/* FSE descriptions of weights with symbols over 52, which no weight can be: several "less than one", in the last two
 * beside one that is not. Their cells are never used here, but how many they are decides where all others lie. */
static void weights_that_cannot_be(void **state)
{
    static const char *const hex[] = {
        "28b52ffd00588d00006240030bb0daf5ffffff1f4901f00c4f00",
        "28b52ffd00589500003280030cb0daf5ffffff1f4901a13336a700",
        "28b52ffd00588d00005240030bb0daf5ffffff1f49018038c900",
        "28b52ffd00589d000022c0030db0daf5ffffff1f4901f0b6842f8b00",
        "28b52ffd00589d000022c0030db0daf5ffffff9f920226ae04e9d100",
        "28b52ffd00588d00005240030bb0daf5ffffff9f9202bf457c00",
    };
    unsigned i;

    (void)state;
    for (i = 0; i < 6u; i++) {
        long n = zs_oracle(frame, from_hex(frame, hex[i]), expected, ROOM);

        assert_true(n > 1);
        decodes(hex[i], expected, (size_t)n);
    }
}

/* Found by fuzzing: the last table's description goes on for five bytes behind its block. Upstream wraps around within
 * the block's last bytes, where the sums happen to come out, and decodes. */
static void fse_description_past_its_block(void **state)
{
    (void)state;
    refuses("28b52ffd0402700000de3597aab6bc55fe81a68113c435240300c647141e80a520493a6d46e422d99111c3f647460c1b1a19"
            "81d33631122664642c2e0b000b000b00f32f7bef8e2f3f63545902d36da0afc7ff85e90162ddeb6ee5c15f91f972039c017a"
            "5340afb1e86eb28a32da0268001318f01f14c08001f338020086f900003aa14a717565d57081c5ce42981f7ef7f7224d2298"
            "fd9ad55fbbb2c2e51c0ca4fa99f0",
            186, UTET_E_PAYLOAD);
}

/* Six literals in four Huffman streams of 2, 2, 2 and 0: the last one is opened and checked all the same. */
static void stream_without_symbols(void **state)
{
    (void)state;
    decodes("28b52ffd0058850000660003801001000100010005050501"
            "00",
            (const uint8_t *)"\0\1\0\1\0\1", 6);
    refuses("28b52ffd0058850000660003801001000100010005050502"
            "00",
            6, UTET_E_PAYLOAD);
    refuses("28b52ffd0058850000660003801001000100010005050500"
            "00",
            6, UTET_E_PAYLOAD);
}

/* n sequences of one bit each (a literal and 35 or 36 bytes) in a stream of 200 bytes, too few for it; 712 end where a
 * cache of 64 bytes does. */
static void stream_with_bits_left(void **state)
{
    unsigned n, i;

    (void)state;
    for (n = 700; n <= 724u; n++) {
        const uint32_t section = 1u | 1u << 2 | n << 4; /* RLE_Literals_Block, Size_Format 1 */
        size_t at = from_hex(frame, "28b52ffd 0058 8d0600");

        frame[at++] = (uint8_t)section;
        frame[at++] = (uint8_t)(section >> 8);
        frame[at++] = 'A';
        frame[at++] = (uint8_t)(128u + (n >> 8));
        frame[at++] = (uint8_t)n;
        at += from_hex(frame + at, "54 01 00 20"); /* RLE_Mode thrice: code 1, 0, 32 */
        memset(frame + at, 0, 200);
        frame[at + 199] = 1;
        assert_true(zs_oracle(frame, at + 200, expected, ROOM) < 0);
        for (i = 0; i < 8u; i++) {
            zs_config c = combination(i);
            zs_result r = zs_run(&c, frame, at + 200, got, 36u * n);

            assert_null(r.fault);
            assert_int_equal(r.status, UTET_E_PAYLOAD);
        }
    }
}

/* ---- the package's golden errors, built anew: upstream 1.5.5 and later must refuse them ---- */

static void error_offset_zero(void **state)
{
    (void)state;
    memcpy(expected, "AAAA", 4);
    decodes("28b52ffd 0058 450000 0841 01 54 010000 01", expected, 4); /* the same with an offset of 1 */
    refuses("28b52ffd 0058 450000 0841 01 54 000100 03", 4, UTET_E_PAYLOAD);
}

static void error_bytes_behind_no_sequences(void **state)
{
    (void)state;
    memcpy(expected, "A", 1);
    decodes("28b52ffd 0058 1d0000 0841 00", expected, 1);
    refuses("28b52ffd 0058 250000 0841 00 00", 1, UTET_E_PAYLOAD);
}

static void error_weights_too_short_for_their_states(void **state)
{
    (void)state;
    refuses("28b52ffd 0058 4d0000 12 0002 03f003 01 80 00", 1, UTET_E_PAYLOAD);
    damaged("28b52ffd 0058 550000 228001 04 51651fff 02 00", 2);
}

/* All 256 symbols have codes of 8 bits: 255 weights of 1 are described, and the last one makes them one more than a
 * byte can count. */
static void tree_of_all_symbols_alike(void **state)
{
    (void)state;
    memcpy(expected, "\0\377\7\200\376\1", 6);
    decodes("28b52ffd 0058 950000 628003 06 10f007006074 01fe8007ff0001 00", expected, 6);
}

/* ---- sections that are cut or too long: bytes behind them must not be taken for theirs ---- */

static void compressed_block_of_nothing(void **state)
{
    (void)state;
    damaged("28b52ffd 0058 050000", 0);
    damaged("28b52ffd 0058 0d0000 00", 0);
}

static void number_of_sequences_is_cut(void **state)
{
    (void)state;
    damaged("28b52ffd 0058 1d0000 0841 80", 4);
    damaged("28b52ffd 0058 1d0000 0841 ff", 4);
    damaged("28b52ffd 0058 250000 0841 ff00", 4);
}

static void modes_are_cut(void **state)
{
    (void)state;
    damaged("28b52ffd 0058 1d0000 0841 01", 4);
    damaged("28b52ffd 0058 250000 0841 8001", 4);
    damaged("28b52ffd 0058 2d0000 0841 ff0000", 4);
}

/* A tree of one bit; three, four and five literals in four streams, which begin at six, and four in one. */
static void four_streams_of_few_literals(void **state)
{
    (void)state;
    memcpy(expected, "\0\0\0\1", 4);
    decodes("28b52ffd 0058 3d0000 42c000 8010 11 00", expected, 4);
    damaged("28b52ffd 0058 850000 360003 8010 010001000100 02020301 00", 3);
    damaged("28b52ffd 0058 850000 460003 8010 010001000100 02020203 00", 4);
    damaged("28b52ffd 0058 850000 560003 8010 010001000100 04050201 00", 5);
}

/* Five bytes where the jump table has six; the first stream would lie behind the payload. */
static void jump_table_is_cut(void **state)
{
    (void)state;
    damaged("28b52ffd 0058 5d0000 66c001 8010 2000000000 00", 6);
}

/* Raw literals and no sequences in a block of exactly 128 KB, which is legal, and of one byte more. */
static void block_of_128_kb(void **state)
{
    static uint8_t long_frame[131072 + 64], judged[ROOM];
    unsigned over, run;

    (void)state;
    zs_fill(raw, 131072, 1, 3);
    for (over = 0; over < 2u; over++) {
        const uint32_t literals = 131068u + over, block = 1u | 2u << 1 | (literals + 4u) << 3;
        const uint32_t section = 3u << 2 | literals << 4; /* Raw_Literals_Block, Size_Format 3 */
        size_t at = from_hex(long_frame, "28b52ffd 0058"), i;

        for (i = 0; i < 3u; i++) {
            long_frame[at + i] = (uint8_t)(block >> 8 * i);
            long_frame[at + 3u + i] = (uint8_t)(section >> 8 * i);
        }
        memcpy(long_frame + at + 6u, raw, literals);
        at += 6u + literals;
        long_frame[at++] = 0;
        assert_int_equal(zs_oracle(long_frame, at, judged, ROOM), over ? -1 : (long)literals);
        for (run = 0; run < 8u; run++) {
            zs_config c = combination(run);
            zs_result r = zs_run(&c, long_frame, at, got, literals);

            assert_null(r.fault);
            assert_int_equal(r.status, over ? UTET_E_PAYLOAD : UTET_OK);
            if (!over)
                assert_memory_equal(got, raw, literals);
        }
    }
}

/* ---- headers ---- */

static void every_window_descriptor(void **state)
{
    unsigned byte;

    (void)state;
    for (byte = 0; byte < 256u; byte++) {
        const uint8_t head[] = {0x28, 0xb5, 0x2f, 0xfd, 0, (uint8_t)byte, 1, 0, 0};
        uint64_t skip, size = (uint64_t)1 << (10u + (byte >> 3)); /* Format: 2^(10+E) + 2^(10+E)/8 * M */
        uint32_t window;
        utet_status status = utet_zstd_window(head, sizeof head, &window, &skip);

        size += size / 8u * (byte & 7u);
        if (byte > 17u << 3) { /* over 2^27, as the reference refuses it */
            assert_int_equal(status, UTET_E_ZSTD_WINDOW);
        } else {
            assert_int_equal(status, UTET_OK);
            assert_int_equal(window, size);
        }
    }
    refuses("28b52ffd 0090 010000", 0, UTET_E_ZSTD_WINDOW);
    decodes("28b52ffd 0088 010000", expected, 0);
    refuses("28b52ffd 0089 010000", 0, UTET_E_ZSTD_WINDOW); /* 2^27 and 1/8 */
}

static void dictionaries_by_name(void **state)
{
    (void)state;
    memcpy(expected, "A", 1);
    decodes("28b52ffd 0158 00 09000041", expected, 1); /* an id of 0 is none */
    decodes("28b52ffd 0358 00000000 09000041", expected, 1);
    refuses("28b52ffd 0158 07 09000041", 1, UTET_E_ZSTD_DICT);
    refuses("28b52ffd 0258 0001 09000041", 1, UTET_E_ZSTD_DICT);
    refuses("28b52ffd 0358 00000001 09000041", 1, UTET_E_ZSTD_DICT);
}

static void releases_before_1_0_by_name(void **state)
{
    (void)state;
    refuses("fd2fb51e 0000000000", 1, UTET_E_ZSTD_LEGACY); /* 0.1 */
    refuses("22b52ffd 0000000000", 1, UTET_E_ZSTD_LEGACY);
    refuses("27b52ffd 0000000000", 1, UTET_E_ZSTD_LEGACY);
    refuses("21b52ffd 0000000000", 1, UTET_E_PAYLOAD);
}

static void content_sizes(void **state)
{
    (void)state;
    memset(expected, 'A', 300);
    decodes("28b52ffd 2001 09000041", expected, 1);
    refuses("28b52ffd 2002 09000041", 1, UTET_E_PAYLOAD);
    decodes("28b52ffd 60 2c00 630900 41", expected, 300); /* 2 bytes: 256 more */
    decodes("28b52ffd a0 2c010000 630900 41", expected, 300);
    decodes("28b52ffd e0 2c01000000000000 630900 41", expected, 300);
    refuses("28b52ffd e0 2c01000001000000 630900 41", 300, UTET_E_PAYLOAD);
    /* All ones: upstream takes that for "unknown" (ZSTD_CONTENTSIZE_UNKNOWN), in 8 bytes only. */
    decodes("28b52ffd c0 58 ffffffffffffffff 630900 41", expected, 300);
    refuses("28b52ffd c0 58 feffffffffffffff 630900 41", 300, UTET_E_PAYLOAD);
    refuses("28b52ffd 80 58 ffffffff 630900 41", 300, UTET_E_PAYLOAD);
}

static void reserved_bits(void **state)
{
    (void)state;
    refuses("28b52ffd 0858 09000041", 1, UTET_E_PAYLOAD);                    /* Reserved_bit */
    refuses("28b52ffd 0058 0f000041", 1, UTET_E_PAYLOAD);                    /* Block_Type 3 */
    refuses("28b52ffd 0058 450000 0841 01 55 010000 01", 4, UTET_E_PAYLOAD); /* modes */
    memcpy(expected, "A", 1);
    decodes("28b52ffd 1058 09000041", expected, 1); /* Unused_bit may be set */
}

static void small_blocks(void **state)
{
    (void)state;
    memcpy(expected, "AB", 2);
    decodes("28b52ffd 0058 020000 43 0a0000 41 020000 43 080000 42 010000", expected, 2); /* RLE 0, 1, 0; raw 1, 0 */
    refuses("28b52ffd 0000 0b2000 41", 1025, UTET_E_PAYLOAD); /* one byte over a window of 1 KB */
    memset(expected, 'A', 1024);
    decodes("28b52ffd 0000 032000 41", expected, 1024);
}

/* ---- lengths ---- */

/* A byte, then in a block of its own one sequence: `ll` literals and a match with the offset 1, its codes in RLE
 * tables, their extra bits behind. The frame's length. */
static size_t one_sequence(size_t ll, unsigned ll_code, unsigned ll_bits, size_t ll_more, unsigned ml_code,
                           unsigned ml_bits, size_t ml_more)
{
    size_t at = from_hex(frame, "28b52ffd 0058 080000 41");
    size_t head = at, sum = (size_t)1 << (2u + ml_bits + ll_bits) | ml_more << ll_bits | ll_more, i;

    at += 3;
    for (i = 0; i < 3; i++) /* Raw_Literals_Block, Size_Format 3 */
        frame[at++] = (uint8_t)((12u | ll << 4) >> 8 * i);
    zs_fill(frame + at, ll, 1, 9);
    memcpy(expected + 1, frame + at, ll);
    at += ll;
    frame[at++] = 1;
    frame[at++] = 0x54; /* three RLE tables */
    frame[at++] = (uint8_t)ll_code;
    frame[at++] = 2; /* the offset code: 4 and two extra bits, less 3 */
    frame[at++] = (uint8_t)ml_code;
    for (; sum != 0; sum >>= 8)
        frame[at++] = (uint8_t)sum;
    for (i = 0; i < 3; i++)
        frame[head + i] = (uint8_t)(((at - head - 3u) << 3 | 5u) >> 8 * i);
    return at;
}

/* The codes of literal and match lengths (RFC 8878, 3.1.1.3.2.1.1), each with none and with all of its extra bits set,
 * as far as a block may be long. */
static void every_code_of_lengths(void **state)
{
    static const uint8_t ll_bits[36] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,  0,  0,  0,  0,  1,  1,
                                        1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    static const uint8_t ml_bits[53] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,  0,  0,  0,  0,  0,  0, 0,
                                        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,  0,  0,  0,  1,  1,  1, 1,
                                        2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    static uint8_t judged[ROOM];
    size_t ll = 0, ml = 3, i, run;

    (void)state;
    for (i = 0; i < 2u * (36u + 53u); i++) {
        unsigned code = (unsigned)(i / 2u), of_match = code >= 36u;
        unsigned bits = of_match ? ml_bits[code - 36u] : ll_bits[code];
        size_t more = i % 2u == 0 ? 0 : bits == 16u ? 60000u : ((size_t)1 << bits) - 1u;
        size_t literals = of_match ? 0 : ll + more, match = of_match ? ml + more : 3u;
        size_t n = 1u + literals + match;
        size_t len = of_match ? one_sequence(0, 0, 0, 0, code - 36u, bits, more)
                              : one_sequence(literals, code, bits, more, 0, 0, 0);

        expected[0] = 'A';
        memset(expected + 1u + literals, expected[literals], match);
        assert_int_equal(zs_oracle(frame, len, judged, ROOM), n);
        assert_memory_equal(judged, expected, n);
        for (run = 0; run < 4u; run++) {
            zs_config c = plain();
            zs_result r;

            c.packed = run & 1u;
            c.whole = run >> 1 & 1u;
            r = zs_run(&c, frame, len, got, n);
            assert_null(r.fault);
            suite_check(r.status == UTET_OK && r.length == n && memcmp(got, expected, n) == 0,
                        "code %u of %s lengths: %d", of_match ? code - 36u : code, of_match ? "match" : "literal",
                        r.status);
        }
        if (i % 2u == 1)
            *(of_match ? &ml : &ll) += (size_t)1 << bits;
    }
    assert_int_equal(ll, 131072);
    assert_int_equal(ml, 131075);
}

/* ---- payloads of several frames ---- */

static void frames_and_skippable_frames(void **state)
{
    (void)state;
    memcpy(expected, "AB", 2);
    decodes("502a4d18 03000000 010203 28b52ffd 0058 09000041 5f2a4d18 00000000 28b52ffd 2001 09000042 "
            "552a4d18 01000000 00",
            expected, 2);
    decodes("502a4d18 03000000 010203", expected, 0);
    refuses("502a4d18 04000000 010203", 0, UTET_E_PAYLOAD);
    refuses("502a4d18 0000", 0, UTET_E_PAYLOAD);
}

static void ends_exactly_there(void **state)
{
    (void)state;
    refuses("", 0, UTET_E_PAYLOAD);
    refuses("28b52ffd 0058 09000041 00", 1, UTET_E_PAYLOAD);
    refuses("28b52ffd 0058 09000041 0000000000", 1, UTET_E_PAYLOAD);
    refuses("28b52ffd 0058 09000041 28b52ffd", 1, UTET_E_PAYLOAD);
    refuses("28b52ffd 0058 09000041 28b52ffd 0058 0100", 1, UTET_E_PAYLOAD);
}

static void length_is_what_was_said(void **state)
{
    zs_config c = plain();
    zs_result r;
    size_t len = from_hex(frame, "28b52ffd 0058 1900004142 43");

    (void)state;
    r = zs_run(&c, frame, len, got, 4);
    assert_int_equal(r.status, UTET_E_PAYLOAD);
    assert_true(r.length <= 3);
    r = zs_run(&c, frame, len, got, 2);
    assert_int_equal(r.status, UTET_E_PAYLOAD);
    assert_true(r.length < 2); /* the last byte is held back */
    c.at_most = 1;
    r = zs_run(&c, frame, len, got, 4);
    assert_int_equal(r.status, UTET_OK);
    assert_int_equal(r.length, 3);
    r = zs_run(&c, frame, len, got, 2);
    assert_int_equal(r.status, UTET_E_SPACE);
}

/* State of one frame must not reach the next: repeats, tables, history. */
static void a_new_frame_begins_anew(void **state)
{
    (void)state;
    refuses(
        "28b52ffd 0058 21000041424344 28b52ffd 0058 450000 0841 01 54 010000 01 28b52ffd 0058 350000 01 54 000000 01",
        8, UTET_E_PAYLOAD);
    /* treeless literals and repeated tables without a frame's own to repeat */
    refuses("28b52ffd 0058 350000 13 0040 01 00 00", 1, UTET_E_PAYLOAD);
    refuses("28b52ffd 0058 2d0000 0841 01 fc 01", 4, UTET_E_PAYLOAD);
    /* a match into the frame before */
    refuses("28b52ffd 0058 21000041424344 28b52ffd 0058 4d0000 0841 01 54 010200 08 00", 8, UTET_E_PAYLOAD);
}

/* What a block of the frame before has left must not serve, although it would do: the same two blocks are good in one
 * frame. The judge says so too. */
static void nothing_is_repeated_across_frames(void **state)
{
    static const struct {
        const char *together, *apart, *text;
        size_t size;
    } cases[] = {
        /* a Huffman tree of one bit, then treeless literals */
        {"28b52ffd 0058 3c0000 22c000 8010 05 00 2d0000 234000 05 00",
         "28b52ffd 0058 3d0000 22c000 8010 05 00 28b52ffd 0058 2d0000 234000 05 00", "\0\1\0\1", 4},
        /* three tables of one cell, then Repeat_Mode for one of them and for all */
        {"28b52ffd 0058 440000 0841 01 54 010000 01 3d0000 0841 01 d4 0000 01",
         "28b52ffd 0058 450000 0841 01 54 010000 01 28b52ffd 0058 3d0000 0841 01 d4 0000 01", "AAAAAAAA", 8},
        {"28b52ffd 0058 440000 0841 01 54 010000 01 3d0000 0841 01 74 0100 01",
         "28b52ffd 0058 450000 0841 01 54 010000 01 28b52ffd 0058 3d0000 0841 01 74 0100 01", "AAAAAAAA", 8},
        {"28b52ffd 0058 440000 0841 01 54 010000 01 3d0000 0841 01 5c 0100 01",
         "28b52ffd 0058 450000 0841 01 54 010000 01 28b52ffd 0058 3d0000 0841 01 5c 0100 01", "AAAAAAAA", 8},
        {"28b52ffd 0058 440000 0841 01 54 010000 01 2d0000 0841 01 fc 01",
         "28b52ffd 0058 450000 0841 01 54 010000 01 28b52ffd 0058 2d0000 0841 01 fc 01", "AAAAAAAA", 8},
    };
    size_t i;

    (void)state;
    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t len = from_hex(frame, cases[i].together);

        assert_int_equal(zs_oracle(frame, len, expected, ROOM), cases[i].size);
        assert_memory_equal(expected, cases[i].text, cases[i].size);
        decodes(cases[i].together, expected, cases[i].size);
        len = from_hex(frame, cases[i].apart);
        assert_int_equal(zs_oracle(frame, len, expected, ROOM), -1);
        refuses(cases[i].apart, cases[i].size, UTET_E_PAYLOAD);
    }
}

/* ---- checksums, the last byte ---- */

static size_t some_frame(size_t n, int checksum, int window_log, unsigned kind)
{
    zs_recipe r = {3, 0, 0, 0, 0};

    r.checksum = checksum;
    r.window_log = window_log;
    zs_fill(raw, n, kind, 5);
    return zs_frame(frame, sizeof frame, raw, n, &r);
}

static void checksum_holds_the_last_byte_back(void **state)
{
    static const size_t sizes[] = {1, 31, 32, 33, 1000, 70000};
    unsigned i, k;

    (void)state;
    for (i = 0; i < 6u; i++)
        for (k = 0; k < 8u; k++) {
            zs_config c = combination(k);
            zs_result r;
            size_t len = some_frame(sizes[i], 1, 0, k);
            c.slice = k % 3u == 0 ? 1 : 300;
            c.block = k % 2u ? 2 : 0;
            r = zs_run(&c, frame, len, got, sizes[i]);
            assert_int_equal(r.status, UTET_OK);
            assert_memory_equal(got, raw, sizes[i]);
            frame[len - 1u - k % 4u] ^= 0x10;
            r = zs_run(&c, frame, len, got, sizes[i]);
            assert_int_equal(r.status, UTET_E_CHECKSUM);
            suite_check(r.length < sizes[i], "the last byte was given out unverified");
        }
}

/* ---- memory ---- */

/* A mapped payload: every amount of memory from nothing to more than the most that is of use. */
static void work_memory_to_the_byte(void **state)
{
    unsigned i;

    (void)state;
    for (i = 0; i < 4u; i++) {
        const size_t n = 5000;
        size_t len = some_frame(n, 1, i & 1u ? 11 : 0, 0), work_len;
        uint8_t *source = zs_guarded(1, len);
        utet_io io;
        utet_zstd_job job;
        utet_need need;
        unsigned refused = 0;

        memcpy(source, frame, len);
        job = job_of(&io, len, n);
        io.map = source;
        job.dst = i & 2u ? expected : NULL;
        assert_int_equal(utet_zstd_need(&job, zs_largest_window(frame, len), &need), UTET_OK);
        for (work_len = 0; work_len <= need.best + 9u; work_len++) {
            uint8_t *work = zs_guarded(0, (work_len + 7u) / 8u * 8u);
            utet_zstd *z;
            utet_status status = utet_zstd_init(&z, &job, work, work_len);
            size_t at = 0;

            if (status == UTET_OK)
                status = utet_zstd_open(z);
            if (work_len < need.least) {
                assert_int_equal(status, UTET_E_BUDGET);
                if (work_len >= sizeof(zs_packed)) {
                    refused++;
                    assert_int_equal(utet_zstd_needed(z), need.least);
                }
                continue;
            }
            assert_int_equal(status, UTET_OK);
            if (work_len > need.least + 3u && work_len + 3u < need.best && work_len % 97u != 0)
                continue;
            while (at < n) {
                const uint8_t *p;
                size_t k;

                assert_int_equal(utet_zstd_step(z, 333, &p, &k), UTET_OK);
                assert_memory_equal(p, raw + at, k);
                at += k;
            }
        }
        assert_true((refused != 0) == (job.dst == NULL)); /* whole and mapped: the fixed part is all */
    }
}

static utet_status frame_read(void *ctx, uint64_t offset, void *buf, size_t len, size_t *n)
{
    (void)ctx;
    memcpy(buf, frame + (size_t)offset, len);
    *n = len;
    return UTET_OK;
}

/* A payload that is smaller than the smallest caches is held whole: that is the least then, and a word less is refused.
 */
static void work_memory_of_small_payloads(void **state)
{
    (void)state;
    for (size_t n = 1; n < 260; n++) {
        const size_t len = some_frame(n, (int)(n & 1u), 10, (unsigned)n);
        static uint64_t work[2000];
        utet_io io;
        utet_zstd_job job = job_of(&io, len, n);
        utet_zstd *z;
        utet_need need;
        utet_status status;
        const uint8_t *at;
        size_t some;

        io.read = frame_read;
        job.dst = got;
        assert_int_equal(utet_zstd_need(&job, 0, &need), UTET_OK);
        for (size_t less = 0; less <= 8; less += 8) {
            status = utet_zstd_init(&z, &job, work, (size_t)need.least - less);
            while (status == UTET_OK)
                status = utet_zstd_step(z, n, &at, &some);
            assert_int_equal(status, less ? UTET_E_BUDGET : UTET_END);
        }
        assert_memory_equal(got, raw, n);
    }
}

static void work_memory_through_read(void **state)
{
    unsigned i;

    (void)state;
    for (i = 0; i < 12u; i++) {
        const size_t n = 9000;
        size_t len = some_frame(n, 1, i & 1u ? 12 : 0, i / 4u);
        zs_config c = plain();
        zs_result r;

        c.whole = i >> 1 & 1u;
        c.packed = 1;
        c.window = zs_largest_window(frame, len);
        c.slice = 700;
        r = zs_run(&c, frame, len, got, n); /* exactly the least */
        assert_int_equal(r.status, UTET_OK);
        assert_null(r.fault);
        assert_memory_equal(got, raw, n);
        c.cache = 60; /* a few bytes less */
        r = zs_run(&c, frame, len, got, n);
        assert_int_equal(r.status, UTET_E_BUDGET);
        c.cache = 64;
        assert_int_equal(r.needed, zs_work(&c, len, n));
        assert_int_equal(r.length, 0); /* before decoding starts */
    }
}

/* A later frame may need more history than the first: that is found out before decoding starts. */
static void later_frame_with_a_larger_window(void **state)
{
    size_t first, second;
    zs_config c = plain();
    zs_result r;
    zs_recipe recipe = {3, 1, 0, 10, 0};

    (void)state;
    zs_fill(raw, 40000, 5, 9);
    first = zs_frame(frame, sizeof frame, raw, 20000, &recipe);
    recipe.window_log = 14;
    second = zs_frame(frame + first, sizeof frame - first, raw + 20000, 20000, &recipe);
    c.packed = 1;
    c.slice = 100;
    c.window = 1024;
    r = zs_run(&c, frame, first + second, got, 40000);
    assert_int_equal(r.status, UTET_E_BUDGET);
    assert_int_equal(r.length, 0);
    c.window = zs_largest_window(frame, first + second);
    assert_true(c.window >= 16384);
    assert_int_equal(r.needed, zs_work(&c, first + second, 40000));
    r = zs_run(&c, frame, first + second, got, 40000);
    assert_int_equal(r.status, UTET_OK);
    assert_memory_equal(got, raw, 40000);
}

static void sizes_promised_by_the_header(void **state)
{
    (void)state;
    suite_figure("work memory without history: packed %zu, tables %zu, two caches of 64 bytes included; context %zu",
                 sizeof(zs_packed) + 2u * (64u + ZS_ABOVE), sizeof(zs_tables) + 2u * (64u + ZS_ABOVE),
                 sizeof(struct utet_zstd));
    assert_true(sizeof(zs_packed) + 2u * (64u + ZS_ABOVE) <= UTET_ZSTD_WORK_PACKED);
    assert_true(sizeof(zs_tables) + 2u * (64u + ZS_ABOVE) <= UTET_ZSTD_WORK_TABLES);
}

/* ---- the source ---- */

typedef struct trouble {
    const uint8_t *src;
    unsigned count, at, what, times; /* 0 error, 1 early end, 2 one byte, 3 not yet */
} trouble;

static utet_status troubled_read(void *ctx, uint64_t offset, void *buf, size_t len, size_t *n)
{
    trouble *t = ctx;
    unsigned now = t->count++;

    if (now >= t->at && now < t->at + t->times) {
        if (t->what == 0)
            return UTET_E_PORT - 7;
        *n = t->what == 1 ? 0 : 1;
        if (t->what == 3)
            return UTET_WOULD_BLOCK;
        if (t->what == 1)
            return UTET_OK;
        len = 1;
    }
    memcpy(buf, t->src + offset, len);
    *n = len;
    return UTET_OK;
}

/* Each read fails in each way, once and from then on. */
static void faults_of_the_source(void **state)
{
    unsigned layout, what, at, faults = 0, reads = 1;
    const size_t n = 6000;
    size_t len = some_frame(n, 1, 0, 0);
    static uint64_t work[3000];

    (void)state;
    for (layout = 0; layout < 4u; layout++)
        for (what = 0; what < 8u; what++)
            for (at = 0; at == 0 || at < reads; at++) {
                trouble t = {NULL, 0, 0, 0, 1};
                utet_io io;
                utet_zstd_job job;
                utet_zstd *z;
                utet_status status;
                size_t k, total = 0;

                job = job_of(&io, len, n);
                t.src = frame;
                t.at = at;
                t.what = what & 3u;
                t.times = what >= 4u ? (t.what == 3u ? 3u : 1000000u) : 1u;
                io.ctx = &t;
                io.read = troubled_read;
                assert_int_equal(utet_zstd_init(&z, &job, work,
                                                (layout & 1u ? sizeof(zs_packed) : sizeof(zs_tables)) +
                                                    (layout & 2u ? 160u : (len + 7u) / 8u * 8u) + n),
                                 UTET_OK);
                faults++;
                do {
                    status = utet_zstd_read(z, got + total, 500, &k);
                    total += k;
                } while (status == UTET_OK || status == UTET_WOULD_BLOCK);
                if (t.what < 2u) {
                    suite_check(status == (t.what == 0 ? UTET_E_PORT - 7 : UTET_E_SHORT), "status %d", status);
                    assert_int_equal(utet_zstd_read(z, got, 1, &k), status);
                    reads = at + 1u < t.count ? at + 2u : reads;
                } else {
                    assert_int_equal(status, UTET_END);
                    assert_int_equal(total, n);
                    assert_memory_equal(got, raw, n);
                    reads = t.count;
                }
                if (reads > 400u)
                    reads = 400;
            }
    suite_figure("faults of the source: %u injected", faults);
}

/* A skippable frame up to 10 bytes below 4 GiB, and one or two behind it: the low 32 bits of the length are 0, or 10.
 */
#define FAR (8u + (uint64_t)0xFFFFFFEEu)
static utet_status far_read(void *ctx, uint64_t offset, void *buf, size_t len, size_t *n)
{
    static const uint8_t head[8] = {0x50, 0x2A, 0x4D, 0x18, 0xEE, 0xFF, 0xFF, 0xFF};
    uint8_t *to = buf;

    for (*n = 0; *n < len; ++*n, offset++)
        *to++ = offset < 8u ? head[offset] : offset < FAR ? 0 : ((const uint8_t *)ctx)[offset - FAR];
    return UTET_OK;
}

static void payload_of_more_than_4_gib(void **state)
{
    static uint64_t work[4000];
    size_t i, n, len = from_hex(frame, "28b52ffd 0058 090000 41 28b52ffd 0058 090000 42");

    (void)state;
    for (i = 0; i < 2u; i++) {
        utet_io io = {.ctx = frame, .read = far_read, .size = len + FAR};
        utet_zstd_job job = {.io = &io, .length = io.size, .size = 1};
        utet_zstd *z;

        job.length -= len / 2u * (1u - i); /* one frame, or two */
        job.size += i;
        assert_int_equal(utet_zstd_init(&z, &job, work, sizeof work), UTET_OK);
        assert_int_equal(utet_zstd_read(z, got, 2, &n), UTET_OK);
        assert_int_equal(n, 1 + i);
        assert_memory_equal(got, "AB", n);
        assert_int_equal(utet_zstd_read(z, got, 2, &n), UTET_END);
    }
}

static utet_status watched_read(void *ctx, uint64_t offset, void *buf, size_t len, size_t *n)
{
    trouble *t = ctx;

    memcpy(buf, t->src + offset, len);
    *n = len;
    t->count += len == 64u;
    t->at += len == 64u && offset % 64u != 0;
    return UTET_OK;
}

/* Once under way a bit stream is read in whole caches that begin at multiples of their size in the source, as sectors
 * do. */
static void caches_lie_as_sectors_do(void **state)
{
    static uint64_t work[2000];
    const size_t n = 6000;
    size_t len = some_frame(n, 0, 0, 2);
    trouble t = {NULL, 0, 0, 0, 0};
    utet_io io;
    utet_zstd_job job;
    utet_zstd *z;

    (void)state;
    job = job_of(&io, len, n);
    t.src = frame;
    io.ctx = &t;
    io.read = watched_read;
    job.dst = got;
    assert_int_equal(utet_zstd_init(&z, &job, work, sizeof(zs_packed) + 160u), UTET_OK);
    assert_int_equal(utet_zstd_decode(z), UTET_OK);
    assert_memory_equal(got, raw, n);
    suite_check(t.count >= 10u && t.at == 0, "%u of %u elsewhere", t.at, t.count);
}

static utet_need need_of(const utet_zstd_job *job, uint64_t window)
{
    utet_need need;

    assert_int_equal(utet_zstd_need(job, window, &need), UTET_OK);
    return need;
}

/* src/zstd/INSIDE.md's memory map: fixed part, caches or payload, history. */
static void need_adds_up(void **state)
{
    const size_t caches[] = {2u * (64u + 16u), 2u * (512u + 16u)};
    utet_io io;
    utet_zstd_job job;
    utet_need need;

    (void)state;
    job = job_of(&io, 1001, 3000);
    job.dst = got;
    need = need_of(&job, 0); /* through read(), whole: caches at least, the payload at best */
    assert_int_equal(need.least, sizeof(zs_packed) + caches[0]);
    assert_int_equal(need.best, sizeof(zs_tables) + 1008u);
    job.length = 20; /* the payload is smaller than the caches */
    assert_int_equal(need_of(&job, 0).least, sizeof(zs_packed) + 24u);
    assert_int_equal(need_of(&job, 0).best, sizeof(zs_tables) + 24u);
    job.length = UINT64_MAX; /* never fits */
    assert_int_equal(need_of(&job, 0).best, sizeof(zs_tables) + caches[1]);
    job.length = (uint64_t)1 << 33;
    assert_int_equal(need_of(&job, 0).best, sizeof(zs_tables) + caches[1]);
    io.map = frame;
    assert_int_equal(need_of(&job, 0).least, sizeof(zs_packed));
    assert_int_equal(need_of(&job, 0).best, sizeof(zs_tables));
    job.dst = NULL; /* slices: window unknown, larger, smaller */
    assert_int_equal(need_of(&job, 0).least, sizeof(zs_packed) + 3000u);
    assert_int_equal(need_of(&job, 3001).least, sizeof(zs_packed) + 3000u);
    assert_int_equal(need_of(&job, 1025).least, sizeof(zs_packed) + 1040u);
    job.size = UINT64_MAX;
    assert_int_equal(utet_zstd_need(&job, 0, &need), UTET_E_SPACE);
}

static void window_of_headers(void **state)
{
    static const uint8_t skippable[8] = {0x5f, 0x2a, 0x4d, 0x18, 0xff, 0xff, 0xff, 0xff};
    static const uint8_t ordinary[6] = {0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58};
    uint32_t window;
    uint64_t skip;

    (void)state;
    assert_int_equal(utet_zstd_window(skippable, 8, &window, &skip), UTET_OK);
    assert_int_equal(window, 0);
    assert_true(skip == (uint64_t)0xffffffffu + 8u);
    assert_int_equal(utet_zstd_window(skippable, 7, &window, &skip), UTET_E_PAYLOAD);
    assert_int_equal(utet_zstd_window(ordinary, 6, &window, &skip), UTET_OK);
    assert_int_equal(window, 1u << 21);
    assert_int_equal(skip, 0);
    assert_int_equal(utet_zstd_window(ordinary, 5, &window, &skip), UTET_E_PAYLOAD);
}

/* Nothing, then an error: utet_zstd_read says both as they are. */
static void read_behind_the_end(void **state)
{
    static uint64_t work[1400];
    uint8_t buffer[20];
    utet_io io;
    utet_zstd_job job;
    utet_zstd *z;
    size_t n, len = some_frame(10, 0, 0, 0);

    (void)state;
    job = job_of(&io, len, 10);
    io.map = frame;
    assert_int_equal(utet_zstd_init(&z, &job, work, sizeof work), UTET_OK);
    assert_int_equal(utet_zstd_read(z, buffer, sizeof buffer, &n), UTET_OK);
    assert_int_equal(n, 10);
    assert_memory_equal(buffer, raw, 10);
    assert_int_equal(utet_zstd_read(z, buffer, sizeof buffer, &n), UTET_END);
    assert_int_equal(n, 0);
    job.size = 9;
    assert_int_equal(utet_zstd_reset(z, &job), UTET_OK);
    assert_int_equal(utet_zstd_read(z, buffer, sizeof buffer, &n), UTET_E_PAYLOAD);
}

static void misuse(void **state)
{
    static uint64_t work[1300];
    utet_io io;
    utet_zstd_job job;
    utet_zstd *z;
    size_t len = some_frame(10, 0, 0, 0), odd;

    (void)state;
    job = job_of(&io, len, 10);
    assert_int_equal(utet_zstd_init(&z, &job, work, sizeof work), UTET_E_ARGUMENT); /* neither read nor map */
    io.map = frame;
    for (odd = 1; odd < 8u; odd++) /* any address will do */
        assert_int_equal(utet_zstd_init(&z, &job, (uint8_t *)work + odd, 9000), UTET_OK);
    assert_int_equal(utet_zstd_init(NULL, &job, work, sizeof work), UTET_E_ARGUMENT);
    assert_int_equal(utet_zstd_init(&z, NULL, work, sizeof work), UTET_E_ARGUMENT);
    job.length = len + 1u;
    assert_int_equal(utet_zstd_init(&z, &job, work, sizeof work), UTET_E_ARGUMENT);
    job.length = len;
    job.offset = len + 1u;
    assert_int_equal(utet_zstd_init(&z, &job, work, sizeof work), UTET_E_ARGUMENT);
    job.offset = 0;
    io.unit = 512;
    assert_int_equal(utet_zstd_init(&z, &job, work, sizeof work), UTET_E_ARGUMENT);
    io.unit = 1;
    io.align = 4;
    assert_int_equal(utet_zstd_init(&z, &job, work, sizeof work), UTET_E_ARGUMENT);
    io.align = 1;
    assert_int_equal(utet_zstd_init(&z, &job, NULL, sizeof work), UTET_E_ARGUMENT);
    job.io = NULL;
    assert_int_equal(utet_zstd_init(&z, &job, work, sizeof work), UTET_E_ARGUMENT);
    job.io = &io;
    assert_int_equal(utet_zstd_init(&z, &job, work, 100), UTET_E_BUDGET);
    assert_int_equal(utet_zstd_init(&z, &job, work, sizeof work), UTET_OK);
    assert_int_equal(utet_zstd_decode(z), UTET_E_ARGUMENT); /* no destination */
    job.size = SIZE_MAX;
    assert_int_equal(utet_zstd_init(&z, &job, work, sizeof work), UTET_E_SPACE);
}

/* One decoder for many payloads gives what a new one for each gives. */
static void again(void **state)
{
    static uint64_t work[1300];
    utet_io io;
    utet_zstd_job job;
    utet_zstd *z = NULL;
    trouble t = {frame, 0, 0, 0, 0};
    unsigned i, k;

    (void)state;
    for (i = 0; i < 200u; i++) {
        size_t n = 1u + i * 7u, len = some_frame(n, (int)(i % 2u), 0, i);

        job = job_of(&io, len, n);
        io.map = frame;
        job.dst = got;
        assert_int_equal(z == NULL ? utet_zstd_init(&z, &job, work, sizeof work) : utet_zstd_reset(z, &job), UTET_OK);
        assert_int_equal(utet_zstd_decode(z), UTET_OK);
        assert_memory_equal(got, raw, n);
        io.map = NULL;
        io.read = troubled_read;
        io.ctx = &t;
        for (k = 0; k < 2u; k++) { /* the memory is divided in the same way then */
            memset(got, 0, n);
            assert_int_equal(utet_zstd_reset(z, &job), UTET_OK);
            assert_int_equal(utet_zstd_decode(z), UTET_OK);
            assert_memory_equal(got, raw, n);
        }
        if (i % 5u == 0) { /* also after one that failed half way */
            job.length = len / 2u;
            assert_int_equal(utet_zstd_reset(z, &job), UTET_OK);
            assert_true(UTET_IS_ERROR(utet_zstd_decode(z)));
        }
    }
}

/* A source that answers as it likes: other bytes from the second reading of a place on, or another status. */
typedef struct fickle {
    const uint8_t *src;
    size_t changes_at; /* this byte */
    uint8_t changed;   /* is this one, from the second reading on */
    unsigned seen;
    unsigned calls, odd_from; /* the call from which on `odd` is returned, whatever comes with it */
    utet_status odd;
    size_t surplus; /* bytes said to have come, beyond what was asked for */
} fickle;

static utet_status fickle_read(void *ctx, uint64_t offset, void *buf, size_t len, size_t *n)
{
    fickle *f = (fickle *)ctx;

    *n = len;
    if (f->calls++ >= f->odd_from) {
        *n += f->surplus;
        return f->odd;
    }
    memcpy(buf, f->src + offset, len);
    if (f->changes_at >= offset && f->changes_at < offset + len && f->seen++ != 0)
        ((uint8_t *)buf)[f->changes_at - offset] = f->changed;
    return UTET_OK;
}

/* A frame of window 1 KiB: 60 raw blocks, then a match from `back` bytes ago, which its window does not hold. */
static size_t frame_with_a_far_match(uint32_t back)
{
    const uint32_t off = back + 3u;
    unsigned log = 0, bits = 0;
    uint64_t stream = 5; /* extra bits of the match length */
    size_t n = from_hex(frame, "28b52ffd 00 00"), body;

    for (unsigned i = 0; i < 60u; i++) {
        const uint32_t head = 1000u << 3;

        frame[n++] = (uint8_t)head;
        frame[n++] = (uint8_t)(head >> 8);
        frame[n++] = 0;
        memset(frame + n, (int)('a' + i % 26u), 1000);
        n += 1000u;
    }
    while (off >> (log + 1u) != 0)
        log++;
    stream |= (uint64_t)(off & ((1u << log) - 1u)) << 4 | (uint64_t)1 << (4u + log);
    bits = 5u + log;
    body = 6u + (bits + 7u) / 8u;
    frame[n++] = (uint8_t)(1u | 2u << 1 | body << 3);
    frame[n++] = 0;
    frame[n++] = 0;
    n += from_hex(frame + n, "00 01 54 00");
    frame[n++] = (uint8_t)log;
    frame[n++] = 40;
    for (; bits != 0; bits = bits > 8u ? bits - 8u : 0, stream >>= 8)
        frame[n++] = (uint8_t)stream;
    return n;
}

/* Memory is divided for a window of 1 KiB; when the header is read again it says 128 KiB. */
static void a_window_that_grows_at_the_second_reading(void **state)
{
    static const uint32_t back[] = {3000, 50000};

    (void)state;
    for (unsigned i = 0; i < 2u; i++) {
        const size_t len = frame_with_a_far_match(back[i]);
        fickle f = {frame, 5, 7u << 3, 0, 0, UINT32_MAX, UTET_OK, 0};
        utet_io io;
        utet_zstd_job job = job_of(&io, len, 100000);
        utet_need need;
        utet_zstd *z;
        const uint8_t *at;
        size_t n;
        uint8_t *work;
        utet_status status;

        io.read = fickle_read;
        io.ctx = &f;
        job.at_most = 1;
        assert_int_equal(utet_zstd_need(&job, 1024, &need), UTET_OK);
        work = zs_guarded(7, need.least);
        assert_int_equal(utet_zstd_init(&z, &job, work, need.least), UTET_OK);
        do
            status = utet_zstd_step(z, 4096, &at, &n);
        while (status == UTET_OK);
        assert_int_equal(status, UTET_E_PAYLOAD);
    }
}

/* A status that no port may return, and more bytes than were asked for, are errors of the port: no loop without end. */
static void answers_that_no_port_may_give(void **state)
{
    static const utet_status odd[] = {UTET_OK, UTET_END, (utet_status)3, (utet_status)100};
    static uint64_t work[2000];

    (void)state;
    for (unsigned i = 0; i < 4u * 8u; i++) {
        const size_t len = from_hex(frame, "28b52ffd 00 38 480000 616263646566676869 010000");
        fickle f = {frame, SIZE_MAX, 0, 0, 0, i / 4u, odd[i % 4u], 1};
        utet_io io;
        utet_zstd_job job = job_of(&io, len, 9);
        utet_zstd *z;
        const uint8_t *at;
        size_t n;
        utet_status status;

        io.read = fickle_read;
        io.ctx = &f;
        if (i % 3u == 0)
            job.dst = got;
        assert_int_equal(utet_zstd_init(&z, &job, work, 4600), UTET_OK);
        do
            status = utet_zstd_step(z, 5, &at, &n);
        while (status == UTET_OK);
        assert_true(status == UTET_E_PORT || (status == UTET_END && f.calls <= f.odd_from));
    }
}

/* Raw and RLE blocks of more than 128 KiB are damaged, as the package's streaming call has it (its one-shot call, the
 * judge, accepts them); also in a larger window. */
static void blocks_over_128_kib(void **state)
{
    (void)state;
    refuses("28b52ffd 00 48 0b0010 61", 131073, UTET_E_PAYLOAD);
    refuses("28b52ffd 00 48 090010", 131073, UTET_E_PAYLOAD);
    refuses("28b52ffd 00 68 036a18 61", 200000, UTET_E_PAYLOAD);
    refuses("28b52ffd 00 68 036a18 61", 400000, UTET_E_PAYLOAD);
}

/* A compressed block of 143 bytes that makes more than 128 KiB, of matches alone, behind a raw block of 600. The judge,
 * one-shot, makes all of it; its streaming call refuses it, and so do we. */
static void compressed_block_that_makes_more_than_128_kib(void **state)
{
    size_t len = from_hex(frame, "28b52ffd 00 38 c01200");
    long all;

    (void)state;
    for (size_t i = 0; i < 600; i++)
        frame[len++] = (uint8_t)('0' + i % 10);
    len +=
        from_hex(frame + len,
                 "7d04000d00104c01a81480000420000108400002108000042000010840000210800004200001084000021080000420000108"
                 "40000210800004e07f134000ff01148000042000010840000210800004200001084000021080000420000108400002108000"
                 "042000010840000210800004200001084000021080000420000108400002108000042000ff030000000000000010");
    all = zs_oracle(frame, len, expected, ROOM);
    suite_check(all > 600 + (128 << 10), "the judge makes %ld bytes", all);
    assert_false(zs_oracle_streams(frame, len, expected, ROOM));
    refused("long matches", len, (size_t)all, UTET_E_PAYLOAD);
}

/* `times` pieces behind `start`, then a last, empty block. */
static size_t repeated(const char *start, const char *piece, size_t times)
{
    uint8_t one[256];
    size_t n = from_hex(frame, start), m = from_hex(one, piece);

    for (; times != 0; times--, n += m)
        memcpy(frame + n, one, m);
    return n + from_hex(frame + n, "010000");
}

#define WINDOW_1K "28b52ffd0000"
#define EIGHT WINDOW_1K "400000 6162636465666768"
#define THREE_TABLES "6c0000 0001a8e4ffe37fe4ff00000004" /* 511 + 1, 255 + 1, 511 + 1 cells; one sequence */
#define PREDEFINED "340000 000100000002"
#define TREE "d40000 12c0020911e0d301059dd6245e3f01 a8e4ffe37fe4ff00000004"

/* Frames that make little of much. The first two cost most for a byte of input: they stand in test/bench, too. */
static const struct hostile {
    const char *start, *piece;
} hostile[] = {{EIGHT, THREE_TABLES},
               {EIGHT, THREE_TABLES PREDEFINED},
               {EIGHT, PREDEFINED},
               {EIGHT, TREE},
               {WINDOW_1K, "000000"},
               {WINDOW_1K, "02000078"},
               {WINDOW_1K, "1400000000"},
               {WINDOW_1K, "08000071"},
               {WINDOW_1K, "0a000071"},
               {WINDOW_1K "010000", "502a4d1800000000 28b52ffd0000 010000"},
               {WINDOW_1K "010000", "28b52ffd2000 010000"}};

enum { HOSTILE = sizeof hostile / sizeof *hostile, PIECES = 400 };

static size_t hostile_frame(unsigned i)
{
    size_t len = repeated(hostile[i].start, hostile[i].piece, PIECES);

    return strstr(hostile[i].start, "010000") != NULL ? len - 3u : len; /* the frames end by themselves */
}

/* Every byte once or twice, whatever the caches: those of 512 bytes read 211 bytes for each byte of the first frame. */
static void more_cache_never_reads_more(void **state)
{
    unsigned i, whole;

    (void)state;
    for (i = 0; i < HOSTILE + 12u; i++)
        for (whole = 0; whole < 2u; whole++) {
            static const uint16_t caches[] = {64, 128, 256, 512};
            size_t len, before = SIZE_MAX;
            long size;
            unsigned k;

            if (i < HOSTILE) {
                len = hostile_frame(i);
            } else { /* what compressors write, in small and large blocks */
                zs_recipe recipe = {3, 1, 0, 10 + (int)i % 6, 1};

                zs_fill(raw, 60000, i % ZS_KINDS, i);
                len = zs_frame(frame, sizeof frame, raw, 60000, &recipe);
            }
            size = zs_oracle(frame, len, expected, ROOM);
            assert_true(size >= 0);
            for (k = 0; k < 4u; k++) {
                zs_config c = plain();
                zs_result r;

                c.cache = caches[k];
                c.whole = (uint8_t)whole;
                c.window = zs_largest_window(frame, len);
                r = zs_run(&c, frame, len, got, (size_t)size);
                assert_int_equal(r.status, UTET_OK);
                assert_null(r.fault);
                assert_memory_equal(got, expected, (size_t)size);
                assert_true(r.bytes <= before);
                assert_true(r.bytes <= (whole ? 3u : 4u) * len + 160u);
                before = r.bytes;
            }
        }
}

/* A call passes no more than io.step_limit steps of the decoder without output, and then asks to be called again. */
static void a_call_is_bounded(void **state)
{
    enum { PAUSE = 16 };
    unsigned i, whole;

    (void)state;
    for (i = 0; i < HOSTILE; i++)
        for (whole = 0; whole < 2u; whole++) {
            static uint64_t work[6000];
            size_t len = hostile_frame(i), n, made = 0, calls = 0;
            long size = zs_oracle(frame, len, expected, ROOM);
            utet_io io;
            utet_zstd_job job = job_of(&io, len, (size_t)size);
            const uint8_t *at;
            utet_zstd *z;
            utet_status status;

            assert_true(size >= 0);
            io.map = frame;
            io.step_limit = PAUSE;
            job.dst = whole ? got : NULL;
            assert_int_equal(utet_zstd_init(&z, &job, work, sizeof work), UTET_OK);
            while ((status = utet_zstd_open(z)) == UTET_WOULD_BLOCK)
                assert_true(++calls <= PIECES); /* headers are only looked at */
            for (calls = 0; status == UTET_OK || status == UTET_WOULD_BLOCK;) {
                const uint64_t before = utet_zstd_error_offset(z);

                status = utet_zstd_step(z, ROOM, &at, &n);
                assert_true(status == UTET_OK ? n != 0 : n == 0);
                assert_memory_equal(at, expected + made, n);
                /* A step passes 32 bytes of these frames at most; one byte of output may wait for the end. */
                assert_true(utet_zstd_error_offset(z) - before <= 2u * PAUSE * 32u);
                made += n;
                calls++;
            }
            assert_int_equal(status, UTET_END);
            assert_int_equal(made, size);
            assert_true(calls >= PIECES / PAUSE);
            if (whole) { /* decode() returns only where nothing was made: not while there is output */
                calls = 0;
                status = utet_zstd_reset(z, &job);
                while (status == UTET_OK && (status = utet_zstd_decode(z)) == UTET_WOULD_BLOCK && ++calls < 10000u)
                    status = UTET_OK;
                assert_int_equal(status, UTET_OK);
                assert_true(size != 0 || calls >= PIECES / PAUSE);
            }
        }
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        cmocka_unit_test(a_window_that_grows_at_the_second_reading),
        cmocka_unit_test(answers_that_no_port_may_give),
        cmocka_unit_test(more_cache_never_reads_more),
        cmocka_unit_test(a_call_is_bounded),
        cmocka_unit_test(blocks_over_128_kib),
        cmocka_unit_test(compressed_block_that_makes_more_than_128_kib),
        cmocka_unit_test(errata_no_literals_no_sequences),
        cmocka_unit_test(errata_first_block_is_rle),
        cmocka_unit_test(errata_tiny_fse_table),
        cmocka_unit_test(errata_no_sequences_in_two_bytes),
        cmocka_unit_test(weights_that_cannot_be),
        cmocka_unit_test(fse_description_past_its_block),
        cmocka_unit_test(stream_without_symbols),
        cmocka_unit_test(stream_with_bits_left),
        cmocka_unit_test(error_offset_zero),
        cmocka_unit_test(error_bytes_behind_no_sequences),
        cmocka_unit_test(error_weights_too_short_for_their_states),
        cmocka_unit_test(tree_of_all_symbols_alike),
        cmocka_unit_test(compressed_block_of_nothing),
        cmocka_unit_test(number_of_sequences_is_cut),
        cmocka_unit_test(modes_are_cut),
        cmocka_unit_test(four_streams_of_few_literals),
        cmocka_unit_test(jump_table_is_cut),
        cmocka_unit_test(block_of_128_kb),
        cmocka_unit_test(every_window_descriptor),
        cmocka_unit_test(dictionaries_by_name),
        cmocka_unit_test(releases_before_1_0_by_name),
        cmocka_unit_test(content_sizes),
        cmocka_unit_test(reserved_bits),
        cmocka_unit_test(small_blocks),
        cmocka_unit_test(every_code_of_lengths),
        cmocka_unit_test(frames_and_skippable_frames),
        cmocka_unit_test(ends_exactly_there),
        cmocka_unit_test(length_is_what_was_said),
        cmocka_unit_test(a_new_frame_begins_anew),
        cmocka_unit_test(nothing_is_repeated_across_frames),
        cmocka_unit_test(checksum_holds_the_last_byte_back),
        cmocka_unit_test(work_memory_to_the_byte),
        cmocka_unit_test(work_memory_of_small_payloads),
        cmocka_unit_test(work_memory_through_read),
        cmocka_unit_test(later_frame_with_a_larger_window),
        cmocka_unit_test(sizes_promised_by_the_header),
        cmocka_unit_test(faults_of_the_source),
        cmocka_unit_test(payload_of_more_than_4_gib),
        cmocka_unit_test(caches_lie_as_sectors_do),
        cmocka_unit_test(need_adds_up),
        cmocka_unit_test(window_of_headers),
        cmocka_unit_test(read_behind_the_end),
        cmocka_unit_test(misuse),
        cmocka_unit_test(again),
    };

    return SUITE("zstd_small", cases);
}
