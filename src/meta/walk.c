/* Reading by rules. Opening holds whole documents against their table; what comes later walks through lists and maps
 * one entry at a time and picks up the values of known keys on the way; the rest is passed over by structure. */
#include "meta.h"

#include <string.h>

utet_status utet_meta_enter(utet_meta *meta, uint8_t call)
{
    utet_status status = meta->priv_status;
    uint8_t busy;

    if (status != UTET_OK)
        return status;
    if (meta->priv_file == NULL) /* never opened */
        return UTET_E_STATE;
    busy = meta->priv_file->priv_busy;
    status = utet_enter(meta->priv_file, call);
    if (status == UTET_OK && busy == UTET_CALL_NONE) {
        meta->priv_walking = 0;
        meta->priv_comparing = 0;
        meta->priv_needle.size = 0; /* nothing is looked for */
        meta->priv_number = 0;
        meta->priv_by = UTET_SLOT_ENTRY;
        meta->priv_rules = utet_meta_rules;
    }
    return status;
}

utet_status utet_meta_run(utet_meta *meta, unsigned stop)
{
    utet_json *json = &meta->priv_json;

    while (meta->priv_walking != 0) {
        utet_status status;

        json->mode = meta->priv_mode == UTET_WALK || meta->priv_rule == UTET_RULE_ANY ? JSON_LENIENT : JSON_STRICT;
        status = utet_json_next(meta->priv_file, json);
        if (status != UTET_OK)
            return status;
        if (json->token == JSON_END) {
            meta->priv_walking = 0;
            return UTET_OK;
        }
        if (utet_meta_fault(meta)) {
            meta->priv_file->error_offset = json->base + json->begin;
            return UTET_E_METADATA;
        }
        if (json->token != JSON_KEY && json->depth < stop)
            meta->priv_walking = 0;
    }
    return UTET_OK;
}

utet_status utet_meta_walk(utet_meta *meta, utet_value *list, unsigned rule)
{
    utet_status status;

    if (meta->priv_walking == 0) {
        if (list->kind != UTET_LIST && list->kind != UTET_MAP)
            return UTET_END;
        utet_meta_begin(meta, rule, list->value, UINT32_MAX, UTET_WALK);
        utet_json_enter(&meta->priv_json, list->kind, list->priv_begun);
        if (utet_meta_fault(meta)) /* its bracket */
            return UTET_E_METADATA;
    }
    status = utet_meta_run(meta, 2);
    if (status != UTET_OK)
        return status;
    if (meta->priv_json.depth == 0)
        return UTET_END;
    list->value = meta->priv_json.base + meta->priv_json.at;
    list->priv_begun = 1;
    if (list->size != 0)
        list->size--;
    return UTET_OK;
}

utet_status utet_value_next(utet_meta *meta, utet_value *list, utet_value *key, utet_value *item)
{
    utet_status status = utet_meta_enter(meta, UTET_CALL_VALUE_NEXT);

    if (status != UTET_OK)
        return status;
    status = utet_leave(meta->priv_file, utet_meta_walk(meta, list, UTET_RULE_ENTRIES));
    *key = meta->priv_key;
    *item = UTET_ENTRY(meta);
    return status;
}
