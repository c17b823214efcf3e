/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Port for a medium, such as serial NOR flash, that a DMA engine reads, and whose interrupt reports that the bytes have
 * arrived. It never waits; it returns UTET_WOULD_BLOCK, and the program sleeps. Relies on utet_io.h and on a driver for
 * the engine (utet_dma_driver). A port belongs to one task. See README.md in this folder. */
#ifndef UTET_DMA_H
#define UTET_DMA_H

#include "utet_io.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    UTET_DMA_E_BEYOND = UTET_E_PORT,       /* the file ends beyond the end of the medium */
    UTET_DMA_E_TIMEOUT = UTET_E_PORT - 1,  /* the driver reports: no interrupt within its limit */
    UTET_DMA_E_TRANSFER = UTET_E_PORT - 2, /* the driver reports: the transfer failed */
    UTET_DMA_UNIT = 32                     /* the largest unit of an engine */
};

/* Returns a text for a status of this port or of the library. */
const char *utet_dma_strerror(utet_status status);

typedef struct utet_dma utet_dma;

/* The engine. No member may change while a port uses them. */
typedef struct utet_dma_driver {
    /*
     * Starts a transfer of `len` bytes from `offset` of the medium to `to`; all three are multiples of `unit`, and len
     * is at most `longest`. The driver calls utet_dma_done once when the transfer ends, in its interrupt handler or
     * already in `start`. Returns UTET_OK, or an error; there is no transfer then.
     */
    utet_status (*start)(utet_dma *port, uint32_t offset, void *to, size_t len);
    /* Ends a transfer. When it returns, the engine no longer writes, and no handler calls utet_dma_done for it. */
    void (*stop)(utet_dma *port);
    uint32_t size;    /* bytes of the medium */
    uint32_t longest; /* maximum length of one transfer in bytes, a multiple of unit */
    uint16_t unit;    /* a power of two, at most UTET_DMA_UNIT; with a data cache, the length of its line */
} utet_dma_driver;

typedef enum utet_dma_state {
    UTET_DMA_IDLE,
    UTET_DMA_BUSY, /* a transfer is pending: only an interrupt changes this */
    UTET_DMA_DONE  /* the transfer has ended; repeat the call that returned UTET_WOULD_BLOCK */
} utet_dma_state;

struct utet_dma {
    utet_io io; /* pass its address to utet_init */
    struct {
        const utet_dma_driver *driver;
        volatile utet_dma_state state;
        volatile utet_status status; /* result of the transfer that has ended */
        uint32_t first;              /* offset of the file in the medium */
        uint32_t part;               /* bytes of the transfer; 0: `last` gets the end of the file */
        /* The engine writes whole units, also where the file and the buffer of the library end within one. */
        volatile uint8_t last[2 * UTET_DMA_UNIT];
    } priv;
};

/*
 * Prepares a port for a file of `size` bytes that begins at `offset` of the medium, a multiple of the driver's unit.
 * Reads nothing.
 * Returns UTET_OK, UTET_E_ARGUMENT for an offset that is not such a multiple, or UTET_DMA_E_BEYOND.
 */
utet_status utet_dma_open(utet_dma *port, const utet_dma_driver *driver, uint32_t offset, uint32_t size);

/* The driver reports the end of a transfer: UTET_OK, or its error. After `stop` it does nothing. */
void utet_dma_done(utet_dma *port, utet_status status);

/* Returns the state: UTET_DMA_IDLE whenever a call of the library has returned anything but UTET_WOULD_BLOCK. */
utet_dma_state utet_dma_state_of(const utet_dma *port);

#ifdef __cplusplus
}
#endif

#endif
