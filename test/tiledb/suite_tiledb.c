/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Files of TileDB arrays under stress: every golden file in the smallest and the largest memory, through every port; a
 * fault at every read, "not yet" at any read, every length, every bit flipped. A digest records what an application
 * sees.
 */
#include "../../boards/common/tiledb_walk.h"
#include "faultport.h"
#include "guard.h"
#include "suite.h"

#include <zstd.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FILES = 400, MOST_BYTES = 1 << 17, SMALL = 700, ROOM = 1 << 18, WATCHED = 256 };

static const utet_tiledb_codec *const codecs[] = {&utet_tiledb_gzip, &utet_tiledb_zstd, NULL};
static const utet_tiledb_options options = {codecs, 1 << 17};

typedef struct subject {
    char name[256];
    int kind;
    int good;
    uint8_t *bytes;
    size_t size;
    utet_need need; /* of its tile, with unit 1 */
    uint64_t digest;
} subject;

static subject subjects[MOST_FILES];
static size_t subject_count;

static int by_name(const void *a, const void *b)
{
    return strcmp(((const subject *)a)->name, ((const subject *)b)->name);
}

static void load_folder(const char *which)
{
    const char *root = getenv("TEST_ROOT");
    char path[700];
    DIR *folder;
    struct dirent *entry;

    (void)snprintf(path, sizeof path, "%s/golden/tiledb/%s", root != NULL ? root : "test", which);
    folder = opendir(path);
    suite_check(folder != NULL, "no folder %s", path);
    while ((entry = readdir(folder)) != NULL) {
        subject *s = &subjects[subject_count];
        FILE *file;

        if (strstr(entry->d_name, ".schema") == NULL && strstr(entry->d_name, ".tile") == NULL)
            continue;
        suite_check(subject_count < MOST_FILES, "more than %d files", MOST_FILES);
        (void)snprintf(s->name, sizeof s->name, "%s", entry->d_name);
        (void)snprintf(path, sizeof path, "%s/golden/tiledb/%s/%s", root != NULL ? root : "test", which, s->name);
        file = fopen(path, "rb");
        s->bytes = malloc(MOST_BYTES);
        suite_check(file != NULL && s->bytes != NULL, "cannot read %s", path);
        s->size = fread(s->bytes, 1, MOST_BYTES, file);
        (void)fclose(file);
        s->good = strcmp(which, "good") == 0;
        s->kind = strstr(s->name, ".schema") != NULL ? TILEDB_WALK_SCHEMA
                  : strstr(s->name, "meta") != NULL  ? TILEDB_WALK_METADATA
                  : strstr(s->name, "group") != NULL ? TILEDB_WALK_GROUP
                                                     : TILEDB_WALK_ENUMERATION;
        subject_count++;
    }
    (void)closedir(folder);
}

static tiledb_walk walk;
static faultport port;

/* Iterates over the file in `room` bytes of workspace at the end of `memory`. */
static void go(const subject *s, const guard *memory, size_t room, int check)
{
    utet_file file;
    uint8_t *work = memory->data + (memory->size - (room & ~(size_t)7));
    const size_t front = memory->size - (room & ~(size_t)7);
    const size_t watched = front < WATCHED ? front : WATCHED; /* bytes before the workspace */

    faultport_zone(&port, 0, memory->data, memory->size);
    canary_fill(work - watched, watched);
    memset(&walk, 0xEE, sizeof walk);
    assert_int_equal(utet_init(&file, &port.io, work, room & ~(size_t)7, NULL), UTET_OK);
    tiledb_walk_all(&walk, &file, &options, s->kind, check);
    suite_check(port.violations == 0, "%s: %s", s->name, port.violation);
    suite_check(canary_intact(work - watched, watched), "%s: memory in front was written", s->name);
    suite_check(walk.mistakes == 0, "%s: an item is not found again", s->name);
    suite_check(walk.status <= UTET_OK, "%s: status %d", s->name, walk.status);
    suite_check(walk.status != UTET_E_STATE && walk.status != UTET_E_ARGUMENT, "%s: status %d", s->name, walk.status);
    if (walk.status < UTET_E_SHORT && walk.status > UTET_E_PORT)
        suite_check(file.error_offset <= s->size, "%s: error at %lu of %lu", s->name, (unsigned long)file.error_offset,
                    (unsigned long)s->size);
}

