/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * An array schema (§4): its head, and the lists after it, which are read item by item. The beginning of a list is
 * known only after all earlier lists have been read.
 */
#include <stdint.h>

#if SIZE_MAX >= 0xFFFFFFFF /* else nothing is left of this file: utet_tiledb.h says so */

#include "tiledb.h"

#include <string.h>

#define IN_SCHEMA(name) offsetof(utet_tiledb_schema, name)
#define IN_ITEM(name) offsetof(utet_tiledb_item, name)

/* tile->priv.walk: to a list */
enum {
    WALK_BEGIN,
    WALK_ITEMS, /* the items of a list */
    WALK_COUNT  /* how many there are in the next one */
};

enum { SINCE_TYPES = 5, SINCE_FILL = 6, SINCE_VALIDITY = 7 }; /* of dimensions; of attributes */
enum { SINCE_ORDER = 17, SINCE_LABELS = 18, SINCE_ENUMERATIONS = 20, SINCE_CURRENT_DOMAIN = 22 };
enum { CHUNK = 65536 }; /* the largest of lists that are not stored */
enum { CELL_ORDER_UNUSED = 3, CELL_ORDER_HILBERT = 4 };
enum { NO_BATCH = 0xFF }; /* schema->priv.batch: no datatypes are held */

/* The lists of rules, one after another: a list is named by its index, in a byte. */
typedef struct schema_rules {
    utet_tiledb_rule head[18];
    utet_tiledb_rule dimension[13];
    utet_tiledb_rule attribute[17];
    utet_tiledb_rule label[11];
    utet_tiledb_rule enumeration[4];
    utet_tiledb_rule range[2];
    utet_tiledb_rule attributes[2]; /* how many there are */
    utet_tiledb_rule labels[3];
    utet_tiledb_rule enumerations[3];
    utet_tiledb_rule current_domain[6];
    utet_tiledb_rule nothing[1]; /* after the current domain */
} schema_rules;

