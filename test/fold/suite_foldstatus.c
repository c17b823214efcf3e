/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Every status that utet_fold.h and utet_transform.h list at a call, provoked on a file written here, one case each,
 * named "utet_call STATUS": test/tools/suite_status.py compares them with the header. */
#include "badframes.h"
#include "rig.h"
#include "statuses.h"
#include "tetgen.h"
#include "utet_transform.h"

#include <math.h>
#include <string.h>

#define DATASETS(raw)               \
    {                               \
        {.name = "r",               \
         .name_length = 1,          \
         .dtype = (raw),            \
         .ndim = 2,                 \
         .shape = {40, 44},         \
         .chunk = {8, 8},           \
         .codec = TETGEN_RAW},      \
            {.name = "z",           \
             .name_length = 1,      \
             .dtype = UTET_F32,     \
             .ndim = 2,             \
             .shape = {64, 96},     \
             .chunk = {64, 96},     \
             .codec = TETGEN_ZSTD}, \
    }
static const tetgen_dataset datasets[] = DATASETS(UTET_U16);
static const tetgen_dataset floats[] = DATASETS(UTET_F32);
enum { RAW, ZSTD, FIRST_Z = 30 /* its row */ };
enum { NEED, OPEN, RUN, WHERE, BY, MASK, CALLS };

typedef struct world {
    rig r;
    tetgen g;
    utet_dataset d;
    utet_range ranges[8];
    utet_fold_request request;
    utet_fold fold;
    utet_fold_grouping grouping;
    int matrix;    /* the calls NEED, OPEN and RUN are those of a matrix */
    int transform; /* they are those of a transform */
    utet_transform t;
    const utet_transform_method *method;
    utet_transform_into into;
    utet_fold_matrix m;
    utet_fold_variables variables;
    double results[10000];
    size_t work;
} world;

static void world_make(world *w, int transform)
{
    memset(w, 0, sizeof *w);
    w->transform = transform;
    w->method = &utet_transform_zscore;
    w->into = (utet_transform_into){.elements = w->results, .size = sizeof w->results};
    w->g = (tetgen){.datasets = transform ? floats : datasets, .count = 2, .seed = 42};
    tetgen_build(&w->g);
    w->work = 300000;
    rig_make(&w->r, w->g.bytes, w->g.size, rig_codecs() > 1 ? 1 : 0);
    w->r.port.slice = 64;
}

static uint8_t *row(world *w, unsigned n)
{
    return w->g.bytes + w->g.index_offset + 32 + 104 * n;
}

static void flush(world *w)
{
    utet_dataset d;

    DRIVE_OK(utet_dataset_first(&w->r.file, &d));
}

static void dataset(world *w, uint32_t id)
{
    DRIVE_OK(utet_dataset_first(&w->r.file, &w->d));
    while (w->d.id < id)
        DRIVE_OK(utet_dataset_next(&w->r.file, &w->d));
    for (unsigned a = 0; a < 2; a++)
        w->ranges[a] = (utet_range){0, w->d.shape[a], 1};
    w->request =
        (utet_fold_request){.dataset = &w->d, .ranges = w->ranges, .operation = &utet_fold_sum, .axes = UTET_FOLD_ALL};
    w->variables = (utet_fold_variables){.dataset = &w->d, .ranges = w->ranges};
    flush(w);
}

static void open_file(world *w, uint32_t id)
{
    rig_start(&w->r, w->work, GUARD_AFTER);
    DRIVE_OK(utet_open(&w->r.file, &(utet_options){.budget = (size_t)-1}));
    dataset(w, id);
}

