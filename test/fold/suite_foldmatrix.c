/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Matrices in parts (utet_fold_matrix_divide, utet_fold_matrix_merge): the same bits as one matrix, for any dtype,
 * selection, parts and order of merging; what is refused; joins that wait and that fail. test/fold/fold_test.py
 * compares one matrix with a model in Python.
 */
#include "fold/fold.h"
#include "rig.h"
#include "suite.h"
#include "tetgen.h"

#include <string.h>

enum { OBSERVATIONS = 23, VARIABLES = 6, RESULTS = VARIABLES * VARIABLES, MOST_PARTS = 23 };

typedef struct part_world {
    rig r;
    utet_dataset d;
    utet_range ranges[2];
    utet_fold_variables variables;
    utet_fold_matrix matrix;
    utet_fold_matrix_share share;
} part_world;

static tetgen_dataset data;
static tetgen g;
static part_world one, parts[MOST_PARTS];
static double wanted[RESULTS], results[RESULTS];
static size_t work = 60000;

static uint32_t below(uint32_t limit)
{
    static uint32_t state = 77;

    state = state * 1664525u + 1013904223u;
    return (state >> 8) % limit;
}

/* Observations along `axis`. */
static void build(uint32_t dtype, unsigned axis, uint64_t chunk)
{
    data = (tetgen_dataset){.name = "a", .name_length = 1, .dtype = dtype, .ndim = 2, .codec = TETGEN_MIXED};
    data.shape[axis] = OBSERVATIONS;
    data.shape[!axis] = VARIABLES;
    data.chunk[axis] = chunk;
    data.chunk[!axis] = 4;
    g = (tetgen){.datasets = &data, .count = 1, .seed = 5 + dtype};
    tetgen_build(&g);
}

static void start(part_world *w, const part_world *as)
{
    rig_make(&w->r, g.bytes, g.size, rig_codecs() > 1 ? 1 : 0);
    rig_start(&w->r, work, GUARD_AFTER);
    DRIVE_OK(utet_open(&w->r.file, NULL));
    DRIVE_OK(utet_dataset_first(&w->r.file, &w->d));
    memcpy(w->ranges, as->ranges, sizeof w->ranges);
    w->variables = as->variables;
    w->variables.dataset = &w->d;
    w->variables.ranges = w->ranges;
    DRIVE_OK(utet_fold_matrix_open(&w->matrix, &w->r.file, &w->variables));
}

static void end_parts(unsigned count)
{
    while (count-- != 0)
        rig_end(&parts[count].r, "part");
}

/* What the join of part 0 does. */
typedef struct joining {
    unsigned count;
    unsigned waits;
    utet_status error;
    int leaves_one; /* nonzero: the last part is not merged */
    unsigned calls;
} joining;

static utet_status join(void *context, utet_fold_matrix *into)
{
    joining *j = context;
    utet_file *file = parts[0].matrix.priv.file;

    j->calls++;
    assert_true(into == &parts[0].matrix);
    assert_int_equal(utet_fold_matrix_open(&one.matrix, file, &parts[0].variables), UTET_E_STATE); /* the workspace */
    if (j->waits != 0) {
        j->waits--;
        return UTET_WOULD_BLOCK;
    }
    if (j->error != UTET_OK)
        return j->error;
    for (unsigned i = 1; i < j->count - (j->leaves_one != 0); i++)
        if (parts[i].share.priv.state == FOLD_PART_READ)
            assert_int_equal(utet_fold_matrix_merge(into, &parts[i].matrix), UTET_OK);
    return UTET_OK;
}

static void divide(unsigned i, unsigned count, joining *j)
{
    parts[i].share = (utet_fold_matrix_share){.part = i, .parts = count, .join = i == 0 ? join : NULL, .context = j};
    assert_int_equal(utet_fold_matrix_divide(&parts[i].matrix, &parts[i].share), UTET_OK);
}

