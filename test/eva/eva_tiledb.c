/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Frama-C EVA over the parser of files of TileDB arrays (src/tiledb). EVA_PART 1: header, list of filters and the
 * division of memory, of any bytes; 2: one filter of a list; 3: the fields of a schema's head and of its items, the
 * counts between lists; 4: texts that are compared and hashed while they are read; 5: one step through the chunk area,
 * in each of its states, which leaves one of these states again; 6: the calls that make such steps; 7: the iteration
 * over lists. Not on the 16-bit model: the component needs pointers of 32 bits.
 *
 * The window (parts 1 and 5), the decompressor (5) and the raw tile (2 to 4) are replaced by their contracts: a request
 * returns the requested number of bytes, of any values, or an error, or "not yet". Part 5 takes raw tiles of few bytes
 * and room for fewer, each size by itself, because EVA does not relate two unknown numbers; the content of the file is
 * any.
 *
 * eva.sh: 7 parts, x86_32, x86_64, ppc_32
 *   1: -eva-slevel 30000 -eva-split-return-function utet_fetch:0,@{src/tiledb/tiledb_open.c}:0
 *   2: -eva-slevel 2000 -eva-split-return-function utet_tiledb_fetch:0
 *   3: -eva-slevel 100 -eva-slevel-function fields_pass:0,each_filter:0
 *   4: -eva-slevel 20000
 *   5: -eva-slevel 20000 -eva-split-return-function utet_fetch:0,any_step:0,any_open:0
 *       -inline-calls tile_advance,read_count,read_chunk,read_table,read_part,read_data,tile_step,close_part
 *   6: -eva-slevel 20 -eva-use-spec tile_advance
 *   7: -eva-slevel 50 -eva-use-spec take_item,read_section -eva-split-return-function utet_tiledb_onward:0
 */
#include <string.h>

#include "eva_any.h"

#include "base/bytes.c"
#include "base/room.c"
#include "tiledb/tiledb.h"

static uint8_t held[UTET_HEADROOM]; /* memory ends with the requested bytes */

#if EVA_PART == 1
#include "base/file.c"
#include "tiledb/tiledb_open.c"

static utet_io io;
static utet_file file;
static utet_tiledb tile;
static uint64_t work[1024 / 8];

utet_status utet_fetch(utet_file *f, size_t length, uint64_t offset)
{
    /*@ assert length: 1 <= length <= 128; */
    f->error_offset = offset;
    if (Frama_C_interval(0, 1))
        return Frama_C_interval(0, 1) ? UTET_WOULD_BLOCK : UTET_E_SHORT;
    Frama_C_make_unknown((char *)held, sizeof held);
    f->priv.at = held + (sizeof held - length);
    f->priv.have = length;
    return UTET_OK;
}

size_t utet_window_fit(const utet_file *f, size_t bytes)
{
    (void)f;
    return bytes < 640 ? 192 : 640;
}

void utet_window_resize(utet_file *f, size_t size)
{
    f->priv.window = size;
}

void utet_tiledb_rewind(utet_tiledb *t)
{
    t->priv.made = 0;
}

static void any_need(uint32_t size, int whole, utet_need *need)
{
    (void)size;
    (void)whole;
    need->least = (uint64_t)Frama_C_interval(0, 40000);
    need->best = (uint64_t)Frama_C_interval(0, 40000);
}

void eva_main(void)
{
    static utet_tiledb_codec codec;
    static const utet_tiledb_codec *codecs[2];
    utet_tiledb_options options;

    codec.filter = (uint8_t)any32();
    codec.need = any_need;
    codecs[0] = Frama_C_interval(0, 1) ? &codec : NULL;
    options.codecs = Frama_C_interval(0, 1) ? codecs : NULL;
    options.most = any32();
    /* Bytes after the end of a short file are not requested: each size of one by itself. */
    io.size = (uint64_t)Frama_C_interval_split(33, 53);
    if (io.size == 53)
        io.size += any64() / 2;
    io.unit = 1;
    io.align = 1;
    file.priv.io = &io;
    file.priv.work = (uint8_t *)work;
    file.priv.buffer = file.priv.work + UTET_HEADROOM;
    file.budget = sizeof work;
    file.priv.state = UTET_STATE_READY;
    file.priv.busy = (uint8_t)any32();
    file.priv.owner = &tile;
    tile.priv.file = &file;
    (void)utet_tiledb_open(Frama_C_interval(0, 1) ? &tile : NULL, Frama_C_interval(0, 1) ? &file : NULL,
                           Frama_C_interval(0, 1) ? &options : NULL);
    (void)utet_tiledb_enter(&tile, (uint8_t)any32());
    (void)utet_tiledb_leave(&tile, (utet_status)any32());
}
#elif EVA_PART == 6
/* A step: what part 5 proves about it. */
/*@ assigns tile->priv.made, tile->priv.held, tile->priv.decoding, tile->priv.proven \from tile->priv.made;
    assigns \result \from tile->priv.made;
    ensures tile->priv.made <= tile->size && tile->priv.held <= tile->priv.made && tile->priv.held <= tile->priv.room;
*/
static utet_status tile_advance(utet_tiledb *tile, uint32_t wanted);

