/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Opening a document: its syntax, then one stage for each key, in the reference's order. */
#include "query.h"

#include <string.h>

#define DEEPEST 64 /* lists and objects inside each other */
#define QUERY_OPEN_RECURSION 127

/* ---- syntax ---- */

/* priv.step of the first stage */
enum { SYNTAX_BEGIN, SYNTAX_TOKENS, SYNTAX_DOUBLE, SYNTAX_FAULT, SYNTAX_LINE };

static int in_object(const utet_json *json)
{
    return json->depth != 0 && (json->is_object[(json->depth - 1u) / 8] >> ((json->depth - 1u) & 7) & 1) != 0;
}

/* The fault of the byte at json->next, or before it: SYNTAX_… */
UTET_APART static uint8_t syntax_fault(const utet_json *json, uint8_t byte)
{
    const int object = in_object(json);

    if (json->state == JSON_IN_TEXT)
        return byte < 0x20 ? SYNTAX_CONTROL : SYNTAX_CODE_POINT;
    if (json->state != JSON_BETWEEN)
        return SYNTAX_NUMBER;
    if (json->expected == EXPECT_NOTHING)
        return SYNTAX_TRAILING;
    if (json->expected == EXPECT_COLON)
        return SYNTAX_COLON;
    if (json->expected == (EXPECT_CLOSE | EXPECT_COMMA))
        return object ? SYNTAX_OBJECT_COMMA : SYNTAX_LIST_COMMA;
    if (json->expected == EXPECT_KEY) /* after a comma */
        return byte == '}' ? SYNTAX_TRAILING_COMMA : SYNTAX_KEY;
    if (json->expected == (EXPECT_KEY | EXPECT_CLOSE))
        return SYNTAX_KEY;
    if (json->expected == EXPECT_VALUE && byte == ']' && json->depth != 0 && !object)
        return SYNTAX_TRAILING_COMMA;
    return SYNTAX_VALUE;
}

UTET_APART static uint8_t end_fault(const utet_json *json)
{
    if (json->state == JSON_IN_TEXT)
        return SYNTAX_IN_STRING;
    if (json->depth == 0 || json->state != JSON_BETWEEN || json->expected <= EXPECT_KEY)
        return SYNTAX_IN_VALUE;
    return in_object(json) ? SYNTAX_IN_OBJECT : SYNTAX_IN_LIST;
}

/* The line and column of the fault at priv.kept, counted from the beginning. */
static utet_status find_line(utet_query *query)
{
    utet_file *file = query->priv.file;
    utet_status status;

    while (query->priv.next < query->priv.kept) {
        uint32_t i;
        uint32_t some = query->priv.kept - query->priv.next;

        status = utet_fetch(file, 1, query->priv.next);
        if (status != UTET_OK)
            return status;
        if (some > file->priv.have)
            some = (uint32_t)file->priv.have;
        for (i = 0; i < some; i++) {
            query->fault.number[1]++;
            if (file->priv.at[i] == '\n') {
                query->fault.number[0]++;
                query->fault.number[1] = 0;
            }
        }
        query->priv.next += some;
    }
    file->error_offset = query->priv.kept;
    query->fault.is_syntax = 1;
    return utet_query_refuse(query, query->fault.reason);
}

/* The fault is known, its line is not. */
UTET_APART static void fault_at(utet_query *query, unsigned reason, uint8_t what, uint32_t place)
{
    query->fault.reason = (uint8_t)reason;
    query->fault.number[0] = 1;
    query->fault.number[2] = what;
    query->priv.kept = place;
    query->priv.next = 0;
    query->priv.step = SYNTAX_LINE;
}

/* How many of `length` bytes are those of null, true, false. */
static uint32_t same_word(const uint8_t *bytes, uint32_t length)
{
    const char *word = *bytes == 'n' ? "null" : *bytes == 't' ? "true" : *bytes == 'f' ? "false" : "";
    uint32_t i = 0;

    while (i < length && word[i] != '\0' && bytes[i] == (uint8_t)word[i])
        i++;
    return i;
}

/* The fault of an escape of which there are `length` bytes, and how many of them the reference has read by then;
 * 0: there are too few. */
static uint8_t bad_escape(const uint8_t *bytes, uint32_t length, uint32_t *used)
{
    *used = length < 2 ? 0 : 2;
    if (length < 2 || bytes[1] != 'u')
        return SYNTAX_ESCAPE;
    *used = length < 6 ? 0 : 6;
    if (length < 6 || utet_json_hex4(bytes + 2) > 0xFFFF)
        return SYNTAX_ESCAPE;
    if (utet_json_hex4(bytes + 2) >= 0xDC00)
        return SYNTAX_SURROGATE;
    *used = length < 7 ? 0 : 7;
    if (length < 7 || bytes[6] != '\\')
        return SYNTAX_HEX_END;
    *used = length < 8 ? 0 : 8;
    if (length < 8 || bytes[7] != 'u')
        return SYNTAX_HEX_END;
    *used = length < 12 ? 0 : 12;
    return length < 12 || utet_json_hex4(bytes + 8) > 0xFFFF ? SYNTAX_ESCAPE : SYNTAX_SURROGATE;
}

