/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * A run is a number of lines that one request delivers into consecutive slots. It is chosen once and kept in priv.run,
 * so that the request is the same when it is repeated. A call that has copied bytes makes no request: it returns them.
 */
#include "utet_cache.h"
#include "utet.h"

#include <string.h>

enum {
    CACHE_AHEAD = 64,  /* io.line: a line is not fetched for bytes that the reader may not need */
    CACHE_KEPT = 6,    /* a request for whole lines bypasses the cache if fewer other lines could stay */
    CACHE_SHARED = 16, /* maximum number of lines in a shared buffer */
    CACHE_FEWEST = 4   /* fewer lines save less than the sector that a file system keeps */
};

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

/* If the line was fetched too early and is dropped unread, the next run from it is half as long. */
static void cache_drop(const utet_cache *c, utet_cache_slot *slot)
{
    const size_t before = slot->is_read == 0 ? cache_find(c, slot->number - 2u) : c->priv.count;

    if (before < c->priv.count)
        c->priv.slots[before].run /= 2u;
    memset(slot, 0, sizeof *slot);
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
        cache_drop(c, slot);
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
    c->priv.run.worth = (uint16_t)lines;
    c->priv.run.failed = UTET_OK;
    c->priv.run.slot = cache_gather(c, lines);
    c->priv.run.filled = 0;
}

/* The slot of the nearest line before line `number`, or NULL. */
static const utet_cache_slot *cache_before(const utet_cache *c, uint32_t number)
{
    const utet_cache_slot *best = NULL, *slot = c->priv.slots;
    const utet_cache_slot *end = slot + c->priv.count;

    for (; slot != end; slot++)
        if (slot->number != 0 && slot->number <= number && (best == NULL || slot->number > best->number))
            best = slot;
    return best;
}

/* Counts lines from `number` on backwards that the cache does not have, at most as many as are worth a request: one
 * more than the run had that delivered the line after them. */
static size_t cache_missing_before(const utet_cache *c, uint32_t number)
{
    const size_t after = cache_find(c, number + 1u);
    const size_t most = after < c->priv.count ? c->priv.slots[after].run + 1u : 1u;
    size_t n = 1;

    while (n < most && n <= number && !cache_has(c, number - (uint32_t)n))
        n++;
    return n;
}

/*
 * A missing line, the first of `wanted` lines that the reader needs. A run is worth one line more than the run that
 * delivered the nearest line before it. If it reaches the missing line, the reader goes forwards, perhaps over lines
 * that it will read backwards, and the run begins after that nearest line. Otherwise the reader may go backwards.
 * A line that is not much further away keeps the length of the run, for the run after it. After lines that have
 * bypassed the cache, there is no run.
 */
static void cache_plan(utet_cache *c, uint32_t number, size_t wanted)
{
    const utet_cache_slot *near = number != c->priv.passed ? cache_before(c, number) : NULL;
    const uint32_t first = near != NULL ? near->number : number;
    const size_t skipped = number - first, run = near != NULL ? near->run : 0;
    size_t lines, room;

    if (near != NULL && skipped <= run) {
        lines = cache_missing(c, first, skipped + wanted > run ? skipped + wanted : run + 1u);
        room = cache_make_room(c, lines);
        if (room > skipped)
            cache_begin(c, first, room);
        else
            cache_begin(c, number, room < lines - skipped ? room : lines - skipped);
        return;
    }
    lines = cache_missing(c, number, wanted);
    if (lines > 1u) {
        cache_begin(c, number, cache_make_room(c, lines));
    } else {
        lines = cache_make_room(c, cache_missing_before(c, number));
        cache_begin(c, number - (uint32_t)lines + 1u, lines);
    }
    if (skipped <= 2u * run + 1u && c->priv.run.worth < run)
        c->priv.run.worth = (uint16_t)run;
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

/* Fetches the run that has line `number`. If a run of several lines fails, fetches only this line; if that fails too,
 * the first status is the reason: a port may have stopped since. */
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
                return c->priv.run.failed != UTET_OK ? c->priv.run.failed : status;
            cache_begin(c, number, 1);
            c->priv.run.failed = status;
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
            slot->run = c->priv.run.worth;
            slot->is_read = 0;
        }
        c->priv.run.lines = 0;
    }
    return UTET_OK;
}

