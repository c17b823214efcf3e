/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * What the tests of the small zstd decoder share: one decoding run in a chosen configuration (layout, caches, source,
 * slices, a source that is late and short). Every buffer ends at an unmapped page and has canaries before it, and a
 * port checks what the decoder requests.
 */
#ifndef ZS_RUN_H
#define ZS_RUN_H

#include <stddef.h>
#include <stdint.h>

#include "utet_zstd.h"

#ifndef UTET_ZSTD_CHECKSUM
#define UTET_ZSTD_CHECKSUM 1 /* as in src/zstd/zstd_decoder.h; 0: the judge ignores checksums too */
#endif

typedef struct zs_config {
    uint8_t mapped;      /* source in memory; otherwise through read() */
    uint8_t packed;      /* layout */
    uint16_t cache;      /* 64..512; 0: memory for the complete payload */
    uint8_t whole;       /* the destination holds everything; otherwise slices, with the history */
    uint8_t at_most;     /* `size` is a bound */
    uint8_t other;       /* by utet_zstd_decode; in slices, by utet_zstd_read instead of utet_zstd_step */
    uint8_t block;       /* the source returns "not yet" before every n-th request; 0: never */
    uint16_t step_limit; /* as in utet_io */
    uint8_t edge;        /* mapped: 0..7: the map ends this many bytes before an unmapped page; 8..15: 0..7 after one */
    size_t slice; /* mapped: 0..7: the map ends this many bytes before an unmapped page; 8..15: begins 0..7 after one */
    size_t chunk; /* maximum number of bytes that the source delivers at once; 0: all, SIZE_MAX: random */
    uint64_t window; /* the window that the frames declare; 0: a history of `size` */
    uint32_t seed;
} zs_config;

typedef struct zs_result {
    utet_status status; /* UTET_OK: everything has been decoded */
    uint64_t where;
    uint64_t needed;
    size_t length;      /* bytes delivered */
    unsigned reads;     /* completed reads of the source */
    size_t bytes;       /* how many bytes they delivered */
    uint8_t unverified; /* the decoder has reported an unverified checksum */
    const char *fault;  /* which rule of the port, or canary, was broken; NULL: none */
} zs_result;

/* Decodes src into out (at least `size` bytes); `size` as in utet_zstd_job. */
zs_result zs_run(const zs_config *config, const uint8_t *src, size_t src_len, uint8_t *out, size_t size);

/* Work memory that the configuration needs. */
size_t zs_work(const zs_config *config, size_t src_len, size_t size);

/* A buffer of n bytes that ends at an unmapped page; kept and reused, eight of them. */
uint8_t *zs_guarded(unsigned slot, size_t n);

uint32_t zs_random(uint32_t *state);

/* The judge: zstd 1.5.7 as test/zstd/README says. Returns the decoded length, or -1. */
long zs_oracle(const uint8_t *src, size_t src_len, uint8_t *out, size_t size);
/* 1: its streaming call decodes it as well */
int zs_oracle_streams(const uint8_t *src, size_t src_len, uint8_t *out, size_t size);

/* The window and the decoded size (or an upper limit), as far as the headers state them. */
uint64_t zs_largest_window(const uint8_t *src, size_t src_len);

uint8_t *zs_load(const char *path, size_t *len);

#endif
