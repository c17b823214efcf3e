/* History events (§7.2). */
#include "meta.h"

#include <string.h>

utet_status utet_event_next(utet_meta *meta, utet_value *history, utet_event *event)
{
    utet_status status = utet_meta_enter(meta, UTET_CALL_EVENT_NEXT);

    if (status != UTET_OK)
        return status;
    status = utet_meta_walk(meta, history, UTET_RULE_HISTORY);
    memcpy(event->field, meta->priv_found, sizeof event->field);
    return utet_leave(meta->priv_file, status);
}
