/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes files of TileDB arrays field by field, also such as no library writes: a generic tile without a filter, its
 * raw tile in one chunk. One file at a time, in `made`.
 */
#ifndef TEST_TILEGEN_H
#define TEST_TILEGEN_H

#include <stddef.h>
#include <stdint.h>

enum { TILEGEN_RAW = 62, TILEGEN_CHUNKS = 52, TILEGEN_MOST = 60000 }; /* places in a file; its bytes at most */

typedef struct tilegen {
    uint8_t bytes[TILEGEN_MOST];
    size_t size;
} tilegen;

extern tilegen made;

/* Before the first field of the raw tile / behind its last one, which writes all that stands before it. */
void tilegen_begin(void);
void tilegen_end(uint32_t version);

/* Instead: from the first byte of the file, a tile of version 22 with one filter and a raw tile of so many bytes, up to
 * the number of chunks. Its chunks stand from TILEGEN_CHUNKS on. */
void tilegen_filtered(unsigned filter, uint64_t raw_size, uint64_t chunks);

/* Fields: a number in so many bytes; a text behind its length. */
void tilegen_add(uint64_t number, unsigned width);
void tilegen_text(const char *text, unsigned width);

/* Of a schema: its head, to the number of dimensions; a dimension INT32 0..99 in tiles of 10; an attribute UINT8. */
void tilegen_head(uint32_t version, unsigned sparse, unsigned cell_order, uint32_t dimensions);
void tilegen_dimension(const char *name);
void tilegen_attribute(const char *name, const char *enumeration);

/* A sparse schema of version 22 with the dimension "d" and attributes "a00", "a01", …, up to the number of labels,
 * which is 0; each attribute refers to `enumeration`, or, null, to one of its own name. / Behind the enumerations. */
void tilegen_schema(unsigned attributes, const char *enumeration);
void tilegen_schema_end(void);

#endif
