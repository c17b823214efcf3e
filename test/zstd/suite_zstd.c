/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Named cases of the small zstd decoder: errata and golden errors of libzstd, headers, lengths, blocks. suite_zstdcalls
 * has calls, memory and several frames; suite_zstdsource has faults of the source. Frames are written out here or made
 * by upstream's compressor; the expected result is known from the format or comes from the judge (zs_oracle), never
 * from our own decoder.
 */
#include "zstd/zstd_decoder.h"
#include "zstdworld.h"

/* ---- libzstd's errata ---- */

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

/* Up to 1.5.5, upstream required tables there. One literal; then 0 sequences, stated in two bytes, end the block. */
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
 * next to one that is not. Their cells are never used here, but their number decides where all others are. */
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

/* Found by fuzzing: the description of the last table extends five bytes beyond its block. Upstream wraps around within
 * the last bytes of the block, whose sums happen to be right, and decodes. */
static void fse_description_past_its_block(void **state)
{
    (void)state;
    refuses("28b52ffd0402700000de3597aab6bc55fe81a68113c435240300c647141e80a520493a6d46e422d99111c3f647460c1b1a19"
            "81d33631122664642c2e0b000b000b00f32f7bef8e2f3f63545902d36da0afc7ff85e90162ddeb6ee5c15f91f972039c017a"
            "5340afb1e86eb28a32da0268001318f01f14c08001f338020086f900003aa14a717565d57081c5ce42981f7ef7f7224d2298"
            "fd9ad55fbbb2c2e51c0ca4fa99f0",
            186, UTET_E_PAYLOAD);
}

/* Six literals in four Huffman streams of 2, 2, 2 and 0: the last stream is opened and checked nevertheless. */
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

/* n sequences of one bit each (a literal and 35 or 36 bytes) in a stream of 200 bytes, which is too short for them; 712
 * end where a cache of 64 bytes does. */
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
        at += from_hex(frame + at, "54 01 00 20"); /* RLE_Mode three times: code 1, 0, 32 */
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

/* ---- libzstd's golden errors, built again: upstream 1.5.5 and later must refuse them ---- */

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

/* ---- sections that are truncated or too long: bytes after them must not be taken for theirs ---- */

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

/* Five bytes instead of the six of the jump table; the first stream would be after the payload. */
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
        if (byte > 17u << 3) { /* above 2^27, refused as by the reference */
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
    decodes("28b52ffd 0158 00 09000041", expected, 1); /* an id of 0 means none */
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
    /* All ones: upstream takes that for "unknown" (ZSTD_CONTENTSIZE_UNKNOWN), but only in 8 bytes. */
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
    refuses("28b52ffd 0000 0b2000 41", 1025, UTET_E_PAYLOAD); /* one byte above a window of 1 KB */
    memset(expected, 'A', 1024);
    decodes("28b52ffd 0000 032000 41", expected, 1024);
}

/* ---- lengths ---- */

/* One byte, then in a block of its own one sequence: `ll` literals and a match with the offset 1; its codes are in RLE
 * tables, followed by their extra bits. Returns the length of the frame. */
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
    frame[at++] = 2; /* the offset code: 4 and two extra bits, minus 3 */
    frame[at++] = (uint8_t)ml_code;
    for (; sum != 0; sum >>= 8)
        frame[at++] = (uint8_t)sum;
    for (i = 0; i < 3; i++)
        frame[head + i] = (uint8_t)(((at - head - 3u) << 3 | 5u) >> 8 * i);
    return at;
}

/* The codes of literal and match lengths (RFC 8878, 3.1.1.3.2.1.1), each with none and with all of its extra bits set,
 * up to the maximum length of a block. */
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

/* Matches of 3 to 130 bytes from 1 to 4 bytes back, after four bytes, at the end of the output and before 8 to 11 bytes
 * with which it ends at an unmapped page: matches end at all alignments, and overwrite at most 8 bytes. */
