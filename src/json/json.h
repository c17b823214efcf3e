/*
 * A pull reader of JSON (RFC 8259) over a stretch of the file: no tree, no recursion, a bit for each level. One call
 * yields one token; when the port has nothing yet it may be repeated at any byte. Internal to the library.
 */
#ifndef UTET_JSON_H
#define UTET_JSON_H

#include "../base/base.h"
#include "utet_meta.h"

enum { /* tokens; those of values are the kinds of utet_value */
    JSON_NULL = UTET_NONE,
    JSON_ARRAY = UTET_LIST,
    JSON_OBJECT = UTET_MAP,
    JSON_TEXT = UTET_TEXT,
    JSON_NUMBER = UTET_NUMBER,
    JSON_BOOLEAN = UTET_BOOLEAN,
    JSON_CLOSE, /* of an object or array */
    JSON_END,   /* of the text, behind its one value */
    JSON_KEY = JSON_END + 1 + JSON_TEXT
};

/* json->mode: how texts and keys are read, to be set before each token. */
enum {
    JSON_STRICT = 0,          /* checked in every respect */
    JSON_LENIENT = UTET_TEXT, /* by structure only, as the reference does with what nobody asks for (§7) */
    JSON_RAW = JSON_CLOSE     /* bytes that are no JSON, for utet_json_character */
};

/* Before the one value of a text, whose bounds are in json->base and end. */
void utet_json_begin(utet_json *json);
/* The same inside an object or array, behind its bracket, which is the token then, or (begun) behind one of its
 * entries. Follows utet_json_begin. */
void utet_json_enter(utet_json *json, uint8_t bracket, int begun);

/*
 * The next token into json->token, with json->begin, depth (as it is behind the token), and for a
 *   key, text: length = decoded bytes (documents are shorter than 4 GiB, see utet_meta_open); head = the first `held`
 *              of them; the content begins at begin + 1
 *   number:    see utet_json_is_u64; boolean: json->number.
 * Returns UTET_OK, UTET_WOULD_BLOCK, UTET_E_METADATA with file->error_offset, medium errors.
 */
utet_status utet_json_next(utet_file *file, utet_json *json);

/* Makes the next `length` bytes addressable; UTET_E_METADATA at json->end where the text does not hold so many. */
utet_status utet_json_need(utet_file *file, const utet_json *json, size_t length);

/* Behind a token: what may follow it. Returns UTET_OK. */
utet_status utet_json_complete(utet_json *json);
/* The rest of the number whose first byte has been seen. */
utet_status utet_json_number(utet_file *file, utet_json *json);

/* Up to 8 bytes, written as hexadecimal digits; returns their number, 0 when they are not that. */
unsigned utet_json_unhex(const char *text, uint32_t length, uint8_t *bytes);

/* A character of a text: bytes[0 … made) in UTF-8, from `used` bytes of the file. */
typedef struct utet_character {
    uint8_t bytes[4];
    uint8_t made;
    uint8_t used;
} utet_character;

/* The character at json->at, before json->end. Where it is not well-formed: JSON_STRICT, UTET_E_METADATA; else a
 * stray byte is itself and half a surrogate pair U+FFFD. A quote is an ordinary character here. */
utet_status utet_json_character(utet_file *file, const utet_json *json, utet_character *out);

enum { /* json->within: a part of a number, with more bits before its first digit; or one of the last two */
    JSON_WHOLE,
    JSON_FRACTION,
    JSON_EXPONENT,
    JSON_ZERO, /* whole, and complete */
    JSON_START = 4,
    JSON_SIGNED = 8,
    JSON_BETWEEN = 16,
    JSON_IN_TEXT
};

/* The number just read: whether it is written as a whole one (no fraction, no exponent) that fits; json->number is its
 * magnitude then, and it is negative when json->negative says so. */
static inline int utet_json_is_u64(const utet_json *json)
{
    return !json->inexact && !json->negative;
}
static inline int utet_json_is_i64(const utet_json *json)
{
    return !json->inexact && json->number <= (uint64_t)INT64_MAX + json->negative;
}

#endif
