/*
 * microtet: reads Tetration .tet tensor files on machines with kilobytes of RAM.
 *
 * Section numbers (§) are those of the layout notes: superblock §2, directory §3,
 * chunk index §4, payloads §5, footer §6. Copyright: see LICENSE (Apache-2.0).
 *
 * In one paragraph: the application gives a port (utet_io: how to get bytes), a
 * workspace (the only RAM the library uses besides its objects and the stack) and
 * the codecs it wants linked. Everything else is a call that returns a utet_status.
 * A status is an error when it is negative; UTET_END and UTET_WOULD_BLOCK are not
 * errors. A call that returned UTET_WOULD_BLOCK has changed nothing that the caller
 * can see and is simply repeated with the same arguments (that they are the same is the
 * caller's duty); until it has ended with something else, calls of other functions on the
 * same file return UTET_E_STATE.
 *
 * One file object belongs to one thread; different objects are independent.
 */
#ifndef UTET_H
#define UTET_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Library version, major * 10000 + minor * 100 + patch. */
#define UTET_VERSION 100
/* The `.tet` layout that this library reads. */
#define UTET_LAYOUT_VERSION 1

#define UTET_MAX_NDIM 8

/* ---- status ------------------------------------------------------------------ */

typedef int utet_status;

enum {
    UTET_OK = 0,
    UTET_END = 1,         /* nothing left: no more datasets, rows, bytes or runs */
    UTET_WOULD_BLOCK = 2, /* the port has no data yet: repeat the same call */

    /* The caller: never stick to an object. */
    UTET_E_ARGUMENT = -1,  /* an argument that is never legal (null, misaligned) */
    UTET_E_CONFIG = -2,    /* application and library were built differently */
    UTET_E_STATE = -3,     /* not open, suspended in another call, or superseded */
    UTET_E_BUDGET = -4,    /* workspace or budget too small; file->needed says how much */
    UTET_E_RANGE = -5,     /* coordinates or selection outside the dataset */
    UTET_E_NOT_FOUND = -6, /* no dataset of that name */
    UTET_E_MISSING = -7,   /* no row in the index for that chunk */
    UTET_E_SPACE = -8,     /* the destination is too small for the result */

    /* The medium. */
    UTET_E_SHORT = -16, /* the medium ended before the size that the port stated */

    /* Not ours, or newer than this library. */
    UTET_E_MAGIC = -32,          /* not a .tet file (§2) */
    UTET_E_VERSION = -33,        /* layout_version is not 1 (§2) */
    UTET_E_INDEX_VERSION = -34,  /* index_version is not 1 (§4) */
    UTET_E_FOOTER_VERSION = -35, /* history_version is not 1 or 2 (§6.1) */
    UTET_E_DTYPE = -36,          /* dtype tag outside 1..10 (§3) */
    UTET_E_CODEC = -37,          /* the codec of this chunk was not passed to utet_init */
    UTET_E_ZSTD_WINDOW = -38,    /* zstd frame with a window over 2^27 (§5) */
    UTET_E_ZSTD_DICT = -39,      /* zstd frame that wants a dictionary */
    UTET_E_ZSTD_LEGACY = -40,    /* zstd frame of a release before 1.0 */

    /* Damaged, one code for each region; file->error_offset says where. */
    UTET_E_SUPERBLOCK = -48, /* file shorter than a superblock, index outside the file (§2) */
    UTET_E_DIRECTORY = -49,  /* directory length, count, or a record outside it (§3) */
    UTET_E_DATASET = -50,    /* a dataset record: ndim, name, extents (§3) */
    UTET_E_INDEX = -51,      /* chunk index header: place, magic, length (§4) */
    UTET_E_ROW = -52,        /* a row of the chunk index (§4) */
    UTET_E_FOOTER = -53,     /* footer tail (§6.1) */
    UTET_E_METADATA = -54,   /* footer JSON or a spill (§7) */
    UTET_E_PAYLOAD = -55,    /* compressed bytes of a chunk, or their decoded length (§5) */
    UTET_E_CHECKSUM = -56,   /* checksum of a zstd frame differs */

