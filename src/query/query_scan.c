/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Members of objects and entries of lists, by reading the document from a position in it. */
#include "query.h"

#include <string.h>

#define KEY_ROW(number, key, operation) key "\0"
const char utet_query_top[] = "operation\0"
                              "output\0"
                              "dataset\0"
                              "layout_version\0"
                              "execution\0"
                              "pipeline\0"
                              "selection\0"
                              "filter\0"
                              "label_filter\0"
                              "group_by\0"
                              "window\0"
                              "align\0"
                              "spill\0"
                              "write\0"
                              "select\0" UTET_QUERY_REDUCTIONS(KEY_ROW) "covariance\0correlation\0transform\0";

/* Values that are one of a few words, at any key. */
static const char scan_words[] = "bins\0"
                                 "rolling\0"
                                 "tumbling\0"
                                 "sliding\0"
                                 "none\0"
                                 "0\0"
                                 "nan\0"
                                 "fill\0"
                                 "start\0"
                                 "end\0"
                                 "labels\0"
                                 "switch\0"
                                 "spill\0"
                                 "sidecar\0"
                                 "ram\0";

const char *utet_query_key_name(query_keys keys, unsigned key)
{
    while (key != 0)
        key -= *keys++ == '\0';
    return keys;
}

/* Byte by byte: a loop that measures a key first would become a call of strlen, which small machines may not have. */
unsigned utet_query_which(query_keys keys, const char *text, uint32_t length)
{
    unsigned key = 0;
    uint32_t i = 0; /* equal bytes of the key; beyond `length` when they differ. All keys are shorter than a head */

    for (; i != 0 || *keys != '\0'; keys++) {
        if (*keys != '\0') {
            i = i < length && text[i] == *keys ? i + 1 : UINT32_MAX;
        } else if (i == length) {
            return key;
        } else {
            i = 0;
            key++;
        }
    }
    return QUERY_NO_KEY;
}

const char *utet_query_name(uint8_t operation)
{
    return operation == UTET_QUERY_NONE || operation > UTET_QUERY_TRANSFORM
               ? ""
               : utet_query_key_name(utet_query_top, (unsigned)TOP_REDUCTION + operation);
}

void utet_query_at(utet_query *query, uint32_t place, uint8_t bracket, int begun)
{
    utet_json *json = &query->priv.json;

    utet_json_begin(json, (uint32_t)query->priv.file->priv.io->size, 0);
    json->next = place;
    json->checks = JSON_STRICT;
    utet_json_enter(json, bracket, begun);
}

/* ---- the first unknown key in sorted order ---- */

/* priv.comparing: an unknown key has come; it, or a text, is compared byte by byte */
enum { SCAN_COMPARE_NOTHING, COMPARE_BYTES, COMPARE_KEY };

/* The next byte of one of two keys into work.scan.character; 0 after its end, for a quote ends a key. */
UTET_APART static utet_status next_byte(utet_query *query, unsigned which)
{
    utet_json *json = &query->priv.json;
    uint32_t kept = json->next;
    utet_character one;
    utet_status status;

    if (query->shared.work.scan.character[which].at < query->shared.work.scan.character[which].made)
        return UTET_OK;
    json->next = query->shared.work.scan.places[which];
    status = utet_json_character(query->priv.file, json, &one);
    json->next = kept;
    if (status != UTET_OK)
        return status;
    query->shared.work.scan.places[which] += one.used;
    memcpy(query->shared.work.scan.character[which].bytes, one.bytes, sizeof one.bytes);
    query->shared.work.scan.character[which].made = one.made;
    query->shared.work.scan.character[which].at = 0;
    return UTET_OK;
}

static void keep_unknown(utet_query *query)
{
    const utet_json *json = &query->priv.json;

    query->shared.work.scan.unknown = query->shared.work.scan.candidate;
    query->shared.work.scan.head_length = json->head_length;
    memcpy(query->shared.work.scan.head, json->head, sizeof query->shared.work.scan.head);
}

UTET_APART static void begin_compare(utet_query *query, uint32_t first, uint32_t second)
{
    query->priv.comparing = COMPARE_BYTES;
    query->priv.asked = 0;
    query->shared.work.scan.places[0] = first;
    query->shared.work.scan.places[1] = second;
    memset(query->shared.work.scan.character, 0, sizeof query->shared.work.scan.character);
}

