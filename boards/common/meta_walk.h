/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Reads everything in the footer of a file, through every call of utet_meta.h that delivers something, into one digest,
 * so that a board and a host can be compared. Relies on the library and on sha256.h; the same on every machine. */
#ifndef META_WALK_H
#define META_WALK_H

#include "sha256.h"
#include "utet_meta.h"

#define META_WALK_DEPTH 6u /* levels of lists and maps that are entered; footers have four */
#define META_WALK_TEXT 64u /* longer keys and labels are read but not searched for */

/* The results come first; the other members are private. */
struct meta_walk {
    uint8_t digest[32];
    uint32_t values; /* number of delivered texts, lists, maps, and entries of zone maps and indexes */
    uint32_t bytes;  /* total length of the texts */
    utet_meta meta;
    utet_dataset dataset;
    utet_dataset_meta about;
    utet_event event;
    utet_zones zones;
    utet_zone zone;
    utet_value level[META_WALK_DEPTH];
    struct sha256 hash;
    char text[META_WALK_TEXT];
};

/* Walks through the footer of `file`, which is open and whose port never returns "not yet". Statuses are part of the
 * digest. Returns the status of utet_meta_open or, after that, the first error. */
utet_status meta_walk(struct meta_walk *walk, utet_file *file);

#endif
