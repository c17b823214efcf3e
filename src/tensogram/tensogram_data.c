/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Opening a tensor's data (FORMAT.md §4): the need, and decoding before the first element: of masks that are
 * compressed, and of bytes that are both shuffled and compressed. One codec works at a time, so they share its
 * memory:
 *
 *   window | bits of the masks | shuffled bytes | memory of this stage's codec
 */
#include <stdint.h>

#if SIZE_MAX >= 0xFFFFFFFF /* else nothing is left of this file: utet_tensogram.h says so */

#include "tensogram_data.h"

#include "utet_lz4.h"

#include <string.h>

/* Stages: the masks, then the payload. priv.phase: the current step of the stage. */
enum { STAGE_PAYLOAD = UTET_MASKS, STAGES };
enum { TO_PREPARE, TO_MEASURE, TO_LEND, TO_SET, TO_BEGIN, TENSOGRAM_DATA_TO_READ, TO_PRIME };

static utet_status tensogram_data_fail(utet_file *file, const utet_object *object, utet_status status)
{
    file->error_offset = object->frame_offset;
    return status;
}

/* ---- what can be decoded at all ---- */

static unsigned half_width(const utet_object *o)
{
    return o->dtype == UTET_TENSOR_COMPLEX64 || o->dtype == UTET_TENSOR_COMPLEX128 ? o->width / 2u : o->width;
}

/* Returns nonzero for floats, also in pairs: these have NaN and infinities. */
static int has_nan(const utet_object *o)
{
    return o->dtype >= UTET_TENSOR_FLOAT16 && o->dtype <= UTET_TENSOR_COMPLEX128;
}

static utet_status check_object(utet_tensor *t, utet_file *file, const utet_object *o)
{
    int packed = o->encoding == UTET_ENCODING_SIMPLE_PACKING, bits = o->dtype == UTET_TENSOR_BITMASK;
    int for_bits = o->compression == UTET_COMPRESSION_RLE || o->compression == UTET_COMPRESSION_ROARING;

    if (packed && o->dtype != UTET_TENSOR_FLOAT64)
        return tensogram_data_fail(file, o, UTET_E_CODEC);
    if (for_bits && (!bits || o->filter == UTET_FILTER_SHUFFLE))
        return tensogram_data_fail(file, o, UTET_E_CODEC);
    if (o->filter == UTET_FILTER_SHUFFLE) {
        if (o->shuffle_size != 0)
            t->priv.plane_length = utet_div(o->stored_length, o->shuffle_size);
        if (o->shuffle_size == 0 || o->stored_length != t->priv.plane_length * o->shuffle_size)
            return tensogram_data_fail(file, o, UTET_E_DATASET);
    }
    if (o->compression == UTET_COMPRESSION_NONE && o->payload_length != o->stored_length)
        return tensogram_data_fail(file, o, UTET_E_PAYLOAD);
    if (o->masks != 0 && !has_nan(o))
        return tensogram_data_fail(file, o, UTET_E_DTYPE);
    return UTET_OK;
}

/* ---- codecs ---- */

static uint32_t codec_id(uint8_t compression)
{
    switch (compression) {
    case UTET_COMPRESSION_SZIP: return UTET_CODEC_SZIP;
    case UTET_COMPRESSION_ZSTD: return UTET_CODEC_ZSTD;
    case UTET_COMPRESSION_LZ4: return UTET_CODEC_LZ4;
    case UTET_COMPRESSION_RLE: return UTET_CODEC_RLE;
    case UTET_COMPRESSION_ROARING: return UTET_CODEC_ROARING;
    default: return 0; /* no codec's */
    }
}

static const utet_codec *find_codec(const utet_file *file, uint8_t compression)
{
    const utet_codec *const *codec = file->priv.codecs;

    if (codec == NULL || codec_id(compression) == 0)
        return NULL;
    while (*codec != NULL && (*codec)->id != codec_id(compression))
        codec++;
    return *codec;
}

/* The parameters that an szip stream does not contain (§4.4). Unknown flag bits make the codec refuse them. */
static utet_szip_params szip_params(const utet_object *o)
{
    utet_szip_params p;
    unsigned bits = o->filter == UTET_FILTER_SHUFFLE ? 8u : half_width(o) * 8u;
    int known = o->szip.block_size <= UTET_SZIP_BLOCK_MAX && o->szip.interval <= UTET_SZIP_RSI_MAX;

    p.flags = (uint8_t)(o->szip.flags & 63u);
    if (o->encoding == UTET_ENCODING_SIMPLE_PACKING) {
        bits = o->packing.bits;
        p.flags |= (uint8_t)UTET_SZIP_MSB;
    }
    if (bits > 16 && bits <= 24)
        p.flags |= (uint8_t)UTET_SZIP_3BYTE;
    p.bits = (uint8_t)(known ? bits : 0);
    p.block = (uint8_t)o->szip.block_size;
    p.rsi = (uint16_t)o->szip.interval;
    return p;
}

