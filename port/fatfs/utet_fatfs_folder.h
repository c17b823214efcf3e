/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The names in a folder of a FAT or exFAT volume; long names where FatFs was configured with them. Relies on
 * utet_folder.h and ff.h. */
#ifndef UTET_FATFS_FOLDER_H
#define UTET_FATFS_FOLDER_H

#include "ff.h"
#include "utet_folder.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct utet_fatfs_folder {
    utet_folder folder; /* pass its address to the listing call */
    struct {
        DIR listing;
        FILINFO entry;
        int is_open;
    } priv;
} utet_fatfs_folder;

/* Prepares a port, which must not move afterwards; the volume has been mounted by the application. Cannot fail.
 * Failures of FatFs are statuses as in utet_fatfs.h. */
void utet_fatfs_folder_init(utet_fatfs_folder *port);

#ifdef __cplusplus
}
#endif

#endif
