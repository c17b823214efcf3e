/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* utet verify for a file of Tensogram messages: structure, metadata and descriptors; --deep: hashes and data too. */
#include "tensogram.h"
#include "verify.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct tensogram_verification {
    messages *m;
    const options *opt;
    report r;
    uint64_t number; /* of the message */
} tensogram_verification;

static void add(tensogram_verification *v, const char *check, unsigned severity, utet_status status, const char *words)
{
    report_add(&v->r, check, severity, status, v->m->s.file.error_offset, "message %" PRIu64 ": %s", v->number, words);
}

/* Descriptors, and with --deep the hash of each frame. */
static utet_status verify_frames(tensogram_verification *v)
{
    utet_frame frame;
    utet_frame_hash state;
    utet_object object;
    utet_cbor reader;
    utet_file *file = &v->m->s.file;
    uint64_t old = 0;
    utet_status status = utet_frame_first(file, &v->m->message, &frame);

    for (; status == UTET_OK; status = utet_frame_next(file, &v->m->message, &frame)) {
        if (v->opt->deep && frame.hashed != UTET_HASH_NONE)
            status = utet_frame_verify(file, &frame, &state);
        if (status == UTET_E_CHECKSUM)
            add(v, "frame_hash", UTET_SEVERITY_ERROR, status, messages_words(status));
        old += status == UTET_OK && frame.hashed == UTET_HASH_OLD;
        if (is_medium_error(status))
            return status;
        status = frame.type == UTET_FRAME_TENSOR ? utet_object_open(&object, file, &frame, &reader) : UTET_OK;
        if (is_medium_error(status))
            return status;
        if (status != UTET_OK)
            add(v, "descriptor", UTET_SEVERITY_ERROR, status, messages_words(status));
    }
    if (old != 0 && v->opt->deep)
        report_add(&v->r, "old_hashes", UTET_SEVERITY_INFO, UTET_OK, NO_OFFSET,
                   "message %" PRIu64 ": %" PRIu64 " frames hashed by a writer before 0.21", v->number, old);
    return status == UTET_END ? UTET_OK : status;
}

/* What reading tolerates, and frames that nobody has to trust. */
static utet_status verify_metadata(tensogram_verification *v)
{
    static const struct {
        unsigned rules;
        const char *check, *words;
    } questions[] = {
        {UTET_METADATA_TYPES, "metadata_types", "a key that is no text, or a value that metadata must not have"},
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
    status = utet_metadata_compare(&v->m->metadata, &comparing);
    if (is_medium_error(status))
        return status;
    if (status != UTET_OK)
        add(v, status == UTET_E_INDEX ? "index_frame" : "hash_frame", UTET_SEVERITY_WARNING, status,
            "it contradicts the frames");
    return UTET_OK;
}

/* The compression that is named but not decoded, of the payload or of a mask; 0 = none. */
static uint8_t foreign_compression(const utet_object *object)
{
    uint8_t found = object->compression >= UTET_COMPRESSION_BLOSC2 ? object->compression : 0;
    unsigned i;

    for (i = 0; i < UTET_MASKS && found == 0; i++)
        if (object->mask[i].method >= UTET_COMPRESSION_BLOSC2)
            found = object->mask[i].method;
    return found;
}

/* Decodes every tensor; what it has to say about one goes to standard error. */
static void verify_data(tensogram_verification *v)
{
    options quiet = *v->opt;
    utet_object object;
    utet_frame frame;
    uint32_t i;

    quiet.output = "/dev/null";
    quiet.format = FORMAT_RAW;
    for (i = 0; i < v->m->metadata.objects; i++) {
        utet_status status = messages_object(v->m, i, &object, &frame);

        if (status == UTET_OK && foreign_compression(&object) != 0)
            report_add(&v->r, "data", UTET_SEVERITY_WARNING, UTET_E_CODEC, object.payload_offset,
                       "message %" PRIu64 ": %s is not decoded", v->number,
                       utet_compression_name(foreign_compression(&object)));
        else if (status == UTET_OK && tensogram_write(v->m, &quiet, &object) != TOOL_OK)
            add(v, "data", UTET_SEVERITY_ERROR, UTET_E_PAYLOAD, "a tensor cannot be decoded");
    }
}

static utet_status verify_message(tensogram_verification *v)
{
    messages *m = v->m;
    utet_status status = utet_metadata_open(&m->metadata, &m->s.file, &m->message, m->levels, TENSOGRAM_DEPTH);

    if (is_medium_error(status))
        return status;
    if (status != UTET_OK) {
        add(v, status == UTET_E_DIRECTORY ? "frames" : "metadata", UTET_SEVERITY_ERROR, status, messages_words(status));
        return UTET_OK;
    }
    status = verify_frames(v);
    if (status == UTET_OK)
        status = verify_metadata(v);
    if (status == UTET_OK && v->opt->deep && report_error(&v->r) == NULL)
        verify_data(v);
    return status;
}

/* A message that could not be found whole. What looks like one of another version may be foreign bytes. */
static void add_broken(tensogram_verification *v, utet_status status)
{
    const unsigned severity = status == UTET_E_VERSION ? UTET_SEVERITY_WARNING : UTET_SEVERITY_ERROR;

    add(v, status == UTET_E_SHORT ? "truncated" : "message", severity, status, messages_words(status));
}

static int run(tensogram_verification *v)
{
    messages *m = v->m;
    uint64_t sound = 0;
    utet_status status = utet_message_first(&m->s.file, &m->message);

    for (; status != UTET_END; status = utet_message_next(&m->s.file, &m->message)) {
        if (status == UTET_OK) {
            if (m->message.skipped != 0)
                report_add(&v->r, "foreign_bytes", UTET_SEVERITY_WARNING, UTET_OK,
                           m->message.offset - m->message.skipped, "%" PRIu64 " bytes before message %" PRIu64,
                           m->message.skipped, v->number);
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
        report_add(&v->r, "message", UTET_SEVERITY_ERROR, UTET_E_MAGIC, 0, "there is no sound message");
    if (m->message.skipped != 0)
        report_add(&v->r, "foreign_bytes", UTET_SEVERITY_WARNING, UTET_OK, NO_OFFSET,
                   "%" PRIu64 " bytes behind the last message", m->message.skipped);
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
