/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
#include "utet_ahead.h"

#include <string.h>

#define NO_BLOCK (UINT32_MAX - 1) /* neither it nor its successor is the number of a block */

enum {
    NONE = -1,
    DEPTH = 4, /* blocks of the sequence that are fetched before they are read */
    STEPS = 2  /* after this number of steps to the next block, another sequence begins */
};

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

static int in_sequence(const utet_ahead *ahead, uint32_t block)
{
    return block - ahead->priv.front < ahead->priv.next - ahead->priv.front;
}

/* Returns the slot to give up: an empty one, otherwise the one that has not been used for the longest time. The blocks
 * of the sequence (at most DEPTH + 1) and two at aside stay, the one before aside if there is another slot. */
static int victim(const utet_ahead *ahead)
{
    int oldest = NONE, before = NONE;

    for (int i = 0; i < UTET_AHEAD_BLOCKS; i++) {
        const uint32_t block = ahead->priv.slot[i].block - 1;
        if (ahead->priv.slot[i].block == 0)
            return i;
        if (in_sequence(ahead, block) || block - ahead->priv.aside <= 1)
            continue;
        if (block + 1 == ahead->priv.aside)
            before = i;
        else if (oldest == NONE || ahead->priv.slot[i].used < ahead->priv.slot[oldest].used)
            oldest = i;
    }
    return oldest != NONE ? oldest : before;
}

static void begin(utet_ahead *ahead, uint32_t block, uint32_t from)
{
    int i = find(ahead, block);

    if (i == NONE)
        i = victim(ahead);
    from &= ~((uint32_t)ahead->priv.below->unit - 1);
    ahead->priv.slot[i].block = block + 1;
    ahead->priv.slot[i].from = from;
    ahead->priv.slot[i].have = from;
    ahead->priv.slot[i].used = ahead->priv.clock;
    ahead->priv.pending = i;
}

/* The pending block does not arrive. */
static void forget(utet_ahead *ahead)
{
    const int i = ahead->priv.pending;
    const uint32_t block = ahead->priv.slot[i].block - 1;

    if (in_sequence(ahead, block))
        ahead->priv.next = block;
    ahead->priv.slot[i].block = 0;
    ahead->priv.pending = NONE;
}

void utet_ahead_stop(utet_ahead *ahead)
{
    ahead->priv.free = 0;
    if (ahead->priv.pending == NONE)
        return;
    if (ahead->priv.below->cancel != NULL)
        ahead->priv.below->cancel(ahead->priv.below->ctx);
    forget(ahead);
}

/* Lets the pending block arrive as far as it can without waiting. It comes in halves: the library gets the first one
 * while the second one arrives. */
static utet_status proceed(utet_ahead *ahead)
{
    while (ahead->priv.pending != NONE) {
        const int i = ahead->priv.pending;
        const utet_io *const below = ahead->priv.below;
        const uint32_t block = ahead->priv.slot[i].block - 1, have = ahead->priv.slot[i].have;
        const uint32_t left = block_size(ahead, block) - have, half = (uint32_t)1 << (ahead->priv.shift - 1);
        size_t got = 0;
        utet_status status = below->read(below->ctx, ((uint64_t)block << ahead->priv.shift) + have,
                                         ahead->priv.memory + ((size_t)i << ahead->priv.shift) + have,
                                         left < half ? left : half, &got);

        if (status == UTET_OK && got == 0)
            status = UTET_E_SHORT;
        if (status == UTET_WOULD_BLOCK)
            return status;
        if (status != UTET_OK) {
            forget(ahead);
            return status;
        }
        ahead->priv.slot[i].have = have + (uint32_t)got;
        if (got == left)
            ahead->priv.pending = NONE;
    }
    return UTET_OK;
}

/* Starts the next transfer, if there is one to start: after the next block of the sequence the one that is wanted
 * elsewhere, then the others of the sequence. An error is dropped: the library gets it when it requests the block. */
static void fetch(utet_ahead *ahead)
{
    while (proceed(ahead) == UTET_OK) {
        const uint32_t stock = ahead->priv.next - ahead->priv.front;
        uint32_t block = ahead->priv.next;

        if (stock > 1 && ahead->priv.wanted != NO_BLOCK) {
            block = ahead->priv.wanted;
            ahead->priv.wanted = NO_BLOCK;
        } else if (stock <= DEPTH) {
            ahead->priv.next++;
        } else {
            return;
        }
        if ((uint64_t)block << ahead->priv.shift < ahead->io.size && find(ahead, block) == NONE)
            begin(ahead, block, 0);
    }
}

void utet_ahead_continue(utet_ahead *ahead)
{
    if (ahead->priv.free)
        fetch(ahead);
}

/* The library has read from the block. The first sequence begins with the file. A sequence continues with any of the
 * next DEPTH blocks. */
static void notice(utet_ahead *ahead, uint32_t block)
{
    if (block - ahead->priv.front > DEPTH) {
        if (block == ahead->priv.aside)
            return;
        ahead->priv.steps = block == ahead->priv.aside + 1 ? ahead->priv.steps + 1 : 0;
        ahead->priv.aside = block;
        ahead->priv.wanted = block + 1;
        if (ahead->priv.steps < STEPS)
            return;
    }
    ahead->priv.steps = 0;
    ahead->priv.front = block;
    if (ahead->priv.next - block - 1 > DEPTH)
        ahead->priv.next = block + 1;
}

/* Returns the slot that has the byte of the block, or NONE. */
static int holds(const utet_ahead *ahead, uint32_t block, uint32_t from)
{
    const int i = find(ahead, block);

    return i != NONE && ahead->priv.slot[i].from <= from && from < ahead->priv.slot[i].have ? i : NONE;
}

static utet_status ahead_read(void *ctx, uint64_t offset, void *buf, size_t len, size_t *got)
{
    utet_ahead *ahead = ctx;
    const uint32_t block = (uint32_t)(offset >> ahead->priv.shift);
    const uint32_t from = (uint32_t)offset & (((uint32_t)1 << ahead->priv.shift) - 1);

    ahead->priv.free = 0;
    for (;;) {
        const int i = holds(ahead, block, from);
        int own = 1;
        utet_status status;

        if (i != NONE) {
            const uint32_t there = ahead->priv.slot[i].have - from;
            *got = len < there ? len : there;
            memcpy(buf, ahead->priv.memory + ((size_t)i << ahead->priv.shift) + from, *got);
            ahead->priv.slot[i].used = ++ahead->priv.clock;
            notice(ahead, block);
            fetch(ahead);
            ahead->priv.free = 1;
            return UTET_OK;
        }
        if (ahead->priv.pending == NONE)
            begin(ahead, block, from);
        else
            own = ahead->priv.pending == find(ahead, block);
        status = proceed(ahead);
        if (status == UTET_WOULD_BLOCK ? holds(ahead, block, from) == NONE : status != UTET_OK && own)
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
    ahead->priv.front = UINT32_MAX; /* the block before the first one */
    ahead->priv.aside = ahead->priv.wanted = NO_BLOCK;
    ahead->priv.pending = NONE;
}
