/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The szip decoder against libaec: what libaec writes is read back unchanged, in slices of every size. If it is damaged
 * afterwards, it is refused, or decoded as libaec decodes it. Every option of the code, block size, interval, flag and
 * width occurs (the figures say how often).
 */
#include "guard.h"
#include "suite.h"
#include "theirs.h"
#include "utet_szip.h"

#include <stdio.h>
#include <string.h>

#define MOST (64u * 1024u)

static uint64_t seed = 0x9e3779b97f4a7c15u;

static uint32_t draw(uint32_t below)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)((seed >> 11) % below);
}

static const char *name_of(const utet_szip_params *p, size_t samples)
{
    static char text[100];

    snprintf(text, sizeof text, "bits %u flags %u block %u rsi %u samples %zu", p->bits, p->flags, p->block, p->rsi,
             samples);
    return text;
}

static utet_szip_params any_params(void)
{
    utet_szip_params p;

    p.bits = (uint8_t)(1u + draw(32));
    p.block = (uint8_t)(8u << draw(4));
    p.rsi = (uint16_t)(draw(4) == 0 ? 1u + draw(300) : 1u + draw(20));
    p.flags = (uint8_t)draw(64);
    if (p.bits > 4)
        p.flags &= (uint8_t)~UTET_SZIP_RESTRICTED;
    return p;
}

static uint8_t raw[MOST * 4], input[MOST * 4], packed[MOST * 5], ours[MOST * 4 + 256], theirs[MOST * 4 + 256];
static unsigned unreadable;

static void put(const utet_szip_params *p, uint8_t *to, uint32_t v)
{
    unsigned width = utet_szip_width(p), i;

    for (i = 0; i < width; i++)
        to[i] = (uint8_t)(v >> 8 * ((p->flags & UTET_SZIP_MSB) ? width - 1 - i : i));
}

/* Samples of one of several kinds: `input` as libaec's encoder takes them, `raw` as its decoder returns them. The
 * decoder extends the sign of differences only. */
static size_t make_samples(const utet_szip_params *p, size_t samples)
{
    unsigned width = utet_szip_width(p);
    unsigned temper = draw(6);
    uint32_t most = 0xffffffffu >> (32 - p->bits), x = draw(0xffffffffu) & most,
             step = 1u + (draw(2) ? draw(4) : draw(200));
    size_t k;

    for (k = 0; k < samples; k++) {
        uint32_t v;

        if (draw(97) == 0)
            temper = draw(6);
        if (temper == 0)
            x = draw(0xffffffffu) & most; /* noise */
        else if (temper == 1)
            x = x; /* runs of equal samples */
        else if (temper == 2)
            x = draw(9) == 0 ? (x ^ 1u) & most : x; /* rarely another */
        else if (temper == 3)
            x = (p->flags & UTET_SZIP_PREPROCESS) ? (x + draw(step) - step / 2) & most : draw(step) & most;
        else if (temper == 4)
            x = (p->flags & UTET_SZIP_PREPROCESS) ? x : 0;
        else
            x = draw(2) ? draw(3) & most : most - (draw(3) & most); /* near the ends of the range */
        v = x;
        put(p, input + k * width, v);
        if ((p->flags & UTET_SZIP_SIGNED) && (p->flags & UTET_SZIP_PREPROCESS) && (v >> (p->bits - 1)) != 0)
            v |= ~most;
        put(p, raw + k * width, v);
    }
    return samples * width;
}

static size_t their_encode(const utet_szip_params *p, const uint8_t *from, size_t size, uint8_t *to, size_t room)
{
    struct aec_stream s;

    their_fill(&s, p);
    s.next_in = from;
    s.avail_in = size;
    s.next_out = to;
    s.avail_out = room;
    return aec_buffer_encode(&s) == AEC_OK ? s.total_out : 0;
}

/* microtet's decoder, with input in fragments: `slice` bytes, or random sizes for 0. Each fragment is at the end of a
 * page of its own. */
static utet_status our_decode(const utet_szip_params *p, const uint8_t *from, size_t size, uint8_t *to, size_t room,
                              size_t slice, size_t *made, int *exact)
{
    static guard piece;
    utet_szip z;
    size_t at = 0, have = 0, used;
    utet_status status = utet_szip_init(&z, p);

    if (piece.data == NULL)
        piece = guard_new(4096, 1, GUARD_AFTER);
    *made = 0;
    *exact = 0;
    while (status == UTET_OK && *made < room) {
        const uint8_t *in = piece.data + piece.size - have;

        status = utet_szip_block(&z, in, have, &used);
        suite_check(used <= have, "used more than there was");
        have -= used;
        if (status == UTET_OK) {
            size_t some = z.size < room - *made ? z.size : room - *made;

            memcpy(to + *made, z.out, some);
            *made += some;
        } else if (status == UTET_WOULD_BLOCK && at < size) {
            suite_check(have == 0, "more wanted before all was used");
            have = slice ? slice : 1u + draw(40);
            if (have > size - at)
                have = size - at;
            memcpy(piece.data + piece.size - have, from + at, have);
            at += have;
            status = UTET_OK;
        }
    }
    *exact = status == UTET_OK && at == size && have == 0 && utet_szip_spare(&z) == 0;
    return status;
}

