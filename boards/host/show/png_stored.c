/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* PNG without libpng and zlib: rows are stored, not compressed, which every reader takes. */
#include "canvas.h"

#include <stdlib.h>
#include <string.h>

#define MOST_STORED 65535u /* bytes of a block of deflate */
#define ADLER_PRIME 65521u
#define MOST_SUMMED 3800u /* bytes whose sums stay below 2^32 */

typedef struct chunk {
    output *out;
    uint32_t crc;
    int result;
} chunk;

static void put(chunk *c, const void *data, size_t size)
{
    const uint8_t *const bytes = data;
    size_t i;
    unsigned bit;

    for (i = 0; i < size; i++) {
        c->crc ^= bytes[i];
        for (bit = 0; bit < 8; bit++)
            c->crc = c->crc >> 1 ^ ((c->crc & 1) != 0 ? 0xEDB88320u : 0u);
    }
    if (c->result == TOOL_OK)
        c->result = output_write(c->out, data, size);
}

static void put_number(chunk *c, uint32_t value)
{
    const uint8_t bytes[4] = {(uint8_t)(value >> 24), (uint8_t)(value >> 16), (uint8_t)(value >> 8), (uint8_t)value};

    put(c, bytes, sizeof bytes);
}

static void begin(chunk *c, size_t size, const char *kind)
{
    put_number(c, (uint32_t)size);
    c->crc = 0xFFFFFFFFu;
    put(c, kind, 4);
}

static void end(chunk *c)
{
    put_number(c, ~c->crc);
}

static uint32_t adler(const uint8_t *data, size_t size)
{
    uint32_t one = 1;
    uint32_t two = 0;
    size_t i;

    for (i = 0; i < size; i++) {
        one += data[i];
        two += one;
        if (i % MOST_SUMMED == MOST_SUMMED - 1) {
            one %= ADLER_PRIME;
            two %= ADLER_PRIME;
        }
    }
    return two % ADLER_PRIME << 16 | one % ADLER_PRIME;
}

/* Each block of the rows is a chunk; the first one has the header of zlib, the last one its checksum. */
static void put_rows(chunk *c, const uint8_t *rows, size_t size)
{
    static const uint8_t head[2] = {0x78, 0x01};
    size_t at;
    size_t length;

    for (at = 0; at < size; at += length) {
        uint8_t block[5];

        length = size - at < MOST_STORED ? size - at : MOST_STORED;
        block[0] = at + length == size;
        store_le(block + 1, length, 2);
        store_le(block + 3, ~(uint64_t)length, 2);
        begin(c, length + sizeof block + (at == 0 ? sizeof head : 0) + (block[0] != 0 ? 4 : 0), "IDAT");
        if (at == 0)
            put(c, head, sizeof head);
        put(c, block, sizeof block);
        put(c, rows + at, length);
        if (block[0] != 0)
            put_number(c, adler(rows, size));
        end(c);
    }
}

int png_stored(const canvas *from, output *out)
{
    static const uint8_t colours[5] = {8, 2}; /* bits, RGB; deflate, no filters, not interlaced */
    const size_t row = 1 + 3 * from->width;
    uint8_t *const rows = malloc(row * from->height);
    chunk c = {out, 0, TOOL_OK};
    size_t y;

    if (rows == NULL)
        return fail(out->name, NULL, NO_OFFSET, "not enough memory");
    for (y = 0; y < from->height; y++) {
        rows[y * row] = 0;
        memcpy(rows + y * row + 1, from->rgb + y * (row - 1), row - 1);
    }
    put(&c, "\x89PNG\r\n\x1a\n", 8);
    begin(&c, 13, "IHDR");
    put_number(&c, (uint32_t)from->width);
    put_number(&c, (uint32_t)from->height);
    put(&c, colours, sizeof colours);
    end(&c);
    put_rows(&c, rows, row * from->height);
    begin(&c, 0, "IEND");
    end(&c);
    free(rows);
    return c.result;
}
