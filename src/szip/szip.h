/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the szip decoder share. Internal to the library. */
#ifndef UTET_SZIP_INSIDE_H
#define UTET_SZIP_INSIDE_H

#include "utet_szip.h"

#include <string.h>

/* The loops over a block's values are compiled for speed whatever the rest is: half the instructions for 1,300 bytes.
 */
#if defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE__)
#define SZIP_HOT __attribute__((optimize("O2"), noinline))
#else
#define SZIP_HOT
#endif
#if defined(__GNUC__) && defined(__OPTIMIZE__)
#define SZIP_INLINE static inline __attribute__((always_inline))
#else
#define SZIP_INLINE static inline
#endif

/* Turns the codes in z->priv.value into samples, those into bytes at z->out, and moves on to the next block (§4).
 * 1 when that begins an interval. */
int utet_szip_samples(utet_szip *z);

#endif
