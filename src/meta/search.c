/* Entries of lists and maps by a text: a label, a key, the name of a dataset or of an axis; by their number, or by how
 * many entries they have themselves. */
#include "meta.h"

#include <string.h>

void utet_meta_aim(utet_meta *meta, const utet_value *list, const char *text, uint32_t length)
{
    meta->priv_list = *list;
    meta->priv_wanted = text;
    meta->priv_needle.kind = UTET_NONE;
    meta->priv_needle.size = length;
    meta->priv_number = 0;
    meta->priv_hits = 0;
}

utet_status utet_meta_aim_at(utet_meta *meta, const utet_value *list)
{
    utet_status status;

    if (meta->priv_file->priv_done == 0)
        meta->priv_other = meta->priv_outer;
    status = utet_meta_fetch(meta, &meta->priv_other, meta->priv_head, sizeof meta->priv_head);
    if (status != UTET_OK)
        return status;
    utet_meta_aim(meta, list, meta->priv_head, 0);
    meta->priv_needle = meta->priv_outer; /* its length with it */
    return UTET_OK;
}

/* Whether the entry that has been walked to is what is wanted; UTET_END when it is not. */
static utet_status suits(utet_meta *meta)
{
    const utet_value *needle = &meta->priv_needle;

    if (needle->kind == UTET_NUMBER)
        return meta->priv_number - 1 == needle->size ? UTET_OK : UTET_END;
    if (needle->kind == UTET_LIST)
        return meta->priv_found[0].size == needle->size ? UTET_OK : UTET_END;
    if (meta->priv_match && needle->size > UTET_JSON_HEAD)
        return utet_meta_same(meta);
    return meta->priv_match ? UTET_OK : UTET_END;
}

utet_status utet_meta_search(utet_meta *meta, unsigned rule)
{
    utet_status status;

    do {
        if (meta->priv_comparing == 0) {
            status = utet_meta_walk(meta, &meta->priv_list, rule);
            if (status != UTET_OK)
                return status == UTET_END && meta->priv_hits == 0 ? UTET_E_NOT_FOUND : status;
            meta->priv_number++;
        }
        status = suits(meta);
    } while (status == UTET_END);
    meta->priv_hits += status == UTET_OK;
    return status;
}

/* utet_list_find and utet_list_nth: the first; utet_map_find: the last. */
static utet_status find(utet_meta *meta, uint8_t call, const utet_value *list, const char *text, uint32_t length,
                        utet_value *item)
{
    utet_status status = utet_meta_enter(meta, call);

    if (status != UTET_OK)
        return status;
    if (meta->priv_file->priv_step == 0) {
        utet_meta_aim(meta, list, text, length);
        if (call == UTET_CALL_LIST_NTH)
            meta->priv_needle.kind = UTET_NUMBER;
        meta->priv_file->priv_step = 1;
    }
    do {
        status = utet_meta_search(meta, UTET_RULE_ENTRIES);
        if (status == UTET_OK)
            *item = UTET_ENTRY(meta);
    } while (status == UTET_OK && call == UTET_CALL_MAP_FIND);
    if (status == UTET_END) /* of a map */
        status = item->kind != UTET_NONE ? UTET_OK : UTET_E_NOT_FOUND;
    return utet_leave(meta->priv_file, status);
}

utet_status utet_list_find(utet_meta *meta, const utet_value *list, const char *text, size_t length, uint64_t *index)
{
    utet_status status = find(meta, UTET_CALL_LIST_FIND, list, text, utet_meta_length(length), &meta->priv_outer);

    if (status == UTET_OK)
        *index = meta->priv_number - 1;
    return status;
}

utet_status utet_map_find(utet_meta *meta, const utet_value *map, const char *key, size_t length, utet_value *item)
{
    return find(meta, UTET_CALL_MAP_FIND, map, key, utet_meta_length(length), item);
}

utet_status utet_list_nth(utet_meta *meta, const utet_value *list, uint64_t n, utet_value *item)
{
    utet_status status = find(meta, UTET_CALL_LIST_NTH, list, meta->priv_head, utet_meta_length(n), item);

    return status == UTET_E_NOT_FOUND ? UTET_E_RANGE : status;
}
