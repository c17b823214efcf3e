/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* What the suites of arrays share: an opened schema. */
#ifndef ARRAYWORLD_H
#define ARRAYWORLD_H

#include "faultport.h"
#include "guard.h"
#include "suite.h"
#include "tilegen.h"
#include "utet_tiledb.h"

#include <string.h>

static faultport port;

static utet_file file;

static utet_tiledb tile;

static utet_tiledb_schema schema;

static utet_tiledb_item item;

static uint64_t work[2048];

static inline utet_status open_in(size_t room, const utet_tiledb_options *options)
{
    faultport_init(&port, made.bytes, made.size);
    assert_int_equal(utet_init(&file, &port.io, work, room, NULL), UTET_OK);
    return utet_tiledb_open(&tile, &file, options);
}

static inline utet_status open_schema(void)
{
    utet_status status = open_in(sizeof work, NULL);

    return status == UTET_OK ? utet_tiledb_schema_open(&schema, &tile) : status;
}

#endif
