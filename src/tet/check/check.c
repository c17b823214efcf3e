/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * The order of the findings (§16), and the single pass through directory and rows that is
 * sufficient for a canonical file. Relies on container for rows and records,
 * on passes.c and check_offsets.c for the rest.
 */
#include "check.h"

#include <string.h>

/* Phases; each yields findings until it moves on to the next. */
enum {
    PHASE_SURVEY,
    PHASE_OPENED, /* the four that are true of every open file */
    PHASE_IDS,
    CHECK_PHASE_TENSORS,
    PHASE_OFFSETS,
    PHASE_COORDS,
    PHASE_ORDER,
    PHASE_OVERLAP,
    PHASE_TWIN,
    PHASE_COUNT,
    PHASE_OVER
};

void utet_check_init(utet_check *check, utet_file *file)
{
    memset(check, 0, sizeof *check);
    check->ok = 1;
    check->priv.file = file;
    check->priv.stray = UTET_CHECK_NO_ROW;
    utet_dataset_rewind(&check->priv.dataset);
}

static void enter_phase(utet_check *check, unsigned phase)
{
    check->priv.phase = (uint8_t)phase;
    check->priv.row = 0;
    check->priv.dataset_id = 0;
    memset(&check->priv.in, 0, sizeof check->priv.in);
}

/* A finding; an error if status is one. */
static utet_status check_report(utet_check *check, utet_finding *finding, unsigned id, utet_status status)
{
    finding->check = (uint8_t)id;
    finding->severity = status == UTET_OK ? UTET_SEVERITY_INFO : UTET_SEVERITY_ERROR;
    finding->ok = status == UTET_OK;
    finding->status = status;
    check->ok &= status == UTET_OK;
    return UTET_OK;
}

static utet_status check_warn(utet_finding *finding, unsigned id)
{
    finding->check = (uint8_t)id;
    finding->severity = UTET_SEVERITY_WARNING;
    return UTET_OK;
}

/* ---- the survey: every row once ---- */

utet_status utet_check_size(const utet_dataset *dataset, uint64_t *bytes)
{
    uint64_t count = 1;
    unsigned d;

    if (dataset->elem_size == 0)
        return UTET_UNREADABLE(dataset);
    for (d = 0; d < dataset->ndim; d++) {
        count = utet_mul(count, dataset->shape[d]);
        if (dataset->chunk_shape[d] == 0 || count == UINT64_MAX) /* also when an extent of 0 follows */
            return UTET_E_DATASET;
    }
    *bytes = utet_mul(count, dataset->elem_size);
    return *bytes == UINT64_MAX ? UTET_E_DATASET : UTET_OK;
}

/* Steps on to the dataset that row priv.row should belong to; past the last row, to the end
 * of the directory. UTET_OK also when there is no such dataset. */
static utet_status check_follow(utet_check *check)
{
    utet_dataset *dataset = &check->priv.dataset;

    while ((check->priv.flags & FLAG_DISORDER) == 0 && check->priv.row >= dataset->priv.next_row) {
        uint64_t bytes;
        utet_status status = utet_dataset_step(check->priv.file, dataset);

        if (status != UTET_OK)
            return status == UTET_END ? UTET_OK : status;
        if (utet_check_size(dataset, &bytes) != UTET_OK)
            check->priv.flags |= FLAG_DISORDER;
    }
    return UTET_OK;
}

/* Returns nonzero if the row belongs to the chunk that the canonical order has at its index, with the tile's length. */
static int is_canonical(utet_check *check)
{
    const utet_chunk *chunk = &check->priv.chunk;
    struct utet_tile tile;

    return chunk->dataset_id == check->priv.dataset.id &&
           utet_tile_locate(check->priv.file, &check->priv.dataset, chunk->coords, &tile) == UTET_OK &&
           tile.row == chunk->row && tile.bytes == chunk->raw_byte_len;
}

void utet_check_overlap(utet_check *check, uint64_t offset)
{
    if ((check->priv.flags & FLAG_OVERLAP) == 0)
        check->priv.overlap = offset;
    check->priv.flags |= FLAG_OVERLAP;
}

/* Compares the offset of the payload with that of the row before, and with the index. */
static void note_payload(utet_check *check)
{
    const utet_chunk *chunk = &check->priv.chunk;
    const utet_file *file = check->priv.file;
    uint64_t offset = chunk->payload_offset;

    if (chunk->row != 0) {
        if (offset <= check->priv.in.survey.offset)
            check->priv.flags |= FLAG_UNSORTED;
        else if (offset < check->priv.in.survey.end)
            utet_check_overlap(check, offset);
        if (offset != check->priv.in.survey.end)
            check->priv.flags |= FLAG_GAPS;
    }
    if (offset < file->index_offset + file->index_length && chunk->stored_byte_len != 0)
        utet_check_overlap(check, offset);
    check->priv.in.survey.offset = offset;
    check->priv.in.survey.end = utet_add(offset, chunk->stored_byte_len);
}

