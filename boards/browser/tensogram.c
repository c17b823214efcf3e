/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The module for Tensogram files: messages, metadata, tensors. */
#include "module.h"
#include "utet_lz4.h"
#include "utet_tensogram_data.h"

#include <string.h>

#define LEVELS 256u /* nesting levels of metadata */
#define ROW 4096u   /* bytes of elements that one call delivers */

const utet_codec *const module_codecs[] = {&utet_codec_zstd_small, &utet_codec_szip,    &utet_codec_lz4,
                                           &utet_codec_rle,        &utet_codec_roaring, NULL};

static utet_message message;
static utet_metadata about;
static utet_frame frame;
static utet_cbor reader;
static utet_object object;
static uint32_t levels[LEVELS];

EXPORT(open) int export_open(void)
{
    return utet_messages_open(&module_file, &module_options);
}

/* ---- messages and tensors ---- */

EXPORT(message_first) int export_message_first(void)
{
    return utet_message_first(&module_file, &message);
}

EXPORT(message_next) int export_message_next(void)
{
    return utet_message_next(&module_file, &message);
}

EXPORT(message_at) int export_message_at(double offset)
{
    return utet_message_at(&module_file, (uint64_t)offset, &message);
}

EXPORT(object_find) int export_object_find(unsigned number)
{
    return utet_object_find(&object, &module_file, &message, number, &frame, &reader);
}

/* Numbers: offset and length of the message; of the tensor: dtype, element size, rank, offset and length of the
 * payload, then 16 extents. */
EXPORT(describe_object) const char *export_describe_object(void)
{
    const double all[] = {
        (double)message.offset,        (double)message.length,       object.dtype, object.width, object.ndim,
        (double)object.payload_offset, (double)object.payload_length};

    memcpy(module_numbers, all, sizeof all);
    for (unsigned i = 0; i < UTET_TENSOR_MAX_NDIM; i++)
        module_numbers[8 + i] = (double)object.shape[i];
    return utet_tensor_dtype_name(object.dtype);
}

EXPORT(compression) const char *export_compression(void)
{
    return utet_compression_name(object.compression);
}

/* ---- values ---- */

static utet_tensor tensor;
static utet_tensor_slab slab;
static utet_need need;
static uint64_t row[ROW / 8]; /* elements for JavaScript */

EXPORT(tensor_need) int export_tensor_need(void)
{
    const utet_status status = utet_tensor_need(&tensor, &module_file, &object, &need);

    module_numbers[0] = (double)need.least;
    module_numbers[1] = (double)need.best;
    return status;
}

EXPORT(tensor_open) int export_tensor_open(void)
{
    return utet_tensor_open(&tensor, &module_file, &object);
}

EXPORT(slab_open) int export_slab_open(void)
{
    return utet_tensor_slab_open(&slab, &tensor, object.ndim == 0 ? NULL : module_box);
}

EXPORT(slab_read) int export_slab_read(void)
{
    return utet_tensor_slab_read(&slab, row, sizeof row, &module_got);
}

EXPORT(row) uint8_t *export_row(void)
{
    return (uint8_t *)row;
}

/* Returns an element as a number; the real part of a complex element. */
EXPORT(number) double export_number(const uint8_t *at)
{
    double value = 0;

    utet_tensor_double(object.dtype, at, &value, NULL);
    return value;
}

/* ---- metadata: items on levels, a level for each nested list or map ---- */

#define DEPTH 24u

static utet_entry entry;
static utet_item item[DEPTH];
static utet_item key;

EXPORT(metadata_open) int export_metadata_open(void)
{
    return utet_metadata_open(&about, &module_file, &message, levels, LEVELS);
}

/* Level 0 becomes the metadata of the tensor. */
EXPORT(metadata_entry) int export_metadata_entry(void)
{
    const utet_status status = utet_metadata_entry(&about, object.number, &entry.entry, &entry.preceder);

    item[0] = entry.entry;
    return status;
}

/* Level 0 becomes the preceder of the tensor. Its keys replace those of the tensor's entry. */
EXPORT(metadata_preceder) void export_metadata_preceder(void)
{
    item[0] = entry.preceder;
}

/* Reads the next entry of the list or map on a level into the level below. */
EXPORT(item_next) int export_item_next(unsigned level)
{
    if (level + 1 >= DEPTH)
        return UTET_E_LIMIT;
    return utet_item_next(&about.reader, &item[level], &key, &item[level + 1]);
}

EXPORT(item_kind) unsigned export_item_kind(unsigned level)
{
    return level < DEPTH ? item[level].kind : UTET_CBOR_NULL;
}

EXPORT(item_number) double export_item_number(unsigned level)
{
    return level < DEPTH ? utet_item_double(&item[level]) : 0;
}

/* Copies the text on a level, or the last key if the level is 0, to the text for JavaScript. */
static const utet_item *text_on(unsigned level)
{
    return level == 0 || level >= DEPTH ? &key : &item[level];
}

EXPORT(item_length) unsigned export_item_length(unsigned level)
{
    return text_on(level)->length;
}

/* Copies a part of the text on a level, starting at byte `from`. */
EXPORT(item_text) int export_item_text(unsigned level, unsigned from)
{
    const utet_item *const text = text_on(level);
    const unsigned left = from < text->length ? text->length - from : 0;

    module_got = left < MODULE_TEXT ? left : MODULE_TEXT;
    return utet_item_text(&about.reader, text, from, module_text, module_got);
}
