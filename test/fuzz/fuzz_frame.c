/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target "frame": the input is a zstd payload, put into a .tet file of one chunk. Its decoded length is taken from
 * the second reader if that can decode it, otherwise from the input. All codecs, in slices and completely, are compared
 * with libzstd: what they deliver is what libzstd delivers, and what libzstd refuses they refuse. They may be stricter;
 * no run of this target has reached the case in which the small decoder is not (test/zstd/README.md, "Verdicts" 5).
 */
#include "fuzz.h"
#include "tetgen.h"
#include "tetref.h"

static uint8_t whole[FUZZ_ROOM], expected[FUZZ_ROOM], tet[1 << 17];

static utet_status decode(unsigned how, size_t size, size_t slice)
{
    rig r;
    utet_chunk c;
    utet_stream s;
    utet_status status;
    size_t got, n = 0;
    FUZZ_CHECK(fuzz_open(&r, how, tet, size) == UTET_OK);
    DRIVE_OK(utet_row_first(&r.file, &c));
    if (slice == 0) {
        DRIVE(status, utet_stream_load(&s, &r.file, &c, whole, sizeof whole));
    } else {
        DRIVE(status, utet_stream_open(&s, &r.file, &c));
        while (status == UTET_OK) {
            DRIVE(status, utet_stream_read(&s, whole + n, slice, &got));
            n += got;
        }
        if (status == UTET_END)
            status = UTET_OK;
    }
    fuzz_end(&r);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 4 || size > 50000)
        return 0;
    uint64_t raw = (tetgen_get(data + 1, 2) + 1) * (data[0] >> 7 ? 1u : 16u) % FUZZ_ROOM;
    if (raw == 0)
        raw = 1;
    const size_t n = TETGEN_HEAD + size - 3;
    tetgen_head(tet, size - 3, raw);
    memcpy(tet + TETGEN_HEAD, data + 3, size - 3);
    tetref_verdict verdict = tetref_zstd(data + 3, size - 3, expected, (size_t)raw);
    for (unsigned codec = 0; codec < 2; codec++)
        for (unsigned way = 0; way < 2; way++) {
            utet_status status = decode((data[0] & 0x3Fu) | codec << 6, n, way ? 1 + data[1] * 3u : 0);
            FUZZ_CHECK(status == UTET_OK || status < 0);
            if (status == UTET_OK)
                FUZZ_CHECK(verdict == TETREF_OK && memcmp(whole, expected, (size_t)raw) == 0);
        }
    return 0;
}
