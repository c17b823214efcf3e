/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The sequence loop, once for each layout (zstd_tables.c, zstd_packed.c).
 */

#ifndef UTET_ZSTD_SEQUENCES /* what both layouts share */
#define UTET_ZSTD_SEQUENCES
/* FSE states, and the bits of the sequences' stream that are used; in loops, for z->state and z->seq.used. */
typedef struct zs_states {
    unsigned l, o, m;
    uint32_t used;
    zs_spot spot; /* UTET_ZSTD_INT16, instead of `used` */
} zs_states;

/* A sequence whose offset is still coded as in the format. */
typedef struct zs_sequence {
    unsigned ll, ml;
    uint32_t off;
} zs_sequence;

/* A sequence that ends here or before has room. */
static uint8_t *fast_end(const utet_zstd *z)
{
    size_t n = (size_t)zs_room(z), memory = (size_t)(z->buf + z->buf_size - z->out);

    if (memory < ZS_OVERRUN)
        return z->out;
    memory -= ZS_OVERRUN;
    return z->out + (n < memory ? n : memory);
}

/* The lowest address where a match may begin so that it is contiguous, in this frame and in its window, for every
 * position before `end` that refers to it. */
static const uint8_t *fast_low(const utet_zstd *z, const uint8_t *end)
{
    uint32_t back = zs_reach(z), ahead = (uint32_t)(end - z->out);

    if (back > z->window - ahead)
        back = z->window - ahead;
    if (back > (size_t)(z->out - z->buf))
        back = (uint32_t)(z->out - z->buf);
    return z->out - back;
}

/* The three repeated offsets. */
ZS_INLINE void copy_repeated(uint32_t *to, const uint32_t *from)
{
    to[0] = from[0];
    to[1] = from[1];
    to[2] = from[2];
}

ZS_INLINE zs_states states_of(const utet_zstd *z)
{
    zs_states s;

    s.used = z->seq.used;
    s.spot.at = z->seq.top;
    s.spot.used = 0;
    if (UTET_ZSTD_INT16) {
        s.spot.at -= zs_whole_bytes(z->seq.used);
        s.spot.used = (uint8_t)(z->seq.used & 7u);
    }
    s.l = z->state[ZS_LL];
    s.o = z->state[ZS_OF];
    s.m = z->state[ZS_ML];
    return s;
}

ZS_INLINE void put_states(utet_zstd *z, const zs_states *s)
{
    z->seq.used = UTET_ZSTD_INT16 ? (uint32_t)(z->seq.top - s->spot.at) * 8u + s->spot.used : s->used;
    z->state[ZS_LL] = (uint16_t)s->l;
    z->state[ZS_OF] = (uint16_t)s->o;
    z->state[ZS_ML] = (uint16_t)s->m;
}

/* Takes over the one in the context. */
ZS_INLINE zs_sequence zs_interrupted(utet_zstd *z)
{
    zs_sequence q;

    q.ll = (unsigned)z->ll;
    q.ml = (unsigned)z->ml;
    q.off = z->off;
    z->ll = 0;
    z->ml = 0;
    return q;
}

/* Format, "Repeat offsets": the offset that `off` represents, in a sequence with ll literals. */
ZS_INLINE uint32_t offset_of(uint32_t *rep, uint32_t off, uint32_t ll)
{
    if (off > 3u) {
        off -= 3u;
        rep[2] = rep[1];
        rep[1] = rep[0];
        rep[0] = off;
        return off;
    }
    return zs_repeated(rep, off - (ll != 0));
}
#endif

/*
 * Decodes the sequence of the states in z, field by field, to z->ll, ml and off. It is used when one
 * load does not hold all of its bits, and for the last sequence, which leaves the states alone.
 * Returns 0 when not all of its bits have been fetched.
 */
