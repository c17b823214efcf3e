/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* port/partition: golden files (folder GOLDEN) and the demonstration files (FILES) in partitions that are larger, at
 * any address; erased partitions; partly written files. The library finds the same as in the file by itself. */
#include "demo_files.h"
#include "suite.h"
#include "utet_partition.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const utet_codec *const codecs[] = {&utet_codec_zstd_small, NULL};
static uint64_t work[1 << 17];
static utet_file file;

/* What opening and reading find: statuses, and the digest of dataset 0. */
struct found {
    utet_status opened, footer, read;
    char hex[65];
};

static struct found look(const utet_io *io)
{
    struct found found;
    memset(&found, 0, sizeof found);
    found.opened = utet_init(&file, io, work, sizeof work, codecs);
    if (found.opened == UTET_OK)
        found.opened = utet_open(&file, NULL);
    if (found.opened == UTET_OK) {
        found.footer = file.footer_status;
        found.read = demo_digest(&file, found.hex);
    }
    return found;
}

static struct found look_alone(const uint8_t *bytes, size_t size)
{
    utet_io io;
    memset(&io, 0, sizeof io);
    io.map = bytes;
    io.size = size;
    io.unit = io.align = 1;
    return look(&io);
}

static void check_same(const struct found *a, const struct found *b, const char *name, size_t tail)
{
    suite_check(a->opened == b->opened && a->footer == b->footer && a->read == b->read && strcmp(a->hex, b->hex) == 0,
                "%s and %zu bytes: %d %d %d %s instead of %d %d %d %s", name, tail, a->opened, a->footer, a->read,
                a->hex, b->opened, b->footer, b->read, b->hex);
}

/* Exactly this many bytes, so that AddressSanitizer notices a read after them. */
static uint8_t *partition(const uint8_t *bytes, size_t size, size_t tail, size_t shift)
{
    uint8_t *const all = malloc(shift + size + tail);
    assert_non_null(all);
    memcpy(all + shift, bytes, size);
    memset(all + shift + size, 0xFF, tail);
    return all;
}

static unsigned in_partitions(const char *folder, const char *name)
{
    static const size_t tails[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 13, 4096, 65537};
    static uint8_t bytes[DEMO_MOST];
    char path[400];
    struct found alone;
    size_t size;
    FILE *f;
    int footer;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    f = fopen(path, "rb");
    assert_non_null(f);
    size = fread(bytes, 1, sizeof bytes, f);
    fclose(f);
    suite_check(size > 0 && size < sizeof bytes, "%s: %zu bytes", name, size);
    footer = size <= 12 || memcmp(bytes, "TETR", 4) != 0 || (bytes[12] & 1) != 0;
    alone = look_alone(bytes, size);
    for (size_t i = 0; i < sizeof tails / sizeof tails[0]; i++)
        for (size_t shift = 0; shift < 8; shift += 3) {
            uint8_t *const all = partition(bytes, size, tails[i], shift);
            struct found found;
            utet_io io;
            assert_int_equal(utet_partition_open(&io, all + shift, size + tails[i]), UTET_OK);
            suite_check(io.size == (footer ? size : size + tails[i]), "%s: %u bytes instead of %zu", name,
                        (unsigned)io.size, size);
            suite_check(io.map == all + shift && io.unit == 1 && io.align == 1, "%s: the port", name);
            found = look(&io);
            if (footer || (alone.opened == UTET_OK && alone.read == UTET_OK)) /* damaged files have other statuses */
                check_same(&found, &alone, name, tails[i]);
            free(all);
        }
    return (unsigned)footer;
}

static void golden_files(void **state)
{
    unsigned files = 0, footers = 0;
    DIR *const listing = opendir(demo_folder("GOLDEN"));
    (void)state;
    assert_non_null(listing);
    for (const struct dirent *entry; (entry = readdir(listing)) != NULL;)
        if (strlen(entry->d_name) > 4 && strcmp(entry->d_name + strlen(entry->d_name) - 4, ".tet") == 0 &&
            strncmp(entry->d_name, "P06", 3) != 0 &&
            strcmp(entry->d_name, "X03_len0.tet") != 0) { /* P06 has bytes after its end */
            footers += in_partitions(demo_folder("GOLDEN"), entry->d_name);
            files++;
        }
    closedir(listing);
    for (unsigned i = 0; i < DEMO_FILES; i++, files++)
        footers += in_partitions(demo_folder("FILES"), demo_files[i]);
    suite_check(footers > 4 && files > footers + 4, "%u files, %u of them with a footer", files, footers);
    suite_figure("%u files, %u of them with a footer", files, footers);
}

