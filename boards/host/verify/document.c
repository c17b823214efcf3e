/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
#include "document.h"

#include <string.h>

void document_begin(document *d, source *s, const utet_span *span)
{
    d->s = s;
    d->end = span->offset + span->length;
    d->status = UTET_OK;
    d->at = d->s->reading.io.map;
    d->offset = 0;
    d->length = d->at != NULL ? (size_t)d->end : 0;
    if (d->at == NULL)
        d->at = d->buffer;
}

/* Fills the buffer from offset `at` on. After an error, the buffer is empty. */
static int refill(document *d, uint64_t at)
{
    const utet_io *const io = &d->s->reading.io;
    const uint64_t rest = at < d->end ? d->end - at : 0;

    if (d->status != UTET_OK)
        return 0;
    d->length = 0;
    d->offset = at;
    d->s->file.error_offset = at;
    d->status = rest == 0 ? UTET_E_METADATA
                          : io->read(io->ctx, at, d->buffer, rest < sizeof d->buffer ? (size_t)rest : sizeof d->buffer,
                                     &d->length);
    if (d->status == UTET_OK && d->length == 0)
        d->status = UTET_E_SHORT;
    if (d->status != UTET_OK)
        d->length = 0;
    return d->status == UTET_OK;
}

/* Returns the bytes from offset `at` on; *have: their number, 1 or more. NULL: an error. */
static inline const uint8_t *view(document *d, uint64_t at, size_t *have)
{
    if (at - d->offset >= d->length && !refill(d, at)) /* wraps if the offset is before the buffer */
        return NULL;
    *have = d->length - (size_t)(at - d->offset);
    return d->at + (at - d->offset);
}

/* Returns the byte at an offset; after an error 0, which occurs in no document outside of texts. */
static uint8_t byte_at(document *d, uint64_t at)
{
    size_t have;
    const uint8_t *const byte = view(d, at, &have);

    return byte != NULL ? *byte : 0;
}

static int separates(uint8_t byte)
{
    static const uint8_t separators[256] = {[' '] = 1, [','] = 1, [':'] = 1, ['\n'] = 1, ['\r'] = 1, ['\t'] = 1};

    return separators[byte];
}

/* Returns the offset of the first byte from `at` on that is not white space, a comma or a colon; *byte: this byte, or
 * 0. */
static uint64_t behind_separators(document *d, uint64_t at, uint8_t *byte)
{
    const uint8_t *bytes;
    size_t have;
    size_t i;

    *byte = 0;
    while ((bytes = view(d, at, &have)) != NULL) {
        for (i = 0; i < have && separates(bytes[i]); i++)
            continue;
        at += i;
        if (i == have)
            continue;
        *byte = bytes[i];
        break;
    }
    return at;
}

/* Returns the position after the closing quote of the text whose contents begin at `at`. */
static uint64_t behind_text(document *d, uint64_t at)
{
    const uint8_t *bytes;
    size_t have;

    while ((bytes = view(d, at, &have)) != NULL) {
        const uint8_t *const quote = memchr(bytes, '"', have);
        const size_t rest = quote != NULL ? (size_t)(quote - bytes) : have;
        const uint8_t *escape = memchr(bytes, '\\', rest);

        /* Skips an escape and the byte after it, which may be the quote or the first byte of the next view. */
        while (escape != NULL && (size_t)(escape - bytes) + 2 <= rest)
            escape = memchr(escape + 2, '\\', rest - (size_t)(escape + 2 - bytes));
        at += escape != NULL ? (size_t)(escape - bytes) + 2 : rest + (quote != NULL);
        if (escape == NULL && quote != NULL)
            break;
    }
    return at;
}

/* Returns the position after the closing bracket of the list or map whose contents begin at `at`. */
static uint64_t behind_close(document *d, uint64_t at)
{
    enum { QUOTE = 1, OPEN, CLOSE };
    static const uint8_t kinds[256] = {['"'] = QUOTE, ['['] = OPEN, ['{'] = OPEN, [']'] = CLOSE, ['}'] = CLOSE};
    uint64_t depth = 1;
    const uint8_t *bytes;
    size_t have;
    size_t i;

    while (depth > 0 && (bytes = view(d, at, &have)) != NULL) {
        for (i = 0; i < have && kinds[bytes[i]] == 0; i++)
            continue;
        at += i;
        if (i == have)
            continue;
        at++;
        if (kinds[bytes[i]] == QUOTE)
            at = behind_text(d, at);
        else
            depth += kinds[bytes[i]] == OPEN ? 1 : UINT64_MAX;
    }
    return at;
}

