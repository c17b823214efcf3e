/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* utet schema DIR: shows the folder of an array or group, now or at a given time. Of an array, it shows the current
 * schema, its enumerations and metadata, and with --all the changes of each schema; of a group, its members and
 * metadata. Damaged parts are reported, everything else is shown, and the exit status is 1. */
#define _POSIX_C_SOURCE 200809L
#include "schema.h"
#include "utet_posix_folder.h"

#include <stdlib.h>
#include <string.h>

char *schema_joined(const char *folder, const char *name)
{
    const size_t size = strlen(folder) + strlen(name) + 2;
    char *path = malloc(size);

    if (path != NULL)
        (void)snprintf(path, size, "%s/%s", folder, name);
    return path;
}

/* ---- schema files, in the order of their names ---- */

typedef struct names {
    char **all;
    size_t count;
} names;

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void names_end(names *list)
{
    while (list->count > 0)
        free(list->all[--list->count]);
    free(list->all);
}

/* Lists the schema files that existed at a time; none if there is no folder. */
static int names_of(names *list, const char *path, uint64_t at)
{
    utet_posix_folder port;
    utet_tiledb_stamp stamp;
    char name[256];
    int is_folder;
    utet_status status;

    utet_posix_folder_init(&port);
    status = port.folder.open(&port, path);
    while (status == UTET_OK && (status = port.folder.next(&port, name, sizeof name, &is_folder)) == UTET_OK) {
        char **more;

        if (is_folder || utet_tiledb_name(name, strlen(name), &stamp) != UTET_OK || stamp.last > at)
            continue;
        more = realloc(list->all, (list->count + 1) * sizeof *more);
        if (more == NULL || (list->all = more, more[list->count] = strdup(name)) == NULL) {
            port.folder.close(&port);
            return fail(path, "folder", NO_OFFSET, "not enough memory");
        }
        list->count++;
    }
    port.folder.close(&port);
    if (status <= UTET_E_PORT)
        return fail(path, "folder", NO_OFFSET, "cannot list: %s", strerror(port.error));
    if (list->count > 0)
        qsort(list->all, list->count, sizeof *list->all, by_bytes);
    return TOOL_OK;
}

/* Returns the name of the current schema, which the caller frees; NULL: none. Releases before 2.4 write one file next
 * to the folder, which is older than all others. */
static char *newest_of(const options *opt, const char *folder)
{
    utet_posix_folder port;
    utet_tiledb_stamp stamp = {0, 0, 0};
    char name[UTET_TILEDB_NAME_SIZE];
    char *old = schema_joined(opt->file, "__array_schema.tdb");
    utet_status status;

    utet_posix_folder_init(&port);
    status = utet_tiledb_newest_at(&port.folder, folder, opt->at, name, sizeof name);
    if (status == UTET_OK)
        (void)utet_tiledb_name(name, strlen(name), &stamp);
    if (old != NULL && (status != UTET_OK || stamp.last > opt->at) && schema_is_there(old))
        return old;
    free(old);
    return status == UTET_OK ? schema_joined(folder, name) : NULL;
}

/* ---- printing ---- */

/* Consecutive parts of one JSON object, or sections of text. */
typedef struct printing {
    const options *opt;
    const char *comma;
    int result;
} printing;

static void begin_part(printing *o)
{
    if (o->opt->json)
        fputs(o->comma, stdout);
    o->comma = ",";
}

static void failed(printing *o, int result)
{
    if (o->result == TOOL_OK)
        o->result = result;
}

/* An enumeration, and whether it could be read. */
static void put_enumeration(printing *o, schema_file *schema, const char *folder, const utet_tiledb_item *item)
{
    char *name = schema_text(schema, item->name);
    char *file = schema_text(schema, item->path);
    char *inner = schema_joined(folder, "__enumerations");
    char *path = file != NULL && inner != NULL ? schema_joined(inner, file) : NULL;
    schema_file f;
    int result;

    if (o->opt->json) {
        fputs(item->number > 0 ? "," : "", stdout);
        schema_json_text(stdout, name != NULL ? name : "", name != NULL ? item->name.size : 0);
        fputs(":{", stdout);
    } else {
        printf("\n### Enumeration ###\n");
    }
    if (path == NULL || strlen(file) != item->path.size || strchr(file, '/') != NULL) {
        failed(o, fail(folder, "enumeration", NO_OFFSET, "the schema contains an invalid enumeration file name"));
    } else {
        result = schema_open(&f, o->opt, path, SCHEMA_KIND_ENUMERATION);
        if (result == TOOL_OK)
            result = o->opt->json ? schema_json(&f, stdout, o->opt->all) : schema_table(&f, o->opt->all);
        else
            printf(o->opt->json ? "\"damaged\":true" : "- %s: damaged\n", file);
        failed(o, result);
        schema_close(&f);
    }
    if (o->opt->json)
        putchar('}');
    free(name);
    free(file);
    free(inner);
    free(path);
}

