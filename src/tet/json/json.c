/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The tokens of a JSON text. Each byte or character is fetched, and then taken by moving json->next. So a repeated
 * call continues in the middle of a token; only an incomplete character is read twice.
 */
#include "json.h"

#include <string.h>

/* When the medium changes, a list may have no end when it is read again: utet_fetch refuses bytes beyond the file.
 */
utet_status utet_json_fetch(utet_file *file, const utet_json *json, size_t length)
{
    if (json->end - json->next < length) {
        file->error_offset = json->base + json->end;
        return UTET_E_METADATA;
    }
    return utet_fetch(file, length, json->base + json->next);
}

static void json_push(utet_json *json, uint8_t bracket)
{
    uint8_t *byte = &json->is_object[json->depth / 8];
    unsigned bit = 1u << (json->depth & 7);
    int object = bracket == JSON_OBJECT;

    json->token = bracket;
    *byte = (uint8_t)(object ? *byte | bit : *byte & ~bit);
    json->depth++;
    json->expected = (uint8_t)(EXPECT_CLOSE | (object ? EXPECT_KEY : EXPECT_VALUE));
}

void utet_json_begin(utet_json *json, uint32_t length, uint64_t base)
{
    json->base = base;
    json->end = length;
    json->next = 0;
    json->depth = 0;
    json->expected = EXPECT_VALUE;
    json->state = JSON_BETWEEN;
}

void utet_json_enter(utet_json *json, uint8_t bracket, int begun)
{
    json_push(json, bracket);
    if (begun)
        json->expected = EXPECT_CLOSE | EXPECT_COMMA;
}

utet_status utet_json_complete(utet_json *json)
{
    json->state = JSON_BETWEEN;
    json->expected = json->depth != 0 ? EXPECT_COMMA | EXPECT_CLOSE : EXPECT_NOTHING;
    if (json->token == JSON_KEY)
        json->expected = EXPECT_COLON;
    return UTET_OK;
}

/* null, true, false */
static utet_status json_literal(utet_file *file, utet_json *json, uint8_t byte)
{
    static const char words[] = "nulltruefalse";
    unsigned which = byte == 'n' ? 0 : byte == 't' ? 1 : 2;
    size_t length = 4 + which / 2;
    utet_status status = utet_json_fetch(file, json, length);

    if (status != UTET_OK)
        return status;
    if (memcmp(file->priv.at, words + 4 * which, length) != 0)
        return UTET_E_METADATA;
    json->next += (uint32_t)length;
    json->token = which == 0 ? JSON_NULL : JSON_BOOLEAN;
    json->number = which == 1;
    return utet_json_complete(json);
}

/* How many bytes of the text the window holds from json->next on. */
static uint32_t in_window(const utet_file *file, const utet_json *json)
{
    uint32_t rest = json->end - json->next;

    return rest < file->priv.have ? rest : (uint32_t)file->priv.have;
}

#if UINTPTR_MAX > UINT32_MAX
/* How many of the first `most` bytes are plain, at least: eight are looked at together. One that is not plain leaves
 * its highest bit set in one of three differences; each borrows only from bytes above such a one. */
static uint32_t plain_words(const uint8_t *bytes, uint32_t most)
{
    const uint64_t each = UINT64_MAX / 255;
    uint32_t i;

    for (i = 0; most - i >= 8; i += 8) {
        uint64_t word;

        memcpy(&word, bytes + i, 8);
        word = (word - 0x20 * each) | ((word ^ '"' * each) - each) | ((word ^ '\\' * each) - each);
        if ((word & 0x80 * each) != 0)
            break;
    }
    return i;
}
#else
#define plain_words(bytes, most) 0
#endif

/* How many of the first `most` bytes are plain characters of ASCII, neither quote, escape nor control. */
static uint32_t json_plain(const uint8_t *bytes, uint32_t most)
{
    uint32_t i = plain_words(bytes, most);

    for (; i < most; i++) {
        int8_t c = (int8_t)bytes[i];

        if (c <= '\\' && (c < 0x20 || c == '"' || c == '\\'))
            break;
    }
    return i;
}

