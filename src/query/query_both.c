/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Calls that read the document and the tensor file: while they are suspended, both files refuse all others. */
#include "query.h"

utet_status utet_query_enter_both(utet_file *file, utet_file *document, uint8_t call, const uint8_t inner[2])
{
    utet_status status;

    if ((file->priv.busy == call) != (document->priv.busy == call)) /* one of them was cancelled */
        return UTET_E_STATE;
    status = utet_enter_over(file, call, &inner[0]);
    return status == UTET_OK ? utet_enter_over(document, call, &inner[1]) : status;
}

utet_status utet_query_leave_both(utet_file *file, utet_file *document, uint8_t call, uint8_t inner[2],
                                  utet_status status)
{
    (void)utet_leave_over(document, call, &inner[1], status);
    return utet_leave_over(file, call, &inner[0], status);
}
