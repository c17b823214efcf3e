/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * A medium that does not answer the same request twice with the same bytes: between the library and the port of the
 * tests (faultport, which goes on checking requests) it changes some of the bytes that are read, most often where bytes
 * have been read before. It changes bits, numbers of 8 bytes, sectors, and whole structures, which it takes from
 * another place of the file or from another valid one. Which and when, a seed says, or bytes of a fuzzer.
 */
#ifndef TEST_FICKLE_H
#define TEST_FICKLE_H

#include "rig.h"

typedef struct fickle {
    const uint8_t *bytes, *other; /* the file, and another one that structures may come from */
    uint64_t size, other_size;
    uint64_t random;       /* state of the generator; any number */
    unsigned honest;       /* so many of 256 answers about what was read before stay as they are */
    uint64_t from;         /* the first so many reads are honest: what follows gets further into the file */
    const uint8_t *script; /* a fuzzer's bytes are taken instead of the generator, as long as there are any */
    size_t script_size;
    uint64_t most;    /* reads; more fail the case: a call that does not end */
    uint64_t reads;   /* this run */
    uint64_t changed; /* answers, of all runs */
    uint8_t *seen;    /* a bit for each 8 bytes of the file */
    utet_io inner;
} fickle;

/* Between the rig, whose port has been made, and its library; to be followed by rig_start. `f` must not move. */
void fickle_between(fickle *f, rig *r, const uint8_t *bytes, uint64_t size, const uint8_t *other, uint64_t other_size);
/* Nothing has been read; from now on the generator goes on from `seed`. */
void fickle_begin(fickle *f, uint64_t seed);
/* The same, and the seed says too how often and from where on the medium lies and how the port behaves; then the
 * library begins with the last `work` bytes of the rig's memory, so that what is lent ends at a wall. */
void fickle_start(fickle *f, rig *r, size_t work, uint64_t seed);
void fickle_free(fickle *f);

#endif
