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

/* The first of `lines` consecutive slots whose latest use is the earliest. */
static size_t cache_oldest(const utet_cache *c, size_t lines)
{
    uint32_t earliest = UINT32_MAX;
    size_t best = 0, i, k;

    for (i = 0; i + lines <= c->priv.count; i++) {
        uint32_t latest = 0;

        for (k = 0; k < lines; k++)
            if (latest < c->priv.slots[i + k].used)
                latest = c->priv.slots[i + k].used;
        if (latest < earliest) {
            earliest = latest;
            best = i;
        }
    }
    return best;
}

/* Begins a run. Its slots hold nothing until it is complete. */
static void cache_begin(utet_cache *c, uint32_t first, size_t lines)
{
    c->priv.run.first = first;
    c->priv.run.lines = lines;
    c->priv.run.slot = cache_oldest(c, lines);
    c->priv.run.filled = 0;
    memset(c->priv.slots + c->priv.run.slot, 0, lines * sizeof *c->priv.slots);
}

/* The maximum length of a run: a quarter of the cache, because rows and payloads are read alternately. */
static size_t cache_most(const utet_cache *c)
{
    return c->priv.count < 4u ? 1u : c->priv.count / 4u;
}

/* Returns how many lines beyond line `from`, in steps of 1 or -1, are worth a request. The run that delivered `from`
 * has been read since, and `others` lines have arrived meanwhile. At that pace, the new lines are needed before the
 * cache has to drop them. Returns 1 if `from` is not in the cache. */
static size_t cache_ahead(const utet_cache *c, uint32_t from, uint32_t step)
{
    size_t slot = cache_find(c, from), lines = 0;
    uint32_t came, others;

    if (slot == c->priv.count)
        return 1;
    came = c->priv.slots[slot].came;
    others = c->priv.arrived - came;
    for (; slot < c->priv.count && c->priv.slots[slot].came == came; slot = cache_find(c, from -= step))
        lines++;
    return (size_t)((uint32_t)(c->priv.count * 3u / 4u * lines) / ((uint32_t)lines + others));
}

/* A missing line, the first of `wanted` lines that the reader needs. If the cache has the line before it, the reader
 * goes forwards; if it has the line after it, backwards. */
static void cache_plan(utet_cache *c, uint32_t number, size_t wanted)
{
    const size_t most = cache_most(c);
    uint32_t first = number;
    size_t ahead = cache_ahead(c, number - 1u, 1), lines;

    if (wanted < ahead)
        wanted = ahead;
    lines = cache_missing(c, number, wanted < most ? wanted : most);
    if (lines == 1u) {
        ahead = cache_ahead(c, number + 1u, UINT32_MAX);
        while (lines < ahead && lines < most && first != 0 && !cache_has(c, first - 1u)) {
            first--;
            lines++;
        }
    }
    cache_begin(c, first, lines);
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
        c->priv.uses++;
        for (i = 0; i < c->priv.run.lines; i++) {
            utet_cache_slot *slot = c->priv.slots + c->priv.run.slot + i;

            slot->number = c->priv.run.first + (uint32_t)i + 1u;
            slot->used = c->priv.uses;
            slot->came = c->priv.arrived;
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
    size_t in = (size_t)offset & (c->priv.line - 1u), slot;

    *got = 0;
    if (c->priv.run.lines == 0 && !cache_has(c, number)) {
        if (in == 0 && len >> c->priv.log > cache_most(c) && ((uintptr_t)to & (c->priv.below->align - 1u)) == 0)
            return cache_request(c, offset, to, cache_missing(c, number, len >> c->priv.log) << c->priv.log, got);
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
        c->priv.slots[slot].used = ++c->priv.uses;
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
    cache->priv.uses = 0;
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
    cache->priv.below = below;
    cache->priv.line = line;
    cache->priv.count = (size - lost) / (line + sizeof(utet_cache_slot));
    cache->priv.memory = (uint8_t *)memory + lost;
    cache->priv.slots = (utet_cache_slot *)(void *)(cache->priv.memory + cache->priv.count * line);
    utet_cache_forget(cache);
    return UTET_OK;
}
