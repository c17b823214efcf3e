/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs of ones in a bitmask (FORMAT.md §4.6): the part that all methods share, and uncompressed bits. The methods rle
 * and roaring are reached through their codecs, so only programs that list these link them. Each step fetches a
 * piece, then commits it; every piece is taken once, so the work is bounded by the data's length. start and end
 * change only when the next run is known: a caller that looks at them after "not yet" must request the same again.
 */
#include <stdint.h>

#if SIZE_MAX >= 0xFFFFFFFF /* else nothing is left of this file: utet_tensogram.h says so */

#include "tensogram_data.h"

#include <string.h>

void utet_runs_begin(utet_bit_runs *runs, const utet_bits_codec *codec, uint64_t bits, uint64_t offset, uint64_t length,
                     const uint8_t *map)
{
    memset(runs, 0, sizeof *runs);
    runs->priv.bits = bits;
    runs->priv.offset = offset;
    runs->priv.length = length;
    runs->priv.map = map;
    runs->priv.codec = codec;
    runs->priv.begun = 1;
    runs->priv.size = 1;
}

void utet_runs_ones(utet_bit_runs *r, unsigned byte, unsigned flip, uint64_t base)
{
    unsigned from = r->priv.shift, to;

    while (from != 8 && (byte >> (from ^ flip) & 1u) == 0)
        from++;
    for (to = from; to != 8 && (byte >> (to ^ flip) & 1u) != 0; to++) {}
    if (from != to) {
        r->start = base + from;
        r->end = base + to;
        r->priv.found = 1;
    }
    r->priv.position += to >> 3;
    r->priv.shift = to & 7u;
}

/* Bits as they are, most significant first. Those after the last one do not count. */
static utet_status take_plain(utet_bit_runs *r, const uint8_t *at)
{
    const uint64_t base = r->priv.position * 8u, left = r->priv.bits - base;

    if (at == NULL)
        return UTET_END;
    utet_runs_ones(r, left < 8 ? at[0] & 0xFF00u >> left : at[0], 7, base);
    return UTET_OK;
}

utet_status utet_runs_next(utet_file *file, utet_bit_runs *r)
{
    uint32_t turns = file->priv.io->step_limit; /* 0: more than any call makes */

    r->priv.found = 0;
    while (r->priv.found == 0 && r->start != UTET_RUNS_OVER) {
        const uint64_t left = r->priv.position < r->priv.length ? r->priv.length - r->priv.position : 0;
        const uint8_t *at = NULL;
        utet_status status = UTET_OK;

        file->error_offset = r->priv.offset + r->priv.length - left;
        if (left != 0 && r->priv.map != NULL) {
            at = r->priv.map + (size_t)r->priv.position;
        } else if (left != 0) {
            if (left < r->priv.size)
                return UTET_E_PAYLOAD;
            file->priv.have = left < SIZE_MAX / 2 ? (size_t)left : SIZE_MAX / 2;
            status = utet_fetch_ahead(file, r->priv.size, file->error_offset);
            at = file->priv.at;
        }
        if (status == UTET_OK)
            status = r->priv.codec != NULL ? r->priv.codec->take(r, at) : take_plain(r, at);
        if (status == UTET_END) {
            r->start = UTET_RUNS_OVER;
            r->end = UTET_RUNS_OVER;
        } else if (status != UTET_OK) {
            return status;
        } else if (r->priv.found == 0 && --turns == 0) {
            return UTET_WOULD_BLOCK;
        }
    }
    return UTET_OK;
}

size_t utet_runs_within(const utet_bit_runs *r, uint64_t first, size_t count, size_t *from)
{
    uint64_t start = r->start > first ? r->start - first : 0, end = r->end > first ? r->end - first : 0;

    if (start > count)
        start = count;
    if (end > count)
        end = count;
    *from = (size_t)start;
    return (size_t)(end - start);
}

#endif
