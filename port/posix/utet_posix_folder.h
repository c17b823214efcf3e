/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The names in a folder of a POSIX system. Relies on utet_folder.h. */
#ifndef UTET_POSIX_FOLDER_H
#define UTET_POSIX_FOLDER_H

#include "utet_folder.h"

#include <dirent.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { UTET_POSIX_E_LIST = UTET_E_PORT - 2 }; /* readdir failed, or the folder cannot be opened */

typedef struct utet_posix_folder {
    utet_folder folder; /* pass its address to the listing call */
    int error;          /* errno of the last failure */
    struct {
        DIR *listing; /* NULL: no folder is open */
    } priv;
} utet_posix_folder;

/* Prepares a port, which must not move afterwards. Cannot fail. */
void utet_posix_folder_init(utet_posix_folder *port);

#ifdef __cplusplus
}
#endif

#endif
