/*
 * Frama-C EVA over what the JSON reader makes of single bytes: characters with their escapes, surrogate pairs and UTF-8 in
 * each mode, and numbers; any bytes, any state, the window may also not be ready. An alarm is a possible undefined
 * behaviour. eva.sh runs it on four machine models. (The loops of json.c over texts are beyond what EVA can separate.)
 */
#include <stddef.h>
#include <stdint.h>

#include "base/utf8.c"
#include "json/character.c"
#include "json/number.c"
#include "__fc_builtin.h"

static uint8_t held[16];

utet_status utet_need_bytes(utet_file *file, size_t length, uint64_t offset)
{
    file->error_offset = offset;
    if (Frama_C_interval(0, 1))
        return UTET_WOULD_BLOCK; /* or any other failure: they are passed on alike */
    Frama_C_make_unknown((char *)held, sizeof held);
    file->priv_at = held;
    file->priv_have = sizeof held;
    return UTET_OK;
}

/* As json.c has them. */
utet_status utet_json_need(utet_file *file, const utet_json *json, size_t length)
{
    return json->end - json->at < length ? UTET_E_METADATA : utet_need_bytes(file, length, json->at);
}

utet_status utet_json_complete(utet_json *json)
{
    json->within = JSON_BETWEEN;
    return UTET_OK;
}

void eva_main(void)
{
    utet_file file;
    utet_json json;
    utet_character character;

    file.priv_at = held;
    file.priv_have = 0;
    Frama_C_make_unknown((char *)&json, sizeof json);
    json.within = (uint8_t)Frama_C_interval(0, JSON_SIGNED + JSON_ZERO);
    (void)utet_json_number(&file, &json);
    json.mode = (uint8_t)Frama_C_interval(JSON_STRICT, JSON_RAW);
    (void)utet_json_character(&file, &json, &character);
}
