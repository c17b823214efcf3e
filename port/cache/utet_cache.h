/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* A port over another port: keeps lines of the file in memory of the caller, and fetches several lines with one
 * request. For media whose requests are expensive: cards, HTTP, a serial line. Relies on utet_io.h. Needs no other
 * memory. See README.md in this folder. */
#ifndef UTET_CACHE_H
#define UTET_CACHE_H

#include "utet_io.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct utet_cache_slot {
    uint32_t number; /* number of the line, plus one; 0: no line */
    uint32_t time;   /* read: the number of reads by then; not read yet: the number of lines that had arrived by then */
    uint16_t run;    /* length of the run that delivered the line, or that the next run continues */
    uint16_t is_read;
} utet_cache_slot;

typedef struct utet_cache {
    utet_io io;   /* pass its address to utet_init */
    size_t front; /* after utet_cache_share: number of bytes at the beginning of the buffer, for utet_init */
    struct {
        const utet_io *below;
        uint8_t *memory; /* `count` lines */
        utet_cache_slot *slots;
        size_t line, count;
        unsigned log;     /* logarithm of `line`, to base 2 */
        uint32_t reads;   /* number of reads of lines so far */
        uint32_t arrived; /* number of lines that have arrived so far */
        uint32_t passed;  /* number of the line after those that have bypassed the cache last */
        struct {
            uint32_t first;     /* number of its first line */
            size_t slot, lines; /* its first slot; lines 0: no request is pending */
            size_t filled;      /* bytes that have arrived */
            uint16_t worth;     /* becomes `run` of its lines */
            utet_status failed; /* UTET_OK, or the status of a longer run, before this one, that failed */
        } run;
    } priv;
} utet_cache;

/* Size of the memory for `count` lines of `line` bytes at an aligned address, in bytes. */
#define UTET_CACHE_MEMORY(count, line) ((count) * ((size_t)(line) + sizeof(utet_cache_slot)))

/*
 * Makes a port that reads through `below` and keeps lines in the `size` bytes at `memory`; both must stay valid as long
 * as the cache is used. line: the size of a line in bytes, a power of two from 64 to 32768, at least below->unit: 512
 * for a card. The lines begin at a multiple of below->align and of 8; the bytes of `memory` before it are lost. io.unit
 * and io.align become 1. If `below` maps its file, the cache does the same and keeps no lines.
 * Returns UTET_OK; UTET_E_BUDGET if the memory has no room for a line; UTET_E_ARGUMENT for another `line`, and for a
 * file of more than 2^32 - 2 lines.
 */
utet_status utet_cache_init(utet_cache *cache, const utet_io *below, size_t line, void *memory, size_t size);

/*
 * Divides one buffer, the `size` bytes at `work`, between a file and its cache: cache->front bytes at the beginning are
 * the file's workspace, the cache has lines after them. Both must stay valid as long as the cache is used. Call it
 * before utet_init; then give utet_init `work`, cache->front and cache->io. If a file used the buffer before, its
 * objects become invalid, and the cache has no lines of it. No request may be pending.
 * need: the need of the calls that follow, as utet_slab_need and utet_chunk_need state it for a file that reads through
 * the cache. The file gets need->least, and the cache 4, 8 or 16 lines, the most that fit. If need->best fits together
 * with 16 lines, the file gets that. Other bytes are not used, so that more memory does not take more time. NULL: not
 * known; the file gets all but 4, 8 or 16 lines, at least as much as opening needs.
 * Without room for 4 lines, all reads go to `below`, or, if its unit or its align is not 1, through 2 lines or 1.
 * If `below` maps its file, the file gets all.
 * Returns UTET_OK; UTET_E_BUDGET if the buffer is too small; UTET_E_ARGUMENT as utet_cache_init.
 */
utet_status utet_cache_share(utet_cache *cache, const utet_io *below, size_t line, void *work, size_t size,
                             const utet_need *need);

/* Forgets all lines, because the file has changed. No request may be pending. */
void utet_cache_forget(utet_cache *cache);

#ifdef __cplusplus
}
#endif

#endif
