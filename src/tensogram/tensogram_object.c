/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads a descriptor (§4): one pass through the tokens of its map. Each token goes to the key whose value it belongs
 * to; the fields are checked together after the last one (tensogram_object_law.c).
 */
#include <stdint.h>

#if SIZE_MAX >= 0xFFFFFFFF /* else nothing is left of this file: utet_tensogram.h says so */

#include "tensogram.h"

#include <string.h>

/* keys; each is a bit in priv.seen and priv.good */
enum {
    KEY_TYPE,
    KEY_NDIM,
    KEY_SHAPE,
    KEY_STRIDES,
    KEY_DTYPE,
    KEY_BYTE_ORDER,
    KEY_ENCODING,
    KEY_FILTER,
    KEY_COMPRESSION,
    KEY_REQUIRED, /* all before this one */
    KEY_MASKS = KEY_REQUIRED,
    KEY_REFERENCE,
    KEY_BINARY,
    KEY_DECIMAL,
    KEY_BITS,
    KEY_SHUFFLE,
    KEY_INTERVAL,
    KEY_BLOCK,
    KEY_FLAGS,
    KEY_OFFSETS,
    KEY_OTHER
};

enum { FIELD_OTHER, FIELD_METHOD, FIELD_OFFSET, FIELD_LENGTH }; /* fields of a mask */
#define ALL_FIELDS (1u << FIELD_METHOD | 1u << FIELD_OFFSET | 1u << FIELD_LENGTH)

/* Lists of names as in tensogram_names.c; the keys in the order of the numbers above. */
static const char key_names[] = "type\0"
                                "ndim\0"
                                "shape\0"
                                "strides\0"
                                "dtype\0"
                                "byte_order\0"
                                "encoding\0"
                                "filter\0"
                                "compression\0"
                                "masks\0"
                                "sp_reference_value\0"
                                "sp_binary_scale_factor\0"
                                "sp_decimal_scale_factor\0"
                                "sp_bits_per_value\0"
                                "shuffle_element_size\0"
                                "szip_rsi\0"
                                "szip_block_size\0"
                                "szip_flags\0"
                                "szip_block_offsets\0";
static const char field_names[] = "method\0"
                                  "offset\0"
                                  "length\0";
static const char mask_names[] = "nan\0"
                                 "inf+\0"
                                 "inf-\0";
static const char order_names[] = "little\0"
                                  "big\0";
static const char encoding_names[] = "none\0"
                                     "simple_packing\0";
static const char filter_names[] = "none\0"
                                   "shuffle\0";

/* Converts a name to a value, from 1; 0 = unknown. UTET_E_DATASET when it is not a text. */
static utet_status take_name(const utet_cbor *reader, const char *names, utet_status unknown, uint8_t *number)
{
    *number = (uint8_t)utet_name_of(reader, names);
    if (*number != 0)
        return UTET_OK;
    return reader->token == UTET_CBOR_TEXT ? unknown : UTET_E_DATASET;
}

/* A key of the descriptor: known ones come once, all are texts. */
static utet_status take_key(utet_object *object, const utet_cbor *reader)
{
    uint32_t bit;

    if (reader->token != UTET_CBOR_TEXT)
        return UTET_E_DATASET;
    object->priv.key = (uint8_t)(utet_name_of(reader, key_names) - 1u); /* the largest number for an unknown key */
    if (object->priv.key >= KEY_OTHER)
        return UTET_OK;
    bit = (uint32_t)1 << object->priv.key;
    if ((object->priv.seen & bit) != 0)
        return UTET_E_DATASET;
    object->priv.seen |= bit;
    return UTET_OK;
}

/* An entry of shape or strides. */
static utet_status take_size(utet_object *object, const utet_cbor *reader)
{
    int is_shape = object->priv.key == KEY_SHAPE;
    uint32_t *count = is_shape ? &object->axes : &object->priv.strides_count;
    int negative = reader->token == UTET_CBOR_NEGATIVE && !is_shape;

    if ((reader->token != UTET_CBOR_UNSIGNED && !negative) || reader->number >> 63 != 0)
        return UTET_E_DATASET;
    if (is_shape) {
        object->elements = utet_mul(object->elements, reader->number);
        if (reader->number != 0)
            object->priv.product = utet_mul(object->priv.product, reader->number);
    }
    if (*count >= UTET_TENSOR_MAX_NDIM) {
        /* counted only */
    } else if (is_shape) {
        object->shape[*count] = reader->number;
    } else {
        object->strides[*count] = negative ? -1 - (int64_t)reader->number : (int64_t)reader->number;
    }
    ++*count;
    return UTET_OK;
}

/* A key of `masks`: which mask comes. */
static utet_status take_mask_name(utet_object *object, const utet_cbor *reader)
{
    unsigned mask = utet_name_of(reader, mask_names);

    if (mask == 0 || object->mask[mask - 1].method != 0)
        return UTET_E_DATASET;
    object->priv.mask = (uint8_t)(mask - 1);
    object->priv.mask_fields = 0;
    return UTET_OK;
}

