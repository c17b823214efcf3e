/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of this component share: reading by rules, entries of lists and maps, comparing texts. All of these
 * continue where they were when a call is repeated. Internal to the library.
 */
#ifndef UTET_META_INTERNAL_H
#define UTET_META_INTERNAL_H

#include "../json/json.h"
#include "utet_meta.h"

#include <stddef.h>

/* file->priv.busy */
enum {
    UTET_CALL_META_OPEN = 0x12,
    UTET_CALL_META_LIMITS,
    UTET_CALL_META_STRICT,
    UTET_CALL_TEXT_READ,
    UTET_CALL_VALUE_NEXT,
    UTET_CALL_LIST_NTH,
    UTET_CALL_LIST_FIND,
    UTET_CALL_MAP_FIND,
    UTET_CALL_EVENT_NEXT,
    UTET_CALL_META_DATASET,
    UTET_CALL_META_AXIS,
    UTET_CALL_META_LABELS,
    UTET_CALL_ZONES_OPEN,
    UTET_CALL_ZONE_NEXT,
    UTET_CALL_ZONE_FIND,
    UTET_CALL_INDEX_VALUE,
    UTET_CALL_INDEX_LABEL,
    UTET_CALL_INDEX_CHUNK,
    UTET_CALL_INDEX_ENTRIES
};

/* utet_enter for metadata that are open. When a call begins, priv.step and all inner steps are 0. */
utet_status utet_meta_enter(utet_meta *meta, uint8_t call);

/* ---- rules.c: the shapes of the documents ---- */

/* rules for a value, by their number in the table of the document */
enum {
    UTET_RULE_NONE,    /* there must be no such value */
    UTET_RULE_ANY,     /* any value: skipped by its structure */
    UTET_RULE_SOUND,   /* any value, but well-formed down to its texts */
    UTET_RULE_ELEMENT, /* a text or null; hexadecimal digits of up to 8 bytes are kept as those (§8) */
    UTET_RULE_TEXT,
    UTET_RULE_NUMBER,     /* a whole one, not negative, below 2^64 */
    UTET_RULE_MAYBE_TEXT, /* or null */
    UTET_RULE_LIMITED,    /* texts to which the limits of §7.4 apply */
    UTET_RULE_MAYBE_LIMITED,
    UTET_RULE_ENTRIES, /* from here on of lists and objects: a utet_rule; in all tables for the entries of any map, …
                        */
    UTET_RULE_LIST_ENTRIES, /* … of any list, … */
    UTET_RULE_ROOT,         /* … and for the document; the others only in the table of the footer: */
    UTET_RULE_METADATA,
    UTET_RULE_HISTORY,
    UTET_RULE_EVENT,
    UTET_RULE_TRIPLE, /* an event in its legacy form */
    UTET_RULE_TEXTS,
    UTET_RULE_PARAMS,
    UTET_RULE_FILE,
    UTET_RULE_DATASETS,
    UTET_RULE_DATASET,
    UTET_RULE_ATTRS,
    UTET_RULE_DIM_NAMES,
    UTET_RULE_COORDS,
    UTET_RULE_COORD,
    UTET_RULE_LABELS,
    UTET_RULE_METADATA_REF,
    UTET_RULE_ZONES_REF,
    UTET_RULE_INDEXES_REF,
    UTET_RULE_SPILL,         /* metadata that are not null (§6.4) */
    UTET_RULE_HISTORY_ALONE, /* the footer whose metadata are replaced by those of a spill */

    /* rules in the table of zone maps */
    UTET_RULE_ZONE_LIST = UTET_RULE_ROOT + 1,
    UTET_RULE_ZONE,
    UTET_RULE_ZONE_COORDS,

    /* rules in the table of indexes */
    UTET_RULE_INDEX_LIST = UTET_RULE_ROOT + 1,
    UTET_RULE_INDEX,
    UTET_RULE_POSTINGS,
    UTET_RULE_POSTING,
    UTET_RULE_CHUNKS,
    UTET_RULE_CHUNK
};

/* utet_rule.kinds: a bit for each kind of value that is allowed there */
enum {
    UTET_NULLABLE = 1 << JSON_NULL,
    UTET_LIST = 1 << JSON_LIST,
    UTET_OBJECT = 1 << JSON_OBJECT, /* with UTET_LIST: a list is read by the next rule of the table (§7.2) */
    UTET_UNLIMITED = 31             /* utet_rule.limit */
};

typedef struct utet_rule {
    unsigned limit : 5; /* binary logarithm of the maximum number of entries (§7.4) */
    unsigned kinds : 3;
    union {
        uint8_t keys;    /* object: the keys that must be present, one bit each */
        uint8_t entries; /* list: required number of entries, 0 = any number */
    } required;
    uint8_t others;   /* rule for the entries of a list, for the values of unknown keys */
    uint8_t slot;     /* in utet_kept. Of an object: where the value of the first key is kept; those of the next keys
                         follow, and one for unknown keys. Of a list: of its first entry, the next ones' follow.
                         From UTET_META_KEPT on: not kept */
    const void *keys; /* UTET_KEYS */
} utet_rule;

/* A member of utet_kept as a slot; a division by 0 where it is none. */
#define UTET_SLOT(member) \
    (offsetof(utet_kept, member) / (offsetof(utet_kept, member) % sizeof(utet_value) == 0 ? sizeof(utet_value) : 0))

