/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Data of tensors that are damaged, or read from media that fail. The result is an error, or what a second decoder
 * makes of the same bytes; nothing outside of the memory is touched, every call ends, and the file is as good as
 * before.
 */
#include "tensor_world.h"

#include "hash.h"

#include <lz4.h>
#include <string.h>

static uint8_t buffer[1u << 19];

/* Opens and reads to the end; returns the digest of what has arrived. */
static utet_status read_all(tensor_world *w, char hex[65])
{
    utet_tensor t;
    struct sha256 sum;
    utet_status status;
    uint64_t total = 0;

    sha256_init(&sum);
    DRIVE(status, utet_tensor_open(&t, &w->rig.file, &w->object));
    while (status == UTET_OK) {
        size_t got;

        DRIVE(status, utet_tensor_read(&t, buffer, 500, &got));
        suite_check(got <= 500 && (status != UTET_END || got == 0), "%s: %lu bytes", w->name, (unsigned long)got);
        sha256_add(&sum, buffer, got);
        total += got;
    }
    suite_check(status != UTET_END || total == w->object.decoded_length, "%s: %lu bytes and the end", w->name,
                (unsigned long)total);
    hash_end(&sum, hex);
    return status;
}

/* Opens and moves to the end. */
static utet_status pass_all(tensor_world *w)
{
    utet_tensor t;
    utet_status status;

    DRIVE(status, utet_tensor_open(&t, &w->rig.file, &w->object));
    if (status == UTET_OK)
        DRIVE(status, utet_tensor_skip(&t, UINT64_MAX));
    suite_check(status != UTET_OK || t.position == t.length, "%s: passed %lu bytes", w->name,
                (unsigned long)t.position);
    return status;
}

/* An error that the headers list, with an offset within the file. */
static void check_error(const tensor_world *w, utet_status status)
{
    suite_check(UTET_IS_ERROR(status), "%s: %s instead of an error", w->name, rig_status(status));
    suite_check(status == UTET_E_PAYLOAD || status == UTET_E_CHECKSUM || status == UTET_E_BUDGET ||
                    (status <= UTET_E_ZSTD_WINDOW && status >= UTET_E_ZSTD_LEGACY),
                "%s: %s", w->name, rig_status(status));
    suite_check(status == UTET_E_BUDGET || w->rig.file.error_offset <= w->size, "%s: error at %lu", w->name,
                (unsigned long)w->rig.file.error_offset);
}

static int usable(const tensor_world *w)
{
    unsigned i;

    for (i = 0; i < UTET_MASKS; i++)
        if (w->object.mask[i].method >= UTET_COMPRESSION_BLOSC2)
            return 0;
    return w->object.compression < UTET_COMPRESSION_BLOSC2;
}

/* A payload or mask that ends early is an error: it never passes for shorter or other data. */
static void truncated(void **state)
{
    tensor_world w;
    unsigned cuts = 0, part;

    (void)state;
    for (world_first(&w); w.bytes != NULL; world_next(&w))
        for (part = 0; usable(&w) && part < 1 + UTET_MASKS; part++) {
            uint64_t *length = part == 0 ? &w.object.payload_length : &w.object.mask[part - 1].length;
            const uint64_t full = *length, step = full > 2000 && !suite_full() ? full / 300 : 1;
            uint64_t cut;

            for (cut = 0; cut < full && (part == 0 || w.object.mask[part - 1].method != 0); cut += step) {
                char hex[65];
                utet_status status;

                *length = cut;
                world_open(&w, 1, 1u << 20, SLICE_ALL, 0, 1, (int)(cut & 1));
                status = read_all(&w, hex);
                check_error(&w, status);
                status = pass_all(&w);
                check_error(&w, status);
                world_close(&w);
                cuts++;
            }
            *length = full;
        }
    suite_figure("%u cuts, all refused", cuts);
}

