/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* port/fatfs over cards as they come: damaged FATs, exFAT's ValidDataLength, other cards with the same file, files over
 * 4 GiB, full folders. What a chain of clusters says is worked out here from the image's bytes, without FatFs. Promises
 * checked: every opening and every read ends; with a table a chain that is not whole is refused with its place, and
 * what is read is what the chain says. Images: folder IMAGES. */
#include "demo_files.h"
#include "disk_image.h"
#include "ff.h"
#include "suite.h"
#include "utet_fatfs.h"
#include "utet_fatfs_words.h"

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

static void mount_card(void)
{
    suite_check(f_mount(&volume, "", 1) == FR_OK, "the card does not mount");
}

static void use_card(const char *name)
{
    char path[300];
    snprintf(path, sizeof path, "%s/small-%s.img", demo_folder("IMAGES"), name);
    disk_image_use(path, 0);
    mount_card();
}

/* ---- the image's bytes ---- */

static uint32_t load(const uint8_t *at, unsigned bytes)
{
    uint32_t value = 0;
    for (unsigned i = 0; i < bytes; i++)
        value |= (uint32_t)at[i] << 8 * i;
    return value;
}

static void store(uint8_t *at, unsigned bytes, uint64_t value)
{
    for (unsigned i = 0; i < bytes; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

static uint8_t *sector_at(uint64_t sector)
{
    return disk_image.bytes + sector * 512;
}

static uint32_t fat_get(uint32_t cluster)
{
    const uint8_t *fat = sector_at(volume.fatbase);
    uint32_t value;

    switch (volume.fs_type) {
    case FS_FAT12: value = load(fat + cluster * 3 / 2, 2); return cluster & 1 ? value >> 4 : value & 0xFFF;
    case FS_FAT16: return load(fat + cluster * 2, 2);
    default: return load(fat + cluster * 4, 4) & (volume.fs_type == FS_FAT32 ? 0x0FFFFFFFu : 0x7FFFFFFFu);
    }
}

static void fat_put(uint32_t cluster, uint32_t value)
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
    volume.winsect = (LBA_t)-1; /* FatFs shall not keep the old one */
}

static uint32_t last_value(void)
{
    return volume.fs_type == FS_FAT12   ? 0xFFFu
           : volume.fs_type == FS_FAT16 ? 0xFFFFu
           : volume.fs_type == FS_FAT32 ? 0x0FFFFFFFu
                                        : 0xFFFFFFFFu;
}

static const uint8_t *cluster_at(uint32_t cluster)
{
    return sector_at(volume.database + (uint64_t)(cluster - 2) * volume.csize);
}

/* The entry of the file in the first cluster or the fixed part of the root folder, which begins at `folder`: on FAT its
 * 32 bytes, on exFAT its set of entries. */
static uint8_t *entry_in(uint8_t *folder, uint32_t size)
{
    for (uint8_t *at = folder; at < folder + 8192; at += 32)
        if (volume.fs_type == FS_EXFAT ? at[0] == 0x85 && load(at + 32 + 24, 4) == size
                                       : at[11] == 0x20 && load(at + 28, 4) == size && at[0] != 0xE5)
            return at;
    suite_fail("no entry");
}

static uint8_t *root_folder(void)
{
    return volume.fs_type == FS_FAT12 || volume.fs_type == FS_FAT16
               ? sector_at(volume.dirbase)
               : sector_at(volume.database + (uint64_t)(volume.dirbase - 2) * volume.csize);
}

/* The checksum of a set of entries (exFAT, 6.3.3), after a change. */
static void seal(uint8_t *entry)
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

static uint32_t first_cluster(const uint8_t *entry)
{
    if (volume.fs_type == FS_EXFAT)
        return load(entry + 32 + 20, 4);
    return load(entry + 26, 2) | (volume.fs_type == FS_FAT32 ? load(entry + 20, 2) << 16 : 0);
}

static void set_first(uint8_t *entry, uint32_t cluster)
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

/* On exFAT a file in one piece has no chain in the FAT: this writes one, and says so in the entry. */
static void give_chain(uint8_t *entry, uint32_t clusters)
{
    const uint32_t first = first_cluster(entry);

    if (volume.fs_type != FS_EXFAT)
        return;
    for (uint32_t i = 0; i < clusters; i++)
        fat_put(first + i, i + 1 < clusters ? first + i + 1 : last_value());
    entry[32 + 1] = 1;
    seal(entry);
}

/* ---- what a chain says ---- */

static struct truth {
    uint8_t bytes[MOST_CLUSTERS * 512];
    uint32_t clusters, found; /* of the file; before the chain breaks */
    uint64_t place;           /* where opening with a table has to say that it goes wrong; ~0: nowhere */
} truth;

static void follow(uint32_t first, uint32_t size)
{
    uint32_t chain[MOST_CLUSTERS];
    uint32_t at = first;

    truth.clusters = (size + 511) / 512;
    truth.place = UINT64_MAX;
    for (truth.found = 0; truth.found < truth.clusters; truth.found++) {
        if (at < 2 || at >= volume.n_fatent)
            break;
        chain[truth.found] = at;
        memcpy(truth.bytes + truth.found * 512, cluster_at(at), 512);
        at = fat_get(at);
    }
    if (truth.found < truth.clusters)
        truth.place = (uint64_t)truth.found * 512;
    else
        for (uint32_t i = 0; truth.place == UINT64_MAX && i + 1 < truth.clusters; i++)
            if (chain[i] == chain[truth.clusters - 1])
                truth.place = (uint64_t)i * 512;
}

/* Reads all of the file, as far as it goes. */
static void compare(uint32_t size, const char *what)
{
    uint8_t sector[512];

    for (uint32_t at = 0; at < size;) {
        size_t got;
        const uint32_t left = size - at < 512 ? size - at : 512;
        const utet_status status = port.io.read(port.io.ctx, at, sector, left, &got);

        if (at >= truth.found * 512) {
            suite_check(status == UTET_FATFS_STATUS(FR_INT_ERR), "%s: at %u: %d", what, (unsigned)at, status);
            return;
        }
        suite_check(status == UTET_OK && got == left, "%s: at %u: %d", what, (unsigned)at, status);
        suite_check(memcmp(sector, truth.bytes + at, got) == 0, "%s: at %u: other bytes", what, (unsigned)at);
        at += (uint32_t)got;
    }
}

static uint32_t runs, refused, most_reads;

/* Opens with a table, with one that is too small, and without; the oracle says what has to come. */
static void try_chain(const uint8_t *entry, const char *what)
{
    const uint32_t size = load(volume.fs_type == FS_EXFAT ? entry + 32 + 24 : entry + 28, 4);
    const DWORD words[] = {TABLE_WORDS, 4, 1, 0};

    follow(first_cluster(entry), size);
    for (unsigned i = 0; i < 4; i++) {
        disk_image_reset();
        const utet_status status = utet_fatfs_open(&port, NAME, table, words[i]);
        const int whole = truth.place == UINT64_MAX;

        runs++;
        if (status == UTET_FATFS_E_CHAIN) {
            suite_check(!whole && port.chain_end == truth.place, "%s, table of %u: place %llu, not %llu", what,
                        (unsigned)words[i], (unsigned long long)port.chain_end, (unsigned long long)truth.place);
            refused++;
        } else if (status == UTET_FATFS_E_TABLE) {
            suite_check(whole && port.table_need > words[i] && words[i] != TABLE_WORDS, "%s: E_TABLE", what);
        } else {
            suite_check(status == UTET_OK, "%s, table of %u: status %d", what, (unsigned)words[i], status);
            suite_check(whole || words[i] == 0, "%s, table of %u: not refused", what, (unsigned)words[i]);
            suite_check(words[i] == 0 || port.table_need == table[0], "%s: need", what);
            compare(size, what);
        }
        utet_fatfs_close(&port);
        if (disk_image.calls > most_reads)
            most_reads = disk_image.calls;
        suite_check(disk_image.calls < 40 + 6 * MOST_CLUSTERS, "%s: %u reads", what, (unsigned)disk_image.calls);
    }
}

/* The card `kind`, the entry of its file, and the file's clusters in a chain. */
static uint8_t *use_file(const char *kind, uint32_t *size)
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

/* ---- damaged FATs ---- */

static void try_value(const uint8_t *entry, uint32_t cluster, uint32_t value)
{
    char what[80];

    snprintf(what, sizeof what, "type %d, entry %u is %x", volume.fs_type, (unsigned)cluster, (unsigned)value);
    fat_put(cluster, value);
    try_chain(entry, what);
}

/* Each entry of the file's chain gets each value: all clusters of a small card, else those of the chain, some of the
 * others, and what is no cluster. */
static void every_value_in_every_entry(void **state)
{
    (void)state;
    for (size_t k = 0; k < KINDS; k++) {
        uint32_t size;
        const uint8_t *entry = use_file(kinds[k], &size);
        const uint32_t first = first_cluster(entry), last = last_value(), step = volume.n_fatent > 1000 ? 97 : 1;

        runs = refused = most_reads = 0;
        for (uint32_t c = first; c < first + (size + 511) / 512; c++) {
            const uint32_t old = fat_get(c);
            for (uint32_t v = 0; v < first + 60; v++)
                try_value(entry, c, v);
            for (uint32_t v = first + 60; v < volume.n_fatent; v += step)
                try_value(entry, c, v);
            for (uint32_t v = volume.n_fatent - 2; v < volume.n_fatent + 3; v++)
                try_value(entry, c, v);
            for (uint32_t v = last - 16; v != last + 1; v++)
                try_value(entry, c, v);
            fat_put(c, old);
        }
        try_chain(entry, "as it was");
        suite_check(refused > 1000, "%s: only %u refused", kinds[k], (unsigned)refused);
        suite_figure(
            "%s: %u openings of files with a damaged chain, %u refused with their place, at most %u reads each",
            kinds[k], (unsigned)runs, (unsigned)refused, (unsigned)most_reads);
    }
}

static uint32_t next_random(uint32_t below)
{
    static uint32_t state = 2024;
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % below;
}

/* The file in pieces all over the card; then with links to places within it: circles that begin anywhere. */
static void chains_in_pieces_and_circles_in_them(void **state)
{
    (void)state;
    for (size_t k = 0; k < KINDS; k++)
        for (int round = 0; round < 60; round++) {
            uint32_t size, chain[MOST_CLUSTERS] = {0};
            uint8_t *entry = use_file(kinds[k], &size);
            const uint32_t clusters = (size + 511) / 512;

            for (uint32_t i = 0; i < clusters; i++) { /* places in rows of one to three, far from each other */
                chain[i] = i > 0 && next_random(3) > 0 ? chain[i - 1] + 1
                                                       : 100 + 8 * (i * 7 % clusters) + next_random(2);
                memcpy(sector_at(volume.database) + (chain[i] - 2) * 512, cluster_at(first_cluster(entry) + i), 512);
            }
            for (uint32_t i = 0; i < clusters; i++)
                fat_put(chain[i], i + 1 < clusters ? chain[i + 1] : last_value());
            set_first(entry, chain[0]);
            try_chain(entry, "in pieces");
            for (int n = 0; n < 20; n++) {
                const uint32_t from = chain[next_random(clusters)], old = fat_get(from);
                try_value(entry, from, chain[next_random(clusters)]);
                fat_put(from, old);
            }
        }
}

/* The entry of the file itself: a first cluster that is none, a size that no volume has. */
static void entries_that_promise_too_much(void **state)
{
    (void)state;
    for (size_t k = 0; k < KINDS; k++) {
        uint32_t size;
        uint8_t *entry = use_file(kinds[k], &size);
        const uint32_t first = first_cluster(entry), end = volume.n_fatent;
        const uint32_t values[] = {0, 1, end - 1, end, end + 1, 0xFFFF};

        for (unsigned i = 0; i < 6; i++) {
            set_first(entry, values[i]);
            try_chain(entry, "first cluster");
        }
        set_first(entry, first);
        fat_put(first, first); /* and a circle, so that the walk would go on */
        for (unsigned with = 0; with < 2; with++) {
            const uint64_t most = (uint64_t)(end - 2) * 512;
            if (volume.fs_type == FS_EXFAT)
                store(entry + 32 + 24, 8, (uint64_t)1 << 62);
            else
                store(entry + 28, 4, 0xFFFFFFFFu);
            seal(entry);
            disk_image_reset();
            assert_int_equal(utet_fatfs_open(&port, NAME, with ? table : NULL, TABLE_WORDS), UTET_FATFS_E_CHAIN);
            assert_true(port.chain_end == most);
            assert_true(disk_image.calls < 40);
            store(entry + (volume.fs_type == FS_EXFAT ? 32 + 24 : 28), volume.fs_type == FS_EXFAT ? 8 : 4, most);
            seal(entry);
            disk_image_reset();
            assert_int_equal(utet_fatfs_open(&port, NAME, with ? table : NULL, TABLE_WORDS),
                             with ? UTET_FATFS_E_CHAIN : UTET_OK);
            assert_true(port.chain_end == 0 && disk_image.calls < 40); /* the last cluster is the first one */
            utet_fatfs_close(&port);
        }
    }
}

/* exFAT's files in one piece, which have no chain: they end within the volume, or are refused. */
static void pieces_that_leave_the_volume(void **state)
{
    size_t length;
    (void)state;
    (void)demo_file(NAME, &length);
    use_card("exfat");
    uint8_t *entry = entry_in(root_folder(), (uint32_t)length);
    const uint32_t clusters = ((uint32_t)length + 511) / 512;
    assert_int_equal(entry[32 + 1] & 2, 2);
    for (uint32_t there = 1; there < clusters + 2; there++) {
        set_first(entry, volume.n_fatent - there);
        const utet_status status = utet_fatfs_open(&port, NAME, table, TABLE_WORDS);
        if (there < clusters) {
            assert_int_equal(status, UTET_FATFS_E_CHAIN);
            assert_true(port.chain_end == (uint64_t)there * 512);
            continue;
        }
        assert_int_equal(status, UTET_OK);
        assert_true(table[0] == 4 && table[1] == clusters && table[2] == volume.n_fatent - there && table[3] == 0);
        utet_fatfs_close(&port);
        assert_int_equal(utet_fatfs_open(&port, NAME, table, 3), UTET_FATFS_E_TABLE);
        assert_int_equal(port.table_need, 4);
    }
}

/* Any entry of the FAT, those of folders, too: mounting, opening, reading and looking for what is not there end. */
static void any_entry_of_the_fat(void **state)
{
    uint32_t most = 0, tries = 0;
    (void)state;
    for (size_t k = 0; k < KINDS; k++) {
        uint32_t size;
        (void)use_file(kinds[k], &size);
        const uint32_t last = last_value(), end = volume.n_fatent;
        const FATFS sound = volume; /* where the FAT lies, for the card may not mount any more */
        uint8_t fat[512];
        memcpy(fat, sector_at(sound.fatbase), 512);
        for (uint32_t c = 0; c < 80; c++) {
            const uint32_t values[] = {0, 1, 2, 3, c, c - 1, c + 2, 40, end - 1, end, last - 8, last};
            for (unsigned v = 0; v < 12; v++) {
                static uint8_t bytes[512];
                size_t got;
                volume = sound;
                fat_put(c, values[v]);
                disk_image_reset();
                if (f_mount(&volume, "", 1) == FR_OK) {
                    if (utet_fatfs_open(&port, NAME, table, TABLE_WORDS) == UTET_OK)
                        for (uint32_t at = 0; at < size; at += 512)
                            if (port.io.read(port.io.ctx, at, bytes, size - at < 512 ? size - at : 512, &got) !=
                                UTET_OK)
                                break;
                    utet_fatfs_close(&port);
                    (void)utet_fatfs_open(&port, "folder/" NAME, table, TABLE_WORDS);
                    utet_fatfs_close(&port);
                    if (volume.fs_type !=
                        FS_EXFAT) /* there a folder may have 256 MB, and FatFs reads so much of a circle */
                        assert_int_not_equal(utet_fatfs_open(&port, "none", table, TABLE_WORDS), UTET_OK);
                }
                suite_check(disk_image.calls < 20000, "%s: entry %u is %x: %u reads", kinds[k], (unsigned)c,
                            (unsigned)values[v], (unsigned)disk_image.calls);
                most = disk_image.calls > most ? disk_image.calls : most;
                tries++;
            }
            volume = sound;
            memcpy(sector_at(sound.fatbase), fat, 512);
            mount_card();
        }
    }
    suite_figure("%u cards with one entry of the FAT changed: at most %u reads", (unsigned)tries, (unsigned)most);
}

/* A chain that goes on behind the file's size is room that somebody reserved: nobody looks at it. */
static void longer_chains_are_good(void **state)
{
    (void)state;
    for (size_t k = 0; k < KINDS; k++) {
        uint32_t size;
        uint8_t *entry = use_file(kinds[k], &size);
        const uint32_t end = first_cluster(entry) + (size + 511) / 512 - 1;

        fat_put(end, end + 1);
        fat_put(end + 1, first_cluster(entry));
        try_chain(entry, "a longer chain");
        suite_check(truth.place == UINT64_MAX, "the oracle agrees");
    }
}

/* ---- exFAT's ValidDataLength ---- */

static void zeros_behind_the_valid_data(void **state)
{
    static uint8_t wanted[DEMO_MOST];
    char what[60];
    (void)state;
    for (int place = 0; place < 4; place++) { /* in the root and in a folder, in one piece and in a chain */
        uint32_t size;
        uint8_t *entry = use_file("exfat", &size);
        const uint8_t *bytes = demo_file(NAME, &(size_t){0});
        const uint32_t lengths[] = {0, 1, 511, 512, 513, 5000, 10239, 10240, 10241, size - 1, size, size + 1, ~0u};

        if (place & 1) {
            uint8_t *folder = entry_in(root_folder(), (uint32_t)volume.csize * 512);
            if (place & 2)
                give_chain(folder, 1);
            entry = entry_in(sector_at(0) + (cluster_at(first_cluster(folder)) - disk_image.bytes), size);
        }
        for (unsigned i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
            store(entry + 32 + 8, 4, lengths[i]);
            seal(entry);
            memset(wanted, 0, sizeof wanted);
            memcpy(wanted, bytes, lengths[i] < size ? lengths[i] : size);
            for (unsigned unit = 1; unit <= 512; unit += 511) {
                snprintf(what, sizeof what, "place %d, %u valid, unit %u", place, (unsigned)lengths[i], unit);
                assert_int_equal(
                    utet_fatfs_open(&port, place & 1 ? "folder/" NAME : NAME, table, unit > 1 ? TABLE_WORDS : 0),
                    UTET_OK);
                port.io.unit = (uint16_t)unit;
                demo_compare(&port.io, wanted, size, what);
                utet_fatfs_close(&port);
            }
        }
    }
}

/* Every read fails once while such a file is opened: the failure is reported, the next attempt is clean. */
static void failures_while_the_entry_is_read(void **state)
{
    uint32_t at, size;
    (void)state;
    for (at = 1;; at++) {
        (void)use_file("exfat", &size);
        disk_image_reset();
        disk_image.fail_at = at;
        const utet_status status = utet_fatfs_open(&port, "folder/" NAME, table, TABLE_WORDS);
        if (disk_image.calls < at) {
            assert_int_equal(status, UTET_OK);
            break;
        }
        assert_int_equal(status, UTET_FATFS_E_DISK);
        assert_int_equal(utet_fatfs_open(&port, "folder/" NAME, table, TABLE_WORDS), UTET_OK);
        utet_fatfs_close(&port);
    }
    suite_check(at > 3, "only %u reads", (unsigned)at);
}

/* ---- another card, another file ---- */

static void reopen_is(utet_status wanted, const char *what)
{
    mount_card();
    const utet_status status = utet_fatfs_reopen(&port, NAME);
    suite_check(status == wanted, "type %d, %s: status %d", volume.fs_type, what, status);
}

static void another_card_with_the_same_file(void **state)
{
    static const unsigned serials[] = {39, 39, 67, 100}; /* of FAT12, FAT16, FAT32, exFAT, in sector 0 */
    (void)state;
    for (size_t k = 0; k < KINDS; k++) {
        uint32_t size;
        uint8_t *entry = use_file(kinds[k], &size), *serial = disk_image.bytes + serials[k];
        uint8_t *stamp = entry + (volume.fs_type == FS_EXFAT ? 12 : 22);

        assert_int_equal(utet_fatfs_open(&port, NAME, table, TABLE_WORDS), UTET_OK);
        reopen_is(UTET_OK, "the same card");
        serial[2] ^= 0x40;
        reopen_is(UTET_FATFS_E_CHANGED, "another serial number");
        serial[2] ^= 0x40;
        reopen_is(UTET_OK, "the first card again");
        stamp[1] ^= 0x08;
        seal(entry);
        reopen_is(UTET_FATFS_E_CHANGED, "another time of writing");
        stamp[1] ^= 0x08;
        seal(entry);
        reopen_is(UTET_OK, "the first time again");
        set_first(entry, first_cluster(entry) + 1);
        reopen_is(UTET_FATFS_E_CHAIN, "a chain that is too short");
        fat_put(first_cluster(entry) + (size + 511) / 512 - 2, 200);
        fat_put(200, last_value());
        reopen_is(UTET_FATFS_E_CHANGED, "another first cluster");
        utet_fatfs_close(&port);
    }
}

/* ---- large files, full folders ---- */

static void files_over_4_gib(void **state)
{
    static const uint64_t marks[] = {0x11FFFFFF8u, 0, 0x100000000u, 0xFFFFFFF8u};
    uint8_t bytes[8];
    size_t got;
    (void)state;
    use_card("big");
    assert_int_equal(utet_fatfs_open(&port, "big.bin", table, TABLE_WORDS), UTET_OK);
    assert_true(port.io.size == 0x120000000u && port.table_need == 4);
    suite_figure("a file of 4.5 GiB, clusters of 32 KB: %u sectors read to open it", (unsigned)disk_image.sectors);
    port.io.unit = 1;
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(port.io.read(port.io.ctx, marks[i], bytes, 8, &got), UTET_OK);
        suite_check(got == 8 && load(bytes, 4) == (uint32_t)marks[i] && load(bytes + 4, 4) == marks[i] >> 32, "mark %u",
                    i);
    }
    utet_fatfs_close(&port);
}

