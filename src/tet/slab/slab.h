/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Shared by the sources of slabs, and by code that skips tiles. Internal to the library. */
#ifndef UTET_SLAB_H
#define UTET_SLAB_H

#include "../stream/stream.h"

/* priv.state. Opening visits all tiles to find out their needs; the runs visit them again, but look up the rows only if
 * the payloads are not those of raw tiles at equal distances (priv.spread). */
enum { SLAB_FIND, SLAB_MEASURE, /* opening */ SLAB_TILE, SLAB_START, SLAB_DATA, SLAB_DONE /* running */ };

/* Nonzero if the range, of `length` indices, obeys the conditions of utet_range on an axis of that extent. */
static inline int utet_range_fits(const utet_range *range, uint64_t length, uint64_t extent)
{
    return !(range->step == 0 || range->stop > extent || range->start > range->stop || (length == 0 && extent != 0));
}

/* The calls that begin a slab. call: UTET_CALL_SLAB_NEED, which assigns no memory, UTET_CALL_SLAB_OPEN or
 * UTET_CALL_SLAB_MOVE. */
utet_status utet_slab_prepare(utet_slab *slab, utet_file *file, const utet_dataset *dataset, const utet_range *ranges,
                              uint8_t call);

/* Returns nonzero if the next run begins the tile of slab->priv.chunk.coords, which has not been looked up. */
int utet_slab_between(const utet_slab *slab);
/* Advances past that tile. */
void utet_slab_pass(utet_slab *slab);

#endif