static utet_status call(world *w, unsigned which)
{
    if (w->matrix)
        return which == NEED   ? utet_fold_matrix_need(&w->m, &w->r.file, &w->variables)
               : which == OPEN ? utet_fold_matrix_open(&w->m, &w->r.file, &w->variables)
                               : utet_fold_matrix_run(&w->m, w->results, 10000);
    if (w->transform)
        return which == NEED   ? utet_transform_need(&w->t, &w->r.file, &w->request, w->method)
               : which == OPEN ? utet_transform_open(&w->t, &w->r.file, &w->request, w->method)
                               : utet_transform_run(&w->t, &w->into);
    if (which == NEED)
        return utet_fold_need(&w->fold, &w->r.file, &w->request);
    if (which == OPEN)
        return utet_fold_open(&w->fold, &w->r.file, &w->request);
    if (which == WHERE)
        return utet_fold_where(&w->fold, &(utet_fold_filter){.tests = UTET_FOLD_GT, .gt = 1});
    if (which == BY)
        return utet_fold_group(&w->fold, &w->grouping);
    if (which == MASK)
        return utet_fold_mask(&w->fold, w->results, 3, "--");
    return utet_fold_run(&w->fold, w->results, 10000);
}

static utet_status driven(world *w, unsigned which)
{
    utet_status status;

    DRIVE(status, call(w, which));
    return status;
}

static void get_ready(world *w, unsigned which)
{
    open_file(w, ZSTD);
    if (which >= RUN) {
        DRIVE_OK(call(w, OPEN));
        flush(w);
    }
}

/* ---- statuses that every call that reads can give ---- */

static utet_status g_ok(world *w, unsigned which)
{
    get_ready(w, which);
    return driven(w, which);
}
static utet_status g_block(world *w, unsigned which)
{
    utet_status status;

    get_ready(w, which);
    w->r.port.blocks = 1;
    status = call(w, which);
    assert_int_equal(utet_dataset_first(&w->r.file, &w->d), UTET_E_STATE);
    assert_int_equal(driven(w, which), UTET_OK);
    return status;
}
static utet_status g_state(world *w, unsigned which)
{
    utet_slab other;

    get_ready(w, which);
    w->r.port.blocks = 1;
    if (which < WHERE) {
        assert_int_equal(utet_slab_need(&other, &w->r.file, &w->d, w->ranges), UTET_WOULD_BLOCK);
        if (call(w, which) != UTET_E_STATE)
            return UTET_OK;
        utet_cancel(&w->r.file);
    }
    w->r.port.blocks = 0;
    if (which < RUN) { /* the file is not open */
        utet_init(&w->r.file, &w->r.port.io, w->r.work.data, w->work, w->r.codecs);
        return call(w, which);
    }
    DRIVE_OK(call(w, OPEN));
    DRIVE_OK(call(w, RUN));
    assert_int_equal(call(w, which), UTET_E_STATE); /* has run */
    memset(&w->fold, 0, sizeof w->fold);
    memset(&w->m, 0, sizeof w->m);
    memset(&w->t, 0, sizeof w->t);
    assert_int_equal(call(w, which), UTET_E_STATE); /* was never open */
    if (which >= WHERE)
        return UTET_E_STATE;
    DRIVE_OK(call(w, OPEN));
    w->r.port.blocks = 1;
    flush(w);
    assert_int_equal(call(w, RUN), UTET_WOULD_BLOCK);
    utet_cancel(&w->r.file);
    return call(w, RUN); /* cancelled */
}
static utet_status faulted(world *w, unsigned which, fault_kind kind)
{
    get_ready(w, which);
    w->r.port.fault = kind;
    w->r.port.fault_at = w->r.port.reads;
    return driven(w, which);
}
static utet_status g_short(world *w, unsigned which)
{
    return faulted(w, which, FAULT_EOF);
}
static utet_status g_port(world *w, unsigned which)
{
    return faulted(w, which, FAULT_ERROR);
}

/* ---- a cause of their own ---- */

