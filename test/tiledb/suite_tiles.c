/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The chunks of a generic tile: incorrect tables, compressed data that need more memory than there is, decompressors
 * that return something else than they should. Each tile is the metadata of an array with one entry, whose value is
 * `value`.
 */
#include "faultport.h"
#include "suite.h"
#include "tilegen.h"
#include "utet_tiledb.h"

#include <zstd.h>

#include <string.h>

enum { PIPELINE = 34, AREA = TILEGEN_CHUNKS }; /* offsets in a file */
enum { ENTRY = 11, WINDOW = 192 };             /* bytes of an entry before its value; size of a window */

static uint8_t big[1 << 20];
static const utet_tiledb_codec *const both[] = {&utet_tiledb_gzip, &utet_tiledb_zstd, NULL};
static const utet_tiledb_options both_options = {both, 0};

static faultport port;
static utet_file file;
static utet_tiledb tile;
static uint64_t work[8192];

/* ---- tiles with a filter ---- */

static uint8_t raw[8192];
static size_t raw_size;

/* The raw tile: the key "k" with that many bytes. */
static void make_raw(size_t value)
{
    uint32_t random = 12345;
    size_t i;

    made.size = 0;
    tilegen_text("k", 4);
    tilegen_add(0, 1);
    tilegen_add(6, 1);
    tilegen_add(value, 4);
    assert_int_equal(made.size, ENTRY);
    memcpy(raw, made.bytes, ENTRY);
    for (i = 0; i < value; i++) {
        random = random * 1664525u + 1013904223u;
        raw[ENTRY + i] = (uint8_t)(random >> 29);
    }
    raw_size = ENTRY + value;
}

static void tile_end(void)
{
    const size_t all = made.size;

    made.size = 4;
    tilegen_add(all - AREA, 8);
    made.size = all;
}

static void add_bytes(const uint8_t *from, size_t size)
{
    memcpy(made.bytes + made.size, from, size);
    made.size += size;
}

/* A chunk in one part, followed by its data. */
static void chunk(size_t original, size_t filtered)
{
    tilegen_add(original, 4);
    tilegen_add(filtered, 4);
    tilegen_add(16, 4);
    tilegen_add(0, 4);
    tilegen_add(1, 4);
    tilegen_add(original, 4);
    tilegen_add(filtered, 4);
}

static void add_adler(const uint8_t *from, size_t size)
{
    uint32_t a = 1, b = 0;
    size_t i;

    for (i = 0; i < size; i++) {
        a = (a + from[i]) % 65521;
        b = (b + a) % 65521;
    }
    tilegen_add(b >> 8, 1);
    tilegen_add(b & 255, 1);
    tilegen_add(a >> 8, 1);
    tilegen_add(a & 255, 1);
}

enum { STORED = 11 }; /* bytes of a zlib stream of one stored block, in addition to its data */

static void add_stored(const uint8_t *from, size_t size)
{
    tilegen_add(0x0178, 2);
    tilegen_add(1, 1);
    tilegen_add(size, 2);
    tilegen_add(~size & 0xFFFF, 2);
    add_bytes(from, size);
    add_adler(from, size);
}

static utet_status open_in(size_t room, const utet_tiledb_options *options)
{
    faultport_init(&port, made.bytes, made.size);
    assert_int_equal(utet_init(&file, &port.io, work, room, NULL), UTET_OK);
    return utet_tiledb_open(&tile, &file, options);
}

/* Returns the status of reading the complete tile and its end; UTET_END: everything is as it was made. */
static utet_status read_open(void)
{
    utet_tiledb_entry entry;
    uint8_t piece[100];
    size_t got, done = 0;
    utet_status status = utet_tiledb_entry_first(&tile, &entry);

    if (status != UTET_OK)
        return status;
    suite_check(entry.value.size == raw_size - ENTRY, "another size");
    while ((status = utet_tiledb_read(&tile, &entry.value, piece, sizeof piece, &got)) == UTET_OK) {
        suite_check(memcmp(piece, raw + ENTRY + done, got) == 0, "another value");
        done += got;
    }
    if (status != UTET_END)
        return status;
    return utet_tiledb_entry_next(&tile, &entry);
}

static utet_status read_in(size_t room, const utet_tiledb_options *options)
{
    utet_status status = open_in(room, options);

    return status == UTET_OK ? read_open() : status;
}

/* ---- cases ---- */

