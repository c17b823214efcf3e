/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Frama-C EVA over the call that puts a slab's runs into a destination. An alarm is possible undefined behaviour. Part
 * 1: the call, around its steps. Part 2: a run of the tile, and the copy of it and of the available rows after it, each
 * of them in part or not; the destination and the available bytes end with their memory.
 *
 * eva.sh: 2 parts, x86_16, x86_32, x86_64, ppc_32
 *   1: -eva-slevel 60000 -eva-split-return full -eva-use-spec slab_next_run,slab_advance
 *   2: -eva-slevel 60000 -eva-split-return-function tile_run:0 -eva-use-spec fetch_run,slab_advance
 */
#include <string.h>

#include "eva_any.h"

#include "utet.h"

enum { MOST = 3, BYTES = 8 };

static utet_file file;
static utet_dataset dataset;
static utet_slab slab;

#if EVA_PART == 1
static uint8_t destination[MOST * BYTES];

#include "base/bytes.c"
#include "base/room.c"
#include "base/file.c"
#include "tet/slab/slab.c"

/*@ assigns *run \from *of;
    assigns *row \from *of;
    assigns \result \from *of;
    ensures \initialized(run) && \initialized(row) && run->data == NULL;
    ensures \result == UTET_OK || \result == UTET_END || \result == UTET_WOULD_BLOCK || \result == UTET_E_SHORT ||
            \result == UTET_E_PAYLOAD; */
static utet_status slab_next_run(utet_slab *of, utet_run *run, struct row_bytes *row, uint8_t *into);

/*@ assigns of->priv.state \from count; */
static void slab_advance(utet_slab *of, uint64_t count);

void eva_main(void)
{
    static const uint8_t sizes[] = {1, 2, 4, 8};
    uint8_t *into[3] = {NULL, destination, NULL}; /* not suspended, suspended with other memory or with the same */
    const size_t each = sizes[Frama_C_interval_split(0, 3)];
    const int room = Frama_C_interval_split(0, MOST); /* how many elements the destination has room for */

    into[2] = destination + sizeof destination - (size_t)room * each;
    Frama_C_make_unknown((char *)&slab, sizeof slab);
    slab.priv.during.into = into[Frama_C_interval_split(0, 2)];
    file.priv.state = Frama_C_interval(UTET_STATE_READY, UTET_STATE_FAILED);
    file.priv.busy = (uint8_t)any32();
    file.priv.owner = Frama_C_interval(0, 1) ? &slab : NULL;
    dataset.elem_size = (uint8_t)each;
    slab.priv.dataset = &dataset;
    slab.priv.stream.priv.file = Frama_C_interval_split(0, 1) ? &file : NULL;
    slab.count = (uint64_t)Frama_C_interval_split(0, MOST);
    (void)utet_slab_read_all(&slab, destination + sizeof destination - (size_t)room * each, (size_t)room * each);
}
#else
/* A row of the tile has at most 3 elements of the selection, every one or every second one; the tile has at most 3 such
 * rows, with or without an element between two of them. */
static uint8_t destination[MOST * (MOST + 1) * BYTES], elements[MOST * 2 * MOST * BYTES];
static struct {
    const uint8_t *at;
    size_t have;
    size_t span, pitch, rest;
    uint64_t first;
} next;

#include "base/bytes.c"
#include "base/room.c"
#include "base/file.c"
#include "tet/slab/slab.c"

/*@ assigns run->first \from next.first;
    assigns row->span \from next.span;
    assigns row->pitch \from next.pitch;
    assigns row->rest \from next.rest;
    assigns row->there.at \from next.at;
    assigns row->there.have \from next.have;
    assigns \result \from next.first;
    ensures \initialized(&run->first) && \initialized(&row->span) && \initialized(&row->pitch) &&
            \initialized(&row->rest) && \initialized(&row->there.at) && \initialized(&row->there.have);
    ensures run->first == next.first && row->span == next.span && row->pitch == next.pitch &&
            row->rest == next.rest && row->there.at == next.at && row->there.have == next.have;
    ensures \result == UTET_OK || \result == UTET_WOULD_BLOCK || \result == UTET_E_SHORT; */
static utet_status fetch_run(utet_slab *of, utet_run *run, struct row_bytes *row, uint8_t *into);

/*@ assigns of->priv.state \from count; */
static void slab_advance(utet_slab *of, uint64_t count);

void eva_main(void)
{
    static const uint8_t sizes[] = {1, 4, 8};
    const size_t each = sizes[Frama_C_interval_split(0, 2)];
    const int axes = Frama_C_interval_split(1, 2);
    const int inside = Frama_C_interval_split(1, MOST), place = Frama_C_interval_split(0, inside - 1);
    const int step = Frama_C_interval_split(1, 2);
    const int rows = axes == 1 ? 1 : Frama_C_interval_split(1, MOST);
    const int more = 1;                              /* elements of a row of the selection that are in other tiles */
    const int copied = Frama_C_interval_split(0, 1); /* or it went directly to the destination */
    const size_t span = (size_t)((inside - place - 1) * step + 1) * each;
    const size_t pitch = axes == 1 ? 0 : (size_t)((inside - 1) * step + 1 + Frama_C_interval_split(0, 1)) * each;
    const size_t all = span + (size_t)(rows - 1) * pitch;
    const size_t haves[] = {each, span, span + pitch - 1, all};
    utet_axis *last = &slab.axis[axes - 1];
    struct row_bytes row;
    utet_run run;
    size_t wanted;

    next.have = haves[Frama_C_interval_split(0, 3)];
    if (next.have < each || next.have > all)
        next.have = each;
    Frama_C_make_unknown((char *)&slab, sizeof slab);
    Frama_C_make_unknown((char *)elements, sizeof elements);
    next.at = copied ? elements + sizeof elements - next.have : NULL;
    next.first = 0;
    next.span = span;
    next.pitch = pitch;
    next.rest = (size_t)(rows - 1) * pitch;
    dataset.ndim = (uint8_t)axes;
    dataset.elem_size = (uint8_t)each;
    slab.priv.dataset = &dataset;
    slab.axis[0].priv.place = 0;
    slab.axis[0].priv.inside = (uint64_t)rows;
    last->priv.place = (uint64_t)place;
    last->priv.inside = (uint64_t)inside;
    last->priv.step = (uint64_t)step;
    last->count = (uint64_t)(inside + more);
    wanted = ((size_t)(rows - 1) * (size_t)(inside + more) + (size_t)(inside - place)) * each;
    if (tile_run(&slab, &run, &row, destination) == UTET_OK && run.data != NULL)
        slab_place_run(&slab, &run, &row, destination + sizeof destination - wanted);
}
#endif
