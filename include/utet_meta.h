/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * What the footer of a .tet file holds beside the tensors (src/tet/FORMAT.md §6 to §8): history, texts about the file,
 * zone maps and secondary indexes; and for each dataset names of its axes, labels of their positions, and attributes.
 *
 * A value is read from the file when it is asked for, through the window of the file object. There is no tree in
 * memory and no limit on the length of the footer or of a text. The memory is that of the objects of this header and
 * of the file's workspace. utet_meta_open reads the footer once and checks it as strictly as the reference does; the
 * other calls rely on that. When the footer is refused, the tensors stay readable. The reference refuses the whole
 * file then: utet_meta_strict says whether it would.
 *
 * The conventions of utet.h hold: repeat a call that returns UTET_WOULD_BLOCK with the same arguments; until it has
 * ended, other calls on the file return UTET_E_STATE. utet_cancel may leave a cursor moved on without its bytes or
 * entry: continue with a copy of the cursor.
 * At every call UTET_E_STATE means that the file or the metadata are not open, or that another call is suspended.
 * UTET_E_METADATA means that the bytes have changed since opening. A call's comment says what else they mean there.
 */
#ifndef UTET_META_H
#define UTET_META_H

#include "utet.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __ELF__
#pragma GCC visibility push(default)
#endif

/* ---- values ------------------------------------------------------------------------------ */

/* kind of a utet_value */
enum {
    UTET_VALUE_NONE = 0, /* not there, or null */
    UTET_VALUE_LIST,
    UTET_VALUE_MAP, /* entries with keys */
    UTET_VALUE_TEXT,
    UTET_VALUE_NUMBER,
    UTET_VALUE_BOOLEAN
};

/* A value in the file. Texts, lists and maps are cursors: reading moves them on, so copy one to keep its beginning.
 * Documents of 4 GiB and more are refused, so 32 bits hold every size. */
typedef struct utet_value {
    uint64_t value; /* number: UINT64_MAX for one that is not whole or not below 2^64; boolean: 0 or 1;
                       else private: the place in the file */
    uint32_t size;  /* text: bytes not read yet (UTF-8, escapes resolved); list, map: entries not read yet */
    uint8_t kind;
    struct {
        uint8_t begun;  /* list, map: 1 = behind its first entry */
        uint8_t inside; /* text: bytes of the next character that have been read */
    } priv;
} utet_value;

/* A byte range of the file. */
typedef struct utet_span {
    uint64_t offset;
    uint64_t length; /* 0 = nothing there */
} utet_span;

/* ---- the metadata of a file ---------------------------------------------------------------- */

#define UTET_JSON_HEAD 32u   /* leading bytes of a text that are kept while it passes */
#define UTET_JSON_DEPTH 256u /* most levels of nesting, in parts that are skipped too */
#define UTET_META_DEPTH 10   /* levels that are read by rules, and one around them */
#define UTET_META_KEPT 15    /* most values that rules keep at a time */

typedef struct utet_json { /* private: a JSON text that is being read */
    uint8_t token;
    uint8_t expected; /* what the grammar allows next */
    uint8_t state;    /* inside a token */
    uint8_t checks;   /* JSON_STRICT … */
    uint8_t negative; /* number: it has a minus sign */
    uint8_t inexact;
    uint8_t head_length;
    uint16_t depth;
    uint32_t text_length; /* decoded bytes of a text or key */
    uint32_t next;        /* the next byte, from base on */
    uint32_t end;         /* end of the JSON text, from base on */
    uint32_t token_start; /* beginning of the token, from base on */
    uint64_t base;        /* offset in the file */
    uint64_t number;      /* value of a whole number; of a boolean, 0 or 1 */
    char head[UTET_JSON_HEAD];
    uint8_t is_object[UTET_JSON_DEPTH / 8]; /* one bit per level */
} utet_json;

typedef struct utet_level {       /* private: a list or object that is being read by a rule */
    const struct utet_rule *rule; /* NULL where it is skipped */
    uint32_t count;               /* entries so far */
    uint32_t seen;                /* known keys, a bit each */
    uint32_t slot;                /* where its own value is kept */
} utet_level;

