/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* --elements: another process has the elements of each .npy that ends after its header. A request is 18 numbers of 64
 * bits in the machine's order: the array, counted from 0; the offset of the first element in the dense array; for each
 * of 8 axes the distance between elements; for each axis the number of indices. Offsets and distances are in bytes. The
 * other process writes these elements to the beginning of a file that both have open, dense, the last axis fastest;
 * then its answer is one byte. A pipe for the elements would stop it after each 64 KB until this process reads. */
#define _XOPEN_SOURCE 700
#include "pack.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static int send_request(const pack_input *in, const uint64_t *start, const uint64_t *count)
{
    uint64_t request[2 + 2 * UTET_MAX_NDIM] = {0};
    const uint8_t *at = (const uint8_t *)request;
    size_t size = sizeof request;
    unsigned d;

    request[0] = in->view.array;
    request[1] = in->view.offset;
    for (d = 0; d < in->ndim; d++) {
        request[1] += start[d] * in->view.stride[d];
        request[2 + d] = in->view.stride[d];
        request[2 + UTET_MAX_NDIM + d] = count[d];
    }
    while (size > 0) {
        const ssize_t some = write(in->view.ask_to, at, size);

        if (some < 0 && errno == EINTR)
            continue;
        if (some < 0)
            return fail(in->path, NULL, NO_OFFSET, "cannot request elements: %s", strerror(errno));
        at += some;
        size -= (size_t)some;
    }
    return TOOL_OK;
}

int pack_ask(const pack_input *in, const uint64_t *start, const uint64_t *count, size_t size, uint8_t *to)
{
    const char *why = "bytes are missing";
    ssize_t got;
    char answer;

    if (send_request(in, start, count) != TOOL_OK)
        return TOOL_ERROR;
    do
        got = read(in->view.ask_from, &answer, 1);
    while (got < 0 && errno == EINTR);
    if (got == 0)
        why = "the other process has stopped";
    else if (got > 0)
        got = pack_read_at(in->view.fd, to, size, 0);
    if (got > 0 && (size_t)got == size)
        return TOOL_OK;
    return fail(in->path, NULL, NO_OFFSET, "cannot read the requested elements: %s", got < 0 ? strerror(errno) : why);
}
