/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The tokens of CBOR (RFC 8949). Each head, and each character of a text, is made present, then taken by moving
 * cbor->next: so a repeated call continues in the middle of a text, and only a head is read twice.
 *
 * A level is one word: two flags, and the items left in it (two for an entry of a map). In an indefinite one the lowest
 * bit says whether an odd number of items has passed.
 */
#include <stdint.h>

#if SIZE_MAX >= 0xFFFFFFFF /* else nothing is left of this file: utet_cbor.h says so */

#include "cbor.h"

#include <string.h>

#define LEVEL_MAP ((uint32_t)1 << 31)
#define LEVEL_INDEFINITE ((uint32_t)1 << 30)
#define LEVEL_ITEMS (LEVEL_INDEFINITE - 1)

enum { MAJOR_UNSIGNED, MAJOR_NEGATIVE, MAJOR_BYTES, MAJOR_TEXT, MAJOR_LIST, MAJOR_MAP, MAJOR_TAG, MAJOR_SIMPLE };
enum {
    INFO_FALSE = 20,
    INFO_TRUE,
    INFO_NULL,
    INFO_UNDEFINED,
    INFO_FOLLOWS,
    INFO_HALF,
    INFO_SINGLE,
    INFO_DOUBLE,
    INFO_INDEFINITE = 31
};

/* The first byte of an item and the number after it. */
typedef struct item_head {
    uint64_t number;
    uint8_t major;
    uint8_t info;
    uint8_t bytes; /* length of the head */
} item_head;

void utet_cbor_use(utet_cbor *cbor, utet_file *file, uint32_t *levels, uint16_t most, utet_status fault)
{
    cbor->priv.file = file;
    cbor->priv.levels = levels != NULL ? levels : cbor->own;
    cbor->priv.most = (uint16_t)(levels != NULL ? most : UTET_CBOR_DEPTH);
    cbor->priv.fault = fault;
    cbor->priv.step = 0;
}

void utet_cbor_begin(utet_cbor *cbor, uint64_t offset, uint32_t length)
{
    cbor->token = UTET_CBOR_NULL;
    cbor->base = offset;
    cbor->next = 0;
    cbor->end = length;
    cbor->depth = 0;
    cbor->flags = 0;
    cbor->priv.in_text = 0;
    cbor->priv.in_tag = 0;
    cbor->priv.in_list = 0;
}

utet_status utet_cbor_fault(utet_cbor *cbor, uint32_t at)
{
    cbor->priv.file->error_offset = cbor->base + at;
    return cbor->priv.fault;
}

int utet_cbor_is(const utet_cbor *cbor, const char *text, size_t length)
{
    return cbor->token == UTET_CBOR_TEXT && cbor->length == length && memcmp(cbor->head, text, length) == 0;
}

/* ---- floats, as bits: no floating-point arithmetic, so that programs without it stay without it ---- */

/* The bits of the float64 with the value of a shorter float, whose exponent has this bias. Sign and mantissa are at
 * the bits where a float32 has them. */
static uint64_t cbor_widen_float(uint32_t sign, uint32_t exponent, uint32_t mantissa, uint32_t bias)
{
    if (exponent == 2 * bias + 1) {
        exponent = 0x7FF;
    } else if ((exponent | mantissa) != 0) {
        if (exponent == 0) { /* the highest one of the mantissa becomes the one that is not stored */
            for (exponent = 1; (mantissa & 0x800000) == 0; exponent--)
                mantissa <<= 1;
            mantissa &= 0x7FFFFF;
        }
        exponent += 1023 - bias; /* this may have wrapped below 0, and the sum is right all the same */
    }
    return (uint64_t)(sign | exponent << 20 | mantissa >> 3) << 32 | (mantissa & 7) << 29;
}

static void take_float(utet_cbor *cbor, const item_head *head)
{
    uint32_t bits = (uint32_t)head->number; /* all of them, unless it is a float64 */

    cbor->length = head->bytes - 1u;
    if (head->info == INFO_HALF)
        cbor->number = cbor_widen_float((bits & 0x8000) << 16, bits >> 10 & 31, (bits & 0x3FF) << 13, 15);
    else if (head->info == INFO_SINGLE)
        cbor->number = cbor_widen_float(bits & 0x80000000u, bits >> 23 & 255, bits & 0x7FFFFF, 127);
}

/* ---- texts ---- */