static void tables_that_lie(void **state)
{
    static const struct {
        const char *what;
        uint32_t table, zero, parts, size, length, filtered;
        utet_status status;
    } rows[] = {
        {"as it should be", 16, 0, 1, 31, 31 + STORED, 31 + STORED, UTET_END},
        {"no room for the table's head", 4, 0, 0, 31, 31 + STORED, 31 + STORED, UTET_E_ROW},
        {"half an entry more", 20, 0, 1, 31, 31 + STORED, 31 + STORED, UTET_E_ROW},
        {"a number that is not 0", 16, 1, 1, 31, 31 + STORED, 31 + STORED, UTET_E_ROW},
        {"more parts than entries", 16, 0, 2, 31, 31 + STORED, 31 + STORED, UTET_E_ROW},
        {"no part", 8, 0, 0, 31, 31 + STORED, 31 + STORED, UTET_E_ROW},
        {"a part larger than its chunk", 16, 0, 1, 32, 31 + STORED, 31 + STORED, UTET_E_ROW},
        {"a part longer than its chunk", 16, 0, 1, 31, 32 + STORED, 31 + STORED, UTET_E_ROW},
        {"a part smaller than its data", 16, 0, 1, 30, 31 + STORED, 31 + STORED, UTET_E_PAYLOAD},
        {"a part shorter than its data", 16, 0, 1, 31, 30 + STORED, 30 + STORED, UTET_E_PAYLOAD},
        {"data behind the part", 16, 0, 1, 31, 31 + STORED, 32 + STORED, UTET_E_ROW},
        {"more data than the file", 16, 0, 1, 31, 31 + STORED, 90 + STORED, UTET_E_ROW},
    };
    size_t i;

    (void)state;
    make_raw(20);
    for (i = 0; i < sizeof rows / sizeof *rows; i++) {
        const size_t table[] = {0, rows[i].zero, rows[i].parts, rows[i].size, rows[i].length, 0};
        size_t k;

        tilegen_filtered(UTET_TILEDB_GZIP, raw_size, 1);
        tilegen_add(raw_size, 4);
        tilegen_add(rows[i].filtered, 4);
        tilegen_add(rows[i].table, 4);
        for (k = 1; k <= rows[i].table / 4; k++)
            tilegen_add(table[k], 4);
        add_stored(raw, raw_size);
        if (i == 10)
            tilegen_add(0, 1);
        tile_end();
        suite_check(read_in(sizeof work, &both_options) == rows[i].status, "%s", rows[i].what);
        suite_check(read_in(WINDOW + 2200 + 128, &both_options) == rows[i].status, "%s, in slices", rows[i].what);
    }
}

/* Chunks whose sum differs from the tile's size, and those of a tile without a filter. */
static void chunks_that_lie(void **state)
{
    utet_tiledb_text all = {0, 0};
    size_t got;

    (void)state;
    make_raw(20);
    tilegen_filtered(UTET_TILEDB_GZIP, raw_size, 1);
    made.size = AREA + 4; /* no room for their number */
    tile_end();
    assert_int_equal(read_in(sizeof work, &both_options), UTET_E_INDEX);
    raw_size++; /* one byte more than the chunks have */
    tilegen_filtered(UTET_TILEDB_GZIP, raw_size, 1);
    raw_size--;
    chunk(raw_size, raw_size + STORED);
    add_stored(raw, raw_size);
    tile_end();
    assert_int_equal(open_in(sizeof work, &both_options), UTET_OK);
    all.size = tile.size;
    assert_int_equal(utet_tiledb_read(&tile, &all, work, sizeof work, &got), UTET_E_INDEX);
    assert_int_equal(file.error_offset, made.size);
    tilegen_filtered(UTET_TILEDB_GZIP, raw_size, 1);
    chunk(raw_size, raw_size + STORED);
    add_stored(raw, raw_size);
    tile_end();
    assert_int_equal(read_in(sizeof work, &both_options), UTET_END);
    made.bytes[AREA + 8 + 4]++; /* one byte more than there are after the table */
    assert_int_equal(read_in(sizeof work, &both_options), UTET_E_ROW);
    assert_int_equal(file.error_offset, AREA + 8);

    tilegen_begin();
    add_bytes(raw, raw_size);
    tilegen_end(22);
    assert_int_equal(read_in(sizeof work, NULL), UTET_END);
    made.bytes[54]--; /* stored in one byte less */
    assert_int_equal(read_in(sizeof work, NULL), UTET_E_ROW);
    made.bytes[54] -= 7;
    made.bytes[50] -= 8;
    made.bytes[58] = 8; /* a table of parts, though no codec divides a chunk */
    assert_int_equal(read_in(sizeof work, NULL), UTET_E_ROW);
}