/* Each row is refused; the same row of `good` is not. */
static utet_status argument_by(world *w)
{
    static const struct {
        utet_fold_window window;
        double fill;
        uint8_t bad, has_fill;
    } rows[] = {
        {{.size = 3, .axis = 1, .mode = UTET_FOLD_ROLLING, .pad = UTET_FOLD_PAD_FILL}, 7, 0, 1},
        {{.size = 3, .axis = 1, .pad = UTET_FOLD_PAD_FILL}, 0x1.fffffep127, 0, 1},
        {{.size = 3, .axis = 1, .step = 2, .mode = UTET_FOLD_ROLLING}, 0, 0, 0},
        {{.size = 3, .axis = 2}, 0, 1, 0},
        {{.size = 3, .axis = 1, .mode = 2}, 0, 1, 0},
        {{.size = 3, .axis = 1, .pad = 4}, 0, 1, 0},
        {{.size = 3, .axis = 1, .align = 2}, 0, 1, 0},
        {{.size = 3, .axis = 1, .step = 1}, 0, 1, 0},
        {{.size = 3, .axis = 1, .mode = UTET_FOLD_ROLLING, .align = UTET_FOLD_ALIGN_END}, 0, 1, 0},
        {{.size = 3, .axis = 1, .pad = UTET_FOLD_PAD_FILL}, 0, 1, 0},
        {{.size = 3, .axis = 1, .mode = UTET_FOLD_ROLLING, .pad = UTET_FOLD_PAD_FILL}, 0.1, 1, 1},
        {{.size = 3, .axis = 0}, 0, 1, 0}, /* has groups */
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        utet_status status;

        w->request.fill = rows[i].fill;
        w->request.has_fill = rows[i].has_fill;
        DRIVE_OK(utet_fold_open(&w->fold, &w->r.file, &w->request));
        w->grouping.window = rows[i].window;
        w->grouping.axis[0].groups = 1;
        status = utet_fold_group(&w->fold, &w->grouping);
        suite_check(status == (rows[i].bad ? UTET_E_ARGUMENT : UTET_OK), "row %u: %s", (unsigned)i, rig_status(status));
        if (!rows[i].bad)
            DRIVE_OK(utet_fold_run(&w->fold, w->results, 2000));
    }
    w->grouping.axis[0].groups = 0;
    assert_int_equal(utet_fold_group(&w->fold, &w->grouping), UTET_OK);
    w->request.operation = &utet_fold_median; /* no windows of what is read several times */
    DRIVE_OK(utet_fold_open(&w->fold, &w->r.file, &w->request));
    return utet_fold_group(&w->fold, &w->grouping);
}
/* A request without a dataset and one without ranges are refused; then it is `good`. */
static void null_pointers(world *w, unsigned which, const utet_fold_request *good)
{
    w->request = *good;
    w->request.dataset = NULL;
    assert_int_equal(call(w, which), UTET_E_ARGUMENT);
    w->request = *good;
    w->request.ranges = NULL;
    assert_int_equal(call(w, which), UTET_E_ARGUMENT);
    w->request = *good;
}

