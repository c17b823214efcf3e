/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Port for FatFs (R0.12 and later, read-only is enough): reads a file of a FAT or exFAT volume, with FatFs' fast seek
 * when the application supplies a cluster table. Relies on utet.h and ff.h. Blocks, never answers "not yet".
 * Sharing: a port belongs to one task. Several tasks may each have ports on one volume if FatFs is FF_FS_REENTRANT (see
 * freertos/ff_mutex.c); without it, one task alone may call FatFs, and a second one gets UTET_FATFS_E_SHARED.
 * See README.md in this folder. */
#ifndef UTET_FATFS_H
#define UTET_FATFS_H

#include "ff.h"
#include "utet.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A failure of FatFs is returned as UTET_E_PORT - FRESULT: -257 is FR_DISK_ERR, -260 FR_NO_FILE, … */
#define UTET_FATFS_STATUS(fresult) ((utet_status)(UTET_E_PORT - (int)(fresult)))

enum {
    UTET_FATFS_E_CHANGED = UTET_E_PORT, /* the reopened file is another one */
    UTET_FATFS_E_DISK = UTET_E_PORT - FR_DISK_ERR,
    UTET_FATFS_E_TABLE = UTET_E_PORT - FR_NOT_ENOUGH_CORE, /* see table_need */
    UTET_FATFS_E_CHAIN = UTET_E_PORT - 32, /* the FAT is damaged: clusters of the file are missing; see chain_end */
    UTET_FATFS_E_SHARED = UTET_E_PORT - 33 /* two tasks were in this port at once, and FatFs is not FF_FS_REENTRANT */
};

#ifdef FF_FS_EXFAT
#define UTET_FATFS_EXFAT FF_FS_EXFAT
#else
#define UTET_FATFS_EXFAT _FS_EXFAT /* the name in R0.12 */
#endif

/* Distinguishes a file from another one with the same name and length. */
typedef struct utet_fatfs_identity {
    DWORD volume; /* the volume's serial number; 0 if FatFs is configured without f_getlabel */
    DWORD first;  /* the first cluster */
    DWORD stamp;  /* time of the last write to the file; on exFAT also the checksum of its directory entry */
} utet_fatfs_identity;

typedef struct utet_fatfs {
    utet_io io;         /* pass its address to utet_init */
    DWORD table_need;   /* after opening with a table: number of DWORDs that it needs, 2 + 2 for each fragment */
    uint64_t chain_end; /* after UTET_FATFS_E_CHAIN: offset in the file at which its chain of clusters is damaged */
    struct {
        FIL file;
        DWORD *table;
        DWORD words;
        utet_fatfs_identity identity;
#if UTET_FATFS_EXFAT
        uint64_t valid; /* number of bytes that were written (exFAT's ValidDataLength); zeros follow them */
#endif
    } priv;
} utet_fatfs;

/*
 * Opens `path` for reading; the volume has been mounted by the application (f_mount). The port must not move
 * afterwards. table: `words` DWORDs for FatFs' cluster link map, which the port uses until it is closed; NULL: no fast
 * seek, so every seek backwards follows the FAT from the file's first cluster.
 * io.unit becomes the sector size, so that FatFs reads whole sectors straight into the library's window; set it to 1
 * before utet_init to work with a window smaller than a sector (see README.md).
 * With a table, the call follows the file's chain of clusters once, up to the size of the file: a chain that ends
 * early, leaves the volume or is circular gives UTET_FATFS_E_CHAIN. Without a table, such damage is found while
 * reading.
 * On exFAT the bytes after the file's ValidDataLength read as zeros, as the file system defines it.
 * Returns UTET_OK; UTET_FATFS_E_TABLE when the table is too small (table_need is the sufficient size; nothing is open);
 * UTET_FATFS_E_CHAIN if clusters of the file are missing (chain_end is the offset; nothing is open);
 * UTET_FATFS_E_SHARED for a call while another task is in this port, if FatFs is not FF_FS_REENTRANT;
 * UTET_FATFS_STATUS(FR_NOT_ENABLED) for a table where FatFs is configured without fast seek;
 * UTET_FATFS_STATUS of any other failure.
 */
utet_status utet_fatfs_open(utet_fatfs *port, const TCHAR *path, DWORD *table, DWORD words);

/*
 * Opens the same file again with the same table, after an error of the medium: FatFs then refuses the file until it is
 * opened again. `io` does not change, so the library's file object stays valid; open streams and slabs that met the
 * error again. Returns the statuses of utet_fatfs_open; or UTET_FATFS_E_CHANGED if the file has another size, first
 * cluster or time of writing, or its volume has another serial number, as on another card. Nothing is open then.
 */
utet_status utet_fatfs_reopen(utet_fatfs *port, const TCHAR *path);

/* Closes the file. May be called twice, or after a failed open. */
void utet_fatfs_close(utet_fatfs *port);

#ifdef __cplusplus
}
#endif

#endif
