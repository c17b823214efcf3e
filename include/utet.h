/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * microtet: reads Tetration .tet tensor files on machines with kilobytes of RAM.
 *
 * Section numbers (§) are those of src/tet/FORMAT.md, which describes the files: superblock §2,
 * directory §3, chunk index §4, payloads §5, footer §6.
 *
 * The application gives the library three things: a port (utet_io: how to get bytes), a
 * workspace (the only RAM that the library uses besides its objects and the stack), and
 * the codecs that it wants linked. Everything else is a call that returns a utet_status.
 *
 * A negative status is an error. UTET_END and UTET_WOULD_BLOCK are positive and no errors.
 * A call that returns UTET_WOULD_BLOCK is suspended: it has changed nothing that the caller
 * can see. Repeat it with the same arguments until it returns something else. Until then all that
 * the arguments point to stays where it is and as it is: objects, requests, texts, ranges, buffers.
 * Meanwhile all other calls on the same file return UTET_E_STATE, and so does the same call with
 * other objects where the library can tell; the suspended one then continues as if nothing had been called.
 * So does a call that is repeated with another destination or size (of folds: UTET_E_SPACE, if the size is too small).
 * utet_dataset_name, folds and answers do not notice another destination that is large enough: a part of the result
 * stays in the first one. No call writes or reads outside of the memory that its repetition names.
 * A call that stands on other calls, such as utet_fold_run or utet_query_bind, is one call in this. A
 * call on two files, such as utet_query_bind, suspends both; to give it up, cancel both.
 *
 * The comment of a call ends with a list of all statuses that it can return: "Returns:" and
 * their names without UTET_, in the order of the enum in utet_io.h. E_PORT there stands for
 * UTET_E_PORT and every code below it. The comment explains a status where the enum's own
 * comment is not enough.
 *
 * One file object belongs to one thread; different objects are independent.
 */
#ifndef UTET_H
#define UTET_H

#include "utet_io.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __ELF__
#pragma GCC visibility push(default)
#endif

/* Library version: the one place where it is written. As a number: major * 10000 + minor * 100 + patch. */
#define UTET_VERSION_MAJOR 0
#define UTET_VERSION_MINOR 9
#define UTET_VERSION_PATCH 0
#define UTET_VERSION (UTET_VERSION_MAJOR * 10000 + UTET_VERSION_MINOR * 100 + UTET_VERSION_PATCH)
#define UTET_VERSION_TEXT            \
    UTET_TEXT_OF(UTET_VERSION_MAJOR) \
    "." UTET_TEXT_OF(UTET_VERSION_MINOR) "." UTET_TEXT_OF(UTET_VERSION_PATCH)
#define UTET_TEXT_OF(number) UTET_TEXT_OF_(number)
#define UTET_TEXT_OF_(number) #number
/* The `.tet` layout that this library reads. */
#define UTET_LAYOUT_VERSION 1

/* Maximum rank: the format has no more (§3), and the headroom of the window holds 8 extents. */
#define UTET_MAX_NDIM 8

/* ---- memory ------------------------------------------------------------------- */

/*
 * The workspace holds the window (the one cache through which the port is read) and
 * the memory of a codec. It may begin anywhere: any uint8_t work[] is sufficient. The window needs
 * UTET_WINDOW_LEAST bytes and takes up to UTET_WINDOW_BEST. With io.map there is no window,
 * and the workspace may be empty. What lies behind the window begins at a multiple of 8: up to 7 bytes
 * in front of it are lost, unless the workspace's address is a multiple of 8. With io.align a over 1 up to a - 1
 * bytes are lost in front of the window, unless that address is a multiple of a. All needs count what is lost.
 * The least workspace that opens a file is UTET_WINDOW_LEAST(unit). Opening touches at most
 * UTET_OPEN_WORK(unit) bytes of it; afterwards the budget is in force (see utet_options).
 */
