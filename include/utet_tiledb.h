/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * utet_tiledb: reads the small files that describe a TileDB array: array schema, enumeration, array metadata.
 *
 * All three are a generic tile (src/tiledb/FORMAT.md §2): a header, a list of filters, and compressed chunks which
 * decode to one sequence of bytes, the raw tile. The tile is read as a stream, so a schema may be larger than the
 * memory. What a call hands out are numbers and places: texts and lists of filters are cursors into the raw tile,
 * and a cursor that lies behind what is still held makes the tile be decoded again up to there.
 *
 *     utet_init(&file, &io, work, sizeof work, NULL);           // utet.h; the file is not opened as .tet
 *     utet_tiledb_open(&tile, &file, &options);                 // header; options.codecs = {&utet_tiledb_gzip, NULL}
 *     utet_tiledb_schema_open(&schema, &tile);                  // the head of the schema
 *     utet_tiledb_schema_check(&schema);                        // all of it, by one pass (optional)
 *     for (s = utet_tiledb_first(&schema, UTET_TILEDB_ATTRIBUTE, &item); s == UTET_OK;
 *          s = utet_tiledb_next(&schema, &item))
 *         utet_tiledb_read(&tile, &item.name, text, sizeof text, &got);
 *
 * The call protocol is that of utet.h: calls that return UTET_WOULD_BLOCK are repeated with the same arguments, and
 * until they have ended other calls on the file return UTET_E_STATE; utet_cancel ends them. Calls on a tile or object
 * that is not open return UTET_E_STATE, too. What is wrong with the tile:
 *   UTET_E_INDEX       the number of chunks, or chunks that do not add up to the tile (§2.2)
 *   UTET_E_ROW         the header of a chunk, or its table of parts (§2.2)
 *   UTET_E_PAYLOAD, UTET_E_CHECKSUM, UTET_E_ZSTD_…   compressed data (§2.3)
 *   UTET_E_BUDGET      the data need more history than the workspace has room for; file->needed says how much
 * What is wrong in the raw tile:
 *   UTET_E_METADATA    a field (§4, §5): a length beyond the tile, a value that it cannot have
 *   UTET_E_DTYPE       an unknown datatype, or one that cannot stand there (§4.6)
 * file->error_offset is the place in the file, tile->error_at that in the raw tile. Errors do not stick.
 */
#ifndef UTET_TILEDB_H
#define UTET_TILEDB_H

#include "utet.h"
#include "utet_folder.h"

#if SIZE_MAX < 0xFFFFFFFF
#error "TileDB schemas need pointers of 32 bits: this processor has shorter ones, and src/ has nothing for it"
#endif

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __ELF__
#pragma GCC visibility push(default)
#endif

/* ---- lists of filters (§3) --------------------------------------------------------------------- */

/* utet_tiledb_filter.type */
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

typedef struct utet_tiledb_filters { /* a cursor over them */
    uint32_t offset;
    uint32_t max_chunk_size; /* as stored; 65536 of lists that a version does not store */
    uint32_t count;          /* not read yet */
} utet_tiledb_filters;

/* Options stand in the field of their name; those that a filter does not have are 0 (reinterpret: 17, ANY). */
typedef struct utet_tiledb_filter {
    uint8_t type;
    uint8_t reinterpret; /* delta, double delta: datatype, 17 (ANY) = none */
    uint8_t format;      /* WebP: 0 none, 1 RGB, 2 BGR, 3 RGBA, 4 BGRA */
    uint8_t lossless;    /* WebP: 0 or 1 */
    int32_t level;       /* compressors, deltas and dictionary, as stored: -1 is the default */
    uint32_t window;     /* bit width reduction, positive delta: bytes */
    uint32_t quality;    /* WebP: bits of a float32 */
    uint16_t extent[2];  /* WebP: tile extents of dimensions 0 and 1 */
    uint64_t factor;     /* float scale: bits of a float64 */
    uint64_t offset;     /* float scale: bits of a float64 */
    uint32_t byte_width; /* float scale: 1, 2, 4 or 8 */
} utet_tiledb_filter;

