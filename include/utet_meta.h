/*
 * What the footer of a .tet file says beside the tensors (§6 to §8 of the layout notes): history, facts about the
 * file, and for each dataset names of its axes, labels of their positions, attributes; zone maps and secondary indexes.
 *
 * Everything is read from the file when it is asked for, through the window of the file object: there is no tree, no
 * limit on the length of the footer or of a text, and no memory but the objects of this header and the workspace of the
 * file. utet_meta_open reads all of it once and checks it as strictly as the reference does; what comes after relies on
 * that. A footer that is refused costs the metadata only: the tensors stay readable. Who wants the reference's
 * strictness, which refuses the file, asks utet_meta_strict before reading.
 *
 * The conventions of utet.h hold: calls that return UTET_WOULD_BLOCK are repeated with the same arguments, and until
 * they have ended other calls on the file return UTET_E_STATE. After utet_cancel a cursor whose call it ended may have
 * moved on without its bytes or entry: go on with a copy. Every call here may also return UTET_E_STATE (file or
 * metadata not open), UTET_E_SHORT, UTET_E_PORT…, and UTET_E_METADATA when the bytes are no longer what they were at
 * opening.
 */
#ifndef UTET_META_H
#define UTET_META_H

#include "utet.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- values ------------------------------------------------------------------------------ */

enum { /* kind of a utet_value */
    UTET_NONE = 0, /* not there, or null */
    UTET_LIST,
    UTET_MAP, /* entries with keys */
    UTET_TEXT,
    UTET_NUMBER,
    UTET_BOOLEAN
};

/* A value in the file; text, list and map are also cursors: reading moves them on, so copy one to keep its beginning.
 * Documents of 4 GiB and more are refused, so 32 bits hold every size. */
typedef struct utet_value {
    uint64_t value; /* number: UINT64_MAX for what is not a whole one below 2^64; boolean: 0 or 1;
                       else private: the place in the file */
    uint32_t size;  /* text: bytes not read yet (UTF-8, escapes resolved); list, map: entries not read yet */
    uint8_t kind;
    uint8_t priv_begun;  /* list, map: not at its first entry any more */
    uint8_t priv_inside; /* text: bytes of the next character that have been read */
} utet_value;

/* A stretch of the file. */
typedef struct utet_span {
    uint64_t offset;
    uint64_t length; /* 0 = nothing there */
} utet_span;

/* ---- the metadata of a file ---------------------------------------------------------------- */

#define UTET_JSON_HEAD 32u   /* leading bytes of a text that are kept while it passes */
#define UTET_JSON_DEPTH 256u /* most levels of nesting, in parts that are skipped too */
#define UTET_META_DEPTH 10   /* levels that are read by rules, and one around them */
#define UTET_META_FOUND 15

enum { /* of utet_meta.spills: metadata and history (§7), zone maps (§8.1), secondary indexes (§8.2) */
    UTET_SPILL_METADATA, UTET_SPILL_ZONES, UTET_SPILL_INDEXES,
    UTET_SPILLS
};

typedef struct utet_json { /* private: a JSON text that is being read */
    uint8_t token;
    uint8_t expect; /* what the grammar allows next */
    uint8_t within; /* state inside a token */
    uint8_t mode;
    uint8_t negative;
    uint8_t inexact;
    uint8_t held; /* bytes of the text in head */
    uint16_t depth;
    uint32_t length; /* decoded bytes of a text */
    uint32_t at;     /* the next byte, from base on */
    uint32_t end;    /* of the text, likewise */
    uint32_t begin;  /* of the token, likewise */
    uint64_t base;   /* offset in the file */
    uint64_t number; /* value of a whole number; of a boolean, 0 or 1 */
    char head[UTET_JSON_HEAD];
    uint8_t levels[UTET_JSON_DEPTH / 8]; /* a bit a level: 1 = object */
} utet_json;

