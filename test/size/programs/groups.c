/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Configuration groups: every call of utet_tiledb_folder.h, and the calls that read entries and texts, with gzip
 * tiles. */
#include "port.h"
#include "utet_tiledb_folder.h"

typedef void function(void);

/* Their names suffice to link them; they are not called. */
static function *const linked[] = {
    (function *)utet_tiledb_group_open,  (function *)utet_tiledb_member_first, (function *)utet_tiledb_member_next,
    (function *)utet_tiledb_files_open,  (function *)utet_tiledb_files_next,   (function *)utet_tiledb_files_vacuum,
    (function *)utet_tiledb_keys_init,   (function *)utet_tiledb_keys_add,     (function *)utet_tiledb_read,
    (function *)utet_tiledb_entry_first, (function *)utet_tiledb_entry_next,
};

int main(void)
{
    static utet_tiledb tile;
    static const utet_tiledb_codec *const codecs[] = {&utet_tiledb_gzip, NULL};
    static const utet_tiledb_options options = {codecs, 0};
    function *const volatile *first = linked;

    return utet_init(&size_file, &size_io, size_work, SIZE_WORK, NULL) | utet_tiledb_open(&tile, &size_file, &options) |
           (*first == NULL);
}
