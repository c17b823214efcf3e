/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Frama-C EVA over the calls of src/tiledb that eva_tiledb.c leaves out. EVA_PART 1: the check of a schema, items by
 * their name, names of files and types, fill values, tiles; 2: iteration over items; 3: array metadata; 4: enumerations
 * and texts; 5: zlib streams; 6: zstd. An alarm is possible undefined behaviour. Not on the 16-bit model: the component
 * needs pointers of 32 bits.
 *
 * The raw tile, the iteration over fields (eva_tiledb.c) and both decoders are replaced by their contracts: any bytes
 * and numbers, or an error, or "not yet". Each call begins in any state of its object that it could have left, and
 * makes one more iteration. Bytes that are compared or copied end with memory; their sizes are tried one by one.
 *
 * eva.sh: 6 parts, x86_32, x86_64, ppc_32
 *   1: -eva-slevel 300 -eva-slevel-function eva_main:3000,utet_div:0,utet_mul:0,utet_add:0
 *       -eva-split-return-function any_status:0,any_next:0,any_open:0,utet_tiledb_name:0
 *   2 3: -eva-slevel 300 -eva-split-return-function any_status:0
 *   4: -eva-slevel 100 -eva-slevel-function eva_main:3000
 *       -eva-split-return-function any_status:0,utet_tiledb_fetch:0,@{src/tiledb/tiledb_enumeration.c}:0
 *   5 6: -eva-slevel 300 -eva-split-return-function utet_fetch:0
 */
#include <string.h>

#include "eva_any.h"

#include "base/bytes.c"
#include "base/room.c"
#include "tiledb/tiledb.h"
#include "tiledb/tiledb_types.c"

static utet_io io;
static utet_file file;
static utet_tiledb tile;
static uint8_t held[64]; /* memory ends with the requested bytes */
static size_t more;      /* how many bytes are there in addition to the requested ones */
static int grants = 3;   /* how many requests may still succeed */

static utet_status any_status(void)
{
    return Frama_C_interval(0, 1) ? UTET_OK : Frama_C_interval(0, 1) ? UTET_WOULD_BLOCK : UTET_E_METADATA;
}

static void any_tile(void)
{
    Frama_C_make_unknown((char *)&tile, sizeof tile);
    tile.priv.file = &file;
    file.priv.io = &io;
    file.priv.owner = &tile;
    file.priv.at = held;
    file.budget = any32();
    tile.priv.at = held;
    tile.priv.have = 0;
    grants = 3;
}

/* ---- contracts ---- */

#if EVA_PART <= 4
utet_status utet_tiledb_enter(utet_tiledb *t, uint8_t call)
{
    (void)t;
    (void)call;
    return Frama_C_interval(0, 1) ? UTET_OK : UTET_E_STATE;
}

utet_status utet_tiledb_leave(utet_tiledb *t, utet_status status)
{
    (void)t;
    return status;
}

utet_status utet_tiledb_finish(utet_tiledb *t)
{
    t->priv.made = any32();
    return any_status();
}

utet_status utet_tiledb_fetch(utet_tiledb *t, size_t length, uint32_t offset)
{
    /*@ assert length: 1 <= length <= 48; */
    t->error_at = offset;
    if (grants <= 0 || Frama_C_interval(0, 1))
        return Frama_C_interval(0, 1) ? UTET_WOULD_BLOCK : UTET_E_METADATA;
    grants--;
    Frama_C_make_unknown((char *)held, sizeof held);
    t->priv.have = length + more;
    t->priv.at = held + (sizeof held - length - more);
    return UTET_OK;
}

void utet_tiledb_begin(utet_tiledb *t, uint32_t place)
{
    t->priv.place = place;
    t->priv.rule = 0;
}

#if EVA_PART == 4
static utet_tiledb_enumeration enumeration;
static uint32_t cell_val_num; /* of an enumeration: 1 or more, as its rule requires */
static uint8_t datatype;      /* one that exists */
#endif

