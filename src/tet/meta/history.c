/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* History events (§7.2). */
#include "meta.h"

utet_status utet_event_next(utet_meta *meta, utet_value *history, utet_event *event)
{
    utet_status status = utet_meta_enter(meta, UTET_CALL_EVENT_NEXT);

    if (status != UTET_OK)
        return status;
    status = utet_meta_next(meta, history, UTET_RULE_HISTORY);
    *event = meta->priv.kept.event;
    return utet_leave(meta->priv.file, status);
}
