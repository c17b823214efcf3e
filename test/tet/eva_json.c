/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Frama-C EVA over the JSON reader, in two parts. EVA_PART 1: characters with their escapes, surrogate pairs and UTF-8
 * in each mode, and numbers. 2: tokens of a reader in any state, over characters as part 1 has found them.
 * An alarm is possible undefined behaviour.
 *
 * The window is replaced by its contract (base.h): it returns as many bytes as were requested, or one, two, three or
 * eight more, of any values, and memory ends after them; or it returns any failure. A loop that waits for a byte may
 * also be left there, and part 2 begins in any state, so what holds for one iteration holds for all.
 *
 * eva.sh: 2 parts, x86_16, x86_32, x86_64, ppc_32
 *   1 2: -eva-slevel 2000 -eva-split-return full
 */
#include <stddef.h>
#include <stdint.h>

#include "base/utf8.c"
#if EVA_PART == 1
#include "tet/json/character.c"
#else
#include "tet/json/json.c"
#endif
#include "tet/json/number.c"
#include "__fc_builtin.h"

static uint8_t held[24];
static int grants;                       /* how many requests may succeed */
static int lead_from = 0, lead_to = 255; /* of the first byte */

static size_t more(void)
{
    const int some = EVA_PART == 1 ? 0 : Frama_C_interval_split(0, 4); /* only json.c asks for their number */

    return some < 4 ? (size_t)some : 8;
}

utet_status utet_fetch(utet_file *file, size_t length, uint64_t offset)
{
    file->error_offset = offset;
    if (grants == 0 || Frama_C_interval(0, 1))
        return UTET_WOULD_BLOCK; /* or any other failure: all are returned in the same way */
    grants--;
    Frama_C_make_unknown((char *)held, sizeof held);
    file->priv.have = length + more();
    file->priv.at = held + (sizeof held - file->priv.have);
    held[sizeof held - file->priv.have] = (uint8_t)Frama_C_interval(lead_from, lead_to);
    return UTET_OK;
}

#if EVA_PART == 1
/* The same as in json.c. */
utet_status utet_json_fetch(utet_file *file, const utet_json *json, size_t length)
{
    return json->end - json->next < length ? UTET_E_METADATA : utet_fetch(file, length, json->next);
}

utet_status utet_json_complete(utet_json *json)
{
    json->state = JSON_BETWEEN;
    return UTET_OK;
}
#else
utet_status utet_json_character(utet_file *file, const utet_json *json, utet_character *out)
{
    (void)file;
    (void)json;
    if (Frama_C_interval(0, 1))
        return UTET_WOULD_BLOCK;
    Frama_C_make_unknown((char *)out->bytes, sizeof out->bytes);
    out->made = (uint8_t)Frama_C_interval_split(1, 4);
    out->used = (uint8_t)Frama_C_interval(1, 12);
    return UTET_OK;
}
#endif

static utet_file file;
static utet_json json;

static void any_state(void)
{
    file.priv.at = held;
    file.priv.have = 0;
    grants = 16;
    Frama_C_make_unknown((char *)&json, sizeof json);
    json.checks = (uint8_t)Frama_C_interval(JSON_STRICT, JSON_RAW);
}

#if EVA_PART == 1
void eva_main(void)
{
    static const int leads[5] = {0, 0x80, 0xE0, 0xF0, 0x100}; /* which request different lengths */
    utet_character character;
    int lead;

    any_state();
    json.state = (uint8_t)Frama_C_interval(0, JSON_SIGNED + JSON_ZERO);
    grants = 1;
    (void)utet_json_number(&file, &json);
    any_state();
    grants = 4;
    lead = Frama_C_interval_split(0, 3);
    lead_from = leads[lead];
    lead_to = leads[lead + 1] - 1;
    if (utet_json_character(&file, &json, &character) == UTET_OK) {
        /*@ assert made: 1 <= character.made <= 4; */
        /*@ assert bytes: \initialized(&character.bytes[0]); */
        /*@ assert used: 1 <= character.used <= 12; */
    }
}
#else
void eva_main(void)
{
    uint32_t any;

    Frama_C_make_unknown((char *)&any, sizeof any);
    any_state();
    json.head_length = (uint8_t)Frama_C_interval(0, UTET_JSON_HEAD);
    json.expected = (uint8_t)Frama_C_interval(0, 31);
    json.depth = (uint16_t)Frama_C_interval_split(0, 2);
    if (json.depth == 2)
        json.depth = (uint16_t)Frama_C_interval(2, UTET_JSON_DEPTH);
    if (json.depth == 0) /* what may come outside of all values */
        json.expected &= EXPECT_VALUE | EXPECT_COLON;
    switch (Frama_C_interval_split(0, 3)) {
    case 0: /* up to a token's first byte */
        json.state = JSON_BETWEEN;
        grants = 1;
        (void)utet_json_next(&file, &json);
        break;
    case 1:
        json.state = JSON_IN_TEXT;
        grants = 1;
        (void)utet_json_next(&file, &json);
        break;
    case 2: /* the first values, and the number that has just been read */
        (void)utet_json_is_u64(&json);
        (void)utet_json_is_i64(&json);
        utet_json_begin(&json, any, any);
        utet_json_enter(&json, Frama_C_interval(0, 1) ? JSON_LIST : JSON_OBJECT, Frama_C_interval(0, 1));
        (void)utet_json_in_list(&json);
        break;
    default:
        grants = 6;
        if (utet_json_fetch(&file, &json, 1) == UTET_OK)
            (void)json_literal(&file, &json, file.priv.at[0]);
        break;
    }
    /*@ assert head: json.head_length <= UTET_JSON_HEAD; */
    /*@ assert depth: json.depth <= UTET_JSON_DEPTH; */
    if (json.depth == 0) {
        /*@ assert outside: (json.expected & (EXPECT_KEY | EXPECT_CLOSE | EXPECT_COMMA)) == 0; */
    }
}
#endif
