/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The records of utet_tiledb_files. Internal to the library. */
#ifndef UTET_TILEDB_FILES_INTERNAL_H
#define UTET_TILEDB_FILES_INTERNAL_H

#include "tiledb.h"
#include "utet_tiledb_folder.h"

enum { UTET_TILEDB_IS_LIST = 1, UTET_TILEDB_IS_GONE }; /* utet_tiledb_found.state; 0: a file that counts */

typedef struct utet_tiledb_found {
    uint64_t first; /* time */
    uint32_t name;  /* offset in the memory, terminated */
    uint32_t state;
} utet_tiledb_found;

/* The first record. */
utet_tiledb_found *utet_tiledb_found_files(const utet_tiledb_files *files);
/* Compares a file with a time and a name. Returns less than 0, 0 or more than 0. */
int utet_tiledb_compare(const utet_tiledb_files *files, const utet_tiledb_found *file, uint64_t first,
                        const char *name);

#endif
