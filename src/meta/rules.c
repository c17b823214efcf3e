/* The shapes of the footer's documents (§7): what the reference refuses when it opens a file is refused by these rules.
 * They nest at most 8 deep; one level is one small record. */
#include "meta.h"

#include <string.h>

/* Rules as ends of keys: numbers of meta.h in octal. */
#define TO_LIMITED "\6"
#define TO_MAYBE_LIMITED "\7"
#define TO_METADATA "\12"
#define TO_HISTORY "\13"
#define TO_TEXTS "\16"
#define TO_PARAMS "\17"
#define TO_FILE "\20"
#define TO_DATASETS "\21"
#define TO_ATTRS "\23"
#define TO_DIM_NAMES "\24"
#define TO_COORDS "\25"
#define TO_LABELS "\27"
#define TO_METADATA_REF "\30"
#define TO_ZONES_REF "\31"
#define TO_INDEXES_REF "\32"

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
    /* TRIPLE */ { UTET_ARRAY | UTET_UNLIMITED, 3, UTET_RULE_TEXT, 0, "" },
    /* TEXTS */ { UTET_ARRAY | UTET_UNLIMITED, 0, UTET_RULE_TEXT, NOT_KEPT, "" },
    /* PARAMS */ { UTET_OBJECT | UTET_UNLIMITED, 0, UTET_RULE_TEXT, NOT_KEPT, "" },
    /* FILE */
    { UTET_OBJECT | UTET_NULLABLE | UTET_UNLIMITED, 0, UTET_RULE_ANY, NOT_KEPT,
      "tool" TO_MAYBE_LIMITED "library_version" TO_MAYBE_LIMITED "created_at" TO_MAYBE_LIMITED },
    /* DATASETS */ { UTET_OBJECT | UTET_LIMIT * 8, 0, UTET_RULE_DATASET, UTET_SLOT_ENTRY, "" },
    /* DATASET */
    { UTET_OBJECT | UTET_UNLIMITED, 0, UTET_RULE_ANY, 0, "attrs" TO_ATTRS "dim_names" TO_DIM_NAMES "coords" TO_COORDS },
    /* ATTRS */
    { UTET_OBJECT | UTET_LIMIT * 6, 0, UTET_RULE_LIMITED, 3,
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

#define BIT(token) (1u << ((token) - JSON_OBJECT))
#define ALL (BIT(JSON_TEXT) * 2 - 1)
#define NEVER 0xFFFF    /* priv_skip, when nothing is skipped */
#define SOUND_DEPTH 127 /* the reference reads such values by recursion */

/* The rule of a list or object; scalars have none. */
static const utet_rule *rule_of(const utet_meta *meta, unsigned number)
{
    return &meta->priv_rules[number - UTET_RULE_ENTRIES];
}

static int is_array(const utet_rule *rule)
{
    return (rule->kind & UTET_OBJECT) == 0;
}

/* Whether the text just read is one of `words`: then 256 times the control character that ends it, plus its number;
 * else how many they are. */
static unsigned word(const char *words, const utet_json *json)
{
    unsigned number = 0;

    for (;;) {
        size_t length = 0;

        while (words[length] >= ' ')
            length++;
        if (length == 0)
            return number;
        if (length == json->length && memcmp(words, json->head, length) == 0)
            return number | (unsigned)words[length] << 8;
        words += length + 1;
        number++;
    }
}

/* The value that the token just read is or opens. */
static void take(utet_value *value, const utet_json *json)
{
    static const uint8_t kinds[] = { UTET_NONE, UTET_TEXT,    UTET_NONE,    UTET_MAP,    UTET_LIST,
                                     UTET_NONE, UTET_BOOLEAN, UTET_BOOLEAN, UTET_NUMBER, UTET_TEXT };

    value->kind = kinds[json->token];
    value->priv_begun = 0;
    value->priv_inside = 0;
    value->size = json->length; /* of lists and maps: see close_faults */
    value->value = json->begin + 1;
    if (json->token >= JSON_NULL && json->token != JSON_TEXT)
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
    meta->priv_slot = (uint8_t)(rule->slot + (rule->required == 3 ? around->count : 0));
}

static unsigned key_faults(utet_meta *meta, utet_level *around)
{
    const utet_rule *rule = around->rule;
    unsigned which = word(rule->keys, &meta->priv_json);
    unsigned bit = 1u << (which & 7);

    if (meta->priv_json.depth == 1) /* of an entry that is walked to */
        note(meta);
    meta->priv_slot = (uint8_t)(rule->slot + which);
    which >>= 8;
    if (which == 0) {
        meta->priv_rule = rule->others;
        return rule->others == 0 ? UTET_WRONG : rule->kind < UTET_UNLIMITED ? UTET_LENGTHY : 0;
    }
    meta->priv_rule = (uint8_t)which;
    which = around->seen & bit;
    around->seen = (uint8_t)(around->seen | bit);
    return which != 0 && rule->kind >= UTET_UNLIMITED; /* in a map, the last one counts */
}

static unsigned close_faults(utet_meta *meta, const utet_level *closed)
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
static unsigned value_faults(utet_meta *meta, unsigned depth)
{
    static const uint8_t scalars[] = { 0, ALL, ALL, BIT(JSON_TEXT), BIT(JSON_NUMBER), BIT(JSON_TEXT) | BIT(JSON_NULL),
                                       BIT(JSON_TEXT), BIT(JSON_TEXT) | BIT(JSON_NULL) }; /* by rule */
    const utet_json *json = &meta->priv_json;
    utet_level *around = &meta->priv_level[depth];
    utet_level *inside = around + 1;
    unsigned wanted = meta->priv_rule;
    const utet_rule *rule = wanted < UTET_RULE_ENTRIES ? NULL : rule_of(meta, wanted);
    unsigned allowed = rule == NULL ? scalars[wanted] : rule->kind & (UTET_LIMIT - 1);
    unsigned bad = around->count >> (around->rule->kind / UTET_LIMIT) != 0 ? UTET_CROWDED : 0;
    unsigned levels = meta->priv_check != 0 ? 2 : 3; /* the table's slots are for so many */
    unsigned slot = depth <= levels ? meta->priv_slot : (unsigned)UTET_SLOTS;

    if ((allowed & BIT(json->token)) == 0 || (wanted == UTET_RULE_NUMBER && !utet_json_is_u64(json)))
        bad |= UTET_WRONG;
    if (wanted >= UTET_RULE_LIMITED && json->token == JSON_TEXT)
        bad |= UTET_LENGTHY;
    if (slot < UTET_SLOTS)
        take(&meta->priv_found[slot], json);
    if (slot == meta->priv_by && (json->levels[0] & 1) == 0) /* in a list, where the outermost keys do not tell */
        note(meta);
    around->count++;
    if (json->token > JSON_ARRAY)
        return bad;
    if (rule == NULL)
        meta->priv_skip = json->depth;
    else if (json->token == JSON_ARRAY && (rule->kind & 3) == (UTET_OBJECT | UTET_ARRAY))
        rule++;
    inside->rule = rule;
    inside->count = 0;
    inside->seen = 0;
    inside->slot = (uint8_t)slot;
    return bad;
}

unsigned utet_meta_faults(utet_meta *meta)
{
    const utet_json *json = &meta->priv_json;
    unsigned opens = json->token == JSON_OBJECT || json->token == JSON_ARRAY;
    unsigned depth = json->depth - opens;
    utet_level *around;
    unsigned bad;

    if (depth >= meta->priv_skip) {
        if (depth == meta->priv_skip && json->token >= JSON_OBJECT)
            meta->priv_level[depth].count++;
        return json->mode == JSON_STRICT && json->depth > SOUND_DEPTH;
    }
    around = &meta->priv_level[depth];
    if (json->token == JSON_KEY)
        return key_faults(meta, around);
    bad = json->token == JSON_CLOSE ? close_faults(meta, around + 1) : value_faults(meta, depth);
    around += opens;
    if (around->rule != NULL)
        settle(meta, around);
    return bad;
}

void utet_meta_begin(utet_meta *meta, unsigned rule, uint8_t check)
{
    memset(meta->priv_found, 0, sizeof meta->priv_found);
    meta->priv_walking = 1;
    meta->priv_match = 0;
    meta->priv_check = check;
    meta->priv_skip = NEVER;
    meta->priv_rule = (uint8_t)rule;
    meta->priv_slot = UTET_SLOTS;
    meta->priv_level[0].rule = meta->priv_rules; /* around the outermost value */
    meta->priv_level[0].count = 0;
}