/* ---- the generic tile (§2) ------------------------------------------------------------------ */

/*
 * Format versions that are read. Those before 8 are as far as TileDB's library opens them; what they do not have yet is
 * as that library takes it: no duplicates and one datatype for all dimensions before 5, default fill values before 6
 * (utet_tiledb_default), nothing nullable before 7.
 */
#define UTET_TILEDB_OLDEST 1u
#define UTET_TILEDB_NEWEST 23u
#define UTET_TILEDB_VAR UINT32_MAX       /* cell_val_num of cells of any length */
#define UTET_TILEDB_MAX_BYTES 0x1000000u /* raw tiles of at most 16 MiB, unless options->most says otherwise */
#define UTET_TILEDB_RAW_MIN 128u         /* bytes of the raw tile that are held at least */
#define UTET_TILEDB_RAW_BEST 512u        /* and as long as the memory does not hold all of it */

/* Compressed bytes of a chunk that a codec decodes: `length` bytes of the file from `offset` on make `size` bytes. */
typedef struct utet_tiledb_part {
    utet_file *file;
    uint64_t offset;
    uint32_t length;
    uint32_t size;
    uint8_t *dst; /* destination of all of them, or null: in slices */
    void *work;   /* a multiple of 8 */
    size_t work_len;
} utet_tiledb_part;

/*
 * A decompressor, linked only if a program names it. need: work memory for parts of at most `size` bytes, whole: each
 * into one destination. open: begins a part; step: 1..want decoded bytes at *ptr, in order, or UTET_END behind the last
 * one, when the end of the compressed data has been checked. Both may return UTET_WOULD_BLOCK, having changed nothing
 * but the state that they need to continue, and set file->error_offset and file->needed when they fail.
 */
typedef struct utet_tiledb_codec {
    uint8_t filter; /* its type (§3) */
    void (*need)(uint32_t size, int whole, utet_need *need);
    utet_status (*open)(const utet_tiledb_part *part);
    utet_status (*step)(const utet_tiledb_part *part, size_t want, const uint8_t **ptr, size_t *len);
} utet_tiledb_codec;

extern const utet_tiledb_codec utet_tiledb_gzip; /* zlib streams, as all released writers use them */
extern const utet_tiledb_codec utet_tiledb_zstd;

typedef struct utet_tiledb_options {
    const utet_tiledb_codec *const *codecs; /* a null-terminated list, or null: uncompressed tiles only */
    uint32_t most; /* bytes of raw tile that are accepted, 1 GiB at most; 0 = UTET_TILEDB_MAX_BYTES */
} utet_tiledb_options;

