/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Port for littlefs (version 2, read-only is enough): reads a file of a volume that the application has mounted. Relies
 * on utet.h and lfs.h. Blocks, never answers "not yet". A port belongs to one task. All tasks that use the volume need
 * littlefs with LFS_THREADSAFE; without it, one task alone may call littlefs. See README.md in this folder. */
#ifndef UTET_LITTLEFS_H
#define UTET_LITTLEFS_H

#include "lfs.h"
#include "utet.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A failure of littlefs is returned as UTET_E_PORT + error: -258 is LFS_ERR_NOENT, -261 LFS_ERR_IO, … */
#define UTET_LITTLEFS_STATUS(error) ((utet_status)(UTET_E_PORT + (int)(error)))

enum { UTET_LITTLEFS_E_CHANGED = UTET_E_PORT }; /* the reopened file is another one */

typedef struct utet_littlefs {
    utet_io io; /* pass its address to utet_init */
    struct {
        lfs_t *lfs;
        lfs_file_t file;
        struct lfs_file_config config; /* has the file's cache */
        lfs_block_t head;              /* the file's last block */
        uint32_t print;                /* a checksum of samples of the file */
        utet_status status; /* the status of reading; not UTET_OK after a failure, and while nothing is open */
        uint8_t is_open;
    } priv;
} utet_littlefs;

/*
 * Opens `path` for reading on `lfs`, which the application has mounted and which must stay mounted until the port is
 * closed. The port must not move afterwards. cache: memory for this file alone, of the cache_size of the volume's
 * configuration, which the port uses until it is closed; NULL: littlefs calls malloc. Reads 8 samples of 32 bytes, by
 * which utet_littlefs_reopen recognises the file.
 * Returns UTET_OK, or UTET_LITTLEFS_STATUS of a failure; nothing is open then.
 */
utet_status utet_littlefs_open(utet_littlefs *port, lfs_t *lfs, const char *path, void *cache);

/*
 * Opens the same file again with the same cache, after an error of the medium: the port then refuses the file until it
 * is opened again, because the caches of littlefs claim to hold bytes that have never arrived. `io` does not change, so
 * the library's file object stays valid; open streams and slabs that met the error again.
 * Returns the statuses of utet_littlefs_open; or UTET_LITTLEFS_E_CHANGED if the file has another size, was written
 * again, or has other bytes in its samples, as on another volume. Nothing is open then.
 */
utet_status utet_littlefs_reopen(utet_littlefs *port, const char *path);

/* Closes the file. May be called twice, or after a failed open. */
void utet_littlefs_close(utet_littlefs *port);

#ifdef __cplusplus
}
#endif

#endif
