/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Finding messages: the start magic, preamble and postamble (§1). */
#include <stdint.h>

#if SIZE_MAX >= 0xFFFFFFFF /* else nothing is left of this file: utet_tensogram.h says so */

#include "tensogram.h"

#include <stddef.h>
#include <string.h>

enum {
    TENSOGRAM_MESSAGE_BEGIN,
    TENSOGRAM_MESSAGE_SEARCH,
    TENSOGRAM_MESSAGE_PREAMBLE,
    TENSOGRAM_MESSAGE_POSTAMBLE,
    TENSOGRAM_MESSAGE_WALK
}; /* file->priv.step */

#define MAGIC_BYTES 8u
#define LEAST_MESSAGE (UTET_PREAMBLE_BYTES + UTET_POSTAMBLE_BYTES)

static const uint8_t start_magic[MAGIC_BYTES] = {'T', 'E', 'N', 'S', 'O', 'G', 'R', 'M'};
static const uint8_t end_magic[MAGIC_BYTES] = {'3', '9', '2', '7', '7', '7', '7', '7'};

/* To the next start magic: priv.next is moved past bytes where none begins. */
utet_status utet_message_search(utet_file *file, utet_message *message)
{
    for (;;) {
        uint64_t size = file->priv.io->size;
        utet_status status;
        size_t most;
        size_t i;

        message->skipped = size - message->priv.from;
        if (message->priv.next > size || size - message->priv.next < MAGIC_BYTES)
            return UTET_END;
        status = utet_fetch(file, MAGIC_BYTES, message->priv.next);
        if (status != UTET_OK)
            return status;
        most = file->priv.have - MAGIC_BYTES;
        for (i = 0; i <= most; i++)
            if (memcmp(file->priv.at + i, start_magic, MAGIC_BYTES) == 0) {
                message->priv.next += i;
                message->skipped = message->priv.next - message->priv.from;
                message->offset = message->priv.next;
                return UTET_OK;
            }
        message->priv.next += i;
    }
}

utet_status utet_preamble(utet_file *file, utet_message *message)
{
    uint64_t rest = file->priv.io->size - message->offset;
    uint32_t first;
    const uint8_t *at;
    utet_status status;

    file->error_offset = message->offset;
    if (rest < MAGIC_BYTES)
        return UTET_E_MAGIC;
    status = utet_fetch(file, rest < UTET_PREAMBLE_BYTES ? MAGIC_BYTES : UTET_PREAMBLE_BYTES, message->offset);
    if (status != UTET_OK)
        return status;
    at = file->priv.at;
    if (memcmp(at, start_magic, MAGIC_BYTES) != 0)
        return UTET_E_MAGIC;
    if (rest < UTET_PREAMBLE_BYTES)
        return UTET_E_SHORT;
    first = utet_be32(at + 8);
    message->version = (uint16_t)(first >> 16);
    message->flags = (uint16_t)first;
    message->reserved = utet_be32(at + 12);
    message->total_length = utet_be64(at + 16);
    if (message->version != UTET_TENSOGRAM_VERSION)
        return UTET_E_VERSION;
    if (message->total_length == 0)
        return UTET_OK;
    if (message->total_length < LEAST_MESSAGE || message->total_length >> 63 != 0)
        return UTET_E_SUPERBLOCK;
    return message->total_length > rest ? UTET_E_SHORT : UTET_OK;
}

int utet_ends_message(const uint8_t *at)
{
    return memcmp(at + UTET_POSTAMBLE_BYTES - MAGIC_BYTES, end_magic, MAGIC_BYTES) == 0;
}

utet_status utet_postamble(utet_file *file, utet_message *message, uint64_t offset)
{
    uint64_t length = offset + UTET_POSTAMBLE_BYTES - message->offset;
    utet_status status = utet_fetch(file, UTET_POSTAMBLE_BYTES, offset);
    const uint8_t *at = file->priv.at;

    if (status != UTET_OK)
        return status;
    message->postamble_offset = offset;
    message->first_footer_offset = utet_be64(at);
    message->postamble_length = utet_be64(at + 8);
    if (!utet_ends_message(at) || (message->postamble_length != 0 && message->postamble_length != length))
        return UTET_E_SUPERBLOCK;
    message->length = length;
    return UTET_OK;
}

