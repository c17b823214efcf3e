/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target "tensogram": the input is a byte that chooses how the port behaves, then a file of messages. All of it is
 * read (tgm.h). A second time, through a mapped port, values, statuses and offsets of faults must be the same.
 */
#include "fuzz.h"
#include "tgm.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static rig r;
    tgm_look first, second;

    if (size < 1 || size > 1 << 14)
        return 0;
    fuzz_open_messages(&r, data[0], data + 1, size - 1);
    tgm_look_at(&first, &r);
    fuzz_end(&r);
    fuzz_open_messages(&r, 32, data + 1, size - 1);
    tgm_look_at(&second, &r);
    fuzz_end(&r);
    FUZZ_CHECK(first.digest == second.digest && first.stop == UTET_OK);
    return 0;
}
