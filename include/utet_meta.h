/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The footer of a .tet file (src/tet/FORMAT.md §6 to §8): history, texts about the file, zone maps and secondary
 * indexes; and, for each dataset, the names of its axes, the labels of their indices, and attributes.
 *
 * A value is read from the file on request, through the window of the file object. There is no tree in memory, and no
 * limit on the length of the footer or of a text. The only memory is that of this header's objects and the workspace of
 * the file. utet_meta_open reads the footer once and checks it as strictly as the Tetration reference implementation
 * ("the reference" below); the other calls rely on that. If the footer is refused, the tensors remain readable. The
 * reference then refuses the complete file: utet_meta_strict reports whether it would.
 *
 * The conventions of utet.h apply: repeat a call that returns UTET_WOULD_BLOCK with the same arguments; until it has
 * ended, other calls on the file return UTET_E_STATE. utet_cancel may leave a cursor that has advanced without
 * delivering its bytes or its entry: continue with a copy of the cursor.
 * For every call, UTET_E_STATE means that the file or the metadata is not open, or that another call is suspended.
 * UTET_E_METADATA means that the bytes have changed since the metadata was opened. The comment of a call adds other
 * meanings.
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

/* Values of utet_value.kind. */
enum {
    UTET_VALUE_NONE = 0, /* missing, or null */
    UTET_VALUE_LIST,
    UTET_VALUE_MAP, /* entries with keys */
    UTET_VALUE_TEXT,
    UTET_VALUE_NUMBER,
    UTET_VALUE_BOOLEAN
};

/* A value in the file. Texts, lists and maps are cursors: reading advances them, so copy one to keep its start.
 * Documents of 4 GiB and more are refused, so 32 bits are enough for every size. */
typedef struct utet_value {
    uint64_t value; /* number: UINT64_MAX if it is not an integer below 2^64; boolean: 0 or 1;
                       others: private, the file offset */
    uint32_t size;  /* text: number of unread bytes (UTF-8, escapes resolved); list, map: number of unread entries */
    uint8_t kind;
    struct {
        uint8_t begun;  /* list, map: 1 after its first entry has been read */
        uint8_t inside; /* text: number of bytes already read of the next character */
    } priv;
} utet_value;

/* A byte range of the file. */
typedef struct utet_span {
    uint64_t offset;
    uint64_t length; /* 0: no such range */
} utet_span;

/* ---- the metadata of a file ---------------------------------------------------------------- */

#define UTET_JSON_HEAD 32u   /* number of leading bytes kept of each text that is parsed */
#define UTET_JSON_DEPTH 256u /* maximum nesting depth, including skipped parts */
#define UTET_META_DEPTH 10   /* nesting levels that are parsed by rules, plus one around them */
#define UTET_META_KEPT 15    /* maximum number of values that rules keep at a time */

typedef struct utet_json { /* private: state of the JSON parser */
    uint8_t token;
    uint8_t expected; /* tokens that the grammar allows next */
    uint8_t state;    /* state within a token */
    uint8_t checks;   /* JSON_STRICT … */
    uint8_t negative; /* number: it has a minus sign */
    uint8_t inexact;
    uint8_t head_length;
    uint16_t depth;
    uint32_t text_length; /* decoded length of a text or key, in bytes */
    uint32_t next;        /* position of the next byte, relative to base */
    uint32_t end;         /* position of the end of the JSON text, relative to base */
    uint32_t token_start; /* position of the start of the token, relative to base */
    uint64_t base;        /* file offset of the JSON text */
    uint64_t number;      /* value of an integer; boolean: 0 or 1 */
    char head[UTET_JSON_HEAD];
    uint8_t is_object[UTET_JSON_DEPTH / 8]; /* one bit per level */
} utet_json;

typedef struct utet_level {       /* private: a list or object that is parsed by a rule */
    const struct utet_rule *rule; /* NULL if the list or object is skipped */
    uint32_t count;               /* number of entries so far */
    uint32_t seen;                /* known keys found so far, one bit each */
    uint32_t slot;                /* slot that keeps the list or object itself */
} utet_level;

