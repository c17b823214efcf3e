/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The workspace after the window: its owner, and whether it is enough (DESIGN.md 1.2). */
#include "container.h"

utet_status utet_lend(utet_file *file, const void *owner, const utet_need *need)
{
    uint64_t needed = utet_needed(file, need->least);
    size_t front;
    size_t rest;

    if (needed > file->budget) {
        file->needed = needed;
        return UTET_E_BUDGET;
    }
    /* The window grows into the memory that the minimum leaves free; the owner gets the rest, at most its useful
     * maximum. */
    needed -= utet_window_fit(file, 0);
    utet_window_resize(file, utet_window_fit(file, file->budget - (size_t)needed));
    front = file->priv.window + utet_lost(file);
    rest = file->budget > front ? file->budget - front : 0;
    if (rest > need->best)
        rest = (size_t)need->best;
    file->priv.owner = owner;
    file->priv.lent = rest;
    rest = rest != 0 ? front + rest : file->priv.window;
    if (file->high_water < rest)
        file->high_water = rest;
    return UTET_OK;
}
