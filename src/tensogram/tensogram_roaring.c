/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* roaring, the portable format, for masks and as a codec for tensors of bits (FORMAT.md §4.6). All numbers are
 * little-endian. */
#include <stdint.h>

#if SIZE_MAX >= 0xFFFFFFFF /* else nothing is left of this file: utet_tensogram.h says so */

#include "tensogram_data.h"

#define ROARING_PLAIN 12346u
#define ROARING_RUNS 12347u
#define ROARING_ARRAY_MOST 4096u /* values of a container that is a list */
#define CONTAINER_BITS 65536u

/* step of the runs */
enum {
    ROARING_AT_START,
    ROARING_AT_COOKIE,
    ROARING_AT_COUNT,
    ROARING_AT_FLAG,
    ROARING_AT_DESCRIPTION,
    ROARING_AT_RUNS_DESCRIPTION,
    ROARING_AT_RUN_COUNT,
    ROARING_AT_LIST,
    ROARING_AT_BITS,
    ROARING_AT_END
};

static uint32_t roaring_le16(const uint8_t *at)
{
    return at[0] | (uint32_t)at[1] << 8;
}

/* The next piece. */
static utet_status go_to(utet_bit_runs *r, unsigned step, uint64_t position, uint8_t size)
{
    r->priv.step = (uint8_t)step;
    r->priv.position = position;
    r->priv.size = size;
    return UTET_OK;
}

/* Call after the offsets, and after the values of a container, where those of the next one begin. Its flag and its
 * description are elsewhere: each is a piece by itself. */
static utet_status next_container(utet_bit_runs *r)
{
    r->priv.number = r->priv.position;
    if (r->priv.containers == 0)
        return go_to(r, ROARING_AT_END, r->priv.position, 1);
    if (r->priv.value != 0)
        return go_to(r, ROARING_AT_FLAG, 4u + r->priv.index / 8u, 1);
    return go_to(r, ROARING_AT_DESCRIPTION, r->priv.described, 4);
}

/* The descriptions begin at `described`; except for few containers with flags, offsets follow, which are not needed.
 * */
static utet_status roaring_begin(utet_bit_runs *r, uint32_t containers, uint32_t described)
{
    if (containers > CONTAINER_BITS)
        return UTET_E_PAYLOAD;
    r->priv.containers = containers;
    r->priv.described = described;
    r->priv.position = described + containers * (r->priv.value == 0 || containers >= 4 ? 8u : 4u);
    return next_container(r);
}

static utet_status take_cookie(utet_bit_runs *r, const uint8_t *at)
{
    const uint32_t more = roaring_le16(at + 2) + 1u;

    if (roaring_le16(at) == ROARING_RUNS) {
        r->priv.value = 1;
        return roaring_begin(r, more, 4u + (more + 7u) / 8u);
    }
    return utet_le32(at) == ROARING_PLAIN ? go_to(r, ROARING_AT_COUNT, 4, 4) : UTET_E_PAYLOAD;
}

/* The kind of the container follows from its description and its flag. */
static utet_status take_description(utet_bit_runs *r, const uint8_t *at)
{
    if (r->priv.index != 0 && roaring_le16(at) <= r->priv.key)
        return UTET_E_PAYLOAD;
    r->priv.key = roaring_le16(at);
    r->priv.count = roaring_le16(at + 2) + 1u;
    r->priv.items = r->priv.count;
    r->priv.least = 0;
    r->priv.described += 4;
    r->priv.index++;
    r->priv.containers--;
    if (r->priv.step == ROARING_AT_RUNS_DESCRIPTION)
        return go_to(r, ROARING_AT_RUN_COUNT, r->priv.number, 2);
    if (r->priv.count <= ROARING_ARRAY_MOST)
        return go_to(r, ROARING_AT_LIST, r->priv.number, 2);
    r->priv.items = CONTAINER_BITS / 8u; /* bytes */
    return go_to(r, ROARING_AT_BITS, r->priv.number, 1);
}

/* A value, or a run of them, or a byte of bits. They ascend, and are as many as the container has announced. */
static utet_status roaring_take_item(utet_bit_runs *r, const uint8_t *at)
{
    const uint64_t base = (uint64_t)r->priv.key * CONTAINER_BITS;
    uint32_t length;

    if (r->priv.step == ROARING_AT_BITS) {
        utet_runs_ones(r, at[0], 0, base + (CONTAINER_BITS - 8u * r->priv.items));
        r->priv.items -= r->priv.shift == 0;
    } else {
        const uint32_t from = roaring_le16(at), to = from + 1u + (r->priv.size == 4 ? roaring_le16(at + 2) : 0u);

        if (from < r->priv.least || to > CONTAINER_BITS)
            return UTET_E_PAYLOAD;
        r->priv.least = to;
        r->priv.position += r->priv.size;
        r->priv.items--;
        r->start = base + from;
        r->end = base + to;
        r->priv.found = 1;
    }
    length = r->priv.found != 0 ? (uint32_t)(r->end - r->start) : 0;
    if (length > r->priv.count || (length != 0 && r->end > r->priv.bits))
        return UTET_E_PAYLOAD;
    r->priv.count -= length;
    return UTET_OK;
}

static utet_status take_roaring(utet_bit_runs *r, const uint8_t *at)
{
    utet_status status = UTET_E_PAYLOAD;

    if (at == NULL)
        return r->priv.step == ROARING_AT_END ? UTET_END : UTET_E_PAYLOAD;
    switch (r->priv.step) {
    case ROARING_AT_START: return go_to(r, ROARING_AT_COOKIE, 0, 4);
    case ROARING_AT_COOKIE: return take_cookie(r, at);
    case ROARING_AT_COUNT: return roaring_begin(r, utet_le32(at), 8);
    case ROARING_AT_FLAG:
        return go_to(r, ROARING_AT_DESCRIPTION + (at[0] >> r->priv.index % 8u & 1u), r->priv.described, 4);
    case ROARING_AT_DESCRIPTION:
    case ROARING_AT_RUNS_DESCRIPTION: return take_description(r, at);
    case ROARING_AT_RUN_COUNT:
        r->priv.items = roaring_le16(at);
        status = go_to(r, ROARING_AT_LIST, r->priv.position + 2u, 4);
        break;
    case ROARING_AT_LIST:
    case ROARING_AT_BITS: status = roaring_take_item(r, at); break;
    default: break; /* bytes after the last container */
    }
    if (status == UTET_OK && r->priv.items == 0)
        return r->priv.count == 0 ? next_container(r) : UTET_E_PAYLOAD;
    return status;
}

static utet_status roaring_step(utet_stream *s, size_t want)
{
    (void)want;
    return utet_bitmask_step(s, &utet_codec_bits_roaring);
}

static utet_status roaring_skip(utet_stream *s, uint64_t size)
{
    return utet_bitmask_skip(s, size, &utet_codec_bits_roaring);
}

const utet_bits_codec utet_codec_bits_roaring = {
    {UTET_CODEC_ROARING, utet_bitmask_need, utet_bitmask_open, roaring_step, &utet_driver}, take_roaring, roaring_skip};

#endif