typedef struct utet_level { /* private: a list or object that is being read */
    const struct utet_rule *rule; /* null where it is passed over */
    uint32_t count;               /* entries so far */
    uint32_t seen;                /* known keys, a bit each */
    uint32_t slot;                /* in priv_found, of its value */
} utet_level;

typedef struct utet_meta {
    /* private: what is used most stands first, where short instructions reach it */
    utet_value priv_needle; /* the wanted text when it lies in the file; else its size, or a number */
    uint8_t priv_walking;   /* inside an entry or a collection */
    uint8_t priv_comparing; /* step inside a comparison */
    uint8_t priv_match;     /* the entry may be the wanted one */
    uint8_t priv_by;        /* slot of the text that decides that, where it is no key */
    uint8_t priv_mode;      /* checking, with limits, or walking */
    uint8_t priv_rule;      /* for the next value */
    uint16_t priv_skip;     /* depth from which on all is passed over */
    uint32_t priv_slot;     /* in priv_found, for the next value */
    uint32_t priv_hits;     /* of a search */
    uint32_t priv_number;   /* of the entries it has passed */
    utet_file *priv_file;
    const struct utet_rule *priv_rules; /* the table in force */
    const char *priv_wanted;
    utet_status priv_status;
    size_t priv_got; /* bytes of a text that were read last */
    char priv_head[UTET_JSON_HEAD];
    utet_level priv_level[UTET_META_DEPTH];
    utet_value priv_found[UTET_META_FOUND];
    utet_value priv_other;
    utet_value priv_key;
    utet_value priv_list;
    utet_value priv_outer;
    char priv_piece[2][16];
    utet_json priv_json;
    uint64_t priv_error_offset; /* of opening, for utet_meta_strict */
    /* public */
    uint64_t payload_limit; /* payloads end here at most (§6.3); the reference refuses rows that go beyond */
    utet_value history;     /* list of events, see utet_event_next */
    utet_value facts;       /* map about the file: texts called tool, library_version, created_at */
    utet_value datasets;    /* map from names to what utet_about_dataset finds */
    utet_span spills[UTET_SPILLS]; /* what lies outside of the footer (§6.4); length 0: none that is usable */
} utet_meta;

/*
 * Reads the footer's JSON and the metadata spill, if there is one, and checks everything the reference checks when it
 * opens a file: syntax, the shape of every known object, keys that come twice, references, limits of a spill (§7).
 * `file` is open. An error sticks to `meta`: later calls on it return it again.
 * A file without a footer has empty metadata. The spills of zone maps and indexes are where their references say; the
 * length is 0 when that is not in front of the footer's JSON. They are not read. As the reference does, metadata in a
 * spill replaces what stands in the footer.
 * Returns UTET_OK, UTET_WOULD_BLOCK, UTET_E_FOOTER, UTET_E_FOOTER_VERSION (file->footer_status), UTET_E_METADATA with
 * file->error_offset at the byte that is wrong.
 */
utet_status utet_meta_open(utet_meta *meta, utet_file *file);

/*
 * Checks the limits that the reference's verify enforces for metadata and history in the footer itself (§7.4):
 * numbers of entries, texts of 1 to 1024 bytes. `meta` is open.
 * Returns UTET_OK, UTET_WOULD_BLOCK, UTET_E_METADATA (error_offset: the value that is beyond).
 */
utet_status utet_meta_check_limits(utet_meta *meta);

/*
 * Strict mode: would the reference open this file? For whoever then reads nothing of a file that it refuses; for this
 * library the file stays as readable as it was. To be called behind utet_meta_open, whatever that returned; checks in
 * the reference's order: the footer's tail, all rows of the chunk index (each right by itself, its payload within
 * payload_limit), then what utet_meta_open found. One pass, 104 bytes a row.
 * Returns UTET_OK, UTET_WOULD_BLOCK, UTET_E_ROW (error_offset: in the first such row the field that is wrong; its
 * payload_offset, 72 bytes into the row, when the payload ends too late), and as utet_meta_open, error_offset with it.
 */