/* Reads a number, true, false or null that begins with `first`; returns the position after it. */
static uint64_t read_scalar(document *d, uint64_t at, uint8_t first, json_value *value)
{
    const uint8_t *bytes;
    size_t have;
    size_t i;
    int whole = 1;

    value->kind = first == 't' || first == 'f' ? UTET_VALUE_BOOLEAN
                  : first == 'n'               ? UTET_VALUE_NONE
                                               : UTET_VALUE_NUMBER;
    value->number = value->kind == UTET_VALUE_BOOLEAN && first == 't';
    while ((bytes = view(d, at, &have)) != NULL) {
        for (i = 0; i < have && !separates(bytes[i]) && (bytes[i] | 0x20) != '}'; i++) {
            const unsigned digit = bytes[i] - (unsigned)'0';

            if (value->kind != UTET_VALUE_NUMBER)
                continue;
            whole = whole && digit <= 9 && value->number <= (UINT64_MAX - digit) / 10;
            value->number = whole ? value->number * 10 + digit : UINT64_MAX;
        }
        at += i;
        if (i < have)
            break;
    }
    return at;
}

/* Reads the value that begins at `at` with `first`; returns the position after it, or inside a list or map. */
static uint64_t read_value(document *d, uint64_t at, uint8_t first, json_value *value)
{
    value->at = at + 1;
    value->number = 0;
    value->unread = 0;
    value->kind = first == '{' ? UTET_VALUE_MAP : first == '[' ? UTET_VALUE_LIST : UTET_VALUE_TEXT;
    if (first == '{' || first == '[')
        return at + 1;
    return first == '"' ? behind_text(d, at + 1) : read_scalar(d, at, first, value);
}

uint64_t document_end(document *d, json_value *list)
{
    if (list->unread)
        list->at = behind_close(d, list->at);
    list->unread = 0;
    return list->at;
}

void document_leave(document *d, json_value *list, const json_value *inner)
{
    if (list->unread)
        list->at = behind_close(d, inner->unread ? behind_close(d, inner->at) : inner->at);
    list->unread = 0;
}

/* Returns the offset of the next entry, which begins with *first; 0: no more entries, or an error. */
static uint64_t next_place(document *d, json_value *list, uint8_t *first)
{
    list->at = behind_separators(d, document_end(d, list), first);
    return d->status == UTET_OK && (*first | 0x20) != '}' ? list->at : 0;
}

/* Reads the value of an entry, which begins at `at` with `first`. */
static int take_value(document *d, json_value *list, uint64_t at, uint8_t first, json_value *value)
{
    list->at = read_value(d, at, first, value);
    list->unread = value->kind == UTET_VALUE_LIST || value->kind == UTET_VALUE_MAP;
    if (d->status == UTET_OK && list->at == at) { /* no value begins with this byte */
        d->s->file.error_offset = at;
        d->status = UTET_E_METADATA;
    }
    return d->status == UTET_OK;
}

int document_next(document *d, json_value *list, json_value *key, json_value *value)
{
    uint8_t first;
    uint64_t at;

    if (list->kind != UTET_VALUE_MAP && list->kind != UTET_VALUE_LIST)
        return 0;
    at = next_place(d, list, &first);
    if (at != 0 && list->kind == UTET_VALUE_MAP)
        at = behind_separators(d, read_value(d, at, first, key), &first);
    return at != 0 && take_value(d, list, at, first, value);
}

/* Returns which of the names is at `*at`, if the text has no escapes and is in one view; advances `*at` after it. */
static unsigned plain_name(document *d, uint64_t *at, const document_name *names, unsigned count)
{
    size_t have;
    const uint8_t *const text = view(d, *at, &have);
    unsigned i;

    for (i = 0; text != NULL && i < count; i++) {
        const size_t length = names[i].length;

        if (length + 2 <= have && text[length + 1] == '"' && memcmp(text + 1, names[i].text, length) == 0) {
            *at += length + 2;
            return i;
        }
    }
    return count;
}

