/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* What src/lz4 promises and requires, for Frama-C WP (wp.sh): the positions in the history, and each step of the
 * codec. */
#include "wp.h"

#include "utet_lz4.h"

#include "lz4/lz4_block.c"

/*@ // bytes of the ring, or of the destination of everything
    logic integer places(utet_stream *s, lz4 *z) = z->ring_size == 0 ? s->length : z->ring_size;

    predicate state(utet_stream *s, lz4 *z) =
      \valid(s) && \valid(z) && places(s, z) <= 0x7fffffff && s->length <= 0xffffffffffff &&
      z->made <= s->length && (z->ring_size == 0 || z->ring_size == \min(s->length, 65536)) &&
      \valid(z->ring + (0 .. places(s, z) - 1)) && \separated(s, z, z->ring + (0 .. places(s, z) - 1));

    // a match begins in what was made
    predicate match(lz4 *z) = z->step == LZ4_AT_MATCH_LENGTH || z->step == LZ4_AT_MATCH ==> 1 <= z->offset <= z->made;
*/

/* Assumed about utet_payload_fetch, which it calls: its input does not overlap the codec's objects and output, and
 * fetching changes none of them. */
/*@ requires state(s, z) && \valid(at) && \valid(have) && \separated(at, have, s, z);
    assigns *at, *have;
    ensures \result == UTET_OK ==> length <= *have <= 0x7fffffff && \valid_read(*at + (0 .. *have - 1));
    ensures \result == UTET_OK ==>
            \separated(s, z, z->ring + (0 .. places(s, z) - 1), *at + (0 .. *have - 1)); */
static utet_status lz4_input(utet_stream *s, const lz4 *z, size_t length, const uint8_t **at, size_t *have);

/*@ requires \valid_read(s);
    assigns \nothing;
    ensures \result == (s->priv.whole != \null ? 0 : \min(s->length, 65536)); */
static size_t lz4_history(const utet_stream *s);

/*@ requires state(s, z) && \valid(to) && \separated(to, s, z);
    assigns *to;
    ensures between(*to, z->ring, 0, places(s, z)) && \result == places(s, z) - (*to - z->ring);
    ensures z->made - (*to - z->ring) >= 0;
    ensures z->ring_size != 65536 ==> *to - z->ring == z->made; */
static size_t lz4_output(const utet_stream *s, const lz4 *z, uint8_t **to);

/*@ requires state(s, z);
    assigns \nothing;
    ensures 0 <= \result <= want && \result <= room && \result <= s->length - z->made && \result <= z->length; */
static size_t lz4_piece(const utet_stream *s, const lz4 *z, size_t want, size_t room);

/*@ requires \valid(z);
    assigns z->taken, z->made, z->length;
    ensures \old(z->made) + some <= 0xffffffffffffffff ==> z->made == \old(z->made) + some; */
static void lz4_made(lz4 *z, size_t some);

/*@ requires \valid_read(z) && some <= 0x7fffffff && 0 <= to - z->ring <= 0x7fffffff && to == z->ring + (to - z->ring);
    requires some != 0 ==> \valid(z->ring + (0 .. (to - z->ring) + some - 1));
    requires z->ring_size != 0 ==> \valid(z->ring + (0 .. z->ring_size - 1)) && (to - z->ring) + some <= z->ring_size;
    requires z->ring_size <= 65536 && \separated(z, z->ring + (0 .. (to - z->ring) + some - 1));
    requires z->ring_size != 0 ==> \separated(z, z->ring + (0 .. z->ring_size - 1));
    requires some != 0 ==> 1 <= z->offset && (z->offset <= to - z->ring || z->offset <= z->ring_size);
    assigns to[0 .. some - 1]; */
static void copy_match(lz4 *z, uint8_t *to, size_t some);

/*@ requires state(s, z) && match(z);
    assigns z->taken, z->step;
    ensures match(z); */
static utet_status read_size(utet_stream *s, lz4 *z);

/*@ requires \valid(z);
    assigns z->step;
    ensures z->step == (\old(z->step) <= LZ4_AT_LITERAL_LENGTH ? LZ4_AT_LITERALS : LZ4_AT_MATCH); */
static void have_length(lz4 *z);

/*@ requires state(s, z) && \valid(byte) && (byte == &z->token || \separated(byte, s, z));
    assigns z->taken, *byte; */
static utet_status read_byte(utet_stream *s, lz4 *z, uint8_t *byte);

/*@ requires state(s, z) && z->step == LZ4_AT_TOKEN;
    assigns z->taken, z->token, z->length, z->step;
    ensures match(z); */
static utet_status read_token(utet_stream *s, lz4 *z);

/*@ requires state(s, z) && match(z) && (z->step == LZ4_AT_LITERAL_LENGTH || z->step == LZ4_AT_MATCH_LENGTH);
    assigns z->taken, z->length, z->step;
    ensures match(z); */
static utet_status read_length(utet_stream *s, lz4 *z);

/*@ requires state(s, z) && z->step == LZ4_AT_OFFSET;
    assigns z->taken, z->offset, z->length, z->step;
    ensures match(z); */
static utet_status read_offset(utet_stream *s, lz4 *z);

/*@ requires state(s, z) && match(z) && (z->step == LZ4_AT_LITERALS || z->step == LZ4_AT_MATCH);
    assigns z->taken, z->made, z->length, z->step, s->priv.out, s->priv.avail, z->ring[0 .. places(s, z) - 1];
    ensures state(s, z);
    ensures match(z); */
static utet_status lz4_copy(utet_stream *s, lz4 *z, size_t want);