static void near_matches(void **state)
{
    static const uint8_t ml_bits[43] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                                        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5};
    size_t match = 3, i;
    unsigned code, more, run;

    (void)state;
    for (code = 0; code < 43u; code++)
        for (more = 0; more < 1u << ml_bits[code]; more++, match++)
            for (run = 0; run < 128u; run++) {
                const unsigned off = (run & 3u) + 1u, after = (run & 16u) != 0 ? 8u + (run >> 5) : 0;
                zs_config c = plain();
                size_t n = 4u + match, len = from_hex(frame, "28b52ffd 0058 200000 41424344"), head = len;
                unsigned bits = 1u << (2u + ml_bits[code]) | (off - 1u) << ml_bits[code] | more;
                zs_result r;

                memcpy(expected, "ABCD", 4);
                for (i = 0; i < match; i++)
                    expected[4u + i] = expected[4u + i - off];
                len += 3;
                len += from_hex(frame + len, "00 01 54 00 02"); /* no literals; RLE tables */
                frame[len++] = (uint8_t)code;
                for (; bits != 0; bits >>= 8)
                    frame[len++] = (uint8_t)bits;
                frame[head] = (uint8_t)((len - head - 3u) << 3 | 4u | (after == 0));
                frame[head + 1u] = frame[head + 2u] = 0;
                if (after != 0) {
                    len += from_hex(frame + len, "000000");
                    frame[len - 3] = (uint8_t)(after << 3 | 1u);
                    zs_fill(frame + len, after, 1, 9);
                    memcpy(expected + n, frame + len, after);
                    len += after;
                    n += after;
                }
                c.packed = run >> 2 & 1u;
                c.whole = run >> 3 & 1u;
                r = zs_run(&c, frame, len, got, n);
                assert_null(r.fault);
                suite_check(r.status == UTET_OK && r.length == n && memcmp(got, expected, n) == 0,
                            "%u bytes from %u back: %d", (unsigned)match, off, r.status);
            }
    assert_int_equal(match, 131);
}

/* A match from one byte back, copied by the two functions that do so, at all addresses: neither touches a byte before
 * it, utet_zs_copy_long none after it, utet_zs_fill at most seven. */
static void matches_from_one_back(void **state)
{
    uint8_t memory[80];
    size_t at, n, i;
    unsigned way;

    (void)state;
    for (way = UTET_ZSTD_ALIGNED; way < 2; way++)
        for (at = 8; at < 16; at++)
            for (n = way == 0 ? 1 : 16; n < 56; n++) {
                const size_t after = at + n + (way == 0 ? 7 : 0);

                memset(memory, 0x5a, sizeof memory);
                memory[at - 1] = 0xc3;
#if !UTET_ZSTD_ALIGNED
                if (way == 0)
                    utet_zs_fill(memory + at, memory + at + n);
#endif
                if (way == 1)
                    utet_zs_copy_long(memory + at, 1, n);
                for (i = 0; i < sizeof memory; i++)
                    if (i < at - 1 || i >= after)
                        assert_int_equal(memory[i], 0x5a);
                    else if (i < at + n)
                        assert_int_equal(memory[i], 0xc3);
            }
}

/* Raw and RLE blocks of more than 128 KiB are damaged, as in libzstd's streaming call (its one-shot call, the judge,
 * accepts them); also in a larger window. */
static void blocks_over_128_kib(void **state)
{
    (void)state;
    refuses("28b52ffd 00 48 0b0010 61", 131073, UTET_E_PAYLOAD);
    refuses("28b52ffd 00 48 090010", 131073, UTET_E_PAYLOAD);
    refuses("28b52ffd 00 68 036a18 61", 200000, UTET_E_PAYLOAD);
    refuses("28b52ffd 00 68 036a18 61", 400000, UTET_E_PAYLOAD);
}

/* A compressed block of 143 bytes that decodes to more than 128 KiB, from matches only, after a raw block of 600. The
 * judge, one-shot, decodes all of it; its streaming call refuses it, and so does the small decoder. */
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

int main(void)
{
    static const struct CMUnitTest cases[] = {
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
        cmocka_unit_test(near_matches),
        cmocka_unit_test(matches_from_one_back),
    };

    return SUITE("zstd_small", cases);
}
