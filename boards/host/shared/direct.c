/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads a band of raw tiles. Their rows are copied from the bytes that were read ahead straight to the band, not
 * through the library's window of half a kilobyte. This is possible if the selected part of each tile is one range of
 * the file. All other bands, and bands with any error, are left to the library, which reads them from their beginning
 * and names the error.
 */
#include "tool.h"

#include <string.h>

/* The selected part of a tile. */
typedef struct part {
    uint64_t offset; /* offset of its bytes in the file */
    uint64_t bytes;
    uint64_t at;                   /* offset of its first byte in the band */
    uint64_t run;                  /* bytes that are consecutive in the band too */
    unsigned axes;                 /* number of axes before those of a run */
    uint64_t count[UTET_MAX_NDIM]; /* indices along each of these axes */
    uint64_t pitch[UTET_MAX_NDIM]; /* bytes between them in the band */
} part;

/* Computes the part of the tile at `coords`, but not where the payload begins; returns 0 if it has gaps in the tile. */
static int part_of(part *p, const utet_dataset *dataset, const utet_range *ranges, const uint64_t *coords)
{
    uint64_t pitch = dataset->elem_size; /* bytes between indices of the axis in the band */
    unsigned d = dataset->ndim;
    int joined = 1; /* all further axes belong to the run */

    p->offset = 0;
    p->bytes = p->run = dataset->elem_size;
    p->at = 0;
    p->axes = 0;
    while (d-- > 0) {
        const uint64_t corner = coords[d] * dataset->chunk_shape[d];
        const uint64_t rest = dataset->shape[d] - corner;
        const uint64_t extent = rest < dataset->chunk_shape[d] ? rest : dataset->chunk_shape[d];
        const uint64_t begin = ranges[d].start > corner ? ranges[d].start : corner;
        const uint64_t end = ranges[d].stop < corner + extent ? ranges[d].stop : corner + extent;

        if (d > 0 && end - begin != extent)
            return 0;
        p->offset = (begin - corner) * p->bytes; /* 0 except for axis 0 */
        p->bytes *= end - begin;
        p->at += (begin - ranges[d].start) * pitch;
        p->count[d] = end - begin;
        p->pitch[d] = pitch;
        if (joined) {
            p->run = p->bytes;
            p->axes = d;
            joined = end - begin == ranges[d].stop - ranges[d].start;
        }
        pitch *= ranges[d].stop - ranges[d].start;
    }
    return 1;
}

/* Goes to the next run; returns 0 after the last one. */
static int next_run(part *p, uint64_t *index)
{
    unsigned d = p->axes;

    while (d-- > 0) {
        p->at += p->pitch[d];
        if (++index[d] < p->count[d])
            return 1;
        p->at -= p->count[d] * p->pitch[d];
        index[d] = 0;
    }
    return 0;
}

/* Returns 0 if bytes could not be read. */
static int copy_part(ahead *reading, part *p, uint8_t *band)
{
    uint64_t index[UTET_MAX_NDIM] = {0};
    const uint8_t *from = NULL;
    size_t have = 0;

    do {
        uint64_t done = 0;

        while (done < p->run) {
            size_t some;

            if (have == 0 && (from = ahead_view(reading, p->offset, p->bytes, &have)) == NULL)
                return 0;
            some = have < p->run - done ? have : (size_t)(p->run - done);
            memcpy(band + p->at + done, from, some);
            from += some;
            have -= some;
            done += some;
            p->offset += some;
            p->bytes -= some;
        }
    } while (next_run(p, index));
    return 1;
}

static int copy_tile(source *s, const utet_dataset *dataset, const utet_range *ranges, const uint64_t *coords,
                     uint8_t *band)
{
    utet_chunk chunk;
    part p;

    if (!part_of(&p, dataset, ranges, coords) || utet_chunk_find(&s->file, dataset, coords, &chunk) != UTET_OK ||
        chunk.codec != UTET_CODEC_RAW)
        return 0;
    p.offset += chunk.payload_offset;
    return copy_part(&s->reading, &p, band);
}

int direct_band(source *s, const utet_dataset *dataset, const utet_range *ranges, uint8_t *band)
{
    uint64_t coords[UTET_MAX_NDIM];
    unsigned d;

    if (s->reading.io.map != NULL)
        return 0;
    for (d = 0; d < dataset->ndim; d++) {
        if (ranges[d].step != 1)
            return 0;
        coords[d] = ranges[d].start / dataset->chunk_shape[d];
    }
    do {
        if (!copy_tile(s, dataset, ranges, coords, band))
            return 0;
        for (d = dataset->ndim; d-- > 0;) {
            if (++coords[d] <= (ranges[d].stop - 1) / dataset->chunk_shape[d])
                break;
            coords[d] = ranges[d].start / dataset->chunk_shape[d];
        }
    } while (d < dataset->ndim); /* it is UINT_MAX after the last tile */
    return 1;
}