/* A value in a mask. */
static utet_status take_mask_field(utet_object *object, utet_cbor *reader)
{
    utet_mask *mask = &object->mask[object->priv.mask];

    if (object->priv.field == FIELD_METHOD)
        return take_name(reader, utet_compression_names, UTET_E_CODEC, &mask->method);
    if (object->priv.field == FIELD_OTHER)
        return UTET_OK;
    if (reader->token != UTET_CBOR_UNSIGNED)
        return UTET_E_DATASET;
    if (object->priv.field == FIELD_OFFSET)
        mask->offset = reader->number;
    else
        mask->length = reader->number;
    return UTET_OK;
}

/* All inside of `masks`: a map of maps. */
static utet_status take_masks(utet_object *object, utet_cbor *reader)
{
    unsigned level = reader->depth;
    unsigned bit;

    if (reader->token == UTET_CBOR_CLOSE) /* end of a mask: all fields are present */
        return level != 2 || object->priv.mask_fields == ALL_FIELDS ? UTET_OK : UTET_E_DATASET;
    if (reader->is_key && level == 2)
        return take_mask_name(object, reader);
    if (level == 3 && reader->is_key) {
        object->priv.field = (uint8_t)utet_name_of(reader, field_names);
        bit = 1u << object->priv.field & ALL_FIELDS;
        if ((object->priv.mask_fields & bit) != 0)
            return UTET_E_DATASET;
        object->priv.mask_fields |= (uint8_t)bit;
        return UTET_OK;
    }
    if (reader->token == UTET_CBOR_MAP && (level == 2 || level == 3))
        return UTET_OK;
    if (level < 3)
        return UTET_E_DATASET;
    return level == 3 || object->priv.field != FIELD_OTHER ? take_mask_field(object, reader) : UTET_OK;
}

/* A whole number of at most 31 bits and a sign. */
static int take_scale(const utet_cbor *reader, int32_t *scale)
{
    int32_t magnitude = (int32_t)(reader->number & INT32_MAX);

    if ((reader->token != UTET_CBOR_UNSIGNED && reader->token != UTET_CBOR_NEGATIVE) || reader->number > INT32_MAX)
        return 0;
    *scale = reader->token == UTET_CBOR_UNSIGNED ? magnitude : -1 - magnitude;
    return 1;
}

static int take_u32(const utet_cbor *reader, uint32_t *value)
{
    *value = (uint32_t)reader->number;
    return reader->token == UTET_CBOR_UNSIGNED && reader->number <= UINT32_MAX;
}

/* A parameter of an encoding, filter or compression: of another kind than it should be, it counts as missing, which
 * matters only to what needs it. */
static utet_status take_parameter(utet_object *object, const utet_cbor *reader)
{
    utet_item item;
    int good = 0;

    utet_cbor_item(reader, &item);
    switch (object->priv.key) {
    case KEY_REFERENCE:
        object->packing.reference = utet_item_double(&item);
        good = (item.kind >= UTET_CBOR_UNSIGNED && item.kind <= UTET_CBOR_FLOAT) &&
               (item.kind != UTET_CBOR_FLOAT || (item.number >> 52 & 0x7FF) != 0x7FF);
        break;
    case KEY_BINARY: good = take_scale(reader, &object->packing.binary); break;
    case KEY_DECIMAL: good = take_scale(reader, &object->packing.decimal); break;
    case KEY_BITS:
        object->packing.bits = (uint8_t)reader->number;
        good = reader->token == UTET_CBOR_UNSIGNED && reader->number <= 64;
        break;
    case KEY_SHUFFLE:
        object->shuffle_size = reader->number;
        good = reader->token == UTET_CBOR_UNSIGNED;
        break;
    case KEY_INTERVAL: good = take_u32(reader, &object->szip.interval); break;
    case KEY_BLOCK: good = take_u32(reader, &object->szip.block_size); break;
    case KEY_FLAGS: good = take_u32(reader, &object->szip.flags); break;
    case KEY_OFFSETS:
        if (reader->token == UTET_CBOR_LIST)
            object->szip.offsets = item;
        break;
    default: break;
    }
    if (good)
        object->priv.good |= (uint32_t)1 << object->priv.key;
    return UTET_OK;
}

