/*
 * A pull reader of JSON (RFC 8259) over a stretch of the file: no tree, no recursion, a bit for each level. One call
 * yields one token; when the port has nothing yet it may be repeated at any byte. Internal to the library.
 */
#ifndef UTET_JSON_H
#define UTET_JSON_H

#include "../base/base.h"
#include "utet_meta.h"

enum { /* tokens */
    JSON_END, /* of the text, behind its one value */
    JSON_KEY,
    JSON_CLOSE, /* of an object or array */
    JSON_OBJECT,
    JSON_ARRAY,
    JSON_TEXT,
    JSON_NUMBER,
    JSON_TRUE,
    JSON_FALSE,
    JSON_NULL
};

/* What the next token, when it is a text or key, is read for. */
enum {
    JSON_STRICT, /* to be checked in every respect, counted, its head kept */
    JSON_KNOWN,  /* has been checked: only counted and kept */
    JSON_SKIP    /* of no interest: passed over by structure, as the reference does (§7) */
};

/* Before the one value of the text at [offset, end) of the file. */
void utet_json_begin(utet_json *json, uint64_t offset, uint64_t end);
/* Inside an object or array, at `offset`, behind its bracket or (begun) behind one of its entries. */
void utet_json_enter(utet_json *json, uint64_t offset, uint64_t end, int object, int begun);

/*
 * The next token into json->token, with json->begin, depth (as it is behind the token), and for a
 *   key, text: number = decoded bytes, head = the first of them; the content begins at begin + 1
 *   number:    see utet_json_is_u64.
 * Returns UTET_OK, UTET_WOULD_BLOCK, UTET_E_METADATA with file->error_offset, medium errors.
 */
utet_status utet_json_next(utet_file *file, utet_json *json);

/* Makes [at, at + length) of the text addressable; UTET_E_METADATA at json->end where it does not hold so many. Inline: a
 * frame less on the way to the port. */
static inline utet_status utet_json_need(utet_file *file, const utet_json *json, uint64_t at, size_t length)
{
    if (json->end - at < length) {
        file->error_offset = json->end;
        return UTET_E_METADATA;
    }
    return utet_need_bytes(file, length, at);
}

/* Behind a token: what may follow it. Returns UTET_OK. */
utet_status utet_json_complete(utet_json *json);
/* The rest of the number whose first byte has been seen. */
utet_status utet_json_number(utet_file *file, utet_json *json);

/* A character of a text: bytes[0 … made) in UTF-8, from `used` bytes of the file. */
typedef struct utet_character {
    uint8_t bytes[4];
    uint8_t made;
    uint8_t used;
} utet_character;

/* The character that begins at `at`, before json->end. Where it is not well-formed: JSON_STRICT, UTET_E_METADATA; in the
 * other modes a stray byte is itself and half a surrogate pair U+FFFD. A quote is an ordinary character here. */
utet_status utet_json_character(utet_file *file, const utet_json *json, uint64_t at, utet_character *out);

enum { /* json->within: states of a number, the accepting ones first, and the text */
    JSON_BETWEEN,
    JSON_ZERO,
    JSON_INTEGER,
    JSON_FRACTION,
    JSON_EXPONENT,
    JSON_START,
    JSON_MINUS,
    JSON_POINT,
    JSON_E,
    JSON_E_SIGN,
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