/* Is there anything to decode at this stage? */
static int is_empty(const utet_tensor *t, unsigned stage)
{
    uint8_t method;

    if (stage == STAGE_PAYLOAD)
        return t->priv.object->compression == UTET_COMPRESSION_NONE;
    method = t->priv.object->mask[stage].method;
    return method == 0 || method == UTET_COMPRESSION_NONE || method == UTET_COMPRESSION_RLE ||
           method == UTET_COMPRESSION_ROARING;
}

static uint64_t bitmap_size(const utet_object *o)
{
    return (o->elements >> 3) + ((o->elements & 7u) != 0);
}

/* Is the whole payload decoded into memory, for its planes? */
static int has_planes(const utet_object *o)
{
    return o->filter == UTET_FILTER_SHUFFLE && o->compression != UTET_COMPRESSION_NONE;
}

/* The stream over a stage's bytes. `whole`: where its output goes, or null. */
static utet_status set_stream(utet_tensor *t, unsigned stage, uint8_t *whole)
{
    utet_file *file = t->priv.stream.priv.file;
    const utet_object *o = t->priv.object;
    const utet_codec *codec;
    uint8_t compression = stage == STAGE_PAYLOAD ? o->compression : o->mask[stage].method;

    memset(&t->priv.stream, 0, sizeof t->priv.stream);
    t->priv.stream.priv.file = file;
    t->priv.stream.priv.whole = whole;
    if (stage == STAGE_PAYLOAD) {
        t->priv.stream.length = o->stored_length;
        t->priv.stream.priv.offset = o->payload_offset;
        t->priv.stream.priv.stored = o->payload_length;
    } else {
        t->priv.stream.length = bitmap_size(o);
        t->priv.stream.priv.offset = o->mask[stage].offset;
        t->priv.stream.priv.stored = o->mask[stage].length;
    }
    if (compression <= UTET_COMPRESSION_NONE)
        return UTET_OK;
    codec = find_codec(file, compression);
    if (codec == NULL)
        return tensogram_data_fail(file, o, UTET_E_CODEC);
    if (is_empty(t, stage))
        return UTET_OK;
    t->priv.stream.priv.codec = codec;
    if (compression == UTET_COMPRESSION_SZIP) {
        t->priv.codec.codec = *codec;
        t->priv.codec.params = szip_params(o);
        t->priv.stream.priv.codec = &t->priv.codec.codec;
    }
    return UTET_OK;
}

/* ---- what is needed ---- */

static uint64_t tensogram_data_up8(uint64_t size)
{
    return size > UINT64_MAX - 7u ? UINT64_MAX : utet_align8(size);
}

/* Uncompressed masks have a bit for each element. */
static utet_status measure_mask(utet_tensor *t, unsigned stage)
{
    const utet_object *o = t->priv.object;

    if (o->mask[stage].method == UTET_COMPRESSION_NONE && o->mask[stage].length != bitmap_size(o)) {
        t->priv.stream.priv.file->error_offset = o->mask[stage].offset;
        return UTET_E_PAYLOAD;
    }
    if (!is_empty(t, stage))
        t->priv.fixed = utet_add(t->priv.fixed, tensogram_data_up8(bitmap_size(o)));
    return UTET_OK;
}

/* An upper bound is known without reading; only when that is more than the budget, headers are read. */
static utet_status measure_codec(utet_tensor *t)
{
    utet_stream *s = &t->priv.stream;
    const utet_file *file = s->priv.file;
    const utet_codec *codec = s->priv.codec;
    int resumed = (s->priv.scratch[0] | s->priv.scratch[1]) != 0;
    utet_need need;
    utet_status status = codec->need(s, resumed, &need);

    if (status == UTET_OK && !resumed && utet_needed(file, utet_add(need.least, t->priv.fixed)) > file->budget)
        status = codec->need(s, 1, &need);
    if (status != UTET_OK)
        return status;
    if (t->priv.need.least < need.least)
        t->priv.need.least = need.least;
    if (t->priv.need.best < need.best)
        t->priv.need.best = need.best;
    return UTET_OK;
}

