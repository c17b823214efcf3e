/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* A text file that is read byte by byte, from any offset, through a buffer. */
#define _XOPEN_SOURCE 700
#include "pack_text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

text_file *text_open(int fd)
{
    text_file *const t = fd >= 0 ? malloc(sizeof *t) : NULL;

    if (t == NULL) {
        if (fd >= 0)
            (void)close(fd);
        return NULL;
    }
    t->fd = fd;
    t->error = 0;
    t->base = 0;
    t->at = t->count = 0;
    memset(t->bytes, 0, TEXT_AFTER);
    return t;
}

void text_close(text_file *t)
{
    if (t != NULL)
        (void)close(t->fd);
    free(t);
}

/* The last byte stays in the buffer, so that text_back can take it back. */
int text_more(text_file *t)
{
    const size_t kept = t->at > 0 ? 1 : 0;
    ssize_t got;

    if (kept > 0)
        t->bytes[0] = t->bytes[t->at - 1];
    t->base += (off_t)(t->at - kept);
    t->at = t->count = kept;
    memset(t->bytes + kept, 0, TEXT_AFTER);
    do
        got = pread(t->fd, t->bytes + kept, sizeof t->bytes - TEXT_AFTER - kept, t->base + (off_t)kept);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        t->error = errno;
    if (got <= 0)
        return EOF;
    t->count = kept + (size_t)got;
    memset(t->bytes + t->count, 0, TEXT_AFTER);
    return t->bytes[t->at++];
}

size_t text_read(text_file *t, char *to, size_t size)
{
    size_t count = 0;
    int c;

    while (count < size && (c = text_get(t)) != EOF)
        to[count++] = (char)c;
    return count;
}

void text_seek(text_file *t, off_t offset)
{
    if (offset >= t->base && offset <= t->base + (off_t)t->count) {
        t->at = (size_t)(offset - t->base);
        return;
    }
    t->base = offset;
    t->at = t->count = 0;
    memset(t->bytes, 0, TEXT_AFTER);
}
