/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* roaring, the portable format, for masks and as a codec for tensors of bits (FORMAT.md §4.6). All numbers are
 * little-endian. */
#include "tensogram_data.h"

#define ROARING_PLAIN 12346u
#define ROARING_RUNS 12347u
#define ROARING_ARRAY_MOST 4096u /* values of a container that is a list */
#define CONTAINER_BITS 65536u

/* step of the runs */
enum { AT_CONTAINER = UTET_RUNS_AT_START + 1, AT_DESCRIPTION, AT_RUN_COUNT, AT_LIST, AT_LIST_RUNS, AT_BITS };

static uint32_t le16(const uint8_t *at)
{
    return at[0] | (uint32_t)at[1] << 8;
}

static utet_status roaring_start(utet_file *file, utet_bit_runs *r)
{
    const uint8_t *at;
    utet_status status = utet_runs_bytes(file, r, 0, 4, &at);
    uint32_t cookie;

    if (status != UTET_OK)
        return status;
    cookie = utet_le32(at);
    if (le16(at) == ROARING_RUNS) {
        r->priv.containers = (cookie >> 16) + 1u;
        r->priv.flags = 4;
        r->priv.number = 4u + (r->priv.containers + 7u) / 8u;
    } else {
        status = utet_runs_bytes(file, r, 0, 8, &at);
        if (status != UTET_OK)
            return status;
        r->priv.containers = utet_le32(at + 4);
        r->priv.number = 8;
        if (cookie != ROARING_PLAIN || r->priv.containers > CONTAINER_BITS)
            return UTET_E_PAYLOAD;
    }
    r->priv.position = r->priv.number + 4u * (uint64_t)r->priv.containers; /* behind the descriptions, … */
    if (r->priv.flags == 0 || r->priv.containers >= 4)
        r->priv.position += 4u * (uint64_t)r->priv.containers; /* … and the offsets, which nobody needs */
    r->priv.step = AT_CONTAINER;
    return UTET_OK;
}

/* The flag of the next container. It may lie far from the description, so it is a step of its own: two places in one
 * step would make another request after "not yet" than before it. */
static utet_status roaring_container(utet_file *file, utet_bit_runs *r)
{
    const uint8_t *at;
    utet_status status;

    if (r->priv.containers == 0)
        return utet_runs_over(file, r);
    r->priv.value = 0;
    if (r->priv.flags != 0) {
        status = utet_runs_bytes(file, r, r->priv.flags + r->priv.index / 8u, 1, &at);
        if (status != UTET_OK)
            return status;
        r->priv.value = (uint8_t)(at[0] >> r->priv.index % 8u & 1u);
    }
    r->priv.step = AT_DESCRIPTION;
    return UTET_OK;
}

/* The description of the next container; its kind follows from that and from its flag. */
static utet_status roaring_description(utet_file *file, utet_bit_runs *r)
{
    const uint8_t *at;
    utet_status status = utet_runs_bytes(file, r, r->priv.number, 4, &at);

    if (status != UTET_OK)
        return status;
    if (r->priv.index != 0 && le16(at) <= r->priv.key)
        return UTET_E_PAYLOAD;
    r->priv.key = le16(at);
    r->priv.count = le16(at + 2) + 1u;
    r->priv.least = 0;
    r->priv.number += 4;
    r->priv.index++;
    r->priv.containers--;
    r->priv.items = r->priv.count;
    if (r->priv.value != 0)
        r->priv.step = AT_RUN_COUNT;
    else if (r->priv.count <= ROARING_ARRAY_MOST)
        r->priv.step = AT_LIST;
    else {
        r->priv.step = AT_BITS;
        r->priv.items = CONTAINER_BITS / 8u; /* bytes */
    }
    return UTET_OK;
}

/* Values [from, to) of the container become a run. They ascend, and are as many as the container has announced. */
static utet_status found(utet_bit_runs *r, uint32_t from, uint32_t to)
{
    uint64_t base = (uint64_t)r->priv.key * CONTAINER_BITS;

    if (from < r->priv.least || to > CONTAINER_BITS || to - from > r->priv.count || base + to > r->priv.bits)
        return UTET_E_PAYLOAD;
    r->priv.least = to;
    r->priv.count -= to - from;
    r->start = base + from;
    r->end = base + to;
    r->priv.found = 1;
    return UTET_OK;
}

static utet_status roaring_run_count(utet_file *file, utet_bit_runs *r)
{
    const uint8_t *at;
    utet_status status = utet_runs_bytes(file, r, r->priv.position, 2, &at);

    if (status != UTET_OK)
        return status;
    r->priv.items = le16(at);
    r->priv.position += 2;
    r->priv.step = AT_LIST_RUNS;
    return UTET_OK;
}

static utet_status roaring_item(utet_file *file, utet_bit_runs *r)
{
    size_t size = r->priv.step == AT_LIST_RUNS ? 4 : 2;
    const uint8_t *at;
    utet_status status = utet_runs_bytes(file, r, r->priv.position, size, &at);
    uint32_t from, to;

    if (status != UTET_OK)
        return status;
    from = le16(at);
    to = from + 1u;
    if (size == 4)
        to += le16(at + 2);
    status = found(r, from, to);
    if (status != UTET_OK)
        return status;
    r->priv.position += size;
    r->priv.items--;
    return UTET_OK;
}

/* Bits, least significant first: a run within one byte, or none in it. `bit` is the place in the byte. */
static utet_status roaring_bits(utet_file *file, utet_bit_runs *r)
{
    const uint8_t *at;
    utet_status status = utet_runs_bytes(file, r, r->priv.position, 1, &at);
    uint32_t byte = CONTAINER_BITS / 8u - r->priv.items, from = (uint32_t)r->priv.bit, to;

    if (status != UTET_OK)
        return status;
    while (from != 8u && (at[0] >> from & 1u) == 0)
        from++;
    for (to = from; to != 8u && (at[0] >> to & 1u) != 0; to++) {}
    if (from != to) {
        status = found(r, byte * 8u + from, byte * 8u + to);
        if (status != UTET_OK)
            return status;
    }
    r->priv.bit = to;
    if (to == 8u) {
        r->priv.bit = 0;
        r->priv.position++;
        r->priv.items--;
    }
    return UTET_OK;
}

static utet_status next_roaring(utet_file *file, utet_bit_runs *r)
{
    utet_status status = UTET_OK;

    while (status == UTET_OK && r->priv.found == 0 && r->priv.step != UTET_RUNS_AT_END) {
        if (r->priv.step >= AT_LIST && r->priv.items == 0) {
            file->error_offset = r->priv.offset + r->priv.position;
            if (r->priv.count != 0)
                return UTET_E_PAYLOAD;
            r->priv.step = AT_CONTAINER;
        }
        switch (r->priv.step) {
        case UTET_RUNS_AT_START: status = roaring_start(file, r); break;
        case AT_CONTAINER: status = roaring_container(file, r); break;
        case AT_DESCRIPTION: status = roaring_description(file, r); break;
        case AT_RUN_COUNT: status = roaring_run_count(file, r); break;
        case AT_BITS: status = roaring_bits(file, r); break;
        default: status = roaring_item(file, r); break;
        }
    }
    return status;
}

static utet_status roaring_step(utet_stream *s, size_t want)
{
    (void)want;
    return utet_bitmask_step(s, &utet_codec_bits_roaring);
}

const utet_bits_codec utet_codec_bits_roaring = {
    {UTET_CODEC_ROARING, utet_bitmask_need, utet_bitmask_open, roaring_step, &utet_driver}, next_roaring};