typedef struct utet_reading {      /* private: a document, or one entry of a list, that is checked by rules */
    uint8_t active;                /* nonzero: the end has not been reached */
    uint8_t limits;                /* nonzero: the limits of §7.4 are in force */
    uint8_t one_entry;             /* nonzero: one entry of a list, not a document */
    uint8_t rule;                  /* rule of the next value */
    uint16_t skip_depth;           /* values at this depth and deeper are skipped */
    uint32_t slot;                 /* slot that keeps the next value */
    const struct utet_rule *rules; /* rule table of the document */
} utet_reading;

/* Fields of an event: texts, except parents (list of texts) and params (map of texts). */
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
    utet_value field[UTET_EVENT_FIELDS]; /* op, source and at are always present */
} utet_event;

typedef struct utet_dataset_meta { /* metadata of a dataset (§7.3, §12) */
    utet_value attrs;              /* map of texts */
    utet_value dim_names;          /* list of texts */
    utet_value coords;             /* map; utet_meta_labels reads it according to the rules of the reference */
    utet_value fill;               /* text: the first present attribute of _FillValue, missing_value, fill_value */
    const utet_dataset *dataset;   /* must not change while this object is in use */
} utet_dataset_meta;

typedef struct utet_kept_zone { /* private: see utet_kept */
    utet_value dataset_id;
    utet_value chunk_index;
    utet_value element_count;
    utet_value null_count;
    utet_value lowest; /* an element: its bytes in `value`, the number of bytes in `size` */
    utet_value highest;
    utet_value unknown;
    utet_value coords[UTET_FORMAT_NDIM];
} utet_kept_zone;

