/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* NumPy's .npz: a zip archive of .npy members. Stored members are read where they lie, deflated ones are inflated by
 * zlib into a scratch file. */
#define _XOPEN_SOURCE 700
#include "near.h"
#include "pack.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifndef TOOL_NO_ZLIB
#include <zlib.h>
#endif

#define PIECE ((size_t)64 << 10)

typedef struct member {
    const char *path;
    int fd;
    uint64_t offset; /* of its data */
    uint64_t stored;
    uint64_t size;
    uint32_t crc;
    unsigned method;
} member;

static uint64_t load(const uint8_t *at, unsigned bytes)
{
    uint64_t value = 0;

    while (bytes-- > 0)
        value = value << 8 | at[bytes];
    return value;
}

static int read_exactly(int fd, void *to, size_t size, uint64_t offset)
{
    return pread(fd, to, size, (off_t)offset) == (ssize_t)size;
}

static int damaged(const char *path)
{
    return fail(path, NULL, NO_OFFSET, "a damaged .npz archive, or the end of the file is missing");
}

#ifndef TOOL_NO_ZLIB
/* Inflates into `to`; what it gives must have the size and the checksum that the archive says. */
static int inflate_into(const member *m, int to)
{
    uint8_t *const pieces = malloc(2 * PIECE);
    uint64_t left = m->stored;
    uint64_t offset = m->offset;
    uint64_t total = 0;
    uLong crc = crc32(0, NULL, 0);
    z_stream z;
    int state = Z_OK;
    int result = TOOL_OK;

    memset(&z, 0, sizeof z);
    if (pieces == NULL || inflateInit2(&z, -15) != Z_OK) {
        free(pieces);
        return fail(m->path, NULL, NO_OFFSET, "not enough memory");
    }
    while (state != Z_STREAM_END && result == TOOL_OK) {
        if (z.avail_in == 0 && left > 0) {
            const size_t some = left < PIECE ? (size_t)left : PIECE;

            if (!read_exactly(m->fd, pieces, some, offset))
                break;
            z.next_in = pieces;
            z.avail_in = (uInt)some;
            offset += some;
            left -= some;
        }
        z.next_out = pieces + PIECE;
        z.avail_out = (uInt)PIECE;
        state = inflate(&z, Z_NO_FLUSH);
        if (state != Z_OK && state != Z_STREAM_END)
            break;
        crc = crc32(crc, pieces + PIECE, (uInt)(PIECE - z.avail_out));
        total += PIECE - z.avail_out;
        if (total > m->size)
            break;
        result = pack_write_all(m->path, to, pieces + PIECE, PIECE - z.avail_out);
    }
    if (result == TOOL_OK && (state != Z_STREAM_END || total != m->size || crc != m->crc))
        result = damaged(m->path);
    (void)inflateEnd(&z);
    free(pieces);
    return result;
}

#else
static int inflate_into(const member *m, int to)
{
    (void)to;
    return fail(m->path, 0, NO_OFFSET, "a compressed .npz, and this utet was built without zlib (numpy.savez stores)");
}
#endif

static int open_member(pack_inputs *all, const member *m, const char *name)
{
    int scratch;

    if (m->method == 0)
        return pack_npy_open(all, m->path, m->fd, m->offset, m->size, name);
    if (m->method != 8)
        return fail(m->path, NULL, NO_OFFSET, "member %s: compressed in a way that NumPy does not use", name);
    scratch = pack_scratch(m->path);
    if (scratch < 0 || pack_inputs_keep(all, scratch) != TOOL_OK || inflate_into(m, scratch) != TOOL_OK)
        return TOOL_ERROR;
    return pack_npy_open(all, m->path, scratch, 0, m->size, name);
}

/* Sizes and places of 64 bits stand in an extra field, those that did not fit in this order. */
static void take_zip64(member *m, const uint8_t *extra, size_t length, uint64_t *header)
{
    while (length >= 4) {
        const size_t size = (size_t)load(extra + 2, 2);

        if (size > length - 4)
            return;
        if (load(extra, 2) == 1) {
            uint64_t *const fields[3] = {&m->size, &m->stored, header};
            size_t at = 0;
            size_t i;

            for (i = 0; i < 3; i++)
                if (*fields[i] == UINT32_MAX && at + 8 <= size) {
                    *fields[i] = load(extra + 4 + at, 8);
                    at += 8;
                }
        }
        extra += 4 + size;
        length -= 4 + size;
    }
}

