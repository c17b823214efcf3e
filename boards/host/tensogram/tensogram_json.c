/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Items and messages as JSON. Values that JSON does not have: {"$float": "nan"}, {"$bytes": hex}; keys other than text:
 * "$int:5", "$true". */
#include "shared/number.h"
#include "tensogram.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void put_double(FILE *out, double value)
{
    char text[NUMBER_TEXT];

    fputs(number_shortest(text, value), out);
    if (strpbrk(text, ".en") == NULL)
        fputs(".0", out);
}

static void put_float(const utet_item *item)
{
    const double value = utet_item_double(item);

    if (isnan(value))
        fputs("{\"$float\":\"nan\"}", stdout);
    else if (isinf(value))
        printf("{\"$float\":\"%sinf\"}", value < 0 ? "-" : "");
    else
        put_double(stdout, value);
}

static void put_integer(const utet_item *item)
{
    if (item->kind == UTET_CBOR_UNSIGNED)
        printf("%" PRIu64, item->number);
    else if (item->number == UINT64_MAX)
        fputs("-18446744073709551616", stdout);
    else
        printf("-%" PRIu64, item->number + 1);
}

static utet_status put_text(messages *m, const utet_item *item)
{
    utet_status status;
    char *text = messages_text(m, item, &status);

    if (text != NULL && item->kind == UTET_CBOR_TEXT)
        json_text(stdout, text, item->length);
    if (text != NULL && item->kind == UTET_CBOR_BYTES) {
        uint32_t i;

        fputs("{\"$bytes\":\"", stdout);
        for (i = 0; i < item->length; i++)
            printf("%02x", (unsigned)(unsigned char)text[i]);
        fputs("\"}", stdout);
    }
    free(text);
    return status;
}

utet_item token_item(const utet_cbor *reader)
{
    utet_item item;

    memset(&item, 0, sizeof item);
    item.kind = reader->token;
    item.number = reader->number;
    item.length = reader->length;
    item.place = reader->base + reader->content;
    return item;
}

/* A key other than text: "$int:5", "$float:0.5", "$bytes:00ff", "$true", "$null", … */
static utet_status put_foreign_key(messages *m, const utet_item *item)
{
    utet_status status = UTET_OK;
    char *text;
    uint32_t i;

    fputs("\"$", stdout);
    switch (item->kind) {
    case UTET_CBOR_UNSIGNED:
    case UTET_CBOR_NEGATIVE:
        fputs("int:", stdout);
        put_integer(item);
        break;
    case UTET_CBOR_FLOAT:
        fputs("float:", stdout);
        put_double(stdout, utet_item_double(item));
        break;
    case UTET_CBOR_BYTES:
        fputs("bytes:", stdout);
        text = messages_text(m, item, &status);
        for (i = 0; text != NULL && i < item->length; i++)
            printf("%02x", (unsigned)(unsigned char)text[i]);
        free(text);
        break;
    case UTET_CBOR_BOOLEAN: fputs(item->number != 0 ? "true" : "false", stdout); break;
    default: fputs(item->kind == UTET_CBOR_NULL ? "null" : "undefined", stdout); break;
    }
    putchar('"');
    return status;
}

static utet_status put_scalar(messages *m, const utet_item *item, int is_key)
{
    if (is_key && item->kind != UTET_CBOR_TEXT)
        return put_foreign_key(m, item);
    switch (item->kind) {
    case UTET_CBOR_TEXT:
    case UTET_CBOR_BYTES: return put_text(m, item);
    case UTET_CBOR_UNSIGNED:
    case UTET_CBOR_NEGATIVE: put_integer(item); break;
    case UTET_CBOR_FLOAT: put_float(item); break;
    case UTET_CBOR_BOOLEAN: fputs(item->number != 0 ? "true" : "false", stdout); break;
    default: fputs(item->kind == UTET_CBOR_NULL ? "null" : "{\"$simple\":\"undefined\"}", stdout); break;
    }
    return UTET_OK;
}

