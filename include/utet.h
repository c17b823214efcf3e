/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * microtet: reads Tetration .tet tensor files on microcontrollers with kilobytes of RAM.
 *
 * Section numbers (§) refer to src/tet/FORMAT.md, which describes the files: superblock §2, directory §3, chunk index
 * §4, payloads §5, footer §6.
 *
 * The application gives the library three things: a port (utet_io: how to read the file), a workspace (the only RAM
 * that the library uses apart from its objects and the stack), and the list of codecs to link. Everything else is a
 * call that returns a utet_status.
 *
 * A negative status is an error; UTET_END and UTET_WOULD_BLOCK are positive and are not errors.
 *
 * A call that returns UTET_WOULD_BLOCK is suspended; nothing that the caller can see has changed. Repeat the call with
 * the same arguments until it returns something else. Until then, do not move or change anything that the arguments
 * point to: objects, requests, texts, ranges, buffers. Meanwhile all other calls on the same file return UTET_E_STATE.
 * So does the same call with other objects, if the library can detect it, or with another destination or size (for
 * folds: UTET_E_SPACE, if the size is too small). The suspended call then continues as if no other call had been made.
 * utet_dataset_name, folds and queries do not detect another destination that is large enough: a part of the result
 * stays in the first one. A repeated call never reads or writes outside of the memory that its own arguments name.
 * A call that makes other calls, such as utet_fold_run or utet_query_bind, counts as one call. A call on two files,
 * such as utet_query_bind, suspends both files; to abandon it, cancel both.
 *
 * The comment of each call ends with the list of all statuses that the call can return: "Returns:" and their names
 * without UTET_, in the order of the enum in utet_io.h. In these lists, E_PORT means UTET_E_PORT and every lower code.
 * The comment explains a status only if the enum's own comment is not enough.
 *
 * A file object belongs to one thread; different objects are independent.
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

/* Library version, defined only here. As a number: major * 10000 + minor * 100 + patch. */
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

/*
 * Maximum rank. The format has no more than UTET_FORMAT_NDIM axes (§3), and the headroom of the window holds 8 extents.
 * -DUTET_MAX_NDIM=2, for example, makes utet_dataset, utet_chunk, utet_slab and the objects of folds smaller. Library
 * and application need the same number, and the linker compares them: the number is then a part of utet_init's name.
 * Datasets with more axes are refused; the other datasets of the file can be read. A refused dataset has its name, and
 * 0 as ndim, dtype and elem_size. Calls that look up its chunks, select, fold or query it return UTET_E_LIMIT, and so
 * does utet_zones_open; utet_check_next has this status in its finding.
 */
#define UTET_FORMAT_NDIM 8
#ifndef UTET_MAX_NDIM
#define UTET_MAX_NDIM 8
#endif
#if UTET_MAX_NDIM < 1 || UTET_MAX_NDIM > UTET_FORMAT_NDIM
#error "UTET_MAX_NDIM is a number from 1 to 8"
#endif
#if UTET_MAX_NDIM < UTET_FORMAT_NDIM
#define utet_init UTET_OF_RANK(UTET_MAX_NDIM)
#define UTET_OF_RANK(ndim) UTET_OF_RANK_(ndim)
#define UTET_OF_RANK_(ndim) utet_init_max_ndim_##ndim
#endif

/* ---- memory ------------------------------------------------------------------- */

/*
 * The workspace holds the window (the only cache for reads from the port) and the memory of a codec. It may start at
 * any address, so any uint8_t array is suitable. The window needs UTET_WINDOW_LEAST bytes and takes up to
 * UTET_WINDOW_BEST. With io.map there is no window, and the workspace may be empty. The memory after the window starts
 * at a multiple of 8: up to 7 bytes before it are lost, unless the workspace's address is a multiple of 8. If io.align
 * is larger than 1, up to io.align - 1 bytes before the window are lost, unless that address is a multiple of io.align.
 * Every utet_need includes the lost bytes. The smallest workspace that opens a file is UTET_WINDOW_LEAST(unit). Opening
 * uses at most UTET_OPEN_WORK(unit) bytes of it; later calls stay within the budget (see utet_options).
 */
#define UTET_HEADROOM 128u
#define UTET_WINDOW_LEAST(unit) (UTET_HEADROOM + ((unit) > 64u ? (unit) : 64u))
#define UTET_WINDOW_BEST(unit) (UTET_HEADROOM + ((unit) > 512u ? (unit) : 512u))
#define UTET_OPEN_WORK(unit) UTET_WINDOW_BEST(unit)

