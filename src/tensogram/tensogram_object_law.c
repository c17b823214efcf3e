/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Checks the fields of a descriptor together: sizes, the size rule, positions of masks, parameters (§4). */
#include <stdint.h>

#if SIZE_MAX >= 0xFFFFFFFF /* else nothing is left of this file: utet_tensogram.h says so */

#include "tensogram.h"

/* bits of priv.good after the last key: parameters that are there and of the right kind */
enum {
    GOOD_REFERENCE = 1,
    GOOD_BINARY = 2,
    GOOD_DECIMAL = 4,
    GOOD_BITS = 8,
    GOOD_SHUFFLE = 16,
    GOOD_INTERVAL = 32,
    GOOD_BLOCK = 64,
    GOOD_FLAGS = 128
};
#define GOOD_PACKING (GOOD_REFERENCE | GOOD_BINARY | GOOD_DECIMAL | GOOD_BITS)
#define GOOD_SZIP (GOOD_INTERVAL | GOOD_BLOCK | GOOD_FLAGS)
#define MOST_INTERVAL 4096u /* blocks: the maximum of usual encoders */

static const uint8_t law_widths[] = {0, 2, 2, 4, 8, 8, 16, 1, 2, 4, 8, 1, 2, 4, 8, 0};

static int law_has(const utet_object *object, uint32_t parameters)
{
    return (object->priv.good & parameters) == parameters;
}

/* Elements and their bytes. A product over 2^63 is refused even where another extent is 0. */
static utet_status law_sizes(utet_object *object)
{
    uint64_t product = object->priv.product;

    if (object->priv.ndim != object->axes || object->priv.ndim != object->priv.strides_count)
        return UTET_E_DATASET;
    object->ndim = (uint8_t)(object->axes < UTET_TENSOR_MAX_NDIM ? object->axes : UTET_TENSOR_MAX_NDIM);
    object->width = law_widths[object->dtype];
    if (object->width != 0)
        product = utet_mul(product, object->width);
    if (product > (uint64_t)1 << 63)
        return UTET_E_DATASET;
    object->decoded_length = object->dtype == UTET_TENSOR_BITMASK ? utet_div_up(object->elements, 8)
                                                                  : object->elements * object->width;
    return UTET_OK;
}

/* Encoding and filter: what decompression has to make. */
static utet_status law_stored(utet_object *object)
{
    object->stored_length = object->decoded_length;
    if (object->encoding == UTET_ENCODING_SIMPLE_PACKING) {
        uint64_t bits = utet_mul(object->elements, object->packing.bits);

        if (object->dtype != UTET_TENSOR_FLOAT64)
            return UTET_E_CODEC;
        if (!law_has(object, GOOD_PACKING) || bits == UINT64_MAX)
            return UTET_E_DATASET;
        object->stored_length = utet_div_up(bits, 8);
    }
    if (object->filter == UTET_FILTER_SHUFFLE) {
        uint64_t size = object->shuffle_size;

        if (!law_has(object, GOOD_SHUFFLE) || size == 0 ||
            utet_div(object->stored_length, size) * size != object->stored_length)
            return UTET_E_DATASET;
    }
    return UTET_OK;
}

static utet_status law_compression(const utet_object *object)
{
    int bits_only = object->compression == UTET_COMPRESSION_RLE || object->compression == UTET_COMPRESSION_ROARING;
    uint32_t block = object->szip.block_size;

    if (bits_only && object->dtype != UTET_TENSOR_BITMASK)
        return UTET_E_CODEC;
    if (object->compression == UTET_COMPRESSION_SZIP &&
        (!law_has(object, GOOD_SZIP) || object->szip.interval == 0 || object->szip.interval > MOST_INTERVAL ||
         (block != 8 && block != 16 && block != 32 && block != 64)))
        return UTET_E_DATASET;
    return UTET_OK;
}

/* Masks come after the payload, which ends where the first of them begins. */
static utet_status law_masks(utet_object *object, const utet_frame *frame)
{
    uint64_t payload = frame->content_length;
    unsigned i;

    for (i = 0; i < UTET_MASKS; i++) {
        utet_mask *mask = &object->mask[i];

        if (mask->method == 0)
            continue;
        if (object->dtype > UTET_TENSOR_COMPLEX128)
            return UTET_E_DATASET; /* no such values */
        if (mask->method >= UTET_COMPRESSION_ZFP || mask->method == UTET_COMPRESSION_SZIP)
            return UTET_E_CODEC;
        if (mask->length == 0 || utet_add(mask->offset, mask->length) > frame->content_length ||
            (mask->method == UTET_COMPRESSION_NONE && mask->length != utet_div_up(object->elements, 8)))
            return UTET_E_PAYLOAD;
        if (mask->offset < payload)
            payload = mask->offset;
        mask->offset += frame->content_offset;
        object->masks++;
    }
    object->payload_offset = frame->content_offset;
    object->payload_length = payload;
    return UTET_OK;
}

utet_status utet_object_law(utet_object *object, utet_frame *frame)
{
    utet_status status = law_sizes(object);

    if (status == UTET_OK)
        status = law_stored(object);
    if (status == UTET_OK)
        status = law_compression(object);
    if (status == UTET_OK)
        status = law_masks(object, frame);
    if (status == UTET_OK && object->compression == UTET_COMPRESSION_NONE &&
        object->payload_length != object->stored_length)
        status = UTET_E_PAYLOAD;
    if (status == UTET_OK && object->axes > UTET_TENSOR_MAX_NDIM)
        status = UTET_E_LIMIT;
    return status;
}

#endif
