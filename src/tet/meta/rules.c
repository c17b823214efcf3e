/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The shapes of the footer's documents (§7). These rules refuse what the reference refuses when it opens a file.
 * They nest at most 8 deep; each level is one small record. */
#include "meta.h"

#include <string.h>

#define FOOTER_KEYS(KEY)            \
    KEY(metadata, METADATA)         \
    KEY(history, HISTORY)           \
    KEY(metadata_ref, METADATA_REF) \
    KEY(zone_maps_ref, ZONES_REF)   \
    KEY(secondary_index_ref, INDEXES_REF)
#define METADATA_KEYS(KEY) \
    KEY(file, FILE)        \
    KEY(datasets, DATASETS)
#define EVENT_KEYS(KEY)       \
    KEY(op, TEXT)             \
    KEY(source, TEXT)         \
    KEY(at, TEXT)             \
    KEY(parents, TEXTS)       \
    KEY(params, PARAMS)       \
    KEY(agent, MAYBE_TEXT)    \
    KEY(activity, MAYBE_TEXT) \
    KEY(entity, MAYBE_TEXT)
#define FILE_KEYS(KEY)                  \
    KEY(tool, MAYBE_LIMITED)            \
    KEY(library_version, MAYBE_LIMITED) \
    KEY(created_at, MAYBE_LIMITED)
#define DATASET_KEYS(KEY)     \
    KEY(attrs, ATTRS)         \
    KEY(dim_names, DIM_NAMES) \
    KEY(coords, COORDS)
#define ATTRS_KEYS(KEY)         \
    KEY(_FillValue, LIMITED)    \
    KEY(missing_value, LIMITED) \
    KEY(fill_value, LIMITED)
#define COORD_KEYS(KEY) KEY(labels, LABELS)
#define REF_KEYS(KEY)   \
    KEY(offset, NUMBER) \
    KEY(len, NUMBER)

#define HISTORY_KEYS(KEY) KEY(history, HISTORY)

UTET_KEYS(footer_keys, FOOTER_KEYS);
UTET_KEYS(history_keys, HISTORY_KEYS);
UTET_KEYS(metadata_keys, METADATA_KEYS);
UTET_KEYS(event_keys, EVENT_KEYS);
UTET_KEYS(file_keys, FILE_KEYS);
UTET_KEYS(dataset_keys, DATASET_KEYS);
UTET_KEYS(attrs_keys, ATTRS_KEYS);
UTET_KEYS(coord_keys, COORD_KEYS);
UTET_KEYS(ref_keys, REF_KEYS);

const uint8_t utet_meta_no_keys = UTET_RULE_NONE;

#define META_RULES_ROW(rule) [UTET_RULE_##rule - UTET_RULE_ENTRIES]
#define NOT_KEPT UTET_META_KEPT
#define REF .kinds = UTET_OBJECT | UTET_NULLABLE, .limit = UTET_UNLIMITED, .required.keys = 3, .keys = &ref_keys