/* ---- file ---------------------------------------------------------------------- */

typedef struct utet_codec utet_codec; /* utet_codec.h */

/* Public fields may be read after utet_open; all offsets and sizes are in bytes. */
typedef struct utet_file {
    /* private; the fields used most often come first, within reach of the short instructions of small processors */
    struct {
        uint8_t step; /* with priv.call: progress of the suspended call; 0 when a call begins */
        uint8_t ndim; /* while opening: ndim of the record whose name is being checked */
        uint8_t busy; /* the suspended call, 0: none; compared together with state, as a halfword */
        uint8_t state;
        utet_status status; /* error of utet_open, 0: none */
        const utet_io *io;
        const uint8_t *at; /* the bytes that utet_fetch made addressable; NULL: utet_copy_bytes has copied since */
        uint8_t *tail;     /* end of the window's contents */
        size_t have;       /* number of bytes at priv.at; also the last byte count that the port returned */
        size_t held;       /* number of bytes in the window, before priv.tail */
        size_t done;       /* bytes delivered by a suspended copy */
        uint8_t *work;
        size_t ahead;      /* reading ahead ends where these bits of an offset are 0 */
        size_t window;     /* size of the window from priv.work, headroom included; 0 with map */
        size_t lent;       /* size of the workspace after the window, assigned to owner, in bytes */
        const void *owner; /* the stream or slab that uses the workspace after the window */
        const utet_codec *const *codecs;
        int32_t displaced;      /* distance in rows from a row's predicted position to where the last scan found it */
        struct utet_rows *rows; /* row cache of the caller, or NULL */
        const void *nested;     /* suspended composite call: where it keeps its pending inner call */
        uint8_t *buffer;        /* after the headroom: destination of the port's reads; with map: priv.work */
        uint64_t end;           /* file offset of *priv.tail */
        union {                 /* results so far of the suspended call; all 0 when a call that uses them begins */
            struct {
                uint32_t records_left;
                uint32_t name_left; /* unchecked bytes of the current name */
                uint64_t place;     /* directory position of the next record, or of the rest of the name */
                uint64_t directory_end;
            } open;
            struct {               /* search for a name */
                uint32_t compared; /* number of equal bytes of a record's name */
            } record;
            struct { /* lookup of a tile's row */
                struct utet_tile {
                    uint64_t bytes; /* decoded size of the tile; saturated */
                    uint64_t row;   /* predicted row of the tile; saturated */
                } tile;
                uint64_t row; /* the row to compare next */
            } lookup;
            struct { /* utet_chunk_need: its stream lives only during the call */
                uint64_t scratch[2];
            } need;
            struct { /* utet_meta_strict */
                uint64_t row;
            } strict;
            struct { /* a call with a destination, or with a text to search for */
                const void *at;
                size_t size;
                uint8_t kept;
            } given;
            uint64_t all[3]; /* as large as the largest member; used to clear the union */
        } call;
    } priv;
    /* public */
    size_t budget;         /* budget in force: maximum number of workspace bytes that may be used */
    size_t high_water;     /* maximum number of workspace bytes used so far */
    uint64_t error_offset; /* after errors of the medium, of the data and of the port: file offset of the
                              structure that is damaged or could not be read */
    uint32_t dataset_count;
    uint32_t flags;        /* flags of the superblock, as stored (§2) */
    uint64_t index_offset; /* offset of the index header; the rows start 32 bytes later (§4) */
    uint64_t row_count;    /* number of rows of the chunk index */
    uint64_t needed;       /* after UTET_E_BUDGET: sufficient workspace or budget, in bytes */
    uint64_t index_length;
    uint64_t footer_offset;             /* offset of the footer JSON; io.size without a footer (§6.1) */
    uint64_t footer_length;             /* length of the footer JSON, in bytes; 0 without a footer */
    uint32_t history_version;           /* 0: no footer, else 1 or 2 (§6.1) */
    utet_status footer_status;          /* reason why the footer cannot be used: see utet_open */
    uint32_t memory_budget_bytes;       /* as stored (§4) */
    uint16_t memory_budget_percent_bps; /* in hundredths of a percent, as stored (§4) */
} utet_file;

/*
 * Prepares `file`; uses neither the port nor the workspace.
 * io: remains the caller's and must outlive the file. work: work_len bytes, at any address. codecs: a NULL-terminated
 * list of codec descriptors, which must outlive the file; NULL for a reader of raw chunks only.
 * UTET_E_ARGUMENT: a pointer is NULL, or unit or align is invalid.
 * Returns: OK, E_ARGUMENT
 */