#define UTET_HEADROOM 128u
#define UTET_WINDOW_LEAST(unit) (UTET_HEADROOM + ((unit) > 64u ? (unit) : 64u))
#define UTET_WINDOW_BEST(unit) (UTET_HEADROOM + ((unit) > 512u ? (unit) : 512u))
#define UTET_OPEN_WORK(unit) UTET_WINDOW_BEST(unit)

/* ---- file ---------------------------------------------------------------------- */

typedef struct utet_codec utet_codec; /* utet_codec.h */

/* Public fields may be read after utet_open; all offsets and sizes are in bytes. */
typedef struct utet_file {
    /* private; the fields used most come first, where short instructions of small machines reach them */
    struct {
        uint8_t step; /* how far the suspended call has come, with priv.call; 0 when a call begins */
        uint8_t busy; /* the call that is suspended, 0 = none */
        uint8_t state;
        uint8_t ndim;       /* while opening: of the record whose name is being checked */
        utet_status status; /* of opening, once it failed */
        const utet_io *io;
        const uint8_t *at; /* the bytes that utet_fetch made addressable */
        uint8_t *tail;     /* end of what the window holds */
        size_t have;       /* bytes at priv.at; also the number that the port answered last */
        size_t held;       /* bytes held by the window, before priv.tail */
        size_t done;       /* bytes delivered by a suspended copy */
        uint8_t *work;
        size_t window;     /* from work on, headroom included; 0 with map */
        size_t lent;       /* bytes behind it and what is lost that the owner may use */
        const void *owner; /* the stream or slab that has the workspace behind the window */
        const utet_codec *const *codecs;
        int32_t displaced;      /* distance of the row that the last scan found from its predicted position, in rows */
        struct utet_rows *rows; /* row cache of the caller, or NULL */
        const void *nested;     /* suspended composite call: where it keeps its pending inner call */
        uint8_t *buffer;        /* behind the headroom: where the port reads to; with map: work */
        uint64_t end;           /* file offset of *priv.tail */
        union {                 /* what the suspended call has found; all 0 when a call begins that uses it */
            struct {
                uint32_t records_left;
                uint32_t name_left; /* bytes of the name being checked */
                uint64_t place;     /* position in the directory of the next record, or of the rest of the name */
                uint64_t directory_end;
            } open;
            struct {               /* the search for a name */
                uint32_t compared; /* bytes of a record's name that are equal */
            } record;
            struct { /* the row of a tile */
                struct utet_tile {
                    uint64_t bytes; /* decoded; saturated */
                    uint64_t row;   /* where its row is predicted; saturated */
                } tile;
                uint64_t row; /* the one to look at */
            } lookup;
            struct { /* utet_chunk_need: its stream does not outlive the call */
                uint64_t scratch[2];
            } need;
            struct { /* utet_meta_strict */
                uint64_t row;
            } strict;
            struct { /* a call with a destination, or a text to look for */
                const void *at;
                size_t size;
                uint8_t kept;
            } given;
            uint64_t all[3]; /* as large as the largest of them: what is cleared */
        } call;
    } priv;
    /* public */
    size_t budget;         /* the wall in force: bytes of the workspace that may be touched */
    size_t high_water;     /* most bytes of the workspace used so far */
    uint64_t error_offset; /* after medium and data errors, and UTET_E_PORT or below: where in the
                              file the structure lies that is damaged or could not be read */
    uint32_t dataset_count;
    uint32_t flags;        /* flags of the superblock, as stored (§2) */
    uint64_t index_offset; /* offset of the index header; rows follow 32 bytes later (§4) */
    uint64_t row_count;    /* rows of the chunk index */
    uint64_t needed;       /* after UTET_E_BUDGET: the sufficient workspace or budget, in bytes */
    uint64_t index_length;
    uint64_t footer_offset;             /* where the footer JSON begins; io.size without a footer (§6.1) */
    uint64_t footer_length;             /* length of the footer JSON, in bytes; 0 without a footer */
    uint32_t history_version;           /* 0 = no footer, else 1 or 2 (§6.1) */
    utet_status footer_status;          /* why there is no usable footer: see utet_open */
    uint32_t memory_budget_bytes;       /* as stored (§4) */
    uint16_t memory_budget_percent_bps; /* as stored (§4), hundredths of a percent */
} utet_file;

