/*
 * Frama-C EVA over the parts of the small zstd decoder that look at untrusted bytes first: header parser, FSE counts, FSE
 * and Huffman table builders, backward bit reader, XXH64. Inputs are unconstrained; an alarm is a possible undefined
 * behaviour. EVA_PART chooses one; eva.sh runs them on four machine models. The decoder's file is included for its static
 * functions.
 */
#include <stddef.h>
#include <stdint.h>

#include "codec/zstd_small.c"
#include "__fc_builtin.h"

static void unknown(uint8_t *p, size_t n)
{
    Frama_C_make_unknown((char *)p, n);
}

#if EVA_PART == 1 /* frame header, of any length */
static uint8_t head[18];

void eva_main(void)
{
    uint32_t window;
    uint64_t skip;
    unsigned descriptor; /* one after the other: it decides where the fields lie */

    for (descriptor = 0; descriptor < 256u; descriptor++) {
        unknown(head, sizeof head);
        head[4] = (uint8_t)descriptor;
        (void)utet_zstd_window(head, (size_t)Frama_C_interval(0, 18), &window, &skip);
    }
}
#elif EVA_PART == 2 /* FSE counts out of any bytes */
static uint8_t text[128];

void eva_main(void)
{
    zs_counts d;

    unknown(text, sizeof text);
    (void)read_counts(&d, text, (unsigned)Frama_C_interval(0, 127), (unsigned)Frama_C_interval(31, 255),
                      (unsigned)Frama_C_interval(6, 9));
}
#elif EVA_PART == 3 || EVA_PART == 4 /* FSE tables out of any counts, whether they add up or not */
#if EVA_PART == 3
static zs_tables t;
#define sequence_cells tables_sequence_cells
#else
static zs_packed t;
#define sequence_cells packed_sequence_cells
#endif

void eva_main(void)
{
    static const uint8_t symbols[3] = {36, 32, 53};
    unsigned kind, log, i;

    /*@ loop unroll 3; */
    for (kind = 0; kind < 3u; kind++)
        /*@ loop unroll 5; */
        for (log = 5; log <= (kind == ZS_OF ? 8u : 9u); log++) {
            zs_counts d;

            d.log = (uint8_t)log;
            d.symbols = (uint8_t)Frama_C_interval(0, symbols[kind]);
            /*@ loop unroll 64; */
            for (i = 0; i < 64u; i++)
                d.count[i] = (int16_t)Frama_C_interval(-256, 512);
            sequence_cells(&t.z, kind, &d);
        }
}
#elif EVA_PART == 5 /* Huffman weights of four bits: counted; any counts checked and completed */
static uint8_t text[1 + 64], weight[256], list[256];

void eva_main(void)
{
    uint16_t end[ZS_WEIGHTS_END];
    unsigned header, i;

    /*@ loop unroll 128; */
    for (header = 128; header < 256u; header++) {
        unknown(text, sizeof text);
        for (i = 0; i < ZS_WEIGHTS_END; i++)
            end[i] = 0;
        text[0] = (uint8_t)header;
        (void)direct_weights(weight, end, text);
    }
    for (i = 0; i < 256u; i++)
        weight[i] = (uint8_t)Frama_C_interval(0, ZS_WEIGHTS_END - 1);
    for (i = 0; i < ZS_WEIGHTS_END; i++)
        end[i] = (uint16_t)Frama_C_interval(0, 256);
    (void)sort_symbols(list, weight, (unsigned)Frama_C_interval(1, 255), end);
}
#elif EVA_PART == 6 /* backward bits, anywhere in a stream of any length */
static uint8_t text[ZS_BELOW + 64 + 4];

void eva_main(void)
{
    unsigned n;

    for (n = 1; n <= 64u; n++) {
        zs_cursor c;

        unknown(text, sizeof text);
        cursor_place(&c, text + ZS_BELOW + n, n);
        c.below = 0;
        if (cursor_begin(&c)) {
            c.used = (uint32_t)Frama_C_interval(0, (int)(8u * n));
            (void)zs_top(zs_bits(c.top, c.used), (unsigned)Frama_C_interval(0, 31));
            (void)long_field(&c, 1, 16u);
        }
    }
}
#elif EVA_PART == 7 /* checksum, in two pieces of any length */
#include "codec/zstd_small_xxh.c"
static uint8_t text[96];

void eva_main(void)
{
    unsigned a, b;

    unknown(text, sizeof text);
    for (a = 0; a <= 33u; a += 11u)
        for (b = 0; b <= 40u; b++) {
            zs_xxh x;

            unknown(x.held, sizeof x.held);
            utet_zs_xxh_begin(&x);
            utet_zs_xxh_add(&x, 0, text, a);
            utet_zs_xxh_add(&x, a, text + a, b);
            (void)utet_zs_xxh_end(&x, (uint64_t)a + b);
        }
}
#endif
