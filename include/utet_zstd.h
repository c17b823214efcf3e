/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * utet_zstd: decodes Zstandard data (RFC 8878) in kilobytes of RAM, without malloc.
 *
 * The upstream decoder, libzstd, holds a block (128 KB), its literals and a zstd window (usually 2 MB) in RAM. This
 * decoder reads its input in any order, through a callback or in mapped memory, so it needs none of these buffers.
 * In addition to the history that the data refers to, it needs about 4 KB ("packed" layout) or 10 KB ("tables" layout,
 * about 30 % faster); with more memory it reads less often. It decodes everything except dictionaries: several frames,
 * skippable frames, checksums, every type of block and table, windows up to 2^27 bytes.
 *
 * Example: decodes a frame at `offset` of a file into memory that holds the complete output:
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
 *     job.dst = memory;             // decoded_length bytes
 *     status = utet_zstd_init(&z, &job, work, sizeof work);
 *     if (status == UTET_OK)
 *         do
 *             status = utet_zstd_decode(z);
 *         while (status == UTET_WOULD_BLOCK);
 *     if (UTET_IS_ERROR(status))
 *         fprintf(stderr, "%s at %llu\n", utet_strerror(status), utet_zstd_error_offset(z));
 *
 * If job.dst is NULL, the output is delivered in slices (utet_zstd_read, or utet_zstd_step without a copy), and the
 * work memory must also hold the history: at most min(window of the frame, decoded length) bytes; utet_zstd_need
 * computes the size.
 *
 * The output of a frame with a checksum is unverified until the frame has ended. The slice with the very last byte is
 * delivered only after everything has been verified: the end of the payload, its checksums (except in builds with
 * UTET_ZSTD_CHECKSUM 0, see utet_zstd_unverified) and its length.
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

/* Work memory in bytes that is sufficient for the packed layout and for the tables layout, with two caches of 64 bytes
 * and without the history. It may start at any address. With 64-bit pointers the packed layout needs 96 bytes more. */
#define UTET_ZSTD_WORK_PACKED (4360u + (sizeof(void *) > 4u ? 96u : 0u))
#define UTET_ZSTD_WORK_TABLES (10240u)

typedef struct utet_zstd utet_zstd;

/* A decoding job. Fields that an initialiser does not name must be 0. */
typedef struct utet_zstd_job {
    const utet_io *io; /* the source; its unit and align must be 0 or 1 */
    uint64_t offset;   /* source offset of the first frame */
    uint64_t length;   /* total length of all frames, in bytes; they end exactly there */
    uint64_t size;     /* exact decoded size in bytes; with at_most, an upper bound */
    uint8_t *dst;      /* destination of all `size` bytes; NULL: slices */
    uint8_t at_most;   /* 1: the data may decode to fewer than `size` bytes */
} utet_zstd_job;

/*
 * Computes the work memory for `job`, in bytes: need->least is sufficient, more than need->best is never used.
 * window: the largest Window_Size of the frames, or 0 if it is unknown (the result is then an upper bound). Reads
 * nothing.
 * UTET_E_SPACE: the size does not fit into a size_t.
 * Returns: OK, E_SPACE
 */
utet_status utet_zstd_need(const utet_zstd_job *job, uint64_t window, utet_need *need);

/*
 * Reads the window size that the frame header at `head` declares: *window bytes, at most 2^32 - 1 (a larger window is
 * reported as 2^32 - 1). `head` has `len` bytes; 18 are always enough. For a skippable frame, *window is 0 and *skip is
 * the length of the frame, header included; otherwise *skip is 0.
 * UTET_E_PAYLOAD: there is no frame header, or it is longer than `len` bytes.
 * Returns: OK, E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY, E_PAYLOAD
 */
utet_status utet_zstd_window(const uint8_t *head, size_t len, uint32_t *window, uint64_t *skip);

/*
 * Creates a decoder in `work` and stores its address in *z. `work` may start at any address; up to 7 bytes before the
 * first multiple of 8 are lost. utet_zstd_needed includes them; utet_zstd_need cannot. Reads nothing: the first step
 * (or utet_zstd_open) reads headers, selects the layout and divides the memory. `job` and job->io are copied. The
 * decoder does not have to be closed, unless a read is pending.
 * UTET_E_ARGUMENT: a pointer is NULL, unit or align is larger than 1, or offset and length are outside the source.
 * UTET_E_BUDGET: work_len is too small even for the fixed part.
 * UTET_E_SPACE: job->size is larger than SIZE_MAX / 2.
 * Returns: OK, E_ARGUMENT, E_BUDGET, E_SPACE
 */
utet_status utet_zstd_init(utet_zstd **z, const utet_zstd_job *job, void *work, size_t work_len);

