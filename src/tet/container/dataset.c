/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Records of the dataset directory (§3), one at a time. */
#include "container.h"

utet_status utet_record_head(utet_file *file, const uint64_t *end, uint64_t offset)
{
    uint64_t place = offset + UTET_RECORD_BYTES;
    utet_status status;

    file->error_offset = offset;
    if (place > *end)
        return UTET_E_DATASET;
    status = utet_fetch(file, UTET_RECORD_BYTES, offset);
    if (status != UTET_OK)
        return status;
    if (utet_le32(file->priv.at + UTET_RECORD_NDIM) - 1 >= UTET_FORMAT_NDIM)
        return UTET_E_DATASET;
    place = utet_align8(place + utet_le32(file->priv.at + UTET_RECORD_NAME_LENGTH));
    if (place + 16u * file->priv.at[UTET_RECORD_NDIM] > *end)
        return UTET_E_DATASET;
    return UTET_OK;
}

utet_status utet_record_fail(utet_file *file, const utet_dataset *dataset, utet_status status)
{
    file->error_offset = dataset->name_offset - UTET_RECORD_BYTES;
    return status;
}

/* Returns the size of an element, in bytes; 0 for an unknown tag. */
static uint8_t elem_size(uint32_t dtype)
{
#define SIZE_ROW(tag, number, name, bytes, kind, fraction) [number] = (bytes),
    static const uint8_t sizes[] = {UTET_DTYPES(SIZE_ROW)};

    return dtype < sizeof sizes ? sizes[dtype] : 0;
}

/* Takes shape and chunk shape, and computes the grid, the predicted rows and `narrow`. The number of chunks is also
 * saturated when a chunk extent is 0: then the rows of later datasets cannot be predicted. A dataset with too many axes
 * becomes unreadable, but its chunks are counted for that prediction. */
static void dataset_extents(utet_dataset *dataset, const uint8_t *at)
{
    const size_t bytes = 8u * dataset->ndim;
    uint64_t tiles = 1;
    uint64_t tile; /* size in bytes */
    unsigned d;

#if UTET_MAX_NDIM < UTET_FORMAT_NDIM
    if (dataset->ndim > UTET_MAX_NDIM) {
        for (d = 0; d < dataset->ndim; d++, at += 8)
            tiles = utet_mul(tiles, utet_div_up(utet_le64(at), utet_le64(at + bytes)));
        dataset->ndim = 0;
        dataset->dtype = 0; /* no dtype has this number, so calls that look only at the dtype refuse the dataset */
        dataset->elem_size = 0;
    }
#endif
    tile = dataset->elem_size;
    for (d = 0; d < dataset->ndim; d++, at += 8) {
        dataset->shape[d] = utet_le64(at);
        dataset->chunk_shape[d] = utet_le64(at + bytes);
        dataset->grid[d] = utet_div_up(dataset->shape[d], dataset->chunk_shape[d]);
        tiles = utet_mul(dataset->grid[d], tiles);
        if (UTET_NARROW)
            tile = utet_mul(dataset->chunk_shape[d], tile);
    }
    dataset->priv.first_row = dataset->priv.next_row;
    dataset->priv.next_row = utet_add(tiles, dataset->priv.first_row);
    /* No extent and no coordinate exceeds the size of all tiles together, unless there are no tiles. */
    if (UTET_NARROW)
        tile = utet_mul(tile, tiles);
    dataset->narrow = UTET_NARROW && dataset->elem_size != 0 && (tile | dataset->priv.next_row) >> 32 == 0;
}

void utet_dataset_rewind(utet_dataset *dataset)
{
    dataset->id = UINT32_MAX;
    dataset->priv.next = UTET_RECORDS_OFFSET;
    dataset->priv.next_row = 0;
}

/* Reads the next record. Only the last step changes id, priv.next and priv.next_row, so a suspended call can be
 * repeated. */
utet_status utet_dataset_step(utet_file *file, utet_dataset *dataset)
{
    utet_status status;
    uint64_t place;
    size_t length;

    if (dataset->id + 1 >= file->dataset_count)
        return UTET_END;
    if (file->priv.step == UTET_STEP_HEAD) {
        status = utet_record_head(file, &file->index_offset, dataset->priv.next);
        if (status != UTET_OK)
            return status;
        dataset->name_offset = dataset->priv.next + UTET_RECORD_BYTES;
        dataset->name_length = utet_le32(file->priv.at + UTET_RECORD_NAME_LENGTH);
        dataset->dtype = utet_le32(file->priv.at + UTET_RECORD_DTYPE);
        dataset->ndim = file->priv.at[UTET_RECORD_NDIM];
        dataset->elem_size = elem_size(dataset->dtype);
        file->priv.step = UTET_STEP_EXTENTS;
    }
    place = utet_align8(dataset->name_offset + dataset->name_length);
    length = 16u * dataset->ndim;
    status = utet_fetch(file, length, place);
    if (status != UTET_OK)
        return status;
    dataset->priv.next = place + length;
    dataset->id++;
    dataset_extents(dataset, file->priv.at);
    file->priv.step = UTET_STEP_HEAD;
    return UTET_OK;
}

/* Repeated, the rewinding changes nothing: only the last step moves the fields that it sets. */
static UTET_APART utet_status dataset_call(utet_file *file, utet_dataset *dataset, uint8_t call)
{
    utet_status status = utet_enter(file, call);

    if (status != UTET_OK)
        return status;
    if (call == UTET_CALL_DATASET_FIRST)
        utet_dataset_rewind(dataset);
    return utet_leave(file, utet_dataset_step(file, dataset));
}

utet_status utet_dataset_next(utet_file *file, utet_dataset *dataset)
{
    return dataset_call(file, dataset, UTET_CALL_DATASET_NEXT);
}

utet_status utet_dataset_first(utet_file *file, utet_dataset *dataset)
{
    return dataset_call(file, dataset, UTET_CALL_DATASET_FIRST);
}
