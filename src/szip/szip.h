/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Declarations that the parts of the szip decoder share. Internal to the library. */
#ifndef UTET_SZIP_INSIDE_H
#define UTET_SZIP_INSIDE_H

#include "utet_szip.h"

#include <string.h>

/* The reservoir is a machine word of 32 bits or more. Tests of the short word on machines with a longer one name it. */
#ifndef UTET_SZIP_WORD
#define UTET_SZIP_WORD uint_fast32_t
#endif
typedef UTET_SZIP_WORD word;
#define WORD_BITS ((unsigned)sizeof(word) * 8u)

/* The result of a step: the input has ended, the field is complete, or it is invalid. */
typedef enum outcome { HUNGRY, DONE, DAMAGED } outcome;

/* The input of this call and the reservoir: loops keep a copy in registers. */
typedef struct bits {
    const uint8_t *in;
    const uint8_t *end;
    word reservoir;
    unsigned held;
} bits;

/* A field of 1..32 bits to *value; 0 when the input has ended. */
int utet_szip_field(utet_szip *z, bits *b, unsigned n, uint32_t *value);
/* Zeros before a one, to *value; DAMAGED when they are more than `most`. */
outcome utet_szip_unary(utet_szip *z, bits *b, uint32_t most, uint32_t *value);
/* The values from priv.index on: unary parts of at most `most`; n (1..31) lower bits of each. */
outcome utet_szip_unaries(utet_szip *z, bits *b, uint32_t most);
outcome utet_szip_fields(utet_szip *z, bits *b, unsigned n);
/* Turns the codes in z->priv.value into samples, those into bytes at z->out, and moves on to the next block (§4).
 * 1 when that begins an interval. */
int utet_szip_samples(utet_szip *z);

#endif