/* Writes items of m->reader until every opened list and map is closed. as_key: the only item is the key of an entry. */
static utet_status put_tokens(messages *m, int as_key)
{
    static uint8_t is_map[TENSOGRAM_DEPTH + 1];
    utet_cbor *reader = &m->reader;
    int comma = 0;

    do {
        utet_status status = utet_cbor_next(reader);
        utet_item item;

        if (status != UTET_OK)
            return status;
        if (reader->token == UTET_CBOR_END)
            return UTET_E_METADATA;
        if (reader->token == UTET_CBOR_CLOSE) {
            putchar(is_map[reader->depth + 1] ? '}' : ']');
            comma = 1;
            continue;
        }
        if (comma)
            putchar(',');
        comma = !reader->is_key;
        item = token_item(reader);
        if (item.kind == UTET_CBOR_LIST || item.kind == UTET_CBOR_MAP) {
            is_map[reader->depth] = item.kind == UTET_CBOR_MAP;
            putchar(is_map[reader->depth] ? '{' : '[');
            comma = 0;
            continue;
        }
        status = put_scalar(m, &item, reader->is_key || as_key);
        if (status != UTET_OK)
            return status;
        if (reader->is_key)
            putchar(':');
    } while (reader->depth != 0);
    return UTET_OK;
}

utet_status put_item_at(messages *m, uint64_t offset, uint64_t end)
{
    utet_status status = utet_cbor_open(&m->reader, &m->s.file, offset, end - offset, m->more, TENSOGRAM_DEPTH);

    return status == UTET_OK ? put_tokens(m, 0) : status;
}

utet_status put_entry_at(messages *m, uint64_t offset, uint64_t end)
{
    utet_status status = utet_cbor_open(&m->reader, &m->s.file, offset, end - offset, m->more, TENSOGRAM_DEPTH);

    if (status == UTET_OK)
        status = put_tokens(m, 1);
    if (status != UTET_OK)
        return status;
    putchar(':');
    return put_tokens(m, 0);
}

static int is_one_of(const char *text, const char *const *names)
{
    for (; names != NULL && *names != NULL; names++)
        if (strcmp(text, *names) == 0)
            return 1;
    return 0;
}

/* *out: nonzero if an entry with this key is left out. */
static utet_status left_out(messages *m, const utet_item *key, const char *const *without, const utet_item *over,
                            int *out)
{
    utet_status status = UTET_OK;
    utet_item value;
    char *text;

    *out = 0;
    if (key->kind != UTET_CBOR_TEXT)
        return UTET_OK;
    text = messages_text(m, key, &status);
    if (text == NULL)
        return status;
    *out = is_one_of(text, without);
    if (!*out && over != NULL && over->kind == UTET_CBOR_MAP &&
        strcmp(text, "_reserved_") != 0) { /* _reserved_ always comes from the entry */
        status = utet_metadata_in(&m->metadata, over, text, key->length, &value);
        *out = status == UTET_OK;
        if (status == UTET_E_NOT_FOUND)
            status = UTET_OK;
    }
    free(text);
    return status;
}

utet_status put_entries(messages *m, const utet_item *map, const char *const *without, const utet_item *over,
                        int *first)
{
    utet_item list = *map;
    utet_item key;
    utet_item item;
    utet_status status;

    for (;;) {
        const uint64_t place = list.place;
        int out;

        status = utet_item_next(&m->metadata.reader, &list, &key, &item);
        if (status != UTET_OK)
            return status == UTET_END ? UTET_OK : status;
        status = left_out(m, &key, without, over, &out);
        if (status == UTET_OK && !out) {
            if (!*first)
                putchar(',');
            *first = 0;
            status = put_entry_at(m, place, list.end);
        }
        if (status != UTET_OK)
            return status;
    }
}

