/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* utet schema --json: writes the contents of a file of a TileDB array as one object. */
#include "schema.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FILL = 1024, MOST_VALUES = 256 }; /* longer lists are printed only with --all */
enum { MOST_DEFAULT = 1 << 20 };              /* maximum of a fill value that is not in the file, even with --all */

void schema_json_text(FILE *out, const char *text, size_t size)
{
    char *const valid = malloc(3 * size + 1);

    json_text(out, valid, valid != NULL ? json_valid(valid, text, size) : 0);
    free(valid);
}

static void put_bytes_hex(const schema_printer *p, const char *bytes, uint32_t size)
{
    uint32_t i;

    putc('"', p->out);
    for (i = 0; i < size; i++)
        fprintf(p->out, "%02x", (unsigned)(unsigned char)bytes[i]);
    putc('"', p->out);
}

/* Writes a text. If it is not valid UTF-8, its bytes follow as KEY_hex. */
static void put_text(schema_printer *p, const char *key, utet_tiledb_text text)
{
    const uint32_t size = text.size;
    char *all = schema_text(p->f, text);

    fprintf(p->out, "\"%s\":", key);
    if (all == NULL) {
        p->result = TOOL_ERROR;
        return;
    }
    schema_json_text(p->out, all, size);
    if (!is_utf8(all, size)) {
        fprintf(p->out, ",\"%s_hex\":", key);
        put_bytes_hex(p, all, size);
    }
    free(all);
}

static void put_hex(schema_printer *p, utet_tiledb_text text)
{
    const uint32_t size = text.size;
    char *all = schema_text(p->f, text);

    if (all == NULL)
        p->result = TOOL_ERROR;
    put_bytes_hex(p, all, all != NULL ? size : 0);
    free(all);
}

/* Writes a JSON number, or a text for infinities and NaN. */
static void put_value(const schema_printer *p, unsigned datatype, const void *value)
{
    char text[UTET_SHOW_SIZE];

    (void)schema_value(text, datatype, value);
    fprintf(p->out, strchr(text, 'n') != NULL ? "\"%s\"" : "%s", text);
}

/* Writes a value that is stored in the file. */
static void put_value_at(schema_printer *p, unsigned datatype, utet_tiledb_text text)
{
    char *all = schema_text(p->f, text);

    if (all == NULL)
        p->result = TOOL_ERROR;
    else
        put_value(p, datatype, all);
    free(all);
}

