/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Combines the files of a folder: metadata, or members of a group. The library determines which files count, and which
 * keys a later file has set. A damaged file loses its own facts only. */
#define _POSIX_C_SOURCE 200809L
#include "schema.h"
#include "utet_posix_folder.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_MEMORY = 1 << 20 };

/* One reading of the folder. */
typedef struct reading {
    schema_facts *facts;
    const options *opt;
    const char *folder;
    int kind;
    utet_tiledb_keys keys;
    int grow;      /* 1: the memory for keys was too small */
    int all_read;  /* 1: no older file counts */
    size_t judged; /* number of files read before, whose errors have been printed */
} reading;

static int no_memory(const char *path)
{
    return fail(path, "folder", NO_OFFSET, "not enough memory");
}

static int by_key(const void *a, const void *b)
{
    const schema_fact *one = a;
    const schema_fact *other = b;
    const size_t least = one->key_size < other->key_size ? one->key_size : other->key_size;
    const int order = memcmp(one->key, other->key, least);

    return order != 0 ? order : (one->key_size > other->key_size) - (one->key_size < other->key_size);
}

static void forget(schema_facts *facts)
{
    while (facts->count > 0) {
        free(facts->all[--facts->count].key);
        free(facts->all[facts->count].text);
    }
}

void schema_facts_end(schema_facts *facts)
{
    forget(facts);
    free(facts->all);
    while (facts->damaged_count > 0)
        free(facts->damaged[--facts->damaged_count]);
    free(facts->damaged);
    memset(facts, 0, sizeof *facts);
}

static int damaged_already(const schema_facts *facts, const char *name)
{
    size_t i;

    for (i = 0; i < facts->damaged_count; i++)
        if (strcmp(facts->damaged[i], name) == 0)
            return 1;
    return 0;
}

static int add_damaged(schema_facts *facts, const char *name)
{
    char **more = realloc(facts->damaged, (facts->damaged_count + 1) * sizeof *more);

    if (more != NULL)
        facts->damaged = more;
    if (more == NULL || (more[facts->damaged_count] = strdup(name)) == NULL)
        return no_memory(name);
    facts->damaged_count++;
    return TOOL_ERROR;
}

/* Adds a fact; its key is in the file, and its text is in `out`. */
static int add_fact(reading *r, schema_file *f, utet_tiledb_text key, char *text)
{
    schema_facts *facts = r->facts;
    schema_fact *more = facts->all;

    if ((facts->count & (facts->count - 1)) == 0) /* the count is 0 or a power of two: the list is full */
        more = realloc(facts->all, (facts->count > 0 ? 2 * facts->count : 1) * sizeof *more);
    if (more == NULL || text == NULL) {
        free(text);
        return no_memory(r->folder);
    }
    facts->all = more;
    more[facts->count].key_size = key.size;
    more[facts->count].key = schema_text(f, key);
    more[facts->count].text = text;
    if (more[facts->count].key == NULL) {
        free(text);
        return TOOL_ERROR;
    }
    facts->count++;
    return TOOL_OK;
}

/* Returns 1 if a key counts, else 0; less than 0 after an error line. */
static int is_news(reading *r, schema_file *f, const utet_tiledb_text *key)
{
    const utet_status status = utet_tiledb_keys_add(&r->keys, &f->tile, key);

    r->grow = status == UTET_E_SPACE;
    if (UTET_IS_ERROR(status) && !r->grow)
        (void)schema_fail(f, status);
    return status == UTET_OK ? 1 : status == UTET_END ? 0 : -1;
}

/* Writes the text about an entry or member to memory. */
static int keep(reading *r, schema_file *f, utet_tiledb_text key, const utet_tiledb_entry *entry,
                const utet_tiledb_member *member)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    int result;

    if (out == NULL)
        return no_memory(r->folder);
    if (entry != NULL)
        result = r->opt->json ? schema_json_entry(f, out, entry) : schema_table_entry(f, out, entry, r->opt->all);
    else
        result = r->opt->json ? schema_json_member(f, out, member) : schema_table_member(f, out, member);
    if (!words_close(out, &text) && result == TOOL_OK)
        result = no_memory(r->folder);
    if (result != TOOL_OK) {
        free(text);
        return result;
    }
    return add_fact(r, f, key, text);
}

static int take_entries(reading *r, schema_file *f)
{
    utet_tiledb_entry entry;
    utet_status status;

    for (status = utet_tiledb_entry_first(&f->tile, &entry); status == UTET_OK;
         status = utet_tiledb_entry_next(&f->tile, &entry)) {
        const int news = is_news(r, f, &entry.key);

        if (news < 0 || (news > 0 && !entry.deleted && keep(r, f, entry.key, &entry, NULL) != TOOL_OK))
            return TOOL_ERROR;
    }
    return status == UTET_END ? TOOL_OK : schema_fail(f, status);
}

