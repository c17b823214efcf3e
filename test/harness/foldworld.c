/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
#include "foldworld.h"

#include <string.h>

const uint64_t foldworld_whole[3] = {5, 7, 9};
const uint64_t foldworld_tiles[3] = {3, 4, 5};

static double results[FOLDWORLD_MOST];

void foldworld_build(foldworld *w, uint32_t dtype, int codec, int shuffle, const uint64_t chunk[3])
{
    memset(w, 0, sizeof *w);
    w->data =
        (tetgen_dataset){.name = "a", .name_length = 1, .dtype = dtype, .ndim = 3, .shape = {5, 7, 9}, .codec = codec};
    memcpy(w->data.chunk, chunk, 3 * sizeof *chunk);
    w->g = (tetgen){.datasets = &w->data, .count = 1, .seed = 99, .shuffle = shuffle, .gaps = shuffle};
    tetgen_build(&w->g);
}

/* The bits of an element in this machine's byte order. */
static uint64_t native(const uint8_t *at, unsigned size)
{
    uint64_t eight;
    uint32_t four;
    uint16_t two;

    switch (size) {
    case 8: memcpy(&eight, at, 8); return eight;
    case 4: memcpy(&four, at, 4); return four;
    case 2: memcpy(&two, at, 2); return two;
    default: return *at;
    }
}

void foldworld_elements(foldworld *w, uint32_t dtype, unsigned ndim, const uint64_t *shape, const uint64_t *chunk,
                        const void *elements)
{
    const unsigned size = tetgen_elem_size(dtype);
    size_t count = 1;

    memset(w, 0, sizeof *w);
    w->data = (tetgen_dataset){.name = "a", .name_length = 1, .dtype = dtype, .ndim = ndim};
    memcpy(w->data.shape, shape, ndim * sizeof *shape);
    memcpy(w->data.chunk, chunk, ndim * sizeof *chunk);
    w->g = (tetgen){.datasets = &w->data, .count = 1, .seed = 1};
    tetgen_build(&w->g);
    for (unsigned d = 0; d < ndim; d++)
        count *= (size_t)shape[d];
    for (size_t i = 0; i < count; i++) { /* each to its place in its tile */
        size_t rest = i, row = 0, at = 0, rows = 1, places = 1;
        const uint64_t value = native((const uint8_t *)elements + i * size, size);

        for (unsigned d = ndim; d-- != 0; rest /= (size_t)shape[d]) {
            size_t place = rest % (size_t)shape[d], tile = place / (size_t)chunk[d];
            size_t left = (size_t)(shape[d] - tile * chunk[d]);

            row += tile * rows;
            rows *= (size_t)((shape[d] + chunk[d] - 1) / chunk[d]);
            at += place % (size_t)chunk[d] * places;
            places *= left < chunk[d] ? left : (size_t)chunk[d];
        }
        tetgen_put(w->g.bytes + tetgen_get(w->g.bytes + w->g.index_offset + 32 + 104 * row + 72, 8) + size * at, value,
                   size);
    }
}

void foldworld_axis(foldworld *w, size_t count, size_t chunk, const double *values)
{
    foldworld_elements(w, UTET_F64, 1, &(uint64_t){count}, &(uint64_t){chunk}, values);
}

void foldworld_put(tetgen *g, unsigned chunk, size_t i, double value)
{
    uint8_t *row = g->bytes + g->index_offset + 32 + 104 * chunk;
    uint64_t bits;

    memcpy(&bits, &value, 8);
    tetgen_put(g->bytes + tetgen_get(row + 72, 8) + 8 * i, bits, 8);
}

void foldworld_start(foldworld *w, size_t work)
{
    static const utet_range some[3] = {{0, 5, 2}, {1, 7, 1}, {0, 9, 3}};

    rig_make(&w->r, w->g.bytes, w->g.size, rig_codecs() > 1 ? 1 : 0);
    rig_start(&w->r, work, GUARD_AFTER);
    DRIVE_OK(utet_open(&w->r.file, NULL));
    DRIVE_OK(utet_dataset_first(&w->r.file, &w->d));
    memcpy(w->ranges, some, sizeof some);
    w->request.dataset = &w->d;
    w->request.ranges = w->ranges;
    w->request.q = 0.3;
    w->request.bins = 40;
}

