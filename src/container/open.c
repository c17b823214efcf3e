/*
 * Opening: superblock, directory, index header, footer tail, budget, in this order (§9).
 * Each step ensures its bytes, then commits by advancing priv_step; a suspended call goes on
 * at the step it had reached.
 */
#include "container.h"

enum { STEP_SUPERBLOCK, STEP_DIRECTORY, STEP_RECORD, STEP_NAME, STEP_INDEX, STEP_FOOTER };

/* priv_cursor while the directory is walked */
enum { NEXT_RECORD, NAME_AT, NAME_END, RECORDS_LEFT, DIRECTORY_END };

static utet_status need(utet_file *file, uint64_t offset, size_t length)
{
    return utet_need_bytes(file, offset, length, UTET_AHEAD);
}

/* §2 */
static utet_status superblock(utet_file *file)
{
    uint64_t size = file->priv_io->size;
    const uint8_t *at;
    utet_status status;

    if (size < UTET_SUPERBLOCK_BYTES)
        return utet_fail(file, UTET_E_SUPERBLOCK, size);
    status = need(file, 0, UTET_SUPERBLOCK_BYTES);
    if (status != UTET_OK)
        return status;
    at = file->priv_at;
    if (utet_le32(at) != 0x52544554u) /* "TETR" */
        return utet_fail(file, UTET_E_MAGIC, 0);
    if (utet_le32(at + 4) != UTET_LAYOUT_VERSION)
        return utet_fail(file, UTET_E_VERSION, 4);
    file->dataset_count = utet_le32(at + 8);
    file->flags = utet_le32(at + 12);
    file->index_offset = utet_le64(at + 16);
    file->index_length = utet_le64(at + 24);
    if (utet_add(file->index_offset, file->index_length) > size)
        return utet_fail(file, UTET_E_SUPERBLOCK, 16);
    file->priv_step = file->dataset_count != 0 ? STEP_DIRECTORY : STEP_FOOTER;
    return UTET_OK;
}

/* §3: the length of the records and how many can lie there */
static utet_status directory(utet_file *file)
{
    uint64_t size = file->priv_io->size;
    uint64_t length;
    utet_status status;

    if (size < UTET_RECORDS_OFFSET)
        return utet_fail(file, UTET_E_DIRECTORY, size);
    status = need(file, UTET_SUPERBLOCK_BYTES, 8);
    if (status != UTET_OK)
        return status;
    length = utet_le64(file->priv_at);
    if (length > size - UTET_RECORDS_OFFSET || file->dataset_count > length / 32)
        return utet_fail(file, UTET_E_DIRECTORY, UTET_SUPERBLOCK_BYTES);
    file->priv_cursor[NEXT_RECORD] = UTET_RECORDS_OFFSET;
    file->priv_cursor[RECORDS_LEFT] = file->dataset_count;
    file->priv_cursor[DIRECTORY_END] = UTET_RECORDS_OFFSET + length;
    file->priv_step = STEP_RECORD;
    return UTET_OK;
}

static utet_status record(utet_file *file)
{
    uint64_t *cursor = file->priv_cursor;
    utet_record head;
    utet_status status;

    if (cursor[RECORDS_LEFT] == 0) {
        if (cursor[NEXT_RECORD] != cursor[DIRECTORY_END])
            return utet_fail(file, UTET_E_DIRECTORY, cursor[NEXT_RECORD]);
        file->priv_step = STEP_INDEX;
        return UTET_OK;
    }
    status = utet_record_head(file, cursor[NEXT_RECORD], cursor[DIRECTORY_END], &head);
    if (status != UTET_OK)
        return status;
    cursor[RECORDS_LEFT]--;
    cursor[NAME_AT] = cursor[NEXT_RECORD] + UTET_RECORD_BYTES;
    cursor[NAME_END] = cursor[NAME_AT] + head.name_length;
    cursor[NEXT_RECORD] = head.extents + 16 * head.ndim;
    file->priv_step = STEP_NAME;
    return UTET_OK;
}

/* §3: names are UTF-8; one character a step, so a name may be longer than the window */
static utet_status name(utet_file *file)
{
    uint64_t *cursor = file->priv_cursor;

    while (cursor[NAME_AT] < cursor[NAME_END]) {
        uint64_t left = cursor[NAME_END] - cursor[NAME_AT];
        size_t some = left < 4 ? (size_t)left : 4;
        utet_status status = need(file, cursor[NAME_AT], some);
        size_t length;

        if (status != UTET_OK)
            return status;
        length = utet_utf8_length(file->priv_at, some);
        if (length == 0)
            return utet_fail(file, UTET_E_DATASET, cursor[NAME_AT]);
        cursor[NAME_AT] += length;
    }
    file->priv_step = STEP_RECORD;
    return UTET_OK;
}

