/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* NumPy's .npz: a zip archive of .npy members; others are named on standard error and skipped, as NumPy
 * gives no array of it. Stored members are read from the archive, deflated ones are inflated by zlib into a scratch
 * file.
 * Sizes and checksums stated in the archive are compared with its contents. */
#define _XOPEN_SOURCE 700
#include "shared/near.h"
#include "pack.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#ifndef TOOL_NO_ZLIB
#include <zlib.h>
#endif

#define PIECE ((size_t)64 << 10)

typedef struct member {
    const char *path;
    char *name;
    int locked;
    int fd;
    uint64_t offset; /* offset of its data */
    uint64_t stored;
    uint64_t size;
    uint32_t crc;
    unsigned method;
} member;

static int read_exactly(int fd, void *to, size_t size, uint64_t offset)
{
    return pack_read_at(fd, to, size, offset) == (ssize_t)size;
}

static int damaged(const char *path)
{
    return fail(path, NULL, NO_OFFSET, "damaged or truncated .npz archive");
}

static int damaged_member(const member *m)
{
    return fail(m->path, "archive", m->offset,
                "member \"%s\" is damaged: its size or checksum differs from the archive's", m->name);
}

#ifndef TOOL_NO_ZLIB
/* The elements go nowhere when `to` is -1: the first `most` of them are enough then. */
typedef struct unpacked {
    int to;
    uint64_t most;
    uint8_t *first; /* the first FIRST bytes */
    uint64_t total;
    uLong crc;
} unpacked;

#define FIRST 6u /* NumPy's magic */

static int take_piece(const member *m, unpacked *u, const uint8_t *data, size_t size)
{
    size_t i;

    for (i = 0; i < size && u->total + i < FIRST; i++)
        u->first[u->total + i] = data[i];
    u->crc = crc32(u->crc, data, (uInt)size);
    u->total += size;
    return u->to < 0 ? TOOL_OK : pack_write_all(m->path, u->to, data, size);
}

/* A member that is stored as it is. */
static int read_stored(const member *m, unpacked *u, uint8_t *pieces)
{
    const uint64_t all = m->stored < u->most ? m->stored : u->most;

    while (u->total < all) {
        const size_t some = all - u->total < PIECE ? (size_t)(all - u->total) : PIECE;

        if (!read_exactly(m->fd, pieces, some, m->offset + u->total))
            return damaged(m->path);
        if (take_piece(m, u, pieces, some) != TOOL_OK)
            return TOOL_ERROR;
    }
    return TOOL_OK;
}

static int inflate_pieces(const member *m, unpacked *u, uint8_t *pieces, z_stream *z)
{
    uint64_t left = m->stored;
    uint64_t offset = m->offset;
    int state = Z_OK;

    while (state != Z_STREAM_END && u->total < u->most) {
        if (z->avail_in == 0 && left > 0) {
            const size_t some = left < PIECE ? (size_t)left : PIECE;

            if (!read_exactly(m->fd, pieces, some, offset))
                return damaged(m->path);
            z->next_in = pieces;
            z->avail_in = (uInt)some;
            offset += some;
            left -= some;
        }
        z->next_out = pieces + PIECE;
        z->avail_out = (uInt)PIECE;
        state = inflate(z, Z_NO_FLUSH);
        if ((state != Z_OK && state != Z_STREAM_END) || u->total + (PIECE - z->avail_out) > m->size)
            return damaged_member(m);
        if (take_piece(m, u, pieces + PIECE, PIECE - z->avail_out) != TOOL_OK)
            return TOOL_ERROR;
    }
    return state == Z_STREAM_END && (left > 0 || z->avail_in > 0) ? damaged_member(m) : TOOL_OK;
}

/* Unpacks a member, or its beginning. A complete member is compared with the size and the checksum that the archive
 * states. */
static int unpack(const member *m, unpacked *u)
{
    uint8_t *const pieces = malloc(2 * PIECE);
    z_stream z;
    int result;

    memset(&z, 0, sizeof z);
    if (pieces == NULL || inflateInit2(&z, -15) != Z_OK) {
        free(pieces);
        return fail(m->path, NULL, NO_OFFSET, "not enough memory");
    }
    u->total = 0;
    u->crc = crc32(0, NULL, 0);
    result = m->method == 0 ? read_stored(m, u, pieces) : inflate_pieces(m, u, pieces, &z);
    if (result == TOOL_OK && u->most == UINT64_MAX && (u->total != m->size || u->crc != m->crc))
        result = damaged_member(m);
    (void)inflateEnd(&z);
    free(pieces);
    return result;
}

