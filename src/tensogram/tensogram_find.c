/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The merged view (§3.2): for each tensor the entry of base and, over it, the entry of its preceder; then _extra_ and
 * the keys that count as its own. Preceders are found by walking the frames in step with the entries, so none is kept;
 * a cursor keeps where that walk is.
 */
#include <stdint.h>

#if SIZE_MAX >= 0xFFFFFFFF /* else nothing is left of this file: utet_tensogram.h says so */

#include "tensogram.h"

/* priv.step */
enum {
    TENSOGRAM_FIND_BEGIN,
    TENSOGRAM_FIND_WALK,   /* moves to the tensor's frame, past its preceder */
    TENSOGRAM_FIND_ROOT,   /* the first token of a preceder's document */
    TENSOGRAM_FIND_LIST,   /* its base */
    TENSOGRAM_FIND_FIRST,  /* and the entry there */
    TENSOGRAM_FIND_SHADOW, /* whether that has the first key */
    TENSOGRAM_FIND_ENTRY,  /* the tensor's entry of base */
    TENSOGRAM_FIND_PATH,   /* down the path from where the search began */
    TENSOGRAM_FIND_EXTRA,
    TENSOGRAM_FIND_OTHERS, /* keys outside of _extra_ */
    TENSOGRAM_FIND_NOWHERE
};

/* The segment that is looked for. A dotted path is cut again each time: paths are short. */
static utet_segment tensogram_find_wanted(const utet_metadata *metadata)
{
    utet_segment segment = {metadata->priv.find.dotted, 0};
    size_t left = metadata->priv.find.segment;
    const char *end;

    if (metadata->priv.find.segments != NULL)
        return metadata->priv.find.segments[left];
    end = metadata->priv.find.dotted + metadata->priv.find.length;
    for (; left != 0; segment.text++)
        left -= *segment.text == '.';
    while (segment.text + segment.length < end && segment.text[segment.length] != '.')
        segment.length++;
    return segment;
}

static int is_last(const utet_metadata *metadata, const utet_segment *segment)
{
    if (metadata->priv.find.segments != NULL)
        return metadata->priv.find.segment + 1 == metadata->priv.find.length;
    return segment->text + segment->length == metadata->priv.find.dotted + metadata->priv.find.length;
}

/* Returns nonzero if the search is for a path, dotted ("" with segments), not for the entry of a tensor. */
static int has_path(const utet_metadata *metadata)
{
    return metadata->priv.find.dotted != NULL;
}

/* Goes down the path from `map`. When a key is missing, the step `miss` is next. */
static void tensogram_find_descend(utet_metadata *metadata, const utet_item *map, uint8_t miss)
{
    metadata->priv.find.segment = 0;
    metadata->priv.miss = miss;
    metadata->priv.step = map->kind == UTET_CBOR_MAP ? TENSOGRAM_FIND_PATH : miss;
    utet_metadata_aim(metadata, map);
}

static utet_status tensogram_find_path(utet_metadata *metadata)
{
    for (;;) {
        utet_segment segment = tensogram_find_wanted(metadata);
        utet_status status = utet_metadata_search(metadata, segment.text, segment.length);

        if (status == UTET_OK && is_last(metadata, &segment))
            return UTET_END; /* in search.item */
        if (status == UTET_E_NOT_FOUND || (status == UTET_OK && metadata->priv.search.item.kind != UTET_CBOR_MAP)) {
            metadata->priv.step = metadata->priv.miss;
            return UTET_OK;
        }
        if (status != UTET_OK)
            return status;
        metadata->priv.find.segment++;
        utet_metadata_aim(metadata, &metadata->priv.search.item);
    }
}

static void tensogram_find_begin(utet_metadata *metadata)
{
    utet_frame_start(metadata->priv.message, &metadata->priv.walk);
    metadata->priv.find.entries = metadata->document.base;
    metadata->priv.find.preceder.kind = UTET_CBOR_NULL;
    metadata->priv.find.entry = 0;
    metadata->priv.shadowed = 0;
    metadata->priv.find.segment = 0;
    metadata->priv.section = UTET_SECTION_NONE;
    if (has_path(metadata)) {
        utet_segment segment = tensogram_find_wanted(metadata);

        metadata->priv.section = (uint8_t)utet_name_number(utet_metadata_sections, segment.text, segment.length);
    }
    metadata->priv.step = metadata->priv.section == UTET_SECTION_RESERVED ? TENSOGRAM_FIND_EXTRA : TENSOGRAM_FIND_WALK;
}

