/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target "meta": the input is a byte that chooses how the port behaves, then a .tet file. Its metadata is opened
 * and read in every way. A second time, through a mapped port, values, statuses and offsets of faults must be the same.
 * Damaged metadata does not affect the tensors.
 */
#include "fuzz.h"
#include "metalook.h"

static void look_at(metalook *x, rig *r)
{
    memset(x, 0, sizeof *x);
    x->r = r;
    x->what = "meta";
    x->items = 300;
    x->events = 50;
    x->calls = UINT64_MAX;
    metalook_at(x);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static metalook first, second;
    static rig r;

    if (size < 1 || size > 1 << 14)
        return 0;
    if (fuzz_open(&r, data[0], data + 1, size - 1) == UTET_OK) {
        look_at(&first, &r);
        fuzz_end(&r);
        FUZZ_CHECK(fuzz_open(&r, 32, data + 1, size - 1) == UTET_OK);
        look_at(&second, &r);
        FUZZ_CHECK(first.digest == second.digest);
    }
    fuzz_end(&r);
    return 0;
}
