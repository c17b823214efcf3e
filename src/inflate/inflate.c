/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The decoder's state machine, drawn in INSIDE.md. A phase makes its whole input present in the bit buffer or in reach
 * (which may suspend it and takes nothing), then takes it. Input is asked for a byte at a time and used as far as the
 * callback has brought it into reach.
 */
#include "inflate.h"

#include <string.h>

/* ---- input ---- */

/* Makes more input addressable, one byte or more. */
static utet_status inflate_reach(utet_inflate *z)
{
    const utet_inflate_job *job = &z->priv.job;
    uint32_t rest = job->length - z->priv.position;
    size_t have = 0;
    utet_status status;

    if (z->priv.in != z->priv.in_end)
        return UTET_OK;
    if (rest == 0)
        return UTET_E_PAYLOAD;
    status = job->fetch(job->ctx, z->priv.position, &z->priv.in, &have);
    if (status != UTET_OK) {
        z->priv.in_end = z->priv.in = NULL;
        return status;
    }
    if (have > rest)
        have = (size_t)rest;
    z->priv.in_end = z->priv.in + have;
    z->priv.position += (uint32_t)have;
    return UTET_OK;
}

/* One more byte into the bit buffer, which holds at most 24 bits. */
utet_status utet_inflate_pull(utet_inflate *z)
{
    utet_status status = inflate_reach(z);

    if (status != UTET_OK)
        return status;
    z->priv.hold |= (uint32_t)*z->priv.in++ << z->priv.bits;
    z->priv.bits = (uint8_t)(z->priv.bits + 8u);
    return UTET_OK;
}

/* At least n bits into the bit buffer, n at most 25; at a byte boundary 32. */
utet_status utet_inflate_ensure(utet_inflate *z, unsigned n)
{
    while (z->priv.bits < n) {
        utet_status status = utet_inflate_pull(z);

        if (status != UTET_OK)
            return status;
    }
    return UTET_OK;
}

/* Takes n bits that are there, n at most 31. */
uint32_t utet_inflate_take(utet_inflate *z, unsigned n)
{
    uint32_t value = z->priv.hold & (((uint32_t)1 << n) - 1u);

    z->priv.hold >>= n;
    z->priv.bits = (uint8_t)(z->priv.bits - n);
    return value;
}

/* Takes what is left of a byte that was begun. */
static void inflate_align(utet_inflate *z)
{
    (void)utet_inflate_take(z, z->priv.bits & 7u);
}

/* ---- output ---- */

/* The answer of a phase that has more output than the step has room for. */
utet_status utet_inflate_no_room(const utet_inflate *z)
{
    return (uint32_t)(z->priv.out - z->priv.mark) == z->priv.left ? UTET_E_SPACE : INFLATE_FULL;
}

int utet_inflate_is_full(const utet_inflate *z)
{
    return z->priv.out == z->priv.stop && utet_inflate_no_room(z) == INFLATE_FULL;
}

void utet_inflate_end_block(utet_inflate *z)
{
    z->priv.phase = INFLATE_BLOCK;
    if (z->priv.last) {
        inflate_align(z);
        z->priv.phase = INFLATE_CHECK;
    }
}

/* ---- headers ---- */

utet_status utet_inflate_need(const uint8_t *head, uint32_t size, uint32_t *need_bytes)
{
    unsigned log = head[0] >> 4; /* logarithm of the window's size, less 8 */
    uint32_t window;

    *need_bytes = 0;
    if (((unsigned)head[0] << 8 | head[1]) % 31u != 0 || (head[0] & 15u) != 8 || log > 7u || (head[1] & 0x20u) != 0)
        return UTET_E_PAYLOAD;
    window = (uint32_t)256 << log;
    *need_bytes = window < size ? window : size;
    return UTET_OK;
}

