/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The product, step by step in row-major order: each is rounded to 53 bits, as a double would be; the exponent has no
 * limit until the end. */
#include "fold_hot.h"
#include "fold_ieee.h"

typedef struct product_state {
    uint64_t magnitude; /* 53 bits, the highest being 1; 0: nothing multiplied yet */
    int64_t exponent;
    uint8_t seen; /* NAN or INF, and ZERO */
    uint8_t negative;
} product_state;

enum { ZERO = 4 };

static void product_begin(product_state *cell)
{
    if (cell->magnitude == 0) { /* 1 */
        cell->magnitude = (uint64_t)1 << 52;
        cell->exponent = -52;
    }
}

/* Multiplies by a number of 32 bits, the highest being 1: the product has 84 or 85 bits. */
FOLD_HOT_INLINE void multiply_short(product_state *cell, uint32_t by, int32_t exponent)
{
    const uint64_t low = (cell->magnitude & UINT32_MAX) * by;
    uint64_t high = (cell->magnitude >> 32) * by + (low >> 32);
    uint32_t rest = (uint32_t)low;

    exponent += 32;
    if (high >> 52 == 0) {
        high = high << 1 | rest >> 31;
        rest <<= 1;
        exponent--;
    }
    high += rest > 0x80000000u - (uint32_t)(high & 1); /* to nearest, ties to even */
    if (high >> 53 != 0) {
        high >>= 1;
        exponent++;
    }
    cell->magnitude = high;
    cell->exponent += exponent;
}

static void product_multiply(product_state *cell, uint64_t by, int32_t exponent)
{
    const utet_fold_binary before = {cell->magnitude, 0, 0};
    utet_fold_binary product;

    if (by >> 32 == 0) {
        for (; by < 0x80000000u; by <<= 1)
            exponent--;
        multiply_short(cell, (uint32_t)by, exponent);
        return;
    }
    product = utet_fold_fit(by, exponent, 0, 0);
    product = utet_fold_binary_multiply(&before, &product);
    cell->magnitude = product.magnitude;
    cell->exponent += product.exponent;
}

static void product_take_one(const fold_part *part, size_t i)
{
    product_state *cell = (void *)(part->cell + i * part->cell_step);
    fold_element element;

    utet_fold_split(part->layout, utet_fold_load(part->layout, part->data + i * part->stride), &element);
    cell->negative ^= element.negative;
    if (element.special != FOLD_FINITE) {
        cell->seen |= element.special;
    } else if (element.magnitude == 0) {
        cell->seen |= ZERO;
    } else {
        product_begin(cell);
        product_multiply(cell, element.magnitude, part->layout->lowest + (int32_t)element.shift);
    }
}

/* ---- loops, where there is room ---- */

FOLD_HOT_INLINE uint64_t product_load(const uint8_t *at, unsigned bytes)
{
    switch (bytes) {
    case 1: return fold_hot_byte(at);
    case 2: return fold_hot_le16(at);
    case 4: return fold_hot_le32(at);
    default: return (uint64_t)fold_hot_le32(at + 4) << 32 | fold_hot_le32(at);
    }
}

/* How many bits of a number that is not 0 are above its highest 1. */
FOLD_HOT_INLINE uint32_t product_lead(uint64_t number)
{
#ifdef __GNUC__
    return (uint32_t)__builtin_clzll(number);
#else
    uint32_t lead = 0;

    for (; number >> 63 == 0; number <<= 1)
        lead++;
    return lead;
#endif
}

/* Sets what an element multiplies by, its highest bit being 1, and its power of 2. Returns 0 for 0, and for a float
 * that is not normal. */
FOLD_HOT_INLINE int product_factor(uint64_t *by, uint32_t *power, uint64_t bits, const fold_layout *layout,
                                   unsigned bytes, unsigned fraction)
{
    if (fraction != 0) {
        const uint32_t most = ((uint32_t)1 << (8 * bytes - 1 - fraction)) - 1;

        *power = ((uint32_t)(bits >> fraction) & most) - 1;
        *by = bits << (63 - fraction) | (uint64_t)1 << 63;
        return *power < most - 1;
    }
    if (layout->kind == FOLD_SIGNED && (bits & layout->sign) != 0)
        bits = 2 * layout->sign - bits;
    *power = 63 - product_lead(bits | 1);
    *by = bits << (63 - *power);
    return bits != 0;
}

/* Multiplies the cell by elements: 37 instructions for f32, none of them a jump that depends on the product, whose
 * length is as random as the data. The magnitude may become 2^53: multiplied by the 64 bits of `by`, it is less than
 * 2^53 again. Returns the number of elements before the first one that is not a factor. */
FOLD_HOT_INLINE size_t product_run_of(product_state *cell, const fold_part *part, size_t from, unsigned bytes,
                                      unsigned fraction)
{
    const fold_layout *const layout = part->layout;
    const uint8_t *data = part->data + from * part->stride;
    const size_t count = part->cell_step == 0 ? part->count - from : 1;
    uint64_t magnitude = cell->magnitude;
    uint64_t exponent = 0;
    uint64_t signs = 0;
    size_t i;

    for (i = 0; i < count; i++) {
        const uint64_t bits = product_load(data, bytes);
        uint64_t by;
        uint64_t high;
        uint64_t low;
        uint32_t power;
        uint32_t more;

        if (!product_factor(&by, &power, bits, layout, bytes, fraction))
            break;
        high = utet_fixed_high(magnitude, by);
        low = magnitude * by;
        more = (uint32_t)(high >> 52) & 1u; /* 1: the product has a bit more */
        high = (high << 1 | low >> 63) >> more;
        low = more != 0 ? low : low << 1;
        magnitude = high + ((low | (high & 1)) > (uint64_t)1 << 63); /* to nearest, ties to even */
        signs ^= bits;
        exponent += power;
        exponent += more;
        data += part->stride;
    }
    if (magnitude >> 53 != 0) {
        magnitude >>= 1;
        exponent++;
    }
    cell->magnitude = magnitude;
    cell->exponent += (int64_t)exponent;
    if (fraction != 0)
        cell->exponent += (layout->lowest + (int64_t)fraction) * (int64_t)i;
    if (layout->kind != FOLD_UNSIGNED && (signs & layout->sign) != 0)
        cell->negative = !cell->negative;
    return i;
}

/* The same from number i of the part on, for all dtypes but integers of 64 bits, which are rounded first. */
static size_t product_run(const fold_part *part, size_t i)
{
    product_state *cell = (void *)(part->cell + i * part->cell_step);
    const unsigned fraction = part->layout->kind == FOLD_FLOAT ? part->layout->fraction : 0;

    product_begin(cell);
    switch (part->layout->bytes) {
    case 1: return product_run_of(cell, part, i, 1, 0);
    case 2: return fraction != 0 ? product_run_of(cell, part, i, 2, fraction) : product_run_of(cell, part, i, 2, 0);
    case 4: return fraction != 0 ? product_run_of(cell, part, i, 4, 23) : product_run_of(cell, part, i, 4, 0);
    default: return fraction != 0 ? product_run_of(cell, part, i, 8, 52) : 0;
    }
}

static void product_take(const fold_part *part)
{
    size_t i = 0;

    while (i < part->count) {
        size_t run = 0;

        if (FOLD_ROOMY)
            run = product_run(part, i);
        if (run == 0)
            product_take_one(part, i);
        i += run != 0 ? run : 1;
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
