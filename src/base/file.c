/* The file object: initialisation, the call protocol, cancelling. */
#include "base.h"

#include <string.h>

utet_status utet_init_checked(utet_file *file, const utet_io *io, void *work, size_t work_len,
                              const utet_codec *const *codecs, uint32_t abi)
{
    unsigned odd;

    if (abi != UTET_ABI)
        return UTET_E_CONFIG;
    if (file == NULL || io == NULL)
        return UTET_E_ARGUMENT;
    memset(file, 0, sizeof *file);
    odd = io->align - 1u; /* wraps for 0, as does what follows */
    if (((io->unit & (io->unit - 1u)) | (io->align & odd) | ((uintptr_t)work & (odd | 7))) != 0 ||
        odd >= io->unit || odd >= UTET_HEADROOM ||
        (io->map == NULL && (io->read == NULL || work == NULL)))
        return UTET_E_ARGUMENT;
    file->priv_state = UTET_STATE_READY;
    file->priv_io = io;
    file->priv_codecs = codecs;
    file->priv_work = (uint8_t *)work;
    file->budget = work_len;
    utet_window_resize(file, utet_window_fit(file, work_len));
    if (io->map != NULL) {
        file->priv_tail = (uint8_t *)(uintptr_t)io->map + (size_t)io->size; /* never written */
        file->priv_held = (size_t)io->size;
        file->priv_end = io->size;
    }
    return UTET_OK;
}

utet_status utet_enter(utet_file *file, uint8_t call)
{
    if (file->priv_busy == call)
        return UTET_OK;
    if (file->priv_busy != UTET_CALL_NONE)
        return UTET_E_STATE;
    if (file->priv_state != UTET_STATE_OPEN)
        return utet_closed(file);
    file->priv_busy = call;
    file->priv_step = 0;
    file->priv_done = 0;
    file->priv_cursor[0] = 0;
    file->priv_cursor[1] = 0;
    file->priv_cursor[2] = 0;
    return UTET_OK;
}

utet_status utet_leave(utet_file *file, utet_status status)
{
    if (status != UTET_WOULD_BLOCK)
        file->priv_busy = UTET_CALL_NONE;
    return status;
}

utet_status utet_cancel(utet_file *file)
{
    const utet_io *io = file->priv_io;

    if (file->priv_busy == UTET_CALL_NONE)
        return UTET_OK;
    if (io->cancel != NULL)
        io->cancel(io->ctx);
    if (file->priv_busy >= UTET_CALL_STREAM_OPEN && file->priv_busy <= UTET_CALL_SLAB_INTO)
        file->priv_owner = NULL;
    file->priv_busy = UTET_CALL_NONE;
    return UTET_OK;
}