/* Resumable through stage and phase. */
static utet_status tensogram_data_measure(utet_tensor *t)
{
    static uint8_t *const somewhere = (uint8_t *)1; /* here it matters only that there is a destination */
    utet_status status;

    while (t->priv.stage != STAGES) {
        if (t->priv.phase == TO_PREPARE) {
            int whole = t->priv.stage != STAGE_PAYLOAD || has_planes(t->priv.object);

            if (t->priv.stage == STAGE_PAYLOAD && whole)
                t->priv.fixed = utet_add(t->priv.fixed, tensogram_data_up8(t->priv.object->stored_length));
            status = t->priv.stage == STAGE_PAYLOAD ? UTET_OK : measure_mask(t, t->priv.stage);
            if (status == UTET_OK)
                status = set_stream(t, t->priv.stage, whole ? somewhere : NULL);
            if (status != UTET_OK)
                return status;
            t->priv.phase = TO_MEASURE;
        }
        if (!is_empty(t, t->priv.stage)) {
            status = measure_codec(t);
            if (status != UTET_OK)
                return status;
        }
        t->priv.phase = TO_PREPARE;
        t->priv.stage++;
    }
    t->priv.phase = TO_LEND;
    t->priv.need.least = utet_add(t->priv.need.least, t->priv.fixed);
    t->priv.need.best = utet_add(t->priv.need.best, t->priv.fixed);
    return UTET_OK;
}

/* The beginning of both calls, once. */
static utet_status tensogram_data_prepare(utet_tensor *t, utet_file *file, const utet_object *o)
{
    utet_status status;

    memset(t, 0, sizeof *t);
    t->priv.object = o;
    t->priv.stream.priv.file = file;
    t->length = o->decoded_length;
    t->priv.width = o->dtype == UTET_TENSOR_BITMASK ? 1 : o->width;
    t->priv.units = o->dtype == UTET_TENSOR_BITMASK ? o->decoded_length : o->elements;
    if (t->priv.width == 0 || t->priv.width > sizeof t->priv.carry)
        return tensogram_data_fail(file, o, UTET_E_DTYPE);
    status = check_object(t, file, o);
    if (status == UTET_OK && o->encoding == UTET_ENCODING_SIMPLE_PACKING && utet_packing_begin(t) != UTET_OK)
        status = tensogram_data_fail(file, o, UTET_E_DATASET);
    return status;
}

/* The part that utet_tensor_need and utet_tensor_open share. file->priv.step is 0 when either begins. */
static utet_status begin_measuring(utet_tensor *t, utet_file *file, const utet_object *o)
{
    utet_status status;

    if (file->priv.step == 0) {
        status = tensogram_data_prepare(t, file, o);
        if (status != UTET_OK)
            return status;
        file->priv.step = 1;
    }
    return t->priv.phase < TO_LEND ? tensogram_data_measure(t) : UTET_OK;
}

utet_status utet_tensor_need(utet_tensor *tensor, utet_file *file, const utet_object *object, utet_need *need)
{
    utet_status status = utet_enter(file, UTET_CALL_TENSOR_NEED);

    if (status != UTET_OK)
        return status;
    status = begin_measuring(tensor, file, object);
    if (status == UTET_OK) {
        *need = tensor->priv.need;
        utet_need_with_window(file, need);
    }
    return utet_leave(file, status);
}

/* ---- decoding what comes first ---- */

/* The destination of a stage's output: the masks' bits one after another, then the planes. */
static uint8_t *tensogram_data_place(const utet_tensor *t, unsigned stage)
{
    uint8_t *at = t->priv.memory;
    unsigned i;

    for (i = 0; i < stage; i++)
        if (!is_empty(t, i))
            at += (size_t)tensogram_data_up8(bitmap_size(t->priv.object));
    return at;
}

static utet_status tensogram_data_lend(utet_tensor *t)
{
    utet_file *file = t->priv.stream.priv.file;
    utet_status status = utet_lend(file, t, &t->priv.need);

    if (status != UTET_OK)
        return status;
    t->priv.memory = utet_behind(file);
    t->priv.stage = 0;
    t->priv.phase = TO_SET;
    return UTET_OK;
}

static utet_status tensogram_data_set_stage(utet_tensor *t)
{
    utet_file *file = t->priv.stream.priv.file;
    int whole = t->priv.stage != STAGE_PAYLOAD || has_planes(t->priv.object);
    utet_status status = set_stream(t, t->priv.stage, whole ? tensogram_data_place(t, t->priv.stage) : NULL);

    t->priv.stream.priv.work = t->priv.memory + (size_t)t->priv.fixed;
    t->priv.stream.priv.work_len = file->priv.lent - (size_t)t->priv.fixed;
    return status;
}

