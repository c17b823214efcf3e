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
 * can see and is simply repeated with the same arguments; until it has ended with
 * something else, other calls on the same file return UTET_E_STATE.
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
    uint16_t unit;  /* 1 for byte-addressable media, 512 for a raw card; a power of two, at most 4096 */
    uint16_t align; /* of every buf, bytes; a power of two, at most 64 */
} utet_io;

#ifdef __cplusplus
}
#endif

#endif
