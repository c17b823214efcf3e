/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Port for FatFs (R0.12 and later, read-only is enough): reads a file of a FAT or exFAT volume, with FatFs' fast seek
 * when the application supplies a cluster table. Relies on utet.h and ff.h. Blocks, never answers "not yet".
 * See README.md beside this file. */
#ifndef UTET_FATFS_H
#define UTET_FATFS_H

#include "ff.h"
#include "utet.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A failure of FatFs passes through as UTET_E_PORT - FRESULT: -257 is FR_DISK_ERR, -260 FR_NO_FILE, … */
#define UTET_FATFS_STATUS(fresult) ((utet_status)(UTET_E_PORT - (int)(fresult)))

enum {
    UTET_FATFS_E_CHANGED = UTET_E_PORT, /* reopened, but it is not the same size any more */
    UTET_FATFS_E_DISK = UTET_E_PORT - FR_DISK_ERR,
    UTET_FATFS_E_TABLE = UTET_E_PORT - FR_NOT_ENOUGH_CORE /* see table_need */
};

typedef struct utet_fatfs {
    utet_io io;       /* hand its address to utet_init */
    DWORD table_need; /* after opening with a table: the DWORDs that it takes, 2 + 2 for each fragment */
    struct {
        FIL file;
        DWORD *table;
        DWORD words;
    } priv;
} utet_fatfs;

/*
 * Opens `path` for reading; the volume has been mounted by the application (f_mount). The port must not move
 * afterwards. table: `words` DWORDs for FatFs' cluster link map, which stay the port's until it is closed; null: no
 * fast seek, every seek backwards walks the FAT from the file's first cluster.
 * io.unit becomes the sector size, so that FatFs reads whole sectors straight into the library's window; set it to 1
 * before utet_init to work with a window smaller than a sector (see README.md).
 * Returns UTET_OK; UTET_FATFS_E_TABLE when the table is too small (table_need says what would do; nothing is open);
 * UTET_FATFS_STATUS(FR_NOT_ENABLED) for a table where FatFs is configured without fast seek;
 * UTET_FATFS_STATUS of any other failure.
 */
utet_status utet_fatfs_open(utet_fatfs *port, const TCHAR *path, DWORD *table, DWORD words);

/*
 * After a medium error: FatFs refuses a file that met one until it is opened again. Opens the same file again with the
 * same table and leaves `io` as it is, so that the library's file object stays valid; streams and slabs that met the
 * error are opened anew. Returns as utet_fatfs_open, and UTET_FATFS_E_CHANGED.
 */
utet_status utet_fatfs_reopen(utet_fatfs *port, const TCHAR *path);

/* May be called twice, or after a failed open. */
void utet_fatfs_close(utet_fatfs *port);

#ifdef __cplusplus
}
#endif

#endif