static utet_status json_text(utet_file *file, utet_json *json)
{
    for (;;) {
        utet_status status = utet_json_fetch(file, json, 1);
        const uint8_t *bytes = file->priv.at;
        utet_character character;
        uint32_t used;
        uint32_t made;

        if (status != UTET_OK)
            return status;
        if (*bytes == '"') {
            json->next++;
            return utet_json_complete(json);
        }
        used = json_plain(bytes, in_window(file, json));
        made = used;
        if (used == 0) {
            status = utet_json_character(file, json, &character);
            if (status != UTET_OK)
                return status;
            bytes = character.bytes;
            used = character.used;
            made = character.made;
        }
        json->next += used;
        json->text_length += made;
        while (made-- != 0 && json->head_length < UTET_JSON_HEAD)
            json->head[json->head_length++] = (char)*bytes++;
    }
}

/* The token that begins with `byte`. */
static utet_status json_token(utet_file *file, utet_json *json, uint8_t byte, int in_object)
{
    json->token_start = json->next++;
    json->number = 0;
    json->text_length = 0;
    json->negative = 0;
    json->inexact = 0;
    if (byte == '"' && (json->expected & (EXPECT_KEY | EXPECT_VALUE)) != 0) {
        json->token = (json->expected & EXPECT_KEY) != 0 ? JSON_KEY : JSON_TEXT;
        json->state = JSON_IN_TEXT;
        json->head_length = 0;
        return json_text(file, json);
    }
    if ((json->expected & EXPECT_CLOSE) != 0 && byte == (in_object ? '}' : ']')) {
        json->token = JSON_CLOSE;
        json->depth--;
        return utet_json_complete(json);
    }
    if ((json->expected & EXPECT_VALUE) == 0)
        return UTET_E_METADATA;
    if ((byte | 0x20) == '{') { /* or '[', which differs in that bit */
        if (json->depth == UTET_JSON_DEPTH)
            return UTET_E_METADATA;
        json_push(json, byte == '{' ? JSON_OBJECT : JSON_LIST);
        return UTET_OK;
    }
    json->next = json->token_start;
    if (byte != '-' && (unsigned)byte - '0' > 9)
        return json_literal(file, json, byte);
    json->token = JSON_NUMBER;
    json->state = JSON_START;
    return utet_json_number(file, json);
}

/* White space, commas and colons, then a token. All of them that the window holds are taken at once: a third of an
 * indented text is white space. */
static utet_status json_between(utet_file *file, utet_json *json)
{
    unsigned level = json->depth - 1u; /* any at depth 0: nothing there depends on it */
    int in_object = json->is_object[(uint8_t)level / 8] >> (level & 7) & 1;

    for (;;) {
        utet_status status = utet_json_fetch(file, json, 1);
        const uint8_t *at = file->priv.at;
        uint32_t left;

        if (status == UTET_E_METADATA && json->expected == EXPECT_NOTHING) {
            json->token = JSON_END;
            return UTET_OK;
        }
        if (status != UTET_OK)
            return status;
        for (left = in_window(file, json); left != 0; left--) {
            uint8_t byte = *at++;

            if (byte != ' ' && (byte - 9u >= 5 || byte - 11u <= 1)) {
                if (byte == ',' && (json->expected & EXPECT_COMMA) != 0)
                    json->expected = in_object ? EXPECT_KEY : EXPECT_VALUE;
                else if (byte == ':' && json->expected == EXPECT_COLON)
                    json->expected = EXPECT_VALUE;
                else {
                    file->error_offset = json->base +
                                         json->next; /* the token's offset, not that of the blanks before it */
                    return json_token(file, json, byte, in_object);
                }
            }
            json->next++;
        }
    }
}

utet_status utet_json_next(utet_file *file, utet_json *json)
{
    if (json->state == JSON_BETWEEN)
        return json_between(file, json);
    if (json->state == JSON_IN_TEXT)
        return json_text(file, json);
    return utet_json_number(file, json);
}
