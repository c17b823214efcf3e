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

enum { TILEGEN_RAW = 62, TILEGEN_CHUNKS = 52, TILEGEN_MOST = 60000 }; /* offsets in a file; its maximum length */

typedef struct tilegen {
    uint8_t bytes[TILEGEN_MOST];
    size_t size;
} tilegen;

extern tilegen made;

/* Call these before the first field of the raw tile, and after its last one: the end writes all that precedes it. */
void tilegen_begin(void);
void tilegen_end(uint32_t version);

/* In place of both: writes, from the first byte of the file, a generic tile of version 22 with one filter and a raw
 * tile of `raw_size` bytes, up to its number of chunks. The chunks begin at TILEGEN_CHUNKS. */
void tilegen_filtered(unsigned filter, uint64_t raw_size, uint64_t chunks);

/* Write a field: a number of `width` bytes; a text after its length, which has `width` bytes. */
void tilegen_add(uint64_t number, unsigned width);
void tilegen_text(const char *text, unsigned width);

/* Write parts of a schema: its head, up to the number of dimensions; an INT32 dimension 0..99 in tiles of 10; a UINT8
 * attribute. */
void tilegen_head(uint32_t version, unsigned sparse, unsigned cell_order, uint32_t dimensions);
void tilegen_dimension(const char *name);
void tilegen_attribute(const char *name, const char *enumeration);

/* Writes a sparse schema of version 22 with the dimension "d" and attributes "a00", "a01", …, up to the number of
 * labels, which is 0. Each attribute refers to `enumeration` or, if that is null, to one of its own name. After the
 * enumerations, call tilegen_schema_end. */
void tilegen_schema(unsigned attributes, const char *enumeration);
void tilegen_schema_end(void);

#endif
