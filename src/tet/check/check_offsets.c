/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Passes that look for payloads with equal offsets, and for payloads that overlap: each pass keeps
 * the smallest offsets from `low` on, in a heap as large as the memory allows. */
#include "check.h"

/* Restores the heap (largest offset first) of `used` pairs below index `at`. */
static void sift_down(uint64_t *heap, size_t used, size_t at)
{
    uint64_t offset = heap[UTET_PAIR_WORDS * at];
    uint64_t end = heap[UTET_PAIR_WORDS * at + 1];

    for (;;) {
        size_t child = 2 * at + 1;

        if (child >= used)
            break;
        if (child + 1 < used && heap[UTET_PAIR_WORDS * (child + 1)] > heap[UTET_PAIR_WORDS * child])
            child++;
        if (heap[UTET_PAIR_WORDS * child] <= offset)
            break;
        heap[UTET_PAIR_WORDS * at] = heap[UTET_PAIR_WORDS * child];
        heap[UTET_PAIR_WORDS * at + 1] = heap[UTET_PAIR_WORDS * child + 1];
        at = child;
    }
    heap[UTET_PAIR_WORDS * at] = offset;
    heap[UTET_PAIR_WORDS * at + 1] = end;
}

/* The index of a pair with this offset in a heap of `used` pairs before it. */
static size_t sift_up(uint64_t *heap, size_t used, uint64_t offset)
{
    while (used != 0) {
        size_t parent = (used - 1) / 2;

        if (heap[UTET_PAIR_WORDS * parent] >= offset)
            break;
        heap[UTET_PAIR_WORDS * used] = heap[UTET_PAIR_WORDS * parent];
        heap[UTET_PAIR_WORDS * used + 1] = heap[UTET_PAIR_WORDS * parent + 1];
        used = parent;
    }
    return used;
}

static void note_twice(utet_check *check, uint64_t offset)
{
    if (offset < check->priv.in.offsets.twice)
        check->priv.in.offsets.twice = offset;
}

static void offsets_gather(utet_check *check)
{
    uint64_t offset = check->priv.chunk.payload_offset;
    uint64_t end = utet_add(offset, check->priv.chunk.stored_byte_len);
    size_t words;
    uint64_t *heap = utet_check_memory(check, &words);
    uint64_t largest = heap[0];
    size_t at = 0;

    if (offset < check->priv.in.offsets.low)
        return;
    if (check->priv.in.offsets.used < words / UTET_PAIR_WORDS) {
        at = sift_up(heap, check->priv.in.offsets.used, offset);
        check->priv.in.offsets.used++;
        heap[UTET_PAIR_WORDS * at] = offset;
        heap[UTET_PAIR_WORDS * at + 1] = end;
        return;
    }
    /* Equal offsets may not all stay in the heap, so that there are some is noted here. */
    check->priv.in.offsets.more = 1;
    if (offset > largest)
        return;
    heap[0] = offset;
    heap[1] = end;
    sift_down(heap, check->priv.in.offsets.used, 0);
    if (heap[0] == largest)
        note_twice(check, largest);
}

/* Sorts the payloads of this pass and compares neighbours: if any two overlap, two neighbours do.
 * Returns whether an offset of this pass is there twice. One beyond this pass waits for its own, so
 * that the smallest one is found with any amount of memory. */
static int offsets_neighbours(utet_check *check)
{
    size_t words;
    uint64_t *heap = utet_check_memory(check, &words);
    uint64_t largest = heap[0];
    size_t left;
    size_t i;

    for (left = check->priv.in.offsets.used; left > 1; left--) {
        uint64_t offset = heap[UTET_PAIR_WORDS * (left - 1)];
        uint64_t end = heap[UTET_PAIR_WORDS * (left - 1) + 1];

        heap[UTET_PAIR_WORDS * (left - 1)] = heap[0];
        heap[UTET_PAIR_WORDS * (left - 1) + 1] = heap[1];
        heap[0] = offset;
        heap[1] = end;
        sift_down(heap, left - 1, 0);
    }
    for (i = 0; i < check->priv.in.offsets.used; i++) {
        uint64_t offset = heap[UTET_PAIR_WORDS * i];

        if (i != 0 && offset == heap[UTET_PAIR_WORDS * (i - 1)])
            note_twice(check, offset);
        else if (offset < check->priv.in.offsets.end)
            utet_check_overlap(check, offset);
        check->priv.in.offsets.end = heap[UTET_PAIR_WORDS * i + 1];
    }
    check->priv.in.offsets.low = utet_add(largest, 1);
    return check->priv.in.offsets.twice <= largest;
}

/* Is there another pass to come? Each row is covered once. So the passes end even when offsets grow
 * from pass to pass, because the medium does not answer the same twice. */
static int another_pass(utet_check *check)
{
    check->priv.in.offsets.covered = utet_add(check->priv.in.offsets.covered, check->priv.in.offsets.used);
    return check->priv.in.offsets.more && check->priv.in.offsets.covered < check->priv.file->row_count;
}

utet_status utet_check_offsets(utet_check *check, utet_finding *finding)
{
    uint8_t *step = &check->priv.in.offsets.step;
    utet_status status;

    if (*step == PASS_BEGIN) {
        utet_check_borrow(check);
        check->priv.in.offsets.twice = UINT64_MAX;
        check->priv.in.offsets.more = 0;
        check->priv.in.offsets.used = 0;
        check->priv.row = 0;
        *step = PASS_GO_OVER_ROWS;
    }
    for (;;) {
        status = utet_check_next_row(check);
        if (status != UTET_OK)
            break;
        if (*step == PASS_GO_OVER_ROWS) {
            offsets_gather(check);
        } else if (check->priv.chunk.payload_offset == check->priv.in.offsets.twice &&
                   ++check->priv.in.offsets.found == 2) {
            finding->row = check->priv.chunk.row;
            return UTET_OK;
        }
    }
    if (status != UTET_END)
        return status;
    if (*step == PASS_GO_OVER_ROWS && offsets_neighbours(check)) {
        check->priv.in.offsets.found = 0;
        check->priv.row = 0;
        *step = PASS_SEARCH; /* searches for the second row with that offset */
        return UTET_CHECK_AGAIN;
    }
    *step = PASS_BEGIN;
    return another_pass(check) ? UTET_CHECK_AGAIN : UTET_OK;
}