static utet_status argument_transform(world *w, unsigned which)
{
    const utet_fold_request good = w->request;
    uint64_t counts;

    if (which == RUN) {
        w->into.elements = NULL;
        assert_int_equal(call(w, RUN), UTET_E_ARGUMENT);
        w->into.size = 0;
        DRIVE_OK(call(w, RUN)); /* does not stick */
        DRIVE_OK(call(w, OPEN));
        assert_int_equal(utet_fold_pieces(&w->t.fold, 2), UTET_OK);
        assert_int_equal(call(w, RUN), UTET_E_ARGUMENT);
        DRIVE_OK(call(w, OPEN));
        w->grouping.counts = &counts;
        assert_int_equal(utet_fold_group(&w->t.fold, &w->grouping), UTET_OK);
        return call(w, RUN);
    }
    null_pointers(w, which, &good);
    w->request.operation = NULL; /* is not looked at */
    assert_int_equal(driven(w, which), UTET_OK);
    w->method = NULL;
    return call(w, which);
}
static utet_status c_argument(world *w, unsigned which)
{
    const utet_fold_request good = {.dataset = &w->d, .ranges = w->ranges, .operation = &utet_fold_sum};

    get_ready(w, which);
    if (w->matrix) {
        w->variables.observations = 2;
        assert_int_equal(call(w, which), UTET_E_ARGUMENT);
        w->variables = (utet_fold_variables){.dataset = NULL, .ranges = w->ranges};
        assert_int_equal(call(w, which), UTET_E_ARGUMENT);
        w->variables = (utet_fold_variables){.dataset = &w->d, .ranges = NULL};
        assert_int_equal(call(w, which), UTET_E_ARGUMENT);
        w->variables.ranges = w->ranges;
        w->d.ndim = 1;
        return call(w, which);
    }
    if (w->transform)
        return argument_transform(w, which);
    if (which == BY)
        return argument_by(w);
    if (which == WHERE) {
        double zero = 0;
        const double infinite = 1 / zero;

        assert_int_equal(utet_fold_where(&w->fold, &(utet_fold_filter){.tests = 0}), UTET_E_ARGUMENT);
        assert_int_equal(utet_fold_where(&w->fold, &(utet_fold_filter){.tests = 256}), UTET_E_ARGUMENT);
        assert_int_equal(utet_fold_where(&w->fold, &(utet_fold_filter){.tests = UTET_FOLD_LT | 32768u}),
                         UTET_E_ARGUMENT);
        assert_int_equal(utet_fold_where(&w->fold, &(utet_fold_filter){.tests = UTET_FOLD_LT, .ge = infinite}),
                         UTET_OK);
        assert_int_equal(utet_fold_where(&w->fold, &(utet_fold_filter){.tests = UTET_FOLD_RESTS}), UTET_E_ARGUMENT);
        for (int rest = -1025; rest <= 1025; rest += 2050)
            assert_int_equal(utet_fold_where(&w->fold, &(utet_fold_filter){.tests = UTET_FOLD_GE | UTET_FOLD_RESTS,
                                                                           .ge = -9007199254740992.0,
                                                                           .rest = {0, 0, 0, 0, 0, (int16_t)rest}}),
                             UTET_E_ARGUMENT);
        assert_int_equal(utet_fold_where(&w->fold, &(utet_fold_filter){.tests = UTET_FOLD_GE | UTET_FOLD_RESTS,
                                                                       .ge = 9007199254740991.0,
                                                                       .rest = {0, 0, 0, 0, 0, 1}}),
                         UTET_E_ARGUMENT);
        assert_int_equal(utet_fold_where(&w->fold, &(utet_fold_filter){.tests = UTET_FOLD_GE | UTET_FOLD_RESTS,
                                                                       .ge = -9007199254740992.0,
                                                                       .rest = {9999, 0, 0, 0, 0, -1024}}),
                         UTET_OK);
        return utet_fold_where(&w->fold, &(utet_fold_filter){.tests = UTET_FOLD_GE, .ge = infinite});
    }
    null_pointers(w, which, &good);
    w->request.operation = NULL;
    assert_int_equal(call(w, which), UTET_E_ARGUMENT);
    w->request = good;
    w->request.operation = &utet_fold_null_count;
    assert_int_equal(call(w, which), UTET_E_ARGUMENT);
    w->request.operation = &utet_fold_quantile;
    w->request.q = 1.0000001;
    assert_int_equal(call(w, which), UTET_E_ARGUMENT);
    w->request.q = -1e-300;
    assert_int_equal(call(w, which), UTET_E_ARGUMENT);
    w->request = good;
    w->request.operation = &utet_fold_histogram;
    assert_int_equal(call(w, which), UTET_E_ARGUMENT);
    w->request.bins = UTET_FOLD_MAX_BINS + 1;
    assert_int_equal(call(w, which), UTET_E_ARGUMENT);
    w->request.bins = 1;
    w->request.has_range = 1;
    w->request.low = -0.0; /* equal to high */
    assert_int_equal(call(w, which), UTET_E_ARGUMENT);
    w->request.high = HUGE_VAL;
    assert_int_equal(call(w, which), UTET_E_ARGUMENT);
    w->request.high = 1;
    w->request.low = -HUGE_VAL;
    return call(w, which);
}
static utet_status c_range(world *w, unsigned which)
{
    get_ready(w, which);
    if (which == BY) {
        w->grouping.window = (utet_fold_window){.size = w->d.shape[1], .axis = 1};
        assert_int_equal(call(w, BY), UTET_OK);
        w->grouping.window.size++;
        return call(w, BY);
    }
    if (w->matrix) { /* found once the selection is known: more than 1,024 variables, though there is no chunk */
        w->d.shape[0] = 0;
        w->d.shape[1] = 1025;
        w->ranges[0] = (utet_range){0, 0, 1};
        w->ranges[1] = (utet_range){0, 1025, 1};
        assert_int_equal(driven(w, which), UTET_E_RANGE);
    }
    w->ranges[1].stop++;
    return driven(w, which);
}
static utet_status c_missing(world *w, unsigned which)
{
    get_ready(w, which);
    tetgen_put(row(w, FIRST_Z) + 8, 99, 8);
    return driven(w, which);
}
static utet_status c_dtype(world *w, unsigned which)
{
    get_ready(w, which);
    if (which == BY) { /* a pad of NaN: not for integers */
        w->grouping.window = (utet_fold_window){.size = 3, .axis = 1, .pad = UTET_FOLD_PAD_NAN};
        assert_int_equal(call(w, BY), UTET_OK);
        dataset(w, RAW);
        DRIVE_OK(call(w, OPEN));
        return call(w, BY);
    }
    w->request.operation = &utet_fold_sum_i16;
    w->d.dtype = w->matrix ? 0 : w->transform ? UTET_F16 : w->d.dtype;
    assert_int_equal(driven(w, which), UTET_E_DTYPE);
    w->request.operation = &utet_fold_sum;
    w->d.dtype = 11;
    return driven(w, which);
}
static utet_status c_dataset(world *w, unsigned which)
{
    get_ready(w, which);
    w->d.chunk_shape[1] = 0;
    return driven(w, which);
}
static utet_status c_row(world *w, unsigned which)
{
    get_ready(w, which);
    tetgen_put(row(w, FIRST_Z) + 80, 5, 8);
    return driven(w, which);
}
static utet_status c_codec(world *w, unsigned which)
{
    w->r.codecs[0] = NULL;
    open_file(w, which == RUN ? RAW : ZSTD);
    if (which == RUN)
        DRIVE_OK(call(w, OPEN));
    tetgen_put(row(w, 0) + 96, 1, 4);
    return driven(w, which);
}
static utet_status c_budget(world *w, unsigned which)
{
    static const uint8_t frame[] = {0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x38, 0x01, 0x00, 0x00};
    utet_status status;

    w->work = 600;
    if (which == BY) {
        open_file(w, RAW);
        DRIVE_OK(call(w, NEED));
        w->work = (size_t)w->fold.need.least;
        open_file(w, RAW);
        DRIVE_OK(call(w, OPEN));
        w->grouping.window.size = 3;
        status = call(w, BY);
        assert_int_equal(w->r.file.needed, w->work + 8);
        assert_int_equal(call(w, BY), UTET_E_STATE);
        return status;
    }
    open_file(w, which == RUN ? RAW : ZSTD);
    if (which == RUN)
        DRIVE_OK(call(w, OPEN));
    tetgen_put(row(w, 0) + 96, 1, 4);
    memcpy(w->g.bytes + tetgen_get(row(w, 0) + 72, 8), frame, sizeof frame);
    status = driven(w, which);
    assert_true(w->r.file.needed > 600);
    return status;
}
static utet_status c_space(world *w, unsigned which)
{
    (void)which;
    open_file(w, RAW);
    if (w->matrix) {
        DRIVE_OK(call(w, OPEN));
        assert_int_equal(w->m.order, 44);
        assert_int_equal(utet_fold_matrix_run(&w->m, w->results, 44 * 44 - 1), UTET_E_SPACE);
        DRIVE_OK(utet_fold_matrix_run(&w->m, w->results, 44 * 44)); /* does not stick */
        DRIVE_OK(call(w, OPEN));
        return utet_fold_matrix_run(&w->m, w->results, 0);
    }
    w->request.axes = 1;
    if (w->transform) {
        w->into.statistics = w->results + 5000;
        w->into.size /= 2;
        w->into.room = 87;
        DRIVE_OK(call(w, OPEN));
        assert_int_equal(w->t.fold.results, 88);
        assert_int_equal(call(w, RUN), UTET_E_SPACE);
        w->into.room++;
        DRIVE_OK(call(w, RUN)); /* does not stick */
        DRIVE_OK(call(w, OPEN));
        w->into.room = 0;
        return call(w, RUN);
    }
    DRIVE_OK(call(w, OPEN));
    assert_int_equal(w->fold.results, 44);
    assert_int_equal(utet_fold_run(&w->fold, w->results, 43), UTET_E_SPACE);
    DRIVE_OK(utet_fold_run(&w->fold, w->results, 44)); /* does not stick */
    w->request.axes = UTET_FOLD_ALL;
    DRIVE_OK(call(w, OPEN));
    return utet_fold_run(&w->fold, w->results, 0);
}

