/*
 * The passes over rows that a file needs whose rows are not in canonical order, or whose
 * payloads are not in increasing order. Each pass covers as much as the workspace behind
 * the window holds: datasets to count the rows of, payload offsets, a bit for each chunk.
 * Without such room the object's own few words serve, at the price of many passes.
 */
#include "check.h"

#include <string.h>

/* priv_step. A row is in priv_chunk from STEP_RECORD on. */
enum { STEP_BEGIN, STEP_FILL, STEP_ROWS, STEP_RECORD, STEP_SEARCH };

/* Words of a table entry: the record's offset, the predicted row of its first chunk, and
 * what has been counted: rows, bytes of their tiles, the first row of a wrong length. */
enum { RECORD, FIRST_ROW, ROWS, BYTES, WRONG_ROW, ENTRY_WORDS };

#define PAIR_WORDS 2u /* of the heap: payload offset, its end */

/* After so many doubtful rows a search for an exact twin is not worth its passes: the file
 * has the same chunk again and again. */
#define DOUBTS 16u

/* ---- memory ---- */

/* Takes the workspace behind the window, if there is any; changes nothing when repeated. */
static void borrow(utet_check *check)
{
    utet_file *file = check->priv_file;
    const utet_need need = {0, utet_add(utet_mul(file->row_count, 8u * PAIR_WORDS),
                                        utet_mul(file->dataset_count, 8u * ENTRY_WORDS))};

    if ((check->priv_flags & FLAG_LENT) == 0 && utet_lend(file, check, &need) == UTET_OK)
        check->priv_flags |= FLAG_LENT;
}

static uint64_t *memory(utet_check *check, size_t *words)
{
    utet_file *file = check->priv_file;

    *words = file->priv_lent / 8;
    if ((check->priv_flags & FLAG_LENT) != 0 && file->priv_lent > sizeof check->priv_own)
        return (uint64_t *)(void *)(file->priv_work + file->priv_window); /* a multiple of 8 */
    *words = sizeof check->priv_own / 8;
    return check->priv_own;
}

/* ---- the table of datasets ---- */

static uint64_t *entry(utet_check *check, uint64_t number)
{
    size_t words;

    return memory(check, &words) + ENTRY_WORDS * (size_t)number;
}

/* Dataset `id`, whose record and first row are known, into priv_dataset. */
static utet_status load(utet_check *check, uint32_t id, uint64_t record, uint64_t first_row)
{
    utet_dataset *dataset = &check->priv_dataset;

    if (dataset->id == id)
        return UTET_OK;
    dataset->id = id - 1;
    dataset->priv_next = record;
    dataset->priv_next_row = first_row;
    return utet_dataset_step(check->priv_file, dataset);
}

/* An empty table that begins with dataset priv_dataset_id; the record is in priv_next. */
static void begin_table(utet_check *check)
{
    borrow(check);
    check->priv_first = check->priv_dataset_id;
    check->priv_count = 0;
    if (check->priv_first == 0) {
        check->priv_next[0] = UTET_RECORDS_OFFSET;
        check->priv_next[1] = 0;
    }
    check->priv_step = STEP_FILL;
}

/* One more dataset into the table. */
static utet_status add_entry(utet_check *check)
{
    uint64_t *next = check->priv_next;
    utet_status status = load(check, check->priv_first + check->priv_count, next[0], next[1]);
    uint64_t *to;

    if (status != UTET_OK)
        return status;
    to = entry(check, check->priv_count);
    to[RECORD] = next[0];
    to[FIRST_ROW] = next[1];
    to[ROWS] = 0;
    to[BYTES] = 0;
    to[WRONG_ROW] = UTET_CHECK_NO_ROW;
    next[0] = check->priv_dataset.priv_next;
    next[1] = check->priv_dataset.priv_next_row;
    check->priv_count++;
    return UTET_OK;
}

static int all_datasets(const utet_check *check)
{
    return check->priv_first + check->priv_count == check->priv_file->dataset_count;
}

/* ---- rows ---- */

static void begin_rows(utet_check *check)
{
    check->priv_row = 0;
    check->priv_step = STEP_ROWS;
}

/* The next row into priv_chunk; UTET_END. */
static utet_status next_row(utet_check *check)
{
    utet_status status;

    if (check->priv_row == check->priv_file->row_count)
        return UTET_END;
    status = utet_row_load(check->priv_file, check->priv_row, &check->priv_chunk);
    if (status == UTET_OK)
        check->priv_row++;
    return status;
}

