/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* A hash table of payloads, each with some bytes of the caller's, so that a payload that many rows refer to is decoded
 * once. If there is not enough memory, nothing is stored and the work is repeated. */
#include "seen.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* A payload, and everything else that the result depends on. */
typedef struct key {
    uint64_t offset; /* and 1 */
    uint64_t stored;
    uint64_t raw;
    uint64_t about; /* the codec is in the low bits */
} key;

void seen_begin(seen *s, size_t size, uint64_t most)
{
    memset(s, 0, sizeof *s);
    s->size = size;
    s->most = most < SIZE_MAX / 8 / (sizeof(key) + size) ? (size_t)most : 0;
}

void seen_end(seen *s)
{
    free(s->entries);
    s->entries = NULL;
    s->places = 0;
    s->count = 0;
}

static uint64_t mixed(uint64_t n)
{
    n = (n ^ n >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    n = (n ^ n >> 27) * UINT64_C(0x94D049BB133111EB);
    return n ^ n >> 31;
}

static key *entry_at(const seen *s, size_t place)
{
    return (key *)(void *)(s->entries + place * (sizeof(key) + s->size));
}

/* Returns the entry of the payload, or a free entry, whose offset is 0. */
static key *place_of(const seen *s, const key *k)
{
    size_t place = (size_t)mixed(mixed(mixed(mixed(s->salt ^ k->offset) ^ k->stored) ^ k->raw) ^ k->about) &
                   (s->places - 1);

    while (entry_at(s, place)->offset != 0 && memcmp(entry_at(s, place), k, sizeof *k) != 0)
        place = (place + 1) & (s->places - 1);
    return entry_at(s, place);
}

static int grow(seen *s)
{
    seen larger = *s;
    size_t i;

    if (s->places == 0) /* a random key, so that a file cannot cause collisions */
        larger.salt = (uint64_t)time(NULL) * UINT64_C(0x9E3779B97F4A7C15) ^ (uint64_t)getpid() << 32 ^ (uintptr_t)s;
    larger.places = s->places == 0 ? 64 : 2 * s->places;
    larger.entries = calloc(larger.places, sizeof(key) + s->size);
    if (larger.entries == NULL)
        return 0;
    for (i = 0; i < s->places; i++)
        if (entry_at(s, i)->offset != 0)
            memcpy(place_of(&larger, entry_at(s, i)), entry_at(s, i), sizeof(key) + s->size);
    free(s->entries);
    *s = larger;
    return 1;
}

void *seen_find(seen *s, const utet_chunk *chunk, uint64_t about, int *known)
{
    const key k = {chunk->payload_offset + 1, chunk->stored_byte_len, chunk->raw_byte_len,
                   about << 8 | (chunk->codec & 0xFF)};
    key *at;

    *known = 0;
    if (k.offset == 0 || (s->count >= s->places / 2 && (s->count >= s->most || !grow(s))))
        return NULL;
    at = place_of(s, &k);
    *known = at->offset != 0;
    if (!*known)
        *at = k;
    s->count += !*known;
    return at + 1;
}

void *seen_again(seen *s, const utet_chunk *chunk, uint64_t about, int *known)
{
    void *at;

    *known = 0;
    if (chunk->payload_offset >= s->next) {
        if (s->next == 0)
            s->first = chunk->payload_offset;
        s->next = chunk->payload_offset + 1;
        return NULL;
    }
    if (chunk->payload_offset < s->first) {
        s->first = chunk->payload_offset;
        return NULL;
    }
    at = seen_find(s, chunk, about, known);
    if (at != NULL || s->count < s->most)
        return at;
    seen_end(s);
    return seen_find(s, chunk, about, known);
}

void *seen_at(const seen *s, size_t place)
{
    key *const at = entry_at(s, place);

    return at->offset != 0 ? at + 1 : NULL;
}
