/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* utet schema DIR: the folder of an array. Its newest schema, its metadata merged out of their files, its enumerations,
 * and with --all what each schema changed. */
#define _POSIX_C_SOURCE 200809L
#include "schema.h"
#include "utet_posix_folder.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- names ---- */

typedef struct names {
    char **all;
    size_t count;
} names;

static char *joined(const char *folder, const char *name)
{
    const size_t size = strlen(folder) + strlen(name) + 2;
    char *path = malloc(size);

    if (path != NULL)
        (void)snprintf(path, size, "%s/%s", folder, name);
    return path;
}

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

/* The files in a folder of the array with a time in their names, oldest first. No folder: none. */
static int names_of(names *list, const char *path)
{
    utet_posix_folder port;
    utet_tiledb_stamp stamp;
    char name[256];
    int is_folder;
    utet_status status;

    list->all = NULL;
    list->count = 0;
    utet_posix_folder_init(&port);
    status = port.folder.open(&port, path);
    while (status == UTET_OK && (status = port.folder.next(&port, name, sizeof name, &is_folder)) == UTET_OK) {
        char **more;

        if (is_folder || utet_tiledb_name(name, strlen(name), &stamp) != UTET_OK)
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

/* "2026-11-22 13:50:33.120 UTC" of the time in a name. */
static void put_time(FILE *out, const char *name)
{
    utet_tiledb_stamp stamp;
    time_t seconds;
    struct tm when;
    char text[40];

    (void)utet_tiledb_name(name, strlen(name), &stamp);
    seconds = (time_t)(stamp.first / 1000);
    if (stamp.first / 1000 > INT32_MAX * (uint64_t)64 || gmtime_r(&seconds, &when) == NULL ||
        strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &when) == 0) {
        fprintf(out, "%" PRIu64 " ms", stamp.first);
        return;
    }
    fprintf(out, "%s.%03u UTC", text, (unsigned)(stamp.first % 1000));
}

/* ---- metadata: the last word about each key ---- */

typedef struct fact {
    char *key;
    size_t key_size;
    int deleted;
    char *json; /* of the entry */
    char *text;
} fact;

typedef struct facts {
    fact *all;
    size_t count;
} facts;

static void facts_end(facts *list)
{
    while (list->count > 0) {
        fact *last = &list->all[--list->count];

        free(last->key);
        free(last->json);
        free(last->text);
    }
    free(list->all);
}

static int by_key(const void *a, const void *b)
{
    const fact *one = a;
    const fact *other = b;
    const size_t least = one->key_size < other->key_size ? one->key_size : other->key_size;
    const int order = memcmp(one->key, other->key, least);

    return order != 0 ? order : (one->key_size > other->key_size) - (one->key_size < other->key_size);
}

/* What is said of an entry, into memory. */
static char *told(schema_file *f, const utet_tiledb_entry *entry, int json, int *result)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    if (out == NULL) {
        *result = fail(f->s.path, "array metadata", NO_OFFSET, "not enough memory");
        return NULL;
    }
    *result = json ? schema_json_entry(f, out, entry) : schema_table_entry(f, out, entry, 0);
    (void)fclose(out);
    return text;
}

static int facts_add(facts *list, schema_file *f, const utet_tiledb_entry *entry)
{
    fact new = {schema_text(f, entry->key), entry->key.size, entry->deleted, NULL, NULL};
    fact *more;
    size_t i;
    int result = TOOL_OK;

    if (new.key == NULL)
        return TOOL_ERROR;
    new.json = told(f, entry, 1, &result);
    if (result == TOOL_OK)
        new.text = told(f, entry, 0, &result);
    for (i = 0; i < list->count && by_key(&list->all[i], &new) != 0; i++)
        continue;
    if (i == list->count) {
        more = realloc(list->all, (list->count + 1) * sizeof *more);
        if (more == NULL) {
            free(new.key);
            free(new.json);
            free(new.text);
            return fail(f->s.path, "array metadata", NO_OFFSET, "not enough memory");
        }
        list->all = more;
        list->count++;
    } else {
        free(list->all[i].key);
        free(list->all[i].json);
        free(list->all[i].text);
    }
    list->all[i] = new;
    return result;
}

static int facts_of(facts *list, const options *opt, const char *array)
{
    char *folder = joined(array, "__meta");
    names files = {NULL, 0};
    size_t i;
    int result = folder != NULL ? names_of(&files, folder) : TOOL_ERROR;

    list->all = NULL;
    list->count = 0;
    for (i = 0; i < files.count && result == TOOL_OK; i++) {
        schema_file f;
        utet_tiledb_entry entry;
        utet_status status;
        char *path = joined(folder, files.all[i]);

        result = schema_open(&f, opt, path, SCHEMA_KIND_METADATA);
        if (result == TOOL_OK) {
            for (status = utet_tiledb_entry_first(&f.tile, &entry); status == UTET_OK && result == TOOL_OK;
                 status = utet_tiledb_entry_next(&f.tile, &entry))
                result = facts_add(list, &f, &entry);
            if (UTET_IS_ERROR(status))
                result = schema_fail(&f, status);
        }
        schema_close(&f);
        free(path);
    }
    if (list->count > 0)
        qsort(list->all, list->count, sizeof *list->all, by_key);
    names_end(&files);
    free(folder);
    return result;
}

