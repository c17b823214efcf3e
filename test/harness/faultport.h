/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The port of the tests: a file in memory behind the utet_io interface that answers late, short, in slices, with
 * errors, or not at all, on a schedule; and that checks the library's half of the contract at every request (include/
 * utet.h, "port"): inside [0, size), multiples of unit, buffer aligned and inside memory that the caller handed over,
 * the identical request after "not yet". Counts what it does. Violations are kept as text, never fatal by themselves.
 */
#ifndef TEST_FAULTPORT_H
#define TEST_FAULTPORT_H

#include "utet.h"

typedef enum fault_kind {
    FAULT_NONE,
    FAULT_ERROR,      /* returns FAULTPORT_ERROR */
    FAULT_SHORT,      /* one unit less than requested (at least one) */
    FAULT_EOF,        /* OK and no bytes: the medium ends */
    FAULT_BLOCK_ONCE, /* "not yet" once, then the bytes */
    FAULT_BLOCK_THRICE,
    FAULT_KINDS
} fault_kind;

extern const char *const fault_names[FAULT_KINDS];

#define FAULTPORT_ERROR (UTET_E_PORT - 7)

#define SLICE_ALL 0
#define SLICE_RANDOM ((size_t)-1)
#define FAULTPORT_ZONES 4

typedef struct faultport {
    utet_io io; /* what utet_init gets */

    /* The medium: `bytes`, or fetch() when bytes is null (sparse and huge files). */
    const uint8_t *bytes;
    void (*fetch)(void *medium, uint64_t offset, uint8_t *to, size_t len);
    void *medium;

    /* The schedule; may be changed at any time. */
    size_t slice;     /* most bytes a call gives: SLICE_ALL, a number (rounded up to unit), SLICE_RANDOM */
    unsigned blocks;  /* how often "not yet" is returned before each request is served */
    fault_kind fault; /* at the read number fault_at (0-based, completed reads), … */
    uint64_t fault_at;
    int fault_forever; /* … and from then on */
    uint64_t random;   /* state of the generator for SLICE_RANDOM */

    /* Counters. `reads` counts calls that ended (bytes, end, error), not the "not yet" ones. */
    uint64_t reads, blocked, cancels, bytes_read, sectors, faults;

    /* Contract. */
    unsigned violations;
    char violation[200]; /* the first one */

    struct {
        const uint8_t *at;
        size_t size;
    } zones[FAULTPORT_ZONES]; /* memory the library may read into; none given: not checked */
    int pending;              /* the last request was answered "not yet" */
    uint64_t pending_offset;
    void *pending_buf;
    size_t pending_len;
    unsigned blocks_left;
} faultport;

/* unit 1 and align 1, no fault, all bytes at once. The object must not move afterwards. */
void faultport_init(faultport *p, const void *bytes, uint64_t size);
void faultport_zone(faultport *p, unsigned slot, const void *at, size_t size);
/* Back to the start of the schedule: counters, pending request, generator; zones and schedule stay. */
void faultport_rewind(faultport *p);
/* Called by the wrapper of each public call (test/tools/status_wrap.py) when it returns: a call that can be suspended
 * may not end while the port's transfer is under way, for its memory is the caller's again. Then the program dies. A
 * refusal (UTET_E_STATE, UTET_E_ARGUMENT) leaves the suspended call as it is. */
void faultport_returned(const char *call, int waits, int status);
/* The next call is repeated with other arguments, and may end though its transfer is under way. */
void faultport_misused(void);
void faultport_map(faultport *p); /* memory-mapped from now on: read must not be called any more */

#endif
