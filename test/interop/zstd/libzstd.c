/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Frames by the calls of libzstd 1.5.7 that its command line does not use, for `make interop-zstd`: libzstd IN OUT.
 * Both formats: README.md. Sequences of an external producer and of ZSTD_compressSequences, block API, threads. */
#define ZSTD_STATIC_LINKING_ONLY
#include "zstd.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST ((size_t)4 << 20)

static FILE *out;
static uint8_t *frame;
static uint32_t drawn = 1;

static uint32_t draw(uint32_t below)
{
    drawn ^= drawn << 13;
    drawn ^= drawn >> 17;
    drawn ^= drawn << 5;
    return drawn % below;
}

static void put(uint32_t number, unsigned bytes)
{
    for (; bytes > 0; bytes--, number >>= 8)
        putc((int)(number & 0xFF), out);
}

static void record(uint32_t item, const char *settings, size_t size)
{
    if (ZSTD_isError(size)) {
        fprintf(stderr, "item %u, %s: %s\n", (unsigned)item, settings, ZSTD_getErrorName(size));
        return;
    }
    put(item, 4);
    put((uint32_t)strlen(settings), 2);
    fputs(settings, out);
    put((uint32_t)size, 4);
    fwrite(frame, 1, size, out);
}

/* A parse that no compressor makes: matches found by a small table, of random lengths, with any offset that fits. */
static size_t parse(ZSTD_Sequence *to, size_t most, const uint8_t *data, size_t size)
{
    static uint32_t last[4096];
    size_t count = 0, at = 0, literals = 0;

    memset(last, 0, sizeof last);
    while (at + 4 < size && count + 1 < most) {
        const unsigned key = (data[at] * 31u + data[at + 1] * 7u + data[at + 2]) % 4096u;
        const size_t from = last[key];
        size_t length = 0;

        last[key] = (uint32_t)at + 1;
        if (from != 0) {
            const size_t longest = 3 + (draw(4) == 0 ? draw(4000) : draw(40));

            while (length < longest && at + length < size && data[from - 1 + length] == data[at + length])
                length++;
        }
        if (length < 3) {
            at++;
            literals++;
            continue;
        }
        to[count].offset = (unsigned)(at - (from - 1));
        to[count].litLength = (unsigned)literals;
        to[count].matchLength = (unsigned)length;
        to[count++].rep = 0;
        at += length;
        literals = 0;
    }
    to[count].offset = 0;
    to[count].litLength = (unsigned)(size - at + literals);
    to[count].matchLength = 0;
    to[count++].rep = 0;
    return count;
}

static size_t producer(void *state, ZSTD_Sequence *to, size_t most, const void *data, size_t size, const void *dict,
                       size_t dict_size, int level, size_t window)
{
    (void)state, (void)dict, (void)dict_size, (void)level, (void)window;
    return parse(to, most, data, size);
}

static void sequences(uint32_t item, const uint8_t *data, size_t size)
{
    static ZSTD_Sequence found[1 << 16];
    ZSTD_CCtx *c = ZSTD_createCCtx();

    ZSTD_registerSequenceProducer(c, NULL, producer);
    ZSTD_CCtx_setParameter(c, ZSTD_c_validateSequences, 1);
    ZSTD_CCtx_setParameter(c, ZSTD_c_checksumFlag, 1);
    record(item, "sequence producer, checksum", ZSTD_compress2(c, frame, MOST, data, size));
    ZSTD_CCtx_setParameter(c, ZSTD_c_searchForExternalRepcodes, ZSTD_ps_enable);
    ZSTD_CCtx_setParameter(c, ZSTD_c_maxBlockSize, 1024);
    record(item, "sequence producer, repeated offsets, blocks of 1 KiB", ZSTD_compress2(c, frame, MOST, data, size));
    ZSTD_CCtx_reset(c, ZSTD_reset_session_and_parameters);
    if (size < 60000) {
        const size_t count = parse(found, 1 << 16, data, size);

        ZSTD_CCtx_setParameter(c, ZSTD_c_blockDelimiters, ZSTD_sf_explicitBlockDelimiters);
        ZSTD_CCtx_setParameter(c, ZSTD_c_contentSizeFlag, 0);
        record(item, "compressSequences", ZSTD_compressSequences(c, frame, MOST, found, count, data, size));
    }
    ZSTD_freeCCtx(c);
}

