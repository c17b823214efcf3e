/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Contracts of the window, of CBOR's tokens and of the frames of a message, for harnesses of what is built on them:
 * any values, or any failure. After `grants` successes comes "not yet": then a loop is left, to be continued in some
 * state. */
#include "eva_any.h"

#include "tensogram/tensogram.h"

static uint8_t held[64];
static utet_file file;
static utet_io io;
static int grants = 3;

/* Success; or "not yet", which is the last result of all; or one of these. */
static utet_status answer(utet_status other, utet_status failure)
{
    if (grants == 0 || Frama_C_interval(0, 1))
        return UTET_WOULD_BLOCK;
    grants--;
    return Frama_C_interval(0, 1) ? UTET_OK : Frama_C_interval(0, 1) ? other : failure;
}

utet_status utet_fetch(utet_file *of, size_t length, uint64_t offset)
{
    /*@ assert length: 1 <= length <= 64; */
    of->error_offset = offset;
    Frama_C_make_unknown((char *)held, sizeof held);
    of->priv.at = held + (sizeof held - length);
    of->priv.have = length;
    return answer(UTET_E_PORT, UTET_E_SHORT);
}

/* A token; keys and maps have a level. */
static void any_token(utet_cbor *cbor)
{
    cbor->token = (uint8_t)Frama_C_interval(0, UTET_CBOR_END);
    cbor->flags = (uint8_t)any32();
    cbor->is_key = (uint8_t)Frama_C_interval(0, 1);
    cbor->depth = (uint16_t)Frama_C_interval(0, UTET_CBOR_DEPTH);
    if (cbor->is_key || cbor->token == UTET_CBOR_MAP)
        cbor->depth = (uint16_t)Frama_C_interval(1, UTET_CBOR_DEPTH);
    cbor->head_length = (uint8_t)Frama_C_interval(0, UTET_CBOR_HEAD);
    cbor->begin = any32();
    cbor->content = any32();
    cbor->length = any32();
    cbor->hash = any32();
    cbor->number = any64();
    cbor->next = any32();
    Frama_C_make_unknown(cbor->head, sizeof cbor->head);
}

utet_status utet_cbor_token(utet_cbor *cbor)
{
    cbor->priv.file->error_offset = any64();
    any_token(cbor);
    return answer(UTET_E_SPACE, UTET_E_METADATA);
}

static void any_frame(utet_frame *frame)
{
    Frama_C_make_unknown((char *)frame, sizeof *frame);
    frame->type = (uint16_t)Frama_C_interval(0, UTET_FRAME_TENSOR); /* 0: none has been read */
}

void utet_frame_start(const utet_message *message, utet_frame *frame)
{
    (void)message;
    any_frame(frame);
}

utet_status utet_frame_step(utet_file *of, utet_message *message, utet_frame *frame)
{
    of->error_offset = any64();
    Frama_C_make_unknown((char *)message, sizeof *message);
    any_frame(frame);
    return answer(UTET_END, UTET_E_DIRECTORY);
}

/* An open file, in any call. */
static void any_file(void)
{
    io.size = any64();
    file.priv.io = &io;
    file.priv.at = held;
    file.priv.state = UTET_STATE_OPEN;
    file.priv.busy = (uint8_t)any32();
    file.priv.step = (uint8_t)any32();
}

/* A reader with its own levels, in any state. */
static void any_reader(utet_cbor *reader)
{
    Frama_C_make_unknown((char *)reader, sizeof *reader);
    reader->priv.file = &file;
    reader->priv.levels = reader->own;
    reader->priv.most = UTET_CBOR_DEPTH;
    reader->priv.fault = UTET_E_METADATA;
    any_token(reader);
}
