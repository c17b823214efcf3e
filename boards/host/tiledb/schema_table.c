/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* utet schema without --json: prints text with the names that TileDB's own dump of a schema uses. */
#include "schema.h"

#include <inttypes.h>
#include <stdlib.h>

static void line_text(schema_printer *p, const char *title, utet_tiledb_text text)
{
    const uint32_t size = text.size;
    char *all = schema_text(p->f, text);

    if (all == NULL) {
        p->result = TOOL_ERROR;
        return;
    }
    fprintf(p->out, "- %s: ", title);
    put_safely(p->out, all, size);
    putc('\n', p->out);
    free(all);
}

/* Prints text unchanged, numbers as numbers, and anything else in hexadecimal digits; only a few of many values. */
static void put_bytes(const schema_printer *p, unsigned datatype, const char *bytes, uint32_t length, int all)
{
    enum { MOST = 8 };
    const unsigned size = utet_tiledb_type_size(datatype);
    const int is_text = datatype == UTET_TILEDB_CHAR || datatype == 11 || datatype == 12;
    const int is_opaque = datatype >= 13 && datatype <= UTET_TILEDB_ANY;
    uint32_t i;

    if (is_text) {
        put_safely(p->out, bytes, length);
        return;
    }
    if (is_opaque || datatype == 40 || datatype > 41 || size == 0 || length % size != 0) {
        for (i = 0; i < length && (all || i < 4 * MOST); i++)
            fprintf(p->out, "%02x", (unsigned)(unsigned char)bytes[i]);
    } else {
        for (i = 0; i < length / size && (all || i < MOST); i++) {
            char number[UTET_SHOW_SIZE];

            fprintf(p->out, "%s%s", i > 0 ? ", " : "",
                    schema_value(number, datatype == 41 ? 6 : datatype, bytes + i * size));
        }
        i *= size;
    }
    if (i < length)
        fprintf(p->out, " … (%" PRIu32 " bytes)", length);
}

static void put_values(schema_printer *p, unsigned datatype, utet_tiledb_text text, int all)
{
    const uint32_t length = text.size;
    char *bytes = schema_text(p->f, text);

    if (bytes == NULL)
        p->result = TOOL_ERROR;
    else
        put_bytes(p, datatype, bytes, length, all);
    free(bytes);
}