/* The chunk of "z" begins with these bytes instead. */
static utet_status payload(world *w, unsigned which, const uint8_t *bytes, size_t size)
{
    uint8_t *at = row(w, FIRST_Z);

    w->work = 5000; /* the bound known from the row does not fit: headers are read */
    if (which == RUN)
        w->work = 300000;
    get_ready(w, which);
    memcpy(w->g.bytes + tetgen_get(at + 72, 8), bytes, size);
    return driven(w, which);
}
static utet_status c_window(world *w, unsigned which)
{
    return payload(w, which, badframes_window, sizeof badframes_window);
}
static utet_status c_dict(world *w, unsigned which)
{
    return payload(w, which, badframes_dictionary, sizeof badframes_dictionary);
}
static utet_status c_legacy(world *w, unsigned which)
{
    return payload(w, which, badframes_legacy, sizeof badframes_legacy);
}
static utet_status c_payload(world *w, unsigned which)
{
    return payload(w, which, badframes_garbage, sizeof badframes_garbage);
}
static utet_status c_checksum(world *w, unsigned which)
{
    open_file(w, ZSTD);
    badframes_checksum(&w->g, row(w, FIRST_Z), 64 * 96 * 4);
    DRIVE_OK(call(w, OPEN));
    return driven(w, which);
}