static void put_facts(const facts *list, int json)
{
    const char *comma = "";
    size_t i;

    if (json)
        printf("\"entries\":[");
    else
        printf("\n### Metadata ###\n");
    for (i = 0; i < list->count; i++) {
        if (list->all[i].deleted)
            continue;
        if (json)
            printf("%s{%s}", comma, list->all[i].json);
        else
            fputs(list->all[i].text, stdout);
        comma = ",";
    }
    if (json)
        putchar(']');
}

/* ---- evolution ---- */

typedef struct part {
    char *name;  /* its kind, and what it is called */
    char *value; /* all that is said of it, as JSON */
} part;

typedef struct parts {
    part *all;
    size_t count;
} parts;

static void parts_end(parts *list)
{
    while (list->count > 0) {
        free(list->all[--list->count].name);
        free(list->all[list->count].value);
    }
    free(list->all);
    list->all = NULL;
}

/* Takes over both texts. */
static int parts_add(parts *list, char *name, char *value)
{
    part *more = realloc(list->all, (list->count + 1) * sizeof *more);

    if (more != NULL)
        list->all = more;
    if (more == NULL || name == NULL || value == NULL) {
        free(name);
        free(value);
        return fail(NULL, "schema", NO_OFFSET, "not enough memory");
    }
    more[list->count].name = name;
    more[list->count].value = value;
    list->count++;
    return TOOL_OK;
}

static const char *const kinds[UTET_TILEDB_KINDS] = {"dimension", "attribute", "dimension label", "enumeration",
                                                     "current domain of dimension"};

static int add_item(parts *list, schema_file *f, const utet_tiledb_item *item)
{
    char *name = NULL;
    char *value = NULL;
    size_t size;
    FILE *out = open_memstream(&name, &size);
    int result = TOOL_OK;

    if (out != NULL) {
        char *text = schema_text(f, item->name);

        fprintf(out, "%s ", kinds[item->kind]);
        if (item->kind == UTET_TILEDB_RANGE)
            fprintf(out, "%" PRIu32, item->number);
        else if (text != NULL)
            put_safely(out, text, item->name.size);
        free(text);
        (void)fclose(out);
    }
    out = open_memstream(&value, &size);
    if (out != NULL) {
        result = schema_json_item(f, out, item);
        (void)fclose(out);
    }
    return result != TOOL_OK ? (free(name), free(value), result) : parts_add(list, name, value);
}

/* All that a schema consists of. */
static int parts_of(parts *list, schema_file *f)
{
    unsigned kind;
    int result = TOOL_OK;
    char *value = NULL;
    size_t size;
    FILE *out = open_memstream(&value, &size);

    if (out != NULL) {
        fprintf(out, "%u %u %u %u %" PRIu64, f->schema.array_type, f->schema.allows_dups, f->schema.tile_order,
                f->schema.cell_order, f->schema.capacity);
        result = schema_json_filters(f, out);
        (void)fclose(out);
    }
    if (result == TOOL_OK)
        result = parts_add(list, strdup("array: orders, capacity or filters"), value);
    else
        free(value);
    for (kind = 0; kind < UTET_TILEDB_KINDS && result == TOOL_OK; kind++) {
        utet_tiledb_item item;
        utet_status status;

        for (status = utet_tiledb_first(&f->schema, kind, &item); status == UTET_OK && result == TOOL_OK;
             status = utet_tiledb_next(&f->schema, &item))
            result = add_item(list, f, &item);
        if (UTET_IS_ERROR(status))
            result = schema_fail(f, status);
    }
    return result;
}

static const part *part_called(const parts *list, const char *name)
{
    size_t i;

    for (i = 0; i < list->count; i++)
        if (strcmp(list->all[i].name, name) == 0)
            return &list->all[i];
    return NULL;
}

static void put_change(const char *what, const char *name, int json, int *any)
{
    if (json) {
        printf("%s{\"change\":\"%s\",\"what\":", *any ? "," : "", what);
        schema_json_text(stdout, name, strlen(name));
        putchar('}');
    } else {
        printf("  %s %s\n", what, name);
    }
    *any = 1;
}

static void put_changes(const parts *before, const parts *after, int json)
{
    int any = 0;
    size_t i;

    for (i = 0; i < before->count; i++)
        if (part_called(after, before->all[i].name) == NULL)
            put_change("dropped", before->all[i].name, json, &any);
    for (i = 0; i < after->count; i++) {
        const part *old = part_called(before, after->all[i].name);

        if (old == NULL)
            put_change("added", after->all[i].name, json, &any);
        else if (strcmp(old->value, after->all[i].value) != 0)
            put_change("changed", after->all[i].name, json, &any);
    }
    if (!any && !json)
        puts("  nothing");
}

