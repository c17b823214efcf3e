/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Port over a port: reads blocks, keeps eight of them, and while the library decodes one, the medium delivers the next.
 * Useful if a transfer does not need the processor: a port that returns UTET_WOULD_BLOCK, such as utet_dma. Relies on
 * utet_io.h. Belongs to one task. See README.md in this folder. */
#ifndef UTET_AHEAD_H
#define UTET_AHEAD_H

#include "utet_io.h"

#ifdef __cplusplus
extern "C" {
#endif

/* In a sequence: the block that is read and four after it. Three elsewhere, such as in the chunk index. */
enum { UTET_AHEAD_BLOCKS = 8 };

typedef struct utet_ahead {
    utet_io io; /* pass its address to utet_init */
    /* volatile: an interrupt handler changes it between two requests. */
    volatile struct {
        const utet_io *below;
        uint8_t *memory;
        unsigned shift;  /* a block has 1 << shift bytes */
        int free;        /* no request is being answered: utet_ahead_continue may start transfers */
        uint32_t clock;  /* counts uses */
        uint32_t front;  /* the last block of the sequence that was read */
        uint32_t next;   /* the first block of the sequence that has not been fetched */
        uint32_t aside;  /* the last block that was read elsewhere */
        uint32_t wanted; /* a block to fetch there */
        unsigned steps;  /* blocks in a row that were read there */
        int pending;     /* index of the slot whose block is arriving; -1: none */
        struct {
            uint32_t block; /* number of the block + 1; 0: none */
            uint32_t from;  /* the bytes before this one were not fetched */
            uint32_t have;  /* the bytes from there to here have arrived */
            uint32_t used;  /* clock of the last use */
        } slot[UTET_AHEAD_BLOCKS];
    } priv;
} utet_ahead;

/*
 * below: the port to read from; it stays in use until utet_ahead_stop. memory: UTET_AHEAD_BLOCKS << shift bytes,
 * aligned to below->align. A block has 1 << shift bytes, at least twice below->unit.
 */
void utet_ahead_open(utet_ahead *ahead, const utet_io *below, void *memory, unsigned shift);

/*
 * Starts the next transfer if the one before has ended and the library is decoding. For the interrupt handler, as its
 * last action, on the processor of the task. Without it, a transfer starts only with the next request.
 */
void utet_ahead_continue(utet_ahead *ahead);

/* Ends a transfer that is pending after the library's call has returned: the engine and `memory` are free again. */
void utet_ahead_stop(utet_ahead *ahead);

#ifdef __cplusplus
}
#endif

#endif