/* Reads the parts 1 to count - 1. */
static void read_parts(unsigned count, joining *j)
{
    *j = (joining){.count = count};
    for (unsigned i = 0; i < count; i++) {
        start(&parts[i], &one);
        divide(i, count, j);
    }
    for (unsigned i = 1; i < count; i++) {
        DRIVE_OK(utet_fold_matrix_run(&parts[i].matrix, NULL, 0));
        assert_true(parts[i].matrix.given == 0);
        assert_int_equal(utet_fold_matrix_run(&parts[i].matrix, NULL, 0), UTET_E_STATE);
    }
}

static void ask(uint8_t axis, int correlation, utet_range observations, utet_range variables)
{
    one.ranges[axis] = observations;
    one.ranges[!axis] = variables;
    one.variables = (utet_fold_variables){.observations = axis, .correlation = (uint8_t)correlation};
}

static void compute_whole(void)
{
    start(&one, &one);
    memset(wanted, 0, sizeof wanted);
    memset(results, 0, sizeof results);
    DRIVE_OK(utet_fold_matrix_run(&one.matrix, wanted, RESULTS));
    rig_end(&one.r, "one");
}

static void every_division(void **state)
{
    unsigned cases = 0;

    (void)state;
    for (uint32_t dtype = 1; dtype <= UTET_U64; dtype++)
        for (uint8_t axis = 0; axis < 2; axis++) {
            build(dtype, axis, 1 + below(9));
            for (unsigned turn = 0; turn < 12; turn++) {
                const uint64_t step = 1 + (turn % 3 == 0 ? below(6) : 0);
                const unsigned observed = (unsigned)((OBSERVATIONS - 1 - below(3)) / step);
                const uint64_t from = below(2);
                unsigned count = 1 + below(turn < 6 ? 4 : observed);
                joining j;

                count = count < observed ? count : observed;
                ask(axis, turn & 1, (utet_range){from, from + (observed - 1) * step + 1, step},
                    (utet_range){below(2), VARIABLES - below(2), 1 + below(2)});
                compute_whole();
                read_parts(count, &j);
                /* Sums that are merged before they are merged into part 0. */
                for (unsigned i = count; turn % 4 == 3 && i-- > 2;)
                    assert_int_equal(utet_fold_matrix_merge(&parts[i - 1].matrix, &parts[i].matrix), UTET_OK);
                j.waits = below(3);
                DRIVE_OK(utet_fold_matrix_run(&parts[0].matrix, results, RESULTS));
                assert_true(parts[0].matrix.given == (uint64_t)parts[0].matrix.order * parts[0].matrix.order);
                assert_memory_equal(results, wanted, sizeof wanted);
                assert_int_equal(utet_fold_matrix_run(&parts[0].matrix, results, RESULTS), UTET_E_STATE);
                end_parts(count);
                cases++;
            }
            tetgen_free(&g);
        }
    suite_figure("%u matrices by parts", cases);
    assert_true(cases > 200);
}

/* Complete chunks: together, the parts read as often as one matrix. Half a chunk each: more often. */
static void each_chunk_once(void **state)
{
    static const unsigned counts[] = {2, 5, 7};
    uint64_t reads = 0;

    (void)state;
    build(UTET_F64, 0, 5);
    ask(0, 0, (utet_range){0, OBSERVATIONS, 1}, (utet_range){0, VARIABLES, 1});
    start(&one, &one);
    reads = one.r.port.bytes_read;
    DRIVE_OK(utet_fold_matrix_run(&one.matrix, wanted, RESULTS));
    reads = one.r.port.bytes_read - reads;
    rig_end(&one.r, "one");
    for (unsigned k = 0; k < 3; k++) {
        uint64_t sum = 0;
        uint64_t observations = 0;

        for (unsigned i = 0; i < counts[k]; i++) {
            uint64_t before;

            start(&parts[i], &one);
            parts[i].share = (utet_fold_matrix_share){.part = i, .parts = counts[k]};
            assert_int_equal(utet_fold_matrix_divide(&parts[i].matrix, &parts[i].share), UTET_OK);
            observations += parts[i].matrix.observed - parts[i].matrix.priv.at;
            before = parts[i].r.port.bytes_read;
            DRIVE_OK(utet_fold_matrix_run(&parts[i].matrix, NULL, 0));
            sum += parts[i].r.port.bytes_read - before;
        }
        assert_true(observations == OBSERVATIONS);
        if (counts[k] <= 5)
            assert_true(sum <= reads * 23 / 20);
        else
            assert_true(sum > reads * 23 / 20);
        end_parts(counts[k]);
    }
    tetgen_free(&g);
}

