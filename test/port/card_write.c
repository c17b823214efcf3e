/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* card_write [-f] IMAGE FILE…: formats an image with exFAT and copies files into its root, or with -f into the gaps
 * between other files. mtools cannot write exFAT, so this uses FatFs itself, writable.
 * card_write -t fat12|fat16|fat32|exfat IMAGE FILE…: clusters of one sector, and the files also in a folder.
 * card_write -g IMAGE: exFAT with a sparse file big.bin of 4.5 GiB, which has marks. Uses disk_image.h. */
#include "disk_image.h"
#include "ff.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CLUSTER 1024
#define HOLES 400

static FATFS volume;

static void must(FRESULT result, const char *what)
{
    if (result != FR_OK) {
        fprintf(stderr, "card_write: %s: FatFs error %d\n", what, (int)result);
        exit(1);
    }
}

/* Mounting again makes FatFs search for free clusters from the beginning. */
static void mount(void)
{
    must(f_mount(&volume, "", 1), "mount");
}

static void put(const char *name, const void *data, size_t size)
{
    FIL file;
    UINT written;

    must(f_open(&file, name, FA_WRITE | FA_CREATE_NEW), name);
    /* One cluster at a time, so that a gap of one cluster suffices for the next. */
    for (size_t at = 0; at < size; at += written) {
        const size_t piece = size - at < CLUSTER ? size - at : CLUSTER;
        must(f_write(&file, (const char *)data + at, (UINT)piece, &written), name);
    }
    must(f_close(&file), name);
}

static void make_holes(void)
{
    char name[32];

    must(f_mkdir("fill"), "fill");
    for (int i = 0; i < 2 * HOLES; i++) {
        snprintf(name, sizeof name, "fill/f%d", i);
        put(name, "x", 1);
    }
    for (int i = 1; i < 2 * HOLES; i += 2) {
        snprintf(name, sizeof name, "fill/f%d", i);
        must(f_unlink(name), name);
    }
    mount();
}

static void copy(const char *path)
{
    const char *slash = strrchr(path, '/');
    FILE *from = fopen(path, "rb");
    static char data[1 << 20];
    const size_t size = from ? fread(data, 1, sizeof data, from) : 0;

    if (!from || size == sizeof data) {
        fprintf(stderr, "card_write: %s: cannot read, or too large\n", path);
        exit(1);
    }
    fclose(from);
    put(slash ? slash + 1 : path, data, size);
}

/* Marks of 8 bytes, each of which is its own offset; FatFs' cluster of 32 KB makes the FAT small. */
static void put_big(void)
{
    static const uint64_t marks[] = {0, 0xFFFFFFF8u, 0x100000000u, 0x11FFFFFF8u};
    FIL file;
    UINT written;

    must(f_open(&file, "big.bin", FA_WRITE | FA_CREATE_NEW), "big.bin");
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        must(f_lseek(&file, marks[i]), "seek");
        must(f_write(&file, &marks[i], sizeof marks[i], &written), "mark");
    }
    must(f_close(&file), "big.bin");
}

static MKFS_PARM format_of(const char *kind)
{
    MKFS_PARM format = {FM_EXFAT | FM_SFD, 1, 0, 0, CLUSTER};

    if (!kind)
        return format;
    format.au_size = FF_MAX_SS;
    if (strcmp(kind, "exfat") != 0)
        format.fmt = (strcmp(kind, "fat32") == 0 ? FM_FAT32 : FM_FAT) | FM_SFD;
    return format;
}

int main(int argc, char **argv)
{
    const int big = argc > 1 && strcmp(argv[1], "-g") == 0;
    const int fragmented = argc > 1 && strcmp(argv[1], "-f") == 0;
    const char *kind = argc > 2 && strcmp(argv[1], "-t") == 0 ? argv[2] : NULL;
    MKFS_PARM format = format_of(kind);
    static char work[1 << 16];

    argv += 1 + (big || fragmented ? 1 : kind ? 2 : 0);
    if (!*argv)
        return 2;
    disk_image_use(*argv++, 1);
    if (big)
        format.au_size = 32768;
    must(f_mkfs("", &format, work, sizeof work), "format");
    mount();
    if (fragmented)
        make_holes();
    if (big)
        put_big();
    for (char **file = argv; *file; file++)
        copy(*file);
    if (kind) {
        must(f_mkdir("folder"), "folder");
        must(f_chdir("folder"), "folder");
        for (char **file = argv; *file; file++)
            copy(*file);
    }
    must(f_unmount(""), "unmount");
    return 0;
}
