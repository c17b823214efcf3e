/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The passes through the rows, for files whose rows are not in canonical order or whose payloads are
 * not in increasing order. Each pass covers as much as the workspace after the window holds:
 * datasets whose rows are counted, payload offsets, or a bit for each chunk. Without a workspace
 * the object's own few words are used, and there are many passes.
 */
#include "check.h"

#include <string.h>

/* The 64-bit words in a table entry: the record's offset, the predicted row of its first chunk, and
 * what has been counted: rows, bytes of their tiles, the first row of a wrong length. */
enum { PASSES_RECORD, FIRST_ROW, ROWS, BYTES, WRONG_ROW, ENTRY_WORDS };

/* Records of datasets are kept, for rows that alternate between datasets, if there are this many words for each: a few
 * times as many as the record and its entry take, so that one pass remains sufficient. */
#define KEPT_WORDS 128u
#define DATASET_WORDS ((sizeof(utet_dataset) + 7) / 8)

UTET_STATIC_ASSERT(DATASET_WORDS + 2 * ENTRY_WORDS <= KEPT_WORDS / 2, half_is_left);

/* The number of pending rows after which no exact duplicate is searched for: each search is a pass through
 * the rows, and such a file has the same chunk again and again. */
#define DOUBTS 16u

/* ---- memory ---- */

void utet_check_borrow(utet_check *check)
{
    utet_file *file = check->priv.file;
    const utet_need need = {
        0, utet_add(utet_mul(file->row_count, 8u * UTET_PAIR_WORDS), utet_mul(file->dataset_count, 8u * KEPT_WORDS))};

    if ((check->priv.flags & FLAG_LENT) == 0 && utet_lend(file, check, &need) == UTET_OK)
        check->priv.flags |= FLAG_LENT;
}

uint64_t *utet_check_memory(utet_check *check, size_t *words)
{
    utet_file *file = check->priv.file;

    *words = file->priv.lent / 8;
    if ((check->priv.flags & FLAG_LENT) != 0 && file->priv.lent > sizeof check->priv.own)
        return (uint64_t *)(void *)utet_behind(file);
    *words = sizeof check->priv.own / 8;
    return check->priv.own;
}

/* ---- the table of datasets ---- */

static uint64_t *passes_entry(utet_check *check, uint64_t number)
{
    size_t words;

    return utet_check_memory(check, &words) + ENTRY_WORDS * (size_t)number;
}

/* Dataset `id`, whose record and first row its entry has, into priv.dataset. */
static utet_status passes_load(utet_check *check, uint32_t id)
{
    utet_dataset *dataset = &check->priv.dataset;
    const uint64_t *from = passes_entry(check, id - check->priv.table.first);

    if (dataset->id == id)
        return UTET_OK;
    if (check->priv.table.kept != NULL && id - check->priv.table.first < check->priv.table.count) {
        *dataset = check->priv.table.kept[id];
        return UTET_OK;
    }
    dataset->id = id - 1;
    dataset->priv.next = from[PASSES_RECORD];
    dataset->priv.next_row = from[FIRST_ROW];
    return utet_dataset_step(check->priv.file, dataset);
}

/* An empty table that begins with dataset priv.dataset_id, the next one. */
UTET_APART static void begin_table(utet_check *check)
{
    const utet_file *file = check->priv.file;
    uint64_t *memory;
    size_t *words = &check->priv.table.words;

    utet_check_borrow(check);
    memory = utet_check_memory(check, words);
    check->priv.table.kept = NULL;
    if (file->dataset_count <= *words / KEPT_WORDS && file->row_count <= *words) {
        *words -= (size_t)file->dataset_count * DATASET_WORDS;
        check->priv.table.kept = (utet_dataset *)(void *)(memory + *words);
    }
    check->priv.table.row_waits = 0;
    check->priv.table.first = check->priv.dataset_id;
    check->priv.table.count = 0;
    if (check->priv.table.first == 0) {
        check->priv.table.next_record = UTET_RECORDS_OFFSET;
        check->priv.table.next_row = 0;
    }
    check->priv.row = 0;
}

/* One more dataset into the table. */
static utet_status add_entry(utet_check *check)
{
    const uint32_t id = check->priv.table.first + check->priv.table.count;
    uint64_t *to = passes_entry(check, check->priv.table.count);
    utet_status status;

    to[PASSES_RECORD] = check->priv.table.next_record;
    to[FIRST_ROW] = check->priv.table.next_row;
    status = passes_load(check, id);
    if (status != UTET_OK)
        return status;
    if (check->priv.table.kept != NULL)
        check->priv.table.kept[id] = check->priv.dataset;
    to[ROWS] = 0;
    to[BYTES] = 0;
    to[WRONG_ROW] = UTET_CHECK_NO_ROW;
    check->priv.table.next_record = check->priv.dataset.priv.next;
    check->priv.table.next_row = check->priv.dataset.priv.next_row;
    check->priv.table.count++;
    return UTET_OK;
}

