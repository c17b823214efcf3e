/*
 * The shapes of the footer's documents (§7, §8) as rules, and the walk that holds a JSON text against them: what the
 * reference refuses when it opens a file is refused here. Rules nest at most 8 deep, so one small record a level does.
 */
#include "meta.h"

#include <string.h>

enum { /* what a list or map has to be */
    OBJECT, /* its keys are known: no other counts, none comes twice */
    MAP,
    LIST,
    EVENT, /* an object, or a list of three texts (§7.2) */
    NULLABLE = 8
};

typedef struct rule {
    uint8_t kind;
    uint8_t required;  /* keys that have to be there, a bit each; of a list: the number of entries, 0 = any */
    uint8_t others;    /* rule for the entries of a map or list, for unknown keys; 0 = there must be none */
    uint8_t limit;     /* binary logarithm of most entries (§7.4), 0 = no limit */
    const char *keys;  /* each ends with the number of the rule for its value */
} rule;

/* The numbers of meta.h as ends of keys. */
#define TO_SOUND "\2"
#define TO_TEXT "\3"
#define TO_NUMBER "\4"
#define TO_MAYBE_TEXT "\5"
#define TO_MAYBE_LIMITED "\7"
#define TO_HISTORY "\12"
#define TO_METADATA "\11"
#define TO_TEXTS "\15"
#define TO_PARAMS "\16"
#define TO_FILE "\17"
#define TO_DATASETS "\20"
#define TO_ATTRS "\22"
#define TO_DIM_NAMES "\23"
#define TO_COORDS "\24"
#define TO_LABELS "\26"
#define TO_REF "\27"
#define TO_ZONE_LIST "\31"
#define TO_NUMBERS "\33"
#define TO_INDEX_LIST "\35"

static const rule rules[] = { /* from UTET_RULE_FOOTER on */
    /* FOOTER */ { OBJECT, 0, UTET_RULE_ANY, 0,
                   "history" TO_HISTORY "metadata" TO_METADATA "metadata_ref" TO_REF "zone_maps_ref" TO_REF
                   "secondary_index_ref" TO_REF },
    /* METADATA */ { OBJECT | NULLABLE, 0, UTET_RULE_ANY, 0, "file" TO_FILE "datasets" TO_DATASETS },
    /* HISTORY */ { LIST, 0, UTET_RULE_EVENT, 12, "" },
    /* EVENT */ { EVENT, 7, UTET_RULE_SOUND, 0,
                  "op" TO_TEXT "source" TO_TEXT "at" TO_TEXT "parents" TO_TEXTS "params" TO_PARAMS "agent" TO_MAYBE_TEXT
                  "activity" TO_MAYBE_TEXT "entity" TO_MAYBE_TEXT },
    /* TRIPLE */ { LIST, 3, UTET_RULE_TEXT, 0, "" },
    /* TEXTS */ { LIST, 0, UTET_RULE_TEXT, 0, "" },
    /* PARAMS */ { MAP, 0, UTET_RULE_TEXT, 0, "" },
    /* FILE */ { OBJECT | NULLABLE, 0, UTET_RULE_ANY, 0,
                 "tool" TO_MAYBE_LIMITED "library_version" TO_MAYBE_LIMITED "created_at" TO_MAYBE_LIMITED },
    /* DATASETS */ { MAP, 0, UTET_RULE_DATASET, 8, "" },
    /* DATASET */ { OBJECT, 0, UTET_RULE_ANY, 0, "attrs" TO_ATTRS "dim_names" TO_DIM_NAMES "coords" TO_COORDS },
    /* ATTRS */ { MAP, 0, UTET_RULE_LIMITED, 6, "" },
    /* DIM_NAMES */ { LIST | NULLABLE, 0, UTET_RULE_LIMITED, 3, "" },
    /* COORDS */ { MAP | NULLABLE, 0, UTET_RULE_COORD, 3, "" },
    /* COORD */ { OBJECT, 1, UTET_RULE_ANY, 0, "labels" TO_LABELS },
    /* LABELS */ { LIST, 0, UTET_RULE_LIMITED, 6, "" },
    /* REF */ { OBJECT | NULLABLE, 3, 0, 0, "offset" TO_NUMBER "len" TO_NUMBER },
    /* ZONES */ { OBJECT, 15, UTET_RULE_ANY, 0,
                  "version" TO_NUMBER "chunks" TO_ZONE_LIST "generation" TO_NUMBER "packed_sha256" TO_TEXT },
    /* ZONE_LIST */ { LIST, 0, UTET_RULE_ZONE, 0, "" },
    /* ZONE */ { OBJECT, 15, UTET_RULE_ANY, 0,
                 "dataset_id" TO_NUMBER "chunk_index" TO_NUMBERS "element_count" TO_NUMBER "null_count" TO_NUMBER
                 "min_le" TO_MAYBE_TEXT "max_le" TO_MAYBE_TEXT },
    /* NUMBERS */ { LIST, 0, UTET_RULE_NUMBER, 0, "" },
    /* INDEXES */ { OBJECT, 15, UTET_RULE_ANY, 0,
                    "version" TO_NUMBER "indexes" TO_INDEX_LIST "generation" TO_NUMBER "packed_sha256" TO_TEXT },
    /* INDEX_LIST */ { LIST, 0, UTET_RULE_INDEX, 0, "" },
    /* INDEX */ { OBJECT, 1, UTET_RULE_SOUND, 0,
                  "kind" TO_TEXT "dataset_id" TO_SOUND "dtype" TO_SOUND "axis" TO_SOUND "postings" TO_SOUND },
    /* POSTING */ { OBJECT, 0, 0, 0, "value_le" TO_SOUND "label" TO_SOUND "chunks" TO_SOUND },
    /* FILL */ { MAP, 0, 0, 0, "_FillValue" TO_TEXT "missing_value" TO_TEXT "fill_value" TO_TEXT }
};