static const schema_rules schema_rule_list = {
    {{UTET_OP_U32, UTET_ANY, IN_SCHEMA(version)},
     {UTET_OP_SINCE, SINCE_TYPES, 1},
     {UTET_OP_U8, UTET_FROM_TO(0, 1), IN_SCHEMA(allows_dups)},
     {UTET_OP_U8, UTET_FROM_TO(0, 1), IN_SCHEMA(array_type)},
     {UTET_OP_U8, UTET_FROM_TO(0, 1), IN_SCHEMA(tile_order)},
     {UTET_OP_U8, UTET_FROM_TO(0, CELL_ORDER_HILBERT), IN_SCHEMA(cell_order)},
     {UTET_OP_U64, UTET_ANY, IN_SCHEMA(capacity)},
     {UTET_OP_FILTERS, UTET_ANY, IN_SCHEMA(coords)},
     {UTET_OP_EACH, UTET_ANY, IN_SCHEMA(coords)},
     {UTET_OP_FILTERS, UTET_ANY, IN_SCHEMA(offsets)},
     {UTET_OP_EACH, UTET_ANY, IN_SCHEMA(offsets)},
     {UTET_OP_SINCE, SINCE_VALIDITY, 2},
     {UTET_OP_FILTERS, UTET_ANY, IN_SCHEMA(validity)},
     {UTET_OP_EACH, UTET_ANY, IN_SCHEMA(validity)},
     {UTET_OP_BEFORE, SINCE_TYPES, 1},
     {UTET_OP_TYPE, UTET_ANY, IN_SCHEMA(priv.type)},
     {UTET_OP_U32, UTET_FROM_TO(1, 15), IN_SCHEMA(count[UTET_TILEDB_DIMENSION])},
     UTET_RULES_END},
    /* dimension */
    {{UTET_OP_TEXT, UTET_ANY, IN_ITEM(name)},
     {UTET_OP_NAME, UTET_ANY, IN_ITEM(name)},
     {UTET_OP_SINCE, SINCE_TYPES, 5},
     {UTET_OP_TYPE, UTET_ANY, IN_ITEM(datatype)},
     {UTET_OP_U32, UTET_FROM_TO(1, 15), IN_ITEM(cell_val_num)},
     {UTET_OP_FILTERS, UTET_ANY, IN_ITEM(filters)},
     {UTET_OP_EACH, UTET_ANY, IN_ITEM(filters)},
     {UTET_OP_LONG_TEXT, UTET_ANY, IN_ITEM(domain)},
     {UTET_OP_BEFORE, SINCE_TYPES, 1},
     {UTET_OP_VALUE, 1, IN_ITEM(domain)},
     {UTET_OP_U8, UTET_FROM_TO(0, 1), IN_ITEM(null_extent)},
     {UTET_OP_VALUE, 0, IN_ITEM(extent)},
     UTET_RULES_END},
    /* attribute */
    {{UTET_OP_TEXT, UTET_ANY, IN_ITEM(name)},
     {UTET_OP_NAME, UTET_ANY, IN_ITEM(name)},
     {UTET_OP_TYPE, UTET_ANY, IN_ITEM(datatype)},
     {UTET_OP_U32, UTET_FROM_TO(1, 15), IN_ITEM(cell_val_num)},
     {UTET_OP_FILTERS, UTET_ANY, IN_ITEM(filters)},
     {UTET_OP_EACH, UTET_ANY, IN_ITEM(filters)},
     {UTET_OP_SINCE, SINCE_FILL, 1},
     {UTET_OP_LONG_TEXT, UTET_FROM_TO(1, 15), IN_ITEM(fill)},
     {UTET_OP_SINCE, SINCE_VALIDITY, 2},
     {UTET_OP_U8, UTET_FROM_TO(0, 1), IN_ITEM(nullable)},
     {UTET_OP_U8, UTET_ANY, IN_ITEM(fill_validity)},
     {UTET_OP_SINCE, SINCE_ORDER, 1},
     {UTET_OP_U8, UTET_FROM_TO(0, 2), IN_ITEM(order)},
     {UTET_OP_SINCE, SINCE_ENUMERATIONS, 2},
     {UTET_OP_TEXT, UTET_ANY, IN_ITEM(enumeration)},
     {UTET_OP_HASH, UTET_ANY, IN_ITEM(enumeration)},
     UTET_RULES_END},
    /* label */
    {{UTET_OP_BELOW, UTET_ANY, IN_ITEM(dimension)},
     {UTET_OP_TEXT, UTET_ANY, IN_ITEM(name)},
     {UTET_OP_NAME, UTET_ANY, IN_ITEM(name)},
     {UTET_OP_U8, UTET_FROM_TO(0, 1), IN_ITEM(relative)},
     {UTET_OP_LONG_TEXT, UTET_ANY, IN_ITEM(uri)},
     {UTET_OP_TEXT, UTET_ANY, IN_ITEM(attribute)},
     {UTET_OP_U8, UTET_FROM_TO(1, 2), IN_ITEM(order)},
     {UTET_OP_TYPE, UTET_ANY, IN_ITEM(datatype)},
     {UTET_OP_U32, UTET_FROM_TO(1, 15), IN_ITEM(cell_val_num)},
     {UTET_OP_U8, UTET_FROM_TO(0, 1), IN_ITEM(external)},
     UTET_RULES_END},
    /* enumeration */
    {{UTET_OP_TEXT, UTET_ANY, IN_ITEM(name)},
     {UTET_OP_NAME, UTET_ANY, IN_ITEM(name)},
     {UTET_OP_TEXT, UTET_ANY, IN_ITEM(path)},
     UTET_RULES_END},
    {{UTET_OP_RANGE, UTET_ANY, IN_ITEM(least)}, UTET_RULES_END},
    {{UTET_OP_U32, UTET_ANY, IN_SCHEMA(count[UTET_TILEDB_ATTRIBUTE])}, UTET_RULES_END},
    {{UTET_OP_SINCE, SINCE_LABELS, 1}, {UTET_OP_U32, UTET_ANY, IN_SCHEMA(count[UTET_TILEDB_LABEL])}, UTET_RULES_END},
    {{UTET_OP_SINCE, SINCE_ENUMERATIONS, 1},
     {UTET_OP_U32, UTET_ANY, IN_SCHEMA(count[UTET_TILEDB_ENUMERATION])},
     UTET_RULES_END},
    /* current domain: a version, which is 0, whether it is empty, and its shape; one kind exists */
    {{UTET_OP_SINCE, SINCE_CURRENT_DOMAIN, 4},
     {UTET_OP_BELOW, UTET_ANY, IN_SCHEMA(priv.form)},
     {UTET_OP_U8, UTET_FROM_TO(0, 1), IN_SCHEMA(priv.empty)},
     {UTET_OP_UNLESS, UTET_ANY, IN_SCHEMA(priv.empty)},
     {UTET_OP_U8, UTET_FROM_TO(0, 0), IN_SCHEMA(priv.shape)},
     UTET_RULES_END},
    {UTET_RULES_END}};

#define RULES(name) offsetof(schema_rules, name)

/* The fields of an item, by kind; then the fields before each list except the first one, and after the last one. */
static const uint8_t schema_lists[2 * UTET_TILEDB_KINDS] = {
    RULES(dimension),  RULES(attribute), RULES(label),        RULES(enumeration),    RULES(range),
    RULES(attributes), RULES(labels),    RULES(enumerations), RULES(current_domain), RULES(nothing)};

