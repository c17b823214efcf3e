/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading whole datasets and selections through a rig in the ways the suites share: a slab with exactly the memory it
 * says it needs, and single chunks by streams, loads and skips, put together by arithmetic of the test's own.
 */
#ifndef TEST_READER_H
#define TEST_READER_H

#include "rig.h"

typedef struct reader_whole {
    utet_dataset dataset;
    utet_need need;
    uint64_t payload_reads; /* port reads after the slab was opened */
} reader_whole;

/* Dataset number `id` of an open file; fails the case when it is not there. */
utet_dataset reader_dataset(rig *r, uint32_t id, const char *what);
/* Bytes of an element of dataset `id`; opens the file with a workspace of its own and closes it again. */
size_t reader_elem_size(rig *r, uint32_t id);

/*
 * (Re)starts the rig. First with ample memory to learn the need; then with workspace = need.least − 1, which must be
 * refused with UTET_E_BUDGET and that number before the payload is touched; then with exactly need.least, reading
 * `ranges` (null: everything) into `out`, which must be filled exactly. Canaries checked after each.
 */
void reader_slab_exact(rig *r, guard_side side, uint32_t id, const utet_range *ranges, uint8_t *out, size_t size,
                       reader_whole *result, const char *what);

/* Every chunk of dataset `id` of the open file, streamed in slices whose sizes follow `slice`, into the dense array. */
void reader_streams(rig *r, uint32_t id, uint8_t *out, size_t size, size_t slice, const char *what);

/* Reads everything of dataset `id` by a slab and by chunks; the status both end with (they must agree). */
utet_status reader_whole_status(rig *r, uint32_t id, const char *what);

#endif
