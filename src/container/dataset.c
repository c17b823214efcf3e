/* Records of the dataset directory (§3), one at a time. */
#include "container.h"

utet_status utet_record_head(utet_file *file, uint64_t offset, uint64_t end, utet_record *record)
{
    const uint8_t *at;
    utet_status status;

    if (end - offset < UTET_RECORD_BYTES)
        return utet_fail(file, UTET_E_DATASET, offset);
    status = utet_need_bytes(file, offset, UTET_RECORD_BYTES, UTET_AHEAD);
    if (status != UTET_OK)
        return status;
    at = file->priv_at;
    record->name_length = utet_le32(at);
    record->dtype = utet_le32(at + 4);
    record->ndim = utet_le32(at + 8);
    if (record->ndim - 1 >= UTET_MAX_NDIM)
        return utet_fail(file, UTET_E_DATASET, offset + 8);
    record->extents = utet_align8(offset + UTET_RECORD_BYTES + record->name_length);
    if (record->extents + 16 * record->ndim > end)
        return utet_fail(file, UTET_E_DATASET, offset);
    return UTET_OK;
}

/* Bytes of an element, 0 for a tag that is none: two bits of a word for each dtype hold
 * the power of two (f32 2, f64 3, i32 2, i64 3, u8 0, u16 1, i16 1, u32 2, f16 1, u64 3). */
static uint8_t elem_size(uint32_t dtype)
{
    if (dtype < UTET_F32 || dtype > UTET_U64)
        return 0;
    return (uint8_t)(1u << (UINT32_C(0xD94EE) >> (2 * (dtype - 1)) & 3));
}

/* Shape, chunk shape and the grid that follows; returns the number of chunks, saturated
 * also when a chunk extent of 0 leaves it unknown: later rows cannot be predicted then. */
static uint64_t extents(utet_dataset *dataset, const uint8_t *at)
{
    uint64_t tiles = 1;
    unsigned d;

    for (d = 0; d < dataset->ndim; d++) {
        uint64_t shape = utet_le64(at + 8 * d);
        uint64_t chunk = utet_le64(at + 8 * (dataset->ndim + d));
        uint64_t grid = 0;

        dataset->shape[d] = shape;
        dataset->chunk_shape[d] = chunk;
        if (shape != 0)
            grid = chunk != 0 ? utet_div_up(shape, chunk) : UINT64_MAX;
        tiles = utet_mul(tiles, grid);
        dataset->grid[d] = chunk != 0 ? grid : 0;
    }
    return tiles;
}

utet_status utet_dataset_load(utet_file *file, utet_dataset *dataset, uint32_t id, uint64_t offset,
                              uint64_t first_row)
{
    utet_status status;

    if (file->priv_step == 0) {
        utet_record head;

        status = utet_record_head(file, offset, file->index_offset, &head);
        if (status != UTET_OK)
            return status;
        dataset->ndim = (uint8_t)head.ndim;
        dataset->dtype = head.dtype;
        dataset->elem_size = elem_size(head.dtype);
        dataset->name_length = head.name_length;
        dataset->name_offset = offset + UTET_RECORD_BYTES;
        file->priv_cursor[0] = head.extents;
        file->priv_step = 1;
    }
    offset = file->priv_cursor[0];
    status = utet_need_bytes(file, offset, 16u * dataset->ndim, UTET_AHEAD);
    if (status != UTET_OK)
        return status;
    dataset->priv_next_row = utet_add(first_row, extents(dataset, file->priv_at));
    dataset->priv_first_row = first_row;
    dataset->priv_next = offset + 16u * dataset->ndim;
    dataset->id = id;
    file->priv_step = 0;
    return UTET_OK;
}

static utet_status load_first(utet_file *file, utet_dataset *dataset)
{
    if (file->dataset_count == 0)
        return UTET_END;
    return utet_dataset_load(file, dataset, 0, UTET_RECORDS_OFFSET, 0);
}

utet_status utet_dataset_step(utet_file *file, utet_dataset *dataset)
{
    /* id, priv_next and priv_next_row change with the last step of the load only */
    if (dataset->id >= file->dataset_count - 1)
        return UTET_END;
    return utet_dataset_load(file, dataset, dataset->id + 1, dataset->priv_next,
                             dataset->priv_next_row);
}

utet_status utet_dataset_first(utet_file *file, utet_dataset *dataset)
{
    utet_status status = utet_enter(file, UTET_CALL_DATASET_FIRST);

    if (status == UTET_OK)
        status = utet_leave(file, load_first(file, dataset));
    return status;
}

utet_status utet_dataset_next(utet_file *file, utet_dataset *dataset)
{
    utet_status status = utet_enter(file, UTET_CALL_DATASET_NEXT);

    if (status == UTET_OK)
        status = utet_leave(file, utet_dataset_step(file, dataset));
    return status;
}

/* priv_cursor and priv_step while a name is looked for: 0, 1 belong to the load */
enum { AT_EXTENTS, COMPARED, BEGUN };
enum { STEP_COMPARE = 2 };

/* Are the names the same? *equal once UTET_OK. */
static utet_status compare(utet_file *file, const utet_dataset *dataset, const char *name,
                           size_t length, int *equal)
{
    uint64_t *compared = &file->priv_cursor[COMPARED];

    *equal = 0;
    while (*compared < length) {
        utet_status status =
            utet_need_bytes(file, dataset->name_offset + *compared, 1, UTET_AHEAD);

        if (status != UTET_OK)
            return status;
        if (*file->priv_at != (uint8_t)name[(size_t)*compared])
            return UTET_OK;
        ++*compared;
    }
    *equal = 1;
    return UTET_OK;
}

static utet_status find(utet_file *file, utet_dataset *dataset, const char *name, size_t length)
{
    for (;;) {
        utet_status status;
        int equal;

        if (file->priv_step != STEP_COMPARE) {
            status = file->priv_cursor[BEGUN] == 0 ? load_first(file, dataset)
                                                   : utet_dataset_step(file, dataset);
            if (status != UTET_OK)
                return status == UTET_END ? UTET_E_NOT_FOUND : status;
            file->priv_cursor[BEGUN] = 1;
            if (dataset->name_length != length)
                continue;
            file->priv_cursor[COMPARED] = 0;
            file->priv_step = STEP_COMPARE;
        }
        status = compare(file, dataset, name, length, &equal);
        if (status != UTET_OK || equal)
            return status;
        file->priv_step = 0;
    }
}

utet_status utet_dataset_find(utet_file *file, utet_dataset *dataset, const char *name,
                              size_t length)
{
    utet_status status = utet_enter(file, UTET_CALL_DATASET_FIND);

    if (status == UTET_OK)
        status = utet_leave(file, find(file, dataset, name, length));
    return status;
}

utet_status utet_dataset_name(utet_file *file, const utet_dataset *dataset, uint32_t from,
                              char *buffer, size_t size)
{
    utet_status status = utet_enter(file, UTET_CALL_DATASET_NAME);

    if (status != UTET_OK)
        return status;
    if (from > dataset->name_length || size > dataset->name_length - from)
        return utet_leave(file, UTET_E_RANGE);
    return utet_leave(file, utet_copy_bytes(file, dataset->name_offset + from, (uint8_t *)buffer,
                                            size));
}
