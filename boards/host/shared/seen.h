/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Remembers payloads, and facts about each of them. */
#ifndef UTET_TOOL_SEEN_H
#define UTET_TOOL_SEEN_H

#include "utet.h"

typedef struct seen {
    uint8_t *entries;
    size_t size; /* number of the caller's bytes for each payload */
    size_t places;
    size_t count;
    size_t most;
    uint64_t salt;
    uint64_t first; /* the lowest offset that seen_again has received */
    uint64_t next;  /* the position after the largest offset */
} seen;

#define SEEN_MOST ((uint64_t)1 << 17) /* maximum number of payloads for a file of any size */

/* `size`: the caller's bytes for each payload, a multiple of 8. `most`: maximum number of payloads. */
void seen_begin(seen *s, size_t size, uint64_t most);
/* Frees everything. The table may be used again. */
void seen_end(seen *s);
/* Returns the facts about the chunk's payload and `about` (its reader, such as a dataset). If the payload is new,
 * *known is 0 and the caller fills in the facts, which are zeros. NULL: nothing can be stored. The pointer is valid
 * until the next call. */
void *seen_find(seen *s, const utet_chunk *chunk, uint64_t about, int *known);
/* Like seen_find, but stores facts only from a payload's second use on: an offset above or below all earlier ones is a
 * new payload, which is not stored. So files in order, or in reverse order, take no memory. When `most` payloads are
 * stored, all are dropped. Both cost one more decoding. */
void *seen_again(seen *s, const utet_chunk *chunk, uint64_t about, int *known);
/* Returns the facts in a slot, 0 … s->places - 1; NULL if the slot is empty. */
void *seen_at(const seen *s, size_t place);

#endif