ZS_NOINLINE static int ZS_NAME(rare_sequence)(utet_zstd *z, uint32_t left)
{
    const ZS_LAYOUT *t = (const ZS_LAYOUT *)(const void *)z;
    zs_cursor *const c = &z->seq;
    const ZS_NAME(cell) cl = t->cell[ZS_NAME(start)(z, ZS_LL) + z->state[ZS_LL]];
    const ZS_NAME(cell) co = t->cell[ZS_NAME(start)(z, ZS_OF) + z->state[ZS_OF]];
    const ZS_NAME(cell) cm = t->cell[ZS_NAME(start)(z, ZS_ML) + z->state[ZS_ML]];
    const unsigned vl = ZS_NAME(literal_code)(cl), vm = ZS_NAME(match_code)(cm), xo = ZS_NAME(offset_bits)(co);
    unsigned nl = 0, no = 0, nm = 0;

    if (left != 1u) {
        nl = ZS_NAME(cell_bits)(z->log[ZS_LL], cl);
        no = ZS_NAME(cell_bits)(z->log[ZS_OF], co);
        nm = ZS_NAME(cell_bits)(z->log[ZS_ML], cm);
    }
    if (c->used + (vl & 255u) + (vm & 255u) + xo + nl + no + nm > c->limit)
        return 0;
    z->off = utet_zs_long_field(utet_zs_long_field(1, c, xo / 2u), c, xo - xo / 2u);
    z->ml = utet_zs_long_field(vm >> 8 & 31u, c, vm & 255u) + 3u;
    z->ll = utet_zs_long_field(vl >> 8 & 31u, c, vl & 255u);
    if (left != 1u) {
        z->state[ZS_LL] = (uint16_t)ZS_NAME(long_state)(c, z->log[ZS_LL], cl, nl);
        z->state[ZS_ML] = (uint16_t)ZS_NAME(long_state)(c, z->log[ZS_ML], cm, nm);
        z->state[ZS_OF] = (uint16_t)ZS_NAME(long_state)(c, z->log[ZS_OF], co, no);
    }
    return 1;
}

/* The beginnings of the tables, as indices from the context: shorter than two sums. packed: with the shifts of their
 * counters. */
typedef struct ZS_NAME(place) {
    const ZS_NAME(cell) * cell;
    unsigned l, o, m;
    unsigned shift_l, shift_o, shift_m;
    /* UTET_ZSTD_INT16: */
    uint8_t size_l, size_o, size_m; /* their logs */
    const uint8_t *bottom;          /* where the stream's addressable bytes begin */
} ZS_NAME(place);

ZS_INLINE ZS_NAME(place) ZS_NAME(tables_of)(const utet_zstd *z)
{
    enum { OFFSET = offsetof(ZS_LAYOUT, cell), SIZE = sizeof(ZS_NAME(cell)) };
    const unsigned first = OFFSET / SIZE;
    ZS_NAME(place) at;

    /* If nothing is aligned, as on an AVR, the tables need not be at a multiple of a cell. */
    at.cell = (const ZS_NAME(cell) *)(const void *)((const uint8_t *)z + OFFSET % SIZE);
    at.l = first + ZS_NAME(start)(z, ZS_LL);
    at.o = first + ZS_NAME(start)(z, ZS_OF);
    at.m = first + ZS_NAME(start)(z, ZS_ML);
    at.shift_l = 15u - z->log[ZS_LL];
    at.shift_o = 15u - z->log[ZS_OF];
    at.shift_m = 15u - z->log[ZS_ML];
    at.size_l = z->log[ZS_LL];
    at.size_o = z->log[ZS_OF];
    at.size_m = z->log[ZS_ML];
    at.bottom = z->seq.top - zs_whole_bytes(z->seq.limit);
    return at;
}

/* Format, "Decoding Sequences": the next one, out of one load. Returns 0 when it needs more bits, or not all of them
 * have been fetched. That also holds for the last sequence: no state follows it, so it has fewer bits than its states
 * give.
 */
