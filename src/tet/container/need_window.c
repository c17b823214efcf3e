/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* A codec states what it needs for itself; the public calls state the sum of that and the window. This adds the window.
 */
#include "container.h"

void utet_need_with_window(const utet_file *file, utet_need *need)
{
    need->least = utet_needed(file, need->least);
    need->best = utet_add(utet_needed(file, need->best), utet_window_fit(file, SIZE_MAX) - utet_window_fit(file, 0));
}
