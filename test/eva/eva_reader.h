/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The reader of query documents in any state in which it may have been stopped, and contracts of the layers through
 * which it reads (JSON, window), for the harnesses of src/query that read a document. */
#include "eva_document.h"

static utet_query query;
static utet_file document;
static utet_io io;
static uint8_t held[16];

/* ---- contracts of what the reader calls ---- */

static utet_status any_status(void)
{
    return Frama_C_interval(0, 1) ? UTET_OK : Frama_C_interval(0, 1) ? UTET_WOULD_BLOCK : UTET_E_METADATA;
}

/* How many readings may still succeed; then the result is "not yet". The reader may be stopped anywhere, so a few
 * iterations of a loop that waits represent all. */
static int grants;

static utet_status granted(void)
{
    if (grants == 0)
        return Frama_C_interval(0, 1) ? UTET_WOULD_BLOCK : UTET_E_METADATA;
    grants--;
    return any_status();
}

#if EVA_PART >= 3
/* ---- the reader of JSON (json.h): any token, any character ---- */

static void any_kind(utet_query_value *value)
{
    value->kind = (uint8_t)Frama_C_interval(0, JSON_KEY + 1);
    if (value->kind > JSON_KEY)
        value->kind = QUERY_ABSENT;
}

static void any_json(utet_json *json)
{
    Frama_C_make_unknown((char *)json, sizeof *json);
    json->token = (uint8_t)Frama_C_interval(0, JSON_KEY);
    json->head_length = (uint8_t)Frama_C_interval(0, UTET_JSON_HEAD);
    json->depth = (uint16_t)Frama_C_interval(0, UTET_JSON_DEPTH);
}

void utet_json_begin(utet_json *json, uint32_t length, uint64_t base)
{
    (void)length;
    (void)base;
    any_json(json);
}

/* No value comes before an object's first key, so that the last key does not matter. */
void utet_json_enter(utet_json *json, uint8_t bracket, int begun)
{
    (void)begun;
    any_json(json);
    if (bracket == JSON_OBJECT)
        query.priv.key = QUERY_NO_KEY;
}

utet_status utet_json_next(utet_file *file, utet_json *json)
{
    any_json(json);
    file->error_offset = any64();
    return granted();
}

utet_status utet_json_character(utet_file *file, const utet_json *json, utet_character *out)
{
    (void)file;
    (void)json;
    Frama_C_make_unknown((char *)out->bytes, sizeof out->bytes);
    out->made = (uint8_t)Frama_C_interval(1, 4);
    out->used = (uint8_t)Frama_C_interval(1, 12);
    return granted();
}

/* ---- the reader of documents, stopped anywhere ---- */

static void any_query(unsigned last_key)
{
    unsigned i;

    Frama_C_make_unknown((char *)&query, sizeof query);
    any_json(&query.priv.json);
    query.priv.file = &document;
    query.priv.plan = NULL;
    query.fault.word = "";
    query.fault.axis = &query.label_axis;
    query.fault.reason = (uint8_t)Frama_C_interval(0, QUERY_REASONS - 1);
    query.priv.bad_range = (uint8_t)Frama_C_interval(0, QUERY_REASONS - 1);
    query.axes_count = (uint8_t)Frama_C_interval(0, UTET_MAX_NDIM);
    query.keys_count = (uint8_t)Frama_C_interval(0, UTET_MAX_NDIM);
    query.operation = (uint8_t)Frama_C_interval(0, UTET_QUERY_TRANSFORM);
    /* texts that name axes stay in the document, so their lengths may have any value: no memory is indexed by them */
    query.priv.step = (uint8_t)Frama_C_interval(0, 10);
    query.priv.key = (uint8_t)(Frama_C_interval(0, 1) ? QUERY_NO_KEY : Frama_C_interval(0, (int)last_key));
    query.shared.work.scan.head_length = (uint8_t)Frama_C_interval(0, UTET_JSON_HEAD);
    query.shared.work.scan.character[0].made = (uint8_t)Frama_C_interval(0, 4);
    query.shared.work.scan.character[1].made = (uint8_t)Frama_C_interval(0, 4);
    query.priv.reduction_key = (uint8_t)Frama_C_interval(0, UTET_QUERY_TRANSFORM);
    any_kind(&query.shared.item);
    for (i = 0; i < UTET_QUERY_TOPS; i++)
        any_kind(&query.shared.of.reading.top[i]);
    for (i = 0; i < UTET_QUERY_SLOTS; i++)
        any_kind(&query.shared.of.reading.slot[i]);
    document.priv.io = &io;
    document.priv.at = held;
    document.priv.have = 1;
    io.size = any64();
}

/* The invariant again, after the stage. */
static void check_query(unsigned last_key)
{
    /*@ assert json: query.priv.json.head_length <= 32 && query.priv.json.depth <= 256; */
    /*@ assert reason: query.fault.reason < QUERY_REASONS && query.priv.bad_range < QUERY_REASONS; */
    /*@ assert counts: query.axes_count <= 8 && query.keys_count <= 8; */
    /*@ assert operation: query.operation <= 26 && query.priv.reduction_key <= 26; */
    /*@ assert step: query.priv.step <= 64; */ /* pairs of keys */
    /*@ assert key: query.priv.key == 255 || query.priv.key <= last_key; */
    /*@ assert head: query.shared.work.scan.head_length <= 32; */
    /*@ assert made: query.shared.work.scan.character[0].made <= 4 && query.shared.work.scan.character[1].made <= 4; */
}

/* Any byte; memory ends with the requested bytes, or up to three bytes later. */
utet_status utet_fetch(utet_file *file, size_t length, uint64_t offset)
{
    Frama_C_make_unknown((char *)held, sizeof held);
    file->error_offset = offset;
    file->priv.have = length;
    file->priv.at = held + (sizeof held - length);
    return any_status();
}

utet_status utet_enter(utet_file *file, uint8_t call)
{
    file->priv.busy = call;
    return any_status();
}

utet_status utet_end_call(utet_status status, utet_file *file)
{
    file->priv.busy = 0;
    return status;
}
#endif
