/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Every status that utet_fold.h and utet_transform.h list for a call is provoked on a file that is written here, by one
 * case each. Cases are named "utet_call STATUS": test/tools/suite_status.py compares them with the header.
 * suite_foldpiecestatus has those of batches and parts. */
#include "badframes.h"
#include "foldstatus.h"

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
    assert_int_equal(call(w, which), UTET_E_STATE); /* has been run */
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
    w->request.operation = &utet_fold_median; /* no windows if the elements are read several times */
    DRIVE_OK(utet_fold_open(&w->fold, &w->r.file, &w->request));
    return utet_fold_group(&w->fold, &w->grouping);
}
/* A request without a dataset and one without ranges are refused; then it becomes `good`. */
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
    w->request.operation = NULL; /* is not read */
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
    if (w->matrix) { /* found once the selection is known: more than 1,024 variables, although there is no chunk */
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

    w->work = 5000; /* the bound that the row gives does not fit: headers are read */
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

int main(int argc, char **argv)
{
    static const char *const names[CALLS] = {"utet_fold_need",  "utet_fold_open",  "utet_fold_run",
                                             "utet_fold_where", "utet_fold_group", "utet_fold_mask"};
    static const char *const others[2][3] = {
        {"utet_fold_matrix_need", "utet_fold_matrix_open", "utet_fold_matrix_run"},
        {"utet_transform_need", "utet_transform_open", "utet_transform_run"},
    };
    static status_case texts[ROWS * (CALLS + 6)];
    static struct CMUnitTest cases[ROWS * (CALLS + 6)];
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
    return statuses_run("foldstatus", cases, n, argc, argv);
}