static utet_status put_both(messages *m, const utet_item *entry, const utet_item *over)
{
    static const char *const reserved[] = {"_reserved_", NULL};
    utet_status status;
    int first = 1;

    putchar('{');
    status = put_entries(m, over, reserved, NULL, &first);
    if (status == UTET_OK)
        status = put_entries(m, entry, NULL, over, &first);
    putchar('}');
    return status;
}

utet_status put_merged(messages *m, uint32_t object)
{
    utet_item entry;
    utet_item over;
    const utet_status status = utet_metadata_entry(&m->metadata, object, &entry, &over);

    return status == UTET_OK ? put_both(m, &entry, &over) : status;
}

utet_status put_metadata(messages *m)
{
    static const char *const known[] = {"base", "_extra_", "_reserved_", NULL};
    utet_entry tensor;
    utet_status status = utet_entry_first(&m->metadata, &tensor);
    int first = 1;

    fputs("{\"base\":[", stdout);
    for (; status == UTET_OK; status = utet_entry_next(&m->metadata, &tensor)) {
        if (tensor.object != 0)
            putchar(',');
        status = put_both(m, &tensor.entry, &tensor.preceder);
        if (status != UTET_OK)
            return status;
    }
    fputs("],\"extra\":{", stdout);
    if (status == UTET_END)
        status = put_entries(m, &m->metadata.document.extra, NULL, NULL, &first);
    if (status == UTET_OK)
        status = put_entries(m, &m->metadata.document.root, known, NULL, &first);
    fputs("},\"reserved\":{", stdout);
    first = 1;
    if (status == UTET_OK)
        status = put_entries(m, &m->metadata.document.reserved, NULL, NULL, &first);
    fputs("}}", stdout);
    return status;
}

/* ---- descriptors ---- */

/* Writes a list of integers of the descriptor, of any length. */
static utet_status put_list(messages *m, const utet_object *object, const char *name)
{
    utet_item list;
    utet_item key;
    utet_item number;
    const char *comma = "";
    utet_status status = utet_metadata_in(&m->metadata, &object->descriptor, name, strlen(name), &list);

    printf(",\"%s\":[", name);
    while (status == UTET_OK && (status = utet_item_next(&m->metadata.reader, &list, &key, &number)) == UTET_OK) {
        fputs(comma, stdout);
        put_integer(&number);
        comma = ",";
    }
    putchar(']');
    return status == UTET_END ? UTET_OK : status;
}

/* Writes the masks as they are stored. */
static utet_status put_masks(messages *m, const utet_object *object)
{
    utet_item masks;
    utet_status status = utet_metadata_in(&m->metadata, &object->descriptor, "masks", 5, &masks);
    int first = 1;

    fputs(",\"masks\":{", stdout);
    if (status == UTET_OK)
        status = put_entries(m, &masks, NULL, NULL, &first);
    putchar('}');
    return status;
}

utet_status put_descriptor(messages *m, const utet_object *object, const utet_frame *frame)
{
    static const char *const fixed[] = {"type",     "ndim",   "shape",       "strides", "dtype", "byte_order",
                                        "encoding", "filter", "compression", "masks",   NULL};
    utet_status status;
    int first = 1;

    printf("{\"type\":\"ntensor\",\"ndim\":%" PRIu32, object->axes);
    status = put_list(m, object, "shape");
    if (status == UTET_OK)
        status = put_list(m, object, "strides");
    if (status != UTET_OK)
        return status;
    printf(
        ",\"dtype\":\"%s\",\"byte_order\":\"%s\",\"encoding\":\"%s\",\"filter\":\"%s\",\"compression\":\"%s\",\"params\":{",
        utet_tensor_dtype_name(object->dtype), object->big_endian ? "big" : "little",
        object->encoding == UTET_ENCODING_NONE ? "none" : "simple_packing",
        object->filter == UTET_FILTER_NONE ? "none" : "shuffle", utet_compression_name(object->compression));
    status = put_entries(m, &object->descriptor, fixed, NULL, &first);
    putchar('}');
    if (status == UTET_OK && object->masks != 0)
        status = put_masks(m, object);
    printf(",\"frame_offset\":%" PRIu64 ",\"frame_length\":%" PRIu64 ",\"payload_region_length\":%" PRIu64 "}",
           object->frame_offset - m->message.offset, object->frame_length, frame->content_length);
    return status;
}

