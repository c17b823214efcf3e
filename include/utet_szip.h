/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * microtet, optional: decodes szip data, the adaptive Golomb-Rice code of CCSDS 121.0-B (libaec, SZIP), in about 300
 * bytes. Sections (§): src/szip/FORMAT.md.
 *
 * The decoder takes its input in pieces of any size and gives a block of samples at a time:
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
 * Streams do not say how many samples they hold: the caller stops after as many as he expects (the last block is
 * whole, its rest is padding) and asks utet_szip_spare whether the input ended there.
 * As a codec of streams, behind a window: utet_codec_szip (utet_tensogram_data.h).
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

/* Bits of `flags` (§1), numbered as libaec's. Others are ignored. */
#define UTET_SZIP_SIGNED 1u      /* samples are two's complement */
#define UTET_SZIP_3BYTE 2u       /* samples of 17 to 24 bits take 3 bytes, not 4 */
#define UTET_SZIP_MSB 4u         /* most significant byte first */
#define UTET_SZIP_PREPROCESS 8u  /* differences were coded, not samples */
#define UTET_SZIP_RESTRICTED 16u /* short ids for samples of up to 4 bits */
#define UTET_SZIP_PAD 32u        /* each interval ends at a byte */

#define UTET_SZIP_BLOCK_MAX 64u
#define UTET_SZIP_RSI_MAX 4096u

/* What a stream does not say about itself. */
typedef struct utet_szip_params {
    uint8_t bits;  /* size of a sample, 1..32 bits */
    uint8_t flags; /* UTET_SZIP_… */
    uint8_t block; /* samples of a block: 8, 16, 32 or 64 */
    uint16_t rsi;  /* blocks of a reference sample interval: 1..4096 */
} utet_szip_params;

/* out and size may be read; the rest is private. */
typedef struct utet_szip {
    const uint8_t *out; /* the block, as bytes; valid until the next call */
    size_t size;        /* its bytes: block * utet_szip_width */
    struct {
        uint_fast32_t reservoir; /* bits taken in and not used, from the top; zeros below */
        uint8_t held;            /* their number */
        uint8_t step;            /* within the block */
        uint8_t coded;           /* the step that comes after the reference sample */
        uint8_t id_bits;
        uint8_t id;
        uint8_t index; /* index of the next value */
        uint8_t split; /* 1: the high bits of a long field have been taken */
        uint8_t width; /* bytes of a sample */
        utet_szip_params params;
        uint16_t block;       /* number of the block within its interval */
        uint16_t zero_blocks; /* blocks of zeros that follow without bits of their own */
        uint32_t high;        /* those high bits */
        uint32_t zeros;       /* zeros of the current unary number */
        uint32_t most;        /* the largest value of `bits` bits */
        uint32_t last;        /* the sample before the block */
        uint32_t value[UTET_SZIP_BLOCK_MAX];
    } priv;
} utet_szip;

/* Bytes that a sample takes in the output, 1..4; 0 when `params` are not as said above. */
unsigned utet_szip_width(const utet_szip_params *params);

/*
 * Begins a stream. `params` is copied.
 * UTET_E_ARGUMENT: params are not as said above.
 * Returns: OK, E_ARGUMENT
 */
utet_status utet_szip_init(utet_szip *z, const utet_szip_params *params);

/*
 * Decodes one block from the `length` bytes at `in`. *used: how many of them have been taken, with every status; up to
 * sizeof (uint_fast32_t) of them may belong to the next block and are kept.
 * UTET_OK: the block is z->size bytes at z->out. UTET_WOULD_BLOCK: all of `in` is used; call again with what follows.
 * UTET_E_PAYLOAD: a code stands for no sample, or for blocks beyond the interval; this error sticks.
 * Returns: OK, WOULD_BLOCK, E_PAYLOAD
 */
utet_status utet_szip_block(utet_szip *z, const uint8_t *in, size_t length, size_t *used);

/* Whole bytes taken in and not used so far: 0 when the stream ended with the last block. */
unsigned utet_szip_spare(const utet_szip *z);

/* For utet_sizeof (utet.h): numbers of the types of this header. */
enum { UTET_OBJECT_SZIP_PARAMS = 50, UTET_OBJECT_SZIP = 51 };

#ifdef __ELF__
#pragma GCC visibility pop
#endif
/* Deprecated: names of version 0.9, which version 1.0 removes (src/MIGRATING.md). */
#define UTET_SZIP_BLOCK_MOST UTET_SZIP_BLOCK_MAX
#define UTET_SZIP_RSI_MOST UTET_SZIP_RSI_MAX

#ifdef __cplusplus
}
#endif

#endif
