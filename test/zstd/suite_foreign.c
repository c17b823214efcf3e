/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Frames of other encoders than the usual one of libzstd (foreign/frames.tsv lists them and their settings), read by
 * both decoders: with exactly the need and one byte less, in fragments and after "not yet", mapped, as streams in
 * slices. The expected result is the SHA-256 of the bytes that the encoder was given. FOREIGN=folder: other frames, any
 * number of them, as `make interop-zstd` makes them.
 */
#include "reader.h"
#include "hash.h"
#include "tetgen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST ((size_t)4 << 20)

typedef struct frame {
    unsigned long offset;
    unsigned long stored;
    unsigned long raw;
    char digest[65];
    char origin[120];
} frame;

static FILE *corpus_file(const char *name)
{
    const char *const given = getenv("FOREIGN");
    const char *const root = getenv("TEST_ROOT");
    char path[500];
    FILE *file;

    (void)snprintf(path, sizeof path, "%s%s/%s",
                   given != NULL  ? given
                   : root != NULL ? root
                                  : "test",
                   given != NULL ? "" : "/golden/foreign", name);
    file = fopen(path, "rb");
    suite_check(file != NULL, "%s: cannot open", path);
    return file;
}

static int next_frame(FILE *table, frame *f)
{
    char line[400];

    while (fgets(line, sizeof line, table) != NULL) {
        if (line[0] == '#')
            continue;
        suite_check(
            sscanf(line, "%lu\t%lu\t%lu\t%64s\t%119[^\n]", &f->offset, &f->stored, &f->raw, f->digest, f->origin) == 5,
            "not a line of the table: %s", line);
        return 1;
    }
    return 0;
}

static void same(const frame *f, const uint8_t *out, const char *how)
{
    char hex[65];
    struct sha256 s;

    sha256_init(&s);
    sha256_add(&s, out, (size_t)f->raw);
    hash_end(&s, hex);
    suite_check(strcmp(hex, f->digest) == 0, "%s: %s: other bytes", f->origin, how);
}

/* Exactly the minimum works, and one byte less is refused before the payload is read; reader_slab_exact checks both. */
static void whole(const frame *f, const uint8_t *file, int codec, unsigned number, uint8_t *out)
{
    static const char *const ways[] = {"at once", "in pieces", "of three bytes", "mapped"};
    unsigned way;

    for (way = 0; way < 4; way++) {
        reader_whole result;
        rig r;

        if (way == 2 && f->stored > 20000)
            continue;
        rig_make(&r, file, TETGEN_HEAD + f->stored, codec);
        r.port.slice = way == 1 ? SLICE_RANDOM : way == 2 ? 3 : SLICE_ALL;
        r.port.blocks = way == 1;
        if (way == 3)
            faultport_map(&r.port);
        memset(out, 0xA5, (size_t)f->raw);
        reader_slab_exact(&r, number % 2 == 0 ? GUARD_AFTER : GUARD_BEFORE, 0, NULL, out, (size_t)f->raw, &result,
                          f->origin);
        same(f, out, ways[way]);
        rig_end(&r, f->origin);
    }
}

/* A stream in slices: the history is in the workspace. */
static void in_slices(const frame *f, const uint8_t *file, int codec, unsigned number, uint8_t *out)
{
    static const size_t slices[] = {512, 1, 64, 4096, SLICE_RANDOM};
    rig r;

    rig_make(&r, file, TETGEN_HEAD + f->stored, codec);
    r.port.slice = SLICE_RANDOM;
    suite_check(rig_open(&r, (size_t)24 << 20, (size_t)-1) == UTET_OK, "%s: open", f->origin);
    memset(out, 0xA5, (size_t)f->raw);
    reader_streams(&r, 0, out, (size_t)f->raw, slices[number % 5], f->origin);
    same(f, out, "stream");
    rig_end(&r, f->origin);
}

static void frames_of_foreign_encoders(void **state)
{
    uint8_t *const file = malloc(TETGEN_HEAD + MOST);
    FILE *const table = corpus_file("frames.tsv");
    FILE *const bytes = corpus_file("frames.bin");
    unsigned long most = suite_light() ? 60 : (unsigned long)-1;
    unsigned long stored = 0;
    unsigned count = 0;
    int codec;
    frame f;

    (void)state;
    assert_non_null(file);
    while (count < most && next_frame(table, &f)) {
        suite_check(f.raw > 0 && f.raw <= MOST && f.stored <= MOST, "%s: %lu bytes", f.origin, f.raw);
        suite_check(fseek(bytes, (long)f.offset, SEEK_SET) == 0 &&
                        fread(file + TETGEN_HEAD, 1, f.stored, bytes) == f.stored,
                    "%s: cannot read its frame", f.origin);
        tetgen_head(file, f.stored, f.raw);
        for (codec = 0; codec < (int)rig_codecs(); codec++) {
            /* of exactly its size, so that a sanitizer sees accesses beyond it */
            uint8_t *const out = malloc((size_t)f.raw);

            assert_non_null(out);
            whole(&f, file, codec, count, out);
            in_slices(&f, file, codec, count, out);
            free(out);
        }
        count++;
        stored += f.stored;
    }
    suite_check(count >= 60, "%u frames", count);
    suite_figure("foreign: %u frames, %lu bytes, by %u decoders", count, stored, rig_codecs());
    (void)fclose(table);
    (void)fclose(bytes);
    free(file);
}

int main(void)
{
    const struct CMUnitTest cases[] = {cmocka_unit_test(frames_of_foreign_encoders)};
    return SUITE("foreign", cases);
}