/* In a workspace for the observations of one chunk, a selection that begins inside a chunk takes as many boxes and
 * requests as all observations: its first box ends with a chunk, so no chunk is decoded for two of them. */
static void boxes_end_with_chunks(void **state)
{
    enum { CHUNK = 5, BOXES = (OBSERVATIONS + CHUNK - 1) / CHUNK };
    const size_t all = work;

    (void)state;
    for (uint8_t axis = 0; axis < 2; axis++) {
        size_t small = all;
        uint64_t whole = 0;

        build(UTET_F64, axis, CHUNK);
        tetgen_free(&g);
        data.codec = TETGEN_ZSTD;
        tetgen_build(&g);
        for (unsigned i = 0; i < 3 * CHUNK; i++) {
            const unsigned from = i / 3, step = 1 + i % 3;
            uint64_t reads;

            ask(axis, 0, (utet_range){from, OBSERVATIONS, step}, (utet_range){0, VARIABLES, 1});
            compute_whole();
            for (work = small;; work -= 32) {
                start(&one, &one);
                if (i != 0 || one.matrix.boxes == BOXES)
                    break;
                rig_end(&one.r, "one");
            }
            small = work;
            work = all;
            assert_int_equal(one.matrix.block, VARIABLES);
            reads = one.r.port.reads;
            DRIVE_OK(utet_fold_matrix_run(&one.matrix, results, RESULTS));
            reads = one.r.port.reads - reads;
            assert_memory_equal(results, wanted, sizeof wanted);
            if (i == 0)
                whole = reads;
            if (step == 1)
                suite_check(one.matrix.boxes == BOXES && reads <= whole, "from %u: %u boxes, %u requests, all: %u",
                            from, (unsigned)one.matrix.boxes, (unsigned)reads, (unsigned)whole);
            rig_end(&one.r, "one");
        }
        tetgen_free(&g);
    }
}