/* Continues to the frame of the next tensor, through its preceder. `target`: the only requested tensor. */
static utet_status tensogram_find_walk(utet_metadata *metadata, uint32_t target)
{
    const utet_frame *frame = &metadata->priv.walk;

    if (metadata->priv.find.entry == metadata->objects ||
        (metadata->preceders == 0 && has_path(metadata) && metadata->priv.find.entry == metadata->document.entries)) {
        metadata->priv.step = TENSOGRAM_FIND_EXTRA;
        return UTET_OK;
    }
    metadata->priv.step = TENSOGRAM_FIND_ENTRY;
    while (metadata->preceders != 0) {
        utet_status status = utet_frame_step(metadata->priv.file, metadata->priv.message, &metadata->priv.walk);

        if (status != UTET_OK) {
            metadata->priv.step = TENSOGRAM_FIND_WALK;
            return status == UTET_END ? UTET_E_METADATA : status; /* the medium has changed */
        }
        if (frame->type == UTET_FRAME_TENSOR)
            break;
        if (frame->type == UTET_FRAME_PRECEDER && (has_path(metadata) || metadata->priv.find.entry == target)) {
            if (frame->content_length >= UTET_CBOR_LIMIT)
                return UTET_E_METADATA;
            utet_cbor_begin(&metadata->reader, frame->content_offset, (uint32_t)frame->content_length);
            metadata->priv.step = TENSOGRAM_FIND_ROOT;
            break;
        }
    }
    return UTET_OK;
}

/* The parts of a preceder's document that lead to its entry. */
static utet_status tensogram_find_preceder(utet_metadata *metadata)
{
    utet_item item;
    utet_status status;

    if (metadata->priv.step == TENSOGRAM_FIND_ROOT) {
        status = utet_cbor_token(&metadata->reader);
        if (status != UTET_OK)
            return status;
        utet_cbor_item(&metadata->reader, &item);
        utet_metadata_aim(metadata, &item);
        metadata->priv.step = TENSOGRAM_FIND_LIST;
    }
    if (metadata->priv.step == TENSOGRAM_FIND_LIST) {
        status = utet_metadata_search(metadata, "base", 4);
        if (status != UTET_OK)
            return status == UTET_E_NOT_FOUND ? UTET_E_METADATA : status;
        utet_metadata_aim(metadata, &metadata->priv.search.item);
        metadata->priv.step = TENSOGRAM_FIND_FIRST;
    }
    status = utet_item_entry(&metadata->reader, &metadata->priv.search.list, &item, &metadata->priv.find.preceder);
    if (status != UTET_OK)
        return status == UTET_END ? UTET_E_METADATA : status;
    metadata->priv.step = has_path(metadata) ? TENSOGRAM_FIND_SHADOW : TENSOGRAM_FIND_WALK;
    metadata->priv.find.segment = 0; /* the path may have ended further down in an earlier entry */
    utet_metadata_aim(metadata, &metadata->priv.find.preceder);
    return UTET_OK;
}

/* A preceder that has the first key replaces what the entry has there. */
static utet_status tensogram_find_shadow(utet_metadata *metadata)
{
    utet_segment segment = tensogram_find_wanted(metadata);
    utet_status status = utet_metadata_search(metadata, segment.text, segment.length);

    if (status != UTET_OK && status != UTET_E_NOT_FOUND)
        return status;
    metadata->priv.step = TENSOGRAM_FIND_WALK;
    metadata->priv.shadowed = status == UTET_OK;
    if (status == UTET_OK)
        tensogram_find_descend(metadata, &metadata->priv.find.preceder, TENSOGRAM_FIND_WALK);
    return UTET_OK;
}

/* The next entry of base. UTET_END: it is the requested tensor, whose entry is in search.item. */
static utet_status tensogram_find_entry(utet_metadata *metadata, uint32_t target)
{
    utet_item *item = &metadata->priv.search.item;
    utet_item key;
    utet_status status = utet_item_entry(&metadata->reader, &metadata->priv.find.entries, &key, item);

    if (status == UTET_END)
        item->kind = UTET_CBOR_NULL;
    else if (status != UTET_OK)
        return status;
    if (!has_path(metadata) && metadata->priv.find.entry == target)
        return UTET_END;
    metadata->priv.find.entry++;
    metadata->priv.step = TENSOGRAM_FIND_WALK;
    if (has_path(metadata) && !metadata->priv.shadowed)
        tensogram_find_descend(metadata, item, TENSOGRAM_FIND_WALK);
    metadata->priv.shadowed = 0;
    return UTET_OK;
}