    /* A port's own codes pass through untouched: UTET_E_PORT, UTET_E_PORT - 1, … */
    UTET_E_PORT = -256
};

#define UTET_IS_ERROR(status) ((status) < 0)

/* ---- port: how the library gets bytes ------------------------------------------ */

/*
 * read: puts up to `len` (> 0) bytes from `offset` of the file into `buf` and their
 * number into *got. Returns UTET_OK with *got > 0; UTET_OK with *got == 0 when the
 * medium ends here although `size` says more; UTET_WOULD_BLOCK when nothing came
 * yet (the identical request will be repeated, so a transfer into `buf` may stay
 * under way); UTET_E_PORT or below for errors of its own. It may return less than
 * asked for.
 * Requests never leave [0, size). With unit > 1, offset and len are multiples of
 * unit, except that the request which reaches `size` ends at `size`; short answers
 * are multiples of unit too, except there. `buf` lies in the workspace or in a
 * destination that the caller passed, never on the stack, and is a multiple of align.
 *
 * cancel (optional, may be null): stops the transfer under way; see utet_cancel.
 *
 * map (optional, may be null): the whole file lies in memory from here on, `size`
 * bytes, and does not change; then `read` is never called and may be null.
 */
typedef struct utet_io {
    void *ctx;
    utet_status (*read)(void *ctx, uint64_t offset, void *buf, size_t len, size_t *got);
    void (*cancel)(void *ctx);
    const uint8_t *map;
    uint64_t size;  /* of the file, bytes */
    uint16_t unit;  /* 1 for byte-addressable media, 512 for a raw card; a power of two */
    uint16_t align; /* of every buf, bytes; a power of two, at most 128 and at most unit (DMA: both) */
} utet_io;

/* ---- memory ------------------------------------------------------------------- */

/*
 * The workspace holds the window (the one cache through which the port is read) and
 * what a codec needs. It starts at a multiple of 8 and of io.align. A window takes
 * UTET_WINDOW_BEST bytes if it gets them and works from UTET_WINDOW_LEAST up; with
 * io.map there is none and the workspace may be empty.
 * Opening touches at most UTET_OPEN_WORK(unit) bytes; after it the budget holds: see
 * utet_open. The least workspace that opens a file is UTET_WINDOW_LEAST(unit).
 */
#define UTET_HEADROOM 128u
#define UTET_WINDOW_LEAST(unit) (UTET_HEADROOM + ((unit) > 64u ? (unit) : 64u))
#define UTET_WINDOW_BEST(unit) (UTET_HEADROOM + ((unit) > 512u ? (unit) : 512u))
#define UTET_OPEN_WORK(unit) UTET_WINDOW_BEST(unit)

/* Bytes of workspace, window included. One byte less than `least` is refused with
 * UTET_E_BUDGET before anything is decoded; more than `best` brings nothing. */
typedef struct utet_need {
    uint64_t least;
    uint64_t best;
} utet_need;

/* ---- file ---------------------------------------------------------------------- */

struct utet_codec;
typedef struct utet_codec_driver utet_codec_driver;