utet_status utet_init(utet_file *file, const utet_io *io, void *work, size_t work_len, const utet_codec *const *codecs);

/* Options of utet_open. All fields 0, or NULL instead of a pointer to this object, select the defaults. */
typedef struct utet_options {
    size_t budget;    /* maximum number of workspace bytes that may be used, whatever the file states. 0: the file
                         decides: its memory_budget_bytes; else its memory_budget_percent_bps of ram_bytes (rounded up),
                         if both are nonzero; else no limit. The length of the workspace is always a limit as well */
    size_t ram_bytes; /* RAM of the platform in bytes, below 2^48; 0: unknown */
} utet_options;

/*
 * Reads and checks the superblock, the directory, the index header and the footer tail (§9). It does not read rows:
 * each row is checked when it is used; utet_check_next checks all rows. It does not read the footer's JSON: see
 * utet_meta.h.
 * options: NULL selects the defaults. The object must stay unchanged until the call has ended.
 * A file with a damaged footer tail can be opened because its tensors are readable (§20, D2). footer_status is then
 * UTET_E_FOOTER or UTET_E_FOOTER_VERSION, error_offset is the offset of the damage, and payloads may be anywhere up to
 * the end of the file.
 * An error sticks: later calls return it again, until utet_init.
 * UTET_E_STATE: the file is not initialised, or is already open. UTET_E_BUDGET: the workspace is smaller than
 * UTET_WINDOW_LEAST.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_BUDGET, E_SHORT, E_MAGIC, E_VERSION, E_INDEX_VERSION, E_SUPERBLOCK,
 *          E_DIRECTORY, E_DATASET, E_INDEX, E_PORT
 */
utet_status utet_open(utet_file *file, const utet_options *options);

/*
 * Ends the suspended call and calls the port's cancel, if there is one. Does nothing if no call is suspended. Call it
 * before you use the memory of a suspended object for something else.
 * If a call on a stream or slab was suspended, that stream or slab becomes invalid: its calls return UTET_E_STATE. An
 * older one that the call was about to replace becomes invalid as well. After a suspended utet_open, the file is in the
 * same state as after utet_init.
 * Returns: OK
 */
utet_status utet_cancel(utet_file *file);

/* ---- datasets (§3) ---------------------------------------------------------------- */

/* All dtypes: ROW(tag, number of the tag in files, name, bytes of an element, kind, bits of a float's fraction), in
 * the order of the numbers. The tables of the library and of the tool are made from this list (src/ADD.md). */
#define UTET_DTYPES(ROW)                         \
    ROW(UTET_F32, 1, "f32", 4, UTET_FLOAT, 23)   \
    ROW(UTET_F64, 2, "f64", 8, UTET_FLOAT, 52)   \
    ROW(UTET_I32, 3, "i32", 4, UTET_SIGNED, 0)   \
    ROW(UTET_I64, 4, "i64", 8, UTET_SIGNED, 0)   \
    ROW(UTET_U8, 5, "u8", 1, UTET_UNSIGNED, 0)   \
    ROW(UTET_U16, 6, "u16", 2, UTET_UNSIGNED, 0) \
    ROW(UTET_I16, 7, "i16", 2, UTET_SIGNED, 0)   \
    ROW(UTET_U32, 8, "u32", 4, UTET_UNSIGNED, 0) \
    ROW(UTET_F16, 9, "f16", 2, UTET_FLOAT, 10)   \
    ROW(UTET_U64, 10, "u64", 8, UTET_UNSIGNED, 0)

/* kinds of dtypes */
enum { UTET_UNSIGNED, UTET_SIGNED, UTET_FLOAT };

/* dtype tags: UTET_F32 … UTET_U64; UTET_DTYPE_END is the number after the last one */
#define UTET_DTYPE_TAG_(tag, number, name, bytes, kind, fraction) tag = (number),
enum { UTET_DTYPES(UTET_DTYPE_TAG_) UTET_DTYPE_END };

/* Nonzero if the tag is of the kind in the macro's name. The argument is evaluated twice. */
#define UTET_IS_UNSIGNED(dtype) ((dtype) < UTET_DTYPE_END && (UTET_UNSIGNEDS_ >> (dtype)&1) != 0)
#define UTET_IS_SIGNED(dtype) ((dtype) < UTET_DTYPE_END && (UTET_SIGNEDS_ >> (dtype)&1) != 0)
#define UTET_IS_FLOAT(dtype) ((dtype) < UTET_DTYPE_END && (UTET_FLOATS_ >> (dtype)&1) != 0)

