/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The conditions of the container's parsers, one at a time (MC/DC, test/README.md, bar 1): two files that differ in
 * what this condition tests, and in nothing else that its decision tests; the results must differ as the format states.
 * If there is a limit, both files are at it. The text of the condition must be in the named source, so that an outdated
 * table is noticed.
 */
#include "rig.h"
#include "tetgen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * The files: superblock at 0, length of the directory at 32, then
 *   PLAIN    records at 40 (one axis, one byte of name) and 80 (eight axes, two bytes of name), index at 232, rows
 *            at 264 (two of the first, one of the second), end of index 576, footer of version 2
 *   NO_ROWS  one dataset of no elements: record at 40, index at 80
 */
enum { PLAIN, NO_ROWS };
enum { INDEX = 232, ROW = 264, INDEX_END = 576, ROW_OFFSET = ROW + 72, ROW_RAW = ROW + 80, ROW_CODEC = ROW + 96 };

/* What a patch changes: a number of `bytes` bytes in the file, at an offset from its start or its end; or what the
 * caller passes. */
enum { NONE, FILE_AT, BACK, SIZE, WORK, BUDGET, RAM };

typedef struct patch {
    unsigned what, at, bytes;
    uint64_t value;
} patch;

enum {
    OPENED,    /* what utet_open returns */
    ASKED,     /* how many bytes it requests from the medium, one at a time */
    FOOTER,    /* the footer's status */
    FOOTER_AT, /* bytes from the start of the footer to the end */
    DATASETS,  /* how many records can be iterated over */
    ELEMENT,   /* size of the first dataset's elements */
    FIRST_ROW, /* what utet_row_first returns */
    ROW_FIELD, /* … and which field it reports */
    LIMIT      /* the budget that applies */
};

typedef struct condition {
    const char *source, *text;
    unsigned base, asks;
    patch both[3], no[2], yes[2];
    int64_t if_no, if_yes;
} condition;