/* The frame header and block headers are written here, blocks of 1 to `most` bytes are the library's. */
static void blocks(uint32_t item, const uint8_t *data, size_t size, uint32_t most, int level, const char *settings)
{
    ZSTD_CCtx *c = ZSTD_createCCtx();
    size_t at = 0, used = 6;

    memcpy(frame, "\x28\xB5\x2F\xFD\x00\x58", 6); /* a window of 2 MiB, no size, no checksum */
    ZSTD_compressBegin(c, level);
    while (at < size) {
        const size_t piece = 1 + draw(most);
        const size_t length = piece < size - at ? piece : size - at;
        const size_t got = ZSTD_compressBlock(c, frame + used + 3, MOST - used - 3, data + at, length);
        const uint32_t head = (uint32_t)(at + length == size) |
                              (got == 0 ? 0u << 1 | (uint32_t)length << 3 : 2u << 1 | (uint32_t)got << 3);

        if (ZSTD_isError(got)) {
            used = got;
            break;
        }
        if (got == 0) /* not worth it */
            memcpy(frame + used + 3, data + at, length);
        frame[used] = (uint8_t)head;
        frame[used + 1] = (uint8_t)(head >> 8);
        frame[used + 2] = (uint8_t)(head >> 16);
        used += 3 + (got == 0 ? length : got);
        at += length;
    }
    record(item, settings, used);
    ZSTD_freeCCtx(c);
}

static void threads(uint32_t item, const uint8_t *data, size_t size)
{
    ZSTD_CCtx *c = ZSTD_createCCtx();

    ZSTD_CCtx_setParameter(c, ZSTD_c_nbWorkers, 3);
    ZSTD_CCtx_setParameter(c, ZSTD_c_jobSize, 1);
    ZSTD_CCtx_setParameter(c, ZSTD_c_overlapLog, 9);
    ZSTD_CCtx_setParameter(c, ZSTD_c_checksumFlag, 1);
    record(item, "3 threads, checksum", ZSTD_compress2(c, frame, MOST, data, size));
    ZSTD_CCtx_setParameter(c, ZSTD_c_rsyncable, 1);
    ZSTD_CCtx_setParameter(c, ZSTD_c_overlapLog, 1);
    ZSTD_CCtx_setParameter(c, ZSTD_c_compressionLevel, 12);
    record(item, "3 threads, rsyncable, level 12", ZSTD_compress2(c, frame, MOST, data, size));
    ZSTD_freeCCtx(c);
}

static void targets(uint32_t item, const uint8_t *data, size_t size)
{
    ZSTD_CCtx *c = ZSTD_createCCtx();

    ZSTD_CCtx_setParameter(c, ZSTD_c_targetCBlockSize, 1340);
    record(item, "blocks of about 1340", ZSTD_compress2(c, frame, MOST, data, size));
    ZSTD_CCtx_reset(c, ZSTD_reset_session_and_parameters);
    ZSTD_CCtx_setParameter(c, ZSTD_c_enableLongDistanceMatching, 1);
    ZSTD_CCtx_setParameter(c, ZSTD_c_ldmMinMatch, 4);
    ZSTD_CCtx_setParameter(c, ZSTD_c_ldmHashRateLog, 0);
    record(item, "long distances", ZSTD_compress2(c, frame, MOST, data, size));
    ZSTD_CCtx_reset(c, ZSTD_reset_session_and_parameters);
    ZSTD_CCtx_setParameter(c, ZSTD_c_literalCompressionMode, ZSTD_ps_disable);
    ZSTD_CCtx_setParameter(c, ZSTD_c_windowLog, 10);
    record(item, "raw literals, window 1 KiB", ZSTD_compress2(c, frame, MOST, data, size));
    ZSTD_freeCCtx(c);
}

int main(int count, char **words)
{
    FILE *in;
    uint8_t *data = malloc(MOST);
    uint8_t head[4];
    uint32_t item;

    frame = malloc(MOST);
    if (count != 3 || data == NULL || frame == NULL || (in = fopen(words[1], "rb")) == NULL ||
        (out = fopen(words[2], "wb")) == NULL)
        return 1;
    for (item = 0; fread(head, 1, 4, in) == 4; item++) {
        const size_t size = head[0] | (size_t)head[1] << 8 | (size_t)head[2] << 16 | (size_t)head[3] << 24;

        if (size > MOST / 2 || fread(data, 1, size, in) != size)
            return 1;
        sequences(item, data, size);
        blocks(item, data, size, 3000, 3, "block API, level 3");
        blocks(item, data, size, 300, 17, "block API, small blocks, level 17");
        threads(item, data, size);
        targets(item, data, size);
    }
    return ferror(in) || fclose(out) != 0;
}