/* bit by tag */
#define UTET_UNSIGNED_BIT_(tag, number, name, bytes, kind, fraction) | ((kind) == UTET_UNSIGNED ? 1 << (number) : 0)
#define UTET_SIGNED_BIT_(tag, number, name, bytes, kind, fraction) | ((kind) == UTET_SIGNED ? 1 << (number) : 0)
#define UTET_FLOAT_BIT_(tag, number, name, bytes, kind, fraction) | ((kind) == UTET_FLOAT ? 1 << (number) : 0)
enum {
    UTET_UNSIGNEDS_ = 0 UTET_DTYPES(UTET_UNSIGNED_BIT_),
    UTET_SIGNEDS_ = 0 UTET_DTYPES(UTET_SIGNED_BIT_),
    UTET_FLOATS_ = 0 UTET_DTYPES(UTET_FLOAT_BIT_)
};

/* One record of the directory, and the cursor of utet_dataset_next. Axis 0 is the slowest. */
typedef struct utet_dataset {
    uint8_t elem_size;    /* size of an element, in bytes; 0: unknown dtype */
    uint8_t ndim;         /* 1..UTET_MAX_NDIM; 0: the dataset has more axes than this build reads */
    uint8_t narrow;       /* private: all its tiles together, and their rows' numbers, are below 2^32 */
    uint32_t id;          /* index of the record, from 0 */
    uint32_t dtype;       /* dtype tag as stored; may be an unknown one */
    uint32_t name_length; /* length of the name in bytes (UTF-8, without a terminator); see utet_dataset_name */
    uint64_t name_offset;
    struct {
        uint64_t first_row; /* predicted row of the first chunk; saturated: unknown */
        uint64_t next;      /* offset of the next record */
        uint64_t next_row;  /* predicted first row of the next record's chunks */
    } priv;
    uint64_t shape[UTET_MAX_NDIM];       /* number of elements along each axis; 0: empty dataset */
    uint64_t chunk_shape[UTET_MAX_NDIM]; /* elements of a chunk along each axis; may exceed shape */
    uint64_t grid[UTET_MAX_NDIM];        /* number of chunks along each axis; 0 if shape is 0,
                                            else UINT64_MAX if chunk_shape is 0 */
} utet_dataset;

/*
 * Reads record 0 / the record after *dataset into *dataset. While the call is suspended and after an error, the
 * contents of *dataset are undefined. If utet_dataset_next returns UTET_END, *dataset is unchanged.
 * UTET_END: there are no more records. UTET_E_DATASET: the medium has changed since the file was opened.
 * Returns: OK, END, WOULD_BLOCK, E_STATE, E_SHORT, E_DATASET, E_PORT
 */
utet_status utet_dataset_first(utet_file *file, utet_dataset *dataset);
utet_status utet_dataset_next(utet_file *file, utet_dataset *dataset);

/*
 * Finds the first record whose name equals the `length` bytes at `name`. Reads the directory at most once.
 * UTET_E_DATASET: the medium has changed since the file was opened.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_NOT_FOUND, E_SHORT, E_DATASET, E_PORT
 */
utet_status utet_dataset_find(utet_file *file, const char *name, size_t length, utet_dataset *dataset);

/*
 * Copies bytes [from, from + size) of the name to `buffer`, without a terminator. from + size must not exceed
 * name_length.
 * UTET_E_RANGE: the bytes are beyond the end of the name.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_RANGE, E_SHORT, E_PORT
 */
utet_status utet_dataset_name(utet_file *file, const utet_dataset *dataset, uint32_t from, char *buffer, size_t size);

/* ---- chunks (§4) ------------------------------------------------------------------- */

enum { UTET_CODEC_RAW = 0, UTET_CODEC_ZSTD = 1 };

/* One row of the chunk index. The fields up to codec are in file order. */
typedef struct utet_chunk {
    uint64_t dataset_id;
    uint64_t coords[UTET_MAX_NDIM]; /* position in the grid of chunks; only the first ndim values are used, and set */
    uint64_t payload_offset;        /* file offset of the payload */
    uint64_t raw_byte_len;          /* decoded size in bytes */
    uint64_t stored_byte_len;       /* size in the file in bytes */
    uint32_t codec;
    uint64_t row; /* index of the row, from 0 */
} utet_chunk;