static const condition conditions[] = {
    /* superblock (§2) */
    {"open.c",
     "io->size < UTET_SUPERBLOCK_BYTES",
     PLAIN,
     OPENED,
     {{FILE_AT, 8, 24, 0}},
     {{SIZE, 0, 0, 32}},
     {{SIZE, 0, 0, 31}},
     UTET_OK,
     UTET_E_SUPERBLOCK},
    {"open.c",
     "utet_le32(at) != 0x52544554u",
     PLAIN,
     OPENED,
     {{0}},
     {{0}},
     {{FILE_AT, 3, 1, 'r'}},
     UTET_OK,
     UTET_E_MAGIC},
    {"open.c",
     "utet_le32(at + 4) != UTET_LAYOUT_VERSION",
     PLAIN,
     OPENED,
     {{0}},
     {{0}},
     {{FILE_AT, 4, 4, 2}},
     UTET_OK,
     UTET_E_VERSION},
    {"open.c",
     "utet_add(file->index_offset, file->index_length) > io->size",
     PLAIN,
     OPENED,
     {{FILE_AT, 12, 4, 0}},
     {{SIZE, 0, 0, INDEX_END}},
     {{SIZE, 0, 0, INDEX_END - 1}},
     UTET_OK,
     UTET_E_SUPERBLOCK},
    {"open.c",
     "file->dataset_count != 0 ? DIRECTORY : FOOTER",
     PLAIN,
     DATASETS,
     {{0}},
     {{FILE_AT, 8, 4, 0}},
     {{0}},
     0,
     2},
    /* directory (§3) */
    {"open.c",
     "file->priv.io->size < UTET_RECORDS_OFFSET",
     PLAIN,
     ASKED,
     {{FILE_AT, 16, 16, 0}},
     {{SIZE, 0, 0, 40}},
     {{SIZE, 0, 0, 39}},
     40,
     32},
    {"open.c",
     "length > rest",
     PLAIN,
     OPENED,
     {{FILE_AT, 16, 16, 0}, {SIZE, 0, 0, INDEX}},
     {{0}},
     {{FILE_AT, 32, 8, 193}},
     UTET_E_INDEX,
     UTET_E_DIRECTORY},
    {"open.c",
     "(uint64_t)file->dataset_count * 32 > length",
     PLAIN,
     OPENED,
     {{0}},
     {{FILE_AT, 8, 4, 6}},
     {{FILE_AT, 8, 4, 7}},
     UTET_E_DATASET,
     UTET_E_DIRECTORY},
    {"open.c",
     "file->priv.call.open.records_left == 0",
     PLAIN,
     OPENED,
     {{0}},
     {{0}},
     {{FILE_AT, 8, 4, 1}},
     UTET_OK,
     UTET_E_DIRECTORY},
    {"open.c",
     "from == file->priv.call.open.directory_end ?",
     PLAIN,
     OPENED,
     {{0}},
     {{FILE_AT, 32, 8, 193}},
     {{0}},
     UTET_E_DIRECTORY,
     UTET_OK},
    /* records (§3) */
    {"dataset.c",
     "place > *end",
     PLAIN,
     ASKED,
     {{FILE_AT, 48, 4, 2}},
     {{FILE_AT, 32, 8, 72}},
     {{FILE_AT, 32, 8, 71}},
     57 + 16,
     57}, /* the second record, at 96 */
    {"dataset.c",
     "utet_le32(file->priv.at + UTET_RECORD_NDIM) - 1 >= UTET_FORMAT_NDIM",
     PLAIN,
     OPENED,
     {{0}},
     {{0}},
     {{FILE_AT, 48, 4, 0}},
     UTET_OK,
     UTET_E_DATASET},
    {"dataset.c",
     "utet_le32(file->priv.at + UTET_RECORD_NDIM) - 1 >= UTET_FORMAT_NDIM",
     PLAIN,
     ASKED,
     {{0}},
     {{FILE_AT, 48, 4, 8}},
     {{FILE_AT, 48, 4, 9}},
     122,
     56}, /* it opens with 8 */
    {"dataset.c",
     "place + 16u * file->priv.at[UTET_RECORD_NDIM] > *end",
     PLAIN,
     OPENED,
     {{0}},
     {{0}},
     {{FILE_AT, 32, 8, 191}},
     UTET_OK,
     UTET_E_DATASET},
    {"dataset.c", "dtype < sizeof sizes", PLAIN, ELEMENT, {{0}}, {{FILE_AT, 44, 4, 11}}, {{FILE_AT, 44, 4, 10}}, 0, 8},
    {"open.c", "some == 0", PLAIN, OPENED, {{0}}, {{0}}, {{FILE_AT, 56, 1, 0x80}}, UTET_OK, UTET_E_DATASET},
    /* index header (§4) */
    {"open.c",
     "file->index_offset != utet_align8(file->priv.call.open.directory_end)",
     PLAIN,
     OPENED,
     {{0}},
     {{0}},
     {{FILE_AT, 16, 8, INDEX + 8}, {FILE_AT, 24, 8, INDEX_END - INDEX - 8}},
     UTET_OK,
     UTET_E_INDEX},
    {"open.c",
     "file->index_length < UTET_INDEX_BYTES",
     NO_ROWS,
     OPENED,
     {{0}},
     {{0}},
     {{FILE_AT, 24, 8, 31}},
     UTET_OK,
     UTET_E_INDEX},
    {"open.c",
     "utet_le32(at) != 0x58444954u",
     PLAIN,
     OPENED,
     {{0}},
     {{0}},
     {{FILE_AT, INDEX + 3, 1, 'Y'}},
     UTET_OK,
     UTET_E_INDEX},
    {"open.c",
     "utet_le32(at + 4) != 1",
     PLAIN,
     OPENED,
     {{0}},
     {{0}},
     {{FILE_AT, INDEX + 4, 4, 0}},
     UTET_OK,
     UTET_E_INDEX_VERSION},
    {"open.c",
     "utet_mul(file->row_count, UTET_ROW_BYTES) != file->index_length - UTET_INDEX_BYTES",
     PLAIN,
     OPENED,
     {{0}},
     {{0}},
     {{FILE_AT, INDEX + 8, 8, 2}},
     UTET_OK,
     UTET_E_INDEX},
    /* footer tail (§6.1, §6.2) */
    {"open.c",
     "(file->flags & 1) == 0",
     PLAIN,
     FOOTER_AT,
     {{0}},
     {{FILE_AT, 12, 4, 3}},
     {{FILE_AT, 12, 4, 2}},
     44,
     0}, /* 28 bytes of JSON, 16 of tail */
    {"open.c",
     "utet_le32(at + 12) != 0x54534854u",
     PLAIN,
     FOOTER,
     {{0}},
     {{0}},
     {{BACK, 1, 1, 't'}},
     UTET_OK,
     UTET_E_FOOTER},
    {"open.c",
     "file->dataset_count != 0)",
     PLAIN,
     FOOTER,
     {{BACK, 1, 1, 't'}},
     {{FILE_AT, 8, 4, 0}},
     {{0}},
     UTET_OK,
     UTET_E_FOOTER},
    {"open.c",
     "utet_le32(at + 8) - 1 > 1",
     PLAIN,
     FOOTER,
     {{0}},
     {{0}},
     {{BACK, 8, 4, 3}},
     UTET_OK,
     UTET_E_FOOTER_VERSION},
    {"open.c",
     "utet_le32(at + 8) - 1 > 1",
     PLAIN,
     FOOTER,
     {{0}},
     {{BACK, 8, 4, 1}},
     {{BACK, 8, 4, 0}},
     UTET_OK,
     UTET_E_FOOTER_VERSION},
    {"open.c",
     "length > tail",
     PLAIN,
     FOOTER,
     {{SIZE, 0, 0, INDEX_END + 16}, {BACK, 8, 4, 1}, {BACK, 4, 4, 0x54534854}},
     {{BACK, 16, 8, INDEX_END}},
     {{BACK, 16, 8, INDEX_END + 1}},
     UTET_OK,
     UTET_E_FOOTER},
    /* the budget */
    {"../../base/room.c",
     "file->priv.window <= file->budget",
     PLAIN,
     OPENED,
     {{0}},
     {{WORK, 0, 0, UTET_WINDOW_LEAST(1)}},
     {{WORK, 0, 0, UTET_WINDOW_LEAST(1) - 1}},
     UTET_OK,
     UTET_E_BUDGET},
    {"open.c",
     "if (wall == 0) wall = file->memory_budget_bytes;",
     PLAIN,
     LIMIT,
     {{FILE_AT, INDEX + 20, 4, 1000}},
     {{BUDGET, 0, 0, 2000}},
     {{0}},
     2000,
     1000},
    {"open.c",
     "if (wall == 0) wall = utet_div_up(",
     PLAIN,
     LIMIT,
     {{RAM, 0, 0, 4000}, {FILE_AT, INDEX + 16, 2, 5000}},
     {{FILE_AT, INDEX + 20, 4, 1000}},
     {{0}},
     1000,
     2000},
    {"open.c", "wall != 0 &&", PLAIN, LIMIT, {{FILE_AT, INDEX + 16, 2, 5000}}, {{0}}, {{RAM, 0, 0, 4000}}, 4096, 2000},
    {"open.c",
     "&& wall < file->budget",
     PLAIN,
     LIMIT,
     {{0}},
     {{BUDGET, 0, 0, 4097}},
     {{BUDGET, 0, 0, 4095}},
     4096,
     4095},
    /* rows (§4) */
    {"row.c", "row >= file->row_count", PLAIN, FIRST_ROW, {{0}}, {{0}}, {{FILE_AT, 8, 4, 0}}, UTET_OK, UTET_END},
    {"row.c",
     "chunk->codec > UTET_CODEC_ZSTD",
     PLAIN,
     FIRST_ROW,
     {{0}},
     {{FILE_AT, ROW_CODEC, 4, 1}},
     {{FILE_AT, ROW_CODEC, 4, 2}},
     UTET_OK,
     UTET_E_ROW},
    {"row.c",
     "chunk->codec == UTET_CODEC_RAW &&",
     PLAIN,
     FIRST_ROW,
     {{FILE_AT, ROW_RAW, 8, 3}},
     {{FILE_AT, ROW_CODEC, 4, 1}},
     {{0}},
     UTET_OK,
     UTET_E_ROW},
    {"row.c",
     "&& chunk->raw_byte_len != chunk->stored_byte_len",
     PLAIN,
     FIRST_ROW,
     {{0}},
     {{0}},
     {{FILE_AT, ROW_RAW, 8, 5}},
     UTET_OK,
     UTET_E_ROW},
    {"row.c",
     "utet_add(chunk->payload_offset, chunk->stored_byte_len) > file->priv.io->size",
     PLAIN,
     FIRST_ROW,
     {{FILE_AT, 12, 4, 0}, {SIZE, 0, 0, 1000}},
     {{FILE_AT, ROW_OFFSET, 8, 996}},
     {{FILE_AT, ROW_OFFSET, 8, 997}},
     UTET_OK,
     UTET_E_ROW},
    {"row.c",
     "utet_add(chunk->payload_offset, chunk->stored_byte_len) > file->priv.io->size",
     PLAIN,
     ROW_FIELD,
     {{0}},
     {{FILE_AT, ROW_RAW, 8, 5}},
     {{FILE_AT, ROW_OFFSET, 8, UINT64_MAX}},
     80,
     72},
};
enum { CONDITIONS = sizeof conditions / sizeof conditions[0] };

