/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Statuses of folds whose results are delivered in batches, and of folds in parts; suite_foldstatus.c explains the
 * rest. */
#include "fold/fold.h"
#include "foldstatus.h"

/* ---- results in batches: there are few cases ---- */

/* `which`: RUN, or the call that requests batches. */
static utet_status pieces(world *w, unsigned which, utet_status wanted)
{
    size_t least = w->matrix ? 96 : 1;
    utet_status status = UTET_OK;
    unsigned came = 0;

    get_ready(w, RUN);
    w->request.axes = 2; /* 64 results are kept */
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
        DRIVE_OK(call(w, RUN)); /* has been run */
    }
    status = w->matrix ? utet_fold_matrix_pieces(&w->m, least * 5) : utet_fold_pieces(&w->fold, least * 5);
    if (wanted == UTET_E_SPACE) /* no row of the matrix is that short, and nothing is kept */
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

enum { DIVIDE = CALLS, MERGE, FOLLOW };

static utet_status parts(world *w, unsigned which, utet_status wanted)
{
    static utet_fold other;
    static utet_fold_share shares[2];
    utet_status status;

    shares[0] = (utet_fold_share){.parts = 2};
    shares[1] = (utet_fold_share){.part = 1, .parts = 2};
    w->request.axes = 2; /* 64 results are kept */
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
        return which == MERGE ? utet_fold_merge(&w->fold, &w->fold) : utet_fold_follow(&w->fold, &w->fold);
    DRIVE_OK(call(w, RUN));
    other = w->fold; /* as if it had read part 1: their cells are the same ones */
    other.priv.share = &shares[1];
    shares[1].priv = shares[0].priv;
    shares[1].priv.from = wanted == UTET_OK || which == FOLLOW ? 1 : 0;
    w->r.file.priv.owner = &w->fold.box.slab;
    other.priv.room = 0; /* no slab owns them */
    status = utet_fold_merge(&w->fold, &other);
    if (which == MERGE)
        return status;
    assert_int_equal(status, UTET_OK);
    shares[0].priv.state = FOLD_PART_FOLLOWED; /* as if its operation needed another pass */
    shares[0].priv.turn++;
    shares[1].parts += wanted == UTET_E_ARGUMENT;
    return utet_fold_follow(&other, &w->fold);
}

/* The same for suite_foldmatrix. */
static utet_status matrix_parts(world *w, unsigned which, utet_status wanted)
{
    static utet_fold_matrix other;
    static utet_fold_matrix_share shares[2];
    static utet_file copy;
    utet_status status;

    get_ready(w, RUN);
    shares[0] = (utet_fold_matrix_share){.part = which == DIVIDE && wanted == UTET_E_ARGUMENT ? 2 : 0, .parts = 2};
    shares[1] = (utet_fold_matrix_share){.part = wanted == UTET_OK ? 1 : 0, .parts = 2};
    DRIVE_OK(call(w, NEED));
    w->work = (size_t)(which == DIVIDE && wanted == UTET_E_BUDGET ? w->m.need.least : w->m.need.best);
    open_file(w, RAW);
    DRIVE_OK(call(w, OPEN));
    if (which == DIVIDE && wanted == UTET_E_STATE)
        DRIVE_OK(call(w, RUN));
    if (which == DIVIDE && wanted == UTET_E_SPACE)
        assert_int_equal(utet_fold_matrix_pieces(&w->m, w->m.order), UTET_OK);
    status = utet_fold_matrix_divide(&w->m, &shares[0]);
    if (which == DIVIDE)
        return status;
    assert_int_equal(status, UTET_OK);
    if (wanted == UTET_E_STATE)
        return utet_fold_matrix_merge(&w->m, &w->m);
    DRIVE_OK(utet_fold_matrix_run(&w->m, NULL, 0));
    other = w->m; /* as if it had read part 1: their sums are the same ones */
    copy = w->r.file;
    copy.priv.owner = &other.box.slab;
    other.priv.file = &copy;
    other.priv.share = &shares[1];
    shares[1].priv = shares[0].priv;
    return utet_fold_matrix_merge(&w->m, &other);
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
    {"utet_fold_follow", UTET_OK, FOLLOW, 0},
    {"utet_fold_follow", UTET_E_ARGUMENT, FOLLOW, 0},
    {"utet_fold_follow", UTET_E_STATE, FOLLOW, 0},
    {"utet_fold_matrix_divide", UTET_OK, DIVIDE, 1},
    {"utet_fold_matrix_divide", UTET_E_ARGUMENT, DIVIDE, 1},
    {"utet_fold_matrix_divide", UTET_E_STATE, DIVIDE, 1},
    {"utet_fold_matrix_divide", UTET_E_BUDGET, DIVIDE, 1},
    {"utet_fold_matrix_divide", UTET_E_SPACE, DIVIDE, 1},
    {"utet_fold_matrix_merge", UTET_OK, MERGE, 1},
    {"utet_fold_matrix_merge", UTET_E_ARGUMENT, MERGE, 1},
    {"utet_fold_matrix_merge", UTET_E_STATE, MERGE, 1},
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

static void run_piece_case(void **state)
{
    static world w;
    const status_case *s = *state;
    utet_status status;

    world_make(&w, 0);
    w.matrix = piece_rows[s->row].matrix;
    if (piece_rows[s->row].which < CALLS)
        status = pieces(&w, piece_rows[s->row].which, piece_rows[s->row].status);
    else if (w.matrix)
        status = matrix_parts(&w, piece_rows[s->row].which, piece_rows[s->row].status);
    else
        status = parts(&w, piece_rows[s->row].which, piece_rows[s->row].status);
    suite_check(status == piece_rows[s->row].status, "%s: %s", s->name, rig_status(status));
    rig_end(&w.r, s->name);
    tetgen_free(&w.g);
}

int main(int argc, char **argv)
{
    static status_case texts[PIECE_ROWS];
    static struct CMUnitTest cases[PIECE_ROWS];

    for (unsigned i = 0; i < PIECE_ROWS; i++) {
        texts[i].row = i;
        statuses_case(&cases[i], texts[i].name, piece_rows[i].call, piece_rows[i].status, run_piece_case, &texts[i]);
    }
    return statuses_run("foldpiecestatus", cases, PIECE_ROWS, argc, argv);
}
