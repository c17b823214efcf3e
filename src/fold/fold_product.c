/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The product, step by step in row-major order: each is rounded to 53 bits, as a double would be; the exponent has no
 * limit until the end. */
#include "fold.h"

typedef struct product_state {
    uint64_t magnitude; /* 53 bits, the highest being 1; 0: nothing multiplied yet */
    int64_t exponent;
    uint8_t seen; /* NAN or INF, and ZERO */
    uint8_t negative;
} product_state;

enum { ZERO = 4 };

static void product_multiply(product_state *cell, uint64_t by, int32_t exponent)
{
    const utet_fold_binary before = {cell->magnitude, 0, 0};
    utet_fold_binary product = utet_fold_fit(by, exponent, 0, 0);

    if (before.magnitude != 0)
        product = utet_fold_binary_multiply(&before, &product);
    cell->magnitude = product.magnitude;
    cell->exponent += product.exponent;
}

static void product_take(const fold_part *part)
{
    size_t i;

    for (i = 0; i < part->count; i++) {
        product_state *cell = (void *)(part->cell + i * part->cell_step);
        fold_element element;

        utet_fold_split(part->layout, utet_fold_load(part->layout, part->data + i * part->stride), &element);
        cell->negative ^= element.negative;
        if (element.special != FOLD_FINITE)
            cell->seen |= element.special;
        else if (element.magnitude == 0)
            cell->seen |= ZERO;
        else
            product_multiply(cell, element.magnitude, part->layout->lowest + (int32_t)element.shift);
    }
}

static uint64_t product_finish(const utet_fold *fold, const fold_layout *layout, void *memory)
{
    const product_state *cell = memory;
    uint64_t sign = cell->negative ? FOLD_DOUBLE_SIGN : 0u;
    int32_t exponent = (int32_t)cell->exponent;

    (void)fold;
    (void)layout;
    if ((cell->seen & FOLD_NAN) != 0 || cell->seen == (FOLD_INF | ZERO))
        return FOLD_DOUBLE_NAN;
    if (cell->seen != 0)
        return cell->seen == ZERO ? sign : sign | FOLD_DOUBLE_INF;
    if (cell->exponent > 4096)
        exponent = 4096;
    if (cell->exponent < -4096)
        exponent = -4096;
    /* A magnitude of 0 means that there was no factor. */
    return utet_fold_round(cell->negative, cell->magnitude != 0 ? cell->magnitude : 1, exponent, 0);
}

/* If a reduced axis extends over several tiles, each reduced axis before it is read index by index. */
static void product_order_axes(utet_fold *fold)
{
    unsigned d = fold->priv.ndim;
    int across = 0;

    while (d-- != 0) {
        if (fold->box.axis[d].stays)
            continue;
        if (across) {
            fold->box.axis[d].box = 1;
            fold->boxes = utet_mul(fold->boxes, fold->box.axis[d].count);
        }
        across |= fold_across(fold, d);
    }
}

static utet_status product_prepare(utet_fold *fold, const utet_fold_request *request)
{
    (void)request;
    fold->priv.order = product_order_axes;
    return UTET_OK;
}

const utet_fold_operation utet_fold_product = {
    FOLD_ALL_DTYPES, (sizeof(product_state) + 7u) & ~7u, 0, product_prepare, product_take, product_finish};
