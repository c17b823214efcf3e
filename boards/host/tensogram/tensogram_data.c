/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Writes the values of a tensor in the format that the options select. Allocates as much memory as the tensor needs. */
#include "shared/kept.h"
#include "shared/number.h"
#include "tensogram.h"

#include "utet_lz4.h"
#include "utet_tensogram_data.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 65536 }; /* bytes at a time: complete elements of every dtype */

typedef struct values {
    messages *m;
    const utet_object *object;
    const utet_codec *codecs[6];
    utet_tensor tensor;
    utet_tensor_slab slab;
    const utet_range *ranges; /* ranges of the slab; NULL: the complete tensor */
    utet_status status;
    int is_damaged; /* 1: the hash of the tensor's frame differs */
} values;

/* Initialises the file again, with a workspace of this size and every codec for tensors. The facts about the message
 * remain valid. */
static utet_status reopen(values *v, uint64_t bytes)
{
    source *s = &v->m->s;
    void *work;
    utet_status status;

    if (bytes > TOOL_MOST_WORKSPACE)
        return UTET_E_BUDGET;
    work = realloc(s->work, (size_t)bytes);
    if (work == NULL)
        return UTET_E_BUDGET;
    s->work = work;
    s->work_length = (size_t)bytes;
    status = utet_init(&s->file, &s->reading.io, s->work, s->work_length, v->codecs);
    return status == UTET_OK ? utet_messages_open(&s->file, NULL) : status;
}

/* Constant values take no bytes in the file, so the file may state any number of them. */
static int is_endless(const utet_object *object)
{
    return object->encoding == UTET_ENCODING_SIMPLE_PACKING && object->packing.bits == 0 &&
           object->decoded_length > TENSOGRAM_MOST_CONSTANT;
}

static utet_status begin(values *v)
{
    static const utet_codec *const known[] = {&utet_codec_szip, &utet_codec_lz4, &utet_codec_rle, &utet_codec_roaring,
                                              NULL};
    source *s = &v->m->s;
    utet_need need = {0, 0};
    utet_status status;

    if (v->ranges == NULL && is_endless(v->object))
        return UTET_E_BUDGET;
    v->codecs[0] = kept_inner(s->decoded); /* tensors are not cached */
    memcpy(v->codecs + 1, known, sizeof known);
    status = reopen(v, UTET_OPEN_WORK(1));
    if (status == UTET_OK)
        status = utet_tensor_need(&v->tensor, &s->file, v->object, &need);
    if (status == UTET_OK)
        status = reopen(v, need.best < TOOL_MOST_WORKSPACE ? need.best : need.least);
    if (status == UTET_OK)
        status = utet_tensor_open_unverified(&v->tensor, &s->file, v->object);
    if (status == UTET_OK && v->ranges != NULL)
        status = utet_tensor_slab_open(&v->slab, &v->tensor, v->ranges);
    return status;
}

/* Reports why the values could not be opened. */
static int refuse(const values *v)
{
    char bytes[32];

    if (v->status == UTET_E_BUDGET && v->ranges == NULL && is_endless(v->object))
        return fail(v->m->s.path, "descriptor", v->object->frame_offset,
                    "the descriptor describes %s bytes of one repeated value; utet writes at most %s; use --slab",
                    grouped(bytes, v->object->decoded_length), TENSOGRAM_MOST_CONSTANT_WORDS);
    if (v->status == UTET_E_CODEC)
        return fail(v->m->s.path, "descriptor", v->object->frame_offset, "%s: not supported by utet",
                    utet_compression_name(v->object->compression));
    return messages_fail(v->m, v->status, v->m->s.file.error_offset);
}