typedef struct utet_reading {      /* private: a document that is checked by rules, or one entry of a list */
    uint8_t active;                /* its end has not been reached */
    uint8_t limits;                /* those of §7.4 are in force */
    uint8_t one_entry;             /* one entry of a list, not a document */
    uint8_t rule;                  /* rule of the next value */
    uint16_t skip_depth;           /* values at this depth and below it are skipped */
    uint32_t slot;                 /* where the next value is kept */
    const struct utet_rule *rules; /* the table of the document */
} utet_reading;

/* fields of an event: texts but for parents (list of texts) and params (map of texts) */
enum {
    UTET_EVENT_OP,
    UTET_EVENT_SOURCE,
    UTET_EVENT_AT,
    UTET_EVENT_PARENTS,
    UTET_EVENT_PARAMS,
    UTET_EVENT_AGENT,
    UTET_EVENT_ACTIVITY,
    UTET_EVENT_ENTITY,
    UTET_EVENT_FIELDS
};

typedef struct utet_event {
    utet_value field[UTET_EVENT_FIELDS]; /* op, source and at are always there */
} utet_event;

typedef struct utet_dataset_meta { /* what the metadata say about a dataset (§7.3, §12) */
    utet_value attrs;              /* map of texts */
    utet_value dim_names;          /* list of texts */
    utet_value coords;             /* map; utet_meta_labels reads it by the reference's rules */
    utet_value fill;               /* text: the first attribute present of _FillValue, missing_value, fill_value */
    const utet_dataset *dataset;   /* must stay as it is */
} utet_dataset_meta;

typedef struct utet_kept_zone { /* private: see utet_kept */
    utet_value dataset_id;
    utet_value chunk_index;
    utet_value element_count;
    utet_value null_count;
    utet_value lowest; /* an element: its bytes in `value`, their number in `size` */
    utet_value highest;
    utet_value unknown;
    utet_value coords[UTET_MAX_NDIM];
} utet_kept_zone;

/* Private: the values that rules keep. The rule that was used last decides which member is valid. */
typedef union utet_kept {
    utet_value slot[UTET_META_KEPT];
    struct {                /* the footer */
        utet_value refs[6]; /* offset and length of the spills: metadata, zone maps, indexes */
        utet_value file_info;
        utet_value datasets;
        utet_value unknown;
        utet_value metadata; /* the value of each key of the footer */
        utet_value history;
        utet_value metadata_ref;
        utet_value zone_maps_ref;
        utet_value secondary_index_ref;
    } footer;
    struct { /* a document of zone maps or indexes */
        utet_value version;
        utet_value entries;
        utet_value generation;
        utet_value packed_sha256;
    } document;
    struct { /* an entry of a list; its rule may keep other values in front of it */
        utet_value fields[8];
        utet_value whole;
    } entry;
    utet_event event;
    utet_dataset_meta dataset; /* its fill and dataset are set afterwards */
    struct {
        utet_value dataset[5]; /* room of the member `dataset` */
        utet_value fill[3];    /* value of each key for it, in the order of precedence */
    } attrs;
    struct {
        utet_value labels;
    } coord;
    utet_kept_zone zone;
    struct {
        utet_value kind;
        utet_value dataset_id;
        utet_value dtype;
        utet_value axis;
        utet_value postings;
    } index;
    struct {
        utet_value element; /* as in utet_kept_zone */
        utet_value label;
        utet_value chunks;
    } posting;
} utet_kept;

typedef struct utet_search { /* private: which entries of a list are wanted */
    uint8_t comparing;       /* step of a comparison */
    uint8_t text_slot;       /* slot of an entry's text; the key in a map */
    uint8_t wanted;          /* UTET_WANT_TEXT … */
    uint8_t match;           /* length and head of the entry's text are those of the wanted one */
    uint32_t number;         /* length of the wanted text; number of the entry; how many entries it has */
    uint32_t passed;         /* entries so far, also by utet_zone_find */
    uint32_t hits;           /* wanted ones among them */
    const char *text;        /* the wanted text, as much of it as lies in memory */
} utet_search;

typedef struct utet_places { /* private: values of a suspended call */
    utet_value list;         /* what has not been searched yet */
    utet_value entry_text;   /* text that identifies the entry that has been read, or its key */
    utet_value hit;          /* the last wanted entry */
    utet_value file_text;    /* the wanted text when it lies in the file */
    utet_value file_rest;    /* what has not been read of it */
} utet_places;

