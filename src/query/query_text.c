/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Texts of the document, and the axes that they name. */
#include "query.h"

#include <string.h>

utet_status utet_query_character(utet_query *query, uint32_t most, utet_character *one)
{
    utet_json *json = &query->priv.json;
    utet_status status = utet_json_character(query->priv.file, json, one);

    if (status != UTET_OK)
        return status;
    if (one->made > most)
        return UTET_E_METADATA;
    json->next += one->used;
    return UTET_OK;
}

utet_status utet_query_copy(utet_query *query, uint32_t place, uint32_t length, char *buffer)
{
    utet_json *json = &query->priv.json;

    if (!query->priv.in_number) {
        query->priv.kept = json->next;
        json->next = place;
        query->priv.done = 0;
        query->priv.in_number = 1;
    }
    while (query->priv.done < length) {
        utet_character one;
        utet_status status = utet_query_character(query, length - query->priv.done, &one);

        if (status != UTET_OK)
            return status;
        memcpy(buffer + query->priv.done, one.bytes, one.made);
        query->priv.done += one.made;
    }
    query->priv.in_number = 0;
    json->next = query->priv.kept;
    return UTET_OK;
}

utet_status utet_query_enter(utet_query *query, uint8_t call, uint32_t from)
{
    utet_file *file = query->priv.file;
    utet_status status;

    if (file == NULL || !query->priv.opened || file->priv.owner != query)
        return UTET_E_STATE;
    if (file->priv.busy == call)
        return UTET_OK;
    status = utet_enter(file, call);
    if (status != UTET_OK)
        return status;
    query->priv.in_number = 0;
    query->priv.said = 0;
    query->priv.index = 0;
    query->priv.asked = from;
    query->priv.done = 0;
    return UTET_OK;
}

void utet_query_text_begin(utet_query *query, const utet_query_text_at *text)
{
    utet_query_at(query, text->place, JSON_LIST, 0);
    query->priv.items = text->length;
}

void utet_query_put_character(utet_query *query, char *buffer, size_t size, const utet_character *one)
{
    unsigned i;

    for (i = 0; i < one->made; i++)
        utet_query_put(query, buffer, size, (char)one->bytes[i]);
    query->priv.items -= one->made;
}

utet_status utet_query_text(utet_query *query, const utet_query_text_at *text, uint32_t from, char *buffer, size_t size,
                            size_t *got)
{
    int resumed = query->priv.file != NULL && query->priv.file->priv.busy == UTET_CALL_QUERY_TEXT;
    utet_status status = utet_query_enter(query, UTET_CALL_QUERY_TEXT, from);

    *got = 0;
    if (status == UTET_OK)
        status = utet_given(query->priv.file, buffer, size);
    if (status != UTET_OK)
        return status;
    if (!resumed)
        utet_query_text_begin(query, text);
    while (status == UTET_OK && query->priv.items != 0 && query->priv.done < size) {
        utet_character one;

        status = utet_query_character(query, query->priv.items, &one);
        if (status == UTET_OK)
            utet_query_put_character(query, buffer, size, &one);
    }
    if (status == UTET_OK)
        *got = (size_t)query->priv.done;
    return utet_leave(query->priv.file, status);
}

/* ---- axes ---- */

static int is_token(const char *text, unsigned length)
{
    int number = (unsigned)(uint8_t)text[0] - '0' <= 9;
    unsigned i;

    for (i = 0; i < length; i++) {
        uint8_t byte = (uint8_t)text[i];
        int digit = (unsigned)byte - '0' <= 9;
        int letter = (unsigned)(byte | 0x20) - 'a' <= 25 || byte == '_' || (byte == '-' && i != 0);

        if (!digit && (number || !letter))
            return 0;
    }
    return 1;
}

utet_status utet_query_token(utet_query *query, const utet_query_value *value, utet_query_text_at *axis)
{
    utet_status status;

    *axis = query_text_of(value);
    if (value->kind == UTET_VALUE_NUMBER && utet_query_is_whole(value)) {
        axis->length = utet_decimals(value->number, 1, query->shared.work.scan.head);
        return UTET_OK;
    }
    if (value->kind == UTET_VALUE_NUMBER)
        return utet_query_refuse(query, QUERY_AXIS_NUMBER);
    if (value->kind != UTET_VALUE_TEXT)
        return utet_query_refuse(query, QUERY_AXIS_ENTRY);
    if (axis->length == 0)
        return utet_query_refuse(query, QUERY_AXIS_EMPTY);
    if (axis->length > UTET_QUERY_TOKEN)
        return utet_query_refuse(query, QUERY_AXIS_LONG);
    status = utet_query_copy(query, axis->place, axis->length, query->shared.work.scan.head);
    if (status == UTET_OK && !is_token(query->shared.work.scan.head, (unsigned)axis->length))
        return utet_query_refuse_text(query, QUERY_AXIS_BAD, value);
    return status;
}

enum { LIST_BEGIN, LIST_FURTHER, LIST_TOKEN };

void utet_query_begin_list(utet_query *query, uint32_t place)
{
    query->priv.next = place;
    query->priv.items = 0;
    query->priv.index = LIST_BEGIN;
}

utet_status utet_query_axis_list(utet_query *query, utet_query_text_at *axes, uint8_t *count)
{
    for (;;) {
        utet_status status;

        if (query->priv.index != LIST_TOKEN) {
            status = utet_query_entry(query, query->priv.index == LIST_FURTHER);
            if (status != UTET_OK)
                return status == UTET_END ? UTET_OK : status;
            query->priv.index = LIST_TOKEN;
        }
        if (*count < UTET_FORMAT_NDIM) {
            status = utet_query_token(query, &query->shared.item, &axes[*count]);
            if (status != UTET_OK)
                return status;
            ++*count;
        } else if (query->shared.item.kind != UTET_VALUE_NUMBER && query->shared.item.kind != UTET_VALUE_TEXT) {
            return utet_query_refuse(query, QUERY_AXIS_ENTRY);
        }
        query->priv.items++;
        query->priv.index = LIST_FURTHER;
    }
}
