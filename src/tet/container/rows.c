/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Finds the row of a tile in files whose rows are in any order. A search notes the index of each row that it passes
 * in memory that the caller has provided, so that no row is read twice for it. The answers are those of utet_row_find
 * without that memory: the predicted row, else the first one (FORMAT.md §4). Relies on utet_row_find to come here
 * when the memory has been provided. With lists (utet_rows_lists) each row that a search reads is noted in the list
 * of its own dataset, whose searches then begin with it. */
#include "container.h"

#include <string.h>

/* The number of a chunk of the dataset, row-major; UINT64_MAX outside of the grid. */
static uint64_t chunk_number(const utet_dataset *dataset, const uint64_t *coords)
{
    uint64_t number = 0;
    unsigned d;

    for (d = 0; d < dataset->ndim; d++) {
        if (coords[d] >= dataset->grid[d])
            return UINT64_MAX;
        number = utet_add(utet_mul(number, dataset->grid[d]), coords[d]);
    }
    return number;
}

/* Lists are rings: for each dataset the last row and 1, 0 when there is none; for each row the next one, after the
 * last the first. Appends a row, the first that is in no list. */
static void rows_append(utet_rows *all, uint32_t row, uint64_t dataset)
{
    uint32_t last;

    all->priv.listed = row + 1;
    if (dataset >= all->priv.datasets)
        return;
    last = all->priv.lists[dataset];
    all->priv.lists[dataset] = row + 1;
    all->priv.next[row] = row;
    if (last != 0) {
        all->priv.next[row] = all->priv.next[last - 1u];
        all->priv.next[last - 1u] = row;
    }
}

/* The first row that may be one of the dataset's and has not been looked at. */
static uint64_t next_to_learn(const utet_rows *all)
{
    uint32_t last;
    uint32_t from;

    if (all->priv.lists == NULL)
        return all->priv.learned;
    last = all->priv.lists[all->priv.dataset];
    from = all->priv.seen != 0 ? all->priv.seen : last;
    if (from == 0 || last == all->priv.seen)
        return all->priv.listed;
    return all->priv.next[from - 1u];
}

/* Notes row number `row`, whose bytes are at priv.at, if it belongs to the dataset. If a chunk has several rows, the
 * predicted one is kept, otherwise the first. */
static void rows_learn(utet_file *file, const utet_dataset *dataset, uint64_t row)
{
    utet_rows *const all = file->priv.rows;
    uint64_t coords[UTET_MAX_NDIM];
    uint64_t number;
    unsigned d;

    all->priv.learned = row + 1;
    if (all->priv.lists != NULL && row == all->priv.listed)
        rows_append(all, (uint32_t)row, utet_le64(file->priv.at + UTET_ROW_DATASET));
    else
        all->priv.seen = (uint32_t)row + 1; /* rows of the list that have been seen */
    if (utet_le64(file->priv.at + UTET_ROW_DATASET) != dataset->id)
        return;
    all->priv.seen = (uint32_t)row + 1;
    for (d = 0; d < dataset->ndim; d++)
        coords[d] = utet_le64(file->priv.at + UTET_ROW_COORDS + 8 * d);
    number = chunk_number(dataset, coords);
    if (number < all->priv.count && (all->priv.row_of[number] == 0 || utet_add(dataset->priv.first_row, number) == row))
        all->priv.row_of[number] = (uint32_t)row + 1;
}

/* priv.step: the current try */
enum { ROWS_BEGIN, ROWS_PREDICTED, ROWS_KNOWN, ROWS_SEARCH, ROWS_ALL };

