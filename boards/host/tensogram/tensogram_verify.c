/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * utet verify for a file of Tensogram messages. It finds whatever the reference's validator finds, with the same
 * severity: structure, metadata, descriptors, index and hash frames, the hash of every frame, compressed and packed
 * data; with --deep also masks, and NaN and infinities that no mask announces. It reports the parts that it did not
 * check.
 */
#include "tensogram.h"
#include "verify/verify.h"

#include "utet_tensogram_data.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct tensogram_verification {
    messages *m;
    const options *opt;
    report r;
    uint64_t number;  /* number of the current message */
    uint64_t hashes;  /* number of frames with a correct hash */
    uint64_t old;     /* number of these frames by a writer before 0.21 */
    uint64_t without; /* number of tensors without a hash */
    uint64_t decoded; /* tensors */
    uint64_t raw;     /* number of tensors stored uncompressed, whose values --deep reads */
} tensogram_verification;

static void add_at(tensogram_verification *v, const char *check, unsigned severity, utet_status status, uint64_t offset,
                   const char *words)
{
    report_add(&v->r, check, severity, status, offset, "message %" PRIu64 ": %s", v->number, words);
}

static void add(tensogram_verification *v, const char *check, unsigned severity, utet_status status, const char *words)
{
    add_at(v, check, severity, status, v->m->s.file.error_offset, words);
}

/* ---- data ---- */

/* A search for NaN and infinities that no mask announces. */
typedef struct strange {
    const utet_object *object;
    uint64_t at;     /* index of the next element */
    uint64_t *found; /* index of each such value, read without masks */
    uint8_t *bytes;  /* bytes of each such value, 16 for each */
    size_t count;
    size_t size;
    size_t next;   /* next value to compare */
    int comparing; /* 1: the second pass, with masks */
    int is_bad;    /* 1: a value was found that is not in a mask */
    int failed;    /* no memory */
} strange;

/* Returns nonzero if the element, or half of a complex one, is NaN or an infinity: all bits of the exponent are
 * ones. */
static int is_strange(const utet_object *object, const uint8_t *at)
{
    double value;
    double imaginary;

    return utet_tensor_double(object->dtype, at, &value, &imaginary) == UTET_OK &&
           (!isfinite(value) || !isfinite(imaginary));
}

static int keep_strange(strange *s, const uint8_t *at)
{
    if (s->count == s->size) {
        const size_t size = s->size * 2 + 1024;
        uint64_t *const found = realloc(s->found, size * sizeof *found);
        uint8_t *const bytes = found != NULL ? realloc(s->bytes, size * 16) : NULL;

        if (found != NULL)
            s->found = found;
        s->failed = bytes == NULL;
        if (s->failed)
            return TOOL_ERROR;
        s->bytes = bytes;
        s->size = size;
    }
    memset(s->bytes + s->count * 16, 0, 16);
    memcpy(s->bytes + s->count * 16, at, s->object->width);
    s->found[s->count++] = s->at;
    return TOOL_OK;
}

/* First pass: stores NaN and infinities; only the first one if the tensor has no masks. Second pass: finds those that
 * the masks have not changed. */
static int look(void *ctx, const uint8_t *data, size_t count)
{
    strange *const s = ctx;
    const size_t width = s->object->width;
    size_t i;

    for (i = 0; i < count && width != 0; i++, s->at++) {
        const uint8_t *const at = data + i * width;

        if (s->comparing) {
            if (s->next == s->count || s->found[s->next] != s->at)
                continue;
            s->is_bad |= memcmp(s->bytes + s->next++ * 16, at, width) == 0;
        } else if (is_strange(s->object, at)) {
            if (s->object->masks == 0) {
                s->is_bad = 1;
                return TOOL_ERROR;
            }
            if (keep_strange(s, at) != TOOL_OK)
                return TOOL_ERROR;
        }
    }
    return TOOL_OK;
}

static int nothing(void *ctx, const uint8_t *data, size_t count)
{
    (void)ctx;
    (void)data;
    (void)count;
    return TOOL_OK;
}

/* Checks only floats and complex numbers. */
static int may_be_strange(const utet_object *object)
{
    return object->dtype >= UTET_TENSOR_FLOAT16 && object->dtype <= UTET_TENSOR_COMPLEX128;
}

/* Reads the tensor without its masks, and with --deep again with them. */
static utet_status decode(tensogram_verification *v, const utet_object *object, strange *s)
{
    utet_object plain = *object;
    utet_status status;
    const int looks = v->opt->deep && may_be_strange(object);

    plain.masks = 0;
    memset(plain.mask, 0, sizeof plain.mask);
    s->object = object;
    (void)tensogram_scan(v->m, &plain, looks ? look : nothing, s, &status);
    if (status != UTET_OK || !v->opt->deep || object->masks == 0 || s->failed)
        return status;
    s->comparing = 1;
    s->at = 0;
    (void)tensogram_scan(v->m, object, s->count != 0 ? look : nothing, s, &status);
    return status;
}

