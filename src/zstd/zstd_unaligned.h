/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Processors that load a word from any address. Part of zstd_bits.h.
 */

#define ZS_LITERALS "zstd_unaligned_literals.h"

/* There are registers enough (zstd_words.h). */
#define ZS_HIGH(x) ((void)0)

/* Floor of the binary logarithm; v > 0. */
ZS_INLINE unsigned zs_log2(uint32_t v)
{
    return ZS_LOG2(v);
}

/* A bit stream's top is its end. */
ZS_INLINE unsigned zs_pad(const uint8_t *end)
{
    (void)end;
    return 0;
}

#define ZS_BITS 25u

/* The bits that follow, left-aligned: at least ZS_BITS of them are valid. Touches at most four bytes below the stream's
 * start, where the caches have their guard and a mapped payload its headers. */
ZS_INLINE uint32_t zs_bits(const uint8_t *top, uint32_t used)
{
    if (UTET_ZSTD_INT16)
        return zs_exact_bits(top, used);
    top -= used >> 3;
    ZS_STEP(top);
    return zs_le32(top - 4) << (used & 7u);
}

/* The lowest bits that zs_bits() does not have, in a fifth byte: with them, 32 are valid. */
ZS_INLINE uint32_t zs_bits_below(const uint8_t *top, uint32_t used)
{
    ZS_HERE(used);
    return ((uint32_t)(top - (used >> 3))[-5] << (used & 7u)) >> 8;
}

/* Moves the unread bytes, at most 11, up; source and destination may overlap. It always moves 12: the byte after them
 * is memory of the cache. (A sequence has up to 89 bits, and at least one is missing here.) */
ZS_INLINE void zs_keep_unread(uint8_t *to, const uint8_t *from, uint32_t n)
{
    uint32_t a, b, c;

    (void)n;
    memcpy(&a, from, 4);
    memcpy(&b, from + 4, 4);
    memcpy(&c, from + 8, 4);
    memcpy(to, &a, 4);
    memcpy(to + 4, &b, 4);
    memcpy(to + 8, &c, 4);
}

/* Puts a word twice to a multiple of 4; returns where it ends. The compiler does not find the instruction that moves
 * its address. */
ZS_INLINE void *zs_put_twice(void *to, uint32_t value)
{
#if defined(__thumb2__)
    __asm__("strd %1, %1, [%0], #8" : "+&r"(to) : "r"(value) : "memory");
    return to;
#else
    memcpy(to, &value, 4);
    memcpy((uint8_t *)to + 4, &value, 4);
    return (uint8_t *)to + 8;
#endif
}

ZS_INLINE void zs_copy_word(uint8_t *p, const uint8_t *q)
{
    uint32_t v;

    memcpy(&v, q, 4);
    memcpy(p, &v, 4);
}

/* Copies all of *n bytes except at most 15, moves *p and *q on, and leaves in *n how many are left. */
ZS_INLINE void zs_copy_most(uint8_t **p, const uint8_t **q, size_t *n)
{
    for (; *n >= 16u; *n -= 16u) {
        zs_copy_word(*p, *q);
        zs_copy_word(*p + 4, *q + 4);
        zs_copy_word(*p + 8, *q + 8);
        zs_copy_word(*p + 12, *q + 12);
        *p += 16;
        *q += 16;
    }
}

/* Copies eight bytes at a time from q to p, at least 4 bytes after q, until p reaches `stop`. */
ZS_INLINE void zs_copy_words(uint8_t *p, const uint8_t *q, const uint8_t *stop)
{
    do {
        zs_copy_word(p, q);
        p += 4;
        q += 4;
        ZS_STEP(p);
        ZS_STEP(q);
        zs_copy_word(p, q);
        p += 4;
        q += 4;
    } while (p < stop);
}

/* n ≥ 3 bytes from `off` back; may overwrite up to 7 bytes after them. Returns where they end. */
ZS_INLINE uint8_t *zs_copy_match(uint8_t *p, uint32_t off, uint32_t n)
{
    const uint8_t *const q = p - off;
    uint8_t *const stop = p + n;

    if (ZS_LIKELY(off >= 4u)) {
        zs_copy_words(p, q, stop);
    } else if (off == 1u) {
        utet_zs_fill(p, stop);
    } else {
        p[0] = q[0]; /* once more the same bytes, so that words can be copied */
        p[1] = q[1];
        p[2] = q[2];
        p += off;
        if (p != stop)
            zs_copy_words(p, q, stop);
    }
    return stop;
}

/* A long match begins with one byte at a time, because only interrupted ones are copied that way. */
#define ZS_SHORT 1u
#define zs_copy_short(p, q) (*(p) = *(q))

/* A long match from one byte back: the same byte n times. Returns 0 if `off` is another number. */
ZS_INLINE int zs_filled(uint8_t *p, uint32_t off, size_t n)
{
    uint32_t same;

    if (off != 1u)
        return 0;
    utet_zs_fill(p, p + n - 7);
    memcpy(&same, p, 4);
    memcpy(p + n - 8, &same, 4);
    memcpy(p + n - 4, &same, 4);
    return 1;
}

/* n bytes that do not overlap with the output. */
#define ZS_COPY_PLAIN(to, from, n) memcpy(to, from, n)

/* Format, "Repeat offsets": takes offset number i (3 = the first one less 1) and moves it to the
 * front. 0 is never valid. */
static inline uint32_t zs_repeated(uint32_t *rep, uint32_t i)
{
    uint32_t off = i < 3u ? rep[i] : rep[0] - 1u;

    if (i > 1u)
        rep[2] = rep[1];
    if (i > 0) {
        rep[1] = rep[0];
        rep[0] = off;
    }
    return off;
}

/* The repeated offsets stay in the context while sequences are decoded. */
#define ZS_REPEATED_APART 0