/* A root folder of 10,000 names on FAT32; the file is the last of them. */
static void ten_thousand_names(void **state)
{
    uint32_t size;
    uint8_t *root;
    uint8_t file[32];
    char name[12];
    (void)state;
    memcpy(file, use_file("fat32", &size), 32);
    for (uint32_t i = 0; i < 626; i++)
        fat_put(1000 + i, i < 625 ? 1001 + i : last_value());
    volume.dirbase = 1000;
    root = sector_at(volume.database) + (1000 - 2) * 512;
    for (unsigned i = 0; i < 10000; i++) {
        snprintf(name, sizeof name, "F%07uBIN", i);
        memcpy(root + 32 * i, name, 11);
        root[32 * i + 11] = 0x20;
    }
    memcpy(root + 32 * 10000, file, 32);
    memcpy(root + 32 * 10000, "LAST    TET", 11);
    disk_image_reset();
    assert_int_equal(utet_fatfs_open(&port, "last.tet", table, TABLE_WORDS), UTET_OK);
    suite_figure("a folder of 10,000 names: %u sectors read to open the last one", (unsigned)disk_image.sectors);
    utet_fatfs_close(&port);
    /* a folder whose chain is a circle: FatFs gives up after 65,536 names */
    fat_put(1000 + 600, 1000);
    disk_image_reset();
    assert_int_equal(utet_fatfs_open(&port, "none.tet", table, TABLE_WORDS), UTET_FATFS_STATUS(FR_NO_FILE));
    suite_figure("a folder in a circle: %u sectors read until FatFs gives up", (unsigned)disk_image.sectors);
}

