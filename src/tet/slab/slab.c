/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Slabs: a strided selection, tile after tile, row after row within each.
 * Along each axis the selected indices are numbered 0, 1, … (< count); number k is index start + k * step of the
 * dataset. Iteration advances from one selected index to the next, so tiles without selected elements are skipped.
 */
#include "slab.h"
#include "slab_copy.h"

#include <string.h>

#define GAP 64 /* the largest gap, in bytes, that is read through instead of starting a new request */

/* The number of indices, one in each step, of an interval. */
UTET_APART static uint64_t slab_steps(uint64_t length, uint64_t step)
{
    return step == 1 ? length : utet_div_up(length, step);
}

/* priv.spread, what opening has found: no tile; one raw tile, whose payload's offset is in stream.priv.scratch[0]; raw
 * tiles, each at the same distance from the one before, which is in scratch[1]; other tiles. Rows of other tiles are
 * looked up again by the runs, the rest is computed. */
enum { SPREAD_NONE, SPREAD_ONE, SPREAD_EVEN, SPREAD_OTHER };

/* Takes the tile that opening has looked up. expected: the offset that next_tile has computed. */
static void spread_over(utet_slab *slab, uint64_t expected)
{
    utet_stream *stream = &slab->priv.stream;
    const uint64_t beyond = stream->priv.offset - expected;

    if (UTET_IS_RAW(stream) && slab->priv.spread < SPREAD_EVEN)
        stream->priv.scratch[slab->priv.spread++] = beyond;
    else if (!UTET_IS_RAW(stream) || beyond != 0)
        slab->priv.spread = SPREAD_OTHER;
}

/* The tile that has index priv.base of axis d. (With d alone, the axis's address is computed again for each field.) */
static void enter_tile(utet_slab *slab, utet_axis *axis, unsigned d)
{
    const utet_dataset *dataset = slab->priv.dataset;
    uint64_t extent = dataset->chunk_shape[d];
    uint64_t from = axis->priv.start + UTET_PRODUCT(axis->priv.base, axis->priv.step);
    uint64_t tile = utet_div(from, extent);
    uint64_t corner = UTET_PRODUCT(tile, extent);
    uint64_t left = dataset->shape[d] - corner;

    slab->priv.chunk.coords[d] = tile;
    axis->priv.first = from - corner;
    if (extent > left)
        extent = left;
    if (axis->priv.extent != extent)
        slab->priv.chunk.raw_byte_len = 0; /* for find_raw */
    axis->priv.extent = extent;
    axis->priv.inside = slab_steps(extent - axis->priv.first, axis->priv.step);
    if (axis->priv.inside > axis->count - axis->priv.base)
        axis->priv.inside = axis->count - axis->priv.base;
}

/* If no index is left out, the tile after another one of the axis is found without a division, as long as all of it is
 * selected. Returns 0 in other cases. (Apart: its numbers would be on the stack below enter_tile.) */
UTET_APART static int enter_whole(utet_slab *slab, utet_axis *axis, unsigned d)
{
    if (axis->priv.step != 1 || axis->count - axis->priv.base < axis->priv.extent)
        return 0;
    slab->priv.chunk.coords[d]++;
    axis->priv.first = 0;
    axis->priv.inside = axis->priv.extent;
    return 1;
}

/* Advances to the next tile, last axis fastest, and to where its payload begins unless the tiles are other ones.
 * Returns 0 after the last one; while a slab is opened, it is at the first again then, without its payload. */
static int next_tile(utet_slab *slab)
{
    unsigned d = slab->priv.dataset->ndim;

    while (d-- != 0) {
        utet_axis *axis = &slab->axis[d];

        if (axis->priv.inside == axis->count)
            continue; /* it has one tile */
        axis->priv.base += axis->priv.inside;
        if (axis->priv.base < axis->count) {
            if (!enter_whole(slab, axis, d))
                enter_tile(slab, axis, d);
            slab->priv.stream.priv.offset += slab->priv.stream.priv.scratch[1];
            return 1;
        }
        axis->priv.base = 0;
        if (d == 0 && slab->priv.state != SLAB_FIND)
            break;
        enter_tile(slab, axis, d);
    }
    return 0;
}