typedef struct utet_tiledb {
    struct {
        utet_file *file;
        uint8_t open;
        uint8_t step;     /* step of the suspended call */
        uint8_t decoding; /* what utet_tiledb_fetch does next, see tiledb_tile.c */
        uint8_t rule;     /* current rule of the fields: see tiledb_fields.c */
        uint8_t walk;     /* walk to a list of a schema: see tiledb_schema.c */
        uint8_t batch;    /* 1 + the batch of dimensions whose datatypes are being read again; 0: none is */
        uint8_t differs;  /* the text passed last is not the wanted one */
        const utet_tiledb_codec *decoder;
        const uint8_t *at; /* bytes of the raw tile that were asked for last */
        size_t have;       /* number of bytes at `at` */
        size_t done;       /* bytes delivered by a suspended read */
        uint8_t *raw;      /* the last `held` of the `made` bytes of raw tile decoded so far */
        size_t room;       /* there */
        size_t held;
        uint32_t made;
        uint32_t proven; /* the most that `made` has been */
        uint32_t area;   /* offset of the first chunk in the file */
        uint32_t cursor; /* offset of the next chunk in the file, or of the next part's data */
        uint32_t table;  /* offset of the next entry of the table of parts in the file */
        uint32_t chunks_left;
        uint32_t chunk_left; /* bytes of raw tile that the chunk still has to make */
        uint32_t data_left;  /* bytes of the file that belong to its parts not begun yet */
        uint32_t parts_left;
        uint32_t part_left; /* bytes of raw tile that the part still has to make */
        uint32_t place;     /* position of the next field in the raw tile */
        uint32_t passed;    /* bytes of the text that is walked through that have been looked at */
        uint32_t hash;      /* hash of the last text */
        uint32_t filters_left;
        uint32_t below;     /* bound of numbers that refer to something */
        const char *wanted; /* text that is searched for */
        uint32_t wanted_len;
        utet_tiledb_part part;
        utet_tiledb_filter passing; /* current filter of a list that is skipped */
    } priv;
    uint32_t chunks;         /* number of chunks; known once a field has been read */
    uint32_t persisted_size; /* size of the chunk area, in bytes */
    uint32_t version;        /* version of the format */
    uint32_t size;           /* size of the raw tile, in bytes */
    uint32_t pipeline_size;
    uint32_t max_chunk_size; /* as the header's list of filters says */
    uint8_t encryption;      /* 0 none, 1 AES-256-GCM */
    uint8_t filter;          /* how the chunks are compressed: 0, or its type (§3) */
    int32_t level;           /* compression level, as stored */
    utet_need need;          /* workspace, window included: least = as a stream, best = all of the tile in memory. least
                                is a bound from the tile's size; data with a smaller window are read in less */
    uint32_t error_at;       /* after an error in the raw tile: where; else where the field lies that was read last */
} utet_tiledb;

/*
 * Reads header and list of filters, divides the workspace. `file` has been initialised (utet_init) and stays
 * initialised; its codecs do not matter. options: null = all defaults. When the workspace holds it, the whole raw tile
 * is kept there, and nothing is decoded twice.
 * UTET_E_ARGUMENT: a pointer is null. UTET_E_STATE: the file is not initialised, or it has been opened as .tet.
 * UTET_E_BUDGET: the tile is larger than options->most, or the workspace is too small: file->needed.
 * UTET_E_VERSION: not 1..23. UTET_E_CODEC: the tile is encrypted
 * when tile->encryption is 1, else its codec was not given. UTET_E_SUPERBLOCK: the header is wrong (§2.1), or
 * the file has 4 GiB or more.
 * UTET_E_DIRECTORY: its list of filters is (§3).
 * Returns: OK, WOULD_BLOCK, E_ARGUMENT, E_STATE, E_BUDGET, E_SHORT, E_VERSION, E_CODEC, E_SUPERBLOCK, E_DIRECTORY,
 *          E_PORT
 */
utet_status utet_tiledb_open(utet_tiledb *tile, utet_file *file, const utet_tiledb_options *options);

/* A byte range of the raw tile, and a cursor in it. Texts need not be UTF-8, and may be empty. */
typedef struct utet_tiledb_text {
    uint32_t offset;
    uint32_t size; /* bytes not read yet */
} utet_tiledb_text;

/*
 * The next bytes of a text into `buffer`: `size` (≥ 1) of them, fewer only when the text ends. *got: bytes delivered,
 * valid with UTET_OK and UTET_END.
 * UTET_END: nothing is left, and *got is 0.
 * Returns: OK, END, WOULD_BLOCK, E_STATE, E_BUDGET, E_SHORT, E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY, E_INDEX, E_ROW,
 *          E_METADATA, E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_tiledb_read(utet_tiledb *tile, utet_tiledb_text *text, void *buffer, size_t size, size_t *got);

/* ---- reading lists of filters ---- */

