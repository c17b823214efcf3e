/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* utet schema DIR --all: lists the changes that each schema file of an array made to the schema before it. */
#define _POSIX_C_SOURCE 200809L
#include "schema.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Writes the time in a file name as "2026-11-22 13:50:33.120 UTC". */
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

typedef struct part {
    char *name;  /* its kind and its name */
    char *value; /* its description as JSON */
} part;

typedef struct parts {
    part *all;
    size_t count;
    const part **sorted; /* sorted by name; equal names in file order */
} parts;

static void parts_end(parts *list)
{
    while (list->count > 0) {
        free(list->all[--list->count].name);
        free(list->all[list->count].value);
    }
    free(list->all);
    free(list->sorted);
    memset(list, 0, sizeof *list);
}

static int no_memory(void)
{
    return fail(NULL, "schema", NO_OFFSET, "not enough memory");
}

/* Adds an item, which frees both texts. */
static int parts_add(parts *list, char *name, char *value)
{
    part *more = realloc(list->all, (list->count + 1) * sizeof *more);

    if (more != NULL)
        list->all = more;
    if (more == NULL || name == NULL || value == NULL) {
        free(name);
        free(value);
        return no_memory();
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
        result = text != NULL ? TOOL_OK : TOOL_ERROR; /* schema_text has printed an error line */
        free(text);
        if (!words_close(out, &name))
            result = no_memory();
    }
    out = result == TOOL_OK ? open_memstream(&value, &size) : NULL;
    if (out != NULL) {
        result = schema_json_item(f, out, item);
        if (!words_close(out, &value) && result == TOOL_OK)
            result = no_memory();
    }
    return result != TOOL_OK ? (free(name), free(value), result) : parts_add(list, name, value);
}

/* Collects all items of a schema. */
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
        if (!words_close(out, &value) && result == TOOL_OK)
            result = no_memory();
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

static int by_name(const void *a, const void *b)
{
    const part *one = *(const part *const *)a;
    const part *other = *(const part *const *)b;
    const int order = strcmp(one->name, other->name);

    return order != 0 ? order : (one > other) - (one < other);
}

static int parts_sort(parts *list)
{
    size_t i;

    list->sorted = malloc((list->count + 1) * sizeof *list->sorted);
    if (list->sorted == NULL)
        return no_memory();
    for (i = 0; i < list->count; i++)
        list->sorted[i] = &list->all[i];
    qsort(list->sorted, list->count, sizeof *list->sorted, by_name);
    return TOOL_OK;
}

/* Returns the first item with this name. */
static const part *part_called(const parts *list, const char *name)
{
    size_t low = 0;
    size_t high = list->count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (strcmp(list->sorted[middle]->name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < list->count && strcmp(list->sorted[low]->name, name) == 0 ? list->sorted[low] : NULL;
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

int schema_history(const options *opt, const char *folder, char *const *files, size_t count)
{
    parts before = {NULL, 0, NULL};
    size_t i;
    int result = TOOL_OK;

    printf(opt->json ? ",\"history\":[" : "\n### Schema files ###\n");
    for (i = 0; i < count; i++) {
        schema_file f;
        parts now = {NULL, 0, NULL};
        char *path = schema_joined(folder, files[i]);
        int good = path != NULL && schema_open(&f, opt, path, SCHEMA_KIND_SCHEMA) == TOOL_OK &&
                   parts_of(&now, &f) == TOOL_OK && parts_sort(&now) == TOOL_OK;

        if (opt->json) {
            printf("%s{\"file\":\"%s\",%s", i > 0 ? "," : "", files[i], good ? "\"changes\":[" : "\"damaged\":true}");
        } else {
            printf("- ");
            put_time(stdout, files[i]);
            printf(", %s%s\n", files[i], !good ? ": damaged" : before.all == NULL ? ": the first" : "");
        }
        if (good && before.all != NULL)
            put_changes(&before, &now, opt->json);
        if (good && opt->json)
            printf("]}");
        if (path != NULL)
            schema_close(&f);
        free(path);
        parts_end(good ? &before : &now);
        if (good)
            before = now;
        else
            result = TOOL_ERROR;
    }
    parts_end(&before);
    if (opt->json)
        putchar(']');
    return result;
}