/* ---- words ---- */

static const char *look(void)
{
    static uint8_t sector[512];

    suite_check(f_mount(&volume, "", 1) == FR_NO_FILESYSTEM, "the card mounts");
    return utet_fatfs_look(0, sector);
}

static void looks_like(const char *words, const char *what)
{
    suite_check(strstr(look(), words) != NULL, "%s: %s", what, look());
}

/* One partition of a type, at sector 2048, in a table whose boot code begins like GRUB's. */
static void partition(uint8_t type)
{
    memset(disk_image.bytes, 0, 512);
    memcpy(disk_image.bytes, "\xEB\x63\x90", 3);
    disk_image.bytes[446 + 4] = type;
    store(disk_image.bytes + 446 + 8, 4, 2048);
    store(disk_image.bytes + 446 + 12, 4, 2048);
    store(disk_image.bytes + 510, 2, 0xAA55);
    memset(sector_at(2048), 0, 512);
}

static void cards_that_do_not_mount_are_named(void **state)
{
    (void)state;
    use_card("fat16");
    store(disk_image.bytes + 11, 2, 4096);
    looks_like("larger sectors", "sectors of 4 KiB");
    store(disk_image.bytes + 11, 2, 512);
    store(disk_image.bytes + 14, 2, 0);
    looks_like("FAT volume whose first sector is damaged", "no reserved sectors");
    for (int byte = 0; byte < 256; byte += 255) {
        memset(disk_image.bytes, byte, 512);
        looks_like("an empty card", "all the same");
    }
    memset(disk_image.bytes, 'x', 512);
    disk_image.bytes[7] = 'y';
    looks_like("neither", "text");
    partition(0);
    looks_like("without partitions", "no partition");
    partition(0x83);
    looks_like("Linux", "ext4");
    partition(0x0F);
    looks_like("logical", "an extended partition");
    partition(0xEE);
    looks_like("GPT", "GPT");
    partition(0x07);
    looks_like("no FAT in them", "a partition of type 7 with nothing");
    memcpy(sector_at(2048) + 3, "NTFS    ", 8);
    looks_like("NTFS", "NTFS");
    memcpy(sector_at(2048) + 3, "EXFAT   ", 8);
    looks_like("exFAT", "exFAT that is damaged");
    store(sector_at(2048) + 108, 1, 12);
    looks_like("exFAT with larger sectors", "exFAT, 4 KiB");
    disk_image_reset();
    disk_image.fail_at = 1;
    assert_non_null(strstr(utet_fatfs_look(0, table), "failed"));
    store(disk_image.bytes + 446 + 8, 4, 0x7FFFFFFF);
    looks_like("no FAT in them", "a partition outside the card");
}