/*
 * The next filter of a list.
 * Returns: OK, END, WOULD_BLOCK, E_STATE, E_BUDGET, E_SHORT, E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY, E_INDEX, E_ROW,
 *          E_METADATA, E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_tiledb_filter_next(utet_tiledb *tile, utet_tiledb_filters *filters, utet_tiledb_filter *filter);

/* ---- array schema (§4) --------------------------------------------------------------------------- */

/* utet_tiledb_item.kind, in the order of the file */
enum {
    UTET_TILEDB_DIMENSION,
    UTET_TILEDB_ATTRIBUTE,
    UTET_TILEDB_LABEL,
    UTET_TILEDB_ENUMERATION,
    UTET_TILEDB_RANGE,
    UTET_TILEDB_KINDS
};

/* utet_tiledb_schema.current_domain */
enum {
    UTET_TILEDB_DOMAIN_NONE,  /* versions below 22, or stored as empty: all of the domain */
    UTET_TILEDB_DOMAIN_RANGES /* one UTET_TILEDB_RANGE for each dimension */
};

/* An entry of one of the lists of a schema. A field belongs to the kinds that its comment names; else it is 0. */
typedef struct utet_tiledb_item {
    uint8_t kind;
    uint8_t datatype;             /* dimension, attribute, label; range: that of its dimension */
    uint8_t null_extent;          /* dimension: 1 = it has no tile extent */
    uint8_t nullable;             /* attribute: 0 or 1 */
    uint8_t fill_validity;        /* attribute: as stored; of use when nullable */
    uint8_t order;                /* attribute (version 17 and later), label: 0 none, 1 increasing, 2 decreasing */
    uint8_t relative;             /* label: 1 = the uri begins at the array's folder */
    uint8_t external;             /* label: 1 = the labels are an array of their own */
    uint32_t number;              /* number within its list, from 0 */
    uint32_t cell_val_num;        /* dimension, attribute, label: values of a cell, or UTET_TILEDB_VAR */
    uint32_t dimension;           /* label, range: number of the dimension */
    utet_tiledb_filters filters;  /* dimension: empty = the schema's coordinate filters hold; attribute */
    utet_tiledb_text name;        /* dimension, attribute, label, enumeration */
    utet_tiledb_text domain;      /* dimension: least and greatest value; empty for strings */
    utet_tiledb_text extent;      /* dimension: one value, empty with null_extent */
    utet_tiledb_text fill;        /* attribute: the fill value; empty before version 6: utet_tiledb_default */
    utet_tiledb_text enumeration; /* attribute: name of its enumeration, empty = none (version 20 and later) */
    utet_tiledb_text uri;         /* label: of the array of labels */
    utet_tiledb_text attribute;   /* label: its attribute there */
    utet_tiledb_text path;        /* enumeration: name of its file in __schema/__enumerations */
    utet_tiledb_text least;       /* range: least and greatest coordinate */
    utet_tiledb_text greatest;
    struct {
        uint32_t next; /* place of the item behind it */
    } priv;
} utet_tiledb_item;

#define UTET_TILEDB_REFERENCES 16       /* enumerations that are looked up by one pass of utet_tiledb_schema_check */
#define UTET_TILEDB_DIMENSIONS 64       /* whose datatypes are held at once, for the current domain */
#define UTET_TILEDB_DIMENSIONS_MAX 1024 /* maximum number of dimensions with a current domain */

