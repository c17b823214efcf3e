/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The files of a folder that count, in the order of their times (§1.1). The names are at the front of the memory, a
 * record for each at its end; the records are sorted, and the files are returned from the last one to the first.
 */
#include <stdint.h>

#if SIZE_MAX >= 0xFFFFFFFF /* else nothing is left of this file: utet_tiledb.h says so */

#include "tiledb_files.h"

#include <string.h>

utet_tiledb_found *utet_tiledb_found_files(const utet_tiledb_files *files)
{
    return (utet_tiledb_found *)(void *)(files->priv.memory + files->priv.size) - files->count;
}

int utet_tiledb_compare(const utet_tiledb_files *files, const utet_tiledb_found *file, uint64_t first, const char *name)
{
    const uint8_t *at = files->priv.memory + file->name;

    if (file->first != first)
        return file->first < first ? -1 : 1;
    while (*at == (uint8_t)*name && *at != '\0') {
        at++;
        name++;
    }
    return *at - (uint8_t)*name;
}

/* Returns nonzero if file `a` comes after file `b`: lists of files come last, because they are returned first. */
static int is_after(const utet_tiledb_files *files, const utet_tiledb_found *a, const utet_tiledb_found *b)
{
    if ((a->state ^ b->state) != 0)
        return a->state != 0;
    return utet_tiledb_compare(files, a, b->first, (const char *)files->priv.memory + b->name) > 0;
}

static void files_exchange(utet_tiledb_found *a, utet_tiledb_found *b)
{
    const utet_tiledb_found kept = *a;

    *a = *b;
    *b = kept;
}

/* Restores the heap of `count` records after a change of the record at `root`. */
static void files_sink(const utet_tiledb_files *files, utet_tiledb_found *heap, uint32_t root, uint32_t count)
{
    for (;;) {
        uint32_t child = 2 * root + 1;

        if (child >= count)
            return;
        if (child + 1 < count && is_after(files, &heap[child + 1], &heap[child]))
            child++;
        if (!is_after(files, &heap[child], &heap[root]))
            return;
        files_exchange(&heap[child], &heap[root]);
        root = child;
    }
}

static void files_sort(utet_tiledb_files *files)
{
    utet_tiledb_found *heap = utet_tiledb_found_files(files);
    uint32_t i;

    for (i = files->count / 2; i-- > 0;)
        files_sink(files, heap, i, files->count);
    for (i = files->count; i-- > 1;) {
        files_exchange(&heap[0], &heap[i]);
        files_sink(files, heap, 0, i);
    }
}

/* Takes note of the name at files->name, unless there is no more room: then `needed` alone grows. */
static void files_note(utet_tiledb_files *files, uint64_t at)
{
    enum { SUFFIX = 4 };
    utet_tiledb_found found;
    utet_tiledb_stamp stamp;
    const char *name = files->name;
    size_t length = 0;
    size_t stem;

    while (length < sizeof files->name && name[length] != '\0')
        length++;
    stem = length > SUFFIX && memcmp(name + (length - SUFFIX), ".vac", SUFFIX) == 0 ? length - SUFFIX : length;
    if (utet_tiledb_name(name, stem, &stamp) != UTET_OK || stamp.last > at)
        return;
    files->needed += length + 1 + sizeof found;
    if (files->needed > files->priv.size)
        return;
    found.first = stamp.first;
    found.name = files->priv.text;
    found.state = stem != length ? UTET_TILEDB_IS_LIST : 0;
    memcpy(files->priv.memory + found.name, name, length);
    files->priv.memory[found.name + length] = '\0';
    files->priv.text += (uint32_t)length + 1;
    files->count++;
    files->priv.lists += found.state;
    *utet_tiledb_found_files(files) = found;
}

utet_status utet_tiledb_files_open(utet_tiledb_files *files, const utet_folder *folder, const char *path, uint64_t at,
                                   void *memory, size_t size)
{
    int is_folder;
    utet_status status;

    memset(files, 0, sizeof *files);
    if (memory == NULL || ((uintptr_t)memory & 7) != 0)
        return UTET_E_ARGUMENT;
    files->priv.memory = memory;
    files->priv.size = (uint32_t)(size < UINT32_MAX ? size : UINT32_MAX) & ~(uint32_t)7;
    status = folder->open(folder->ctx, path);
    if (status != UTET_OK)
        return status;
    while ((status = folder->next(folder->ctx, files->name, sizeof files->name, &is_folder)) == UTET_OK)
        if (!is_folder)
            files_note(files, at);
    folder->close(folder->ctx);
    files->name[0] = '\0';
    files->needed = (files->needed + 7) & ~(size_t)7;
    if (status == UTET_END)
        status = files->needed > files->priv.size ? UTET_E_SPACE : UTET_OK;
    if (status != UTET_OK) {
        files->count = 0;
        return status;
    }
    files_sort(files);
    files->priv.left = files->count;
    return UTET_OK;
}

utet_status utet_tiledb_files_next(utet_tiledb_files *files)
{
    const utet_tiledb_found *found = utet_tiledb_found_files(files);
    const uint8_t *name;
    size_t length = 0;

    do {
        if (files->priv.left == 0)
            return UTET_END;
        files->priv.left--;
    } while (found[files->priv.left].state == UTET_TILEDB_IS_GONE);
    name = files->priv.memory + found[files->priv.left].name;
    do
        files->name[length] = (char)name[length];
    while (name[length++] != '\0');
    files->is_list = found[files->priv.left].state == UTET_TILEDB_IS_LIST;
    return utet_tiledb_name(files->name, length - (files->is_list ? 5 : 1), &files->stamp);
}

#endif