#include "tiledb/tiledb_tile.c"

static utet_tiledb tile;
static uint8_t raw[3];

utet_status utet_fetch(utet_file *f, size_t length, uint64_t offset)
{
    (void)f;
    (void)length;
    (void)offset;
    return UTET_E_SHORT; /* not reached */
}

void eva_main(void)
{
    Frama_C_make_unknown((char *)&tile, sizeof tile);
    tile.priv.raw = raw;
    tile.priv.room = sizeof raw;
    if (Frama_C_interval_split(0, 1))
        (void)utet_tiledb_fetch(&tile, (size_t)Frama_C_interval(1, UTET_TILEDB_FIELD), any32());
    else
        (void)utet_tiledb_finish(&tile);
}
#elif EVA_PART == 5
#include "tiledb/tiledb_tile.c"

enum { ROOM = 3, MOST = 4 }; /* bytes of raw tile that are kept; of a raw tile */

static utet_io io;
static utet_file file;
static utet_tiledb tile;
static uint8_t raw[ROOM]; /* ends where memory ends */
static size_t more;       /* how many bytes of the file are there in addition to the requested ones */
static size_t steps;      /* how many bytes the decompressor makes at once, */
static int in_place;      /* and whether at their final address */

utet_status utet_fetch(utet_file *f, size_t length, uint64_t offset)
{
    /*@ assert length: 1 <= length <= 120; */
    f->error_offset = offset;
    if (Frama_C_interval(0, 1))
        return Frama_C_interval(0, 1) ? UTET_WOULD_BLOCK : UTET_E_SHORT;
    Frama_C_make_unknown((char *)held, sizeof held);
    f->priv.at = held + (sizeof held - length - more);
    f->priv.have = length + more;
    return UTET_OK;
}

static utet_status any_open(const utet_tiledb_part *part)
{
    /*@ assert room: part->dst == \null || part->size == 0 || \valid(&part->dst[0 .. part->size - 1]); */
    (void)part;
    return Frama_C_interval(0, 1) ? UTET_OK : Frama_C_interval(0, 1) ? UTET_WOULD_BLOCK : UTET_E_PAYLOAD;
}

/* 1..want bytes, in memory of the decompressor's own, or at their final address. */
static utet_status any_step(const utet_tiledb_part *part, size_t want, const uint8_t **ptr, size_t *len)
{
    static uint8_t own[ROOM];

    (void)part;
    /*@ assert want: 1 <= want <= 3; */
    if (Frama_C_interval(0, 1))
        return Frama_C_interval(0, 1) ? UTET_END : Frama_C_interval(0, 1) ? UTET_WOULD_BLOCK : UTET_E_CHECKSUM;
    Frama_C_make_unknown((char *)own, sizeof own);
    *len = want < steps ? want : steps;
    *ptr = in_place ? tile.priv.raw + tile.priv.held : own + (ROOM - *len);
    return UTET_OK;
}

static const utet_tiledb_codec codec = {UTET_TILEDB_GZIP, NULL, any_open, any_step};