/* Finds the position and the kind of the fault. */
static utet_status bad_syntax(utet_query *query)
{
    utet_file *file = query->priv.file;
    const utet_json *json = &query->priv.json;
    const uint32_t place = json->state == JSON_BETWEEN ? json->token_start : json->next;
    const int at_end = query->shared.of.reading.slot[0].word &&
                       (json->state != JSON_BETWEEN || json->next == json->end);
    const uint32_t rest = json->end - place;
    const uint32_t some = at_end && json->state != JSON_IN_TEXT ? 0 : rest < 12 ? rest : 12;
    utet_status status = some != 0 ? utet_fetch(file, (size_t)some, place) : UTET_OK;
    const uint8_t *bytes = file->priv.at;
    uint32_t used = 0;

    if (status != UTET_OK)
        return status;
    if (json->state == JSON_IN_TEXT && some != 0 && bytes[0] == '\\') {
        const uint8_t what = bad_escape(bytes, some, &used);

        fault_at(query, used != 0 ? QUERY_SYNTAX : QUERY_EOF, used != 0 ? what : SYNTAX_IN_STRING,
                 used != 0 ? place + used : json->end);
    } else if (at_end) {
        fault_at(query, QUERY_EOF, end_fault(json), json->end);
    } else if (json->state == JSON_BETWEEN && (json->expected & EXPECT_VALUE) != 0 &&
               (used = same_word(bytes, some)) != 0) {
        fault_at(query, used < rest ? QUERY_SYNTAX : QUERY_EOF, used < rest ? SYNTAX_IDENT : SYNTAX_IN_VALUE,
                 used < rest ? place + used + 1u : json->end);
    } else {
        fault_at(query, QUERY_SYNTAX, syntax_fault(json, bytes[0]), place + 1u);
    }
    return UTET_OK;
}

/* The next token. UTET_END: the text is JSON. */
static utet_status syntax_token(utet_query *query)
{
    utet_json *json = &query->priv.json;
    utet_status status = utet_json_next(query->priv.file, json);

    if (status == UTET_E_METADATA) {
        query->shared.of.reading.slot[0].word = query->priv.file->error_offset ==
                                                json->end; /* it has ended too early */
        query->priv.step = SYNTAX_FAULT;
        return UTET_OK;
    }
    if (status != UTET_OK)
        return status;
    if (query->shared.item.kind == QUERY_ABSENT) {
        query->shared.item.kind = json->token;
        query->shared.item.place = json->next;
    }
    if (json->token == JSON_END)
        return UTET_END;
    if (json->depth > query->priv.deepest)
        query->priv.deepest = (uint8_t)json->depth; /* at most QUERY_OPEN_RECURSION + 1 */
    if (json->depth > QUERY_OPEN_RECURSION) {
        fault_at(query, QUERY_SYNTAX, SYNTAX_RECURSION, json->next);
    } else if (json->token == JSON_NUMBER && json->inexact) {
        query->shared.of.reading.slot[0].place = json->token_start;
        query->shared.of.reading.slot[0].negative = json->negative;
        query->priv.step = SYNTAX_DOUBLE;
    }
    return UTET_OK;
}

utet_status utet_query_syntax(utet_query *query)
{
    utet_json *json = &query->priv.json;
    utet_status status = UTET_OK;
    double ignored;

    while (status == UTET_OK) {
        switch (query->priv.step) {
        case SYNTAX_BEGIN:
            if (query->priv.file->priv.io->size > UTET_QUERY_MAX_BYTES)
                return utet_query_refuse_number(query, QUERY_TOO_BIG, query->priv.file->priv.io->size);
            utet_json_begin(json, (uint32_t)query->priv.file->priv.io->size, 0);
            json->checks = JSON_STRICT;
            query->shared.item.kind = QUERY_ABSENT;
            query->priv.step = SYNTAX_TOKENS;
            /* fall through */
        case SYNTAX_TOKENS: status = syntax_token(query); break;
        case SYNTAX_DOUBLE: /* a number: may a double hold it? */
            status = utet_query_double(query, &query->shared.of.reading.slot[0], &ignored);
            query->priv.step = SYNTAX_TOKENS;
            if (status == UTET_WOULD_BLOCK)
                query->priv.step = SYNTAX_DOUBLE;
            if (status == UTET_E_METADATA) {
                fault_at(query, QUERY_SYNTAX, SYNTAX_RANGE, json->next);
                status = UTET_OK;
            }
            break;
        case SYNTAX_FAULT: status = bad_syntax(query); break;
        default: return find_line(query);
        }
    }
    if (status != UTET_END)
        return status;
    if (query->priv.deepest > DEEPEST)
        return utet_query_refuse_number(query, QUERY_DEPTH, query->priv.deepest);
    return query->shared.item.kind == UTET_VALUE_MAP ? UTET_OK : utet_query_refuse(query, QUERY_NOT_OBJECT);
}

