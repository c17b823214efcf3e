/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs of ones in a bitmask (FORMAT.md §4.6): what all methods share, and bits as they are. The methods rle and roaring
 * are reached through their codecs, so only programs that list these link them. Each step fetches its bytes, then
 * commits; positions only grow, and a run never leaves the bitmask, so the work is bounded by the data's length. start
 * and end change only when the next run is known: who looks at them after "not yet" must want the same again.
 */
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
}

utet_status utet_runs_bytes(utet_file *file, const utet_bit_runs *r, uint64_t position, size_t size, const uint8_t **at)
{
    uint64_t left = position < r->priv.length ? r->priv.length - position : 0;
    utet_status status;

    file->error_offset = r->priv.offset + r->priv.length - left;
    if (left < size)
        return UTET_E_PAYLOAD;
    status = utet_fetch_ahead(file, size, r->priv.offset + position, left < SIZE_MAX / 2 ? (size_t)left : SIZE_MAX / 2);
    *at = file->priv.at;
    return status;
}

utet_status utet_runs_over(utet_file *file, utet_bit_runs *r)
{
    r->start = UTET_RUNS_OVER;
    r->end = UTET_RUNS_OVER;
    r->priv.step = UTET_RUNS_AT_END;
    file->error_offset = r->priv.offset + r->priv.length;
    return r->priv.position == r->priv.length ? UTET_OK : UTET_E_PAYLOAD;
}

/* ---- bits as they are, most significant first ---- */

static utet_status next_plain(utet_file *file, utet_bit_runs *r)
{
    while (r->priv.bit < r->priv.bits) {
        uint64_t byte = r->priv.bit / 8u, left = r->priv.bits - r->priv.bit;
        unsigned at_bit = (unsigned)r->priv.bit % 8u, end = left < 8u - at_bit ? at_bit + (unsigned)left : 8u, from, to;
        const uint8_t *at = NULL;

        if (r->priv.map != NULL) {
            at = r->priv.map + (size_t)byte;
        } else {
            utet_status status = utet_runs_bytes(file, r, byte, 1, &at);

            if (status != UTET_OK)
                return status;
        }
        for (from = at_bit; from != end && (at[0] >> (7u - from) & 1u) == 0; from++) {}
        for (to = from; to != end && (at[0] >> (7u - to) & 1u) != 0; to++) {}
        if (from != to) {
            r->start = r->priv.bit + (from - at_bit);
            r->end = r->priv.bit + (to - at_bit);
            r->priv.bit = r->end;
            return UTET_OK;
        }
        r->priv.bit += to - at_bit;
    }
    r->priv.position = r->priv.length;
    return utet_runs_over(file, r);
}

utet_status utet_runs_next(utet_file *file, utet_bit_runs *runs)
{
    if (runs->priv.step == UTET_RUNS_AT_END)
        return UTET_OK;
    runs->priv.found = 0;
    return runs->priv.codec != NULL ? runs->priv.codec->next(file, runs) : next_plain(file, runs);
}
