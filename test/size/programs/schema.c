/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Configuration schema: an array schema, item by item, and the check of all of it; tiles without compression. */
#include "port.h"
#include "utet_tiledb.h"

int main(void)
{
    static utet_tiledb tile;
    static utet_tiledb_schema schema;
    static utet_tiledb_item item;
    static char text[16];
    utet_tiledb_filter filter;
    size_t got;
    int sum = 0;

    sum |= utet_init(&size_file, &size_io, size_work, SIZE_WORK, NULL);
    sum |= utet_tiledb_open(&tile, &size_file, NULL);
    sum |= utet_tiledb_schema_open(&schema, &tile);
    sum |= utet_tiledb_schema_check(&schema);
    sum |= utet_tiledb_first(&schema, UTET_TILEDB_ATTRIBUTE, &item);
    sum |= utet_tiledb_next(&schema, &item);
    sum |= utet_tiledb_find(&schema, UTET_TILEDB_ATTRIBUTE, "a", 1, &item);
    sum |= utet_tiledb_read(&tile, &item.name, text, sizeof text, &got);
    sum |= utet_tiledb_filter_next(&tile, &item.filters, &filter);
    return sum;
}
