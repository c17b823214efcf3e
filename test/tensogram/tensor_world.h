/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Tensors of a list (list.py), one at a time, each behind a rig. */
#ifndef TEST_TENSOR_WORLD_H
#define TEST_TENSOR_WORLD_H

#include "rig.h"
#include "utet_lz4.h"
#include "utet_tensogram_data.h"

typedef struct tensor_world {
    rig rig;
    utet_object object;
    const char *name;     /* size of the file; of the last tensor if bytes is NULL */
    const char *sha;      /* size of the data */
    const uint8_t *bytes; /* bytes of the file; NULL: there are no more tensors */
    size_t size;
    size_t line;
} tensor_world;

void world_first(tensor_world *w);
void world_next(tensor_world *w);
/* A file opened over `w->bytes`. codec, for zstd: 0: libzstd, 1: the built-in decoder. */
void world_open(tensor_world *w, int codec, size_t work, size_t port_slice, unsigned blocks, unsigned unit, int mapped);
void world_close(tensor_world *w);
int world_uses_zstd(const tensor_world *w);
uint32_t world_draw(uint32_t below);

#endif
