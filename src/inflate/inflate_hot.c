/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Compressed data: the hot loop (§6). The build compiles this file for speed. */
#include "inflate.h"

/* The state that the hot loop keeps in registers. */
typedef struct inflate_flow {
    const uint8_t *in;
    uint8_t *out;
    uint32_t hold;
    unsigned bits;
} inflate_flow;

/* Makes sure of 16 bits; two bytes are in reach. */
INFLATE_INLINE void inflate_refill(inflate_flow *f)
{
    if (f->bits < 16u) {
        f->hold |= (uint32_t)((unsigned)f->in[0] | (unsigned)f->in[1] << 8) << f->bits;
        f->in += 2;
        f->bits += 16u;
    }
}

/* Takes n bits that are there, n at most 15. */
INFLATE_INLINE unsigned inflate_taken(inflate_flow *f, unsigned n)
{
    unsigned value = (unsigned)(f->hold & (((uint32_t)1 << n) - 1u));

    f->hold >>= n;
    f->bits -= n;
    return value;
}

/* Takes a distance; four bytes are in reach. Returns 0, and takes nothing, if there is no distance with such a code. */
INFLATE_INLINE size_t inflate_far(const utet_inflate *z, inflate_flow *f)
{
    unsigned entry, n;

    inflate_refill(f);
    entry = z->priv.distance_root[f->hold & ((1u << UTET_INFLATE_ROOT_DISTANCE) - 1u)];
    if (INFLATE_LENGTH(entry) == 0)
        entry = utet_inflate_search(z->priv.distance, UTET_INFLATE_ROOT_DISTANCE, entry, f->hold, 15);
    n = INFLATE_VALUE(entry);
    if (n > 29u)
        return 0;
    (void)inflate_taken(f, INFLATE_LENGTH(entry));
    inflate_refill(f);
    return (size_t)1 + inflate_distance_base(n) + inflate_taken(f, inflate_distance_extra(n));
}

/* Copies the n bytes of a match, at least 3. It goes upwards: a match may overlap its own output. */
INFLATE_INLINE uint8_t *inflate_again(uint8_t *out, size_t distance, unsigned n)
{
    const uint8_t *from = out - distance;
    uint8_t *const end = out + n;

    do {
        out[0] = from[0];
        out[1] = from[1];
        out[2] = from[2];
        out += 3;
        from += 3;
    } while (end - out >= 3);
    while (out != end)
        *out++ = *from++;
    return end;
}

/* Decodes the match that `entry` begins. Returns 0 if a phase has to do this, or the rest of it. */
INFLATE_INLINE int inflate_whole(utet_inflate *z, inflate_flow *f, unsigned entry)
{
    unsigned n = INFLATE_VALUE(entry) - INFLATE_OTHER - 1u, length; /* n is too large at the end of the block */
    size_t distance;

    if (n > 28u || z->priv.in_end - f->in < 6)
        return 0;
    (void)inflate_taken(f, INFLATE_LENGTH(entry));
    inflate_refill(f);
    length = 3u + inflate_length_base(n) + inflate_taken(f, inflate_length_extra(n));
    distance = inflate_far(z, f);
    if (distance != 0 && distance <= (size_t)(f->out - z->priv.job.buffer) &&
        length <= (size_t)(z->priv.stop - f->out)) {
        f->out = inflate_again(f->out, distance, length);
        return 1;
    }
    z->priv.at.match.length = (uint16_t)length;
    z->priv.at.match.distance = (uint16_t)distance;
    z->priv.at.match.extra = 0; /* the distance has them */
    z->priv.phase = distance != 0 ? INFLATE_EXTRA : INFLATE_DISTANCE;
    return 0;
}

void utet_inflate_fast(utet_inflate *z)
{
    const uint16_t *const root = z->priv.literal_table.root;
    const uint8_t *const stop = z->priv.stop;
    inflate_flow f = {z->priv.in, z->priv.out, z->priv.hold, z->priv.bits};

    while (f.bits >= 16u || z->priv.in_end - f.in >= 2) {
        unsigned entry;

        inflate_refill(&f);
        entry = root[f.hold & ((1u << UTET_INFLATE_ROOT) - 1u)];
        if (entry & INFLATE_OTHER) {
            if (INFLATE_LENGTH(entry) == 0)
                entry = utet_inflate_search(z->priv.literal, UTET_INFLATE_ROOT, entry, f.hold, 15);
            if (entry & INFLATE_OTHER) {
                if (inflate_whole(z, &f, entry))
                    continue;
                break;
            }
        }
        if (f.out == stop)
            break;
        *f.out++ = (uint8_t)entry;
        (void)inflate_taken(&f, INFLATE_LENGTH(entry));
    }
    z->priv.in = f.in;
    z->priv.out = f.out;
    z->priv.hold = f.hold;
    z->priv.bits = (uint8_t)f.bits;
}
