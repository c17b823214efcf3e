/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* A reader under test over a file of metagen's, and what its footer has for the one dataset. */
#ifndef TEST_METAWORLD_H
#define TEST_METAWORLD_H

#include "metagen.h"
#include "rig.h"
#include "utet_meta.h"

typedef struct metaworld {
    rig r;
    metagen g;
    utet_meta meta;
    utet_dataset d;
    utet_dataset_meta described;
    utet_zones zones;
    utet_status opened;    /* what utet_meta_open returned */
    uint64_t error_offset; /* error_offset after utet_meta_open */
} metaworld;

/* Writes the file and makes a rig over it, whose port delivers `slice` bytes a call and says "not yet" `blocks` times
 * before each. Nothing is opened. */
void metaworld_make(metaworld *w, const metagen *g, size_t slice, unsigned blocks);
/* Opens the file, in the smallest window. */
void metaworld_file(metaworld *w);
/* Opens file and metadata, finds the dataset and, when the metadata are good, what they say about it. */
void metaworld_open(metaworld *w);
void metaworld_end(metaworld *w);

#endif