/* ---- results in pieces: those cases are few ---- */

/* `which`: RUN, or else the call that asks for pieces. */
static utet_status pieces(world *w, unsigned which, utet_status wanted)
{
    size_t least = w->matrix ? 96 : 1;
    utet_status status = UTET_OK;
    unsigned came = 0;

    get_ready(w, RUN);
    w->request.axes = 2; /* 64 results stay */
    DRIVE_OK(call(w, OPEN));
    if (wanted == UTET_E_SPACE)
        least--;
    if (wanted == UTET_E_STATE) {
        utet_slab other;

        flush(w);
        w->r.port.blocks = 1;
        assert_int_equal(utet_slab_need(&other, &w->r.file, &w->d, w->ranges), UTET_WOULD_BLOCK);
        status = w->matrix ? utet_fold_matrix_pieces(&w->m, least * 5) : utet_fold_pieces(&w->fold, least * 5);
        assert_int_equal(status, UTET_E_STATE); /* another call is suspended */
        DRIVE_OK(utet_slab_need(&other, &w->r.file, &w->d, w->ranges));
        w->r.port.blocks = 0;
        DRIVE_OK(call(w, RUN)); /* has run */
    }
    status = w->matrix ? utet_fold_matrix_pieces(&w->m, least * 5) : utet_fold_pieces(&w->fold, least * 5);
    if (wanted == UTET_E_SPACE) /* no row of the matrix is so short, and nothing has come to stay */
        status = w->matrix ? utet_fold_matrix_pieces(&w->m, least) : utet_fold_pieces(&w->fold, least);
    if (which != RUN)
        return status;
    while (status == UTET_OK) {
        DRIVE(status, w->matrix ? utet_fold_matrix_run(&w->m, w->results, least * 5)
                                : utet_fold_run(&w->fold, w->results, least * 5));
        came += status == UTET_OK ? (unsigned)(w->matrix ? w->m.given : w->fold.given) : 0;
    }
    assert_int_equal(came, w->matrix ? 96 * 96 : 64);
    return w->matrix ? utet_fold_matrix_run(&w->m, w->results, least * 5)
                     : utet_fold_run(&w->fold, w->results, least * 5);
}

