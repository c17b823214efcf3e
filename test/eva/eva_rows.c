/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Frama-C EVA over the lookup of rows in the caller's memory (container/rows.c): the memory, of at least one number,
 * ends with that of the last chunk; its content is any, and so are the dataset, the coordinates, and the progress of a
 * suspended call. Rows and tiles are replaced by their contracts (eva_container.h; eva_core.c has the functions).
 *
 * eva.sh: 1 part, x86_16, x86_32, x86_64, ppc_32
 *   1: -eva-slevel 100
 */
#include "eva_container.h"

#include "base/bytes.c"
#include "base/native.c"
#include "tet/container/rows.c"

#define MOST 5u

static uint32_t places[MOST];
static utet_io io;
static utet_file file;
static utet_rows rows;
static utet_dataset data;

/* Lists of two datasets and three rows: rings, whose numbers are those of rows that have been listed. */
static uint32_t lists[5];

static void any_call(size_t count)
{
    static const utet_file blank;
    unsigned d;

    file = blank;
    file.priv.io = &io;
    file.row_count = any64();
    file.priv.busy = (uint8_t)any32();
    file.priv.state = (uint8_t)any32();
    file.priv.rows = &rows;
    file.priv.step = (uint8_t)Frama_C_interval(ROWS_BEGIN, ROWS_ALL);
    file.priv.call.lookup.row = any64();
    file.priv.call.lookup.tile.row = any64();
    Frama_C_make_unknown((char *)places, sizeof places);
    rows.priv.row_of = places + MOST - count;
    rows.priv.count = count;
    rows.priv.learned = any64();
    rows.priv.dataset = any32();
    rows.priv.lists = NULL;
    rows.priv.datasets = any32();
    data.ndim = (uint8_t)Frama_C_interval(1, UTET_MAX_NDIM);
    data.id = any32();
    data.priv.first_row = any64();
    /*@ loop unroll 8; */
    for (d = 0; d < UTET_MAX_NDIM; d++)
        data.grid[d] = any64();
}

/* As utet_rows_lists and append leave them. */
static void any_lists(void)
{
    unsigned i;

    file.dataset_count = 2;
    file.row_count = (uint64_t)Frama_C_interval(0, 3);
    rows.priv.lists = lists;
    rows.priv.next = lists + 2;
    rows.priv.datasets = 2;
    rows.priv.dataset = (uint32_t)Frama_C_interval(0, 1);
    rows.priv.listed = (uint32_t)Frama_C_interval(0, 3);
    rows.priv.seen = (uint32_t)Frama_C_interval(0, 3);
    /*@ loop unroll 5; */
    for (i = 0; i < 5; i++)
        lists[i] = (uint32_t)Frama_C_interval(0, i < 2 ? 3 : 2);
    file.priv.call.lookup.row = (uint64_t)Frama_C_interval(0, 3);
}

void eva_main(void)
{
    uint64_t coords[UTET_MAX_NDIM];
    utet_chunk chunk;
    size_t count;
    unsigned d;

    /*@ loop unroll 8; */
    for (d = 0; d < UTET_MAX_NDIM; d++)
        coords[d] = any64();
    /*@ loop unroll 6; */
    for (count = 1; count <= MOST; count++) {
        any_call(count);
        (void)find_row(&file, &data, coords, &chunk);
        any_call(count);
        (void)utet_rows_init(Frama_C_interval(0, 1) ? &rows : NULL, &file, &data,
                             Frama_C_interval(0, 1) ? places + MOST - count : NULL, count);
        any_call(count);
        any_lists();
        (void)find_row(&file, &data, coords, &chunk);
        any_call(count);
        any_lists();
        file.priv.rows = Frama_C_interval(0, 1) ? &rows : NULL;
        (void)utet_rows_lists(Frama_C_interval(0, 1) ? &rows : NULL, &file, Frama_C_interval(0, 1) ? lists : NULL,
                              2 + (size_t)file.row_count);
    }
}