static utet_status walk_list(utet_tiledb *tile, unsigned list, void *object)
{
    return utet_tiledb_walk(
        tile, (const utet_tiledb_rule *)(const void *)((const uint8_t *)&schema_rule_list + schema_lists[list]),
        object);
}

/* ---- items ---- */

/* Whole numbers, date-times and times; floats and strings in sparse arrays only (§4.1). */
static int is_dimension_type(const utet_tiledb_schema *schema, unsigned type)
{
    enum { DENSE = 0x7E3, SPARSE = 0xFEF, TYPES = 12 }; /* one bit per type; date-times and times follow ANY */

    if (type < TYPES)
        return (DENSE + schema->array_type * (SPARSE - DENSE)) >> type & 1;
    return type > UTET_TILEDB_ANY && type < 40;
}

/* What fields of an item have to be together. */
static utet_status schema_together(utet_tiledb_schema *schema, const utet_tiledb_item *item)
{
    utet_tiledb *tile = schema->priv.tile;
    const uint32_t size = utet_tiledb_type_size(item->datatype);

    if (item->kind == UTET_TILEDB_DIMENSION) {
        const int string = item->datatype == UTET_TILEDB_STRING_ASCII;

        tile->error_at = item->domain.offset;
        if (!is_dimension_type(schema, item->datatype))
            return UTET_E_DTYPE;
        if (item->cell_val_num != (string ? UTET_TILEDB_VAR : 1) || item->domain.size != (string ? 0 : 2 * size) ||
            (string && !item->null_extent))
            return UTET_E_METADATA;
        if (item->number / UTET_TILEDB_DIMENSIONS ==
            (tile->priv.batch != 0 ? tile->priv.batch - 1u : schema->priv.batch))
            schema->priv.types[item->number % UTET_TILEDB_DIMENSIONS] = item->datatype;
    }
    if (item->kind == UTET_TILEDB_ATTRIBUTE && item->cell_val_num != UTET_TILEDB_VAR) {
        tile->error_at = item->fill.offset;
        if ((tile->version >= SINCE_FILL && (uint64_t)item->cell_val_num * size != item->fill.size) ||
            item->datatype == UTET_TILEDB_ANY)
            return UTET_E_METADATA;
    }
    return UTET_OK;
}

/* Before the first or a later item of a list. */
void utet_tiledb_item_begin(utet_tiledb_schema *schema, uint32_t place, uint32_t number)
{
    utet_tiledb_begin(schema->priv.tile, place);
    schema->priv.number = number;
}

static utet_status take_item(utet_tiledb_schema *schema, unsigned kind)
{
    utet_tiledb *tile = schema->priv.tile;
    utet_tiledb_item *item = &schema->priv.item;
    utet_status status;

    if (tile->priv.rule == 0) {
        memset(item, 0, sizeof *item);
        item->kind = (uint8_t)kind;
        item->number = schema->priv.number;
        if (kind == UTET_TILEDB_DIMENSION) { /* of versions where that is not the dimension's own */
            item->datatype = schema->priv.type;
            item->cell_val_num = 1;
            item->filters.max_chunk_size = CHUNK;
        }
        if (kind == UTET_TILEDB_RANGE) {
            item->dimension = item->number;
            item->datatype = schema->priv.types[item->number % UTET_TILEDB_DIMENSIONS];
        }
    }
    tile->priv.below = schema->count[UTET_TILEDB_DIMENSION];
    status = walk_list(tile, kind, item);
    if (status == UTET_OK)
        status = schema_together(schema, item);
    if (status != UTET_OK)
        return status;
    item->priv.next = tile->priv.place;
    utet_tiledb_item_begin(schema, tile->priv.place, item->number + 1);
    return UTET_OK;
}

/* The datatypes of the dimensions that the next range is one of, when those of others are held: goes through the
 * dimensions once more, and comes back to the range. */
static utet_status load_types(utet_tiledb_schema *schema)
{
    utet_tiledb *tile = schema->priv.tile;

    if (tile->priv.batch == 0) {
        if (schema->priv.number / UTET_TILEDB_DIMENSIONS == schema->priv.batch)
            return UTET_OK;
        tile->priv.batch = (uint8_t)(schema->priv.number / UTET_TILEDB_DIMENSIONS + 1);
        schema->priv.batch = NO_BATCH;
        schema->priv.range = schema->priv.number;
        schema->priv.range_place = tile->priv.place;
        utet_tiledb_item_begin(schema, schema->priv.begin[UTET_TILEDB_DIMENSION], 0);
    }
    while (schema->priv.number != schema->count[UTET_TILEDB_DIMENSION] &&
           schema->priv.number / UTET_TILEDB_DIMENSIONS < tile->priv.batch) {
        utet_status status = take_item(schema, UTET_TILEDB_DIMENSION);

        if (status != UTET_OK)
            return status;
    }
    schema->priv.batch = (uint8_t)(tile->priv.batch - 1);
    tile->priv.batch = 0;
    utet_tiledb_item_begin(schema, schema->priv.range_place, schema->priv.range);
    return UTET_OK;
}

