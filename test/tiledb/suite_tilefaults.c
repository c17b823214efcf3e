/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * What every call on a file of a TileDB array returns if the tile must be decoded again and something fails meanwhile:
 * the medium, the decompressor, the headers of chunks. Each tile is larger than the memory that holds it. The data are
 * stored as they are, and the test's own decompressor delivers them, or returns the status that a case requires.
 */
#include "suite.h"
#include "tilegen.h"
#include "utet_tiledb_folder.h"

#include <string.h>

enum { CHUNK = 64, AREA = TILEGEN_CHUNKS, HEADER = 12, TABLE = 16, MANY = 60 };

static uint8_t raw[8192];
static size_t raw_size;
static uint64_t work[512];
static utet_file file;
static utet_tiledb tile;
static utet_tiledb_schema schema;
static utet_tiledb_enumeration enumeration;
static utet_tiledb_item item;
static utet_tiledb_entry entry;
static utet_tiledb_group group;
static utet_tiledb_member member;

/* ---- what fails ---- */

enum { NOTHING, MEDIUM, SHORTER, HEADERS, ORIGINALS, CODEC };

static struct {
    int what;
    utet_status status; /* MEDIUM, CODEC: what they return */
} fault;

static utet_status read_made(void *ctx, uint64_t offset, void *buf, size_t len, size_t *got)
{
    uint8_t *to = buf;
    size_t i;

    (void)ctx;
    if (fault.what == MEDIUM)
        return fault.status;
    if (fault.what == SHORTER)
        return UTET_OK; /* nothing */
    memcpy(to, made.bytes + offset, len);
    *got = len;
    for (i = 0; i < len && (fault.what == HEADERS || fault.what == ORIGINALS); i++) {
        const size_t inside = (size_t)(offset + i - AREA - 8) % (CHUNK + HEADER + TABLE);

        if (offset + i < AREA + 8)
            continue;
        if (fault.what == HEADERS && inside >= 4 && inside < 8) /* the data would be longer than the file */
            to[i] = 0x7F;
        if (fault.what == ORIGINALS && inside < 4) /* the sum of the chunks is wrong */
            to[i] = 0;
    }
    return UTET_OK;
}

static const utet_io io = {.read = read_made, .unit = 1, .align = 1};
static utet_io medium;

typedef struct progress {
    uint32_t done;
} progress;

static void own_need(uint32_t size, int whole, utet_need *need)
{
    (void)size;
    (void)whole;
    need->least = sizeof(uint64_t);
    need->best = need->least;
}

static utet_status own_open(const utet_tiledb_part *part)
{
    ((progress *)part->work)->done = 0;
    return UTET_OK;
}

static utet_status own_step(const utet_tiledb_part *part, size_t want, const uint8_t **ptr, size_t *len)
{
    progress *p = part->work;

    if (fault.what == CODEC) {
        part->file->needed = sizeof work;
        return fault.status;
    }
    *ptr = made.bytes + part->offset + p->done;
    *len = part->size - p->done < want ? part->size - p->done : want;
    p->done += (uint32_t)*len;
    return *len != 0 ? UTET_OK : UTET_END;
}

static const utet_tiledb_codec own = {UTET_TILEDB_GZIP, own_need, own_open, own_step};
static const utet_tiledb_codec *const codecs[] = {&own, NULL};
static const utet_tiledb_options options = {codecs, 0};

/* ---- the tiles ---- */

/* Splits the raw tile, which is in `made`, into chunks of one part each. */
static void wrap(void)
{
    size_t from;

    raw_size = made.size;
    assert_true(raw_size <= sizeof raw);
    memcpy(raw, made.bytes, raw_size);
    tilegen_filtered(UTET_TILEDB_GZIP, raw_size, (raw_size + CHUNK - 1) / CHUNK);
    for (from = 0; from < raw_size; from += CHUNK) {
        const size_t some = raw_size - from < CHUNK ? raw_size - from : CHUNK;

        tilegen_add(some, 4);
        tilegen_add(some, 4);
        tilegen_add(TABLE, 4);
        tilegen_add(0, 4);
        tilegen_add(1, 4);
        tilegen_add(some, 4);
        tilegen_add(some, 4);
        memcpy(made.bytes + made.size, raw + from, some);
        made.size += some;
    }
    from = made.size;
    made.size = 4;
    tilegen_add(from - AREA, 8);
    made.size = from;
}