/* The rule of a list or map; scalars have none. */
static const rule *rule_of(unsigned number)
{
    return &rules[number - UTET_RULE_FOOTER];
}

const char *utet_meta_keys(unsigned number)
{
    return rule_of(number)->keys;
}

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
        const rule *around = rule_of(meta->priv_level[meta->priv_json.depth - 1].rule);

        meta->priv_rule = (around->kind & 7) == LIST ? around->others : (uint8_t)UTET_RULE_TEXT;
    }
}

static int text_fits(const utet_json *json, int limits)
{
    return !limits || json->number - 1 < TEXT_LIMIT;
}

/* One more entry of the list or map around; whether there may be so many. */
static int count_fits(utet_meta *meta, unsigned level, int limits)
{
    unsigned limit = rule_of(meta->priv_level[level].rule)->limit;
    uint16_t *count = &meta->priv_level[level].count;

    if (*count < UINT16_MAX)
        ++*count;
    return !limits || limit == 0 || *count <= 1u << limit;
}

static int key_fits(utet_meta *meta, int limits)
{
    unsigned level = meta->priv_json.depth - 1u;
    const rule *around = rule_of(meta->priv_level[level].rule);
    uint8_t *seen = &meta->priv_level[level].seen;
    unsigned which;

    meta->priv_rule = around->others;
    if ((around->kind & 7) == MAP)
        return count_fits(meta, level, limits) && text_fits(&meta->priv_json, limits && around->limit != 0);
    which = utet_meta_word(around->keys, &meta->priv_json);
    if (which == UTET_NO_MATCH)
        return around->others != 0;
    meta->priv_rule = (uint8_t)(which >> 8);
    which = 1u << (which & 7);
    if ((*seen & which) != 0)
        return 0;
    *seen = (uint8_t)(*seen | which);
    return 1;
}

static int close_fits(const utet_meta *meta)
{
    unsigned level = meta->priv_json.depth;
    const rule *closed = rule_of(meta->priv_level[level].rule);

    if ((closed->kind & 7) == LIST)
        return closed->required == 0 || meta->priv_level[level].count == closed->required;
    return (closed->required & ~meta->priv_level[level].seen) == 0;
}

static int scalar_fits(const utet_meta *meta, unsigned wanted, int limits)
{
    const utet_json *json = &meta->priv_json;

    if (wanted >= UTET_RULE_FOOTER)
        return json->token == JSON_NULL && (rule_of(wanted)->kind & NULLABLE) != 0;
    if (wanted == UTET_RULE_NUMBER)
        return json->token == JSON_NUMBER && utet_json_is_u64(json);
    if (json->token == JSON_NULL)
        return wanted == UTET_RULE_MAYBE_TEXT || wanted == UTET_RULE_MAYBE_LIMITED;
    return json->token == JSON_TEXT && text_fits(json, limits && wanted >= UTET_RULE_LIMITED);
}

/* The value that the token is or opens, held against its rule. */
static int value_fits(utet_meta *meta, int limits)
{
    const utet_json *json = &meta->priv_json;
    unsigned wanted = meta->priv_rule;
    int array = json->token == JSON_ARRAY;
    unsigned opens = array || json->token == JSON_OBJECT;
    unsigned level = json->depth - opens;
    unsigned kind;

    if (level == 0)
        utet_meta_value(&meta->priv_list, json);
    else if ((rule_of(meta->priv_level[level - 1].rule)->kind & 7) == LIST && !count_fits(meta, level - 1, limits))
        return 0;
    if (wanted <= UTET_RULE_SOUND && opens) {
        meta->priv_skip = json->depth;
        return 1;
    }
    if (opens) {
        if (wanted < UTET_RULE_FOOTER)
            return 0;
        kind = rule_of(wanted)->kind & 7;
        if (kind == EVENT && array)
            wanted = UTET_RULE_TRIPLE;
        else if ((kind == LIST) != array)
            return 0;
        meta->priv_level[level].rule = (uint8_t)wanted;
        meta->priv_level[level].seen = 0;
        meta->priv_level[level].count = 0;
    }
    settle(meta);
    return opens || wanted <= UTET_RULE_SOUND || scalar_fits(meta, wanted, limits);
}

/* Takes the token just read; whether it may stand there. */
static int fits(utet_meta *meta, int limits)
{
    const utet_json *json = &meta->priv_json;

    if (meta->priv_skip != 0) {
        unsigned rule_number = meta->priv_rule;

        if (json->depth < meta->priv_skip) {
            meta->priv_skip = 0;
            settle(meta);
        }
        return rule_number == UTET_RULE_ANY || json->depth <= SOUND_DEPTH;
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

        json->mode = meta->priv_rule == UTET_RULE_ANY ? JSON_SKIP : JSON_STRICT;
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
