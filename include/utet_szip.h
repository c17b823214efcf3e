/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * microtet, optional: decodes szip data, the adaptive Golomb-Rice code of CCSDS 121.0-B (libaec, SZIP), in about 300
 * bytes of RAM. Sections (§): src/szip/FORMAT.md.
 *
 * The decoder takes its input in parts of any size and delivers one block of samples at a time:
 *
 *     utet_szip z;
 *     size_t used;
 *     utet_status status = utet_szip_init(&z, &params);
 *     while (status == UTET_OK && (status = utet_szip_block(&z, at, have, &used)) != UTET_E_PAYLOAD) {
 *         at += used, have -= used;
 *         if (status == UTET_OK)
 *             take z.size bytes at z.out;
 *         else
 *             get more input, have = 0: end;
 *     }
 *
 * Streams do not contain the number of their samples: the caller stops when it has all samples (the last block is
 * always complete; its surplus samples are padding) and checks with utet_szip_spare that the input ended there.
 * szip is also available as a codec of streams, which reads through a window: utet_codec_szip (utet_tensogram_data.h).
 */
#ifndef UTET_SZIP_H
#define UTET_SZIP_H

#include "utet_io.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __ELF__
#pragma GCC visibility push(default)
#endif

/* Bits of `flags` (§1), with the values that libaec uses. Other bits are ignored. */
#define UTET_SZIP_SIGNED 1u      /* samples are two's complement */
#define UTET_SZIP_3BYTE 2u       /* samples of 17 to 24 bits take 3 bytes, not 4 */
#define UTET_SZIP_MSB 4u         /* most significant byte first */
#define UTET_SZIP_PREPROCESS 8u  /* the coded values are differences, not samples */
#define UTET_SZIP_RESTRICTED 16u /* short ids for samples of up to 4 bits */
#define UTET_SZIP_PAD 32u        /* each interval ends at a byte boundary */

#define UTET_SZIP_BLOCK_MAX 64u
#define UTET_SZIP_RSI_MAX 4096u

/* Parameters that a stream does not contain. */
typedef struct utet_szip_params {
    uint8_t bits;  /* size of a sample, 1..32 bits */
    uint8_t flags; /* UTET_SZIP_… */
    uint8_t block; /* number of samples in a block: 8, 16, 32 or 64 */
    uint16_t rsi;  /* number of blocks in a reference sample interval: 1..4096 */
} utet_szip_params;

/* The decoder. Public fields: out and size. */
typedef struct utet_szip {
    const uint8_t *out; /* the decoded block; valid until the next call */
    size_t size;        /* size of the block, in bytes: block * utet_szip_width */
    struct {
        uint_fast32_t reservoir; /* unused input bits, from the top; zeros below */
        uint8_t held;            /* number of unused input bits */
        uint8_t step;            /* step within the block */
        uint8_t coded;           /* the step after the reference sample */
        uint8_t id_bits;
        uint8_t id;
        uint8_t index; /* index of the next value */
        uint8_t split; /* 1: the high bits of a long field have been read */
        uint8_t width; /* size of a decoded sample, in bytes */
        utet_szip_params params;
        uint16_t block;       /* index of the block in its interval */
        uint16_t zero_blocks; /* number of following zero blocks, which have no bits of their own */
        uint32_t high;        /* high bits of the long field */
        uint32_t zeros;       /* number of zeros of the current unary number */
        uint32_t most;        /* the largest value of `bits` bits */
        uint32_t last;        /* the last sample before the block */
        uint32_t value[UTET_SZIP_BLOCK_MAX];
    } priv;
} utet_szip;

/* Returns the size of a decoded sample in bytes, 1..4; 0 if `params` are invalid. */
unsigned utet_szip_width(const utet_szip_params *params);

/*
 * Begins a stream. `params` is copied.
 * UTET_E_ARGUMENT: params are invalid.
 * Returns: OK, E_ARGUMENT
 */
utet_status utet_szip_init(utet_szip *z, const utet_szip_params *params);

/*
 * Decodes one block from the `length` bytes at `in`. *used: number of bytes consumed, valid with every status; up to
 * sizeof (uint_fast32_t) of them may belong to the next block and are kept.
 * UTET_OK: the block is z->size bytes at z->out. UTET_WOULD_BLOCK: all of `in` is consumed; call again with more input.
 * UTET_E_PAYLOAD: a code does not represent a sample, or represents blocks beyond the interval; this error sticks.
 * Returns: OK, WOULD_BLOCK, E_PAYLOAD
 */
utet_status utet_szip_block(utet_szip *z, const uint8_t *in, size_t length, size_t *used);

/* Returns the number of complete bytes consumed but not used so far: 0 if the stream ended with the last block. */
unsigned utet_szip_spare(const utet_szip *z);

/* Numbers of this header's types, for utet_sizeof (utet.h). */
enum { UTET_OBJECT_SZIP_PARAMS = 50, UTET_OBJECT_SZIP = 51 };

#ifdef __ELF__
#pragma GCC visibility pop
#endif
/* Deprecated: names of version 0.9, removed in version 1.0 (src/MIGRATING.md). */
#define UTET_SZIP_BLOCK_MOST UTET_SZIP_BLOCK_MAX
#define UTET_SZIP_RSI_MOST UTET_SZIP_RSI_MAX

#ifdef __cplusplus
}
#endif

#endif
