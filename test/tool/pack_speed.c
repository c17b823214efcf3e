/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The program that pack_speed.py compares pack with: libzstd by itself, in memory, on the same tiles at the same level,
 * one context for all of them. Prints processor seconds of compressing and of decoding, and seconds of compressing by
 * the clock. Files of ROWS x COLUMNS elements of 4 bytes.
 *   pack_speed FILE ROWS COLUMNS TILE_ROWS TILE_COLUMNS LEVEL
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zstd.h>

static double seconds(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static char *load(const char *path, size_t rows, size_t columns, size_t height, size_t width)
{
    char *const all = malloc(rows * columns * 4);
    char *const tiles = malloc(rows * columns * 4);
    char *to = tiles;
    FILE *const in = fopen(path, "rb");
    size_t y;
    size_t x;
    size_t i;

    if (all == NULL || tiles == NULL || in == NULL || fread(all, 4, rows * columns, in) != rows * columns)
        exit(1);
    (void)fclose(in);
    for (y = 0; y < rows; y += height)
        for (x = 0; x < columns; x += width)
            for (i = 0; i < height; i++, to += 4 * width)
                memcpy(to, all + 4 * ((y + i) * columns + x), 4 * width);
    free(all);
    return tiles;
}

int main(int argc, char **argv)
{
    size_t number[6] = {0};
    size_t tile;
    size_t count;
    size_t room;
    size_t at = 0;
    size_t i;
    char *data;
    char *packed;
    char *back;
    size_t *size;
    double start;
    double middle;
    double elapsed;
    ZSTD_CCtx *const c = ZSTD_createCCtx();
    ZSTD_DCtx *const d = ZSTD_createDCtx();

    if (argc != 7)
        return 2;
    for (i = 0; i < 5; i++)
        number[i] = strtoul(argv[2 + i], NULL, 10);
    tile = 4 * number[2] * number[3];
    count = number[0] * number[1] * 4 / tile;
    room = ZSTD_compressBound(tile);
    data = load(argv[1], number[0], number[1], number[2], number[3]);
    packed = malloc(count * room);
    size = malloc(count * sizeof *size);
    back = malloc(tile);
    if (packed == NULL || size == NULL || back == NULL ||
        ZSTD_isError(ZSTD_CCtx_setParameter(c, ZSTD_c_compressionLevel, (int)number[4])))
        return 1;
    memset(packed, 1, count * room); /* the pages of the buffer exist */
    elapsed = seconds(CLOCK_MONOTONIC);
    start = seconds(CLOCK_PROCESS_CPUTIME_ID);
    for (i = 0; i < count; i++) {
        size[i] = ZSTD_compress2(c, packed + at, room, data + i * tile, tile);
        if (ZSTD_isError(size[i]))
            return 1;
        at += size[i];
    }
    middle = seconds(CLOCK_PROCESS_CPUTIME_ID);
    elapsed = seconds(CLOCK_MONOTONIC) - elapsed;
    for (at = 0, i = 0; i < count; at += size[i++])
        if (ZSTD_decompressDCtx(d, back, tile, packed + at, size[i]) != tile)
            return 1;
    printf("%.6f %.6f %.6f\n", middle - start, seconds(CLOCK_PROCESS_CPUTIME_ID) - middle, elapsed);
    return memcmp(back, data + (count - 1) * tile, tile) != 0;
}
