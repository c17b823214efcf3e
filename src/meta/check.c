/*
 * The shapes of the footer's documents (§7, §8) as rules, and the walk that holds a JSON text against them: what the
 * reference refuses when it opens a file is refused here. Rules nest at most 8 deep, so one small record a level does.
 */
#include "meta.h"

#include <string.h>

enum { /* what a value has to be */
    ANY,   /* skipped by structure */
    SOUND, /* whatever, but well-formed down to its texts */
    TEXT,
    NUMBER,
    OBJECT, /* its keys are known: no other counts, none comes twice */
    MAP,
    LIST,
    EVENT /* an object, or a list of three texts (§7.2) */
};

/* The numbers of the rules. The first are the roots of meta.h. */
enum {
    R_ANY = UTET_RULE_INDEXES + 1,
    R_SOUND,
    R_TEXT,
    R_NUMBER,
    R_MAYBE_TEXT,
    R_LIMITED, /* texts to which the limits of §7.4 apply */
    R_MAYBE_LIMITED,
    R_REF,
    R_EVENT,
    R_TRIPLE,
    R_TEXTS,
    R_PARAMS,
    R_FILE,
    R_DATASETS,
    R_DATASET,
    R_ATTRS,
    R_DIM_NAMES,
    R_COORDS,
    R_COORD,
    R_LABELS,
    R_ZONE_LIST,
    R_ZONE,
    R_NUMBERS,
    R_INDEX_LIST,
    R_INDEX
};

typedef struct rule {
    uint8_t kind;
    uint8_t nullable;
    uint8_t required;  /* keys that have to be there, a bit each; of a list: the number of entries */
    uint8_t others;    /* rule for the values of unknown keys, 0 = there must be none */
    uint16_t limit;    /* most entries (§7.4); of a text: not 0 = it has a limit */
    uint8_t child[8];  /* rules for the keys in order; [0] for maps and lists */
    const char *keys;
} rule;

