/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * What every part of microtet shares: statuses, the port through which bytes come, and the requirement of a call for
 * memory (need).
 *
 * A negative status is an error. UTET_END and UTET_WOULD_BLOCK are positive and no errors. A call that returns
 * UTET_WOULD_BLOCK is suspended: repeat it with the same arguments until it returns something else.
 */
#ifndef UTET_IO_H
#define UTET_IO_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __ELF__
#pragma GCC visibility push(default)
#endif

/* ---- status ------------------------------------------------------------------ */

typedef int utet_status;

enum {
    UTET_OK = 0,
    UTET_END = 1,         /* nothing left: no more datasets, rows, bytes or runs */
    UTET_WOULD_BLOCK = 2, /* the port has no data yet, or io.step_limit: repeat the same call */

    /* The caller: never stick to an object. */
    UTET_E_ARGUMENT = -1, /* an argument that is never legal, such as a null pointer */
    /* -2 is not used */
    UTET_E_STATE = -3,     /* not open, suspended in another call, or superseded */
    UTET_E_BUDGET = -4,    /* workspace or budget too small; file->needed says how much */
    UTET_E_RANGE = -5,     /* coordinates or selection outside the dataset */
    UTET_E_NOT_FOUND = -6, /* nothing of that name: a dataset, key, label */
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
    UTET_E_LIMIT = -41,          /* sound as far as it was read, but beyond a limit of this build */

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
 * number into *got. It returns
 *   UTET_OK            with *got > 0; less than `len` is allowed. *got == 0 means that the
 *                      medium ends here although `size` says more.
 *   UTET_WOULD_BLOCK   nothing has come yet. The library will repeat the identical request,
 *                      so a transfer into `buf` may continue meanwhile.
 *   UTET_E_PORT …      UTET_E_PORT or a code below it: an error of the port's own.
 * Requests never leave [0, size). offset, len and *got are multiples of unit; only a request
 * that reaches the end of the file, and the answer to it, end at `size` instead.
 * `buf` lies in the workspace or in a destination that the caller passed, never on the
 * stack, and its address is a multiple of align.
 *
 * cancel (optional, may be null): stops the pending transfer; see utet_cancel.
 *
 * map (optional, may be null): the whole file lies in memory at this address, `size` bytes,
 * and does not change. Then `read` is never called and may be null.
 * No byte outside of [map, map + size) is read, on any machine.
 */
typedef struct utet_io {
    void *ctx;
    utet_status (*read)(void *ctx, uint64_t offset, void *buf, size_t len, size_t *got);
    void (*cancel)(void *ctx);
    const uint8_t *map;
    uint64_t size;  /* size of the file, in bytes */
    uint16_t unit;  /* 1 for byte-addressable media, 512 for a raw card; a power of two */
    uint16_t align; /* alignment of every buf, in bytes; a power of two, at most 128 and at most unit (DMA: both) */
    uint16_t
        step_limit; /* bounds one call on compressed data that decode to next to nothing, whatever the codec: after so
                       many steps of the decoder (of zstd and zlib a header, a table, a refill; a block of zstd takes at
                       most 12; of lz4 a token or length, of szip 512 bytes, of rle and roaring a number) without a byte
                       of output it returns UTET_WOULD_BLOCK, though no transfer is pending. 0 = no such limit, for
                       callers who do not call again */
} utet_io;

/* ---- memory and texts ---------------------------------------------------------- */

/* Bytes of workspace, window included. One byte less than `least` is refused with
 * UTET_E_BUDGET before anything is decoded; more than `best` is never used. */
typedef struct utet_need {
    uint64_t least;
    uint64_t best;
} utet_need;

/* A short English text for a status, without a full stop; never null. On an AVR, constants lie in RAM: a program that
 * calls this has 1.1 KB less of it. utet_strerror_copy reads the text from flash there. */
const char *utet_strerror(utet_status status);

/* Copies the text of utet_strerror to `to`, as much of it as fits into `size` bytes with the 0 after it; all texts fit
 * into 80. Returns the text's whole length, without the 0. With size 0 `to` may be null. */
size_t utet_strerror_copy(utet_status status, char *to, size_t size);

/* For utet_sizeof (utet.h): numbers of the types of this header. */
enum { UTET_OBJECT_IO = 9, UTET_OBJECT_NEED = 10 };

#ifdef __ELF__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
