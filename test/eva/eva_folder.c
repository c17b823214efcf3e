/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Frama-C EVA over the calls of utet_tiledb_folder.h. EVA_PART 1: files by their names, sorted and delivered; 2: lists
 * of files that do not count; 3: sets of keys; 4: members of groups. Not on the 16-bit model: the component needs
 * pointers of 32 bits.
 *
 * The folder, the window, the raw tile and the iteration over fields are replaced by their contracts: any names, bytes
 * and numbers, or an error, or "not yet". Names have the lengths that a part chooses and end with a zero, as the calls
 * write them. Part 3 takes any records whose texts are in the memory and whose references are existing records, as
 * insertion makes them.
 *
 * eva.sh: 4 parts, x86_32, x86_64, ppc_32
 *   1: -eva-slevel 300 -eva-split-return-function any_next:0,utet_tiledb_name:0,utet_tiledb_files_open:0
 *   2: -eva-slevel 300 -eva-split-return-function utet_tiledb_name:0,utet_fetch:0
 *   3: -eva-slevel 200 -eva-slevel-function eva_main:3000
 *   4: -eva-slevel 100 -eva-split-return-function utet_tiledb_walk:0
 */
#include <string.h>

#include "eva_any.h"

#include "base/bytes.c"
#include "tiledb/tiledb.h"
#include "utet_tiledb_folder.h"

static utet_io io;
static utet_file file;
static utet_tiledb tile;
static int grants; /* how many requests may still succeed */

static utet_status any_status(void)
{
    return Frama_C_interval(0, 1) ? UTET_OK : Frama_C_interval(0, 1) ? UTET_WOULD_BLOCK : UTET_E_METADATA;
}

#if EVA_PART <= 2
static int known; /* the names are those of files that count */

utet_status utet_tiledb_name(const char *name, size_t length, utet_tiledb_stamp *stamp)
{
    /*@ assert name: length == 0 || \valid_read(&name[0 .. length - 1]); */
    if (!known)
        return UTET_E_NOT_FOUND;
    stamp->first = any64();
    stamp->last = any64() / 2;
    stamp->version = any32();
    return UTET_OK;
}

#include "tiledb/tiledb_files.c"
#else
utet_status utet_tiledb_enter(utet_tiledb *t, uint8_t call)
{
    (void)call;
    t->priv.step = (uint8_t)Frama_C_interval(0, 3);
    return Frama_C_interval(0, 1) ? UTET_OK : UTET_E_STATE;
}

utet_status utet_tiledb_leave(utet_tiledb *t, utet_status status)
{
    (void)t;
    return status;
}
#endif

#if EVA_PART == 1
enum { NAME = 2, NAMES = 2 }; /* characters of a name; names in the folder */

static uint64_t lent[NAMES * 3]; /* 16 bytes and a name for each */

static utet_status any_open(void *ctx, const char *path)
{
    (void)ctx;
    (void)path;
    return Frama_C_interval(0, 1) ? UTET_OK : UTET_E_NOT_FOUND;
}

static utet_status any_next(void *ctx, char *name, size_t size, int *is_folder)
{
    unsigned i;

    (void)ctx;
    if (grants-- <= 0)
        return Frama_C_interval(0, 1) ? UTET_END : UTET_E_PORT;
    /*@ assert size: size == UTET_TILEDB_NAME_SIZE; */
    (void)size;
    for (i = 0; i < NAME; i++)
        name[i] = (char)Frama_C_interval(1, 127);
    name[NAME] = '\0';
    *is_folder = 0;
    return UTET_OK;
}

static void any_close(void *ctx)
{
    (void)ctx;
}

void eva_main(void)
{
    static const utet_folder folder = {NULL, any_open, any_next, any_close};
    utet_tiledb_files files;
    unsigned i;
    const size_t words = 3 * (size_t)Frama_C_interval_split(0, NAMES);

    known = Frama_C_interval_split(0, 1);
    grants = Frama_C_interval_split(0, NAMES);
    if (utet_tiledb_files_open(&files, &folder, "x", any64() | (uint64_t)1 << 63, lent + (NAMES * 3 - words),
                               8 * words) != UTET_OK)
        return;
    for (i = 0; i <= NAMES; i++) {
        if (files.count == i && i <= words / 3) {
            files.count = i;
            files.priv.left = (uint32_t)Frama_C_interval_split(0, (int)i);
            (void)utet_tiledb_files_next(&files);
        }
    }
}
#elif EVA_PART == 2
#include "tiledb/tiledb_vacuum.c"

static uint8_t held[2];
static size_t have; /* how many bytes are there */

utet_status utet_fetch(utet_file *f, size_t length, uint64_t offset)
{
    /*@ assert length: length == 1; */
    f->error_offset = offset + length;
    if (grants-- <= 0 || Frama_C_interval(0, 1))
        return Frama_C_interval(0, 1) ? UTET_WOULD_BLOCK : UTET_E_SHORT;
    Frama_C_make_unknown((char *)held, sizeof held);
    f->priv.have = have;
    f->priv.at = held + (sizeof held - have);
    return UTET_OK;
}

