/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared by every part of microtet: statuses, the port that reads a file, and the memory requirement of a call (need).
 *
 * A negative status is an error; UTET_END and UTET_WOULD_BLOCK are positive and are not errors. A call that returns
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
    UTET_END = 1,         /* end of the iteration: no more datasets, rows, bytes or runs */
    UTET_WOULD_BLOCK = 2, /* no data available yet, or io.step_limit reached: repeat the same call */

    /* Errors of the caller. They never stick to an object. */
    UTET_E_ARGUMENT = -1, /* an argument that is never legal, such as a NULL pointer */
    /* -2 is not used */
    UTET_E_STATE = -3,     /* not open, suspended in another call, or superseded */
    UTET_E_BUDGET = -4,    /* workspace or budget too small; file->needed is the sufficient size */
    UTET_E_RANGE = -5,     /* coordinates or selection outside the dataset */
    UTET_E_NOT_FOUND = -6, /* no dataset, key or label with that name */
    UTET_E_MISSING = -7,   /* no row in the index for that chunk */
    UTET_E_SPACE = -8,     /* the destination is too small for the result */

    /* Errors of the medium. */
    UTET_E_SHORT = -16, /* the medium ended before the size that the port stated */

    /* Not a .tet file, or a file that this library or this build does not support. */
    UTET_E_MAGIC = -32,          /* not a .tet file (§2) */
    UTET_E_VERSION = -33,        /* layout_version is not 1 (§2) */
    UTET_E_INDEX_VERSION = -34,  /* index_version is not 1 (§4) */
    UTET_E_FOOTER_VERSION = -35, /* history_version is not 1 or 2 (§6.1) */
    UTET_E_DTYPE = -36,          /* unknown dtype tag (§3) */
    UTET_E_CODEC = -37,          /* the codec of this chunk was not passed to utet_init */
    UTET_E_ZSTD_WINDOW = -38,    /* zstd frame with a window larger than 2^27 bytes (§5) */
    UTET_E_ZSTD_DICT = -39,      /* zstd frame that needs a dictionary */
    UTET_E_ZSTD_LEGACY = -40,    /* zstd frame in a format from before zstd 1.0 */
    UTET_E_LIMIT = -41,          /* no damage found, but a limit of this build is exceeded */

    /* Damaged data: one code for each region. file->error_offset is the offset of the damage. */
    UTET_E_SUPERBLOCK = -48, /* file shorter than a superblock, or index outside the file (§2) */
    UTET_E_DIRECTORY = -49,  /* directory length, count, or a record outside it (§3) */
    UTET_E_DATASET = -50,    /* a dataset record: ndim, name, extents (§3) */
    UTET_E_INDEX = -51,      /* chunk index header: position, magic, length (§4) */
    UTET_E_ROW = -52,        /* a row of the chunk index (§4) */
    UTET_E_FOOTER = -53,     /* footer tail (§6.1) */
    UTET_E_METADATA = -54,   /* footer JSON or a spill (§7) */
    UTET_E_PAYLOAD = -55,    /* compressed bytes of a chunk, or their decoded length (§5) */
    UTET_E_CHECKSUM = -56,   /* checksum of a zstd frame differs */

    /* Errors of the port: the library returns them unchanged. UTET_E_PORT, UTET_E_PORT - 1, … */
    UTET_E_PORT = -256
};

#define UTET_IS_ERROR(status) ((status) < 0)

/* ---- port: how the library reads a file ---------------------------------------- */

/*
 * read: copies up to `len` (> 0) bytes from file offset `offset` to `buf` and stores the number of copied bytes in
 * *got. It returns
 *   UTET_OK            *got bytes were copied; this may be less than `len`. *got == 0 means that the medium ends here,
 *                      although `size` says otherwise.
 *   UTET_WOULD_BLOCK   No data is available yet. The library repeats the call with the same arguments, so a transfer
 *                      into `buf` may continue meanwhile.
 *   UTET_E_PORT …      UTET_E_PORT or any lower value: an error of the port.
 * Requests stay within [0, size). `offset`, `len` and *got are multiples of `unit`, except that a request that reaches
 * the end of the file, and its result, end at `size`. `buf` is aligned to `align`. It points into the workspace or into
 * a destination of the caller, never to the stack.
 *
 * cancel: stops the pending transfer; see utet_cancel. May be NULL.
 *
 * map: the address of the complete file (`size` bytes) if it is in addressable memory, else NULL. The file must not
 * change. If map is set, `read` is never called and may be NULL. On every platform the library reads only bytes within
 * [map, map + size).
 *
 * step_limit: the maximum number of decoder steps without output before a call returns UTET_WOULD_BLOCK, even if no
 * transfer is pending; 0: no limit. It bounds the time of one call on compressed data that decodes to almost nothing.
 * Use 0 if you do not repeat calls. The codec defines what a step is: in zstd and zlib, a header, a table or a refill
 * (a zstd block takes at most 12); in lz4, a token or a length; in szip, 512 bytes; in rle and roaring, a number.
 *
 * line: where reading ahead ends; 0: as with 512 (or the unit, if it is larger). Beyond the bytes that
 * it needs, the library requests at most those up to the next file offset that is a multiple of `line`, a power of two;
 * so each request has fewer than `line` bytes too many. For a medium that keeps the last sector or block that it read,
 * `line` is the size of that: then none is read for nothing. For others it is about the number of bytes that take as
 * long as a request, such as 256 for a serial line. A `line` below `unit` has no effect.
 *
 * With more workspace the library rarely makes more requests for the same reading; with a unit of 512 or more, never.
 * But a request may have more bytes: a larger window reads further ahead, to the end of a line. A raw chunk that one
 * call reads as a whole goes straight to its destination. So do slices, and runs of a slab, that are longer than half a
 * line or half the window. Shorter ones come through the window, which reads ahead for the next ones, if there are
 * enough of them.
 */
typedef struct utet_io {
    void *ctx; /* passed to read and cancel */
    utet_status (*read)(void *ctx, uint64_t offset, void *buf, size_t len, size_t *got);
    void (*cancel)(void *ctx);
    const uint8_t *map;
    uint64_t size;  /* size of the file, in bytes */
    uint16_t unit;  /* transfer unit in bytes, a power of two: 1, or for example 512 for a raw SD card */
    uint16_t align; /* alignment of buf in bytes, such as DMA needs; a power of two, at most 128 and at most unit */
    uint16_t step_limit;
    uint16_t line;
} utet_io;

/* ---- memory and texts ---------------------------------------------------------- */

/* Required workspace in bytes, including the read cache (window). With less than `least`, a call returns UTET_E_BUDGET
 * before anything is decoded. More than `best` is never used. */
typedef struct utet_need {
    uint64_t least;
    uint64_t best;
} utet_need;

/* Returns a short English text for a status, without a full stop; never NULL. On AVR, constants occupy RAM: a program
 * that calls this function has 1.1 KB less RAM. utet_strerror_copy reads the text from flash instead. */
const char *utet_strerror(utet_status status);

/* Copies the text of utet_strerror to `to`, truncated to `size` bytes including the terminating 0. 80 bytes are enough
 * for every text. Returns the length of the complete text, without the 0. With size 0, `to` may be NULL. */
size_t utet_strerror_copy(utet_status status, char *to, size_t size);

/* Numbers of this header's types, for utet_sizeof (utet.h). */
enum { UTET_OBJECT_IO = 9, UTET_OBJECT_NEED = 10 };

#ifdef __ELF__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
