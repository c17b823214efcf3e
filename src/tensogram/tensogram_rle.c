/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* rle, for masks and as a codec for tensors of bits (FORMAT.md §4.6): a byte that says what the first run is of, then
 * lengths. */
#include "tensogram_data.h"

enum { AT_RUN = UTET_RUNS_AT_START + 1 }; /* step of the runs */

/* One byte of a length. */
static utet_status rle_byte(utet_file *file, utet_bit_runs *r)
{
    const uint8_t *at;
    utet_status status = utet_runs_bytes(file, r, r->priv.position, 1, &at);
    uint64_t part;

    if (status != UTET_OK)
        return status;
    part = at[0] & 127u;
    if (r->priv.shift > 63 || (part << r->priv.shift) >> r->priv.shift != part)
        return UTET_E_PAYLOAD;
    r->priv.number |= part << r->priv.shift;
    r->priv.shift = (uint8_t)(r->priv.shift + 7u);
    r->priv.position++;
    if (at[0] >= 128)
        return UTET_OK;
    if (r->priv.number > r->priv.bits - r->priv.bit)
        return UTET_E_PAYLOAD;
    if (r->priv.value != 0 && r->priv.number != 0) {
        r->start = r->priv.bit;
        r->end = r->priv.bit + r->priv.number;
        r->priv.found = 1;
    }
    r->priv.bit += r->priv.number;
    r->priv.value ^= 1u;
    r->priv.number = 0;
    r->priv.shift = 0;
    return UTET_OK;
}

static utet_status next_rle(utet_file *file, utet_bit_runs *r)
{
    const uint8_t *at;
    utet_status status;

    if (r->priv.step == UTET_RUNS_AT_START && r->priv.bits == 0 && r->priv.length == 0)
        return utet_runs_over(file, r); /* no bits: not even the byte is written */
    if (r->priv.step == UTET_RUNS_AT_START) {
        status = utet_runs_bytes(file, r, 0, 1, &at);
        if (status != UTET_OK)
            return status;
        if (at[0] > 1)
            return UTET_E_PAYLOAD;
        r->priv.value = at[0];
        r->priv.position = 1;
        r->priv.step = AT_RUN;
    }
    do {
        if (r->priv.position == r->priv.length) {
            file->error_offset = r->priv.offset + r->priv.position;
            if (r->priv.shift != 0 || r->priv.bit != r->priv.bits)
                return UTET_E_PAYLOAD;
            return utet_runs_over(file, r);
        }
        status = rle_byte(file, r);
    } while (status == UTET_OK && r->priv.found == 0);
    return status;
}

static utet_status rle_step(utet_stream *s, size_t want)
{
    (void)want;
    return utet_bitmask_step(s, &utet_codec_bits_rle);
}

const utet_bits_codec utet_codec_bits_rle = {
    {UTET_CODEC_RLE, utet_bitmask_need, utet_bitmask_open, rle_step, &utet_driver}, next_rle};
