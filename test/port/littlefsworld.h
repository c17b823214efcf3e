/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* What the suites of port/littlefs share: volumes in memory, with the geometry of a NOR flash, of a microcontroller's
 * own flash and of an SD card. */
#ifndef LITTLEFSWORLD_H
#define LITTLEFSWORLD_H

#include "demo_files.h"
#include "suite.h"
#include "utet_littlefs.h"

#include <stdio.h>
#include <string.h>

#define VOLUME ((size_t)1 << 20)
#define CACHE_MOST 512
#define LONG_NAME "Messwerte \xC3\xBC\x62\x65r dem \xC3\x84quator, Station 17.tet"

static const struct geometry {
    const char *name;
    uint16_t read, prog, block, cache;
} geometries[] = {{"NOR flash", 1, 256, 4096, 256},
                  {"internal flash", 8, 8, 2048, 64},
                  {"SD card", 512, 512, 4096, 512},
                  {"SD card, small blocks", 512, 512, 512, 512}};
#define GEOMETRIES (sizeof geometries / sizeof geometries[0])

static lfs_t volume;
static utet_littlefs port;
static uint8_t cache[CACHE_MOST];
static uint64_t work[40960 / 8];

/* ---- the medium ---- */

static struct medium {
    uint8_t bytes[VOLUME];
    uint32_t calls;   /* calls of read */
    uint32_t read;    /* bytes */
    uint32_t fail_at; /* the call with this number (from 1) fails; 0: none */
    int fail_on;      /* 1: so do all later ones */
} medium;

static inline int medium_read(const struct lfs_config *c, lfs_block_t block, lfs_off_t off, void *to, lfs_size_t size)
{
    medium.calls++;
    if (medium.fail_at != 0 && (medium.calls == medium.fail_at || (medium.fail_on && medium.calls > medium.fail_at))) {
        memset(to, 0x5A, size); /* the bytes that a failed transfer leaves */
        return LFS_ERR_IO;
    }
    medium.read += size;
    memcpy(to, medium.bytes + (size_t)block * c->block_size + off, size);
    return 0;
}

static inline int medium_prog(const struct lfs_config *c, lfs_block_t block, lfs_off_t off, const void *from,
                              lfs_size_t size)
{
    memcpy(medium.bytes + (size_t)block * c->block_size + off, from, size);
    return 0;
}

static inline int medium_erase(const struct lfs_config *c, lfs_block_t block)
{
    memset(medium.bytes + (size_t)block * c->block_size, 0xFF, c->block_size);
    return 0;
}

static inline int medium_sync(const struct lfs_config *c)
{
    (void)c;
    return 0;
}

static inline void medium_fails(uint32_t at, int on)
{
    medium.calls = 0;
    medium.read = 0;
    medium.fail_at = at;
    medium.fail_on = on;
}

/* ---- volumes ---- */

static struct lfs_config config;

static inline void put(const char *name, const void *data, size_t size)
{
    static uint8_t buffer[CACHE_MOST];
    const struct lfs_file_config with = {.buffer = buffer};
    lfs_file_t file;

    assert_int_equal(lfs_file_opencfg(&volume, &file, name, LFS_O_WRONLY | LFS_O_CREAT, &with), 0);
    assert_int_equal(lfs_file_write(&volume, &file, data, (lfs_size_t)size), size);
    assert_int_equal(lfs_file_close(&volume, &file), 0);
}

static inline void remount(void)
{
    (void)lfs_unmount(&volume);
    assert_int_equal(lfs_mount(&volume, &config), 0);
}

/* Formats the medium, mounts it and writes the files. */
static inline void make_volume(const struct geometry *g)
{
    static uint8_t read_buffer[CACHE_MOST], prog_buffer[CACHE_MOST], lookahead[16];
    size_t size;
    const uint8_t *data;

    medium_fails(0, 0);
    config = (struct lfs_config){.read = medium_read,
                                 .prog = medium_prog,
                                 .erase = medium_erase,
                                 .sync = medium_sync,
                                 .read_size = g->read,
                                 .prog_size = g->prog,
                                 .block_size = g->block,
                                 .block_count = (lfs_size_t)(VOLUME / g->block),
                                 .block_cycles = 500,
                                 .cache_size = g->cache,
                                 .lookahead_size = sizeof lookahead,
                                 .read_buffer = read_buffer,
                                 .prog_buffer = prog_buffer,
                                 .lookahead_buffer = lookahead};
    assert_int_equal(lfs_format(&volume, &config), 0);
    assert_int_equal(lfs_mount(&volume, &config), 0);
    for (unsigned f = 0; f < DEMO_FILES; f++) {
        data = demo_file(demo_files[f], &size);
        put(demo_files[f], data, size);
    }
    assert_int_equal(lfs_mkdir(&volume, "fields"), 0);
    data = demo_file("demo_tiny.tet", &size);
    put("fields/" LONG_NAME, data, size);
    put("inline.tet", data, 40); /* littlefs keeps this few bytes in the folder */
    put("changed.tet", data, size);
}

static inline void unmount(void)
{
    utet_littlefs_close(&port);
    assert_int_equal(lfs_unmount(&volume), 0);
}

static inline void open_demo(const char *name)
{
    assert_int_equal(utet_littlefs_open(&port, &volume, name, cache), UTET_OK);
}

static inline utet_status open_file(utet_file *file, size_t bytes)
{
    utet_status status = utet_init(file, &port.io, work, bytes, demo_codecs);

    return status == UTET_OK ? utet_open(file, NULL) : status;
}

#endif