/* The next row of a dataset in the table; its record is in priv_dataset then. */
static utet_status next_row_in_table(utet_check *check)
{
    const utet_chunk *chunk = &check->priv_chunk;
    const uint64_t *from;
    utet_status status;

    while (check->priv_step == STEP_ROWS) {
        status = next_row(check);
        if (status != UTET_OK)
            return status;
        if (chunk->dataset_id - check->priv_first < check->priv_count)
            check->priv_step = STEP_RECORD;
    }
    from = entry(check, chunk->dataset_id - check->priv_first);
    status = load(check, (uint32_t)chunk->dataset_id, from[RECORD], from[FIRST_ROW]);
    if (status == UTET_OK)
        check->priv_step = STEP_ROWS;
    return status;
}

/* ---- rows and bytes of each dataset ---- */

/* The tile of a row outside the grid has no bytes, as in the reference. Where there are no
 * tiles at all, the dataset is refused for that. */
static void count_row(utet_check *check)
{
    const utet_chunk *chunk = &check->priv_chunk;
    uint64_t *to = entry(check, chunk->dataset_id - check->priv_first);
    utet_status status =
        utet_tile_locate(check->priv_file, &check->priv_dataset, chunk->coords);
    uint64_t bytes = 0;

    if (status == UTET_OK)
        bytes = check->priv_file->priv_cursor[UTET_TILE_BYTES];
    to[ROWS]++;
    to[BYTES] = utet_add(to[BYTES], bytes);
    if (bytes != chunk->raw_byte_len && to[WRONG_ROW] == UTET_CHECK_NO_ROW)
        to[WRONG_ROW] = chunk->row;
}

utet_status utet_check_count(utet_check *check)
{
    utet_status status;
    size_t words;

    if (check->priv_step == STEP_BEGIN)
        begin_table(check);
    if (check->priv_step == STEP_FILL) {
        (void)memory(check, &words);
        while (check->priv_count < words / ENTRY_WORDS && !all_datasets(check)) {
            status = add_entry(check);
            if (status != UTET_OK)
                return status;
        }
        begin_rows(check);
    }
    for (;;) {
        status = next_row_in_table(check);
        if (status != UTET_OK)
            break;
        count_row(check);
    }
    if (status != UTET_END)
        return status;
    check->priv_step = STEP_BEGIN;
    return UTET_OK;
}

utet_status utet_check_counted(utet_check *check, utet_finding *finding)
{
    const utet_dataset *dataset = &check->priv_dataset;
    const uint64_t *from = entry(check, check->priv_dataset_id - check->priv_first);
    utet_status status = load(check, check->priv_dataset_id, from[RECORD], from[FIRST_ROW]);
    uint64_t tiles = 1;
    uint64_t bytes;
    unsigned d;

    if (status != UTET_OK)
        return status;
    for (d = 0; d < dataset->ndim; d++)
        tiles = utet_mul(tiles, dataset->grid[d]);
    finding->offset = from[RECORD];
    finding->status = utet_check_size(dataset, &bytes);
    if (finding->status != UTET_OK)
        return UTET_OK;
    if (from[ROWS] < tiles) {
        finding->status = UTET_E_MISSING;
    } else if (from[ROWS] > tiles || from[WRONG_ROW] != UTET_CHECK_NO_ROW ||
               from[BYTES] != bytes) {
        finding->status = UTET_E_ROW;
        if (from[ROWS] == tiles)
            finding->row = from[WRONG_ROW];
        if (finding->row != UTET_CHECK_NO_ROW)
            finding->offset = utet_row_offset(check->priv_file, finding->row) + UTET_ROW_RAW;
    }
    return UTET_OK;
}

/* ---- equal offsets: each pass keeps the least ones from priv_low on ---- */

/* Restores the heap (largest offset first) of `used` pairs below place `at`. */
static void sift_down(uint64_t *heap, size_t used, size_t at)
{
    uint64_t offset = heap[PAIR_WORDS * at];
    uint64_t end = heap[PAIR_WORDS * at + 1];

    for (;;) {
        size_t child = 2 * at + 1;

        if (child >= used)
            break;
        if (child + 1 < used && heap[PAIR_WORDS * (child + 1)] > heap[PAIR_WORDS * child])
            child++;
        if (heap[PAIR_WORDS * child] <= offset)
            break;
        heap[PAIR_WORDS * at] = heap[PAIR_WORDS * child];
        heap[PAIR_WORDS * at + 1] = heap[PAIR_WORDS * child + 1];
        at = child;
    }
    heap[PAIR_WORDS * at] = offset;
    heap[PAIR_WORDS * at + 1] = end;
}

