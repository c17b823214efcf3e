/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Port over a port: reads blocks, keeps six of them, and while the library decodes one, the medium delivers the next.
 * Useful if a transfer does not need the processor: a port that returns UTET_WOULD_BLOCK, such as utet_dma. Relies on
 * utet_io.h. Belongs to one task. See README.md in this folder. */
#ifndef UTET_AHEAD_H
#define UTET_AHEAD_H

#include "utet_io.h"

#ifdef __cplusplus
extern "C" {
#endif

/* In a sequence: the block that is read and two after it. Three elsewhere, such as in the chunk index. */
enum { UTET_AHEAD_BLOCKS = 6 };

typedef struct utet_ahead {
    utet_io io; /* pass its address to utet_init */
    struct {
        const utet_io *below;
        uint8_t *memory;
        unsigned shift;  /* a block has 1 << shift bytes */
        uint32_t clock;  /* counts uses */
        uint32_t front;  /* the last block of a sequence */
        uint32_t aside;  /* the last block that was read elsewhere */
        uint32_t missed; /* the last block that was missing: a sequence may begin with it */
        int pending;     /* index of the slot whose block is arriving; -1: none */
        struct {
            uint32_t block; /* number of the block + 1; 0: none */
            uint32_t have;  /* bytes that have arrived */
            uint32_t used;  /* clock of the last use */
        } slot[UTET_AHEAD_BLOCKS];
    } priv;
} utet_ahead;

/*
 * below: the port to read from; it stays in use until utet_ahead_stop. memory: UTET_AHEAD_BLOCKS << shift bytes,
 * aligned to below->align. A block has 1 << shift bytes, at least below->unit.
 */
void utet_ahead_open(utet_ahead *ahead, const utet_io *below, void *memory, unsigned shift);

/* Ends a transfer that is pending after the library's call has returned: the engine and `memory` are free again. */
void utet_ahead_stop(utet_ahead *ahead);

#ifdef __cplusplus
}
#endif

#endif