static void divisions_refused(void **state)
{
    utet_fold_matrix_share share = {.part = 2, .parts = 2};
    unsigned budgets = 0;

    (void)state;
    build(UTET_I32, 0, 5);
    ask(0, 0, (utet_range){0, OBSERVATIONS, 1}, (utet_range){0, VARIABLES, 1});
    start(&parts[0], &one);
    assert_int_equal(utet_fold_matrix_divide(&parts[0].matrix, &share), UTET_E_ARGUMENT);
    share = (utet_fold_matrix_share){.part = 0, .parts = OBSERVATIONS + 1};
    assert_int_equal(utet_fold_matrix_divide(&parts[0].matrix, &share), UTET_E_ARGUMENT);
    share = (utet_fold_matrix_share){.part = 0, .parts = 0};
    assert_int_equal(utet_fold_matrix_divide(&parts[0].matrix, &share), UTET_E_ARGUMENT);
    share = (utet_fold_matrix_share){.part = 1, .parts = 2, .join = join};
    assert_int_equal(utet_fold_matrix_divide(&parts[0].matrix, &share), UTET_E_ARGUMENT);
    share = (utet_fold_matrix_share){.parts = 2};
    assert_int_equal(utet_fold_matrix_pieces(&parts[0].matrix, RESULTS - 1), UTET_OK);
    assert_int_equal(utet_fold_matrix_divide(&parts[0].matrix, &share), UTET_E_SPACE);
    assert_int_equal(utet_fold_matrix_pieces(&parts[0].matrix, RESULTS), UTET_OK);
    assert_int_equal(utet_fold_matrix_divide(&parts[0].matrix, &share), UTET_OK);
    assert_int_equal(utet_fold_matrix_divide(&parts[0].matrix, &share), UTET_E_STATE);
    assert_int_equal(utet_fold_matrix_pieces(&parts[0].matrix, RESULTS), UTET_E_STATE);
    rig_end(&parts[0].r, "refused");

    /* Without memory for all sums; the size that is told suffices. */
    ask(0, 1, (utet_range){0, OBSERVATIONS, 1}, (utet_range){0, VARIABLES, 1});
    start(&parts[0], &one);
    rig_end(&parts[0].r, "refused");
    for (work = (size_t)parts[0].matrix.need.least; work < parts[0].matrix.need.best; work += 120) {
        utet_status status;

        start(&parts[0], &one);
        status = utet_fold_matrix_divide(&parts[0].matrix, &share);
        suite_check(parts[0].matrix.block == VARIABLES
                        ? status == UTET_OK
                        : status == UTET_E_BUDGET && parts[0].r.file.needed == parts[0].matrix.need.best,
                    "%u bytes: %s", (unsigned)work, rig_status(status));
        budgets += status != UTET_OK;
        rig_end(&parts[0].r, "refused");
    }
    work = (size_t)parts[0].matrix.need.best;
    start(&parts[0], &one);
    assert_int_equal(utet_fold_matrix_divide(&parts[0].matrix, &share), UTET_OK);
    rig_end(&parts[0].r, "refused");
    assert_true(budgets > 3);
    work = 60000;
    tetgen_free(&g);

    /* Without observations, and without variables. */
    for (unsigned empty = 0; empty < 2; empty++) {
        data.shape[0] = empty == 0 ? 0 : OBSERVATIONS;
        data.shape[1] = empty == 1 ? 0 : VARIABLES;
        tetgen_build(&g);
        ask(0, 0, (utet_range){0, data.shape[0], 1}, (utet_range){0, data.shape[1], 1});
        start(&parts[0], &one);
        share = (utet_fold_matrix_share){.parts = 1};
        assert_int_equal(utet_fold_matrix_divide(&parts[0].matrix, &share), UTET_E_ARGUMENT);
        rig_end(&parts[0].r, "nothing");
        tetgen_free(&g);
    }
}

/* What differs in the second part: before it is opened, or after it has been read. */
enum { BEFORE = 5, SHARED = 6, AFTER = 12 };

static void change_before(unsigned change)
{
    utet_range *const ranges = parts[1].ranges;

    switch (change) {
    case 0: ranges[1].start++; break;
    case 1: ranges[0] = (utet_range){0, 11, 1}; break;
    case 2: ranges[0] = (utet_range){1, 23, 2}; break;
    case 3: ranges[1] = (utet_range){0, 6, 2}; break;
    default: parts[1].variables.correlation = 1; break;
    }
}

static void change_after(unsigned change)
{
    switch (change) {
    case 6: parts[1].d.id++; break;
    case 7: parts[1].d.chunk_shape[0]++; break;
    case 8: parts[1].matrix.priv.dtype++; break;
    case 9: parts[1].matrix.order++; break;
    case 10: parts[1].matrix.observed++; break;
    default: parts[1].matrix.priv.along ^= 1; break;
    }
}