/*
 * Prepares `file`; touches neither the port nor the workspace.
 * io: stays the caller's and must outlive the file. work: work_len bytes, at any
 * address. codecs: a null-terminated list of codec descriptors, which must outlive the
 * file; null for a reader of raw chunks only.
 * UTET_E_ARGUMENT: a pointer is null, or unit or align are not as required.
 * Returns: OK, E_ARGUMENT
 */
utet_status utet_init(utet_file *file, const utet_io *io, void *work, size_t work_len, const utet_codec *const *codecs);

/* How a file is opened. All zero, or a null pointer instead, means the defaults. */
typedef struct utet_options {
    size_t budget;    /* bytes of the workspace that may be touched, whatever the file says; 0 = the file
                         decides: its memory_budget_bytes, else its memory_budget_percent_bps of ram_bytes
                         (rounded up) when both are given, else no limit. The workspace's length limits
                         it in every case */
    size_t ram_bytes; /* RAM of the machine, below 2^48; 0 = unknown */
} utet_options;

/*
 * Reads superblock, directory, index header and footer tail, and checks them (§9). It does not
 * read rows: each row is checked when it is used, all of them by utet_check_next. It does not
 * read the footer's JSON: see utet_meta.h.
 * options: null = all defaults. They must stay until the call has ended.
 * A file with a bad footer tail opens all the same, because its tensors are readable (§20, D2).
 * Then footer_status is UTET_E_FOOTER or UTET_E_FOOTER_VERSION, error_offset says where, and
 * payloads may lie anywhere up to the end of the file.
 * An error sticks: later calls return it again, until utet_init.
 * UTET_E_STATE: the file is not initialised, or it is open already. UTET_E_BUDGET: the
 * workspace is smaller than UTET_WINDOW_LEAST.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_BUDGET, E_SHORT, E_MAGIC, E_VERSION, E_INDEX_VERSION, E_SUPERBLOCK,
 *          E_DIRECTORY, E_DATASET, E_INDEX, E_PORT
 */
utet_status utet_open(utet_file *file, const utet_options *options);

/*
 * Ends a suspended call, and calls the port's cancel if there is one. Call it before you use the
 * memory of a suspended object for something else. Without a suspended call it does nothing.
 * A stream or slab whose call was suspended is over: its calls return UTET_E_STATE. An older one
 * that it was about to replace is over, too. After a suspended utet_open the file is as after
 * utet_init.
 * Returns: OK
 */
utet_status utet_cancel(utet_file *file);

/* ---- datasets (§3) ---------------------------------------------------------------- */

/* dtype tags */
enum {
    UTET_F32 = 1,
    UTET_F64 = 2,
    UTET_I32 = 3,
    UTET_I64 = 4,
    UTET_U8 = 5,
    UTET_U16 = 6,
    UTET_I16 = 7,
    UTET_U32 = 8,
    UTET_F16 = 9,
    UTET_U64 = 10
};

/* One record of the directory, and a cursor over it. Axis 0 is the slowest. */
typedef struct utet_dataset {
    uint8_t elem_size;    /* bytes of an element; 0 = unknown dtype */
    uint8_t ndim;         /* 1..8 */
    uint32_t id;          /* number of the record, from 0 */
    uint32_t dtype;       /* as stored; may be none of the known ones */
    uint32_t name_length; /* bytes, UTF-8, not terminated; see utet_dataset_name */
    uint64_t name_offset;
    struct {
        uint64_t first_row; /* predicted row of its first chunk; saturated = unknown */
        uint64_t next;      /* offset of the next record */
        uint64_t next_row;  /* predicted first row of its chunks */
    } priv;
    uint64_t shape[UTET_MAX_NDIM];       /* elements; 0 = empty dataset */
    uint64_t chunk_shape[UTET_MAX_NDIM]; /* elements; may be larger than shape */
    uint64_t grid[UTET_MAX_NDIM];        /* chunks along each axis; 0 for a shape of 0,
                                            else UINT64_MAX for a chunk_shape of 0 */
} utet_dataset;

