/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* The need of a codec as the public calls state it: with the window. */
#include "container.h"

void utet_need_with_window(const utet_file *file, utet_need *need)
{
    need->least = utet_add(need->least, utet_window_fit(file, 0));
    need->best = utet_add(need->best, utet_window_fit(file, UINT64_MAX));
}
