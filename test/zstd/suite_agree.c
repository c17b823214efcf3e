/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Both zstd decoders of the library agree: a file that one refuses is refused by the other, and what both accept
 * decodes to the same bytes. On x86-64, libzstd does the same with BMI2 and without. The damage is one byte of a frame,
 * at every position with many values; libzstd writes the frames. If the decoders differ on purpose, the reason is in
 * the list below, and the case checks it: the frame is changed so that the reason is gone, and then both must agree.
 */
#include "rig.h"
#include "tetgen.h"

#if defined(TETGEN_NO_ZSTD) || !defined(HAVE_ZSTD_UPSTREAM) || !defined(HAVE_ZSTD_SMALL)

static void one_verdict(void **state)
{
    (void)state;
    suite_skip("suite_agree: not both decoders on this target");
}

#else

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#define PAYLOAD_AT ((unsigned)TETGEN_HEAD)
#define MOST_RAW 6000u
#define MOST_FILE (PAYLOAD_AT + 2 * MOST_RAW)
#define WORK (64u << 10)

enum { UPSTREAM, SMALL };

static uint8_t file[MOST_FILE], outs[2][MOST_RAW];

/* Data with something for each part of the format: runs, noise, text, matches. */
static void fill(uint8_t *data, size_t size, unsigned kind, uint64_t *seed)
{
    for (size_t at = 0; at < size;) {
        const uint64_t r = tetgen_random(seed);
        size_t n = 1 + (size_t)(r >> 8) % (kind % 3 == 0 ? 30u : 200u);

        for (; n > 0 && at < size; n--, at++) {
            if (kind % 4 == 1 || (r & 7) < 3)
                data[at] = (uint8_t)("etaoin shrdlu cmfwyp"[tetgen_random(seed) % 20]);
            else if ((r & 7) < 4)
                data[at] = (uint8_t)tetgen_random(seed);
            else
                data[at] = at < 70 ? (uint8_t)r : data[at - 1 - (size_t)(r >> 20) % 64];
        }
    }
}

/* A frame of `raw` bytes after the head of the file; returns its length. */
static size_t frame(unsigned number, size_t raw, uint64_t *seed)
{
    static uint8_t data[MOST_RAW];
    static const int levels[] = {3, 1, 19, -3, 9, 22};
    ZSTD_CCtx *c = ZSTD_createCCtx();
    size_t stored;

    fill(data, raw, number, seed);
    ZSTD_CCtx_setParameter(c, ZSTD_c_compressionLevel, levels[number % 6]);
    ZSTD_CCtx_setParameter(c, ZSTD_c_contentSizeFlag, (int)(number / 2 % 2));
    if (number % 5 == 0)
        ZSTD_CCtx_setParameter(c, ZSTD_c_windowLog, 10);
    if (number % 7 == 3) /* all literals are Huffman coded in four streams, no matches */
        ZSTD_CCtx_setParameter(c, ZSTD_c_minMatch, 7);
    stored = ZSTD_compress2(c, file + PAYLOAD_AT, MOST_FILE - PAYLOAD_AT, data, raw);
    suite_check(!ZSTD_isError(stored), "frame %u: %s", number, ZSTD_getErrorName(stored));
    ZSTD_freeCCtx(c);
    return stored;
}

static utet_status decode(const utet_codec *codec, size_t size, uint8_t *out, size_t raw)
{
    static uint64_t work[WORK / 8];
    const utet_codec *const codecs[] = {codec, NULL};
    const utet_io io = {.map = file, .size = size, .unit = 1, .align = 1};
    utet_file opened;
    utet_chunk chunk;
    utet_stream stream;

    memset(out, 0, raw);
    suite_check(utet_init(&opened, &io, work, sizeof work, codecs) == UTET_OK, "init");
    suite_check(utet_open(&opened, &(utet_options){.budget = (size_t)-1}) == UTET_OK, "open");
    suite_check(utet_row_first(&opened, &chunk) == UTET_OK, "row");
    return utet_stream_load(&stream, &opened, &chunk, out, raw);
}

