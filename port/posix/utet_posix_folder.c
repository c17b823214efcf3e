/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The names in a folder, through opendir and readdir. */
#define _POSIX_C_SOURCE 200809L
#include "utet_posix_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

static void close_listing(void *ctx)
{
    utet_posix_folder *port = ctx;

    if (port->priv.listing != NULL)
        (void)closedir(port->priv.listing);
    port->priv.listing = NULL;
}

static utet_status open_listing(void *ctx, const char *path)
{
    utet_posix_folder *port = ctx;

    close_listing(port);
    port->priv.listing = opendir(path);
    if (port->priv.listing != NULL)
        return UTET_OK;
    port->error = errno;
    return errno == ENOENT || errno == ENOTDIR ? UTET_E_NOT_FOUND : UTET_POSIX_E_LIST;
}

static utet_status next_name(void *ctx, char *name, size_t size, int *is_folder)
{
    utet_posix_folder *port = ctx;
    struct dirent *entry;

    if (port->priv.listing == NULL)
        return UTET_END;
    for (errno = 0; (entry = readdir(port->priv.listing)) != NULL; errno = 0) {
        const size_t length = strlen(entry->d_name);
        struct stat what;

        if (length >= size || strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        memcpy(name, entry->d_name, length + 1);
        *is_folder = fstatat(dirfd(port->priv.listing), entry->d_name, &what, 0) == 0 && S_ISDIR(what.st_mode);
        return UTET_OK;
    }
    port->error = errno;
    return errno == 0 ? UTET_END : UTET_POSIX_E_LIST;
}

void utet_posix_folder_init(utet_posix_folder *port)
{
    port->folder.ctx = port;
    port->folder.open = open_listing;
    port->folder.next = next_name;
    port->folder.close = close_listing;
    port->error = 0;
    port->priv.listing = NULL;
}
