/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The adapter to libzstd: what is refused, and with which status; unusual but valid frames; damaged payloads. */
#include "upstreamworld.h"

#ifndef NO_UPSTREAM

/* ---- what is refused, and with which status ---- */

/* A frame of one raw block of 5 bytes "abcde"; there is room for variants of the header before it. */
static const uint8_t hello[] = {0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x58, 0x29, 0x00, 0x00, 'a', 'b', 'c', 'd', 'e'};

static void expect_status(const void *payload, size_t stored, size_t raw, utet_status expected, uint64_t fault_at,
                          const char *what)
{
    image f = wrap(payload, stored, raw);
    uint8_t *out = need_memory(malloc(raw + 1));
    for (int mode = 0; mode < 6 * (int)rig_codecs(); mode++) {
        rig r;
        size_t got;
        int m = mode % 6;
        way w = {0, m == 0 ? 1 : m == 1 ? 4 : m == 2 ? 100000 : m == 3 ? 3 : SLICE_ALL, m % 3 == 2, GUARD_AFTER};
        rig_make(&r, f.bytes, f.size, mode / 6);
        if (m == 3 || m == 4) {
            r.port.slice = 1;
            r.port.blocks = 1;
        }
        utet_need need;
        utet_status asked = need_of(&r, 0, &need); /* reads headers, so it may find the fault */
        suite_check(asked == UTET_OK || asked == expected, "%s, mode %d: need: %s", what, mode, rig_status(asked));
        faultport_rewind(&r.port);
        utet_status status = decode(&r, &w, out, &got);
        suite_check(status == expected, "%s, mode %d: %s, expected %s", what, mode, rig_status(status),
                    rig_status(expected));
        if (expected != UTET_OK) {
            suite_check(got < raw || raw == 0, "%s, mode %d: all bytes delivered before the fault", what, mode);
            suite_check(fault_at == (uint64_t)-1 || r.file.error_offset == PAYLOAD_AT + fault_at,
                        "%s, mode %d: fault at %lld", what, mode,
                        (long long)r.file.error_offset - (long long)PAYLOAD_AT);
        }
        rig_end(&r, what);
    }
    free(out);
    free(f.bytes);
}

static void refused_by_name(void **state)
{
    uint8_t b[64];
    (void)state;
    expect_status(hello, sizeof hello, 5, UTET_OK, 0, "plain");
    expect_status("", 0, 5, UTET_E_PAYLOAD, 0, "empty payload");
    expect_status(hello, sizeof hello, 4, UTET_E_PAYLOAD, 9, "more than the row says");
    expect_status(hello, sizeof hello, 6, UTET_E_PAYLOAD, sizeof hello, "less than the row says");
    for (size_t n = 1; n < sizeof hello; n++)
        expect_status(hello, n, 5, UTET_E_PAYLOAD, (uint64_t)-1, "cut off");
    for (size_t n = 1; n < 20; n++) {
        memcpy(b, hello, sizeof hello);
        memset(b + sizeof hello, 0, n);
        expect_status(b, sizeof hello + n, 5, UTET_E_PAYLOAD, sizeof hello, "trailing zeros");
        memset(b + sizeof hello, 0x5A, n);
        expect_status(b, sizeof hello + n, 5, UTET_E_PAYLOAD, sizeof hello, "trailing junk");
    }
    for (uint32_t magic = 0xFD2FB522u; magic <= 0xFD2FB527u; magic++) {
        memcpy(b, hello, sizeof hello);
        tetgen_put(b, magic, 4);
        expect_status(b, sizeof hello, 5, UTET_E_ZSTD_LEGACY, 0, "legacy");
    }
    tetgen_put(b, 0x1EB52FFDu, 4); /* 0.1 stored it in the other byte order */
    expect_status(b, sizeof hello, 5, UTET_E_ZSTD_LEGACY, 0, "legacy 0.1");
    tetgen_put(b, 0xFD2FB521u, 4);
    expect_status(b, sizeof hello, 5, UTET_E_PAYLOAD, 0, "never a magic");
    tetgen_put(b, 0xFD2FB528u, 4);
    b[5] = 17 << 3; /* 2^27 */
    expect_status(b, sizeof hello, 5, UTET_OK, 0, "window 2^27");
    b[5] = 17 << 3 | 1;
    expect_status(b, sizeof hello, 5, UTET_E_ZSTD_WINDOW, 0, "window 2^27 * 9/8");
    b[5] = 18 << 3;
    expect_status(b, sizeof hello, 5, UTET_E_ZSTD_WINDOW, 0, "window 2^28");
    b[5] = 0xFF;
    expect_status(b, sizeof hello, 5, UTET_E_ZSTD_WINDOW, 0, "window 2^41");
    b[5] = 0x58;
    b[4] = 0x08;
    expect_status(b, sizeof hello, 5, UTET_E_PAYLOAD, 0, "reserved bit");
    b[4] = 0;
    b[6] = 0x2F;
    expect_status(b, sizeof hello, 5, UTET_E_PAYLOAD, 6, "reserved block type");
    b[6] = 0x28;
    expect_status(b, sizeof hello, 5, UTET_E_PAYLOAD, sizeof hello, "no last block");
}

