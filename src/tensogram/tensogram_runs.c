/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs of ones in a bitmask (FORMAT.md §4.6): bits as they are, rle, roaring. Each step fetches its bytes, then
 * commits; positions only grow, and a run never leaves the bitmask, so the work is bounded by the data's length. start
 * and end change only when the next run is known: who looks at them after "not yet" must want the same again.
 */
#include "tensogram_data.h"

#include <string.h>

#define ROARING_PLAIN 12346u
#define ROARING_RUNS 12347u
#define ROARING_ARRAY_MOST 4096u /* values of a container that is a list */
#define CONTAINER_BITS 65536u

enum { AT_START, AT_RUN, AT_CONTAINER, AT_DESCRIPTION, AT_RUN_COUNT, AT_LIST, AT_LIST_RUNS, AT_BITS, AT_OVER };

void utet_runs_begin(utet_bit_runs *runs, uint8_t method, uint64_t bits, uint64_t offset, uint64_t length,
                     const uint8_t *map)
{
    memset(runs, 0, sizeof *runs);
    runs->priv.bits = bits;
    runs->priv.offset = offset;
    runs->priv.length = length;
    runs->priv.map = map;
    runs->priv.method = method;
}

/* `size` bytes (1..128) at `position` of the data; the window may read on to the data's end. */
static utet_status bytes(utet_file *file, const utet_bit_runs *r, uint64_t position, size_t size, const uint8_t **at)
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

static utet_status over(utet_file *file, utet_bit_runs *r)
{
    r->start = UTET_RUNS_OVER;
    r->end = UTET_RUNS_OVER;
    r->priv.step = AT_OVER;
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
            utet_status status = bytes(file, r, byte, 1, &at);

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
    return over(file, r);
}

/* ---- rle: a byte that says what the first run is of, then lengths ---- */

/* One byte of a length. */
static utet_status rle_byte(utet_file *file, utet_bit_runs *r)
{
    const uint8_t *at;
    utet_status status = bytes(file, r, r->priv.position, 1, &at);
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

    if (r->priv.step == AT_START && r->priv.bits == 0 && r->priv.length == 0)
        return over(file, r); /* no bits: not even the byte is written */
    if (r->priv.step == AT_START) {
        status = bytes(file, r, 0, 1, &at);
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
            return over(file, r);
        }
        status = rle_byte(file, r);
    } while (status == UTET_OK && r->priv.found == 0);
    return status;
}

/* ---- roaring, the portable format; all numbers little-endian ---- */

static uint32_t le16(const uint8_t *at)
{
    return at[0] | (uint32_t)at[1] << 8;
}

static utet_status roaring_start(utet_file *file, utet_bit_runs *r)
{
    const uint8_t *at;
    utet_status status = bytes(file, r, 0, 4, &at);
    uint32_t cookie;

    if (status != UTET_OK)
        return status;
    cookie = utet_le32(at);
    if (le16(at) == ROARING_RUNS) {
        r->priv.containers = (cookie >> 16) + 1u;
        r->priv.flags = 4;
        r->priv.number = 4u + (r->priv.containers + 7u) / 8u;
    } else {
        status = bytes(file, r, 0, 8, &at);
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
        return over(file, r);
    r->priv.value = 0;
    if (r->priv.flags != 0) {
        status = bytes(file, r, r->priv.flags + r->priv.index / 8u, 1, &at);
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
    utet_status status = bytes(file, r, r->priv.number, 4, &at);

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
    utet_status status = bytes(file, r, r->priv.position, 2, &at);

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
    utet_status status = bytes(file, r, r->priv.position, size, &at);
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
    utet_status status = bytes(file, r, r->priv.position, 1, &at);
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

    while (status == UTET_OK && r->priv.found == 0 && r->priv.step != AT_OVER) {
        if (r->priv.step >= AT_LIST && r->priv.items == 0) {
            file->error_offset = r->priv.offset + r->priv.position;
            if (r->priv.count != 0)
                return UTET_E_PAYLOAD;
            r->priv.step = AT_CONTAINER;
        }
        switch (r->priv.step) {
        case AT_START: status = roaring_start(file, r); break;
        case AT_CONTAINER: status = roaring_container(file, r); break;
        case AT_DESCRIPTION: status = roaring_description(file, r); break;
        case AT_RUN_COUNT: status = roaring_run_count(file, r); break;
        case AT_BITS: status = roaring_bits(file, r); break;
        default: status = roaring_item(file, r); break;
        }
    }
    return status;
}

utet_status utet_runs_next(utet_file *file, utet_bit_runs *runs)
{
    if (runs->priv.step == AT_OVER)
        return UTET_OK;
    runs->priv.found = 0;
    if (runs->priv.method == UTET_COMPRESSION_RLE)
        return next_rle(file, runs);
    if (runs->priv.method == UTET_COMPRESSION_ROARING)
        return next_roaring(file, runs);
    return next_plain(file, runs);
}