/* Returns whether both decoders return the same; `statuses` gets what they return. */
static int agree(size_t stored, size_t raw, utet_status statuses[2])
{
    static const utet_codec *const codecs[] = {&utet_codec_zstd_upstream, &utet_codec_zstd_small};

    for (int codec = 0; codec < 2; codec++)
        statuses[codec] = decode(codecs[codec], PAYLOAD_AT + stored, outs[codec], raw);
    return (statuses[UPSTREAM] == UTET_OK) == (statuses[SMALL] == UTET_OK) &&
           (statuses[SMALL] != UTET_OK || memcmp(outs[0], outs[1], raw) == 0);
}

/* libzstd with the other instructions of the processor returns the same as in `statuses` and outs[UPSTREAM]. */
static int plain_agrees(size_t stored, size_t raw, const utet_status statuses[2])
{
    static uint8_t out[MOST_RAW];
    utet_status status;

    rig_plain_x86 = 1;
    status = decode(&utet_codec_zstd_upstream, PAYLOAD_AT + stored, out, raw);
    rig_plain_x86 = 0;
    return status == statuses[UPSTREAM] && (status != UTET_OK || memcmp(out, outs[UPSTREAM], raw) == 0);
}

/* The only reason. libzstd does not compare offsets, raw blocks and RLE blocks with the declared window if the
 * destination holds the complete chunk, and it compares a compressed block's own size with the window, where the
 * format's errata say 128 KiB. With a declared window of 2 MiB instead, which no block exceeds, both must agree. */
static int declared_window(size_t stored, size_t raw)
{
    uint8_t *const descriptor = file + PAYLOAD_AT + 5;
    const uint8_t window = *descriptor;
    utet_status statuses[2];
    int agreed;

    if ((descriptor[-1] & 0x20) != 0 || window >= 0x58) /* one segment: no window is declared */
        return 0;
    *descriptor = 0x58;
    agreed = agree(stored, raw, statuses);
    *descriptor = window;
    return agreed;
}

static void one_verdict(void **state)
{
    const unsigned long wanted = suite_full() ? 120000 : suite_light() ? 3000 : 12000;
    unsigned long tried = 0, refused = 0, by_window = 0, named_apart = 0;
    uint64_t seed = 5;

    (void)state;
    for (unsigned number = 0; tried < wanted; number++) {
        const size_t raw = 1 + (size_t)tetgen_random(&seed) % (number % 4 == 0 ? MOST_RAW : 700u);
        const size_t stored = frame(number, raw, &seed);
        utet_status statuses[2];

        tetgen_head(file, stored, raw);
        suite_check(agree(stored, raw, statuses) && statuses[SMALL] == UTET_OK, "frame %u: %s, %s", number,
                    rig_status(statuses[UPSTREAM]), rig_status(statuses[SMALL]));
        suite_check(plain_agrees(stored, raw, statuses), "frame %u: without BMI2", number);
        for (unsigned i = 0; i < 400 && tried < wanted; i++, tried++) {
            uint8_t *const at = file + PAYLOAD_AT + 4 + (size_t)tetgen_random(&seed) % (stored - 4);
            const uint8_t good = *at;

            *at = (uint8_t)(good ^ (1 + tetgen_random(&seed) % 255));
            if (!agree(stored, raw, statuses)) {
                suite_check(declared_window(stored, raw), "frame %u, byte %u = %u: package %s, ours %s", number,
                            (unsigned)(at - file) - PAYLOAD_AT, *at, rig_status(statuses[UPSTREAM]),
                            rig_status(statuses[SMALL]));
                by_window++;
                agree(stored, raw, statuses);
            }
            suite_check(plain_agrees(stored, raw, statuses), "frame %u, byte %u = %u: without BMI2", number,
                        (unsigned)(at - file) - PAYLOAD_AT, *at);
            refused += statuses[SMALL] != UTET_OK;
            named_apart += statuses[SMALL] != statuses[UPSTREAM];
            *at = good;
        }
    }
    suite_figure("%lu damaged frames, %lu refused, verdicts differ for %lu by the declared window, other names: %lu",
                 tried, refused, by_window, named_apart - by_window);
}

#endif

int main(void)
{
    const struct CMUnitTest cases[] = {cmocka_unit_test(one_verdict)};
    return SUITE("agree", cases);
}