/* Private: the values that rules keep. The last used rule determines which member is valid. */
typedef union utet_kept {
    utet_value slot[UTET_META_KEPT];
    struct {                /* the footer */
        utet_value refs[6]; /* offset and length of the spills: metadata, zone maps, indexes */
        utet_value file_info;
        utet_value datasets;
        utet_value unknown;
        utet_value metadata; /* this and the following: the value of each key of the footer */
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
    struct { /* an entry of a list; its rule may keep other values before it */
        utet_value fields[8];
        utet_value whole;
    } entry;
    utet_event event;
    utet_dataset_meta dataset; /* its members fill and dataset are set later */
    struct {
        utet_value dataset[5]; /* space for the member `dataset` */
        utet_value fill[3];    /* value of each key for the fill, in order of precedence */
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

typedef struct utet_search { /* private: which entries of a list are searched for */
    uint8_t comparing;       /* step of a comparison */
    uint8_t text_slot;       /* slot of an entry's text; in a map, of its key */
    uint8_t wanted;          /* UTET_WANT_TEXT … */
    uint8_t match;           /* nonzero: length and head of the entry's text match the wanted text */
    uint32_t number;         /* length of the wanted text; index of the wanted entry; or its wanted number of entries */
    uint32_t passed;         /* number of entries so far; utet_zone_find counts here as well */
    uint32_t hits;           /* number of matching entries so far */
    const char *text;        /* the part of the wanted text that is in memory */
} utet_search;

typedef struct utet_places { /* private: values of a suspended call */
    utet_value list;         /* the entries that have not been searched yet */
    utet_value entry_text;   /* text that identifies the current entry, or its key */
    utet_value hit;          /* the last matching entry */
    utet_value file_text;    /* the wanted text, if it is in the file */
    utet_value file_rest;    /* the unread part of the wanted text in the file */
} utet_places;

/* Indices of utet_meta.spills: metadata and history (§7), zone maps (§8.1), secondary indexes (§8.2). */
enum { UTET_SPILL_METADATA, UTET_SPILL_ZONES, UTET_SPILL_INDEXES, UTET_SPILLS };

typedef struct utet_meta {
    /* private; the members used most often come first, within reach of short instructions */
    struct {
        utet_file *file;
        uint8_t step; /* step of the suspended call */
        utet_search search;
        utet_reading reading;
        size_t copied;      /* bytes of a text copied by the suspended call */
        size_t delivered;   /* bytes delivered of the last text that was read */
        utet_status status; /* error of utet_meta_open, 0: none */
        utet_level level[UTET_META_DEPTH];
        utet_places place;
        char head[UTET_JSON_HEAD]; /* first bytes of a text in the file */
        char wanted_piece[16];     /* fragment of the wanted text that is being compared */
        char entry_piece[16];
        utet_kept kept;
        utet_json json;
        uint64_t error_offset; /* error_offset of utet_meta_open */
    } priv;
    /* public */
    uint64_t payload_limit; /* offset at which payloads end at the latest (§6.3); the reference refuses rows beyond */
    utet_value history;     /* list of events, see utet_event_next */
    utet_value file_info;   /* map about the file: the texts tool, library_version and created_at */
    utet_value datasets;    /* map from dataset names to their metadata; see utet_meta_dataset */
    utet_span spills[UTET_SPILLS]; /* spills: ranges outside of the footer (§6.4); length 0: none that is usable */
} utet_meta;

/*
 * Reads the footer's JSON and the metadata spill, if there is one. Makes the same checks as the reference when it
 * opens a file: syntax, the structure of every known object, duplicate keys, references, limits of a spill (§7).
 * `file` must be open. An error sticks to `meta`: later calls on it return it again.
 * A file without a footer has empty metadata. Metadata in a spill replaces that in the footer, as in the reference.
 * The spills of zone maps and indexes are not read; meta->spills has their offsets. A length of 0 there means that the
 * file has none, or that the stored offset and length do not denote bytes before the footer's JSON.
 * UTET_E_FOOTER, UTET_E_FOOTER_VERSION: the tail of the footer is damaged (file->footer_status). UTET_E_METADATA:
 * file->error_offset is the offset of the incorrect byte.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_SHORT, E_FOOTER_VERSION, E_FOOTER, E_METADATA, E_PORT
 */
utet_status utet_meta_open(utet_meta *meta, utet_file *file);

/*
 * Checks the limits that the reference enforces only in its verify command, for metadata and history in the footer
 * itself (§7.4): numbers of entries, texts of 1 to 1024 bytes. `meta` must be open.
 * UTET_E_METADATA: a value exceeds its limit; error_offset is the offset of the value.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_SHORT, E_METADATA, E_PORT
 */
utet_status utet_meta_check_limits(utet_meta *meta);

/*
 * Strict mode: reports whether the reference would open this file. It changes nothing: the file stays as readable as
 * before. Call it after utet_meta_open, whatever status that call returned. It checks in the order of the reference:
 * the footer's tail, all rows of the chunk index (each row on its own, and that its payload ends within payload_limit),
 * then the result of utet_meta_open. It reads the index once, 104 bytes per row.
 * UTET_E_ROW: error_offset is the offset of the incorrect field in the first incorrect row. If the row's payload ends
 * too late, that field is payload_offset, 72 bytes into the row. UTET_E_FOOTER, UTET_E_FOOTER_VERSION,
 * UTET_E_METADATA: the error of utet_meta_open, with the same error_offset.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_SHORT, E_FOOTER_VERSION, E_ROW, E_FOOTER, E_METADATA, E_PORT
 */
utet_status utet_meta_strict(utet_meta *meta);

/* ---- reading values -------------------------------------------------------------------------- */

/*
 * Copies the next `size` bytes of a text to `buffer`, or fewer if the text ends, without a terminator. It may split a
 * character. *got: number of delivered bytes, valid with UTET_OK and UTET_END.
 * UTET_END: no bytes remain, or the value is not a text.
 * Returns: OK, END, WOULD_BLOCK, E_STATE, E_SHORT, E_METADATA, E_PORT
 */
utet_status utet_text_read(utet_meta *meta, utet_value *text, char *buffer, size_t size, size_t *got);

/*
 * Reads the next entry of a list or map, in file order; in a map, *key is its key. A map may contain the same key twice
 * (§7): this call delivers both entries; every other call uses the last one.
 * UTET_END: no entries remain, or the value is neither list nor map.
 * Returns: OK, END, WOULD_BLOCK, E_STATE, E_SHORT, E_METADATA, E_PORT
 */
utet_status utet_value_next(utet_meta *meta, utet_value *list, utet_value *key, utet_value *item);

/*
 * Reads entry `n` of a list, from 0. UTET_E_RANGE: the list has fewer entries.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_RANGE, E_SHORT, E_METADATA, E_PORT
 */
utet_status utet_list_nth(utet_meta *meta, const utet_value *list, uint64_t n, utet_value *item);

/*
 * Finds the first text of a list that equals `text`; *index is its index, from 0. In a list of labels, this is the
 * index of the label. A selection by start_label and stop_label ranges from one index to the other, which is excluded
 * (§12). Several indices may have the same label: if it must be unique, also compare the labels after it
 * (utet_value_next).
 * UTET_E_NOT_FOUND: the list does not contain the text.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_NOT_FOUND, E_SHORT, E_METADATA, E_PORT
 */
utet_status utet_list_find(utet_meta *meta, const utet_value *list, const char *text, size_t length, uint64_t *index);

/*
 * Finds the value of `key` in a map; for a duplicate key, the last value. UTET_E_NOT_FOUND: the map has no such key.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_NOT_FOUND, E_SHORT, E_METADATA, E_PORT
 */
utet_status utet_map_find(utet_meta *meta, const utet_value *map, const char *key, size_t length, utet_value *item);

/* ---- history (§7.2) ----------------------------------------------------------------------------- */

/*
 * Reads the next event of *history, a copy of meta->history. Events in the legacy form of three texts look the same.
 * Returns: OK, END, WOULD_BLOCK, E_STATE, E_SHORT, E_METADATA, E_PORT
 */
utet_status utet_event_next(utet_meta *meta, utet_value *history, utet_event *event);

/* ---- datasets (§7.3, §12) -------------------------------------------------------------------------- */

/*
 * Finds the metadata of `dataset` by its name. UTET_E_NOT_FOUND: there is none; *dataset_meta is then empty, and the
 * other calls accept it.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_NOT_FOUND, E_SHORT, E_METADATA, E_PORT
 */
utet_status utet_meta_dataset(utet_meta *meta, const utet_dataset *dataset, utet_dataset_meta *dataset_meta);

/*
 * Finds the axis that a token of a query denotes. Decimal digits are the number of the axis. Everything else is a name,
 * which must occur exactly once in dim_names; and dim_names must have one name for each axis. (Queries of the reference
 * can only contain names of at most 32 bytes that consist of letters, digits, _ and -.)
 * UTET_E_RANGE: the dataset has no axis with that number. UTET_E_NOT_FOUND: dim_names is missing, or it does not have
 * one name for each axis; or the name does not occur in it, or occurs twice.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_RANGE, E_NOT_FOUND, E_SHORT, E_METADATA, E_PORT
 */
utet_status utet_meta_axis(utet_meta *meta, const utet_dataset_meta *dataset_meta, const char *token, size_t length,
                           unsigned *axis);

/*
 * Finds the labels of an axis (< ndim): the coordinates whose key is the name of the axis, else those whose key is its
 * number; else, if exactly one list of coordinates has one label for each index of the axis, that list (a duplicate key
 * counts twice).
 * UTET_E_RANGE: the dataset has no such axis. UTET_E_NOT_FOUND: the axis has no labels.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_RANGE, E_NOT_FOUND, E_SHORT, E_METADATA, E_PORT
 */
utet_status utet_meta_labels(utet_meta *meta, const utet_dataset_meta *dataset_meta, unsigned axis, utet_value *labels);

/* ---- zone maps (§8.1): can a chunk be skipped? -------------------------------------------------------- */

/*
 * Zone maps and indexes have no checksum: incorrect ones silently give incorrect results. Use them only for files that
 * you trust. If a zone map is inconclusive, the calls answer that the chunk may contain the value.
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
    uint8_t ndim;      /* number of coordinates; 0 if there are more than UTET_MAX_NDIM */
    uint8_t elem_size; /* size of lowest and highest in bytes, 0 if the entry has none */
    uint8_t lowest[8]; /* element as stored, little-endian; nulls are ignored */
    uint8_t highest[8];
} utet_zone;

/*
 * Reads and checks the zone maps of the file, and prepares `zones` for calls about one dataset.
 * UTET_E_NOT_FOUND: the file has no zone maps. UTET_E_METADATA: the zone maps are not usable.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_NOT_FOUND, E_SHORT, E_METADATA, E_PORT
 */
utet_status utet_zones_open(utet_meta *meta, const utet_dataset_meta *dataset_meta, utet_zones *zones);
/*
 * Reads the next entry, of any dataset.
 * Returns: OK, END, WOULD_BLOCK, E_STATE, E_SHORT, E_METADATA, E_PORT
 */
utet_status utet_zone_next(utet_meta *meta, utet_zones *zones, utet_zone *zone);
/*
 * Finds the entry of the dataset's chunk at coords. This is fast if chunks are requested in the order of the entries;
 * in another order, each call may read all entries: for many chunks, iterate once with utet_zone_next.
 * UTET_E_MISSING: there is no entry for the chunk.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_MISSING, E_SHORT, E_METADATA, E_PORT
 */
utet_status utet_zone_find(utet_meta *meta, utet_zones *zones, const uint64_t *coords, utet_zone *zone);
/* Returns 0 if the zone map excludes every element in [low, high], ignoring nulls; else 1. low, high: elements as
 * stored, little-endian. Floats are compared in IEEE total order (-0 before +0); infinities are ordinary numbers. */
int utet_zone_may_hold(const utet_zones *zones, const utet_zone *zone, const void *low, const void *high);
/* Returns 1 if an element of the chunk may be null (NaN, or the fill value), else 0. */
int utet_zone_may_be_null(const utet_zones *zones, const utet_zone *zone);

/* ---- secondary indexes (§8.2): which chunks contain a value or a label? --------------------------------- */

/*
 * utet_index_value: finds the chunks of the dataset that contain the element at `value`, as stored. utet_index_label:
 * finds the chunks at the indices of `axis` whose label is `label`. *chunks is a list for utet_index_chunk; it is empty
 * if there are no such chunks. Each call reads and checks the complete index.
 * UTET_E_NOT_FOUND: the index has no information; any chunk may contain the value or label. UTET_E_METADATA: the index
 * is not usable.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_NOT_FOUND, E_SHORT, E_METADATA, E_PORT
 */
utet_status utet_index_value(utet_meta *meta, const utet_dataset_meta *dataset_meta, const void *value,
                             utet_value *chunks);
utet_status utet_index_label(utet_meta *meta, const utet_dataset_meta *dataset_meta, unsigned axis, const char *label,
                             size_t length, utet_value *chunks);
/*
 * Reads the coordinates of the next chunk; only the first 8 are kept, and those that the index does not have are 0.
 * UTET_E_METADATA: a coordinate is not an integer, or the medium has changed.
 * Returns: OK, END, WOULD_BLOCK, E_STATE, E_SHORT, E_METADATA, E_PORT
 */
utet_status utet_index_chunk(utet_meta *meta, utet_value *chunks, uint64_t coords[UTET_MAX_NDIM]);
/*
 * Finds all entries of the indexes as stored in the file, as a list of maps, for programs that check them (utet
 * verify). The contents of the maps are not checked. Each call reads and checks the document.
 * UTET_E_NOT_FOUND: the file has no indexes. UTET_E_METADATA: the indexes are not usable.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_NOT_FOUND, E_SHORT, E_METADATA, E_PORT
 */
utet_status utet_index_entries(utet_meta *meta, utet_value *entries);

/* Numbers of this header's types, for utet_sizeof (utet.h). */
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