ZS_INLINE int ZS_NAME(quick_sequence)(const utet_zstd *z, const ZS_NAME(place) * at, zs_states *s, uint32_t limit,
                                      zs_sequence *q)
{
    const ZS_NAME(cell) cl = at->cell[at->l + s->l];
    const ZS_NAME(cell) co = at->cell[at->o + s->o];
    const ZS_NAME(cell) cm = at->cell[at->m + s->m];
    /* Loaded first, because fewer values are in registers here: 3 % of the instructions for text (P3) on Cortex-M0+. */
    uint32_t bits = zs_bits(z->seq.top, s->used), all = ZS_NAME(all_bits)(cl, co, cm);
    const uint32_t codes = ZS_NAME(codes)(cl, cm, &all);

    if (!ZS_LIKELY(all <= ZS_BITS))
        bits |= zs_bits_below(z->seq.top, s->used);
    if (!ZS_LIKELY(all <= 31u && s->used + all < limit))
        return 0;
    /* right-aligned, and above the offset's bits the one that it begins with */
    bits = zs_below_one(bits, all);
    s->used += all;
    s->o = ZS_NAME(take_state)(&bits, co, at->shift_o);
    s->m = ZS_NAME(take_state)(&bits, cm, at->shift_m);
    s->l = ZS_NAME(take_state)(&bits, cl, at->shift_l);
    /* Most lengths have no extra bits. A branch of its own for them saves 3 % of the instructions for text (P3) on
     * Cortex-M3 and 6 % on Cortex-M0+. With the lengths in variables that both branches share, it saves 0.3 and
     * 3.5 %. */
    if (ZS_LIKELY(ZS_NAME(plain)(cl, cm, codes))) {
        q->ll = ZS_NAME(plain_l)(cl);
        q->ml = ZS_NAME(plain_m)(cm) + 3u;
        q->off = bits;
        return 1;
    }
    q->ll = (unsigned)zs_take_coded(&bits, ZS_NAME(code_l)(cl, codes) >> 8 & 31u, ZS_NAME(code_l)(cl, codes));
    q->ml = (unsigned)zs_take_coded(&bits, ZS_NAME(code_m)(cm, codes) >> 8 & 31u, ZS_NAME(code_m)(cm, codes)) + 3u;
    q->off = bits;
    return 1;
}

/* UTET_ZSTD_INT16: the same, out of 16 bits at a time; lengths have at most 7 extra bits, states 7
 * bits, and offsets 15. */
ZS_INLINE int ZS_NAME(narrow_sequence)(const ZS_NAME(place) * at, zs_states *s, zs_sequence *q)
{
    const ZS_NAME(cell) cl = at->cell[at->l + s->l];
    const ZS_NAME(cell) co = at->cell[at->o + s->o];
    const ZS_NAME(cell) cm = at->cell[at->m + s->m];
    const unsigned vl = ZS_NAME(literal_code)(cl), vm = ZS_NAME(match_code)(cm);
    const uint8_t nl = (uint8_t)ZS_NAME(cell_bits)(at->size_l, cl), nm = (uint8_t)ZS_NAME(cell_bits)(at->size_m, cm),
                  no = (uint8_t)ZS_NAME(cell_bits)(at->size_o, co), xl = (uint8_t)vl, xm = (uint8_t)vm,
                  xo = (uint8_t)ZS_NAME(offset_bits)(co), n = (uint8_t)(nl + nm + no);
    const uint8_t *from = s->spot.at - 3;
    uint8_t u = s->spot.used;
    unsigned l, m, o;
    uint16_t w;

    if (((xl | xm | nl | nm | no) & 0xf8u) != 0 || n > 16u || xo > 15u)
        return 0;
    w = zs_window(from, u);
    q->off = xo < 8u ? zs_power(xo) + zs_head(w, xo) : ((unsigned)zs_power(xo - 8u) << 8) + zs_head(w, xo);
    u = (uint8_t)(u + xo);
    q->ml = (vm >> 8 & 31u) + 3u;
    q->ll = vl >> 8 & 31u;
    if ((xl | xm) != 0) {
        from -= u >> 3;
        u &= 7u;
        w = zs_window(from, u);
        q->ml = zs_shift_in(vm >> 8 & 31u, &w, xm) + 3u;
        q->ll = zs_shift_in(vl >> 8 & 31u, &w, xl);
        u = (uint8_t)(u + xm + xl);
    }
    from -= u >> 3;
    u &= 7u;
    w = zs_window(from, u);
    l = ZS_NAME(next_state)(cl, &w, nl);
    m = ZS_NAME(next_state)(cm, &w, nm);
    o = ZS_NAME(next_state)(co, &w, no);
    u = (uint8_t)(u + n);
    from += 3 - (u >> 3);
    if (from <= at->bottom)
        return 0;
    s->l = l;
    s->m = m;
    s->o = o;
    s->spot.at = from;
    s->spot.used = u & 7u;
    return 1;
}

