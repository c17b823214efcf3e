/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * utet_tiledb: reads the small files that describe a TileDB array: array schema, enumeration, array metadata.
 *
 * Each of these files is a generic tile (src/tiledb/FORMAT.md §2): a header, a list of filters, and compressed chunks
 * that decode to one sequence of bytes, the raw tile. The tile is read as a stream, so a schema may be larger than the
 * memory. Calls return numbers and positions: texts and lists of filters are cursors into the raw tile. Using a cursor
 * whose bytes are no longer buffered decodes the tile again up to the cursor.
 *
 *     utet_init(&file, &io, work, sizeof work, NULL);           // utet.h; the file is not opened as .tet
 *     utet_tiledb_open(&tile, &file, &options);                 // header; options.codecs = {&utet_tiledb_gzip, NULL}
 *     utet_tiledb_schema_open(&schema, &tile);                  // the head of the schema
 *     utet_tiledb_schema_check(&schema);                        // optional: checks all of the schema
 *     for (s = utet_tiledb_first(&schema, UTET_TILEDB_ATTRIBUTE, &item); s == UTET_OK;
 *          s = utet_tiledb_next(&schema, &item))
 *         utet_tiledb_read(&tile, &item.name, text, sizeof text, &got);
 *
 * The call protocol is that of utet.h: repeat a call that returns UTET_WOULD_BLOCK with the same arguments; until it
 * has ended, other calls on the file return UTET_E_STATE; utet_cancel ends it. Calls on a tile or object that is not
 * open also return UTET_E_STATE. Errors in the tile:
 *   UTET_E_INDEX       the number of chunks is invalid, or the chunks do not add up to the tile (§2.2)
 *   UTET_E_ROW         the header of a chunk, or its table of parts, is invalid (§2.2)
 *   UTET_E_PAYLOAD, UTET_E_CHECKSUM, UTET_E_ZSTD_…   compressed data is damaged, or not supported (§2.3)
 *   UTET_E_BUDGET      the data needs more history than the workspace can hold; file->needed is the sufficient size
 * Errors in the raw tile:
 *   UTET_E_METADATA    a field has a length that exceeds the tile, or an invalid value (§4, §5)
 *   UTET_E_DTYPE       a datatype is unknown, or not allowed in its field (§4.6)
 * file->error_offset is the offset of the error in the file, tile->error_at its position in the raw tile. Errors do not
 * stick.
 */
#ifndef UTET_TILEDB_H
#define UTET_TILEDB_H

#include "utet.h"
#include "utet_folder.h"

#if SIZE_MAX < 0xFFFFFFFF
#error "TileDB schemas need 32-bit pointers, and the pointers of this processor are shorter"
#endif

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __ELF__
#pragma GCC visibility push(default)
#endif

/* ---- lists of filters (§3) --------------------------------------------------------------------- */

/* Values of utet_tiledb_filter.type. */
enum {
    UTET_TILEDB_NONE = 0,
    UTET_TILEDB_GZIP = 1,
    UTET_TILEDB_ZSTD = 2,
    UTET_TILEDB_LZ4 = 3,
    UTET_TILEDB_RLE = 4,
    UTET_TILEDB_BZIP2 = 5,
    UTET_TILEDB_DOUBLE_DELTA = 6,
    UTET_TILEDB_BIT_WIDTH_REDUCTION = 7,
    UTET_TILEDB_BITSHUFFLE = 8,
    UTET_TILEDB_BYTESHUFFLE = 9,
    UTET_TILEDB_POSITIVE_DELTA = 10,
    UTET_TILEDB_MD5 = 12,
    UTET_TILEDB_SHA256 = 13,
    UTET_TILEDB_DICTIONARY = 14,
    UTET_TILEDB_SCALE_FLOAT = 15,
    UTET_TILEDB_XOR = 16,
    UTET_TILEDB_WEBP = 18,
    UTET_TILEDB_DELTA = 19
};

typedef struct utet_tiledb_filters { /* a cursor over a list of filters */
    uint32_t offset;
    uint32_t max_chunk_size; /* as stored, in bytes; 65536 for lists that the version does not have */
    uint32_t count;          /* number of unread filters */
} utet_tiledb_filters;

