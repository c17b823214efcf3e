/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target "folder": the input is a byte that chooses memory, time and port; the names of a folder, one per line, up
 * to an empty line; then a list of files that do not count any more. The files that are delivered, and their order, do
 * not depend on memory or port, and are those that the times in the names require.
 */
#include "fuzz.h"
#include "utet_tiledb_folder.h"

enum { MOST = 1 << 13 };

static const char *names, *next_name, *names_end;

static utet_status open_folder(void *ctx, const char *path)
{
    (void)ctx;
    (void)path;
    next_name = names;
    return UTET_OK;
}

static utet_status next_of_folder(void *ctx, char *name, size_t size, int *is_folder)
{
    (void)ctx;
    while (next_name < names_end) {
        const char *line = next_name;
        const char *end = memchr(line, '\n', (size_t)(names_end - line));
        const size_t length = (size_t)((end != NULL ? end : names_end) - line);

        next_name = line + length + 1;
        if (length >= size || memchr(line, 0, length) != NULL)
            continue;
        memcpy(name, line, length);
        name[length] = 0;
        *is_folder = length != 0 && name[length - 1] == '/';
        return UTET_OK;
    }
    return UTET_END;
}

static void close_folder(void *ctx)
{
    (void)ctx;
}

/* Digest of what is delivered; 0: the memory is too small, and *room would suffice. */
static uint64_t go(const uint8_t *list, size_t size, unsigned how, uint64_t at, size_t *room)
{
    static const utet_folder folder = {NULL, open_folder, next_of_folder, close_folder};
    static uint64_t work[100];
    static faultport port;
    static utet_file file;
    utet_tiledb_files files;
    utet_tiledb_stamp before = {UINT64_MAX, UINT64_MAX, 0};
    guard memory = guard_new(*room != 0 ? *room : 8, 8, GUARD_AFTER);
    uint64_t digest = 14695981039346656037u;
    uint32_t handed = 0;
    int others = 0;
    utet_status status = utet_tiledb_files_open(&files, &folder, "x", at, memory.data, *room);

    FUZZ_CHECK(status == UTET_OK || status == UTET_E_SPACE);
    FUZZ_CHECK((status == UTET_OK) == (files.needed <= (*room & ~(size_t)7)));
    *room = files.needed;
    while (status == UTET_OK && (status = utet_tiledb_files_next(&files)) == UTET_OK) {
        const char *c = files.name;

        FUZZ_CHECK(++handed <= files.count);
        FUZZ_CHECK(files.stamp.last <= at);
        FUZZ_CHECK(!(files.is_list && others)); /* lists come first */
        if (!files.is_list) {
            FUZZ_CHECK(files.stamp.first <= before.first);
            before = files.stamp;
            others = 1;
        }
        do
            digest = (digest ^ (uint8_t)*c) * 1099511628211u;
        while (*c++ != 0);
        if (files.is_list) {
            faultport_init(&port, list, size);
            port.slice = (how & 1) != 0 ? 5 : SLICE_ALL;
            port.blocks = (how & 2) != 0;
            FUZZ_CHECK(utet_init(&file, &port.io, work, sizeof work, NULL) == UTET_OK);
            do
                status = utet_tiledb_files_vacuum(&files, &file);
            while (status == UTET_WOULD_BLOCK);
            FUZZ_CHECK(status == UTET_OK && port.violations == 0);
        }
    }
    FUZZ_CHECK(status == UTET_END || status == UTET_E_SPACE);
    FUZZ_CHECK(guard_intact(&memory));
    guard_free(&memory);
    return status == UTET_END ? digest | 1 : 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *list;
    uint64_t digest, at;
    size_t room = 0;

    if (size < 1 || size > MOST)
        return 0;
    names = (const char *)data + 1;
    names_end = (const char *)data + size;
    for (list = data + 1; list < data + size; list++)
        if (*list == '\n' && list + 1 < data + size && list[1] == '\n')
            break;
    names_end = (const char *)list;
    list = list + 2 < data + size ? list + 2 : data + size;
    at = (data[0] & 4) != 0 ? UTET_TILEDB_NOW : (uint64_t)(data[0] >> 3) << 5;
    (void)go(list, (size_t)(data + size - list), data[0], at, &room); /* reports the sufficient size */
    digest = go(list, (size_t)(data + size - list), data[0], at, &room);
    FUZZ_CHECK(digest != 0);
    room += 1000;
    FUZZ_CHECK(go(list, (size_t)(data + size - list), data[0] ^ 3u, at, &room) == digest);
    return 0;
}
