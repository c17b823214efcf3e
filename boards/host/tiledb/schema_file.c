/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Opens a file that describes a TileDB array, reports its faults, and converts its texts and values to text. */
#define _POSIX_C_SOURCE 200809L
#include "schema.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const utet_tiledb_codec *const codecs[] = {&utet_tiledb_gzip, &utet_tiledb_zstd, NULL};

/* Returns the part of the file that a status concerns. */
static const char *schema_region(const schema_file *f, utet_status status)
{
    switch (status) {
    case UTET_E_SUPERBLOCK: return "header";
    case UTET_E_DIRECTORY: return "filter pipeline";
    case UTET_E_INDEX:
    case UTET_E_ROW: return "chunks";
    case UTET_E_METADATA:
    case UTET_E_DTYPE:
        return f->kind == SCHEMA_KIND_ENUMERATION ? "enumeration"
               : f->kind == SCHEMA_KIND_METADATA  ? "metadata"
               : f->kind == SCHEMA_KIND_GROUP     ? "group"
                                                  : "schema";
    case UTET_E_VERSION: return "version";
    case UTET_E_CODEC: return f->tile.encryption != 0 ? "encrypted" : "filter pipeline";
    case UTET_E_SHORT: return "medium";
    case UTET_E_CHECKSUM:
    case UTET_E_PAYLOAD: return "compressed data";
    default: return region_of(status);
    }
}

static const char *schema_words(const schema_file *f, utet_status status)
{
    switch (status) {
    case UTET_E_SUPERBLOCK:
        return f->s.port.io.size < 34 ? "too short for a file of a TileDB array" : "a field of the header is wrong";
    case UTET_E_DIRECTORY: return "damaged";
    case UTET_E_INDEX: return "the chunks do not add up to the tile";
    case UTET_E_ROW: return "damaged chunk header";
    case UTET_E_DTYPE: return "the datatype is unknown, or not allowed for this field";
    case UTET_E_METADATA: return "the length or value of a field is not allowed";
    case UTET_E_VERSION: return "the format version is not one of 1 to 23, or not that of the tile";
    case UTET_E_CODEC:
        return f->tile.encryption != 0 ? "encrypted with AES-256-GCM; the key is not part of the file"
                                       : "it is not compressed by one filter, gzip or zstd, which are all that is read";
    case UTET_E_CHECKSUM: return "the checksum differs";
    case UTET_E_PAYLOAD: return "damaged";
    default: return utet_strerror(status);
    }
}

int schema_fail(schema_file *f, utet_status status)
{
    const source *s = &f->s;

    if (status <= UTET_E_PORT || status == UTET_E_BUDGET)
        return source_fail(&f->s, status);
    if (status == UTET_E_METADATA || status == UTET_E_DTYPE)
        return fail(s->path, schema_region(f, status), f->tile.error_at, "%s (position in the decoded tile)",
                    schema_words(f, status));
    return fail(s->path, schema_region(f, status), s->file.error_offset, "%s", schema_words(f, status));
}

/* Calls utet_tiledb_open with a workspace of `bytes`. */
static utet_status open_in(schema_file *f, uint64_t bytes)
{
    static const utet_tiledb_options how = {codecs, (uint32_t)TOOL_MOST_WORKSPACE};
    source *s = &f->s;
    utet_status status;

    free(s->work);
    s->work_length = (size_t)bytes;
    s->work = malloc(s->work_length);
    if (s->work == NULL) {
        s->file.needed = bytes;
        return UTET_E_BUDGET;
    }
    status = utet_init(&s->file, &s->reading.io, s->work, s->work_length, NULL);
    return status == UTET_OK ? utet_tiledb_open(&f->tile, &s->file, &how) : status;
}

/* Array metadata has no header: each entry is checked separately. */
static utet_status check_entries(utet_tiledb *tile)
{
    utet_tiledb_entry entry;
    utet_status status = utet_tiledb_entry_first(tile, &entry);

    while (status == UTET_OK)
        status = utet_tiledb_entry_next(tile, &entry);
    return status == UTET_END ? UTET_OK : status;
}