typedef struct world {
    tetgen g;
    rig r;
    uint8_t bytes[2048];
    uint64_t size;
    size_t work, budget, ram;
} world;

static void apply(world *w, const patch *p)
{
    uint8_t *at = p->what == BACK ? w->bytes + w->size - p->at : w->bytes + p->at;

    switch (p->what) {
    case FILE_AT:
    case BACK:
        for (unsigned i = 0; i < p->bytes; i += 8)
            tetgen_put(at + i, p->value, p->bytes - i < 8 ? p->bytes - i : 8);
        break;
    case SIZE: w->size = p->value; break;
    case WORK: w->work = (size_t)p->value; break;
    case BUDGET: w->budget = (size_t)p->value; break;
    case RAM: w->ram = (size_t)p->value; break;
    default: break;
    }
}

static void make(world *w, const condition *c, int yes)
{
    static const tetgen_dataset plain[] = {
        {"a", 1, UTET_U16, 1, {4}, {2}, TETGEN_RAW},
        {"bb", 2, UTET_U8, 8, {1, 1, 1, 1, 1, 1, 1, 1}, {1, 1, 1, 1, 1, 1, 1, 1}, TETGEN_RAW},
    };
    static const tetgen_dataset nothing[] = {{"a", 1, UTET_U8, 1, {0}, {1}, TETGEN_RAW}};

    memset(w, 0, sizeof *w);
    w->g = c->base == PLAIN ? (tetgen){.datasets = plain, .count = 2, .seed = 1, .footer = 2}
                            : (tetgen){.datasets = nothing, .count = 1, .seed = 1};
    tetgen_build(&w->g);
    assert_true(w->g.size <= sizeof w->bytes);
    assert_true(c->base != PLAIN || w->g.index_offset == INDEX);
    memcpy(w->bytes, w->g.bytes, w->g.size);
    w->size = w->g.size;
    w->work = 4096;
    for (unsigned i = 0; i < 3; i++)
        apply(w, &c->both[i]);
    for (unsigned i = 0; i < 2; i++)
        apply(w, yes ? &c->yes[i] : &c->no[i]);
    tetgen_free(&w->g);
}