/* ---- the keys of the document ---- */

UTET_APART static utet_status query_open_keys(utet_query *query)
{
    enum { BEGIN, MEMBERS };
    utet_query_value whole;
    const utet_query_value *version = &query->shared.of.reading.top[TOP_LAYOUT_VERSION];
    const utet_query_value *name = &query->shared.of.reading.top[TOP_DATASET];
    utet_status status;

    whole.place = query->shared.item.place;
    if (query->priv.step == BEGIN) {
        unsigned i;

        for (i = 0; i < UTET_QUERY_TOPS; i++)
            query->shared.of.reading.top[i].kind = QUERY_ABSENT;
        query->priv.step = MEMBERS;
    }
    status = utet_query_members(query, &whole, utet_query_top, ~((uint64_t)1 << TOP_SELECT));
    if (status != UTET_OK)
        return status;
    if (utet_query_is(&query->shared.of.reading.top[TOP_OPERATION]))
        return utet_query_refuse(query, QUERY_OPERATION);
    if (utet_query_is(&query->shared.of.reading.top[TOP_OUTPUT]))
        return utet_query_refuse(query, QUERY_OUTPUT);
    if (utet_query_has_unknown(query))
        return utet_query_refuse_unknown(query, QUERY_UNKNOWN);
    if (name->kind != UTET_VALUE_TEXT)
        return utet_query_refuse(query, QUERY_DATASET_TYPE);
    query->dataset.place = name->place;
    query->dataset.length = query_text_length(name);
    if (utet_query_is(version) && version->kind != UTET_VALUE_NUMBER)
        return utet_query_refuse_word(query, QUERY_MUST_BE_NUMBER, "layout_version");
    if (utet_query_is(version) && (!utet_query_is_whole(version) || version->number > UINT32_MAX))
        return utet_query_refuse_word(query, QUERY_MUST_BE_WHOLE, "layout_version");
    query->priv.layout_version = utet_query_is(version) ? version->number : UINT64_MAX;
    return UTET_OK;
}

/* ---- the order of stages ---- */

/* priv.stage: the keys between these two have their numbers, which are in the reference's order */
enum { STAGE_SYNTAX, STAGE_KEYS, STAGE_REDUCTION = TOP_REDUCTION, STAGE_VALIDATE, STAGE_END };

/* The stage of a key of which the document may have a value. */
static utet_status read_key(utet_query *query, unsigned key)
{
    const utet_query_option *option;

    if (!utet_query_is(&query->shared.of.reading.top[key]))
        return UTET_OK;
    if (key == TOP_SELECTION)
        return utet_query_selection(query);
    if (key == TOP_FILTER)
        return utet_query_filter(query);
    option = utet_query_find_option(query, key);
    return option != NULL ? option->read(query) : UTET_OK;
}

static utet_status query_open_run_stage(utet_query *query)
{
    switch (query->priv.stage) {
    case STAGE_SYNTAX: return utet_query_syntax(query);
    case STAGE_KEYS: return query_open_keys(query);
    case STAGE_REDUCTION: return utet_query_reduction(query);
    case STAGE_VALIDATE: return utet_query_validate(query);
    case STAGE_END: return UTET_END;
    default: return read_key(query, query->priv.stage);
    }
}

utet_status utet_query_open(utet_query *query, utet_file *document, const utet_query_option *const *options)
{
    utet_status status;

    if (document->priv.busy != UTET_CALL_QUERY_OPEN) {
        if (document->priv.busy != UTET_CALL_NONE ||
            (document->priv.state != UTET_STATE_READY &&
             !(document->priv.state == UTET_STATE_OPEN && document->priv.owner == query)))
            return utet_closed(document);
        memset(query, 0, sizeof *query);
        query->selected = UINT32_MAX;
        query->priv.file = document;
        query->priv.options = options;
        document->priv.owner = query;
        document->priv.state = UTET_STATE_OPEN;
        document->priv.busy = UTET_CALL_QUERY_OPEN;
    }
    for (;;) {
        status = query_open_run_stage(query);
        if (status != UTET_OK)
            break;
        query->priv.stage++;
        query->priv.step = 0;
    }
    if (status == UTET_END) {
        query->priv.opened = 1;
        status = UTET_OK;
    } else if (status == UTET_E_METADATA) {
        query->priv.opened = query->fault.reason != QUERY_FINE; /* else the medium is not as it was */
    }
    return utet_leave(document, status);
}