/* Reads whole lines directly to their destination. */
static utet_status cache_bypass(utet_cache *c, uint32_t number, uint8_t *to, size_t lines, size_t *got)
{
    const utet_status status = cache_request(c, (uint64_t)number << c->priv.log, to, lines << c->priv.log, got);

    c->priv.passed = number + (uint32_t)(*got >> c->priv.log);
    return status;
}

static utet_status cache_read(void *ctx, uint64_t offset, void *buf, size_t len, size_t *got)
{
    utet_cache *c = (utet_cache *)ctx;
    uint8_t *to = (uint8_t *)buf;
    uint32_t number = (uint32_t)(offset >> c->priv.log);
    size_t in = (size_t)offset & (c->priv.line - 1u), whole = len >> c->priv.log, slot;

    *got = 0;
    if (c->priv.run.lines == 0 && !cache_has(c, number)) {
        if (in == 0 && whole > 1u && whole + CACHE_KEPT > c->priv.count &&
            ((uintptr_t)to & (c->priv.below->align - 1u)) == 0)
            return cache_bypass(c, number, to, cache_missing(c, number, whole), got);
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

/* Makes a cache without lines. */
static utet_status cache_over(utet_cache *cache, const utet_io *below, size_t line)
{
    memset(cache, 0, sizeof *cache);
    cache->io = *below;
    if (below->map != NULL)
        return UTET_OK;
    while ((size_t)1 << cache->priv.log < line && cache->priv.log < 15u)
        cache->priv.log++;
    if (line < 64u || line < below->unit || line != (size_t)1 << cache->priv.log ||
        below->size >> cache->priv.log >= UINT32_MAX - 1u)
        return UTET_E_ARGUMENT;
    cache->priv.below = below;
    cache->priv.line = line;
    return UTET_OK;
}

/* Lines begin at a multiple of this. */
static size_t cache_align(const utet_io *below)
{
    return below->align > 8u ? below->align : 8u;
}

static utet_status cache_give(utet_cache *cache, void *memory, size_t size)
{
    const size_t each = cache->priv.line + sizeof(utet_cache_slot);
    const size_t lost = (size_t)(0u - (uintptr_t)memory) & (cache_align(cache->priv.below) - 1u);

    if (size < lost + each)
        return UTET_E_BUDGET;
    cache->io.ctx = cache;
    cache->io.read = cache_read;
    cache->io.cancel = cache_cancel;
    cache->io.unit = cache->io.align = 1;
    cache->io.line = CACHE_AHEAD;
    cache->priv.count = (size - lost) / each;
    cache->priv.memory = (uint8_t *)memory + lost;
    cache->priv.slots = (utet_cache_slot *)(void *)(cache->priv.memory + cache->priv.count * cache->priv.line);
    utet_cache_forget(cache);
    return UTET_OK;
}

utet_status utet_cache_init(utet_cache *cache, const utet_io *below, size_t line, void *memory, size_t size)
{
    const utet_status status = cache_over(cache, below, line);

    return status == UTET_OK && below->map == NULL ? cache_give(cache, memory, size) : status;
}

utet_status utet_cache_share(utet_cache *cache, const utet_io *below, size_t line, void *work, size_t size,
                             const utet_need *need)
{
    const uint64_t least = need != NULL ? need->least : UTET_OPEN_WORK(1u);
    const utet_status status = cache_over(cache, below, line);
    const int passes = below->unit == 1u && below->align == 1u; /* the file can read through `below` itself */
    size_t lines = CACHE_SHARED, room;

    cache->front = size;
    if (status != UTET_OK || below->map != NULL)
        return status;
    while ((room = UTET_CACHE_MEMORY(lines, line) + cache_align(below) - 1u) > size || size - room < least) {
        if (lines == (passes ? CACHE_FEWEST : 1u)) {
            lines = 0;
            break;
        }
        lines /= 2u;
    }
    if (lines == 0) {
        if (passes && size >= least) {
            cache->front = need != NULL ? (size_t)least : size;
            return UTET_OK;
        }
        return UTET_E_BUDGET;
    }
    cache->front = size - room;
    if (need != NULL && (lines < CACHE_SHARED || need->best > cache->front))
        cache->front = (size_t)least;
    else if (need != NULL)
        cache->front = (size_t)need->best;
    return cache_give(cache, (uint8_t *)work + cache->front, room);
}
