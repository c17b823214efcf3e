/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Frama-C EVA over covariances and correlations of elements of any bits: requests, plans, blocks, sums, results.
 * EVA_PART 1: covariances; 2: correlations; 3: the product of two deviations; 4: covariances in two parts. An alarm is
 * possible undefined behaviour.
 *
 * eva.sh: 4 parts, x86_32, x86_64, ppc_32
 *   1: -eva-min-loop-unroll 140 -eva-slevel 50 -warn-special-float none -eva-use-spec utet_div
 *       -eva-slevel-function eva_main:5000,whole:5000,matrix_prepare:500,matrix_run:5000,take_run:500
 *       -eva-slevel-function matrix_next_run:500
 *       -eva-slevel-function utet_fold_matrix_run:500,utet_slab_next:500,choose_block:500,covariance_difference:0
 *       -eva-slevel-function utet_fold_wide_add:0
 *       -eva-split-return-function open_once:0:1:2,matrix_next_box:0,next_blocks:0
 *       -eva-split-return-function @{test/eva/eva_slab.h src/fold/fold_matrix.c}:0:1:2
 *   2: -eva-min-loop-unroll 140 -eva-slevel 50 -warn-special-float none
 *       -eva-use-spec utet_div,utet_fold_binary_multiply
 *       -eva-slevel-function eva_main:5000,whole:5000,matrix_prepare:500,matrix_run:5000,take_run:500
 *       -eva-slevel-function matrix_next_run:500
 *       -eva-slevel-function utet_fold_matrix_run:500,utet_slab_next:500,choose_block:500,covariance_difference:0
 *       -eva-slevel-function utet_fold_wide_add:0
 *       -eva-split-return-function open_once:0:1:2,matrix_next_box:0,next_blocks:0
 *       -eva-split-return-function @{test/eva/eva_slab.h src/fold/fold_matrix.c}:0:1:2
 *   3: -eva-min-loop-unroll 140
 *   4: -eva-min-loop-unroll 140 -eva-slevel 50 -warn-special-float none
 *       -eva-use-spec utet_div,utet_fold_binary_multiply
 *       -eva-slevel-function eva_main:5000,both:5000,matrix_prepare:500,matrix_run:5000,take_run:500
 *       -eva-slevel-function matrix_next_run:500,matrix_first_of:500,utet_fold_matrix_divide:500
 *       -eva-slevel-function utet_fold_matrix_run:500,utet_slab_next:500,choose_block:500,covariance_difference:0
 *       -eva-slevel-function utet_fold_wide_add:0
 *       -eva-split-return-function open_part:0:1:2,matrix_next_box:0,next_blocks:0
 *       -eva-split-return-function @{test/eva/eva_slab.h src/fold/fold_matrix.c}:0:1:2
 */
#define MEMORY 1024
#include "eva_slab.h"

#include "fold/fold.h"

#if EVA_PART == 2 || EVA_PART == 4
/* Assumed: it is not 0 if the covariance is not. */
/*@ assigns \result \from a->magnitude, b->magnitude, a->exponent, b->exponent;
    ensures 0x10000000000000 <= \result.magnitude <= 0x1FFFFFFFFFFFFF;
    ensures -8192 <= \result.exponent <= 8192; */
utet_fold_binary utet_fold_binary_multiply(const utet_fold_binary *a, const utet_fold_binary *b);
#endif

#include "fold/fold_binary.c"
#include "fold/fold_wide.c"
#include "fold/fold_matrix.h"

#include "fold/fold_covariance.c"
#include "fold/fold_matrix.c"

#if EVA_PART == 3
static utet_fold_binary any_binary(void)
{
    utet_fold_binary number;

    number.magnitude = (uint64_t)1 << 52 | any64() >> 12;
    number.exponent = Frama_C_interval(-4096, 4096);
    number.negative = 0;
    return number;
}

void eva_main(void)
{
    const utet_fold_binary a = any_binary();
    const utet_fold_binary b = any_binary();

    (void)utet_fold_binary_multiply(&a, &b);
}
#elif EVA_PART == 4
#include "fold/fold_matrix_merge.c"

static utet_fold_matrix matrix;
static utet_fold_matrix other;
static utet_file other_file;
static uint64_t other_memory[MEMORY];
static double results[9];

static utet_status join(void *context, utet_fold_matrix *into)
{
    (void)context;
    if (suspends && !suspended) {
        suspended = 1;
        return UTET_WOULD_BLOCK;
    }
    suspended = 0;
    return utet_fold_matrix_merge(into, &other);
}

static utet_status open_part(utet_fold_matrix *part, utet_file *of, const utet_fold_variables *variables)
{
    utet_status status;

    do
        status = utet_fold_matrix_open(part, of, variables);
    while (status == UTET_WOULD_BLOCK);
    return status;
}