/*
 * Record 0 into *dataset / the record after *dataset. The contents of *dataset mean nothing
 * while the call is suspended and after an error. At UTET_END of utet_dataset_next they stay
 * as they were.
 * UTET_END: there are no more records. UTET_E_DATASET: the medium changed since opening.
 * Returns: OK, END, WOULD_BLOCK, E_STATE, E_SHORT, E_DATASET, E_PORT
 */
utet_status utet_dataset_first(utet_file *file, utet_dataset *dataset);
utet_status utet_dataset_next(utet_file *file, utet_dataset *dataset);

/*
 * The first record whose name equals the `length` bytes at `name`. Reads the directory
 * at most once.
 * UTET_E_DATASET: the medium changed since opening.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_NOT_FOUND, E_SHORT, E_DATASET, E_PORT
 */
utet_status utet_dataset_find(utet_file *file, const char *name, size_t length, utet_dataset *dataset);

/*
 * Copies name bytes [from, from + size) into `buffer`; the caller keeps from + size
 * within name_length. No terminator is written.
 * UTET_E_RANGE: the bytes lie beyond the name.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_RANGE, E_SHORT, E_PORT
 */
utet_status utet_dataset_name(utet_file *file, const utet_dataset *dataset, uint32_t from, char *buffer, size_t size);

/* ---- chunks (§4) ------------------------------------------------------------------- */

enum { UTET_CODEC_RAW = 0, UTET_CODEC_ZSTD = 1 };

/* One row of the chunk index. The fields up to stored_byte_len have the order of the file. */
typedef struct utet_chunk {
    uint64_t dataset_id;
    uint64_t coords[UTET_MAX_NDIM]; /* in chunks; the dataset's ndim count */
    uint64_t payload_offset;
    uint64_t raw_byte_len;    /* decoded size */
    uint64_t stored_byte_len; /* size in the file */
    uint64_t row;             /* its number, from 0 */
    uint32_t codec;
} utet_chunk;

/*
 * The chunk at `coords` (ndim values, in chunks). The place of its row is predicted, and the row
 * there is compared. If that is another chunk's row, the place as far from there as the row that
 * was last found out of place is tried; then all rows are read, and the first match wins (§4).
 * Checks the row: codec, lengths, place, and that raw_byte_len is the tile's size.
 * UTET_E_RANGE: coords lie outside of the grid. UTET_E_DATASET: a chunk_shape is 0.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_RANGE, E_MISSING, E_SHORT, E_DTYPE, E_DATASET, E_ROW, E_PORT
 */
utet_status utet_chunk_find(utet_file *file, const utet_dataset *dataset, const uint64_t *coords, utet_chunk *chunk);

/* Where the rows of one dataset are. Linked only if used. */
typedef struct utet_rows {
    struct {              /* private */
        uint32_t *row_of; /* each chunk, row-major: the number of its row and 1; 0: not known */
        uint64_t count;
        uint64_t learned; /* rows of the index that have been looked at */
        uint32_t dataset;
        uint32_t *lists; /* NULL, or the memory of utet_rows_lists: the last row of each dataset, */
        uint32_t *next;  /* and the row after each row of the same dataset */
        uint32_t datasets;
        uint32_t listed; /* rows that have been looked at for any dataset */
        uint32_t seen;   /* the last one of this dataset's that has been, and 1 */
        utet_status (*find)(utet_file *file, const utet_dataset *dataset, const uint64_t *coords, utet_chunk *chunk);
    } priv;
} utet_rows;