/* Fields of the object within the bounds of their rules: any values here. */
utet_status utet_tiledb_walk(utet_tiledb *t, const utet_tiledb_rule *rules, void *object)
{
    (void)rules;
    (void)object;
#if EVA_PART == 4
    Frama_C_make_unknown((char *)&enumeration, sizeof enumeration);
    enumeration.cell_val_num = cell_val_num;
    enumeration.datatype = datatype;
#endif
    t->priv.place = any32();
    t->priv.rule = (uint8_t)any32();
    t->priv.differs = (uint8_t)any32();
    return any_status();
}

utet_status utet_tiledb_stretch(utet_tiledb *t, uint32_t size, utet_tiledb_text *text)
{
    text->offset = t->priv.place;
    text->size = size;
    return any_status();
}
#endif

#if EVA_PART <= 2
static utet_tiledb_schema schema;

static void any_schema(void)
{
    any_tile();
    Frama_C_make_unknown((char *)&schema, sizeof schema);
    schema.priv.tile = &tile;
    schema.priv.references.used = (uint8_t)Frama_C_interval(0, UTET_TILEDB_REFERENCES);
}

utet_status utet_tiledb_schema_enter(utet_tiledb_schema *s, uint8_t call)
{
    return s->priv.tile == NULL ? UTET_E_STATE : utet_tiledb_enter(s->priv.tile, call);
}

/* The next item, or the next list, which is known then. */
utet_status utet_tiledb_onward(utet_tiledb_schema *s)
{
    Frama_C_make_unknown((char *)&s->priv.item, sizeof s->priv.item);
    if (grants <= 0)
        return UTET_WOULD_BLOCK;
    grants--;
    if (Frama_C_interval(0, 1))
        return any_status();
    if (s->priv.known < 255)
        s->priv.known++;
    return UTET_END;
}

utet_status utet_tiledb_list(utet_tiledb_schema *s, unsigned kind)
{
    /*@ assert kind: kind < 5; */
    s->priv.number = any32();
    return any_status();
}

void utet_tiledb_item_begin(utet_tiledb_schema *s, uint32_t place, uint32_t number)
{
    s->priv.tile->priv.place = place;
    s->priv.number = number;
}

utet_status utet_tiledb_item_take(utet_tiledb_schema *s, unsigned kind)
{
    /*@ assert kind: kind < 5; */
    Frama_C_make_unknown((char *)&s->priv.item, sizeof s->priv.item);
    s->priv.tile->priv.differs = (uint8_t)any32();
    s->priv.number++;
    return any_status();
}
#endif

#if EVA_PART == 1
#include "tiledb/tiledb_check.c"
#include "tiledb/tiledb_default.c"
#include "tiledb/tiledb_find.c"
#include "tiledb/tiledb_folder.c"
#include "tiledb/tiledb_names.c"
#include "tiledb/tiledb_stamp.c"
#include "tiledb/tiledb_tiles.c"
#include "tiledb/tiledb_wanting.c"

static size_t ends; /* length of the name of a file */

static utet_status any_open(void *ctx, const char *path)
{
    (void)ctx;
    (void)path;
    return Frama_C_interval(0, 1) ? UTET_OK : UTET_E_NOT_FOUND;
}

static utet_status any_next(void *ctx, char *name, size_t size, int *is_folder)
{
    size_t i;

    (void)ctx;
    if (grants-- <= 0 || Frama_C_interval(0, 1))
        return Frama_C_interval(0, 1) ? UTET_END : UTET_E_PORT;
    for (i = 0; i < size; i++)
        name[i] = i != ends ? (char)Frama_C_interval(1, 127) : '\0';
    *is_folder = Frama_C_interval(0, 1);
    return UTET_OK;
}

static void any_close(void *ctx)
{
    (void)ctx;
}

