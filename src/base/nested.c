/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Public calls that use other public calls of the same file. */
#include "base.h"

utet_status utet_enter_over(utet_file *file, uint8_t call, const uint8_t *inner)
{
    const int resumed = file->priv.busy == call;
    utet_status status;

    /* Of nested calls, only the outermost one is compared: it knows the objects of the others. */
    if (resumed && file->priv.nested != NULL && file->priv.nested != inner)
        return UTET_E_STATE;
    status = utet_enter(file, call);
    if (status == UTET_OK) {
        file->priv.busy = resumed ? *inner : (uint8_t)UTET_CALL_NONE;
        file->priv.nested = NULL;
    }
    return status;
}

utet_status utet_leave_over(utet_file *file, uint8_t call, uint8_t *inner, utet_status status)
{
    if (status == UTET_WOULD_BLOCK) {
        *inner = file->priv.busy;
        file->priv.busy = call;
        file->priv.nested = inner;
    }
    return status;
}