/* The next byte of both texts. */
static utet_status next_bytes(utet_query *query, uint8_t bytes[2])
{
    utet_status status = next_byte(query, 0);

    if (status == UTET_OK)
        status = next_byte(query, 1);
    if (status != UTET_OK)
        return status;
    bytes[0] = query->shared.work.scan.character[0].bytes[query->shared.work.scan.character[0].at++];
    bytes[1] = query->shared.work.scan.character[1].bytes[query->shared.work.scan.character[1].at++];
    query->priv.asked++;
    return UTET_OK;
}

utet_status utet_query_same_text(utet_query *query, const utet_query_text_at *a, const utet_query_text_at *b,
                                 uint8_t *same)
{
    if (query->priv.comparing == SCAN_COMPARE_NOTHING)
        begin_compare(query, a->place, b->place);
    *same = 1;
    while (*same && query->priv.asked < a->length) {
        uint8_t bytes[2];
        utet_status status = next_bytes(query, bytes);

        if (status != UTET_OK)
            return status;
        *same = bytes[0] == bytes[1];
    }
    query->priv.comparing = SCAN_COMPARE_NOTHING;
    return UTET_OK;
}

/* Both keys have the same 32 first bytes. `asked` counts those that are equal. */
static utet_status compare_rest(utet_query *query)
{
    const uint32_t shorter = query->shared.work.scan.candidate.length < query->shared.work.scan.unknown.length
                                 ? query->shared.work.scan.candidate.length
                                 : query->shared.work.scan.unknown.length;

    while (query->priv.asked < shorter) {
        uint8_t bytes[2];
        utet_status status = next_bytes(query, bytes);

        if (status != UTET_OK)
            return status;
        if (bytes[0] != bytes[1]) {
            if (bytes[0] < bytes[1])
                keep_unknown(query);
            return UTET_OK;
        }
    }
    if (query->shared.work.scan.candidate.length < query->shared.work.scan.unknown.length)
        keep_unknown(query);
    return UTET_OK;
}

int utet_query_has_unknown(const utet_query *query)
{
    return query->shared.work.scan.unknown.place != 0; /* a key follows a bracket */
}

/* The key just read is not known: does it come before the first one so far? */
static utet_status unknown_key(utet_query *query)
{
    const utet_json *json = &query->priv.json;
    unsigned least = query->shared.work.scan.head_length < json->head_length ? query->shared.work.scan.head_length
                                                                             : json->head_length;
    int order;

    if (query->priv.comparing == SCAN_COMPARE_NOTHING) {
        query->shared.work.scan.candidate.place = json->token_start + 1;
        query->shared.work.scan.candidate.length = json->text_length;
        order = memcmp(json->head, query->shared.work.scan.head, least);
        if (order == 0 && least < UTET_JSON_HEAD)
            order = json->head_length < query->shared.work.scan.head_length ? -1 : 1;
        if (order < 0 || !utet_query_has_unknown(query)) {
            keep_unknown(query);
            return UTET_OK;
        }
        if (order > 0)
            return UTET_OK;
        begin_compare(query, query->shared.work.scan.candidate.place, query->shared.work.scan.unknown.place);
    }
    return compare_rest(query);
}

/* ---- values ---- */

static int is_blank(const utet_json *json)
{
    unsigned i = 0;

    while (i < json->head_length &&
           (json->head[i] == ' ' || ((uint8_t)json->head[i] >= 9 && (uint8_t)json->head[i] <= 13)))
        i++;
    return i == json->text_length;
}

static void keep_value(utet_query_value *value, const utet_json *json)
{
    value->kind = json->token;
    value->number = json->token == JSON_TEXT ? json->text_length : json->number;
    value->negative = json->negative;
    value->inexact = json->inexact;
    value->place = json->token_start + (json->token == JSON_TEXT || json->depth > 1);
    value->word = 0;
    if (json->token == JSON_TEXT)
        value->word = (uint8_t)(is_blank(json) ? (unsigned)QUERY_WORD_BLANK
                                               : utet_query_which(scan_words, json->head, json->text_length));
}

/* Returns nonzero if the token begins a value of the current object or list; the caller has dealt with its keys. */
UTET_APART static int is_value(const utet_json *json)
{
    return json->token == JSON_LIST || json->token == JSON_OBJECT ? json->depth == 2
                                                                  : json->depth == 1 && json->token != JSON_CLOSE;
}

static void begin_members(utet_query *query, const utet_query_value *value)
{
    unsigned i;

    utet_query_at(query, value->place, JSON_OBJECT, 0);
    query->priv.inside = 1;
    query->shared.work.scan.seen = 0;
    query->shared.work.scan.unknown.place = 0;
    memset(query->shared.of.reading.slot, 0, sizeof query->shared.of.reading.slot);
    for (i = 0; i < UTET_QUERY_SLOTS; i++)
        query->shared.of.reading.slot[i].kind = QUERY_ABSENT;
}

