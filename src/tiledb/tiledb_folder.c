/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Files of an array by their names, without memory for all of them: the order of the names' bytes is that of time. */
#include <stdint.h>

#if SIZE_MAX >= 0xFFFFFFFF /* else nothing is left of this file: utet_tiledb.h says so */

#include "tiledb.h"
#include "utet_folder.h"

#include <string.h>

utet_status utet_tiledb_newest(const utet_folder *folder, const char *path, char *name, size_t size)
{
    char here[UTET_TILEDB_NAME_SIZE];
    utet_tiledb_stamp stamp;
    int is_folder;
    int found = 0;
    utet_status status;

    if (size < sizeof here)
        return UTET_E_SPACE;
    status = folder->open(folder->ctx, path);
    if (status != UTET_OK)
        return status;
    while ((status = folder->next(folder->ctx, here, sizeof here, &is_folder)) == UTET_OK) {
        size_t length = 0;

        while (length < sizeof here && here[length] != '\0')
            length++;
        memset(here + length, 0, sizeof here - length); /* so that all of it compares */
        if (is_folder || utet_tiledb_name(here, length, &stamp) != UTET_OK)
            continue;
        if (!found || memcmp(name, here, sizeof here) < 0)
            memcpy(name, here, sizeof here);
        found = 1;
    }
    folder->close(folder->ctx);
    if (status == UTET_END)
        status = found ? UTET_OK : UTET_E_NOT_FOUND;
    return status;
}

#endif
