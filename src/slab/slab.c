/*
 * Slabs: a strided selection, tile after tile, row after row within each.
 *
 * Along each axis the selected places are counted 0, 1, … (< shape); place k lies at
 * start + k * step of the dataset. priv_base is the first place in the current tile,
 * priv_inside how many of them lie there, priv_place the next one to be delivered, counted
 * from priv_base. So only tiles that hold selected places are ever visited.
 */
#include "../stream/stream.h"

#include <string.h>

/* priv_state. Opening walks the tiles for their needs, then the runs walk them again. */
enum { FIND, BOUND, EXACT, /* opening */ TILE, BEGIN, DATA, DONE /* running */ };

/* Reading on across a gap of up to so many bytes is cheaper than another request. */
#define GAP 64

/* The tile that holds place priv_base of an axis, and how many places lie in it. */
static void enter_tile(utet_slab *slab, unsigned d)
{
    const utet_dataset *dataset = slab->priv_dataset;
    uint64_t extent = dataset->chunk_shape[d];
    uint64_t from = slab->priv_start[d] + slab->priv_base[d] * slab->priv_step[d];
    uint64_t tile = utet_div(from, extent);
    uint64_t end = utet_add(tile * extent, extent);
    uint64_t inside;

    if (end > dataset->shape[d])
        end = dataset->shape[d];
    inside = utet_div_up(end - from, slab->priv_step[d]);
    if (inside > slab->shape[d] - slab->priv_base[d])
        inside = slab->shape[d] - slab->priv_base[d];
    slab->priv_inside[d] = inside;
    slab->priv_chunk.coords[d] = tile;
}

/* On to the next tile, last axis fastest; 0 and back at the first after the last one. */
static int next_tile(utet_slab *slab)
{
    unsigned d = slab->priv_dataset->ndim;

    while (d-- != 0) {
        int more;

        slab->priv_base[d] += slab->priv_inside[d];
        more = slab->priv_base[d] < slab->shape[d];
        if (!more)
            slab->priv_base[d] = 0;
        enter_tile(slab, d);
        if (more)
            return 1;
    }
    return 0;
}

