/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* What src/inflate promises and requires, for Frama-C WP (wp.sh): the copy of a match, and the limits of its
 * distance. */
#include "wp.h"

#include "inflate/inflate.h"

/*@ // mark, out, stop lie in this order in the buffer, and the decoder lies elsewhere
    predicate output(utet_inflate *z) =
      \valid(z->priv.job.buffer + (0 .. z->priv.job.capacity - 1)) &&
      between(z->priv.stop, z->priv.job.buffer, 0, z->priv.job.capacity) &&
      between(z->priv.out, z->priv.job.buffer, 0, z->priv.stop - z->priv.job.buffer) &&
      between(z->priv.mark, z->priv.job.buffer, 0, z->priv.out - z->priv.job.buffer) &&
      z->priv.job.capacity <= 0x7fffffff &&
      \separated(z, z->priv.job.buffer + (0 .. z->priv.job.capacity - 1));
*/

/*@ requires \valid_read(z) && output(z);
    assigns \nothing; */
utet_status utet_inflate_no_room(const utet_inflate *z);

/* Assumed: takes what utet_inflate_ensure has made sure of; a number of n bits. */
/*@ assigns z->priv.hold, z->priv.bits;
    ensures n <= 13 ==> \result <= 8191; */
uint32_t utet_inflate_take(utet_inflate *z, unsigned n);
/*@ assigns z->priv.hold, z->priv.bits, z->priv.in, z->priv.in_end, z->priv.position; */
utet_status utet_inflate_ensure(utet_inflate *z, unsigned n);

/* Assumed: the distance's base is one of §6; before the buffer is full for the first time, it contains the output so
 * far. */
/*@ requires \valid(z) && output(z);
    requires 1 <= z->priv.at.match.distance <= 24577 && z->priv.at.match.extra <= 13;
    requires z->priv.left <= z->priv.job.size;
    requires !z->priv.wrapped ==> z->priv.job.size - z->priv.left == z->priv.mark - z->priv.job.buffer;
    assigns z->priv.hold, z->priv.bits, z->priv.in, z->priv.in_end, z->priv.position, z->priv.at.match.distance,
            z->priv.phase;
    ensures output(z);
    ensures \result == UTET_OK ==> 1 <= z->priv.at.match.distance <= z->priv.job.capacity; */
utet_status utet_inflate_extra(utet_inflate *z);

/*@ requires \valid(z) && output(z);
    requires 1 <= z->priv.at.match.distance <= z->priv.job.capacity; // by utet_inflate_extra
    assigns z->priv.at.match.length, z->priv.out, z->priv.phase, z->priv.job.buffer[0 .. z->priv.job.capacity - 1];
    ensures output(z); */
utet_status utet_inflate_match(utet_inflate *z);

#include "inflate/inflate_data.c"