/* 1: this little memory is refused, then a sufficient size is accepted, which is never more than the minimum. */
static unsigned refused_with_what_is_enough(size_t room)
{
    const utet_status status = read_in(room, &both_options);

    if (status == UTET_END)
        return 0;
    assert_int_equal(status, UTET_E_BUDGET);
    suite_check(file.needed > room && file.needed <= tile.need.least, "%lu bytes: %lu needed, %lu least",
                (unsigned long)room, (unsigned long)file.needed, (unsigned long)tile.need.least);
    assert_int_equal(read_in((size_t)file.needed, &both_options), UTET_END);
    return 1;
}

/* Chunks of a tile that the memory does not hold: the history is the chunk's, not the tile's. */
static void small_chunks(void **state)
{
    size_t room, from;
    const size_t some = 300;

    (void)state;
    make_raw(3000);
    tilegen_filtered(UTET_TILEDB_GZIP, raw_size, (raw_size + some - 1) / some);
    for (from = 0; from < raw_size; from += some) {
        const size_t size = raw_size - from < some ? raw_size - from : some;

        chunk(size, size + STORED);
        add_stored(raw + from, size);
    }
    tile_end();
    assert_int_equal(open_in(sizeof work, &both_options), UTET_OK);
    for (room = (size_t)tile.need.least; room < tile.need.best; room += 200)
        assert_int_equal(read_in(room, &both_options), UTET_END);
    for (; room >= 2000; room -= 8)
        (void)refused_with_what_is_enough(room);
}

/* A stream whose header declares less history than it uses: 600 bytes as they are, then three from 500 bytes before. */
static void farther_back_than_declared(void **state)
{
    /* Last block, fixed codes; length 3; distance 385 + 115; the end. */
    static const char bits[] = "1"
                               "10"
                               "0000001"
                               "10001"
                               "1100111"
                               "0000000";
    size_t i, room;

    (void)state;
    make_raw(600 + 3 - ENTRY);
    memcpy(raw + 600, raw + 100, 3);
    tilegen_filtered(UTET_TILEDB_GZIP, raw_size, 1);
    chunk(raw_size, 2 + 5 + 600 + (sizeof bits + 6) / 8 + 4);
    tilegen_add(0x1D08, 2); /* 256 bytes of history */
    tilegen_add(0, 1);
    tilegen_add(600, 2);
    tilegen_add(~600u & 0xFFFF, 2);
    add_bytes(raw, 600);
    for (i = 0; i + 1 < sizeof bits; i++)
        made.bytes[made.size + i / 8] |= (uint8_t)((bits[i] - '0') << i % 8);
    made.size += (sizeof bits + 6) / 8;
    add_adler(raw, raw_size);
    tile_end();
    assert_int_equal(read_in(sizeof work, &both_options), UTET_END);
    assert_int_equal(open_in(sizeof work, &both_options), UTET_OK);
    room = (size_t)tile.need.least;
    assert_int_equal(read_in(room, &both_options), UTET_END);
    /* First, the history that the header declares is requested; only the data show that it is not enough. */
    for (room -= 8; room >= 2000; room -= 8) {
        size_t more = room;
        unsigned refused;

        for (refused = 0; read_in(more, &both_options) == UTET_E_BUDGET; refused++, more = (size_t)file.needed)
            assert_true(file.needed > more && file.needed <= tile.need.least);
        assert_true(refused == 1 || refused == 2);
        assert_int_equal(read_open(), UTET_END);
    }
}

/* What comes before the first block of a zlib stream, in slices, where the history is requested first. */
static void heads_of_streams(void **state)
{
    const size_t data = AREA + 8 + 28;
    utet_tiledb_entry entry;
    utet_status status;
    unsigned repeated = 0;
    size_t room;

    (void)state;
    make_raw(3000);
    tilegen_filtered(UTET_TILEDB_GZIP, raw_size, 1);
    chunk(raw_size, raw_size + STORED);
    add_stored(raw, raw_size);
    made.bytes[data] = 0x08; /* 256 bytes of history are declared */
    made.bytes[data + 1] = 0x1D;
    tile_end();
    assert_int_equal(open_in(sizeof work, &both_options), UTET_OK);
    room = (size_t)tile.need.least - 8; /* there is less memory than the complete tile would take */
    assert_int_equal(read_in(room, &both_options), UTET_END);
    assert_true(tile.priv.room < tile.size);
    made.bytes[data]++;
    assert_int_equal(read_in(room, &both_options), UTET_E_PAYLOAD);
    assert_int_equal(file.error_offset, data);
    made.bytes[data]--;

    assert_int_equal(open_in(room, &both_options), UTET_OK);
    port.slice = 1;
    port.blocks = 1;
    while ((status = utet_tiledb_entry_first(&tile, &entry)) == UTET_WOULD_BLOCK)
        repeated++;
    assert_int_equal(status, UTET_OK);
    assert_true(repeated > 1);
    tilegen_filtered(UTET_TILEDB_GZIP, raw_size, 1);
    chunk(raw_size, 1);
    tilegen_add(0x78, 1);
    tile_end();
    assert_int_equal(read_in(room, &both_options), UTET_E_PAYLOAD);
    assert_int_equal(file.error_offset, data);
}