/* One bit of the payload or the masks is flipped: any result but a crash; for LZ4, the result of liblz4. */
static void flipped(void **state)
{
    static uint8_t copy[1u << 20], whole[1u << 19];
    tensor_world w;
    unsigned flips = 0, refused = 0, judged = 0;

    (void)state;
    for (world_first(&w); w.bytes != NULL; world_next(&w)) {
        const uint8_t *bytes = w.bytes;
        uint64_t begin = w.object.payload_offset, end = begin + w.object.payload_length, bit, step;
        unsigned i;

        for (i = 0; i < UTET_MASKS; i++)
            if (w.object.mask[i].method != 0 && w.object.mask[i].offset + w.object.mask[i].length > end)
                end = w.object.mask[i].offset + w.object.mask[i].length;
        if (!usable(&w) || (w.object.compression == UTET_COMPRESSION_NONE && w.object.masks == 0))
            continue;
        step = (end - begin) * 8 > 4000 ? (end - begin) * 8 / (suite_full() ? 3000 : 900) : 1;
        memcpy(copy, bytes, w.size);
        w.bytes = copy;
        for (bit = begin * 8; bit < end * 8; bit += step) {
            utet_tensor t;
            utet_status status;
            size_t got = 0, length = (size_t)w.object.stored_length;

            copy[bit / 8] ^= (uint8_t)(1u << bit % 8);
            world_open(&w, 1, 1u << 20, SLICE_ALL, 0, 1, (int)(bit & 1));
            faultport_zone(&w.rig.port, 1, buffer, sizeof buffer);
            DRIVE(status, utet_tensor_open(&t, &w.rig.file, &w.object));
            if (status == UTET_OK)
                DRIVE(status, utet_tensor_read(&t, buffer, sizeof buffer, &got));
            if (status != UTET_OK && status != UTET_END) {
                check_error(&w, status);
                refused++;
            }
            if (w.object.decoded_length <= sizeof buffer) {
                const utet_status passed = pass_all(&w);

                suite_check(UTET_IS_ERROR(passed) == UTET_IS_ERROR(status), "%s, bit %lu: read %s, passed %s", w.name,
                            (unsigned long)bit, rig_status(status), rig_status(passed));
            }
            if (w.object.compression == UTET_COMPRESSION_LZ4 && w.object.filter == UTET_FILTER_NONE &&
                w.object.encoding == UTET_ENCODING_NONE && w.object.masks == 0 && length < sizeof whole) {
                const char *from = (const char *)copy + w.object.payload_offset;
                int made = LZ4_decompress_safe(from + 4, (char *)whole, (int)w.object.payload_length - 4, (int)length);

                if (status == UTET_OK)
                    suite_check(made == (int)length && memcmp(whole, buffer, length) == 0,
                                "%s: other bytes than liblz4's", w.name);
                judged++;
            }
            world_close(&w);
            copy[bit / 8] ^= (uint8_t)(1u << bit % 8);
            flips++;
        }
        w.bytes = bytes;
    }
    suite_figure("%u bits flipped, %u refused; %u judged by liblz4", flips, refused, judged);
}

/* A fault at each read; afterwards the same file reads the tensor as if nothing had happened. */
static void faults(void **state)
{
    static const fault_kind kinds[] = {FAULT_ERROR, FAULT_EOF, FAULT_SHORT, FAULT_BLOCK_ONCE, FAULT_BLOCK_THRICE};
    tensor_world w;
    unsigned met = 0, kind;

    (void)state;
    for (world_first(&w); w.bytes != NULL; world_next(&w))
        for (kind = 0; kind < 5 && usable(&w); kind++) {
            uint64_t at, step = 1;

            for (at = 0;; at += step) {
                char hex[65];
                utet_status status;

                world_open(&w, 1, 1u << 20, SLICE_ALL, 0, 64, 0);
                faultport_zone(&w.rig.port, 1, buffer, sizeof buffer);
                w.rig.port.fault = kinds[kind];
                w.rig.port.fault_at = at;
                status = read_all(&w, hex);
                if (w.rig.port.faults == 0) {
                    world_close(&w);
                    break;
                }
                met++;
                if (w.rig.port.reads > 60 && !suite_full())
                    step = w.rig.port.reads / 20;
                if (kinds[kind] == FAULT_ERROR)
                    suite_check(status == FAULTPORT_ERROR, "%s: %s", w.name, rig_status(status));
                else if (kinds[kind] == FAULT_EOF)
                    suite_check(status == UTET_E_SHORT, "%s: %s", w.name, rig_status(status));
                else
                    suite_check(status == UTET_END && strcmp(hex, w.sha) == 0, "%s: %s", w.name, rig_status(status));
                w.rig.port.fault = FAULT_NONE;
                status = read_all(&w, hex);
                suite_check(status == UTET_END && strcmp(hex, w.sha) == 0, "%s: %s after a fault", w.name,
                            rig_status(status));
                world_close(&w);
            }
        }
    suite_figure("%u faults", met);
}