/* What each file changed of the one before it. */
static int put_history(const options *opt, const char *folder, const names *files)
{
    parts before = {NULL, 0};
    size_t i;
    int result = TOOL_OK;

    printf(opt->json ? ",\"history\":[" : "\n### Schema files ###\n");
    for (i = 0; i < files->count && result == TOOL_OK; i++) {
        schema_file f;
        parts now = {NULL, 0};
        char *path = joined(folder, files->all[i]);

        result = schema_open(&f, opt, path, SCHEMA_KIND_SCHEMA);
        if (result == TOOL_OK)
            result = parts_of(&now, &f);
        if (opt->json) {
            printf("%s{\"file\":\"%s\",\"changes\":[", i > 0 ? "," : "", files->all[i]);
        } else {
            printf("- ");
            put_time(stdout, files->all[i]);
            printf(", %s%s\n", files->all[i], i == 0 ? ": the first" : "");
        }
        if (i > 0)
            put_changes(&before, &now, opt->json);
        if (opt->json)
            printf("]}");
        schema_close(&f);
        free(path);
        parts_end(&before);
        before = now;
    }
    parts_end(&before);
    if (opt->json)
        putchar(']');
    return result;
}

/* ---- the command ---- */

/* The enumerations that the newest schema names. */
static int put_enumerations(const options *opt, const char *folder, schema_file *schema)
{
    utet_tiledb_item item;
    utet_status status;
    int result = TOOL_OK;

    if (opt->json)
        printf(",\"enumerations\":{");
    for (status = utet_tiledb_first(&schema->schema, UTET_TILEDB_ENUMERATION, &item);
         status == UTET_OK && result == TOOL_OK; status = utet_tiledb_next(&schema->schema, &item)) {
        char *name = schema_text(schema, item.name);
        char *file = schema_text(schema, item.path);
        char *inner = joined(folder, "__enumerations");
        char *path = file != NULL && inner != NULL ? joined(inner, file) : NULL;
        schema_file f;

        if (path == NULL || name == NULL || strchr(file, '/') != NULL) {
            result = fail(folder, "enumeration", NO_OFFSET, "no name of a file in this folder");
        } else {
            result = schema_open(&f, opt, path, SCHEMA_KIND_ENUMERATION);
            if (opt->json) {
                printf("%s", item.number > 0 ? "," : "");
                schema_json_text(stdout, name, item.name.size);
                printf(":{");
            } else {
                printf("\n### Enumeration ###\n");
            }
            if (result == TOOL_OK)
                result = opt->json ? schema_json(&f, stdout, opt->all) : schema_table(&f, opt->all);
            if (opt->json)
                putchar('}');
            schema_close(&f);
        }
        free(name);
        free(file);
        free(inner);
        free(path);
    }
    if (opt->json)
        putchar('}');
    return UTET_IS_ERROR(status) ? schema_fail(schema, status) : result;
}

static int show_array(const options *opt, const char *folder, const names *files, const char *newest)
{
    schema_file f;
    facts metadata = {NULL, 0};
    int result = facts_of(&metadata, opt, opt->file);

    if (result == TOOL_OK && opt->kind == SCHEMA_KIND_METADATA) {
        if (opt->json)
            putchar('{');
        put_facts(&metadata, opt->json);
        if (opt->json)
            puts("}");
        facts_end(&metadata);
        return TOOL_OK;
    }
    if (result == TOOL_OK) {
        result = schema_open(&f, opt, newest, SCHEMA_KIND_SCHEMA);
        if (result == TOOL_OK) {
            if (opt->json)
                putchar('{');
            result = opt->json ? schema_json(&f, stdout, opt->all) : schema_table(&f, opt->all);
            if (result == TOOL_OK)
                result = put_enumerations(opt, folder, &f);
            if (result == TOOL_OK && (opt->json || metadata.count > 0)) {
                if (opt->json)
                    putchar(',');
                put_facts(&metadata, opt->json);
            }
            if (result == TOOL_OK && opt->all)
                result = put_history(opt, folder, files);
            if (opt->json)
                puts("}");
        }
        schema_close(&f);
    }
    facts_end(&metadata);
    return result;
}

int schema_folder(const options *opt)
{
    char *folder = joined(opt->file, "__schema");
    char *newest = NULL;
    names files = {NULL, 0};
    int result = folder != NULL ? names_of(&files, folder) : TOOL_ERROR;

    if (result == TOOL_OK) {
        /* Releases before 2.4 have one file, beside which nothing else can stand. */
        newest = files.count > 0 ? joined(folder, files.all[files.count - 1]) : joined(opt->file, "__array_schema.tdb");
        if (newest == NULL)
            result = TOOL_ERROR;
        else if (files.count == 0 && !schema_is_there(newest)) {
            char *group = joined(opt->file, "__group");

            result = group != NULL && schema_is_there(group)
                         ? fail(opt->file, "group", NO_OFFSET, "a TileDB group; groups are not read")
                         : fail(opt->file, "folder", NO_OFFSET, "no TileDB array: there is no schema in it");
            free(group);
        } else
            result = show_array(opt, folder, &files, newest);
    }
    names_end(&files);
    free(newest);
    free(folder);
    return result;
}