/* Returns nonzero if the member is an array: it begins with NumPy's magic, whatever its name. */
static int look_at(const member *m, int *array)
{
    uint8_t first[FIRST] = {0};
    unpacked u = {-1, FIRST, first, 0, 0};

    if (unpack(m, &u) != TOOL_OK)
        return TOOL_ERROR;
    *array = memcmp(first, "\x93NUMPY", FIRST) == 0;
    return TOOL_OK;
}

static int unpack_all(const member *m, int to)
{
    uint8_t first[FIRST];
    unpacked u = {to, UINT64_MAX, first, 0, 0};

    return unpack(m, &u);
}

#else
static int look_at(const member *m, int *array)
{
    uint8_t first[6] = {0};

    if (m->method != 0)
        return fail(m->path, 0, NO_OFFSET,
                    "compressed .npz is not supported: this utet was built without zlib; save with numpy.savez");
    *array = m->size >= sizeof first && read_exactly(m->fd, first, sizeof first, m->offset) &&
             memcmp(first, "\x93NUMPY", 6) == 0;
    return TOOL_OK;
}

static int unpack_all(const member *m, int to)
{
    (void)m; /* no checksums without zlib */
    (void)to;
    return TOOL_OK;
}
#endif

static int open_member(pack_inputs *all, const member *m)
{
    int scratch;

    if (m->method == 0)
        return unpack_all(m, -1) == TOOL_OK ? pack_npy_open(all, m->path, m->fd, m->offset, m->size, m->name)
                                            : TOOL_ERROR;
    scratch = pack_scratch(m->path);
    if (scratch < 0 || pack_inputs_keep(all, scratch) != TOOL_OK || unpack_all(m, scratch) != TOOL_OK)
        return TOOL_ERROR;
    return pack_npy_open(all, m->path, scratch, 0, m->size, m->name);
}

/* One array, or something else, which `only` asks for or nobody. */
static int take_member(pack_inputs *all, member *m, const char *only, near_name *near)
{
    size_t length = strlen(m->name);
    const int named = length > 4 && strcmp(m->name + length - 4, ".npy") == 0;
    int array = 0;

    if (named)
        m->name[length -= 4] = '\0';
    if (only != NULL && strcmp(only, m->name) != 0) {
        near_add(near, m->name, length);
        return TOOL_OK;
    }
    if (m->locked)
        return fail(m->path, "archive", m->offset, "member \"%s\" is encrypted", m->name);
    if (m->method != 0 && m->method != 8) {
        if (named)
            return fail(m->path, "archive", m->offset, "member \"%s\": unsupported compression method", m->name);
    } else if (look_at(m, &array) != TOOL_OK) {
        return TOOL_ERROR;
    }
    if (array)
        return open_member(all, m);
    if (only != NULL)
        return fail(m->path, "archive", m->offset, "member \"%s\" is not an array", m->name);
    if (named && unpack_all(m, -1) != TOOL_OK) /* it was one, perhaps */
        return TOOL_ERROR;
    notice(m->path, "archive", "member \"%s%s\" is not an array, and is skipped", m->name, named ? ".npy" : "");
    return TOOL_OK;
}

/* Sizes and offsets of 64 bits are in an extra field, those that did not fit in this order. */
static void take_zip64(member *m, const uint8_t *extra, size_t length, uint64_t *header)
{
    while (length >= 4) {
        const size_t size = (size_t)load_le(extra + 2, 2);

        if (size > length - 4)
            return;
        if (load_le(extra, 2) == 1) {
            uint64_t *const fields[3] = {&m->size, &m->stored, header};
            size_t at = 0;
            size_t i;

            for (i = 0; i < 3; i++)
                if (*fields[i] == UINT32_MAX && at + 8 <= size) {
                    *fields[i] = load_le(extra + 4 + at, 8);
                    at += 8;
                }
        }
        extra += 4 + size;
        length -= 4 + size;
    }
}