static void dictionaries(void **state)
{
    uint8_t b[64];
    (void)state;
    for (int flag = 1; flag <= 3; flag++)
        for (uint32_t id = 0; id < 2; id++) {
            size_t n = flag == 3 ? 4 : (size_t)flag;
            memcpy(b, hello, 6);
            b[4] = (uint8_t)flag;
            tetgen_put(b + 6, id, (unsigned)n);
            memcpy(b + 6 + n, hello + 6, sizeof hello - 6);
            expect_status(b, sizeof hello + n, 5, id ? UTET_E_ZSTD_DICT : UTET_OK, 0, "dictionary id");
        }
}

/* Skippable frames: sizes that are wrong about the rest; nothing but skippable frames. */
static void skippable(void **state)
{
    uint8_t b[64] = {0x5F, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 1, 2, 3};
    (void)state;
    memcpy(b + 11, hello, sizeof hello);
    expect_status(b, 11 + sizeof hello, 5, UTET_OK, 0, "skippable first");
    expect_status(b, 11, 5, UTET_E_PAYLOAD, 11, "only skippable");
    for (size_t n = 1; n < 11; n++)
        expect_status(b, n, 5, UTET_E_PAYLOAD, 0, "skippable cut off");
    tetgen_put(b + 4, 0xFFFFFFFFu, 4);
    expect_status(b, 11 + sizeof hello, 5, UTET_E_PAYLOAD, 0, "skippable of 4 GB");
    memcpy(b, hello, sizeof hello);
    tetgen_put(b + sizeof hello, 0x184D2A50u, 4);
    tetgen_put(b + sizeof hello + 4, 2, 4);
    expect_status(b, sizeof hello + 10, 5, UTET_OK, 0, "skippable last");
    expect_status(b, sizeof hello + 9, 5, UTET_E_PAYLOAD, sizeof hello, "skippable last, cut off");
}

