/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The file object: initialisation, the call protocol, cancelling. */
#include "base.h"

#include <string.h>

UTET_STATIC_ASSERT(sizeof((utet_file *)0)->priv.call == sizeof(uint64_t[3]), all_of_the_call);

utet_status utet_init(utet_file *file, const utet_io *io, void *work, size_t work_len, const utet_codec *const *codecs)
{
    unsigned odd;

    if (file == NULL || io == NULL)
        return UTET_E_ARGUMENT;
    memset(file, 0, sizeof *file);
    odd = io->align - 1u; /* for align 0 it wraps, and so do the comparisons below */
    if (((io->unit & (io->unit - 1u)) | (io->align & odd)) != 0 || odd >= io->unit || odd >= UTET_HEADROOM ||
        (io->map == NULL && (io->read == NULL || work == NULL)))
        return UTET_E_ARGUMENT;
    file->priv.state = UTET_STATE_READY;
    file->priv.io = io;
    file->priv.codecs = codecs;
    file->priv.work = (uint8_t *)work;
    file->priv.buffer = file->priv.work;
    file->budget = work_len;
    file->priv.tail = (uint8_t *)((uintptr_t)io->map + (size_t)io->size); /* with map; never written */
    file->priv.held = (size_t)io->size;
    file->priv.end = io->size;
    if (io->map == NULL) {
        file->priv.buffer += UTET_HEADROOM + UTET_GAP(work, odd);
        (void)utet_window_alone(file); /* opening reports whether it is enough */
    }
    return UTET_OK;
}

utet_status utet_enter(utet_file *file, uint8_t call)
{
    if (file->priv.busy == call)
        return UTET_OK;
    if (file->priv.busy != UTET_CALL_NONE || file->priv.state != UTET_STATE_OPEN)
        return utet_closed(file); /* priv.status is 0 while a call is suspended */
    file->priv.busy = call;
    file->priv.step = 0;
    file->priv.done = 0;
    file->priv.call.all[0] = 0; /* cheaper than a call of memset */
    if (call == UTET_CALL_LEAN)
        return UTET_OK;
    file->priv.call.all[1] = 0;
    file->priv.call.all[2] = 0;
    return UTET_OK;
}

utet_status utet_given(utet_file *file, const void *at, size_t size)
{
    if (file->priv.call.given.kept == 0) {
        file->priv.call.given.at = at;
        file->priv.call.given.size = size;
        file->priv.call.given.kept = 1;
    }
    return file->priv.call.given.at == at && file->priv.call.given.size == size ? UTET_OK : UTET_E_STATE;
}

utet_status utet_end_call(utet_status status, utet_file *file)
{
    if (status != UTET_WOULD_BLOCK)
        file->priv.busy = UTET_CALL_NONE;
    return status;
}

utet_status utet_cancel(utet_file *file)
{
    const utet_io *io = file->priv.io;

    if (file->priv.busy == UTET_CALL_NONE)
        return UTET_OK;
    if (io->cancel != NULL)
        io->cancel(io->ctx);
    if (file->priv.busy == UTET_CALL_OPEN) /* nothing that it has read may remain */
        return utet_init(file, io, file->priv.work, file->budget, file->priv.codecs);
    if ((file->priv.busy & UTET_CALL_WORKSPACE) != 0)
        file->priv.owner = NULL;
    file->priv.busy = UTET_CALL_NONE;
    return UTET_OK;
}