static int take_members(reading *r, schema_file *f, const utet_tiledb_stamp *stamp)
{
    utet_tiledb_member member;
    utet_status status;
    /* TileDB uses the name of the last file. */
    const int alone = stamp->version <= 1;

    if (r->facts->version == 0)
        r->facts->version = f->group.version;
    for (status = utet_tiledb_member_first(&f->group, &member); status == UTET_OK;
         status = utet_tiledb_member_next(&f->group, &member)) {
        const utet_tiledb_text key = member.named ? member.name : member.uri;
        const int news = is_news(r, f, &key);

        if (news < 0 ||
            (news > 0 && (!member.deleted || f->group.version == 1) && keep(r, f, key, NULL, &member) != TOOL_OK))
            return TOOL_ERROR;
    }
    r->all_read = alone;
    return status == UTET_END ? TOOL_OK : schema_fail(f, status);
}

/* Prints a list of files that do not count. */
static int take_list(const reading *r, utet_tiledb_files *files, const char *path)
{
    options at = *r->opt;
    source s;
    utet_status status = UTET_E_BUDGET;
    int result;

    memset(&s, 0, sizeof s);
    at.file = path;
    result = source_prepare(&s, &at);
    if (result == TOOL_OK) {
        s.work_length = (size_t)UTET_WINDOW_BEST(1);
        s.work = malloc(s.work_length);
        if (s.work != NULL)
            status = utet_init(&s.file, &s.reading.io, s.work, s.work_length, NULL);
        if (status == UTET_OK)
            status = utet_tiledb_files_vacuum(files, &s.file);
        if (status != UTET_OK)
            result = source_fail(&s, status);
    }
    source_end(&s);
    return result;
}

/* Reads the facts of one file; a damaged file is recorded once. */
static int take_file(reading *r, utet_tiledb_files *files)
{
    schema_file f;
    char *path;
    int result;

    if (damaged_already(r->facts, files->name))
        return TOOL_OK;
    path = schema_joined(r->folder, files->name);
    if (path == NULL)
        return no_memory(r->folder);
    if (files->is_list) {
        result = take_list(r, files, path);
    } else {
        result = schema_open(&f, r->opt, path, r->kind);
        if (result == TOOL_OK && r->kind == SCHEMA_KIND_GROUP)
            result = take_members(r, &f, &files->stamp);
        else if (result == TOOL_OK)
            result = take_entries(r, &f);
        schema_close(&f);
    }
    free(path);
    if (result != TOOL_OK && !r->grow)
        (void)add_damaged(r->facts, files->name);
    return result;
}

/* Lists the folder, in as much memory as it needs. UTET_E_NOT_FOUND: the folder does not exist, so it has no facts. */
static int list_files(utet_tiledb_files *files, void **memory, const options *opt, const char *folder)
{
    utet_posix_folder port;
    utet_status status;
    size_t size = 64;

    utet_posix_folder_init(&port);
    do {
        free(*memory);
        *memory = malloc(size);
        if (*memory == NULL)
            return no_memory(folder);
        status = utet_tiledb_files_open(files, &port.folder, folder, opt->at, *memory, size);
        size = files->needed;
    } while (status == UTET_E_SPACE);
    if (status <= UTET_E_PORT)
        return fail(folder, "folder", NO_OFFSET, "cannot list: %s", strerror(port.error));
    return TOOL_OK;
}

/* Reads the folder once, with room for `size` bytes of keys. */
static int read_folder(reading *r, size_t size)
{
    utet_tiledb_files files;
    void *names = NULL;
    void *memory = malloc(size);
    int result = memory != NULL ? list_files(&files, &names, r->opt, r->folder) : no_memory(r->folder);

    r->grow = 0;
    r->all_read = 0;
    if (result == TOOL_OK) {
        (void)utet_tiledb_keys_init(&r->keys, memory, size);
        while (!r->grow && !r->all_read && utet_tiledb_files_next(&files) == UTET_OK)
            (void)take_file(r, &files);
    }
    free(names);
    free(memory);
    return result;
}

int schema_facts_of(schema_facts *facts, const options *opt, const char *folder, int kind)
{
    reading r = {facts, opt, folder, kind, {0, 0, {NULL, 0, 0}}, 0, 0, 0};
    size_t size = FIRST_MEMORY;
    int result;

    memset(facts, 0, sizeof *facts);
    for (;;) {
        result = read_folder(&r, size);
        if (!r.grow)
            break;
        if (size >= TOOL_MOST_WORKSPACE)
            return fail(folder, "folder", NO_OFFSET, "the keys of all files together are longer than utet allows");
        size *= 4;
        forget(facts);
    }
    if (facts->count > 0)
        qsort(facts->all, facts->count, sizeof *facts->all, by_key);
    return facts->damaged_count > 0 ? TOOL_ERROR : result;
}

void schema_facts_put(const schema_facts *facts, const options *opt, const char *key, const char *title)
{
    size_t i;

    if (opt->json)
        printf("\"%s\":[", key);
    else
        printf("\n### %s ###\n", title);
    for (i = 0; i < facts->count; i++) {
        if (opt->json)
            printf("%s{%s}", i > 0 ? "," : "", facts->all[i].text);
        else
            fputs(facts->all[i].text, stdout);
    }
    if (opt->json)
        putchar(']');
    if (opt->json && facts->damaged_count > 0)
        printf(",\"%s_damaged\":[", key);
    for (i = 0; i < facts->damaged_count; i++)
        printf(opt->json ? "%s\"%s\"" : "%s- %s: damaged\n", opt->json && i > 0 ? "," : "", facts->damaged[i]);
    if (opt->json && facts->damaged_count > 0)
        putchar(']');
}
