/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The build configuration, for logs. The preprocessor decides everything: one string, no code. No date in it, so that
 * builds stay reproducible. */
#include "utet.h"

#include <limits.h>

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)

#if UINT_MAX == 0xFFFFu
#define INT_TEXT "16-bit int"
#else
#define INT_TEXT "32-bit int"
#endif

#if SIZE_MAX == 0xFFFFu
#define SIZE_TEXT "16-bit size_t"
#elif SIZE_MAX == 0xFFFFFFFFu
#define SIZE_TEXT "32-bit size_t"
#else
#define SIZE_TEXT "64-bit size_t"
#endif

#ifdef __BYTE_ORDER__
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define ORDER_TEXT ", big-endian"
#else
#define ORDER_TEXT ", little-endian"
#endif
#else
#define ORDER_TEXT ""
#endif

#if defined(UTET_ZSTD_CHECKSUM) && !UTET_ZSTD_CHECKSUM
#define CHECKSUM_TEXT ", zstd checksums not verified"
#else
#define CHECKSUM_TEXT ""
#endif

#ifdef __VERSION__
#define COMPILER_TEXT ", compiler " __VERSION__
#else
#define COMPILER_TEXT ""
#endif

const char *utet_build_info(void)
{
    return "microtet version " UTET_VERSION_TEXT ", .tet layout " TEXT(UTET_LAYOUT_VERSION) ", ndim up to " TEXT(
        UTET_MAX_NDIM) ", zstd window up to 2^27" CHECKSUM_TEXT ", " INT_TEXT ", " SIZE_TEXT ORDER_TEXT COMPILER_TEXT;
}