static utet_status inflate_header(utet_inflate *z)
{
    uint8_t head[2];
    uint32_t least;
    utet_status status;

    head[0] = (uint8_t)z->priv.hold;
    head[1] = (uint8_t)(z->priv.hold >> 8);
    status = utet_inflate_need(head, z->priv.job.size, &least);
    if (status == UTET_OK && z->priv.job.capacity < least)
        status = UTET_E_BUDGET;
    if (status != UTET_OK)
        return status;
    (void)utet_inflate_take(z, 16);
    z->priv.phase = INFLATE_BLOCK;
    return UTET_OK;
}

static utet_status inflate_block(utet_inflate *z)
{
    if ((z->priv.hold >> 1 & 3u) == 3u)
        return UTET_E_PAYLOAD;
    z->priv.last = (uint8_t)utet_inflate_take(z, 1);
    switch (utet_inflate_take(z, 2)) {
    case 0:
        inflate_align(z);
        z->priv.phase = INFLATE_STORED;
        break;
    case 1:
        utet_inflate_fixed(z);
        z->priv.phase = INFLATE_SYMBOL;
        break;
    default: z->priv.phase = INFLATE_COUNTS; break;
    }
    return UTET_OK;
}

static utet_status inflate_stored(utet_inflate *z)
{
    if (((z->priv.hold ^ z->priv.hold >> 16) & 0xffffu) != 0xffffu)
        return UTET_E_PAYLOAD;
    z->priv.at.stored.left = (uint16_t)(z->priv.hold & 0xffffu);
    z->priv.hold = 0; /* the 32 bits are all of it */
    z->priv.bits = 0;
    z->priv.phase = INFLATE_COPY;
    return UTET_OK;
}

static utet_status inflate_copy(utet_inflate *z)
{
    while (z->priv.at.stored.left != 0) {
        utet_status status;
        size_t n = z->priv.at.stored.left;

        if (utet_inflate_is_full(z))
            return INFLATE_FULL;
        status = inflate_reach(z);
        if (status != UTET_OK)
            return status;
        if (z->priv.out == z->priv.stop)
            return UTET_E_SPACE;
        if (n > (size_t)(z->priv.in_end - z->priv.in))
            n = (size_t)(z->priv.in_end - z->priv.in);
        if (n > (size_t)(z->priv.stop - z->priv.out))
            n = (size_t)(z->priv.stop - z->priv.out);
        memcpy(z->priv.out, z->priv.in, n);
        z->priv.in += n;
        z->priv.out += n;
        z->priv.at.stored.left = (uint16_t)(z->priv.at.stored.left - n);
    }
    utet_inflate_end_block(z);
    return UTET_OK;
}

/* ---- the end ---- */

static utet_status inflate_check(utet_inflate *z)
{
    uint32_t sum;

    utet_inflate_account(z);
    if (z->priv.left != 0)
        return UTET_E_PAYLOAD;
    sum = z->priv.hold >> 24 | (z->priv.hold >> 8 & 0xff00u) | (z->priv.hold & 0xff00u) << 8 |
          (z->priv.hold & 0xffu) << 24;
    if (sum != z->priv.adler)
        return UTET_E_CHECKSUM;
    z->priv.hold = 0; /* the 32 bits are all of it */
    z->priv.bits = 0;
    if (utet_inflate_error_offset(z) != z->priv.job.length)
        return UTET_E_PAYLOAD;
    z->priv.phase = INFLATE_END;
    return UTET_OK;
}