/* Returns the compression of the payload or, with --deep, of a mask that utet cannot decode; 0: none. */
static uint8_t foreign_compression(const utet_object *object, int deep)
{
    uint8_t found = object->compression >= UTET_COMPRESSION_BLOSC2 ? object->compression : 0;
    unsigned i;

    for (i = 0; i < UTET_MASKS && found == 0 && deep; i++)
        if (object->mask[i].method >= UTET_COMPRESSION_BLOSC2)
            found = object->mask[i].method;
    return found;
}

static utet_status verify_data(tensogram_verification *v, const utet_object *object)
{
    const uint8_t foreign = foreign_compression(object, v->opt->deep);
    const int is_raw = object->encoding == UTET_ENCODING_NONE && object->filter == UTET_FILTER_NONE &&
                       object->compression == UTET_COMPRESSION_NONE;
    strange s;
    utet_status status;

    memset(&s, 0, sizeof s);
    if (is_raw && !v->opt->deep) {
        v->raw++;
        return UTET_OK;
    }
    if (foreign != 0) {
        report_add(&v->r, "data", UTET_SEVERITY_WARNING, UTET_E_CODEC, object->payload_offset,
                   "message %" PRIu64 ": %s is not decoded", v->number, utet_compression_name(foreign));
        return UTET_OK;
    }
    status = decode(v, object, &s);
    free(s.found);
    free(s.bytes);
    if (is_medium_error(status))
        return status;
    if (status == UTET_E_BUDGET)
        add_at(v, "data", UTET_SEVERITY_ERROR, status, object->frame_offset,
               "no values are stored, and more promised than utet makes");
    else if (status != UTET_OK)
        add(v, "data", UTET_SEVERITY_ERROR, status, "a tensor cannot be decoded");
    else if (s.failed)
        v->r.failed = 1;
    else if (s.is_bad)
        add_at(v, "data", UTET_SEVERITY_ERROR, UTET_E_PAYLOAD, object->payload_offset,
               "NaN or an infinity that no mask announces");
    v->decoded++;
    return UTET_OK;
}

/* ---- frames ---- */

/* Checks the hash of a frame. Returns UTET_OK even if the hash is wrong, which is reported. */
static utet_status verify_hash(tensogram_verification *v, const utet_frame *frame)
{
    utet_status status;

    if (frame->hashed == UTET_HASH_NONE) {
        v->without += frame->type == UTET_FRAME_TENSOR;
        return UTET_OK;
    }
    status = messages_hash(v->m, frame);
    if (status == UTET_E_CHECKSUM) {
        add(v, "frame_hash", UTET_SEVERITY_ERROR, status, messages_words(status));
        return UTET_OK;
    }
    v->hashes += status == UTET_OK;
    v->old += status == UTET_OK && frame->hashed == UTET_HASH_OLD;
    return status;
}

/* Checks index and hash frames: a complete map whose keys are texts, as the reference requires. */
static utet_status verify_list(tensogram_verification *v, const utet_frame *frame)
{
    utet_cbor *reader = &v->m->reader;
    const int is_index = frame->type == UTET_FRAME_HEADER_INDEX || frame->type == UTET_FRAME_FOOTER_INDEX;
    const int is_hashes = frame->type == UTET_FRAME_HEADER_HASHES || frame->type == UTET_FRAME_FOOTER_HASHES;
    utet_status status;

    if (!is_index && !is_hashes)
        return UTET_OK;
    status = utet_cbor_open(reader, &v->m->s.file, frame->content_offset, frame->content_length, v->m->more,
                            TENSOGRAM_DEPTH);
    do {
        if (status == UTET_OK)
            status = utet_cbor_next(reader);
        if (status == UTET_OK && (reader->token == UTET_CBOR_END ||
                                  (reader->is_key && reader->depth == 1 &&
                                   (reader->token != UTET_CBOR_TEXT || (reader->flags & UTET_CBOR_TAGGED) != 0)))) {
            v->m->s.file.error_offset = reader->base + reader->begin;
            status = UTET_E_METADATA;
        }
    } while (status == UTET_OK && reader->depth != 0);
    if (is_medium_error(status) || status == UTET_OK)
        return status;
    add(v, is_index ? "index_frame" : "hash_frame", UTET_SEVERITY_ERROR, status, "its CBOR is wrong");
    return UTET_OK;
}

