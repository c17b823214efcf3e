/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * A port over the posix port that reads ahead while requests follow each other. The library requests a window (half a
 * kilobyte) at a time, as on a microcontroller; a system call for each is slow on a desktop. A command that reads a
 * document alternates between the document, rows and payloads, so several ranges are kept. Requests that follow none of
 * them go to the inner port unchanged. A small file is read into memory at once. It is not mapped, because a mapping
 * changes when another program changes the file, and ends this program if the file is truncated.
 */
#include "tool.h"

#include <stdlib.h>
#include <string.h>

#define MOST_AHEAD ((size_t)128 << 10)
#define MOST_GAP 4096u
#define MOST_WHOLE ((uint64_t)24 << 20) /* maximum size of a file that is held in memory, in bytes */

/* Reads a complete range from `offset` on; its length is 0 afterwards if nothing could be read. */
static utet_status fill(const ahead *a, stretch *s, uint64_t offset)
{
    const uint64_t rest = a->io.size - offset;
    const size_t length = s->size < rest ? s->size : (size_t)rest;
    utet_status status;

    s->length = 0;
    s->offset = offset;
    status = a->inner->read(a->inner->ctx, offset, s->buffer, length, &s->length);
    if (status != UTET_OK)
        s->length = 0;
    return status;
}

static int holds(const stretch *s, uint64_t offset)
{
    return offset - s->offset < s->length; /* a difference below 0 is at least 2^63 */
}

/* A released window begins again within bytes that it has read; windows of records, rows and small chunks begin after a
 * gap. */
static int follows(const stretch *s, uint64_t offset)
{
    return offset >= s->first && (offset <= s->end || offset - s->end <= MOST_GAP);
}

/* Payloads in backward order: a window begins shortly before the previous one. */
static int precedes(const stretch *s, uint64_t offset)
{
    return offset < s->first && s->first - offset <= MOST_GAP;
}

/* Returns nonzero if one of the three is true, without jumps: most requests are compared with all ranges. */
static int belongs(const stretch *s, uint64_t offset)
{
    return holds(s, offset) | (offset - s->first + MOST_GAP <= s->end - s->first + 2 * MOST_GAP);
}

/* Returns the range that the request belongs to; otherwise a new one replaces the range with the oldest request. */
static stretch *stretch_of(ahead *a, uint64_t offset)
{
    unsigned i = 0;
    stretch *s = a->latest[0];

    while (!belongs(s, offset)) {
        if (++i == STRETCHES) { /* a new one */
            s->length = 0;
            s->size = 0;
            i--;
            break;
        }
        s = a->latest[i];
    }
    memmove(a->latest + 1, a->latest, i * sizeof *a->latest);
    a->latest[0] = s;
    return s;
}

/* Adapts the read-ahead size. Returns nonzero if more than `len` bytes should be read and there is memory. */
static int lengthen(stretch *s, uint64_t offset, size_t len)
{
    if (!follows(s, offset) && !precedes(s, offset))
        s->size = 0;
    else
        s->size = s->size == 0 ? 4096 : s->size < MOST_AHEAD / 2 ? s->size * 2 : MOST_AHEAD;
    if (len >= s->size)
        return 0;
    if (s->buffer == NULL)
        s->buffer = malloc(MOST_AHEAD);
    return s->buffer != NULL;
}

static utet_status ahead_read(void *ctx, uint64_t offset, void *buf, size_t len, size_t *got)
{
    ahead *const a = ctx;
    stretch *const s = stretch_of(a, offset);
    const int held = holds(s, offset);
    const int backwards = precedes(s, offset);
    const int longer = !held && lengthen(s, offset, len);
    size_t have;

    s->first = offset;
    s->end = offset + len;
    if (!held) {
        const uint64_t back = longer && backwards ? (s->size - len) & ~(uint64_t)4095
                                                  : 0; /* a multiple of the port's unit */
        utet_status status;

        if (!longer)
            return a->inner->read(a->inner->ctx, offset, buf, len, got);
        status = fill(a, s, offset - (back < offset ? back : 0));
        if (status == UTET_OK && s->length > 0 && !holds(s, offset)) /* it gave less */
            status = fill(a, s, offset);
        if (status != UTET_OK || s->length == 0) {
            *got = 0;
            return status;
        }
    }
    have = s->length - (size_t)(offset - s->offset);
    *got = len < have ? len : have;
    memcpy(buf, s->buffer + (offset - s->offset), *got);
    return UTET_OK;
}

const uint8_t *ahead_view(ahead *a, uint64_t offset, uint64_t most, size_t *have)
{
    stretch *const s = stretch_of(a, offset);

    if (!holds(s, offset)) {
        (void)lengthen(s, offset, 0);
        if (s->size < most)
            s->size = most < MOST_AHEAD ? (size_t)most : MOST_AHEAD;
        if (s->buffer == NULL)
            s->buffer = malloc(MOST_AHEAD);
        if (s->buffer == NULL || fill(a, s, offset) != UTET_OK || s->length == 0)
            return NULL;
    }
    *have = s->length - (size_t)(offset - s->offset);
    if (*have > most)
        *have = (size_t)most;
    s->first = offset;
    s->end = offset + *have;
    return s->buffer + (offset - s->offset);
}

void ahead_begin(ahead *a, const utet_io *inner)
{
    unsigned i;

    memset(a, 0, sizeof *a);
    a->inner = inner;
    a->io = *inner;
    a->io.ctx = a;
    a->io.read = ahead_read;
    for (i = 0; i < STRETCHES; i++) {
        a->latest[i] = &a->stretches[i];
        a->stretches[i].first = a->stretches[i].end = (uint64_t)1 << 63; /* no request follows or precedes it */
    }
}

static int read_whole(const utet_io *io, uint8_t *to, size_t size)
{
    size_t have = 0;
    size_t got = 0;

    while (have < size && io->read(io->ctx, have, to + have, size - have, &got) == UTET_OK && got > 0)
        have += got;
    return have == size;
}

void ahead_whole(ahead *a)
{
    const size_t size = a->inner->size <= MOST_WHOLE ? (size_t)a->inner->size : 0;
    uint8_t *const whole = size > 0 ? malloc(size) : NULL;

    if (whole != NULL && read_whole(a->inner, whole, size))
        a->io.map = whole;
    else
        free(whole);
}

void ahead_end(ahead *a)
{
    unsigned i;

    free((void *)(uintptr_t)a->io.map);
    a->io.map = NULL;
    for (i = 0; i < STRETCHES; i++) {
        free(a->stretches[i].buffer);
        a->stretches[i].buffer = NULL;
        a->stretches[i].length = 0;
    }
}