/*
 * Finds the chunk at `coords` (ndim values, in chunks). The call predicts the position of the chunk's row and reads the
 * row there. If that row belongs to another chunk, the call applies the displacement of the last misplaced row. If that
 * fails as well, it reads all rows and returns the first match (§4). Checks the row: codec, lengths, offset, and that
 * raw_byte_len is the size of the tile.
 * `coords` may be those of *chunk. While the call is suspended and after an error, some fields of *chunk may have
 * changed.
 * UTET_E_RANGE: coords are outside the grid. UTET_E_DATASET: a chunk_shape is 0.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_RANGE, E_MISSING, E_SHORT, E_DTYPE, E_DATASET, E_ROW, E_PORT
 */
utet_status utet_chunk_find(utet_file *file, const utet_dataset *dataset, const uint64_t *coords, utet_chunk *chunk);

/* Row cache: the known rows of one dataset. Linked only if used. */
typedef struct utet_rows {
    struct {              /* private */
        uint32_t *row_of; /* one number per chunk, row-major: index of the chunk's row + 1; 0: unknown */
        uint64_t count;
        uint64_t learned; /* number of index rows read so far */
        uint32_t dataset;
        uint32_t *lists; /* NULL, or the memory of utet_rows_lists: the last row of each dataset */
        uint32_t *next;  /* the rest of that memory: for each row, the next row of the same dataset */
        uint32_t datasets;
        uint32_t listed; /* number of rows read so far for any dataset */
        uint32_t seen;   /* index of the last row read of this dataset, + 1 */
        utet_status (*find)(utet_file *file, const utet_dataset *dataset, const uint64_t *coords, utet_chunk *chunk);
    } priv;
} utet_rows;

/*
 * Assigns memory for a row cache. It is useful for files whose rows are not in the predicted order: all lookups
 * together, of chunks and in slabs, then read the index at most once in addition to the rows themselves, instead of
 * once per lookup. The results are the same. `memory`: `count` numbers, one for each chunk of the dataset (4 bytes per
 * chunk). The library uses `memory` and *rows until utet_init, or until the next utet_rows_init for this file, which
 * may name another dataset. Reads nothing.
 * UTET_E_SPACE: the dataset has more than `count` chunks, or the index has 2^32 - 1 rows or more; nothing has changed.
 * Returns: OK, E_ARGUMENT, E_STATE, E_SPACE
 */
utet_status utet_rows_init(utet_rows *rows, utet_file *file, const utet_dataset *dataset, uint32_t *memory,
                           size_t count);

/*
 * Assigns more memory to the row cache, for files of many datasets. Call after utet_rows_init, with the same *rows. A
 * search in one dataset then also records the rows of all others, and a later utet_rows_init for another dataset finds
 * them. All lookups in all datasets, one dataset after another, then read the index at most twice in addition to the
 * rows themselves, instead of once per dataset. `memory`: `count` numbers, one for each dataset and one for each row of
 * the file. The library uses it as long as *rows. Reads nothing.
 * UTET_E_STATE: *rows does not belong to the file. UTET_E_SPACE: count is too small.
 * Returns: OK, E_ARGUMENT, E_STATE, E_SPACE
 */
utet_status utet_rows_lists(utet_rows *rows, utet_file *file, uint32_t *memory, size_t count);

/*
 * Reads row 0 / the row after *chunk, in file order, of any dataset. Checks the row on its own (codec, lengths,
 * offset), but not against its dataset.
 * Returns: OK, END, WOULD_BLOCK, E_STATE, E_SHORT, E_ROW, E_PORT
 */
utet_status utet_row_first(utet_file *file, utet_chunk *chunk);
utet_status utet_row_next(utet_file *file, utet_chunk *chunk);

/* ---- streams: the bytes of one chunk, in order (§5) ---------------------------------- */

/* Reads the bytes of a chunk in stored order: little-endian elements, row-major within the tile. */
typedef struct utet_stream {
    uint64_t length;   /* decoded size of the chunk, in bytes */
    uint64_t position; /* number of bytes delivered or skipped so far */
    /* private; utet_codec.h describes the members for codecs */
    struct {
        utet_file *file;
        const utet_codec *codec; /* NULL: the chunk is raw */
        uint64_t offset;         /* offset of the payload in the file */
        uint64_t stored;         /* length of the payload, in bytes */
        uint8_t *whole;          /* destination of the complete chunk, or NULL */
        uint8_t *work;           /* memory for the codec, a multiple of 8 */
        size_t work_len;
        const uint8_t *out; /* decoded bytes that are not delivered yet */
        size_t avail;       /* number of bytes at priv.out */
        uint64_t done;      /* number of bytes that the pending call has delivered */
        uint64_t scratch[2];
        utet_status status; /* the error that sticks to the stream, 0: none */
        uint8_t stage;      /* progress of the codec's opening */
        uint8_t carried;    /* number of bytes in priv.carry */
        uint8_t carry[8];   /* an element that arrived in two fragments */
    } priv;
} utet_stream;