/* How many of the bytes that are there are ASCII; else those of one character, 0 = not well-formed. */
static utet_status well_formed(utet_cbor *cbor, size_t *length)
{
    utet_file *file = cbor->priv.file;
    uint32_t left = cbor->priv.left;
    size_t most = file->priv.have < left ? file->priv.have : left;
    size_t i = 0;
    utet_status status;

    while (i < most && file->priv.at[i] < 0x80)
        i++;
    *length = i;
    if (i != 0)
        return UTET_OK;
    most = left < 4 ? left : 4;
    status = utet_fetch(file, most, cbor->base + cbor->next);
    if (status == UTET_OK)
        *length = utet_utf8_length(file->priv.at, most);
    return status;
}

static utet_status cbor_text(utet_cbor *cbor)
{
    utet_file *file = cbor->priv.file;

    while (cbor->priv.left != 0) {
        utet_status status = utet_fetch(file, 1, cbor->base + cbor->next);
        size_t some = 0;
        size_t i;

        if (status == UTET_OK)
            status = well_formed(cbor, &some);
        if (status != UTET_OK)
            return status;
        if (some == 0)
            return utet_cbor_fault(cbor, cbor->begin);
        for (i = 0; i < some; i++) {
            uint8_t byte = file->priv.at[i];

            cbor->hash = (cbor->hash ^ byte) * 16777619u;
            if (cbor->head_length < UTET_CBOR_HEAD)
                cbor->head[cbor->head_length++] = (char)byte;
        }
        cbor->next += (uint32_t)some;
        cbor->priv.left -= (uint32_t)some;
    }
    cbor->priv.in_text = 0;
    return UTET_OK;
}

/* ---- heads ---- */

/* The head at cbor->next, which stays where it is: its first byte, then all of it. */
static utet_status read_head(utet_cbor *cbor, item_head *head)
{
    utet_file *file = cbor->priv.file;
    unsigned i;

    head->number = 0;
    head->bytes = 1;
    for (;;) {
        utet_status status;

        if (cbor->end - cbor->next < head->bytes)
            return utet_cbor_fault(cbor, cbor->next);
        status = utet_fetch(file, head->bytes, cbor->base + cbor->next);
        if (status != UTET_OK)
            return status;
        head->info = file->priv.at[0] & 31;
        if (head->bytes != 1 || head->info < INFO_FOLLOWS || head->info == INFO_INDEFINITE)
            break;
        if (head->info > INFO_DOUBLE)
            return utet_cbor_fault(cbor, cbor->next);
        head->bytes = (uint8_t)(1u + (1u << (head->info & 3)));
    }
    head->major = file->priv.at[0] >> 5;
    if (head->bytes == 1)
        head->number = head->info;
    for (i = 1; i < head->bytes; i++)
        head->number = head->number << 8 | file->priv.at[i];
    return UTET_OK;
}

/* Returns nonzero if a number would fit a shorter head. */
static int is_long(const item_head *head)
{
    uint32_t high = (uint32_t)(head->number >> 32);
    uint32_t low = (uint32_t)head->number;

    switch (head->bytes) {
    case 1: return 0;
    case 2: return low < INFO_FOLLOWS;
    case 9: return high == 0;
    default: return low >> (4 * (head->bytes - 1)) == 0;
    }
}

static utet_status open_level(utet_cbor *cbor, const item_head *head, uint32_t rest)
{
    uint32_t is_map = cbor->token == UTET_CBOR_MAP;
    uint32_t word = is_map ? LEVEL_MAP : 0;

    if (cbor->is_key)
        return utet_cbor_fault(cbor, cbor->begin);
    cbor->length = 0;
    if (head->info == INFO_INDEFINITE) {
        word |= LEVEL_INDEFINITE;
        cbor->flags |= UTET_CBOR_INDEFINITE;
    } else {
        if (head->number > rest >> is_map)
            return utet_cbor_fault(cbor, cbor->begin);
        cbor->length = (uint32_t)head->number;
        word |= cbor->length << is_map;
    }
    if (cbor->depth == cbor->priv.most) {
        cbor->priv.file->error_offset = cbor->base + cbor->begin;
        return UTET_E_SPACE;
    }
    cbor->priv.levels[cbor->depth++] = word;
    return UTET_OK;
}

static utet_status cbor_simple(utet_cbor *cbor, const item_head *head)
{
    static const uint8_t tokens[] = {UTET_CBOR_BOOLEAN, UTET_CBOR_BOOLEAN, UTET_CBOR_NULL,  UTET_CBOR_UNDEFINED,
                                     UTET_CBOR_END,     UTET_CBOR_FLOAT,   UTET_CBOR_FLOAT, UTET_CBOR_FLOAT};
    unsigned value = head->info - (unsigned)INFO_FALSE; /* wraps below it */

    if (value >= sizeof tokens || tokens[value] == UTET_CBOR_END)
        return utet_cbor_fault(cbor, cbor->begin);
    cbor->token = tokens[value];
    if (cbor->token == UTET_CBOR_FLOAT)
        take_float(cbor, head);
    else
        cbor->number = value;
    return UTET_OK;
}

