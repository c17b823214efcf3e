/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * Opening: superblock, directory, index header, footer tail, budget, in this order (§9).
 * Each step ensures its bytes, then commits and moves priv.step on; a suspended call
 * continues at the step that it had reached.
 */
#include "container.h"

/* priv.step */
enum { SUPERBLOCK, DIRECTORY, RECORD, NAME, INDEX, FOOTER };

/* The superblock (FORMAT.md §2) */
static utet_status open_superblock(utet_file *file)
{
    const utet_io *io = file->priv.io;
    const uint8_t *at;
    utet_status status;

    if (io->size < UTET_SUPERBLOCK_BYTES)
        return UTET_E_SUPERBLOCK;
    status = utet_fetch(file, UTET_SUPERBLOCK_BYTES, 0);
    if (status != UTET_OK)
        return status;
    at = file->priv.at;
    if (utet_le32(at) != 0x52544554u) /* "TETR" */
        return UTET_E_MAGIC;
    if (utet_le32(at + 4) != UTET_LAYOUT_VERSION)
        return UTET_E_VERSION;
    file->dataset_count = utet_le32(at + 8);
    file->flags = utet_le32(at + 12);
    file->index_offset = utet_le64(at + 16);
    file->index_length = utet_le64(at + 24);
    if (utet_add(file->index_offset, file->index_length) > io->size)
        return UTET_E_SUPERBLOCK;
    file->priv.step = file->dataset_count != 0 ? DIRECTORY : FOOTER;
    return UTET_OK;
}

/* §3: the length of the directory, and whether all records fit in it */
static utet_status open_directory(utet_file *file)
{
    uint64_t rest = file->priv.io->size - UTET_RECORDS_OFFSET;
    uint64_t length;
    utet_status status;

    file->error_offset = UTET_SUPERBLOCK_BYTES;
    if (file->priv.io->size < UTET_RECORDS_OFFSET)
        return UTET_E_DIRECTORY;
    status = utet_fetch(file, 8, UTET_SUPERBLOCK_BYTES);
    if (status != UTET_OK)
        return status;
    length = utet_le64(file->priv.at);
    if (length > rest || (uint64_t)file->dataset_count * 32 > length)
        return UTET_E_DIRECTORY;
    file->priv.call.open.directory_end = UTET_RECORDS_OFFSET + length;
    file->priv.call.open.place = UTET_RECORDS_OFFSET;
    file->priv.call.open.records_left = file->dataset_count;
    file->priv.step = RECORD;
    return UTET_OK;
}

static utet_status open_record(utet_file *file)
{
    uint64_t from = file->priv.call.open.place;
    utet_status status;

    if (file->priv.call.open.records_left == 0) {
        file->error_offset = from;
        file->priv.step = INDEX;
        return from == file->priv.call.open.directory_end ? UTET_OK : UTET_E_DIRECTORY;
    }
    status = utet_record_head(file, &file->priv.call.open.directory_end, from);
    if (status != UTET_OK)
        return status;
    file->priv.ndim = file->priv.at[UTET_RECORD_NDIM];
    file->priv.call.open.name_left = utet_le32(file->priv.at + UTET_RECORD_NAME_LENGTH);
    file->priv.call.open.place = from + UTET_RECORD_BYTES;
    file->priv.call.open.records_left--;
    file->priv.step = NAME;
    return UTET_OK;
}

/* §3: a name is UTF-8. It is checked character by character, so it may be longer than the window.
 * The extents after it are checked when they are used. */
static utet_status open_name(utet_file *file)
{
    while (file->priv.call.open.name_left != 0) {
        uint32_t left = file->priv.call.open.name_left;
        size_t some = left < 4 ? (size_t)left : 4;
        utet_status status = utet_fetch(file, some, file->priv.call.open.place);

        if (status != UTET_OK)
            return status;
        some = utet_utf8_length(file->priv.at, some);
        if (some == 0)
            return UTET_E_DATASET;
        file->priv.call.open.place += some;
        file->priv.call.open.name_left = left - (uint32_t)some;
    }
    file->priv.call.open.place = utet_align8(file->priv.call.open.place) + 16u * file->priv.ndim;
    file->priv.step = RECORD;
    return UTET_OK;
}