/*
 * Computes the memory that a stream over `chunk` needs. whole: 0: the chunk is read in slices; 1: it is read in one
 * call (utet_stream_load). May read headers of the payload.
 * UTET_E_ROW: the chunk does not belong to this file.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_SHORT, E_CODEC, E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY, E_ROW, E_PAYLOAD,
 *          E_PORT
 */
utet_status utet_chunk_need(utet_file *file, const utet_chunk *chunk, int whole, utet_need *need);

/*
 * Begins reading `chunk` in slices. The stream takes the workspace after the window, so an older stream or slab of this
 * file becomes invalid. A stream does not have to be closed. If a call on it is suspended, call utet_cancel before you
 * abandon it.
 * UTET_E_ROW: the chunk does not belong to this file. UTET_E_CHECKSUM: only for an empty chunk, whose payload is
 * checked at once.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_BUDGET, E_SHORT, E_CODEC, E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY, E_ROW,
 *          E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_stream_open(utet_stream *stream, utet_file *file, const utet_chunk *chunk);

/*
 * Copies the next `size` bytes of the chunk to `buffer`, or fewer if the chunk ends. *got: number of delivered bytes,
 * valid with every status except UTET_WOULD_BLOCK (then keep `buffer` and repeat the call). The slice with the chunk's
 * last byte is delivered only after the end of the payload and its checksum, if there is one, have been checked. Until
 * then all earlier slices are unverified.
 * Errors of the medium and of the data stick to the stream; the file remains usable.
 * UTET_END: position is length, and *got is 0.
 * Returns: OK, END, WOULD_BLOCK, E_STATE, E_SHORT, E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY, E_PAYLOAD, E_CHECKSUM,
 *          E_PORT
 */
utet_status utet_stream_read(utet_stream *stream, void *buffer, size_t size, size_t *got);

/*
 * Skips `count` bytes, or fewer if the chunk ends. For a raw chunk, this reads nothing.
 * UTET_OK: the bytes are skipped, or the chunk ended before `count` bytes.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_SHORT, E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY, E_PAYLOAD, E_CHECKSUM,
 *          E_PORT
 */
utet_status utet_stream_skip(utet_stream *stream, uint64_t count);

/*
 * Copies the complete chunk to `buffer` (size ≥ raw_byte_len). The codec needs less memory than for slices because
 * `buffer` is its history buffer. `stream` holds the state of the call; its contents before and after do not matter.
 * UTET_E_SPACE: size < raw_byte_len. UTET_E_ROW: the chunk does not belong to this file.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_BUDGET, E_SPACE, E_SHORT, E_CODEC, E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY,
 *          E_ROW, E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_stream_load(utet_stream *stream, utet_file *file, const utet_chunk *chunk, void *buffer, size_t size);

/* ---- slabs: hyperslab selections --------------------------------------------------- */

/* Selects the indices start, start + step, … below stop along one axis. */
typedef struct utet_range {
    uint64_t start; /* < extent of the axis (0 if the extent is 0) */
    uint64_t stop;  /* start < stop <= extent (0 if the extent is 0) */
    uint64_t step;  /* >= 1 */
} utet_range;

/* A run: `count` elements of elem_size bytes each, `stride` bytes apart. Their row-major indices within the selection
 * are first, first + 1, … data is not aligned, belongs to the library and is valid until the next call on the file. */
typedef struct utet_run {
    const uint8_t *data;
    size_t count;
    size_t stride;
    uint64_t first;
} utet_run;

/* One axis of a selection, in elements. */
typedef struct utet_axis {
    uint64_t count; /* number of selected indices */
    /* private; the tile is the chunk that is being read */
    struct {
        uint64_t start; /* first selected index, in the dataset */
        uint64_t step;
        uint64_t base;   /* number of selected indices before the tile */
        uint64_t inside; /* number of selected indices in the tile */
        uint64_t first;  /* first selected index in the tile, relative to the tile's corner */
        uint64_t extent; /* extent of the tile */
        uint64_t place;  /* number of selected indices from this run to the next */
    } priv;
} utet_axis;

