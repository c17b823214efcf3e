/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* digits_mutants FILE STEP: flips one bit in every STEP-th byte of the file, another bit each time, and lets network.c
 * read a picture with both sets of weights. Each damaged file gives an error, or the sums of the undamaged file. */
#include "network.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const utet_codec *const codecs[] = {&utet_codec_zstd_small, NULL};
static const char bits[] = {'8', '4'};

static uint8_t bytes[65536];
static uint64_t work[8192 / 8];
static utet_file file;
static network net;

/* Both sets of sums for picture 0. */
static utet_status look(size_t size, int32_t sums[2][NETWORK_DIGITS])
{
    const utet_io io = {.map = bytes, .size = size, .unit = 1, .align = 1};
    unsigned digit;

    net.file = &file;
    utet_status status = utet_init(&file, &io, work, sizeof work, codecs);
    if (status == UTET_OK)
        status = utet_open(&file, NULL);
    for (int set = 0; status == UTET_OK && set < 2; set++) {
        net.bits = bits[set];
        status = network_run(&net, 0, &digit);
        memcpy(sums[set], net.sums, sizeof sums[set]);
    }
    return status;
}

int main(int argc, char **argv)
{
    static int32_t sound[2][NETWORK_DIGITS], seen[2][NETWORK_DIGITS];
    unsigned long errors = 0, same = 0, wrong = 0;
    FILE *const in = argc == 3 ? fopen(argv[1], "rb") : NULL;
    const size_t step = argc == 3 ? strtoul(argv[2], NULL, 10) : 0;

    if (in == NULL || step == 0)
        return 2;
    const size_t size = fread(bytes, 1, sizeof bytes, in);
    fclose(in);
    const utet_status good = look(size, sound);
    for (size_t at = 0, count = 0; good == UTET_OK && at < size; at += step, count++) {
        const uint8_t flip = (uint8_t)(1u << count % 8);
        bytes[at] ^= flip;
        if (look(size, seen) != UTET_OK)
            errors++;
        else if (memcmp(sound, seen, sizeof sound) == 0)
            same++;
        else
            wrong++;
        bytes[at] ^= flip;
    }
    printf("%d %lu %lu %lu\n", good, errors, same, wrong);
    return 0;
}
