/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Opening a file that holds CBOR, or Tensogram messages. */
#include <stdint.h>

#if SIZE_MAX >= 0xFFFFFFFF /* else nothing is left of this file: utet_cbor.h says so */

#include "cbor.h"

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