const utet_rule utet_meta_rules[] = {
    META_RULES_ROW(ENTRIES) = UTET_ANY_ENTRIES(UTET_OBJECT | UTET_LIST),
    META_RULES_ROW(LIST_ENTRIES) = UTET_ANY_ENTRIES(UTET_LIST),
    META_RULES_ROW(ROOT) = {.kinds = UTET_OBJECT,
                            .limit = UTET_UNLIMITED,
                            .others = UTET_RULE_ANY,
                            .slot = UTET_SLOT(footer.metadata),
                            .keys = &footer_keys},
    META_RULES_ROW(METADATA) = {.kinds = UTET_OBJECT | UTET_NULLABLE,
                                .limit = UTET_UNLIMITED,
                                .others = UTET_RULE_ANY,
                                .slot = UTET_SLOT(footer.file_info),
                                .keys = &metadata_keys},
    META_RULES_ROW(SPILL) = {.kinds = UTET_OBJECT,
                             .limit = UTET_UNLIMITED,
                             .others = UTET_RULE_ANY,
                             .slot = UTET_SLOT(footer.file_info),
                             .keys = &metadata_keys},
    META_RULES_ROW(HISTORY_ALONE) = {.kinds = UTET_OBJECT,
                                     .limit = UTET_UNLIMITED,
                                     .others = UTET_RULE_ANY,
                                     .slot = NOT_KEPT,
                                     .keys = &history_keys},
    META_RULES_ROW(HISTORY) = {.kinds = UTET_LIST, .limit = 12, .others = UTET_RULE_EVENT, .slot = NOT_KEPT},
    META_RULES_ROW(EVENT) = {.kinds = UTET_OBJECT | UTET_LIST,
                             .limit = UTET_UNLIMITED,
                             .required.keys = 7,
                             .others = UTET_RULE_SOUND,
                             .slot = UTET_SLOT(event),
                             .keys = &event_keys},
    META_RULES_ROW(TRIPLE) = {.kinds = UTET_LIST,
                              .limit = UTET_UNLIMITED,
                              .required.entries = 3,
                              .others = UTET_RULE_TEXT,
                              .slot = UTET_SLOT(event)},
    META_RULES_ROW(TEXTS) = {.kinds = UTET_LIST, .limit = UTET_UNLIMITED, .others = UTET_RULE_TEXT, .slot = NOT_KEPT},
    META_RULES_ROW(PARAMS) = {.kinds = UTET_OBJECT,
                              .limit = UTET_UNLIMITED,
                              .others = UTET_RULE_TEXT,
                              .slot = NOT_KEPT,
                              .keys = &utet_meta_no_keys},
    META_RULES_ROW(FILE) = {.kinds = UTET_OBJECT | UTET_NULLABLE,
                            .limit = UTET_UNLIMITED,
                            .others = UTET_RULE_ANY,
                            .slot = NOT_KEPT,
                            .keys = &file_keys},
    META_RULES_ROW(DATASETS) = {.kinds = UTET_OBJECT,
                                .limit = 8,
                                .others = UTET_RULE_DATASET,
                                .slot = UTET_SLOT(entry.whole),
                                .keys = &utet_meta_no_keys},
    META_RULES_ROW(DATASET) = {.kinds = UTET_OBJECT,
                               .limit = UTET_UNLIMITED,
                               .others = UTET_RULE_ANY,
                               .slot = UTET_SLOT(dataset.attrs),
                               .keys = &dataset_keys},
    META_RULES_ROW(ATTRS) = {.kinds = UTET_OBJECT,
                             .limit = 6,
                             .others = UTET_RULE_LIMITED,
                             .slot = UTET_SLOT(attrs.fill),
                             .keys = &attrs_keys},
    META_RULES_ROW(
        DIM_NAMES) = {.kinds = UTET_LIST | UTET_NULLABLE, .limit = 3, .others = UTET_RULE_LIMITED, .slot = NOT_KEPT},
    META_RULES_ROW(COORDS) = {.kinds = UTET_OBJECT | UTET_NULLABLE,
                              .limit = 3,
                              .others = UTET_RULE_COORD,
                              .slot = UTET_SLOT(entry.whole),
                              .keys = &utet_meta_no_keys},
    META_RULES_ROW(COORD) = {.kinds = UTET_OBJECT,
                             .limit = UTET_UNLIMITED,
                             .required.keys = 1,
                             .others = UTET_RULE_ANY,
                             .slot = UTET_SLOT(coord.labels),
                             .keys = &coord_keys},
    META_RULES_ROW(LABELS) = {.kinds = UTET_LIST, .limit = 6, .others = UTET_RULE_LIMITED, .slot = NOT_KEPT},
    META_RULES_ROW(METADATA_REF) = {REF, .slot = UTET_SLOT(footer.refs[0])},
    META_RULES_ROW(ZONES_REF) = {REF, .slot = UTET_SLOT(footer.refs[2])},
    META_RULES_ROW(INDEXES_REF) = {REF, .slot = UTET_SLOT(footer.refs[4])}};

