/* Names of datasets (§3): finding one, reading one. */
#include "container.h"

/* priv_step while a name is looked for; 0 and 1 belong to utet_dataset_step */
enum { STEP_COMPARE = 2 };

/* *same is set to 1 if so; a byte at a time, so a name may be longer than the window. How
 * many bytes have been compared stands in priv_left. */
static utet_status compare(utet_file *file, const utet_dataset *dataset, const char *name,
                           int *same)
{
    for (; file->priv_left != dataset->name_length; file->priv_left++) {
        utet_status status = utet_need_bytes(file, 1, dataset->name_offset + file->priv_left);

        if (status != UTET_OK)
            return status;
        if (*file->priv_at != (uint8_t)name[file->priv_left])
            return UTET_OK;
    }
    *same = 1;
    return UTET_OK;
}

static utet_status find(utet_file *file, utet_dataset *dataset, const char *name, size_t length)
{
    utet_status status;
    int same = 0;

    while (!same) {
        if (file->priv_step != STEP_COMPARE) {
            status = utet_dataset_step(file, dataset);
            if (status != UTET_OK)
                return status == UTET_END ? UTET_E_NOT_FOUND : status;
            if (dataset->name_length != length)
                continue;
            file->priv_step = STEP_COMPARE;
            file->priv_left = 0;
        }
        status = compare(file, dataset, name, &same);
        if (status != UTET_OK)
            return status;
        file->priv_step = 0;
    }
    return UTET_OK;
}

utet_status utet_dataset_find(utet_file *file, utet_dataset *dataset, const char *name,
                              size_t length)
{
    int resumed = file->priv_busy == UTET_CALL_DATASET_FIND;
    utet_status status = utet_enter(file, UTET_CALL_DATASET_FIND);

    if (status != UTET_OK)
        return status;
    if (!resumed)
        utet_dataset_rewind(dataset);
    return utet_leave(file, find(file, dataset, name, length));
}

utet_status utet_dataset_name(utet_file *file, const utet_dataset *dataset, uint32_t from,
                              char *buffer, size_t size)
{
    utet_status status = utet_enter(file, UTET_CALL_DATASET_NAME);

    if (status != UTET_OK)
        return status;
    if (from > dataset->name_length || size > dataset->name_length - from)
        status = UTET_E_RANGE;
    else
        status = utet_copy_bytes(file, (uint8_t *)buffer, dataset->name_offset + from, size);
    return utet_leave(file, status);
}
