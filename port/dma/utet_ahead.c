/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
#include "utet_ahead.h"

#include <string.h>

#define NO_BLOCK (UINT32_MAX - 1) /* neither it nor its successor is the number of a block */

enum { NONE = -1 };

/* Returns the slot that has the block or gets it, or NONE. */
static int find(const utet_ahead *ahead, uint32_t block)
{
    for (int i = 0; i < UTET_AHEAD_BLOCKS; i++)
        if (ahead->priv.slot[i].block == block + 1)
            return i;
    return NONE;
}

static uint32_t block_size(const utet_ahead *ahead, uint32_t block)
{
    const uint64_t left = ahead->io.size - ((uint64_t)block << ahead->priv.shift);
    const uint32_t size = (uint32_t)1 << ahead->priv.shift;

    return left < size ? (uint32_t)left : size;
}

/* Returns the slot to give up: one whose block is neither near the front nor near aside, otherwise the one that has not
 * been used for the longest time. */
static int victim(const utet_ahead *ahead)
{
    int oldest = 0;

    for (int i = 0; i < UTET_AHEAD_BLOCKS; i++) {
        const uint32_t block = ahead->priv.slot[i].block - 1;
        if (ahead->priv.slot[i].block == 0 || (block - ahead->priv.front > 2 && block + 1 - ahead->priv.aside > 2))
            return i;
        if (ahead->priv.slot[i].used < ahead->priv.slot[oldest].used)
            oldest = i;
    }
    return oldest;
}

static void begin(utet_ahead *ahead, uint32_t block)
{
    const int i = victim(ahead);

    ahead->priv.slot[i].block = block + 1;
    ahead->priv.slot[i].have = 0;
    ahead->priv.slot[i].used = ahead->priv.clock;
    ahead->priv.pending = i;
}

void utet_ahead_stop(utet_ahead *ahead)
{
    if (ahead->priv.pending == NONE)
        return;
    if (ahead->priv.below->cancel != NULL)
        ahead->priv.below->cancel(ahead->priv.below->ctx);
    ahead->priv.slot[ahead->priv.pending].block = 0;
    ahead->priv.pending = NONE;
}

/* Lets the pending block arrive as far as it can without waiting. */
static utet_status proceed(utet_ahead *ahead)
{
    while (ahead->priv.pending != NONE) {
        const int i = ahead->priv.pending;
        const uint32_t block = ahead->priv.slot[i].block - 1, have = ahead->priv.slot[i].have;
        const uint32_t size = block_size(ahead, block);
        size_t got = 0;
        utet_status status =
            ahead->priv.below->read(ahead->priv.below->ctx, ((uint64_t)block << ahead->priv.shift) + have,
                                    ahead->priv.memory + ((size_t)i << ahead->priv.shift) + have, size - have, &got);

        if (status == UTET_OK && got == 0)
            status = UTET_E_SHORT;
        if (status == UTET_WOULD_BLOCK)
            return status;
        if (status != UTET_OK) {
            ahead->priv.slot[i].block = 0;
            ahead->priv.pending = NONE;
            return status;
        }
        ahead->priv.slot[i].have = have + (uint32_t)got;
        if (have + got == size)
            ahead->priv.pending = NONE;
    }
    return UTET_OK;
}

/* An error is dropped: the library gets it when it requests the block. */
static void fetch(utet_ahead *ahead, uint32_t block)
{
    (void)proceed(ahead);
    if (ahead->priv.pending != NONE || find(ahead, block) != NONE ||
        (uint64_t)block << ahead->priv.shift >= ahead->io.size)
        return;
    begin(ahead, block);
    (void)proceed(ahead);
}

/* Starts the next transfer if `block` continues a sequence. */
static void fetch_ahead(utet_ahead *ahead, uint32_t block)
{
    if (block != ahead->priv.front && block != ahead->priv.front + 1) {
        ahead->priv.aside = block;
        return;
    }
    ahead->priv.front = block;
    ahead->priv.missed = NO_BLOCK;
    fetch(ahead, block + 1);
    fetch(ahead, ahead->priv.aside + 1);
    fetch(ahead, block + 2);
}

/* Starts the transfer of a block that was not fetched ahead. The second such block in a row begins a sequence. */
static void miss(utet_ahead *ahead, uint32_t block)
{
    begin(ahead, block);
    if (block == ahead->priv.missed + 1)
        ahead->priv.front = block;
    ahead->priv.missed = block;
}

static utet_status ahead_read(void *ctx, uint64_t offset, void *buf, size_t len, size_t *got)
{
    utet_ahead *ahead = ctx;
    const uint32_t block = (uint32_t)(offset >> ahead->priv.shift);
    const uint32_t from = (uint32_t)offset & (((uint32_t)1 << ahead->priv.shift) - 1);

    for (;;) {
        const int i = find(ahead, block);
        const int other = ahead->priv.pending != NONE && ahead->priv.pending != i;
        utet_status status;

        if (i != NONE && ahead->priv.slot[i].have > from) {
            const uint32_t there = ahead->priv.slot[i].have - from;
            *got = len < there ? len : there;
            memcpy(buf, ahead->priv.memory + ((size_t)i << ahead->priv.shift) + from, *got);
            ahead->priv.slot[i].used = ++ahead->priv.clock;
            fetch_ahead(ahead, block);
            return UTET_OK;
        }
        if (i == NONE && !other)
            miss(ahead, block);
        status = proceed(ahead);
        if (status == UTET_WOULD_BLOCK || (status != UTET_OK && !other))
            return status; /* the error of another block is dropped */
    }
}

static void ahead_cancel(void *ctx)
{
    utet_ahead_stop(ctx);
}

void utet_ahead_open(utet_ahead *ahead, const utet_io *below, void *memory, unsigned shift)
{
    memset(ahead, 0, sizeof *ahead);
    ahead->io.ctx = ahead;
    ahead->io.read = ahead_read;
    ahead->io.cancel = ahead_cancel;
    ahead->io.size = below->size;
    ahead->io.unit = 1;
    ahead->io.align = 1;
    ahead->priv.below = below;
    ahead->priv.memory = memory;
    ahead->priv.shift = shift;
    ahead->priv.front = ahead->priv.aside = ahead->priv.missed = NO_BLOCK;
    ahead->priv.pending = NONE;
}
