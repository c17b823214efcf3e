/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Reads everything in a file of a TileDB array and computes a digest of it, for boards and tests. */
#ifndef TILEDB_WALK_H
#define TILEDB_WALK_H

#include "utet_tiledb_folder.h"

enum { TILEDB_WALK_SCHEMA, TILEDB_WALK_ENUMERATION, TILEDB_WALK_METADATA, TILEDB_WALK_GROUP };

typedef struct tiledb_walk {
    utet_tiledb tile;
    union {
        utet_tiledb_schema schema;
        utet_tiledb_enumeration enumeration;
        utet_tiledb_group group;
    } of;
    uint64_t digest;    /* FNV-1a of all numbers and texts; the same on all machines */
    uint32_t mistakes;  /* number of answers that contradict another one */
    utet_status status; /* UTET_OK, or the first error */
} tiledb_walk;

/* check: checks the whole file before it is read. A call that returns "not yet" is repeated at once. */
void tiledb_walk_all(tiledb_walk *w, utet_file *file, const utet_tiledb_options *options, int kind, int check);

#endif
