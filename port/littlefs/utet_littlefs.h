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

enum { UTET_LITTLEFS_E_CHANGED = UTET_E_PORT }; /* reopened, but it is another file */

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
 * closed. The port must not move afterwards. cache: as many bytes as the cache_size of the volume's configuration, for
 * this file alone; it stays the port's until it is closed. Null: littlefs takes it from malloc.
 * Reads 8 samples of 32 bytes, by which utet_littlefs_reopen knows the file again.
 * Returns UTET_OK, or UTET_LITTLEFS_STATUS of a failure; nothing is open then.
 */
utet_status utet_littlefs_open(utet_littlefs *port, lfs_t *lfs, const char *path, void *cache);

/*
 * After a medium error: the port refuses a file that met one until it is opened again, because littlefs keeps in its
 * caches what has never arrived. Opens the same file again with the same cache and leaves `io` as it is, so that the
 * library's file object stays valid; streams and slabs that met the error are opened anew.
 * Returns as utet_littlefs_open, and UTET_LITTLEFS_E_CHANGED for a file of another size, that was written anew, or that
 * has other bytes in its samples: another volume, say. Nothing is open then.
 */
utet_status utet_littlefs_reopen(utet_littlefs *port, const char *path);

/* May be called twice, or after a failed open. */
void utet_littlefs_close(utet_littlefs *port);

#ifdef __cplusplus
}
#endif

#endif
