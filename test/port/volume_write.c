/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* volume_write IMAGE FILE…: formats an image with littlefs, in the geometry of boards/lm3s6965evb/volume.h, and copies
 * files into its root. */
#include "lfs.h"
#include "volume.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint8_t image[VOLUME_BLOCKS * VOLUME_BLOCK];

static int image_read(const struct lfs_config *c, lfs_block_t block, lfs_off_t off, void *to, lfs_size_t size)
{
    memcpy(to, image + block * c->block_size + off, size);
    return 0;
}

static int image_prog(const struct lfs_config *c, lfs_block_t block, lfs_off_t off, const void *from, lfs_size_t size)
{
    memcpy(image + block * c->block_size + off, from, size);
    return 0;
}

static int image_erase(const struct lfs_config *c, lfs_block_t block)
{
    memset(image + block * c->block_size, 0xFF, c->block_size);
    return 0;
}

static int image_sync(const struct lfs_config *c)
{
    (void)c;
    return 0;
}

static uint8_t read_buffer[VOLUME_CACHE], prog_buffer[VOLUME_CACHE], file_buffer[VOLUME_CACHE];
static uint8_t lookahead[VOLUME_LOOKAHEAD];
static const struct lfs_config config = {.read = image_read,
                                         .prog = image_prog,
                                         .erase = image_erase,
                                         .sync = image_sync,
                                         VOLUME_GEOMETRY,
                                         .read_buffer = read_buffer,
                                         .prog_buffer = prog_buffer,
                                         .lookahead_buffer = lookahead};

static void must(long result, const char *what)
{
    if (result < 0) {
        fprintf(stderr, "volume_write: %s: littlefs error %ld\n", what, result);
        exit(1);
    }
}

static void copy(lfs_t *volume, const char *path)
{
    static char data[1 << 20];
    const char *slash = strrchr(path, '/');
    const struct lfs_file_config with = {.buffer = file_buffer};
    lfs_file_t to;
    FILE *from = fopen(path, "rb");
    const size_t size = from ? fread(data, 1, sizeof data, from) : 0;

    if (!from || size == sizeof data) {
        fprintf(stderr, "volume_write: %s: cannot read, or too large\n", path);
        exit(1);
    }
    fclose(from);
    must(lfs_file_opencfg(volume, &to, slash ? slash + 1 : path, LFS_O_WRONLY | LFS_O_CREAT, &with), path);
    must(lfs_file_write(volume, &to, data, (lfs_size_t)size), path);
    must(lfs_file_close(volume, &to), path);
}

int main(int argc, char **argv)
{
    static lfs_t volume;
    FILE *out;

    if (argc < 2)
        return 2;
    must(lfs_format(&volume, &config), "format");
    must(lfs_mount(&volume, &config), "mount");
    for (int i = 2; i < argc; i++)
        copy(&volume, argv[i]);
    must(lfs_unmount(&volume), "unmount");
    out = fopen(argv[1], "wb");
    if (!out || fwrite(image, sizeof image, 1, out) != 1 || fclose(out) != 0) {
        perror(argv[1]);
        return 1;
    }
    return 0;
}