utet_status utet_tiledb_item_take(utet_tiledb_schema *schema, unsigned kind)
{
    const utet_status status = kind == UTET_TILEDB_RANGE ? load_types(schema) : UTET_OK;

    return status == UTET_OK ? take_item(schema, kind) : status;
}

/* ---- lists ---- */

/* The number of items in the next list, which `known` counts from then on. */
static utet_status read_section(utet_tiledb_schema *schema)
{
    utet_tiledb *tile = schema->priv.tile;
    const unsigned section = schema->priv.known;
    utet_status status;

    tile->priv.below = 1;
    status = walk_list(tile, UTET_TILEDB_KINDS + section - 1u, schema);
    if (status != UTET_OK)
        return status;
    if (section == UTET_TILEDB_RANGE && !schema->priv.empty) {
        if (schema->count[UTET_TILEDB_DIMENSION] > UTET_TILEDB_DIMENSIONS_MAX)
            return UTET_E_RANGE;
        schema->current_domain = UTET_TILEDB_DOMAIN_RANGES;
        schema->count[UTET_TILEDB_RANGE] = schema->count[UTET_TILEDB_DIMENSION];
    }
    schema->priv.begin[section] = tile->priv.place;
    schema->priv.known++;
    return UTET_OK;
}

utet_status utet_tiledb_onward(utet_tiledb_schema *schema)
{
    utet_tiledb *tile = schema->priv.tile;
    const unsigned last = schema->priv.known - 1u;
    utet_status status;

    if (tile->priv.walk == WALK_BEGIN) {
        utet_tiledb_item_begin(schema, schema->priv.begin[last], 0);
        tile->priv.walk = WALK_ITEMS;
    }
    if (tile->priv.walk == WALK_ITEMS) {
        if (schema->priv.number != schema->count[last])
            return utet_tiledb_item_take(schema, last);
        tile->priv.walk = WALK_COUNT;
    }
    status = read_section(schema);
    if (status != UTET_OK)
        return status;
    tile->priv.walk = WALK_BEGIN;
    return UTET_END;
}

utet_status utet_tiledb_list(utet_tiledb_schema *schema, unsigned kind)
{
    if (schema->priv.tile->priv.step != 0)
        return UTET_OK;
    while (schema->priv.known <= kind) {
        utet_status status = utet_tiledb_onward(schema);

        if (status != UTET_OK && status != UTET_END)
            return status;
    }
    utet_tiledb_item_begin(schema, schema->priv.begin[kind], 0);
    schema->priv.tile->priv.step = 1;
    return UTET_OK;
}

/* ---- calls ---- */

utet_status utet_tiledb_schema_enter(utet_tiledb_schema *schema, uint8_t call)
{
    return schema->priv.tile == NULL ? UTET_E_STATE : utet_tiledb_enter(schema->priv.tile, call);
}

utet_status utet_tiledb_schema_open(utet_tiledb_schema *schema, utet_tiledb *tile)
{
    utet_status status = utet_tiledb_enter(tile, UTET_CALL_TILEDB_SCHEMA);

    if (status != UTET_OK)
        return status;
    if (tile->priv.step == 0) {
        memset(schema, 0, sizeof *schema);
        schema->priv.empty = 1; /* as long as nothing else is read */
        schema->validity.max_chunk_size = CHUNK;
        utet_tiledb_begin(tile, 0);
        tile->priv.step = 1;
    }
    status = utet_tiledb_walk(tile, schema_rule_list.head, schema);
    if (status != UTET_WOULD_BLOCK && tile->priv.rule != 0 && schema->version != tile->version)
        status = UTET_E_VERSION;
    if (status == UTET_OK) {
        schema->priv.begin[UTET_TILEDB_DIMENSION] = tile->priv.place;
        schema->priv.known = UTET_TILEDB_DIMENSION + 1;
        if (schema->cell_order == CELL_ORDER_UNUSED ||
            (schema->cell_order == CELL_ORDER_HILBERT && schema->array_type == 0))
            status = UTET_E_METADATA;
        else
            schema->priv.tile = tile;
    }
    return utet_tiledb_leave(tile, status);
}

#endif
