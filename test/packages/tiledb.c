/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Prints the names of an array schema's attributes, one per line. */
#include "utet_tiledb.h"

#include "input.h"

int main(void)
{
    static const utet_tiledb_codec *const codecs[] = {&utet_tiledb_gzip, &utet_tiledb_zstd, NULL};
    static const utet_tiledb_options options = {codecs, 0};
    static uint64_t work[1 << 14];
    static utet_tiledb_schema schema;
    static utet_tiledb_item item;
    static utet_tiledb tile;
    static utet_file file;
    utet_status status;
    char name[64];
    size_t got;

    read_input();
    OK(utet_init(&file, &io, work, sizeof work, NULL));
    OK(utet_tiledb_open(&tile, &file, &options));
    OK(utet_tiledb_schema_open(&schema, &tile));
    for (status = utet_tiledb_first(&schema, UTET_TILEDB_ATTRIBUTE, &item); status == UTET_OK;
         status = utet_tiledb_next(&schema, &item)) {
        OK(utet_tiledb_read(&tile, &item.name, name, sizeof name, &got));
        printf("%.*s\n", (int)got, name);
    }
    return status == UTET_END ? 0 : 1;
}
