/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Payloads that were met before, and what was found out about each. */
#ifndef UTET_TOOL_SEEN_H
#define UTET_TOOL_SEEN_H

#include "utet.h"

typedef struct seen {
    uint8_t *entries;
    size_t size; /* bytes that are kept of each */
    size_t places;
    size_t count;
    size_t most;
    uint64_t salt;
    uint64_t first; /* the lowest offset that seen_again met */
    uint64_t next;  /* after the largest one */
} seen;

#define SEEN_MOST ((uint64_t)1 << 17) /* payloads of a file of any size */

/* `size`: bytes kept of each payload, a multiple of 8; `most`: payloads at most. */
void seen_begin(seen *s, size_t size, uint64_t most);
/* Forgets all; may be used again. */
void seen_end(seen *s);
/* The facts kept about the chunk's payload and `about` (its reader, such as a dataset); zeros with *known 0 when it
 * is new: to be filled in. Null: not kept. Valid until the next call. */
void *seen_find(seen *s, const utet_chunk *chunk, uint64_t about, int *known);
/* As seen_find, from a payload's second time on: an offset beyond all before, or in front of them, is a new payload,
 * which is not kept, so files in order, or in the opposite one, take no memory; at `most` payloads all are forgotten.
 * Either costs one more decoding. */
void *seen_again(seen *s, const utet_chunk *chunk, uint64_t about, int *known);
/* Returns the facts kept in a slot, 0 … s->places - 1; NULL if it is empty. */
void *seen_at(const seen *s, size_t place);

#endif
