/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Reading by rules. Opening checks whole documents by their table of rules. Later calls read lists and maps one entry
 * at a time, and keep the values of known keys on the way. The rest is skipped by its structure. */
#include "meta.h"

#include <string.h>

utet_status utet_meta_enter(utet_meta *meta, uint8_t call)
{
    utet_status status = meta->priv.status;
    uint8_t busy;

    if (status != UTET_OK)
        return status;
    if (meta->priv.file == NULL) /* never opened */
        return UTET_E_STATE;
    busy = meta->priv.file->priv.busy;
    status = utet_enter(meta->priv.file, call);
    if (status == UTET_OK && busy == UTET_CALL_NONE) {
        meta->priv.step = 0;
        meta->priv.copied = 0;
        meta->priv.reading.active = 0;
        meta->priv.reading.rules = utet_meta_rules;
        meta->priv.search.comparing = 0;
        meta->priv.search.number = 0; /* no search is in progress */
        meta->priv.search.passed = 0;
        meta->priv.search.text_slot = UTET_SLOT(entry.whole);
    }
    return status;
}

utet_status utet_meta_read(utet_meta *meta, unsigned levels)
{
    utet_json *json = &meta->priv.json;
    utet_reading *reading = &meta->priv.reading;

    while (reading->active != 0) {
        utet_status status;

        json->checks = reading->one_entry || reading->rule == UTET_RULE_ANY ? JSON_LENIENT : JSON_STRICT;
        status = utet_json_next(meta->priv.file, json);
        if (status != UTET_OK)
            return status;
        if (json->token == JSON_END) {
            reading->active = 0;
            return UTET_OK;
        }
        if (utet_meta_fault(meta)) {
            meta->priv.file->error_offset = json->base + json->token_start;
            return UTET_E_METADATA;
        }
        if (json->token != JSON_KEY && json->depth < levels)
            reading->active = 0;
    }
    return UTET_OK;
}

utet_status utet_meta_next(utet_meta *meta, utet_value *list, unsigned rule)
{
    utet_status status;

    if (meta->priv.reading.active == 0) {
        if ((list->kind != UTET_VALUE_LIST && list->kind != UTET_VALUE_MAP) || list->size == 0)
            return UTET_END;
        utet_meta_begin(meta, rule, list->value, UINT32_MAX);
        meta->priv.reading.one_entry = 1;
        utet_json_enter(&meta->priv.json, list->kind, list->priv.begun);
        if (utet_meta_fault(meta)) /* its bracket */
            return UTET_E_METADATA;
    }
    status = utet_meta_read(meta, 2);
    if (status != UTET_OK)
        return status;
    if (meta->priv.json.depth == 0) /* fewer than there were */
        return UTET_END;
    list->value = meta->priv.json.base + meta->priv.json.next;
    list->priv.begun = 1;
    list->size--;
    return UTET_OK;
}

utet_status utet_value_next(utet_meta *meta, utet_value *list, utet_value *key, utet_value *item)
{
    utet_status status = utet_meta_enter(meta, UTET_CALL_VALUE_NEXT);

    if (status != UTET_OK)
        return status;
    status = utet_leave(meta->priv.file, utet_meta_next(meta, list, UTET_RULE_ENTRIES));
    *key = meta->priv.place.entry_text;
    *item = meta->priv.kept.entry.whole;
    return status;
}
