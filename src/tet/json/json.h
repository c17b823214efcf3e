/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * A pull reader of JSON (RFC 8259) over a byte range of the file: no tree, no recursion, one bit for each level. One
 * call yields one token. When the port has nothing yet, the call is repeated and continues at the byte that it had
 * reached. Internal to the library.
 */
#ifndef UTET_JSON_H
#define UTET_JSON_H

#include "../../base/base.h"
#include "utet_meta.h"

/* json->token. A token that is a value has the number of that kind of utet_value. */
enum {
    JSON_NULL = UTET_VALUE_NONE,
    JSON_LIST = UTET_VALUE_LIST,
    JSON_OBJECT = UTET_VALUE_MAP,
    JSON_TEXT = UTET_VALUE_TEXT,
    JSON_NUMBER = UTET_VALUE_NUMBER,
    JSON_BOOLEAN = UTET_VALUE_BOOLEAN,
    JSON_CLOSE, /* end of a list or object */
    JSON_END,   /* end of the JSON text, after its only value */
    JSON_KEY
};

/* json->checks: how texts and keys are read, to be set before each token */
enum {
    JSON_STRICT,  /* checked in every respect */
    JSON_LENIENT, /* by structure only, as the reference reads values that are not requested (§7) */
    JSON_RAW      /* bytes that are no JSON, for utet_json_character */
};

/* json->state: a part of a number, with more bits before its first digit; or one of the last two */
enum {
    JSON_WHOLE,
    JSON_FRACTION,
    JSON_EXPONENT,
    JSON_ZERO, /* whole, and complete */
    JSON_START = 4,
    JSON_SIGNED = 8,
    JSON_BETWEEN = 16,
    JSON_IN_TEXT
};

/* json->expected: a set of what may come next */
enum {
    EXPECT_NOTHING = 0, /* the text is at its end */
    EXPECT_VALUE = 1,
    EXPECT_KEY = 2,
    EXPECT_CLOSE = 4,
    EXPECT_COMMA = 8,
    EXPECT_COLON = 16
};

/* Before the one value of a JSON text of at most `length` bytes at `base`. */
void utet_json_begin(utet_json *json, uint32_t length, uint64_t base);
/* The same inside a list or object: after its bracket, which is the token then, or with `begun` after one of its
 * entries. Call after utet_json_begin. */
void utet_json_enter(utet_json *json, uint8_t bracket, int begun);

/*
 * The next token into json->token, with token_start, depth (as it is after the token), and for a
 *   key, text: text_length = decoded bytes (documents are shorter than 4 GiB, see utet_meta_open); head = the first
 *              head_length of them; the content begins at token_start + 1
 *   number:    see utet_json_is_u64; boolean: json->number.
 * Returns UTET_OK, UTET_WOULD_BLOCK, UTET_E_METADATA with file->error_offset, medium errors.
 */
utet_status utet_json_next(utet_file *file, utet_json *json);

/* Makes the next `length` bytes addressable; UTET_E_METADATA at json->end where the text has fewer bytes. */
utet_status utet_json_fetch(utet_file *file, const utet_json *json, size_t length);

/* After a token: sets what may follow it. Returns UTET_OK. */
utet_status utet_json_complete(utet_json *json);
/* The rest of the number whose first byte has been seen. */
utet_status utet_json_number(utet_file *file, utet_json *json);

/* Reads up to 8 bytes that are written as hexadecimal digits. Returns their number; 0 when they are not. */
unsigned utet_json_unhex(const char *text, uint32_t length, uint8_t *bytes);
/* The number of the four hexadecimal digits at `at`; UINT32_MAX if there are no such digits. */
uint32_t utet_json_hex4(const uint8_t *at);

/* A character of a text: bytes[0 … made) in UTF-8, from `used` bytes of the file. */
typedef struct utet_character {
    uint8_t bytes[4];
    uint8_t made;
    uint8_t used;
} utet_character;

/* The character at json->next. If it is not well-formed, JSON_STRICT returns UTET_E_METADATA; else a stray byte is
 * taken as it is, and half a surrogate pair as U+FFFD. A quote is an ordinary character here. */
utet_status utet_json_character(utet_file *file, const utet_json *json, utet_character *out);

/* Returns nonzero if the number just read is written as an integer (no fraction, no exponent) and fits 64 bits. Then
 * json->number is its magnitude and json->negative its sign. */
static inline int utet_json_is_u64(const utet_json *json)
{
    return !json->inexact && !json->negative;
}
static inline int utet_json_is_i64(const utet_json *json)
{
    return !json->inexact && json->number <= (uint64_t)INT64_MAX + json->negative;
}

/* Returns nonzero if the outermost value that is open is a list. */
static inline int utet_json_in_list(const utet_json *json)
{
    return (json->is_object[0] & 1) == 0;
}

#endif
