/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The values of a column, stored while its cells are looked at. When the dtype that is chosen afterwards can have them,
 * the cells are not read again. Each block of values has a dtype: f64, i64 for codes and times, or the narrowest
 * integers that hold the values up to its last one. */
#define _XOPEN_SOURCE 700
#include "pack_csv.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BLOCK 512u /* values in a block */

static uint64_t as_bits(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Writes values as elements of a dtype, little-endian, and up to 7 bytes more. Compilers make one store of the eight;
 * with a loop over the bytes of each element, packing a table takes 5 to 12 % longer. */
static void put_elements(uint8_t *to, const uint64_t *from, size_t count, uint32_t dtype)
{
    const uint8_t size = pack_elem_size(dtype);
    size_t i;

    for (i = 0; i < count; i++, to += size) {
        const uint64_t bits = from[i];

        to[0] = (uint8_t)bits;
        to[1] = (uint8_t)(bits >> 8);
        to[2] = (uint8_t)(bits >> 16);
        to[3] = (uint8_t)(bits >> 24);
        to[4] = (uint8_t)(bits >> 32);
        to[5] = (uint8_t)(bits >> 40);
        to[6] = (uint8_t)(bits >> 48);
        to[7] = (uint8_t)(bits >> 56);
    }
}

static void get_elements(uint64_t *to, const uint8_t *from, size_t count, uint32_t dtype)
{
    const uint8_t size = pack_elem_size(dtype);
    const uint64_t sign = UTET_IS_SIGNED(dtype) ? (uint64_t)1 << (8 * size - 1) : 0;
    size_t i;

    for (i = 0; i < count; i++, from += size)
        to[i] = (load_le(from, size) ^ sign) - sign;
}

static int flush(column *c)
{
    early_values *const e = &c->early;
    const uint32_t dtype = e->doubles                                           ? UTET_F64
                           : e->state == EARLY_WORDS || c->role == COLUMN_TIMES ? UTET_I64
                                                                                : column_narrowest(c->most, c->least);
    uint8_t bytes[BLOCK * 8 + 7];
    uint8_t *more = e->dtypes;
    size_t count = e->count;

    e->count = 0;
    if (count == 0 || dtype == 0) {
        e->state = count == 0 ? e->state : EARLY_LOST;
        return TOOL_OK;
    }
    if ((e->blocks & (e->blocks - 1)) == 0) /* doubled at each power of two */
        more = realloc(more, e->blocks == 0 ? 1 : e->blocks * 2);
    if (more == NULL)
        return fail(c->path, NULL, NO_OFFSET, "not enough memory");
    e->dtypes = more;
    e->dtypes[e->blocks++] = (uint8_t)dtype;
    if (c->scratch < 0)
        c->scratch = pack_scratch(c->path);
    put_elements(bytes, e->block, count, dtype);
    return c->scratch >= 0 ? pack_write_all(c->path, c->scratch, bytes, count * pack_elem_size(dtype)) : TOOL_ERROR;
}

/* Room for one value more. */
static int make_room(column *c)
{
    early_values *const e = &c->early;

    if (e->block != NULL)
        return flush(c);
    e->block = malloc(BLOCK * sizeof *e->block);
    e->room = BLOCK;
    return e->block != NULL ? TOOL_OK : fail(c->path, NULL, NO_OFFSET, "not enough memory");
}

static inline int put(column *c, uint64_t bits)
{
    early_values *const e = &c->early;

    if (e->count == e->room && make_room(c) != TOOL_OK)
        return TOOL_ERROR;
    e->block[e->count++] = bits;
    return TOOL_OK;
}

static int put_double(column *c, double value)
{
    early_values *const e = &c->early;
    size_t i;

    if (!e->doubles && (c->most > NUMBER_EXACT || c->least > NUMBER_EXACT)) {
        e->state = EARLY_LOST;
        return TOOL_OK;
    }
    for (i = 0; !e->doubles && i < e->count; i++)
        e->block[i] = as_bits((double)(int64_t)e->block[i]);
    e->doubles = 1;
    return put(c, as_bits(value));
}

int early_integer(column *c, uint64_t magnitude, int negative)
{
    early_values *const e = &c->early;

    if (e->state == EARLY_NONE)
        e->state = EARLY_NUMBERS;
    if (e->state == EARLY_LOST)
        return TOOL_OK;
    if (!e->doubles)
        return put(c, negative ? 0 - magnitude : magnitude);
    if (magnitude <= NUMBER_EXACT)
        return put(c, as_bits(negative ? -(double)magnitude : (double)magnitude));
    e->state = EARLY_LOST;
    return TOOL_OK;
}

int early_double(column *c, double value)
{
    if (c->early.state == EARLY_NONE)
        c->early.state = EARLY_NUMBERS;
    if (c->early.state == EARLY_WORDS)
        c->early.state = EARLY_LOST;
    return c->early.state == EARLY_LOST ? TOOL_OK : put_double(c, value);
}

int early_absent(column *c)
{
    return c->early.state == EARLY_WORDS ? early_integer(c, 1, 1) : early_double(c, (double)NAN);
}

int early_word(column *c, size_t code)
{
    if (c->early.state == EARLY_NONE)
        c->early.state = EARLY_WORDS;
    if (c->early.state == EARLY_NUMBERS || code >= c->word_count)
        c->early.state = EARLY_LOST;
    return early_integer(c, code, 0);
}

/* Returns nonzero if the dtype of the column can have all values as they were stored. */
static int stands(const column *c)
{
    const early_values *const e = &c->early;

    if (e->state == EARLY_LOST || c->coded != (e->state == EARLY_WORDS))
        return 0;
    if (c->dtype == UTET_F64)
        return c->inexact.line == 0;
    return !UTET_IS_FLOAT(c->dtype) && !c->filled && !e->doubles;
}

static int read_scratch(const column *c, uint8_t *to, size_t length, off_t at)
{
    while (length > 0) {
        const ssize_t some = pread(c->scratch, to, length, at);

        if (some < 0 && errno == EINTR)
            continue;
        if (some <= 0)
            return fail(c->path, NULL, NO_OFFSET, "cannot read a temporary file: %s",
                        some < 0 ? strerror(errno) : "bytes are missing");
        to += some;
        at += some;
        length -= (size_t)some;
    }
    return TOOL_OK;
}

/* Copies the blocks into another scratch file, with the dtype of the column. */
static int convert(column *c, uint64_t rows)
{
    const uint8_t size = pack_elem_size(c->dtype);
    uint64_t values[BLOCK];
    uint8_t bytes[BLOCK * 8 + 7];
    const int to = pack_scratch(c->path);
    int result = to >= 0 ? TOOL_OK : TOOL_ERROR;
    off_t at = 0;
    size_t i;
    size_t k;

    for (i = 0; result == TOOL_OK && i < c->early.blocks; i++) {
        const uint32_t dtype = c->early.dtypes[i];
        const size_t count = rows - i * BLOCK < BLOCK ? (size_t)(rows - i * BLOCK) : BLOCK;
        const size_t length = count * pack_elem_size(dtype);

        result = read_scratch(c, bytes, length, at);
        if (result != TOOL_OK)
            break;
        at += (off_t)length;
        get_elements(values, bytes, count, dtype);
        for (k = 0; k < count && c->dtype == UTET_F64 && dtype != UTET_F64; k++)
            values[k] = as_bits(dtype == UTET_U64 ? (double)values[k] : (double)(int64_t)values[k]);
        put_elements(bytes, values, count, c->dtype);
        result = pack_write_all(c->path, to, bytes, count * size);
    }
    (void)close(c->scratch);
    c->scratch = to;
    return result;
}

int early_finish(column *c, uint64_t rows)
{
    early_values *const e = &c->early;
    size_t i = 0;

    if (flush(c) != TOOL_OK)
        return TOOL_ERROR;
    if (!stands(c)) {
        if (c->scratch >= 0)
            (void)close(c->scratch);
        c->scratch = pack_scratch(c->path);
        return c->scratch >= 0 ? TOOL_OK : TOOL_ERROR;
    }
    c->stored = 1;
    if (c->scratch < 0)
        c->scratch = pack_scratch(c->path);
    while (i < e->blocks && e->dtypes[i] == c->dtype)
        i++;
    return c->scratch < 0 ? TOOL_ERROR : i < e->blocks ? convert(c, rows) : TOOL_OK;
}

void early_end(column *c)
{
    free(c->early.block);
    free(c->early.dtypes);
    memset(&c->early, 0, sizeof c->early);
}
