/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Sizes of objects and offsets of their fields in C, for the test in src/lib.rs. A program does not link this. */
#include "utet.h"
#include "utet_meta.h"

#include <stddef.h>

/* clang-format off */
const uint16_t microtet_layout[] = {
    sizeof(utet_io), offsetof(utet_io, map), offsetof(utet_io, step_limit), offsetof(utet_io, line),
    sizeof(utet_file), offsetof(utet_file, priv.io), offsetof(utet_file, priv.owner), offsetof(utet_file, priv.end),
    offsetof(utet_file, budget), offsetof(utet_file, high_water), offsetof(utet_file, error_offset),
    offsetof(utet_file, dataset_count), offsetof(utet_file, needed), offsetof(utet_file, footer_status),
    offsetof(utet_file, memory_budget_percent_bps),
    sizeof(utet_options),
    sizeof(utet_dataset), offsetof(utet_dataset, ndim), offsetof(utet_dataset, dtype),
    offsetof(utet_dataset, name_length), offsetof(utet_dataset, shape), offsetof(utet_dataset, chunk_shape),
    offsetof(utet_dataset, grid),
    sizeof(utet_chunk), offsetof(utet_chunk, coords), offsetof(utet_chunk, raw_byte_len), offsetof(utet_chunk, codec),
    sizeof(utet_stream), offsetof(utet_stream, position),
    sizeof(utet_range), offsetof(utet_range, step),
    sizeof(utet_run), offsetof(utet_run, stride), offsetof(utet_run, first),
    sizeof(utet_slab), offsetof(utet_slab, need), offsetof(utet_slab, priv.stream), offsetof(utet_slab, axis),
    sizeof(utet_value),
    sizeof(utet_dataset_meta), offsetof(utet_dataset_meta, dataset),
    sizeof(utet_meta), offsetof(utet_meta, history), offsetof(utet_meta, file_info),
};