/* ---- messages ---- */

static const char *frame_name(unsigned type)
{
    static const char *const names[] = {"?",          "HeaderMetadata", "HeaderIndex",    "HeaderHash", "?",
                                        "FooterHash", "FooterIndex",    "FooterMetadata", "Preceder",   "NTensor"};

    return type < sizeof names / sizeof names[0] ? names[type] : "?";
}

/* Writes the state of a frame's hash, and stores the fault if it is wrong. */
static utet_status hash_words(messages *m, const utet_frame *frame, const char **words)
{
    const utet_status status = frame->hashed == UTET_HASH_NONE ? UTET_END : messages_hash(m, frame);

    *words = frame->hashed == UTET_HASH_FLAGGED ? "verified" : "not_flagged";
    if (status == UTET_OK || status == UTET_END)
        return UTET_OK;
    *words = "differs";
    return messages_note(m, status);
}

static utet_status put_frames(messages *m)
{
    utet_frame frame;
    const char *comma = "";
    const char *words;
    utet_status status = utet_frame_first(&m->s.file, &m->message, &frame);

    fputs(",\"frames\":[", stdout);
    for (; status == UTET_OK; status = utet_frame_next(&m->s.file, &m->message, &frame)) {
        status = hash_words(m, &frame, &words);
        if (status != UTET_OK)
            return status;
        printf("%s{\"offset\":%" PRIu64 ",\"type\":\"%s\",\"version\":%u,\"flags\":%u,\"length\":%" PRIu64 ",", comma,
               frame.offset - m->message.offset, frame_name(frame.type), (unsigned)frame.version, (unsigned)frame.flags,
               frame.length);
        printf("\"hash_slot\":\"%016" PRIx64 "\",\"hash\":\"%s\"}", frame.hash, words);
        comma = ",";
    }
    putchar(']');
    return status == UTET_END ? UTET_OK : status;
}

/* *sound: nonzero if the range is exactly one item; otherwise stores the fault. */
static utet_status is_sound(messages *m, uint64_t offset, uint64_t end, int *sound)
{
    utet_status status = utet_cbor_open(&m->reader, &m->s.file, offset, end - offset, m->more, TENSOGRAM_DEPTH);

    do {
        if (status == UTET_OK)
            status = utet_cbor_next(&m->reader);
        if (status == UTET_OK && m->reader.token == UTET_CBOR_END)
            status = UTET_E_METADATA;
    } while (status == UTET_OK && m->reader.depth != 0);
    *sound = status == UTET_OK;
    return messages_note(m, status);
}

/* Writes an item as it is stored; null if the range is not an item. */
static utet_status put_stored(messages *m, uint64_t offset, uint64_t end)
{
    int sound;
    const utet_status status = is_sound(m, offset, end, &sound);

    if (status == UTET_OK && sound)
        return put_item_at(m, offset, end);
    fputs("null", stdout);
    return status;
}

/* Writes the content of the first frame of one of two types, as it is stored. */
static utet_status put_content(messages *m, const char *name, unsigned header, unsigned footer)
{
    utet_frame frame;
    utet_status status = utet_frame_first(&m->s.file, &m->message, &frame);

    while (status == UTET_OK && frame.type != header && frame.type != footer)
        status = utet_frame_next(&m->s.file, &m->message, &frame);
    if (status != UTET_OK)
        return status == UTET_END ? UTET_OK : status;
    printf(",\"%s\":", name);
    return put_stored(m, frame.content_offset, frame.content_offset + frame.content_length);
}