void foldworld_start_as(foldworld *w, const foldworld *as, size_t work)
{
    foldworld_start(w, work);
    memcpy(w->ranges, as->ranges, sizeof w->ranges);
    w->request = as->request;
    w->request.dataset = &w->d;
    w->request.ranges = w->ranges;
    w->grouped = as->grouped;
    w->by = as->by;
    if (as->by.counts != NULL)
        w->by.counts = w->counts;
    memset(w->counts, 0, sizeof w->counts);
}

utet_status foldworld_ready(foldworld *w, const utet_fold_filter *filter)
{
    utet_status status;

    DRIVE(status, utet_fold_open(&w->fold, &w->r.file, &w->request));
    if (status == UTET_OK && w->grouped)
        status = utet_fold_group(&w->fold, &w->by);
    if (status == UTET_OK && filter != NULL)
        assert_int_equal(utet_fold_where(&w->fold, filter), UTET_OK);
    return status;
}

/* Between two pieces the workspace is used otherwise. */
static utet_status run_pieces(foldworld *w)
{
    utet_status status = utet_fold_pieces(&w->fold, w->piece);

    w->count = 0;
    while (status == UTET_OK) {
        utet_dataset d;

        if (w->by.counts != NULL) /* those of a piece begin anew */
            w->by.counts = w->counts + w->count / w->fold.priv.values;
        DRIVE(status, utet_fold_run(&w->fold, results, w->piece));
        if (status != UTET_OK)
            break;
        assert_true(w->fold.given <= w->piece);
        memcpy(w->bits + w->count, results, (size_t)w->fold.given * 8);
        w->count += (size_t)w->fold.given;
        DRIVE_OK(utet_dataset_first(&w->r.file, &d));
    }
    assert_int_equal(w->count, status == UTET_END ? w->fold.results : w->count);
    return status == UTET_END ? UTET_OK : status;
}

utet_status foldworld_fold(foldworld *w, const utet_fold_filter *filter)
{
    utet_status status = foldworld_ready(w, filter);

    if (status != UTET_OK)
        return status;
    if (w->piece != 0)
        return run_pieces(w);
    DRIVE(status, utet_fold_run(&w->fold, results, FOLDWORLD_MOST));
    if (status == UTET_OK) {
        w->count = (size_t)w->fold.results;
        memcpy(w->bits, results, w->count * 8);
    }
    return status;
}

void foldworld_compare(const foldworld *a, const foldworld *b, const char *what)
{
    suite_check(a->count == b->count && memcmp(a->bits, b->bits, a->count * 8) == 0 &&
                    memcmp(a->counts, b->counts, sizeof a->counts) == 0 && a->fold.folded == b->fold.folded,
                "%s changes the answer", what);
}

void foldworld_other_ways(const foldworld *a, const utet_fold_filter *filter)
{
    static const uint64_t chunks[][3] = {{1, 1, 1}, {2, 7, 4}, {5, 2, 9}, {3, 4, 5}};
    static foldworld b;

    for (int i = 1; i < 5; i++) {
        size_t work;

        foldworld_build(&b, a->data.dtype, i % 3, i & 1, chunks[i - 1]);
        assert_memory_equal(a->g.dense[0], b.g.dense[0], a->g.dense_size[0]);
        foldworld_start_as(&b, a, 500000);
        DRIVE_OK(utet_fold_need(&b.fold, &b.r.file, &b.request));
        if (b.grouped)
            assert_int_equal(utet_fold_group(&b.fold, &b.by), UTET_OK);
        work = (size_t)(i == 2 ? b.fold.need.best : b.fold.need.least);
        rig_end(&b.r, "need");
        foldworld_start_as(&b, a, work);
        b.r.port.slice = SLICE_RANDOM;
        b.r.port.blocks = i & 1;
        b.piece = i > 2 ? (size_t)b.request.bins + 2 + (size_t)i : 0;
        assert_int_equal(foldworld_fold(&b, filter), UTET_OK);
        suite_check(i != 2 || b.fold.boxes == 1 || b.request.operation == &utet_fold_product, "%u boxes",
                    (unsigned)b.fold.boxes);
        foldworld_compare(a, &b, "the way");
        rig_end(&b.r, "way");
        tetgen_free(&b.g);
    }
}