/* The offset of the member's data: after its local header, which names it again. */
static int find_data(member *m, uint64_t header, uint64_t file_size, size_t name_length)
{
    uint8_t local[30];
    char *name;
    int same;

    if (header > file_size || file_size - header < sizeof local || !read_exactly(m->fd, local, sizeof local, header) ||
        memcmp(local, "PK\003\004", 4) != 0 || load_le(local + 26, 2) != name_length)
        return damaged(m->path);
    name = malloc(name_length + 1);
    if (name == NULL)
        return fail(m->path, NULL, NO_OFFSET, "not enough memory");
    same = read_exactly(m->fd, name, name_length, header + sizeof local) && memcmp(name, m->name, name_length) == 0;
    free(name);
    m->offset = header + sizeof local + name_length + load_le(local + 28, 2);
    if (!same || load_le(local + 8, 2) != m->method || m->offset > file_size || m->stored > file_size - m->offset ||
        (m->method == 0 && m->size != m->stored))
        return damaged(m->path);
    return TOOL_OK;
}

/* One entry of the central directory, `left` bytes at most; *used: its length, 0 when it is damaged. */
static int take_entry(pack_inputs *all, member *m, const uint8_t *entry, size_t left, uint64_t file_size,
                      const char *only, size_t *used, near_name *near)
{
    uint64_t header;
    size_t name_length;
    size_t extra_length;
    int result;

    *used = 0;
    if (left < 46 || memcmp(entry, "PK\001\002", 4) != 0)
        return damaged(m->path);
    name_length = (size_t)load_le(entry + 28, 2);
    extra_length = (size_t)load_le(entry + 30, 2);
    if (46 + name_length + extra_length + load_le(entry + 32, 2) > left)
        return damaged(m->path);
    *used = 46 + name_length + extra_length + (size_t)load_le(entry + 32, 2);
    m->locked = (load_le(entry + 8, 2) & 1) != 0;
    m->method = (unsigned)load_le(entry + 10, 2);
    m->crc = (uint32_t)load_le(entry + 16, 4);
    m->stored = load_le(entry + 20, 4);
    m->size = load_le(entry + 24, 4);
    header = load_le(entry + 42, 4);
    take_zip64(m, entry + 46 + name_length, extra_length, &header);
    m->name = malloc(name_length + 1);
    if (m->name == NULL)
        return fail(m->path, NULL, NO_OFFSET, "not enough memory");
    memcpy(m->name, entry + 46, name_length);
    m->name[name_length] = '\0';
    result = strlen(m->name) == name_length
                 ? find_data(m, header, file_size, name_length)
                 : fail(m->path, "archive", header, "the name of a member contains a zero byte, after \"%s\"", m->name);
    if (result == TOOL_OK)
        result = take_member(all, m, only, near);
    free(m->name);
    return result;
}

/* The offset of the central directory: the end record is within the last 64 KB. */
static int find_directory(int fd, uint64_t size, uint64_t *offset, uint64_t *length, uint64_t *entries)
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
        *entries = load_le(bytes + at + 10, 2);
        *length = load_le(bytes + at + 12, 4);
        *offset = load_le(bytes + at + 16, 4);
        if ((*entries == UINT16_MAX || *length == UINT32_MAX || *offset == UINT32_MAX) && at >= 20 &&
            memcmp(bytes + at - 20, "PK\006\007", 4) == 0 &&
            read_exactly(fd, wide, sizeof wide, load_le(bytes + at - 12, 8)) && memcmp(wide, "PK\006\006", 4) == 0) {
            *entries = load_le(wide + 32, 8);
            *length = load_le(wide + 40, 8);
            *offset = load_le(wide + 48, 8);
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
    uint64_t entries = 0;
    uint8_t *directory;
    size_t at = 0;
    uint64_t count = 0;
    near_name near;
    char words[96];
    int result = TOOL_OK;

    near_begin(&near, only != NULL ? only : "", only != NULL ? strlen(only) : 0);
    if (!find_directory(fd, size, &offset, &length, &entries))
        return damaged(path);
    directory = malloc((size_t)length + 1);
    if (directory == NULL)
        return fail(path, NULL, NO_OFFSET, "not enough memory");
    if (!read_exactly(fd, directory, (size_t)length, offset))
        result = damaged(path);
    while (result == TOOL_OK && at < length) {
        member m = {path, NULL, 0, fd, 0, 0, 0, 0, 0};
        size_t used;

        result = take_entry(all, &m, directory + at, (size_t)length - at, size, only, &used, &near);
        at += used;
        count++;
    }
    if (result == TOOL_OK && count != entries)
        result = damaged(path);
    free(directory);
    if (result == TOOL_OK && all->count == before)
        return only != NULL
                   ? fail(path, "dataset", NO_OFFSET, "no array named \"%s\"%s", only, near_words(&near, words))
                   : fail(path, NULL, NO_OFFSET, "the archive contains no arrays");
    return result;
}
