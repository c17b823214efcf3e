/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * A run is a number of lines that one request delivers into consecutive slots. It is chosen once and kept in priv.run,
 * so that the request is the same when it is repeated. A call that has copied bytes makes no request: it returns them.
 */
#include "utet_cache.h"

#include <string.h>

/* The slot that has line `number`, or priv.count. Number -1 is no line. */
static size_t cache_find(const utet_cache *c, uint32_t number)
{
    size_t i = number != UINT32_MAX ? 0 : c->priv.count;

    while (i < c->priv.count && c->priv.slots[i].number != number + 1u)
        i++;
    return i;
}

static int cache_has(const utet_cache *c, uint32_t number)
{
    return cache_find(c, number) < c->priv.count;
}

/* Counts lines from `number` on that the file has and the cache does not, up to `most`. */
static size_t cache_missing(const utet_cache *c, uint32_t number, size_t most)
{
    const uint64_t left = ((c->io.size - 1u) >> c->priv.log) - number + 1u;
    size_t n = 0;

    while (n < most && n < left && !cache_has(c, number + (uint32_t)n))
        n++;
    return n;
}

/* The order in which lines are dropped; within a group, the one with the earliest time goes first. */
enum { CACHE_UNUSED, CACHE_READ, CACHE_EXPECTED };

/* Of a line that was never read: it is expected to be, until twice as many lines as the cache has have arrived. */
static unsigned cache_group(const utet_cache *c, const utet_cache_slot *slot)
{
    if (slot->is_read != 0)
        return CACHE_READ;
    return c->priv.arrived - slot->time > 2u * c->priv.count ? CACHE_UNUSED : CACHE_EXPECTED;
}

/* The slot whose line is dropped next; not all slots are empty. *group: that of the line. */
static utet_cache_slot *cache_next_victim(const utet_cache *c, unsigned *group)
{
    utet_cache_slot *best = NULL, *slot = c->priv.slots;
    const utet_cache_slot *end = slot + c->priv.count;

    for (*group = CACHE_EXPECTED; slot != end; slot++) {
        const unsigned other = cache_group(c, slot);

        if (slot->number != 0 && (best == NULL || other < *group || (other == *group && slot->time < best->time))) {
            best = slot;
            *group = other;
        }
    }
    return best;
}

/* Drops lines until `wanted` slots are empty. When one slot is empty, keeps the lines of the group CACHE_EXPECTED and
 * the last four lines that were read. Returns the number of empty slots, at most `wanted`. */
static size_t cache_make_room(const utet_cache *c, size_t wanted)
{
    size_t empty = 0, read = 0, i;

    for (i = 0; i < c->priv.count; i++) {
        empty += c->priv.slots[i].number == 0;
        read += c->priv.slots[i].is_read;
    }
    while (empty < wanted && empty < c->priv.count) {
        unsigned group;
        utet_cache_slot *slot = cache_next_victim(c, &group);

        if (empty != 0 && (group == CACHE_EXPECTED || (group == CACHE_READ && read <= 4u)))
            break;
        read -= slot->is_read;
        memset(slot, 0, sizeof *slot);
        empty++;
    }
    return empty < wanted ? empty : wanted;
}

/* Makes `lines` consecutive slots empty: moves the fewest lines to empty slots elsewhere. At least `lines` slots are
 * empty before. Returns the first of them. */
static size_t cache_gather(const utet_cache *c, size_t lines)
{
    utet_cache_slot *slots = c->priv.slots;
    size_t best = 0, fewest = lines + 1u, to = 0, i, k;

    for (i = 0; i + lines <= c->priv.count; i++) {
        size_t full = 0;

        for (k = 0; k < lines; k++)
            full += slots[i + k].number != 0;
        if (full < fewest) {
            fewest = full;
            best = i;
        }
    }
    for (i = best; i < best + lines; i++) {
        if (slots[i].number == 0)
            continue;
        while (slots[to].number != 0 || (to >= best && to < best + lines))
            to++;
        memcpy(c->priv.memory + to * c->priv.line, c->priv.memory + i * c->priv.line, c->priv.line);
        slots[to] = slots[i];
        memset(slots + i, 0, sizeof *slots);
    }
    return best;
}

/* Begins a run; at least `lines` slots are empty. */
static void cache_begin(utet_cache *c, uint32_t first, size_t lines)
{
    c->priv.run.first = first;
    c->priv.run.lines = lines;
    c->priv.run.slot = cache_gather(c, lines);
    c->priv.run.filled = 0;
}

/* How many lines are worth a request next to line `neighbour`: one more than the run had that delivered it. The reader
 * has come to the end of that run. Returns 1 if the cache does not have the line. */
static size_t cache_ahead(const utet_cache *c, uint32_t neighbour)
{
    const size_t slot = cache_find(c, neighbour);

    return slot == c->priv.count ? 1u : c->priv.slots[slot].run + 1u;
}

/* A missing line, the first of `wanted` lines that the reader needs. If the cache has the line before it, the reader
 * goes forwards; if it has the line after it, backwards. */
static void cache_plan(utet_cache *c, uint32_t number, size_t wanted)
{
    const size_t ahead = cache_ahead(c, number - 1u);
    size_t lines = cache_missing(c, number, wanted > ahead ? wanted : ahead), back = 0;

    if (lines == 1u) {
        lines = cache_ahead(c, number + 1u);
        while (back + 1u < lines && back < number && !cache_has(c, number - (uint32_t)back - 1u))
            back++;
        lines = back + 1u;
    }
    lines = cache_make_room(c, lines);
    cache_begin(c, back != 0 ? number - (uint32_t)lines + 1u : number, lines);
}

