/*
 * The order of the findings (§16), and the one pass over directory and rows that is all a
 * canonical file needs. Relies on container for rows and records, on passes.c for the rest.
 */
#include "check.h"

#include <string.h>

/* Phases; each yields findings until it moves on to the next. */
enum {
    PHASE_SURVEY,
    PHASE_OPENED, /* the four that are true of every open file */
    PHASE_IDS,
    PHASE_TENSORS,
    PHASE_OFFSETS,
    PHASE_COORDS,
    PHASE_ORDER,
    PHASE_OVERLAP,
    PHASE_TWIN,
    PHASE_COUNT,
    PHASE_OVER
};

void utet_check_begin(utet_check *check, utet_file *file)
{
    memset(check, 0, sizeof *check);
    check->ok = 1;
    check->priv_file = file;
    check->priv_stray = UTET_CHECK_NO_ROW;
    utet_dataset_rewind(&check->priv_dataset);
}

static void enter_phase(utet_check *check, unsigned phase)
{
    check->priv_phase = (uint8_t)phase;
    check->priv_step = 0;
    check->priv_row = 0;
    check->priv_low = 0;
    check->priv_dataset_id = 0;
}

/* A finding; an error if status is one. */
static utet_status report(utet_check *check, utet_finding *finding, unsigned id, utet_status status)
{
    finding->check = (uint8_t)id;
    finding->severity = status == UTET_OK ? UTET_SEVERITY_INFO : UTET_SEVERITY_ERROR;
    finding->ok = status == UTET_OK;
    finding->status = status;
    check->ok &= status == UTET_OK;
    return UTET_OK;
}

static utet_status warn(utet_finding *finding, unsigned id)
{
    finding->check = (uint8_t)id;
    finding->severity = UTET_SEVERITY_WARNING;
    return UTET_OK;
}

/* ---- the survey: every row once ---- */

utet_status utet_check_size(const utet_dataset *dataset, uint64_t *bytes)
{
    unsigned d;

    *bytes = dataset->elem_size;
    if (*bytes == 0)
        return UTET_E_DTYPE;
    for (d = 0; d < dataset->ndim; d++) {
        *bytes = utet_mul(*bytes, dataset->shape[d]);
        if (dataset->chunk_shape[d] == 0)
            *bytes = UINT64_MAX;
    }
    return *bytes == UINT64_MAX ? UTET_E_DATASET : UTET_OK;
}

/* Steps on to the dataset that row priv_row should belong to; past the last row, to the end
 * of the directory. UTET_OK also when there is no such dataset. */
static utet_status follow(utet_check *check)
{
    utet_dataset *dataset = &check->priv_dataset;

    while ((check->priv_flags & FLAG_DISORDER) == 0 && check->priv_row >= dataset->priv_next_row) {
        uint64_t bytes;
        utet_status status = utet_dataset_step(check->priv_file, dataset);

        if (status != UTET_OK)
            return status == UTET_END ? UTET_OK : status;
        if (utet_check_size(dataset, &bytes) != UTET_OK)
            check->priv_flags |= FLAG_DISORDER;
    }
    return UTET_OK;
}

/* Is the row that of its place in the canonical order, with its tile's length? */
static int is_canonical(utet_check *check)
{
    const utet_chunk *chunk = &check->priv_chunk;
    utet_file *file = check->priv_file;

    return chunk->dataset_id == check->priv_dataset.id &&
           utet_tile_locate(file, &check->priv_dataset, chunk->coords) == UTET_OK &&
           file->priv_cursor[UTET_TILE_ROW] == chunk->row &&
           file->priv_cursor[UTET_TILE_BYTES] == chunk->raw_byte_len;
}

void utet_check_overlap(utet_check *check, uint64_t offset)
{
    if ((check->priv_flags & FLAG_OVERLAP) == 0)
        check->priv_overlap = offset;
    check->priv_flags |= FLAG_OVERLAP;
}

/* How the payload lies to the one of the row before, and to the index. */
static void note_payload(utet_check *check)
{
    const utet_chunk *chunk = &check->priv_chunk;
    const utet_file *file = check->priv_file;
    uint64_t offset = chunk->payload_offset;

    if (chunk->row != 0) {
        if (offset <= check->priv_last)
            check->priv_flags |= FLAG_UNSORTED;
        else if (offset < check->priv_end)
            utet_check_overlap(check, offset);
        if (offset != check->priv_end)
            check->priv_flags |= FLAG_GAPS;
    }
    if (offset < file->index_offset + file->index_length && chunk->stored_byte_len != 0)
        utet_check_overlap(check, offset);
    check->priv_last = offset;
    check->priv_end = utet_add(offset, chunk->stored_byte_len);
}

