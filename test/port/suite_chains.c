/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* port/fatfs over damaged FATs. The expected chain of clusters is computed here from the image's bytes, without FatFs.
 * Promises checked: every opening and every read ends; with a table, a chain that is not intact is refused with the
 * offset of its fault; and the bytes read are those of the chain. Images: folder IMAGES. */
#include "cardimage.h"

/* ---- the expected chain ---- */

static struct truth {
    uint8_t bytes[MOST_CLUSTERS * 512];
    uint32_t clusters, found; /* bytes of the file; bytes before the chain breaks */
    uint64_t place;           /* where opening with a table must report a fault; ~0: nowhere */
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

/* Reads the file as far as possible. */
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

/* Opens with a table, with one that is too small, and without; the computed chain decides what must happen. */
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

/* ---- damaged FATs ---- */

static void try_value(const uint8_t *entry, uint32_t cluster, uint32_t value)
{
    char what[80];

    snprintf(what, sizeof what, "type %d, entry %u is %x", volume.fs_type, (unsigned)cluster, (unsigned)value);
    fat_put(cluster, value);
    try_chain(entry, what);
}

/* Each entry of the file's chain gets each value: all clusters of a small card; otherwise those of the chain, some of
 * the others, and values that are not clusters. */
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

/* The file in fragments all over the card; then with links to clusters within it: circles that begin anywhere. */
static void chains_in_pieces_and_circles_in_them(void **state)
{
    (void)state;
    for (size_t k = 0; k < KINDS; k++)
        for (int round = 0; round < 60; round++) {
            uint32_t size, chain[MOST_CLUSTERS] = {0};
            uint8_t *entry = use_file(kinds[k], &size);
            const uint32_t clusters = (size + 511) / 512;

            for (uint32_t i = 0; i < clusters; i++) { /* clusters in rows of one to three, far from each other */
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

/* The entry of the file itself: a first cluster that is not one, a size that no volume has. */
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
        fat_put(first, first); /* and a circle, so that the iteration would continue */
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

/* Contiguous files of exFAT, which have no chain: they end within the volume, or are refused. */
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

/* Any entry of the FAT, also those of folders: mounting, opening, reading and searching for an absent file all end. */
static void any_entry_of_the_fat(void **state)
{
    uint32_t most = 0, tries = 0;
    (void)state;
    for (size_t k = 0; k < KINDS; k++) {
        uint32_t size;
        (void)use_file(kinds[k], &size);
        const uint32_t last = last_value(), end = volume.n_fatent;
        const FATFS sound = volume; /* the offset of the FAT, because the card may not mount any more */
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
                        FS_EXFAT) /* there a folder may have 256 MB, and FatFs reads that much of a circle */
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

/* A chain that continues after the file's size is reserved room: nobody reads it. */
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

int main(void)
{
    static const struct CMUnitTest cases[] = {
        cmocka_unit_test(every_value_in_every_entry),    cmocka_unit_test(chains_in_pieces_and_circles_in_them),
        cmocka_unit_test(entries_that_promise_too_much), cmocka_unit_test(pieces_that_leave_the_volume),
        cmocka_unit_test(any_entry_of_the_fat),          cmocka_unit_test(longer_chains_are_good),
    };

    return SUITE("chains", cases);
}
