/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* port/fatfs over unusual cards: exFAT's ValidDataLength, other cards with the same file, files over 4 GiB, full
 * folders, cards that do not mount. suite_chains has damaged FATs. Images: folder IMAGES. */
#include "cardimage.h"
#include "utet_fatfs_words.h"

/* ---- exFAT's ValidDataLength ---- */

static void zeros_behind_the_valid_data(void **state)
{
    static uint8_t wanted[DEMO_MOST];
    char what[60];
    (void)state;
    for (int place = 0; place < 4; place++) { /* in the root and in a folder, contiguous and in a chain */
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
    /* a folder whose chain is circular: FatFs gives up after 65,536 names */
    fat_put(1000 + 600, 1000);
    disk_image_reset();
    assert_int_equal(utet_fatfs_open(&port, "none.tet", table, TABLE_WORDS), UTET_FATFS_STATUS(FR_NO_FILE));
    suite_figure("a folder in a circle: %u sectors read until FatFs gives up", (unsigned)disk_image.sectors);
}

/* ---- messages ---- */

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

/* One partition of a given type, at sector 2048, in a table whose boot code begins like GRUB's. */
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

/* ---- two tasks ---- */

static utet_fatfs other;

/* What a second task does while the first one waits for the card. */
static void other_task(void)
{
    uint8_t byte[1];
    size_t got = 1;

    suite_check(utet_fatfs_open(&other, NAME, NULL, 0) == UTET_FATFS_E_SHARED, "the second task opens a file");
    suite_check(port.io.read(port.io.ctx, 0, byte, 1, &got) == UTET_FATFS_E_SHARED && got == 0,
                "the second task reads");
    disk_image.meanwhile = NULL;
}

static void a_second_task_is_named(void **state)
{
    uint8_t first[512], again[512];
    size_t got;

    (void)state;
    use_card("fat32");
    disk_image.meanwhile = other_task;
    assert_int_equal(utet_fatfs_open(&port, NAME, table, TABLE_WORDS), UTET_OK);
    assert_null(disk_image.meanwhile);
    assert_int_equal(port.io.read(port.io.ctx, 512, first, 512, &got), UTET_OK);
    disk_image.meanwhile = other_task;
    assert_int_equal(port.io.read(port.io.ctx, 512, again, 512, &got), UTET_OK);
    assert_null(disk_image.meanwhile);
    assert_int_equal(got, 512);
    assert_memory_equal(first, again, 512);
    /* They may do so one after the other. */
    assert_int_equal(utet_fatfs_open(&other, NAME, NULL, 0), UTET_OK);
    assert_int_equal(other.io.read(other.io.ctx, 512, again, 512, &got), UTET_OK);
    assert_memory_equal(first, again, 512);
    disk_image.fail_at = disk_image.calls + 1; /* a failure does not leave a task inside */
    assert_int_equal(other.io.read(other.io.ctx, 1024, again, 512, &got), UTET_FATFS_E_DISK);
    assert_int_equal(port.io.read(port.io.ctx, 512, again, 512, &got), UTET_OK);
}

static void each_status_has_words(void **state)
{
    (void)state;
    for (int result = 1; result <= 19; result++)
        suite_check(strlen(utet_fatfs_strerror(UTET_FATFS_STATUS(result))) > 10, "FRESULT %d", result);
    assert_non_null(strstr(utet_fatfs_strerror(UTET_FATFS_E_CHANGED), "another"));
    assert_non_null(strstr(utet_fatfs_strerror(UTET_FATFS_E_CHAIN), "FAT is damaged"));
    assert_non_null(strstr(utet_fatfs_strerror(UTET_FATFS_E_SHARED), "FF_FS_REENTRANT"));
    assert_non_null(strstr(utet_fatfs_strerror(UTET_FATFS_E_TABLE), "cluster table"));
    assert_non_null(strstr(utet_fatfs_strerror(UTET_E_PORT - 100), "FatFs"));
    assert_string_equal(utet_fatfs_strerror(UTET_E_MAGIC), utet_strerror(UTET_E_MAGIC));
    assert_string_equal(utet_fatfs_strerror(UTET_OK), utet_strerror(UTET_OK));
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        cmocka_unit_test(zeros_behind_the_valid_data),
        cmocka_unit_test(failures_while_the_entry_is_read),
        cmocka_unit_test(another_card_with_the_same_file),
        cmocka_unit_test(files_over_4_gib),
        cmocka_unit_test(ten_thousand_names),
        cmocka_unit_test(cards_that_do_not_mount_are_named),
        cmocka_unit_test(a_second_task_is_named),
        cmocka_unit_test(each_status_has_words),
    };

    return SUITE("cards", cases);
}