/* Public fields are there to be read after utet_open; all offsets and sizes in bytes. */
typedef struct utet_file {
    /* private; what is used most comes first, where small machines reach it cheaply */
    uint8_t priv_step;  /* of the suspended call */
    uint8_t priv_busy;  /* the call that is suspended, 0 = none */
    uint8_t priv_state;
    utet_status priv_status; /* of opening, once it failed */
    const utet_io *priv_io;
    const uint8_t *priv_at;
    uint8_t *priv_tail;
    size_t priv_have;   /* bytes that priv_at points to */
    size_t priv_held;   /* bytes held by the window, before priv_tail */
    size_t priv_done;   /* bytes delivered by a suspended copy */
    uint8_t *priv_work;
    size_t priv_window; /* its size, headroom included; 0 with map */
    size_t priv_lent;   /* bytes behind it that the owner may use */
    const void *priv_owner; /* the stream or slab that has the workspace behind the window */
    const struct utet_codec *const *priv_codecs;
    uint32_t priv_left;      /* of the suspended call, as the two that follow */
    uint32_t priv_name_left;
    uint64_t priv_cursor[3];
    uint64_t priv_end; /* file offset of *priv_tail */
    /* public */
    uint64_t error_offset; /* after UTET_E_PORT…, medium and data errors: where in the file
                              the structure lies that is damaged or could not be read */
    uint64_t index_offset; /* of the index header; rows follow 32 bytes later (§4) */
    uint64_t row_count;     /* rows of the chunk index */
    uint32_t dataset_count;
    uint32_t flags;                     /* of the superblock, as stored (§2) */
    size_t budget;     /* the wall in force: bytes of the workspace that may be touched */
    size_t high_water; /* most bytes of the workspace used so far */
    uint64_t needed;       /* after UTET_E_BUDGET: the workspace or budget that would do */
    uint64_t index_length;
    uint64_t footer_offset; /* where the footer JSON begins; io.size without a footer (§6.1) */
    uint64_t footer_length; /* of that JSON; 0 without a footer */
    size_t ram_bytes;       /* to be set between utet_init and utet_open: RAM of the machine,
                               below 2^48; 0 = unknown */
    uint32_t history_version;           /* 0 = no footer, else 1 or 2 (§6.1) */
    utet_status footer_status;          /* why there is no usable footer: see utet_open */
    uint32_t memory_budget_bytes;       /* as stored (§4) */
    uint16_t memory_budget_percent_bps; /* as stored (§4), hundredths of a percent */
} utet_file;

/*
 * Prepares `file`; touches neither the port nor the workspace.
 * io: stays the caller's and must outlive the file. work: work_len bytes, aligned as
 * said above. codecs: a null-terminated list of codec descriptors, or null for a
 * reader of raw chunks only; must outlive the file.
 * Returns UTET_OK; UTET_E_CONFIG when header and library do not belong together (then
 * *file is not touched and must not be used);
 * UTET_E_ARGUMENT (a null pointer, unit or align not as required, misaligned work).
 */
#define utet_init(file, io, work, work_len, codecs) \
    utet_init_checked((file), (io), (work), (work_len), (codecs), UTET_ABI)

#define UTET_ABI                                                                             \
    ((uint32_t)UTET_VERSION * 65536u +                                                       \
     (uint32_t)(sizeof(utet_file) + sizeof(utet_dataset) * 3 + sizeof(utet_stream) * 5 +     \
                sizeof(utet_slab) * 7))

utet_status utet_init_checked(utet_file *file, const utet_io *io, void *work, size_t work_len,
                              const struct utet_codec *const *codecs, uint32_t abi);

/*
 * Reads superblock, directory, index header and footer tail and checks all that they
 * say (§9), except the rows (each is checked when it is used, all by utet_check_next)
 * and the footer's JSON, which is not read.
 * budget: 0 = the file decides: its memory_budget_bytes, else memory_budget_percent_bps
 * of ram_bytes (rounded up) when both are given, else no limit; not 0 = this many bytes, whatever
 * the file says. The workspace length limits it in every case.
 * A bad footer tail does not keep the tensors away (deviation T2): the file opens,
 * footer_status is UTET_E_FOOTER or UTET_E_FOOTER_VERSION, error_offset says where, and
 * payloads may lie anywhere up to the end of the file.
 * An error sticks: later calls return it again until utet_init.
 * Returns UTET_OK, UTET_WOULD_BLOCK, UTET_E_STATE (not initialised, or open already),
 * UTET_E_BUDGET (workspace below UTET_WINDOW_LEAST), UTET_E_SHORT, UTET_E_PORT…,
 * UTET_E_MAGIC, UTET_E_VERSION, UTET_E_SUPERBLOCK, UTET_E_DIRECTORY, UTET_E_DATASET,
 * UTET_E_INDEX, UTET_E_INDEX_VERSION.
 */
utet_status utet_open(utet_file *file, size_t budget);

