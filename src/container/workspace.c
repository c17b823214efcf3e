/* The memory behind the window: who has it, and whether it is enough (DESIGN §1.2). */
#include "container.h"

utet_status utet_lend(utet_file *file, const void *owner, const utet_need *need)
{
    size_t window;
    size_t rest;

    if (need->least > file->budget) {
        file->needed = need->least;
        return UTET_E_BUDGET;
    }
    /* The window first: all that the owner's least leaves. */
    window = utet_window_fit(file, file->budget - need->least + utet_window_fit(file, 0));
    rest = file->budget - window;
    if (rest > need->best - window)
        rest = (size_t)need->best - window;
    utet_window_resize(file, window);
    file->priv_owner = owner;
    file->priv_lent = rest;
    if (file->high_water < window + rest)
        file->high_water = window + rest;
    return UTET_OK;
}
