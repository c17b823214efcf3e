/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The module for .tet files: datasets, chunks, slabs, the footer, elements as text. */
#include "dataset.h"
#include "utet_codec.h"
#include "utet_meta.h"
#include "utet_show.h"

#include <string.h>

const utet_codec *const module_codecs[] = {&utet_codec_zstd_small, NULL};

/* ---- file and datasets ---- */

/* Numbers: datasets, rows, offset and length of the footer, version and status of the footer, the file's budget. */
EXPORT(describe_file) void export_describe_file(void)
{
    const double all[] = {module_file.dataset_count,         (double)module_file.row_count,
                          (double)module_file.index_offset,  (double)module_file.footer_offset,
                          (double)module_file.footer_length, module_file.history_version,
                          module_file.footer_status,         module_file.memory_budget_bytes};

    memcpy(module_numbers, all, sizeof all);
}

/* Numbers: dtype, element size, rank, length of the name, then shape, chunk shape and grid, 8 numbers each. */
EXPORT(describe_dataset) const char *export_describe_dataset(void)
{
    module_numbers[0] = dataset_now.dtype;
    module_numbers[1] = dataset_now.elem_size;
    module_numbers[2] = dataset_now.ndim;
    module_numbers[3] = dataset_now.name_length;
    for (unsigned i = 0; i < UTET_MAX_NDIM; i++) {
        module_numbers[4 + i] = (double)dataset_now.shape[i];
        module_numbers[4 + UTET_MAX_NDIM + i] = (double)dataset_now.chunk_shape[i];
        module_numbers[4 + 2 * UTET_MAX_NDIM + i] = (double)dataset_now.grid[i];
    }
    return utet_show_dtype(dataset_now.dtype);
}

/* Copies a part of the dataset's name, starting at byte `from`, to the text for JavaScript. */
EXPORT(name) int export_name(unsigned from)
{
    const unsigned left = from < dataset_now.name_length ? dataset_now.name_length - from : 0;

    module_got = left < MODULE_TEXT ? left : MODULE_TEXT;
    return utet_dataset_name(&module_file, &dataset_now, from, module_text, module_got);
}

/* ---- chunks ---- */

static utet_chunk chunk;
static utet_need need;
static uint64_t coords[UTET_MAX_NDIM];

EXPORT(coord) void export_coord(unsigned axis, double value)
{
    if (axis < UTET_MAX_NDIM)
        coords[axis] = (uint64_t)value;
}

EXPORT(chunk_find) int export_chunk_find(void)
{
    return utet_chunk_find(&module_file, &dataset_now, coords, &chunk);
}

EXPORT(chunk_need) int export_chunk_need(void)
{
    return utet_chunk_need(&module_file, &chunk, 0, &need);
}

/* Numbers: codec, decoded and stored size, offset of the payload, index of the row, minimum and best memory. */
EXPORT(describe_chunk) void export_describe_chunk(void)
{
    const double all[] = {chunk.codec,
                          (double)chunk.raw_byte_len,
                          (double)chunk.stored_byte_len,
                          (double)chunk.payload_offset,
                          (double)chunk.row,
                          (double)need.least,
                          (double)need.best};

    memcpy(module_numbers, all, sizeof all);
}

/* ---- slabs and elements ---- */

static utet_slab slab;
static utet_run run;
static uint8_t element[8];

EXPORT(slab_open) int export_slab_open(void)
{
    return utet_slab_open(&slab, &module_file, &dataset_now, module_box);
}

EXPORT(slab_next) int export_slab_next(void)
{
    return utet_slab_next(&slab, &run);
}

/* Numbers: minimum and best memory of the slab; of the run: its address, count, stride, and its index in the slab. */
EXPORT(describe_slab) void export_describe_slab(void)
{
    const double all[] = {(double)slab.need.least, (double)slab.need.best, (double)(uintptr_t)run.data,
                          (double)run.count,       (double)run.stride,     (double)run.first};

    memcpy(module_numbers, all, sizeof all);
}

/* Returns the memory in which JavaScript stores an element for `show`. */
EXPORT(element) uint8_t *export_element(void)
{
    return element;
}

/* Writes the element in `element` as text. It does not use the file, so another call may be suspended meanwhile. */
EXPORT(show) int export_show(unsigned dtype)
{
    return utet_show_text(dtype, element, module_text, sizeof module_text, &module_got);
}

/* Returns the element at an address as a number. */
EXPORT(number) double export_number(const uint8_t *at)
{
    double value = 0;

    utet_show_double(dataset_now.dtype, at, &value);
    return value;
}

/* ---- the footer ---- */

/* Slots for values; JavaScript refers to a slot by its number. */
enum { SLOT_HISTORY, SLOT_FILE, SLOT_ATTRIBUTES, SLOT_AXES, SLOT_LABELS, SLOT_KEY, SLOT_ITEM, SLOT_EVENT };
#define SLOTS (SLOT_EVENT + UTET_EVENT_FIELDS)

static utet_meta meta;
static utet_dataset_meta about;
static utet_event event;
static utet_value slot[SLOTS];

EXPORT(meta_open) int export_meta_open(void)
{
    const utet_status status = utet_meta_open(&meta, &module_file);

    if (status == UTET_OK) {
        slot[SLOT_HISTORY] = meta.history;
        slot[SLOT_FILE] = meta.file_info;
    }
    return status;
}

/* Finds attributes and names of axes of the dataset. */
EXPORT(meta_dataset) int export_meta_dataset(void)
{
    const utet_status status = utet_meta_dataset(&meta, &dataset_now, &about);

    slot[SLOT_ATTRIBUTES] = about.attrs;
    slot[SLOT_AXES] = about.dim_names;
    return status;
}

EXPORT(meta_labels) int export_meta_labels(unsigned axis)
{
    return utet_meta_labels(&meta, &about, axis, &slot[SLOT_LABELS]);
}

EXPORT(meta_event) int export_meta_event(void)
{
    const utet_status status = utet_event_next(&meta, &slot[SLOT_HISTORY], &event);

    if (status == UTET_OK)
        memcpy(&slot[SLOT_EVENT], event.field, sizeof event.field);
    return status;
}

/* Reads the next entry of the list or map in a slot, and stores its key and its value in slots. */
EXPORT(meta_next) int export_meta_next(unsigned list)
{
    if (list >= SLOTS)
        return UTET_E_ARGUMENT;
    return utet_value_next(&meta, &slot[list], &slot[SLOT_KEY], &slot[SLOT_ITEM]);
}

/* Copies the next part of the text in a slot. */
EXPORT(meta_text) int export_meta_text(unsigned text)
{
    if (text >= SLOTS)
        return UTET_E_ARGUMENT;
    return utet_text_read(&meta, &slot[text], module_text, sizeof module_text, &module_got);
}