/* Each option is in the field with its name; fields that a filter does not use are 0 (reinterpret: 17, ANY). */
typedef struct utet_tiledb_filter {
    uint8_t type;
    uint8_t reinterpret; /* delta, double delta: datatype; 17 (ANY): none */
    uint8_t format;      /* WebP: 0 none, 1 RGB, 2 BGR, 3 RGBA, 4 BGRA */
    uint8_t lossless;    /* WebP: 0 or 1 */
    int32_t level;       /* compressors, deltas and dictionary: level as stored; -1 is the default */
    uint32_t window;     /* bit width reduction, positive delta: window in bytes */
    uint32_t quality;    /* WebP: quality, as the bits of a float32 */
    uint16_t extent[2];  /* WebP: tile extents of dimensions 0 and 1 */
    uint64_t factor;     /* float scale: bits of a float64 */
    uint64_t offset;     /* float scale: bits of a float64 */
    uint32_t byte_width; /* float scale: 1, 2, 4 or 8 */
} utet_tiledb_filter;

/* ---- the generic tile (§2) ------------------------------------------------------------------ */

/*
 * Supported format versions. Versions before 8 are supported as far as TileDB's library opens them. Fields that they do
 * not have are treated as in that library: no duplicates and one datatype for all dimensions before 5, default fill
 * values before 6 (utet_tiledb_default), nothing nullable before 7.
 */
#define UTET_TILEDB_OLDEST 1u
#define UTET_TILEDB_NEWEST 23u
#define UTET_TILEDB_VAR UINT32_MAX       /* cell_val_num of cells with variable length */
#define UTET_TILEDB_MAX_BYTES 0x1000000u /* default limit of a raw tile: 16 MiB; see options->most */
#define UTET_TILEDB_RAW_MIN 128u         /* minimum number of raw tile bytes that are buffered */
#define UTET_TILEDB_RAW_BEST 512u        /* useful maximum, unless the memory can hold the complete raw tile */

/* A part of a chunk that a codec decodes: `length` bytes of the file from `offset` on decode to `size` bytes. */
typedef struct utet_tiledb_part {
    utet_file *file;
    uint64_t offset;
    uint32_t length;
    uint32_t size;
    uint8_t *dst; /* destination of all decoded bytes; NULL: slices */
    void *work;   /* work memory; its address is a multiple of 8 */
    size_t work_len;
} utet_tiledb_part;

/*
 * A decompressor, linked only if a program names it. need: computes the work memory for parts of at most `size` bytes;
 * whole: 1 if each part is decoded into one destination. open: begins a part. step: makes 1..want decoded bytes
 * available at *ptr, in order; returns UTET_END after the last one, when the end of the compressed data has been
 * checked. open and step may return UTET_WOULD_BLOCK; they have then changed only the state that they need to continue.
 * On an error, they set file->error_offset and file->needed.
 */
typedef struct utet_tiledb_codec {
    uint8_t filter; /* type of the filter (§3) */
    void (*need)(uint32_t size, int whole, utet_need *need);
    utet_status (*open)(const utet_tiledb_part *part);
    utet_status (*step)(const utet_tiledb_part *part, size_t want, const uint8_t **ptr, size_t *len);
} utet_tiledb_codec;

extern const utet_tiledb_codec utet_tiledb_gzip; /* zlib streams, as in all released writers */
extern const utet_tiledb_codec utet_tiledb_zstd;

typedef struct utet_tiledb_options {
    const utet_tiledb_codec *const *codecs; /* NULL-terminated list, or NULL: uncompressed tiles only */
    uint32_t most; /* maximum size of a raw tile in bytes, at most 1 GiB; 0: UTET_TILEDB_MAX_BYTES */
} utet_tiledb_options;

