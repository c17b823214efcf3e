/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The cost of an access to a tiled dataset on the target, by a model: sectors of 512 bytes read, bytes decoded. */
#ifndef UTET_TOOL_PACK_COST_H
#define UTET_TOOL_PACK_COST_H

#include "pack.h"

typedef struct candidate {
    uint64_t tile[UTET_MAX_NDIM];
    int codec;
    uint64_t bytes; /* bytes of a tile */
    uint64_t tiles;
    double ratio; /* stored bytes for each byte of data */
    /* what cost_of finds */
    double card;    /* bytes: payloads and rows of the index */
    double sectors; /* number of sectors that one access reads */
    double time_us;
    double cost;
} candidate;

void cost_of(const pack_options *opt, const pack_input *in, candidate *c);
void cost_need(const pack_options *opt, const candidate *c, utet_need *need);

#endif