static void put(uint8_t *to, uint64_t number)
{
    for (unsigned i = 0; i < 8; i++)
        to[i] = (uint8_t)(number >> 8 * i);
}

/* A file without a footer, whose last elements look erased (src/tet/FORMAT.md): one dataset, one raw tile. */
static void elements_of_ones(void **state)
{
    enum { INDEX = 80, ROW = INDEX + 32, PAYLOAD = ROW + 104, SIZE = PAYLOAD + 16 };
    uint8_t bytes[SIZE] = {'T', 'E', 'T', 'R', 1, 0, 0, 0, 1};
    struct found alone;
    (void)state;
    put(bytes + 16, INDEX);
    put(bytes + 24, PAYLOAD - INDEX);
    put(bytes + 32, 40);
    bytes[40] = 1; /* length of the name */
    bytes[44] = 5; /* u8 */
    bytes[48] = 1; /* axes */
    bytes[56] = 'a';
    put(bytes + 64, 16);
    put(bytes + 72, 16);
    memcpy(bytes + INDEX, "TIDX\1", 5);
    put(bytes + INDEX + 8, 1);
    put(bytes + ROW + 72, PAYLOAD);
    put(bytes + ROW + 80, 16);
    put(bytes + ROW + 88, 16);
    memset(bytes + PAYLOAD, 0xFF, 16);
    alone = look_alone(bytes, SIZE);
    assert_int_equal(alone.opened, UTET_OK);
    assert_int_equal(alone.read, UTET_OK);
    assert_string_equal(alone.hex, "5ac6a5945f16500911219129984ba8b387a06f24fe383ce4e81a73294065461b"); /* sha256sum */
    for (size_t tail = 0; tail < 40; tail++) {
        uint8_t *const all = partition(bytes, SIZE, tail, 0);
        struct found found;
        utet_io io;
        assert_int_equal(utet_partition_open(&io, all, SIZE + tail), UTET_OK);
        found = look(&io);
        check_same(&found, &alone, "elements of ones", tail);
        free(all);
    }
}

static void erased_and_short_partitions(void **state)
{
    uint8_t bytes[70];
    utet_io io;
    (void)state;
    memset(bytes, 0xFF, sizeof bytes);
    for (size_t length = 0; length <= sizeof bytes; length++) {
        assert_int_equal(utet_partition_open(&io, bytes, length), UTET_PARTITION_E_ERASED);
        assert_null(io.map);
        assert_true(io.size == 0);
    }
    for (size_t length = 1; length <= sizeof bytes; length++)
        for (size_t at = 0; at < length; at++) { /* one byte that is not erased */
            uint8_t *const all = partition(bytes, length, 0, 0);
            all[at] = 0xFE;
            assert_int_equal(utet_partition_open(&io, all, length), UTET_OK);
            assert_true(io.size == at + 1);
            free(all);
        }
}

/* Power was lost while the file was being written. */
static void files_that_were_written_in_part(void **state)
{
    static uint8_t bytes[DEMO_MOST];
    size_t size;
    (void)state;
    memcpy(bytes, demo_file("demo_tiny.tet", &size), DEMO_MOST);
    for (size_t length = 1; length < size; length += length < 600 || length + 600 > size ? 1 : 37) {
        uint8_t *const all = partition(bytes, length, size - length + 100, 1);
        struct found found;
        utet_io io;
        assert_int_equal(utet_partition_open(&io, all + 1, size + 100), UTET_OK);
        found = look(&io);
        suite_check(found.opened != UTET_OK || found.footer != UTET_OK, "%zu of %zu bytes: nothing is missing", length,
                    size);
        free(all);
    }
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        cmocka_unit_test(golden_files),
        cmocka_unit_test(elements_of_ones),
        cmocka_unit_test(erased_and_short_partitions),
        cmocka_unit_test(files_that_were_written_in_part),
    };
    return SUITE("partition", cases);
}