typedef struct utet_tiledb {
    struct {
        utet_file *file;
        uint8_t open;
        uint8_t step;     /* step of the suspended call */
        uint8_t decoding; /* next step of utet_tiledb_fetch, see tiledb_tile.c */
        uint8_t rule;     /* current rule of the fields, see tiledb_fields.c */
        uint8_t walk;     /* progress towards a list of a schema, see tiledb_schema.c */
        uint8_t batch;    /* 1 + index of the batch of dimensions whose datatypes are read again; 0: none */
        uint8_t differs;  /* nonzero: the last text is not the wanted one */
        const utet_tiledb_codec *decoder;
        const uint8_t *at; /* the last requested bytes of the raw tile */
        size_t have;       /* number of bytes at `at` */
        size_t done;       /* bytes delivered by a suspended read */
        uint8_t *raw;      /* the last `held` of the `made` bytes of raw tile decoded so far */
        size_t room;       /* size of the buffer at `raw`, in bytes */
        size_t held;
        uint32_t made;
        uint32_t proven; /* maximum of `made` so far */
        uint32_t area;   /* file offset of the first chunk */
        uint32_t cursor; /* file offset of the next chunk, or of the next part's data */
        uint32_t table;  /* file offset of the next entry in the table of parts */
        uint32_t chunks_left;
        uint32_t chunk_left; /* raw tile bytes that the chunk has still to produce */
        uint32_t data_left;  /* file bytes of the chunk's parts that have not begun */
        uint32_t parts_left;
        uint32_t part_left; /* raw tile bytes that the part has still to produce */
        uint32_t place;     /* position of the next field in the raw tile */
        uint32_t passed;    /* number of bytes read of the current text */
        uint32_t hash;      /* hash of the last text */
        uint32_t filters_left;
        uint32_t below;     /* upper bound of numbers that are references */
        const char *wanted; /* text to search for */
        uint32_t wanted_len;
        utet_tiledb_part part;
        utet_tiledb_filter passing; /* current filter of a list that is skipped */
    } priv;
    uint32_t chunks;         /* number of chunks; known after a field has been read */
    uint32_t persisted_size; /* size of the chunk area, in bytes */
    uint32_t version;        /* version of the format */
    uint32_t size;           /* size of the raw tile, in bytes */
    uint32_t pipeline_size;
    uint32_t max_chunk_size; /* as stored in the header's list of filters */
    uint8_t encryption;      /* 0 none, 1 AES-256-GCM */
    uint8_t filter;          /* type of the chunks' compression (§3); 0: none */
    int32_t level;           /* compression level, as stored */
    utet_need need;          /* workspace, window included: `least` to read the tile as a stream, `best` to keep all of
                                it in memory. `least` is a bound computed from the tile's size; data with a smaller
                                window needs less */
    uint32_t error_at;       /* position in the raw tile of the last error or, if none, of the last field read */
} utet_tiledb;

/*
 * Reads the header and the list of filters, and divides the workspace. `file` must have been initialised (utet_init)
 * and must outlive the tile; its codecs are ignored. options: NULL selects the defaults. If the workspace can hold the
 * complete raw tile, it is kept there, and nothing is decoded twice.
 * UTET_E_ARGUMENT: a pointer is NULL. UTET_E_STATE: the file is not initialised, or it has been opened as .tet.
 * UTET_E_BUDGET: the tile is larger than options->most, or the workspace is too small; file->needed is the sufficient
 * size. UTET_E_VERSION: the version is not 1..23. UTET_E_CODEC: the tile is encrypted (tile->encryption is 1), or its
 * codec is not in options->codecs. UTET_E_SUPERBLOCK: the header is damaged (§2.1), or the file has 4 GiB or more.
 * UTET_E_DIRECTORY: the list of filters is damaged (§3).
 * Returns: OK, WOULD_BLOCK, E_ARGUMENT, E_STATE, E_BUDGET, E_SHORT, E_VERSION, E_CODEC, E_SUPERBLOCK, E_DIRECTORY,
 *          E_PORT
 */
utet_status utet_tiledb_open(utet_tiledb *tile, utet_file *file, const utet_tiledb_options *options);

/* A byte range of the raw tile, and a cursor in it. Texts may contain invalid UTF-8, and may be empty. */
typedef struct utet_tiledb_text {
    uint32_t offset;
    uint32_t size; /* number of unread bytes */
} utet_tiledb_text;

/*
 * Copies the next `size` (≥ 1) bytes of a text to `buffer`, or fewer if the text ends. *got: number of delivered bytes,
 * valid with UTET_OK and UTET_END.
 * UTET_END: no bytes remain, and *got is 0.
 * Returns: OK, END, WOULD_BLOCK, E_STATE, E_BUDGET, E_SHORT, E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY, E_INDEX, E_ROW,
 *          E_METADATA, E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_tiledb_read(utet_tiledb *tile, utet_tiledb_text *text, void *buffer, size_t size, size_t *got);

/* ---- reading lists of filters ---- */

