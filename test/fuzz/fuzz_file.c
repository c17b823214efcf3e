/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target "file": the input is a .tet file. The library and the second reader (tetref) must agree on whether it
 * opens, on its records and rows, and on the bytes of its datasets; the workspace ends at an unmapped page, and the
 * port checks every request. Byte 0 of the input chooses how the port behaves and the codec; the rest is the file.
 */
#include "fuzz.h"
#include "tetref.h"

static void datasets(rig *r, const tetref *t)
{
    static uint8_t out[FUZZ_ROOM];
    utet_dataset d;
    utet_status status;
    DRIVE(status, utet_dataset_first(&r->file, &d));
    for (unsigned i = 0; status == UTET_OK && i < 6; i++) {
        utet_range all[8];
        utet_slab slab;
        size_t size = 0;
        uint8_t *first, *predicted;
        for (unsigned a = 0; a < d.ndim; a++)
            all[a] = (utet_range){0, d.shape[a], 1};
        DRIVE(status, utet_slab_open(&slab, &r->file, &d, all));
        if (status == UTET_OK)
            DRIVE(status, utet_slab_read_all(&slab, out, sizeof out));
        tetref_verdict verdict = tetref_read(t, d.id, 0, sizeof out, &first, &size);
        tetref_verdict other = tetref_read(t, d.id, 1, sizeof out, &predicted, &size);
        if (status == UTET_OK)
            FUZZ_CHECK((verdict == TETREF_OK && memcmp(out, first, size) == 0) ||
                       (other == TETREF_OK && memcmp(out, predicted, size) == 0) ||
                       tetref_allows(t, d.id, out, sizeof out));
        else /* decoders may be stricter than libzstd; everything else must be refused by both */
            FUZZ_CHECK(verdict != TETREF_OK || other != TETREF_OK || status == UTET_E_PAYLOAD ||
                       status == UTET_E_ZSTD_LEGACY || status == UTET_E_CHECKSUM ||
                       tetref_allows(t, d.id, NULL, sizeof out));
        free(first);
        free(predicted);
        DRIVE(status, utet_dataset_next(&r->file, &d));
    }
    FUZZ_CHECK(status == UTET_OK || status == UTET_END);
}

static void rows(rig *r, const tetref *t)
{
    utet_chunk c;
    utet_status status;
    DRIVE(status, utet_row_first(&r->file, &c));
    while (status == UTET_OK)
        DRIVE(status, utet_row_next(&r->file, &c));
    FUZZ_CHECK((status == UTET_END) == (tetref_rows(t, t->size) == TETREF_OK));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    rig r;
    tetref t;
    if (size < 1 || size > 1 << 16)
        return 0;
    utet_status status = fuzz_open(&r, data[0], data + 1, size - 1);
    tetref_verdict verdict = tetref_open(&t, data + 1, size - 1);
    int footer = status == UTET_OK && r.file.footer_status != UTET_OK;
    FUZZ_CHECK((status == UTET_OK && !footer) == (verdict == TETREF_OK));
    if (status == UTET_OK && !footer) {
        if (t.count > 0)
            rows(&r, &t);
        datasets(&r, &t);
    }
    tetref_free(&t);
    fuzz_end(&r);
    return 0;
}