/* Parts that do not follow, that have been merged, or whose workspace has been taken. */
static void merges_refused(void **state)
{
    joining j;

    (void)state;
    build(UTET_I32, 0, 5);
    ask(0, 0, (utet_range){0, 12, 1}, (utet_range){0, 3, 1});
    read_parts(3, &j);
    assert_int_equal(utet_fold_matrix_merge(&parts[1].matrix, &parts[1].matrix), UTET_E_STATE);
    assert_int_equal(utet_fold_matrix_merge(&parts[0].matrix, &parts[1].matrix), UTET_E_STATE); /* has not joined */
    assert_int_equal(utet_fold_matrix_merge(&parts[2].matrix, &parts[1].matrix), UTET_E_ARGUMENT);
    assert_int_equal(utet_fold_matrix_merge(&parts[1].matrix, &parts[2].matrix), UTET_OK);
    assert_int_equal(utet_fold_matrix_merge(&parts[1].matrix, &parts[2].matrix), UTET_E_STATE); /* again */
    DRIVE_OK(utet_fold_matrix_run(&parts[0].matrix, results, RESULTS));
    end_parts(3);

    read_parts(2, &j);
    DRIVE_OK(utet_fold_matrix_open(&one.matrix, &parts[1].r.file, &parts[1].variables));
    DRIVE_OK(utet_fold_matrix_run(&one.matrix, results, RESULTS));
    start(&parts[2], &one);
    parts[2].share = (utet_fold_matrix_share){.part = 1, .parts = 2};
    assert_int_equal(utet_fold_matrix_merge(&parts[2].matrix, &parts[1].matrix), UTET_E_STATE); /* not divided */
    assert_int_equal(utet_fold_matrix_divide(&parts[2].matrix, &parts[2].share), UTET_OK);
    assert_int_equal(utet_fold_matrix_merge(&parts[2].matrix, &parts[1].matrix), UTET_E_STATE); /* not read */
    j.leaves_one = 1;
    DRIVE(j.error, utet_fold_matrix_run(&parts[0].matrix, results, RESULTS));
    assert_int_equal(j.error, UTET_E_STATE); /* a part is missing */
    end_parts(3);

    for (unsigned change = 0; change < AFTER; change++) {
        utet_status status;

        ask(0, 0, (utet_range){0, 12, 1}, (utet_range){0, 3, 1});
        for (unsigned i = 0; i < 2; i++) {
            start(&parts[i], &one);
            if (i == 1 && change < BEFORE) {
                change_before(change);
                DRIVE_OK(utet_fold_matrix_open(&parts[1].matrix, &parts[1].r.file, &parts[1].variables));
            }
            parts[i].share = (utet_fold_matrix_share){.part = i, .parts = i == 1 && change == BEFORE ? 3 : 2};
            assert_int_equal(utet_fold_matrix_divide(&parts[i].matrix, &parts[i].share), UTET_OK);
            DRIVE_OK(utet_fold_matrix_run(&parts[i].matrix, NULL, 0));
        }
        if (change >= SHARED)
            change_after(change);
        status = utet_fold_matrix_merge(&parts[0].matrix, &parts[1].matrix);
        suite_check(status == UTET_E_ARGUMENT, "change %u: %s", change, rig_status(status));
        end_parts(2);
    }
    tetgen_free(&g);
}

/* A matrix that is not open; files in the middle of another call; sums that another matrix has overwritten. */
static void merges_of_nothing(void **state)
{
    static utet_fold_matrix zeros;
    utet_fold_matrix_share share = {.parts = 1};
    joining j;

    (void)state;
    assert_int_equal(utet_fold_matrix_divide(&zeros, &share), UTET_E_STATE);
    build(UTET_I32, 0, 5);
    ask(0, 0, (utet_range){0, 12, 1}, (utet_range){0, 3, 1});
    start(&parts[0], &one);
    parts[0].r.file.priv.busy = UTET_CALL_FOLD_RUN;
    assert_int_equal(utet_fold_matrix_divide(&parts[0].matrix, &share), UTET_E_STATE);
    parts[0].r.file.priv.busy = UTET_CALL_NONE;
    end_parts(1);

    for (unsigned busy = 0; busy < 2; busy++) {
        read_parts(3, &j);
        parts[1 + busy].r.file.priv.busy = UTET_CALL_FOLD_RUN;
        assert_int_equal(utet_fold_matrix_merge(&parts[1].matrix, &parts[2].matrix), UTET_E_STATE);
        parts[1 + busy].r.file.priv.busy = UTET_CALL_NONE;
        end_parts(3);
    }
    read_parts(3, &j);
    DRIVE_OK(utet_fold_matrix_open(&one.matrix, &parts[1].r.file, &parts[1].variables));
    DRIVE_OK(utet_fold_matrix_run(&one.matrix, results, RESULTS));
    assert_int_equal(utet_fold_matrix_merge(&parts[1].matrix, &parts[2].matrix), UTET_E_STATE);
    end_parts(3);
    tetgen_free(&g);
}