/*
 * Reads the next filter of a list.
 * Returns: OK, END, WOULD_BLOCK, E_STATE, E_BUDGET, E_SHORT, E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY, E_INDEX, E_ROW,
 *          E_METADATA, E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_tiledb_filter_next(utet_tiledb *tile, utet_tiledb_filters *filters, utet_tiledb_filter *filter);

/* ---- array schema (§4) --------------------------------------------------------------------------- */

/* Values of utet_tiledb_item.kind, in the order of the file. */
enum {
    UTET_TILEDB_DIMENSION,
    UTET_TILEDB_ATTRIBUTE,
    UTET_TILEDB_LABEL,
    UTET_TILEDB_ENUMERATION,
    UTET_TILEDB_RANGE,
    UTET_TILEDB_KINDS
};

/* Values of utet_tiledb_schema.current_domain. */
enum {
    UTET_TILEDB_DOMAIN_NONE,  /* versions below 22, or stored as empty: the complete domain */
    UTET_TILEDB_DOMAIN_RANGES /* one UTET_TILEDB_RANGE for each dimension */
};

/* An entry of one of the lists of a schema. Each comment names the kinds that use the field; for others it is 0. */
typedef struct utet_tiledb_item {
    uint8_t kind;
    uint8_t datatype;             /* dimension, attribute, label; range: datatype of its dimension */
    uint8_t null_extent;          /* dimension: 1: it has no tile extent */
    uint8_t nullable;             /* attribute: 0 or 1 */
    uint8_t fill_validity;        /* attribute: as stored; meaningful if nullable */
    uint8_t order;                /* attribute (version 17 and later), label: 0 none, 1 increasing, 2 decreasing */
    uint8_t relative;             /* label: 1: the uri is relative to the array's folder */
    uint8_t external;             /* label: 1: the labels are a separate array */
    uint32_t number;              /* index within the list, from 0 */
    uint32_t cell_val_num;        /* dimension, attribute, label: values per cell, or UTET_TILEDB_VAR */
    uint32_t dimension;           /* label, range: index of the dimension */
    utet_tiledb_filters filters;  /* dimension (if empty, the schema's coordinate filters apply), attribute */
    utet_tiledb_text name;        /* dimension, attribute, label, enumeration */
    utet_tiledb_text domain;      /* dimension: minimum and maximum; empty for strings */
    utet_tiledb_text extent;      /* dimension: one value, empty with null_extent */
    utet_tiledb_text fill;        /* attribute: the fill value; empty before version 6: see utet_tiledb_default */
    utet_tiledb_text enumeration; /* attribute: name of its enumeration, empty: none (version 20 and later) */
    utet_tiledb_text uri;         /* label: uri of the array of labels */
    utet_tiledb_text attribute;   /* label: attribute with the labels in that array */
    utet_tiledb_text path;        /* enumeration: name of its file in __schema/__enumerations */
    utet_tiledb_text least;       /* range: minimum coordinate */
    utet_tiledb_text greatest;    /* range: maximum coordinate */
    struct {
        uint32_t next; /* position of the next item */
    } priv;
} utet_tiledb_item;

#define UTET_TILEDB_REFERENCES 16       /* number of enumerations looked up in one pass of utet_tiledb_schema_check */
#define UTET_TILEDB_DIMENSIONS 64       /* number of dimensions whose datatypes are kept for the current domain */
#define UTET_TILEDB_DIMENSIONS_MAX 1024 /* maximum number of dimensions with a current domain */

typedef struct utet_tiledb_schema {
    uint32_t version;                              /* the same as the tile's */
    uint8_t allows_dups;                           /* 1: several cells may have the same coordinates */
    uint8_t array_type;                            /* 0 dense, 1 sparse */
    uint8_t tile_order;                            /* 0 row-major, 1 column-major */
    uint8_t cell_order;                            /* 0 row-major, 1 column-major, 2 global, 4 Hilbert (sparse only) */
    uint64_t capacity;                             /* number of cells in a data tile of a sparse array */
    utet_tiledb_filters coords, offsets, validity; /* lists of filters for the complete array; validity: empty before
                                                      version 7 */
    uint32_t count[UTET_TILEDB_KINDS]; /* number of items of each kind; valid for the kinds up to the last one that was
                                          read, and for all after utet_tiledb_schema_check */
    uint8_t current_domain;
    struct {
        utet_tiledb *tile;                     /* NULL: not open */
        uint8_t known;                         /* number of lists whose position is known */
        uint8_t empty;                         /* as stored: 1: the current domain is empty */
        uint8_t shape;                         /* as stored: type of the current domain; always 0 */
        uint8_t type;                          /* datatype of all dimensions, in versions before 5 */
        uint32_t form;                         /* version of the current domain; always 0 */
        uint32_t number;                       /* index of the next item */
        uint32_t begin[UTET_TILEDB_KINDS + 1]; /* position of the first item of each list, and of the end */
        utet_tiledb_item item;                 /* the item that is being read */
        uint8_t batch;                         /* index of the batch of UTET_TILEDB_DIMENSIONS dimensions in `types` */
        uint8_t types[UTET_TILEDB_DIMENSIONS];
        uint32_t range; /* index and position of the range whose datatype is being read */
        uint32_t range_place;
        struct { /* references of attributes to enumerations, while they are checked */
            uint8_t used;
            uint8_t rounds;
            uint32_t checked; /* number of attributes whose reference has been kept in this round or an earlier one */
            struct {
                uint32_t hash;
                uint32_t place;
            } kept[UTET_TILEDB_REFERENCES];
        } references;
    } priv;
} utet_tiledb_schema;

