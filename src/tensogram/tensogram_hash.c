/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * XXH3-64 (seed 0, default secret) of a frame, streamed (§2.1). Each block that is mixed at once has at most 128
 * bytes and is made present as a whole, so nothing is buffered; blocks are requested in increasing order.
 */
#include <stdint.h>

#if SIZE_MAX >= 0xFFFFFFFF /* else nothing is left of this file: utet_tensogram.h says so */

#include "tensogram.h"

#include <string.h>

#define PRIME32_1 0x9E3779B1u
#define PRIME32_2 0x85EBCA77u
#define PRIME32_3 0xC2B2AE3Du
#define PRIME64_1 0x9E3779B185EBCA87u
#define PRIME64_2 0xC2B2AE3D27D4EB4Fu
#define PRIME64_3 0x165667B19E3779F9u
#define PRIME64_4 0x85EBCA77C2B2AE63u
#define PRIME64_5 0x27D4EB2F165667C5u

enum {
    STRIPE = 64,
    STRIPES_A_BLOCK = 16,
    SECRET_SCRAMBLE = 128,
    SECRET_LAST = 121,
    SECRET_MERGE = 11,
    SHORT_MOST = 128,
    MIDDLE_MOST = 240
};

static const uint8_t hash_secret[192] = {
    0xb8, 0xfe, 0x6c, 0x39, 0x23, 0xa4, 0x4b, 0xbe, 0x7c, 0x01, 0x81, 0x2c, 0xf7, 0x21, 0xad, 0x1c, 0xde, 0xd4,
    0x6d, 0xe9, 0x83, 0x90, 0x97, 0xdb, 0x72, 0x40, 0xa4, 0xa4, 0xb7, 0xb3, 0x67, 0x1f, 0xcb, 0x79, 0xe6, 0x4e,
    0xcc, 0xc0, 0xe5, 0x78, 0x82, 0x5a, 0xd0, 0x7d, 0xcc, 0xff, 0x72, 0x21, 0xb8, 0x08, 0x46, 0x74, 0xf7, 0x43,
    0x24, 0x8e, 0xe0, 0x35, 0x90, 0xe6, 0x81, 0x3a, 0x26, 0x4c, 0x3c, 0x28, 0x52, 0xbb, 0x91, 0xc3, 0x00, 0xcb,
    0x88, 0xd0, 0x65, 0x8b, 0x1b, 0x53, 0x2e, 0xa3, 0x71, 0x64, 0x48, 0x97, 0xa2, 0x0d, 0xf9, 0x4e, 0x38, 0x19,
    0xef, 0x46, 0xa9, 0xde, 0xac, 0xd8, 0xa8, 0xfa, 0x76, 0x3f, 0xe3, 0x9c, 0x34, 0x3f, 0xf9, 0xdc, 0xbb, 0xc7,
    0xc7, 0x0b, 0x4f, 0x1d, 0x8a, 0x51, 0xe0, 0x4b, 0xcd, 0xb4, 0x59, 0x31, 0xc8, 0x9f, 0x7e, 0xc9, 0xd9, 0x78,
    0x73, 0x64, 0xea, 0xc5, 0xac, 0x83, 0x34, 0xd3, 0xeb, 0xc3, 0xc5, 0x81, 0xa0, 0xff, 0xfa, 0x13, 0x63, 0xeb,
    0x17, 0x0d, 0xdd, 0x51, 0xb7, 0xf0, 0xda, 0x49, 0xd3, 0x16, 0x55, 0x26, 0x29, 0xd4, 0x68, 0x9e, 0x2b, 0x16,
    0xbe, 0x58, 0x7d, 0x47, 0xa1, 0xfc, 0x8f, 0xf8, 0xb8, 0xd1, 0x7a, 0xd0, 0x31, 0xce, 0x45, 0xcb, 0x3a, 0x8f,
    0x95, 0x16, 0x04, 0x28, 0xaf, 0xd7, 0xfb, 0xca, 0xbb, 0x4b, 0x40, 0x7e};

/* Both halves of the 128-bit product, exclusive or. */
static uint64_t hash_fold(uint64_t a, uint64_t b)
{
    uint64_t low = (a & UINT32_MAX) * (b & UINT32_MAX);
    uint64_t left = (a >> 32) * (b & UINT32_MAX);
    uint64_t right = (a & UINT32_MAX) * (b >> 32);
    uint64_t middle = (low >> 32) + (left & UINT32_MAX) + (right & UINT32_MAX);
    uint64_t high = (a >> 32) * (b >> 32) + (left >> 32) + (right >> 32) + (middle >> 32);

    return high ^ ((middle & UINT32_MAX) << 32 | (low & UINT32_MAX));
}

