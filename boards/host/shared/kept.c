/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * A codec that wraps a zstd decoder and keeps decoded payloads. A payload that many rows refer to is decoded at most
 * three times (unknown, noted, kept) instead of once for each row; a chunk that several bands need is decoded once
 * instead of once for each band. Files in order cost nothing extra: an offset above all earlier ones is a new payload,
 * which is neither looked up nor noted.
 */
#include "kept.h"
#include "seen.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The facts known about a payload. */
typedef struct payload {
    uint8_t *bytes;    /* decoded bytes; NULL: not kept */
    uint64_t size;     /* bytes of memory allocated */
    uint64_t filled;   /* bytes before the end, or before the damage */
    uint64_t where;    /* position of the damage in the payload */
    uint64_t band;     /* number of the last band that used the payload */
    uint64_t opened;   /* 1: the payload has been decoded, perhaps only in part */
    uint64_t is_known; /* 1: the need is known */
    utet_need need;
    utet_status status; /* the status after the last byte filled */
} payload;

struct keeper {
    utet_codec codec; /* represents `inner`; the first member, so a stream's codec points to the keeper */
    const utet_codec *inner;
    seen payloads;
    payload now;      /* payload of the open stream; its bytes NULL: the stream decodes */
    uint64_t next[2]; /* end of the largest offset so far, of needs and of streams */
    uint64_t room;
    uint64_t share; /* maximum of room */
    uint64_t used;
    uint64_t band;
    size_t places; /* number of entries at the last search for one to release */
    size_t spent;  /* number of these entries that this band does not use */
    int on;
    int at_once; /* 1: payloads will be used again */
    int always;  /* 1: payloads will be used again in every band */
};

static keeper *kept_of(const utet_stream *stream)
{
    return (keeper *)(void *)(uintptr_t)stream->priv.codec;
}

static void forget(keeper *k)
{
    size_t i;

    for (i = 0; i < k->payloads.places; i++) {
        payload *const p = seen_at(&k->payloads, i);

        if (p != NULL)
            free(p->bytes);
    }
    seen_end(&k->payloads);
    k->used = 0;
}

/* Returns the facts about the stream's payload, from its second use on; NULL: the payload is new, or there is not
 * enough memory. */
static payload *find(keeper *k, const utet_stream *stream, uint64_t *next)
{
    utet_chunk chunk;
    payload *p;
    int known;

    if (stream->priv.offset >= *next) {
        *next = stream->priv.offset + 1;
        if (!k->at_once)
            return NULL;
    }
    memset(&chunk, 0, sizeof chunk);
    chunk.payload_offset = stream->priv.offset;
    chunk.stored_byte_len = stream->priv.stored;
    chunk.raw_byte_len = stream->length;
    chunk.codec = k->codec.id;
    p = seen_find(&k->payloads, &chunk, 0, &known);
    if (p == NULL) { /* the table is full, or there is not enough memory: the payload is decoded again next time */
        forget(k);
        p = seen_find(&k->payloads, &chunk, 0, &known);
    }
    return p;
}

static utet_status kept_need(utet_stream *stream, int exact, utet_need *need)
{
    keeper *const k = kept_of(stream);
    payload *p;
    utet_status status;

    if (!k->on || !exact || stream->priv.whole != NULL)
        return k->inner->need(stream, exact, need);
    p = find(k, stream, &k->next[0]);
    if (p != NULL && p->is_known) {
        *need = p->need;
        return UTET_OK;
    }
    status = k->inner->need(stream, exact, need);
    if (p != NULL && status == UTET_OK) {
        p->need = *need;
        p->is_known = 1;
    }
    return status;
}

/* Allocates memory for the payload, if necessary after freeing payloads of older bands. Each slot is tried once per
 * band, because the payloads that are kept later belong to the current band. */
