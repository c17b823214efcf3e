/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* See reader.h. */
#include "reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

utet_dataset reader_dataset(rig *r, uint32_t id, const char *what)
{
    utet_dataset d;
    utet_status status;
    DRIVE(status, utet_dataset_first(&r->file, &d));
    while (status == UTET_OK && d.id < id)
        DRIVE(status, utet_dataset_next(&r->file, &d));
    suite_check(status == UTET_OK, "%s: dataset %u: %s", what, (unsigned)id, rig_status(status));
    return d;
}

size_t reader_elem_size(rig *r, uint32_t id)
{
    suite_check(rig_open(r, 4096 + 8192, (size_t)-1) == UTET_OK, "open for the element size");
    size_t size = reader_dataset(r, id, "element size").elem_size;
    faultport_rewind(&r->port);
    return size;
}

static void everything(const utet_dataset *d, utet_range *ranges)
{
    for (unsigned a = 0; a < d->ndim; a++)
        ranges[a] = (utet_range){0, d->shape[a], 1};
}

/* (Re)starts with `work` bytes and asks for the slab's need or opens it; returns what that says. */
static utet_status restart(rig *r, guard_side side, size_t work, uint32_t id, const utet_range *ranges, utet_dataset *d,
                           utet_slab *slab, int ask, const char *what)
{
    utet_range all[8];
    utet_status status;
    faultport_rewind(&r->port);
    rig_start(r, work, side);
    DRIVE(status, utet_open(&r->file, &(utet_options){.budget = (size_t)-1}));
    if (status != UTET_OK)
        return status;
    *d = reader_dataset(r, id, what);
    everything(d, all);
    if (ranges == NULL)
        ranges = all;
    if (ask)
        DRIVE(status, utet_slab_need(slab, &r->file, d, ranges));
    else
        DRIVE(status, utet_slab_open(slab, &r->file, d, ranges));
    return status;
}

/* No byte of any payload may have been requested: in all files of the tests, payloads are after the index. */
static void refused(rig *r, guard_side side, uint32_t id, const utet_range *ranges, const utet_need *need,
                    const char *what)
{
    utet_dataset d;
    utet_slab slab;
    utet_status status = restart(r, side, (size_t)need->least - 1, id, ranges, &d, &slab, 0, what);
    rig_check(r, what);
    suite_check(status == UTET_E_BUDGET, "%s: need - 1 = %llu bytes: %s", what, (unsigned long long)need->least - 1,
                rig_status(status));
    suite_check(r->file.needed == need->least, "%s: refused naming %llu bytes, need is %llu", what,
                (unsigned long long)r->file.needed, (unsigned long long)need->least);
}

void reader_slab_exact(rig *r, guard_side side, uint32_t id, const utet_range *ranges, uint8_t *out, size_t size,
                       reader_whole *result, const char *what)
{
    utet_dataset d;
    utet_slab slab;
    utet_run run;
    utet_status status = restart(r, side, 64 << 20, id, ranges, &d, &slab, 1, what);
    suite_check(status == UTET_OK, "%s: dataset %u: opening a slab: %s", what, (unsigned)id, rig_status(status));
    rig_check(r, what);
    utet_need need = slab.need;
    suite_check(need.least <= need.best, "%s: need %llu..%llu", what, (unsigned long long)need.least,
                (unsigned long long)need.best);
    suite_check(slab.count * d.elem_size == size, "%s: slab of %llu elements, %zu bytes expected", what,
                (unsigned long long)slab.count, size);
    if (slab.count == 0 && r->port.io.map == NULL) /* nothing but the window that opening takes */
        suite_check(need.least == UTET_WINDOW_LEAST(r->port.io.unit), "%s: nothing selected needs %llu bytes", what,
                    (unsigned long long)need.least);
    if (need.least > 0)
        refused(r, side, id, ranges, &need, what);

    status = restart(r, side, (size_t)need.least, id, ranges, &d, &slab, 0, what);
    suite_check(status == UTET_OK, "%s: exactly the need (%llu bytes): %s", what, (unsigned long long)need.least,
                rig_status(status));
    faultport_zone(&r->port, 1, out, size);
    result->payload_reads = r->port.reads;
    if (size > 0) {
        DRIVE(status, utet_slab_read_all(&slab, out, size - 1));
        suite_check(status == UTET_E_SPACE, "%s: destination one byte short: %s", what, rig_status(status));
    }
    DRIVE_OK(utet_slab_read_all(&slab, out, size));
    DRIVE(status, utet_slab_next(&slab, &run));
    suite_check(status == UTET_END, "%s: a run after all of them: %s", what, rig_status(status));
    result->payload_reads = r->port.reads - result->payload_reads;
    suite_check(r->file.high_water <= need.least, "%s: high water %zu over the need %llu", what, r->file.high_water,
                (unsigned long long)need.least);
    result->dataset = d;
    result->need = need;
    rig_check(r, what);
    faultport_zone(&r->port, 1, NULL, 0);
}

/* ---- by chunks ---- */

/* Places the tile at chunk coordinates `at` into the dense array; returns its size (with tile null: only that). */
static size_t place_tile(const utet_dataset *d, const uint64_t *at, const uint8_t *tile, uint8_t *out)
{
    uint64_t low[8], extent[8], place[8] = {0}, n = 1;
    for (unsigned a = 0; a < d->ndim; a++) {
        low[a] = at[a] * d->chunk_shape[a];
        extent[a] = d->shape[a] - low[a] < d->chunk_shape[a] ? d->shape[a] - low[a] : d->chunk_shape[a];
        n *= extent[a];
    }
    for (uint64_t i = 0; tile != NULL && i < n; i++) {
        uint64_t linear = 0;
        for (unsigned a = 0; a < d->ndim; a++)
            linear = linear * d->shape[a] + low[a] + place[a];
        memcpy(out + linear * d->elem_size, tile + i * d->elem_size, d->elem_size);
        for (unsigned a = d->ndim; a-- > 0 && ++place[a] == extent[a];)
            place[a] = 0;
    }
    return (size_t)n * d->elem_size;
}

