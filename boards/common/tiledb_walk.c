/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
#include "tiledb_walk.h"

#include <string.h>

enum { PIECE = 24, FOUND = 3 }; /* bytes of one read; items of each kind that are also searched by name */

/* Repeats a call until it returns another status than "not yet". */
#define DRIVEN(w, call)                            \
    do {                                           \
        do {                                       \
            (w)->status = (call);                  \
        } while ((w)->status == UTET_WOULD_BLOCK); \
    } while (0)

static void see(tiledb_walk *w, uint64_t value)
{
    unsigned i;

    for (i = 0; i < 8; i++)
        w->digest = (w->digest ^ (uint8_t)(value >> (8 * i))) * 0x100000001B3u;
}

static void see_text(tiledb_walk *w, utet_tiledb_text text)
{
    uint8_t piece[PIECE];
    size_t got;
    size_t i;

    if (w->status != UTET_OK)
        return;
    see(w, text.size);
    for (;;) {
        DRIVEN(w, utet_tiledb_read(&w->tile, &text, piece, sizeof piece, &got));
        if (w->status != UTET_OK)
            break;
        for (i = 0; i < got; i++)
            see(w, piece[i]);
    }
    if (w->status == UTET_END)
        w->status = UTET_OK;
}

static void see_filters(tiledb_walk *w, utet_tiledb_filters filters)
{
    utet_tiledb_filter filter;

    if (w->status != UTET_OK)
        return;
    see(w, filters.max_chunk_size);
    see(w, filters.count);
    for (;;) {
        DRIVEN(w, utet_tiledb_filter_next(&w->tile, &filters, &filter));
        if (w->status != UTET_OK)
            break;
        see(w, filter.type | (uint64_t)filter.reinterpret << 8 | (uint64_t)filter.format << 16 |
                   (uint64_t)filter.lossless << 24 | (uint64_t)(uint32_t)filter.level << 32);
        see(w, filter.window | (uint64_t)filter.quality << 32);
        see(w, filter.extent[0] | (uint64_t)filter.extent[1] << 16 | (uint64_t)filter.byte_width << 32);
        see(w, filter.factor);
        see(w, filter.offset);
    }
    if (w->status == UTET_END)
        w->status = UTET_OK;
}

/* Checks that a search for a short name finds this item, or an earlier one. */
static void look_up(tiledb_walk *w, const utet_tiledb_item *item)
{
    char name[PIECE];
    utet_tiledb_text text = item->name;
    utet_tiledb_item found;
    size_t got;

    if (w->status != UTET_OK || text.size == 0 || text.size > sizeof name || item->number >= FOUND)
        return;
    DRIVEN(w, utet_tiledb_read(&w->tile, &text, name, sizeof name, &got));
    if (w->status != UTET_OK)
        return;
    DRIVEN(w, utet_tiledb_find(&w->of.schema, item->kind, name, got, &found));
    if (w->status == UTET_E_NOT_FOUND || (w->status == UTET_OK && found.number > item->number))
        w->mistakes++;
    if (w->status == UTET_E_NOT_FOUND)
        w->status = UTET_OK;
}

static void see_item(tiledb_walk *w, const utet_tiledb_item *item)
{
    see(w, item->kind | (uint64_t)item->datatype << 8 | (uint64_t)item->null_extent << 16 |
               (uint64_t)item->nullable << 24 | (uint64_t)item->fill_validity << 32 | (uint64_t)item->order << 40 |
               (uint64_t)item->relative << 48 | (uint64_t)item->external << 56);
    see(w, item->number | (uint64_t)item->cell_val_num << 32);
    see(w, item->dimension);
    see_text(w, item->name);
    see_filters(w, item->filters);
    see_text(w, item->domain);
    see_text(w, item->extent);
    see_text(w, item->fill);
    see_text(w, item->enumeration);
    see_text(w, item->uri);
    see_text(w, item->attribute);
    see_text(w, item->path);
    see_text(w, item->least);
    see_text(w, item->greatest);
    look_up(w, item);
}

static void walk_schema(tiledb_walk *w, int check)
{
    utet_tiledb_schema *schema = &w->of.schema;
    utet_tiledb_item item;
    unsigned kind;

    DRIVEN(w, utet_tiledb_schema_open(schema, &w->tile));
    if (w->status == UTET_OK && check)
        DRIVEN(w, utet_tiledb_schema_check(schema));
    if (w->status != UTET_OK)
        return;
    see(w, schema->version | (uint64_t)schema->allows_dups << 32 | (uint64_t)schema->array_type << 40 |
               (uint64_t)schema->tile_order << 48 | (uint64_t)schema->cell_order << 56);
    see(w, schema->capacity);
    see_filters(w, schema->coords);
    see_filters(w, schema->offsets);
    see_filters(w, schema->validity);
    for (kind = 0; kind < UTET_TILEDB_KINDS && w->status == UTET_OK; kind++) {
        DRIVEN(w, utet_tiledb_first(schema, kind, &item));
        see(w, schema->count[kind]);
        while (w->status == UTET_OK) {
            see_item(w, &item);
            if (w->status == UTET_OK)
                DRIVEN(w, utet_tiledb_next(schema, &item));
        }
        if (w->status == UTET_END)
            w->status = UTET_OK;
    }
    see(w, schema->current_domain);
}

