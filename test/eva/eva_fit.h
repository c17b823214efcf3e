/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Contracts of the window's size (base.h), for harnesses of what asks for memory beside it. */
#include "base/base.h"

size_t utet_window_fit(const utet_file *f, size_t bytes)
{
    (void)f;
    return bytes < 640 ? 192 : 640;
}

void utet_window_resize(utet_file *f, size_t size)
{
    f->priv.window = size;
}