static void expect(const subject *s, const char *how, size_t room)
{
    suite_check(walk.status == UTET_OK, "%s: %s, %lu bytes: status %d", s->name, how, (unsigned long)room, walk.status);
    suite_check(walk.digest == s->digest, "%s: %s, %lu bytes: something else", s->name, how, (unsigned long)room);
}

static guard memory;

static void prepare(void)
{
    size_t i;

    if (subject_count != 0)
        return;
    load_folder("good");
    load_folder("bad");
    qsort(subjects, subject_count, sizeof *subjects, by_name);
    memory = guard_new(ROOM, 8, GUARD_AFTER);
    for (i = 0; i < subject_count; i++) {
        faultport_init(&port, subjects[i].bytes, subjects[i].size);
        go(&subjects[i], &memory, ROOM, 1);
        subjects[i].need = walk.tile.need;
        subjects[i].digest = walk.digest;
        if (subjects[i].good)
            suite_check(walk.status == UTET_OK, "%s: %s", subjects[i].name, utet_strerror(walk.status));
    }
}

/* Sweeps take every file, in the light tier every fifth. */
static int is_taken(const subject *s, size_t most)
{
    return s->good && s->size <= most && (!suite_light() || (size_t)(s - subjects) % 5 == 0);
}

static void every_port(void **state)
{
    static const size_t slices[] = {SLICE_ALL, 1, 2, 7, 512, SLICE_RANDOM};
    static const uint16_t units[] = {1, 64, 512};
    size_t i, k, u;
    unsigned long walks = 0;

    (void)state;
    prepare();
    for (i = 0; i < subject_count; i++) {
        const subject *s = &subjects[i];

        if (!is_taken(s, 8000))
            continue;
        for (k = 0; k < sizeof slices / sizeof *slices; k++) {
            for (u = 0; u < sizeof units / sizeof *units; u++) {
                const size_t least = (size_t)s->need.least + (units[u] > 64 ? units[u] - 64u : 0u);

                faultport_init(&port, s->bytes, s->size);
                port.slice = slices[k];
                port.io.unit = units[u];
                port.blocks = (unsigned)(k % 2);
                go(s, &memory, least, (int)(k % 2));
                expect(s, "least memory", least);
                faultport_rewind(&port);
                go(s, &memory, least + 1000, (int)(u % 2));
                expect(s, "some memory", least + 1000);
                walks += 2;
            }
        }
        faultport_init(&port, s->bytes, s->size);
        faultport_map(&port);
        go(s, &memory, (size_t)s->need.least - 192, 1);
        expect(s, "mapped", (size_t)s->need.least - 192);
    }
    suite_figure("%lu walks through files of TileDB arrays", walks);
}

static void every_budget(void **state)
{
    size_t i, room;

    (void)state;
    prepare();
    for (i = 0; i < subject_count; i++) {
        const subject *s = &subjects[i];

        if (!is_taken(s, 8000) || i % 7 != 0)
            continue;
        faultport_init(&port, s->bytes, s->size);
        for (room = 0; room <= s->need.least + 16; room += 8) {
            go(s, &memory, room, 1);
            suite_check(walk.status == UTET_OK || (walk.status == UTET_E_BUDGET && room < s->need.least),
                        "%s: %lu bytes, %lu are enough: status %d", s->name, (unsigned long)room,
                        (unsigned long)s->need.least, walk.status);
            if (walk.status == UTET_OK)
                expect(s, "budget", room);
        }
        for (; room < s->need.best + 64; room += 120) {
            go(s, &memory, room, 1);
            expect(s, "more than the least", room);
        }
    }
}