/* The place that a pair with this offset takes in a heap of `used` pairs before it. */
static size_t sift_up(uint64_t *heap, size_t used, uint64_t offset)
{
    while (used != 0) {
        size_t parent = (used - 1) / 2;

        if (heap[PAIR_WORDS * parent] >= offset)
            break;
        heap[PAIR_WORDS * used] = heap[PAIR_WORDS * parent];
        heap[PAIR_WORDS * used + 1] = heap[PAIR_WORDS * parent + 1];
        used = parent;
    }
    return used;
}

/* priv_last: the least offset known to be there twice; priv_high: something was left out. */
static void note_twice(utet_check *check, uint64_t offset)
{
    if (offset < check->priv_last)
        check->priv_last = offset;
}

static void gather(utet_check *check)
{
    uint64_t offset = check->priv_chunk.payload_offset;
    uint64_t end = utet_add(offset, check->priv_chunk.stored_byte_len);
    size_t words;
    uint64_t *heap = memory(check, &words);
    uint64_t largest = heap[0];
    size_t at = 0;

    if (offset < check->priv_low)
        return;
    if (check->priv_used < words / PAIR_WORDS) {
        at = sift_up(heap, check->priv_used, offset);
        check->priv_used++;
        heap[PAIR_WORDS * at] = offset;
        heap[PAIR_WORDS * at + 1] = end;
        return;
    }
    /* Of equal ones that do not all stay, the fact stays. */
    check->priv_high = 1;
    if (offset > largest)
        return;
    heap[0] = offset;
    heap[1] = end;
    sift_down(heap, check->priv_used, 0);
    if (heap[0] == largest)
        note_twice(check, largest);
}

/* Sorts what was gathered and looks at neighbours: where any two overlap, two neighbours
 * do. Is an offset of this pass there twice? (One beyond it waits for its own pass, so that
 * the least is found whatever the memory.) */
static int neighbours(utet_check *check)
{
    size_t words;
    uint64_t *heap = memory(check, &words);
    uint64_t largest = heap[0];
    size_t left;
    size_t i;

    for (left = check->priv_used; left > 1; left--) {
        uint64_t offset = heap[PAIR_WORDS * (left - 1)];
        uint64_t end = heap[PAIR_WORDS * (left - 1) + 1];

        heap[PAIR_WORDS * (left - 1)] = heap[0];
        heap[PAIR_WORDS * (left - 1) + 1] = heap[1];
        heap[0] = offset;
        heap[1] = end;
        sift_down(heap, left - 1, 0);
    }
    for (i = 0; i < check->priv_used; i++) {
        uint64_t offset = heap[PAIR_WORDS * i];

        if (i != 0 && offset == heap[PAIR_WORDS * (i - 1)])
            note_twice(check, offset);
        else if (offset < check->priv_end)
            utet_check_overlap(check, offset);
        check->priv_end = heap[PAIR_WORDS * i + 1];
    }
    check->priv_low = utet_add(largest, 1);
    return check->priv_last <= largest;
}

utet_status utet_check_offsets(utet_check *check, utet_finding *finding)
{
    utet_status status;

    if (check->priv_step == STEP_BEGIN) {
        borrow(check);
        if (check->priv_low == 0)
            check->priv_end = 0;
        check->priv_last = UINT64_MAX;
        check->priv_high = 0;
        check->priv_used = 0;
        begin_rows(check);
    }
    for (;;) {
        status = next_row(check);
        if (status != UTET_OK)
            break;
        if (check->priv_step == STEP_ROWS) {
            gather(check);
        } else if (check->priv_chunk.payload_offset == check->priv_last &&
                   ++check->priv_used == 2) {
            finding->row = check->priv_chunk.row;
            return UTET_OK;
        }
    }
    if (status != UTET_END)
        return status;
    if (check->priv_step == STEP_ROWS && neighbours(check)) {
        begin_rows(check);
        check->priv_used = 0;
        check->priv_step = STEP_SEARCH; /* for the second row with that offset */
        return UTET_CHECK_AGAIN;
    }
    check->priv_step = STEP_BEGIN;
    return check->priv_high != 0 ? UTET_CHECK_AGAIN : UTET_OK;
}

/* ---- equal coordinates: a bit for each chunk from priv_low to priv_high ---- */

