/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Streams for the tests: by zlib's encoder in all its settings, and of random blocks, valid and invalid. */
#ifndef INF_MADE_H
#define INF_MADE_H

#include "inf_run.h"

/* Decoded bytes of kinds 0..5: text, noise, zeros, ramps of numbers, few symbols, far repetitions. */
void inf_content(uint8_t *to, uint32_t len, unsigned kind, uint32_t seed);

/* zlib's encoder; `flush` is 0, or the kind of a flush, 1 to 5 (Z_PARTIAL_FLUSH …), after every few hundred bytes.
 * Returns the length. */
uint32_t inf_compress(uint8_t *to, const uint8_t *from, uint32_t len, int level, int window, int memory, int strategy,
                      int flush);

/* A stream of random blocks: stored, fixed, and dynamic ones with codes that are complete, single, empty, incomplete or
 * over-subscribed; occasionally with errors elsewhere. It has at most INF_MADE bytes. *size is the decoded length to
 * state, at most INF_MOST. */
enum { INF_MADE = 60000 };
uint32_t inf_made(uint8_t *to, uint32_t seed, uint32_t *size);

#endif
