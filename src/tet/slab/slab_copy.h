/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The rows of slab.c, and their copies from a tile to the dense result: rows without gaps in blocks, elements with gaps
 * in words, and either in bytes where addresses are odd. Internal to the library.
 */
#ifndef UTET_SLAB_COPY_H
#define UTET_SLAB_COPY_H

#include "../../base/base.h"

#include <string.h>

/* Bytes that any types may have written. */
typedef uint32_t __attribute__((may_alias)) slab_word;
typedef struct {
    uint32_t word[8];
} __attribute__((may_alias)) slab_block;

/* Nonzero if words may be at both addresses. */
#define SLAB_ALIGNED(a, b) (UTET_GAP((uintptr_t)(a) | (uintptr_t)(b), sizeof(slab_word) - 1) == 0)

/* The rest of a row in its tile. SIZE_MAX means that many bytes or more, which no memory has: a file begins with other
 * bytes. */
struct row_bytes {
    size_t span;     /* bytes from its first element to the end of its last one */
    size_t pitch;    /* bytes from it to the next row of the selection; 0: the dataset has one axis */
    size_t rest;     /* bytes from it to the last row of the tile */
    utet_view there; /* the addressable bytes from its first element on */
};

static inline size_t to_size(uint64_t bytes)
{
    return bytes < SIZE_MAX ? (size_t)bytes : SIZE_MAX;
}

/* Rows of elements. Elements are `stride` bytes apart in the tile and `put` bytes apart in the result; rows are `pitch`
 * bytes and `width` bytes apart. All of these are multiples of an element's size. The pointers to the present row are
 * here, because Cortex-M0+ has too few registers for them. */
struct slab_plane {
    uint8_t *to;
    const uint8_t *from;
    size_t rows, width, pitch;
    size_t count, stride, put;
};

static void slab_first_row(struct slab_plane *plane, uint8_t *to, const uint8_t *from, size_t rows)
{
    plane->to = to;
    plane->from = from;
    plane->rows = rows;
}

/* Returns 0 after the last row, beyond which the next step may lead far. */
static inline __attribute__((always_inline)) int slab_next_row(struct slab_plane *plane)
{
    if (--plane->rows == 0)
        return 0;
    plane->to += plane->width;
    plane->from += plane->pitch;
    return 1;
}

/* Copies the first bytes of each row, a multiple of a block. */
UTET_APART static void slab_copy_blocks(struct slab_plane *plane, size_t bytes)
{
    do {
        slab_block *to = (slab_block *)(void *)plane->to;
        const slab_block *from = (const slab_block *)(const void *)plane->from;
        const slab_block *end = (const slab_block *)(const void *)(plane->to + bytes);

        do
            *to++ = *from++;
        while (to != end);
    } while (slab_next_row(plane));
}

/* Copies one word of each element: four in each turn, or two where registers are few (Cortex-M0+: 12 to 38 % fewer
 * instructions than with four). */
UTET_APART static void slab_copy_words(struct slab_plane *plane)
{
    do {
        const size_t stride = plane->stride;
        const size_t put = plane->put;
        const uint8_t *from = plane->from;
        uint8_t *to = plane->to;
#ifdef __ARM_ARCH_6M__
        const uint8_t *last = to + (plane->count - 1) * put;

        *(slab_word *)(void *)to = *(const slab_word *)(const void *)from;
        if ((plane->count & 1) == 0) {
            from += stride;
            to += put;
            *(slab_word *)(void *)to = *(const slab_word *)(const void *)from;
        }
        if (to == last)
            continue;
        do {
            *(slab_word *)(void *)(to + put) = *(const slab_word *)(const void *)(from + stride);
            from += 2 * stride;
            to += 2 * put;
            *(slab_word *)(void *)to = *(const slab_word *)(const void *)from;
        } while (to != last);
#else
        size_t count = plane->count;

        for (; (count & 3) != 0; count--) {
            *(slab_word *)(void *)to = *(const slab_word *)(const void *)from;
            from += stride;
            to += put;
        }
        if (count == 0)
            continue;
        do {
            *(slab_word *)(void *)to = *(const slab_word *)(const void *)from;
            *(slab_word *)(void *)(to + put) = *(const slab_word *)(const void *)(from + stride);
            *(slab_word *)(void *)(to + 2 * put) = *(const slab_word *)(const void *)(from + 2 * stride);
            *(slab_word *)(void *)(to + 3 * put) = *(const slab_word *)(const void *)(from + 3 * stride);
            from += 4 * stride;
            to += 4 * put;
            count -= 4;
        } while (count != 0);
#endif
    } while (slab_next_row(plane));
}

/* Copies one byte of each element. */
UTET_APART static void slab_copy_octets(struct slab_plane *plane)
{
    do {
        const uint8_t *from = plane->from;
        uint8_t *to = plane->to;
        size_t count = plane->count;

        for (;;) {
            *to = *from;
            if (--count == 0)
                break;
            from += plane->stride;
            to += plane->put;
        }
    } while (slab_next_row(plane));
}

/* Copies rows of `bytes` bytes without gaps. */
static void slab_copy_dense(struct slab_plane *plane, uint8_t *to, const uint8_t *from, size_t rows, size_t bytes)
{
    if (SLAB_ALIGNED(from, to) && ((plane->pitch | plane->width) & (sizeof(slab_word) - 1)) == 0 &&
        bytes >= sizeof(slab_block)) {
        const size_t some = bytes & ~(sizeof(slab_block) - 1);

        slab_first_row(plane, to, from, rows);
        slab_copy_blocks(plane, some);
        bytes -= some;
        if (bytes == 0)
            return;
        to += some;
        from += some;
    }
    slab_first_row(plane, to, from, rows);
    do
        memcpy(plane->to, plane->from, bytes);
    while (slab_next_row(plane));
}

/* Copies rows of elements of `size` bytes. */
static void slab_copy_elements(struct slab_plane *plane, uint8_t *to, const uint8_t *from, size_t rows, size_t size)
{
    const size_t unit = SLAB_ALIGNED(from, to) && size >= sizeof(slab_word) ? sizeof(slab_word) : 1;

    for (; size != 0; size -= unit) {
        slab_first_row(plane, to, from, rows);
        if (unit != 1)
            slab_copy_words(plane);
        else
            slab_copy_octets(plane);
        to += unit;
        from += unit;
    }
}

#endif