/* Puts the literals of a sequence, as far as this stream has them, to p; returns where they end. q->ll: how many are
 * missing. */
ZS_INLINE uint8_t *ZS_NAME(its_literals)(utet_zstd *z, uint8_t *p, zs_sequence *q)
{
    uint8_t *const to = p + q->ll;

    z->stream_left -= q->ll;
    if (q->ll < 16u && z->lit_type == ZS_RAW) { /* a few: three calls would take more */
        const uint8_t *from = z->lit.top;

        z->lit.top = from + q->ll;
        /* wp: loop invariant between(p, \at(p, Pre), 0, \at(q->ll, Pre) - 1);
            loop invariant from == \at(z->lit.top, Pre) + (p - \at(p, Pre));
            loop assigns p, from, z->buf[0 .. z->buf_size - 1]; */
        do
            *p++ = *from++;
        while (p != to);
        q->ll = 0;
        return p;
    }
    p = ZS_GLOBAL(literals)(z, p, to);
    q->ll = (unsigned)(to - p);
    if (q->ll != 0)
        z->stream_left += q->ll;
    return p;
}

zs_cursor *ZS_GLOBAL(sequences)(utet_zstd *z)
{
    const ZS_NAME(place) at = ZS_NAME(tables_of)(z);
    uint8_t *p = z->out;
    uint8_t *const end = fast_end(z);
    const uint8_t *const low = fast_low(z, end);
    const uint32_t limit = z->seq.limit;
    uint32_t left = z->sequences;
    zs_states s = states_of(z);
    uint32_t apart[3], *const rep = ZS_REPEATED_APART ? apart : z->rep;
    zs_cursor *dry = NULL;

    if (ZS_REPEATED_APART)
        copy_repeated(rep, z->rep);
    while (left != 0) {
        zs_sequence q;

        if (!(UTET_ZSTD_INT16 ? ZS_NAME(narrow_sequence)(&at, &s, &q)
                              : ZS_NAME(quick_sequence)(z, &at, &s, limit, &q))) {
            put_states(z, &s);
            if (!ZS_NAME(rare_sequence)(z, left)) {
                dry = &z->seq;
                break;
            }
            s = states_of(z);
            if (UTET_ZSTD_INT16 && (z->ll | z->ml) > 0x7fffu) { /* too long for q */
                left--;
                z->off = offset_of(rep, z->off, z->ll);
                break;
            }
            q = zs_interrupted(z);
        }
        left--;
        q.off = offset_of(rep, q.off, q.ll);
        if (ZS_LIKELY(q.ll + q.ml <= (size_t)(end - p))) {
            if (q.ll != 0 && q.ll <= z->stream_left) {
                p = ZS_NAME(its_literals)(z, p, &q);
                if (q.ll != 0)
                    dry = &z->lit;
            }
            if (ZS_LIKELY(q.ll == 0 && q.off - 1u < (size_t)(p - low))) {
                p = zs_copy_match(p, q.off, q.ml);
                continue;
            }
        }
        z->ll = q.ll;
        z->ml = q.ml;
        z->off = q.off;
        break;
    }
    if (ZS_REPEATED_APART)
        copy_repeated(z->rep, rep);
    z->out = p;
    z->sequences = left;
    put_states(z, &s);
    return dry;
}
