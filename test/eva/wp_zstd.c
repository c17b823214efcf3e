/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * What copies of src/codec/zstd promise and ask, for Frama-C WP (wp.sh): part 1 copies of matches and
 * what is accounted for, part 2 the bounds and repeated offsets of the sequence loop. WP_PART chooses.
 */
#include "wp.h"

/* Assumed, as WP cannot see a word through bytes: these two copy what their names say. */
/*@ requires \valid(p + (0 .. 3)) && \valid_read(q + (0 .. 3));
    assigns p[0 .. 3] \from q[0 .. 3]; */
static inline void zs_copy_word(uint8_t *p, const uint8_t *q);
/*@ requires \valid(p + (0 .. 7)) && \valid_read(q + (0 .. 7));
    assigns p[0 .. 7]; */
static inline void zs_copy_eight(uint8_t *p, const uint8_t *q);
/* It may spoil 7 bytes behind the match: they must be there. */
/*@ requires 1 <= off && 3 <= n <= 0x7ffffff0 && off <= 0x7ffffff0;
    requires \valid(p - off + (0 .. off + n + 6));
    assigns p[0 .. n + 6];
    ensures \result == p + n; */
static inline uint8_t *zs_copy_match(uint8_t *p, uint32_t off, uint32_t n);

#include "codec/zstd/zstd_decoder.h"

/*@ // mark, out, stop lie in this order in the output, and the context lies elsewhere
    predicate place(utet_zstd *z) =
      \valid(z) && \valid(z->buf + (0 .. z->buf_size - 1)) && \separated(z, z->buf + (0 .. z->buf_size - 1)) &&
      z->buf_size <= 0x7fffffff &&
      between(z->stop, z->buf, 0, z->buf_size) && between(z->out, z->buf, 0, z->stop - z->buf) &&
      between(z->mark, z->buf, 0, z->out - z->buf);

    // a destination of everything has all that was produced; a ring has the window
    predicate history(utet_zstd *z) =
      z->produced <= 0xffffffffffff && z->window <= 0x08000000 &&
      (z->whole ? z->produced <= z->mark - z->buf : z->window <= z->buf_size);
*/

/*@ requires place(z);
    assigns \nothing; */
utet_status utet_zs_no_room(const utet_zstd *z);

/*@ requires place(z);
    assigns \nothing;
    ensures \result == z->stop - z->out; */
static inline uint32_t zs_room(const utet_zstd *z);

/*@ requires place(z) && history(z);
    assigns \nothing;
    ensures \result <= z->window;
    ensures \result <= z->produced + (z->out - z->mark); */
static inline uint32_t zs_reach(const utet_zstd *z);

/*@ requires \valid_read(z);
    assigns \nothing;
    ensures z->whole <==> \result != 0; */
static inline int zs_whole(const utet_zstd *z);

/* Assumed. */
/*@ requires n != 0 ==> \valid(p + (0 .. n - 1)) && \valid_read(q + (0 .. n - 1));
    assigns p[0 .. n - 1]; */
void utet_zs_copy_up(uint8_t *p, const uint8_t *q, size_t n);

/*@ requires 16 <= n <= 0x7fffffff && 1 <= off <= 0x7fffffff;
    requires \valid(p - off + (0 .. off + n - 1));
    assigns p[0 .. n - 1]; */
void utet_zs_copy_long(uint8_t *p, uint32_t off, size_t n);

/* Assumed (EVA has it: zstd 7). */
/*@ requires \valid_read(p + (0 .. n - 1));
    assigns *x; */
void utet_zs_xxh_add(zs_xxh *x, uint64_t total, const uint8_t *p, size_t n);
/*@ requires place(z);
    assigns z->mark, z->produced, z->total_left, z->block_left, z->stage.xxh;
    ensures place(z) && z->mark == z->out; */
void utet_zs_account(utet_zstd *z);

/*@ requires place(z) && between(z->end, z->buf, z->out - z->buf, z->buf_size);
    assigns z->stop;
    ensures place(z) && between(z->stop, z->out, 0, z->block_left) && between(z->stop, z->out, 0, z->end - z->out); */
void utet_zs_set_stop(utet_zstd *z);

/* Assumed. */
/*@ requires place(z);
    assigns \nothing;
    ensures between(\result, z->out, 0, z->stop - z->out);
    ensures \result == z->out || \result - z->buf + 8 <= z->buf_size; */
static uint8_t *fast_end(const utet_zstd *z);
/*@ requires place(z) && history(z) && between(end, z->out, 0, z->stop - z->out);
    assigns \nothing;
    ensures between(\result, z->buf, 0, z->out - z->buf); */
static const uint8_t *fast_low(const utet_zstd *z, const uint8_t *end);
/*@ requires \valid(rep + (0 .. 2));
    assigns rep[0 .. 2]; */
static uint32_t repeated(uint32_t *rep, uint32_t i);
/*@ requires \valid(rep + (0 .. 2));
    assigns rep[0 .. 2]; */
static inline uint32_t offset_of(uint32_t *rep, uint32_t off, uint32_t ll);

#if WP_PART == 1
#include "codec/zstd/zstd_execute.c"
#else
#include "codec/zstd/zstd_layout_tables.h"
#include "codec/zstd/zstd_sequences.h"
#endif