/* Chooses the next row to look at. Returns OK, or E_MISSING when there is none left. */
static utet_status rows_next_place(utet_file *file, const utet_dataset *dataset, const uint64_t *coords)
{
    const utet_rows *const all = file->priv.rows;
    const uint64_t number = chunk_number(dataset, coords);
    uint8_t *const step = &file->priv.step;
    uint64_t *const row = &file->priv.call.lookup.row;

    if (dataset->id != all->priv.dataset || number >= all->priv.count) { /* not the dataset that the memory is for */
        *row = *step == ROWS_BEGIN ? file->priv.call.lookup.tile.row : *step == ROWS_PREDICTED ? 0 : *row + 1;
        *step = *step == ROWS_BEGIN ? ROWS_PREDICTED : ROWS_ALL;
        return *step == ROWS_ALL && *row >= file->row_count ? UTET_E_MISSING : UTET_OK;
    }
    *row = file->priv.call.lookup.tile.row;
    if (*step == ROWS_BEGIN && *row >= all->priv.learned) {
        *step = ROWS_PREDICTED;
        return UTET_OK;
    }
    if (*step <= ROWS_PREDICTED && all->priv.row_of[number] != 0) {
        *row = all->priv.row_of[number] - 1u;
        *step = ROWS_KNOWN;
        return UTET_OK;
    }
    *row = next_to_learn(all);
    *step = ROWS_SEARCH;
    return *row < file->row_count ? UTET_OK : UTET_E_MISSING;
}

static utet_status find_row(utet_file *file, const utet_dataset *dataset, const uint64_t *coords, utet_chunk *chunk)
{
    utet_status status;

    if (file->priv.step == ROWS_BEGIN) {
        status = utet_tile_locate(file, dataset, coords, &file->priv.call.lookup.tile);
        if (status == UTET_OK)
            status = rows_next_place(file, dataset, coords);
        if (status != UTET_OK)
            return status;
    }
    for (;;) {
        const uint64_t row = file->priv.call.lookup.row;

        if (row < file->row_count) {
            status = utet_row_fetch(file, row);
            if (status != UTET_OK)
                return status;
            if (file->priv.step == ROWS_SEARCH)
                rows_learn(file, dataset, row);
            status = utet_row_take(file, dataset, coords, chunk);
            if (status != UTET_END)
                return status;
        }
        status = rows_next_place(file, dataset, coords);
        if (status != UTET_OK)
            return status;
    }
}

utet_status utet_rows_init(utet_rows *rows, utet_file *file, const utet_dataset *dataset, uint32_t *memory,
                           size_t count)
{
    uint64_t chunks = 1;
    unsigned d;

    if (rows == NULL || memory == NULL)
        return UTET_E_ARGUMENT;
    if (file->priv.busy != UTET_CALL_NONE || file->priv.state != UTET_STATE_OPEN)
        return UTET_E_STATE;
    for (d = 0; d < dataset->ndim; d++)
        chunks = utet_mul(chunks, dataset->grid[d]);
    if (chunks > count || file->row_count >= UINT32_MAX)
        return UTET_E_SPACE;
    memset(memory, 0, count * sizeof *memory);
    rows->priv.row_of = memory;
    rows->priv.count = chunks;
    rows->priv.learned = 0;
    rows->priv.seen = 0;
    rows->priv.dataset = dataset->id;
    rows->priv.find = find_row;
    if (file->priv.rows != rows)
        rows->priv.datasets = 0;
    if (dataset->id >= rows->priv.datasets)
        rows->priv.lists = NULL;
    file->priv.rows = rows;
    return UTET_OK;
}

utet_status utet_rows_lists(utet_rows *rows, utet_file *file, uint32_t *memory, size_t count)
{
    if (rows == NULL || memory == NULL)
        return UTET_E_ARGUMENT;
    if (file->priv.busy != UTET_CALL_NONE || file->priv.state != UTET_STATE_OPEN || file->priv.rows != rows ||
        rows->priv.dataset >= file->dataset_count)
        return UTET_E_STATE;
    if (count < file->dataset_count || count - file->dataset_count < file->row_count)
        return UTET_E_SPACE;
    memset(memory, 0, count * sizeof *memory);
    rows->priv.lists = memory;
    rows->priv.next = memory + file->dataset_count;
    rows->priv.datasets = file->dataset_count;
    rows->priv.listed = 0;
    rows->priv.learned = 0;
    rows->priv.seen = 0;
    return UTET_OK;
}
