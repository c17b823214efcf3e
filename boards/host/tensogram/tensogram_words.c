/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Values of metadata in the form in which the reference's command line prints and compares them: a text unchanged, an
 * integer in digits, a float without exponent in the necessary number of digits, true, false, null (also for
 * undefined). Other values, and their contents, have the form of Rust's {:?}: Array([Integer(Integer(1))]).
 */
#define _POSIX_C_SOURCE 200809L
#include "tensogram.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS 17 /* digits that identify every double */

/* ---- floats ---- */

/* Adds one to the last digit. */
static void count_up(char *digits, int count, int *exponent)
{
    int i = count - 1;

    while (i >= 0 && digits[i] == '9')
        digits[i--] = '0';
    if (i >= 0) {
        digits[i]++;
    } else {
        digits[0] = '1';
        ++*exponent;
    }
}

static int reads_as(const char *digits, int count, int exponent, double value)
{
    char text[48];
    double back;

    (void)snprintf(text, sizeof text, "%.*se%d", count, digits, exponent - count + 1);
    back = strtod(text, NULL);
    return !(back < value) && !(back > value);
}

/* Returns nonzero if `value` is halfway between the number of these digits and the next larger one. */
static int is_between(const char *digits, int count, double value)
{
    char exact[800]; /* at most 767 digits, the maximum of a double */

    (void)snprintf(exact, sizeof exact, "%.780e", value);
    memmove(exact + 1, exact + 2, sizeof exact - 2); /* no point */
    return memcmp(exact, digits, (size_t)count) == 0 && exact[count] == '5' &&
           strspn(exact + count + 1, "0") == (size_t)(780 - count);
}

/* Finds the fewest digits that read back as `value`, which is greater than 0: d.ddd * 10^exponent; returns their
 * number. Of two equally near numbers, the larger one is chosen. At a power of two, doubles below are closer together
 * than doubles above, so the nearest number may not read back as `value` although the next one does. */
static int shortest(double value, char digits[DIGITS + 1], int *exponent)
{
    int count;

    for (count = 1; count <= DIGITS; count++) {
        char text[48];

        (void)snprintf(text, sizeof text, "%.*e", count - 1, value);
        digits[0] = text[0];
        memcpy(digits + 1, text + 2, (size_t)count - 1);
        *exponent = (int)strtol(strchr(text, 'e') + 1, NULL, 10);
        if (reads_as(digits, count, *exponent, value)) {
            if (is_between(digits, count, value))
                count_up(digits, count, exponent);
            break;
        }
        count_up(digits, count, exponent);
        if (reads_as(digits, count, *exponent, value))
            break;
    }
    while (count > 1 && digits[count - 1] == '0')
        count--;
    return count;
}

static void put_zeros(FILE *out, int count)
{
    while (count-- > 0)
        fputc('0', out);
}

static void put_positional(FILE *out, const char *digits, int count, int exponent, int is_debug)
{
    if (exponent < 0) {
        fputs("0.", out);
        put_zeros(out, -exponent - 1);
        fprintf(out, "%.*s", count, digits);
    } else if (exponent >= count - 1) {
        fprintf(out, "%.*s", count, digits);
        put_zeros(out, exponent - count + 1);
        fputs(is_debug ? ".0" : "", out);
    } else {
        fprintf(out, "%.*s.%.*s", exponent + 1, digits, count - exponent - 1, digits + exponent + 1);
    }
}

/* is_debug: in the form for a part of a list or map. */
static void put_float(FILE *out, double value, int is_debug)
{
    char digits[DIGITS + 1];
    int exponent;
    int count;

    if (isnan(value)) {
        fputs("NaN", out);
        return;
    }
    fputs(signbit(value) ? "-" : "", out);
    value = fabs(value);
    if (isinf(value)) {
        fputs("inf", out);
    } else if (!(value > 0)) {
        fputs(is_debug ? "0.0" : "0", out);
    } else {
        count = shortest(value, digits, &exponent);
        if (is_debug && (value >= 1e16 || value < 1e-4))
            fprintf(out, "%c%s%.*se%d", digits[0], count > 1 ? "." : "", count - 1, digits + 1, exponent);
        else
            put_positional(out, digits, count, exponent, is_debug);
    }
}

