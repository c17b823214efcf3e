/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * What copies of src/zstd promise and require, for Frama-C WP (wp.sh): part 1 covers copies of matches and the
 * accounting, part 2 the bounds and repeated offsets of the sequence loop. WP_PART chooses.
 */
#include "wp.h"

/* Assumed, because WP does not see a word through bytes: these functions copy what their names say. */
/*@ requires \valid(p + (0 .. 3)) && \valid_read(q + (0 .. 3));
    assigns p[0 .. 3] \from q[0 .. 3]; */
static inline void zs_copy_word(uint8_t *p, const uint8_t *q);
/*@ requires \valid(p + (0 .. 7)) && \valid_read(q + (0 .. 7));
    assigns p[0 .. 7]; */
static inline void zs_copy_eight(uint8_t *p, const uint8_t *q);
/*@ requires 1 <= stop - p <= 0x7ffffff0 && \valid(p + (-1 .. stop - p + 6));
    assigns p[0 .. stop - p + 6]; */
void utet_zs_fill(uint8_t *p, const uint8_t *stop);
/*@ requires 16 <= n <= 0x7fffffff && 1 <= off && \valid(p - 1 + (0 .. n));
    assigns p[0 .. n - 1]; */
static inline int zs_filled(uint8_t *p, uint32_t off, size_t n);
/*@ requires 1 <= stop - p <= 0x7ffffff0 && \valid(p + (0 .. stop - p + 6)) && \valid_read(q + (0 .. stop - p + 6));
    assigns p[0 .. stop - p + 6]; */
static inline void zs_copy_words(uint8_t *p, const uint8_t *q, const uint8_t *stop);
/* It may change 7 bytes after the match: these must exist. */
/*@ requires sizes: 1 <= off && 3 <= n <= 0x7ffffff0 && off <= 0x7ffffff0;
    requires \valid(p - off + (0 .. off + n + 6));
    assigns p[0 .. n + 6];
    ensures \result == p + n; */
static inline uint8_t *zs_copy_match(uint8_t *p, uint32_t off, uint32_t n);

#include "zstd/zstd_decoder.h"
#undef ZS_CALL
#define ZS_CALL(z, name) utet_zs_tables_##name

/*@ // mark, out, stop lie in this order in the output, and the context lies elsewhere
    predicate place(utet_zstd *z) =
      \valid(z) && \valid(z->buf + (0 .. z->buf_size - 1)) && \separated(z, z->buf + (0 .. z->buf_size - 1)) &&
      z->buf_size <= 0x7fffffff &&
      between(z->stop, z->buf, 0, z->buf_size) && between(z->out, z->buf, 0, z->stop - z->buf) &&
      between(z->mark, z->buf, 0, z->out - z->buf);

    // all that this frame produced lies before mark; or a ring has the window; or nothing more is put out
    predicate history(utet_zstd *z) =
      z->produced <= 0xffffffffffff &&
      (z->produced <= z->mark - z->buf || !z->whole && z->window <= z->buf_size || z->out == z->stop);

    // the offset of the sequence in hand, too
    predicate reachable(utet_zstd *z) =
      1 <= z->off <= 0xffffffff &&
      (z->off <= z->out - z->buf || !z->whole && z->off <= z->buf_size || z->out == z->stop);

    // fetched raw literals lie in the payload or in the cache; where all are at hand there is nothing to fetch
    predicate literals(utet_zstd *z) =
      z->cache_size <= 512 &&
      \valid(z->lit.cache + (0 .. 2 * z->cache_size - 1)) &&
      \separated(z, z->buf + (0 .. z->buf_size - 1), z->lit.cache + (0 .. 2 * z->cache_size - 1)) &&
      (z->lit_type == ZS_RAW && z->stream_left != 0 ==>
        \valid_read(z->lit.top + (0 .. z->stream_left - 1)) &&
        \separated(z, z->buf + (0 .. z->buf_size - 1), z->lit.top + (0 .. z->stream_left - 1))) &&
      (z->lit_type < ZS_HUFFMAN ==> z->at_hand || z->lit_type == ZS_RLE || z->cache_size >= 64) &&
      (z->lit_type == ZS_RLE || z->lit_type == ZS_RAW && z->at_hand ==> z->left.literals == 0);
*/

/* What literals change in addition to the output. */
#define CACHED(z) z->lit.cache[0..2 * z->cache_size - 1]
#define PUT(z) z->out, z->buf[0..z->buf_size - 1]

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

/* ---- literals ---- */

/* Assumed: what ports may return (utet_zs_fetch checks it), and that streams stay in their cache or in the payload. */
/*@ requires length != 0 && \valid(to + (0 .. length - 1));
    assigns to[0 .. length - 1], z->got, z->where;
    ensures \result == UTET_OK ==> 1 <= z->got <= length; */
utet_status utet_zs_fetch(utet_zstd *z, uint32_t rel, uint8_t *to, size_t length);
/*@ requires n != 0 && place(z) && n <= z->stop - z->out && !z->at_hand;
    assigns PUT(z), z->got, z->where;
    ensures place(z);
    ensures \result == UTET_OK ==> 1 <= z->got <= n && z->out == \old(z->out) + z->got;
    ensures \result != UTET_OK ==> z->out == \old(z->out); */
