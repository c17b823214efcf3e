/*
 * Slabs: a strided selection, tile after tile, row after row within each.
 *
 * Along each axis the selected places are counted 0, 1, … (< count); place k lies at
 * start + k * step of the dataset. Moving on goes from selected place to selected place, so
 * only tiles that hold some are ever visited.
 */
#include "../stream/stream.h"

#include <string.h>

/* priv_state. Opening walks the tiles for their needs, then the runs walk them again. */
enum { FIND, MEASURE, /* opening */ TILE, BEGIN, DATA, DONE /* running */ };

/* Reading on across a gap of up to so many bytes is cheaper than another request. */
#define GAP 64

/* The tile that holds place priv_base of an axis, and the selected places in it. */
static void enter_tile(utet_slab *slab, unsigned d)
{
    const utet_dataset *dataset = slab->priv_dataset;
    utet_axis *axis = &slab->axis[d];
    uint64_t extent = dataset->chunk_shape[d];
    uint64_t from = axis->priv_start + axis->priv_base * axis->priv_step;
    uint64_t tile = utet_div(from, extent);
    uint64_t left = dataset->shape[d] - tile * extent;

    if (extent > left)
        extent = left;
    slab->priv_chunk.coords[d] = tile;
    axis->priv_extent = extent;
    axis->priv_first = from - tile * dataset->chunk_shape[d];
    axis->priv_inside = utet_div_up(extent - axis->priv_first, axis->priv_step);
    if (axis->priv_inside > axis->count - axis->priv_base)
        axis->priv_inside = axis->count - axis->priv_base;
}

/* On to the next tile, last axis fastest; 0 and back at the first after the last one. */
static int next_tile(utet_slab *slab)
{
    unsigned d = slab->priv_dataset->ndim;
    int more = 0;

    while (!more && d-- != 0) {
        utet_axis *axis = &slab->axis[d];

        axis->priv_base += axis->priv_inside;
        more = axis->priv_base < axis->count;
        if (!more)
            axis->priv_base = 0;
        enter_tile(slab, d);
    }
    return more;
}

/* ---- opening ---- */

static utet_status set_ranges(utet_slab *slab, utet_file *file, const utet_dataset *dataset,
                              const utet_range *ranges)
{
    unsigned d;

    memset(slab, 0, sizeof *slab);
    slab->priv_dataset = dataset;
    slab->priv_stream.priv_file = file;
    slab->count = 1;
    for (d = 0; d < dataset->ndim; d++, ranges++) {
        uint64_t length = ranges->stop - ranges->start;

        if (ranges->step == 0 || ranges->stop > dataset->shape[d] || ranges->start > ranges->stop ||
            (length == 0 && dataset->shape[d] != 0))
            return UTET_E_RANGE;
        slab->axis[d].count = utet_div_up(length, ranges->step);
        slab->axis[d].priv_start = ranges->start;
        slab->axis[d].priv_step = ranges->step;
        slab->count = utet_mul(slab->count, slab->axis[d].count);
    }
    if (slab->count == UINT64_MAX)
        return UTET_E_RANGE;
    if (dataset->elem_size == 0)
        return utet_record_fail(file, dataset, UTET_E_DTYPE);
    for (d = 0; d < dataset->ndim && slab->count != 0; d++) {
        if (dataset->chunk_shape[d] == 0)
            return utet_record_fail(file, dataset, UTET_E_DATASET);
        enter_tile(slab, d);
    }
    return UTET_OK;
}

static utet_status find_tile(utet_slab *slab, utet_file *file)
{
    utet_status status =
        utet_row_find(file, slab->priv_dataset, slab->priv_chunk.coords, &slab->priv_chunk);

    if (status == UTET_OK)
        status = utet_stream_prepare(&slab->priv_stream, file, &slab->priv_chunk, NULL);
    return status;
}

