/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Streams for the tests: by zlib's encoder in all its settings, and block by block by chance, good and bad. */
#ifndef INF_MADE_H
#define INF_MADE_H

#include "inf_run.h"

/* Decoded bytes of kinds 0..5: text, noise, zeros, ramps of numbers, few symbols, far repetitions. */
void inf_content(uint8_t *to, uint32_t len, unsigned kind, uint32_t seed);

/* zlib's encoder; `flush`: 0, or a flush of kind 1..5 (Z_PARTIAL_FLUSH …) every some hundred bytes. Returns the length.
 */
uint32_t inf_compress(uint8_t *to, const uint8_t *from, uint32_t len, int level, int window, int memory, int strategy,
                      int flush);

/* A stream of blocks by chance: stored, fixed, dynamic with codes that are complete, lone, empty, incomplete or
 * over-subscribed, now and then with what is wrong in other places. At most INF_MADE bytes; *size: what is to be
 * stated as its decoded length, at most INF_MOST. */
enum { INF_MADE = 60000 };
uint32_t inf_made(uint8_t *to, uint32_t seed, uint32_t *size);

#endif