/* Returns whether libaec finds the complete last block in its own stream. If the padding of intervals went wrong, the
 * stream lacks its end; libaec does not notice if the requested samples come before that. */
static int is_whole(const utet_szip_params *p, size_t samples, size_t n)
{
    const size_t all = (samples + p->block - 1) / p->block * p->block * utet_szip_width(p);

    return (p->flags & UTET_SZIP_PAD) == 0 || their_decode(p, packed, n, theirs, all) == (long)all;
}

/* Makes a stream in `packed` from the samples in `raw`, and returns its length. libaec writes some streams that it
 * cannot read itself: those with UTET_SZIP_PAD whose intervals do not happen to end at a byte. They are counted, prove
 * nothing about the decoder, and the result is 0. */
static size_t make_stream(const utet_szip_params *p, size_t samples, size_t *size)
{
    size_t n;

    *size = make_samples(p, samples);
    n = their_encode(p, input, *size, packed, sizeof packed);
    suite_check(n != 0, "libaec does not encode: %s", name_of(p, samples));
    if (their_decode(p, packed, n, theirs, *size) == (long)*size && memcmp(raw, theirs, *size) == 0 &&
        is_whole(p, samples, n))
        return n;
    suite_check((p->flags & UTET_SZIP_PAD) != 0, "libaec cannot read what it wrote: %s", name_of(p, samples));
    unreadable++;
    return 0;
}

static void check_good(const utet_szip_params *p, size_t samples, const size_t *slices, size_t slice_count)
{
    size_t size, n = make_stream(p, samples, &size), i;

    for (i = 0; n != 0 && i < slice_count; i++) {
        size_t made;
        int exact;
        utet_status status = our_decode(p, packed, n, ours, size, slices[i], &made, &exact);

        suite_check(status == UTET_OK && made == size, "%s: status %d, %zu of %zu bytes", name_of(p, samples), status,
                    made, size);
        suite_check(memcmp(ours, raw, size) == 0, "%s: other bytes", name_of(p, samples));
        suite_check(exact, "%s: the end is elsewhere", name_of(p, samples));
    }
}

static void every_parameter(void **state)
{
    static const size_t whole[] = {4096, 0};
    const unsigned step = suite_full() ? 1 : suite_light() ? 29 : 7;
    unsigned runs = 0, bits, flags, block, r;
    static const uint16_t rsis[] = {1, 2, 3, 65, 128, 4096};

    (void)state;
    for (bits = 1; bits <= 32; bits++)
        for (flags = 0; flags < 64; flags++) {
            if (bits > 4 && (flags & UTET_SZIP_RESTRICTED))
                continue;
            for (block = 8; block <= 64; block *= 2)
                for (r = 0; r < 6; r++) {
                    utet_szip_params p = {(uint8_t)bits, (uint8_t)flags, (uint8_t)block, rsis[r]};

                    if ((runs + bits) % step != 0) {
                        runs++;
                        continue;
                    }
                    check_good(&p, 1 + draw(block * 80), whole, 2);
                    runs++;
                }
        }
    suite_figure("%u combinations of parameters", runs / step);
}

static void every_slice(void **state)
{
    size_t slices[40], i;
    unsigned run, runs = suite_full() ? 600 : suite_light() ? 20 : 60;

    (void)state;
    for (i = 0; i < 40; i++)
        slices[i] = i + 1;
    for (run = 0; run < runs; run++) {
        utet_szip_params p = any_params();

        check_good(&p, 1 + draw(2000), slices, 40);
    }
}

static void random_streams(void **state)
{
    static const size_t whole[] = {4096};
    unsigned run, runs = suite_full() ? 20000 : suite_light() ? 300 : 1500;

    (void)state;
    for (run = 0; run < runs; run++) {
        utet_szip_params p = any_params();

        check_good(&p, 1 + draw(draw(8) ? 600 : 30000), whole, 1);
    }
    suite_figure("%u random streams; so far %u with padded intervals that libaec itself cannot read", runs, unreadable);
}

