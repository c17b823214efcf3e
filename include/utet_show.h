/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * microtet, optional: one element for the eye. Elements are taken as stored, little-endian and of any alignment
 * (src/tet/FORMAT.md §3, §5), so straight from a utet_run. Text is made with integers only; utet_show_double is the one
 * function that uses floating point. No file is needed, nothing blocks.
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

/* Enough for the text of any element, terminator included: "-2.2250738585072014e-308". */
#define UTET_SHOW_SIZE 26

/*
 * The element as a double. Integers beyond 2^53 are rounded; everything else is exact (f16 too). Where double has
 * 32 bits, f64 is rounded to that. NaN stays NaN, its payload may be lost.
 * UTET_E_DTYPE: the tag is outside of 1..10; *value is untouched.
 * Returns: OK, E_DTYPE
 */
utet_status utet_show_double(uint32_t dtype, const void *element, double *value);

/*
 * The element as text into `buffer` of `size` bytes, terminated; *length: without terminator, may be null.
 * Integers exactly; floats as the shortest decimal text that reads back as the same f16, f32 or f64: "0.1", "1e-05",
 * "-0", "nan", "inf", "-inf"; with an exponent below 1e-4 and from 1e16 on.
 * UTET_E_DTYPE: the tag is outside of 1..10. UTET_E_SPACE: nothing is written; UTET_SHOW_SIZE always suffices.
 * Returns: OK, E_SPACE, E_DTYPE
 */
utet_status utet_show_text(uint32_t dtype, const void *element, char *buffer, size_t size, size_t *length);

/* "f32" and so on for the tags 1..10, "?" for others; never null. */
const char *utet_show_dtype(uint32_t dtype);

#ifdef __ELF__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
