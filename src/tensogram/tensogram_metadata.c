/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Opening the metadata of a message (§3): iterates over all frames, reads and checks each metadata document once, and
 * keeps the values of known keys in the last one as items, that is, as positions.
 */
#include <stdint.h>

#if SIZE_MAX >= 0xFFFFFFFF /* else nothing is left of this file: utet_tensogram.h says so */

#include "tensogram.h"

#include <string.h>

/* priv.step of opening */
enum {
    TENSOGRAM_METADATA_FRAME,
    TENSOGRAM_METADATA_DOCUMENT,
    TENSOGRAM_METADATA_OTHER_KEY,
    TENSOGRAM_METADATA_OTHER_VALUE,
    TENSOGRAM_METADATA_IN_EXTRA
};

/* Maximum number of keys outside of _extra_ that are compared with it, which bounds the work; more are UTET_E_LIMIT. */
#define MOST_OTHERS 256u

/* Types of frames with a metadata document, a bit each. */
#define WITH_DOCUMENT (1u << UTET_FRAME_HEADER_METADATA | 1u << UTET_FRAME_FOOTER_METADATA | 1u << UTET_FRAME_PRECEDER)

const char utet_metadata_sections[] = "base\0"
                                      "_extra_\0"
                                      "_reserved_\0";

/* A key of the root: known ones come once, all are texts. */
static int root_key_fault(utet_metadata *metadata)
{
    const utet_cbor *reader = &metadata->reader;
    unsigned section = utet_name_of(reader, utet_metadata_sections);
    unsigned bit = 1u << section & ~(1u << UTET_SECTION_NONE);

    metadata->priv.section = (uint8_t)section;
    metadata->priv.reading.others += bit == 0;
    if (reader->token != UTET_CBOR_TEXT || (metadata->priv.seen & bit) != 0)
        return 1;
    metadata->priv.seen |= (uint8_t)bit;
    return 0;
}

/* Checks the token, one level below the root, against the rules, and notes the values that are kept. */
static int token_fault(utet_metadata *metadata)
{
    utet_metadata_document *document = &metadata->priv.reading;
    const utet_cbor *reader = &metadata->reader;
    unsigned token = reader->token;
    unsigned level = reader->depth - (unsigned)(token == UTET_CBOR_LIST || token == UTET_CBOR_MAP); /* it is in */
    unsigned section = metadata->priv.section;

    if (token == UTET_CBOR_CLOSE)
        return 0;
    if (level == 1 && reader->is_key)
        return root_key_fault(metadata);
    if (section == UTET_SECTION_BASE) {
        if (level == 1) {
            utet_cbor_item(reader, &document->base);
            return token != UTET_CBOR_LIST;
        }
        document->entries += level == 2;
        return level == 2 && token != UTET_CBOR_MAP;
    }
    if (level != 1 || section == UTET_SECTION_NONE)
        return 0;
    utet_cbor_item(reader, section == UTET_SECTION_EXTRA ? &document->extra : &document->reserved);
    return token != UTET_CBOR_MAP;
}

/* The document that begin_document has begun with, to its end. */
static utet_status read_document(utet_metadata *metadata)
{
    utet_cbor *reader = &metadata->reader;

    for (;;) {
        utet_status status = utet_cbor_token(reader);
        int fault;

        if (status != UTET_OK)
            return status;
        if (metadata->priv.reading.root.kind == UTET_CBOR_NULL) {
            utet_cbor_item(reader, &metadata->priv.reading.root);
            fault = reader->token != UTET_CBOR_MAP;
        } else if (reader->depth == 0) {
            return reader->next == reader->end ? UTET_OK : utet_cbor_fault(reader, reader->next);
        } else {
            fault = token_fault(metadata);
        }
        if (fault)
            return utet_cbor_fault(reader, reader->begin);
    }
}

/* The frame's content, if that is a metadata document. UTET_END: it is none. */
static utet_status begin_document(utet_metadata *metadata)
{
    const utet_frame *frame = &metadata->priv.walk;

    if ((1u << frame->type & WITH_DOCUMENT) == 0)
        return UTET_END;
    metadata->priv.section = UTET_SECTION_NONE;
    metadata->priv.seen = 0;
    memset(&metadata->priv.reading, 0, sizeof metadata->priv.reading);
    metadata->priv.file->error_offset = frame->content_offset;
    if (frame->content_length >= UTET_CBOR_LIMIT)
        return UTET_E_LIMIT;
    utet_cbor_begin(&metadata->reader, frame->content_offset, (uint32_t)frame->content_length);
    return UTET_OK;
}

/* The document is as it has to be. Next come its keys that are not known, if it has _extra_ as well. */
static utet_status take_document(utet_metadata *metadata)
{
    metadata->priv.file->error_offset = metadata->priv.walk.content_offset;
    if (metadata->priv.walk.type == UTET_FRAME_PRECEDER) {
        metadata->preceders++;
        if (metadata->priv.reading.entries != 1)
            return UTET_E_METADATA;
    } else {
        metadata->frame = metadata->priv.walk;
        metadata->document = metadata->priv.reading;
    }
    metadata->priv.step = TENSOGRAM_METADATA_FRAME;
    if (metadata->priv.reading.others == 0 || metadata->priv.reading.extra.kind == UTET_CBOR_NULL)
        return UTET_OK;
    metadata->priv.step = TENSOGRAM_METADATA_OTHER_KEY;
    return metadata->priv.reading.others > MOST_OTHERS ? UTET_E_LIMIT : UTET_OK;
}