/* A suspended call is cancelled at any point: the tensor becomes invalid, the file does not. */
static void cancelled(void **state)
{
    tensor_world w;
    unsigned given_up = 0;

    (void)state;
    for (world_first(&w); w.bytes != NULL; world_next(&w)) {
        unsigned patience;

        for (patience = 0; usable(&w) && patience < (suite_full() ? 60u : 12u); patience++) {
            unsigned left = patience;
            utet_tensor t;
            utet_status status;
            size_t got;
            char hex[65];

            world_open(&w, 1, 1u << 20, SLICE_ALL, 1, 64, 0);
            faultport_zone(&w.rig.port, 1, buffer, sizeof buffer);
            do
                status = utet_tensor_open(&t, &w.rig.file, &w.object);
            while (status == UTET_WOULD_BLOCK && left-- > 0);
            while (status == UTET_OK)
                do
                    status = utet_tensor_read(&t, buffer, 300, &got);
                while (status == UTET_WOULD_BLOCK && left-- > 0);
            if (status == UTET_WOULD_BLOCK) {
                assert_int_equal(utet_tensor_skip(&t, 1), UTET_E_STATE);
                assert_int_equal(utet_cancel(&w.rig.file), UTET_OK);
                assert_int_equal(utet_tensor_read(&t, buffer, 1, &got), UTET_E_STATE);
                given_up++;
            }
            status = read_all(&w, hex);
            suite_check(status == UTET_END && strcmp(hex, w.sha) == 0, "%s: %s afterwards", w.name, rig_status(status));
            world_close(&w);
        }
    }
    suite_figure("%u calls given up", given_up);
}

/* A medium that never answers in the same way twice. */
static const uint8_t *truth;
static void lie(void *medium, uint64_t offset, uint8_t *to, size_t len)
{
    (void)medium;
    memcpy(to, truth + offset, len);
    if (world_draw(3) == 0)
        to[world_draw((uint32_t)len)] ^= (uint8_t)(1u << world_draw(8));
}

static void lies(void **state)
{
    tensor_world w;
    unsigned runs = 0, i;

    (void)state;
    for (world_first(&w); w.bytes != NULL; world_next(&w))
        for (i = 0; usable(&w) && i < (suite_full() ? 80u : 20u); i++) {
            char hex[65];

            world_open(&w, 1, 1u << 20, SLICE_RANDOM, i & 1, 64, 0);
            faultport_zone(&w.rig.port, 1, buffer, sizeof buffer);
            truth = w.bytes;
            w.rig.port.bytes = NULL;
            w.rig.port.fetch = lie;
            (void)read_all(&w, hex);
            world_close(&w);
            runs++;
        }
    suite_figure("%u tensors from a medium that lies", runs);
}

/* LZ4 blocks of liblz4, of every kind, in slices. */
static void lz4_blocks(void **state)
{
    static uint8_t raw[200000], file[220000];
    unsigned run, runs = suite_full() ? 600 : 150;

    (void)state;
    for (run = 0; run < runs; run++) {
        uint32_t size = 1 + world_draw(run % 7 == 0 ? (uint32_t)sizeof raw - 1 : 3000), i,
                 alphabet = 1 + world_draw(run % 3 ? 4 : 255);
        tensor_world w;
        utet_tensor t;
        size_t at = 0;
        int packed;

        for (i = 0; i < size; i++)
            raw[i] = world_draw(40) == 0 || i < 9 ? (uint8_t)world_draw(alphabet) : raw[i - 1 - world_draw(8)];
        packed = LZ4_compress_fast((const char *)raw, (char *)file + 4, (int)size, (int)sizeof file - 4,
                                   1 + (int)world_draw(3));
        suite_check(packed > 0, "liblz4 does not compress");
        for (i = 0; i < 4; i++)
            file[i] = (uint8_t)(size >> 8 * i);
        memset(&w, 0, sizeof w);
        w.bytes = file;
        w.size = (size_t)packed + 4;
        w.name = "made";
        w.object.dtype = UTET_TENSOR_UINT8;
        w.object.width = 1;
        w.object.encoding = UTET_ENCODING_NONE;
        w.object.filter = UTET_FILTER_NONE;
        w.object.compression = UTET_COMPRESSION_LZ4;
        w.object.elements = w.object.decoded_length = w.object.stored_length = size;
        w.object.payload_length = w.size;
        world_open(&w, 1, 1u << 17, SLICE_RANDOM, run & 1, 1, 0);
        faultport_zone(&w.rig.port, 1, buffer, sizeof buffer);
        DRIVE_OK(utet_tensor_open(&t, &w.rig.file, &w.object));
        while (at < size) {
            size_t got, some = 1 + world_draw(run % 2 ? 10 : 5000);

            DRIVE_OK(utet_tensor_read(&t, buffer, some, &got));
            suite_check(memcmp(buffer, raw + at, got) == 0, "other bytes at %lu of %u", (unsigned long)at, size);
            at += got;
        }
        world_close(&w);
    }
    suite_figure("%u LZ4 blocks", runs);
}

/* Sequences for a block of about `size` bytes: offsets near and far, some of which are wrong if `wrong`; lengths of all
 * kinds. Sets *zero if an offset is 0, which liblz4 accepts. Returns the length of the block. */
