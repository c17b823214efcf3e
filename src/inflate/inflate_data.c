/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Compressed data as phases: literals, lengths, distances, matches (§6). */
#include "inflate.h"

/* Length n begins a match; its symbol has `bits` bits. */
static utet_status begin_match(utet_inflate *z, unsigned n, unsigned bits)
{
    unsigned extra;
    utet_status status;

    if (n > 28u)
        return UTET_E_PAYLOAD;
    extra = inflate_length_extra(n);
    status = utet_inflate_ensure(z, bits + extra);
    if (status != UTET_OK)
        return status;
    (void)utet_inflate_take(z, bits);
    z->priv.at.match.length = (uint16_t)(3u + inflate_length_base(n) + utet_inflate_take(z, extra));
    z->priv.phase = INFLATE_DISTANCE;
    return UTET_OK;
}

utet_status utet_inflate_symbol(utet_inflate *z)
{
    unsigned entry, value;

    utet_inflate_fast(z);
    if (z->priv.phase != INFLATE_SYMBOL)
        return UTET_OK;
    if (utet_inflate_is_full(z))
        return INFLATE_FULL;
    entry = utet_inflate_decode(z->priv.literal, z->priv.literal_table.root, UTET_INFLATE_ROOT, z->priv.hold,
                                z->priv.bits);
    if (entry == INFLATE_WANT)
        return utet_inflate_pull(z);
    value = INFLATE_VALUE(entry);
    if (value > INFLATE_OTHER)
        return begin_match(z, value - INFLATE_OTHER - 1u, INFLATE_LENGTH(entry));
    if (value < INFLATE_OTHER) {
        if (z->priv.out == z->priv.stop)
            return UTET_E_SPACE;
        *z->priv.out++ = (uint8_t)value;
    }
    (void)utet_inflate_take(z, INFLATE_LENGTH(entry));
    if (value == INFLATE_OTHER)
        utet_inflate_end_block(z);
    return UTET_OK;
}

utet_status utet_inflate_distance(utet_inflate *z)
{
    unsigned entry = utet_inflate_decode_distance(z);
    unsigned n = INFLATE_VALUE(entry);

    if (entry == INFLATE_WANT)
        return utet_inflate_pull(z);
    if (n > 29u)
        return UTET_E_PAYLOAD;
    (void)utet_inflate_take(z, INFLATE_LENGTH(entry));
    z->priv.at.match.distance = (uint16_t)(1u + inflate_distance_base(n));
    z->priv.at.match.extra = (uint8_t)inflate_distance_extra(n);
    z->priv.phase = INFLATE_EXTRA;
    return UTET_OK;
}

utet_status utet_inflate_extra(utet_inflate *z)
{
    utet_status status = utet_inflate_ensure(z, z->priv.at.match.extra);
    uint32_t distance, back, produced;

    if (status != UTET_OK)
        return status;
    distance = z->priv.at.match.distance + utet_inflate_take(z, z->priv.at.match.extra);
    produced = z->priv.job.size - z->priv.left + (uint32_t)(z->priv.out - z->priv.mark);
    if (distance > produced)
        return UTET_E_PAYLOAD;
    back = z->priv.wrapped ? (uint32_t)z->priv.job.capacity : produced;
    if (distance > back)
        return UTET_E_BUDGET;
    z->priv.at.match.distance = (uint16_t)distance;
    z->priv.phase = INFLATE_MATCH;
    return UTET_OK;
}

utet_status utet_inflate_match(utet_inflate *z)
{
    const uint8_t *end = z->priv.job.buffer + z->priv.job.capacity;

    /* wp: loop invariant output(z);
        loop assigns z->priv.at.match.length, z->priv.out, z->priv.job.buffer[0 .. z->priv.job.capacity - 1]; */
    while (z->priv.at.match.length != 0) {
        size_t n = z->priv.at.match.length, room = (size_t)(z->priv.stop - z->priv.out);
        size_t back = z->priv.at.match.distance, before = (size_t)(z->priv.out - z->priv.job.buffer);
        const uint8_t *from = back <= before ? z->priv.out - back : end - (back - before);
        uint8_t *out = z->priv.out;

        if (room == 0)
            return utet_inflate_no_room(z);
        if (n > room)
            n = room;
        if (n > (size_t)(end - from))
            n = (size_t)(end - from);
        /* wp: assert between(from, z->priv.job.buffer, 0, z->priv.job.capacity - n); */
        z->priv.at.match.length = (uint16_t)(z->priv.at.match.length - n);
        z->priv.out += n;
        /* wp: loop invariant n >= 1 && between(from, z->priv.job.buffer, 0, z->priv.job.capacity - n) &&
                between(out, z->priv.job.buffer, 0, z->priv.out - z->priv.job.buffer - n);
            loop assigns n, out, from, z->priv.job.buffer[0 .. z->priv.job.capacity - 1]; */
        do /* byte by byte, upwards: a match may overlap its own output */
            *out++ = *from++;
        while (--n != 0);
    }
    z->priv.phase = INFLATE_SYMBOL;
    return UTET_OK;
}