/* RLE blocks, also of 0 and 1 bytes; an empty last block; wrong content sizes; blocks over the limit of the window. */
static void odd_blocks(void **state)
{
    static const uint8_t rle[] = {0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x00, 0x02, 0x00, 0x00, 'x', 0x0A,
                                  0x00, 0x00, 'y',  0x22, 0x1F, 0x00, 'z',  0x01, 0x00, 0x00};
    static const uint8_t sized[] = {0x28, 0xB5, 0x2F, 0xFD, 0x20, 0x05, 0x29, 0x00, 0x00, 'a', 'b', 'c', 'd', 'e'};
    uint8_t b[2200] = {0};
    (void)state;
    expect_status(rle, sizeof rle, 1 + 996, UTET_OK, 0, "RLE of 0, 1 and 996");
    expect_status(rle, sizeof rle, 996, UTET_E_PAYLOAD, 17, "RLE past the end");
    memcpy(b, sized, sizeof sized);
    expect_status(b, sizeof sized, 5, UTET_OK, 0, "content size");
    b[5] = 6;
    /* One decoder notices it before the last block, the other after it. */
    expect_status(b, sizeof sized, 5, UTET_E_PAYLOAD, (uint64_t)-1, "content size too big");
    memcpy(b, hello, 6);
    b[4] |= 0xC0;
    memset(b + 6, 0xFF, 8);
    memcpy(b + 14, sized + 6, sizeof sized - 6);
    expect_status(b, 14 + sizeof sized - 6, 5, UTET_OK, 0, "content size of all ones: unknown");
    b[13] = 0xFE;
    expect_status(b, 14 + sizeof sized - 6, 5, UTET_E_PAYLOAD, (uint64_t)-1, "content size of nearly all ones");
    memcpy(b, hello, 6);
    b[5] = 0; /* 1 KiB */
    tetgen_put(b + 6, 1 | 1024 << 3, 3);
    expect_status(b, 9 + 1024, 1024, UTET_OK, 0, "block as large as the window");
    tetgen_put(b + 6, 1 | 1025 << 3, 3);
    expect_status(b, 9 + 1025, 1025, UTET_E_PAYLOAD, 6, "raw block larger than the window");
    tetgen_put(b + 6, 1 | 1 << 1 | 1025 << 3, 3);
    expect_status(b, 10, 1025, UTET_E_PAYLOAD, (uint64_t)-1, "RLE block larger than the window");
}

/* RLE blocks of no bytes after the last byte, which waits for the end of the payload, at every position of a ring. */
static void empty_blocks_behind_the_last_byte(void **state)
{
    enum { MOST = 280 };
    static uint8_t data[MOST * 1024];
    (void)state;
    suite_check(ZSTD_decodingBufferSize_min(1024, ZSTD_CONTENTSIZE_UNKNOWN) < 140 * 1024, "the ring is larger");
    for (unsigned blocks = 240; blocks <= MOST; blocks++) /* about two rings */
        for (unsigned odd = 1; odd <= 1024; odd += 331) { /* length of the first block */
            uint8_t b[6 + 4 * (MOST + 2)] = {0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x00};
            size_t size = 0, at = 6;
            for (unsigned n = 0; n < blocks; n++, at += 4) {
                size_t length = n == 0 ? odd : 1024;
                tetgen_put(b + at, 1u << 1 | length << 3 | (uint64_t)(n % 250 + 1) << 24, 4);
                memset(data + size, (int)(n % 250 + 1), length);
                size += length;
            }
            tetgen_put(b + at, 1u << 1 | 0x77000000u, 4);
            tetgen_put(b + at + 4, 1u << 1 | 1 | 0x78000000u, 4);
            image f = wrap(b, at + 8, size);
            for (int codec = 0; codec < (int)rig_codecs(); codec++) {
                rig r;
                utet_need need;
                rig_make(&r, f.bytes, f.size, codec);
                assert_int_equal(need_of(&r, 0, &need), UTET_OK);
                way w = {(size_t)need.least, 1 + odd % 700, 0, GUARD_AFTER};
                expect_bytes(&r, &w, data, size, "empty blocks at the end");
                rig_end(&r, "empty blocks");
            }
            free(f.bytes);
        }
}

/* The last byte waits for the checksum: everything before it may be delivered, but not that byte. */
static void last_byte_waits(void **state)
{
    const size_t size = 3000;
    uint8_t *data, *out = need_memory(malloc(size));
    image f = framed(&kinds[4], size, 21, &data);
    (void)state;
    for (size_t slice = 1; slice < size; slice += slice < 5 ? 1 : 499) {
        rig r;
        size_t got;
        way w = {0, slice, 0, GUARD_AFTER};
        f.bytes[f.size - 1] ^= 1;
        rig_make(&r, f.bytes, f.size, UPSTREAM);
        assert_int_equal(decode(&r, &w, out, &got), UTET_E_CHECKSUM);
        suite_check(got < size && got >= size - slice, "%zu of %zu bytes", got, size);
        assert_memory_equal(out, data, got);
        assert_int_equal(r.file.error_offset, f.size - 4);
        w.slice = SLICE_ALL;
        assert_int_equal(decode(&r, &w, out, &got), UTET_E_CHECKSUM);
        rig_end(&r, "checksum");
        f.bytes[f.size - 1] ^= 1;
    }
    free(out);
    free(data);
    free(f.bytes);
}