/* ---- parts: the cases of suite_foldmerge once more, one for each status ---- */

enum { DIVIDE = CALLS, MERGE };

static utet_status parts(world *w, unsigned which, utet_status wanted)
{
    static utet_fold other;
    static utet_fold_share shares[2];
    utet_status status;

    shares[0] = (utet_fold_share){.parts = 2};
    shares[1] = (utet_fold_share){.part = 1, .parts = 2};
    w->request.axes = 2; /* 64 results stay */
    if (which == DIVIDE && wanted == UTET_E_BUDGET) {
        open_file(w, RAW);
        w->request.axes = 2;
        DRIVE_OK(call(w, NEED));
        w->work = (size_t)w->fold.need.least;
    }
    open_file(w, RAW);
    w->request.axes = 2;
    w->request.operation = which == DIVIDE && wanted == UTET_E_ARGUMENT ? &utet_fold_product : &utet_fold_sum;
    DRIVE_OK(call(w, OPEN));
    if (which == DIVIDE && wanted == UTET_E_STATE)
        DRIVE_OK(call(w, RUN));
    if (which == DIVIDE && wanted == UTET_E_SPACE)
        assert_int_equal(utet_fold_pieces(&w->fold, 3), UTET_OK);
    status = utet_fold_divide(&w->fold, &shares[0]);
    if (which == DIVIDE)
        return status;
    assert_int_equal(status, UTET_OK);
    if (wanted == UTET_E_STATE)
        return utet_fold_merge(&w->fold, &w->fold);
    DRIVE_OK(call(w, RUN));
    other = w->fold; /* as if it had read part 1: their cells are the same ones */
    other.priv.share = &shares[1];
    shares[1].priv = shares[0].priv;
    shares[1].priv.from = wanted == UTET_OK ? 1 : 0;
    w->r.file.priv.owner = &w->fold.box.slab;
    other.priv.room = 0; /* no slab owns them */
    return utet_fold_merge(&w->fold, &other);
}

static const struct {
    const char *call;
    utet_status status;
    unsigned which;
    int matrix;
} piece_rows[] = {
    {"utet_fold_divide", UTET_OK, DIVIDE, 0},
    {"utet_fold_divide", UTET_E_ARGUMENT, DIVIDE, 0},
    {"utet_fold_divide", UTET_E_STATE, DIVIDE, 0},
    {"utet_fold_divide", UTET_E_BUDGET, DIVIDE, 0},
    {"utet_fold_divide", UTET_E_SPACE, DIVIDE, 0},
    {"utet_fold_merge", UTET_OK, MERGE, 0},
    {"utet_fold_merge", UTET_E_ARGUMENT, MERGE, 0},
    {"utet_fold_merge", UTET_E_STATE, MERGE, 0},
    {"utet_fold_pieces", UTET_OK, OPEN, 0},
    {"utet_fold_pieces", UTET_E_STATE, OPEN, 0},
    {"utet_fold_pieces", UTET_E_SPACE, OPEN, 0},
    {"utet_fold_run", UTET_END, RUN, 0},
    {"utet_fold_matrix_pieces", UTET_OK, OPEN, 1},
    {"utet_fold_matrix_pieces", UTET_E_STATE, OPEN, 1},
    {"utet_fold_matrix_pieces", UTET_E_SPACE, OPEN, 1},
    {"utet_fold_matrix_run", UTET_END, RUN, 1},
};
enum { PIECE_ROWS = sizeof piece_rows / sizeof piece_rows[0] };

typedef utet_status provoker(world *w, unsigned which);