/*
 * Ends a suspended call: calls the port's cancel, if there is one. A stream or slab
 * that was suspended is over (UTET_E_STATE), and so is an older one that it was about to
 * replace; a suspended utet_open begins anew.
 * To be called before memory of a suspended object is used for something else.
 * Does nothing when no call is suspended. Returns UTET_OK.
 */
utet_status utet_cancel(utet_file *file);

/* ---- datasets (§3) ---------------------------------------------------------------- */

enum { /* dtype tags */
    UTET_F32 = 1, UTET_F64 = 2, UTET_I32 = 3, UTET_I64 = 4, UTET_U8 = 5,
    UTET_U16 = 6, UTET_I16 = 7, UTET_U32 = 8, UTET_F16 = 9, UTET_U64 = 10
};

/* One record of the directory, and a cursor over it. Axis 0 is the slowest. */
typedef struct utet_dataset {
    uint8_t elem_size;    /* bytes of an element; 0 = unknown dtype */
    uint8_t ndim;         /* 1..8 */
    uint32_t id;          /* number of the record, from 0 */
    uint32_t dtype;       /* as stored; may be none of the known ones */
    uint32_t name_length; /* bytes, UTF-8, not terminated; see utet_dataset_name */
    uint64_t name_offset;
    uint64_t priv_first_row; /* predicted row of its first chunk; saturated = unknown */
    uint64_t priv_next;      /* offset of the next record */
    uint64_t priv_next_row;  /* predicted first row of its chunks */
    uint64_t shape[UTET_MAX_NDIM];       /* elements; 0 = empty dataset */
    uint64_t chunk_shape[UTET_MAX_NDIM]; /* elements; may be larger than shape */
    uint64_t grid[UTET_MAX_NDIM];        /* chunks along each axis; 0 for a shape of 0,
                                            else UINT64_MAX for a chunk_shape of 0 */
} utet_dataset;

/*
 * Record 0 into *dataset / the record after *dataset. While the call is suspended, or
 * after an error, the contents of *dataset mean nothing; at UTET_END of utet_dataset_next
 * they stay.
 * Returns UTET_OK, UTET_END (no more records), UTET_WOULD_BLOCK, UTET_E_STATE,
 * UTET_E_SHORT, UTET_E_PORT…, UTET_E_DATASET (the medium changed since opening).
 */
utet_status utet_dataset_first(utet_file *file, utet_dataset *dataset);
utet_status utet_dataset_next(utet_file *file, utet_dataset *dataset);

/*
 * The first record whose name equals the `length` bytes at `name`. Reads the directory
 * once at most.
 * Returns as utet_dataset_next, but UTET_E_NOT_FOUND instead of UTET_END.
 */
utet_status utet_dataset_find(utet_file *file, utet_dataset *dataset, const char *name, size_t length);

/*
 * Copies name bytes [from, from + size) into `buffer`; the caller keeps from + size
 * within name_length. No terminator is written.
 * Returns UTET_OK, UTET_WOULD_BLOCK, UTET_E_STATE, UTET_E_RANGE (beyond the name),
 * UTET_E_SHORT, UTET_E_PORT….
 */
utet_status utet_dataset_name(utet_file *file, const utet_dataset *dataset, uint32_t from,
                              char *buffer, size_t size);

/* ---- chunks (§4) ------------------------------------------------------------------- */

enum { UTET_CODEC_RAW = 0, UTET_CODEC_ZSTD = 1 };

/* One row of the chunk index. (The fields up to stored_byte_len stand as in the file.) */
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
 * The chunk at `coords` (ndim values, in chunks). The row is predicted and verified;
 * only when the guess is wrong the index is read from its start (first match wins).
 * Checks the row: codec, lengths, place, and that raw_byte_len is the tile's size.
 * Returns UTET_OK, UTET_WOULD_BLOCK, UTET_E_STATE, UTET_E_RANGE (coords outside the
 * grid), UTET_E_MISSING, UTET_E_DTYPE, UTET_E_DATASET (chunk_shape 0), UTET_E_ROW,
 * UTET_E_SHORT, UTET_E_PORT….
 */
utet_status utet_chunk_find(utet_file *file, const utet_dataset *dataset, const uint64_t *coords,
                            utet_chunk *chunk);

