/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The module for TileDB array schemas. */
#include "module.h"
#include "utet_tiledb.h"

#include <string.h>

const utet_codec *const module_codecs[] = {NULL}; /* a schema uses the codecs of its filters */

static const utet_tiledb_codec *const codecs[] = {&utet_tiledb_gzip, &utet_tiledb_zstd, NULL};

static utet_tiledb tile;
static utet_tiledb_schema schema;
static utet_tiledb_item item;
static utet_tiledb_filters filters;
static utet_tiledb_filter filter;
static utet_tiledb_text text;

EXPORT(open) int export_open(void)
{
    static const utet_tiledb_options options = {.codecs = codecs};

    return utet_tiledb_open(&tile, &module_file, &options);
}

EXPORT(schema_open) int export_schema_open(void)
{
    return utet_tiledb_schema_open(&schema, &tile);
}

EXPORT(schema_check) int export_schema_check(void)
{
    return utet_tiledb_schema_check(&schema);
}

/* Numbers: version, array type, cell order, tile order, capacity, whether duplicates are allowed, size of the raw tile,
 * minimum and best memory. */
EXPORT(describe_schema) void export_describe_schema(void)
{
    const double all[] = {schema.version,    schema.array_type,       schema.cell_order,
                          schema.tile_order, (double)schema.capacity, schema.allows_dups,
                          tile.size,         (double)tile.need.least, (double)tile.need.best};

    memcpy(module_numbers, all, sizeof all);
}

/* ---- dimensions, attributes, labels, enumerations, ranges ---- */

EXPORT(item_first) int export_item_first(unsigned kind)
{
    return utet_tiledb_first(&schema, kind, &item);
}

EXPORT(item_next) int export_item_next(void)
{
    return utet_tiledb_next(&schema, &item);
}

/* Numbers: size of a value, values in a cell (0: variable), nullable, without a tile extent, index of the dimension. */
EXPORT(describe_item) const char *export_describe_item(void)
{
    const double all[] = {utet_tiledb_type_size(item.datatype),
                          item.cell_val_num == UTET_TILEDB_VAR ? 0 : item.cell_val_num, item.nullable, item.null_extent,
                          item.dimension};

    memcpy(module_numbers, all, sizeof all);
    return utet_tiledb_type_name(item.datatype);
}

/* Chooses the text that `text_next` reads: 0 name, 1 domain, 2 extent, 3 fill, 4 enumeration, 5 minimum, 6 maximum
 * coordinate of a range, 7 file of an enumeration, 8 address of labels. */
EXPORT(text_of) void export_text_of(unsigned field)
{
    const utet_tiledb_text *const all[] = {&item.name,  &item.domain,   &item.extent, &item.fill, &item.enumeration,
                                           &item.least, &item.greatest, &item.path,   &item.uri};

    text = *all[field < sizeof all / sizeof *all ? field : 0];
}

EXPORT(text_next) int export_text_next(void)
{
    return utet_tiledb_read(&tile, &text, module_text, sizeof module_text, &module_got);
}

/* ---- lists of filters ---- */

/* Chooses the list: 0 that of the item, 1 coordinates, 2 offsets, 3 validity of the schema. */
EXPORT(filters_of) void export_filters_of(unsigned list)
{
    const utet_tiledb_filters *const all[] = {&item.filters, &schema.coords, &schema.offsets, &schema.validity};

    filters = *all[list < sizeof all / sizeof *all ? list : 0];
}

EXPORT(filter_next) int export_filter_next(void)
{
    return utet_tiledb_filter_next(&tile, &filters, &filter);
}

/* Numbers: the level of the filter. */
EXPORT(describe_filter) const char *export_describe_filter(void)
{
    module_numbers[0] = filter.level;
    return utet_tiledb_filter_name(filter.type);
}