typedef struct utet_slab {
    uint64_t count; /* number of selected elements */
    utet_need need; /* maximum over the chunks of the selection */
    struct {
        uint8_t state;
        uint8_t spread;     /* raw tiles whose payloads are at equal distances */
        utet_status status; /* the error that sticks to the slab, 0: none */
        const utet_dataset *dataset;
        union {
            const struct utet_codec_driver *driver; /* opening: the driver of the codecs; NULL: no tile has one */
            const void *into;                       /* utet_slab_read_all: destination of a suspended call */
        } during;
        utet_stream stream;
        utet_chunk chunk;
    } priv;
    utet_axis axis[UTET_MAX_NDIM];
} utet_slab;

/*
 * Computes the memory that the selection given by `ranges` (one for each axis) needs. Sets slab->axis[].count, count
 * and need. Looks up every chunk of the selection, so missing or damaged rows and missing codecs are found before any
 * data is read.
 * UTET_E_RANGE: a range violates the conditions of utet_range, or the selection has 2^64 - 1 elements or more.
 * UTET_E_DATASET: a chunk_shape is 0.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_RANGE, E_MISSING, E_SHORT, E_DTYPE, E_CODEC, E_ZSTD_WINDOW, E_ZSTD_DICT,
 *          E_ZSTD_LEGACY, E_DATASET, E_ROW, E_PAYLOAD, E_PORT
 */
utet_status utet_slab_need(utet_slab *slab, utet_file *file, const utet_dataset *dataset, const utet_range *ranges);

/*
 * Does the same as utet_slab_need, and assigns the workspace after the window to the slab: an older stream or slab of
 * this file becomes invalid. `dataset` must not change while the slab is in use.
 * UTET_E_BUDGET: the workspace is too small for a chunk of the selection; this is found before any data is read.
 * UTET_E_RANGE: a range violates the conditions of utet_range, or the selection has 2^64 - 1 elements or more.
 * UTET_E_DATASET: a chunk_shape is 0.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_BUDGET, E_RANGE, E_MISSING, E_SHORT, E_DTYPE, E_CODEC, E_ZSTD_WINDOW,
 *          E_ZSTD_DICT, E_ZSTD_LEGACY, E_DATASET, E_ROW, E_PAYLOAD, E_PORT
 */
utet_status utet_slab_open(utet_slab *slab, utet_file *file, const utet_dataset *dataset, const utet_range *ranges);

/*
 * Reads the next run, in the order of the medium: chunk after chunk. Each chunk is read once and only as far as needed;
 * of a raw chunk, only the selected bytes are read. The rows are read again, unless all chunks are raw and each payload
 * is at the same distance from the one before.
 * UTET_E_ROW: a row is damaged, or it has changed since the slab was opened and now needs more memory or another codec.
 * Returns: OK, END, WOULD_BLOCK, E_STATE, E_MISSING, E_SHORT, E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY, E_ROW,
 *          E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_slab_next(utet_slab *slab, utet_run *run);

/*
 * Copies all remaining runs to a dense row-major array of slab->count elements.
 * UTET_E_SPACE: size < count * elem_size. UTET_E_ROW: see utet_slab_next.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_MISSING, E_SPACE, E_SHORT, E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY, E_ROW,
 *          E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_slab_read_all(utet_slab *slab, void *buffer, size_t size);

/*
 * Opens the slab again, for another selection of the same dataset; slab->need and the runs of the old selection are no
 * longer valid. If the last selection has been read to its end, and was in the same tile as all of the new one, which
 * does not begin before its last run, decoding continues in that tile: so a dataset whose tiles are as wide as its rows
 * is read row by row, and each tile is decoded once. In all other cases this call does the same as utet_slab_open.
 * UTET_E_STATE: the slab has never been opened. UTET_E_RANGE, UTET_E_BUDGET: see utet_slab_open.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_BUDGET, E_RANGE, E_MISSING, E_SHORT, E_DTYPE, E_CODEC, E_ZSTD_WINDOW,
 *          E_ZSTD_DICT, E_ZSTD_LEGACY, E_DATASET, E_ROW, E_PAYLOAD, E_PORT
 */
utet_status utet_slab_move(utet_slab *slab, const utet_range *ranges);

/* ---- tiles that stay decoded: several datasets in turn ------------------------------- */

/* Decoded chunks of one dataset, in the workspace. Each dataset that is read in turn with others has an object of its
 * own; the file object, its window, its row cache and the memory of the codec are shared. Linked only if used. */
