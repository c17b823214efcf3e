/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * What the fuzz targets share. A target is one C file with LLVMFuzzerTestOneInput; a violated promise aborts, which
 * libFuzzer and AFL++ recognise. Without a fuzzer, fuzz_main.c runs it over files, so that gcc's sanitizers also replay
 * the corpus.
 */
#ifndef TEST_FUZZ_H
#define TEST_FUZZ_H

#include "rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FUZZ_ROOM = 1 << 17, FUZZ_WORK = 600000 };

#define FUZZ_CHECK(condition)                                               \
    do {                                                                    \
        if (!(condition)) {                                                 \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
            abort();                                                        \
        }                                                                   \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Opens `bytes` through a port whose behaviour is `how`: bits 0-1 slices, 2 "not yet", 3-4 unit, 5 map, 6 codec. */
utet_status fuzz_open(rig *r, unsigned how, const uint8_t *bytes, size_t size);
utet_status fuzz_open_within(rig *r, unsigned how, const uint8_t *bytes, size_t size, size_t budget);
/* The same for a file of Tensogram messages. */
void fuzz_open_messages(rig *r, unsigned how, const uint8_t *bytes, size_t size);
/* Checks canaries and the port's contract. */
void fuzz_end(rig *r);

#endif