UTET_APART static uint64_t hash_avalanche(uint64_t hash)
{
    hash ^= hash >> 37;
    hash *= 0x165667919E3779F9u;
    return hash ^ hash >> 32;
}

static uint64_t avalanche_old(uint64_t hash)
{
    hash ^= hash >> 33;
    hash *= PRIME64_2;
    hash ^= hash >> 29;
    hash *= PRIME64_3;
    return hash ^ hash >> 32;
}

static uint64_t hash_rotate(uint64_t value, unsigned bits)
{
    return value << bits | value >> (64 - bits);
}

static uint64_t hash_swap(uint64_t value)
{
    uint8_t bytes[8];
    unsigned i;

    for (i = 0; i < 8; i++, value >>= 8)
        bytes[i] = (uint8_t)value;
    return utet_be64(bytes);
}

static uint64_t hash_mix(const uint8_t *at, unsigned place)
{
    return hash_fold(utet_le64(at) ^ utet_le64(hash_secret + place),
                     utet_le64(at + 8) ^ utet_le64(hash_secret + place + 8));
}

/* At most 16 bytes. */
static uint64_t hash_tiny(const uint8_t *at, unsigned length)
{
    uint64_t a;
    uint64_t b;

    if (length == 0)
        return avalanche_old(utet_le64(hash_secret + 56) ^ utet_le64(hash_secret + 64));
    if (length < 4) {
        a = (uint64_t)at[0] << 16 | (uint64_t)at[length >> 1] << 24 | at[length - 1] | (uint64_t)length << 8;
        return avalanche_old(a ^ utet_le32(hash_secret) ^ utet_le32(hash_secret + 4));
    }
    if (length <= 8) {
        a = utet_le32(at + length - 4) + ((uint64_t)utet_le32(at) << 32);
        a ^= utet_le64(hash_secret + 8) ^ utet_le64(hash_secret + 16);
        a ^= hash_rotate(a, 49) ^ hash_rotate(a, 24);
        a *= 0x9FB21C651E98DF25u;
        a ^= (a >> 35) + length;
        a *= 0x9FB21C651E98DF25u;
        return a ^ a >> 28;
    }
    a = utet_le64(at) ^ utet_le64(hash_secret + 24) ^ utet_le64(hash_secret + 32);
    b = utet_le64(at + length - 8) ^ utet_le64(hash_secret + 40) ^ utet_le64(hash_secret + 48);
    return hash_avalanche(length + hash_swap(a) + b + hash_fold(a, b));
}

/* 17 to 128 bytes: pieces from both ends. */
static uint64_t from_both_ends(const uint8_t *at, unsigned length)
{
    uint64_t hash = length * PRIME64_1;
    unsigned i;

    for (i = 0; i < (length + 31) / 32; i++)
        hash += hash_mix(at + 16 * i, 32 * i) + hash_mix(at + length - 16 * (i + 1), 32 * i + 16);
    return hash_avalanche(hash);
}

static void hash_accumulate(utet_frame_hash *state, const uint8_t *at, unsigned place)
{
    unsigned i;

    for (i = 0; i < 8; i++) {
        uint64_t data = utet_le64(at + 8 * i);
        uint64_t key = data ^ utet_le64(hash_secret + place + 8 * i);

        state->priv.lane[i ^ 1] += data;
        state->priv.lane[i] += (key & UINT32_MAX) * (key >> 32);
    }
}

static void hash_scramble(utet_frame_hash *state)
{
    unsigned i;

    for (i = 0; i < 8; i++) {
        uint64_t lane = state->priv.lane[i];

        lane ^= lane >> 47 ^ utet_le64(hash_secret + SECRET_SCRAMBLE + 8 * i);
        state->priv.lane[i] = lane * PRIME32_1;
    }
}

static uint64_t hash_merge(const utet_frame_hash *state, uint64_t length)
{
    uint64_t hash = length * PRIME64_1;
    unsigned i;

    for (i = 0; i < 8; i += 2)
        hash += hash_fold(state->priv.lane[i] ^ utet_le64(hash_secret + SECRET_MERGE + 8 * i),
                          state->priv.lane[i + 1] ^ utet_le64(hash_secret + SECRET_MERGE + 8 * i + 8));
    return hash_avalanche(hash);
}

