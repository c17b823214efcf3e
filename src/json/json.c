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

static int in_object(const utet_json *json)
{
    unsigned level = json->depth - 1u;

    return json->levels[level / 8] >> (level & 7) & 1;
}

static void push(utet_json *json, int object)
{
    uint8_t *byte = &json->levels[json->depth / 8];
    unsigned bit = 1u << (json->depth & 7);

    *byte = (uint8_t)(object ? *byte | bit : *byte & ~bit);
    json->depth++;
    json->expect = (uint8_t)(CLOSE | (object ? KEY : VALUE));
}

void utet_json_begin(utet_json *json, uint64_t offset, uint64_t end)
{
    json->at = offset;
    json->end = end;
    json->depth = 0;
    json->expect = VALUE;
    json->within = JSON_BETWEEN;
    json->mode = JSON_STRICT;
}

void utet_json_enter(utet_json *json, uint64_t offset, uint64_t end, int object, int begun)
{
    utet_json_begin(json, offset, end);
    push(json, object);
    if (begun)
        json->expect = CLOSE | COMMA;
}

static utet_status bad(utet_file *file, uint64_t at)
{
    file->error_offset = at;
    return UTET_E_METADATA;
}

utet_status utet_json_complete(utet_json *json)
{
    json->within = JSON_BETWEEN;
    json->expect = json->depth != 0 ? COMMA | CLOSE : NOTHING;
    if (json->token == JSON_KEY)
        json->expect = COLON;
    return UTET_OK;
}

/* true, false, null */
static utet_status literal(utet_file *file, utet_json *json, uint8_t first)
{
    const char *word = first == 't' ? "true" : first == 'f' ? "false" : "null";
    size_t length = first == 'f' ? 5 : 4;
    size_t there = json->end - json->at < length ? (size_t)(json->end - json->at) : length;
    utet_status status = utet_need_bytes(file, there, json->at);
    size_t i;

    if (status != UTET_OK)
        return status;
    for (i = 0; i < length; i++)
        if (i == there || file->priv_at[i] != (uint8_t)word[i])
            return bad(file, json->at + i);
    json->at += length;
    json->token = first == 't' ? JSON_TRUE : first == 'f' ? JSON_FALSE : JSON_NULL;
    return utet_json_complete(json);
}

/* The first byte of a token; the whole of those that have one byte. */
static utet_status first(utet_file *file, utet_json *json, uint8_t byte)
{
    json->begin = json->at;
    json->number = 0;
    if (byte == '"' && (json->expect & (KEY | VALUE)) != 0) {
        json->token = (json->expect & KEY) != 0 ? JSON_KEY : JSON_TEXT;
        json->within = JSON_IN_TEXT;
        json->at++;
        return UTET_OK;
    }
    if ((json->expect & CLOSE) != 0 && byte == (in_object(json) ? '}' : ']')) {
        json->token = JSON_CLOSE;
        json->at++;
        json->depth--;
        return utet_json_complete(json);
    }
    if ((json->expect & VALUE) == 0)
        return bad(file, json->at);
    if (byte == '{' || byte == '[') {
        if (json->depth == UTET_JSON_DEPTH)
            return bad(file, json->at);
        json->token = byte == '{' ? JSON_OBJECT : JSON_ARRAY;
        json->at++;
        push(json, byte == '{');
        return UTET_OK;
    }
    if (byte != '-' && (unsigned)byte - '0' > 9)
        return literal(file, json, byte);
    json->token = JSON_NUMBER;
    json->within = JSON_START;
    json->negative = 0;
    json->inexact = 0;
    return UTET_OK;
}

/* White space, commas and colons, then the beginning of a token. */
static utet_status between(utet_file *file, utet_json *json)
{
    for (;;) {
        utet_status status;
        uint8_t byte;

        if (json->at == json->end && json->expect == NOTHING) {
            json->token = JSON_END;
            return UTET_OK;
        }
        status = utet_json_need(file, json, json->at, 1);
        if (status != UTET_OK)
            return status;
        byte = file->priv_at[0];
        if (byte == ',' && (json->expect & COMMA) != 0)
            json->expect = in_object(json) ? KEY : VALUE;
        else if (byte == ':' && json->expect == COLON)
            json->expect = VALUE;
        else if (byte != ' ' && byte != '\n' && byte != '\r' && byte != '\t')
            return first(file, json, byte);
        json->at++;
    }
}

/* Passes over plain characters that nobody wants, as many as lie in the window. */
static size_t plain(const utet_file *file, const utet_json *json)
{
    uint64_t rest = json->end - json->at;
    size_t most = rest < file->priv_have ? (size_t)rest : file->priv_have;
    size_t i = 0;

    while (i < most && file->priv_at[i] >= 0x20 && file->priv_at[i] != '"' && file->priv_at[i] != '\\')
        i++;
    return i;
}

static void keep(utet_json *json, const utet_character *character)
{
    unsigned i;

    for (i = 0; i < character->made; i++, json->number++)
        if (json->number < UTET_JSON_HEAD)
            json->head[json->number] = (char)character->bytes[i];
}

static utet_status text(utet_file *file, utet_json *json)
{
    for (;;) {
        utet_status status = utet_json_need(file, json, json->at, 1);
        utet_character character;

        if (status != UTET_OK)
            return status;
        if (file->priv_at[0] == '"') {
            json->at++;
            return utet_json_complete(json);
        }
        if (json->mode == JSON_SKIP) {
            size_t some = plain(file, json);

            json->at += some;
            if (some != 0)
                continue;
        }
        status = utet_json_character(file, json, json->at, &character);
        if (status != UTET_OK)
            return status;
        keep(json, &character);
        json->at += character.used;
    }
}

utet_status utet_json_next(utet_file *file, utet_json *json)
{
    if (json->within == JSON_BETWEEN) {
        utet_status status = between(file, json);

        if (status != UTET_OK || json->within == JSON_BETWEEN)
            return status;
    }
    return json->within == JSON_IN_TEXT ? text(file, json) : utet_json_number(file, json);
}
