/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Opens a file of Tensogram messages, advances from message to message, and prints error lines. */
#include "tensogram.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

int messages_find(messages *m, const options *opt, uint64_t number)
{
    uint64_t count = 0;
    int result = TOOL_OK;
    utet_status status;

    m->silent = 1; /* damage is reported only if the message is not found, so that an error is one line */
    status = messages_next(m, 1, &result);
    for (; status == UTET_OK && count < number; count++)
        status = messages_next(m, 0, &result);
    if (status == UTET_END && m->damage != UTET_OK)
        return fail(opt->file, messages_region(m->damage), m->damage_offset,
                    "%s; no message %" PRIu64 ", the file has %" PRIu64, messages_words(m->damage), number, count);
    if (status == UTET_END)
        return fail(opt->file, "message", NO_OFFSET, "no message %" PRIu64 "; the file has %" PRIu64, number, count);
    if (status == UTET_OK)
        status = utet_metadata_open(&m->metadata, &m->s.file, &m->message, m->levels, TENSOGRAM_DEPTH);
    return status == UTET_OK ? TOOL_OK : messages_fail(m, status, m->s.file.error_offset);
}

int messages_begin(messages *m, const options *opt)
{
    utet_status status;

    memset(m, 0, sizeof *m);
    if (source_prepare(&m->s, opt) != TOOL_OK)
        return TOOL_ERROR;
    m->s.work_length = UTET_OPEN_WORK(1);
    m->s.work = malloc(m->s.work_length);
    if (m->s.work == NULL)
        return fail(opt->file, NULL, NO_OFFSET, "not enough memory");
    status = utet_init(&m->s.file, &m->s.reading.io, m->s.work, m->s.work_length, m->s.codecs);
    if (status == UTET_OK)
        status = utet_messages_open(&m->s.file, NULL);
    return status == UTET_OK ? TOOL_OK : messages_fail(m, status, NO_OFFSET);
}

int messages_run(const options *opt, int (*work)(messages *m, const options *opt))
{
    messages *const m = malloc(sizeof *m);
    int result;

    if (m == NULL)
        return fail(opt->file, NULL, NO_OFFSET, "not enough memory");
    result = messages_begin(m, opt);
    if (result == TOOL_OK)
        result = work(m, opt);
    source_end(&m->s);
    free(m);
    return result;
}

int is_tensogram(source *s)
{
    static uint64_t work[(UTET_OPEN_WORK(1) + 7) / 8];
    uint8_t magic[8];
    size_t got = 0;
    utet_message message;
    utet_status status;

    if (s->reading.io.size < sizeof magic ||
        s->reading.io.read(s->reading.io.ctx, 0, magic, sizeof magic, &got) != UTET_OK || got != sizeof magic)
        return 0;
    if (memcmp(magic, "TENSOGRM", sizeof magic) == 0 || memcmp(magic, "TETR", 4) == 0)
        return magic[1] == 'E' && magic[2] == 'N';
    status = utet_init(&s->file, &s->reading.io, work, sizeof work, s->codecs);
    if (status == UTET_OK)
        status = utet_messages_open(&s->file, NULL);
    if (status == UTET_OK)
        status = utet_message_first(&s->file, &message);
    while (status != UTET_OK && status != UTET_END && !is_medium_error(status) && status != UTET_E_STATE)
        status = utet_message_next(&s->file, &message);
    return status == UTET_OK;
}

const char *messages_region(utet_status status)
{
    if (status <= UTET_E_PORT)
        return "medium";
    switch (status) {
    case UTET_E_MAGIC: return "message";
    case UTET_E_VERSION: return "preamble";
    case UTET_E_SUPERBLOCK: return "preamble or postamble";
    case UTET_E_SHORT: return "truncated";
    case UTET_E_DIRECTORY: return "frame";
    case UTET_E_INDEX: return "index";
    case UTET_E_METADATA: return "metadata";
    case UTET_E_DATASET:
    case UTET_E_DTYPE:
    case UTET_E_CODEC: return "descriptor";
    case UTET_E_ZSTD_WINDOW:
    case UTET_E_ZSTD_DICT:
    case UTET_E_ZSTD_LEGACY:
    case UTET_E_PAYLOAD: return "payload";
    case UTET_E_CHECKSUM: return "hash";
    case UTET_E_LIMIT: return "limit";
    case UTET_E_BUDGET:
    case UTET_E_SPACE: return "budget";
    default: return "call";
    }
}

