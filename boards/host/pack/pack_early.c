/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The values of a column, stored while its cells are looked at. When the dtype that is chosen afterwards can have them,
 * the cells are not read again. Each block of values has a dtype: the narrowest integers that hold it, or f64. */
#define _XOPEN_SOURCE 700
#include "pack_csv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BLOCK 512u                /* values in a block */
#define EXACT ((uint64_t)1 << 53) /* every whole number up to this one is a double */

static uint64_t as_bits(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Writes values as elements of a dtype, little-endian. */
static void put_elements(uint8_t *to, const uint64_t *from, size_t count, uint32_t dtype)
{
    const uint8_t size = pack_elem_size(dtype);
    size_t i;
    uint8_t k;

    for (i = 0; i < count; i++)
        for (k = 0; k < size; k++)
            *to++ = (uint8_t)(from[i] >> (8 * k));
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
    const uint32_t dtype = e->doubles ? UTET_F64 : column_narrowest(e->most, e->least);
    uint8_t bytes[BLOCK * 8];
    uint8_t *more = e->dtypes;
    size_t count = e->count;

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
    e->count = 0;
    e->most = e->least = 0;
    return c->scratch >= 0 ? pack_write_all(c->path, c->scratch, bytes, count * pack_elem_size(dtype)) : TOOL_ERROR;
}

static int put(column *c, uint64_t bits)
{
    early_values *const e = &c->early;

    if (e->block == NULL)
        e->block = malloc(BLOCK * sizeof *e->block);
    if (e->block == NULL)
        return fail(c->path, NULL, NO_OFFSET, "not enough memory");
    e->block[e->count++] = bits;
    return e->count == BLOCK ? flush(c) : TOOL_OK;
}

static int put_double(column *c, double value)
{
    early_values *const e = &c->early;
    size_t i;

    if (!e->doubles && (e->most > EXACT || e->least > EXACT)) {
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
    if (e->doubles && magnitude > EXACT) {
        e->state = EARLY_LOST;
        return TOOL_OK;
    }
    if (e->doubles)
        return put_double(c, negative ? -(double)magnitude : (double)magnitude);
    if (negative && magnitude > e->least)
        e->least = magnitude;
    if (!negative && magnitude > e->most)
        e->most = magnitude;
    return put(c, negative ? 0 - magnitude : magnitude);
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

/* Copies the blocks into another scratch file, with the dtype of the column. */
static int convert(column *c, uint64_t rows)
{
    const uint8_t size = pack_elem_size(c->dtype);
    uint64_t values[BLOCK];
    uint8_t bytes[BLOCK * 8];
    const int to = pack_scratch(c->path);
    int result = to >= 0 ? TOOL_OK : TOOL_ERROR;
    off_t at = 0;
    size_t i;
    size_t k;

    for (i = 0; result == TOOL_OK && i < c->early.blocks; i++) {
        const uint32_t dtype = c->early.dtypes[i];
        const size_t count = rows - i * BLOCK < BLOCK ? (size_t)(rows - i * BLOCK) : BLOCK;
        const size_t length = count * pack_elem_size(dtype);

        if (pread(c->scratch, bytes, length, at) != (ssize_t)length) {
            result = fail(c->path, NULL, NO_OFFSET, "cannot read a temporary file");
            break;
        }
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

int column_look_quickly(column *c, const plain_number *n)
{
    const uint64_t integer = n->integer;
    const int whole = !n->point || n->whole;

    if (c->early.state == EARLY_WORDS || (whole && integer > EXACT))
        return 0;
    c->numbers++;
    c->all_plain &= !n->point;
    c->all_whole &= whole;
    if (whole && n->negative && integer > c->least)
        c->least = integer;
    if (whole && !n->negative && integer > c->most)
        c->most = integer;
    if (c->early.state == EARLY_LOST)
        return 1;
    if (!n->point && !(n->negative && integer == 0))
        return early_integer(c, integer, n->negative) == TOOL_OK ? 1 : -1;
    return early_double(c, n->negative ? -n->value : n->value) == TOOL_OK ? 1 : -1;
}