typedef struct utet_tiledb_schema {
    uint32_t version;                              /* that of the tile */
    uint8_t allows_dups;                           /* 1: cells with the same coordinates may be there */
    uint8_t array_type;                            /* 0 dense, 1 sparse */
    uint8_t tile_order;                            /* 0 row-major, 1 column-major */
    uint8_t cell_order;                            /* 0 row-major, 1 column-major, 2 global, 4 Hilbert (sparse only) */
    uint64_t capacity;                             /* cells of a data tile of a sparse array */
    utet_tiledb_filters coords, offsets, validity; /* lists of filters that hold for the whole array; validity: empty
                                                      before version 7 */
    uint32_t count[UTET_TILEDB_KINDS]; /* items of each kind; valid for those up to the one that was read last, and for
                                          all after utet_tiledb_schema_check */
    uint8_t current_domain;
    struct {
        utet_tiledb *tile; /* null: not open */
        uint8_t known;     /* lists whose place is known */
        uint8_t empty;     /* emptiness of the current domain, as stored (like `shape`) */
        uint8_t shape;
        uint8_t type;                          /* type of all dimensions, in versions before 5 */
        uint32_t form;                         /* version of the current domain: 0 */
        uint32_t number;                       /* number of the next item */
        uint32_t begin[UTET_TILEDB_KINDS + 1]; /* position of the first item of each list, and of the end */
        utet_tiledb_item item;                 /* that is being walked through */
        uint8_t batch; /* the dimensions of `types`, counted in steps of UTET_TILEDB_DIMENSIONS */
        uint8_t types[UTET_TILEDB_DIMENSIONS];
        uint32_t range; /* number and place of the range whose datatype is being read */
        uint32_t range_place;
        struct { /* attributes' references to enumerations, while they are checked */
            uint8_t used;
            uint8_t rounds;
            uint32_t checked; /* attributes whose reference has been kept, in this round or an earlier one */
            struct {
                uint32_t hash;
                uint32_t place;
            } kept[UTET_TILEDB_REFERENCES];
        } references;
    } priv;
} utet_tiledb_schema;

/*
 * Reads the head of a schema: what is in the public fields, and count[UTET_TILEDB_DIMENSION].
 * UTET_E_VERSION: it is another version than the tile's.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_BUDGET, E_SHORT, E_VERSION, E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY, E_INDEX,
 *          E_ROW, E_METADATA, E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_tiledb_schema_open(utet_tiledb_schema *schema, utet_tiledb *tile);

/*
 * Checks that all of the schema is as §4 says, and that nothing follows it. Reads it once, and again for each 16
 * enumerations that attributes refer to, at most 16 times: references to more than 256 different ones are not checked.
 * A current domain of more than 64 dimensions requires one more pass through the dimensions for each further 64.
 * UTET_E_RANGE: it has a current domain, and more than UTET_TILEDB_DIMENSIONS_MAX dimensions.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_BUDGET, E_RANGE, E_SHORT, E_DTYPE, E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY,
 *          E_INDEX, E_ROW, E_METADATA, E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_tiledb_schema_check(utet_tiledb_schema *schema);

/*
 * The first item of a kind. Everything that the item says by itself has been checked. The texts of an item that was
 * just read cost no second decoding if the item is shorter than the part of the raw tile that is held.
 * UTET_END: there is none. UTET_E_ARGUMENT: there is no such kind. UTET_E_RANGE: a current domain of more than
 * UTET_TILEDB_DIMENSIONS_MAX dimensions.
 * Returns: OK, END, WOULD_BLOCK, E_ARGUMENT, E_STATE, E_BUDGET, E_RANGE, E_SHORT, E_DTYPE, E_ZSTD_WINDOW,
 *          E_ZSTD_DICT, E_ZSTD_LEGACY, E_INDEX, E_ROW, E_METADATA, E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_tiledb_first(utet_tiledb_schema *schema, unsigned kind, utet_tiledb_item *item);
/*
 * The item after *item, of the same kind.
 * UTET_END: there is none. UTET_E_ARGUMENT: *item is of no known kind.
 * Returns: OK, END, WOULD_BLOCK, E_ARGUMENT, E_STATE, E_BUDGET, E_SHORT, E_DTYPE, E_ZSTD_WINDOW, E_ZSTD_DICT,
 *          E_ZSTD_LEGACY, E_INDEX, E_ROW, E_METADATA, E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_tiledb_next(utet_tiledb_schema *schema, utet_tiledb_item *item);
/*
 * The first item of a kind with this name. A range has no name.
 * UTET_E_ARGUMENT: there is no such kind, or it has no names. UTET_E_NOT_FOUND: no item has this name.
 * Returns: OK, WOULD_BLOCK, E_ARGUMENT, E_STATE, E_BUDGET, E_NOT_FOUND, E_SHORT, E_DTYPE, E_ZSTD_WINDOW, E_ZSTD_DICT,
 *          E_ZSTD_LEGACY, E_INDEX, E_ROW, E_METADATA, E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_tiledb_find(utet_tiledb_schema *schema, unsigned kind, const char *name, size_t length,
                             utet_tiledb_item *item);

/* ---- enumeration files (§5.1) ------------------------------------------------------------------------ */

