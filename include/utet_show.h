/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * microtet, optional: converts one element to a double or to text. Elements are used as stored, little-endian and at
 * any alignment (src/tet/FORMAT.md §3, §5), so they can be taken directly from a utet_run. Text is produced with
 * integer arithmetic only; utet_show_double is the only function that uses floating point. No file is needed, and no
 * call blocks.
 */
#ifndef UTET_SHOW_H
#define UTET_SHOW_H

#include "utet.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __ELF__
#pragma GCC visibility push(default)
#endif

/* Sufficient buffer size in bytes for the text of any element, terminator included: "-2.2250738585072014e-308". */
#define UTET_SHOW_SIZE 26

/*
 * Converts the element to a double. Integers beyond 2^53 are rounded; everything else is exact, also f16. If double has
 * 32 bits, f64 is rounded to that. NaN remains NaN, but its payload may be lost.
 * UTET_E_DTYPE: the tag is unknown; *value is unchanged.
 * Returns: OK, E_DTYPE
 */
utet_status utet_show_double(uint32_t dtype, const void *element, double *value);

/*
 * Writes the element as terminated text to `buffer` of `size` bytes. *length: length without the terminator; `length`
 * may be NULL. Integers are exact. Floats are written as the shortest decimal text that reads back as the same f16, f32
 * or f64: "0.1", "1e-05", "-0", "nan", "inf", "-inf"; with an exponent below 1e-4 and from 1e16 on.
 * UTET_E_DTYPE: the tag is unknown. UTET_E_SPACE: the buffer is too small, and nothing is written; UTET_SHOW_SIZE
 * bytes are always enough.
 * Returns: OK, E_SPACE, E_DTYPE
 */
utet_status utet_show_text(uint32_t dtype, const void *element, char *buffer, size_t size, size_t *length);

/* Returns "f32" and so on for known tags, "?" for others; never NULL. */
const char *utet_show_dtype(uint32_t dtype);

#ifdef __ELF__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