static void fault_everywhere(void **state)
{
    size_t i;
    int kind;
    unsigned long faults = 0;

    (void)state;
    prepare();
    for (i = 0; i < subject_count; i++) {
        const subject *s = &subjects[i];

        if (!is_taken(s, SMALL))
            continue;
        for (kind = FAULT_ERROR; kind < FAULT_KINDS; kind++) {
            uint64_t at, reads = 1;

            for (at = 0; at < reads; at += suite_light() ? 5 : 1) {
                faultport_init(&port, s->bytes, s->size);
                port.slice = 61;
                port.fault = (fault_kind)kind;
                port.fault_at = at;
                go(s, &memory, (size_t)s->need.least, (int)(at % 2));
                reads = port.reads;
                faults += port.faults != 0;
                if (walk.status != UTET_OK || kind >= FAULT_BLOCK_ONCE || kind == FAULT_SHORT)
                    suite_check(walk.status == (kind == FAULT_ERROR ? FAULTPORT_ERROR
                                                : kind == FAULT_EOF ? UTET_E_SHORT
                                                                    : UTET_OK),
                                "%s: %s at read %lu: status %d", s->name, fault_names[kind], (unsigned long)at,
                                walk.status);
                if (walk.status == UTET_OK)
                    expect(s, fault_names[kind], (size_t)s->need.least);
            }
        }
    }
    suite_figure("%lu faults while files of TileDB arrays were read", faults);
}

/* A suspended call is cancelled, and everything starts again with the same objects. */
static void cancel_anywhere(void **state)
{
    size_t i;

    (void)state;
    prepare();
    for (i = 0; i < subject_count; i += 3) {
        const subject *s = &subjects[i];
        uint64_t at, reads = 1;

        if (!is_taken(s, SMALL) || s->kind != TILEDB_WALK_SCHEMA)
            continue;
        for (at = 0; at < reads; at++) {
            uint8_t *work = memory.data + (memory.size - ((size_t)s->need.least & ~(size_t)7));
            utet_file file;
            utet_status status;

            faultport_init(&port, s->bytes, s->size);
            faultport_zone(&port, 0, memory.data, memory.size);
            port.slice = 61;
            port.fault = FAULT_BLOCK_ONCE;
            port.fault_at = at;
            assert_int_equal(utet_init(&file, &port.io, work, (size_t)s->need.least & ~(size_t)7, NULL), UTET_OK);
            status = utet_tiledb_open(&walk.tile, &file, &options);
            if (status == UTET_OK)
                status = utet_tiledb_schema_open(&walk.of.schema, &walk.tile);
            if (status == UTET_OK)
                status = utet_tiledb_schema_check(&walk.of.schema);
            reads = port.reads + (status == UTET_WOULD_BLOCK);
            if (status == UTET_WOULD_BLOCK) {
                utet_tiledb other;

                assert_int_equal(utet_tiledb_open(&other, &file, &options), UTET_E_STATE);
                assert_int_equal(utet_cancel(&file), UTET_OK);
                port.pending = 0;
            }
            tiledb_walk_all(&walk, &file, &options, s->kind, 1);
            expect(s, "cancelled before", (size_t)s->need.least);
        }
    }
}

static void every_length(void **state)
{
    size_t i, size;
    unsigned long lengths = 0;

    (void)state;
    prepare();
    for (i = 0; i < subject_count; i++) {
        const subject *s = &subjects[i];
        guard exact;

        if (!is_taken(s, 4000))
            continue;
        for (size = 0; size < s->size; size++, lengths++) {
            exact = guard_new(size, 1, GUARD_AFTER);
            memcpy(exact.data, s->bytes, size);
            faultport_init(&port, exact.data, size);
            if (size % 2 == 0)
                faultport_map(&port);
            go(s, &memory, size % 3 == 0 ? ROOM : (size_t)s->need.least, 1);
            suite_check(walk.status < 0, "%s: %lu bytes of it are accepted", s->name, (unsigned long)size);
            guard_free(&exact);
        }
    }
    suite_figure("%lu lengths of files of TileDB arrays", lengths);
}

