/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Frama-C EVA over the passes of the whole-file check over rows (src/tet/check/passes.c), in memory of the workspace,
 * which ends with the assigned part, and in the object's own words. EVA_PART 1: the heap of payload offsets, of any
 * rows; 2: bits and counters of rows of any tile; 3: the order of the findings (check.c), around passes that find
 * anything; 4: the steps of the passes, in the object's own words. Rows, records and tiles are replaced by their
 * contracts (eva_container.h and here; eva_core.c has the functions): any values, or any failure. Sizes of memory, and
 * the fill level of a table, are tried one by one; the content of the table is any.
 *
 * eva.sh: 4 parts, x86_16, x86_32, x86_64, ppc_32
 *   1 2: -eva-slevel 20000
 *       -eva-split-return-function utet_dataset_step:0,utet_row_load:0,add_entry:0,fill_for_bits:0,next_row_in_table:0
 *   3: -eva-slevel 100
 *   4: -eva-slevel 10 -eva-split-return-function utet_dataset_step:0,utet_row_load:0,@{src/tet/check/passes.c}:0
 */
#if EVA_PART == 4
#define any_row() predicted
static unsigned long long predicted; /* the row of a tile: before, among and after the rows that have bits */
#endif
#include "eva_container.h"

#include "base/bytes.c"
#include "base/room.c"
#if EVA_PART == 3
#include "base/file.c"
#include "tet/check/check.c"
#else
#include "tet/check/check_offsets.c"
#include "tet/check/passes.c"
#endif

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
    return UTET_E_BUDGET; /* lend() below sets what has been assigned */
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

#if EVA_PART == 3
utet_status utet_row_check_end(utet_file *f, const utet_chunk *chunk, uint64_t end)
{
    (void)f;
    (void)chunk;
    (void)end;
    return Frama_C_interval(0, 1) ? UTET_OK : UTET_E_ROW;
}

void utet_dataset_rewind(utet_dataset *dataset)
{
    dataset->id = UINT32_MAX;
    dataset->priv.next_row = 0;
}

void utet_window_resize(utet_file *f, size_t size)
{
    f->priv.window = size;
}

size_t utet_window_fit(const utet_file *f, size_t bytes)
{
    (void)f;
    return bytes < 640 ? 192 : 640;
}

/* A pass continues, has ended, or failed; it has found any row. */
static utet_status any_pass(utet_finding *found)
{
    if (found != NULL) {
        found->row = any64();
        found->status = (utet_status)any32();
    }
    return Frama_C_interval(0, 1) ? UTET_CHECK_AGAIN : any_status(UTET_E_SHORT);
}

utet_status utet_check_count(utet_check *c)
{
    c->priv.table.first = any32();
    c->priv.table.count = any32();
    c->priv.in.tensors.step = (uint8_t)any32();
    return any_pass(NULL);
}

utet_status utet_check_counted(utet_check *c, utet_finding *found)
{
    (void)c;
    return any_pass(found);
}

utet_status utet_check_offsets(utet_check *c, utet_finding *found)
{
    (void)c;
    return any_pass(found);
}

utet_status utet_check_coords(utet_check *c, utet_finding *found)
{
    (void)c;
    return any_pass(found);
}
#else
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
#endif

/* ---- a check in any state ---- */

/* `words` words are assigned, which end where memory does; six or fewer: the object's own are used. */
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
    check.priv.table.kept = NULL;
    check.priv.table.words = words > 6 ? words : 6;
    file.priv.work = (uint8_t *)(work + MOST - words);
    file.priv.lent = 8 * words;
}