/* Values of each datatype and of a number that is none, where memory ends. */
static void datatypes(void)
{
    static uint8_t domain[16], extent[8], value[8];
    unsigned type;

    Frama_C_make_unknown((char *)domain, sizeof domain);
    Frama_C_make_unknown((char *)extent, sizeof extent);
    for (type = 0; type <= UTET_TILEDB_DATATYPES; type++) {
        const unsigned size = utet_tiledb_type_size(type);

        (void)utet_tiledb_default(type, value);
        (void)utet_tiledb_tiles(type, domain + sizeof domain - 2 * size, extent + sizeof extent - size);
    }
}

/* Names of `ends` characters. */
static void names(size_t length)
{
    static const utet_folder folder = {NULL, any_open, any_next, any_close};
    static char name[UTET_TILEDB_NAME_SIZE];
    utet_tiledb_stamp stamp;

    Frama_C_make_unknown(name, sizeof name);
    (void)utet_tiledb_name(name + (sizeof name - length), length, &stamp);
    ends = length < sizeof name ? length : sizeof name - 1;
    grants = 2;
    if (utet_tiledb_newest(&folder, "folder", name, sizeof name) == UTET_OK)
        use_byte((const uint8_t *)name);
    grants = 2;
    (void)utet_tiledb_newest_at(&folder, "folder", any64(), name, sizeof name);
}

void eva_main(void)
{
    static const uint8_t lengths[6] = {0, 6, 37, 38, 60, UTET_TILEDB_NAME_SIZE};
    static utet_tiledb_part part;
    utet_tiledb_item item;
    unsigned i;

    for (i = 0; i <= UTET_TILEDB_REFERENCES; i++) { /* one item further */
        any_schema();
        schema.priv.references.used = (uint8_t)i;
        grants = 1;
        (void)utet_tiledb_schema_check(&schema);
        /*@ assert used: schema.priv.references.used <= 16; */
    }
    for (i = 0; i < 6u; i++)
        names(lengths[i]);
    any_schema();
    (void)utet_tiledb_find(&schema, any32(), "a name", any32(), &item);
    datatypes();
    use_text(utet_tiledb_type_name(any32()));
    use_text(utet_tiledb_filter_name(any32()));
    any_tile();
    part.file = &file;
    (void)utet_tiledb_wanting(&part, any64() / 2);
}
#elif EVA_PART == 2
#include "tiledb/tiledb_items.c"

void eva_main(void)
{
    utet_tiledb_item item;

    any_schema();
    Frama_C_make_unknown((char *)&item, sizeof item);
    if (Frama_C_interval(0, 1))
        (void)utet_tiledb_first(&schema, any32(), &item);
    else
        (void)utet_tiledb_next(&schema, &item);
}
#elif EVA_PART == 3
#include "tiledb/tiledb_entry.c"

void eva_main(void)
{
    utet_tiledb_entry entry;

    any_tile();
    Frama_C_make_unknown((char *)&entry, sizeof entry);
    switch (Frama_C_interval(0, 2)) {
    case 0: (void)utet_tiledb_entry_first(&tile, &entry); break;
    case 1: (void)utet_tiledb_entry_next(&tile, &entry); break;
    default: (void)utet_tiledb_entry_find(&tile, "a key", any32(), &entry); break;
    }
}
#elif EVA_PART == 4
#include "tiledb/tiledb_enumeration.c"
#include "tiledb/tiledb_value_find.c"
#include "eva_given.h"
#include "tiledb/tiledb_text.c"

static void any_enumeration(uint32_t filled)
{
    any_tile();
    Frama_C_make_unknown((char *)&enumeration, sizeof enumeration);
    enumeration.priv.tile = &tile;
    enumeration.priv.filled = filled;
}