#define UTET_TILEDB_BATCH 32 /* offsets of values that are read at once */

typedef struct utet_tiledb_enumeration {
    uint32_t version; /* 0 */
    uint32_t cell_val_num;
    uint32_t count; /* of values */
    uint8_t datatype;
    uint8_t ordered; /* 0 or 1 */
    utet_tiledb_text name;
    utet_tiledb_text path;    /* the file's own name */
    utet_tiledb_text data;    /* all values, consecutive */
    utet_tiledb_text offsets; /* values of any length: where each begins in data, 8 bytes each; else empty */
    struct {
        utet_tiledb *tile;
        uint32_t value_size; /* 0: of any length */
        uint32_t first;      /* number of the first value whose offset is in batch */
        uint32_t filled;     /* offsets there */
        uint32_t number;     /* number of the current value */
        uint32_t passed;     /* bytes of it compared */
        uint32_t batch[UTET_TILEDB_BATCH + 1];
    } priv;
} utet_tiledb_enumeration;

/*
 * Reads the head of an enumeration and checks the sizes in it.
 * UTET_E_VERSION: the enumeration's own version is not 0.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_BUDGET, E_SHORT, E_VERSION, E_DTYPE, E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY,
 *          E_INDEX, E_ROW, E_METADATA, E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_tiledb_enumeration_open(utet_tiledb_enumeration *enumeration, utet_tiledb *tile);
/*
 * Checks all offsets of values, too, and that nothing follows the enumeration.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_BUDGET, E_SHORT, E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY, E_INDEX, E_ROW,
 *          E_METADATA, E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_tiledb_enumeration_check(utet_tiledb_enumeration *enumeration);

/*
 * Value `index`, from 0. The offsets are read UTET_TILEDB_BATCH at a time: values in order cost two passes a batch when
 * the raw tile is not in memory.
 * UTET_E_RANGE: the enumeration has fewer values.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_BUDGET, E_RANGE, E_SHORT, E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY, E_INDEX,
 *          E_ROW, E_METADATA, E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_tiledb_value(utet_tiledb_enumeration *enumeration, uint32_t index, utet_tiledb_text *value);
/*
 * Number of the first value that equals the `length` bytes at `value`.
 * UTET_E_NOT_FOUND: no value does.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_BUDGET, E_NOT_FOUND, E_SHORT, E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY,
 *          E_INDEX, E_ROW, E_METADATA, E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_tiledb_value_find(utet_tiledb_enumeration *enumeration, const void *value, size_t length,
                                   uint32_t *index);

/* ---- array metadata files (§5.2) ----------------------------------------------------------------------- */

typedef struct utet_tiledb_entry {
    utet_tiledb_text key;
    utet_tiledb_text value; /* count × size of the datatype */
    uint32_t count;
    uint8_t deleted; /* 1: the key is removed; the other fields are 0 */
    uint8_t datatype;
    struct {
        uint32_t next;
    } priv;
} utet_tiledb_entry;