/* ---- opening ---- */

static utet_status set_ranges(utet_slab *slab, utet_file *file, const utet_dataset *dataset, const utet_range *ranges)
{
    unsigned d;

    memset(slab, 0, offsetof(utet_slab, priv.chunk));
    slab->priv.dataset = dataset;
    slab->priv.stream.priv.file = file;
    slab->count = 1;
    for (d = 0; d < dataset->ndim; d++, ranges++) {
        uint64_t length = ranges->stop - ranges->start;

        if (!utet_range_fits(ranges, length, dataset->shape[d]))
            return UTET_E_RANGE;
        slab->axis[d].count = slab_steps(length, ranges->step);
        slab->axis[d].priv.start = ranges->start;
        slab->axis[d].priv.step = ranges->step;
        slab->axis[d].priv.base = 0;
        slab->axis[d].priv.place = 0;
        slab->axis[d].priv.extent = 0;
        slab->count = utet_mul(slab->count, slab->axis[d].count);
    }
    if (slab->count == UINT64_MAX)
        return UTET_E_RANGE;
    if (dataset->elem_size == 0)
        return utet_record_fail(file, dataset, UTET_UNREADABLE(dataset));
    for (d = 0; d < dataset->ndim && slab->count != 0; d++) {
        if (dataset->chunk_shape[d] == 0)
            return utet_record_fail(file, dataset, UTET_E_DATASET);
        enter_tile(slab, &slab->axis[d], d);
    }
    return UTET_OK;
}

/* Finds a raw tile after another one of the same extents, if its row is where it is predicted: the two differ only in
 * the offset of the payload. chunk.raw_byte_len is the size of both, and at most that of the file; 0: the last tile was
 * another kind. UTET_END: the row has to be looked up. The function is apart, because its numbers would be on the stack
 * below that lookup. */
UTET_APART static utet_status find_raw(utet_slab *slab, utet_file *file)
{
    const utet_dataset *dataset = slab->priv.dataset;
    const uint64_t bytes = slab->priv.chunk.raw_byte_len;
    utet_status status;
    const uint8_t *at;
    uint64_t offset;
    uint64_t row = slab->priv.chunk.coords[0];
    unsigned d;

    if (bytes == 0 || file->priv.step != 0)
        return UTET_END;
    for (d = 1; d < dataset->ndim; d++)
        row = UTET_PRODUCT(row, dataset->grid[d]) + slab->priv.chunk.coords[d];
    row += dataset->priv.first_row;
    if (row >= file->row_count)
        return UTET_END;
    status = utet_row_fetch(file, row);
    if (status != UTET_OK)
        return status;
    if (!utet_row_is(file->priv.at, dataset, slab->priv.chunk.coords))
        return UTET_END;
    at = file->priv.at;
    if (utet_le32(at + UTET_ROW_CODEC) != UTET_CODEC_RAW || utet_le64(at + UTET_ROW_RAW) != bytes ||
        utet_le64(at + UTET_ROW_STORED) != bytes)
        return UTET_END;
    offset = utet_le64(at + UTET_ROW_OFFSET);
    if (offset > file->priv.io->size - bytes)
        return UTET_END;
    slab->priv.stream.priv.offset = offset;
    return UTET_OK;
}

static utet_status find_tile(utet_slab *slab, utet_file *file)
{
    utet_stream *stream = &slab->priv.stream;
    utet_chunk *chunk = &slab->priv.chunk;
    utet_status status = find_raw(slab, file);

    if (status != UTET_END)
        return status;
    status = utet_row_find(file, slab->priv.dataset, chunk->coords, chunk);
    if (status != UTET_OK)
        return status;
    if (UTET_IS_RAW(stream) && chunk->codec == UTET_CODEC_RAW)
        stream->priv.offset = chunk->payload_offset;
    else
        status = utet_stream_prepare(stream, file, chunk, NULL);
    if (chunk->codec != UTET_CODEC_RAW || file->priv.rows != NULL || file->priv.displaced != 0 ||
        slab->priv.dataset->priv.next_row == UINT64_MAX)
        chunk->raw_byte_len = 0;
    return status;
}

