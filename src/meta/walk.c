/* Lists and maps of the metadata, one entry at a time. They have been checked when the metadata were opened; so what is
 * not asked for is passed over by structure. */
#include "meta.h"

#include <string.h>

utet_status utet_meta_enter(utet_meta *meta, uint8_t call)
{
    utet_status status = meta->priv_status;
    uint8_t busy;

    if (status != UTET_OK)
        return status;
    busy = meta->priv_file->priv_busy;
    status = utet_enter(meta->priv_file, call);
    if (status == UTET_OK && busy == UTET_CALL_NONE) {
        meta->priv_walking = 0;
        meta->priv_comparing = 0;
        meta->priv_words = NULL;
        meta->priv_wanted = NULL;
    }
    return status;
}

unsigned utet_meta_word(const char *words, const utet_json *json)
{
    unsigned number = 0;

    for (;;) {
        size_t length = 0;

        while (words[length] >= ' ')
            length++;
        if (length == 0)
            return UTET_NO_MATCH;
        if (length == json->number && memcmp(words, json->head, length) == 0)
            return number | (unsigned)words[length] << 8;
        words += length + 1;
        number++;
    }
}

void utet_meta_value(utet_value *value, const utet_json *json)
{
    static const uint8_t kinds[] = { UTET_NONE,   UTET_TEXT,    UTET_NONE,    UTET_MAP, UTET_LIST,
                                     UTET_TEXT,   UTET_NUMBER,  UTET_BOOLEAN, UTET_BOOLEAN };

    value->kind = json->token < sizeof kinds ? kinds[json->token] : (uint8_t)UTET_NONE;
    value->priv_begun = 0;
    value->priv_inside = 0;
    value->priv_at = json->begin + 1;
    value->size = json->number; /* 0 for lists and maps */
    if (json->token == JSON_NUMBER && !utet_json_is_u64(json))
        value->size = UINT64_MAX;
    if (json->token == JSON_TRUE)
        value->size = 1;
}

/* Is the text just read what is looked for, as far as its length and head tell? */
static unsigned match(const utet_meta *meta)
{
    const utet_json *json = &meta->priv_json;
    size_t head = json->number < UTET_JSON_HEAD ? (size_t)json->number : UTET_JSON_HEAD;

    if (meta->priv_words != NULL)
        return utet_meta_word(meta->priv_words, json) & 0xFF;
    if (meta->priv_wanted == NULL || json->number != meta->priv_needle.size ||
        memcmp(json->head, meta->priv_wanted, head) != 0)
        return UTET_NO_MATCH;
    return 0;
}

/* Takes the token just read, of a walk at depth 1. Returns 1 when the entry is complete, or the list at its end. */
static int take(utet_meta *meta, int is_list)
{
    const utet_json *json = &meta->priv_json;
    int opens = json->token == JSON_OBJECT || json->token == JSON_ARRAY;
    unsigned level = json->depth - (unsigned)opens;

    if (json->token == JSON_CLOSE)
        return level <= 1;
    if (json->token == JSON_KEY) {
        if (level == 1) {
            utet_meta_value(&meta->priv_key, json);
            meta->priv_match = (uint8_t)match(meta);
        }
        return 0;
    }
    if (level > 1) {
        if (level == 2)
            meta->priv_item.size++;
        return 0;
    }
    utet_meta_value(&meta->priv_item, json);
    if (is_list && json->token == JSON_TEXT)
        meta->priv_match = (uint8_t)match(meta);
    return !opens;
}

utet_status utet_meta_walk(utet_meta *meta, utet_value *list)
{
    utet_json *json = &meta->priv_json;

    if (meta->priv_walking == 0) {
        if (list->kind != UTET_LIST && list->kind != UTET_MAP)
            return UTET_END;
        utet_json_enter(json, list->priv_at, meta->priv_file->priv_io->size, list->kind == UTET_MAP,
                        list->priv_begun);
        meta->priv_match = UTET_NO_MATCH;
        meta->priv_walking = 1;
    }
    do {
        utet_status status;

        json->mode = json->depth > 1 ? JSON_SKIP : JSON_KNOWN;
        status = utet_json_next(meta->priv_file, json);
        if (status != UTET_OK)
            return status;
    } while (!take(meta, list->kind == UTET_LIST));
    meta->priv_walking = 0;
    if (json->depth == 0)
        return UTET_END;
    list->priv_at = json->at;
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
    status = utet_leave(meta->priv_file, utet_meta_walk(meta, list));
    *key = meta->priv_key;
    *item = meta->priv_item;
    return status;
}

void utet_meta_want(utet_meta *meta, const utet_value *map, unsigned rule)
{
    meta->priv_list = *map;
    meta->priv_words = utet_meta_keys(rule);
    meta->priv_index = 0;
    memset(meta->priv_found, 0, sizeof meta->priv_found);
}

utet_status utet_meta_collect(utet_meta *meta)
{
    for (;;) {
        utet_status status = utet_meta_walk(meta, &meta->priv_list);
        uint64_t which = meta->priv_match;

        if (status != UTET_OK)
            return status == UTET_END ? UTET_OK : status;
        if (meta->priv_list.kind == UTET_LIST)
            which = meta->priv_index++;
        if (which < 8)
            meta->priv_found[which] = meta->priv_item;
    }
}
