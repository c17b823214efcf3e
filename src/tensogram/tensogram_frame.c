/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The frames of a message, one after another (§2). Only headers and tails are read; both are small, so each is made
 * addressable as a whole. Every step advances by at least a header, so no length in the file makes it loop.
 */
#include <stdint.h>

#if SIZE_MAX >= 0xFFFFFFFF /* else nothing is left of this file: utet_tensogram.h says so */

#include "tensogram.h"

#include <string.h>

enum { PHASE_HEADER = 1, FRAME_PHASE_TENSORS, PHASE_FOOTER };

#define FLAG_DESCRIPTOR_LAST 1u
#define FLAG_HASHED 2u

#define FRAME_MAGIC 0x4652u    /* FR */
#define TAIL_MAGIC 0x454E4446u /* ENDF */

void utet_frame_start(const utet_message *message, utet_frame *frame)
{
    memset(frame, 0, sizeof *frame);
    frame->priv.next = message->offset + UTET_PREAMBLE_BYTES;
    frame->priv.old_hash = (message->flags & UTET_MESSAGE_HASHES_PRESENT) != 0;
}

/* The largest possible end of the message's frames; with an unknown length, the end of the file. */
static uint64_t frames_end(const utet_file *file, const utet_message *message)
{
    if (message->total_length == 0)
        return file->priv.io->size;
    return message->offset + message->total_length - UTET_POSTAMBLE_BYTES;
}

/* Of each type; 0 = there is no such type. */
static const uint8_t frame_phases[] = {0,
                                       PHASE_HEADER,
                                       PHASE_HEADER,
                                       PHASE_HEADER,
                                       0,
                                       PHASE_FOOTER,
                                       PHASE_FOOTER,
                                       PHASE_FOOTER,
                                       FRAME_PHASE_TENSORS,
                                       FRAME_PHASE_TENSORS};

/* In a message of unknown length, missing bytes have not come yet. In one of known length they are a fault. */
static utet_status too_short(const utet_message *message)
{
    return message->total_length == 0 ? UTET_E_SHORT : UTET_E_DIRECTORY;
}

/* The tail of the frame that was read last: end mark, hash, and where a descriptor begins. */
static utet_status frame_tail(utet_file *file, utet_frame *frame)
{
    uint32_t bytes = utet_frame_tail(frame->type);
    uint64_t begin;
    const uint8_t *at;
    utet_status status = utet_fetch(file, bytes, frame->priv.next - bytes);

    if (status != UTET_OK)
        return status;
    at = file->priv.at + bytes;
    file->error_offset = frame->offset;
    if (utet_be32(at - 4) != TAIL_MAGIC)
        return UTET_E_DIRECTORY;
    frame->hash = utet_be64(at - 12);
    if ((frame->flags & FLAG_HASHED) != 0)
        frame->hashed = UTET_HASH_FLAGGED;
    else
        frame->hashed = frame->hash != 0 && frame->priv.old_hash ? UTET_HASH_OLD : UTET_HASH_NONE;
    frame->priv.pending = 0;
    if (frame->type != UTET_FRAME_TENSOR)
        return UTET_OK;
    begin = utet_be64(at - 20);
    if (begin < UTET_FRAME_HEADER_BYTES || begin > frame->length - bytes)
        return UTET_E_DIRECTORY;
    frame->descriptor_offset = frame->offset + begin;
    frame->descriptor_length = frame->length - bytes - begin;
    if ((frame->flags & FLAG_DESCRIPTOR_LAST) != 0) {
        frame->content_length = begin - UTET_FRAME_HEADER_BYTES;
        return UTET_OK;
    }
    frame->content_offset = 0;
    frame->content_length = UINT64_MAX; /* until the descriptor has been read */
    return begin == UTET_FRAME_HEADER_BYTES ? UTET_OK : UTET_E_DIRECTORY;
}

/* Order of the frames: phases, and a preceder directly before its tensor. */
static utet_status frame_order(utet_frame *frame, unsigned type, unsigned last)
{
    unsigned phase = type < sizeof frame_phases ? frame_phases[type] : 0;

    if (phase < frame->priv.phase || phase == 0 || (last == UTET_FRAME_PRECEDER && type != UTET_FRAME_TENSOR))
        return UTET_E_DIRECTORY;
    if (phase == PHASE_FOOTER && frame->priv.phase != PHASE_FOOTER)
        frame->priv.footer = frame->priv.next;
    frame->priv.phase = (uint8_t)phase;
    if (type == UTET_FRAME_HEADER_METADATA || type == UTET_FRAME_FOOTER_METADATA)
        frame->priv.metadata = 1;
    return UTET_OK;
}

int utet_frame_begins(const uint8_t *at)
{
    unsigned type = utet_be32(at) & 0xFFFF;
    uint64_t length = utet_be64(at + 8);

    return utet_be32(at) >> 16 == FRAME_MAGIC && type < sizeof frame_phases && frame_phases[type] != 0 &&
           length >= UTET_FRAME_HEADER_BYTES + utet_frame_tail(type) && length >> 63 == 0;
}

/* Reads the header at priv.next and advances priv.next by the frame, at most `rest` bytes. Nothing is committed
 * before all of it has been checked. */