/* The rows up to the first that is bad by itself (UTET_E_ROW). */
static utet_status survey(utet_check *check)
{
    utet_file *file = check->priv_file;
    utet_chunk *chunk = &check->priv_chunk;

    for (;;) {
        utet_status status = follow(check);

        if (status != UTET_OK)
            return status;
        if (check->priv_row == file->row_count) {
            if (check->priv_dataset.priv_next_row != file->row_count)
                check->priv_flags |= FLAG_DISORDER; /* the last ones are missing */
            return UTET_OK;
        }
        status = utet_row_load(file, check->priv_row, chunk);
        if (status == UTET_OK)
            status = utet_row_check(file, chunk);
        if (status != UTET_OK)
            return status;
        if ((check->priv_flags & FLAG_DISORDER) == 0 && !is_canonical(check))
            check->priv_flags |= FLAG_DISORDER;
        if (chunk->dataset_id >= file->dataset_count && check->priv_stray == UTET_CHECK_NO_ROW)
            check->priv_stray = chunk->row;
        note_payload(check);
        check->priv_row++;
    }
}

utet_status utet_check_rows(utet_check *check)
{
    utet_file *file = check->priv_file;
    utet_status status = utet_enter(file, UTET_CALL_CHECK_ROWS);

    if (status != UTET_OK)
        return status;
    while (status == UTET_OK && check->priv_row < file->row_count) {
        status = utet_row_load(file, check->priv_row, &check->priv_chunk);
        if (status == UTET_OK)
            status = utet_row_check(file, &check->priv_chunk);
        if (status == UTET_OK)
            check->priv_row++;
    }
    return utet_leave(file, status);
}

/* ---- the phases ---- */

static utet_status parse(utet_check *check, utet_finding *finding)
{
    utet_file *file = check->priv_file;
    utet_status status = file->footer_status;

    if (status != UTET_OK) {
        finding->offset = file->priv_io->size - UTET_TAIL_BYTES;
    } else {
        status = survey(check);
        if (status == UTET_OK) {
            enter_phase(check, PHASE_OPENED);
            return UTET_CHECK_AGAIN;
        }
        if (status != UTET_E_ROW)
            return status;
        finding->row = check->priv_row;
        finding->offset = file->error_offset;
    }
    enter_phase(check, PHASE_OVER);
    return report(check, finding, UTET_CHECK_PARSE, status);
}

static utet_status opened(utet_check *check, utet_finding *finding)
{
    unsigned id = (unsigned)UTET_CHECK_SUPERBLOCK + check->priv_step;

    check->priv_step++;
    if (id == UTET_CHECK_CHUNK_PAYLOADS)
        enter_phase(check, PHASE_IDS);
    return report(check, finding, id, UTET_OK);
}

static utet_status dataset_ids(utet_check *check, utet_finding *finding)
{
    uint64_t row = check->priv_stray;

    if (row == UTET_CHECK_NO_ROW) {
        enter_phase(check, PHASE_TENSORS);
        return report(check, finding, UTET_CHECK_CHUNK_DATASET_IDS, UTET_OK);
    }
    enter_phase(check, PHASE_OVER);
    finding->row = row;
    finding->offset = utet_row_offset(check->priv_file, row);
    return report(check, finding, UTET_CHECK_CHUNK_DATASET_IDS, UTET_E_ROW);
}

/* One finding for each dataset; bad ones stop the walk after the last. */
static utet_status tensors(utet_check *check, utet_finding *finding)
{
    uint32_t id = check->priv_dataset_id;
    utet_status status;

    if (id == check->priv_file->dataset_count) {
        enter_phase(check, check->ok ? PHASE_OFFSETS : PHASE_OVER);
        return UTET_CHECK_AGAIN;
    }
    finding->status = UTET_OK;
    if ((check->priv_flags & FLAG_DISORDER) != 0) {
        if (id - check->priv_first >= check->priv_count || check->priv_step != 0) {
            status = utet_check_count(check);
            return status == UTET_OK ? UTET_CHECK_AGAIN : status;
        }
        status = utet_check_counted(check, finding);
        if (status != UTET_OK)
            return status;
    }
    check->priv_dataset_id++;
    finding->dataset = id;
    return report(check, finding, UTET_CHECK_DATASET_TENSOR_BYTES, finding->status);
}

