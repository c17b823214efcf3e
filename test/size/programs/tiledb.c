/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Configuration tiledb: every call of utet_tiledb.h except the texts of names, with gzip tiles. */
#include "port.h"
#include "utet_tiledb.h"

typedef void function(void);

/* Their names suffice to link them; they are not called. */
static function *const linked[] = {
    (function *)utet_tiledb_schema_open,
    (function *)utet_tiledb_schema_check,
    (function *)utet_tiledb_first,
    (function *)utet_tiledb_next,
    (function *)utet_tiledb_find,
    (function *)utet_tiledb_read,
    (function *)utet_tiledb_filter_next,
    (function *)utet_tiledb_enumeration_open,
    (function *)utet_tiledb_enumeration_check,
    (function *)utet_tiledb_value,
    (function *)utet_tiledb_value_find,
    (function *)utet_tiledb_entry_first,
    (function *)utet_tiledb_entry_next,
    (function *)utet_tiledb_entry_find,
    (function *)utet_tiledb_tiles,
    (function *)utet_tiledb_default,
    (function *)utet_tiledb_name,
    (function *)utet_tiledb_newest,
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