/*
 * Reads the head of a schema: the public fields and count[UTET_TILEDB_DIMENSION].
 * UTET_E_VERSION: the version differs from the tile's.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_BUDGET, E_SHORT, E_VERSION, E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY, E_INDEX,
 *          E_ROW, E_METADATA, E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_tiledb_schema_open(utet_tiledb_schema *schema, utet_tiledb *tile);

/*
 * Checks that the complete schema conforms to §4 and that nothing follows it. Reads the schema once, and again for
 * every 16 enumerations that attributes refer to, up to 16 times: beyond 256 enumerations, references are not checked.
 * A current domain of more than 64 dimensions requires one more pass through the dimensions for each further 64.
 * UTET_E_RANGE: there is a current domain with more than UTET_TILEDB_DIMENSIONS_MAX dimensions.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_BUDGET, E_RANGE, E_SHORT, E_DTYPE, E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY,
 *          E_INDEX, E_ROW, E_METADATA, E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_tiledb_schema_check(utet_tiledb_schema *schema);

/*
 * Reads the first item of a kind, and makes all checks that are possible with the item alone. The texts of the item
 * that was read last are not decoded again if the item is shorter than the buffered part of the raw tile.
 * UTET_END: there is no such item. UTET_E_ARGUMENT: there is no such kind. UTET_E_RANGE: the current domain has more
 * than UTET_TILEDB_DIMENSIONS_MAX dimensions.
 * Returns: OK, END, WOULD_BLOCK, E_ARGUMENT, E_STATE, E_BUDGET, E_RANGE, E_SHORT, E_DTYPE, E_ZSTD_WINDOW,
 *          E_ZSTD_DICT, E_ZSTD_LEGACY, E_INDEX, E_ROW, E_METADATA, E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_tiledb_first(utet_tiledb_schema *schema, unsigned kind, utet_tiledb_item *item);
/*
 * Reads the item after *item, of the same kind.
 * UTET_END: there are no more items. UTET_E_ARGUMENT: the kind of *item is unknown.
 * Returns: OK, END, WOULD_BLOCK, E_ARGUMENT, E_STATE, E_BUDGET, E_SHORT, E_DTYPE, E_ZSTD_WINDOW, E_ZSTD_DICT,
 *          E_ZSTD_LEGACY, E_INDEX, E_ROW, E_METADATA, E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_tiledb_next(utet_tiledb_schema *schema, utet_tiledb_item *item);
/*
 * Finds the first item of a kind with this name. A range has no name.
 * UTET_E_ARGUMENT: there is no such kind, or its items have no names. UTET_E_NOT_FOUND: no item has this name.
 * Returns: OK, WOULD_BLOCK, E_ARGUMENT, E_STATE, E_BUDGET, E_NOT_FOUND, E_SHORT, E_DTYPE, E_ZSTD_WINDOW, E_ZSTD_DICT,
 *          E_ZSTD_LEGACY, E_INDEX, E_ROW, E_METADATA, E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_tiledb_find(utet_tiledb_schema *schema, unsigned kind, const char *name, size_t length,
                             utet_tiledb_item *item);

/* ---- enumeration files (§5.1) ------------------------------------------------------------------------ */

#define UTET_TILEDB_BATCH 32 /* number of value offsets that are read at once */

