/* The limits that the reference enforces in the footer itself only when it verifies a file (§7.4). */
#include "meta.h"

enum { BEGIN, HISTORY, METADATA };

utet_status utet_meta_check_limits(utet_meta *meta)
{
    utet_file *file = meta->priv_file;
    utet_status status = utet_meta_enter(meta, UTET_CALL_META_LIMITS);

    if (status != UTET_OK)
        return status;
    if (file->priv_step == BEGIN) {
        if (meta->history.kind != UTET_NONE)
            utet_meta_check_begin(meta, meta->history.priv_at - 1, file->priv_io->size, UTET_RULE_HISTORY);
        file->priv_step = HISTORY;
    }
    if (file->priv_step == HISTORY) {
        if (meta->history.kind != UTET_NONE)
            status = utet_meta_check(meta, 0, 1);
        if (status != UTET_OK)
            return utet_leave(file, status);
        if (meta->priv_metadata.kind == UTET_NONE)
            return utet_leave(file, UTET_OK);
        utet_meta_check_begin(meta, meta->priv_metadata.priv_at - 1, file->priv_io->size, UTET_RULE_METADATA);
        file->priv_step = METADATA;
    }
    return utet_leave(file, utet_meta_check(meta, 0, 1));
}