#define META_RULES_BIT(token) (1 << (token))
#define META_RULES_ALL (META_RULES_BIT(JSON_CLOSE) - 1)
#define TEXT_LIMIT 1024 /* bytes, and at least one (§7.4) */
#define NEVER 0xFFFF    /* reading.skip_depth, when nothing is skipped */
#define SOUND_DEPTH 127 /* the reference reads such values by recursion */

/* The rule of a list or object; other values have none. */
static const utet_rule *rule_of(const utet_meta *meta, unsigned number)
{
    return &meta->priv.reading.rules[number - UTET_RULE_ENTRIES];
}

static unsigned meta_rules_opens(const utet_json *json)
{
    return json->token == JSON_OBJECT || json->token == JSON_LIST;
}

static int is_list(const utet_rule *rule)
{
    return (rule->kinds & UTET_OBJECT) == 0;
}

/* The value that the last token is, or begins. A key counts as a text. */
static void meta_rules_take(utet_value *value, const utet_json *json)
{
    value->kind = json->token == JSON_KEY ? (uint8_t)UTET_VALUE_TEXT : json->token;
    value->priv.begun = 0;
    value->priv.inside = 0;
    value->size = json->text_length; /* of lists and maps: see close_fault */
    value->value = json->base + json->token_start + 1;
    if (value->kind >= UTET_VALUE_NUMBER)
        value->value = utet_json_is_u64(json) ? json->number : UINT64_MAX;
}

/* Keeps the token as the text that identifies the entry, and compares it with the wanted one. */
static void take_entry_text(utet_meta *meta)
{
    const utet_json *json = &meta->priv.json;
    utet_search *search = &meta->priv.search;

    meta_rules_take(&meta->priv.place.entry_text, json);
    search->match = meta->priv.place.entry_text.kind == UTET_VALUE_TEXT && json->text_length == search->number &&
                    (json->head_length == 0 || memcmp(json->head, search->text, json->head_length) == 0);
}

/* The rule for what comes next in this list or object. In an object the token is a key. */
static void expect_next(utet_meta *meta, const utet_level *around)
{
    const utet_rule *rule = around->rule;

    meta->priv.reading.slot = rule->slot + around->count;
    meta->priv.reading.rule = is_list(rule) ? rule->others : (uint8_t)UTET_RULE_TEXT;
}

/* Returns nonzero if the limits are in force and the text just read is beyond them (§7.4). */
static int meta_rules_lengthy(const utet_meta *meta)
{
    return meta->priv.reading.limits && meta->priv.json.text_length - 1 >= TEXT_LIMIT;
}

static int key_fault(utet_meta *meta, utet_level *around)
{
    const utet_json *json = &meta->priv.json;
    const utet_rule *rule = around->rule;
    const char *key = (const char *)rule->keys;
    unsigned bit;

    if (json->depth == 1) /* the text of an entry */
        take_entry_text(meta);
    meta->priv.reading.slot = rule->slot;
    for (bit = 1; *key != UTET_RULE_NONE; bit <<= 1) {
        const char *name = key + 2;
        size_t length = (uint8_t)key[1];

        if (length == json->text_length && memcmp(name, json->head, length) == 0) {
            meta->priv.reading.rule = (uint8_t)*key;
            if ((around->seen & bit) != 0)
                return rule->limit == UTET_UNLIMITED; /* the last one counts in a map */
            around->seen |= bit;
            return 0;
        }
        key = name + length + 1;
        meta->priv.reading.slot++;
    }
    meta->priv.reading.rule = rule->others;
    return rule->others == UTET_RULE_NONE || (rule->limit != UTET_UNLIMITED && meta_rules_lengthy(meta));
}

static int close_fault(utet_meta *meta, const utet_level *closed)
{
    const utet_rule *rule = closed->rule;

    meta->priv.reading.skip_depth = NEVER;
    if (closed->slot < UTET_META_KEPT)
        meta->priv.kept.slot[closed->slot].size = closed->count;
    if (rule == NULL)
        return 0;
    if (is_list(rule))
        return rule->required.entries != 0 && closed->count != rule->required.entries;
    return (rule->required.keys & ~closed->seen) != 0;
}