static utet_status check_members(utet_tiledb_group *group)
{
    utet_tiledb_member member;
    utet_status status = utet_tiledb_member_first(group, &member);

    while (status == UTET_OK)
        status = utet_tiledb_member_next(group, &member);
    return status == UTET_END ? UTET_OK : status;
}

static utet_status check(schema_file *f)
{
    utet_status status;

    switch (f->kind) {
    case SCHEMA_KIND_ENUMERATION:
        status = utet_tiledb_enumeration_open(&f->enumeration, &f->tile);
        return status == UTET_OK ? utet_tiledb_enumeration_check(&f->enumeration) : status;
    case SCHEMA_KIND_METADATA: return check_entries(&f->tile);
    case SCHEMA_KIND_GROUP:
        status = utet_tiledb_group_open(&f->group, &f->tile);
        return status == UTET_OK ? check_members(&f->group) : status;
    default:
        status = utet_tiledb_schema_open(&f->schema, &f->tile);
        return status == UTET_OK ? utet_tiledb_schema_check(&f->schema) : status;
    }
}

int schema_open(schema_file *f, const options *opt, const char *path, int kind)
{
    options at = *opt;
    utet_status status;

    memset(f, 0, sizeof *f);
    f->kind = kind;
    at.file = path;
    if (source_prepare(&f->s, &at) != TOOL_OK)
        return TOOL_ERROR;
    status = open_in(f, UTET_WINDOW_BEST(1));
    if ((status == UTET_OK || status == UTET_E_BUDGET) && f->tile.need.best != 0) {
        if (f->tile.need.best > TOOL_MOST_WORKSPACE)
            return fail(path, "budget", NO_OFFSET, "the tile is larger than utet allows");
        status = open_in(f, f->tile.need.best);
    }
    if (status == UTET_OK)
        status = check(f);
    if (status < UTET_OK && status > UTET_E_PORT && source_kind(&f->s)[0] != '\0')
        return fail(path, "header", NO_OFFSET, "not a file of a TileDB array%s", source_kind(&f->s));
    return status == UTET_OK ? TOOL_OK : schema_fail(f, status);
}

void schema_close(schema_file *f)
{
    source_end(&f->s);
}

int schema_works(schema_printer *p, utet_status status)
{
    if (status != UTET_OK && status != UTET_END && p->result == TOOL_OK)
        p->result = schema_fail(p->f, status);
    return status == UTET_OK && p->result == TOOL_OK;
}

char *schema_text(schema_file *f, utet_tiledb_text text)
{
    const size_t size = text.size;
    char *all = malloc(size + 1);
    size_t got;
    utet_status status;

    if (all == NULL) {
        (void)fail(f->s.path, "text", NO_OFFSET, "not enough memory");
        return NULL;
    }
    status = utet_tiledb_read(&f->tile, &text, all, size, &got);
    if (UTET_IS_ERROR(status)) {
        (void)schema_fail(f, status);
        free(all);
        return NULL;
    }
    all[size] = '\0';
    return all;
}

char *schema_value(char *buffer, unsigned datatype, const void *value)
{
    static const uint8_t dtypes[] = {UTET_I32, UTET_I64, UTET_F32, UTET_F64, UTET_U8, 0,
                                     UTET_U8,  UTET_I16, UTET_U16, UTET_U32, UTET_U64};
    int8_t byte;

    if (datatype == 5) { /* INT8, which tensors do not have */
        memcpy(&byte, value, 1);
        (void)snprintf(buffer, UTET_SHOW_SIZE, "%d", byte);
    } else {
        (void)utet_show_text(datatype < sizeof dtypes ? dtypes[datatype] : (uint32_t)UTET_I64, value, buffer,
                             UTET_SHOW_SIZE, NULL);
    }
    return buffer;
}

const char *schema_order(unsigned order)
{
    static const char *const names[] = {"row-major", "col-major", "global", "?", "hilbert"};

    return order < sizeof names / sizeof *names ? names[order] : "?";
}

int schema_is_there(const char *path)
{
    struct stat what;

    return stat(path, &what) == 0;
}
