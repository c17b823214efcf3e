/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Frame headers, and the walk from header to header that finds the largest window of a payload.
 */
#include "zstd_decoder.h"

/* Frame_Content_Size: the n bytes before `end`. None are ZS_UNKNOWN, and so are 8 of ones: upstream takes them so. */
static uint64_t content_size(const uint8_t *end, unsigned n)
{
    uint64_t size = n == 0 ? ZS_UNKNOWN : 0;
    unsigned i;

    for (i = 0; i < n; i++)
        size = size << 8 | *--end;
    return n == 2u ? size + 256u : size;
}

/* The fields after the Frame_Header_Descriptor at p. */
static utet_status frame_fields(zs_header *h, const uint8_t *p, size_t len)
{
    const unsigned flags = *p, single = flags >> 5 & 1u; /* Single_Segment_flag */
    unsigned size_bytes = flags >> 6 != 0 ? 1u << (flags >> 6) : single;
    unsigned id_bytes = 1u << (flags & 3u) >> 1, n = 2u - single + id_bytes + size_bytes;

    if ((flags & 8u) != 0 || len < n)
        return UTET_E_PAYLOAD;
    h->bytes = 4u + n;
    h->checksum = flags >> 2 & 1u;
    h->content = content_size(p + n, size_bytes);
    if (single) {
        h->window = h->content >> 32 != 0 ? 0xffffffffu : (uint32_t)h->content;
    } else {
        const unsigned window = *++p; /* Window_Descriptor: Exponent and Mantissa */

        if (window > (ZS_WINDOW_LOG_MAX - 10u) << 3)
            return UTET_E_ZSTD_WINDOW;
        h->window = (uint32_t)(8u + (window & 7u)) << 7 << (window >> 3);
    }
    for (; id_bytes != 0; id_bytes--) /* Dictionary_ID */
        if (*++p != 0)
            return UTET_E_ZSTD_DICT;
    return UTET_OK;
}

utet_status utet_zs_header(zs_header *h, const uint8_t *p, size_t len)
{
    uint32_t magic;

    if (len < 5u)
        return UTET_E_PAYLOAD;
    magic = zs_le32(p);
    h->skippable = (magic & 0xfffffff0u) == 0x184d2a50u;
    if (h->skippable) {
        if (len < 8u)
            return UTET_E_PAYLOAD;
        h->bytes = (uint64_t)zs_le32(p + 4) + 8u;
        h->window = 0;
        return UTET_OK;
    }
    if (magic == ZS_MAGIC)
        return frame_fields(h, p + 4, len - 4u);
    return magic == 0x1eb52ffdu || magic - 0xfd2fb522u < 6u ? UTET_E_ZSTD_LEGACY : UTET_E_PAYLOAD;
}

utet_status utet_zstd_window(const uint8_t *head, size_t len, uint32_t *window, uint64_t *skip)
{
    zs_header h;
    utet_status status = utet_zs_header(&h, head, len);

    *window = 0;
    *skip = 0;
    if (status != UTET_OK)
        return status;
    *window = h.window;
    if (h.skippable)
        *skip = h.bytes;
    return UTET_OK;
}

size_t utet_zs_walk_wants(const zs_walk *walk, uint64_t length)
{
    const uint64_t left = length - walk->position;

    if (walk->in_frame)
        return 3;
    return left < 18u ? (size_t)left : 18u;
}

/* A frame, or a skippable one as a whole. */
static utet_status walk_frame(zs_walk *walk, uint64_t left, const uint8_t *p, size_t have)
{
    zs_header h;
    utet_status status = utet_zs_header(&h, p, have);

    if (status != UTET_OK)
        return status;
    if (h.bytes > left)
        return UTET_E_PAYLOAD;
    walk->position += h.bytes;
    if (!h.skippable) {
        walk->in_frame = 1;
        walk->checksum = h.checksum;
        if (walk->window < h.window)
            walk->window = h.window;
    }
    return UTET_OK;
}

utet_status utet_zs_walk_on(zs_walk *walk, uint64_t length, const uint8_t *p, size_t have)
{
    const uint64_t left = length - walk->position;
    uint32_t header, size;

    if (!walk->in_frame)
        return walk_frame(walk, left, p, have);
    if (left < 3u)
        return UTET_E_PAYLOAD;
    header = zs_block_header(p);
    size = (header >> 1 & 3u) == 1u ? 1u : header >> 3;
    size += 3u;
    if ((header & 1u) != 0) { /* Last_Block */
        size += walk->checksum != 0 ? 4u : 0u;
        walk->in_frame = 0;
    }
    if (size > left)
        return UTET_E_PAYLOAD;
    walk->position += size;
    return UTET_OK;
}