/* A part that exceeds the tool's limits is not checked; this is not a fault of the file. */
static unsigned severity_of(utet_status status)
{
    return status == UTET_E_LIMIT || status == UTET_E_SPACE ? UTET_SEVERITY_WARNING : UTET_SEVERITY_ERROR;
}

/* Checks hash, descriptor and data of each tensor. */
static utet_status verify_frames(tensogram_verification *v)
{
    utet_frame frame;
    utet_object object;
    utet_file *file = &v->m->s.file;
    utet_status status = utet_frame_first(file, &v->m->message, &frame);

    for (; status == UTET_OK; status = utet_frame_next(file, &v->m->message, &frame)) {
        status = verify_hash(v, &frame);
        if (status == UTET_OK)
            status = verify_list(v, &frame);
        if (status != UTET_OK)
            return status;
        if (frame.type != UTET_FRAME_TENSOR)
            continue;
        status = messages_descriptor(v->m, &frame, &object);
        if (is_medium_error(status))
            return status;
        if (status != UTET_OK)
            add(v, "descriptor", severity_of(status), status, messages_words(status));
        else if (object.axes > object.ndim)
            report_add(&v->r, "limit", UTET_SEVERITY_INFO, UTET_E_LIMIT, object.frame_offset,
                       "message %" PRIu64 ": a tensor of %" PRIu32 " axes: utet takes parts and pictures of at most %u",
                       v->number, object.axes, (unsigned)UTET_TENSOR_MAX_NDIM);
        status = status == UTET_OK ? verify_data(v, &object) : UTET_OK;
        if (status != UTET_OK)
            return status;
    }
    return status == UTET_END ? UTET_OK : status;
}

/* ---- metadata ---- */

/* Checks that the keys of a tensor, of _extra_ and of _reserved_ are texts, and that a tensor's own _reserved_ is a
 * map. */
static utet_status verify_keys(tensogram_verification *v, const utet_item *map)
{
    utet_metadata *const metadata = &v->m->metadata;
    utet_item list = *map;
    utet_item key;
    utet_item value;
    utet_status status;

    while ((status = utet_item_next(&metadata->reader, &list, &key, &value)) == UTET_OK)
        if (key.kind != UTET_CBOR_TEXT) {
            add_at(v, "metadata", UTET_SEVERITY_ERROR, UTET_E_METADATA, key.place, "a key is not a text");
            return UTET_OK;
        }
    if (status != UTET_END || map == &metadata->document.extra || map == &metadata->document.reserved)
        return status == UTET_END ? UTET_OK : status;
    status = utet_metadata_in(metadata, map, "_reserved_", 10, &value);
    if (status == UTET_OK && (value.kind != UTET_CBOR_MAP || (value.flags & UTET_CBOR_TAGGED) != 0))
        add_at(v, "metadata", UTET_SEVERITY_ERROR, UTET_E_METADATA, value.place, "_reserved_ of a tensor is not a map");
    return status == UTET_E_NOT_FOUND ? UTET_OK : status;
}

static utet_status verify_all_keys(tensogram_verification *v)
{
    utet_metadata *const metadata = &v->m->metadata;
    utet_entry tensor;
    utet_status status = utet_entry_first(metadata, &tensor);

    for (; status == UTET_OK; status = utet_entry_next(metadata, &tensor)) {
        status = verify_keys(v, &tensor.entry);
        if (status == UTET_OK)
            status = verify_keys(v, &tensor.preceder);
        if (status != UTET_OK)
            return status;
    }
    if (status == UTET_END)
        status = verify_keys(v, &metadata->document.extra);
    return status == UTET_OK ? verify_keys(v, &metadata->document.reserved) : status;
}

/* Checks for faults that reading tolerates, and compares index and hash frames with the others. */
static utet_status verify_metadata(tensogram_verification *v)
{
    static const struct {
        unsigned rules;
        const char *check, *words;
    } questions[] = {
        {UTET_METADATA_TYPES, "metadata_types", "a key that is not text, or a value that metadata must not have"},
        {UTET_METADATA_CANONICAL, "metadata_order", "the encoding is not deterministic"},
    };
    utet_metadata_checking checking;
    utet_metadata_comparing comparing;
    utet_status status = UTET_OK;
    size_t i;

    for (i = 0; i < 2; i++) {
        status = utet_metadata_check(&v->m->metadata, questions[i].rules, &checking);
        if (is_medium_error(status))
            return status;
        if (status != UTET_OK)
            add(v, questions[i].check, UTET_SEVERITY_WARNING, status, questions[i].words);
    }
    status = verify_all_keys(v);
    if (status != UTET_OK)
        return status;
    status = utet_metadata_compare(&v->m->metadata, &comparing);
    if (is_medium_error(status))
        return status;
    if (status != UTET_OK)
        add(v, status == UTET_E_INDEX ? "index_frame" : "hash_frame", UTET_SEVERITY_ERROR, status,
            "it contradicts the frames");
    return UTET_OK;
}

