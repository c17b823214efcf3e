/*
 * What the files of this component share: reading by rules, walking lists and maps with the values of known keys,
 * comparing texts. All of these go on where they were when a call is repeated. Internal to the library.
 */
#ifndef UTET_META_INTERNAL_H
#define UTET_META_INTERNAL_H

#include "../json/json.h"
#include "utet_meta.h"

enum { /* file->priv_busy */
    UTET_CALL_META_OPEN = UTET_CALL_META,
    UTET_CALL_META_LIMITS,
    UTET_CALL_META_STRICT,
    UTET_CALL_TEXT_READ,
    UTET_CALL_VALUE_NEXT,
    UTET_CALL_LIST_NTH,
    UTET_CALL_LIST_FIND,
    UTET_CALL_MAP_FIND,
    UTET_CALL_EVENT_NEXT,
    UTET_CALL_ABOUT_DATASET,
    UTET_CALL_ABOUT_AXIS,
    UTET_CALL_ABOUT_LABELS,
    UTET_CALL_ZONES_OPEN,
    UTET_CALL_ZONE_NEXT,
    UTET_CALL_ZONE_FIND,
    UTET_CALL_INDEX_VALUE,
    UTET_CALL_INDEX_LABEL,
    UTET_CALL_INDEX_CHUNK,
    UTET_CALL_INDEX_ENTRIES
};

/* utet_enter for metadata that are open; a call that begins finds all inner steps at 0. */
utet_status utet_meta_enter(utet_meta *meta, uint8_t call);

/* ---- rules.c: what the documents have to be ---- */

enum { /* rule for a value; below ' ', so that one can end a key in utet_rule.keys */
    UTET_RULE_ANY = 1, /* whatever: passed over by structure */
    UTET_RULE_SOUND,   /* whatever, but well-formed down to its texts */
    UTET_RULE_ELEMENT, /* a text or null; hexadecimal digits of up to 8 bytes are kept as those (§8) */
    UTET_RULE_TEXT,
    UTET_RULE_NUMBER,
    UTET_RULE_MAYBE_TEXT,
    UTET_RULE_LIMITED, /* texts to which the limits of §7.4 apply */
    UTET_RULE_MAYBE_LIMITED,
    UTET_RULE_ENTRIES, /* from here on of lists and objects: utet_rule[], for a walk in all of these tables … */
    UTET_RULE_ROOT,    /* … and for the document; the others only in the table of the footer: */
    UTET_RULE_METADATA,
    UTET_RULE_HISTORY,
    UTET_RULE_EVENT,
    UTET_RULE_TRIPLE,
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
    UTET_RULE_SPILL /* metadata that are not null (§6.4) */
};

enum { /* utet_rule.kind */
    UTET_NULLABLE = 1 << JSON_NULL,
    UTET_ARRAY = 1 << JSON_ARRAY,   /* with UTET_OBJECT: or an array as the next rule in the table says (§7.2) */
    UTET_OBJECT = 1 << JSON_OBJECT, /* known keys come once */
    UTET_LIMIT = 8,                 /* times the binary logarithm of most entries (§7.4) */
    UTET_UNLIMITED = UTET_LIMIT * 31
};

typedef struct utet_rule {
    uint8_t kind;
    uint8_t required; /* keys that have to be there, a bit each; of an array: the number of its entries, 0 = any */
    uint8_t others;   /* rule for the entries of an array, for unknown keys; 0 = there must be none */
    uint8_t slot;     /* in priv_found, of the value of its first key, of an array's entry; UTET_SLOTS = not kept. The
                         slot behind that of the last key is for values of unknown ones: nothing else may be there */
    const char *keys; /* each ends with the number of the rule for its value */
} utet_rule;

enum { UTET_EACH = 0x80 }; /* in utet_rule.slot: each entry of the array has a slot of its own, from there on */

extern const utet_rule utet_meta_rules[];

enum { /* where opening finds its values: those of the table of the footer */
    UTET_SLOT_REFS, /* offset and length of metadata, zone maps, indexes */
    UTET_SLOT_FACTS = 6,
    UTET_SLOT_DATASETS,
    UTET_SLOT_FOOTER, /* metadata, history */
    UTET_SLOT_HISTORY,
    UTET_SLOT_COORDS = 7, /* of a chunk, in the tables of zone maps and indexes */
    UTET_SLOTS = UTET_META_FOUND,
    UTET_SLOT_ENTRY = UTET_SLOT_FOOTER /* where walking finds an entry; nobody asks for the other */
};

