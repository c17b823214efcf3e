/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints what the library returns about the metadata of a file, as one line of JSON, which meta_test.py compares. The
 * file is read in several ways (all at once, one byte at a time with "not yet" before each, with the smallest window,
 * mapped), and all must give the same. Usage: dump [-1] FILE… (-1: the first way only)
 */
#include "rig.h"
#include "utet_meta.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- text buffers that grow ---- */

typedef struct out {
    char *text;
    size_t length, room;
} out;

static void put(out *o, const char *text, size_t length)
{
    if (o->length + length + 1 > o->room) {
        o->room = (o->length + length + 1) * 2;
        o->text = realloc(o->text, o->room);
        if (o->text == NULL)
            abort();
    }
    memcpy(o->text + o->length, text, length);
    o->length += length;
    o->text[o->length] = '\0';
}

static void puts_(out *o, const char *text)
{
    put(o, text, strlen(text));
}

static void put_number(out *o, uint64_t number)
{
    char text[24];

    put(o, text, (size_t)snprintf(text, sizeof text, "%" PRIu64, number));
}

static void put_quoted(out *o, const char *text, size_t length)
{
    size_t i;

    puts_(o, "\"");
    for (i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];

        if (c == '"' || c == '\\' || c < 0x20) {
            char escape[8];

            (void)snprintf(escape, sizeof escape, "\\u%04x", c);
            puts_(o, escape);
        } else {
            put(o, text + i, 1);
        }
    }
    puts_(o, "\"");
}

/* ---- a reader ---- */

typedef struct reader {
    rig r;
    utet_meta meta;
    out o;
    size_t piece;       /* texts are read in fragments of this size … */
    guard buffer;       /* … into this */
    utet_status status; /* the first error */
} reader;

static int ok(reader *x, utet_status status)
{
    if (UTET_IS_ERROR(status) && x->status == UTET_OK)
        x->status = status;
    return status == UTET_OK;
}

/* The text, in memory that the caller frees. */
static char *get(reader *x, utet_value text, size_t *length)
{
    char *all = malloc((size_t)text.size + 1);
    size_t size = (size_t)text.size;
    utet_status status;

    *length = 0;
    if (all == NULL)
        abort();
    for (;;) {
        size_t got = 0;

        DRIVE(status, utet_text_read(&x->meta, &text, (char *)x->buffer.data, x->piece, &got));
        suite_check(*length + got <= size, "more text than announced");
        memcpy(all + *length, x->buffer.data, got);
        *length += got;
        if (!ok(x, status))
            break;
    }
    if (x->status == UTET_OK)
        suite_check(*length == size && text.size == 0, "text shorter than announced");
    all[*length] = '\0';
    return all;
}

static void put_text(reader *x, utet_value text)
{
    size_t length;
    char *all = get(x, text, &length);

    put_quoted(&x->o, all, length);
    free(all);
}

/* Any value of lists, maps and texts. */
static void put_value(reader *x, utet_value value)
{
    utet_value list = value;
    const char *comma = "";
    uint64_t entries = value.size;
    utet_value key, item;
    utet_status status;

    if (value.kind == UTET_VALUE_TEXT) {
        put_text(x, value);
        return;
    }
    if (value.kind != UTET_VALUE_LIST && value.kind != UTET_VALUE_MAP) {
        if (value.kind == UTET_VALUE_NONE)
            puts_(&x->o, "null");
        else
            put_number(&x->o, value.value);
        return;
    }
    puts_(&x->o, value.kind == UTET_VALUE_LIST ? "[" : "{");
    for (;;) {
        DRIVE(status, utet_value_next(&x->meta, &list, &key, &item));
        if (!ok(x, status))
            break;
        puts_(&x->o, comma);
        if (value.kind == UTET_VALUE_MAP) {
            put_text(x, key);
            puts_(&x->o, ":");
        }
        put_value(x, item);
        comma = ",";
        entries--;
    }
    if (x->status == UTET_OK)
        suite_check(entries == 0 && list.size == 0, "the number of entries is not as announced");
    puts_(&x->o, value.kind == UTET_VALUE_LIST ? "]" : "}");
}