/* One entry of the central directory, `left` bytes at most; *used: its length, 0 when it is damaged. */
static int take_entry(pack_inputs *all, member *m, const uint8_t *entry, size_t left, uint64_t file_size,
                      const char *only, size_t *used, near_name *near)
{
    uint8_t local[30];
    uint64_t header;
    size_t name_length;
    size_t extra_length;
    char *name;
    int result;

    *used = 0;
    if (left < 46 || memcmp(entry, "PK\001\002", 4) != 0)
        return damaged(m->path);
    name_length = (size_t)load(entry + 28, 2);
    extra_length = (size_t)load(entry + 30, 2);
    if (46 + name_length + extra_length + load(entry + 32, 2) > left)
        return damaged(m->path);
    *used = 46 + name_length + extra_length + (size_t)load(entry + 32, 2);
    m->method = (unsigned)load(entry + 10, 2);
    m->crc = (uint32_t)load(entry + 16, 4);
    m->stored = load(entry + 20, 4);
    m->size = load(entry + 24, 4);
    header = load(entry + 42, 4);
    take_zip64(m, entry + 46 + name_length, extra_length, &header);
    if (header > file_size || file_size - header < sizeof local || !read_exactly(m->fd, local, sizeof local, header) ||
        memcmp(local, "PK\003\004", 4) != 0)
        return damaged(m->path);
    m->offset = header + sizeof local + load(local + 26, 2) + load(local + 28, 2);
    if (m->offset > file_size || m->stored > file_size - m->offset || (m->method == 0 && m->size != m->stored))
        return damaged(m->path);
    if (name_length > 4 && memcmp(entry + 46 + name_length - 4, ".npy", 4) == 0)
        name_length -= 4;
    name = malloc(name_length + 1);
    if (name == NULL)
        return fail(m->path, NULL, NO_OFFSET, "not enough memory");
    memcpy(name, entry + 46, name_length);
    name[name_length] = '\0';
    near_add(near, name, name_length);
    result = only == NULL || strcmp(only, name) == 0 ? open_member(all, m, name) : TOOL_OK;
    free(name);
    return result;
}

/* Where the central directory lies: the end record is within the last 64 KB. */
static int find_directory(int fd, uint64_t size, uint64_t *offset, uint64_t *length)
{
    const size_t most = 22 + 65535;
    const size_t tail = size < most ? (size_t)size : most;
    uint8_t *const bytes = malloc(tail + 1);
    uint8_t wide[56];
    size_t at;
    int found = 0;

    if (bytes == NULL || tail < 22 || !read_exactly(fd, bytes, tail, size - tail)) {
        free(bytes);
        return 0;
    }
    for (at = tail - 22 + 1; at-- > 0 && !found;) {
        if (memcmp(bytes + at, "PK\005\006", 4) != 0)
            continue;
        *length = load(bytes + at + 12, 4);
        *offset = load(bytes + at + 16, 4);
        if ((*length == UINT32_MAX || *offset == UINT32_MAX) && at >= 20 &&
            memcmp(bytes + at - 20, "PK\006\007", 4) == 0 &&
            read_exactly(fd, wide, sizeof wide, load(bytes + at - 12, 8)) && memcmp(wide, "PK\006\006", 4) == 0) {
            *length = load(wide + 40, 8);
            *offset = load(wide + 48, 8);
        }
        found = *offset <= size && *length <= size - *offset && *length <= (uint64_t)64 << 20;
    }
    free(bytes);
    return found;
}

int pack_npz_open(pack_inputs *all, const char *path, int fd, uint64_t size, const char *only)
{
    const size_t before = all->count;
    uint64_t offset = 0;
    uint64_t length = 0;
    uint8_t *directory;
    size_t at = 0;
    near_name near;
    char words[96];
    int result = TOOL_OK;

    near_begin(&near, only != NULL ? only : "", only != NULL ? strlen(only) : 0);
    if (!find_directory(fd, size, &offset, &length))
        return damaged(path);
    directory = malloc((size_t)length + 1);
    if (directory == NULL)
        return fail(path, NULL, NO_OFFSET, "not enough memory");
    if (!read_exactly(fd, directory, (size_t)length, offset))
        result = damaged(path);
    while (result == TOOL_OK && at < length) {
        member m = {path, fd, 0, 0, 0, 0, 0};
        size_t used;

        result = take_entry(all, &m, directory + at, (size_t)length - at, size, only, &used, &near);
        at += used;
    }
    free(directory);
    if (result == TOOL_OK && all->count == before)
        return only != NULL
                   ? fail(path, "dataset", NO_OFFSET, "no array is called \"%s\"%s", only, near_words(&near, words))
                   : fail(path, NULL, NO_OFFSET, "no arrays in this archive");
    return result;
}