static utet_status frame_header(utet_file *file, const utet_message *message, utet_frame *frame, uint64_t rest)
{
    const uint8_t *at = file->priv.at;
    unsigned last = frame->type;
    uint32_t first = utet_be32(at);
    uint32_t second = utet_be32(at + 4);
    unsigned type = first & 0xFFFF;
    uint64_t length = utet_be64(at + 8);
    unsigned least = UTET_FRAME_HEADER_BYTES + utet_frame_tail(type);

    if (first >> 16 != FRAME_MAGIC || length < least || length >> 63 != 0 || frame_order(frame, type, last) != UTET_OK)
        return UTET_E_DIRECTORY;
    if (length > rest)
        return too_short(message);
    if (frame->length != 0) { /* this is not the first one */
        frame->number++;
        frame->object += last == UTET_FRAME_TENSOR;
    }
    frame->type = (uint16_t)type;
    frame->version = (uint16_t)(second >> 16);
    frame->flags = (uint16_t)second;
    frame->offset = frame->priv.next;
    frame->length = length;
    frame->hash = 0;
    frame->hashed = UTET_HASH_NONE;
    frame->content_offset = frame->offset + UTET_FRAME_HEADER_BYTES;
    frame->content_length = length - least;
    frame->descriptor_offset = 0;
    frame->descriptor_length = 0;
    frame->priv.next += length;
    frame->priv.pending = 1;
    return UTET_OK;
}

/* The bytes between an end mark and the next multiple of 8 from the message's beginning are zero. */
static utet_status frame_padding(utet_file *file, const utet_message *message, utet_frame *frame, uint64_t end)
{
    size_t bytes = (size_t)(message->offset - frame->priv.next) & 7;
    size_t i;
    utet_status status;

    if (bytes == 0)
        return UTET_OK;
    file->error_offset = frame->priv.next;
    if (end - frame->priv.next < bytes)
        return too_short(message);
    status = utet_fetch(file, bytes, frame->priv.next);
    if (status != UTET_OK)
        return status;
    for (i = 0; i < bytes; i++)
        if (file->priv.at[i] != 0)
            return UTET_E_DIRECTORY;
    frame->priv.next += bytes;
    return UTET_OK;
}

/* After the last frame. */
static utet_status frame_finish(utet_file *file, utet_message *message, utet_frame *frame)
{
    uint64_t footer = frame->priv.footer != 0 ? frame->priv.footer : frame->priv.next;
    utet_status status = utet_postamble(file, message, frame->priv.next);

    if (status != UTET_OK)
        return status;
    if (message->first_footer_offset != footer - message->offset)
        return UTET_E_SUPERBLOCK;
    file->error_offset = frame->offset;
    if (frame->type == UTET_FRAME_PRECEDER)
        return UTET_E_DIRECTORY;
    file->error_offset = message->offset;
    if (!frame->priv.metadata)
        return UTET_E_METADATA;
    frame->priv.ended = 1;
    frame->number++; /* there is always a metadata frame */
    frame->object += frame->type == UTET_FRAME_TENSOR;
    frame->type = 0;
    frame->length = 0;
    return UTET_END;
}

/* A frame or, in a message of unknown length, the postamble at priv.next. */
static utet_status frame_next(utet_file *file, utet_message *message, utet_frame *frame, uint64_t end)
{
    uint64_t rest = end - frame->priv.next;
    size_t bytes = UTET_FRAME_HEADER_BYTES;
    utet_status status;

    file->error_offset = frame->priv.next;
    if (message->total_length == 0)
        bytes = UTET_POSTAMBLE_BYTES; /* a frame is also longer than that */
    else if (rest == 0)
        return frame_finish(file, message, frame);
    if (rest < bytes)
        return too_short(message);
    status = utet_fetch(file, bytes, frame->priv.next);
    if (status != UTET_OK)
        return status;
    if (message->total_length == 0 && utet_ends_message(file->priv.at) && file->priv.at[0] != 'F')
        return frame_finish(file, message, frame);
    return frame_header(file, message, frame, rest);
}

utet_status utet_frame_step(utet_file *file, utet_message *message, utet_frame *frame)
{
    utet_status status = UTET_OK;
    uint64_t end;

    if (frame->priv.ended)
        return UTET_END;
    if (!frame->priv.pending || message->priv.forward) {
        if (frame->priv.pending)
            status = frame_tail(file, frame);
        end = frames_end(file, message);
        if (status == UTET_OK)
            status = frame_padding(file, message, frame, end);
        if (status == UTET_OK)
            status = frame_next(file, message, frame, end);
    }
    if (status == UTET_OK && !message->priv.forward)
        status = frame_tail(file, frame);
    return status;
}

static utet_status frame_read_one(utet_file *file, utet_message *message, utet_frame *frame, uint8_t call)
{
    utet_status status = utet_enter(file, call);

    if (status != UTET_OK)
        return status;
    if (file->priv.step == 0 && call == UTET_CALL_FRAME_FIRST)
        utet_frame_start(message, frame);
    file->priv.step = 1;
    return utet_leave(file, utet_frame_step(file, message, frame));
}

utet_status utet_frame_first(utet_file *file, utet_message *message, utet_frame *frame)
{
    return frame_read_one(file, message, frame, UTET_CALL_FRAME_FIRST);
}

utet_status utet_frame_next(utet_file *file, utet_message *message, utet_frame *frame)
{
    return frame_read_one(file, message, frame, UTET_CALL_FRAME_NEXT);
}

#endif
