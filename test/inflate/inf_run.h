/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The decoder under test and its judge. Input comes in pieces of chosen sizes, in memory that ends at an unmapped page
 * and is overwritten by the next fetch; output goes to a buffer of exactly the chosen capacity between unmapped pages.
 */
#ifndef INF_RUN_H
#define INF_RUN_H

#include <stddef.h>
#include <stdint.h>

#include "utet_inflate.h"

enum { INF_MOST = 1 << 17 }; /* longest input and output, bytes */

typedef struct inf_bytes {
    uint8_t *data;
    uint32_t len;
} inf_bytes;

/* What is said of a stream. */
typedef struct inf_verdict {
    utet_status status; /* UTET_END, or UTET_E_… */
    uint32_t produced;  /* bytes: by the judge all of them, by the decoder those given out */
    uint32_t where;     /* the decoder's */
    const char *why;    /* the judge's words, or null */
} inf_verdict;

/* How the decoder is used. */
typedef struct inf_way {
    size_t piece;    /* bytes of a fetch, 0: by chance 1..9 */
    size_t want;     /* bytes of a step, 0: by chance 1..300 */
    size_t capacity; /* of the buffer, bytes; SIZE_MAX: the decoded size; never more than that and 7 */
    unsigned blocks; /* of 16 fetches so many are told "not yet" first; 17: each, three times */
    uint32_t fault;  /* the fetch that reaches this position fails with UTET_E_PORT - 5; UINT32_MAX: none */
    uint32_t seed;
} inf_way;

/* zlib's verdict on a stream of which `size` is said to be the decoded length; its output is at inf_judged. */
inf_verdict inf_judge(const uint8_t *in, uint32_t len, uint32_t size);
extern uint8_t inf_judged[INF_MOST + 1];

/* The decoder's; what it gives out is compared with inf_judged as it comes. Ends the program with words when it breaks
 * a promise of the interface. */
inf_verdict inf_run(const uint8_t *in, uint32_t len, uint32_t size, const inf_way *way);

/* A way of use by chance. */
inf_way inf_any_way(uint32_t len, uint32_t size, uint32_t seed);

/* Both, and 1 when they agree; otherwise prints the difference. The way is by chance from `seed`. */
int inf_agree(const char *name, const uint8_t *in, uint32_t len, uint32_t size, uint32_t seed);
/* The same for a way that is given. */
int inf_agree_way(const char *name, const uint8_t *in, uint32_t len, uint32_t size, const inf_way *way);

/* How many verdicts of each kind have been compared. */
typedef struct inf_counts {
    unsigned long good, payload, space, checksum;
} inf_counts;
extern inf_counts inf_counted;

uint32_t inf_chance(uint32_t *seed); /* the next of a sequence of numbers by chance */

#endif
