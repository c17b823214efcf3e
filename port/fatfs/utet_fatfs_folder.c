/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The names in a folder, through f_opendir and f_readdir. */
#include "utet_fatfs_folder.h"
#include "utet_fatfs.h"

#include <string.h>

static void close_listing(void *ctx)
{
    utet_fatfs_folder *port = ctx;

    if (port->priv.is_open)
        (void)f_closedir(&port->priv.listing);
    port->priv.is_open = 0;
}

static utet_status open_listing(void *ctx, const char *path)
{
    utet_fatfs_folder *port = ctx;
    FRESULT result;

    close_listing(port);
    result = f_opendir(&port->priv.listing, path);
    if (result == FR_NO_PATH || result == FR_NO_FILE)
        return UTET_E_NOT_FOUND;
    if (result != FR_OK)
        return UTET_FATFS_STATUS(result);
    port->priv.is_open = 1;
    return UTET_OK;
}

static utet_status next_name(void *ctx, char *name, size_t size, int *is_folder)
{
    utet_fatfs_folder *port = ctx;
    size_t length;

    if (!port->priv.is_open)
        return UTET_END;
    do {
        FRESULT result = f_readdir(&port->priv.listing, &port->priv.entry);

        if (result != FR_OK)
            return UTET_FATFS_STATUS(result);
        length = strlen(port->priv.entry.fname);
        if (length == 0)
            return UTET_END;
    } while (length >= size);
    memcpy(name, port->priv.entry.fname, length + 1);
    *is_folder = (port->priv.entry.fattrib & AM_DIR) != 0;
    return UTET_OK;
}

void utet_fatfs_folder_init(utet_fatfs_folder *port)
{
    port->folder.ctx = port;
    port->folder.open = open_listing;
    port->folder.next = next_name;
    port->folder.close = close_listing;
    port->priv.is_open = 0;
}
