/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* rle, for masks and as a codec for tensors of bits (FORMAT.md §4.6): a byte that says what the first run is of, then
 * lengths. */
#include <stdint.h>

#if SIZE_MAX >= 0xFFFFFFFF /* else nothing is left of this file: utet_tensogram.h says so */

#include "tensogram_data.h"

enum { AT_VALUE, AT_RUN }; /* step of the runs */

static utet_status take_rle(utet_bit_runs *r, const uint8_t *at)
{
    if (at == NULL) /* of no bits not even the first byte is written */
        return r->priv.shift == 0 && r->priv.bit == r->priv.bits ? UTET_END : UTET_E_PAYLOAD;
    r->priv.position++;
    if (r->priv.step == AT_VALUE) {
        r->priv.value = at[0];
        r->priv.step = AT_RUN;
        return at[0] <= 1 ? UTET_OK : UTET_E_PAYLOAD;
    }
    if (r->priv.shift > 63 || (r->priv.shift == 63 && (at[0] & 127u) > 1))
        return UTET_E_PAYLOAD;
    r->priv.number |= (uint64_t)(at[0] & 127u) << r->priv.shift;
    r->priv.shift = (uint8_t)(r->priv.shift + 7u);
    if (at[0] >= 128)
        return UTET_OK;
    if (r->priv.number > r->priv.bits - r->priv.bit)
        return UTET_E_PAYLOAD;
    r->priv.number += r->priv.bit;
    if (r->priv.value != 0 && r->priv.number != r->priv.bit) {
        r->start = r->priv.bit;
        r->end = r->priv.number;
        r->priv.found = 1;
    }
    r->priv.bit = r->priv.number;
    r->priv.value ^= 1u;
    r->priv.number = 0;
    r->priv.shift = 0;
    return UTET_OK;
}

static utet_status rle_step(utet_stream *s, size_t want)
{
    (void)want;
    return utet_bitmask_step(s, &utet_codec_bits_rle);
}

static utet_status rle_skip(utet_stream *s, uint64_t size)
{
    return utet_bitmask_skip(s, size, &utet_codec_bits_rle);
}

const utet_bits_codec utet_codec_bits_rle = {
    {UTET_CODEC_RLE, utet_bitmask_need, utet_bitmask_open, rle_step, &utet_driver}, take_rle, rle_skip};

#endif
