/* The shapes of the footer's documents (§7): what the reference refuses when it opens a file is refused by these rules.
 * They nest at most 8 deep; one level is one small record. */
#include "meta.h"

#include <string.h>

/* Rules as ends of keys: numbers of meta.h in octal. */
#define TO_LIMITED "\7"
#define TO_MAYBE_LIMITED "\10"
#define TO_METADATA "\13"
#define TO_HISTORY "\14"
#define TO_TEXTS "\17"
#define TO_PARAMS "\20"
#define TO_FILE "\21"
#define TO_DATASETS "\22"
#define TO_ATTRS "\24"
#define TO_DIM_NAMES "\25"
#define TO_COORDS "\26"
#define TO_LABELS "\30"
#define TO_METADATA_REF "\31"
#define TO_ZONES_REF "\32"
#define TO_INDEXES_REF "\33"

#define METADATA_KEYS "file" TO_FILE "datasets" TO_DATASETS
#define REF_KEYS "offset" UTET_NUMBER_KEY "len" UTET_NUMBER_KEY

enum { NOT_KEPT = UTET_SLOTS, REF = UTET_OBJECT | UTET_NULLABLE | UTET_UNLIMITED };

const utet_rule utet_meta_rules[] = {
    /* ENTRIES */ { UTET_ARRAY | UTET_UNLIMITED, 0, UTET_RULE_ANY, UTET_SLOT_ENTRY, "" },
    /* ROOT: the footer */
    { UTET_OBJECT | UTET_UNLIMITED, 0, UTET_RULE_ANY, UTET_SLOT_FOOTER,
      "metadata" TO_METADATA "history" TO_HISTORY "metadata_ref" TO_METADATA_REF "zone_maps_ref" TO_ZONES_REF
      "secondary_index_ref" TO_INDEXES_REF },
    /* METADATA */
    { UTET_OBJECT | UTET_NULLABLE | UTET_UNLIMITED, 0, UTET_RULE_ANY, UTET_SLOT_FACTS,
      METADATA_KEYS },
    /* HISTORY */ { UTET_ARRAY | UTET_LIMIT * 12, 0, UTET_RULE_EVENT, UTET_SLOT_ENTRY, "" },
    /* EVENT */
    { UTET_OBJECT | UTET_ARRAY | UTET_UNLIMITED, 7, UTET_RULE_SOUND, 0,
      "op" UTET_TEXT_KEY "source" UTET_TEXT_KEY "at" UTET_TEXT_KEY "parents" TO_TEXTS "params" TO_PARAMS
      "agent" UTET_MAYBE_TEXT_KEY "activity" UTET_MAYBE_TEXT_KEY "entity" UTET_MAYBE_TEXT_KEY },
    /* TRIPLE */ { UTET_ARRAY | UTET_UNLIMITED, 3, UTET_RULE_TEXT, UTET_EACH, "" },
    /* TEXTS */ { UTET_ARRAY | UTET_UNLIMITED, 0, UTET_RULE_TEXT, NOT_KEPT, "" },
    /* PARAMS */ { UTET_OBJECT | UTET_UNLIMITED, 0, UTET_RULE_TEXT, NOT_KEPT, "" },
    /* FILE */
    { UTET_OBJECT | UTET_NULLABLE | UTET_UNLIMITED, 0, UTET_RULE_ANY, NOT_KEPT,
      "tool" TO_MAYBE_LIMITED "library_version" TO_MAYBE_LIMITED "created_at" TO_MAYBE_LIMITED },
    /* DATASETS */ { UTET_OBJECT | UTET_LIMIT * 8, 0, UTET_RULE_DATASET, UTET_SLOT_ENTRY, "" },
    /* DATASET */
    { UTET_OBJECT | UTET_UNLIMITED, 0, UTET_RULE_ANY, 0, "attrs" TO_ATTRS "dim_names" TO_DIM_NAMES "coords" TO_COORDS },
    /* ATTRS */
    { UTET_OBJECT | UTET_LIMIT * 6, 0, UTET_RULE_LIMITED, 4,
      "_FillValue" TO_LIMITED "missing_value" TO_LIMITED "fill_value" TO_LIMITED },
    /* DIM_NAMES */ { UTET_ARRAY | UTET_NULLABLE | UTET_LIMIT * 3, 0, UTET_RULE_LIMITED, NOT_KEPT, "" },
    /* COORDS */ { UTET_OBJECT | UTET_NULLABLE | UTET_LIMIT * 3, 0, UTET_RULE_COORD, UTET_SLOT_ENTRY, "" },
    /* COORD */ { UTET_OBJECT | UTET_UNLIMITED, 1, UTET_RULE_ANY, 0, "labels" TO_LABELS },
    /* LABELS */ { UTET_ARRAY | UTET_LIMIT * 6, 0, UTET_RULE_LIMITED, NOT_KEPT, "" },
    /* METADATA_REF */ { REF, 3, 0, UTET_SLOT_REFS, REF_KEYS },
    /* ZONES_REF */ { REF, 3, 0, UTET_SLOT_REFS + 2, REF_KEYS },
    /* INDEXES_REF */ { REF, 3, 0, UTET_SLOT_REFS + 4, REF_KEYS },
    /* SPILL */ { UTET_OBJECT | UTET_UNLIMITED, 0, UTET_RULE_ANY, UTET_SLOT_FACTS, METADATA_KEYS }
};