/* The frames of a message whose length is not known, to its postamble. */
static utet_status tensogram_message_walk(utet_file *file, utet_message *message)
{
    utet_status status;

    do
        status = utet_frame_step(file, message, &message->priv.walk);
    while (status == UTET_OK);
    return status == UTET_END ? UTET_OK : status;
}

/* The message at message->offset. */
UTET_APART static utet_status read_message(utet_file *file, utet_message *message)
{
    utet_status status = UTET_OK;

    if (file->priv.step == TENSOGRAM_MESSAGE_PREAMBLE) {
        status = utet_preamble(file, message);
        if (status != UTET_OK || message->priv.forward)
            return status;
        file->priv.step = message->total_length != 0 ? TENSOGRAM_MESSAGE_POSTAMBLE : TENSOGRAM_MESSAGE_WALK;
        utet_frame_start(message, &message->priv.walk);
    }
    if (file->priv.step == TENSOGRAM_MESSAGE_POSTAMBLE)
        return utet_postamble(file, message, message->offset + message->total_length - UTET_POSTAMBLE_BYTES);
    return tensogram_message_walk(file, message);
}

/* Clears what is known of the message, but not the position where the search continues. */
static void tensogram_message_begin(utet_message *message, uint8_t forward)
{
    memset(message, 0, offsetof(utet_message, priv));
    message->priv.forward = forward;
}

void utet_message_begin(utet_message *message, uint64_t offset, uint8_t forward)
{
    tensogram_message_begin(message, forward);
    message->offset = offset;
    message->priv.from = offset;
    message->priv.next = offset;
}

/* Reads one message, and sets where to continue: after it, or one byte after the beginning of a broken one. */
static utet_status read_at(utet_file *file, utet_message *message)
{
    utet_status status = read_message(file, message);

    if (status == UTET_WOULD_BLOCK || message->priv.forward)
        return status;
    message->priv.next = status == UTET_OK ? message->offset + message->length : message->offset + 1;
    message->priv.from = message->priv.next;
    return status;
}

/* utet_message_first and utet_message_next. */
static utet_status tensogram_message_find(utet_file *file, utet_message *message, uint8_t call)
{
    utet_status status = utet_enter(file, call);

    if (status != UTET_OK)
        return status;
    if (file->priv.step == TENSOGRAM_MESSAGE_BEGIN) {
        if (call == UTET_CALL_MESSAGE_FIRST) {
            message->priv.from = 0;
            message->priv.next = 0;
        }
        tensogram_message_begin(message, 0);
        message->offset = message->priv.from;
        file->priv.step = TENSOGRAM_MESSAGE_SEARCH;
    }
    if (file->priv.step == TENSOGRAM_MESSAGE_SEARCH) {
        status = utet_message_search(file, message);
        if (status != UTET_OK)
            return utet_leave(file, status);
        file->priv.step = TENSOGRAM_MESSAGE_PREAMBLE;
    }
    return utet_leave(file, read_at(file, message));
}

utet_status utet_message_first(utet_file *file, utet_message *message)
{
    return tensogram_message_find(file, message, UTET_CALL_MESSAGE_FIRST);
}

utet_status utet_message_next(utet_file *file, utet_message *message)
{
    return tensogram_message_find(file, message, UTET_CALL_MESSAGE_NEXT);
}

static utet_status message_open_at(utet_file *file, uint64_t offset, utet_message *message, uint8_t call)
{
    utet_status status = utet_enter(file, call);

    if (status != UTET_OK)
        return status;
    if (file->priv.step == TENSOGRAM_MESSAGE_BEGIN) {
        if (offset > file->priv.io->size)
            return utet_leave(file, UTET_E_RANGE);
        utet_message_begin(message, offset, call == UTET_CALL_MESSAGE_FORWARD);
        file->priv.step = TENSOGRAM_MESSAGE_PREAMBLE;
    }
    return utet_leave(file, read_at(file, message));
}

utet_status utet_message_at(utet_file *file, uint64_t offset, utet_message *message)
{
    return message_open_at(file, offset, message, UTET_CALL_MESSAGE_AT);
}

utet_status utet_message_forward(utet_file *file, uint64_t offset, utet_message *message)
{
    return message_open_at(file, offset, message, UTET_CALL_MESSAGE_FORWARD);
}

#endif