/* of utet_meta.spills: metadata and history (§7), zone maps (§8.1), secondary indexes (§8.2) */
enum { UTET_SPILL_METADATA, UTET_SPILL_ZONES, UTET_SPILL_INDEXES, UTET_SPILLS };

typedef struct utet_meta {
    /* private: what is used most stands first, where short instructions reach it */
    struct {
        utet_file *file;
        uint8_t step; /* step of the suspended call */
        utet_search search;
        utet_reading reading;
        size_t copied;      /* bytes of a text, by the suspended call */
        size_t delivered;   /* bytes of the text that was read last */
        utet_status status; /* of opening */
        utet_level level[UTET_META_DEPTH];
        utet_places place;
        char head[UTET_JSON_HEAD]; /* beginning of a text in the file */
        char wanted_piece[16];     /* part of the wanted text that is compared */
        char entry_piece[16];
        utet_kept kept;
        utet_json json;
        uint64_t error_offset; /* of opening */
    } priv;
    /* public */
    uint64_t payload_limit;        /* payloads end here at most (§6.3); the reference refuses rows that go beyond */
    utet_value history;            /* list of events, see utet_event_next */
    utet_value file_info;          /* map about the file: texts called tool, library_version, created_at */
    utet_value datasets;           /* map from names to what utet_meta_dataset finds */
    utet_span spills[UTET_SPILLS]; /* what lies outside of the footer (§6.4); length 0: none that is usable */
} utet_meta;

/*
 * Reads the footer's JSON and the metadata spill, if there is one. Checks what the reference checks when it opens a
 * file: syntax, the shape of every known object, keys that come twice, references, limits of a spill (§7).
 * `file` is open. An error sticks to `meta`: later calls on it return it again.
 * A file without a footer has empty metadata. Metadata in a spill replaces that in the footer, as in the reference.
 * The spills of zone maps and indexes are not read; meta->spills says where they are. A length of 0 there means that
 * the file has none, or that its reference does not point in front of the footer's JSON.
 * UTET_E_FOOTER, UTET_E_FOOTER_VERSION: the footer's tail is bad (file->footer_status). UTET_E_METADATA:
 * file->error_offset is at the byte that is wrong.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_SHORT, E_FOOTER_VERSION, E_FOOTER, E_METADATA, E_PORT
 */
utet_status utet_meta_open(utet_meta *meta, utet_file *file);

/*
 * Checks limits that the reference enforces only in its verify, for metadata and history in the footer itself (§7.4):
 * numbers of entries, texts of 1 to 1024 bytes. `meta` is open.
 * UTET_E_METADATA: a value is beyond its limit; error_offset says which.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_SHORT, E_METADATA, E_PORT
 */
utet_status utet_meta_check_limits(utet_meta *meta);

/*
 * Strict mode: says whether the reference would open this file. It changes nothing: the file stays as readable as it
 * was. Call it after utet_meta_open, whatever that returned. It checks in the reference's order: the footer's tail,
 * all rows of the chunk index (each by itself, and that its payload ends within payload_limit), then what
 * utet_meta_open found. It reads the index once, 104 bytes per row.
 * UTET_E_ROW: error_offset is at the wrong field of the first wrong row. When its payload ends too late, that field
 * is payload_offset, 72 bytes into the row. UTET_E_FOOTER, UTET_E_FOOTER_VERSION, UTET_E_METADATA: what
 * utet_meta_open found, with the same error_offset.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_SHORT, E_FOOTER_VERSION, E_ROW, E_FOOTER, E_METADATA, E_PORT
 */
utet_status utet_meta_strict(utet_meta *meta);

/* ---- reading values -------------------------------------------------------------------------- */

/*
 * The next bytes of a text into `buffer`: `size` of them, fewer only when the text ends; no terminator is written.
 * May cut a character. *got: bytes delivered, valid with UTET_OK and UTET_END.
 * UTET_END: nothing is left, or the value is not a text.
 * Returns: OK, END, WOULD_BLOCK, E_STATE, E_SHORT, E_METADATA, E_PORT
 */
utet_status utet_text_read(utet_meta *meta, utet_value *text, char *buffer, size_t size, size_t *got);