/* Passes all values to `sink` as elements of `size` bytes; each bit of a bitmask as a byte. */
static int each(values *v, band_sink sink, void *ctx, size_t size, int unpack)
{
    static uint8_t bytes[PIECE], bits[PIECE * 8];
    uint64_t left = v->object->elements;
    int result = TOOL_OK;

    while (result == TOOL_OK) {
        size_t got, i;

        if (v->ranges != NULL) /* each bit becomes a byte */
            v->status = utet_tensor_slab_read(&v->slab, bytes, sizeof bytes, &got);
        else
            v->status = utet_tensor_read(&v->tensor, bytes, sizeof bytes, &got);
        if (v->status != UTET_OK)
            break;
        if (unpack && v->ranges == NULL) {
            size_t count = left < got * 8 ? (size_t)left : got * 8;

            for (i = 0; i < count; i++)
                bits[i] = bytes[i / 8] >> (7 - i % 8) & 1;
            left -= count;
            result = sink(ctx, bits, count);
        } else {
            result = sink(ctx, bytes, got / size);
        }
    }
    return result;
}

/* Does the same, and prints an error line if the values are damaged. */
static int each_told(values *v, band_sink sink, void *ctx, size_t size, int unpack)
{
    int result = each(v, sink, ctx, size, unpack);

    if (result == TOOL_OK && v->status != UTET_END)
        result = messages_fail(v->m, v->status, v->m->s.file.error_offset);
    if (result == TOOL_OK && v->is_damaged)
        result = fail(v->m->s.path, "hash", v->object->frame_offset,
                      "the hash of the frame differs: the values are damaged");
    return result;
}

/* Returns nonzero if the hash of the tensor's frame lets its values be used. */
static int judge_hash(values *v, const options *opt, const utet_frame *frame)
{
    const utet_status status = frame->hashed != UTET_HASH_NONE ? messages_hash(v->m, frame) : UTET_OK;

    v->is_damaged = status == UTET_E_CHECKSUM;
    if (v->is_damaged && !opt->damaged)
        return fail(v->m->s.path, "hash", frame->offset,
                    "the hash of the frame differs: its values are damaged; use --damaged to get them anyway");
    return status == UTET_OK || v->is_damaged ? TOOL_OK : messages_fail(v->m, status, v->m->s.file.error_offset);
}

typedef struct raw {
    output *out;
    size_t size;
} raw;

static int raw_write(void *ctx, const uint8_t *data, size_t count)
{
    const raw *r = ctx;

    return output_write(r->out, data, count * r->size);
}

static utet_status element_text(uint32_t dtype, const void *element, char *buffer, size_t size, size_t *length)
{
    if (dtype == UTET_TENSOR_FLOAT32 || dtype == UTET_TENSOR_FLOAT64)
        return number_text(dtype == UTET_TENSOR_FLOAT32 ? UTET_F32 : UTET_F64, element, buffer, size, length);
    return utet_tensor_text(dtype == UTET_TENSOR_BITMASK ? UTET_TENSOR_UINT8 : (uint8_t)dtype, element, buffer, size,
                            length);
}

/* Returns the NumPy dtype. NumPy has no bfloat16, so its elements become two raw bytes (V2). Bits become booleans. */
static const char *type_of(const utet_object *object)
{
    static const char types[16][4] = {"?",   "<f2", "<V2", "<f4", "<f8", "<c8", "c16", "|i1",
                                      "<i2", "<i4", "<i8", "|u1", "<u2", "<u4", "<u8", "|b1"};

    return object->dtype == UTET_TENSOR_COMPLEX128 ? "<c16" : types[object->dtype];
}