/* The largest need of all tiles. */
static utet_status measure_tiles(utet_slab *slab, utet_file *file, int exact)
{
    utet_stream *stream = &slab->priv.stream;
    utet_status status;

    do {
        if (slab->priv.state == SLAB_FIND) {
            const uint64_t expected = stream->priv.offset;

            status = find_tile(slab, file);
            if (status != UTET_OK)
                return status;
            spread_over(slab, expected);
            slab->priv.state = SLAB_MEASURE;
        }
        if (!UTET_IS_RAW(stream)) {
            slab->priv.during.driver = stream->priv.codec->driver;
            status = slab->priv.during.driver->measure(stream, exact, &slab->need);
            if (status != UTET_OK)
                return status;
        }
        slab->priv.state = SLAB_FIND;
    } while (next_tile(slab));
    stream->priv.offset = stream->priv.scratch[0];
    return UTET_OK;
}

utet_status utet_slab_prepare(utet_slab *slab, utet_file *file, const utet_dataset *dataset, const utet_range *ranges,
                              uint8_t call)
{
    int resumed = file->priv.busy == call;
    utet_status status = utet_enter(file, call);

    if (status != UTET_OK)
        return status;
    if (file->priv.owner == slab)
        file->priv.owner = NULL; /* the older use of this object is over, even if this call fails */
    if (!resumed)
        status = set_ranges(slab, file, dataset, ranges);
    if (status == UTET_OK && slab->count != 0)
        status = measure_tiles(slab, file, call == UTET_CALL_SLAB_NEED);
    if (status == UTET_OK) {
        if (call != UTET_CALL_SLAB_NEED) {
            slab->priv.state = SLAB_DONE;
            if (slab->count == 0) {
                file->priv.owner = slab;
            } else {
                status = slab->priv.during.driver == NULL ? utet_raw_assign(file, slab)
                                                          : slab->priv.during.driver->assign(file, slab, &slab->need);
                slab->priv.state = SLAB_TILE;
                slab->priv.during.into = NULL;
            }
        }
        utet_need_with_window(file, &slab->need);
    }
    return utet_leave(file, status);
}

utet_status utet_slab_need(utet_slab *slab, utet_file *file, const utet_dataset *dataset, const utet_range *ranges)
{
    return utet_slab_prepare(slab, file, dataset, ranges, UTET_CALL_SLAB_NEED);
}

utet_status utet_slab_open(utet_slab *slab, utet_file *file, const utet_dataset *dataset, const utet_range *ranges)
{
    return utet_slab_prepare(slab, file, dataset, ranges, UTET_CALL_SLAB_OPEN);
}

/* ---- running ---- */

/* Makes the next run addressable, at least its first element. Of a raw chunk only the wanted bytes are requested, and
 * those in small gaps. If there is a dense result `into`, and the file is not mapped, a run goes straight to it when
 * the window would hold less than two; then row->there.at is null. */
