/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The schema of an array by the names of its files, without memory for all of them: the last name counts (§1.1). */
#include <stdint.h>

#if SIZE_MAX >= 0xFFFFFFFF /* else nothing is left of this file: utet_tiledb.h says so */

#include "tiledb.h"
#include "utet_folder.h"

#include <string.h>

enum { FOLDER_NONE, LATE, IN_TIME }; /* kind of the name that has been found */

/* Does the name at `here` count more than the one that was found? Both are filled up with zeros. */
static int is_better(const char *here, int kind, const char *name, int found)
{
    if (kind != found)
        return kind > found;
    return kind == IN_TIME ? memcmp(name, here, UTET_TILEDB_NAME_SIZE) < 0
                           : memcmp(name, here, UTET_TILEDB_NAME_SIZE) > 0;
}

static utet_status folder_newest(const utet_folder *folder, const char *path, uint64_t at, char *name)
{
    char here[UTET_TILEDB_NAME_SIZE];
    utet_tiledb_stamp stamp;
    int is_folder;
    int found = FOLDER_NONE;
    utet_status status = folder->open(folder->ctx, path);

    if (status != UTET_OK)
        return status;
    while ((status = folder->next(folder->ctx, here, sizeof here, &is_folder)) == UTET_OK) {
        size_t length = 0;
        int kind;

        while (length < sizeof here && here[length] != '\0')
            length++;
        memset(here + length, 0, sizeof here - length); /* so that all of it compares */
        if (is_folder || utet_tiledb_name(here, length, &stamp) != UTET_OK)
            continue;
        kind = stamp.last <= at ? IN_TIME : LATE;
        if (is_better(here, kind, name, found)) {
            memcpy(name, here, sizeof here);
            found = kind;
        }
    }
    folder->close(folder->ctx);
    if (status == UTET_END)
        status = found != FOLDER_NONE ? UTET_OK : UTET_E_NOT_FOUND;
    return status;
}

utet_status utet_tiledb_newest(const utet_folder *folder, const char *path, char *name, size_t size)
{
    return size < UTET_TILEDB_NAME_SIZE ? UTET_E_SPACE : folder_newest(folder, path, UINT64_MAX, name);
}

utet_status utet_tiledb_newest_at(const utet_folder *folder, const char *path, uint64_t at, char *name, size_t size)
{
    return size < UTET_TILEDB_NAME_SIZE ? UTET_E_SPACE : folder_newest(folder, path, at, name);
}

#endif
