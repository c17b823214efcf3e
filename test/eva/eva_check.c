/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Frama-C EVA over the passes of the whole-file check over rows (src/check/passes.c), in borrowed memory that ends
 * with what was lent and in the object's own words. EVA_PART 1: the heap of payload offsets, of any rows; 2: bits and
 * counters of rows of any tile. Rows, records and tiles are their contracts (eva_container.h and here; eva_core.c has
 * the functions): any values, or any failure. Sizes of memory, and how full a table is, are taken one by one; what the
 * table says is any.
 */
#include "eva_container.h"

#include "base/bytes.c"
#include "check/check_offsets.c"
#include "check/passes.c"

#define MOST 24u /* words */

static uint64_t work[MOST];
static utet_io io;
static utet_file file;
static utet_check check;
static utet_finding finding;

/* ---- further contracts ---- */

utet_status utet_lend(utet_file *f, const void *owner, const utet_need *need)
{
    (void)f;
    (void)owner;
    (void)need;
    return UTET_E_BUDGET; /* what has been lent says lend() below */
}

utet_status utet_dataset_step(utet_file *f, utet_dataset *dataset)
{
    utet_status status = any_status(UTET_E_DATASET);

    (void)f;
    if (status == UTET_OK) {
        dataset->id++;
        dataset->priv.next = any64();
        dataset->priv.next_row = any64();
        dataset->ndim = (uint8_t)Frama_C_interval(1, UTET_MAX_NDIM);
    }
    return status;
}

utet_status utet_row_load(utet_file *f, uint64_t row, utet_chunk *chunk)
{
    (void)f;
    (void)row;
    Frama_C_make_unknown((char *)chunk, sizeof *chunk);
    return any_status(UTET_E_DATASET);
}

uint64_t utet_row_offset(const utet_file *f, uint64_t row)
{
    (void)f;
    (void)row;
    return any64();
}

utet_status utet_check_size(const utet_dataset *dataset, uint64_t *bytes)
{
    (void)dataset;
    *bytes = any64();
    return any_status(UTET_E_DATASET);
}

void utet_check_overlap(utet_check *c, uint64_t offset)
{
    c->priv.overlap = offset;
}

/* ---- a walk that has got anywhere ---- */

/* `words` words are lent, where memory ends; six or fewer: the object's own serve. */
static void lend(size_t words)
{
    static const utet_file blank;

    file = blank;
    file.priv.io = &io;
    file.row_count = any64();
    file.dataset_count = any32();
    Frama_C_make_unknown((char *)work, sizeof work);
    Frama_C_make_unknown((char *)&check, sizeof check);
    check.priv.file = &file;
    check.priv.dataset.ndim = (uint8_t)Frama_C_interval(1, UTET_MAX_NDIM);
    check.priv.flags = words != 0 ? FLAG_LENT : 0;
    file.priv.work = (uint8_t *)(work + MOST - words);
    file.priv.lent = 8 * words;
}

#if EVA_PART == 1
static void heap(size_t words, size_t used)
{
    lend(words);
    check.priv.in.offsets.used = used;
    gather(&check);
    lend(words);
    check.priv.in.offsets.used = used;
    if (used != 0)
        (void)neighbours(&check);
}

void eva_main(void)
{
    static const uint8_t words[6] = {0, 6, 7, 8, 13, MOST};
    unsigned i;
    size_t used;

    for (i = 0; i < 6u; i++)
        for (used = 0; used <= (words[i] > 6u ? words[i] : 6u) / UTET_PAIR_WORDS; used++)
            heap(words[i], used);
}
#else
static void table(size_t words, unsigned entries)
{
    const uint32_t first[2] = {0, 0xFFFFFF00u};
    const uint32_t from = first[Frama_C_interval_split(0, 1)];

    lend(words);
    check.priv.table.first = from;
    check.priv.table.count = entries;
    check.priv.table.row_waits = (uint8_t)Frama_C_interval_split(0, 1);
    check.priv.chunk.dataset_id = from + (uint32_t)Frama_C_interval(0, (int)entries - 1);
    if (next_row_in_table(&check) == UTET_OK)
        count_row(&check);
    lend(words);
    check.priv.table.first = from;
    check.priv.table.count = entries;
    check.priv.dataset_id = from + (uint32_t)Frama_C_interval(0, (int)entries - 1);
    (void)utet_check_counted(&check, &finding);
    lend(words);
    check.priv.table.first = from;
    check.priv.table.count = entries - 1u;
    (void)add_entry(&check);
}

/* Chunks that there may be bits for, others before and behind them. */
static void bits(size_t words, uint64_t low)
{
    int most;

    lend(words);
    check.priv.table.first = check.priv.table.count = 0;
    check.priv.in.coords.low = low;
    if (fill_for_bits(&check) == UTET_OK) {
        most = 64 * (int)((words != 0 ? words : sizeof check.priv.own / 8) - check.priv.in.coords.bits);
        switch (Frama_C_interval_split(0, 2)) {
        case 0: (void)seen(&check, low + (uint64_t)Frama_C_interval(0, most - 1)); break;
        case 1: (void)seen(&check, low + (uint64_t)most + any32()); break;
        default: (void)seen(&check, low - 1u - any32()); break;
        }
    }
}

void eva_main(void)
{
    static const uint8_t words[5] = {0, 7, 10, 13, MOST};
    unsigned i, entries;

    for (i = 0; i < 5u; i++) {
        for (entries = 1; entries <= (words[i] > 6u ? words[i] : 6u) / ENTRY_WORDS; entries++)
            table(words[i], entries);
        bits(words[i], 0x100000000u);
        bits(words[i], 0x8000000000000000u);
        lend(words[i]);
        check.priv.in.coords.step = PASS_SEARCH;
        (void)search_twin(&check, &finding);
    }
}
#endif