/*
 * Lends memory for the places of a dataset's rows, for files whose rows are in any other order than
 * the predicted one. All lookups together, of chunks and in slabs, then read the index at most once
 * beside the rows themselves, instead of once each; what is found does not change. `memory`:
 * `count` numbers, one for each chunk of the dataset, 4 bytes a chunk. It and *rows are the library's
 * until utet_init, or until the next utet_rows_init for this file, which may name another dataset.
 * Reads nothing. UTET_E_SPACE: the dataset has more than `count` chunks, or the index 2^32 - 1 rows
 * or more; nothing has changed then.
 * Returns: OK, E_ARGUMENT, E_STATE, E_SPACE
 */
utet_status utet_rows_init(utet_rows *rows, utet_file *file, const utet_dataset *dataset, uint32_t *memory,
                           size_t count);

/*
 * Lends more memory, behind utet_rows_init with the same *rows, for files of many datasets: what a
 * search passes of other datasets is noted, and found when utet_rows_init has named those. So all
 * lookups in all datasets, one dataset after the other, read the index at most twice beside the rows
 * themselves; without it, once for each dataset. `memory`: `count` numbers, one for each dataset and
 * one for each row of the file. It is the library's as long as *rows is.
 * Reads nothing. UTET_E_STATE: *rows is not the file's. UTET_E_SPACE: count is less.
 * Returns: OK, E_ARGUMENT, E_STATE, E_SPACE
 */
utet_status utet_rows_lists(utet_rows *rows, utet_file *file, uint32_t *memory, size_t count);

/*
 * Row 0 / the row after *chunk, in file order, of any dataset. Checks the row by itself
 * (codec, lengths, place), but not against its dataset.
 * Returns: OK, END, WOULD_BLOCK, E_STATE, E_SHORT, E_ROW, E_PORT
 */
utet_status utet_row_first(utet_file *file, utet_chunk *chunk);
utet_status utet_row_next(utet_file *file, utet_chunk *chunk);

/* ---- streams: the bytes of one chunk, in order (§5) ---------------------------------- */

/* Bytes come as stored: little-endian elements, row-major within the tile. */
typedef struct utet_stream {
    uint64_t length;   /* decoded bytes of the chunk */
    uint64_t position; /* bytes delivered or skipped so far */
    /* private; utet_codec.h says how codecs use them */
    struct {
        utet_file *file;
        const utet_codec *codec; /* raw: one without need, open, step */
        uint64_t offset;         /* offset of the payload in the file */
        uint64_t stored;         /* its length */
        uint8_t *whole;          /* destination of the whole chunk, or null */
        uint8_t *work;           /* memory for the codec, a multiple of 8 */
        size_t work_len;
        const uint8_t *out; /* decoded, not yet delivered */
        size_t avail;       /* bytes there */
        uint64_t done;      /* bytes that the pending call has delivered */
        uint64_t scratch[2];
        utet_status status; /* an error that stuck */
        uint8_t stage;      /* of opening: how far the codec has come */
        uint8_t carried;    /* bytes collected in priv.carry */
        uint8_t carry[8];   /* an element that came in two pieces */
    } priv;
} utet_stream;

/*
 * The memory that a stream over `chunk` needs. whole: 0 = it is read in slices, 1 = it is loaded
 * as a whole (utet_stream_load). May read headers of the payload.
 * UTET_E_ROW: the chunk does not come from this file.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_SHORT, E_CODEC, E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY, E_ROW, E_PAYLOAD,
 *          E_PORT
 */
utet_status utet_chunk_need(utet_file *file, const utet_chunk *chunk, int whole, utet_need *need);

/*
 * Begins reading `chunk` in slices. The stream gets the workspace behind the window, so an older
 * stream or slab of this file is over. A stream needs no closing; only when a call on it is
 * suspended, call utet_cancel first.
 * UTET_E_ROW: the chunk does not come from this file. UTET_E_CHECKSUM: only of an empty chunk,
 * whose payload is checked at once.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_BUDGET, E_SHORT, E_CODEC, E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY, E_ROW,
 *          E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_stream_open(utet_stream *stream, utet_file *file, const utet_chunk *chunk);

/*
 * The next bytes of the chunk into `buffer`: `size` of them, fewer only when the chunk
 * ends. *got: bytes delivered, valid with every status except UTET_WOULD_BLOCK
 * (then keep `buffer` and repeat). The slice with the chunk's last byte is delivered
 * only after the end of the payload and its checksum, if there is one, have been checked.
 * All earlier slices are unverified until then.
 * Medium and data errors stick to the stream; the file stays usable.
 * UTET_END: position is length, and *got is 0.
 * Returns: OK, END, WOULD_BLOCK, E_STATE, E_SHORT, E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY, E_PAYLOAD, E_CHECKSUM,
 *          E_PORT
 */
