/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The calls of each configuration. Only what a program calls is counted: the linker drops the rest. */
#ifndef SIZE_CALLS_H
#define SIZE_CALLS_H

#include "port.h"

static utet_dataset dataset;
static utet_chunk chunk;
static utet_stream stream;
static char buffer[64];

/* Open, datasets, chunk lookup, streams in order. A raw stream needs only the window, so its need is not requested. */
static inline int use_raw(const utet_codec *const *codecs)
{
    const uint64_t coords[UTET_MAX_NDIM] = {0};
    size_t got;
    int sum = 0;

    sum |= utet_init(&size_file, &size_io, size_work, SIZE_WORK, codecs);
    sum |= utet_open(&size_file, NULL);
    sum |= utet_dataset_first(&size_file, &dataset);
    sum |= utet_dataset_next(&size_file, &dataset);
    sum |= utet_dataset_find(&size_file, "a", 1, &dataset);
    sum |= utet_dataset_name(&size_file, &dataset, 0, buffer, 1);
    sum |= utet_chunk_find(&size_file, &dataset, coords, &chunk);
    sum |= utet_stream_open(&stream, &size_file, &chunk);
    sum |= utet_stream_read(&stream, buffer, sizeof buffer, &got);
    return sum;
}

/* Hyperslab selections. */
static inline int use_slab(void)
{
    static utet_slab slab;
    static utet_range ranges[UTET_MAX_NDIM];
    utet_run run;
    int sum = 0;

    sum |= utet_slab_need(&slab, &size_file, &dataset, ranges);
    sum |= utet_slab_open(&slab, &size_file, &dataset, ranges);
    sum |= utet_slab_next(&slab, &run);
    sum |= utet_slab_read_all(&slab, buffer, sizeof buffer);
    return sum;
}

/* Tiles that stay decoded. */
static inline int use_tiles(void)
{
    static utet_tiles tiles;
    static utet_range ranges[UTET_MAX_NDIM];
    int sum = 0;

    sum |= utet_tiles_init(&tiles, &size_file, &dataset, 1);
    sum |= utet_tiles_read(&tiles, ranges, buffer, sizeof buffer);
    return sum;
}

/* The other calls of utet.h for applications. */
static inline int use_rest(void)
{
    utet_need need;
    int sum = 0;

    sum |= utet_cancel(&size_file);
    sum |= utet_row_first(&size_file, &chunk);
    sum |= utet_row_next(&size_file, &chunk);
    sum |= utet_chunk_need(&size_file, &chunk, 0, &need);
    sum |= utet_stream_skip(&stream, 1);
    sum |= utet_stream_load(&stream, &size_file, &chunk, buffer, sizeof buffer);
    sum |= utet_strerror(sum)[0] | (int)utet_strerror_copy(sum, buffer, sizeof buffer) | utet_build_info()[0];
    utet_to_native(buffer, 1, 1);
    return sum;
}

#endif