utet_status utet_zs_direct(utet_zstd *z, uint32_t rel, uint32_t n);
/* Assumed for both layouts: Huffman literals end where they should. For fetched literals: utet_zs_plain_literals. */
/*@ requires \valid(z) && between(end, out, 0, end - out);
    requires out < end ==> \valid(out + (0 .. end - out - 1));
    requires \separated(z, out + (0 .. end - out - 1));
    requires z->lit_type == ZS_RAW && out < end ==> \valid_read(z->lit.top + (0 .. end - out - 1)) &&
             \separated(z->lit.top + (0 .. end - out - 1), out + (0 .. end - out - 1));
    assigns z->lit.top, z->lit.used, out[0 .. end - out - 1];
    ensures between(\result, out, 0, end - out);
    ensures z->lit_type < ZS_HUFFMAN ==> \result == end;
    ensures z->lit_type == ZS_RAW ==> z->lit.top == \old(z->lit.top) + (end - out); */
uint8_t *utet_zs_tables_literals(utet_zstd *z, uint8_t *out, uint8_t *end);

/*@ requires \valid(z) && n <= 0x7fffffff && z->lit_type < ZS_HUFFMAN;
    requires n != 0 ==> \valid(out + (0 .. n - 1));
    requires \separated(z, out + (0 .. n - 1));
    requires z->lit_type == ZS_RAW && n != 0 ==> \valid_read(z->lit.top + (0 .. n - 1)) &&
             \separated(z->lit.top + (0 .. n - 1), out + (0 .. n - 1));
    assigns z->lit.top, out[0 .. n - 1];
    ensures \result == out + n;
    ensures z->lit_type == ZS_RAW ==> z->lit.top == \old(z->lit.top) + n; */
uint8_t *utet_zs_plain_literals(utet_zstd *z, uint8_t *out, uint32_t n);

/*@ requires place(z) && literals(z) && z->lit_type < ZS_HUFFMAN;
    requires z->ll != 0 && z->out != z->stop && z->stream_left == 0;
    assigns PUT(z), z->ll, z->got, z->where, z->lit_at, z->left.literals, z->stream_left, z->lit.top, CACHED(z);
    ensures place(z);
    ensures literals(z);
    ensures between(z->out, \old(z->out), 0, z->stop - \old(z->out)); */
static utet_status more_raw(utet_zstd *z);

/* Assumed. */
/*@ requires place(z) && history(z);
    assigns PUT(z), z->ll, z->lit.top, z->lit.used, z->lit.limit, z->lit.below, z->lit.lo, z->lit.wanted, z->lit.got,
        z->got, z->where, z->streams_left, z->stream_open, z->stream_left, z->left.literals, z->lit_at, CACHED(z);
    ensures place(z);
    ensures history(z); */
utet_status utet_zs_take_literals(utet_zstd *z);

/*@ requires place(z) && history(z);
    requires \separated(z, z->buf + (0 .. z->buf_size - 1), z->lit.cache + (0 .. 2 * z->cache_size - 1));
    ensures place(z); */
utet_status utet_zs_finish(utet_zstd *z);

/* Assumed (EVA proves it: zstd 7). */
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
static uint32_t zs_repeated(uint32_t *rep, uint32_t i);
/*@ requires \valid(rep + (0 .. 2));
    assigns rep[0 .. 2]; */
static inline uint32_t offset_of(uint32_t *rep, uint32_t off, uint32_t ll);

#if WP_PART != 2
#include "zstd/zstd_execute.c"
#else
#include "zstd/zstd_layout_tables.h"
#include "zstd/zstd_sequences.h"

/*@ requires \valid(to + (0 .. 2)) && \valid_read(from + (0 .. 2));
    assigns to[0 .. 2]; */
static inline void copy_repeated(uint32_t *to, const uint32_t *from);
/*@ requires \valid_read(z);
    assigns \nothing; */
static inline zs_states states_of(const utet_zstd *z);
/*@ requires \valid(z) && \valid_read(s);
    assigns z->seq.used, z->state[0 .. 2]; */
static inline void put_states(utet_zstd *z, const zs_states *s);
/*@ requires \valid(z);
    assigns z->ll, z->ml;
    ensures \result.ll == \old(z->ll) && \result.ml == \old(z->ml) && \result.off == \old(z->off); */
static inline zs_sequence zs_interrupted(utet_zstd *z);

/*@ requires place(z) && literals(z) && \valid(q) && 1 <= q->ll <= z->stream_left;
    requires between(p, z->buf, 0, z->stop - z->buf - q->ll) && \separated(q, z);
    assigns z->lit.top, z->lit.used, z->stream_left, q->ll, z->buf[0 .. z->buf_size - 1];
    ensures literals(z);
    ensures between(\result, p, 0, \old(q->ll)); */
static inline uint8_t *tables_its_literals(utet_zstd *z, uint8_t *p, zs_sequence *q);
#endif
