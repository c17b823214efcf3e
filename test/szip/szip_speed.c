/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* How fast the szip decoder is on this machine, compared with libaec: both decode the same streams, which are
 * completely in memory, to the same bytes. They take turns for ROUNDS rounds; the quickest round of each counts, in
 * processor time. `make bench-szip`. */
#include "theirs.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { SAMPLES = 1 << 20, ROUNDS = 15, STREAMS = 4 };

static uint8_t raw[4 * SAMPLES], packed[5 * SAMPLES], ours[4 * SAMPLES], theirs[4 * SAMPLES];

static uint32_t chance(void)
{
    static uint64_t state = 7;

    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33);
}

/* The samples of szip_pak.py, more of them: a smooth field of 16 bits, bytes that are half noise, 24 bits with the most
 * significant byte first, 16 bits with long runs. Returns the number of bytes. */
static size_t fill(unsigned stream)
{
    uint32_t x = 30000;
    size_t i, size = 0;

    for (i = 0; i < SAMPLES; i++) {
        uint32_t sample;

        x += chance() % 181;
        x = x < 90 ? 0 : x - 90 > 65535 ? 65535 : x - 90;
        sample = stream == 3 && i / 300 % 4 != 0 ? 77 : x;
        if (stream == 1) {
            raw[size++] = chance() % 2 != 0 ? (uint8_t)chance() : 7;
        } else if (stream == 2) {
            raw[size++] = (uint8_t)(sample * 200 >> 16);
            raw[size++] = (uint8_t)(sample * 200 >> 8);
            raw[size++] = (uint8_t)(sample * 200);
        } else {
            raw[size++] = (uint8_t)sample;
            raw[size++] = (uint8_t)(sample >> 8);
        }
    }
    return size;
}

static int decode_ours(const utet_szip_params *p, size_t packed_size, size_t size)
{
    static utet_szip z;
    size_t done = 0, taken = 0, used;

    if (utet_szip_init(&z, p) != UTET_OK)
        return 0;
    while (done < size) {
        size_t some;

        if (utet_szip_block(&z, packed + taken, packed_size - taken, &used) != UTET_OK)
            return 0;
        taken += used;
        some = z.size < size - done ? z.size : size - done;
        memcpy(ours + done, z.out, some);
        done += some;
    }
    return 1;
}

static double seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

int main(void)
{
    static const char *const names[STREAMS] = {"smooth, 16 bits", "half noise, 8 bits", "24 bits",
                                               "long runs, 16 bits"};
    static const utet_szip_params params[STREAMS] = {
        {16, 8, 16, 128}, {8, 8, 16, 128}, {24, 14, 32, 128}, {16, 8, 16, 128}};
    double worst = 1e9;
    unsigned i, round;

    for (i = 0; i < STREAMS; i++) {
        const size_t size = fill(i);
        double best[2] = {1e9, 1e9};
        struct aec_stream s;

        their_fill(&s, &params[i]);
        s.next_in = raw;
        s.avail_in = size;
        s.next_out = packed;
        s.avail_out = sizeof packed;
        if (aec_buffer_encode(&s) != AEC_OK)
            return EXIT_FAILURE;
        for (round = 0; round < ROUNDS; round++) {
            const double t0 = seconds();
            const int good = decode_ours(&params[i], s.total_out, size);
            const double t1 = seconds();
            const long got = their_decode(&params[i], packed, s.total_out, theirs, size);
            const double t2 = seconds();

            if (!good || got != (long)size || memcmp(ours, raw, size) != 0 || memcmp(theirs, raw, size) != 0) {
                printf("FAIL  %s: the samples do not come back\n", names[i]);
                return EXIT_FAILURE;
            }
            best[0] = t1 - t0 < best[0] ? t1 - t0 : best[0];
            best[1] = t2 - t1 < best[1] ? t2 - t1 : best[1];
        }
        printf("%-18s %6.1f MB/s, libaec %6.1f MB/s: %.2f times\n", names[i], (double)size / best[0] / 1e6,
               (double)size / best[1] / 1e6, best[1] / best[0]);
        worst = best[1] / best[0] < worst ? best[1] / best[0] : worst;
    }
    printf("szip-speed: the least is %.2f times libaec (goal 0.7)\n", worst);
    return worst >= 0.7 ? EXIT_SUCCESS : EXIT_FAILURE;
}