utet_status put_unknown(messages *m, const utet_frame *frame, utet_status why)
{
    utet_status status = UTET_OK;

    printf("{\"error\":\"%s: %s\",\"frame_offset\":%" PRIu64 ",\"frame_length\":%" PRIu64 ",\"descriptor\":",
           messages_region(why), messages_words(why), frame->offset - m->message.offset, frame->length);
    if (frame->descriptor_length == 0 || frame->descriptor_length > frame->length)
        fputs("null", stdout);
    else
        status = put_stored(m, frame->descriptor_offset, frame->descriptor_offset + frame->descriptor_length);
    putchar('}');
    return status;
}

static utet_status put_objects(messages *m)
{
    utet_frame frame;
    utet_object object;
    const char *comma = "";
    utet_status status = utet_frame_first(&m->s.file, &m->message, &frame);

    fputs(",\"objects\":[", stdout);
    for (; status == UTET_OK; status = utet_frame_next(&m->s.file, &m->message, &frame)) {
        if (frame.type != UTET_FRAME_TENSOR)
            continue;
        fputs(comma, stdout);
        status = messages_descriptor(m, &frame, &object);
        if (status == UTET_OK)
            status = put_descriptor(m, &object, &frame);
        else if (messages_note(m, status) == UTET_OK)
            status = put_unknown(m, &frame, status);
        if (status != UTET_OK)
            break;
        comma = ",";
    }
    putchar(']');
    return status == UTET_END ? UTET_OK : status;
}

static utet_status put_preceders(messages *m)
{
    utet_entry tensor;
    const char *comma = "";
    utet_status status;

    if (m->metadata.preceders == 0)
        return UTET_OK;
    fputs(",\"preceders\":{", stdout);
    status = utet_entry_first(&m->metadata, &tensor);
    for (; status == UTET_OK; status = utet_entry_next(&m->metadata, &tensor)) {
        int first = 1;

        if (tensor.preceder.kind != UTET_CBOR_MAP)
            continue;
        printf("%s\"%" PRIu32 "\":{", comma, tensor.object);
        status = put_entries(m, &tensor.preceder, NULL, NULL, &first);
        putchar('}');
        comma = ",";
        if (status != UTET_OK)
            return status;
    }
    putchar('}');
    return status == UTET_END ? UTET_OK : status;
}

utet_status put_message(messages *m, const char *file)
{
    const utet_message *message = &m->message;
    utet_status status;

    putchar('{');
    if (file != NULL) {
        fputs("\"file\":", stdout);
        json_text(stdout, file, strlen(file));
        putchar(',');
    }
    printf("\"offset\":%" PRIu64 ",\"length\":%" PRIu64 ",\"version\":%u,\"flags\":%u,\"total_length\":%" PRIu64
           ",\"first_footer_offset\":%" PRIu64 ",\"postamble_offset\":%" PRIu64 ",\"postamble_total_length\":%" PRIu64,
           message->offset, message->length, (unsigned)message->version, (unsigned)message->flags,
           message->total_length, message->first_footer_offset, message->postamble_offset - message->offset,
           message->postamble_length);
    status = put_frames(m);
    if (status == UTET_OK) {
        fputs(",\"metadata_wire\":", stdout);
        status = put_item_at(m, m->metadata.frame.content_offset,
                             m->metadata.frame.content_offset + m->metadata.frame.content_length);
    }
    if (status == UTET_OK)
        status = put_content(m, "index", UTET_FRAME_HEADER_INDEX, UTET_FRAME_FOOTER_INDEX);
    if (status == UTET_OK)
        status = put_content(m, "hash_frame", UTET_FRAME_HEADER_HASHES, UTET_FRAME_FOOTER_HASHES);
    if (status == UTET_OK) {
        fputs(",\"metadata\":", stdout);
        status = put_metadata(m);
    }
    if (status == UTET_OK)
        status = put_preceders(m);
    if (status == UTET_OK)
        status = put_objects(m);
    putchar('}');
    return status;
}