static void put_history(reader *x)
{
    static const char *const names[UTET_EVENT_FIELDS] = {"op",     "source", "at",       "parents",
                                                         "params", "agent",  "activity", "entity"};
    utet_value history = x->meta.history;
    utet_event event;
    const char *comma = "";
    utet_status status;

    puts_(&x->o, ",\"history\":[");
    for (;;) {
        const char *inner = "{";
        unsigned i;

        DRIVE(status, utet_event_next(&x->meta, &history, &event));
        if (!ok(x, status))
            break;
        puts_(&x->o, comma);
        for (i = 0; i < UTET_EVENT_FIELDS; i++)
            if (event.field[i].kind != UTET_VALUE_NONE) {
                puts_(&x->o, inner);
                put_quoted(&x->o, names[i], strlen(names[i]));
                puts_(&x->o, ":");
                put_value(x, event.field[i]);
                inner = ",";
            }
        puts_(&x->o, "}");
        comma = ",";
    }
    puts_(&x->o, "]");
}

static void put_labels(reader *x, const utet_dataset_meta *described, unsigned axis)
{
    utet_value labels, list, key, item;
    utet_status status;
    uint64_t n = 0;

    DRIVE(status, utet_meta_labels(&x->meta, described, axis, &labels));
    if (status == UTET_E_NOT_FOUND) {
        puts_(&x->o, "null");
        return;
    }
    if (!ok(x, status))
        return;
    put_value(x, labels);
    list = labels;
    for (;;) { /* each one is looked up again, by text and by number */
        char *text;
        size_t length;
        uint64_t index = UINT64_MAX;
        utet_value again;

        DRIVE(status, utet_value_next(&x->meta, &list, &key, &item));
        if (!ok(x, status))
            return;
        text = get(x, item, &length);
        DRIVE(status, utet_list_find(&x->meta, &labels, text, length, &index));
        if (ok(x, status))
            suite_check(index <= n, "label %" PRIu64 " is found at %" PRIu64, n, index);
        DRIVE(status, utet_list_nth(&x->meta, &labels, index, &again));
        if (ok(x, status)) {
            size_t same_length;
            char *same = get(x, again, &same_length);

            suite_check(same_length == length && memcmp(same, text, length) == 0, "label %" PRIu64 " differs", n);
            free(same);
        }
        free(text);
        if (x->status != UTET_OK)
            return;
        n++;
    }
}

static void put_attrs(reader *x, const utet_dataset_meta *described)
{
    utet_value list = described->attrs, key, item;
    const char *comma = "";

    puts_(&x->o, ",\"attrs\":{"); /* by key: the entry that counts */
    for (;;) {
        utet_status status;
        char *text;
        size_t length;

        DRIVE(status, utet_value_next(&x->meta, &list, &key, &item));
        if (!ok(x, status))
            break;
        text = get(x, key, &length);
        DRIVE(status, utet_map_find(&x->meta, &described->attrs, text, length, &item));
        ok(x, status);
        free(text);
        puts_(&x->o, comma);
        put_text(x, key);
        puts_(&x->o, ":");
        put_value(x, item);
        comma = ",";
    }
    puts_(&x->o, "}");
}

static void put_axes(reader *x, const utet_dataset_meta *described)
{
    utet_value list = described->dim_names, key, item;
    const char *comma = "";

    puts_(&x->o, ",\"axes\":[");
    for (;;) {
        utet_status status;
        char *text;
        size_t length;
        unsigned axis = 99;

        DRIVE(status, utet_value_next(&x->meta, &list, &key, &item));
        if (!ok(x, status))
            break;
        text = get(x, item, &length);
        DRIVE(status, utet_meta_axis(&x->meta, described, text, length, &axis));
        puts_(&x->o, comma);
        if (status == UTET_OK)
            put_number(&x->o, axis);
        else
            put_quoted(&x->o, rig_status(status), strlen(rig_status(status)));
        if (UTET_IS_ERROR(status) && status <= UTET_E_SHORT)
            ok(x, status);
        free(text);
        comma = ",";
    }
    puts_(&x->o, "]");
}

static void put_about(reader *x, const utet_dataset *dataset)
{
    utet_dataset_meta described;
    utet_status status;
    unsigned d;

    puts_(&x->o, "{\"found\":");
    DRIVE(status, utet_meta_dataset(&x->meta, dataset, &described));
    if (status != UTET_E_NOT_FOUND && !ok(x, status)) {
        puts_(&x->o, "-1}");
        return;
    }
    put_number(&x->o, status == UTET_OK);
    put_attrs(x, &described);
    puts_(&x->o, ",\"dim_names\":");
    put_value(x, described.dim_names);
    put_axes(x, &described);
    puts_(&x->o, ",\"labels\":[");
    for (d = 0; d < dataset->ndim; d++) {
        puts_(&x->o, d > 0 ? "," : "");
        put_labels(x, &described, d);
    }
    puts_(&x->o, "],\"fill\":");
    if (described.fill.kind == UTET_VALUE_TEXT)
        put_text(x, described.fill);
    else
        puts_(&x->o, "null");
    puts_(&x->o, "}");
}