static const struct {
    utet_status status;
    provoker *provoke;
    unsigned calls; /* bits */
} rows[] = {
    {UTET_OK, g_ok, 63},
    {UTET_WOULD_BLOCK, g_block, 7},
    {UTET_E_STATE, g_state, 63},
    {UTET_E_SHORT, g_short, 7},
    {UTET_E_PORT, g_port, 7},
    {UTET_E_ARGUMENT, c_argument, 27},
    {UTET_E_BUDGET, c_budget, 22},
    {UTET_E_RANGE, c_range, 19},
    {UTET_E_MISSING, c_missing, 7},
    {UTET_E_SPACE, c_space, 4},
    {UTET_E_DTYPE, c_dtype, 19},
    {UTET_E_CODEC, c_codec, 7},
    {UTET_E_ZSTD_WINDOW, c_window, 7},
    {UTET_E_ZSTD_DICT, c_dict, 7},
    {UTET_E_ZSTD_LEGACY, c_legacy, 7},
    {UTET_E_DATASET, c_dataset, 3},
    {UTET_E_ROW, c_row, 7},
    {UTET_E_PAYLOAD, c_payload, 7},
    {UTET_E_CHECKSUM, c_checksum, 4},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

typedef struct status_case {
    char name[STATUSES_NAME];
    unsigned row, call;
} status_case;

static void run_case(void **state)
{
    static world w;
    const status_case *s = *state;
    utet_status wanted = rows[s->row].status;
    utet_status status;

    world_make(&w, s->call / CALLS == 2);
    w.matrix = s->call / CALLS == 1;
    status = rows[s->row].provoke(&w, s->call % CALLS);
    suite_check(status == (wanted == UTET_E_PORT ? FAULTPORT_ERROR : wanted), "%s: %s", s->name, rig_status(status));
    rig_end(&w.r, s->name);
    tetgen_free(&w.g);
}

static void run_piece_case(void **state)
{
    static world w;
    const status_case *s = *state;
    utet_status status;

    world_make(&w, 0);
    w.matrix = piece_rows[s->row].matrix;
    status = piece_rows[s->row].which >= CALLS ? parts(&w, piece_rows[s->row].which, piece_rows[s->row].status)
                                               : pieces(&w, piece_rows[s->row].which, piece_rows[s->row].status);
    suite_check(status == piece_rows[s->row].status, "%s: %s", s->name, rig_status(status));
    rig_end(&w.r, s->name);
    tetgen_free(&w.g);
}

int main(int argc, char **argv)
{
    static const char *const names[CALLS] = {"utet_fold_need",  "utet_fold_open",  "utet_fold_run",
                                             "utet_fold_where", "utet_fold_group", "utet_fold_mask"};
    static const char *const others[2][3] = {
        {"utet_fold_matrix_need", "utet_fold_matrix_open", "utet_fold_matrix_run"},
        {"utet_transform_need", "utet_transform_open", "utet_transform_run"},
    };
    static status_case texts[ROWS * (CALLS + 6) + PIECE_ROWS];
    static struct CMUnitTest cases[ROWS * (CALLS + 6) + PIECE_ROWS];
    size_t n = 0;

    for (unsigned i = 0; i < ROWS; i++)
        for (unsigned c = 0; c < 3 * CALLS; c++) {
            const unsigned which = c % CALLS;
            const int own = c >= 2 * CALLS && rows[i].status == UTET_E_ARGUMENT && which == RUN;

            if ((c >= CALLS && which > RUN) || ((rows[i].calls >> which & 1u) == 0 && !own))
                continue;
            texts[n].row = i;
            texts[n].call = c;
            statuses_case(&cases[n], texts[n].name, c < CALLS ? names[c] : others[c / CALLS - 1][which], rows[i].status,
                          run_case, &texts[n]);
            n++;
        }
    for (unsigned i = 0; i < PIECE_ROWS; i++, n++) {
        texts[n].row = i;
        statuses_case(&cases[n], texts[n].name, piece_rows[i].call, piece_rows[i].status, run_piece_case, &texts[n]);
    }
    return statuses_run("foldstatus", cases, n, argc, argv);
}
