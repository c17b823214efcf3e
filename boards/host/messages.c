/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* utet messages: what messages a file has, the tensors of each; --json all of it but the data. */
#define _POSIX_C_SOURCE 200809L
#include "tensogram.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define LINE_BYTES 160 /* of metadata in the table */

/* Whether `over` has the key as well. */
static int is_shadowed(messages *m, const utet_item *over, const char *name)
{
    utet_item value;

    return over != NULL && utet_metadata_in(&m->metadata, over, name, strlen(name), &value) == UTET_OK;
}

/* "mars.param=2t mars.step=6 …": the scalars of a map and of the maps in it, cut to a line; without those that the map
 * `over` has as well. */
static utet_status put_words(messages *m, const utet_item *map, const char *prefix, const utet_item *over, FILE *line)
{
    utet_item list = *map;
    utet_item key;
    utet_item item;
    utet_status status;

    while ((status = utet_item_next(&m->metadata.reader, &list, &key, &item)) == UTET_OK) {
        char *name = messages_text(m, &key, &status);
        char *text;

        if (name == NULL)
            return status;
        if (strcmp(name, "_reserved_") == 0 || is_shadowed(m, over, name)) {
            free(name);
            continue;
        }
        text = item_words(m, &item, &status);
        if (text != NULL)
            fprintf(line, " %s%s%s=%s", prefix, *prefix != '\0' ? "." : "", name, text);
        else if (status == UTET_OK && item.kind == UTET_CBOR_MAP && *prefix == '\0')
            status = put_words(m, &item, name, NULL, line); /* one level, so one call deep */
        free(text);
        free(name);
        if (status != UTET_OK || ftell(line) > LINE_BYTES)
            return status;
    }
    return status == UTET_END ? UTET_OK : status;
}

static utet_status object_words(messages *m, uint32_t number, char *line)
{
    utet_item entry;
    utet_item over;
    FILE *out = fmemopen(line, LINE_BYTES, "w");
    utet_status status;

    if (out == NULL)
        return UTET_E_BUDGET;
    status = utet_metadata_entry(&m->metadata, number, &entry, &over);
    if (status == UTET_OK && over.kind == UTET_CBOR_MAP)
        status = put_words(m, &over, "", NULL, out);
    if (status == UTET_OK && entry.kind == UTET_CBOR_MAP)
        status = put_words(m, &entry, "", &over, out);
    (void)fclose(out);
    line[LINE_BYTES - 1] = '\0';
    return status;
}

static void coding(const utet_object *object, char text[80])
{
    int length = object->encoding == UTET_ENCODING_SIMPLE_PACKING
                     ? snprintf(text, 80, "packed %u bits", (unsigned)object->packing.bits)
                     : snprintf(text, 80, "plain");

    (void)snprintf(text + length, 80 - (size_t)length, "%s%s%s%s",
                   object->filter == UTET_FILTER_SHUFFLE ? ", shuffle" : "",
                   object->compression != UTET_COMPRESSION_NONE ? ", " : "",
                   object->compression != UTET_COMPRESSION_NONE ? utet_compression_name(object->compression) : "",
                   object->masks != 0 ? ", masks" : "");
}

static utet_status list_objects(messages *m)
{
    utet_frame frame;
    utet_object object;
    utet_cbor reader;
    table t;
    utet_status status = utet_frame_first(&m->s.file, &m->message, &frame);

    table_begin(&t, "lllll");
    for (; status == UTET_OK; status = utet_frame_next(&m->s.file, &m->message, &frame)) {
        char text[512];
        char line[LINE_BYTES] = "";

        if (frame.type != UTET_FRAME_TENSOR)
            continue;
        status = utet_object_open(&object, &m->s.file, &frame, &reader);
        if (status == UTET_OK)
            status = object_words(m, object.number, line);
        if (status != UTET_OK)
            break;
        (void)snprintf(text, sizeof text, "  %" PRIu32, object.number);
        table_cell(&t, text);
        table_cell(&t, utet_tensor_dtype_name(object.dtype));
        table_cell(&t, shape_text(text, object.shape, object.ndim, ", "));
        coding(&object, text);
        table_cell(&t, text);
        table_cell(&t, line);
    }
    (void)table_end(&t);
    return status == UTET_END ? UTET_OK : status;
}

static utet_status list_message(messages *m, uint64_t number)
{
    char bytes[32];

    printf("message %" PRIu64 " at %" PRIu64 ": %s bytes%s, %" PRIu32 " %s\n", number, m->message.offset,
           grouped(bytes, m->message.length), m->message.total_length == 0 ? ", streamed" : "", m->metadata.objects,
           m->metadata.objects == 1 ? "tensor" : "tensors");
    return list_objects(m);
}

/* One message: opened, filtered, printed. */
static utet_status each(messages *m, const options *opt, uint64_t number, const char **comma)
{
    int passes = 1;
    utet_status status = utet_metadata_open(&m->metadata, &m->s.file, &m->message, m->levels, TENSOGRAM_DEPTH);

    if (status == UTET_OK)
        status = where_passes(m, opt, &passes);
    if (status != UTET_OK || !passes)
        return status;
    status = messages_check(m);
    if (status != UTET_OK)
        return status;
    if (!opt->json)
        return list_message(m, number);
    fputs(*comma, stdout);
    *comma = ",";
    return put_message(m);
}

static int run(messages *m, const options *opt)
{
    const char *comma = "";
    uint64_t count = 0;
    int result = TOOL_OK;
    utet_status status = messages_next(m, 1, &result);

    if (opt->json)
        fputs("{\"messages\":[", stdout);
    for (; status == UTET_OK; status = messages_next(m, 0, &result)) {
        status = each(m, opt, count, &comma);
        if (status != UTET_OK)
            result = messages_fail(m, status, m->s.file.error_offset);
        if (status <= UTET_E_PORT)
            return TOOL_ERROR;
        count++;
    }
    if (opt->json)
        fputs("]}\n", stdout);
    if (status != UTET_END)
        return messages_fail(m, status, m->s.file.error_offset);
    if (count == 0 && result == TOOL_OK)
        return messages_fail(m, UTET_E_MAGIC, 0);
    return result;
}

int command_messages(const options *opt)
{
    return messages_run(opt, run);
}
