/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* A text file that is read byte by byte, from any offset, through a buffer. */
#ifndef UTET_TOOL_PACK_TEXT_H
#define UTET_TOOL_PACK_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#define TEXT_AFTER 8u /* zero bytes after those that were read */

typedef struct text_file {
    int fd;
    int error;    /* errno of the last read that failed, or 0 */
    off_t base;   /* offset of bytes[0] in the file */
    size_t at;    /* the next byte, as an index in bytes */
    size_t count; /* bytes in the buffer */
    unsigned char bytes[65537 + TEXT_AFTER];
} text_file;

/* Opens a file for reading; it owns `fd` from now on. Null: `fd` is below 0, or there is not enough memory and `fd` is
 * closed; errno says why. */
text_file *text_open(int fd);
void text_close(text_file *t); /* `t` may be null */
/* Fills the buffer from the offset of the next byte on, and returns this byte, or EOF; for text_get. */
int text_more(text_file *t);
/* Copies up to `size` bytes; returns how many there were. */
size_t text_read(text_file *t, char *to, size_t size);
void text_seek(text_file *t, off_t offset);

/* The next byte, or EOF. */
static inline int text_get(text_file *t)
{
    return t->at < t->count ? t->bytes[t->at++] : text_more(t);
}

/* The next byte, which stays the next one; 0 if the buffer has no more, although the file may. */
static inline int text_ahead(const text_file *t)
{
    return t->bytes[t->at];
}

/* Eight bytes as a number, the first one lowest; compilers make one load of it. */
static inline uint64_t text_eight(const unsigned char *at)
{
    return (uint64_t)at[0] | (uint64_t)at[1] << 8 | (uint64_t)at[2] << 16 | (uint64_t)at[3] << 24 |
           (uint64_t)at[4] << 32 | (uint64_t)at[5] << 40 | (uint64_t)at[6] << 48 | (uint64_t)at[7] << 56;
}

#define TEXT_EACH UINT64_C(0x0101010101010101) /* times a byte: each of eight bytes */
#define TEXT_SIGNS (TEXT_EACH * 0x80)

/* The number of bytes before the first one whose highest bit is 1. One of the eight has it. */
static inline unsigned text_before(uint64_t signs)
{
    return (unsigned)__builtin_ctzll(signs & TEXT_SIGNS) / 8;
}

/* Takes back the byte that text_get returned last; EOF is not taken back. */
static inline void text_back(text_file *t, int c)
{
    t->at -= c != EOF;
}

/* The offset of the next byte. */
static inline off_t text_tell(const text_file *t)
{
    return t->base + (off_t)t->at;
}

#endif