/* A row that states 0 bytes: the payload must still be frames that decode to nothing. No dataset has such a tile, so
 * the row is used as it is. */
static void length_zero(void **state)
{
    static const uint8_t empty[] = {0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x58, 0x01, 0x00, 0x00};
    static const struct {
        const uint8_t *payload;
        size_t stored;
        utet_status expected;
    } rows[] = {{empty, sizeof empty, UTET_OK},
                {empty, sizeof empty - 1, UTET_E_PAYLOAD},
                {hello, sizeof hello, UTET_E_PAYLOAD},
                {empty, 0, UTET_E_PAYLOAD}};
    (void)state;
    for (size_t i = 0; i < 4; i++)
        for (unsigned mode = 0; mode < 2 * rig_codecs(); mode++) {
            unsigned blocks = mode % 2;
            image f = wrap(rows[i].payload, rows[i].stored, 0);
            rig r;
            utet_chunk chunk;
            utet_stream stream;
            utet_status status;
            uint8_t byte;
            size_t got;
            rig_make(&r, f.bytes, f.size, (int)(mode / 2));
            r.port.blocks = blocks != 0;
            r.port.slice = blocks ? 1 : SLICE_ALL;
            assert_int_equal(rig_open(&r, 1 << 16, (size_t)-1), UTET_OK);
            DRIVE_OK(utet_row_first(&r.file, &chunk));
            DRIVE(status, utet_stream_open(&stream, &r.file, &chunk));
            assert_int_equal(status, rows[i].expected);
            DRIVE(status, utet_stream_load(&stream, &r.file, &chunk, &byte, 0));
            assert_int_equal(status, rows[i].expected);
            if (rows[i].expected == UTET_OK) {
                DRIVE_OK(utet_stream_open(&stream, &r.file, &chunk));
                DRIVE(status, utet_stream_read(&stream, &byte, 1, &got));
                assert_int_equal(status, UTET_END);
            }
            rig_end(&r, "length 0");
            free(f.bytes);
        }
}

/* A frame with all header fields (18 bytes), a window of 1 KB and 2,000 bytes; blocks without output between others;
 * three bytes after a frame, which together with the byte after the payload would be an old magic number. */
static void odd_but_whole(void **state)
{
    static const uint8_t longest[] = {
        0x28, 0xB5, 0x2F, 0xFD, 0xC3, 0x00, 0,    0,    0,   0,    0xD0, 0x07, 0,
        0,    0,    0,    0,    0,    0x42, 0x1F, 0x00, 'x', 0x43, 0x1F, 0x00, 'y'}; /* twice RLE of 1,000 */
    static const uint8_t nothing[] = {
        0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x58, 0x10, 0,    0, 'A', 'B', 0x14, 0,
        0,    0,    0,    0x02, 0,    0,    'z',  0x11, 0, 0,   'C', 'D'}; /* compressed and RLE blocks, both empty */
    uint8_t data[2000], b[sizeof hello + 4], out[8];
    rig r;
    (void)state;
    memset(data, 'x', 1000);
    memset(data + 1000, 'y', 1000);
    for (unsigned mode = 0; mode < 4 * rig_codecs(); mode++) {
        way w = {0, mode & 1 ? SLICE_ALL : 100, mode >> 1 & 1, GUARD_AFTER};
        utet_need need;
        image f = wrap(longest, sizeof longest, 2000);
        rig_make(&r, f.bytes, f.size, (int)(mode / 4));
        assert_int_equal(need_of(&r, 0, &need), UTET_OK);
        expect_bytes(&r, &w, data, 2000, "18 bytes of header");
        rig_end(&r, "18 bytes of header");
        free(f.bytes);
        f = wrap(nothing, sizeof nothing, 4);
        rig_make(&r, f.bytes, f.size, (int)(mode / 4));
        w.slice = mode & 1 ? SLICE_ALL : 1;
        expect_bytes(&r, &w, (const uint8_t *)"ABCD", 4, "blocks of nothing");
        rig_end(&r, "blocks of nothing");
        free(f.bytes);
        memcpy(b, hello, sizeof hello);
        tetgen_put(b + sizeof hello, 0xFD2FB527u, 4);
        f = wrap(b, sizeof b, 5);
        tetgen_put(f.bytes + 112 + 88, sizeof hello + 3, 8);
        rig_make(&r, f.bytes, f.size, (int)(mode / 4));
        size_t got;
        w.slice = mode & 1 ? SLICE_ALL : 5;
        assert_int_equal(decode(&r, &w, out, &got), UTET_E_PAYLOAD);
        rig_end(&r, "three bytes");
        free(f.bytes);
    }
}