static void zstd_in_too_little(void **state)
{
    size_t room, length;
    unsigned refused = 0;

    (void)state;
    make_raw(5000);
    tilegen_filtered(UTET_TILEDB_ZSTD, raw_size, 1);
    length = ZSTD_compress(made.bytes + made.size + 28, TILEGEN_MOST / 2, raw, raw_size, 5);
    assert_false(ZSTD_isError(length));
    chunk(raw_size, length);
    made.size += length;
    tile_end();
    assert_int_equal(open_in(sizeof work, &both_options), UTET_OK);
    for (room = (size_t)tile.need.least; room >= WINDOW + 128; room -= 104)
        refused += refused_with_what_is_enough(room);
    assert_true(refused > 10);
    /* Damaged: the offset is that of the frame's head. */
    made.bytes[AREA + 8 + 28]++;
    assert_true(read_in(sizeof work, &both_options) <= UTET_E_MAGIC);
    assert_true(file.error_offset >= AREA + 8 + 28 && file.error_offset < made.size);
    made.bytes[AREA + 8 + 28]--;
    made.bytes[AREA + 8 + 28 + 9] |= 6; /* a block that is too large: bytes 7 to 9, after a head of 7 */
    assert_int_equal(read_in(sizeof work, &both_options), UTET_E_PAYLOAD);
    assert_true(file.error_offset >= AREA + 8 + 28 + 7 && file.error_offset <= AREA + 8 + 28 + 10);
    port.fault = FAULT_NONE;
    assert_int_equal(open_in(WINDOW + 128 + 20000, &both_options), UTET_OK);
    port.fault = FAULT_ERROR;
    port.fault_at = port.reads + 1;
    port.slice = 40;
    assert_int_equal(read_open(), FAULTPORT_ERROR);
    assert_int_equal(open_in(WINDOW + 128 + 20000, &both_options), UTET_OK);
    port.fault = FAULT_EOF;
    port.fault_at = port.reads + 1;
    port.slice = 40;
    assert_int_equal(read_open(), UTET_E_SHORT);
}

/* Files that promise many bytes for a few: the work for them is limited by the file and by what the caller permits. */
static void bombs(void **state)
{
    utet_tiledb_options options = {both, 1 << 20};
    size_t length;

    (void)state;
    /* 1 MiB of zeros in some 50 bytes, in a part that states 1,000: no more than those are decoded. */
    memset(big, 0, sizeof big);
    tilegen_filtered(UTET_TILEDB_ZSTD, 1000, 1);
    length = ZSTD_compress(made.bytes + made.size + 28, TILEGEN_MOST / 2, big, sizeof big, 19);
    assert_true(length < 200);
    chunk(1000, length);
    made.size += length;
    tile_end();
    assert_true(UTET_IS_ERROR(read_in(sizeof work, &options)));
    assert_true(port.reads <= 20 && tile.priv.made <= 1000);
    /* The tile is larger than the caller permits: refused before any chunk is examined. */
    tilegen_filtered(UTET_TILEDB_ZSTD, (1 << 20) + 1, 1);
    tile_end();
    assert_int_equal(open_in(sizeof work, &options), UTET_E_BUDGET);
    assert_true(port.reads <= 2);
    /* As large as the caller permits, in a file of 60 bytes. */
    tilegen_filtered(UTET_TILEDB_ZSTD, 1 << 20, 0);
    tile_end();
    assert_int_equal(read_in(sizeof work, &options), UTET_E_INDEX);
    assert_true(port.reads <= 2);
    /* More chunks than bytes. */
    tilegen_filtered(UTET_TILEDB_ZSTD, 1000, 1u << 31);
    tile_end();
    assert_int_equal(read_in(sizeof work, &options), UTET_E_INDEX);
    assert_true(port.reads <= 4);
    /* Chunks of no bytes: each costs its 20 bytes, and none is read twice. */
    tilegen_filtered(UTET_TILEDB_ZSTD, 5, 500);
    while (made.size < TILEGEN_CHUNKS + 8 + 500 * 20) {
        tilegen_add(0, 8);
        tilegen_add(8, 4);
        tilegen_add(0, 8);
    }
    tile_end();
    assert_int_equal(read_in(sizeof work, &options), UTET_E_INDEX);
    assert_true(port.reads <= made.size / 32 + 4);
}

