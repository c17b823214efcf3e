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
    const uint8_t *at;  /* the bytes in memory: the buffer, or a complete file */
    uint64_t offset;    /* file offset of the bytes in memory */
    size_t length;
    uint8_t buffer[(size_t)32 << 10];
} document;

typedef struct json_value {
    uint8_t kind;    /* UTET_VALUE_… */
    uint8_t unread;  /* nonzero in a list or map if `at` is inside its last entry */
    uint64_t at;     /* position after the opening bracket or quote; in a list or map, after the entries read so far */
    uint64_t number; /* as in utet_value: UINT64_MAX if it is not a 64-bit integer; 1: true */
} json_value;

void document_begin(document *d, source *s, const utet_span *span);
/* Reads the next entry of a list or map and advances its `at`; in a map, *key is a text. Returns 0 after the last
 * entry, or if d->status is an error. */
int document_next(document *d, json_value *list, json_value *key, json_value *value);
/* Advances a list or map to the position after its last entry read, and returns this position. */
uint64_t document_end(document *d, json_value *list);
/* Skips the rest of the last entry, `inner`, which may have been read in part. */
void document_leave(document *d, json_value *list, const json_value *inner);
/* Finds the values of `count` names in a map in one pass. Of several with one name, the last one counts, as in
 * utet_map_find; the kind is UTET_VALUE_NONE if there is none. Names are shorter than DOCUMENT_NAME. */
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
/* Copies as much of a text as fits into size - 1 bytes, null-terminated; *length: number of bytes copied. Advances
 * text->at to the rest. `size` is at least 5, so that each character fits. */
void document_text(document *d, json_value *text, char *buffer, size_t size, size_t *length);
/* Decodes a text of hexadecimal digits to at most 8 bytes; returns their number, 0 if the text is anything else. */
unsigned document_bytes(document *d, json_value *text, uint8_t bytes[8]);

#endif
