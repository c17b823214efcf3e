/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target "check": the input is a byte that chooses how the port behaves, then a .tet file. In its directory each
 * name, read in parts, finds the first record of that name. The whole-file check has the same findings with any amount
 * of memory, and a parse finding if the second reader refuses a row.
 */
#include "fuzz.h"
#include "tetref.h"
#include "utet_check.h"

enum { FUZZ_FINDINGS = 400 };

typedef struct verdict {
    unsigned count;
    utet_finding found[FUZZ_FINDINGS];
} verdict;

static void names(rig *r, const tetref *t)
{
    static char name[1 << 14];
    utet_dataset d, same;
    utet_status status;
    unsigned first;
    DRIVE(status, utet_dataset_first(&r->file, &d));
    for (unsigned id = 0; status == UTET_OK && id < 20; id++) {
        const tetref_dataset *x = &t->datasets[id];
        uint32_t half = d.name_length / 2;
        FUZZ_CHECK(d.id == id && d.name_length == x->name_length && d.dtype == x->dtype && d.ndim == x->ndim);
        DRIVE_OK(utet_dataset_name(&r->file, &d, 0, name, half));
        DRIVE_OK(utet_dataset_name(&r->file, &d, half, name + half, d.name_length - half));
        FUZZ_CHECK(memcmp(name, x->name, x->name_length) == 0);
        for (first = 0; t->datasets[first].name_length != x->name_length ||
                        memcmp(t->datasets[first].name, name, x->name_length) != 0;
             first++) {}
        DRIVE_OK(utet_dataset_find(&r->file, name, d.name_length, &same));
        FUZZ_CHECK(same.id == first);
        DRIVE(status, utet_dataset_next(&r->file, &d));
    }
    FUZZ_CHECK(status == UTET_OK || status == UTET_END);
}

/* All findings except those that may differ after an error. */
static void walk(rig *r, verdict *v)
{
    static utet_check check;
    utet_finding x;
    utet_status status;
    int offsets = 0, coords = 0;
    v->count = 0;
    utet_check_init(&check, &r->file);
    for (;;) {
        DRIVE(status, utet_check_next(&check, &x));
        if (status != UTET_OK)
            break;
        offsets |= x.check == UTET_CHECK_PAYLOAD_OFFSETS;
        coords |= x.check == UTET_CHECK_CHUNK_COORDS && !x.ok;
        if ((x.check == UTET_CHECK_PAYLOAD_OVERLAP && offsets) || (x.check == UTET_CHECK_CHUNK_COORDS_UNUSED && coords))
            continue;
        FUZZ_CHECK(v->count < FUZZ_FINDINGS && x.offset <= r->port.io.size);
        v->found[v->count++] = x;
    }
    FUZZ_CHECK(status == UTET_END);
}

static int alike(const utet_finding *a, const utet_finding *b)
{
    return a->check == b->check && a->severity == b->severity && a->ok == b->ok && a->status == b->status &&
           a->dataset == b->dataset && (a->row == b->row || a->check != UTET_CHECK_PAYLOAD_OFFSETS);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const size_t budgets[] = {(size_t)-1, UTET_WINDOW_LEAST(512), 1000};
    static verdict verdicts[2];
    static rig r;
    tetref t;
    if (size < 1 || size > 1 << 13)
        return 0;
    tetref_verdict open = tetref_open(&t, data + 1, size - 1);
    for (unsigned i = 0; open == TETREF_OK && i < 3; i++) {
        verdict *v = &verdicts[i != 0];
        FUZZ_CHECK(fuzz_open_within(&r, data[0], data + 1, size - 1, budgets[i]) == UTET_OK);
        if (i == 0)
            names(&r, &t);
        walk(&r, v);
        FUZZ_CHECK((v->found[0].check == UTET_CHECK_PARSE) == (tetref_rows(&t, t.limit) != TETREF_OK));
        FUZZ_CHECK(v->count == verdicts[0].count);
        for (unsigned k = 0; k < v->count; k++)
            FUZZ_CHECK(alike(&v->found[k], &verdicts[0].found[k]));
        fuzz_end(&r);
    }
    tetref_free(&t);
    return 0;
}
