/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The output: accounting, literals that do not come in one piece, sequences that were interrupted.
 */
#include "zstd_decoder.h"

/* Accounts for the output since the last call. */
void utet_zs_account(utet_zstd *z)
{
    size_t n = (size_t)(z->out - z->mark);

    if (n == 0)
        return;
    if (UTET_ZSTD_CHECKSUM && z->frame.checksum == 1u)
        utet_zs_xxh_add(&z->stage.xxh, z->produced, z->mark, n);
    z->produced += n;
    z->total_left -= n;
    z->block_left -= (uint32_t)n;
    z->mark = z->out;
}

/* Sets z->stop; all output is accounted for. */
void utet_zs_set_stop(utet_zstd *z)
{
    size_t n = (size_t)(z->end - z->out);

    z->stop = n <= z->block_left ? z->end : z->out + z->block_left; /* both are NULL without a destination */
}

/* There is no room: because the slice is full, or because the block must not be longer. */
utet_status utet_zs_no_room(const utet_zstd *z)
{
    return z->block_left == (size_t)(z->out - z->mark) ? UTET_E_PAYLOAD : (utet_status)ZS_FULL;
}

/* n ≥ 16 bytes from `off` back, in pieces as large as it gets. */
void utet_zs_copy_long(uint8_t *p, uint32_t off, size_t n)
{
    const uint8_t *q = p - off;
    uint32_t back = off;
    unsigned i;

    if (zs_filled(p, off, n))
        return;
    /* wp: loop invariant i <= 16;
        loop assigns i, p[0 .. 15]; */
    for (i = 0; i < 16u; i += ZS_SHORT)
        zs_copy_short(p + i, q + i);
    /* wp: loop invariant back == off || off < back <= 14;
        loop assigns back; */
    while (back < 8u)
        back += off;
    utet_zs_copy_up(p + 16, p + 16 - back, n - 16u);
}

/* Writes n literals that have been fetched: raw ones, or all the same. Returns their end. */
uint8_t *utet_zs_plain_literals(utet_zstd *z, uint8_t *out, uint32_t n)
{
    if (z->lit_type == ZS_RLE) {
        memset(out, z->rle, (size_t)n);
    } else {
        ZS_COPY_PLAIN(out, z->lit.top, (size_t)n);
        z->lit.top += n;
    }
    return out + n;
}

/* Closes the open Huffman stream, which must have been consumed exactly, and begins the
 * next. Also those that hold no symbol have to be there. */
utet_status utet_zs_next_stream(utet_zstd *z)
{
    utet_status status;

    if (z->stream_open != 1u) {
        uint32_t to = z->lit_end;

        if (z->stream_open == 2u && !zs_cursor_done(&z->lit))
            return UTET_E_PAYLOAD;

        /* after the last one there are no bytes, which cursor_start refuses */
        if (z->streams_left > 1u)
            to = z->lit_at + z->jump[4u - z->streams_left];
        utet_zs_cursor_open(z, &z->lit, z->lit_at, to);
        z->lit_at = to;
        z->stream_open = 1;
    }
    status = utet_zs_cursor_start(z, &z->lit, 1);
    if (status != UTET_OK)
        return status;
    z->stream_open = 2;
    z->streams_left--;
    z->stream_left = z->streams_left != 0 ? z->quarter : z->left.literals;
    z->left.literals -= z->stream_left;
    return UTET_OK;
}

/* Raw literals: through the cache, or straight into the output when they are many. */
static utet_status more_raw(utet_zstd *z)
{
    uint32_t n = z->ll < zs_room(z) ? z->ll : zs_room(z), most = z->cache_size;
    utet_status status;

    if (!UTET_ZSTD_READ || n > z->left.literals) /* n is not 0 */
        return UTET_E_PAYLOAD;
    if (n >= most) {
        status = utet_zs_direct(z, z->lit_at, n);
        if (status == UTET_OK)
            z->ll -= (uint32_t)z->got;
    } else {
        z->lit.top = z->lit.cache;
        status = utet_zs_fetch(z, z->lit_at, z->lit.cache, (size_t)(z->left.literals < most ? z->left.literals : most));
        if (status == UTET_OK)
            z->stream_left = (uint32_t)z->got;
    }
    if (status == UTET_OK) {
        z->lit_at += (uint32_t)z->got;
        z->left.literals -= (uint32_t)z->got;
    }
    return status;
}

/* Writes z->ll literals, as far as there is room and they have been fetched. */
utet_status utet_zs_take_literals(utet_zstd *z)
{
    while (z->ll != 0) {
        uint32_t n = zs_room(z);
        utet_status status = UTET_OK;

        if (n == 0)
            return utet_zs_no_room(z);
        if (n > z->ll)
            n = z->ll;
        if (n > z->stream_left)
            n = z->stream_left;
        if (n == 0) {
            status = z->lit_type >= ZS_HUFFMAN ? utet_zs_next_stream(z) : more_raw(z);
        } else {
            uint8_t *const from = z->out, *const end = from + n;

            do {
                z->out = ZS_CALL(z, literals)(z, z->out, end);
                if (z->out == end)
                    break;
                status = utet_zs_cursor_refill(z, &z->lit);
            } while (status == UTET_OK);
            n = (uint32_t)(z->out - from);
            z->ll -= n;
            z->stream_left -= n;
        }
        if (status != UTET_OK)
            return status;
    }
    return UTET_OK;
}

/* The rest of an interrupted sequence: z->ll literals, then z->ml bytes from z->off back; also across
 * the history's end. */
utet_status utet_zs_finish(utet_zstd *z)
{
    utet_status status = utet_zs_take_literals(z);

    if (status != UTET_OK)
        return status;
    if (z->off == 0 || z->off > zs_reach(z))
        return UTET_E_PAYLOAD;
    /* wp: assert back: reachable(z); */
    /* wp: loop invariant place(z);
        loop invariant reach: reachable(z);
        loop assigns z->ml, PUT(z); */
    while (z->ml != 0) {
        uint32_t n = zs_room(z);
        size_t here = (size_t)(z->out - z->buf), from = here;

        if (n == 0)
            return utet_zs_no_room(z);
        if (n > z->ml)
            n = z->ml;
        if (!zs_whole(z) && z->off > here) { /* as far as the history's end */
            from += z->buf_size;
            if (n > z->off - here)
                n = (uint32_t)(z->off - here);
        }
        from -= (size_t)z->off;
        z->ml -= n;
        if (n >= ZS_LONG && from < here) {
            utet_zs_copy_long(z->out, z->off, (size_t)n);
            z->out += n;
        } else {
            uint8_t *out = z->out;
            const uint8_t *q = z->buf + from;

            /* wp: loop invariant n >= 1 && between(q, z->buf, 0, z->buf_size - n) &&
                    between(out, z->out, 0, z->stop - z->out - n);
                loop assigns n, out, q, z->buf[0 .. z->buf_size - 1]; */
            do
                *out++ = *q++;
            while (--n != 0);
            z->out = out;
        }
    }
    return UTET_OK;
}
