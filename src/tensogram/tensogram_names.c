/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Names in descriptors: a list of texts, each between its length and a zero byte; the number of a name is its place,
 * from 1. */
#include "tensogram.h"

const char utet_dtype_names[] = "\7float16\0"
                                "\10bfloat16\0"
                                "\7float32\0"
                                "\7float64\0"
                                "\11complex64\0"
                                "\12complex128\0"
                                "\4int8\0"
                                "\5int16\0"
                                "\5int32\0"
                                "\5int64\0"
                                "\5uint8\0"
                                "\6uint16\0"
                                "\6uint32\0"
                                "\6uint64\0"
                                "\7bitmask\0";
const char utet_compression_names[] = "\4none\0"
                                      "\4szip\0"
                                      "\4zstd\0"
                                      "\3lz4\0"
                                      "\3rle\0"
                                      "\7roaring\0"
                                      "\6blosc2\0"
                                      "\3zfp\0"
                                      "\3sz3\0";

static const char *name(const char *list, uint8_t number)
{
    while (number > 1 && *list != '\0') {
        list += *list + 2;
        number--;
    }
    return number == 0 || *list == '\0' ? "?" : list + 1;
}

const char *utet_tensor_dtype_name(uint8_t dtype)
{
    return name(utet_dtype_names, dtype);
}

const char *utet_compression_name(uint8_t compression)
{
    return name(utet_compression_names, compression);
}