/* The value `number` of a batch that has `filled` offsets. */
static void values(uint32_t filled, uint32_t number)
{
    utet_tiledb_text text;

    any_enumeration(filled);
    enumeration.priv.first = 100;
    (void)utet_tiledb_value(&enumeration, 100 + number, &text);
    /*@ assert filled: enumeration.priv.filled <= 33; */
    any_enumeration(filled);
    enumeration.priv.first = 100;
    enumeration.priv.number = 100 + number;
    enumeration.count = 101 + number; /* it is the last one */
    (void)utet_tiledb_enumeration_check(&enumeration);
}

/* Values of `size` bytes, of which `passed` are equal; the value to look for ends with memory. */
static void finding(uint32_t size, uint32_t passed)
{
    static uint8_t wanted[3];
    utet_tiledb_text text;
    uint32_t index;

    Frama_C_make_unknown((char *)wanted, sizeof wanted);
    any_enumeration(0);
    enumeration.priv.passed = passed;
    text.offset = any32();
    text.size = size;
    (void)value_find_compare(&enumeration, &text, wanted + sizeof wanted - size);
    /* The value's size is any: one of 0 bytes is found at once. */
    any_enumeration(UTET_TILEDB_BATCH + 1);
    enumeration.count = 101;
    enumeration.priv.first = enumeration.priv.number = 100;
    (void)utet_tiledb_value_find(&enumeration, wanted + sizeof wanted, 0, &index);
}

static void reading(size_t size, size_t done)
{
    static uint8_t buffer[3];
    utet_tiledb_text text;
    size_t got;

    any_tile();
    tile.priv.done = done;
    text.offset = any32();
    text.size = Frama_C_interval_split(0, 1) ? (uint32_t)size : 0xFFFFFFFFu;
    (void)utet_tiledb_read(&tile, &text, buffer + sizeof buffer - size, size, &got);
}

void eva_main(void)
{
    static const uint32_t cells[5] = {1, 3, 0x20000000, UTET_TILEDB_VAR - 1u, UTET_TILEDB_VAR};
    static const uint8_t types[4] = {5, 7, 0, 1}; /* of 1, 2, 4 and 8 bytes */
    static const uint8_t batches[6] = {0, 1, 2, 3, UTET_TILEDB_BATCH, UTET_TILEDB_BATCH + 1};
    uint32_t i, k;

    for (i = 0; i < 5u; i++)
        for (k = 0; k < 4u; k++) {
            any_enumeration(0);
            enumeration.cell_val_num = cell_val_num = cells[i];
            enumeration.datatype = datatype = types[k];
            (void)utet_tiledb_enumeration_open(&enumeration, &tile);
        }
    for (more = 0; more <= 2u; more += 2u)
        for (i = 0; i <= 3u; i++)
            for (k = 0; k <= i; k++) {
                finding(i, k);
                reading(i, k);
            }
    more = 0;
    for (i = 0; i < 6u; i++)
        for (k = 0; k <= batches[i] + 1u; k += k < 3u || k > 29u ? 1u : 9u)
            values(batches[i], k);
}
#else
/* ---- decompressors: the window and the decoder are replaced by their contracts ---- */

static uint8_t destination[64];
static uint64_t work[8192];

utet_status utet_fetch(utet_file *f, size_t length, uint64_t offset)
{
    /*@ assert length: 1 <= length <= 128; */
    f->error_offset = offset;
    if (Frama_C_interval(0, 1))
        return Frama_C_interval(0, 1) ? UTET_WOULD_BLOCK : UTET_E_SHORT;
    Frama_C_make_unknown((char *)held, sizeof held);
    f->priv.have = length + more;
    f->priv.at = held + (sizeof held - length - more);
    return UTET_OK;
}

utet_status utet_tiledb_wanting(const utet_tiledb_part *part, uint64_t wanted)
{
    part->file->needed = wanted;
    return UTET_E_BUDGET;
}

/* A part of any size, decoded at once or in slices, in memory of the minimum need, or less. */
static utet_tiledb_part part;

