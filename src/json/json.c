/*
 * The tokens of a JSON text. Each byte or character is made present, then taken by moving json->at: so a repeated call
 * goes on in the middle of a token, and nothing is looked at twice but a character.
 */
#include "json.h"

#include <string.h>

enum { /* json->expect, sets of what may come */
    VALUE = 1,
    KEY = 2,
    CLOSE = 4,
    COMMA = 8,
    COLON = 16,
    NOTHING = 0
};

utet_status utet_json_need(utet_file *file, const utet_json *json, size_t length)
{
    if (json->end - json->at < length) {
        file->error_offset = json->base + json->end;
        return UTET_E_METADATA;
    }
    return utet_need_bytes(file, length, json->base + json->at);
}

static void push(utet_json *json, uint8_t bracket)
{
    uint8_t *byte = &json->levels[json->depth / 8];
    unsigned bit = 1u << (json->depth & 7);
    int object = bracket == JSON_OBJECT;

    json->token = bracket;
    *byte = (uint8_t)(object ? *byte | bit : *byte & ~bit);
    json->depth++;
    json->expect = (uint8_t)(CLOSE | (object ? KEY : VALUE));
}

void utet_json_begin(utet_json *json)
{
    json->at = 0;
    json->depth = 0;
    json->expect = VALUE;
    json->within = JSON_BETWEEN;
}

void utet_json_enter(utet_json *json, uint8_t bracket, int begun)
{
    push(json, bracket);
    if (begun)
        json->expect = CLOSE | COMMA;
}

utet_status utet_json_complete(utet_json *json)
{
    json->within = JSON_BETWEEN;
    json->expect = json->depth != 0 ? COMMA | CLOSE : NOTHING;
    if (json->token == JSON_KEY)
        json->expect = COLON;
    return UTET_OK;
}

/* null, true, false */
static utet_status literal(utet_file *file, utet_json *json)
{
    static const char words[] = "nulltruefalse";
    unsigned which = file->priv_at[0] == 'n' ? 0 : file->priv_at[0] == 't' ? 1 : 2;
    size_t length = 4 + which / 2;
    utet_status status = utet_json_need(file, json, length);

    if (status != UTET_OK)
        return status;
    if (memcmp(file->priv_at, words + 4 * which, length) != 0)
        return UTET_E_METADATA;
    json->at += (uint32_t)length;
    json->token = which == 0 ? JSON_NULL : JSON_BOOLEAN;
    json->number = which == 1;
    return utet_json_complete(json);
}

/* How many of the bytes in the window stand for themselves. */
static uint32_t plain(const utet_file *file, const utet_json *json)
{
    uint32_t most = json->end - json->at;
    uint32_t i = 0;

    if (most > file->priv_have)
        most = (uint32_t)file->priv_have;

    while (i < most && file->priv_at[i] >= 0x20 && file->priv_at[i] != '"' && file->priv_at[i] != '\\' &&
           (file->priv_at[i] < 0x80 || json->mode != JSON_STRICT))
        i++;
    return i;
}

static utet_status text(utet_file *file, utet_json *json)
{
    for (;;) {
        utet_status status = utet_json_need(file, json, 1);
        const uint8_t *bytes = file->priv_at;
        utet_character character;
        uint32_t used;
        uint32_t made;

        if (status != UTET_OK)
            return status;
        if (*bytes == '"') {
            json->at++;
            return utet_json_complete(json);
        }
        used = plain(file, json);
        made = used;
        if (used == 0) {
            status = utet_json_character(file, json, &character);
            if (status != UTET_OK)
                return status;
            bytes = character.bytes;
            used = character.used;
            made = character.made;
        }
        json->at += used;
        json->length += made;
        while (made-- != 0 && json->held < UTET_JSON_HEAD)
            json->head[json->held++] = (char)*bytes++;
    }
}

/* The token that begins with `byte`. */
static utet_status token(utet_file *file, utet_json *json, uint8_t byte, int in_object)
{
    int object = byte == '{';

    json->begin = json->at++;
    json->number = 0;
    json->length = 0;
    json->negative = 0;
    json->inexact = 0;
    if (byte == '"' && (json->expect & (KEY | VALUE)) != 0) {
        json->token = (json->expect & KEY) != 0 ? JSON_KEY : JSON_TEXT;
        json->within = JSON_IN_TEXT;
        json->held = 0;
        return text(file, json);
    }
    if ((json->expect & CLOSE) != 0 && byte == (in_object ? '}' : ']')) {
        json->token = JSON_CLOSE;
        json->depth--;
        return utet_json_complete(json);
    }
    if ((json->expect & VALUE) == 0)
        return UTET_E_METADATA;
    if (object || byte == '[') {
        if (json->depth == UTET_JSON_DEPTH)
            return UTET_E_METADATA;
        push(json, object ? JSON_OBJECT : JSON_ARRAY);
        return UTET_OK;
    }
    json->at = json->begin;
    if (byte != '-' && (unsigned)byte - '0' > 9)
        return literal(file, json);
    json->token = JSON_NUMBER;
    json->within = JSON_START;
    return utet_json_number(file, json);
}

/* White space, commas and colons, then a token. */
static utet_status between(utet_file *file, utet_json *json)
{
    unsigned level = json->depth - 1u; /* any at depth 0: nothing there depends on it */
    int in_object = json->levels[(uint8_t)level / 8] >> (level & 7) & 1;

    for (;;) {
        utet_status status = utet_json_need(file, json, 1);
        uint8_t byte;

        if (status == UTET_E_METADATA && json->expect == NOTHING) {
            json->token = JSON_END;
            return UTET_OK;
        }
        if (status != UTET_OK)
            return status;
        byte = file->priv_at[0];
        if (byte == ',' && (json->expect & COMMA) != 0)
            json->expect = in_object ? KEY : VALUE;
        else if (byte == ':' && json->expect == COLON)
            json->expect = VALUE;
        else if (byte != ' ' && byte != '\n' && byte != '\r' && byte != '\t')
            return token(file, json, byte, in_object);
        json->at++;
    }
}

utet_status utet_json_next(utet_file *file, utet_json *json)
{
    if (json->within == JSON_BETWEEN)
        return between(file, json);
    if (json->within == JSON_IN_TEXT)
        return text(file, json);
    return utet_json_number(file, json);
}