/* On to the next row of places in the tile (the last axis is a run); 0 after the last. */
static int next_row(utet_slab *slab)
{
    unsigned d = slab->priv_dataset->ndim - 1u;

    while (d-- != 0) {
        if (++slab->priv_place[d] < slab->priv_inside[d])
            return 1;
        slab->priv_place[d] = 0;
    }
    return 0;
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
    for (d = 0; d < dataset->ndim; d++) {
        uint64_t places = 0;

        if (ranges[d].step == 0 || ranges[d].stop > dataset->shape[d])
            return UTET_E_RANGE;
        if (ranges[d].start < ranges[d].stop)
            places = utet_div_up(ranges[d].stop - ranges[d].start, ranges[d].step);
        else if (ranges[d].start != 0 || dataset->shape[d] != 0)
            return UTET_E_RANGE;
        slab->shape[d] = places;
        slab->priv_start[d] = ranges[d].start;
        slab->priv_step[d] = ranges[d].step;
        slab->count = utet_mul(slab->count, places);
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

/* The need over all tiles. Where `exact` is not asked for, the bound known from the row is
 * enough unless the budget would refuse it. */
static utet_status walk(utet_slab *slab, utet_file *file, int exact)
{
    utet_stream *stream = &slab->priv_stream;
    utet_status status = UTET_OK;
    utet_need need;

    do {
        if (slab->priv_state == FIND) {
            status = find_tile(slab, file);
            if (status != UTET_OK)
                return status;
            slab->priv_state = exact ? EXACT : BOUND;
        }
        for (;;) {
            need.least = 0;
            need.best = 0;
            if (!UTET_IS_RAW(stream))
                status = stream->priv_codec->need(stream, slab->priv_state == EXACT, &need);
            if (status != UTET_OK)
                return status;
            if (slab->priv_state == EXACT ||
                utet_add(need.least, utet_window_fit(file, 0)) <= file->budget)
                break;
            slab->priv_state = EXACT;
        }
        if (slab->need.least < need.least)
            slab->need.least = need.least;
        if (slab->need.best < need.best)
            slab->need.best = need.best;
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
    if (!resumed)
        status = set_ranges(slab, file, dataset, ranges);
    if (status == UTET_OK && slab->count != 0)
        status = walk(slab, file, call == UTET_CALL_SLAB_NEED);
    if (status == UTET_OK) {
        slab->priv_state = slab->count != 0 ? TILE : DONE;
        if (call == UTET_CALL_SLAB_OPEN)
            status = utet_lend(file, slab, &slab->need);
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

/* Where the next run begins, and how far bytes from there on are wanted. */
typedef struct run_place {
    uint64_t offset; /* in the tile, bytes */
    uint64_t span;   /* to the end of the run, bytes */
    uint64_t ahead;  /* to the last byte worth reading now */
} run_place;

static void locate(const utet_slab *slab, run_place *place, utet_run *run)
{
    const utet_dataset *dataset = slab->priv_dataset;
    unsigned last = dataset->ndim - 1u;
    uint64_t offset = 0;
    uint64_t at = 0;
    uint64_t row = 0; /* elements of a row of the tile */
    uint64_t stride;
    unsigned d;

    for (d = 0; d <= last; d++) {
        uint64_t k = slab->priv_base[d] + slab->priv_place[d];
        uint64_t corner = slab->priv_chunk.coords[d] * dataset->chunk_shape[d];

        row = dataset->shape[d] - corner;
        if (row > dataset->chunk_shape[d])
            row = dataset->chunk_shape[d];
        offset = offset * row + slab->priv_start[d] + k * slab->priv_step[d] - corner;
        at = at * slab->shape[d] + k;
    }
    run->at = at;
    stride = slab->priv_step[last] * dataset->elem_size;
    place->offset = offset * dataset->elem_size;
    place->span = (slab->priv_inside[last] - slab->priv_place[last] - 1) * stride +
                  dataset->elem_size;
    place->ahead = stride <= GAP ? place->span : dataset->elem_size;
    if (last != 0 && place->ahead == place->span) {
        uint64_t step = slab->priv_step[last - 1] * row * dataset->elem_size;

        if (step - place->span < GAP)
            place->ahead += (slab->priv_inside[last - 1] - slab->priv_place[last - 1] - 1) * step;
    }
}

/* Elements of a codec's output may come in two pieces (slice or ring ends within one): such
 * a one is put together in priv_carry. */
static utet_status view_decoded(utet_slab *slab, const run_place *place, size_t *have,
                                const uint8_t **data)
{
    utet_stream *stream = &slab->priv_stream;
    size_t size = slab->priv_dataset->elem_size;
    size_t want = place->span < SIZE_MAX ? (size_t)place->span : SIZE_MAX;
    utet_status status;

    if (slab->priv_carried == 0) {
        status = utet_stream_seek(stream, place->offset);
        if (status != UTET_OK)
            return status;
    }
    while (slab->priv_carried < size) {
        size_t piece = size - slab->priv_carried;

        if (stream->priv_avail == 0) {
            status = stream->priv_codec->step(stream, slab->priv_carried == 0 ? want : piece);
            if (status != UTET_OK)
                return status;
        }
        if (slab->priv_carried == 0 && stream->priv_avail >= size) {
            *data = stream->priv_out;
            *have = stream->priv_avail;
            return UTET_OK;
        }
        if (piece > stream->priv_avail)
            piece = stream->priv_avail;
        memcpy(slab->priv_carry + slab->priv_carried, stream->priv_out, piece);
        slab->priv_carried = (uint8_t)(slab->priv_carried + piece);
        stream->priv_out += piece;
        stream->priv_avail -= piece;
        stream->position += piece;
    }
    slab->priv_carried = 0;
    *data = slab->priv_carry;
    *have = size;
    return UTET_OK;
}

static utet_status view(utet_slab *slab, const run_place *place, size_t *have,
                        const uint8_t **data)
{
    utet_stream *stream = &slab->priv_stream;
    utet_file *file = stream->priv_file;
    utet_status status;

    if (!UTET_IS_RAW(stream))
        return view_decoded(slab, place, have, data);
    status = utet_need_ahead(file, slab->priv_dataset->elem_size,
                             stream->priv_offset + place->offset,
                             place->ahead < SIZE_MAX / 2 ? (size_t)place->ahead : SIZE_MAX / 2);
    *data = file->priv_at;
    *have = file->priv_have;
    return status;
}

static utet_status next_run(utet_slab *slab, utet_run *run)
{
    utet_file *file = slab->priv_stream.priv_file;
    unsigned last = slab->priv_dataset->ndim - 1u;
    run_place place;
    utet_status status = UTET_OK;
    uint64_t count;
    uint64_t stride;
    size_t have;

    if (slab->priv_state == DONE)
        return UTET_END;
    if (slab->priv_state == TILE) {
        status = find_tile(slab, file);
        if (status != UTET_OK)
            return status;
        slab->priv_state = BEGIN;
    }
    if (slab->priv_state == BEGIN) {
        if (!UTET_IS_RAW(&slab->priv_stream))
            status = slab->priv_stream.priv_codec->driver->begin(&slab->priv_stream);
        if (status != UTET_OK)
            return status;
        slab->priv_state = DATA;
    }
    locate(slab, &place, run);
    status = view(slab, &place, &have, &run->data);
    if (status != UTET_OK)
        return status;
    if (have > place.span)
        have = (size_t)place.span;
    stride = slab->priv_step[last] * slab->priv_dataset->elem_size;
    count = utet_div(have - slab->priv_dataset->elem_size, stride) + 1;
    run->count = (size_t)count;
    run->stride = (size_t)stride;
    slab->priv_place[last] += count;
    if (slab->priv_place[last] == slab->priv_inside[last]) {
        slab->priv_place[last] = 0;
        if (!next_row(slab))
            slab->priv_state = next_tile(slab) ? TILE : DONE;
    }
    return UTET_OK;
}

static utet_status enter(const utet_slab *slab, uint8_t call)
{
    utet_file *file = slab->priv_stream.priv_file;

    if (file->priv_owner != slab)
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
        status = settle(slab, next_run(slab, run));
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
    for (; count != 0; count--, from += run->stride)
        for (i = 0; i < size; i++)
            *to++ = from[i];
}

utet_status utet_slab_into(utet_slab *slab, void *buffer, size_t size)
{
    utet_status status = enter(slab, UTET_CALL_SLAB_INTO);
    size_t each = slab->priv_dataset->elem_size;
    utet_run run;

    if (status != UTET_OK)
        return status;
    if (utet_mul(slab->count, each) > size)
        return utet_leave(slab->priv_stream.priv_file, UTET_E_SPACE);
    while ((status = next_run(slab, &run)) == UTET_OK)
        scatter((uint8_t *)buffer + (size_t)run.at * each, &run, each);
    return settle(slab, status == UTET_END ? UTET_OK : status);
}