#define BIT(token) (1 << (token))
#define ALL (BIT(JSON_CLOSE) - 1)
#define TEXT_LIMIT 1024 /* bytes, and at least one (§7.4) */
#define NEVER 0xFFFF    /* priv_skip, when nothing is skipped */
#define SOUND_DEPTH 127 /* the reference reads such values by recursion */

/* The rule of a list or object; scalars have none. */
static const utet_rule *rule_of(const utet_meta *meta, unsigned number)
{
    return &meta->priv_rules[number - UTET_RULE_ENTRIES];
}

static unsigned opens(const utet_json *json)
{
    return json->token == JSON_OBJECT || json->token == JSON_ARRAY;
}

static int is_array(const utet_rule *rule)
{
    return (rule->kind & UTET_OBJECT) == 0;
}

/* The value that the token just read is or opens. */
static void take(utet_value *value, const utet_json *json)
{
    value->kind = json->token & 7;
    value->priv_begun = 0;
    value->priv_inside = 0;
    value->size = json->length; /* of lists and maps: see close_fault */
    value->value = json->base + json->begin + 1;
    if (value->kind >= UTET_NUMBER)
        value->value = utet_json_is_u64(json) ? json->number : UINT64_MAX;
}

/* The token is what entries are found by. */
static void note(utet_meta *meta)
{
    const utet_json *json = &meta->priv_json;

    take(&meta->priv_key, json);
    meta->priv_match = meta->priv_key.kind == UTET_TEXT && json->length == meta->priv_needle.size &&
                       (json->held == 0 || memcmp(json->head, meta->priv_wanted, json->held) == 0);
}

/* What comes next in this list or object; there, a key. */
static void settle(utet_meta *meta, const utet_level *around)
{
    const utet_rule *rule = around->rule;

    meta->priv_rule = is_array(rule) ? rule->others : (uint8_t)UTET_RULE_TEXT;
    meta->priv_slot = rule->slot;
    if ((rule->slot & UTET_EACH) != 0)
        meta->priv_slot = (rule->slot & (UTET_EACH - 1u)) + around->count;
}

/* Whether the limits are in force and the text just read is beyond them (§7.4). */
static int lengthy(const utet_meta *meta)
{
    return meta->priv_mode == UTET_LIMITS && meta->priv_json.length - 1 >= TEXT_LIMIT;
}

static int key_fault(utet_meta *meta, utet_level *around)
{
    const utet_json *json = &meta->priv_json;
    const utet_rule *rule = around->rule;
    const char *key = rule->keys;
    unsigned bit;

    if (json->depth == 1) /* of an entry that is walked to */
        note(meta);
    meta->priv_slot = rule->slot;
    for (bit = 1;; bit <<= 1) {
        size_t length = 0;

        while (key[length] >= ' ')
            length++;
        meta->priv_rule = (uint8_t)key[length];
        if (length == 0) {
            meta->priv_rule = rule->others;
            return rule->others == 0 || (rule->kind < UTET_UNLIMITED && lengthy(meta));
        }
        if (length == json->length && memcmp(key, json->head, length) == 0)
            break;
        key += length + 1;
        meta->priv_slot++;
    }
    if ((around->seen & bit) != 0)
        return rule->kind >= UTET_UNLIMITED; /* in a map, the last one counts */
    around->seen |= bit;
    return 0;
}

