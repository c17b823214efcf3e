/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Opening a file of messages, and big-endian loads. */
#include <stdint.h>

#if SIZE_MAX >= 0xFFFFFFFF /* else nothing is left of this file: utet_tensogram.h says so */

#include "tensogram.h"

uint32_t utet_be32(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | (uint32_t)at[3];
}

uint64_t utet_be64(const uint8_t *at)
{
    return (uint64_t)utet_be32(at) << 32 | utet_be32(at + 4);
}

utet_status utet_messages_open(utet_file *file, const utet_options *options)
{
    utet_status status;

    if (file->priv.state != UTET_STATE_READY)
        return utet_closed(file);
    if (file->priv.busy != UTET_CALL_NONE)
        return UTET_E_STATE;
    if (options != NULL && options->budget != 0 && options->budget < file->budget)
        file->budget = options->budget;
    status = utet_window_alone(file);
    if (status != UTET_OK)
        return status;
    file->high_water = file->priv.window;
    file->footer_offset = file->priv.io->size;
    file->priv.state = UTET_STATE_OPEN;
    return UTET_OK;
}

#endif
