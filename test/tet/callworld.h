/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* What the suites of the calls share: a file with a few datasets. */
#ifndef CALLWORLD_H
#define CALLWORLD_H

#include "utet_codec.h"
#include "reader.h"
#include "tetgen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const tetgen_dataset two[] = {
    {.name = "raw",
     .name_length = 3,
     .dtype = UTET_U16,
     .ndim = 2,
     .shape = {20, 30},
     .chunk = {8, 8},
     .codec = TETGEN_RAW},
    {.name = "zstd",
     .name_length = 4,
     .dtype = UTET_F64,
     .ndim = 2,
     .shape = {40, 50},
     .chunk = {40, 50},
     .codec = TETGEN_ZSTD},
};

typedef struct world {
    tetgen g;
    rig r;
    utet_dataset d;
    utet_chunk c;
    uint64_t at[8];
} world;

static inline void make(world *w, const tetgen_dataset *datasets, unsigned count)
{
    memset(w, 0, sizeof *w);
    w->g = (tetgen){.datasets = datasets, .count = count, .seed = 11};
    tetgen_build(&w->g);
    rig_make(&w->r, w->g.bytes, w->g.size, 0);
}

static inline void end(world *w)
{
    rig_end(&w->r, "calls");
    tetgen_free(&w->g);
}

static inline void find(world *w, const char *name)
{
    DRIVE_OK(utet_dataset_find(&w->r.file, name, strlen(name), &w->d));
    memset(w->at, 0, sizeof w->at);
    DRIVE_OK(utet_chunk_find(&w->r.file, &w->d, w->at, &w->c));
}

#endif