static void put_bits(const schema_printer *p, uint32_t dtype, uint64_t bits)
{
    uint8_t bytes[8];
    char text[UTET_SHOW_SIZE];
    unsigned i;

    for (i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(bits >> (8 * i));
    (void)utet_show_text(dtype, bytes, text, sizeof text, NULL);
    fputs(text, p->out);
}

static void put_filter(const schema_printer *p, const utet_tiledb_filter *filter)
{
    static const char *const formats[] = {"none", "RGB", "BGR", "RGBA", "BGRA"};

    fprintf(p->out, "  > %s", utet_tiledb_filter_name(filter->type));
    switch (filter->type) {
    case UTET_TILEDB_GZIP:
    case UTET_TILEDB_ZSTD:
    case UTET_TILEDB_LZ4:
    case UTET_TILEDB_RLE:
    case UTET_TILEDB_BZIP2:
    case UTET_TILEDB_DICTIONARY: fprintf(p->out, ": level %" PRId32, filter->level); break;
    case UTET_TILEDB_DOUBLE_DELTA:
    case UTET_TILEDB_DELTA:
        fprintf(p->out, ": level %" PRId32, filter->level);
        if (filter->reinterpret != UTET_TILEDB_ANY)
            fprintf(p->out, ", as %s", utet_tiledb_type_name(filter->reinterpret));
        break;
    case UTET_TILEDB_BIT_WIDTH_REDUCTION:
    case UTET_TILEDB_POSITIVE_DELTA: fprintf(p->out, ": window %" PRIu32, filter->window); break;
    case UTET_TILEDB_SCALE_FLOAT:
        fprintf(p->out, ": factor ");
        put_bits(p, UTET_F64, filter->factor);
        fprintf(p->out, ", offset ");
        put_bits(p, UTET_F64, filter->offset);
        fprintf(p->out, ", %" PRIu32 " bytes", filter->byte_width);
        break;
    case UTET_TILEDB_WEBP:
        fprintf(p->out, ": quality ");
        put_bits(p, UTET_F32, filter->quality);
        fprintf(p->out, ", %s%s, tiles of %u x %u", formats[filter->format], filter->lossless ? ", lossless" : "",
                filter->extent[0], filter->extent[1]);
        break;
    default: break;
    }
    putc('\n', p->out);
}

static void line_filters(schema_printer *p, const char *title, utet_tiledb_filters filters)
{
    utet_tiledb_filter filter;

    fprintf(p->out, "- %s: %" PRIu32 "\n", title, filters.count);
    while (schema_works(p, utet_tiledb_filter_next(&p->f->tile, &filters, &filter)))
        put_filter(p, &filter);
}

static void line_type(const schema_printer *p, const utet_tiledb_item *item)
{
    fprintf(p->out, "- Type: %s\n- Cell val num: ", utet_tiledb_type_name(item->datatype));
    if (item->cell_val_num == UTET_TILEDB_VAR)
        fputs("var\n", p->out);
    else
        fprintf(p->out, "%" PRIu32 "\n", item->cell_val_num);
}

static void show_dimension(schema_printer *p, const utet_tiledb_item *item)
{
    char *domain;
    char *extent;

    line_text(p, "Name", item->name);
    line_type(p, item);
    if (item->domain.size == 0) {
        fputs("- Domain: all strings\n", p->out);
    } else {
        fprintf(p->out, "- Domain: [");
        put_values(p, item->datatype, item->domain, 0);
        fprintf(p->out, "]\n- Tile extent: ");
        if (item->null_extent)
            fprintf(p->out, "null");
        else
            put_values(p, item->datatype, item->extent, 0);
        domain = schema_text(p->f, item->domain);
        extent = schema_text(p->f, item->extent);
        if (domain != NULL && extent != NULL && !item->null_extent) {
            const uint64_t tiles = utet_tiledb_tiles(item->datatype, domain, extent);
            char number[27];

            if (tiles == UINT64_MAX)
                fprintf(p->out, " (2^64 tiles or more)");
            else if (tiles != 0)
                fprintf(p->out, " (%s tile%s)", grouped(number, tiles), tiles == 1 ? "" : "s");
        }
        free(domain);
        free(extent);
        putc('\n', p->out);
    }
    if (item->filters.count == 0)
        fputs("- Filters: those of the coordinates\n", p->out);
    else
        line_filters(p, "Filters", item->filters);
}

static void show_attribute(schema_printer *p, const utet_tiledb_item *item, int all)
{
    static const char *const orders[] = {"none", "increasing", "decreasing"};

    line_text(p, "Name", item->name);
    line_type(p, item);
    fprintf(p->out, "- Nullable: %s\n", item->nullable ? "true" : "false");
    line_filters(p, "Filters", item->filters);
    fprintf(p->out, "- Fill value: ");
    if (item->fill.size == 0) { /* the default of versions that do not store it */
        uint8_t value[8];
        const unsigned size = utet_tiledb_default(item->datatype, value);

        put_bytes(p, item->datatype, (const char *)value, size, 1);
        fprintf(p->out, " (the library's)");
    } else {
        put_values(p, item->datatype, item->fill, all);
    }
    putc('\n', p->out);
    if (item->nullable)
        fprintf(p->out, "- Fill value validity: %u\n", item->fill_validity);
    if (item->order != 0)
        fprintf(p->out, "- Order: %s\n", orders[item->order]);
    if (item->enumeration.size != 0)
        line_text(p, "Enumeration", item->enumeration);
}

static void show_label(schema_printer *p, const utet_tiledb_item *item)
{
    line_text(p, "Name", item->name);
    fprintf(p->out, "- Dimension: %" PRIu32 "\n", item->dimension);
    line_type(p, item);
    fprintf(p->out, "- Order: %s\n", item->order == 1 ? "increasing" : "decreasing");
    line_text(p, "Attribute", item->attribute);
    line_text(p, item->external ? "Array, of its own" : item->relative ? "Array, in this folder" : "Array", item->uri);
}

static void show_items(schema_printer *p, unsigned kind, const char *title, int all)
{
    utet_tiledb_item item;
    utet_status status;

    for (status = utet_tiledb_first(&p->f->schema, kind, &item); schema_works(p, status);
         status = utet_tiledb_next(&p->f->schema, &item)) {
        if (kind <= UTET_TILEDB_LABEL || item.number == 0)
            fprintf(p->out, "\n### %s ###\n", title);
        if (kind == UTET_TILEDB_DIMENSION) {
            show_dimension(p, &item);
        } else if (kind == UTET_TILEDB_ATTRIBUTE) {
            show_attribute(p, &item, all);
        } else if (kind == UTET_TILEDB_LABEL) {
            show_label(p, &item);
        } else if (kind == UTET_TILEDB_ENUMERATION) {
            line_text(p, "Name", item.name);
            line_text(p, "File", item.path);
        } else {
            fprintf(p->out, "- Dimension %" PRIu32 ": [", item.dimension);
            put_values(p, item.datatype, item.least, 1);
            fprintf(p->out, ", ");
            put_values(p, item.datatype, item.greatest, 1);
            fputs("]\n", p->out);
        }
    }
}

static void show_schema(schema_printer *p, int all)
{
    const utet_tiledb_schema *schema = &p->f->schema;
    char number[27];

    fprintf(p->out, "- Format version: %" PRIu32 "\n- Array type: %s\n", schema->version,
            schema->array_type ? "sparse" : "dense");
    fprintf(p->out, "- Cell order: %s\n- Tile order: %s\n", schema_order(schema->cell_order),
            schema_order(schema->tile_order));
    fprintf(p->out, "- Capacity: %s\n- Allows duplicates: %s\n", grouped(number, schema->capacity),
            schema->allows_dups ? "true" : "false");
    line_filters(p, "Coordinates filters", schema->coords);
    line_filters(p, "Offsets filters", schema->offsets);
    line_filters(p, "Validity filters", schema->validity);
    show_items(p, UTET_TILEDB_DIMENSION, "Dimension", all);
    show_items(p, UTET_TILEDB_ATTRIBUTE, "Attribute", all);
    show_items(p, UTET_TILEDB_LABEL, "Dimension label", all);
    show_items(p, UTET_TILEDB_ENUMERATION, "Enumerations", all);
    show_items(p, UTET_TILEDB_RANGE, "Current domain", all);
}

static void show_enumeration(schema_printer *p, int all)
{
    enum { MOST = 20 };
    utet_tiledb_enumeration *enumeration = &p->f->enumeration;
    uint32_t i;

    line_text(p, "Name", enumeration->name);
    line_text(p, "File", enumeration->path);
    fprintf(p->out, "- Type: %s\n- Ordered: %s\n- Values: %" PRIu32 "\n", utet_tiledb_type_name(enumeration->datatype),
            enumeration->ordered ? "true" : "false", enumeration->count);
    for (i = 0; i < enumeration->count && (all || i < MOST); i++) {
        utet_tiledb_text value;

        if (!schema_works(p, utet_tiledb_value(enumeration, i, &value)))
            return;
        fprintf(p->out, "  %" PRIu32 ": ", i);
        put_values(p, enumeration->datatype, value, all);
        putc('\n', p->out);
    }
    if (i < enumeration->count)
        fputs("  … (--all shows all)\n", p->out);
}

static void show_entries(schema_printer *p, int all)
{
    utet_tiledb_entry entry;
    utet_status status;

    for (status = utet_tiledb_entry_first(&p->f->tile, &entry); schema_works(p, status);
         status = utet_tiledb_entry_next(&p->f->tile, &entry))
        p->result = schema_table_entry(p->f, p->out, &entry, all);
}

int schema_table_entry(schema_file *f, FILE *out, const utet_tiledb_entry *entry, int all)
{
    schema_printer the_printer = {f, out, TOOL_OK};
    schema_printer *p = &the_printer;
    char *key = schema_text(f, entry->key);

    if (key == NULL)
        return TOOL_ERROR;
    fputs("- ", out);
    put_safely(out, key, entry->key.size);
    free(key);
    if (entry->deleted) {
        fputs(": deleted\n", out);
        return TOOL_OK;
    }
    fprintf(out, " (%s): ", utet_tiledb_type_name(entry->datatype));
    put_values(p, entry->datatype, entry->value, all);
    putc('\n', out);
    return p->result;
}

int schema_table_member(schema_file *f, FILE *out, const utet_tiledb_member *member)
{
    char *name = schema_text(f, member->name);
    char *uri = schema_text(f, member->uri);

    if (name != NULL && uri != NULL) {
        fputs("- ", out);
        if (member->named)
            put_safely(out, name, member->name.size);
        else
            fputs("(no name)", out);
        fprintf(out, ": %s, ", member->type == UTET_TILEDB_IS_GROUP ? "group" : "array");
        put_safely(out, uri, member->uri.size);
        fputs(member->relative ? " in this folder" : "", out);
        fputs(member->deleted ? ", deleted\n" : "\n", out);
    }
    free(name);
    free(uri);
    return name != NULL && uri != NULL ? TOOL_OK : TOOL_ERROR;
}

static void show_members(schema_printer *p)
{
    utet_tiledb_member member;
    utet_status status;

    fprintf(p->out, "- Version: %" PRIu32 "\n- Members: %lu\n", p->f->group.version, (unsigned long)p->f->group.count);
    for (status = utet_tiledb_member_first(&p->f->group, &member); schema_works(p, status);
         status = utet_tiledb_member_next(&p->f->group, &member))
        p->result = schema_table_member(p->f, p->out, &member);
}

int schema_table(schema_file *f, int all)
{
    schema_printer p = {f, stdout, TOOL_OK};

    if (f->kind == SCHEMA_KIND_SCHEMA)
        show_schema(&p, all);
    else if (f->kind == SCHEMA_KIND_ENUMERATION)
        show_enumeration(&p, all);
    else if (f->kind == SCHEMA_KIND_GROUP)
        show_members(&p);
    else
        show_entries(&p, all);
    return p.result;
}