/*
 * Row 0 / the row after *chunk, in file order, of whatever dataset. Checks of the row
 * itself are made (codec, lengths, place), those against its dataset are not.
 * Returns UTET_OK, UTET_END, UTET_WOULD_BLOCK, UTET_E_STATE, UTET_E_ROW, UTET_E_SHORT,
 * UTET_E_PORT….
 */
utet_status utet_chunk_first(utet_file *file, utet_chunk *chunk);
utet_status utet_chunk_next(utet_file *file, utet_chunk *chunk);

/* ---- streams: the bytes of one chunk, in order (§5) ---------------------------------- */

/* Bytes come as stored: little-endian elements, row-major within the tile. */
typedef struct utet_stream {
    uint64_t length;   /* decoded bytes of the chunk */
    uint64_t position; /* bytes delivered or skipped so far */
    /* private; codecs use them as said under "codecs" */
    utet_file *priv_file;
    const struct utet_codec *priv_codec; /* raw: one without need, open, step */
    uint64_t priv_offset;                /* of the payload in the file */
    uint64_t priv_stored;                /* its length */
    uint8_t *priv_whole;                 /* destination of the whole chunk, or null */
    uint8_t *priv_work;                  /* memory for the codec, a multiple of 8 */
    size_t priv_work_len;
    const uint8_t *priv_out; /* decoded, not yet delivered */
    size_t priv_avail;       /* bytes there */
    uint64_t priv_done;      /* bytes delivered by the call under way */
    uint64_t priv_scratch[2];
    utet_status priv_status; /* an error that stuck */
    uint8_t priv_begun;      /* the codec is open */
    uint8_t priv_carried;    /* bytes collected in priv_carry */
    uint8_t priv_carry[8];   /* an element that came in two pieces */
} utet_stream;

/*
 * What a stream over `chunk` needs; whole = 0 when it is read in slices, 1 when it is
 * loaded as a whole (utet_chunk_load). May read headers of the payload.
 * Returns UTET_OK, UTET_WOULD_BLOCK, UTET_E_STATE, UTET_E_CODEC, UTET_E_ROW (a chunk that
 * does not come from this file), UTET_E_PAYLOAD, UTET_E_ZSTD_…, UTET_E_SHORT, UTET_E_PORT….
 */
utet_status utet_chunk_need(utet_file *file, const utet_chunk *chunk, int whole, utet_need *need);

/*
 * Begins reading `chunk` in slices; lends it the workspace behind the window: an older
 * stream or slab of this file is over. The stream may be forgotten at any time unless
 * a call on it is suspended (utet_cancel first).
 * Returns as utet_chunk_need, UTET_E_BUDGET, UTET_E_CHECKSUM (an empty chunk is checked
 * at once).
 */
utet_status utet_stream_open(utet_stream *stream, utet_file *file, const utet_chunk *chunk);

/*
 * The next bytes of the chunk into `buffer`: `size` of them, fewer only when the chunk
 * ends. *got: bytes delivered, valid with every status except UTET_WOULD_BLOCK
 * (then keep `buffer` and repeat). The slice with the chunk's last byte is delivered
 * only after the end of the payload has been checked; with a compressed chunk whose
 * checksum is there, all earlier slices are unverified until then.
 * Medium and data errors stick to the stream; the file stays usable.
 * Returns UTET_OK, UTET_END (position is length, *got 0), UTET_WOULD_BLOCK, UTET_E_STATE,
 * UTET_E_PAYLOAD, UTET_E_CHECKSUM, UTET_E_ZSTD_…,
 * UTET_E_SHORT, UTET_E_PORT….
 */
utet_status utet_stream_read(utet_stream *stream, void *buffer, size_t size, size_t *got);

/* Moves on by `count` bytes, at most to the end of the chunk. Raw chunks are not read
 * for it. Returns as utet_stream_read; UTET_OK when done. */
utet_status utet_stream_skip(utet_stream *stream, uint64_t count);