utet_status utet_meta_strict(utet_meta *meta);

/* ---- reading values -------------------------------------------------------------------------- */

/*
 * The next bytes of a text into `buffer`: `size` of them, fewer only when the text ends; no terminator is written. May
 * cut a character. *got: bytes delivered, valid with UTET_OK and UTET_END.
 * Returns UTET_OK, UTET_END (nothing left, or no text), UTET_WOULD_BLOCK.
 */
utet_status utet_text_read(utet_meta *meta, utet_value *text, char *buffer, size_t size, size_t *got);

/*
 * The next entry of a list or map, in file order; *key is its key in a map. A map may hold the same key twice (§7):
 * both are delivered here, the last one counts in every other call.
 * Returns UTET_OK, UTET_END (nothing left, or neither list nor map), UTET_WOULD_BLOCK.
 */
utet_status utet_value_next(utet_meta *meta, utet_value *list, utet_value *key, utet_value *item);

/* Entry `n`, from 0, of a list. Returns UTET_OK, UTET_WOULD_BLOCK, UTET_E_RANGE (not so many). */
utet_status utet_list_nth(utet_meta *meta, const utet_value *list, uint64_t n, utet_value *item);

/* Number, from 0, of the first text of a list that equals `text`: the index of a label. start_label and stop_label of a
 * selection are such indices; the entry named by stop_label does not belong to it (§12).
 * Returns UTET_OK, UTET_WOULD_BLOCK, UTET_E_NOT_FOUND. */
utet_status utet_list_find(utet_meta *meta, const utet_value *list, const char *text, size_t length, uint64_t *index);

/* The value of `key` in a map, the last one when it comes twice. Returns UTET_OK, UTET_WOULD_BLOCK,
 * UTET_E_NOT_FOUND. */
utet_status utet_map_find(utet_meta *meta, const utet_value *map, const char *key, size_t length, utet_value *item);

/* ---- history (§7.2) ----------------------------------------------------------------------------- */

enum { /* fields of an event: texts but for parents (list of texts) and params (map of texts) */
    UTET_OP, UTET_SOURCE, UTET_AT, UTET_PARENTS, UTET_PARAMS, UTET_AGENT, UTET_ACTIVITY, UTET_ENTITY,
    UTET_EVENT_FIELDS
};

typedef struct utet_event {
    utet_value field[UTET_EVENT_FIELDS]; /* op, source and at are always there */
} utet_event;

/*
 * The next event of *history, a copy of meta->history. Events in the legacy form of three texts look the same.
 * Returns UTET_OK, UTET_END, UTET_WOULD_BLOCK.
 */
utet_status utet_event_next(utet_meta *meta, utet_value *history, utet_event *event);

/* ---- datasets (§7.3, §12) -------------------------------------------------------------------------- */

typedef struct utet_about {
    const utet_dataset *dataset; /* must stay as it is */
    utet_value attrs;            /* map of texts */
    utet_value dim_names;        /* list of texts */
    utet_value coords;           /* map; utet_about_labels reads it by the reference's rules */
    utet_value fill;             /* text: the first attribute present of _FillValue, missing_value, fill_value */
} utet_about;

/* What the metadata say about `dataset`, found by its name. Returns UTET_OK, UTET_WOULD_BLOCK, UTET_E_NOT_FOUND (then
 * *about is empty and of use all the same). */
utet_status utet_about_dataset(utet_meta *meta, const utet_dataset *dataset, utet_about *about);

/*
 * The axis that a token of a query means: decimal digits are its number; everything else is a name, which has to stand
 * exactly once in dim_names, one name for each axis. (The reference's queries can only spell names of letters,
 * digits, _ and -, of 32 bytes at most.)
 * Returns UTET_OK, UTET_WOULD_BLOCK, UTET_E_RANGE (no such number), UTET_E_NOT_FOUND (no dim_names that fit, no such
 * name, or it is there twice).
 */