/* A schema whose coordinates have a filter, with MANY attributes and as many enumerations. */
static void make_schema(void)
{
    char name[4] = "a00";
    unsigned i;

    made.size = 0;
    tilegen_add(22, 4);
    tilegen_add(0, 1);
    tilegen_add(1, 1);
    tilegen_add(0, 2);
    tilegen_add(10000, 8);
    tilegen_add(65536, 4);
    tilegen_add(1, 4);
    tilegen_add(UTET_TILEDB_MD5, 1);
    tilegen_add(0, 4);
    for (i = 0; i < 2; i++) {
        tilegen_add(65536, 4);
        tilegen_add(0, 4);
    }
    tilegen_add(1, 4);
    tilegen_dimension("d");
    tilegen_add(MANY, 4);
    for (i = 0; i < MANY; i++) {
        name[1] = (char)('0' + i / 10);
        name[2] = (char)('0' + i % 10);
        tilegen_attribute(name, "");
    }
    tilegen_add(0, 4); /* labels */
    tilegen_add(0, 4); /* enumerations */
    tilegen_add(0, 4); /* current domain: version, */
    tilegen_add(1, 1); /* none */
}

/* 400 values of one to three bytes. */
static void make_enumeration(void)
{
    size_t data = 0;
    unsigned i;

    made.size = 0;
    tilegen_add(0, 4);
    tilegen_text("e", 4);
    tilegen_text("path", 4);
    tilegen_add(UTET_TILEDB_STRING_ASCII, 1);
    tilegen_add(UTET_TILEDB_VAR, 4);
    tilegen_add(0, 1);
    for (i = 0; i < 400; i++)
        data += 1 + i % 3;
    tilegen_add(data, 8);
    for (i = 0; i < 400; i++)
        tilegen_add(0x636261 + i, 1 + i % 3);
    tilegen_add(400 * 8, 8);
    for (data = 0, i = 0; i < 400; data += 1 + i % 3, i++)
        tilegen_add(data, 8);
}

static void make_metadata(void)
{
    char name[4] = "k00";
    unsigned i;

    made.size = 0;
    for (i = 0; i < MANY; i++) {
        name[1] = (char)('0' + i / 10);
        name[2] = (char)('0' + i % 10);
        tilegen_text(name, 4);
        tilegen_add(0, 1);
        tilegen_add(6, 1);
        tilegen_add(1, 4);
        tilegen_add(i, 1);
    }
}

static void make_group(void)
{
    char name[4] = "m00";
    unsigned i;

    made.size = 0;
    tilegen_add(2, 4);
    tilegen_add(MANY, 8);
    for (i = 0; i < MANY; i++) {
        name[1] = (char)('0' + i / 10);
        name[2] = (char)('0' + i % 10);
        tilegen_add(2, 4);
        tilegen_add(UTET_TILEDB_IS_ARRAY, 1);
        tilegen_add(1, 1);
        tilegen_text(name, 8);
        tilegen_add(1, 1);
        tilegen_text(name, 8);
        tilegen_add(0, 1);
    }
}

/* ---- the calls ---- */

static char text[8];
static size_t got;

static utet_status to_read(void)
{
    utet_tiledb_text name = item.name;
    return utet_tiledb_read(&tile, &name, text, sizeof text, &got);
}

static utet_status to_filter_next(void)
{
    utet_tiledb_filters filters = schema.coords;
    utet_tiledb_filter filter;
    return utet_tiledb_filter_next(&tile, &filters, &filter);
}

static utet_status to_schema_open(void)
{
    static utet_tiledb_schema again;
    return utet_tiledb_schema_open(&again, &tile);
}

static utet_status to_schema_check(void)
{
    return utet_tiledb_schema_check(&schema);
}

