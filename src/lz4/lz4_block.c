/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * LZ4 blocks as a codec of streams. A block is a list of sequences: a token (two lengths of 4 bits), the rest of the
 * literals' length, literals, offset (u16, little-endian), the rest of the match's length. A length of 15 continues in
 * bytes that are added, up to the first below 255. The last sequence ends after its literals, and with it the payload.
 * Ensure, then commit, at the grain of a byte: each step takes what it has fetched and is done with it.
 */
#include <stdint.h>

#if SIZE_MAX >= 0xFFFFFFFF /* else nothing is left of this file: utet_lz4.h says so */

#include "utet_lz4.h"

#include <string.h>

#define HISTORY 65536u /* an offset reaches no further */
#define LEAST_MATCH 4u

enum {
    LZ4_AT_SIZE,
    LZ4_AT_TOKEN,
    LZ4_AT_LITERAL_LENGTH,
    LZ4_AT_LITERALS,
    LZ4_AT_OFFSET,
    LZ4_AT_MATCH_LENGTH,
    LZ4_AT_MATCH,
    LZ4_AT_END
};

/* At the beginning of the work memory; the ring follows it. */
typedef struct lz4 {
    uint64_t taken;  /* bytes of the payload */
    uint64_t made;   /* bytes of the output */
    uint64_t length; /* bytes that the literals or the match still have */
    uint8_t *ring;   /* where output goes: all of it when ring_size is 0 */
    size_t ring_size;
    uint16_t offset; /* distance of the match */
    uint8_t step;
    uint8_t token;
} lz4;

static size_t lz4_history(const utet_stream *s)
{
    if (s->priv.whole != NULL)
        return 0;
    return s->length < HISTORY ? (size_t)s->length : (size_t)HISTORY;
}

static utet_status lz4_need(utet_stream *s, int exact, utet_need *need)
{
    (void)exact;
    need->least = (uint64_t)sizeof(lz4) + lz4_history(s);
    need->best = need->least;
    return UTET_OK;
}

static utet_status lz4_open(utet_stream *s)
{
    lz4 *z = (lz4 *)(void *)s->priv.work; /* a multiple of 8, see utet_codec.h */

    memset(z, 0, sizeof *z);
    z->ring_size = lz4_history(s);
    z->ring = s->priv.whole != NULL ? s->priv.whole : s->priv.work + sizeof *z;
    return UTET_OK;
}

/* Fetches the next `length` bytes of the payload: they are at *at, and *have is the number of further bytes there. */
static utet_status lz4_input(utet_stream *s, const lz4 *z, size_t length, const uint8_t **at, size_t *have)
{
    uint64_t left = s->priv.stored - z->taken;

    if (length > left)
        return UTET_E_PAYLOAD;
    return utet_payload_fetch(s, z->taken, length, left, at, have);
}

/* Room for output at *to, in one piece. */
static size_t lz4_output(const utet_stream *s, const lz4 *z, uint8_t **to)
{
    size_t at = (size_t)z->made;

    if (z->ring_size == 0) {
        *to = z->ring + at;
        return (size_t)s->length - at;
    }
    at = z->ring_size == HISTORY ? at % HISTORY : at;
    *to = z->ring + at;
    return z->ring_size - at;
}

/* How many bytes come next: no more than are wanted, fit, belong to the literals or match, and are left of the stream.
 */
static size_t lz4_piece(const utet_stream *s, const lz4 *z, size_t want, size_t room)
{
    size_t some = want < room ? want : room;
    uint64_t left = s->length - z->made;

    if (some > z->length)
        some = (size_t)z->length;
    return some < left ? some : (size_t)left;
}

static void lz4_made(lz4 *z, size_t some)
{
    z->taken += z->step == LZ4_AT_LITERALS ? some : 0;
    z->made += some;
    z->length -= some;
}

/* Copies byte by byte, because a match may copy bytes that it has just made. `from` continues at the ring's beginning
 * when it meets the end; `to` stays below the end. */
