/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target "fickle": the medium does not answer the same twice. The input chooses a file of a few kinds, the
 * scenario, the memory, and then what each answer becomes (harness/fickle.h). The result is data, an error that the
 * header names, or other data; nothing outside of the memory is touched, no request is outside of the file, and every
 * call ends.
 */
#include "fickle.h"
#include "fuzz.h"
#include "scenario.h"
#include "tetgen.h"
#include "utet_check.h"

static const tetgen_dataset sets[] = {
    {.name = "a",
     .name_length = 1,
     .dtype = UTET_U16,
     .ndim = 2,
     .shape = {50, 70},
     .chunk = {20, 30},
     .codec = TETGEN_MIXED},
    {.name = "bb",
     .name_length = 2,
     .dtype = UTET_F64,
     .ndim = 1,
     .shape = {900},
     .chunk = {300},
     .codec = TETGEN_ZSTD},
    {.name = "c",
     .name_length = 1,
     .dtype = UTET_U8,
     .ndim = 3,
     .shape = {5, 6, 7},
     .chunk = {2, 6, 3},
     .codec = TETGEN_RAW},
};
static tetgen files[2];
static guard memory;

static void check_all(rig *r)
{
    utet_finding finding;
    utet_check check;
    utet_status status;
    DRIVE(status, utet_open(&r->file, NULL));
    utet_check_init(&check, &r->file);
    for (unsigned i = 0; status == UTET_OK; i++) {
        FUZZ_CHECK(i < 100);
        DRIVE(status, utet_check_next(&check, &finding));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint32_t works[] = {192, 640, 1000, 4800, 9000, 34000, 70000, 160000};
    scenario_run x = {.fickle = 1};
    unsigned what, which;
    fickle f;
    rig r;
    if (size < 4)
        return 0;
    if (memory.data == NULL) {
        memory = guard_new(160000, 8, GUARD_AFTER);
        files[0] = (tetgen){.datasets = sets, .count = 3, .seed = 1};
        files[1] = (tetgen){.datasets = sets + 1, .count = 2, .seed = 2, .footer = 2};
        tetgen_build(&files[0]);
        tetgen_build(&files[1]);
    }
    which = data[0] & 1;
    what = data[1] % (SCENARIOS + 1);
    rig_make(&r, files[which].bytes, files[which].size, (int)(data[0] >> 1 & 3) % ((int)rig_codecs() + 1) - 1);
    fickle_between(&f, &r, files[which].bytes, files[which].size, files[1 - which].bytes, files[1 - which].size);
    fickle_begin(&f, data[3]);
    f.honest = data[0] & 8 ? 250 : 128;
    f.from = data[3];
    f.script = data + 4;
    f.script_size = size - 4;
    f.most = 200000;
    r.port.slice = data[0] & 16 ? 50 : SLICE_ALL;
    r.port.blocks = data[0] >> 5 & 1;
    size = works[data[2] % 8];
    faultport_zone(&r.port, 0, memory.data, memory.size);
    FUZZ_CHECK(utet_init(&r.file, &r.port.io, memory.data + ((memory.size - size) & ~(size_t)7), size, r.codecs) ==
               UTET_OK);
    if (what < SCENARIOS)
        scenario_from_open(&x, &r, &scenarios[what]);
    else
        check_all(&r);
    FUZZ_CHECK(guard_intact(&memory));
    suite_check(r.port.violations == 0, "port contract: %s", r.port.violation);
    suite_check(x.stop <= 0, "%s: %s", x.where, rig_status(x.stop));
    fickle_free(&f);
    return 0;
}