typedef struct utet_tiledb_enumeration {
    uint32_t version; /* always 0 */
    uint32_t cell_val_num;
    uint32_t count; /* number of values */
    uint8_t datatype;
    uint8_t ordered; /* 0 or 1 */
    utet_tiledb_text name;
    utet_tiledb_text path;    /* name of the enumeration's file */
    utet_tiledb_text data;    /* all values, consecutive */
    utet_tiledb_text offsets; /* variable length: position of each value in data, 8 bytes each; else empty */
    struct {
        utet_tiledb *tile;
        uint32_t value_size; /* size of a value in bytes; 0: variable */
        uint32_t first;      /* index of the first value whose offset is in batch */
        uint32_t filled;     /* number of offsets in batch */
        uint32_t number;     /* index of the current value */
        uint32_t passed;     /* number of compared bytes of the current value */
        uint32_t batch[UTET_TILEDB_BATCH + 1];
    } priv;
} utet_tiledb_enumeration;

/*
 * Reads the head of an enumeration and checks its sizes.
 * UTET_E_VERSION: the version of the enumeration is not 0.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_BUDGET, E_SHORT, E_VERSION, E_DTYPE, E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY,
 *          E_INDEX, E_ROW, E_METADATA, E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_tiledb_enumeration_open(utet_tiledb_enumeration *enumeration, utet_tiledb *tile);
/*
 * Checks the rest of the enumeration: all offsets of values, and that nothing follows it.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_BUDGET, E_SHORT, E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY, E_INDEX, E_ROW,
 *          E_METADATA, E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_tiledb_enumeration_check(utet_tiledb_enumeration *enumeration);

/*
 * Finds the value with this index, from 0. The offsets are read UTET_TILEDB_BATCH at a time: if the raw tile is not in
 * memory, reading values in order costs two passes per batch.
 * UTET_E_RANGE: the enumeration has fewer values.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_BUDGET, E_RANGE, E_SHORT, E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY, E_INDEX,
 *          E_ROW, E_METADATA, E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_tiledb_value(utet_tiledb_enumeration *enumeration, uint32_t index, utet_tiledb_text *value);
/*
 * Finds the first value that equals the `length` bytes at `value`, and stores its index in *index.
 * UTET_E_NOT_FOUND: no value is equal.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_BUDGET, E_NOT_FOUND, E_SHORT, E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY,
 *          E_INDEX, E_ROW, E_METADATA, E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_tiledb_value_find(utet_tiledb_enumeration *enumeration, const void *value, size_t length,
                                   uint32_t *index);

/* ---- array metadata files (§5.2) ----------------------------------------------------------------------- */

typedef struct utet_tiledb_entry {
    utet_tiledb_text key;
    utet_tiledb_text value; /* `count` values of `datatype`, as stored */
    uint32_t count;
    uint8_t deleted; /* 1: the key is removed; the other fields are 0 */
    uint8_t datatype;
    struct {
        uint32_t next;
    } priv;
} utet_tiledb_entry;

/*
 * Reads the first entry of a file / the entry after *entry, in file order, which is the byte order of the keys. If an
 * array has several files, a later one overrides an earlier one, key by key.
 * UTET_END: there are no more entries, and the tile ends after them.
 * Returns: OK, END, WOULD_BLOCK, E_STATE, E_BUDGET, E_SHORT, E_DTYPE, E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY,
 *          E_INDEX, E_ROW, E_METADATA, E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_tiledb_entry_first(utet_tiledb *tile, utet_tiledb_entry *entry);
utet_status utet_tiledb_entry_next(utet_tiledb *tile, utet_tiledb_entry *entry);
/*
 * Finds the entry of a key. UTET_E_NOT_FOUND: the file does not contain the key.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_BUDGET, E_NOT_FOUND, E_SHORT, E_DTYPE, E_ZSTD_WINDOW, E_ZSTD_DICT,
 *          E_ZSTD_LEGACY, E_INDEX, E_ROW, E_METADATA, E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_tiledb_entry_find(utet_tiledb *tile, const char *key, size_t length, utet_tiledb_entry *entry);

/* ---- datatypes and names ----------------------------------------------------------------------------------- */

/* Datatypes that calls treat specially (§4.6). */
enum {
    UTET_TILEDB_FLOAT32 = 2,
    UTET_TILEDB_FLOAT64 = 3,
    UTET_TILEDB_CHAR = 4,
    UTET_TILEDB_STRING_ASCII = 11,
    UTET_TILEDB_ANY = 17,
    UTET_TILEDB_DATATYPES = 44
};

