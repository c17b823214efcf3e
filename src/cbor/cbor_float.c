/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Decides whether a float could be shorter (RFC 8949 §4.2.1). Only deterministic encoding needs it, so it has its own
 * file.
 */
#include <stdint.h>

#if SIZE_MAX >= 0xFFFFFFFF /* else nothing is left of this file: utet_cbor.h says so */

#include "cbor.h"

/* Returns nonzero if a float of fewer bits has this value. */
static int cbor_float_fits(uint64_t bits, unsigned mantissa_bits, unsigned exponent_bits)
{
    uint64_t mantissa = bits & (((uint64_t)1 << 52) - 1);
    int exponent = (int)(bits >> 52 & 0x7FF) - 1023;
    int most = (1 << (exponent_bits - 1)) - 1;
    unsigned drop = 52 - mantissa_bits; /* bits of the mantissa that it has not */

    if ((bits & UINT64_MAX >> 1) == 0)
        return 1;
    if (exponent != 1024) { /* else an infinity or a NaN */
        if (exponent > most)
            return 0;
        if (exponent < 1 - most)
            drop += (unsigned)(1 - most - exponent);
        if (drop > 52)
            return 0;
    }
    return (mantissa & (((uint64_t)1 << drop) - 1)) == 0;
}

int utet_cbor_float_is_long(const utet_cbor *cbor)
{
    return (cbor->length == 8 && cbor_float_fits(cbor->number, 23, 8)) ||
           (cbor->length == 4 && cbor_float_fits(cbor->number, 10, 5));
}

#endif