/* §4: the header; rows are checked when they are used */
static utet_status index_header(utet_file *file)
{
    const uint8_t *at;
    utet_status status;

    if (file->index_offset != utet_align8(file->priv_cursor[DIRECTORY_END]))
        return utet_fail(file, UTET_E_INDEX, 16);
    if (file->index_length < UTET_INDEX_BYTES)
        return utet_fail(file, UTET_E_INDEX, 24);
    status = need(file, file->index_offset, UTET_INDEX_BYTES);
    if (status != UTET_OK)
        return status;
    at = file->priv_at;
    if (utet_le32(at) != 0x58444954u) /* "TIDX" */
        return utet_fail(file, UTET_E_INDEX, file->index_offset);
    if (utet_le32(at + 4) != 1)
        return utet_fail(file, UTET_E_INDEX_VERSION, file->index_offset + 4);
    file->row_count = utet_le64(at + 8);
    if (utet_mul(file->row_count, UTET_ROW_BYTES) != file->index_length - UTET_INDEX_BYTES)
        return utet_fail(file, UTET_E_INDEX, file->index_offset + 8);
    file->memory_budget_percent_bps = (uint16_t)utet_le32(at + 16);
    file->memory_budget_bytes = utet_le32(at + 20);
    file->priv_step = STEP_FOOTER;
    return UTET_OK;
}

/* §6.1, §6.2: the tail, only when the flag says so (deviation T1) */
static utet_status footer(utet_file *file)
{
    uint64_t tail = file->priv_io->size - UTET_TAIL_BYTES;
    const uint8_t *at;
    utet_status status;

    file->footer_offset = file->priv_io->size;
    if ((file->flags & 1) == 0)
        return UTET_OK;
    status = need(file, tail, UTET_TAIL_BYTES);
    if (status != UTET_OK)
        return status;
    at = file->priv_at;
    if (utet_le32(at + 12) != 0x54534854u) { /* "THST" */
        if (file->dataset_count == 0)
            return UTET_OK;
        return utet_fail(file, UTET_E_FOOTER, tail + 12);
    }
    file->history_version = utet_le32(at + 8);
    if (file->history_version - 1 > 1)
        return utet_fail(file, UTET_E_FOOTER_VERSION, tail + 8);
    file->footer_length = utet_le64(at);
    if (file->footer_length > tail)
        return utet_fail(file, UTET_E_FOOTER, tail);
    file->footer_offset = tail - file->footer_length;
    return UTET_OK;
}

/* DESIGN 1.2: the caller's word, else the file's bytes, else its share of the RAM */
static void set_budget(utet_file *file, size_t budget)
{
    uint64_t wall = budget;

    if (wall == 0)
        wall = file->memory_budget_bytes;
    if (wall == 0)
        wall = file->memory_budget_percent_bps != 0 && file->ram_bytes != 0
                   ? utet_div(utet_mul(file->ram_bytes, file->memory_budget_percent_bps), 10000)
                   : UINT64_MAX;
    file->high_water = file->priv_window;
    if (wall < file->budget)
        file->budget = (size_t)wall;
    utet_window_resize(file, utet_window_fit(file, file->budget));
}

static utet_status open_steps(utet_file *file)
{
    utet_status status = UTET_OK;

    if (file->priv_step == STEP_SUPERBLOCK)
        status = superblock(file);
    if (status == UTET_OK && file->priv_step == STEP_DIRECTORY)
        status = directory(file);
    while (status == UTET_OK && (file->priv_step == STEP_RECORD || file->priv_step == STEP_NAME))
        status = file->priv_step == STEP_RECORD ? record(file) : name(file);
    if (status == UTET_OK && file->priv_step == STEP_INDEX)
        status = index_header(file);
    if (status == UTET_OK)
        status = footer(file);
    return status;
}

utet_status utet_open(utet_file *file, size_t budget)
{
    utet_status status;

    if (file->priv_state != UTET_STATE_READY)
        return file->priv_state == UTET_STATE_OPEN ? UTET_E_STATE : file->priv_status;
    if (file->budget < file->priv_window) {
        file->needed = file->priv_window;
        return UTET_E_BUDGET;
    }
    if (file->priv_busy != UTET_CALL_OPEN) {
        file->priv_busy = UTET_CALL_OPEN;
        file->priv_step = STEP_SUPERBLOCK;
    }
    status = utet_leave(file, open_steps(file));
    if (status == UTET_OK) {
        set_budget(file, budget);
        file->priv_state = UTET_STATE_OPEN;
    } else if (UTET_IS_ERROR(status)) {
        file->priv_status = status;
        file->priv_state = UTET_STATE_FAILED;
    }
    return status;
}