/* Surveys the rows, up to the first one that is bad by itself (UTET_E_ROW). */
static utet_status check_survey(utet_check *check)
{
    utet_file *file = check->priv.file;
    utet_chunk *chunk = &check->priv.chunk;

    for (;;) {
        utet_status status = check_follow(check);

        if (status != UTET_OK)
            return status;
        if (check->priv.row == file->row_count) {
            if (check->priv.dataset.priv.next_row != file->row_count)
                check->priv.flags |= FLAG_DISORDER; /* the last ones are missing */
            return UTET_OK;
        }
        status = utet_row_load(file, check->priv.row, chunk);
        if (status == UTET_OK)
            status = utet_row_check_end(file, chunk, file->footer_offset);
        if (status != UTET_OK)
            return status;
        if ((check->priv.flags & FLAG_DISORDER) == 0 && !is_canonical(check))
            check->priv.flags |= FLAG_DISORDER;
        if (chunk->dataset_id >= file->dataset_count && check->priv.stray == UTET_CHECK_NO_ROW)
            check->priv.stray = chunk->row;
        note_payload(check);
        check->priv.row++;
    }
}

utet_status utet_check_rows(utet_check *check)
{
    utet_file *file = check->priv.file;
    utet_status status = utet_enter(file, UTET_CALL_CHECK_ROWS);

    if (status != UTET_OK)
        return status;
    while (status == UTET_OK && check->priv.row < file->row_count) {
        status = utet_row_load(file, check->priv.row, &check->priv.chunk);
        if (status == UTET_OK)
            status = utet_row_check_end(file, &check->priv.chunk, file->footer_offset);
        if (status == UTET_OK)
            check->priv.row++;
    }
    return utet_leave(file, status);
}

/* ---- the phases ---- */

static utet_status check_parse(utet_check *check, utet_finding *finding)
{
    utet_file *file = check->priv.file;
    utet_status status = file->footer_status;

    if (status != UTET_OK) {
        finding->offset = file->priv.io->size - UTET_TAIL_BYTES;
    } else {
        status = check_survey(check);
        if (status == UTET_OK) {
            enter_phase(check, PHASE_OPENED);
            return UTET_CHECK_AGAIN;
        }
        if (status != UTET_E_ROW)
            return status;
        finding->row = check->priv.row;
        finding->offset = file->error_offset;
    }
    enter_phase(check, PHASE_OVER);
    return check_report(check, finding, UTET_CHECK_PARSE, status);
}

static utet_status check_opened(utet_check *check, utet_finding *finding)
{
    unsigned id = (unsigned)UTET_CHECK_SUPERBLOCK + check->priv.in.opened.told;

    check->priv.in.opened.told++;
    if (id == UTET_CHECK_CHUNK_PAYLOADS)
        enter_phase(check, PHASE_IDS);
    return check_report(check, finding, id, UTET_OK);
}

static utet_status dataset_ids(utet_check *check, utet_finding *finding)
{
    uint64_t row = check->priv.stray;

    if (row == UTET_CHECK_NO_ROW) {
        enter_phase(check, CHECK_PHASE_TENSORS);
        return check_report(check, finding, UTET_CHECK_CHUNK_DATASET_IDS, UTET_OK);
    }
    enter_phase(check, PHASE_OVER);
    finding->row = row;
    finding->offset = utet_row_offset(check->priv.file, row);
    return check_report(check, finding, UTET_CHECK_CHUNK_DATASET_IDS, UTET_E_ROW);
}

/* One finding for each dataset; bad ones stop the walk after the last. */
static utet_status check_tensors(utet_check *check, utet_finding *finding)
{
    uint32_t id = check->priv.dataset_id;
    utet_status status;

    if (id == check->priv.file->dataset_count) {
        enter_phase(check, check->ok ? PHASE_OFFSETS : PHASE_OVER);
        return UTET_CHECK_AGAIN;
    }
    finding->status = UTET_OK;
    if ((check->priv.flags & FLAG_DISORDER) != 0) {
        if (id - check->priv.table.first >= check->priv.table.count || check->priv.in.tensors.step != 0) {
            status = utet_check_count(check);
            return status == UTET_OK ? UTET_CHECK_AGAIN : status;
        }
        status = utet_check_counted(check, finding);
        if (status != UTET_OK)
            return status;
    }
    check->priv.dataset_id++;
    finding->dataset = id;
    return check_report(check, finding, UTET_CHECK_DATASET_TENSOR_BYTES, finding->status);
}

