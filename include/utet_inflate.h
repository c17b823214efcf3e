/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * utet_inflate: decodes a zlib stream (RFC 1950, with deflate inside, RFC 1951) in 2 KB of RAM, without malloc. It can
 * be suspended before any byte of the input and after any byte of the output.
 *
 * In addition to the object there is one buffer: it receives the decoded bytes, and matches are copied from it. If it
 * can hold the complete output, it is the destination. If it is smaller, the output is delivered in slices and the
 * buffer holds the history: min(window that the stream's header declares, decoded length) bytes, at most 32 KB.
 *
 *     static utet_inflate z;
 *     utet_inflate_job job = {0};
 *     const uint8_t *at;
 *     size_t len;
 *     utet_status status;
 *
 *     job.fetch = fetch;            // your input callback
 *     job.ctx = &medium;
 *     job.length = compressed_length;
 *     job.size = decoded_length;
 *     job.buffer = memory;
 *     job.capacity = sizeof memory;
 *     utet_inflate_init(&z, &job);
 *     while ((status = utet_inflate_step(&z, SIZE_MAX, &at, &len)) == UTET_OK)
 *         consume(at, len);
 *     if (UTET_IS_ERROR(status))
 *         fprintf(stderr, "%s at %lu\n", utet_strerror(status), (unsigned long)utet_inflate_error_offset(&z));
 *
 * Bytes are unverified until UTET_END. The slice with the very last byte is delivered only after everything has been
 * verified: the end of the input, the checksum and the length.
 */
#ifndef UTET_INFLATE_H
#define UTET_INFLATE_H

#include "utet_io.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __ELF__
#pragma GCC visibility push(default)
#endif

/* Maximum distance of a match, in bytes: a buffer of this size is always sufficient. */
#define UTET_INFLATE_WINDOW_MAX ((uint32_t)32768)

/* Number of bits, at most 11, that index the table of literals and lengths; longer codes are found by a search. The
 * library and the programs that use it must be built with the same value: 9 is fast, 0 saves 828 bytes of the object.
 */
#ifndef UTET_INFLATE_ROOT
#define UTET_INFLATE_ROOT 9
#endif
/* Number of bits that index the table of distances; at most UTET_INFLATE_ROOT. */
#ifndef UTET_INFLATE_ROOT_DISTANCE
#define UTET_INFLATE_ROOT_DISTANCE (UTET_INFLATE_ROOT < 6 ? UTET_INFLATE_ROOT : 6)
#endif

/*
 * Makes input bytes from `position` (< job.length) on addressable: *have (≥ 1) bytes at *at, valid until the next fetch
 * or until the step returns. Bytes after job.length are ignored. `position` never decreases, and a byte that has been
 * used is not requested again.
 * Returns UTET_OK; UTET_WOULD_BLOCK if no bytes are available yet (utet_inflate_step returns it, and its repetition
 * requests `position` again); or an error, which utet_inflate_step returns and which sticks.
 */
typedef utet_status utet_inflate_fetch(void *ctx, uint32_t position, const uint8_t **at, size_t *have);

/* A decoding job. Fields that an initialiser does not name must be 0. */
typedef struct utet_inflate_job {
    utet_inflate_fetch *fetch;
    void *ctx;       /* first argument of fetch */
    uint32_t length; /* length of the input, in bytes; the stream ends exactly there */
    uint32_t size;   /* exact decoded size, in bytes */
    uint8_t *buffer; /* `capacity` bytes; never NULL */
    size_t capacity; /* at least the result of utet_inflate_need; with `size`, the buffer is the destination */
    uint16_t
        step_limit; /* maximum number of phases (a header, a code, a match) of a step without output; 0: no limit */
} utet_inflate_job;

/* The decoder. It can be abandoned or reinitialised at any time. */
typedef struct utet_inflate {
    struct {
        uint8_t phase;
        uint8_t bits;       /* number of bits in `hold`, the next bit lowest; zeros above them */
        uint8_t last;       /* 1: the current block is the last one of the stream */
        uint8_t fixed;      /* 1: the tables hold the fixed codes */
        uint8_t wrapped;    /* 1: the complete buffer is history */
        utet_status status; /* the error that sticks, 0: none */
        uint32_t hold;
        const uint8_t *in; /* during a step: available input, up to in_end; between steps there is none */
        const uint8_t *in_end;
        uint8_t *out;   /* destination of the next byte */
        uint8_t *stop;  /* latest end of the current step */
        uint8_t *mark;  /* end of the output that `left` and `adler` include */
        uint8_t *given; /* end of the delivered output */
        uint32_t left;  /* number of decoded bytes still to come */
        uint32_t adler;
        uint32_t position; /* position in the input after the fetched bytes */
        utet_inflate_job job;
        union {                /* state of the phase */
            struct {           /* a stored block */
                uint16_t left; /* number of its bytes still to copy */
            } stored;
            struct {               /* the code lengths of a block */
                uint16_t literals; /* number of lengths of the first code */
                uint16_t all;      /* number of lengths of both codes */
                uint16_t have;     /* number of known lengths */
                uint8_t described; /* number of lengths of the code for code lengths */
            } lengths;
            struct {             /* a match */
                uint16_t length; /* number of bytes still to copy */
                uint16_t distance;
                uint8_t extra; /* number of distance bits still to read */
            } match;
        } at;
        /* Codes: the number of codes of each length, then their values in the order of the codes. */
        uint16_t literal[16 + 288];
        uint16_t distance[16 + 32]; /* before the distances are known: the code for code lengths */
        /* Tables indexed by the next input bits: a value, and the length of its code in the 4 highest bits; 0: a longer
         * code, or none. */
        uint16_t distance_root[1 << UTET_INFLATE_ROOT_DISTANCE];
        union {
            uint8_t length[320]; /* length of each symbol's code, until all are known */
            uint16_t root[1 << UTET_INFLATE_ROOT];
        } literal_table;
    } priv;
} utet_inflate;

/*
 * Computes the size of the buffer for a stream that starts with the two bytes at `head` and decodes to `size` bytes:
 * *need, at most UTET_INFLATE_WINDOW_MAX. min(UTET_INFLATE_WINDOW_MAX, size) is always enough.
 * UTET_E_PAYLOAD: the data does not start with a zlib header, or the stream needs a preset dictionary.
 * Returns: OK, E_PAYLOAD
 */
utet_status utet_inflate_need(const uint8_t *head, uint32_t size, uint32_t *need);

/*
 * Begins `job`, which is copied. Reads nothing.
 * UTET_E_ARGUMENT: z, job, job->fetch or job->buffer is NULL.
 * Returns: OK, E_ARGUMENT
 */
utet_status utet_inflate_init(utet_inflate *z, const utet_inflate_job *job);

/*
 * Makes the next decoded bytes available: 1..want (≥ 1) bytes at *ptr, valid until the next step. If the buffer holds
 * `size` bytes, they are in it in order, and remain there. All errors stick, except UTET_E_ARGUMENT.
 * UTET_OK: *len is at least 1. UTET_END: the output is complete and verified; *len is 0. UTET_WOULD_BLOCK: *len is 0;
 * repeat the call, `want` may differ. The step also returns it after job.step_limit phases without output.
 * UTET_E_ARGUMENT: want is 0.
 * UTET_E_BUDGET: the buffer is smaller than the result of utet_inflate_need; this is found before the first byte. Or
 * the stream refers farther back than its header declares and than the buffer holds: min(UTET_INFLATE_WINDOW_MAX,
 * size) bytes are sufficient.
 * UTET_E_SPACE: the stream decodes to more than `size` bytes. UTET_E_CHECKSUM: its Adler-32 differs. UTET_E_PAYLOAD: it
 * is damaged, truncated, decodes to fewer than `size` bytes, is followed by other bytes, or needs a preset dictionary.
 * UTET_E_SHORT, UTET_E_PORT: errors of `fetch`; every error that it returns is passed on.
 * Returns: OK, END, WOULD_BLOCK, E_ARGUMENT, E_BUDGET, E_SPACE, E_SHORT, E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_inflate_step(utet_inflate *z, size_t want, const uint8_t **ptr, size_t *len);

/* Returns the number of input bytes used, including a partly used byte. After an error, this is the position of the
 * damaged field, or of its end. */
uint32_t utet_inflate_error_offset(const utet_inflate *z);

/* Numbers of this header's types, for utet_sizeof (utet.h). */
enum { UTET_OBJECT_INFLATE_JOB = 48, UTET_OBJECT_INFLATE = 49 };

#ifdef __ELF__
#pragma GCC visibility pop
#endif
/* Deprecated: names of version 0.9, removed in version 1.0 (src/MIGRATING.md). */
#define utet_inflate_where utet_inflate_error_offset

#ifdef __cplusplus
}
#endif

#endif
