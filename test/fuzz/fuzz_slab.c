/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target "slab": the input chooses geometry (rank, extents, tiles, dtype, row order) and selections. tetgen writes
 * the file, and the selection is compared with one that visits every element.
 */
#include "fuzz.h"
#include "tetgen.h"

static unsigned next(const uint8_t **data, size_t *size)
{
    if (*size == 0)
        return 0;
    --*size;
    return *(*data)++;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t out[1 << 16], expected[1 << 16];
    tetgen_dataset d = {.name = "s", .name_length = 1};
    uint64_t elements = 1, plain[8][3];
    rig r;
    utet_dataset ds;
    utet_slab slab;
    utet_range ranges[8];
    unsigned how = next(&data, &size), odd = next(&data, &size);
    d.dtype = 1 + odd % 10;
    d.ndim = 1 + odd / 10 % 8;
    d.codec = odd & 0x80 ? TETGEN_MIXED : TETGEN_RAW;
    for (unsigned a = 0; a < d.ndim; a++) {
        unsigned most = elements > 500 ? 2 : d.ndim > 3 ? 7 : 60;
        d.shape[a] = next(&data, &size) % most + (a + 1 == d.ndim);
        d.chunk[a] = 1 + next(&data, &size) % (d.shape[a] + 2);
        elements *= d.shape[a] ? d.shape[a] : 1;
    }
    if (elements > 6000)
        return 0;
    tetgen g = {.datasets = &d, .count = 1, .seed = odd + 1, .shuffle = how >> 7, .gaps = (int)(odd & 1)};
    tetgen_build(&g);
    FUZZ_CHECK(fuzz_open(&r, how & 0x7F, g.bytes, g.size) == UTET_OK);
    DRIVE_OK(utet_dataset_first(&r.file, &ds));
    for (unsigned turn = 0; turn < 4; turn++) {
        utet_status status;
        for (unsigned a = 0; a < d.ndim; a++) {
            uint64_t n = d.shape[a], start = n ? next(&data, &size) % n : 0;
            uint64_t stop = n ? start + 1 + next(&data, &size) % (n - start) : 0, step = 1 + next(&data, &size) % 9;
            ranges[a] = (utet_range){start, stop, step};
            plain[a][0] = start;
            plain[a][1] = stop;
            plain[a][2] = step;
        }
        size_t n = tetgen_select(&d, g.dense[0], (const uint64_t(*)[3])plain, expected);
        DRIVE(status, utet_slab_open(&slab, &r.file, &ds, ranges));
        FUZZ_CHECK(status == UTET_OK && slab.count == n);
        DRIVE(status, utet_slab_read_all(&slab, out, sizeof out));
        FUZZ_CHECK(status == UTET_OK && memcmp(out, expected, n * ds.elem_size) == 0);
    }
    fuzz_end(&r);
    tetgen_free(&g);
    return 0;
}