void eva_main(void)
{
    const int next = Frama_C_interval_split(NEXT_COUNT, NEXT_CLOSE);
    const int coded = Frama_C_interval_split(0, 1);
    const int size = Frama_C_interval_split(0, MOST);
    const int made = Frama_C_interval_split(0, size);
    const int left = size - made;
    const int kept = size <= ROOM ? made : Frama_C_interval_split(0, made < ROOM ? made : ROOM);
    utet_status status;
    uint32_t rest;

    if (!coded && next != NEXT_COUNT && next != NEXT_CHUNK && next != NEXT_DATA)
        return;
    Frama_C_make_unknown((char *)&tile, sizeof tile);
    Frama_C_make_unknown((char *)raw, sizeof raw);
    io.size = any32();
    io.unit = 1;
    io.align = 1;
    file.priv.io = &io;
    tile.priv.file = &file;
    tile.priv.decoder = coded ? &codec : NULL;
    tile.priv.raw = raw;
    tile.priv.room = ROOM;
    tile.priv.decoding = (uint8_t)next;
    tile.size = (uint32_t)size;
    tile.priv.made = (uint32_t)made;
    tile.priv.held = (size_t)kept;
    if (next == NEXT_DATA || next == NEXT_BEGIN)
        tile.priv.part_left = (uint32_t)Frama_C_interval_split(0, left);
    if (next == NEXT_PART) /* the rest of the chunk fits in the tile */
        tile.priv.chunk_left = (uint32_t)Frama_C_interval_split(0, left);
    if (next == NEXT_BEGIN) {
        tile.priv.part.size = tile.priv.part_left;
        tile.priv.part.dst = size <= ROOM ? raw + made : NULL;
    }
    if (next == NEXT_CHUNK && Frama_C_interval_split(0, 1))
        tile.priv.chunks_left = 0;
    if (next == NEXT_DATA && coded) {
        steps = (size_t)Frama_C_interval_split(1, ROOM);
        in_place = size <= ROOM && Frama_C_interval_split(0, 1);
    } else if (next == NEXT_DATA) {
        more = ROOM * (size_t)Frama_C_interval_split(0, 1);
    }
    status = tile_advance(&tile, any32());
    /*@ assert kept: tile.priv.held <= tile.priv.room && tile.priv.held <= tile.priv.made; */
    /*@ assert made: tile.priv.made <= tile.size; */
    rest = tile.size - tile.priv.made;
    /*@ assert fits: (tile.priv.decoding != 5 && tile.priv.decoding != 4) || tile.priv.part_left <= rest; */
    (void)status;
}
#else

static utet_tiledb tile;
static size_t more;  /* how many bytes are there in addition to the requested ones */

#if EVA_PART == 2
static uint8_t type; /* of the filter, on which the length of its options depends: each by itself */
#endif

utet_status utet_tiledb_fetch(utet_tiledb *t, size_t length, uint32_t offset)
{
    /*@ assert length: 1 <= length <= 48; */
    const size_t have = length + more;

    t->error_at = offset;
    if (EVA_PART == 2 && Frama_C_interval(0, 1))
        return Frama_C_interval(0, 1) ? UTET_WOULD_BLOCK : UTET_E_METADATA;
    Frama_C_make_unknown((char *)held, sizeof held);
#if EVA_PART == 2
    held[sizeof held - have] = type;
#endif
    t->priv.at = held + (sizeof held - have);
    t->priv.have = have;
#if EVA_PART != 2 /* in loops, EVA would mix these bytes with those of another request */
    if (Frama_C_interval(0, 1))
        return Frama_C_interval(0, 1) ? UTET_WOULD_BLOCK : UTET_E_METADATA;
#endif
    return UTET_OK;
}

utet_status utet_tiledb_enter(utet_tiledb *t, uint8_t call)
{
    (void)call;
    t->priv.step = (uint8_t)Frama_C_interval(0, 1);
    return Frama_C_interval(0, 1) ? UTET_OK : UTET_E_STATE;
}

utet_status utet_tiledb_leave(utet_tiledb *t, utet_status status)
{
    (void)t;
    return status;
}
#endif

#if EVA_PART == 2
#include "tiledb/tiledb_filter.c"

void eva_main(void)
{
    utet_tiledb_filters filters;
    utet_tiledb_filter filter;

    type = (uint8_t)Frama_C_interval_split(0, 20);
    if (type == 20)
        type = (uint8_t)Frama_C_interval(20, 255);
    tile.version = (uint32_t)Frama_C_interval_split(18, 20); /* before, with and after what versions added */
    filters.offset = any32();
    filters.count = any32();
    (void)utet_tiledb_filter_next(&tile, &filters, &filter);
}
#elif EVA_PART == 7
/* The items of a list, and the counts between two of them (part 3). */
/*@ requires kind < UTET_TILEDB_KINDS;
    assigns schema->priv.item, schema->priv.number \from *schema;
    assigns \result \from *schema; */
