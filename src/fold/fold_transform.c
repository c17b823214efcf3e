/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Transforms: a fold in two or three passes. Each box is folded, its cells become statistics, and in the last pass its
 * elements are written to their positions. So memory for one cell is enough, however many elements there are.
 */
#include "fold_transform.h"

/* ---- what methods share ---- */

static utet_transform *transform_of(const fold_part *part)
{
    return part->fold->priv.transform;
}

uint64_t utet_transform_finish(utet_transform *transform, const utet_fold_operation *operation, void *cell)
{
    utet_fold *fold = &transform->fold;
    uint64_t result;

    fold->priv.operation = operation;
    result = operation->finish(fold, transform_layout(transform), cell);
    fold->priv.operation = &transform->priv.method->own;
    return result;
}

void utet_transform_take_as(const fold_part *part, const utet_fold_operation *operation)
{
    utet_transform *transform = transform_of(part);

    transform->fold.priv.operation = operation;
    operation->take(part);
    transform->fold.priv.operation = &transform->priv.method->own;
}

void utet_transform_fold(const fold_part *part)
{
    utet_transform_take_as(part, transform_of(part)->priv.method->first);
}

void utet_transform_settle(utet_transform *transform, uint8_t *cell)
{
    uint64_t *statistics = (void *)cell;

    statistics[0] = utet_transform_finish(transform, transform->priv.method->first, cell);
}

uint64_t utet_transform_divide(uint64_t a, uint64_t b)
{
    const uint64_t size = b & ~FOLD_DOUBLE_SIGN;

    return size == 0 || size >= FOLD_DOUBLE_INF ? TRANSFORM_UNDEFINED : utet_fold_quotient(a, b);
}

uint64_t utet_transform_value(const fold_layout *layout, const fold_element *element)
{
    const unsigned up = 63u - layout->fraction; /* so that rounding finds the highest bit at once */

    return utet_fold_round(element->negative, element->magnitude << up,
                           layout->lowest + (int32_t)element->shift - (int32_t)up, 0);
}

/* ---- passes ---- */

static void transform_put(const utet_transform *transform, uint64_t number, uint64_t bits)
{
    const unsigned size = transform_layout(transform)->bytes;

    fold_store((uint8_t *)transform->priv.into->elements + (size_t)number * size, size, bits);
}

static uint64_t transform_narrowed(const utet_transform *transform, uint64_t value)
{
    return transform->fold.priv.dataset->dtype == UTET_F32 ? utet_fold_narrow(value) : value;
}

/* The element as it is written. */
static uint64_t transform_element(utet_transform *transform, uint64_t bits, const uint64_t *statistics, uint64_t number)
{
    const fold_layout *layout = transform_layout(transform);
    const utet_transform_into *into = transform->priv.into;
    fold_element element;
    uint64_t value;

    utet_fold_split(layout, bits, &element);
    if (element.special != FOLD_FINITE)
        return bits;
    value = transform->priv.method->apply(utet_transform_value(layout, &element), statistics);
    if (value == TRANSFORM_UNDEFINED) {
        value = FOLD_DOUBLE_NAN;
        transform->undefined++;
        if (into->undefined != NULL)
            into->undefined(into->context, number);
    }
    return transform_narrowed(transform, value);
}

static void write_run(const fold_part *part)
{
    utet_transform *transform = transform_of(part);
    const uint64_t from = transform->priv.into->from;
    size_t i;

    for (i = 0; i < part->count; i++) {
        const uint64_t number = part->place + i * part->place_step;

        if (number - from < transform->priv.wanted)
            transform_put(transform, number - from,
                          transform_element(transform, utet_fold_load(part->layout, part->data + i * part->stride),
                                            (const void *)(part->cell + i * part->cell_step), number));
    }
}

void utet_transform_take(const fold_part *part)
{
    const utet_transform_method *method = transform_of(part)->priv.method;
    const uint32_t turn = part->fold->priv.turn;

    if (turn + 1 == method->passes)
        write_run(part);
    else if (turn == 1)
        method->second(part);
    else
        method->fold(part);
}

static uint32_t transform_passes(const utet_fold *fold)
{
    return fold->priv.transform->priv.method->passes;
}

static void transform_choose(utet_fold *fold, size_t memory)
{
    (void)utet_fold_set_cells(fold, memory, fold->priv.least_bytes + fold->priv.extra_bytes);
    fold->passes = transform_passes(fold);
}

static int transform_again(utet_fold *fold, double *results)
{
    utet_transform *transform = fold->priv.transform;
    const utet_transform_method *method = transform->priv.method;
    const uint32_t left = method->passes - 1u - fold->priv.turn;
    size_t i;
    unsigned j;

    if (left == 0)
        return 0;
    for (i = 0; i < fold->priv.cells; i++) {
        uint8_t *cell = fold_cell_at(fold, i);
        const uint64_t *statistics = (const void *)cell;

        method->settle(transform, cell);
        for (j = 0; left == 1 && j < fold->priv.values; j++)
            *results++ = utet_fold_value(statistics[j]);
    }
    return 1;
}

