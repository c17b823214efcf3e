/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* What the suites of suspended calls and of fields share: an opened schema. */
#ifndef ARRAYCALLS_H
#define ARRAYCALLS_H

#include "faultport.h"
#include "suite.h"
#include "tilegen.h"
#include "utet_tiledb.h"

#include <stdlib.h>
#include <string.h>

static faultport port;

static utet_file file;

static utet_tiledb tile;

static utet_tiledb_schema schema;

static uint64_t work[4096];

static inline utet_status open_in(size_t room)
{
    faultport_init(&port, made.bytes, made.size);
    assert_int_equal(utet_init(&file, &port.io, work, room, NULL), UTET_OK);
    return utet_tiledb_open(&tile, &file, NULL);
}

static inline utet_status open_schema(size_t room)
{
    utet_status status = open_in(room);

    return status == UTET_OK ? utet_tiledb_schema_open(&schema, &tile) : status;
}

/* ---- suspended ---- */

static inline void make_references(unsigned attributes)
{
    unsigned i;

    tilegen_schema(attributes, NULL);
    tilegen_add(attributes, 4);
    for (i = 0; i < attributes; i++) {
        char name[4] = "a00";

        name[1] = (char)('0' + i / 10);
        name[2] = (char)('0' + i % 10);
        tilegen_text(name, 4);
        tilegen_text("f", 4);
    }
    tilegen_schema_end();
}

#endif