void foldworld_faults(const foldworld *a)
{
    static foldworld b;
    uint64_t faults = 0;

    for (uint64_t at = 0;; at++) {
        utet_status status;

        b.g = a->g;
        foldworld_start_as(&b, a, 9000);
        b.r.port.slice = 64;
        b.r.port.fault = FAULT_ERROR;
        b.r.port.fault_at = b.r.port.reads + at;
        status = foldworld_fold(&b, NULL);
        if (status == UTET_OK) {
            rig_end(&b.r, "fault");
            break;
        }
        faults++;
        assert_int_equal(status, FAULTPORT_ERROR);
        if (b.fold.priv.status != UTET_OK) /* it was running: the error stays */
            assert_int_equal(utet_fold_run(&b.fold, results, 1), FAULTPORT_ERROR);
        b.r.port.fault = FAULT_NONE;
        assert_int_equal(foldworld_fold(&b, NULL), UTET_OK);
        foldworld_compare(a, &b, "a fault");
        rig_end(&b.r, "fault");
    }
    assert_true(faults > 50);
    suite_figure("faults at %u reads", (unsigned)faults);
}

void foldworld_cancels(const foldworld *a)
{
    static foldworld b;

    for (unsigned at = 1;; at += 1 + at / 8) {
        utet_status status;
        unsigned blocked = 0;

        b.g = a->g;
        foldworld_start_as(&b, a, (size_t)a->fold.need.least);
        assert_int_equal(foldworld_ready(&b, NULL), UTET_OK);
        b.r.port.blocks = 1;
        do
            status = utet_fold_run(&b.fold, results, FOLDWORLD_MOST);
        while (status == UTET_WOULD_BLOCK && ++blocked < at);
        if (status == UTET_OK) {
            rig_end(&b.r, "cancel");
            break;
        }
        assert_int_equal(status, UTET_WOULD_BLOCK);
        assert_int_equal(utet_dataset_first(&b.r.file, &b.d), UTET_E_STATE);
        assert_int_equal(utet_fold_group(&b.fold, &b.by), UTET_E_STATE);
        utet_cancel(&b.r.file);
        assert_int_equal(utet_fold_run(&b.fold, results, FOLDWORLD_MOST), UTET_E_STATE);
        b.r.port.blocks = 0;
        assert_int_equal(foldworld_fold(&b, NULL), UTET_OK);
        foldworld_compare(a, &b, "an older fold");
        rig_end(&b.r, "cancel");
    }
}

void foldworld_budgets(const foldworld *a, size_t from, size_t step, int passes)
{
    static foldworld b;
    const uint64_t least = a->fold.need.least, best = a->fold.need.best;
    uint64_t boxes = UINT64_MAX;

    assert_int_equal(a->fold.boxes, 1);
    b.g = a->g;
    for (size_t work = from; work <= best + 40; work += work < least + 200 ? step : 17 * step) {
        utet_status status;

        foldworld_start_as(&b, a, work);
        status = foldworld_fold(&b, NULL);
        if (work < least) {
            suite_check(status == UTET_E_BUDGET && b.r.file.needed == least, "%u bytes: %s", (unsigned)work,
                        rig_status(status));
        } else {
            suite_check(status == UTET_OK, "%u bytes: %s", (unsigned)work, rig_status(status));
            foldworld_compare(a, &b, "the budget");
            assert_true((b.fold.boxes <= boxes || passes) && b.r.file.high_water <= work);
            assert_true(b.fold.passes == 1 || (passes && b.fold.passes > 1));
            boxes = b.fold.boxes;
        }
        rig_end(&b.r, "budget");
    }
    assert_int_equal(boxes, 1);
}