static const rule rules[] = {
    [UTET_RULE_FOOTER] = { OBJECT, 0, 0, R_ANY, 0,
                           { UTET_RULE_HISTORY, UTET_RULE_METADATA, R_REF, R_REF, R_REF },
                           "history metadata metadata_ref zone_maps_ref secondary_index_ref" },
    [UTET_RULE_METADATA] = { OBJECT, 1, 0, R_ANY, 0, { R_FILE, R_DATASETS }, "file datasets" },
    [UTET_RULE_HISTORY] = { LIST, 0, 0, 0, 4096, { R_EVENT }, "" },
    [UTET_RULE_ZONES] = { OBJECT, 0, 15, R_ANY, 0, { R_NUMBER, R_NUMBER, R_TEXT, R_ZONE_LIST },
                          "version generation packed_sha256 chunks" },
    [UTET_RULE_INDEXES] = { OBJECT, 0, 15, R_ANY, 0, { R_NUMBER, R_NUMBER, R_TEXT, R_INDEX_LIST },
                            "version generation packed_sha256 indexes" },
    [R_ANY] = { ANY, 1, 0, 0, 0, { 0 }, "" },
    [R_SOUND] = { SOUND, 1, 0, 0, 0, { 0 }, "" },
    [R_TEXT] = { TEXT, 0, 0, 0, 0, { 0 }, "" },
    [R_NUMBER] = { NUMBER, 0, 0, 0, 0, { 0 }, "" },
    [R_MAYBE_TEXT] = { TEXT, 1, 0, 0, 0, { 0 }, "" },
    [R_LIMITED] = { TEXT, 0, 0, 0, 1, { 0 }, "" },
    [R_MAYBE_LIMITED] = { TEXT, 1, 0, 0, 1, { 0 }, "" },
    [R_REF] = { OBJECT, 1, 3, 0, 0, { R_NUMBER, R_NUMBER }, "offset len" },
    [R_EVENT] = { EVENT, 0, 7, R_SOUND, 0,
                  { R_TEXT, R_TEXT, R_TEXT, R_TEXTS, R_PARAMS, R_MAYBE_TEXT, R_MAYBE_TEXT, R_MAYBE_TEXT },
                  "op source at parents params agent activity entity" },
    [R_TRIPLE] = { LIST, 0, 3, 0, 0, { R_TEXT }, "" },
    [R_TEXTS] = { LIST, 0, 0, 0, 0, { R_TEXT }, "" },
    [R_PARAMS] = { MAP, 0, 0, 0, 0, { R_TEXT }, "" },
    [R_FILE] = { OBJECT, 1, 0, R_ANY, 0, { R_MAYBE_LIMITED, R_MAYBE_LIMITED, R_MAYBE_LIMITED },
                 "tool library_version created_at" },
    [R_DATASETS] = { MAP, 0, 0, 0, 256, { R_DATASET }, "" },
    [R_DATASET] = { OBJECT, 0, 0, R_ANY, 0, { R_ATTRS, R_DIM_NAMES, R_COORDS }, "attrs dim_names coords" },
    [R_ATTRS] = { MAP, 0, 0, 0, 64, { R_LIMITED }, "" },
    [R_DIM_NAMES] = { LIST, 1, 0, 0, 8, { R_LIMITED }, "" },
    [R_COORDS] = { MAP, 1, 0, 0, 8, { R_COORD }, "" },
    [R_COORD] = { OBJECT, 0, 1, R_ANY, 0, { R_LABELS }, "labels" },
    [R_LABELS] = { LIST, 0, 0, 0, 64, { R_LIMITED }, "" },
    [R_ZONE_LIST] = { LIST, 0, 0, 0, 0, { R_ZONE }, "" },
    [R_ZONE] = { OBJECT, 0, 15, R_ANY, 0,
                 { R_NUMBER, R_NUMBERS, R_NUMBER, R_NUMBER, R_MAYBE_TEXT, R_MAYBE_TEXT },
                 "dataset_id chunk_index element_count null_count min_le max_le" },
    [R_NUMBERS] = { LIST, 0, 0, 0, 0, { R_NUMBER }, "" },
    [R_INDEX_LIST] = { LIST, 0, 0, 0, 0, { R_INDEX }, "" },
    [R_INDEX] = { OBJECT, 0, 1, R_SOUND, 0, { R_TEXT }, "kind" }
};

#define SOUND_DEPTH 127 /* the reference reads such values by recursion */
#define TEXT_LIMIT 1024 /* bytes, and at least one (§7.4) */

void utet_meta_check_begin(utet_meta *meta, uint64_t offset, uint64_t end, uint8_t rule_number)
{
    utet_json_begin(&meta->priv_json, offset, end);
    meta->priv_rule = rule_number;
    meta->priv_skip = 0;
    memset(&meta->priv_list, 0, sizeof meta->priv_list);
}

/* Behind a value: the rule for the next one in this list; where a key follows it must be sound. */
static void settle(utet_meta *meta)
{
    if (meta->priv_json.depth != 0) {
        const rule *around = &rules[meta->priv_level[meta->priv_json.depth - 1].rule];

        meta->priv_rule = around->kind == LIST ? around->child[0] : (uint8_t)R_TEXT;
    }
}

static int text_fits(const utet_json *json)
{
    return json->number - 1 < TEXT_LIMIT;
}

/* One more entry of the list or map around; whether there may be so many. */
static int count_fits(utet_meta *meta, unsigned level, int limits)
{
    const rule *around = &rules[meta->priv_level[level].rule];
    uint16_t *count = &meta->priv_level[level].count;

    if (*count < UINT16_MAX)
        ++*count;
    return !limits || around->limit == 0 || *count <= around->limit;
}

