/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Lists of files that do not count any more (§1.2): one line for each; the part after its last slash counts. */
#include <stdint.h>

#if SIZE_MAX >= 0xFFFFFFFF /* else nothing is left of this file: utet_tiledb.h says so */

#include "tiledb_files.h"

/* The name of a file that does not count: looked up among those that do. */
static void vacuum_strike(utet_tiledb_files *files, const char *name, size_t length)
{
    utet_tiledb_found *found = utet_tiledb_found_files(files);
    utet_tiledb_stamp stamp;
    uint32_t low = 0;
    uint32_t high = files->count - files->priv.lists;

    if (utet_tiledb_name(name, length, &stamp) != UTET_OK)
        return;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const int order = utet_tiledb_compare(files, &found[middle], stamp.first, name);

        if (order == 0) {
            found[middle].state = UTET_TILEDB_IS_GONE;
            return;
        }
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
}

static void end_of_line(utet_tiledb_files *files)
{
    if (files->priv.length < sizeof files->priv.line) {
        files->priv.line[files->priv.length] = '\0';
        vacuum_strike(files, files->priv.line, files->priv.length);
    }
    files->priv.length = 0;
}

static void take_character(utet_tiledb_files *files, char c)
{
    if (c == '\n')
        end_of_line(files);
    else if (c == '/')
        files->priv.length = 0;
    else if (files->priv.length < sizeof files->priv.line)
        files->priv.line[files->priv.length++] = c;
}

static utet_status read_list(utet_tiledb_files *files, utet_file *file)
{
    const uint64_t size = file->priv.io->size;

    while (files->priv.place < size) {
        size_t i;
        utet_status status = utet_fetch(file, 1, files->priv.place);

        if (status != UTET_OK)
            return status;
        for (i = 0; i < file->priv.have; i++) /* no byte there is beyond the end of the file */
            take_character(files, (char)file->priv.at[i]);
        files->priv.place += file->priv.have;
    }
    end_of_line(files);
    return UTET_OK;
}

utet_status utet_tiledb_files_vacuum(utet_tiledb_files *files, utet_file *file)
{
    const size_t window = utet_window_fit(file, 0);

    if (file->priv.state != UTET_STATE_READY ||
        (file->priv.busy != UTET_CALL_NONE &&
         (file->priv.busy != UTET_CALL_TILEDB_VACUUM || file->priv.owner != files)))
        return UTET_E_STATE;
    if (file->budget < window) {
        file->needed = window;
        return UTET_E_BUDGET;
    }
    if (file->priv.busy == UTET_CALL_NONE) {
        file->priv.owner = files;
        file->priv.busy = UTET_CALL_TILEDB_VACUUM;
        files->priv.place = 0;
        files->priv.length = 0;
    }
    return utet_leave(file, read_list(files, file));
}

#endif