static void copy_match(lz4 *z, uint8_t *to, size_t some)
{
    const uint8_t *ring_end = z->ring + z->ring_size;
    const uint8_t *from;

    if (z->ring_size == 0 || (size_t)(to - z->ring) >= z->offset)
        from = to - z->offset;
    else
        from = to + (z->ring_size - z->offset);
    /* wp: loop invariant some <= \at(some, Pre) && to == \at(to, Pre) + (\at(some, Pre) - some);
        loop invariant z->ring_size == 0 ==> from == to - z->offset;
        loop invariant z->ring_size != 0 && some != 0 ==> between(from, z->ring, 0, z->ring_size - 1);
        loop assigns some, to, from, \at(to, Pre)[0 .. \at(some, Pre) - 1]; */
    while (some != 0) {
        *to++ = *from++;
        if (from == ring_end)
            from = z->ring;
        some--;
    }
}

static utet_status read_size(utet_stream *s, lz4 *z)
{
    const uint8_t *at;
    size_t have;
    utet_status status = lz4_input(s, z, 4, &at, &have);

    if (status != UTET_OK)
        return status;
    if (((uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24) != s->length)
        return UTET_E_PAYLOAD;
    z->taken = 4;
    z->step = LZ4_AT_TOKEN;
    return UTET_OK;
}

/* Goes to the next phase when the length of literals or match is known. */
static void have_length(lz4 *z)
{
    z->step = z->step <= LZ4_AT_LITERAL_LENGTH ? LZ4_AT_LITERALS : LZ4_AT_MATCH;
}

static utet_status read_byte(utet_stream *s, lz4 *z, uint8_t *byte)
{
    const uint8_t *at;
    size_t have;
    utet_status status = lz4_input(s, z, 1, &at, &have);

    if (status == UTET_OK) {
        z->taken++;
        *byte = at[0];
    }
    return status;
}

static utet_status read_token(utet_stream *s, lz4 *z)
{
    utet_status status = read_byte(s, z, &z->token);

    if (status != UTET_OK)
        return status;
    z->length = z->token >> 4;
    if (z->length == 15)
        z->step = LZ4_AT_LITERAL_LENGTH;
    else
        have_length(z);
    return UTET_OK;
}

static utet_status read_length(utet_stream *s, lz4 *z)
{
    uint8_t byte = 0;
    utet_status status = read_byte(s, z, &byte);

    if (status != UTET_OK)
        return status;
    z->length += byte;
    if (byte != 255)
        have_length(z);
    return UTET_OK;
}

static utet_status read_offset(utet_stream *s, lz4 *z)
{
    const uint8_t *at;
    size_t have;
    utet_status status = lz4_input(s, z, 2, &at, &have);

    if (status != UTET_OK)
        return status;
    z->offset = (uint16_t)(at[0] | (unsigned)at[1] << 8);
    if (z->offset == 0 || z->offset > z->made)
        return UTET_E_PAYLOAD;
    z->taken += 2;
    z->length = (z->token & 15u) + LEAST_MATCH;
    z->step = (z->token & 15u) == 15u ? LZ4_AT_MATCH_LENGTH : LZ4_AT_MATCH;
    return UTET_OK;
}

/* Up to `want` bytes of literals or match to where the output goes: s->priv.out, s->priv.avail. */
static utet_status lz4_copy(utet_stream *s, lz4 *z, size_t want)
{
    uint8_t *to;
    size_t some = lz4_piece(s, z, want, lz4_output(s, z, &to)), have;
    const uint8_t *at;

    if (z->length > s->length - z->made)
        return UTET_E_PAYLOAD; /* more than was announced */
    if (z->step == LZ4_AT_LITERALS && some != 0) {
        utet_status status = lz4_input(s, z, 1, &at, &have);

        if (status != UTET_OK)
            return status;
        if (some > have)
            some = have;
        memcpy(to, at, some);
    } else {
        copy_match(z, to, some);
    }
    lz4_made(z, some);
    s->priv.out = to;
    s->priv.avail = some;
    if (z->length == 0 && z->step == LZ4_AT_MATCH)
        z->step = LZ4_AT_TOKEN;
    else if (z->length == 0)
        z->step = z->taken == s->priv.stored ? LZ4_AT_END : LZ4_AT_OFFSET;
    return UTET_OK;
}

#if UINTPTR_MAX > UINT32_MAX
/* ---- whole sequences at once, where words may be at any address ---- */

#define LZ4_WORD 8u

/* A sequence that is completely in the window. */
typedef struct lz4_sequence {
    const uint8_t *literals;
    const uint8_t *end; /* the next token */
    size_t literal_length;
    size_t match_length;
    size_t offset;
} lz4_sequence;

/* Copies exactly `some` bytes, fewer than a word. */
static void lz4_copy_few(uint8_t *to, const uint8_t *from, size_t some)
{
    uint32_t first, last;

    if (some >= 4) {
        memcpy(&first, from, 4);
        memcpy(&last, from + (some - 4), 4);
        memcpy(to, &first, 4);
        memcpy(to + (some - 4), &last, 4);
        return;
    }
    for (; some != 0; some--)
        *to++ = *from++;
}

/* Copies exactly `some` bytes. Source and destination are at least a word apart, or do not overlap. */
static void lz4_copy_words(uint8_t *to, const uint8_t *from, size_t some)
{
    uint64_t word;

    if (some < LZ4_WORD) {
        lz4_copy_few(to, from, some);
        return;
    }
    for (; some > LZ4_WORD; some -= LZ4_WORD, to += LZ4_WORD, from += LZ4_WORD) {
        memcpy(&word, from, LZ4_WORD);
        memcpy(to, &word, LZ4_WORD);
        if (some < 2 * LZ4_WORD) { /* the last word overlaps this one */
            to -= 2 * LZ4_WORD - some;
            from -= 2 * LZ4_WORD - some;
            some = 2 * LZ4_WORD;
        }
    }
    memcpy(&word, from, LZ4_WORD);
    memcpy(to, &word, LZ4_WORD);
}

/* Copies a match that begins less than a word before `to`, so it repeats: the first word byte by byte, then words from
 * some repetitions earlier. */
static void lz4_copy_near(uint8_t *to, size_t offset, size_t some)
{
    size_t apart = offset, i;

    for (i = 0; i != some && i != LZ4_WORD; i++)
        to[i] = *(to + i - offset);
    while (apart < LZ4_WORD)
        apart += offset;
    if (some > LZ4_WORD)
        lz4_copy_words(to + LZ4_WORD, to + LZ4_WORD - apart, some - LZ4_WORD);
}

/* Reads a length with at most one further byte; returns 0 if there are more, or the window ends. */
static int lz4_take_length(size_t *length, const uint8_t **at, const uint8_t *end)
{
    if (*length < 15)
        return 1;
    if (*at == end || **at == 255)
        return 0;
    *length += *(*at)++;
    return 1;
}

/* Reads the sequence whose token is at `at`; returns 0 if it does not end before `end`, or has unusual lengths. */
static int lz4_take(lz4_sequence *q, const uint8_t *at, const uint8_t *end)
{
    const uint8_t token = *at++;

    q->literal_length = token >> 4;
    q->match_length = token & 15u;
    if (!lz4_take_length(&q->literal_length, &at, end) || (size_t)(end - at) < q->literal_length + 2)
        return 0;
    q->literals = at;
    at += q->literal_length;
    q->offset = at[0] | (size_t)at[1] << 8;
    at += 2;
    if (!lz4_take_length(&q->match_length, &at, end))
        return 0;
    q->match_length += LEAST_MATCH;
    q->end = at;
    return 1;
}

/* Copies the match of a sequence to `to`, which is within the ring; returns 0 if the match is damaged, or continues at
 * the ring's beginning. */
static int lz4_take_match(const lz4 *z, const lz4_sequence *q, uint8_t *to)
{
    const size_t before = (size_t)(to - z->ring);
    size_t after;

    if (q->offset != 0 && q->offset <= before) {
        if (q->offset < LZ4_WORD)
            lz4_copy_near(to, q->offset, q->match_length);
        else
            lz4_copy_words(to, to - q->offset, q->match_length);
        return 1;
    }
    after = z->ring_size - q->offset; /* distance from `to` to the match, which is older than the ring's beginning */
    if (q->offset == 0 || z->ring_size != HISTORY || z->made < HISTORY || after < LZ4_WORD ||
        HISTORY - before - after < q->match_length)
        return 0;
    lz4_copy_words(to, to + after, q->match_length);
    return 1;
}

/* Decodes sequences that are completely in the window, and fit. The other steps take the rest, and damaged
 * sequences: so an error comes after all bytes before it. */
static utet_status lz4_sequences(utet_stream *s, lz4 *z, size_t want)
{
    const uint8_t *at = NULL, *end;
    uint8_t *to, *begin;
    size_t have = 0, room = lz4_output(s, z, &begin);
    uint64_t left = s->length - z->made;
    utet_status status = read_token(s, z);
    lz4_sequence q;

    if (status != UTET_OK)
        return status;
    z->taken--;
    (void)lz4_input(s, z, 1, &at, &have); /* the token again, which is in the window */
    if (room > want)
        room = want;
    end = at + have;
    for (to = begin; at != end && lz4_take(&q, at, end); at = q.end) {
        const size_t some = q.literal_length + q.match_length;

        if (some > room || some >= left) /* no match is the end of a block */
            break;
        lz4_copy_words(to, q.literals, q.literal_length);
        if (!lz4_take_match(z, &q, to + q.literal_length))
            break;
        to += some;
        room -= some;
        left -= some;
        z->taken += (size_t)(q.end - at);
    }
    if (to == begin) {
        z->taken++;
        return UTET_OK;
    }
    z->length = 0;
    z->step = LZ4_AT_TOKEN;
    s->priv.out = begin;
    s->priv.avail = (size_t)(to - begin);
    z->made += s->priv.avail;
    return UTET_OK;
}
#else
static utet_status lz4_sequences(utet_stream *s, lz4 *z, size_t want)
{
    (void)want;
    return read_token(s, z);
}
#endif

/* The block's last byte is a literal, so the end is known with it. */
static utet_status lz4_step(utet_stream *s, size_t want)
{
    lz4 *z = (lz4 *)(void *)s->priv.work;
    uint32_t turns = s->priv.file->priv.io->step_limit; /* 0: more than any call makes */
    utet_status status = UTET_OK;

    while (status == UTET_OK && s->priv.avail == 0 && z->step != LZ4_AT_END) {
        switch (z->step) {
        case LZ4_AT_SIZE: status = read_size(s, z); break;
        case LZ4_AT_TOKEN: status = lz4_sequences(s, z, want); break;
        case LZ4_AT_LITERAL_LENGTH:
        case LZ4_AT_MATCH_LENGTH: status = read_length(s, z); break;
        case LZ4_AT_OFFSET: status = read_offset(s, z); break;
        default: status = lz4_copy(s, z, want); break;
        }
        if (status == UTET_OK && s->priv.avail == 0 && z->step != LZ4_AT_END && --turns == 0)
            return UTET_WOULD_BLOCK;
    }
    if (status == UTET_OK && (z->step == LZ4_AT_END) != (z->made == s->length)) {
        s->priv.avail = 0;
        status = UTET_E_PAYLOAD;
    }
    return status == UTET_E_PAYLOAD ? utet_payload_error(s, z->taken, status) : status;
}

const utet_codec utet_codec_lz4 = {UTET_CODEC_LZ4, lz4_need, lz4_open, lz4_step, &utet_driver};

#endif
