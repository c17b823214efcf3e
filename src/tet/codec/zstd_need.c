/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The iteration over the headers of a stream's payload, from which both codecs compute their need.
 */
#include "utet_codec.h"
#include "../../base/base.h"
#include "../../zstd/zstd_decoder.h"

/* The content of priv.scratch while the need is computed. */
typedef char walk_fits[sizeof(zs_walk) <= sizeof((utet_stream *)0)->priv.scratch ? 1 : -1];

static utet_status walk_on(utet_stream *s, zs_walk *walk)
{
    const size_t wants = utet_zs_walk_wants(walk, s->priv.stored);
    utet_file *const file = s->priv.file;
    utet_status status = UTET_E_PAYLOAD;

    if (wants <= s->priv.stored - walk->position) {
        status = utet_fetch(file, wants, s->priv.offset + walk->position);
        if (status != UTET_OK)
            return status;
        status = utet_zs_walk_on(walk, s->priv.stored, file->priv.at, wants);
    }
    return status == UTET_OK ? UTET_OK : utet_payload_error(s, walk->position, status);
}

utet_status utet_zs_stream_window(utet_stream *s, uint64_t enough, uint32_t *window)
{
    uint32_t turns = s->priv.file->priv.io->step_limit; /* 0: more than any call makes */
    zs_walk walk;
    utet_status status = UTET_OK;

    *window = 0;
    if (s->priv.stored == 0)
        return utet_payload_error(s, 0, UTET_E_PAYLOAD);
    if (enough == 0)
        return UTET_OK;
    memcpy(&walk, s->priv.scratch, sizeof walk);
    while (status == UTET_OK && walk.window < enough && (walk.in_frame || walk.position < s->priv.stored)) {
        status = walk_on(s, &walk);
        if (status == UTET_OK && --turns == 0)
            status = UTET_WOULD_BLOCK;
    }
    memcpy(s->priv.scratch, &walk, sizeof walk);
    *window = walk.window;
    return status;
}