static int write_values(values *v, const options *opt)
{
    const utet_object *o = v->object;
    const int format = format_for(opt), is_bits = o->dtype == UTET_TENSOR_BITMASK;
    static const uint64_t one = 1;
    const int shaped = format != FORMAT_RAW && v->ranges == NULL;
    uint64_t all[TOOL_MOST_AXES];
    const uint64_t *shape = v->ranges != NULL ? v->slab.count : all;
    output out;
    raw bytes;
    csv lines;
    int result;

    v->status = shaped ? messages_shape(v->m, o, all) : UTET_OK;
    if (v->status == UTET_E_LIMIT)
        return fail(v->m->s.path, "limit", o->frame_offset,
                    "the tensor has %" PRIu32 " axes, but utet writes at most %d with their shape; use --format raw",
                    o->axes, TOOL_MOST_AXES);
    if (v->status != UTET_OK)
        return refuse(v);
    result = output_open(&out, opt->output, &v->m->s);

    bytes.out = &out;
    bytes.size = is_bits ? 1 : o->width;
    if (result == TOOL_OK && format == FORMAT_NPY)
        result = npy_header(&out, type_of(o), shape, o->axes);
    if (result == TOOL_OK && (format == FORMAT_RAW || format == FORMAT_NPY)) {
        result = each_told(v, raw_write, &bytes, bytes.size, is_bits && format == FORMAT_NPY);
    } else if (result == TOOL_OK) {
        lines.out = &out;
        lines.shape = o->axes != 0 ? shape : &one;
        lines.ndim = o->axes != 0 ? o->axes : 1;
        lines.dtype = o->dtype;
        lines.size = bytes.size;
        lines.text = element_text;
        lines.at = 0;
        lines.plain = format == FORMAT_TEXT;
        result = each_told(v, csv_write, &lines, bytes.size, is_bits);
    }
    if (v->is_damaged && v->status == UTET_END) { /* the values are written, but the result is an error */
        (void)output_close(&out, TOOL_OK);
        return TOOL_ERROR;
    }
    return output_close(&out, result);
}

static int refuse_axes(messages *m, const utet_object *object, const char *what)
{
    return fail(m->s.path, "limit", object->frame_offset, "the tensor has %" PRIu32 " axes, %s of at most %u",
                object->axes, what, (unsigned)UTET_TENSOR_MAX_NDIM);
}

int tensogram_write(messages *m, const options *opt, const utet_object *object, const utet_frame *frame)
{
    utet_range ranges[UTET_TENSOR_MAX_NDIM];
    values v;

    memset(&v, 0, sizeof v);
    v.m = m;
    v.object = object;
    if (opt->slab != NULL) {
        if (object->axes > object->ndim)
            return refuse_axes(m, object, "--slab takes parts");
        if (slab_parse(opt->file, opt->slab, object->ndim, object->shape, ranges) != TOOL_OK)
            return TOOL_ERROR;
        v.ranges = ranges;
    }
    if (judge_hash(&v, opt, frame) != TOOL_OK)
        return TOOL_ERROR;
    v.status = begin(&v);
    return v.status == UTET_OK ? write_values(&v, opt) : refuse(&v);
}

int tensogram_each(messages *m, const options *opt, const utet_object *object, const utet_frame *frame, band_sink sink,
                   void *ctx)
{
    const int is_bits = object->dtype == UTET_TENSOR_BITMASK;
    values v;

    memset(&v, 0, sizeof v);
    v.m = m;
    v.object = object;
    if (object->axes > object->ndim)
        return refuse_axes(m, object, "utet show draws tensors");
    if (judge_hash(&v, opt, frame) != TOOL_OK)
        return TOOL_ERROR;
    v.status = begin(&v);
    return v.status == UTET_OK ? each_told(&v, sink, ctx, is_bits ? 1 : object->width, is_bits) : refuse(&v);
}

int tensogram_scan(messages *m, const utet_object *object, band_sink sink, void *ctx, utet_status *status)
{
    const int is_bits = object->dtype == UTET_TENSOR_BITMASK;
    int result = TOOL_OK;
    values v;

    memset(&v, 0, sizeof v);
    v.m = m;
    v.object = object;
    v.status = begin(&v);
    if (v.status == UTET_OK)
        result = each(&v, sink, ctx, is_bits ? 1 : object->width, 0);
    *status = v.status == UTET_END ? UTET_OK : v.status;
    return result;
}