utet_status utet_stream_read(utet_stream *stream, void *buffer, size_t size, size_t *got);

/*
 * Moves on by `count` bytes, at most to the end of the chunk. Nothing of a raw chunk is read for
 * that. UTET_OK: done, also when the chunk ended before `count`.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_SHORT, E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY, E_PAYLOAD, E_CHECKSUM,
 *          E_PORT
 */
utet_status utet_stream_skip(utet_stream *stream, uint64_t count);

/*
 * The whole chunk into `buffer` (size ≥ raw_byte_len). The codec needs less memory than for
 * slices, because `buffer` is its history. `stream` holds the state of the call; its contents
 * before and after do not matter.
 * UTET_E_SPACE: size < raw_byte_len. UTET_E_ROW: the chunk does not come from this file.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_BUDGET, E_SPACE, E_SHORT, E_CODEC, E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY,
 *          E_ROW, E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_stream_load(utet_stream *stream, utet_file *file, const utet_chunk *chunk, void *buffer, size_t size);

/* ---- slabs: hyperslab selections --------------------------------------------------- */

/* Indices start, start + step, … below stop along one axis. */
typedef struct utet_range {
    uint64_t start; /* < extent of the axis (0 when that is 0) */
    uint64_t stop;  /* start < stop <= extent (0 when that is 0) */
    uint64_t step;  /* >= 1 */
} utet_range;

/* `count` elements of elem_size bytes each, `stride` bytes apart. Their row-major places within
 * the selection are first, first + 1, … data: not aligned; belongs to the library and is valid
 * until the next call on the file. */
typedef struct utet_run {
    const uint8_t *data;
    size_t count;
    size_t stride;
    uint64_t first;
} utet_run;

/* One axis of a selection, in elements. */
typedef struct utet_axis {
    uint64_t count; /* selected places */
    /* private; the tile is the chunk being read */
    struct {
        uint64_t start; /* first selected place, in the dataset */
        uint64_t step;
        uint64_t base;   /* selected places before the tile */
        uint64_t inside; /* selected places in the tile */
        uint64_t first;  /* the first of them, from the tile's corner */
        uint64_t extent; /* extent of the tile */
        uint64_t place;  /* number of selected indices from this run to the next */
    } priv;
} utet_axis;

typedef struct utet_slab {
    uint64_t count; /* elements of the selection */
    utet_need need; /* the largest over the chunks it touches */
    struct {
        uint8_t state;
        utet_status status; /* an error that stuck */
        const utet_dataset *dataset;
        union {
            const struct utet_codec_driver *driver; /* opening: the raw driver, or that of the codecs */
            const void *into;                       /* utet_slab_read_all: destination of a suspended call */
        } during;
        utet_stream stream;
        utet_chunk chunk;
    } priv;
    utet_axis axis[UTET_MAX_NDIM];
} utet_slab;

/*
 * The memory that the selection given by `ranges` (ndim of them) needs. Fills slab->axis[].count,
 * count and need. Looks up every chunk that the selection touches, so a missing or damaged row
 * and a missing codec are found before any data are read.
 * UTET_E_RANGE: a range is not as utet_range says, or the selection has 2^64 - 1 elements or more.
 * UTET_E_DATASET: a chunk_shape is 0.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_RANGE, E_MISSING, E_SHORT, E_DTYPE, E_CODEC, E_ZSTD_WINDOW, E_ZSTD_DICT,
 *          E_ZSTD_LEGACY, E_DATASET, E_ROW, E_PAYLOAD, E_PORT
 */