/* Makes the content of the head the token. */
static utet_status take_head(utet_cbor *cbor, const item_head *head)
{
    static const uint8_t tokens[] = {UTET_CBOR_UNSIGNED, UTET_CBOR_NEGATIVE, UTET_CBOR_BYTES,
                                     UTET_CBOR_TEXT,     UTET_CBOR_LIST,     UTET_CBOR_MAP};
    uint32_t rest = cbor->end - cbor->next - head->bytes;

    cbor->number = head->number;
    if (head->major == MAJOR_SIMPLE)
        return cbor_simple(cbor, head);
    cbor->token = tokens[head->major];
    if (is_long(head))
        cbor->flags |= UTET_CBOR_LONG;
    if (head->major >= MAJOR_LIST)
        return open_level(cbor, head, rest);
    if (head->info == INFO_INDEFINITE)
        return utet_cbor_fault(cbor, cbor->begin);
    if (head->major < MAJOR_BYTES)
        return UTET_OK;
    if (head->number > rest)
        return utet_cbor_fault(cbor, cbor->begin);
    cbor->content = cbor->next + head->bytes;
    cbor->length = (uint32_t)head->number;
    return UTET_OK;
}

/* The end of the innermost list or map, marked (a break) or counted. */
static utet_status close_level(utet_cbor *cbor)
{
    if (cbor->depth != 0)
        cbor->depth--;
    cbor->token = UTET_CBOR_CLOSE;
    cbor->is_key = 0;
    cbor->flags = 0;
    return UTET_OK;
}

/* A break is where an entry could begin. */
static int may_break(const utet_cbor *cbor, uint32_t word)
{
    if (cbor->priv.in_tag)
        return 0;
    if (cbor->depth == 0)
        return cbor->priv.in_list;
    return (word & LEVEL_INDEFINITE) != 0 && ((word & LEVEL_MAP) == 0 || (word & 1) == 0);
}

/* One item, whose level's word is `level` (null outside of all levels). */
static utet_status cbor_read_item(utet_cbor *cbor, uint32_t *level)
{
    item_head head;
    utet_status status;
    uint32_t word = level != NULL ? *level : 0;

    for (;;) {
        status = read_head(cbor, &head);
        if (status != UTET_OK)
            return status;
        if (head.major != MAJOR_TAG)
            break;
        if (head.info == INFO_INDEFINITE)
            return utet_cbor_fault(cbor, cbor->next);
        cbor->priv.in_tag = 1;
        cbor->flags |= UTET_CBOR_TAGGED;
        cbor->next += head.bytes;
    }
    if (head.major == MAJOR_SIMPLE && head.info == INFO_INDEFINITE) {
        if (!may_break(cbor, word))
            return utet_cbor_fault(cbor, cbor->next);
        cbor->next++;
        return close_level(cbor);
    }
    cbor->is_key = (word & LEVEL_MAP) != 0 && (word & 1) == 0;
    status = take_head(cbor, &head);
    if (status != UTET_OK)
        return status;
    if (level != NULL)
        *level = (word & LEVEL_INDEFINITE) != 0 ? word ^ 1 : word - 1;
    cbor->next += head.bytes;
    cbor->priv.in_tag = 0;
    if (cbor->token == UTET_CBOR_BYTES)
        cbor->next += cbor->length;
    if (cbor->token != UTET_CBOR_TEXT)
        return UTET_OK;
    cbor->priv.in_text = 1;
    cbor->priv.left = cbor->length;
    cbor->hash = 2166136261u;
    cbor->head_length = 0;
    return cbor_text(cbor);
}

utet_status utet_cbor_token(utet_cbor *cbor)
{
    uint32_t *level = cbor->depth != 0 ? &cbor->priv.levels[cbor->depth - 1] : NULL;

    if (cbor->priv.in_text)
        return cbor_text(cbor);
    if (!cbor->priv.in_tag) {
        cbor->begin = cbor->next;
        if (level != NULL && (*level & (LEVEL_INDEFINITE | LEVEL_ITEMS)) == 0)
            return close_level(cbor);
        if (level == NULL && cbor->next == cbor->end) {
            cbor->token = UTET_CBOR_END;
            return UTET_OK;
        }
        cbor->flags = 0;
    }
    return cbor_read_item(cbor, level);
}

#endif