static int key_fits(utet_meta *meta, int limits)
{
    unsigned level = meta->priv_json.depth - 1u;
    const rule *around = &rules[meta->priv_level[level].rule];
    uint8_t *seen = &meta->priv_level[level].seen;
    uint8_t which;

    if (around->kind == MAP) {
        meta->priv_rule = around->child[0];
        return count_fits(meta, level, limits) && (!limits || around->limit == 0 || text_fits(&meta->priv_json));
    }
    which = utet_meta_word(around->keys, &meta->priv_json);
    if (which == UTET_NO_MATCH) {
        meta->priv_rule = around->others;
        return around->others != 0;
    }
    meta->priv_rule = around->child[which];
    if ((*seen >> which & 1) != 0)
        return 0;
    *seen = (uint8_t)(*seen | 1u << which);
    return 1;
}

static int close_fits(const utet_meta *meta)
{
    const rule *closed = &rules[meta->priv_level[meta->priv_json.depth].rule];

    if (closed->kind == LIST)
        return closed->required == 0 || meta->priv_level[meta->priv_json.depth].count == closed->required;
    return (closed->required & ~meta->priv_level[meta->priv_json.depth].seen) == 0;
}

/* The value that the token is or opens, held against its rule. */
static int value_fits(utet_meta *meta, int limits)
{
    const utet_json *json = &meta->priv_json;
    const rule *wanted = &rules[meta->priv_rule];
    unsigned opens = json->token == JSON_OBJECT || json->token == JSON_ARRAY;
    unsigned level = json->depth - opens;

    if (level > 0 && rules[meta->priv_level[level - 1].rule].kind == LIST && !count_fits(meta, level - 1, limits))
        return 0;
    if (level == 0)
        utet_meta_value(&meta->priv_list, json);
    if (wanted->kind <= SOUND) {
        meta->priv_skip = (uint16_t)(opens ? json->depth : 0);
        if (!opens)
            settle(meta);
        return 1;
    }
    if (!opens) {
        settle(meta);
        if (json->token == JSON_NULL)
            return wanted->nullable;
        if (wanted->kind == TEXT)
            return json->token == JSON_TEXT && (!limits || wanted->limit == 0 || text_fits(json));
        return wanted->kind == NUMBER && json->token == JSON_NUMBER && utet_json_is_u64(json);
    }
    if (wanted->kind < OBJECT || (wanted->kind != EVENT && (wanted->kind == LIST) != (json->token == JSON_ARRAY)))
        return 0;
    meta->priv_level[level].rule = meta->priv_rule;
    if (json->token == JSON_ARRAY && wanted->kind == EVENT)
        meta->priv_level[level].rule = R_TRIPLE;
    meta->priv_level[level].seen = 0;
    meta->priv_level[level].count = 0;
    settle(meta);
    return 1;
}

/* Takes the token just read; whether it may stand there. */
static int fits(utet_meta *meta, int limits)
{
    const utet_json *json = &meta->priv_json;

    if (meta->priv_skip != 0) {
        if (json->depth < meta->priv_skip) {
            meta->priv_skip = 0;
            settle(meta);
        }
        return rules[meta->priv_rule].kind != SOUND || json->depth <= SOUND_DEPTH;
    }
    if (json->token == JSON_KEY)
        return key_fits(meta, limits);
    if (json->token != JSON_CLOSE)
        return value_fits(meta, limits);
    settle(meta);
    return close_fits(meta);
}

utet_status utet_meta_check(utet_meta *meta, int whole, int limits)
{
    utet_file *file = meta->priv_file;
    utet_json *json = &meta->priv_json;

    for (;;) {
        utet_status status;

        json->mode = rules[meta->priv_rule].kind == ANY ? JSON_SKIP : JSON_STRICT;
        status = utet_json_next(file, json);
        if (status != UTET_OK || json->token == JSON_END)
            return status;
        if (!fits(meta, limits)) {
            file->error_offset = json->begin;
            return UTET_E_METADATA;
        }
        if (!whole && json->depth == 0)
            return UTET_OK;
    }
}
