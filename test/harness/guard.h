/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Caller buffers that cannot be overrun unnoticed: each ends (or begins) at a page that is not mapped, and what
 * alignment leaves between buffer and page is filled with canaries. Needs mmap; every buffer handed to the library
 * in a test comes from here (test/README.md, bar 7 and 8).
 */
#ifndef TEST_GUARD_H
#define TEST_GUARD_H

#include <stddef.h>
#include <stdint.h>

typedef enum guard_side {
    GUARD_AFTER, /* the byte after the buffer is not mapped (align = 1), or the first aligned one after it */
    GUARD_BEFORE /* the byte before the buffer is not mapped */
} guard_side;

typedef struct guard {
    uint8_t *data; /* `size` bytes, zeros */
    size_t size;
    uint8_t *priv_pages; /* mapped part */
    size_t priv_mapped;
} guard;

/* `align` is a power of two up to 4096. Ends the program when memory is out. */
guard guard_new(size_t size, size_t align, guard_side side);
/* 1 when the canaries around the buffer are untouched. */
int guard_intact(const guard *g);
void guard_free(guard *g);

/* Canaries inside a buffer, for example in the workspace beyond the budget. Position-dependent. */
void canary_fill(void *at, size_t size);
int canary_intact(const void *at, size_t size);

#endif
