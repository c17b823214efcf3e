/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Names of datasets (§3): finding one, reading one. */
#include "container.h"

/* Compares names byte by byte, so a name may be longer than the window. The length is compared each time, because a
 * repeated call may have another one. UTET_END: there are no more records. */
static utet_status dataset_name_find(utet_file *file, utet_dataset *dataset, const char *name, size_t length)
{
    uint32_t *compared = &file->priv.call.record.compared; /* equal bytes of the name */
    utet_status status;

    for (;;) {
        if (file->priv.step != UTET_STEP_NAME) {
            status = utet_dataset_step(file, dataset);
            if (status != UTET_OK)
                return status;
            *compared = 0;
            file->priv.step = UTET_STEP_NAME;
        }
        if (dataset->name_length == length) {
            if (*compared == length)
                return UTET_OK;
            status = utet_fetch(file, 1, dataset->name_offset + *compared);
            if (status != UTET_OK)
                return status;
            if (*file->priv.at == (uint8_t)name[*compared]) {
                ++*compared;
                continue;
            }
        }
        file->priv.step = UTET_STEP_HEAD;
    }
}

utet_status utet_dataset_find(utet_file *file, const char *name, size_t length, utet_dataset *dataset)
{
    int resumed = file->priv.busy == UTET_CALL_DATASET_FIND;
    utet_status status = utet_enter(file, UTET_CALL_DATASET_FIND);

    if (status != UTET_OK)
        return status;
    if (!resumed)
        utet_dataset_rewind(dataset);
    status = dataset_name_find(file, dataset, name, length);
    return utet_leave(file, status == UTET_END ? UTET_E_NOT_FOUND : status);
}

utet_status utet_dataset_name(utet_file *file, const utet_dataset *dataset, uint32_t from, char *buffer, size_t size)
{
    utet_status status = utet_enter(file, UTET_CALL_DATASET_NAME);

    if (status != UTET_OK)
        return status;
    file->priv.at = NULL; /* a short text comes through the window */
    if (from > dataset->name_length || size > dataset->name_length - from)
        status = UTET_E_RANGE;
    else
        status = utet_copy_bytes(file, (uint8_t *)buffer, dataset->name_offset + from, size);
    return utet_leave(file, status);
}