utet_status utet_slab_need(utet_slab *slab, utet_file *file, const utet_dataset *dataset, const utet_range *ranges);

/*
 * Does what utet_slab_need does, and gives the slab the workspace behind the window: an older
 * stream or slab of this file is over. `dataset` must stay as it is while the slab is in use.
 * UTET_E_BUDGET: too small for a chunk of the selection; found before any data are read.
 * UTET_E_RANGE: a range is not as utet_range says, or the selection has 2^64 - 1 elements or more.
 * UTET_E_DATASET: a chunk_shape is 0.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_BUDGET, E_RANGE, E_MISSING, E_SHORT, E_DTYPE, E_CODEC, E_ZSTD_WINDOW,
 *          E_ZSTD_DICT, E_ZSTD_LEGACY, E_DATASET, E_ROW, E_PAYLOAD, E_PORT
 */
utet_status utet_slab_open(utet_slab *slab, utet_file *file, const utet_dataset *dataset, const utet_range *ranges);

/*
 * The next run, in the order of the medium: chunk after chunk, each read once and only
 * as far as needed; of raw chunks only the bytes needed.
 * UTET_E_ROW: a row is wrong; or it has changed since the slab was opened, and asks for more
 * memory or for another codec than it did then.
 * Returns: OK, END, WOULD_BLOCK, E_STATE, E_MISSING, E_SHORT, E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY, E_ROW,
 *          E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_slab_next(utet_slab *slab, utet_run *run);

/*
 * All remaining runs into a dense row-major array of slab->count elements.
 * UTET_E_SPACE: size < count * elem_size. UTET_E_ROW: as at utet_slab_next.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_MISSING, E_SPACE, E_SHORT, E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY, E_ROW,
 *          E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_slab_read_all(utet_slab *slab, void *buffer, size_t size);

/* ---- codecs --------------------------------------------------------------------------- */

/* For the list that utet_init gets. Writing one of your own: utet_codec.h. */
extern const utet_codec utet_codec_zstd_upstream; /* the zstd package, about 30 KB and a block */
extern const utet_codec utet_codec_zstd_small;    /* our own, 4 to 10 KB */

/* ---- odds and ends --------------------------------------------------------------------- */

/* The version of the library that is linked, as UTET_VERSION and as UTET_VERSION_TEXT. */
uint32_t utet_version(void);
const char *utet_version_text(void);

/* For utet_sizeof: numbers of the types of this header. Each other header has those of its own types. A number never
 * changes; a new type takes the next one that no header has. */
enum {
    UTET_OBJECT_FILE = 0,
    UTET_OBJECT_DATASET = 1,
    UTET_OBJECT_CHUNK = 2,
    UTET_OBJECT_STREAM = 3,
    UTET_OBJECT_SLAB = 4,
    UTET_OBJECT_OPTIONS = 11,
    UTET_OBJECT_ROWS = 12,
    UTET_OBJECT_RANGE = 13,
    UTET_OBJECT_RUN = 14,
    UTET_OBJECT_AXIS = 15
};

/* Size in bytes of a type in the library that is linked; 0 for an unknown number, and for a type that this library does
 * not have (one of the joined files, a processor with pointers of 16 bits). For callers in other languages, and for a
 * check that header and library belong together. */
size_t utet_sizeof(unsigned object);

/* What was compiled: version, layout, limits, as one line of text; for logs. */
const char *utet_build_info(void);

/* Turns `count` little-endian elements of elem_size bytes into the machine's byte order
 * in place; does nothing on a little-endian machine. */
void utet_to_native(void *elements, size_t count, size_t elem_size);

#ifdef __ELF__
#pragma GCC visibility pop
#endif
/* Deprecated: names of version 0.9, which version 1.0 removes (src/MIGRATING.md). */
#define utet_slab_run utet_slab_next
#define utet_slab_into utet_slab_read_all

#ifdef __cplusplus
}
#endif

#endif