/*
 * The next entry of a list or map, in file order; *key is its key in a map. A map may hold the same key twice (§7):
 * both are delivered here, the last one counts in every other call.
 * UTET_END: nothing is left, or the value is neither list nor map.
 * Returns: OK, END, WOULD_BLOCK, E_STATE, E_SHORT, E_METADATA, E_PORT
 */
utet_status utet_value_next(utet_meta *meta, utet_value *list, utet_value *key, utet_value *item);

/*
 * Entry `n`, from 0, of a list. UTET_E_RANGE: the list has fewer entries.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_RANGE, E_SHORT, E_METADATA, E_PORT
 */
utet_status utet_list_nth(utet_meta *meta, const utet_value *list, uint64_t n, utet_value *item);

/*
 * Number, from 0, of the first text of a list that equals `text`. In a list of labels it is the index of the label. A
 * selection by start_label and stop_label goes from the one index to the other, without the last (§12). Several places
 * may have one label: where only one is meant, also compare those after it (utet_value_next).
 * UTET_E_NOT_FOUND: the list does not contain the text.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_NOT_FOUND, E_SHORT, E_METADATA, E_PORT
 */
utet_status utet_list_find(utet_meta *meta, const utet_value *list, const char *text, size_t length, uint64_t *index);

/*
 * The value of `key` in a map, the last one when it comes twice. UTET_E_NOT_FOUND: the map has no such key.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_NOT_FOUND, E_SHORT, E_METADATA, E_PORT
 */
utet_status utet_map_find(utet_meta *meta, const utet_value *map, const char *key, size_t length, utet_value *item);

/* ---- history (§7.2) ----------------------------------------------------------------------------- */

/*
 * The next event of *history, a copy of meta->history. Events in the legacy form of three texts look the same.
 * Returns: OK, END, WOULD_BLOCK, E_STATE, E_SHORT, E_METADATA, E_PORT
 */
utet_status utet_event_next(utet_meta *meta, utet_value *history, utet_event *event);

/* ---- datasets (§7.3, §12) -------------------------------------------------------------------------- */

/*
 * What the metadata say about `dataset`, found by its name. UTET_E_NOT_FOUND: they say nothing; then *dataset_meta is
 * empty, and the other calls accept it.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_NOT_FOUND, E_SHORT, E_METADATA, E_PORT
 */
utet_status utet_meta_dataset(utet_meta *meta, const utet_dataset *dataset, utet_dataset_meta *dataset_meta);

/*
 * The axis that a token of a query means. Decimal digits are the axis's number. Everything else is a name, which must
 * stand exactly once in dim_names; and dim_names must have one name for each axis. (The reference's queries can only
 * spell names of letters, digits, _ and -, of 32 bytes at most.)
 * UTET_E_RANGE: the dataset has no axis of that number. UTET_E_NOT_FOUND: dim_names is missing or has another number
 * of names than the dataset has axes; or the name is not in it, or is in it twice.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_RANGE, E_NOT_FOUND, E_SHORT, E_METADATA, E_PORT
 */
utet_status utet_meta_axis(utet_meta *meta, const utet_dataset_meta *dataset_meta, const char *token, size_t length,
                           unsigned *axis);

/*
 * The labels of an axis (< ndim): the coordinates whose key is the axis's name, else those whose key is its number,
 * else the only ones that have as many labels as the axis has positions (a key that comes twice is counted twice).
 * UTET_E_RANGE: the dataset has no such axis. UTET_E_NOT_FOUND: the axis has no labels.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_RANGE, E_NOT_FOUND, E_SHORT, E_METADATA, E_PORT
 */
utet_status utet_meta_labels(utet_meta *meta, const utet_dataset_meta *dataset_meta, unsigned axis, utet_value *labels);

/* ---- zone maps (§8.1): may a chunk be left out? ------------------------------------------------------- */

/*
 * Zone maps and indexes have no checksum: wrong ones give wrong answers without a sign. Use them for files that you
 * trust. Where a zone map leaves a doubt, the answer is "it may".
 */
typedef struct utet_zones {
    utet_value chunks; /* cursor over the entries of all datasets, see utet_zone_next */
    struct {
        utet_value all;
        const utet_dataset *dataset;
        uint8_t fill;
    } priv;
} utet_zones;

