/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Entries of a list or map for users: by number, by text, by key. */
#include "meta.h"

/* utet_list_find and utet_list_nth: the first such entry; utet_map_find: the last. */
static utet_status meta_find_entry(utet_meta *meta, uint8_t call, const utet_value *list, const char *text,
                                   uint32_t number, utet_value *item)
{
    utet_status status = utet_meta_enter(meta, call);

    if (status != UTET_OK)
        return status;
    if (meta->priv.step == 0) {
        utet_meta_want_text(meta, list, text, number);
        if (call == UTET_CALL_LIST_NTH)
            meta->priv.search.wanted = UTET_WANT_NTH;
        meta->priv.step = 1;
    }
    do {
        status = utet_meta_search(meta, UTET_RULE_ENTRIES);
        if (status == UTET_OK)
            *item = meta->priv.kept.entry.whole;
    } while (status == UTET_OK && call == UTET_CALL_MAP_FIND);
    if (status == UTET_END) /* the end of the map */
        status = item->kind != UTET_VALUE_NONE ? UTET_OK : UTET_E_NOT_FOUND;
    return utet_leave(meta->priv.file, status);
}

utet_status utet_list_find(utet_meta *meta, const utet_value *list, const char *text, size_t length, uint64_t *index)
{
    utet_status status = meta_find_entry(meta, UTET_CALL_LIST_FIND, list, text, utet_meta_length(length),
                                         &meta->priv.place.hit);

    if (status == UTET_OK)
        *index = meta->priv.search.passed - 1;
    return status;
}

utet_status utet_map_find(utet_meta *meta, const utet_value *map, const char *key, size_t length, utet_value *item)
{
    return meta_find_entry(meta, UTET_CALL_MAP_FIND, map, key, utet_meta_length(length), item);
}

utet_status utet_list_nth(utet_meta *meta, const utet_value *list, uint64_t n, utet_value *item)
{
    utet_status status = meta_find_entry(meta, UTET_CALL_LIST_NTH, list, meta->priv.head, utet_meta_length(n), item);

    return status == UTET_E_NOT_FOUND ? UTET_E_RANGE : status;
}