/* Datasets in a half of the memory, as far as the bits in the other half go. */
static utet_status fill_for_bits(utet_check *check)
{
    size_t words;
    uint64_t *bits = memory(check, &words);
    size_t most = words / 2 / ENTRY_WORDS > 1 ? words / 2 / ENTRY_WORDS : 1;

    words -= most * ENTRY_WORDS;
    check->priv_high = utet_add(check->priv_low, utet_mul(words, 64));
    while (check->priv_count < most && !all_datasets(check) &&
           (check->priv_count == 0 || check->priv_next[1] < check->priv_high)) {
        utet_status status = add_entry(check);

        if (status != UTET_OK)
            return status;
    }
    if (check->priv_high > check->priv_next[1])
        check->priv_high = check->priv_next[1];
    check->priv_used = most * ENTRY_WORDS; /* where the bits begin */
    memset(bits + check->priv_used, 0, 8 * words);
    begin_rows(check);
    return UTET_OK;
}

/* Sets the bit of the row's chunk; was it set already? */
static int seen(utet_check *check)
{
    size_t words;
    uint8_t *bits = (uint8_t *)(memory(check, &words) + check->priv_used);
    uint64_t chunk = check->priv_file->priv_cursor[UTET_TILE_ROW];
    uint64_t place = chunk - check->priv_low;
    unsigned mask = 1u << (place & 7);
    int was;

    if (chunk < check->priv_low || chunk >= check->priv_high)
        return 0;
    bits += (size_t)(place / 8);
    was = (*bits & mask) != 0;
    *bits = (uint8_t)(*bits | mask);
    return was;
}

/* The row in priv_chunk is a chunk that was there before. The reference calls that an error
 * when an earlier row has all eight coordinates in common with it (§10). */
static utet_status search_twin(utet_check *check, utet_finding *finding)
{
    const utet_chunk *chunk = &check->priv_chunk;
    utet_file *file = check->priv_file;

    for (; check->priv_scan < chunk->row; check->priv_scan++) {
        utet_status status = utet_row_need(file, check->priv_scan);
        unsigned d = 0;

        if (status != UTET_OK)
            return status;
        if (utet_le64(file->priv_at) != chunk->dataset_id)
            continue;
        while (d < UTET_MAX_NDIM &&
               utet_le64(file->priv_at + UTET_ROW_COORDS + 8 * d) == chunk->coords[d])
            d++;
        if (d == UTET_MAX_NDIM) {
            finding->row = chunk->row;
            return UTET_OK;
        }
    }
    if ((check->priv_flags & FLAG_TWIN) == 0)
        check->priv_twin = chunk->row;
    check->priv_flags |= FLAG_TWIN;
    if (++check->priv_doubts == DOUBTS)
        finding->row = chunk->row;
    check->priv_step = STEP_ROWS;
    return UTET_OK;
}

static utet_status mark_rows(utet_check *check, utet_finding *finding)
{
    utet_file *file = check->priv_file;

    for (;;) {
        utet_status status;

        if (check->priv_step != STEP_SEARCH) {
            status = next_row_in_table(check);
            if (status != UTET_OK)
                return status;
            if (utet_tile_locate(file, &check->priv_dataset, check->priv_chunk.coords) !=
                    UTET_OK ||
                !seen(check))
                continue;
            check->priv_scan = 0;
            check->priv_step = STEP_SEARCH;
        }
        status = search_twin(check, finding);
        if (status != UTET_OK || finding->row != UTET_CHECK_NO_ROW)
            return status;
    }
}

utet_status utet_check_coords(utet_check *check, utet_finding *finding)
{
    utet_status status;

    if (check->priv_low >= check->priv_file->row_count ||
        check->priv_dataset_id >= check->priv_file->dataset_count)
        return UTET_OK;
    if (check->priv_step == STEP_BEGIN)
        begin_table(check);
    if (check->priv_step == STEP_FILL) {
        status = fill_for_bits(check);
        if (status != UTET_OK)
            return status;
    }
    status = mark_rows(check, finding);
    if (status != UTET_END)
        return status;
    /* The dataset in which the bits ended comes again, unless they ended with it. */
    check->priv_low = check->priv_high;
    check->priv_dataset_id = check->priv_first + check->priv_count;
    if (check->priv_high < check->priv_next[1]) {
        const uint64_t *last = entry(check, check->priv_count - 1);

        check->priv_next[0] = last[RECORD];
        check->priv_next[1] = last[FIRST_ROW];
        check->priv_dataset_id--;
    }
    check->priv_step = STEP_BEGIN;
    return UTET_CHECK_AGAIN;
}