/* After the last stage the stream is the payload's, and read on from there. */
static void end_stage(utet_tensor *t)
{
    if (t->priv.stage == STAGE_PAYLOAD) {
        t->priv.source_kind = UTET_SOURCE_CODEC;
        if (t->priv.object->filter == UTET_FILTER_SHUFFLE)
            t->priv.source_kind = UTET_SOURCE_PLANES;
        else if (t->priv.object->compression == UTET_COMPRESSION_NONE)
            t->priv.source_kind = UTET_SOURCE_RAW;
        if (has_planes(t->priv.object))
            t->priv.planes = t->priv.stream.priv.whole;
        t->priv.stage = 0;
        t->priv.phase = TO_PRIME;
    } else {
        t->priv.stage++;
        t->priv.phase = TO_SET;
    }
}

static utet_status decode_stage(utet_tensor *t)
{
    utet_stream *s = &t->priv.stream;
    utet_status status;

    if (t->priv.phase == TO_SET) {
        status = tensogram_data_set_stage(t);
        if (status != UTET_OK)
            return status;
        t->priv.phase = TO_BEGIN;
    }
    if (t->priv.phase == TO_BEGIN) {
        const utet_codec_driver *driver;

        if (is_empty(t, t->priv.stage)) {
            end_stage(t);
            return UTET_OK;
        }
        driver = s->priv.codec->driver;
        status = driver->start_lent(s);
        if (status != UTET_OK)
            return status;
        t->priv.phase = TENSOGRAM_DATA_TO_READ;
    }
    if (s->priv.whole != NULL) {
        const utet_codec_driver *driver = s->priv.codec->driver;

        status = driver->read(s, NULL, s->length);
        if (status != UTET_OK)
            return status;
        s->priv.done = 0;
    }
    end_stage(t);
    return UTET_OK;
}

/* A mask is decoded already, or bits as they are in the file, or in a method of its own. */
static void begin_runs(const utet_tensor *t, utet_bit_runs *runs, const utet_mask *mask)
{
    const utet_object *o = t->priv.object;
    const utet_codec *codec = NULL;
    const uint8_t *map = NULL;

    if (!is_empty(t, t->priv.stage))
        map = tensogram_data_place(t, t->priv.stage);
    else if (mask->method != UTET_COMPRESSION_NONE)
        codec = find_codec(t->priv.stream.priv.file, mask->method);
    utet_runs_begin(runs, (const utet_bits_codec *)(const void *)codec, o->elements, mask->offset,
                    codec != NULL ? mask->length : bitmap_size(o), map);
}

/* The first run of each mask; all of them when there is no element that would ask for them. */
static utet_status tensogram_data_prime(utet_tensor *t)
{
    utet_file *file = t->priv.stream.priv.file;
    const utet_object *o = t->priv.object;

    for (; t->priv.stage != UTET_MASKS; t->priv.stage++) {
        const utet_mask *mask = &o->mask[t->priv.stage];
        utet_bit_runs *runs = &t->priv.shared.mask[t->priv.stage];
        utet_status status;

        if (mask->method == 0)
            continue;
        if (runs->priv.begun == 0)
            begin_runs(t, runs, mask);
        status = utet_runs_next(file, runs);
        if (status != UTET_OK)
            return status;
    }
    t->priv.phase = 0;
    return UTET_OK;
}

static utet_status open_tensor(utet_tensor *t, utet_file *file, const utet_object *object)
{
    utet_status status = begin_measuring(t, file, object);

    if (status == UTET_OK && t->priv.phase == TO_LEND)
        status = tensogram_data_lend(t);
    while (status == UTET_OK && t->priv.phase != TO_PRIME)
        status = decode_stage(t);
    return status == UTET_OK ? tensogram_data_prime(t) : status;
}

utet_status utet_tensor_begin(utet_tensor *tensor, utet_file *file, const utet_object *object)
{
    utet_status status = open_tensor(tensor, file, object);

    if (UTET_IS_ERROR(status) && file->priv.owner == tensor)
        file->priv.owner = NULL;
    return status;
}

utet_status utet_tensor_open_unverified(utet_tensor *tensor, utet_file *file, const utet_object *object)
{
    utet_status status = utet_enter(file, UTET_CALL_TENSOR_OPEN_UNVERIFIED);

    return status == UTET_OK ? utet_leave(file, utet_tensor_begin(tensor, file, object)) : status;
}

#endif