/* Keys of the root, unless the first key of the path is one of the known ones. */
static utet_status tensogram_find_others(utet_metadata *metadata)
{
    metadata->priv.step = TENSOGRAM_FIND_NOWHERE;
    if (metadata->document.others != 0 && metadata->priv.section == UTET_SECTION_NONE)
        tensogram_find_descend(metadata, &metadata->document.root, TENSOGRAM_FIND_NOWHERE);
    return UTET_OK;
}

/* UTET_END: found, in search.item. */
static utet_status tensogram_find_step(utet_metadata *metadata, uint32_t target)
{
    switch (metadata->priv.step) {
    case TENSOGRAM_FIND_BEGIN: tensogram_find_begin(metadata); return UTET_OK;
    case TENSOGRAM_FIND_WALK: return tensogram_find_walk(metadata, target);
    case TENSOGRAM_FIND_ROOT:
    case TENSOGRAM_FIND_LIST:
    case TENSOGRAM_FIND_FIRST: return tensogram_find_preceder(metadata);
    case TENSOGRAM_FIND_SHADOW: return tensogram_find_shadow(metadata);
    case TENSOGRAM_FIND_ENTRY: return tensogram_find_entry(metadata, target);
    case TENSOGRAM_FIND_PATH: return tensogram_find_path(metadata);
    case TENSOGRAM_FIND_EXTRA:
        tensogram_find_descend(metadata, &metadata->document.extra, TENSOGRAM_FIND_OTHERS);
        return UTET_OK;
    case TENSOGRAM_FIND_OTHERS: return tensogram_find_others(metadata);
    default: return UTET_E_NOT_FOUND;
    }
}

static utet_status tensogram_find_run(utet_metadata *metadata, uint32_t target)
{
    utet_status status;

    do
        status = tensogram_find_step(metadata, target);
    while (status == UTET_OK);
    return status == UTET_END ? UTET_OK : status;
}

static utet_status tensogram_find_key(utet_metadata *metadata, const utet_segment *segments, const char *dotted,
                                      size_t length, utet_item *value)
{
    const uint8_t call = segments != NULL ? UTET_CALL_METADATA_FIND : UTET_CALL_METADATA_FIND_DOTTED;
    utet_status status = utet_metadata_enter_with(metadata, call, segments, dotted, length);

    if (status != UTET_OK)
        return status;
    status = tensogram_find_run(metadata, UINT32_MAX);
    if (status == UTET_OK)
        *value = metadata->priv.search.item;
    return utet_leave(metadata->priv.file, status);
}

utet_status utet_metadata_find(utet_metadata *metadata, const utet_segment *path_segments, size_t segments,
                               utet_item *value)
{
    return segments != 0 ? tensogram_find_key(metadata, path_segments, "", segments, value) : UTET_E_ARGUMENT;
}

utet_status utet_metadata_find_dotted(utet_metadata *metadata, const char *dotted, size_t length, utet_item *value)
{
    return tensogram_find_key(metadata, NULL, length != 0 ? dotted : "", length, value);
}

utet_status utet_metadata_entry(utet_metadata *metadata, uint32_t object, utet_item *item, utet_item *over)
{
    utet_status status = utet_metadata_enter(metadata, UTET_CALL_METADATA_ENTRY);

    if (status != UTET_OK)
        return status;
    metadata->priv.find.dotted = NULL;
    status = object < metadata->objects ? tensogram_find_run(metadata, object) : UTET_E_RANGE;
    if (status == UTET_OK) {
        *item = metadata->priv.search.item;
        *over = metadata->priv.find.preceder;
    }
    return utet_leave(metadata->priv.file, status);
}

/* ---- cursors ---- */

/* Continues where the cursor is: at the tensor after its own. */
static void tensogram_find_resume(utet_metadata *metadata, const utet_entry *cursor)
{
    metadata->priv.walk = cursor->priv.walk;
    metadata->priv.find.entries = cursor->priv.entries;
    metadata->priv.find.preceder.kind = UTET_CBOR_NULL;
    metadata->priv.find.entry = cursor->object + 1;
    metadata->priv.step = TENSOGRAM_FIND_WALK;
}

