/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Strict mode: would the reference open the file (§6.2, §9)? Relies on container for rows. */
#include "../container/container.h"
#include "meta.h"

utet_status utet_meta_strict(utet_meta *meta)
{
    utet_file *file = meta->priv.file;
    const utet_status opened = meta->priv.status;
    utet_status status;

    if (opened != UTET_OK && opened != UTET_E_METADATA)
        return opened; /* the reference checks the footer's tail before the rows, the JSON after them (§9) */
    if (file == NULL)
        return UTET_E_STATE;
    status = utet_enter(file, UTET_CALL_META_STRICT);
    if (status != UTET_OK)
        return status;
    while (status == UTET_OK && file->priv.call.strict.row < file->row_count) {
        uint64_t row = file->priv.call.strict.row;
        utet_chunk chunk;

        status = utet_row_load(file, row, &chunk);
        if (status == UTET_OK)
            status = utet_row_check_end(file, &chunk, meta->payload_limit);
        if (status == UTET_OK)
            file->priv.call.strict.row++;
    }
    if (status == UTET_OK && opened != UTET_OK) {
        file->error_offset = meta->priv.error_offset;
        status = opened;
    }
    return utet_leave(file, status);
}
