/*
 * Opening: superblock, directory, index header, footer tail, budget, in this order (§9).
 * Each step ensures its bytes, then commits by advancing priv_step; a suspended call goes on
 * at the step it had reached.
 */
#include "container.h"

enum { STEP_SUPERBLOCK, STEP_RECORD, STEP_NAME, STEP_DIRECTORY, STEP_INDEX, STEP_FOOTER };

/* priv_cursor while the directory is walked */
enum { NEXT_RECORD /* set by utet_record_head */, NAME_AT, DIRECTORY_END };

/* §2 */
static utet_status superblock(utet_file *file)
{
    const utet_io *io = file->priv_io;
    const uint8_t *at;
    utet_status status;

    if (io->size < UTET_SUPERBLOCK_BYTES)
        return UTET_E_SUPERBLOCK;
    status = utet_need_bytes(file, UTET_SUPERBLOCK_BYTES, 0);
    if (status != UTET_OK)
        return status;
    at = file->priv_at;
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
    file->priv_step = file->dataset_count != 0 ? STEP_DIRECTORY : STEP_FOOTER;
    return UTET_OK;
}

/* §3: the length of the records and how many can lie there */
static utet_status directory(utet_file *file)
{
    uint64_t rest = file->priv_io->size - UTET_RECORDS_OFFSET;
    uint64_t length;
    utet_status status;

    file->error_offset = UTET_SUPERBLOCK_BYTES;
    if (file->priv_io->size < UTET_RECORDS_OFFSET)
        return UTET_E_DIRECTORY;
    status = utet_need_bytes(file, 8, UTET_SUPERBLOCK_BYTES);
    if (status != UTET_OK)
        return status;
    length = utet_le64(file->priv_at);
    if (length > rest || file->dataset_count > length / 32)
        return UTET_E_DIRECTORY;
    file->priv_left = file->dataset_count;
    file->priv_cursor[NEXT_RECORD] = UTET_RECORDS_OFFSET;
    file->priv_cursor[DIRECTORY_END] = UTET_RECORDS_OFFSET + length;
    file->priv_step = STEP_RECORD;
    return UTET_OK;
}

static utet_status record(utet_file *file)
{
    uint64_t *cursor = file->priv_cursor;
    uint64_t from = cursor[NEXT_RECORD];
    utet_status status;

    if (file->priv_left == 0) {
        file->error_offset = from;
        file->priv_step = STEP_INDEX;
        return from == cursor[DIRECTORY_END] ? UTET_OK : UTET_E_DIRECTORY;
    }
    status = utet_record_head(file, from, cursor[DIRECTORY_END]);
    if (status != UTET_OK)
        return status;
    cursor[NEXT_RECORD] += 16u * file->priv_at[UTET_RECORD_NDIM];
    cursor[NAME_AT] = from + UTET_RECORD_BYTES;
    file->priv_name_left = utet_le32(file->priv_at + UTET_RECORD_NAME_LENGTH);
    file->priv_left--;
    file->priv_step = STEP_NAME;
    return UTET_OK;
}

/* §3: names are UTF-8; one character a step, so a name may be longer than the window */
static utet_status name(utet_file *file)
{
    while (file->priv_name_left != 0) {
        size_t some = file->priv_name_left < 4 ? (size_t)file->priv_name_left : 4;
        utet_status status = utet_need_bytes(file, some, file->priv_cursor[NAME_AT]);

        if (status != UTET_OK)
            return status;
        some = utet_utf8_length(file->priv_at, some);
        if (some == 0)
            return UTET_E_DATASET;
        file->priv_cursor[NAME_AT] += some;
        file->priv_name_left -= (uint32_t)some;
    }
    file->priv_step = STEP_RECORD;
    return UTET_OK;
}

