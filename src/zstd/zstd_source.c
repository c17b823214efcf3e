/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The decoder's input: requests to the source, headers made addressable, bit streams read backwards through caches or
 * in mapped memory, and payload bytes that go straight into the output.
 */
#include "zstd_decoder.h"

utet_status utet_zs_fetch(utet_zstd *z, uint32_t rel, uint8_t *to, size_t length)
{
    uint64_t position = z->where + rel;
    utet_status status = z->read(z->ctx, z->offset + position, to, length, &z->got);

    if (status == UTET_OK && z->got == 0)
        status = UTET_E_SHORT;
    if ((status == UTET_OK && z->got > length) || (status > 0 && status != UTET_WOULD_BLOCK))
        status = UTET_E_PORT; /* an answer that no port may give */
    if (UTET_IS_ERROR(status))
        z->where = position;
    return status;
}

/*
 * Makes z->have bytes at z->where + z->rel addressable at z->head, in the header buffer, which is both caches. What it
 * has is kept. It reads no further ahead than the smallest caches could: of what the streams of a large block overwrite
 * then, larger ones do not waste more.
 */
ZS_NOINLINE static utet_status read_ahead(utet_zstd *z, uint32_t most)
{
    uint8_t *const hold = z->lit.cache;
    const uint32_t rel = z->rel, position = (uint32_t)z->where + rel;
    uint32_t behind = position - z->hold_at, ahead;

    if (behind > z->hold_have)
        behind = (uint32_t)z->hold_have;
    z->head = hold + behind;
    if (behind + most <= z->hold_have)
        return UTET_OK;
    z->hold_have -= (size_t)behind;
    memmove(hold, hold + behind, z->hold_have);
    z->hold_at = position;
    z->head = hold;
    ahead = z->opened ? (uint32_t)ZS_AHEAD : (uint32_t)ZS_AHEAD_FIRST;
    while (z->hold_have < most) {
        size_t room = (size_t)(most > ahead ? most : ahead) - z->hold_have;
        uint64_t left = z->length - z->where - rel - z->hold_have;
        utet_status status = utet_zs_fetch(z, rel + (uint32_t)z->hold_have, hold + z->hold_have,
                                           left < room ? (size_t)left : room);

        if (status != UTET_OK)
            return status;
        z->hold_have += z->got;
    }
    return UTET_OK;
}

/* Makes `most` bytes, or what the block has left, addressable at z->head. */
utet_status utet_zs_peek(utet_zstd *z, uint32_t most)
{
    const uint32_t rel = z->rel, left = z->size - rel;

    if (most > left)
        most = left;
    z->have = (uint8_t)most;
    if (!zs_mapped(z))
        return read_ahead(z, most);
    z->head = z->map + (size_t)z->where + rel;
    return UTET_OK;
}

/* The byte at z->where + rel, of a block that is at hand. */
ZS_INLINE const uint8_t *zs_place(const utet_zstd *z, uint32_t rel)
{
    if (zs_mapped(z))
        return z->map + (size_t)z->where + rel;
    return z->lit.cache + (uint32_t)((uint32_t)z->where + rel - z->hold_at);
}

#if UTET_ZSTD_ALIGNED
/*
 * If aligned loads at the top of a stream would reach beyond the end of the payload, and perhaps of the map, the
 * stream begins in a copy of its last bytes, and the function returns 1. Refilling changes to the map. One copy is
 * enough: 3 bytes or more follow literals whose sequences are decoded, so the top of their streams is inside. The
 * copy is in the memory where the checksum is computed: after such a stream there is no room for a checksum, so a
 * frame that should have one is damaged, whatever it decodes to.
 */
static int open_copy(utet_zstd *z, zs_cursor *c, const uint8_t *end, uint32_t to, uint32_t bytes)
{
    const unsigned pad = zs_pad(end);
    uint8_t *const copy = z->stage.last + sizeof z->stage.last - pad; /* its end, aligned as `end` */
    const uint32_t n = bytes < ZS_LAST - pad ? bytes : ZS_LAST - pad;

    if (!zs_mapped(z) || (size_t)z->length - (size_t)z->where - to >= pad)
        return 0;
    if (z->frame.checksum)
        z->frame.checksum = 2;
    memcpy(copy - n, end - n, (size_t)n);
    zs_cursor_place(c, copy, n);
    c->lo = to - n;
    c->below = bytes - n;
    return 1;
}

/* Continues in the map, at the same position. More than the topmost word has been used: a caller that asks for more
 * needs at most 89 bits, and has fewer left of the copy's 128. 0: the source is not mapped. */