/* The need over all tiles. */
static utet_status walk(utet_slab *slab, utet_file *file, int exact)
{
    utet_stream *stream = &slab->priv_stream;
    utet_status status;

    do {
        if (slab->priv_state == FIND) {
            status = find_tile(slab, file);
            if (status != UTET_OK)
                return status;
            slab->priv_state = MEASURE;
        }
        if (slab->priv_driver == NULL || !UTET_IS_RAW(stream))
            slab->priv_driver = stream->priv_codec->driver;
        if (!UTET_IS_RAW(stream)) {
            status = slab->priv_driver->measure(stream, exact, &slab->need);
            if (status != UTET_OK)
                return status;
        }
        slab->priv_state = FIND;
    } while (next_tile(slab));
    return UTET_OK;
}

static utet_status prepare(utet_slab *slab, utet_file *file, const utet_dataset *dataset,
                           const utet_range *ranges, uint8_t call)
{
    int resumed = file->priv_busy == call;
    utet_status status = utet_enter(file, call);

    if (status != UTET_OK)
        return status;
    if (file->priv_owner == slab)
        file->priv_owner = NULL; /* what it was before is over, whatever comes of this */
    if (!resumed)
        status = set_ranges(slab, file, dataset, ranges);
    if (status == UTET_OK && slab->count != 0)
        status = walk(slab, file, call == UTET_CALL_SLAB_NEED);
    if (status == UTET_OK) {
        if (call == UTET_CALL_SLAB_OPEN) {
            slab->priv_state = DONE;
            if (slab->count == 0) {
                file->priv_owner = slab;
            } else {
                status = slab->priv_driver->lend(file, slab, &slab->need);
                slab->priv_state = TILE;
            }
        }
        utet_need_with_window(file, &slab->need);
    }
    return utet_leave(file, status);
}

utet_status utet_slab_need(utet_slab *slab, utet_file *file, const utet_dataset *dataset,
                           const utet_range *ranges)
{
    return prepare(slab, file, dataset, ranges, UTET_CALL_SLAB_NEED);
}

utet_status utet_slab_open(utet_slab *slab, utet_file *file, const utet_dataset *dataset,
                           const utet_range *ranges)
{
    return prepare(slab, file, dataset, ranges, UTET_CALL_SLAB_OPEN);
}

/* ---- running ---- */

/* Makes the next run addressable, at least its first element, and says how many bytes it
 * could go on for. Of a raw chunk nothing is asked for that is not wanted, unless it lies in
 * a small gap; a long run without gaps goes straight `into` the dense result, if there is one,
 * and priv_at is null. */
static utet_status view(utet_slab *slab, utet_run *run, uint64_t *span, uint8_t *into)
{
    utet_stream *stream = &slab->priv_stream;
    utet_file *file = stream->priv_file;
    const utet_axis *axis = slab->axis;
    const utet_axis *last = axis + slab->priv_dataset->ndim - 1;
    size_t size = slab->priv_dataset->elem_size;
    uint64_t offset = 0;
    uint64_t ahead;
    uint64_t row;

    run->at = 0;
    for (;; axis++) {
        offset = offset * axis->priv_extent + axis->priv_first + axis->priv_place * axis->priv_step;
        run->at = run->at * axis->count + axis->priv_base + axis->priv_place;
        if (axis == last)
            break;
    }
    offset *= size;
    ahead = ((axis->priv_inside - axis->priv_place - 1) * axis->priv_step + 1) * size;
    *span = ahead;
    if (!UTET_IS_RAW(stream))
        return stream->priv_codec->driver->view(stream, offset, size,
                                                ahead < SIZE_MAX ? (size_t)ahead : SIZE_MAX);
    if (into != NULL && axis->priv_step == 1 && ahead >= file->priv_window) {
        utet_status status =
            utet_copy_bytes(file, into + (size_t)run->at * size, stream->priv_offset + offset,
                            (size_t)ahead);

        file->priv_have = (size_t)ahead;
        file->priv_at = NULL;
        return status;
    }
    if (axis->priv_step * size > GAP) {
        ahead = size;
    } else if (axis != slab->axis) {
        uint64_t past = axis->priv_place * axis->priv_step * size; /* of this row */

        row = axis->priv_extent * size;
        axis--;
        row *= axis->priv_step;
        if (row - ahead - past < GAP)
            ahead += (axis->priv_inside - axis->priv_place - 1) * row;
    }
    return utet_need_ahead(file, size, stream->priv_offset + offset,
                           ahead < SIZE_MAX / 2 ? (size_t)ahead : SIZE_MAX / 2);
}