/*
 * Begins another job with the same decoder and memory. For small jobs this is faster than utet_zstd_init because the
 * tables of the predefined distributions are kept.
 * UTET_E_ARGUMENT, UTET_E_SPACE: the job violates the conditions of utet_zstd_init.
 * Returns: OK, E_ARGUMENT, E_SPACE
 */
utet_status utet_zstd_reset(utet_zstd *z, const utet_zstd_job *job);

/*
 * Divides the memory. Without this call, the first utet_zstd_step does it. It reads nothing with job.dst, or if the
 * memory holds all of the input and of the output. Otherwise it reads the header of the first frame and, if the history
 * cannot hold the complete output, the headers of all frames and blocks.
 * UTET_E_BUDGET: utet_zstd_needed returns the sufficient size.
 * Returns: OK, WOULD_BLOCK, E_BUDGET, E_SHORT, E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY, E_PAYLOAD, E_PORT
 */
utet_status utet_zstd_open(utet_zstd *z);

/*
 * Makes the next decoded bytes available: 1..want (≥ 1) bytes at *ptr, valid until the next call. With job.dst, *ptr
 * points into it, in order. All errors stick.
 * UTET_OK: *len is at least 1. UTET_END: the output is complete and verified; *len is 0.
 * UTET_WOULD_BLOCK: *len is 0; repeat the call, `want` may differ. With job->io->step_limit n, the call also returns it
 * after n to 2·n decoder steps without output; after the same number of steps with output, it returns fewer than `want`
 * bytes.
 * UTET_E_ARGUMENT: want is 0; this error does not stick.
 * UTET_E_BUDGET: utet_zstd_needed returns the sufficient size.
 * UTET_E_SPACE: with at_most, the output is larger than job.size.
 * UTET_E_PAYLOAD: the data is damaged, its decoded length is not job.size, or the window of a frame has changed since
 * the memory was divided.
 * UTET_E_PORT: also if the port returned more bytes than requested, or a positive status other than UTET_WOULD_BLOCK.
 * Returns: OK, END, WOULD_BLOCK, E_ARGUMENT, E_BUDGET, E_SPACE, E_SHORT, E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY,
 *          E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_zstd_step(utet_zstd *z, size_t want, const uint8_t **ptr, size_t *len);

/*
 * Copies the next `size` (≥ 1) bytes to `buffer`, or fewer at the end. *got: number of bytes delivered by this call,
 * valid with every status; after UTET_WOULD_BLOCK, continue after these bytes. Not available with UTET_ZSTD_SLICES 0.
 * UTET_END: the output is complete and verified. UTET_E_ARGUMENT: size is 0; this error does not stick. For other
 * errors, see utet_zstd_step.
 * Returns: OK, END, WOULD_BLOCK, E_ARGUMENT, E_BUDGET, E_SPACE, E_SHORT, E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY,
 *          E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_zstd_read(utet_zstd *z, void *buffer, size_t size, size_t *got);

/*
 * Decodes everything into job.dst. It does not report the size of the output; with at_most, use utet_zstd_step, which
 * does.
 * UTET_OK: the output is complete and verified. UTET_E_ARGUMENT: the job has no dst. For other errors, see
 * utet_zstd_step.
 * Returns: OK, WOULD_BLOCK, E_ARGUMENT, E_BUDGET, E_SPACE, E_SHORT, E_ZSTD_WINDOW, E_ZSTD_DICT, E_ZSTD_LEGACY,
 *          E_PAYLOAD, E_CHECKSUM, E_PORT
 */
utet_status utet_zstd_decode(utet_zstd *z);

/* Returns the sufficient work memory in bytes after UTET_E_BUDGET; otherwise 0. */
uint64_t utet_zstd_needed(const utet_zstd *z);
/* Returns the source offset of the frame, block or field that is being decoded, or that is damaged. */
uint64_t utet_zstd_error_offset(const utet_zstd *z);
/* Returns 1 once, when a frame with a checksum has been decoded without verifying it, as builds with UTET_ZSTD_CHECKSUM
 * 0 do; until then 0, and 0 again until utet_zstd_init creates another decoder. In other builds it always returns 0. */
int utet_zstd_unverified(utet_zstd *z);

/* Number of this header's type, for utet_sizeof (utet.h). */
enum { UTET_OBJECT_ZSTD_JOB = 47 };

#ifdef __ELF__
#pragma GCC visibility pop
#endif
/* Deprecated: names of version 0.9, removed in version 1.0 (src/MIGRATING.md). */
#define utet_zstd_where utet_zstd_error_offset
#define utet_zstd_again utet_zstd_reset

#ifdef __cplusplus
}
#endif

#endif
