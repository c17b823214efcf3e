/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * A medium that does not answer the same request twice with the same bytes: between the library and the port of the
 * tests (faultport, which goes on checking requests) it changes some of the bytes that are read, most often where bytes
 * have been read before. It changes bits, numbers of 8 bytes, sectors, and whole structures, which it takes from
 * another place of the file or from another valid file. A seed, or the bytes of a fuzzer, determine which and when.
 */
#ifndef TEST_FICKLE_H
#define TEST_FICKLE_H

#include "rig.h"

typedef struct fickle {
    const uint8_t *bytes, *other; /* the file, and another one that structures may come from */
    uint64_t size, other_size;
    uint64_t random;       /* state of the generator; any number */
    unsigned honest;       /* of 256 answers about bytes that were read before, the number that stay unchanged */
    uint64_t from;         /* number of reads at the beginning that are honest, so that a case gets further */
    const uint8_t *script; /* bytes of a fuzzer, used in place of the generator until they end */
    size_t script_size;
    uint64_t most;    /* maximum number of reads; more fail the case, because some call does not end */
    uint64_t reads;   /* number of reads in this run */
    uint64_t changed; /* number of changed answers in all runs */
    uint8_t *seen;    /* a bit for each 8 bytes of the file: they have been read */
    utet_io inner;
} fickle;

/* Puts the medium between a rig, whose port has been made, and its library. Call rig_start next. `f` must not move. */
void fickle_between(fickle *f, rig *r, const uint8_t *bytes, uint64_t size, const uint8_t *other, uint64_t other_size);
/* Begins a run: nothing has been read, and the generator continues from `seed`. */
void fickle_begin(fickle *f, uint64_t seed);
/* Does the same as fickle_begin. The seed also determines how often the medium returns wrong data, from which read on,
 * and how the port behaves. Then starts the library with the last `work` bytes of the rig's memory, so that its
 * workspace ends at an unmapped page. */
void fickle_start(fickle *f, rig *r, size_t work, uint64_t seed);
void fickle_free(fickle *f);

#endif