static void each_status_has_words(void **state)
{
    (void)state;
    for (int result = 1; result <= 19; result++)
        suite_check(strlen(utet_fatfs_strerror(UTET_FATFS_STATUS(result))) > 10, "FRESULT %d", result);
    assert_non_null(strstr(utet_fatfs_strerror(UTET_FATFS_E_CHANGED), "another"));
    assert_non_null(strstr(utet_fatfs_strerror(UTET_FATFS_E_CHAIN), "FAT is damaged"));
    assert_non_null(strstr(utet_fatfs_strerror(UTET_FATFS_E_TABLE), "cluster table"));
    assert_non_null(strstr(utet_fatfs_strerror(UTET_E_PORT - 100), "FatFs"));
    assert_string_equal(utet_fatfs_strerror(UTET_E_MAGIC), utet_strerror(UTET_E_MAGIC));
    assert_string_equal(utet_fatfs_strerror(UTET_OK), utet_strerror(UTET_OK));
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        cmocka_unit_test(every_value_in_every_entry),
        cmocka_unit_test(chains_in_pieces_and_circles_in_them),
        cmocka_unit_test(entries_that_promise_too_much),
        cmocka_unit_test(pieces_that_leave_the_volume),
        cmocka_unit_test(any_entry_of_the_fat),
        cmocka_unit_test(longer_chains_are_good),
        cmocka_unit_test(zeros_behind_the_valid_data),
        cmocka_unit_test(failures_while_the_entry_is_read),
        cmocka_unit_test(another_card_with_the_same_file),
        cmocka_unit_test(files_over_4_gib),
        cmocka_unit_test(ten_thousand_names),
        cmocka_unit_test(cards_that_do_not_mount_are_named),
        cmocka_unit_test(each_status_has_words),
    };
    return SUITE("cards", cases);
}