/* A join that fails; one that waits until the call is cancelled; too little room for the results. */
static void joins(void **state)
{
    utet_status status;
    joining j;

    (void)state;
    build(UTET_F32, 1, 5);
    ask(1, 0, (utet_range){0, OBSERVATIONS, 1}, (utet_range){0, VARIABLES, 1});
    read_parts(2, &j);
    j.error = UTET_E_PORT;
    assert_int_equal(utet_fold_matrix_run(&parts[0].matrix, results, RESULTS - 1), UTET_E_SPACE);
    DRIVE(status, utet_fold_matrix_run(&parts[0].matrix, results, RESULTS));
    assert_int_equal(status, UTET_E_PORT);
    assert_int_equal(utet_fold_matrix_run(&parts[0].matrix, results, RESULTS), UTET_E_PORT); /* it stays */
    assert_int_equal(j.calls, 1);
    end_parts(2);

    read_parts(2, &j);
    j.waits = 2;
    do
        status = utet_fold_matrix_run(&parts[0].matrix, results, RESULTS);
    while (status == UTET_WOULD_BLOCK && j.calls == 0);
    assert_int_equal(status, UTET_WOULD_BLOCK);
    utet_cancel(&parts[0].r.file);
    assert_int_equal(utet_fold_matrix_run(&parts[0].matrix, results, RESULTS), UTET_E_STATE);
    end_parts(2);
    tetgen_free(&g);
}

/* Every read of a part fails once: the part has the error, and the others are unharmed. */
static void faults(void **state)
{
    unsigned count = 0;
    joining j;

    (void)state;
    build(UTET_I16, 0, 5);
    ask(0, 1, (utet_range){0, OBSERVATIONS, 1}, (utet_range){0, VARIABLES, 1});
    compute_whole();
    for (;; count++) {
        utet_status status;

        j = (joining){.count = 2};
        for (unsigned i = 0; i < 2; i++) {
            start(&parts[i], &one);
            divide(i, 2, &j);
        }
        parts[1].r.port.fault = FAULT_ERROR;
        parts[1].r.port.fault_at = parts[1].r.port.reads + count;
        DRIVE(status, utet_fold_matrix_run(&parts[1].matrix, NULL, 0));
        parts[1].r.port.fault = FAULT_NONE;
        if (status != UTET_OK) {
            assert_int_equal(status, FAULTPORT_ERROR);
            assert_int_equal(utet_fold_matrix_merge(&parts[0].matrix, &parts[1].matrix), UTET_E_STATE);
            DRIVE_OK(utet_fold_matrix_open(&parts[1].matrix, &parts[1].r.file, &parts[1].variables));
            divide(1, 2, &j);
            DRIVE_OK(utet_fold_matrix_run(&parts[1].matrix, NULL, 0));
        }
        DRIVE_OK(utet_fold_matrix_run(&parts[0].matrix, results, RESULTS));
        assert_memory_equal(results, wanted, sizeof wanted);
        end_parts(2);
        if (status == UTET_OK)
            break;
    }
    assert_true(count > 4);
    tetgen_free(&g);
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        cmocka_unit_test(every_division), cmocka_unit_test(each_chunk_once),       cmocka_unit_test(divisions_refused),
        cmocka_unit_test(merges_refused), cmocka_unit_test(merges_of_nothing),     cmocka_unit_test(joins),
        cmocka_unit_test(faults),         cmocka_unit_test(boxes_end_with_chunks),
    };

    return SUITE("foldmatrix", cases);
}
