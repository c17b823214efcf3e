/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* See zs_data.c. */
#ifndef ZS_DATA_H
#define ZS_DATA_H

#include <stddef.h>
#include <stdint.h>

enum { ZS_KINDS = 7 };

typedef struct zs_recipe {
    int level, checksum, content_size, window_log, flush;
} zs_recipe;

/* n bytes of one of ZS_KINDS kinds. */
void zs_fill(uint8_t *p, size_t n, unsigned kind, uint32_t seed);

/* One frame; content_size 0: streamed without a stated size, as the writers do. Returns its length. */
size_t zs_frame(uint8_t *out, size_t room, const uint8_t *data, size_t n, const zs_recipe *recipe);

#endif