/*
 * The whole chunk into `buffer` (size ≥ raw_byte_len), with the least memory that the
 * codec can do with. `stream` carries the state of the call; its contents do not matter.
 * Returns as utet_stream_open and utet_stream_read, never UTET_END; UTET_E_SPACE.
 */
utet_status utet_chunk_load(utet_stream *stream, utet_file *file, const utet_chunk *chunk,
                            void *buffer, size_t size);

/* ---- slabs: hyperslab selections --------------------------------------------------- */

/* Indices start, start + step, … below stop along one axis. */
typedef struct utet_range {
    uint64_t start; /* < extent of the axis (0 when that is 0) */
    uint64_t stop;  /* start < stop <= extent (0 when that is 0) */
    uint64_t step;  /* >= 1 */
} utet_range;

/* `count` elements, each elem_size bytes, `stride` bytes apart, with the consecutive
 * row-major places at, at + 1, … within the selection. data: not aligned, belongs to
 * the library, valid until the next call on the file. */
typedef struct utet_run {
    const uint8_t *data;
    size_t count;
    size_t stride;
    uint64_t at;
} utet_run;

/* One axis of a selection, in elements. */
typedef struct utet_axis {
    uint64_t count; /* selected places */
    /* private; the tile is the chunk being read */
    uint64_t priv_start;  /* first selected place, in the dataset */
    uint64_t priv_step;
    uint64_t priv_base;   /* selected places before the tile */
    uint64_t priv_inside; /* selected places in the tile */
    uint64_t priv_first;  /* the first of them, from the tile's corner */
    uint64_t priv_extent; /* of the tile */
    uint64_t priv_place;  /* the next run begins so many selected places after it */
} utet_axis;

typedef struct utet_slab {
    uint64_t count; /* elements of the selection */
    utet_need need; /* the largest over the chunks it touches */
    uint8_t priv_state;
    utet_status priv_status; /* an error that stuck */
    const utet_dataset *priv_dataset;
    const utet_codec_driver *priv_driver; /* of the chunks: raw, or what codecs share */
    utet_stream priv_stream;
    utet_axis axis[UTET_MAX_NDIM];
    utet_chunk priv_chunk;
} utet_slab;

/*
 * Prepares the selection given by `ranges` (ndim of them); `dataset` must stay as it is
 * while the slab is in use. Looks up every chunk that it touches, so that a missing or
 * damaged row, a codec that is not there and a budget too small are found before any
 * data. utet_slab_need only fills slab->axis[].count, count and need; utet_slab_open also
 * lends the workspace to the slab: an older stream or slab of this file is over.
 * Returns UTET_OK, UTET_WOULD_BLOCK, UTET_E_STATE, UTET_E_RANGE (a range is not as
 * said, or 2^64 - 1 elements and more), UTET_E_BUDGET (utet_slab_open), and as
 * utet_chunk_find and utet_chunk_need.
 */
utet_status utet_slab_need(utet_slab *slab, utet_file *file, const utet_dataset *dataset,
                           const utet_range *ranges);
utet_status utet_slab_open(utet_slab *slab, utet_file *file, const utet_dataset *dataset,
                           const utet_range *ranges);

/*
 * The next run, in the order of the medium: chunk after chunk, each read once and only
 * as far as needed; of raw chunks only the bytes needed.
 * Returns UTET_OK, UTET_END, and as utet_stream_read and utet_chunk_find.
 */
utet_status utet_slab_run(utet_slab *slab, utet_run *run);

/*
 * All remaining runs into a dense row-major array of slab->count elements.
 * Returns UTET_OK when done, UTET_E_SPACE (size < count * elem_size), and as
 * utet_slab_run, never UTET_END.
 */
utet_status utet_slab_into(utet_slab *slab, void *buffer, size_t size);

/* ---- the whole-file verdict ---------------------------------------------------------- */

/* see utet_check.h */

/* ---- codecs --------------------------------------------------------------------------- */

