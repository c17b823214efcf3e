/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Strict mode (§3.3, §3.4): one pass through the metadata frame that counts. The rules of deterministic encoding for
 * heads are in the tokens' flags; the order of keys is compared as they are encoded, with the last one of the same
 * map. */
#include <stdint.h>

#if SIZE_MAX >= 0xFFFFFFFF /* else nothing is left of this file: utet_tensogram.h says so */

#include "tensogram.h"

#include <string.h>

enum { TENSOGRAM_RULES_BEGIN, TENSOGRAM_RULES_TOKEN, TENSOGRAM_RULES_COMPARE }; /* state->priv.step */

#define PIECE 16u
#define NOT_DETERMINISTIC (UTET_CBOR_LONG | UTET_CBOR_INDEFINITE | UTET_CBOR_TAGGED)

static int not_deterministic(const utet_cbor *reader)
{
    return (reader->flags & NOT_DETERMINISTIC) != 0 ||
           (reader->token == UTET_CBOR_FLOAT && utet_cbor_float_is_long(reader));
}

static int against_types(const utet_cbor *reader)
{
    return reader->token == UTET_CBOR_UNDEFINED || reader->token == UTET_CBOR_BYTES ||
           (reader->flags & UTET_CBOR_TAGGED) != 0 || (reader->is_key && reader->token != UTET_CBOR_TEXT);
}

/* A piece of the earlier key. */
static utet_status tensogram_rules_take_piece(utet_metadata *metadata, utet_metadata_checking *state, uint32_t place,
                                              size_t length)
{
    utet_file *file = metadata->priv.file;
    utet_status status;

    if (state->priv.held == length)
        return UTET_OK;
    status = utet_fetch(file, length, metadata->reader.base + place);
    if (status == UTET_OK) {
        memcpy(state->priv.piece, file->priv.at, length);
        state->priv.held = (uint8_t)length;
    }
    return status;
}

/* Checks that the key that is the token sorts after the previous one of its map. */
static utet_status tensogram_rules_compare(utet_metadata *metadata, utet_metadata_checking *state)
{
    utet_cbor *reader = &metadata->reader;
    unsigned level = reader->depth - 1u;
    uint32_t length = reader->next - reader->begin;
    uint32_t last = state->priv.length[level];
    uint32_t both = last < length ? last : length;

    while (state->priv.compared < both) {
        uint32_t done = state->priv.compared;
        size_t some = both - done < PIECE ? (size_t)(both - done) : PIECE;
        utet_status status = tensogram_rules_take_piece(metadata, state, state->priv.begin[level] + done, some);
        int order;

        if (status == UTET_OK)
            status = utet_fetch(metadata->priv.file, some, reader->base + reader->begin + done);
        if (status != UTET_OK)
            return status;
        order = memcmp(state->priv.piece, metadata->priv.file->priv.at, some);
        if (order > 0)
            return utet_cbor_fault(reader, reader->begin);
        state->priv.held = 0;
        state->priv.compared += (uint32_t)some;
        if (order < 0)
            break;
        if (state->priv.compared == both && last >= length)
            return utet_cbor_fault(reader, reader->begin);
    }
    state->priv.begin[level] = reader->begin;
    state->priv.length[level] = length;
    state->priv.step = TENSOGRAM_RULES_TOKEN;
    return UTET_OK;
}

/* UTET_END after the last token. */
static utet_status tensogram_rules_token(utet_metadata *metadata, unsigned rules, utet_metadata_checking *state)
{
    utet_cbor *reader = &metadata->reader;
    utet_status status = utet_cbor_token(reader);

    if (status != UTET_OK)
        return status;
    if (reader->token == UTET_CBOR_END)
        return UTET_END;
    if (((rules & UTET_METADATA_TYPES) != 0 && against_types(reader)) ||
        ((rules & UTET_METADATA_CANONICAL) != 0 && not_deterministic(reader)))
        return utet_cbor_fault(reader, reader->begin);
    if ((rules & UTET_METADATA_CANONICAL) == 0)
        return UTET_OK;
    if (reader->token == UTET_CBOR_MAP) {
        if (reader->depth > UTET_CBOR_DEPTH) {
            metadata->priv.file->error_offset = reader->base + reader->begin;
            return UTET_E_SPACE;
        }
        state->priv.length[reader->depth - 1] = 0;
    }
    if (reader->is_key) {
        state->priv.compared = 0;
        state->priv.held = 0;
        state->priv.step = TENSOGRAM_RULES_COMPARE;
    }
    return UTET_OK;
}

utet_status utet_metadata_check(utet_metadata *metadata, unsigned rules, utet_metadata_checking *state)
{
    const utet_frame *frame = &metadata->frame;
    utet_status status = utet_metadata_enter(metadata, UTET_CALL_METADATA_CHECK);

    if (status != UTET_OK)
        return status;
    if (metadata->priv.step == TENSOGRAM_RULES_BEGIN) {
        utet_cbor_begin(&metadata->reader, frame->content_offset, (uint32_t)frame->content_length);
        metadata->priv.step = TENSOGRAM_RULES_TOKEN;
        state->priv.step = TENSOGRAM_RULES_TOKEN;
    }
    do
        status = state->priv.step == TENSOGRAM_RULES_COMPARE ? tensogram_rules_compare(metadata, state)
                                                             : tensogram_rules_token(metadata, rules, state);
    while (status == UTET_OK);
    return utet_leave(metadata->priv.file, status == UTET_END ? UTET_OK : status);
}

#endif