static utet_status to_first(void)
{
    static utet_tiledb_item it;
    return utet_tiledb_first(&schema, UTET_TILEDB_ATTRIBUTE, &it);
}

static utet_status to_next(void)
{
    static utet_tiledb_item it;
    if (file.priv.busy == 0) /* a suspended call continues with its item */
        it = item;
    return utet_tiledb_next(&schema, &it);
}

static utet_status to_find(void)
{
    static utet_tiledb_item it;
    return utet_tiledb_find(&schema, UTET_TILEDB_ATTRIBUTE, "a05", 3, &it);
}

static utet_status to_enumeration_open(void)
{
    static utet_tiledb_enumeration again;
    return utet_tiledb_enumeration_open(&again, &tile);
}

static utet_status to_enumeration_check(void)
{
    return utet_tiledb_enumeration_check(&enumeration);
}

static utet_status to_value(void)
{
    utet_tiledb_text value;
    return utet_tiledb_value(&enumeration, 0, &value);
}

static utet_status to_value_find(void)
{
    uint32_t index;
    return utet_tiledb_value_find(&enumeration, "bb", 2, &index);
}

static utet_status to_entry_first(void)
{
    static utet_tiledb_entry it;
    return utet_tiledb_entry_first(&tile, &it);
}

static utet_status to_entry_next(void)
{
    static utet_tiledb_entry it;
    if (file.priv.busy == 0)
        it = entry;
    return utet_tiledb_entry_next(&tile, &it);
}

static utet_status to_entry_find(void)
{
    static utet_tiledb_entry it;
    return utet_tiledb_entry_find(&tile, "k05", 3, &it);
}

static utet_status to_group_open(void)
{
    static utet_tiledb_group again;
    return utet_tiledb_group_open(&again, &tile);
}

static utet_status to_member_first(void)
{
    static utet_tiledb_member it;
    return utet_tiledb_member_first(&group, &it);
}

static utet_status to_member_next(void)
{
    static utet_tiledb_member it;
    if (file.priv.busy == 0)
        it = member;
    return utet_tiledb_member_next(&group, &it);
}

static utet_status to_keys_add(void)
{
    static uint32_t lent[40];
    static utet_tiledb_keys keys;
    if (file.priv.busy == 0)
        assert_int_equal(utet_tiledb_keys_init(&keys, lent, sizeof lent), UTET_OK);
    return utet_tiledb_keys_add(&keys, &tile, &member.name);
}

/* Opens what `make` has made, in the minimum memory, and reads it to its end, so that whatever is requested next is
 * before that. */
static void open_all(void (*make)(void))
{
    utet_status status;

    fault.what = NOTHING;
    make();
    wrap();
    medium = io;
    medium.size = made.size;
    assert_int_equal(utet_init(&file, &medium, work, 192 + 128 + 64, NULL), UTET_OK);
    assert_int_equal(utet_tiledb_open(&tile, &file, &options), UTET_OK);
    assert_true(tile.need.best > 192 + 128 + 64); /* not all of it is in memory */
    if (make == make_schema) {
        assert_int_equal(utet_tiledb_schema_open(&schema, &tile), UTET_OK);
        assert_int_equal(utet_tiledb_first(&schema, UTET_TILEDB_ATTRIBUTE, &item), UTET_OK);
        assert_int_equal(utet_tiledb_schema_check(&schema), UTET_OK);
    } else if (make == make_enumeration) {
        assert_int_equal(utet_tiledb_enumeration_open(&enumeration, &tile), UTET_OK);
        assert_int_equal(utet_tiledb_enumeration_check(&enumeration), UTET_OK);
    } else if (make == make_group) {
        utet_tiledb_member it;

        assert_int_equal(utet_tiledb_group_open(&group, &tile), UTET_OK);
        assert_int_equal(utet_tiledb_member_first(&group, &member), UTET_OK);
        it = member;
        while ((status = utet_tiledb_member_next(&group, &it)) == UTET_OK)
            continue;
        assert_int_equal(status, UTET_END);
    } else {
        utet_tiledb_entry it;

        assert_int_equal(utet_tiledb_entry_first(&tile, &entry), UTET_OK);
        it = entry;
        while ((status = utet_tiledb_entry_next(&tile, &it)) == UTET_OK)
            continue;
        assert_int_equal(status, UTET_END);
    }
}

