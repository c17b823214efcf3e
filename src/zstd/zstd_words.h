/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Processors that load words from addresses that are multiples of 4 only, as Cortex-M0: two aligned words are
 * combined. Part of zstd_bits.h.
 */

#define ZS_LITERALS "zstd_words_literals.h"

typedef uint16_t __attribute__((may_alias)) zs_half;
typedef uint32_t __attribute__((may_alias)) zs_word;

/* Hints for the compiler, without code: keep x in a high register, because the low eight are too few; in a low one.
 * ZS_TWICE: a word in two registers, because one instruction, zs_put_twice, stores both and moves the address. */
#if defined(__thumb__)
#define ZS_HIGH(x) __asm__("" : "+h"(x))
#define ZS_LOW_ONE(x) __asm__("" : "+l"(x))
#define ZS_TWICE(name, first, second)      \
    register uint32_t name __asm__(first); \
    register uint32_t name##_again __asm__(second)
#define zs_put_twice(to, name, first, second) \
    __asm__("stmia %0!, {" first ", " second "}" : "+l"(to) : "l"(name), "l"(name##_again) : "memory")
#else
#define ZS_HIGH(x) (void)0
#define ZS_LOW_ONE(x) (void)0
#define ZS_TWICE(name, first, second) uint32_t name, name##_again
#define zs_put_twice(to, name, first, second)                                                          \
    ((void)(((zs_word *)(void *)(to))[0] = name), (void)(((zs_word *)(void *)(to))[1] = name##_again), \
     (void)((to) += 8))
#endif

/* Floor of the binary logarithm; v > 0. */
ZS_INLINE unsigned zs_log2(uint32_t v)
{
    return zs_log2_by_halves(v);
}

/* A bit stream's top is the next multiple of 4 above its end. */
ZS_INLINE unsigned zs_pad(const uint8_t *end)
{
    return (unsigned)(0u - (uintptr_t)end) & 3u;
}

#define ZS_BITS 32u

/* The ZS_BITS bits that follow, left-aligned. Touches at most eight bytes below the stream's start, where the caches
 * have their guard and a mapped payload its headers; and at its end all bytes up to the top, which belong to the
 * payload or to the decoder (zstd_source.c). */
ZS_INLINE uint32_t zs_bits(const uint8_t *top, uint32_t used)
{
    const zs_word *p = (const zs_word *)(const void *)top - 2 - (used >> 5);
    const unsigned s = (unsigned)zs_field(used, 0, 5);

    return (p[1] << s) | zs_above(p[0], s);
}

/* The lowest bits that zs_bits() does not have: there are none. */
#define zs_bits_below(top, used) 0u

/* Moves the n unread bytes, at most 11, up; source and destination may overlap. A cache that has been filled as a whole
 * begins at a word, as `to` does: then it moves 12, and the bytes after the n are memory of the cache. */
ZS_INLINE void zs_keep_unread(uint8_t *to, const uint8_t *from, uint32_t n)
{
    if (((uintptr_t)from & 3u) == 0) {
        const zs_word *const p = (const zs_word *)(const void *)from;
        zs_word *const q = (zs_word *)(void *)to;
        const uint32_t a = p[0], b = p[1], c = p[2];

        q[0] = a;
        q[1] = b;
        q[2] = c;
    } else {
        while (n-- != 0)
            to[n] = from[n];
    }
}

/* Copies words up to `stop`, two at a time, from a position that is `shift` bits into a word. It is a function of its
 * own, because it uses all eight low registers of a small core. */
__attribute__((noinline, unused)) static void zs_merge_words(zs_word *to, const zs_word *from, const uint8_t *stop,
                                                             unsigned shift)
{
    const unsigned rest = 32u - shift;
    uint32_t a = *from++;

    do {
        uint32_t b = from[0];

        to[0] = a >> shift | b << rest;
        a = from[1];
        to[1] = b >> shift | a << rest;
        from += 2;
        to += 2;
    } while ((const uint8_t *)to != stop);
}

/* The bits that follow, as many as the halfword that they begin in and the next one have of them; *next: the latter. A
 * stream's first byte must have been used where its top is outside of the payload. */
ZS_INLINE uint32_t zs_halves(const uint8_t *top, uint32_t used, const zs_half **next)
{
    const zs_half *p = (const zs_half *)(const void *)top - 2 - (used >> 4);

    *next = p;
    return ((uint32_t)p[1] << 16 | p[0]) << (used & 15u);
}

/* Copies all of *n bytes except a few, moves *p and *q on, and leaves in *n how many are left. Aligned words are
 * shifted and merged. The last one read holds up to 3 bytes more than it is read for, so 3 bytes are left: nothing
 * after the n bytes is read. */
ZS_INLINE void zs_copy_most(uint8_t **p, const uint8_t **q, size_t *n)
{
    while (*n != 0 && ((uintptr_t)*p & 3u) != 0) {
        *(*p)++ = *(*q)++;
        (*n)--;
    }
    if (*n >= 8u + 3u) {
        const unsigned shift = 8u * (unsigned)((uintptr_t)*q & 3u);
        const zs_word *from = (const zs_word *)(const void *)(*q - ((uintptr_t)*q & 3u));
        const size_t most = (shift != 0 ? *n - 3u : *n) & ~(size_t)7u;
        zs_word *to = (zs_word *)(void *)*p;

        *q += most;
        *p += most;
        *n -= most;
        if (shift == 0) {
            do {
                to[0] = from[0];
                to[1] = from[1];
                to += 2;
                from += 2;
            } while ((const uint8_t *)to != *p);
        } else {
            zs_merge_words(to, from, *p, shift);
        }
    }
}

/* n ≥ 3 bytes from `off` back; may overwrite up to 7 bytes after them. Returns where they end. */
ZS_INLINE uint8_t *zs_copy_match(uint8_t *p, uint32_t off, uint32_t n)
{
    const uint8_t *q = p - off;
    uint8_t *const stop = p + n;

    if (n >= ZS_LONG) {
        utet_zs_copy_long(p, off, n);
        return stop;
    }
    do {
        zs_copy_eight(p, q);
        p += 8;
        q += 8;
    } while (p < stop);
    return stop;
}

/* A long match begins with as many bytes at a time. One by one, they take 44 instructions more. */
#define ZS_SHORT 8u
#define zs_copy_short zs_copy_eight

/* A long match from one byte back: the same byte n times. Returns 0 if `off` is another number. */
ZS_INLINE int zs_filled(uint8_t *p, uint32_t off, size_t n)
{
    uint8_t *const stop = p + n;
    uint32_t same;

    if (off != 1u)
        return 0;
    same = p[-1] * (uint32_t)0x01010101;
    for (; ((uintptr_t)p & 3u) != 0; p++)
        *p = (uint8_t)same;
    do {
        ((zs_word *)(void *)p)[0] = same;
        ((zs_word *)(void *)p)[1] = same;
        p += 8;
        ZS_HERE(p);
    } while (p <= stop - 8);
    for (; p != stop; p++)
        *p = (uint8_t)same;
    return 1;
}

/* n bytes that do not overlap with the output. */
#define ZS_COPY_PLAIN(to, from, n) utet_zs_copy_up(to, from, n)

/* Format, "Repeat offsets": takes offset number i (3 = the first one less 1) and moves it to the front. 0 is never
 * valid. Most are the first one, for which nothing moves. */
static inline uint32_t zs_repeated(uint32_t *rep, uint32_t i)
{
    uint32_t off = rep[0];

    if (i != 0) {
        const uint32_t first = off;

        off = rep[1];
        if (i != 1u) {
            off = i == 2u ? rep[2] : first - 1u;
            rep[2] = rep[1];
        }
        rep[1] = first;
        rep[0] = off;
    }
    return off;
}

/* The context's repeated offsets are too far away for short instructions: loops have their own. */
#define ZS_REPEATED_APART 1
