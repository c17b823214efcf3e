/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* utet_io over lfs_file_seek and lfs_file_read. */
#include "utet_littlefs.h"

#include <string.h>

static utet_status littlefs_read(void *ctx, uint64_t offset, void *buf, size_t len, size_t *got)
{
    utet_littlefs *port = ctx;
    lfs_file_t *file = &port->priv.file;
    lfs_soff_t result;

    *got = 0;
    if (port->priv.status != UTET_OK)
        return port->priv.status;
    /* The offset is within the file, which is shorter than 2 GiB. */
    result = lfs_file_seek(port->priv.lfs, file, (lfs_soff_t)offset, LFS_SEEK_SET);
    if (result >= 0)
        result = lfs_file_read(port->priv.lfs, file, buf, (lfs_size_t)len);
    if (result < 0)
        return port->priv.status = UTET_LITTLEFS_STATUS(result);
    *got = (size_t)result;
    return UTET_OK;
}

/* littlefs has no serial numbers, and two volumes that were filled in the same way have a file in the same blocks: so
 * the file's own bytes distinguish it from another one. */
static int take_print(utet_littlefs *port, uint32_t *print)
{
    enum { SAMPLES = 8, LENGTH = 32 };
    uint8_t sample[LENGTH];
    lfs_file_t *file = &port->priv.file;
    const lfs_size_t size = (lfs_size_t)lfs_file_size(port->priv.lfs, file);
    const lfs_size_t step = size > LENGTH ? (size - LENGTH) / (SAMPLES - 1) : 0;
    lfs_soff_t result = 0;

    *print = 0xFFFFFFFF;
    for (lfs_size_t i = 0; i < SAMPLES && result >= 0; i++) {
        result = lfs_file_seek(port->priv.lfs, file, (lfs_soff_t)(i * step), LFS_SEEK_SET);
        if (result >= 0)
            result = lfs_file_read(port->priv.lfs, file, sample, LENGTH);
        if (result > 0)
            *print = lfs_crc(*print, sample, (size_t)result);
    }
    return result < 0 ? (int)result : 0;
}

static utet_status open_file(utet_littlefs *port, const char *path, uint32_t *print)
{
    int error;

    utet_littlefs_close(port);
    error = lfs_file_opencfg(port->priv.lfs, &port->priv.file, path, LFS_O_RDONLY, &port->priv.config);
    if (error != 0)
        return UTET_LITTLEFS_STATUS(error);
    port->priv.is_open = 1;
    error = take_print(port, print);
    if (error != 0) {
        utet_littlefs_close(port);
        return UTET_LITTLEFS_STATUS(error);
    }
    port->priv.status = UTET_OK;
    return UTET_OK;
}

utet_status utet_littlefs_open(utet_littlefs *port, lfs_t *lfs, const char *path, void *cache)
{
    utet_status status;

    memset(port, 0, sizeof *port);
    port->priv.lfs = lfs;
    port->priv.config.buffer = cache;
    port->io.ctx = port;
    port->io.read = littlefs_read;
    port->io.unit = 1; /* littlefs' blocks begin with pointers, so that a file's sectors are not the medium's */
    port->io.align = 1;
    port->io.line = 32; /* littlefs has a cache of its own: a request for the next bytes takes little */
    status = open_file(port, path, &port->priv.print);
    if (status == UTET_OK) {
        port->io.size = (uint64_t)lfs_file_size(lfs, &port->priv.file);
        port->priv.head = port->priv.file.ctz.head;
    }
    return status;
}

utet_status utet_littlefs_reopen(utet_littlefs *port, const char *path)
{
    uint32_t print;
    const utet_status status = open_file(port, path, &print);

    if (status != UTET_OK)
        return status;
    if ((uint64_t)lfs_file_size(port->priv.lfs, &port->priv.file) != port->io.size || print != port->priv.print ||
        port->priv.file.ctz.head != port->priv.head) {
        utet_littlefs_close(port);
        return UTET_LITTLEFS_E_CHANGED;
    }
    return UTET_OK;
}

void utet_littlefs_close(utet_littlefs *port)
{
    if (port->priv.is_open)
        (void)lfs_file_close(port->priv.lfs, &port->priv.file); /* there is nothing to write back */
    port->priv.is_open = 0;
    port->priv.status = UTET_LITTLEFS_STATUS(LFS_ERR_BADF);
}
