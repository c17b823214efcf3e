/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * microtet, optional: LZ4 blocks (not frames) as a codec of streams, decoded in slices. Between slices, the codec keeps
 * the last 64 KB of its output, or all of it if it is shorter. It keeps nothing if the complete output has one
 * destination. The payload is the decoded size (u32, little-endian), followed by the block.
 */
#ifndef UTET_LZ4_H
#define UTET_LZ4_H

#include "utet_codec.h"

#if SIZE_MAX < 0xFFFFFFFF
#error "LZ4 blocks need 32-bit pointers, and the pointers of this processor are shorter"
#endif

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __ELF__
#pragma GCC visibility push(default)
#endif

#define UTET_CODEC_LZ4 17 /* id of the codec; rows of .tet files do not use it */

extern const utet_codec utet_codec_lz4;

#ifdef __ELF__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