/*
 * The known keys of an object. A list of them is a macro `KEYS(KEY)` of lines KEY(name, RULE): name as it is written
 * in the document, and the rule of its value. UTET_KEYS makes of it a constant: for each key the number of the rule,
 * the length of the name, by which it is skipped at once, and the name with its zero; UTET_RULE_NONE at the end. All
 * members are bytes, so there is nothing between them.
 */
#define UTET_KEY_MEMBER(name, rule) \
    uint8_t rule_of_##name;         \
    uint8_t length_of_##name;       \
    char name[sizeof #name];
#define UTET_KEY_VALUE(name, rule) UTET_RULE_##rule, sizeof #name - 1, #name,
#define UTET_KEYS(list, KEYS)              \
    static const struct {                  \
        KEYS(UTET_KEY_MEMBER) uint8_t end; \
    } list = {KEYS(UTET_KEY_VALUE) UTET_RULE_NONE}

extern const uint8_t utet_meta_no_keys;
extern const utet_rule utet_meta_rules[];

/* Rows UTET_RULE_ENTRIES and UTET_RULE_LIST_ENTRIES of each table: a map or list of whatever. */
#define UTET_ANY_ENTRIES(which)                                                                           \
    {                                                                                                     \
        .kinds = which, .limit = UTET_UNLIMITED, .others = UTET_RULE_ANY, .slot = UTET_SLOT(entry.whole), \
        .keys = &utet_meta_no_keys                                                                        \
    }

/* Row UTET_RULE_ROOT of a spill's table: a map with all of its first four keys. */
#define UTET_SPILL_ROOT(document_keys)                                                               \
    {                                                                                                \
        .kinds = UTET_OBJECT, .limit = UTET_UNLIMITED, .required.keys = 15, .others = UTET_RULE_ANY, \
        .slot = UTET_SLOT(document.version), .keys = &(document_keys)                                \
    }

/* Begins with a document whose outermost value is as `rule` says; nothing is kept yet. For the limits of §7.4 the
 * caller sets priv.reading.limits afterwards. */
void utet_meta_begin(utet_meta *meta, unsigned rule, uint64_t offset, uint32_t length);
/* Takes the token just read; returns whether it breaks the rules. */
int utet_meta_fault(utet_meta *meta);

/* ---- reading.c: reading by rules ---- */

/* The next entry of a list or map, into priv.search.entry_text (its key) and priv.kept.entry.whole: utet_value_next
 * without the protocol. `rule`, one of a list or map, says which values of the entry go to priv.kept.
 * priv.search.match: the entry's text has the length and the head of the wanted one, so it may be equal. That text is
 * the key in a map, the entry in a list, or the value in the slot priv.search.text_slot. */
utet_status utet_meta_next(utet_meta *meta, utet_value *list, unsigned rule);

/* Continues until fewer than `levels` are open after a value, or to the end of the text. */
utet_status utet_meta_read(utet_meta *meta, unsigned levels);

/* Checks the document that utet_meta_begin has begun with, to its end. */
static inline utet_status utet_meta_check(utet_meta *meta)
{
    return utet_meta_read(meta, 0);
}

/* ---- meta_text.c ---- */

enum {
    UTET_VALUE_RAW = UTET_VALUE_BOOLEAN + 1
}; /* private kind of a value: a text that is no JSON, a dataset's name */

/* Up to `size` bytes of a text, until it ends; priv.delivered of them. */
utet_status utet_meta_copy_text(utet_meta *meta, utet_value *text, char *buffer, size_t size);

/* ---- search.c ---- */

/* priv.search.wanted */
enum {
    UTET_WANT_TEXT,      /* entries called (in a list: that are) priv.search.text, of priv.search.number bytes */
    UTET_WANT_FILE_TEXT, /* the same, but the text is in the file; its head is in memory */
    UTET_WANT_NTH,       /* entry priv.search.number */
    UTET_WANT_COUNT      /* entries whose labels are priv.search.number */
};

/* Prepares utet_meta_search for UTET_WANT_TEXT in `list`. For UTET_WANT_NTH or UTET_WANT_COUNT the caller sets
 * priv.search.wanted afterwards; then `length` is the number, and `text` any 32 bytes. */
void utet_meta_want_text(utet_meta *meta, const utet_value *list, const char *text, uint32_t length);
/* The same for the text priv.search.file_text; reads its head. */
utet_status utet_meta_want_file_text(utet_meta *meta, const utet_value *list);
/* The next wanted entry, read by `rule`. priv.search.hits counts the wanted ones, priv.search.passed all entries so
 * far. UTET_E_NOT_FOUND: there is none. UTET_END: there are no more. */
utet_status utet_meta_search(utet_meta *meta, unsigned rule);

/* ---- document.c ---- */

/* Checks a document outside of the footer, of version 1, and keeps the list of its entries in priv.kept.document. Its
 * rules are in force from then on. UTET_E_NOT_FOUND: the file has none. UTET_E_METADATA: it is not usable. */
utet_status utet_meta_document(utet_meta *meta, unsigned spill, const utet_rule *rules);
/* Coordinates of a chunk, from priv.kept.zone.coords. */
void utet_meta_coords(const utet_meta *meta, uint64_t coords[UTET_MAX_NDIM]);

/* A length in memory, cut to the 32 bits that lengths of texts have. */
static inline uint32_t utet_meta_length(uint64_t length)
{
    return length < UINT32_MAX ? (uint32_t)length : UINT32_MAX;
}

#endif
