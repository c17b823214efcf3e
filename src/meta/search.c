/* Entries of lists and maps by a text: a label, a key, the name of a dataset or of an axis. */
#include "meta.h"

#include <string.h>

void utet_meta_aim(utet_meta *meta, const utet_value *list, const char *text, uint64_t length)
{
    meta->priv_list = *list;
    meta->priv_words = NULL;
    meta->priv_wanted = text;
    meta->priv_needle.kind = UTET_NONE;
    meta->priv_needle.size = length;
    meta->priv_index = 0;
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
    utet_meta_aim(meta, list, meta->priv_head, text->size);
    meta->priv_needle = *text;
    return UTET_OK;
}

utet_status utet_meta_search(utet_meta *meta)
{
    for (;;) {
        utet_status status = UTET_OK;
        int map = meta->priv_list.kind == UTET_MAP;

        if (meta->priv_comparing == 0) {
            status = utet_meta_walk(meta, &meta->priv_list);
            if (status == UTET_END)
                return meta->priv_best.kind != UTET_NONE ? UTET_OK : UTET_E_NOT_FOUND;
            if (status != UTET_OK)
                return status;
            meta->priv_index++;
            if (meta->priv_match == UTET_NO_MATCH)
                continue;
            if (!map)
                meta->priv_key = meta->priv_item;
        }
        if (meta->priv_needle.size > UTET_JSON_HEAD) {
            status = utet_meta_same(meta);
            if (status == UTET_END)
                continue;
            if (status != UTET_OK)
                return status;
        }
        meta->priv_best = meta->priv_item;
        if (!map) {
            meta->priv_index--;
            return UTET_OK;
        }
    }
}

/* utet_list_find and utet_map_find */
static utet_status find(utet_meta *meta, const utet_value *list, const char *text, size_t length)
{
    if (meta->priv_file->priv_step == 0) {
        utet_meta_aim(meta, list, text, length);
        meta->priv_file->priv_step = 1;
    }
    return utet_meta_search(meta);
}

utet_status utet_list_find(utet_meta *meta, const utet_value *list, const char *text, size_t length, uint64_t *index)
{
    utet_status status = utet_meta_enter(meta, UTET_CALL_LIST_FIND);

    if (status != UTET_OK)
        return status;
    status = utet_leave(meta->priv_file, find(meta, list, text, length));
    *index = meta->priv_index;
    return status;
}

utet_status utet_map_find(utet_meta *meta, const utet_value *map, const char *key, size_t length, utet_value *item)
{
    utet_status status = utet_meta_enter(meta, UTET_CALL_MAP_FIND);

    if (status != UTET_OK)
        return status;
    status = utet_leave(meta->priv_file, find(meta, map, key, length));
    *item = meta->priv_best;
    return status;
}

utet_status utet_list_nth(utet_meta *meta, const utet_value *list, uint64_t n, utet_value *item)
{
    utet_file *file = meta->priv_file;
    utet_status status = utet_meta_enter(meta, UTET_CALL_LIST_NTH);

    if (status != UTET_OK)
        return status;
    if (file->priv_step == 0) {
        utet_meta_aim(meta, list, NULL, 0);
        file->priv_step = 1;
    }
    do
        status = utet_meta_walk(meta, &meta->priv_list);
    while (status == UTET_OK && meta->priv_index++ < n);
    *item = meta->priv_item;
    return utet_leave(file, status == UTET_END ? UTET_E_RANGE : status);
}