static void look_up_value(tiledb_walk *w, utet_tiledb_text value, uint32_t index)
{
    utet_tiledb_enumeration *enumeration = &w->of.enumeration;
    uint8_t bytes[PIECE];
    uint32_t found = 0;
    size_t got = 0;

    if (w->status != UTET_OK || value.size > sizeof bytes || index >= FOUND)
        return;
    DRIVEN(w, utet_tiledb_read(&w->tile, &value, bytes, sizeof bytes, &got));
    if (w->status != UTET_OK && w->status != UTET_END)
        return;
    DRIVEN(w, utet_tiledb_value_find(enumeration, bytes, got, &found));
    if (w->status == UTET_E_NOT_FOUND || (w->status == UTET_OK && found > index))
        w->mistakes++;
    if (w->status == UTET_E_NOT_FOUND)
        w->status = UTET_OK;
}

static void walk_enumeration(tiledb_walk *w, int check)
{
    utet_tiledb_enumeration *enumeration = &w->of.enumeration;
    utet_tiledb_text value;
    uint32_t i;

    DRIVEN(w, utet_tiledb_enumeration_open(enumeration, &w->tile));
    if (w->status == UTET_OK && check)
        DRIVEN(w, utet_tiledb_enumeration_check(enumeration));
    if (w->status != UTET_OK)
        return;
    see(w, enumeration->cell_val_num | (uint64_t)enumeration->count << 32);
    see(w, enumeration->datatype | (uint64_t)enumeration->ordered << 8);
    see_text(w, enumeration->name);
    see_text(w, enumeration->path);
    for (i = 0; i < enumeration->count && w->status == UTET_OK; i++) {
        DRIVEN(w, utet_tiledb_value(enumeration, i, &value));
        see_text(w, value);
        look_up_value(w, value, i);
    }
}

static void walk_entries(tiledb_walk *w)
{
    utet_tiledb_entry entry;
    utet_tiledb_entry found;
    char key[PIECE];
    size_t got = 0;

    DRIVEN(w, utet_tiledb_entry_first(&w->tile, &entry));
    while (w->status == UTET_OK) {
        utet_tiledb_text text = entry.key;

        see(w, entry.count | (uint64_t)entry.deleted << 32 | (uint64_t)entry.datatype << 40);
        see_text(w, entry.key);
        see_text(w, entry.value);
        if (w->status == UTET_OK && text.size <= sizeof key) {
            DRIVEN(w, utet_tiledb_read(&w->tile, &text, key, sizeof key, &got));
            if (!UTET_IS_ERROR(w->status))
                DRIVEN(w, utet_tiledb_entry_find(&w->tile, key, got, &found));
            w->mistakes += w->status == UTET_E_NOT_FOUND;
        }
        if (w->status == UTET_OK)
            DRIVEN(w, utet_tiledb_entry_next(&w->tile, &entry));
    }
    if (w->status == UTET_END)
        w->status = UTET_OK;
}

static void walk_members(tiledb_walk *w)
{
    utet_tiledb_group *group = &w->of.group;
    utet_tiledb_member member;

    DRIVEN(w, utet_tiledb_group_open(group, &w->tile));
    if (w->status != UTET_OK)
        return;
    see(w, group->version);
    see(w, group->count);
    DRIVEN(w, utet_tiledb_member_first(group, &member));
    while (w->status == UTET_OK) {
        see(w, member.version | (uint64_t)member.type << 32 | (uint64_t)member.relative << 40 |
                   (uint64_t)member.named << 48 | (uint64_t)member.deleted << 56);
        see_text(w, member.uri);
        see_text(w, member.name);
        if (w->status == UTET_OK)
            DRIVEN(w, utet_tiledb_member_next(group, &member));
    }
    if (w->status == UTET_END)
        w->status = UTET_OK;
}

void tiledb_walk_all(tiledb_walk *w, utet_file *file, const utet_tiledb_options *options, int kind, int check)
{
    w->digest = 0xCBF29CE484222325u;
    w->mistakes = 0;
    DRIVEN(w, utet_tiledb_open(&w->tile, file, options));
    if (w->status != UTET_OK)
        return;
    see(w, w->tile.version);
    see(w, w->tile.size);
    if (kind == TILEDB_WALK_SCHEMA)
        walk_schema(w, check);
    else if (kind == TILEDB_WALK_ENUMERATION)
        walk_enumeration(w, check);
    else if (kind == TILEDB_WALK_GROUP)
        walk_members(w);
    else
        walk_entries(w);
}
