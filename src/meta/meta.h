/*
 * What the files of this component share: walking lists and maps, collecting values by key, comparing texts, checking a
 * JSON text by rules. All of these go on where they were when a call is repeated. Internal to the library.
 */
#ifndef UTET_META_INTERNAL_H
#define UTET_META_INTERNAL_H

#include "../json/json.h"
#include "utet_meta.h"

enum { /* file->priv_busy */
    UTET_CALL_META_OPEN = UTET_CALL_META,
    UTET_CALL_META_LIMITS,
    UTET_CALL_TEXT_READ,
    UTET_CALL_TEXT_EQUALS,
    UTET_CALL_VALUE_NEXT,
    UTET_CALL_LIST_NTH,
    UTET_CALL_LIST_FIND,
    UTET_CALL_MAP_FIND,
    UTET_CALL_EVENT_NEXT,
    UTET_CALL_ABOUT_DATASET,
    UTET_CALL_ABOUT_FILL,
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

#define UTET_NO_MATCH 0xFFu

/* utet_enter for metadata that are open; a call that begins finds all inner steps at 0. */
utet_status utet_meta_enter(utet_meta *meta, uint8_t call);

/* ---- walk.c ---- */

/* Number of the word in `words` that equals the text just read, plus 256 times the control character that ends the word;
 * UTET_NO_MATCH. */
unsigned utet_meta_word(const char *words, const utet_json *json);
/* The value that the token just read is or opens. */
void utet_meta_value(utet_value *value, const utet_json *json);
/* The next entry of a list or map into priv_key and priv_item: utet_value_next without the protocol. priv_match says which of priv_words its key is,
 * or whether its key (in a list: its text) may be the wanted one: equal in length and head. */
utet_status utet_meta_walk(utet_meta *meta, utet_value *list);

/* Prepares utet_meta_collect: the values in `map` of the keys that `rule` knows, in their order; or the first entries of
 * a list. */
void utet_meta_want(utet_meta *meta, const utet_value *map, unsigned rule);
/* Into priv_found[0 … 8). */
utet_status utet_meta_collect(utet_meta *meta);

/* ---- text.c ---- */

/* Up to `size` bytes of a text, or of a dataset name (UTET_RAW), until it ends; *got may be null. */
utet_status utet_meta_fetch(utet_meta *meta, utet_value *text, char *buffer, size_t size, size_t *got);
/* Whether priv_key, used up by it, equals what is wanted: UTET_OK or UTET_END. Their sizes are equal. */
utet_status utet_meta_same(utet_meta *meta);

enum { UTET_RAW = UTET_BOOLEAN + 1 }; /* kind of priv_needle: bytes of the file as they are */

/* The fill value of a dataset, UTET_NONE without one, after utet_meta_want(attrs, UTET_RULE_FILL). */
utet_status utet_meta_fill(utet_meta *meta, utet_value *text);

/* ---- document.c, zone.c ---- */

/* In steps, so that the deepest calls are not deeper than they must be: utet_meta_document checks a document (with
 * priv_cursor[0]), utet_meta_collect gets its version and its list, utet_meta_version refuses all versions but 1.
 * UTET_E_NOT_FOUND, UTET_E_METADATA. */
enum { UTET_DOCUMENT_CHECK, UTET_DOCUMENT_COLLECT, UTET_DOCUMENT_STEPS }; /* file->priv_step */
utet_status utet_meta_document(utet_meta *meta, const utet_span *span, uint8_t rule);
utet_status utet_meta_version(utet_meta *meta, const utet_span *span);
/* Bytes written as hexadecimal digits, at most 16 of them; returns their number, 0 when they are not that. */
size_t utet_meta_unhex(const char *text, size_t length, uint8_t *bytes);
/* The numbers of a list into coords; *count, 0 at the first call, says how many there are. */
utet_status utet_meta_coords(utet_meta *meta, utet_value *list, uint64_t coords[UTET_MAX_NDIM], uint64_t *count);

/* ---- search.c ---- */

/* Prepares utet_meta_search: the entry of `list` called (in a list: that is) `text`. */
void utet_meta_aim(utet_meta *meta, const utet_value *list, const char *text, uint64_t length);
/* The same for a text in the file; reads its head. */
utet_status utet_meta_aim_at(utet_meta *meta, const utet_value *list, const utet_value *text);
/* The last such entry of a map, the first of a list, into priv_best; its number is priv_index then. UTET_E_NOT_FOUND. */
utet_status utet_meta_search(utet_meta *meta);

/* ---- check.c ---- */

enum { /* what a value has to be; the first ones are scalars, below ' ' are those that a key may end with */
    UTET_RULE_ANY = 1, /* whatever: skipped by structure */
    UTET_RULE_SOUND,   /* whatever, but well-formed down to its texts */
    UTET_RULE_TEXT,
    UTET_RULE_NUMBER,
    UTET_RULE_MAYBE_TEXT,
    UTET_RULE_LIMITED, /* texts to which the limits of §7.4 apply */
    UTET_RULE_MAYBE_LIMITED,
    UTET_RULE_FOOTER,
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
    UTET_RULE_REF,
    UTET_RULE_ZONES,
    UTET_RULE_ZONE_LIST,
    UTET_RULE_ZONE,
    UTET_RULE_NUMBERS,
    UTET_RULE_INDEXES,
    UTET_RULE_INDEX_LIST,
    UTET_RULE_INDEX,
    UTET_RULE_POSTING, /* this and the next: only for their keys */
    UTET_RULE_FILL     /* the first that is there counts (§8.1) */
};

/* The keys that a rule of an object knows, for utet_meta_word. */
const char *utet_meta_keys(unsigned rule);

/* Prepares utet_meta_check for the value at [offset, end). */
void utet_meta_check_begin(utet_meta *meta, uint64_t offset, uint64_t end, uint8_t rule);
/* Checks it; whole: that nothing follows it; limits: §7.4. The value is in priv_list then. */
utet_status utet_meta_check(utet_meta *meta, int whole, int limits);

static inline int utet_meta_is_float(uint32_t dtype)
{
    return dtype == UTET_F32 || dtype == UTET_F64 || dtype == UTET_F16;
}

#endif
