/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Frama-C EVA over the call that puts a slab's runs into a destination. An alarm is a possible undefined behaviour. The
 * destination and the run's elements end with their memory. The run is any that the selection has: the next one by
 * contract, since each is put in its place without regard to the others.
 *
 * eva.sh: 1 part, x86_16, x86_32, x86_64, ppc_32
 *   1: -eva-slevel 60000 -eva-split-return full -eva-use-spec slab_next_run
 */
#include <string.h>

#include "eva_any.h"

#include "utet.h"

enum { MOST = 3, BYTES = 8 };

static utet_file file;
static utet_dataset dataset;
static utet_slab slab;
static uint8_t destination[MOST * BYTES], elements[MOST * BYTES * 2];
static utet_run next;

/*@ assigns run->first \from next.first;
    assigns run->count \from next.count;
    assigns run->stride \from next.stride;
    assigns run->data \from next.data;
    assigns \result \from next.first;
    ensures \initialized(&run->first) && \initialized(&run->count) && \initialized(&run->stride) &&
            \initialized(&run->data);
    ensures run->first == next.first && run->count == next.count && run->stride == next.stride &&
            run->data == next.data;
    ensures \result == UTET_OK || \result == UTET_END || \result == UTET_WOULD_BLOCK || \result == UTET_E_SHORT ||
            \result == UTET_E_PAYLOAD; */
static utet_status slab_next_run(utet_slab *of, utet_run *run, uint8_t *into);

#include "base/bytes.c"
#include "base/room.c"
#include "base/file.c"
#include "tet/slab/slab.c"

void eva_main(void)
{
    static const uint8_t sizes[] = {1, 2, 4, 8};
    uint8_t *into[3] = {NULL, destination, NULL}; /* not suspended, suspended with other memory or with the same */
    const size_t each = sizes[Frama_C_interval_split(0, 3)];
    const int total = Frama_C_interval_split(0, MOST);
    const int room = Frama_C_interval_split(0, MOST); /* elements that the destination has room for */
    const int first = total == 0 ? 0 : Frama_C_interval_split(0, total - 1);
    const int count = total == 0 ? 1 : Frama_C_interval_split(1, total - first);

    into[2] = destination + sizeof destination - (size_t)room * each;
    Frama_C_make_unknown((char *)&slab, sizeof slab);
    Frama_C_make_unknown((char *)elements, sizeof elements);
    slab.priv.during.into = into[Frama_C_interval_split(0, 2)];
    file.priv.state = Frama_C_interval(UTET_STATE_READY, UTET_STATE_FAILED);
    file.priv.busy = (uint8_t)any32();
    file.priv.owner = Frama_C_interval(0, 1) ? &slab : NULL;
    dataset.elem_size = (uint8_t)each;
    slab.priv.dataset = &dataset;
    slab.priv.stream.priv.file = Frama_C_interval_split(0, 1) ? &file : NULL;
    slab.count = (uint64_t)total;
    next.first = (uint64_t)first;
    next.count = (size_t)count;
    next.stride = each * (size_t)Frama_C_interval_split(1, 2);
    next.data = Frama_C_interval_split(0, 1) ? elements + sizeof elements - ((size_t)count - 1) * next.stride - each
                                             : NULL;
    if (total == 0)
        next.data = NULL; /* no selection has such a run */
    (void)utet_slab_read_all(&slab, destination + sizeof destination - (size_t)room * each, (size_t)room * each);
}
