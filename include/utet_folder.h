/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists the names in a folder, for formats that use several files. A port to a file system may provide this in addition
 * to utet_io. The calls block. Ports: utet_posix_folder, utet_fatfs_folder, utet_littlefs_folder.
 */
#ifndef UTET_FOLDER_H
#define UTET_FOLDER_H

#include "utet_io.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * open: opens the folder at `path`, before its first name, and ends an earlier listing. UTET_E_NOT_FOUND: there is no
 *   such folder. It may return OK, E_NOT_FOUND, E_PORT.
 * next: stores the next name, terminated, in `name` of `size` bytes, and in *is_folder whether it is a folder. The
 *   order is arbitrary; "." and ".." are excluded. Names that do not fit are skipped. It may return OK, END, E_PORT.
 * close: ends the listing; may be called at any time.
 */
typedef struct utet_folder {
    void *ctx;
    utet_status (*open)(void *ctx, const char *path);
    utet_status (*next)(void *ctx, char *name, size_t size, int *is_folder);
    void (*close)(void *ctx);
} utet_folder;

/* Number of this header's type, for utet_sizeof (utet.h). */
enum { UTET_OBJECT_FOLDER = 71 };

#ifdef __cplusplus
}
#endif

#endif