/* The keys of the root that belong to _extra_ must not be there as well. The root's item is the cursor here. */
static utet_status other_key(utet_metadata *metadata)
{
    utet_status status = utet_item_key(&metadata->reader, &metadata->priv.reading.root, &metadata->priv.other);

    if (status == UTET_OK) {
        if (utet_name_of(&metadata->reader, utet_metadata_sections) != UTET_SECTION_NONE)
            metadata->priv.other.kind = UTET_CBOR_NULL;
        metadata->priv.step = TENSOGRAM_METADATA_OTHER_VALUE;
    } else if (status == UTET_END) {
        metadata->priv.step = TENSOGRAM_METADATA_FRAME;
        status = UTET_OK;
    }
    return status;
}

static utet_status other_value(utet_metadata *metadata)
{
    utet_item value;
    utet_status status = utet_item_value(&metadata->reader, &metadata->priv.reading.root, &value);

    if (status == UTET_OK) {
        utet_metadata_aim(metadata, &metadata->priv.reading.extra);
        metadata->priv.step = TENSOGRAM_METADATA_IN_EXTRA;
    }
    return status;
}

static utet_status in_extra(utet_metadata *metadata)
{
    utet_status status = utet_metadata_search_key(metadata, &metadata->priv.other);

    if (status == UTET_E_NOT_FOUND) {
        metadata->priv.step = TENSOGRAM_METADATA_OTHER_KEY;
        return UTET_OK;
    }
    if (status != UTET_OK)
        return status;
    metadata->priv.file->error_offset = metadata->priv.other.place;
    return UTET_E_METADATA;
}

/* One step of opening; UTET_END when the last frame has been passed. */
static utet_status open_step(utet_metadata *metadata)
{
    utet_status status = UTET_OK;

    switch (metadata->priv.step) {
    case TENSOGRAM_METADATA_FRAME:
        status = utet_frame_step(metadata->priv.file, metadata->priv.message, &metadata->priv.walk);
        if (status == UTET_OK) {
            status = begin_document(metadata);
            metadata->priv.step = status == UTET_OK ? TENSOGRAM_METADATA_DOCUMENT : TENSOGRAM_METADATA_FRAME;
            return status == UTET_END ? UTET_OK : status;
        }
        return status;
    case TENSOGRAM_METADATA_DOCUMENT:
        status = read_document(metadata);
        return status == UTET_OK ? take_document(metadata) : status;
    case TENSOGRAM_METADATA_OTHER_KEY: return other_key(metadata);
    case TENSOGRAM_METADATA_OTHER_VALUE: return other_value(metadata);
    default: return in_extra(metadata);
    }
}

static utet_status tensogram_metadata_finish(utet_metadata *metadata)
{
    metadata->frames = metadata->priv.walk.number;
    metadata->objects = metadata->priv.walk.object;
    metadata->priv.file->error_offset = metadata->frame.content_offset;
    return metadata->document.entries <= metadata->objects ? UTET_OK : UTET_E_METADATA;
}

utet_status utet_metadata_open(utet_metadata *metadata, utet_file *file, utet_message *message, uint32_t *levels,
                               uint16_t most)
{
    uint8_t busy = file->priv.busy;
    utet_status status = utet_enter(file, UTET_CALL_METADATA_OPEN);

    if (status != UTET_OK)
        return status;
    if (busy == UTET_CALL_NONE) {
        memset(metadata, 0, sizeof *metadata);
        metadata->priv.file = file;
        metadata->priv.message = message;
        utet_frame_start(message, &metadata->priv.walk);
        utet_cbor_use(&metadata->reader, file, levels, most, UTET_E_METADATA);
    }
    do
        status = open_step(metadata);
    while (status == UTET_OK);
    if (status == UTET_END) {
        status = tensogram_metadata_finish(metadata);
        metadata->priv.open = status == UTET_OK;
    }
    return utet_leave(file, status);
}

utet_status utet_metadata_enter(utet_metadata *metadata, uint8_t call)
{
    utet_file *file = metadata->priv.file;
    uint8_t busy;
    utet_status status;

    if (!metadata->priv.open)
        return UTET_E_STATE;
    busy = file->priv.busy;
    status = utet_enter(file, call);
    if (status == UTET_OK && busy == UTET_CALL_NONE) {
        metadata->priv.step = 0;
        metadata->reader.priv.step = 0;
    }
    return status;
}

utet_status utet_metadata_enter_with(utet_metadata *metadata, uint8_t call, const utet_segment *segments,
                                     const char *text, size_t length)
{
    utet_status status = utet_metadata_enter(metadata, call);

    if (status != UTET_OK)
        return status;
    if (metadata->priv.step == 0) {
        metadata->priv.find.segments = segments;
        metadata->priv.find.dotted = text;
        metadata->priv.find.length = length;
    } else if (metadata->priv.find.segments != segments || metadata->priv.find.dotted != text ||
               metadata->priv.find.length != length) {
        return UTET_E_STATE; /* it stays suspended */
    }
    return UTET_OK;
}

#endif