/* The keys of rules that more than one table has. */
#define UTET_SOUND_KEY "\2"
#define UTET_ELEMENT_KEY "\3"
#define UTET_TEXT_KEY "\4"
#define UTET_NUMBER_KEY "\5"
#define UTET_MAYBE_TEXT_KEY "\6"

enum { /* priv_mode; its number is the deepest level whose values are kept in their slots */
    UTET_LIMITS = 1, /* checking, with the limits of §7.4 */
    UTET_CHECK,
    UTET_WALK
};

/* Begins with a document, or stretch of the file, whose outermost value is as `rule` says; nothing is found yet. */
void utet_meta_begin(utet_meta *meta, unsigned rule, uint64_t offset, uint32_t length, uint8_t mode);
/* Takes the token just read: whether it is against the rules. */
int utet_meta_fault(utet_meta *meta);

/* ---- walk.c: reading by rules ---- */

/* The next entry of a list or map, into priv_key and UTET_ENTRY: utet_value_next without the protocol. What the entry
 * holds under keys that `rule`, one of a list or map, has a slot for is in priv_found then. priv_match: whether its key
 * may be the wanted one, being equal in length and head; in a list, its text, or that in the slot priv_by. */
utet_status utet_meta_walk(utet_meta *meta, utet_value *list, unsigned rule);
#define UTET_ENTRY(meta) ((meta)->priv_found[UTET_SLOT_ENTRY])

/* Goes on until fewer than `stop` levels are open behind a value, or to the end of the text. */
utet_status utet_meta_run(utet_meta *meta, unsigned stop);

/* Checks the document that utet_meta_begin has begun with, to its end. */
static inline utet_status utet_meta_check(utet_meta *meta)
{
    return utet_meta_run(meta, 0);
}

/* ---- text.c ---- */

enum { UTET_RAW = JSON_RAW }; /* kind of a value: bytes of the file as they are */

/* Up to `size` bytes of a text, or of a dataset name (UTET_RAW), until it ends; priv_got of them. */
utet_status utet_meta_fetch(utet_meta *meta, utet_value *text, char *buffer, size_t size);
/* Whether priv_key, used up by it, equals what is wanted: UTET_OK or UTET_END. Their sizes are equal. */
utet_status utet_meta_same(utet_meta *meta);

/* ---- search.c ---- */

/* Prepares utet_meta_search: the entries of `list` called (in a list: that are) `text`. With priv_needle.kind set to
 * UTET_NUMBER, `text` being priv_head: entry number `length`; to UTET_LIST: those with so many entries in slot 0. */
void utet_meta_aim(utet_meta *meta, const utet_value *list, const char *text, uint32_t length);
/* The same for a text in the file, priv_outer; reads its head. */
utet_status utet_meta_aim_at(utet_meta *meta, const utet_value *list);
/* The next such entry, walking by `rule`; priv_hits counts them, priv_number all entries so far. UTET_E_NOT_FOUND:
 * there is none; UTET_END: no more of them. */
utet_status utet_meta_search(utet_meta *meta, unsigned rule);

/* ---- document.c ---- */

/* Checks a document of its own, of version 1 in its first slot, and collects what its root keeps. UTET_E_NOT_FOUND,
 * UTET_E_METADATA. Its rules are in force from then on. */
utet_status utet_meta_document(utet_meta *meta, unsigned spill, const utet_rule *rules);
/* Coordinates of a chunk, from the slots that begin at UTET_SLOT_COORDS. */
void utet_meta_coords(const utet_meta *meta, uint64_t coords[UTET_MAX_NDIM]);

/* Lengths in memory as they compare with those of texts. */
static inline uint32_t utet_meta_length(uint64_t length)
{
    return length < UINT32_MAX ? (uint32_t)length : UINT32_MAX;
}

static inline int utet_meta_is_float(uint32_t dtype)
{
    return dtype == UTET_F32 || dtype == UTET_F64 || dtype == UTET_F16;
}

#endif