static void put_metadata(reader *x)
{
    puts_(&x->o, ",\"file\":");
    put_value(x, x->meta.file_info);
    puts_(&x->o, ",\"datasets\":");
    put_value(x, x->meta.datasets);
}

/* Reads everything and writes the line. */
static void read_all(reader *x)
{
    utet_dataset dataset;
    utet_status status;
    const char *comma = "";

    DRIVE(status, utet_meta_open(&x->meta, &x->r.file));
    ok(x, status);
    puts_(&x->o, "\"status\":");
    put_quoted(&x->o, rig_status(status), strlen(rig_status(status)));
    if (UTET_IS_ERROR(status)) {
        puts_(&x->o, ",\"offset\":");
        put_number(&x->o, x->r.file.error_offset);
        return;
    }
    DRIVE(status, utet_meta_check_limits(&x->meta));
    puts_(&x->o, ",\"limits\":");
    put_quoted(&x->o, rig_status(status), strlen(rig_status(status)));
    if (status != UTET_E_METADATA)
        ok(x, status);
    puts_(&x->o, ",\"payload_limit\":");
    put_number(&x->o, x->meta.payload_limit);
    put_history(x);
    put_metadata(x);
    puts_(&x->o, ",\"about\":[");
    DRIVE(status, utet_dataset_first(&x->r.file, &dataset));
    while (ok(x, status)) {
        puts_(&x->o, comma);
        put_about(x, &dataset);
        comma = ",";
        DRIVE(status, utet_dataset_next(&x->r.file, &dataset));
    }
    puts_(&x->o, "]");
}

typedef enum way { WAY_PLAIN, WAY_DRIPS, WAY_LEAST, WAY_MAP, WAYS } way;

static char *read_in(const uint8_t *bytes, uint64_t size, way how, uint64_t *port_bytes)
{
    static reader x;
    utet_status status;

    memset(&x, 0, sizeof x);
    x.piece = how == WAY_PLAIN ? 64 : 1;
    x.buffer = guard_new(x.piece, 1, GUARD_AFTER);
    rig_make(&x.r, bytes, size, -1);
    if (how == WAY_DRIPS) {
        x.r.port.slice = 1;
        x.r.port.blocks = 1;
    }
    if (how == WAY_LEAST)
        x.r.port.slice = 7;
    if (how == WAY_MAP)
        faultport_map(&x.r.port);
    rig_start(&x.r, how == WAY_MAP ? 0 : how == WAY_PLAIN ? UTET_WINDOW_BEST(1) : UTET_WINDOW_LEAST(1), GUARD_AFTER);
    puts_(&x.o, "{");
    DRIVE(status, utet_open(&x.r.file, NULL));
    puts_(&x.o, "\"open\":");
    put_quoted(&x.o, rig_status(status), strlen(rig_status(status)));
    if (status == UTET_OK) {
        puts_(&x.o, ",");
        read_all(&x);
    }
    puts_(&x.o, "}");
    *port_bytes = x.r.port.bytes_read;
    rig_end(&x.r, "metadata");
    suite_check(guard_intact(&x.buffer), "written outside the buffer of a text");
    guard_free(&x.buffer);
    return x.o.text;
}

static int dump(const char *path, int ways)
{
    FILE *in = fopen(path, "rb");
    uint8_t *bytes;
    long size;
    char *first = NULL;
    int how;
    int result = 0;

    if (in == NULL || fseek(in, 0, SEEK_END) != 0 || (size = ftell(in)) < 0 || fseek(in, 0, SEEK_SET) != 0 ||
        (bytes = malloc((size_t)size + 1)) == NULL || fread(bytes, 1, (size_t)size, in) != (size_t)size) {
        perror(path);
        return 1;
    }
    (void)fclose(in);
    for (how = 0; how < ways; how++) {
        uint64_t port_bytes;
        char *text = read_in(bytes, (uint64_t)size, (way)how, &port_bytes);

        if (first == NULL) {
            first = text;
        } else {
            if (strcmp(first, text) != 0) {
                printf("DIFFERS in way %d: %s\n", how, text);
                result = 1;
            }
            free(text);
        }
    }
    puts(first);
    free(first);
    free(bytes);
    return result;
}

int main(int argc, char **argv)
{
    int ways = WAYS;
    int i;
    int result = 0;

    for (i = 1; i < argc; i++)
        if (strcmp(argv[i], "-1") == 0)
            ways = 1;
        else
            result |= dump(argv[i], ways);
    return result;
}