/* The value of a key that each descriptor has. */
static utet_status take_fixed(utet_object *object, utet_cbor *reader)
{
    uint8_t number = 0;
    utet_status status;

    switch (object->priv.key) {
    case KEY_TYPE: return utet_cbor_is(reader, "ntensor", 7) ? UTET_OK : UTET_E_DATASET;
    case KEY_NDIM:
        object->priv.ndim = reader->number;
        return reader->token == UTET_CBOR_UNSIGNED ? UTET_OK : UTET_E_DATASET;
    case KEY_DTYPE: return take_name(reader, utet_dtype_names, UTET_E_DTYPE, &object->dtype);
    case KEY_ENCODING: return take_name(reader, encoding_names, UTET_E_CODEC, &object->encoding);
    case KEY_FILTER: return take_name(reader, filter_names, UTET_E_CODEC, &object->filter);
    case KEY_COMPRESSION: return take_name(reader, utet_compression_names, UTET_E_CODEC, &object->compression);
    default: /* KEY_BYTE_ORDER */
        status = take_name(reader, order_names, UTET_E_DATASET, &number);
        object->big_endian = number == 2;
        return status;
    }
}

/* One token; depth 1 is inside the descriptor's map. */
static utet_status tensogram_object_take(utet_object *object, utet_cbor *reader)
{
    unsigned key = object->priv.key;
    int opens = reader->token == UTET_CBOR_LIST || reader->token == UTET_CBOR_MAP;
    int closes = reader->token == UTET_CBOR_CLOSE;

    if (reader->is_key && reader->depth == 1)
        return take_key(object, reader);
    if (key == KEY_SHAPE || key == KEY_STRIDES) {
        if (reader->depth - (unsigned)opens != 2 - (unsigned)(opens || closes) || reader->token == UTET_CBOR_MAP)
            return UTET_E_DATASET;
        return opens || closes ? UTET_OK : take_size(object, reader);
    }
    if (key == KEY_MASKS)
        return take_masks(object, reader);
    if (key >= KEY_OTHER || reader->depth - (unsigned)opens != 1 || closes)
        return UTET_OK; /* it is not needed */
    if (key > KEY_MASKS)
        return take_parameter(object, reader);
    return opens ? UTET_E_DATASET : take_fixed(object, reader);
}

static utet_status tensogram_object_begin(utet_object *object, utet_file *file, const utet_frame *frame,
                                          utet_cbor *reader)
{
    memset(object, 0, sizeof *object);
    file->error_offset = frame->descriptor_offset;
    if (frame->descriptor_length >= UTET_CBOR_LIMIT)
        return UTET_E_LIMIT;
    object->elements = 1;
    object->priv.product = 1;
    object->number = frame->object;
    object->frame_offset = frame->offset;
    object->frame_length = frame->length;
    object->hash = frame->hash;
    object->hashed = frame->hashed;
    object->priv.key = KEY_OTHER;
    object->priv.begun = 1;
    utet_cbor_use(reader, file, NULL, 0, UTET_E_DATASET);
    utet_cbor_begin(reader, frame->descriptor_offset, (uint32_t)frame->descriptor_length);
    return UTET_OK;
}

/* After the map: where it ends, and whether everything required is present. */
static utet_status tensogram_object_finish(utet_object *object, utet_file *file, utet_frame *frame,
                                           const utet_cbor *reader)
{
    uint32_t required = (1u << KEY_REQUIRED) - 1;

    file->error_offset = frame->descriptor_offset;
    if ((object->priv.seen & required) != required)
        return UTET_E_DATASET;
    if (frame->content_length == UINT64_MAX) {
        frame->content_offset = frame->descriptor_offset + reader->next;
        frame->content_length = frame->descriptor_length - reader->next;
        frame->descriptor_length = reader->next;
    }
    if (reader->next != frame->descriptor_length)
        return UTET_E_DATASET;
    object->priv.good >>= KEY_REFERENCE;
    return utet_object_law(object, frame);
}

utet_status utet_object_step(utet_object *object, utet_file *file, utet_frame *frame, utet_cbor *reader)
{
    utet_status status = UTET_OK;

    if (!object->priv.begun)
        status = tensogram_object_begin(object, file, frame, reader);
    while (status == UTET_OK) {
        status = utet_cbor_token(reader);
        if (status != UTET_OK)
            break;
        if (object->descriptor.kind == UTET_CBOR_NULL) { /* the first token */
            utet_cbor_item(reader, &object->descriptor);
            status = reader->token == UTET_CBOR_MAP ? UTET_OK : UTET_E_DATASET;
        } else if (reader->depth != 0) {
            status = tensogram_object_take(object, reader);
        } else {
            return tensogram_object_finish(object, file, frame, reader);
        }
        if (status != UTET_OK)
            file->error_offset = reader->base + reader->begin;
    }
    return status;
}

utet_status utet_object_open(utet_object *object, utet_file *file, utet_frame *frame, utet_cbor *reader)
{
    uint8_t busy = file->priv.busy;
    utet_status status;

    if (frame->type != UTET_FRAME_TENSOR || frame->descriptor_offset == 0)
        return UTET_E_ARGUMENT;
    status = utet_enter(file, UTET_CALL_OBJECT_OPEN);
    if (status != UTET_OK)
        return status;
    if (busy == UTET_CALL_NONE)
        object->priv.begun = 0;
    return utet_leave(file, utet_object_step(object, file, frame, reader));
}

#endif