/* Returns nonzero if the key of a document, or of a step, is optional. */
static int is_optional(unsigned key)
{
    return key > TOP_REDUCTION ? key >= (unsigned)TOP_REDUCTION + UTET_QUERY_COVARIANCE
                               : (QUERY_OPTIONAL_KEYS >> key & 1) != 0;
}

static void found_key(utet_query *query, query_keys keys, uint64_t allowed)
{
    unsigned key = utet_query_which(keys, query->priv.json.head, query->priv.json.text_length);

    if (key != QUERY_NO_KEY && ((allowed >> key & 1) == 0 || (keys == utet_query_top && is_optional(key) &&
                                                              utet_query_find_option(query, key) == NULL)))
        key = QUERY_NO_KEY;
    query->priv.key = (uint8_t)key;
    if (key != QUERY_NO_KEY) {
        query->shared.work.scan.seen |= (uint64_t)1 << key;
    } else {
        query->priv.comparing = COMPARE_KEY;
    }
}

static void found_value(utet_query *query, query_keys keys)
{
    unsigned key = query->priv.key;

    if (key == QUERY_NO_KEY)
        return;
    if (keys != utet_query_top) {
        keep_value(&query->shared.of.reading.slot[key], &query->priv.json);
        return;
    }
    if (key > TOP_REDUCTION) {
        query->priv.reductions |= (uint32_t)1 << (key - TOP_REDUCTION);
        query->priv.reduction_key = (uint8_t)(key - TOP_REDUCTION);
        key = TOP_REDUCTION;
    } else if (key == TOP_SELECT) {
        key = TOP_SELECTION;
    }
    keep_value(&query->shared.of.reading.top[key], &query->priv.json);
}

utet_status utet_query_members(utet_query *query, const utet_query_value *value, query_keys keys, uint64_t allowed)
{
    utet_json *json = &query->priv.json;

    if (!query->priv.inside)
        begin_members(query, value);
    for (;;) {
        utet_status status;

        if (query->priv.comparing != SCAN_COMPARE_NOTHING) {
            if (query->priv.comparing == COMPARE_KEY)
                query->priv.comparing = SCAN_COMPARE_NOTHING;
            status = unknown_key(query);
            if (status != UTET_OK)
                return status;
            query->priv.comparing = SCAN_COMPARE_NOTHING;
        }
        status = utet_json_next(query->priv.file, json);
        if (status != UTET_OK)
            return status;
        if (json->depth == 0) {
            query->priv.inside = 0;
            return UTET_OK;
        }
        if (json->token == JSON_KEY && json->depth == 1)
            found_key(query, keys, allowed);
        else if (is_value(json))
            found_value(query, keys);
    }
}

utet_status utet_query_object(utet_query *query, unsigned key, query_keys keys, unsigned count)
{
    const utet_query_value *value = &query->shared.of.reading.top[key];
    const char *name = utet_query_key_name(utet_query_top, key);
    utet_status status;

    if (value->kind != UTET_VALUE_MAP)
        return utet_query_refuse_word(query, QUERY_MUST_BE_OBJECT, name);
    status = utet_query_members(query, value, keys, QUERY_ALL_KEYS(count));
    if (status != UTET_OK || !utet_query_has_unknown(query))
        return status;
    if (key == TOP_LABEL_FILTER)
        return utet_query_refuse_unknown(query, QUERY_UNKNOWN_LABEL_FILTER);
    query->fault.word = name;
    return utet_query_refuse_unknown(query, QUERY_UNKNOWN_IN);
}

const utet_query_option *utet_query_find_option(const utet_query *query, unsigned key)
{
    const utet_query_option *const *option = query->priv.options;

    if (option == NULL)
        return NULL;
    while (*option != NULL && (*option)->key != key)
        option++;
    return *option;
}

utet_status utet_query_entry(utet_query *query, int begun)
{
    utet_json *json = &query->priv.json;

    if (!query->priv.inside) {
        utet_query_at(query, query->priv.next, JSON_LIST, begun);
        query->priv.inside = 1;
        query->shared.item.kind = QUERY_ABSENT;
    }
    do {
        utet_status status = utet_json_next(query->priv.file, json);

        if (status != UTET_OK)
            return status;
        if (is_value(json))
            keep_value(&query->shared.item, json);
    } while (json->depth > 1);
    query->priv.inside = 0;
    query->priv.next = json->next;
    return json->depth == 0 ? UTET_END : UTET_OK;
}