static utet_status inflate_run(utet_inflate *z)
{
    /* Bits that a phase wants before anything else. */
    static const uint8_t wants[] = {16,                 /* HEADER */
                                    3,                  /* BLOCK */
                                    32,                 /* STORED */
                                    0,                  /* COPY */
                                    14,                 /* COUNTS */
                                    3,                  /* DESCRIBE */
                                    0,  0, 0, 0, 0, 32, /* CHECK */
                                    0};

    uint32_t turns = z->priv.job.step_limit; /* 0: more than any step makes */

    for (;;) {
        utet_status status = utet_inflate_ensure(z, wants[z->priv.phase]);

        if (status != UTET_OK)
            return status;
        switch (z->priv.phase) {
        case INFLATE_HEADER: status = inflate_header(z); break;
        case INFLATE_BLOCK: status = inflate_block(z); break;
        case INFLATE_STORED: status = inflate_stored(z); break;
        case INFLATE_COPY: status = inflate_copy(z); break;
        case INFLATE_COUNTS: status = utet_inflate_counts(z); break;
        case INFLATE_DESCRIBE: status = utet_inflate_describe(z); break;
        case INFLATE_LENGTHS: status = utet_inflate_lengths(z); break;
        case INFLATE_SYMBOL: status = utet_inflate_symbol(z); break;
        case INFLATE_DISTANCE: status = utet_inflate_distance(z); break;
        case INFLATE_EXTRA: status = utet_inflate_extra(z); break;
        case INFLATE_MATCH: status = utet_inflate_match(z); break;
        case INFLATE_CHECK: status = inflate_check(z); break;
        default: return UTET_END;
        }
        if (status != UTET_OK)
            return status;
        if (--turns == 0) /* the last bytes are given out when all has been checked */
            return z->priv.out != z->priv.given && utet_inflate_no_room(z) == INFLATE_FULL ? INFLATE_FULL
                                                                                           : UTET_WOULD_BLOCK;
    }
}

/* ---- calls ---- */

utet_status utet_inflate_init(utet_inflate *z, const utet_inflate_job *job)
{
    if (z == NULL || job == NULL || job->fetch == NULL || job->buffer == NULL)
        return UTET_E_ARGUMENT;
    memset(z, 0, offsetof(utet_inflate, priv.literal));
    z->priv.job = *job;
    z->priv.left = job->size;
    z->priv.adler = 1;
    z->priv.out = z->priv.mark = z->priv.given = job->buffer;
    return UTET_OK;
}

/* Returns the end of a step that delivers `want` bytes: never beyond the buffer or the data. */
static uint8_t *stop_for(const utet_inflate *z, size_t want)
{
    size_t pending = (size_t)(z->priv.out - z->priv.given);
    size_t room = z->priv.job.capacity - (size_t)(z->priv.out - z->priv.job.buffer);

    want = want > pending ? want - pending : 0;
    if (want > room)
        want = room;
    if (want > z->priv.left)
        want = (size_t)z->priv.left;
    return z->priv.out + want;
}

utet_status utet_inflate_step(utet_inflate *z, size_t want, const uint8_t **ptr, size_t *len)
{
    utet_status status;

    *ptr = z->priv.given;
    *len = 0;
    if (want == 0)
        return UTET_E_ARGUMENT;
    if (z->priv.status != UTET_OK)
        return z->priv.status;
    if (z->priv.given == z->priv.job.buffer + z->priv.job.capacity && z->priv.left != 0) {
        *ptr = z->priv.out = z->priv.mark = z->priv.given = z->priv.job.buffer;
        z->priv.wrapped = 1;
    }
    z->priv.stop = stop_for(z, want);
    status = inflate_run(z);
    utet_inflate_account(z);
    z->priv.position -= (uint32_t)(z->priv.in_end - z->priv.in);
    z->priv.in_end = z->priv.in = NULL;
    if (UTET_IS_ERROR(status))
        z->priv.status = status;
    if (UTET_IS_ERROR(status) || status == UTET_WOULD_BLOCK)
        return status;
    *len = (size_t)(z->priv.out - z->priv.given);
    if (*len > want)
        *len = want;
    z->priv.given += *len;
    return *len != 0 ? UTET_OK : UTET_END;
}

uint32_t utet_inflate_error_offset(const utet_inflate *z)
{
    return z->priv.position - (uint32_t)(z->priv.in_end - z->priv.in) - z->priv.bits / 8u;
}