/* The value that the token is, or begins, inside `depth` lists and objects. */
static int value_fault(utet_meta *meta, utet_level *around, unsigned depth)
{
    static const uint8_t kinds[] = {/* of values that have no utet_rule */
                                    [UTET_RULE_ANY] = META_RULES_ALL,
                                    [UTET_RULE_SOUND] = META_RULES_ALL,
                                    [UTET_RULE_ELEMENT] = META_RULES_BIT(JSON_TEXT) | META_RULES_BIT(JSON_NULL),
                                    [UTET_RULE_TEXT] = META_RULES_BIT(JSON_TEXT),
                                    [UTET_RULE_NUMBER] = META_RULES_BIT(JSON_NUMBER),
                                    [UTET_RULE_MAYBE_TEXT] = META_RULES_BIT(JSON_TEXT) | META_RULES_BIT(JSON_NULL),
                                    [UTET_RULE_LIMITED] = META_RULES_BIT(JSON_TEXT),
                                    [UTET_RULE_MAYBE_LIMITED] = META_RULES_BIT(JSON_TEXT) | META_RULES_BIT(JSON_NULL)};
    const utet_json *json = &meta->priv.json;
    utet_reading *reading = &meta->priv.reading;
    const unsigned wanted = reading->rule;
    const utet_rule *rule = NULL;
    unsigned allowed;
    uint32_t slot = reading->slot;

    if (wanted < UTET_RULE_ENTRIES) {
        allowed = kinds[wanted];
    } else {
        rule = rule_of(meta, wanted);
        allowed = rule->kinds;
    }
    if ((allowed >> json->token & 1) == 0 || (wanted == UTET_RULE_NUMBER && !utet_json_is_u64(json)))
        return 1;
    if (wanted >= UTET_RULE_LIMITED && json->token == JSON_TEXT && meta_rules_lengthy(meta))
        return 1;
    if (reading->limits && around->count >> around->rule->limit != 0)
        return 1;
    if (depth > 2u + reading->one_entry) /* deeper ones would overwrite */
        slot = UTET_META_KEPT;
    if (slot < UTET_META_KEPT) {
        utet_value *value = &meta->priv.kept.slot[slot];

        meta_rules_take(value, json);
        if (wanted == UTET_RULE_ELEMENT)
            value->size = utet_json_unhex(json->head, json->text_length, (uint8_t *)&value->value);
    }
    if (slot == meta->priv.search.text_slot && utet_json_in_list(json)) /* it is the key of a map */
        take_entry_text(meta);
    around->count++;
    if (meta_rules_opens(json)) {
        around++;
        if (rule == NULL)
            reading->skip_depth = json->depth;
        else if (json->token == JSON_LIST && !is_list(rule))
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
    const utet_json *json = &meta->priv.json;
    unsigned depth = json->depth - meta_rules_opens(json);
    utet_level *level;

    if (depth >= meta->priv.reading.skip_depth) {
        if (depth == meta->priv.reading.skip_depth && json->token < JSON_CLOSE)
            meta->priv.level[depth].count++;
        return json->checks == JSON_STRICT && json->depth > SOUND_DEPTH;
    }
    level = &meta->priv.level[depth];
    if (json->token == JSON_KEY)
        return key_fault(meta, level);
    if (json->token == JSON_CLOSE ? close_fault(meta, level + 1) : value_fault(meta, level, depth))
        return 1;
    level = &meta->priv.level[json->depth];
    if (level->rule != NULL)
        expect_next(meta, level);
    return 0;
}

void utet_meta_begin(utet_meta *meta, unsigned rule, uint64_t offset, uint32_t length)
{
    utet_reading *reading = &meta->priv.reading;

    memset(&meta->priv.kept, 0, sizeof meta->priv.kept);
    utet_json_begin(&meta->priv.json, length, offset);
    meta->priv.search.match = 0;
    reading->active = 1;
    reading->limits = 0;
    reading->one_entry = 0;
    reading->skip_depth = NEVER;
    reading->rule = (uint8_t)rule;
    reading->slot = UTET_META_KEPT;
    meta->priv.level[0].rule = reading->rules; /* around the outermost value */
    meta->priv.level[0].count = 0;
}