const char *messages_words(utet_status status)
{
    switch (status) {
    case UTET_E_MAGIC: return "no Tensogram message begins here";
    case UTET_E_VERSION: return "wire version is not 3";
    case UTET_E_SUPERBLOCK: return "lengths or end magic contradict each other";
    case UTET_E_SHORT: return "the file ends inside the message";
    case UTET_E_DIRECTORY: return "type, order, length, end mark or padding of a frame is wrong";
    case UTET_E_INDEX: return "the index contradicts the frames";
    case UTET_E_METADATA: return "the CBOR or one of its known keys is wrong, or there is no metadata frame";
    case UTET_E_DATASET: return "syntax, a key, a size or a parameter is wrong";
    case UTET_E_DTYPE: return "unknown dtype";
    case UTET_E_CODEC: return "unknown encoding, filter, compression or mask method, or one that is not supported";
    case UTET_E_PAYLOAD: return "length or content contradict the descriptor";
    case UTET_E_CHECKSUM: return "the hash of the frame differs";
    case UTET_E_SPACE: return "nested deeper than utet reads";
    case UTET_E_LIMIT: return "nothing is wrong with it, but it is more than utet takes";
    default: return utet_strerror(status);
    }
}

int messages_fail(messages *m, utet_status status, uint64_t offset)
{
    if (status <= UTET_E_PORT)
        return fail(m->s.path, "medium", offset, "cannot read: %s", strerror(m->s.port.error));
    return fail(m->s.path, messages_region(status), offset, "%s%s", messages_words(status),
                status == UTET_E_MAGIC && offset == 0 ? source_kind(&m->s) : "");
}

/* Bytes before a valid message that look like the start of a message of another version are not damage. */
static void tell_damage(messages *m, int last, int *result)
{
    if (m->damage == UTET_OK)
        return;
    if (last || m->damage != UTET_E_VERSION)
        *result = messages_fail(m, m->damage, m->damage_offset);
    else
        notice(m->s.path, messages_region(m->damage), "%s (offset %" PRIu64 ")", messages_words(m->damage),
               m->damage_offset);
    m->damage = UTET_OK;
}

utet_status messages_next(messages *m, int first, int *result)
{
    for (;;) {
        utet_status status = first ? utet_message_first(&m->s.file, &m->message)
                                   : utet_message_next(&m->s.file, &m->message);

        if (!m->silent)
            tell_damage(m, status == UTET_END, result);
        if (status == UTET_OK || status == UTET_END || status <= UTET_E_PORT)
            return status;
        if (m->damage == UTET_OK) {
            m->damage = status;
            m->damage_offset = m->s.file.error_offset;
        }
        first = 0;
    }
}

utet_status messages_note(messages *m, utet_status status)
{
    if (status == UTET_OK || is_medium_error(status))
        return status;
    if (m->fault == UTET_OK) {
        m->fault = status;
        m->fault_offset = m->s.file.error_offset;
    }
    return UTET_OK;
}

int messages_tell(messages *m, int result)
{
    if (m->fault != UTET_OK)
        result = messages_fail(m, m->fault, m->fault_offset);
    m->fault = UTET_OK;
    return result;
}

utet_status messages_hash(messages *m, const utet_frame *frame)
{
    utet_frame_hash state;

    return utet_frame_verify(&m->s.file, frame, &state);
}

utet_status messages_hashes(messages *m)
{
    utet_frame frame;
    utet_status status = utet_frame_first(&m->s.file, &m->message, &frame);

    for (; status == UTET_OK; status = utet_frame_next(&m->s.file, &m->message, &frame)) {
        if (frame.type != UTET_FRAME_TENSOR && frame.hashed != UTET_HASH_NONE)
            status = messages_note(m, messages_hash(m, &frame));
        if (status != UTET_OK)
            return status;
    }
    return status == UTET_END ? UTET_OK : status;
}

char *messages_text(messages *m, const utet_item *item, utet_status *status)
{
    char *text = malloc((size_t)item->length + 1);

    *status = UTET_E_BUDGET;
    if (text == NULL)
        return NULL;
    text[item->length] = '\0';
    *status = item->length == 0 ? UTET_OK : utet_item_text(&m->metadata.reader, item, 0, text, item->length);
    if (*status == UTET_OK)
        return text;
    free(text);
    return NULL;
}

/* If a tensor has more axes than the library stores, only the extents are missing. */
static utet_status known(utet_status status, const utet_object *object)
{
    return status == UTET_E_LIMIT && object->descriptor.kind == UTET_CBOR_MAP ? UTET_OK : status;
}

utet_status messages_descriptor(messages *m, utet_frame *frame, utet_object *object)
{
    utet_cbor reader;

    return known(utet_object_open(object, &m->s.file, frame, &reader), object);
}

utet_status messages_object(messages *m, uint32_t number, utet_object *object, utet_frame *frame)
{
    utet_cbor reader;

    return known(utet_object_find(object, &m->s.file, &m->message, number, frame, &reader), object);
}

utet_status messages_shape(messages *m, const utet_object *object, uint64_t shape[TOOL_MOST_AXES])
{
    utet_item list;
    utet_item key;
    utet_item extent;
    utet_status status = utet_metadata_in(&m->metadata, &object->descriptor, "shape", 5, &list);
    uint32_t d;

    if (object->axes > TOOL_MOST_AXES)
        return UTET_E_LIMIT;
    for (d = 0; d < object->axes && status == UTET_OK; d++) {
        status = utet_item_next(&m->metadata.reader, &list, &key, &extent);
        shape[d] = extent.number;
    }
    return status == UTET_END ? UTET_E_DATASET : status;
}