/* ---- damage ---- */

static void read_index_sweep(void **state)
{
    unsigned long injected = 0;
    (void)state;
    for (size_t k = 0; k < KINDS; k++) {
        uint8_t *data;
        const size_t size = 4000;
        image f = framed(&kinds[k], size, 300 + k, &data);
        uint8_t *out = need_memory(malloc(size));
        for (int mode = 0; mode < 3; mode++) {
            way w = {mode == 2 ? 0 : formula(&f, frame_window(&f), 0, 0), mode == 2 ? SLICE_ALL : 700, 0, GUARD_AFTER};
            rig r;
            size_t got;
            rig_make(&r, f.bytes, f.size, UPSTREAM);
            r.port.slice = mode == 1 ? 61 : SLICE_ALL;
            expect_bytes(&r, &w, data, size, "sweep, clean");
            uint64_t reads = r.port.reads;
            for (uint64_t at = 0; at < reads; at++)
                for (int kind = FAULT_ERROR; kind < FAULT_KINDS; kind++)
                    for (int forever = 0; forever < 2; forever++) {
                        faultport_rewind(&r.port);
                        r.port.fault = (fault_kind)kind;
                        r.port.fault_at = at;
                        r.port.fault_forever = forever;
                        utet_status status = decode(&r, &w, out, &got);
                        utet_status expected = kind == FAULT_ERROR ? FAULTPORT_ERROR
                                               : kind == FAULT_EOF ? UTET_E_SHORT
                                                                   : UTET_OK;
                        suite_check(status == expected, "%s: %s at read %llu: %s", kinds[k].name, fault_names[kind],
                                    (unsigned long long)at, rig_status(status));
                        suite_check(memcmp(out, data, got) == 0, "%s: %s: wrong bytes", kinds[k].name,
                                    fault_names[kind]);
                        if (kind >= FAULT_BLOCK_ONCE)
                            suite_check(r.port.reads == reads, "%s: %s: %llu reads, clean %llu", kinds[k].name,
                                        fault_names[kind], (unsigned long long)r.port.reads, (unsigned long long)reads);
                        rig_check(&r, "sweep");
                        injected++;
                    }
            rig_end(&r, "sweep");
        }
        free(out);
        free(data);
        free(f.bytes);
    }
    suite_figure("faults injected into zstd streams: %lu", injected);
}

/* Every length of the stored span except the right one, stated by the row; the bytes after it are still there. */
static void truncation(void **state)
{
    (void)state;
    for (size_t k = 0; k < KINDS; k++) {
        const size_t size = 1500;
        uint8_t *data, *out = need_memory(malloc(size));
        image f = framed(&kinds[k], size, 400 + k, &data);
        for (size_t stored = 0; stored < f.stored; stored++)
            for (int mapped = 0; mapped < 2; mapped++) {
                size_t got;
                way w = {0, stored % 2 ? SLICE_ALL : 64, mapped, GUARD_AFTER};
                rig r;
                tetgen_put(f.bytes + 112 + 88, stored, 8);
                rig_make(&r, f.bytes, f.size, UPSTREAM);
                utet_status status = decode(&r, &w, out, &got);
                suite_check(status == UTET_E_PAYLOAD && got < size, "%s cut to %zu of %zu: %s, %zu bytes",
                            kinds[k].name, stored, f.stored, rig_status(status), got);
                rig_end(&r, "truncation");
            }
        free(out);
        free(data);
        free(f.bytes);
    }
}