/* Makes one request. UTET_E_PORT: an answer that no port may give. */
static utet_status cache_request(const utet_cache *c, uint64_t offset, uint8_t *to, size_t length, size_t *got)
{
    const utet_io *below = c->priv.below;
    utet_status status;

    *got = 0;
    status = below->read(below->ctx, offset, to, length, got);
    if (status == UTET_OK && *got != length && (*got > length || (*got & (below->unit - 1u)) != 0))
        status = UTET_E_PORT;
    if (status != UTET_OK)
        *got = 0;
    return status;
}

/* Fetches the run that has line `number`. If a run of several lines fails, fetches only this line. */
static utet_status cache_fetch(utet_cache *c, uint32_t number)
{
    while (c->priv.run.lines != 0) {
        const uint64_t offset = (uint64_t)c->priv.run.first << c->priv.log;
        const uint64_t left = c->io.size - offset;
        size_t length = c->priv.run.lines * c->priv.line, got, i;
        utet_status status;

        if (left < length)
            length = (size_t)left;
        status = cache_request(c, offset + c->priv.run.filled,
                               c->priv.memory + c->priv.run.slot * c->priv.line + c->priv.run.filled,
                               length - c->priv.run.filled, &got);
        if (status == UTET_WOULD_BLOCK)
            return status;
        if (got == 0) {
            const size_t lines = c->priv.run.lines;

            c->priv.run.lines = 0;
            if (lines == 1u)
                return status;
            cache_begin(c, number, 1);
            continue;
        }
        c->priv.run.filled += got;
        if (c->priv.run.filled < length)
            continue;
        c->priv.arrived += (uint32_t)c->priv.run.lines;
        for (i = 0; i < c->priv.run.lines; i++) {
            utet_cache_slot *slot = c->priv.slots + c->priv.run.slot + i;

            slot->number = c->priv.run.first + (uint32_t)i + 1u;
            slot->time = c->priv.arrived;
            slot->run = (uint16_t)c->priv.run.lines;
            slot->is_read = 0;
        }
        c->priv.run.lines = 0;
    }
    return UTET_OK;
}

static utet_status cache_read(void *ctx, uint64_t offset, void *buf, size_t len, size_t *got)
{
    utet_cache *c = (utet_cache *)ctx;
    uint8_t *to = (uint8_t *)buf;
    uint32_t number = (uint32_t)(offset >> c->priv.log);
    size_t in = (size_t)offset & (c->priv.line - 1u), whole = len >> c->priv.log, slot;

    *got = 0;
    if (c->priv.run.lines == 0 && !cache_has(c, number)) {
        if (in == 0 && whole > 1u && whole * 4u > c->priv.count && ((uintptr_t)to & (c->priv.below->align - 1u)) == 0)
            return cache_request(c, offset, to, cache_missing(c, number, whole) << c->priv.log, got);
        cache_plan(c, number, ((in + len - 1u) >> c->priv.log) + 1u);
    }
    if (c->priv.run.lines != 0) {
        const utet_status status = cache_fetch(c, number);

        if (status != UTET_OK)
            return status;
    }
    for (slot = cache_find(c, number); *got < len && slot < c->priv.count; slot = cache_find(c, ++number)) {
        size_t n = c->priv.line - in;

        if (n > len - *got)
            n = len - *got;
        memcpy(to + *got, c->priv.memory + slot * c->priv.line + in, n);
        c->priv.slots[slot].time = ++c->priv.reads;
        c->priv.slots[slot].is_read = 1;
        *got += n;
        in = 0;
    }
    return UTET_OK;
}

static void cache_cancel(void *ctx)
{
    utet_cache *c = (utet_cache *)ctx;

    c->priv.run.lines = 0;
    if (c->priv.below->cancel != NULL)
        c->priv.below->cancel(c->priv.below->ctx);
}

void utet_cache_forget(utet_cache *cache)
{
    cache->priv.run.lines = 0;
    cache->priv.reads = 0;
    if (cache->priv.count != 0)
        memset(cache->priv.slots, 0, cache->priv.count * sizeof *cache->priv.slots);
}

utet_status utet_cache_init(utet_cache *cache, const utet_io *below, size_t line, void *memory, size_t size)
{
    const size_t align = below->align > 8u ? below->align : 8u;
    const size_t lost = (size_t)(0u - (uintptr_t)memory) & (align - 1u);

    memset(cache, 0, sizeof *cache);
    cache->io = *below;
    if (below->map != NULL)
        return UTET_OK;
    while ((size_t)1 << cache->priv.log < line && cache->priv.log < 15u)
        cache->priv.log++;
    if (line < 64u || line < below->unit || line != (size_t)1 << cache->priv.log ||
        below->size >> cache->priv.log >= UINT32_MAX - 1u)
        return UTET_E_ARGUMENT;
    if (size < lost || (size - lost) / (line + sizeof(utet_cache_slot)) == 0)
        return UTET_E_BUDGET;
    cache->io.ctx = cache;
    cache->io.read = cache_read;
    cache->io.cancel = cache_cancel;
    cache->io.unit = cache->io.align = 1;
    cache->io.line = 0; /* most lines have arrived when they are requested, so long requests cost nothing */
    cache->priv.below = below;
    cache->priv.line = line;
    cache->priv.count = (size - lost) / (line + sizeof(utet_cache_slot));
    cache->priv.memory = (uint8_t *)memory + lost;
    cache->priv.slots = (utet_cache_slot *)(void *)(cache->priv.memory + cache->priv.count * line);
    utet_cache_forget(cache);
    return UTET_OK;
}
