/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Keeps decoded payloads that several rows share, or that several bands need. */
#ifndef UTET_TOOL_KEPT_H
#define UTET_TOOL_KEPT_H

#include "utet_codec.h"

typedef struct keeper keeper;

/* Returns a codec that decodes like `inner`. It keeps nothing before kept_on. NULL: not enough memory. */
keeper *kept_begin(const utet_codec *inner);
const utet_codec *kept_codec(const keeper *k);
/* Returns the decoder that the codec wraps. */
const utet_codec *kept_inner(const keeper *k);
/* Sets the number of codecs that keep payloads at the same time, which share the memory. */
void kept_share(keeper *k, unsigned count);
/* From now on, the codec remembers the needs of payloads that are used a second time. */
void kept_on(keeper *k);
/* Begins the next band. From the first band on, payloads that are used repeatedly stay in memory, in a quarter of the
 * machine's RAM; with `at_once`, from their first use on. Payloads that neither this band nor the one before has used
 * may be released. */
void kept_band(keeper *k, int at_once);
/* From now on, every band keeps payloads from their first use on, because the file is read several times. */
void kept_always(keeper *k);
/* May be null. */
void kept_end(keeper *k);

#endif
