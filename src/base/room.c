/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The size of the window within the workspace, and the beginning of the memory after it. */
#include "base.h"

utet_status utet_window_alone(utet_file *file)
{
    utet_window_resize(file, utet_window_fit(file, file->budget));
    if (file->priv.window <= file->budget)
        return UTET_OK;
    file->needed = file->priv.window;
    return UTET_E_BUDGET;
}

uint64_t utet_needed(const utet_file *file, uint64_t least)
{
    size_t more = utet_window_fit(file, 0);

    if (least != 0)
        more += utet_lost(file);
    return utet_add(least, more);
}

uint64_t utet_up8(const utet_file *file, uint64_t bytes)
{
    return utet_add(bytes, (UTET_GAP(file->priv.work, 7) - bytes) & 7);
}

size_t utet_down8(const utet_file *file, size_t bytes)
{
    size_t first = UTET_GAP(file->priv.work, 7);

    return bytes < first ? 0 : first + ((bytes - first) & ~(size_t)7);
}
