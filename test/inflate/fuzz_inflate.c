/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * libFuzzer target. Any bytes are decoded as a stream, in a way that the first four bytes choose; the result and the
 * bytes must be zlib's. One mutation in eight is a new random stream of blocks, because random changes destroy codes.
 */
#include <stdlib.h>
#include <string.h>

#include "inf_made.h"
#include "inf_run.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    uint32_t stated;

    if (seed % 8u != 0 || size < 4u || most < 4u + INF_MADE)
        return LLVMFuzzerMutate(data, size, most);
    return 4u + inf_made(data + 4, seed, &stated);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint32_t seed, stated;

    if (size < 4u || size > INF_MOST)
        return 0;
    memcpy(&seed, data, 4);
    data += 4;
    size -= 4u;
    stated = inf_judge(data, (uint32_t)size, INF_MOST).produced; /* its decoded size, and occasionally another size */
    stated += seed % 16u == 0 ? 1u : seed % 16u == 1u ? (uint32_t)-1 : 0;
    if (stated > INF_MOST)
        stated = INF_MOST;
    if (!inf_agree("fuzzed", data, (uint32_t)size, stated, seed))
        abort();
    return 0;
}