/* 129 to 240 bytes: 16 at a time; the last 16 may overlap them. The sum is in lane 0. */
static utet_status hash_middle(utet_file *file, utet_frame_hash *state, uint64_t offset, unsigned length)
{
    uint64_t *sum = &state->priv.lane[0];

    while (state->priv.position < length / 16) {
        unsigned i = (unsigned)state->priv.position;
        int last = i + 1 == length / 16;
        size_t bytes = last ? length - 16 * i : 16;
        utet_status status = utet_fetch(file, bytes, offset + 16 * i);

        if (status != UTET_OK)
            return status;
        if (i == 0)
            *sum = length * PRIME64_1;
        if (i == 8)
            *sum = hash_avalanche(*sum);
        *sum += hash_mix(file->priv.at, i < 8 ? 16 * i : 16 * (i - 8) + 3);
        if (last)
            state->value =
                hash_avalanche((i < 8 ? hash_avalanche(*sum) : *sum) + hash_mix(file->priv.at + bytes - 16, 119));
        state->priv.position++;
    }
    return UTET_OK;
}

/* More: stripes of 64 bytes; the last one may overlap the one before. */
static utet_status hash_striped(utet_file *file, utet_frame_hash *state, uint64_t offset, uint64_t length)
{
    uint64_t stripes = (length - 1) / STRIPE; /* the last one not counted */

    while (state->priv.position < stripes) {
        uint64_t i = state->priv.position;
        unsigned in_block = (unsigned)i & (STRIPES_A_BLOCK - 1);
        size_t bytes = i + 1 == stripes ? (size_t)(length - STRIPE * i) : STRIPE;
        utet_status status = utet_fetch(file, bytes, offset + STRIPE * i);

        if (status != UTET_OK)
            return status;
        hash_accumulate(state, file->priv.at, 8 * in_block);
        if (in_block == STRIPES_A_BLOCK - 1)
            hash_scramble(state);
        if (i + 1 == stripes) {
            hash_accumulate(state, file->priv.at + bytes - STRIPE, SECRET_LAST);
            state->value = hash_merge(state, length);
        }
        state->priv.position++;
    }
    return UTET_OK;
}

void utet_hash_begin(utet_frame_hash *state)
{
    static const uint64_t lanes[8] = {PRIME32_3, PRIME64_1, PRIME64_2, PRIME64_3,
                                      PRIME64_4, PRIME32_2, PRIME64_5, PRIME32_1};

    memcpy(state->priv.lane, lanes, sizeof lanes);
    state->priv.position = 0;
}

static utet_status hash_compute(utet_file *file, utet_frame_hash *state, uint64_t offset, uint64_t length)
{
    utet_status status;

    if (length > MIDDLE_MOST)
        return hash_striped(file, state, offset, length);
    if (length > SHORT_MOST)
        return hash_middle(file, state, offset, (unsigned)length);
    if (length == 0) {
        state->value = hash_tiny(NULL, 0);
        return UTET_OK;
    }
    status = utet_fetch(file, (size_t)length, offset);
    if (status == UTET_OK)
        state->value = length <= 16 ? hash_tiny(file->priv.at, (unsigned)length)
                                    : from_both_ends(file->priv.at, (unsigned)length);
    return status;
}

utet_status utet_hash_frame(utet_file *file, utet_frame_hash *state, uint64_t offset, uint64_t length, unsigned type)
{
    return hash_compute(file, state, offset + UTET_FRAME_HEADER_BYTES,
                        length - UTET_FRAME_HEADER_BYTES - utet_frame_tail(type));
}

utet_status utet_frame_verify(utet_file *file, const utet_frame *frame, utet_frame_hash *state)
{
    uint8_t busy = file->priv.busy;
    utet_status status = utet_enter(file, UTET_CALL_FRAME_VERIFY);

    if (status != UTET_OK)
        return status;
    if (busy == UTET_CALL_NONE)
        utet_hash_begin(state);
    status = utet_hash_frame(file, state, frame->offset, frame->length, frame->type);
    if (status == UTET_OK && frame->hashed == UTET_HASH_NONE)
        status = UTET_END;
    if (status == UTET_OK && state->value != frame->hash) {
        file->error_offset = frame->offset;
        status = UTET_E_CHECKSUM;
    }
    return utet_leave(file, status);
}

#endif
