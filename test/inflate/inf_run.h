/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The decoder under test and its judge, zlib. Input comes in fragments of chosen sizes, in memory that ends at an
 * unmapped page and is overwritten by the next fetch. Output goes to a buffer of exactly the chosen capacity between
 * unmapped pages.
 */
#ifndef INF_RUN_H
#define INF_RUN_H

#include <stddef.h>
#include <stdint.h>

#include "utet_inflate.h"

enum { INF_MOST = 1 << 17 }; /* maximum sizes of input and output, in bytes */

typedef struct inf_bytes {
    uint8_t *data;
    uint32_t len;
} inf_bytes;

/* The result for a stream. */
typedef struct inf_verdict {
    utet_status status; /* UTET_END, or UTET_E_… */
    uint32_t produced;  /* decoded bytes: all of them for zlib, the delivered ones for the decoder */
    uint32_t where;     /* the decoder's only */
    const char *why;    /* zlib's message, or NULL */
} inf_verdict;

/* How the decoder is used. */
typedef struct inf_way {
    size_t piece;    /* bytes of a fetch; 0: random, 1 to 9 */
    size_t want;     /* bytes of a step; 0: random, 1 to 300 */
    size_t capacity; /* capacity of the buffer, in bytes; SIZE_MAX: the decoded size; at most 7 more than that */
    unsigned blocks; /* how many of 16 fetches first get "not yet"; 17: each fetch, three times */
    uint32_t fault;  /* the fetch that reaches this position fails with UTET_E_PORT - 5; UINT32_MAX: no fetch fails */
    uint32_t seed;
} inf_way;

/* zlib's result for a stream whose stated decoded length is `size`; its output is in inf_judged. */
inf_verdict inf_judge(const uint8_t *in, uint32_t len, uint32_t size);
extern uint8_t inf_judged[INF_MOST + 1];

/* The decoder's result. Its output is compared with inf_judged as it arrives. Ends the program with a message if it
 * breaks a promise of the interface. */
inf_verdict inf_run(const uint8_t *in, uint32_t len, uint32_t size, const inf_way *way);

/* A random way to use the decoder. */
inf_way inf_any_way(uint32_t len, uint32_t size, uint32_t seed);

/* Runs both decoders, and returns 1 if they agree; otherwise prints the difference. `seed` chooses the way at
 * random. */
int inf_agree(const char *name, const uint8_t *in, uint32_t len, uint32_t size, uint32_t seed);
/* The same, in a given way. */
int inf_agree_way(const char *name, const uint8_t *in, uint32_t len, uint32_t size, const inf_way *way);

/* How many results of each kind have been compared. */
typedef struct inf_counts {
    unsigned long good, payload, space, checksum;
} inf_counts;
extern inf_counts inf_counted;

uint32_t inf_chance(uint32_t *seed); /* the next number of a random sequence */

#endif
