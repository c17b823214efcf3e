/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The names in a folder, through lfs_dir_open and lfs_dir_read. */
#include "utet_littlefs_folder.h"
#include "utet_littlefs.h"

#include <string.h>

static void close_listing(void *ctx)
{
    utet_littlefs_folder *port = ctx;

    if (port->priv.is_open)
        (void)lfs_dir_close(port->priv.lfs, &port->priv.listing);
    port->priv.is_open = 0;
}

static utet_status open_listing(void *ctx, const char *path)
{
    utet_littlefs_folder *port = ctx;
    int error;

    close_listing(port);
    error = lfs_dir_open(port->priv.lfs, &port->priv.listing, path);
    if (error == LFS_ERR_NOENT || error == LFS_ERR_NOTDIR)
        return UTET_E_NOT_FOUND;
    if (error != 0)
        return UTET_LITTLEFS_STATUS(error);
    port->priv.is_open = 1;
    return UTET_OK;
}

static utet_status next_name(void *ctx, char *name, size_t size, int *is_folder)
{
    utet_littlefs_folder *port = ctx;
    const char *found = port->priv.entry.name;
    size_t length;

    if (!port->priv.is_open)
        return UTET_END;
    do {
        int result = lfs_dir_read(port->priv.lfs, &port->priv.listing, &port->priv.entry);

        if (result < 0)
            return UTET_LITTLEFS_STATUS(result);
        if (result == 0)
            return UTET_END;
        length = strlen(found);
    } while (length >= size || strcmp(found, ".") == 0 || strcmp(found, "..") == 0);
    memcpy(name, found, length + 1);
    *is_folder = port->priv.entry.type == LFS_TYPE_DIR;
    return UTET_OK;
}

void utet_littlefs_folder_init(utet_littlefs_folder *port, lfs_t *lfs)
{
    port->folder.ctx = port;
    port->folder.open = open_listing;
    port->folder.next = next_name;
    port->folder.close = close_listing;
    port->priv.lfs = lfs;
    port->priv.is_open = 0;
}