/* Returns the size of a value in bytes; 0 for numbers that are not a datatype. */
unsigned utet_tiledb_type_size(unsigned datatype);
/* Stores the default fill value of attributes in format versions before 6, for one value of a cell. Returns its size
 * in bytes; 0 for numbers that are not a datatype. */
unsigned utet_tiledb_default(unsigned datatype, uint8_t value[8]);
/* Return the names that TileDB uses; "?" for unknown numbers. */
const char *utet_tiledb_type_name(unsigned datatype);
const char *utet_tiledb_filter_name(unsigned type);

/*
 * Returns the number of tiles along a dimension of integers, date-times or times. `domain` is its minimum and maximum,
 * `extent` its extent, as stored. Returns UINT64_MAX for that number or more, and 0 if it is undefined (another
 * datatype, an extent of 0 or less, a domain whose minimum exceeds its maximum).
 */
uint64_t utet_tiledb_tiles(unsigned datatype, const void *domain, const void *extent);

/* Contents of a file name: __<t1>_<t2>_<32 hexadecimal digits>[_<version>], t1 and t2 in milliseconds since 1970. */
typedef struct utet_tiledb_stamp {
    uint64_t first;   /* t1, in milliseconds since 1970 */
    uint64_t last;    /* t2, in milliseconds since 1970 */
    uint32_t version; /* 0: not in the name */
} utet_tiledb_stamp;

/*
 * Parses a file name. UTET_E_NOT_FOUND: the name does not have this form.
 * Returns: OK, E_NOT_FOUND
 */
utet_status utet_tiledb_name(const char *name, size_t length, utet_tiledb_stamp *stamp);

#define UTET_TILEDB_NAME_SIZE 96 /* sufficient size for such a name, ".vac" and the terminator */

/*
 * Finds the file with the last such name in the folder at `path`, the `__schema` folder of an array: the current
 * schema. Subfolders are skipped. The call blocks. size: size of `name`, at least UTET_TILEDB_NAME_SIZE.
 * UTET_E_NOT_FOUND: there is no such folder, or no such file in it. UTET_E_SPACE: `size` is too small.
 * Returns: OK, E_NOT_FOUND, E_SPACE, E_PORT
 */
utet_status utet_tiledb_newest(const utet_folder *folder, const char *path, char *name, size_t size);
/*
 * Finds the schema that was current at the time `at`, in milliseconds since 1970, as TileDB does: the last name whose
 * t2 is not after `at`; if every t2 is after it, the first name. In addition to such files, the array's folder may
 * contain __array_schema.tdb, which is older than all of them. For errors, see utet_tiledb_newest.
 * Returns: OK, E_NOT_FOUND, E_SPACE, E_PORT
 */
utet_status utet_tiledb_newest_at(const utet_folder *folder, const char *path, uint64_t at, char *name, size_t size);

/* Numbers of this header's types, for utet_sizeof (utet.h). */
enum {
    UTET_OBJECT_TILEDB_FILTERS = 72,
    UTET_OBJECT_TILEDB_FILTER = 73,
    UTET_OBJECT_TILEDB_PART = 74,
    UTET_OBJECT_TILEDB_CODEC = 75,
    UTET_OBJECT_TILEDB_OPTIONS = 76,
    UTET_OBJECT_TILEDB = 77,
    UTET_OBJECT_TILEDB_TEXT = 78,
    UTET_OBJECT_TILEDB_ITEM = 79,
    UTET_OBJECT_TILEDB_SCHEMA = 80,
    UTET_OBJECT_TILEDB_ENUMERATION = 81,
    UTET_OBJECT_TILEDB_ENTRY = 82,
    UTET_OBJECT_TILEDB_STAMP = 83
};

#ifdef __ELF__
#pragma GCC visibility pop
#endif
/* Deprecated: names of version 0.9, removed in version 1.0 (src/MIGRATING.md). */
#define UTET_TILEDB_MOST UTET_TILEDB_MAX_BYTES
#define UTET_TILEDB_RAW_LEAST UTET_TILEDB_RAW_MIN
#define UTET_TILEDB_DIMENSIONS_MOST UTET_TILEDB_DIMENSIONS_MAX

#ifdef __cplusplus
}
#endif

#endif
