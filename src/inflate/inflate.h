/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The inside of utet_inflate: its phases, its bit buffer and the two codes. § are those of FORMAT.md.
 */
#ifndef UTET_SRC_INFLATE_H
#define UTET_SRC_INFLATE_H

#include "utet_inflate.h"

#if defined(__GNUC__)
#define INFLATE_INLINE static inline __attribute__((always_inline))
#else
#define INFLATE_INLINE static inline
#endif

enum {
    INFLATE_HEADER,   /* the stream's two bytes (§1) */
    INFLATE_BLOCK,    /* a block's three bits (§2) */
    INFLATE_STORED,   /* length of a stored block, twice (§3) */
    INFLATE_COPY,     /* its bytes */
    INFLATE_COUNTS,   /* how many code lengths there are (§5) */
    INFLATE_DESCRIBE, /* the code for code lengths */
    INFLATE_LENGTHS,  /* the code lengths */
    INFLATE_SYMBOL,   /* a literal, a length, the end of the block (§6) */
    INFLATE_DISTANCE, /* the distance that follows a length */
    INFLATE_EXTRA,    /* its extra bits */
    INFLATE_MATCH,    /* copies the match */
    INFLATE_CHECK,    /* the checksum (§1) */
    INFLATE_END
};

/* Internal status, in addition to utet_status: the step's output is full. */
#define INFLATE_FULL 3

/*
 * What a table holds and utet_inflate_decode returns: a value, and the length of its code. The value of a literal, of a
 * distance and of a code length is the symbol; that of the end of a block is INFLATE_OTHER, that of length n
 * INFLATE_OTHER + 1 + n.
 */
#define INFLATE_VALUE(entry) ((entry)&0xfffu)
#define INFLATE_LENGTH(entry) ((entry) >> 12)
#define INFLATE_OTHER 0x800u
/* What utet_inflate_decode returns otherwise. */
#define INFLATE_WANT 0u         /* more bits are wanted */
#define INFLATE_INVALID 0xffffu /* no code begins like this */

/*
 * A code is an array: [0] where the values begin that the table does not hold, [1] to [15] how many codes there are of
 * each length, then the values in the order of their codes.
 *
 * sort: of `count` symbols with codes of the lengths at `length`, each 0 (not in the code) to 15. Returns 1; 0
 * when these are not the lengths of a prefix code: too many codes, or too few, but for (`lone`) a code of at most
 * one symbol, of one bit.
 * table: that of a sorted code, by the next `bits` bits. For longer codes an entry has the length 0, and
 * the value INFLATE_OTHER + how many prefixes of longer codes, or of none, come before this one.
 */
int utet_inflate_sort(uint16_t *code, const uint8_t *length, unsigned count, int lone);
void utet_inflate_table(uint16_t *root, unsigned bits, uint16_t *code);
/* Returns the entry that the next bits encode; `hold` has `bits` bits. Consumes nothing. */
unsigned utet_inflate_decode(const uint16_t *code, const uint16_t *root, unsigned root_bits, uint32_t hold,
                             unsigned bits);
/* The same when the table has no symbol: `length` bits were looked up, and gave `entry`. */
unsigned utet_inflate_search(const uint16_t *code, unsigned length, unsigned entry, uint32_t hold, unsigned bits);
/* By the code for distances, or for code lengths. */
unsigned utet_inflate_decode_distance(const utet_inflate *z);
/* Both codes and their tables, of the lengths in literal_table, which end with that: `literals` of the first code,
 * `all` of both. Returns 1; 0 when one is no code. */
int utet_inflate_build(utet_inflate *z, unsigned literals, unsigned all);
/* Sets both codes to the fixed ones (§4). */
void utet_inflate_fixed(utet_inflate *z);

/* ---- input and output ---- */

/* One more byte into the bit buffer, which holds at most 24 bits. */
utet_status utet_inflate_pull(utet_inflate *z);
/* At least n bits into the bit buffer, n at most 25; at a byte boundary 32. */
utet_status utet_inflate_ensure(utet_inflate *z, unsigned n);
/* Takes n bits that are there, n at most 31. */
uint32_t utet_inflate_take(utet_inflate *z, unsigned n);

/* The answer of a phase that has more output than the step has room for. */
utet_status utet_inflate_no_room(const utet_inflate *z);
/* 1: the step has no room, though there is more to come. */
int utet_inflate_is_full(const utet_inflate *z);
/* Accounts for the output up to z->priv.out. */
void utet_inflate_account(utet_inflate *z);
void utet_inflate_end_block(utet_inflate *z);

/* ---- compressed data ---- */

/* Symbol 257 + n, n at most 28: a length of 3 + base + its extra bits (§6). */
INFLATE_INLINE unsigned inflate_length_extra(unsigned n)
{
    return n < 8u || n == 28u ? 0 : (n >> 2) - 1u;
}

INFLATE_INLINE unsigned inflate_length_base(unsigned n)
{
    return n < 8u ? n : n == 28u ? 255u : (4u + (n & 3u)) << ((n >> 2) - 1u);
}

/* Symbol n, at most 29: a distance of 1 + base + its extra bits. */
INFLATE_INLINE unsigned inflate_distance_extra(unsigned n)
{
    return n < 4u ? 0 : (n >> 1) - 1u;
}

INFLATE_INLINE unsigned inflate_distance_base(unsigned n)
{
    return n < 4u ? n : (2u + (n & 1u)) << ((n >> 1) - 1u);
}

/* The hot loop: literals and matches, as long as their input is in reach and their output has room in one piece. It
 * does nothing that the phases cannot do, and leaves to them what it meets otherwise, errors too. */
void utet_inflate_fast(utet_inflate *z);

/* ---- phases ---- */

utet_status utet_inflate_counts(utet_inflate *z);
utet_status utet_inflate_describe(utet_inflate *z);
utet_status utet_inflate_lengths(utet_inflate *z);
utet_status utet_inflate_symbol(utet_inflate *z);
utet_status utet_inflate_distance(utet_inflate *z);
utet_status utet_inflate_extra(utet_inflate *z);
utet_status utet_inflate_match(utet_inflate *z);

#endif