static int close_fault(utet_meta *meta, const utet_level *closed)
{
    const utet_rule *rule = closed->rule;

    meta->priv_skip = NEVER;
    if (closed->slot < UTET_SLOTS)
        meta->priv_found[closed->slot].size = closed->count;
    if (rule == NULL || rule->required == 0)
        return 0;
    if (is_array(rule))
        return closed->count != rule->required;
    return (rule->required & ~closed->seen) != 0;
}

/* The value that the token is or opens, `depth` lists and objects around it. */
static int value_fault(utet_meta *meta, utet_level *around, unsigned depth)
{
    enum { TEXT = BIT(JSON_TEXT), MAYBE = BIT(JSON_TEXT) | BIT(JSON_NULL), NUMBER = BIT(JSON_NUMBER) };
    static const uint8_t tokens[] = { 0, ALL, ALL, MAYBE, TEXT, NUMBER, MAYBE, TEXT, MAYBE, ALL }; /* by rule */
    const utet_json *json = &meta->priv_json;
    const unsigned wanted = meta->priv_rule;
    const utet_rule *rule = wanted < UTET_RULE_ENTRIES ? NULL : rule_of(meta, wanted);
    const unsigned allowed = wanted <= UTET_RULE_ENTRIES ? tokens[wanted] : rule->kind & (UTET_LIMIT - 1);
    uint32_t slot = meta->priv_slot;

    if ((allowed >> json->token & 1) == 0 || (wanted == UTET_RULE_NUMBER && !utet_json_is_u64(json)))
        return 1;
    if (wanted >= UTET_RULE_LIMITED && json->token == JSON_TEXT && lengthy(meta))
        return 1;
    if (meta->priv_mode == UTET_LIMITS && around->count >> (around->rule->kind / UTET_LIMIT) != 0)
        return 1;
    if (depth > meta->priv_mode) /* deeper ones would overwrite */
        slot = UTET_SLOTS;
    if (slot < UTET_SLOTS) {
        utet_value *value = &meta->priv_found[slot];

        take(value, json);
        if (wanted == UTET_RULE_ELEMENT)
            value->size = utet_json_unhex(json->head, json->length, (uint8_t *)&value->value);
    }
    if (slot == meta->priv_by && (json->levels[0] & 1) == 0) /* in a list, where the outermost keys do not tell */
        note(meta);
    around->count++;
    if (opens(json)) {
        around++;
        if (rule == NULL)
            meta->priv_skip = json->depth;
        else if (json->token == JSON_ARRAY && (rule->kind & UTET_OBJECT) != 0)
            rule++;
        around->rule = rule;
        around->count = 0;
        around->seen = 0;
        around->slot = slot;
    }
    return 0;
}

int utet_meta_fault(utet_meta *meta)
{
    const utet_json *json = &meta->priv_json;
    unsigned depth = json->depth - opens(json);
    utet_level *level;

    if (depth >= meta->priv_skip) {
        if (depth == meta->priv_skip && json->token < JSON_CLOSE)
            meta->priv_level[depth].count++;
        return json->mode == JSON_STRICT && json->depth > SOUND_DEPTH;
    }
    level = &meta->priv_level[depth];
    if (json->token == JSON_KEY)
        return key_fault(meta, level);
    if (json->token == JSON_CLOSE ? close_fault(meta, level + 1) : value_fault(meta, level, depth))
        return 1;
    level = &meta->priv_level[json->depth];
    if (level->rule != NULL)
        settle(meta, level);
    return 0;
}

void utet_meta_begin(utet_meta *meta, unsigned rule, uint64_t offset, uint32_t length, uint8_t mode)
{
    memset(meta->priv_found, 0, sizeof meta->priv_found);
    meta->priv_json.base = offset;
    meta->priv_json.end = length;
    utet_json_begin(&meta->priv_json);
    meta->priv_walking = 1;
    meta->priv_match = 0;
    meta->priv_mode = mode;
    meta->priv_skip = NEVER;
    meta->priv_rule = (uint8_t)rule;
    meta->priv_slot = UTET_SLOTS;
    meta->priv_level[0].rule = meta->priv_rules; /* around the outermost value */
    meta->priv_level[0].count = 0;
}