static int get_room(keeper *k, payload *p, uint64_t size)
{
    if (size > k->room)
        return 0;
    if (k->places != k->payloads.places) /* the table has been reallocated */
        k->spent = 0;
    k->places = k->payloads.places;
    while (size > k->room - k->used && k->spent < k->places) {
        payload *const other = seen_at(&k->payloads, k->spent++);

        if (other == NULL || other->bytes == NULL || other->band + 1 >= k->band)
            continue;
        free(other->bytes);
        other->bytes = NULL;
        k->used -= other->size;
    }
    if (size <= k->room - k->used)
        p->bytes = malloc((size_t)size);
    if (p->bytes == NULL)
        return 0;
    p->size = size;
    k->used += size;
    return 1;
}

/* Decodes the complete payload, or the part before the damage. */
static void fill(const keeper *k, utet_stream *stream, payload *p)
{
    p->status = UTET_OK;
    p->filled = 0;
    while (p->status == UTET_OK && p->filled < stream->length) {
        const uint64_t left = stream->length - p->filled;

        p->status = k->inner->step(stream, left < SIZE_MAX ? (size_t)left : SIZE_MAX);
        if (p->status != UTET_OK)
            break;
        memcpy(p->bytes + p->filled, stream->priv.out, stream->priv.avail);
        p->filled += stream->priv.avail;
        stream->priv.out += stream->priv.avail;
        stream->priv.avail = 0;
    }
    p->where = stream->priv.file->error_offset - stream->priv.offset;
}

static utet_status kept_open(utet_stream *stream)
{
    keeper *const k = kept_of(stream);
    payload *p = NULL;
    utet_status status;

    memset(&k->now, 0, sizeof k->now);
    if (k->on && k->band != 0 && stream->length != 0)
        p = find(k, stream, &k->next[1]);
    if (p != NULL && p->bytes != NULL) {
        p->band = k->band;
        k->now = *p;
        return UTET_OK;
    }
    status = k->inner->open(stream);
    if (status != UTET_OK || p == NULL)
        return status;
    if ((p->opened || k->at_once) && get_room(k, p, stream->length)) {
        fill(k, stream, p);
        p->band = k->band;
        k->now = *p;
    }
    p->opened = 1;
    return UTET_OK;
}

static utet_status kept_step(utet_stream *stream, size_t want)
{
    keeper *const k = kept_of(stream);

    if (k->now.bytes == NULL)
        return k->inner->step(stream, want);
    if (k->now.filled == 0)
        return utet_payload_error(stream, k->now.where, k->now.status);
    stream->priv.out = k->now.bytes;
    stream->priv.avail = (size_t)k->now.filled;
    if (stream->priv.whole != NULL) /* which the caller reads, instead of priv.out */
        memcpy(stream->priv.whole, k->now.bytes, (size_t)k->now.filled);
    k->now.filled = 0; /* delivers all remaining bytes at once */
    return UTET_OK;
}

keeper *kept_begin(const utet_codec *inner)
{
    keeper *const k = calloc(1, sizeof *k);
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long page = sysconf(_SC_PAGESIZE);
    const utet_codec codec = {inner->id, kept_need, kept_open, kept_step, inner->driver};

    if (k == NULL)
        return NULL;
    memcpy(&k->codec, &codec, sizeof codec);
    k->inner = inner;
    k->room = pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page / 4 : 0;
    if (k->room > SIZE_MAX / 4)
        k->room = SIZE_MAX / 4;
    k->share = k->room;
    seen_begin(&k->payloads, sizeof(payload), SEEN_MOST);
    return k;
}

const utet_codec *kept_codec(const keeper *k)
{
    return &k->codec;
}

const utet_codec *kept_inner(const keeper *k)
{
    return k->inner;
}

void kept_share(keeper *k, unsigned count)
{
    k->room = k->share / count;
}

void kept_on(keeper *k)
{
    k->on = 1;
}

void kept_band(keeper *k, int at_once)
{
    k->at_once = at_once || k->always;
    k->band++;
    k->spent = 0;
}

void kept_always(keeper *k)
{
    k->always = 1;
}

void kept_end(keeper *k)
{
    if (k == NULL)
        return;
    forget(k);
    free(k);
}
