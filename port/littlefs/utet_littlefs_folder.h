/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The names in a folder of a littlefs volume. Relies on utet_folder.h and lfs.h. */
#ifndef UTET_LITTLEFS_FOLDER_H
#define UTET_LITTLEFS_FOLDER_H

#include "lfs.h"
#include "utet_folder.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct utet_littlefs_folder {
    utet_folder folder; /* pass its address to the listing call */
    struct {
        lfs_t *lfs;
        lfs_dir_t listing;
        struct lfs_info entry; /* LFS_NAME_MAX bytes and 9 */
        uint8_t is_open;
    } priv;
} utet_littlefs_folder;

/* Prepares a port, which must not move afterwards; the application has mounted `lfs`. Cannot fail. Failures of littlefs
 * are statuses as in utet_littlefs.h. */
void utet_littlefs_folder_init(utet_littlefs_folder *port, lfs_t *lfs);

#ifdef __cplusplus
}
#endif

#endif
