/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
#include "utet_dma.h"

#include <string.h>

/* The part of `last` that is aligned to the unit, whatever the address of the port. */
static volatile uint8_t *last_unit(utet_dma *port)
{
    const uintptr_t unit = port->priv.driver->unit;

    return port->priv.last + (-(uintptr_t)port->priv.last & (unit - 1));
}

/* Returns the result of the driver's `start`. */
static utet_status begin(utet_dma *port, uint64_t offset, void *buf, size_t len)
{
    const utet_dma_driver *driver = port->priv.driver;
    const uint32_t part = len < driver->longest ? (uint32_t)len & ~(driver->unit - 1u) : driver->longest;
    utet_status status;

    port->priv.part = part;
    port->priv.state = UTET_DMA_BUSY; /* before the start: the interrupt may come at once */
    status = driver->start(port, port->priv.first + (uint32_t)offset,
                           part > 0 ? buf : (void *)(uintptr_t)last_unit(port), part > 0 ? part : driver->unit);
    if (status != UTET_OK)
        port->priv.state = UTET_DMA_IDLE;
    return status;
}

static utet_status dma_read(void *ctx, uint64_t offset, void *buf, size_t len, size_t *got)
{
    utet_dma *port = ctx;

    *got = 0;
    if (port->priv.state == UTET_DMA_IDLE) {
        const utet_status status = begin(port, offset, buf, len);
        if (status != UTET_OK)
            return status;
    }
    if (port->priv.state == UTET_DMA_BUSY)
        return UTET_WOULD_BLOCK;
    port->priv.state = UTET_DMA_IDLE;
    if (port->priv.status != UTET_OK)
        return port->priv.status;
    for (size_t i = 0; port->priv.part == 0 && i < len; i++)
        ((uint8_t *)buf)[i] = last_unit(port)[i];
    *got = port->priv.part > 0 ? port->priv.part : len;
    return UTET_OK;
}

static void dma_cancel(void *ctx)
{
    utet_dma *port = ctx;

    if (port->priv.state != UTET_DMA_IDLE)
        port->priv.driver->stop(port);
    port->priv.state = UTET_DMA_IDLE;
}

utet_status utet_dma_open(utet_dma *port, const utet_dma_driver *driver, uint32_t offset, uint32_t size)
{
    if (offset % driver->unit != 0)
        return UTET_E_ARGUMENT;
    if (size > driver->size || offset > driver->size - size)
        return UTET_DMA_E_BEYOND;
    memset(port, 0, sizeof *port);
    port->io.ctx = port;
    port->io.read = dma_read;
    port->io.cancel = dma_cancel;
    port->io.size = size;
    port->io.unit = driver->unit;
    port->io.align = driver->unit;
    port->priv.driver = driver;
    port->priv.first = offset;
    port->priv.state = UTET_DMA_IDLE;
    return UTET_OK;
}

void utet_dma_done(utet_dma *port, utet_status status)
{
    if (port->priv.state != UTET_DMA_BUSY)
        return;
    port->priv.status = status;
    port->priv.state = UTET_DMA_DONE;
}

utet_dma_state utet_dma_state_of(const utet_dma *port)
{
    return port->priv.state;
}

const char *utet_dma_strerror(utet_status status)
{
    switch (status) {
    case UTET_DMA_E_BEYOND: return "the file ends beyond the end of the medium";
    case UTET_DMA_E_TIMEOUT: return "the interrupt of a transfer did not come";
    case UTET_DMA_E_TRANSFER: return "a transfer failed";
    default: return utet_strerror(status);
    }
}