static void any_part(int whole)
{
    any_tile();
    part.file = &file;
    part.offset = any32();
    part.length = any32();
    part.size = any32();
    part.dst = whole ? destination : NULL;
    part.work = work;
}
#endif

#if EVA_PART == 5
#include "tiledb/tiledb_gzip.c"

utet_status utet_inflate_need(const uint8_t header[2], uint32_t size, uint32_t *bytes)
{
    (void)header[1];
    *bytes = size < 32768 ? any32() % 32769u : 32768;
    return Frama_C_interval(0, 1) ? UTET_OK : UTET_E_PAYLOAD;
}

utet_status utet_inflate_init(utet_inflate *z, const utet_inflate_job *job)
{
    const uint8_t *at;
    size_t have;

    z->priv.job = *job;
    /*@ assert buffer: job->buffer != \null; */
    if (job->fetch(job->ctx, any32(), &at, &have) == UTET_OK)
        (void)*(volatile const uint8_t *)at;
    return Frama_C_interval(0, 1) ? UTET_OK : UTET_E_ARGUMENT;
}

utet_status utet_inflate_step(utet_inflate *z, size_t want, const uint8_t **ptr, size_t *len)
{
    (void)z;
    (void)want;
    *ptr = destination;
    *len = 1;
    return (utet_status)any32();
}

uint32_t utet_inflate_error_offset(const utet_inflate *z)
{
    (void)z;
    return any32();
}

void eva_main(void)
{
    utet_need found;
    const uint8_t *ptr;
    size_t len;

    utet_tiledb_gzip.need(any32(), Frama_C_interval(0, 1), &found);
    for (more = 0; more <= 1u; more++) {
        any_part((int)more);
        part.work_len = GZIP_SIZE + (size_t)Frama_C_interval(0, 1000);
        (void)utet_tiledb_gzip.open(&part);
        (void)utet_tiledb_gzip.step(&part, any32(), &ptr, &len);
    }
}
#elif EVA_PART == 6
#include "tiledb/tiledb_zstd.c"

struct utet_zstd {
    utet_zstd_job job;
};

utet_status utet_zstd_need(const utet_zstd_job *job, uint64_t window, utet_need *out)
{
    (void)window;
    (void)job->io->unit;
    out->least = any64();
    out->best = any64();
    return UTET_OK;
}

utet_status utet_zstd_init(utet_zstd **z, const utet_zstd_job *job, void *memory, size_t size)
{
    static uint8_t buffer[3];
    size_t got, length;

    /*@ assert room: \valid((uint8_t *)memory + (0 .. size - 1)); */
    (void)size;
    *z = memory;
    for (length = 1; length <= sizeof buffer; length++)
        (void)job->io->read(job->io->ctx, any64(), buffer + sizeof buffer - length, length, &got);
    return Frama_C_interval(0, 1) ? UTET_OK : UTET_E_ARGUMENT;
}

utet_status utet_zstd_step(utet_zstd *z, size_t want, const uint8_t **ptr, size_t *len)
{
    (void)z;
    (void)want;
    *ptr = destination;
    *len = 1;
    return (utet_status)any32();
}

uint64_t utet_zstd_needed(const utet_zstd *z)
{
    (void)z;
    return any64();
}

uint64_t utet_zstd_error_offset(const utet_zstd *z)
{
    (void)z;
    return any64();
}

void eva_main(void)
{
    utet_need found;
    const uint8_t *ptr;
    size_t len;

    utet_tiledb_zstd.need(any32(), Frama_C_interval(0, 1), &found);
    for (more = 0; more <= 2u; more++) {
        any_part((int)more);
        io.map = Frama_C_interval(0, 1) ? held : NULL;
        part.work_len = ZSTD_SIZE + 1000;
        (void)utet_tiledb_zstd.open(&part);
        (void)utet_tiledb_zstd.step(&part, any32(), &ptr, &len);
    }
}
#endif