/* §4: the header; rows are checked when they are used */
static utet_status index_header(utet_file *file)
{
    const uint8_t *at;
    utet_status status;

    file->error_offset = 16;
    if (file->index_offset != utet_align8(file->priv_cursor[DIRECTORY_END]))
        return UTET_E_INDEX;
    if (file->index_length < UTET_INDEX_BYTES)
        return UTET_E_INDEX;
    status = utet_need_bytes(file, UTET_INDEX_BYTES, file->index_offset);
    if (status != UTET_OK)
        return status;
    at = file->priv_at;
    if (utet_le32(at) != 0x58444954u) /* "TIDX" */
        return UTET_E_INDEX;
    if (utet_le32(at + 4) != 1)
        return UTET_E_INDEX_VERSION;
    file->row_count = utet_le64(at + 8);
    if (utet_mul(file->row_count, UTET_ROW_BYTES) != file->index_length - UTET_INDEX_BYTES)
        return UTET_E_INDEX;
    file->memory_budget_percent_bps = (uint16_t)utet_le32(at + 16);
    file->memory_budget_bytes = utet_le32(at + 20);
    file->priv_step = STEP_FOOTER;
    return UTET_OK;
}

/* §6.1, §6.2: the tail, only when the flag says so (deviation T1). A bad one is noted; the
 * tensors can be read without it. */
static utet_status footer(utet_file *file)
{
    uint64_t tail = file->priv_io->size - UTET_TAIL_BYTES;
    const uint8_t *at;
    uint64_t length;
    utet_status status;

    file->footer_offset = file->priv_io->size;
    if ((file->flags & 1) == 0)
        return UTET_OK;
    status = utet_need_bytes(file, UTET_TAIL_BYTES, tail);
    if (status != UTET_OK)
        return status;
    at = file->priv_at;
    length = utet_le64(at);
    if (utet_le32(at + 12) != 0x54534854u) { /* "THST" */
        if (file->dataset_count != 0)
            file->footer_status = UTET_E_FOOTER;
    } else if (utet_le32(at + 8) - 1 > 1) {
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

static utet_status open_steps(utet_file *file)
{
    utet_status status = UTET_OK;

    if (file->priv_step == STEP_SUPERBLOCK)
        status = superblock(file);
    if (status == UTET_OK && file->priv_step == STEP_DIRECTORY)
        status = directory(file);
    while (status == UTET_OK && file->priv_step < STEP_DIRECTORY)
        status = file->priv_step == STEP_RECORD ? record(file) : name(file);
    if (status == UTET_OK && file->priv_step == STEP_INDEX)
        status = index_header(file);
    return status == UTET_OK ? footer(file) : status;
}

/* The wall: the caller's word, else the file's bytes, else its share of the RAM. */
static void set_budget(utet_file *file, size_t budget)
{
    uint64_t wall = budget;

    if (wall == 0)
        wall = file->memory_budget_bytes;
    if (wall == 0)
        wall = utet_div((uint64_t)file->ram_bytes * file->memory_budget_percent_bps + 9999, 10000);
    if (wall != 0 && wall < file->budget)
        file->budget = (size_t)wall;
    utet_window_resize(file, utet_window_fit(file, file->budget));
}

utet_status utet_open(utet_file *file, size_t budget)
{
    utet_status status;

    if (file->priv_state != UTET_STATE_READY)
        return utet_closed(file);
    if (file->budget < file->priv_window) {
        file->needed = file->priv_window;
        return UTET_E_BUDGET;
    }
    if (file->priv_busy == UTET_CALL_NONE) {
        file->priv_busy = UTET_CALL_OPEN;
        file->priv_step = STEP_SUPERBLOCK;
    }
    status = utet_leave(file, open_steps(file));
    if (status == UTET_OK) {
        file->high_water = file->priv_window;
        set_budget(file, budget);
        file->priv_state = UTET_STATE_OPEN;
    } else if (UTET_IS_ERROR(status)) {
        file->priv_status = status;
        file->priv_state = UTET_STATE_FAILED;
    }
    return status;
}