static const fold_turns transform_turns = {transform_passes, transform_choose, transform_again, FOLD_OTHERS};

utet_status utet_transform_prepare(utet_fold *fold, const utet_fold_request *request)
{
    utet_transform *transform = (void *)fold; /* its first member */
    const utet_transform_method *method = transform->priv.method;

    (void)request;
    fold->priv.least_bytes = fold_operation_bytes(method->first, transform_layout(transform));
    if (fold->priv.least_bytes < method->bytes)
        fold->priv.least_bytes = method->bytes;
    fold->priv.wide_bytes = fold->priv.least_bytes;
    fold->priv.transform = transform;
    fold->priv.turns = &transform_turns;
    fold->priv.values = method->statistics;
    return UTET_OK;
}

/* ---- calls ---- */

UTET_APART static utet_status transform_prepare(utet_transform *transform, utet_file *file,
                                                const utet_fold_request *request, const utet_transform_method *method,
                                                uint8_t call)
{
    utet_fold_request own = *request;
    utet_status status;

    if (method == NULL)
        return UTET_E_ARGUMENT;
    if (file->priv.busy == call && transform->priv.method != method)
        return UTET_E_STATE;
    status = utet_enter_over(file, call, &transform->priv.inner);
    if (status != UTET_OK)
        return status;
    own.operation = &method->own;
    transform->priv.method = method;
    status = call == UTET_CALL_TRANSFORM_OPEN ? utet_fold_open(&transform->fold, file, &own)
                                              : utet_fold_need(&transform->fold, file, &own);
    if (status == UTET_OK) {
        transform->count = transform->fold.box.slab.count;
        transform->undefined = 0;
    }
    return utet_leave_over(file, call, &transform->priv.inner, status);
}

utet_status utet_transform_need(utet_transform *transform, utet_file *file, const utet_fold_request *request,
                                const utet_transform_method *method)
{
    return transform_prepare(transform, file, request, method, UTET_CALL_TRANSFORM_NEED);
}

utet_status utet_transform_open(utet_transform *transform, utet_file *file, const utet_fold_request *request,
                                const utet_transform_method *method)
{
    return transform_prepare(transform, file, request, method, UTET_CALL_TRANSFORM_OPEN);
}

/* All elements are numbered row-major, whether their axis is kept or not; elements that are not taken later are NaN. */
UTET_APART static void transform_begin(utet_transform *transform, const utet_transform_into *into)
{
    utet_fold *fold = &transform->fold;
    const uint64_t none = transform_narrowed(transform, FOLD_DOUBLE_NAN);
    uint64_t place = 1;
    uint64_t i;
    unsigned d = fold->priv.ndim;

    while (d-- != 0) {
        fold->box.axis[d].place = place;
        place = utet_mul(place, fold->box.axis[d].count);
    }
    transform->priv.into = into;
    transform->priv.wanted = utet_div(into->size, transform_layout(transform)->bytes);
    if (into->from >= transform->count)
        transform->priv.wanted = 0;
    else if (transform->priv.wanted > transform->count - into->from)
        transform->priv.wanted = transform->count - into->from;
    for (i = 0; i < transform->priv.wanted; i++)
        transform_put(transform, i, none);
}

utet_status utet_transform_run(utet_transform *transform, const utet_transform_into *into)
{
    utet_fold *fold = &transform->fold;
    utet_file *file = fold->priv.file;
    double none;
    utet_status status;

    if (file == NULL)
        return UTET_E_STATE;
    if (file->priv.busy == UTET_CALL_TRANSFORM_RUN && /* repeated with other memory, or less of it */
        (transform->priv.into != into || into->size < transform->priv.wanted * transform_layout(transform)->bytes))
        return UTET_E_STATE;
    if ((into->elements == NULL && into->size != 0) ||
        (fold->priv.grouping != NULL && fold->priv.grouping->counts != NULL) || fold->priv.most != 0)
        return UTET_E_ARGUMENT;
    status = utet_enter_over(file, UTET_CALL_TRANSFORM_RUN, &transform->priv.inner);
    if (status != UTET_OK)
        return status;
    if (fold->priv.state == FOLD_READY) {
        if (into->statistics == NULL) {
            fold->priv.values = 0;
            fold->results = 0;
            if (transform->count == 0) /* there is nothing to do, however many statistics there would be */
                fold->priv.room = 0;
        }
        transform_begin(transform, into);
    }
    status = utet_fold_run(fold, into->statistics != NULL ? into->statistics : &none, into->room);
    return utet_leave_over(file, UTET_CALL_TRANSFORM_RUN, &transform->priv.inner, status);
}