/* A damaged payload gives an error, or the bytes that libzstd gives for it. */
static unsigned long against_oracle(rig *r, image *f, uint8_t *out, uint8_t *expected, const char *what, size_t at)
{
    int good = oracle(f->bytes + PAYLOAD_AT, f->stored, expected, f->raw);
    for (int mode = 0; mode < 2; mode++) {
        size_t got;
        way w = {0, mode ? SLICE_ALL : 333, 0, at % 2 ? GUARD_AFTER : GUARD_BEFORE};
        utet_status status = decode(r, &w, out, &got);
        suite_check(status == UTET_OK || status == UTET_E_PAYLOAD || status == UTET_E_CHECKSUM ||
                        (status <= UTET_E_ZSTD_WINDOW && status >= UTET_E_ZSTD_LEGACY),
                    "%s, damage at %zu: %s", what, at, rig_status(status));
        suite_check((status == UTET_OK) == good, "%s, damage at %zu, mode %d: %s, libzstd %s", what, at, mode,
                    rig_status(status), good ? "accepts" : "refuses");
        suite_check(!good || memcmp(out, expected, f->raw) == 0, "%s, damage at %zu: other bytes", what, at);
    }
    rig_check(r, what);
    return 1;
}

static void bit_flips(void **state)
{
    unsigned long flips = 0;
    (void)state;
    for (size_t k = 0; k < KINDS; k++) {
        const size_t size = 1500;
        uint8_t *data, *out = need_memory(malloc(size + 1)), *expected = need_memory(malloc(size + 1));
        image f = framed(&kinds[k], size, 500 + k, &data);
        rig r;
        rig_make(&r, f.bytes, f.size, UPSTREAM);
        size_t step = suite_full() ? 1 : 5;
        for (size_t bit = 0; bit < 8 * f.stored; bit += bit < 400 ? 1 : step) {
            f.bytes[PAYLOAD_AT + bit / 8] ^= (uint8_t)(1u << bit % 8);
            flips += against_oracle(&r, &f, out, expected, kinds[k].name, bit);
            f.bytes[PAYLOAD_AT + bit / 8] ^= (uint8_t)(1u << bit % 8);
        }
        for (size_t at = 0; at < least(24, f.stored); at++) /* every value at every header position */
            for (unsigned value = 0; value < 256; value += suite_full() || at < 7 ? 1 : 3) {
                uint8_t was = f.bytes[PAYLOAD_AT + at];
                f.bytes[PAYLOAD_AT + at] = (uint8_t)value;
                flips += against_oracle(&r, &f, out, expected, kinds[k].name, at);
                f.bytes[PAYLOAD_AT + at] = was;
            }
        rig_end(&r, "flips");
        free(out);
        free(expected);
        free(data);
        free(f.bytes);
    }
    suite_figure("damaged frames held against libzstd: %lu", flips);
}

#endif

int main(void)
{
    const struct CMUnitTest cases[] = {
#ifdef NO_UPSTREAM
        cmocka_unit_test(no_libzstd),
#else
        cmocka_unit_test(odd_but_whole),
        cmocka_unit_test_setup(refused_by_name, measure_context),
        cmocka_unit_test_setup(dictionaries, measure_context),
        cmocka_unit_test_setup(skippable, measure_context),
        cmocka_unit_test_setup(odd_blocks, measure_context),
        cmocka_unit_test_setup(empty_blocks_behind_the_last_byte, measure_context),
        cmocka_unit_test_setup(last_byte_waits, measure_context),
        cmocka_unit_test_setup(length_zero, measure_context),
        cmocka_unit_test_setup(read_index_sweep, measure_context),
        cmocka_unit_test_setup(truncation, measure_context),
        cmocka_unit_test_setup(bit_flips, measure_context),
#endif
    };
    return SUITE("upstreamfaults", cases);
}
