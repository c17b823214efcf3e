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
    memset(&meta->priv_best, 0, sizeof meta->priv_best);
}

utet_status utet_meta_aim_at(utet_meta *meta, const utet_value *list, const utet_value *text)
{
    utet_status status;

    if (meta->priv_file->priv_done == 0)
        meta->priv_other = *text;
    status = utet_meta_fetch(meta, &meta->priv_other, meta->priv_head, sizeof meta->priv_head, NULL);
    if (status != UTET_OK)
        return status;
    utet_meta_aim(meta, list, meta->priv_head, 0);
    meta->priv_needle = *text; /* its length with it */
    return UTET_OK;
}

utet_status utet_meta_search(utet_meta *meta)
{
    int list = meta->priv_list.kind == UTET_LIST;

    for (;;) {
        utet_status status;

        if (meta->priv_comparing == 0) {
            status = utet_meta_walk(meta, &meta->priv_list);
            if (status == UTET_END)
                return list || meta->priv_best.kind == UTET_NONE ? UTET_E_NOT_FOUND : UTET_OK;
            if (status != UTET_OK)
                return status;
            meta->priv_number++;
            if (!meta->priv_match)
                continue;
        }
        status = meta->priv_needle.size > UTET_JSON_HEAD ? utet_meta_same(meta) : UTET_OK;
        if (status == UTET_END)
            continue;
        if (status != UTET_OK)
            return status;
        meta->priv_best = UTET_ITEM(meta);
        meta->priv_index = meta->priv_number - 1;
        if (list)
            return UTET_OK;
    }
}

/* utet_list_find and utet_map_find */
static utet_status find(utet_meta *meta, uint8_t call, const utet_value *list, const char *text, size_t length)
{
    utet_status status = utet_meta_enter(meta, call);

    if (status != UTET_OK)
        return status;
    if (meta->priv_file->priv_step == 0) {
        utet_meta_aim(meta, list, text, length);
        meta->priv_file->priv_step = 1;
    }
    return utet_leave(meta->priv_file, utet_meta_search(meta));
}

utet_status utet_list_find(utet_meta *meta, const utet_value *list, const char *text, size_t length, uint64_t *index)
{
    utet_status status = find(meta, UTET_CALL_LIST_FIND, list, text, length);

    if (status == UTET_OK)
        *index = meta->priv_index;
    return status;
}

utet_status utet_map_find(utet_meta *meta, const utet_value *map, const char *key, size_t length, utet_value *item)
{
    utet_status status = find(meta, UTET_CALL_MAP_FIND, map, key, length);

    if (status == UTET_OK)
        *item = meta->priv_best;
    return status;
}

utet_status utet_meta_nth(utet_meta *meta, const utet_value *list, uint64_t n)
{
    if (meta->priv_file->priv_step == 0) {
        meta->priv_list = *list;
        meta->priv_file->priv_step = 1;
    }
    while (n < list->size && meta->priv_list.size >= list->size - n) {
        utet_status status = utet_meta_walk(meta, &meta->priv_list);

        if (status != UTET_OK)
            return status == UTET_END ? UTET_E_RANGE : status;
    }
    return n < list->size ? UTET_OK : UTET_E_RANGE;
}

utet_status utet_list_nth(utet_meta *meta, const utet_value *list, uint64_t n, utet_value *item)
{
    utet_status status = utet_meta_enter(meta, UTET_CALL_LIST_NTH);

    if (status != UTET_OK)
        return status;
    status = utet_leave(meta->priv_file, utet_meta_nth(meta, list, n));
    *item = UTET_ITEM(meta);
    return status;
}