/* In increasing order no two are equal. */
static utet_status offsets(utet_check *check, utet_finding *finding)
{
    if ((check->priv_flags & FLAG_UNSORTED) != 0) {
        utet_status status = utet_check_offsets(check, finding);

        if (status != UTET_OK)
            return status;
    }
    enter_phase(check, PHASE_COORDS);
    if (finding->row == UTET_CHECK_NO_ROW)
        return UTET_CHECK_AGAIN;
    finding->offset = utet_row_offset(check->priv_file, finding->row) + UTET_ROW_OFFSET;
    return report(check, finding, UTET_CHECK_PAYLOAD_OFFSETS, UTET_E_ROW);
}

/* In canonical order no two are equal. */
static utet_status coords(utet_check *check, utet_finding *finding)
{
    if ((check->priv_flags & FLAG_DISORDER) != 0) {
        utet_status status = utet_check_coords(check, finding);

        if (status != UTET_OK)
            return status;
    }
    enter_phase(check, PHASE_ORDER);
    if (finding->row == UTET_CHECK_NO_ROW)
        return report(check, finding, UTET_CHECK_CHUNK_COORDS, UTET_OK);
    finding->offset = utet_row_offset(check->priv_file, finding->row);
    return report(check, finding, UTET_CHECK_CHUNK_COORDS, UTET_E_ROW);
}

/* A warning when the flag is up. */
static utet_status warning(utet_check *check, utet_finding *finding, unsigned flag, unsigned id)
{
    enter_phase(check, check->priv_phase + 1u);
    if ((check->priv_flags & flag) == 0)
        return UTET_CHECK_AGAIN;
    if (flag == FLAG_OVERLAP)
        finding->offset = check->priv_overlap;
    if (flag == FLAG_TWIN) {
        finding->row = check->priv_twin;
        finding->offset = utet_row_offset(check->priv_file, finding->row);
    }
    return warn(finding, id);
}

static utet_status count(utet_check *check, utet_finding *finding)
{
    enter_phase(check, PHASE_OVER);
    return report(check, finding, UTET_CHECK_DATASET_COUNT, UTET_OK);
}

static utet_status run(utet_check *check, utet_finding *finding)
{
    unsigned phase = check->priv_phase;

    finding->status = UTET_OK;
    finding->ok = 1;
    finding->dataset = UTET_CHECK_NO_DATASET;
    finding->row = UTET_CHECK_NO_ROW;
    finding->offset = 0;
    if (phase == PHASE_SURVEY)
        return parse(check, finding);
    if (phase == PHASE_OPENED)
        return opened(check, finding);
    if (phase == PHASE_IDS)
        return dataset_ids(check, finding);
    if (phase == PHASE_TENSORS)
        return tensors(check, finding);
    if (phase == PHASE_OFFSETS)
        return offsets(check, finding);
    if (phase == PHASE_COORDS)
        return coords(check, finding);
    if (phase == PHASE_ORDER)
        return warning(check, finding, FLAG_GAPS, UTET_CHECK_PAYLOAD_ORDER);
    if (phase == PHASE_OVERLAP)
        return warning(check, finding, FLAG_OVERLAP, UTET_CHECK_PAYLOAD_OVERLAP);
    if (phase == PHASE_TWIN)
        return warning(check, finding, FLAG_TWIN, UTET_CHECK_CHUNK_COORDS_UNUSED);
    return phase == PHASE_COUNT ? count(check, finding) : UTET_END;
}

utet_status utet_check_next(utet_check *check, utet_finding *finding)
{
    utet_file *file = check->priv_file;
    utet_status status = utet_enter(file, UTET_CALL_CHECK);

    if (status != UTET_OK)
        return status;
    do {
        if ((check->priv_flags & FLAG_LENT) != 0 && check->priv_phase <= PHASE_COORDS &&
            file->priv_owner != check)
            return utet_leave(file, UTET_E_STATE);
        status = run(check, finding);
    } while (status == UTET_CHECK_AGAIN);
    return utet_leave(file, status);
}

const char *utet_check_name(unsigned check)
{
    static const char *const names[UTET_CHECKS] = {
        "parse",
        "superblock",
        "dataset_directory",
        "chunk_index",
        "chunk_payloads",
        "chunk_dataset_ids",
        "dataset_tensor_bytes",
        "payload_offsets",
        "chunk_coords",
        "payload_order",
        "payload_overlap",
        "chunk_coords_unused",
        "dataset_count",
    };

    return check < UTET_CHECKS ? names[check] : "unknown";
}