static void put_enumerations(printing *o, const char *folder, schema_file *schema)
{
    utet_tiledb_item item;
    utet_status status;

    begin_part(o);
    if (o->opt->json)
        printf("\"enumerations\":{");
    for (status = utet_tiledb_first(&schema->schema, UTET_TILEDB_ENUMERATION, &item); status == UTET_OK;
         status = utet_tiledb_next(&schema->schema, &item))
        put_enumeration(o, schema, folder, &item);
    if (o->opt->json)
        putchar('}');
    if (UTET_IS_ERROR(status))
        failed(o, schema_fail(schema, status));
}

static void put_schema(printing *o, const char *folder, const char *newest)
{
    const int kind = o->opt->kind;
    schema_file f;
    int result = schema_open(&f, o->opt, newest, SCHEMA_KIND_SCHEMA);

    failed(o, result);
    if (result == TOOL_OK && kind != SCHEMA_KIND_ENUMERATION) {
        begin_part(o);
        failed(o, o->opt->json ? schema_json(&f, stdout, o->opt->all) : schema_table(&f, o->opt->all));
    }
    if (result == TOOL_OK && kind != SCHEMA_KIND_SCHEMA)
        put_enumerations(o, folder, &f);
    schema_close(&f);
}

/* Prints the metadata of an array or group. */
static void put_metadata(printing *o)
{
    char *folder = schema_joined(o->opt->file, "__meta");
    schema_facts facts;

    if (folder == NULL) {
        failed(o, fail(o->opt->file, "folder", NO_OFFSET, "not enough memory"));
        return;
    }
    failed(o, schema_facts_of(&facts, o->opt, folder, SCHEMA_KIND_METADATA));
    if (o->opt->json || facts.count + facts.damaged_count > 0 || o->opt->kind == SCHEMA_KIND_METADATA) {
        begin_part(o);
        schema_facts_put(&facts, o->opt, "entries", "Metadata");
    }
    schema_facts_end(&facts);
    free(folder);
}

static void put_members(printing *o)
{
    char *folder = schema_joined(o->opt->file, "__group");
    schema_facts facts;

    if (folder == NULL) {
        failed(o, fail(o->opt->file, "folder", NO_OFFSET, "not enough memory"));
        return;
    }
    failed(o, schema_facts_of(&facts, o->opt, folder, SCHEMA_KIND_GROUP));
    begin_part(o);
    if (o->opt->json)
        printf("\"group\":{\"version\":%u,", (unsigned)facts.version);
    else
        printf("- Group of %lu member%s\n", (unsigned long)facts.count, facts.count == 1 ? "" : "s");
    schema_facts_put(&facts, o->opt, "members", "Members");
    if (o->opt->json)
        putchar('}');
    schema_facts_end(&facts);
    free(folder);
}

static int is_group(const options *opt)
{
    char *folder = schema_joined(opt->file, "__group");
    char *mark = schema_joined(opt->file, "__tiledb_group.tdb");
    const int is = folder != NULL && mark != NULL && (schema_is_there(folder) || schema_is_there(mark));

    free(folder);
    free(mark);
    return is;
}

static void put_array(printing *o, const char *folder, const char *newest)
{
    const int kind = o->opt->kind;
    names files = {NULL, 0};

    if (kind != SCHEMA_KIND_METADATA)
        put_schema(o, folder, newest);
    if (kind == SCHEMA_KIND_AUTO || kind == SCHEMA_KIND_METADATA)
        put_metadata(o);
    if (o->opt->all && (kind == SCHEMA_KIND_AUTO || kind == SCHEMA_KIND_SCHEMA)) {
        failed(o, names_of(&files, folder, o->opt->at));
        failed(o, schema_history(o->opt, folder, files.all, files.count));
        names_end(&files);
    }
}

int schema_folder(const options *opt)
{
    printing o = {opt, "", TOOL_OK};
    char *folder = schema_joined(opt->file, "__schema");
    char *newest = folder != NULL ? newest_of(opt, folder) : NULL;
    const int group = newest == NULL && is_group(opt);

    if (newest == NULL && !group) {
        free(folder);
        return fail(opt->file, "folder", NO_OFFSET,
                    "not a TileDB array or group: the folder contains neither a schema nor __group");
    }
    if (group ? opt->kind == SCHEMA_KIND_SCHEMA || opt->kind == SCHEMA_KIND_ENUMERATION
              : opt->kind == SCHEMA_KIND_GROUP) {
        free(folder);
        free(newest);
        return fail(opt->file, "folder", NO_OFFSET,
                    group ? "a TileDB group has only members and metadata; use --kind group or metadata"
                          : "a TileDB array has no members; use --kind schema, enumeration or metadata");
    }
    if (opt->json)
        putchar('{');
    if (!group)
        put_array(&o, folder, newest);
    if (group && opt->kind != SCHEMA_KIND_METADATA)
        put_members(&o);
    if (group && opt->kind != SCHEMA_KIND_GROUP)
        put_metadata(&o);
    if (opt->json)
        puts("}");
    free(newest);
    free(folder);
    return o.result;
}