/* Does the same for any spelling; the text begins with `first`. */
static unsigned name_at(document *d, uint64_t *at, uint8_t first, const document_name *names, unsigned count)
{
    unsigned i = plain_name(d, at, names, count);
    json_value key;
    char text[DOCUMENT_NAME];
    size_t length;

    if (i < count)
        return i;
    *at = read_value(d, *at, first, &key);
    document_text(d, &key, text, sizeof text, &length);
    for (i = 0; i < count; i++)
        if (length == names[i].length && memcmp(names[i].text, text, length) == 0)
            break;
    return i;
}

void document_fields(document *d, json_value *map, const document_name *names, unsigned count, json_value *values)
{
    json_value value;
    uint8_t first;
    uint64_t at;

    memset(values, 0, count * sizeof *values);
    while (map->kind == UTET_VALUE_MAP && (at = next_place(d, map, &first)) != 0) {
        const unsigned i = name_at(d, &at, first, names, count);

        at = behind_separators(d, at, &first);
        if (!take_value(d, map, at, first, &value))
            break;
        if (i < count)
            values[i] = value;
    }
}

/* ---- texts ---- */

static unsigned hex_digits(document *d, uint64_t at)
{
    unsigned value = 0;
    unsigned i;

    for (i = 0; i < 4; i++) {
        const uint8_t byte = byte_at(d, at + i);

        value = value << 4 | ((byte <= '9' ? byte - (unsigned)'0' : (byte | 0x20u) - 'a' + 10u) & 15);
    }
    return value;
}

/* Decodes the escape at `at` to UTF-8; returns the length of the character in bytes. */
static unsigned escaped(document *d, uint64_t *at, char bytes[4])
{
    static const char pairs[] = "b\bf\fn\nr\rt\t";
    const char letter = (char)byte_at(d, *at + 1);
    const char *const pair = letter != '\0' ? strchr(pairs, letter) : NULL;
    uint32_t code;
    unsigned more;
    unsigned i;

    bytes[0] = pair != NULL && (pair - pairs) % 2 == 0 ? pair[1] : letter;
    *at += 2;
    if (letter != 'u')
        return 1;
    code = hex_digits(d, *at);
    *at += 4;
    if (code >> 10 == 0x36 && byte_at(d, *at) == '\\' && byte_at(d, *at + 1) == 'u') {
        code = 0x10000 + ((code & 0x3FF) << 10) + (hex_digits(d, *at + 2) & 0x3FF);
        *at += 6;
    }
    more = 0u + (code >= 0x80) + (code >= 0x800) + (code >= 0x10000);
    for (i = more; i > 0; i--, code >>= 6)
        bytes[i] = (char)(0x80 | (code & 0x3F));
    bytes[0] = (char)(more == 0 ? code : (0xFF00u >> (more + 1)) | code);
    return more + 1;
}

void document_text(document *d, json_value *text, char *buffer, size_t size, size_t *length)
{
    size_t made = 0;

    for (;;) {
        const size_t room = size - 1 - made;
        char character[4];
        const uint8_t *bytes;
        size_t have;
        size_t i;
        uint64_t at;
        unsigned count;

        bytes = room > 0 ? view(d, text->at, &have) : NULL;
        if (bytes == NULL)
            break;
        for (i = 0; i < have && i < room && bytes[i] != '"' && bytes[i] != '\\'; i++)
            buffer[made++] = (char)bytes[i];
        text->at += i;
        if (i == have || i == room)
            continue;
        if (bytes[i] == '"')
            break;
        at = text->at;
        count = escaped(d, &at, character);
        if (count > room - i)
            break;
        memcpy(buffer + made, character, count);
        made += count;
        text->at = at;
    }
    buffer[made] = '\0';
    *length = made;
}

unsigned document_bytes(document *d, json_value *text, uint8_t bytes[8])
{
    char digits[18] = "";
    size_t length = 0;
    size_t i;

    if (text->kind == UTET_VALUE_TEXT)
        document_text(d, text, digits, sizeof digits, &length);
    for (i = 0; i < length && i < 16; i++) {
        const unsigned digit = (uint8_t)digits[i] - (unsigned)'0';
        const unsigned letter = ((uint8_t)digits[i] | 0x20u) - (unsigned)'a';

        if (digit > 9 && letter > 5)
            break;
        bytes[i / 2] = (uint8_t)((unsigned)bytes[i / 2] << 4 | (digit <= 9 ? digit : letter + 10));
    }
    return i == length && i % 2 == 0 ? (unsigned)i / 2 : 0;
}
