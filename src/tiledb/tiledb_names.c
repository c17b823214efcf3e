/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Names of datatypes and filters. In a file of its own, so that only programs that print pay for the texts. */
#include <stdint.h>

#if SIZE_MAX >= 0xFFFFFFFF /* else nothing is left of this file: utet_tiledb.h says so */

#include "tiledb.h"

const char *utet_tiledb_type_name(unsigned datatype)
{
    static const char *const names[UTET_TILEDB_DATATYPES] = {
        "INT32",         "INT64",          "FLOAT32",       "FLOAT64",      "CHAR",        "INT8",
        "UINT8",         "INT16",          "UINT16",        "UINT32",       "UINT64",      "STRING_ASCII",
        "STRING_UTF8",   "STRING_UTF16",   "STRING_UTF32",  "STRING_UCS2",  "STRING_UCS4", "ANY",
        "DATETIME_YEAR", "DATETIME_MONTH", "DATETIME_WEEK", "DATETIME_DAY", "DATETIME_HR", "DATETIME_MIN",
        "DATETIME_SEC",  "DATETIME_MS",    "DATETIME_US",   "DATETIME_NS",  "DATETIME_PS", "DATETIME_FS",
        "DATETIME_AS",   "TIME_HR",        "TIME_MIN",      "TIME_SEC",     "TIME_MS",     "TIME_US",
        "TIME_NS",       "TIME_PS",        "TIME_FS",       "TIME_AS",      "BLOB",        "BOOL",
        "GEOM_WKB",      "GEOM_WKT"};

    return datatype < UTET_TILEDB_DATATYPES ? names[datatype] : "?";
}

const char *utet_tiledb_filter_name(unsigned type)
{
    static const char *const names[] = {"NONE",
                                        "GZIP",
                                        "ZSTD",
                                        "LZ4",
                                        "RLE",
                                        "BZIP2",
                                        "DOUBLE_DELTA",
                                        "BIT_WIDTH_REDUCTION",
                                        "BITSHUFFLE",
                                        "BYTESHUFFLE",
                                        "POSITIVE_DELTA",
                                        "?",
                                        "CHECKSUM_MD5",
                                        "CHECKSUM_SHA256",
                                        "DICTIONARY",
                                        "SCALE_FLOAT",
                                        "XOR",
                                        "?",
                                        "WEBP",
                                        "DELTA"};

    return type < sizeof names / sizeof *names ? names[type] : "?";
}

#endif
