/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/* Names of the dtype tags (§3). */
#include "utet_show.h"

const char *utet_show_dtype(uint32_t dtype)
{
#define NAME_ROW(tag, number, name, bytes, kind, fraction) [number] = {name},
    static const char names[][4] = {"?", UTET_DTYPES(NAME_ROW)};

    return names[dtype < UTET_DTYPE_END ? dtype : 0];
}
