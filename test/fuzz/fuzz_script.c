/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target "script": the input is a list of calls (open stream, read n, skip n, load, slab, runs, catalogue, cancel,
 * not yet) that are made in any order on a valid file. In any order, the delivered bytes are those of the file,
 * superseded objects report it, and nothing outside of the memory is touched.
 */
#include "fuzz.h"
#include "tetgen.h"

static const tetgen_dataset sets[] = {
    {.name = "a",
     .name_length = 1,
     .dtype = UTET_U16,
     .ndim = 2,
     .shape = {50, 70},
     .chunk = {20, 30},
     .codec = TETGEN_MIXED},
    {.name = "b",
     .name_length = 1,
     .dtype = UTET_F64,
     .ndim = 1,
     .shape = {5000},
     .chunk = {3000},
     .codec = TETGEN_ZSTD},
};

typedef struct player {
    rig r;
    utet_dataset d[2];
    utet_chunk c;
    unsigned set;
    utet_stream s;
    utet_slab slab;
    utet_range ranges[8];
    int have_stream, have_slab;
    uint8_t tile[24000]; /* of c, loaded */
} player;

static tetgen file;
static uint8_t out[60000];

static void choose(player *p, unsigned set, unsigned n)
{
    uint64_t at[8] = {0};
    utet_dataset *d = &p->d[set];
    utet_stream loader;
    for (unsigned a = d->ndim; a-- > 0; n /= (unsigned)d->grid[a])
        at[a] = n % d->grid[a];
    DRIVE_OK(utet_chunk_find(&p->r.file, d, at, &p->c));
    DRIVE_OK(utet_stream_load(&loader, &p->r.file, &p->c, p->tile, sizeof p->tile));
    p->set = set;
    p->have_stream = p->have_slab = 0;
}

/* The call may be left suspended: then everything except its repetition must be refused, and cancelling ends it. */
static utet_status suspend(player *p, utet_status status)
{
    utet_dataset d;
    if (status != UTET_WOULD_BLOCK)
        return status;
    FUZZ_CHECK(utet_dataset_first(&p->r.file, &d) == UTET_E_STATE);
    utet_cancel(&p->r.file);
    p->have_stream = p->have_slab = 0;
    return status;
}

static void read_some(player *p, unsigned n, int give_up)
{
    size_t got = 0, ask = n % 700 + (n > 200 ? n * 40u : 0);
    uint64_t from = p->s.position;
    utet_status status;
    if (give_up) {
        if (suspend(p, utet_stream_read(&p->s, out, ask, &got)) == UTET_WOULD_BLOCK)
            return;
        status = p->have_stream ? UTET_OK : UTET_E_STATE;
        FUZZ_CHECK(from + got <= p->s.length);
        FUZZ_CHECK(memcmp(out, p->tile + from, got) == 0);
        return;
    }
    DRIVE(status, utet_stream_read(&p->s, out, ask, &got));
    if (!p->have_stream) {
        FUZZ_CHECK(status == UTET_E_STATE && got == 0);
        return;
    }
    FUZZ_CHECK(status == UTET_OK || (status == UTET_END && from == p->s.length && got == 0));
    FUZZ_CHECK(status == UTET_END || got == ask || p->s.position == p->s.length);
    FUZZ_CHECK(p->s.position == from + got && memcmp(out, p->tile + from, got) == 0);
}

static void open_slab(player *p, unsigned n)
{
    const utet_dataset *d = &p->d[n % 2];
    for (unsigned a = 0; a < d->ndim; a++) {
        uint64_t start = n * (a + 3) % d->shape[a];
        p->ranges[a] = (utet_range){start, start + 1 + n * 7 % (d->shape[a] - start), 1 + n % 5};
    }
    DRIVE_OK(utet_slab_open(&p->slab, &p->r.file, d, p->ranges));
    p->have_slab = 1;
    p->have_stream = 0;
}

static void read_slab(player *p)
{
    static uint8_t expected[60000];
    uint64_t plain[8][3];
    utet_status status;
    unsigned set;
    DRIVE(status, utet_slab_read_all(&p->slab, out, sizeof out));
    if (!p->have_slab) {
        FUZZ_CHECK(status == UTET_E_STATE);
        return;
    }
    FUZZ_CHECK(status == UTET_OK);
    set = p->slab.priv.dataset == &p->d[1];
    for (unsigned a = 0; a < sets[set].ndim; a++) {
        plain[a][0] = p->ranges[a].start;
        plain[a][1] = p->ranges[a].stop;
        plain[a][2] = p->ranges[a].step;
    }
    size_t n = tetgen_select(&sets[set], file.dense[set], (const uint64_t(*)[3])plain, expected);
    FUZZ_CHECK(n == p->slab.count && memcmp(out, expected, n * p->d[set].elem_size) == 0);
    p->have_slab = 0; /* read to its end: it could only be complete again in an empty rest */
    utet_run run;
    DRIVE(status, utet_slab_next(&p->slab, &run));
    FUZZ_CHECK(status == UTET_END);
    open_slab(p, set);
}

static void step(player *p, unsigned what, unsigned n)
{
    utet_status status;
    utet_dataset d;
    switch (what % 8) {
    case 0: choose(p, n & 1, n >> 1); break;
    case 1:
        DRIVE_OK(utet_stream_open(&p->s, &p->r.file, &p->c));
        p->have_stream = 1;
        p->have_slab = 0;
        break;
    case 2:
        if (p->s.priv.file != NULL)
            read_some(p, n, 0);
        break;
    case 3:
        if (p->have_stream) {
            uint64_t to = p->s.position + n * 5;
            DRIVE(status, utet_stream_skip(&p->s, n * 5));
            FUZZ_CHECK(status == UTET_OK || status == UTET_END);
            FUZZ_CHECK(p->s.position == (to < p->s.length ? to : p->s.length));
        }
        break;
    case 4: open_slab(p, n); break;
    case 5:
        if (p->slab.priv.dataset != NULL)
            read_slab(p);
        break;
    case 6:
        DRIVE_OK(utet_dataset_find(&p->r.file, n & 1 ? "b" : "a", 1, &d));
        FUZZ_CHECK(d.id == (n & 1));
        break;
    default:
        if (p->have_stream)
            read_some(p, n, 1);
        break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static player p;
    if (size < 2 || size > 600)
        return 0;
    if (file.bytes == NULL) {
        file = (tetgen){.datasets = sets, .count = 2, .seed = 77};
        tetgen_build(&file);
    }
    memset(&p, 0, sizeof p);
    FUZZ_CHECK(fuzz_open(&p.r, data[0], file.bytes, file.size) == UTET_OK);
    DRIVE_OK(utet_dataset_first(&p.r.file, &p.d[0]));
    p.d[1] = p.d[0];
    DRIVE_OK(utet_dataset_next(&p.r.file, &p.d[1]));
    choose(&p, data[1] & 1, data[1] >> 1);
    for (size_t i = 2; i + 1 < size; i += 2)
        step(&p, data[i], data[i + 1]);
    fuzz_end(&p.r);
    return 0;
}
