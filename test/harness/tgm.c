/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* See tgm.h. */
#define _DEFAULT_SOURCE
#include "tgm.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_MESSAGES = 60, MOST_FRAMES = 80, MOST_ENTRIES = 4, MOST_ITEMS = 40, MOST_DEPTH = 5 };

utet_status tgm_open(rig *r, size_t work)
{
    rig_start(r, work, GUARD_AFTER);
    return utet_messages_open(&r->file, NULL);
}

static void see(tgm_look *x, uint64_t value)
{
    x->digest = (x->digest ^ value) * 0x100000001B3u;
}

/* Keeps a status. 0: do not go on. */
static int went(tgm_look *x, utet_status status)
{
    if (status <= UTET_E_PORT || (status == UTET_E_SHORT && x->r->port.fault == FAULT_EOF && x->r->port.faults != 0)) {
        x->stop = status;
        return 0;
    }
    see(x, (uint64_t)(int64_t)status);
    if (status < 0 && status != UTET_E_NOT_FOUND && status != UTET_E_SPACE) {
        see(x, x->r->file.error_offset);
        x->broken++;
        x->cut = status == UTET_E_SHORT;
    }
    return status == UTET_OK;
}

#define STEP(x, ok, call)                   \
    do {                                    \
        utet_status status_ = UTET_E_STATE; \
        if ((x)->stop == UTET_OK) {         \
            DRIVE(status_, call);           \
            (ok) = went(x, status_);        \
        } else {                            \
            (ok) = 0;                       \
        }                                   \
    } while (0)

static void see_text(tgm_look *x, utet_cbor *reader, const utet_item *item)
{
    char piece[7];
    uint32_t from;
    int ok = 1;

    for (from = 0; ok && from < item->length && from < 200; from += (uint32_t)sizeof piece) {
        size_t some = item->length - from < sizeof piece ? item->length - from : sizeof piece;
        size_t i;

        STEP(x, ok, utet_item_text(reader, item, from, piece, some));
        for (i = 0; ok && i < some; i++)
            see(x, (uint8_t)piece[i]);
    }
}

static void see_item(tgm_look *x, utet_cbor *reader, utet_item item, int depth)
{
    int entries;
    int ok = 1;

    see(x, item.kind);
    if (item.kind >= UTET_CBOR_BOOLEAN && item.kind <= UTET_CBOR_FLOAT)
        see(x, item.number);
    if (item.kind == UTET_CBOR_TEXT)
        see_text(x, reader, &item);
    if (item.kind != UTET_CBOR_LIST && item.kind != UTET_CBOR_MAP)
        return;
    for (entries = 0; ok && entries < MOST_ITEMS && depth < MOST_DEPTH; entries++) {
        utet_item key;
        utet_item value;

        STEP(x, ok, utet_item_next(reader, &item, &key, &value));
        if (ok) {
            see_item(x, reader, key, MOST_DEPTH);
            see_item(x, reader, value, depth + 1);
        }
    }
}

static void see_tokens(tgm_look *x, utet_frame *frame)
{
    utet_cbor reader;
    int ok;

    STEP(x, ok, utet_cbor_open(&reader, &x->r->file, frame->content_offset, frame->content_length, NULL, 0));
    while (ok) {
        STEP(x, ok, utet_cbor_next(&reader));
        if (!ok || reader.token == UTET_CBOR_END)
            return;
        see(x, reader.token + 16u * reader.flags + 256u * reader.is_key + ((uint64_t)reader.depth << 16));
        if (reader.token == UTET_CBOR_TEXT)
            see(x, reader.hash);
    }
}

static void see_object(tgm_look *x, utet_frame *frame)
{
    utet_object object;
    utet_cbor reader;
    unsigned i;
    int ok;

    STEP(x, ok, utet_object_open(&object, &x->r->file, frame, &reader));
    if (!ok)
        return;
    see(x, object.dtype + 256u * object.encoding + 65536u * object.compression);
    see(x, object.decoded_length);
    see(x, object.payload_offset + object.payload_length);
    for (i = 0; i < object.ndim; i++)
        see(x, object.shape[i] ^ (uint64_t)object.strides[i]);
    for (i = 0; i < UTET_MASKS; i++)
        see(x, object.mask[i].offset + object.mask[i].length);
    see_item(x, &reader, object.descriptor, 0);
}

static void see_frames(tgm_look *x, utet_message *message)
{
    utet_frame frame;
    unsigned count;
    int ok;

    STEP(x, ok, utet_frame_first(&x->r->file, message, &frame));
    for (count = 0; ok && count < MOST_FRAMES; count++) {
        utet_frame_hash hash;

        see(x, frame.offset + frame.length + frame.type);
        STEP(x, ok, utet_frame_verify(&x->r->file, &frame, &hash));
        if (x->stop == UTET_OK)
            see(x, hash.value);
        if (frame.type == UTET_FRAME_TENSOR)
            see_object(x, &frame);
        else
            see_tokens(x, &frame);
        STEP(x, ok, utet_frame_next(&x->r->file, message, &frame));
    }
}

static void see_paths(tgm_look *x, utet_metadata *metadata)
{
    static const char *const dotted[] = {"mars.param",
                                         "k",
                                         "u",
                                         "_extra_",
                                         "_reserved_.tensor",
                                         "n",
                                         "a",
                                         "units",
                                         "a key of more than thirty-two bytes"};
    static const utet_segment segments[] = {{"keys", 4}, {"", 0}};
    utet_item value;
    unsigned i;
    int ok;

    for (i = 0; i < sizeof dotted / sizeof dotted[0]; i++) {
        STEP(x, ok, utet_metadata_find_dotted(metadata, dotted[i], strlen(dotted[i]), &value));
        if (ok)
            see_item(x, &metadata->reader, value, MOST_DEPTH - 1);
    }
    STEP(x, ok, utet_metadata_find(metadata, segments, 2, &value));
    if (ok)
        see_item(x, &metadata->reader, value, 0);
}