/* ---- decompressors of an application ---- */

static uint32_t given; /* bytes of the part delivered so far */
static uint32_t ends_at;
static utet_status opening, behind;

static void own_need(uint32_t size, int whole, utet_need *need)
{
    (void)size;
    (void)whole;
    need->least = 0;
    need->best = 0;
}

static utet_status own_open(const utet_tiledb_part *part)
{
    (void)part;
    given = 0;
    return opening;
}

static utet_status own_step(const utet_tiledb_part *part, size_t want, const uint8_t **ptr, size_t *len)
{
    if (given == ends_at)
        return behind;
    *ptr = raw + given;
    *len = want < 7 ? want : 7;
    if (*len > ends_at - given)
        *len = ends_at - given;
    given += (uint32_t)*len;
    assert_true(part->size == raw_size);
    return UTET_OK;
}

static void codecs_that_err(void **state)
{
    static const utet_tiledb_codec own = {UTET_TILEDB_LZ4, own_need, own_open, own_step};
    static const utet_tiledb_codec *const codecs[] = {&own, NULL};
    static const utet_tiledb_options options = {codecs, 0};

    (void)state;
    make_raw(600);
    tilegen_filtered(UTET_TILEDB_LZ4, raw_size, 1);
    chunk(raw_size, 0);
    tile_end();
    ends_at = (uint32_t)raw_size;
    opening = UTET_OK;
    behind = UTET_END;
    assert_int_equal(read_in(sizeof work, &options), UTET_END);
    assert_int_equal(read_in(WINDOW + 128, &options), UTET_END);
    ends_at = 100; /* less than the table states for the part */
    assert_int_equal(read_in(sizeof work, &options), UTET_E_PAYLOAD);
    ends_at = (uint32_t)raw_size + 1; /* more */
    assert_int_equal(read_in(sizeof work, &options), UTET_E_PAYLOAD);
    ends_at = (uint32_t)raw_size;
    behind = UTET_E_CHECKSUM;
    assert_int_equal(read_in(sizeof work, &options), UTET_E_CHECKSUM);
    opening = UTET_E_PAYLOAD;
    assert_int_equal(read_in(sizeof work, &options), UTET_E_PAYLOAD);
    assert_int_equal(read_in(sizeof work, NULL), UTET_E_CODEC);
    assert_int_equal(read_in(sizeof work, &both_options), UTET_E_CODEC);
    tilegen_begin(); /* bytes after an empty list */
    add_bytes(raw, raw_size);
    tilegen_end(22);
    made.bytes[30]++;
    made.bytes[4]--;
    assert_int_equal(read_in(sizeof work, &options), UTET_E_DIRECTORY);
}

/* Not all of a tile in memory, but more than the minimum. */
static void without_filter_in_slices(void **state)
{
    size_t room;

    (void)state;
    make_raw(4000);
    tilegen_begin();
    add_bytes(raw, raw_size);
    tilegen_end(22);
    assert_int_equal(open_in(WINDOW - 8, NULL), UTET_E_BUDGET);
    assert_int_equal(file.needed, WINDOW); /* for the header, which states the total */
    assert_int_equal(open_in(WINDOW, NULL), UTET_E_BUDGET);
    assert_int_equal(file.needed, tile.need.least);
    for (room = WINDOW + UTET_TILEDB_RAW_MIN; room < 5200; room += 56) {
        assert_int_equal(read_in(room, NULL), UTET_END);
        assert_int_equal(tile.priv.room, room >= WINDOW + 4016                   ? 4016
                                         : room >= WINDOW + UTET_TILEDB_RAW_BEST ? UTET_TILEDB_RAW_BEST
                                                                                 : UTET_TILEDB_RAW_MIN);
    }
}

int main(void)
{
    const struct CMUnitTest cases[] = {
        cmocka_unit_test(tables_that_lie),
        cmocka_unit_test(chunks_that_lie),
        cmocka_unit_test(small_chunks),
        cmocka_unit_test(farther_back_than_declared),
        cmocka_unit_test(bombs),
        cmocka_unit_test(heads_of_streams),
        cmocka_unit_test(zstd_in_too_little),
        cmocka_unit_test(codecs_that_err),
        cmocka_unit_test(without_filter_in_slices),
    };

    return SUITE("tiles", cases);
}
