/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* What rle and roaring share as codecs for tensors of bits (FORMAT.md §4.5): u32 number of bits, big-endian, then the
 * runs of ones. */
#include <stdint.h>

#if SIZE_MAX >= 0xFFFFFFFF /* else nothing is left of this file: utet_tensogram.h says so */

#include "tensogram_data.h"

#include <string.h>

/* The work memory. */
typedef struct bitmask {
    utet_bit_runs runs;
    uint64_t made;    /* bytes */
    uint8_t begun;    /* the number of bits has been read */
    uint8_t bits[56]; /* bytes that are being made */
} bitmask;

utet_status utet_bitmask_need(utet_stream *s, int exact, utet_need *need)
{
    (void)s;
    (void)exact;
    need->least = sizeof(bitmask);
    need->best = sizeof(bitmask);
    return UTET_OK;
}

utet_status utet_bitmask_open(utet_stream *s)
{
    memset(s->priv.work, 0, sizeof(bitmask));
    return UTET_OK;
}

static utet_status bitmask_begin(utet_stream *s, bitmask *m, const utet_bits_codec *codec)
{
    const uint8_t *at;
    size_t have;
    utet_status status;
    uint32_t bits;

    if (s->priv.stored < 4)
        return utet_payload_error(s, 0, UTET_E_PAYLOAD);
    status = utet_payload_fetch(s, 0, 4, s->priv.stored, &at, &have);
    if (status != UTET_OK)
        return status;
    bits = (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
    if (s->length != (bits >> 3) || (bits & 7u) != 0)
        return utet_payload_error(s, 0, UTET_E_PAYLOAD);
    utet_runs_begin(&m->runs, codec, bits, s->priv.offset + 4u, s->priv.stored - 4u, NULL);
    m->begun = 1;
    return UTET_OK;
}

/* Bits of the bytes, most significant first, become ones. */
static void set_bits(uint8_t *bytes, size_t from, size_t count)
{
    for (; count != 0; from++, count--)
        bytes[from / 8u] |= (uint8_t)(128u >> from % 8u);
}

/* Walks through the runs of the next `some` bytes, which are made at `bits` unless that is null; of the last ones until
 * the data have ended. A run that continues stays as it is. */
static utet_status bitmask_walk(utet_stream *s, bitmask *m, uint64_t some, uint8_t *bits)
{
    const uint64_t first = m->made * 8u, enough = first + some * 8u + (m->made + some == s->length);

    for (;;) {
        utet_status status;

        if (bits != NULL) {
            size_t from, count = utet_runs_within(&m->runs, first, (size_t)some * 8u, &from);

            set_bits(bits, from, count);
        }
        if (m->runs.end >= enough)
            return UTET_OK;
        status = utet_runs_next(s->priv.file, &m->runs);
        if (status != UTET_OK)
            return status;
    }
}

static utet_status bitmask_step(utet_stream *s, const utet_bits_codec *codec)
{
    bitmask *m = (bitmask *)(void *)s->priv.work; /* a multiple of 8, see utet_codec.h */
    uint64_t left = s->length - m->made;
    size_t some = left < sizeof m->bits ? (size_t)left : sizeof m->bits;
    utet_status status = m->begun != 0 ? UTET_OK : bitmask_begin(s, m, codec);

    if (status == UTET_OK)
        status = bitmask_walk(s, m, some, m->bits);
    if (status != UTET_OK)
        return status;
    s->priv.out = m->bits;
    s->priv.avail = some;
    if (s->priv.whole != NULL) {
        uint8_t *to = s->priv.whole + (size_t)m->made;

        memcpy(to, m->bits, some);
        s->priv.out = to;
    }
    m->made += some;
    return UTET_OK;
}

/* The delivered bytes have been taken: new ones may be made. */
static bitmask *begin_anew(utet_stream *s)
{
    bitmask *m = (bitmask *)(void *)s->priv.work;

    if (s->priv.out != NULL) {
        memset(m->bits, 0, sizeof m->bits);
        s->priv.out = NULL;
    }
    return m;
}

utet_status utet_bitmask_step(utet_stream *s, const utet_bits_codec *codec)
{
    (void)begin_anew(s);
    return bitmask_step(s, codec);
}

/* As the driver counts: first what is at hand, then past the runs. */
utet_status utet_bitmask_skip(utet_stream *s, uint64_t size, const utet_bits_codec *codec)
{
    uint64_t left = size - s->priv.done;
    size_t some = left < s->priv.avail ? (size_t)left : s->priv.avail;
    bitmask *m;
    utet_status status;

    s->priv.avail -= some;
    s->priv.done += some;
    left -= some;
    if (s->priv.avail != 0) {
        s->priv.out += some;
        return UTET_OK;
    }
    m = begin_anew(s);
    status = m->begun != 0 ? UTET_OK : bitmask_begin(s, m, codec);
    if (status == UTET_OK && left != 0)
        status = bitmask_walk(s, m, left, NULL);
    if (status == UTET_OK)
        m->made += left;
    return status;
}

#endif