/* Past `count` places of the row: to the next row, tile, or the end. */
static void advance(utet_slab *slab, uint64_t count)
{
    unsigned d = slab->priv_dataset->ndim;

    while (d-- != 0) {
        utet_axis *axis = &slab->axis[d];

        axis->priv_place += count;
        if (axis->priv_place < axis->priv_inside)
            return;
        axis->priv_place = 0;
        count = 1;
    }
    slab->priv_state = next_tile(slab) ? TILE : DONE;
}

static utet_status next_run(utet_slab *slab, utet_run *run, uint8_t *into)
{
    utet_stream *stream = &slab->priv_stream;
    utet_file *file = stream->priv_file;
    size_t size = slab->priv_dataset->elem_size;
    utet_status status = UTET_OK;
    uint64_t stride;
    uint64_t span;
    size_t have;

    if (slab->priv_state == DONE)
        return UTET_END;
    if (slab->priv_state == TILE) {
        status = find_tile(slab, file);
        if (status != UTET_OK)
            return status;
        slab->priv_state = BEGIN;
    }
    if (slab->priv_state == BEGIN && !UTET_IS_RAW(stream)) {
        status = stream->priv_codec->driver->begin(stream);
        if (status != UTET_OK)
            return status;
    }
    slab->priv_state = DATA;
    status = view(slab, run, &span, into);
    if (status != UTET_OK)
        return status;
    have = file->priv_have < span ? file->priv_have : (size_t)span;
    run->data = file->priv_at;
    stride = slab->axis[slab->priv_dataset->ndim - 1u].priv_step * size;
    run->stride = (size_t)stride;
    run->count = 1;
    if (have > size) /* else the stride may be anything */
        run->count += (size_t)utet_div(have - size, stride);
    advance(slab, run->count);
    return UTET_OK;
}

static utet_status enter(const utet_slab *slab, uint8_t call)
{
    utet_file *file = slab->priv_stream.priv_file;

    if (file == NULL || file->priv_owner != slab)
        return UTET_E_STATE;
    if (slab->priv_status != UTET_OK)
        return slab->priv_status;
    return utet_enter(file, call);
}

static utet_status settle(utet_slab *slab, utet_status status)
{
    if (UTET_IS_ERROR(status))
        slab->priv_status = status;
    return utet_leave(slab->priv_stream.priv_file, status);
}

utet_status utet_slab_run(utet_slab *slab, utet_run *run)
{
    utet_status status = enter(slab, UTET_CALL_SLAB_RUN);

    if (status == UTET_OK)
        status = settle(slab, next_run(slab, run, NULL));
    return status;
}

static void scatter(uint8_t *to, const utet_run *run, size_t size)
{
    const uint8_t *from = run->data;
    size_t count = run->count;
    size_t i;

    if (run->stride == size) {
        memcpy(to, from, count * size);
        return;
    }
    for (;; from += run->stride) {
        for (i = 0; i < size; i++)
            *to++ = from[i];
        if (--count == 0)
            return; /* before a step over the end, however large */
    }
}

utet_status utet_slab_into(utet_slab *slab, void *buffer, size_t size)
{
    utet_status status = enter(slab, UTET_CALL_SLAB_INTO);
    size_t each;
    utet_run run;

    if (status != UTET_OK)
        return status;
    each = slab->priv_dataset->elem_size;
    if (utet_mul(slab->count, each) > size)
        return utet_leave(slab->priv_stream.priv_file, UTET_E_SPACE);
    while ((status = next_run(slab, &run, (uint8_t *)buffer)) == UTET_OK)
        if (run.data != NULL)
            scatter((uint8_t *)buffer + (size_t)run.at * each, &run, each);
    return settle(slab, status == UTET_END ? UTET_OK : status);
}
