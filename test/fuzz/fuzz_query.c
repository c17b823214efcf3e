/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target "query": two bytes choose how both media behave, two are the length of the document; then come the
 * document and a .tet file. The document is read, refused or bound to the file, and answered. A second time, both are
 * read through other ports, and the answer has exactly its minimum memory: document, message and plan must be the same;
 * so must answer and response, if the file is good enough for both.
 */
#include "fuzz.h"
#include "querylook.h"

static void look(querylook *x, rig *r, unsigned how, const uint8_t *text, size_t length)
{
    static const size_t slices[] = {SLICE_ALL, 1, 30, SLICE_RANDOM};
    faultport port;

    faultport_init(&port, text, length);
    port.slice = slices[how & 3];
    port.blocks = how >> 2 & 1;
    port.random = 1;
    if (how >> 3 & 1)
        faultport_map(&port);
    x->r = r;
    x->text = &port.io;
    x->what = "query";
    x->most = 20000;
    querylook_at(x);
    FUZZ_CHECK(port.violations == 0);
    fuzz_end(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static querylook first, second;
    static rig r;
    size_t length;

    if (size < 4 || size > 1 << 14)
        return 0;
    length = (size_t)data[2] << 8 | data[3];
    if (length > size - 4)
        length = size - 4;
    if (fuzz_open(&r, data[0], data + 4 + length, size - 4 - length) == UTET_OK) {
        look(&first, &r, data[1], data + 4, length);
        /* with one cell the file is read once for each result */
        int least = first.answered == UTET_END && first.count < 200 && first.answer.need.least <= FUZZ_WORK;

        FUZZ_CHECK((least ? fuzz_open_within(&r, 32 | (data[0] & 64), data + 4 + length, size - 4 - length,
                                             (size_t)first.answer.need.least)
                          : fuzz_open(&r, 32 | (data[0] & 64), data + 4 + length, size - 4 - length)) == UTET_OK);
        look(&second, &r, data[1] ^ 8, data + 4, length);
        querylook_compare(&first, &second);
    }
    fuzz_end(&r);
    return 0;
}