/* The same entries in one walk, and a path in each. */
static void see_cursor(tgm_look *x, utet_metadata *metadata)
{
    utet_entry cursor, first;
    utet_common common;
    utet_item value;
    uint8_t bits[32] = {0};
    uint32_t i;
    int ok;

    STEP(x, ok, utet_entry_first(metadata, &cursor));
    if (!ok)
        return;
    first = cursor;
    for (i = 0; ok && i < MOST_ENTRIES; i++) {
        see_item(x, &metadata->reader, cursor.entry, 0);
        see_item(x, &metadata->reader, cursor.preceder, 0);
        STEP(x, ok, utet_entry_find_dotted(metadata, &cursor, "mars.param", 10, &value));
        if (ok)
            see_item(x, &metadata->reader, value, 0);
        STEP(x, ok, utet_entry_common(metadata, &first, &cursor, &common, bits, sizeof bits));
        if (ok)
            see(x, common.keys + 1000u * bits[0]);
        STEP(x, ok, utet_entry_next(metadata, &cursor));
    }
}

static void see_metadata(tgm_look *x, utet_message *message)
{
    utet_metadata metadata;
    utet_metadata_checking checking;
    utet_metadata_comparing comparing;
    utet_item entry;
    utet_item over;
    uint32_t i;
    int ok;

    STEP(x, ok, utet_metadata_open(&metadata, &x->r->file, message, NULL, 0));
    if (!ok)
        return;
    see(x, metadata.objects + 1000u * metadata.document.entries + 1000000u * metadata.preceders);
    see_item(x, &metadata.reader, metadata.document.extra, 0);
    see_item(x, &metadata.reader, metadata.document.reserved, 0);
    for (i = 0; i < metadata.objects && i < MOST_ENTRIES; i++) {
        STEP(x, ok, utet_metadata_entry(&metadata, i, &entry, &over));
        if (ok) {
            see_item(x, &metadata.reader, entry, 0);
            see_item(x, &metadata.reader, over, 0);
        }
    }
    see_cursor(x, &metadata);
    see_paths(x, &metadata);
    for (i = 1; i < 4; i++) { /* questions: the answer "no" is no damage */
        const unsigned broken = x->broken;

        STEP(x, ok, utet_metadata_check(&metadata, i, &checking));
        x->broken = broken;
    }
    STEP(x, ok, utet_metadata_compare(&metadata, &comparing));
}

/* The same frames again as a port that cannot go back would have them. */
static void see_forward(tgm_look *x, uint64_t offset)
{
    utet_message message;
    utet_frame frame;
    unsigned count;
    int ok;

    STEP(x, ok, utet_message_seek(&x->r->file, offset, &message));
    if (ok)
        see(x, message.offset + message.skipped);
    STEP(x, ok, utet_message_forward(&x->r->file, offset, &message));
    if (ok)
        STEP(x, ok, utet_frame_first(&x->r->file, &message, &frame));
    for (count = 0; ok && count < MOST_FRAMES; count++) {
        see(x, frame.offset + frame.content_length);
        STEP(x, ok, utet_frame_next(&x->r->file, &message, &frame));
    }
}

void tgm_look_at(tgm_look *x, rig *r)
{
    utet_message message;
    unsigned count;
    utet_status status;

    memset(x, 0, sizeof *x);
    x->r = r;
    DRIVE(status, utet_message_first(&r->file, &message));
    for (count = 0; count < MOST_MESSAGES; count++) {
        int ok = went(x, status);

        if (status == UTET_END || x->stop != UTET_OK)
            return;
        see(x, message.offset + message.skipped);
        if (ok) {
            x->messages++;
            see(x, message.length);
            see_frames(x, &message);
            see_metadata(x, &message);
            see_forward(x, message.offset);
        }
        if (x->stop != UTET_OK)
            return;
        DRIVE(status, utet_message_next(&r->file, &message));
    }
}

/* ---- vectors ---- */

static const char *root(void)
{
    const char *given = getenv("TEST_ROOT");

    return given != NULL ? given : "test";
}

int tgm_named(const char *folder, const char *name, tgm_file *file)
{
    char path[400];
    FILE *in;
    long size;

    memset(file, 0, sizeof *file);
    snprintf(path, sizeof path, "%s/golden/tensogram/%s/%s", root(), folder, name);
    snprintf(file->name, sizeof file->name, "%s", name);
    in = fopen(path, "rb");
    if (in == NULL)
        return 0;
    fseek(in, 0, SEEK_END);
    size = ftell(in);
    rewind(in);
    file->bytes = malloc((size_t)size + 1);
    file->size = fread(file->bytes, 1, (size_t)size, in);
    fclose(in);
    return 1;
}

int tgm_vector(const char *folder, size_t index, tgm_file *file)
{
    char path[400];
    struct dirent **list;
    int found = 0;
    int count;
    int i;

    snprintf(path, sizeof path, "%s/golden/tensogram/%s", root(), folder);
    count = scandir(path, &list, NULL, alphasort);
    for (i = 0; i < count; i++) {
        if (strstr(list[i]->d_name, ".tgm") != NULL && index-- == 0)
            found = tgm_named(folder, list[i]->d_name, file);
        free(list[i]);
    }
    if (count >= 0)
        free(list);
    return found;
}

void tgm_forget(tgm_file *file)
{
    free(file->bytes);
    file->bytes = NULL;
}