typedef struct utet_zone {
    uint64_t dataset_id;
    uint64_t coords[UTET_MAX_NDIM]; /* in chunks */
    uint64_t element_count;
    uint64_t null_count;
    uint8_t ndim;      /* of coords; 0 when there are more than 8 */
    uint8_t elem_size; /* bytes of lowest and highest, 0 when the entry has none */
    uint8_t lowest[8]; /* elements as stored, little-endian; nulls are not counted */
    uint8_t highest[8];
} utet_zone;

/*
 * Reads and checks the zone maps of the file, and prepares `zones` for questions about one dataset.
 * UTET_E_NOT_FOUND: the file has none. UTET_E_METADATA: they are not usable.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_NOT_FOUND, E_SHORT, E_METADATA, E_PORT
 */
utet_status utet_zones_open(utet_meta *meta, const utet_dataset_meta *dataset_meta, utet_zones *zones);
/*
 * The next entry, of any dataset.
 * Returns: OK, END, WOULD_BLOCK, E_STATE, E_SHORT, E_METADATA, E_PORT
 */
utet_status utet_zone_next(utet_meta *meta, utet_zones *zones, utet_zone *zone);
/*
 * The entry of the dataset's chunk at coords. Fast when chunks are asked for in the order of the entries; in another
 * order each call may read all entries: for many chunks, iterate once with utet_zone_next.
 * UTET_E_MISSING: nothing is known of the chunk.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_MISSING, E_SHORT, E_METADATA, E_PORT
 */
utet_status utet_zone_find(utet_meta *meta, utet_zones *zones, const uint64_t *coords, utet_zone *zone);
/* 0 when the zone map says that no element in [low, high] is in the chunk, nulls not counted; else 1. low, high:
 * elements as stored, little-endian. Floats are compared in IEEE total order (-0 before +0); infinities are ordinary
 * numbers.
 *  */
int utet_zone_may_hold(const utet_zones *zones, const utet_zone *zone, const void *low, const void *high);
/* Returns 1 if an element of the chunk may be null (NaN, or the fill value), else 0. */
int utet_zone_may_be_null(const utet_zones *zones, const utet_zone *zone);

/* ---- secondary indexes (§8.2): which chunks hold a value or a label? ------------------------------------ */

/*
 * utet_index_value: the chunks of the dataset that hold the element at `value`, as stored. utet_index_label: the
 * chunks at those positions of `axis` whose label is `label`. *chunks is a list for utet_index_chunk; it is empty
 * when there are none. Each call reads and checks the whole index.
 * UTET_E_NOT_FOUND: nothing is known, any chunk may hold it. UTET_E_METADATA: the index is not usable.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_NOT_FOUND, E_SHORT, E_METADATA, E_PORT
 */
utet_status utet_index_value(utet_meta *meta, const utet_dataset_meta *dataset_meta, const void *value,
                             utet_value *chunks);
utet_status utet_index_label(utet_meta *meta, const utet_dataset_meta *dataset_meta, unsigned axis, const char *label,
                             size_t length, utet_value *chunks);
/*
 * Coordinates of the next chunk; only the first 8 are kept, and those that the index does not have are 0.
 * UTET_E_METADATA: a coordinate is no whole number, or the medium has changed.
 * Returns: OK, END, WOULD_BLOCK, E_STATE, E_SHORT, E_METADATA, E_PORT
 */
utet_status utet_index_chunk(utet_meta *meta, utet_value *chunks, uint64_t coords[UTET_MAX_NDIM]);
/*
 * All entries of the indexes as they stand in the file, as a list of maps, for programs that check them (utet
 * verify). What is inside the maps has not been checked. Each call reads and checks the document.
 * UTET_E_NOT_FOUND: the file has none. UTET_E_METADATA: they are not usable.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_NOT_FOUND, E_SHORT, E_METADATA, E_PORT
 */
utet_status utet_index_entries(utet_meta *meta, utet_value *entries);

/* For utet_sizeof (utet.h): numbers of the types of this header. */
enum {
    UTET_OBJECT_META = 6,
    UTET_OBJECT_DATASET_META = 7,
    UTET_OBJECT_ZONES = 8,
    UTET_OBJECT_VALUE = 20,
    UTET_OBJECT_SPAN = 21,
    UTET_OBJECT_EVENT = 22,
    UTET_OBJECT_ZONE = 23
};

#ifdef __ELF__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