static void every_bit(void **state)
{
    size_t i, bit;
    unsigned long flips = 0, accepted = 0;

    (void)state;
    prepare();
    for (i = 0; i < subject_count; i++) {
        const subject *s = &subjects[i];

        if (!is_taken(s, suite_full() ? MOST_BYTES : SMALL) || (!suite_full() && i % 3 != 0))
            continue;
        for (bit = 0; bit < s->size * 8; bit += suite_light() ? 3 : 1, flips++) {
            s->bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
            faultport_init(&port, s->bytes, s->size);
            go(s, &memory, bit % 2 == 0 ? ROOM : (size_t)s->need.least, (int)(bit / 2 % 2));
            accepted += walk.status == UTET_OK;
            s->bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        }
    }
    suite_figure("%lu bits of files of TileDB arrays flipped, %lu of them change nothing that is checked", flips,
                 accepted);
}

/* Reads the raw tile of a valid file; returns its size. */
static size_t raw_tile(const subject *s, uint8_t *raw, size_t room)
{
    utet_tiledb_text all = {0, 0};
    utet_file file;
    size_t got = 0;

    faultport_init(&port, s->bytes, s->size);
    faultport_zone(&port, 0, memory.data, memory.size);
    assert_int_equal(utet_init(&file, &port.io, memory.data, ROOM, NULL), UTET_OK);
    assert_int_equal(utet_tiledb_open(&walk.tile, &file, &options), UTET_OK);
    all.size = walk.tile.size;
    if (all.size != 0)
        assert_int_equal(utet_tiledb_read(&walk.tile, &all, raw, room, &got), UTET_OK);
    return got;
}

/* A checksum protects compressed data: the same flips in the raw tile, which is stored as it is. */
static void every_bit_of_the_raw_tile(void **state)
{
    static uint8_t raw[MOST_BYTES];
    size_t i, bit;
    unsigned long flips = 0, accepted = 0;

    (void)state;
    prepare();
    for (i = 0; i < subject_count; i++) {
        const subject *s = &subjects[i];
        subject plain = *s;
        size_t got;

        if (!is_taken(s, SMALL) || (!suite_full() && i % 4 != 0))
            continue;
        got = raw_tile(s, raw + 62, sizeof raw - 62);
        if (got == 0)
            continue;
        /* Header, no filter, one chunk. */
        memset(raw, 0, 62);
        memcpy(raw, s->bytes, 30);
        memset(raw + 4, 0, 8);
        raw[4] = (uint8_t)(got + 20);
        raw[5] = (uint8_t)((got + 20) >> 8);
        raw[30] = 8;
        memset(raw + 34, 0, 28);
        raw[42] = 1;
        raw[50] = raw[54] = (uint8_t)got;
        raw[51] = raw[55] = (uint8_t)(got >> 8);
        plain.bytes = raw;
        plain.size = got + 62;
        faultport_init(&port, raw, plain.size);
        go(&plain, &memory, ROOM, 1);
        expect(s, "stored as it is", ROOM);
        for (bit = 0; bit < got * 8; bit += suite_light() ? 3 : 1, flips++) {
            raw[62 + bit / 8] ^= (uint8_t)(1u << bit % 8);
            faultport_init(&port, raw, plain.size);
            go(&plain, &memory, bit % 2 == 0 ? ROOM : 192 + 128, (int)(bit / 2 % 2));
            accepted += walk.status == UTET_OK;
            if (walk.status == UTET_OK)
                suite_check(walk.digest != s->digest, "%s: bit %lu is not seen", s->name, (unsigned long)bit);
            raw[62 + bit / 8] ^= (uint8_t)(1u << bit % 8);
        }
    }
    suite_figure("%lu bits of raw tiles flipped, %lu give another file", flips, accepted);
}

