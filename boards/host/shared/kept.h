/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Decoded payloads that are kept, because rows share them or because one is wanted in several bands. */
#ifndef UTET_TOOL_KEPT_H
#define UTET_TOOL_KEPT_H

#include "utet_codec.h"

typedef struct keeper keeper;

/* A codec that decodes as `inner` does. Nothing is kept before kept_on. Null: no memory. */
keeper *kept_begin(const utet_codec *inner);
const utet_codec *kept_codec(const keeper *k);
/* The decoder that it wraps. */
const utet_codec *kept_inner(const keeper *k);
/* As many keepers are at work: this one takes its part of the memory. */
void kept_share(keeper *k, unsigned count);
/* From now on the needs of payloads that come a second time are remembered. */
void kept_on(keeper *k);
/* The next band. From the first one on a payload that has been met again and again stays in memory (kept.c), all of
 * them in a quarter of the machine's; with `at_once` when it is decoded for the first time. What neither this band nor
 * the one before wanted may be given up. */
void kept_band(keeper *k, int at_once);
/* From now on every band keeps payloads at once: the file is read several times. */
void kept_always(keeper *k);
/* May be null. */
void kept_end(keeper *k);

#endif
