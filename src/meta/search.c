/* Entries of lists and maps by a text: a label, a key, the name of a dataset or of an axis; by number. */
#include "meta.h"

#include <string.h>

void utet_meta_aim(utet_meta *meta, const utet_value *list, const char *text, size_t length)
{
    meta->priv_list = *list;
    meta->priv_wanted = text;
    meta->priv_needle.kind = UTET_NONE;
    meta->priv_needle.size = utet_meta_length(length);
    meta->priv_number = 0;
    meta->priv_hits = 0;
}

utet_status utet_meta_aim_at(utet_meta *meta, const utet_value *list)
{
    utet_status status;

    if (meta->priv_file->priv_done == 0)
        meta->priv_other = meta->priv_outer;
    status = utet_meta_fetch(meta, &meta->priv_other, meta->priv_head, sizeof meta->priv_head, NULL);
    if (status != UTET_OK)
        return status;
    utet_meta_aim(meta, list, meta->priv_head, 0);
    meta->priv_needle = meta->priv_outer; /* its length with it */
    return UTET_OK;
}

utet_status utet_meta_search(utet_meta *meta, unsigned rule)
{
    utet_status status = UTET_END;

    while (status == UTET_END) {
        if (meta->priv_comparing == 0) {
            status = utet_meta_walk(meta, &meta->priv_list, rule);
            if (status != UTET_OK)
                return status == UTET_END && meta->priv_hits == 0 ? UTET_E_NOT_FOUND : status;
            meta->priv_number++;
        }
        status = meta->priv_match ? UTET_OK : UTET_END;
        if (meta->priv_match && meta->priv_needle.size > UTET_JSON_HEAD)
            status = utet_meta_same(meta);
    }
    meta->priv_hits += status == UTET_OK;
    return status;
}

/* utet_list_find and utet_map_find: the first or the last. */
static utet_status find(utet_meta *meta, uint8_t call, const utet_value *list, const char *text, size_t length,
                        utet_value *item)
{
    utet_status status = utet_meta_enter(meta, call);

    if (status != UTET_OK)
        return status;
    if (meta->priv_file->priv_step == 0) {
        utet_meta_aim(meta, list, text, length);
        item->kind = UTET_NONE;
        meta->priv_file->priv_step = 1;
    }
    while ((status = utet_meta_search(meta, UTET_RULE_ENTRIES)) == UTET_OK) {
        *item = UTET_ENTRY(meta);
        if (call == UTET_CALL_LIST_FIND)
            break;
    }
    if (status == UTET_END)
        status = item->kind != UTET_NONE ? UTET_OK : UTET_E_NOT_FOUND;
    return utet_leave(meta->priv_file, status);
}

utet_status utet_list_find(utet_meta *meta, const utet_value *list, const char *text, size_t length, uint64_t *index)
{
    utet_status status = find(meta, UTET_CALL_LIST_FIND, list, text, length, &meta->priv_outer);

    if (status == UTET_OK)
        *index = meta->priv_number - 1;
    return status;
}

utet_status utet_map_find(utet_meta *meta, const utet_value *map, const char *key, size_t length, utet_value *item)
{
    return find(meta, UTET_CALL_MAP_FIND, map, key, length, item);
}

utet_status utet_meta_nth(utet_meta *meta, const utet_value *list, uint64_t n)
{
    if (meta->priv_file->priv_step == 0) {
        utet_meta_aim(meta, list, NULL, 0);
        meta->priv_file->priv_step = 1;
    }
    for (;;) {
        utet_status status = utet_meta_walk(meta, &meta->priv_list, UTET_RULE_ENTRIES);

        if (status != UTET_OK)
            return status == UTET_END ? UTET_E_RANGE : status;
        if (meta->priv_number++ == n)
            return UTET_OK;
    }
}

utet_status utet_list_nth(utet_meta *meta, const utet_value *list, uint64_t n, utet_value *item)
{
    utet_status status = utet_meta_enter(meta, UTET_CALL_LIST_NTH);

    if (status != UTET_OK)
        return status;
    status = utet_leave(meta->priv_file, utet_meta_nth(meta, list, n));
    *item = UTET_ENTRY(meta);
    return status;
}
