/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target "szip": szip data behind six bytes (bits, flags, block and slices, interval, samples). What our decoder
 * reads, libaec reads alike; what it refuses, libaec may read (it does not look at values beyond the sample's bits).
 */
#include "fuzz.h"
#include "utet_szip.h"

#include <libaec.h>

enum { HEAD = 6, MOST = 4096 };

static uint8_t ours[(MOST + 64) * 4], theirs[MOST * 4];

static size_t our_decode(const utet_szip_params *p, const uint8_t *from, size_t size, size_t want, unsigned slice)
{
    utet_szip z;
    size_t at = 0, have = 0, made = 0, used;
    utet_status status = utet_szip_init(&z, p);

    FUZZ_CHECK(status == UTET_OK);
    while (made < want) {
        uint8_t *piece = malloc(have != 0 ? have : 1); /* of its own: what lies behind it is seen */

        if (have != 0)
            memcpy(piece, from + at, have);
        status = utet_szip_block(&z, piece, have, &used);
        free(piece);
        FUZZ_CHECK(used <= have);
        at += used;
        have -= used;
        if (status == UTET_OK) {
            const size_t some = z.size < want - made ? z.size : want - made;

            FUZZ_CHECK(z.size == (size_t)p->block * utet_szip_width(p));
            memcpy(ours + made, z.out, some);
            made += some;
        } else if (status == UTET_WOULD_BLOCK && at < size) {
            FUZZ_CHECK(have == 0);
            have = slice < size - at ? slice : size - at;
        } else {
            break;
        }
    }
    return made;
}

static long their_decode(const utet_szip_params *p, const uint8_t *from, size_t size, size_t room)
{
    struct aec_stream s;
    int status;

    memset(&s, 0, sizeof s);
    s.bits_per_sample = p->bits;
    s.block_size = p->block;
    s.rsi = p->rsi;
    s.flags = p->flags;
    s.next_in = from;
    s.avail_in = size;
    s.next_out = theirs;
    s.avail_out = room;
    if (aec_decode_init(&s) != AEC_OK)
        return -1;
    status = aec_decode(&s, AEC_FLUSH);
    aec_decode_end(&s);
    return status == AEC_OK ? (long)s.total_out : -1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    utet_szip_params p;
    size_t want, made;
    long other;

    if (size < HEAD || size > 1 << 14)
        return 0;
    p.bits = (uint8_t)(1u + data[0] % 32u);
    p.flags = data[1] & (UTET_SZIP_SIGNED | UTET_SZIP_3BYTE | UTET_SZIP_MSB | UTET_SZIP_PREPROCESS);
    p.block = (uint8_t)(8u << (data[2] & 3u));
    p.rsi = (uint16_t)(1u + data[3] % 130u);
    want = (size_t)(1u + (data[4] | (unsigned)data[5] << 8) % MOST) * utet_szip_width(&p);
    made = our_decode(&p, data + HEAD, size - HEAD, want, 1u + data[2] / 4u);
    if (made < want)
        return 0;
    other = their_decode(&p, data + HEAD, size - HEAD, want);
    FUZZ_CHECK(other == (long)want && memcmp(ours, theirs, want) == 0);
    return 0;
}
