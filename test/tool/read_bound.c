/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The minimum cost of reading a .tet file: read_bound IN.tet OUT SIDE TILE. One dataset of SIDE x SIDE elements of 4
 * bytes in tiles of TILE x TILE, rows in order: each payload is read (a MiB at a time), decoded by libzstd, its lines
 * are copied to where they belong in a band of 4 MiB, and bands are written. Nothing is checked.
 */
#define _XOPEN_SOURCE 700
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#define AHEAD ((size_t)1 << 20)
#define BAND ((size_t)4 << 20)
#define ROW 104u

typedef struct input {
    int fd;
    uint64_t at;
    size_t have;
    uint8_t buffer[2 * AHEAD];
} input;

static const uint8_t *bytes(input *in, uint64_t offset, size_t length)
{
    if (offset < in->at || offset + length > in->at + in->have) {
        const ssize_t got = pread(in->fd, in->buffer, length > AHEAD ? length : AHEAD, (off_t)offset);

        in->at = offset;
        in->have = got < 0 ? 0 : (size_t)got;
        if (in->have < length)
            exit(1);
    }
    return in->buffer + (offset - in->at);
}

static uint64_t number(const uint8_t *at)
{
    uint64_t n;

    memcpy(&n, at, sizeof n); /* little-endian machines */
    return n;
}

static void put(int fd, const uint8_t *band, size_t size, uint64_t offset)
{
    if (pwrite(fd, band, size, (off_t)offset) != (ssize_t)size)
        exit(1);
}

int main(int argc, char **argv)
{
    static input in;
    const size_t side = argc == 5 ? strtoul(argv[3], NULL, 10) : 0;
    const size_t tile = argc == 5 ? strtoul(argv[4], NULL, 10) : 0;
    const size_t lines = tile != 0 ? BAND / (4 * side) / tile * tile : 0; /* of a band */
    const size_t count = tile != 0 ? (side / tile) * (side / tile) : 0;
    uint8_t *const band = malloc(BAND);
    uint8_t *const whole = malloc(4 * tile * tile + 1);
    uint8_t *const rows = malloc(count * ROW + 1);
    ZSTD_DCtx *const zstd = ZSTD_createDCtx();
    int out;
    size_t begin = 0;
    size_t i;
    size_t line;

    if (lines == 0 || side % tile != 0 || side % lines != 0 || band == NULL || whole == NULL || rows == NULL)
        return 2;
    in.fd = open(argv[1], O_RDONLY);
    out = open(argv[2], O_CREAT | O_TRUNC | O_WRONLY, 0666);
    if (in.fd < 0 || out < 0 ||
        pread(in.fd, rows, count * ROW, (off_t)number(bytes(&in, 16, 8)) + 32) != (ssize_t)(count * ROW))
        return 1;
    for (i = 0; i < count; i++) {
        const uint8_t *const row = rows + i * ROW;
        const size_t down = (size_t)number(row + 8) * tile;
        const size_t across = (size_t)number(row + 16) * tile;
        const uint8_t *from = bytes(&in, number(row + 72), (size_t)number(row + 88));

        if (down - begin >= lines) {
            put(out, band, BAND, 4 * begin * side);
            begin = down;
        }
        if (row[96] != 0) {
            if (ZSTD_decompressDCtx(zstd, whole, 4 * tile * tile, from, (size_t)number(row + 88)) != 4 * tile * tile)
                return 1;
            from = whole;
        }
        for (line = 0; line < tile; line++)
            memcpy(band + 4 * ((down - begin + line) * side + across), from + 4 * line * tile, 4 * tile);
    }
    put(out, band, BAND, 4 * begin * side);
    return close(out) != 0;
}