/* §4: the header; rows are checked when they are used */
static utet_status index_header(utet_file *file)
{
    const uint8_t *at;
    utet_status status;

    file->error_offset = 16;
    if (file->index_offset != utet_align8(file->priv.call.open.directory_end))
        return UTET_E_INDEX;
    if (file->index_length < UTET_INDEX_BYTES)
        return UTET_E_INDEX;
    status = utet_fetch(file, UTET_INDEX_BYTES, file->index_offset);
    if (status != UTET_OK)
        return status;
    at = file->priv.at;
    if (utet_le32(at) != 0x58444954u) /* "TIDX" */
        return UTET_E_INDEX;
    if (utet_le32(at + 4) != 1)
        return UTET_E_INDEX_VERSION;
    file->row_count = utet_le64(at + 8);
    if (utet_mul(file->row_count, UTET_ROW_BYTES) != file->index_length - UTET_INDEX_BYTES)
        return UTET_E_INDEX;
    file->memory_budget_percent_bps = (uint16_t)utet_le32(at + 16);
    file->memory_budget_bytes = utet_le32(at + 20);
    file->priv.step = FOOTER;
    return UTET_OK;
}

/* §6.1, §6.2: the tail, only when the flag says so (D1). footer_status notes a bad one; the
 * tensors can be read all the same. */
static utet_status open_footer(utet_file *file)
{
    uint64_t tail = file->priv.io->size - UTET_TAIL_BYTES;
    const uint8_t *at;
    uint64_t length;
    utet_status status;

    file->footer_offset = file->priv.io->size;
    if ((file->flags & 1) == 0)
        return UTET_OK;
    status = utet_fetch(file, UTET_TAIL_BYTES, tail);
    if (status != UTET_OK)
        return status;
    at = file->priv.at;
    length = utet_le64(at);
    if (utet_le32(at + 12) != 0x54534854u) { /* "THST" */
        if (file->dataset_count != 0)
            file->footer_status = UTET_E_FOOTER;
        return UTET_OK;
    }
    if (utet_le32(at + 8) - 1 > 1) {
        file->footer_status = UTET_E_FOOTER_VERSION;
    } else if (length > tail) {
        file->footer_status = UTET_E_FOOTER;
    } else {
        file->history_version = utet_le32(at + 8);
        file->footer_length = length;
        file->footer_offset = tail - length;
    }
    return UTET_OK;
}

static utet_status file_open_steps(utet_file *file)
{
    utet_status status;

    do {
        switch (file->priv.step) {
        case SUPERBLOCK: status = open_superblock(file); break;
        case DIRECTORY: status = open_directory(file); break;
        case RECORD: status = open_record(file); break;
        case NAME: status = open_name(file); break;
        case INDEX: status = index_header(file); break;
        default: return open_footer(file);
        }
    } while (status == UTET_OK);
    return status;
}

/* The hard limit (§11): the caller's budget, else the file's bytes, else the file's share of the RAM. */
static void set_budget(utet_file *file, const utet_options *options)
{
    size_t ram = 0;
    uint64_t wall = 0;

    if (options != NULL) {
        wall = options->budget;
        ram = options->ram_bytes;
    }
    if (wall == 0)
        wall = file->memory_budget_bytes;
    if (wall == 0)
        wall = utet_div_up((uint64_t)ram * file->memory_budget_percent_bps, 10000);
    if (wall != 0 && wall < file->budget)
        file->budget = (size_t)wall;
    (void)utet_window_alone(file); /* streams and slabs report whether it is enough */
}

utet_status utet_open(utet_file *file, const utet_options *options)
{
    utet_status status;

    if (file->priv.state != UTET_STATE_READY)
        return utet_closed(file);
    status = utet_window_alone(file);
    if (status != UTET_OK)
        return status;
    if (file->priv.busy == UTET_CALL_NONE) {
        file->priv.busy = UTET_CALL_OPEN;
        file->priv.step = SUPERBLOCK;
    }
    status = utet_leave(file, file_open_steps(file));
    if (status == UTET_OK) {
        file->high_water = file->priv.window;
        set_budget(file, options);
        file->priv.state = UTET_STATE_OPEN;
    } else if (UTET_IS_ERROR(status)) {
        file->priv.status = status;
        file->priv.state = UTET_STATE_FAILED;
    }
    return status;
}
