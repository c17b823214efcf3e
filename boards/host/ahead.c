/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * A port over the posix port that reads ahead while requests follow each other: the library asks for a window (half a
 * kilobyte) at a time, as a microcontroller would, and a system call for each is slow on a desktop. Requests that jump
 * are passed on as they are.
 */
#include "tool.h"

#include <stdlib.h>
#include <string.h>

#define MOST_AHEAD ((size_t)256 << 10)

static utet_status fill(ahead *a, uint64_t offset, size_t len)
{
    const uint64_t rest = a->io.size - offset;
    utet_status status;

    a->length = 0;
    a->offset = offset;
    if (len > rest)
        len = (size_t)rest;
    status = a->inner->read(a->inner->ctx, offset, a->buffer, len, &a->length);
    if (status != UTET_OK)
        a->length = 0;
    return status;
}

static utet_status ahead_read(void *ctx, uint64_t offset, void *buf, size_t len, size_t *got)
{
    ahead *a = ctx;
    const int follows = offset == a->expected;
    size_t have;

    a->expected = offset + len;
    if (offset < a->offset || offset - a->offset >= a->length) {
        utet_status status;

        a->stretch = !follows ? 0 : a->stretch == 0 ? 4096 : a->stretch < MOST_AHEAD ? a->stretch * 2 : MOST_AHEAD;
        if (len >= a->stretch)
            return a->inner->read(a->inner->ctx, offset, buf, len, got);
        status = fill(a, offset, a->stretch);
        if (status != UTET_OK || a->length == 0) {
            *got = 0;
            return status;
        }
    }
    have = a->length - (size_t)(offset - a->offset);
    *got = len < have ? len : have;
    memcpy(buf, a->buffer + (offset - a->offset), *got);
    return UTET_OK;
}

int ahead_begin(ahead *a, const utet_io *inner)
{
    memset(a, 0, sizeof *a);
    a->inner = inner;
    a->io = *inner;
    a->io.ctx = a;
    a->io.read = ahead_read;
    a->expected = UINT64_MAX;
    a->buffer = malloc(MOST_AHEAD);
    return a->buffer != NULL;
}

void ahead_end(ahead *a)
{
    free(a->buffer);
    a->buffer = NULL;
}