static int leave_copy(const utet_zstd *z, zs_cursor *c)
{
    if (!zs_mapped(z))
        return 0;
    c->top = z->map + (size_t)z->where + c->lo + (c->limit >> 3);
    c->limit += 8u * c->below;
    c->below = 0;
    return 1;
}
#else
#define open_copy(z, c, end, to, bytes) 0
#define leave_copy(z, c) 0
#endif

/* A stream of the block: [from, to), relative to its content. */
void utet_zs_cursor_open(utet_zstd *z, zs_cursor *c, uint32_t from, uint32_t to)
{
    const uint32_t bytes = to - from;
    const uint8_t *end;

    if (!zs_at_hand(z)) {
        c->wanted = 0;
        c->lo = to;
        c->below = bytes;
        zs_cursor_place(c, c->cache, 0); /* the first refill moves it */
        return;
    }
    end = zs_place(z, to);
    if (open_copy(z, c, end, to, bytes))
        return;
    c->below = 0;
    zs_cursor_place(c, end, bytes);
}

/* The end of a cursor's cache, and its size. packed: if the tables of both lengths leave half of their memory or more,
 * the caches are at the end of that memory, as large as any. (Full tables have such caches already, if there are both
 * layouts.) */
ZS_INLINE uint8_t *cache_end(utet_zstd *z, const zs_cursor *c, uint32_t *size)
{
    zs_packed *const t = (zs_packed *)(void *)z;

    *size = z->cache_size;
    if (!zs_is_packed(z) || (z->log[ZS_LL] | z->log[ZS_ML]) >= 8)
        return c->cache + *size;
    *size = ZS_CACHE_MAX;
    return (uint8_t *)(c == &z->lit ? t->cell + ZS_CELLS_OF : t->cell + ZS_CELLS) - ZS_ABOVE;
}

/*
 * Fetches more of the stream. The unread bytes (at most 11) move above the cache; then the
 * cache is filled, from a multiple of its size in the source on. UTET_E_PAYLOAD: the stream has
 * no more.
 */
utet_status utet_zs_cursor_refill(utet_zstd *z, zs_cursor *c)
{
    uint32_t wanted = c->wanted, got = c->got, size;
    uint8_t *top;

    if (zs_below(c) == 0)
        return UTET_E_PAYLOAD;
    if (leave_copy(z, c))
        return UTET_OK;
    top = cache_end(z, c, &size);
    if (wanted == 0) {
        uint32_t keep = (c->limit >> 3) - (c->used >> 3), part = c->used & 7u;
        uint32_t offset = (uint32_t)z->offset + (uint32_t)z->where + c->lo - 1u;

        zs_keep_unread(top, c->top - (c->limit >> 3), keep);
        zs_cursor_place(c, top + keep, keep);
        c->used += part;
        wanted = (offset & (size - 1u)) + 1u;
        if (wanted > c->below)
            wanted = c->below;
        c->wanted = (uint16_t)wanted;
        got = 0;
    }
    while (got != wanted) {
        const uint32_t rest = wanted - got;
        utet_status status = utet_zs_fetch(z, c->lo - rest, top - rest, (size_t)rest);

        if (status != UTET_OK) {
            c->got = (uint16_t)got;
            return status;
        }
        got += (uint32_t)z->got;
    }
    c->lo -= wanted;
    c->below -= wanted;
    c->limit += 8u * wanted;
    c->wanted = 0;
    return UTET_OK;
}

/* Fetches n bits, or all that the stream has, and skips the padding above its first bit. */
utet_status utet_zs_cursor_start(utet_zstd *z, zs_cursor *c, uint32_t n)
{
    while (zs_below(c) != 0 && c->limit - c->used < n) {
        utet_status status = utet_zs_cursor_refill(z, c);

        if (status != UTET_OK)
            return status;
    }
    return c->limit != c->used && zs_cursor_begin(c) ? UTET_OK : UTET_E_PAYLOAD;
}

/* Returns m with the next n ≤ 16 bits appended. They may be the stream's first bits, where zs_bits() would touch bytes
 * above the stream. */
uint32_t utet_zs_long_field(uint32_t m, zs_cursor *c, unsigned n)
{
    if (n == 0)
        return m;
    m = m << n | zs_top(zs_exact_bits(c->top, c->used), n);
    c->used += n;
    return m;
}

/* Reads up to n payload bytes at z->where + rel straight into the output; z->got: the number that came. */
utet_status utet_zs_direct(utet_zstd *z, uint32_t rel, uint32_t n)
{
    utet_status status = UTET_OK;

    if (zs_at_hand(z)) {
        ZS_COPY_PLAIN(z->out, zs_place(z, rel), (size_t)n);
        z->got = (size_t)n;
    } else {
        status = utet_zs_fetch(z, rel, z->out, (size_t)n);
    }
    if (status == UTET_OK)
        z->out += z->got;
    return status;
}