/* In increasing order no two are equal. */
static utet_status check_offsets(utet_check *check, utet_finding *finding)
{
    if ((check->priv.flags & FLAG_UNSORTED) != 0) {
        utet_status status = utet_check_offsets(check, finding);

        if (status != UTET_OK)
            return status;
    }
    enter_phase(check, PHASE_COORDS);
    if (finding->row == UTET_CHECK_NO_ROW)
        return UTET_CHECK_AGAIN;
    finding->offset = utet_row_offset(check->priv.file, finding->row) + UTET_ROW_OFFSET;
    return check_report(check, finding, UTET_CHECK_PAYLOAD_OFFSETS, UTET_E_ROW);
}

/* In canonical order no two are equal. */
static utet_status check_coords(utet_check *check, utet_finding *finding)
{
    if ((check->priv.flags & FLAG_DISORDER) != 0) {
        utet_status status = utet_check_coords(check, finding);

        if (status != UTET_OK)
            return status;
    }
    enter_phase(check, PHASE_ORDER);
    if (finding->row == UTET_CHECK_NO_ROW)
        return check_report(check, finding, UTET_CHECK_CHUNK_COORDS, UTET_OK);
    finding->offset = utet_row_offset(check->priv.file, finding->row);
    return check_report(check, finding, UTET_CHECK_CHUNK_COORDS, UTET_E_ROW);
}

/* A warning if the survey has set the flag. */
static utet_status check_warning(utet_check *check, utet_finding *finding, unsigned flag, unsigned id)
{
    enter_phase(check, check->priv.phase + 1u);
    if ((check->priv.flags & flag) == 0)
        return UTET_CHECK_AGAIN;
    if (flag == FLAG_OVERLAP)
        finding->offset = check->priv.overlap;
    if (flag == FLAG_TWIN) {
        finding->row = check->priv.twin;
        finding->offset = utet_row_offset(check->priv.file, finding->row);
    }
    return check_warn(finding, id);
}

static utet_status check_count(utet_check *check, utet_finding *finding)
{
    enter_phase(check, PHASE_OVER);
    return check_report(check, finding, UTET_CHECK_DATASET_COUNT, UTET_OK);
}

static utet_status check_run(utet_check *check, utet_finding *finding)
{
    finding->status = UTET_OK;
    finding->ok = 1;
    finding->dataset = UTET_CHECK_NO_DATASET;
    finding->row = UTET_CHECK_NO_ROW;
    finding->offset = 0;
    switch (check->priv.phase) {
    case PHASE_SURVEY: return check_parse(check, finding);
    case PHASE_OPENED: return check_opened(check, finding);
    case PHASE_IDS: return dataset_ids(check, finding);
    case CHECK_PHASE_TENSORS: return check_tensors(check, finding);
    case PHASE_OFFSETS: return check_offsets(check, finding);
    case PHASE_COORDS: return check_coords(check, finding);
    case PHASE_ORDER: return check_warning(check, finding, FLAG_GAPS, UTET_CHECK_PAYLOAD_ORDER);
    case PHASE_OVERLAP: return check_warning(check, finding, FLAG_OVERLAP, UTET_CHECK_PAYLOAD_OVERLAP);
    case PHASE_TWIN: return check_warning(check, finding, FLAG_TWIN, UTET_CHECK_CHUNK_COORDS_UNUSED);
    case PHASE_COUNT: return check_count(check, finding);
    default: return UTET_END;
    }
}

utet_status utet_check_next(utet_check *check, utet_finding *finding)
{
    utet_file *file = check->priv.file;
    utet_status status = utet_enter(file, UTET_CALL_CHECK);

    if (status != UTET_OK)
        return status;
    do {
        if ((check->priv.flags & FLAG_LENT) != 0 && check->priv.phase <= PHASE_COORDS && file->priv.owner != check)
            return utet_leave(file, UTET_E_STATE);
        status = check_run(check, finding);
    } while (status == UTET_CHECK_AGAIN);
    return utet_leave(file, status);
}

const char *utet_check_name(unsigned check)
{
    static const char *const names[UTET_CHECKS] = {
        "parse",          "superblock",        "dataset_directory",    "chunk_index",
        "chunk_payloads", "chunk_dataset_ids", "dataset_tensor_bytes", "payload_offsets",
        "chunk_coords",   "payload_order",     "payload_overlap",      "chunk_coords_unused",
        "dataset_count",
    };

    return check < UTET_CHECKS ? names[check] : "unknown";
}