static void put_float(const schema_printer *p, uint32_t dtype, const uint64_t *bits)
{
    uint8_t bytes[8];
    char text[UTET_SHOW_SIZE];
    unsigned i;

    for (i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(*bits >> (8 * i));
    (void)utet_show_text(dtype, bytes, text, sizeof text, NULL);
    fprintf(p->out, strchr(text, 'n') != NULL ? "\"%s\"" : "%s", text);
}

static void put_filter(const schema_printer *p, const utet_tiledb_filter *filter)
{
    const uint64_t quality = filter->quality;

    fprintf(p->out, "{\"type\":\"%s\"", utet_tiledb_filter_name(filter->type));
    switch (filter->type) {
    case UTET_TILEDB_GZIP:
    case UTET_TILEDB_ZSTD:
    case UTET_TILEDB_LZ4:
    case UTET_TILEDB_RLE:
    case UTET_TILEDB_BZIP2:
    case UTET_TILEDB_DICTIONARY: fprintf(p->out, ",\"level\":%" PRId32, filter->level); break;
    case UTET_TILEDB_DOUBLE_DELTA:
    case UTET_TILEDB_DELTA:
        fprintf(p->out, ",\"level\":%" PRId32 ",\"reinterpret\":\"%s\"", filter->level,
                utet_tiledb_type_name(filter->reinterpret));
        break;
    case UTET_TILEDB_BIT_WIDTH_REDUCTION:
    case UTET_TILEDB_POSITIVE_DELTA: fprintf(p->out, ",\"max_window\":%" PRIu32, filter->window); break;
    case UTET_TILEDB_SCALE_FLOAT:
        fprintf(p->out, ",\"factor\":");
        put_float(p, UTET_F64, &filter->factor);
        fprintf(p->out, ",\"offset\":");
        put_float(p, UTET_F64, &filter->offset);
        fprintf(p->out, ",\"bytewidth\":%" PRIu32, filter->byte_width);
        break;
    case UTET_TILEDB_WEBP:
        fprintf(p->out, ",\"quality\":");
        put_float(p, UTET_F32, &quality);
        fprintf(p->out, ",\"format\":%u,\"lossless\":%u,\"extents\":[%u,%u]", filter->format, filter->lossless,
                filter->extent[0], filter->extent[1]);
        break;
    default: break;
    }
    putc('}', p->out);
}

static void put_filters(schema_printer *p, const char *key, utet_tiledb_filters filters)
{
    utet_tiledb_filter filter;
    const char *comma = "";

    fprintf(p->out, ",\"%s\":{\"max_chunk_size\":%" PRIu32 ",\"filters\":[", key, filters.max_chunk_size);
    while (schema_works(p, utet_tiledb_filter_next(&p->f->tile, &filters, &filter))) {
        fprintf(p->out, "%s", comma);
        put_filter(p, &filter);
        comma = ",";
    }
    fprintf(p->out, "]}");
}

static void put_cells(const schema_printer *p, uint32_t cell_val_num)
{
    if (cell_val_num == UTET_TILEDB_VAR)
        fprintf(p->out, "\"var\"");
    else
        fprintf(p->out, "%" PRIu32, cell_val_num);
}

static void put_type(const schema_printer *p, const utet_tiledb_item *item)
{
    fprintf(p->out, ",\"type\":\"%s\",\"cell_val_num\":", utet_tiledb_type_name(item->datatype));
    put_cells(p, item->cell_val_num);
}

static void put_dimension(schema_printer *p, const utet_tiledb_item *item)
{
    utet_tiledb_text greatest = item->domain;

    putc('{', p->out);
    put_text(p, "name", item->name);
    put_type(p, item);
    if (item->domain.size == 0) {
        fprintf(p->out, ",\"domain\":null,\"domain_hex\":null");
    } else {
        greatest.offset += item->domain.size / 2;
        greatest.size -= item->domain.size / 2;
        fprintf(p->out, ",\"domain\":[");
        put_value_at(p, item->datatype, item->domain);
        putc(',', p->out);
        put_value_at(p, item->datatype, greatest);
        fprintf(p->out, "],\"domain_hex\":");
        put_hex(p, item->domain);
    }
    fprintf(p->out, ",\"tile_extent\":");
    if (item->null_extent)
        fprintf(p->out, "null");
    else
        put_value_at(p, item->datatype, item->extent);
    put_filters(p, "filters", item->filters.count != 0 ? item->filters : p->f->schema.coords);
    put_filters(p, "filters_stored", item->filters);
    putc('}', p->out);
}

/* Writes the default fill value of versions that do not store it, repeated for each value of the cell. */
static void put_default(const schema_printer *p, const utet_tiledb_item *item, int all)
{
    const uint32_t times = item->cell_val_num == UTET_TILEDB_VAR ? 1 : item->cell_val_num;
    uint8_t value[8];
    const unsigned size = utet_tiledb_default(item->datatype, value);
    uint32_t i;
    unsigned k;

    if ((uint64_t)times * size > (all ? MOST_DEFAULT : MOST_FILL)) {
        fprintf(p->out, ",\"fill_size\":%" PRIu64, (uint64_t)times * size);
        return;
    }
    fprintf(p->out, ",\"fill_hex\":\"");
    for (i = 0; i < times; i++)
        for (k = 0; k < size; k++)
            fprintf(p->out, "%02x", (unsigned)value[k]);
    putc('"', p->out);
}

static void put_attribute(schema_printer *p, const utet_tiledb_item *item, int all)
{
    putc('{', p->out);
    put_text(p, "name", item->name);
    put_type(p, item);
    fprintf(p->out, ",\"nullable\":%s", item->nullable ? "true" : "false");
    if (item->nullable)
        fprintf(p->out, ",\"fill_validity\":%u", item->fill_validity);
    if (item->fill.size == 0) {
        put_default(p, item, all);
    } else if (item->fill.size <= MOST_FILL || all) {
        fprintf(p->out, ",\"fill_hex\":");
        put_hex(p, item->fill);
    } else {
        fprintf(p->out, ",\"fill_size\":%" PRIu32, item->fill.size);
    }
    put_filters(p, "filters", item->filters);
    if (item->enumeration.size == 0) {
        fprintf(p->out, ",\"enumeration\":null");
    } else {
        putc(',', p->out);
        put_text(p, "enumeration", item->enumeration);
    }
    fprintf(p->out, ",\"fill_validity_stored\":%u", item->fill_validity);
    if (p->f->schema.version >= 17)
        fprintf(p->out, ",\"order_stored\":%u", item->order);
    putc('}', p->out);
}

static void put_label(schema_printer *p, const utet_tiledb_item *item)
{
    fprintf(p->out, "{\"dimension_index\":%" PRIu32 ",", item->dimension);
    put_text(p, "name", item->name);
    putc(',', p->out);
    put_text(p, "attribute", item->attribute);
    fprintf(p->out, ",\"order\":\"%s\"", item->order == 1 ? "increasing" : "decreasing");
    put_type(p, item);
    putc(',', p->out);
    put_text(p, "uri_stored", item->uri);
    fprintf(p->out, ",\"relative_uri\":%u,\"is_external\":%u}", item->relative, item->external);
}

static void put_range(schema_printer *p, const utet_tiledb_item *item)
{
    if (item->datatype == UTET_TILEDB_STRING_ASCII) {
        fprintf(p->out, "{\"min_hex\":");
        put_hex(p, item->least);
        fprintf(p->out, ",\"max_hex\":");
        put_hex(p, item->greatest);
    } else {
        fprintf(p->out, "{\"min\":");
        put_value_at(p, item->datatype, item->least);
        fprintf(p->out, ",\"max\":");
        put_value_at(p, item->datatype, item->greatest);
    }
    putc('}', p->out);
}

static void put_path(schema_printer *p, const utet_tiledb_item *item)
{
    char *name = schema_text(p->f, item->path);

    if (name == NULL)
        p->result = TOOL_ERROR;
    else
        schema_json_text(p->out, name, item->path.size);
    free(name);
}

static void put_item(schema_printer *p, const utet_tiledb_item *item, int all)
{
    switch (item->kind) {
    case UTET_TILEDB_DIMENSION: put_dimension(p, item); break;
    case UTET_TILEDB_ATTRIBUTE: put_attribute(p, item, all); break;
    case UTET_TILEDB_LABEL: put_label(p, item); break;
    case UTET_TILEDB_RANGE: put_range(p, item); break;
    default: put_path(p, item); break;
    }
}

static void put_items(schema_printer *p, unsigned kind, int all)
{
    utet_tiledb_item item;
    utet_status status;

    for (status = utet_tiledb_first(&p->f->schema, kind, &item); schema_works(p, status);
         status = utet_tiledb_next(&p->f->schema, &item)) {
        if (item.number != 0)
            putc(',', p->out);
        if (kind == UTET_TILEDB_ENUMERATION) {
            char *name = schema_text(p->f, item.name);

            if (name != NULL)
                schema_json_text(p->out, name, item.name.size);
            else
                p->result = TOOL_ERROR;
            free(name);
            putc(':', p->out);
        }
        put_item(p, &item, all);
    }
}

static void put_schema(schema_printer *p, int all)
{
    const utet_tiledb_schema *schema = &p->f->schema;

    fprintf(p->out, ",\"schema\":{\"version\":%" PRIu32 ",\"array_type\":\"%s\",\"allows_duplicates\":%s",
            schema->version, schema->array_type ? "sparse" : "dense", schema->allows_dups ? "true" : "false");
    fprintf(p->out, ",\"tile_order\":\"%s\",\"cell_order\":\"%s\",\"capacity\":%" PRIu64,
            schema_order(schema->tile_order), schema_order(schema->cell_order), schema->capacity);
    put_filters(p, "coords_filters", schema->coords);
    put_filters(p, "offsets_filters", schema->offsets);
    put_filters(p, "validity_filters", schema->validity);
    fprintf(p->out, ",\"dimensions\":[");
    put_items(p, UTET_TILEDB_DIMENSION, all);
    fprintf(p->out, "],\"attributes\":[");
    put_items(p, UTET_TILEDB_ATTRIBUTE, all);
    fprintf(p->out, "],\"labels\":[");
    put_items(p, UTET_TILEDB_LABEL, all);
    fprintf(p->out, "],\"current_domain\":");
    if (schema->current_domain == UTET_TILEDB_DOMAIN_NONE) {
        fprintf(p->out, "null");
    } else {
        fprintf(p->out, "{\"type\":\"NDRECTANGLE\",\"ranges\":[");
        put_items(p, UTET_TILEDB_RANGE, all);
        fprintf(p->out, "]}");
    }
    fprintf(p->out, "},\"enumeration_map\":{");
    put_items(p, UTET_TILEDB_ENUMERATION, all);
    putc('}', p->out);
}

static void put_value_hex(schema_printer *p, const char *key, uint32_t index)
{
    utet_tiledb_text value;

    if (key != NULL)
        fprintf(p->out, ",\"%s\":", key);
    if (schema_works(p, utet_tiledb_value(&p->f->enumeration, index, &value)))
        put_hex(p, value);
}

static void put_enumeration(schema_printer *p, int all)
{
    const utet_tiledb_enumeration *enumeration = &p->f->enumeration;
    uint32_t i;

    fprintf(p->out, ",\"enumeration\":{\"version\":%" PRIu32 ",", enumeration->version);
    put_text(p, "name", enumeration->name);
    putc(',', p->out);
    put_text(p, "stored_file", enumeration->path);
    fprintf(p->out, ",\"type\":\"%s\",\"cell_val_num\":", utet_tiledb_type_name(enumeration->datatype));
    put_cells(p, enumeration->cell_val_num);
    fprintf(p->out, ",\"ordered\":%s,\"data_size\":%" PRIu32 ",\"count\":%" PRIu32,
            enumeration->ordered ? "true" : "false", enumeration->data.size, enumeration->count);
    if (enumeration->cell_val_num != UTET_TILEDB_VAR) {
        fprintf(p->out, ",\"data_hex\":");
        put_hex(p, enumeration->data);
    } else if (enumeration->count <= MOST_VALUES || all) {
        fprintf(p->out, ",\"values_hex\":[");
        for (i = 0; i < enumeration->count && p->result == TOOL_OK; i++) {
            if (i != 0)
                putc(',', p->out);
            put_value_hex(p, NULL, i);
        }
        putc(']', p->out);
    } else {
        put_value_hex(p, "first_hex", 0);
        put_value_hex(p, "last_hex", enumeration->count - 1);
    }
    putc('}', p->out);
}

static void put_entry(schema_printer *p, const utet_tiledb_entry *entry)
{
    put_text(p, "key", entry->key);
    fprintf(p->out, ",\"deleted\":%s", entry->deleted ? "true" : "false");
    if (!entry->deleted) {
        fprintf(p->out, ",\"type\":\"%s\",\"count\":%" PRIu32 ",\"value_hex\":", utet_tiledb_type_name(entry->datatype),
                entry->count);
        put_hex(p, entry->value);
    }
}

int schema_json_entry(schema_file *f, FILE *out, const utet_tiledb_entry *entry)
{
    schema_printer p = {f, out, TOOL_OK};

    put_entry(&p, entry);
    return p.result;
}

static void put_member(schema_printer *p, const utet_tiledb_member *member)
{
    if (member->named)
        put_text(p, "name", member->name);
    else
        fprintf(p->out, "\"name\":null");
    fprintf(p->out, ",\"type\":\"%s\",", member->type == UTET_TILEDB_IS_GROUP ? "group" : "array");
    put_text(p, "uri", member->uri);
    fprintf(p->out, ",\"relative\":%s", member->relative ? "true" : "false");
}

int schema_json_member(schema_file *f, FILE *out, const utet_tiledb_member *member)
{
    schema_printer p = {f, out, TOOL_OK};

    put_member(&p, member);
    return p.result;
}

int schema_json_item(schema_file *f, FILE *out, const utet_tiledb_item *item)
{
    schema_printer p = {f, out, TOOL_OK};

    put_item(&p, item, 1);
    return p.result;
}

int schema_json_filters(schema_file *f, FILE *out)
{
    schema_printer p = {f, out, TOOL_OK};

    put_filters(&p, "coords_filters", f->schema.coords);
    put_filters(&p, "offsets_filters", f->schema.offsets);
    put_filters(&p, "validity_filters", f->schema.validity);
    return p.result;
}

static void put_entries(schema_printer *p)
{
    utet_tiledb_entry entry;
    const char *comma = "";
    utet_status status;

    fprintf(p->out, ",\"entries\":[");
    for (status = utet_tiledb_entry_first(&p->f->tile, &entry); schema_works(p, status);
         status = utet_tiledb_entry_next(&p->f->tile, &entry)) {
        fprintf(p->out, "%s{", comma);
        put_entry(p, &entry);
        putc('}', p->out);
        comma = ",";
    }
    fprintf(p->out, "],\"raw_size\":%" PRIu32, p->f->tile.size);
}

static void put_members(schema_printer *p)
{
    utet_tiledb_member member;
    const char *comma = "";
    utet_status status;

    fprintf(p->out, ",\"group\":{\"version\":%" PRIu32 ",\"members\":[", p->f->group.version);
    for (status = utet_tiledb_member_first(&p->f->group, &member); schema_works(p, status);
         status = utet_tiledb_member_next(&p->f->group, &member)) {
        fprintf(p->out, "%s{", comma);
        put_member(p, &member);
        fprintf(p->out, ",\"deleted\":%s}", member.deleted ? "true" : "false");
        comma = ",";
    }
    fprintf(p->out, "]}");
}

int schema_json(schema_file *f, FILE *out, int all)
{
    schema_printer the_printer = {f, out, TOOL_OK};
    schema_printer *p = &the_printer;
    const utet_tiledb *tile = &f->tile;

    fprintf(out,
            "\"tile\":{\"version\":%" PRIu32 ",\"persisted_size\":%" PRIu32 ",\"tile_size\":%" PRIu32
            ",\"pipeline_size\":%" PRIu32 ",\"chunks\":%" PRIu32 "}",
            tile->version, tile->persisted_size, tile->size, tile->pipeline_size, tile->chunks);
    if (f->kind == SCHEMA_KIND_SCHEMA)
        put_schema(p, all);
    else if (f->kind == SCHEMA_KIND_ENUMERATION)
        put_enumeration(p, all);
    else if (f->kind == SCHEMA_KIND_GROUP)
        put_members(p);
    else
        put_entries(p);
    return p->result;
}
