/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * utet_zstd: decodes Zstandard data (RFC 8878) in kilobytes of RAM, without malloc.
 *
 * Upstream's decoder holds a block (128 KB), its literals and a window (usually 2 MB).
 * This one reads its input in any order, through a callback or in mapped memory, and so
 * it holds neither. Besides the history that the data refer to it needs about 4 KB
 * ("packed") or 10 KB ("tables", some 30 % faster); more memory makes it read less often.
 * It decodes everything but dictionaries: several frames, skippable frames, checksums,
 * every block and table type, windows up to 2^27 bytes.
 *
 * A frame at `offset` of a file, decoded into memory that holds all of it:
 *
 *     static uint64_t work[UTET_ZSTD_WORK_TABLES / 8];
 *     utet_zstd *z;
 *     utet_zstd_job job = {0};
 *     utet_status status;
 *
 *     job.io = &io;                 // utet_io.h: your read callback, or mapped memory
 *     job.offset = offset;
 *     job.length = compressed_length;
 *     job.size = decoded_length;
 *     job.dst = memory;             // of decoded_length bytes
 *     status = utet_zstd_init(&z, &job, work, sizeof work);
 *     if (status == UTET_OK)
 *         do
 *             status = utet_zstd_decode(z);
 *         while (status == UTET_WOULD_BLOCK);
 *     if (UTET_IS_ERROR(status))
 *         fprintf(stderr, "%s at %llu\n", utet_strerror(status), utet_zstd_error_offset(z));
 *
 * With job.dst null the data come in slices (utet_zstd_read, or utet_zstd_step without
 * a copy), and the work memory has to hold the history as well: at most
 * min(the frame's window, decoded length) bytes; utet_zstd_need says how much.
 *
 * Bytes of a frame that carries a checksum are unverified until the frame has ended.
 * The slice that holds the very last byte is given out only after everything has been
 * verified: the end of the payload, its checksums and its length.
 */
#ifndef UTET_ZSTD_H
#define UTET_ZSTD_H

#include "utet_io.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __ELF__
#pragma GCC visibility push(default)
#endif

/* Enough work memory, at any address and history not included, for the packed and the tables layout with
 * two caches of 64 bytes, on machines with pointers of 32 bits (or fewer) and of 64. */
#define UTET_ZSTD_WORK_PACKED (4360u + (sizeof(void *) > 4u ? 96u : 0u))
#define UTET_ZSTD_WORK_TABLES (10240u)

typedef struct utet_zstd utet_zstd;

/* What to decode. Fields that an initialiser does not name must be 0. */
typedef struct utet_zstd_job {
    const utet_io *io; /* the source; unit and align 1 (or 0) */
    uint64_t offset;   /* position of the first frame in the source */
    uint64_t length;   /* length of all frames together; they end exactly there */
    uint64_t size;     /* exact number of decoded bytes, or with at_most an upper bound */
    uint8_t *dst;      /* destination of all `size` bytes, or null: slices */
    uint8_t at_most;   /* 1: the data may end before `size` */
} utet_zstd_job;

/*
 * Work memory in bytes for `job`: need->least suffices, more than need->best is not used.
 * window: the largest Window_Size of its frames, or 0 when it is not known (then the result
 * is an upper bound). Reads nothing.
 * UTET_E_SPACE: the amount does not fit a size_t.
 * Returns: OK, E_SPACE
 */
utet_status utet_zstd_need(const utet_zstd_job *job, uint64_t window, utet_need *need);

/*
 * The window that the frame header at `head` declares: *window bytes, at most 2^32 - 1
 * (a larger one is reported as that). `len` bytes are there; 18 are always enough. For a
 * skippable frame *window is 0 and *skip is its length, header included; else *skip is 0.
 * UTET_E_PAYLOAD: there is no frame header, or more bytes of it are wanted.
 * Returns: OK, E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY, E_PAYLOAD
 */
utet_status utet_zstd_window(const uint8_t *head, size_t len, uint32_t *window, uint64_t *skip);

/*
 * Puts a decoder into `work` and sets *z. `work` may begin anywhere; bytes up to the first multiple of 8, at
 * most 7, are lost, and utet_zstd_needed counts them, which utet_zstd_need cannot. Reads nothing: the first step
 * (or utet_zstd_open) reads headers, chooses the layout and divides the memory. `job` and
 * job->io are copied. The decoder needs no closing, unless a read is pending.
 * UTET_E_ARGUMENT: a pointer is null, unit or align are over 1, or offset
 * and length lie outside of the source. UTET_E_BUDGET: work_len cannot even hold the fixed part.
 * UTET_E_SPACE: job->size is over SIZE_MAX / 2.
 * Returns: OK, E_ARGUMENT, E_BUDGET, E_SPACE
 */
utet_status utet_zstd_init(utet_zstd **z, const utet_zstd_job *job, void *work, size_t work_len);

/*
 * Begins another job with the same decoder and memory. For small jobs this is faster than
 * utet_zstd_init, because the tables of the predefined distributions are kept.
 * UTET_E_ARGUMENT, UTET_E_SPACE: the job is not as utet_zstd_init wants it.
 * Returns: OK, E_ARGUMENT, E_SPACE
 */
utet_status utet_zstd_reset(utet_zstd *z, const utet_zstd_job *job);

/*
 * Divides the memory. Without this call, the first utet_zstd_step does it. With job.dst it
 * reads nothing. For slices it reads the first frame's header and, when the history does not
 * hold all of the output, the headers of all frames and blocks.
 * UTET_E_BUDGET: utet_zstd_needed returns the sufficient size.
 * Returns: OK, WOULD_BLOCK, E_BUDGET, E_SHORT, E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY, E_PAYLOAD, E_PORT
 */
utet_status utet_zstd_open(utet_zstd *z);

/*
 * Makes the next decoded bytes available: 1..want (≥ 1) of them at *ptr, valid until the
 * next call. With job.dst they lie there, in order. All errors stick.
 * UTET_OK: *len is at least 1. UTET_END: nothing is left, all is verified, *len is 0.
 * UTET_WOULD_BLOCK: *len is 0; call again, `want` may differ. With job->io->step_limit n, also after n to 2·n steps of
 * the decoder without output; with output a call returns after as many, with fewer bytes than `want`.
 * UTET_E_ARGUMENT: want is 0; this error does not stick.
 * UTET_E_BUDGET: utet_zstd_needed returns the sufficient size.
 * UTET_E_SPACE: there is more than job.size, with at_most.
 * UTET_E_PAYLOAD: the data are damaged, their decoded length is not job.size, or a frame has
 * another window than when memory was divided.
 * UTET_E_PORT: also when the port returned more bytes than asked for, or a positive status
 * other than UTET_WOULD_BLOCK.
 * Returns: OK, END, WOULD_BLOCK, E_ARGUMENT, E_BUDGET, E_SPACE, E_SHORT, E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY,
 *          E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_zstd_step(utet_zstd *z, size_t want, const uint8_t **ptr, size_t *len);

/*
 * The next `size` (≥ 1) bytes into `buffer`, fewer only at the end. *got: bytes delivered by this call, valid with
 * every status; after UTET_WOULD_BLOCK continue after them. Not there with UTET_ZSTD_SLICES 0.
 * UTET_END: nothing is left, all is verified. UTET_E_ARGUMENT: size is 0; this error does not stick. All others
 * mean what they mean at utet_zstd_step.
 * Returns: OK, END, WOULD_BLOCK, E_ARGUMENT, E_BUDGET, E_SPACE, E_SHORT, E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY,
 *          E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_zstd_read(utet_zstd *z, void *buffer, size_t size, size_t *got);

/*
 * Decodes everything into job.dst. It does not say how much that was; with at_most, use
 * utet_zstd_step, which does.
 * UTET_OK: all is done and verified. UTET_E_ARGUMENT: the job has no dst. All others mean what
 * they mean at utet_zstd_step.
 * Returns: OK, WOULD_BLOCK, E_ARGUMENT, E_BUDGET, E_SPACE, E_SHORT, E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY,
 *          E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_zstd_decode(utet_zstd *z);

/* Returns the sufficient work memory after UTET_E_BUDGET; otherwise 0. */
uint64_t utet_zstd_needed(const utet_zstd *z);
/* Source offset of the frame, block or field that is being decoded, or at fault. */
uint64_t utet_zstd_error_offset(const utet_zstd *z);

/* For utet_sizeof (utet.h): the number of this header's type. */
enum { UTET_OBJECT_ZSTD_JOB = 47 };

#ifdef __ELF__
#pragma GCC visibility pop
#endif
/* Deprecated: names of version 0.9, which version 1.0 removes (src/MIGRATING.md). */
#define utet_zstd_where utet_zstd_error_offset
#define utet_zstd_again utet_zstd_reset

#ifdef __cplusplus
}
#endif

#endif