/* Each matrix reads its part, and one gives the results of both. */
static void both(const utet_fold_variables *variables)
{
    utet_fold_matrix_share share = {.part = 0, .parts = 2, .join = join};
    utet_fold_matrix_share other_share = {.part = 1, .parts = 2};
    utet_status status;
    size_t size;

    (void)utet_fold_matrix_divide(&matrix, &share);
    if (open_part(&matrix, &file, variables) != UTET_OK || open_part(&other, &other_file, variables) != UTET_OK)
        return;
    if (utet_fold_matrix_divide(&matrix, &share) != UTET_OK || utet_fold_matrix_divide(&other, &other_share) != UTET_OK)
        return;
    do
        status = utet_fold_matrix_run(&other, NULL, 0);
    while (status == UTET_WOULD_BLOCK);
    size = (size_t)matrix.order * matrix.order;
    /*@ assert results: size <= 9; */
    do
        status = utet_fold_matrix_run(&matrix, results + (9 - size), size);
    while (status == UTET_WOULD_BLOCK);
    (void)utet_fold_matrix_run(&matrix, results + (9 - size), size);
    /* Invalid, or of another request. */
    (void)utet_fold_matrix_merge(&matrix, &other);
    share.priv.state = FOLD_PART_READ;
    other_share.priv.state = FOLD_PART_READ;
    other_share.part = any64();
    (void)utet_fold_matrix_merge(&matrix, &other);
}

void eva_main(void)
{
    static const shape shapes[] = {{{2, 3}, 1, 2}, {{3, 2}, 2, 2}, {{2, 0}, 1, 2}};
    utet_fold_variables variables = {.dataset = &dataset, .ranges = ranges};
    unsigned s;
    unsigned b;

    slab_least = 8;
    slab_best = 32;
    for (s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (b = 0; b < 4; b++) {
            set_shape(&shapes[s], 2);
            dataset.dtype = b == 0 ? UTET_U8 : UTET_F16;
            set_memory(&file, memory, b == 3 ? 700 : 8192);
            set_memory(&other_file, other_memory, 8192);
            suspends = (int)(b & 1u);
            fails = b == 2;
            run_most = 2;
            variables.observations = (uint8_t)((s + b) & 1u);
            variables.correlation = b == 2;
            both(&variables);
        }
}
#else
static utet_fold_matrix matrix;
static double results[9], others[9];

/* The program's replacement for elements: any bits of the same length. */
static uint64_t any_change(void *context, uint64_t bits, uint64_t observation, uint32_t variable)
{
    (void)context;
    (void)observation;
    (void)variable;
    return bits & any64();
}

/* The request of a call that is repeated is at another address: the first one is gone. */
static utet_status open_once(const utet_fold_variables *variables)
{
    const utet_fold_variables copy = *variables;

    return utet_fold_matrix_open(&matrix, &file, &copy);
}

/* The calls after the first one write elsewhere. */
static void whole(const utet_fold_variables *variables, size_t pieces)
{
    double *to = results;
    utet_status status;
    size_t size;

    do {
        status = open_once(variables);
        use_kept();
    } while (status == UTET_WOULD_BLOCK);
    if (status != UTET_OK)
        return;
    size = (size_t)matrix.order * matrix.order;
    /*@ assert results: size <= 9; */
    if (pieces != 0 && utet_fold_matrix_pieces(&matrix, pieces) == UTET_OK)
        size = pieces;
    do {
        status = utet_fold_matrix_run(&matrix, to + (9 - size), size);
        to = others;
        use_kept();
    } while (status == UTET_WOULD_BLOCK || (status == UTET_OK && pieces != 0));
    (void)utet_fold_matrix_run(&matrix, results + (9 - size), size);
}

/* Requests that are refused, and those for the need only. */
static void requests(void)
{
    utet_fold_variables variables = {0};

    (void)utet_fold_matrix_run(&matrix, results, 0);
    (void)utet_fold_matrix_pieces(&matrix, 0);
    file.priv.state = Frama_C_interval(0, 1) ? UTET_STATE_OPEN : UTET_STATE_FAILED;
    file.priv.busy = Frama_C_interval(0, 1) ? UTET_CALL_NONE : UTET_CALL_OPEN;
    variables.dataset = Frama_C_interval(0, 1) ? &dataset : NULL;
    variables.ranges = Frama_C_interval(0, 1) ? ranges : NULL;
    variables.observations = (uint8_t)Frama_C_interval(0, 2);
    dataset.dtype = any32();
    (void)utet_fold_matrix_need(&matrix, &file, &variables);
}

void eva_main(void)
{
    static const shape shapes[] = {{{2, 3}, 1, 2}, {{3, 2}, 2, 2}, {{2, 0}, 1, 2}};
    static const size_t budgets[] = {160, 700, 8192};
    static const uint32_t dtypes[] = {UTET_U8, UTET_F16, UTET_F16, UTET_U8};
    static const utet_fold_change change = {any_change, NULL};
    utet_fold_variables variables = {.dataset = &dataset, .ranges = ranges, .correlation = EVA_PART == 2};
    unsigned s;
    unsigned b;

    requests();
    slab_least = 8;
    slab_best = 32;
    for (s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (b = 0; b < 4; b++) {
            set_shape(&shapes[s], 2);
            dataset.dtype = dtypes[b]; /* of others, products of sums fit by a relation of numbers */
            set_memory(&file, memory, b == 3 ? 8192 : budgets[(b + s) % 3]);
            suspends = (int)(b & 1u);
            fails = b == 2;
            run_most = 2;
            variables.observations = (uint8_t)((s + b) & 1u);
            variables.change = b == 1 ? &change : NULL;
            whole(&variables, b == 0 ? 6 : 0);
        }
}
#endif
