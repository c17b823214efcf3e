/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
#include "document.h"

#include <string.h>

void document_begin(document *d, source *s, const utet_span *span)
{
    d->s = s;
    d->end = span->offset + span->length;
    d->status = UTET_OK;
    d->offset = 0;
    d->length = 0;
}

/* Reads from `at` on. After an error nothing is held. */
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

/* The bytes from `at` on, `have` of them and at least one; null: an error. */
static inline const uint8_t *view(document *d, uint64_t at, size_t *have)
{
    if (at - d->offset >= d->length && !refill(d, at)) /* wraps for what is in front of the buffer */
        return NULL;
    *have = d->length - (size_t)(at - d->offset);
    return d->buffer + (at - d->offset);
}

/* The byte at a place; 0, which no document has outside of its texts, after an error. */
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

/* The first byte from `at` on that is neither white space nor comma nor colon. */
static uint64_t behind_separators(document *d, uint64_t at)
{
    const uint8_t *bytes;
    size_t have;
    size_t i = 0;

    while ((bytes = view(d, at, &have)) != NULL) {
        for (i = 0; i < have && separates(bytes[i]); i++)
            continue;
        at += i;
        if (i < have)
            break;
    }
    return at;
}

/* Behind the closing quote of the text, or the closing bracket of the list or map, whose inside begins at `at`. */
static uint64_t behind_close(document *d, uint64_t at, int in_text)
{
    enum { QUOTE = 1, ESCAPE = 2, OPEN = 4, CLOSE = 8 };
    static const uint8_t kinds[256] = {
        ['"'] = QUOTE, ['\\'] = ESCAPE, ['['] = OPEN, ['{'] = OPEN, [']'] = CLOSE, ['}'] = CLOSE};
    unsigned stops = in_text ? QUOTE | ESCAPE : QUOTE | OPEN | CLOSE;
    uint64_t depth = in_text ? 0 : 1;
    const uint8_t *bytes;
    size_t have;
    size_t i;

    while ((bytes = view(d, at, &have)) != NULL) {
        for (i = 0; i < have; i++) {
            const unsigned kind = kinds[bytes[i]] & stops;

            if (kind == 0)
                continue;
            if (kind == ESCAPE)
                i++; /* and what is behind it, which may be the first byte of the next view */
            else if (kind == QUOTE)
                stops ^= ESCAPE | OPEN | CLOSE;
            else
                depth += kind == OPEN ? 1 : UINT64_MAX;
            if (depth == 0 && (stops & ESCAPE) == 0)
                return at + i + 1;
        }
        at += i;
    }
    return at;
}

/* A number, true, false or null; returns the place behind it. */
static uint64_t read_scalar(document *d, uint64_t at, json_value *value)
{
    uint8_t byte = byte_at(d, at);
    int whole = 1;

    value->kind = byte == 't' || byte == 'f' ? UTET_VALUE_BOOLEAN : byte == 'n' ? UTET_VALUE_NONE : UTET_VALUE_NUMBER;
    value->number = value->kind == UTET_VALUE_BOOLEAN && byte == 't';
    for (; byte != 0 && !separates(byte) && (byte | 0x20) != '}'; byte = byte_at(d, ++at)) {
        const unsigned digit = byte - (unsigned)'0';

        if (value->kind != UTET_VALUE_NUMBER)
            continue;
        whole = whole && digit <= 9 && value->number <= (UINT64_MAX - digit) / 10;
        value->number = whole ? value->number * 10 + digit : UINT64_MAX;
    }
    return at;
}

/* The value that begins at `at`; returns the place behind it, or where the inside of a list or map begins. */
static uint64_t read_value(document *d, uint64_t at, json_value *value)
{
    const uint8_t first = byte_at(d, at);

    value->at = at + 1;
    value->number = 0;
    value->unread = 0;
    value->kind = first == '{' ? UTET_VALUE_MAP : first == '[' ? UTET_VALUE_LIST : UTET_VALUE_TEXT;
    if (first == '{' || first == '[')
        return at + 1;
    return first == '"' ? behind_close(d, at + 1, 1) : read_scalar(d, at, value);
}

uint64_t document_end(document *d, json_value *list)
{
    if (list->unread)
        list->at = behind_close(d, list->at, 0);
    list->unread = 0;
    return list->at;
}

void document_leave(document *d, json_value *list, const json_value *inner)
{
    if (list->unread)
        list->at = behind_close(d, inner->unread ? behind_close(d, inner->at, 0) : inner->at, 0);
    list->unread = 0;
}

int document_next(document *d, json_value *list, json_value *key, json_value *value)
{
    const int in_map = list->kind == UTET_VALUE_MAP;
    uint64_t at;

    if (!in_map && list->kind != UTET_VALUE_LIST)
        return 0;
    at = behind_separators(d, document_end(d, list));
    list->at = at;
    if (d->status != UTET_OK || (byte_at(d, at) | 0x20) == '}')
        return 0;
    if (in_map)
        at = behind_separators(d, read_value(d, at, key));
    list->at = read_value(d, at, value);
    list->unread = value->kind == UTET_VALUE_LIST || value->kind == UTET_VALUE_MAP;
    if (d->status == UTET_OK && list->at == at) { /* nothing that a value begins with */
        d->s->file.error_offset = at;
        d->status = UTET_E_METADATA;
    }
    return d->status == UTET_OK;
}

void document_fields(document *d, json_value *map, const char *const *names, unsigned count, json_value *values)
{
    json_value key;
    json_value value;
    char name[DOCUMENT_NAME];
    size_t length;
    unsigned i;

    memset(values, 0, count * sizeof *values);
    if (map->kind != UTET_VALUE_MAP)
        return;
    while (document_next(d, map, &key, &value)) {
        document_text(d, &key, name, sizeof name, &length);
        for (i = 0; i < count; i++)
            if (names[i][0] == name[0] && length == strlen(names[i]) && strcmp(names[i], name) == 0)
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

/* The character that an escape at `at` means, in UTF-8; returns how many bytes it has. */
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
