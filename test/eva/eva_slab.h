/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Slabs of any bytes, for harnesses of what folds read and where they put it: the slab's calls deliver each run of the
 * block that was requested, fail at any time, or are suspended once each.
 */
#include "eva_any.h"

/* Core 1 proves it for all numbers. */
/*@ requires divisor != 0;
    assigns \result \from dividend, divisor;
    ensures \result == dividend / divisor; */
uint64_t utet_div(uint64_t dividend, uint64_t divisor);

#include "base/bytes.c"
#include "base/room.c"
#include "base/file.c"
#include "base/nested.c"

/* Window.c has them (window 1 to 3). */
/*@ assigns \result \from bytes; */
size_t utet_window_fit(const utet_file *file, size_t bytes);
/*@ assigns file->priv.window, file->priv.held \from size; */
void utet_window_resize(utet_file *file, size_t size);

#include "fold/fold.h"
#include "tet/stream/stream.h"
#include "fold/fold_double.c"
#include "fold/fold_element.c"

#ifndef MEMORY
#define MEMORY 64 /* words of workspace */
#endif
#define AXES 3
#define ELEMENTS 8 /* maximum number of elements of a run */

static utet_file file;
static utet_dataset dataset;
static utet_range ranges[AXES];
static uint64_t memory[MEMORY];
static uint8_t elements[ELEMENTS * 8];

static int suspends;      /* each call of the slab is suspended once */
static int fails;         /* each may fail */
static int suspended;     /* whether the current call has been suspended */
static uint64_t run_most; /* elements of a run */
static uint64_t at[AXES]; /* where the next run begins, in the block */
static utet_file *slab_file;
static int box_over;
static uint64_t slab_least; /* the slab's need */
static uint64_t slab_best;

/* ---- the slab's calls, by utet.h ---- */

static utet_status answer(utet_file *of, uint8_t call)
{
    if (suspends && !suspended) {
        suspended = 1;
        of->priv.busy = call;
        return UTET_WOULD_BLOCK;
    }
    suspended = 0;
    of->priv.busy = UTET_CALL_NONE;
    return fails && Frama_C_interval(0, 1) ? UTET_E_ROW : UTET_OK;
}

static void take_ranges(utet_slab *slab, const utet_range *of)
{
    unsigned d;

    slab->count = 1;
    for (d = 0; d < dataset.ndim; d++) {
        /*@ assert range: of[d].start <= of[d].stop && of[d].step >= 1; */
        slab->axis[d].count = utet_div_up(of[d].stop - of[d].start, of[d].step);
        slab->axis[d].priv.start = of[d].start;
        slab->axis[d].priv.step = of[d].step;
        slab->count = utet_mul(slab->count, slab->axis[d].count);
    }
}

utet_status utet_slab_need(utet_slab *slab, utet_file *of, const utet_dataset *from, const utet_range *which)
{
    utet_status status = answer(of, UTET_CALL_SLAB_NEED);

    (void)from;
    if (status == UTET_WOULD_BLOCK)
        kept_argument = which;
    if (status != UTET_OK)
        return status;
    take_ranges(slab, which);
    slab->need.least = slab_least;
    slab->need.best = slab_best;
    return UTET_OK;
}

utet_status utet_slab_open(utet_slab *slab, utet_file *of, const utet_dataset *from, const utet_range *which)
{
    utet_status status = answer(of, UTET_CALL_SLAB_OPEN);
    unsigned d;

    (void)from;
    if (status == UTET_WOULD_BLOCK)
        kept_argument = which;
    if (status == UTET_E_ROW && Frama_C_interval(0, 1)) {
        of->needed = any32();
        return UTET_E_BUDGET;
    }
    if (status != UTET_OK)
        return status;
    take_ranges(slab, which);
    for (d = 0; d < dataset.ndim; d++) {
        at[d] = 0;
        slab->axis[d].priv.base = 0;
        slab->axis[d].priv.place = 0;
    }
    box_over = slab->count == 0;
    of->priv.owner = slab;
    slab_file = of;
    return UTET_OK;
}

/* Row after row of the block, in runs of at most run_most elements that end where their memory ends. */
utet_status utet_slab_next(utet_slab *slab, utet_run *run)
{
    unsigned d = dataset.ndim - 1u;
    utet_status status;
    uint64_t left;

    if (box_over)
        return UTET_END;
    status = answer(slab_file, UTET_CALL_SLAB_RUN);
    if (status != UTET_OK)
        return status;
    left = slab->axis[d].count - at[d];
    run->count = (size_t)(left < run_most ? left : run_most);
    run->stride = utet_dtype_layouts[dataset.dtype].bytes;
    run->data = elements + (sizeof elements - run->count * run->stride);
    at[d] += run->count;
    while (at[d] == slab->axis[d].count && d != 0) {
        at[d] = 0;
        d--;
        at[d]++;
    }
    box_over = at[0] == slab->axis[0].count;
    for (d = 0; d < dataset.ndim; d++)
        slab->axis[d].priv.place = at[d];
    return UTET_OK;
}

/* ---- requests ---- */

/* Selections: the number of indices on each axis, and the step between them. */
typedef struct shape {
    uint64_t count[AXES];
    uint64_t step;
    uint8_t ndim;
} shape;

static void set_shape(const shape *of, uint64_t chunk)
{
    unsigned d;

    dataset.ndim = of->ndim;
    for (d = 0; d < of->ndim; d++) {
        dataset.chunk_shape[d] = chunk;
        fold_places(&ranges[d], of->count[d] != 0 ? 1 : 0, of->step, of->count[d]);
    }
}

/* As much workspace as given, which ends with the object. */
static void set_memory(utet_file *of, uint64_t *work, size_t bytes)
{
    of->priv.state = UTET_STATE_OPEN;
    of->priv.busy = UTET_CALL_NONE;
    of->budget = bytes;
    of->priv.work = (uint8_t *)work + (sizeof memory - bytes);
    of->priv.buffer = of->priv.work + UTET_HEADROOM;
    Frama_C_make_unknown((char *)work, sizeof memory);
    suspended = 0;
}