static int64_t datasets_of(world *w)
{
    utet_dataset d;
    utet_status status;
    int64_t n = 0;

    DRIVE(status, utet_dataset_first(&w->r.file, &d));
    for (; status == UTET_OK; n++)
        DRIVE(status, utet_dataset_next(&w->r.file, &d));
    assert_int_equal(status, UTET_END);
    return n;
}

static int64_t answer(world *w, unsigned asks)
{
    const utet_file *file = &w->r.file;
    utet_status status;
    utet_dataset d;
    utet_chunk chunk;

    rig_make(&w->r, w->bytes, w->size, -1);
    w->r.port.slice = 1;
    rig_start(&w->r, w->work, GUARD_AFTER);
    DRIVE(status, utet_open(&w->r.file, &((utet_options){w->budget, w->ram})));
    if (asks == OPENED)
        return status;
    if (asks == ASKED)
        return (int64_t)w->r.port.bytes_read;
    assert_int_equal(status, UTET_OK);
    if (asks == FOOTER)
        return file->footer_status;
    if (asks == FOOTER_AT)
        return (int64_t)(w->size - file->footer_offset);
    if (asks == LIMIT)
        return (int64_t)file->budget;
    if (asks == DATASETS)
        return datasets_of(w);
    if (asks == ELEMENT) {
        DRIVE_OK(utet_dataset_first(&w->r.file, &d));
        return d.elem_size;
    }
    DRIVE(status, utet_row_first(&w->r.file, &chunk));
    return asks == ROW_FIELD ? (int64_t)file->error_offset - ROW : status;
}

