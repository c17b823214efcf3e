/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Reads a JSON document of the file again, after it has been checked: values are offsets, and the contents of a value
 * are skipped by their brackets, byte by byte. Token by token, as the library reads, costs several times as much for
 * nested lists. If the medium has changed, the result is wrong values or an error, but no access out of bounds. */
#ifndef UTET_TOOL_DOCUMENT_H
#define UTET_TOOL_DOCUMENT_H

#include "shared/tool.h"
#include "utet_meta.h"

typedef struct document {
    source *s;
    uint64_t end;       /* end of the document, as a file offset */
    utet_status status; /* error of the medium, or UTET_E_METADATA; its offset is error_offset of the file */
    const uint8_t *at;  /* bytes held: the buffer, or a file in memory */
    uint64_t offset;    /* offset of those bytes in the file */
    size_t length;
    uint8_t buffer[(size_t)32 << 10];
} document;

typedef struct json_value {
    uint8_t kind;    /* UTET_VALUE_… */
    uint8_t unread;  /* nonzero in a list or map if `at` is inside its last entry */
    uint64_t at;     /* after its bracket or quote; of a list or map, after the entries that were given out */
    uint64_t number; /* as in utet_value: UINT64_MAX if it is not a 64-bit integer; 1: true */
} json_value;

void document_begin(document *d, source *s, const utet_span *span);
/* The next entry of a list or map, whose `at` moves on; *key is a text in a map. 0: there is none, or d->status is an
 * error. */
int document_next(document *d, json_value *list, json_value *key, json_value *value);
/* The position after the last entry that a list or map gave out, to which it moves on. */
uint64_t document_end(document *d, json_value *list);
/* Skips the rest of the last entry: `inner`, all or part of which has been read. */
void document_leave(document *d, json_value *list, const json_value *inner);
/* The values of `count` names in a map, read in one pass: the last of several with one name, as utet_map_find returns;
 * kind UTET_VALUE_NONE if there is none. Names are shorter than DOCUMENT_NAME. */
#define DOCUMENT_NAME 24u
typedef struct document_name {
    const char *text;
    size_t length;
} document_name;
#define NAME(text)             \
    {                          \
        text, sizeof(text) - 1 \
    }
void document_fields(document *d, json_value *map, const document_name *names, unsigned count, json_value *values);
/* As much of a text as fits into size - 1 bytes, with a terminator, *length bytes of it; text->at moves on to the rest.
 * `size` is at least 5, so that a character fits. */
void document_text(document *d, json_value *text, char *buffer, size_t size, size_t *length);
/* The bytes that a text writes in hexadecimal, at most 8; returns how many, 0 when it is something else. */
unsigned document_bytes(document *d, json_value *text, uint8_t bytes[8]);

#endif