utet_status utet_about_axis(utet_meta *meta, const utet_about *about, const char *token, size_t length,
                            unsigned *axis);

/*
 * The labels of an axis (< ndim): the coordinates called like the axis, else like its number, else the only ones with
 * as many labels as the axis has positions (where a key comes twice, both are counted).
 * Returns UTET_OK, UTET_WOULD_BLOCK, UTET_E_NOT_FOUND, UTET_E_RANGE.
 */
utet_status utet_about_labels(utet_meta *meta, const utet_about *about, unsigned axis, utet_value *labels);

/* ---- zone maps (§8.1): may a chunk be left out? ------------------------------------------------------- */

/*
 * Nothing protects zone maps and indexes: wrong ones give wrong answers without a sign. Use them for files that you
 * trust. Within that, the answers err on the side of "it may".
 */
typedef struct utet_zones {
    utet_value chunks; /* cursor over the entries of all datasets, see utet_zone_next */
    utet_value priv_all;
    const utet_dataset *priv_dataset;
    uint8_t priv_fill;
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

/* Reads and checks the zone maps of the file, to be asked about one dataset. Returns UTET_OK, UTET_WOULD_BLOCK,
 * UTET_E_NOT_FOUND (none), UTET_E_METADATA (not usable). */
utet_status utet_zones_open(utet_meta *meta, const utet_about *about, utet_zones *zones);
/* The next entry, of whatever dataset. Returns UTET_OK, UTET_END, UTET_WOULD_BLOCK. */
utet_status utet_zone_next(utet_meta *meta, utet_zones *zones, utet_zone *zone);
/* The entry of the dataset's chunk at coords; quick when chunks are asked for in the order of the index. Returns
 * UTET_OK, UTET_WOULD_BLOCK, UTET_E_MISSING: nothing is known of the chunk. */
utet_status utet_zone_find(utet_meta *meta, utet_zones *zones, const uint64_t *coords, utet_zone *zone);
/* 0 when no element of the chunk that is not null lies in [low, high], two elements as stored, little-endian; floats in
 * IEEE total order (-0 before +0), which are ordinary numbers here with their infinities. Else 1. */
int utet_zone_may_hold(const utet_zones *zones, const utet_zone *zone, const void *low, const void *high);
/* 0 when no element of the chunk is null (NaN, or the fill value), else 1. */
int utet_zone_may_be_null(const utet_zones *zones, const utet_zone *zone);

/* ---- secondary indexes (§8.2): which chunks hold a value or a label? ------------------------------------ */

/*
 * utet_index_value: chunks of the dataset that hold the element at `value`, as stored. utet_index_label: chunks at the
 * positions of `axis` that are called `label`. *chunks is a list for utet_index_chunk, empty when none does.
 * The index is read and checked as a whole by each call.
 * Returns UTET_OK, UTET_WOULD_BLOCK, UTET_E_NOT_FOUND (nothing is known: any chunk may), UTET_E_METADATA (not usable).
 */
utet_status utet_index_value(utet_meta *meta, const utet_about *about, const void *value, utet_value *chunks);
utet_status utet_index_label(utet_meta *meta, const utet_about *about, unsigned axis, const char *label,
                             size_t length, utet_value *chunks);
/* Coordinates of the next chunk; only the first 8 are kept. Returns UTET_OK, UTET_END, UTET_WOULD_BLOCK. */
utet_status utet_index_chunk(utet_meta *meta, utet_value *chunks, uint64_t coords[UTET_MAX_NDIM]);
/* All entries of the indexes as they stand in the file, a list of maps, for whoever checks them (utet verify does). What
 * the maps hold inside has not been checked. Read and checked by each call. Returns UTET_OK, UTET_WOULD_BLOCK,
 * UTET_E_NOT_FOUND (none), UTET_E_METADATA (not usable). */
utet_status utet_index_entries(utet_meta *meta, utet_value *entries);

#ifdef __cplusplus
}
#endif

#endif
