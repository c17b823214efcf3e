/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
#include "tilegen.h"

#include <string.h>

tilegen made;

void tilegen_add(uint64_t number, unsigned width)
{
    for (; width > 0; width--, number >>= 8)
        made.bytes[made.size++] = (uint8_t)number;
}

void tilegen_text(const char *text, unsigned width)
{
    tilegen_add(strlen(text), width);
    memcpy(made.bytes + made.size, text, strlen(text));
    made.size += strlen(text);
}

void tilegen_begin(void)
{
    memset(made.bytes, 0, sizeof made.bytes);
    made.size = TILEGEN_RAW;
}

void tilegen_end(uint32_t version)
{
    const size_t all = made.size;
    const size_t raw = all - TILEGEN_RAW;

    made.size = 0;
    tilegen_add(version, 4);
    tilegen_add(raw + 20, 8);
    tilegen_add(raw, 8);
    tilegen_add(4, 1);
    tilegen_add(1, 8);
    tilegen_add(0, 1);
    tilegen_add(8, 4);
    tilegen_add(65536, 4);
    tilegen_add(0, 4);
    tilegen_add(1, 8);
    tilegen_add(raw, 4);
    tilegen_add(raw, 4);
    tilegen_add(0, 4);
    made.size = all;
}

void tilegen_head(uint32_t version, unsigned sparse, unsigned cell_order, uint32_t dimensions)
{
    unsigned i;

    tilegen_add(version, 4);
    tilegen_add(0, 1);
    tilegen_add(sparse, 1);
    tilegen_add(0, 1);
    tilegen_add(cell_order, 1);
    tilegen_add(10000, 8);
    for (i = 0; i < 3; i++) {
        tilegen_add(65536, 4);
        tilegen_add(0, 4);
    }
    tilegen_add(dimensions, 4);
}

void tilegen_dimension(const char *name)
{
    tilegen_text(name, 4);
    tilegen_add(0, 1); /* INT32 */
    tilegen_add(1, 4);
    tilegen_add(0, 8); /* no filters */
    tilegen_add(8, 8);
    tilegen_add(0, 4);
    tilegen_add(99, 4);
    tilegen_add(0, 1);
    tilegen_add(10, 4);
}

void tilegen_attribute(const char *name, const char *enumeration)
{
    tilegen_text(name, 4);
    tilegen_add(6, 1); /* UINT8 */
    tilegen_add(1, 4);
    tilegen_add(0, 8);
    tilegen_add(1, 8);
    tilegen_add(255, 1);
    tilegen_add(0, 2);
    tilegen_add(0, 1);
    tilegen_text(enumeration, 4);
}

void tilegen_schema(unsigned attributes, const char *enumeration)
{
    char name[4] = "a00";
    unsigned i;

    tilegen_begin();
    tilegen_head(22, 1, 0, 1);
    tilegen_dimension("d");
    tilegen_add(attributes, 4);
    for (i = 0; i < attributes; i++) {
        name[1] = (char)('0' + i / 10);
        name[2] = (char)('0' + i % 10);
        tilegen_attribute(name, enumeration != NULL ? enumeration : name);
    }
    tilegen_add(0, 4); /* labels */
}

void tilegen_schema_end(void)
{
    tilegen_add(0, 4); /* current domain: version, */
    tilegen_add(1, 1); /* none */
    tilegen_end(22);
}

void tilegen_filtered(unsigned filter, uint64_t raw_size, uint64_t chunks)
{
    memset(made.bytes, 0, sizeof made.bytes);
    made.size = 0;
    tilegen_add(22, 4);
    tilegen_add(0, 8); /* the chunks' bytes, written last */
    tilegen_add(raw_size, 8);
    tilegen_add(4, 1); /* CHAR, a byte each, not encrypted */
    tilegen_add(1, 8);
    tilegen_add(0, 1);
    tilegen_add(18, 4); /* the list of filters */
    tilegen_add(65536, 4);
    tilegen_add(1, 4);
    tilegen_add(filter, 1);
    tilegen_add(5, 4);
    tilegen_add(filter, 1);
    tilegen_add(0xFFFFFFFF, 4); /* the usual level */
    tilegen_add(chunks, 8);
}
