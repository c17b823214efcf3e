/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * microtet, optional: converts one element to a double, to text or to its physical value. Elements are used as stored,
 * little-endian and at any alignment (src/tet/FORMAT.md §3, §5), so they can be taken directly from a utet_run. Text is
 * produced with integer arithmetic only; utet_show_double is the only function that uses floating point. No file is
 * needed, and no call blocks.
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
 * 32 bits, f64 is rounded to 32 bits. NaN remains NaN, but its payload may be lost.
 * UTET_E_DTYPE: the tag is unknown; *value is unchanged.
 * Returns: OK, E_DTYPE
 */
utet_status utet_show_double(uint32_t dtype, const void *element, double *value);

/*
 * Writes the element as terminated text to `buffer` of `size` bytes. *length: length without the terminator; `length`
 * may be NULL. Integers are exact. Floats are written as the shortest decimal text that reads back as the same f16, f32
 * or f64: "0.1", "1e-05", "-0", "nan", "inf", "-inf". Magnitudes below 1e-4 and from 1e16 on have an exponent.
 * UTET_E_DTYPE: the tag is unknown. UTET_E_SPACE: the buffer is too small, and nothing is written; UTET_SHOW_SIZE
 * bytes are always enough.
 * Returns: OK, E_SPACE, E_DTYPE
 */
utet_status utet_show_text(uint32_t dtype, const void *element, char *buffer, size_t size, size_t *length);

/* Returns "f32" and so on for known tags, "?" for others; never NULL. */
const char *utet_show_dtype(uint32_t dtype);

/* ---- physical values ------------------------------------------------------------------------ */

typedef struct utet_physical_number { /* private: digits * 10^power */
    uint64_t digits;
    int16_t power;
    uint8_t negative;
} utet_physical_number;

/* The conversion of the elements of a dataset, by its attributes. */
typedef struct utet_physical {      /* private */
    utet_physical_number number[2]; /* scale_factor and add_offset */
    uint64_t fill[3];               /* elements that mean "missing": of _FillValue, missing_value, fill_value */
    uint32_t dtype;
    uint8_t fills; /* elements of `fill` that are in use, one bit each */
    uint8_t given; /* nonzero: one of the two numbers is an attribute */
} utet_physical;

/*
 * Begins a conversion of elements of this dtype: scale 1, offset 0, no fill value. Elements are converted only by
 * utet_physical_f64; all other calls deliver them as stored.
 * UTET_E_DTYPE: the tag is unknown.
 * Returns: OK, E_DTYPE
 */
utet_status utet_physical_begin(utet_physical *physical, uint32_t dtype);

/*
 * Takes an attribute of the dataset (utet_value_next and utet_text_read of utet_meta.h deliver them). It uses these
 * keys of the CF conventions: scale_factor, add_offset, _FillValue and missing_value, and fill_value if neither
 * _FillValue nor missing_value is a number. All other keys are accepted and ignored. Texts need no terminator.
 * UTET_E_METADATA: scale_factor or add_offset is not a decimal number. UTET_E_LIMIT: a number has more than 19 digits,
 * or the unit of its last digit is not between 10^-40 and 10^40. After an error, `physical` is unchanged.
 * Returns: OK, E_LIMIT, E_METADATA
 */
utet_status utet_physical_attribute(utet_physical *physical, const char *key, size_t key_length, const char *text,
                                    size_t length);

/*
 * Converts an element to its physical value, stored * scale_factor + add_offset. The result is an element of UTET_F64
 * in the 8 bytes at `f64`; utet_show_double and utet_show_text take it. The exact result is rounded once, to the
 * nearest f64 with ties to even; no floating point is used. NaN and fill values become NaN. Needs 1 KB of stack.
 * Returns: OK, E_DTYPE
 */
utet_status utet_physical_f64(const utet_physical *physical, const void *element, void *f64);

/* Number of this header's type, for utet_sizeof (utet.h). */
enum { UTET_OBJECT_PHYSICAL = 88 };

#ifdef __ELF__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