/* ---- cases ---- */

static void each_condition_decides(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2 * CONDITIONS; i++) {
        const condition *c = &conditions[i / 2];
        int64_t expected = i % 2 ? c->if_yes : c->if_no, got;
        static world w;

        assert_true(c->if_no != c->if_yes);
        make(&w, c, (int)(i % 2));
        got = answer(&w, c->asks);
        suite_check(got == expected, "%s: %s %s: %lld instead of %lld", c->source, c->text,
                    i % 2 ? "holds" : "does not hold", (long long)got, (long long)expected);
        rig_end(&w.r, c->text);
    }
    suite_figure("conditions of the container's parsers, each shown to decide alone: %u pairs of files",
                 (unsigned)CONDITIONS);
}

/* Compares without blanks. */
static size_t squeeze(char *text)
{
    char *to = text;

    for (const char *from = text; *from != '\0'; from++)
        if (*from != ' ' && *from != '\n')
            *to++ = *from;
    *to = '\0';
    return (size_t)(to - text);
}

static void each_condition_is_there(void **state)
{
    const char *root = getenv("TEST_ROOT");

    (void)state;
    for (unsigned i = 0; i < CONDITIONS; i++) {
        static char source[30000];
        char path[1000], text[200];
        size_t n;
        FILE *in;

        snprintf(path, sizeof path, "%s/../src/tet/container/%s", root != NULL ? root : "test", conditions[i].source);
        in = fopen(path, "rb");
        suite_check(in != NULL, "%s", path);
        n = fread(source, 1, sizeof source - 1, in);
        fclose(in);
        source[n] = '\0';
        snprintf(text, sizeof text, "%s", conditions[i].text);
        (void)squeeze(source);
        (void)squeeze(text);
        suite_check(strstr(source, text) != NULL, "%s: no %s", conditions[i].source, conditions[i].text);
    }
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        cmocka_unit_test(each_condition_decides),
        cmocka_unit_test(each_condition_is_there),
    };

    return SUITE("conditions", cases);
}