/* One chunk in slices that follow `slice`; the tile in a guarded buffer of its exact size. */
static utet_status stream_tile(rig *r, const utet_chunk *chunk, guard *tile, size_t slice)
{
    utet_stream stream;
    utet_status status;
    uint64_t random = 7 + chunk->row;
    size_t at = 0, got, ask;
    DRIVE(status, utet_stream_open(&stream, &r->file, chunk));
    while (status == UTET_OK) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        ask = slice == SLICE_ALL ? tile->size : slice == SLICE_RANDOM ? 1 + (size_t)(random >> 55) : slice;
        if (slice == 1 && tile->size > 5000) /* one byte at a time through all of it would take too long everywhere */
            ask = at % 64 < 16 ? 1 : 257;
        if (ask > tile->size - at)
            ask = tile->size - at;
        if (ask == 0)
            break;
        faultport_zone(&r->port, 1, tile->data + at, ask);
        DRIVE(status, utet_stream_read(&stream, tile->data + at, ask, &got));
        if (status == UTET_OK && got != ask)
            suite_fail("row %llu: %zu bytes instead of %zu at %zu", (unsigned long long)chunk->row, got, ask, at);
        at += got;
        suite_check(stream.position == at, "row %llu: position %llu, delivered %zu", (unsigned long long)chunk->row,
                    (unsigned long long)stream.position, at);
    }
    if (status == UTET_OK) {
        uint8_t beyond;
        DRIVE(status, utet_stream_read(&stream, &beyond, 1, &got));
        suite_check(status == UTET_END && got == 0, "row %llu: after the last byte: %s", (unsigned long long)chunk->row,
                    rig_status(status));
        status = UTET_OK;
    } else {
        utet_status again = utet_stream_read(&stream, tile->data, 1, &got);
        suite_check(stream.position == 0 || again == status || status == UTET_END, "row %llu: error %s became %s",
                    (unsigned long long)chunk->row, rig_status(status), rig_status(again));
    }
    faultport_zone(&r->port, 1, NULL, 0);
    return status;
}

/* The same chunk by a load, and (raw and compressed) from its middle after a skip. */
static utet_status load_tile(rig *r, const utet_chunk *chunk, const guard *tile)
{
    utet_stream stream;
    utet_status status;
    size_t got, half = tile->size / 2;
    guard other = guard_new(tile->size, 1, GUARD_AFTER);
    faultport_zone(&r->port, 1, other.data, other.size);
    DRIVE(status, utet_stream_load(&stream, &r->file, chunk, other.data, other.size));
    if (status == UTET_OK) {
        suite_check(memcmp(other.data, tile->data, tile->size) == 0, "row %llu: load and stream differ",
                    (unsigned long long)chunk->row);
        DRIVE_OK(utet_stream_open(&stream, &r->file, chunk));
        DRIVE_OK(utet_stream_skip(&stream, half));
        memset(other.data, 0, other.size);
        if (tile->size > half)
            DRIVE_OK(utet_stream_read(&stream, other.data, tile->size - half, &got));
        suite_check(memcmp(other.data, tile->data + half, tile->size - half) == 0, "row %llu: wrong after a skip",
                    (unsigned long long)chunk->row);
    }
    suite_check(guard_intact(&other), "row %llu: written outside the destination", (unsigned long long)chunk->row);
    faultport_zone(&r->port, 1, NULL, 0);
    guard_free(&other);
    return status;
}

void reader_streams(rig *r, uint32_t id, uint8_t *out, size_t size, size_t slice, const char *what)
{
    utet_dataset d = reader_dataset(r, id, what);
    uint64_t at[8] = {0};
    size_t done = 0;
    unsigned a = d.ndim;
    memset(out, 0xEE, size);
    while (done < size) {
        utet_chunk chunk;
        DRIVE_OK(utet_chunk_find(&r->file, &d, at, &chunk));
        guard tile = guard_new(place_tile(&d, at, NULL, NULL), 1, GUARD_AFTER);
        suite_check(chunk.raw_byte_len == tile.size, "%s: row %llu: raw_byte_len", what, (unsigned long long)chunk.row);
        utet_status status = stream_tile(r, &chunk, &tile, slice);
        suite_check(status == UTET_OK, "%s: row %llu: stream: %s", what, (unsigned long long)chunk.row,
                    rig_status(status));
        status = load_tile(r, &chunk, &tile);
        suite_check(status == UTET_OK, "%s: row %llu: load: %s", what, (unsigned long long)chunk.row,
                    rig_status(status));
        suite_check(guard_intact(&tile), "%s: row %llu: written outside the slice", what,
                    (unsigned long long)chunk.row);
        done += place_tile(&d, at, tile.data, out);
        guard_free(&tile);
        for (a = d.ndim; a-- > 0;) {
            if (++at[a] * d.chunk_shape[a] < d.shape[a])
                break;
            at[a] = 0;
        }
    }
    rig_check(r, what);
}

utet_status reader_whole_status(rig *r, uint32_t id, const char *what)
{
    utet_dataset d = reader_dataset(r, id, what);
    utet_range ranges[8];
    utet_slab slab;
    utet_run run;
    utet_status status;
    everything(&d, ranges);
    DRIVE(status, utet_slab_open(&slab, &r->file, &d, ranges));
    while (status == UTET_OK)
        DRIVE(status, utet_slab_next(&slab, &run));
    rig_check(r, what);
    return status;
}
