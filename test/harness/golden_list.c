/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* See golden_list.h. Folders: TEST_ROOT (the project's test/) and TEST_SHARED come from the environment. */
#include "golden_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void stop(const char *what, const char *which)
{
    fprintf(stderr, "golden list: %s: %s\n", what, which);
    exit(3);
}

static const char *folder(const char *variable, const char *otherwise)
{
    const char *value = getenv(variable);
    return value != NULL ? value : otherwise;
}

/* malloc'ed, with a 0 after it; NULL if the file cannot be read. */
static uint8_t *slurp(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    if (f == NULL)
        return NULL;
    size_t room = 1 << 16, n = 0, got;
    uint8_t *bytes = malloc(room + 1);
    while (bytes != NULL && (got = fread(bytes + n, 1, room - n, f)) > 0) {
        n += got;
        if (n == room)
            bytes = realloc(bytes, (room *= 2) + 1);
    }
    fclose(f);
    if (bytes == NULL)
        stop("out of memory", path);
    bytes[n] = 0;
    *size = n;
    return bytes;
}

static void begin_file(golden_list *list, const golden_line *l)
{
    golden_file *f = &list->files[list->count++];
    if (l->word[5] == NULL)
        stop("short file line", l->word[1] ? l->word[1] : "?");
    f->where = l->word[1];
    f->name = l->word[2];
    f->size = strtoull(l->word[3], NULL, 10);
    f->sha256 = l->word[4];
    f->good = strcmp(l->word[5], "good") == 0;
}

golden_list golden_load(void)
{
    golden_list list = {0};
    char path[600];
    size_t size, lines = 0, files = 0;
    snprintf(path, sizeof path, "%s/golden/golden.txt", folder("TEST_ROOT", "test"));
    char *text = (char *)slurp(path, &size);
    if (text == NULL)
        stop("cannot read", path);
    for (const char *p = text; *p; p++)
        lines += *p == '\n';
    for (const char *p = text; p != NULL; p = strchr(p, '\n') ? strchr(p, '\n') + 1 : NULL)
        files += strncmp(p, "file ", 5) == 0;
    list.priv_text = text;
    list.priv_lines = calloc(lines + 1, sizeof *list.priv_lines);
    list.files = calloc(files + 1, sizeof *list.files);
    if (list.priv_lines == NULL || list.files == NULL)
        stop("out of memory", path);
    golden_line *line = list.priv_lines;
    for (char *p = text, *end; (end = strchr(p, '\n')) != NULL; p = end + 1) {
        unsigned words = 0;
        *end = 0;
        if (*p == '#' || *p == 0)
            continue;
        for (char *w = strtok(p, " "); w != NULL; w = strtok(NULL, " ")) {
            if (words == GOLDEN_WORDS)
                stop("too many words", line->word[0]);
            line->word[words++] = w;
        }
        if (strcmp(line->word[0], "file") == 0) {
            begin_file(&list, line);
            list.files[list.count - 1].lines = line + 1;
        } else if (list.count == 0) {
            stop("line before the first file", line->word[0]);
        } else {
            list.files[list.count - 1].line_count++;
        }
        line++;
    }
    return list;
}

void golden_free(golden_list *list)
{
    free(list->files);
    free(list->priv_lines);
    free(list->priv_text);
}

uint8_t *golden_bytes(const golden_file *f, char why[300])
{
    char path[900];
    size_t size;
    if (strncmp(f->where, "shared/", 7) == 0)
        snprintf(path, sizeof path, "%s/%s/%s", folder("TEST_SHARED", "../shared"), f->where + 7, f->name);
    else
        snprintf(path, sizeof path, "%s/%s/%s", folder("TEST_ROOT", "test"), f->where, f->name);
    uint8_t *bytes = slurp(path, &size);
    if (bytes == NULL) {
        if (strncmp(f->where, "shared/", 7) != 0)
            stop("cannot read", path);
        snprintf(why, 300, "%s is not in the project and %s is not there", f->name, f->where);
        return NULL;
    }
    if (size != f->size)
        stop("wrong size", path);
    uint8_t *exact = malloc(size ? size : 1); /* without the null: reading past the end is then noticed by ASan */
    if (exact == NULL)
        stop("out of memory", path);
    memcpy(exact, bytes, size);
    free(bytes);
    return exact;
}

const golden_line *golden_line_of(const golden_file *f, const char *keyword)
{
    for (size_t i = 0; i < f->line_count; i++)
        if (strcmp(f->lines[i].word[0], keyword) == 0)
            return &f->lines[i];
    return NULL;
}

const golden_line *golden_next(const golden_file *f, const golden_line *line)
{
    for (size_t i = (size_t)(line - f->lines) + 1; i < f->line_count; i++)
        if (strcmp(f->lines[i].word[0], line->word[0]) == 0)
            return &f->lines[i];
    return NULL;
}

int golden_among(const char *list, const char *name)
{
    size_t n = strlen(name);
    for (const char *p = list; p != NULL; p = strchr(p, ',') ? strchr(p, ',') + 1 : NULL)
        if (strncmp(p, name, n) == 0 && (p[n] == ',' || p[n] == 0))
            return 1;
    return strcmp(list, "ANY") == 0;
}

unsigned golden_numbers(const char *text, uint64_t *numbers, unsigned room)
{
    unsigned n = 0;
    char *end;
    while (n < room) {
        numbers[n++] = strtoull(text, &end, 10);
        if (*end != 'x' && *end != ':')
            break;
        text = end + 1;
    }
    return n;
}

int golden_footer_fault(const golden_file *f)
{
    return golden_line_of(f, "metadata") != NULL || golden_line_of(f, "payloads") != NULL;
}

size_t golden_name(const char *quoted, char *name, size_t room)
{
    size_t n = 0;
    if (strcmp(quoted, "%") == 0)
        return 0;
    for (const char *p = quoted; *p && n < room; p++) {
        unsigned byte = (unsigned char)*p;
        if (*p == '%') {
            sscanf(p + 1, "%2x", &byte);
            p += 2;
        }
        name[n++] = (char)byte;
    }
    return n;
}
