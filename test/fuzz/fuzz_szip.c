/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target "szip": six bytes (bits, flags, block and slices, interval, samples), then szip data. What microtet's
 * decoder reads, libaec reads in the same way. libaec decodes to the end of an interval, beyond what is requested, and
 * its fast path reads ahead; so it gets the bits that microtet's decoder took, followed by ones, which are raw blocks.
 * Blocks that are longer than their raw values, which no encoder writes, are not compared: libaec refuses them, or ends
 * early without an error. libaec may read what microtet's decoder refuses (it does not check for values beyond the
 * sample's bits).
 */
#include "../szip/theirs.h"
#include "fuzz.h"
#include "utet_szip.h"

enum { HEAD = 6, MOST = 4096 };

static uint8_t ours[(MOST + 64) * 4], theirs[MOST * 4];
static uint8_t filled[(1 << 14) + 130 * (64 * 4 + 1) + 16]; /* the input, and an interval of raw blocks */

typedef struct reading {
    size_t made;    /* bytes */
    size_t taken;   /* bits of the input */
    size_t longest; /* block, in bits */
} reading;

static void our_decode(const utet_szip_params *p, const uint8_t *from, size_t size, size_t want, unsigned slice,
                       reading *r)
{
    utet_szip z;
    size_t at = 0, have = 0, made = 0, begin = 0, used;
    utet_status status = utet_szip_init(&z, p);

    FUZZ_CHECK(status == UTET_OK);
    while (made < want) {
        uint8_t *piece = malloc(have != 0 ? have : 1); /* in memory of its own, so that reads after it are noticed */

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
            const size_t end = at * 8 - z.priv.held;

            memcpy(ours + made, z.out, some);
            made += some;
            r->longest = end - begin > r->longest ? end - begin : r->longest;
            begin = end;
        } else if (status == UTET_WOULD_BLOCK && at < size) {
            FUZZ_CHECK(have == 0);
            have = slice < size - at ? slice : size - at;
        } else {
            break;
        }
    }
    r->made = made;
    r->taken = begin;
}

static int they_agree(const utet_szip_params *p, const uint8_t *from, size_t taken, size_t want)
{
    memset(filled, 0xff, sizeof filled);
    memcpy(filled, from, (taken + 7) / 8);
    if (taken % 8 != 0)
        filled[taken / 8] |= (uint8_t)(0xffu >> taken % 8);
    return their_decode(p, filled, sizeof filled, theirs, want) == (long)want && memcmp(ours, theirs, want) == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    utet_szip_params p;
    reading r = {0, 0, 0};
    size_t want;

    if (size < HEAD || size > 1 << 14)
        return 0;
    p.bits = (uint8_t)(1u + data[0] % 32u);
    p.flags = data[1] & (UTET_SZIP_SIGNED | UTET_SZIP_3BYTE | UTET_SZIP_MSB | UTET_SZIP_PREPROCESS);
    p.block = (uint8_t)(8u << (data[2] & 3u));
    p.rsi = (uint16_t)(1u + data[3] % 130u);
    want = (size_t)(1u + (data[4] | (unsigned)data[5] << 8) % MOST) * utet_szip_width(&p);
    our_decode(&p, data + HEAD, size - HEAD, want, 1u + data[2] / 4u, &r);
    if (r.made == want && r.longest <= 5u + p.bits * (size_t)p.block) /* the id of a block has 5 bits at most */
        FUZZ_CHECK(they_agree(&p, data + HEAD, r.taken, want));
    return 0;
}