static utet_status fetch_run(utet_slab *slab, utet_run *run, struct row_bytes *row, uint8_t *into)
{
    utet_stream *stream = &slab->priv.stream;
    utet_file *file = stream->priv.file;
    const utet_axis *axis = slab->axis;
    const utet_axis *last = axis + slab->priv.dataset->ndim - 1;
    size_t size = slab->priv.dataset->elem_size;
    utet_status status;
    uint64_t offset = 0;
    uint64_t ahead;
    size_t wanted;
    uint64_t pitch = 0;
    uint64_t rest = 0;

    run->first = 0;
    for (; axis <= last; axis++) {
        offset = UTET_PRODUCT(offset, axis->priv.extent) + axis->priv.first +
                 UTET_PRODUCT(axis->priv.place, axis->priv.step);
        run->first = UTET_PRODUCT(run->first, axis->count) + axis->priv.base + axis->priv.place;
    }
    offset = UTET_PRODUCT(offset, size);
    ahead = UTET_PRODUCT(UTET_PRODUCT(last->priv.inside - last->priv.place - 1, last->priv.step) + 1, size);
    row->span = to_size(ahead);
    if (last != slab->axis) {
        pitch = UTET_PRODUCT(UTET_PRODUCT(last->priv.extent, size), last[-1].priv.step);
        rest = UTET_PRODUCT(last[-1].priv.inside - last[-1].priv.place - 1, pitch);
    }
    row->pitch = to_size(pitch);
    row->rest = to_size(rest);
    row->there.at = NULL;
    wanted = row->span;
    if (!UTET_IS_RAW(stream))
        return stream->priv.codec->driver->fetch(stream, offset, size, row->span, &row->there);
    if (file->priv.io->map == NULL) {
        if (UTET_PRODUCT(last->priv.step, size) > GAP) {
            wanted = size;
        } else {
            /* bytes of this row that are past */
            uint64_t past = UTET_PRODUCT(UTET_PRODUCT(last->priv.place, last->priv.step), size);

            if (pitch - ahead - past < GAP)
                wanted = to_size(ahead + rest);
        }
        if (into != NULL && last->priv.step == 1 &&
            (wanted == row->span || row->span > (file->priv.window - UTET_HEADROOM) / 2)) {
            row->there.have = row->span;
            return utet_copy_bytes(file, into + (size_t)run->first * size, stream->priv.offset + offset, row->span);
        }
    }
    file->priv.have = wanted < SIZE_MAX / 2 ? wanted : SIZE_MAX / 2;
    status = utet_fetch_ahead(file, size, stream->priv.offset + offset);
    row->there.at = file->priv.at;
    row->there.have = file->priv.have;
    return status;
}

/* Advances by `count` elements of the row: to the next row, tile, or the end. */
static void slab_advance(utet_slab *slab, uint64_t count)
{
    unsigned d = slab->priv.dataset->ndim;

    while (d-- != 0) {
        utet_axis *axis = &slab->axis[d];

        axis->priv.place += count;
        if (axis->priv.place < axis->priv.inside)
            return;
        axis->priv.place = 0;
        count = 1;
    }
    slab->priv.state = next_tile(slab) ? SLAB_TILE : SLAB_DONE;
}

/* A run of the tile that is open, to which the slab does not advance. It is apart, because its many numbers would be on
 * the stack below the lookup of a row. */
static UTET_APART utet_status tile_run(utet_slab *slab, utet_run *run, struct row_bytes *row, uint8_t *into)
{
    const utet_axis *last = &slab->axis[slab->priv.dataset->ndim - 1u];
    size_t size = slab->priv.dataset->elem_size;
    utet_status status;

    status = fetch_run(slab, run, row, into);
    if (status != UTET_OK)
        return status;
    run->data = row->there.at;
    run->stride = (size_t)(last->priv.step * size);
    run->count = 1; /* the stride does not matter with one element */
    if (row->there.have >= row->span)
        run->count = (size_t)(last->priv.inside - last->priv.place);
    else if (row->there.have > size)
        run->count += (size_t)utet_div(row->there.have - size, UTET_PRODUCT(last->priv.step, size));
    return UTET_OK;
}

static utet_status slab_next_run(utet_slab *slab, utet_run *run, struct row_bytes *row, uint8_t *into)
{
    utet_stream *stream = &slab->priv.stream;
    utet_status status = UTET_END;

    if (slab->priv.state == SLAB_TILE) {
        status = slab->priv.spread < SPREAD_OTHER ? UTET_OK : find_tile(slab, stream->priv.file);
        if (status == UTET_OK)
            slab->priv.state = SLAB_START;
    }
    if (slab->priv.state == SLAB_START) {
        status = UTET_IS_RAW(stream) ? UTET_OK : stream->priv.codec->driver->start_lent(stream);
        if (status == UTET_OK)
            slab->priv.state = SLAB_DATA;
    }
    if (slab->priv.state == SLAB_DATA)
        return tile_run(slab, run, row, into);
    /* The row has changed since the slab was opened. */
    if (status == UTET_E_CODEC || status == UTET_E_BUDGET)
        status = utet_row_fail(stream->priv.file, UTET_ROW_CODEC, slab->priv.chunk.row);
    return status;
}

