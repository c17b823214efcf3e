/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The files *_hot.c share this: loads and stores of little-endian integers. */
#ifndef UTET_FOLD_HOT_H
#define UTET_FOLD_HOT_H

#include "fold.h"

/* 1 if loads are as fast from any address as from aligned ones, and shifts as fast by any number. */
#if SIZE_MAX > UINT32_MAX || defined(__ARM_FEATURE_UNALIGNED)
#define SWIFT 1
#else
#define SWIFT 0
#endif

/* Loads: one instruction if the processor has it, which compilers recognise only after inlining. (Coverage defines
 * this itself, so that there is one copy of each function.) */
#ifndef FOLD_HOT_INLINE
#define FOLD_HOT_INLINE static inline __attribute__((always_inline))
#endif

FOLD_HOT_INLINE uint32_t fold_hot_byte(const uint8_t *at)
{
    return *at;
}

FOLD_HOT_INLINE uint32_t fold_hot_le16(const uint8_t *at)
{
    return at[0] | (uint32_t)at[1] << 8;
}

FOLD_HOT_INLINE uint32_t fold_hot_le32(const uint8_t *at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

FOLD_HOT_INLINE void fold_hot_put32(uint8_t *to, uint32_t bits)
{
    to[0] = (uint8_t)bits;
    to[1] = (uint8_t)(bits >> 8);
    to[2] = (uint8_t)(bits >> 16);
    to[3] = (uint8_t)(bits >> 24);
}

/* LOADS_32: nonzero if 32 bits can be loaded at once. __builtin_assume_aligned tells the compiler. */
#if SWIFT
#define LOADS_32(data, stride) 1
#define ALIGNED(at) (at)
#define IF_WHOLE(whole, then, otherwise) ((void)(whole), (then))
#elif SIZE_MAX == UINT32_MAX && defined(__GNUC__)
#define LOADS_32(data, stride) ((((uintptr_t)(data) | (stride)) & 3) == 0)
#define ALIGNED(at) __builtin_assume_aligned(at, 4)
#define IF_WHOLE(whole, then, otherwise) ((whole) ? (then) : (otherwise))
#else
#define LOADS_32(data, stride) 0
#define ALIGNED(at) (at)
#define IF_WHOLE(whole, then, otherwise) ((void)(whole), (otherwise))
#endif

/* whole: LOADS_32 of all elements; one decision here spares seven instructions. */
FOLD_HOT_INLINE uint32_t fold_hot_load32(const uint8_t *at, int whole)
{
    return IF_WHOLE(whole, fold_hot_le32(ALIGNED(at)), fold_hot_le32(at));
}

#endif
