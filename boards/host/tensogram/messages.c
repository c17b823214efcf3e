/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* utet messages lists the messages of files and the tensors of each message; with --json or --jsonl everything except
 * the data, with -p the chosen values. A listing continues after damaged parts: it marks them, and reports them after
 * the message. */
#define _POSIX_C_SOURCE 200809L
#include "tensogram.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define LINE_BYTES 160 /* maximum width of metadata in the table */

/* Returns nonzero if `over` also has the key. */
static int is_shadowed(messages *m, const utet_item *over, const char *name)
{
    utet_item value;

    return over != NULL && utet_metadata_in(&m->metadata, over, name, strlen(name), &value) == UTET_OK;
}

/* Writes "mars.param=2t mars.step=6 …": the scalars of a map and of the maps in it, truncated to a line, without the
 * keys that the map `over` also has. */
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
            status = put_words(m, &item, name, NULL, line); /* recursion is limited to one level */
        free(text);
        free(name);
        if (status != UTET_OK || ftell(line) > LINE_BYTES)
            return status;
    }
    return status == UTET_END ? UTET_OK : status;
}

static utet_status entry_words(messages *m, const utet_entry *tensor, char *line)
{
    FILE *out = fmemopen(line, LINE_BYTES, "w");
    utet_status status = UTET_OK;

    if (out == NULL)
        return UTET_E_BUDGET;
    if (tensor->preceder.kind == UTET_CBOR_MAP)
        status = put_words(m, &tensor->preceder, "", NULL, out);
    if (status == UTET_OK && tensor->entry.kind == UTET_CBOR_MAP)
        status = put_words(m, &tensor->entry, "", &tensor->preceder, out);
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

/* Prints the descriptor, or a line which states that there is none. */
static void list_object(messages *m, table *t, const utet_object *object, utet_status status)
{
    uint64_t shape[TOOL_MOST_AXES];
    char text[TOOL_MOST_AXES * 24];

    if (status != UTET_OK) {
        table_cell(t, "?");
        table_cell(t, "");
        table_cell(t, messages_words(status));
        return;
    }
    table_cell(t, utet_tensor_dtype_name(object->dtype));
    if (messages_shape(m, object, shape) == UTET_OK)
        (void)shape_text(text, shape, object->axes, ", ");
    else
        (void)snprintf(text, sizeof text, "%" PRIu32 " axes", object->axes);
    table_cell(t, text);
    coding(object, text);
    table_cell(t, text);
}

/* Prints the rows of the tensors, from their frames and, in parallel, from the metadata. */
static utet_status list_rows(messages *m, table *t)
{
    utet_frame frame;
    utet_object object;
    utet_entry tensor;
    char number[16];
    utet_status status = utet_frame_first(&m->s.file, &m->message, &frame);
    int is_first = 1;

    for (; status == UTET_OK; status = utet_frame_next(&m->s.file, &m->message, &frame)) {
        char line[LINE_BYTES] = "";

        if (frame.type != UTET_FRAME_TENSOR)
            continue;
        status = is_first ? utet_entry_first(&m->metadata, &tensor) : utet_entry_next(&m->metadata, &tensor);
        is_first = 0;
        if (status == UTET_OK)
            status = entry_words(m, &tensor, line);
        if (status != UTET_OK)
            return status;
        status = messages_descriptor(m, &frame, &object);
        (void)snprintf(number, sizeof number, "  %" PRIu32, tensor.object);
        table_cell(t, number);
        list_object(m, t, &object, status);
        table_cell(t, line);
        status = messages_note(m, status);
        if (status != UTET_OK)
            return status;
    }
    return status == UTET_END ? UTET_OK : status;
}

static utet_status list_objects(messages *m)
{
    table t;
    utet_status status;

    table_begin(&t, "lllll");
    status = list_rows(m, &t);
    (void)table_end(&t);
    return status;
}

static void put_heading(const messages *m, uint64_t number)
{
    char bytes[32];

    printf("message %" PRIu64 " at %" PRIu64 ": %s bytes%s, %" PRIu32 " %s\n", number, m->message.offset,
           grouped(bytes, m->message.length), m->message.total_length == 0 ? ", streamed" : "", m->metadata.objects,
           m->metadata.objects == 1 ? "tensor" : "tensors");
}

static utet_status list_message(messages *m, uint64_t number)
{
    put_heading(m, number);
    return list_objects(m);
}

/* The state of the listing. */
typedef struct listing {
    const char *comma; /* the output of --json; NULL: the list has not begun */
    uint64_t number;   /* number of the next message in its file */
    int many;          /* files */
} listing;

/* Prints the current message in the requested form. The message is chosen, and its paths are known. */
static utet_status put_one(messages *m, const options *opt, const paths *p, listing *l)
{
    utet_status status;

    if (opt->json) {
        fputs(l->comma, stdout);
        l->comma = ",";
    }
    if (opt->common) {
        if (!opt->json && !opt->json_lines)
            put_heading(m, l->number);
        status = put_common(m, opt->json || opt->json_lines);
        if (!opt->json_lines)
            return status;
    } else if (opt->keys != NULL)
        status = put_keys(m, p, opt->keys, opt->json || opt->json_lines);
    else if (opt->json || opt->json_lines)
        status = put_message(m, l->many ? opt->file : NULL);
    else
        return list_message(m, l->number);
    if (!opt->json)
        putchar('\n');
    return status;
}

/* Opens one message, checks -w, and prints it. */
static utet_status each(messages *m, const options *opt, listing *l)
{
    paths *p = NULL;
    int passes = 1;
    utet_status status = utet_metadata_open(&m->metadata, &m->s.file, &m->message, m->levels, TENSOGRAM_DEPTH);

    if (status == UTET_OK && (opt->where_count != 0 || opt->keys != NULL))
        p = paths_make(m, &status);
    if (status == UTET_OK)
        status = where_passes(m, p, opt, &passes);
    if (status == UTET_OK && passes)
        status = put_one(m, opt, p, l);
    paths_end(p);
    if (status == UTET_OK && passes && (opt->keys != NULL || (!opt->json && !opt->json_lines)))
        status = messages_hashes(m); /* JSON states the result for each frame */
    return status;
}

static int list_all(messages *m, const options *opt, listing *l)
{
    int result = TOOL_OK;
    utet_status status = messages_next(m, 1, &result);

    for (l->number = 0; status == UTET_OK; status = messages_next(m, 0, &result)) {
        status = each(m, opt, l);
        if (status != UTET_OK)
            result = messages_fail(m, status, m->s.file.error_offset);
        else
            result = messages_tell(m, result);
        if (status <= UTET_E_PORT)
            return TOOL_ERROR;
        m->fault = UTET_OK;
        l->number++;
    }
    if (status != UTET_END)
        return messages_fail(m, status, m->s.file.error_offset);
    if (l->number == 0 && result == TOOL_OK)
        return messages_fail(m, UTET_E_MAGIC, 0);
    return result;
}

static int list_file(const options *opt, listing *l)
{
    messages *const m = malloc(sizeof *m);
    int result;

    if (m == NULL)
        return fail(opt->file, NULL, NO_OFFSET, "not enough memory");
    result = messages_begin(m, opt);
    if (result == TOOL_OK && opt->json && l->comma == NULL) {
        fputs("{\"messages\":[", stdout);
        l->comma = "";
    }
    if (result == TOOL_OK && l->many && opt->keys == NULL && !opt->json && !opt->json_lines) {
        put_safely(stdout, opt->file, strlen(opt->file));
        puts(":");
    }
    if (result == TOOL_OK)
        result = list_all(m, opt, l);
    source_end(&m->s);
    free(m);
    return result;
}

int command_messages(const options *opt)
{
    options one = *opt;
    listing l = {NULL, 0, opt->file_count > 1};
    char *const keys = opt->keys != NULL && (opt->json || opt->json_lines) ? keys_once(opt->keys) : NULL;
    int result = TOOL_OK;
    int i;

    if (keys != NULL)
        one.keys = keys;
    for (i = 0; i < opt->file_count; i++) {
        one.file = opt->files[i];
        if (list_file(&one, &l) != TOOL_OK)
            result = TOOL_ERROR;
    }
    if (l.comma != NULL)
        fputs("]}\n", stdout);
    free(keys);
    return result;
}
