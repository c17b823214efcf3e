/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Names in descriptors: a list of texts, each ended by a zero byte, and an empty one after the last; names are
 * numbered in this order, from 1. */
#include <stdint.h>

#if SIZE_MAX >= 0xFFFFFFFF /* else nothing is left of this file: utet_tensogram.h says so */

#include "tensogram.h"

#include <string.h>

const char utet_dtype_names[] = "float16\0"
                                "bfloat16\0"
                                "float32\0"
                                "float64\0"
                                "complex64\0"
                                "complex128\0"
                                "int8\0"
                                "int16\0"
                                "int32\0"
                                "int64\0"
                                "uint8\0"
                                "uint16\0"
                                "uint32\0"
                                "uint64\0"
                                "bitmask\0";
const char utet_compression_names[] = "none\0"
                                      "szip\0"
                                      "zstd\0"
                                      "lz4\0"
                                      "rle\0"
                                      "roaring\0"
                                      "blosc2\0"
                                      "zfp\0"
                                      "sz3\0";

unsigned utet_name_length(const char *names)
{
    uint8_t length = 0; /* no size_t: then compilers would make a call of strlen of this */

    while (names[length] != '\0')
        length++;
    return length;
}

unsigned utet_name_number(const char *names, const char *text, size_t length)
{
    unsigned number = 1;
    unsigned some;

    for (; *names != '\0'; names += some + 1, number++) {
        some = utet_name_length(names);
        if (some == length && memcmp(names, text, length) == 0)
            return number;
    }
    return 0;
}

unsigned utet_name_of(const utet_cbor *reader, const char *names)
{
    return reader->token == UTET_CBOR_TEXT ? utet_name_number(names, reader->head, reader->length) : 0;
}

static const char *names_text(const char *list, uint8_t number)
{
    while (number > 1 && *list != '\0') {
        list += utet_name_length(list) + 1;
        number--;
    }
    return number == 0 || *list == '\0' ? "?" : list;
}

const char *utet_tensor_dtype_name(uint8_t dtype)
{
    return names_text(utet_dtype_names, dtype);
}

const char *utet_compression_name(uint8_t compression)
{
    return names_text(utet_compression_names, compression);
}

#endif
