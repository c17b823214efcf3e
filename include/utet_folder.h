/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The names in a folder, for formats that keep a thing in several files: what a port to a file system may offer beside
 * utet_io. Blocks. Ports: utet_posix_folder, utet_fatfs_folder, utet_littlefs_folder.
 */
#ifndef UTET_FOLDER_H
#define UTET_FOLDER_H

#include "utet_io.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * open: begins with the folder at `path`, before its first name; ends an older listing. UTET_E_NOT_FOUND: there is no
 *   such folder. It may return OK, E_NOT_FOUND, E_PORT.
 * next: the next name, terminated, into `name` of `size` bytes, and whether it is a folder; in any order, without "."
 *   and "..". A name that does not fit is left out. It may return OK, END, E_PORT.
 * close: ends the listing; may be called at any time.
 */
typedef struct utet_folder {
    void *ctx;
    utet_status (*open)(void *ctx, const char *path);
    utet_status (*next)(void *ctx, char *name, size_t size, int *is_folder);
    void (*close)(void *ctx);
} utet_folder;

/* For utet_sizeof (utet.h): the number of this header's type. */
enum { UTET_OBJECT_FOLDER = 71 };

#ifdef __cplusplus
}
#endif

#endif
