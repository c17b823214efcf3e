/* History events (§7.2). */
#include "meta.h"

#include <string.h>

utet_status utet_event_next(utet_meta *meta, utet_value *history, utet_event *event)
{
    utet_file *file = meta->priv_file;
    utet_status status = utet_meta_enter(meta, UTET_CALL_EVENT_NEXT);

    if (status != UTET_OK)
        return status;
    if (file->priv_step == 0) {
        status = utet_meta_walk(meta, history);
        if (status != UTET_OK)
            return utet_leave(file, status);
        utet_meta_want(meta, &UTET_ITEM(meta), UTET_ITEM(meta).kind == UTET_LIST ? UTET_RULE_TRIPLE : UTET_RULE_EVENT);
        file->priv_step = 1;
    }
    status = utet_meta_collect(meta); /* of a list: its texts, which are op, source and at */
    memcpy(event->field, meta->priv_found, sizeof event->field);
    return utet_leave(file, status);
}
