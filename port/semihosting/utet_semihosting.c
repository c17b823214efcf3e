/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* utet_io over SYS_SEEK and SYS_READ: seeks only if the host's position differs. Uses semihost.h. */
#include "utet_semihosting.h"

#include "semihost.h"

static utet_status host_read(void *ctx, uint64_t offset, void *buf, size_t len, size_t *got)
{
    utet_semihosting *port = ctx;

    *got = 0;
    if (port->priv.offset != offset) {
        if (semihost_seek(port->priv.handle, (uint32_t)offset) < 0)
            return UTET_SEMIHOSTING_E_SEEK;
        port->priv.offset = (uint32_t)offset;
    }
    *got = semihost_read(port->priv.handle, buf, len);
    port->priv.offset += (uint32_t)*got;
    port->reads++;
    return UTET_OK;
}

utet_status utet_semihosting_open(utet_semihosting *port, const char *path)
{
    static const utet_semihosting closed = {{NULL, NULL, NULL, NULL, 0, 1, 1, 0, 0}, 0, {-1, 0}};
    int32_t size;

    *port = closed;
    port->priv.handle = semihost_open(path, SEMIHOST_READ);
    if (port->priv.handle < 0)
        return UTET_SEMIHOSTING_E_OPEN;
    size = semihost_flen(port->priv.handle);
    if (size < 0) {
        utet_semihosting_close(port);
        return UTET_SEMIHOSTING_E_OPEN;
    }
    port->io.ctx = port;
    port->io.read = host_read;
    port->io.size = (uint64_t)size;
    return UTET_OK;
}

void utet_semihosting_close(utet_semihosting *port)
{
    if (port->priv.handle >= 0)
        (void)semihost_close(port->priv.handle);
    port->priv.handle = -1;
}