/* A stream that is cut anywhere gives the blocks that are there, then "more"; nothing is made up. */
static void truncated(void **state)
{
    unsigned run;

    (void)state;
    for (run = 0; run < 40; run++) {
        utet_szip_params p = any_params();
        size_t size, n = make_stream(&p, 700, &size), cut;

        for (cut = 0; cut < n; cut++) {
            size_t made;
            int exact;
            utet_status status = our_decode(&p, packed, cut, ours, size, 4096, &made, &exact);

            /* the last byte may be only padding, or the rest of the last block, if no sample of it is requested */
            suite_check(status == UTET_WOULD_BLOCK, "%s: %d at %zu of %zu", name_of(&p, 700), status, cut, n);
            suite_check(memcmp(ours, raw, made) == 0, "%s: other bytes", name_of(&p, 700));
        }
    }
}

/* Flipped bits: if both decoders find an end within the output that they are given, both give the same result. */
static void damaged(void **state)
{
    unsigned run, runs = suite_full() ? 400 : suite_light() ? 15 : 30, same = 0, refused = 0, alone = 0;

    (void)state;
    for (run = 0; run < runs; run++) {
        utet_szip_params p = any_params();
        size_t size, n = make_stream(&p, 300, &size), bit;

        for (bit = 0; bit < n * 8; bit += 1 + (suite_full() ? 0 : draw(5))) {
            size_t made, good;
            int exact;
            utet_status status;
            long other;

            packed[bit / 8] ^= (uint8_t)(1u << bit % 8);
            status = our_decode(&p, packed, n, ours, size, 4096, &made, &exact);
            other = their_decode(&p, packed, n, theirs, size);
            good = other < 0 ? 0 : (size_t)other;
            suite_check(status == UTET_OK || status == UTET_WOULD_BLOCK || status == UTET_E_PAYLOAD, "status %d",
                        status);
            if (other < 0 || status == UTET_E_PAYLOAD)
                refused++;
            if (other < 0 && status == UTET_OK)
                alone++;
            if (status == UTET_OK && other >= 0) {
                suite_check(good <= made && memcmp(ours, theirs, good) == 0, "%s bit %zu: other bytes",
                            name_of(&p, 300), bit);
                same++;
            }
            packed[bit / 8] ^= (uint8_t)(1u << bit % 8);
        }
    }
    suite_figure("%u damaged streams alike, %u refused by either, %u by libaec alone", same, refused, alone);
}

/* Codes without a meaning: each is refused, also when the call is repeated. */
static void refused_codes(void **state)
{
    static const struct {
        utet_szip_params params;
        uint8_t bytes[16];
    } rows[] = {
        {{9, 0, 8, 4}, {0xb0}},                                  /* 10 lower bits of 9 */
        {{8, 0, 8, 4}, {0x20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}}, /* more zeros than a sample has values, and no 1 */
        {{8, 0, 8, 4}, {0xc0, 0x01}},                            /* the same, with lower bits */
        {{8, 0, 8, 4}, {0x10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10}}, /* pair 92 of 91 */
        {{1, 0, 8, 4}, {0x11}},                                        /* pair (0, 2) of one bit */
        {{8, 0, 8, 4}, {0x00, 0x10}},                                  /* 7 blocks of zeros in an interval of 4 */
    };
    size_t i;

    (void)state;
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        static uint8_t long_zeros[64];
        utet_szip z;
        size_t used;
        utet_status status;

        assert_int_equal(utet_szip_init(&z, &rows[i].params), UTET_OK);
        status = utet_szip_block(&z, rows[i].bytes, sizeof rows[i].bytes, &used);
        if (status == UTET_WOULD_BLOCK)
            status = utet_szip_block(&z, long_zeros, sizeof long_zeros, &used);
        suite_check(status == UTET_E_PAYLOAD, "row %lu: %d", (unsigned long)i, status);
        assert_int_equal(utet_szip_block(&z, rows[i].bytes, sizeof rows[i].bytes, &used), UTET_E_PAYLOAD);
    }
}

static void bad_parameters(void **state)
{
    static const utet_szip_params bad[] = {{0, 0, 8, 1}, {33, 0, 8, 1}, {8, 0, 7, 1}, {8, 0, 128, 1}, {8, 0, 24, 1},
                                           {8, 0, 4, 1}, {8, 0, 0, 1},  {8, 0, 8, 0}, {8, 0, 8, 4097}};
    utet_szip z;
    size_t i;

    (void)state;
    for (i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(utet_szip_init(&z, &bad[i]), UTET_E_ARGUMENT);
        assert_int_equal(utet_szip_width(&bad[i]), 0);
    }
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        cmocka_unit_test(bad_parameters), cmocka_unit_test(refused_codes),  cmocka_unit_test(every_parameter),
        cmocka_unit_test(every_slice),    cmocka_unit_test(random_streams), cmocka_unit_test(truncated),
        cmocka_unit_test(damaged),
    };

    return SUITE("szip", cases);
}