static utet_status verify_message(tensogram_verification *v)
{
    messages *m = v->m;
    utet_status status = utet_metadata_open(&m->metadata, &m->s.file, &m->message, m->levels, TENSOGRAM_DEPTH);

    if (is_medium_error(status))
        return status;
    if (status != UTET_OK) {
        add(v, status == UTET_E_DIRECTORY ? "frames" : "metadata",
            status == UTET_E_LIMIT ? UTET_SEVERITY_WARNING : UTET_SEVERITY_ERROR, status, messages_words(status));
        return UTET_OK;
    }
    status = verify_frames(v);
    return status == UTET_OK ? verify_metadata(v) : status;
}

/* Reports a message that is incomplete. Bytes that look like a message of another version may be foreign bytes. */
static void add_broken(tensogram_verification *v, utet_status status)
{
    const unsigned severity = status == UTET_E_VERSION ? UTET_SEVERITY_WARNING : UTET_SEVERITY_ERROR;

    add(v, status == UTET_E_SHORT ? "truncated" : "message", severity, status, messages_words(status));
}

/* Prints which checks were made, and which were not. */
static void say_checked(tensogram_verification *v)
{
    report_add(&v->r, "hashes", UTET_SEVERITY_INFO, UTET_OK, NO_OFFSET, "%" PRIu64 " frames have the hash they state",
               v->hashes);
    if (v->without != 0)
        report_add(&v->r, "no_hashes", UTET_SEVERITY_WARNING, UTET_OK, NO_OFFSET,
                   "%" PRIu64 " tensors have no hash: damage in their data may not be seen", v->without);
    if (v->old != 0)
        report_add(&v->r, "old_hashes", UTET_SEVERITY_INFO, UTET_OK, NO_OFFSET,
                   "%" PRIu64 " frames are hashed by a writer before 0.21", v->old);
    report_add(&v->r, "decoded", UTET_SEVERITY_INFO, UTET_OK, NO_OFFSET, "%" PRIu64 " tensors are decoded", v->decoded);
    if (v->raw != 0)
        report_add(&v->r, "not_decoded", UTET_SEVERITY_INFO, UTET_OK, NO_OFFSET,
                   "%" PRIu64 " tensors are stored as they are: their values are looked at with --deep", v->raw);
}

static int run(tensogram_verification *v)
{
    messages *m = v->m;
    uint64_t sound = 0;
    utet_status status = utet_message_first(&m->s.file, &m->message);

    for (; status != UTET_END; status = utet_message_next(&m->s.file, &m->message)) {
        if (status == UTET_OK) {
            if (m->message.skipped != 0)
                report_add(&v->r, "foreign_bytes", UTET_SEVERITY_ERROR, UTET_OK, m->message.offset - m->message.skipped,
                           "%" PRIu64 " bytes before message %" PRIu64, m->message.skipped, v->number);
            sound++;
            status = verify_message(v);
        } else if (status > UTET_E_PORT) {
            add_broken(v, status);
            status = UTET_OK;
        }
        if (status != UTET_OK)
            return messages_fail(m, status, m->s.file.error_offset);
        v->number++;
    }
    if (sound == 0 && report_error(&v->r) == NULL)
        report_add(&v->r, "message", UTET_SEVERITY_ERROR, UTET_E_MAGIC, 0, "the file contains no valid message");
    if (m->message.skipped != 0)
        report_add(&v->r, "foreign_bytes", UTET_SEVERITY_ERROR, UTET_OK, NO_OFFSET,
                   "%" PRIu64 " bytes after the last message", m->message.skipped);
    if (sound != 0)
        say_checked(v);
    (v->opt->json ? report_json : report_text)(&v->r, &m->s);
    return finish_stdout(TOOL_OK);
}

int tensogram_verify(const options *opt)
{
    tensogram_verification v;
    int result;

    memset(&v, 0, sizeof v);
    v.opt = opt;
    v.m = malloc(sizeof *v.m);
    if (v.m == NULL)
        return fail(opt->file, NULL, NO_OFFSET, "not enough memory");
    result = messages_begin(v.m, opt);
    if (result == TOOL_OK)
        result = run(&v);
    if (result == TOOL_OK && v.r.failed)
        result = fail(opt->file, NULL, NO_OFFSET, "not enough memory for the report");
    if (result == TOOL_OK && report_error(&v.r) != NULL) {
        const note *const error = report_error(&v.r);

        result = fail(opt->file, error->check, error->offset, "%s", error->detail);
    }
    report_end(&v.r);
    source_end(&v.m->s);
    free(v.m);
    return result;
}