/* ---- texts ---- */

/* Characters that are escaped: combining marks, spaces, invisible characters. Unicode has more; these are likely to
 * occur in metadata (README.md). */
static int is_hidden(uint32_t c)
{
    static const uint32_t ranges[][2] = {
        {0x7F, 0xA0},     {0xAD, 0xAD},     {0x300, 0x36F},   {0x483, 0x489},     {0x591, 0x5BD},   {0x600, 0x605},
        {0x64B, 0x65F},   {0x200B, 0x200F}, {0x2000, 0x200A}, {0x2028, 0x202F},   {0x205F, 0x206F}, {0x20D0, 0x20F0},
        {0x3000, 0x3000}, {0x302A, 0x302F}, {0x3099, 0x309A}, {0xE000, 0xF8FF},   {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F},
        {0xFEFF, 0xFEFF}, {0xFFF0, 0xFFFB}, {0xFFFE, 0xFFFF}, {0xE0000, 0x10FFFF}};
    size_t i;

    for (i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
        if (c >= ranges[i][0] && c <= ranges[i][1])
            return 1;
    return c < 0x20;
}

/* Returns the character at `text`, which is valid UTF-8, and its length. */
static uint32_t character(const char *text, size_t *length)
{
    const unsigned char first = (unsigned char)text[0];
    uint32_t c = first;
    size_t i;

    *length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    if (*length > 1)
        c &= 0xFFu >> (*length + 1);
    for (i = 1; i < *length; i++)
        c = c << 6 | ((unsigned char)text[i] & 0x3Fu);
    return c;
}

static void put_quoted(FILE *out, const char *text, size_t length)
{
    static const char plain[] = "\t\n\r\"\\";
    static const char letters[] = "tnr\"\\";
    size_t i = 0;

    fputc('"', out);
    while (i < length) {
        size_t some;
        const uint32_t c = character(text + i, &some);
        const char *const known = c != 0 && c < 0x80 ? strchr(plain, (int)c) : NULL;

        if (known != NULL)
            fprintf(out, "\\%c", letters[known - plain]);
        else if (c == 0)
            fputs("\\0", out);
        else if (is_hidden(c))
            fprintf(out, "\\u{%" PRIx32 "}", c);
        else
            (void)fwrite(text + i, 1, some, out);
        i += some;
    }
    fputc('"', out);
}

/* ---- items ---- */

/* Writes an item and the text before it. */
typedef struct tagged {
    utet_item item;
    uint64_t tag[8];   /* outermost first; deeper ones are not distinguished */
    unsigned tags;     /* number of tags not yet written */
    uint8_t bytes[16]; /* bytes of a large integer (tags 2 and 3) */
    unsigned is_large;
} tagged;

/* Reads bytes of the file that the reader has already visited. */
static utet_status bytes_at(messages *m, uint64_t offset, uint8_t *bytes, size_t length)
{
    size_t got = 0;
    utet_status status = UTET_OK;

    if (length != 0)
        status = m->s.port.io.read(m->s.port.io.ctx, offset, bytes, length, &got);
    return status == UTET_OK && got != length ? UTET_E_SHORT : status;
}

/* Reads the number in a head, and finds the position after the head. */
static utet_status read_tag(messages *m, uint64_t *offset, uint64_t *number)
{
    uint8_t head[9];
    size_t more;
    size_t i;
    utet_status status = bytes_at(m, *offset, head, 1);

    if (status != UTET_OK)
        return status;
    *number = head[0] & 31u;
    more = *number < 24 ? 0 : (size_t)1 << (*number - 24);
    status = bytes_at(m, *offset + 1, head + 1, more);
    for (i = 0; i < more; i++)
        *number = (i == 0 ? 0 : *number << 8) | head[1 + i];
    *offset += 1 + more;
    return status;
}

/* Tags 2 and 3 before at most 16 bytes form an integer, if it has at most 64 bits. */
static utet_status take_large(messages *m, tagged *t)
{
    const uint64_t last = t->tags != 0 ? t->tag[t->tags - 1] : 0;
    const uint32_t length = t->item.length;
    utet_status status;
    unsigned i;

    if (t->item.kind != UTET_CBOR_BYTES || (last != 2 && last != 3) || length > 16)
        return UTET_OK;
    status = bytes_at(m, t->item.place, t->bytes + 16 - length, length);
    t->is_large = 1;
    t->item.number = 0;
    for (i = 0; i < 16; i++) {
        if (i < 8 && t->bytes[i] != 0)
            t->is_large = 2; /* more than 64 bits */
        t->item.number = t->item.number << 8 | t->bytes[i];
    }
    if (t->is_large == 1) {
        t->tags--;
        t->item.kind = last == 2 ? UTET_CBOR_UNSIGNED : UTET_CBOR_NEGATIVE;
    }
    return status;
}

/* Writes the token of m->reader. */
static utet_status take(messages *m, tagged *t)
{
    const utet_cbor *reader = &m->reader;
    uint64_t offset = reader->base + reader->begin;
    utet_status status = UTET_OK;
    uint8_t first;

    memset(t, 0, sizeof *t);
    t->item = token_item(reader);
    if ((reader->flags & UTET_CBOR_TAGGED) == 0)
        return UTET_OK;
    while ((status = bytes_at(m, offset, &first, 1)) == UTET_OK && first >> 5 == 6) {
        if (t->tags == sizeof t->tag / sizeof t->tag[0])
            return UTET_E_SPACE;
        status = read_tag(m, &offset, &t->tag[t->tags++]);
        if (status != UTET_OK)
            break;
    }
    return status == UTET_OK ? take_large(m, t) : status;
}

static void put_integer(FILE *out, const utet_item *item)
{
    if (item->kind == UTET_CBOR_UNSIGNED)
        fprintf(out, "%" PRIu64, item->number);
    else if (item->number == UINT64_MAX)
        fputs("-18446744073709551616", out);
    else
        fprintf(out, "-%" PRIu64, item->number + 1);
}

static void put_bytes(FILE *out, const uint8_t *bytes, size_t length)
{
    size_t i;

    fputs("Bytes([", out);
    for (i = 0; i < length; i++)
        fprintf(out, "%s%u", i != 0 ? ", " : "", (unsigned)bytes[i]);
    fputs("])", out);
}

/* Writes a scalar in the form of {:?}. */
static utet_status put_debug(messages *m, FILE *out, const tagged *t)
{
    const utet_item *item = &t->item;
    utet_status status = UTET_OK;
    char *text;
    size_t i = 0;

    switch (item->kind) {
    case UTET_CBOR_UNSIGNED:
    case UTET_CBOR_NEGATIVE:
        fputs("Integer(Integer(", out);
        put_integer(out, item);
        fputs("))", out);
        break;
    case UTET_CBOR_FLOAT:
        fputs("Float(", out);
        put_float(out, utet_item_double(item), 1);
        fputc(')', out);
        break;
    case UTET_CBOR_BOOLEAN: fputs(item->number != 0 ? "Bool(true)" : "Bool(false)", out); break;
    case UTET_CBOR_TEXT:
    case UTET_CBOR_BYTES:
        text = messages_text(m, item, &status);
        if (text == NULL)
            return status;
        while (t->is_large && i < 16 && t->bytes[i] == 0)
            i++;
        if (item->kind == UTET_CBOR_TEXT) {
            fputs("Text(", out);
            put_quoted(out, text, item->length);
            fputc(')', out);
        } else {
            put_bytes(out, t->is_large ? t->bytes + i : (const uint8_t *)text, t->is_large ? 16 - i : item->length);
        }
        free(text);
        break;
    default: fputs("Null", out); break;
    }
    return UTET_OK;
}

/* A list or map that is open. */
typedef struct level {
    uint8_t is_map;
    uint8_t some; /* 1: it has had an entry */
    uint8_t tags; /* in front of it */
} level;

static void put_closes(FILE *out, unsigned count)
{
    while (count-- != 0)
        fputc(')', out);
}

/* Called when an item has ended; `inside` is the item that contains it. */
static void end_item(FILE *out, const level *inside, int is_key)
{
    if (is_key)
        fputs(", ", out);
    else if (inside->is_map)
        fputc(')', out);
}

/* Writes the current token and everything inside it. */
static utet_status put_all(messages *m, FILE *out, const tagged *first)
{
    static level levels[TENSOGRAM_DEPTH + 1];
    utet_cbor *reader = &m->reader;
    tagged t = *first;
    utet_status status = UTET_OK;

    memset(&levels[0], 0, sizeof levels[0]);
    for (;;) {
        if (reader->token == UTET_CBOR_CLOSE) {
            fputs("])", out);
            put_closes(out, levels[reader->depth + 1].tags);
            end_item(out, &levels[reader->depth], 0);
        } else {
            const int opens = t.item.kind == UTET_CBOR_LIST || t.item.kind == UTET_CBOR_MAP;
            level *inside = &levels[reader->depth - (unsigned)opens];
            unsigned i;

            if (inside->some && (!inside->is_map || reader->is_key))
                fputs(", ", out);
            if (reader->is_key)
                fputc('(', out);
            inside->some = 1;
            for (i = 0; i < t.tags; i++)
                fprintf(out, "Tag(%" PRIu64 ", ", t.tag[i]);
            if (opens) {
                level *own = &levels[reader->depth];

                own->is_map = t.item.kind == UTET_CBOR_MAP;
                own->some = 0;
                own->tags = (uint8_t)t.tags;
                fputs(own->is_map ? "Map([" : "Array([", out);
            } else {
                status = put_debug(m, out, &t);
                put_closes(out, t.tags);
                end_item(out, inside, reader->is_key);
            }
        }
        if (reader->depth == 0 || status != UTET_OK)
            return status;
        status = utet_cbor_next(reader);
        if (status == UTET_OK && reader->token != UTET_CBOR_CLOSE)
            status = take(m, &t);
        if (status != UTET_OK)
            return status;
    }
}

/* Writes a single scalar; returns 0 if the item is not a scalar. */
static int put_plain(messages *m, FILE *out, const utet_item *item, utet_status *status)
{
    char *text;

    switch (item->kind) {
    case UTET_CBOR_TEXT:
        text = messages_text(m, item, status);
        if (text != NULL)
            (void)fwrite(text, 1, item->length, out);
        free(text);
        return 1;
    case UTET_CBOR_UNSIGNED:
    case UTET_CBOR_NEGATIVE: put_integer(out, item); return 1;
    case UTET_CBOR_FLOAT: put_float(out, utet_item_double(item), 0); return 1;
    case UTET_CBOR_BOOLEAN: fputs(item->number != 0 ? "true" : "false", out); return 1;
    case UTET_CBOR_BYTES:
    case UTET_CBOR_LIST:
    case UTET_CBOR_MAP: return 0;
    default: fputs("null", out); return 1;
    }
}

static utet_status put_words(messages *m, FILE *out)
{
    tagged t;
    utet_status status = utet_cbor_next(&m->reader);

    if (status == UTET_OK)
        status = take(m, &t);
    if (status == UTET_OK && (t.tags != 0 || !put_plain(m, out, &t.item, &status)))
        status = put_all(m, out, &t);
    return status;
}

/* Returns the text that was written, or NULL. */
static char *finish(FILE *out, char **text, utet_status *status, int is_some)
{
    if (!words_close(out, text) && *status == UTET_OK)
        *status = UTET_E_BUDGET;
    if (*status == UTET_OK && is_some)
        return *text;
    free(*text);
    return NULL;
}

char *value_words(messages *m, uint64_t offset, uint64_t end, size_t *length, utet_status *status)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, length);

    *status = UTET_E_BUDGET;
    if (out == NULL)
        return NULL;
    *status = utet_cbor_open(&m->reader, &m->s.file, offset, end - offset, m->more, TENSOGRAM_DEPTH);
    if (*status == UTET_OK)
        *status = put_words(m, out);
    return finish(out, &text, status, 1);
}

char *item_words(messages *m, const utet_item *item, utet_status *status)
{
    char *text = NULL;
    size_t length;
    int is_some;
    FILE *out = open_memstream(&text, &length);

    *status = UTET_E_BUDGET;
    if (out == NULL)
        return NULL;
    *status = UTET_OK;
    is_some = put_plain(m, out, item, status);
    return finish(out, &text, status, is_some);
}
