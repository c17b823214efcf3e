/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * libFuzzer target: any bytes are decoded as a payload, in a configuration that the first four bytes choose. The result
 * and the bytes must be those of upstream's decoder (the exceptions of README.md, "Verdicts", are recognised as in
 * zs_diff). One mutation in eight is a new frame with random tables, because random changes destroy their sums.
 */
#include "zs_compare.h"
#include "zs_made.h"
#include "zs_struct.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    unsigned kind;
    size_t n;

    if (seed % 8u < 4u && size > 4u && (n = zs_restructure(data + 4, size - 4u, most - 4u, &seed, &kind)) != 0)
        return 4u + n;
    if (seed % 8u != 7u || size < 4u || most < 4u + ZS_MADE)
        return LLVMFuzzerMutate(data, size, most);
    return 4u + zs_made(data + 4, seed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { MOST = 1 << 17 };
    uint32_t seed;

    if (size < 5u || size > MOST)
        return 0;
    if (frame == NULL) {
        expected = malloc(ROOM);
        got = malloc(ROOM);
        frame = malloc(FRAME_ROOM);
        if (expected == NULL || got == NULL || frame == NULL)
            abort();
    }
    memcpy(&seed, data, 4);
    memcpy(frame, data + 4, size - 4u);
    damaged("fuzzed", frame, size - 4u, 1u << 16, seed);
    if (failed != 0)
        abort();
    return 0;
}