#if EVA_PART == 1
static void heap(size_t words, size_t used)
{
    lend(words);
    check.priv.in.offsets.used = used;
    offsets_gather(&check);
    lend(words);
    check.priv.in.offsets.used = used;
    if (used != 0)
        (void)offsets_neighbours(&check);
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
#elif EVA_PART == 3
void eva_main(void)
{
    utet_check_init(&check, &file);
    lend(0);
    Frama_C_make_unknown((char *)&check, sizeof check);
    check.priv.file = &file;
    check.priv.dataset.ndim = (uint8_t)Frama_C_interval(1, UTET_MAX_NDIM);
    file.priv.busy = (uint8_t)any32();
    file.priv.state = (uint8_t)any32();
    file.priv.owner = Frama_C_interval(0, 1) ? &check : NULL;
    file.footer_offset = any64();
    file.footer_status = (utet_status)any32();
    if (Frama_C_interval_split(0, 1))
        (void)utet_check_rows(&check);
    else if (utet_check_next(&check, &finding) == UTET_OK)
        use_text(utet_check_name(finding.check));
    use_text(utet_check_name(any32()));
}
#elif EVA_PART == 4
/* The object's own words: a table of one dataset, a heap of three payloads, a bit for each of 64 chunks. */
static void own_words(void)
{
    lend(0);
    check.priv.flags &= (uint8_t)~FLAG_LENT;
    check.priv.dataset.ndim = (uint8_t)Frama_C_interval(1, UTET_MAX_NDIM);
    check.priv.table.first = 0;
    check.priv.dataset_id = 0;
    check.priv.chunk.dataset_id = 0; /* if that row waits */
}

static void counting(uint8_t step, unsigned entries)
{
    own_words();
    check.priv.in.tensors.step = step;
    check.priv.table.count = entries;
    (void)utet_check_count(&check);
    if (entries != 0) {
        own_words();
        check.priv.table.count = entries;
        (void)utet_check_counted(&check, &finding);
    }
}

static void offsets(uint8_t step, size_t used)
{
    own_words();
    check.priv.in.offsets.step = step;
    check.priv.in.offsets.used = used;
    (void)utet_check_offsets(&check, &finding);
}

static void coords(uint8_t step, unsigned entries, unsigned long long row)
{
    predicted = row;
    own_words();
    check.priv.in.coords.step = step;
    check.priv.in.coords.low = 0x100000000u;
    check.priv.in.coords.high = 0x100000000u + 64;
    check.priv.in.coords.bits = ENTRY_WORDS;
    check.priv.table.count = entries;
    (void)utet_check_coords(&check, &finding);
}

void eva_main(void)
{
    unsigned i;
    uint8_t step;

    for (step = PASS_BEGIN; step <= PASS_SEARCH; step++) {
        for (i = step >= PASS_GO_OVER_ROWS; i <= 1u; i++) {
            counting(step, i);
            coords(step, i, any32());
            coords(step, i, 0x100000000u + (uint64_t)Frama_C_interval(0, 63));
            coords(step, i, 0x100000040u + any64() / 2);
        }
        for (i = step == PASS_SEARCH; i <= 3u; i++)
            offsets(step, i);
    }
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

/* Memory for two datasets as they were read, after the table: at its beginning, filled, and then searched for rows of
 * both. */
static void keeping(void)
{
    static uint64_t room[2 * KEPT_WORDS];
    unsigned i;

    lend(MOST);
    file.dataset_count = 2;
    file.row_count = (uint64_t)Frama_C_interval(0, 100);
    file.priv.work = (uint8_t *)room;
    file.priv.lent = sizeof room;
    check.priv.dataset_id = 0;
    check.priv.dataset.id = UINT32_MAX;
    begin_table(&check);
    /*@ assert kept: check.priv.table.kept != \null; */
    for (i = 0; i < 2; i++)
        if (add_entry(&check) != UTET_OK)
            return;
    for (i = 0; i < 3; i++) {
        check.priv.table.row_waits = 1;
        check.priv.chunk.dataset_id = (uint64_t)Frama_C_interval_split(0, 1);
        if (next_row_in_table(&check) == UTET_OK)
            count_row(&check);
        check.priv.dataset_id = (uint32_t)Frama_C_interval_split(0, 1);
        (void)utet_check_counted(&check, &finding);
    }
}

/* Chunks that may have bits, others before and after them. */
static void bits(size_t words, uint64_t low)
{
    int most;

    lend(words);
    check.priv.table.first = check.priv.table.count = 0;
    check.priv.in.coords.low = low;
    if (fill_for_bits(&check) == UTET_OK) {
        most = 64 * (int)((words != 0 ? words : sizeof check.priv.own / 8) - check.priv.in.coords.bits);
        switch (Frama_C_interval_split(0, 2)) {
        case 0: (void)passes_seen(&check, low + (uint64_t)Frama_C_interval(0, most - 1)); break;
        case 1: (void)passes_seen(&check, low + (uint64_t)most + any32()); break;
        default: (void)passes_seen(&check, low - 1u - any32()); break;
        }
    }
}

void eva_main(void)
{
    static const uint8_t words[5] = {0, 7, 10, 13, MOST};
    unsigned i, entries;

    keeping();
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
