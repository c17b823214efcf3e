/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * utet_inflate: decodes a zlib stream (RFC 1950, with deflate inside, RFC 1951) in 2 KB of RAM, without malloc. It can
 * be suspended before any byte of the input and after any byte of the output.
 *
 * Besides the object there is one buffer: what has been decoded lies in it, and matches are copied out of it. If it
 * holds all of the output, it is the destination; if it is smaller, the output comes in slices and the buffer is the
 * history: min(window that the stream's header declares, decoded length) bytes, at most 32 KB.
 *
 *     static utet_inflate z;
 *     utet_inflate_job job = {0};
 *     const uint8_t *at;
 *     size_t len;
 *     utet_status status;
 *
 *     job.fetch = fetch;            // how to get input
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
 * Bytes are unverified until UTET_END; the slice that holds the very last byte is given out only after everything has
 * been verified: the end of the input, the checksum and the length.
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

/* No stream refers farther back than this: a buffer that is always enough. Bytes. */
#define UTET_INFLATE_WINDOW_MAX ((uint32_t)32768)

/* Bits that index the table of literals and lengths; longer codes are searched for. Chosen when the library is built,
 * and the same for who uses it: 9 is fast, 0 saves 828 bytes of the object. */
#ifndef UTET_INFLATE_ROOT
#define UTET_INFLATE_ROOT 9
#endif
/* The same for distances; at most UTET_INFLATE_ROOT. */
#ifndef UTET_INFLATE_ROOT_DISTANCE
#define UTET_INFLATE_ROOT_DISTANCE (UTET_INFLATE_ROOT < 6 ? UTET_INFLATE_ROOT : 6)
#endif

/*
 * Makes input bytes from `position` (< job.length) on addressable: *have (≥ 1) of them at *at, valid until the next
 * fetch or until the step returns. Bytes behind job.length are ignored. Positions never go down, and no byte that was
 * used is asked for again.
 * Returns UTET_OK; UTET_WOULD_BLOCK (nothing yet: utet_inflate_step returns it, and its repetition asks again for
 * `position`); an error, which utet_inflate_step returns and which sticks.
 */
typedef utet_status utet_inflate_fetch(void *ctx, uint32_t position, const uint8_t **at, size_t *have);

/* What to decode. Fields that an initialiser does not name must be 0. */
typedef struct utet_inflate_job {
    utet_inflate_fetch *fetch;
    void *ctx;           /* argument of fetch */
    uint32_t length;     /* length of the input, in bytes; the stream ends exactly there */
    uint32_t size;       /* exact number of decoded bytes */
    uint8_t *buffer;     /* of `capacity` bytes; never null */
    size_t capacity;     /* at least what utet_inflate_need says; `size`: the destination of everything */
    uint16_t step_limit; /* as in utet_io: most phases (a header, a code, a match) of a step without output; 0 = any */
} utet_inflate_job;

/* The decoder. It may be forgotten or begun anew at any time. */
typedef struct utet_inflate {
    struct {
        uint8_t phase;
        uint8_t bits;       /* in `hold`, the next one lowest; zeros above them */
        uint8_t last;       /* 1: the block in hand is the stream's last */
        uint8_t fixed;      /* 1: the tables hold the fixed codes */
        uint8_t wrapped;    /* 1: all of the buffer is history */
        utet_status status; /* an error that stuck */
        uint32_t hold;
        const uint8_t *in; /* while a step runs: input in reach, up to in_end; otherwise none is */
        const uint8_t *in_end;
        uint8_t *out;   /* where the next byte goes */
        uint8_t *stop;  /* where the step in hand ends at the latest */
        uint8_t *mark;  /* up to here `left` and `adler` account for the output */
        uint8_t *given; /* up to here output was given out */
        uint32_t left;  /* decoded bytes still to come */
        uint32_t adler;
        uint32_t position; /* position in the input after the fetched bytes */
        utet_inflate_job job;
        union {                /* by phase */
            struct {           /* a stored block */
                uint16_t left; /* bytes of it still to copy */
            } stored;
            struct {               /* the code lengths of a block */
                uint16_t literals; /* number of lengths of the first code */
                uint16_t all;      /* number of lengths of both codes */
                uint16_t have;     /* number of known lengths */
                uint8_t described; /* number of lengths of the code for code lengths */
            } lengths;
            struct {             /* a match */
                uint16_t length; /* bytes still to copy */
                uint16_t distance;
                uint8_t extra; /* bits of the distance still to read */
            } match;
        } at;
        /* Codes: how many there are of each length, then the symbols in the order of their codes. */
        uint16_t literal[16 + 288];
        uint16_t distance[16 + 32]; /* before that, the code for code lengths */
        /* By the input's next bits: symbol * 16 + length of its code, 0 = a longer code, or none. */
        uint16_t distance_root[1 << UTET_INFLATE_ROOT_DISTANCE];
        union {
            uint8_t length[320]; /* length of each symbol's code, until all are known */
            uint16_t root[1 << UTET_INFLATE_ROOT];
        } literal_table;
    } priv;
} utet_inflate;

/*
 * Bytes of buffer for a stream that begins with the two bytes at `head` and decodes to `size`: *need, at most
 * UTET_INFLATE_WINDOW_MAX. min(UTET_INFLATE_WINDOW_MAX, size) is always enough.
 * UTET_E_PAYLOAD: the data do not start with a zlib header, or the stream needs a preset dictionary.
 * Returns: OK, E_PAYLOAD
 */
utet_status utet_inflate_need(const uint8_t *head, uint32_t size, uint32_t *need);

/*
 * Begins `job`, which is copied. Reads nothing.
 * UTET_E_ARGUMENT: z, job, job->fetch or job->buffer is null.
 * Returns: OK, E_ARGUMENT
 */
utet_status utet_inflate_init(utet_inflate *z, const utet_inflate_job *job);

/*
 * Makes the next decoded bytes available: 1..want (≥ 1) of them at *ptr, valid until the next step. When the buffer
 * holds `size` bytes they lie there in order, and stay. All errors stick, except UTET_E_ARGUMENT.
 * UTET_OK: *len is at least 1. UTET_END: nothing is left, all is verified, *len is 0. UTET_WOULD_BLOCK: *len is 0; call
 * again, `want` may differ. With job.step_limit also after that many phases without output. UTET_E_ARGUMENT: want is 0.
 * UTET_E_BUDGET: the buffer is smaller than utet_inflate_need says; this comes before the first byte. Or the stream
 * refers farther back than its header declares and the buffer holds: min(UTET_INFLATE_WINDOW_MAX, size) bytes suffice.
 * UTET_E_SPACE: the stream decodes to more than `size`. UTET_E_CHECKSUM: its Adler-32 differs. UTET_E_PAYLOAD: it is
 * damaged, cut short, decodes to less than `size`, has bytes behind its end, or needs a preset dictionary.
 * UTET_E_SHORT, UTET_E_PORT: errors of `fetch`; whatever error that returns is passed on.
 * Returns: OK, END, WOULD_BLOCK, E_ARGUMENT, E_BUDGET, E_SPACE, E_SHORT, E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_inflate_step(utet_inflate *z, size_t want, const uint8_t **ptr, size_t *len);

/* How much of the input has been used, in bytes, one that was begun included: after an error the place of the field at
 * fault, or its end. */
uint32_t utet_inflate_error_offset(const utet_inflate *z);

/* For utet_sizeof (utet.h): numbers of the types of this header. */
enum { UTET_OBJECT_INFLATE_JOB = 48, UTET_OBJECT_INFLATE = 49 };

#ifdef __ELF__
#pragma GCC visibility pop
#endif
/* Deprecated: names of version 0.9, which version 1.0 removes (src/MIGRATING.md). */
#define utet_inflate_where utet_inflate_error_offset

#ifdef __cplusplus
}
#endif

#endif