static int all_datasets(const utet_check *check)
{
    return check->priv.table.first + check->priv.table.count == check->priv.file->dataset_count;
}

/* ---- rows ---- */

utet_status utet_check_next_row(utet_check *check)
{
    utet_status status;

    if (check->priv.row == check->priv.file->row_count)
        return UTET_END;
    status = utet_row_load(check->priv.file, check->priv.row, &check->priv.chunk);
    if (status == UTET_OK)
        check->priv.row++;
    return status;
}

/* The next row of a dataset in the table; its record is in priv.dataset then. */
static utet_status next_row_in_table(utet_check *check)
{
    const utet_chunk *chunk = &check->priv.chunk;
    utet_status status;

    while (!check->priv.table.row_waits) {
        status = utet_check_next_row(check);
        if (status != UTET_OK)
            return status;
        if (chunk->dataset_id - check->priv.table.first < check->priv.table.count)
            check->priv.table.row_waits = 1;
    }
    status = passes_load(check, (uint32_t)chunk->dataset_id);
    if (status == UTET_OK)
        check->priv.table.row_waits = 0;
    return status;
}

/* ---- rows and bytes of each dataset ---- */

/* A row outside the grid counts as a tile of 0 bytes, as in the reference. A dataset that cannot
 * have tiles is refused elsewhere. */
static void count_row(utet_check *check)
{
    const utet_chunk *chunk = &check->priv.chunk;
    uint64_t *to = passes_entry(check, chunk->dataset_id - check->priv.table.first);
    struct utet_tile tile;

    if (utet_tile_locate(check->priv.file, &check->priv.dataset, chunk->coords, &tile) != UTET_OK)
        tile.bytes = 0;
    to[ROWS]++;
    to[BYTES] = utet_add(to[BYTES], tile.bytes);
    if (tile.bytes != chunk->raw_byte_len && to[WRONG_ROW] == UTET_CHECK_NO_ROW)
        to[WRONG_ROW] = chunk->row;
}

utet_status utet_check_count(utet_check *check)
{
    uint8_t *step = &check->priv.in.tensors.step;
    utet_status status;

    switch (*step) {
    case PASS_BEGIN:
        begin_table(check);
        *step = PASS_FILL_TABLE;
        return UTET_CHECK_AGAIN;
    case PASS_FILL_TABLE:
        if (check->priv.table.count < check->priv.table.words / ENTRY_WORDS && !all_datasets(check)) {
            status = add_entry(check);
            return status == UTET_OK ? UTET_CHECK_AGAIN : status;
        }
        *step = PASS_GO_OVER_ROWS;
        return UTET_CHECK_AGAIN;
    default:
        while ((status = next_row_in_table(check)) == UTET_OK)
            count_row(check);
        if (status != UTET_END)
            return status;
        *step = PASS_BEGIN;
        return UTET_OK;
    }
}

utet_status utet_check_counted(utet_check *check, utet_finding *finding)
{
    const utet_dataset *dataset = &check->priv.dataset;
    const uint64_t *from = passes_entry(check, check->priv.dataset_id - check->priv.table.first);
    utet_status status = passes_load(check, check->priv.dataset_id);
    uint64_t tiles = 1;
    uint64_t bytes;
    unsigned d;

    if (status != UTET_OK)
        return status;
    for (d = 0; d < dataset->ndim; d++)
        tiles = utet_mul(tiles, dataset->grid[d]);
    finding->offset = from[PASSES_RECORD];
    finding->status = utet_check_size(dataset, &bytes);
    if (finding->status != UTET_OK)
        return UTET_OK;
    if (from[ROWS] < tiles) {
        finding->status = UTET_E_MISSING;
    } else if (from[ROWS] > tiles || from[WRONG_ROW] != UTET_CHECK_NO_ROW || from[BYTES] != bytes) {
        finding->status = UTET_E_ROW;
        if (from[ROWS] == tiles)
            finding->row = from[WRONG_ROW];
        if (finding->row != UTET_CHECK_NO_ROW)
            finding->offset = utet_row_offset(check->priv.file, finding->row) + UTET_ROW_RAW;
    }
    return UTET_OK;
}

/* ---- equal coordinates: a bit for each chunk from `low` to `high` ---- */

/* Fills half of the memory with datasets, as many as the bits in the other half cover. */
static utet_status fill_for_bits(utet_check *check)
{
    size_t words = check->priv.table.words;
    uint64_t *bits = passes_entry(check, 0);
    size_t most = words / 2 / ENTRY_WORDS > 1 ? words / 2 / ENTRY_WORDS : 1;

    words -= most * ENTRY_WORDS;
    check->priv.in.coords.high = utet_add(check->priv.in.coords.low, utet_mul(words, 64));
    while (check->priv.table.count < most && !all_datasets(check) &&
           (check->priv.table.count == 0 || check->priv.table.next_row < check->priv.in.coords.high)) {
        utet_status status = add_entry(check);

        if (status != UTET_OK)
            return status;
    }
    if (check->priv.in.coords.high > check->priv.table.next_row)
        check->priv.in.coords.high = check->priv.table.next_row;
    check->priv.in.coords.bits = most * ENTRY_WORDS; /* where the bits begin */
    memset(bits + check->priv.in.coords.bits, 0, 8 * words);
    return UTET_OK;
}