/*
 * A codec descriptor. Raw chunks need none. The functions get the stream whose payload
 * they decode and reach its bytes in any order through utet_payload_need and
 * utet_payload_copy (or io.map). All three may return UTET_WOULD_BLOCK, having changed
 * nothing but what they need to go on when called again.
 *
 * need: bytes of work memory (window not included): the least that decodes into slices
 *   (into priv_whole when that is not null) and the most that is of use. exact = 0: an
 *   upper bound for both, known from the row alone, without reading; 1: reads as many
 *   headers as it takes. May use priv_scratch, which is 0 at the first call.
 * open: gets ready to decode with priv_work_len bytes at priv_work (at least what need
 *   said). priv_scratch is 0 at the first call.
 * step: called when priv_avail is 0 and not all of `length` has been delivered; makes at
 *   least one byte available in priv_out / priv_avail, preferably not more than `want`.
 *   A chunk of length 0 gets one call while it is opened: it checks that the payload
 *   decodes to nothing and makes nothing available.
 *   With priv_whole, priv_out lies there, in order. Must not make the chunk's last byte
 *   available before the payload has been found to end exactly there.
 * driver: &utet_driver, always: what the codecs share. It hangs on the descriptors, so a
 *   reader of raw chunks links none of it.
 * A data error sets the file's error_offset with utet_payload_error.
 */
/* start: finds out the need, lends the memory, begins. begin: opens the codec in the memory
 * that is lent. read: delivers `size` bytes to `to`, or passes over them when that is null;
 * counts them in priv_done. lend: gives the memory behind the window to a stream or slab.
 * measure: raises *largest to the need of this stream. view: makes decoded bytes
 * [position, position + length) addressable, length 1..8, position not before the last one's. */
struct utet_codec_driver {
    utet_status (*start)(utet_stream *stream);
    utet_status (*begin)(utet_stream *stream);
    utet_status (*read)(utet_stream *stream, uint8_t *to, uint64_t size);
    utet_status (*lend)(utet_file *file, const void *owner, const utet_need *need);
    utet_status (*measure)(utet_stream *stream, int exact, utet_need *largest);
    utet_status (*view)(utet_stream *stream, uint64_t position, size_t length, size_t want);
};

typedef struct utet_codec {
    uint32_t id; /* the codec number of the rows that it decodes */
    utet_status (*need)(utet_stream *stream, int exact, utet_need *need);
    utet_status (*open)(utet_stream *stream);
    utet_status (*step)(utet_stream *stream, size_t want);
    const utet_codec_driver *driver;
} utet_codec;

extern const utet_codec_driver utet_driver;

extern const utet_codec utet_codec_zstd_upstream; /* the zstd package, about 30 KB and a block */
extern const utet_codec utet_codec_zstd_small;    /* our own, 4 to 10 KB */

/*
 * For codecs: makes payload bytes [position, position + length) addressable, length
 * 1..128, through the window, which may read ahead as far as position + ahead. The
 * pointer is valid until the next payload call; *have says how many bytes (≥ length)
 * lie there. The caller keeps position + length and position + ahead within the payload.
 * Returns UTET_OK, UTET_WOULD_BLOCK, UTET_E_SHORT, UTET_E_PORT….
 */
utet_status utet_payload_need(utet_stream *stream, uint64_t position, size_t length, uint64_t ahead,
                              const uint8_t **at, size_t *have);
/* For codecs: copies payload bytes into memory of the workspace or the destination, all
 * of them before it returns UTET_OK; otherwise as utet_payload_need. */
utet_status utet_payload_copy(utet_stream *stream, uint64_t position, void *buffer, size_t length);
/* For codecs: notes where in the payload the fault lies; returns `status`. */
utet_status utet_payload_error(utet_stream *stream, uint64_t position, utet_status status);

/* ---- odds and ends --------------------------------------------------------------------- */

/* A short English text for a status, without a full stop; never null. */
const char *utet_strerror(utet_status status);

/* What was compiled: version, layout, limits, as one line of text; for logs. */
const char *utet_build_info(void);

/* Turns `count` little-endian elements of elem_size bytes into the machine's byte order
 * in place; does nothing on a little-endian machine. */
void utet_to_native(void *elements, size_t count, size_t elem_size);

#ifdef __cplusplus
}
#endif

#endif