static uint8_t *put(uint8_t *to, uint64_t number, unsigned bytes)
{
    for (; bytes > 0; bytes--, number >>= 8)
        *to++ = (uint8_t)number;
    return to;
}

/* The same raw tiles, compressed by zstd in chunks of `cut` bytes. */
static void zstd_tiles(void **state)
{
    static uint8_t raw[MOST_BYTES], file_bytes[2 * MOST_BYTES];
    static const size_t cuts[] = {MOST_BYTES, 1000, 33};
    size_t i, k;

    (void)state;
    prepare();
    for (i = 0; i < subject_count; i++) {
        const subject *s = &subjects[i];
        subject plain = *s;
        size_t got;

        if (!is_taken(s, 8000) || i % 2 != 0)
            continue;
        got = raw_tile(s, raw, sizeof raw);
        if (got == 0)
            continue;
        for (k = 0; k < sizeof cuts / sizeof *cuts; k++) {
            const size_t chunks = (got + cuts[k] - 1) / cuts[k];
            uint8_t *at = file_bytes + 52;
            size_t from, room;

            memcpy(file_bytes, s->bytes, 30);
            (void)put(put(put(file_bytes + 30, 18, 4), 65536, 4), 1, 4);
            (void)put(put(put(put(file_bytes + 42, 2, 1), 5, 4), 2, 1), 3, 4);
            at = put(at, chunks, 8);
            for (from = 0; from < got; from += cuts[k]) {
                const size_t size = got - from < cuts[k] ? got - from : cuts[k];
                const size_t made = ZSTD_compress(at + 28, 4000 + size * 2, raw + from, size, 3);

                suite_check(!ZSTD_isError(made), "%s: zstd", s->name);
                at = put(at, size, 4);
                at = put(at, made, 4);
                at = put(at, 16, 4);
                at = put(at, 0, 4);
                at = put(at, 1, 4);
                at = put(at, size, 4);
                at = put(at, made, 4) + made;
            }
            plain.bytes = file_bytes;
            plain.size = (size_t)(at - file_bytes);
            (void)put(file_bytes + 4, plain.size - 52, 8);
            faultport_init(&port, file_bytes, plain.size);
            go(&plain, &memory, ROOM, 1);
            expect(s, "zstd", ROOM);
            room = (size_t)walk.tile.need.least;
            faultport_rewind(&port);
            port.slice = i % 4 == 0 ? 1 : 7;
            port.blocks = k != 0;
            go(&plain, &memory, room, (int)(i % 4 / 2));
            expect(s, "zstd, least memory", room);
            faultport_rewind(&port);
            faultport_map(&port);
            go(&plain, &memory, room - 192, 1);
            expect(s, "zstd, mapped", room - 192);
        }
    }
}

/* The same status with any memory, for files that are refused. */
static void bad_files(void **state)
{
    size_t i;

    (void)state;
    prepare();
    for (i = 0; i < subject_count; i++) {
        const subject *s = &subjects[i];
        utet_status whole;

        if (s->good)
            continue;
        faultport_init(&port, s->bytes, s->size);
        go(s, &memory, ROOM, 1);
        whole = walk.status;
        faultport_rewind(&port);
        port.slice = 3;
        port.blocks = 1;
        go(s, &memory, walk.tile.need.least != 0 ? (size_t)walk.tile.need.least : 192u, 1);
        suite_check((walk.status < 0) == (whole < 0), "%s: %d in all of the memory, %d in the least", s->name, whole,
                    walk.status);
    }
}

int main(void)
{
    const struct CMUnitTest cases[] = {
        cmocka_unit_test(every_port),
        cmocka_unit_test(every_budget),
        cmocka_unit_test(fault_everywhere),
        cmocka_unit_test(cancel_anywhere),
        cmocka_unit_test(every_length),
        cmocka_unit_test(every_bit),
        cmocka_unit_test(every_bit_of_the_raw_tile),
        cmocka_unit_test(bad_files),
        cmocka_unit_test(zstd_tiles),
    };

    return SUITE("tiledb", cases);
}