/* utet_entry_first and utet_entry_next. */
static utet_status tensogram_find_move(utet_metadata *metadata, utet_entry *cursor, uint8_t call)
{
    utet_status status = utet_metadata_enter(metadata, call);

    if (status != UTET_OK)
        return status;
    metadata->priv.find.dotted = NULL;
    if (metadata->priv.step == TENSOGRAM_FIND_BEGIN) {
        if (call == UTET_CALL_ENTRY_FIRST)
            tensogram_find_begin(metadata);
        else
            tensogram_find_resume(metadata, cursor);
        if (metadata->priv.find.entry >= metadata->objects)
            return utet_leave(metadata->priv.file, UTET_END);
    }
    status = tensogram_find_run(metadata, metadata->priv.find.entry);
    if (status == UTET_OK) {
        cursor->object = metadata->priv.find.entry;
        cursor->entry = metadata->priv.search.item;
        cursor->preceder = metadata->priv.find.preceder;
        cursor->priv.entries = metadata->priv.find.entries;
        cursor->priv.walk = metadata->priv.walk;
    }
    return utet_leave(metadata->priv.file, status);
}

utet_status utet_entry_first(utet_metadata *metadata, utet_entry *cursor)
{
    return tensogram_find_move(metadata, cursor, UTET_CALL_ENTRY_FIRST);
}

utet_status utet_entry_next(utet_metadata *metadata, utet_entry *cursor)
{
    return tensogram_find_move(metadata, cursor, UTET_CALL_ENTRY_NEXT);
}

/* Which of the two has the first key of the path: the preceder, or else the entry. */
static utet_status tensogram_find_choose(utet_metadata *metadata, const utet_entry *from)
{
    utet_segment segment = tensogram_find_wanted(metadata);
    utet_status status = UTET_E_NOT_FOUND;

    if (from->preceder.kind == UTET_CBOR_MAP &&
        utet_name_number(utet_metadata_sections, segment.text, segment.length) != UTET_SECTION_RESERVED)
        status = utet_metadata_search(metadata, segment.text, segment.length);
    if (status != UTET_OK && status != UTET_E_NOT_FOUND)
        return status;
    tensogram_find_descend(metadata, status == UTET_OK ? &from->preceder : &from->entry, TENSOGRAM_FIND_NOWHERE);
    return UTET_OK;
}

static utet_status find_in(utet_metadata *metadata, const utet_entry *from, const utet_segment *segments,
                           const char *dotted, size_t length, utet_item *value)
{
    const uint8_t call = segments != NULL ? UTET_CALL_ENTRY_FIND : UTET_CALL_ENTRY_FIND_DOTTED;
    utet_status status = utet_metadata_enter_with(metadata, call, segments, dotted, length);

    if (status != UTET_OK)
        return status;
    if (metadata->priv.step == TENSOGRAM_FIND_BEGIN) {
        metadata->priv.find.segment = 0;
        metadata->priv.step = TENSOGRAM_FIND_SHADOW;
        utet_metadata_aim(metadata, &from->preceder);
    }
    if (metadata->priv.step == TENSOGRAM_FIND_SHADOW)
        status = tensogram_find_choose(metadata, from);
    if (status == UTET_OK && metadata->priv.step == TENSOGRAM_FIND_PATH)
        status = tensogram_find_path(metadata);
    if (status == UTET_END) {
        *value = metadata->priv.search.item;
        return utet_leave(metadata->priv.file, UTET_OK);
    }
    return utet_leave(metadata->priv.file, status == UTET_OK ? UTET_E_NOT_FOUND : status);
}

utet_status utet_entry_find(utet_metadata *metadata, const utet_entry *from, const utet_segment *path_segments,
                            size_t segments, utet_item *value)
{
    return segments != 0 ? find_in(metadata, from, path_segments, "", segments, value) : UTET_E_ARGUMENT;
}

utet_status utet_entry_find_dotted(utet_metadata *metadata, const utet_entry *from, const char *dotted, size_t length,
                                   utet_item *value)
{
    return find_in(metadata, from, NULL, length != 0 ? dotted : "", length, value);
}

#endif