size_t utet_window_fit(const utet_file *f, size_t bytes)
{
    (void)f;
    return bytes < 640 ? 192 : 640;
}

utet_status utet_end_call(utet_status status, utet_file *f)
{
    f->priv.busy = UTET_CALL_NONE;
    return status;
}

void eva_main(void)
{
    enum { WORDS = 8, SECOND = 5 };
    static uint64_t lent[WORDS];
    utet_tiledb_files files;
    utet_tiledb_found *found = (utet_tiledb_found *)(void *)lent + (WORDS / 2 - 2);
    unsigned i;

    Frama_C_make_unknown((char *)&files, sizeof files);
    Frama_C_make_unknown((char *)lent, sizeof lent);
    for (i = 0; i < 2; i++) {
        found[i].name = i * SECOND;
        ((char *)lent)[i * SECOND + 3] = '\0';
    }
    files.count = 2;
    files.priv.lists = (uint32_t)Frama_C_interval_split(0, 2);
    files.priv.memory = (uint8_t *)lent;
    files.priv.size = sizeof lent;
    files.priv.length = (uint32_t)Frama_C_interval(0, sizeof files.priv.line);
    io.size = any64();
    file.priv.io = &io;
    file.priv.state = (uint8_t)any32();
    file.priv.busy = (uint8_t)any32();
    file.priv.owner = &files;
    file.budget = any32();
    grants = 1;
    have = (size_t)Frama_C_interval_split(1, 2);
    known = Frama_C_interval_split(0, 1);
    (void)utet_tiledb_files_vacuum(&files, &file);
}
#elif EVA_PART == 3
#include "tiledb/tiledb_keys.c"

enum { KEYS = 3, TEXT = 3, MEMORY = (KEYS + 1) * 24 + 2 * TEXT };

static uint32_t lent[MEMORY / 4 + 1];

utet_status utet_tiledb_copy(utet_tiledb *t, const utet_tiledb_text *text, uint8_t *buffer, size_t size)
{
    (void)t;
    /*@ assert room: size == 0 || \valid(&buffer[0 .. size - 1]); */
    if (size != text->size)
        return UTET_E_METADATA;
    if (size != 0)
        Frama_C_make_unknown((char *)buffer, size);
    return any_status();
}

void eva_main(void)
{
    utet_tiledb_keys keys;
    utet_tiledb_text text;
    const unsigned count = (unsigned)Frama_C_interval_split(0, KEYS);
    keys_record *records = (keys_record *)(void *)lent;
    unsigned i;

    (void)utet_tiledb_keys_init(&keys, lent, any32());
    Frama_C_make_unknown((char *)lent, sizeof lent);
    for (i = 0; i < count; i++) {
        records[i].child[0] = (uint32_t)Frama_C_interval(0, 2 * (int)count - 1);
        records[i].child[1] = (uint32_t)Frama_C_interval(0, 2 * (int)count - 1);
        records[i].text = (uint32_t)Frama_C_interval(MEMORY - TEXT - TEXT, MEMORY - TEXT);
        records[i].size = (uint32_t)Frama_C_interval(0, TEXT);
    }
    keys.count = count;
    keys.priv.memory = (uint8_t *)lent;
    keys.priv.text = MEMORY - TEXT;
    keys.priv.root = count == 0 ? 0 : (uint32_t)Frama_C_interval(0, 2 * (int)count - 1);
    tile.priv.file = &file;
    text.offset = any32();
    text.size = (uint32_t)Frama_C_interval_split(0, TEXT + 1);
    if (text.size > TEXT)
        text.size = MEMORY + any32() / 2;
    (void)utet_tiledb_keys_add(&keys, &tile, &text);
}
#elif EVA_PART == 4
void utet_tiledb_begin(utet_tiledb *t, uint32_t place)
{
    t->priv.place = place;
    t->priv.rule = 0;
}

/* Fields of the object within the bounds of their rules: any values here. */
utet_status utet_tiledb_walk(utet_tiledb *t, const utet_tiledb_rule *rules, void *object)
{
    (void)*(volatile const uint8_t *)&rules->op;
    (void)object;
    t->priv.place = any32();
    return any_status();
}

utet_status utet_tiledb_finish(utet_tiledb *t)
{
    t->priv.made = any32();
    return any_status();
}

#include "tiledb/tiledb_group.c"

void eva_main(void)
{
    utet_tiledb_group group;
    utet_tiledb_member member;

    Frama_C_make_unknown((char *)&tile, sizeof tile);
    Frama_C_make_unknown((char *)&group, sizeof group);
    Frama_C_make_unknown((char *)&member, sizeof member);
    tile.priv.step = (uint8_t)Frama_C_interval(0, 3);
    group.priv.tile = Frama_C_interval(0, 1) ? &tile : NULL;
    switch (Frama_C_interval(0, 2)) {
    case 0: (void)utet_tiledb_group_open(&group, &tile); break;
    case 1: (void)utet_tiledb_member_first(&group, &member); break;
    default: (void)utet_tiledb_member_next(&group, &member); break;
    }
}
#endif