/*
 * The first entry of a file / the one after *entry, in file order, which is that of the keys' bytes. Of several files
 * of an array a later one overrides an earlier one, key by key. UTET_END: nothing follows, and the tile ends there.
 * Returns: OK, END, WOULD_BLOCK, E_STATE, E_BUDGET, E_SHORT, E_DTYPE, E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY,
 *          E_INDEX, E_ROW, E_METADATA, E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_tiledb_entry_first(utet_tiledb *tile, utet_tiledb_entry *entry);
utet_status utet_tiledb_entry_next(utet_tiledb *tile, utet_tiledb_entry *entry);
/*
 * The entry of a key. UTET_E_NOT_FOUND: the file says nothing of it.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_BUDGET, E_NOT_FOUND, E_SHORT, E_DTYPE, E_ZSTD_WINDOW, E_ZSTD_DICT,
 *          E_ZSTD_LEGACY, E_INDEX, E_ROW, E_METADATA, E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_tiledb_entry_find(utet_tiledb *tile, const char *key, size_t length, utet_tiledb_entry *entry);

/* ---- datatypes and names ----------------------------------------------------------------------------------- */

/* those that calls treat in a way of their own (§4.6) */
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
/* The fill value of attributes of format versions before 6, one value of a cell; returns its size, 0 for numbers that
 * are no datatype. */
unsigned utet_tiledb_default(unsigned datatype, uint8_t value[8]);
/* Names as TileDB has them; "?" for numbers that are none. */
const char *utet_tiledb_type_name(unsigned datatype);
const char *utet_tiledb_filter_name(unsigned type);

/*
 * Tiles along a dimension of whole numbers, date-times or times, from its least and greatest value and its extent, as
 * stored. UINT64_MAX when there are that many or more, 0 when it is undefined (another datatype, an extent of 0 or
 * less, a domain the wrong way round).
 */
uint64_t utet_tiledb_tiles(unsigned datatype, const void *domain, const void *extent);

/* What the name of a file says: __<t1>_<t2>_<32 hexadecimal digits>[_<version>], t1 and t2 in milliseconds since
 * 1970. */
typedef struct utet_tiledb_stamp {
    uint64_t first;
    uint64_t last;
    uint32_t version; /* 0 = not in the name */
} utet_tiledb_stamp;

/*
 * Takes a name apart. UTET_E_NOT_FOUND: it is not such a name.
 * Returns: OK, E_NOT_FOUND
 */
utet_status utet_tiledb_name(const char *name, size_t length, utet_tiledb_stamp *stamp);

#define UTET_TILEDB_NAME_SIZE 96 /* enough for such a name, ".vac" and the terminator */

/*
 * The file with the last such name in the folder at `path`, of an array `__schema`: the schema that counts. Folders are
 * skipped. Blocks. size: size of `name`, at least UTET_TILEDB_NAME_SIZE.
 * UTET_E_NOT_FOUND: there is no such folder, or no such file in it. UTET_E_SPACE: `size` is too small.
 * Returns: OK, E_NOT_FOUND, E_SPACE, E_PORT
 */
utet_status utet_tiledb_newest(const utet_folder *folder, const char *path, char *name, size_t size);
/*
 * Likewise, the schema that counted at a time in milliseconds since 1970: the last of the names whose second time is
 * not later, as in TileDB; when all are later, the first of them. Beside such files __array_schema.tdb may lie in the
 * array's folder: it is older than they all.
 * Returns: OK, E_NOT_FOUND, E_SPACE, E_PORT
 */
utet_status utet_tiledb_newest_at(const utet_folder *folder, const char *path, uint64_t at, char *name, size_t size);

/* For utet_sizeof (utet.h): numbers of the types of this header. */
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
/* Deprecated: names of version 0.9, which version 1.0 removes (src/MIGRATING.md). */
#define UTET_TILEDB_MOST UTET_TILEDB_MAX_BYTES
#define UTET_TILEDB_RAW_LEAST UTET_TILEDB_RAW_MIN
#define UTET_TILEDB_DIMENSIONS_MOST UTET_TILEDB_DIMENSIONS_MAX

#ifdef __cplusplus
}
#endif

#endif