/* Sets the bit of the chunk whose row is predicted at `chunk`. Returns whether it was set before. */
static int passes_seen(utet_check *check, uint64_t chunk)
{
    size_t words;
    uint8_t *bits = (uint8_t *)(utet_check_memory(check, &words) + check->priv.in.coords.bits);
    uint64_t place = chunk - check->priv.in.coords.low;
    unsigned mask = 1u << (place & 7);
    int was;

    if (chunk < check->priv.in.coords.low || chunk >= check->priv.in.coords.high)
        return 0;
    bits += (size_t)(place / 8);
    was = (*bits & mask) != 0;
    *bits = (uint8_t)(*bits | mask);
    return was;
}

/* The row in priv.chunk is a chunk that was there before. The reference calls that an error
 * when an earlier row has all eight coordinates in common with it (§10). */
static utet_status search_twin(utet_check *check, utet_finding *finding)
{
    const utet_chunk *chunk = &check->priv.chunk;
    utet_file *file = check->priv.file;

    for (; check->priv.in.coords.scan < chunk->row; check->priv.in.coords.scan++) {
        utet_status status = utet_row_fetch(file, check->priv.in.coords.scan);
        unsigned d = 0;

        if (status != UTET_OK)
            return status;
        if (utet_le64(file->priv.at) != chunk->dataset_id)
            continue;
        while (d < UTET_MAX_NDIM && utet_le64(file->priv.at + UTET_ROW_COORDS + 8 * d) == chunk->coords[d])
            d++;
        if (d == UTET_MAX_NDIM) {
            finding->row = chunk->row;
            return UTET_OK;
        }
    }
    if ((check->priv.flags & FLAG_TWIN) == 0)
        check->priv.twin = chunk->row;
    check->priv.flags |= FLAG_TWIN;
    if (++check->priv.doubts == DOUBTS)
        finding->row = chunk->row;
    check->priv.in.coords.step = PASS_GO_OVER_ROWS;
    return UTET_OK;
}

static utet_status mark_rows(utet_check *check, utet_finding *finding)
{
    for (;;) {
        utet_status status;

        if (check->priv.in.coords.step != PASS_SEARCH) {
            struct utet_tile tile;

            status = next_row_in_table(check);
            if (status != UTET_OK)
                return status;
            if (utet_tile_locate(check->priv.file, &check->priv.dataset, check->priv.chunk.coords, &tile) != UTET_OK ||
                !passes_seen(check, tile.row))
                continue;
            check->priv.in.coords.scan = 0;
            check->priv.in.coords.step = PASS_SEARCH;
        }
        status = search_twin(check, finding);
        if (status != UTET_OK || finding->row != UTET_CHECK_NO_ROW)
            return status;
    }
}

/* Continues with the chunks after those that the bits cover. A dataset that they cover only in part comes again.
 * `low` never falls, even when the medium now gives a dataset fewer chunks than before. */
static void end_of_bits(utet_check *check)
{
    uint64_t high = check->priv.in.coords.high;

    if (check->priv.in.coords.low < high)
        check->priv.in.coords.low = high;
    check->priv.dataset_id = check->priv.table.first + check->priv.table.count;
    if (high < check->priv.table.next_row) {
        const uint64_t *last = passes_entry(check, check->priv.table.count - 1);

        check->priv.table.next_record = last[PASSES_RECORD];
        check->priv.table.next_row = last[FIRST_ROW];
        check->priv.dataset_id--;
    }
    check->priv.in.coords.step = PASS_BEGIN;
}

utet_status utet_check_coords(utet_check *check, utet_finding *finding)
{
    utet_status status;

    if (check->priv.in.coords.low >= check->priv.file->row_count ||
        check->priv.dataset_id >= check->priv.file->dataset_count)
        return UTET_OK;
    switch (check->priv.in.coords.step) {
    case PASS_BEGIN:
        begin_table(check);
        check->priv.in.coords.step = PASS_FILL_TABLE;
        return UTET_CHECK_AGAIN;
    case PASS_FILL_TABLE:
        status = fill_for_bits(check);
        if (status != UTET_OK)
            return status;
        check->priv.in.coords.step = PASS_GO_OVER_ROWS;
        return UTET_CHECK_AGAIN;
    default:
        status = mark_rows(check, finding);
        if (status != UTET_END)
            return status;
        end_of_bits(check);
        return UTET_CHECK_AGAIN;
    }
}
