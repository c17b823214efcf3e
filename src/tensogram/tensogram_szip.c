/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* szip as a codec of streams: blocks are decoded as the payload comes through the window, and delivered from the
 * decoder. */
#include <stdint.h>

#if SIZE_MAX >= 0xFFFFFFFF /* else nothing is left of this file: utet_tensogram.h says so */

#include "tensogram_data.h"

#include <string.h>

static const utet_szip_params *params_of(const utet_stream *s)
{
    return &((const utet_szip_codec *)(const void *)s->priv.codec)->params;
}

static utet_szip *szip_decoder_of(const utet_stream *s)
{
    return (utet_szip *)(void *)s->priv.work; /* a multiple of 8, see utet.h */
}

static utet_status szip_need(utet_stream *s, int exact, utet_need *need)
{
    unsigned width = utet_szip_width(params_of(s));

    (void)exact;
    if (width == 0 || utet_div(s->length, width) * width != s->length)
        return utet_payload_error(s, 0, UTET_E_PAYLOAD);
    need->least = sizeof(utet_szip);
    need->best = sizeof(utet_szip);
    return UTET_OK;
}

static utet_status szip_open(utet_stream *s)
{
    return utet_szip_init(szip_decoder_of(s), params_of(s));
}

#define ONCE 512u /* bytes that are taken in a turn: more than a block has, but for damaged unary numbers */

/* priv.scratch[0]: bytes of the payload that are in; [1]: bytes of the chunk that are out. */
static utet_status next_block(utet_stream *s, utet_szip *z)
{
    uint32_t turns = s->priv.file->priv.io->step_limit; /* 0: more than any call makes */

    for (;;) {
        uint64_t left = s->priv.stored - s->priv.scratch[0];
        const uint8_t *at;
        size_t have, used;
        utet_status status;

        if (left == 0)
            break;
        status = utet_payload_fetch(s, s->priv.scratch[0], 1, left, &at, &have);
        if (status != UTET_OK)
            return status;
        status = utet_szip_block(z, at, have < ONCE ? have : ONCE, &used);
        s->priv.scratch[0] += used;
        if (status != UTET_WOULD_BLOCK || --turns == 0)
            return status;
    }
    /* the bits in the decoder may be enough for a block, or for many of zeros */
    {
        size_t used;
        uint8_t none = 0;
        utet_status status = utet_szip_block(z, &none, 0, &used);

        return status == UTET_WOULD_BLOCK ? UTET_E_PAYLOAD : status;
    }
}

static utet_status szip_step(utet_stream *s, size_t want)
{
    utet_szip *z = szip_decoder_of(s);
    uint64_t left = s->length - s->priv.scratch[1];
    utet_status status = UTET_OK;

    (void)want;
    if (left != 0) {
        status = next_block(s, z);
        if (status == UTET_E_PAYLOAD)
            return utet_payload_error(s, s->priv.scratch[0], status);
        if (status != UTET_OK)
            return status;
        s->priv.out = z->out;
        s->priv.avail = z->size < left ? z->size : (size_t)left;
        left -= s->priv.avail;
    }
    if (left == 0 && (s->priv.scratch[0] != s->priv.stored || (s->length != 0 && utet_szip_spare(z) != 0)))
        return utet_payload_error(s, s->priv.scratch[0], UTET_E_PAYLOAD);
    if (s->priv.whole != NULL && s->priv.avail != 0) { /* out is null where nothing has been decoded */
        uint8_t *to = s->priv.whole + (size_t)s->priv.scratch[1];

        memcpy(to, s->priv.out, s->priv.avail);
        s->priv.out = to;
    }
    s->priv.scratch[1] += s->priv.avail;
    return UTET_OK;
}

const utet_codec utet_codec_szip = {UTET_CODEC_SZIP, szip_need, szip_open, szip_step, &utet_driver};

#endif
