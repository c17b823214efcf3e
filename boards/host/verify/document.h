/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* A JSON document of the file that has been checked, gone over once more: values are places, and what is inside one is
 * passed over by its brackets, byte by byte. The library's way, token by token, costs several times as much for each
 * list inside a list. Should the medium have changed, a document that is none gives wrong values or an error, and no
 * access outside. */
#ifndef UTET_TOOL_DOCUMENT_H
#define UTET_TOOL_DOCUMENT_H

#include "shared/tool.h"
#include "utet_meta.h"

typedef struct document {
    source *s;
    uint64_t end;       /* end of the document, as a file offset */
    utet_status status; /* error of the medium, or UTET_E_METADATA; its offset is error_offset of the file */
    const uint8_t *at;  /* what is held: the buffer, or a file that lies in memory */
    uint64_t offset;    /* offset of those bytes in the file */
    size_t length;
    uint8_t buffer[(size_t)32 << 10];
} document;

typedef struct json_value {
    uint8_t kind;    /* UTET_VALUE_… */
    uint8_t unread;  /* nonzero in a list or map if `at` is inside its last entry */
    uint64_t at;     /* behind its bracket or quote; of a list or map, behind the entries that were given out */
    uint64_t number; /* as in utet_value: UINT64_MAX if it is not a 64-bit integer; 1: true */
} json_value;

void document_begin(document *d, source *s, const utet_span *span);
/* The next entry of a list or map, whose `at` moves on; *key is a text in a map. 0: there is none, or d->status is an
 * error. */
int document_next(document *d, json_value *list, json_value *key, json_value *value);
/* The place behind the last entry that a list or map gave out, to which it moves on. */
uint64_t document_end(document *d, json_value *list);
/* Passes over what is inside the last entry: `inner`, which has been gone through, or as much of it as was. */
void document_leave(document *d, json_value *list, const json_value *inner);
/* The values of so many names in a map, in one pass: of several with one name the last, as utet_map_find takes it; of
 * kind UTET_VALUE_NONE where there is none. Names are shorter than DOCUMENT_NAME. */
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