static utet_status take_item(utet_tiledb_schema *schema, unsigned kind);
/*@ requires 1 <= schema->priv.known <= UTET_TILEDB_KINDS;
    assigns schema->priv.known \from schema->priv.known;
    assigns \result \from schema->priv.known;
    ensures 1 <= schema->priv.known <= UTET_TILEDB_KINDS + 1; */
static utet_status read_section(utet_tiledb_schema *schema);

#include "tiledb/tiledb_schema.c"
#elif EVA_PART == 3 || EVA_PART == 4
#include "tiledb/tiledb_fields.c"
#include "tiledb/tiledb_types.c"

utet_status utet_tiledb_filter_at(utet_tiledb *t, uint32_t *place, utet_tiledb_filter *filter)
{
    (void)t;
    (void)filter;
    *place += any32();
    return Frama_C_interval(0, 1) ? UTET_OK : Frama_C_interval(0, 1) ? UTET_WOULD_BLOCK : UTET_E_METADATA;
}
#endif

#if EVA_PART == 3
#include "tiledb/tiledb_schema.c"

static utet_tiledb_schema schema;

void eva_main(void)
{
    static const uint32_t versions[] = {UTET_TILEDB_OLDEST, 5, 6, 7, 17, 18, 20, 22}; /* each added fields */
    static char nobody[1];

    tile.version = versions[Frama_C_interval_split(0, 7)];
    tile.size = (uint32_t)Frama_C_interval(48, 1 << 30);
    tile.priv.wanted = nobody;
    tile.priv.wanted_len = UINT32_MAX;
    if (Frama_C_interval_split(0, 1)) {
        (void)utet_tiledb_schema_open(&schema, &tile);
        return;
    }
    Frama_C_make_unknown((char *)&schema, sizeof schema);
    schema.priv.tile = &tile;
    tile.priv.rule = 0;
    tile.priv.place = 0;
    tile.priv.passed = 0;
    if (Frama_C_interval_split(0, 1)) {
        (void)take_item(&schema, (unsigned)Frama_C_interval_split(0, UTET_TILEDB_KINDS - 1));
    } else { /* how many there are in the next list */
        schema.priv.known = (uint8_t)Frama_C_interval_split(1, UTET_TILEDB_KINDS);
        (void)read_section(&schema);
    }
}
#elif EVA_PART == 7
void utet_tiledb_begin(utet_tiledb *t, uint32_t place)
{
    t->priv.place = place;
    t->priv.rule = 0;
}

utet_status utet_tiledb_walk(utet_tiledb *t, const utet_tiledb_rule *of, void *object)
{
    (void)t;
    (void)of;
    (void)object;
    return UTET_E_METADATA; /* not reached */
}

unsigned utet_tiledb_type_size(unsigned type)
{
    return type; /* not reached */
}

void eva_main(void)
{
    static utet_tiledb_schema schema;

    Frama_C_make_unknown((char *)&tile, sizeof tile);
    Frama_C_make_unknown((char *)&schema, sizeof schema);
    schema.priv.tile = Frama_C_interval(0, 1) ? &tile : NULL;
    if (utet_tiledb_schema_enter(&schema, (uint8_t)any32()) != UTET_OK || schema.priv.tile == NULL)
        return;
    schema.priv.known = (uint8_t)Frama_C_interval_split(1, UTET_TILEDB_KINDS);
    if (Frama_C_interval_split(0, 1))
        (void)utet_tiledb_onward(&schema);
    else
        (void)utet_tiledb_list(&schema, (unsigned)Frama_C_interval_split(0, UTET_TILEDB_KINDS - 1));
}
#elif EVA_PART == 4
void eva_main(void)
{
    static char wanted[3];
    utet_tiledb_text text;
    const int compare = Frama_C_interval_split(0, 1);
    const uint32_t length = (uint32_t)Frama_C_interval_split(0, 3);

    more = (size_t)Frama_C_interval_split(0, 2);
    Frama_C_make_unknown(wanted, sizeof wanted);
    text.offset = any32();
    text.size = (uint32_t)Frama_C_interval_split(0, 3);
    tile.priv.wanted_len = length;
    tile.priv.wanted = wanted + (sizeof wanted - length); /* ends with the memory */
    tile.priv.passed = (uint32_t)Frama_C_interval_split(0, (int)text.size);
    tile.priv.differs = (uint8_t)(length != text.size || Frama_C_interval_split(0, 1));
    (void)fields_pass(&tile, &text, compare);
}
#endif
