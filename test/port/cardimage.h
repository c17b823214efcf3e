/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* What the suites of cards share: images of four kinds, mounted, and their bytes as read without FatFs. */
#ifndef CARDIMAGE_H
#define CARDIMAGE_H

#include "demo_files.h"
#include "disk_image.h"
#include "ff.h"
#include "suite.h"
#include "utet_fatfs.h"

#include <stdio.h>
#include <string.h>

#define NAME "demo_tiny.tet"
#define MOST_CLUSTERS 64
#define TABLE_WORDS (2 + 2 * MOST_CLUSTERS)

static FATFS volume;
static utet_fatfs port;
static DWORD table[TABLE_WORDS];
static const char *const kinds[] = {"fat12", "fat16", "fat32", "exfat"};
#define KINDS (sizeof kinds / sizeof kinds[0])

static inline void mount_card(void)
{
    suite_check(f_mount(&volume, "", 1) == FR_OK, "the card does not mount");
}

static inline void use_card(const char *name)
{
    char path[300];
    snprintf(path, sizeof path, "%s/small-%s.img", demo_folder("IMAGES"), name);
    disk_image_use(path, 0);
    mount_card();
}

/* ---- the image's bytes ---- */

static inline uint32_t load(const uint8_t *at, unsigned bytes)
{
    uint32_t value = 0;
    for (unsigned i = 0; i < bytes; i++)
        value |= (uint32_t)at[i] << 8 * i;
    return value;
}

static inline void store(uint8_t *at, unsigned bytes, uint64_t value)
{
    for (unsigned i = 0; i < bytes; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

static inline uint8_t *sector_at(uint64_t sector)
{
    return disk_image.bytes + sector * 512;
}

static inline uint32_t fat_get(uint32_t cluster)
{
    const uint8_t *fat = sector_at(volume.fatbase);
    uint32_t value;

    switch (volume.fs_type) {
    case FS_FAT12: value = load(fat + cluster * 3 / 2, 2); return cluster & 1 ? value >> 4 : value & 0xFFF;
    case FS_FAT16: return load(fat + cluster * 2, 2);
    default: return load(fat + cluster * 4, 4) & (volume.fs_type == FS_FAT32 ? 0x0FFFFFFFu : 0x7FFFFFFFu);
    }
}

static inline void fat_put(uint32_t cluster, uint32_t value)
{
    uint8_t *fat = sector_at(volume.fatbase);
    uint32_t pair;

    switch (volume.fs_type) {
    case FS_FAT12:
        pair = load(fat + cluster * 3 / 2, 2);
        pair = cluster & 1 ? (pair & 0xF) | value << 4 : (pair & 0xF000) | (value & 0xFFF);
        store(fat + cluster * 3 / 2, 2, pair);
        break;
    case FS_FAT16: store(fat + cluster * 2, 2, value); break;
    default: store(fat + cluster * 4, 4, value); break;
    }
    volume.winsect = (LBA_t)-1; /* FatFs must not keep the old one */
}

static inline uint32_t last_value(void)
{
    return volume.fs_type == FS_FAT12   ? 0xFFFu
           : volume.fs_type == FS_FAT16 ? 0xFFFFu
           : volume.fs_type == FS_FAT32 ? 0x0FFFFFFFu
                                        : 0xFFFFFFFFu;
}

static inline const uint8_t *cluster_at(uint32_t cluster)
{
    return sector_at(volume.database + (uint64_t)(cluster - 2) * volume.csize);
}

/* The entry of the file in the first cluster, or in the fixed part, of the root folder, which begins at `folder`: its
 * 32 bytes on FAT, its set of entries on exFAT. */
static inline uint8_t *entry_in(uint8_t *folder, uint32_t size)
{
    for (uint8_t *at = folder; at < folder + 8192; at += 32)
        if (volume.fs_type == FS_EXFAT ? at[0] == 0x85 && load(at + 32 + 24, 4) == size
                                       : at[11] == 0x20 && load(at + 28, 4) == size && at[0] != 0xE5)
            return at;
    suite_fail("no entry");
}

static inline uint8_t *root_folder(void)
{
    return volume.fs_type == FS_FAT12 || volume.fs_type == FS_FAT16
               ? sector_at(volume.dirbase)
               : sector_at(volume.database + (uint64_t)(volume.dirbase - 2) * volume.csize);
}

/* The checksum of a set of entries (exFAT, 6.3.3), after a change. */
static inline void seal(uint8_t *entry)
{
    uint16_t sum = 0;

    if (volume.fs_type != FS_EXFAT)
        return;
    for (unsigned i = 0; i < 32u * (entry[1] + 1u); i++)
        if (i != 2 && i != 3)
            sum = (uint16_t)((sum << 15 | sum >> 1) + entry[i]);
    store(entry + 2, 2, sum);
    volume.winsect = (LBA_t)-1;
}

static inline uint32_t first_cluster(const uint8_t *entry)
{
    if (volume.fs_type == FS_EXFAT)
        return load(entry + 32 + 20, 4);
    return load(entry + 26, 2) | (volume.fs_type == FS_FAT32 ? load(entry + 20, 2) << 16 : 0);
}

static inline void set_first(uint8_t *entry, uint32_t cluster)
{
    if (volume.fs_type == FS_EXFAT) {
        store(entry + 32 + 20, 4, cluster);
    } else {
        store(entry + 26, 2, cluster);
        if (volume.fs_type == FS_FAT32)
            store(entry + 20, 2, cluster >> 16);
    }
    seal(entry);
    volume.winsect = (LBA_t)-1;
}

/* On exFAT a contiguous file has no chain in the FAT: this function writes a chain, and changes the entry
 * accordingly. */
static inline void give_chain(uint8_t *entry, uint32_t clusters)
{
    const uint32_t first = first_cluster(entry);

    if (volume.fs_type != FS_EXFAT)
        return;
    for (uint32_t i = 0; i < clusters; i++)
        fat_put(first + i, i + 1 < clusters ? first + i + 1 : last_value());
    entry[32 + 1] = 1;
    seal(entry);
}

/* The card `kind`, the entry of its file, and the file's clusters in a chain. */
static inline uint8_t *use_file(const char *kind, uint32_t *size)
{
    size_t length;
    uint8_t *entry;

    (void)demo_file(NAME, &length);
    *size = (uint32_t)length;
    use_card(kind);
    entry = entry_in(root_folder(), *size);
    give_chain(entry, (*size + 511) / 512);
    return entry;
}

#endif