static size_t make_sequences(uint8_t *to, uint32_t size, int wrong, uint32_t *made, int *zero)
{
    uint8_t *at = to;

    *zero = 0;
    for (*made = 0; *made < size;) {
        uint32_t literals = world_draw(4) ? world_draw(20) : world_draw(400);
        uint32_t match = world_draw(4) ? world_draw(24) : world_draw(600), rest, offset, most;
        uint8_t *token = at++;

        if (*made + literals == 0)
            literals = 1;
        most = *made + literals < 65535 ? *made + literals : 65535;
        offset = 1 + world_draw(most < 12 || world_draw(2) ? most : 12);
        if (world_draw(3) == 0)
            offset = most - world_draw(most < 12 ? most : 12);
        if (wrong && most < 65535 && world_draw(200) == 0)
            offset = world_draw(2) ? most + 1 : 0;
        *zero |= offset == 0;
        *token = (uint8_t)((literals < 15 ? literals : 15) << 4 | (match < 15 ? match : 15));
        for (rest = literals; rest >= 15 + 255; rest -= 255)
            *at++ = 255;
        if (literals >= 15)
            *at++ = (uint8_t)(rest - 15);
        for (rest = 0; rest < literals; rest++)
            *at++ = (uint8_t)world_draw(256);
        *at++ = (uint8_t)offset;
        *at++ = (uint8_t)(offset >> 8);
        for (rest = match; rest >= 15 + 255; rest -= 255)
            *at++ = 255;
        if (match >= 15)
            *at++ = (uint8_t)(rest - 15);
        *made += literals + match + 4;
    }
    *at++ = 12 << 4; /* as all compressors end */
    memset(at, 'e', 12);
    *made += 12;
    return (size_t)(at + 12 - to);
}

/* Any sequences give the bytes of liblz4 or an error, and an error wherever liblz4 has one: in slices, and with the
 * complete output in memory (a filter over elements of one byte). */
static void lz4_sequences(void **state)
{
    static uint8_t file[400000], whole[150000];
    unsigned run, runs = suite_full() ? 400 : 60, refused = 0;

    (void)state;
    for (run = 0; run < runs; run++) {
        uint32_t size, i;
        size_t length, at = 0;
        int zero, expected;
        utet_status status;
        tensor_world w;
        utet_tensor t;

        length = make_sequences(file + 4, run % 4 ? 140000 : 1 + world_draw(200), run % 3 == 0, &size, &zero);
        expected = zero ? -1
                        : LZ4_decompress_safe((const char *)file + 4, (char *)whole, (int)length, (int)sizeof whole);
        for (i = 0; i < 4; i++)
            file[i] = (uint8_t)(size >> 8 * i);
        memset(&w, 0, sizeof w);
        w.bytes = file;
        w.size = length + 4;
        w.name = "sequences";
        w.object.dtype = UTET_TENSOR_UINT8;
        w.object.width = 1;
        w.object.encoding = UTET_ENCODING_NONE;
        w.object.filter = run & 1 ? UTET_FILTER_SHUFFLE : UTET_FILTER_NONE;
        w.object.shuffle_size = 1;
        w.object.compression = UTET_COMPRESSION_LZ4;
        w.object.elements = w.object.decoded_length = w.object.stored_length = size;
        w.object.payload_length = w.size;
        world_open(&w, 1, 1u << 19, SLICE_RANDOM, 0, 1, (int)(run >> 1 & 1));
        faultport_zone(&w.rig.port, 1, buffer, sizeof buffer);
        DRIVE(status, utet_tensor_open(&t, &w.rig.file, &w.object));
        while (status == UTET_OK && at < size) {
            size_t got = 0;

            DRIVE(status, utet_tensor_read(&t, buffer, 1 + world_draw(5000), &got));
            suite_check(expected < 0 || memcmp(buffer, whole + at, got) == 0, "other bytes at %lu of %u",
                        (unsigned long)at, size);
            at += got;
        }
        suite_check((status == UTET_OK) == (expected == (int)size), "run %u: %s, liblz4 %d of %u", run,
                    rig_status(status), expected, size);
        refused += status != UTET_OK;
        world_close(&w);
    }
    suite_figure("%u blocks of any sequences, %u refused", runs, refused);
}

int main(void)
{
    static const struct CMUnitTest cases[] = {cmocka_unit_test(truncated),    cmocka_unit_test(flipped),
                                              cmocka_unit_test(faults),       cmocka_unit_test(cancelled),
                                              cmocka_unit_test(lies),         cmocka_unit_test(lz4_blocks),
                                              cmocka_unit_test(lz4_sequences)};

    return SUITE("tensordamage", cases);
}