typedef struct subject {
    const char *name;
    void (*make)(void);
    utet_status (*call)(void);
} subject;

static const subject subjects[] = {
    {"read", make_schema, to_read},
    {"filter_next", make_schema, to_filter_next},
    {"schema_open", make_schema, to_schema_open},
    {"schema_check", make_schema, to_schema_check},
    {"first", make_schema, to_first},
    {"next", make_schema, to_next},
    {"find", make_schema, to_find},
    {"enumeration_open", make_enumeration, to_enumeration_open},
    {"enumeration_check", make_enumeration, to_enumeration_check},
    {"value", make_enumeration, to_value},
    {"value_find", make_enumeration, to_value_find},
    {"entry_first", make_metadata, to_entry_first},
    {"entry_next", make_metadata, to_entry_next},
    {"entry_find", make_metadata, to_entry_find},
    {"group_open", make_group, to_group_open},
    {"member_first", make_group, to_member_first},
    {"member_next", make_group, to_member_next},
    {"keys_add", make_group, to_keys_add},
};

/* The call reports what failed. When the cause is gone the same call succeeds, because errors do not persist; except
 * after wrong headers, which may still be in the window. */
static void one(const subject *s, int what, utet_status given, utet_status wanted)
{
    utet_status status;

    open_all(s->make);
    fault.what = what;
    fault.status = given;
    status = s->call();
    suite_check(status == wanted, "%s: fault %d gives %d, not %d", s->name, what, status, wanted);
    if (what == HEADERS || what == ORIGINALS)
        return;
    fault.what = NOTHING;
    status = s->call();
    suite_check(status == UTET_OK, "%s: after fault %d (%d): %d", s->name, what, wanted, status);
}

static void each_fault_at_each_call(void **state)
{
    static const utet_status codec[] = {UTET_WOULD_BLOCK,   UTET_E_BUDGET,  UTET_E_ZSTD_WINDOW, UTET_E_ZSTD_DICT,
                                        UTET_E_ZSTD_LEGACY, UTET_E_PAYLOAD, UTET_E_CHECKSUM};
    size_t i, c;

    (void)state;
    for (i = 0; i < sizeof subjects / sizeof *subjects; i++) {
        one(&subjects[i], MEDIUM, UTET_WOULD_BLOCK, UTET_WOULD_BLOCK);
        one(&subjects[i], MEDIUM, UTET_E_PORT, UTET_E_PORT);
        one(&subjects[i], MEDIUM, UTET_E_PORT - 7, UTET_E_PORT - 7);
        one(&subjects[i], SHORTER, 0, UTET_E_SHORT);
        one(&subjects[i], HEADERS, 0, UTET_E_ROW);
        one(&subjects[i], ORIGINALS, 0, UTET_E_INDEX);
        for (c = 0; c < sizeof codec / sizeof *codec; c++)
            one(&subjects[i], CODEC, codec[c], codec[c]);
    }
}

/* While one call is suspended, every other call is misuse. */
static void other_calls_while_suspended(void **state)
{
    size_t i, other;

    (void)state;
    for (i = 0; i < sizeof subjects / sizeof *subjects; i++) {
        open_all(subjects[i].make);
        fault.what = MEDIUM;
        fault.status = UTET_WOULD_BLOCK;
        assert_int_equal(subjects[i].call(), UTET_WOULD_BLOCK);
        for (other = 0; other < sizeof subjects / sizeof *subjects; other++)
            if (subjects[other].make == subjects[i].make && other != i)
                suite_check(subjects[other].call() == UTET_E_STATE, "%s during %s", subjects[other].name,
                            subjects[i].name);
        fault.what = NOTHING;
        suite_check(subjects[i].call() == UTET_OK, "%s afterwards", subjects[i].name);
    }
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        cmocka_unit_test(each_fault_at_each_call),
        cmocka_unit_test(other_calls_while_suspended),
    };

    return SUITE("tilefaults", cases);
}
