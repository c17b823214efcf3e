/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* What the suites of the statuses of folds share: a file, and each call prepared on it. */
#ifndef FOLDSTATUS_H
#define FOLDSTATUS_H

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

static inline void world_make(world *w, int transform)
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

static inline uint8_t *row(world *w, unsigned n)
{
    return w->g.bytes + w->g.index_offset + 32 + 104 * n;
}

static inline void flush(world *w)
{
    utet_dataset d;

    DRIVE_OK(utet_dataset_first(&w->r.file, &d));
}

static inline void dataset(world *w, uint32_t id)
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

static inline void open_file(world *w, uint32_t id)
{
    rig_start(&w->r, w->work, GUARD_AFTER);
    DRIVE_OK(utet_open(&w->r.file, &(utet_options){.budget = (size_t)-1}));
    dataset(w, id);
}

static inline utet_status call(world *w, unsigned which)
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

static inline utet_status driven(world *w, unsigned which)
{
    utet_status status;

    DRIVE(status, call(w, which));
    return status;
}

static inline void get_ready(world *w, unsigned which)
{
    open_file(w, ZSTD);
    if (which >= RUN) {
        DRIVE_OK(call(w, OPEN));
        flush(w);
    }
}

typedef struct status_case {
    char name[STATUSES_NAME];
    unsigned row, call;
} status_case;

#endif