typedef struct utet_tiles {
    size_t size; /* number of workspace bytes that the chunks occupy */
    struct {     /* private */
        utet_file *file;
        const utet_dataset *dataset;
        size_t budget;    /* the file's budget without these chunks, which begin there in the workspace */
        size_t count;     /* number of chunks that have room */
        size_t each;      /* size of a chunk and its head, in bytes */
        const void *into; /* destination of a suspended call */
        size_t room;      /* its size */
        uint8_t *slot;    /* the chunk in use, with its head */
        uint8_t state;
        uint64_t key;  /* predicted row of that chunk */
        uint64_t uses; /* number of uses so far */
        utet_stream stream;
        utet_chunk chunk;
    } priv;
} utet_tiles;

/*
 * Takes memory for `count` decoded chunks from the end of the workspace, until utet_init: file->budget is then smaller
 * by tiles->size. So the budget limits the sum of all memory; file->high_water and file->needed do not include
 * tiles->size. A chunk takes its decoded size, rounded up to a multiple of 8, and 16 bytes; up to 7 bytes before the
 * end are lost. If count is the number of chunks that a row of the dataset crosses, each chunk is decoded once while
 * the dataset is read row by row. Reads nothing. An older stream or slab of this file becomes invalid, other tiles do
 * not. `dataset` must not change while the tiles are in use.
 * UTET_E_ARGUMENT: count is 0. UTET_E_BUDGET: no memory is left for the smallest window; file->needed is the sufficient
 * budget. UTET_E_DATASET: a chunk_shape is 0.
 * Returns: OK, E_ARGUMENT, E_STATE, E_BUDGET, E_DTYPE, E_DATASET
 */
utet_status utet_tiles_init(utet_tiles *tiles, utet_file *file, const utet_dataset *dataset, size_t count);

/*
 * Copies the selection given by `ranges` (one for each axis) to `buffer`, as a dense row-major array. Chunks that are
 * not in memory are read and decoded completely; each replaces the chunk that has not been used for the longest time.
 * The codec uses the workspace during the call, as in utet_stream_load; a program that reads only through tiles needs
 * the memory of one codec without a history. An older stream or slab of this file becomes invalid, other tiles do not.
 * Errors do not stick: other selections remain readable.
 * UTET_E_RANGE: see utet_slab_open. UTET_E_SPACE: size is less than that of the selection. UTET_E_BUDGET: the codec
 * needs more memory for a chunk of the selection: utet_chunk_need, with whole 1, states it.
 * UTET_E_STATE: also if the file has been initialised after the tiles.
 * Returns: OK, WOULD_BLOCK, E_STATE, E_BUDGET, E_RANGE, E_MISSING, E_SPACE, E_SHORT, E_CODEC, E_ZSTD_WINDOW,
 *          E_ZSTD_DICT, E_ZSTD_LEGACY, E_ROW, E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_tiles_read(utet_tiles *tiles, const utet_range *ranges, void *buffer, size_t size);

/* ---- codecs --------------------------------------------------------------------------- */

/* Codecs for the list that utet_init takes. utet_codec.h describes how to write a codec. */
extern const utet_codec utet_codec_zstd_upstream; /* libzstd: about 18 KB of flash; 30 KB of RAM and the stored chunk */
extern const utet_codec utet_codec_zstd_small;    /* the built-in decoder: about 13 KB of flash; 4 to 10 KB of RAM */

/* ---- miscellaneous --------------------------------------------------------------------- */

/* Return the version of the linked library, as UTET_VERSION and as UTET_VERSION_TEXT. */
uint32_t utet_version(void);
const char *utet_version_text(void);

/* Numbers of this header's types, for utet_sizeof. The other headers define the numbers of their own types. A number
 * never changes; a new type takes the next number that no header uses. */
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
    UTET_OBJECT_AXIS = 15,
    UTET_OBJECT_TILES = 89
};

/* Returns the size in bytes of a type in the linked library. Returns 0 for an unknown number and for a type that this
 * library does not contain (for example in one of the joined files, or with 16-bit pointers). It lets callers in other
 * languages allocate objects, and programs check that header and library belong together. */
size_t utet_sizeof(unsigned object);

/* Returns version, layout and limits of the linked library as one line of text, for logs. */
const char *utet_build_info(void);

/* Converts `count` little-endian elements of elem_size bytes to the native byte order, and overwrites them; does
 * nothing on a little-endian platform. */
void utet_to_native(void *elements, size_t count, size_t elem_size);

#ifdef __ELF__
#pragma GCC visibility pop
#endif
/* Deprecated: names of version 0.9, removed in version 1.0 (src/MIGRATING.md). */
#define utet_slab_run utet_slab_next
#define utet_slab_into utet_slab_read_all

#ifdef __cplusplus
}
#endif

#endif