int utet_slab_between(const utet_slab *slab)
{
    return slab->priv.state == SLAB_TILE;
}

void utet_slab_pass(utet_slab *slab)
{
    slab->priv.state = next_tile(slab) ? SLAB_TILE : SLAB_DONE;
}

static utet_status slab_enter(const utet_slab *slab, uint8_t call)
{
    utet_file *file = slab->priv.stream.priv.file;

    if (file == NULL || file->priv.owner != slab)
        return UTET_E_STATE;
    if (slab->priv.status != UTET_OK)
        return slab->priv.status;
    return utet_enter(file, call);
}

/* Ends a call unless `status` suspends it; an error sticks. Returns `status`. */
static utet_status slab_leave(utet_slab *slab, utet_status status)
{
    if (UTET_IS_ERROR(status))
        slab->priv.status = status;
    return utet_leave(slab->priv.stream.priv.file, status);
}

utet_status utet_slab_next(utet_slab *slab, utet_run *run)
{
    utet_status status = slab_enter(slab, UTET_CALL_SLAB_RUN);
    struct row_bytes row;

    if (status != UTET_OK)
        return status;
    status = slab_next_run(slab, run, &row, NULL);
    if (status == UTET_OK)
        slab_advance(slab, run->count);
    return slab_leave(slab, status);
}

/* Copies the run, and the next rows of the tile that are addressable, to the dense result. The slab advances. */
UTET_APART static void slab_place_run(utet_slab *slab, const utet_run *run, const struct row_bytes *row, uint8_t *into)
{
    utet_axis *last = &slab->axis[slab->priv.dataset->ndim - 1u];
    const size_t size = slab->priv.dataset->elem_size;
    const size_t pitch = row->pitch;
    struct slab_plane plane;
    size_t rows = 1;

    plane.count = run->count;
    plane.stride = run->stride;
    plane.put = size;
    plane.pitch = pitch;
    plane.width = (size_t)last->count * size;
    if (pitch != 0 && run->count == last->priv.inside) {
        size_t have = row->there.have - row->span;

        if (have >= row->rest)
            rows = (size_t)(last[-1].priv.inside - last[-1].priv.place);
        else
            for (; have >= pitch; have -= pitch)
                rows++;
        last[-1].priv.place += rows - 1;
        if (run->count == 1) { /* the rows are a column */
            plane.count = rows;
            plane.stride = pitch;
            plane.put = plane.width;
            rows = 1;
        }
    }
    if (plane.count == 1)
        plane.stride = 0; /* the step of one element may lead out of all memory */
    into += (size_t)run->first * size;
    if (plane.stride == size && plane.put == size)
        slab_copy_dense(&plane, into, run->data, rows, plane.count * size);
    else
        slab_copy_elements(&plane, into, run->data, rows, size);
    slab_advance(slab, run->count);
}

utet_status utet_slab_read_all(utet_slab *slab, void *buffer, size_t size)
{
    utet_status status = slab_enter(slab, UTET_CALL_SLAB_INTO);
    struct row_bytes row;
    utet_run run;

    if (status != UTET_OK)
        return status;
    if (slab->priv.during.into != NULL && slab->priv.during.into != buffer)
        return UTET_E_STATE; /* repeated with other memory: it stays suspended */
    if (utet_mul(slab->count, slab->priv.dataset->elem_size) > size)
        return slab->priv.during.into != NULL ? UTET_E_STATE : utet_leave(slab->priv.stream.priv.file, UTET_E_SPACE);
    slab->priv.during.into = buffer;
    while ((status = slab_next_run(slab, &run, &row, (uint8_t *)buffer)) == UTET_OK) {
        if (run.data != NULL)
            slab_place_run(slab, &run, &row, (uint8_t *)buffer);
        else
            slab_advance(slab, run.count);
    }
    if (status == UTET_END) {
        slab->priv.during.into = NULL;
        status = UTET_OK;
    }
    return slab_leave(slab, status);
}
